/* calloc() of the whole process, large blocks being zeroed by the system.

   Debian's mimalloc (2.0.9) stands in for malloc, and its calloc writes over every
   block, also one that it has just got from the system: numpy.zeros() of 8 GB takes 8 GB
   of memory and seconds, where the C library gives pages that appear when they are
   touched. What is smaller goes to whoever stands in for calloc behind us.

   Not in a file with other things: an embedding program with a calloc of its own links
   with libpython3.11.a and must not find this one as well. */
#ifndef SB_MALLOC_SYSTEM
#include "Python.h"
#include "internal/memory.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef void *(*CallocFunction)(size_t, size_t);

static CallocFunction next_calloc;

/* The loader calls calloc() before symbols may be asked for. */
static void __attribute__((constructor))
find_next_calloc(void)
{
    next_calloc = (CallocFunction)dlsym(RTLD_NEXT, "calloc");
}

__attribute__((visibility("default"))) void *
calloc(size_t n, size_t size)
{
    /* A compiler that sees malloc and memset makes calloc of them. */
    static void *(*const volatile allocate)(size_t) = malloc;
    size_t total;
    if (__builtin_mul_overflow(n, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    if (total < _PyMem_LARGE && next_calloc != NULL) {
        return next_calloc(n, size);
    }
    void *block = allocate(total);
    if (block != NULL) {
        _PyMem_Clear(block, total);
    }
    return block;
}
#else
typedef int nothing_here;       /* ISO C forbids an empty translation unit */
#endif
