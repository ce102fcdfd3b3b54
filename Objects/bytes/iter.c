/* The iterators of bytes and bytearray: two types, because pickles and type() tell them apart.
   A bytearray may change its size during iteration, so the length is read at every step. */
#include "private.h"
#include "internal/index_iter.h"

static inline PyObject *
bytes_item(PyObject *source, Py_ssize_t i)
{
    return _PyLong_GetSmall((unsigned char)PyBytes_AS_STRING(source)[i]);
}

static PyObject *
bytes_next(_PyIndexIter *it)
{
    return _PyIndexIter_Step(it, _PyIndexIter_Size, bytes_item);
}

static inline PyObject *
bytearray_item(PyObject *source, Py_ssize_t i)
{
    return _PyLong_GetSmall((unsigned char)PyByteArray_AS_STRING(source)[i]);
}

static PyObject *
bytearray_next(_PyIndexIter *it)
{
    return _PyIndexIter_Step(it, _PyIndexIter_Size, bytearray_item);
}

PyTypeObject PyBytesIter_Type =
    INDEX_ITER_TYPE("bytes_iterator", bytes_next, _PyIndexIter_Methods);
PyTypeObject PyByteArrayIter_Type =
    INDEX_ITER_TYPE("bytearray_iterator", bytearray_next, _PyIndexIter_Methods);

PyObject *
_PyBytesLike_Iter(PyObject *self)
{
    return _PyIndexIter_New(PyBytes_Check(self) ? &PyBytesIter_Type : &PyByteArrayIter_Type,
                            self, 0);
}
