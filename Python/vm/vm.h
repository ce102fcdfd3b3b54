/* How opcode handlers are written.

   A handler is a function of five words that stay in machine registers from
   one instruction to the next:

     f      the running frame              ip     the running instruction
     ts     the thread state               table  the handlers in force
     word   *ip, the instruction word

   and ends in a tail call of the next handler. The same source builds in three
   ways, by the first that the compiler can do:
     - clang with `musttail` and `preserve_none`: the five words live in
       registers that C calls preserve, so calling C saves nothing;
     - gcc when optimising: sibling calls;
     - otherwise (VM_LOOP): the handler leaves frame and ip in the thread state
       and returns VM_AGAIN to a loop in _PyEval_EvalFrameDefault.
   steps.c compiles it once more (VM_STEPS), into functions that execute one instruction
   and return where to go on: machine code calls these for instructions that it has no
   code for. There, `table` has no meaning.

   Rules for handlers:
     - before C code that can look at the frame (allocate, release, raise):
       f->ip = ip. SAVE_IP() does it;
     - after C code that can run Python: the handlers in force may have
       changed. NEXT_RELOAD reloads the table, NEXT does not;
     - what is rare goes to a `SLOW` handler by TAIL, so that the common
       path needs no stack frame. */
#ifndef SB_VM_VM_H
#define SB_VM_VM_H

#include "Python.h"
#include <stddef.h>
#include "internal/code.h"
#include "internal/frame.h"
#include "internal/pystate.h"
#include "internal/call.h"
#include "internal/errors.h"
#include "internal/int.h"
#include "internal/jit.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/truth.h"
#include "internal/vm.h"

#ifndef __has_attribute
#  define __has_attribute(x) 0
#endif

#ifndef __has_feature
#  define __has_feature(x) 0
#endif

/* The address sanitizer's stack frames and preserve_none exclude each other. */
#if defined(VM_FORCE_LOOP) || defined(__SANITIZE_ADDRESS__) \
        || __has_feature(address_sanitizer)
#  define VM_LOOP 1
#elif defined(__clang__) && __has_attribute(musttail) \
        && __has_attribute(preserve_none)
#  define VM_MUSTTAIL __attribute__((musttail))
#  define PRESERVE_NONE __attribute__((preserve_none))
#elif defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#  define VM_MUSTTAIL
#else
#  define VM_LOOP 1
#endif
#ifndef PRESERVE_NONE
#  define PRESERVE_NONE
#endif

#define VM_PARAMS \
    PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, \
    const struct _PyHandlerTable *table, uint64_t word
#define VM_ARGS f, ip, ts, table, word

#define VM_HIDDEN __attribute__((visibility("hidden")))

struct _PyHandlerTable;
typedef PRESERVE_NONE PyObject *(*PyHandler)(VM_PARAMS);

/* The declaration and the definition of a handler begin with these. */
#ifdef VM_STEPS
#  define VM_FUNCTION(name) static __attribute__((unused)) PyStep step_##name(VM_PARAMS)
#  define VM_DECLARE(name) VM_FUNCTION(name)
#else
#  define VM_FUNCTION(name) PRESERVE_NONE PyObject *name(VM_PARAMS)
#  define VM_DECLARE(name) VM_HIDDEN VM_FUNCTION(name)
#endif

/* The second part is for instructions that begin a line while lines are shown
   (PyInstr.line is 1), the third and fourth for those that are monitored. */
#define LINE_BANK 256
#define LINE_MARK ((uint64_t)LINE_BANK)
#define MONITOR_BANK (2 * LINE_BANK)
#define MONITOR_MARK ((uint64_t)MONITOR_BANK)
struct _PyHandlerTable {
    PyHandler op[2 * MONITOR_BANK];
};
/* Calls the monitors of a marked instruction (monitored.c). */
VM_HIDDEN PRESERVE_NONE PyObject *_PyVM_Monitored(VM_PARAMS);
/* Copies of tables for threads in which a tool wants events of all code; and back. */
VM_HIDDEN const struct _PyHandlerTable *_PyVM_Watched(const struct _PyHandlerTable *table);
VM_HIDDEN const struct _PyHandlerTable *_PyVM_Unwatched(const struct _PyHandlerTable *table);
/* Tells tools of the exception that is set; it may be another one afterwards. */
VM_HIDDEN void _PyVM_TellException(PyThreadState *ts, PyVMFrame *f, int event);
VM_HIDDEN void _PyVM_TellThrow(PyThreadState *ts, PyVMFrame *f);
/* Machine code is to be left: looks whether the thread has done so. */
VM_HIDDEN void _PyVM_EndDraining(PyThreadState *ts);
#define MONITOR_BANKS [MONITOR_BANK ... 2 * MONITOR_BANK - 1] = _PyVM_Monitored
_Static_assert(OP__COUNT <= LINE_BANK, "an opcode is a byte");

extern const struct _PyHandlerTable _PyVM_default_table VM_HIDDEN;
/* As the default, but calls and rounds of loops are counted for the compiler (warm.c). */
extern const struct _PyHandlerTable _PyVM_counting_table VM_HIDDEN;
/* As the default, but frames have records for stack walkers, which tell the running line
   (shown_lines.c). */
extern const struct _PyHandlerTable _PyVM_lines_table VM_HIDDEN;
extern const struct _PyHandlerTable _PyVM_counting_lines_table VM_HIDDEN;
#define SHOWS_LINES(table) \
    ((table) == &_PyVM_lines_table || (table) == &_PyVM_counting_lines_table)
/* Reports lines, calls and returns to observers, and checks the operands of frames that
   lack variables; then runs the default handler. */
extern const struct _PyHandlerTable _PyVM_observe_table VM_HIDDEN;
extern const struct _PyHandlerTable _PyVM_profile_table VM_HIDDEN;

#define OP(name, cache, operands) VM_DECLARE(op_##name);
#include "internal/opcodes.def"
#undef OP

/* Code that takes the address of a local variable can't be part of a handler: gcc would
   then call the next handler instead of jumping to it, and every execution would use up
   C stack (Tests/python/test_dispatch.py). Results come back in registers. */
#define NEEDS_LOCALS __attribute__((noinline))

#define HANDLER(name) VM_FUNCTION(op_##name)
#ifdef VM_STEPS
#  define SLOW(name) __attribute__((noinline)) VM_FUNCTION(name)
#else
#  define SLOW(name) static __attribute__((noinline)) VM_FUNCTION(name)
#endif
#define SHARED_SLOW(name) __attribute__((noinline)) VM_FUNCTION(name)

/* Operands of the instruction. */
#define A ((uint16_t)(word >> 16))
#define B ((uint16_t)(word >> 32))
#define C ((uint16_t)(word >> 48))
#define BC ((int32_t)((int64_t)word >> 32))     /* signed */
#define UBC ((uint32_t)(word >> 32))
#define SIMM_B ((int16_t)(word >> 32))
#define SIMM_C ((int16_t)((int64_t)word >> 48))
#define CACHE(n) ((PyCacheWord *)(ip + 1 + (n)))

#define R(i) (f->regs[i])

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define TS_IMPL(ts) ((_PyThreadStateImpl *)(ts))
/* The reservation that frames lie in, or 0; its end for beginnings of new frames;
   and the floor: no frame begins below it. They are stored in the fields of
   CPython's data stack, because greenlet switches these (vm_stack.c).

   The rule of the floor. The next frame of a thread begins above the registers
   of its current one, and whatever allocates, releases or raises may push one:
   a finalizer, the callback of a weak reference. So words above the current
   frame's registers are written in one of two ways:
     - in one go: nothing between the first word and the change of TS_FRAME can
       allocate, release or raise;
     - covered: TS_FLOOR is raised above them before anything else happens, and
       put back when their frame is current or they are dead. _PyVM_TakeWindow()
       and window_on_stack() (call_window.c) take words and cover them in one step;
       cover_frame() covers a frame that is complete but not yet current. */
#define TS_STACK(ts) (*(uintptr_t *)&(ts)->datastack_chunk)
#define TS_STACK_END(ts) (*(uintptr_t *)&(ts)->datastack_limit)
#define TS_FLOOR(ts) (*(void **)&(ts)->datastack_top)
#define CURRENT_TABLE(ts) \
    ((const struct _PyHandlerTable *)TS_IMPL(ts)->vm_table)
/* If a hook is set: does it apply to this thread? Not the one that shows frames, if the
   thread switches stacks. */
#define MAY_BE_SHOWN(ts) \
    ((ts)->interp->calls_hooked || likely(!TS_IMPL(ts)->switches_stacks))
/* The table for threads that nothing traces. */
#define UNTRACED_TABLE(ts) \
    ((ts)->interp->vm_table != NULL && MAY_BE_SHOWN(ts) \
     ? (const struct _PyHandlerTable *)(ts)->interp->vm_table \
     : _PyJit_Enabled ? &_PyVM_counting_table : &_PyVM_default_table)

#define SAVE_IP() (f->ip = ip)

/* Between two instructions no exception is set. */
#ifdef SB_DEBUG
VM_HIDDEN void _PyVM_AssertNoException(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip);
#else
#  define _PyVM_AssertNoException(ts, f, ip) ((void)0)
#endif

#ifdef VM_STEPS
#  define STEP_OF(handler) step_##handler
#  define TAIL(handler) return STEP_OF(handler)(VM_ARGS)
#  define DISPATCH() \
    do { \
        _PyVM_AssertNoException(ts, f, ip); \
        (void)ts; (void)table; (void)word; \
        return (PyStep){f, ip}; \
    } while (0)
#elif defined(VM_LOOP)
#  define VM_AGAIN ((PyObject *)&_PyVM_default_table)
#  define TAIL(handler) return handler(VM_ARGS)
#  define DISPATCH() \
    do { \
        _PyVM_AssertNoException(ts, f, ip); \
        TS_IMPL(ts)->vm_loop_frame = f; \
        TS_IMPL(ts)->vm_loop_ip = ip; \
        (void)table; (void)word; \
        return VM_AGAIN; \
    } while (0)
#else
#  define TAIL(handler) VM_MUSTTAIL return handler(VM_ARGS)
#  define DISPATCH() \
    do { \
        _PyVM_AssertNoException(ts, f, ip); \
        word = ip->word; \
        VM_MUSTTAIL return table->op[(uint16_t)word](VM_ARGS); \
    } while (0)
#endif

/* The frame that ends the evaluator has ended or is suspended: returns its value, an
   object for RET_ENTRY, a register's word for RET_NATIVE; 0 with an exception. */
#ifdef VM_STEPS
#  define LEAVE(value) return (PyStep){NULL, (const PyInstr *)(value)}
#else
#  define LEAVE(value) return (PyObject *)(value)
#endif

/* Go on behind the instruction and its caches. */
#define NEXT(caches) do { ip += 1 + (caches); DISPATCH(); } while (0)
#ifdef VM_STEPS
#  define RELOAD() ((void)0)
#else
#  define RELOAD() (table = CURRENT_TABLE(ts))
#endif
#define NEXT_RELOAD(caches) do { RELOAD(); NEXT(caches); } while (0)
/* Jump, counted from the word behind the instruction and its caches. */
#define JUMP_BY(caches, distance) \
    do { ip += 1 + (caches) + (distance); DISPATCH(); } while (0)
/* An exception is set: finds its handler. (If none is set after all, it is a SystemError.) */
#define ERROR() do { SAVE_IP(); TAIL(_PyVM_Error); } while (0)

VM_DECLARE(_PyVM_Error);
/* The same, but the exception already has this frame in its traceback. */
VM_DECLARE(_PyVM_Reraise);
/* An observer has raised where the frame ends or yields, or is thrown into: it ends without
   handlers, and nobody hears of that. */
VM_DECLARE(_PyVM_EndFrame);

/* The general forms of calls: the default ones, and those of the observing table, for
   which calls of C functions are events. */
#define CALL_FORM(name) \
    VM_DECLARE(_PyVM_##name); \
    VM_DECLARE(_PyVM_Observed##name);
CALL_FORM(Call)
CALL_FORM(CallKw)
CALL_FORM(CallMethod)
CALL_FORM(CallMethodKw)
#undef CALL_FORM
/* With an eval hook. */
VM_DECLARE(_PyVM_HookedCall);
VM_DECLARE(_PyVM_HookedCallMethod);
/* The handlers that end a frame, in the tables for shown frames. */
VM_DECLARE(_PyVM_ShownReturn);
VM_DECLARE(_PyVM_ShownReturnNone);
VM_DECLARE(_PyVM_ShownYield);
#define SHOWN_ENDS \
    [OP_RETURN] = _PyVM_ShownReturn, \
    [OP_LOAD_CONST__RETURN_NONE] = _PyVM_ShownReturnNone, \
    [OP_YIELD_VALUE] = _PyVM_ShownYield, \
    [OP_YIELD_FROM_VALUE] = _PyVM_ShownYield

#ifndef VM_STEPS
/* Those that begin one; and the same for functions that have machine code. */
VM_DECLARE(_PyVM_ShownResume);
VM_DECLARE(_PyVM_ShownResumeLines);
VM_DECLARE(_PyVM_ShownResumeNative);
VM_DECLARE(_PyVM_ShownResumeNativeLines);
/* They count for the compiler (warm.c). */
VM_DECLARE(_PyVM_CountResume);
VM_DECLARE(_PyVM_CountShownResume);
VM_DECLARE(_PyVM_CountShownResumeLines);
VM_DECLARE(_PyVM_CountJumpBack);
/* See SHOW_RUNNING(). */
VM_DECLARE(_PyVM_ShowRunning);
/* An instruction that is marked as the beginning of a line, but lines are no longer shown. */
VM_DECLARE(_PyVM_ForgetLines);
#define LINE_BANK_FORGETS [LINE_BANK ... LINE_BANK + OP__COUNT - 1] = _PyVM_ForgetLines
#endif

/* Where an instruction may jump to: an index, or -1 (shown_lines.c). */
VM_HIDDEN Py_ssize_t _PyVM_JumpTarget(const PyVMCode *code, uint32_t at);
/* The events that the observing handlers have before an instruction: 0, 1 if the tracer has moved
   the frame to f->ip, -1 with an exception (observed.c). */
VM_HIDDEN int _PyVM_TraceLine(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip);

/* SEND without the fast path for generators, so that a tracer sees how they end. */
VM_DECLARE(_PyVM_SendByMethod);
/* A yield during which a tracer has moved the frame to another line (f->ip). */
VM_DECLARE(_PyVM_YieldJumped);

/* Code that reports an error should have set an exception. If it has not, or a destructor
   has lost it, this raises SystemError. f: NULL if the frame is gone. */
VM_HIDDEN void _PyVM_ComplainOfLostException(PyThreadState *ts, PyVMFrame *f);

static inline void
expect_exception(PyThreadState *ts, PyVMFrame *f)
{
    if (unlikely(ts->curexc_type == NULL)) {
        _PyVM_ComplainOfLostException(ts, f);
    }
}

/* ---------------------------------------------------------------- registers */

/* Releases a value that is no longer in a register. */
static inline void
reg_release(PyReg value)
{
    if (REG_IS_PTR(value)) {
        Py_DECREF(REG_PTR(value));
    }
}

/* Writes a register; what it held is released last, when it is already
   unreachable. May run Python code: SAVE_IP() first, RELOAD() later. */
static inline void
reg_set(PyReg *slot, PyReg value)
{
    PyReg old = *slot;
    *slot = value;
    reg_release(old);
}

/* The same for the common path of a handler: it saves the ip and reloads the table only
   if there is something to release, which is rare. */
#define WRITE(index, value) \
    do { \
        PyReg *slot_ = &R(index); \
        PyReg old_ = *slot_; \
        *slot_ = (value); \
        if (unlikely(REG_IS_PTR(old_))) { \
            PyObject *dead_ = REG_PTR(old_); \
            if (--dead_->ob_refcnt == 0) { \
                SAVE_IP(); \
                _Py_Dealloc(dead_); \
                RELOAD(); \
            } \
        } \
    } while (0)

static inline PyReg
reg_new_ref(PyReg value)
{
    if (REG_IS_PTR(value)) {
        Py_INCREF(REG_PTR(value));
    }
    return value;
}

/* Boxes a tagged int in place. Returns a borrowed reference; NULL with MemoryError. */
VM_HIDDEN PyObject *_PyVM_Box(PyReg *slot);
/* The same in a frame that has machine code. */
VM_HIDDEN PyObject *_PyVM_BoxAlike(PyReg *slot);

/* The object in a register; a tagged int is boxed there. Returns a borrowed reference. */
static inline PyObject *
reg_object(PyReg *slot)
{
    PyReg value = *slot;
    if (likely(!REG_IS_INT(value))) {
        return REG_PTR(value);
    }
    if (_PyLong_IsSmallValue(REG_INT(value))) {
        PyObject *small = _PyLong_GetSmall(REG_INT(value));
        *slot = (PyReg)small;
        return small;
    }
    return _PyVM_Box(slot);
}

/* The same, valid until the register is written. A small int is permanent, so its tag
   stays in the register and no reference is counted. */
static inline PyObject *
reg_lend(PyReg *slot)
{
    PyReg value = *slot;
    if (REG_IS_INT(value) && _PyLong_IsSmallValue(REG_INT(value))) {
        return _PyLong_BorrowSmall(REG_INT(value));
    }
    return reg_object(slot);
}

static inline int
is_temp(PyVMFrame *f, unsigned index)
{
    return index >= f->code->first_temp;
}

/* An `r` operand has been used: a temporary dies. */
static inline void
operand_done(PyVMFrame *f, unsigned index)
{
    if (is_temp(f, index)) {
        PyReg value = f->regs[index];
        f->regs[index] = 0;
        reg_release(value);
    }
}

/* Takes an `r` operand: the reference that a temporary holds, or a new one to
   what a variable holds. Tagged ints stay tagged. */
static inline PyReg
operand_take(PyVMFrame *f, unsigned index)
{
    PyReg value = f->regs[index];
    if (is_temp(f, index)) {
        f->regs[index] = 0;
        return value;
    }
    return reg_new_ref(value);
}

/* The same as an object. NULL with MemoryError. */
static inline PyObject *
operand_take_object(PyVMFrame *f, unsigned index)
{
    PyReg value = f->regs[index];
    if (REG_IS_INT(value) && _PyLong_IsSmallValue(REG_INT(value))) {
        operand_done(f, index);
        return _PyLong_GetSmall(REG_INT(value));
    }
    if (reg_object(&f->regs[index]) == NULL) {
        return NULL;
    }
    return REG_PTR(operand_take(f, index));
}

/* A frame that is shown has ended or is suspended: its record is removed. The record of
   an evaluator's first frame stays as long as the evaluator runs. */
static inline void
take_record_back(PyThreadState *ts, PyVMFrame *f)
{
    char *volatile *slot = TS_IMPL(ts)->records.slot;
    char *fp = *slot;
    if (likely(_PyFrameRecord_OF(fp)->frame == f)) {
        *slot = fp + RECORD_SIZE;
    }
}

/* Makes the record of the running frame show the line of `ip`. */
static inline void
show_line(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    _PyFrameRecord *record = _PyFrameRecord_OF(*TS_IMPL(ts)->records.slot);
    if (likely(record->frame == f)) {
        record->landing = *(const void **)((char *)ip + record->lines);
    }
}

/* At a safe point, when others have had their turn and ip is where the frame goes on: if frames
   are shown now that ran before, they get their records (shown_running.c). A step leaves that to
   the interpreter. */
#ifdef VM_STEPS
#  define SHOW_RUNNING() ((void)0)
#else
#  define SHOW_RUNNING() \
    do { \
        if (unlikely(_Py_EvalBreaker(ts) & _Py_EB_SHOW)) { \
            TAIL(_PyVM_ShowRunning); \
        } \
    } while (0)
#endif

/* In the place of take_record_back(), for handlers of frames that are not shown. */
#define IS_NOT_SHOWN(ts, f) ((void)0)

/* The method of an operator has returned; the value travels in `word`, and ip is at the
   operator (op_method.c). */
VM_DECLARE(_PyVM_MethodReturned);

/* The word below the frame of an __init__ holds the new instance: takes it. */
static inline PyReg
take_instance(PyVMFrame *f)
{
    PyReg *below = (PyReg *)f - 1;
    PyReg instance = *below;
    *below = 0;
    return instance;
}

/* Releases registers from `first` up to `end`, exclusive. */
VM_HIDDEN void _PyVM_ReleaseRegs(PyVMFrame *f, unsigned first, unsigned end);
/* Those of a frame that returns. */
VM_HIDDEN void _PyVM_ReleaseVariables(PyVMFrame *f);
/* An exception is about to leave a frame, or to be handled in it: releases temporaries from `depth`
   on, the youngest first; before the frame's variables, and before observers hear that it ends. */
VM_HIDDEN void _PyVM_ReleaseTemporaries(PyVMFrame *f, unsigned depth);

/* Boxes the tagged ints of a run, to use it as an array of objects. 0 or -1. */
static inline int
box_run(PyReg *run, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        if (reg_object(&run[i]) == NULL) {
            return -1;
        }
    }
    return 0;
}

static inline void
clear_run(PyReg *run, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        PyReg value = run[i];
        run[i] = 0;
        reg_release(value);
    }
}

#define IS_EXACT(reg, type) \
    (!REG_IS_INT(reg) && Py_IS_TYPE(REG_PTR(reg), &(type)))

/* The value of a tag, or of an exact int object that fits in a machine word: 1, or 0. */
static inline int
reg_as_int64(PyReg reg, int64_t *value)
{
    if (REG_IS_INT(reg)) {
        *value = REG_INT(reg);
        return 1;
    }
    return PyLong_CheckExact(REG_PTR(reg))
           && _PyLong_AsInt64Exact(REG_PTR(reg), value);
}

/* The same for the most common ints only: a tag, or an exact int object of one
   digit. */
static inline int
reg_as_small(PyReg reg, int64_t *value)
{
    if (REG_IS_INT(reg)) {
        *value = REG_INT(reg);
        return 1;
    }
    PyObject *op = REG_PTR(reg);
    if (Py_IS_TYPE(op, &PyLong_Type) && _PyLong_CheckCompact(op)) {
        *value = _PyLong_CompactValue(op);
        return 1;
    }
    return 0;
}

/* A dead operand that is known to be an exact int. */
static inline void
int_operand_done(PyVMFrame *f, unsigned index)
{
    PyReg value = f->regs[index];
    if (!REG_IS_INT(value) && is_temp(f, index)) {
        f->regs[index] = 0;
        PyObject *op = REG_PTR(value);
        if (--op->ob_refcnt == 0) {
            _Py_Dealloc(op);
        }
    }
}

/* A register value for a machine word: tagged when it fits. 0 with
   MemoryError. */
static inline PyReg
reg_from_int64(int64_t value)
{
    PyReg reg = REG_FROM_INT(value);
    if (likely(REG_INT(reg) == value)) {
        return reg;
    }
    return (PyReg)PyLong_FromLongLong(value);
}

/* None, True and False are permanent: their reference counts start so high that
   handlers don't count references to them, neither when they load one nor when a
   jump drops one. So a dead temporary may also hold one of the three. */
#define REG_BOOL(truth) ((PyReg)((truth) ? Py_True : Py_False))
#define REG_NONE ((PyReg)Py_None)

/* A bound or step of a slice that is None, which leaves *value as it is, or a small int. 0: it is
   of another kind. */
static inline int
plain_bound(PyReg word, Py_ssize_t *value)
{
    int64_t number;
    if (word == REG_NONE) {
        return 1;
    }
    if (word == 0 || !reg_as_small(word, &number)) {
        return 0;
    }
    *value = number;
    return 1;
}

/* ---------------------------------------------------------- what code knows */

static inline PyObject *
code_const(PyVMFrame *f, uint32_t index)
{
    return PyTuple_GET_ITEM(f->code->ob.co_consts, index);
}

static inline PyObject *
code_name(PyVMFrame *f, uint32_t index)
{
    return PyTuple_GET_ITEM(f->code->ob.co_names, index);
}

/* The name of local variable, cell or free variable number `i`. */
static inline PyObject *
code_localsplus_name(PyVMFrame *f, Py_ssize_t i)
{
    return PyTuple_GET_ITEM(f->code->ob.co_localsplusnames, i);
}

/* ------------------------------------------------------------------- frames */

/* May a frame begin here? If not, the window lies in a generator, or the stack is used
   up. */
static inline int
frame_fits(PyThreadState *ts, const void *frame)
{
    return (uintptr_t)frame - TS_STACK(ts) < TS_STACK_END(ts) - TS_STACK(ts);
}

/* The first word above what the thread's frames use. Allocates the stack of a
   new thread; NULL with an exception set. */
VM_HIDDEN PyReg *_PyVM_StackTop(PyThreadState *ts);
/* A new thread has no frame records. */
VM_HIDDEN void _PyVM_InitRecords(PyThreadState *ts);
/* Where the frames pushed from `f` go when its own window can't be used. NULL
   with RecursionError when there is no room for `words` words. What is pushed
   there is pushed in one go. */
VM_HIDDEN PyReg *_PyVM_RoomAbove(PyThreadState *ts, PyVMFrame *f,
                                 size_t words);
/* The same for what is not pushed in one go: the words are covered. The caller
   has saved TS_FLOOR and puts it back. */
VM_HIDDEN PyReg *_PyVM_TakeWindow(PyThreadState *ts, PyVMFrame *f,
                                  size_t words);
/* The word behind the registers of a generator's frame: the stack top at
   which it was resumed. */
#define GEN_STACK_TOP(f) (*(PyReg **)&(f)->regs[(f)->code->nregs])

/* Where frames pushed from a generator's frame go. NULL in the cases that _PyVM_RoomAbove()
   has to decide: a greenlet's stack, or arguments that are being bound. */
static inline PyReg *
room_above_generator(PyThreadState *ts, PyVMFrame *f, size_t words)
{
    PyReg *top = GEN_STACK_TOP(f);
    return likely(frame_fits(ts, top)) && likely(frame_fits(ts, top + words))
           && likely((void *)top >= TS_FLOOR(ts)) ? top : NULL;
}

/* Covers what lies below `end`, an address on the thread's stack. Returns the floor to
   put back. */
static inline void *
cover(PyThreadState *ts, void *end)
{
    void *floor = TS_FLOOR(ts);
    if (end > floor) {
        TS_FLOOR(ts) = end;
    }
    return floor;
}

/* The same for a frame that is not current yet. */
static inline void *
cover_frame(PyThreadState *ts, PyVMFrame *f)
{
    return f->owner == FRAME_THREAD ? cover(ts, &f->regs[f->code->nregs]) : TS_FLOOR(ts);
}

/* Counts a Python call against the recursion limit: 0, or -1 with RecursionError. */
static inline int
enter_python(PyThreadState *ts)
{
    if (likely(--ts->recursion_remaining >= 0)) {
        return 0;
    }
    return _Py_CheckRecursiveCall(ts, "");
}

static inline void
leave_python(PyThreadState *ts)
{
    ts->recursion_remaining++;
}

/* The same for a frame with these flags. */
static inline void
leave_python_frame(PyThreadState *ts, unsigned flags)
{
    ts->recursion_remaining += flags & FRAME_COUNTS_TWICE ? 2 : 1;
}

/* How many words every calling instruction has, with its caches. */
#define CALL_WORDS 3

#ifdef SB_DEBUG
static inline int
is_permanent(PyReg value)
{
    return value == REG_NONE || value == REG_BOOL(0) || value == REG_BOOL(1);
}
#endif

/* Fills the header of a frame whose func is in place. */
static inline void
fill_header(PyVMFrame *frame, PyVMCode *code, PyVMFrame *previous, int dest, int ret)
{
    frame->code = code;
    frame->previous = previous;
    frame->ip = code->code;
    frame->frame_obj = NULL;
    frame->locals = NULL;
    frame->dest = (uint16_t)dest;
    frame->ret = (uint8_t)ret;
    frame->owner = FRAME_THREAD;
    frame->flags = 0;
    frame->skip = CALL_WORDS;
}

/* The same, and unbinds its variables but for the arguments, which are in place. The frame is
   not current yet. */
static inline void
frame_init(PyVMFrame *frame, PyVMCode *code, PyVMFrame *previous, int dest,
           int ret)
{
    fill_header(frame, code, previous, dest, ret);
    for (unsigned i = code->nparams, n = code->first_temp; i < n; i++) {
        frame->regs[i] = 0;
    }
#ifdef SB_DEBUG
    /* A reference here means that some code has broken the rule of the floor. */
    for (unsigned i = code->first_temp, n = code->nregs; i < n; i++) {
        assert(!REG_IS_PTR(frame->regs[i]) || is_permanent(frame->regs[i]));
    }
#endif
}

/* Puts the arguments of a call where the function's parameters are.

   On entry regs[0 .. nargs) hold positional arguments followed by those named
   in kwnames (nargs counts both); on success every parameter register is
   filled and the rest of the variables unbound. On failure a TypeError is set
   and all arguments are released. The registers are covered while this runs,
   not afterwards. */
VM_HIDDEN int _PyVM_BindArguments(PyThreadState *ts, PyFunctionObject *func,
                                  PyVMCode *code, PyReg *regs,
                                  Py_ssize_t nargs, PyObject *kwnames);
/* The same with an array of names; somebody holds them meanwhile. */
VM_HIDDEN int _PyVM_BindNamed(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code,
                              PyReg *regs, Py_ssize_t nargs, PyObject *const *names,
                              Py_ssize_t nnames);

/* The globals, for a function made of a module's code, which has them for locals; NULL
   for other functions. Returns a borrowed reference. */
static inline PyObject *
_PyVM_LocalsForCall(PyFunctionObject *func)
{
    int flags = ((PyCodeObject *)func->func_code)->co_flags;
    return flags & CO_OPTIMIZED ? NULL : func->func_globals;
}

/* Empties a frame that is about to end: registers, locals, frame object,
   function, and header. If it is the current frame, its caller is current
   afterwards. */
VM_HIDDEN void _PyVM_ClearFrame(PyThreadState *ts, PyVMFrame *f);
/* The same where all temporaries are dead. */
VM_HIDDEN void _PyVM_ClearReturned(PyThreadState *ts, PyVMFrame *f);
/* The end of _PyVM_DistrustVariables. */
VM_HIDDEN void _PyVM_TrustVariables(PyThreadState *ts, PyVMFrame *f);
/* The frame object outlives its frame: moves the frame's state into it. */
VM_HIDDEN void _PyFrame_TakeOver(PyThreadState *ts, PyFrameObject *frame_obj,
                                 PyVMFrame *f);

/* A frame whose words are about to be wiped must not be the current one. */
static inline void
_PyVM_RetireFrame(PyThreadState *ts, PyVMFrame *f)
{
    if (TS_FRAME(ts) == f) {
        TS_FRAME(ts) = f->previous;
    }
}

/* The frame lives elsewhere from now on. */
VM_HIDDEN void _PyFrame_Moved(PyFrameObject *frame_obj, PyVMFrame *f);
/* The frame of a frame object; NULL when it is gone. */
VM_HIDDEN PyVMFrame *_PyFrame_Get(PyFrameObject *frame_obj);
/* Visits what a frame that is not running holds. */
VM_HIDDEN int _PyFrame_TraverseVM(PyVMFrame *f, visitproc visit, void *arg);
/* The frame object is destroyed with its frame: separates the two. */
VM_HIDDEN void _PyFrame_Detach(PyFrameObject *frame_obj);
/* Runs a frame through the eval hook, if there is one. throwflag may also be
   BEGIN_BEHIND_IP, for a frame whose first instruction has been executed, BEGIN_NATIVE, for
   one that goes on at its ip and is RET_NATIVE, or BEGIN_STEPS, for one that the thread's
   `stepper` runs from its ip on; otherwise generators continue after their ip. BEGIN_MOVED is
   only for shown_running.c: the frame runs already, and goes on at `moved_ip`. */
#define BEGIN_BEHIND_IP (-2)
#define BEGIN_NATIVE (-3)
#define BEGIN_STEPS (-4)
#define BEGIN_MOVED (-5)
VM_HIDDEN PyObject *_PyEval_EvalFrame(PyThreadState *ts, PyVMFrame *frame,
                                      int throwflag);

/* Makes the generator, coroutine or async generator of a function whose frame
   is at its start; the frame moves into it. Returns a new reference; NULL: the
   frame is unchanged. */
VM_HIDDEN PyObject *_PyGen_FromFrame(PyThreadState *ts, PyVMFrame *f);
#define GEN_OF_FRAME(f) \
    ((PyGenObject *)((char *)(f) - offsetof(PyGenObject, gi_iframe)))
#define FRAME_OF_GEN(gen) ((PyVMFrame *)((PyGenObject *)(gen))->gi_iframe)

enum { GEN_CREATED = -2, GEN_SUSPENDED = -1, GEN_EXECUTING = 0,
       GEN_COMPLETED = 1, GEN_CLEARED = 4 };

/* The frame of a generator leaves the stack of frames: suspended or ended. */
VM_HIDDEN void _PyVM_LeaveGenerator(PyThreadState *ts, PyVMFrame *f, int state);
/* An exception leaves the generator: StopIteration and the like become
   RuntimeError. */
VM_HIDDEN void _PyGen_ConvertStop(PyThreadState *ts, PyGenObject *gen);

/* ---------------------------------------------------- helpers across op_*.c */

VM_HIDDEN void _PyVM_UnboundLocal(PyThreadState *ts, PyVMFrame *f, int index);
VM_HIDDEN void _PyVM_UnboundDeref(PyThreadState *ts, PyVMFrame *f, int index);
VM_HIDDEN void _PyVM_NameError(PyThreadState *ts, PyObject *name);

/* Arithmetic by kinds, in the order of opcodes.def: an opcode's distance from OP_ADD
   (or OP_IADD). */
enum { K_ADD, K_SUB, K_MUL, K_TRUEDIV, K_FLOORDIV, K_MOD, K_POW, K_MATMUL,
       K_LSHIFT, K_RSHIFT, K_AND, K_OR, K_XOR, K_COUNT };
/* The kind of an opcode with a constant operand. */
static inline int
constant_kind(int base)
{
    switch (base) {
    case OP_ADDI: return K_ADD;
    case OP_SUBI: return K_SUB;
    case OP_MULI: return K_MUL;
    case OP_FLOORDIVI: return K_FLOORDIV;
    case OP_MODI: return K_MOD;
    case OP_ANDI: return K_AND;
    case OP_LSHIFTI: return K_LSHIFT;
    default: return K_RSHIFT;
    }
}

/* The frame of the Python method that does the work of the instruction at f->ip, or NULL
   (method_frames.c). */
/* The plain function of Python's that `left op right` calls first for operands of these types,
   or NULL. */
VM_HIDDEN PyObject *_PyVM_CompareMethod(PyTypeObject *type, PyTypeObject *other, int op);
VM_HIDDEN PyObject *_PyVM_ContainsMethod(PyTypeObject *type);
VM_HIDDEN PyObject *_PyVM_SetItemMethod(PyTypeObject *type);
VM_HIDDEN PyObject *_PyVM_NextMethod(PyTypeObject *type);
VM_HIDDEN PyObject *_PyVM_CallMethodOf(PyTypeObject *type, int nargs);
VM_HIDDEN PyObject *_PyVM_TruthMethod(PyTypeObject *type);
/* op: OP_NEG, OP_POS or OP_INVERT. */
VM_HIDDEN PyObject *_PyVM_UnaryMethod(PyTypeObject *type, int op);
VM_HIDDEN PyObject *_PyVM_OperatorMethod(PyTypeObject *type, PyTypeObject *other, int kind,
                                         int in_place);
VM_HIDDEN PyVMFrame *_PyVM_PushCompare(PyThreadState *ts, PyVMFrame *f, PyReg left,
                                       PyReg right, int op);
VM_HIDDEN PyVMFrame *_PyVM_PushArithmetic(PyThreadState *ts, PyVMFrame *f, PyReg left,
                                          PyReg right, int kind, int in_place);
/* Arithmetic whose left operand's method has returned NotImplemented: a new value, or 0 with
   an exception. */
VM_HIDDEN PyReg _PyVM_AfterLeftDeclined(PyReg *left, PyReg *right, int kind, int in_place);
VM_HIDDEN PyVMFrame *_PyVM_PushUnary(PyThreadState *ts, PyVMFrame *f, PyReg operand, int op,
                                     int dest);
VM_HIDDEN PyVMFrame *_PyVM_PushTruth(PyThreadState *ts, PyVMFrame *f, PyReg operand);
VM_HIDDEN PyVMFrame *_PyVM_PushContains(PyThreadState *ts, PyVMFrame *f, PyReg item,
                                        PyReg container);
VM_HIDDEN PyVMFrame *_PyVM_PushGetItem(PyThreadState *ts, PyVMFrame *f, PyReg container,
                                       PyReg key, int dest, unsigned words);
/* For attributes: when the type has `descr` under the name, and when it has a hook,
   __getattr__ or __setattr__. */
VM_HIDDEN PyVMFrame *_PyVM_PushGetter(PyThreadState *ts, PyVMFrame *f, PyObject *descr,
                                      PyReg owner);
VM_HIDDEN PyVMFrame *_PyVM_PushGetAttrHook(PyThreadState *ts, PyVMFrame *f, PyObject *hook,
                                           PyReg owner, PyObject *name);
VM_HIDDEN PyVMFrame *_PyVM_PushSetter(PyThreadState *ts, PyVMFrame *f, PyObject *descr,
                                      PyReg owner, PyReg value);
VM_HIDDEN PyVMFrame *_PyVM_PushSetAttrHook(PyThreadState *ts, PyVMFrame *f, PyReg owner,
                                           PyObject *name, PyReg value);
/* __init__() returned a value: TypeError. Releases both. Not inlined, since it lends the
   address of its variable (NEEDS_LOCALS). */
VM_HIDDEN void _PyVM_RefuseInit(PyReg value, PyReg instance);
/* An exception has left a getter's frame that `f` called. */
VM_HIDDEN void _PyVM_GetterFailed(PyVMFrame *f);
VM_HIDDEN PyVMFrame *_PyVM_PushSetItem(PyThreadState *ts, PyVMFrame *f, PyReg container,
                                       PyReg key, PyReg value);
VM_HIDDEN PyVMFrame *_PyVM_PushNext(PyThreadState *ts, PyVMFrame *f, PyObject *iterator,
                                    int dest);
/* An exception has left a frame that `f` called: if it is the StopIteration of a
   __next__, the loop of `f` is over, and this is where it goes on. */
VM_HIDDEN const PyInstr *_PyVM_EndOfLoop(PyThreadState *ts, PyVMFrame *f);

#define ENTER_FRAME(frame) \
    do { \
        f = (frame); \
        TS_FRAME(ts) = f; \
        ip = f->ip; \
        RELOAD(); \
        DISPATCH(); \
    } while (0)
/* Continues in a frame, if one has been pushed. */
#define TRY_METHOD(push) \
    do { \
        PyVMFrame *method_ = (push); \
        if (method_ != NULL) { \
            ENTER_FRAME(method_); \
        } \
    } while (0)

/* Truth of a register with a value of the most common types: 1 or 0; -1: another. */
static inline int
reg_known_truth(PyReg value)
{
    if (REG_IS_INT(value)) {
        return REG_INT(value) != 0;
    }
    return _PyObject_KnownTruth(REG_PTR(value));
}

/* Calls any callable in a window as C code does, and empties the window. Returns a new
   reference or NULL. */
VM_HIDDEN PyObject *_PyVM_CallWindow(PyThreadState *ts, PyReg *window,
                                     Py_ssize_t nargs, PyObject *kwnames);
/* In two steps: the window keeps what it holds until it is released. */
VM_HIDDEN PyObject *_PyVM_CallKeptWindow(PyThreadState *ts, PyReg *window,
                                         Py_ssize_t nargs, PyObject *kwnames);
VM_HIDDEN void _PyVM_ReleaseWindow(PyReg *window, Py_ssize_t nargs);
/* The same with c_call, c_return and c_exception events if it is a C function (observed.c). */
VM_HIDDEN PyObject *_PyVM_ObservedCallWindow(PyThreadState *ts, PyReg *window,
                                             Py_ssize_t nargs, PyObject *kwnames);
/* callable(*args, **kwargs) likewise. */
VM_HIDDEN PyObject *_PyVM_ObservedCallTuple(PyThreadState *ts, PyObject *callable,
                                            PyObject *args, PyObject *kwargs);

/* The instruction at which a code object starts for observers: those before its
   first RESUME only prepare the frame. */
static inline const PyInstr *
first_traceable(PyVMCode *code)
{
    const PyInstr *ip = code->code;
    while (ip->op == OP_RETURN_GENERATOR || ip->op == OP_MAKE_CELL) {
        ip++;
    }
    return ip;
}

#endif
