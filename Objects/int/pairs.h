/* Two digits of an int at a time, as they lie in memory: 30 bits each in the halves of a
   word, whose other four bits are 0.

   The carry from the lower digit to the upper one, and from there to the next pair, is the
   processor's own: with the four spare bits set in one summand, a carry out of bit 29
   arrives in bit 32, and one out of bit 61 leaves the word. A borrow does so without them.
   So a sum costs an instruction per pair where digits alone cost three each. */
#ifndef SB_INT_PAIRS_H
#define SB_INT_PAIRS_H

#include "internal/int.h"
#include <string.h>

_Static_assert(PY_LITTLE_ENDIAN && PyLong_SHIFT == 30, "a pair's lower digit comes first");

#define PAIR_MASK 0x3FFFFFFF3FFFFFFFull
#define PAIR_SPARE (~PAIR_MASK)
#define PAIR_BITS (2 * PyLong_SHIFT)

static inline uint64_t
pair_load(const digit *digits)
{
    uint64_t pair;
    memcpy(&pair, digits, sizeof(pair));
    return pair;
}

static inline void
pair_store(digit *digits, uint64_t pair)
{
    memcpy(digits, &pair, sizeof(pair));
}

/* sum and difference: the bits in PAIR_SPARE mean nothing. *carry is 0 or 1. */
static inline uint64_t
pair_add(uint64_t a, uint64_t b, uint64_t *carry)
{
    unsigned __int128 sum = (unsigned __int128)(a | PAIR_SPARE) + b + *carry;
    *carry = (uint64_t)(sum >> 64);
    return (uint64_t)sum;
}

static inline uint64_t
pair_subtract(uint64_t a, uint64_t b, uint64_t *borrow)
{
    unsigned __int128 difference = (unsigned __int128)a - b - *borrow;
    *borrow = (uint64_t)(difference >> 64) & 1;
    return (uint64_t)difference;
}

/* Between a pair and a number of 60 bits. */
static inline uint64_t
pair_to_number(uint64_t pair)
{
    return (pair & PyLong_MASK) | (pair >> 2 & (uint64_t)PyLong_MASK << PyLong_SHIFT);
}

static inline uint64_t
pair_of_number(uint64_t number)
{
    return (number & PyLong_MASK) | (number << 2 & (uint64_t)PyLong_MASK << 32);
}

/* Between two digits and a number of 60 bits. */
static inline uint64_t
digits_to_number(const digit *digits)
{
    return digits[0] | (uint64_t)digits[1] << PyLong_SHIFT;
}

static inline void
number_to_digits(uint64_t number, digit *digits)
{
    digits[0] = (digit)number & PyLong_MASK;
    digits[1] = (digit)(number >> PyLong_SHIFT);
}

#endif
