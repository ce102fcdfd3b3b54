/* Arithmetic of ints.

   Each operation tries machine words first. If they don't suffice, loops over digits
   follow; GMP (by_gmp.c) multiplies and divides numbers of more than a few digits. The
   loops work on magnitudes; the signs are applied at the end. */

#include "by_gmp.h"
#include "internal/float.h"
#include "internal/tuple.h"
#include "internal/wide_loop.h"
#include "pairs.h"
#include <float.h>
#include <math.h>

/* Operands with at least this many digits are multiplied by GMP. */
#define GMP_MULTIPLY_CUTOFF 8
/* Division uses GMP if the divisor has at least this many digits. */
#define GMP_DIVIDE_CUTOFF 2

#define SIZE_OF(op) Py_ABS(Py_SIZE(op))
#define AS_INT(op) ((PyLongObject *)(op))

/* Returns op itself if it is an exact int, else an exact copy. */
static PyObject *
as_exact(PyObject *op)
{
    if (PyLong_CheckExact(op)) {
        return Py_NewRef(op);
    }
    return _PyLong_Copy(AS_INT(op));
}

/* ------------------------------------------------------- sums of magnitudes */

static PyObject *
add_magnitudes(PyLongObject *a, PyLongObject *b, int negative)
{
    Py_ssize_t na = SIZE_OF(a), nb = SIZE_OF(b);
    if (na < nb) {
        PyLongObject *t = a; a = b; b = t;
        Py_ssize_t n = na; na = nb; nb = n;
    }
    PyLongObject *sum = _PyLong_New(na + 1);
    if (sum == NULL) {
        return NULL;
    }
    uint64_t carried = 0;
    Py_ssize_t i = 0;
    for (; i < nb - 1; i += 2) {
        uint64_t pair = pair_add(pair_load(a->ob_digit + i), pair_load(b->ob_digit + i), &carried);
        pair_store(sum->ob_digit + i, pair & PAIR_MASK);
    }
    digit carry = (digit)carried;
    if (i < nb) {
        carry += a->ob_digit[i] + b->ob_digit[i];
        sum->ob_digit[i++] = carry & PyLong_MASK;
        carry >>= PyLong_SHIFT;
    }
    for (; carry != 0 && i < na; i++) {
        carry += a->ob_digit[i];
        sum->ob_digit[i] = carry & PyLong_MASK;
        carry >>= PyLong_SHIFT;
    }
    for (; i < na; i++) {
        sum->ob_digit[i] = a->ob_digit[i];
    }
    sum->ob_digit[na] = carry;
    if (carry == 0 && na > 2) {
        Py_SET_SIZE(sum, na);
    }
    if (negative) {
        Py_SET_SIZE(sum, -Py_SIZE(sum));
    }
    return _PyLong_Finish(sum);
}

/* |a| - |b|, negated on request. */
static PyObject *
subtract_magnitudes(PyLongObject *a, PyLongObject *b, int negative)
{
    Py_ssize_t na = SIZE_OF(a), nb = SIZE_OF(b);
    if (na == nb) {
        while (na > 0 && a->ob_digit[na - 1] == b->ob_digit[na - 1]) {
            na--;
        }
        nb = na;
        if (na == 0) {
            return _PyLong_GetSmall(0);
        }
    }
    if (na < nb || (na == nb && a->ob_digit[na - 1] < b->ob_digit[na - 1])) {
        PyLongObject *t = a; a = b; b = t;
        Py_ssize_t n = na; na = nb; nb = n;
        negative = !negative;
    }
    PyLongObject *difference = _PyLong_New(na);
    if (difference == NULL) {
        return NULL;
    }
    uint64_t borrowed = 0;
    Py_ssize_t i = 0;
    for (; i < nb - 1; i += 2) {
        uint64_t pair = pair_subtract(pair_load(a->ob_digit + i), pair_load(b->ob_digit + i),
                                      &borrowed);
        pair_store(difference->ob_digit + i, pair & PAIR_MASK);
    }
    digit borrow = (digit)borrowed;
    if (i < nb) {
        borrow = a->ob_digit[i] - b->ob_digit[i] - borrow;
        difference->ob_digit[i++] = borrow & PyLong_MASK;
        borrow = borrow >> 31;
    }
    for (; i < na; i++) {
        borrow = a->ob_digit[i] - borrow;
        difference->ob_digit[i] = borrow & PyLong_MASK;
        borrow = borrow >> 31;
    }
    if (negative) {
        Py_SET_SIZE(difference, -Py_SIZE(difference));
    }
    return _PyLong_Finish(difference);
}

PyObject *
_PyLong_Add(PyObject *a, PyObject *b)
{
    int64_t x, y;
    if (_PyLong_CheckCompact(a) && _PyLong_CheckCompact(b)) {
        return _PyLong_FromInt64(_PyLong_CompactValue(a)
                                 + _PyLong_CompactValue(b));
    }
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)) {
        return _PyLong_AddInt64(x, y);
    }
    if ((Py_SIZE(a) < 0) == (Py_SIZE(b) < 0)) {
        return add_magnitudes(AS_INT(a), AS_INT(b), Py_SIZE(a) < 0);
    }
    return subtract_magnitudes(AS_INT(a), AS_INT(b), Py_SIZE(a) < 0);
}

PyObject *
_PyLong_Subtract(PyObject *a, PyObject *b)
{
    int64_t x, y;
    if (_PyLong_CheckCompact(a) && _PyLong_CheckCompact(b)) {
        return _PyLong_FromInt64(_PyLong_CompactValue(a)
                                 - _PyLong_CompactValue(b));
    }
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)) {
        return _PyLong_SubtractInt64(x, y);
    }
    if ((Py_SIZE(a) < 0) != (Py_SIZE(b) < 0)) {
        return add_magnitudes(AS_INT(a), AS_INT(b), Py_SIZE(a) < 0);
    }
    return subtract_magnitudes(AS_INT(a), AS_INT(b), Py_SIZE(a) < 0);
}

PyObject *
_PyLong_Negate(PyObject *a)
{
    int64_t x;
    if (_PyLong_AsInt64Exact(a, &x)) {
        return _PyLong_FromInt64(-x);
    }
    PyObject *copy = _PyLong_Copy(AS_INT(a));
    if (copy != NULL) {
        Py_SET_SIZE(copy, -Py_SIZE(copy));
    }
    return copy;
}

static PyObject *
int_absolute(PyObject *a)
{
    return Py_SIZE(a) < 0 ? _PyLong_Negate(a) : as_exact(a);
}

static PyObject *
int_invert(PyObject *a)
{
    int64_t x;
    if (_PyLong_AsInt64Exact(a, &x)) {
        return _PyLong_FromInt64(~x);
    }
    PyLongObject *one = &_PyLong_small_ints[_PyLong_SMALL_NEG + 1];
    if (Py_SIZE(a) < 0) {
        return subtract_magnitudes(AS_INT(a), one, 0);
    }
    return add_magnitudes(AS_INT(a), one, 1);
}

/* ----------------------------------------------------------- multiplication */

/* out[0:n] = b[0:n] * factor, or += that. Returns what goes beyond: a number of 60 bits, as the
   factor is. A pair of digits is one number here. The factor is multiplied by 16, so that the
   upper word of a product begins where the next pair does. */
static inline uint64_t
multiply_row(digit *out, const digit *b, Py_ssize_t n, uint64_t factor, int add)
{
    const uint64_t scaled = factor << (64 - PAIR_BITS);
    uint64_t above = 0;
    Py_ssize_t i = 0;
    for (; i < n - 1; i += 2) {
        unsigned __int128 sum = (unsigned __int128)digits_to_number(b + i) * scaled + above;
        if (add) {
            sum += digits_to_number(out + i) << (64 - PAIR_BITS);
        }
        number_to_digits((uint64_t)sum >> (64 - PAIR_BITS), out + i);
        above = (uint64_t)(sum >> 64) << (64 - PAIR_BITS);
    }
    above >>= 64 - PAIR_BITS;
    if (i < n) {
        unsigned __int128 sum = (unsigned __int128)b[i] * factor + above;
        if (add) {
            sum += out[i];
        }
        out[i] = (digit)sum & PyLong_MASK;
        above = (uint64_t)(sum >> PyLong_SHIFT);
    }
    return above;
}

/* A row for each pair of a's digits; a is the shorter operand, and not 0. */
static PyObject *
multiply_digits(PyLongObject *a, PyLongObject *b)
{
    Py_ssize_t na = SIZE_OF(a), nb = SIZE_OF(b);
    PyLongObject *product = _PyLong_New(na + nb);
    if (product == NULL) {
        return NULL;
    }
    digit *out = product->ob_digit;
    const digit *d = a->ob_digit;
    if (na == 1) {
        out[nb] = (digit)multiply_row(out, b->ob_digit, nb, d[0], 0);
    }
    else {
        number_to_digits(multiply_row(out, b->ob_digit, nb, digits_to_number(d), 0), out + nb);
        Py_ssize_t i = 2;
        for (; i < na - 1; i += 2) {
            uint64_t above = multiply_row(out + i, b->ob_digit, nb, digits_to_number(d + i), 1);
            number_to_digits(above, out + i + nb);
        }
        if (i < na) {
            out[i + nb] = (digit)multiply_row(out + i, b->ob_digit, nb, d[i], 1);
        }
    }
    if ((Py_SIZE(a) < 0) != (Py_SIZE(b) < 0)) {
        Py_SET_SIZE(product, -Py_SIZE(product));
    }
    return _PyLong_Finish(product);
}

PyObject *
_PyLong_Multiply(PyObject *a, PyObject *b)
{
    int64_t x, y;
    if (_PyLong_CheckCompact(a) && _PyLong_CheckCompact(b)) {
        return _PyLong_FromInt64(_PyLong_CompactValue(a)
                                 * _PyLong_CompactValue(b));
    }
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)) {
        return _PyLong_MultiplyInt64(x, y);
    }
    if (SIZE_OF(a) > SIZE_OF(b)) {
        PyObject *t = a; a = b; b = t;
    }
    if (Py_SIZE(a) == 0) {
        return _PyLong_GetSmall(0);
    }
    if (SIZE_OF(a) < GMP_MULTIPLY_CUTOFF) {
        return multiply_digits(AS_INT(a), AS_INT(b));
    }
    return _PyLong_GMPMultiply(AS_INT(a), AS_INT(b));
}

/* ----------------------------------------------------------------- division */

static void
zero_division(const char *message)
{
    PyErr_SetString(PyExc_ZeroDivisionError, message);
}

/* Divides a by one digit. Returns the quotient; *rest gets the remainder. */
static PyLongObject *
divide_by_digit(PyLongObject *a, digit divisor, digit *rest)
{
    Py_ssize_t n = SIZE_OF(a);
    PyLongObject *quotient = _PyLong_New(n);
    if (quotient == NULL) {
        return NULL;
    }
    uint64_t r = 0;
    while (--n >= 0) {
        r = r << PyLong_SHIFT | a->ob_digit[n];
        quotient->ob_digit[n] = (digit)(r / divisor);
        r %= divisor;
    }
    *rest = (digit)r;
    return _PyLong_Normalize(quotient);
}

static digit
remainder_by_digit(PyLongObject *a, digit divisor)
{
    uint64_t r = 0;
    for (Py_ssize_t n = SIZE_OF(a); --n >= 0; ) {
        r = (r << PyLong_SHIFT | a->ob_digit[n]) % divisor;
    }
    return (digit)r;
}

/* |op| >> shift, of which the caller knows that it fits; a negative shift is one to the left. */
static unsigned __int128
leading_bits(PyLongObject *op, Py_ssize_t shift)
{
    const digit *d = op->ob_digit;
    Py_ssize_t last = shift > 0 ? shift / PyLong_SHIFT : 0;
    unsigned __int128 bits = 0;
    for (Py_ssize_t i = SIZE_OF(op); --i > last; ) {
        bits = bits << PyLong_SHIFT | d[i];
    }
    if (shift <= 0) {
        return (bits << PyLong_SHIFT | d[0]) << -shift;
    }
    shift %= PyLong_SHIFT;
    return bits << (PyLong_SHIFT - shift) | d[last] >> shift;
}

static Py_ssize_t
bits_of(PyLongObject *op)
{
    Py_ssize_t n = SIZE_OF(op);
    return n * PyLong_SHIFT - (__builtin_clz(op->ob_digit[n - 1]) - (32 - PyLong_SHIFT));
}

/* |a| / |b|, truncated, if that has no more than 60 bits and is certain from b's first 64 bits and
   the bits of a that stand above and over them. Returns 0 otherwise, and if there might be no
   remainder. Neither is zero.

   Let A and B be a and b without their last k bits. Then q = A / B is not too small. And if
   A - q * B > q, what B lacks does not matter: a - q * b > (A - q * B - q) * 2**k >= 0. */
static inline int
quotient_in_word(PyLongObject *a, PyLongObject *b, uint64_t *quotient)
{
    Py_ssize_t nbits = bits_of(b);
    if (bits_of(a) - nbits >= PAIR_BITS) {
        return 0;
    }
    unsigned __int128 top = leading_bits(a, nbits - 64);
    uint64_t divisor = (uint64_t)leading_bits(b, nbits - 64);
    uint64_t q = (uint64_t)(top / divisor);
    *quotient = q;
    return (uint64_t)top - q * divisor > (nbits > 64 ? q : 0);
}

/* Truncating division of magnitudes with the signs of C. b is not zero. */
static int
trunc_divmod(PyLongObject *a, PyLongObject *b,
             PyLongObject **quotient, PyLongObject **remainder)
{
    if (SIZE_OF(a) < SIZE_OF(b)) {
        PyObject *rest = NULL;
        if (remainder != NULL
            && (rest = as_exact((PyObject *)a)) == NULL) {
            return -1;
        }
        if (quotient != NULL) {
            *quotient = AS_INT(_PyLong_GetSmall(0));
        }
        if (remainder != NULL) {
            *remainder = AS_INT(rest);
        }
        return 0;
    }
    if (SIZE_OF(b) >= GMP_DIVIDE_CUTOFF) {
        return _PyLong_GMPDivmod(a, b, quotient, remainder);
    }
    digit rest;
    PyLongObject *q = NULL;
    if (quotient == NULL) {
        rest = remainder_by_digit(a, b->ob_digit[0]);
    }
    else {
        q = divide_by_digit(a, b->ob_digit[0], &rest);
        if (q == NULL) {
            return -1;
        }
        if ((Py_SIZE(a) < 0) != (Py_SIZE(b) < 0)) {
            Py_SET_SIZE(q, -Py_SIZE(q));
        }
        q = AS_INT(_PyLong_Finish(q));
    }
    if (remainder != NULL) {
        int64_t r = Py_SIZE(a) < 0 ? -(int64_t)rest : (int64_t)rest;
        *remainder = AS_INT(_PyLong_FromInt64(r));
        if (*remainder == NULL) {
            Py_XDECREF(q);
            return -1;
        }
    }
    if (quotient != NULL) {
        *quotient = q;
    }
    return 0;
}

/* Both quotient and remainder, floor semantics; either pointer may be NULL.
   0, or -1 with an exception. */
static int
floor_divmod(PyObject *a, PyObject *b, PyObject **quotient,
             PyObject **remainder)
{
    int64_t x, y;
    if (Py_SIZE(b) == 0) {
        zero_division("integer division or modulo by zero");
        return -1;
    }
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)) {
        /* One division gives both. The product may wrap, the difference is right. */
        int64_t floor = quotient != NULL ? _PyLong_FloorDivInt64(x, y) : 0;
        PyObject *q = NULL;
        if (quotient != NULL) {
            q = _PyLong_FromInt64(floor);
            if (q == NULL) {
                return -1;
            }
        }
        if (remainder != NULL) {
            *remainder = _PyLong_FromInt64(
                quotient != NULL ? (int64_t)((uint64_t)x - (uint64_t)floor * (uint64_t)y)
                                 : _PyLong_FloorModInt64(x, y));
            if (*remainder == NULL) {
                Py_XDECREF(q);
                return -1;
            }
        }
        if (quotient != NULL) {
            *quotient = q;
        }
        return 0;
    }
    const int signs_differ = (Py_SIZE(a) < 0) != (Py_SIZE(b) < 0);
    uint64_t word;
    if (remainder == NULL && SIZE_OF(a) >= SIZE_OF(b)
        && quotient_in_word(AS_INT(a), AS_INT(b), &word)) {
        *quotient = _PyLong_FromInt64(signs_differ ? -(int64_t)word - 1 : (int64_t)word);
        return *quotient == NULL ? -1 : 0;
    }
    PyLongObject *q = NULL, *r = NULL;
    if (trunc_divmod(AS_INT(a), AS_INT(b), quotient != NULL ? &q : NULL,
                     remainder != NULL || signs_differ ? &r : NULL) < 0) {
        return -1;
    }
    /* From truncation to floor: they differ only if the signs differ. */
    if (signs_differ && Py_SIZE(r) != 0 && (Py_SIZE(r) < 0) != (Py_SIZE(b) < 0)) {
        if (remainder != NULL) {
            Py_SETREF(r, AS_INT(_PyLong_Add((PyObject *)r, b)));
        }
        if (r != NULL && q != NULL) {
            PyLongObject *one = &_PyLong_small_ints[_PyLong_SMALL_NEG + 1];
            Py_SETREF(q, AS_INT(_PyLong_Subtract((PyObject *)q,
                                                 (PyObject *)one)));
        }
        if (r == NULL || (quotient != NULL && q == NULL)) {
            Py_XDECREF(q);
            Py_XDECREF(r);
            return -1;
        }
    }
    if (quotient != NULL) {
        *quotient = (PyObject *)q;
    }
    if (remainder != NULL) {
        *remainder = (PyObject *)r;
    }
    else {
        Py_XDECREF(r);
    }
    return 0;
}

PyObject *
_PyLong_FloorDivide(PyObject *a, PyObject *b)
{
    PyObject *quotient;
    if (floor_divmod(a, b, &quotient, NULL) < 0) {
        return NULL;
    }
    return quotient;
}

PyObject *
_PyLong_Remainder(PyObject *a, PyObject *b)
{
    PyObject *remainder;
    if (Py_SIZE(b) == 0) {
        zero_division("integer modulo by zero");
        return NULL;
    }
    if (floor_divmod(a, b, NULL, &remainder) < 0) {
        return NULL;
    }
    return remainder;
}

static PyObject *
divmod_tuple(PyObject *a, PyObject *b)
{
    PyObject *q, *r;
    if (floor_divmod(a, b, &q, &r) < 0) {
        return NULL;
    }
    return _PyTuple_PairSteal(q, r);
}

/* (q, r): q is the integer nearest to a / b, ties to even, and
   r = a - q * b. */
PyObject *
_PyLong_DivmodNear(PyObject *a, PyObject *b)
{
    PyObject *q = NULL, *r = NULL, *twice = NULL, *pair = NULL;
    if (!PyLong_Check(a) || !PyLong_Check(b)) {
        PyErr_SetString(PyExc_TypeError, "non-integer arguments in division");
        return NULL;
    }
    if (floor_divmod(a, b, &q, &r) < 0) {
        return NULL;
    }
    /* Floor semantics: r has b's sign, so the two can be compared directly. */
    twice = _PyLong_Lshift(r, 1);
    if (twice == NULL) {
        goto done;
    }
    int order = _PyLong_Compare(twice, b);
    if (Py_SIZE(b) < 0) {
        order = -order;
    }
    int q_is_odd = Py_SIZE(q) != 0 && (AS_INT(q)->ob_digit[0] & 1);
    if (order > 0 || (order == 0 && q_is_odd)) {
        PyLongObject *one = &_PyLong_small_ints[_PyLong_SMALL_NEG + 1];
        Py_SETREF(q, _PyLong_Add(q, (PyObject *)one));
        Py_SETREF(r, _PyLong_Subtract(r, b));
    }
    if (q != NULL && r != NULL) {
        pair = PyTuple_Pack(2, q, r);
    }
done:
    Py_XDECREF(twice);
    Py_XDECREF(q);
    Py_XDECREF(r);
    return pair;
}

/* a / b as a double, rounded once. The quotient is computed as an integer of 55 or 56
   bits in units of 2**shift, with a sticky bit. For denormal results the unit is fixed
   at 2**-1076, two bits below their last. */
static double
divide_to_double(PyLongObject *a, PyLongObject *b)
{
    int negative = (Py_SIZE(a) < 0) != (Py_SIZE(b) < 0);
    Py_ssize_t abits = (Py_ssize_t)_PyLong_NumBits((PyObject *)a);
    Py_ssize_t bbits = (Py_ssize_t)_PyLong_NumBits((PyObject *)b);
    const Py_ssize_t lowest = DBL_MIN_EXP - DBL_MANT_DIG;
    Py_ssize_t difference = abits - bbits;
    if (abits == 0 || difference < lowest - 1) {
        return negative ? -0.0 : 0.0;
    }
    if (difference > DBL_MAX_EXP) {
        goto overflow;
    }
    Py_ssize_t shift = Py_MAX(difference - DBL_MANT_DIG - 2, lowest - 2);
    PyObject *x, *y;
    PyLongObject *q = NULL, *r = NULL;
    if (shift < 0) {
        x = _PyLong_Lshift((PyObject *)a, (size_t)-shift);
        y = Py_NewRef((PyObject *)b);
    }
    else {
        x = Py_NewRef((PyObject *)a);
        y = _PyLong_Lshift((PyObject *)b, (size_t)shift);
    }
    int failed = x == NULL || y == NULL
        || trunc_divmod(AS_INT(x), AS_INT(y), &q, &r) < 0;
    Py_XDECREF(x);
    Py_XDECREF(y);
    if (failed) {
        return -1.0;
    }
    int64_t quotient = 0;
    (void)_PyLong_AsInt64Exact((PyObject *)q, &quotient);
    uint64_t bits = (uint64_t)(quotient < 0 ? -quotient : quotient);
    int sticky = Py_SIZE(r) != 0;
    Py_DECREF(q);
    Py_DECREF(r);
    if (bits == 0) {
        return negative ? -0.0 : 0.0;
    }
    int nbits = 64 - __builtin_clzll(bits);
    int extra = Py_MAX(nbits - DBL_MANT_DIG, (int)(lowest - shift));
    uint64_t half = (uint64_t)1 << (extra - 1);
    uint64_t rest = bits & (2 * half - 1);
    bits >>= extra;
    bits += rest > half || (rest == half && (sticky || (bits & 1)));
    double result = ldexp((double)bits, (int)shift + extra);
    if (isinf(result)) {
        goto overflow;
    }
    return negative ? -result : result;
overflow:
    PyErr_SetString(PyExc_OverflowError,
                    "integer division result too large for a float");
    return -1.0;
}

PyObject *
_PyLong_TrueDivide(PyObject *a, PyObject *b)
{
    const int64_t exact = (int64_t)1 << DBL_MANT_DIG;
    int64_t x, y;
    if (Py_SIZE(b) == 0) {
        zero_division("division by zero");
        return NULL;
    }
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)
        && x <= exact && x >= -exact && y <= exact && y >= -exact) {
        return _PyFloat_FromDouble((double)x / (double)y);
    }
    double result = divide_to_double(AS_INT(a), AS_INT(b));
    if (result == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return _PyFloat_FromDouble(result);
}

/* ------------------------------------------------------------------- powers */

/* base ** exponent in a word. Returns 0 if it overflows. */
static int
power_in_word(int64_t base, int64_t exponent, int64_t *result)
{
    int64_t power = 1;
    for (;;) {
        if ((exponent & 1) && __builtin_mul_overflow(power, base, &power)) {
            return 0;
        }
        exponent >>= 1;
        if (exponent == 0) {
            *result = power;
            return 1;
        }
        if (__builtin_mul_overflow(base, base, &base)) {
            return 0;
        }
    }
}

static PyObject *
power_plain(PyObject *a, PyObject *b)
{
    int64_t x = 0, e = 0, power;
    int x_fits = _PyLong_AsInt64Exact(a, &x);
    int e_fits = _PyLong_AsInt64Exact(b, &e);
    if (Py_SIZE(b) == 0) {
        return _PyLong_GetSmall(1);
    }
    if (x_fits && x >= -1 && x <= 1) {
        int odd = AS_INT(b)->ob_digit[0] & 1;
        return _PyLong_GetSmall(x == -1 && !odd ? 1 : x);
    }
    if (!e_fits) {
        return PyErr_NoMemory();
    }
    if (e == 1) {
        return as_exact(a);
    }
    if (x_fits && power_in_word(x, e, &power)) {
        return _PyLong_FromInt64(power);
    }
    return _PyLong_GMPPower(AS_INT(a), (uint64_t)e);
}

/* The inverse of a modulo m > 1, both words. Returns 0 if there is none. */
static int64_t
invert_in_word(int64_t a, int64_t m)
{
    int64_t r0 = m, r1 = _PyLong_FloorModInt64(a, m);
    int64_t t0 = 0, t1 = 1;
    while (r1 != 0) {
        int64_t q = r0 / r1, t;
        t = r0 - q * r1;
        r0 = r1;
        r1 = t;
        t = t0 - q * t1;
        t0 = t1;
        t1 = t;
    }
    if (r0 != 1) {
        return 0;
    }
    return t0 < 0 ? t0 + m : t0;
}

static inline uint64_t
multiply_modulo(uint64_t x, uint64_t y, uint64_t m)
{
    return m <= UINT32_MAX ? x * y % m : (uint64_t)((unsigned __int128)x * y % m);
}

static PyObject *
power_modulo_word(int64_t base, PyLongObject *exponent, int64_t modulus)
{
    uint64_t m = (uint64_t)modulus, power = 1;
    uint64_t b = (uint64_t)_PyLong_FloorModInt64(base, modulus);
    Py_ssize_t i = SIZE_OF(exponent) - 1;
    /* Start at the highest bit that is set. */
    int bit = i < 0 ? 0 : 31 - __builtin_clz(exponent->ob_digit[i]);
    for (; i >= 0; i--, bit = PyLong_SHIFT - 1) {
        for (; bit >= 0; bit--) {
            power = multiply_modulo(power, power, m);
            if (exponent->ob_digit[i] >> bit & 1) {
                power = multiply_modulo(power, b, m);
            }
        }
    }
    return _PyLong_FromInt64((int64_t)power);
}

/* base ** exponent for m > 1, in 0 … m - 1. */
static PyObject *
power_modulo_positive(PyObject *a, PyObject *b, PyObject *m)
{
    int64_t x = 0, modulus;
    PyObject *base = NULL, *exponent = NULL, *result = NULL;
    if (_PyLong_AsInt64Exact(m, &modulus)) {
        PyObject *reduced = _PyLong_Remainder(a, m);
        if (reduced == NULL) {
            return NULL;
        }
        (void)_PyLong_AsInt64Exact(reduced, &x);
        Py_DECREF(reduced);
        if (Py_SIZE(b) < 0) {
            x = invert_in_word(x, modulus);
            if (x == 0) {
                PyErr_SetString(PyExc_ValueError, "base is not invertible "
                                "for the given modulus");
                return NULL;
            }
            exponent = _PyLong_Negate(b);
            if (exponent == NULL) {
                return NULL;
            }
        }
        else {
            exponent = Py_NewRef(b);
        }
        if (SIZE_OF(exponent) <= 8) {
            result = power_modulo_word(x, AS_INT(exponent), modulus);
            Py_DECREF(exponent);
            return result;
        }
        base = _PyLong_FromInt64(x);
    }
    else if (Py_SIZE(b) < 0) {
        base = Py_SIZE(a) == 0 ? Py_NewRef(a)
                               : _PyLong_GMPInvert(AS_INT(a), AS_INT(m));
        if (base != NULL && Py_SIZE(base) == 0) {
            PyErr_SetString(PyExc_ValueError,
                            "base is not invertible for the given modulus");
            Py_CLEAR(base);
        }
        exponent = base == NULL ? NULL : _PyLong_Negate(b);
    }
    else {
        base = Py_NewRef(a);
        exponent = Py_NewRef(b);
    }
    if (base != NULL && exponent != NULL) {
        result = _PyLong_GMPPowerMod(AS_INT(base), AS_INT(exponent),
                                     AS_INT(m));
    }
    Py_XDECREF(base);
    Py_XDECREF(exponent);
    return result;
}

static PyObject *
power_modulo(PyObject *a, PyObject *b, PyObject *c)
{
    if (Py_SIZE(c) == 0) {
        PyErr_SetString(PyExc_ValueError, "pow() 3rd argument cannot be 0");
        return NULL;
    }
    PyObject *m = int_absolute(c);
    if (m == NULL) {
        return NULL;
    }
    PyObject *result;
    if (_PyLong_CheckCompact(m) && _PyLong_CompactValue(m) == 1) {
        result = _PyLong_GetSmall(0);
    }
    else {
        result = power_modulo_positive(a, b, m);
    }
    Py_DECREF(m);
    if (result != NULL && Py_SIZE(c) < 0 && Py_SIZE(result) != 0) {
        Py_SETREF(result, _PyLong_Add(result, c));
    }
    return result;
}

PyObject *
_PyLong_Power(PyObject *a, PyObject *b, PyObject *c)
{
    if (c != Py_None) {
        return power_modulo(a, b, c);
    }
    if (Py_SIZE(b) < 0) {
        return PyFloat_Type.tp_as_number->nb_power(a, b, c);
    }
    return power_plain(a, b);
}

PyObject *
_PyLong_GCD(PyObject *a, PyObject *b)
{
    int64_t x, y;
    if (!_PyLong_AsInt64Exact(a, &x) || !_PyLong_AsInt64Exact(b, &y)) {
        if (Py_SIZE(a) == 0) {
            return int_absolute(b);
        }
        if (Py_SIZE(b) == 0) {
            return int_absolute(a);
        }
        return _PyLong_GMPGcd(AS_INT(a), AS_INT(b));
    }
    x = x < 0 ? -x : x;
    y = y < 0 ? -y : y;
    if (x == 0 || y == 0) {
        return _PyLong_FromInt64(x | y);
    }
    int twos = __builtin_ctzll((unsigned long long)(x | y));
    x >>= __builtin_ctzll((unsigned long long)x);
    while (y != 0) {
        y >>= __builtin_ctzll((unsigned long long)y);
        if (x > y) {
            int64_t t = x;
            x = y;
            y = t;
        }
        y -= x;
    }
    return _PyLong_FromInt64(x << twos);
}

/* ------------------------------------------------------------------- shifts */

PyObject *
_PyLong_Lshift(PyObject *a, size_t count)
{
    int64_t x;
    if (count < 64 && _PyLong_AsInt64Exact(a, &x)) {
        return _PyLong_FromInt128((__int128)x * ((__int128)1 << count));
    }
    Py_ssize_t n = SIZE_OF(a);
    if (n == 0) {
        return _PyLong_GetSmall(0);
    }
    Py_ssize_t words = (Py_ssize_t)(count / PyLong_SHIFT);
    int bits = (int)(count % PyLong_SHIFT);
    if (words > PY_SSIZE_T_MAX - n - 1) {
        PyErr_SetString(PyExc_OverflowError, "too many digits in integer");
        return NULL;
    }
    PyLongObject *shifted = _PyLong_New(n + words + 1);
    if (shifted == NULL) {
        return NULL;
    }
    const digit *in = AS_INT(a)->ob_digit;
    digit *out = shifted->ob_digit;
    memset(out, 0, (size_t)words * sizeof(digit));
    out += words;
    uint64_t carry = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        carry |= (uint64_t)in[i] << bits;
        out[i] = (digit)carry & PyLong_MASK;
        carry >>= PyLong_SHIFT;
    }
    out[n] = (digit)carry;
    if (Py_SIZE(a) < 0) {
        Py_SET_SIZE(shifted, -Py_SIZE(shifted));
    }
    return _PyLong_Finish(shifted);
}

PyObject *
_PyLong_Rshift(PyObject *a, size_t count)
{
    int64_t x;
    if (_PyLong_AsInt64Exact(a, &x)) {
        return _PyLong_FromInt64(x >> (count < 63 ? count : 63));
    }
    Py_ssize_t n = SIZE_OF(a);
    Py_ssize_t words = (Py_ssize_t)(count / PyLong_SHIFT);
    int bits = (int)(count % PyLong_SHIFT);
    int negative = Py_SIZE(a) < 0;
    if (words >= n) {
        return _PyLong_GetSmall(negative ? -1 : 0);
    }
    const digit *in = AS_INT(a)->ob_digit;
    /* Floor: a negative number that loses a set bit moves one further from zero. */
    int lost = 0;
    if (negative) {
        lost = (in[words] & (((digit)1 << bits) - 1)) != 0;
        for (Py_ssize_t i = 0; !lost && i < words; i++) {
            lost = in[i] != 0;
        }
    }
    PyLongObject *shifted = _PyLong_New(n - words + lost);
    if (shifted == NULL) {
        return NULL;
    }
    digit *out = shifted->ob_digit;
    for (Py_ssize_t i = words; i < n; i++) {
        uint64_t pair = in[i] | (i + 1 < n ? (uint64_t)in[i + 1]
                                             << PyLong_SHIFT : 0);
        *out++ = (digit)(pair >> bits) & PyLong_MASK;
    }
    if (lost) {
        *out = 0;
        for (out = shifted->ob_digit; ++*out > PyLong_MASK; out++) {
            *out = 0;
        }
    }
    if (negative) {
        Py_SET_SIZE(shifted, -Py_SIZE(shifted));
    }
    return _PyLong_Finish(shifted);
}

/* The count as a size_t, SIZE_MAX if it is too large. Returns -1 with ValueError if it
   is negative. */
static int
shift_count(PyObject *b, size_t *count)
{
    int64_t value;
    if (Py_SIZE(b) < 0) {
        PyErr_SetString(PyExc_ValueError, "negative shift count");
        return -1;
    }
    *count = _PyLong_AsInt64Exact(b, &value) ? (size_t)value : SIZE_MAX;
    return 0;
}

PyObject *
_PyLong_LeftShift(PyObject *a, PyObject *b)
{
    size_t count;
    if (shift_count(b, &count) < 0) {
        return NULL;
    }
    if (count == SIZE_MAX && Py_SIZE(a) != 0) {
        /* An int may have so many digits as far as Py_ssize_t goes; memory has no room for them. */
        const double most = (double)PyLong_SHIFT * (double)(PY_SSIZE_T_MAX / sizeof(digit));
        double shift = PyLong_AsDouble(b);
        if (shift >= 0 && shift < most) {
            return PyErr_NoMemory();
        }
        PyErr_Clear();      /* no double is so large, either */
        PyErr_SetString(PyExc_OverflowError, "too many digits in integer");
        return NULL;
    }
    return _PyLong_Lshift(a, count);
}

PyObject *
_PyLong_RightShift(PyObject *a, PyObject *b)
{
    size_t count;
    if (shift_count(b, &count) < 0) {
        return NULL;
    }
    return _PyLong_Rshift(a, count);
}

/* ------------------------------------------------------------------ bitwise */

/* The digits of an int in two's complement, least significant first, without end. */
struct complement {
    const digit *digits;
    Py_ssize_t n;
    digit flip;             /* PyLong_MASK for a negative number */
    digit carry;
};

static struct complement
complement_of(PyObject *op)
{
    int negative = Py_SIZE(op) < 0;
    return (struct complement){
        AS_INT(op)->ob_digit, SIZE_OF(op),
        negative ? PyLong_MASK : 0, (digit)negative,
    };
}

static inline digit
complement_next(struct complement *c, Py_ssize_t i)
{
    digit d = ((i < c->n ? c->digits[i] : 0) ^ c->flip) + c->carry;
    c->carry = d >> PyLong_SHIFT;
    return d & PyLong_MASK;
}

/* For numbers that are not negative: digits are used as they are. */
static PyObject *
bitwise_magnitudes(PyLongObject *a, char op, PyLongObject *b)
{
    if (Py_SIZE(a) < Py_SIZE(b)) {
        PyLongObject *t = a; a = b; b = t;
    }
    Py_ssize_t na = Py_SIZE(a), nb = Py_SIZE(b);
    PyLongObject *result = _PyLong_New(op == '&' ? nb : na);
    if (result == NULL) {
        return NULL;
    }
    const digit *x = a->ob_digit, *y = b->ob_digit;
    digit *out = result->ob_digit;
    Py_ssize_t i;
    if (op == '&') {
        _Py_WIDE_LOOP
        for (i = 0; i < nb; i++) {
            out[i] = x[i] & y[i];
        }
        return _PyLong_Finish(result);
    }
    for (i = 0; i < nb; i++) {
        out[i] = op == '|' ? x[i] | y[i] : x[i] ^ y[i];
    }
    for (; i < na; i++) {
        out[i] = x[i];
    }
    return _PyLong_Finish(result);
}

static PyObject *
bitwise(PyObject *a, char op, PyObject *b)
{
    if (Py_SIZE(a) >= 0 && Py_SIZE(b) >= 0) {
        return bitwise_magnitudes(AS_INT(a), op, AS_INT(b));
    }
    struct complement x = complement_of(a), y = complement_of(b);
    int negative_a = Py_SIZE(a) < 0, negative_b = Py_SIZE(b) < 0;
    int negative = op == '&' ? negative_a & negative_b
        : op == '|' ? negative_a | negative_b : negative_a ^ negative_b;
    Py_ssize_t n = Py_MAX(x.n, y.n);
    /* The result of "and" is at most as long as a non-negative operand. */
    if (op == '&' && !negative) {
        n = !negative_a && !negative_b ? Py_MIN(x.n, y.n)
            : negative_a ? y.n : x.n;
    }
    PyLongObject *result = _PyLong_New(n + 1);
    if (result == NULL) {
        return NULL;
    }
    digit flip = negative ? PyLong_MASK : 0, carry = (digit)negative;
    for (Py_ssize_t i = 0; i <= n; i++) {
        digit d = complement_next(&x, i), e = complement_next(&y, i);
        d = op == '&' ? d & e : op == '|' ? d | e : d ^ e;
        d = (d ^ flip) + carry;
        carry = d >> PyLong_SHIFT;
        result->ob_digit[i] = d & PyLong_MASK;
    }
    if (op == '&' && !negative) {
        result->ob_digit[n] = 0;
    }
    if (negative) {
        Py_SET_SIZE(result, -Py_SIZE(result));
    }
    return _PyLong_Finish(result);
}

PyObject *
_PyLong_And(PyObject *a, PyObject *b)
{
    int64_t x, y;
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)) {
        return _PyLong_FromInt64(x & y);
    }
    return bitwise(a, '&', b);
}

PyObject *
_PyLong_Or(PyObject *a, PyObject *b)
{
    int64_t x, y;
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)) {
        return _PyLong_FromInt64(x | y);
    }
    return bitwise(a, '|', b);
}

PyObject *
_PyLong_Xor(PyObject *a, PyObject *b)
{
    int64_t x, y;
    if (_PyLong_AsInt64Exact(a, &x) && _PyLong_AsInt64Exact(b, &y)) {
        return _PyLong_FromInt64(x ^ y);
    }
    return bitwise(a, '^', b);
}

/* -------------------------------------------------------------------- slots */

#define BINARY_SLOT(name, function)                                 \
    static PyObject *                                               \
    name(PyObject *a, PyObject *b)                                  \
    {                                                               \
        if (!PyLong_Check(a) || !PyLong_Check(b)) {                 \
            Py_RETURN_NOTIMPLEMENTED;                               \
        }                                                           \
        return function(a, b);                                      \
    }

BINARY_SLOT(int_add, _PyLong_Add)
BINARY_SLOT(int_subtract, _PyLong_Subtract)
BINARY_SLOT(int_multiply, _PyLong_Multiply)
BINARY_SLOT(int_remainder, _PyLong_Remainder)
BINARY_SLOT(int_divmod, divmod_tuple)
BINARY_SLOT(int_floor_divide, _PyLong_FloorDivide)
BINARY_SLOT(int_true_divide, _PyLong_TrueDivide)
BINARY_SLOT(int_lshift, _PyLong_LeftShift)
BINARY_SLOT(int_rshift, _PyLong_RightShift)
BINARY_SLOT(int_and, _PyLong_And)
BINARY_SLOT(int_or, _PyLong_Or)
BINARY_SLOT(int_xor, _PyLong_Xor)

static PyObject *
int_power(PyObject *a, PyObject *b, PyObject *c)
{
    if (!PyLong_Check(a) || !PyLong_Check(b)
        || (c != Py_None && !PyLong_Check(c))) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return _PyLong_Power(a, b, c);
}

static int
int_bool(PyObject *op)
{
    return Py_SIZE(op) != 0;
}

static PyObject *
int_float(PyObject *op)
{
    double value = PyLong_AsDouble(op);
    if (value == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return _PyFloat_FromDouble(value);
}

PyNumberMethods _PyLong_as_number = {
    .nb_add = int_add,
    .nb_subtract = int_subtract,
    .nb_multiply = int_multiply,
    .nb_remainder = int_remainder,
    .nb_divmod = int_divmod,
    .nb_power = int_power,
    .nb_negative = _PyLong_Negate,
    .nb_positive = as_exact,
    .nb_absolute = int_absolute,
    .nb_bool = int_bool,
    .nb_invert = int_invert,
    .nb_lshift = int_lshift,
    .nb_rshift = int_rshift,
    .nb_and = int_and,
    .nb_xor = int_xor,
    .nb_or = int_or,
    .nb_int = as_exact,
    .nb_float = int_float,
    .nb_floor_divide = int_floor_divide,
    .nb_true_divide = int_true_divide,
    .nb_index = as_exact,
};
