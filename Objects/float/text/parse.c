/* Decimal text to the nearest double, ties to even.

   The literal becomes an integer w of at most 19 digits, a power of ten, and perhaps
   further digits. There are three methods, tried in order; each gives an exact result
   or none:
     1. if both w and the power are doubles: one multiplication or division;
     2. w times the power to 128 bits, unless the error of that product
        could cross a rounding boundary;
     3. all digits, as a fraction of two big integers. */

#include "internal/float_text.h"
#include <float.h>
#include <gmp.h>
#include <math.h>

/* The parts of a literal: value = w * 10**exponent, plus the digits after the first 19
   significant ones (truncated tells if any of these is not 0). */
struct decimal {
    uint64_t w;
    int64_t exponent;
    int truncated;
    const char *digits;         /* the first significant digit, … */
    const char *end;            /* … and the end: a point may be between */
    int64_t last_exponent;      /* of the digit before `end` */
};

static inline int
is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Reads an unsigned literal. Returns its end, or NULL. */
static const char *
scan_decimal(const char *s, struct decimal *d)
{
    const char *start = s;
    int ndigits = 0, any = 0;
    int64_t fraction_digits = 0, dropped = 0;
    memset(d, 0, sizeof(*d));
    for (int after_point = 0; ; s++) {
        if (*s == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        if (!is_digit(*s)) {
            break;
        }
        any = 1;
        fraction_digits += after_point;
        if (ndigits == 0 && *s == '0') {
            continue;
        }
        if (ndigits == 0) {
            d->digits = s;
        }
        if (ndigits < 19) {
            d->w = d->w * 10 + (uint64_t)(*s - '0');
            ndigits++;
        }
        else {
            dropped++;
            d->truncated |= *s != '0';
        }
    }
    if (!any) {
        return NULL;
    }
    if (d->digits == NULL) {
        d->digits = start;
    }
    d->end = s;
    int64_t exponent = 0;
    if (*s == 'e' || *s == 'E') {
        const char *t = s + 1;
        int negative = *t == '-';
        t += *t == '-' || *t == '+';
        if (is_digit(*t)) {
            for (; is_digit(*t); t++) {
                /* Far beyond any number of digits that fits in memory. */
                if (exponent < (int64_t)1 << 58) {
                    exponent = exponent * 10 + (*t - '0');
                }
            }
            exponent = negative ? -exponent : exponent;
            s = t;
        }
    }
    d->last_exponent = exponent - fraction_digits;
    d->exponent = d->last_exponent + dropped;
    return s;
}

/* Rounds (high * 2**64 + low) * 2**exponent to a double; high has its top bit set. If
   slack, the true value is up to 4 * 2**exponent larger; otherwise it is exact, with
   lower bits if `sticky`. Returns 0 if slack leaves the result undecided. */
static int
round_wide(uint64_t high, uint64_t low, int exponent, int slack, int sticky,
           double *result)
{
    /* Bits of the significand: 53, or fewer for denormals. */
    int nbits = exponent + 128 > DBL_MIN_EXP ? DBL_MANT_DIG
        : exponent + 128 - (DBL_MIN_EXP - DBL_MANT_DIG);
    if (nbits < 1) {
        return 0;
    }
    unsigned __int128 value = (unsigned __int128)high << 64 | low;
    int extra = 128 - nbits;
    unsigned __int128 half = (unsigned __int128)1 << (extra - 1);
    unsigned __int128 rest = value & ((half << 1) - 1);
    uint64_t significand = (uint64_t)(value >> extra);
    if (slack) {
        if (rest >= half) {
            /* An inexact power is smaller than the true one, so that an
               apparent tie is above the middle. */
            significand++;
        }
        else if (half - rest <= 4) {
            return 0;
        }
    }
    else if (rest > half
             || (rest == half && (sticky || (significand & 1)))) {
        significand++;
    }
    *result = ldexp((double)significand, exponent + extra);
    return 1;
}

static int
multiply_in_words(uint64_t w, int k, int exact_w, double *result)
{
    if (k < -_PyFloat_MAX_POWER || k > _PyFloat_MAX_POWER) {
        return 0;
    }
    const _PyFloat_Power *power = _PyFloat_PowerOfTen(k);
    int zeros = __builtin_clzll(w);
    w <<= zeros;
    unsigned __int128 tail = (unsigned __int128)w * power->low;
    unsigned __int128 product = (unsigned __int128)w * power->high
        + (uint64_t)(tail >> 64);
    uint64_t low = (uint64_t)tail;
    int exponent = power->exponent - zeros + 64;
    if (product >> 127 == 0) {
        product = product << 1 | low >> 63;
        low <<= 1;
        exponent--;
    }
    return round_wide((uint64_t)(product >> 64), (uint64_t)product, exponent,
                      !power->exact || !exact_w, low != 0, result);
}

/* Further digits matter only by whether they are all zero: a tie between doubles has at
   most 767. */
#define ENOUGH_DIGITS 800

static double
parse_exactly(const struct decimal *d)
{
    char digits[ENOUGH_DIGITS + 2];
    int n = 0, rest = 0;
    int64_t exponent = d->last_exponent;
    for (const char *p = d->digits; p < d->end; p++) {
        if (*p == '.') {
            continue;
        }
        if (n < ENOUGH_DIGITS) {
            digits[n++] = *p;
        }
        else {
            rest |= *p != '0';
            exponent++;
        }
    }
    if (rest) {
        digits[n++] = '1';
        exponent--;
    }
    digits[n] = '\0';
    mpz_t a, b, q;
    mpz_init_set_str(a, digits, 10);
    mpz_init(b);
    mpz_init(q);
    mpz_ui_pow_ui(b, 10, (unsigned long)(exponent < 0 ? -exponent
                                                       : exponent));
    if (exponent >= 0) {
        mpz_mul(a, a, b);
        mpz_set_ui(b, 1);
    }
    /* a / b in units of 2**shift, with 55 bits or more. For denormals the unit stays
       two bits below their last bit. */
    long shift = (long)mpz_sizeinbase(a, 2) - (long)mpz_sizeinbase(b, 2)
        - (DBL_MANT_DIG + 2);
    const int lowest = DBL_MIN_EXP - DBL_MANT_DIG;
    if (shift < lowest - 2) {
        shift = lowest - 2;
    }
    if (shift < 0) {
        mpz_mul_2exp(a, a, (mp_bitcnt_t)-shift);
    }
    else {
        mpz_mul_2exp(b, b, (mp_bitcnt_t)shift);
    }
    mpz_tdiv_qr(q, a, a, b);
    uint64_t bits = mpz_get_ui(q);
    int sticky = mpz_sgn(a) != 0;
    mpz_clear(a);
    mpz_clear(b);
    mpz_clear(q);
    if (bits == 0) {
        return 0.0;
    }
    int extra = 64 - __builtin_clzll(bits) - DBL_MANT_DIG;
    if (extra < lowest - shift) {
        extra = (int)(lowest - shift);
    }
    uint64_t half = (uint64_t)1 << (extra - 1);
    uint64_t low = bits & (2 * half - 1);
    bits >>= extra;
    bits += low > half || (low == half && (sticky || (bits & 1)));
    return ldexp((double)bits, (int)shift + extra);
}

static const double small_powers[] = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static double
decimal_value(const struct decimal *d)
{
    double result, other;
    int64_t k = d->exponent;
    if (d->w == 0) {
        return 0.0;
    }
    if (!d->truncated && d->w >> DBL_MANT_DIG == 0 && k >= -22 && k <= 22) {
        return k < 0 ? (double)d->w / small_powers[-k]
                     : (double)d->w * small_powers[k];
    }
    /* w has 1 to 19 digits. */
    if (k > 310) {
        return HUGE_VAL;
    }
    if (k < -345) {
        return 0.0;
    }
    if (!d->truncated) {
        if (multiply_in_words(d->w, (int)k, 1, &result)) {
            return result;
        }
    }
    else if (multiply_in_words(d->w, (int)k, 0, &result)
             && multiply_in_words(d->w + 1, (int)k, 0, &other)
             && result == other) {
        /* No value between w and w + 1 rounds to another double. */
        return result;
    }
    return parse_exactly(d);
}

double
_PyFloat_ParseDecimal(const char *s, char **end)
{
    struct decimal d;
    int negative = *s == '-';
    const char *rest = scan_decimal(s + (*s == '-' || *s == '+'), &d);
    if (rest == NULL) {
        *end = (char *)s;
        return 0.0;
    }
    *end = (char *)rest;
    double value = decimal_value(&d);
    return negative ? -value : value;
}
