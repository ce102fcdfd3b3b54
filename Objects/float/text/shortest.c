/* The shortest decimal that rounds to a given double.

   The numbers that round to a double v = c * 2**q are those between the midpoints to
   its neighbours. The ends belong to this interval if c is even, since ties go to even.
   Choose k with 10**k <= width of the interval < 10**(k+1). Then the interval holds at
   most one multiple of 10**(k+1), which has fewer digits and is the answer if it
   exists. The interval holds at least one multiple of 10**k; otherwise the one nearest
   to v is the answer.

   All comparisons are made between multiples of 10**k / 4 (midpoints are odd multiples
   of half a unit of c), scaled by 10**-k to 128 bits. The product is truncated, but its
   last bit is set if anything was lost ("round to odd"). This keeps comparisons with
   multiples of 4 correct; 128 bits of the power are enough for doubles (R. Giulietti
   proves it in "The Schubfach way to render doubles"). */

#include "internal/float_text.h"

/* floor(log10(2**q)), and floor(log10(3/4 * 2**q)), for |q| <= 1100; the
   constants are log10(2) and -log10(3/4), times 2**41. */
static int
floor_log10_pow2(int q, int three_quarters)
{
    int64_t scaled = (int64_t)q * 661971961083;
    if (three_quarters) {
        scaled -= 274743187321;
    }
    return (int)(scaled >> 41);
}

/* x * g / 2**128 for a 128-bit g, its last bit set if it is not exact. */
static uint64_t
multiply_to_odd(uint64_t g_high, uint64_t g_low, uint64_t x)
{
    unsigned __int128 low = (unsigned __int128)g_low * x;
    unsigned __int128 high = (unsigned __int128)g_high * x
        + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

void
_PyFloat_ShortestDigits(double x, _PyFloat_Digits *digits)
{
    uint64_t c;
    int q;
    _PyFloat_Split(x, &c, &q);
    /* Integers that a double holds exactly need no search. */
    if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0) {
        _PyFloat_DigitsFromWord(c >> -q, 0, digits);
        return;
    }
    if (c == 0) {
        _PyFloat_DigitsFromWord(0, 0, digits);
        return;
    }
    /* The neighbour below a power of two is only half as far away. */
    int uneven = c == (uint64_t)1 << 52 && q > -1074;
    uint64_t odd = c & 1;
    int k = floor_log10_pow2(q, uneven);
    const _PyFloat_Power *power = _PyFloat_PowerOfTen(-k);
    /* The proof requires 10**-k rounded up. */
    unsigned __int128 g = (unsigned __int128)power->high << 64 | power->low;
    g += !power->exact;
    int h = q + power->exponent + 128;
    uint64_t value = multiply_to_odd((uint64_t)(g >> 64), (uint64_t)g,
                                     (4 * c) << h);
    uint64_t lower = multiply_to_odd((uint64_t)(g >> 64), (uint64_t)g,
                                     (4 * c - 2 + (uint64_t)uneven) << h);
    uint64_t upper = multiply_to_odd((uint64_t)(g >> 64), (uint64_t)g,
                                     (4 * c + 2) << h);
    uint64_t s = value / 4;
    if (s >= 10) {
        uint64_t tens = s / 10;
        int below = lower + odd <= 40 * tens;
        int above = 40 * tens + 40 + odd <= upper;
        if (below != above) {
            _PyFloat_DigitsFromWord(tens + (uint64_t)above, k + 1, digits);
            return;
        }
    }
    int below = lower + odd <= 4 * s;
    int above = 4 * s + 4 + odd <= upper;
    uint64_t result = s;
    if (below != above) {
        result += (uint64_t)above;
    }
    else {
        uint64_t middle = 4 * s + 2;
        result += value > middle || (value == middle && (s & 1));
    }
    _PyFloat_DigitsFromWord(result, k, digits);
}
