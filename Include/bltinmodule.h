/* Types of the builtins module that have no other API. */
#ifndef Py_BLTINMODULE_H
#define Py_BLTINMODULE_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) PyFilter_Type;
PyAPI_DATA(PyTypeObject) PyMap_Type;
PyAPI_DATA(PyTypeObject) PyZip_Type;

_Py_END_DECLS
#endif
