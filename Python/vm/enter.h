/* The way into a frame from C, and the way into a generator.

   Inline, because this is most of what a call from C costs: sum() of a generator expression
   comes here for every item. The rare cases are in dispatch.c. */
#ifndef SB_VM_ENTER_H
#define SB_VM_ENTER_H

#include "vm.h"
#include "internal/observe.h"

/* Checks a frame against the recursion limit and the C stack: 0 if it may run; 1 with
   RecursionError, and the frame is popped. */
VM_HIDDEN int _PyVM_RefusesFrame(PyThreadState *ts, PyVMFrame *frame);

/* _PyEval_EvalFrameDefault() on top of a block of frame records, in which `frame` has one.
   _PyPerf_Call, in assembly, calls it. */
VM_HIDDEN PyObject *_PyEval_EvalFrameShown(PyThreadState *ts, PyVMFrame *frame, int throwflag,
                                           char *limit);

/* Between the last pop and the return, clang's unwinding information says that the frame
   pointer is still on the stack: below the stack pointer, which is beyond a profiler's
   copy of the stack. The evaluator's caller is found by this register, so the rule for it
   becomes: the word at CFA - 16 while the register points there, otherwise the register
   itself. (DWARF's DW_CFA_val_expression; the numbers are opcodes.) */
#if defined(__x86_64__) && defined(__clang__)
#  define FRAME_POINTER_RULE() \
    __asm__ volatile(".cfi_escape 0x16, 6, 16, "                /* rbp: 16 bytes of */ \
                     "0x40, 0x1c, 0x12, 0x76, 0, 0x29, "        /* CFA - 16 == rbp? */ \
                     "0x28, 6, 0, 0x13, 0x76, 0, 0x2f, 1, 0, "  /* no: rbp */ \
                     "0x06")                                    /* yes: what is there */
#else
#  define FRAME_POINTER_RULE() ((void)0)
#endif

#ifndef VM_STEPS
/* What an evaluator's first handler has led to. */
static inline __attribute__((always_inline)) PyObject *
result_of(PyThreadState *ts, PyObject *result)
{
#ifdef VM_LOOP
    while (result == VM_AGAIN) {
        const struct _PyHandlerTable *table = CURRENT_TABLE(ts);
        const PyInstr *ip = TS_IMPL(ts)->vm_loop_ip;
        result = table->op[(uint16_t)ip->word](TS_IMPL(ts)->vm_loop_frame, ip, ts, table,
                                               ip->word);
    }
#endif
    (void)ts;
    return result;
}

/* Runs the frame that is current, from an instruction on, and those that it calls. */
static inline __attribute__((always_inline)) PyObject *
interpret(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    const struct _PyHandlerTable *table = CURRENT_TABLE(ts);
    return result_of(ts, table->op[(uint16_t)ip->word](f, ip, ts, table, ip->word));
}

/* Runs a frame, which is popped when this returns: by the handler that returns
   from it, or by the unwinder. */
static inline __attribute__((always_inline)) PyObject *
run_frame(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    frame->ret = RET_ENTRY;
    if (unlikely(!_Py_CountRecursiveCall(ts)) && _PyVM_RefusesFrame(ts, frame)) {
        return NULL;
    }
    const PyInstr *ip = frame->ip;
    TS_FRAME(ts) = frame;
    if (likely(throwflag == 0)) {
        /* A generator stopped at its last yield. */
        ip += frame->owner == FRAME_GENERATOR;
begin:
        return interpret(ts, frame, ip);
    }
    if (throwflag == BEGIN_BEHIND_IP) {
        ip++;
        goto begin;
    }
    if (throwflag == BEGIN_NATIVE) {
        frame->ret = RET_NATIVE;
        frame->ip = TS_IMPL(ts)->executed;      /* tracers compare lines */
        goto begin;
    }
    if (throwflag == BEGIN_STEPS) {
        frame->ret = RET_NATIVE;
        return (PyObject *)((PyStepper)TS_IMPL(ts)->stepper)(frame, ip, ts);
    }
    if (unlikely(TS_IMPL(ts)->watched)) {
        _PyVM_TellThrow(ts, frame);
    }
    if (_PyObserve_IsWanted(ts)
        && _PyVM_observers.frame(ts, frame, PyTrace_CALL, Py_None) < 0) {
        return result_of(ts, _PyVM_EndFrame(frame, ip, ts, CURRENT_TABLE(ts), ip->word));
    }
    return result_of(ts, _PyVM_Error(frame, ip, ts, CURRENT_TABLE(ts), ip->word));
}

/* The same from a RESUME on that enters machine code: directly, if nothing is in the way
   (native.c). */
VM_HIDDEN PyObject *_PyVM_EvalNative(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip);

/* The same through the eval hook, if there is one. */
static inline __attribute__((always_inline)) PyObject *
eval_frame(PyThreadState *ts, PyVMFrame *frame, int throwflag)
{
    _PyFrameEvalFunction hook = ts->interp->eval_frame;
    if (likely(hook == NULL)) {
        const PyInstr *ip = frame->ip + (frame->owner == FRAME_GENERATOR);
        if (ip->op == OP_RESUME__NATIVE && likely(throwflag == 0)) {
            return _PyVM_EvalNative(ts, frame, ip);
        }
        return run_frame(ts, frame, throwflag);
    }
    if (unlikely(ts->interp->calls_hooked) || unlikely(!MAY_BE_SHOWN(ts))) {
        return _PyEval_EvalFrame(ts, frame, throwflag);
    }
    void *floor = cover_frame(ts, frame);
    PyObject *result = hook(ts, frame, throwflag);
    TS_FLOOR(ts) = floor;
    return result;
}

#endif

/* Makes a suspended generator's frame current, with `value` as the result of its
   yield. The caller has checked the state. 0, or -1 with RecursionError. Steals
   `value`. */
static inline __attribute__((always_inline)) int
enter_generator(PyThreadState *ts, PyGenObject *gen, PyReg value, PyVMFrame *previous,
                int ret, int dest)
{
    PyVMFrame *f = FRAME_OF_GEN(gen);
    PyVMFrame *below = TS_FRAME(ts);
    PyReg *top = NULL;
    if (likely(below != NULL)) {
        if (below->owner == FRAME_GENERATOR) {
            top = room_above_generator(ts, below, 0);
        }
        else {
            top = &below->regs[below->code->nregs];
            if (unlikely((void *)top < TS_FLOOR(ts))) {
                top = TS_FLOOR(ts);
            }
        }
    }
    if (unlikely(top == NULL)) {
        top = _PyVM_StackTop(ts);
    }
    if (unlikely(top == NULL) || (ret != RET_ENTRY && enter_python(ts) < 0)) {
        reg_release(value);
        return -1;
    }
    if (value != 0) {
        if (gen->gi_frame_state == GEN_SUSPENDED
            && likely(!(f->flags & FRAME_JUMPED))) {
            reg_set(&f->regs[f->ip->c], value);
        }
        else {
            reg_release(value);
        }
    }
    f->flags &= (uint16_t)~FRAME_JUMPED;
    GEN_STACK_TOP(f) = top;
    f->previous = previous;
    f->ret = (uint8_t)ret;
    f->dest = (uint16_t)dest;
    gen->gi_frame_state = GEN_EXECUTING;
    GEN_RESUME_KEY(gen) = JIT_NO_KEY;
    gen->gi_exc_state.previous_item = ts->exc_info;
    ts->exc_info = &gen->gi_exc_state;
    return 0;
}

/* The end of a loop releases its iterator. A comprehension's is its argument, which is there until
   the frame ends, as in CPython: observers hear of that end first. */
static inline void
end_loop(PyVMFrame *f, unsigned iterator)
{
    if (likely(is_temp(f, iterator))) {
        reg_set(&f->regs[iterator], 0);
    }
}

#endif
