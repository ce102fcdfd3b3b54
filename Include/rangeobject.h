/* range. */
#ifndef Py_RANGEOBJECT_H
#define Py_RANGEOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyRange_Type;
PyAPI_DATA(PyTypeObject) PyRangeIter_Type;
PyAPI_DATA(PyTypeObject) PyLongRangeIter_Type;

#define PyRange_Check(op) Py_IS_TYPE((op), &PyRange_Type)

_Py_END_DECLS
#endif
