/* The layout of weak references. */
#ifndef Py_CPYTHON_WEAKREFOBJECT_H
#define Py_CPYTHON_WEAKREFOBJECT_H

_Py_BEGIN_DECLS

struct _PyWeakReference {
    PyObject_HEAD
    PyObject *wr_object;        /* borrowed; None when the object is dead */
    PyObject *wr_callback;      /* or NULL */
    Py_hash_t hash;             /* of the object; -1: was not computed while it lived */
    PyWeakReference *wr_prev;   /* the object's list */
    PyWeakReference *wr_next;
    vectorcallfunc vectorcall;
};

/* Borrowed. None when the object is dead. An object whose count is 0 is treated as dead. */
static inline PyObject *
PyWeakref_GET_OBJECT(PyObject *op)
{
    PyObject *object;

    assert(PyWeakref_Check(op));
    object = _Py_CAST(PyWeakReference *, (op))->wr_object;
    return Py_REFCNT(object) > 0 ? object : Py_None;
}
#define PyWeakref_GET_OBJECT(ref) PyWeakref_GET_OBJECT(_PyObject_CAST(ref))

PyAPI_FUNC(Py_ssize_t) _PyWeakref_GetWeakrefCount(PyWeakReference *head);
PyAPI_FUNC(void) _PyWeakref_ClearRef(PyWeakReference *self);

_Py_END_DECLS
#endif
