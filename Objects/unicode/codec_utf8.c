/* UTF-8.

   Valid input is read twice: once to check it, count the characters and find the
   widest, and once to copy. ASCII is processed eight bytes at a time in both passes.
   Invalid input is rare; it is decoded character by character with a writer and the
   error handlers. */
#include "codec_errors.h"

#define HIGH_BITS 0x8080808080808080u

static inline uint64_t
load64(const void *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    return word;
}

/* The number of ASCII bytes at p. */
static inline Py_ssize_t
ascii_prefix(const unsigned char *p, const unsigned char *end)
{
    const unsigned char *start = p;
    while (end - p >= 32) {
        if ((load64(p) | load64(p + 8) | load64(p + 16) | load64(p + 24))
            & HIGH_BITS)
        {
            break;
        }
        p += 32;
    }
    while (end - p >= 8 && !(load64(p) & HIGH_BITS)) {
        p += 8;
    }
    while (p < end && *p < 0x80) {
        p++;
    }
    return p - start;
}

static inline int
is_continuation(unsigned char byte)
{
    return (byte & 0xc0) == 0x80;
}

/* Checks the sequence at p, which is not ASCII. Returns the length of a valid sequence
   (2, 3 or 4), or 0 with the number of invalid bytes in *bad and the reason. Sets
   *incomplete if the input ends early. */
static int
check_sequence(const unsigned char *p, const unsigned char *end,
               int *bad, const char **reason, int *incomplete)
{
    const unsigned char lead = *p;
    const Py_ssize_t left = end - p;
    *incomplete = 0;
    *bad = 1;
    *reason = NULL;
    if (lead < 0xc2 || lead > 0xf4) {
        *reason = "invalid start byte";
        return 0;
    }
    const int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    for (int i = 1; i < length; i++) {
        if (i == left) {
            *bad = i;
            *reason = "unexpected end of data";
            *incomplete = 1;
            return 0;
        }
        int fits = is_continuation(p[i]);
        if (i == 1 && fits) {
            /* Overlong forms, surrogates, and beyond U+10FFFF. */
            fits = lead == 0xe0 ? p[1] >= 0xa0 : lead == 0xed ? p[1] < 0xa0
                : lead == 0xf0 ? p[1] >= 0x90 : lead == 0xf4 ? p[1] < 0x90
                : 1;
        }
        if (!fits) {
            *bad = i;
            *reason = "invalid continuation byte";
            /* The rest of a surrogate may be needed by "surrogatepass". */
            *incomplete = lead == 0xed && left == 2
                && is_continuation(p[1]);
            return 0;
        }
    }
    return length;
}

static inline Py_UCS4
sequence_value(const unsigned char *p, int length)
{
    switch (length) {
    case 2:
        return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
    case 3:
        return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    default:
        return (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12
            | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
    }
}

/* Is there a valid sequence of three or four bytes at p? */
static inline int
is_three(const unsigned char *p)
{
    return is_continuation(p[1]) && is_continuation(p[2])
        && !(p[0] == 0xe0 && p[1] < 0xa0) && !(p[0] == 0xed && p[1] >= 0xa0);
}

static inline int
is_four(const unsigned char *p)
{
    return is_continuation(p[1]) && is_continuation(p[2])
        && is_continuation(p[3])
        && !(p[0] == 0xf0 && p[1] < 0x90) && !(p[0] == 0xf4 && p[1] >= 0x90);
}

/* Four sequences of two bytes in a word, each in a lane of 16 bits: the lead is the low byte
   in little endian. */
#define LANES(bits) ((uint64_t)(bits) * 0x0001000100010001u)

/* Are they valid, with no lead below 0xc2? */
static inline int
are_twos(uint64_t word)
{
    return PY_LITTLE_ENDIAN && (word & LANES(0xc0e0)) == LANES(0x80c0)
        && (((word & LANES(0x001e)) + LANES(0x7ffe)) & LANES(0x8000)) == LANES(0x8000);
}

static inline uint64_t
values_of_twos(uint64_t word)
{
    return (word & LANES(0x001f)) << 6 | (word >> 8 & LANES(0x003f));
}

#define BLOCK 32

/* Checks a block of ASCII and sequences of two bytes in any order: a byte continues a sequence
   if the one before it is a lead, and only then. Returns how many bytes belong to whole
   sequences, or 0 if there is something else. The loops have no branches, so they become
   vector code. */
static inline Py_ssize_t
scan_mixed(const unsigned char *p, Py_ssize_t *count, unsigned int *largest_lead)
{
    unsigned char bad = is_continuation(p[0]), characters = 0, largest = 0;
    for (int i = 1; i < BLOCK; i++) {
        bad |= (unsigned char)(is_continuation(p[i]) != (p[i - 1] >= 0xc2));
        largest = Py_MAX(largest, p[i - 1]);    /* a lead at the end is not taken */
    }
    for (int i = 0; i < BLOCK; i++) {
        bad |= (unsigned char)((p[i] & 0xfe) == 0xc0);
        characters += (unsigned char)!is_continuation(p[i]);
    }
    if (bad || largest >= 0xe0) {
        return 0;
    }
    const int cut = p[BLOCK - 1] >= 0xc2;       /* its second byte is in the next block */
    *count += characters - cut;
    *largest_lead = Py_MAX(*largest_lead, largest);
    return BLOCK - cut;
}

/* Counts the characters of the valid prefix of [p, end) and finds the largest lead
   byte, or an equivalent one. Returns the end of the prefix. */
static const unsigned char *
scan_valid(const unsigned char *p, const unsigned char *end,
           Py_ssize_t *count, unsigned int *largest_lead)
{
    Py_ssize_t n = 0;
    unsigned int largest = 0;
    int pause = 0;              /* no blocks for some time after one with other sequences */
    while (p < end) {
        const unsigned char *start = p;
        if (*p < 0x80) {
            p += ascii_prefix(p, end);
            n += p - start;
            continue;
        }
        if (end - p >= BLOCK && --pause < 0) {
            Py_ssize_t done = scan_mixed(p, &n, &largest);
            if (done > 0) {
                pause = 0;
                p += done;
                continue;
            }
            pause = 16;
        }
        uint64_t leads = 0;
        for (uint64_t word; end - p >= 8 && are_twos(word = load64(p)); p += 8) {
            leads |= word;
        }
        if (leads != 0) {       /* all bits together are beyond 0xc3 if one lead is */
            leads |= leads >> 32;
            leads |= leads >> 16;
            largest = Py_MAX(largest, (unsigned int)leads & 0xff);
        }
        while (end - p >= 2 && *p >= 0xc2 && *p < 0xe0
               && is_continuation(p[1]))
        {
            largest = Py_MAX(largest, *p);
            p += 2;
        }
        n += (p - start) / 2;
        const unsigned char *threes = p;
        while (end - p >= 3 && (*p & 0xf0) == 0xe0 && is_three(p)) {
            p += 3;
        }
        if (p > threes) {
            n += (p - threes) / 3;
            largest = Py_MAX(largest, 0xe0);
        }
        const unsigned char *fours = p;
        while (end - p >= 4 && *p >= 0xf0 && *p <= 0xf4 && is_four(p)) {
            p += 4;
        }
        if (p > fours) {
            n += (p - fours) / 4;
            largest = 0xf0;
        }
        if (p == start) {
            break;
        }
    }
    *count = n;
    *largest_lead = largest;
    return p;
}

#define TRANSCODE(UNIT)                                             \
    do {                                                            \
        UNIT *out = data;                                           \
        while (p < end) {                                           \
            if (*p < 0x80) {                                        \
                while (end - p >= 8 && !(load64(p) & HIGH_BITS)) {  \
                    for (int i = 0; i < 8; i++) {                   \
                        out[i] = p[i];                              \
                    }                                               \
                    out += 8;                                       \
                    p += 8;                                         \
                }                                                   \
                while (p < end && *p < 0x80) {                      \
                    *out++ = *p++;                                  \
                }                                                   \
                continue;                                           \
            }                                                       \
            for (uint64_t w; end - p >= 8 && are_twos(w = load64(p)); p += 8) { \
                w = values_of_twos(w);                              \
                for (int i = 0; i < 4; i++) {                       \
                    *out++ = (UNIT)(w >> (16 * i) & 0xffff);        \
                }                                                   \
            }                                                       \
            while (p < end && (*p & 0xe0) == 0xc0) {                \
                *out++ = (UNIT)sequence_value(p, 2);                \
                p += 2;                                             \
            }                                                       \
            while (p < end && (*p & 0xf0) == 0xe0) {                \
                *out++ = (UNIT)sequence_value(p, 3);                \
                p += 3;                                             \
            }                                                       \
            while (p < end && *p >= 0xf0) {                         \
                *out++ = (UNIT)sequence_value(p, 4);                \
                p += 4;                                             \
            }                                                       \
        }                                                           \
    } while (0)

static void
transcode(int kind, void *data, const unsigned char *p,
          const unsigned char *end)
{
    if (kind == 1) {
        TRANSCODE(Py_UCS1);
    }
    else if (kind == 2) {
        TRANSCODE(Py_UCS2);
    }
    else {
        TRANSCODE(Py_UCS4);
    }
}

static Py_UCS4
maxchar_of_lead(unsigned int lead)
{
    return lead < 0xc2 ? 0x7f : lead < 0xc4 ? 0xff : lead < 0xf0 ? 0xffff
        : MAX_UNICODE;
}

static PyObject *
decode_with_errors(const char *input, Py_ssize_t size, const char *errors,
                   Py_ssize_t *consumed)
{
    Decoder d;
    decoder_init(&d, "utf-8", errors, input, size);
    Py_ssize_t at = 0;
    while (at < d.end - d.start) {
        const unsigned char *p = (const unsigned char *)d.start + at;
        const unsigned char *end = (const unsigned char *)d.end;
        Py_ssize_t count;
        unsigned int lead;
        const unsigned char *stop = scan_valid(p, end, &count, &lead);
        if (count > 0) {
            if (_PyUnicodeWriter_Prepare(&d.writer, count,
                                         maxchar_of_lead(lead)) < 0)
            {
                return decoder_fail(&d);
            }
            transcode(d.writer.kind,
                      (void *)data_at(d.writer.kind, d.writer.data,
                                      d.writer.pos), p, stop);
            d.writer.pos += count;
        }
        at = (const char *)stop - d.start;
        if (stop == end) {
            break;
        }
        int bad, incomplete;
        const char *reason;
        check_sequence(stop, end, &bad, &reason, &incomplete);
        if (incomplete && consumed != NULL) {
            break;
        }
        at = decoder_error(&d, at, at + bad, reason);
        if (at < 0) {
            return decoder_fail(&d);
        }
    }
    if (consumed != NULL) {
        *consumed = at;
    }
    return decoder_finish(&d);
}

#define SHORT_INPUT 1024

/* Decodes text below U+10000 in one pass, by way of the stack. Returns NULL without an
   exception if the text is invalid or has larger characters. */
static PyObject *
decode_short(const unsigned char *p, const unsigned char *end)
{
    Py_UCS2 units[SHORT_INPUT], *out = units, seen = 0;
    while (p < end) {
        Py_UCS2 ch = *p;
        if (ch < 0x80) {
            if (end - p >= 8 && !(load64(p) & HIGH_BITS)) {
                for (int i = 0; i < 8; i++) {
                    out[i] = p[i];
                }
                out += 8;
                p += 8;
                continue;
            }
            *out++ = ch;
            p++;
            continue;
        }
        if (ch >= 0xc2 && ch < 0xe0 && end - p >= 2 && is_continuation(p[1])) {
            ch = (Py_UCS2)sequence_value(p, 2);
            p += 2;
        }
        else if ((ch & 0xf0) == 0xe0 && end - p >= 3 && is_three(p)) {
            ch = (Py_UCS2)sequence_value(p, 3);
            p += 3;
        }
        else {
            return NULL;
        }
        seen |= ch;
        *out++ = ch;
    }
    PyObject *op = PyUnicode_New(out - units, seen > 0xff ? 0xffff : 0xff);
    if (op == NULL) {
        PyErr_Clear();
        return NULL;
    }
    if (seen > 0xff) {
        memcpy(DATA(op), units, (size_t)(out - units) * sizeof(Py_UCS2));
    }
    else {
        Py_UCS1 *narrow = DATA(op);
        for (Py_ssize_t i = 0; i < out - units; i++) {
            narrow[i] = (Py_UCS1)units[i];
        }
    }
    return _PyUnicode_Result(op);
}

PyObject *
PyUnicode_DecodeUTF8Stateful(const char *input, Py_ssize_t size,
                             const char *errors, Py_ssize_t *consumed)
{
    if (_PyUnicode_CheckSize(size) < 0) {
        return NULL;
    }
    const unsigned char *p = (const unsigned char *)input, *end = p + size;
    if (consumed != NULL) {
        *consumed = size;
    }
    if (size == 0) {
        return _PyUnicode_NewEmpty();
    }
    if (size == 1 && *p < 0x80) {
        return _PyUnicode_FromLatin1Char(*p);
    }
    Py_ssize_t ascii = ascii_prefix(p, end);
    if (ascii == size) {
        return _PyUnicode_FromASCII(input, size);
    }
    if (size <= SHORT_INPUT) {
        PyObject *text = decode_short(p, end);
        if (text != NULL) {
            return text;
        }
    }
    Py_ssize_t count;
    unsigned int lead;
    if (scan_valid(p + ascii, end, &count, &lead) != end) {
        return decode_with_errors(input, size, errors, consumed);
    }
    PyObject *op = PyUnicode_New(ascii + count, maxchar_of_lead(lead));
    if (op == NULL) {
        return NULL;
    }
    const int kind = KIND(op);
    _PyUnicode_WidenCopy(kind, DATA(op), 1, p, ascii);
    transcode(kind, (void *)data_at(kind, DATA(op), ascii), p + ascii, end);
    return _PyUnicode_Result(op);
}

PyObject *
PyUnicode_DecodeUTF8(const char *input, Py_ssize_t size, const char *errors)
{
    return PyUnicode_DecodeUTF8Stateful(input, size, errors, NULL);
}

PyObject *
PyUnicode_FromStringAndSize(const char *text, Py_ssize_t size)
{
    if (size < 0) {
        PyErr_SetString(PyExc_SystemError,
                        "Negative size passed to "
                        "PyUnicode_FromStringAndSize");
        return NULL;
    }
    if (text != NULL) {
        return PyUnicode_DecodeUTF8Stateful(text, size, NULL, NULL);
    }
    if (size > 0 && PyErr_WarnEx(PyExc_DeprecationWarning,
                                 "PyUnicode_FromStringAndSize(NULL, size) "
                                 "is deprecated; use PyUnicode_New() "
                                 "instead", 1) < 0)
    {
        return NULL;
    }
    return _PyUnicode_NewLegacy(size);
}

PyObject *
PyUnicode_FromString(const char *text)
{
    size_t size = strlen(text);
    if (size > (size_t)PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError, "input too long");
        return NULL;
    }
    return PyUnicode_DecodeUTF8Stateful(text, (Py_ssize_t)size, NULL, NULL);
}

/* ----------------------------------------------------------------- encoding */

static inline int
is_surrogate(Py_UCS4 ch)
{
    return (ch & 0xfffff800) == 0xd800;
}

static inline int
encoded_length(Py_UCS4 ch)
{
    return ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
}

static inline char *
encode_char(char *out, Py_UCS4 ch)
{
    if (ch < 0x80) {
        *out++ = (char)ch;
    }
    else if (ch < 0x800) {
        *out++ = (char)(0xc0 | ch >> 6);
        *out++ = (char)(0x80 | (ch & 0x3f));
    }
    else if (ch < 0x10000) {
        *out++ = (char)(0xe0 | ch >> 12);
        *out++ = (char)(0x80 | (ch >> 6 & 0x3f));
        *out++ = (char)(0x80 | (ch & 0x3f));
    }
    else {
        *out++ = (char)(0xf0 | ch >> 18);
        *out++ = (char)(0x80 | (ch >> 12 & 0x3f));
        *out++ = (char)(0x80 | (ch >> 6 & 0x3f));
        *out++ = (char)(0x80 | (ch & 0x3f));
    }
    return out;
}

/* Four characters of 16 bits in a word, without waiting for the compiler to find that it can look
   at several at once. */
#define EACH_LANE UINT64_C(0x0001000100010001)

/* The highest bit of each lane: is there a bit in it? */
static inline uint64_t
lanes_not_zero(uint64_t x)
{
    return (((x & 0x7fff * EACH_LANE) + 0x7fff * EACH_LANE) | x) & 0x8000 * EACH_LANE;
}

/* The number of bytes for n characters, -1 if there is a surrogate. The caller knows
   that 4 * n does not overflow. */
static Py_ssize_t
measure_utf8(int kind, const void *data, Py_ssize_t n)
{
    Py_ssize_t size = n;
    if (kind == 1) {
        const Py_UCS1 *p = data;
        for (Py_ssize_t i = 0; i < n; i++) {
            size += p[i] >> 7;
        }
        return size;
    }
    int surrogate = 0;
    if (kind == 2) {
        const Py_UCS2 *p = data, *end = p + n;
        while (end - p >= 4) {
            /* So many words that the sum of all lanes fits in one. */
            const Py_UCS2 *part = p + Py_MIN((end - p) / 4, 8000) * 4;
            uint64_t more = 0, others = 0;
            for (; p < part; p += 4) {
                const uint64_t four = load64(p), high = four & 0xf800 * EACH_LANE;
                more += (lanes_not_zero(four & 0xff80 * EACH_LANE) >> 15)
                        + (lanes_not_zero(high) >> 15);
                others |= ~lanes_not_zero(high ^ 0xd800 * EACH_LANE);
            }
            size += (Py_ssize_t)(more * EACH_LANE >> 48);
            surrogate |= (others & 0x8000 * EACH_LANE) != 0;
        }
        for (; p < end; p++) {
            size += (*p >= 0x80) + (*p >= 0x800);
            surrogate |= is_surrogate(*p);
        }
    }
    else {
        const Py_UCS4 *p = data;
        for (Py_ssize_t i = 0; i < n; i++) {
            size += (p[i] >= 0x80) + (p[i] >= 0x800) + (p[i] >= 0x10000);
            surrogate |= is_surrogate(p[i]);
        }
    }
    return surrogate ? -1 : size;
}

#define WRITE_ALL(UNIT)                                 \
    do {                                                \
        const UNIT *p = data;                           \
        for (Py_ssize_t i = 0; i < n; i++) {            \
            out = encode_char(out, p[i]);               \
        }                                               \
    } while (0)

/* Returns the end of the output. */
static char *
write_utf8(char *out, int kind, const void *data, Py_ssize_t n)
{
    if (kind == 1) {
        WRITE_ALL(Py_UCS1);
    }
    else if (kind == 2) {
        WRITE_ALL(Py_UCS2);
    }
    else {
        WRITE_ALL(Py_UCS4);
    }
    return out;
}

/* The bytes that a short text may have. It is written at once, without measuring it first. */
#define SHORT_TEXT 512

/* n characters of one or two bytes, for which SHORT_TEXT suffices. Returns NULL if there is a
   surrogate. */
static char *
write_short(char *out, int kind, const void *data, Py_ssize_t n)
{
    if (kind == 1) {
        return write_utf8(out, kind, data, n);
    }
    const Py_UCS2 *p = data;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (is_surrogate(p[i])) {
            return NULL;
        }
        out = encode_char(out, p[i]);
    }
    return out;
}

/* Writes the handler's replacement for text[from:to]. */
static char *
write_replacement(_PyBytesWriter *w, char *out, Encoder *e,
                  PyObject *replacement, Py_ssize_t from, Py_ssize_t to)
{
    if (PyBytes_Check(replacement)) {
        return _PyBytesWriter_WriteBytes(w, out,
                                         PyBytes_AS_STRING(replacement),
                                         PyBytes_GET_SIZE(replacement));
    }
    if (!IS_ASCII(replacement)) {
        encoder_raise(e, from, to, "surrogates not allowed");
        return NULL;
    }
    return _PyBytesWriter_WriteBytes(w, out, DATA(replacement),
                                     LENGTH(replacement));
}

static PyObject *
encode_with_errors(PyObject *op, const char *errors)
{
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    Encoder e;
    _PyBytesWriter w;
    encoder_init(&e, "utf-8", errors, op);
    _PyBytesWriter_Init(&w);
    w.overallocate = 1;
    char *out = _PyBytesWriter_Alloc(&w, n);
    w.min_size = 0;
    for (Py_ssize_t i = 0; out != NULL && i < n;) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        if (!is_surrogate(ch)) {
            out = _PyBytesWriter_Prepare(&w, out, encoded_length(ch));
            if (out != NULL) {
                out = encode_char(out, ch);
            }
            i++;
            continue;
        }
        Py_ssize_t end = i + 1, next;
        while (end < n && is_surrogate(PyUnicode_READ(kind, data, end))) {
            end++;
        }
        PyObject *replacement = encoder_error(&e, i, end,
                                              "surrogates not allowed",
                                              &next);
        out = replacement == NULL ? NULL
            : write_replacement(&w, out, &e, replacement, i, end);
        Py_XDECREF(replacement);
        i = next;
    }
    return encoder_finish(&e, &w, out);
}

PyObject *
_PyUnicode_AsUTF8String(PyObject *op, const char *errors)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    const Py_ssize_t n = LENGTH(op);
    if (IS_ASCII(op)) {
        return PyBytes_FromStringAndSize(DATA(op), n);
    }
    if (!PyUnicode_IS_COMPACT_ASCII(op) && AS_COMPACT(op)->utf8 != NULL) {
        return PyBytes_FromStringAndSize(AS_COMPACT(op)->utf8,
                                         AS_COMPACT(op)->utf8_length);
    }
    const int kind = KIND(op);
    if (kind != 4 && n <= SHORT_TEXT / 3) {
        char text[SHORT_TEXT], *end = write_short(text, kind, DATA(op), n);
        return end == NULL ? encode_with_errors(op, errors)
                           : PyBytes_FromStringAndSize(text, end - text);
    }
    if (n > PY_SSIZE_T_MAX / 4) {
        return PyErr_NoMemory();
    }
    Py_ssize_t size = measure_utf8(KIND(op), DATA(op), n);
    if (size < 0) {
        return encode_with_errors(op, errors);
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (bytes != NULL) {
        write_utf8(PyBytes_AS_STRING(bytes), KIND(op), DATA(op), n);
    }
    return bytes;
}

PyObject *
PyUnicode_AsUTF8String(PyObject *op)
{
    return _PyUnicode_AsUTF8String(op, NULL);
}

/* ---------------------------------------------------- the cached UTF-8 text */

static int
fill_utf8_cache(PyObject *op)
{
    const Py_ssize_t n = LENGTH(op);
    Py_ssize_t size = n <= PY_SSIZE_T_MAX / 4
        ? measure_utf8(KIND(op), DATA(op), n) : -2;
    if (size == -1) {
        /* Raises the exception, because the text has surrogates. */
        Py_XDECREF(encode_with_errors(op, NULL));
        return -1;
    }
    char *text = size < 0 ? NULL : PyObject_Malloc((size_t)size + 1);
    if (text == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    write_utf8(text, KIND(op), DATA(op), n);
    text[size] = '\0';
    AS_COMPACT(op)->utf8 = text;
    AS_COMPACT(op)->utf8_length = size;
    return 0;
}

const char *
PyUnicode_AsUTF8AndSize(PyObject *op, Py_ssize_t *size)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadArgument();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    if (PyUnicode_IS_COMPACT_ASCII(op)) {
        if (size != NULL) {
            *size = LENGTH(op);
        }
        return DATA(op);
    }
    if (AS_COMPACT(op)->utf8 == NULL && fill_utf8_cache(op) < 0) {
        return NULL;
    }
    if (size != NULL) {
        *size = AS_COMPACT(op)->utf8_length;
    }
    return AS_COMPACT(op)->utf8;
}

const char *
PyUnicode_AsUTF8(PyObject *op)
{
    return PyUnicode_AsUTF8AndSize(op, NULL);
}
