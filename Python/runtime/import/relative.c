/* Relative imports: which module `from ..name import x` means. */
#include "Python.h"
#include "internal/import.h"
#include "internal/names.h"

/* The package that a relative import starts from. Returns a new reference. */
static PyObject *
package_of(PyObject *globals)
{
    PyObject *package = PyDict_GetItemWithError(globals, _Py_NAME(dunder_package));
    if (package == NULL && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *spec = PyDict_GetItemWithError(globals, _Py_NAME(dunder_spec));
    if (spec == NULL && PyErr_Occurred()) {
        return NULL;
    }
    if (package != NULL && package != Py_None) {
        Py_INCREF(package);
        if (!PyUnicode_Check(package)) {
            PyErr_SetString(PyExc_TypeError, "package must be a string");
            goto error;
        }
        if (spec != NULL && spec != Py_None) {
            PyObject *parent = PyObject_GetAttr(spec, _Py_NAME(parent));
            if (parent == NULL) {
                goto error;
            }
            int equal = PyObject_RichCompareBool(package, parent, Py_EQ);
            Py_DECREF(parent);
            if (equal < 0
                || (equal == 0 && PyErr_WarnEx(PyExc_ImportWarning,
                                               "__package__ != __spec__.parent", 1) < 0)) {
                goto error;
            }
        }
        return package;
    }
    if (spec != NULL && spec != Py_None) {
        package = PyObject_GetAttr(spec, _Py_NAME(parent));
        if (package != NULL && !PyUnicode_Check(package)) {
            PyErr_SetString(PyExc_TypeError, "__spec__.parent must be a string");
            goto error;
        }
        return package;
    }
    if (PyErr_WarnEx(PyExc_ImportWarning, "can't resolve package from __spec__ or "
                     "__package__, falling back on __name__ and __path__", 1) < 0) {
        return NULL;
    }
    package = Py_XNewRef(PyDict_GetItemWithError(globals, _Py_NAME(dunder_name)));
    if (package == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_KeyError, "'__name__' not in globals");
        }
        return NULL;
    }
    if (!PyUnicode_Check(package)) {
        PyErr_SetString(PyExc_TypeError, "__name__ must be a string");
        goto error;
    }
    int has_path = PyDict_Contains(globals, _Py_NAME(dunder_path));
    if (has_path < 0) {
        goto error;
    }
    if (!has_path) {
        Py_ssize_t dot = PyUnicode_FindChar(package, '.', 0, PyUnicode_GET_LENGTH(package), -1);
        if (dot == -2) {
            goto error;
        }
        if (dot == -1) {
            goto no_parent;
        }
        Py_SETREF(package, PyUnicode_Substring(package, 0, dot));
    }
    return package;
no_parent:
    PyErr_SetString(PyExc_ImportError,
                    "attempted relative import with no known parent package");
error:
    Py_XDECREF(package);
    return NULL;
}

PyObject *
_PyImport_ResolveName(PyObject *name, PyObject *globals, int level)
{
    if (globals == NULL) {
        PyErr_SetString(PyExc_KeyError, "'__name__' not in globals");
        return NULL;
    }
    if (!PyDict_Check(globals)) {
        PyErr_SetString(PyExc_TypeError, "globals must be a dict");
        return NULL;
    }
    PyObject *package = package_of(globals);
    if (package == NULL) {
        return NULL;
    }
    Py_ssize_t end = PyUnicode_GET_LENGTH(package);
    if (end == 0) {
        PyErr_SetString(PyExc_ImportError,
                        "attempted relative import with no known parent package");
        Py_DECREF(package);
        return NULL;
    }
    for (int up = 1; up < level; up++) {
        end = PyUnicode_FindChar(package, '.', 0, end, -1);
        if (end < 0) {
            if (end == -1) {
                PyErr_SetString(PyExc_ImportError,
                                "attempted relative import beyond top-level package");
            }
            Py_DECREF(package);
            return NULL;
        }
    }
    PyObject *base = PyUnicode_Substring(package, 0, end);
    Py_DECREF(package);
    if (base == NULL || PyUnicode_GET_LENGTH(name) == 0) {
        return base;
    }
    PyObject *full = PyUnicode_FromFormat("%U.%U", base, name);
    Py_DECREF(base);
    return full;
}
