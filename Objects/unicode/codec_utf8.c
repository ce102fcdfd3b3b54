/* UTF-8.

   Input is read twice: once, many bytes at a time, to count the characters that it has if it is
   valid, and to find the largest lead; and once to check and decode it. Invalid input is rare; it
   is decoded with a writer and the error handlers. Text is measured before it is
   encoded. Both ways, eight characters at a time are looked at: are they ASCII? */
#include "codec_errors.h"

#define HIGH_BITS 0x8080808080808080u

static inline uint64_t
load64(const void *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof(word));
    return word;
}

/* How many bytes of a word are before the first whose high bit is set. */
static inline int
bytes_before(uint64_t high_bits)
{
    return (PY_LITTLE_ENDIAN ? __builtin_ctzll(high_bits) : __builtin_clzll(high_bits)) / 8;
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

typedef unsigned char Bytes __attribute__((vector_size(16)));
typedef signed char SignedBytes __attribute__((vector_size(16)));

/* How many characters there are in [p, end) if it is valid, else no fewer than there are valid ones.
   Finds the largest byte from 0xc0, which is a lead. */
static Py_ssize_t
count_characters(const unsigned char *p, const unsigned char *end, unsigned int *largest_lead)
{
    Py_ssize_t n = 0;
    unsigned int largest = 0;
    while (end - p >= (Py_ssize_t)sizeof(Bytes)) {
        Bytes some = {0}, most = {0};
        Py_ssize_t blocks = Py_MIN((end - p) / (Py_ssize_t)sizeof(Bytes), UCHAR_MAX);
        for (; blocks > 0; blocks--, p += sizeof(Bytes)) {
            Bytes block;
            memcpy(&block, p, sizeof(block));
            some -= (Bytes)((SignedBytes)block >= (signed char)0xc0);   /* no continuation */
            const Bytes larger = (Bytes)(block > most);
            most = (block & larger) | (most & ~larger);
        }
        for (size_t i = 0; i < sizeof(Bytes); i++) {
            n += some[i];
            largest = Py_MAX(largest, most[i]);
        }
    }
    for (; p < end; p++) {
        n += !is_continuation(*p);
        largest = Py_MAX(largest, *p);
    }
    *largest_lead = largest;
    return n;
}

typedef Py_UCS2 EightUCS2 __attribute__((vector_size(16)));
typedef Py_UCS4 EightUCS4 __attribute__((vector_size(32)));
typedef Py_UCS1 EightUCS1 __attribute__((vector_size(8)));

static inline __attribute__((always_inline)) void
widen_eight(int kind, void *data, Py_ssize_t at, const unsigned char *p)
{
    EightUCS1 bytes;
    memcpy(&bytes, p, sizeof(bytes));
    if (kind == 1) {
        memcpy((Py_UCS1 *)data + at, &bytes, sizeof(bytes));
    }
    else if (kind == 2) {
        const EightUCS2 wide = __builtin_convertvector(bytes, EightUCS2);
        memcpy((Py_UCS2 *)data + at, &wide, sizeof(wide));
    }
    else {
        const EightUCS4 wide = __builtin_convertvector(bytes, EightUCS4);
        memcpy((Py_UCS4 *)data + at, &wide, sizeof(wide));
    }
}

/* The character of three bytes at p, of which four can be read; 0: there is none. */
static inline Py_UCS4
value_of_three(const unsigned char *p)
{
    uint32_t word;
    memcpy(&word, p, sizeof(word));
    const Py_UCS4 ch = (word & 0x0f) << 12 | (word >> 2 & 0xfc0) | (word >> 16 & 0x3f);
    return PY_LITTLE_ENDIAN && (word & 0xc0c0f0) == 0x8080e0 && ch >= 0x800
           && (ch & 0xf800) != 0xd800 ? ch : 0;
}

/* Decodes sequences that are not ASCII, and characters of this kind, up to another. Returns the
   position after them. */
static inline __attribute__((always_inline)) const unsigned char *
decode_sequences(int kind, void *data, Py_ssize_t *written, const unsigned char *p,
                 const unsigned char *end)
{
    Py_ssize_t at = *written;
    if (kind > 1) {
        for (uint64_t w; end - p >= 8 && are_twos(w = load64(p)); p += 8) {
            w = values_of_twos(w);
            for (int i = 0; i < 4; i++) {
                PyUnicode_WRITE(kind, data, at + i, w >> (16 * i) & 0xffff);
            }
            at += 4;
        }
    }
    const unsigned char past_twos = kind == 1 ? 0xc4 : 0xe0;
    while (end - p >= 2 && *p >= 0xc2 && *p < past_twos && is_continuation(p[1])) {
        PyUnicode_WRITE(kind, data, at++, sequence_value(p, 2));
        p += 2;
    }
    for (Py_UCS4 ch; kind > 1 && end - p >= 4 && (ch = value_of_three(p)) != 0; p += 3) {
        PyUnicode_WRITE(kind, data, at++, ch);
    }
    while (kind > 1 && end - p >= 3 && (*p & 0xf0) == 0xe0 && is_three(p)) {
        PyUnicode_WRITE(kind, data, at++, sequence_value(p, 3));
        p += 3;
    }
    while (kind > 2 && end - p >= 4 && *p >= 0xf0 && *p <= 0xf4 && is_four(p)) {
        PyUnicode_WRITE(kind, data, at++, sequence_value(p, 4));
        p += 4;
    }
    *written = at;
    return p;
}

/* Decodes [p, end) up to what is invalid, or no character of this kind. There is room for as many
   characters as count_characters() gives. Returns the position after the last one. */
static inline __attribute__((always_inline)) const unsigned char *
decode_valid(int kind, void *data, Py_ssize_t room, const unsigned char *p,
             const unsigned char *end, Py_ssize_t *written)
{
    Py_ssize_t at = 0;
    const unsigned char *last;
    do {
        uint64_t high = 0;
        while (end - p >= 8 && room - at >= 8) {
            widen_eight(kind, data, at, p);
            high = load64(p) & HIGH_BITS;
            if (high != 0) {
                at += bytes_before(high);
                p += bytes_before(high);
                break;
            }
            at += 8;
            p += 8;
        }
        while (high == 0 && p < end && *p < 0x80) {
            PyUnicode_WRITE(kind, data, at++, *p++);
        }
        last = p;
        p = decode_sequences(kind, data, &at, p, end);
    } while (p > last);
    *written = at;
    return p;
}

static Py_UCS4
maxchar_of_lead(unsigned int lead)
{
    return lead < 0xc2 ? 0x7f : lead < 0xc4 ? 0xff : lead < 0xf0 ? 0xffff
        : MAX_UNICODE;
}

/* Decodes the valid sequences at p. The writer is widened only for a character that needs it.
   Returns the position after them, or NULL with MemoryError. */
static const unsigned char *
decode_to_writer(_PyUnicodeWriter *writer, const unsigned char *p, const unsigned char *end)
{
    for (;;) {
        if (_PyUnicodeWriter_Prepare(writer, end - p, 0x7f) < 0) {
            return NULL;
        }
        const int kind = (int)writer->kind;
        void *to = (void *)data_at(kind, writer->data, writer->pos);
        Py_ssize_t n;
        if (writer->maxchar < 0x80) {
            n = ascii_prefix(p, end);
            memcpy(to, p, (size_t)n);
            p += n;
        }
        else {
            p = BY_KIND(decode_valid, kind, to, end - p, p, end, &n);
        }
        writer->pos += n;
        int bad, incomplete;
        const char *reason;
        const int length = p == end ? 0 : check_sequence(p, end, &bad, &reason, &incomplete);
        if (length == 0) {
            return p;
        }
        if (_PyUnicodeWriter_WriteChar(writer, sequence_value(p, length)) < 0) {
            return NULL;
        }
        p += length;
    }
}

/* The first `at` bytes have been decoded to n characters of `valid`, whose reference is stolen. If it
   is NULL, nothing has been decoded, and an error comes before any character that is not ASCII. */
static PyObject *
decode_with_errors(const char *input, Py_ssize_t size, const char *errors,
                   Py_ssize_t *consumed, Py_ssize_t at, PyObject *valid, Py_ssize_t n)
{
    Decoder d;
    decoder_init(&d, "utf-8", errors, input, size);
    if (valid == NULL) {
        decoder_expect_error(&d);
    }
    else {
        d.writer.overallocate = 1;
        const int failed = _PyUnicodeWriter_WriteSubstring(&d.writer, valid, 0, n);
        Py_DECREF(valid);
        if (failed) {
            return decoder_fail(&d);
        }
    }
    while (at < d.end - d.start) {
        const unsigned char *end = (const unsigned char *)d.end;
        const unsigned char *stop = decode_to_writer(&d.writer, (const unsigned char *)d.start + at,
                                                     end);
        if (stop == NULL) {
            return decoder_fail(&d);
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

/* Where a sequence begins that the end of the input cuts; else the end. */
static const unsigned char *
end_of_whole(const unsigned char *p, const unsigned char *end)
{
    for (int back = 1; back <= 3 && back <= end - p; back++) {
        const unsigned char *lead = end - back;
        if (is_continuation(*lead)) {
            continue;
        }
        int bad, incomplete = 0;
        const char *reason;
        if (*lead >= 0xc0) {
            check_sequence(lead, end, &bad, &reason, &incomplete);
        }
        return incomplete ? lead : end;
    }
    return end;
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
        end = end_of_whole(p, end);
        *consumed = end - p;
    }
    if (p == end) {
        return _PyUnicode_NewEmpty();
    }
    if (end - p == 1 && *p < 0x80) {
        return _PyUnicode_FromLatin1Char(*p);
    }
    const Py_ssize_t ascii = ascii_prefix(p, end);
    if (ascii == end - p) {
        return _PyUnicode_FromASCII(input, ascii);
    }
    int bad, incomplete;
    const char *reason;
    if (errors != NULL && check_sequence(p + ascii, end, &bad, &reason, &incomplete) == 0
        && !incomplete) {
        return decode_with_errors(input, size, errors, consumed, 0, NULL, 0);
    }
    unsigned int lead;
    Py_ssize_t count = count_characters(p + ascii, end, &lead), written;
    PyObject *op = PyUnicode_New(ascii + count, maxchar_of_lead(lead));
    if (op == NULL) {
        return NULL;
    }
    const int kind = KIND(op);
    _PyUnicode_WidenCopy(kind, DATA(op), 1, p, ascii);
    const unsigned char *stop = BY_KIND(decode_valid, kind, (void *)data_at(kind, DATA(op), ascii),
                                        count, p + ascii, end, &written);
    if (stop != end) {
        return decode_with_errors(input, size, errors, consumed, stop - p, op, ascii + written);
    }
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

/* For each of many characters in a vector of type V, adds `more`, a vector of -1 and 0 that depends on
   `some`, to a lane's sum; `rounds` of these do not overflow it. */
#define SUM_BY_VECTORS(V, rounds, more)                                                  \
    do {                                                                                \
        const Py_ssize_t lanes = (Py_ssize_t)(sizeof(V) / sizeof(((V){0})[0]));         \
        while (end - p >= lanes) {                                                      \
            V sums = {0}, some;                                                         \
            for (Py_ssize_t i = Py_MIN((end - p) / lanes, rounds); i > 0; i--) {        \
                memcpy(&some, p, sizeof(some));                                         \
                sums -= (V)(more);                                                      \
                p += lanes;                                                             \
            }                                                                           \
            for (Py_ssize_t i = 0; i < lanes; i++) {                                    \
                size += (Py_ssize_t)sums[i];                                            \
            }                                                                           \
        }                                                                               \
    } while (0)

typedef Py_UCS2 Units2 __attribute__((vector_size(16)));
typedef int32_t Units4 __attribute__((vector_size(16)));

/* The number of bytes for n characters. The caller knows that 4 * n does not overflow. */
static Py_ssize_t
measure_utf8(int kind, const void *data, Py_ssize_t n)
{
    Py_ssize_t size = n;
    if (kind == 1) {
        const Py_UCS1 *p = data, *end = p + n;
        SUM_BY_VECTORS(Bytes, UCHAR_MAX, (SignedBytes)some < 0);
        for (; p < end; p++) {
            size += *p >= 0x80;
        }
    }
    else if (kind == 2) {
        const Py_UCS2 *p = data, *end = p + n;
        SUM_BY_VECTORS(Units2, INT16_MAX, ((some & 0xff80) != 0) + ((some & 0xf800) != 0));
        for (; p < end; p++) {
            size += (*p >= 0x80) + (*p >= 0x800);
        }
    }
    else {
        const Py_UCS4 *p = data, *end = p + n;
        SUM_BY_VECTORS(Units4, INT16_MAX, (some >= 0x80) + (some >= 0x800) + (some >= 0x10000));
        for (; p < end; p++) {
            size += (*p >= 0x80) + (*p >= 0x800) + (*p >= 0x10000);
        }
    }
    return size;
}

/* All bits of eight characters; of UCS1, not at their places. */
static inline __attribute__((always_inline)) Py_UCS4
bits_of_eight(int kind, const void *p)
{
    if (kind == 1) {
        return (load64(p) & HIGH_BITS) != 0 ? 0x80 : 0;
    }
    const char *words = p;
    uint64_t all = load64(words) | load64(words + 8);
    if (kind == 4) {
        all |= load64(words + 16) | load64(words + 24);
        return (Py_UCS4)(all | all >> 32);
    }
    all |= all >> 32;
    return (Py_UCS4)(all | all >> 16) & 0xffff;
}

static inline __attribute__((always_inline)) void
copy_ascii_eight(int kind, char *out, const void *p)
{
    EightUCS1 bytes;
    if (kind == 1) {
        memcpy(&bytes, p, sizeof(bytes));
    }
    else if (kind == 2) {
        EightUCS2 wide;
        memcpy(&wide, p, sizeof(wide));
        bytes = __builtin_convertvector(wide, EightUCS1);
    }
    else {
        EightUCS4 wide;
        memcpy(&wide, p, sizeof(wide));
        bytes = __builtin_convertvector(wide, EightUCS1);
    }
    memcpy(out, &bytes, sizeof(bytes));
}

/* Here text differs most, so that there are no branches: characters are encoded in the lanes of a
   vector, and each is written with what follows it in its lane, which the next one overwrites. */

/* Eight characters below 0x800. One byte more is written. */
static inline __attribute__((always_inline)) char *
encode_eight(int kind, char *out, const void *p)
{
    typedef int16_t Lanes __attribute__((vector_size(16)));
    Lanes ch;
    if (kind == 1) {
        EightUCS1 bytes;
        memcpy(&bytes, p, sizeof(bytes));
        ch = __builtin_convertvector(bytes, Lanes);
    }
    else if (kind == 2) {
        memcpy(&ch, p, sizeof(ch));
    }
    else {
        EightUCS4 wide;
        memcpy(&wide, p, sizeof(wide));
        ch = __builtin_convertvector(wide, Lanes);
    }
    const Lanes is_two = ch >= 0x80;
    const Lanes two = (Lanes)(0xc0 + (ch >> 6)) | ((ch & 0x3f) + 0x80) << 8;
    const Lanes code = (two & is_two) | (ch & ~is_two), length = 1 - is_two;
    int16_t codes[8], lengths[8];
    memcpy(codes, &code, sizeof(codes));
    memcpy(lengths, &length, sizeof(lengths));
    for (int i = 0; i < 8; i++) {
        memcpy(out, &codes[i], sizeof(codes[i]));
        out += lengths[i];
    }
    return out;
}

/* Four characters of any length. Three bytes more may be written. */
static inline __attribute__((always_inline)) char *
encode_four(int kind, char *out, const void *p)
{
    typedef Py_UCS2 FourUCS2 __attribute__((vector_size(8)));
    typedef int32_t Lanes __attribute__((vector_size(16)));
    Lanes ch;
    if (kind == 4) {
        memcpy(&ch, p, sizeof(ch));
    }
    else {
        FourUCS2 narrow;
        memcpy(&narrow, p, sizeof(narrow));
        ch = __builtin_convertvector(narrow, Lanes);
    }
    const Lanes is_two = ch >= 0x80, is_three = ch >= 0x800;
    const Lanes last = (ch & 0x3f) + 0x80, middle = (ch >> 6 & 0x3f) + 0x80;
    Lanes code = (((0xc0 + (ch >> 6)) | last << 8) & is_two) | (ch & ~is_two);
    code = (((0xe0 + (ch >> 12)) | middle << 8 | last << 16) & is_three) | (code & ~is_three);
    Lanes length = 1 - is_two - is_three;
    if (kind == 4) {
        const Lanes is_four = ch >= 0x10000, second = (ch >> 12 & 0x3f) + 0x80;
        const Lanes four = (0xf0 + (ch >> 18)) | second << 8 | middle << 16 | last << 24;
        code = (four & is_four) | (code & ~is_four);
        length -= is_four;
    }
    int32_t codes[4], lengths[4];
    memcpy(codes, &code, sizeof(codes));
    memcpy(lengths, &length, sizeof(lengths));
    for (int i = 0; i < 4; i++) {
        memcpy(out, &codes[i], sizeof(codes[i]));
        out += lengths[i];
    }
    return out;
}

static inline __attribute__((always_inline)) int
has_surrogate(int kind, const void *data, Py_ssize_t n)
{
    int found = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        found |= is_surrogate(PyUnicode_READ(kind, data, i));
    }
    return found;
}

/* Returns the end of the output, or NULL at a surrogate. There is room for the text. */
static inline __attribute__((always_inline)) char *
write_kind(int kind, char *out, const void *data, Py_ssize_t n)
{
    const char *p = data;
    enum { BEHIND = 3 };                /* may be written with the last of eight characters */
    for (; PY_LITTLE_ENDIAN && n >= 8 + BEHIND; n -= 8, p += 8 * kind) {
        const Py_UCS4 bits = bits_of_eight(kind, p);
        if (bits < 0x80) {
            copy_ascii_eight(kind, out, p);
            out += 8;
        }
        else if (kind == 1 || bits < 0x800) {
            out = encode_eight(kind, out, p);
        }
        else if (!has_surrogate(kind, p, 8)) {
            out = encode_four(kind, out, p);
            out = encode_four(kind, out, p + 4 * kind);
        }
        else {
            return NULL;
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        const Py_UCS4 ch = PyUnicode_READ(kind, p, i);
        if (kind > 1 && is_surrogate(ch)) {
            return NULL;
        }
        out = encode_char(out, ch);
    }
    return out;
}

static char *
write_utf8(char *out, int kind, const void *data, Py_ssize_t n)
{
    return BY_KIND(write_kind, kind, out, data, n);
}

/* The bytes that a short text may have. It is written at once, without measuring it first. */
#define SHORT_TEXT 512

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

/* Writes text whose surrogates are handled one by one. Returns the end of the output, or NULL at a
   surrogate that stands for no byte. There is room for the text. */
static inline __attribute__((always_inline)) char *
write_handled(int kind, char *out, const void *data, Py_ssize_t n, _Py_error_handler handler)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        const Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        if (!is_surrogate(ch) || handler == _Py_ERROR_SURROGATEPASS) {
            out = encode_char(out, ch);
        }
        else if (handler == _Py_ERROR_REPLACE) {
            *out++ = '?';
        }
        else if (handler == _Py_ERROR_SURROGATEESCAPE) {
            if (ch < 0xdc80 || ch > 0xdcff) {
                return NULL;
            }
            *out++ = (char)(ch - 0xdc00);
        }
    }
    return out;
}

/* Returns NULL without an exception if the text has to be encoded with calls of a handler. */
static PyObject *
encode_handled(PyObject *op, _Py_error_handler handler)
{
    if (handler != _Py_ERROR_SURROGATEESCAPE && handler != _Py_ERROR_SURROGATEPASS
        && handler != _Py_ERROR_REPLACE && handler != _Py_ERROR_IGNORE) {
        return NULL;
    }
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    if (n <= SHORT_TEXT / 4) {
        char text[SHORT_TEXT], *end = BY_KIND(write_handled, kind, text, data, n, handler);
        return end == NULL ? NULL : PyBytes_FromStringAndSize(text, end - text);
    }
    PyObject *bytes = n > PY_SSIZE_T_MAX / 4
        ? PyErr_NoMemory() : PyBytes_FromStringAndSize(NULL, measure_utf8(kind, data, n));
    if (bytes != NULL) {
        char *start = PyBytes_AS_STRING(bytes);
        char *end = BY_KIND(write_handled, kind, start, data, n, handler);
        if (end == NULL) {
            Py_CLEAR(bytes);
        }
        else {
            (void)_PyBytes_Resize(&bytes, end - start);
        }
    }
    return bytes;
}

static PyObject *
encode_with_errors(PyObject *op, const char *errors)
{
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    PyObject *bytes = encode_handled(op, _Py_GetErrorHandler(errors));
    if (bytes != NULL || PyErr_Occurred()) {
        return bytes;
    }
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
        if (encoder_escape(&e, &w, &out, i, end)) {
            i = end;
            continue;
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
        char text[SHORT_TEXT], *end = write_utf8(text, kind, DATA(op), n);
        return end == NULL ? encode_with_errors(op, errors)
                           : PyBytes_FromStringAndSize(text, end - text);
    }
    if (n > PY_SSIZE_T_MAX / 4) {
        return PyErr_NoMemory();
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, measure_utf8(kind, DATA(op), n));
    if (bytes != NULL && write_utf8(PyBytes_AS_STRING(bytes), kind, DATA(op), n) == NULL) {
        Py_DECREF(bytes);
        return encode_with_errors(op, errors);
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
    Py_ssize_t size = n <= PY_SSIZE_T_MAX / 4 ? measure_utf8(KIND(op), DATA(op), n) : -1;
    char *text = size < 0 ? NULL : PyObject_Malloc((size_t)size + 1);
    if (text == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (write_utf8(text, KIND(op), DATA(op), n) == NULL) {
        PyObject_Free(text);
        /* Raises the exception, because the text has surrogates. */
        Py_XDECREF(encode_with_errors(op, NULL));
        return -1;
    }
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
