/* The layout of bytearray objects. */
#ifndef Py_CPYTHON_BYTEARRAYOBJECT_H
#define Py_CPYTHON_BYTEARRAYOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_VAR_HEAD
    Py_ssize_t ob_alloc;    /* bytes allocated at ob_bytes */
    char *ob_bytes;
    char *ob_start;         /* the first byte in use */
    Py_ssize_t ob_exports;  /* number of buffers in use */
} PyByteArrayObject;

PyAPI_DATA(char) _PyByteArray_empty_string[];

#define _PyByteArray_CAST(op) \
    (assert(PyByteArray_Check(op)), _Py_CAST(PyByteArrayObject *, (op)))

static inline char *
PyByteArray_AS_STRING(PyObject *op)
{
    PyByteArrayObject *self = _PyByteArray_CAST(op);

    return Py_SIZE(self) ? self->ob_start : _PyByteArray_empty_string;
}
#define PyByteArray_AS_STRING(self) PyByteArray_AS_STRING(_PyObject_CAST(self))

static inline Py_ssize_t
PyByteArray_GET_SIZE(PyObject *op)
{
    return Py_SIZE(_PyByteArray_CAST(op));
}
#define PyByteArray_GET_SIZE(self) PyByteArray_GET_SIZE(_PyObject_CAST(self))

_Py_END_DECLS
#endif
