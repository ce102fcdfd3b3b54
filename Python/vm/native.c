/* Where the interpreter and machine code meet: how a frame passes from one to the other
   (internal/jit.h).

   Python calls within an evaluator take no C stack; those to, from and within machine code
   do. Machine code is entered only while less than half of the thread's stack is used, so a
   recursion that is deeper goes on in the interpreter, in one evaluator, and what recurses
   in C has the other half. On a stack that is not the thread's own (some libraries of
   coroutines make such), nobody knows how much is left: there it is not entered. */
#include "enter.h"
#include "call.h"
#include "native.h"
#include "internal/slot_prototypes.h"

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

static PyReg
enter_machine_code(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, const PyJitCode *jit,
                   const void *place)
{
    begin_native(ts);
    PyReg value = run_machine_code(f, ip, ts, jit, place);
    end_native(ts);
    return value;
}

/* Do pending signals and the like get their turn here? */
static inline int
polls(const PyInstr *ip)
{
    return _PyOpcode_Info[ip->op].base == OP_JUMP_BACK || ip->a < 2;
}

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
    return result_of_native(ts, enter_machine_code(f, ip, ts, f->code->jit, place));
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
    TS_IMPL(ts)->executed = f->ip;
    f->ip = ip;
    TS_FRAME(ts) = f->previous;
    PyReg value = (PyReg)_PyEval_EvalFrame(ts, f, begin);
    if (value == GOES_ON_NATIVE || value == GOES_ON_INTERPRETED) {
        f->flags |= (uint16_t)counts_twice;
    }
    else {
        ts->recursion_remaining += counts_twice != 0;
    }
    return value;
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
    PyReg value;
    if (!is_shown(ts)) {
        value = run(f, ip, ts);
    }
    else {
        TS_IMPL(ts)->stepper = (void (*)(void))run;
        value = run_shown(f, ip, ts, BEGIN_STEPS);
    }
    if (value == GOES_ON_NATIVE) {
        return run_machine_code(f, f->ip, ts, f->code->jit, _PyJit_PlaceOf(f->code, f->ip));
    }
    return value == GOES_ON_INTERPRETED ? _PyVM_RunNative(f, TS_IMPL(ts)->goes_on_at, ts) : value;
}

static void
end_steps(PyVMFrame *f, PyThreadState *ts)
{
    f->dest = NATIVE_DEST;
    take_record_back(ts, f);
}

PyReg
_PyVM_GoOnNative(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    end_steps(f, ts);
    f->ip = ip;
    if (likely(!TS_IMPL(ts)->records.keeps)) {
        return GOES_ON_NATIVE;
    }
    /* The evaluator around it has records of frames further out, so it stays. */
    const PyJitCode *jit = f->code->jit;
    return jit->entry_at(f, ts, _PyJit_PlaceOf(f->code, ip));
}

PyReg
_PyVM_GoOnInterpreted(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    end_steps(f, ts);
    if (unlikely(TS_IMPL(ts)->records.keeps)) {
        return _PyVM_RunNative(f, ip, ts);
    }
    /* The frame's ip is what has been executed last, which says what a tracer hears next. */
    TS_IMPL(ts)->goes_on_at = ip;
    return GOES_ON_INTERPRETED;
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

/* The cells at a function's beginning. Returns where it goes on; {NULL, 0}: an exception is set. */
static inline PyStep
make_cells(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    PyStep step = {f, ip};
    while (step.f != NULL && step.ip->op == OP_MAKE_CELL) {
        step = _PyVM_steps[OP_MAKE_CELL](f, step.ip, ts, NULL, step.ip->word);
    }
    return step;
}

/* May calls enter machine code that lies there? Where cells have been made, it is asked again: the
   collector may have run, and with it anything. */
static inline int
may_call_native(PyThreadState *ts)
{
    return likely(may_run_native(ts)) && likely(!TS_IMPL(ts)->watched);
}

PyReg
_PyVM_CallFrame(PyThreadState *ts, PyVMFrame *f)
{
    const PyInstr *ip = f->ip + (f->owner == FRAME_GENERATOR);
    f->ret = RET_NATIVE;
    if (f->code->jit == NULL || !may_call_native(ts) || _Py_AttentionWanted()) {
        return _PyVM_RunNative(f, ip, ts);
    }
    PyStep made = make_cells(f, ip, ts);
    if (made.f == NULL) {
        return (PyReg)made.ip;
    }
    int has_cells = made.ip != ip;
    ip = made.ip;
    if (ip->op == OP_RETURN_GENERATOR) {
        PyStep step = _PyVM_steps[OP_RETURN_GENERATOR](f, ip, ts, NULL, ip->word);
        return step.f == NULL ? (PyReg)step.ip : _PyVM_RunNative(step.f, step.ip, ts);
    }
    if (ip->op != OP_RESUME__NATIVE
        || (has_cells && (f->code->jit == NULL || !may_call_native(ts)))) {
        return _PyVM_RunNative(f, ip, ts);
    }
    return run_machine_code(f, ip, ts, f->code->jit,
                            is_entry(ip) ? NULL : place_behind(f->code, ip));
}

/* -------------------------------------------------- calls that machine code makes */

static inline void
unbind_variables(PyVMFrame *f)
{
    for (unsigned i = f->code->nparams, n = f->code->first_temp; i < n; i++) {
        f->regs[i] = 0;
    }
}

PyReg
_PyVM_CallFromNative(PyVMFrame *f, PyThreadState *ts)
{
    unbind_variables(f);
    return _PyVM_CallFrame(ts, f);
}

/* _PyVM_CallFromNative() would do as well. But of code that has this function for its native_entry
   it is known that calls enter it, and where: that saves a dozen instructions a call. */
PyReg
_PyVM_CallWithCells(PyVMFrame *f, PyThreadState *ts)
{
    unbind_variables(f);
    PyStep made = make_cells(f, f->ip, ts);
    if (unlikely(made.f == NULL)) {
        return (PyReg)made.ip;
    }
    if (unlikely(f->code->native_entry != (void *)_PyVM_CallWithCells)
        || unlikely(!may_call_native(ts))) {
        return _PyVM_RunNative(f, made.ip, ts);
    }
    return run_machine_code(f, made.ip, ts, f->code->jit, NULL);
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

/* A function whose machine code can be entered, or that makes a generator, or a bound method of
   one, that takes just so many positional arguments. */
typedef struct {
    PyFunctionObject *func;     /* NULL: it is something else */
    PyObject *self;             /* of a bound method */
    PyVMCode *code;
} SimpleCallee;

/* The window's callee. */
static inline SimpleCallee
simple_callee(PyVMFrame *f, PyThreadState *ts, const PyReg *window, Py_ssize_t nargs)
{
    SimpleCallee callee = {0};
    if (!REG_IS_PTR(window[0])) {
        return callee;
    }
    PyObject *callable = REG_PTR(window[0]), *func = callable;
    if (Py_IS_TYPE(callable, &PyMethod_Type)
        && ((PyMethodObject *)callable)->im_weakreflist == NULL) {
        func = PyMethod_GET_FUNCTION(callable);
        callee.self = PyMethod_GET_SELF(callable);
    }
    if (!PyFunction_Check(func)) {
        return callee;
    }
    callee.code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    int is_simple = callee.code->is_generator
        ? _PyVM_MakesGenerator(callee.code, (int)nargs + (callee.self != NULL))
          && ts->coroutine_origin_tracking_depth <= 0
        : callee.code->simple_call
          && callee.code->ob.co_argcount == nargs + (callee.self != NULL)
          && callee.code->native_entry != (void *)_PyVM_CallFromNative;
    if (is_simple && f->owner != FRAME_GENERATOR && frame_fits(ts, window)
        && ts->recursion_remaining > 0 && TS_IMPL(ts)->native_ok) {
        callee.func = (PyFunctionObject *)func;
    }
    return callee;
}

/* Calls it, whose arguments are in place, but for a method's self. */
static inline PyReg
call_simple(PyVMFrame *f, PyThreadState *ts, PyReg *window, const SimpleCallee *callee)
{
    PyVMFrame *frame = (PyVMFrame *)window;
    PyObject *method = NULL;
    if (callee->self != NULL) {
        method = REG_PTR(window[0]);
        window[FRAME_WORDS] = (PyReg)Py_NewRef(callee->self);
        window[0] = (PyReg)Py_NewRef(callee->func);
    }
    if (callee->code->is_generator) {
        Py_ssize_t nargs = callee->code->ob.co_argcount;
        /* A tuple's items may reach beyond the caller's registers. */
        void *floor = cover(ts, window + FRAME_WORDS + nargs);
        PyReg gen = _PyVM_MakeGenerator(f, ts, (uint64_t)(window - f->regs), (uint64_t)nargs);
        TS_FLOOR(ts) = floor;
        if (unlikely(gen == 0)) {
            _PyVM_DropWindow(window, nargs);
        }
        Py_XDECREF(method);
        return gen;
    }
    fill_header(frame, callee->code, f, NATIVE_DEST, RET_NATIVE);
    ts->recursion_remaining--;
    TS_FRAME(ts) = frame;
    Py_XDECREF(method);
    return ((PyJitEntry)callee->code->native_entry)(frame, ts);
}

/* Most wrappers' call: of what is simple, that takes just as many arguments as the tuple has items,
   and no keywords are there. The tuple and the dict are the wrapper's, so they live on. Lays out
   the arguments; 0: it is another call. */
static inline int
lay_out_simple(PyVMFrame *f, PyThreadState *ts, PyReg *window, uint64_t has_kwargs,
               SimpleCallee *callee)
{
    PyReg *regs = window + FRAME_WORDS;
    if (!IS_EXACT(regs[0], PyTuple_Type)
        || (has_kwargs && (!IS_EXACT(regs[1], PyDict_Type) || PyDict_GET_SIZE(REG_PTR(regs[1])) != 0
                           || Py_REFCNT(REG_PTR(regs[1])) == 1))) {
        return 0;
    }
    PyObject *args = REG_PTR(regs[0]);
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    *callee = simple_callee(f, ts, window, n);
    if (callee->func == NULL || Py_REFCNT(args) == 1) {
        return 0;
    }
    if (has_kwargs) {
        REG_PTR(regs[1])->ob_refcnt--;
        regs[1] = 0;
    }
    args->ob_refcnt--;
    regs[0] = 0;
    regs += callee->self != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        regs[i] = (PyReg)Py_NewRef(PyTuple_GET_ITEM(args, i));
    }
    return 1;
}

PyReg
_PyVM_CallEx(PyVMFrame *f, PyThreadState *ts, uint64_t window, uint64_t has_kwargs)
{
    SimpleCallee callee;
    if (likely(lay_out_simple(f, ts, &f->regs[window], has_kwargs, &callee))) {
        return call_simple(f, ts, &f->regs[window], &callee);
    }
    return finish_begun(ts, _PyVM_BeginCallEx(ts, f, &f->regs[window], (int)has_kwargs, 0));
}

/* Is it certain that no frame of the VM is made for a call of this? */
static inline int
is_called_in_c(PyReg callable)
{
    if (!REG_IS_PTR(callable)) {
        return 0;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(callable));
    if (type == &PyType_Type) {
        /* Of str, a call counts: _PyVM_BeginCall(). */
        PyTypeObject *cls = (PyTypeObject *)REG_PTR(callable);
        return !(cls->tp_flags & Py_TPFLAGS_HEAPTYPE) && cls != &PyUnicode_Type;
    }
    return type == &PyCFunction_Type
           || (type->tp_call != slot_call && type != &PyFunction_Type && type != &PyMethod_Type
               && !(type->tp_flags & Py_TPFLAGS_TYPE_SUBCLASS));
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
    if (is_called_in_c(*window)) {
        return (PyReg)_PyVM_CallWindow(ts, window, nargs, names);
    }
    if (names == NULL) {
        SimpleCallee callee = simple_callee(f, ts, window, nargs);
        if (callee.func != NULL) {
            PyReg *regs = window + FRAME_WORDS;
            for (Py_ssize_t i = callee.self != NULL ? nargs : 0; i > 0; i--) {
                regs[i] = regs[i - 1];
            }
            return call_simple(f, ts, window, &callee);
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
