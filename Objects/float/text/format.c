/* The C API of float text: PyOS_double_to_string, PyOS_string_to_double and
   their relatives. None of them depends on the locale. */

#include "internal/float_text.h"
#include <math.h>

/* ---------------------------------------------------------------- from text */

/* Matches `word`, which is in lower case, at s, ignoring the case. */
static const char *
match_word(const char *s, const char *word)
{
    for (; *word != '\0'; s++, word++) {
        if (Py_TOLOWER(*s) != *word) {
            return NULL;
        }
    }
    return s;
}

double
_Py_parse_inf_or_nan(const char *p, char **endptr)
{
    const char *s = p, *end;
    int negative = *s == '-';
    double value;
    s += *s == '-' || *s == '+';
    if ((end = match_word(s, "inf")) != NULL) {
        const char *longer = match_word(end, "inity");
        end = longer != NULL ? longer : end;
        value = HUGE_VAL;
    }
    else if ((end = match_word(s, "nan")) != NULL) {
        value = fabs(NAN);
    }
    else {
        *endptr = (char *)p;
        return -1.0;
    }
    *endptr = (char *)end;
    return negative ? -value : value;
}

double
PyOS_string_to_double(const char *s, char **endptr,
                      PyObject *overflow_exception)
{
    char *end;
    double value = _PyFloat_ParseDecimal(s, &end);
    int is_decimal = end != s;
    if (!is_decimal) {
        value = _Py_parse_inf_or_nan(s, &end);
    }
    if (end == s || (endptr == NULL && *end != '\0')) {
        PyErr_Format(PyExc_ValueError,
                     "could not convert string to float: '%.200s'", s);
        value = -1.0;
        end = (char *)s;
    }
    else if (is_decimal && isinf(value) && overflow_exception != NULL) {
        PyErr_Format(overflow_exception,
                     "value too large to convert to float: '%.200s'", s);
        value = -1.0;
    }
    if (endptr != NULL) {
        *endptr = end;
    }
    return value;
}

/* Underscores must stand between digits. Passes a copy without them to innerfunc. If there is none
   before the first null byte, it is innerfunc that refuses this. */
PyObject *
_Py_string_to_number_with_underscores(
    const char *s, Py_ssize_t len, const char *what, PyObject *obj, void *arg,
    PyObject *(*innerfunc)(const char *, Py_ssize_t, void *))
{
    const char *null = memchr(s, '\0', (size_t)len);
    if (memchr(s, '_', null != NULL ? (size_t)(null - s) : (size_t)len) == NULL) {
        return innerfunc(s, len, arg);
    }
    char *plain = PyMem_Malloc((size_t)len + 1);
    if (plain == NULL) {
        return PyErr_NoMemory();
    }
    char *out = plain;
    for (Py_ssize_t i = 0; i < len; i++) {
        if (s[i] != '_') {
            *out++ = s[i];
        }
        else if (i == 0 || i + 1 == len || !Py_ISDIGIT(s[i - 1])
                 || !Py_ISDIGIT(s[i + 1]) || null != NULL) {
            PyMem_Free(plain);
            PyErr_Format(PyExc_ValueError,
                         "could not convert string to %s: %R", what, obj);
            return NULL;
        }
    }
    *out = '\0';
    PyObject *result = innerfunc(plain, out - plain, arg);
    PyMem_Free(plain);
    return result;
}

/* ------------------------------------------------------------------ to text */

static char *
special_to_string(double val, int upper, int flags)
{
    /* The sign of a NaN is not shown. */
    const char *word = isnan(val) ? (upper ? "NAN" : "nan")
                                  : (upper ? "INF" : "inf");
    char *result = PyMem_Malloc(5), *p = result;
    if (result == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    if (!isnan(val) && val < 0) {
        *p++ = '-';
    }
    else if (flags & Py_DTSF_SIGN) {
        *p++ = '+';
    }
    memcpy(p, word, 4);
    return result;
}

/* Appends n zeros. */
static char *
put_zeros(char *p, Py_ssize_t n)
{
    if (n > 0) {
        memset(p, '0', (size_t)n);
        p += n;
    }
    return p;
}

/* Appends the digits at places [from, to), counted from the first digit;
   zeros where there are none. */
static char *
put_digits(char *p, const _PyFloat_Digits *d, Py_ssize_t from, Py_ssize_t to)
{
    if (from < 0) {
        Py_ssize_t n = Py_MIN(to, 0) - from;
        p = put_zeros(p, n);
        from += n;
    }
    if (from < to && from < d->len) {
        Py_ssize_t n = Py_MIN(to, d->len) - from;
        memcpy(p, d->text + from, (size_t)n);
        p += n;
        from += n;
    }
    return put_zeros(p, to - from);
}

static char *
put_exponent(char *p, int exponent, int upper)
{
    *p++ = upper ? 'E' : 'e';
    *p++ = exponent < 0 ? '-' : '+';
    exponent = exponent < 0 ? -exponent : exponent;
    if (exponent >= 100) {
        *p++ = (char)('0' + exponent / 100);
        exponent %= 100;
    }
    *p++ = (char)('0' + exponent / 10);
    *p++ = (char)('0' + exponent % 10);
    return p;
}

/* Finds where the digits end and which of the two notations to use. */
struct layout {
    Py_ssize_t end;             /* places to show, counted from the first */
    int use_exponent;
};

static struct layout
choose_layout(const _PyFloat_Digits *d, char code, int precision, int flags)
{
    struct layout layout = {d->len, 0};
    int is_zero = d->text[0] == '0';
    switch (code) {
    case 'e':
        layout.use_exponent = 1;
        layout.end = (Py_ssize_t)precision + 1;
        break;
    case 'f':
        layout.end = (Py_ssize_t)d->point + precision;
        break;
    case 'g':
        layout.use_exponent = d->point <= -4
            || d->point > precision - ((flags & Py_DTSF_ADD_DOT_0) != 0);
        if (flags & Py_DTSF_ALT) {
            layout.end = precision;
        }
        break;
    case 'r':
        layout.use_exponent = d->point <= -4 || d->point > 16;
        break;
    }
    if (is_zero && layout.end < 1) {
        layout.end = 1;
    }
    return layout;
}

static char *
layout_to_string(const _PyFloat_Digits *d, struct layout layout, int negative,
                 int upper, int flags)
{
    /* The point stands before place `point`. */
    Py_ssize_t point = layout.use_exponent ? 1 : d->point;
    Py_ssize_t end = Py_MAX(layout.end, point);
    Py_ssize_t start = Py_MIN(0, point - 1);
    /* Sign, point, ".0", exponent, NUL. */
    char *result = PyMem_Malloc((size_t)(end - start) + 12);
    if (result == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    char *p = result;
    if (negative) {
        *p++ = '-';
    }
    else if (flags & Py_DTSF_SIGN) {
        *p++ = '+';
    }
    p = put_digits(p, d, start, point);
    if (end > point) {
        *p++ = '.';
        p = put_digits(p, d, point, end);
    }
    else if ((flags & Py_DTSF_ADD_DOT_0) && !layout.use_exponent) {
        *p++ = '.';
        *p++ = '0';
    }
    else if (flags & Py_DTSF_ALT) {
        *p++ = '.';
    }
    if (layout.use_exponent) {
        p = put_exponent(p, d->point - 1, upper);
    }
    *p = '\0';
    return result;
}

char *
PyOS_double_to_string(double val, char format_code, int precision, int flags,
                      int *type)
{
    int upper = format_code == 'E' || format_code == 'F'
        || format_code == 'G';
    char code = upper ? (char)(format_code | 0x20) : format_code;
    _PyFloat_Digits digits;
    int failed = 0;
    if (code != 'e' && code != 'f' && code != 'g'
        && (code != 'r' || precision != 0)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (type != NULL) {
        *type = isnan(val) ? Py_DTST_NAN
            : isinf(val) ? Py_DTST_INFINITE : Py_DTST_FINITE;
    }
    if (!isfinite(val)) {
        return special_to_string(val, upper, flags);
    }
    switch (code) {
    case 'r':
        _PyFloat_ShortestDigits(val, &digits);
        break;
    case 'e':
        failed = _PyFloat_SignificantDigits(
            val, precision < INT_MAX ? precision + 1 : precision, &digits);
        break;
    case 'f':
        failed = _PyFloat_FixedDigits(val, precision, &digits);
        break;
    case 'g':
        precision = precision == 0 ? 1 : precision;
        failed = _PyFloat_SignificantDigits(val, precision, &digits);
        break;
    }
    if (failed) {
        PyErr_NoMemory();
        return NULL;
    }
    int negative = signbit(val) != 0;
    if ((flags & Py_DTSF_NO_NEG_0) && digits.text[0] == '0') {
        negative = 0;
    }
    struct layout layout = choose_layout(&digits, code, precision, flags);
    char *result = layout_to_string(&digits, layout, negative, upper, flags);
    PyMem_Free(digits.heap);
    return result;
}
