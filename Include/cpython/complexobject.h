/* The layout of complex objects, and arithmetic with their values. */
#ifndef Py_CPYTHON_COMPLEXOBJECT_H
#define Py_CPYTHON_COMPLEXOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    double real;
    double imag;
} Py_complex;

typedef struct {
    PyObject_HEAD
    Py_complex cval;
} PyComplexObject;

PyAPI_FUNC(PyObject *) PyComplex_FromCComplex(Py_complex v);
/* The real part is -1.0 on failure. */
PyAPI_FUNC(Py_complex) PyComplex_AsCComplex(PyObject *op);

/* Errors are reported by errno: EDOM or ERANGE. The GIL is not needed. */
PyAPI_FUNC(Py_complex) _Py_c_sum(Py_complex left, Py_complex right);
PyAPI_FUNC(Py_complex) _Py_c_diff(Py_complex left, Py_complex right);
PyAPI_FUNC(Py_complex) _Py_c_neg(Py_complex num);
PyAPI_FUNC(Py_complex) _Py_c_prod(Py_complex left, Py_complex right);
PyAPI_FUNC(Py_complex) _Py_c_quot(Py_complex dividend, Py_complex divisor);
PyAPI_FUNC(Py_complex) _Py_c_pow(Py_complex num, Py_complex exp);
PyAPI_FUNC(double) _Py_c_abs(Py_complex num);

_Py_END_DECLS
#endif
