/* Latin-1 and ASCII: the codecs with one byte for a character. */
#include "codec_errors.h"
#include "internal/wide_loop.h"

PyObject *
PyUnicode_DecodeLatin1(const char *input, Py_ssize_t size,
                       const char *Py_UNUSED(errors))
{
    if (_PyUnicode_CheckSize(size) < 0) {
        return NULL;
    }
    return PyUnicode_FromKindAndData(1, input, size);
}

/* Writes the characters for bytes of which each becomes one, or none. Returns their number. */
static inline __attribute__((always_inline)) Py_ssize_t
replace_bytes(int kind, void *data, const unsigned char *p, Py_ssize_t size, int handler)
{
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; i < size; i++) {
        const Py_UCS4 other = handler == _Py_ERROR_REPLACE ? 0xfffd
                              : handler == _Py_ERROR_IGNORE ? 0 : 0xdc00u + p[i];
        PyUnicode_WRITE(kind, data, n, p[i] < 128 ? p[i] : other);
        n += handler != _Py_ERROR_IGNORE || p[i] < 128;
    }
    return n;
}

/* Some of the input is not ASCII. */
static PyObject *
decode_replacing(Decoder *d, const unsigned char *p, Py_ssize_t size, int handler)
{
    _PyUnicodeWriter *w = &d->writer;
    if (_PyUnicodeWriter_Prepare(w, size, handler == _Py_ERROR_IGNORE ? 127 : 0xffff) < 0) {
        return decoder_fail(d);
    }
    w->pos = handler == _Py_ERROR_IGNORE
        ? replace_bytes(1, w->data, p, size, _Py_ERROR_IGNORE)
        : handler == _Py_ERROR_REPLACE
        ? replace_bytes(2, w->data, p, size, _Py_ERROR_REPLACE)
        : replace_bytes(2, w->data, p, size, _Py_ERROR_SURROGATEESCAPE);
    return decoder_finish(d);
}

PyObject *
PyUnicode_DecodeASCII(const char *input, Py_ssize_t size, const char *errors)
{
    if (_PyUnicode_CheckSize(size) < 0) {
        return NULL;
    }
    if (size == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (_PyUnicode_MaxCharOf(1, input, size) < 128) {
        return _PyUnicode_FromASCII(input, size);
    }
    Decoder d;
    decoder_init(&d, "ascii", errors, input, size);
    const int handler = decoder_handler(&d);
    if (handler == _Py_ERROR_IGNORE || handler == _Py_ERROR_REPLACE
        || handler == _Py_ERROR_SURROGATEESCAPE) {
        return decode_replacing(&d, (const unsigned char *)input, size, handler);
    }
    for (Py_ssize_t at = 0; at < d.end - d.start;) {
        const unsigned char *p = (const unsigned char *)d.start + at;
        Py_ssize_t run = 0;
        while (p + run < (const unsigned char *)d.end && p[run] < 128) {
            run++;
        }
        if (run > 0) {
            if (_PyUnicodeWriter_WriteASCIIString(&d.writer, (const char *)p,
                                                  run) < 0)
            {
                return decoder_fail(&d);
            }
            at += run;
            continue;
        }
        at = decoder_error(&d, at, at + 1, "ordinal not in range(128)");
        if (at < 0) {
            return decoder_fail(&d);
        }
    }
    return decoder_finish(&d);
}

/* ----------------------------------------------------------------- encoding */

/* Writes a replacement for text[from:to]. If it is a str, its characters must be below
   the limit. */
static char *
write_replacement(_PyBytesWriter *w, char *out, Encoder *e, Py_UCS4 limit,
                  const char *reason, PyObject *replacement, Py_ssize_t from,
                  Py_ssize_t to)
{
    if (PyBytes_Check(replacement)) {
        return _PyBytesWriter_WriteBytes(w, out,
                                         PyBytes_AS_STRING(replacement),
                                         PyBytes_GET_SIZE(replacement));
    }
    const Py_ssize_t n = LENGTH(replacement);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyUnicode_READ_CHAR(replacement, i) >= limit) {
            encoder_raise(e, from, to, reason);
            return NULL;
        }
    }
    out = _PyBytesWriter_Prepare(w, out, n);
    for (Py_ssize_t i = 0; out != NULL && i < n; i++) {
        *out++ = (char)PyUnicode_READ_CHAR(replacement, i);
    }
    return out;
}

/* Of the characters from i on that are below the limit. */
static inline __attribute__((always_inline)) Py_ssize_t
end_of_run(int kind, const void *data, Py_ssize_t i, Py_ssize_t n, Py_UCS4 limit)
{
    while (i < n && PyUnicode_READ(kind, data, i) < limit) {
        i++;
    }
    return i;
}

static inline __attribute__((always_inline)) void
copy_run(int kind, const void *data, Py_ssize_t i, Py_ssize_t end, char *out)
{
    _Py_WIDE_LOOP
    for (; i < end; i++) {
        *out++ = (char)PyUnicode_READ(kind, data, i);
    }
}

/* The rest of a text, where each character takes one byte, or none. There is room for all. */
static inline __attribute__((always_inline)) char *
write_rest(int kind, const void *data, Py_ssize_t i, Py_ssize_t n, Py_UCS4 limit, int replace,
           char *out)
{
    for (; i < n; i++) {
        const Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        *out = ch < limit ? (char)ch : '?';
        out += replace | (ch < limit);
    }
    return out;
}

static PyObject *
encode_below(PyObject *op, const char *errors, Py_UCS4 limit)
{
    const char *name = limit == 128 ? "ascii" : "latin-1";
    const char *reason = limit == 128 ? "ordinal not in range(128)"
                                      : "ordinal not in range(256)";
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    Encoder e;
    _PyBytesWriter w;
    encoder_init(&e, name, errors, op);
    _PyBytesWriter_Init(&w);
    w.overallocate = 1;
    char *out = _PyBytesWriter_Alloc(&w, n);
    w.min_size = 0;             /* each write below makes its own room */
    for (Py_ssize_t i = 0; out != NULL && i < n;) {
        Py_ssize_t end = BY_KIND(end_of_run, kind, data, i, n, limit);
        if (end > i) {
            out = _PyBytesWriter_Prepare(&w, out, end - i);
            if (out != NULL) {
                BY_KIND(copy_run, kind, data, i, end, out);
                out += end - i;
            }
            i = end;
            continue;
        }
        const int handler = encoder_handler(&e);
        if (handler == _Py_ERROR_IGNORE || handler == _Py_ERROR_REPLACE) {
            out = BY_KIND(write_rest, kind, data, i, n, limit, handler == _Py_ERROR_REPLACE, out);
            break;
        }
        while (end < n && PyUnicode_READ(kind, data, end) >= limit) {
            end++;
        }
        if (encoder_escape(&e, &w, &out, i, end)) {
            i = end;
            continue;
        }
        Py_ssize_t next;
        PyObject *replacement = encoder_error(&e, i, end, reason, &next);
        out = replacement == NULL ? NULL
            : write_replacement(&w, out, &e, limit, reason, replacement, i,
                                end);
        Py_XDECREF(replacement);
        i = next;
    }
    return encoder_finish(&e, &w, out);
}

PyObject *
_PyUnicode_AsLatin1String(PyObject *op, const char *errors)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (KIND(op) == 1) {
        return PyBytes_FromStringAndSize(DATA(op), LENGTH(op));
    }
    return encode_below(op, errors, 256);
}

PyObject *
PyUnicode_AsLatin1String(PyObject *op)
{
    return _PyUnicode_AsLatin1String(op, NULL);
}

PyObject *
_PyUnicode_AsASCIIString(PyObject *op, const char *errors)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (IS_ASCII(op)) {
        return PyBytes_FromStringAndSize(DATA(op), LENGTH(op));
    }
    return encode_below(op, errors, 128);
}

PyObject *
PyUnicode_AsASCIIString(PyObject *op)
{
    return _PyUnicode_AsASCIIString(op, NULL);
}
