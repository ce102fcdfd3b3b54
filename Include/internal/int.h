/* The int object from inside: allocation, machine-word values, arithmetic.

   Layout is 3.11's: ob_size is the number of 30-bit digits, negative for a
   negative value; the most significant digit is never 0. Invariants:
   - the values -5 … 256 exist once, in _PyLong_small_ints, and are never freed;
   - any other exact int of one or two digits lives in a block of at least
     _PyLong_BLOCK bytes, so that such blocks can be recycled through
     _PyLong_free_list, linked by ob_refcnt. Only ob_refcnt of a recycled
     block is stale: ob_type still is PyLong_Type. */
#ifndef SB_INTERNAL_INT_H
#define SB_INTERNAL_INT_H

#include "Python.h"
#include <stdint.h>

#define _PyLong_SMALL_NEG 5
#define _PyLong_SMALL_POS 257
#define _PyLong_BLOCK 32

extern PyLongObject _PyLong_small_ints[_PyLong_SMALL_NEG + _PyLong_SMALL_POS];

struct _PyLong_free_list {
    PyLongObject *head;
    Py_ssize_t count;
    Py_ssize_t limit;
};
extern struct _PyLong_free_list _PyLong_free_list;

/* Start-up: fills sys.int_info's type. After PyType_Ready on static types. */
int _PyLong_InitTypes(void);
#define _PyLong_FREE_LIST_LIMIT 4096

/* 0: empties it, and from then on each number of its kind is allocated by itself. */
void _PyLong_UseFreeList(int use);

/* An uninitialised block for one or two digits: ob_refcnt is 1, ob_size is
   not set. NULL with MemoryError. */
PyLongObject *_PyLong_AllocBlock(void);

static inline PyLongObject *
_PyLong_NewBlock(void)
{
    PyLongObject *op = _PyLong_free_list.head;
    if (__builtin_expect(op == NULL, 0)) {
        return _PyLong_AllocBlock();
    }
    _PyLong_free_list.head = (PyLongObject *)Py_REFCNT(op);
    _PyLong_free_list.count--;
    ((PyObject *)op)->ob_refcnt = 1;
    return op;
}

/* ---------------------------------------------------------- from C integers */

static inline int
_PyLong_IsSmallValue(int64_t v)
{
    return (uint64_t)v + _PyLong_SMALL_NEG
           < _PyLong_SMALL_NEG + _PyLong_SMALL_POS;
}

/* A preallocated int; v must be in -5 … 256. Returns a borrowed reference. */
static inline PyObject *
_PyLong_BorrowSmall(int64_t v)
{
    return (PyObject *)&_PyLong_small_ints[v + _PyLong_SMALL_NEG];
}

/* The same. Returns a new reference. */
static inline PyObject *
_PyLong_GetSmall(int64_t v)
{
    return Py_NewRef(_PyLong_BorrowSmall(v));
}

/* The digits of v into a block for two, which they fit in. */
static inline void
_PyLong_FillBlock(PyLongObject *op, int64_t v)
{
    uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    digit high = (digit)(magnitude >> PyLong_SHIFT);
    Py_ssize_t size = 1 + (high != 0);
    Py_SET_SIZE(op, v < 0 ? -size : size);
    op->ob_digit[0] = (digit)magnitude & PyLong_MASK;
    op->ob_digit[1] = high;
}

static inline int
_PyLong_FitsBlock(int64_t v)
{
    return (v < 0 ? 0 - (uint64_t)v : (uint64_t)v) >> (2 * PyLong_SHIFT) == 0;
}

/* The general case: |v| of any size. */
PyObject *_PyLong_FromInt64Slow(int64_t v);
PyObject *_PyLong_FromInt128(__int128 v);

static inline PyObject *
_PyLong_FromInt64(int64_t v)
{
    if (_PyLong_IsSmallValue(v)) {
        return _PyLong_GetSmall(v);
    }
    if (!_PyLong_FitsBlock(v)) {
        return _PyLong_FromInt64Slow(v);
    }
    PyLongObject *op = _PyLong_NewBlock();
    if (op != NULL) {
        _PyLong_FillBlock(op, v);
    }
    return (PyObject *)op;
}

/* ------------------------------------------------------------ to C integers */

/* A compact int has at most one digit. op: an int or an instance of a
   subclass. */
static inline int
_PyLong_CheckCompact(PyObject *op)
{
    return (size_t)Py_SIZE(op) + 1 < 3;
}

static inline int64_t
_PyLong_CompactValue(PyObject *op)
{
    return (int64_t)Py_SIZE(op) * ((PyLongObject *)op)->ob_digit[0];
}

/* Stores the value of an int (or of a subclass's instance) in *v and returns 1; 0 without
   an exception when it has more than 63 bits besides the sign. */
static inline int
_PyLong_AsInt64Exact(PyObject *op, int64_t *v)
{
    const digit *d = ((PyLongObject *)op)->ob_digit;
    Py_ssize_t size = Py_SIZE(op);
    switch (size) {
    case 0: *v = 0; return 1;
    case 1: *v = d[0]; return 1;
    case -1: *v = -(int64_t)d[0]; return 1;
    case 2: *v = (int64_t)((uint64_t)d[1] << PyLong_SHIFT | d[0]); return 1;
    case -2: *v = -(int64_t)((uint64_t)d[1] << PyLong_SHIFT | d[0]); return 1;
    case 3: case -3:
        if (d[2] >> 3 == 0) {
            uint64_t magnitude = (uint64_t)d[2] << (2 * PyLong_SHIFT)
                | (uint64_t)d[1] << PyLong_SHIFT | d[0];
            *v = size < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
            return 1;
        }
    }
    return 0;
}

#define _PyLong_SIGN_OF(op) \
    (Py_SIZE(op) < 0 ? -1 : Py_SIZE(op) > 0)

/* --------------------------------------------------------------- arithmetic */

/* a OP b for ints (or instances of subclasses). Return a new reference to an exact int,
   NULL with an exception. */
PyObject *_PyLong_Add(PyObject *a, PyObject *b);
PyObject *_PyLong_Subtract(PyObject *a, PyObject *b);
PyObject *_PyLong_Multiply(PyObject *a, PyObject *b);
PyObject *_PyLong_FloorDivide(PyObject *a, PyObject *b);
PyObject *_PyLong_Remainder(PyObject *a, PyObject *b);
PyObject *_PyLong_TrueDivide(PyObject *a, PyObject *b);
/* c: an int, or Py_None. */
PyObject *_PyLong_Power(PyObject *a, PyObject *b, PyObject *c);
PyObject *_PyLong_Negate(PyObject *a);
PyObject *_PyLong_And(PyObject *a, PyObject *b);
PyObject *_PyLong_Or(PyObject *a, PyObject *b);
PyObject *_PyLong_Xor(PyObject *a, PyObject *b);
PyObject *_PyLong_LeftShift(PyObject *a, PyObject *b);
PyObject *_PyLong_RightShift(PyObject *a, PyObject *b);
/* <0, 0, >0 */
int _PyLong_Compare(PyObject *a, PyObject *b);

static inline int
_PyLong_Equal(PyObject *a, PyObject *b)
{
    Py_ssize_t size = Py_SIZE(a);
    if (size != Py_SIZE(b)) {
        return 0;
    }
    size_t n = (size_t)(size < 0 ? -size : size);
    const digit *x = ((PyLongObject *)a)->ob_digit;
    const digit *y = ((PyLongObject *)b)->ob_digit;
    return n == 0 || (x[0] == y[0]
                      && (n == 1 || memcmp(x, y, n * sizeof(digit)) == 0));
}

/* The same on machine words, for values that live in registers: in words if
   that does not overflow, on wider ones otherwise. */
static inline PyObject *
_PyLong_MultiplyInt64(int64_t a, int64_t b)
{
    int64_t product;
    if (!__builtin_mul_overflow(a, b, &product)) {
        return _PyLong_FromInt64(product);
    }
    return _PyLong_FromInt128((__int128)a * b);
}

static inline PyObject *
_PyLong_AddInt64(int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum)) {
        return _PyLong_FromInt64(sum);
    }
    return _PyLong_FromInt128((__int128)a + b);
}

static inline PyObject *
_PyLong_SubtractInt64(int64_t a, int64_t b)
{
    int64_t difference;
    if (!__builtin_sub_overflow(a, b, &difference)) {
        return _PyLong_FromInt64(difference);
    }
    return _PyLong_FromInt128((__int128)a - b);
}

/* Python's // and % on words. The caller has excluded b == 0 and (INT64_MIN, -1). */
static inline int64_t
_PyLong_FloorDivInt64(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return q - ((a % b != 0) & ((a ^ b) < 0));
}

static inline int64_t
_PyLong_FloorModInt64(int64_t a, int64_t b)
{
    int64_t r = a % b;
    return r + (b & -(int64_t)((r != 0) & ((r ^ b) < 0)));
}

/* -------------------------------------------------------------------- limbs */

/* Magnitudes as GMP's limbs: words of 64 bits, the lowest first. Enough for n digits: */
static inline size_t
_PyLong_LimbCount(size_t ndigits)
{
    return (ndigits * PyLong_SHIFT + 63) / 64;
}
/* Writes |op|. Returns the number of limbs without leading zeros. */
size_t _PyLong_ToLimbs(const PyLongObject *op, uint64_t *limbs);
/* Returns a new int. The magnitude need not be normalised. */
PyObject *_PyLong_FromLimbs(const uint64_t *limbs, size_t n, int negative);

/* --------------------------------------------------------------------- text */

/* str(op) in base 10 (tp_repr); the digit limit applies. */
PyObject *_PyLong_Repr(PyObject *op);
/* Appends op in `base` to the writer, with a "0x" and so on if alternate. */
int _PyLong_FormatWriter(_PyUnicodeWriter *writer, PyObject *op, int base,
                         int alternate);

/* sys.set_int_max_str_digits: the limit is interp->int_max_str_digits. */
#define _PY_LONG_DEFAULT_MAX_STR_DIGITS 4300
#define _PY_LONG_MAX_STR_DIGITS_THRESHOLD 640

/* ------------------------------------------------ between the files of int/ */

/* Drops leading zero digits. */
PyLongObject *_PyLong_Normalize(PyLongObject *op);
/* Normalises a fresh int, and replaces it by the preallocated one if its value is small.
   NULL gives NULL. Steals op. */
PyObject *_PyLong_Finish(PyLongObject *op);

extern PyMethodDef _PyLong_methods[];
extern PyGetSetDef _PyLong_getset[];
extern PyNumberMethods _PyLong_as_number;

#endif
