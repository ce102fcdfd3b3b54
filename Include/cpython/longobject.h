/* Bytes, bits and text of ints. */
#ifndef Py_CPYTHON_LONGOBJECT_H
#define Py_CPYTHON_LONGOBJECT_H

_Py_BEGIN_DECLS

/* int(u, base). */
PyAPI_FUNC(PyObject *) PyLong_FromUnicodeObject(PyObject *u, int base);

/* -1 may be an error. */
PyAPI_FUNC(int) _PyLong_AsInt(PyObject *obj);
/* For O& of PyArg_Parse. */
PyAPI_FUNC(int) _PyLong_UnsignedShort_Converter(PyObject *obj, void *ptr);
PyAPI_FUNC(int) _PyLong_UnsignedInt_Converter(PyObject *obj, void *ptr);
PyAPI_FUNC(int) _PyLong_UnsignedLong_Converter(PyObject *obj, void *ptr);
PyAPI_FUNC(int) _PyLong_UnsignedLongLong_Converter(PyObject *obj, void *ptr);
PyAPI_FUNC(int) _PyLong_Size_t_Converter(PyObject *obj, void *ptr);

/* Returns -1, 0 or 1. Can't fail. */
PyAPI_FUNC(int) _PyLong_Sign(PyObject *v);
/* The bits of the absolute value, or (size_t)-1 with OverflowError. */
PyAPI_FUNC(size_t) _PyLong_NumBits(PyObject *v);
/* v = x * 2**e with 0.5 <= |x| < 1. -1.0 may be an error. */
PyAPI_FUNC(double) _PyLong_Frexp(PyLongObject *v, Py_ssize_t *e);

PyAPI_FUNC(PyObject *) _PyLong_FromBytes(const char *bytes, Py_ssize_t n, int base);
PyAPI_FUNC(PyObject *) _PyLong_FromByteArray(const unsigned char *bytes, size_t n,
    int little_endian, int is_signed);
/* Returns 0, or -1 with OverflowError. */
PyAPI_FUNC(int) _PyLong_AsByteArray(PyLongObject *v, unsigned char *bytes, size_t n,
    int little_endian, int is_signed);
/* With the prefix for base 2, 8 or 16. */
PyAPI_FUNC(PyObject *) _PyLong_Format(PyObject *obj, int base);

PyAPI_FUNC(PyObject *) _PyLong_GCD(PyObject *a, PyObject *b);
PyAPI_FUNC(PyObject *) _PyLong_Rshift(PyObject *v, size_t shift);
PyAPI_FUNC(PyObject *) _PyLong_Lshift(PyObject *v, size_t shift);
/* The quotient rounded to the nearest int, half to even, and the remainder. */
PyAPI_FUNC(PyObject *) _PyLong_DivmodNear(PyObject *a, PyObject *b);

_Py_END_DECLS
#endif
