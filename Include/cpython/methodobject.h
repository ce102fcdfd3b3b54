/* The layout of C functions. */
#ifndef Py_CPYTHON_METHODOBJECT_H
#define Py_CPYTHON_METHODOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_HEAD
    PyMethodDef *m_ml;
    PyObject *m_self;           /* or NULL */
    PyObject *m_module;         /* its name, or NULL */
    PyObject *m_weakreflist;
    vectorcallfunc vectorcall;
} PyCFunctionObject;

/* With METH_METHOD. */
typedef struct {
    PyCFunctionObject func;
    PyTypeObject *mm_class;
} PyCMethodObject;

PyAPI_DATA(PyTypeObject) PyCMethod_Type;

#define PyCMethod_CheckExact(op) Py_IS_TYPE((op), &PyCMethod_Type)
#define PyCMethod_Check(op)      PyObject_TypeCheck((op), &PyCMethod_Type)

#define _PyCFunctionObject_CAST(func) \
    (assert(PyCFunction_Check(func)), _Py_CAST(PyCFunctionObject *, (func)))
#define _PyCMethodObject_CAST(func) \
    (assert(PyCMethod_Check(func)), _Py_CAST(PyCMethodObject *, (func)))

static inline PyCFunction
PyCFunction_GET_FUNCTION(PyObject *func)
{
    return _PyCFunctionObject_CAST(func)->m_ml->ml_meth;
}
#define PyCFunction_GET_FUNCTION(func) PyCFunction_GET_FUNCTION(_PyObject_CAST(func))

/* Borrowed. NULL for a static method. */
static inline PyObject *
PyCFunction_GET_SELF(PyObject *op)
{
    PyCFunctionObject *func = _PyCFunctionObject_CAST(op);

    return func->m_ml->ml_flags & METH_STATIC ? _Py_NULL : func->m_self;
}
#define PyCFunction_GET_SELF(func) PyCFunction_GET_SELF(_PyObject_CAST(func))

static inline int
PyCFunction_GET_FLAGS(PyObject *func)
{
    return _PyCFunctionObject_CAST(func)->m_ml->ml_flags;
}
#define PyCFunction_GET_FLAGS(func) PyCFunction_GET_FLAGS(_PyObject_CAST(func))

/* Borrowed. NULL without METH_METHOD. */
static inline PyTypeObject *
PyCFunction_GET_CLASS(PyObject *op)
{
    return PyCFunction_GET_FLAGS(op) & METH_METHOD
        ? _PyCMethodObject_CAST(op)->mm_class : _Py_NULL;
}
#define PyCFunction_GET_CLASS(func) PyCFunction_GET_CLASS(_PyObject_CAST(func))

_Py_END_DECLS
#endif
