/* Jumps, and the return from a frame. */
#include "endings.h"
#include "internal/type.h"

/* -------------------------------------------------------------------- jumps */

SLOW(handle_pending)
{
    SAVE_IP();
    if (_Py_HandlePending(ts) < 0) {
        ERROR();
    }
    RELOAD();
    ip++;
    if (_PyOpcode_Info[(uint16_t)word].base == OP_JUMP_BACK) {
        ip += BC;
    }
    SHOW_RUNNING();
    DISPATCH();
}

HANDLER(RESUME)
{
    if (_Py_AttentionWanted() && A < 2) {
        TAIL(handle_pending);
    }
    NEXT(0);
}

HANDLER(JUMP)
{
    JUMP_BY(0, BC);
}

HANDLER(JUMP_BACK)
{
    if (_Py_AttentionWanted()) {
        TAIL(handle_pending);
    }
    JUMP_BY(0, BC);
}

SLOW(truth_jump)
{
    SAVE_IP();
    int op = word & 0xffff;
    int truth = reg_known_truth(R(A));
    if (unlikely(truth < 0)) {
        TRY_METHOD(_PyVM_PushTruth(ts, f, R(A)));
        truth = PyObject_IsTrue(REG_PTR(R(A)));
    }
    FINISH_TRUTH_JUMP(truth, op);
}

/* Of objects whose truth is known and that do not die: nothing is called. */
#define KNOWN_TRUTH_JUMP(name, jumps_if) \
    SLOW(name) \
    { \
        PyReg value = R(A); \
        int truth = value == (PyReg)Py_None ? 0 : reg_known_truth(value); \
        if (unlikely(truth < 0)) { \
            TAIL(truth_jump); \
        } \
        if (is_temp(f, A) && !REG_IS_INT(value)) { \
            if (REG_PTR(value)->ob_refcnt == 1) { \
                TAIL(truth_jump); \
            } \
            REG_PTR(value)->ob_refcnt--; \
            R(A) = 0; \
        } \
        if (truth == (jumps_if)) { \
            JUMP_BY(0, BC); \
        } \
        NEXT(0); \
    }

KNOWN_TRUTH_JUMP(jump_if_true_slow, 1)
KNOWN_TRUTH_JUMP(jump_if_false_slow, 0)

/* A dead temporary may keep True, False or None: see REG_BOOL. */
HANDLER(JUMP_IF_TRUE)
{
    PyReg value = R(A);
    if (value == (PyReg)Py_True) {
        JUMP_BY(0, BC);
    }
    if (value == (PyReg)Py_False) {
        NEXT(0);
    }
    TAIL(jump_if_true_slow);
}

HANDLER(JUMP_IF_FALSE)
{
    PyReg value = R(A);
    if (value == (PyReg)Py_False) {
        JUMP_BY(0, BC);
    }
    if (value == (PyReg)Py_True) {
        NEXT(0);
    }
    TAIL(jump_if_false_slow);
}

HANDLER(JUMP_IF_TRUE_OR_DROP)
{
    if (R(A) == (PyReg)Py_True) {
        JUMP_BY(0, BC);
    }
    TAIL(truth_jump);
}

HANDLER(JUMP_IF_FALSE_OR_DROP)
{
    if (R(A) == (PyReg)Py_False) {
        JUMP_BY(0, BC);
    }
    TAIL(truth_jump);
}

SLOW(drop_and_next)
{
    SAVE_IP();
    operand_done(f, A);
    NEXT_RELOAD(0);
}

SLOW(drop_and_jump)
{
    SAVE_IP();
    operand_done(f, A);
    RELOAD();
    JUMP_BY(0, BC);
}

HANDLER(JUMP_IF_NONE)
{
    if (R(A) == (PyReg)Py_None) {
        JUMP_BY(0, BC);
    }
    TAIL(drop_and_next);
}

HANDLER(JUMP_IF_NOT_NONE)
{
    if (R(A) == (PyReg)Py_None) {
        NEXT(0);
    }
    TAIL(drop_and_jump);
}

/* ------------------------------------------------------------------ return

   What ends a frame exists twice: as it is by default, and for frames that are
   shown to native profilers, whose record is taken back. */

/* A value as an object for C code. Steals the value; returns a new reference. */
static NEEDS_LOCALS PyObject *
object_of(PyReg value)
{
    if (REG_IS_INT(value) && _PyVM_Box(&value) == NULL) {
        return NULL;
    }
    return REG_PTR(value);
}

/* The value as the evaluator gives it. */
#define LEAVE_WITH(ret, value) \
    LEAVE((ret) == RET_NATIVE ? (value) : (PyReg)object_of(value))

/* The end of any frame, for all kinds of RET_…; the result travels in `word`. */
#define RETURN_VALUE(name, ended) \
    SLOW(name) \
    { \
        SAVE_IP(); \
        PyReg value = word; \
        PyVMFrame *previous = f->previous; \
        int ret = f->ret; \
        unsigned dest = f->dest, skip = f->skip; \
        PyReg instance = ret == RET_INIT ? take_instance(f) : 0; \
        if (f->owner == FRAME_GENERATOR) { \
            _PyVM_LeaveGenerator(ts, f, GEN_COMPLETED); \
        } \
        unsigned flags = f->flags; \
        _PyVM_ClearFrame(ts, f); \
        TS_FRAME(ts) = previous; \
        leave_python_frame(ts, flags); \
        if (RET_LEAVES(ret)) { \
            LEAVE_WITH(ret, value); \
        } \
        ended(ts, f); \
        f = previous; \
        ip = f->ip; \
        GIVE_RETURNED(ret, dest, skip, value, instance); \
    }

RETURN_VALUE(return_value, IS_NOT_SHOWN)
RETURN_VALUE(return_shown_value, take_record_back)

/* Calls within the VM need no detour through the global offset table. */
static __attribute__((noinline)) void
deallocate(PyObject *op)
{
    _Py_Dealloc(op);
}

/* Releases the variables of a frame that ends. */
static inline __attribute__((always_inline)) void
release_variables(PyVMFrame *f)
{
    PyReg *local = f->regs, *end = local + f->code->first_temp;
    for (; local != end; local++) {
        PyReg dead = *local;
        if (REG_IS_PTR(dead)) {
            *local = 0;
            if (--REG_PTR(dead)->ob_refcnt == 0) {
                begin_leaving(f);
                deallocate(REG_PTR(dead));
            }
        }
    }
}

/* Leaves the header of such a frame dead; its caller is current from then on. */
static inline __attribute__((always_inline)) PyVMFrame *
pop_header(PyThreadState *ts, PyVMFrame *ended)
{
    PyObject *func = ended->func;
    PyVMFrame *caller = ended->previous;
    TS_FRAME(ts) = caller;
    ended->func = NULL;
    ended->code = NULL;
    ended->previous = NULL;
    ended->ip = NULL;
    ((PyReg *)ended)[6] = 0;
    if (unlikely(--func->ob_refcnt == 0)) {
        deallocate(func);
    }
    return caller;
}

/* A frame without a frame object and locals mapping returns to the frame that called it.
   Only f, ts and the value are needed after the releases, so that they stay in
   machine registers. */
#define RETURN_PLAIN(value, took, other) \
    do { \
        release_variables(f); \
        if (unlikely(f->frame_obj != NULL)) { \
            /* A destructor has asked for the frame object of the ending frame. */ \
            word = (value); \
            RELOAD(); \
            ip = f->ip; \
            TAIL(other); \
        } \
        took(ts, f); \
        unsigned dest = f->dest, skip = f->skip; \
        leave_python(ts); \
        f = pop_header(ts, f); \
        ip = f->ip; \
        RELOAD(); \
        WRITE(dest, value); \
        ip += skip; \
        DISPATCH(); \
    } while (0)

/* The same where the call may have counted twice. */
static inline PyVMFrame *
pop_plain(PyThreadState *ts, PyVMFrame *f)
{
    leave_python_frame(ts, f->flags);
    return pop_header(ts, f);
}

/* The same for an __init__: the result is the instance below the frame. */
#define RETURN_INIT(name, took, other) \
    SLOW(name) \
    { \
        SAVE_IP(); \
        PyVMFrame *frame = f; \
        _PyVM_ReleaseVariables(frame); \
        if (unlikely(frame->frame_obj != NULL)) { \
            word = REG_NONE; \
            TAIL(other); \
        } \
        unsigned dest = frame->dest; \
        PyReg instance = take_instance(frame); \
        took(ts, frame); \
        f = pop_plain(ts, frame); \
        ip = f->ip; \
        WRITE(dest, instance); \
        NEXT_RELOAD(2); \
    }

RETURN_INIT(return_init, IS_NOT_SHOWN, return_value)
RETURN_INIT(return_shown_init, take_record_back, return_shown_value)

/* The same for the method of an operator, whose value travels in `word`. */
#define RETURN_METHOD(name, took, other) \
    SLOW(name) \
    { \
        PyVMFrame *frame = f; \
        _PyVM_ReleaseVariables(frame); \
        if (unlikely(frame->frame_obj != NULL)) { \
            RELOAD(); \
            TAIL(other); \
        } \
        took(ts, frame); \
        f = pop_plain(ts, frame); \
        ip = f->ip; \
        TAIL(_PyVM_MethodReturned); \
    }

RETURN_METHOD(return_method, IS_NOT_SHOWN, return_value)
RETURN_METHOD(return_shown_method, take_record_back, return_shown_value)

/* The same to what called the evaluator: an eval hook, a function like sorted(), machine
   code. The value travels in `word`. */
SLOW(return_to_c)
{
    SAVE_IP();
    PyReg value = word;
    int ret = f->ret;
    begin_leaving(f);
    PyReg *local = f->regs, *end = local + f->code->first_temp;
    for (; local != end; local++) {
        PyReg dead = *local;
        *local = 0;
        reg_release(dead);
    }
    if (unlikely(f->frame_obj != NULL)) {
        RELOAD();
        TAIL(return_value);     /* which returns to C, too */
    }
    (void)pop_plain(ts, f);
    LEAVE_WITH(ret, value);
}

#define IS_PLAIN_RETURN_TO_C() \
    (RET_LEAVES(f->ret) && f->owner == FRAME_THREAD && f->frame_obj == NULL \
     && f->locals == NULL)

#define IS_PLAIN_METHOD_RETURN() \
    (f->ret == RET_METHOD && f->frame_obj == NULL && f->locals == NULL)

#define IS_PLAIN_RETURN() \
    (((uintptr_t)f->frame_obj | (uintptr_t)f->locals | f->ret) == 0)

#define RETURN_SLOW(name, method, other) \
    SLOW(name) \
    { \
        SAVE_IP(); \
        word = operand_take(f, A); \
        if (likely(IS_PLAIN_RETURN_TO_C())) { \
            TAIL(return_to_c); \
        } \
        if (IS_PLAIN_METHOD_RETURN()) { \
            TAIL(method); \
        } \
        TAIL(other); \
    }

RETURN_SLOW(return_slow, return_method, return_value)
RETURN_SLOW(return_shown_slow, return_shown_method, return_shown_value)

HANDLER(RETURN)
{
    if (unlikely(!IS_PLAIN_RETURN())) {
        TAIL(return_slow);
    }
    SAVE_IP();
    PyReg value = R(A);
    R(A) = 0;
    RETURN_PLAIN(value, IS_NOT_SHOWN, return_value);
}

SHARED_SLOW(_PyVM_ShownReturn)
{
    if (unlikely(!IS_PLAIN_RETURN())) {
        TAIL(return_shown_slow);
    }
    SAVE_IP();
    PyReg value = R(A);
    R(A) = 0;
    RETURN_PLAIN(value, take_record_back, return_shown_value);
}

#define RETURN_NONE_SLOW(name, init, method, other) \
    SLOW(name) \
    { \
        if (f->ret == RET_INIT && f->frame_obj == NULL && f->locals == NULL \
            && f->owner == FRAME_THREAD) { \
            TAIL(init); \
        } \
        SAVE_IP(); \
        word = REG_NONE; \
        if (likely(IS_PLAIN_RETURN_TO_C())) { \
            TAIL(return_to_c); \
        } \
        if (IS_PLAIN_METHOD_RETURN()) { \
            TAIL(method); \
        } \
        TAIL(other); \
    }

RETURN_NONE_SLOW(return_none_slow, return_init, return_method, return_value)
RETURN_NONE_SLOW(return_shown_none_slow, return_shown_init, return_shown_method,
                 return_shown_value)

HANDLER(LOAD_CONST__RETURN_NONE)
{
    if (unlikely(!IS_PLAIN_RETURN())) {
        TAIL(return_none_slow);
    }
    SAVE_IP();
    RETURN_PLAIN(REG_NONE, IS_NOT_SHOWN, return_value);
}

SHARED_SLOW(_PyVM_ShownReturnNone)
{
    if (unlikely(!IS_PLAIN_RETURN())) {
        TAIL(return_shown_none_slow);
    }
    SAVE_IP();
    RETURN_PLAIN(REG_NONE, take_record_back, return_shown_value);
}
