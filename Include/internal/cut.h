/* Parts of the usual sequences, without a slice object: for the interpreter's instructions and for
   what machine code calls (jit/slices.c). Nothing here runs Python code. */
#ifndef SB_INTERNAL_CUT_H
#define SB_INTERNAL_CUT_H

#include "Python.h"
#include "internal/unicode.h"

/* Classes whose parts plain_cut() makes. */
static inline int
is_cut_plainly(PyTypeObject *type)
{
    return type == &PyList_Type || type == &PyTuple_Type || type == &PyUnicode_Type
           || type == &PyBytes_Type || type == &PyByteArray_Type;
}

static inline Py_ssize_t
clip_bound(Py_ssize_t bound, Py_ssize_t n)
{
    return bound < 0 ? Py_MAX(bound + n, 0) : Py_MIN(bound, n);
}

/* sequence[start:stop] for bounds as PySlice_Unpack() gives them. Returns a new reference, or NULL
   with an exception: there is no memory. */
static inline PyObject *
plain_cut(PyObject *sequence, Py_ssize_t start, Py_ssize_t stop)
{
    PyTypeObject *type = Py_TYPE(sequence);
    if (type == &PyUnicode_Type && PyUnicode_READY(sequence) < 0) {
        return NULL;
    }
    Py_ssize_t size = type == &PyUnicode_Type ? PyUnicode_GET_LENGTH(sequence) : Py_SIZE(sequence);
    start = clip_bound(start, size);
    stop = clip_bound(stop, size);
    if (type == &PyList_Type) {
        return PyList_GetSlice(sequence, start, stop);
    }
    if (type == &PyTuple_Type) {
        return PyTuple_GetSlice(sequence, start, stop);
    }
    Py_ssize_t n = Py_MAX(stop - start, 0);
    if (type == &PyByteArray_Type) {
        return PyByteArray_FromStringAndSize(PyByteArray_AS_STRING(sequence) + start, n);
    }
    if (n == size) {
        return Py_NewRef(sequence);
    }
    if (type == &PyBytes_Type) {
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(sequence) + start, n);
    }
    return n == 0 ? _PyUnicode_NewEmpty() : _PyUnicode_Slice(sequence, start, stop);
}

#endif
