/* What the files that make the graph share (state.c, build.c, build_*.c): small pieces of nodes.

   A function of build_*.c builds the instruction at b->ip. It returns 1, or 0 with nothing
   changed but what is known better: then the instruction becomes a step. Guards stand before the
   first effect, because who fails one executes the instruction anew. The order is: operands are
   used, guards and values made, operands done, the result written, FinishInstr. */
#ifndef SB_JIT_BUILD_OPS_H
#define SB_JIT_BUILD_OPS_H

#include "internal/type.h"
#include "build.h"
#include "record.h"
#include "../vm/vm.h"
#include <float.h>
#include <math.h>

#undef A
#undef B
#undef C

static inline const PyInstr *
instr(JitBuilder *b)
{
    return &b->code->code[b->ip];
}

static inline JitType
type_of(JitBuilder *b, JitRef ref)
{
    return (JitType)_PyJit_At(b, ref)->type;
}

static inline PyTypeObject *
class_of(JitBuilder *b, JitRef ref)
{
    return _PyJit_At(b, ref)->cls;
}

/* The frame's memory. */
static inline void
store_word(JitBuilder *b, unsigned reg, JitRef value)
{
    JitRef ref = _PyJit_Node(b, JIT_STORE_REG_NODE, JIT_T_NONE, value, 0);
    _PyJit_At(b, ref)->reg = (uint16_t)reg;
}

static inline JitRef
load_word(JitBuilder *b, JitType type, unsigned reg)
{
    JitRef ref = _PyJit_Node(b, JIT_LOAD_REG_NODE, type, 0, 0);
    _PyJit_At(b, ref)->reg = (uint16_t)reg;
    return ref;
}

/* A reference more. */
static inline void
incref(JitBuilder *b, JitRef ref)
{
    (void)_PyJit_Node(b, JIT_INCREF_NODE, JIT_T_NONE, ref, 0);
}

/* The same, if the value can be a counted pointer. */
static inline void
incref_counted(JitBuilder *b, JitRef ref)
{
    if (_PyJit_MayCount(b, ref)) {
        incref(b, ref);
    }
}

static inline int
is_temporary(JitBuilder *b, unsigned reg)
{
    return reg >= b->first_temp;
}

static inline PyFunctionObject *
running_function(JitBuilder *b)
{
    return b->inlined != NULL ? b->inlined->function : b->g->func;
}

/* A node that may leave: back to the beginning of this instruction. */
static inline JitRef
guarded(JitBuilder *b, JitNodeOp op, JitType type, JitRef x, JitRef y)
{
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef ref = _PyJit_Node(b, op, type, x, y);
    _PyJit_At(b, ref)->snap = snap;
    return ref;
}

/* A node that need not be made if an equal one is known (known.c). */
static inline JitRef
add_load(JitBuilder *b, JitNode node)
{
    JitRef known = _PyJit_Recall(b, &node);
    return known != 0 ? known : _PyJit_AddNode(b->g, node);
}

static inline JitRef
load(JitBuilder *b, JitType type, JitWidth width, JitRef base, size_t offset)
{
    return add_load(b, (JitNode){.op = JIT_LOAD_NODE, .type = (uint8_t)type, .args = {base},
                                 .width = (uint8_t)width, .imm = offset, .ip = b->ip});
}

/* A node whose value depends on its operands only, or the one that has that value already. */
static inline JitRef
pure_node(JitBuilder *b, JitNode node)
{
    JitRef known = _PyJit_RecallFact(b, &node);
    if (known != 0) {
        return known;
    }
    if (_PyJit_NodeFlags[node.op] & JIT_LEAVES) {
        node.snap = _PyJit_SnapBefore(b);
    }
    return _PyJit_AddNode(b->g, node);
}

static inline JitRef
pure(JitBuilder *b, JitNodeOp op, JitType type, JitRef x)
{
    return pure_node(b, (JitNode){.op = (uint8_t)op, .type = (uint8_t)type, .args = {x},
                                  .ip = b->ip});
}

static inline void
store(JitBuilder *b, JitWidth width, JitRef base, size_t offset, JitRef value)
{
    JitRef ref = _PyJit_Node(b, JIT_STORE_NODE, JIT_T_NONE, base, value);
    _PyJit_At(b, ref)->imm = offset;
    _PyJit_At(b, ref)->width = (uint8_t)width;
}

static inline JitRef
raw_const(JitBuilder *b, uint64_t value)
{
    JitRef ref = _PyJit_Node(b, JIT_CONST_NODE, JIT_T_RAW, 0, 0);
    _PyJit_At(b, ref)->imm = value;
    return ref;
}

static inline void
add_guard(JitBuilder *b, JitNode node)
{
    if (!_PyJit_IsSure(b, &node)) {
        node.snap = _PyJit_SnapBefore(b);
        (void)_PyJit_AddNode(b->g, node);
    }
}

/* The function whose code is built. */
static inline JitRef
frame_function(JitBuilder *b)
{
    return b->inlined != NULL ? b->inlined->func : pure(b, JIT_FUNC_NODE, JIT_T_RAW, 0);
}

static inline void
guard_mem(JitBuilder *b, JitWidth width, JitRef base, size_t offset, uint64_t value)
{
    add_guard(b, (JitNode){.op = JIT_GUARD_MEM_NODE, .args = {base}, .width = (uint8_t)width,
                           .reg = (uint16_t)offset, .imm = value, .ip = b->ip});
}

/* x cond y, raw words. */
static inline void
guard_words(JitBuilder *b, JitCond cond, JitRef x, JitRef y)
{
    add_guard(b, (JitNode){.op = JIT_GUARD_CMP_NODE, .args = {x, y}, .cond = (uint8_t)cond,
                           .ip = b->ip});
}

/* The same with a constant. */
static inline void
guard_compare(JitBuilder *b, JitCond cond, JitRef x, uint64_t y)
{
    guard_words(b, cond, x, raw_const(b, y));
}

/* ----------------------------------------------------------- operands as numbers */

static inline JitRef
to_object(JitBuilder *b, JitRef ref)
{
    if (type_of(b, ref) == JIT_T_WORD) {
        JitRef object = guarded(b, JIT_GUARD_OBJECT_NODE, JIT_T_OBJECT, ref, 0);
        _PyJit_Refine(b, ref, object);
        return object;
    }
    return type_of(b, ref) == JIT_T_OBJECT ? ref : 0;
}

static inline JitRef
to_class(JitBuilder *b, JitRef ref, PyTypeObject *cls)
{
    ref = to_object(b, ref);
    if (ref == 0 || class_of(b, ref) == cls) {
        return ref;
    }
    if (class_of(b, ref) != NULL) {
        return 0;
    }
    JitRef better = guarded(b, JIT_GUARD_CLASS_NODE, JIT_T_OBJECT, ref, 0);
    _PyJit_At(b, better)->cls = cls;
    _PyJit_Refine(b, ref, better);
    return better;
}

static inline JitRef
double_const(JitBuilder *b, double value)
{
    JitRef ref = _PyJit_Node(b, JIT_DOUBLE_NODE, JIT_T_DOUBLE, 0, 0);
    memcpy(&_PyJit_At(b, ref)->imm, &value, sizeof(value));
    return ref;
}

static inline void
guard_doubles(JitBuilder *b, JitCond cond, JitRef x, JitRef y)
{
    JitRef guard = guarded(b, JIT_GUARD_FCMP_NODE, JIT_T_NONE, x, y);
    _PyJit_At(b, guard)->cond = (uint8_t)cond;
}

static inline void
guard_finite(JitBuilder *b, JitRef x)
{
    JitRef size = _PyJit_Node(b, JIT_FABS_NODE, JIT_T_DOUBLE, x, 0);
    guard_doubles(b, JIT_LE, size, double_const(b, DBL_MAX));
}

/* A function of C's of one double or two; y may be 0. */
static inline JitRef
call_double(JitBuilder *b, const void *function, JitRef x, JitRef y)
{
    JitRef ref = _PyJit_Node(b, JIT_CALL_D_NODE, JIT_T_DOUBLE, x, y);
    _PyJit_At(b, ref)->nargs = y != 0 ? 2 : 1;
    _PyJit_At(b, ref)->aux = function;
    return ref;
}

/* 0: it can't be one. */
static inline JitRef
to_int(JitBuilder *b, JitRef ref)
{
    JitType type = type_of(b, ref);
    if (type == JIT_T_INT) {
        return ref;
    }
    PyTypeObject *cls = class_of(b, ref);
    if (type == JIT_T_DOUBLE || (type == JIT_T_OBJECT && cls != NULL && cls != &PyLong_Type)) {
        return 0;
    }
    if (_PyJit_At(b, ref)->op == JIT_CONST_NODE && cls == &PyLong_Type) {
        PyReg constant = _PyJit_At(b, ref)->imm;
        int64_t value;
        return reg_as_int64(constant, &value) && value == REG_INT(REG_FROM_INT(value))
               ? _PyJit_Const(b, REG_FROM_INT(value)) : 0;
    }
    JitRef tag = pure(b, JIT_TO_INT_NODE, JIT_T_INT, ref);
    _PyJit_Refine(b, ref, tag);
    return tag;
}

static inline JitRef
to_double(JitBuilder *b, JitRef ref, int kind)
{
    JitType type = type_of(b, ref);
    if (type == JIT_T_DOUBLE) {
        return ref;
    }
    if (type == JIT_T_INT || kind == JIT_SEEN_INT) {
        JitRef tag = to_int(b, ref);
        if (tag == 0) {
            return 0;
        }
        JitNode *n = _PyJit_At(b, tag);
        if (n->op == JIT_CONST_NODE) {
            return double_const(b, (double)REG_INT(n->imm));
        }
        return pure(b, JIT_INT_TO_DOUBLE_NODE, JIT_T_DOUBLE, tag);
    }
    if (kind == JIT_SEEN_FLOAT || class_of(b, ref) == &PyFloat_Type) {
        ref = to_class(b, ref, &PyFloat_Type);
        if (ref == 0) {
            return 0;
        }
        JitNode *n = _PyJit_At(b, ref);
        if (n->op == JIT_CONST_NODE) {
            return double_const(b, ((PyFloatObject *)REG_PTR(n->imm))->ob_fval);
        }
        return load(b, JIT_T_DOUBLE, JIT_64, ref, offsetof(PyFloatObject, ob_fval));
    }
    if (class_of(b, ref) != NULL) {
        return 0;
    }
    return pure(b, JIT_TO_DOUBLE_NODE, JIT_T_DOUBLE, ref);
}

/* build.c: the value of a LOAD_GLOBAL, borrowed from its dict; 0: it is not cached. And what
   that is now, and where in the dict's table. */
JitRef _PyJit_Global(JitBuilder *b, uint32_t ip);
PyObject *_PyJit_GlobalNow(JitBuilder *b, uint32_t ip, size_t *at);

/* The tag of a bool: 1 or 0. */
JitRef _PyJit_IntOfBool(JitBuilder *b, JitRef x);

/* What is known of a value, if that is more than what was seen. */
static inline int
kind_of_value(JitBuilder *b, JitRef ref, int seen)
{
    JitType type = type_of(b, ref);
    PyTypeObject *cls = class_of(b, ref);
    JitNode *n = _PyJit_At(b, ref);
    if (n->op == JIT_CONST_NODE && cls == &PyLong_Type) {
        Py_ssize_t size = Py_SIZE(REG_PTR(n->imm));
        return size >= -1 && size <= 2 ? JIT_SEEN_INT : JIT_SEEN_BIG;
    }
    if (type == JIT_T_INT || cls == &PyLong_Type) {
        return JIT_SEEN_INT;
    }
    if (type == JIT_T_DOUBLE || cls == &PyFloat_Type) {
        return JIT_SEEN_FLOAT;
    }
    return cls != NULL ? JIT_SEEN_OTHER : seen;
}

/* An int or a double as an object of its own. old: what it replaces, which is released behind
   that; or 0. */
static inline JitRef
box(JitBuilder *b, JitRef value, JitRef old)
{
    if (type_of(b, value) == JIT_T_DOUBLE) {
        return _PyJit_BoxDouble(b, value, old);
    }
    JitRef ref = guarded(b, JIT_BOX_INT_NODE, JIT_T_OBJECT, value, old);
    _PyJit_At(b, ref)->cls = &PyLong_Type;
    return ref;
}

/* What is lent gets references of its own before a call that may drop what lends it, and whose
   guard stands behind it. Who leaves a function that is built in goes back to its call, which
   knows of no such reference. */
static inline void
own_before_guards(JitBuilder *b)
{
    uint32_t before = b->g->nnodes;
    _PyJit_OwnBorrowed(b, 0, NULL);
    if (b->inlined != NULL && b->g->nnodes != before) {
        b->inlined->failed = 1;
    }
}

/* ---------------------------------------------------------------------- steps */

static inline void
forget_written(JitBuilder *b)
{
    const PyInstr *in = instr(b);
    const PyOpcodeInfo *info = &_PyOpcode_Info[_PyOpcode_Info[in->op].base];
    const uint16_t operands[3] = {in->a, in->b, in->c};
    for (int i = 0; i < 3; i++) {
        unsigned r = operands[i];
        switch (info->operands[i]) {
        case 'D': case 'r': case 'k':
            if (r < b->nregs) {
                b->slots[r] = (JitSlot){.memptr = 1};
            }
            break;
        case 'B':
            for (unsigned end = info->base == OP_UNPACK_LOCALS ? r + in->c : b->nregs; r < end;
                 r++) {
                b->slots[r] = (JitSlot){.memptr = 1};
            }
            break;
        }
    }
    b->snap = 0;
}

static inline void
step(JitBuilder *b)
{
    _PyJit_Sync(b);
    JitRef ref = _PyJit_Node(b, JIT_STEP_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, ref)->imm = b->ip;
    forget_written(b);
}

static inline void
step_end(JitBuilder *b)
{
    _PyJit_Sync(b);
    JitRef ref = _PyJit_Node(b, JIT_STEP_END_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, ref)->imm = b->ip;
    _PyJit_CloseBlock(b, 0, 0);
}

static inline void
jump_to(JitBuilder *b, uint32_t source)
{
    (void)_PyJit_Node(b, JIT_JUMP_NODE, JIT_T_NONE, 0, 0);
    _PyJit_CloseBlock(b, _PyJit_EdgeTo(b, source), 0);
}

/* The sources that a conditional jump leads to. */
static inline uint32_t
taken(JitBuilder *b)
{
    return b->source_at[_PyJit_JumpTarget(b->code, b->ip)];
}

static inline uint32_t
not_taken(JitBuilder *b)
{
    return b->source_at[b->next];
}

static inline void
step_branch(JitBuilder *b)
{
    _PyJit_Sync(b);
    JitRef ref = _PyJit_Node(b, JIT_STEP_BRANCH_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, ref)->imm = b->ip;
    _PyJit_At(b, ref)->aux = &b->code->code[_PyJit_JumpTarget(b->code, b->ip)];
    forget_written(b);
    uint32_t jumps = _PyJit_EdgeTo(b, taken(b));
    _PyJit_CloseBlock(b, jumps, _PyJit_EdgeTo(b, not_taken(b)));
}

static inline void
branch(JitBuilder *b, JitCond cond, JitRef x, JitRef y)
{
    JitRef ref = _PyJit_Node(b, JIT_BRANCH_NODE, JIT_T_NONE, x, y);
    _PyJit_At(b, ref)->cond = (uint8_t)cond;
    uint32_t jumps = _PyJit_EdgeTo(b, taken(b));
    _PyJit_CloseBlock(b, jumps, _PyJit_EdgeTo(b, not_taken(b)));
}

/* Another block, which the edge for the usual case of a branch leads to. */
static inline void
branch_within(JitBuilder *b, JitCond cond, JitRef x, JitRef y, uint32_t *rare_edge)
{
    JitRef ref = _PyJit_Node(b, JIT_BRANCH_NODE, JIT_T_NONE, x, y);
    _PyJit_At(b, ref)->cond = (uint8_t)cond;
    uint32_t rare = _PyJit_AddEdge(b->g, b->block, 0), usual = _PyJit_AddEdge(b->g, b->block, 0);
    _PyJit_CloseBlock(b, rare, usual);
    *rare_edge = rare;
    _PyJit_GoOnInBlock(b, usual);
}

/* The loop is over: the iterator is dropped. Takes the copy of the state there. */
static inline void
build_loop_end(JitBuilder *b, const PyInstr *in, uint32_t edge, JitSlot *slots)
{
    JitSlot *after = b->slots;
    b->slots = slots;
    _PyJit_BeginBlock(b, edge);
    int owned;
    JitRef iterator = _PyJit_Take(b, in->a, &owned);
    _PyJit_GiveUp(b, iterator, owned);
    _PyJit_FinishInstr(b, _PyJit_JumpTarget(b->code, b->ip));
    jump_to(b, taken(b));
    b->slots = after;
}


/* ------------------------------------------------------------- build_ints.c */

/* An expression of ints of up to 64 bits that begins with the running instruction, which then is
   its last; or 0. */
int _PyJit_BuildWords(JitBuilder *b);
/* Arithmetic of ints of any length. right: a node, possibly of a constant. */
int _PyJit_BuildLongInts(JitBuilder *b, int kind, JitRef x, JitRef y, int left, int right);

/* ---------------------------------------------------------- build_complex.c */

/* The parts of a complex number, or of another number as one. */
typedef struct {
    JitRef re, im;              /* doubles; re 0: it is no number */
    int is_complex;
} JitComplex;
JitComplex _PyJit_Parts(JitBuilder *b, JitRef ref, int seen, int saw_complex);
/* A new object of two doubles, owned. */
JitRef _PyJit_BoxComplex(JitBuilder *b, JitRef re, JitRef im, JitRef old);
/* An expression of complex numbers that begins with the running instruction, which then is its
   last; or 0. */
int _PyJit_BuildComplex(JitBuilder *b);
/* Its absolute value, a double. */
JitRef _PyJit_AbsOfComplex(JitBuilder *b, JitComplex x);

/* ------------------------------------------------------------ build_items.c */

/* LOAD_SUBSCR, LOAD_SUBSCRI, STORE_SUBSCR; UNPACK_SEQUENCE, UNPACK_LOCALS. */
int _PyJit_BuildItem(JitBuilder *b, const PyInstr *in);
/* BUILD_TUPLE, with the instruction behind it that only looks for the tuple. Returns 0: it is built
   as others are; 1, or -1: that was the end of the block. */
int _PyJit_BuildTupleKey(JitBuilder *b, const PyInstr *in);
/* IN, NOT_IN, JUMP_IF_IN, JUMP_IF_NOT_IN; those that jump end the block. */
int _PyJit_BuildIn(JitBuilder *b, const PyInstr *in);
/* The item of a list or tuple at a raw index that is in range. Borrowed. */
JitRef _PyJit_ItemOf(JitBuilder *b, JitRef sequence, JitRef index);
/* CALL__LEN: len() of what has its length in a field. */
int _PyJit_BuildLen(JitBuilder *b, const PyInstr *in);
/* FOR_ITER of lists and tuples; it ends the block. */
int _PyJit_BuildForItems(JitBuilder *b, const PyInstr *in);

/* ------------------------------------------------------------- build_iter.c */

/* FOR_ITER of generators and iterators of C's; it ends the block. */
int _PyJit_BuildForIter(JitBuilder *b, const PyInstr *in);
/* YIELD_VALUE, YIELD_FROM_VALUE; they end the block. */
void _PyJit_BuildYield(JitBuilder *b, const PyInstr *in);
/* RETURN of generators and of frames that have objects. */
void _PyJit_BuildReturnByC(JitBuilder *b, unsigned reg);
/* A call of the generator function in a window, or 0. */
int _PyJit_BuildGeneratorCall(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest);
/* GET_YIELD_FROM_ITER. */
int _PyJit_BuildYieldFrom(JitBuilder *b, const PyInstr *in);
/* GET_AWAITABLE. */
int _PyJit_BuildAwaitable(JitBuilder *b, const PyInstr *in);
/* It ends the block. */
int _PyJit_BuildSend(JitBuilder *b, const PyInstr *in);
/* LIST_APPEND, SET_ADD, MAP_ADD. */
int _PyJit_BuildAdd(JitBuilder *b, const PyInstr *in);
/* BUILD_TUPLE, BUILD_LIST. */
int _PyJit_BuildDisplay(JitBuilder *b, const PyInstr *in);
int _PyJit_BuildGetIter(JitBuilder *b, const PyInstr *in);
/* GET_ANEXT: 0, if it ends the block. */
int _PyJit_BuildAnext(JitBuilder *b, const PyInstr *in);
/* ASYNC_GEN_WRAP. */
void _PyJit_BuildWrap(JitBuilder *b, const PyInstr *in);

/* ------------------------------------------------------------ build_attrs.c */

/* This version, in memory that lives as long as the graph. */
const uint32_t *_PyJit_VersionAlone(JitBuilder *b, uint32_t version);
/* The owner's type has this version. */
void _PyJit_GuardVersion(JitBuilder *b, JitRef owner, uint32_t version);
/* LOAD_ATTR, STORE_ATTR, LOAD_METHOD. */
int _PyJit_BuildAttr(JitBuilder *b, const PyInstr *in);
/* CALL of super() and the LOAD_METHOD behind it. */
int _PyJit_BuildSuperMethod(JitBuilder *b, const PyInstr *in);
/* What is in a register, to be stored in another object: as an object with a reference of its
   own. All guards of the instruction stand before this. old: what it replaces there, or 0. */
JitRef _PyJit_TakeObject(JitBuilder *b, unsigned reg, JitRef value, JitRef old);
/* Appends what is in a register to a list. is_int: what it is guessed to be, if that is not
   known. */
int _PyJit_BuildListAppend(JitBuilder *b, JitRef list, unsigned reg, int is_int);

/* ----------------------------------------------------------- build_inline.c */

/* What becomes of a callee's value. */
typedef enum {
    JIT_OF_CALL,
    JIT_OF_OPERATOR,            /* it must not be NotImplemented */
    JIT_OF_COMPARISON,
    JIT_TRUTH,                  /* a comparison's, which must be True or False */
} JitValueUse;

/* A call of this function, whose guards stand already, as a part of its caller. args: a value
   for each parameter. Returns the value, in *owned whether a reference comes with it; 0, with
   nothing changed: it has to be called. */
JitRef _PyJit_Inline(JitBuilder *b, PyFunctionObject *function, JitRef func, JitRef *args,
                     int *owned, JitValueUse use);
/* The same for an __init__ of a new instance, its first argument: makes that, too. Returns the
   instance, with a reference; or 0. */
JitRef _PyJit_InlineInit(JitBuilder *b, PyFunctionObject *init, JitRef func, JitRef *args,
                         PyTypeObject *type, JitRef loaded_type);
/* If this is a new instance whose __init__ is being built in, and it is known which attributes
   it has: that __init__. Or NULL. */
JitInlined *_PyJit_MakerOf(JitBuilder *b, JitRef object);
/* The nodes from this one on belong to a store in a new instance. */
void _PyJit_MarkFilling(JitBuilder *b, JitRef first);
/* Does the callee, which has only one way, store this argument in an attribute or return it? Then
   somebody else has a reference when it ends. */
int _PyJit_KeepsArgument(PyVMCode *code, unsigned parameter);
/* A reference to this object is going to be dropped by an instruction that is built in: leaves if
   that would run code. */
void _PyJit_GuardQuiet(JitBuilder *b, JitRef object);

/* An operator whose method is Python's, as a part of the running instruction, in whose operands
   x and y are. kind: K_… or Py_…. The value, or 0: there is no code for it. */
JitRef _PyJit_BuildOperator(JitBuilder *b, int kind, int in_place, JitValueUse use, JitRef x,
                            JitRef y, int *owned);
/* What a __bool__ of Python's says of x, True or False; or 0. The operand is not done with. */
JitRef _PyJit_BuildTruthMethod(JitBuilder *b, JitRef x);
/* The value of a __neg__, __pos__ or __invert__ of Python's that becomes a part of the function; or
   0. The operand is not done with. */
JitRef _PyJit_BuildUnaryMethod(JitBuilder *b, int op, JitRef x, int *owned);
/* LOAD_SUBSCR, LOAD_SUBSCRI by a __getitem__ of Python's. right: the key's register, or left if it
   is a constant. */
int _PyJit_BuildGetItem(JitBuilder *b, JitRef container, JitRef key, unsigned left,
                        unsigned right);
/* Behind that: the operands' registers are done with. Makes the value owned if it has to be. */
void _PyJit_OperatorDone(JitBuilder *b, JitRef value, int *owned, unsigned left, unsigned right);

/* ------------------------------------------------------------- build_asks.c */

/* ---------------------------------------------------- build_comprehensions.c */

/* GET_ITER and the calls behind it, if they run a comprehension: as a part of this function. */
int _PyJit_BuildComprehension(JitBuilder *b, const PyInstr *in);
/* The same over a range, whose call is the running instruction: words are its start, stop and
   step. Also the beginning of a loop within a comprehension. */
int _PyJit_BuildOverRange(JitBuilder *b, const PyInstr *in, const JitRef *words, unsigned window,
                          unsigned nargs);
/* The same over enumerate() of a list or tuple, or zip() of two. */
int _PyJit_BuildOverPairs(JitBuilder *b, PyObject *callee, unsigned window, unsigned nargs,
                          unsigned dest);
/* An instruction of a comprehension that is built in. 1: the block goes on, 0: it has ended, -1: it
   is like any other. */
int _PyJit_BuildRedone(JitBuilder *b, const PyInstr *in);
/* Its loops, when its blocks are found. */
void _PyJit_SettleLoops(JitBuilder *b);
/* Its registers in its beginning. */
void _PyJit_BeginRedone(JitBuilder *b, const JitRef *over);
/* So many registers more than it has by itself. */
unsigned _PyJit_RegistersMore(const PyVMCode *code);
/* The value that a generator expression's consumer has when all is consumed. */
void _PyJit_EndConsumed(JitBuilder *b);
/* A cell that the running function has from where it was made. Borrowed. */
JitRef _PyJit_FreeCell(JitBuilder *b, unsigned number);
/* MAKE_FUNCTION, or the BUILD_TUPLE of its cells, and all that is behind it up to the calls of a
   comprehension, which then needs no function object. */
int _PyJit_BuildUnmade(JitBuilder *b, const PyInstr *in);
/* build_inline.c: do the nodes from this one on change nothing? */
int _PyJit_IsPure(JitBuilder *b, JitRef first);
/* Do they make new objects at most? */
int _PyJit_OnlyMakesNew(JitBuilder *b, JitRef first);

/* build_inline.c: what a comprehension makes. over: what its loop is over, or the start, stop and
   step of a range; and with what in pairs: another sequence, a tag for numbers, or 0. Returns the
   value, in *owned whether a reference comes with it; 0, with nothing changed: it has to be
   called. */
JitRef _PyJit_InlineComprehension(JitBuilder *b, PyVMCode *code, JitRef maker, const JitRef *over,
                                  struct JitConsumer *consumer, int *owned);

/* Ends the block: jumps if `truth` differs from `against` (wanted), or is it (not wanted). Behind
   it machine code is left, on either way, if it must not go on. dropped: a register that is done
   with if it does not jump, or -1. */
void _PyJit_JumpAndCheck(JitBuilder *b, JitRef truth, JitRef against, int wanted, int dropped);
/* NOT; JUMP_IF_TRUE, JUMP_IF_FALSE and those that drop, which end the block: of any object. */
int _PyJit_AskTruth(JitBuilder *b, const PyInstr *in);
/* The instructions of _PyJit_BuildIn(), for any container. */
int _PyJit_AskContains(JitBuilder *b, const PyInstr *in);

/* ----------------------------------------------------------- build_scopes.c */

/* LOAD_DEREF, LOAD_FREE; IS, IS_NOT, NOT. */
int _PyJit_BuildScope(JitBuilder *b, const PyInstr *in);
/* What a LOAD_DEREF or LOAD_FREE loads, borrowed from its cell as attributes are. */
JitRef _PyJit_CellValue(JitBuilder *b, const PyInstr *in);
/* JUMP_IF_IS, JUMP_IF_IS_NOT; they end the block. */
int _PyJit_BuildIsJump(JitBuilder *b, const PyInstr *in);

/* ----------------------------------------------------------- build_values.c */

/* By a call of what the handler calls, for operands of any type. 0: a method of Python's will
   run, whose frame the handler pushes. Arithmetic, constant or not; NEG, POS, INVERT. */
int _PyJit_BuildAnyArithmetic(JitBuilder *b, int kind, int in_place);
int _PyJit_BuildAnyUnary(JitBuilder *b, int base);
/* op: Py_LT and so on; number: of the opcode, from JUMP_IF_LT on, which ends the block. */
int _PyJit_BuildAnyCompare(JitBuilder *b, int op);
int _PyJit_BuildAnyCompareJump(JitBuilder *b, int number);
/* LOAD_SUBSCR, LOAD_SUBSCRI, STORE_SUBSCR. */
int _PyJit_BuildAnyItem(JitBuilder *b, const PyInstr *in);
/* JUMP_IF_NO_EXC_MATCH; it ends the block. */
int _PyJit_BuildMatchJump(JitBuilder *b, const PyInstr *in);
/* All other instructions that have code there. */
int _PyJit_BuildValue(JitBuilder *b, const PyInstr *in);

/* ------------------------------------------------------------------ build.c */

/* Builds one instruction. 1: the block goes on behind it, 0: it has ended. */
int _PyJit_BuildInstruction(JitBuilder *b);

/* Arithmetic, comparisons and their jumps, jumps by truth or None. 1: the block goes on, 0: it has
   ended, -1: the instruction is none of these. */
int _PyJit_BuildArith(JitBuilder *b, const PyInstr *in);
/* An operation on ints, or 0: there is none. */
JitRef _PyJit_IntArithmetic(JitBuilder *b, int kind, JitRef x, JitRef y);

/* The end of an instruction that jumps: what it gives up is released on both ways, and machine
   code is not left here, whatever destructors do. */
void _PyJit_ReleaseBeforeJump(JitBuilder *b);

/* What is to be compared with what to find out whether a value is true: 0, or a node and in
   *against another, which it differs from if it is. */
JitRef _PyJit_TruthOf(JitBuilder *b, JitRef x, JitRef *against);

/* ------------------------------------------------------------ build_calls.c */

/* The recursion limit allows so many levels more. */
void _PyJit_GuardDepth(JitBuilder *b, int levels);
/* Has building in what the running instruction calls gone well so far? And while frames are shown
   to profilers, each function keeps machine code of its own. */
int _PyJit_MayInline(JitBuilder *b);
/* A call of C code that neither runs Python's nor looks at frames: without keywords. callee: what is
   called, as a node; seen: what it is expected to be. */
int _PyJit_BuildQuietCall(JitBuilder *b, JitRef callee, PyObject *seen, unsigned window,
                          unsigned nargs, unsigned dest);
/* CALL, CALL_KW; CALL_METHOD, CALL_METHOD_KW. */
int _PyJit_BuildCall(JitBuilder *b, const PyInstr *in);
int _PyJit_BuildCallMethod(JitBuilder *b, const PyInstr *in);
int _PyJit_BuildCallEx(JitBuilder *b, const PyInstr *in);
/* build_ccalls.c: a call of C code that is not quiet. */
int _PyJit_BuildCCall(JitBuilder *b, unsigned window, unsigned nargs, PyObject *names,
                      unsigned dest);
/* LOAD_ATTR of a property; the version of the owner's type is guarded. */
int _PyJit_BuildProperty(JitBuilder *b, const PyInstr *in, JitRef owner, PyObject *property);
/* STORE_ATTR of one, likewise. */
int _PyJit_BuildPropertySet(JitBuilder *b, const PyInstr *in, JitRef owner, JitRef value,
                            PyObject *property);
/* Other code has run: machine code may have to be left behind the instruction. */
void _PyJit_CheckOk(JitBuilder *b, uint32_t next);
/* What a value is, if it is a constant, or was a moment ago: then nothing is sure. Or NULL. */
PyObject *_PyJit_SeenObject(JitBuilder *b, JitRef ref);

/* --------------------------------------------------- calls, operators and jumps */

/* The word that the true frame has in a register, with its reference: numbers may be boxed there
   though they are known better. */
static inline JitRef
word_in(JitBuilder *b, unsigned reg)
{
    JitSlot *slot = &b->slots[reg];
    if (slot->ref == 0 || type_of(b, slot->ref) == JIT_T_DOUBLE
        || (type_of(b, slot->ref) == JIT_T_INT && slot->memptr)) {
        return load_word(b, JIT_T_WORD, reg);
    }
    return slot->ref;
}

/* The call itself; of an __init__ the value is nothing. */
static inline JitRef
run_frame(JitBuilder *b, JitRef code, unsigned window, JitFrameUse use)
{
    JitRef value = _PyJit_Node(b, JIT_CALL_FUNCTION_NODE,
                               use == JIT_FRAME_INIT ? JIT_T_NONE : JIT_T_WORD, code, 0);
    _PyJit_At(b, value)->reg = (uint16_t)window;
    _PyJit_At(b, value)->cond = (uint8_t)use;
    _PyJit_At(b, value)->imm = b->ip;
    for (unsigned r = window; r < b->nregs; r++) {
        b->slots[r] = (JitSlot){0};
    }
    return value;
}

/* The frame of a callee that is no window: it lies above all registers, or, since a generator has
   no room there, where the thread's stack is free. Returns that place, or 0; guards stand here. */
static inline JitRef
begin_frame(JitBuilder *b)
{
    if (!b->code->is_generator) {
        return 0;
    }
    JitRef fits = guarded(b, JIT_GUARD_ROOM_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, fits)->reg = (uint16_t)b->nregs;
    return load_word(b, JIT_T_RAW, b->nregs);
}

/* A word of it: 0 is the function, FRAME_WORDS the first argument. */
static inline void
put_word(JitBuilder *b, JitRef frame, unsigned number, JitRef value)
{
    if (frame != 0) {
        store(b, JIT_64, frame, number * sizeof(PyReg), value);
    }
    else {
        store_word(b, b->nregs + number, value);
    }
}

/* The same for a window that becomes the frame where there is no other. args: its first argument's
   register. */
static inline void
put_argument(JitBuilder *b, JitRef frame, unsigned args, unsigned number, JitRef value)
{
    if (frame != 0) {
        put_word(b, frame, FRAME_WORDS + number, value);
    }
    else {
        store_word(b, args + number, value);
    }
}

/* Their references have gone elsewhere. */
static inline void
empty_registers(JitBuilder *b, unsigned first, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        store_word(b, first + i, _PyJit_Const(b, 0));
    }
}

static inline JitRef
run_window(JitBuilder *b, JitRef code, JitRef frame, unsigned window, JitFrameUse use)
{
    JitRef value = run_frame(b, code, frame != 0 ? b->nregs : window, use);
    for (unsigned r = window; r < b->nregs; r++) {
        b->slots[r] = (JitSlot){0};
    }
    return value;
}

/* The type of the right operand of Python's operator; NULL: there were several. To methods in
   Python ints and floats are alike: no type of theirs goes before the left one's. */
static inline PyTypeObject *
right_type(uint32_t version)
{
    return version == JIT_OPERAND_INT ? &PyLong_Type
         : version == JIT_OPERAND_NUMBER ? &PyFloat_Type
         : version == JIT_OPERAND_MIXED ? NULL : _PyType_OfVersion(version);
}

/* The right operand has this type. 0: it has not. */
static inline JitRef
guard_operand(JitBuilder *b, JitRef ref, uint32_t version, PyTypeObject *type)
{
    if (type_of(b, ref) == JIT_T_DOUBLE) {
        return type == &PyFloat_Type ? ref : 0;
    }
    if (version == JIT_OPERAND_NUMBER) {
        return type_of(b, ref) == JIT_T_INT || to_double(b, ref, JIT_SEEN_NUMBER) != 0 ? ref : 0;
    }
    if (type == &PyLong_Type) {
        return to_int(b, ref);
    }
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        return to_class(b, ref, type);
    }
    ref = to_object(b, ref);
    if (ref != 0) {
        _PyJit_GuardVersion(b, ref, version);
    }
    return ref;
}

/* ---------------------------------------------------------- build_methods.c */

/* What classes of Python's do: instructions as calls of their methods. 0: it is not that.
   LT … GE and arithmetic. The right operand is y if that is a constant of the instruction's, and
   then `right` is the left one's register. */
int _PyJit_CallOperator(JitBuilder *b, int kind, int in_place, int compares, JitRef y,
                        unsigned right);
/* STORE_ATTR: the setter is a function with that code, and guards have said so. */
int _PyJit_CallSetter(JitBuilder *b, const PyInstr *in, JitRef setter, JitRef code);
/* NEG, POS, INVERT. */
int _PyJit_CallUnary(JitBuilder *b, int op);
/* JUMP_IF_LT …, JUMP_IF_NOT_LT …; ends the block. */
int _PyJit_CallTest(JitBuilder *b, int op, int negated);
/* IN, NOT_IN; JUMP_IF_IN, JUMP_IF_NOT_IN, which end the block. */
int _PyJit_CallContains(JitBuilder *b, const PyInstr *in);
/* LOAD_SUBSCR, LOAD_SUBSCRI; STORE_SUBSCR. */
int _PyJit_CallGetItem(JitBuilder *b, const PyInstr *in);
int _PyJit_CallSetItem(JitBuilder *b, const PyInstr *in);
/* FOR_ITER: the next value, owned, or JIT_LOOP_ENDS. */
JitRef _PyJit_CallNext(JitBuilder *b, const PyInstr *in);
/* CALL of an object with a __call__. */
int _PyJit_CallObject(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest);

#endif
