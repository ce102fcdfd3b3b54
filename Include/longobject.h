/* int. */
#ifndef Py_LONGOBJECT_H
#define Py_LONGOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyLong_Type;

#define PyLong_Check(op)      PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_LONG_SUBCLASS)
#define PyLong_CheckExact(op) Py_IS_TYPE((op), &PyLong_Type)

PyAPI_FUNC(PyObject *) PyLong_FromLong(long v);
PyAPI_FUNC(PyObject *) PyLong_FromUnsignedLong(unsigned long v);
PyAPI_FUNC(PyObject *) PyLong_FromSsize_t(Py_ssize_t v);
PyAPI_FUNC(PyObject *) PyLong_FromSize_t(size_t v);
PyAPI_FUNC(PyObject *) PyLong_FromLongLong(long long v);
PyAPI_FUNC(PyObject *) PyLong_FromUnsignedLongLong(unsigned long long v);
PyAPI_FUNC(PyObject *) PyLong_FromDouble(double v);
PyAPI_FUNC(PyObject *) PyLong_FromVoidPtr(void *p);
/* *pend is set to the end of the number. If pend is NULL, the text must end there. */
PyAPI_FUNC(PyObject *) PyLong_FromString(const char *str, char **pend, int base);

/* -1 may be an error: TypeError, or OverflowError for values that don't fit. The
   functions with a signed result use __index__, too. AndOverflow raises no OverflowError:
   *overflow is 1 or -1 instead. Mask takes the low bits. */
PyAPI_FUNC(long) PyLong_AsLong(PyObject *obj);
PyAPI_FUNC(long) PyLong_AsLongAndOverflow(PyObject *obj, int *overflow);
PyAPI_FUNC(long long) PyLong_AsLongLong(PyObject *obj);
PyAPI_FUNC(long long) PyLong_AsLongLongAndOverflow(PyObject *obj, int *overflow);
PyAPI_FUNC(Py_ssize_t) PyLong_AsSsize_t(PyObject *pylong);
PyAPI_FUNC(size_t) PyLong_AsSize_t(PyObject *pylong);
PyAPI_FUNC(unsigned long) PyLong_AsUnsignedLong(PyObject *pylong);
PyAPI_FUNC(unsigned long long) PyLong_AsUnsignedLongLong(PyObject *pylong);
PyAPI_FUNC(unsigned long) PyLong_AsUnsignedLongMask(PyObject *obj);
PyAPI_FUNC(unsigned long long) PyLong_AsUnsignedLongLongMask(PyObject *obj);
PyAPI_FUNC(double) PyLong_AsDouble(PyObject *pylong);
/* NULL may be an error. */
PyAPI_FUNC(void *) PyLong_AsVoidPtr(PyObject *pylong);
#define PyLong_AS_LONG(op) PyLong_AsLong(op)

/* sys.int_info */
PyAPI_FUNC(PyObject *) PyLong_GetInfo(void);

/* Process ids are ints. Also the formats of PyArg_Parse for them and for addresses. */
#define PyLong_FromPid    PyLong_FromLong
#define PyLong_AsPid      PyLong_AsLong
#define _Py_PARSE_PID     "i"
#define _Py_PARSE_INTPTR  "l"
#define _Py_PARSE_UINTPTR "k"

/* strtol() with Python's prefixes. The GIL is not needed. errno is ERANGE on overflow. */
PyAPI_FUNC(unsigned long) PyOS_strtoul(const char *str, char **ptr, int base);
PyAPI_FUNC(long) PyOS_strtol(const char *str, char **ptr, int base);

#ifndef Py_LIMITED_API
#  include "cpython/longobject.h"
#endif

_Py_END_DECLS
#endif
