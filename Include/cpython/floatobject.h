/* The layout of floats, and their IEEE 754 bytes. */
#ifndef Py_CPYTHON_FLOATOBJECT_H
#define Py_CPYTHON_FLOATOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_HEAD
    double ob_fval;
} PyFloatObject;

#define PyFloat_AS_DOUBLE(op) (_Py_CAST(PyFloatObject *, (op))->ob_fval)

/* Two, four or eight bytes at p, least significant first if le. Packing returns 0, or -1
   with OverflowError. Unpacking returns -1.0 with an exception if it fails. */
PyAPI_FUNC(int) PyFloat_Pack2(double x, char *p, int le);
PyAPI_FUNC(int) PyFloat_Pack4(double x, char *p, int le);
PyAPI_FUNC(int) PyFloat_Pack8(double x, char *p, int le);
PyAPI_FUNC(double) PyFloat_Unpack2(const char *p, int le);
PyAPI_FUNC(double) PyFloat_Unpack4(const char *p, int le);
PyAPI_FUNC(double) PyFloat_Unpack8(const char *p, int le);

_Py_END_DECLS
#endif
