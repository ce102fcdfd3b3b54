/* The methods and attributes of float, and sys.float_info. */

#include "internal/bytes.h"
#include "internal/float.h"
#include "internal/float_text.h"
#include "internal/int.h"
#include "internal/method_table.h"
#include "internal/unicode.h"
#include <float.h>
#include <math.h>

#define VALUE(op) PyFloat_AS_DOUBLE(op)

static PyObject *
float_itself(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyFloat_CheckExact(self) ? Py_NewRef(self)
                                    : _PyFloat_FromDouble(VALUE(self));
}

static PyObject *
float_is_integer(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    double x = VALUE(self);
    return PyBool_FromLong(isfinite(x) && floor(x) == x);
}

static PyObject *
float_trunc(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromDouble(VALUE(self));
}

static PyObject *
float_floor(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromDouble(floor(VALUE(self)));
}

static PyObject *
float_ceil(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromDouble(ceil(VALUE(self)));
}

/* ----------------------------------------------------------------- rounding */

/* round(x, ndigits), correctly rounded; raises OverflowError (-1.0). */
static double
round_double(double x, int ndigits)
{
    _PyFloat_Digits digits;
    if (_PyFloat_FixedDigits(x, ndigits, &digits) < 0) {
        PyErr_NoMemory();
        return -1.0;
    }
    /* Convert to decimal digits and back: both conversions round correctly. */
    char local[64], *text = local;
    double result = -1.0;
    size_t len = (size_t)digits.len;
    if (len + 16 > sizeof(local)) {
        text = PyMem_Malloc(len + 16);
        if (text == NULL) {
            PyErr_NoMemory();
            goto done;
        }
    }
    memcpy(text, digits.text, len);
    sprintf(text + len, "e%d", digits.point - (int)digits.len);
    char *end;
    result = copysign(_PyFloat_ParseDecimal(text, &end), x);
    if (isinf(result)) {
        PyErr_SetString(PyExc_OverflowError,
                        "rounded value too large to represent");
        result = -1.0;
    }
done:
    if (text != local) {
        PyMem_Free(text);
    }
    PyMem_Free(digits.heap);
    return result;
}

static PyObject *
float_round(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    double x = VALUE(self);
    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError,
                     "__round__ expected at most 1 argument, got %zd", nargs);
        return NULL;
    }
    if (nargs == 0 || args[0] == Py_None) {
        return PyLong_FromDouble(isfinite(x) ? rint(x) : x);
    }
    Py_ssize_t ndigits = PyNumber_AsSsize_t(args[0], NULL);
    if (ndigits == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (!isfinite(x)) {
        return _PyFloat_FromDouble(x);
    }
    /* Outside of these limits the value is already rounded, or the result is zero. */
    if (ndigits > (DBL_MANT_DIG - DBL_MIN_EXP) * 30103 / 100000) {
        return _PyFloat_FromDouble(x);
    }
    if (ndigits < -(DBL_MAX_EXP + 1) * 30103 / 100000) {
        return _PyFloat_FromDouble(copysign(0.0, x));
    }
    x = round_double(x, (int)ndigits);
    if (x == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return _PyFloat_FromDouble(x);
}

/* ------------------------------------------------------------------- ratios */

static PyObject *
float_as_integer_ratio(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    double x = VALUE(self);
    uint64_t mantissa;
    int exponent;
    if (isinf(x)) {
        PyErr_SetString(PyExc_OverflowError,
                        "cannot convert Infinity to integer ratio");
        return NULL;
    }
    if (isnan(x)) {
        PyErr_SetString(PyExc_ValueError,
                        "cannot convert NaN to integer ratio");
        return NULL;
    }
    _PyFloat_Split(x, &mantissa, &exponent);
    if (mantissa == 0) {
        exponent = 0;
    }
    else {
        int zeros = __builtin_ctzll(mantissa);
        mantissa >>= zeros;
        exponent += zeros;
    }
    PyObject *ratio = NULL;
    PyObject *numerator =
        _PyLong_FromInt64(x < 0 ? -(int64_t)mantissa : (int64_t)mantissa);
    PyObject *denominator = _PyLong_GetSmall(1);
    if (numerator != NULL) {
        PyObject **scaled = exponent > 0 ? &numerator : &denominator;
        Py_SETREF(*scaled, _PyLong_Lshift(*scaled, (size_t)abs(exponent)));
        if (*scaled != NULL) {
            ratio = PyTuple_Pack(2, numerator, denominator);
        }
    }
    Py_XDECREF(numerator);
    Py_XDECREF(denominator);
    return ratio;
}

/* -------------------------------------------------------------- hexadecimal */

static PyObject *
float_hex(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    double x = VALUE(self);
    uint64_t mantissa;
    int exponent;
    char text[40];
    if (!isfinite(x)) {
        return Py_TYPE(self)->tp_repr == PyFloat_Type.tp_repr
            ? PyObject_Repr(self) : PyFloat_Type.tp_repr(self);
    }
    const char *sign = signbit(x) ? "-" : "";
    if (x == 0.0) {
        return PyUnicode_FromFormat("%s0x0.0p+0", sign);
    }
    _PyFloat_Split(x, &mantissa, &exponent);
    sprintf(text, "%s0x%d.%013llxp%+d", sign,
            (int)(mantissa >> (DBL_MANT_DIG - 1)),
            (unsigned long long)(mantissa
                                 & (((uint64_t)1 << (DBL_MANT_DIG - 1)) - 1)),
            exponent + DBL_MANT_DIG - 1);
    return PyUnicode_FromString(text);
}

/* Returns bits * 2**exponent, plus a lower bit if sticky, rounded half to even.
   Infinity if too large. */
static double
round_binary(uint64_t bits, int64_t exponent, int sticky)
{
    if (bits == 0) {
        return 0.0;
    }
    int zeros = __builtin_clzll(bits);
    bits <<= zeros;
    exponent -= zeros;
    if (exponent > DBL_MAX_EXP - 64) {
        return HUGE_VAL;
    }
    const int lowest = DBL_MIN_EXP - DBL_MANT_DIG;
    if (exponent + 64 < lowest) {
        return 0.0;
    }
    int extra = 64 - DBL_MANT_DIG;
    if (exponent + extra < lowest) {
        extra = lowest - (int)exponent;
    }
    /* extra is 11 to 64. */
    uint64_t half = (uint64_t)1 << (extra - 1);
    uint64_t rest = bits & (half | (half - 1));
    bits = extra == 64 ? 0 : bits >> extra;
    bits += rest > half || (rest == half && (sticky || (bits & 1)));
    return ldexp((double)bits, (int)exponent + extra);
}

/* Reads an exponent and clips it to limits far beyond any that matter. Returns its end,
   or NULL if there is no digit. */
static const char *
scan_exponent(const char *s, int64_t *exponent)
{
    int negative = *s == '-';
    int64_t value = 0;
    s += *s == '-' || *s == '+';
    if (!Py_ISDIGIT(*s)) {
        return NULL;
    }
    for (; Py_ISDIGIT(*s); s++) {
        if (value < (int64_t)1 << 58) {
            value = value * 10 + (*s - '0');
        }
    }
    *exponent = negative ? -value : value;
    return s;
}

/* Parses [0x]hex[.hex][p[+-]dec]. Returns its end, or NULL. */
static const char *
scan_hex(const char *s, double *value)
{
    if (s[0] == '0' && (s[1] | 0x20) == 'x') {
        s += 2;
    }
    uint64_t bits = 0;
    int64_t exponent = 0, written = 0;
    int sticky = 0, ndigits = 0, after_point = 0;
    for (; ; s++) {
        if (*s == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        const unsigned int digit = _PyLong_DigitValue[(unsigned char)*s];
        if (digit >= 16) {
            break;
        }
        ndigits = 1;
        if (bits >> 60 == 0) {
            bits = bits << 4 | digit;
            exponent -= after_point ? 4 : 0;
        }
        else {
            sticky |= digit != 0;
            exponent += after_point ? 0 : 4;
        }
    }
    if (!ndigits) {
        return NULL;
    }
    if ((*s | 0x20) == 'p') {
        s = scan_exponent(s + 1, &written);
        if (s == NULL) {
            return NULL;
        }
    }
    *value = round_binary(bits, exponent + written, sticky);
    return s;
}

static PyObject *
float_fromhex(PyObject *type, PyObject *string)
{
    Py_ssize_t len;
    const char *text = PyUnicode_AsUTF8AndSize(string, &len);
    if (text == NULL) {
        return NULL;
    }
    const char *s = text;
    char *word_end;
    while (Py_ISSPACE(*s)) {
        s++;
    }
    double x = _Py_parse_inf_or_nan(s, &word_end);
    if (word_end != s) {
        s = word_end;
    }
    else {
        int negative = *s == '-';
        s += *s == '-' || *s == '+';
        s = scan_hex(s, &x);
        if (s == NULL) {
            goto invalid;
        }
        if (isinf(x)) {
            PyErr_SetString(PyExc_OverflowError, "hexadecimal value too large "
                            "to represent as a float");
            return NULL;
        }
        x = negative ? -x : x;
    }
    while (Py_ISSPACE(*s)) {
        s++;
    }
    if (s != text + len) {
        goto invalid;
    }
    PyObject *result = _PyFloat_FromDouble(x);
    if (result != NULL && type != (PyObject *)&PyFloat_Type) {
        Py_SETREF(result, PyObject_CallOneArg(type, result));
    }
    return result;
invalid:
    PyErr_SetString(PyExc_ValueError,
                    "invalid hexadecimal floating-point string");
    return NULL;
}

/* ----------------------------------------------------------------- the rest */

static PyObject *
argument_must_be_str(const char *function, PyObject *arg)
{
    PyErr_Format(PyExc_TypeError, "%s() argument must be str, not %.50s",
                 function, arg == Py_None ? "None" : Py_TYPE(arg)->tp_name);
    return NULL;
}

static PyObject *
float_format(PyObject *self, PyObject *spec)
{
    return _PyFormat_Method(self, spec, _PyFloat_FormatAdvancedWriter);
}

static PyObject *
float_getformat(PyObject *Py_UNUSED(type), PyObject *typestr)
{
    if (!PyUnicode_Check(typestr)) {
        return argument_must_be_str("__getformat__", typestr);
    }
    if (!_PyUnicode_EqualToASCIIString(typestr, "double")
        && !_PyUnicode_EqualToASCIIString(typestr, "float")) {
        PyErr_SetString(PyExc_ValueError,
                        "__getformat__() argument 1 must be "
                        "'double' or 'float'");
        return NULL;
    }
    return PyUnicode_FromString(PY_LITTLE_ENDIAN ? "IEEE, little-endian"
                                                 : "IEEE, big-endian");
}

static PyObject *
float_getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(d)", VALUE(self));
}

static PyObject *
float_get_real(PyObject *self, void *Py_UNUSED(closure))
{
    return float_itself(self, NULL);
}

static PyObject *
float_get_imag(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return _PyFloat_FromDouble(0.0);
}

PyGetSetDef _PyFloat_getset[] = {
    {"real", float_get_real, NULL,
     "the real part of a complex number", NULL},
    {"imag", float_get_imag, NULL,
     "the imaginary part of a complex number", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyDoc_STRVAR(as_integer_ratio_doc,
"as_integer_ratio($self, /)\n--\n\n\
A pair of ints, the second positive, whose ratio is exactly the number.\n\
OverflowError for infinities, ValueError for NaNs.\n\
\n\
>>> (2.5).as_integer_ratio()\n\
(5, 2)\n\
>>> (-0.0).as_integer_ratio()\n\
(0, 1)\n\
>>> (-0.125).as_integer_ratio()\n\
(-1, 8)");

PyDoc_STRVAR(fromhex_doc,
"fromhex($type, string, /)\n--\n\n\
The number that a hexadecimal literal stands for.\n\
\n\
>>> float.fromhex('0x1.8p3')\n\
12.0\n\
>>> float.fromhex('-0x1p-2')\n\
-0.25");

PyDoc_STRVAR(hex_doc,
"hex($self, /)\n--\n\n\
The number as a hexadecimal literal.\n\
\n\
>>> (12.5).hex()\n\
'0x1.9000000000000p+3'\n\
>>> (-1/3).hex()\n\
'-0x1.5555555555555p-2'");

PyDoc_STRVAR(round_doc,
"__round__($self, ndigits=None, /)\n--\n\n\
The integer nearest to the number, ties to even; with ndigits, the float\n\
nearest to it with that many digits after the point.");

PyDoc_STRVAR(getformat_doc,
"__getformat__($type, typestr, /)\n--\n\n\
How C represents a type, 'double' or 'float'. For Python's own tests.");

PyMethodDef _PyFloat_methods[] = {
    {"conjugate", float_itself, METH_NOARGS,
     "conjugate($self, /)\n--\n\n"
     "The number itself, the complex conjugate of any float."},
    {"__trunc__", float_trunc, METH_NOARGS,
     "__trunc__($self, /)\n--\n\n"
     "The integer part: the closest integer towards zero."},
    {"__floor__", float_floor, METH_NOARGS,
     "__floor__($self, /)\n--\n\nThe largest integer <= self."},
    {"__ceil__", float_ceil, METH_NOARGS,
     "__ceil__($self, /)\n--\n\nThe smallest integer >= self."},
    {"__round__", FAST(float_round), round_doc},
    {"as_integer_ratio", float_as_integer_ratio, METH_NOARGS,
     as_integer_ratio_doc},
    {"fromhex", float_fromhex, METH_O | METH_CLASS, fromhex_doc},
    {"hex", float_hex, METH_NOARGS, hex_doc},
    {"is_integer", float_is_integer, METH_NOARGS,
     "is_integer($self, /)\n--\n\nWhether the number is an integer."},
    {"__getnewargs__", float_getnewargs, METH_NOARGS,
     "__getnewargs__($self, /)\n--\n\n"},
    {"__getformat__", float_getformat, METH_O | METH_CLASS, getformat_doc},
    {"__format__", float_format, METH_O,
     "__format__($self, format_spec, /)\n--\n\n"
     "Formats the float according to format_spec."},
    {NULL, NULL, 0, NULL}
};

/* ----------------------------------------------------------- sys.float_info */

double
PyFloat_GetMax(void)
{
    return DBL_MAX;
}

double
PyFloat_GetMin(void)
{
    return DBL_MIN;
}

static PyTypeObject float_info_type;

static PyStructSequence_Field float_info_fields[] = {
    {"max", "DBL_MAX -- maximum representable finite float"},
    {"max_exp", "DBL_MAX_EXP -- maximum int e such that radix**(e-1) "
                "is representable"},
    {"max_10_exp", "DBL_MAX_10_EXP -- maximum int e such that 10**e "
                   "is representable"},
    {"min", "DBL_MIN -- Minimum positive normalized float"},
    {"min_exp", "DBL_MIN_EXP -- minimum int e such that radix**(e-1) "
                "is a normalized float"},
    {"min_10_exp", "DBL_MIN_10_EXP -- minimum int e such that 10**e is "
                   "a normalized float"},
    {"dig", "DBL_DIG -- maximum number of decimal digits that "
            "can be faithfully represented in a float"},
    {"mant_dig", "DBL_MANT_DIG -- mantissa digits"},
    {"epsilon", "DBL_EPSILON -- Difference between 1 and the next "
                "representable float"},
    {"radix", "FLT_RADIX -- radix of exponent"},
    {"rounds", "FLT_ROUNDS -- rounding mode used for arithmetic operations"},
    {NULL, NULL}
};

static PyStructSequence_Desc float_info_desc = {
    "sys.float_info",
    "The limits of floats, as <float.h> has them. Read only.",
    float_info_fields,
    11
};

int
_PyFloat_InitTypes(void)
{
    if (float_info_type.tp_name != NULL) {
        return 0;
    }
    return PyStructSequence_InitType2(&float_info_type, &float_info_desc);
}

PyObject *
PyFloat_GetInfo(void)
{
    PyObject *info = PyStructSequence_New(&float_info_type);
    if (info == NULL) {
        return NULL;
    }
    PyObject *values[] = {
        _PyFloat_FromDouble(DBL_MAX),
        _PyLong_FromInt64(DBL_MAX_EXP),
        _PyLong_FromInt64(DBL_MAX_10_EXP),
        _PyFloat_FromDouble(DBL_MIN),
        _PyLong_FromInt64(DBL_MIN_EXP),
        _PyLong_FromInt64(DBL_MIN_10_EXP),
        _PyLong_FromInt64(DBL_DIG),
        _PyLong_FromInt64(DBL_MANT_DIG),
        _PyFloat_FromDouble(DBL_EPSILON),
        _PyLong_FromInt64(FLT_RADIX),
        _PyLong_FromInt64(FLT_ROUNDS),
    };
    for (int i = 0; i < 11; i++) {
        PyStructSequence_SET_ITEM(info, i, values[i]);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(info);
    }
    return info;
}
