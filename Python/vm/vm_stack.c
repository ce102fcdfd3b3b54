/* The memory that frames lie in: one reservation per thread.

   Address space is reserved once and the kernel supplies zeroed pages as they
   are touched, so a frame's words are dead (0) before their first use and
   every frame leaves its own dead. A frame may begin up to vm_stack_size into
   the reservation; the slack above that is more than the largest window, so
   one comparison at a call proves that the whole frame fits. */
#include "vm.h"
#include <sys/mman.h>

#define STACK_RESERVE ((size_t)256 << 20)
#define STACK_LEAST ((size_t)4 << 20)
#define STACK_SLACK ((size_t)2 << 20)

_Static_assert(STACK_SLACK > 2 * (65536 + 64) * sizeof(PyReg),
               "the slack holds the largest frame");

static int
allocate_stack(PyThreadState *ts)
{
    _PyThreadStateImpl *impl = TS_IMPL(ts);
    size_t size = STACK_RESERVE;
    void *base;
    for (;;) {
        base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base != MAP_FAILED) {
            break;
        }
        size /= 2;
        if (size < STACK_LEAST) {
            PyErr_NoMemory();
            return -1;
        }
    }
    impl->vm_stack = (uintptr_t)base;
    impl->vm_stack_mapped = size;
    impl->vm_stack_size = size - STACK_SLACK;
    _PyVM_InitRecords(ts);
    if (impl->vm_table == NULL) {
        _PyVM_ChooseTable(ts);
    }
    return 0;
}

void
_PyVM_FiniThread(PyThreadState *ts)
{
    _PyThreadStateImpl *impl = TS_IMPL(ts);
    if (impl->vm_stack != 0) {
        munmap((void *)impl->vm_stack, impl->vm_stack_mapped);
        impl->vm_stack = 0;
        impl->vm_stack_size = 0;
    }
}

/* While a call is being bound, vm_floor keeps what has been placed above the
   caller safe from code that the binding runs (a collection, say). */
static PyReg *
top_above(PyThreadState *ts, PyVMFrame *f)
{
    PyReg *top;
    if (f == NULL) {
        top = (PyReg *)TS_IMPL(ts)->vm_stack;
    }
    else if (f->owner == FRAME_GENERATOR) {
        top = GEN_STACK_TOP(f);
    }
    else {
        top = &f->regs[f->code->nregs];
    }
    PyReg *floor = TS_IMPL(ts)->vm_floor;
    return floor > top ? floor : top;
}

PyReg *
_PyVM_StackTop(PyThreadState *ts)
{
    _PyThreadStateImpl *impl = TS_IMPL(ts);
    if (unlikely(impl->vm_stack == 0) && allocate_stack(ts) < 0) {
        return NULL;
    }
    return top_above(ts, TS_FRAME(ts));
}

PyReg *
_PyVM_RoomAbove(PyThreadState *ts, PyVMFrame *f, size_t words)
{
    if (unlikely(TS_IMPL(ts)->vm_stack == 0) && allocate_stack(ts) < 0) {
        return NULL;
    }
    PyReg *top = top_above(ts, f);
    size_t used = (uintptr_t)top - TS_IMPL(ts)->vm_stack;
    if (used + words * sizeof(PyReg) >= TS_IMPL(ts)->vm_stack_size) {
        _PyErr_SetString(ts, PyExc_RecursionError,
                         "maximum recursion depth exceeded");
        return NULL;
    }
    return top;
}
