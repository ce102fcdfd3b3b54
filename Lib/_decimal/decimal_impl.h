/* The parts of _decimal.

   value.c      coefficients: digits, powers of ten, from and to C and GMP integers
   round.c      rounding, and what a context asks of a result (finalize)
   arith.c      + - * / and their relatives, quantize, square root
   compare.c    order, total order, minimum and maximum
   digits.c     operations on single digits: shifts, rotations, logic, neighbours
   transcend.c  exp, ln, log10, power
   text.c       from and to text
   format.c     __format__
   convert.c    from and to Python's other numbers, hashes
   context.c    Context, its signals, the current context, localcontext()
   decimal.c    Decimal: construction, operators, methods
   module.c     exceptions and the module

   A number is sign, kind, exponent and coefficient. A coefficient below 2**128 is in the number
   itself, a larger one is an mpz. The functions of the arithmetic know nothing of Python: they
   take a context and return conditions as bits, and `r`, where they put the result, is never one
   of the operands. Since they call no Python code they share scratch numbers under the GIL.

   The behaviour is that of the General Decimal Arithmetic Specification, and of python3.11 where
   it leaves a choice. */
#ifndef SB_LIB_DECIMAL_IMPL_H
#define SB_LIB_DECIMAL_IMPL_H

#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include "Python.h"
#include "internal/object.h"
#include <gmp.h>
#include <stdint.h>

typedef unsigned __int128 u128;

/* ------------------------------------------------------------------ numbers */

enum dec_kind { FINITE, INFINITE, QUIET_NAN, SIGNALLING_NAN };

typedef struct {
    int64_t exp;                /* 0 unless finite */
    int64_t digits;             /* of the coefficient; 0 has one digit, no payload has none */
    union {
        uint64_t w[2];          /* the low word first */
        mpz_t big;              /* if is_big: at least 2**128 */
    };
    uint8_t kind, sign, is_big;
} num;

typedef struct {
    PyObject_HEAD
    Py_hash_t hash;             /* or -1 */
    num v;
} Decimal;

extern PyTypeObject _PyDecimal_Type;

#define Decimal_Check(op) PyObject_TypeCheck(op, &_PyDecimal_Type)
#define V(op) (&((Decimal *)(op))->v)

/* ----------------------------------------------------------------- contexts */

#define MAX_PREC 999999999999999999LL
#define MAX_EMAX 999999999999999999LL
#define MIN_EMIN (-999999999999999999LL)
#define MIN_ETINY (MIN_EMIN - (MAX_PREC - 1))

enum dec_condition {
    CLAMPED = 1,
    CONVERSION_SYNTAX = 2,
    DIVISION_BY_ZERO = 4,
    DIVISION_IMPOSSIBLE = 8,
    DIVISION_UNDEFINED = 0x10,
    INEXACT = 0x20,
    INVALID_CONTEXT = 0x40,
    INVALID_OPERATION = 0x80,
    NO_MEMORY = 0x100,
    FLOAT_OPERATION = 0x200,
    OVERFLOWED = 0x400,
    ROUNDED = 0x800,
    SUBNORMAL = 0x1000,
    UNDERFLOWED = 0x2000,
};
#define ANY_INVALID (CONVERSION_SYNTAX | DIVISION_IMPOSSIBLE | DIVISION_UNDEFINED \
                     | INVALID_CONTEXT | INVALID_OPERATION | NO_MEMORY)
#define ERRORS (ANY_INVALID | DIVISION_BY_ZERO)

enum dec_rounding {
    ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN,
    ROUND_HALF_EVEN, ROUND_05UP, ROUNDINGS
};

typedef struct {
    int64_t prec, emax, emin;
    uint32_t traps, status;
    uint8_t round, clamp, capitals;
} dctx;

static inline int64_t
dec_etiny(const dctx *ctx)
{
    return ctx->emin - (ctx->prec - 1);
}

static inline int64_t
dec_etop(const dctx *ctx)
{
    return ctx->emax - (ctx->prec - 1);
}

typedef struct {
    PyObject_HEAD
    dctx c;
    PyObject *traps, *flags;    /* SignalDicts */
} Context;

extern PyTypeObject _PyDecimal_ContextType;
#define Context_Check(op) PyObject_TypeCheck(op, &_PyDecimal_ContextType)

/* For exact conversions: the largest limits. */
extern const dctx _dec_exact;

/* Returns a borrowed reference, or NULL with an exception. It stays valid while no Python code
   runs. */
Context *_dec_current(void);
/* An optional argument: the current context for NULL and None. */
Context *_dec_context_arg(PyObject *arg);
/* -1 with TypeError */
int _dec_rounding_arg(PyObject *arg);
/* Sets flags; raises what is trapped: 0 or -1. */
int _dec_signal_slow(Context *ctx, uint32_t status);
static inline int
_dec_signal(Context *ctx, uint32_t status)
{
    return status == 0 ? 0 : _dec_signal_slow(ctx, status);
}

int _dec_init_contexts(PyObject *module);
PyObject *_dec_context_copy(PyObject *self, PyObject *ignored);
PyObject *_dec_context_reduce(PyObject *self, PyObject *ignored);
extern PyMethodDef _dec_module_methods[];
extern PyMethodDef _dec_context_methods[];

/* The exceptions: one for each bit of enum dec_condition that has one. */
struct dec_signal {
    const char *name;
    uint32_t condition;         /* that is listed by it */
    uint32_t flags;             /* that it stands for as a signal; 0 if it is none */
    PyObject *exception;
};
#define DEC_SIGNALS 9
extern struct dec_signal _dec_signals[DEC_SIGNALS];
#define DEC_CONDITIONS 4
extern struct dec_signal _dec_conditions[DEC_CONDITIONS];
extern PyObject *_dec_tuple_type;
extern PyObject *_dec_rational;
extern PyObject *_dec_round_names[ROUNDINGS];

/* ------------------------------------------------------------ value.c: numbers */

extern const uint64_t _dec_p10[20];
extern const u128 _dec_p10_128[39];

/* Scratch numbers of one operation. */
extern mpz_t _dec_z0, _dec_z1, _dec_z2;

void _dec_init_values(void);

static inline u128
coef(const num *n)
{
    return (u128)n->w[1] << 64 | n->w[0];
}

static inline int
digits_of_word(uint64_t v)
{
    int t = (64 - __builtin_clzll(v | 1)) * 1233 >> 12;
    return t + (v >= _dec_p10[t]) + (v == 0);
}

static inline int
digits_of_u128(u128 v)
{
    uint64_t high = (uint64_t)(v >> 64);
    if (high == 0) {
        return digits_of_word((uint64_t)v);
    }
    int t = (128 - __builtin_clzll(high)) * 1233 >> 12;
    return t + (v >= _dec_p10_128[t]);
}

static inline void
set_small(num *n, u128 c)
{
    n->is_big = 0;
    n->w[0] = (uint64_t)c;
    n->w[1] = (uint64_t)(c >> 64);
    n->digits = digits_of_u128(c);
}

static inline int
is_zero(const num *n)
{
    return n->kind == FINITE && !n->is_big && (n->w[0] | n->w[1]) == 0;
}

static inline int
zero_coef(const num *n)
{
    return !n->is_big && (n->w[0] | n->w[1]) == 0;
}

static inline int
is_nan(const num *n)
{
    return n->kind >= QUIET_NAN;
}

static inline int64_t
adjusted(const num *n)
{
    return n->exp + n->digits - 1;
}

/* A finite number of a small coefficient. */
static inline void
set_triple(num *n, int sign, u128 c, int64_t exp)
{
    n->kind = FINITE;
    n->sign = (uint8_t)sign;
    n->exp = exp;
    set_small(n, c);
}

static inline void
set_special(num *n, int sign, enum dec_kind kind)
{
    n->kind = (uint8_t)kind;
    n->sign = (uint8_t)sign;
    n->exp = n->digits = 0;
    n->is_big = 0;
    n->w[0] = n->w[1] = 0;
}

static inline void
set_invalid(num *n, uint32_t condition, uint32_t *status)
{
    set_special(n, 0, QUIET_NAN);
    *status |= condition;
}

static inline void
num_clear(num *n)
{
    if (n->is_big) {
        mpz_clear(n->big);
        n->is_big = 0;
    }
}

/* The coefficient to read; z need not be cleared. */
static inline mpz_srcptr
view(const num *n, mpz_t z)
{
    return n->is_big ? n->big
        : mpz_roinit_n(z, (const mp_limb_t *)n->w, n->w[1] != 0 ? 2 : n->w[0] != 0);
}

/* The coefficient of n becomes z's value. */
void _dec_set_mpz(num *n, mpz_srcptr z);
void _dec_copy(num *r, const num *a);
int64_t _dec_digits_of_mpz(mpz_srcptr z);
/* 10**n; to be read before two more calls for n > 255. */
mpz_srcptr _dec_pow10(uint64_t n);
/* Is there memory for a coefficient of so many digits? If not, sets NO_MEMORY and returns 0. */
int _dec_room(int64_t digits, uint32_t *status);
/* n's coefficient times 10**shift, without change of the exponent. 0 with NO_MEMORY. */
int _dec_shift_left(num *n, int64_t shift, uint32_t *status);
int64_t _dec_trailing_zeros(const num *n);
/* The coefficient's digits at p, of which there are n->digits. */
void _dec_write_digits(const num *n, char *p);
/* The coefficient becomes that of the digits, which are overwritten. */
void _dec_read_digits(num *n, char *digits, size_t len);
/* The coefficient modulo 10**digits. */
void _dec_keep_low(num *n, int64_t digits);
/* An int's value as a finite number. 0, or -1 with MemoryError. */
int _dec_from_int(num *n, PyObject *op);
/* Returns 1 and stores it if the number is an integer that fits. */
int _dec_as_int64(const num *n, int64_t *value);
int _dec_is_integer(const num *n);
int _dec_is_odd(const num *n);

/* Quotient and remainder by a word: x86-64 divides two words by one. */
static inline u128
div_word(u128 c, uint64_t d, u128 *rest)
{
#ifdef __x86_64__
    uint64_t high = (uint64_t)(c >> 64), low = (uint64_t)c, q_high = high / d, q, r;
    __asm__("divq %4" : "=a"(q), "=d"(r) : "0"(low), "1"(high - q_high * d), "rm"(d) : "cc");
    *rest = r;
    return (u128)q_high << 64 | q;
#else
    u128 q = c / d;
    *rest = c - q * d;
    return q;
#endif
}

/* Quotient and remainder by 10**k, k <= 38. */
static inline u128
div_pow10(u128 c, int k, u128 *rest)
{
    if (k <= 19 && c >> 64 == 0) {
        uint64_t low = (uint64_t)c, q = low / _dec_p10[k];
        *rest = low - q * _dec_p10[k];
        return q;
    }
    if (k <= 19) {
        return div_word(c, _dec_p10[k], rest);
    }
    u128 q = c / _dec_p10_128[k];
    *rest = c - q * _dec_p10_128[k];
    return q;
}

/* ---------------------------------------------------------------- round.c */

/* Drops that many digits of the coefficient and raises the exponent as much. A carry may give a
   digit more than asked for. */
void _dec_drop(num *n, int64_t drop, int rounding, uint32_t *status);
/* Is the coefficient to be raised by one? last: its last digit (or its last bit, unless rounding
   is ROUND_05UP); half: <0, 0, >0 as what has been dropped, which isn't 0, is to a half. */
int _dec_raises(int rounding, int sign, unsigned last, int half);
/* The same of the quotient by `unit` that left `rest`, which isn't 0. */
static inline int
raises_quotient(int rounding, int sign, u128 q, u128 rest, u128 unit)
{
    u128 others = unit - rest;          /* rest ? unit / 2, without overflow */
    return _dec_raises(rounding, sign,
                       rounding == ROUND_05UP ? (unsigned)(q % 10) : (unsigned)q & 1,
                       rest < others ? -1 : rest > others);
}
void _dec_finalize_slow(num *n, const dctx *ctx, uint32_t *status);
/* Makes n fit in the context. */
static inline void
finalize(num *n, const dctx *ctx, uint32_t *status)
{
    int64_t adj = n->exp + n->digits - 1;
    if (n->kind == FINITE && n->digits <= ctx->prec && adj >= ctx->emin
        && (ctx->clamp ? n->exp <= dec_etop(ctx) : adj <= ctx->emax)) {
        return;
    }
    _dec_finalize_slow(n, ctx, status);
}
/* The same; the coefficient is z, a scratch number other than z2, whose value is lost. */
void _dec_finalize_mpz(num *n, mpz_t z, const dctx *ctx, uint32_t *status);
/* If an operand is a NaN, it is the result (quiet): 1. b and c may be NULL. */
int _dec_nan_operand(num *r, const num *a, const num *b, const num *c, const dctx *ctx,
                     uint32_t *status);

/* ------------------------------------------------------------- operations */

#define UNARY(name) void name(num *r, const num *a, const dctx *ctx, uint32_t *status)
#define BINARY(name) \
    void name(num *r, const num *a, const num *b, const dctx *ctx, uint32_t *status)
typedef UNARY((*unary_op));
typedef BINARY((*binary_op));

/* arith.c */
BINARY(_dec_add);
BINARY(_dec_subtract);
BINARY(_dec_multiply);
BINARY(_dec_divide);
BINARY(_dec_divide_int);
BINARY(_dec_remainder);
BINARY(_dec_remainder_near);
BINARY(_dec_quantize);
UNARY(_dec_plus);
UNARY(_dec_minus);
UNARY(_dec_abs);
UNARY(_dec_normalize);
UNARY(_dec_to_integral_value);
UNARY(_dec_to_integral_exact);
UNARY(_dec_sqrt);
void _dec_divmod(num *q, num *r, const num *a, const num *b, const dctx *ctx, uint32_t *status);
void _dec_fma(num *r, const num *a, const num *b, const num *c, const dctx *ctx,
              uint32_t *status);
/* The product, not rounded. */
void _dec_multiply_exact(num *r, const num *a, const num *b, uint32_t *status);

/* compare.c: -1, 0, 1 of numbers that are no NaNs. */
int _dec_cmp(const num *a, const num *b);
int _dec_cmp_magnitude(const num *a, const num *b);
BINARY(_dec_compare);
BINARY(_dec_compare_signal);
BINARY(_dec_compare_total);
BINARY(_dec_compare_total_mag);
BINARY(_dec_max);
BINARY(_dec_min);
BINARY(_dec_max_mag);
BINARY(_dec_min_mag);

/* digits.c */
BINARY(_dec_logical_and);
BINARY(_dec_logical_or);
BINARY(_dec_logical_xor);
UNARY(_dec_logical_invert);
BINARY(_dec_rotate);
BINARY(_dec_shift);
BINARY(_dec_scaleb);
UNARY(_dec_logb);
UNARY(_dec_next_plus);
UNARY(_dec_next_minus);
BINARY(_dec_next_toward);
BINARY(_dec_copy_sign);
UNARY(_dec_copy_abs);
UNARY(_dec_copy_negate);
const char *_dec_number_class(const num *a, const dctx *ctx);

/* transcend.c */
UNARY(_dec_exp);
UNARY(_dec_ln);
UNARY(_dec_log10);
BINARY(_dec_power);
void _dec_power_modulo(num *r, const num *a, const num *b, const num *m, const dctx *ctx,
                       uint32_t *status);

/* ------------------------------------------------------------------ Python */

/* A new Decimal with the number, which is stolen; NULL if the conditions raise. */
PyObject *_dec_new(num *v);
PyObject *_dec_new_of_type(PyTypeObject *type, num *v);
static inline PyObject *
_dec_finish(num *v, Context *ctx, uint32_t status)
{
    if (_dec_signal(ctx, status) < 0) {
        num_clear(v);
        return NULL;
    }
    return _dec_new(v);
}

/* convert.c */
/* Any argument of the constructor, exact or for ctx. 0 or -1. */
int _dec_from_object(num *n, PyObject *op, Context *ctx, int exact);
int _dec_from_float_object(num *n, PyObject *op);
/* The integer part after rounding. */
PyObject *_dec_to_int(const num *a, int rounding);
PyObject *_dec_to_float(PyObject *self);
PyObject *_dec_as_tuple(PyObject *self, PyObject *ignored);
PyObject *_dec_as_integer_ratio(PyObject *self, PyObject *ignored);
Py_hash_t _dec_hash(PyObject *self);
PyObject *_dec_richcompare(PyObject *a, PyObject *b, int op);
/* Of two Decimals. -1: one is not finite. */
int _dec_quick_compare(PyObject *a, PyObject *b, int op);

/* text.c */
/* A literal of ASCII characters; the result is exact. Sets CONVERSION_SYNTAX for what is none,
   INVALID_OPERATION for what has no exact value. `loose`: as Decimal(), with underscores. */
void _dec_parse(num *n, const char *s, Py_ssize_t len, int loose, uint32_t *status);
/* Returns a new str. */
PyObject *_dec_to_str(const num *n, int capitals, int engineering, const char *before,
                      const char *after);
/* The text as a C string to be freed with PyMem_Free; local has room for the common case. */
#define TEXT_ROOM 128
char *_dec_text(const num *n, int capitals, int engineering, char *local, Py_ssize_t *len);
PyObject *_dec_format(PyObject *self, PyObject *args);

#endif
