/* Names that are private to a class: __name in class C means _C__name. */
#include "private.h"

PyObject *
_Py_Mangle(PyObject *private_name, PyObject *name)
{
    Py_INCREF(name);
    if (private_name == NULL || !PyUnicode_Check(private_name)
        || PyUnicode_GET_LENGTH(name) < 2
        || PyUnicode_READ_CHAR(name, 0) != '_'
        || PyUnicode_READ_CHAR(name, 1) != '_') {
        return name;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    if (PyUnicode_READ_CHAR(name, n - 1) == '_'
        && PyUnicode_READ_CHAR(name, n - 2) == '_') {
        return name;
    }
    if (PyUnicode_FindChar(name, '.', 0, n, 1) >= 0) {
        return name;
    }
    Py_ssize_t skip = 0, plen = PyUnicode_GET_LENGTH(private_name);
    while (skip < plen && PyUnicode_READ_CHAR(private_name, skip) == '_') {
        skip++;
    }
    if (skip == plen) {
        return name;
    }
    PyObject *stem = PyUnicode_Substring(private_name, skip, plen);
    if (stem == NULL) {
        Py_DECREF(name);
        return NULL;
    }
    PyObject *result = PyUnicode_FromFormat("_%U%U", stem, name);
    Py_DECREF(stem);
    Py_DECREF(name);
    return result;
}
