/* The allocators (Python/core/memory/memory.c). */
#ifndef SB_INTERNAL_MEMORY_H
#define SB_INTERNAL_MEMORY_H

#include "Python.h"
#include <stdio.h>

/* Resizes a block to n items of a type. NULL if there is no memory: the old block stays
   valid (PyMem_Resize() would overwrite the pointer to it). */
#define _PyMem_RESIZED(block, type, n) \
    ((size_t)(n) > PY_SSIZE_T_MAX / sizeof(type) ? NULL \
     : (type *)PyMem_Realloc((block), (size_t)(n) * sizeof(type)))

/* Call once, before anything is allocated. */
void _PyMem_Init(void);
/* madvise(), where what the system says to it makes no difference: errno stays as it is. */
void _PyMem_Advise(void *start, size_t size, int advice);
/* Zeroed memory of its own mapping, for munmap(), or NULL. Callable without the GIL. */
void *_PyMem_Map(size_t size);
/* Memory for Python frames (Python/core/memory/arenas.c): zeroed, of which only what is touched is in
   memory, also where the system has huge pages for whoever does not ask: a stack would take 2 MB.
   NULL if it can't be had. Both may be called without the GIL. */
void *_PyMem_MapStack(size_t size);
void _PyMem_UnmapStack(void *start, size_t size);
/* Stacks of this size, of greenlets, are kept for others: there may be many thousands of them, one
   after another and at once. */
#define _PyMem_GREENLET_STACK ((size_t)16 << 20)
/* Who is going to allocate so many bytes in malloc's heap: they get their pages by one call, not by
   a fault for each (Doc/internals.rst). */
void _PyMem_MakeHeapReady(size_t size);
/* Chooses the allocators by PYTHONMALLOC's names. Call before anything is
   allocated that the old ones would have to free. Returns -1 when unknown. */
int _PyMem_SetupAllocators(PyMemAllocatorName name);
/* 0, or -1 for an unknown name. */
int _PyMem_GetAllocatorName(const char *name, PyMemAllocatorName *result);
/* sys.getallocatedblocks() and sys._debugmallocstats(). */
Py_ssize_t _Py_GetAllocatedBlocks(void);
int _PyObject_DebugMallocStats(FILE *out);
/* The process ends, and with it all memory goes back to the system. */
void _PyMem_ProcessEnds(void);
/* 1 when the pointer consists of the bytes that freed blocks are filled with. */
int _PyMem_IsPtrFreed(const void *ptr);

#endif
