/* Tracing where memory was allocated (Lib/_tracemalloc.c). */
#ifndef SB_INTERNAL_TRACEMALLOC_H
#define SB_INTERNAL_TRACEMALLOC_H

#include "Python.h"

/* -X tracemalloc=N at start-up (nframe 0: nothing). -1 with an exception. */
int _PyTraceMalloc_Init(int nframe);
void _PyTraceMalloc_Fini(void);
extern int _PyTraceMalloc_is_tracing;
/* An object from a free list begins a new life. */
void _PyTraceMalloc_Renew(PyObject *op);

#endif
