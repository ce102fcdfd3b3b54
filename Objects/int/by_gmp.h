/* Between 30-bit digits and GMP's limbs. Only Objects/int uses it. */
#ifndef SB_INTERNAL_INT_GMP_H
#define SB_INTERNAL_INT_GMP_H

#include "internal/int.h"
#include <gmp.h>

_Static_assert(GMP_NUMB_BITS == 64, "limbs are 64-bit words without nails");

/* Scratch limbs: on the stack if there are few. */
#define _PyLimbs_LOCAL 64
typedef struct {
    mp_limb_t *p;
    mp_limb_t local[_PyLimbs_LOCAL];
} _PyLimbs;

static inline int
_PyLimbs_Alloc(_PyLimbs *limbs, size_t n)
{
    limbs->p = limbs->local;
    if (n > _PyLimbs_LOCAL) {
        if (n > (size_t)PY_SSIZE_T_MAX / sizeof(mp_limb_t)
            || (limbs->p = PyMem_Malloc(n * sizeof(mp_limb_t))) == NULL) {
            limbs->p = limbs->local;
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}

static inline void
_PyLimbs_Free(_PyLimbs *limbs)
{
    if (limbs->p != limbs->local) {
        PyMem_Free(limbs->p);
    }
}

/* The operations. Operands are large, and not zero. */
PyObject *_PyLong_GMPMultiply(PyLongObject *a, PyLongObject *b);
int _PyLong_GMPDivmod(PyLongObject *a, PyLongObject *b,
                      PyLongObject **quotient, PyLongObject **remainder);
/* base ** exponent, exponent > 1, |base| > 1 */
PyObject *_PyLong_GMPPower(PyLongObject *base, uint64_t exponent);
/* 0 <= result < modulus; exponent >= 0, modulus > 1 */
PyObject *_PyLong_GMPPowerMod(PyLongObject *base, PyLongObject *exponent,
                              PyLongObject *modulus);
/* The inverse of base modulo modulus > 1, or NULL with ValueError. */
PyObject *_PyLong_GMPInvert(PyLongObject *base, PyLongObject *modulus);
PyObject *_PyLong_GMPGcd(PyLongObject *a, PyLongObject *b);

#endif
