/* Strings to JSON and back. Most of them need no escapes, and are ASCII: eight characters at a time
   are looked at. */
#include "json_impl.h"
#include "internal/bytes.h"
#include "internal/unicode.h"
#include <stdint.h>
#include <string.h>

PyObject *
_PyJson_Fail(const char *message, PyObject *text, Py_ssize_t at)
{
    PyObject *module = PyImport_ImportModule("json.decoder");
    PyObject *error = module ? PyObject_GetAttrString(module, "JSONDecodeError") : NULL;
    PyObject *raised = error ? PyObject_CallFunction(error, "sOn", message, text, at) : NULL;
    if (raised != NULL) {
        PyErr_SetObject(error, raised);
    }
    Py_XDECREF(raised);
    Py_XDECREF(error);
    Py_XDECREF(module);
    return NULL;
}

int
_PyJson_ReadyArgument(PyObject *object)
{
    if (!PyUnicode_Check(object)) {
        PyErr_Format(PyExc_TypeError, "first argument must be a string, not %.80s",
                     Py_TYPE(object)->tp_name);
        return -1;
    }
    return PyUnicode_READY(object);
}

/* ------------------------------------------------------------- plain characters */

#define ONES (UINT64_MAX / 255)
#define HIGHS (ONES << 7)

/* ASCII, and json has escaped it since its first version. */
#define DEL 127

/* The highest bits of the bytes that are `c`. Above the first of them there may be wrong ones. */
static inline uint64_t
bytes_equal(uint64_t word, unsigned char c)
{
    uint64_t rest = word ^ ONES * c;
    return (rest - ONES) & ~rest & HIGHS;
}

/* Likewise, of those that are a quote, a backslash or below a space; if `del`, also DEL. */
static inline uint64_t
special_bytes(uint64_t word, int del)
{
    return ((word - ONES * ' ') & ~word & HIGHS) | bytes_equal(word, '"')
           | bytes_equal(word, '\\') | (del ? bytes_equal(word, DEL) : 0);
}

static inline int
is_special(Py_UCS4 c)
{
    return c == '"' || c == '\\' || c < ' ';
}

static inline Py_ssize_t
plain_run(const Py_UCS1 *text, Py_ssize_t n, int del)
{
    Py_ssize_t i = 0;
    for (; n - i >= 8; i += 8) {
        uint64_t word;
        memcpy(&word, text + i, 8);
        uint64_t found = special_bytes(word, del);
        if (found != 0) {
#if PY_LITTLE_ENDIAN
            return i + (__builtin_ctzll(found) >> 3);
#else
            break;
#endif
        }
    }
    while (i < n && !is_special(text[i]) && !(del && text[i] == DEL)) {
        i++;
    }
    return i;
}

Py_ssize_t
_PyJson_PlainRun(const Py_UCS1 *text, Py_ssize_t n)
{
    return plain_run(text, n, 0);
}

/* Where the first special character is, from `at` on, or the end. */
static Py_ssize_t
next_special(int kind, const void *data, Py_ssize_t at, Py_ssize_t length)
{
    if (kind == PyUnicode_1BYTE_KIND) {
        return at + _PyJson_PlainRun((const Py_UCS1 *)data + at, length - at);
    }
    while (at < length && !is_special(PyUnicode_READ(kind, data, at))) {
        at++;
    }
    return at;
}

/* ------------------------------------------------------------------ from JSON */

#define NO_CHARACTER ((Py_UCS4)-1)

/* Of four hexadecimal digits, with something behind them. */
static Py_UCS4
four_digits(int kind, const void *data, Py_ssize_t at, Py_ssize_t length)
{
    if (length - at <= 4) {
        return NO_CHARACTER;
    }
    Py_UCS4 value = 0;
    for (int i = 0; i < 4; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, at + i);
        int digit = c < 128 ? _PyLong_DigitValue[c] : 37;
        if (digit >= 16) {
            return NO_CHARACTER;
        }
        value = value << 4 | (Py_UCS4)digit;
    }
    return value;
}

/* The character that an escape means whose letter is at *at, which moves behind it. NO_CHARACTER
   with JSONDecodeError. */
static Py_UCS4
read_escape(PyObject *text, int kind, const void *data, Py_ssize_t length, Py_ssize_t *at)
{
    Py_ssize_t letter = (*at)++;
    Py_UCS4 c = PyUnicode_READ(kind, data, letter);
    switch (c) {
    case '"': case '\\': case '/':
        return c;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'u':
        break;
    default:
        _PyJson_Fail("Invalid \\escape", text, letter - 1);
        return NO_CHARACTER;
    }
    c = four_digits(kind, data, *at, length);
    if (c == NO_CHARACTER) {
        _PyJson_Fail("Invalid \\uXXXX escape", text, letter);
        return NO_CHARACTER;
    }
    *at += 4;
    if (Py_UNICODE_IS_HIGH_SURROGATE(c) && length - *at > 6
        && PyUnicode_READ(kind, data, *at) == '\\'
        && PyUnicode_READ(kind, data, *at + 1) == 'u')
    {
        /* What is no second half is an escape of its own. */
        Py_UCS4 low = four_digits(kind, data, *at + 2, length);
        if (low != NO_CHARACTER && Py_UNICODE_IS_LOW_SURROGATE(low)) {
            *at += 6;
            return Py_UNICODE_JOIN_SURROGATES(c, low);
        }
    }
    return c;
}

PyObject *
_PyJson_ReadString(PyObject *text, Py_ssize_t start, int strict, Py_ssize_t *end)
{
    const int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    const Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    Py_ssize_t at = next_special(kind, data, start, length);
    if (at < length && PyUnicode_READ(kind, data, at) == '"') {
        *end = at + 1;
        return _PyUnicode_Slice(text, start, at);
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    for (Py_ssize_t from = start;;) {
        if (at == length) {
            _PyJson_Fail("Unterminated string starting at", text, start - 1);
            break;
        }
        if (at > from && _PyUnicodeWriter_WriteSubstring(&writer, text, from, at) < 0) {
            break;
        }
        Py_UCS4 c = PyUnicode_READ(kind, data, at);
        at++;
        if (c == '"') {
            *end = at;
            return _PyUnicodeWriter_Finish(&writer);
        }
        if (c != '\\') {
            if (strict) {
                _PyJson_Fail("Invalid control character at", text, at - 1);
                break;
            }
        }
        else if (at == length) {
            continue;
        }
        else {
            c = read_escape(text, kind, data, length, &at);
            if (c == NO_CHARACTER) {
                break;
            }
        }
        if (_PyUnicodeWriter_WriteChar(&writer, c) < 0) {
            break;
        }
        from = at;
        at = next_special(kind, data, at, length);
    }
    _PyUnicodeWriter_Dealloc(&writer);
    return NULL;
}

/* -------------------------------------------------------------------- to JSON */

/* What stands for a character behind a backslash, or 0. */
static inline Py_UCS1
short_escape(Py_UCS4 c)
{
    switch (c) {
    case '"': case '\\':
        return (Py_UCS1)c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return 0;
    }
}

static inline Py_UCS1 *
put_hex(Py_UCS1 *to, Py_UCS4 unit)
{
    *to++ = '\\';
    *to++ = 'u';
    for (int shift = 12; shift >= 0; shift -= 4) {
        *to++ = (Py_UCS1)Py_hexdigits[unit >> shift & 15];
    }
    return to;
}

enum { LONGEST_ESCAPE = 12 };

/* The escape of one character, in ASCII. */
static Py_ssize_t
put_escape(Py_UCS1 *to, Py_UCS4 c)
{
    Py_UCS1 *start = to, letter = short_escape(c);
    if (letter != 0) {
        *to++ = '\\';
        *to++ = letter;
    }
    else if (c >= 0x10000) {
        to = put_hex(to, Py_UNICODE_HIGH_SURROGATE(c));
        to = put_hex(to, Py_UNICODE_LOW_SURROGATE(c));
    }
    else {
        to = put_hex(to, c);
    }
    return to - start;
}

/* The characters from `at` on that stand for themselves. */
static Py_ssize_t
end_of_plain(PyObject *str, int kind, const void *data, Py_ssize_t at, Py_ssize_t length, int ascii)
{
    if (ascii && PyUnicode_IS_ASCII(str)) {
        return at + plain_run((const Py_UCS1 *)data + at, length - at, 1);
    }
    if (!ascii) {
        return next_special(kind, data, at, length);
    }
    for (; at < length; at++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, at);
        if (is_special(c) || c >= DEL) {
            break;
        }
    }
    return at;
}

/* Text with characters that are not ASCII, all in ASCII: how long it is, then the text itself. */
static int
write_escaped(_PyUnicodeWriter *writer, int kind, const void *data, Py_ssize_t length)
{
    Py_ssize_t n = 2;
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        n += c >= 0x10000 ? 12 : c >= DEL ? 6 : !is_special(c) ? 1 : short_escape(c) ? 2 : 6;
    }
    if (_PyUnicodeWriter_Prepare(writer, n, 127) < 0) {
        return -1;
    }
    Py_UCS1 *to = (Py_UCS1 *)writer->data + writer->pos;
    *to++ = '"';
    for (Py_ssize_t i = 0; i < length; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c < DEL && !is_special(c)) {
            *to++ = (Py_UCS1)c;
        }
        else {
            to += put_escape(to, c);
        }
    }
    *to = '"';
    writer->pos += n;
    return 0;
}

int
_PyJson_WriteString(_PyUnicodeWriter *writer, PyObject *str, int ascii)
{
    const int kind = PyUnicode_KIND(str);
    const void *data = PyUnicode_DATA(str);
    const Py_ssize_t length = PyUnicode_GET_LENGTH(str);
    Py_ssize_t at = end_of_plain(str, kind, data, 0, length, ascii);
    if (at == length && PyUnicode_IS_ASCII(str) && writer->kind <= PyUnicode_1BYTE_KIND) {
        if (_PyUnicodeWriter_Prepare(writer, length + 2, 127) < 0) {
            return -1;
        }
        Py_UCS1 *to = (Py_UCS1 *)writer->data + writer->pos;
        to[0] = '"';
        memcpy(to + 1, data, (size_t)length);
        to[length + 1] = '"';
        writer->pos += length + 2;
        return 0;
    }
    if (ascii && !PyUnicode_IS_ASCII(str) && writer->kind <= PyUnicode_1BYTE_KIND
        && length < PY_SSIZE_T_MAX / LONGEST_ESCAPE - 1) {
        return write_escaped(writer, kind, data, length);
    }
    /* Each escape takes more room than its character. */
    writer->overallocate |= at < length;
    if (_PyUnicodeWriter_Prepare(writer, length + 2,
                                 ascii ? 127 : PyUnicode_MAX_CHAR_VALUE(str)) < 0
        || _PyUnicodeWriter_WriteChar(writer, '"') < 0) {
        return -1;
    }
    for (Py_ssize_t from = 0;; from = at,
         at = end_of_plain(str, kind, data, at, length, ascii))
    {
        if (at > from && _PyUnicodeWriter_WriteSubstring(writer, str, from, at) < 0) {
            return -1;
        }
        if (at == length) {
            return _PyUnicodeWriter_WriteChar(writer, '"');
        }
        Py_UCS1 escape[LONGEST_ESCAPE];
        Py_ssize_t n = put_escape(escape, PyUnicode_READ(kind, data, at));
        if (_PyUnicodeWriter_WriteASCIIString(writer, (const char *)escape, n) < 0) {
            return -1;
        }
        at++;
    }
}
