/* Formatting of bytes: bytes % args, PyBytes_FromFormat; and the escapes of
   bytes literals. */
#include "private.h"
#include "internal/names.h"
#include "internal/percent_format.h"
#include "internal/type.h"
#include "internal/unicode.h"

/* ------------------------------------------------------------- bytes % args */

static Py_UCS4
read_byte(const void *format, Py_ssize_t i)
{
    return ((const unsigned char *)format)[i];
}

/* Writes n bytes padded to the width. The sign and "0x" of a number come before padding
   zeros. */
static char *
write_padded(_PyBytesWriter *w, char *out, const char *text, Py_ssize_t n,
             const Percent *p, int numeric)
{
    char sign = 0;
    if (numeric && n > 0 && (text[0] == '-' || text[0] == '+')) {
        sign = text[0];
        text++;
        n--;
    }
    else if (numeric && (p->flags & FLAG_PLUS)) {
        sign = '+';
    }
    else if (numeric && (p->flags & FLAG_SPACE)) {
        sign = ' ';
    }
    const int prefix = numeric && (p->flags & FLAG_ALT) && n > 1
        && text[0] == '0'
        && (text[1] == 'x' || text[1] == 'X' || text[1] == 'o') ? 2 : 0;
    const Py_ssize_t used = n + (sign != 0);
    const Py_ssize_t padding = p->width > used ? p->width - used : 0;
    const int left = p->flags & FLAG_LEFT;
    const int zeros = numeric && (p->flags & FLAG_ZERO) && !left;
    if (padding > PY_SSIZE_T_MAX - used) {
        PyErr_NoMemory();
        return NULL;
    }
    out = _PyBytesWriter_Prepare(w, out, used + padding);
    if (out == NULL) {
        return NULL;
    }
    if (!left && !zeros) {
        memset(out, ' ', (size_t)padding);
        out += padding;
    }
    if (sign) {
        *out++ = sign;
    }
    memcpy(out, text, (size_t)prefix);
    out += prefix;
    if (zeros) {
        memset(out, '0', (size_t)padding);
        out += padding;
    }
    memcpy(out, text + prefix, (size_t)(n - prefix));
    out += n - prefix;
    if (left) {
        memset(out, ' ', (size_t)padding);
        out += padding;
    }
    return out;
}

static char *
write_clipped(_PyBytesWriter *w, char *out, const char *text, Py_ssize_t n,
              const Percent *p)
{
    if (p->precision >= 0 && p->precision < n) {
        n = p->precision;
    }
    return write_padded(w, out, text, n, p, 0);
}

/* %b and %s: a bytes-like object, or one with __bytes__. */
static char *
write_bytes(_PyBytesWriter *w, char *out, PyObject *value, const Percent *p)
{
    PyObject *bytes = NULL;
    if (PyBytes_Check(value)) {
        return write_clipped(w, out, PyBytes_AS_STRING(value),
                             Py_SIZE(value), p);
    }
    if (PyByteArray_Check(value)) {
        return write_clipped(w, out, PyByteArray_AS_STRING(value),
                             Py_SIZE(value), p);
    }
    PyObject *method = _PyObject_LookupSpecial(value, _Py_NAME(dunder_bytes));
    if (method != NULL) {
        bytes = PyObject_CallNoArgs(method);
        Py_DECREF(method);
        if (bytes == NULL) {
            return NULL;
        }
        if (!PyBytes_Check(bytes)) {
            PyErr_Format(PyExc_TypeError,
                         "__bytes__ returned non-bytes (type %.200s)",
                         Py_TYPE(bytes)->tp_name);
            Py_DECREF(bytes);
            return NULL;
        }
    }
    else if (PyObject_CheckBuffer(value)) {
        PyErr_Clear();      /* what binding raised, if it failed */
        bytes = PyBytes_FromObject(value);
        if (bytes == NULL) {
            return NULL;
        }
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "%%b requires a bytes-like object, or an object that "
                     "implements __bytes__, not '%.100s'",
                     Py_TYPE(value)->tp_name);
        return NULL;
    }
    out = write_clipped(w, out, PyBytes_AS_STRING(bytes), Py_SIZE(bytes), p);
    Py_DECREF(bytes);
    return out;
}

static char *
write_character(_PyBytesWriter *w, char *out, PyObject *value,
                const Percent *p)
{
    char byte;
    if ((PyBytes_Check(value) || PyByteArray_Check(value))
        && Py_SIZE(value) == 1)
    {
        byte = _PyBytesLike_Data(value)[0];
        return write_padded(w, out, &byte, 1, p, 0);
    }
    if (PyIndex_Check(value)) {
        PyObject *index = PyNumber_Index(value);
        int overflow;
        if (index == NULL) {
            if (PyErr_ExceptionMatches(PyExc_TypeError)) {
                goto wrong_type;
            }
            return NULL;
        }
        long number = PyLong_AsLongAndOverflow(index, &overflow);
        Py_DECREF(index);
        if (overflow || number < 0 || number > 255) {
            PyErr_SetString(PyExc_OverflowError,
                            "%c arg not in range(256)");
            return NULL;
        }
        byte = (char)number;
        return write_padded(w, out, &byte, 1, p, 0);
    }
wrong_type:
    PyErr_SetString(PyExc_TypeError,
                    "%c requires an integer in range(256) or a single byte");
    return NULL;
}

static char *
write_number(_PyBytesWriter *w, char *out, PyObject *value, const Percent *p)
{
    switch (p->code) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': {
        char small[PERCENT_SMALL];
        Py_ssize_t size;
        PyObject *owned;
        Percent number = *p;
        if (number.code == 'i') {
            number.code = 'd';      /* its name in error messages */
        }
        const char *text = _PyPercent_Integer(value, &number, small, &size,
                                              &owned);
        if (text == NULL) {
            return NULL;
        }
        out = write_padded(w, out, text, size, p, 1);
        Py_XDECREF(owned);
        return out;
    }
    default: {
        /* There is one error for all values that can't be converted to float. */
        double number = PyFloat_AsDouble(value);
        if (number == -1.0 && PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError,
                         "float argument required, not %.200s",
                         Py_TYPE(value)->tp_name);
            return NULL;
        }
        char *text = _PyPercent_Float(number, p);
        if (text == NULL) {
            return NULL;
        }
        Percent plain = *p;
        plain.flags &= ~FLAG_ALT;
        out = write_padded(w, out, text, (Py_ssize_t)strlen(text), &plain, 1);
        PyMem_Free(text);
        return out;
    }
    }
}

static char *
write_directive(_PyBytesWriter *w, char *out, FormatArgs *a,
                const char *format, Py_ssize_t size, Py_ssize_t *pos)
{
    Percent p;
    Py_ssize_t start, end;
    if (*pos < size && format[*pos] == '%') {
        (*pos)++;
        return _PyBytesWriter_WriteBytes(w, out, "%", 1);
    }
    int keyed = _PyPercent_ReadKey(a, read_byte, format, size, pos, &start,
                                   &end);
    if (keyed < 0
        || (keyed && _PyPercent_UseKey(a, PyBytes_FromStringAndSize(
                                              format + start, end - start))
                     < 0)
        || _PyPercent_Read(a, read_byte, format, size, pos, &p) < 0)
    {
        return NULL;
    }
    PyObject *value = _PyPercent_Next(a);
    if (value == NULL) {
        return NULL;
    }
    switch (p.code) {
    case 'a': case 'r': {
        PyObject *text = PyObject_ASCII(value);
        if (text == NULL) {
            return NULL;
        }
        out = write_clipped(w, out, (char *)PyUnicode_1BYTE_DATA(text),
                            PyUnicode_GET_LENGTH(text), &p);
        Py_DECREF(text);
        return out;
    }
    case 's': case 'b':
        return write_bytes(w, out, value, &p);
    case 'c':
        return write_character(w, out, value, &p);
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        return write_number(w, out, value, &p);
    default:
        PyErr_Format(PyExc_ValueError,
                     "unsupported format character '%c' (0x%x) at index %zd",
                     (int)p.code, (unsigned int)p.code, *pos - 1);
        return NULL;
    }
}

PyObject *
_PyBytes_FormatEx(const char *format, Py_ssize_t size, PyObject *args,
                  int use_bytearray)
{
    if (args == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    FormatArgs a;
    _PyBytesWriter w;
    _PyPercent_Init(&a, args,
                    PyBytes_Check(args) || PyByteArray_Check(args)
                    || PyUnicode_Check(args));
    _PyBytesWriter_Init(&w);
    w.use_bytearray = use_bytearray;
    w.overallocate = !use_bytearray;
    char *out = _PyBytesWriter_Alloc(&w, size);
    w.min_size = 0;             /* each write makes its own room */
    for (Py_ssize_t pos = 0; out != NULL && pos < size;) {
        const char *percent = memchr(format + pos, '%',
                                     (size_t)(size - pos));
        Py_ssize_t end = percent ? percent - format : size;
        if (end > pos) {
            out = _PyBytesWriter_WriteBytes(&w, out, format + pos, end - pos);
            pos = end;
            continue;
        }
        pos++;
        out = write_directive(&w, out, &a, format, size, &pos);
        _PyPercent_Clear(&a);
    }
    if (out == NULL || _PyPercent_Finish(&a, "bytes") < 0) {
        _PyBytesWriter_Dealloc(&w);
        return NULL;
    }
    return _PyBytesWriter_Finish(&w, out);
}

PyObject *
_PyBytesLike_Mod(PyObject *self, PyObject *args)
{
    return _PyBytes_FormatEx(_PyBytesLike_Data(self), Py_SIZE(self), args,
                             PyByteArray_Check(self));
}

/* ------------------------------------------------------- PyBytes_FromFormat */

typedef struct {
    va_list list;
} Arguments;

/* Writes the directive at p, which is after the '%', and sets *next. Flags and widths are
   ignored, as is whatever else stands before the letter; a precision other than 0 clips
   %s. Returns 1 if done, 0 for an unknown directive, -1 on error. */
static int
write_c_directive(_PyBytesWriter *w, char **out, const char *p,
                  const char **next, Arguments *a)
{
    char buffer[32];
    const char *text = buffer;
    Py_ssize_t n = -1, precision = 0;
    int is_long = 0, is_size = 0;
    while (Py_ISDIGIT(*p)) {
        p++;
    }
    if (*p == '.') {
        for (p++; Py_ISDIGIT(*p); p++) {
            if (precision < PY_SSIZE_T_MAX / 10 - 1) {
                precision = precision * 10 + (*p - '0');
            }
        }
    }
    while (*p != '\0' && *p != '%' && !Py_ISALPHA(*p)) {
        p++;
    }
    if (*p == 'l' && (p[1] == 'd' || p[1] == 'u')) {
        is_long = 1;
        p++;
    }
    else if (*p == 'z' && (p[1] == 'd' || p[1] == 'u')) {
        is_size = 1;
        p++;
    }
    *next = p + 1;
    switch (*p) {
    case '%':
        text = "%";
        break;
    case 'c': {
        int ch = va_arg(a->list, int);
        if (ch < 0 || ch > 255) {
            PyErr_SetString(PyExc_OverflowError,
                            "PyBytes_FromFormatV(): %c format expects an "
                            "integer in range [0; 255]");
            return -1;
        }
        buffer[0] = (char)ch;
        n = 1;
        break;
    }
    case 'd':
        if (is_long) {
            sprintf(buffer, "%ld", va_arg(a->list, long));
        }
        else if (is_size) {
            sprintf(buffer, "%zd", va_arg(a->list, Py_ssize_t));
        }
        else {
            sprintf(buffer, "%d", va_arg(a->list, int));
        }
        break;
    case 'u':
        if (is_long) {
            sprintf(buffer, "%lu", va_arg(a->list, unsigned long));
        }
        else if (is_size) {
            sprintf(buffer, "%zu", va_arg(a->list, size_t));
        }
        else {
            sprintf(buffer, "%u", va_arg(a->list, unsigned int));
        }
        break;
    case 'i':
        sprintf(buffer, "%i", va_arg(a->list, int));
        break;
    case 'x':
        sprintf(buffer, "%x", va_arg(a->list, unsigned int));
        break;
    case 'p':
        sprintf(buffer, "0x%" PRIxPTR, (uintptr_t)va_arg(a->list, void *));
        break;
    case 's':
        text = va_arg(a->list, const char *);
        n = precision == 0 ? (Py_ssize_t)strlen(text)
                          : (Py_ssize_t)strnlen(text, (size_t)precision);
        break;
    default:
        return 0;
    }
    if (n < 0) {
        n = (Py_ssize_t)strlen(text);
    }
    *out = _PyBytesWriter_WriteBytes(w, *out, text, n);
    return *out == NULL ? -1 : 1;
}

PyObject *
PyBytes_FromFormatV(const char *format, va_list vargs)
{
    _PyBytesWriter w;
    Arguments a;
    _PyBytesWriter_Init(&w);
    w.overallocate = 1;
    char *out = _PyBytesWriter_Alloc(&w, 0);
    va_copy(a.list, vargs);
    for (const char *p = format; out != NULL && *p;) {
        size_t run = strcspn(p, "%");
        if (run > 0) {
            out = _PyBytesWriter_WriteBytes(&w, out, p, (Py_ssize_t)run);
            p += run;
            continue;
        }
        const char *next;
        int status = write_c_directive(&w, &out, p + 1, &next, &a);
        if (status < 0) {
            out = NULL;
        }
        else if (status == 0) {
            /* From here on the types of the arguments are unknown. */
            out = _PyBytesWriter_WriteBytes(&w, out, p,
                                            (Py_ssize_t)strlen(p));
            break;
        }
        p = next;
    }
    va_end(a.list);
    if (out == NULL) {
        _PyBytesWriter_Dealloc(&w);
        return NULL;
    }
    return _PyBytesWriter_Finish(&w, out);
}

PyObject *
PyBytes_FromFormat(const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    PyObject *result = PyBytes_FromFormatV(format, vargs);
    va_end(vargs);
    return result;
}

/* ------------------------------------------------------------------ escapes */

/* Handles an invalid \x escape that starts at s[at]. Returns 0, or -1 with an
   exception. */
static int
bad_hex(const char *errors, Py_ssize_t at, char **out)
{
    if (errors == NULL || strcmp(errors, "strict") == 0) {
        PyErr_Format(PyExc_ValueError,
                     "invalid \\x escape at position %zd", at);
        return -1;
    }
    if (strcmp(errors, "replace") == 0) {
        *(*out)++ = '?';
        return 0;
    }
    if (strcmp(errors, "ignore") == 0) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError,
                 "decoding error; unknown error handling code: %.400s",
                 errors);
    return -1;
}

/* The byte that a letter after a backslash stands for, or -1. */
static int
simple_escape(char letter)
{
    switch (letter) {
    case '\\': case '\'': case '"': return letter;
    case 'b': return '\b';
    case 'f': return '\f';
    case 't': return '\t';
    case 'n': return '\n';
    case 'r': return '\r';
    case 'v': return '\v';
    case 'a': return '\a';
    default: return -1;
    }
}

PyObject *
_PyBytes_DecodeEscape2(const char *s, Py_ssize_t size, const char *errors,
                       int *invalid_char, const char **invalid_ptr)
{
    *invalid_char = -1;
    *invalid_ptr = NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (bytes == NULL || size == 0) {
        return bytes;
    }
    char *out = PyBytes_AS_STRING(bytes);
    const char *p = s, *end = s + size;
    while (p < end) {
        if (*p != '\\') {
            *out++ = *p++;
            continue;
        }
        p++;
        if (p == end) {
            PyErr_SetString(PyExc_ValueError, "Trailing \\ in string");
            Py_DECREF(bytes);
            return NULL;
        }
        char letter = *p++;
        int simple = simple_escape(letter);
        if (simple >= 0) {
            *out++ = (char)simple;
        }
        else if (letter >= '0' && letter <= '7') {
            int value = letter - '0';
            for (int i = 0; i < 2 && p < end && *p >= '0' && *p <= '7'; i++) {
                value = value << 3 | (*p++ - '0');
            }
            if (value > 255 && *invalid_char == -1) {
                *invalid_char = value;
                *invalid_ptr = p - 3;
            }
            *out++ = (char)value;
        }
        else if (letter == 'x') {
            unsigned int high = 37, low = 37;
            if (p + 1 < end) {
                high = _PyLong_DigitValue[(unsigned char)p[0]];
                low = _PyLong_DigitValue[(unsigned char)p[1]];
            }
            if (high < 16 && low < 16) {
                *out++ = (char)(high << 4 | low);
                p += 2;
                continue;
            }
            if (bad_hex(errors, p - 2 - s, &out) < 0) {
                Py_DECREF(bytes);
                return NULL;
            }
            if (p < end && _PyLong_DigitValue[(unsigned char)*p] < 16) {
                p++;
            }
        }
        else if (letter != '\n') {
            if (*invalid_char == -1) {
                *invalid_char = (unsigned char)letter;
                *invalid_ptr = p - 1;
            }
            *out++ = '\\';
            *out++ = letter;
        }
    }
    _PyBytes_Resize(&bytes, out - PyBytes_AS_STRING(bytes));
    return bytes;
}

PyObject *
_PyBytes_DecodeEscape(const char *s, Py_ssize_t size, const char *errors,
                      const char **invalid_ptr)
{
    int invalid_char;
    return _PyBytes_DecodeEscape2(s, size, errors, &invalid_char,
                                  invalid_ptr);
}

PyObject *
PyBytes_DecodeEscape(const char *s, Py_ssize_t size, const char *errors,
                     Py_ssize_t Py_UNUSED(unicode),
                     const char *Py_UNUSED(recode_encoding))
{
    int ch;
    const char *where;
    PyObject *result = _PyBytes_DecodeEscape2(s, size, errors, &ch, &where);
    return _PyUnicode_WarnOfEscape(result, ch);
}
