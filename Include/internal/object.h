/* Objects in general: creation, attributes, start-up of the built-in types.

   Bootstrap order that the object model relies on:
     1. allocators and the thread state exist;
     2. interned strings work (_PyUnicode_Init, _PyNames_Init): str, int,
        tuple and dict objects can be made although their types are not yet
        ready, because their constructors touch only the statically
        initialised part of the type objects;
     3. _PyTypes_Init(): PyType_Ready() on every type of static_types.def;
     4. everything else.  Exceptions can be raised only after 3. */
#ifndef SB_INTERNAL_OBJECT_H
#define SB_INTERNAL_OBJECT_H

#include "Python.h"
#include "internal/tracemalloc.h"
#include "internal/rare_call.h"

#ifndef _Py_IMMORTAL_REFCNT
#define _Py_IMMORTAL_REFCNT ((Py_ssize_t)1 << 60)
#endif

/* Fills `to` with new references to n objects. */
static inline void
_Py_CopyRefs(PyObject **to, PyObject *const *from, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        to[i] = Py_NewRef(from[i]);
    }
}

/* Readies every static type. Returns 0, or -1 with an exception set (or not,
   if exceptions are not ready themselves: treat as fatal). */
int _PyTypes_Init(void);

/* Generic attribute access. `dict`, borrowed, replaces the instance's own
   dictionary if not NULL; `suppress` leaves "not found" as NULL without an
   exception. */
PyObject *_PyObject_GenericGetAttrWithDict(PyObject *op, PyObject *name,
                                           PyObject *dict, int suppress);
int _PyObject_GenericSetAttrWithDict(PyObject *op, PyObject *name,
                                     PyObject *value, PyObject *dict);

/* PyObject_GetAttr() and PyObject_SetAttr() of an object whose type has the generic slots,
   for an interned name that has been looked up in the type: `descr`, borrowed, is the
   result, or NULL. */
PyObject *_PyObject_GetAttrFound(PyObject *op, PyObject *name, PyObject *descr);
int _PyObject_SetAttrFound(PyObject *op, PyObject *name, PyObject *value, PyObject *descr);

/* 3.11's _PyObject_LookupAttr(op, name, &result): 1 found (new reference),
   0 missing without exception, -1 exception. Public prototype in
   cpython/object.h. */

/* 3.11's _PyObject_GetMethod(op, name, &method): 1 when *method is an unbound
   method that wants op as its first argument, 0 when it is an ordinary
   attribute (or NULL with an exception). A new reference either way. */

/* The `__dict__` of an object whose type has tp_dictoffset != 0, created on demand.
   Returns a new reference; NULL with AttributeError for other types. */
PyObject *_PyObject_GetDict(PyObject *op);

/* Adds name and obj to the AttributeError being raised, if it has none yet. */
void _PyObject_AddAttributeErrorContext(PyObject *op, PyObject *name);

/* self.__getstate__(), for copy and pickle support of C types. */
PyObject *_PyObject_GetState(PyObject *self);

/* "<module.type object at 0x...>" as the default repr. */
PyObject *_PyObject_SelfRepr(PyObject *op);

/* The function that is called when an object is created or destroyed; set by
   PyRefTracer_SetTracer(). */
struct _PyObject_RefTracer {
    PyRefTracer func;
    void *data;
};
extern struct _PyObject_RefTracer _PyObject_ref_tracer;

/* There is one. */
_Py_RARE_CALL void _PyObject_CallTracer(PyObject *op, PyRefTracerEvent event);

/* An object that realloc may move is destroyed before and made after it. */
static inline void
_PyObject_TellTracer(PyObject *op, PyRefTracerEvent event)
{
    if (__builtin_expect(_PyObject_ref_tracer.func != NULL, 0)) {
        _PyObject_CallTracer(op, event);
    }
}

/* The first reference to an object that has been dead, which tools take for a new one. */
static inline void
_PyObject_Renew(PyObject *op)
{
    if (__builtin_expect(_PyObject_ref_tracer.func != NULL || _PyTraceMalloc_renew_hook != NULL,
                         0)) {
        _Py_NewReference(op);
    }
    else {
        op->ob_refcnt = 1;
    }
}

/* PyObject_Init for a static type, inline. */
static inline void
_PyObject_InitExact(PyObject *op, PyTypeObject *type)
{
    op->ob_type = type;
    op->ob_refcnt = 1;
    _PyObject_TellTracer(op, PyRefTracer_CREATE);
}

/* PyObject_Init() of memory that has just been allocated. */
static inline PyObject *
_PyObject_InitNew(PyObject *op, PyTypeObject *type)
{
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE) {
        Py_INCREF(type);
    }
    _PyObject_InitExact(op, type);
    return op;
}

/* Are instances collectable? (tp_is_gc may still say no for one of them) */
static inline int
_PyType_IS_GC(PyTypeObject *type)
{
    return (type->tp_flags & Py_TPFLAGS_HAVE_GC) != 0;
}

#endif
