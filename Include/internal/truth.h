/* The truth of values of the most common types, for which no function of their type is called. */
#ifndef SB_INTERNAL_TRUTH_H
#define SB_INTERNAL_TRUTH_H

#include "Python.h"

/* 1 or 0; -1: PyObject_IsTrue() has to be asked. Runs no code. */
static inline int
_PyObject_KnownTruth(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    if (type == &PyBool_Type) {
        return op == Py_True;
    }
    if (type == &PyLong_Type || type == &PyList_Type || type == &PyTuple_Type) {
        return Py_SIZE(op) != 0;
    }
    if (type == &PyUnicode_Type) {
        return PyUnicode_IS_READY(op) ? PyUnicode_GET_LENGTH(op) != 0 : -1;
    }
    if (type == &PyDict_Type) {
        return PyDict_GET_SIZE(op) != 0;
    }
    return op == Py_None ? 0 : -1;
}

#endif
