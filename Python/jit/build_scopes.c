/* Variables in cells, identity, and `not`. */
#include "build_ops.h"

JitRef
_PyJit_CellValue(JitBuilder *b, const PyInstr *in)
{
    JitRef cell;
    if (_PyOpcode_Info[in->op].base == OP_LOAD_DEREF) {
        cell = _PyJit_Use(b, in->b);
    }
    else {
        cell = _PyJit_FreeCell(b, in->b);
    }
    JitRef value = load(b, JIT_T_OBJECT, JIT_64, cell, offsetof(PyCellObject, ob_ref));
    guard_compare(b, JIT_NE, value, 0);
    return value;
}

static int
build_load_cell(JitBuilder *b, const PyInstr *in)
{
    _PyJit_WriteValue(b, in->a, _PyJit_CellValue(b, in), 0);
    return 1;
}

static int
is_permanent_object(JitBuilder *b, JitRef ref)
{
    return type_of(b, ref) == JIT_T_OBJECT && !_PyJit_MayCount(b, ref);
}

/* Words that are compared as they are: two objects, or one of them None, True or False. Ints
   are the same if they have the same value, which is the handler's. 0: not these. */
static int
identities(JitBuilder *b, unsigned left, unsigned right, JitRef *x, JitRef *y)
{
    *x = _PyJit_Use(b, left);
    *y = _PyJit_Use(b, right);
    if (type_of(b, *x) == JIT_T_DOUBLE || type_of(b, *y) == JIT_T_DOUBLE) {
        return 0;
    }
    if (is_permanent_object(b, *x) || is_permanent_object(b, *y)) {
        return 1;
    }
    *x = to_object(b, *x);
    *y = *x == 0 ? 0 : to_object(b, _PyJit_Use(b, right));
    return *y != 0;
}

static int
build_is(JitBuilder *b, const PyInstr *in, JitCond cond)
{
    JitRef x, y;
    if (!identities(b, in->b, in->c, &x, &y)) {
        return 0;
    }
    JitRef value = _PyJit_Node(b, JIT_CMP_NODE, JIT_T_OBJECT, x, y);
    _PyJit_At(b, value)->cond = (uint8_t)cond;
    _PyJit_At(b, value)->cls = &PyBool_Type;
    _PyJit_Done(b, in->b);
    _PyJit_Done(b, in->c);
    _PyJit_WriteValue(b, in->a, value, 0);
    return 1;
}

static int
build_not(JitBuilder *b, const PyInstr *in)
{
    JitRef against = 0, x = _PyJit_TruthOf(b, _PyJit_Use(b, in->b), &against);
    if (x == 0) {
        return 0;
    }
    JitRef value = _PyJit_Node(b, JIT_CMP_NODE, JIT_T_OBJECT, x, against);
    _PyJit_At(b, value)->cond = JIT_EQ;
    _PyJit_At(b, value)->cls = &PyBool_Type;
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, value, 0);
    return 1;
}

int
_PyJit_BuildScope(JitBuilder *b, const PyInstr *in)
{
    switch (_PyOpcode_Info[in->op].base) {
    case OP_IS: return build_is(b, in, JIT_EQ);
    case OP_IS_NOT: return build_is(b, in, JIT_NE);
    case OP_NOT: return build_not(b, in);
    default: return build_load_cell(b, in);
    }
}

int
_PyJit_BuildIsJump(JitBuilder *b, const PyInstr *in)
{
    JitRef x, y;
    if (!identities(b, in->a, in->b, &x, &y)) {
        return 0;
    }
    _PyJit_Done(b, in->a);
    _PyJit_Done(b, in->b);
    _PyJit_ReleaseBeforeJump(b);
    branch(b, _PyOpcode_Info[in->op].base == OP_JUMP_IF_IS ? JIT_EQ : JIT_NE, x, y);
    return 1;
}
