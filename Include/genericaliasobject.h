/* Types like list[int]. */
#ifndef Py_GENERICALIASOBJECT_H
#define Py_GENERICALIASOBJECT_H

_Py_BEGIN_DECLS

PyAPI_DATA(PyTypeObject) Py_GenericAliasType;
PyAPI_FUNC(PyObject *) Py_GenericAlias(PyObject *origin, PyObject *args);

_Py_END_DECLS
#endif
