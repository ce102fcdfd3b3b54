/* What the files share that make machine code of a graph: liveness.c, regs.c (where values live),
   lower*.c (which instructions nodes become), and those that finish it.

   Registers are given out in one pass over the blocks in their order, while code is emitted. A
   value has a register, a slot of the native frame, or both. A slot is written where the value
   is made, and then holds it for good; so a value without one can't leave its register: if it
   has to, it is marked, and emission begins again. */
#ifndef SB_JIT_LOWER_H
#define SB_JIT_LOWER_H

#include "ir.h"

/* Registers of both kinds in one numbering: floats from here on. */
#define JIT_FLOATS 32
#define JIT_ALL_REGS 64

/* The words of the native frame in which registers are kept while rare code runs. */
#define JIT_AREA_WORDS JIT_ALL_REGS

/* Where a value is, for those who leave: an index into the area, a slot behind it, or a
   constant. */
typedef struct {
    uint16_t reg;               /* of the VM */
    uint8_t keep;               /* JitKeep */
    uint8_t is_const;
    uint32_t place;             /* word of the native frame */
    uint64_t constant;          /* of one that is none: boxed_in (JitSnapEntry) */
} JitKept;

/* What C code called from a rare path needs to know: which instruction is running, where the
   interpreter would go on, and what of the frame is not in memory. */
typedef struct JitPoint {
    const struct _PyVMCode *code;
    uint32_t at, ip;
    uint32_t n;
    uint8_t stays;              /* the instruction is not done: machine code must go on */
    uint8_t is_leaving;         /* a variable is released because the frame returns */
    uint8_t is_ending;          /* the frame returns, and somebody holds its frame object */
    uint8_t borrows;            /* something in `kept` is borrowed */
    uint8_t guard;              /* JitNodeOp of what leaves, and where: in what is built in */
    uint8_t is_answer;          /* what the instruction has called has said no */
    uint32_t inner_ip;
    JitKept kept[];
} JitPoint;

/* A function has many points, which live as long as its code: some in each piece of memory. */
typedef struct JitPoints {
    struct JitPoints *next;
    uint32_t used, size;        /* of `bytes` */
    _Alignas(8) char bytes[];
} JitPoints;

typedef enum {
    RARE_LEAVE,                 /* a guard has failed */
    RARE_RELEASE,
    RARE_PENDING,
    RARE_BOX,                   /* a float, an int */
    RARE_ASK,                   /* a function of the value (and the node's aux, if it has one),
                                   whose 0 says to leave */
    RARE_IS_STR,
    RARE_TO_INT,
    RARE_TO_DOUBLE,
    RARE_ERROR,
    RARE_BOX_RUN,               /* ints in registers of the VM */
    RARE_CHECK,                 /* leaves with memory as it is */
} JitRareKind;

/* Code in the rare part, emitted at the end. */
typedef struct JitRare {
    struct JitRare *next;
    JitRareKind kind;
    JitLabel label, back;
    JitRef node;
    JitRegSet live, live_floats;        /* what has to survive */
    JitRegSet scratch;                  /* two registers that need not, or none */
    JitPoint *point;
    JitReg value, dest;
    JitFloatReg float_value;
    const void *function;
    JitLabel leave;
} JitRare;

/* A block's or an edge's registers: what they hold, 0 for nothing, and which hold something. */
typedef struct {
    JitRef owner[JIT_ALL_REGS];
    uint64_t held;
} JitState;

typedef struct {
    JitGraph *g;
    JitAsm as;
    const JitMachine *m;
    /* Per node. */
    uint8_t *kinds;             /* JIT_IS_… */
    uint8_t *reg;               /* where it is now, or JIT_NO_REG: as `now` has it */
    int32_t *slot;              /* -1: none */
    uint8_t *needs_slot;        /* kept from one try to the next */
    uint8_t *across;            /* it is alive while C is called */
    uint32_t most_across[2];    /* so many are at once, of ints and of doubles */
    uint32_t *unit_of;          /* where it is made */
    uint8_t *changed;           /* a phi: its loop gives it other values */
    uint32_t *used_in;          /* the last loop looked at that uses it */
    uint32_t loop;
    /* Units: blocks, then edges. */
    uint32_t nunits;
    uint32_t *dense;            /* of values that are alive in several units: a number from 1 */
    uint32_t ndense, words;
    uint64_t *live_in, *live_out;
    JitRef *of_dense;
    /* What dies where: lists by node. */
    uint32_t *deaths_first, *deaths_n;
    JitRef *deaths;
    uint32_t ndeaths, deaths_size;
    /* Now. */
    JitState now;
    struct JitMove *moves;      /* of one edge (regs.c) */
    uint64_t pinned;            /* registers that must not be given away */
    uint64_t temps;             /* registers in use for this node only */
    uint32_t unit;
    uint32_t nslots, slots_room;
    uint64_t used;              /* registers that were ever used */
    int again;
    int crowded;                /* many tries were in vain */
    /* Blocks. */
    JitLabel *labels;
    JitState **entry;           /* the registers at a block's beginning; NULL: not decided */
    JitRare *rare, **rare_end;
    JitLabel common_return, common_dispatch, common_exit, common_leave, common_error;
    PyJitCode *jit;             /* to be: machine code names it */
    uint32_t main_entry;        /* the instruction at which functions begin */
    JitPoints *points;
    JitLabel *places;           /* of blocks that are entered from outside */
    JitLabel *resumes;          /* the same for calls: prologues in front of them */
    PyJitMark *marks;           /* marks.c; `at` as _PyJit_AsmHere() says it */
    PyJitMark marked;           /* the last one asked for */
    uint32_t nmarks, marks_size, last_mark[2];
    uint32_t stress;            /* which guards fail at random */
    JitRegSet saved, saved_floats;      /* by prologues */
    unsigned scope;             /* that code is emitted for, and the slot of the first record */
    uint32_t records;
} JitLower;

/* --------------------------------------------------------------- frame_info.c */

/* Of code that is complete. NULL: no memory. */
PyJitFrameInfo *_PyJit_MakeFrameInfo(JitAsm *as);

/* --------------------------------------------------------------- unwinders.c */

/* Tells libgcc of a function, and that it is no more. */
void _PyJit_TellUnwinders(PyJitCode *jit);
void _PyJit_ForgetByUnwinders(PyJitCode *jit);

/* -------------------------------------------------------------------- marks.c */

/* What is emitted from here on, in both parts, is code of the instruction at index ip, and of a
   scope's at inner_ip. */
void _PyJit_Mark(JitLower *l, uint32_t ip, unsigned scope, uint32_t inner_ip);
void _PyJit_ForgetMarks(JitLower *l);
/* Hands the marks of finished code to it. */
void _PyJit_FinishMarks(JitLower *l, PyJitCode *jit);

/* ------------------------------------------------------------------- scopes.c */

/* So many words of the native frame, from the slot l->records on. */
uint32_t _PyJit_RecordWords(const JitGraph *g);
/* Who comes here is in that scope. */
void _PyJit_BeginScope(JitLower *l, unsigned scope);
/* What follows is code of that scope; ip: of the instruction in the function. */
void _PyJit_ToScope(JitLower *l, unsigned scope, uint32_t ip);
/* Jumps out of a node's code to a label that all of the function shares. */
void _PyJit_JumpToCommon(JitLower *l, const JitNode *n, JitLabel label);

/* ------------------------------------------------------------------ install.c */

/* Puts the finished code where it runs; at_entry: the second entry. NULL: there is no room. The
   points are the code's from then on. */
PyJitCode *_PyJit_Install(JitLower *l, uint32_t at_entry);
/* Frees all that belongs to a version of a function. Nobody runs it any more. */
void _PyJit_FreeVersion(PyJitCode *jit);
void _PyJit_FreePoints(JitPoints *points);

/* ----------------------------------------------------------------- liveness.c */

int _PyJit_FindLife(JitLower *l);

/* --------------------------------------------------------------------- regs.c */

enum { JIT_IS_CONST = 1, JIT_IS_DOUBLE = 2 };

static inline int
jit_is_double(const JitLower *l, JitRef ref)
{
    return (l->kinds[ref] & JIT_IS_DOUBLE) != 0;
}

static inline int
jit_is_const(const JitLower *l, JitRef ref)
{
    return l->kinds[ref] & JIT_IS_CONST;
}

/* An operand in a register, which stays its until the node is done. */
JitReg _PyJit_In(JitLower *l, JitRef ref);
JitFloatReg _PyJit_InFloat(JitLower *l, JitRef ref);
/* A register for this node only. */
JitReg _PyJit_Temp(JitLower *l);
JitFloatReg _PyJit_FloatTemp(JitLower *l);
/* The register of the node's value; `reuse`: it may be that of an operand that dies. */
JitReg _PyJit_Out(JitLower *l, JitRef ref, int reuse);
JitFloatReg _PyJit_OutFloat(JitLower *l, JitRef ref, int reuse);
/* The value is in its register now: writes its slot if it has one. */
void _PyJit_Made(JitLower *l, JitRef ref);
/* After the node: what dies is forgotten, temporaries are free again. */
void _PyJit_EndNode(JitLower *l, JitRef ref);
/* An argument: a value, a constant, a register of the machine or an address in the frame. */
typedef struct {
    enum { ARG_REF, ARG_IMM, ARG_REG, ARG_LEA } kind;
    JitRef ref;
    uint64_t imm;
    JitReg reg;
} JitArg;
/* Before a call: arguments go to their places, and what the callee may change is forgotten. */
void _PyJit_CallArgs(JitLower *l, JitRef node, const JitArg *args, int n);
void _PyJit_AfterCall(JitLower *l, JitRef node);
/* The value of a call is in the result register (of either kind). */
void _PyJit_TakeResult(JitLower *l, JitRef ref, unsigned from);
/* Registers that hold something that is needed after the node. */
void _PyJit_LiveRegs(JitLower *l, JitRef node, JitRegSet *live, JitRegSet *floats);
/* Where the values of a snapshot are now. */
JitPoint *_PyJit_Point(JitLower *l, uint32_t snap, uint32_t at);

/* Is no code needed to pass along an edge? */
int _PyJit_EdgeIsFree(JitLower *l, uint32_t edge);
void _PyJit_EdgeMoves(JitLower *l, uint32_t edge);
void _PyJit_BeginUnit(JitLower *l, uint32_t unit);
/* All registers are as in that state; NULL: none holds anything. */
void _PyJit_SetState(JitLower *l, const JitState *state);

static inline int32_t
jit_slot_disp(JitLower *l, int32_t slot)
{
    return _PyJit_SlotDisp(&l->as, (uint32_t)slot + JIT_AREA_WORDS);
}

static inline int32_t
jit_area_disp(JitLower *l, unsigned reg)
{
    return _PyJit_SlotDisp(&l->as, reg);
}

#endif
