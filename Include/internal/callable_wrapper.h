/* staticmethod and classmethod objects, which are alike. */
#ifndef SB_INTERNAL_CALLABLE_WRAPPER_H
#define SB_INTERNAL_CALLABLE_WRAPPER_H

#include "Python.h"

typedef struct {
    PyObject_HEAD
    PyObject *callable;         /* NULL: not initialised, or cleared */
    PyObject *dict;
} _PyCallableWrapper;

/* Is it exactly one of them? */
static inline int
_PyCallableWrapper_Check(PyObject *op)
{
    return Py_IS_TYPE(op, &PyClassMethod_Type) || Py_IS_TYPE(op, &PyStaticMethod_Type);
}

#endif
