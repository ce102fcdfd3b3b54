/* The parts of printf-style formatting that do not depend on the kind of
   text: see percent_format.h. */
#include "percent_format.h"
#include "unicode_impl.h"

#include <limits.h>

/* --- Arguments --- */

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

/* --- Directives --- */

int
_PyPercent_ReadKey(FormatArgs *a, PercentReader read, const void *format,
                   Py_ssize_t size, Py_ssize_t *pos, Py_ssize_t *start,
                   Py_ssize_t *end)
{
    if (*pos >= size || read(format, *pos) != '(') {
        return 0;
    }
    if (a->mapping == NULL) {
        PyErr_SetString(PyExc_TypeError, "format requires a mapping");
        return -1;
    }
    Py_ssize_t i = *pos + 1;
    *start = i;
    for (int depth = 1; i < size; i++) {
        Py_UCS4 ch = read(format, i);
        depth += ch == '(' ? 1 : ch == ')' ? -1 : 0;
        if (depth == 0) {
            *end = i;
            *pos = i + 1;
            return 1;
        }
    }
    PyErr_SetString(PyExc_ValueError, "incomplete format key");
    return -1;
}

/* A number or '*' at *pos into *number: 1, 0 if there is none, -1. */
static int
read_number(FormatArgs *a, PercentReader read, const void *format,
            Py_ssize_t size, Py_ssize_t *pos, Py_ssize_t limit,
            const char *complaint, Py_ssize_t *number)
{
    if (*pos < size && read(format, *pos) == '*') {
        (*pos)++;
        PyObject *value = _PyPercent_Next(a);
        if (value == NULL) {
            return -1;
        }
        if (!PyLong_Check(value)) {
            PyErr_SetString(PyExc_TypeError, "* wants int");
            return -1;
        }
        *number = limit == INT_MAX ? (Py_ssize_t)_PyLong_AsInt(value)
                                   : PyLong_AsSsize_t(value);
        return *number == -1 && PyErr_Occurred() ? -1 : 1;
    }
    int found = 0;
    *number = 0;
    while (*pos < size) {
        Py_UCS4 ch = read(format, *pos);
        if (ch < '0' || ch > '9') {
            break;
        }
        if (*number > (limit - (Py_ssize_t)(ch - '0')) / 10) {
            PyErr_SetString(PyExc_ValueError, complaint);
            return -1;
        }
        *number = *number * 10 + (Py_ssize_t)(ch - '0');
        found = 1;
        (*pos)++;
    }
    return found;
}

int
_PyPercent_Read(FormatArgs *a, PercentReader read, const void *format,
                Py_ssize_t size, Py_ssize_t *pos, Percent *p)
{
    *p = (Percent){.width = -1, .precision = -1};
    for (; *pos < size; (*pos)++) {
        Py_UCS4 ch = read(format, *pos);
        int flag = ch == '-' ? FLAG_LEFT : ch == '+' ? FLAG_PLUS
            : ch == ' ' ? FLAG_SPACE : ch == '#' ? FLAG_ALT
            : ch == '0' ? FLAG_ZERO : 0;
        if (flag == 0) {
            break;
        }
        p->flags |= flag;
    }
    Py_ssize_t number;
    int found = read_number(a, read, format, size, pos, PY_SSIZE_T_MAX,
                            "width too big", &number);
    if (found < 0) {
        return -1;
    }
    if (found) {
        if (number < 0) {
            p->flags |= FLAG_LEFT;
            number = -number;
        }
        p->width = number;
    }
    if (*pos < size && read(format, *pos) == '.') {
        (*pos)++;
        if (read_number(a, read, format, size, pos, INT_MAX,
                        "precision too big", &number) < 0)
        {
            return -1;
        }
        p->precision = number < 0 ? 0 : (int)number;
    }
    if (*pos < size) {
        Py_UCS4 ch = read(format, *pos);
        if (ch == 'h' || ch == 'l' || ch == 'L') {
            (*pos)++;           /* a C size: accepted, meaningless */
        }
    }
    if (*pos >= size) {
        PyErr_SetString(PyExc_ValueError, "incomplete format");
        return -1;
    }
    p->code = read(format, (*pos)++);
    return 0;
}

/* --- Numbers --- */

static int
base_of(int code)
{
    return code == 'o' ? 8 : code == 'x' || code == 'X' ? 16 : 10;
}

/* The text of an int: sign, prefix if alternate, at least `precision`
   digits. */
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

PyObject *
_PyPercent_Integer(PyObject *value, const Percent *p)
{
    const int code = (int)p->code;
    const int strict = base_of(code) != 10;
    PyObject *number;
    if (PyLong_Check(value)) {
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
    PyObject *text = _PyUnicode_FormatLong(number, p->flags & FLAG_ALT,
                                           p->precision, code);
    Py_DECREF(number);
    return text;
}

char *
_PyPercent_Float(PyObject *value, const Percent *p)
{
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    return PyOS_double_to_string(number, (char)p->code,
                                 p->precision < 0 ? 6 : p->precision,
                                 p->flags & FLAG_ALT ? Py_DTSF_ALT : 0,
                                 NULL);
}
