/* Tuples of ints that are only compared, as in `if (dx, dy) != (0, 0)`, are not made: their items
   are compared. The other tuple is a constant, or is made of variables and constants beside it.
   Guards leave to the BUILD_TUPLE, in front of which nothing has changed. */
#include "build_ops.h"

#define MOST_ITEMS 3

/* The other tuple: a constant, or made of what the instructions at these places load. */
typedef struct {
    PyObject *constant;
    uint32_t loads[MOST_ITEMS];
} Other;

static int
is_load(JitBuilder *b, uint32_t ip)
{
    const PyInstr *in = &b->code->code[ip];
    switch (_PyOpcode_Info[in->op].base) {
    case OP_MOVE: return in->b < b->first_temp;
    case OP_LOAD_CONST: return 1;
    case OP_LOAD_FREE: case OP_LOAD_DEREF: case OP_LOAD_GLOBAL: return !b->refused[ip];
    default: return 0;
    }
}

/* The register that a tuple of n items is in, which is made at *ip or is a constant there, or 0.
   *ip goes on behind it. */
static unsigned
find_other(JitBuilder *b, unsigned n, uint32_t *ip, Other *other)
{
    const PyInstr *in = &b->code->code[*ip];
    unsigned first = in->a;
    PyReg constant = _PyOpcode_Info[in->op].base == OP_LOAD_CONST ? _PyJit_ConstantOf(b, in) : 0;
    if (constant != 0 && !REG_IS_INT(constant) && PyTuple_CheckExact(REG_PTR(constant))) {
        other->constant = REG_PTR(constant);
        *ip += 1u + _PyOpcode_Info[in->op].cache;
        return PyTuple_GET_SIZE(other->constant) == (Py_ssize_t)n ? first : 0;
    }
    for (unsigned i = 0; i < n; i++, in = &b->code->code[*ip]) {
        if (b->source_at[*ip] != 0 || in->a != first + i || !is_load(b, *ip)) {
            return 0;
        }
        other->loads[i] = *ip;
        *ip += 1u + _PyOpcode_Info[in->op].cache;
    }
    if (_PyOpcode_Info[in->op].base != OP_BUILD_TUPLE || in->b != first || in->c != n
        || b->source_at[*ip] != 0) {
        return 0;
    }
    *ip += 1u + _PyOpcode_Info[in->op].cache;
    return in->a;
}

/* Its item, or 0. */
static JitRef
item_of(JitBuilder *b, const Other *other, unsigned i)
{
    uint32_t ip = other->loads[i];
    const PyInstr *in = &b->code->code[ip];
    int64_t value;
    if (other->constant != NULL) {
        PyObject *item = PyTuple_GET_ITEM(other->constant, i);
        return PyLong_CheckExact(item) && _PyLong_AsInt64Exact(item, &value)
               && value == REG_INT(REG_FROM_INT(value)) ? _PyJit_Const(b, REG_FROM_INT(value)) : 0;
    }
    switch (_PyOpcode_Info[in->op].base) {
    case OP_MOVE: return _PyJit_Use(b, in->b);
    case OP_LOAD_CONST: return _PyJit_Const(b, _PyJit_ConstantOf(b, in));
    case OP_LOAD_GLOBAL: return _PyJit_Global(b, ip);
    default: return _PyJit_CellValue(b, in);
    }
}

/* Whether `in` compares the tuples for equality, and what it says of those that are equal. */
static int
find_comparison(const PyInstr *in, unsigned left, unsigned right, int *jumps, int *if_equal)
{
    int base = _PyOpcode_Info[in->op].base;
    *jumps = base != OP_EQ && base != OP_NE;
    *if_equal = base == OP_EQ || base == OP_JUMP_IF_EQ || base == OP_JUMP_IF_NOT_NE;
    return base == OP_EQ || base == OP_NE ? in->b == left && in->c == right
           : (base == OP_JUMP_IF_EQ || base == OP_JUMP_IF_NE || base == OP_JUMP_IF_NOT_EQ
              || base == OP_JUMP_IF_NOT_NE) && in->a == left && in->b == right;
}

/* Both as ints, if one is known to be one. */
static int
take_ints(JitBuilder *b, JitRef *x, JitRef *y)
{
    if (type_of(b, *x) != JIT_T_INT && type_of(b, *y) != JIT_T_INT) {
        return 0;
    }
    *x = to_int(b, *x);
    *y = *x == 0 ? 0 : to_int(b, *y);
    return *y != 0;
}

int
_PyJit_BuildTupleComparison(JitBuilder *b, const PyInstr *tuple)
{
    unsigned n = tuple->c;
    uint32_t ip = b->next;
    Other other = {0};
    int jumps, if_equal;
    unsigned reg = n < 2 || n > MOST_ITEMS || b->source_at[ip] != 0
                   ? 0 : find_other(b, n, &ip, &other);
    const PyInstr *in = &b->code->code[ip];
    if (reg < b->first_temp || b->source_at[ip] != 0 || b->refused[ip]
        || !find_comparison(in, tuple->a, reg, &jumps, &if_equal)) {
        return 0;
    }
    JitRef differ = 0;
    for (unsigned i = 0; i < n; i++) {
        JitRef x = _PyJit_Use(b, tuple->b + i), y = item_of(b, &other, i);
        if (y == 0 || !take_ints(b, &x, &y)) {
            return 0;
        }
        JitRef differs = raw_op(b, JIT_XOR, x, y);
        differ = i == 0 ? differs : raw_op(b, JIT_OR, differ, differs);
    }
    for (unsigned i = 0; i < n; i++) {
        _PyJit_Done(b, tuple->b + i);
    }
    b->ip = ip;
    b->next = ip + 1 + _PyOpcode_Info[in->op].cache;
    JitCond cond = if_equal ? JIT_EQ : JIT_NE;
    if (jumps) {
        _PyJit_ReleaseBeforeJump(b);
        branch(b, cond, differ, raw_const(b, 0));
        return -1;
    }
    JitRef value = _PyJit_Node(b, JIT_CMP_NODE, JIT_T_OBJECT, differ, raw_const(b, 0));
    _PyJit_At(b, value)->cond = (uint8_t)cond;
    _PyJit_At(b, value)->cls = &PyBool_Type;
    _PyJit_WriteValue(b, in->a, value, 0);
    return 1;
}
