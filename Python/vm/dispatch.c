/* The tables of handlers, and the way from C into them. */
#include "vm.h"
#include "enter.h"
#include "internal/monitoring.h"

const struct _PyHandlerTable _PyVM_default_table = {{
#define OP(name, cache, operands) op_##name,
#include "internal/opcodes.def"
#undef OP
    LINE_BANK_FORGETS,
    MONITOR_BANKS,
}};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
/* As the default, but Python-to-Python calls go through the eval hook. */
static const struct _PyHandlerTable hook_table = {{
#define OP(name, cache, operands) [OP_##name] = op_##name,
#include "internal/opcodes.def"
#undef OP
    [OP_CALL] = _PyVM_HookedCall,
    [OP_CALL__CLASS] = _PyVM_Call,
    [OP_CALL_METHOD] = _PyVM_HookedCallMethod,
    [OP_FOR_ITER__GENERATOR] = op_FOR_ITER,
    [OP_LOAD_ATTR__PROPERTY] = op_LOAD_ATTR,
    [OP_LOAD_SUBSCR__GETITEM] = op_LOAD_SUBSCR,
    [OP_RESUME__NATIVE] = op_RESUME,
    [OP_JUMP_BACK__NATIVE] = op_JUMP_BACK,
    LINE_BANK_FORGETS,
    MONITOR_BANKS,
}};
#pragma GCC diagnostic pop

int
_PyVM_RefusesFrame(PyThreadState *ts, PyVMFrame *frame)
{
    void *floor = cover_frame(ts, frame);
    int refused = _Py_CheckRecursiveCall(ts, "") < 0;
    if (refused) {
        if (frame->owner == FRAME_GENERATOR) {
            _PyVM_LeaveGenerator(ts, frame, GEN_COMPLETED);
        }
        _PyVM_ClearFrame(ts, frame);
    }
    TS_FLOOR(ts) = floor;
    return refused;
}

/* The C entry of the interpreter. */
PyObject *
_PyEval_EvalFrameUnshown(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    return run_frame(ts, frame, throwflag);
}

/* What an extension's hook calls. If frames are shown behind it, the hook that does so has its
   turn now; it goes on to others of these functions. */
PyObject *
_PyEval_EvalFrameDefault(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    if (unlikely(ts->interp->shown_behind) && !TS_IMPL(ts)->switches_stacks) {
        return ts->interp->shown_hook(ts, frame, throwflag);
    }
    return _PyEval_EvalFrameUnshown(ts, frame, throwflag);
}

/* The word in which this function has saved the frame pointer is the block's slot. */
PyObject *
_PyEval_EvalFrameShown(PyThreadState *ts, PyVMFrame *frame, int throwflag,
                       char *limit)
{
    FRAME_POINTER_RULE();
    _PyFrameRecords *records = &TS_IMPL(ts)->records, outer = *records;
    *records = (_PyFrameRecords){
        .slot = __builtin_frame_address(0),
        .limit = (uintptr_t)limit,
        .base = limit - RECORD_FP + RECORD_BLOCK,
        .entry = frame,
        .outer = &outer,
    };
    PyObject *result = run_frame(ts, frame, throwflag);
    if (likely(!TS_IMPL(ts)->switches_stacks)) {
        *records = outer;
    }
    return result;
}

/* An extension's hook may run the frame itself, and then the frame has not been popped. */
static __attribute__((noinline)) PyObject *
run_by_foreign_hook(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    frame->ret = RET_ENTRY;
    PyVMFrame *previous = TS_FRAME(ts);
    int is_gen = frame->owner == FRAME_GENERATOR;
    PyObject *result = ts->interp->eval_frame(ts, frame, throwflag);
    int unpopped = is_gen ? GEN_OF_FRAME(frame)->gi_frame_state == GEN_EXECUTING
                          : frame->func != NULL;
    if (unpopped) {
        TS_FRAME(ts) = previous;
        if (is_gen) {
            _PyVM_LeaveGenerator(ts, frame, GEN_COMPLETED);
        }
        _PyVM_ClearFrame(ts, frame);
    }
    return result;
}

/* Runs a frame through the eval hook, if there is one. */
PyObject *
_PyEval_EvalFrame(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    PyInterpreterState *interp = ts->interp;
    if (likely(interp->eval_frame == NULL)) {
        return _PyEval_EvalFrameUnshown(ts, frame, throwflag);
    }
    if (unlikely(!interp->calls_hooked) && unlikely(!MAY_BE_SHOWN(ts))) {
        return _PyEval_EvalFrameUnshown(ts, frame, throwflag);
    }
    void *floor = cover_frame(ts, frame);
    PyObject *result = interp->calls_hooked ? run_by_foreign_hook(ts, frame, throwflag)
                                            : interp->eval_frame(ts, frame, throwflag);
    TS_FLOOR(ts) = floor;
    return result;
}

void
_PyVM_ChooseTable(PyThreadState *ts)
{
    _PyThreadStateImpl *impl = TS_IMPL(ts);
    const struct _PyHandlerTable *plain = UNTRACED_TABLE(ts), *observed = plain;
    int native_ok = plain != &hook_table, is_observed = 0;
    if (unlikely(ts->interp->frames_unbound > 0)) {
        plain = observed = &_PyVM_observe_table;
        native_ok = 0;
    }
    else if (_PyObserve_IsWanted(ts)) {
        int calls_only = ts->c_tracefunc == NULL && !PROBE_IS_ATTACHED(line)
                         && (plain == &_PyVM_default_table || plain == &_PyVM_counting_table);
        observed = calls_only ? &_PyVM_profile_table : &_PyVM_observe_table;
        is_observed = 1;
    }
    const _PyMonitors *monitors = ts->interp->monitors;
    impl->watched = monitors != NULL && monitors->watched != 0;
    if (unlikely(impl->watched)) {
        plain = _PyVM_Watched(plain);
        observed = _PyVM_Watched(observed);
    }
    impl->observer_table = plain;
    impl->observed_table = observed;
    impl->observer_native_ok = native_ok;
    impl->observed_native_ok = native_ok && !is_observed;
    _PyVM_UseTable(ts);
}

static void
choose_tables(PyInterpreterState *interp)
{
    for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp);
         ts != NULL; ts = PyThreadState_Next(ts)) {
        _PyVM_ChooseTable(ts);
    }
}

void
_PyVM_DistrustVariables(PyThreadState *ts, PyVMFrame *f)
{
    if (f->flags & FRAME_UNBOUND) {
        return;
    }
    f->flags |= FRAME_UNBOUND;
    if (f->owner == FRAME_GENERATOR) {
        GEN_RESUME_KEY(GEN_OF_FRAME(f)) = JIT_NO_KEY;
    }
    if (ts->interp->frames_unbound++ == 0) {
        choose_tables(ts->interp);
    }
}

void
_PyVM_TrustVariables(PyThreadState *ts, PyVMFrame *f)
{
    f->flags &= (uint16_t)~FRAME_UNBOUND;
    if (--ts->interp->frames_unbound == 0) {
        choose_tables(ts->interp);
    }
}

void
_PyInterpreterState_SetEvalFrameFunc(PyInterpreterState *interp,
                                     _PyFrameEvalFunction eval_frame)
{
    int is_default = eval_frame == NULL || eval_frame == _PyEval_EvalFrameDefault;
    if ((!is_default && eval_frame == interp->shown_hook) || (is_default && interp->shown_behind)) {
        /* What was in front has gone. */
        _PyVM_ShowFramesAgain(interp);
    }
    else if (is_default) {
        _PyVM_SetHook(interp, NULL, NULL);
    }
    else {
        _PyVM_SetHook(interp, eval_frame, &hook_table);
    }
}

void
_PyVM_SetHook(PyInterpreterState *interp, _PyFrameEvalFunction hook, const void *table)
{
    interp->eval_frame = hook;
    interp->vm_table = table;
    interp->calls_hooked = table == &hook_table;
    choose_tables(interp);
}

_PyFrameEvalFunction
_PyInterpreterState_GetEvalFrameFunc(PyInterpreterState *interp)
{
    return interp->eval_frame != NULL ? interp->eval_frame
                                      : _PyEval_EvalFrameDefault;
}
