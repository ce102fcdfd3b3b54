/* Memory that is mapped by itself: the stacks that Python frames lie in, and what extensions have by
   the arena allocator (PyObject_GetArenaAllocator). The two are one because greenlet frees the stack
   of a greenlet that has ended by that allocator's function, as it would CPython's.

   A program may have a greenlet for each request. To map a stack, to touch it and to unmap it costs
   ten times what the greenlet does otherwise, so that a few that were freed are kept for the next
   ones, all zero. Threads end without the GIL, too: places are exchanged atomically. */
#include "internal/memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *
_PyMem_Map(size_t size)
{
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

/* ------------------------------------------------------------------- stacks */

#define PLACES 16
static void *kept[PLACES];      /* each _PyMem_GREENLET_STACK bytes */

/* Makes a mapping zero with one page resident. Returns -1 if the system does not. */
static int
clear(void *start, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (madvise((char *)start + page, size - page, MADV_DONTNEED) < 0) {
        return -1;
    }
    memset(start, 0, page);
    return 0;
}

static void *
take_kept(void)
{
    for (int i = 0; i < PLACES; i++) {
        void *start = __atomic_load_n(&kept[i], __ATOMIC_RELAXED);
        if (start != NULL && (start = __atomic_exchange_n(&kept[i], NULL, __ATOMIC_ACQUIRE))) {
            return start;
        }
    }
    return NULL;
}

/* Returns whether there was a place for it. */
static int
keep(void *start)
{
    for (int i = 0; i < PLACES; i++) {
        void *nothing = NULL;
        if (__atomic_compare_exchange_n(&kept[i], &nothing, start, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
            return 1;
        }
    }
    return 0;
}

void *
_PyMem_MapStack(size_t size)
{
    void *start = size == _PyMem_GREENLET_STACK ? take_kept() : NULL;
    if (start != NULL) {
        return start;
    }
    start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (start == MAP_FAILED) {
        return NULL;
    }
    _PyMem_Advise(start, size, MADV_NOHUGEPAGE);
    return start;
}

void
_PyMem_UnmapStack(void *start, size_t size)
{
    if (size != _PyMem_GREENLET_STACK || clear(start, size) < 0 || !keep(start)) {
        munmap(start, size);
    }
}

/* -------------------------------------------------------- the arena allocator */

static void *
arena_alloc(void *Py_UNUSED(ctx), size_t size)
{
    return _PyMem_Map(size);
}

static void
arena_free(void *Py_UNUSED(ctx), void *ptr, size_t size)
{
    _PyMem_UnmapStack(ptr, size);
}

static PyObjectArenaAllocator arenas = {NULL, arena_alloc, arena_free};

void
PyObject_GetArenaAllocator(PyObjectArenaAllocator *allocator)
{
    *allocator = arenas;
}

void
PyObject_SetArenaAllocator(PyObjectArenaAllocator *allocator)
{
    arenas = *allocator;
}
