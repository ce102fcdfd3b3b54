/* complex. */
#ifndef Py_COMPLEXOBJECT_H
#define Py_COMPLEXOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyComplex_Type;

#define PyComplex_Check(op)      PyObject_TypeCheck((op), &PyComplex_Type)
#define PyComplex_CheckExact(op) Py_IS_TYPE((op), &PyComplex_Type)

PyAPI_FUNC(PyObject *) PyComplex_FromDoubles(double real, double imag);
/* Other objects are converted by __complex__ or __float__. -1.0 may be an error. */
PyAPI_FUNC(double) PyComplex_RealAsDouble(PyObject *op);
PyAPI_FUNC(double) PyComplex_ImagAsDouble(PyObject *op);

#ifndef Py_LIMITED_API
#  include "cpython/complexobject.h"
#endif

_Py_END_DECLS
#endif
