/* Substring search over arrays of 1, 2 or 4 byte units, for str, bytes and
   bytearray. Haystack and needle have the same width. */
#ifndef SB_INTERNAL_TEXTSEARCH_H
#define SB_INTERNAL_TEXTSEARCH_H

#include "Python.h"

/* Position of the first or last unit equal to ch, or -1. */
Py_ssize_t _PyText_FindChar(int kind, const void *hay, Py_ssize_t n,
                            Py_UCS4 ch);
Py_ssize_t _PyText_RFindChar(int kind, const void *hay, Py_ssize_t n,
                             Py_UCS4 ch);
Py_ssize_t _PyText_Find(int kind, const void *hay, Py_ssize_t n,
                        const void *needle, Py_ssize_t m);
Py_ssize_t _PyText_RFind(int kind, const void *hay, Py_ssize_t n,
                         const void *needle, Py_ssize_t m);
/* Non-overlapping occurrences, at most maxcount; an empty needle matches
   n + 1 times. */
Py_ssize_t _PyText_Count(int kind, const void *hay, Py_ssize_t n,
                         const void *needle, Py_ssize_t m,
                         Py_ssize_t maxcount);

/* A needle prepared once and searched for many times (m >= 1). */
typedef struct {
    const void *needle;
    Py_ssize_t len;
    int kind;
    int two_way;                /* the preparation below has been made */
    Py_ssize_t wasted;          /* units compared in vain so far */
    Py_ssize_t cut;             /* critical factorisation */
    Py_ssize_t period;
    int is_periodic;
} _PyTextFinder;

void _PyText_FinderInit(_PyTextFinder *f, int kind, const void *needle,
                        Py_ssize_t m);
/* Positions of the first occurrences in hay[0:n] that do not overlap, at
   most `room` (>= 1) of them, in out; returns how many. Fewer than `room`
   means that there are no more. */
Py_ssize_t _PyText_FinderMany(_PyTextFinder *f, const void *hay,
                              Py_ssize_t n, Py_ssize_t *out,
                              Py_ssize_t room);

#endif
