/* Frames that C or machine code runs on behalf of an instruction: what the files about this
   share (native.c, native_generators.c, warm.c, steps.c, shown.c). */
#ifndef SB_VM_NATIVE_H
#define SB_VM_NATIVE_H

#include "vm.h"

/* What a frame's end owes to the frame that has called it, while another evaluator or
   machine code runs it. */
typedef struct {
    PyVMFrame *caller;
    PyVMFrame *generator;       /* the frame, if a generator's, else NULL */
    PyReg instance;             /* for RET_INIT: taken from the word below the frame */
    int ret;
    uint16_t dest, skip;
} SavedCall;

static inline SavedCall
save_call(PyVMFrame *f)
{
    return (SavedCall){
        .caller = f->previous,
        .generator = f->owner == FRAME_GENERATOR ? f : NULL,
        .instance = f->ret == RET_INIT ? take_instance(f) : 0,
        .ret = f->ret, .dest = f->dest, .skip = f->skip,
    };
}

/* Ends the calling instruction as the frame itself would have, with its value, or 0 with an
   exception. Not for RET_ENTRY and RET_NATIVE. Returns where to go on. */
VM_HIDDEN PyStep _PyVM_EndSavedCall(PyThreadState *ts, const SavedCall *call, PyReg value);
/* Its part that ends instructions whose frame has returned (steps.c). */
VM_HIDDEN PyStep _PyVM_StepReturned(PyVMFrame *f, PyThreadState *ts, const SavedCall *call,
                                    PyReg value);

/* Goes on where a step has led. */
#define GO_ON(step) \
    do { \
        if ((step).f == NULL) { \
            LEAVE((step).ip); \
        } \
        f = (step).f; \
        ip = (step).ip; \
        RELOAD(); \
        DISPATCH(); \
    } while (0)

/* Runs the frame from its RESUME or JUMP_BACK at `ip` on by machine code, and ends its
   caller's instruction. Returns where to go on, or {f, NULL}: machine code may not be
   entered now. */
VM_HIDDEN PyStep _PyVM_EnterNative(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts);

#define ENTER_NATIVE(otherwise) \
    do { \
        PyStep step_ = _PyVM_EnterNative(f, ip, ts); \
        if (step_.f != NULL && step_.ip == NULL) { \
            TAIL(otherwise); \
        } \
        GO_ON(step_); \
    } while (0)

/* What the evaluator of _PyVM_RunNative() returns if its first frame goes on in machine code, from
   the RESUME or JUMP_BACK at its ip, and a stepper, from the place of its ip, or if it goes on in
   the interpreter, from the thread's goes_on_at: so they take no C stack any more. No register
   holds these words. */
#define GOES_ON_NATIVE ((PyReg)2)
#define GOES_ON_INTERPRETED ((PyReg)4)

/* What enters machine code, and what looks whether that can be done here. */

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

/* Are the thread's frames shown to profilers? */
static inline int
is_shown(PyThreadState *ts)
{
    return unlikely(ts->interp->eval_frame != NULL) && !ts->interp->calls_hooked
           && MAY_BE_SHOWN(ts);
}

/* While frames are shown: do frame pointers lead from this frame of C, which is about to call
   machine code, to the Python frame around it (shown.c)? */
VM_HIDDEN int _PyVM_MayCallShown(PyThreadState *ts, char *fp);

/* May C call machine code directly, without an evaluator? While frames are shown, only if the
   hook would do no more. */
static inline int
may_run_from_c(PyThreadState *ts)
{
    return likely(TS_IMPL(ts)->native_ok) && likely(!_Py_AttentionWanted())
           && likely(!TS_IMPL(ts)->watched) && likely(ts->recursion_remaining > 0)
           && likely(_Py_CStackIsAmple(ts))
           && (likely(ts->interp->eval_frame == NULL)
               || _PyVM_MayCallShown(ts, __builtin_frame_address(0)));
}

/* The first word above a frame that runs. */
static inline PyReg *
top_of(PyVMFrame *f)
{
    return unlikely(f->owner == FRAME_GENERATOR) ? GEN_STACK_TOP(f) : &f->regs[f->code->nregs];
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

static inline int
is_entry(const PyInstr *ip)
{
    return _PyOpcode_Info[ip->op].base == OP_RESUME && ip->a == 0;
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

/* The same for C: NULL with an exception. */
static inline PyObject *
result_of_native(PyThreadState *ts, PyReg value)
{
    if (unlikely(value == 0)) {
        expect_exception(ts, NULL);
        return NULL;
    }
    return boxed(value);
}

#endif
