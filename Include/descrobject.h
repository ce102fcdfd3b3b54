/* Descriptors: attributes of a type that are made from C functions and members. */
#ifndef Py_DESCROBJECT_H
#define Py_DESCROBJECT_H

_Py_BEGIN_DECLS

typedef PyObject *(*getter)(PyObject *, void *);
/* The value is NULL for deletion. Returns 0, or -1. */
typedef int (*setter)(PyObject *, PyObject *, void *);

struct PyGetSetDef {
    const char *name;
    getter get;
    setter set;             /* NULL: read only */
    const char *doc;
    void *closure;          /* the last argument of both */
};

PyAPI_DATA(PyTypeObject) PyClassMethodDescr_Type;
PyAPI_DATA(PyTypeObject) PyGetSetDescr_Type;
PyAPI_DATA(PyTypeObject) PyMemberDescr_Type;
PyAPI_DATA(PyTypeObject) PyMethodDescr_Type;
PyAPI_DATA(PyTypeObject) PyWrapperDescr_Type;
PyAPI_DATA(PyTypeObject) PyDictProxy_Type;
PyAPI_DATA(PyTypeObject) PyProperty_Type;

/* The definitions must outlive the descriptors. */
PyAPI_FUNC(PyObject *) PyDescr_NewMethod(PyTypeObject *type, PyMethodDef *meth);
PyAPI_FUNC(PyObject *) PyDescr_NewClassMethod(PyTypeObject *type, PyMethodDef *method);
PyAPI_FUNC(PyObject *) PyDescr_NewMember(PyTypeObject *type, PyMemberDef *meth);
PyAPI_FUNC(PyObject *) PyDescr_NewGetSet(PyTypeObject *type, PyGetSetDef *getset);
PyAPI_FUNC(PyObject *) PyDictProxy_New(PyObject *mapping);
PyAPI_FUNC(PyObject *) PyWrapper_New(PyObject *, PyObject *);

#ifndef Py_LIMITED_API
#  include "cpython/descrobject.h"
#endif

_Py_END_DECLS
#endif
