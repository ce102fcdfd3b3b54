/* Nodes that compute with ints and doubles, and box them, as machine instructions. */
#include "lower_parts.h"
#include "../vm/vm.h"
#include "internal/float.h"

#undef A
#undef B
#undef C

#define AS (&l->as)

/* ----------------------------------------------------------------------- ints */

static int32_t
digit_at(int number)
{
    return (int32_t)(offsetof(PyLongObject, ob_digit) + (size_t)number * sizeof(digit));
}

/* ob_size is -1, 0, 1 or 2: the tag of an int object in `v`, into `d`, a different register. */
static void
emit_small_int(JitLower *l, JitReg d, JitReg v, JitLabel leave)
{
    JitReg t = _PyJit_Temp(l);
    JitLabel longer = _PyJit_NewLabel(AS), made = _PyJit_NewLabel(AS);
    _PyJit_BranchNotClass(l, v, &PyLong_Type, leave);
    _PyJit_Load(AS, JIT_64, d, v, offsetof(PyVarObject, ob_size));
    _PyJit_OpImm(AS, JIT_ADD, t, d, 1);
    _PyJit_BranchImm(AS, JIT_UGT, t, 2, longer);
    _PyJit_Load(AS, JIT_32, t, v, digit_at(0));
    _PyJit_Op(AS, JIT_MUL, d, d, t);
    int is_aside = AS->part;
    if (is_aside) {
        _PyJit_Jump(AS, made);
    }
    else {
        _PyJit_AsmPart(AS, 1);
    }
    _PyJit_Bind(AS, longer);
    _PyJit_BranchImm(AS, JIT_NE, d, 2, leave);
    _PyJit_Load(AS, JIT_32, t, v, digit_at(1));
    _PyJit_Load(AS, JIT_32, d, v, digit_at(0));
    _PyJit_OpImm(AS, JIT_SHL, t, t, PyLong_SHIFT);
    _PyJit_Op(AS, JIT_OR, d, d, t);
    if (!is_aside) {
        _PyJit_Jump(AS, made);
        _PyJit_AsmPart(AS, 0);
    }
    _PyJit_Bind(AS, made);
    _PyJit_OpImm(AS, JIT_SHL, d, d, 1);
    _PyJit_OpImm(AS, JIT_OR, d, d, 1);
}

/* The lowest 64 bits of a tag or an int object that is not negative. */
static void
emit_low_word(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]);
    _PyJit_MakeRoom(l, 3, 0);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0), size = _PyJit_Temp(l), t = _PyJit_Temp(l);
    JitLabel object = _PyJit_NewLabel(AS), done = _PyJit_NewLabel(AS);
    _PyJit_BranchBits(AS, JIT_EQ, v, 1, object);
    _PyJit_OpImm(AS, JIT_SAR, d, v, 1);
    if (n->cond) {
        _PyJit_BranchImm(AS, JIT_LT, d, 0, leave);
    }
    _PyJit_Jump(AS, done);
    _PyJit_Bind(AS, object);
    _PyJit_BranchNotClass(l, v, &PyLong_Type, leave);
    _PyJit_Load(AS, JIT_64, size, v, offsetof(PyVarObject, ob_size));
    _PyJit_MovImm(AS, d, 0);
    _PyJit_BranchImm(AS, JIT_EQ, size, 0, done);
    _PyJit_BranchImm(AS, n->cond ? JIT_UGT : JIT_LT, size, n->cond ? 3 : 0, leave);
    _PyJit_Load(AS, JIT_32, d, v, digit_at(0));
    _PyJit_BranchImm(AS, JIT_EQ, size, 1, done);
    _PyJit_Load(AS, JIT_32, t, v, digit_at(1));
    _PyJit_OpImm(AS, JIT_SHL, t, t, PyLong_SHIFT);
    _PyJit_Op(AS, JIT_OR, d, d, t);
    _PyJit_BranchImm(AS, JIT_EQ, size, 2, done);
    _PyJit_Load(AS, JIT_32, t, v, digit_at(2));
    if (n->cond) {
        _PyJit_BranchImm(AS, JIT_UGT, t, (1 << (64 - 2 * PyLong_SHIFT)) - 1, leave);
    }
    _PyJit_OpImm(AS, JIT_SHL, t, t, 2 * PyLong_SHIFT);
    _PyJit_Op(AS, JIT_OR, d, d, t);
    _PyJit_Bind(AS, done);
    _PyJit_Made(l, ref);
}

static void
emit_object_to_int(JitLower *l, const JitNode *n, JitReg d, JitReg v, JitLabel done,
                   JitLabel leave)
{
    if (n->cond == JIT_OR_BOOL) {
        JitLabel other = _PyJit_NewLabel(AS);
        _PyJit_BranchNotClass(l, v, &PyBool_Type, other);
        _PyJit_Load(AS, JIT_32, d, v, digit_at(0));
        _PyJit_OpImm(AS, JIT_SHL, d, d, 1);
        _PyJit_OpImm(AS, JIT_OR, d, d, 1);
        _PyJit_Jump(AS, done);
        _PyJit_Bind(AS, other);
    }
    if (n->cond == JIT_UNBOUND_STAYS) {
        _PyJit_Mov(AS, d, v);
        _PyJit_BranchImm(AS, JIT_EQ, v, 0, done);
    }
    emit_small_int(l, d, v, leave);
}

static void
emit_to_int(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]);
    _PyJit_MakeRoom(l, 2, 0);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0);
    JitLabel object = _PyJit_NewLabel(AS), done = _PyJit_NewLabel(AS);
    if (l->g->nodes[n->args[0]].type != JIT_T_OBJECT) {
        /* On an edge from outside, or as often an object as not. */
        int is_aside = AS->part || n->cond == JIT_OR_BOOL;
        _PyJit_BranchBits(AS, JIT_EQ, v, 1, object);
        _PyJit_Mov(AS, d, v);
        if (is_aside) {
            _PyJit_Jump(AS, done);
            _PyJit_Bind(AS, object);
            emit_object_to_int(l, n, d, v, done, leave);
            _PyJit_Bind(AS, done);
        }
        else {
            _PyJit_Bind(AS, done);
            _PyJit_AsmPart(AS, 1);
            _PyJit_Bind(AS, object);
            emit_object_to_int(l, n, d, v, done, leave);
            _PyJit_Jump(AS, done);
            _PyJit_AsmPart(AS, 0);
        }
    }
    else {
        emit_object_to_int(l, n, d, v, done, leave);
        _PyJit_Bind(AS, done);
    }
    _PyJit_Made(l, ref);
}

/* Adding tags: one of them without its bit. */
static void
emit_add_sub(JitLower *l, JitRef ref, JitNode *n)
{
    JitOp op = n->op == JIT_ADD_NODE ? JIT_ADD : JIT_SUB;
    JitRef x = n->args[0], y = n->args[1];
    if (op == JIT_ADD && jit_is_const(l, x)) {
        JitRef t = x;
        x = y;
        y = t;
    }
    JitReg a = _PyJit_In(l, x);
    if (jit_is_const(l, y)) {
        int64_t value = (int64_t)l->g->nodes[y].imm - 1;
        _PyJit_MakeRoom(l, 1, 0);
        JitLabel leave = _PyJit_LeaveLabel(l, ref);
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImmOverflow(AS, op, d, a, value, leave);
    }
    else {
        JitReg b = _PyJit_In(l, y);
        JitReg t = _PyJit_Temp(l);
        _PyJit_MakeRoom(l, 1, 0);
        JitLabel leave = _PyJit_LeaveLabel(l, ref);
        _PyJit_OpImm(AS, JIT_SUB, t, b, 1);
        JitReg d = _PyJit_Out(l, ref, 1);
        /* Who leaves may still need y, even if it dies here and d is its register. */
        JitReg made = d == b ? t : d;
        _PyJit_OpOverflow(AS, op, made, a, t, leave);
        _PyJit_Mov(AS, d, made);
    }
    _PyJit_Made(l, ref);
}

static void
emit_mul(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg a = _PyJit_In(l, n->args[0]), b = _PyJit_In(l, n->args[1]);
    JitReg t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    _PyJit_OpImm(AS, JIT_SAR, t, a, 1);
    _PyJit_OpImm(AS, JIT_SUB, u, b, 1);
    _PyJit_OpOverflow(AS, JIT_MUL, t, t, u, leave);
    JitReg d = _PyJit_Out(l, ref, 1);
    _PyJit_OpImm(AS, JIT_OR, d, t, 1);
    _PyJit_Made(l, ref);
}

/* Towards minus infinity, as Python divides. Divisors 0 and -1 leave. */
static void
emit_division(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg a = _PyJit_In(l, n->args[0]), b = _PyJit_In(l, n->args[1]);
    JitReg x = _PyJit_Temp(l), y = _PyJit_Temp(l), q = _PyJit_Temp(l), r = _PyJit_Temp(l);
    JitLabel leave = _PyJit_LeaveLabel(l, ref), done = _PyJit_NewLabel(AS);
    _PyJit_OpImm(AS, JIT_SAR, y, b, 1);
    if (!jit_is_const(l, n->args[1])
        || REG_INT(l->g->nodes[n->args[1]].imm) == 0
        || REG_INT(l->g->nodes[n->args[1]].imm) == -1) {
        _PyJit_OpImm(AS, JIT_ADD, x, y, 1);
        _PyJit_BranchImm(AS, JIT_ULE, x, 1, leave);
    }
    _PyJit_OpImm(AS, JIT_SAR, x, a, 1);
    _PyJit_DivRem(AS, q, r, x, y);
    _PyJit_BranchImm(AS, JIT_EQ, r, 0, done);
    _PyJit_Op(AS, JIT_XOR, x, r, y);
    _PyJit_BranchImm(AS, JIT_GE, x, 0, done);
    if (n->op == JIT_FLOORDIV_NODE) {
        _PyJit_OpImm(AS, JIT_SUB, q, q, 1);
    }
    else {
        _PyJit_Op(AS, JIT_ADD, r, r, y);
    }
    _PyJit_Bind(AS, done);
    JitReg d = _PyJit_Out(l, ref, 1);
    _PyJit_OpImm(AS, JIT_SHL, d, n->op == JIT_FLOORDIV_NODE ? q : r, 1);
    _PyJit_OpImm(AS, JIT_OR, d, d, 1);
    _PyJit_Made(l, ref);
}

static void
emit_shift(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg a = _PyJit_In(l, n->args[0]);
    JitReg t;
    switch (n->op) {
    case JIT_SHR_NODE: {
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, JIT_SAR, d, a, (int64_t)n->imm);
        _PyJit_OpImm(AS, JIT_OR, d, d, 1);
        break;
    }
    case JIT_SHL_NODE: {
        t = _PyJit_Temp(l);
        JitReg u = _PyJit_Temp(l);
        JitLabel leave = _PyJit_LeaveLabel(l, ref);
        _PyJit_OpImm(AS, JIT_SUB, t, a, 1);
        _PyJit_OpImm(AS, JIT_SHL, t, t, (int64_t)n->imm);
        _PyJit_OpImm(AS, JIT_SAR, u, t, (int64_t)n->imm);
        _PyJit_OpImm(AS, JIT_OR, u, u, 1);
        _PyJit_Branch(AS, JIT_NE, u, a, leave);
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, JIT_OR, d, t, 1);
        break;
    }
    default: {
        JitReg b = _PyJit_In(l, n->args[1]);
        t = _PyJit_Temp(l);
        JitReg u = _PyJit_Temp(l), by = _PyJit_Temp(l);
        JitLabel leave = _PyJit_LeaveLabel(l, ref);
        _PyJit_OpImm(AS, JIT_SAR, by, b, 1);
        _PyJit_BranchImm(AS, JIT_UGE, by, n->op == JIT_SHL_BY_NODE ? 61 : 64, leave);
        if (n->op == JIT_SHL_BY_NODE) {
            _PyJit_OpImm(AS, JIT_SUB, t, a, 1);
            _PyJit_Op(AS, JIT_SHL, t, t, by);
            _PyJit_Op(AS, JIT_SAR, u, t, by);
            _PyJit_OpImm(AS, JIT_OR, u, u, 1);
            _PyJit_Branch(AS, JIT_NE, u, a, leave);
        }
        else {
            _PyJit_Op(AS, JIT_SAR, t, a, by);
        }
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, JIT_OR, d, t, 1);
        break;
    }
    }
    _PyJit_Made(l, ref);
}

static void
emit_logic(JitLower *l, JitRef ref, JitNode *n)
{
    JitOp op = n->op == JIT_AND_NODE ? JIT_AND : n->op == JIT_OR_NODE ? JIT_OR : JIT_XOR;
    JitReg a = _PyJit_In(l, n->args[0]);
    JitReg d;
    if (jit_is_const(l, n->args[1])) {
        int64_t value = (int64_t)l->g->nodes[n->args[1]].imm;
        d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, op, d, a, op == JIT_XOR ? value - 1 : value);
    }
    else {
        JitReg b = _PyJit_In(l, n->args[1]);
        d = _PyJit_Out(l, ref, 1);
        _PyJit_Op(AS, op, d, a, b);
        if (op == JIT_XOR) {
            _PyJit_OpImm(AS, JIT_OR, d, d, 1);
        }
    }
    _PyJit_Made(l, ref);
}

/* The truth of a condition as an object. */
static void
emit_bool(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg t = _PyJit_Temp(l), u = _PyJit_Temp(l), d;
    if (n->op == JIT_CMP_NODE) {
        JitReg a = _PyJit_In(l, n->args[0]), b = _PyJit_In(l, n->args[1]);
        _PyJit_MovImm(AS, t, (uint64_t)Py_True);
        _PyJit_MovImm(AS, u, (uint64_t)Py_False);
        d = _PyJit_Out(l, ref, 1);
        _PyJit_Select(AS, (JitCond)n->cond, d, a, b, t, u);
    }
    else {
        JitReg truth = _PyJit_Temp(l);
        if (n->op == JIT_FCMP_NODE) {
            JitFloatReg a = _PyJit_InFloat(l, n->args[0]), b = _PyJit_InFloat(l, n->args[1]);
            _PyJit_FSet(AS, (JitCond)n->cond, truth, a, b);
        }
        else {
            _PyJit_Mov(AS, truth, _PyJit_In(l, n->args[0]));
        }
        JitReg zero = _PyJit_Temp(l);
        _PyJit_MovImm(AS, zero, 0);
        _PyJit_MovImm(AS, t, (uint64_t)Py_True);
        _PyJit_MovImm(AS, u, (uint64_t)Py_False);
        d = _PyJit_Out(l, ref, 1);
        _PyJit_Select(AS, JIT_NE, d, truth, zero, t, u);
    }
    _PyJit_Made(l, ref);
}

/* -------------------------------------------------------------------- doubles */

static void
emit_float_op(JitLower *l, JitRef ref, JitNode *n)
{
    JitFloatReg a = _PyJit_InFloat(l, n->args[0]), d;
    if (n->args[1] == 0) {
        d = _PyJit_OutFloat(l, ref, 1);
        switch (n->op) {
        case JIT_FNEG_NODE: _PyJit_FNeg(AS, d, a); break;
        case JIT_FABS_NODE: _PyJit_FAbs(AS, d, a); break;
        default: _PyJit_FSqrt(AS, d, a); break;
        }
        _PyJit_Made(l, ref);
        return;
    }
    JitFloatReg b = _PyJit_InFloat(l, n->args[1]);
    if (n->op == JIT_FDIV_NODE
        && !(l->g->nodes[n->args[1]].op == JIT_DOUBLE_NODE
             && (l->g->nodes[n->args[1]].imm << 1) != 0)) {
        _PyJit_MakeRoom(l, 0, 2);
        JitLabel leave = _PyJit_LeaveLabel(l, ref);
        JitFloatReg zero = _PyJit_FloatTemp(l);
        _PyJit_FMovImm(AS, zero, 0.0);
        _PyJit_FBranch(AS, JIT_EQ, b, zero, 0, leave);
    }
    d = _PyJit_OutFloat(l, ref, 1);
    JitFloatOp op = n->op == JIT_FADD_NODE ? JIT_FADD : n->op == JIT_FSUB_NODE ? JIT_FSUB
                  : n->op == JIT_FMUL_NODE ? JIT_FMUL : JIT_FDIV;
    _PyJit_FOp(AS, op, d, a, b);
    _PyJit_Made(l, ref);
}

static void
emit_to_double(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]);
    _PyJit_MakeRoom(l, 2, 1);
    JitReg t = _PyJit_Temp(l);
    JitLabel leave = _PyJit_LeaveLabel(l, ref), object = _PyJit_NewLabel(AS);
    JitLabel tag = _PyJit_NewLabel(AS), known = _PyJit_NewLabel(AS), done = _PyJit_NewLabel(AS);
    JitFloatReg d = _PyJit_OutFloat(l, ref, 0);
    _PyJit_BranchBits(AS, JIT_NE, v, 1, tag);
    _PyJit_BranchNotClass(l, v, &PyFloat_Type, object);
    _PyJit_FLoad(AS, d, v, offsetof(PyFloatObject, ob_fval));
    _PyJit_Bind(AS, done);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, object);
    emit_small_int(l, t, v, leave);
    _PyJit_OpImm(AS, JIT_SAR, t, t, 1);
    _PyJit_Jump(AS, known);
    _PyJit_Bind(AS, tag);
    _PyJit_OpImm(AS, JIT_SAR, t, v, 1);
    _PyJit_Bind(AS, known);
    _PyJit_FFromInt(AS, d, t);
    if (n->cond) {
        /* Between -2**53 and 2**53 a double is the int. */
        _PyJit_OpImm(AS, JIT_SAR, t, t, 53);
        _PyJit_OpImm(AS, JIT_ADD, t, t, 1);
        _PyJit_BranchImm(AS, JIT_UGT, t, 1, leave);
    }
    _PyJit_Jump(AS, done);
    _PyJit_AsmPart(AS, 0);
    _PyJit_Made(l, ref);
}

static void
emit_guard_float(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg x = _PyJit_In(l, n->args[0]), y = _PyJit_In(l, n->args[1]);
    JitLabel leave = _PyJit_LeaveLabel(l, ref), other = _PyJit_NewLabel(AS);
    JitLabel done = _PyJit_NewLabel(AS);
    _PyJit_BranchBits(AS, JIT_NE, x, 1, other);
    _PyJit_BranchNotClass(l, x, &PyFloat_Type, other);
    _PyJit_Bind(AS, done);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, other);
    _PyJit_BranchBits(AS, JIT_NE, y, 1, leave);
    _PyJit_BranchNotClass(l, y, &PyFloat_Type, leave);
    _PyJit_Jump(AS, done);
    _PyJit_AsmPart(AS, 0);
}

/* ---------------------------------------------------------------------- boxes */

/* A box takes the place of an object that only this place refers to: if that is of the same
   class, it is the box, with a second reference that its release drops. Goes to `fresh` if
   not. */
static void
emit_take_old(JitLower *l, JitRef old, JitReg v, PyTypeObject *cls, JitLabel fresh)
{
    JitNode *n = &l->g->nodes[old];
    if (n->cls != cls) {
        if (n->type != JIT_T_OBJECT) {
            _PyJit_BranchImm(AS, JIT_EQ, v, 0, fresh);
        }
        _PyJit_BranchNotClass(l, v, cls, fresh);
    }
    _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, v, JIT_REFCNT, 1, fresh);
    _PyJit_StoreImm(AS, JIT_64, v, JIT_REFCNT, 2);
}

static JitRare *
add_box(JitLower *l, JitRef ref, JitLabel leave, JitReg d)
{
    JitRare *rare = _PyJit_AddRare(l, RARE_BOX, ref);
    rare->dest = d;
    rare->leave = leave;
    return rare;
}

static void
emit_box_double(JitLower *l, JitRef ref, JitNode *n)
{
    JitFloatReg value = _PyJit_InFloat(l, n->args[0]);
    JitReg old = n->args[1] != 0 ? _PyJit_In(l, n->args[1]) : 0;
    _PyJit_MakeRoom(l, 3, 0);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitRare *rare = add_box(l, ref, leave, d);
    rare->float_value = value;
    JitLabel done = _PyJit_NewLabel(AS), fresh = _PyJit_NewLabel(AS);
    if (n->args[1] != 0) {
        emit_take_old(l, n->args[1], old, &PyFloat_Type, fresh);
        _PyJit_Mov(AS, d, old);
        _PyJit_FStore(AS, d, offsetof(PyFloatObject, ob_fval), value);
        _PyJit_AsmPart(AS, 1);
    }
    _PyJit_Bind(AS, fresh);
    _PyJit_TakeBlock(l, d, &_PyFloat_free_list, t, u, rare->label);
    _PyJit_FStore(AS, d, offsetof(PyFloatObject, ob_fval), value);
    _PyJit_Bind(AS, rare->back);
    if (n->args[1] != 0) {
        _PyJit_Jump(AS, done);
        _PyJit_AsmPart(AS, 0);
    }
    _PyJit_Bind(AS, done);
    _PyJit_Made(l, ref);
}

/* size: -1 or 1. */
static void
emit_set_digit(JitLower *l, JitReg d, JitReg size, JitReg magnitude)
{
    _PyJit_Store(AS, JIT_64, d, offsetof(PyVarObject, ob_size), size);
    /* The second digit, which every block has room for, too. */
    _PyJit_Store(AS, JIT_64, d, offsetof(PyLongObject, ob_digit), magnitude);
}

static void
emit_box_int(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg value = _PyJit_In(l, n->args[0]);
    JitReg old = n->args[1] != 0 ? _PyJit_In(l, n->args[1]) : 0;
    _PyJit_MakeRoom(l, 5, 0);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitReg v = _PyJit_Temp(l);
    JitRare *rare = add_box(l, ref, leave, d);
    rare->value = value;
    JitLabel large = _PyJit_NewLabel(AS), fresh = _PyJit_NewLabel(AS);
    /* Small ones are there already. */
    _PyJit_OpImm(AS, JIT_SAR, t, value, 1);
    _PyJit_OpImm(AS, JIT_ADD, u, t, _PyLong_SMALL_NEG);
    _PyJit_BranchImm(AS, JIT_UGE, u, _PyLong_SMALL_NEG + _PyLong_SMALL_POS, large);
    static_assert(sizeof(PyLongObject) == 1 << 5, "the size of ints");
    _PyJit_OpImm(AS, JIT_SHL, u, u, 5);
    _PyJit_MovImm(AS, d, (uint64_t)_PyLong_small_ints);
    _PyJit_Op(AS, JIT_ADD, d, d, u);
    _PyJit_AddMem(AS, JIT_64, d, JIT_REFCNT, 1);
    _PyJit_Bind(AS, rare->back);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, large);
    _PyJit_OpImm(AS, JIT_SAR, u, t, 63);
    _PyJit_Op(AS, JIT_XOR, t, t, u);
    _PyJit_Op(AS, JIT_SUB, t, t, u);
    _PyJit_BranchImm(AS, JIT_UGE, t, (int64_t)1 << PyLong_SHIFT, rare->label);
    _PyJit_OpImm(AS, JIT_OR, u, u, 1);
    if (n->args[1] != 0) {
        emit_take_old(l, n->args[1], old, &PyLong_Type, fresh);
        _PyJit_Mov(AS, d, old);
        emit_set_digit(l, d, u, t);
        _PyJit_Jump(AS, rare->back);
    }
    _PyJit_Bind(AS, fresh);
    JitReg w = _PyJit_Temp(l);
    _PyJit_TakeBlock(l, d, &_PyLong_free_list, v, w, rare->label);
    emit_set_digit(l, d, u, t);
    _PyJit_Jump(AS, rare->back);
    _PyJit_AsmPart(AS, 0);
    _PyJit_Made(l, ref);
}

/* ---------------------------------------------------------------------- nodes */

int
_PyJit_LowerNumber(JitLower *l, JitRef ref, JitNode *n)
{
    switch (n->op) {
    case JIT_TO_INT_NODE:
        emit_to_int(l, ref, n);
        break;
    case JIT_GUARD_FLOAT_NODE:
        emit_guard_float(l, ref, n);
        return 1;
    case JIT_TO_DOUBLE_NODE:
        emit_to_double(l, ref, n);
        break;
    case JIT_ADD_NODE: case JIT_SUB_NODE:
        emit_add_sub(l, ref, n);
        break;
    case JIT_MUL_NODE:
        emit_mul(l, ref, n);
        break;
    case JIT_FLOORDIV_NODE: case JIT_MOD_NODE:
        emit_division(l, ref, n);
        break;
    case JIT_AND_NODE: case JIT_OR_NODE: case JIT_XOR_NODE:
        emit_logic(l, ref, n);
        break;
    case JIT_SHL_NODE: case JIT_SHR_NODE: case JIT_SHL_BY_NODE: case JIT_SHR_BY_NODE:
        emit_shift(l, ref, n);
        break;
    case JIT_NEG_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
        _PyJit_MakeRoom(l, 1, 0);
        JitLabel out = _PyJit_LeaveLabel(l, ref);
        _PyJit_MovImm(AS, t, 2);
        _PyJit_OpOverflow(AS, JIT_SUB, _PyJit_Out(l, ref, 1), t, v, out);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_CMP_NODE: case JIT_FCMP_NODE: case JIT_BOOL_NODE:
        emit_bool(l, ref, n);
        break;
    case JIT_UNTAG_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]);
        _PyJit_OpImm(AS, JIT_SAR, _PyJit_Out(l, ref, 1), v, 1);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_TAG_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
        JitLabel out = _PyJit_LeaveLabel(l, ref);
        _PyJit_OpOverflow(AS, JIT_ADD, t, v, v, out);
        _PyJit_OpImm(AS, JIT_OR, _PyJit_Out(l, ref, 0), t, 1);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_RAW_ADD_NODE: {
        JitReg a = _PyJit_In(l, n->args[0]);
        if (n->args[1] == 0) {
            _PyJit_OpImm(AS, JIT_ADD, _PyJit_Out(l, ref, 1), a, (int64_t)n->imm);
        }
        else {
            JitReg b = _PyJit_In(l, n->args[1]);
            _PyJit_Op(AS, JIT_ADD, _PyJit_Out(l, ref, 1), a, b);
        }
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_RAW_OP_NODE: {
        JitReg a = _PyJit_In(l, n->args[0]);
        if (jit_is_const(l, n->args[1])) {
            _PyJit_OpImm(AS, (JitOp)n->cond, _PyJit_Out(l, ref, 1), a,
                         (int64_t)l->g->nodes[n->args[1]].imm);
        }
        else {
            JitReg b = _PyJit_In(l, n->args[1]);
            _PyJit_Op(AS, (JitOp)n->cond, _PyJit_Out(l, ref, 1), a, b);
        }
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_LOW_WORD_NODE:
        emit_low_word(l, ref, n);
        break;
    case JIT_FADD_NODE: case JIT_FSUB_NODE: case JIT_FMUL_NODE: case JIT_FDIV_NODE:
    case JIT_FNEG_NODE: case JIT_FABS_NODE: case JIT_FSQRT_NODE:
        emit_float_op(l, ref, n);
        break;
    case JIT_INT_TO_DOUBLE_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
        _PyJit_OpImm(AS, JIT_SAR, t, v, 1);
        _PyJit_FFromInt(AS, _PyJit_OutFloat(l, ref, 0), t);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_BOX_DOUBLE_NODE:
        emit_box_double(l, ref, n);
        break;
    case JIT_BOX_INT_NODE:
        emit_box_int(l, ref, n);
        break;
    case JIT_TRUNC_NODE: {
        JitFloatReg v = _PyJit_InFloat(l, n->args[0]);
        _PyJit_FToInt(AS, _PyJit_Out(l, ref, 0), v);
        _PyJit_Made(l, ref);
        break;
    }
    default:
        return 0;
    }
    return 1;
}
