/* From the interrupted registers to return addresses.

   The chain of frame pointers is followed record by record, each of them on the thread's own
   stack and above the last one. Where code without frame pointers (most libraries') was
   interrupted, the chain leads nowhere. Then it goes on at the innermost evaluator's own record,
   which the VM knows (internal/frame_records.h): what is lost is only C between the two. Further
   out the chain is whole again (perf/bridges.c).

   Compiled functions that the evaluator has entered have no such records, but are themselves on
   the stack, between the two. They are looked for: the first record there with a return address
   in compiled code from which the chain leads to the evaluator.

   A library's function that leaves the register alone has its caller's frame pointer there,
   which leads to the caller's caller. If the caller is compiled code, its return address is between
   the stack pointer and that frame, exactly where the caller's frame ends. One of an earlier call
   may be there by chance, below a frame of C that has taken the place of the compiled function's:
   so it is written with a mark, and Lib/python/springprof/timer.py looks at other samples whether
   C is called from where the chain goes on. */
#include "Python.h"
#include "internal/jit.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/sampler.h"

#include <ucontext.h>

/* Bytes of stack that are searched for records, and for compiled functions' calls. */
#define MOST_SEARCHED ((uintptr_t)256 << 10)

typedef struct {
    uintptr_t caller, return_address;
} Record;

SampledRegisters
_PySampler_RegistersOf(const void *ucontext)
{
    const ucontext_t *context = ucontext;
#if defined(__x86_64__)
    const greg_t *r = context->uc_mcontext.gregs;
    return (SampledRegisters){.pc = (uintptr_t)r[REG_RIP], .fp = (uintptr_t)r[REG_RBP],
                              .sp = (uintptr_t)r[REG_RSP]};
#elif defined(__aarch64__)
    const mcontext_t *m = &context->uc_mcontext;
    return (SampledRegisters){.pc = m->pc, .fp = m->regs[29], .sp = m->sp, .link = m->regs[30]};
#else
    (void)context;
    return (SampledRegisters){.pc = 0};
#endif
}

static inline int
is_readable(uintptr_t fp, uintptr_t low, uintptr_t top)
{
    return fp >= low && fp <= top - sizeof(Record) && (fp & 7) == 0;
}

/* The frame pointer of the innermost evaluator whose record is at `low` or above, or 0. Their
   list may be changing just now, so nothing of it is taken for granted. */
__attribute__((no_sanitize("address"))) static uintptr_t
evaluator_above(PyThreadState *tstate, uintptr_t low, uintptr_t top)
{
    if (tstate == NULL) {
        return 0;
    }
    const volatile _PyFrameRecords *records = &_PyThreadState_IMPL(tstate)->records;
    for (uintptr_t last = 0;;) {
        uintptr_t slot = (uintptr_t)records->slot;
        if (is_readable(slot, low, top)) {
            return slot;
        }
        uintptr_t outer = (uintptr_t)records->outer;
        if (outer <= last || (outer & 7) != 0 || outer < low
            || outer > top - sizeof(_PyFrameRecords)) {
            return 0;
        }
        last = outer;
        records = (const volatile _PyFrameRecords *)outer;
    }
}

/* What returns there has made a record. */
static inline int
is_in_our_code(uintptr_t return_address, JitCodeRange compiled)
{
    return _PyJit_IsWithin(compiled, return_address) || _PyPerf_IsInOwnText(return_address);
}

__attribute__((no_sanitize("address"))) static int
leads_to(uintptr_t fp, uintptr_t goal, JitCodeRange compiled)
{
    for (uintptr_t low = fp;;) {
        const volatile Record *record = (const volatile Record *)fp;
        if (!is_in_our_code(record->return_address, compiled)) {
            return 0;
        }
        fp = record->caller;
        low += sizeof(Record);
        if (fp == goal) {
            return 1;
        }
        if (!is_readable(fp, low, goal)) {
            return 0;
        }
        low = fp;
    }
}

/* The innermost record that our code has made between `low` and an evaluator's record; otherwise
   the latter. */
__attribute__((no_sanitize("address"))) static uintptr_t
ours_below(uintptr_t evaluator, uintptr_t low)
{
    JitCodeRange compiled = _PyJit_CodeRange();
    if (evaluator - low > MOST_SEARCHED) {
        low = evaluator - MOST_SEARCHED;
    }
    for (; low < evaluator; low += sizeof(uintptr_t)) {
        if (leads_to(low, evaluator, compiled)) {
            return low;
        }
    }
    return evaluator;
}

/* Does a frame of compiled code end at `end`, that to which `fp` or one of the next records
   belongs? What is built into a function has records within its frame. */
__attribute__((no_sanitize("address"))) static int
is_end_of_frame(uintptr_t end, uintptr_t return_address, uintptr_t fp, uintptr_t top)
{
    size_t size = _PyJit_FrameSize(return_address);
    while (size != 0 && fp < end + size && is_readable(fp, end, top)) {
        uintptr_t caller = ((const volatile Record *)fp)->caller;
        if (caller <= fp) {
            return 0;
        }
        fp = caller;
    }
    return size != 0 && fp == end + size;
}

/* The address in compiled code to which the interrupted function may return, or 0. `fp` is its
   frame pointer, or its caller's. */
__attribute__((no_sanitize("address"))) static uintptr_t
passed_over(const SampledRegisters *r, uintptr_t low, uintptr_t fp, uintptr_t top)
{
    JitCodeRange compiled = _PyJit_CodeRange();
    if (_PyJit_IsWithin(compiled, r->pc)) {
        return 0;
    }
    if (_PyJit_IsWithin(compiled, r->link)) {
        /* Unless it has made its record already. */
        return ((const volatile Record *)fp)->return_address != r->link ? r->link : 0;
    }
    uintptr_t end = Py_MIN(fp, low + MOST_SEARCHED);
    for (; compiled.size != 0 && low < end; low += sizeof(uintptr_t)) {
        uintptr_t word = *(const volatile uintptr_t *)low;
        if (_PyJit_IsWithin(compiled, word)
            && is_end_of_frame(low + sizeof(uintptr_t), word, fp, top)) {
            return word;
        }
    }
    return 0;
}

__attribute__((no_sanitize("address"))) size_t
_PySampler_Walk(SampledRegisters r, const StackBounds *bounds, PyThreadState *tstate,
                uint64_t *to, size_t most)
{
    size_t n = 0;
    to[n++] = r.pc;
    if (r.sp < bounds->bottom || r.sp >= bounds->top) {
        return n;                       /* another stack: nobody knows where it ends */
    }
    uintptr_t low = r.sp & ~(uintptr_t)7, top = bounds->top, fp = r.fp;
    int searched = 0;
    uintptr_t evaluator = evaluator_above(tstate, low, top);
    if (evaluator != 0 && is_readable(fp, low, evaluator)
        && _PyThreadState_IMPL(tstate)->native_depth != 0) {
        uintptr_t maybe = passed_over(&r, low, fp, evaluator);
        if (maybe != 0) {
            to[n++] = maybe | SAMPLES_MAYBE;
        }
    }
    while (n < most) {
        if (evaluator != 0 && (!is_readable(fp, low, top) || fp > evaluator)) {
            fp = searched ? evaluator : ours_below(evaluator, low);
            searched = 1;
        }
        if (!is_readable(fp, low, top)) {
            break;
        }
        if (fp == evaluator) {
            evaluator = 0;              /* from here on the chain is whole */
        }
        const volatile Record *record = (const volatile Record *)fp;
        uintptr_t address = record->return_address;
        if (address == 0) {
            break;
        }
        to[n++] = address;
        low = fp + sizeof(Record);
        fp = record->caller;
    }
    return n;
}
