/* Dead objects of one size that are kept to be used again: a few of each kind that programs make
   and drop all the time.

   Invariants: what is kept has a collector's head, is untracked, and is not counted among the
   young (it is counted again when it is taken). Its count of references is the link to the next,
   so its fields are as its deallocator left them. Types are static ones: nobody counts references
   to them. Full collections free everything. */
#ifndef SB_INTERNAL_SPARE_H
#define SB_INTERNAL_SPARE_H

#include "Python.h"
#include "internal/gcstate.h"

typedef struct _PySpareObjects {
    PyObject *first;
    int n, most;
    /* Of those that have been in use, for _PyGC_ClearFreeLists(). */
    int is_known;
    struct _PySpareObjects *next;
} _PySpareObjects;

#define _PySpareObjects_INIT(most) {NULL, 0, (most), 0, NULL}

void _PySpare_MakeKnown(_PySpareObjects *);

/* One of them as a new instance of that type, untracked; NULL, without an exception, if there is
   none. May collect. */
static inline PyObject *
_PySpare_Take(_PySpareObjects *spare, PyTypeObject *type)
{
    PyObject *op = spare->first;
    if (op == NULL) {
        return NULL;
    }
    spare->first = (PyObject *)op->ob_refcnt;
    spare->n--;
    _PyObject_GC_Link(op);
    op->ob_type = type;
    _PyObject_Renew(op);
    return op;
}

/* For a deallocator: keeps op, or says that there are enough, and then the caller frees it. */
static inline int
_PySpare_Keep(_PySpareObjects *spare, PyObject *op)
{
    if (spare->n == spare->most) {
        return 0;
    }
    if (__builtin_expect(!spare->is_known, 0)) {
        _PySpare_MakeKnown(spare);
    }
    _PyObject_GC_Unlink();
    op->ob_refcnt = (Py_ssize_t)spare->first;
    spare->first = op;
    spare->n++;
    return 1;
}

#endif
