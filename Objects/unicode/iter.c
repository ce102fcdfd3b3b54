/* Iterators over strings.

   An ASCII string gets an iterator of its own type, whose step only loads a byte and
   indexes the shared one-character strings. */
#include "private.h"
#include "internal/index_iter.h"

static inline Py_ssize_t
length(PyObject *text)
{
    return LENGTH(text);
}

static inline PyObject *
ascii_item(PyObject *text, Py_ssize_t i)
{
    return _PyUnicode_FromLatin1Char(((const Py_UCS1 *)DATA(text))[i]);
}

static inline PyObject *
item(PyObject *text, Py_ssize_t i)
{
    return PyUnicode_FromOrdinal((int)PyUnicode_READ(KIND(text), DATA(text), i));
}

static PyObject *
iter_next(_PyIndexIter *it)
{
    return _PyIndexIter_Step(it, length, item);
}

static PyObject *
ascii_iter_next(_PyIndexIter *it)
{
    return _PyIndexIter_Step(it, length, ascii_item);
}

Py_ssize_t
_PyUnicodeASCIIIter_Take(PyObject *op, PyObject **to, Py_ssize_t most)
{
    _PyIndexIter *it = (_PyIndexIter *)op;
    if (it->sequence == NULL) {
        return 0;
    }
    Py_ssize_t n = Py_MIN(most, LENGTH(it->sequence) - it->index);
    for (Py_ssize_t i = 0; i < n; i++) {
        to[i] = ascii_item(it->sequence, it->index + i);
    }
    it->index += Py_MAX(n, 0);
    return Py_MAX(n, 0);
}

PyTypeObject PyUnicodeIter_Type =
    INDEX_ITER_TYPE("str_iterator", iter_next, _PyIndexIter_Methods);
PyTypeObject _PyUnicodeASCIIIter_Type =
    INDEX_ITER_TYPE("str_ascii_iterator", ascii_iter_next, _PyIndexIter_Methods);

PyObject *
_PyUnicode_Iter(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    return _PyIndexIter_New(PyUnicode_IS_COMPACT_ASCII(op) ? &_PyUnicodeASCIIIter_Type
                                                           : &PyUnicodeIter_Type, op, 0);
}
