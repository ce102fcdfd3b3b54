/* float. */
#ifndef Py_FLOATOBJECT_H
#define Py_FLOATOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyFloat_Type;

#define PyFloat_Check(op)      PyObject_TypeCheck((op), &PyFloat_Type)
#define PyFloat_CheckExact(op) Py_IS_TYPE((op), &PyFloat_Type)

PyAPI_FUNC(PyObject *) PyFloat_FromDouble(double v);
PyAPI_FUNC(PyObject *) PyFloat_FromString(PyObject *str);
/* Other objects are converted by __float__ or __index__. -1.0 may be an error. */
PyAPI_FUNC(double) PyFloat_AsDouble(PyObject *pyfloat);
/* DBL_MAX and DBL_MIN; sys.float_info. */
PyAPI_FUNC(double) PyFloat_GetMax(void);
PyAPI_FUNC(double) PyFloat_GetMin(void);
PyAPI_FUNC(PyObject *) PyFloat_GetInfo(void);

#define Py_RETURN_NAN return PyFloat_FromDouble(Py_NAN)
/* With the sign of a double. */
#define Py_RETURN_INF(sign) \
    do { \
        return PyFloat_FromDouble(copysign(Py_HUGE_VAL, (sign))); \
    } while (0)

#ifndef Py_LIMITED_API
#  include "cpython/floatobject.h"
#endif

_Py_END_DECLS
#endif
