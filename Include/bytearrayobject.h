/* bytearray. */
#ifndef Py_BYTEARRAYOBJECT_H
#define Py_BYTEARRAYOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyByteArray_Type;
PyAPI_DATA(PyTypeObject) PyByteArrayIter_Type;

#define PyByteArray_Check(self)      PyObject_TypeCheck((self), &PyByteArray_Type)
#define PyByteArray_CheckExact(self) Py_IS_TYPE((self), &PyByteArray_Type)

/* string may be NULL: the bytes are then uninitialised. */
PyAPI_FUNC(PyObject *) PyByteArray_FromStringAndSize(const char *string, Py_ssize_t len);
PyAPI_FUNC(PyObject *) PyByteArray_FromObject(PyObject *o);
PyAPI_FUNC(PyObject *) PyByteArray_Concat(PyObject *a, PyObject *b);
PyAPI_FUNC(Py_ssize_t) PyByteArray_Size(PyObject *bytearray);
/* The array's own memory, with a NUL after it. Valid until the size changes. */
PyAPI_FUNC(char *) PyByteArray_AsString(PyObject *bytearray);
/* BufferError while a buffer of the array is in use. */
PyAPI_FUNC(int) PyByteArray_Resize(PyObject *bytearray, Py_ssize_t len);

#ifndef Py_LIMITED_API
#  include "cpython/bytearrayobject.h"
#endif

_Py_END_DECLS
#endif
