/* Decimals from and to Python's other numbers; comparison with them; hashes. */

#include "decimal_impl.h"
#include "internal/compare.h"
#include "internal/float_text.h"
#include "internal/int.h"
#include <math.h>

/* ---------------------------------------------------------------------- from */

static void
from_double(num *n, double x)
{
    uint64_t mantissa;
    int exponent;
    int sign = signbit(x) != 0;
    if (!isfinite(x)) {
        set_special(n, sign, isnan(x) ? QUIET_NAN : INFINITE);
        return;
    }
    _PyFloat_Split(x, &mantissa, &exponent);
    set_triple(n, sign, mantissa, 0);
    if (mantissa == 0) {
        return;
    }
    int zeros = __builtin_ctzll(mantissa);
    mantissa >>= zeros;
    exponent += zeros;
    mpz_set_ui(_dec_z0, mantissa);
    if (exponent >= 0) {
        mpz_mul_2exp(_dec_z0, _dec_z0, (mp_bitcnt_t)exponent);
    }
    else {
        mpz_ui_pow_ui(_dec_z1, 5, (unsigned long)-exponent);
        mpz_mul(_dec_z0, _dec_z0, _dec_z1);
        n->exp = exponent;
    }
    _dec_set_mpz(n, _dec_z0);
}

int
_dec_from_float_object(num *n, PyObject *op)
{
    if (PyLong_Check(op)) {
        return _dec_from_int(n, op);
    }
    if (PyFloat_Check(op)) {
        from_double(n, PyFloat_AS_DOUBLE(op));
        return 0;
    }
    PyErr_SetString(PyExc_TypeError, "argument must be int or float");
    return -1;
}

/* Text of any characters as ASCII, "" if it cannot be a number. Returns a new reference. */
static PyObject *
ascii_of(PyObject *text)
{
    if (PyUnicode_READY(text) < 0) {
        return NULL;
    }
    if (PyUnicode_IS_ASCII(text)) {
        return Py_NewRef(text);
    }
    Py_ssize_t len = PyUnicode_GET_LENGTH(text);
    PyObject *ascii = PyUnicode_New(len, 127);
    if (ascii == NULL) {
        return NULL;
    }
    char *p = PyUnicode_DATA(ascii);
    for (Py_ssize_t i = 0; i < len; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        int value;
        if (c < 128) {
            p[i] = (char)c;
        }
        else if (Py_UNICODE_ISSPACE(c)) {
            p[i] = ' ';
        }
        else if ((value = Py_UNICODE_TODECIMAL(c)) >= 0) {
            p[i] = (char)('0' + value);
        }
        else {
            p[i] = '?';
        }
    }
    return ascii;
}

/* Makes the number an exact one, or one of the context. */
static void
fit(num *n, const dctx *ctx, int exact, int from_text, uint32_t *status)
{
    if (exact) {
        uint32_t conditions = 0;
        if (n->kind == FINITE) {
            finalize(n, &_dec_exact, &conditions);
        }
        if (conditions & (INEXACT | ROUNDED | CLAMPED)) {
            num_clear(n);
            set_invalid(n, INVALID_OPERATION, &conditions);
        }
        *status |= conditions & ERRORS;
    }
    else if (from_text && is_nan(n) && n->digits > ctx->prec - ctx->clamp) {
        num_clear(n);
        set_invalid(n, CONVERSION_SYNTAX, status);
    }
    else {
        finalize(n, ctx, status);
    }
}

static int
from_text(num *n, PyObject *op, Context *ctx, int exact)
{
    uint32_t status = 0;
    PyObject *ascii = ascii_of(op);
    if (ascii == NULL) {
        return -1;
    }
    _dec_parse(n, PyUnicode_DATA(ascii), PyUnicode_GET_LENGTH(ascii), exact, &status);
    Py_DECREF(ascii);
    fit(n, &ctx->c, exact, 1, &status);
    return _dec_signal(ctx, status);
}

/* ------------------------------------------------------------------- tuples */

static int
bad_tuple(const char *message)
{
    PyErr_SetString(PyExc_ValueError, message);
    return -1;
}

/* Writes the literal that means (sign, digits, exponent); to be freed. */
static int
tuple_text(PyObject *tuple, char **text, Py_ssize_t *len)
{
    if (PyTuple_GET_SIZE(tuple) != 3) {
        return bad_tuple("argument must be a sequence of length 3");
    }
    PyObject *op = PyTuple_GET_ITEM(tuple, 0);
    if (!PyLong_Check(op)) {
        return bad_tuple("sign must be an integer with the value 0 or 1");
    }
    long sign = PyLong_AsLong(op);
    if (sign == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (sign != 0 && sign != 1) {
        return bad_tuple("sign must be an integer with the value 0 or 1");
    }
    op = PyTuple_GET_ITEM(tuple, 2);
    Py_ssize_t exp = 0;
    const char *special = NULL;
    if (PyUnicode_Check(op)) {
        if (_PyUnicode_EqualToASCIIString(op, "F")) {
            special = "Inf";
        }
        else if (_PyUnicode_EqualToASCIIString(op, "n")) {
            special = "NaN";
        }
        else if (_PyUnicode_EqualToASCIIString(op, "N")) {
            special = "sNaN";
        }
        else {
            return bad_tuple("string argument in the third position must be 'F', 'n' or 'N'");
        }
    }
    else {
        if (!PyLong_Check(op)) {
            return bad_tuple("exponent must be an integer");
        }
        exp = PyLong_AsSsize_t(op);
        if (exp == -1 && PyErr_Occurred()) {
            return -1;
        }
    }
    PyObject *digits = PySequence_Tuple(PyTuple_GET_ITEM(tuple, 1));
    if (digits == NULL) {
        return PyErr_ExceptionMatches(PyExc_TypeError)
            ? bad_tuple("coefficient must be a tuple of digits") : -1;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(digits);
    char *p = *text = PyMem_Malloc((size_t)n + 40);
    if (p == NULL) {
        Py_DECREF(digits);
        PyErr_NoMemory();
        return -1;
    }
    *p++ = sign ? '-' : '+';
    if (special != NULL) {
        p = stpcpy(p, special);
    }
    int infinite = special != NULL && special[0] == 'I';
    if (n == 0 && special == NULL) {
        *p++ = '0';
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        op = PyTuple_GET_ITEM(digits, i);
        long value = PyLong_Check(op) ? PyLong_AsLong(op) : -1;
        if (value == -1 && PyErr_Occurred()) {
            Py_DECREF(digits);
            return -1;
        }
        if (value < 0 || value > 9) {
            Py_DECREF(digits);
            return bad_tuple("coefficient must be a tuple of digits");
        }
        if (!infinite) {
            *p++ = (char)('0' + value);
        }
    }
    Py_DECREF(digits);
    if (special == NULL) {
        p += sprintf(p, "E%zd", exp);
    }
    *len = p - *text;
    return 0;
}

static int
from_tuple(num *n, PyObject *op, Context *ctx, int exact)
{
    char *text = NULL;
    Py_ssize_t len;
    uint32_t status = 0;
    PyObject *tuple = PySequence_Tuple(op);
    if (tuple == NULL) {
        return -1;
    }
    int result = tuple_text(tuple, &text, &len);
    Py_DECREF(tuple);
    if (result == 0) {
        _dec_parse(n, text, len, 0, &status);
        fit(n, &ctx->c, exact, 1, &status);
        result = _dec_signal(ctx, status);
    }
    PyMem_Free(text);
    return result;
}

int
_dec_from_object(num *n, PyObject *op, Context *ctx, int exact)
{
    uint32_t status = 0;
    if (Decimal_Check(op)) {
        if (exact) {
            _dec_copy(n, V(op));
            return 0;
        }
        if (is_nan(V(op)) && V(op)->digits > ctx->c.prec - ctx->c.clamp) {
            set_invalid(n, CONVERSION_SYNTAX, &status);
        }
        else {
            _dec_copy(n, V(op));
            finalize(n, &ctx->c, &status);
        }
        return _dec_signal(ctx, status);
    }
    if (PyUnicode_Check(op)) {
        return from_text(n, op, ctx, exact);
    }
    if (PyLong_Check(op)) {
        if (_dec_from_int(n, op) < 0) {
            return -1;
        }
        /* python3.11 takes the int 0 as it is. */
        if (!zero_coef(n)) {
            fit(n, &ctx->c, exact, 0, &status);
        }
        return _dec_signal(ctx, status);
    }
    if (PyTuple_Check(op) || PyList_Check(op)) {
        return from_tuple(n, op, ctx, exact);
    }
    if (PyFloat_Check(op)) {
        if (_dec_signal(ctx, FLOAT_OPERATION) < 0) {
            return -1;
        }
        from_double(n, PyFloat_AS_DOUBLE(op));
        fit(n, &ctx->c, exact, 0, &status);
        return _dec_signal(ctx, status);
    }
    PyErr_Format(PyExc_TypeError, "conversion from %s to Decimal is not supported",
                 Py_TYPE(op)->tp_name);
    return -1;
}

/* ------------------------------------------------------------------------ to */

static PyObject *
int_of_mpz(mpz_srcptr z, int negative)
{
    if (mpz_fits_slong_p(z)) {
        long v = mpz_get_si(z);
        return _PyLong_FromInt64(negative ? -v : v);
    }
    size_t size = (mpz_sizeinbase(z, 2) + PyLong_SHIFT - 1) / PyLong_SHIFT, written;
    PyLongObject *op = _PyLong_New((Py_ssize_t)size);
    if (op == NULL) {
        return NULL;
    }
    mpz_export(op->ob_digit, &written, -1, sizeof(digit), 0, 8 * sizeof(digit) - PyLong_SHIFT, z);
    Py_SET_SIZE(op, negative ? -(Py_ssize_t)written : (Py_ssize_t)written);
    return _PyLong_Finish(op);
}

PyObject *
_dec_to_int(const num *a, int rounding)
{
    if (is_nan(a)) {
        PyErr_SetString(PyExc_ValueError, "cannot convert NaN to integer");
        return NULL;
    }
    if (a->kind == INFINITE) {
        PyErr_SetString(PyExc_OverflowError, "cannot convert Infinity to integer");
        return NULL;
    }
    num whole;
    uint32_t status = 0;
    mpz_t z;
    _dec_copy(&whole, a);
    if (a->exp < 0) {
        _dec_drop(&whole, -a->exp, rounding, &status);
    }
    else {
        _dec_shift_left(&whole, a->exp, &status);
    }
    PyObject *result = status & NO_MEMORY ? PyErr_NoMemory()
        : int_of_mpz(view(&whole, z), whole.sign);
    num_clear(&whole);
    return result;
}

PyObject *
_dec_to_float(PyObject *self)
{
    const num *a = V(self);
    if (is_nan(a)) {
        if (a->kind == SIGNALLING_NAN) {
            PyErr_SetString(PyExc_ValueError, "cannot convert signaling NaN to float");
            return NULL;
        }
        return PyFloat_FromDouble(a->sign ? -Py_NAN : Py_NAN);
    }
    if (a->kind == INFINITE) {
        return PyFloat_FromDouble(a->sign ? -Py_HUGE_VAL : Py_HUGE_VAL);
    }
    /* An integer and a power of ten that are both doubles: one rounding. */
    if (!a->is_big && a->w[1] == 0 && a->w[0] < (uint64_t)1 << 53 && a->exp >= -19 && a->exp <= 0) {
        double x = (double)a->w[0] / (double)_dec_p10[-a->exp];
        return PyFloat_FromDouble(a->sign ? -x : x);
    }
    char local[TEXT_ROOM + 1];
    Py_ssize_t len;
    char *end, *text = _dec_text(a, 1, 0, local, &len);
    if (text == NULL) {
        return NULL;
    }
    text[len] = '\0';
    double x = _PyFloat_ParseDecimal(text, &end);
    if (text != local) {
        PyMem_Free(text);
    }
    return PyFloat_FromDouble(x);
}

PyObject *
_dec_as_tuple(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    const num *a = V(self);
    PyObject *exp = a->kind == FINITE ? PyLong_FromLongLong(a->exp)
        : PyUnicode_FromString(a->kind == INFINITE ? "F" : a->kind == QUIET_NAN ? "n" : "N");
    int64_t n = a->kind == INFINITE ? 1 : a->digits;
    PyObject *digits = exp == NULL ? NULL : PyTuple_New((Py_ssize_t)n);
    char *text = digits == NULL ? NULL : PyMem_Malloc((size_t)n + 1);
    if (text == NULL) {
        Py_XDECREF(exp);
        Py_XDECREF(digits);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    if (a->kind == INFINITE) {
        text[0] = '0';
    }
    else if (n > 0) {
        _dec_write_digits(a, text);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(digits, i, _PyLong_GetSmall(text[i] - '0'));
    }
    PyMem_Free(text);
    return PyObject_CallFunction(_dec_tuple_type, "iNN", a->sign, digits, exp);
}

PyObject *
_dec_as_integer_ratio(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    const num *a = V(self);
    if (a->kind != FINITE) {
        if (is_nan(a)) {
            PyErr_SetString(PyExc_ValueError, "cannot convert NaN to integer ratio");
        }
        else {
            PyErr_SetString(PyExc_OverflowError, "cannot convert Infinity to integer ratio");
        }
        return NULL;
    }
    uint32_t status = 0;
    if (!zero_coef(a) && !_dec_room(a->digits + (a->exp < 0 ? -a->exp : a->exp), &status)) {
        return PyErr_NoMemory();
    }
    mpz_t p, q, z;
    mpz_init_set(p, view(a, z));
    mpz_init_set_ui(q, 1);
    if (mpz_sgn(p) != 0) {
        if (a->exp >= 0) {
            mpz_mul(p, p, _dec_pow10((uint64_t)a->exp));
        }
        else {
            mpz_srcptr power = _dec_pow10((uint64_t)-a->exp);
            mpz_gcd(_dec_z0, p, power);
            mpz_divexact(p, p, _dec_z0);
            mpz_divexact(q, power, _dec_z0);
        }
    }
    PyObject *numerator = int_of_mpz(p, a->sign), *denominator = int_of_mpz(q, 0);
    mpz_clears(p, q, NULL);
    if (numerator == NULL || denominator == NULL) {
        Py_XDECREF(numerator);
        Py_XDECREF(denominator);
        return NULL;
    }
    return Py_BuildValue("NN", numerator, denominator);
}

/* ------------------------------------------------------------------- hashes */

#define P _PyHASH_MODULUS

static uint64_t
times(uint64_t a, uint64_t b)
{
    u128 product = (u128)a * b;
    uint64_t sum = (uint64_t)(product & P) + (uint64_t)(product >> _PyHASH_BITS);
    return sum >= P ? sum - P : sum;
}

static uint64_t
power_of(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) {
            result = times(result, base);
        }
        base = times(base, base);
    }
    return result;
}

static Py_hash_t
number_hash(PyObject *self)
{
    const num *a = V(self);
    if (a->kind != FINITE) {
        if (a->kind == SIGNALLING_NAN) {
            PyErr_SetString(PyExc_TypeError, "Cannot hash a signaling NaN value");
            return -1;
        }
        return a->kind == QUIET_NAN ? _Py_HashPointer(self)
            : a->sign ? -_PyHASH_INF : _PyHASH_INF;
    }
    uint64_t h;
    if (a->is_big) {
        h = mpz_tdiv_ui(a->big, P);
    }
    else {
        /* 2**64 is 8 modulo 2**61 - 1. */
        h = times(a->w[1] % P, 8) + a->w[0] % P;
        h %= P;
    }
    if (a->exp > 0) {
        h = times(h, power_of(10, (uint64_t)a->exp % (P - 1)));
    }
    else if (a->exp < 0) {
        const uint64_t tenth = 2075258708292324556ULL;      /* 10 * tenth is 1 modulo P */
        h = times(h, power_of(tenth, (uint64_t)-a->exp % (P - 1)));
    }
    Py_hash_t hash = a->sign ? -(Py_hash_t)h : (Py_hash_t)h;
    return hash == -1 ? -2 : hash;
}

Py_hash_t
_dec_hash(PyObject *self)
{
    Decimal *d = (Decimal *)self;
    if (d->hash == -1) {
        d->hash = number_hash(self);
    }
    return d->hash;
}

/* --------------------------------------------------------------- comparison */

/* For a numbers.Rational: *left = a * denominator, *right = numerator. Returns 1; 0 if it is
   none; -1 with an exception. */
static int
cross_multiply(num *left, num *right, const num *a, PyObject *op, Context *ctx)
{
    int is_rational = PyObject_IsInstance(op, _dec_rational);
    if (is_rational <= 0) {
        return is_rational;
    }
    PyObject *n = PyObject_GetAttrString(op, "numerator");
    PyObject *d = n == NULL ? NULL : PyObject_GetAttrString(op, "denominator");
    int result = -1;
    if (d != NULL) {
        num denominator;
        uint32_t status = 0;
        if (!PyLong_Check(n) || !PyLong_Check(d)) {
            PyErr_SetString(PyExc_TypeError, "numerator and denominator must be int");
        }
        else if (_dec_from_int(right, n) == 0) {
            if (_dec_from_int(&denominator, d) == 0) {
                if (a->kind == FINITE) {
                    _dec_multiply_exact(left, a, &denominator, &status);
                }
                else {
                    _dec_copy(left, a);
                }
                num_clear(&denominator);
                result = 1;
                if (_dec_signal(ctx, status) < 0) {
                    num_clear(left);
                    result = -1;
                }
            }
            if (result < 0) {
                num_clear(right);
            }
        }
    }
    Py_XDECREF(n);
    Py_XDECREF(d);
    return result;
}

/* The other operand of a comparison: 1 with *left and *right, of which those that own memory are
   in room_left and room_right; 0 if it is not comparable. */
static int
comparable(const num **left, const num **right, num *room_left, num *room_right, PyObject *a,
           PyObject *b, int op, Context *ctx)
{
    int equality = op == Py_EQ || op == Py_NE;
    *left = V(a);
    *right = room_right;
    if (Decimal_Check(b)) {
        *right = V(b);
        return 1;
    }
    if (PyLong_Check(b)) {
        return _dec_from_int(room_right, b) < 0 ? -1 : 1;
    }
    if (PyFloat_Check(b) || (equality && PyComplex_Check(b))) {
        double x;
        if (PyFloat_Check(b)) {
            x = PyFloat_AS_DOUBLE(b);
        }
        else {
            Py_complex value = PyComplex_AsCComplex(b);
            if (value.imag != 0.0) {
                return 0;
            }
            x = value.real;
        }
        if (equality) {
            ctx->c.status |= FLOAT_OPERATION;
        }
        else if (_dec_signal(ctx, FLOAT_OPERATION) < 0) {
            return -1;
        }
        from_double(room_right, x);
        return 1;
    }
    *left = room_left;
    return cross_multiply(room_left, room_right, V(a), b, ctx);
}

int
_dec_quick_compare(PyObject *a, PyObject *b, int op)
{
    return (V(a)->kind | V(b)->kind) == FINITE
           ? _Py_OrderSatisfies(_dec_cmp(V(a), V(b)), op) : -1;
}

PyObject *
_dec_richcompare(PyObject *a, PyObject *b, int op)
{
    num room_left, room_right;
    const num *left, *right;
    int order;
    Context *ctx;
    if (Py_IS_TYPE(a, &_PyDecimal_Type) && Py_IS_TYPE(b, &_PyDecimal_Type)) {
        int truth = _dec_quick_compare(a, b, op);
        if (truth >= 0) {
            return PyBool_FromLong(truth);
        }
    }
    ctx = _dec_current();
    if (ctx == NULL) {
        return NULL;
    }
    room_left.is_big = room_right.is_big = 0;
    int found = comparable(&left, &right, &room_left, &room_right, a, b, op, ctx);
    if (found <= 0) {
        if (found < 0) {
            return NULL;
        }
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (is_nan(left) || is_nan(right)) {
        int signals = left->kind == SIGNALLING_NAN || right->kind == SIGNALLING_NAN
            || (op != Py_EQ && op != Py_NE);
        num_clear(&room_left);
        num_clear(&room_right);
        if (signals && _dec_signal(ctx, INVALID_OPERATION) < 0) {
            return NULL;
        }
        return PyBool_FromLong(op == Py_NE);
    }
    order = _dec_cmp(left, right);
    num_clear(&room_left);
    num_clear(&room_right);
    Py_RETURN_RICHCOMPARE(order, 0, op);
}
