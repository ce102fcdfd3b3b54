/* Complex numbers: two doubles each.

   An expression of complex numbers is built as a whole, as that of long ints is (build_ints.c):
   its operands are taken apart, and only its value becomes an object. All guards leave to the
   first instruction. A number of another kind counts as one whose imaginary part is 0.0, which
   is computed with, because it may turn a zero's sign or make a NaN, as in C (complex.c). */
#include "build_ops.h"
#include "quiet.h"
#include <math.h>

#define MOST_INSTRS 16
#define MOST_POWER 8

static JitRef
operation(JitBuilder *b, JitNodeOp op, JitRef x, JitRef y)
{
    return op == JIT_FDIV_NODE ? guarded(b, op, JIT_T_DOUBLE, x, y)
                               : _PyJit_Node(b, op, JIT_T_DOUBLE, x, y);
}

static JitComplex
number(JitBuilder *b, double re, double im)
{
    return (JitComplex){double_const(b, re), double_const(b, im), 1};
}

/* saw_complex: an operand that was no int and no float was complex. */
JitComplex
_PyJit_Parts(JitBuilder *b, JitRef ref, int seen, int saw_complex)
{
    seen = kind_of_value(b, ref, seen);
    if (seen == JIT_SEEN_INT || seen == JIT_SEEN_FLOAT) {
        JitRef re = to_double(b, ref, seen);
        return (JitComplex){re, re == 0 ? 0 : double_const(b, 0.0), 0};
    }
    int is_complex = class_of(b, ref) == &PyComplex_Type;
    if (!is_complex && (!saw_complex || seen != JIT_SEEN_OTHER || class_of(b, ref) != NULL)) {
        return (JitComplex){0};
    }
    if (_PyJit_At(b, ref)->op == JIT_CONST_NODE) {
        Py_complex value = ((PyComplexObject *)REG_PTR(_PyJit_At(b, ref)->imm))->cval;
        return number(b, value.real, value.imag);
    }
    ref = to_class(b, ref, &PyComplex_Type);
    if (ref == 0) {
        return (JitComplex){0};
    }
    size_t re = offsetof(PyComplexObject, cval.real), im = offsetof(PyComplexObject, cval.imag);
    return (JitComplex){load(b, JIT_T_DOUBLE, JIT_64, ref, re),
                        load(b, JIT_T_DOUBLE, JIT_64, ref, im), 1};
}

JitRef
_PyJit_AbsOfComplex(JitBuilder *b, JitComplex x)
{
    JitRef size = call_double(b, (const void *)hypot, x.re, x.im);
    guard_doubles(b, JIT_LE, size, double_const(b, DBL_MAX));
    return size;
}

JitRef
_PyJit_BoxComplex(JitBuilder *b, JitRef re, JitRef im, JitRef old)
{
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef value = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_OBJECT, re, im);
    JitNode *n = _PyJit_At(b, value);
    n->args[2] = old;
    n->nargs = old != 0 ? 3 : 2;
    n->aux = old != 0 ? (const void *)_PyJit_ComplexAgain : (const void *)_PyJit_ComplexOf;
    guard_answer(b, JIT_NE, value, snap);
    _PyJit_At(b, value)->cls = &PyComplex_Type;
    return value;
}

/* ------------------------------------------------------------------ operations */

static JitComplex
sum(JitBuilder *b, JitNodeOp op, JitComplex x, JitComplex y)
{
    return (JitComplex){operation(b, op, x.re, y.re), operation(b, op, x.im, y.im), 1};
}

static JitComplex
product(JitBuilder *b, JitComplex x, JitComplex y)
{
    JitRef rr = operation(b, JIT_FMUL_NODE, x.re, y.re);
    JitRef ii = operation(b, JIT_FMUL_NODE, x.im, y.im);
    JitRef ri = operation(b, JIT_FMUL_NODE, x.re, y.im);
    JitRef ir = operation(b, JIT_FMUL_NODE, x.im, y.re);
    return (JitComplex){operation(b, JIT_FSUB_NODE, rr, ii),
                        operation(b, JIT_FADD_NODE, ri, ir), 1};
}

/* By a number that is not complex: the imaginary part of y is less than the other one. */
static JitComplex
quotient(JitBuilder *b, JitComplex x, JitComplex y)
{
    JitRef size = _PyJit_Node(b, JIT_FABS_NODE, JIT_T_DOUBLE, y.re, 0);
    guard_doubles(b, JIT_GT, size, double_const(b, 0.0));
    JitRef ratio = operation(b, JIT_FDIV_NODE, y.im, y.re);
    JitRef scale = operation(b, JIT_FADD_NODE, y.re, operation(b, JIT_FMUL_NODE, y.im, ratio));
    JitRef re = operation(b, JIT_FADD_NODE, x.re, operation(b, JIT_FMUL_NODE, x.im, ratio));
    JitRef im = operation(b, JIT_FSUB_NODE, x.im, operation(b, JIT_FMUL_NODE, x.re, ratio));
    return (JitComplex){operation(b, JIT_FDIV_NODE, re, scale),
                        operation(b, JIT_FDIV_NODE, im, scale), 1};
}

/* By a constant that is a small int: in the same steps as integer_power(). */
static JitComplex
power(JitBuilder *b, JitComplex x, JitComplex y)
{
    JitNode *n = _PyJit_At(b, y.re);
    double exponent = 0.0;
    if (!y.is_complex && n->op == JIT_DOUBLE_NODE) {
        memcpy(&exponent, &n->imm, sizeof(exponent));
    }
    if (exponent < 1.0 || exponent > MOST_POWER || exponent != floor(exponent)) {
        return (JitComplex){0};
    }
    JitComplex result = number(b, 1.0, 0.0);
    for (unsigned left = (unsigned)exponent; left != 0; left >>= 1) {
        if (left & 1) {
            result = product(b, result, x);
        }
        x = left > 1 ? product(b, x, x) : x;
    }
    guard_finite(b, result.re);
    guard_finite(b, result.im);
    return result;
}

static JitComplex
arithmetic(JitBuilder *b, int kind, JitComplex x, JitComplex y)
{
    if (x.re == 0 || y.re == 0 || !(x.is_complex || y.is_complex)) {
        return (JitComplex){0};
    }
    switch (kind) {
    case K_ADD: return sum(b, JIT_FADD_NODE, x, y);
    case K_SUB: return sum(b, JIT_FSUB_NODE, x, y);
    case K_MUL: return product(b, x, y);
    case K_TRUEDIV: return y.is_complex ? (JitComplex){0} : quotient(b, x, y);
    case K_POW: return power(b, x, y);
    default: return (JitComplex){0};
    }
}

/* ----------------------------------------------------------------- expressions */

typedef struct {
    JitBuilder *b;
    struct {
        unsigned reg;
        JitComplex value;
    } held[MOST_INSTRS];        /* registers that the expression has written */
    unsigned nheld;
    unsigned given[2 * MOST_INSTRS], ngiven;    /* temporaries that it has read */
    /* As far as it goes: */
    uint32_t last, end;
    unsigned dest, nused;
    JitComplex root;
} Expression;

static JitComplex
operand(Expression *e, unsigned reg, int seen, int saw_complex)
{
    JitBuilder *b = e->b;
    for (unsigned i = 0; i < e->nheld; i++) {
        if (e->held[i].reg == reg) {
            JitComplex value = e->held[i].value;
            if (reg >= b->first_temp) {
                e->held[i] = e->held[--e->nheld];
            }
            return value;
        }
    }
    if (reg >= b->first_temp) {
        e->given[e->ngiven++] = reg;
    }
    return _PyJit_Parts(b, _PyJit_Use(b, reg), seen, saw_complex);
}

static void
hold(Expression *e, unsigned reg, JitComplex value)
{
    e->held[e->nheld].reg = reg;
    e->held[e->nheld++].value = value;
}

/* A constant that an operation further on wants. */
static int
follow_constant(Expression *e, const PyInstr *in)
{
    JitBuilder *b = e->b;
    if (in->a < b->first_temp || in->op == OP_LOAD_CONST__NONE
        || in->op == OP_LOAD_CONST__RETURN_NONE) {
        return 0;
    }
    JitRef constant = _PyJit_Const(b, in->op == OP_LOAD_CONST__INT
        ? REG_FROM_INT((int64_t)in->bc)
        : (PyReg)PyTuple_GET_ITEM(b->code->ob.co_consts, (uint32_t)in->bc));
    JitComplex value = _PyJit_Parts(b, constant, 0, 0);
    if (value.re != 0) {
        hold(e, in->a, value);
    }
    return value.re != 0;
}

/* Follows an instruction. 0: the expression has no place for it. */
static int
follow(Expression *e, uint32_t ip)
{
    JitBuilder *b = e->b;
    const PyInstr *in = &b->code->code[ip];
    int base = _PyOpcode_Info[in->op].base, seen = b->kinds[ip];
    if (base == OP_LOAD_CONST) {
        return follow_constant(e, in);
    }
    int is_binary = base >= OP_ADD && base <= OP_IXOR;
    int is_constant = base >= OP_ADDI && base <= OP_RSHIFTI;
    int saw_complex = b->operands != NULL && b->operands[ip].left == JIT_OPERAND_COMPLEX;
    if ((!is_binary && !is_constant) || !saw_complex || b->refused[ip]
        || (is_binary && in->b == in->c && in->b >= b->first_temp)) {
        return 0;
    }
    int kind = is_constant ? constant_kind(base)
             : base >= OP_IADD ? base - OP_IADD : base - OP_ADD;
    JitComplex x = operand(e, in->b, JIT_LEFT(seen), saw_complex);
    JitComplex y = x.re == 0 ? (JitComplex){0}
        : is_binary ? operand(e, in->c, JIT_RIGHT(seen), saw_complex)
        : (JitComplex){double_const(b, (double)(int16_t)in->c), double_const(b, 0.0), 0};
    JitComplex value = arithmetic(b, kind, x, y);
    if (value.re != 0) {
        hold(e, in->a, value);
    }
    return value.re != 0;
}

/* How far the expression goes that begins with the running instruction: 0 if it is none. */
static int
find_end(Expression *e)
{
    JitBuilder *b = e->b;
    uint32_t ip = b->ip;
    for (int i = 0; i < MOST_INSTRS && ip < b->code->ninstr; i++) {
        if ((ip != b->ip && b->source_at[ip] != 0) || !follow(e, ip)) {
            break;
        }
        const PyInstr *in = &b->code->code[ip];
        uint32_t next = ip + 1u + _PyOpcode_Info[in->op].cache;
        if (_PyOpcode_Info[in->op].base != OP_LOAD_CONST) {
            if (e->nheld == 1) {
                e->last = ip;
                e->end = next;
                e->dest = in->a;
                e->root = e->held[0].value;
                e->nused = e->ngiven;
            }
            if (in->a < b->first_temp) {
                break;          /* a variable ends it */
            }
        }
        ip = next;
    }
    return e->end != 0;
}

/* The object that the result may be written into, if nobody else refers to it: what the variable
   holds, unless it is lent. Or 0. */
static JitRef
replaced(JitBuilder *b, unsigned dest)
{
    JitSlot *slot = &b->slots[dest];
    if (dest >= b->first_temp || b->inlined != NULL || slot->ref == 0 || slot->dirty
        || !slot->memptr || class_of(b, slot->ref) != &PyComplex_Type
        || _PyJit_At(b, slot->ref)->op == JIT_CONST_NODE) {
        return 0;
    }
    for (unsigned r = 0; r < b->nregs; r++) {
        if (r != dest && b->slots[r].ref == slot->ref && b->slots[r].dirty && !b->slots[r].owned) {
            return 0;
        }
    }
    return slot->ref;
}

int
_PyJit_BuildComplex(JitBuilder *b)
{
    Expression e = {.b = b};
    if (b->refused[b->ip] || !find_end(&e)) {
        return 0;
    }
    JitRef old = replaced(b, e.dest);
    JitRef value = _PyJit_BoxComplex(b, e.root.re, e.root.im, old);
    b->ip = e.last;
    b->next = e.end;
    for (unsigned i = 0; i < e.nused; i++) {
        _PyJit_Done(b, e.given[i]);
    }
    _PyJit_WriteValue(b, e.dest, value, 1);
    return 1;
}
