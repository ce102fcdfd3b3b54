/* The path protocol: str and bytes are paths, and so is any object with __fspath__(). */
#include "Python.h"
#include "internal/abstract.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/type.h"

PyObject *
_PyObject_CallFSPath(PyObject *path)
{
    PyObject *method = _PyObject_LookupSpecial(path, _Py_NAME(dunder_fspath));
    if (method == NULL) {
        /* Whatever binding it raised: for python3.11 this is no path, and no more is told. */
        PyErr_Clear();
        return NULL;
    }
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (result != NULL && !PyUnicode_Check(result) && !PyBytes_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "expected %.200s.__fspath__() to return str or bytes, not %.200s",
                     _PyType_Name(Py_TYPE(path)), _PyType_Name(Py_TYPE(result)));
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
                     _PyType_Name(Py_TYPE(path)));
    }
    return result;
}
