/* PyUnicode_FromFormat: printf for C code, with directives for objects.

   %[0][width][.precision][l|ll|z] and one of d i u x p c s A U V S R %. Padding always
   goes to the left. From an unknown directive on, the format is copied unchanged,
   because the types of the remaining arguments are unknown. */
#include "private.h"

typedef struct {
    int zero;
    Py_ssize_t width;           /* -1 when not given */
    Py_ssize_t precision;
    enum { SIZE_INT, SIZE_LONG, SIZE_LONG_LONG, SIZE_SSIZE } size;
    char code;
} Directive;

/* Reads digits at *p, clipped to what Py_ssize_t holds. */
static Py_ssize_t
read_number(const char **p)
{
    Py_ssize_t value = 0;
    for (; Py_ISDIGIT(**p); (*p)++) {
        if (value > (PY_SSIZE_T_MAX - 9) / 10) {
            return -2;
        }
        value = value * 10 + (**p - '0');
    }
    return value;
}

/* Reads the directive after a '%'. Returns where the format continues, or NULL with an
   exception. */
static const char *
read_directive(const char *p, Directive *d)
{
    *d = (Directive){.width = -1, .precision = -1};
    if (*p == '0') {
        d->zero = 1;
        p++;
    }
    if (Py_ISDIGIT(*p)) {
        d->width = read_number(&p);
        if (d->width == -2) {
            PyErr_SetString(PyExc_ValueError, "width too big");
            return NULL;
        }
    }
    if (*p == '.') {
        p++;
        if (Py_ISDIGIT(*p)) {
            d->precision = read_number(&p);
            if (d->precision == -2) {
                PyErr_SetString(PyExc_ValueError, "precision too big");
                return NULL;
            }
        }
        else {
            d->precision = 0;
        }
    }
    if (p[0] == 'l' && p[1] == 'l' && (p[2] == 'd' || p[2] == 'u'
                                       || p[2] == 'i'))
    {
        d->size = SIZE_LONG_LONG;
        p += 2;
    }
    else if (p[0] == 'l' && (p[1] == 'd' || p[1] == 'u' || p[1] == 'i')) {
        d->size = SIZE_LONG;
        p++;
    }
    else if (p[0] == 'z' && (p[1] == 'd' || p[1] == 'u' || p[1] == 'i')) {
        d->size = SIZE_SSIZE;
        p++;
    }
    d->code = *p;
    return *p ? p + 1 : p;
}

static int
write_fill(_PyUnicodeWriter *w, Py_ssize_t n, char fill)
{
    if (n <= 0) {
        return 0;
    }
    if (_PyUnicodeWriter_Prepare(w, n, 127) < 0) {
        return -1;
    }
    _PyUnicode_FastFill(w->buffer, w->pos, n, fill);
    w->pos += n;
    return 0;
}

static int
write_integer(_PyUnicodeWriter *w, const Directive *d, const char *text,
              Py_ssize_t n)
{
    Py_ssize_t zeros = d->precision > n ? d->precision - n : 0;
    if (write_fill(w, d->width - zeros - n, d->zero ? '0' : ' ') < 0
        || write_fill(w, zeros, '0') < 0)
    {
        return -1;
    }
    return _PyUnicodeWriter_WriteASCIIString(w, text, n);
}

/* Writes decimal or hexadecimal digits to the buffer that ends at `end`. */
static char *
digits_of(unsigned long long value, unsigned int base, char *end)
{
    do {
        *--end = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    return end;
}

static int
write_signed(_PyUnicodeWriter *w, const Directive *d, long long value)
{
    char buffer[32], *end = buffer + sizeof(buffer);
    unsigned long long magnitude = value < 0
        ? 0 - (unsigned long long)value : (unsigned long long)value;
    char *p = digits_of(magnitude, 10, end);
    if (value < 0) {
        *--p = '-';
    }
    return write_integer(w, d, p, end - p);
}

static int
write_unsigned(_PyUnicodeWriter *w, const Directive *d,
               unsigned long long value, unsigned int base)
{
    char buffer[32], *end = buffer + sizeof(buffer);
    char *p = digits_of(value, base, end);
    return write_integer(w, d, p, end - p);
}

static int
write_object(_PyUnicodeWriter *w, const Directive *d, PyObject *str)
{
    if (str == NULL || PyUnicode_READY(str) < 0) {
        return -1;
    }
    Py_ssize_t n = LENGTH(str);
    if (d->precision != -1 && d->precision < n) {
        n = d->precision;
    }
    if (write_fill(w, d->width - n, ' ') < 0) {
        return -1;
    }
    return _PyUnicodeWriter_WriteSubstring(w, str, 0, n);
}

/* Steals str. */
static int
write_new_object(_PyUnicodeWriter *w, const Directive *d, PyObject *str)
{
    int status = write_object(w, d, str);
    Py_XDECREF(str);
    return status;
}

/* UTF-8 text; the precision counts bytes. */
static int
write_text(_PyUnicodeWriter *w, const Directive *d, const char *text)
{
    Py_ssize_t size = d->precision == -1
        ? (Py_ssize_t)strlen(text)
        : (Py_ssize_t)strnlen(text, (size_t)d->precision);
    if (d->width == -1 && _PyUnicode_MaxCharOf(1, text, size) < 128) {
        return _PyUnicodeWriter_WriteASCIIString(w, text, size);
    }
    Directive whole = {.width = d->width, .precision = -1};
    return write_new_object(w, &whole,
                            PyUnicode_DecodeUTF8Stateful(text, size,
                                                         "replace", NULL));
}

static int
write_pointer(_PyUnicodeWriter *w, const Directive *d, const void *pointer)
{
    char buffer[32], *end = buffer + sizeof(buffer);
    char *p = digits_of((uintptr_t)pointer, 16, end);
    *--p = 'x';
    *--p = '0';
    (void)d;
    return _PyUnicodeWriter_WriteASCIIString(w, p, end - p);
}

static int
write_char(_PyUnicodeWriter *w, int ordinal)
{
    if (ordinal < 0 || ordinal > MAX_UNICODE) {
        PyErr_SetString(PyExc_OverflowError,
                        "character argument not in range(0x110000)");
        return -1;
    }
    return _PyUnicodeWriter_WriteChar(w, (Py_UCS4)ordinal);
}

typedef struct {
    va_list list;
} Arguments;

/* Returns 1 if done, 0 for an unknown directive, -1 on error. */
static int
write_directive(_PyUnicodeWriter *w, const Directive *d, Arguments *a)
{
    int status;
    switch (d->code) {
    case '%':
        status = _PyUnicodeWriter_WriteChar(w, '%');
        break;
    case 'c':
        status = write_char(w, va_arg(a->list, int));
        break;
    case 'd':
    case 'i':
        status = write_signed(w, d,
                              d->size == SIZE_LONG ? va_arg(a->list, long)
                              : d->size == SIZE_LONG_LONG
                                  ? va_arg(a->list, long long)
                              : d->size == SIZE_SSIZE
                                  ? va_arg(a->list, Py_ssize_t)
                              : va_arg(a->list, int));
        break;
    case 'u':
        status = write_unsigned(
            w, d,
            d->size == SIZE_LONG ? va_arg(a->list, unsigned long)
            : d->size == SIZE_LONG_LONG
                ? va_arg(a->list, unsigned long long)
            : d->size == SIZE_SSIZE ? va_arg(a->list, size_t)
            : va_arg(a->list, unsigned int), 10);
        break;
    case 'x':
        status = write_unsigned(w, d, va_arg(a->list, unsigned int), 16);
        break;
    case 'p':
        status = write_pointer(w, d, va_arg(a->list, void *));
        break;
    case 's':
        status = write_text(w, d, va_arg(a->list, const char *));
        break;
    case 'U':
        status = write_object(w, d, va_arg(a->list, PyObject *));
        break;
    case 'V': {
        PyObject *str = va_arg(a->list, PyObject *);
        const char *text = va_arg(a->list, const char *);
        status = str != NULL ? write_object(w, d, str)
                             : write_text(w, d, text);
        break;
    }
    case 'S':
        status = write_new_object(w, d,
                                  PyObject_Str(va_arg(a->list, PyObject *)));
        break;
    case 'R':
        status = write_new_object(w, d,
                                  PyObject_Repr(va_arg(a->list,
                                                       PyObject *)));
        break;
    case 'A':
        status = write_new_object(w, d,
                                  PyObject_ASCII(va_arg(a->list,
                                                        PyObject *)));
        break;
    default:
        return 0;
    }
    return status < 0 ? -1 : 1;
}

static int
check_ascii(const char *format)
{
    for (const char *p = format; *p; p++) {
        if ((unsigned char)*p > 127) {
            PyErr_Format(PyExc_ValueError,
                         "PyUnicode_FromFormatV() expects an ASCII-encoded "
                         "format string, got a non-ASCII byte: 0x%02x",
                         (unsigned char)*p);
            return -1;
        }
    }
    return 0;
}

static int
write_format(_PyUnicodeWriter *w, const char *format, Arguments *a)
{
    const char *p = format;
    while (*p) {
        const char *percent = strchr(p, '%');
        if (percent == NULL) {
            percent = p + strlen(p);
        }
        if (percent > p) {
            if (_PyUnicodeWriter_WriteASCIIString(w, p, percent - p) < 0) {
                return -1;
            }
            p = percent;
            continue;
        }
        Directive d;
        const char *next = read_directive(p + 1, &d);
        int status = next == NULL ? -1 : write_directive(w, &d, a);
        if (status < 0) {
            return -1;
        }
        if (status == 0) {
            return _PyUnicodeWriter_WriteASCIIString(w, p, -1);
        }
        p = next;
    }
    return 0;
}

PyObject *
PyUnicode_FromFormatV(const char *format, va_list vargs)
{
    if (check_ascii(format) < 0) {
        return NULL;
    }
    _PyUnicodeWriter w;
    Arguments a;
    _PyUnicodeWriter_Init(&w);
    w.min_length = (Py_ssize_t)strlen(format) + 100;
    w.overallocate = 1;
    va_copy(a.list, vargs);
    int status = write_format(&w, format, &a);
    va_end(a.list);
    if (status < 0) {
        _PyUnicodeWriter_Dealloc(&w);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&w);
}

PyObject *
PyUnicode_FromFormat(const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    PyObject *result = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    return result;
}
