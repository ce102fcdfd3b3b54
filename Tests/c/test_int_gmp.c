/* int arithmetic against GMP's mpz, over sizes from one digit to beyond every
   threshold at which the algorithm changes. */
#include "suite.h"

#include <gmp.h>
#include <stdlib.h>

static gmp_randstate_t rng;

static PyObject *
from_mpz(const mpz_t z)
{
    char *text = mpz_get_str(NULL, 16, z);
    PyObject *op = PyLong_FromString(text, NULL, 16);
    free(text);
    return op;
}

static void
check_equal(PyObject *op, const mpz_t z, const char *what, const mpz_t a, const mpz_t b)
{
    PyObject *expected = from_mpz(z);
    ck_assert_ptr_nonnull(op);
    if (PyObject_RichCompareBool(op, expected, Py_EQ) != 1) {
        char *x = mpz_get_str(NULL, 16, a), *y = mpz_get_str(NULL, 16, b);
        ck_abort_msg("%s is wrong for %s and %s", what, x, y);
    }
    Py_DECREF(op);
    Py_DECREF(expected);
}

START_TEST(test_four_operations_agree_with_gmp)
{
    mpz_t a, b, q, r;
    mpz_inits(a, b, q, r, NULL);
    for (int round = 0; round < 3000; round++) {
        mpz_urandomb(a, rng, (unsigned long)(rand() % (round < 2000 ? 200 : 20000)));
        mpz_urandomb(b, rng, (unsigned long)(rand() % (round < 2000 ? 200 : 20000)));
        if (rand() & 1) {
            mpz_neg(a, a);
        }
        if (rand() & 1) {
            mpz_neg(b, b);
        }
        PyObject *x = from_mpz(a), *y = from_mpz(b);
        mpz_add(q, a, b);
        check_equal(PyNumber_Add(x, y), q, "a + b", a, b);
        mpz_sub(q, a, b);
        check_equal(PyNumber_Subtract(x, y), q, "a - b", a, b);
        mpz_mul(q, a, b);
        check_equal(PyNumber_Multiply(x, y), q, "a * b", a, b);
        if (mpz_sgn(b) != 0) {
            mpz_fdiv_qr(q, r, a, b);
            check_equal(PyNumber_FloorDivide(x, y), q, "a // b", a, b);
            check_equal(PyNumber_Remainder(x, y), r, "a % b", a, b);
        }
        Py_DECREF(x);
        Py_DECREF(y);
    }
    mpz_clears(a, b, q, r, NULL);
}
END_TEST

START_TEST(test_decimal_text_round_trips)
{
    mpz_t a;
    mpz_init(a);
    for (int round = 0; round < 300; round++) {
        mpz_urandomb(a, rng, (unsigned long)(rand() % 10000));
        PyObject *x = from_mpz(a), *text = PyObject_Str(x);
        char *expected = mpz_get_str(NULL, 10, a);
        ck_assert_str_eq(PyUnicode_AsUTF8(text), expected);
        PyObject *back = PyLong_FromString(expected, NULL, 10);
        ck_assert_int_eq(PyObject_RichCompareBool(back, x, Py_EQ), 1);
        free(expected);
        Py_DECREF(x);
        Py_DECREF(text);
        Py_DECREF(back);
    }
    mpz_clear(a);
}
END_TEST

static void
start(void)
{
    gmp_randinit_default(rng);
    Py_InitializeEx(0);
}

C_TESTS(int_gmp, .start = start)
{
    tcase_add_test(tests, test_four_operations_agree_with_gmp);
    tcase_add_test(tests, test_decimal_text_round_trips);
}
