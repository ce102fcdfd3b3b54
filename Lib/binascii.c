/* binascii: binary data as hexadecimal, base64, uuencoded and quoted-printable
   text, and checksums. */

#include "Python.h"
#include "internal/bytes.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include <zlib.h>

typedef struct {
    PyObject *Error;
    PyObject *Incomplete;
} binascii_state;

static binascii_state *
state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

static PyObject *
raise_error(PyObject *module, const char *message)
{
    PyErr_SetString(state_of(module)->Error, message);
    return NULL;
}

/* A view of an argument that decoders take: bytes-like, or an ASCII str. */
static int
take_ascii(PyObject *arg, Py_buffer *view)
{
    if (PyUnicode_Check(arg)) {
        if (PyUnicode_READY(arg) < 0) {
            return -1;
        }
        if (!PyUnicode_IS_ASCII(arg)) {
            PyErr_SetString(PyExc_ValueError, "string argument should contain "
                            "only ASCII characters");
            return -1;
        }
        return PyBuffer_FillInfo(view, arg, PyUnicode_1BYTE_DATA(arg),
                                 PyUnicode_GET_LENGTH(arg), 1, PyBUF_SIMPLE);
    }
    if (PyObject_GetBuffer(arg, view, PyBUF_SIMPLE) < 0) {
        PyErr_Format(PyExc_TypeError, "argument should be bytes, buffer or "
                     "ASCII string, not '%.100s'", Py_TYPE(arg)->tp_name);
        return -1;
    }
    return 0;
}

/* Parses the positional-only `data` and one boolean keyword, which is stored in flag if
   given. */
static PyObject *
take_data_and_flag(_PyArg_Parser *parser, PyObject *const *args,
                   Py_ssize_t nargs, PyObject *kwnames, int *flag)
{
    PyObject *buffer[2] = {NULL};
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, parser, 1, 1, 0,
                                 buffer);
    if (args == NULL) {
        return NULL;
    }
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0) {
        *flag = _PyLong_AsInt(args[1]);
        if (*flag == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    return args[0];
}

/* -------------------------------------------------------------- hexadecimal */

static PyObject *
b2a_hex(_PyArg_Parser *parser, PyObject *const *args, Py_ssize_t nargs,
        PyObject *kwnames)
{
    PyObject *buffer[3] = {NULL}, *sep = NULL;
    int group = 1;
    Py_buffer view;
    Py_ssize_t given = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, parser, 1, 3, 0,
                                 buffer);
    if (args == NULL || PyObject_GetBuffer(args[0], &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    if (given > 1) {
        sep = args[1];
        if ((args == buffer || given > 2) && args[2] != NULL) {
            group = _PyLong_AsInt(args[2]);
            if (group == -1 && PyErr_Occurred()) {
                PyBuffer_Release(&view);
                return NULL;
            }
        }
    }
    PyObject *result = _Py_strhex_bytes_with_sep(view.buf, view.len, sep,
                                                 group);
    PyBuffer_Release(&view);
    return result;
}

static const char *const hex_keywords[] = {
    "data", "sep", "bytes_per_sep", NULL
};

static PyObject *
binascii_b2a_hex(PyObject *Py_UNUSED(module), PyObject *const *args,
                 Py_ssize_t nargs, PyObject *kwnames)
{
    static _PyArg_Parser parser = {
        .keywords = hex_keywords, .fname = "b2a_hex",
    };
    return b2a_hex(&parser, args, nargs, kwnames);
}

static PyObject *
binascii_hexlify(PyObject *Py_UNUSED(module), PyObject *const *args,
                 Py_ssize_t nargs, PyObject *kwnames)
{
    static _PyArg_Parser parser = {
        .keywords = hex_keywords, .fname = "hexlify",
    };
    return b2a_hex(&parser, args, nargs, kwnames);
}

static PyObject *
binascii_a2b_hex(PyObject *module, PyObject *arg)
{
    Py_buffer view;
    PyObject *result = NULL;
    if (take_ascii(arg, &view) < 0) {
        return NULL;
    }
    const unsigned char *in = view.buf;
    if (view.len % 2 != 0) {
        raise_error(module, "Odd-length string");
        goto done;
    }
    result = PyBytes_FromStringAndSize(NULL, view.len / 2);
    if (result == NULL) {
        goto done;
    }
    char *out = PyBytes_AS_STRING(result);
    unsigned int all = 0;
    for (Py_ssize_t i = 0; i < view.len; i += 2) {
        const unsigned int high = _PyLong_DigitValue[in[i]], low = _PyLong_DigitValue[in[i + 1]];
        all |= high | low;
        *out++ = (char)(high << 4 | low);
    }
    if (all > 0xf) {
        raise_error(module, "Non-hexadecimal digit found");
        Py_CLEAR(result);
    }
done:
    PyBuffer_Release(&view);
    return result;
}

/* ------------------------------------------------------------------- base64 */

static const char base64_alphabet[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#define IS_SEXTET 0x40

/* The value of each character of the alphabet, with IS_SEXTET. */
static unsigned char base64_values[256];

static void
fill_base64_values(void)
{
    for (int i = 0; i < 64; i++) {
        base64_values[(unsigned char)base64_alphabet[i]] = (unsigned char)(i | IS_SEXTET);
    }
}

/* Decodes groups of four characters of the alphabet, up to something else. Returns how
   many characters. */
static Py_ssize_t
decode_groups(const unsigned char *in, Py_ssize_t n, char *out)
{
    Py_ssize_t i = 0;
    for (; n - i >= 4; i += 4, out += 3) {
        const unsigned int a = base64_values[in[i]], b = base64_values[in[i + 1]];
        const unsigned int c = base64_values[in[i + 2]], d = base64_values[in[i + 3]];
        if (!(a & b & c & d & IS_SEXTET)) {
            break;
        }
        const unsigned int bits = (a & 0x3f) << 18 | (b & 0x3f) << 12 | (c & 0x3f) << 6
            | (d & 0x3f);
        out[0] = (char)(bits >> 16);
        out[1] = (char)(bits >> 8);
        out[2] = (char)bits;
    }
    return i;
}

/* Decodes; *written is set. Returns a message if the input is bad. `phase`
   counts the characters of the current group of four. */
static const char *
decode_base64(const unsigned char *in, Py_ssize_t n, int strict, char *out,
              Py_ssize_t *written, int *single_character)
{
    char *start = out;
    int phase = 0, pads = 0, padding_seen = 0;
    unsigned int left = 0;
    *written = 0;
    *single_character = 0;
    if (strict && n > 0 && in[0] == '=') {
        return "Leading padding not allowed";
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (phase == 0 && !padding_seen) {
            const Py_ssize_t whole = decode_groups(in + i, n - i, out);
            i += whole;
            out += whole / 4 * 3;
            if (i == n) {
                break;
            }
        }
        if (in[i] == '=') {
            padding_seen = 1;
            if (phase >= 2 && phase + ++pads >= 4) {
                /* Complete: what follows is ignored. */
                if (strict && i + 1 < n) {
                    return "Excess data after padding";
                }
                *written = out - start;
                return NULL;
            }
            continue;
        }
        const unsigned int value = base64_values[in[i]];
        if (value == 0) {
            if (strict) {
                return "Only base64 data is allowed";
            }
            continue;
        }
        if (strict && padding_seen) {
            return "Discontinuous padding not allowed";
        }
        pads = 0;
        left = left << 6 | (value & 0x3f);
        if (phase != 0) {
            /* 6 bits are left over after the second character, then 4, 2
               less each time. */
            *out++ = (char)(left >> (6 - 2 * phase));
        }
        phase = (phase + 1) % 4;
    }
    *written = out - start;
    if (phase == 1) {
        *single_character = 1;
    }
    return phase == 0 ? NULL : "Incorrect padding";
}

static PyObject *
binascii_a2b_base64(PyObject *module, PyObject *const *args,
                    Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", "strict_mode", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .fname = "a2b_base64",
    };
    int strict = 0, single;
    Py_buffer view;
    PyObject *data = take_data_and_flag(&parser, args, nargs, kwnames,
                                        &strict);
    if (data == NULL || take_ascii(data, &view) < 0) {
        return NULL;
    }
    Py_ssize_t written;
    PyObject *result = PyBytes_FromStringAndSize(NULL,
                                                 (view.len + 3) / 4 * 3);
    if (result != NULL) {
        const char *error = decode_base64(view.buf, view.len, strict,
                                          PyBytes_AS_STRING(result), &written,
                                          &single);
        if (error == NULL) {
            (void)_PyBytes_Resize(&result, written);
        }
        else {
            if (single) {
                PyErr_Format(state_of(module)->Error,
                             "Invalid base64-encoded string: number of data "
                             "characters (%zd) cannot be 1 more than a "
                             "multiple of 4", written / 3 * 4 + 1);
            }
            else {
                raise_error(module, error);
            }
            Py_CLEAR(result);
        }
    }
    PyBuffer_Release(&view);
    return result;
}

static PyObject *
binascii_b2a_base64(PyObject *module, PyObject *const *args,
                    Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", "newline", NULL};
    static _PyArg_Parser parser = {
        .keywords = keywords, .fname = "b2a_base64",
    };
    int newline = 1;
    Py_buffer view;
    PyObject *data = take_data_and_flag(&parser, args, nargs, kwnames,
                                        &newline);
    if (data == NULL || PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    const unsigned char *in = view.buf;
    Py_ssize_t n = view.len;
    if (n > (PY_SSIZE_T_MAX - 3) / 2) {
        raise_error(module, "Too much data for base64 line");
        goto done;
    }
    result = PyBytes_FromStringAndSize(NULL,
                                       (n + 2) / 3 * 4 + (newline != 0));
    if (result == NULL) {
        goto done;
    }
    char *out = PyBytes_AS_STRING(result);
    for (; n > 0; in += 3, n -= 3) {
        unsigned int bits = (unsigned int)in[0] << 16
            | (n > 1 ? (unsigned int)in[1] << 8 : 0) | (n > 2 ? in[2] : 0u);
        *out++ = base64_alphabet[bits >> 18];
        *out++ = base64_alphabet[bits >> 12 & 0x3f];
        *out++ = n > 1 ? base64_alphabet[bits >> 6 & 0x3f] : '=';
        *out++ = n > 2 ? base64_alphabet[bits & 0x3f] : '=';
    }
    if (newline) {
        *out = '\n';
    }
done:
    PyBuffer_Release(&view);
    return result;
}

/* --------------------------------------------------------------- uuencoding */

static PyObject *
binascii_a2b_uu(PyObject *module, PyObject *arg)
{
    Py_buffer view;
    if (take_ascii(arg, &view) < 0) {
        return NULL;
    }
    const unsigned char *in = view.buf, *end = in + view.len;
    /* The first character is the length; a missing character is read as NUL. */
    Py_ssize_t n = ((in < end ? *in++ : 0) - ' ') & 0x3f;
    PyObject *result = PyBytes_FromStringAndSize(NULL, n);
    if (result == NULL) {
        goto done;
    }
    char *out = PyBytes_AS_STRING(result);
    unsigned int bits = 0;
    int nbits = 0;
    while (n > 0) {
        unsigned int value = 0;
        /* Blanks at the end may have been stripped. */
        if (in < end && *in != '\n' && *in != '\r') {
            if (*in < ' ' || *in > ' ' + 64) {
                raise_error(module, "Illegal char");
                Py_CLEAR(result);
                goto done;
            }
            value = (*in - ' ') & 0x3f;
        }
        in += in < end;
        bits = bits << 6 | value;
        nbits += 6;
        if (nbits >= 8) {
            nbits -= 8;
            *out++ = (char)(bits >> nbits);
            n--;
        }
    }
    for (; in < end; in++) {
        /* Padding, perhaps with a backtick instead of a blank. */
        if (*in != ' ' && *in != ' ' + 64 && *in != '\n' && *in != '\r') {
            raise_error(module, "Trailing garbage");
            Py_CLEAR(result);
            goto done;
        }
    }
done:
    PyBuffer_Release(&view);
    return result;
}

static PyObject *
binascii_b2a_uu(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    static const char *const keywords[] = {"", "backtick", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "b2a_uu"};
    int backtick = 0;
    Py_buffer view;
    PyObject *data = take_data_and_flag(&parser, args, nargs, kwnames,
                                        &backtick);
    if (data == NULL || PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    const unsigned char *in = view.buf;
    Py_ssize_t n = view.len;
    if (n > 45) {
        raise_error(module, "At most 45 bytes at once");
        goto done;
    }
    result = PyBytes_FromStringAndSize(NULL, 2 + (n + 2) / 3 * 4);
    if (result == NULL) {
        goto done;
    }
    char *out = PyBytes_AS_STRING(result), zero = backtick ? '`' : ' ';
    *out++ = n == 0 ? zero : (char)(' ' + n);
    for (; n > 0; in += 3, n -= 3) {
        unsigned int bits = (unsigned int)in[0] << 16
            | (n > 1 ? (unsigned int)in[1] << 8 : 0) | (n > 2 ? in[2] : 0u);
        for (int shift = 18; shift >= 0; shift -= 6) {
            unsigned int value = bits >> shift & 0x3f;
            *out++ = value == 0 ? zero : (char)(' ' + value);
        }
    }
    *out = '\n';
done:
    PyBuffer_Release(&view);
    return result;
}

/* --------------------------------------------------------- quoted-printable */

static PyObject *
binascii_a2b_qp(PyObject *Py_UNUSED(module), PyObject *const *args,
                Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"data", "header", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "a2b_qp"};
    PyObject *buffer[2] = {NULL};
    int header = 0;
    Py_buffer view;
    Py_ssize_t given = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 1, 2, 0,
                                 buffer);
    if (args == NULL || take_ascii(args[0], &view) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (given > 1) {
        header = _PyLong_AsInt(args[1]);
        if (header == -1 && PyErr_Occurred()) {
            goto done;
        }
    }
    result = PyBytes_FromStringAndSize(NULL, view.len);
    if (result == NULL) {
        goto done;
    }
    const unsigned char *in = view.buf, *end = in + view.len;
    char *out = PyBytes_AS_STRING(result);
    while (in < end) {
        if (*in == '_' && header) {
            *out++ = ' ';
            in++;
            continue;
        }
        if (*in != '=') {
            *out++ = (char)*in++;
            continue;
        }
        if (++in == end) {
            break;
        }
        if (*in == '\n' || *in == '\r') {
            /* A soft line break. */
            while (in < end && *in != '\n') {
                in++;
            }
            in += in < end;
        }
        else if (*in == '=') {
            *out++ = '=';
            in++;
        }
        else if (in + 1 < end && _PyLong_DigitValue[in[0]] < 16
                 && _PyLong_DigitValue[in[1]] < 16) {
            *out++ = (char)(_PyLong_DigitValue[in[0]] << 4 | _PyLong_DigitValue[in[1]]);
            in += 2;
        }
        else {
            *out++ = '=';
        }
    }
    (void)_PyBytes_Resize(&result, out - PyBytes_AS_STRING(result));
done:
    PyBuffer_Release(&view);
    return result;
}

#define QP_LINE 76

struct qp_writer {
    char *out;
    Py_ssize_t column;
    int crlf;
};

static void
qp_newline(struct qp_writer *w)
{
    if (w->crlf) {
        *w->out++ = '\r';
    }
    *w->out++ = '\n';
    w->column = 0;
}

static void
qp_soft_break(struct qp_writer *w)
{
    *w->out++ = '=';
    qp_newline(w);
}

static void
qp_quote(struct qp_writer *w, unsigned char c)
{
    static const char digits[] = "0123456789ABCDEF";
    *w->out++ = '=';
    *w->out++ = digits[c >> 4];
    *w->out++ = digits[c & 0xf];
}

static int
qp_must_quote(const unsigned char *in, const unsigned char *end,
              Py_ssize_t column, int quotetabs, int istext, int header)
{
    unsigned char c = *in;
    int last = in + 1 == end;
    if (c > '~' || c == '=' || (header && c == '_')) {
        return 1;
    }
    if (c == '.' && column == 0
        && (last || in[1] == '\n' || in[1] == '\r' || in[1] == 0)) {
        /* A line with a single point ends a mail. */
        return 1;
    }
    if (c == '\r' || c == '\n') {
        return !istext;
    }
    if (c == ' ' || c == '\t') {
        return last || quotetabs;
    }
    return c < ' ';
}

static void
encode_qp(struct qp_writer *w, const unsigned char *in,
          const unsigned char *end, int quotetabs, int istext, int header)
{
    char *start = w->out;
    while (in < end) {
        if (qp_must_quote(in, end, w->column, quotetabs, istext, header)) {
            if (w->column + 3 >= QP_LINE) {
                qp_soft_break(w);
            }
            qp_quote(w, *in++);
            w->column += 3;
        }
        else if (istext && (*in == '\n' || (*in == '\r' && in + 1 < end
                                            && in[1] == '\n'))) {
            /* Space at the end of a line would get lost. */
            if (w->out > start
                && (w->out[-1] == ' ' || w->out[-1] == '\t')) {
                qp_quote(w, (unsigned char)*--w->out);
            }
            in += *in == '\r' ? 2 : 1;
            qp_newline(w);
        }
        else {
            if (in + 1 < end && in[1] != '\n' && w->column + 1 >= QP_LINE) {
                qp_soft_break(w);
            }
            w->column++;
            *w->out++ = header && *in == ' ' ? '_' : (char)*in;
            in++;
        }
    }
}

static PyObject *
binascii_b2a_qp(PyObject *Py_UNUSED(module), PyObject *const *args,
                Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {
        "data", "quotetabs", "istext", "header", NULL
    };
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "b2a_qp"};
    PyObject *buffer[4] = {NULL};
    int flags[3] = {0, 1, 0};
    Py_buffer view;
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 1, 4, 0,
                                 buffer);
    if (args == NULL || PyObject_GetBuffer(args[0], &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    for (int i = 0; i < 3; i++) {
        PyObject *flag = args == buffer || i + 1 < nargs ? args[i + 1] : NULL;
        if (flag == NULL) {
            continue;
        }
        flags[i] = _PyLong_AsInt(flag);
        if (flags[i] == -1 && PyErr_Occurred()) {
            PyBuffer_Release(&view);
            return NULL;
        }
    }
    PyObject *result = NULL;
    const unsigned char *in = view.buf;
    /* The first line tells how lines end. */
    const unsigned char *newline = view.len > 0
        ? memchr(in, '\n', (size_t)view.len) : NULL;
    struct qp_writer writer = {
        .crlf = newline != NULL && newline > in && newline[-1] == '\r',
    };
    /* Each byte takes 3 characters and a soft break of 3 at most. */
    char *text = view.len > PY_SSIZE_T_MAX / 6
        ? NULL : PyMem_Malloc((size_t)view.len * 6 + 1);
    if (text == NULL) {
        PyErr_NoMemory();
    }
    else {
        writer.out = text;
        encode_qp(&writer, in, in + view.len, flags[0], flags[1], flags[2]);
        result = PyBytes_FromStringAndSize(text, writer.out - text);
        PyMem_Free(text);
    }
    PyBuffer_Release(&view);
    return result;
}

/* ---------------------------------------------------------------- checksums */

static PyObject *
binascii_crc32(PyObject *Py_UNUSED(module), PyObject *const *args,
               Py_ssize_t nargs)
{
    unsigned int crc = 0;
    Py_buffer view;
    if (!_PyArg_CheckPositional("crc32", nargs, 1, 2)
        || PyObject_GetBuffer(args[0], &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    if (nargs > 1) {
        crc = (unsigned int)PyLong_AsUnsignedLongMask(args[1]);
        if (crc == (unsigned int)-1 && PyErr_Occurred()) {
            PyBuffer_Release(&view);
            return NULL;
        }
    }
    if (view.len > 5 * 1024) {
        Py_BEGIN_ALLOW_THREADS
        crc = (unsigned int)crc32_z(crc, view.buf, (size_t)view.len);
        Py_END_ALLOW_THREADS
    }
    else {
        crc = (unsigned int)crc32_z(crc, view.buf, (size_t)view.len);
    }
    PyBuffer_Release(&view);
    return PyLong_FromUnsignedLong(crc);
}

/* CRC-CCITT: x**16 + x**12 + x**5 + 1. What each byte that is shifted out adds. */
static uint16_t hqx_table[256];

static void
fill_hqx_table(void)
{
    for (unsigned int byte = 0; byte < 256; byte++) {
        unsigned int crc = byte << 8;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0);
        }
        hqx_table[byte] = (uint16_t)crc;
    }
}

static PyObject *
binascii_crc_hqx(PyObject *Py_UNUSED(module), PyObject *const *args,
                 Py_ssize_t nargs)
{
    Py_buffer view;
    if (!_PyArg_CheckPositional("crc_hqx", nargs, 2, 2)
        || PyObject_GetBuffer(args[0], &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    unsigned int crc = (unsigned int)PyLong_AsUnsignedLongMask(args[1]);
    if (crc == (unsigned int)-1 && PyErr_Occurred()) {
        PyBuffer_Release(&view);
        return NULL;
    }
    crc &= 0xffff;
    const unsigned char *in = view.buf;
    for (Py_ssize_t i = 0; i < view.len; i++) {
        crc = (crc << 8 & 0xff00) ^ hqx_table[(crc >> 8) ^ in[i]];
    }
    PyBuffer_Release(&view);
    return PyLong_FromUnsignedLong(crc);
}

/* --------------------------------------------------------------- the module */

#define HEX_SIGNATURE \
    "($module, /, data, sep=<unrepresentable>, bytes_per_sep=1)\n--\n\n"

static PyMethodDef binascii_methods[] = {
    {"a2b_uu", binascii_a2b_uu, METH_O,
     "a2b_uu($module, data, /)\n--\n\nDecodes a line of uuencoded data."},
    {"b2a_uu", FAST_KEYWORDS(binascii_b2a_uu),
     "b2a_uu($module, data, /, *, backtick=False)\n--\n\n"
     "Uuencodes a line of data."},
    {"a2b_base64", FAST_KEYWORDS(binascii_a2b_base64),
     "a2b_base64($module, data, /, *, strict_mode=False)\n--\n\n"
     "Decodes base64 data.\n\n"
     "  strict_mode\n"
     "    Whether characters outside of the alphabet, and padding in other\n"
     "    places than at the end, are errors."},
    {"b2a_base64", FAST_KEYWORDS(binascii_b2a_base64),
     "b2a_base64($module, data, /, *, newline=True)\n--\n\n"
     "Encodes data as a line of base64."},
    {"a2b_hex", binascii_a2b_hex, METH_O,
     "a2b_hex($module, hexstr, /)\n--\n\n"
     "The bytes whose hexadecimal digits are given, in pairs."},
    {"b2a_hex", FAST_KEYWORDS(binascii_b2a_hex),
     "b2a_hex" HEX_SIGNATURE
     "The hexadecimal digits of data.\n\n"
     "  sep\n    A character between groups of bytes.\n"
     "  bytes_per_sep\n    The size of a group; counted from the right if\n"
     "    positive, from the left if negative."},
    {"hexlify", FAST_KEYWORDS(binascii_hexlify),
     "hexlify" HEX_SIGNATURE "The same as b2a_hex()."},
    {"unhexlify", binascii_a2b_hex, METH_O,
     "unhexlify($module, hexstr, /)\n--\n\nThe same as a2b_hex()."},
    {"crc_hqx", FAST(binascii_crc_hqx),
     "crc_hqx($module, data, crc, /)\n--\n\n"
     "Continues a CRC-CCITT checksum."},
    {"crc32", FAST(binascii_crc32),
     "crc32($module, data, crc=0, /)\n--\n\nContinues a CRC-32 checksum."},
    {"a2b_qp", FAST_KEYWORDS(binascii_a2b_qp),
     "a2b_qp($module, /, data, header=False)\n--\n\n"
     "Decodes quoted-printable data."},
    {"b2a_qp", FAST_KEYWORDS(binascii_b2a_qp),
     "b2a_qp($module, /, data, quotetabs=False, istext=True, header=False)\n"
     "--\n\n"
     "Encodes data as quoted-printable.\n\n"
     "quotetabs also quotes tabs and spaces, header turns spaces into _, and\n"
     "without istext line ends are data and are quoted."},
    {NULL, NULL, 0, NULL}
};

static int
binascii_exec(PyObject *module)
{
    binascii_state *state = state_of(module);
    fill_base64_values();
    fill_hqx_table();
    state->Error = PyErr_NewException("binascii.Error", PyExc_ValueError,
                                      NULL);
    if (PyModule_AddObjectRef(module, "Error", state->Error) < 0) {
        return -1;
    }
    state->Incomplete = PyErr_NewException("binascii.Incomplete", NULL, NULL);
    return PyModule_AddObjectRef(module, "Incomplete", state->Incomplete);
}

static int
binascii_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(state_of(module)->Error);
    Py_VISIT(state_of(module)->Incomplete);
    return 0;
}

static int
binascii_clear(PyObject *module)
{
    Py_CLEAR(state_of(module)->Error);
    Py_CLEAR(state_of(module)->Incomplete);
    return 0;
}

static void
binascii_free(void *module)
{
    (void)binascii_clear(module);
}

static PyModuleDef_Slot binascii_slots[] = {
    {Py_mod_exec, binascii_exec},
    {0, NULL}
};

static struct PyModuleDef binascii_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "binascii",
    .m_doc = "Conversion between binary data and ASCII",
    .m_size = sizeof(binascii_state),
    .m_methods = binascii_methods,
    .m_slots = binascii_slots,
    .m_traverse = binascii_traverse,
    .m_clear = binascii_clear,
    .m_free = binascii_free,
};

MODULE_INIT(binascii)
{
    return PyModuleDef_Init(&binascii_module);
}
