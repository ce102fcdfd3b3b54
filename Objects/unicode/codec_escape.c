/* The unicode_escape and raw_unicode_escape codecs. The compiler decodes string
   literals with the first. */
#include "codec_errors.h"
#include "internal/bytes.h"

/* Reads up to `width` hexadecimal digits from *p. Returns their number. */
static int
read_hex(const char **p, const char *end, int width, Py_UCS4 *value)
{
    int n = 0;
    *value = 0;
    while (n < width && *p < end) {
        const unsigned int digit = _PyLong_DigitValue[(unsigned char)**p];
        if (digit >= 16) {
            break;
        }
        *value = *value << 4 | digit;
        (*p)++;
        n++;
    }
    return n;
}

const _PyUnicode_Name_CAPI *
_PyUnicode_GetNameCAPI(void)
{
    static const _PyUnicode_Name_CAPI *api;
    if (api == NULL) {
        api = PyCapsule_Import(PyUnicodeData_CAPSULE_NAME, 1);
        if (api == NULL) {
            PyErr_SetString(PyExc_UnicodeError,
                            "\\N escapes not supported (can't load "
                            "unicodedata module)");
        }
    }
    return api;
}

typedef enum { ESCAPE_CHAR, ESCAPE_NOTHING, ESCAPE_BAD, ESCAPE_INCOMPLETE,
               ESCAPE_UNKNOWN, ESCAPE_EXCEPTION } EscapeResult;

/* \N{name}, after the N. */
static EscapeResult
read_name(const char **p, const char *end, Py_UCS4 *ch, const char **reason)
{
    const _PyUnicode_Name_CAPI *api = _PyUnicode_GetNameCAPI();
    if (api == NULL) {
        return ESCAPE_EXCEPTION;
    }
    *reason = "malformed \\N character escape";
    if (*p >= end) {
        return ESCAPE_INCOMPLETE;
    }
    if (**p != '{') {
        return ESCAPE_BAD;
    }
    const char *name = ++*p;
    const char *brace = memchr(name, '}', (size_t)(end - name));
    if (brace == NULL) {
        *p = end;
        return ESCAPE_INCOMPLETE;
    }
    *p = brace;
    if (brace == name) {
        return ESCAPE_BAD;
    }
    *p = brace + 1;
    *reason = "unknown Unicode character name";
    if (brace - name <= INT_MAX
        && api->getcode(name, (int)(brace - name), ch, 0))
    {
        return ESCAPE_CHAR;
    }
    return ESCAPE_BAD;
}

/* Reads one escape, with *p after the backslash. Leaves *p after the escape. */
static EscapeResult
read_escape(const char **p, const char *end, Py_UCS4 *ch,
            const char **reason)
{
    int width;
    if (*p >= end) {
        *reason = "\\ at end of string";
        return ESCAPE_INCOMPLETE;
    }
    unsigned char letter = (unsigned char)*(*p)++;
    switch (letter) {
    case '\n': return ESCAPE_NOTHING;
    case '\\': case '\'': case '"': *ch = letter; return ESCAPE_CHAR;
    case 'a': *ch = '\a'; return ESCAPE_CHAR;
    case 'b': *ch = '\b'; return ESCAPE_CHAR;
    case 'f': *ch = '\f'; return ESCAPE_CHAR;
    case 'n': *ch = '\n'; return ESCAPE_CHAR;
    case 'r': *ch = '\r'; return ESCAPE_CHAR;
    case 't': *ch = '\t'; return ESCAPE_CHAR;
    case 'v': *ch = '\v'; return ESCAPE_CHAR;
    case '0': case '1': case '2': case '3':
    case '4': case '5': case '6': case '7':
        *ch = letter - '0';
        for (int i = 0; i < 2 && *p < end && **p >= '0' && **p <= '7'; i++) {
            *ch = *ch << 3 | (Py_UCS4)(*(*p)++ - '0');
        }
        return ESCAPE_CHAR;
    case 'x': width = 2; *reason = "truncated \\xXX escape"; break;
    case 'u': width = 4; *reason = "truncated \\uXXXX escape"; break;
    case 'U': width = 8; *reason = "truncated \\UXXXXXXXX escape"; break;
    case 'N': return read_name(p, end, ch, reason);
    default: *ch = letter; return ESCAPE_UNKNOWN;
    }
    if (read_hex(p, end, width, ch) < width) {
        return *p == end ? ESCAPE_INCOMPLETE : ESCAPE_BAD;
    }
    if (*ch > MAX_UNICODE) {
        *reason = "illegal Unicode character";
        return ESCAPE_BAD;
    }
    return ESCAPE_CHAR;
}

PyObject *
_PyUnicode_DecodeUnicodeEscapeInternal2(const char *input, Py_ssize_t size,
                                        const char *errors,
                                        Py_ssize_t *consumed,
                                        int *invalid_char,
                                        const char **invalid_ptr)
{
    Decoder d;
    Py_ssize_t at = 0;
    *invalid_char = -1;
    *invalid_ptr = NULL;
    if (_PyUnicode_CheckSize(size) < 0) {
        return NULL;
    }
    decoder_init(&d, "unicodeescape", errors, input, size);
    while (at < d.end - d.start) {
        const char *p = d.start + at;
        const char *slash = memchr(p, '\\', (size_t)(d.end - p));
        const char *stop = slash ? slash : d.end;
        if (stop > p) {
            if (_PyUnicodeWriter_WriteLatin1String(&d.writer, p, stop - p)
                < 0)
            {
                return decoder_fail(&d);
            }
            at += stop - p;
            continue;
        }
        Py_UCS4 ch = 0;
        const char *reason = NULL;
        p++;
        EscapeResult result = read_escape(&p, d.end, &ch, &reason);
        if (result == ESCAPE_NOTHING) {
            at = p - d.start;
            continue;
        }
        if (result == ESCAPE_CHAR || result == ESCAPE_UNKNOWN) {
            /* Octal above \377 is deprecated like an unknown letter. */
            int dubious = result == ESCAPE_UNKNOWN
                || (ch > 0xff && slash[1] >= '0' && slash[1] <= '7');
            if (dubious && *invalid_char == -1) {
                *invalid_char = (int)ch;
                if (d.replaced == NULL) {
                    *invalid_ptr = result == ESCAPE_UNKNOWN ? p - 1 : p - 3;
                }
            }
            if ((result == ESCAPE_UNKNOWN
                 && _PyUnicodeWriter_WriteChar(&d.writer, '\\') < 0)
                || _PyUnicodeWriter_WriteChar(&d.writer, ch) < 0)
            {
                return decoder_fail(&d);
            }
            at = p - d.start;
            continue;
        }
        if (result == ESCAPE_EXCEPTION) {
            return decoder_fail(&d);
        }
        if (result == ESCAPE_INCOMPLETE && consumed != NULL) {
            break;
        }
        d.writer.min_length = d.end - p + d.writer.pos;
        at = decoder_error(&d, at, p - d.start, reason);
        if (at < 0) {
            return decoder_fail(&d);
        }
    }
    if (consumed != NULL) {
        *consumed = at;
    }
    return decoder_finish(&d);
}

PyObject *
_PyUnicode_DecodeUnicodeEscapeInternal(const char *input, Py_ssize_t size,
                                       const char *errors,
                                       Py_ssize_t *consumed,
                                       const char **invalid_ptr)
{
    int invalid_char;
    return _PyUnicode_DecodeUnicodeEscapeInternal2(input, size, errors,
                                                   consumed, &invalid_char,
                                                   invalid_ptr);
}

PyObject *
_PyUnicode_WarnOfEscape(PyObject *result, int ch)
{
    if (result == NULL || ch == -1) {
        return result;
    }
    int status = ch > 0xff
        ? PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                           "invalid octal escape sequence '\\%c%c%c'",
                           '0' + (ch >> 6), '0' + (ch >> 3 & 7),
                           '0' + (ch & 7))
        : PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                           "invalid escape sequence '\\%c'", ch);
    if (status < 0) {
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
_PyUnicode_DecodeUnicodeEscapeStateful(const char *input, Py_ssize_t size,
                                       const char *errors,
                                       Py_ssize_t *consumed)
{
    int ch;
    const char *where;
    PyObject *result = _PyUnicode_DecodeUnicodeEscapeInternal2(
        input, size, errors, consumed, &ch, &where);
    return _PyUnicode_WarnOfEscape(result, ch);
}

PyObject *
PyUnicode_DecodeUnicodeEscape(const char *input, Py_ssize_t size,
                              const char *errors)
{
    return _PyUnicode_DecodeUnicodeEscapeStateful(input, size, errors, NULL);
}

/* ---------------------------------------------------------------------- raw */

PyObject *
_PyUnicode_DecodeRawUnicodeEscapeStateful(const char *input, Py_ssize_t size,
                                          const char *errors,
                                          Py_ssize_t *consumed)
{
    if (_PyUnicode_CheckSize(size) < 0) {
        return NULL;
    }
    Decoder d;
    Py_ssize_t at = 0;
    decoder_init(&d, "rawunicodeescape", errors, input, size);
    while (at < d.end - d.start) {
        const char *p = d.start + at;
        Py_UCS4 ch = (unsigned char)*p++;
        if (ch == '\\' && p == d.end && consumed != NULL) {
            break;
        }
        if (ch != '\\' || p == d.end || (*p != 'u' && *p != 'U')) {
            if (_PyUnicodeWriter_WriteChar(&d.writer, ch) < 0) {
                return decoder_fail(&d);
            }
            /* A backslash takes the next character with it, whatever it is. */
            if (ch == '\\' && p < d.end
                && _PyUnicodeWriter_WriteChar(&d.writer,
                                              (unsigned char)*p++) < 0)
            {
                return decoder_fail(&d);
            }
            at = p - d.start;
            continue;
        }
        const int width = *p++ == 'u' ? 4 : 8;
        const char *reason;
        if (read_hex(&p, d.end, width, &ch) < width) {
            if (p == d.end && consumed != NULL) {
                break;
            }
            reason = width == 4 ? "truncated \\uXXXX escape"
                                : "truncated \\UXXXXXXXX escape";
        }
        else if (ch > MAX_UNICODE) {
            reason = "\\Uxxxxxxxx out of range";
        }
        else {
            if (_PyUnicodeWriter_WriteChar(&d.writer, ch) < 0) {
                return decoder_fail(&d);
            }
            at = p - d.start;
            continue;
        }
        at = decoder_error(&d, at, p - d.start, reason);
        if (at < 0) {
            return decoder_fail(&d);
        }
    }
    if (consumed != NULL) {
        *consumed = at;
    }
    return decoder_finish(&d);
}

PyObject *
PyUnicode_DecodeRawUnicodeEscape(const char *input, Py_ssize_t size,
                                 const char *errors)
{
    return _PyUnicode_DecodeRawUnicodeEscapeStateful(input, size, errors,
                                                     NULL);
}

/* ----------------------------------------------------------------- encoding */

static char *
write_hex(char *out, char letter, int width, Py_UCS4 ch)
{
    *out++ = '\\';
    *out++ = letter;
    for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) {
        *out++ = "0123456789abcdef"[ch >> shift & 15];
    }
    return out;
}

static char *
write_escaped(char *out, Py_UCS4 ch, int raw)
{
    if (ch > 0xffff) {
        return write_hex(out, 'U', 8, ch);
    }
    if (ch > 0xff) {
        return write_hex(out, 'u', 4, ch);
    }
    if (raw || (ch >= ' ' && ch < 0x7f && ch != '\\')) {
        *out++ = (char)ch;
        return out;
    }
    if (ch == '\\' || ch == '\t' || ch == '\n' || ch == '\r') {
        *out++ = '\\';
        *out++ = ch == '\t' ? 't' : ch == '\n' ? 'n' : ch == '\r' ? 'r'
            : '\\';
        return out;
    }
    return write_hex(out, 'x', 2, ch);
}

static PyObject *
encode_escaped(PyObject *op, int raw)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    const int most = kind == 1 ? (raw ? 1 : 4) : kind == 2 ? 6 : 10;
    if (n > PY_SSIZE_T_MAX / most - 1) {
        return PyErr_NoMemory();
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, n * most);
    if (bytes == NULL || n == 0) {
        return bytes;
    }
    char *out = PyBytes_AS_STRING(bytes);
    for (Py_ssize_t i = 0; i < n; i++) {
        out = write_escaped(out, PyUnicode_READ(kind, data, i), raw);
    }
    if (_PyBytes_Resize(&bytes, out - PyBytes_AS_STRING(bytes)) < 0) {
        return NULL;
    }
    return bytes;
}

PyObject *
PyUnicode_AsUnicodeEscapeString(PyObject *op)
{
    return encode_escaped(op, 0);
}

PyObject *
PyUnicode_AsRawUnicodeEscapeString(PyObject *op)
{
    return encode_escaped(op, 1);
}
