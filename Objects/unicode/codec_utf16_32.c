/* UTF-16 and UTF-32, in either byte order. */
#include "codec_errors.h"

#if PY_LITTLE_ENDIAN
#  define NATIVE_IS_LITTLE 1
#else
#  define NATIVE_IS_LITTLE 0
#endif

#define BOM 0xfeff

static inline Py_UCS4
read_unit(const char *p, int width, int little)
{
    const unsigned char *b = (const unsigned char *)p;
    if (width == 2) {
        return little ? b[0] | (Py_UCS4)b[1] << 8
                      : b[1] | (Py_UCS4)b[0] << 8;
    }
    return little
        ? b[0] | (Py_UCS4)b[1] << 8 | (Py_UCS4)b[2] << 16
            | (Py_UCS4)b[3] << 24
        : b[3] | (Py_UCS4)b[2] << 8 | (Py_UCS4)b[1] << 16
            | (Py_UCS4)b[0] << 24;
}

static inline char *
write_unit(char *p, int width, int little, Py_UCS4 unit)
{
    for (int i = 0; i < width; i++) {
        int shift = 8 * (little ? i : width - 1 - i);
        *p++ = (char)(unit >> shift & 0xff);
    }
    return p;
}

/* Reads a byte order mark if the order is unknown (*byteorder is 0). Returns the number
   of its bytes. Without a mark *byteorder stays 0. */
static int
take_bom(const char *input, Py_ssize_t size, int width, int *order)
{
    if (*order != 0 || size < width) {
        return 0;
    }
    if (read_unit(input, width, 1) == BOM) {
        *order = -1;
        return width;
    }
    if (read_unit(input, width, 0) == BOM) {
        *order = 1;
        return width;
    }
    return 0;
}

static inline int
is_little(int order)
{
    return order == 0 ? NATIVE_IS_LITTLE : order < 0;
}

/* ------------------------------------------------------------------- UTF-16 */

/* Reads the character at p, with `left` bytes left. Returns its length in bytes (2 or
   4), or 0 with the range of the error and the reason. */
static inline int
utf16_char(const char *p, Py_ssize_t left, int little, Py_UCS4 *ch,
           Py_ssize_t *bad, const char **reason, int *incomplete)
{
    *incomplete = 0;
    if (left < 2) {
        *bad = left;
        *reason = "truncated data";
        *incomplete = 1;
        return 0;
    }
    *ch = read_unit(p, 2, little);
    if (!Py_UNICODE_IS_SURROGATE(*ch)) {
        return 2;
    }
    *bad = 2;
    if (!Py_UNICODE_IS_HIGH_SURROGATE(*ch)) {
        *reason = "illegal encoding";
        return 0;
    }
    if (left < 4) {
        *bad = left;
        *reason = "unexpected end of data";
        *incomplete = 1;
        return 0;
    }
    Py_UCS4 low = read_unit(p + 2, 2, little);
    if (!Py_UNICODE_IS_LOW_SURROGATE(low)) {
        *reason = "illegal UTF-16 surrogate";
        return 0;
    }
    *ch = Py_UNICODE_JOIN_SURROGATES(*ch, low);
    return 4;
}

/* Writes a run of characters that are not surrogates. Returns the position after it. */
static Py_ssize_t
decode_utf16_run(Decoder *d, Py_ssize_t at, int little)
{
    const char *p = d->start + at;
    const Py_ssize_t most = (d->end - p) / 2;
    Py_UCS4 seen = 0;
    Py_ssize_t n = 0;
    for (; n < most; n++) {
        Py_UCS4 ch = read_unit(p + 2 * n, 2, little);
        if (Py_UNICODE_IS_SURROGATE(ch)) {
            break;
        }
        seen |= ch;
    }
    if (n == 0) {
        return at;
    }
    Py_UCS4 maxchar = seen > 0xff ? 0xffff : seen;
    if (_PyUnicodeWriter_Prepare(&d->writer, n, maxchar) < 0) {
        return -1;
    }
    const int kind = d->writer.kind;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyUnicode_WRITE(kind, d->writer.data, d->writer.pos + i,
                        read_unit(p + 2 * i, 2, little));
    }
    d->writer.pos += n;
    return at + 2 * n;
}

PyObject *
PyUnicode_DecodeUTF16Stateful(const char *input, Py_ssize_t size,
                              const char *errors, int *byteorder,
                              Py_ssize_t *consumed)
{
    int order = byteorder ? *byteorder : 0;
    Py_ssize_t at = take_bom(input, size, 2, &order);
    const int little = is_little(order);
    Decoder d;
    decoder_init(&d, little ? "utf-16-le" : "utf-16-be", errors, input, size);
    d.writer.min_length = (size - at) / 2;
    while (at < d.end - d.start) {
        at = decode_utf16_run(&d, at, little);
        if (at < 0) {
            return decoder_fail(&d);
        }
        Py_ssize_t left = d.end - d.start - at, bad;
        if (left == 0) {
            break;
        }
        Py_UCS4 ch;
        const char *reason;
        int incomplete;
        int length = utf16_char(d.start + at, left, little, &ch, &bad,
                                &reason, &incomplete);
        if (length > 0) {
            if (_PyUnicodeWriter_WriteChar(&d.writer, ch) < 0) {
                return decoder_fail(&d);
            }
            at += length;
            continue;
        }
        if (incomplete && consumed != NULL) {
            break;
        }
        at = decoder_error(&d, at, at + bad, reason);
        if (at < 0) {
            return decoder_fail(&d);
        }
    }
    if (byteorder != NULL) {
        *byteorder = order;
    }
    if (consumed != NULL) {
        *consumed = at;
    }
    return decoder_finish(&d);
}

PyObject *
PyUnicode_DecodeUTF16(const char *input, Py_ssize_t size, const char *errors,
                      int *byteorder)
{
    return PyUnicode_DecodeUTF16Stateful(input, size, errors, byteorder,
                                         NULL);
}

/* ------------------------------------------------------------------- UTF-32 */

PyObject *
PyUnicode_DecodeUTF32Stateful(const char *input, Py_ssize_t size,
                              const char *errors, int *byteorder,
                              Py_ssize_t *consumed)
{
    int order = byteorder ? *byteorder : 0;
    Py_ssize_t at = take_bom(input, size, 4, &order);
    const int little = is_little(order);
    Decoder d;
    decoder_init(&d, little ? "utf-32-le" : "utf-32-be", errors, input, size);
    d.writer.min_length = (size - at) / 4;
    while (at < d.end - d.start) {
        const Py_ssize_t left = d.end - d.start - at;
        Py_ssize_t bad = 4;
        const char *reason;
        if (left < 4) {
            if (consumed != NULL) {
                break;
            }
            bad = left;
            reason = "truncated data";
        }
        else {
            Py_UCS4 ch = read_unit(d.start + at, 4, little);
            if (Py_UNICODE_IS_SURROGATE(ch)) {
                reason = "code point in surrogate code point "
                         "range(0xd800, 0xe000)";
            }
            else if (ch > MAX_UNICODE) {
                reason = "code point not in range(0x110000)";
            }
            else {
                if (_PyUnicodeWriter_WriteChar(&d.writer, ch) < 0) {
                    return decoder_fail(&d);
                }
                at += 4;
                continue;
            }
        }
        at = decoder_error(&d, at, at + bad, reason);
        if (at < 0) {
            return decoder_fail(&d);
        }
    }
    if (byteorder != NULL) {
        *byteorder = order;
    }
    if (consumed != NULL) {
        *consumed = at;
    }
    return decoder_finish(&d);
}

PyObject *
PyUnicode_DecodeUTF32(const char *input, Py_ssize_t size, const char *errors,
                      int *byteorder)
{
    return PyUnicode_DecodeUTF32Stateful(input, size, errors, byteorder,
                                         NULL);
}

/* ----------------------------------------------------------------- encoding */

static inline char *
write_char(char *out, int width, int little, Py_UCS4 ch)
{
    if (width == 2 && ch >= 0x10000) {
        out = write_unit(out, 2, little, Py_UNICODE_HIGH_SURROGATE(ch));
        return write_unit(out, 2, little, Py_UNICODE_LOW_SURROGATE(ch));
    }
    return write_unit(out, width, little, ch);
}

/* The handler's replacement for text[from:to]: bytes in whole units, or ASCII. */
static char *
write_replacement(_PyBytesWriter *w, char *out, Encoder *e, int width,
                  int little, PyObject *replacement, Py_ssize_t from,
                  Py_ssize_t to)
{
    if (PyBytes_Check(replacement)) {
        const Py_ssize_t size = PyBytes_GET_SIZE(replacement);
        if (size % width != 0) {
            encoder_raise(e, from, to, "surrogates not allowed");
            return NULL;
        }
        return _PyBytesWriter_WriteBytes(w, out,
                                         PyBytes_AS_STRING(replacement),
                                         size);
    }
    if (!IS_ASCII(replacement)) {
        encoder_raise(e, from, to, "surrogates not allowed");
        return NULL;
    }
    const Py_UCS1 *text = DATA(replacement);
    const Py_ssize_t n = LENGTH(replacement);
    if (n > PY_SSIZE_T_MAX / width) {
        PyErr_NoMemory();
        return NULL;
    }
    out = _PyBytesWriter_Prepare(w, out, n * width);
    for (Py_ssize_t i = 0; out != NULL && i < n; i++) {
        out = write_unit(out, width, little, text[i]);
    }
    return out;
}

static PyObject *
encode_wide(PyObject *op, const char *errors, int order, int width,
            const char *name)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    const int kind = KIND(op), little = is_little(order);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    Encoder e;
    _PyBytesWriter w;
    if (n > PY_SSIZE_T_MAX / 4 - 1) {
        return PyErr_NoMemory();
    }
    Py_ssize_t size = (n + (order == 0)) * width;
    if (width == 2 && kind == 4) {
        for (Py_ssize_t i = 0; i < n; i++) {
            size += ((const Py_UCS4 *)data)[i] >= 0x10000 ? 2 : 0;
        }
    }
    encoder_init(&e, name, errors, op);
    _PyBytesWriter_Init(&w);
    char *out = _PyBytesWriter_Alloc(&w, size);
    if (out != NULL && order == 0) {
        out = write_unit(out, width, little, BOM);
    }
    for (Py_ssize_t i = 0; out != NULL && i < n;) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        if (!Py_UNICODE_IS_SURROGATE(ch)) {
            out = write_char(out, width, little, ch);
            i++;
            continue;
        }
        Py_ssize_t next;
        PyObject *replacement = encoder_error(&e, i, i + 1,
                                              "surrogates not allowed",
                                              &next);
        if (replacement == NULL) {
            out = NULL;
            break;
        }
        /* If the handler goes back, characters are written again that were counted
           once: make room. */
        if (next < i + 1) {
            out = _PyBytesWriter_Prepare(&w, out, (i + 1 - next) * 4);
        }
        if (out != NULL) {
            out = write_replacement(&w, out, &e, width, little, replacement,
                                    i, i + 1);
        }
        Py_DECREF(replacement);
        i = next;
    }
    return encoder_finish(&e, &w, out);
}

PyObject *
_PyUnicode_EncodeUTF16(PyObject *op, const char *errors, int byteorder)
{
    return encode_wide(op, errors, byteorder, 2,
                       byteorder < 0 ? "utf-16-le"
                       : byteorder > 0 ? "utf-16-be" : "utf-16");
}

PyObject *
PyUnicode_AsUTF16String(PyObject *op)
{
    return _PyUnicode_EncodeUTF16(op, NULL, 0);
}

PyObject *
_PyUnicode_EncodeUTF32(PyObject *op, const char *errors, int byteorder)
{
    return encode_wide(op, errors, byteorder, 4,
                       byteorder < 0 ? "utf-32-le"
                       : byteorder > 0 ? "utf-32-be" : "utf-32");
}

PyObject *
PyUnicode_AsUTF32String(PyObject *op)
{
    return _PyUnicode_EncodeUTF32(op, NULL, 0);
}
