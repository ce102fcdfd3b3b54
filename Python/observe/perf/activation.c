/* Which frames are shown, and where the VM has code objects published.

   The VM compares the mode in a code object's `landing` with the one in force
   (_PyVM_ShownMode). Usually they are equal; anything else, NULL too, means a first call in
   this mode, which comes here.

   Nothing that has been published is withdrawn: deactivation only hides running frames. */
#include "Python.h"
#include "internal/code.h"
#include "internal/frame.h"
#include "internal/jit.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/vm.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct _PyPerf_State _PyPerf;

const _PyPerf_Backend *const _PyPerf_Backends[] = {
#ifdef SB_HAVE_LANDINGS
    &_PyPerf_MapBackend,
    &_PyPerf_JitBackend,
    &_PyPerf_GdbBackend,
#endif
    NULL
};
const size_t _PyPerf_BackendCount = Py_ARRAY_LENGTH(_PyPerf_Backends) - 1;

int _PyPerf_PersistAfterFork = 1;

int
_PyPerf_IsClaimed(void)
{
    for (PyInterpreterState *i = PyInterpreterState_Head(); i != NULL;
         i = PyInterpreterState_Next(i)) {
        if (i->shown_by & SHOWN_BY_PROGRAM) {
            return 1;
        }
    }
    return 0;
}

uintptr_t
_PyPerf_ModeOf(const _PyPerf_Backend *backend)
{
    uintptr_t i = 0;
    while (_PyPerf_Backends[i] != backend) {
        i++;
    }
    return 2 * (i + 1);
}

#ifdef SB_HAVE_LANDINGS

/* ------------------------------------------------------- the end of showing */

void
_PyPerf_Deactivate(PyInterpreterState *interp)
{
    int others = 0;
    for (PyInterpreterState *i = PyInterpreterState_Head(); i != NULL;
         i = PyInterpreterState_Next(i)) {
        if (i->shown_hook == NULL) {
            continue;
        }
        if (interp == NULL || interp == i) {
            _PyVM_HideFrames(i);
            i->shown_by = 0;
        }
        else {
            others = 1;
        }
    }
    const _PyPerf_Backend *backend = _PyPerf.backend;
    if (backend != NULL && !others) {
        _PyPerf = (struct _PyPerf_State){0};
        _PyVM_ShownMode = SHOWN_MODE_NONE;
        backend->fini();
    }
    _PyPerf_TellMailbox();
}

/* The disk is full or memory is used up: stops showing frames, and the program goes on. */
static void
give_up(void)
{
    fprintf(stderr, "%s: %s: no Python functions are shown from here on\n",
            _PyPerf.backend->file(), strerror(errno));
    _PyPerf_Deactivate(NULL);
}

/* ----------------------------------------------------------------- the hook */

int
_PyPerf_PublishCode(PyVMCode *code)
{
    if (_PyPerf.backend == NULL) {
        return 0;
    }
    return _PyPerf_PublishInMode(code, _PyPerf.backend, _PyPerf.mode);
}

static int
publish_code(PyThreadState *ts, PyVMCode *code)
{
    if (_PyPerf.forked) {
        _PyPerf_AfterForkChild();
    }
    if (_PyPerf.backend == NULL || ts->interp->shown_hook == NULL) {
        return 0;
    }
    if (_PyPerf_PublishCode(code) < 0) {
        give_up();
        return 0;
    }
    return 1;
}

/* These are part of every call from C, so rare cases are separate functions, and nothing is
   left to do after the call. */

/* The stack is short, so no block is put on it. Frames of this evaluator have no
   records. */
static __attribute__((noinline)) PyObject *
evaluate_unshown(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(ts);
    uintptr_t limit = impl->records.limit;
    impl->records.limit = RECORDS_NONE;
    PyObject *result = _PyEval_EvalFrameUnshown(ts, frame, throwflag);
    if (!impl->switches_stacks) {
        impl->records.limit = limit;
    }
    return result;
}

static _PyFrameEvalFunction hook_in_force(void);

/* The interpreter's hook may be an extension's, which has called us and must not be
   called twice. */
static __attribute__((noinline)) PyObject *
evaluate_unpublished(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    if (!publish_code(ts, frame->code)) {
        return _PyEval_EvalFrameUnshown(ts, frame, throwflag);
    }
    return hook_in_force()(ts, frame, throwflag);
}

/* Frames further out run since before frames were shown, and have no records yet. */
static __attribute__((noinline)) PyObject *
evaluate_among_unshown(PyThreadState *ts, PyVMFrame *frame, int throwflag, const void *landing,
                       intptr_t lines)
{
    PyObject *result;
    if (_PyVM_EvalAmongUnshown(ts, frame, throwflag, &result)) {
        return result;
    }
    if (ts->interp->shown_hook == NULL) {       /* publishing them has failed */
        return _PyEval_EvalFrameUnshown(ts, frame, throwflag);
    }
    return _PyPerf_CallBridged(ts, frame, throwflag, landing, lines);
}

static __attribute__((noinline)) PyObject *
call(PyThreadState *ts, PyVMFrame *frame, int throwflag, const void *landing,
     intptr_t lines)
{
    if (__builtin_expect(_Py_CStackIsHalfUsed(ts), 0)) {
        return evaluate_unshown(ts, frame, throwflag);
    }
    if (__builtin_expect(_PyThreadState_IMPL(ts)->unshown, 0)) {
        return evaluate_among_unshown(ts, frame, throwflag, landing, lines);
    }
    int is_whole = _PyVM_ChainIsWhole == NULL
                   || _PyVM_ChainIsWhole(ts, __builtin_frame_address(0));
    PyObject *result;
    if (throwflag == 0 && is_whole && _PyVM_EvalShownNative(ts, frame, &result)) {
        return result;
    }
    if (__builtin_expect(!is_whole, 0)) {
        return _PyPerf_CallBridged(ts, frame, throwflag, landing, lines);
    }
    return _PyPerf_Call(ts, frame, throwflag, landing, lines);
}

static PyObject *
evaluate(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    uintptr_t landing = (uintptr_t)frame->code->landing - _PyVM_ShownMode;
    if (__builtin_expect((landing & SHOWN_MODE_MASK) != 0, 0)) {
        return evaluate_unpublished(ts, frame, throwflag);
    }
    return call(ts, frame, throwflag, (const char *)landing + RECORD_LANDING_OFFSET, 0);
}

static PyObject *
evaluate_with_lines(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    uintptr_t landing = (uintptr_t)frame->code->landing - _PyVM_ShownMode;
    if (__builtin_expect((landing & SHOWN_MODE_MASK) != 0, 0)) {
        return evaluate_unpublished(ts, frame, throwflag);
    }
    intptr_t distance = ((const _PyCodeLines *)landing)->distance;
    const void *of_line = *(const void **)((char *)frame->ip + distance);
    return call(ts, frame, throwflag, of_line, distance);
}

static _PyFrameEvalFunction
hook_in_force(void)
{
    return _PyPerf.lines ? evaluate_with_lines : evaluate;
}

/* --------------------------------------------------------------------- fork */

static int
open_file(const _PyPerf_Backend *backend)
{
    int result = backend->init();
    if (result > 0) {
        _PyPerf_Unpublish(backend);
    }
    return result < 0 ? -1 : 0;
}

/* A child needs a file of its own as soon as it calls a Python function, whichever code
   has called fork(); a child that goes on to exec() must pay nothing. So the child's
   handler only takes the mode out of force, and the first code object to be published
   opens the file. */

static void
in_forked_child(void)
{
    _PyPerf_LeaveArena();
    if (_PyPerf.backend != NULL) {
        _PyPerf.forked = 1;
        _PyVM_ShownMode = SHOWN_MODE_NONE;
    }
}

void
_PyPerf_AfterForkChild(void)
{
    if (!_PyPerf.forked) {
        return;
    }
    _PyPerf.forked = 0;
    _PyVM_ShownMode = _PyPerf.mode;
    if (open_file(_PyPerf.backend) < 0) {
        give_up();
    }
    else {
        _PyJit_TellMemory();
        _PyPerf_PublishMachineCode();
    }
}

/* ----------------------------------------------------------------- switches */

static int
begin(const _PyPerf_Backend *backend, int lines)
{
    if (open_file(backend) < 0) {
        return PERF_FILE_REFUSED;
    }
    if (_PyPerf_PrepareArena() < 0) {
        int reason = errno;
        backend->fini();
        errno = reason;
        return PERF_MEMORY_REFUSED;
    }
    lines |= backend->always_lines;
    uintptr_t mode = _PyPerf_ModeOf(backend) + (lines ? SHOWN_MODE_LINES : 0);
    _PyPerf = (struct _PyPerf_State){backend, lines, mode, 0};
    _PyVM_ShownMode = mode;
    _PyVM_PublishCode = publish_code;
    _PyVM_CallWithBlock = _PyPerf_CallWithBlock;
    _PyCode_VacateLandings = _PyPerf_VacateLandings;
    _PyJit_ShowInlined();
    _PyPerf_PublishMachineCode();
    return 0;
}

int
_PyPerf_Activate(PyInterpreterState *interp, size_t index, int lines)
{
    static int watches_fork;
    if (!watches_fork) {
        errno = pthread_atfork(NULL, NULL, in_forked_child);
        if (errno != 0) {
            return PERF_MEMORY_REFUSED;
        }
        watches_fork = 1;
    }
    _PyPerf_AfterForkChild();
    if (_PyPerf.backend == NULL) {
        int result = begin(_PyPerf_Backends[index], lines);
        if (result < 0) {
            return result;
        }
    }
    _PyVM_ShowFrames(interp, hook_in_force(), _PyPerf.lines);
    return 0;
}

#else   /* no template for this machine */

int
_PyPerf_Activate(PyInterpreterState *Py_UNUSED(interp), size_t Py_UNUSED(index),
                 int Py_UNUSED(lines))
{
    errno = ENOSYS;
    return PERF_MEMORY_REFUSED;
}

void
_PyPerf_Deactivate(PyInterpreterState *Py_UNUSED(interp))
{
}

int
_PyPerf_PublishCode(PyVMCode *Py_UNUSED(code))
{
    return 0;
}

void
_PyPerf_AfterForkChild(void)
{
}

#endif
