/* UTF-16 and UTF-32, in either byte order. */
#include "codec_errors.h"
#include "internal/wide_loop.h"

#if PY_LITTLE_ENDIAN
#  define NATIVE_IS_LITTLE 1
#else
#  define NATIVE_IS_LITTLE 0
#endif

#define BOM 0xfeff

/* The unit at p, whose bytes may have to be swapped. */
static inline __attribute__((always_inline)) Py_UCS4
load_unit(const char *p, int width, int swap)
{
    if (width == 2) {
        Py_UCS2 unit;
        memcpy(&unit, p, sizeof(unit));
        return swap ? __builtin_bswap16(unit) : unit;
    }
    Py_UCS4 unit;
    memcpy(&unit, p, sizeof(unit));
    return swap ? __builtin_bswap32(unit) : unit;
}

static inline __attribute__((always_inline)) void
store_unit(char *p, int width, int swap, Py_UCS4 value)
{
    if (width == 2) {
        Py_UCS2 unit = swap ? __builtin_bswap16((Py_UCS2)value) : (Py_UCS2)value;
        memcpy(p, &unit, sizeof(unit));
        return;
    }
    Py_UCS4 unit = swap ? __builtin_bswap32(value) : value;
    memcpy(p, &unit, sizeof(unit));
}

static inline Py_UCS4
read_unit(const char *p, int width, int little)
{
    return load_unit(p, width, little != NATIVE_IS_LITTLE);
}

static inline char *
write_unit(char *p, int width, int little, Py_UCS4 unit)
{
    store_unit(p, width, little != NATIVE_IS_LITTLE, unit);
    return p + width;
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

/* --------------------------------------------------------------------- runs

   Most text has no surrogates. Such runs are copied by loops over whole units, with the
   order and the widths as constants. */

static inline int
is_character(Py_UCS4 unit)
{
    return !Py_UNICODE_IS_SURROGATE(unit) && unit <= MAX_UNICODE;
}

/* How many of the n units at p are characters before the first one that is not.
   *all: these characters' bits. */
static inline __attribute__((always_inline)) Py_ssize_t
scan_units(int width, int swap, const char *p, Py_ssize_t n, Py_UCS4 *all)
{
    enum { AT_ONCE = 32 };
    Py_UCS4 bits = 0;
    Py_ssize_t i = 0;
    for (; n - i >= AT_ONCE; i += AT_ONCE) {
        Py_UCS4 some = 0;
        int good = 1;
        for (Py_ssize_t k = i; k < i + AT_ONCE; k++) {
            const Py_UCS4 unit = load_unit(p + k * width, width, swap);
            some |= unit;
            good &= is_character(unit);
        }
        if (!good) {
            break;
        }
        bits |= some;
    }
    for (; i < n; i++) {
        const Py_UCS4 unit = load_unit(p + i * width, width, swap);
        if (!is_character(unit)) {
            break;
        }
        bits |= unit;
    }
    *all = bits;
    return i;
}

static inline __attribute__((always_inline)) void
read_units(int kind, int width, int swap, const char *from, void *to, Py_ssize_t n)
{
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; i < n; i++) {
        PyUnicode_WRITE(kind, to, i, load_unit(from + i * width, width, swap));
    }
}

static inline __attribute__((always_inline)) void
write_units(int kind, int width, int swap, const void *from, char *to, Py_ssize_t n)
{
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; i < n; i++) {
        store_unit(to + i * width, width, swap, PyUnicode_READ(kind, from, i));
    }
}

/* function(constants..., arguments) for any kind, width and order. */
#define BY_ALL(function, kind, width, swap, ...)                        \
    ((width) == 2                                                       \
        ? (swap) ? BY_KIND(function, kind, 2, 1, __VA_ARGS__)           \
                 : BY_KIND(function, kind, 2, 0, __VA_ARGS__)           \
        : (swap) ? BY_KIND(function, kind, 4, 1, __VA_ARGS__)           \
                 : BY_KIND(function, kind, 4, 0, __VA_ARGS__))

static Py_ssize_t
scan_run(int width, int swap, const char *p, Py_ssize_t n, Py_UCS4 *all)
{
    return width == 2 ? swap ? scan_units(2, 1, p, n, all) : scan_units(2, 0, p, n, all)
        : swap ? scan_units(4, 1, p, n, all) : scan_units(4, 0, p, n, all);
}

/* Writes the characters at `at` up to a unit that is none by itself. Returns the position
   after them. */
static Py_ssize_t
decode_run(Decoder *d, Py_ssize_t at, int width, int little)
{
    const int swap = little != NATIVE_IS_LITTLE;
    const char *p = d->start + at;
    Py_UCS4 all;
    const Py_ssize_t n = scan_run(width, swap, p, (d->end - p) / width, &all);
    if (n == 0) {
        return at;
    }
    _PyUnicodeWriter *w = &d->writer;
    if (_PyUnicodeWriter_Prepare(w, n, Py_MIN(all, MAX_UNICODE)) < 0) {
        return -1;
    }
    void *to = (void *)data_at((int)w->kind, w->data, w->pos);
    BY_ALL(read_units, (int)w->kind, width, swap, p, to, n);
    w->pos += n;
    return at + n * width;
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
        at = decode_run(&d, at, 2, little);
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
        at = decode_run(&d, at, 4, little);
        if (at < 0) {
            return decoder_fail(&d);
        }
        const Py_ssize_t left = d.end - d.start - at;
        Py_ssize_t bad = 4;
        const char *reason;
        if (left == 0 || (left < 4 && consumed != NULL)) {
            break;
        }
        if (left < 4) {
            bad = left;
            reason = "truncated data";
        }
        else if (Py_UNICODE_IS_SURROGATE(read_unit(d.start + at, 4, little))) {
            reason = "code point in surrogate code point range(0xd800, 0xe000)";
        }
        else {
            reason = "code point not in range(0x110000)";
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

/* Writes n characters that are no surrogates. */
static char *
encode_run(char *out, int kind, const void *from, Py_ssize_t n, int width, int little)
{
    const int swap = little != NATIVE_IS_LITTLE;
    if (kind == width && !swap) {
        memcpy(out, from, (size_t)n * width);
        return out + n * width;
    }
    if (kind < 4 || width == 4) {
        BY_ALL(write_units, kind, width, swap, from, out, n);
        return out + n * width;
    }
    for (const Py_UCS4 *p = from, *end = p + n; p < end; p++) {
        if (*p >= 0x10000) {
            store_unit(out, 2, swap, Py_UNICODE_HIGH_SURROGATE(*p));
            store_unit(out + 2, 2, swap, Py_UNICODE_LOW_SURROGATE(*p));
            out += 4;
        }
        else {
            store_unit(out, 2, swap, *p);
            out += 2;
        }
    }
    return out;
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
        _Py_WIDE_LOOP
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
        Py_UCS4 all;
        const void *from = data_at(kind, data, i);
        const Py_ssize_t run = kind == 1 ? n - i : scan_run(kind, 0, from, n - i, &all);
        out = encode_run(out, kind, from, run, width, little);
        i += run;
        if (i == n) {
            break;
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
