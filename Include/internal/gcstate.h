/* The cycle collector's face to the rest of the runtime (see also gc.h). */
#ifndef SB_INTERNAL_GCSTATE_H
#define SB_INTERNAL_GCSTATE_H

#include "Python.h"
#include "internal/gc.h"

/* Counts a newly allocated object and collects when the threshold is passed.
   Call it before the object is tracked, with the object in a state that a
   collection can ignore. */
extern int _PyGC_young_count;
extern int _PyGC_young_threshold;   /* 0 also when the collector is disabled */
void _PyGC_Young_Overflow(void);

static inline void
_PyObject_GC_Link(PyObject *op)
{
    PyGC_Head *head = _Py_AS_GC(op);
    head->next = 0;
    head->prev = 0;
    if (__builtin_expect(++_PyGC_young_count > _PyGC_young_threshold, 0)) {
        _PyGC_Young_Overflow();
    }
}

/* The free-list counterpart of deallocation: an object left its life. */
static inline void
_PyObject_GC_Unlink(void)
{
    if (_PyGC_young_count > 0) {
        _PyGC_young_count--;
    }
}

void _PyGC_InitState(void);
int _PyGC_Init(PyInterpreterState *);
void _PyGC_Fini(PyInterpreterState *);
Py_ssize_t _PyGC_CollectNoFail(PyThreadState *);
void _PyGC_DumpShutdownStats(PyInterpreterState *);
PyObject *PyInit_gc(void);

/* Free lists that a full collection empties: add yours with this. */
void _PyGC_RegisterClearFreeList(void (*clear)(void));

/* Stop tracking containers that cannot be part of a cycle (owner: containers). */
void _PyTuple_MaybeUntrack(PyObject *);
void _PyDict_MaybeUntrack(PyObject *);

#endif
