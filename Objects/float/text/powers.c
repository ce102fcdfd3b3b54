/* Powers of ten to 128 bits, computed with GMP when first needed: programs use few of
   the 701. */

#include "internal/float_text.h"
#include <gmp.h>

static _PyFloat_Power powers[2 * _PyFloat_MAX_POWER + 1];

/* The 128 leading bits of z > 0, and the exponent that they carry. */
static void
store_leading_bits(_PyFloat_Power *power, mpz_t z, int exponent)
{
    mpz_t top;
    mpz_init(top);
    long shift = (long)mpz_sizeinbase(z, 2) - 128;
    if (shift >= 0) {
        power->exact &= mpz_scan1(z, 0) >= (mp_bitcnt_t)shift;
        mpz_tdiv_q_2exp(top, z, (mp_bitcnt_t)shift);
    }
    else {
        mpz_mul_2exp(top, z, (mp_bitcnt_t)-shift);
    }
    power->low = mpz_getlimbn(top, 0);
    power->high = mpz_getlimbn(top, 1);
    power->exponent = exponent + (int)shift;
    mpz_clear(top);
}

static void
compute_power(_PyFloat_Power *power, int k)
{
    mpz_t z;
    mpz_init(z);
    mpz_ui_pow_ui(z, 10, (unsigned long)(k < 0 ? -k : k));
    power->exact = k >= 0;
    if (k >= 0) {
        store_leading_bits(power, z, 0);
    }
    else {
        /* floor(2**s / 10**-k) with at least 128 bits. */
        mpz_t quotient;
        mp_bitcnt_t s = mpz_sizeinbase(z, 2) + 128;
        mpz_init(quotient);
        mpz_setbit(quotient, s);
        mpz_tdiv_q(quotient, quotient, z);
        store_leading_bits(power, quotient, -(int)s);
        mpz_clear(quotient);
    }
    mpz_clear(z);
}

const _PyFloat_Power *
_PyFloat_PowerOfTen(int k)
{
    _PyFloat_Power *power = &powers[k + _PyFloat_MAX_POWER];
    if (__builtin_expect(power->high == 0, 0)) {
        compute_power(power, k);
    }
    return power;
}

int
_PyFloat_FloorLog10(double x)
{
    uint64_t mantissa;
    int exponent;
    _PyFloat_Split(x, &mantissa, &exponent);
    int zeros = __builtin_clzll(mantissa);
    mantissa <<= zeros;
    exponent += 63 - zeros;             /* 2**exponent <= |x| */
    /* floor(log10(2**exponent)): the constant is log10(2) * 2**41. */
    int k = (int)((exponent * (int64_t)661971961083) >> 41);
    const _PyFloat_Power *next = _PyFloat_PowerOfTen(k + 1);
    int next_exponent = next->exponent + 127;
    if (exponent != next_exponent) {
        return exponent < next_exponent ? k : k + 1;
    }
    /* If the binary exponents are equal, the significands tell whether
       |x| >= 10**(k + 1). */
    int reached = mantissa > next->high
        || (mantissa == next->high && next->low == 0 && next->exact);
    return k + reached;
}

void
_PyFloat_DigitsFromWord(uint64_t v, int exponent, _PyFloat_Digits *digits)
{
    char *end = digits->local + sizeof(digits->local);
    char *p = end;
    digits->heap = NULL;
    if (v == 0) {
        digits->local[0] = '0';
        digits->text = digits->local;
        digits->len = 1;
        digits->point = 1;
        return;
    }
    while (v % 100 == 0) {
        v /= 100;
        exponent += 2;
    }
    if (v % 10 == 0) {
        v /= 10;
        exponent++;
    }
    while (v > 0) {
        *--p = (char)('0' + v % 10);
        v /= 10;
    }
    digits->text = p;
    digits->len = end - p;
    digits->point = exponent + (int)digits->len;
}
