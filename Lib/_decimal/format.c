/* Decimal.__format__: the format specification, digits in groups, padding. */

#include "decimal_impl.h"
#include <limits.h>
#include <locale.h>

struct spec {
    Py_UCS4 fill;
    char align;                 /* < > ^ =, or z for zeros after the sign */
    char sign;                  /* - + or space */
    int no_negative_zero;
    Py_ssize_t width, precision;    /* -1: not given */
    char type;                  /* e E f F g G %; the case of the context's for none */
    PyObject *point, *separator;    /* str */
    const char *grouping;
    PyObject *owner;            /* of grouping */
    int has_point;              /* to be kept if others override the locale */
};

static int
bad_spec(void)
{
    PyErr_SetString(PyExc_ValueError, "invalid format string");
    return -1;
}

static int
is_align(Py_UCS4 c)
{
    return c == '<' || c == '>' || c == '=' || c == '^';
}

/* A number of up to 18 digits: 1, 0 if there is none, -1 if there are too many. */
static int
read_size(PyObject *text, Py_ssize_t *i, Py_ssize_t *value)
{
    Py_ssize_t len = PyUnicode_GET_LENGTH(text), start = *i;
    *value = 0;
    for (; *i < len; ++*i) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, *i);
        if (c < '0' || c > '9') {
            break;
        }
        if (*value > MAX_PREC / 10) {
            return -1;
        }
        *value = *value * 10 + (Py_ssize_t)(c - '0');
    }
    return *i > start;
}

static PyObject *
from_locale(const char *text)
{
    return PyUnicode_DecodeLocale(text, NULL);
}

static int
use_locale(struct spec *spec)
{
    struct lconv *lc = localeconv();
    Py_SETREF(spec->point, from_locale(lc->decimal_point));
    Py_SETREF(spec->separator, from_locale(lc->thousands_sep));
    spec->owner = PyBytes_FromString(lc->grouping);
    if (spec->point == NULL || spec->separator == NULL || spec->owner == NULL) {
        return -1;
    }
    spec->grouping = PyBytes_AS_STRING(spec->owner);
    return 0;
}

/* 0, or -1 with an exception. */
static int
parse_spec(struct spec *spec, PyObject *text, int capitals)
{
    Py_ssize_t len = PyUnicode_GET_LENGTH(text), i = 0;
    int zeros = 0;
    if (PyUnicode_AsUTF8(text) == NULL) {
        return -1;              /* surrogates */
    }
#define AT(k) ((k) < len ? PyUnicode_READ_CHAR(text, (k)) : 0)
    spec->fill = ' ';
    spec->align = '>';
    spec->sign = '-';
    spec->width = 0;
    spec->precision = -1;
    spec->type = capitals ? 'G' : 'g';
    int aligned = 0;
    if (len > 1 && is_align(AT(1))) {
        spec->fill = AT(0);
        spec->align = (char)AT(1);
        aligned = 1;
        i = 2;
    }
    else if (is_align(AT(0))) {
        spec->align = (char)AT(0);
        aligned = 1;
        i = 1;
    }
    /* z may stand on either side of the sign. */
    for (int seen_sign = 0; ; i++) {
        if (AT(i) == 'z' && !spec->no_negative_zero) {
            spec->no_negative_zero = 1;
        }
        else if (!seen_sign && (AT(i) == '+' || AT(i) == '-' || AT(i) == ' ')) {
            spec->sign = (char)AT(i);
            seen_sign = 1;
        }
        else {
            break;
        }
    }
    if (AT(i) == '0') {
        if (aligned) {
            return bad_spec();
        }
        spec->align = 'z';
        zeros = 1;
        i++;
    }
    if (AT(i) >= '0' && AT(i) <= '9') {
        if ((AT(i) == '0' && zeros) || read_size(text, &i, &spec->width) < 0) {
            return bad_spec();
        }
    }
    int grouped = 0;
    if (AT(i) == ',') {
        Py_SETREF(spec->separator, PyUnicode_FromString(","));
        if (spec->separator == NULL) {
            return -1;
        }
        spec->grouping = "\3";
        spec->has_point = grouped = 1;
        i++;
    }
    if (AT(i) == '.' && i < len) {
        i++;
        if (read_size(text, &i, &spec->precision) <= 0) {
            return bad_spec();
        }
    }
    if (i < len) {
        Py_UCS4 type = AT(i);
        if (type > 127 || strchr("eEfFgG%nN", (int)type) == NULL || type == 0) {
            return bad_spec();
        }
        if (type == 'n' || type == 'N') {
            if (grouped) {
                return bad_spec();
            }
            spec->type = type == 'n' ? 'g' : 'G';
            spec->has_point = 1;
            if (use_locale(spec) < 0) {
                return -1;
            }
        }
        else {
            spec->type = (char)type;
        }
        i++;
    }
    return i == len ? 0 : bad_spec();
}

/* Are these punctuation that can be used? python3.11 allows four bytes. */
static int
check_punctuation(const struct spec *spec)
{
    Py_ssize_t point, separator;
    if (PyUnicode_AsUTF8AndSize(spec->point, &point) == NULL
        || PyUnicode_AsUTF8AndSize(spec->separator, &separator) == NULL) {
        return -1;
    }
    int good = point > 0 && point <= 4 && separator <= 4;
#if CHAR_MIN < 0
    /* Where char has no sign, these are sizes as well. */
    for (const char *p = spec->grouping; *p != '\0'; p++) {
        good = good && (unsigned char)*p <= 127;
    }
#endif
    if (!good) {
        PyErr_SetString(PyExc_ValueError, "invalid override dict");
        return -1;
    }
    return 0;
}

/* What the caller has put in the place of the locale's punctuation. */
static int
override(struct spec *spec, PyObject *dict)
{
    static const char *const names[] = {"decimal_point", "thousands_sep", "grouping"};
    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "optional argument must be a dict");
        return -1;
    }
    if (!spec->has_point) {
        Py_SETREF(spec->point, PyUnicode_FromString(""));
        if (spec->point == NULL) {
            return -1;
        }
    }
    for (int i = 0; i < 3; i++) {
        PyObject *value = PyDict_GetItemString(dict, names[i]);
        if (value == NULL) {
            continue;
        }
        if (!PyUnicode_Check(value)) {
            PyErr_BadArgument();
            return -1;
        }
        if (i == 2) {
            Py_XSETREF(spec->owner, PyUnicode_AsUTF8String(value));
            if (spec->owner == NULL) {
                return -1;
            }
            spec->grouping = PyBytes_AS_STRING(spec->owner);
        }
        else if (i == 0) {
            Py_SETREF(spec->point, Py_NewRef(value));
        }
        else {
            Py_SETREF(spec->separator, Py_NewRef(value));
        }
    }
    return check_punctuation(spec);
}

/* ------------------------------------------------------------------- output */

static int
write_repeated(_PyUnicodeWriter *out, Py_UCS4 c, Py_ssize_t n)
{
    for (; n > 0; n--) {
        if (_PyUnicodeWriter_WriteChar(out, c) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Splits `len` digits, and zeros before them up to `width` characters, into groups. The lengths
   of the groups from the right go to *sizes (to be freed). Returns their number, or -1. */
static Py_ssize_t
make_groups(const struct spec *spec, Py_ssize_t len, Py_ssize_t width, Py_ssize_t **sizes)
{
    /* python3.11 takes a separator for one character here. */
    Py_ssize_t separator = PyUnicode_GET_LENGTH(spec->separator) > 0, n = 0, room = 16;
    const char *grouping = separator == 0 ? "" : spec->grouping;
    Py_ssize_t *list = PyMem_New(Py_ssize_t, room);
    while (list != NULL) {
        Py_ssize_t most = len > width ? len : width, size;
        most = most > 1 ? most : 1;
        int last = *grouping <= 0 || *grouping == CHAR_MAX;
        size = last || *grouping > most ? most : *grouping;
        if (n == room) {
            room *= 2;
            Py_ssize_t *more = PyMem_Resize(list, Py_ssize_t, room);
            if (more == NULL) {
                break;
            }
            list = more;
        }
        list[n++] = size;
        len = len > size ? len - size : 0;
        width -= size;
        if (last || (len == 0 && width <= 0)) {
            *sizes = list;
            return n;
        }
        width -= separator;
        if (grouping[1] != '\0') {
            grouping++;
        }
    }
    PyMem_Free(list);
    PyErr_NoMemory();
    return -1;
}

/* Sign, grouped whole part, point and fraction, exponent or %, padded. */
static PyObject *
assemble(const struct spec *spec, char sign, const char *whole, Py_ssize_t whole_len,
         const char *fraction, Py_ssize_t fraction_len, const char *tail, int is_number)
{
    Py_ssize_t point = fraction_len > 0 ? PyUnicode_GET_LENGTH(spec->point) : 0;
    Py_ssize_t rest = (sign != 0) + point + fraction_len + (Py_ssize_t)strlen(tail);
    Py_ssize_t *sizes = NULL, groups = 1, body = whole_len;
    Py_ssize_t separator = PyUnicode_GET_LENGTH(spec->separator);
    if (is_number) {
        if (spec->align == 'z' && spec->width > 4000000000LL) {
            return PyErr_NoMemory();
        }
        Py_ssize_t others = rest - point + (point > 0);
        groups = make_groups(spec, whole_len, spec->align == 'z' ? spec->width - others : 0,
                             &sizes);
        if (groups < 0) {
            return NULL;
        }
        body = separator * (groups - 1);
        for (Py_ssize_t i = 0; i < groups; i++) {
            body += sizes[i];
        }
    }
    Py_ssize_t pad = spec->width - rest - body, before = 0, inside = 0, after = 0;
    if (pad > 0) {
        switch (spec->align) {
        case '<': after = pad; break;
        case '^': before = pad / 2; after = pad - before; break;
        case '=': inside = pad; break;
        default: before = pad;
        }
    }
    _PyUnicodeWriter out;
    _PyUnicodeWriter_Init(&out);
    out.overallocate = 1;
    /* All of it at once: a width of billions is refused, or has its memory. */
    int failed = _PyUnicodeWriter_Prepare(&out, rest + body + (pad > 0 ? pad : 0), 127) < 0
        || write_repeated(&out, spec->fill, before) < 0
        || (sign != 0 && _PyUnicodeWriter_WriteChar(&out, (Py_UCS4)sign) < 0)
        || write_repeated(&out, spec->fill, inside) < 0;
    if (!is_number) {
        failed = failed || _PyUnicodeWriter_WriteASCIIString(&out, whole, whole_len) < 0;
    }
    else {
        Py_ssize_t left = body - separator * (groups - 1);      /* digits to be written */
        for (Py_ssize_t i = groups; !failed && i-- > 0; ) {
            Py_ssize_t zeros = left - whole_len, size = sizes[i];
            zeros = zeros < 0 ? 0 : zeros > size ? size : zeros;
            failed = write_repeated(&out, '0', zeros) < 0
                || _PyUnicodeWriter_WriteASCIIString(&out, whole + whole_len - (left - zeros),
                                                     size - zeros) < 0
                || (i > 0 && _PyUnicodeWriter_WriteStr(&out, spec->separator) < 0);
            left -= size;
        }
    }
    failed = failed
        || (point > 0 && _PyUnicodeWriter_WriteStr(&out, spec->point) < 0)
        || _PyUnicodeWriter_WriteASCIIString(&out, fraction, fraction_len) < 0
        || _PyUnicodeWriter_WriteASCIIString(&out, tail, (Py_ssize_t)strlen(tail)) < 0
        || write_repeated(&out, spec->fill, after) < 0;
    PyMem_Free(sizes);
    if (failed) {
        _PyUnicodeWriter_Dealloc(&out);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&out);
}

static PyObject *
format_special(struct spec *spec, const num *n, char sign)
{
    char local[TEXT_ROOM];
    num positive = *n;
    Py_ssize_t len;
    positive.sign = 0;
    char *text = _dec_text(&positive, 1, 0, local, &len);
    if (text == NULL) {
        return NULL;
    }
    if (spec->align == 'z') {
        spec->align = '>';
        spec->fill = ' ';
    }
    PyObject *result = assemble(spec, sign, text, len, "", 0, spec->type == '%' ? "%" : "", 0);
    if (text != local) {
        PyMem_Free(text);
    }
    return result;
}

/* n's digits with the point after the first `point` of them. */
static PyObject *
format_digits(const struct spec *spec, const num *n, int64_t point, char sign, const char *tail)
{
    int64_t digits = n->digits, before = point < 1 ? 1 - point : 0;
    int64_t after = point > digits ? point - digits : 0;
    char local[2 * TEXT_ROOM], *text = local;
    int64_t len = before + digits + after;
    if (len > (int64_t)sizeof(local)) {
        text = len > 4000000000LL ? NULL : PyMem_Malloc((size_t)len);
        if (text == NULL) {
            return PyErr_NoMemory();
        }
    }
    memset(text, '0', (size_t)before);
    _dec_write_digits(n, text + before);
    memset(text + before + digits, '0', (size_t)after);
    int64_t whole = point < 1 ? 1 : point;
    PyObject *result = assemble(spec, sign, text, whole, text + whole, len - whole, tail, 1);
    if (text != local) {
        PyMem_Free(text);
    }
    return result;
}

static PyObject *
format_number(struct spec *spec, const num *a, const dctx *ctx)
{
    num n;
    uint32_t status = 0;
    char tail[32] = "", type = spec->type;
    _dec_copy(&n, a);
    int lower = type | 0x20;
    if (n.kind == FINITE) {
        if (type == '%') {
            n.exp += 2;
        }
        int64_t precision = spec->precision;
        if (precision >= 0) {
            if (lower == 'e') {
                if (!zero_coef(&n) && n.digits > precision + 1) {
                    _dec_drop(&n, n.digits - precision - 1, ctx->round, &status);
                    if (n.digits > precision + 1) {
                        _dec_drop(&n, 1, ROUND_DOWN, &status);
                    }
                }
            }
            else if (lower == 'g') {
                precision = precision == 0 ? 1 : precision;
                if (n.digits > precision) {
                    _dec_drop(&n, n.digits - precision, ctx->round, &status);
                    if (n.digits > precision) {
                        _dec_drop(&n, 1, ROUND_DOWN, &status);
                    }
                }
            }
            else if (n.exp < -precision) {
                _dec_drop(&n, -precision - n.exp, ctx->round, &status);
            }
        }
    }
    /* python3.11 looks at F's operand before it is rounded. */
    if (spec->no_negative_zero && is_zero(type == 'F' ? a : &n)) {
        n.sign = 0;
    }
    char sign = n.sign ? '-' : spec->sign == '-' ? 0 : spec->sign;
    if (n.kind != FINITE) {
        PyObject *result = format_special(spec, &n, sign);
        num_clear(&n);
        return result;
    }
    int64_t point, zeros = 0;
    if (lower == 'e') {
        point = 1;
        if (spec->precision >= 0) {
            if (zero_coef(&n)) {
                point = 1 - spec->precision;
            }
            else {
                zeros = spec->precision + 1 - n.digits;
            }
        }
    }
    else if (lower == 'g') {
        point = n.exp <= 0 && n.exp + n.digits > -6 ? n.exp + n.digits : 1;
    }
    else {
        if (spec->precision >= 0) {
            zeros = n.exp + spec->precision;
            if (zero_coef(&n)) {
                n.exp = -spec->precision;
                zeros = 0;
            }
        }
        else if (zero_coef(&n) && n.exp > 0) {
            n.exp = 0;
        }
        point = n.exp + n.digits;
        if (zeros < 0) {
            zeros = 0;
        }
    }
    int64_t exp = n.exp + n.digits - point;
    /* Zeros to fill the precision are digits of the coefficient. */
    if (zeros > 0) {
        if (!_dec_shift_left(&n, zeros, &status)) {
            num_clear(&n);
            return PyErr_NoMemory();
        }
        n.exp -= zeros;
    }
    if (lower == 'e' || (lower == 'g' && exp != 0)) {
        PyOS_snprintf(tail, sizeof(tail), "%c%+lld", type < 'a' ? 'E' : 'e', (long long)exp);
    }
    else if (type == '%') {
        strcpy(tail, "%");
    }
    PyObject *result = format_digits(spec, &n, point, sign, tail);
    num_clear(&n);
    return result;
}

PyObject *
_dec_format(PyObject *self, PyObject *args)
{
    PyObject *text, *dict = NULL;
    struct spec spec = {.grouping = ""};
    Context *ctx = _dec_current();
    if (ctx == NULL || !PyArg_ParseTuple(args, "O|O", &text, &dict)) {
        return NULL;
    }
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "format arg must be str");
        return NULL;
    }
    if (PyUnicode_GET_LENGTH(text) == 0 && dict == NULL) {
        return _dec_to_str(V(self), ctx->c.capitals, 0, "", "");
    }
    dctx settings = ctx->c;
    PyObject *result = NULL;
    spec.point = PyUnicode_FromString(".");
    spec.separator = PyUnicode_FromString("");
    if (spec.point != NULL && spec.separator != NULL
        && parse_spec(&spec, text, settings.capitals) == 0
        && (dict == NULL || override(&spec, dict) == 0)) {
        result = format_number(&spec, V(self), &settings);
    }
    Py_XDECREF(spec.point);
    Py_XDECREF(spec.separator);
    Py_XDECREF(spec.owner);
    return result;
}
