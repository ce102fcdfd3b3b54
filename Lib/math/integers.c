/* math: gcd, lcm, isqrt, factorial, comb, perm.

   Large numbers go through GMP: an int is converted to an mpz through its bytes, and
   back. */

#include "math_module.h"
#include <gmp.h>
#include "internal/int.h"
#include "internal/method_table.h"

/* ----------------------------------------------------------------- int, mpz */

/* Sets z, initialised, to a non-negative int. */
static int
mpz_from_int(mpz_t z, PyObject *op)
{
    size_t nbits = _PyLong_NumBits(op);
    if (nbits == (size_t)-1 && PyErr_Occurred()) {
        return -1;
    }
    size_t n = nbits / 8 + 1;
    unsigned char *bytes = PyMem_Malloc(n);
    if (bytes == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int status = _PyLong_AsByteArray((PyLongObject *)op, bytes, n, 1, 0);
    if (status == 0) {
        mpz_import(z, n, -1, 1, 0, 0, bytes);
    }
    PyMem_Free(bytes);
    return status;
}

static PyObject *
int_from_mpz(const mpz_t z)
{
    size_t n = mpz_sizeinbase(z, 2) / 8 + 1;
    unsigned char *bytes = PyMem_Malloc(n);
    if (bytes == NULL) {
        return PyErr_NoMemory();
    }
    size_t written = 0;
    mpz_export(bytes, &written, -1, 1, 0, 0, z);
    PyObject *result = _PyLong_FromByteArray(bytes, written, 1, 0);
    PyMem_Free(bytes);
    return result;
}

/* A non-negative index as an int: new reference. */
static PyObject *
non_negative(PyObject *arg, const char *message)
{
    PyObject *n = _PyNumber_Index(arg);
    if (n != NULL && _PyLong_Sign(n) < 0) {
        PyErr_SetString(PyExc_ValueError, message);
        Py_CLEAR(n);
    }
    return n;
}

/* -------------------------------------------------------------- gcd and lcm */

/* Applies `step` to all arguments, two at a time; `none` if there are none. */
static PyObject *
fold(PyObject *const *args, Py_ssize_t nargs, long none, binaryfunc step)
{
    if (nargs == 0) {
        return PyLong_FromLong(none);
    }
    PyObject *result = PyNumber_Index(args[0]);
    if (result != NULL && nargs == 1) {
        Py_SETREF(result, PyNumber_Absolute(result));
    }
    for (Py_ssize_t i = 1; i < nargs && result != NULL; i++) {
        PyObject *x = _PyNumber_Index(args[i]);
        if (x == NULL) {
            Py_CLEAR(result);
            break;
        }
        Py_SETREF(result, step(result, x));
        Py_DECREF(x);
    }
    return result;
}

static PyObject *
math_gcd(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    return fold(args, nargs, 0, _PyLong_GCD);
}

/* |a / gcd(a, b) * b| */
static PyObject *
lcm_of_two(PyObject *a, PyObject *b)
{
    if (_PyLong_Sign(a) == 0 || _PyLong_Sign(b) == 0) {
        return PyLong_FromLong(0);
    }
    PyObject *result = NULL;
    PyObject *gcd = _PyLong_GCD(a, b);
    if (gcd == NULL) {
        return NULL;
    }
    PyObject *quotient = PyNumber_FloorDivide(a, gcd);
    Py_DECREF(gcd);
    if (quotient != NULL) {
        result = PyNumber_Multiply(quotient, b);
        Py_DECREF(quotient);
    }
    if (result != NULL) {
        Py_SETREF(result, PyNumber_Absolute(result));
    }
    return result;
}

static PyObject *
math_lcm(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    return fold(args, nargs, 1, lcm_of_two);
}

/* -------------------------------------------------------------------- isqrt */

static uint64_t
isqrt_of_word(uint64_t n)
{
    uint64_t root = (uint64_t)__builtin_sqrt((double)n);
    /* The double is at most off by one. */
    if (root > UINT32_MAX || root * root > n) {
        root--;
    }
    else if (root < UINT32_MAX && (root + 1) * (root + 1) <= n) {
        root++;
    }
    return root;
}

static PyObject *
math_isqrt(PyObject *Py_UNUSED(module), PyObject *arg)
{
    PyObject *n = non_negative(arg, "isqrt() argument must be nonnegative");
    if (n == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (_PyLong_NumBits(n) <= 64) {
        result = PyLong_FromUnsignedLongLong(
            isqrt_of_word(PyLong_AsUnsignedLongLong(n)));
    }
    else {
        mpz_t z;
        mpz_init(z);
        if (mpz_from_int(z, n) == 0) {
            mpz_sqrt(z, z);
            result = int_from_mpz(z);
        }
        mpz_clear(z);
    }
    Py_DECREF(n);
    return result;
}

/* ------------------------------------------------------------ combinatorics */

static PyObject *
math_factorial(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int overflow;
    long n = PyLong_AsLongAndOverflow(arg, &overflow);
    if (n == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (overflow > 0) {
        PyErr_Format(PyExc_OverflowError,
                     "factorial() argument should not exceed %ld", LONG_MAX);
        return NULL;
    }
    if (overflow < 0 || n < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "factorial() not defined for negative values");
        return NULL;
    }
    if (n <= 20) {
        uint64_t product = 1;
        for (uint64_t i = 2; i <= (uint64_t)n; i++) {
            product *= i;
        }
        return PyLong_FromUnsignedLongLong(product);
    }
    /* mpz_fac_ui() aborts if memory or its own limits are not sufficient. */
    if (n >= (long)1 << 32) {
        return PyErr_NoMemory();
    }
    mpz_t z;
    mpz_init(z);
    mpz_fac_ui(z, (unsigned long)n);
    PyObject *result = int_from_mpz(z);
    mpz_clear(z);
    return result;
}

/* n * (n - 1) * … * (n - k + 1) by halves, which keeps factors balanced. */
static void
falling_product(mpz_t result, const mpz_t n, unsigned long k)
{
    if (k == 0) {
        mpz_set_ui(result, 1);
        return;
    }
    if (k < 16) {
        mpz_t factor;
        mpz_init_set(factor, n);
        mpz_set(result, n);
        while (--k > 0) {
            mpz_sub_ui(factor, factor, 1);
            mpz_mul(result, result, factor);
        }
        mpz_clear(factor);
        return;
    }
    mpz_t low, rest;
    mpz_init(low);
    mpz_init(rest);
    mpz_sub_ui(low, n, k / 2);
    falling_product(rest, low, k - k / 2);
    falling_product(result, n, k / 2);
    mpz_mul(result, result, rest);
    mpz_clear(low);
    mpz_clear(rest);
}

static PyObject *
falling_factorial(PyObject *n, unsigned long k)
{
    mpz_t z, product;
    PyObject *result = NULL;
    mpz_init(z);
    mpz_init(product);
    if (mpz_from_int(z, n) == 0) {
        falling_product(product, z, k);
        result = int_from_mpz(product);
    }
    mpz_clear(z);
    mpz_clear(product);
    return result;
}

static PyObject *
binomial(PyObject *n, unsigned long k)
{
    mpz_t z;
    PyObject *result = NULL;
    mpz_init(z);
    if (mpz_from_int(z, n) == 0) {
        mpz_bin_ui(z, z, k);
        result = int_from_mpz(z);
    }
    mpz_clear(z);
    return result;
}

/* For n up to this, all of binomial(n, k) fit into 64 bits. */
#define SMALL_BINOMIALS 67

/* The odd parts of the factorials modulo 2**64, and their inverses: odd numbers have them. */
static uint64_t odd_factorial[SMALL_BINOMIALS + 1], odd_inverse[SMALL_BINOMIALS + 1];

void
_PyMath_FillFactorials(void)
{
    uint64_t odd = 1;
    for (uint64_t n = 0; n <= SMALL_BINOMIALS; n++) {
        odd *= n == 0 ? 1 : n >> __builtin_ctzll(n);
        uint64_t inverse = odd;         /* right in three bits; each step doubles them */
        for (int i = 0; i < 5; i++) {
            inverse *= 2 - odd * inverse;
        }
        odd_factorial[n] = odd;
        odd_inverse[n] = inverse;
    }
}

/* The number of factors 2 of n!. */
static inline int
twos_of_factorial(uint64_t n)
{
    return (int)n - __builtin_popcountll(n);
}

/* n! / (k! * (n - k)!): of the odd parts by their inverses, of the factors 2 by counting. */
static inline uint64_t
small_binomial(uint64_t n, uint64_t k)
{
    const uint64_t odd = odd_factorial[n] * odd_inverse[k] * odd_inverse[n - k];
    return odd << (twos_of_factorial(n) - twos_of_factorial(k) - twos_of_factorial(n - k));
}

/* The same of words: 1, or 0 if it has more than 64 bits on the way. Each product can be divided
   without a remainder. */
static int
binomial_of_words(uint64_t n, uint64_t k, uint64_t *result)
{
    if (n <= SMALL_BINOMIALS) {
        *result = small_binomial(n, k);
        return 1;
    }
    k = n - k < k ? n - k : k;
    uint64_t c = 1;
    for (uint64_t i = 0; i < k; i++) {
        unsigned __int128 product = (unsigned __int128)c * (n - i);
        uint64_t low = (uint64_t)product;
        if (product == low) {
            c = low / (i + 1);
            continue;
        }
        product /= i + 1;
        c = (uint64_t)product;
        if (product != c) {
            return 0;
        }
    }
    *result = c;
    return 1;
}

/* The same for n * (n - 1) * … * (n - k + 1). */
static int
falling_factorial_of_words(uint64_t n, uint64_t k, uint64_t *result)
{
    *result = 1;
    for (uint64_t i = 0; i < k; i++) {
        if (__builtin_mul_overflow(*result, n - i, result)) {
            return 0;
        }
    }
    return 1;
}

/* Both arguments as words that are not negative: 1, or 0 if they are anything else. */
static int
are_small(PyObject *const *args, int64_t *n, int64_t *k)
{
    return PyLong_CheckExact(args[0]) && PyLong_CheckExact(args[1])
           && _PyLong_AsInt64Exact(args[0], n) && _PyLong_AsInt64Exact(args[1], k)
           && *n >= 0 && *k >= 0;
}

/* Both arguments as non-negative ints: new references. */
static int
take_n_and_k(PyObject *const *args, PyObject **n, PyObject **k)
{
    *n = _PyNumber_Index(args[0]);
    if (*n == NULL) {
        return -1;
    }
    *k = _PyNumber_Index(args[1]);
    if (*k != NULL) {
        if (_PyLong_Sign(*n) >= 0 && _PyLong_Sign(*k) >= 0) {
            return 0;
        }
        PyErr_Format(PyExc_ValueError, "%c must be a non-negative integer",
                     _PyLong_Sign(*n) < 0 ? 'n' : 'k');
        Py_DECREF(*k);
    }
    Py_DECREF(*n);
    return -1;
}

static PyObject *
math_perm(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *n, *k, *result = NULL;
    int64_t small_n, small_k;
    uint64_t value = 0;
    if (!_PyArg_CheckPositional("perm", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 1 || args[1] == Py_None) {
        return math_factorial(module, args[0]);
    }
    if (are_small(args, &small_n, &small_k)
        && (small_k > small_n
            || falling_factorial_of_words((uint64_t)small_n, (uint64_t)small_k, &value))) {
        return PyLong_FromUnsignedLongLong(value);
    }
    if (take_n_and_k(args, &n, &k) < 0) {
        return NULL;
    }
    int overflow;
    long long count = PyLong_AsLongLongAndOverflow(k, &overflow);
    int too_many = PyObject_RichCompareBool(n, k, Py_LT);
    if (too_many > 0) {
        result = PyLong_FromLong(0);
    }
    else if (overflow > 0) {
        PyErr_Format(PyExc_OverflowError, "k must not exceed %lld",
                     LLONG_MAX);
    }
    else if (too_many == 0) {
        result = falling_factorial(n, (unsigned long)count);
    }
    Py_DECREF(n);
    Py_DECREF(k);
    return result;
}

static PyObject *
math_comb(PyObject *Py_UNUSED(module), PyObject *const *args,
          Py_ssize_t nargs)
{
    PyObject *n, *k, *result = NULL;
    int64_t small_n, small_k;
    uint64_t value = 0;
    if (nargs == 2 && are_small(args, &small_n, &small_k)
        && (small_k > small_n || binomial_of_words((uint64_t)small_n, (uint64_t)small_k, &value))) {
        return PyLong_FromUnsignedLongLong(value);
    }
    if (!_PyArg_CheckPositional("comb", nargs, 2, 2)
        || take_n_and_k(args, &n, &k) < 0) {
        return NULL;
    }
    PyObject *rest = PyNumber_Subtract(n, k);
    if (rest == NULL) {
        goto done;
    }
    if (_PyLong_Sign(rest) < 0) {
        result = PyLong_FromLong(0);
        goto done;
    }
    /* comb(n, k) == comb(n, n - k) */
    int smaller = PyObject_RichCompareBool(rest, k, Py_LT);
    if (smaller < 0) {
        goto done;
    }
    int overflow;
    long long count = PyLong_AsLongLongAndOverflow(smaller ? rest : k,
                                                   &overflow);
    if (overflow > 0) {
        PyErr_Format(PyExc_OverflowError, "min(n - k, k) must not exceed %lld",
                     LLONG_MAX);
    }
    else if (!(count == -1 && PyErr_Occurred())) {
        result = binomial(n, (unsigned long)count);
    }
done:
    Py_XDECREF(rest);
    Py_DECREF(n);
    Py_DECREF(k);
    return result;
}

PyMethodDef _math_integer_methods[] = {
    {"comb", FAST(math_comb),
     "comb($module, n, k, /)\n--\n\n"
     "How many ways there are to choose k of n items, without repetition\n"
     "and regardless of order: n! / (k! * (n - k)!), or 0 if k > n."},
    {"factorial", math_factorial, METH_O,
     "factorial($module, n, /)\n--\n\n"
     "n!; ValueError if n is negative."},
    {"gcd", FAST(math_gcd),
     "gcd($module, *integers)\n--\n\nGreatest common divisor."},
    {"isqrt", math_isqrt, METH_O,
     "isqrt($module, n, /)\n--\n\n"
     "The integer part of the square root of n."},
    {"lcm", FAST(math_lcm),
     "lcm($module, *integers)\n--\n\nLeast common multiple."},
    {"perm", FAST(math_perm),
     "perm($module, n, k=None, /)\n--\n\n"
     "How many ways there are to choose k of n items, without repetition\n"
     "and in order: n! / (n - k)!, or 0 if k > n. k is n by default."},
    {NULL, NULL, 0, NULL}
};
