/* The VM's frames and registers.

   A register is one word: an owned PyObject pointer, a tagged int (low bit 1,
   63 bits of value), or 0 for unbound.

   A frame is a header of FRAME_WORDS words directly followed by its registers.
   A caller builds a call in its own temporaries: register `base` is the callable,
   base+1 .. base+FRAME_WORDS-1 are left alone, and the arguments begin at
   base+FRAME_WORDS. So the header and the registers of the callee are already
   in place when the call happens, and `func` is the callable's own register.

   Invariants of temporaries:
   - an opcode that reads a temporary takes its value: the register is dead
     afterwards (operands marked `k` in opcodes.def are looked at, not taken);
   - a dead temporary holds 0, a tagged int, or None, True or False, which are
     permanent and not counted (vm.h). So unwinding may release every pointer
     from a given register up;
   - a returning callee leaves its header words and registers dead.
   Writing a register, of a variable or a temporary, releases what it held.

   A frame lies on the thread's VM stack (owner FRAME_THREAD), inside a generator object
   (FRAME_GENERATOR), or, if its frame object has outlived it, inside that object
   (FRAME_OBJECT). */
#ifndef SB_INTERNAL_FRAME_H
#define SB_INTERNAL_FRAME_H

#include "Python.h"
#include "internal/code.h"

typedef uint64_t PyReg;

enum { FRAME_THREAD = 0, FRAME_GENERATOR = 1, FRAME_OBJECT = 2 };

enum {
    FRAME_CLEARED = 1,      /* by frame.clear(): free variables are not shown */
    FRAME_JUMPED = 2,       /* a tracer has moved the suspended generator: it resumes at ip + 1 */
    FRAME_UNBOUND = 4,      /* may lack variables that its code takes for bound */
    FRAME_COUNTS_TWICE = 8, /* against the recursion limit: the operator (RET_METHOD) or the
                               class (RET_INIT) counts as a call, too */
    FRAME_LEAVING = 16,     /* ending: what it releases must not see it, see begin_leaving() */
    FRAME_MAPPED = 32,      /* has a mapping (locals) though its code is a function's: exec() or
                               locals() has made it, and a short return would forget it */
};

/* What happens to the value that a frame returns. */
enum {
    RET_REG = 0,        /* goes to register `dest` of the previous frame, which continues */
    RET_INIT = 1,       /* must be None; the word below the frame holds the new instance, which
                           goes to `dest` instead */
    RET_FOR = 2,        /* a generator resumed by FOR_ITER of the previous frame */
    RET_SEND = 3,       /* a generator or coroutine resumed by its SEND */
    RET_METHOD = 4,     /* of an operator: _PyVM_MethodReturned ends the caller's instruction */
    /* The evaluator returns it: */
    RET_ENTRY = 5,      /* as an object, to C */
    RET_NATIVE = 6,     /* as a register's word, to machine code or what called it (jit.h) */
};
#define RET_LEAVES(ret) ((ret) >= RET_ENTRY)
/* The dest of frames that machine code runs, which nobody looks at. It makes the header's last
   word a tagged int, which may stay when the frame is gone. */
#define NATIVE_DEST 1
/* The dest of RET_NATIVE frames that the interpreter runs. */
#define INTERPRETED_DEST 2

struct _PyInterpreterFrame {
    PyObject *func;             /* owned: a PyFunctionObject */
    PyVMCode *code;             /* kept alive by func */
    struct _PyInterpreterFrame *previous;
    const PyInstr *ip;          /* the instruction being executed; valid whenever C code can look */
    PyFrameObject *frame_obj;   /* owned, or NULL */
    PyObject *locals;           /* owned, or NULL: the mapping of a module or class body */
    uint16_t dest;
    uint8_t ret;
    uint8_t owner;
    uint16_t flags;             /* FRAME_CLEARED … */
    uint16_t skip;              /* RET_REG: the caller continues this many words after its ip */
    PyReg regs[];
};
typedef struct _PyInterpreterFrame PyVMFrame;

#define FRAME_WORDS 7
_Static_assert(sizeof(PyVMFrame) == FRAME_WORDS * sizeof(PyReg), "FRAME_WORDS");

#define REG_IS_INT(r)      ((r) & 1)
/* Neither tagged nor 0, in one comparison: rotated right, a tag is negative. */
#define REG_IS_PTR(r)      ((int64_t)((uint64_t)(r) >> 1 | (uint64_t)(r) << 63) > 0)
#define REG_INT(r)         ((int64_t)(r) >> 1)
#define REG_FROM_INT(v)    (((uint64_t)(v) << 1) | 1)
#define REG_PTR(r)         ((PyObject *)(r))

/* The innermost Python frame of a thread, or NULL. It is stored where CPython has it:
   extensions look there to see whether a thread runs Python code, and greenlet switches
   it. */
#define TS_FRAME(ts) (*(PyVMFrame **)&(ts)->cframe->current_frame)

static inline PyFunctionObject *
frame_func(PyVMFrame *f)
{
    return (PyFunctionObject *)f->func;
}

/* From now on Python code is not shown this frame, which ends: what its end releases may run
   destructors, whose caller is the caller of the frame. It stays linked until then, for whoever
   needs to know how far the VM stack is used. */
static inline void
begin_leaving(PyVMFrame *f)
{
    f->flags |= FRAME_LEAVING;
}

/* Is the frame still making its cells, or the generator that it will belong to? Then its first line
   has not begun. */
static inline int
is_incomplete(const PyVMFrame *f)
{
    return f->ip >= f->code->code
           && (f->ip->op == OP_MAKE_CELL
               || (f->ip->op == OP_RETURN_GENERATOR && f->owner == FRAME_THREAD));
}

/* `f` or, if it is leaving or incomplete, the first outside it that is neither: what Python code
   is shown. */
static inline PyVMFrame *
first_staying(PyVMFrame *f)
{
    while (f != NULL && ((f->flags & FRAME_LEAVING) || is_incomplete(f))) {
        f = f->previous;
    }
    return f;
}

/* ------------------------------------------------------ read on every floor */

/* Python/core/threads/frames.c */

/* The innermost frame of a thread that Python code is shown, or NULL. */
PyVMFrame *_PyThreadState_CurrentFrame(PyThreadState *tstate);

/* The line that a frame is at. */
int _PyFrame_LineOf(PyVMFrame *frame);
/* The builtins of code with these globals. Returns a borrowed reference, NULL on error. */
PyObject *_PyEval_BuiltinsFromGlobals(PyThreadState *tstate, PyObject *globals);

/* ----------------------------------------------------------------- the VM's */

/* The frame object of a frame, made if there is none yet. Returns a borrowed reference,
   NULL with MemoryError. */
PyFrameObject *_PyFrame_GetFrameObject(PyVMFrame *frame);

/* The interpreter: runs `frame` (already pushed: owner, previous and arguments set) until it
   returns. throwflag: an exception is set and is to be raised in it. Returns a new reference,
   or NULL. */
PyObject *_PyEval_EvalFrameDefault(PyThreadState *tstate, PyVMFrame *frame, int throwflag);
/* The same, but never by way of the hook that shows frames. */
PyObject *_PyEval_EvalFrameUnshown(PyThreadState *tstate, PyVMFrame *frame, int throwflag);

#endif
