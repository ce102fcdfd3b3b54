/* IEEE 754 binary16, binary32 and binary64 in memory, either end first. */

#include "Python.h"
#include <float.h>
#include <math.h>

/* n bytes in the order of this machine, or in the opposite one. */
static inline uint64_t
in_order(uint64_t bits, int n, int le)
{
    return (le != 0) == PY_LITTLE_ENDIAN ? bits : __builtin_bswap64(bits) >> (64 - 8 * n);
}

static inline void
store_bytes(uint64_t bits, int n, char *p, int le)
{
    bits = in_order(bits, n, le);
    memcpy(p, (char *)&bits + (PY_BIG_ENDIAN ? 8 - n : 0), (size_t)n);
}

static inline uint64_t
load_bytes(const char *p, int n, int le)
{
    uint64_t bits = 0;
    memcpy((char *)&bits + (PY_BIG_ENDIAN ? 8 - n : 0), p, (size_t)n);
    return in_order(bits, n, le);
}

int
PyFloat_Pack8(double x, char *p, int le)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof(bits));
    store_bytes(bits, 8, p, le);
    return 0;
}

double
PyFloat_Unpack8(const char *p, int le)
{
    uint64_t bits = load_bytes(p, 8, le);
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

int
PyFloat_Pack4(double x, char *p, int le)
{
    float f = (float)x;
    uint32_t bits;
    if (isinf(f) && !isinf(x)) {
        PyErr_SetString(PyExc_OverflowError,
                        "float too large to pack with f format");
        return -1;
    }
    memcpy(&bits, &f, sizeof(bits));
    store_bytes(bits, 4, p, le);
    return 0;
}

double
PyFloat_Unpack4(const char *p, int le)
{
    uint32_t bits = (uint32_t)load_bytes(p, 4, le);
    float f;
    memcpy(&f, &bits, sizeof(f));
    return f;
}

/* binary16: 10 bits of fraction, exponents -14 to 15, and gradual underflow
   to multiples of 2**-24. */
int
PyFloat_Pack2(double x, char *p, int le)
{
    uint64_t bits;
    double magnitude = fabs(x);
    if (isnan(x)) {
        bits = 0x7e00;
    }
    else if (isinf(x)) {
        bits = 0x7c00;
    }
    else {
        int exponent = -14;
        if (magnitude >= 0x1p-14) {
            (void)frexp(magnitude, &exponent);
            exponent--;
        }
        if (exponent > 15) {
            goto overflow;
        }
        /* In units of the last place; the sum lets a carry out of the
           fraction raise the exponent. */
        uint64_t units = (uint64_t)rint(ldexp(magnitude, 10 - exponent));
        bits = ((uint64_t)(exponent + 14) << 10) + units;
        if (bits >= 0x7c00) {
            goto overflow;
        }
    }
    store_bytes(bits | (signbit(x) ? 0x8000 : 0), 2, p, le);
    return 0;
overflow:
    PyErr_SetString(PyExc_OverflowError,
                    "float too large to pack with e format");
    return -1;
}

double
PyFloat_Unpack2(const char *p, int le)
{
    unsigned int bits = (unsigned int)load_bytes(p, 2, le);
    unsigned int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    double x;
    if (exponent == 0x1f) {
        x = fraction != 0 ? NAN : HUGE_VAL;
    }
    else if (exponent == 0) {
        x = ldexp(fraction, -24);
    }
    else {
        x = ldexp(fraction | 0x400, (int)exponent - 25);
    }
    return bits & 0x8000 ? -fabs(x) : fabs(x);
}
