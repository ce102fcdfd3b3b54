/* Tuples from inside.

   An exact tuple of fewer than _PyTuple_FREE_SIZES items is recycled through a
   free list per size, linked by ob_item[0]. The empty tuple exists once and is
   never freed. A tuple is tracked by the collector when it is made; a
   collection stops tracking those that cannot be in a cycle. */
#ifndef SB_INTERNAL_TUPLE_H
#define SB_INTERNAL_TUPLE_H

#include "Python.h"
#include "internal/gcstate.h"
#include "internal/object.h"

#define _PyTuple_FREE_SIZES 20

/* Items are stolen, also on failure. */
PyObject *_PyTuple_FromArraySteal(PyObject *const *items, Py_ssize_t n);

/* By size; index 0 is not used. */
extern struct _PyTuple_FreeList {
    PyTupleObject *first;
    int count;
} _PyTuple_free[_PyTuple_FREE_SIZES];

PyTupleObject *_PyTuple_AllocFresh(Py_ssize_t n);

/* An untracked tuple with uninitialised items (n > 0): fill it, and then
   _PyObject_GC_TRACK() it. NULL with MemoryError. */
static inline PyTupleObject *
_PyTuple_Alloc(Py_ssize_t n)
{
    if (n < _PyTuple_FREE_SIZES && _PyTuple_free[n].first != NULL) {
        PyTupleObject *self = _PyTuple_free[n].first;
        _PyTuple_free[n].first = (PyTupleObject *)self->ob_item[0];
        _PyTuple_free[n].count--;
        Py_SET_REFCNT(self, 1);
        if (__builtin_expect(_PyObject_ref_tracer.func != NULL, 0)) {
            _Py_NewReference((PyObject *)self);
        }
        _PyObject_GC_Reuse((PyObject *)self);
        return self;
    }
    return _PyTuple_AllocFresh(n);
}

#ifndef _PyTuple_ITEMS
#define _PyTuple_ITEMS(op) (((PyTupleObject *)(op))->ob_item)
#endif

#endif
