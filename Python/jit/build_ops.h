/* Small pieces of nodes, which the files that make the graph share (state.c, joins.c, build.c,
   build_*.c). */
#ifndef SB_JIT_BUILD_OPS_H
#define SB_JIT_BUILD_OPS_H

#include "internal/range.h"
#include "internal/type.h"
#include "build.h"
#include "build_parts.h"
#include "quiet.h"
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

static inline JitRef
raw_op(JitBuilder *b, JitOp op, JitRef x, JitRef y)
{
    JitRef ref = _PyJit_Node(b, JIT_RAW_OP_NODE, JIT_T_RAW, x, y);
    _PyJit_At(b, ref)->cond = (uint8_t)op;
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

/* The value of a call cond 0, or machine code leaves by a snapshot from before the call. */
static inline void
guard_answer(JitBuilder *b, JitCond cond, JitRef value, uint32_t snap)
{
    JitRef guard = _PyJit_Node(b, JIT_GUARD_CMP_NODE, JIT_T_NONE, value, raw_const(b, 0));
    _PyJit_At(b, guard)->cond = (uint8_t)cond;
    _PyJit_At(b, guard)->snap = snap;
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

/* An int or a double as an object: one that it has been stored as, or its own. old: what it
   replaces, which is released behind that; or 0. */
static inline JitRef
box(JitBuilder *b, JitRef value, JitRef old)
{
    JitRef stored = old == 0 ? _PyJit_RecallBox(b, value) : 0;
    if (stored != 0) {
        (void)_PyJit_Node(b, JIT_INCREF_NODE, JIT_T_NONE, stored, 0);
        return stored;
    }
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

/* An iterator that dies without running code is done with: `drop` gives up a reference. */
static inline void
drop_iterator(JitBuilder *b, unsigned reg, const void *drop)
{
    int owned;
    JitRef it = _PyJit_Take(b, reg, &owned);
    if (owned) {
        JitRef call = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_NONE, it, 0);
        _PyJit_At(b, call)->aux = drop;
        _PyJit_At(b, call)->nargs = 1;
    }
}

/* The loop over a range is over: the iterator is dropped. Takes the copy of the state there. */
static inline void
build_loop_end(JitBuilder *b, const PyInstr *in, uint32_t edge, JitSlot *slots)
{
    JitSlot *after = b->slots;
    b->slots = slots;
    _PyJit_BeginBlock(b, edge);
    drop_iterator(b, in->a, (const void *)_PyRange_DropIterator);
    _PyJit_FinishInstr(b, _PyJit_JumpTarget(b->code, b->ip));
    jump_to(b, taken(b));
    b->slots = after;
}

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
         : _PyJit_TypeOfVersion(version);
}

/* The class of Python's whose instance the left or only operand always was, or NULL. */
static inline PyTypeObject *
recorded_class(JitBuilder *b)
{
    return b->operands == NULL ? NULL : _PyJit_TypeOfVersion(b->operands[b->ip].left);
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

#endif
