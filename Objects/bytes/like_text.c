/* Methods of bytes and bytearray that treat them as ASCII text: case,
   predicates, padding, hexadecimal, decoding. See private.h. */
#include "private.h"
#include "internal/getargs.h"
#include "internal/kwargs.h"
#include "internal/wide_loop.h"

/* The value of a digit in any base up to 36; 37 for any other byte. */
#define DIGITS(first, value)                                            \
    [first] = value, [first + 1] = value + 1, [first + 2] = value + 2,  \
    [first + 3] = value + 3, [first + 4] = value + 4,                   \
    [first + 5] = value + 5, [first + 6] = value + 6,                   \
    [first + 7] = value + 7
#define LETTER_DIGITS(a)                                                \
    DIGITS(a, 10), DIGITS(a + 8, 18), DIGITS(a + 16, 26),               \
    [a + 24] = 34, [a + 25] = 35

const unsigned char _PyLong_DigitValue[256] = {
    [0 ... '0' - 1] = 37, DIGITS('0', 0), ['8'] = 8, ['9'] = 9,
    ['9' + 1 ... 'A' - 1] = 37, LETTER_DIGITS('A'),
    ['Z' + 1 ... 'a' - 1] = 37, LETTER_DIGITS('a'),
    ['z' + 1 ... 255] = 37,
};

/* --------------------------------------------------------------------- case */

static PyObject *
map_bytes(PyObject *self, const unsigned char *table)
{
    const unsigned char *data =
        (const unsigned char *)_PyBytesLike_Data(self);
    const Py_ssize_t n = Py_SIZE(self);
    PyObject *result = _PyBytesLike_New(self, NULL, n);
    if (result != NULL) {
        unsigned char *out = (unsigned char *)_PyBytesLike_Data(result);
        for (Py_ssize_t i = 0; i < n; i++) {
            out[i] = table[data[i]];
        }
    }
    return result;
}

PyObject *
_PyBytesLike_lower(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return map_bytes(self, _Py_ctype_tolower);
}

PyObject *
_PyBytesLike_upper(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return map_bytes(self, _Py_ctype_toupper);
}

PyObject *
_PyBytesLike_capitalize(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *result = map_bytes(self, _Py_ctype_tolower);
    if (result != NULL && Py_SIZE(result) > 0) {
        unsigned char *out = (unsigned char *)_PyBytesLike_Data(result);
        out[0] = _Py_ctype_toupper[out[0]];
    }
    return result;
}

PyObject *
_PyBytesLike_swapcase(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *result = map_bytes(self, _Py_ctype_tolower);
    const unsigned char *data =
        (const unsigned char *)_PyBytesLike_Data(self);
    if (result != NULL) {
        unsigned char *out = (unsigned char *)_PyBytesLike_Data(result);
        for (Py_ssize_t i = 0; i < Py_SIZE(result); i++) {
            if (Py_ISLOWER(data[i])) {
                out[i] = _Py_ctype_toupper[data[i]];
            }
        }
    }
    return result;
}

PyObject *
_PyBytesLike_title(PyObject *self, PyObject *Py_UNUSED(unused))
{
    PyObject *result = map_bytes(self, _Py_ctype_tolower);
    if (result != NULL) {
        unsigned char *out = (unsigned char *)_PyBytesLike_Data(result);
        int in_word = 0;
        for (Py_ssize_t i = 0; i < Py_SIZE(result); i++) {
            int letter = Py_ISALPHA(out[i]) != 0;
            if (letter && !in_word) {
                out[i] = _Py_ctype_toupper[out[i]];
            }
            in_word = letter;
        }
    }
    return result;
}

/* --------------------------------------------------------------- predicates */

static PyObject *
all_of_class(PyObject *self, unsigned int class)
{
    const unsigned char *data =
        (const unsigned char *)_PyBytesLike_Data(self);
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        if (!(_Py_ctype_table[data[i]] & class)) {
            Py_RETURN_FALSE;
        }
    }
    return PyBool_FromLong(Py_SIZE(self) > 0);
}

#define CLASS_METHOD(name, class)                                       \
    PyObject *                                                          \
    _PyBytesLike_##name(PyObject *self, PyObject *Py_UNUSED(unused))    \
    {                                                                   \
        return all_of_class(self, class);                               \
    }

CLASS_METHOD(isspace, PY_CTF_SPACE)
CLASS_METHOD(isalpha, PY_CTF_ALPHA)
CLASS_METHOD(isalnum, PY_CTF_ALNUM)
CLASS_METHOD(isdigit, PY_CTF_DIGIT)

PyObject *
_PyBytesLike_isascii(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const char *p = _PyBytesLike_Data(self), *end = p + Py_SIZE(self);
    while (end - p >= 8) {
        uint64_t word;
        memcpy(&word, p, sizeof(word));
        if (word & 0x8080808080808080u) {
            Py_RETURN_FALSE;
        }
        p += 8;
    }
    while (p < end) {
        if (*p++ & 0x80) {
            Py_RETURN_FALSE;
        }
    }
    Py_RETURN_TRUE;
}

static PyObject *
one_case(PyObject *self, unsigned int wanted, unsigned int other)
{
    const unsigned char *data =
        (const unsigned char *)_PyBytesLike_Data(self);
    unsigned int seen = 0;
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        unsigned int class = _Py_ctype_table[data[i]];
        if (class & other) {
            Py_RETURN_FALSE;
        }
        seen |= class & wanted;
    }
    return PyBool_FromLong(seen != 0);
}

PyObject *
_PyBytesLike_islower(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return one_case(self, PY_CTF_LOWER, PY_CTF_UPPER);
}

PyObject *
_PyBytesLike_isupper(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return one_case(self, PY_CTF_UPPER, PY_CTF_LOWER);
}

PyObject *
_PyBytesLike_istitle(PyObject *self, PyObject *Py_UNUSED(unused))
{
    const unsigned char *data =
        (const unsigned char *)_PyBytesLike_Data(self);
    int seen = 0, in_word = 0;
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        int upper = Py_ISUPPER(data[i]) != 0;
        int lower = Py_ISLOWER(data[i]) != 0;
        if ((upper && in_word) || (lower && !in_word)) {
            Py_RETURN_FALSE;
        }
        in_word = upper || lower;
        seen |= in_word;
    }
    return PyBool_FromLong(seen);
}

/* ------------------------------------------------------------------ padding */

static int
pad_args(const char *method, PyObject *const *args, Py_ssize_t nargs,
         Py_ssize_t *width, char *fill)
{
    *fill = ' ';
    if (!_PyArg_CheckPositional(method, nargs, 1, 2)
        || _PyArg_AsSsize(args[0], width) < 0)
    {
        return -1;
    }
    if (nargs < 2) {
        return 0;
    }
    if ((!PyBytes_Check(args[1]) && !PyByteArray_Check(args[1]))
        || Py_SIZE(args[1]) != 1)
    {
        _PyArg_BadArgument(method, "argument 2",
                           "a byte string of length 1", args[1]);
        return -1;
    }
    *fill = _PyBytesLike_Data(args[1])[0];
    return 0;
}

static PyObject *
pad(PyObject *self, Py_ssize_t left, Py_ssize_t right, char fill)
{
    const Py_ssize_t n = Py_SIZE(self);
    if (left <= 0 && right <= 0) {
        return _PyBytesLike_Unchanged(self);
    }
    PyObject *result = _PyBytesLike_New(self, NULL, left + n + right);
    if (result != NULL) {
        char *out = _PyBytesLike_Data(result);
        memset(out, fill, (size_t)left);
        memcpy(out + left, _PyBytesLike_Data(self), (size_t)n);
        memset(out + left + n, fill, (size_t)right);
    }
    return result;
}

PyObject *
_PyBytesLike_ljust(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t width;
    char fill;
    if (pad_args("ljust", args, nargs, &width, &fill) < 0) {
        return NULL;
    }
    return pad(self, 0, width > Py_SIZE(self) ? width - Py_SIZE(self) : 0,
               fill);
}

PyObject *
_PyBytesLike_rjust(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t width;
    char fill;
    if (pad_args("rjust", args, nargs, &width, &fill) < 0) {
        return NULL;
    }
    return pad(self, width > Py_SIZE(self) ? width - Py_SIZE(self) : 0, 0,
               fill);
}

PyObject *
_PyBytesLike_center(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t width;
    char fill;
    if (pad_args("center", args, nargs, &width, &fill) < 0) {
        return NULL;
    }
    Py_ssize_t margin = width > Py_SIZE(self) ? width - Py_SIZE(self) : 0;
    Py_ssize_t left = margin / 2 + (margin & width & 1);
    return pad(self, left, margin - left, fill);
}

PyObject *
_PyBytesLike_zfill(PyObject *self, PyObject *arg)
{
    Py_ssize_t width;
    if (_PyArg_AsSsize(arg, &width) < 0) {
        return NULL;
    }
    Py_ssize_t zeros = width - Py_SIZE(self);
    if (width <= Py_SIZE(self)) {
        return _PyBytesLike_Unchanged(self);
    }
    PyObject *result = pad(self, zeros, 0, '0');
    if (result != NULL && Py_SIZE(self) > 0) {
        char *out = _PyBytesLike_Data(result);
        if (out[zeros] == '+' || out[zeros] == '-') {
            out[0] = out[zeros];
            out[zeros] = '0';
        }
    }
    return result;
}

PyObject *
_PyBytesLike_expandtabs(PyObject *self, PyObject *const *args,
                        Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"tabsize", NULL};
    KEYWORD_PARSER(parser, "expandtabs", keywords);
    PyObject *given[1], *result = NULL;
    int tabsize = 8;
    if (unpack_keywords(args, nargs, kwnames, &parser, 1, given) < 0) {
        return NULL;
    }
    if (given[0] != NULL) {
        tabsize = _PyLong_AsInt(given[0]);
        if (tabsize == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    const char *data = _PyBytesLike_Data(self);
    char *out = NULL;
    /* The first pass measures, the second writes. */
    for (int writing = 0; writing < 2; writing++) {
        Py_ssize_t total = 0, column = 0;
        for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
            Py_ssize_t width = data[i] != '\t' ? 1
                : tabsize > 0 ? tabsize - column % tabsize : 0;
            if (width > PY_SSIZE_T_MAX - total) {
                PyErr_SetString(PyExc_OverflowError,
                                "result too long");
                return NULL;
            }
            if (writing) {
                memset(out + total, data[i] == '\t' ? ' ' : data[i],
                       (size_t)width);
            }
            total += width;
            column = data[i] == '\n' || data[i] == '\r' ? 0 : column + width;
        }
        if (!writing) {
            result = _PyBytesLike_New(self, NULL, total);
            if (result == NULL) {
                return NULL;
            }
            out = _PyBytesLike_Data(result);
        }
    }
    return result;
}

/* ------------------------------------------------- decoding and hexadecimal */

PyObject *
_PyBytesLike_decode(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *kwnames)
{
    static const char *const keywords[] = {"encoding", "errors", NULL};
    KEYWORD_PARSER(parser, "decode", keywords);
    PyObject *given[2];
    const char *encoding = NULL, *errors = NULL;
    if (unpack_keywords(args, nargs, kwnames, &parser, 2, given) < 0
        || codec_args("decode", given[0], given[1], &encoding, &errors) < 0) {
        return NULL;
    }
    return PyUnicode_FromEncodedObject(self, encoding, errors);
}

/* The separator of hex(), a single ASCII character. Returns -1 with an exception if it
   is invalid. No method of a str or bytes is called: it could change what is read. */
static int
separator_of(PyObject *sep, int as_bytes)
{
    Py_ssize_t length = PyUnicode_Check(sep) ? PyUnicode_GetLength(sep)
        : PyBytes_Check(sep) ? PyBytes_GET_SIZE(sep) : PyObject_Size(sep);
    if (length < 0) {
        return -1;
    }
    if (length != 1) {
        PyErr_SetString(PyExc_ValueError, "sep must be length 1.");
        return -1;
    }
    int ch;
    if (PyUnicode_Check(sep)) {
        if (PyUnicode_READY(sep) < 0) {
            return -1;
        }
        Py_UCS4 code = PyUnicode_READ_CHAR(sep, 0);
        ch = code > 255 ? 255 : (int)code;
    }
    else if (PyBytes_Check(sep)) {
        ch = (unsigned char)PyBytes_AS_STRING(sep)[0];
    }
    else {
        PyErr_SetString(PyExc_TypeError, "sep must be str or bytes.");
        return -1;
    }
    if (ch > 127 && !as_bytes) {
        PyErr_SetString(PyExc_ValueError, "sep must be ASCII.");
        return -1;
    }
    return ch;
}

/* Of 0 to 15. By arithmetic alone: a loop over it has no branch that depends on the data. */
static inline char
hex_digit(unsigned char value)
{
    const unsigned char is_letter = (unsigned char)(9 - value) >> 7;
    return (char)(value + '0' + is_letter * ('a' - '9' - 1));
}

static void
write_digits(char *restrict out, const unsigned char *restrict data, Py_ssize_t n)
{
    _Py_WIDE_LOOP
    for (Py_ssize_t i = 0; i < n; i++) {
        out[2 * i] = hex_digit(data[i] >> 4);
        out[2 * i + 1] = hex_digit(data[i] & 15);
    }
}

static PyObject *
hex_text(const unsigned char *data, Py_ssize_t n, PyObject *sep, int group,
         int as_bytes)
{
    int separator = 0;
    if (sep != NULL) {
        separator = separator_of(sep, as_bytes);
        if (separator < 0) {
            return NULL;
        }
    }
    const int from_left = group < 0;
    Py_ssize_t size = from_left ? -(Py_ssize_t)group : group;
    if (sep == NULL || size >= n) {
        size = 0;
    }
    Py_ssize_t separators = size > 0 && n > 0 ? (n - 1) / size : 0;
    if (n >= PY_SSIZE_T_MAX / 2 - separators) {
        return PyErr_NoMemory();
    }
    const Py_ssize_t total = 2 * n + separators;
    PyObject *result = as_bytes ? PyBytes_FromStringAndSize(NULL, total)
                                : PyUnicode_New(total, 127);
    if (result == NULL || total == 0) {
        return result;
    }
    char *out = as_bytes ? PyBytes_AS_STRING(result)
                         : (char *)PyUnicode_1BYTE_DATA(result);
    /* The first group; counted from the right, it may be a smaller one. */
    Py_ssize_t length = size == 0 ? n : from_left ? size : n - separators * size;
    for (;;) {
        write_digits(out, data, length);
        n -= length;
        if (n == 0) {
            return result;
        }
        data += length;
        out += 2 * length;
        *out++ = (char)separator;
        length = Py_MIN(size, n);
    }
}

PyObject *
_Py_strhex(const char *data, const Py_ssize_t size)
{
    return hex_text((const unsigned char *)data, size, NULL, 0, 0);
}

PyObject *
_Py_strhex_bytes(const char *data, const Py_ssize_t size)
{
    return hex_text((const unsigned char *)data, size, NULL, 0, 1);
}

PyObject *
_Py_strhex_with_sep(const char *data, const Py_ssize_t size, PyObject *sep,
                    const int bytes_per_group)
{
    return hex_text((const unsigned char *)data, size, sep, bytes_per_group,
                    0);
}

PyObject *
_Py_strhex_bytes_with_sep(const char *data, const Py_ssize_t size,
                          PyObject *sep, const int bytes_per_group)
{
    return hex_text((const unsigned char *)data, size, sep, bytes_per_group,
                    1);
}

PyObject *
_PyBytesLike_hex(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                 PyObject *kwnames)
{
    static const char *const keywords[] = {"sep", "bytes_per_sep", NULL};
    KEYWORD_PARSER(parser, "hex", keywords);
    PyObject *given[2];
    int group = 1;
    if (unpack_keywords(args, nargs, kwnames, &parser, 2, given) < 0) {
        return NULL;
    }
    if (given[1] != NULL) {
        group = _PyLong_AsInt(given[1]);
        if (group == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    return _Py_strhex_with_sep(_PyBytesLike_Data(self), Py_SIZE(self),
                               given[0], group);
}

/* Reads the pairs of digits of an ASCII text into out. Returns their number, or -1 -
   position of the first invalid character. */
static Py_ssize_t
read_hex(const unsigned char *text, Py_ssize_t n, char *out)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < n;) {
        unsigned int high = _PyLong_DigitValue[text[i]];
        if (high >= 16 && Py_ISSPACE(text[i])) {
            i++;
            continue;
        }
        if (high >= 16) {
            return -1 - i;
        }
        i++;
        unsigned int low = i < n ? _PyLong_DigitValue[text[i]] : 37;
        if (low >= 16) {
            return -1 - i;
        }
        out[count++] = (char)(high << 4 | low);
        i++;
    }
    return count;
}

PyObject *
_PyBytes_FromHex(PyObject *string, int use_bytearray)
{
    if (PyUnicode_READY(string) < 0) {
        return NULL;
    }
    const Py_ssize_t n = PyUnicode_GET_LENGTH(string);
    PyObject *result = use_bytearray
        ? PyByteArray_FromStringAndSize(NULL, n / 2)
        : PyBytes_FromStringAndSize(NULL, n / 2);
    if (result == NULL) {
        return NULL;
    }
    Py_ssize_t count;
    if (PyUnicode_IS_ASCII(string)) {
        char spare[2];
        char *out = n >= 2 ? _PyBytesLike_Data(result) : spare;
        count = read_hex(PyUnicode_1BYTE_DATA(string), n, out);
    }
    else {
        /* Even if the ASCII prefix has an error of its own, the message names the first
           character that is not ASCII. */
        Py_ssize_t i = 0;
        while (PyUnicode_READ_CHAR(string, i) < 128) {
            i++;
        }
        count = -1 - i;
    }
    if (count < 0) {
        PyErr_Format(PyExc_ValueError,
                     "non-hexadecimal number found in fromhex() arg at "
                     "position %zd", -1 - count);
        Py_DECREF(result);
        return NULL;
    }
    if (!use_bytearray) {
        _PyBytes_Resize(&result, count);
    }
    else if (PyByteArray_Resize(result, count) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

/* self is the class. */
PyObject *
_PyBytesLike_fromhex(PyObject *self, PyObject *string)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!PyUnicode_Check(string)) {
        _PyArg_BadArgument("fromhex", "argument", "str", string);
        return NULL;
    }
    const int as_bytes = PyType_IsSubtype(type, &PyBytes_Type);
    PyObject *result = _PyBytes_FromHex(string, !as_bytes);
    if (result != NULL && type != &PyBytes_Type
        && type != &PyByteArray_Type)
    {
        Py_SETREF(result, PyObject_CallOneArg(self, result));
    }
    return result;
}
