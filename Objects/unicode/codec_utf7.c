/* UTF-7 (RFC 2152).

   Outside a shifted sequence a byte is an ASCII character. '+' starts a sequence of
   UTF-16 units in base64, and any byte that is not base64 ends it. If that byte is '-',
   it is dropped. "+-" is a plus sign. */
#include "codec_errors.h"

/* The characters of Set D, and those of Set O, which may also stand for themselves. */
#define SET_D "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" \
              "0123456789'(),-./:?"
#define SET_O "!\"#$%&*;<=>@[]^_`{|}"

static int
base64_value(unsigned char ch)
{
    return ch >= 'A' && ch <= 'Z' ? ch - 'A'
        : ch >= 'a' && ch <= 'z' ? ch - 'a' + 26
        : ch >= '0' && ch <= '9' ? ch - '0' + 52
        : ch == '+' ? 62 : ch == '/' ? 63 : -1;
}

static char
base64_digit(unsigned int value)
{
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
           "0123456789+/"[value & 63];
}

static int
in_set(Py_UCS4 ch, const char *set)
{
    return ch > 0 && ch < 128 && strchr(set, (int)ch) != NULL;
}

static int
may_be_direct(Py_UCS4 ch, int encode_set_o, int encode_space)
{
    return in_set(ch, SET_D) || (!encode_set_o && in_set(ch, SET_O))
        || (!encode_space && in_set(ch, " \t\r\n"));
}

/* ----------------------------------------------------------------- decoding */

typedef struct {
    int shifted;
    unsigned int bits;          /* the base64 bits not yet used */
    int count;
    Py_UCS4 high;               /* a surrogate waiting for the second one */
    Py_ssize_t start;           /* where the sequence began: input … */
    Py_ssize_t out_start;       /* … and output */
} Shift;

static int
write_unit(Decoder *d, Shift *s, Py_UCS4 unit)
{
    if (s->high) {
        Py_UCS4 high = s->high;
        s->high = 0;
        if (Py_UNICODE_IS_LOW_SURROGATE(unit)) {
            unit = Py_UNICODE_JOIN_SURROGATES(high, unit);
            return _PyUnicodeWriter_WriteChar(&d->writer, unit);
        }
        if (_PyUnicodeWriter_WriteChar(&d->writer, high) < 0) {
            return -1;
        }
    }
    if (Py_UNICODE_IS_HIGH_SURROGATE(unit)) {
        s->high = unit;
        return 0;
    }
    return _PyUnicodeWriter_WriteChar(&d->writer, unit);
}

/* Handles a byte that is not base64 and ends the sequence. Returns the next position,
   or -1. */
static Py_ssize_t
end_sequence(Decoder *d, Shift *s, Py_ssize_t at, unsigned char ch)
{
    s->shifted = 0;
    if (s->count > 0) {
        const char *reason = NULL;
        if (s->count >= 6) {
            reason = "partial character in shift sequence";
        }
        else if (s->bits != 0) {
            reason = "non-zero padding bits in shift sequence";
        }
        if (reason != NULL) {
            return decoder_error(d, s->start, at + 1, reason);
        }
    }
    /* A waiting surrogate is written, unless the byte is an error itself. */
    if (s->high && ch < 128
        && _PyUnicodeWriter_WriteChar(&d->writer, s->high) < 0)
    {
        return -1;
    }
    if (ch == '-') {
        return at + 1;
    }
    return at;
}

PyObject *
PyUnicode_DecodeUTF7Stateful(const char *input, Py_ssize_t size,
                             const char *errors, Py_ssize_t *consumed)
{
    Decoder d;
    Shift s = {0};
    Py_ssize_t at = 0;
    decoder_init(&d, "utf7", errors, input, size);
    for (;;) {
        while (at >= 0 && at < d.end - d.start) {
            const unsigned char ch = (unsigned char)d.start[at];
            if (s.shifted) {
                int value = base64_value(ch);
                if (value < 0) {
                    if (ch >= 128 && at == s.start + 1) {
                        s.shifted = 0;
                        at = decoder_error(&d, s.start, at + 1,
                                           "ill-formed sequence");
                    }
                    else {
                        at = end_sequence(&d, &s, at, ch);
                    }
                    continue;
                }
                s.bits = s.bits << 6 | (unsigned int)value;
                s.count += 6;
                at++;
                if (s.count >= 16) {
                    Py_UCS4 unit = s.bits >> (s.count - 16) & 0xffff;
                    s.count -= 16;
                    s.bits &= (1u << s.count) - 1;
                    if (write_unit(&d, &s, unit) < 0) {
                        at = -1;
                    }
                }
            }
            else if (ch == '+') {
                s = (Shift){.shifted = 1, .start = at,
                            .out_start = d.writer.pos};
                at++;
                if (at >= d.end - d.start) {
                    continue;
                }
                if (d.start[at] == '-') {
                    s.shifted = 0;
                    at++;
                    if (_PyUnicodeWriter_WriteChar(&d.writer, '+') < 0) {
                        at = -1;
                    }
                }
                else if (base64_value((unsigned char)d.start[at]) < 0) {
                    s.shifted = 0;
                    at = decoder_error(&d, s.start, at + 1,
                                       "ill-formed sequence");
                }
            }
            else if (ch < 128) {
                at = _PyUnicodeWriter_WriteChar(&d.writer, ch) < 0 ? -1
                    : at + 1;
            }
            else {
                at = decoder_error(&d, at, at + 1,
                                   "unexpected special character");
            }
        }
        if (at < 0) {
            return decoder_fail(&d);
        }
        if (!s.shifted || consumed != NULL) {
            break;
        }
        /* The input ended inside a sequence. */
        s.shifted = 0;
        if (s.high || s.count >= 6 || s.bits != 0) {
            at = decoder_error(&d, s.start, d.end - d.start,
                               "unterminated shift sequence");
            if (at < 0) {
                return decoder_fail(&d);
            }
            if (at < d.end - d.start) {
                continue;
            }
        }
        break;
    }
    if (consumed != NULL) {
        *consumed = at;
        if (s.shifted) {
            d.writer.pos = s.out_start;
            *consumed = s.start;
        }
    }
    if (d.writer.pos > 0 && consumed != NULL && s.shifted) {
        /* Cutting off the output may have removed the widest characters. */
        PyObject *text = decoder_finish(&d);
        if (text == NULL) {
            return NULL;
        }
        PyObject *result = PyUnicode_FromKindAndData(KIND(text), DATA(text),
                                                     LENGTH(text));
        Py_DECREF(text);
        return result;
    }
    return decoder_finish(&d);
}

PyObject *
PyUnicode_DecodeUTF7(const char *input, Py_ssize_t size, const char *errors)
{
    return PyUnicode_DecodeUTF7Stateful(input, size, errors, NULL);
}

/* ----------------------------------------------------------------- encoding */

typedef struct {
    char *out;
    unsigned int bits;
    int count;
} Base64Writer;

static void
put_unit(Base64Writer *b, Py_UCS4 unit)
{
    b->bits = b->bits << 16 | unit;
    b->count += 16;
    while (b->count >= 6) {
        b->count -= 6;
        *b->out++ = base64_digit(b->bits >> b->count);
    }
    b->bits &= (1u << b->count) - 1;
}

static void
flush_bits(Base64Writer *b)
{
    if (b->count > 0) {
        *b->out++ = base64_digit(b->bits << (6 - b->count));
        b->count = 0;
        b->bits = 0;
    }
}

PyObject *
_PyUnicode_EncodeUTF7(PyObject *op, int encode_set_o, int encode_space,
                      const char *Py_UNUSED(errors))
{
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    const int kind = KIND(op);
    const void *data = DATA(op);
    const Py_ssize_t n = LENGTH(op);
    if (n > PY_SSIZE_T_MAX / 8) {
        return PyErr_NoMemory();
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, n * 8 + 1);
    if (bytes == NULL) {
        return NULL;
    }
    Base64Writer b = {PyBytes_AS_STRING(bytes), 0, 0};
    int shifted = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        if (may_be_direct(ch, encode_set_o, encode_space)) {
            if (shifted) {
                flush_bits(&b);
                shifted = 0;
                if (base64_value((unsigned char)ch) >= 0 || ch == '-') {
                    *b.out++ = '-';
                }
            }
            *b.out++ = (char)ch;
            continue;
        }
        if (!shifted && ch == '+') {
            *b.out++ = '+';
            *b.out++ = '-';
            continue;
        }
        if (!shifted) {
            *b.out++ = '+';
            shifted = 1;
        }
        if (ch >= 0x10000) {
            put_unit(&b, Py_UNICODE_HIGH_SURROGATE(ch));
            ch = Py_UNICODE_LOW_SURROGATE(ch);
        }
        put_unit(&b, ch);
    }
    if (shifted) {
        flush_bits(&b);
        *b.out++ = '-';
    }
    if (_PyBytes_Resize(&bytes, b.out - PyBytes_AS_STRING(bytes)) < 0) {
        return NULL;
    }
    return bytes;
}
