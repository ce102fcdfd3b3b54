/* Ints to text and back.

   Output: digits are written into a buffer from its end (words), made by mpn_get_str
   (decimal, more than 64 bits), or sliced from the bits (bases 2, 4, 8, 16, 32). They
   are then copied to their destination: a str or a writer.

   Input: one scan validates the literal and finds its digits; they are then converted
   in words, by bits or by mpn_set_str. Conversions whose cost is not linear, between
   decimal and binary, are refused beyond interp->int_max_str_digits. */

#include "by_gmp.h"
#include "internal/bytes.h"
#include "internal/pystate.h"
#include "internal/unicode.h"

#define TOO_MANY_DIGITS_TO_TEXT                                            \
    "Exceeds the limit (%d digits) for integer string conversion; "        \
    "use sys.set_int_max_str_digits() to increase the limit"
#define TOO_MANY_DIGITS_FROM_TEXT                                          \
    "Exceeds the limit (%d digits) for integer string conversion: "        \
    "value has %zd digits; "                                               \
    "use sys.set_int_max_str_digits() to increase the limit"

static int
max_str_digits(void)
{
    return _PyInterpreterState_GET()->int_max_str_digits;
}

static int
refuse_to_text(int limit)
{
    PyErr_Format(PyExc_ValueError, TOO_MANY_DIGITS_TO_TEXT, limit);
    return -1;
}

/* ------------------------------------------------------------------- output */

/* "000102…99" */
static const char digit_pairs[] =
    "0001020304050607080910111213141516171819"
    "2021222324252627282930313233343536373839"
    "4041424344454647484950515253545556575859"
    "6061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

static char *
write_decimal_word(uint64_t v, char *end)
{
    while (v >= 100) {
        end -= 2;
        memcpy(end, digit_pairs + 2 * (v % 100), 2);
        v /= 100;
    }
    if (v >= 10) {
        end -= 2;
        memcpy(end, digit_pairs + 2 * v, 2);
    }
    else {
        *--end = (char)('0' + v);
    }
    return end;
}

/* The text of an int in memory: characters inside `heap`, or inside `local` if they
   fit. */
struct int_text {
    char *start;
    Py_ssize_t len;
    char *heap;
    char local[72];
};

static int
text_room(struct int_text *text, size_t n)
{
    text->heap = NULL;
    text->start = text->local;
    if (n > sizeof(text->local)) {
        if (n > PY_SSIZE_T_MAX || (text->heap = PyMem_Malloc(n)) == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        text->start = text->heap;
    }
    return 0;
}

/* For more than a word, base 10. */
static int
big_decimal_text(PyLongObject *op, struct int_text *text)
{
    size_t nbits = _PyLong_NumBits((PyObject *)op);
    int limit = 0;
    if (nbits / 4 > _PY_LONG_MAX_STR_DIGITS_THRESHOLD * 3 / 4) {
        /* A number of n bits has more than 0.30102 * (n - 1) digits. If that is already
           too many, don't start. (No memory holds so many bits that this overflows.) */
        limit = max_str_digits();
        if (limit > 0 && (nbits - 1) * 30102 / 100000 >= (size_t)limit) {
            return refuse_to_text(limit);
        }
    }
    size_t room = nbits / 3 + 3;
    _PyLimbs scratch;
    if (text_room(text, room) < 0) {
        return -1;
    }
    if (_PyLimbs_Alloc(&scratch,
                       _PyLong_LimbCount((size_t)Py_ABS(Py_SIZE(op)))) < 0) {
        PyMem_Free(text->heap);
        return -1;
    }
    size_t n = _PyLong_ToLimbs(op, scratch.p);
    /* One byte stays free for the sign. */
    unsigned char *out = (unsigned char *)text->start + 1;
    size_t len = mpn_get_str(out, 10, scratch.p, (mp_size_t)n);
    _PyLimbs_Free(&scratch);
    while (len > 1 && *out == 0) {
        out++;
        len--;
    }
    if (limit > 0 && len > (size_t)limit) {
        PyMem_Free(text->heap);
        return refuse_to_text(limit);
    }
    for (size_t i = 0; i < len; i++) {
        out[i] += '0';
    }
    if (Py_SIZE(op) < 0) {
        *--out = '-';
        len++;
    }
    text->start = (char *)out;
    text->len = (Py_ssize_t)len;
    return 0;
}

/* Writes the characters of op before `end`, down to `start`. Two digits have whole
   characters of 1, 3 or 4 bits, which is a constant where this is called. */
static inline __attribute__((always_inline)) void
write_binary(const PyLongObject *op, int bits_per_char, char *start, char *end)
{
    const Py_ssize_t ndigits = Py_ABS(Py_SIZE(op));
    Py_ssize_t k = 0;
    while (end > start) {
        uint64_t bits = k < ndigits ? op->ob_digit[k] : 0;
        if (k + 1 < ndigits) {
            bits |= (uint64_t)op->ob_digit[k + 1] << PyLong_SHIFT;
        }
        k += 2;
        const Py_ssize_t most = 2 * PyLong_SHIFT / bits_per_char;
        char *stop = end - start > most ? end - most : start;
        while (end > stop) {
            *--end = Py_hexdigits[bits & ((1u << bits_per_char) - 1)];
            bits >>= bits_per_char;
        }
    }
}

static int
binary_text(PyLongObject *op, int bits_per_char, int alternate,
            struct int_text *text)
{
    Py_ssize_t ndigits = Py_ABS(Py_SIZE(op));
    size_t nbits = _PyLong_NumBits((PyObject *)op);
    if (nbits == (size_t)-1 && PyErr_Occurred()) {
        return -1;
    }
    size_t len = ndigits == 0 ? 1 : (nbits - 1) / (size_t)bits_per_char + 1;
    if (len > PY_SSIZE_T_MAX - 3) {
        PyErr_SetString(PyExc_OverflowError, "int too large to format");
        return -1;
    }
    if (text_room(text, len + 3) < 0) {
        return -1;
    }
    char *p = text->start + len + 3;
    char *digits_start = p - len;
    switch (bits_per_char) {
    case 1: write_binary(op, 1, digits_start, p); break;
    case 3: write_binary(op, 3, digits_start, p); break;
    default: write_binary(op, 4, digits_start, p);
    }
    p = digits_start;
    if (alternate) {
        *--p = bits_per_char == 4 ? 'x' : bits_per_char == 3 ? 'o' : 'b';
        *--p = '0';
    }
    if (Py_SIZE(op) < 0) {
        *--p = '-';
    }
    text->len = text->start + len + 3 - p;
    text->start = p;
    return 0;
}

/* The text of op in base 2, 8, 10 or 16. The caller frees text->heap. */
static int
int_to_text(PyObject *op, int base, int alternate, struct int_text *text)
{
    int64_t v;
    if (base != 10) {
        return binary_text((PyLongObject *)op,
                           base == 16 ? 4 : base == 8 ? 3 : 1, alternate,
                           text);
    }
    if (!_PyLong_AsInt64Exact(op, &v)) {
        return big_decimal_text((PyLongObject *)op, text);
    }
    char *end = text->local + sizeof(text->local);
    char *p = write_decimal_word(v < 0 ? 0 - (uint64_t)v : (uint64_t)v, end);
    if (v < 0) {
        *--p = '-';
    }
    text->heap = NULL;
    text->start = p;
    text->len = end - p;
    return 0;
}

static int
check_format_args(PyObject *op, int base)
{
    if (op == NULL || !PyLong_Check(op)
        || (base != 2 && base != 8 && base != 10 && base != 16)) {
        PyErr_BadInternalCall();
        return -1;
    }
    return 0;
}

static PyObject *
format_as_str(PyObject *op, int base)
{
    struct int_text text;
    if (int_to_text(op, base, base != 10, &text) < 0) {
        return NULL;
    }
    PyObject *str = _PyUnicode_FromASCII(text.start, text.len);
    PyMem_Free(text.heap);
    return str;
}

PyObject *
_PyLong_Repr(PyObject *op)
{
    return format_as_str(op, 10);
}

PyObject *
_PyLong_Format(PyObject *op, int base)
{
    if (check_format_args(op, base) < 0) {
        return NULL;
    }
    return format_as_str(op, base);
}

int
_PyLong_FormatWriter(_PyUnicodeWriter *writer, PyObject *op, int base,
                     int alternate)
{
    struct int_text text;
    if (check_format_args(op, base) < 0
        || int_to_text(op, base, alternate, &text) < 0) {
        return -1;
    }
    int result = _PyUnicodeWriter_WriteASCIIString(writer, text.start,
                                                   text.len);
    PyMem_Free(text.heap);
    return result;
}

/* -------------------------------------------------------------------- input */

/* The parts of a literal: its digits, perhaps with underscores in between. */
struct literal {
    const char *digits;
    const char *end;            /* after the last digit */
    const char *rest;           /* after trailing whitespace */
    Py_ssize_t ndigits;         /* without underscores */
    int base;
    int negative;
};

/* 37: not a digit. */
static inline int
digit_value(char c)
{
    return _PyLong_DigitValue[(unsigned char)c];
}

static int
prefix_base(const char *s)
{
    if (s[0] != '0') {
        return 10;
    }
    switch (s[1] | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    }
    return 0;
}

/* Returns 0, or -1 when s does not begin with a literal in that base. lit->base is set in
   any case: to what base 0 stands for here, if it can stand for something. So is lit->rest: to
   what isn't understood. */
static int
scan_literal(const char *s, int base, struct literal *lit)
{
    int zero_only = 0;
    while (Py_ISSPACE(*s)) {
        s++;
    }
    lit->negative = *s == '-';
    if (*s == '-' || *s == '+') {
        s++;
    }
    int marked = prefix_base(s);
    if (base == 0) {
        /* "0", "00" and "0_0", but not "07", which once meant octal. */
        zero_only = marked == 0;
        base = marked == 0 ? 10 : marked;
    }
    if (marked == base && base != 10) {
        s += 2;
        s += *s == '_';
    }
    lit->base = base;
    lit->digits = s;
    lit->ndigits = 0;
    char previous = 0;
    if (base == 10 && !zero_only) {
        for (; *s >= '0' && *s <= '9'; s++) {
        }
        lit->ndigits = s - lit->digits;
        previous = '0';         /* if there is none, ndigits says so */
    }
    for (;; previous = *s++) {
        if (*s == '_') {
            if (previous == '_' || lit->ndigits == 0) {
                lit->rest = s - (previous == '_');
                return -1;
            }
            continue;
        }
        int value = digit_value(*s);
        if (value >= base) {
            break;
        }
        if (zero_only && value != 0) {
            lit->base = 0;
            lit->rest = s;
            return -1;
        }
        lit->ndigits++;
    }
    if (lit->ndigits == 0 || previous == '_') {
        lit->rest = s - (previous == '_');
        return -1;
    }
    lit->end = s;
    while (Py_ISSPACE(*s)) {
        s++;
    }
    lit->rest = s;
    return 0;
}

/* Sets an exception if there are more digits than may be converted: before anyone looks at what
   follows them, as in python3.11. Returns 0 or -1. */
static int
check_digits(const struct literal *lit)
{
    if (lit->ndigits > _PY_LONG_MAX_STR_DIGITS_THRESHOLD && (lit->base & (lit->base - 1)) != 0) {
        int limit = max_str_digits();
        if (limit > 0 && lit->ndigits > limit) {
            PyErr_Format(PyExc_ValueError, TOO_MANY_DIGITS_FROM_TEXT, limit, lit->ndigits);
            return -1;
        }
    }
    return 0;
}

static PyObject *
literal_from_bits(const struct literal *lit)
{
    int bits_per_char = __builtin_ctz((unsigned)lit->base);
    if (lit->ndigits > PY_SSIZE_T_MAX / bits_per_char - PyLong_SHIFT) {
        PyErr_SetString(PyExc_ValueError,
                        "int string too large to convert");
        return NULL;
    }
    Py_ssize_t ndigits = (lit->ndigits * bits_per_char + PyLong_SHIFT - 1)
        / PyLong_SHIFT;
    PyLongObject *op = _PyLong_New(ndigits);
    if (op == NULL) {
        return NULL;
    }
    uint64_t pending = 0;
    int npending = 0;
    Py_ssize_t k = 0;
    for (const char *p = lit->end; p > lit->digits; ) {
        if (*--p == '_') {
            continue;
        }
        pending |= (uint64_t)digit_value(*p) << npending;
        npending += bits_per_char;
        if (npending >= PyLong_SHIFT) {
            op->ob_digit[k++] = (digit)pending & PyLong_MASK;
            pending >>= PyLong_SHIFT;
            npending -= PyLong_SHIFT;
        }
    }
    while (k < ndigits) {
        op->ob_digit[k++] = (digit)pending;
        pending = 0;
    }
    if (lit->negative) {
        Py_SET_SIZE(op, -ndigits);
    }
    return _PyLong_Finish(op);
}

static PyObject *
literal_from_word(const struct literal *lit)
{
    int64_t v = 0;
    for (const char *p = lit->digits; p < lit->end; p++) {
        if (*p != '_') {
            v = v * lit->base + digit_value(*p);
        }
    }
    return _PyLong_FromInt64(lit->negative ? -v : v);
}

/* So few digits that multiplying by the base's powers is no slower than what GMP does. No limit
   applies to them. */
#define FEW_DIGITS _PY_LONG_MAX_STR_DIGITS_THRESHOLD

/* 36**11 < 2**63, 10**18 < 2**63 */
static inline int
digits_of_word(int base)
{
    return base <= 10 ? 18 : 11;
}

static PyObject *
literal_from_few(const struct literal *lit)
{
    /* log2(36) < 5.17 */
    mp_limb_t limbs[FEW_DIGITS * 517 / 6400 + 2];
    size_t n = 0;
    const int most = digits_of_word(lit->base);
    for (const char *p = lit->digits; p < lit->end; ) {
        uint64_t word = 0, scale = 1;
        for (int i = 0; i < most && p < lit->end; p++) {
            if (*p != '_') {
                word = word * (unsigned)lit->base + (unsigned)digit_value(*p);
                scale *= (unsigned)lit->base;
                i++;
            }
        }
        for (size_t i = 0; i < n; i++) {
            unsigned __int128 product = (unsigned __int128)limbs[i] * scale + word;
            limbs[i] = (mp_limb_t)product;
            word = (uint64_t)(product >> 64);
        }
        if (word != 0) {
            limbs[n++] = word;
        }
    }
    return n == 0 ? _PyLong_GetSmall(0) : _PyLong_FromLimbs(limbs, n, lit->negative);
}

static PyObject *
literal_from_many(const struct literal *lit)
{
    unsigned char *values = PyMem_Malloc((size_t)lit->ndigits);
    if (values == NULL) {
        return PyErr_NoMemory();
    }
    size_t n = 0;
    for (const char *p = lit->digits; p < lit->end; p++) {
        int value = digit_value(*p);
        if (*p != '_' && (n > 0 || value != 0)) {
            values[n++] = (unsigned char)value;
        }
    }
    PyObject *result = NULL;
    /* log2(36) < 5.17 */
    size_t room = (size_t)((double)n * 5.17 / 64) + 3;
    _PyLimbs scratch;
    if (n == 0) {
        result = _PyLong_GetSmall(0);
    }
    else if (_PyLimbs_Alloc(&scratch, room) == 0) {
        size_t nlimbs = (size_t)mpn_set_str(scratch.p, values, n, lit->base);
        result = _PyLong_FromLimbs(scratch.p, nlimbs, lit->negative);
        _PyLimbs_Free(&scratch);
    }
    PyMem_Free(values);
    return result;
}

static PyObject *
literal_value(const struct literal *lit)
{
    if (lit->ndigits <= digits_of_word(lit->base)) {
        return literal_from_word(lit);
    }
    if ((lit->base & (lit->base - 1)) == 0) {
        return literal_from_bits(lit);
    }
    return lit->ndigits <= FEW_DIGITS ? literal_from_few(lit) : literal_from_many(lit);
}

static void
invalid_literal(int base, PyObject *text)
{
    PyErr_Format(PyExc_ValueError,
                 "invalid literal for int() with base %d: %.200R", base, text);
}

static int
check_base(int base)
{
    if ((base != 0 && base < 2) || base > 36) {
        PyErr_SetString(PyExc_ValueError,
                        "int() arg 2 must be >= 2 and <= 36");
        return -1;
    }
    return 0;
}

PyObject *
PyLong_FromString(const char *str, char **pend, int base)
{
    struct literal lit;
    if (check_base(base) < 0) {
        return NULL;
    }
    int is_literal = scan_literal(str, base, &lit) == 0;
    if (is_literal && check_digits(&lit) < 0) {
        return NULL;
    }
    if (pend != NULL) {
        *pend = (char *)lit.rest;
    }
    if (is_literal && *lit.rest == '\0') {
        return literal_value(&lit);
    }
    PyObject *text = PyUnicode_FromStringAndSize(
        str, (Py_ssize_t)strnlen(str, 200));
    if (text != NULL) {
        invalid_literal(lit.base, text);
        Py_DECREF(text);
    }
    return NULL;
}

/* The value of a whole NUL-terminated buffer of len bytes. Returns NULL without an
   exception if it is not a literal of few enough digits. */
static PyObject *
value_of_buffer(const char *s, Py_ssize_t len, int base)
{
    struct literal lit;
    if (scan_literal(s, base, &lit) < 0 || check_digits(&lit) < 0 || lit.rest != s + len) {
        return NULL;
    }
    return literal_value(&lit);
}

PyObject *
_PyLong_FromBytes(const char *s, Py_ssize_t len, int base)
{
    PyObject *result = value_of_buffer(s, len, base);
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(s, Py_MIN(len, 200));
    if (bytes != NULL) {
        invalid_literal(base, bytes);
        Py_DECREF(bytes);
    }
    return NULL;
}

PyObject *
PyLong_FromUnicodeObject(PyObject *u, int base)
{
    PyObject *ascii;
    if (!PyUnicode_Check(u)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyUnicode_READY(u) < 0 || check_base(base) < 0) {
        return NULL;
    }
    if (PyUnicode_IS_ASCII(u)) {
        ascii = Py_NewRef(u);
    }
    else {
        ascii = _PyUnicode_TransformDecimalAndSpaceToASCII(u);
        if (ascii == NULL) {
            return NULL;
        }
    }
    PyObject *result = value_of_buffer(PyUnicode_DATA(ascii),
                                       PyUnicode_GET_LENGTH(ascii), base);
    if (result == NULL && !PyErr_Occurred()) {
        invalid_literal(base, u);
    }
    Py_DECREF(ascii);
    return result;
}
