/* tuple. Once other code can see a tuple, it must not change. */
#ifndef Py_TUPLEOBJECT_H
#define Py_TUPLEOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyTuple_Type;
PyAPI_DATA(PyTypeObject) PyTupleIter_Type;

#define PyTuple_Check(op)      PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_TUPLE_SUBCLASS)
#define PyTuple_CheckExact(op) Py_IS_TYPE((op), &PyTuple_Type)

/* The items are NULL: fill them before Python code sees the tuple. */
PyAPI_FUNC(PyObject *) PyTuple_New(Py_ssize_t len);
/* A tuple of n objects. */
PyAPI_FUNC(PyObject *) PyTuple_Pack(Py_ssize_t n, ...);
PyAPI_FUNC(Py_ssize_t) PyTuple_Size(PyObject *p);
/* Negative indices raise IndexError, too. */
PyAPI_FUNC(PyObject *) PyTuple_GetItem(PyObject *p, Py_ssize_t pos);  /* borrowed */
/* Steals o. Only for a tuple that no other code has seen. */
PyAPI_FUNC(int) PyTuple_SetItem(PyObject *p, Py_ssize_t pos, PyObject *o);
PyAPI_FUNC(PyObject *) PyTuple_GetSlice(PyObject *p, Py_ssize_t low, Py_ssize_t high);

#ifndef Py_LIMITED_API
#  include "cpython/tupleobject.h"
#endif

_Py_END_DECLS
#endif
