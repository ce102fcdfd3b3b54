/* Large ints by way of GMP.

   Digits are repacked to 64-bit limbs in scratch memory, an mpn or mpz function does
   the work, and the result is repacked. Repacking is linear; beyond a few digits,
   multiplication and similar operations cost more. Read-only mpz values are built over
   our own scratch (mpz_roinit_n). */

#include "by_gmp.h"
#include "pairs.h"

size_t
_PyLong_ToLimbs(const PyLongObject *op, mp_limb_t *limbs)
{
    Py_ssize_t n = Py_ABS(Py_SIZE(op));
    const digit *d = op->ob_digit;
    size_t k = 0;
    uint64_t pending = 0;       /* `width` bits, a multiple of 4 from 0 to 60 */
    int width = 0;
    for (Py_ssize_t i = 0; i < n; i += 2) {
        uint64_t number = i + 1 < n ? pair_to_number(pair_load(d + i)) : d[i];
        pending |= number << width;
        if (width == 0) {
            width = PAIR_BITS;
            continue;
        }
        limbs[k++] = pending;
        pending = number >> (64 - width);
        width -= 64 - PAIR_BITS;
    }
    if (pending != 0) {
        limbs[k++] = pending;
    }
    while (k > 0 && limbs[k - 1] == 0) {
        k--;
    }
    return k;
}

PyObject *
_PyLong_FromLimbs(const mp_limb_t *limbs, size_t n, int negative)
{
    while (n > 0 && limbs[n - 1] == 0) {
        n--;
    }
    if (n == 0) {
        return _PyLong_GetSmall(0);
    }
    size_t nbits = n * 64 - (size_t)__builtin_clzll(limbs[n - 1]);
    Py_ssize_t ndigits = (Py_ssize_t)((nbits + PyLong_SHIFT - 1)
                                      / PyLong_SHIFT);
    PyLongObject *op = _PyLong_New(ndigits);
    if (op == NULL) {
        return NULL;
    }
    uint64_t pending = 0;       /* `width` bits, a multiple of 4 from 0 to 60 */
    int width = 0;
    size_t k = 0;
    for (Py_ssize_t i = 0; i < ndigits; i += 2) {
        uint64_t number = pending;
        if (width == PAIR_BITS) {
            pending = 0;
            width = 0;
        }
        else {
            mp_limb_t limb = k < n ? limbs[k++] : 0;
            number |= limb << width;
            pending = limb >> (PAIR_BITS - width);
            width += 64 - PAIR_BITS;
        }
        if (i + 1 < ndigits) {
            pair_store(op->ob_digit + i, pair_of_number(number));
        }
        else {
            op->ob_digit[i] = (digit)number & PyLong_MASK;
        }
    }
    if (negative) {
        Py_SET_SIZE(op, -ndigits);
    }
    return _PyLong_Finish(op);
}

/* The limbs of op as a read-only mpz. The caller frees the scratch. */
static int
view_as_mpz(mpz_t view, _PyLimbs *scratch, const PyLongObject *op)
{
    Py_ssize_t size = Py_SIZE(op);
    if (_PyLimbs_Alloc(scratch, _PyLong_LimbCount((size_t)Py_ABS(size))) < 0) {
        return -1;
    }
    mp_size_t n = (mp_size_t)_PyLong_ToLimbs(op, scratch->p);
    mpz_roinit_n(view, scratch->p, size < 0 ? -n : n);
    return 0;
}

static PyObject *
from_mpz(const mpz_t value)
{
    return _PyLong_FromLimbs(mpz_limbs_read(value), mpz_size(value),
                             mpz_sgn(value) < 0);
}

PyObject *
_PyLong_GMPMultiply(PyLongObject *a, PyLongObject *b)
{
    size_t la = _PyLong_LimbCount((size_t)Py_ABS(Py_SIZE(a)));
    size_t lb = _PyLong_LimbCount((size_t)Py_ABS(Py_SIZE(b)));
    _PyLimbs scratch;
    if (la > (size_t)PY_SSIZE_T_MAX / 32 || lb > (size_t)PY_SSIZE_T_MAX / 32) {
        return PyErr_NoMemory();
    }
    if (_PyLimbs_Alloc(&scratch, 2 * (la + lb)) < 0) {
        return NULL;
    }
    mp_limb_t *product = scratch.p + la + lb;
    mp_limb_t *x = scratch.p, *y = x + la;
    la = _PyLong_ToLimbs(a, x);
    if (a == b) {
        lb = la;
        mpn_sqr(product, x, (mp_size_t)la);
    }
    else {
        lb = _PyLong_ToLimbs(b, y);
        if (la >= lb) {
            mpn_mul(product, x, (mp_size_t)la, y, (mp_size_t)lb);
        }
        else {
            mpn_mul(product, y, (mp_size_t)lb, x, (mp_size_t)la);
        }
    }
    PyObject *result = _PyLong_FromLimbs(product, la + lb,
                                         (Py_SIZE(a) < 0) != (Py_SIZE(b) < 0));
    _PyLimbs_Free(&scratch);
    return result;
}

int
_PyLong_GMPDivmod(PyLongObject *a, PyLongObject *b,
                  PyLongObject **quotient, PyLongObject **remainder)
{
    size_t la = _PyLong_LimbCount((size_t)Py_ABS(Py_SIZE(a)));
    size_t lb = _PyLong_LimbCount((size_t)Py_ABS(Py_SIZE(b)));
    PyObject *q = NULL, *r = NULL;
    _PyLimbs scratch;
    if (_PyLimbs_Alloc(&scratch, 2 * (la + lb) + 1) < 0) {
        return -1;
    }
    mp_limb_t *x = scratch.p, *y = x + la;
    mp_limb_t *rp = y + lb, *qp = rp + lb;
    la = _PyLong_ToLimbs(a, x);
    lb = _PyLong_ToLimbs(b, y);
    size_t lq = 0, lr = la;
    if (la >= lb) {
        mpn_tdiv_qr(qp, rp, 0, x, (mp_size_t)la, y, (mp_size_t)lb);
        lq = la - lb + 1;
        lr = lb;
    }
    else {
        rp = x;
    }
    int failed = 0;
    if (quotient != NULL) {
        q = _PyLong_FromLimbs(qp, lq, (Py_SIZE(a) < 0) != (Py_SIZE(b) < 0));
        failed = q == NULL;
    }
    if (remainder != NULL && !failed) {
        r = _PyLong_FromLimbs(rp, lr, Py_SIZE(a) < 0);
        failed = r == NULL;
    }
    _PyLimbs_Free(&scratch);
    if (failed) {
        Py_XDECREF(q);
        return -1;
    }
    if (quotient != NULL) {
        *quotient = (PyLongObject *)q;
    }
    if (remainder != NULL) {
        *remainder = (PyLongObject *)r;
    }
    return 0;
}

/* p[0:n] **= exponent, left to right; spare has as much room. Returns p or spare,
   whichever holds the result; *n is its length. Returns NULL if a signal handler raised
   an exception. */
static mp_limb_t *
raise_limbs(mp_limb_t *p, mp_limb_t *spare, size_t *n, uint64_t exponent,
            const mp_limb_t *base, size_t nbase)
{
    for (int bit = 62 - __builtin_clzll(exponent); bit >= 0; bit--) {
        mpn_sqr(spare, p, (mp_size_t)*n);
        *n *= 2;
        *n -= spare[*n - 1] == 0;
        mp_limb_t *t = p;
        p = spare;
        spare = t;
        if (exponent >> bit & 1) {
            mpn_mul(spare, p, (mp_size_t)*n, base, (mp_size_t)nbase);
            *n += nbase;
            *n -= spare[*n - 1] == 0;
            t = p;
            p = spare;
            spare = t;
        }
        if (*n > 1000 && PyErr_CheckSignals() < 0) {
            return NULL;
        }
    }
    return p;
}

PyObject *
_PyLong_GMPPower(PyLongObject *base, uint64_t exponent)
{
    int negative = Py_SIZE(base) < 0 && (exponent & 1);
    size_t nbits = _PyLong_NumBits((PyObject *)base), total;
    if (__builtin_mul_overflow(nbits, exponent, &total)
        || total > (size_t)PY_SSIZE_T_MAX / 4) {
        return PyErr_NoMemory();
    }
    /* The power of two in the base is applied as a shift at the end. */
    Py_ssize_t low = 0;
    while (base->ob_digit[low] == 0) {
        low++;
    }
    size_t twos = (size_t)low * PyLong_SHIFT
        + (size_t)__builtin_ctz(base->ob_digit[low]);
    PyObject *odd = _PyLong_Rshift((PyObject *)base, twos);
    if (odd == NULL) {
        return NULL;
    }
    size_t nbase = _PyLong_LimbCount((size_t)Py_ABS(Py_SIZE(odd)));
    /* A square is stored before it is known whether its top limb is zero. */
    size_t room = ((nbits - twos) * exponent) / 64 + 2 * nbase + 4;
    PyObject *result = NULL;
    _PyLimbs scratch;
    if (_PyLimbs_Alloc(&scratch, 2 * room + nbase) < 0) {
        Py_DECREF(odd);
        return NULL;
    }
    mp_limb_t *b = scratch.p, *p = b + nbase;
    size_t n = nbase = _PyLong_ToLimbs((PyLongObject *)odd, b);
    memcpy(p, b, n * sizeof(mp_limb_t));
    p = raise_limbs(p, p + room, &n, exponent, b, nbase);
    if (p != NULL) {
        result = _PyLong_FromLimbs(p, n, negative);
    }
    _PyLimbs_Free(&scratch);
    Py_DECREF(odd);
    if (result != NULL && twos != 0) {
        Py_SETREF(result, _PyLong_Lshift(result, twos * exponent));
    }
    return result;
}

PyObject *
_PyLong_GMPPowerMod(PyLongObject *base, PyLongObject *exponent,
                    PyLongObject *modulus)
{
    PyObject *result = NULL;
    _PyLimbs sb, se, sm;
    mpz_t b, e, m, power;
    if (view_as_mpz(b, &sb, base) < 0) {
        return NULL;
    }
    if (view_as_mpz(e, &se, exponent) == 0) {
        if (view_as_mpz(m, &sm, modulus) == 0) {
            mpz_init(power);
            mpz_powm(power, b, e, m);
            result = from_mpz(power);
            mpz_clear(power);
            _PyLimbs_Free(&sm);
        }
        _PyLimbs_Free(&se);
    }
    _PyLimbs_Free(&sb);
    return result;
}

PyObject *
_PyLong_GMPInvert(PyLongObject *base, PyLongObject *modulus)
{
    PyObject *result = NULL;
    _PyLimbs sb, sm;
    mpz_t b, m, inverse;
    if (view_as_mpz(b, &sb, base) < 0) {
        return NULL;
    }
    if (view_as_mpz(m, &sm, modulus) == 0) {
        mpz_init(inverse);
        if (mpz_invert(inverse, b, m)) {
            result = from_mpz(inverse);
        }
        else {
            PyErr_SetString(PyExc_ValueError,
                            "base is not invertible for the given modulus");
        }
        mpz_clear(inverse);
        _PyLimbs_Free(&sm);
    }
    _PyLimbs_Free(&sb);
    return result;
}

PyObject *
_PyLong_GMPGcd(PyLongObject *a, PyLongObject *b)
{
    PyObject *result = NULL;
    _PyLimbs sa, sb;
    mpz_t x, y, gcd;
    if (view_as_mpz(x, &sa, a) < 0) {
        return NULL;
    }
    if (view_as_mpz(y, &sb, b) == 0) {
        mpz_init(gcd);
        mpz_gcd(gcd, x, y);
        result = from_mpz(gcd);
        mpz_clear(gcd);
        _PyLimbs_Free(&sb);
    }
    _PyLimbs_Free(&sa);
    return result;
}
