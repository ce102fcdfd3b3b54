/* The layout of bytes objects, and a writer for building them. */
#ifndef Py_CPYTHON_BYTESOBJECT_H
#define Py_CPYTHON_BYTESOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_VAR_HEAD
    Py_DEPRECATED(3.11) Py_hash_t ob_shash;     /* -1: not yet known */
    char ob_sval[1];        /* ob_size bytes and a NUL */
} PyBytesObject;

#define _PyBytes_CAST(op) (assert(PyBytes_Check(op)), _Py_CAST(PyBytesObject *, (op)))

static inline char *
PyBytes_AS_STRING(PyObject *op)
{
    return _PyBytes_CAST(op)->ob_sval;
}
#define PyBytes_AS_STRING(op) PyBytes_AS_STRING(_PyObject_CAST(op))

static inline Py_ssize_t
PyBytes_GET_SIZE(PyObject *op)
{
    return Py_SIZE(_PyBytes_CAST(op));
}
#define PyBytes_GET_SIZE(self) PyBytes_GET_SIZE(_PyObject_CAST(self))

/* Only for an object with one reference, which is stolen. On failure *bytes is NULL. */
PyAPI_FUNC(int) _PyBytes_Resize(PyObject **bytes, Py_ssize_t newsize);

/* % formatting. The result is a bytearray if the flag is set. */
PyAPI_FUNC(PyObject *) _PyBytes_FormatEx(const char *format, Py_ssize_t format_len,
    PyObject *args, int use_bytearray);
PyAPI_FUNC(PyObject *) _PyBytes_FromHex(PyObject *string, int use_bytearray);
/* sep.join(x) */
PyAPI_FUNC(PyObject *) _PyBytes_Join(PyObject *sep, PyObject *x);
/* *first_invalid_escape: the first escape that deserves a warning, or NULL. */
PyAPI_FUNC(PyObject *) _PyBytes_DecodeEscape(const char *s, Py_ssize_t len,
    const char *errors, const char **first_invalid_escape);
PyAPI_FUNC(PyObject *) _PyBytes_DecodeEscape2(const char *s, Py_ssize_t len,
    const char *errors, int *first_invalid_escape_char,
    const char **first_invalid_escape);

/* Builds bytes of unknown length. The functions take the current position in the buffer
   and return the new one, as the buffer may move. They return NULL with MemoryError. */
typedef struct {
    PyObject *buffer;           /* NULL while small_buffer is used */
    Py_ssize_t allocated;
    Py_ssize_t min_size;        /* size requested so far */
    int use_bytearray;
    int overallocate;
    int use_small_buffer;
    char small_buffer[512];
} _PyBytesWriter;

PyAPI_FUNC(void) _PyBytesWriter_Init(_PyBytesWriter *writer);
PyAPI_FUNC(void *) _PyBytesWriter_Alloc(_PyBytesWriter *writer, Py_ssize_t size);
PyAPI_FUNC(void *) _PyBytesWriter_Prepare(_PyBytesWriter *writer, void *str,
    Py_ssize_t size);
PyAPI_FUNC(void *) _PyBytesWriter_Resize(_PyBytesWriter *writer, void *str,
    Py_ssize_t size);
PyAPI_FUNC(void *) _PyBytesWriter_WriteBytes(_PyBytesWriter *writer, void *str,
    const void *bytes, Py_ssize_t size);
PyAPI_FUNC(PyObject *) _PyBytesWriter_Finish(_PyBytesWriter *writer, void *str);
PyAPI_FUNC(void) _PyBytesWriter_Dealloc(_PyBytesWriter *writer);

_Py_END_DECLS
#endif
