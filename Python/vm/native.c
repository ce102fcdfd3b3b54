/* Where the interpreter and machine code meet: how a frame passes from one to the other
   (internal/jit.h), and how a function becomes warm.

   Python calls within an evaluator take no C stack; those to, from and within machine code
   do. Machine code is entered only while less than half of the thread's stack is used, so a
   recursion that is deeper goes on in the interpreter, in one evaluator, and what recurses
   in C has the other half. On a stack that is not the thread's own (some libraries of
   coroutines make such), nobody knows how much is left: there it is not entered. */
#include "enter.h"
#include "call.h"
#include "generator.h"
#include "native.h"
#include "internal/monitoring.h"

/* ------------------------------------------------------- frames run elsewhere */

/* The exception that has left a frame, which `f` called, is f's: the same as in unwind(). */
static PyStep
call_failed(PyThreadState *ts, PyVMFrame *f, int ret)
{
    if (ret == RET_REG || ret == RET_METHOD) {
        _PyVM_GetterFailed(f);
    }
    const PyInstr *end = ret == RET_REG ? _PyVM_EndOfLoop(ts, f) : NULL;
    return end != NULL ? (PyStep){f, end} : _PyVM_StepError(f, f->ip, ts);
}

PyStep
_PyVM_EndSavedCall(PyThreadState *ts, const SavedCall *call, PyReg value)
{
    PyVMFrame *f = call->caller;
    if (unlikely(value == 0)) {
        reg_release(call->instance);
        return call_failed(ts, f, call->ret);
    }
    if (call->generator != NULL
        && GEN_OF_FRAME(call->generator)->gi_frame_state == GEN_SUSPENDED) {
        reg_set(&f->regs[call->dest], value);
        return (PyStep){f, f->ip + CALL_WORDS};
    }
    return _PyVM_StepReturned(f, ts, call, value);
}

/* ------------------------------------------------------------ in machine code */

static inline int
may_run_native(PyThreadState *ts)
{
    if (unlikely(TS_IMPL(ts)->draining)) {
        _PyVM_EndDraining(ts);
    }
    if (unlikely(_PyJit_Enabled == JIT_STRESS) && !TS_IMPL(ts)->native_ok
        && _PyJit_Random(4) == 0) {
        _PyVM_ChooseTable(ts);          /* a guard's failure may have switched it off */
    }
    return TS_IMPL(ts)->native_ok && _Py_CStackIsAmple(ts);
}

/* Runs a frame from its RESUME or JUMP_BACK at `ip` on. */
static inline PyReg
run_machine_code(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, const PyJitCode *jit,
                 const void *place)
{
    f->ip = ip;
    f->ret = RET_NATIVE;
    f->dest = NATIVE_DEST;
    return place == NULL ? jit->entry(f, ts) : jit->entry_at(f, ts, place);
}

/* Calls by the interpreter and by C are counted. */
static inline void
begin_native(PyThreadState *ts)
{
    TS_IMPL(ts)->native_depth++;
    _PyJit_Running++;
}

static inline void
end_native(PyThreadState *ts)
{
    TS_IMPL(ts)->native_depth--;
    if (--_PyJit_Running == 0 && unlikely(_PyJit_Retired != NULL)) {
        _PyJit_FreeRetired();
    }
}

static PyReg
enter_machine_code(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, const PyJitCode *jit,
                   const void *place)
{
    begin_native(ts);
    PyReg value = run_machine_code(f, ip, ts, jit, place);
    end_native(ts);
    return value;
}

static inline int
is_entry(const PyInstr *ip)
{
    return _PyOpcode_Info[ip->op].base == OP_RESUME && ip->a == 0;
}

/* Do pending signals and the like get their turn here? */
static inline int
polls(const PyInstr *ip)
{
    return _PyOpcode_Info[ip->op].base == OP_JUMP_BACK || ip->a < 2;
}

/* Where machine code begins for the RESUME or JUMP_BACK at `ip`, unless at its entry: or NULL. */
static inline const void *
place_behind(const PyVMCode *code, const PyInstr *ip)
{
    const PyInstr *next = ip + 1;
    return _PyJit_PlaceOf(code, _PyOpcode_Info[ip->op].base == OP_JUMP_BACK ? next + ip->bc : next);
}

static inline PyObject *
boxed(PyReg value)
{
    return REG_IS_INT(value) ? _PyLong_FromInt64(REG_INT(value)) : REG_PTR(value);
}

/* What the evaluator of _PyVM_RunNative() returns if its first frame goes on in machine code,
   from the RESUME or JUMP_BACK at its ip: no register holds this word. */
#define GOES_ON_NATIVE ((PyReg)2)

NEEDS_LOCALS PyStep
_PyVM_EnterNative(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    if (_Py_AttentionWanted() && polls(ip)) {
        f->ip = ip;
        if (_Py_HandlePending(ts) < 0) {
            return _PyVM_StepError(f, ip, ts);
        }
        if (_Py_EvalBreaker(ts) & _Py_EB_SHOW) {
            return (PyStep){f, NULL};
        }
    }
    const PyJitCode *jit = f->code->jit;
    if (!may_run_native(ts) || jit == NULL) {
        return (PyStep){f, NULL};
    }
    const void *place = NULL;
    if (!is_entry(ip)) {
        place = place_behind(f->code, ip);
        if (place == NULL) {
            return (PyStep){f, NULL};
        }
    }
    /* Machine code needs no record; that of a loop's frame, or of an evaluator's first, goes. */
    take_record_back(ts, f);
    if (f->ret == RET_NATIVE && likely(!TS_IMPL(ts)->records.keeps)) {
        f->ip = ip;
        return (PyStep){NULL, (const PyInstr *)GOES_ON_NATIVE};
    }
    if (f->ret == RET_NATIVE) {
        /* This evaluator's block shows frames further out, so it stays. */
        return (PyStep){NULL, (const PyInstr *)run_machine_code(f, ip, ts, jit, place)};
    }
    if (f->ret == RET_ENTRY) {
        PyReg value = enter_machine_code(f, ip, ts, jit, place);
        if (value == 0) {
            expect_exception(ts, NULL);
            return (PyStep){NULL, NULL};
        }
        return (PyStep){NULL, (const PyInstr *)boxed(value)};
    }
    SavedCall call = save_call(f);
    return _PyVM_EndSavedCall(ts, &call, enter_machine_code(f, ip, ts, jit, place));
}

/* May machine code be entered from C, at this RESUME? */
static inline int
may_enter(PyThreadState *ts, const PyVMFrame *f, const PyInstr *ip, const void **place)
{
    *place = NULL;
    return likely(!_Py_AttentionWanted()) && likely(ts->recursion_remaining > 0)
           && likely(f->code->jit != NULL) && likely(may_run_native(ts))
           && likely(!TS_IMPL(ts)->watched)
           && (is_entry(ip) || likely((*place = place_behind(f->code, ip)) != NULL));
}

static inline PyObject *
eval_native(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, const void *place)
{
    ts->recursion_remaining--;
    TS_FRAME(ts) = f;
    PyReg value = enter_machine_code(f, ip, ts, f->code->jit, place);
    if (unlikely(value == 0)) {
        expect_exception(ts, NULL);
        return NULL;
    }
    return boxed(value);
}

/* A frame that C calls, which _PyVM_EnterNative() would enter by way of an evaluator. */
PyObject *
_PyVM_EvalNative(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    const void *place;
    return likely(may_enter(ts, f, ip, &place)) ? eval_native(ts, f, ip, place)
                                                : run_frame(ts, f, 0);
}

int
_PyVM_EvalShownNative(PyThreadState *ts, PyVMFrame *f, PyObject **result)
{
    const PyInstr *ip = f->ip + (f->owner == FRAME_GENERATOR);
    const void *place;
    if (ip->op != OP_RESUME__NATIVE || !may_enter(ts, f, ip, &place)) {
        return 0;
    }
    *result = eval_native(ts, f, ip, place);
    return 1;
}

HANDLER(RESUME__NATIVE)
{
    ENTER_NATIVE(op_RESUME);
}

HANDLER(JUMP_BACK__NATIVE)
{
    ENTER_NATIVE(op_JUMP_BACK);
}

/* ------------------------------------------------------------- in the interpreter */

/* Runs a frame while frames are shown: its evaluator has records of its own, since machine
   code lies between it and the evaluator around it. */
static __attribute__((noinline)) PyReg
run_shown(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, int begin)
{
    /* The evaluator counts the call, but not its operator. */
    unsigned counts_twice = f->flags & FRAME_COUNTS_TWICE;
    f->flags &= (uint16_t)~FRAME_COUNTS_TWICE;
    leave_python(ts);
    f->ip = ip;
    TS_FRAME(ts) = f->previous;
    PyReg value = (PyReg)_PyEval_EvalFrame(ts, f, begin);
    if (value == GOES_ON_NATIVE) {
        f->flags |= (uint16_t)counts_twice;
    }
    else {
        ts->recursion_remaining += counts_twice != 0;
    }
    return value;
}

static inline int
is_shown(PyThreadState *ts)
{
    return unlikely(ts->interp->eval_frame != NULL) && !ts->interp->calls_hooked
           && MAY_BE_SHOWN(ts);
}

/* Entering machine code again is a jump, as leaving it is: however often a loop does so, it
   takes no more C stack. */
PyReg
_PyVM_RunNative(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    f->dest = INTERPRETED_DEST;
    PyReg value = is_shown(ts) ? run_shown(f, ip, ts, BEGIN_NATIVE)
                               : (PyReg)interpret(ts, f, ip);
    if (value == GOES_ON_NATIVE) {
        return run_machine_code(f, f->ip, ts, f->code->jit,
                                is_entry(f->ip) ? NULL : place_behind(f->code, f->ip));
    }
    return value;
}

PyReg
_PyVM_RunSteps(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, PyStepper run)
{
    f->dest = INTERPRETED_DEST;
    if (!is_shown(ts)) {
        return run(f, ip, ts);
    }
    TS_IMPL(ts)->stepper = (void (*)(void))run;
    return run_shown(f, ip, ts, BEGIN_STEPS);
}

void
_PyVM_ShowStep(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    /* Where no lines are shown, records have none. Those from before support was switched off and on
       again may be of landings that are gone; the interpreter renews them at its next safe point. */
    if (is_shown(ts) && SHOWS_LINES((const struct _PyHandlerTable *)ts->interp->shown_table)
        && !(_Py_EvalBreaker(ts) & _Py_EB_SHOW)) {
        show_line(ts, f, ip);
    }
}

void
_PyVM_EndSteps(PyVMFrame *f, PyThreadState *ts)
{
    f->dest = NATIVE_DEST;
    take_record_back(ts, f);
}

PyReg
_PyVM_CallFrame(PyThreadState *ts, PyVMFrame *f)
{
    const PyInstr *ip = f->ip + (f->owner == FRAME_GENERATOR);
    const PyJitCode *jit = f->code->jit;
    f->ret = RET_NATIVE;
    if (jit == NULL || !may_run_native(ts) || _Py_AttentionWanted()
        || unlikely(TS_IMPL(ts)->watched)) {
        return _PyVM_RunNative(f, ip, ts);
    }
    while (ip->op == OP_MAKE_CELL) {
        PyStep step = _PyVM_steps[OP_MAKE_CELL](f, ip, ts, NULL, ip->word);
        if (step.f == NULL) {
            return (PyReg)step.ip;
        }
        ip = step.ip;
    }
    if (ip->op == OP_RETURN_GENERATOR) {
        PyStep step = _PyVM_steps[OP_RETURN_GENERATOR](f, ip, ts, NULL, ip->word);
        return step.f == NULL ? (PyReg)step.ip : _PyVM_RunNative(step.f, step.ip, ts);
    }
    if (ip->op != OP_RESUME__NATIVE) {
        return _PyVM_RunNative(f, ip, ts);
    }
    return run_machine_code(f, ip, ts, jit, is_entry(ip) ? NULL : place_behind(f->code, ip));
}

/* ------------------------------------------------------- generators resumed natively

   A suspended generator is resumed where its machine code goes on. If it delegates (yield from,
   await) to another one that is suspended, which may delegate in its turn, then the frames in
   between have nothing to do but to pass values on: they are made current, each at its SEND, and
   the innermost is resumed. When it yields, all are suspended again, none of them having run.
   When it ends, or is observed by then, the frame around it goes on in the interpreter, behind
   its SEND. While frames are shown to profilers each runs, so that chains are whole. */

/* So many delegates are resumed together; those further in by the last of them. */
#define MOST_DELEGATES 32

/* Is it suspended, in the usual way? A frame that has ended has no ip. */
static inline int
is_resumable(const PyGenObject *gen)
{
    const PyVMFrame *inner = FRAME_OF_GEN(gen);
    if (unlikely(gen->gi_frame_state != GEN_SUSPENDED) || unlikely(inner->flags != 0)) {
        return 0;
    }
    PyReg sent = inner->regs[inner->ip->c];
    return REG_IS_INT(sent) || sent == 0 || likely(sent == REG_NONE);
}

/* The same for what a suspended generator delegates to: NULL, if it is no such generator. */
static inline PyGenObject *
resumable_delegate(const PyGenObject *gen)
{
    const PyVMFrame *inner = FRAME_OF_GEN(gen);
    const PyInstr *yield = inner->ip;
    if (yield->op != OP_YIELD_FROM_VALUE || unlikely(yield[-CALL_WORDS].op != OP_SEND)) {
        return NULL;
    }
    PyObject *delegate = REG_PTR(inner->regs[yield->b]);
    return (PyGen_CheckExact(delegate) || PyCoro_CheckExact(delegate))
           && is_resumable((PyGenObject *)delegate) ? (PyGenObject *)delegate : NULL;
}

static inline PyReg *
top_of(PyVMFrame *f)
{
    return f->owner == FRAME_GENERATOR ? GEN_STACK_TOP(f) : &f->regs[f->code->nregs];
}

/* The same as enter_generator(), but that the thread does not know yet. `handled` is what is
   handled around it. */
static inline void
begin(PyGenObject *gen, PyVMFrame *previous, PyReg *top, _PyErr_StackItem *handled)
{
    PyVMFrame *inner = FRAME_OF_GEN(gen);
    GEN_STACK_TOP(inner) = top;
    inner->previous = previous;
    inner->ret = RET_NATIVE;
    inner->dest = NATIVE_DEST;
    gen->gi_frame_state = GEN_EXECUTING;
    gen->gi_exc_state.previous_item = handled;
}

/* The same for one that is suspended: `sent` becomes the value of its yield. */
static inline void
prepare(PyGenObject *gen, PyVMFrame *previous, PyReg *top, PyReg sent,
        _PyErr_StackItem *handled)
{
    FRAME_OF_GEN(gen)->regs[FRAME_OF_GEN(gen)->ip->c] = sent;
    begin(gen, previous, top, handled);
}

static inline void
make_current(PyThreadState *ts, PyGenObject *gen)
{
    ts->recursion_remaining--;
    ts->exc_info = &gen->gi_exc_state;
    TS_FRAME(ts) = FRAME_OF_GEN(gen);
}

/* A delegate of `f` has been resumed, and has yielded, returned or failed: f goes on. */
static PyReg
go_on_behind_send(PyThreadState *ts, PyVMFrame *f, PyGenObject *delegate, PyReg value)
{
    SavedCall call = {.caller = f, .generator = FRAME_OF_GEN(delegate), .ret = RET_SEND,
                      .dest = f->ip->c, .skip = CALL_WORDS};
    PyStep step = _PyVM_EndSavedCall(ts, &call, value);
    return step.f == NULL ? (PyReg)step.ip : _PyVM_RunNative(f, step.ip, ts);
}

/* All have yielded, without having run. */
static inline void
suspend_again(PyThreadState *ts, PyVMFrame *f, PyGenObject *const *all, int n)
{
    ts->recursion_remaining += n;
    ts->exc_info = all[0]->gi_exc_state.previous_item;
    TS_FRAME(ts) = f;
    for (int i = 0; i < n; i++) {
        PyVMFrame *inner = FRAME_OF_GEN(all[i]);
        inner->ip += CALL_WORDS;
        inner->previous = NULL;
        all[i]->gi_frame_state = GEN_SUSPENDED;
        all[i]->gi_exc_state.previous_item = NULL;
    }
}

static __attribute__((noinline)) PyReg
resume_delegates(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg *top, PyReg value)
{
    PyGenObject *all[MOST_DELEGATES], *delegate;
    PyVMFrame *previous = f;
    _PyErr_StackItem *handled = ts->exc_info;
    int n = 0, most = Py_MIN(MOST_DELEGATES, ts->recursion_remaining - 1);
    while (n < most && (delegate = resumable_delegate(gen)) != NULL) {
        prepare(gen, previous, top, 0, handled);
        previous = FRAME_OF_GEN(gen);
        previous->ip -= CALL_WORDS;
        handled = &gen->gi_exc_state;
        all[n++] = gen;
        gen = delegate;
    }
    PyVMFrame *inner = FRAME_OF_GEN(gen);
    ts->recursion_remaining -= n;
    prepare(gen, previous, top, value, handled);
    make_current(ts, gen);
    const PyInstr *ip = inner->ip + 1;
    const void *place = ip->op == OP_RESUME__NATIVE ? _PyJit_PlaceOf(inner->code, ip + 1) : NULL;
    value = place != NULL ? ((const PyJitCode *)inner->code->jit)->entry_at(inner, ts, place)
                          : _PyVM_RunNative(inner, ip, ts);
    while (n > 0 && (value == 0 || gen->gi_frame_state != GEN_SUSPENDED
                     || unlikely(!TS_IMPL(ts)->native_ok))) {
        delegate = gen;
        gen = all[--n];
        value = go_on_behind_send(ts, FRAME_OF_GEN(gen), delegate, value);
    }
    if (likely(n > 0)) {
        suspend_again(ts, f, all, n);
    }
    return value;
}

/* Resumes a generator for `f` with `value`, whose reference it takes. What it yields or returns,
   as an owned word; 0 with an exception; JIT_NOT_DONE: this is not the usual case. Machine code
   may go on. */
static inline PyReg
resume_natively(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    PyVMFrame *inner = FRAME_OF_GEN(gen);
    int begins = gen->gi_frame_state == GEN_CREATED && value == REG_NONE && inner->flags == 0;
    if (unlikely(!begins) && unlikely(!is_resumable(gen))) {
        return JIT_NOT_DONE;
    }
    const PyInstr *ip = inner->ip + 1;
    PyReg *top = top_of(f);
    if (unlikely(ip->op != OP_RESUME__NATIVE) || unlikely(_Py_AttentionWanted())
        || unlikely(TS_IMPL(ts)->watched)
        || unlikely((void *)top < TS_FLOOR(ts)) || unlikely(!frame_fits(ts, top))
        || unlikely(ts->recursion_remaining <= 0) || unlikely(!_Py_CStackIsAmple(ts))) {
        return JIT_NOT_DONE;
    }
    const PyJitCode *jit = (const PyJitCode *)inner->code->jit;
    if (begins && is_entry(ip)) {
        begin(gen, f, top, ts->exc_info);
        make_current(ts, gen);
        inner->ip = ip;
        return jit->entry(inner, ts);
    }
    if (ip[-1].op == OP_YIELD_FROM_VALUE && likely(ts->interp->eval_frame == NULL)
        && resumable_delegate(gen) != NULL) {
        return resume_delegates(f, ts, gen, top, value);
    }
    const void *place = _PyJit_PlaceOf(inner->code, ip + 1);
    if (unlikely(place == NULL) || begins) {
        return JIT_NOT_DONE;
    }
    prepare(gen, f, top, value, ts->exc_info);
    make_current(ts, gen);
    return jit->entry_at(inner, ts, place);
}

PyReg
_PyVM_NextForLoop(PyVMFrame *f, PyThreadState *ts, PyObject *object)
{
    PyGenObject *gen = (PyGenObject *)object;
    PyReg value = resume_natively(f, ts, gen, REG_NONE);
    if (unlikely(value == JIT_NOT_DONE)) {
        if (gen->gi_frame_state >= GEN_EXECUTING) {
            PyObject *item = Py_TYPE(gen)->tp_iternext(object);
            return item != NULL ? (PyReg)item : _PyErr_Occurred(ts) ? 0 : JIT_LOOP_ENDS;
        }
        if (enter_generator(ts, gen, REG_NONE, f, RET_NATIVE, 0) < 0) {
            return 0;
        }
        TS_FRAME(ts) = FRAME_OF_GEN(gen);
        value = _PyVM_CallFrame(ts, FRAME_OF_GEN(gen));
    }
    if (likely(gen->gi_frame_state == GEN_SUSPENDED) || value == 0) {
        return value;
    }
    reg_release(value);
    return JIT_LOOP_ENDS;
}

PyReg
_PyVM_SendTo(PyVMFrame *f, PyThreadState *ts, PyObject *object)
{
    PyGenObject *gen = (PyGenObject *)object;
    PyReg value = operand_take(f, f->ip->b);
    PyReg given = resume_natively(f, ts, gen, value);
    if (likely(given != JIT_NOT_DONE)) {
        return given;
    }
    int state = gen->gi_frame_state;
    if (state == GEN_SUSPENDED || (state == GEN_CREATED && value == REG_NONE)) {
        if (enter_generator(ts, gen, value, f, RET_NATIVE, 0) < 0) {
            return 0;
        }
        TS_FRAME(ts) = FRAME_OF_GEN(gen);
        return _PyVM_CallFrame(ts, FRAME_OF_GEN(gen));
    }
    PyObject *sent = boxed(value);
    PyObject *result = NULL;
    if (sent != NULL) {
        (void)_PyGen_AmSend(object, sent, &result);
        Py_DECREF(sent);
    }
    return (PyReg)result;
}

PyObject *
_PyVM_ResumeNative(PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    PyVMFrame *f = TS_FRAME(ts);
    if (f == NULL || unlikely(!may_run_native(ts))) {
        return (PyObject *)JIT_NOT_DONE;
    }
    begin_native(ts);
    value = resume_natively(f, ts, gen, value);
    end_native(ts);
    if (unlikely(value == 0)) {
        expect_exception(ts, NULL);
        return NULL;
    }
    return boxed(value);
}

int64_t
_PyVM_LoopEnds(PyVMFrame *f, PyThreadState *ts)
{
    if (_PyErr_Occurred(ts)) {
        if (!_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
            return 0;
        }
        if (ts->c_tracefunc != NULL) {
            _PyVM_observers.exception(ts, f);
            if (!_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
                return 0;
            }
        }
        _PyErr_Clear(ts);
    }
    return 1;
}

PyReg
_PyVM_CallFromNative(PyVMFrame *f, PyThreadState *ts)
{
    for (unsigned i = f->code->nparams, n = f->code->first_temp; i < n; i++) {
        f->regs[i] = 0;
    }
    return _PyVM_CallFrame(ts, f);
}

/* The value of a call that has begun, or 0. */
static PyReg
finish_begun(PyThreadState *ts, BegunCall begun)
{
    PyVMFrame *frame = begun.frame;
    if (frame == NULL) {
        return (PyReg)begun.result;
    }
    int is_init = frame->ret == RET_INIT;
    PyReg instance = is_init ? take_instance(frame) : 0;
    TS_FRAME(ts) = frame;
    PyReg value = _PyVM_CallFrame(ts, frame);
    if (!is_init || value == REG_NONE) {
        return is_init ? instance : value;
    }
    if (value == 0) {
        reg_release(instance);
    }
    else {
        _PyVM_RefuseInit(value, instance);
    }
    return 0;
}

PyReg
_PyVM_CallEx(PyVMFrame *f, PyThreadState *ts, uint64_t window, uint64_t has_kwargs)
{
    return finish_begun(ts, _PyVM_BeginCallEx(ts, f, &f->regs[window], (int)has_kwargs, 0));
}

PyReg
_PyVM_CallAny(PyVMFrame *f, PyThreadState *ts, uint64_t call, PyObject *names)
{
    PyReg *window = &f->regs[call & 0xffff];
    Py_ssize_t nargs = (uint16_t)(call >> 16);
    if (call >> 32) {
        if (*window == 0) {
            window++;
        }
        else {
            nargs++;
        }
    }
    return finish_begun(ts, _PyVM_BeginCall(ts, f, window, nargs, names, 0, _PyVM_CallWindow));
}

PyVMCode *
_PyVM_BindForNative(PyVMFrame *f, PyThreadState *ts, uint64_t call, PyObject *names)
{
    PyReg *window = &f->regs[call & 0xffff];
    PyFunctionObject *func = (PyFunctionObject *)REG_PTR(*window);
    PyVMCode *code = _PyVMCode_CAST(func->func_code);
    if (likely(_PyVM_BindArguments(ts, func, code, window + FRAME_WORDS,
                                   (Py_ssize_t)(call >> 16), names) == 0)) {
        return code;
    }
    *window = 0;
    Py_DECREF(func);
    return NULL;
}

PyStep
_PyVM_FinishStep(PyVMFrame *Py_UNUSED(f), const PyInstr *Py_UNUSED(ip), PyThreadState *ts,
                 PyVMFrame *pushed)
{
    SavedCall call = save_call(pushed);
    return _PyVM_EndSavedCall(ts, &call, _PyVM_CallFrame(ts, pushed));
}

/* ------------------------------------------------------------------ getting warm */

void
_PyVM_MarkNative(PyVMCode *code)
{
    const PyJitCode *jit = code->jit;
    if (!_PyMonitor_LeavesAlone(code, _PyThreadState_GET()->interp->monitors)) {
        jit = NULL;
    }
    for (uint32_t at = 0; at < code->ninstr; at += 1u + _PyOpcode_Info[code->code[at].op].cache) {
        PyInstr *in = &code->code[at];
        int base = _PyOpcode_Info[in->op].base;
        if (base == OP_RESUME || base == OP_JUMP_BACK) {
            int native = jit != NULL && (is_entry(in) || place_behind(code, in) != NULL);
            in->op = (uint8_t)(!native ? base
                               : base == OP_RESUME ? OP_RESUME__NATIVE : OP_JUMP_BACK__NATIVE);
        }
    }
}

/* How often functions have become warm by calls in a program's first moments. Two that have
   the same place forget each other, and wait for longer. */
static struct { const PyVMCode *code; int times; } called_early[64];

static int
is_early(const PyVMCode *code, int is_called)
{
    if (_PyJit_Warmth.settles == 0) {
        return 0;
    }
    int64_t now = _PyJit_Now();
    if (now >= _PyJit_Warmth.settles) {
        _PyJit_Warmth.settles = 0;
        return 0;
    }
    if (now < _PyJit_Warmth.starts) {
        return 1;
    }
    size_t place = ((uintptr_t)code >> 8) % Py_ARRAY_LENGTH(called_early);
    if (called_early[place].code != code) {
        called_early[place].code = code;
        called_early[place].times = 0;
    }
    return is_called && ++called_early[place].times < JIT_WARM_TIMES;
}

static int
became_native(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip, uint16_t *count)
{
    if (is_early(f->code, _PyOpcode_Info[ip->op].base == OP_RESUME)) {
        *count = 0;
        return 0;
    }
    int warm = _PyJit_Warm(ts, f, ip);
    if (warm <= 0) {
        *count = warm < 0 ? 0 : JIT_NEVER_WARM;
        return 0;
    }
    _PyVM_MarkNative(f->code);
    return ip->op != _PyOpcode_Info[ip->op].base;
}

/* A count is in a field that the instruction does not use (Objects/code/api.c hides it). It
   wraps around: what has become warm and was not compiled is offered again much later. The
   whole word is stored, because it is loaded whole a moment later: a load waits for a store of
   a part of it. */
#define COUNT(field, most, plain, native) \
    do { \
        PyInstr *counted_ = (PyInstr *)ip; \
        const PyInstr one_ = {.field = 1}; \
        uint16_t count_ = counted_->field; \
        if (count_ < JIT_NEVER_WARM - 1) { \
            counted_->word += one_.word; \
            if (unlikely(count_ + 1 == _PyJit_Warmth.most)) { \
                SAVE_IP(); \
                int became_ = became_native(ts, f, ip, &counted_->field); \
                RELOAD(); \
                if (became_) { \
                    TAIL(native); \
                } \
            } \
        } \
        else if (count_ != JIT_NEVER_WARM) { \
            counted_->field = 0; \
        } \
        TAIL(plain); \
    } while (0)

#define COUNT_CALLS(plain, native) COUNT(b, calls, plain, native)

SLOW(count_resume)
{
    COUNT_CALLS(op_RESUME, op_RESUME__NATIVE);
}

SHARED_SLOW(_PyVM_CountShownResume)
{
    COUNT_CALLS(_PyVM_ShownResume, _PyVM_ShownResumeNative);
}

SHARED_SLOW(_PyVM_CountShownResumeLines)
{
    COUNT_CALLS(_PyVM_ShownResumeLines, _PyVM_ShownResumeNativeLines);
}

SHARED_SLOW(_PyVM_CountJumpBack)
{
    COUNT(a, loops, op_JUMP_BACK, op_JUMP_BACK__NATIVE);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
const struct _PyHandlerTable _PyVM_counting_table = {{
#define OP(name, cache, operands) [OP_##name] = op_##name,
#include "internal/opcodes.def"
#undef OP
    [OP_RESUME] = count_resume,
    [OP_JUMP_BACK] = _PyVM_CountJumpBack,
    LINE_BANK_FORGETS,
    MONITOR_BANKS,
}};
#pragma GCC diagnostic pop
