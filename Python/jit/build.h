/* What the files that make the graph share: blocks.c finds the blocks of the bytecode, state.c
   follows where each register's value is, joins.c makes one state of several, known.c remembers
   what need not be made again, build.c and build_*.c turn instructions into nodes (build_parts.h).

   While a block is built, a slot for each register of the frame says which node is its value
   and how that relates to memory:

     ref 0               the value is in memory, if there is one
     ref, not dirty      the value, and memory holds the same
     ref, dirty          memory holds something else, which is no counted pointer: so it may be
                         overwritten or left without being released

   A value that is dirty holds a reference of its own (owned), or borrows one from what keeps
   the object alive until the next node that may run other code: a variable, a constant, a
   container. Variables never borrow, and their pointers are never dirty: only ints, doubles
   and the permanent constants stay out of memory there. (Those of a function that is built in have
   no memory, and do both: JitInlined.) */
#ifndef SB_JIT_BUILD_H
#define SB_JIT_BUILD_H

#include "dying.h"
#include "ir.h"

/* In `refused`: the instruction's guards have failed too often; its operands have been of kinds
   that the machine code does not know; they have failed though they are fewer than before; and what
   it calls has said that it can't be done so, which is no matter of kinds. */
enum { JIT_REFUSED = 1, JIT_KNOWN_BETTER = 2, JIT_REFUSED_AGAIN = 4, JIT_SAID_NO = 8 };

typedef struct {
    JitRef ref;
    uint8_t dirty;
    uint8_t owned;
    uint8_t memptr;             /* memory may hold a counted pointer */
} JitSlot;

/* A block of the bytecode, before it is built. */
typedef struct {
    uint32_t start, end;        /* instructions [start, end) */
    uint32_t next[2];           /* where it goes; blocks; 0: nowhere */
    uint32_t nnext;
    uint32_t order;             /* position in the order of building; 0: can't be reached */
    int is_header, from_outside;
    uint32_t loops;             /* in so many, one within the other */
    uint32_t loop_end;          /* header: the greatest order within its loop */
    uint8_t *assigned;          /* header: for each register, whether the loop writes it */
    int loop_opaque;            /* header: the loop runs code that can look at the frame */
    JitSlot *widen;             /* header: for each register, 1 in `dirty`: any type; in `memptr`: a
                                   double is in memory before the loop */
    int want_first;             /* header: its first round is to be built apart */
    uint32_t first_of;          /* header of the innermost loop, if that is done */
    uint32_t first;             /* this block in its loop's first round */
    int is_first;               /* this is such a block */
    int is_cold;                /* it was never seen: machine code is left where it begins */
    uint32_t built;             /* the graph's block, once it is begun */
    JitSlot *state;             /* header: its slots at the beginning */
    uint8_t *has_phi;
} JitSource;

/* A key, or the parts of a tuple, that has been searched for in a dict (or another container). */
typedef struct {
    JitRef dict, parts[3];
} JitSearched;

typedef struct {
    uint32_t edge;
    uint32_t to;                /* a JitSource */
    JitSlot *slots;             /* the state at its beginning */
    JitSearched search;         /* and JitBuilder.search */
} JitPendingEdge;

/* What a place in memory holds: `value`, or the word `imm` if that is 0. */
typedef struct {
    JitRef base, index;         /* 0: forgotten; 0: there is none */
    JitRef value;
    uint8_t width, type;
    int64_t offset;
    uint64_t imm;
    PyTypeObject *cls;          /* of the base, if known */
} JitMemory;

/* An object's class has one of `n` versions, or it is like another (likes.h). */
typedef struct {
    JitRef owner;
    unsigned n;                 /* 0: it is like that */
    const uint32_t *versions;
    struct JitLike *like;
} JitKnownClass;

/* A node that need not be made again. */
typedef struct {
    uint8_t op, cond;
    JitRef x, y, value;
} JitFact;

typedef struct JitInlined JitInlined;

/* So many blocks of callees may become a part of a function. */
#define JIT_INLINED_BLOCKS 400

/* A function that is not made yet, since it may be that only the loop is needed that it is made
   for (build_comprehensions.c). Meanwhile who leaves goes back to where it is to be made. */
typedef struct {
    PyVMCode *code;
    unsigned window;            /* the register that would have it */
    unsigned ncells;            /* those from there on have its cells */
    const JitRef *cells;
    uint32_t snap, ip;
    int failed;
    int done;                   /* it need not be made */
} JitHeld;

typedef struct {
    JitGraph *g;
    PyVMCode *code;
    JitHeld *held;              /* or NULL */
    JitInlined *inlined;        /* the callee that is being built into its caller, or NULL */
    uint32_t inlined_blocks;    /* of all callees so far */
    const uint8_t *kinds, *refused;
    const JitOperands *operands;
    const uint16_t *counts;     /* of a function that is compiled for the first time, or NULL */
    int is_whole;               /* no block is cold but loops of which nothing was seen; 2: none */
    unsigned nregs, first_temp;
    JitSource *sources;         /* from 1 */
    JitSource *earlier;         /* of the try before, or NULL */
    uint32_t source;            /* the one that is being built */
    uint32_t nsources;
    uint32_t *source_at;        /* of each instruction that begins one */
    uint32_t *order;            /* sources in the order of building */
    uint32_t norder;
    JitPendingEdge *pending;    /* forward edges whose target is not begun */
    uint32_t npending, pending_size;
    /* Where building is. */
    JitSlot *slots;
    uint32_t block;
    uint32_t ip, next;          /* the instruction, and the one behind it */
    uint32_t snap;              /* of this instruction's beginning, if made; else 0 */
    JitRef releases[8];         /* what the instruction gives up when it is done */
    int nreleases;
    JitRef *edge_releases;      /* likewise an edge; one for each register at most */
    uint32_t nedge_releases;
    /* What a block's beginning needs for the moment, an item for each register. */
    struct {
        JitSlot *slots;
        JitRef *phis;
        uint8_t *has_phi;
    } join_room;
    /* States of edges and blocks that nobody needs any more. */
    JitSlot **spare;
    uint32_t nspare;
    int restart;                /* a loop needs a wider type: begin again */
    JitKnownClass known[8];     /* until other code may run */
    int nknown;
    /* The same for memory and guards: rings (known.c). */
    JitMemory memory[48];
    JitFact facts[32];
    int nmemory, nfacts;        /* how many there have been */
    JitSearched search;         /* the last one, if what it found is still true */
    JitRef noticed;             /* nodes before this one are in there */
} JitBuilder;

/* A callee while it is built into its caller (build_inline.c). Its registers have no memory: its
   variables are dirty and may borrow, as temporaries do. */
struct JitInlined {
    JitBuilder caller;          /* as it was at the call */
    PyFunctionObject *function;
    JitRef func;                /* its node */
    uint32_t snap;              /* of the beginning of the (outermost) call */
    int depth;
    int failed;                 /* it can't be built so */
    int forked;                 /* what is found out now need not be true behind the call */
    int effects;                /* something has been changed: no guard may fail any more */
    /* A part of a comprehension (build_comprehensions.c), and its own: */
    int redone;                 /* nothing it does is seen before it ends: who leaves drops that */
    uint32_t base;              /* of all such: the snapshot without what is dropped */
    JitRef maker;               /* the function object, for its cells; or 0: they are */
    const JitRef *cells;
    struct JitConsumer *consumer;       /* of a generator expression */
    JitRef quiet[8];            /* what is known to die without a sound */
    int nquiet;
    JitRef made;                /* a new instance, which this __init__ fills; or 0 */
    size_t made_room;           /* for so many values within it */
    uint64_t made_set;          /* those places that have a value already, as bits */
    unsigned made_used;         /* how many values there are in the order */
    uint32_t end;               /* the source behind all returns */
    int joined;                 /* something leads there */
};

/* ------------------------------------------------------------------- blocks.c */

/* What a `jump` operand leads to, or 0: not a jump. */
uint32_t _PyJit_JumpTarget(PyVMCode *code, uint32_t ip);
/* Calls `write` for each register that an instruction may write or empty. */
void _PyJit_WrittenRegs(PyVMCode *code, uint32_t ip, unsigned nregs, uint8_t *written);
/* Fills sources and their order. 0, or -1. */
int _PyJit_FindBlocks(JitBuilder *b, const uint8_t *outside);
/* The block that `to` is when it is reached from the running source: perhaps one of a loop's
   first round. */
uint32_t _PyJit_InRound(JitBuilder *b, uint32_t to);

/* -------------------------------------------------------------------- state.c */

JitRef _PyJit_Const(JitBuilder *b, PyReg word);
JitRef _PyJit_Node(JitBuilder *b, JitNodeOp op, JitType type, JitRef x, JitRef y);
static inline JitNode *
_PyJit_At(JitBuilder *b, JitRef ref)
{
    return &b->g->nodes[ref];
}
/* The value of a register, loaded if need be. */
JitRef _PyJit_Use(JitBuilder *b, unsigned reg);
/* The snapshot of the instruction's beginning, and one of now that goes on at `ip`. */
uint32_t _PyJit_SnapBefore(JitBuilder *b);
uint32_t _PyJit_SnapNow(JitBuilder *b, uint32_t ip);
/* Takes an `r` operand: the value, and in *owned whether a reference comes with it. */
JitRef _PyJit_Take(JitBuilder *b, unsigned reg, int *owned);
/* Does a reference end with the instruction that takes from this register? */
int _PyJit_Dies(JitBuilder *b, unsigned reg);
/* Writes a register; the value's reference, if owned, goes with it. */
void _PyJit_Write(JitBuilder *b, unsigned reg, JitRef ref, int owned);
/* A reference is given up at the end of the instruction. */
void _PyJit_GiveUp(JitBuilder *b, JitRef ref, int owned);
/* A double as an object, with a reference: the one that a register has, for copies of a value are
   one object, or a new one, which a value `old` that it replaces gives its memory to. */
JitRef _PyJit_BoxDouble(JitBuilder *b, JitRef value, JitRef old);
/* Takes and gives up. */
void _PyJit_Done(JitBuilder *b, unsigned reg);
/* The end of an instruction: emits the releases. `next`: where it goes on. */
void _PyJit_FinishInstr(JitBuilder *b, uint32_t next);
/* The end of an instruction whose value goes to a register: releases come first where that is a
   variable. */
void _PyJit_WriteValue(JitBuilder *b, unsigned reg, JitRef ref, int owned);
/* Makes memory tell the truth about a register, or about all. */
void _PyJit_SyncSlot(JitBuilder *b, unsigned reg);
void _PyJit_Sync(JitBuilder *b);
/* Temporaries no longer borrow from what can be changed: a reference to an object of class `cls`
   (NULL: of any) is going to be dropped. taken_too: also those that the instruction takes, which
   it is done with when that happens. */
void _PyJit_OwnBorrowed(JitBuilder *b, int taken_too, PyTypeObject *cls);
/* A value is known better: all slots that hold it get the better one. */
void _PyJit_Refine(JitBuilder *b, JitRef old, JitRef better);
/* Can the value be a counted pointer? */
int _PyJit_MayCount(JitBuilder *b, JitRef ref);
/* What is needed to forget what is built from now on. */
typedef struct {
    JitBuilder builder;
    JitGraph graph;
    JitBlock block;
    JitSlot *slots;
} JitSaved;

/* 0: there is no memory. */
int _PyJit_Save(JitBuilder *b, JitSaved *saved);
void _PyJit_Forget(JitBuilder *b, const JitSaved *saved);
/* The state as it is now, in memory that lives as long as the graph; NULL: it has failed. */
JitSlot *_PyJit_CopySlots(JitBuilder *b);
/* Ends the block: an edge to a source (forward ones wait for it). Returns the edge. */
uint32_t _PyJit_EdgeTo(JitBuilder *b, uint32_t source);
/* Begins a block that no source stands for; `edge` leads to it. */
void _PyJit_BeginBlock(JitBuilder *b, uint32_t edge);
/* The same where nothing else leads to the block: what is known is true there. */
void _PyJit_GoOnInBlock(JitBuilder *b, uint32_t edge);
/* The end of the nodes of the running block. */
void _PyJit_CloseBlock(JitBuilder *b, uint32_t edge0, uint32_t edge1);

/* -------------------------------------------------------------------- joins.c */

/* Room for edges and for the beginnings of blocks, by the number of registers. */
void _PyJit_AllocForJoins(JitBuilder *b);
/* Begins a source whose forward edges are all there. 0: nothing leads to it. */
int _PyJit_BeginSource(JitBuilder *b, uint32_t source);
/* When all blocks are built: makes the edges that close loops suit their headers. 0, or -1:
   begin again, or it has failed. */
int _PyJit_CloseLoops(JitBuilder *b);

/* -------------------------------------------------------------------- known.c */

/* Takes note of what the newest nodes do. */
void _PyJit_Notice(JitBuilder *b);
void _PyJit_KnowNothing(JitBuilder *b);
/* The value that a LOAD or LOAD_INDEXED would have; 0: it has to be made. */
JitRef _PyJit_Recall(JitBuilder *b, const JitNode *load);
/* An object that was made of this int or double and is still where it has been stored, or 0. */
JitRef _PyJit_RecallBox(JitBuilder *b, JitRef number);
/* Has a GUARD_DEPTH seen that so many levels are left? */
int _PyJit_IsDeepEnough(JitBuilder *b, int levels);
/* Would a GUARD_MEM or GUARD_CMP hold? */
int _PyJit_IsSure(JitBuilder *b, const JitNode *guard);
/* An int, as a tag or any word, is the machine word `raw`. */
void _PyJit_KnowWord(JitBuilder *b, JitRef value, JitRef raw);
/* Was that key of that dict, or that pair, the last to be searched for, and has nothing changed
   since? second: 0 for a key. */
int _PyJit_WasSearched(JitBuilder *b, JitRef dict, JitRef a, JitRef second);
/* An earlier node of the same kind with the same operands, or 0. */
JitRef _PyJit_RecallFact(JitBuilder *b, const JitNode *node);

#endif
