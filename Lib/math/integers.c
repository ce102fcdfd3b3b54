/* math: gcd, lcm, isqrt, factorial, comb, perm.

   Large numbers go through GMP: an int is converted to an mpz through its bytes, and
   back. */

#include "math_module.h"
#include <gmp.h>
#include "internal/int.h"
#include "internal/method_table.h"

/* ----------------------------------------------------------------- int, mpz */

/* Sets z, initialised, to a non-negative int. GMP ends the process if memory is not
   sufficient. */
static void
mpz_from_int(mpz_t z, PyObject *op)
{
    const size_t n = _PyLong_LimbCount((size_t)Py_SIZE(op));
    mp_limb_t *limbs = mpz_limbs_write(z, (mp_size_t)n + 1);
    mpz_limbs_finish(z, (mp_size_t)_PyLong_ToLimbs((PyLongObject *)op, limbs));
}

static PyObject *
int_from_mpz(const mpz_t z)
{
    return _PyLong_FromLimbs(mpz_limbs_read(z), mpz_size(z), 0);
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
        mpz_from_int(z, n);
        mpz_sqrt(z, z);
        result = int_from_mpz(z);
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

/* n * (n - 1) * … as far as a word holds it: the number of factors, at most k and at least
   one. Their divisors in a binomial are first, first + 1, …, none above its factor. */
static inline uint64_t
word_of_factors(uint64_t n, uint64_t k, uint64_t first, uint64_t *product, uint64_t *divisor)
{
    uint64_t more, i = 1;
    *product = n;
    *divisor = first;
    while (i < k && !__builtin_mul_overflow(*product, n - i, &more)) {
        *product = more;
        *divisor *= first + i++;
    }
    return i;
}

/* n * (n - 1) * … * (n - k + 1) by halves, which keeps factors balanced. */
static void
falling_product(mpz_t result, const mpz_t n, unsigned long k)
{
    if (k == 0) {
        mpz_set_ui(result, 1);
        return;
    }
    if (k < 64 && mpz_fits_ulong_p(n)) {
        uint64_t next = mpz_get_ui(n), factor, unused;
        mpz_set_ui(result, 1);
        while (k > 0) {
            const uint64_t taken = word_of_factors(next, k, 1, &factor, &unused);
            mpz_mul_ui(result, result, factor);
            next -= taken;
            k -= taken;
        }
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
    mpz_init(z);
    mpz_init(product);
    mpz_from_int(z, n);
    falling_product(product, z, k);
    PyObject *result = int_from_mpz(product);
    mpz_clear(z);
    mpz_clear(product);
    return result;
}

static PyObject *
binomial(PyObject *n, unsigned long k)
{
    mpz_t z;
    mpz_init(z);
    mpz_from_int(z, n);
    mpz_bin_ui(z, z, k);
    PyObject *result = int_from_mpz(z);
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

/* A result of up to this many limbs is made word by word, a longer one by GMP. */
#define MOST_LIMBS 32

/* n * (n - 1) * … * (n - k + 1), divided by k! for a binomial, which wants k <= n - k:
   1, or 0 if it has too many limbs. No division leaves a remainder, since what it gives is
   a binomial again. */
static int
product_of_words(uint64_t n, uint64_t k, int is_binomial, PyObject **result)
{
    mp_limb_t limbs[MOST_LIMBS + 1] = {1};
    mp_size_t size = 1;
    uint64_t factor, divisor, i = 0;
    if (k > 0) {
        i = word_of_factors(n, k, 1, &factor, &divisor);
        limbs[0] = is_binomial ? factor / divisor : factor;
    }
    if (i == k) {
        *result = PyLong_FromUnsignedLongLong(limbs[0]);
        return 1;
    }
    while (i < k) {
        i += word_of_factors(n - i, k - i, i + 1, &factor, &divisor);
        if (size > MOST_LIMBS) {
            return 0;
        }
        limbs[size] = mpn_mul_1(limbs, limbs, size, factor);
        size += limbs[size] != 0;
        if (is_binomial) {
            mpn_divexact_1(limbs, limbs, size, divisor);
            size -= limbs[size - 1] == 0;
        }
    }
    *result = _PyLong_FromLimbs(limbs, (size_t)size, 0);
    return 1;
}

/* log2 of a binomial, or some bits more: Stirling's terms without the roots. */
static double
bits_of_binomial(double n, double k)
{
    return k * log2(n / k) + (n - k) * log1p(k / (n - k)) * M_LOG2E;
}

/* Is it worth a try? */
static inline int
is_binomial_of_words(uint64_t n, uint64_t k)
{
    return n <= 64 * MOST_LIMBS || k <= MOST_LIMBS
           || bits_of_binomial((double)n, (double)k) <= 64 * MOST_LIMBS;
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
    if (!_PyArg_CheckPositional("perm", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 1 || args[1] == Py_None) {
        return math_factorial(module, args[0]);
    }
    if (are_small(args, &small_n, &small_k)) {
        if (small_k > small_n) {
            return PyLong_FromLong(0);
        }
        if (product_of_words((uint64_t)small_n, (uint64_t)small_k, 0, &result)) {
            return result;
        }
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
    if (nargs == 2 && are_small(args, &small_n, &small_k)) {
        if (small_k > small_n) {
            return PyLong_FromLong(0);
        }
        if (small_n <= SMALL_BINOMIALS) {
            return PyLong_FromUnsignedLongLong(
                small_binomial((uint64_t)small_n, (uint64_t)small_k));
        }
        const uint64_t smaller = (uint64_t)Py_MIN(small_k, small_n - small_k);
        if (is_binomial_of_words((uint64_t)small_n, smaller)
            && product_of_words((uint64_t)small_n, smaller, 1, &result)) {
            return result;
        }
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
