/* list. */
#ifndef Py_LISTOBJECT_H
#define Py_LISTOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyList_Type;
PyAPI_DATA(PyTypeObject) PyListIter_Type;
PyAPI_DATA(PyTypeObject) PyListRevIter_Type;

#define PyList_Check(op)      PyType_FastSubclass(Py_TYPE(op), Py_TPFLAGS_LIST_SUBCLASS)
#define PyList_CheckExact(op) Py_IS_TYPE((op), &PyList_Type)

/* The items are NULL: fill them before Python code sees the list. */
PyAPI_FUNC(PyObject *) PyList_New(Py_ssize_t len);
PyAPI_FUNC(Py_ssize_t) PyList_Size(PyObject *list);
/* Negative indices raise IndexError, too. */
PyAPI_FUNC(PyObject *) PyList_GetItem(PyObject *list, Py_ssize_t index);  /* borrowed */
/* Steals item and releases the old one. */
PyAPI_FUNC(int) PyList_SetItem(PyObject *list, Py_ssize_t index, PyObject *item);
PyAPI_FUNC(int) PyList_Insert(PyObject *list, Py_ssize_t index, PyObject *item);
PyAPI_FUNC(int) PyList_Append(PyObject *list, PyObject *item);
/* Indices are clipped. If itemlist is NULL, the slice is deleted. */
PyAPI_FUNC(PyObject *) PyList_GetSlice(PyObject *list, Py_ssize_t low, Py_ssize_t high);
PyAPI_FUNC(int) PyList_SetSlice(PyObject *list, Py_ssize_t low, Py_ssize_t high,
    PyObject *itemlist);
PyAPI_FUNC(int) PyList_Sort(PyObject *list);
PyAPI_FUNC(int) PyList_Reverse(PyObject *list);
PyAPI_FUNC(PyObject *) PyList_AsTuple(PyObject *list);

#ifndef Py_LIMITED_API
#  include "cpython/listobject.h"
#endif

_Py_END_DECLS
#endif
