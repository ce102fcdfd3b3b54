/* A function as the compiler sees it: blocks of nodes in static single assignment form.

   A node is a value, an effect, or both; what it is made of are earlier nodes. Nodes of a block
   stand one after the other, and blocks in an order in which only the edges of loops go back.
   Control passes along edges. What has to be done on an edge alone (values for the phis of its
   target, stores that make the target's memory true) stands in the edge's own nodes.

   Values are words as registers of the VM hold them, with a type that says what is known:
   ints stay tagged. Only doubles are unboxed. Who owns a reference is settled while the graph is
   built (state.c): each reference that is taken has exactly one place that gives it up, in code or
   in the snapshots that lead out of it.

   A snapshot says what the frame looks like at an instruction boundary: which registers of the
   frame are not what memory says, and where their values are. Guards leave by one. */
#ifndef SB_JIT_IR_H
#define SB_JIT_IR_H

#include "Python.h"
#include "internal/code.h"
#include "internal/frame.h"
#include "internal/jit.h"
#include "emit.h"

typedef uint32_t JitRef;        /* the number of a node; 0: none */

typedef enum {
    JIT_T_NONE,                 /* no value */
    JIT_T_WORD,                 /* any value of a register that is bound */
    JIT_T_INT,                  /* a tagged int */
    JIT_T_OBJECT,               /* a pointer to an object (cls: its exact class, if known) */
    JIT_T_DOUBLE,               /* unboxed */
    JIT_T_RAW,                  /* a machine word that is no value of Python's */
} JitType;

/* JIT_NODE(name, flags) */
enum {
    JIT_EFFECT = 1,             /* is kept, used or not */
    JIT_CALLS = 2,              /* calls C: registers that the caller saves are lost */
    JIT_ENDS = 4,               /* the last of its block */
    JIT_LEAVES = 8,             /* may leave by its snapshot */
};
#define JIT_NODES \
    JIT_NODE(NONE, 0) \
    JIT_NODE(CONST, 0)          /* imm: the word; a reference that is not counted */ \
    JIT_NODE(DOUBLE, 0)         /* imm: its bits */ \
    JIT_NODE(PHI, 0) \
    /* The frame's memory. reg: a register of the VM. */ \
    JIT_NODE(LOAD_REG, 0) \
    JIT_NODE(STORE_REG, JIT_EFFECT) \
    JIT_NODE(FUNC, 0)           /* the frame's function */ \
    JIT_NODE(LOCALS, 0)         /* the frame's dict of local variables, or NULL */ \
    JIT_NODE(SAVE_IP, JIT_EFFECT)       /* imm: index of the instruction */ \
    /* Other memory: at a + imm. */ \
    JIT_NODE(LOAD, JIT_EFFECT)          /* width */ \
    JIT_NODE(LOAD_INDEXED, JIT_EFFECT)  /* a + (b << width's size) + imm */ \
    JIT_NODE(STORE, JIT_EFFECT) \
    JIT_NODE(STORE_INDEXED, JIT_EFFECT) /* args[2], where LOAD_INDEXED loads */ \
    JIT_NODE(ADD_MEM, JIT_EFFECT)       /* cond: what is added, signed */ \
    /* References. */ \
    JIT_NODE(INCREF, JIT_EFFECT) \
    JIT_NODE(RELEASE, JIT_EFFECT | JIT_LEAVES) /* snap, if any: where to leave afterwards */ \
    /* Guards: their value is their operand, better known. */ \
    JIT_NODE(GUARD_INT, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(GUARD_OBJECT, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(GUARD_CLASS, JIT_EFFECT | JIT_LEAVES)      /* of an object: cls */ \
    JIT_NODE(GUARD_IS, JIT_EFFECT | JIT_LEAVES)         /* the word imm */ \
    JIT_NODE(GUARD_CMP, JIT_EFFECT | JIT_LEAVES)        /* a cond b, raw words */ \
    JIT_NODE(GUARD_FCMP, JIT_EFFECT | JIT_LEAVES)       /* a cond b, doubles, no NaNs */ \
    JIT_NODE(GUARD_MEM, JIT_EFFECT | JIT_LEAVES)        /* memory at a + reg is imm (width) */ \
    JIT_NODE(GUARD_VERSIONS, JIT_EFFECT | JIT_LEAVES)   /* a type's: one of reg many at aux */ \
    JIT_NODE(GUARD_LIKE, JIT_EFFECT | JIT_LEAVES)       /* a type is like the model of aux, a \
                                   JitLike (likes.h) */ \
    JIT_NODE(GUARD_ABS, JIT_EFFECT | JIT_LEAVES)        /* memory at aux is imm (width) */ \
    JIT_NODE(GUARD_ROOM, JIT_EFFECT | JIT_LEAVES)       /* for frames up to reg */ \
    JIT_NODE(GUARD_DEPTH, JIT_EFFECT | JIT_LEAVES)      /* for imm more levels of calls */ \
    JIT_NODE(GUARD_UNSEEN, JIT_EFFECT | JIT_LEAVES)     /* the frame has no frame object */ \
    JIT_NODE(GUARD_QUIET, JIT_EFFECT | JIT_LEAVES)      /* no code runs if the last but one \
                                   reference to it goes, and this one with it */ \
    JIT_NODE(LIST_ROOM, JIT_EFFECT | JIT_LEAVES)        /* makes room for one more item */ \
    JIT_NODE(IS_STR, JIT_EFFECT | JIT_LEAVES)   /* raw 1 or 0: is it equal to the interned str \
                                   imm, or not if cond is Py_NE */ \
    JIT_NODE(TO_INT, JIT_EFFECT | JIT_LEAVES)   /* a tag, of a tag or a short int; cond: \
                                   JIT_UNBOUND_STAYS, JIT_OR_BOOL */ \
    JIT_NODE(TO_DOUBLE, JIT_EFFECT | JIT_LEAVES) /* of a float or a short int; cond: exact */ \
    JIT_NODE(GUARD_FLOAT, JIT_EFFECT | JIT_LEAVES)      /* one of the two is a float */ \
    /* Ints. Those that raise do so by leaving. Others leave only where the value does not fit: \
       not at all where nobody needs it. */ \
    JIT_NODE(ADD, JIT_LEAVES) \
    JIT_NODE(SUB, JIT_LEAVES) \
    JIT_NODE(MUL, JIT_LEAVES) \
    JIT_NODE(FLOORDIV, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(MOD, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(AND, 0) \
    JIT_NODE(OR, 0) \
    JIT_NODE(XOR, 0) \
    JIT_NODE(SHL, JIT_LEAVES)   /* by imm */ \
    JIT_NODE(SHR, 0)            /* by imm */ \
    JIT_NODE(SHL_BY, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(SHR_BY, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(NEG, JIT_LEAVES) \
    JIT_NODE(CMP, 0)            /* True or False: a cond b, tagged or raw */ \
    JIT_NODE(BOOL, 0)           /* True or False, of a raw 1 or 0 */ \
    JIT_NODE(UNTAG, 0)          /* raw, of a tag */ \
    JIT_NODE(TAG, JIT_LEAVES)   /* a tag, of a raw word */ \
    JIT_NODE(RAW_ADD, 0)        /* a + b or a + imm, wrapping */ \
    JIT_NODE(RAW_OP, 0)         /* cond: a JitOp, wrapping */ \
    JIT_NODE(LOW_WORD, JIT_EFFECT | JIT_LEAVES) /* raw: the lowest 64 bits of an int that is not \
                                   negative, or is a tag. cond: it has no others */ \
    /* Doubles. */ \
    JIT_NODE(FADD, 0) \
    JIT_NODE(FSUB, 0) \
    JIT_NODE(FMUL, 0) \
    JIT_NODE(FDIV, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(FNEG, 0) \
    JIT_NODE(FABS, 0) \
    JIT_NODE(FSQRT, 0) \
    JIT_NODE(FCMP, 0)           /* True or False */ \
    JIT_NODE(INT_TO_DOUBLE, 0) \
    JIT_NODE(TRUNC, 0)          /* raw, of a double that fits */ \
    /* An owned float or int object. b, if any, is an object that is going to be released: it is \
       used again, with one more reference, if there is no other to it. */ \
    JIT_NODE(BOX_DOUBLE, JIT_EFFECT | JIT_LEAVES) \
    JIT_NODE(BOX_INT, JIT_EFFECT | JIT_LEAVES)          /* of a tag */ \
    /* Calls of C. aux: the function. */ \
    JIT_NODE(CALL, JIT_EFFECT | JIT_CALLS)      /* neither fails nor looks at frames; reg 1: takes \
                                   f first. cond: it changes nothing, and its value is borrowed */ \
    JIT_NODE(CALL_D, JIT_CALLS)                 /* a double of one or two doubles */ \
    JIT_NODE(CALL_OPAQUE, JIT_EFFECT | JIT_CALLS)   /* it may look, and run Python; reg 1: takes \
                                   f and ts first. cond: how it tells of an exception */ \
    JIT_NODE(CALL_C, JIT_EFFECT | JIT_CALLS)    /* cond: a JitCCall (ccalls.h), whose array of \
                                   `width` objects begins at `reg`, `nargs` words above the \
                                   window. imm: index, and from bit 32 on which of them may be \
                                   tags. args: self, what is called if it is a constant, names */ \
    JIT_NODE(STEP, JIT_EFFECT | JIT_CALLS)      /* imm: index; the handler of the instruction */ \
    JIT_NODE(PENDING, JIT_EFFECT | JIT_LEAVES)  /* other threads and signals get their turn */ \
    JIT_NODE(CALL_FUNCTION, JIT_EFFECT | JIT_CALLS)     /* Python's; cond: a JitFrameUse */ \
    JIT_NODE(CHECK_OK, JIT_EFFECT | JIT_LEAVES) /* leaves if machine code must not go on */ \
    /* Ends of blocks. */ \
    JIT_NODE(JUMP, JIT_EFFECT | JIT_ENDS) \
    JIT_NODE(BRANCH, JIT_EFFECT | JIT_ENDS)     /* a cond b: edge 0, else edge 1 */ \
    JIT_NODE(FBRANCH, JIT_EFFECT | JIT_ENDS)    /* width: unordered */ \
    JIT_NODE(STEP_BRANCH, JIT_EFFECT | JIT_CALLS | JIT_ENDS) /* edge 0 if it jumped */ \
    JIT_NODE(STEP_END, JIT_EFFECT | JIT_CALLS | JIT_ENDS) /* goes where the handler says */ \
    JIT_NODE(LEAVE, JIT_EFFECT | JIT_LEAVES | JIT_ENDS) \
    JIT_NODE(YIELD, JIT_EFFECT | JIT_ENDS)      /* imm: index */ \
    JIT_NODE(RETURN, JIT_EFFECT | JIT_CALLS | JIT_ENDS)         /* cond: C pops the frame */

typedef enum {
#define JIT_NODE(name, flags) JIT_##name##_NODE,
    JIT_NODES
#undef JIT_NODE
    JIT_NODE_COUNT
} JitNodeOp;

/* Of TO_INT: an unbound variable stays what it is; True and False are 1 and 0. */
enum { JIT_UNBOUND_STAYS = 1, JIT_OR_BOOL };

/* GUARD_QUIET's, besides numbers and strs: none, all of which _PyJit_DiesQuietly() says so, or
   what _PyJit_IsPlain(). */
enum { JIT_QUIET_IF_ALONE = 1, JIT_QUIET_IF_PLAIN };

/* Of CALL_OPAQUE: which values say that an exception is set. */
enum { JIT_RAISES_NULL, JIT_RAISES_NEGATIVE, JIT_RAISES_NOT, JIT_RAISES_AS_GETTER };

extern const uint8_t _PyJit_NodeFlags[];
extern const char *const _PyJit_NodeNames[];

/* The bit of PyASCIIObject.state, in the word that begins with it, that says: length and characters
   are there. */
#define JIT_STR_READY 0x80

#define JIT_ARGS 4

typedef struct {
    uint8_t op, type, cond, width;
    uint16_t reg;
    uint16_t nargs;
    JitRef args[JIT_ARGS];
    uint64_t imm;
    const void *aux;
    PyTypeObject *cls;          /* of an object: its exact class, or NULL */
    uint32_t snap;              /* 0: none */
    uint32_t ip;                /* index of the instruction that it comes from, in the function */
    uint32_t inner_ip;          /* the same in the code of its scope */
    uint16_t scope;
} JitNode;

/* What a frame is for that machine code calls. */
typedef enum {
    JIT_FRAME_CALL,
    JIT_FRAME_BOUND,            /* binding its arguments may have run other code */
    JIT_FRAME_INIT,             /* it must return None; counts twice */
    JIT_FRAME_GETTER,           /* of the attribute that the instruction loads */
    JIT_FRAME_OBJECT,           /* the __call__ of an object; counts twice */
    JIT_FRAME_OPERATOR,         /* it may return NotImplemented */
    JIT_FRAME_COMPARISON,       /* likewise; counts twice */
    JIT_FRAME_TEST,             /* a comparison whose truth is wanted */
    JIT_FRAME_TRUTH,            /* its truth is wanted */
    JIT_FRAME_NEXT,             /* StopIteration ends the loop */
} JitFrameUse;

/* Of RELEASE. */
enum {
    JIT_RELEASE_LAST,           /* code may leave behind it, if it has a snapshot */
    JIT_RELEASE_EARLY,          /* the instruction is not done */
    JIT_RELEASE_LEAVING,        /* a variable of a frame that returns */
};

/* ------------------------------------------------------------------ snapshots */

typedef enum {
    JIT_KEEP_WORD,              /* the word, with the reference that it holds */
    JIT_KEEP_BORROWED,          /* the word, with a new reference */
    JIT_KEEP_DOUBLE,            /* boxed */
    JIT_KEEP_ROUNDS,            /* so many rounds of a loop are lost: a tag; one is taken away: */
    JIT_KEEP_ROUNDS_FROM,
    JIT_KEEP_NOT,               /* it is dropped: a new object that nobody has seen yet */
    JIT_KEEP_LATER,             /* a variable gets the word when a destructor has run, if code */
    JIT_KEEP_DOUBLE_LATER,      /* leaves then; or the double */
} JitKeep;

typedef struct {
    uint16_t reg;
    uint8_t keep;
    uint16_t boxed_in;          /* of a double: 1 + the register that has it as an object, or 0 */
    JitRef ref;
} JitSnapEntry;

typedef struct {
    uint32_t ip;                /* where the interpreter goes on */
    uint32_t first, n;          /* entries */
} JitSnap;

/* --------------------------------------------------------------------- blocks */

typedef struct {
    JitRef first, end;          /* nodes [first, end) */
} JitRange;

typedef struct JitEdge {
    uint32_t from, to;          /* blocks; `from` 0: from outside, all values in memory */
    JitRange nodes;             /* what is done on the edge */
    JitRef *inputs;             /* one for each phi of the target */
    int back;                   /* closes a loop */
} JitEdge;

typedef struct {
    uint32_t start;             /* index of its first instruction */
    uint16_t scope;             /* where it begins */
    JitRange nodes;
    uint32_t edges[2];          /* out: numbers of edges; 0: none */
    uint32_t nedges;
    JitRef *phis;
    uint32_t nphis;
    int is_header;              /* of a loop */
    int loop_calls;             /* the loop calls C */
    uint32_t loop_end;          /* header: the last block of the loop, in order */
    uint32_t entry;             /* the edge from outside, or 0 */
} JitBlock;

/* Of the memory of an array, in bytes: the first `ready` of them have their pages (graph.c). */
typedef struct {
    size_t size, ready;
} JitExtent;

typedef struct {
    PyVMCode *code;
    PyFunctionObject *func;
    JitNode *nodes;
    uint32_t nnodes, nodes_size;
    JitExtent nodes_extent;
    JitSnap *snaps;
    uint32_t nsnaps, snaps_size;
    JitExtent snaps_extent;
    JitSnapEntry *entries;
    uint32_t nentries, entries_size;
    JitExtent entries_extent;
    JitBlock *blocks;           /* from 1, in order */
    uint32_t nblocks;
    JitExtent blocks_extent;
    JitEdge *edges;             /* from 1 */
    uint32_t nedges, edges_size;
    JitExtent edges_extent;
    JitScope *scopes;           /* of functions that are built in */
    uint32_t nscopes, scopes_size;
    JitExtent scopes_extent;
    uint16_t scope;             /* of the nodes that are made now */
    uint16_t deepest;           /* the greatest depth of a scope */
    int has_records;            /* code of scopes is to be told apart */
    struct JitChunk *chunks;    /* memory that lives as long as this */
    struct JitLike *likes;      /* until the machine code has them (likes.h) */
    uint32_t nlikes;
    int shown;                  /* SPRINGBOARD_JIT_DUMP names it */
    int failed;                 /* out of memory, or over a limit */
    const uint8_t *kinds;       /* what has been seen (record.h), a byte for each word of code */
} JitGraph;

/* -------------------------------------------------------------------- graph.c */

/* Memory of the graph; NULL sets `failed`. Zeroed. */
void *_PyJit_Alloc(JitGraph *g, size_t size);
/* What has been taken since the mark is free again. */
typedef struct {
    struct JitChunk *chunk;
    size_t used;
} JitMemoryMark;
JitMemoryMark _PyJit_MarkMemory(const JitGraph *g);
void _PyJit_FreeSince(JitGraph *g, JitMemoryMark mark);
/* So many at most. */
void _PyJit_AllocBlocks(JitGraph *g, size_t most);
JitGraph *_PyJit_NewGraph(PyVMCode *code, PyFunctionObject *func);
void _PyJit_FreeGraph(JitGraph *g);
JitRef _PyJit_AddNode(JitGraph *g, JitNode node);
uint32_t _PyJit_AddSnap(JitGraph *g, uint32_t ip);
void _PyJit_AddSnapEntry(JitGraph *g, uint16_t reg, JitKeep keep, JitRef ref);
uint32_t _PyJit_AddEdge(JitGraph *g, uint32_t from, uint32_t to);
/* Begins a scope within the present one, which the graph's nodes are of from now on. */
void _PyJit_AddScope(JitGraph *g, PyVMCode *code, uint32_t call);
void _PyJit_EndScope(JitGraph *g);

/* Prints the graph to stderr, beside its bytecode. */
void _PyJit_Dump(JitGraph *g);
/* Checks the form: operands stand before their uses, edges and phis agree. 1, or 0 with a line
   on stderr. */
int _PyJit_Verify(JitGraph *g);

/* ---------------------------------------------------------------------- phases */

/* blocks.c: the instruction behind the first RESUME, where machine code begins. */
uint32_t _PyJit_EntryOf(PyVMCode *code);

/* build.c: bytecode and what has been seen -> graph. refused, outside: for each word, whether
   its guards have failed too often, and whether it is entered from outside. NULL: it can't be
   compiled. */
JitGraph *_PyJit_Build(PyVMCode *code, PyFunctionObject *func, const uint8_t *kinds,
                       const uint8_t *refused, const uint8_t *outside);
/* passes.c: drops values that nobody uses. */
void _PyJit_DropDead(JitGraph *g);
/* lower.c: graph -> machine code, installed; NULL: it can't be. */
PyJitCode *_PyJit_Lower(JitGraph *g);

#endif
