/* Truth and membership that only the object can tell of: its C code is asked, which may do
   anything.

   The operands are released before the jump, and whether machine code may go on is looked at behind
   it, on either way. */
#include "build_ops.h"
#include "ccalls.h"
#include "internal/type.h"

/* What a function of ccalls.h says of the words in registers: a raw 1 or 0. */
static JitRef
ask(JitBuilder *b, const void *function, const unsigned *regs, unsigned n)
{
    JitRef words[2] = {0};
    _PyJit_Sync(b);
    for (unsigned i = 0; i < n; i++) {
        JitSlot *slot = &b->slots[regs[i]];
        words[i] = slot->ref;
        if (slot->ref == 0 || type_of(b, slot->ref) == JIT_T_DOUBLE) {
            words[i] = load_word(b, JIT_T_WORD, regs[i]);
        }
    }
    JitRef truth = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, JIT_T_RAW, words[0], words[1]);
    JitNode *node = _PyJit_At(b, truth);
    node->nargs = (uint16_t)n;
    node->cond = JIT_RAISES_NEGATIVE;
    node->imm = b->ip;
    node->aux = function;
    return truth;
}

void
_PyJit_JumpAndCheck(JitBuilder *b, JitRef truth, JitRef against, int wanted, int dropped)
{
    JitRef ref = _PyJit_Node(b, JIT_BRANCH_NODE, JIT_T_NONE, truth, against);
    _PyJit_At(b, ref)->cond = wanted ? JIT_NE : JIT_EQ;
    uint32_t jumps = _PyJit_AddEdge(b->g, b->block, 0), falls = _PyJit_AddEdge(b->g, b->block, 0);
    _PyJit_CloseBlock(b, jumps, falls);
    JitSlot *slots = b->slots, *copy = _PyJit_CopySlots(b);
    if (copy == NULL) {
        return;
    }
    b->slots = copy;
    _PyJit_BeginBlock(b, jumps);
    _PyJit_CheckOk(b, _PyJit_JumpTarget(b->code, b->ip));
    jump_to(b, taken(b));
    b->slots = slots;
    _PyJit_BeginBlock(b, falls);
    if (dropped >= 0) {
        _PyJit_Done(b, (unsigned)dropped);
        _PyJit_FinishInstr(b, b->next);
    }
    _PyJit_CheckOk(b, b->next);
    jump_to(b, not_taken(b));
}

/* The truth as the value of the instruction. */
static void
finish_value(JitBuilder *b, JitRef truth, int wanted, unsigned dest)
{
    JitRef value = _PyJit_Node(b, JIT_CMP_NODE, JIT_T_OBJECT, truth, raw_const(b, 0));
    _PyJit_At(b, value)->cond = wanted ? JIT_NE : JIT_EQ;
    _PyJit_At(b, value)->cls = &PyBool_Type;
    _PyJit_WriteValue(b, dest, value, 0);
    _PyJit_CheckOk(b, b->next);
}

/* Does a method of Python's say so, which the interpreter runs without calling C? */
static int
has_truth_method(JitBuilder *b)
{
    PyTypeObject *type = b->operands == NULL ? NULL
                                             : _PyType_OfVersion(b->operands[b->ip].left);
    return type != NULL
           && (!_PyJit_IsSearchedQuietly(type) || _PyVM_TruthMethod(type) != NULL);
}

int
_PyJit_AskTruth(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base, is_not = base == OP_NOT;
    unsigned reg = is_not ? in->b : in->a;
    if (b->inlined != NULL || has_truth_method(b)) {
        return 0;
    }
    JitRef truth = ask(b, (const void *)_PyJit_TruthOfAny, &reg, 1);
    if (is_not) {
        _PyJit_Done(b, reg);
        finish_value(b, truth, 0, in->a);
        return 1;
    }
    int wanted = base == OP_JUMP_IF_TRUE || base == OP_JUMP_IF_TRUE_OR_DROP;
    if (base == OP_JUMP_IF_TRUE_OR_DROP || base == OP_JUMP_IF_FALSE_OR_DROP) {
        _PyJit_JumpAndCheck(b, truth, raw_const(b, 0), wanted, (int)reg);
        return 1;
    }
    _PyJit_Done(b, reg);
    _PyJit_ReleaseBeforeJump(b);
    _PyJit_JumpAndCheck(b, truth, raw_const(b, 0), wanted, -1);
    return 1;
}

int
_PyJit_AskContains(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    int jumps = base == OP_JUMP_IF_IN || base == OP_JUMP_IF_NOT_IN;
    unsigned regs[2] = {jumps ? in->a : in->b, jumps ? in->b : in->c};
    if (b->inlined != NULL) {
        return 0;
    }
    JitRef truth = ask(b, (const void *)_PyJit_ContainsAny, regs, 2);
    _PyJit_Done(b, regs[1]);
    _PyJit_Done(b, regs[0]);
    if (jumps) {
        _PyJit_ReleaseBeforeJump(b);
        _PyJit_JumpAndCheck(b, truth, raw_const(b, 0), base == OP_JUMP_IF_IN, -1);
    }
    else {
        finish_value(b, truth, base == OP_IN, in->a);
    }
    return 1;
}
