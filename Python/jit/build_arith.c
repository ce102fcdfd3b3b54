/* Arithmetic, comparisons and truth: of ints and doubles as nodes of their own, of other values
   that can be asked quietly by a call (quiet.h), of Python's classes by their methods
   (build_calls.c, build_methods.c). */
#include "build_ops.h"
#include "quiet.h"
#include "internal/unicode.h"
#include "internal/dict.h"
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
    ref = raw_op(b, JIT_AND, ref, raw_const(b, distance & (0 - distance)));
    ref = raw_op(b, JIT_SHR, ref, raw_const(b, (uint64_t)__builtin_ctzll(distance) - 1));
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
    _PyJit_WriteValue(b, in->a, value, owned);
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
    _PyJit_WriteValue(b, in->a, value, 0);
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
    _PyJit_WriteValue(b, in->a, value, 0);
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
    _PyJit_WriteValue(b, in->a, value, owned);
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
    _PyJit_WriteValue(b, in->a, value, 0);
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
    guard_answer(b, JIT_GE, value, snap);
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
    guard_compare(b, JIT_ULE, moved, 2 * most);
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
        _PyJit_WriteValue(b, in->a, truth, 0);
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
    _PyJit_WriteValue(b, in->a, value, 0);
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
place_of_length(PyTypeObject *cls)
{
    return cls == &PyList_Type || cls == &PyTuple_Type ? offsetof(PyVarObject, ob_size)
         : cls == &PyUnicode_Type ? offsetof(PyASCIIObject, length)
         : cls == &PyDict_Type ? offsetof(PyDictObject, ma_used) : 0;
}

JitRef
_PyJit_LengthOf(JitBuilder *b, JitRef x, PyTypeObject *cls)
{
    size_t at = place_of_length(cls);
    if (at == 0) {
        return 0;
    }
    if (cls == &PyUnicode_Type && _PyJit_At(b, x)->op != JIT_CONST_NODE) {
        JitRef state = load(b, JIT_T_RAW, JIT_32, x, offsetof(PyASCIIObject, state));
        guard_compare(b, JIT_NE, raw_op(b, JIT_AND, state, raw_const(b, JIT_STR_READY)), 0);
    }
    return load(b, JIT_T_RAW, JIT_64, x, at);
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
    JitRef length = _PyJit_LengthOf(b, x, cls);
    if (length != 0) {
        return length;
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
