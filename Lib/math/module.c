/* math: real functions, on top of C's.

   Python's errors follow from the result alone: a NaN from numbers means that the
   arguments are outside of the function's domain. An infinity from finite numbers is an
   overflow or, for functions that only have poles, a domain error too. */

#include "math_module.h"
#include "gamma.h"
#include <float.h>
#include <math.h>
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/tuple.h"

#define PI 3.14159265358979323846
#define E  2.71828182845904523536

_Py_IDENTIFIER(__ceil__);
_Py_IDENTIFIER(__floor__);
_Py_IDENTIFIER(__trunc__);

static PyObject *
domain_error(void)
{
    PyErr_SetString(PyExc_ValueError, "math domain error");
    return NULL;
}

static PyObject *
range_error(void)
{
    PyErr_SetString(PyExc_OverflowError, "math range error");
    return NULL;
}

/* What an infinite result of finite arguments means. */
enum infinity { IS_OVERFLOW, IS_POLE };

static PyObject *
checked_result(double r, int any_nan, int all_finite, enum infinity meaning)
{
    if (isnan(r) && !any_nan) {
        return domain_error();
    }
    if (isinf(r) && all_finite) {
        return meaning == IS_OVERFLOW ? range_error() : domain_error();
    }
    return PyFloat_FromDouble(r);
}

static PyObject *
call_1(PyObject *arg, double (*function)(double), enum infinity meaning)
{
    double x = PyFloat_AsDouble(arg);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return checked_result(function(x), isnan(x), isfinite(x), meaning);
}

static int
take_two(const char *name, PyObject *const *args, Py_ssize_t nargs,
         double *x, double *y)
{
    if (!_PyArg_CheckPositional(name, nargs, 2, 2)) {
        return -1;
    }
    *x = PyFloat_AsDouble(args[0]);
    if (*x == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    *y = PyFloat_AsDouble(args[1]);
    return *y == -1.0 && PyErr_Occurred() ? -1 : 0;
}

static PyObject *
call_2(const char *name, PyObject *const *args, Py_ssize_t nargs,
       double (*function)(double, double), enum infinity meaning)
{
    double x, y;
    if (take_two(name, args, nargs, &x, &y) < 0) {
        return NULL;
    }
    return checked_result(function(x, y), isnan(x) || isnan(y),
                          isfinite(x) && isfinite(y), meaning);
}

#define FUNCTION_1(name, function, meaning)                         \
    static PyObject *                                               \
    math_##name(PyObject *Py_UNUSED(module), PyObject *arg)         \
    {                                                               \
        return call_1(arg, function, meaning);                      \
    }

#define FUNCTION_2(name, function, meaning)                         \
    static PyObject *                                               \
    math_##name(PyObject *Py_UNUSED(module), PyObject *const *args, \
                Py_ssize_t nargs)                                   \
    {                                                               \
        return call_2(#name, args, nargs, function, meaning);       \
    }

FUNCTION_1(acos, acos, IS_POLE)
FUNCTION_1(acosh, acosh, IS_POLE)
FUNCTION_1(asin, asin, IS_POLE)
FUNCTION_1(asinh, asinh, IS_POLE)
FUNCTION_1(atan, atan, IS_POLE)
FUNCTION_1(atanh, atanh, IS_POLE)
FUNCTION_1(cbrt, cbrt, IS_POLE)
FUNCTION_1(cos, cos, IS_POLE)
FUNCTION_1(cosh, cosh, IS_OVERFLOW)
FUNCTION_1(erf, erf, IS_POLE)
FUNCTION_1(erfc, erfc, IS_POLE)
FUNCTION_1(exp, exp, IS_OVERFLOW)
FUNCTION_1(exp2, exp2, IS_OVERFLOW)
FUNCTION_1(expm1, expm1, IS_OVERFLOW)
FUNCTION_1(fabs, fabs, IS_POLE)
FUNCTION_1(log1p, log1p, IS_POLE)
FUNCTION_1(sin, sin, IS_POLE)
FUNCTION_1(sinh, sinh, IS_OVERFLOW)
FUNCTION_1(sqrt, sqrt, IS_POLE)
FUNCTION_1(tan, tan, IS_POLE)
FUNCTION_1(tanh, tanh, IS_POLE)
FUNCTION_2(atan2, atan2, IS_POLE)
FUNCTION_2(copysign, copysign, IS_POLE)
FUNCTION_2(fmod, fmod, IS_POLE)
FUNCTION_2(remainder, remainder, IS_POLE)

static PyObject *
math_gamma(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    /* There are poles at 0 and the negative integers; an overflow is not a pole. */
    if (x == 0.0 || (x < 0.0 && floor(x) == x)) {
        return domain_error();
    }
    return checked_result(isfinite(x) ? _PyMath_Gamma(x) : tgamma(x), isnan(x), isfinite(x), IS_OVERFLOW);
}

static PyObject *
math_lgamma(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    if (isfinite(x) && x <= 0.0 && floor(x) == x) {
        return domain_error();
    }
    return checked_result(isfinite(x) ? _PyMath_LogGamma(x) : fabs(x), isnan(x), isfinite(x), IS_OVERFLOW);
}

static PyObject *
math_pow(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    double x, y;
    if (take_two("pow", args, nargs, &x, &y) < 0) {
        return NULL;
    }
    return checked_result(pow(x, y), isnan(x) || isnan(y),
                          isfinite(x) && isfinite(y),
                          x == 0.0 ? IS_POLE : IS_OVERFLOW);
}

static PyObject *
math_nextafter(PyObject *Py_UNUSED(module), PyObject *const *args,
               Py_ssize_t nargs)
{
    double x, y;
    if (take_two("nextafter", args, nargs, &x, &y) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble(nextafter(x, y));
}

static PyObject *
math_ulp(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    x = fabs(x);
    if (!isfinite(x)) {
        return PyFloat_FromDouble(x);
    }
    double above = nextafter(x, HUGE_VAL);
    /* The largest double has no neighbour above, only one below. */
    return PyFloat_FromDouble(isinf(above) ? x - nextafter(x, 0.0)
                                           : above - x);
}

static PyObject *
math_degrees(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return PyFloat_FromDouble(x * (180.0 / PI));
}

static PyObject *
math_radians(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return PyFloat_FromDouble(x * (PI / 180.0));
}

#define PREDICATE(name, test)                                       \
    static PyObject *                                               \
    math_##name(PyObject *Py_UNUSED(module), PyObject *arg)         \
    {                                                               \
        double x = PyFloat_AsDouble(arg);                           \
        if (x == -1.0 && PyErr_Occurred()) {                        \
            return NULL;                                            \
        }                                                           \
        return PyBool_FromLong(test(x) != 0);                       \
    }

PREDICATE(isfinite, isfinite)
PREDICATE(isinf, isinf)
PREDICATE(isnan, isnan)

/* --------------------------------------------------------------- logarithms */

/* The logarithm of a number. If an int is too large for a double, the result is
   log(fraction) + exponent * log(2). */
static PyObject *
logarithm(PyObject *arg, double (*function)(double), double log_of_2)
{
    if (!PyLong_Check(arg)) {
        return call_1(arg, function, IS_POLE);
    }
    if (_PyLong_Sign(arg) <= 0) {
        return domain_error();
    }
    double x = PyLong_AsDouble(arg);
    if (!(x == -1.0 && PyErr_Occurred())) {
        return PyFloat_FromDouble(function(x));
    }
    if (!PyErr_ExceptionMatches(PyExc_OverflowError)) {
        return NULL;
    }
    PyErr_Clear();
    Py_ssize_t exponent;
    x = _PyLong_Frexp((PyLongObject *)arg, &exponent);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return PyFloat_FromDouble(function(x) + log_of_2 * (double)exponent);
}

static PyObject *
math_log(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);
    if (nargs < 1 || nargs > 2) {
        PyErr_SetString(PyExc_TypeError,
                        "math.log requires 1 to 2 arguments");
        return NULL;
    }
    PyObject *of_x = logarithm(PyTuple_GET_ITEM(args, 0), log, M_LN2);
    if (of_x == NULL || nargs == 1) {
        return of_x;
    }
    PyObject *result = NULL;
    PyObject *of_base = logarithm(PyTuple_GET_ITEM(args, 1), log, M_LN2);
    if (of_base != NULL) {
        result = PyNumber_TrueDivide(of_x, of_base);
        Py_DECREF(of_base);
    }
    Py_DECREF(of_x);
    return result;
}

static PyObject *
math_log2(PyObject *Py_UNUSED(module), PyObject *arg)
{
    return logarithm(arg, log2, 1.0);
}

static PyObject *
math_log10(PyObject *Py_UNUSED(module), PyObject *arg)
{
    return logarithm(arg, log10, log10(2.0));
}

/* ----------------------------------------------------- to and from integers */

static PyObject *
round_by(PyObject *number, _Py_Identifier *method_name,
         double (*function)(double))
{
    if (!PyFloat_CheckExact(number)) {
        PyObject *method = _PyObject_LookupSpecialId(number, method_name);
        if (method != NULL) {
            PyObject *result = PyObject_CallNoArgs(method);
            Py_DECREF(method);
            return result;
        }
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    double x = PyFloat_AsDouble(number);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return PyLong_FromDouble(function(x));
}

static PyObject *
math_ceil(PyObject *Py_UNUSED(module), PyObject *number)
{
    return round_by(number, &PyId___ceil__, ceil);
}

static PyObject *
math_floor(PyObject *Py_UNUSED(module), PyObject *number)
{
    return round_by(number, &PyId___floor__, floor);
}

static PyObject *
math_trunc(PyObject *Py_UNUSED(module), PyObject *number)
{
    if (PyFloat_CheckExact(number)) {
        return PyLong_FromDouble(PyFloat_AS_DOUBLE(number));
    }
    PyObject *method = _PyObject_LookupSpecialId(number, &PyId___trunc__);
    if (method == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError,
                         "type %.100s doesn't define __trunc__ method",
                         Py_TYPE(number)->tp_name);
        }
        return NULL;
    }
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    return result;
}

static PyObject *
math_frexp(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg);
    int exponent = 0;
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    if (isfinite(x)) {
        x = frexp(x, &exponent);
    }
    return _PyTuple_PairOfNew(PyFloat_FromDouble(x), PyLong_FromLong(exponent));
}

static PyObject *
math_ldexp(PyObject *Py_UNUSED(module), PyObject *const *args,
           Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("ldexp", nargs, 2, 2)) {
        return NULL;
    }
    double x = PyFloat_AsDouble(args[0]);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    if (!PyLong_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError,
                        "Expected an int as second argument to ldexp.");
        return NULL;
    }
    int overflow;
    long exponent = PyLong_AsLongAndOverflow(args[1], &overflow);
    if (exponent == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (overflow) {
        exponent = overflow < 0 ? LONG_MIN : LONG_MAX;
    }
    if (x == 0.0 || !isfinite(x)) {
        return PyFloat_FromDouble(x);
    }
    if (exponent > INT_MAX) {
        return range_error();
    }
    if (exponent < INT_MIN) {
        return PyFloat_FromDouble(copysign(0.0, x));
    }
    x = ldexp(x, (int)exponent);
    return isinf(x) ? range_error() : PyFloat_FromDouble(x);
}

static PyObject *
math_modf(PyObject *Py_UNUSED(module), PyObject *arg)
{
    double x = PyFloat_AsDouble(arg), whole;
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    x = modf(x, &whole);
    return _PyTuple_PairOfNew(PyFloat_FromDouble(x), PyFloat_FromDouble(whole));
}

static PyObject *
math_isclose(PyObject *Py_UNUSED(module), PyObject *const *args,
             Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"a", "b", "rel_tol", "abs_tol",
                                           NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .fname = "isclose",
    };
    double values[4] = {0.0, 0.0, 1e-09, 0.0};
    PyObject *buffer[4] = {NULL};
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 2, 2, 0,
                                 buffer);
    if (args == NULL) {
        return NULL;
    }
    Py_ssize_t given = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    for (int i = 0; i < (given > 2 ? 4 : 2); i++) {
        if (args[i] != NULL) {
            values[i] = PyFloat_AsDouble(args[i]);
            if (values[i] == -1.0 && PyErr_Occurred()) {
                return NULL;
            }
        }
    }
    double a = values[0], b = values[1];
    double relative = values[2], absolute = values[3];
    if (relative < 0.0 || absolute < 0.0) {
        PyErr_SetString(PyExc_ValueError, "tolerances must be non-negative");
        return NULL;
    }
    if (a == b) {
        Py_RETURN_TRUE;
    }
    if (isinf(a) || isinf(b)) {
        Py_RETURN_FALSE;
    }
    double distance = fabs(b - a);
    return PyBool_FromLong(distance <= fabs(relative * b)
                           || distance <= fabs(relative * a)
                           || distance <= absolute);
}

/* --------------------------------------------------------------- the module */

#define METHOD_1(name, text) \
    {#name, math_##name, METH_O, \
     #name "($module, x, /)\n--\n\n" text}
#define METHOD_2(name, arguments, text) \
    {#name, FAST(math_##name), \
     #name "($module, " arguments ", /)\n--\n\n" text}

static PyMethodDef math_methods[] = {
    METHOD_1(acos, "The arc cosine of x, in radians, from 0 to pi."),
    METHOD_1(acosh, "The inverse hyperbolic cosine of x."),
    METHOD_1(asin, "The arc sine of x, in radians, from -pi/2 to pi/2."),
    METHOD_1(asinh, "The inverse hyperbolic sine of x."),
    METHOD_1(atan, "The arc tangent of x, in radians, from -pi/2 to pi/2."),
    METHOD_2(atan2, "y, x",
             "The arc tangent of y/x in radians, in the quadrant of (x, y)."),
    METHOD_1(atanh, "The inverse hyperbolic tangent of x."),
    METHOD_1(cbrt, "The cube root of x."),
    METHOD_1(ceil, "The smallest integer >= x."),
    METHOD_2(copysign, "x, y", "x with the sign of y, which may be -0.0."),
    METHOD_1(cos, "The cosine of x, x in radians."),
    METHOD_1(cosh, "The hyperbolic cosine of x."),
    METHOD_1(degrees, "The angle x, in radians, converted to degrees."),
    METHOD_1(erf, "The error function at x."),
    METHOD_1(erfc, "The complementary error function at x: 1 - erf(x)."),
    METHOD_1(exp, "e to the power of x."),
    METHOD_1(exp2, "2 to the power of x."),
    METHOD_1(expm1, "exp(x) - 1, precise also where x is small."),
    METHOD_1(fabs, "The absolute value of x as a float."),
    METHOD_1(floor, "The largest integer <= x."),
    METHOD_2(fmod, "x, y", "C's fmod(x, y): the result has the sign of x."),
    METHOD_1(frexp, "The pair (m, e) with x = m * 2**e, where m is 0 or "
             "0.5 <= abs(m) < 1."),
    METHOD_1(gamma, "The gamma function at x."),
    {"isclose", FAST_KEYWORDS(math_isclose),
     "isclose($module, /, a, b, *, rel_tol=1e-09, abs_tol=0.0)\n--\n\n"
     "Whether two numbers are close to each other.\n\n"
     "  rel_tol\n    largest difference, relative to the larger of both\n"
     "  abs_tol\n    largest difference, whatever their size\n\n"
     "One of the two is enough. NaN is close to nothing, infinities only to\n"
     "themselves."},
    METHOD_1(isfinite, "Whether x is neither an infinity nor a NaN."),
    METHOD_1(isinf, "Whether x is an infinity."),
    METHOD_1(isnan, "Whether x is a NaN (not a number)."),
    METHOD_2(ldexp, "x, i", "x * (2**i): the inverse of frexp()."),
    METHOD_1(lgamma, "The natural logarithm of abs(gamma(x))."),
    {"log", math_log, METH_VARARGS,
     "log(x, [base=math.e])\n"
     "The logarithm of x to the given base: the natural one by default."},
    METHOD_1(log10, "The base 10 logarithm of x."),
    METHOD_1(log1p, "log(1 + x), precise also where x is small."),
    METHOD_1(log2, "The base 2 logarithm of x."),
    METHOD_1(modf, "The fractional and the integer part of x, both floats "
             "with its sign."),
    METHOD_2(nextafter, "x, y", "The float next to x in the direction of y."),
    METHOD_2(pow, "x, y", "x**y as C's pow() has it."),
    METHOD_1(radians, "The angle x, in degrees, converted to radians."),
    METHOD_2(remainder, "x, y",
             "x - n*y, where n is the integer nearest to x/y, the even one "
             "in a tie."),
    METHOD_1(sin, "The sine of x, x in radians."),
    METHOD_1(sinh, "The hyperbolic sine of x."),
    METHOD_1(sqrt, "The square root of x."),
    METHOD_1(tan, "The tangent of x, x in radians."),
    METHOD_1(tanh, "The hyperbolic tangent of x."),
    METHOD_1(trunc, "x.__trunc__(): the integer next to x towards 0."),
    METHOD_1(ulp, "The value of the least significant bit of x."),
    {NULL, NULL, 0, NULL}
};

static int
math_exec(PyObject *module)
{
    const struct {
        const char *name;
        double value;
    } constants[] = {
        {"pi", PI}, {"e", E}, {"tau", 2 * PI},
        {"inf", HUGE_VAL}, {"nan", fabs(NAN)},
    };
    _PyMath_FillFactorials();
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        PyObject *value = PyFloat_FromDouble(constants[i].value);
        int status = PyModule_AddObjectRef(module, constants[i].name, value);
        Py_XDECREF(value);
        if (status < 0) {
            return -1;
        }
    }
    if (PyModule_AddFunctions(module, _math_integer_methods) < 0
        || PyModule_AddFunctions(module, _math_sum_methods) < 0) {
        return -1;
    }
    return 0;
}

static PyModuleDef_Slot math_slots[] = {
    {Py_mod_exec, math_exec},
    {0, NULL}
};

static struct PyModuleDef math_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "math",
    .m_doc = "The mathematical functions of the C standard, and others.",
    .m_size = 0,
    .m_methods = math_methods,
    .m_slots = math_slots,
};

MODULE_INIT(math)
{
    return PyModuleDef_Init(&math_module);
}
