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

/* Runs a frame that is current, counted against the recursion limit, and RET_NATIVE; its ip is at
   the RESUME (or JUMP_BACK). Returns the value that it returned or yielded (an owned word, ints may
   be tagged), or 0 with an exception. The frame is popped, and no longer counted; a generator that
   has yielded is suspended. */
typedef PyReg (*PyJitEntry)(PyVMFrame *f, PyThreadState *ts);
/* The same from a place within the function, where all values are in the frame. */
typedef PyReg (*PyJitEntryAt)(PyVMFrame *f, PyThreadState *ts, const void *place);

/* How to unwind from machine code: an .eh_frame of one CIE, one FDE and a final 0. At `hole` it
   wants, in 8 bytes, the distance from there to the code, wherever it lies. */
typedef struct {
    uint32_t size, hole;        /* without the final 0 */
    uint8_t bytes[];
} PyJitFrameInfo;

/* Copies it to where it will be read, without the final 0; `code`: how far the machine code lies
   behind its start there. */
void _PyJit_FillFrameInfo(char *to, const PyJitFrameInfo *info, ptrdiff_t code);
/* A function of the shared libgcc, or NULL. */
void *_PyJit_LibgccFunction(const char *name);
/* Is there nobody's code in the process but our program's, which unwinds nothing? Then libgcc,
   which takes longer to load than a function to compile, need not be told of machine code yet. */
int _PyJit_IsAlone(void);
/* Foreign code is going to be loaded. */
void _PyJit_MeetOthers(void);
/* What is called when libgcc is loaded after all; NULL: nothing. */
extern void (*_PyJit_OnUnwinders)(void);

/* A function that is a part of another one, at one place. Number 0 is the compiled function itself.
   For profilers machine code of a scope is that of its code object, called by the scope around
   it. */
typedef struct {
    struct _PyVMCode *code;
    uint32_t call;              /* index of the calling instruction in the scope around it */
    uint16_t around, depth;
} JitScope;

/* From `at` on, an offset from the start, machine code is that of the instruction at index ip; and
   more exactly, of that at inner_ip in the code of a scope. */
typedef struct {
    uint32_t at, ip, inner_ip, scope;
} PyJitMark;

#define JIT_LAST_LEFT 8

/* The versions of the operands' types, or one of these. */
typedef struct JitOperands {
    uint32_t left, right;
} JitOperands;
#define JIT_OPERAND_MIXED UINT32_MAX
#define JIT_OPERAND_INT (UINT32_MAX - 1)
/* Of sums: both are strs. Of subscripts: bytes or a bytearray. */
#define JIT_OPERAND_PLAIN (UINT32_MAX - 2)
/* Of arithmetic: complex, and the other one a complex, a float or a short int. */
#define JIT_OPERAND_COMPLEX (UINT32_MAX - 3)
/* Now an int, now a float. */
#define JIT_OPERAND_NUMBER (UINT32_MAX - 4)
/* Of arithmetic: a bool, and the other one a bool or a short int. */
#define JIT_OPERAND_BOOL (UINT32_MAX - 5)

/* What is known of a call whose callee may become a part of the caller. */
enum {
    JIT_INLINED = 1,            /* it has */
    JIT_WAS_LEFT,               /* guards in it have failed too often */
    JIT_IS_CALLED,              /* so it is called now */
};

/* The words of a loop, the outermost around a place: the last one is that of a jump back. All
   zeros: the whole function. */
typedef struct {
    uint32_t first, last;
} JitRegion;

static inline int
_PyJit_IsWhole(JitRegion region)
{
    return region.last == 0;
}

static inline int
_PyJit_IsInside(JitRegion region, uint32_t ip)
{
    return _PyJit_IsWhole(region) || (ip >= region.first && ip <= region.last);
}

/* The machine code of a code object (PyVMCode.jit). */
typedef struct _PyJitCode {
    PyJitEntry entry;           /* behind the first RESUME */
    PyJitEntryAt entry_at;
    const char *start;
    size_t size;
    /* For each word of the bytecode: how far from `start` its place is; 0: it has none. */
    uint32_t *places;
    PyJitMark *marks;           /* by offset; none for code that takes steps */
    uint32_t nmarks;
    const JitScope *scopes;     /* while it is published for the first time; NULL: only itself */
    PyJitFrameInfo *frame_info;
    uint32_t in_table;          /* its number among those that unwinders know (unwinders.c) */
    size_t room;                /* the bytes of code memory that it takes; 0: none */
    uint8_t was_published;      /* to a profiler, which may read about it later */
    uint32_t published;         /* the modes in which profilers know of it, as bits (landings.c) */
    uint32_t exits;             /* how often a guard has failed since then */
    int64_t since;
    uint32_t left[JIT_LAST_LEFT];       /* the last instructions at which one did */
    int64_t left_when[JIT_LAST_LEFT];   /* and when */
    uint32_t often_left;
    uint32_t put_off;           /* how often there was no time to compile it anew */
    uint32_t slow_exits;        /* since the last doubt, at times when there were few */
    int64_t slow_time;          /* and how long that was */
    uint32_t doubts;            /* how often nothing came of one */
    int64_t wasted, wasted_since;       /* rounds of comprehensions that had to be begun anew */
    int64_t cost;               /* what compiling has taken, in nanoseconds */
    PyVMCode *code;
    struct _PyJitCode *next, **installed_at;    /* in the list of those installed */
    /* The compiler's: what it has seen of the function, for each word, and how it came here. */
    uint8_t *kinds, *refused, *outside;
    uint8_t *inlined;           /* for each word: JIT_INLINED … */
    struct JitOperands *operands;       /* what operators of Python's classes have seen */
    uint16_t *counts;           /* how often each instruction was executed while recorded */
    uint32_t to_record;
    uint8_t recording, versions;
    uint8_t loops_added;        /* that became warm after it had been compiled */
    JitRegion region;           /* what is compiled of it */
    uint8_t only_looks;         /* a recording that need not end with a new version */
    uint8_t has_learnt;         /* ... unless it has seen something new */
    uint8_t in_doubt;           /* a recording that counts what the version before has left at */
    int64_t doubted;            /* since then */
    int64_t pace;               /* so long took JIT_LAST_LEFT exits before that */
    uint16_t executed[JIT_LAST_LEFT];   /* and how often that had been executed before */
    uint8_t declined;           /* it would gain nothing */
    struct JitPoints *points;
    struct JitLike *likes;      /* what classes that are made anew have to be like */
    struct _PyJitCode *earlier;         /* frames may be running in it */
    struct _PyJitCode *retired_next;    /* to be freed when none does */
    uint8_t is_retired;
    uint8_t is_seen;                /* a stack may lead back to it (versions.c) */
    uint32_t resume_key;        /* no other version of any code has it; 0: generators have to ask */
} PyJitCode;

/* Where a suspended generator goes on. Machine code that yields leaves the address of a PyJitEntry
   in the word of the stack top (GEN_STACK_TOP), and its resume_key in the generator. While that is
   the code's, too, the generator is suspended by a YIELD_VALUE in this machine code, its frame has
   no flags and is RET_NATIVE, nothing is in the register that takes what is sent, and machine code
   may be entered there.
   - Whatever changes code->jit, or whether it is entered, calls _PyVM_MarkNative(), which sets the
     code's key: to 0 where the interpreter has to go on.
   - Who resumes, closes or throws, or sets flags, takes the generator's key away first. */
#define JIT_NO_KEY 1u           /* of generators; that of code is 0 or more than this */
/* A generator has it in its padding, for the public structure has the members that CPython's
   has. */
#define GEN_KEY_OFFSET (offsetof(PyGenObject, gi_frame_state) + 1)
_Static_assert(GEN_KEY_OFFSET % sizeof(uint32_t) == 0
               && GEN_KEY_OFFSET + sizeof(uint32_t) <= offsetof(PyGenObject, gi_iframe), "padding");
#define GEN_RESUME_KEY(gen) (*(uint32_t *)((char *)(gen) + GEN_KEY_OFFSET))

/* SPRINGBOARD_JIT: off, on, eager, steps or stress:SEED. */
enum {
    JIT_OFF,
    JIT_ON,
    JIT_EAGER,                  /* compiles at the first call */
    JIT_STEPS,                  /* likewise, but "compiled" code takes single steps */
    JIT_STRESS,                 /* as eager, and at random guards fail, functions are compiled
                                   again, registers are few, machine code may not go on */
};
extern int _PyJit_Enabled;      /* one of these */
extern unsigned long _PyJit_Seed;
/* Stress: guards count this down, and the one that comes to 0 fails. */
extern uint32_t _PyJit_StressLeft;
/* A random number below n; the seed says which follow. */
uint32_t _PyJit_Random(uint32_t n);

/* After how many calls, or rounds of a loop, a function is warm: when it has taken about as long as
   compiling it will. */
#define JIT_WARM_CALLS 2000
#define JIT_WARM_LOOPS 2000
/* The same where compiling may take any time. */
#define JIT_SOON_CALLS 200
#define JIT_SOON_LOOPS 1000
/* The count of what the compiler has refused. */
#define JIT_NEVER_WARM 0xffff
/* While a young program imports, what is warm is mostly start-up, which is not seen again: until
   this time nothing is compiled then. */
#define JIT_SETTLED_NS 500000000
extern struct _PyJitWarmth {
    uint16_t calls, loops;
    int64_t settles;            /* by _PyJit_Now(); 0: that time is past */
    int hurries;                /* compiling may take any time */
    int imports;                /* so many are running, nested ones and all threads' */
} _PyJit_Warmth;

/* What makes a function or loop soon warm that is not: it is over after some more calls or rounds.
   Of calls it says, too, that the function has not been called since. */
static inline int
_PyJit_SoonWarm(uint16_t most)
{
    return most > 16 ? most - 16 : 0;
}

/* Is this the count of a function that has been called once? */
static inline int
_PyJit_RunsOnce(uint16_t calls)
{
    return calls <= 1 || calls == _PyJit_SoonWarm(_PyJit_Warmth.calls);
}

/* Nanoseconds, some milliseconds coarse. */
int64_t _PyJit_Now(void);

/* Is there a compiler in this build, for this machine? */
int _PyJit_IsAvailable(void);
/* Would a function be compiled now? */
int _PyJit_IsEnabled(void);
/* Is the frame run by machine code? Looks at the C stack, by libgcc. */
int _PyJit_IsRunning(const PyVMFrame *f);
/* Bytes of code at most: -X jit_memory. */
extern size_t _PyJit_MemoryLimit;
/* What has been done so far, for sys._jit.figures(). */
extern struct _PyJitFigures {
    uint64_t compiled;          /* functions, each version counted */
    uint64_t freed;             /* of them */
    uint64_t exits;             /* guards that have failed */
    uint64_t given_up;          /* functions that the compiler has found no code for */
    size_t code_bytes;          /* of code memory in use */
    int64_t ns;                 /* spent compiling */
} _PyJit_Figures;

/* May frames of the function be running in machine code? Then registers in memory need not hold
   what their variables hold, and must not be given references. */
static inline int
_PyJit_HasMachineCode(const PyVMCode *code)
{
    const PyJitCode *jit = (const PyJitCode *)code->jit;
    while (jit != NULL && jit->room == 0) {
        jit = jit->earlier;
    }
    return jit != NULL;
}

/* Do calls enter the machine code? Not that of a single loop. */
static inline int
_PyJit_IsCalled(const PyJitCode *jit)
{
    return _PyJit_IsWhole(jit->region);
}

/* The place of an instruction, or NULL. */
static inline const void *
_PyJit_PlaceOf(const PyVMCode *code, const PyInstr *ip)
{
    const PyJitCode *jit = (const PyJitCode *)code->jit;
    uint32_t offset = jit == NULL ? 0 : jit->places[ip - code->code];
    return offset == 0 ? NULL : jit->start + offset;
}

/* ------------------------------------------------ what the VM offers (vm/native*.c) */

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
/* Runs a frame by single steps, which `run` takes: with a record, if frames are shown, which
   machine code needs none of. `run` says what runs next, and when it hands the frame on. */
typedef PyReg (*PyStepper)(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts);
PyReg _PyVM_RunSteps(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts, PyStepper run);
void _PyVM_ShowStep(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts);
/* What `run` returns for a frame that goes on in machine code, at the place of `ip`, or in the
   interpreter. */
PyReg _PyVM_GoOnNative(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts);
PyReg _PyVM_GoOnInterpreted(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts);
/* Runs a frame that C calls while frames are shown, if machine code may: that needs no record, and
   what it hands back to the interpreter gets one. 1, and in *result what an evaluator returns; or
   0. */
int _PyVM_EvalShownNative(PyThreadState *ts, PyVMFrame *f, PyObject **result);
/* Calls a frame that has been pushed and is current, by its machine code if it has any and
   may use it. Its `ret` becomes RET_NATIVE. Returns like a PyJitEntry. */
PyReg _PyVM_CallFrame(PyThreadState *ts, PyVMFrame *f);

/* Calls a generator function, which is in the window of `f` that begins with this register.
   Returns the generator; 0 with an exception; JIT_NOT_DONE: it is not of the usual kind. */
#define JIT_NOT_DONE ((PyReg)2)
PyReg _PyVM_MakeGenerator(PyVMFrame *f, PyThreadState *ts, uint64_t window, uint64_t nargs);
/* The same for C that calls it with these arguments. */
PyObject *_PyVM_MakeGeneratorFor(PyThreadState *ts, PyFunctionObject *func, PyObject *const *args,
                                 Py_ssize_t nargs);
static inline int
_PyVM_MakesGenerator(const PyVMCode *code, int nargs)
{
    return code->is_generator && (code->ob.co_flags & CO_OPTIMIZED)
           && code->ob.co_argcount == nargs && code->nparams == nargs
           && _PyCode_IsUnpacked(code) && code->code[0].op == OP_RETURN_GENERATOR;
}

/* SEND to a generator or coroutine by the running instruction of `f`: the value that is yielded
   or returned, as an owned word, or 0 with an exception. Afterwards gi_frame_state says which. */
PyReg _PyVM_SendTo(PyVMFrame *f, PyThreadState *ts, PyObject *gen);
/* The same to what `async for` awaits, the step of an asynchronous generator: its state says
   whether that has given an item (AWAITABLE_CLOSED) or passes something up. */
PyReg _PyVM_SendToStep(PyVMFrame *f, PyThreadState *ts, PyObject *asend);
/* GET_ANEXT and SEND as one, for an asynchronous generator; `f` is at the SEND. The next item, as
   an owned word, and nothing in the register of the awaitable; or the awaitable there, and what is
   passed up; or 0 with an exception. */
PyReg _PyVM_NextItem(PyVMFrame *f, PyThreadState *ts, PyObject *gen);
/* Wraps the item that the running ASYNC_GEN_WRAP of `f` names, unless who resumed it takes it as it
   is; or 0 with an exception. */
PyReg _PyVM_WrapItem(PyVMFrame *f, PyThreadState *ts);
/* The next value of a generator for a loop of `f`, whose ip is at the FOR_ITER: an owned word, 0
   with an exception, or JIT_LOOP_ENDS. */
#define JIT_LOOP_ENDS ((PyReg)2)
PyReg _PyVM_NextForLoop(PyVMFrame *f, PyThreadState *ts, PyObject *gen);
/* Arithmetic of ints: a new word, or 0, without an exception, for other operands and where there
   is no result. kind: K_ADD and so on, but neither K_POW nor K_MATMUL. */
PyReg _PyVM_ArithOfInts(PyReg x, PyReg y, int kind);
/* An iterator of `f`'s loop has given no item: 1 if the loop ends, 0 with an exception. */
int64_t _PyVM_LoopEnds(PyVMFrame *f, PyThreadState *ts);

/* What a method of Python's has returned for the running operator of `f` is not what it usually
   is: NotImplemented, or of a test no bool. The operator's value, of a test True or False; 0 with
   an exception. Takes the value's reference. */
PyReg _PyVM_MethodAnswer(PyVMFrame *f, PyThreadState *ts, PyReg value);

/* The same for a frame whose arguments and header are set, but whose other variables are not
   unbound yet: what code without machine code has for native_entry. */
PyReg _PyVM_CallFromNative(PyVMFrame *f, PyThreadState *ts);
/* The same where machine code begins behind the making of cells. */
PyReg _PyVM_CallWithCells(PyVMFrame *f, PyThreadState *ts);
/* What machine code calls from now on: native_entry. jit is code->jit. */
static inline void *
_PyJit_EntryForCalls(const PyVMCode *code, const PyJitCode *jit)
{
    return !_PyJit_IsCalled(jit) ? _PyCode_DefaultEntry
           : code->code[0].op == OP_MAKE_CELL ? (void *)_PyVM_CallWithCells : (void *)jit->entry;
}
/* Calls what is in a window of f's. call: the window's register, the number of arguments above bit
   16, and above bit 32 whether the callable may be missing and the next word has it, or a self
   stands before the arguments (CALL_METHOD). Empties the window. Returns a value, or 0 with an
   exception. */
PyReg _PyVM_CallAny(PyVMFrame *f, PyThreadState *ts, uint64_t call, PyObject *names);
/* The same for f(*args, **kwargs). */
PyReg _PyVM_CallEx(PyVMFrame *f, PyThreadState *ts, uint64_t window, uint64_t has_kwargs);
/* Puts the arguments of a Python function in a window where its parameters are; call as above.
   Returns its code; NULL with an exception: the window is empty. */
struct _PyVMCode *_PyVM_BindForNative(PyVMFrame *f, PyThreadState *ts, uint64_t call,
                                      PyObject *names);
/* code->jit has changed: each RESUME and JUMP_BACK that has a place enters machine code from
   now on (as RESUME__NATIVE, JUMP_BACK__NATIVE), the others do not. None does while the code is
   monitored. */
void _PyVM_MarkNative(PyVMCode *code);
/* Whether and when to compile, at start-up (vm/jit_mode.c). */
void _PyJit_Configure(const PyConfig *config);

/* ------------------------------------------------- what the compiler offers (jit) */

/* All functions that have machine code now, newest first, and what is called with each that is
   compiled; NULL: nothing. */
extern PyJitCode *_PyJit_Installed;
extern void (*_PyJit_Publish)(PyJitCode *);
/* Those that frames are shown to can tell the scopes of a function apart. */
extern int _PyJit_ShowsScopes;

/* A function or a loop is warm: `ip` is at its RESUME or JUMP_BACK, which is the running
   instruction. Compiles it, unless it can't be or need not. 1 if code->jit is set now; -1: it
   is to be offered again soon. Raises nothing. */
int _PyJit_Warm(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip);
/* The code object is destroyed. */
void _PyJit_Free(PyVMCode *code);

/* Frames are about to be shown to profilers: functions that others have been built into are
   compiled anew, with records or without (jit/scopes.c). */
void _PyJit_ShowInlined(void);

/* For a static type in C that the collector doesn't know: dies_alone() says whether no other code
   can run when this object is destroyed. Else machine code takes nothing for granted. */
void _PyJit_LearnDiesAlone(const PyTypeObject *type, int (*dies_alone)(PyObject *));
/* Of abstract base classes: how many classes have been registered anywhere; and a function, which
   runs no code: is the class known to be no subclass of `abstract`, until there is one more? */
void _PyJit_LearnOfClasses(const unsigned long long *registrations,
                           int (*is_known_not)(PyObject *abstract, PyTypeObject *cls));

/* How many calls of the interpreter's are in machine code now, in all threads. What nobody needs
   any more is freed when there is none. */
extern long _PyJit_Running;
extern PyJitCode *_PyJit_Retired;
void _PyJit_FreeRetired(void);
/* In a forked child: only this thread is left. */
void _PyJit_AfterForkChild(PyThreadState *ts);

/* Where machine code is. Async-signal-safe. */
typedef struct {
    uintptr_t start;
    size_t size;
} JitCodeRange;

JitCodeRange _PyJit_CodeRange(void);

static inline int
_PyJit_IsWithin(JitCodeRange range, uintptr_t address)
{
    return address - range.start < range.size;
}

/* How far below the frame of the function with this address the stack ends while it calls another,
   or 0: not known here. The address is in machine code. Async-signal-safe. */
size_t _PyJit_FrameSize(uintptr_t address);
/* In a forked child: has the kernel tell perf of that memory anew, as the child's. Nothing may
   be running there. */
void _PyJit_TellMemory(void);

#endif
