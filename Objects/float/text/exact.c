/* Doubles to a given number of decimal digits, correctly rounded.

   Both kinds of request are reduced to N = round(|x| * 10**places), half to even. While
   N fits a word, it is found with a product with a 128-bit power of ten, unless the
   truncated part of the power could change the result. In that case, and for long
   results, GMP divides exactly. */

#include "internal/float_text.h"
#include <gmp.h>

/* Computes N. Returns 1, or 0 if the precision or the width does not suffice. */
static int
round_in_words(uint64_t mantissa, int exponent, int places, uint64_t *result)
{
    if (places < -_PyFloat_MAX_POWER || places > _PyFloat_MAX_POWER) {
        return 0;
    }
    const _PyFloat_Power *power = _PyFloat_PowerOfTen(places);
    /* mantissa < 2**53 times 128 bits: three words. `shift` of their bits are after the
       binary point. */
    int shift = -(exponent + power->exponent);
    unsigned __int128 low = (unsigned __int128)mantissa * power->low;
    unsigned __int128 high = (unsigned __int128)mantissa * power->high
        + (uint64_t)(low >> 64);
    uint64_t tail = (uint64_t)low;
    /* `high` holds the bits from 2**64 up. */
    int point = shift - 64;
    if (point < 1) {
        return 0;
    }
    if (point > 118) {
        /* high < 2**117: the value is less than a half. */
        *result = 0;
        return 1;
    }
    unsigned __int128 whole = high >> point;
    if (whole >> 62 != 0) {
        return 0;
    }
    unsigned __int128 half = (unsigned __int128)1 << (point - 1);
    unsigned __int128 fraction = high & (2 * half - 1);
    uint64_t n = (uint64_t)whole;
    if (power->exact) {
        if (fraction > half || (fraction == half && (tail != 0 || (n & 1)))) {
            n++;
        }
    }
    else {
        /* The true product is larger, by less than 2**53 units of the tail:
           at most one unit of `fraction`. */
        if (fraction >= half) {
            n++;
        }
        else if (fraction + 2 > half) {
            return 0;
        }
    }
    *result = n;
    return 1;
}

static int
round_exactly(uint64_t mantissa, int exponent, int places,
              _PyFloat_Digits *digits)
{
    mpz_t n, divisor, rest;
    int result = 0;
    mpz_init_set_ui(n, mantissa);
    mpz_init_set_ui(divisor, 1);
    mpz_init(rest);
    mpz_ui_pow_ui(rest, 10, (unsigned long)(places < 0 ? -places : places));
    mpz_mul(places < 0 ? divisor : n, places < 0 ? divisor : n, rest);
    mpz_mul_2exp(exponent < 0 ? divisor : n, exponent < 0 ? divisor : n,
                 (mp_bitcnt_t)(exponent < 0 ? -exponent : exponent));
    mpz_tdiv_qr(n, rest, n, divisor);
    mpz_mul_2exp(rest, rest, 1);
    int order = mpz_cmp(rest, divisor);
    if (order > 0 || (order == 0 && mpz_odd_p(n))) {
        mpz_add_ui(n, n, 1);
    }
    if (mpz_sgn(n) == 0) {
        _PyFloat_DigitsFromWord(0, 0, digits);
        goto done;
    }
    digits->heap = PyMem_Malloc(mpz_sizeinbase(n, 10) + 2);
    if (digits->heap == NULL) {
        result = -1;
        goto done;
    }
    mpz_get_str(digits->heap, 10, n);
    size_t len = strlen(digits->heap);
    digits->point = (int)len - places;
    while (digits->heap[len - 1] == '0') {
        len--;
    }
    digits->text = digits->heap;
    digits->len = (Py_ssize_t)len;
done:
    mpz_clear(n);
    mpz_clear(divisor);
    mpz_clear(rest);
    return result;
}

int
_PyFloat_FixedDigits(double x, int places, _PyFloat_Digits *digits)
{
    uint64_t mantissa, n;
    int exponent;
    _PyFloat_Split(x, &mantissa, &exponent);
    digits->heap = NULL;
    /* No double has a digit beyond these, and 10**310 is beyond every
       double. */
    places = places > 1080 ? 1080 : places < -310 ? -310 : places;
    if (mantissa == 0) {
        _PyFloat_DigitsFromWord(0, 0, digits);
        return 0;
    }
    if (round_in_words(mantissa, exponent, places, &n)) {
        _PyFloat_DigitsFromWord(n, -places, digits);
        return 0;
    }
    return round_exactly(mantissa, exponent, places, digits);
}

int
_PyFloat_SignificantDigits(double x, int ndigits, _PyFloat_Digits *digits)
{
    if (x == 0) {
        digits->heap = NULL;
        _PyFloat_DigitsFromWord(0, 0, digits);
        return 0;
    }
    int places = ndigits > 2000 ? 2000 : ndigits;
    return _PyFloat_FixedDigits(x, places - 1 - _PyFloat_FloorLog10(x),
                                digits);
}
