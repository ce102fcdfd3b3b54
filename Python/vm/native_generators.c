/* Generators that are resumed in machine code (internal/jit.h): by loops, by yield from and
   await, and by C that sends them a value.

   A suspended generator is resumed where its machine code goes on. If it delegates (yield from,
   await) to another one that is suspended, which may delegate in its turn, then the frames in
   between have nothing to do but to pass values on: they are made current, each at its SEND, and
   the innermost is resumed. When it yields, all are suspended again, none of them having run.
   When it ends, the frame around it goes on behind its SEND; in the interpreter, if it is observed
   by then. While frames are shown to profilers, those that do not run have records. */
#include "enter.h"
#include "generator.h"
#include "native.h"
#include "shown.h"

/* So many delegates are resumed together; those further in by the last of them. */
#define MOST_DELEGATES 32

/* Is it suspended, in the usual way? A frame that has ended has no ip. */
static inline __attribute__((always_inline)) int
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

/* The same as enter_generator(), but that the thread does not know yet. It has no key: new ones
   and those that delegate have none. `handled` is what is handled around it. */
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
    if (step.f == NULL) {
        return (PyReg)step.ip;
    }
    const void *place = _PyJit_PlaceOf(f->code, step.ip);
    if (place == NULL || unlikely(_Py_AttentionWanted()) || unlikely(TS_IMPL(ts)->watched)
        || !may_run_native(ts)) {
        return _PyVM_RunNative(f, step.ip, ts);
    }
    return run_machine_code(f, step.ip, ts, f->code->jit, place);
}

/* Adds the record of a frame to a block. 0: frames are no longer shown. */
static inline int
add_record(PyThreadState *ts, char *volatile *slot, PyVMFrame *f, int lines)
{
    uintptr_t landing = (uintptr_t)f->code->landing - _PyVM_ShownMode;
    if (unlikely((landing & SHOWN_MODE_MASK) != 0)) {
        if (!_PyVM_PublishCode(ts, f->code)) {
            return 0;
        }
        landing = (uintptr_t)f->code->landing - _PyVM_ShownMode;
    }
    char *fp = *slot - RECORD_SIZE;
    write_record(fp, f, landing, f->ip, lines);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *slot = fp;
    return 1;
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

/* May it go on where its machine code has left it (internal/jit.h)? */
static inline __attribute__((always_inline)) int
has_place(const PyGenObject *gen)
{
    return GEN_RESUME_KEY(gen) == _PyVMCode_CAST(gen->gi_code)->resume_key;
}

static inline __attribute__((always_inline)) PyReg
go_on_at_place(PyVMFrame *previous, PyThreadState *ts, PyGenObject *gen, PyReg *top, PyReg value,
               _PyErr_StackItem *handled)
{
    PyVMFrame *inner = FRAME_OF_GEN(gen);
    PyReg **word = (PyReg **)&inner->regs[_PyVMCode_CAST(gen->gi_code)->nregs];
    PyJitEntry entry = (PyJitEntry)(uintptr_t)*word;
    *word = top;                /* GEN_STACK_TOP(inner) */
    inner->regs[inner->ip->c] = value;
    inner->previous = previous;
    gen->gi_frame_state = GEN_EXECUTING;
    GEN_RESUME_KEY(gen) = JIT_NO_KEY;
    gen->gi_exc_state.previous_item = handled;
    make_current(ts, gen);
    return entry(inner, ts);
}

static inline __attribute__((always_inline)) PyReg
resume_innermost(PyVMFrame *previous, PyThreadState *ts, PyGenObject *gen, PyReg *top,
                 PyReg value, _PyErr_StackItem *handled)
{
    if (likely(has_place(gen))) {
        return go_on_at_place(previous, ts, gen, top, value, handled);
    }
    PyVMFrame *inner = FRAME_OF_GEN(gen);
    GEN_RESUME_KEY(gen) = JIT_NO_KEY;
    prepare(gen, previous, top, value, handled);
    make_current(ts, gen);
    const PyInstr *ip = inner->ip + 1;
    const void *place = ip->op == OP_RESUME__NATIVE ? _PyJit_PlaceOf(inner->code, ip + 1) : NULL;
    return place != NULL ? ((const PyJitCode *)inner->code->jit)->entry_at(inner, ts, place)
                         : _PyVM_RunNative(inner, ip, ts);
}

/* `delegate` is that of `gen`. There is room for two calls at least. slot: that of a block of
   records, if those that delegate are to have such: a record is removed when its frame runs.
   Otherwise NULL. */
static inline __attribute__((always_inline)) PyReg
resume_together(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyGenObject *delegate,
                PyReg *top, PyReg value, char *volatile *slot)
{
    PyGenObject *all[MOST_DELEGATES];
    PyVMFrame *previous = f;
    _PyErr_StackItem *handled = ts->exc_info;
    int lines = slot != NULL
                && SHOWS_LINES((const struct _PyHandlerTable *)ts->interp->shown_table);
    int n = 0, most = Py_MIN(MOST_DELEGATES, ts->recursion_remaining - 1);
    do {
        prepare(gen, previous, top, 0, handled);
        previous = FRAME_OF_GEN(gen);
        previous->ip -= CALL_WORDS;
        handled = &gen->gi_exc_state;
        all[n++] = gen;
        gen = delegate;
        if (slot != NULL && !add_record(ts, slot, previous, lines)) {
            *slot += (n - 1) * RECORD_SIZE;     /* frames are no longer shown */
            slot = NULL;
        }
    } while (n < most && (delegate = resumable_delegate(gen)) != NULL);
    ts->recursion_remaining -= n;
    value = resume_innermost(previous, ts, gen, top, value, handled);
    while (n > 0 && (value == 0 || gen->gi_frame_state != GEN_SUSPENDED
                     || unlikely(!TS_IMPL(ts)->native_ok))) {
        delegate = gen;
        gen = all[--n];
        if (slot != NULL) {
            *slot += RECORD_SIZE;
        }
        value = go_on_behind_send(ts, FRAME_OF_GEN(gen), delegate, value);
    }
    if (likely(n > 0)) {
        suspend_again(ts, f, all, n);
    }
    return value;
}

/* What a function below a block of records gets by way of the thread. */
typedef struct {
    PyGenObject *gen, *delegate;
    PyReg *top;
    PyReg value;
} Resumption;

/* A _PyVM_BlockUser. */
static uintptr_t
resume_shown(PyThreadState *ts, PyVMFrame *f, int Py_UNUSED(how), char *Py_UNUSED(limit),
             char *Py_UNUSED(base))
{
    FRAME_POINTER_RULE();
    const Resumption *r = TS_IMPL(ts)->resumption;
    return resume_together(f, ts, r->gen, r->delegate, r->top, r->value,
                           __builtin_frame_address(0));
}

static __attribute__((noinline)) PyReg
resume_with_block(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyGenObject *delegate,
                  PyReg *top, PyReg value)
{
    Resumption r = {gen, delegate, top, value};
    TS_IMPL(ts)->resumption = &r;
    return _PyVM_CallWithBlock(ts, f, 0, RECORD_BLOCK_FOR(MOST_DELEGATES), resume_shown);
}

/* A generator that is not suspended: it begins, or has an end. */
static __attribute__((noinline)) PyReg
resume_new(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg *top, PyReg value,
           const PyInstr *ip)
{
    PyVMFrame *inner = FRAME_OF_GEN(gen);
    if (gen->gi_frame_state != GEN_CREATED || ip->op != OP_RESUME__NATIVE || value != REG_NONE
        || inner->flags != 0 || !is_entry(ip)) {
        return JIT_NOT_DONE;
    }
    begin(gen, f, top, ts->exc_info);
    make_current(ts, gen);
    inner->ip = ip;
    return ((const PyJitCode *)inner->code->jit)->entry(inner, ts);
}

/* Resumes a generator whose machine code has not left it where it goes on: it delegates to another
   one, say, or is at a `x = yield`. */
static __attribute__((noinline)) PyReg
resume_unusual(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg *top, PyReg value)
{
    PyVMFrame *inner = FRAME_OF_GEN(gen);
    const PyInstr *ip = inner->ip + 1;
    if (gen->gi_frame_state != GEN_SUSPENDED) {
        return resume_new(f, ts, gen, top, value, ip);
    }
    if (ip->op != OP_RESUME__NATIVE || !is_resumable(gen)) {
        return JIT_NOT_DONE;
    }
    PyGenObject *delegate = resumable_delegate(gen);
    if (delegate != NULL && likely(ts->recursion_remaining > 1)) {
        return is_shown(ts) ? resume_with_block(f, ts, gen, delegate, top, value)
                            : resume_together(f, ts, gen, delegate, top, value, NULL);
    }
    const void *place = _PyJit_PlaceOf(inner->code, ip + 1);
    if (place == NULL) {
        return JIT_NOT_DONE;
    }
    GEN_RESUME_KEY(gen) = JIT_NO_KEY;
    prepare(gen, f, top, value, ts->exc_info);
    make_current(ts, gen);
    return ((const PyJitCode *)inner->code->jit)->entry_at(inner, ts, place);
}

/* Can a frame be pushed there? */
static inline __attribute__((always_inline)) int
has_room(PyThreadState *ts, PyReg *top)
{
    return likely((void *)top >= TS_FLOOR(ts)) && likely(frame_fits(ts, top));
}

/* Resumes a generator for `f` with `value`, whose reference it takes. What it yields or returns,
   as an owned word; 0 with an exception; JIT_NOT_DONE: this is not the usual case. Machine code
   may go on. */
static inline __attribute__((always_inline)) PyReg
resume_natively(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    PyReg *top = top_of(f);
    if (unlikely(!has_room(ts, top))) {
        return JIT_NOT_DONE;
    }
    return likely(has_place(gen)) ? go_on_at_place(f, ts, gen, top, value, ts->exc_info)
                                  : resume_unusual(f, ts, gen, top, value);
}

/* May machine code resume, or do others want their turn, or is the stack short? */
static inline __attribute__((always_inline)) int
is_undisturbed(PyThreadState *ts)
{
    return !_Py_AttentionWanted() && likely(!TS_IMPL(ts)->watched)
           && likely(ts->recursion_remaining > 0) && likely(_Py_CStackIsAmple(ts));
}

/* The same for machine code and its steps. */
static inline __attribute__((always_inline)) PyReg
resume_from_native(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    return is_undisturbed(ts) ? resume_natively(f, ts, gen, value) : JIT_NOT_DONE;
}

/* The same for one that has no place, if that is known. */
static inline __attribute__((always_inline)) PyReg
resume_placeless(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    PyReg *top = top_of(f);
    return is_undisturbed(ts) && has_room(ts, top) ? resume_unusual(f, ts, gen, top, value)
                                                   : JIT_NOT_DONE;
}

/* In the most usual case by far, little has to be kept over the call: where the generator's frame can
   go on, or NULL. */
static inline __attribute__((always_inline)) PyReg *
room_at_place(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen)
{
    PyReg *top = has_place(gen) && likely(is_undisturbed(ts)) ? top_of(f) : NULL;
    return top != NULL && likely(has_room(ts, top)) ? top : NULL;
}

/* What a loop gets from a generator that has given `value`. */
static inline __attribute__((always_inline)) PyReg
item_for_loop(const PyGenObject *gen, PyReg value)
{
    if (likely(gen->gi_frame_state == GEN_SUSPENDED) || value == 0) {
        return value;
    }
    reg_release(value);
    return JIT_LOOP_ENDS;
}

static __attribute__((noinline)) PyReg
next_unusual(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen)
{
    PyReg value = resume_placeless(f, ts, gen, REG_NONE);
    if (unlikely(value == JIT_NOT_DONE)) {
        if (gen->gi_frame_state >= GEN_EXECUTING) {
            PyObject *item = Py_TYPE(gen)->tp_iternext((PyObject *)gen);
            return item != NULL ? (PyReg)item : _PyErr_Occurred(ts) ? 0 : JIT_LOOP_ENDS;
        }
        if (enter_generator(ts, gen, REG_NONE, f, RET_NATIVE, 0) < 0) {
            return 0;
        }
        TS_FRAME(ts) = FRAME_OF_GEN(gen);
        value = _PyVM_CallFrame(ts, FRAME_OF_GEN(gen));
    }
    return item_for_loop(gen, value);
}

PyReg
_PyVM_NextForLoop(PyVMFrame *f, PyThreadState *ts, PyObject *object)
{
    PyGenObject *gen = (PyGenObject *)object;
    PyReg *top = room_at_place(f, ts, gen);
    if (likely(top != NULL)) {
        return item_for_loop(gen, go_on_at_place(f, ts, gen, top, REG_NONE, ts->exc_info));
    }
    return next_unusual(f, ts, gen);
}

static __attribute__((noinline)) PyReg
send_unusual(PyVMFrame *f, PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    PyReg given = resume_placeless(f, ts, gen, value);
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
        (void)_PyGen_AmSend((PyObject *)gen, sent, &result);
        Py_DECREF(sent);
    }
    return (PyReg)result;
}

PyReg
_PyVM_SendTo(PyVMFrame *f, PyThreadState *ts, PyObject *object)
{
    PyGenObject *gen = (PyGenObject *)object;
    PyReg value = operand_take(f, f->ip->b);
    PyReg *top = room_at_place(f, ts, gen);
    if (likely(top != NULL)) {
        return go_on_at_place(f, ts, gen, top, value, ts->exc_info);
    }
    return send_unusual(f, ts, gen, value);
}

/* A step of an asynchronous generator with `value`. */
static PyReg
send_to_step(PyVMFrame *f, PyThreadState *ts, PyObject *asend, PyObject *value)
{
    PyObject *gen = (PyObject *)((_PyAsyncGenASend *)asend)->gen;
    if (_PyAsyncGen_BeginStep(asend, &value) < 0) {
        return 0;
    }
    /* Its own reference: the operand's dies with what the awaitable holds. */
    Py_INCREF(value);
    PyReg given = resume_from_native(f, ts, (PyGenObject *)gen, (PyReg)value);
    if (given == JIT_NOT_DONE) {
        (void)_PyGen_AmSend(gen, value, (PyObject **)&given);
        Py_DECREF(value);
    }
    return _PyAsyncGen_EndStep(asend, given);
}

PyReg
_PyVM_SendToStep(PyVMFrame *f, PyThreadState *ts, PyObject *asend)
{
    PyObject *value = reg_object(&f->regs[f->ip->b]);
    PyReg given = value == NULL ? 0 : send_to_step(f, ts, asend, value);
    if (given != 0) {
        operand_done(f, f->ip->b);
    }
    return given;
}

/* By way of an awaitable: the generator is new or ends, say. */
static __attribute__((noinline)) PyReg
next_item_unusual(PyVMFrame *f, PyThreadState *ts, PyObject *gen)
{
    PyReg *slot = &f->regs[f->ip->a];
    PyObject *asend = _PyCoro_GetAnext(gen);
    if (asend == NULL) {
        return 0;
    }
    reg_set(slot, (PyReg)asend);
    PyReg given = send_to_step(f, ts, asend, Py_None);
    if (given != 0 && ((_PyAsyncGenASend *)asend)->state == AWAITABLE_CLOSED) {
        reg_set(slot, 0);
    }
    return given;
}

PyReg
_PyVM_NextItem(PyVMFrame *f, PyThreadState *ts, PyObject *object)
{
    PyAsyncGenObject *gen = (PyAsyncGenObject *)object;
    PyReg *slot = &f->regs[f->ip->a];
    reg_set(slot, 0);
    if (unlikely(!_PyAsyncGen_MayStep(gen))) {
        return next_item_unusual(f, ts, object);
    }
    gen->ag_running_async = TAKES_BARE_ITEMS;
    PyReg given = resume_from_native(f, ts, (PyGenObject *)object, REG_NONE);
    if (unlikely(given == JIT_NOT_DONE)) {
        gen->ag_running_async = 0;
        return next_item_unusual(f, ts, object);
    }
    return _PyAsyncGen_EndBareStep(gen, given, slot);
}

PyReg
_PyVM_WrapItem(PyVMFrame *f, PyThreadState *Py_UNUSED(ts))
{
    PyReg item = operand_take(f, f->ip->b);
    return GEN_OF_FRAME(f)->gi_running_async == TAKES_BARE_ITEMS ? item
           : (PyReg)_PyAsyncGen_Wrap(item);
}

static inline __attribute__((always_inline)) PyObject *
resume_from_c(PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    PyVMFrame *f = TS_FRAME(ts);
    if (unlikely(f == NULL) || unlikely(!may_run_from_c(ts))) {
        return (PyObject *)JIT_NOT_DONE;
    }
    begin_native(ts);
    value = resume_natively(f, ts, gen, value);
    end_native(ts);
    return result_of_native(ts, value);
}

PyObject *
_PyVM_ResumeNative(PyThreadState *ts, PyGenObject *gen, PyReg value)
{
    return resume_from_c(ts, gen, value);
}

/* What next() gives for the word of a generator that has not yielded. */
static __attribute__((noinline)) PyObject *
end_for_c(PyThreadState *ts, PyReg value)
{
    PyObject *returned = result_of_native(ts, value);
    return returned == NULL ? NULL : _PyGen_EndIteration(returned);
}

PyObject *
_PyVM_NextForC(PyThreadState *ts, PyGenObject *gen)
{
    PyObject *item = resume_from_c(ts, gen, REG_NONE);
    if (likely(gen->gi_frame_state == GEN_SUSPENDED) || item == NULL
        || unlikely(item == (PyObject *)JIT_NOT_DONE)) {
        return item;
    }
    return _PyGen_EndIteration(item);
}

/* In the most usual case by far this is little more than what a loop in machine code does. */
PyObject *
_PyVM_GenNext(PyObject *self)
{
    PyGenObject *gen = (PyGenObject *)self;
    PyThreadState *ts = _PyThreadState_GET();
    PyVMFrame *f = TS_FRAME(ts);
    if (unlikely(!has_place(gen)) || unlikely(f == NULL) || unlikely(!may_run_from_c(ts))) {
        return _PyGen_NextUnusual(gen);
    }
    PyReg *top = top_of(f);
    if (unlikely(!has_room(ts, top))) {
        return _PyGen_NextUnusual(gen);
    }
    begin_native(ts);
    PyReg value = go_on_at_place(f, ts, gen, top, REG_NONE, ts->exc_info);
    end_native(ts);
    return likely(gen->gi_frame_state == GEN_SUSPENDED) ? boxed(value) : end_for_c(ts, value);
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
