/* Weak references and proxies. */
#ifndef Py_WEAKREFOBJECT_H
#define Py_WEAKREFOBJECT_H

_Py_BEGIN_DECLS

typedef struct _PyWeakReference PyWeakReference;

PyAPI_DATA(PyTypeObject) _PyWeakref_RefType;
PyAPI_DATA(PyTypeObject) _PyWeakref_ProxyType;
PyAPI_DATA(PyTypeObject) _PyWeakref_CallableProxyType;

#define PyWeakref_CheckRef(op)      PyObject_TypeCheck((op), &_PyWeakref_RefType)
#define PyWeakref_CheckRefExact(op) Py_IS_TYPE((op), &_PyWeakref_RefType)
#define PyWeakref_CheckProxy(op) \
    (Py_IS_TYPE((op), &_PyWeakref_ProxyType) || Py_IS_TYPE((op), &_PyWeakref_CallableProxyType))
#define PyWeakref_Check(op)         (PyWeakref_CheckRef(op) || PyWeakref_CheckProxy(op))

/* callback may be NULL or None. It is called with the reference when ob dies. */
PyAPI_FUNC(PyObject *) PyWeakref_NewRef(PyObject *ob, PyObject *callback);
PyAPI_FUNC(PyObject *) PyWeakref_NewProxy(PyObject *ob, PyObject *callback);
/* None when the object is dead. Take a new reference at once: any code may kill the
   object. */
PyAPI_FUNC(PyObject *) PyWeakref_GetObject(PyObject *ref);  /* borrowed */

#ifndef Py_LIMITED_API
#  include "cpython/weakrefobject.h"
#endif

_Py_END_DECLS
#endif
