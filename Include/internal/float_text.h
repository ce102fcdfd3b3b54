/* Doubles to decimal text and back, correctly rounded both ways.

   powers.c    10**k to 128 bits, and comparisons with powers of ten
   shortest.c  the shortest digits that read back as the same double
   exact.c     a given number of digits
   parse.c     text to double
   format.c    PyOS_double_to_string, PyOS_string_to_double

   Digits and exponent are kept apart: a number is 0.d1d2d3… * 10**point, and
   its digits carry no zeros at either end; zero is "0" with point 1. */
#ifndef SB_INTERNAL_FLOAT_TEXT_H
#define SB_INTERNAL_FLOAT_TEXT_H

#include "Python.h"
#include <stdint.h>

typedef struct {
    const char *text;           /* not terminated */
    Py_ssize_t len;
    int point;
    char *heap;                 /* to PyMem_Free, or NULL */
    char local[24];
} _PyFloat_Digits;

/* Of |x|, x finite. */
void _PyFloat_ShortestDigits(double x, _PyFloat_Digits *digits);

/* |x| rounded half to even to ndigits >= 1 significant digits, x finite. */
int _PyFloat_SignificantDigits(double x, int ndigits, _PyFloat_Digits *);
/* |x| rounded half to even to `places` digits after the point (before it, if
   negative). 0, or -1 when memory is short, without exception. */
int _PyFloat_FixedDigits(double x, int places, _PyFloat_Digits *digits);

/* The double nearest to the literal [+-]digits[.digits][e[+-]digits] that s
   begins with; *end is s when there is none. Overflow gives an infinity,
   underflow what rounding gives. */
double _PyFloat_ParseDecimal(const char *s, char **end);

/* ------------------------------------------------------------ powers of ten */

/* 10**k = (high * 2**64 + low + f) * 2**exponent with 0 <= f < 1; the
   highest bit of `high` is set. `exact` tells whether f is 0. */
typedef struct {
    uint64_t high, low;
    int exponent;
    int exact;
} _PyFloat_Power;

#define _PyFloat_MAX_POWER 350

/* -350 <= k <= 350 */
const _PyFloat_Power *_PyFloat_PowerOfTen(int k);

/* |x| = mantissa * 2**exponent, mantissa < 2**53; x finite. */
static inline void
_PyFloat_Split(double x, uint64_t *mantissa, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    int biased = (int)(bits >> 52 & 0x7ff);
    *mantissa = bits & (((uint64_t)1 << 52) - 1);
    if (biased != 0) {
        *mantissa |= (uint64_t)1 << 52;
        biased--;
    }
    *exponent = biased - 1074;
}

/* floor(log10(|x|)), x finite and not 0. */
int _PyFloat_FloorLog10(double x);

/* Writes v without trailing zeros into digits->local, to be read as
   v * 10**exponent. */
void _PyFloat_DigitsFromWord(uint64_t v, int exponent,
                             _PyFloat_Digits *digits);

#endif
