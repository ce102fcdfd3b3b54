/* Bound methods. */
#if !defined(Py_CLASSOBJECT_H) && !defined(Py_LIMITED_API)
#define Py_CLASSOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_HEAD
    PyObject *im_func;
    PyObject *im_self;
    PyObject *im_weakreflist;
    vectorcallfunc vectorcall;
} PyMethodObject;

/* Wraps a callable so that it becomes a method as an attribute of a class. */
typedef struct {
    PyObject_HEAD
    PyObject *func;
} PyInstanceMethodObject;

PyAPI_DATA(PyTypeObject) PyMethod_Type;
PyAPI_DATA(PyTypeObject) PyInstanceMethod_Type;

#define PyMethod_Check(op)         Py_IS_TYPE((op), &PyMethod_Type)
#define PyInstanceMethod_Check(op) Py_IS_TYPE((op), &PyInstanceMethod_Type)

PyAPI_FUNC(PyObject *) PyMethod_New(PyObject *func, PyObject *self);
PyAPI_FUNC(PyObject *) PyMethod_Function(PyObject *meth);  /* borrowed */
PyAPI_FUNC(PyObject *) PyMethod_Self(PyObject *meth);  /* borrowed */
PyAPI_FUNC(PyObject *) PyInstanceMethod_New(PyObject *func);
PyAPI_FUNC(PyObject *) PyInstanceMethod_Function(PyObject *im);  /* borrowed */

/* These return borrowed references. */
#define PyMethod_GET_FUNCTION(meth)         (_Py_CAST(PyMethodObject *, (meth))->im_func)
#define PyMethod_GET_SELF(meth)             (_Py_CAST(PyMethodObject *, (meth))->im_self)
#define PyInstanceMethod_GET_FUNCTION(meth) (_Py_CAST(PyInstanceMethodObject *, (meth))->func)

_Py_END_DECLS
#endif
