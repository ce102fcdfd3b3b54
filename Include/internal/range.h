/* Ranges and slices from inside. */
#ifndef SB_INTERNAL_RANGE_H
#define SB_INTERNAL_RANGE_H

#include "Python.h"
#include <stdint.h>

typedef struct {
    PyObject_HEAD
    PyObject *start;            /* exact ints */
    PyObject *stop;
    PyObject *step;
    PyObject *length;
} _PyRangeObject;

/* Iterates over machine words. `next` is the next value, `left` how many are to come. */
typedef struct {
    PyObject_HEAD
    int64_t next;
    int64_t step;
    Py_ssize_t left;
    Py_ssize_t done;            /* how many have been given */
} _PyRangeIterObject;

/* iter(range(start, stop, step)), without the range. NULL, without an exception: that would
   raise, or is no iterator over machine words. */
PyObject *_PyRange_Iterate(int64_t start, int64_t stop, int64_t step);
/* Gives up a reference to a range's iterator. */
void _PyRange_DropIterator(_PyRangeIterObject *it);

/* slice(start, stop, step); step may be NULL for None. Steals its arguments, also on
   failure. */
PyObject *_PySlice_NewSteal(PyObject *start, PyObject *stop, PyObject *step);

#endif
