/* Arithmetic of ints that may be longer than a tag.

   Hashes, ciphers and generators of numbers keep ints of 64 bits: they multiply, shift and cut
   the result by a mask. Such an expression is built as a whole, of machine words. Some words
   are exact: the int itself, which is not negative and has 64 bits at most. Of others only the
   lowest 64 bits are right, which is enough if a mask follows: sums, products and shifts to the
   left need no more of their operands, and `&` with an exact word is exact. All operands are
   converted before anything is computed, so there is one instruction to leave to, the first.

   What is no such expression is a call of the function that the interpreter has for ints. */
#include "build_ops.h"
#include "quiet.h"

#define MOST_INSTRS 24
#define MOST_OPERANDS 8
#define TAG_BITS 62

/* Where a word of the expression comes from. */
typedef enum { WORD_OUTSIDE, WORD_GLOBAL, WORD_CONSTANT, WORD_OP } WordKind;

typedef struct {
    uint8_t kind;
    uint8_t exact;
    uint8_t bits;               /* of an exact word: how long it may be */
    uint8_t op;                 /* a JitOp */
    uint8_t seen;               /* from outside: kinds */
    uint8_t asked_exact;
    uint8_t x, y;               /* operands, by number; shifts: y is how far */
    uint8_t power;              /* a constant: of two, by this less 1; or 0 */
    uint8_t in_reg;             /* it is in this register beforehand: */
    unsigned reg;
    uint32_t ip;                /* of a global */
    uint64_t value;             /* of a constant */
    JitRef ref;                 /* once it is made */
} Word;

typedef struct {
    JitBuilder *b;
    Word words[MOST_INSTRS * 3 + 1];    /* from 1 */
    unsigned n, noutside;
    struct {
        unsigned reg;
        uint8_t word;
    } held[MOST_INSTRS];        /* registers that the expression has written */
    unsigned nheld;
    int long_operands, cuts, grows;     /* is it worth while? */
    /* As far as it goes: */
    uint32_t last, end;
    unsigned nwords, dest, root;
} Expression;

static int
are_ints(int kinds)
{
    return kinds != 0 && (kinds & ~(JIT_SEEN_INT | JIT_SEEN_BIG)) == 0;
}

static unsigned
length_of(uint64_t value)
{
    return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

static unsigned
add_word(Expression *e, Word word)
{
    e->words[++e->n] = word;
    return e->n;
}

static unsigned
add_constant(Expression *e, int64_t value, int exact)
{
    return add_word(e, (Word){.kind = WORD_CONSTANT, .value = (uint64_t)value,
                              .exact = (uint8_t)exact,
                              .power = exact && value != 0 && (value & (value - 1)) == 0
                                       ? (uint8_t)length_of((uint64_t)value) : 0,
                              .bits = (uint8_t)length_of((uint64_t)value)});
}

static int
is_two_to_64(PyObject *value)
{
    return _PyLong_NumBits(value) == 65 && PyLong_AsUnsignedLongLongMask(value) == 0;
}

/* A constant by its register's word: 0 if it is no int of 64 bits, nor one more than those. */
static unsigned
constant_word(Expression *e, PyReg word)
{
    if (REG_IS_INT(word)) {
        return add_constant(e, REG_INT(word), REG_INT(word) >= 0);
    }
    if (!IS_EXACT(word, PyLong_Type)) {
        return 0;
    }
    int overflow;
    int64_t value = PyLong_AsLongLongAndOverflow(REG_PTR(word), &overflow);
    if (overflow == 0) {
        return add_constant(e, value, value >= 0);
    }
    if (overflow > 0 && is_two_to_64(REG_PTR(word))) {
        return add_word(e, (Word){.kind = WORD_CONSTANT, .bits = 64, .power = 65});
    }
    uint64_t large = overflow > 0 ? PyLong_AsUnsignedLongLong(REG_PTR(word)) : UINT64_MAX;
    if (large == UINT64_MAX && overflow > 0 && PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    return overflow < 0 ? 0 : add_constant(e, (int64_t)large, 1);
}

/* The word in a register as an operand: 0 if it can't be one. */
static unsigned
operand(Expression *e, unsigned reg, int seen)
{
    JitBuilder *b = e->b;
    for (unsigned i = 0; i < e->nheld; i++) {
        if (e->held[i].reg == reg) {
            unsigned word = e->held[i].word;
            if (reg >= b->first_temp) {
                e->held[i] = e->held[--e->nheld];
            }
            return word;
        }
    }
    for (unsigned i = 1; i <= e->n; i++) {
        if (e->words[i].kind == WORD_OUTSIDE && e->words[i].reg == reg) {
            e->words[i].seen |= (uint8_t)seen;
            return i;
        }
    }
    JitRef ref = _PyJit_Use(b, reg);
    JitNode *n = _PyJit_At(b, ref);
    if (n->op == JIT_CONST_NODE && n->imm != 0) {
        unsigned word = constant_word(e, n->imm);
        if (word != 0) {
            e->words[word].reg = reg;
            e->words[word].in_reg = 1;
        }
        return word;
    }
    if (n->type == JIT_T_DOUBLE || n->type == JIT_T_RAW
        || (n->type == JIT_T_OBJECT && n->cls != NULL && n->cls != &PyLong_Type)
        || e->noutside == MOST_OPERANDS) {
        return 0;
    }
    e->noutside++;
    int is_tag = n->type == JIT_T_INT;
    return add_word(e, (Word){.kind = WORD_OUTSIDE, .reg = reg, .in_reg = 1, .ref = ref,
                              .seen = (uint8_t)(is_tag ? JIT_SEEN_INT : seen),
                              .bits = is_tag ? TAG_BITS : 64});
}

/* Is the word exact, or can it be asked to be? */
static int
ask_exact(Expression *e, unsigned word)
{
    Word *w = &e->words[word];
    if (w->kind <= WORD_GLOBAL) {
        w->asked_exact = 1;
        w->exact = 1;
    }
    return w->exact;
}

/* The value of an operation: 0 if there is none. */
static unsigned
operation(Expression *e, int kind, unsigned x, unsigned y)
{
    Word value = {.kind = WORD_OP, .x = (uint8_t)x, .y = (uint8_t)y};
    unsigned xbits = e->words[x].bits, ybits = e->words[y].bits;
    switch (kind) {
    case K_ADD: case K_SUB: case K_MUL:
        e->grows = 1;
        value.op = kind == K_ADD ? JIT_ADD : kind == K_SUB ? JIT_SUB : JIT_MUL;
        break;
    case K_AND:
        value.op = JIT_AND;
        /* The mask, if there is one, need not be asked for. */
        if (!e->words[x].exact && !e->words[y].exact) {
            (void)ask_exact(e, e->words[y].kind > WORD_GLOBAL ? x : y);
        }
        int xexact = e->words[x].exact, yexact = e->words[y].exact;
        value.exact = (uint8_t)(xexact || yexact);
        value.bits = (uint8_t)(!xexact ? ybits : !yexact || xbits < ybits ? xbits : ybits);
        e->cuts |= value.exact && !(xexact && yexact);
        break;
    case K_OR: case K_XOR:
        value.op = kind == K_OR ? JIT_OR : JIT_XOR;
        xexact = ask_exact(e, x);
        yexact = ask_exact(e, y);
        value.exact = (uint8_t)(xexact && yexact);
        value.bits = (uint8_t)(xbits > ybits ? xbits : ybits);
        break;
    case K_MOD:
        if (e->words[y].power == 0) {
            return 0;
        }
        e->grows = 1;           /* not so, but a mask takes no division */
        uint64_t mask = e->words[y].power > 64 ? UINT64_MAX
                      : ((uint64_t)1 << (e->words[y].power - 1)) - 1;
        return operation(e, K_AND, x, add_constant(e, (int64_t)mask, 1));
    case K_LSHIFT: case K_RSHIFT:
        if (e->words[y].kind != WORD_CONSTANT || e->words[y].value >= 64) {
            return 0;
        }
        unsigned by = (unsigned)e->words[y].value;
        e->grows |= kind == K_LSHIFT;
        value.op = kind == K_LSHIFT ? JIT_SHL : JIT_SHR;
        value.y = (uint8_t)by;
        if (kind == K_RSHIFT) {
            if (!ask_exact(e, x)) {
                return 0;
            }
            value.exact = 1;
            value.bits = (uint8_t)(xbits > by ? xbits - by : 0);
        }
        else if (e->words[x].exact && xbits + by <= 64) {
            value.exact = 1;
            value.bits = (uint8_t)(xbits + by);
        }
        break;
    default:
        return 0;
    }
    return add_word(e, value);
}

static int
hold(Expression *e, unsigned reg, unsigned word)
{
    if (word == 0 || e->nheld == MOST_INSTRS) {
        return 0;
    }
    e->held[e->nheld].reg = reg;
    e->held[e->nheld++].word = (uint8_t)word;
    return 1;
}

/* A global is taken for exact if it is so now. */
static unsigned
global_word(Expression *e, uint32_t ip)
{
    size_t at;
    PyObject *now = e->b->refused[ip] ? NULL : _PyJit_GlobalNow(e->b, ip, &at);
    if (now == NULL || !PyLong_CheckExact(now) || e->noutside == MOST_OPERANDS) {
        return 0;
    }
    unsigned word = constant_word(e, (PyReg)now);
    if (word != 0) {
        e->noutside++;
        Word *w = &e->words[word];
        *w = (Word){.kind = WORD_GLOBAL, .ip = ip, .seen = JIT_SEEN_BIG, .bits = 64,
                    .exact = w->exact, .asked_exact = w->exact};
    }
    return word;
}

/* Follows an instruction. 0: the expression has no place for it. */
static int
follow(Expression *e, uint32_t ip)
{
    JitBuilder *b = e->b;
    const PyInstr *in = &b->code->code[ip];
    int base = _PyOpcode_Info[in->op].base, seen = b->kinds[ip];
    if (base == OP_LOAD_CONST) {
        if (in->op == OP_LOAD_CONST__INT) {
            return in->a >= b->first_temp
                   && hold(e, in->a, add_constant(e, (int64_t)in->bc, (int64_t)in->bc >= 0));
        }
        int is_none = in->op == OP_LOAD_CONST__NONE || in->op == OP_LOAD_CONST__RETURN_NONE;
        PyObject *value = is_none ? NULL
            : PyTuple_GET_ITEM(b->code->ob.co_consts, (uint32_t)in->bc);
        return value != NULL && PyLong_CheckExact(value) && in->a >= b->first_temp
               && hold(e, in->a, constant_word(e, (PyReg)value));
    }
    if (base == OP_LOAD_GLOBAL) {
        return in->a >= b->first_temp && hold(e, in->a, global_word(e, ip));
    }
    int is_binary = base >= OP_ADD && base <= OP_IXOR;
    int is_constant = base >= OP_ADDI && base <= OP_RSHIFTI;
    if (!(is_binary && are_ints(JIT_LEFT(seen)) && are_ints(JIT_RIGHT(seen)))
        && !(is_constant && are_ints(JIT_LEFT(seen)))) {
        return 0;
    }
    int kind = is_constant ? constant_kind(base)
             : base >= OP_IADD ? base - OP_IADD : base - OP_ADD;
    if (is_binary && in->b == in->c && in->b >= b->first_temp) {
        return 0;
    }
    unsigned x = operand(e, in->b, JIT_LEFT(seen));
    unsigned y = x == 0 ? 0 : is_binary ? operand(e, in->c, JIT_RIGHT(seen))
               : add_constant(e, (int64_t)(int16_t)in->c, (int16_t)in->c >= 0);
    e->long_operands |= (seen & (JIT_SEEN_BIG | JIT_SEEN_BIG << JIT_SEEN_RIGHT)) != 0;
    return y != 0 && hold(e, in->a, operation(e, kind, x, y));
}

/* How far the expression goes that begins with the running instruction: 0 if it is none, or not
   worth while. Then nothing has been built. */
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
        int base = _PyOpcode_Info[in->op].base;
        if (base != OP_LOAD_CONST && base != OP_LOAD_GLOBAL) {
            unsigned root = e->held[e->nheld - 1].word;
            /* What can't grow fits the tags that its operands are, and may be negative. */
            if (e->nheld == 1 && e->words[root].exact
                && (e->long_operands || (e->cuts && e->grows))) {
                e->last = ip;
                e->end = next;
                e->dest = in->a;
                e->root = root;
                e->nwords = e->n;
            }
            if (in->a < b->first_temp) {
                break;          /* a variable ends it */
            }
        }
        ip = next;
    }
    return e->end != 0;
}

/* An operand from outside, as a machine word. 0: it is none. */
static int
make_outside(JitBuilder *b, Word *w)
{
    JitRef ref = w->kind == WORD_GLOBAL ? _PyJit_Global(b, w->ip) : w->ref;
    if (ref == 0) {
        return 0;
    }
    if (w->seen == JIT_SEEN_INT) {
        ref = to_int(b, _PyJit_Use(b, w->reg));
        if (ref == 0) {
            return 0;
        }
        w->ref = pure(b, JIT_UNTAG_NODE, JIT_T_RAW, ref);
        if (w->asked_exact) {
            guard_compare(b, JIT_GE, w->ref, 0);
        }
        return 1;
    }
    JitNode node = {.op = JIT_LOW_WORD_NODE, .type = JIT_T_RAW, .args = {ref}, .ip = b->ip,
                    .cond = 1};
    w->ref = _PyJit_RecallFact(b, &node);
    if (w->ref == 0) {
        node.cond = w->asked_exact;
        w->ref = pure_node(b, node);
    }
    return 1;
}

static JitRef
make_op(JitBuilder *b, Expression *e, const Word *w)
{
    int shifts = w->op == JIT_SHL || w->op == JIT_SHR;
    JitRef y = shifts ? raw_const(b, w->y) : e->words[w->y].ref;
    return raw_op(b, (JitOp)w->op, e->words[w->x].ref, y);
}

/* The int of an exact word; *owned: it comes with a reference. */
static JitRef
make_int(JitBuilder *b, const Word *w, int *owned)
{
    JitRef value;
    if (w->bits <= TAG_BITS - 1) {
        JitRef twice = raw_op(b, JIT_SHL, w->ref, raw_const(b, 1));
        value = _PyJit_Node(b, JIT_RAW_OP_NODE, JIT_T_INT, twice, raw_const(b, 1));
        _PyJit_At(b, value)->cond = JIT_OR;
        *owned = 0;
        return value;
    }
    uint32_t snap = _PyJit_SnapBefore(b);
    value = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_WORD, w->ref, 0);
    _PyJit_At(b, value)->nargs = 1;
    _PyJit_At(b, value)->aux = (const void *)_PyJit_IntOfWord;
    guard_answer(b, JIT_NE, value, snap);
    *owned = 1;
    return value;
}

int
_PyJit_BuildWords(JitBuilder *b)
{
    Expression e = {.b = b};
    if (b->refused[b->ip] || !find_end(&e)) {
        return 0;
    }
    for (unsigned i = 1; i <= e.nwords; i++) {
        if (e.words[i].kind <= WORD_GLOBAL && !make_outside(b, &e.words[i])) {
            return 0;
        }
    }
    for (unsigned i = 1; i <= e.nwords; i++) {
        Word *w = &e.words[i];
        if (w->kind == WORD_CONSTANT) {
            w->ref = raw_const(b, w->value);
        }
        else if (w->kind == WORD_OP) {
            w->ref = make_op(b, &e, w);
        }
    }
    int owned;
    JitRef raw = e.words[e.root].ref, value = make_int(b, &e.words[e.root], &owned);
    _PyJit_KnowWord(b, value, raw);
    b->ip = e.last;
    b->next = e.end;
    for (unsigned i = 1; i <= e.nwords; i++) {
        if (e.words[i].in_reg && e.words[i].reg >= b->first_temp) {
            _PyJit_Done(b, e.words[i].reg);
        }
    }
    _PyJit_WriteValue(b, e.dest, value, owned);
    return 1;
}

/* ---------------------------------------------------------------------- any ints */

int
_PyJit_BuildLongInts(JitBuilder *b, int kind, JitRef x, JitRef y, int left, int right)
{
    left = kind_of_value(b, x, left);
    right = kind_of_value(b, y, right);
    if (!are_ints(left) || !are_ints(right) || kind == K_POW || kind == K_MATMUL) {
        return 0;
    }
    const PyInstr *in = instr(b);
    int is_constant = _PyOpcode_Info[in->op].base >= OP_ADDI
                      && _PyOpcode_Info[in->op].base <= OP_RSHIFTI;
    JitRef which = raw_const(b, (uint64_t)kind);
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef value = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_WORD, x, y);
    JitNode *n = _PyJit_At(b, value);
    n->args[2] = which;
    n->aux = (const void *)_PyVM_ArithOfInts;
    n->nargs = 3;
    guard_answer(b, JIT_NE, value, snap);
    _PyJit_Done(b, in->b);
    if (!is_constant) {
        _PyJit_Done(b, in->c);
    }
    _PyJit_WriteValue(b, in->a, value, 1);
    return 1;
}
