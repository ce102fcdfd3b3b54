/* bytes. Once other code can see an object, its contents must not change. */
#ifndef Py_BYTESOBJECT_H
#define Py_BYTESOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyBytes_Type;
PyAPI_DATA(PyTypeObject) PyBytesIter_Type;

#define PyBytes_Check(op)      PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_BYTES_SUBCLASS)
#define PyBytes_CheckExact(op) Py_IS_TYPE((op), &PyBytes_Type)

/* v may be NULL: the caller then fills the new object. */
PyAPI_FUNC(PyObject *) PyBytes_FromStringAndSize(const char *v, Py_ssize_t len);
PyAPI_FUNC(PyObject *) PyBytes_FromString(const char *v);
PyAPI_FUNC(PyObject *) PyBytes_FromObject(PyObject *o);
/* A subset of printf()'s formats. */
PyAPI_FUNC(PyObject *) PyBytes_FromFormat(const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 1, 2)));
PyAPI_FUNC(PyObject *) PyBytes_FromFormatV(const char *format, va_list vargs)
    Py_GCC_ATTRIBUTE((format(printf, 1, 0)));

PyAPI_FUNC(Py_ssize_t) PyBytes_Size(PyObject *o);
/* The object's own memory, with a NUL after it. If the length is not asked for, a NUL
   inside is a ValueError. */
PyAPI_FUNC(char *) PyBytes_AsString(PyObject *o);
PyAPI_FUNC(int) PyBytes_AsStringAndSize(PyObject *obj, char **buffer, Py_ssize_t *length);

/* *bytes becomes the concatenation, or NULL with an exception. Steals the old *bytes;
   AndDel steals newpart, too. */
PyAPI_FUNC(void) PyBytes_Concat(PyObject **bytes, PyObject *newpart);
PyAPI_FUNC(void) PyBytes_ConcatAndDel(PyObject **bytes, PyObject *newpart);

PyAPI_FUNC(PyObject *) PyBytes_Repr(PyObject *op, int smartquotes);
/* The body of a bytes literal. */
PyAPI_FUNC(PyObject *) PyBytes_DecodeEscape(const char *s, Py_ssize_t len,
    const char *errors, Py_ssize_t unicode, const char *recode_encoding);

#ifndef Py_LIMITED_API
#  include "cpython/bytesobject.h"
#endif

_Py_END_DECLS
#endif
