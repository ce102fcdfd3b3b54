/* cmath: functions of complex numbers.

   Finite arguments follow W. Kahan, "Branch cuts for complex elementary functions": every
   branch cut is continuous from the side that the sign of a zero part selects. Of two
   functions that differ only by factors of i, one is computed by the other. Arguments
   with infinities and NaNs go to C's own complex functions, whose results the C standard
   prescribes; where it leaves a sign open, we choose the sign that CPython gives.

   A function returns its value and sets *trouble. */

#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include <complex.h>
#include <float.h>
#include <math.h>

#undef I

#define PI  3.14159265358979323846
#define E   2.71828182845904523536
#define LN2 0.69314718055994530942

/* Beyond this, sums and products of parts may overflow. */
#define LARGE (DBL_MAX / 4.0)
/* The number of bits by which denormals are scaled up to full precision. It is odd, so
   that a root can undo half of one more. */
#define LIFT 53

enum trouble { NONE, DOMAIN, RANGE };

static Py_complex
make(double real, double imag)
{
    return (Py_complex){real, imag};
}

static int
is_finite(Py_complex z)
{
    return isfinite(z.real) && isfinite(z.imag);
}

static int
is_large(Py_complex z)
{
    return fabs(z.real) > LARGE || fabs(z.imag) > LARGE;
}

static Py_complex
times_i(Py_complex z)
{
    return make(-z.imag, z.real);
}

static Py_complex
over_i(Py_complex z)
{
    return make(z.imag, -z.real);
}

static Py_complex
from_c(double _Complex z)
{
    return make(creal(z), cimag(z));
}

static double _Complex
to_c(Py_complex z)
{
    /* x + y * I would turn an infinite y into a NaN. */
    union {
        double parts[2];
        double _Complex value;
    } u = {{z.real, z.imag}};
    return u.value;
}

/* The result, once it is known to be finite or not. */
static Py_complex
finished(Py_complex result, enum trouble *trouble)
{
    if (isinf(result.real) || isinf(result.imag)) {
        *trouble = RANGE;
    }
    return result;
}

static PyObject *
raise_trouble(enum trouble trouble)
{
    if (trouble == DOMAIN) {
        PyErr_SetString(PyExc_ValueError, "math domain error");
    }
    else {
        PyErr_SetString(PyExc_OverflowError, "math range error");
    }
    return NULL;
}

/* log(|z|) + n * log(2) for a large z, without overflow. */
static double
log_of_large(Py_complex z, double n)
{
    return log(hypot(z.real / 2.0, z.imag / 2.0)) + (n + 1.0) * LN2;
}

/* ---------------------------------------------------- powers and logarithms */

static Py_complex
c_sqrt(Py_complex z, enum trouble *Py_UNUSED(trouble))
{
    if (!is_finite(z)) {
        if (isinf(z.real) && z.real < 0 && isnan(z.imag)) {
            return make(NAN, HUGE_VAL);
        }
        return from_c(csqrt(to_c(z)));
    }
    double x = fabs(z.real), y = fabs(z.imag), s;
    if (x == 0.0 && y == 0.0) {
        return make(0.0, z.imag);
    }
    if (x < DBL_MIN && y < DBL_MIN) {
        x = ldexp(x, LIFT);
        s = ldexp(sqrt(x + hypot(x, ldexp(y, LIFT))), -(LIFT + 1) / 2);
    }
    else {
        x /= 8.0;
        s = 2.0 * sqrt(x + hypot(x, y / 8.0));
    }
    double d = y / (2.0 * s);
    return z.real >= 0.0 ? make(s, copysign(d, z.imag))
                         : make(d, copysign(s, z.imag));
}

static Py_complex
c_log(Py_complex z, enum trouble *trouble)
{
    double x = fabs(z.real), y = fabs(z.imag), size;
    if (!is_finite(z)) {
        return from_c(clog(to_c(z)));
    }
    double angle = atan2(z.imag, z.real);
    if (is_large(z)) {
        return make(log_of_large(z, 0.0), angle);
    }
    if (x == 0.0 && y == 0.0) {
        *trouble = DOMAIN;
        return make(-HUGE_VAL, angle);
    }
    if (x < DBL_MIN && y < DBL_MIN) {
        return make(log(hypot(ldexp(x, LIFT), ldexp(y, LIFT))) - LIFT * LN2,
                    angle);
    }
    size = hypot(x, y);
    if (0.71 <= size && size <= 1.73) {
        /* Near 1 the logarithm of |z|**2 - 1 is what is precise. */
        double major = x > y ? x : y, minor = x > y ? y : x;
        return make(log1p((major - 1.0) * (major + 1.0) + minor * minor)
                    / 2.0, angle);
    }
    return make(log(size), angle);
}

static Py_complex
c_log10(Py_complex z, enum trouble *trouble)
{
    const double ln10 = 2.302585092994045684;
    z = c_log(z, trouble);
    return make(z.real / ln10, z.imag / ln10);
}

static Py_complex
c_exp(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (isinf(z.imag) && !isnan(z.real)
            && !(isinf(z.real) && z.real < 0)) {
            *trouble = DOMAIN;
        }
        if (isinf(z.real) && z.real < 0 && !isfinite(z.imag)) {
            return make(0.0, 0.0);
        }
        return from_c(cexp(to_c(z)));
    }
    /* Where exp() would overflow, its product with a small cosine may not. */
    int far = z.real > log(LARGE);
    double scale = exp(far ? z.real - 1.0 : z.real);
    double real = scale * cos(z.imag), imag = scale * sin(z.imag);
    return finished(far ? make(real * E, imag * E) : make(real, imag),
                    trouble);
}

/* ----------------------------------------------------- hyperbolic functions */

/* cosh(z) and sinh(z) are products of functions of the parts. *c and *s receive cosh and
   sinh of the real part. If that is large, it is moved towards zero by 1, and the factor
   E is returned to compensate. */
static double
hyperbolic_factors(double x, double *c, double *s)
{
    double scale = 1.0;
    if (fabs(x) > log(LARGE)) {
        x -= copysign(1.0, x);
        scale = E;
    }
    *c = cosh(x);
    *s = sinh(x);
    return scale;
}

static Py_complex
c_cosh(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (isinf(z.imag) && !isnan(z.real)) {
            *trouble = DOMAIN;
        }
        Py_complex result = from_c(ccosh(to_c(z)));
        if (isnan(result.real) && result.imag == 0.0) {
            result.imag = 0.0;
        }
        return result;
    }
    double c, s, scale = hyperbolic_factors(z.real, &c, &s);
    return finished(make(cos(z.imag) * c * scale, sin(z.imag) * s * scale),
                    trouble);
}

static Py_complex
c_sinh(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (isinf(z.imag) && !isnan(z.real)) {
            *trouble = DOMAIN;
        }
        if (z.real == 0.0) {
            return make(0.0, NAN);
        }
        return from_c(csinh(to_c(z)));
    }
    double c, s, scale = hyperbolic_factors(z.real, &c, &s);
    return finished(make(cos(z.imag) * s * scale, sin(z.imag) * c * scale),
                    trouble);
}

static Py_complex
c_tanh(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (isinf(z.imag) && isfinite(z.real)) {
            *trouble = DOMAIN;
        }
        if (isinf(z.real) && !isfinite(z.imag)) {
            return make(copysign(1.0, z.real), 0.0);
        }
        if (z.real == 0.0) {
            return make(NAN, NAN);
        }
        return from_c(ctanh(to_c(z)));
    }
    if (fabs(z.real) > log(LARGE)) {
        return make(copysign(1.0, z.real),
                    4.0 * sin(z.imag) * cos(z.imag)
                    * exp(-2.0 * fabs(z.real)));
    }
    double t = tanh(z.real), u = tan(z.imag);
    double c = 1.0 / cosh(z.real);
    double product = t * u, scale = 1.0 + product * product;
    return make(t * (1.0 + u * u) / scale, u / scale * c * c);
}

static Py_complex
c_cos(Py_complex z, enum trouble *trouble)
{
    return c_cosh(times_i(z), trouble);
}

static Py_complex
c_sin(Py_complex z, enum trouble *trouble)
{
    return over_i(c_sinh(times_i(z), trouble));
}

static Py_complex
c_tan(Py_complex z, enum trouble *trouble)
{
    return over_i(c_tanh(times_i(z), trouble));
}

/* ----------------------------------------------------------- their inverses */

static Py_complex
c_acos(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (isinf(z.real) && isnan(z.imag)) {
            return make(NAN, INFINITY);     /* C leaves the sign open */
        }
        return from_c(cacos(to_c(z)));
    }
    if (is_large(z)) {
        return make(atan2(fabs(z.imag), z.real),
                    copysign(log_of_large(z, 1.0), -z.imag));
    }
    Py_complex a = c_sqrt(make(1.0 - z.real, -z.imag), trouble);
    Py_complex b = c_sqrt(make(1.0 + z.real, z.imag), trouble);
    return make(2.0 * atan2(a.real, b.real),
                asinh(b.real * a.imag - b.imag * a.real));
}

static Py_complex
c_acosh(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (z.real == 0.0 && isnan(z.imag)) {
            return make(NAN, NAN);
        }
        return from_c(cacosh(to_c(z)));
    }
    if (is_large(z)) {
        return make(log_of_large(z, 1.0), atan2(z.imag, z.real));
    }
    Py_complex a = c_sqrt(make(z.real - 1.0, z.imag), trouble);
    Py_complex b = c_sqrt(make(z.real + 1.0, z.imag), trouble);
    return make(asinh(a.real * b.real + a.imag * b.imag),
                2.0 * atan2(a.imag, b.real));
}

static Py_complex
c_asinh(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (isnan(z.real) && isinf(z.imag)) {
            return make(HUGE_VAL, NAN);
        }
        return from_c(casinh(to_c(z)));
    }
    if (is_large(z)) {
        return make(copysign(log_of_large(z, 1.0), z.real),
                    atan2(z.imag, fabs(z.real)));
    }
    Py_complex a = c_sqrt(make(1.0 + z.imag, -z.real), trouble);
    Py_complex b = c_sqrt(make(1.0 - z.imag, z.real), trouble);
    return make(asinh(a.real * b.imag - b.real * a.imag),
                atan2(z.imag, a.real * b.real - a.imag * b.imag));
}

static Py_complex
c_atanh(Py_complex z, enum trouble *trouble)
{
    if (!is_finite(z)) {
        if (isnan(z.real) && isinf(z.imag)) {
            return make(0.0, copysign(PI / 2.0, z.imag));
        }
        return from_c(catanh(to_c(z)));
    }
    if (signbit(z.real)) {
        return _Py_c_neg(c_atanh(_Py_c_neg(z), trouble));
    }
    double x = z.real, y = fabs(z.imag);
    if (x > sqrt(LARGE) || y > sqrt(LARGE)) {
        double size = hypot(x / 2.0, y / 2.0);
        return make(x / 4.0 / size / size, copysign(PI / 2.0, z.imag));
    }
    if (x == 1.0 && y < sqrt(DBL_MIN)) {
        if (y == 0.0) {
            *trouble = DOMAIN;
            return make(HUGE_VAL, z.imag);
        }
        return make(-log(sqrt(y) / sqrt(hypot(y, 2.0))),
                    copysign(atan2(2.0, -y) / 2.0, z.imag));
    }
    return make(log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + y * y)) / 4.0,
                -atan2(-2.0 * z.imag, (1.0 - x) * (1.0 + x) - y * y) / 2.0);
}

static Py_complex
c_asin(Py_complex z, enum trouble *trouble)
{
    return over_i(c_asinh(times_i(z), trouble));
}

static Py_complex
c_atan(Py_complex z, enum trouble *trouble)
{
    return over_i(c_atanh(times_i(z), trouble));
}

/* ----------------------------------------------------------------- wrappers */

static int
take_complex(PyObject *arg, Py_complex *z)
{
    *z = PyComplex_AsCComplex(arg);
    return z->real == -1.0 && PyErr_Occurred() ? -1 : 0;
}

#define FUNCTION(name)                                              \
    static PyObject *                                               \
    cmath_##name(PyObject *Py_UNUSED(module), PyObject *arg)        \
    {                                                               \
        enum trouble trouble = NONE;                                \
        Py_complex z;                                               \
        if (take_complex(arg, &z) < 0) {                            \
            return NULL;                                            \
        }                                                           \
        z = c_##name(z, &trouble);                                  \
        if (trouble != NONE) {                                      \
            return raise_trouble(trouble);                          \
        }                                                           \
        return PyComplex_FromCComplex(z);                           \
    }

FUNCTION(acos)
FUNCTION(acosh)
FUNCTION(asin)
FUNCTION(asinh)
FUNCTION(atan)
FUNCTION(atanh)
FUNCTION(cos)
FUNCTION(cosh)
FUNCTION(exp)
FUNCTION(log10)
FUNCTION(sin)
FUNCTION(sinh)
FUNCTION(sqrt)
FUNCTION(tan)
FUNCTION(tanh)

static PyObject *
cmath_log(PyObject *Py_UNUSED(module), PyObject *const *args,
          Py_ssize_t nargs)
{
    enum trouble trouble = NONE;
    Py_complex z, base;
    if (!_PyArg_CheckPositional("log", nargs, 1, 2)
        || take_complex(args[0], &z) < 0) {
        return NULL;
    }
    z = c_log(z, &trouble);
    if (nargs == 2) {
        if (take_complex(args[1], &base) < 0) {
            return NULL;
        }
        trouble = NONE;
        base = c_log(base, &trouble);
        if (base.real == 0.0 && base.imag == 0.0) {
            trouble = DOMAIN;
        }
        z = _Py_c_quot(z, base);
    }
    if (trouble != NONE) {
        return raise_trouble(trouble);
    }
    return PyComplex_FromCComplex(z);
}

static PyObject *
cmath_phase(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_complex z;
    if (take_complex(arg, &z) < 0) {
        return NULL;
    }
    return PyFloat_FromDouble(atan2(z.imag, z.real));
}

static PyObject *
cmath_polar(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_complex z;
    if (take_complex(arg, &z) < 0) {
        return NULL;
    }
    double size = hypot(z.real, z.imag);
    if (isinf(size) && is_finite(z)) {
        return raise_trouble(RANGE);
    }
    return Py_BuildValue("dd", size, atan2(z.imag, z.real));
}

static PyObject *
cmath_rect(PyObject *Py_UNUSED(module), PyObject *const *args,
           Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("rect", nargs, 2, 2)) {
        return NULL;
    }
    double r = PyFloat_AsDouble(args[0]);
    if (r == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    double angle = PyFloat_AsDouble(args[1]);
    if (angle == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    Py_complex z;
    if (isinf(angle) && r != 0.0 && !isnan(r)) {
        return raise_trouble(DOMAIN);
    }
    if (angle == 0.0) {
        /* Not r * 0.0, which for an infinite r is a NaN. */
        z = make(r, isnan(r) ? 0.0 : copysign(1.0, r) * angle);
    }
    else if (r == 0.0 && !isfinite(angle)) {
        z = make(0.0, 0.0);
    }
    else if (isinf(r) && isfinite(angle)) {
        z = make(copysign(HUGE_VAL, cos(angle)),
                 copysign(HUGE_VAL, sin(angle)));
        if (r < 0) {
            z = _Py_c_neg(z);
        }
    }
    else if (isinf(r)) {
        z = make(HUGE_VAL, NAN);
    }
    else {
        z = make(r * cos(angle), r * sin(angle));
    }
    return PyComplex_FromCComplex(z);
}

static PyObject *
cmath_isfinite(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_complex z;
    if (take_complex(arg, &z) < 0) {
        return NULL;
    }
    return PyBool_FromLong(is_finite(z));
}

static PyObject *
cmath_isnan(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_complex z;
    if (take_complex(arg, &z) < 0) {
        return NULL;
    }
    return PyBool_FromLong(isnan(z.real) || isnan(z.imag));
}

static PyObject *
cmath_isinf(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_complex z;
    if (take_complex(arg, &z) < 0) {
        return NULL;
    }
    return PyBool_FromLong(isinf(z.real) || isinf(z.imag));
}

static PyObject *
cmath_isclose(PyObject *Py_UNUSED(module), PyObject *const *args,
              Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"a", "b", "rel_tol", "abs_tol",
                                           NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .fname = "isclose",
    };
    PyObject *buffer[4] = {NULL};
    Py_complex a, b;
    double tolerances[2] = {1e-09, 0.0};
    Py_ssize_t nkw = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 2, 2, 0,
                                 buffer);
    if (args == NULL || take_complex(args[0], &a) < 0
        || take_complex(args[1], &b) < 0) {
        return NULL;
    }
    for (int i = 0; i < 2 && nargs + nkw > 2; i++) {
        if (args[2 + i] != NULL) {
            tolerances[i] = PyFloat_AsDouble(args[2 + i]);
            if (tolerances[i] == -1.0 && PyErr_Occurred()) {
                return NULL;
            }
        }
    }
    if (tolerances[0] < 0.0 || tolerances[1] < 0.0) {
        PyErr_SetString(PyExc_ValueError, "tolerances must be non-negative");
        return NULL;
    }
    if (a.real == b.real && a.imag == b.imag) {
        Py_RETURN_TRUE;
    }
    if (isinf(a.real) || isinf(a.imag) || isinf(b.real) || isinf(b.imag)) {
        Py_RETURN_FALSE;
    }
    double distance = _Py_c_abs(_Py_c_diff(a, b));
    return PyBool_FromLong(distance <= tolerances[0] * _Py_c_abs(b)
                           || distance <= tolerances[0] * _Py_c_abs(a)
                           || distance <= tolerances[1]);
}

#define METHOD(name, text) \
    {#name, cmath_##name, METH_O, #name "($module, z, /)\n--\n\n" text}

static PyMethodDef cmath_methods[] = {
    METHOD(acos, "The arc cosine of z."),
    METHOD(acosh, "The inverse hyperbolic cosine of z."),
    METHOD(asin, "The arc sine of z."),
    METHOD(asinh, "The inverse hyperbolic sine of z."),
    METHOD(atan, "The arc tangent of z."),
    METHOD(atanh, "The inverse hyperbolic tangent of z."),
    METHOD(cos, "The cosine of z."),
    METHOD(cosh, "The hyperbolic cosine of z."),
    METHOD(exp, "The exponential e**z."),
    {"isclose", FAST_KEYWORDS(cmath_isclose),
     "isclose($module, /, a, b, *, rel_tol=1e-09, abs_tol=0.0)\n--\n\n"
     "Whether two complex numbers are close to each other.\n\n"
     "  rel_tol\n    largest difference, relative to the larger of both\n"
     "  abs_tol\n    largest difference, whatever their size\n\n"
     "One of the two is enough. NaN is close to nothing, infinities only to\n"
     "themselves."},
    METHOD(isfinite, "Whether both parts of z are finite."),
    METHOD(isinf, "Whether a part of z is an infinity."),
    METHOD(isnan, "Whether a part of z is a NaN (not a number)."),
    {"log", FAST(cmath_log),
     "log($module, z, base=<unrepresentable>, /)\n--\n\n"
     "The logarithm of z to the given base: the natural one by default."},
    METHOD(log10, "The base 10 logarithm of z."),
    METHOD(phase, "The argument of z: the angle of its polar coordinates."),
    METHOD(polar, "z in polar coordinates: the pair (r, phi) of distance\n"
           "from 0 and phase angle."),
    {"rect", FAST(cmath_rect),
     "rect($module, r, phi, /)\n--\n\n"
     "The complex number with the polar coordinates r and phi."},
    METHOD(sin, "The sine of z."),
    METHOD(sinh, "The hyperbolic sine of z."),
    METHOD(sqrt, "The square root of z."),
    METHOD(tan, "The tangent of z."),
    METHOD(tanh, "The hyperbolic tangent of z."),
    {NULL, NULL, 0, NULL}
};

static int
add_constant(PyObject *module, const char *name, PyObject *value)
{
    int status = PyModule_AddObjectRef(module, name, value);
    Py_XDECREF(value);
    return status;
}

static int
cmath_exec(PyObject *module)
{
    const double nan = fabs(NAN);
    if (add_constant(module, "pi", PyFloat_FromDouble(PI)) < 0
        || add_constant(module, "e", PyFloat_FromDouble(E)) < 0
        || add_constant(module, "tau", PyFloat_FromDouble(2 * PI)) < 0
        || add_constant(module, "inf", PyFloat_FromDouble(HUGE_VAL)) < 0
        || add_constant(module, "infj",
                        PyComplex_FromDoubles(0.0, HUGE_VAL)) < 0
        || add_constant(module, "nan", PyFloat_FromDouble(nan)) < 0
        || add_constant(module, "nanj",
                        PyComplex_FromDoubles(0.0, nan)) < 0) {
        return -1;
    }
    return 0;
}

static PyModuleDef_Slot cmath_slots[] = {
    {Py_mod_exec, cmath_exec},
    {0, NULL}
};

static struct PyModuleDef cmath_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "cmath",
    .m_doc = "Mathematical functions of complex numbers.",
    .m_size = 0,
    .m_methods = cmath_methods,
    .m_slots = cmath_slots,
};

MODULE_INIT(cmath)
{
    return PyModuleDef_Init(&cmath_module);
}
