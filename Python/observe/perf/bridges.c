/* Chains of frame pointers across code that has none.

   Extension modules are usually compiled without frame pointers. When such a module calls
   us, the register may hold anything. Our function saves that as its caller's frame
   pointer, so a stack walker loses the chain there, and with it every Python function that
   waits for this call.

   So when an evaluator is entered from C, its own chain is followed first. Up to the
   function that foreign code has called, all frames are ours and have frame pointers. If
   the word saved by that function does not lead to the evaluator further out, it is
   replaced by that evaluator's frame pointer while the call lasts: a bridge. The saved word
   is restored before the function returns, or a C++ exception passes
   (_PyPerf_Personality), so the foreign code gets its register back. To unwinders that
   read call frame information it makes no difference: they leave a function without a
   frame pointer by its stack pointer.

   None of this happens before an extension module is loaded. */
#include "Python.h"
#include "internal/jit.h"
#include "internal/perf.h"
#include "internal/pystate.h"

#ifdef SB_HAVE_LANDINGS

#include <stdint.h>

typedef struct Bridge {
    struct Bridge *outer;
    char *volatile *at;         /* the word that was changed, or NULL */
    char *saved;
} Bridge;

/* Of this thread, the newest first. */
static _Thread_local Bridge *bridges;

/* ------------------------------------------------------------------ bridges */

/* What a frame pointer points to. */
typedef struct {
    char *volatile caller;
    const char *return_address;
} FrameHead;

/* The frame of the function that foreign code has called, further in than the evaluator that shows
   frames; NULL: none has. A function that our code has called has saved a valid frame pointer, so
   for such a step only the return address is checked. This is part of every call from C. */
static inline __attribute__((always_inline)) char *
called_by_foreign(PyThreadState *ts, char *fp)
{
    const char *goal = (const char *)_PyThreadState_IMPL(ts)->records.slot;
    do {
        const char *return_address = ((FrameHead *)fp)->return_address;
        if (__builtin_expect(!_PyPerf_IsInOwnText((uintptr_t)return_address), 0)) {
            /* Machine code has frame pointers, too, and is entered only where the chain is whole. */
            return _PyJit_IsWithin(_PyJit_CodeRange(), (uintptr_t)return_address) ? NULL : fp;
        }
        fp = ((FrameHead *)fp)->caller;
    } while (fp < goal);
    return NULL;
}

static int
chain_is_whole(PyThreadState *ts, char *fp)
{
    return called_by_foreign(ts, fp) == NULL;
}

void
_PyPerf_ExtensionIsLoaded(void)
{
    _PyPerf_FindOwnText();
    _PyVM_ChainIsWhole = _PyPerf_OwnText.size != 0 ? chain_is_whole : NULL;
}

static inline int
may_follow(const char *next, const char *fp, const char *goal)
{
    return next > fp && next <= goal && ((uintptr_t)next & 7) == 0;
}

/* Builds a bridge from `called_by_foreign`, a frame of ours, to `goal`, both on this stack.
   Words that may not belong to a frame are only read. */
__attribute__((no_sanitize("address"))) static void
build(Bridge *bridge, char *called_by_foreign, char *goal)
{
    char *fp = called_by_foreign;
    for (char *next; may_follow(next = ((FrameHead *)fp)->caller, fp, goal); fp = next) {
        if (next == goal) {
            return;
        }
    }
    bridge->at = &((FrameHead *)called_by_foreign)->caller;
    bridge->saved = *bridge->at;
    *bridge->at = goal;
}

/* On a thread's own stack, everything between two frames is mapped. On other stacks, such as
   those of a coroutine library, that is not certain. */
static inline int
is_on_own_stack(const _PyThreadStateImpl *ts, const char *fp)
{
    return (uintptr_t)fp - ts->c_stack_bottom < ts->c_stack_top - ts->c_stack_bottom;
}

static __attribute__((noinline)) PyObject *
call_over_bridge(PyThreadState *ts, struct _PyInterpreterFrame *frame, int throwflag,
                 const void *landing, intptr_t lines, char *called_by_foreign)
{
    Bridge bridge = {.outer = bridges, .at = NULL};
    const _PyThreadStateImpl *impl = _PyThreadState_IMPL(ts);
    char *goal = (char *)impl->records.slot;
    if (impl->records.base != NULL && is_on_own_stack(impl, called_by_foreign)
        && is_on_own_stack(impl, goal)) {
        build(&bridge, called_by_foreign, goal);
    }
    if (bridge.at == NULL) {
        return _PyPerf_Call(ts, frame, throwflag, landing, lines);
    }
    bridges = &bridge;
    PyObject *result = _PyPerf_Call(ts, frame, throwflag, landing, lines);
    bridges = bridge.outer;
    *bridge.at = bridge.saved;
    return result;
}

PyObject *
_PyPerf_CallBridged(PyThreadState *ts, struct _PyInterpreterFrame *frame, int throwflag,
                    const void *landing, intptr_t lines)
{
    char *fp = called_by_foreign(ts, __builtin_frame_address(0));
    return fp != NULL ? call_over_bridge(ts, frame, throwflag, landing, lines, fp)
                      : _PyPerf_Call(ts, frame, throwflag, landing, lines);
}

/* A C++ exception passes _PyPerf_Call on its way to a handler. Removing more bridges than
   necessary is harmless: only profilers miss those further out. */
int
_PyPerf_Personality(int Py_UNUSED(version), int actions, uint64_t Py_UNUSED(kind),
                    void *Py_UNUSED(exception), void *Py_UNUSED(context))
{
    enum { CLEANUP_PHASE = 2, CONTINUE_UNWIND = 8 };
    PyThreadState *ts = _PyThreadState_GET();
    /* If stacks have been switched, the words that this list points to may be gone. */
    if ((actions & CLEANUP_PHASE)
        && (ts == NULL || !_PyThreadState_IMPL(ts)->switches_stacks)) {
        for (Bridge *bridge = bridges; bridge != NULL; bridge = bridge->outer) {
            *bridge->at = bridge->saved;
        }
        bridges = NULL;
    }
    return CONTINUE_UNWIND;
}

#else

void
_PyPerf_ExtensionIsLoaded(void)
{
}

#endif
