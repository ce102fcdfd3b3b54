/* Tuples from inside.

   An exact tuple of fewer than _PyTuple_FREE_SIZES items is recycled through a
   free list per size, linked by ob_item[0]. The empty tuple exists once and is
   never freed. A tuple is tracked by the collector when it is made; a
   collection stops tracking those that cannot be in a cycle. */
#ifndef SB_INTERNAL_TUPLE_H
#define SB_INTERNAL_TUPLE_H

#include "Python.h"
#include "internal/gcstate.h"
#include "internal/keyhash.h"
#include "internal/object.h"

#define _PyTuple_FREE_SIZES 20

/* A new reference to a tuple with references of its own to n items; NULL with MemoryError. */
PyObject *_PyTuple_FromArray(PyObject *const *items, Py_ssize_t n);
/* The same for two items. */
PyObject *_PyTuple_Pair(PyObject *first, PyObject *second);
/* Items are stolen, also on failure. */
PyObject *_PyTuple_FromArraySteal(PyObject *const *items, Py_ssize_t n);

/* By size; index 0 is not used. */
extern struct _PyTuple_FreeList {
    PyTupleObject *first;
    int count;
} _PyTuple_free[_PyTuple_FREE_SIZES];

/* How many dead ones of a size are kept. */
#define _PyTuple_FREE_PER_SIZE 2000

PyTupleObject *_PyTuple_AllocFresh(Py_ssize_t n);

/* Frees an exact tuple that is not tracked, and whose items have been released. */
static inline void
_PyTuple_FreeUntracked(PyTupleObject *self)
{
    Py_ssize_t n = Py_SIZE(self);
    if (n < _PyTuple_FREE_SIZES && n > 0 && _PyTuple_free[n].count < _PyTuple_FREE_PER_SIZE) {
        self->ob_item[0] = (PyObject *)_PyTuple_free[n].first;
        _PyTuple_free[n].first = self;
        _PyTuple_free[n].count++;
        return;
    }
    PyObject_GC_Del(self);
}

/* Frees an exact tuple that nothing refers to. Its items have been released. */
static inline void
_PyTuple_FreeEmptied(PyTupleObject *self)
{
    if (_PyObject_GC_IS_TRACKED((PyObject *)self)) {
        _PyObject_GC_UNTRACK((PyObject *)self);
    }
    _PyTuple_FreeUntracked(self);
}

/* Releases the items of a pair if they live on, as most do. 0: nothing has been done. */
static inline int
_PyTuple_ReleaseSharedPair(PyTupleObject *pair)
{
    PyObject *first = pair->ob_item[0], *second = pair->ob_item[1];
    if (first == NULL || second == NULL || first->ob_refcnt == 1 || second->ob_refcnt == 1
        || (first == second && first->ob_refcnt == 2)) {
        return 0;
    }
    first->ob_refcnt--;
    second->ob_refcnt--;
    return 1;
}

/* A dead one of this size, if the caller knows that there is one: untracked, with one reference. */
static inline PyTupleObject *
_PyTuple_TakeDead(Py_ssize_t n)
{
    PyTupleObject *self = _PyTuple_free[n].first;
    _PyTuple_free[n].first = (PyTupleObject *)self->ob_item[0];
    _PyTuple_free[n].count--;
    Py_SET_REFCNT(self, 1);
    return self;
}

/* An untracked tuple with uninitialised items (n > 0): fill it, and then
   _PyObject_GC_TRACK() it. NULL with MemoryError. */
static inline PyTupleObject *
_PyTuple_Alloc(Py_ssize_t n)
{
    if (n < _PyTuple_FREE_SIZES && _PyTuple_free[n].first != NULL) {
        PyTupleObject *self = _PyTuple_TakeDead(n);
        if (__builtin_expect(_PyObject_ref_tracer.func != NULL, 0)) {
            _Py_NewReference((PyObject *)self);
        }
        _PyObject_GC_Reuse((PyObject *)self);
        return self;
    }
    return _PyTuple_AllocFresh(n);
}

static inline int
_PyTuple_CanReuse(Py_ssize_t n)
{
    return _PyTuple_free[n].first != NULL
           && __builtin_expect(_PyObject_ref_tracer.func == NULL, 1);
}

/* The same if a dead one is there to be used again; NULL, without an exception, if not. Calls
   nothing. */
static inline PyTupleObject *
_PyTuple_Reuse(Py_ssize_t n)
{
    if (!_PyTuple_CanReuse(n)) {
        return NULL;
    }
    PyTupleObject *self = _PyTuple_TakeDead(n);
    _PyObject_GC_Reuse((PyObject *)self);
    return self;
}

/* A tuple of two items, which are stolen, also on failure. */
static inline PyObject *
_PyTuple_PairSteal(PyObject *first, PyObject *second)
{
    PyTupleObject *self = _PyTuple_Alloc(2);
    if (self == NULL) {
        Py_DECREF(first);
        Py_DECREF(second);
        return NULL;
    }
    self->ob_item[0] = first;
    self->ob_item[1] = second;
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

/* The same of items that may be NULL with an exception: NULL then. */
static inline PyObject *
_PyTuple_PairOfNew(PyObject *first, PyObject *second)
{
    if (first == NULL || second == NULL) {
        Py_XDECREF(first);
        Py_XDECREF(second);
        return NULL;
    }
    return _PyTuple_PairSteal(first, second);
}

/* The xxHash of the items' hashes. hash((1, 2)) must be CPython's, since it decides the
   order in which sets of tuples are shown. */
#define _PyTuple_HASH_START ((Py_uhash_t)2870177450012600261u)

static inline Py_uhash_t
_PyTuple_HashNext(Py_uhash_t sum, Py_hash_t item)
{
    sum += (Py_uhash_t)item * (Py_uhash_t)14029467366897019727u;
    return ((sum << 31) | (sum >> 33)) * (Py_uhash_t)11400714785074694791u;
}

static inline Py_hash_t
_PyTuple_HashEnd(Py_uhash_t sum, Py_ssize_t n)
{
    sum += (Py_uhash_t)n ^ (_PyTuple_HASH_START ^ 3527539u);
    return sum == (Py_uhash_t)-1 ? 1546275796 : (Py_hash_t)sum;
}

/* The hash of a tuple of strs that have been hashed before, and of short ints: most tuples that are
   keys are such. -1: it has other items. */
static inline Py_hash_t
_PyTuple_KnownHash(PyObject *op)
{
    Py_ssize_t n = Py_SIZE(op);
    Py_uhash_t sum = _PyTuple_HASH_START;
    if (n == 2) {
        PyObject *const *pair = ((PyTupleObject *)op)->ob_item;
        Py_hash_t first = _Py_KnownHashOfSmall(pair[0]), second = _Py_KnownHashOfSmall(pair[1]);
        if (__builtin_expect(first == -1 || second == -1, 0)) {
            return -1;
        }
        return _PyTuple_HashEnd(_PyTuple_HashNext(_PyTuple_HashNext(sum, first), second), n);
    }
    for (PyObject **item = ((PyTupleObject *)op)->ob_item, **end = item + n; item < end; item++) {
        Py_hash_t lane = _Py_KnownHash(*item);
        if (__builtin_expect(lane == -1, 0)) {
            return -1;
        }
        sum = _PyTuple_HashNext(sum, lane);
    }
    return _PyTuple_HashEnd(sum, n);
}

#ifndef _PyTuple_ITEMS
#define _PyTuple_ITEMS(op) (((PyTupleObject *)(op))->ob_item)
#endif

#endif
