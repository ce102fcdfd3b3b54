/* str % args. */
#include "internal/percent_format.h"
#include "private.h"

static Py_UCS4
read_char(const void *format, Py_ssize_t i)
{
    return PyUnicode_READ_CHAR((PyObject *)format, i);
}

static void
put_fill(_PyUnicodeWriter *w, Py_ssize_t n, Py_UCS4 fill)
{
    if (n > 0) {
        _PyUnicode_FastFill(w->buffer, w->pos, n, fill);
        w->pos += n;
    }
}

/* str[0:n], padded with blanks to the width. */
static int
write_padded(_PyUnicodeWriter *w, PyObject *str, Py_ssize_t n,
             const Percent *p)
{
    const Py_ssize_t padding = p->width > n ? p->width - n : 0;
    if (padding == 0) {
        return _PyUnicodeWriter_WriteSubstring(w, str, 0, n);
    }
    if (padding > PY_SSIZE_T_MAX - n) {
        PyErr_NoMemory();
        return -1;
    }
    Py_UCS4 maxchar = _PyUnicode_FindMaxChar(str, 0, n);
    if (_PyUnicodeWriter_Prepare(w, n + padding, maxchar) < 0) {
        return -1;
    }
    if (!(p->flags & FLAG_LEFT)) {
        put_fill(w, padding, ' ');
    }
    _PyUnicode_FastCopyCharacters(w->buffer, w->pos, str, 0, n);
    w->pos += n;
    if (p->flags & FLAG_LEFT) {
        put_fill(w, padding, ' ');
    }
    return 0;
}

/* The text of a number, padded. The sign and "0x" come before padding zeros. */
static int
write_number(_PyUnicodeWriter *w, const char *text, Py_ssize_t n,
             const Percent *p)
{
    char sign = 0;
    if (n > 0 && (text[0] == '-' || text[0] == '+')) {
        sign = text[0];
        text++;
        n--;
    }
    else if (p->flags & FLAG_PLUS) {
        sign = '+';
    }
    else if (p->flags & FLAG_SPACE) {
        sign = ' ';
    }
    const int prefix = (p->flags & FLAG_ALT) && n > 1 && text[0] == '0'
        && (text[1] == 'x' || text[1] == 'X' || text[1] == 'o')
        ? 2 : 0;
    const Py_ssize_t used = n + (sign != 0);
    const Py_ssize_t padding = p->width > used ? p->width - used : 0;
    if (padding > PY_SSIZE_T_MAX - used) {
        PyErr_NoMemory();
        return -1;
    }
    if (_PyUnicodeWriter_Prepare(w, used + padding, 127) < 0) {
        return -1;
    }
    const int left = p->flags & FLAG_LEFT;
    const int zeros = (p->flags & FLAG_ZERO) && !left;
    if (!left && !zeros) {
        put_fill(w, padding, ' ');
    }
    if (sign) {
        put_fill(w, 1, (Py_UCS4)sign);
    }
    if (_PyUnicodeWriter_WriteASCIIString(w, text, prefix) < 0) {
        return -1;
    }
    if (zeros) {
        put_fill(w, padding, '0');
    }
    if (_PyUnicodeWriter_WriteASCIIString(w, text + prefix, n - prefix) < 0) {
        return -1;
    }
    if (left) {
        put_fill(w, padding, ' ');
    }
    return 0;
}

static int
write_text_of(_PyUnicodeWriter *w, PyObject *value, const Percent *p)
{
    PyObject *str;
    if (p->code == 's') {
        if (p->width == -1 && p->precision == -1) {
            return _PyUnicodeWriter_WriteValueStr(w, value);
        }
        str = PyUnicode_CheckExact(value) ? Py_NewRef(value)
                                          : PyObject_Str(value);
    }
    else {
        str = p->code == 'r' ? PyObject_Repr(value) : PyObject_ASCII(value);
    }
    if (str == NULL) {
        return -1;
    }
    int status = PyUnicode_READY(str);
    if (status == 0) {
        Py_ssize_t n = LENGTH(str);
        if (p->precision >= 0 && p->precision < n) {
            n = p->precision;
        }
        status = write_padded(w, str, n, p);
    }
    Py_DECREF(str);
    return status;
}

static int
write_integer(_PyUnicodeWriter *w, PyObject *value, const Percent *p)
{
    if (PyLong_CheckExact(value) && p->flags == 0 && p->width == -1
        && p->precision == -1 && p->code != 'x' && p->code != 'X'
        && p->code != 'o')
    {
        return _PyUnicodeWriter_WriteValueStr(w, value);
    }
    char small[PERCENT_SMALL];
    Py_ssize_t size;
    PyObject *owned;
    const char *text = _PyPercent_Integer(value, p, small, &size, &owned);
    if (text == NULL) {
        return -1;
    }
    int status = write_number(w, text, size, p);
    Py_XDECREF(owned);
    return status;
}

static int
write_float(_PyUnicodeWriter *w, PyObject *value, const Percent *p)
{
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    char *text = _PyPercent_Float(number, p);
    if (text == NULL) {
        return -1;
    }
    Percent plain = *p;
    plain.flags &= ~FLAG_ALT;   /* no prefix to look for */
    int status = write_number(w, text, (Py_ssize_t)strlen(text), &plain);
    PyMem_Free(text);
    return status;
}

static int
write_character(_PyUnicodeWriter *w, PyObject *value, const Percent *p)
{
    PyObject *str = NULL;
    if (PyUnicode_Check(value)) {
        if (PyUnicode_READY(value) < 0) {
            return -1;
        }
        if (LENGTH(value) == 1) {
            str = PyUnicode_FromOrdinal((int)PyUnicode_READ_CHAR(value, 0));
            if (str == NULL) {
                return -1;
            }
        }
    }
    else if (PyIndex_Check(value)) {
        PyObject *number = PyNumber_Index(value);
        if (number == NULL && !PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        if (number != NULL) {
            int overflow;
            long ordinal = PyLong_AsLongAndOverflow(number, &overflow);
            Py_DECREF(number);
            if (overflow || ordinal < 0 || ordinal > MAX_UNICODE) {
                PyErr_SetString(PyExc_OverflowError,
                                "%c arg not in range(0x110000)");
                return -1;
            }
            str = PyUnicode_FromOrdinal((int)ordinal);
            if (str == NULL) {
                return -1;
            }
        }
    }
    if (str == NULL) {
        PyErr_SetString(PyExc_TypeError, "%c requires int or char");
        return -1;
    }
    int status = write_padded(w, str, 1, p);
    Py_DECREF(str);
    return status;
}

/* Formats one directive, with *pos after its '%'. */
static int
write_directive(_PyUnicodeWriter *w, FormatArgs *a, PyObject *format,
                Py_ssize_t *pos)
{
    const Py_ssize_t size = LENGTH(format);
    Py_ssize_t start, end;
    Percent p;
    if (*pos < size && read_char(format, *pos) == '%') {
        (*pos)++;
        return _PyUnicodeWriter_WriteChar(w, '%');
    }
    int keyed = _PyPercent_ReadKey(a, read_char, format, size, pos, &start,
                                   &end);
    if (keyed < 0
        || (keyed && _PyPercent_UseKey(a, PyUnicode_Substring(format, start,
                                                              end)) < 0)
        || _PyPercent_Read(a, read_char, format, size, pos, &p) < 0)
    {
        return -1;
    }
    if (*pos == size) {
        w->overallocate = 0;
    }
    PyObject *value = _PyPercent_Next(a);
    if (value == NULL) {
        return -1;
    }
    switch (p.code) {
    case 's': case 'r': case 'a':
        return write_text_of(w, value, &p);
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
        return write_integer(w, value, &p);
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return write_float(w, value, &p);
    case 'c':
        return write_character(w, value, &p);
    default:
        PyErr_Format(PyExc_ValueError,
                     "unsupported format character '%c' (0x%x) at index %zd",
                     p.code >= 32 && p.code < 127 ? (int)p.code : '?',
                     (unsigned int)p.code, *pos - 1);
        return -1;
    }
}

static int
write_format(_PyUnicodeWriter *w, FormatArgs *a, PyObject *format)
{
    const int kind = KIND(format);
    const void *data = DATA(format);
    const Py_ssize_t n = LENGTH(format);
    for (Py_ssize_t pos = 0; pos < n;) {
        Py_ssize_t run = _PyText_FindChar(kind, data_at(kind, data, pos),
                                          n - pos, '%');
        if (run != 0) {
            Py_ssize_t end = run < 0 ? n : pos + run;
            if (end == n) {
                w->overallocate = 0;
            }
            if (_PyUnicodeWriter_WriteSubstring(w, format, pos, end) < 0) {
                return -1;
            }
            pos = end;
            continue;
        }
        pos++;
        int status = write_directive(w, a, format, &pos);
        /* A key applies to one directive only. */
        _PyPercent_Clear(a);
        if (status < 0) {
            return -1;
        }
    }
    return _PyPercent_Finish(a, "string");
}

PyObject *
PyUnicode_Format(PyObject *format, PyObject *args)
{
    if (format == NULL || args == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (_PyUnicode_EnsureStr(format) < 0) {
        return NULL;
    }
    PyObject *quick = _PyUnicode_QuickPercent(format, args);
    if (quick != NULL || PyErr_Occurred()) {
        return quick;
    }
    FormatArgs a;
    _PyUnicodeWriter w;
    _PyPercent_Init(&a, args, PyUnicode_Check(args));
    _PyUnicodeWriter_Init(&w);
    w.min_length = LENGTH(format) + 100;
    w.overallocate = 1;
    if (write_format(&w, &a, format) < 0) {
        _PyUnicodeWriter_Dealloc(&w);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&w);
}
