/* set and frozenset. */
#ifndef Py_SETOBJECT_H
#define Py_SETOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PySet_Type;
PyAPI_DATA(PyTypeObject) PyFrozenSet_Type;
PyAPI_DATA(PyTypeObject) PySetIter_Type;

#define PySet_CheckExact(op)       Py_IS_TYPE((op), &PySet_Type)
#define PyFrozenSet_CheckExact(op) Py_IS_TYPE((op), &PyFrozenSet_Type)
#define PyAnySet_CheckExact(op)    (PySet_CheckExact(op) || PyFrozenSet_CheckExact(op))
#define PySet_Check(op) \
    (PySet_CheckExact(op) || PyType_IsSubtype(Py_TYPE(op), &PySet_Type))
#define PyFrozenSet_Check(op) \
    (PyFrozenSet_CheckExact(op) || PyType_IsSubtype(Py_TYPE(op), &PyFrozenSet_Type))
#define PyAnySet_Check(op) \
    (PyAnySet_CheckExact(op) || PyType_IsSubtype(Py_TYPE(op), &PySet_Type) \
     || PyType_IsSubtype(Py_TYPE(op), &PyFrozenSet_Type))

/* iterable may be NULL. */
PyAPI_FUNC(PyObject *) PySet_New(PyObject *iterable);
PyAPI_FUNC(PyObject *) PyFrozenSet_New(PyObject *iterable);
PyAPI_FUNC(Py_ssize_t) PySet_Size(PyObject *anyset);
PyAPI_FUNC(int) PySet_Contains(PyObject *anyset, PyObject *key);
/* May also be used for a frozenset that no other code has seen. */
PyAPI_FUNC(int) PySet_Add(PyObject *set, PyObject *key);
/* Returns 1: found and removed, 0: not found, or -1. */
PyAPI_FUNC(int) PySet_Discard(PyObject *set, PyObject *key);
/* KeyError when the set is empty. */
PyAPI_FUNC(PyObject *) PySet_Pop(PyObject *set);
PyAPI_FUNC(int) PySet_Clear(PyObject *set);

#ifndef Py_LIMITED_API
#  include "cpython/setobject.h"
#endif

_Py_END_DECLS
#endif
