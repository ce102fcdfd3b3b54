/* The path protocol: str and bytes are paths, and so is any object with __fspath__(). */
#include "Python.h"
#include "internal/abstract.h"
#include "internal/names.h"
#include "internal/object.h"

PyObject *
_PyObject_CallFSPath(PyObject *path)
{
    PyObject *method;
    if (_PyObject_LookupAttr((PyObject *)Py_TYPE(path), _Py_NAME(dunder_fspath), &method) <= 0) {
        return NULL;
    }
    PyObject *result = PyObject_CallOneArg(method, path);
    Py_DECREF(method);
    if (result != NULL && !PyUnicode_Check(result) && !PyBytes_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "expected %.200s.__fspath__() to return str or bytes, not %.200s",
                     Py_TYPE(path)->tp_name, Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
PyOS_FSPath(PyObject *path)
{
    if (PyUnicode_Check(path) || PyBytes_Check(path)) {
        return Py_NewRef(path);
    }
    PyObject *result = _PyObject_CallFSPath(path);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "expected str, bytes or os.PathLike object, not %.200s",
                     Py_TYPE(path)->tp_name);
    }
    return result;
}
