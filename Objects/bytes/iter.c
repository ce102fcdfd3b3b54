/* The iterators of bytes and bytearray: two types, because pickles and type() tell them apart.
   A bytearray may change its size during iteration, so the length is read at every step. */
#include "private.h"
#include "internal/index_iter.h"

static inline PyObject *
item(PyObject *source, Py_ssize_t i)
{
    return _PyLong_GetSmall((unsigned char)_PyBytesLike_Data(source)[i]);
}

static PyObject *
iter_next(_PyIndexIter *it)
{
    return _PyIndexIter_Step(it, _PyIndexIter_Size, item);
}

PyTypeObject PyBytesIter_Type =
    INDEX_ITER_TYPE("bytes_iterator", iter_next, _PyIndexIter_Methods);
PyTypeObject PyByteArrayIter_Type =
    INDEX_ITER_TYPE("bytearray_iterator", iter_next, _PyIndexIter_Methods);

PyObject *
_PyBytesLike_Iter(PyObject *self)
{
    return _PyIndexIter_New(PyBytes_Check(self) ? &PyBytesIter_Type : &PyByteArrayIter_Type,
                            self, 0);
}
