/* Conversions between ints and the integers, doubles and byte arrays of C.

   One helper per direction does the work on the magnitude. Each public function adds
   the range check and its error messages. */

#include "internal/int.h"
#include <float.h>
#include <limits.h>
#include <math.h>

/* Sets *magnitude to |op|. Returns 1, or 0 if it needs more than 64 bits. */
static int
magnitude_fits(PyObject *op, uint64_t *magnitude)
{
    const digit *d = ((PyLongObject *)op)->ob_digit;
    switch (Py_ABS(Py_SIZE(op))) {
    case 0: *magnitude = 0; return 1;
    case 1: *magnitude = d[0]; return 1;
    case 2: *magnitude = (uint64_t)d[1] << PyLong_SHIFT | d[0]; return 1;
    case 3:
        *magnitude = (uint64_t)d[2] << (2 * PyLong_SHIFT)
            | (uint64_t)d[1] << PyLong_SHIFT | d[0];
        return d[2] >> (64 - 2 * PyLong_SHIFT) == 0;
    }
    return 0;
}

/* The low 64 bits of op's two's complement. */
static uint64_t
low_bits(PyObject *op)
{
    Py_ssize_t n = Py_ABS(Py_SIZE(op));
    uint64_t bits = 0;
    for (Py_ssize_t i = n < 3 ? n : 3; --i >= 0; ) {
        bits = bits << PyLong_SHIFT | ((PyLongObject *)op)->ob_digit[i];
    }
    return Py_SIZE(op) < 0 ? 0 - bits : bits;
}

/* Like _PyLong_AsInt64Exact, but for the whole range of int64_t. */
static int
fits_int64(PyObject *op, int64_t *v)
{
    uint64_t magnitude;
    if (_PyLong_AsInt64Exact(op, v)) {
        return 1;
    }
    if (Py_SIZE(op) < 0 && magnitude_fits(op, &magnitude)
        && magnitude == (uint64_t)1 << 63) {
        *v = INT64_MIN;
        return 1;
    }
    return 0;
}

/* --------------------------------------------------------------------- from */

PyObject *
PyLong_FromLong(long v)
{
    return _PyLong_FromInt64(v);
}

PyObject *
PyLong_FromLongLong(long long v)
{
    return _PyLong_FromInt64(v);
}

PyObject *
PyLong_FromSsize_t(Py_ssize_t v)
{
    return _PyLong_FromInt64(v);
}

PyObject *
PyLong_FromUnsignedLongLong(unsigned long long v)
{
    if (v <= INT64_MAX) {
        return _PyLong_FromInt64((int64_t)v);
    }
    return _PyLong_FromInt128((__int128)v);
}

PyObject *
PyLong_FromUnsignedLong(unsigned long v)
{
    return PyLong_FromUnsignedLongLong(v);
}

PyObject *
PyLong_FromSize_t(size_t v)
{
    return PyLong_FromUnsignedLongLong(v);
}

PyObject *
PyLong_FromVoidPtr(void *p)
{
    return PyLong_FromUnsignedLongLong((uintptr_t)p);
}

PyObject *
PyLong_FromDouble(double x)
{
    if (x > -0x1p63 && x < 0x1p63) {
        return _PyLong_FromInt64((int64_t)x);
    }
    if (isinf(x)) {
        PyErr_SetString(PyExc_OverflowError,
                        "cannot convert float infinity to integer");
        return NULL;
    }
    if (isnan(x)) {
        PyErr_SetString(PyExc_ValueError,
                        "cannot convert float NaN to integer");
        return NULL;
    }
    int exponent;
    double fraction = frexp(x, &exponent);
    PyObject *mantissa =
        _PyLong_FromInt64((int64_t)ldexp(fraction, DBL_MANT_DIG));
    if (mantissa == NULL) {
        return NULL;
    }
    PyObject *result = _PyLong_Lshift(mantissa,
                                      (size_t)(exponent - DBL_MANT_DIG));
    Py_DECREF(mantissa);
    return result;
}

/* ----------------------------------------------------------------------- as */

/* Returns op as an int, through __index__, as a new reference. */
static PyObject *
index_of(PyObject *op)
{
    if (op == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyLong_Check(op)) {
        return Py_NewRef(op);
    }
    return PyNumber_Index(op);
}

static int
require_int(PyObject *op)
{
    if (op == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (!PyLong_Check(op)) {
        PyErr_SetString(PyExc_TypeError, "an integer is required");
        return -1;
    }
    return 0;
}

long long
PyLong_AsLongLongAndOverflow(PyObject *op, int *overflow)
{
    int64_t value = -1;
    *overflow = 0;
    PyObject *number = index_of(op);
    if (number == NULL) {
        return -1;
    }
    if (!fits_int64(number, &value)) {
        *overflow = Py_SIZE(number) < 0 ? -1 : 1;
        value = -1;
    }
    Py_DECREF(number);
    return value;
}

long
PyLong_AsLongAndOverflow(PyObject *op, int *overflow)
{
    return (long)PyLong_AsLongLongAndOverflow(op, overflow);
}

long
PyLong_AsLong(PyObject *op)
{
    int overflow;
    if (op != NULL && PyLong_Check(op) && _PyLong_CheckCompact(op)) {
        return _PyLong_CompactValue(op);
    }
    long value = PyLong_AsLongAndOverflow(op, &overflow);
    if (overflow) {
        PyErr_SetString(PyExc_OverflowError,
                        "Python int too large to convert to C long");
    }
    return value;
}

long long
PyLong_AsLongLong(PyObject *op)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(op, &overflow);
    if (overflow) {
        PyErr_SetString(PyExc_OverflowError, "int too big to convert");
    }
    return value;
}

int
_PyLong_AsInt(PyObject *op)
{
    int overflow;
    long value = PyLong_AsLongAndOverflow(op, &overflow);
    if (overflow || value > INT_MAX || value < INT_MIN) {
        PyErr_SetString(PyExc_OverflowError,
                        "Python int too large to convert to C int");
        return -1;
    }
    return (int)value;
}

Py_ssize_t
PyLong_AsSsize_t(PyObject *op)
{
    int64_t value;
    if (require_int(op) < 0) {
        return -1;
    }
    if (!fits_int64(op, &value)) {
        PyErr_SetString(PyExc_OverflowError,
                        "Python int too large to convert to C ssize_t");
        return -1;
    }
    return value;
}

static uint64_t
as_unsigned(PyObject *op, const char *negative, const char *too_large)
{
    uint64_t magnitude;
    if (require_int(op) < 0) {
        return (uint64_t)-1;
    }
    if (Py_SIZE(op) < 0) {
        PyErr_SetString(PyExc_OverflowError, negative);
        return (uint64_t)-1;
    }
    if (!magnitude_fits(op, &magnitude)) {
        PyErr_SetString(PyExc_OverflowError, too_large);
        return (uint64_t)-1;
    }
    return magnitude;
}

unsigned long
PyLong_AsUnsignedLong(PyObject *op)
{
    return as_unsigned(op, "can't convert negative value to unsigned int",
                       "Python int too large to convert to C unsigned long");
}

size_t
PyLong_AsSize_t(PyObject *op)
{
    return as_unsigned(op, "can't convert negative value to size_t",
                       "Python int too large to convert to C size_t");
}

unsigned long long
PyLong_AsUnsignedLongLong(PyObject *op)
{
    return as_unsigned(op, "can't convert negative int to unsigned",
                       "int too big to convert");
}

unsigned long long
PyLong_AsUnsignedLongLongMask(PyObject *op)
{
    PyObject *number = index_of(op);
    if (number == NULL) {
        return (unsigned long long)-1;
    }
    unsigned long long bits = low_bits(number);
    Py_DECREF(number);
    return bits;
}

unsigned long
PyLong_AsUnsignedLongMask(PyObject *op)
{
    return PyLong_AsUnsignedLongLongMask(op);
}

void *
PyLong_AsVoidPtr(PyObject *op)
{
    if (require_int(op) < 0) {
        return NULL;
    }
    uintptr_t address = Py_SIZE(op) < 0 ? (uintptr_t)PyLong_AsLong(op)
                                        : PyLong_AsUnsignedLong(op);
    if (address == (uintptr_t)-1 && PyErr_Occurred()) {
        return NULL;
    }
    return (void *)address;
}

/* ---------------------------------------------------------- "O&" converters */

static int
converted(PyObject *obj, unsigned long maximum, const char *too_large,
          unsigned long *value)
{
    if (PyLong_Check(obj) && Py_SIZE(obj) < 0) {
        PyErr_SetString(PyExc_ValueError, "value must be positive");
        return 0;
    }
    *value = PyLong_AsUnsignedLong(obj);
    if (*value == (unsigned long)-1 && PyErr_Occurred()) {
        return 0;
    }
    if (*value > maximum) {
        PyErr_SetString(PyExc_OverflowError, too_large);
        return 0;
    }
    return 1;
}

int
_PyLong_UnsignedShort_Converter(PyObject *obj, void *ptr)
{
    unsigned long value;
    if (!converted(obj, USHRT_MAX, "Python int too large for C unsigned short",
                   &value)) {
        return 0;
    }
    *(unsigned short *)ptr = (unsigned short)value;
    return 1;
}

int
_PyLong_UnsignedInt_Converter(PyObject *obj, void *ptr)
{
    unsigned long value;
    if (!converted(obj, UINT_MAX, "Python int too large for C unsigned int",
                   &value)) {
        return 0;
    }
    *(unsigned int *)ptr = (unsigned int)value;
    return 1;
}

int
_PyLong_UnsignedLong_Converter(PyObject *obj, void *ptr)
{
    unsigned long value;
    if (!converted(obj, ULONG_MAX, "", &value)) {
        return 0;
    }
    *(unsigned long *)ptr = value;
    return 1;
}

/* The two below word an overflow error as their PyLong_As* functions do. */
static int
non_negative(PyObject *obj)
{
    if (PyLong_Check(obj) && Py_SIZE(obj) < 0) {
        PyErr_SetString(PyExc_ValueError, "value must be positive");
        return 0;
    }
    return 1;
}

int
_PyLong_UnsignedLongLong_Converter(PyObject *obj, void *ptr)
{
    if (!non_negative(obj)) {
        return 0;
    }
    unsigned long long value = PyLong_AsUnsignedLongLong(obj);
    if (value == (unsigned long long)-1 && PyErr_Occurred()) {
        return 0;
    }
    *(unsigned long long *)ptr = value;
    return 1;
}

int
_PyLong_Size_t_Converter(PyObject *obj, void *ptr)
{
    if (!non_negative(obj)) {
        return 0;
    }
    size_t value = PyLong_AsSize_t(obj);
    if (value == (size_t)-1 && PyErr_Occurred()) {
        return 0;
    }
    *(size_t *)ptr = value;
    return 1;
}

/* --------------------------------------------------------- size and doubles */

int
_PyLong_Sign(PyObject *op)
{
    return Py_SIZE(op) < 0 ? -1 : Py_SIZE(op) > 0;
}

size_t
_PyLong_NumBits(PyObject *op)
{
    size_t n = (size_t)Py_ABS(Py_SIZE(op));
    if (n == 0) {
        return 0;
    }
    int top = 32 - __builtin_clz(((PyLongObject *)op)->ob_digit[n - 1]);
    if (n - 1 > (SIZE_MAX - (size_t)top) / PyLong_SHIFT) {
        PyErr_SetString(PyExc_OverflowError, "int has too many bits to "
                        "express in a platform size_t");
        return (size_t)-1;
    }
    return (n - 1) * PyLong_SHIFT + (size_t)top;
}

/* The 64 most significant bits of a non-zero |a|, the highest one set; *sticky
   says whether a lower bit is set as well. */
static uint64_t
leading_bits(const PyLongObject *a, int *sticky)
{
    Py_ssize_t i = Py_ABS(Py_SIZE(a));
    uint64_t bits = 0;
    int room = 64;
    *sticky = 0;
    while (i > 0) {
        digit d = a->ob_digit[--i];
        int width = bits == 0 ? 32 - __builtin_clz(d) : PyLong_SHIFT;
        if (width > room) {
            bits = bits << room | d >> (width - room);
            *sticky = (d & (((digit)1 << (width - room)) - 1)) != 0;
            room = 0;
            break;
        }
        bits = bits << width | d;
        room -= width;
    }
    while (!*sticky && i > 0) {
        *sticky = a->ob_digit[--i] != 0;
    }
    return bits << room;
}

double
_PyLong_Frexp(PyLongObject *a, Py_ssize_t *e)
{
    if (Py_SIZE(a) == 0) {
        *e = 0;
        return 0.0;
    }
    size_t nbits = _PyLong_NumBits((PyObject *)a);
    if (nbits == (size_t)-1 || nbits >= PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "huge integer: number of bits overflows a Py_ssize_t");
        *e = 0;
        return -1.0;
    }
    int sticky;
    uint64_t bits = leading_bits(a, &sticky);
    const int extra = 64 - DBL_MANT_DIG;
    const uint64_t half = (uint64_t)1 << (extra - 1);
    uint64_t rest = bits & (2 * half - 1);
    bits >>= extra;
    bits += rest > half || (rest == half && (sticky || (bits & 1)));
    double fraction = ldexp((double)bits, -DBL_MANT_DIG);
    if (fraction == 1.0) {
        fraction = 0.5;
        nbits++;
    }
    *e = (Py_ssize_t)nbits;
    return Py_SIZE(a) < 0 ? -fraction : fraction;
}

double
PyLong_AsDouble(PyObject *op)
{
    int64_t value;
    if (require_int(op) < 0) {
        return -1.0;
    }
    if (_PyLong_AsInt64Exact(op, &value)) {
        return (double)value;
    }
    Py_ssize_t exponent;
    double fraction = _PyLong_Frexp((PyLongObject *)op, &exponent);
    if ((fraction == -1.0 && PyErr_Occurred()) || exponent > DBL_MAX_EXP) {
        PyErr_SetString(PyExc_OverflowError,
                        "int too large to convert to float");
        return -1.0;
    }
    return ldexp(fraction, (int)exponent);
}

/* -------------------------------------------------------------- byte arrays */

/* Four bytes of a number, of which the least significant is at `low`. */
static inline uint32_t
read_four(const unsigned char *low, int little_endian)
{
    return little_endian
        ? low[0] | (uint32_t)low[1] << 8 | (uint32_t)low[2] << 16 | (uint32_t)low[3] << 24
        : low[0] | (uint32_t)low[-1] << 8 | (uint32_t)low[-2] << 16 | (uint32_t)low[-3] << 24;
}

static inline void
write_four(unsigned char *low, int little_endian, uint32_t four)
{
    for (int i = 0; i < 4; i++) {
        low[little_endian ? i : -i] = (unsigned char)(four >> (8 * i));
    }
}

PyObject *
_PyLong_FromByteArray(const unsigned char *bytes, size_t n,
                      int little_endian, int is_signed)
{
    /* Starts at the least significant byte, whichever end that is. */
    Py_ssize_t step = little_endian ? 1 : -1;
    const unsigned char *low = little_endian || n == 0 ? bytes : bytes + n - 1;
    if (n == 0) {
        return _PyLong_GetSmall(0);
    }
    int negative = is_signed && (low[(Py_ssize_t)(n - 1) * step] & 0x80) != 0;
    unsigned char fill = negative ? 0xff : 0;
    while (n > 0 && low[(Py_ssize_t)(n - 1) * step] == fill) {
        n--;
    }
    if (n < 8) {
        uint64_t bits = negative ? ~(uint64_t)0 : 0;
        for (Py_ssize_t i = (Py_ssize_t)n; --i >= 0; ) {
            bits = bits << 8 | low[i * step];
        }
        return _PyLong_FromInt64((int64_t)bits);
    }
    /* One extra byte, for the carry of the negation. */
    if (n > (size_t)PY_SSIZE_T_MAX / 8 - PyLong_SHIFT) {
        PyErr_SetString(PyExc_OverflowError,
                        "byte array too long to convert to int");
        return NULL;
    }
    Py_ssize_t ndigits = (Py_ssize_t)(((n + 1) * 8 + PyLong_SHIFT - 1)
                                      / PyLong_SHIFT);
    PyLongObject *op = _PyLong_New(ndigits);
    if (op == NULL) {
        return NULL;
    }
    uint64_t pending = 0;
    int npending = 0;
    unsigned int carry = negative;
    Py_ssize_t k = 0;
    size_t i = 0;
    for (; n - i >= 4; i += 4) {
        uint64_t four = read_four(low + (Py_ssize_t)i * step, little_endian);
        if (negative) {
            four = (four ^ 0xffffffffu) + carry;
            carry = (unsigned int)(four >> 32);
            four &= 0xffffffffu;
        }
        pending |= four << npending;
        for (npending += 32; npending >= PyLong_SHIFT; npending -= PyLong_SHIFT) {
            op->ob_digit[k++] = (digit)pending & PyLong_MASK;
            pending >>= PyLong_SHIFT;
        }
    }
    for (; i <= n; i++) {
        unsigned int byte = i < n ? low[(Py_ssize_t)i * step] : fill;
        if (negative) {
            byte = (byte ^ 0xff) + carry;
            carry = byte >> 8;
            byte &= 0xff;
        }
        pending |= (uint64_t)byte << npending;
        npending += 8;
        if (npending >= PyLong_SHIFT) {
            op->ob_digit[k++] = (digit)pending & PyLong_MASK;
            pending >>= PyLong_SHIFT;
            npending -= PyLong_SHIFT;
        }
    }
    if (k < ndigits) {
        op->ob_digit[k++] = (digit)pending;
    }
    Py_SET_SIZE(op, negative ? -k : k);
    return _PyLong_Finish(op);
}

/* Is v equal to -2**k or 2**k? */
static int
is_power_of_two(const PyLongObject *v)
{
    Py_ssize_t n = Py_ABS(Py_SIZE(v));
    if (n == 0 || (v->ob_digit[n - 1] & (v->ob_digit[n - 1] - 1)) != 0) {
        return 0;
    }
    while (--n > 0) {
        if (v->ob_digit[n - 1] != 0) {
            return 0;
        }
    }
    return 1;
}

/* For 1 to 8 bytes. Returns 0 without an exception if the word does not fit. */
static int
store_word(int64_t word, unsigned char *bytes, size_t n, int little_endian, int is_signed)
{
    if (is_signed) {
        if (n < 8 && (word >> (8 * n - 1)) != (word < 0 ? -1 : 0)) {
            return 0;
        }
    }
    else if (word < 0 || (n < 8 && word >> (8 * n) != 0)) {
        return 0;
    }
    uint64_t bits = (uint64_t)word;
    if (n == 8) {
        if (little_endian != PY_LITTLE_ENDIAN) {
            bits = __builtin_bswap64(bits);
        }
        memcpy(bytes, &bits, sizeof(bits));
        return 1;
    }
    for (size_t i = 0; i < n; i++, bits >>= 8) {
        bytes[little_endian ? i : n - 1 - i] = (unsigned char)bits;
    }
    return 1;
}

int
_PyLong_AsByteArray(PyLongObject *v, unsigned char *bytes, size_t n,
                    int little_endian, int is_signed)
{
    int negative = Py_SIZE(v) < 0;
    int64_t word;
    if (n - 1 < 8 && _PyLong_AsInt64Exact((PyObject *)v, &word)
        && store_word(word, bytes, n, little_endian, is_signed)) {
        return 0;
    }
    if (negative && !is_signed) {
        PyErr_SetString(PyExc_OverflowError,
                        "can't convert negative int to unsigned");
        return -1;
    }
    size_t nbits = _PyLong_NumBits((PyObject *)v);
    if (nbits == (size_t)-1 && PyErr_Occurred()) {
        return -1;
    }
    /* Two's complement needs one more bit for the sign, except for -2**k. A zero needs
       no bits, and neither does -1 in 3.11. */
    size_t needed = nbits;
    if (is_signed && nbits > 0 && !(negative && is_power_of_two(v))) {
        needed++;
    }
    if (n == 0 && negative && nbits == 1) {
        needed = 0;
    }
    if (needed > n && (needed - 1) / 8 >= n) {
        PyErr_SetString(PyExc_OverflowError, "int too big to convert");
        return -1;
    }
    Py_ssize_t step = little_endian ? 1 : -1;
    unsigned char *out = little_endian || n == 0 ? bytes : bytes + n - 1;
    Py_ssize_t ndigits = Py_ABS(Py_SIZE(v)), k = 0;
    uint64_t pending = 0;
    int npending = 0;
    unsigned int carry = negative;
    size_t i = 0;
    for (; n - i >= 4; i += 4, out += 4 * step) {
        while (npending < 32 && k < ndigits) {
            pending |= (uint64_t)v->ob_digit[k++] << npending;
            npending += PyLong_SHIFT;
        }
        uint64_t four = pending & 0xffffffffu;
        pending >>= 32;
        npending = npending < 32 ? 0 : npending - 32;
        if (negative) {
            four = (four ^ 0xffffffffu) + carry;
            carry = (unsigned int)(four >> 32);
        }
        write_four(out, little_endian, (uint32_t)four);
    }
    for (; i < n; i++, out += step) {
        if (npending < 8 && k < ndigits) {
            pending |= (uint64_t)v->ob_digit[k++] << npending;
            npending += PyLong_SHIFT;
        }
        unsigned int byte = (unsigned int)pending & 0xff;
        pending >>= 8;
        npending = npending < 8 ? 0 : npending - 8;
        if (negative) {
            byte = (byte ^ 0xff) + carry;
            carry = byte >> 8;
        }
        *out = (unsigned char)byte;
    }
    return 0;
}
