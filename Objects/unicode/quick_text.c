/* Fast formatting of common values in common formats, without a writer.

   Exact ints of a machine word, exact floats with a fixed number of places, and ASCII
   strs are written to a buffer on the stack. The result is made once, in the right
   size. Nothing here runs Python code or sets an exception: for anything that is not
   simple, NULL is returned, and the caller takes the general path from the start. See
   format_spec.c and percent_format.c for the meaning of formats. This file has only the
   part that both share and most programs use. */
#include "private.h"
#include "internal/float_text.h"
#include <math.h>

#define QUICK_MAX 248           /* bytes of a whole result */

typedef struct {
    char align;                 /* < or > */
    char zero;                  /* zeros after the sign instead of blanks */
    char comma;
    char type;                  /* 0 when not given */
    int width;                  /* 0 when not given */
    int precision;              /* -1 when not given */
} QuickSpec;

static inline int
read_two_digits(const char **p, const char *end, int *number)
{
    const char *s = *p;
    int value = 0;
    while (s < end && *s >= '0' && *s <= '9' && s - *p < 3) {
        value = value * 10 + (*s++ - '0');
    }
    if (s == *p || s - *p > 2) {
        return s == *p;
    }
    *number = value;
    *p = s;
    return 1;
}

/* Writes `n` bytes at `text` with padding. The first `fixed` bytes come before zeros. */
static char *
put_padded(char *out, const char *limit, const char *text, Py_ssize_t n,
           Py_ssize_t fixed, const QuickSpec *spec)
{
    Py_ssize_t padding = spec->width > n ? spec->width - n : 0;
    if (limit - out < n + padding) {
        return NULL;
    }
    if (spec->zero) {
        memcpy(out, text, (size_t)fixed);
        memset(out + fixed, '0', (size_t)padding);
        memcpy(out + fixed + padding, text + fixed, (size_t)(n - fixed));
        return out + n + padding;
    }
    if (spec->align == '>') {
        memset(out, ' ', (size_t)padding);
        out += padding;
        padding = 0;
    }
    memcpy(out, text, (size_t)n);
    memset(out + n, ' ', (size_t)padding);
    return out + n + padding;
}

/* Writes digits that end before `end`. Returns where they begin. */
static char *
digits_before(char *end, uint64_t value, int type, int comma)
{
    if (type == 'x' || type == 'X' || type == 'o' || type == 'b') {
        const char *digits =
            type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
        int shift = type == 'o' ? 3 : type == 'b' ? 1 : 4;
        do {
            *--end = digits[value & ((1u << shift) - 1)];
            value >>= shift;
        } while (value != 0);
        return end;
    }
    for (int n = 0;; n++) {
        if (comma && n != 0 && n % 3 == 0) {
            *--end = ',';
        }
        *--end = (char)('0' + value % 10);
        value /= 10;
        if (value == 0) {
            return end;
        }
    }
}

static char *
put_int(char *out, const char *limit, PyObject *value, const QuickSpec *spec)
{
    char text[80], *end = text + sizeof(text);
    int64_t number;
    if (spec->precision >= 0 || (spec->comma && spec->zero)
        || !_PyLong_AsInt64Exact(value, &number)) {
        return NULL;
    }
    switch (spec->type) {
    case 0: case 'd':
        break;
    case 'x': case 'X': case 'o': case 'b':
        if (!spec->comma) {
            break;
        }
        return NULL;
    default:
        return NULL;
    }
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char *start = digits_before(end, magnitude, spec->type, spec->comma);
    if (number < 0) {
        *--start = '-';
    }
    return put_padded(out, limit, start, end - start, number < 0, spec);
}

static char *
put_float(char *out, const char *limit, PyObject *value, const QuickSpec *spec)
{
    double x = PyFloat_AS_DOUBLE(value);
    int places = spec->precision < 0 ? 6 : spec->precision;
    int percent = spec->type == '%';
    if (percent) {
        x *= 100.0;
    }
    if ((spec->type != 'f' && !percent) || spec->comma || places > 20
        || !(fabs(x) < 1e15)) {
        return NULL;
    }
    _PyFloat_Digits digits;
    if (_PyFloat_FixedDigits(x, places, &digits) < 0) {
        return NULL;
    }
    char text[48], *p = text;
    if (signbit(x)) {
        *p++ = '-';
    }
    Py_ssize_t place = Py_MIN(0, digits.point - 1);
    for (; place < digits.point + places; place++) {
        if (place == digits.point) {
            *p++ = '.';
        }
        *p++ = place >= 0 && place < digits.len ? digits.text[place] : '0';
    }
    PyMem_Free(digits.heap);
    if (percent) {
        *p++ = '%';
    }
    return put_padded(out, limit, text, p - text, signbit(x) != 0, spec);
}

static char *
put_str(char *out, const char *limit, PyObject *value, const QuickSpec *spec)
{
    if (!PyUnicode_IS_COMPACT_ASCII(value) || spec->zero || spec->comma
        || (spec->type != 0 && spec->type != 's')) {
        return NULL;
    }
    Py_ssize_t n = LENGTH(value);
    if (spec->precision >= 0 && spec->precision < n) {
        n = spec->precision;
    }
    return put_padded(out, limit, DATA(value), n, 0, spec);
}

/* ------------------------------------------------------ format(value, spec) */

PyObject *
_PyUnicode_QuickFormat(PyObject *value, PyObject *format_spec)
{
    PyTypeObject *type = Py_TYPE(value);
    if (!PyUnicode_IS_COMPACT_ASCII(format_spec)) {
        return NULL;
    }
    const char *p = DATA(format_spec), *end = p + LENGTH(format_spec);
    QuickSpec spec = {.align = type == &PyUnicode_Type ? '<' : '>',
                      .precision = -1};
    if (p < end && (*p == '<' || *p == '>')) {
        spec.align = *p++;
        if (p < end && *p == '0') {
            return NULL;
        }
    }
    else if (p < end && *p == '0') {
        spec.zero = 1;
        p++;
    }
    if (!read_two_digits(&p, end, &spec.width)) {
        return NULL;
    }
    if (p < end && *p == ',') {
        spec.comma = 1;
        p++;
    }
    if (p < end && *p == '.') {
        p++;
        if (!read_two_digits(&p, end, &spec.precision) || spec.precision < 0) {
            return NULL;
        }
    }
    if (p < end) {
        spec.type = *p++;
    }
    if (p != end) {
        return NULL;
    }
    char buffer[QUICK_MAX], *out = NULL;
    const char *limit = buffer + QUICK_MAX;
    if (type == &PyLong_Type) {
        out = put_int(buffer, limit, value, &spec);
    }
    else if (type == &PyFloat_Type) {
        out = put_float(buffer, limit, value, &spec);
    }
    else if (type == &PyUnicode_Type) {
        out = put_str(buffer, limit, value, &spec);
    }
    return out == NULL ? NULL : _PyUnicode_FromASCII(buffer, out - buffer);
}

/* ------------------------------------------------------------ format % args */

/* Formats one directive, with *format after its '%'. */
static char *
put_directive(char *out, const char *limit, const char **format,
              const char *end, PyObject *value)
{
    const char *p = *format;
    QuickSpec spec = {.align = '>', .precision = -1};
    if (p < end && *p == '-') {
        spec.align = '<';
        p++;
    }
    else if (p < end && *p == '0') {
        spec.zero = 1;
        p++;
    }
    if (!read_two_digits(&p, end, &spec.width)) {
        return NULL;
    }
    if (p < end && *p == '.') {
        p++;
        if (!read_two_digits(&p, end, &spec.precision) || spec.precision < 0) {
            return NULL;
        }
    }
    if (p == end) {
        return NULL;
    }
    spec.type = *p++;
    *format = p;
    PyTypeObject *type = Py_TYPE(value);
    switch (spec.type) {
    case 's':
        if (type == &PyUnicode_Type) {
            spec.zero = 0;
            return put_str(out, limit, value, &spec);
        }
        spec.type = 'd';
        return type == &PyLong_Type && !spec.zero
               ? put_int(out, limit, value, &spec) : NULL;
    case 'i':
        spec.type = 'd';
        /* fall through */
    case 'd': case 'x': case 'X': case 'o':
        return type == &PyLong_Type ? put_int(out, limit, value, &spec) : NULL;
    case 'f':
        return type == &PyFloat_Type ? put_float(out, limit, value, &spec)
                                     : NULL;
    default:
        return NULL;
    }
}

PyObject *
_PyUnicode_QuickPercent(PyObject *format, PyObject *args)
{
    if (!PyUnicode_IS_COMPACT_ASCII(format)) {
        return NULL;
    }
    PyObject **values = &args;
    Py_ssize_t count = 1, used = 0;
    if (PyTuple_CheckExact(args)) {
        values = ((PyTupleObject *)args)->ob_item;
        count = PyTuple_GET_SIZE(args);
    }
    const char *p = DATA(format), *end = p + LENGTH(format);
    char buffer[QUICK_MAX], *out = buffer;
    const char *limit = buffer + QUICK_MAX;
    while (p < end) {
        if (out == limit) {
            return NULL;
        }
        if (*p != '%') {
            *out++ = *p++;
            continue;
        }
        p++;
        if (p < end && *p == '%') {
            *out++ = *p++;
            continue;
        }
        if (used == count) {
            return NULL;
        }
        out = put_directive(out, limit, &p, end, values[used++]);
        if (out == NULL) {
            return NULL;
        }
    }
    return used == count ? _PyUnicode_FromASCII(buffer, out - buffer) : NULL;
}
