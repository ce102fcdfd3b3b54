/* enumerate and reversed. */
#ifndef Py_ENUMOBJECT_H
#define Py_ENUMOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyEnum_Type;
PyAPI_DATA(PyTypeObject) PyReversed_Type;

_Py_END_DECLS
#endif
