/* Code objects and the shape of register bytecode.

   A PyVMCode begins with CPython 3.11's PyCodeObject, whose public fields keep
   their meaning; the bytecode itself is ours. An instruction is one 64-bit word
   {op, a, b, c}; `_PyOpcode_Info[op].cache` further words of inline cache
   follow it. An ip always points at an instruction word, never at a cache.
   Where CPython's API speaks of the address of an instruction (f_lasti,
   tb_lasti, co_lines(), PyCode_Addr2Line), ours is twice the index of the word,
   so that tools which halve it find their place in co_positions().

   Registers of a frame, in order:
     0 .. nlocals-1                  parameters, then other local variables
     nlocals .. first_temp-1         cells of variables that are not parameters
                                     (a captured parameter's cell replaces it)
     first_temp .. nregs-1           temporaries, and the windows of callees
   Free variables have no register: they are read from the function's closure. */
#ifndef SB_INTERNAL_CODE_H
#define SB_INTERNAL_CODE_H

#include "Python.h"

typedef union PyInstr {
    uint64_t word;
    struct {
        uint8_t op;
        uint8_t line;           /* 1: begins a line shown to native profilers (vm/shown_lines.c);
                                   2: MONITORED (internal/monitoring.h) */
        uint16_t a, b, c;
    };
    struct {
        uint16_t op_line, a_;
        int32_t bc;             /* b and c as one signed field */
    };
} PyInstr;

/* The words of an inline cache, as the specialiser and the handlers see them. */
typedef union PyCacheWord {
    uint64_t word;
    struct {
        uint32_t arg;           /* name, constant or jump operand (from the compiler) */
        uint16_t counter;       /* counts down to the next attempt to specialise */
        uint16_t index;
    };
    struct {
        uint32_t version;       /* of a type, function or dict's keys */
        uint32_t version2;
    };
    void *ptr;
} PyCacheWord;

/* What the run of MAKE_FUNCTION holds, in this order: a tuple, a dict, a flat tuple of
   names and values (or a dict), a tuple of cells. */
enum { MAKE_DEFAULTS = 1, MAKE_KWDEFAULTS = 2, MAKE_ANNOTATIONS = 4, MAKE_CLOSURE = 8 };

typedef enum {
#define OP(name, cache, operands) OP_##name,
#include "opcodes.def"
#undef OP
    OP__COUNT
} PyOpcode;

typedef struct {
    const char *name;
    const char *operands;       /* see opcodes.def */
    uint8_t cache;              /* cache words that follow */
    uint16_t base;              /* of a specialised opcode: the general form; else itself */
} PyOpcodeInfo;

extern const PyOpcodeInfo _PyOpcode_Info[];

/* How many words an instruction takes, with its inline cache: so far is the next one. A word
   that is no instruction counts one. */
static inline uint32_t
_PyInstr_Words(const PyInstr *in)
{
    return in->op < OP__COUNT ? 1u + _PyOpcode_Info[in->op].cache : 1u;
}

/* One protected range. When an instruction with index in [start, end) raises,
   temporaries from `depth` up (a register number) are dropped, the exception
   instance is stored in register `exc`, and control goes to `target`.
   Ranges are sorted by start; of nested ranges the innermost comes first in lookup
   order. co_exceptiontable holds the same as a bytes object (the encoding is
   private to Python/frontend/assemble.c and Objects/code/code.c). */
typedef struct {
    uint32_t start, end, target;
    uint16_t depth, exc;
} PyHandlerRange;

typedef struct _PyVMCode {
    PyCodeObject ob;            /* 3.11's public layout */
    PyInstr *code;              /* the running, self-specialising instructions; NULL until the first
                                   call: see _PyCode_Unpack() */
    uint32_t ninstr;            /* words, caches included */
    uint16_t nregs;             /* size of the window */
    uint16_t first_temp;
    uint16_t nparams;           /* registers that arguments fill, *args and **kwargs included */
    uint16_t nregs_locals;      /* first_temp: registers to unbind at entry, parameters included */
    uint32_t version;           /* non-zero; unique per code object */
    uint8_t simple_call;        /* no kwonly, *args or **kwargs;
                                   CO_OPTIMIZED|CO_NEWLOCALS; not a generator; unpacked */
    uint8_t is_generator;       /* generator, coroutine or async generator */
    PyHandlerRange *handlers;
    uint32_t nhandlers;
    void *landing;              /* see _PyVM_ShownMode in internal/vm.h */
    void *kept_landings;        /* of other modes (observe/perf/landings.c) */
    struct _PyVMCode *landings_next;    /* in the list of code objects with landings */
    struct _PyVMCode **landings_link;   /* what points to this one in that list, or NULL */
    uint8_t lines_marked;       /* PyInstr.line is set where a line begins */
    uint8_t times_warm;         /* so often it has been warm, and was not yet compiled */
    uint8_t makes_warm;         /* what it makes in place is warm, so its own counts are short */
    uint32_t resume_key;        /* of a generator's: that of the machine code in which suspended
                                   ones go on, or 0 (internal/jit.h) */
    void *jit;                  /* its machine code, or NULL (internal/jit.h) */
    void *native_entry;         /* what machine code calls (a PyJitEntry); never NULL */
    void *monitor;              /* a _PyCodeMonitor, or NULL (internal/monitoring.h) */
    uint32_t npacked;
    uint8_t packed[];           /* the instructions as the compiler made them (code/packed.c) */
} PyVMCode;

/* The bits of co_localspluskinds. */
#ifndef CO_FAST_LOCAL
#  define CO_FAST_LOCAL 0x20
#  define CO_FAST_CELL 0x40
#  define CO_FAST_FREE 0x80
#endif

#define _PyVMCode_CAST(op) ((PyVMCode *)(op))
/* The instructions as the compiler made them. Returns a new bytes object. (PyCode_GetCode()
   returns the same bytes in another order.) */
PyObject *_PyCode_GetWords(PyVMCode *code);
/* Makes the words that run. The code of a frame has them: whoever makes one calls this first, or
   looks at simple_call, which is 0 until then. Else whoever reads `code` does. Returns 0, or -1
   with MemoryError or, for what no compiler made, ValueError. */
int _PyCode_Unpack(PyVMCode *code);
/* The same without an exception. */
int _PyCode_UnpackQuietly(PyVMCode *code);
static inline int
_PyCode_IsUnpacked(const PyVMCode *code)
{
    return code->code != NULL;
}
#define _PyCode_NBYTES_VM(co) ((Py_ssize_t)(co)->ninstr * (Py_ssize_t)sizeof(PyInstr))

/* What the assembler hands over; _PyCode_NewVM copies it, taking new references. */
struct _PyVMCodeConstructor {
    PyObject *filename, *name, *qualname;
    int flags, firstlineno;
    const PyInstr *code; uint32_t ninstr;
    const uint8_t *packed; size_t npacked;      /* or these (code/packed.c): then code is NULL */
    PyObject *linetable;            /* bytes, 3.11's format; one unit = one word */
    PyObject *exceptiontable;       /* bytes */
    PyObject *consts, *names;       /* tuples */
    PyObject *localsplusnames;      /* tuple: locals, plain cells, frees */
    PyObject *localspluskinds;      /* bytes: CO_FAST_LOCAL 0x20, CELL 0x40, FREE 0x80 */
    int argcount, posonlyargcount, kwonlyargcount;
    uint16_t nregs, first_temp;
};
PyCodeObject *_PyCode_NewVM(struct _PyVMCodeConstructor *con);

/* Called before a code object with landings (landings_link is not NULL) is destroyed. */
extern void (*_PyCode_VacateLandings)(PyVMCode *);

/* The native_entry of code without machine code: the VM sets it before any is made. */
extern void *_PyCode_DefaultEntry;
/* Called before a code object with machine code is destroyed. */
extern void (*_PyCode_LeaveJit)(PyVMCode *);

/* Called before a code object with a monitor is destroyed. */
extern void (*_PyCode_LeaveMonitor)(PyVMCode *);

/* Is this constant an int that fits in an instruction? */
int _PyCode_ImmediateInt(PyObject *constant, int32_t *value);

/* Changes whenever an opcode does, so that old cached bytecode is recognised. */
uint16_t _PyCode_MagicNumber(void);

/* The line of an instruction index, or -1. */
int _PyCode_LineOf(PyVMCode *co, Py_ssize_t instr);
/* The same for an index that exists, by the array that often asking makes. */
static inline int
_PyCode_LineAt(PyVMCode *co, Py_ssize_t instr)
{
    return co->ob._co_linearray != NULL ? ((int32_t *)co->ob._co_linearray)[instr]
                                        : _PyCode_LineOf(co, instr);
}
/* Line and column range of an instruction; absent parts are -1. */
void _PyCode_PositionOf(PyVMCode *co, Py_ssize_t instr,
                        int *line, int *end_line, int *col, int *end_col);

/* The innermost handler for an instruction index, or NULL. */
const PyHandlerRange *_PyCode_FindHandler(PyVMCode *co, uint32_t instr);

/* Objects/code/code.c: constants with equal keys are one constant. Returns a new
   reference. */
PyObject *_PyCode_ConstantKey(PyObject *constant);
/* 1 if two constants may share a slot of co_consts, 0 if not, -1 on error. */
int _PyCode_ConstantsEqual(PyObject *x, PyObject *y);

#endif
