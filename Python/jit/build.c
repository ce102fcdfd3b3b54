/* Bytecode to graph: what each instruction does, given what is known of its operands.

   An instruction that has no code of its own here, or whose operands are not of the kinds that
   its code is for, becomes a STEP: a call of its handler. So there is nothing in Python that
   can't be compiled. An instruction that has never been executed becomes a LEAVE. */
#include "build_ops.h"
#include "quiet.h"
#include "../vm/call.h"
#include "internal/unicode.h"
#include "internal/range.h"
#include "internal/dict.h"
#include "internal/gc.h"
#include "internal/float.h"
#include <math.h>


/* ----------------------------------------------------------------- arithmetic */

/* Also of negative ints, since both round down. */
static JitRef
by_power_of_two(JitBuilder *b, int kind, JitRef x, int64_t divisor)
{
    if (kind == K_MOD) {
        return _PyJit_Node(b, JIT_AND_NODE, JIT_T_INT, x,
                           _PyJit_Const(b, REG_FROM_INT(divisor - 1)));
    }
    JitRef ref = _PyJit_Node(b, JIT_SHR_NODE, JIT_T_INT, x, 0);
    _PyJit_At(b, ref)->imm = (uint64_t)__builtin_ctzll((uint64_t)divisor);
    return ref;
}

/* y: a node, possibly of a constant. */
JitRef
_PyJit_IntArithmetic(JitBuilder *b, int kind, JitRef x, JitRef y)
{
    JitNode *right = _PyJit_At(b, y);
    int is_const = right->op == JIT_CONST_NODE;
    int64_t constant = REG_INT(right->imm);
    switch (kind) {
    case K_ADD: return guarded(b, JIT_ADD_NODE, JIT_T_INT, x, y);
    case K_SUB: return guarded(b, JIT_SUB_NODE, JIT_T_INT, x, y);
    case K_MUL: return guarded(b, JIT_MUL_NODE, JIT_T_INT, x, y);
    case K_AND: return _PyJit_Node(b, JIT_AND_NODE, JIT_T_INT, x, y);
    case K_OR: return _PyJit_Node(b, JIT_OR_NODE, JIT_T_INT, x, y);
    case K_XOR: return _PyJit_Node(b, JIT_XOR_NODE, JIT_T_INT, x, y);
    case K_FLOORDIV:
    case K_MOD:
        if (is_const && constant > 0 && (constant & (constant - 1)) == 0) {
            return by_power_of_two(b, kind, x, constant);
        }
        return guarded(b, kind == K_MOD ? JIT_MOD_NODE : JIT_FLOORDIV_NODE, JIT_T_INT, x, y);
    case K_LSHIFT:
    case K_RSHIFT:
        if (is_const && constant >= 0 && constant < 62) {
            JitRef ref = kind == K_LSHIFT
                ? guarded(b, JIT_SHL_NODE, JIT_T_INT, x, 0)
                : _PyJit_Node(b, JIT_SHR_NODE, JIT_T_INT, x, 0);
            _PyJit_At(b, ref)->imm = (uint64_t)constant;
            return ref;
        }
        return guarded(b, kind == K_LSHIFT ? JIT_SHL_BY_NODE : JIT_SHR_BY_NODE, JIT_T_INT, x, y);
    default:
        return 0;
    }
}

/* C's pow(). What may raise, be complex or differ from a plain call leaves. */
static JitRef
double_power(JitBuilder *b, JitRef x, JitRef y)
{
    JitNode *n = _PyJit_At(b, y);
    double exponent = 0.5;
    int is_const = n->op == JIT_DOUBLE_NODE;
    if (is_const) {
        memcpy(&exponent, &n->imm, sizeof(exponent));
    }
    int is_integral = is_const && exponent == floor(exponent);
    if (!is_integral || exponent <= 0.0) {
        JitCond cond = is_integral ? JIT_NE : is_const && exponent > 0.0 ? JIT_GE : JIT_GT;
        guard_doubles(b, cond, x, double_const(b, 0.0));
    }
    (void)_PyJit_SnapBefore(b);
    JitRef power = call_double(b, (const void *)pow, x, y);
    guard_finite(b, power);
    return power;
}

static JitRef
double_arithmetic(JitBuilder *b, int kind, JitRef x, JitRef y)
{
    switch (kind) {
    case K_ADD: return _PyJit_Node(b, JIT_FADD_NODE, JIT_T_DOUBLE, x, y);
    case K_SUB: return _PyJit_Node(b, JIT_FSUB_NODE, JIT_T_DOUBLE, x, y);
    case K_MUL: return _PyJit_Node(b, JIT_FMUL_NODE, JIT_T_DOUBLE, x, y);
    case K_TRUEDIV: return guarded(b, JIT_FDIV_NODE, JIT_T_DOUBLE, x, y);
    case K_POW: return double_power(b, x, y);
    case K_FLOORDIV:
    case K_MOD:
        if (_PyJit_At(b, y)->op != JIT_DOUBLE_NODE || _PyJit_At(b, y)->imm << 1 == 0) {
            guard_doubles(b, JIT_NE, y, double_const(b, 0.0));
        }
        return call_double(b, kind == K_MOD ? (const void *)_PyFloat_RemainderDouble
                                            : (const void *)_PyFloat_FloorDivDouble, x, y);
    default: return 0;
    }
}

static int
is_bool(JitBuilder *b, JitRef ref)
{
    return type_of(b, ref) == JIT_T_OBJECT && class_of(b, ref) == &PyBool_Type;
}

/* The int that a bool is: the lowest bit in which the addresses of True and False differ says
   which it is. */
JitRef
_PyJit_IntOfBool(JitBuilder *b, JitRef x)
{
    uint64_t distance = (uint64_t)Py_True - (uint64_t)Py_False;
    JitRef ref = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, x, 0);
    _PyJit_At(b, ref)->imm = 0 - (uint64_t)Py_False;
    ref = _PyJit_Node(b, JIT_RAW_OP_NODE, JIT_T_RAW, ref,
                      raw_const(b, distance & (0 - distance)));
    _PyJit_At(b, ref)->cond = JIT_AND;
    ref = _PyJit_Node(b, JIT_RAW_OP_NODE, JIT_T_RAW, ref,
                      raw_const(b, (uint64_t)__builtin_ctzll(distance) - 1));
    _PyJit_At(b, ref)->cond = JIT_SHR;
    ref = _PyJit_Node(b, JIT_RAW_OP_NODE, JIT_T_INT, ref, raw_const(b, 1));
    _PyJit_At(b, ref)->cond = JIT_OR;
    return ref;
}

/* The int that an operand is which has been a bool, or is known to be an int. 0: it can't be. */
static JitRef
int_or_bool(JitBuilder *b, JitRef x, int seen)
{
    if (seen == JIT_SEEN_INT || type_of(b, x) == JIT_T_INT) {
        return to_int(b, x);
    }
    if (type_of(b, x) == JIT_T_DOUBLE || class_of(b, x) != NULL) {
        return 0;
    }
    return pure_node(b, (JitNode){.op = JIT_TO_INT_NODE, .type = JIT_T_INT, .args = {x},
                                  .ip = b->ip, .cond = JIT_OR_BOOL});
}

/* Have the operands been ints and bools? Two bools may make a bool. */
static int
saw_bools(JitBuilder *b, int kind, int left, int right)
{
    return b->operands != NULL && b->operands[b->ip].left == JIT_OPERAND_BOOL
           && !((left | right) & (JIT_SEEN_FLOAT | JIT_SEEN_BIG))
           && (kind < K_AND || left == JIT_SEEN_INT || right == JIT_SEEN_INT);
}

static int
is_number(int kind)
{
    return kind != 0 && (kind & ~JIT_SEEN_NUMBER) == 0;
}

/* x op y for the value of an instruction: 0 if it has no code for such operands. */
static JitRef
arithmetic(JitBuilder *b, int kind, JitRef x, JitRef y, int left, int right)
{
    int x_is_bool = is_bool(b, x), y_is_bool = is_bool(b, y);
    if (kind >= K_AND && ((x_is_bool && kind_of_value(b, y, right) != JIT_SEEN_INT)
                          || (y_is_bool && kind_of_value(b, x, left) != JIT_SEEN_INT))) {
        return 0;               /* a bool, perhaps */
    }
    x = x_is_bool ? _PyJit_IntOfBool(b, x) : x;
    y = y_is_bool ? _PyJit_IntOfBool(b, y) : y;
    left = kind_of_value(b, x, left);
    right = kind_of_value(b, y, right);
    if (kind != K_TRUEDIV && saw_bools(b, kind, left, right)) {
        x = int_or_bool(b, x, left);
        y = x == 0 ? 0 : int_or_bool(b, y, right);
        return y == 0 ? 0 : _PyJit_IntArithmetic(b, kind, x, y);
    }
    if (left == JIT_SEEN_INT && right == JIT_SEEN_INT && kind != K_TRUEDIV) {
        x = to_int(b, x);
        y = x == 0 ? 0 : to_int(b, y);
        return y == 0 ? 0 : _PyJit_IntArithmetic(b, kind, x, y);
    }
    /* Operands that are now an int, now a float: not both ints, for those give no double. */
    int both_mixed = left == JIT_SEEN_NUMBER && right == JIT_SEEN_NUMBER;
    int is_float = is_number(left) && is_number(right)
                   && (left == JIT_SEEN_FLOAT || right == JIT_SEEN_FLOAT || both_mixed);
    if (is_float && (kind <= K_TRUEDIV || kind == K_FLOORDIV || kind == K_MOD || kind == K_POW)) {
        if (both_mixed) {
            add_guard(b, (JitNode){.op = JIT_GUARD_FLOAT_NODE, .args = {x, y}, .ip = b->ip});
        }
        x = to_double(b, x, left);
        y = x == 0 ? 0 : to_double(b, y, right);
        return y == 0 ? 0 : double_arithmetic(b, kind, x, y);
    }
    return 0;
}

/* The operator of a class of Python's. right: the register of the second operand, or the
   first's if that is a constant. 0: it is not that. */
static int
build_method(JitBuilder *b, int kind, int in_place, JitValueUse use, JitRef x, JitRef y,
             unsigned right)
{
    const PyInstr *in = instr(b);
    int owned = 0;
    JitRef value = _PyJit_BuildOperator(b, kind, in_place, use, x, y, &owned);
    if (value == 0) {
        return _PyJit_CallOperator(b, kind, in_place, use == JIT_OF_COMPARISON, y, right);
    }
    _PyJit_OperatorDone(b, value, &owned, in->b, right);
    _PyJit_Write(b, in->a, value, owned);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static void
build_binary(JitBuilder *b, int kind, int in_place)
{
    const PyInstr *in = instr(b);
    int seen = b->kinds[b->ip];
    JitRef x = _PyJit_Use(b, in->b), y = _PyJit_Use(b, in->c);
    JitRef value = b->refused[b->ip] ? 0
                 : arithmetic(b, kind, x, y, JIT_LEFT(seen), JIT_RIGHT(seen));
    if (value == 0) {
        if ((b->refused[b->ip] & JIT_REFUSED_AGAIN
             || !_PyJit_BuildLongInts(b, kind, x, y, JIT_LEFT(seen), JIT_RIGHT(seen)))
            && (b->refused[b->ip]
                || !build_method(b, kind, in_place, JIT_OF_OPERATOR, x, y, in->c))
            && !_PyJit_BuildAnyArithmetic(b, kind, in_place)) {
            step(b);
        }
        return;
    }
    _PyJit_Done(b, in->b);
    _PyJit_Done(b, in->c);
    _PyJit_Write(b, in->a, value, 0);
    _PyJit_FinishInstr(b, b->next);
}

static void
build_constant_op(JitBuilder *b, int kind, int in_place)
{
    const PyInstr *in = instr(b);
    JitRef x = _PyJit_Use(b, in->b);
    JitRef y = _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->c));
    int seen = JIT_LEFT(b->kinds[b->ip]);
    JitRef value = b->refused[b->ip] ? 0 : arithmetic(b, kind, x, y, seen, JIT_SEEN_INT);
    if (value == 0) {
        if ((b->refused[b->ip] & JIT_REFUSED_AGAIN
             || !_PyJit_BuildLongInts(b, kind, x, y, seen, JIT_SEEN_INT))
            && (b->refused[b->ip]
                || !build_method(b, kind, in_place, JIT_OF_OPERATOR, x, y, in->b))
            && !_PyJit_BuildAnyArithmetic(b, kind, in_place)) {
            step(b);
        }
        return;
    }
    _PyJit_Done(b, in->b);
    _PyJit_Write(b, in->a, value, 0);
    _PyJit_FinishInstr(b, b->next);
}

/* The same with one operand. */
static int
build_unary_method(JitBuilder *b, int base)
{
    const PyInstr *in = instr(b);
    int owned = 0;
    if (b->refused[b->ip]) {
        return 0;
    }
    JitRef value = _PyJit_BuildUnaryMethod(b, base, _PyJit_Use(b, in->b), &owned);
    if (value == 0) {
        return _PyJit_CallUnary(b, base);
    }
    _PyJit_OperatorDone(b, value, &owned, in->b, in->b);
    _PyJit_Write(b, in->a, value, owned);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static void
build_unary(JitBuilder *b, int base)
{
    const PyInstr *in = instr(b);
    JitRef x = _PyJit_Use(b, in->b);
    int kind = b->refused[b->ip] ? 0 : kind_of_value(b, x, JIT_LEFT(b->kinds[b->ip]));
    JitRef value = 0;
    if (kind == JIT_SEEN_INT && (x = to_int(b, x)) != 0) {
        value = base == OP_POS ? x : base == OP_NEG ? guarded(b, JIT_NEG_NODE, JIT_T_INT, x, 0)
              : _PyJit_Node(b, JIT_XOR_NODE, JIT_T_INT, x, _PyJit_Const(b, REG_FROM_INT(-1)));
    }
    else if (base == OP_NEG && kind == JIT_SEEN_FLOAT && (x = to_double(b, x, kind)) != 0) {
        value = _PyJit_Node(b, JIT_FNEG_NODE, JIT_T_DOUBLE, x, 0);
    }
    if (value == 0) {
        if (!build_unary_method(b, base) && !_PyJit_BuildAnyUnary(b, base)) {
            step(b);
        }
        return;
    }
    _PyJit_Done(b, in->b);
    _PyJit_Write(b, in->a, value, 0);
    _PyJit_FinishInstr(b, b->next);
}

/* ----------------------------------------------------------------- comparison */

/* What a function of quiet.h says of operands: a raw 1 or 0. Leaves where it does not know. */
static JitRef
quiet_answer(JitBuilder *b, const void *function, JitRef x, JitRef y, JitRef z)
{
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef value = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, x, y);
    JitNode *n = _PyJit_At(b, value);
    n->args[2] = z;
    n->nargs = y == 0 ? 1 : 3;
    n->aux = function;
    JitRef guard = _PyJit_Node(b, JIT_GUARD_CMP_NODE, JIT_T_NONE, value, raw_const(b, 0));
    _PyJit_At(b, guard)->cond = JIT_GE;
    _PyJit_At(b, guard)->snap = snap;
    return value;
}

void
_PyJit_ReleaseBeforeJump(JitBuilder *b)
{
    if (b->nreleases > 0) {
        b->nknown = 0;
        _PyJit_OwnBorrowed(b, 1, NULL);
    }
    for (int i = 0; i < b->nreleases; i++) {
        JitRef ref = _PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, b->releases[i], 0);
        uint32_t snap = _PyJit_SnapNow(b, b->ip);
        _PyJit_At(b, ref)->snap = snap;
        _PyJit_At(b, ref)->cond = JIT_RELEASE_EARLY;
    }
    b->nreleases = 0;
    b->snap = 0;
}

static const uint8_t conds[6] = {JIT_LT, JIT_LE, JIT_EQ, JIT_NE, JIT_GT, JIT_GE};

/* An int as a double, if that is exact. */
static JitRef
exact_double(JitBuilder *b, JitRef x)
{
    const uint64_t most = (uint64_t)1 << 53;
    JitRef tag = to_int(b, x);
    if (tag == 0) {
        return 0;
    }
    if (_PyJit_At(b, tag)->op == JIT_CONST_NODE) {
        int64_t value = REG_INT(_PyJit_At(b, tag)->imm);
        return (uint64_t)value + most <= 2 * most ? to_double(b, tag, JIT_SEEN_INT) : 0;
    }
    JitRef moved = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, pure(b, JIT_UNTAG_NODE, JIT_T_RAW,
                                                                    tag), 0);
    _PyJit_At(b, moved)->imm = most;
    guard_words(b, JIT_ULE, moved, raw_const(b, 2 * most));
    return to_double(b, tag, JIT_SEEN_INT);
}

/* An operand of a comparison as a double that is equal to it. */
static JitRef
comparable_double(JitBuilder *b, JitRef x, int kind)
{
    if (kind == JIT_SEEN_FLOAT) {
        return to_double(b, x, kind);
    }
    if (kind == JIT_SEEN_INT) {
        return exact_double(b, x);
    }
    return pure_node(b, (JitNode){.op = JIT_TO_DOUBLE_NODE, .type = JIT_T_DOUBLE, .args = {x},
                                  .ip = b->ip, .cond = 1});
}

/* Operands of a comparison, both ints or both doubles: 1 ints, 2 doubles, 0 neither. */
static int
comparable(JitBuilder *b, JitRef *x, JitRef *y, int left, int right)
{
    left = kind_of_value(b, *x, left);
    right = kind_of_value(b, *y, right);
    if (left == JIT_SEEN_INT && right == JIT_SEEN_INT) {
        *x = to_int(b, *x);
        *y = *x == 0 ? 0 : to_int(b, *y);
        return *y != 0;
    }
    if (!is_number(left) || !is_number(right)) {
        return 0;
    }
    *x = comparable_double(b, *x, left);
    *y = *x == 0 ? 0 : comparable_double(b, *y, right);
    return *y != 0 ? 2 : 0;
}

/* Is it an interned str that is a constant? */
static int
is_known_str(JitBuilder *b, JitRef ref)
{
    JitNode *n = _PyJit_At(b, ref);
    return n->op == JIT_CONST_NODE && n->type != JIT_T_INT && n->imm != 0 && !REG_IS_INT(n->imm)
           && n->type != JIT_T_RAW && _PyUnicode_IsPlainInterned(REG_PTR(n->imm));
}

/* Two operands that are compared without running Python code (quiet.h): a raw 1 or 0; or 0. */
static JitRef
quiet_compare(JitBuilder *b, JitRef x, JitRef y, int op)
{
    int seen = b->kinds[b->ip];
    if (type_of(b, x) == JIT_T_DOUBLE || type_of(b, y) == JIT_T_DOUBLE
        || JIT_LEFT(seen) != JIT_SEEN_BOOL || JIT_RIGHT(seen) != JIT_SEEN_BOOL) {
        return 0;
    }
    JitRef text = is_known_str(b, y) ? y : is_known_str(b, x) ? x : 0, other = text == y ? x : y;
    if (text != 0 && (op == Py_EQ || op == Py_NE)
        && (type_of(b, other) == JIT_T_WORD || type_of(b, other) == JIT_T_OBJECT)) {
        uint32_t snap = _PyJit_SnapBefore(b);
        JitRef answer = _PyJit_Node(b, JIT_IS_STR_NODE, JIT_T_RAW, other, 0);
        JitNode *n = _PyJit_At(b, answer);
        n->imm = _PyJit_At(b, text)->imm;
        n->cond = (uint8_t)op;
        n->snap = snap;
        return answer;
    }
    return quiet_answer(b, (const void *)_PyJit_Compare, x, y, raw_const(b, (uint64_t)op));
}

static void
build_compare(JitBuilder *b, int op)
{
    const PyInstr *in = instr(b);
    int seen = b->kinds[b->ip];
    JitRef x = _PyJit_Use(b, in->b), y = _PyJit_Use(b, in->c);
    JitRef answer = b->refused[b->ip] ? 0 : quiet_compare(b, x, y, op);
    int how = answer != 0 || b->refused[b->ip]
              ? 0 : comparable(b, &x, &y, JIT_LEFT(seen), JIT_RIGHT(seen));
    if (answer != 0) {
        JitRef truth = _PyJit_Node(b, JIT_BOOL_NODE, JIT_T_OBJECT, answer, 0);
        _PyJit_At(b, truth)->cls = &PyBool_Type;
        _PyJit_Done(b, in->b);
        _PyJit_Done(b, in->c);
        _PyJit_Write(b, in->a, truth, 0);
        _PyJit_FinishInstr(b, b->next);
        return;
    }
    if (how == 0) {
        if ((b->refused[b->ip] || !build_method(b, op, 0, JIT_OF_COMPARISON, x, y, in->c))
            && !_PyJit_BuildAnyCompare(b, op)) {
            step(b);
        }
        return;
    }
    JitRef value = _PyJit_Node(b, how == 1 ? JIT_CMP_NODE : JIT_FCMP_NODE, JIT_T_OBJECT, x, y);
    _PyJit_At(b, value)->cond = conds[op];
    _PyJit_At(b, value)->cls = &PyBool_Type;
    _PyJit_Done(b, in->b);
    _PyJit_Done(b, in->c);
    _PyJit_Write(b, in->a, value, 0);
    _PyJit_FinishInstr(b, b->next);
}

/* What is compared by a method of Python's. */
static void
build_method_jump(JitBuilder *b, int number, JitRef x, JitRef y, unsigned right)
{
    int owned, op = number % 6, negated = number % 12 >= 6;
    JitRef value = b->refused[b->ip] ? 0 : _PyJit_BuildOperator(b, op, 0, JIT_TRUTH, x, y, &owned);
    if (value == 0) {
        if ((b->refused[b->ip] || !_PyJit_CallTest(b, op, negated))
            && !_PyJit_BuildAnyCompareJump(b, number)) {
            step_branch(b);
        }
        return;
    }
    _PyJit_OperatorDone(b, value, &owned, instr(b)->a, right);
    _PyJit_ReleaseBeforeJump(b);
    branch(b, negated ? JIT_EQ : JIT_NE, value, _PyJit_Const(b, REG_BOOL(0)));
}

static void
build_compare_jump(JitBuilder *b, int number)
{
    const PyInstr *in = instr(b);
    int seen = b->kinds[b->ip], immediate = number >= 12, negated = number % 12 >= 6;
    JitRef x = _PyJit_Use(b, in->a);
    JitRef y = immediate ? _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->b))
                         : _PyJit_Use(b, in->b);
    JitRef answer = immediate || b->refused[b->ip] ? 0 : quiet_compare(b, x, y, number % 6);
    if (answer != 0) {
        _PyJit_Done(b, in->a);
        _PyJit_Done(b, in->b);
        _PyJit_ReleaseBeforeJump(b);
        branch(b, negated ? JIT_EQ : JIT_NE, answer, raw_const(b, 0));
        return;
    }
    int how = b->refused[b->ip] ? 0
            : comparable(b, &x, &y, JIT_LEFT(seen), immediate ? JIT_SEEN_INT : JIT_RIGHT(seen));
    if (how == 0) {
        build_method_jump(b, number, x, y, immediate ? in->a : in->b);
        return;
    }
    JitCond cond = (JitCond)conds[number % 6];
    if (negated) {
        cond = JIT_NEGATED(cond);
    }
    _PyJit_Done(b, in->a);
    if (!immediate) {
        _PyJit_Done(b, in->b);
    }
    _PyJit_FinishInstr(b, 0);
    if (how == 1) {
        branch(b, cond, x, y);
        return;
    }
    JitRef ref = _PyJit_Node(b, JIT_FBRANCH_NODE, JIT_T_NONE, x, y);
    _PyJit_At(b, ref)->cond = (uint8_t)cond;
    /* "unless x < y" jumps when they have no order; "if x != y" does, too. */
    _PyJit_At(b, ref)->width = (uint8_t)((conds[number % 6] == JIT_NE) != negated);
    if (negated && conds[number % 6] == JIT_NE) {
        _PyJit_At(b, ref)->width = 0;
    }
    uint32_t jumps = _PyJit_EdgeTo(b, taken(b));
    _PyJit_CloseBlock(b, jumps, _PyJit_EdgeTo(b, not_taken(b)));
}

/* Where an object of this class has its length, or 0. */
static size_t
length_of(PyTypeObject *cls)
{
    return cls == &PyList_Type || cls == &PyTuple_Type ? offsetof(PyVarObject, ob_size)
         : cls == &PyUnicode_Type ? offsetof(PyASCIIObject, length)
         : cls == &PyDict_Type ? offsetof(PyDictObject, ma_used) : 0;
}

JitRef
_PyJit_TruthOf(JitBuilder *b, JitRef x, JitRef *against)
{
    int seen = JIT_LEFT(b->kinds[b->ip]), how = JIT_RIGHT(b->kinds[b->ip]);
    PyTypeObject *cls = class_of(b, x);
    if (type_of(b, x) == JIT_T_DOUBLE) {
        return 0;
    }
    if (type_of(b, x) == JIT_T_INT || (cls == NULL && seen == JIT_SEEN_INT)) {
        *against = _PyJit_Const(b, REG_FROM_INT(0));
        return to_int(b, x);
    }
    if (cls == &PyBool_Type || (cls == NULL && seen == JIT_SEEN_BOOL)) {
        *against = _PyJit_Const(b, REG_BOOL(0));
        return to_class(b, x, &PyBool_Type);
    }
    *against = raw_const(b, 0);
    if (length_of(cls) != 0) {
        return load(b, JIT_T_RAW, JIT_64, x, length_of(cls));
    }
    return how == JIT_SEEN_KNOWN ? quiet_answer(b, (const void *)_PyJit_Truth, x, 0, 0) : 0;
}

static void
build_truth_jump(JitBuilder *b, int jumps_if)
{
    const PyInstr *in = instr(b);
    JitRef against = 0, x = 0;
    if (!b->refused[b->ip]) {
        x = _PyJit_TruthOf(b, _PyJit_Use(b, in->a), &against);
    }
    if (x == 0 && !b->refused[b->ip]
        && (x = _PyJit_BuildTruthMethod(b, _PyJit_Use(b, in->a))) != 0) {
        against = _PyJit_Const(b, REG_BOOL(0));
    }
    if (x == 0) {
        if (!_PyJit_AskTruth(b, in)) {
            step_branch(b);
        }
        return;
    }
    _PyJit_Done(b, in->a);
    _PyJit_ReleaseBeforeJump(b);
    branch(b, jumps_if ? JIT_NE : JIT_EQ, x, against);
}

/* `and`, `or`: the value stays where it is, or is dropped and the block behind goes on. */
static void
build_truth_jump_or_drop(JitBuilder *b, int jumps_if)
{
    const PyInstr *in = instr(b);
    JitRef against = 0, x = b->refused[b->ip] ? 0 : _PyJit_TruthOf(b, _PyJit_Use(b, in->a),
                                                                    &against);
    if (x == 0) {
        if (!_PyJit_AskTruth(b, in)) {
            step_branch(b);
        }
        return;
    }
    JitRef ref = _PyJit_Node(b, JIT_BRANCH_NODE, JIT_T_NONE, x, against);
    _PyJit_At(b, ref)->cond = jumps_if ? JIT_NE : JIT_EQ;
    uint32_t jumps = _PyJit_EdgeTo(b, taken(b)), drops = _PyJit_AddEdge(b->g, b->block, 0);
    _PyJit_CloseBlock(b, jumps, drops);
    _PyJit_BeginBlock(b, drops);
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    jump_to(b, not_taken(b));
}

static void
build_none_jump(JitBuilder *b, JitCond cond)
{
    const PyInstr *in = instr(b);
    JitRef x = _PyJit_Use(b, in->a);
    if (type_of(b, x) == JIT_T_DOUBLE) {
        step_branch(b);
        return;
    }
    _PyJit_Done(b, in->a);
    _PyJit_ReleaseBeforeJump(b);
    branch(b, cond, x, _PyJit_Const(b, REG_NONE));
}

/* An instruction of which something was seen. Jumps end the block. */
static void
build_seen(JitBuilder *b, const PyInstr *in, int base)
{
    if (base >= OP_JUMP_IF_LT) {
        build_compare_jump(b, base - OP_JUMP_IF_LT);
    }
    else if (base >= OP_LT) {
        build_compare(b, base - OP_LT);
    }
    else if (base >= OP_NEG) {
        build_unary(b, base);
    }
    else if (base >= OP_ADDI) {
        int in_place = ((const PyCacheWord *)(in + 1))->arg & 1;
        build_constant_op(b, constant_kind(base), in_place);
    }
    else {
        build_binary(b, base >= OP_IADD ? base - OP_IADD : base - OP_ADD, base >= OP_IADD);
    }
}

int
_PyJit_BuildArith(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    switch (base) {
    case OP_JUMP_IF_TRUE: case OP_JUMP_IF_FALSE:
        build_truth_jump(b, base == OP_JUMP_IF_TRUE);
        return 0;
    case OP_JUMP_IF_TRUE_OR_DROP: case OP_JUMP_IF_FALSE_OR_DROP:
        build_truth_jump_or_drop(b, base == OP_JUMP_IF_TRUE_OR_DROP);
        return 0;
    case OP_JUMP_IF_NONE: case OP_JUMP_IF_NOT_NONE:
        build_none_jump(b, base == OP_JUMP_IF_NONE ? JIT_EQ : JIT_NE);
        return 0;
    }
    int is_binary = base >= OP_ADD && base <= OP_RSHIFTI;
    int is_jump = base >= OP_JUMP_IF_LT && base <= OP_JUMP_IF_NOT_GEI;
    if (!is_binary && !is_jump && !(base >= OP_LT && base <= OP_GE)
        && base != OP_NEG && base != OP_POS && base != OP_INVERT) {
        return -1;
    }
    if (is_binary && (_PyJit_BuildWords(b) || _PyJit_BuildComplex(b))) {
        return 1;
    }
    if (b->kinds[b->ip] != 0) {
        build_seen(b, in, base);
    }
    else if (is_jump) {
        step_branch(b);
    }
    else {
        step(b);
    }
    return !is_jump;
}

/* ------------------------------------------------------------------ variables */

PyReg
_PyJit_ConstantOf(JitBuilder *b, const PyInstr *in)
{
    if (in->op == OP_LOAD_CONST__INT) {
        return REG_FROM_INT((int64_t)in->bc);
    }
    if (in->op == OP_LOAD_CONST__NONE || in->op == OP_LOAD_CONST__RETURN_NONE) {
        return REG_NONE;
    }
    PyObject *value = PyTuple_GET_ITEM(b->code->ob.co_consts, (uint32_t)in->bc);
    int32_t number;
    return _PyCode_ImmediateInt(value, &number) ? REG_FROM_INT((int64_t)number) : (PyReg)value;
}

static void
build_load_const(JitBuilder *b, const PyInstr *in)
{
    _PyJit_Write(b, in->a, _PyJit_Const(b, _PyJit_ConstantOf(b, in)), 0);
    _PyJit_FinishInstr(b, b->next);
}

static void
build_move(JitBuilder *b, const PyInstr *in)
{
    if (in->b >= b->first_temp) {
        int owned;
        JitRef ref = _PyJit_Take(b, in->b, &owned);
        _PyJit_Write(b, in->a, ref, owned);
    }
    else {
        JitRef ref = _PyJit_Use(b, in->b);
        _PyJit_Write(b, in->a, ref, 0);
    }
    _PyJit_FinishInstr(b, b->next);
}

static void
build_copy(JitBuilder *b, const PyInstr *in)
{
    JitRef ref = _PyJit_Use(b, in->b);
    int counts = _PyJit_MayCount(b, ref);
    if (counts) {
        incref(b, ref);
    }
    _PyJit_Write(b, in->a, ref, counts);
    _PyJit_FinishInstr(b, b->next);
}

static void
build_check_bound(JitBuilder *b, const PyInstr *in)
{
    JitRef ref = _PyJit_Use(b, in->a);
    JitNode *n = _PyJit_At(b, ref);
    if (n->op == JIT_CONST_NODE && n->imm == 0) {
        step(b);                /* raises */
        return;
    }
    if (n->op == JIT_LOAD_REG_NODE || n->op == JIT_PHI_NODE) {
        guard_words(b, JIT_NE, ref, raw_const(b, 0));
    }
    _PyJit_FinishInstr(b, b->next);
}

static JitRef
func_field(JitBuilder *b, size_t offset)
{
    return load(b, JIT_T_RAW, JIT_64, frame_function(b), offset);
}

static int
is_of_builtins(const PyInstr *in)
{
    return in->op == OP_LOAD_GLOBAL__BUILTIN || in->op == OP_LOAD_NAME__BUILTIN;
}

static int
is_of_module(const PyInstr *in)
{
    return in->op == OP_LOAD_GLOBAL__MODULE || in->op == OP_LOAD_NAME__MODULE
           || in->op == OP_STORE_GLOBAL__MODULE || in->op == OP_STORE_NAME__MODULE;
}

/* What a global is now, and how far behind the dict's table; NULL: it is not cached. */
PyObject *
_PyJit_GlobalNow(JitBuilder *b, uint32_t ip, size_t *at)
{
    const PyInstr *in = &b->code->code[ip];
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    int is_builtin = is_of_builtins(in);
    if (!is_builtin && !is_of_module(in)) {
        return NULL;
    }
    PyFunctionObject *func = running_function(b);
    struct _dictkeysobject *table = ((PyDictObject *)(is_builtin ? func->func_builtins
                                                                 : func->func_globals))->ma_keys;
    if (table->version != (is_builtin ? cache[1].version2 : cache[1].version)) {
        return NULL;
    }
    PyObject **place = &_PyDictKeys_UnicodeEntries(table)[cache[2].word].value;
    *at = (size_t)((char *)place - (char *)table);
    return *place;
}

/* The dict of globals, which must be that of local variables, too, for names of a module's body. */
static JitRef
globals_of(JitBuilder *b, const PyInstr *in)
{
    JitRef dict = func_field(b, offsetof(PyFunctionObject, func_globals));
    int base = _PyOpcode_Info[in->op].base;
    if (base == OP_LOAD_NAME || base == OP_STORE_NAME) {
        guard_words(b, JIT_EQ, pure(b, JIT_LOCALS_NODE, JIT_T_RAW, 0), dict);
    }
    return dict;
}

/* The table of a dict, if its keys still have this version. */
static JitRef
table_of(JitBuilder *b, JitRef dict, uint32_t version)
{
    JitRef keys = load(b, JIT_T_RAW, JIT_64, dict, offsetof(PyDictObject, ma_keys));
    guard_mem(b, JIT_32, keys, offsetof(struct _dictkeysobject, version), version);
    return keys;
}

/* A global or a builtin, by the versions of the dicts' keys. A version belongs to one table, so
   the entry's place is a constant. */
JitRef
_PyJit_Global(JitBuilder *b, uint32_t ip)
{
    const PyInstr *in = &b->code->code[ip];
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    size_t at = 0;
    PyObject *now = _PyJit_GlobalNow(b, ip, &at);
    if (now == NULL) {
        return 0;
    }
    JitRef keys = table_of(b, globals_of(b, in), cache[1].version);
    if (is_of_builtins(in)) {
        JitRef dict = func_field(b, offsetof(PyFunctionObject, func_builtins));
        guard_mem(b, JIT_64, dict, offsetof(PyObject, ob_type), (uint64_t)&PyDict_Type);
        keys = table_of(b, dict, cache[1].version2);
    }
    JitRef value = load(b, JIT_T_OBJECT, JIT_64, keys, at);
    _PyJit_At(b, value)->aux = now;
    return value;
}

static void
build_load_global(JitBuilder *b, const PyInstr *in)
{
    JitRef value = b->refused[b->ip] ? 0 : _PyJit_Global(b, b->ip);
    if (value == 0) {
        step(b);
        return;
    }
    _PyJit_Write(b, in->a, value, 0);
    _PyJit_FinishInstr(b, b->next);
}

/* Another value for a global that is there. */
static void
build_store_global(JitBuilder *b, const PyInstr *in)
{
    size_t at = 0;
    if (b->refused[b->ip] || _PyJit_GlobalNow(b, b->ip, &at) == NULL) {
        step(b);
        return;
    }
    JitRef value = _PyJit_Use(b, in->a);
    JitRef dict = globals_of(b, in);
    JitRef keys = table_of(b, dict, ((const PyCacheWord *)(in + 1))[1].version);
    if (kind_of_value(b, value, JIT_SEEN_OTHER) == JIT_SEEN_OTHER) {
        /* The collector knows the dict, whatever is stored. */
        JitRef tracked = load(b, JIT_T_RAW, JIT_64, dict, (size_t)-(int)sizeof(PyGC_Head));
        guard_words(b, JIT_NE, tracked, raw_const(b, 0));
    }
    JitRef old = load(b, JIT_T_OBJECT, JIT_64, keys, at);
    _PyJit_GuardQuiet(b, old);
    _PyJit_OwnBorrowed(b, 0, class_of(b, old));
    value = _PyJit_TakeObject(b, in->a, value, old);
    store(b, JIT_64, keys, at, value);
    JitRef counter = raw_const(b, (uint64_t)&_PyDict_version_counter);
    JitRef count = load(b, JIT_T_RAW, JIT_64, counter, 0);
    JitRef tag = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, count, 0);
    _PyJit_At(b, tag)->imm = 1;
    store(b, JIT_64, counter, 0, tag);
    store(b, JIT_64, dict, offsetof(PyDictObject, ma_version_tag), tag);
    _PyJit_GiveUp(b, old, 1);
    _PyJit_FinishInstr(b, b->next);
}

/* ---------------------------------------------------------------------- loops */

static void
build_for_range(JitBuilder *b, const PyInstr *in)
{
    JitRef it = to_class(b, _PyJit_Use(b, in->a), &PyRangeIter_Type);
    if (it == 0) {
        step_branch(b);
        return;
    }
    JitRef left = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyRangeIterObject, left));
    uint32_t rare;
    branch_within(b, JIT_LE, left, raw_const(b, 0), &rare);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return;
    }
    JitRef value = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyRangeIterObject, next));
    JitRef tag = guarded(b, JIT_TAG_NODE, JIT_T_INT, value, 0);
    JitRef by = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyRangeIterObject, step));
    JitRef next = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, value, by);
    store(b, JIT_64, it, offsetof(_PyRangeIterObject, next), next);
    JitRef fewer = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, left, 0);
    _PyJit_At(b, fewer)->imm = (uint64_t)-1;
    store(b, JIT_64, it, offsetof(_PyRangeIterObject, left), fewer);
    JitRef count = _PyJit_Node(b, JIT_ADD_MEM_NODE, JIT_T_NONE, it, 0);
    _PyJit_At(b, count)->imm = offsetof(_PyRangeIterObject, done);
    _PyJit_At(b, count)->width = JIT_64;
    _PyJit_At(b, count)->cond = 1;
    _PyJit_Write(b, in->b, tag, 0);
    _PyJit_FinishInstr(b, b->next);
    jump_to(b, not_taken(b));
    build_loop_end(b, in, rare, at_end);
}

/* -------------------------------------------------------------------- returns */

/* Generators end in a way of their own, and module and class bodies have a mapping to drop. */
static int
returns_plainly(JitBuilder *b)
{
    return !b->code->is_generator && (b->code->ob.co_flags & CO_OPTIMIZED);
}

/* Is the frame popped by C? A generator's always is, and those of functions that catch exceptions:
   tracebacks hold them. */
static inline int
returns_by_c(JitBuilder *b, uint32_t ip)
{
    return b->code->is_generator
           || ((b->code->ob.co_flags & CO_OPTIMIZED)
               && (b->refused[ip] || (JIT_LEFT(b->kinds[ip]) & JIT_SEEN_FRAME)));
}

/* If somebody holds the frame, its variables outlive it: the interpreter moves them. It executes
   the RETURN at `ip`. */
static void
guard_unseen(JitBuilder *b, uint32_t ip)
{
    uint32_t snap = _PyJit_SnapNow(b, ip);
    JitRef guard = _PyJit_Node(b, JIT_GUARD_UNSEEN_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, guard)->snap = snap;
}

static void
build_return(JitBuilder *b, JitRef value, int owned, unsigned reg)
{
    int releases = JIT_RETURN_AT_ONCE;
    if (type_of(b, value) == JIT_T_DOUBLE) {
        value = box(b, value, 0);
        owned = 1;
    }
    /* The variable that is returned gives its reference away. */
    JitSlot *slot = &b->slots[reg];
    int gives = reg < b->first_temp && !slot->dirty && slot->memptr && slot->ref == value
                && type_of(b, value) != JIT_T_INT;
    if (!owned && !gives) {
        incref_counted(b, value);
    }
    for (unsigned r = 0; r < b->first_temp; r++) {
        slot = &b->slots[r];
        if (!slot->memptr) {
            continue;
        }
        JitRef old = slot->ref != 0 && _PyJit_At(b, slot->ref)->type == JIT_T_OBJECT
            ? slot->ref : 0;
        if (old == 0 && !(gives && r == reg)) {
            old = load_word(b, JIT_T_WORD, r);
        }
        store_word(b, r, _PyJit_Const(b, 0));
        if (!(gives && r == reg)) {
            JitRef release = _PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, old, 0);
            _PyJit_At(b, release)->cond = JIT_RELEASE_LEAVING;
            releases = JIT_RETURN_RELEASES;
        }
    }
    JitRef end = _PyJit_Node(b, JIT_RETURN_NODE, JIT_T_NONE, value, 0);
    _PyJit_At(b, end)->cond = (uint8_t)releases;
    _PyJit_CloseBlock(b, 0, 0);
}

/* ---------------------------------------------------------------------- calls */

static void
build_call(JitBuilder *b, const PyInstr *in)
{
    if (b->refused[b->ip] & JIT_REFUSED_AGAIN
        || ((b->refused[b->ip] || !_PyJit_BuildSuperMethod(b, in))
            && (b->refused[b->ip] || !_PyJit_CallObject(b, in->a, in->b, in->c))
            && !_PyJit_BuildCall(b, in))) {
        step(b);
    }
}

/* --------------------------------------------------------------- instructions */

int
_PyJit_BuildInstruction(JitBuilder *b)
{
    const PyInstr *in = instr(b);
    int op = in->op, base = _PyOpcode_Info[op].base;
    int known = _PyJit_BuildArith(b, in);
    if (known >= 0) {
        return known;
    }
    switch (base) {
    case OP_NOP:
        return 1;
    case OP_RESUME:
        if (in->a < 2) {
            (void)guarded(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
        }
        return 1;
    case OP_LOAD_CONST:
        build_load_const(b, in);
        if (op == OP_LOAD_CONST__RETURN_NONE) {
            int owned;
            int by_c = returns_by_c(b, b->ip) || returns_by_c(b, b->ip + 1);
            if (!by_c && returns_plainly(b)) {
                guard_unseen(b, b->ip + 1);
            }
            JitRef value = _PyJit_Take(b, in->a, &owned);
            if (by_c) {
                _PyJit_Write(b, in->a, value, owned);
                b->ip++;
                _PyJit_BuildReturnByC(b, in->a);
                return 0;
            }
            if (!returns_plainly(b)) {
                _PyJit_Write(b, in->a, value, owned);
                b->ip++;
                step_end(b);
                return 0;
            }
            build_return(b, value, owned, in->a);
            return 0;
        }
        return 1;
    case OP_MOVE:
        build_move(b, in);      /* also OP_MOVE__BOXED, which saves boxing a second time */
        return 1;
    case OP_KEYWORDS:           /* of a dict, which is handed on */
        if (b->refused[b->ip] || to_class(b, _PyJit_Use(b, in->b), &PyDict_Type) == 0) {
            step(b);
            return 1;
        }
        build_move(b, in);
        return 1;
    case OP_COPY:
        build_copy(b, in);
        return 1;
    case OP_DROP:
        _PyJit_Done(b, in->a);
        _PyJit_FinishInstr(b, b->next);
        return 1;
    case OP_CHECK_BOUND:
        build_check_bound(b, in);
        return 1;
    case OP_LOAD_GLOBAL: case OP_LOAD_NAME:
        build_load_global(b, in);
        return 1;
    case OP_STORE_GLOBAL: case OP_STORE_NAME:
        build_store_global(b, in);
        return 1;
    case OP_JUMP:
        jump_to(b, taken(b));
        return 0;
    case OP_JUMP_BACK:
        (void)guarded(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
        jump_to(b, taken(b));
        return 0;
    case OP_FOR_ITER:
        if (op == OP_FOR_ITER__RANGE && !b->refused[b->ip]) {
            build_for_range(b, in);
        }
        else if (b->refused[b->ip]
                 || (!_PyJit_BuildForItems(b, in) && !_PyJit_BuildForIter(b, in))) {
            step_branch(b);
        }
        return 0;
    case OP_CALL:
        build_call(b, in);
        return 1;
    case OP_LOAD_SUBSCR: case OP_LOAD_SUBSCRI: case OP_STORE_SUBSCR: case OP_UNPACK_SEQUENCE:
    case OP_UNPACK_LOCALS:
        if ((b->refused[b->ip] || !_PyJit_BuildItem(b, in)) && !_PyJit_BuildAnyItem(b, in)) {
            step(b);
        }
        return 1;
    case OP_GET_ITER:
        if (b->refused[b->ip] || (!_PyJit_BuildComprehension(b, in)
                                  && !_PyJit_BuildGetIter(b, in))) {
            step(b);
        }
        return 1;
    case OP_BUILD_TUPLE: case OP_BUILD_LIST:
        if (base == OP_BUILD_TUPLE) {
            int built = _PyJit_BuildTupleKey(b, in);
            if (built != 0 || _PyJit_BuildUnmade(b, in)) {
                return built >= 0;
            }
        }
        if (!_PyJit_BuildDisplay(b, in)) {
            step(b);
        }
        return 1;
    case OP_IN: case OP_NOT_IN:
        if ((b->refused[b->ip] || (!_PyJit_CallContains(b, in) && !_PyJit_BuildIn(b, in)))
            && !_PyJit_AskContains(b, in)) {
            step(b);
        }
        return 1;
    case OP_JUMP_IF_IN: case OP_JUMP_IF_NOT_IN:
        if ((b->refused[b->ip] || (!_PyJit_CallContains(b, in) && !_PyJit_BuildIn(b, in)))
            && !_PyJit_AskContains(b, in)) {
            step_branch(b);
        }
        return 0;
    case OP_LOAD_ATTR: case OP_STORE_ATTR: case OP_LOAD_METHOD:
        if (!_PyJit_BuildAttr(b, in)) {
            step(b);
        }
        return 1;
    case OP_CALL_EX:
        if (!_PyJit_BuildCallEx(b, in)) {
            step(b);
        }
        return 1;
    case OP_CALL_KW:
        if (!_PyJit_BuildCall(b, in)) {
            step(b);
        }
        return 1;
    case OP_CALL_METHOD: case OP_CALL_METHOD_KW:
        if (!_PyJit_BuildCallMethod(b, in)) {
            step(b);
        }
        return 1;
    case OP_NOT:
        if ((b->refused[b->ip] || !_PyJit_BuildScope(b, in)) && !_PyJit_AskTruth(b, in)) {
            step(b);
        }
        return 1;
    case OP_LOAD_DEREF: case OP_LOAD_FREE: case OP_IS: case OP_IS_NOT:
        if (b->refused[b->ip] || !_PyJit_BuildScope(b, in)) {
            step(b);
        }
        return 1;
    case OP_JUMP_IF_IS: case OP_JUMP_IF_IS_NOT:
        if (b->refused[b->ip] || !_PyJit_BuildIsJump(b, in)) {
            step_branch(b);
        }
        return 0;
    case OP_RETURN: {
        if (returns_by_c(b, b->ip)) {
            _PyJit_BuildReturnByC(b, in->a);
            return 0;
        }
        if (!returns_plainly(b)) {
            step_end(b);
            return 0;
        }
        int owned;
        guard_unseen(b, b->ip);
        JitRef value = _PyJit_Take(b, in->a, &owned);
        build_return(b, value, owned, in->a);
        return 0;
    }
    case OP_YIELD_VALUE: case OP_YIELD_FROM_VALUE:
        _PyJit_BuildYield(b, in);
        return 0;
    case OP_GET_AWAITABLE:
        if (b->refused[b->ip] || !_PyJit_BuildAwaitable(b, in)) {
            step(b);
        }
        return 1;
    case OP_GET_YIELD_FROM_ITER:
        if (b->refused[b->ip] || !_PyJit_BuildYieldFrom(b, in)) {
            step(b);
        }
        return 1;
    case OP_GET_ANEXT:
        return _PyJit_BuildAnext(b, in);
    case OP_ASYNC_GEN_WRAP:
        _PyJit_BuildWrap(b, in);
        return 1;
    case OP_SEND:
        if (b->refused[b->ip] || !_PyJit_BuildSend(b, in)) {
            step_branch(b);
        }
        return 0;
    case OP_LIST_APPEND: case OP_SET_ADD: case OP_MAP_ADD:
        if (b->refused[b->ip] || !_PyJit_BuildAdd(b, in)) {
            step(b);
        }
        return 1;
    case OP_RAISE: case OP_RERAISE: case OP_RETURN_GENERATOR:
        step_end(b);
        return 0;
    case OP_JUMP_IF_NO_EXC_MATCH:
        if (!_PyJit_BuildMatchJump(b, in)) {
            step_branch(b);
        }
        return 0;
    default:
        if (_PyJit_JumpTarget(b->code, b->ip) != 0) {
            step_branch(b);
            return 0;
        }
        if (!(base == OP_MAKE_FUNCTION && _PyJit_BuildUnmade(b, in))
            && !_PyJit_BuildValue(b, in)) {
            step(b);
        }
        return 1;
    }
}

static void
build_source(JitBuilder *b, uint32_t number)
{
    JitSource *source = &b->sources[number];
    b->source = number;
    if (source->start == _PyJit_EntryOf(b->code)) {
        /* Calls from machine code come here without a RESUME. */
        b->ip = source->start;
        (void)guarded(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
    }
    if (source->is_cold) {
        b->ip = source->start;
        JitRef ref = _PyJit_Node(b, JIT_LEAVE_NODE, JIT_T_NONE, 0, 0);
        _PyJit_At(b, ref)->snap = _PyJit_SnapBefore(b);
        _PyJit_CloseBlock(b, 0, 0);
        return;
    }
    for (uint32_t ip = source->start; ip < source->end && !b->g->failed; ip = b->next) {
        b->ip = ip;
        b->next = ip + 1 + _PyOpcode_Info[b->code->code[ip].op].cache;
        b->snap = 0;
        if (!_PyJit_BuildInstruction(b)) {
            return;
        }
    }
    jump_to(b, b->source_at[source->end]);
}

/* Everything that a second beginning must find empty. */
static JitGraph *
try_build(PyVMCode *code, PyFunctionObject *func, const uint8_t *kinds, const uint8_t *refused,
          const uint8_t *outside, JitBuilder *b, JitSource *earlier)
{
    JitGraph *g = _PyJit_NewGraph(code, func);
    if (g == NULL) {
        return NULL;
    }
    g->kinds = kinds;
    g->has_records = _PyJit_ShowsScopes && _PyThreadState_GET()->interp->shown_hook != NULL;
    const PyJitCode *jit = code->jit;
    int is_whole = earlier != NULL ? b->is_whole : 0;
    *b = (JitBuilder){.g = g, .code = code, .kinds = kinds, .refused = refused,
                      .nregs = code->nregs, .first_temp = code->first_temp,
                      .earlier = earlier, .is_whole = is_whole,
                      .operands = jit->operands,
                      .counts = jit->versions == 0 && _PyJit_Enabled == JIT_ON ? jit->counts
                                                                               : NULL};
    _PyJit_AllocBlocks(g, code->ninstr * 4 + 16 + JIT_INLINED_BLOCKS);
    b->edge_releases = _PyJit_Alloc(g, b->nregs * sizeof(JitRef));
    if (g->failed || _PyJit_FindBlocks(b, outside) < 0) {
        _PyJit_FreeGraph(g);
        return NULL;
    }
    for (uint32_t i = 1; earlier != NULL && i < b->nsources; i++) {
        if (earlier[i].widen != NULL && b->sources[i].widen != NULL) {
            memcpy(b->sources[i].widen, earlier[i].widen, b->nregs * sizeof(JitSlot));
        }
    }
    for (uint32_t i = 0; i < b->norder && !g->failed && !b->restart; i++) {
        if (_PyJit_BeginSource(b, b->order[i])) {
            build_source(b, b->order[i]);
        }
    }
    if (!b->restart && !g->failed) {
        (void)_PyJit_CloseLoops(b);
    }
    return g;
}

/* Where the function is entered, there is to be room for all frames that it calls. */
static void
settle_room(JitGraph *g)
{
    int highest = -1;
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        JitNode *n = &g->nodes[ref];
        if (n->op == JIT_CALL_FUNCTION_NODE && n->reg > highest) {
            highest = n->reg;
        }
    }
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        JitNode *n = &g->nodes[ref];
        if (n->op == JIT_GUARD_ROOM_NODE) {
            n->reg = (uint16_t)(highest < 0 ? 0 : highest);
            n->op = highest < 0 ? JIT_NONE_NODE : n->op;
            n->snap = highest < 0 ? 0 : n->snap;
        }
    }
}

/* How often a loop's registers may be widened before it is given up. */
#define MOST_RESTARTS 30

/* What a try has found out about loops, for the next one, whose graph takes the memory of this
   one's. There may be more sources than now: twice as many at most. NULL: no memory. */
static JitSource *
lessons_of(const JitBuilder *b)
{
    size_t nheaders = 0, widen = b->nregs * sizeof(JitSlot);
    for (uint32_t i = 1; i < b->nsources; i++) {
        nheaders += b->sources[i].widen != NULL;
    }
    size_t sources = 2 * b->nsources * sizeof(JitSource);
    JitSource *lessons = PyMem_RawCalloc(1, sources + nheaders * widen);
    char *at = (char *)lessons + sources;
    for (uint32_t i = 1; lessons != NULL && i < b->nsources; i++) {
        lessons[i].want_first = b->sources[i].want_first;
        if (b->sources[i].widen != NULL) {
            lessons[i].widen = memcpy(at, b->sources[i].widen, widen);
            at += widen;
        }
    }
    return lessons;
}

JitGraph *
_PyJit_Build(PyVMCode *code, PyFunctionObject *func, const uint8_t *kinds,
             const uint8_t *refused, const uint8_t *outside)
{
    JitBuilder b;
    JitSource *earlier = NULL;
    for (int tries = 0; tries < MOST_RESTARTS; tries++) {
        JitGraph *g = try_build(code, func, kinds, refused, outside, &b, earlier);
        PyMem_RawFree(earlier);
        earlier = NULL;
        if (g == NULL) {
            break;
        }
        if (!g->failed && !b.restart) {
            settle_room(g);
            return g;
        }
        earlier = g->failed ? NULL : lessons_of(&b);
        _PyJit_FreeGraph(g);
        if (earlier == NULL) {
            break;
        }
    }
    PyMem_RawFree(earlier);
    return NULL;
}
