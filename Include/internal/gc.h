/* The collector's view of an object.

   A collectable object is preceded in memory by a PyGC_Head of two words.
   Invariants:
   - `next` is 0 exactly when the object is not tracked;
   - the low bits of `prev` carry the collector's flags, and the rest is the
     neighbour in the generation's doubly linked list.
   An instance with a managed dict has two more words before the head: see
   internal/instance_attrs.h. */
#ifndef SB_INTERNAL_GC_H
#define SB_INTERNAL_GC_H

#include "Python.h"

typedef struct PyGC_Head {
    uintptr_t next;             /* PyGC_Head *, 0 when untracked */
    uintptr_t prev;             /* PyGC_Head * | flags */
} PyGC_Head;

#define _PyGC_PREV_FINALIZED  ((uintptr_t)1)    /* tp_finalize has run */
#define _PyGC_PREV_COLLECTING ((uintptr_t)2)    /* in the set being examined */
#define _PyGC_PREV_FOUND      ((uintptr_t)4)    /* known to be alive (core/memory/known_alive.c) */
#define _PyGC_PREV_FLAGS      ((uintptr_t)7)

static inline PyGC_Head *
_Py_AS_GC(PyObject *op)
{
    return (PyGC_Head *)op - 1;
}

static inline PyObject *
_Py_FROM_GC(PyGC_Head *head)
{
    return (PyObject *)(head + 1);
}

static inline int
_PyObject_GC_IS_TRACKED(PyObject *op)
{
    return _Py_AS_GC(op)->next != 0;
}

/* The list that new objects join; owned by Python/core/memory/gc.c. */
extern PyGC_Head *_PyGC_youngest;

/* A new object of a type with items, for who knows how many bytes that takes. Its ob_size is not
   set. */
PyObject *_PyObject_GC_NewSized(PyTypeObject *type, size_t size);

/* Precondition: op is collectable and not tracked. */
static inline void
_PyObject_GC_TRACK(PyObject *op)
{
    PyGC_Head *head = _Py_AS_GC(op);
    PyGC_Head *list = _PyGC_youngest;
    PyGC_Head *last = (PyGC_Head *)list->prev;
    last->next = (uintptr_t)head;
    head->prev = (head->prev & _PyGC_PREV_FINALIZED) | (uintptr_t)last;
    head->next = (uintptr_t)list;
    list->prev = (uintptr_t)head;
}

/* Precondition: op is tracked. */
static inline void
_PyObject_GC_UNTRACK(PyObject *op)
{
    PyGC_Head *head = _Py_AS_GC(op);
    PyGC_Head *prev = (PyGC_Head *)(head->prev & ~_PyGC_PREV_FLAGS);
    PyGC_Head *next = (PyGC_Head *)head->next;
    prev->next = (uintptr_t)next;
    next->prev = (next->prev & _PyGC_PREV_FLAGS) | (uintptr_t)prev;
    head->next = 0;
    head->prev &= _PyGC_PREV_FINALIZED;
}

#endif
