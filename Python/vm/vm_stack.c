/* The memory that frames lie in: one reservation per thread.

   Address space is reserved once and the kernel supplies zeroed pages as they
   are touched, so a frame's words are dead (0) before their first use and
   every frame leaves its own dead. A frame may begin below TS_STACK_END; the slack
   above that is more than the largest window, so one comparison at a call proves
   that the whole frame fits. */
#include "vm.h"
#include "internal/memory.h"
#include <sys/mman.h>

#define STACK_RESERVE ((size_t)256 << 20)
#define STACK_LEAST ((size_t)4 << 20)
#define STACK_SLACK ((size_t)2 << 20)

_Static_assert(STACK_SLACK > 2 * (65536 + 64) * sizeof(PyReg),
               "the slack holds the largest frame");

/* Where the first frame of a stack begins: after a header of CPython's form. When a
   greenlet has ended, greenlet reads there what to free and how much (by the functions of
   PyObject_GetArenaAllocator). */
#define STACK_HEAD 64

_Static_assert(sizeof(_PyStackChunk) <= STACK_HEAD, "the header fits");

/* The stack of a thread that has ended, for the next one that starts: threads that come and go
   map nothing. Of its memory, only this much stays resident. Threads end without the GIL,
   too, so it is exchanged atomically. */
#define STACK_KEPT ((size_t)32 << 10)

static _PyStackChunk *spare;

/* All words of the stack are dead, because its last frame has ended. */
static void
keep_spare(_PyStackChunk *chunk)
{
    (void)madvise((char *)chunk + STACK_KEPT, chunk->size - STACK_KEPT, MADV_DONTNEED);
    _PyStackChunk *previous = __atomic_exchange_n(&spare, chunk, __ATOMIC_ACQ_REL);
    if (previous != NULL) {
        _PyMem_UnmapStack(previous, previous->size);
    }
}

static int
allocate_stack(PyThreadState *ts)
{
    /* A library of coroutines runs them on a _PyCFrame of its own. It copies pieces
       of the C stack to and fro. Frame records lie there and point at each other, so
       they would break: from now on the thread has none. */
    int is_greenlet = ts->cframe != &ts->root_cframe;
    size_t size = is_greenlet ? _PyMem_GREENLET_STACK : STACK_RESERVE;
    void *base = is_greenlet ? NULL : __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQ_REL);
    if (base != NULL) {
        size = ((_PyStackChunk *)base)->size;
    }
    while (base == NULL) {
        base = _PyMem_MapStack(size);
        if (base != NULL) {
            break;
        }
        size /= 2;
        if (size < STACK_LEAST) {
            PyErr_NoMemory();
            return -1;
        }
    }
    *(_PyStackChunk *)base = (_PyStackChunk){.previous = NULL, .size = size};
    TS_STACK(ts) = (uintptr_t)base;
    TS_STACK_END(ts) = (uintptr_t)base + size - STACK_SLACK;
    TS_FLOOR(ts) = NULL;
    if (!is_greenlet) {
        _PyVM_InitRecords(ts);
    }
    else if (!TS_IMPL(ts)->switches_stacks) {
        TS_IMPL(ts)->switches_stacks = 1;
        _PyVM_InitRecords(ts);
        _PyVM_ChooseTable(ts);
    }
    if (TS_IMPL(ts)->vm_table == NULL) {
        _PyVM_ChooseTable(ts);
    }
    return 0;
}

void
_PyVM_FiniThread(PyThreadState *ts)
{
    _PyStackChunk *chunk = ts->datastack_chunk;
    if (chunk != NULL) {
        TS_STACK(ts) = 0;
        TS_STACK_END(ts) = 0;
        if (TS_FRAME(ts) == NULL && chunk->size > _PyMem_GREENLET_STACK) {
            keep_spare(chunk);
        }
        else {
            _PyMem_UnmapStack(chunk, chunk->size);
        }
    }
}

/* The first word above the registers of `f`, but not below the floor. The caller of a
   greenlet's first frame may lie in another stack. */
static PyReg *
top_above(PyThreadState *ts, PyVMFrame *f)
{
    PyReg *top;
    if (f != NULL && f->owner == FRAME_GENERATOR) {
        top = GEN_STACK_TOP(f);
    }
    else if (f != NULL) {
        top = &f->regs[f->code->nregs];
    }
    else {
        top = NULL;
    }
    uintptr_t first = TS_STACK(ts) + STACK_HEAD;
    if (unlikely((uintptr_t)top - first >= TS_STACK_END(ts) + STACK_SLACK - TS_STACK(ts))) {
        top = (PyReg *)first;
    }
    PyReg *floor = TS_FLOOR(ts);
    return floor > top ? floor : top;
}

PyReg *
_PyVM_StackTop(PyThreadState *ts)
{
    if (unlikely(TS_STACK(ts) == 0) && allocate_stack(ts) < 0) {
        return NULL;
    }
    return top_above(ts, TS_FRAME(ts));
}

PyReg *
_PyVM_RoomAbove(PyThreadState *ts, PyVMFrame *f, size_t words)
{
    if (unlikely(TS_STACK(ts) == 0) && allocate_stack(ts) < 0) {
        return NULL;
    }
    PyReg *top = top_above(ts, f);
    if ((uintptr_t)(top + words) >= TS_STACK_END(ts)) {
        _PyErr_SetString(ts, PyExc_RecursionError,
                         "maximum recursion depth exceeded");
        return NULL;
    }
    return top;
}

PyReg *
_PyVM_TakeWindow(PyThreadState *ts, PyVMFrame *f, size_t words)
{
    PyReg *window = _PyVM_RoomAbove(ts, f, words);
    if (window != NULL) {
        TS_FLOOR(ts) = window + words;
    }
    return window;
}
