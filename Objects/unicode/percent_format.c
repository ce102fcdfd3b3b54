/* The parts of printf-style formatting that do not depend on the kind of
   text: see percent_format.h. */
#include "internal/percent_format.h"
#include "private.h"

/* ---------------------------------------------------------------- arguments */

void
_PyPercent_Init(FormatArgs *a, PyObject *args, int is_text_or_bytes)
{
    *a = (FormatArgs){.args = args, .length = -1};
    if (PyTuple_Check(args)) {
        a->length = PyTuple_GET_SIZE(args);
    }
    else if (PyMapping_Check(args) && !is_text_or_bytes) {
        a->mapping = args;
    }
}

void
_PyPercent_Clear(FormatArgs *a)
{
    Py_CLEAR(a->value);
}

PyObject *
_PyPercent_Next(FormatArgs *a)
{
    if (a->value != NULL && !a->value_used) {
        a->value_used = 1;
        return a->value;
    }
    if (a->length >= 0 && a->index < a->length) {
        return PyTuple_GET_ITEM(a->args, a->index++);
    }
    if (a->length < 0 && !a->single_used) {
        a->single_used = 1;
        return a->args;
    }
    PyErr_SetString(PyExc_TypeError, "not enough arguments for format string");
    return NULL;
}

int
_PyPercent_Finish(FormatArgs *a, const char *what)
{
    int unused = a->length >= 0 ? a->index < a->length : !a->single_used;
    if (unused && a->mapping == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "not all arguments converted during %s formatting",
                     what);
        return -1;
    }
    return 0;
}

int
_PyPercent_UseKey(FormatArgs *a, PyObject *key)
{
    if (key == NULL) {
        return -1;
    }
    PyObject *value = PyObject_GetItem(a->mapping, key);
    Py_DECREF(key);
    if (value == NULL) {
        return -1;
    }
    Py_XSETREF(a->value, value);
    a->value_used = 0;
    a->single_used = 1;
    return 0;
}

/* ------------------------------------------------------------------ numbers */

static int
base_of(int code)
{
    return code == 'o' ? 8 : code == 'x' || code == 'X' ? 16 : 10;
}

/* The text of an int: sign, prefix if alternate, and at least `precision` digits. */
PyObject *
_PyUnicode_FormatLong(PyObject *value, int alternate, int precision, int code)
{
    const int base = base_of(code);
    _PyUnicodeWriter w;
    _PyUnicodeWriter_Init(&w);
    if (_PyLong_FormatWriter(&w, value, base, 0) < 0) {
        _PyUnicodeWriter_Dealloc(&w);
        return NULL;
    }
    PyObject *plain = _PyUnicodeWriter_Finish(&w);
    if (plain == NULL) {
        return NULL;
    }
    const char *text = DATA(plain);
    const int negative = text[0] == '-';
    const Py_ssize_t n = LENGTH(plain) - negative;
    const int prefix = alternate && base != 10 ? 2 : 0;
    if (precision > INT_MAX - 3) {
        PyErr_SetString(PyExc_ValueError, "precision too large");
        Py_DECREF(plain);
        return NULL;
    }
    const Py_ssize_t zeros = precision > n ? precision - n : 0;
    if (zeros == 0 && prefix == 0 && code != 'X') {
        return plain;
    }
    PyObject *result = PyUnicode_New(negative + prefix + zeros + n, 127);
    if (result == NULL) {
        Py_DECREF(plain);
        return NULL;
    }
    char *out = DATA(result);
    if (negative) {
        *out++ = '-';
    }
    if (prefix) {
        *out++ = '0';
        *out++ = (char)code;
    }
    memset(out, '0', (size_t)zeros);
    out += zeros;
    for (Py_ssize_t i = 0; i < n; i++) {
        char ch = text[negative + i];
        *out++ = code == 'X' ? (char)Py_TOUPPER(ch) : ch;
    }
    Py_DECREF(plain);
    return _PyUnicode_Result(result);
}

/* The digits of a machine word. Returns NULL if the value or the precision is too large
   for `small`. */
static const char *
small_integer(PyObject *value, const Percent *p, char *small,
              Py_ssize_t *size)
{
    int64_t number;
    if (p->precision > 60 || !_PyLong_AsInt64Exact(value, &number)) {
        return NULL;
    }
    const int code = (int)p->code, base = base_of(code);
    const char *digits = code == 'X' ? "0123456789ABCDEF"
                                     : "0123456789abcdef";
    char *end = small + PERCENT_SMALL, *out = end;
    uint64_t magnitude = number < 0 ? 0 - (uint64_t)number
                                    : (uint64_t)number;
    if (base == 10) {
        do {
            *--out = (char)('0' + magnitude % 10);
            magnitude /= 10;
        } while (magnitude);
    }
    else {
        const int shift = base == 8 ? 3 : 4;
        do {
            *--out = digits[magnitude & (unsigned int)(base - 1)];
            magnitude >>= shift;
        } while (magnitude);
    }
    while (end - out < p->precision) {
        *--out = '0';
    }
    if ((p->flags & FLAG_ALT) && base != 10) {
        *--out = (char)code;
        *--out = '0';
    }
    if (number < 0) {
        *--out = '-';
    }
    *size = end - out;
    return out;
}

const char *
_PyPercent_Integer(PyObject *value, const Percent *p, char *small,
                   Py_ssize_t *size, PyObject **owned)
{
    const int code = (int)p->code;
    const int strict = base_of(code) != 10;
    PyObject *number;
    *owned = NULL;
    if (PyLong_Check(value)) {
        const char *text = small_integer(value, p, small, size);
        if (text != NULL) {
            return text;
        }
        number = Py_NewRef(value);
    }
    else if (!PyNumber_Check(value)) {
        number = NULL;
    }
    else {
        number = strict ? PyNumber_Index(value) : PyNumber_Long(value);
        if (number == NULL && !PyErr_ExceptionMatches(PyExc_TypeError)) {
            return NULL;
        }
        PyErr_Clear();
    }
    if (number == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "%%%c format: %s is required, not %.200s", code,
                     strict ? "an integer" : "a real number",
                     Py_TYPE(value)->tp_name);
        return NULL;
    }
    *owned = _PyUnicode_FormatLong(number, p->flags & FLAG_ALT, p->precision,
                                   code);
    Py_DECREF(number);
    if (*owned == NULL) {
        return NULL;
    }
    *size = LENGTH(*owned);
    return DATA(*owned);
}

char *
_PyPercent_Float(double number, const Percent *p)
{
    return PyOS_double_to_string(number, (char)p->code,
                                 p->precision < 0 ? 6 : p->precision,
                                 p->flags & FLAG_ALT ? Py_DTSF_ALT : 0,
                                 NULL);
}
