/* Tracing where memory was allocated (Lib/_tracemalloc.c). */
#ifndef SB_INTERNAL_TRACEMALLOC_H
#define SB_INTERNAL_TRACEMALLOC_H

#include "Python.h"

/* -X tracemalloc=N at start-up (nframe 0: nothing). -1 with an exception. */
int _PyTraceMalloc_Init(int nframe);
void _PyTraceMalloc_Fini(void);
/* Called when an object, perhaps one from a free list, is created; NULL while nothing is
   traced. Defined in Objects/object.c. */
extern void (*_PyTraceMalloc_renew_hook)(PyObject *op);

#endif
