/* The trashcan, inline, for the deallocators of the common containers: an object whose
   deallocation is nested deeper than _PyTrash_DEPTH waits in the thread's list
   (Objects/object.c). The deallocator of a subclass has entered already, so a
   deallocator enters only if it is the type's own, as with Py_TRASHCAN_BEGIN. */
#ifndef SB_INTERNAL_TRASHCAN_H
#define SB_INTERNAL_TRASHCAN_H

#include "Python.h"
#include "internal/pystate.h"

#define _PyTrash_DEPTH 50

/* Deallocates the objects that the thread has put aside. */
void _PyTrash_Empty(PyThreadState *tstate);

/* Releases items from the end on, as long as there are other references to them: nothing is
   deallocated by that, so nothing nests. Returns how many are left. */
static inline Py_ssize_t
_PyTrash_ReleaseShared(PyObject *const *items, Py_ssize_t n)
{
    PyObject *const *end = items + n;
    while (end > items) {
        PyObject *item = end[-1];
        if (item != NULL) {
            if (item->ob_refcnt == 1) {
                break;
            }
            item->ob_refcnt--;
        }
        end--;
    }
    return end - items;
}

/* 0 when op has been put aside. op is not tracked. */
static inline int
_PyTrash_Enter(PyThreadState *tstate, PyObject *op)
{
    if (__builtin_expect(tstate->trash_delete_nesting >= _PyTrash_DEPTH, 0)) {
        return !_PyTrash_begin(tstate, op);
    }
    tstate->trash_delete_nesting++;
    return 1;
}

static inline void
_PyTrash_Leave(PyThreadState *tstate)
{
    if (__builtin_expect(tstate->trash_delete_later != NULL, 0)) {
        _PyTrash_end(tstate);
        return;
    }
    tstate->trash_delete_nesting--;
}

#endif
