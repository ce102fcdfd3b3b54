/* Machine instructions do what they should: each operation is run with random operands, with
   its registers in all patterns in which they may be the same, and compared with C.

   A case is one operation. It becomes a function that loads all registers from a State, does
   the operation, and stores all registers. The model does the same to a copy of the State. Both
   must agree on all registers, not only on the result: nothing else may be changed. */
#include "suite.h"
#include "Python/jit/emit.h"

#ifdef SB_HAVE_EMITTER

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define M (&_PyJit_Machine)

/* ---------------------------------------------------------- registers and operands */

typedef struct {
    uint64_t regs[32], floats[32];
    uint64_t taken;                     /* whether the operation has branched */
    uint8_t memory[256];
} State;

typedef enum {
    MOV, MOV_IMM, LOAD, LOAD_INDEXED, STORE, STORE_INDEXED, STORE_IMM, LEA, LOAD_ABS, STORE_ABS,
    OP, OP_IMM, NEG, NOT, OP_OVERFLOW, OP_IMM_OVERFLOW, DIV_REM, ADD_MEM, DEC_MEM,
    BRANCH, BRANCH_IMM, BRANCH_MEM, BRANCH_MEM_IMM, BRANCH_ABS_IMM, BRANCH_BITS, BRANCH_MEM_BITS,
    SET, SET_IMM, SELECT,
    FMOV, FMOV_IMM, FLOAD, FSTORE, FFROM_BITS, FTO_BITS, FOP, FSQRT, FNEG, FABS, FFROM_INT,
    FTO_INT, FBRANCH, FSET,
} Kind;

typedef enum { NO_MEMORY, AT_BASE, AT_INDEX, AT_ADDRESS } Access;

typedef struct {
    Kind kind;
    int op;                             /* a JitOp or JitFloatOp */
    JitCond cond;
    JitWidth w;
    JitReg d, a, b, x, y;               /* a is the base, b the index */
    Access access;
    int shift;
    int32_t disp;
    int64_t value;
    int unordered;
} Case;

static uint64_t *absolute;              /* two words at an absolute address */

static uint64_t
random_word(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static unsigned
below(unsigned limit)
{
    return (unsigned)(random_word() >> 33) % limit;
}

static const int64_t limits[] = {
    0, 1, -1, -2, 2, 3, 5, 7, 9, 10, 63, 64, 100, 127, 128, -127, -128, -129, 255, 256, -256, 4095,
    4096, -4095, -4096, -4097, 0x7fff, 0x8000, 0xffff, 0x10000, 0xff0, 0xff00, 0x123456, 0xfff000,
    0x1000000, INT32_MAX, INT32_MIN, (int64_t)INT32_MAX + 1, (int64_t)INT32_MIN - 1, UINT32_MAX,
    (int64_t)UINT32_MAX + 1, 0x123456789abc, INT64_MAX, INT64_MIN, INT64_MIN + 1,
    0x5555555555555555, 0x00ff00ff00ff00ff, 1ll << 40, ~(1ll << 40), 0x0000fffffffff000,
    0x7f0000000000, 0x12340000, 0xffff0000, -0x12340001, 0x123400005678, 0x8000000080000000,
};
enum { NLIMITS = sizeof(limits) / sizeof(limits[0]) };

static uint64_t
random_operand(void)
{
    switch (below(4)) {
    case 0: return random_word();
    case 1: return random_word() >> below(64);
    case 2: return (uint64_t)((int64_t)random_word() >> below(64));
    default: return (uint64_t)limits[below(NLIMITS)];
    }
}

static uint64_t
random_float(void)
{
    static const double few[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e300, -1e-300, 5e-324, INFINITY,
                                 -INFINITY, NAN, 123456789.25, 4503599627370497.5, -1e18};
    double value = few[below(sizeof(few) / sizeof(few[0]))];
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    switch (below(8)) {
    case 0: return random_word();
    case 1: return 0xfff8000000000000u;
    default: return bits;
    }
}

static double
as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static uint64_t
as_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* ------------------------------------------------------------------------ the model */

static unsigned
size_of(JitWidth w)
{
    static const unsigned sizes[] = {1, 2, 4, 8, 1, 2, 4};
    return sizes[w];
}

static uint64_t
extended(JitWidth w, const void *from)
{
    uint64_t word = 0;
    memcpy(&word, from, size_of(w));
    switch (w) {
    case JIT_S8: return (uint64_t)(int8_t)word;
    case JIT_S16: return (uint64_t)(int16_t)word;
    case JIT_S32: return (uint64_t)(int32_t)word;
    default: return word;
    }
}

static uint64_t
address_of(const State *s, const Case *c)
{
    switch (c->access) {
    case AT_BASE: return s->regs[c->a] + (uint64_t)(int64_t)c->disp;
    case AT_INDEX: return s->regs[c->a] + (s->regs[c->b] << c->shift) + (uint64_t)(int64_t)c->disp;
    default: return (uintptr_t)absolute;
    }
}

/* The memory that the case's address means, in this state: what the address was computed for
   lies in `real`. */
static uint8_t *
memory_of(State *s, const State *real, const Case *c)
{
    if (c->access == AT_ADDRESS) {
        return (uint8_t *)absolute;
    }
    return s->memory + (address_of(s, c) - (uintptr_t)real->memory);
}

static uint64_t
integer_op(JitOp op, uint64_t a, uint64_t b)
{
    switch (op) {
    case JIT_ADD: return a + b;
    case JIT_SUB: return a - b;
    case JIT_AND: return a & b;
    case JIT_OR: return a | b;
    case JIT_XOR: return a ^ b;
    case JIT_MUL: return a * b;
    case JIT_SHL: return a << (b & 63);
    case JIT_SHR: return a >> (b & 63);
    case JIT_SAR: return (uint64_t)((int64_t)a >> (b & 63));
    }
    return 0;
}

static int
overflows(JitOp op, uint64_t a, uint64_t b)
{
    int64_t result;
    return op == JIT_ADD ? __builtin_add_overflow((int64_t)a, (int64_t)b, &result)
         : op == JIT_SUB ? __builtin_sub_overflow((int64_t)a, (int64_t)b, &result)
         : __builtin_mul_overflow((int64_t)a, (int64_t)b, &result);
}

static int
holds(JitCond cond, uint64_t a, uint64_t b)
{
    switch (cond) {
    case JIT_EQ: return a == b;
    case JIT_NE: return a != b;
    case JIT_LT: return (int64_t)a < (int64_t)b;
    case JIT_GE: return (int64_t)a >= (int64_t)b;
    case JIT_LE: return (int64_t)a <= (int64_t)b;
    case JIT_GT: return (int64_t)a > (int64_t)b;
    case JIT_ULT: return a < b;
    case JIT_UGE: return a >= b;
    case JIT_ULE: return a <= b;
    case JIT_UGT: return a > b;
    }
    return 0;
}

static int
float_holds(JitCond cond, double a, double b, int unordered)
{
    if (isnan(a) || isnan(b)) {
        return unordered;
    }
    switch (cond) {
    case JIT_EQ: return a == b;
    case JIT_NE: return a != b;
    case JIT_LT: return a < b;
    case JIT_GE: return a >= b;
    case JIT_LE: return a <= b;
    default: return a > b;
    }
}

static double
float_op(JitFloatOp op, double a, double b)
{
    return op == JIT_FADD ? a + b : op == JIT_FSUB ? a - b : op == JIT_FMUL ? a * b : a / b;
}

/* Does the case to `s`. */
static void
model(State *s, const State *real, const Case *c)
{
    uint64_t *r = s->regs, *f = s->floats, a = r[c->a], b = r[c->b];
    double fa = as_double(f[c->a]), fb = as_double(f[c->b]);
    uint8_t *memory = c->access != NO_MEMORY ? memory_of(s, real, c) : NULL;
    uint64_t word, value = (uint64_t)c->value;
    switch (c->kind) {
    case MOV: r[c->d] = a; break;
    case MOV_IMM: r[c->d] = value; break;
    case LOAD: case LOAD_INDEXED: case LOAD_ABS: r[c->d] = extended(c->w, memory); break;
    case STORE: case STORE_INDEXED: case STORE_ABS: memcpy(memory, &r[c->d], size_of(c->w)); break;
    case STORE_IMM: memcpy(memory, &value, size_of(c->w)); break;
    case LEA: r[c->d] = a + (b << c->shift) + (uint64_t)(int64_t)c->disp; break;
    case OP: r[c->d] = integer_op(c->op, a, b); break;
    case OP_IMM: r[c->d] = integer_op(c->op, a, value); break;
    case NEG: r[c->d] = 0 - a; break;
    case NOT: r[c->d] = ~a; break;
    case OP_IMM_OVERFLOW: case OP_OVERFLOW:
        b = c->kind == OP_OVERFLOW ? b : value;
        s->taken = overflows(c->op, a, b);
        if (!s->taken) {
            r[c->d] = integer_op(c->op, a, b);
        }
        break;
    case DIV_REM:
        r[c->d] = (uint64_t)((int64_t)a / (int64_t)b);
        r[c->x] = (uint64_t)((int64_t)a % (int64_t)b);
        break;
    case ADD_MEM: case DEC_MEM:
        word = extended(c->w, memory) + value;
        memcpy(memory, &word, size_of(c->w));
        s->taken = c->kind == DEC_MEM && word == 0;
        break;
    case BRANCH: s->taken = holds(c->cond, a, b); break;
    case BRANCH_IMM: s->taken = holds(c->cond, a, value); break;
    case BRANCH_MEM: s->taken = holds(c->cond, extended(c->w, memory), r[c->d]); break;
    case BRANCH_MEM_IMM: case BRANCH_ABS_IMM:
        s->taken = holds(c->cond, extended(c->w, memory), value);
        break;
    case BRANCH_BITS: s->taken = holds(c->cond, a & value, 0); break;
    case BRANCH_MEM_BITS: s->taken = holds(c->cond, extended(c->w, memory) & value, 0); break;
    case SET: r[c->d] = (uint64_t)holds(c->cond, a, b); break;
    case SET_IMM: r[c->d] = (uint64_t)holds(c->cond, a, value); break;
    case SELECT: r[c->d] = holds(c->cond, a, b) ? r[c->x] : r[c->y]; break;
    case FMOV: f[c->d] = f[c->a]; break;
    case FMOV_IMM: f[c->d] = value; break;
    case FLOAD: memcpy(&f[c->d], memory, 8); break;
    case FSTORE: memcpy(memory, &f[c->d], 8); break;
    case FFROM_BITS: f[c->d] = a; break;
    case FTO_BITS: r[c->d] = f[c->a]; break;
    case FOP: f[c->d] = as_bits(float_op(c->op, fa, fb)); break;
    case FSQRT: f[c->d] = as_bits(sqrt(fa)); break;
    case FNEG: f[c->d] = f[c->a] ^ (uint64_t)1 << 63; break;
    case FABS: f[c->d] = f[c->a] & ~((uint64_t)1 << 63); break;
    case FFROM_INT: f[c->d] = as_bits((double)(int64_t)a); break;
    case FTO_INT: r[c->d] = (uint64_t)(int64_t)fa; break;
    case FBRANCH: s->taken = float_holds(c->cond, fa, fb, c->unordered); break;
    case FSET: r[c->d] = float_holds(c->cond, fa, fb, c->cond == JIT_NE); break;
    }
}

static void
emit(JitAsm *as, const Case *c, JitLabel label)
{
    double number = as_double((uint64_t)c->value);
    switch (c->kind) {
    case MOV: _PyJit_Mov(as, c->d, c->a); break;
    case MOV_IMM: _PyJit_MovImm(as, c->d, (uint64_t)c->value); break;
    case LOAD: _PyJit_Load(as, c->w, c->d, c->a, c->disp); break;
    case LOAD_INDEXED: _PyJit_LoadIndexed(as, c->w, c->d, c->a, c->b, c->shift, c->disp); break;
    case LOAD_ABS: _PyJit_LoadAbs(as, c->w, c->d, absolute); break;
    case STORE: _PyJit_Store(as, c->w, c->a, c->disp, c->d); break;
    case STORE_INDEXED: _PyJit_StoreIndexed(as, c->w, c->a, c->b, c->shift, c->disp, c->d); break;
    case STORE_ABS: _PyJit_StoreAbs(as, c->w, absolute, c->d); break;
    case STORE_IMM: _PyJit_StoreImm(as, c->w, c->a, c->disp, c->value); break;
    case LEA: _PyJit_Lea(as, c->d, c->a, c->b, c->shift, c->disp); break;
    case OP: _PyJit_Op(as, c->op, c->d, c->a, c->b); break;
    case OP_IMM: _PyJit_OpImm(as, c->op, c->d, c->a, c->value); break;
    case NEG: _PyJit_Neg(as, c->d, c->a); break;
    case NOT: _PyJit_Not(as, c->d, c->a); break;
    case OP_OVERFLOW: _PyJit_OpOverflow(as, c->op, c->d, c->a, c->b, label); break;
    case OP_IMM_OVERFLOW: _PyJit_OpImmOverflow(as, c->op, c->d, c->a, c->value, label); break;
    case DIV_REM: _PyJit_DivRem(as, c->d, c->x, c->a, c->b); break;
    case ADD_MEM: _PyJit_AddMem(as, c->w, c->a, c->disp, (int32_t)c->value); break;
    case DEC_MEM: _PyJit_DecMemJumpZero(as, c->a, c->disp, label); break;
    case BRANCH: _PyJit_Branch(as, c->cond, c->a, c->b, label); break;
    case BRANCH_IMM: _PyJit_BranchImm(as, c->cond, c->a, c->value, label); break;
    case BRANCH_MEM: _PyJit_BranchMem(as, c->cond, c->w, c->a, c->disp, c->d, label); break;
    case BRANCH_MEM_IMM:
        _PyJit_BranchMemImm(as, c->cond, c->w, c->a, c->disp, c->value, label);
        break;
    case BRANCH_ABS_IMM:
        _PyJit_BranchAbsImm(as, c->cond, c->w, absolute, c->value, label);
        break;
    case BRANCH_BITS: _PyJit_BranchBits(as, c->cond, c->a, c->value, label); break;
    case BRANCH_MEM_BITS:
        _PyJit_BranchMemBits(as, c->cond, c->w, c->a, c->disp, c->value, label);
        break;
    case SET: _PyJit_Set(as, c->cond, c->d, c->a, c->b); break;
    case SET_IMM: _PyJit_SetImm(as, c->cond, c->d, c->a, c->value); break;
    case SELECT: _PyJit_Select(as, c->cond, c->d, c->a, c->b, c->x, c->y); break;
    case FMOV: _PyJit_FMov(as, c->d, c->a); break;
    case FMOV_IMM: _PyJit_FMovImm(as, c->d, number); break;
    case FLOAD: _PyJit_FLoad(as, c->d, c->a, c->disp); break;
    case FSTORE: _PyJit_FStore(as, c->a, c->disp, c->d); break;
    case FFROM_BITS: _PyJit_FFromBits(as, c->d, c->a); break;
    case FTO_BITS: _PyJit_FToBits(as, c->d, c->a); break;
    case FOP: _PyJit_FOp(as, c->op, c->d, c->a, c->b); break;
    case FSQRT: _PyJit_FSqrt(as, c->d, c->a); break;
    case FNEG: _PyJit_FNeg(as, c->d, c->a); break;
    case FABS: _PyJit_FAbs(as, c->d, c->a); break;
    case FFROM_INT: _PyJit_FFromInt(as, c->d, c->a); break;
    case FTO_INT: _PyJit_FToInt(as, c->d, c->a); break;
    case FBRANCH: _PyJit_FBranch(as, c->cond, c->a, c->b, c->unordered, label); break;
    case FSET: _PyJit_FSet(as, c->cond, c->d, c->a, c->b); break;
    }
}

/* --------------------------------------------------------------------- running cases */

enum { BATCH = 500, RUNS = 6 };

static Case cases[BATCH];
static JitLabel entries[BATCH];
static int ncases;
static long nrun;
static JitAsm as;

static JitRegSet
all_regs(void)
{
    return M->caller_saved | M->callee_saved | (JitRegSet)1 << M->thread;
}

static JitRegSet
all_floats(void)
{
    return M->float_caller_saved | M->float_callee_saved;
}

/* Executable memory with the finished code; as near to the C functions as can be had, or
   anywhere. Not unmapped before the process ends. */
static uint8_t *
finished(JitAsm *what, int near)
{
    size_t size = _PyJit_AsmSize(what);
    uintptr_t close_by = ((uintptr_t)&_PyJit_Mov & ~(uintptr_t)0xffffff) + 0x4000000;
    void *hint = near ? (void *)close_by : NULL;
    uint8_t *code = mmap(hint, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(code, MAP_FAILED);
    ck_assert_int_eq(what->failed, 0);
    ck_assert_int_eq(_PyJit_AsmFinish(what, code, (uintptr_t)code), 0);
    ck_assert_int_eq(mprotect(code, size, PROT_READ | PROT_EXEC), 0);
    __builtin___clear_cache((char *)code, (char *)code + size);
    return code;
}

/* The case as a function. What it branches to lies behind, shortly before, or in the rare part. */
static JitLabel
emit_function(const Case *c)
{
    JitLabel entry = _PyJit_NewLabel(&as), taken = _PyJit_NewLabel(&as);
    JitLabel after = _PyJit_NewLabel(&as), start = _PyJit_NewLabel(&as);
    int where = (int)below(3);
    int part = (int)below(8) == 0;
    _PyJit_AsmPart(&as, part);
    _PyJit_Bind(&as, entry);
    _PyJit_Prologue(&as, M->callee_saved, M->float_callee_saved, below(5));
    for (JitReg r = 0; r < 32; r++) {
        if (all_floats() >> r & 1) {
            _PyJit_FLoad(&as, r, M->frame, (int32_t)(offsetof(State, floats) + 8u * r));
        }
    }
    for (JitReg r = 0; r < 32; r++) {
        if (all_regs() >> r & 1) {
            _PyJit_Load(&as, JIT_64, r, M->frame, (int32_t)(offsetof(State, regs) + 8u * r));
        }
    }
    if (where == 0) {
        _PyJit_Jump(&as, start);
        _PyJit_Bind(&as, taken);
        _PyJit_StoreImm(&as, JIT_64, M->frame, offsetof(State, taken), 1);
        _PyJit_Jump(&as, after);
    }
    _PyJit_Bind(&as, start);
    emit(&as, c, taken);
    _PyJit_StoreImm(&as, JIT_64, M->frame, offsetof(State, taken), 0);
    if (where != 0) {
        if (where == 1) {
            _PyJit_Jump(&as, after);
        }
        else {
            _PyJit_AsmPart(&as, !part);
        }
        _PyJit_Bind(&as, taken);
        _PyJit_StoreImm(&as, JIT_64, M->frame, offsetof(State, taken), 1);
        if (where == 2) {
            _PyJit_Jump(&as, after);
            _PyJit_AsmPart(&as, part);
        }
    }
    _PyJit_Bind(&as, after);
    for (JitReg r = 0; r < 32; r++) {
        if (all_regs() >> r & 1) {
            _PyJit_Store(&as, JIT_64, M->frame, (int32_t)(offsetof(State, regs) + 8u * r), r);
        }
    }
    for (JitReg r = 0; r < 32; r++) {
        if (all_floats() >> r & 1) {
            _PyJit_FStore(&as, M->frame, (int32_t)(offsetof(State, floats) + 8u * r), r);
        }
    }
    _PyJit_Return(&as);
    return entry;
}

/* Makes the case's address one within the state's memory. 0: it can't be. */
static int
place_memory(State *s, const Case *c)
{
    uint64_t disp = (uint64_t)(int64_t)c->disp, frame = (uintptr_t)s;
    for (unsigned try = 0; try < 64; try++) {
        uint64_t rest = (uintptr_t)s->memory + 8 + below(200) - disp;
        if (c->access == AT_BASE) {
            s->regs[c->a] = rest;
            return 1;
        }
        if (c->a == c->b) {
            uint64_t times = 1 + (1ull << c->shift);
            if (rest % times == 0) {
                s->regs[c->a] = rest / times;
                return 1;
            }
        }
        else if (c->a == M->frame) {
            uint64_t index = (uint64_t)((int64_t)(rest - frame) >> c->shift);
            if (frame + (index << c->shift) == rest) {
                s->regs[c->b] = index;
                return 1;
            }
        }
        else {
            uint64_t index = c->b == M->frame ? frame : random_operand() >> 8;
            s->regs[c->b] = index;
            s->regs[c->a] = rest - (index << c->shift);
            return 1;
        }
    }
    return 0;
}

/* Random operands that the case allows. 0: there are none. */
static int
prepare(State *s, const Case *c)
{
    for (int r = 0; r < 32; r++) {
        s->regs[r] = random_operand();
        s->floats[r] = random_float();
    }
    for (size_t i = 0; i < sizeof(s->memory); i++) {
        s->memory[i] = (uint8_t)random_word();
    }
    absolute[0] = random_operand();
    s->taken = 2;
    s->regs[M->frame] = (uintptr_t)s;
    if (c->kind == BRANCH_IMM || c->kind == SET_IMM) {
        /* Near the limit. */
        if (below(2) && c->a != M->frame) {
            s->regs[c->a] = (uint64_t)c->value + below(3) - 1;
        }
    }
    if (c->kind == DIV_REM) {
        int64_t a = (int64_t)s->regs[c->a], b = (int64_t)s->regs[c->b];
        if (b == 0 || (a == INT64_MIN && b == -1)) {
            return 0;
        }
    }
    if (c->kind == FTO_INT && !(fabs(as_double(s->floats[c->a])) < 9e18)) {
        s->floats[c->a] = as_bits((double)(int64_t)random_word() / 3);
    }
    if (c->access == NO_MEMORY || c->access == AT_ADDRESS) {
        return 1;
    }
    if (!place_memory(s, c)) {
        return 0;
    }
    /* What is found there: sometimes near what it is compared with. */
    uint64_t found = below(3) ? (uint64_t)c->value + below(3) - 1 : random_operand();
    if (c->kind == BRANCH_MEM && below(2)) {
        found = s->regs[c->d] + below(3) - 1;
    }
    if (c->kind == DEC_MEM) {
        found = 1 + below(2);
    }
    memcpy(memory_of(s, s, c), &found, 8);
    return 1;
}

static int
same_float(uint64_t a, uint64_t b)
{
    return a == b || (isnan(as_double(a)) && isnan(as_double(b)));
}

static void
say(const Case *c, const char *what, uint64_t r, uint64_t got, uint64_t expected)
{
    ck_abort_msg("%s %lu is %#lx, not %#lx: kind %d op %d cond %d width %d d %d a %d b %d x %d "
                 "y %d shift %d disp %d value %#lx unordered %d", what, (unsigned long)r,
                 (unsigned long)got, (unsigned long)expected, c->kind, c->op, c->cond, c->w, c->d,
                 c->a, c->b, c->x, c->y, c->shift, c->disp, (unsigned long)c->value,
                 c->unordered);
}

static void
compare(const Case *c, const State *s, const State *expected)
{
    if (s->taken != expected->taken) {
        say(c, "branch", 0, s->taken, expected->taken);
    }
    for (int r = 0; r < 32; r++) {
        int anything = expected->taken == 1 && r == c->d && c->d != c->a
            && ((c->kind == OP_OVERFLOW && c->d != c->b) || c->kind == OP_IMM_OVERFLOW);
        if (all_regs() >> r & 1 && s->regs[r] != expected->regs[r] && !anything) {
            say(c, "register", (uint64_t)r, s->regs[r], expected->regs[r]);
        }
        int result = r == c->d && (c->kind == FOP || c->kind == FSQRT);
        if (all_floats() >> r & 1
            && !(result ? same_float(s->floats[r], expected->floats[r])
                        : s->floats[r] == expected->floats[r])) {
            say(c, "float register", (uint64_t)r, s->floats[r], expected->floats[r]);
        }
    }
    for (unsigned i = 0; i < sizeof(s->memory); i++) {
        if (s->memory[i] != expected->memory[i]) {
            say(c, "byte", i, s->memory[i], expected->memory[i]);
        }
    }
}

static void
run_once(const Case *c, const uint8_t *entry)
{
    /* Far from what is in other lines of the cache, and at an address that differs each time. */
    static State space[4];
    State *s = &space[below(4)], expected;
    if (!prepare(s, c)) {
        return;
    }
    expected = *s;
    expected.taken = 0;
    uint64_t before[2] = {absolute[0], absolute[1]}, modelled[2];
    model(&expected, s, c);
    memcpy(modelled, absolute, sizeof(before));
    memcpy(absolute, before, sizeof(before));
    ((void (*)(State *, uint64_t))(uintptr_t)entry)(s, 0);
    compare(c, s, &expected);
    for (unsigned i = 0; i < 2; i++) {
        if (absolute[i] != modelled[i]) {
            say(c, "absolute word", i, absolute[i], modelled[i]);
        }
    }
    nrun++;
}

static void
run_batch(void)
{
    /* In a program that is not position-independent, the first is within the low 2 GB. */
    static uint64_t in_program[2];
    uint64_t on_stack[2];
    absolute = below(2) ? in_program : on_stack;
    memset(absolute, 0, sizeof(on_stack));
    _PyJit_AsmInit(&as);
    for (int i = 0; i < ncases; i++) {
        entries[i] = emit_function(&cases[i]);
    }
    size_t size = _PyJit_AsmSize(&as);
    uint8_t *code = finished(&as, 0);
    for (int i = 0; i < ncases; i++) {
        const uint8_t *entry = code + _PyJit_LabelOffset(&as, entries[i]);
        for (int run = 0; run < RUNS; run++) {
            run_once(&cases[i], entry);
        }
    }
    munmap(code, size);
    _PyJit_AsmFree(&as);
    ncases = 0;
}

static void
add(Case c)
{
    cases[ncases++] = c;
    if (ncases == BATCH) {
        run_batch();
    }
}

/* At the end of each test. */
static void
run_all(void)
{
    run_batch();
    ck_assert_int_gt(nrun, 100);
}

/* Also after a test that has failed. */
static void
forget_cases(void)
{
    ncases = 0;
    nrun = 0;
}

/* ------------------------------------------------------------- choices of registers */

static JitReg sources[32], targets[32];
static int nsources, ntargets;
static JitReg floats[32];
static int nfloats;

/* All registers of a small set; of a large one those at its ends and some between. */
static int
list(JitReg *to, JitRegSet set, int most)
{
    int n = 0;
    for (JitReg r = 0; r < 32; r++) {
        int end = r % 8 == 0 || !(set >> 1 >> r & 1) || !(set >> (r - 1) & 1);
        if (set >> r & 1 && (most >= __builtin_popcount(set) || end)) {
            to[n++] = r;
        }
    }
    return n;
}

static void
choose_registers(void)
{
    ntargets = list(targets, all_regs(), 16);
    nsources = list(sources, all_regs() | (JitRegSet)1 << M->frame, 16);
    nfloats = list(floats, all_floats(), 16);
}

#define EACH(VARIABLE, LIST) \
    for (JitReg VARIABLE, VARIABLE##_ = 0; \
         VARIABLE##_ < n##LIST && (VARIABLE = LIST[VARIABLE##_], 1); VARIABLE##_++)

static JitReg
a_source(void)
{
    return sources[below((unsigned)nsources)];
}

static JitReg
a_target(void)
{
    return targets[below((unsigned)ntargets)];
}

static const int32_t disps[] = {
    0, 1, 7, 8, 16, 127, 128, 255, 256, 4088, 4095, 4096, 4095 * 8, 4096 * 8, 65535, 0xfff000,
    0x1000000, INT32_MAX - 8, INT32_MAX, -1, -8, -128, -129, -256, -257, -4096, -0xfff000,
    -0xfff001, -0xfffff8, -0x1000000, INT32_MIN,
};
enum { NDISPS = sizeof(disps) / sizeof(disps[0]) };

/* --------------------------------------------------------------------------- tests */

START_TEST(test_moves)
{
    EACH(d, targets) {
        EACH(a, sources) {
            add((Case){MOV, .d = d, .a = a});
            add((Case){NEG, .d = d, .a = a});
            add((Case){NOT, .d = d, .a = a});
        }
        for (int i = 0; i < NLIMITS; i++) {
            add((Case){MOV_IMM, .d = d, .value = limits[i]});
        }
        for (int i = 0; i < 200; i++) {
            add((Case){MOV_IMM, .d = d, .value = (int64_t)random_operand()});
        }
    }
    run_all();
}
END_TEST

START_TEST(test_loads_and_stores)
{
    for (JitWidth w = JIT_8; w <= JIT_S32; w++) {
        EACH(d, targets) {
            EACH(a, targets) {
                int32_t disp = disps[below(NDISPS)];
                add((Case){LOAD, .w = w, .d = d, .a = a, .access = AT_BASE, .disp = disp});
                add((Case){STORE, .w = w, .d = d, .a = a, .access = AT_BASE, .disp = disp});
            }
            for (int i = 0; i < NDISPS; i++) {
                JitReg a = a_target();
                add((Case){LOAD, .w = w, .d = d, .a = a, .access = AT_BASE, .disp = disps[i]});
                add((Case){STORE, .w = w, .d = d, .a = a, .access = AT_BASE, .disp = disps[i]});
            }
            add((Case){LOAD_ABS, .w = w, .d = d, .access = AT_ADDRESS});
            add((Case){STORE_ABS, .w = w, .d = d, .access = AT_ADDRESS});
        }
        for (int i = 0; i < NLIMITS; i++) {
            for (int j = 0; j < 5; j++) {
                add((Case){STORE_IMM, .w = w, .a = a_target(), .access = AT_BASE,
                           .disp = disps[below(NDISPS)], .value = limits[i]});
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_indexed_loads_and_stores)
{
    EACH(d, targets) {
        EACH(a, sources) {
            EACH(b, sources) {
                if (a == M->frame && b == M->frame) {
                    continue;
                }
                Case c = {LOAD_INDEXED, .w = below(JIT_S32 + 1), .d = d, .a = a, .b = b,
                          .access = AT_INDEX, .shift = (int)below(4)};
                if (below(2)) {
                    c.disp = disps[below(NDISPS)];
                }
                add(c);
                c.kind = STORE_INDEXED;
                add(c);
                c.kind = LEA;
                c.access = NO_MEMORY;
                add(c);
            }
        }
    }
    for (JitWidth w = JIT_8; w <= JIT_S32; w++) {
        for (int shift = 0; shift < 4; shift++) {
            for (int i = 0; i < NDISPS; i++) {
                JitReg a = a_target(), b = a_target(), d = a_target();
                add((Case){LOAD_INDEXED, .w = w, .d = d, .a = a, .b = b, .access = AT_INDEX,
                           .shift = shift, .disp = disps[i]});
                add((Case){STORE_INDEXED, .w = w, .d = d, .a = a, .b = b, .access = AT_INDEX,
                           .shift = shift, .disp = disps[i]});
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_integer_operations)
{
    for (int op = JIT_ADD; op <= JIT_SAR; op++) {
        EACH(d, targets) {
            EACH(a, sources) {
                EACH(b, sources) {
                    add((Case){OP, op, .d = d, .a = a, .b = b});
                }
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_integer_operations_with_immediates)
{
    for (int op = JIT_ADD; op <= JIT_SAR; op++) {
        EACH(d, targets) {
            for (int i = 0; i < NLIMITS; i++) {
                add((Case){OP_IMM, op, .d = d, .a = d, .value = limits[i]});
                add((Case){OP_IMM, op, .d = d, .a = a_source(), .value = limits[i]});
            }
        }
        for (int i = 0; i < 500; i++) {
            add((Case){OP_IMM, op, .d = a_target(), .a = a_source(),
                       .value = (int64_t)random_operand()});
        }
        if (op >= JIT_SHL) {
            for (int count = 0; count < 64; count++) {
                add((Case){OP_IMM, op, .d = a_target(), .a = a_source(), .value = count});
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_overflow_branches_and_leaves_its_operands)
{
    static const JitOp ops[] = {JIT_ADD, JIT_SUB, JIT_MUL};
    for (int i = 0; i < 3; i++) {
        EACH(d, targets) {
            EACH(a, sources) {
                EACH(b, sources) {
                    add((Case){OP_OVERFLOW, ops[i], .d = d, .a = a, .b = b});
                }
            }
            for (int j = 0; j < NLIMITS; j++) {
                add((Case){OP_IMM_OVERFLOW, ops[i], .d = d, .a = d, .value = limits[j]});
                add((Case){OP_IMM_OVERFLOW, ops[i], .d = d, .a = a_source(), .value = limits[j]});
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_division)
{
    EACH(d, targets) {
        EACH(x, targets) {
            if (d == x) {
                continue;
            }
            EACH(a, sources) {
                EACH(b, sources) {
                    add((Case){DIV_REM, .d = d, .x = x, .a = a, .b = b});
                }
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_counting_in_memory)
{
    EACH(a, targets) {
        for (int i = 0; i < NDISPS; i++) {
            add((Case){DEC_MEM, .w = JIT_64, .a = a, .access = AT_BASE, .disp = disps[i],
                       .value = -1});
            for (int j = 0; j < NLIMITS; j++) {
                if (limits[j] == (int32_t)limits[j]) {
                    add((Case){ADD_MEM, .w = below(2) ? JIT_32 : JIT_64, .a = a,
                               .access = AT_BASE, .disp = disps[i], .value = limits[j]});
                }
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_branches)
{
    for (JitCond cond = JIT_EQ; cond <= JIT_UGT; cond++) {
        EACH(a, sources) {
            EACH(b, sources) {
                add((Case){BRANCH, .cond = cond, .a = a, .b = b});
            }
            for (int i = 0; i < NLIMITS; i++) {
                add((Case){BRANCH_IMM, .cond = cond, .a = a, .value = limits[i]});
                if (cond <= JIT_NE) {
                    add((Case){BRANCH_BITS, .cond = cond, .a = a, .value = limits[i]});
                }
            }
        }
    }
    for (int bit = 0; bit < 64; bit++) {
        add((Case){BRANCH_BITS, .cond = bit & 1, .a = a_source(), .value = (int64_t)(1ull << bit)});
    }
    run_all();
}
END_TEST

START_TEST(test_branches_on_memory)
{
    for (JitCond cond = JIT_EQ; cond <= JIT_UGT; cond++) {
        for (JitWidth w = JIT_8; w <= JIT_S32; w++) {
            EACH(a, targets) {
                EACH(b, sources) {
                    add((Case){BRANCH_MEM, .cond = cond, .w = w, .a = a, .d = b,
                               .access = AT_BASE, .disp = disps[below(NDISPS)]});
                }
            }
            for (int i = 0; i < NLIMITS; i++) {
                for (int32_t j = 0; j < 2; j++) {
                    Case c = {BRANCH_MEM_IMM, .cond = cond, .w = w, .a = a_target(),
                              .access = AT_BASE, .disp = disps[below(NDISPS)], .value = limits[i]};
                    add(c);
                    if (cond <= JIT_NE) {
                        c.kind = BRANCH_MEM_BITS;
                        add(c);
                        c.value = (int64_t)((0xffull >> below(8)) << below(64));
                        add(c);
                    }
                }
                add((Case){BRANCH_ABS_IMM, .cond = cond, .w = w, .access = AT_ADDRESS,
                           .value = limits[i]});
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_conditions_as_values)
{
    for (JitCond cond = JIT_EQ; cond <= JIT_UGT; cond++) {
        EACH(d, targets) {
            EACH(a, sources) {
                EACH(b, sources) {
                    add((Case){SET, .cond = cond, .d = d, .a = a, .b = b});
                    add((Case){SELECT, .cond = cond, .d = d, .a = a, .b = b, .x = a_source(),
                               .y = a_source()});
                }
            }
            for (int i = 0; i < NLIMITS; i++) {
                add((Case){SET_IMM, .cond = cond, .d = d, .a = d, .value = limits[i]});
                add((Case){SET_IMM, .cond = cond, .d = d, .a = a_source(), .value = limits[i]});
            }
        }
    }
    EACH(d, targets) {
        EACH(x, sources) {
            EACH(y, sources) {
                add((Case){SELECT, .cond = below(10), .d = d, .a = a_source(), .b = a_source(),
                           .x = x, .y = y});
            }
        }
    }
    run_all();
}
END_TEST

START_TEST(test_doubles)
{
    EACH(d, floats) {
        EACH(a, floats) {
            add((Case){FMOV, .d = d, .a = a});
            add((Case){FSQRT, .d = d, .a = a});
            add((Case){FNEG, .d = d, .a = a});
            add((Case){FABS, .d = d, .a = a});
            EACH(b, floats) {
                for (int op = JIT_FADD; op <= JIT_FDIV; op++) {
                    add((Case){FOP, op, .d = d, .a = a, .b = b});
                }
            }
        }
        for (int i = 0; i < 40; i++) {
            add((Case){FMOV_IMM, .d = d, .value = (int64_t)random_float()});
        }
        for (int i = 0; i < 256; i++) {
            /* All values that aarch64 has as immediates are among these. */
            double value = (16 + i % 16) / 16.0 * ldexp(1, i / 16 % 8 - 3) * (i & 128 ? -1 : 1);
            add((Case){FMOV_IMM, .d = d, .value = (int64_t)as_bits(value)});
        }
    }
    run_all();
}
END_TEST

START_TEST(test_doubles_to_and_from_memory_and_integers)
{
    EACH(d, floats) {
        EACH(a, targets) {
            for (int i = 0; i < NDISPS; i++) {
                add((Case){FLOAD, .d = d, .a = a, .access = AT_BASE, .disp = disps[i]});
                add((Case){FSTORE, .d = d, .a = a, .access = AT_BASE, .disp = disps[i]});
            }
            add((Case){FTO_BITS, .d = a, .a = d});
            add((Case){FTO_INT, .d = a, .a = d});
        }
        EACH(a, sources) {
            add((Case){FFROM_BITS, .d = d, .a = a});
            add((Case){FFROM_INT, .d = d, .a = a});
        }
    }
    run_all();
}
END_TEST

START_TEST(test_conditions_of_doubles)
{
    for (JitCond cond = JIT_EQ; cond <= JIT_GT; cond++) {
        EACH(a, floats) {
            EACH(b, floats) {
                add((Case){FBRANCH, .cond = cond, .a = a, .b = b, .unordered = 0});
                add((Case){FBRANCH, .cond = cond, .a = a, .b = b, .unordered = 1});
                EACH(d, targets) {
                    add((Case){FSET, .cond = cond, .d = d, .a = a, .b = b});
                }
            }
        }
    }
    run_all();
}
END_TEST

/* ------------------------------------------------------------ functions, calls, labels */

static uint64_t (*
entry_at(uint8_t *code, JitLabel label))(uint64_t, uint64_t, uint64_t, uint64_t)
{
    uint8_t *place = code + _PyJit_LabelOffset(&as, label);
    return (uint64_t (*)(uint64_t, uint64_t, uint64_t, uint64_t))(uintptr_t)place;
}

static uint64_t was_given[6];

__attribute__((noinline)) static uint64_t
called(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    memcpy(was_given, (uint64_t[]){a, b, c, d, e, f}, sizeof(was_given));
    /* Whoever calls has a frame record, and its stack is aligned. */
    ck_assert_uint_eq((uintptr_t)__builtin_frame_address(0) % 16, 0);
    return a * 1000 + b;
}

START_TEST(test_calls_pass_arguments_and_align_the_stack)
{
    for (int near = 0; near < 2; near++) {
        for (uint32_t slots = 0; slots < 70; slots++) {
            for (int how = 0; how < 3; how++) {
                _PyJit_AsmInit(&as);
                JitRegSet saved = M->callee_saved & (JitRegSet)random_word();
                JitRegSet floats_saved = M->float_callee_saved & (JitRegSet)random_word();
                _PyJit_Prologue(&as, saved, floats_saved, slots);
                for (unsigned i = 0; i < 6; i++) {
                    _PyJit_MovImm(&as, M->args[i], 11 + i);
                }
                JitLabel function = _PyJit_NewLabel(&as);
                if (how == 0) {
                    _PyJit_Call(&as, (const void *)called);
                }
                else if (how == 1) {
                    JitReg r = M->result == M->args[0] ? 8 : M->result;
                    _PyJit_MovImm(&as, r, (uintptr_t)called);
                    _PyJit_CallReg(&as, r);
                }
                else {
                    _PyJit_CallLabel(&as, function);
                }
                _PyJit_OpImm(&as, JIT_ADD, M->result, M->result, 1);
                _PyJit_Return(&as);
                _PyJit_AsmPart(&as, 1);
                _PyJit_Bind(&as, function);
                _PyJit_Prologue(&as, saved, 0, slots);
                _PyJit_TailCall(&as, (const void *)called);
                uint8_t *code = finished(&as, near);
#ifdef __x86_64__
                ck_assert_uint_eq(_PyJit_FrameOfPrologue(code), as.frame_size);
#endif
                ck_assert_uint_eq(_PyJit_FrameOfPrologue(code + 1), 0);
                memset(was_given, 0, sizeof(was_given));
                ck_assert_uint_eq(((uint64_t (*)(void))(uintptr_t)code)(), 11013);
                for (unsigned i = 0; i < 6; i++) {
                    ck_assert_uint_eq(was_given[i], 11 + i);
                }
                _PyJit_AsmFree(&as);
            }
        }
    }
}
END_TEST

/* A function sets all saved registers and its slots, and calls one that saves and changes some
   of these. */
static void
check_saved(JitRegSet saved, JitRegSet saved_floats)
{
    _PyJit_AsmInit(&as);
    JitLabel clobber = _PyJit_NewLabel(&as), wrong = _PyJit_NewLabel(&as);
    enum { SLOTS = 600 };
    JitReg scratch = M->args[5];
    _PyJit_Prologue(&as, M->callee_saved, M->float_callee_saved, SLOTS);
    for (uint32_t i = 0; i < SLOTS; i++) {
        _PyJit_StoreImm(&as, JIT_64, M->frame_pointer, _PyJit_SlotDisp(&as, i), i);
    }
    for (JitReg r = 0; r < 32; r++) {
        if (M->callee_saved >> r & 1) {
            _PyJit_MovImm(&as, r, 1000 + r);
        }
        if (M->float_callee_saved >> r & 1) {
            _PyJit_FMovImm(&as, r, 1000 + r);
        }
    }
    _PyJit_CallLabel(&as, clobber);
    for (JitReg r = 0; r < 32; r++) {
        if (M->callee_saved >> r & 1) {
            _PyJit_BranchImm(&as, JIT_NE, r, 1000 + r, wrong);
        }
        if (M->float_callee_saved >> r & 1) {
            _PyJit_FToBits(&as, scratch, r);
            _PyJit_BranchImm(&as, JIT_NE, scratch, (int64_t)as_bits(1000 + r), wrong);
        }
    }
    _PyJit_BranchImm(&as, JIT_NE, M->frame, 101, wrong);
    _PyJit_BranchImm(&as, JIT_NE, M->thread, 102, wrong);
    for (uint32_t i = 0; i < SLOTS; i++) {
        _PyJit_BranchMemImm(&as, JIT_NE, JIT_64, M->frame_pointer, _PyJit_SlotDisp(&as, i), i,
                            wrong);
    }
    _PyJit_MovImm(&as, M->result, 1);
    _PyJit_Return(&as);
    _PyJit_Bind(&as, wrong);
    _PyJit_MovImm(&as, M->result, 0);
    _PyJit_Return(&as);

    _PyJit_Bind(&as, clobber);
    _PyJit_Prologue(&as, saved, saved_floats, 5);
    for (uint32_t i = 0; i < 5; i++) {
        _PyJit_StoreImm(&as, JIT_64, M->frame_pointer, _PyJit_SlotDisp(&as, i), -1);
    }
    for (JitReg r = 0; r < 32; r++) {
        if ((saved | (JitRegSet)1 << M->frame | (JitRegSet)1 << M->thread) >> r & 1) {
            _PyJit_MovImm(&as, r, 0);
        }
        if (saved_floats >> r & 1) {
            _PyJit_FMovImm(&as, r, 0);
        }
    }
    _PyJit_Return(&as);
    uint8_t *code = finished(&as, 0);
    uint64_t (*function)(uint64_t, uint64_t) = (uint64_t (*)(uint64_t, uint64_t))(uintptr_t)code;
    ck_assert_uint_eq(function(101, 102), 1);
    _PyJit_AsmFree(&as);
}

START_TEST(test_saved_registers_and_slots_survive_calls)
{
    check_saved(M->callee_saved, M->float_callee_saved);
    for (int i = 0; i < 30; i++) {
        check_saved(M->callee_saved & (JitRegSet)random_word(),
                    M->float_callee_saved & (JitRegSet)random_word());
    }
}
END_TEST

START_TEST(test_a_second_entry_goes_on_at_a_place)
{
    _PyJit_AsmInit(&as);
    JitLabel entry_at_place = _PyJit_NewLabel(&as), middle = _PyJit_NewLabel(&as);
    JitLabel place_of_middle = _PyJit_NewLabel(&as);
    _PyJit_Prologue(&as, M->callee_saved, 0, 3);
    _PyJit_OpImm(&as, JIT_ADD, M->frame, M->frame, 1000);
    _PyJit_Bind(&as, middle);
    _PyJit_OpImm(&as, JIT_MUL, M->frame, M->frame, 10);
    _PyJit_Op(&as, JIT_ADD, M->result, M->frame, M->thread);
    _PyJit_Return(&as);
    _PyJit_AsmPart(&as, 1);
    _PyJit_Bind(&as, entry_at_place);
    _PyJit_Prologue(&as, M->callee_saved, 0, 3);
    _PyJit_JumpReg(&as, M->args[2]);
    _PyJit_Bind(&as, place_of_middle);
    _PyJit_Prologue(&as, 0, 0, 0);
    _PyJit_MovLabel(&as, M->result, middle);
    _PyJit_Return(&as);
    uint8_t *code = finished(&as, 0);
    uintptr_t place = (uintptr_t)code + _PyJit_LabelOffset(&as, middle);
    ck_assert_uint_eq(entry_at(code, place_of_middle)(0, 0, 0, 0), place);
    ck_assert_uint_eq(entry_at(code, entry_at_place)(2, 3, place, 0), 23);
    ck_assert_uint_eq(((uint64_t (*)(uint64_t, uint64_t))(uintptr_t)code)(2, 3), 10023);
    _PyJit_AsmFree(&as);
}
END_TEST

/* Jumps over more than a byte or two bytes reach, in both directions and across the parts: the
   code counts how many of the places it has passed. */
START_TEST(test_labels_far_away)
{
    enum { PLACES = 40 };
    for (int gap = 0; gap < 6000; gap = 3 * gap + 20) {
        _PyJit_AsmInit(&as);
        JitLabel places[PLACES + 1];
        for (int i = 0; i <= PLACES; i++) {
            places[i] = _PyJit_NewLabel(&as);
        }
        _PyJit_Prologue(&as, 0, 0, 0);
        _PyJit_MovImm(&as, M->result, 0);
        _PyJit_Jump(&as, places[0]);
        for (int step = 0; step < PLACES; step++) {
            int i = step * 17 % PLACES;
            _PyJit_AsmPart(&as, i >> 2 & 1);
            _PyJit_Bind(&as, places[i]);
            _PyJit_OpImm(&as, JIT_ADD, M->result, M->result, 1);
            if (i & 1) {
                _PyJit_BranchImm(&as, JIT_EQ, M->result, i + 1, places[i + 1]);
            }
            else {
                _PyJit_Jump(&as, places[i + 1]);
            }
            for (int k = 0; k < gap; k++) {
                _PyJit_MovImm(&as, M->result, 0);
            }
        }
        _PyJit_Bind(&as, places[PLACES]);
        _PyJit_Return(&as);
        uint8_t *code = finished(&as, 0);
        ck_assert_uint_eq(((uint64_t (*)(void))(uintptr_t)code)(), PLACES);
        _PyJit_AsmFree(&as);
    }
}
END_TEST

/* Backward, over each number of bytes about which an encoding may be in doubt. */
START_TEST(test_short_jumps_back)
{
    for (int gap = 0; gap < 100; gap++) {
        for (int conditional = 0; conditional < 2; conditional++) {
            for (unsigned fine = 0; fine < 4; fine++) {
                JitLabel out = 0, start = 1, back = 2;
                _PyJit_AsmInit(&as);
                for (int i = 0; i < 3; i++) {
                    _PyJit_NewLabel(&as);
                }
                _PyJit_Prologue(&as, 0, 0, 0);
                _PyJit_MovImm(&as, M->result, 1);
                _PyJit_Jump(&as, start);
                _PyJit_Bind(&as, back);
                _PyJit_Jump(&as, out);
                /* On x86-64 of two bytes, then of three: all distances occur. */
                for (int k = 0; k < gap; k++) {
                    _PyJit_MovImm(&as, M->result, 0);
                }
                for (unsigned k = 0; k < fine; k++) {
                    _PyJit_Mov(&as, M->result, M->frame);
                }
                _PyJit_Bind(&as, start);
                if (conditional) {
                    _PyJit_BranchImm(&as, JIT_EQ, M->result, 1, back);
                    _PyJit_MovImm(&as, M->result, 0);
                }
                else {
                    _PyJit_Jump(&as, back);
                }
                _PyJit_Bind(&as, out);
                _PyJit_Return(&as);
                uint8_t *code = finished(&as, 0);
                ck_assert_uint_eq(((uint64_t (*)(void))(uintptr_t)code)(), 1);
                _PyJit_AsmFree(&as);
            }
        }
    }
}
END_TEST

START_TEST(test_places_are_offsets_in_finished_code)
{
    _PyJit_AsmInit(&as);
    _PyJit_AsmPart(&as, 1);
    uint32_t rare = _PyJit_AsmHere(&as);
    _PyJit_Return(&as);
    uint32_t rare_end = _PyJit_AsmHere(&as);
    _PyJit_AsmPart(&as, 0);
    ck_assert_uint_eq(_PyJit_AsmHere(&as), 0);
    _PyJit_Return(&as);
    _PyJit_Return(&as);
    uint32_t end = _PyJit_AsmHere(&as);
    ck_assert_uint_eq(_PyJit_AsmOffset(&as, rare), end);
    ck_assert_uint_eq(_PyJit_AsmOffset(&as, rare_end), end + end / 2);
    ck_assert_uint_eq(_PyJit_AsmSize(&as), (end + end / 2 + 7) & ~7u);
    _PyJit_AsmFree(&as);
}
END_TEST

START_TEST(test_code_runs_elsewhere_than_it_is_written)
{
    _PyJit_AsmInit(&as);
    _PyJit_Prologue(&as, 0, 0, 0);
    _PyJit_MovImm(&as, M->args[0], 3);
    _PyJit_MovImm(&as, M->args[1], 4);
    _PyJit_TailCall(&as, (const void *)called);
    size_t size = _PyJit_AsmSize(&as);
    uint8_t *code = mmap((void *)(((uintptr_t)&_PyJit_Mov + 0x4000000) & ~(uintptr_t)0xfff), size,
                         PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *copy = malloc(size);
    ck_assert_int_eq(_PyJit_AsmFinish(&as, copy, (uintptr_t)code), 0);
    memcpy(code, copy, size);
    free(copy);
    ck_assert_int_eq(mprotect(code, size, PROT_READ | PROT_EXEC), 0);
    __builtin___clear_cache((char *)code, (char *)code + size);
    ck_assert_uint_eq(((uint64_t (*)(void))(uintptr_t)code)(), 3004);
    _PyJit_AsmFree(&as);
}
END_TEST

/* ------------------------------------------------------------------------- failure */

static int allocations_left;

static void *
failing_realloc(void *context, void *block, size_t size)
{
    (void)context;
    return allocations_left-- > 0 ? realloc(block, size) : NULL;
}

static void
plain_free(void *context, void *block)
{
    (void)context;
    free(block);
}

static void
emit_much(void)
{
    JitLabel label = _PyJit_NewLabel(&as);
    for (int i = 0; i < 1000; i++) {
        _PyJit_AsmPart(&as, i & 1);
        _PyJit_OpImmOverflow(&as, JIT_ADD, M->result, M->result, i, label);
        _PyJit_Bind(&as, _PyJit_NewLabel(&as));
        _PyJit_Call(&as, (const void *)(uintptr_t)i);
        _PyJit_FMovImm(&as, 0, i);
        _PyJit_Branch(&as, JIT_EQ, M->result, M->result, label);
    }
    _PyJit_Bind(&as, label);
}

START_TEST(test_nothing_happens_when_memory_runs_out)
{
    PyMemAllocatorEx before, failing = {.realloc = failing_realloc, .free = plain_free};
    PyMem_GetAllocator(PYMEM_DOMAIN_RAW, &before);
    int failures = 0, finished_at = -1;
    for (int limit = 0; limit < 200 && finished_at < 0; limit++) {
        static uint8_t to[1 << 20];
        allocations_left = limit;
        PyMem_SetAllocator(PYMEM_DOMAIN_RAW, &failing);
        _PyJit_AsmInit(&as);
        emit_much();
        size_t size = _PyJit_AsmSize(&as);
        int done = size <= sizeof(to) ? _PyJit_AsmFinish(&as, to, (uintptr_t)to) : -2;
        int failed = as.failed;
        _PyJit_AsmFree(&as);
        PyMem_SetAllocator(PYMEM_DOMAIN_RAW, &before);
        ck_assert_int_eq(done, failed ? -1 : 0);
        failures += failed;
        finished_at = failed ? -1 : limit;
    }
    ck_assert_int_gt(failures, 10);
    ck_assert_int_gt(finished_at, 0);
}
END_TEST

START_TEST(test_code_that_is_too_long_fails)
{
    _PyJit_AsmInit(&as);
    for (long i = 0; i < 20l << 20 && !as.failed; i++) {
        _PyJit_MovImm(&as, M->result, (uint64_t)i);
    }
    ck_assert_int_eq(as.failed, 1);
    _PyJit_AsmFree(&as);
}
END_TEST

START_TEST(test_a_label_without_a_place_fails)
{
    uint8_t to[64];
    _PyJit_AsmInit(&as);
    _PyJit_Jump(&as, _PyJit_NewLabel(&as));
    ck_assert_uint_le(_PyJit_AsmSize(&as), sizeof(to));
    ck_assert_int_eq(_PyJit_AsmFinish(&as, to, (uintptr_t)to), -1);
    _PyJit_AsmFree(&as);
}
END_TEST

C_TESTS(machine_code, .start = choose_registers)
{
    tcase_add_checked_fixture(tests, forget_cases, NULL);
    tcase_add_test(tests, test_moves);
    tcase_add_test(tests, test_loads_and_stores);
    tcase_add_test(tests, test_indexed_loads_and_stores);
    tcase_add_test(tests, test_integer_operations);
    tcase_add_test(tests, test_integer_operations_with_immediates);
    tcase_add_test(tests, test_overflow_branches_and_leaves_its_operands);
    tcase_add_test(tests, test_division);
    tcase_add_test(tests, test_counting_in_memory);
    tcase_add_test(tests, test_branches);
    tcase_add_test(tests, test_branches_on_memory);
    tcase_add_test(tests, test_conditions_as_values);
    tcase_add_test(tests, test_doubles);
    tcase_add_test(tests, test_doubles_to_and_from_memory_and_integers);
    tcase_add_test(tests, test_conditions_of_doubles);
    tcase_add_test(tests, test_calls_pass_arguments_and_align_the_stack);
    tcase_add_test(tests, test_saved_registers_and_slots_survive_calls);
    tcase_add_test(tests, test_a_second_entry_goes_on_at_a_place);
    tcase_add_test(tests, test_labels_far_away);
    tcase_add_test(tests, test_short_jumps_back);
    tcase_add_test(tests, test_places_are_offsets_in_finished_code);
    tcase_add_test(tests, test_code_runs_elsewhere_than_it_is_written);
    tcase_add_test(tests, test_nothing_happens_when_memory_runs_out);
    tcase_add_test(tests, test_code_that_is_too_long_fails);
    tcase_add_test(tests, test_a_label_without_a_place_fails);
}

#endif
