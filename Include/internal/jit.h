/* Between the interpreter and machine code: what a compiled function is, and how frames pass
   from one to the other.

   A frame is run by the interpreter or by machine code, and may change from one to the other
   at any instruction boundary. Machine code is called with C's convention and runs one frame,
   whose `ret` is RET_NATIVE: when the frame ends, or a generator yields, the caller gets the
   value. The calls of Python functions that machine code makes are calls of machine code, or
   of _PyVM_RunNative() if the callee has none.

   To leave, machine code stores what it has in registers into the frame, undoes its native
   frame and jumps to _PyVM_RunNative() with the instruction to go on at: the interpreter runs
   the rest of the frame and returns to the same native caller. */
#ifndef SB_INTERNAL_JIT_H
#define SB_INTERNAL_JIT_H

#include "Python.h"
#include "internal/code.h"
#include "internal/frame.h"

/* Runs a frame that is current, counted against the recursion limit, and RET_NATIVE; its ip
   is at the RESUME (or JUMP_BACK). Returns the value that it returned or yielded (an owned word, ints may be tagged), or 0 with an
   exception. The frame is popped, and no longer counted; a generator that has yielded is
   suspended. */
typedef PyReg (*PyJitEntry)(PyVMFrame *f, PyThreadState *ts);
/* The same from a place within the function, where all values are in the frame. */
typedef PyReg (*PyJitEntryAt)(PyVMFrame *f, PyThreadState *ts, const void *place);

#define JIT_LAST_LEFT 8

/* The machine code of a code object (PyVMCode.jit). */
typedef struct _PyJitCode {
    PyJitEntry entry;           /* behind the first RESUME */
    PyJitEntryAt entry_at;
    const char *start;
    size_t size;
    /* For each word of the bytecode: how far from `start` its place is; 0: it has none. */
    uint32_t *places;
    uint32_t exits;             /* how often a guard has failed since then */
    int64_t since;
    uint32_t left[JIT_LAST_LEFT];       /* the last instructions at which one did */
    uint32_t often_left;
    PyVMCode *code;
    struct _PyJitCode *next, **installed_at;    /* in the list of those installed */
    /* The compiler's: what it has seen of the function, for each word, and how it came here. */
    uint8_t *kinds, *refused, *outside;
    uint16_t *counts;           /* how often each instruction was executed while recorded */
    uint32_t to_record;
    uint8_t recording, versions;
    uint8_t declined;           /* it would gain nothing */
    struct JitPoint *points;
    struct _PyJitCode *earlier;         /* frames may be running in it */
} PyJitCode;

/* SPRINGBOARD_JIT: off, on, eager, steps or stress:SEED. */
enum {
    JIT_OFF,
    JIT_ON,
    JIT_EAGER,                  /* compiles at the first call */
    JIT_STEPS,                  /* likewise, but "compiled" code takes single steps (jit/stepping.c) */
    JIT_STRESS,                 /* as eager, and guards fail at random */
};
extern int _PyJit_Enabled;      /* one of these */
extern unsigned long _PyJit_Seed;

/* After how many calls, or rounds of a loop, a function is warm. */
#define JIT_WARM_CALLS 200
#define JIT_WARM_LOOPS 1000
extern struct _PyJitWarmth {
    uint16_t calls, loops;
} _PyJit_Warmth;

/* The place of an instruction, or NULL. */
static inline const void *
_PyJit_PlaceOf(const PyVMCode *code, const PyInstr *ip)
{
    const PyJitCode *jit = (const PyJitCode *)code->jit;
    uint32_t offset = jit == NULL ? 0 : jit->places[ip - code->code];
    return offset == 0 ? NULL : jit->start + offset;
}

/* ------------------------------------------------ what the VM offers (vm/native.c) */

/* What an instruction has led to: the frame and the instruction to go on with. f is NULL if
   the frame has ended or yielded to its native caller: then `ip` is the value, 0 with an
   exception. */
typedef struct {
    PyVMFrame *f;
    const PyInstr *ip;
} PyStep;

/* The handlers as C functions that execute one instruction; `table` is not looked at. If the
   instruction pushes a Python frame, the step ends in that frame. */
struct _PyHandlerTable;
typedef PyStep (*PyStepFunction)(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts,
                                 const struct _PyHandlerTable *table, uint64_t word);
extern const PyStepFunction _PyVM_steps[];

/* A step from `f` has ended in another frame: runs that until `f` goes on or has ended.
   Returns where `f` goes on, or {NULL, value}. */
PyStep _PyVM_FinishStep(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, PyVMFrame *pushed);
/* An exception is set, raised by the instruction at `ip`. Returns where `f` handles it, or
   {NULL, 0}: the frame has ended. */
PyStep _PyVM_StepError(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts);
/* Runs the rest of a frame in the interpreter, beginning with the instruction at `ip`.
   Returns like a PyJitEntry. */
PyReg _PyVM_RunNative(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts);
/* Calls a frame that has been pushed and is current, by its machine code if it has any and
   may use it. Its `ret` becomes RET_NATIVE. Returns like a PyJitEntry. */
PyReg _PyVM_CallFrame(PyThreadState *ts, PyVMFrame *f);

/* The same for a frame whose arguments and header are set, but whose other variables are not
   unbound yet: what code without machine code has for native_entry. */
PyReg _PyVM_CallFromNative(PyVMFrame *f, PyThreadState *ts);
/* code->jit has changed: each RESUME and JUMP_BACK that has a place enters machine code from
   now on (as RESUME__NATIVE, JUMP_BACK__NATIVE), the others do not. */
void _PyVM_MarkNative(PyVMCode *code);
/* Whether and when to compile, at start-up (vm/jit_mode.c). */
void _PyJit_Configure(const PyConfig *config);

/* ------------------------------------------------- what the compiler offers (jit) */

/* All functions that have machine code now, newest first, and what is called with each that is
   compiled; NULL: nothing. */
extern PyJitCode *_PyJit_Installed;
extern void (*_PyJit_Publish)(const PyJitCode *);

/* A function or a loop is warm: `ip` is at its RESUME or JUMP_BACK, which is the running
   instruction. Compiles it, unless it can't be or need not. 1 if code->jit is set now. Raises
   nothing. */
int _PyJit_Warm(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip);
/* The code object is destroyed. */
void _PyJit_Free(PyVMCode *code);

#endif
