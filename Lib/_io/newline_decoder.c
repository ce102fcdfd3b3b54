/* Line ends: IncrementalNewlineDecoder, which turns "\r\n" and "\r" into "\n"
   and notes which it met, and the search for the end of a line.

   A "\r" that comes last in a chunk may be half of "\r\n", so it is held back
   (`held_cr`) until more text, or the end, has come: a pair is never split
   between two results. */
#include "io_module.h"
#include "internal/unicode.h"

#define SEEN_CR 1u
#define SEEN_LF 2u
#define SEEN_CRLF 4u
#define SEEN_ALL 7u

typedef struct {
    PyObject_HEAD
    PyObject *decoder;          /* None: the input is str. NULL before __init__ */
    PyObject *errors;
    unsigned held_cr : 1;
    unsigned translate : 1;
    unsigned seen : 3;
} newline_decoder;

static int
check_init(newline_decoder *self)
{
    if (self->decoder != NULL) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "IncrementalNewlineDecoder.__init__() not called");
    return -1;
}

static int
decoder_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {"decoder", "translate", "errors", NULL};
    static _PyArg_Parser parser = {.keywords = names, .format = "Oi|O:IncrementalNewlineDecoder"};
    newline_decoder *self = (newline_decoder *)op;
    PyObject *decoder, *errors = NULL;
    int translate;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &parser, &decoder, &translate, &errors))
                                          {
        return -1;
    }
    errors = errors == NULL ? PyUnicode_FromString("strict") : Py_NewRef(errors);
    if (errors == NULL) {
        return -1;
    }
    Py_XSETREF(self->errors, errors);
    Py_INCREF(decoder);
    Py_XSETREF(self->decoder, decoder);
    self->translate = translate != 0;
    self->seen = 0;
    self->held_cr = 0;
    return 0;
}

static void
decoder_dealloc(PyObject *op)
{
    newline_decoder *self = (newline_decoder *)op;
    Py_CLEAR(self->decoder);
    Py_CLEAR(self->errors);
    Py_TYPE(op)->tp_free(op);
}

/* Puts the held "\r" in front of text. Steals text. */
static PyObject *
prepend_cr(PyObject *text)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    PyObject *joined = PyUnicode_New(n + 1, PyUnicode_MAX_CHAR_VALUE(text));
    if (joined != NULL) {
        int kind = PyUnicode_KIND(joined);
        PyUnicode_WRITE(kind, PyUnicode_DATA(joined), 0, '\r');
        memcpy((char *)PyUnicode_DATA(joined) + kind, PyUnicode_DATA(text), (size_t)(n * kind));
    }
    Py_DECREF(text);
    return joined;
}

struct line_ends {
    Py_ssize_t cr, lf, crlf;    /* "\r\n" counts three times */
};

/* Sums of so few characters that bytes hold them. This becomes vector code. */
static inline __attribute__((always_inline)) void
count_some(int kind, const char *data, Py_ssize_t n, struct line_ends *ends)
{
    unsigned char cr = 0, lf = 0, crlf = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        const Py_UCS4 ch = PyUnicode_READ(kind, data, i), next = PyUnicode_READ(kind, data, i + 1);
        cr += (unsigned char)(ch == '\r');
        lf += (unsigned char)(ch == '\n');
        crlf += (unsigned char)((ch == '\r') & (next == '\n'));
    }
    ends->cr += cr;
    ends->lf += lf;
    ends->crlf += crlf;
}

/* Of n characters with a null behind them. */
static inline __attribute__((always_inline)) void
count_line_ends(int kind, const char *data, Py_ssize_t n, struct line_ends *ends)
{
    enum { BLOCK = 128 };
    for (; n >= BLOCK; n -= BLOCK, data += BLOCK * kind) {
        count_some(kind, data, BLOCK, ends);
    }
    count_some(kind, data, n, ends);
}

/* Records which line ends are in the text; returns the number of "\r\n". */
static Py_ssize_t
survey(newline_decoder *self, PyObject *text)
{
    struct line_ends ends = {0};
    BY_KIND(count_line_ends, PyUnicode_KIND(text), PyUnicode_DATA(text),
            PyUnicode_GET_LENGTH(text), &ends);
    self->seen |= (ends.cr > ends.crlf ? SEEN_CR : 0) | (ends.lf > ends.crlf ? SEEN_LF : 0)
                  | (ends.crlf > 0 ? SEEN_CRLF : 0);
    return ends.crlf;
}

#define EACH_BYTE 0x0101010101010101u

/* Has a word these bytes? Of those from the first one on, others may be taken for them, too. */
static inline uint64_t
bytes_like(uint64_t word, unsigned char byte)
{
    word ^= byte * EACH_BYTE;
    return (word - EACH_BYTE) & ~word & 0x80 * EACH_BYTE;
}

/* How many are before the first of those, at least. */
static inline Py_ssize_t
bytes_before(uint64_t found)
{
    return PY_LITTLE_ENDIAN ? __builtin_ctzll(found) / 8 : 0;
}

/* Copies n characters, with all line ends as "\n", as `room` ones. */
static inline __attribute__((always_inline)) void
copy_lines(int kind, char *out, Py_ssize_t room, const char *in, Py_ssize_t n)
{
    Py_ssize_t to = 0;
    for (Py_ssize_t i = 0; i < n; i++, to++) {
        uint64_t word;
        while (kind == 1 && n - i > 8 && room - to > 8) {
            memcpy(&word, in + i, sizeof(word));
            memcpy(out + to, &word, sizeof(word));
            const uint64_t found = bytes_like(word, '\r');
            const Py_ssize_t plain = found == 0 ? 8 : bytes_before(found);
            i += plain;
            to += plain;
            if (found != 0) {
                break;
            }
        }
        Py_UCS4 ch = PyUnicode_READ(kind, in, i);
        if (ch == '\r') {
            ch = '\n';
            i += i + 1 < n && PyUnicode_READ(kind, in, i + 1) == '\n';
        }
        PyUnicode_WRITE(kind, out, to, ch);
    }
}

/* Returns the text, in which there are so many "\r\n", with all line ends as "\n". Steals text. */
static PyObject *
translated(PyObject *text, Py_ssize_t pairs)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    PyObject *result = PyUnicode_New(n - pairs, PyUnicode_MAX_CHAR_VALUE(text));
    if (result != NULL) {
        BY_KIND(copy_lines, PyUnicode_KIND(text), PyUnicode_DATA(result), n - pairs,
                PyUnicode_DATA(text), n);
    }
    Py_DECREF(text);
    return result;
}

PyObject *
_PyIncrementalNewlineDecoder_decode(PyObject *op, PyObject *input, int final)
{
    newline_decoder *self = (newline_decoder *)op;
    if (check_init(self) < 0) {
        return NULL;
    }
    PyObject *text = self->decoder == Py_None ? Py_NewRef(input)
        : PyObject_CallMethodObjArgs(self->decoder, _Py_NAME(decode), input,
                                     final ? Py_True : Py_False, NULL);
    if (text == NULL) {
        return NULL;
    }
    if (!PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "decoder should return a string result, not '%.200s'",
                     Py_TYPE(text)->tp_name);
        Py_DECREF(text);
        return NULL;
    }
    if (self->held_cr && (final || PyUnicode_GET_LENGTH(text) > 0)) {
        text = prepend_cr(text);
        if (text == NULL) {
            return NULL;
        }
        self->held_cr = 0;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    if (!final && n > 0 && PyUnicode_READ_CHAR(text, n - 1) == '\r') {
        Py_SETREF(text, PyUnicode_Substring(text, 0, n - 1));
        if (text == NULL) {
            return NULL;
        }
        self->held_cr = 1;
        n--;
    }
    if (n == 0 || (self->seen == SEEN_ALL && !self->translate)) {
        return text;
    }
    Py_ssize_t cr = PyUnicode_FindChar(text, '\r', 0, n, 1);
    if (cr < 0 && (self->seen & SEEN_LF)) {
        return text;
    }
    Py_ssize_t pairs = survey(self, text);
    return cr < 0 || !self->translate ? text : translated(text, pairs);
}

static PyObject *
decoder_decode(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"input", "final", NULL};
    static _PyArg_Parser parser = {.format = "O|i:decode", .keywords = keywords};
    PyObject *input;
    int final = 0;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &input, &final)) {
        return NULL;
    }
    return _PyIncrementalNewlineDecoder_decode(op, input, final);
}

/* The state is the inner decoder's with held_cr as one more low bit of its
   flags. */
static PyObject *
decoder_getstate(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    newline_decoder *self = (newline_decoder *)op;
    unsigned long long flags = 0;
    PyObject *pending, *result;
    if (check_init(self) < 0) {
        return NULL;
    }
    if (self->decoder == Py_None) {
        return Py_BuildValue("yK", "", (unsigned long long)self->held_cr);
    }
    PyObject *state = PyObject_CallMethodNoArgs(self->decoder, _Py_NAME(getstate));
    if (state == NULL) {
        return NULL;
    }
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "illegal decoder state");
        result = NULL;
    }
    else {
        result = !PyArg_ParseTuple(state, "OK;illegal decoder state", &pending, &flags) ? NULL
            : Py_BuildValue("OK", pending, flags << 1 | self->held_cr);
    }
    Py_DECREF(state);
    return result;
}

static PyObject *
decoder_setstate(PyObject *op, PyObject *state)
{
    newline_decoder *self = (newline_decoder *)op;
    PyObject *pending;
    unsigned long long flags;
    if (check_init(self) < 0) {
        return NULL;
    }
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state argument must be a tuple");
        return NULL;
    }
    if (!PyArg_ParseTuple(state, "OK;setstate(): illegal state argument", &pending, &flags)) {
        return NULL;
    }
    self->held_cr = flags & 1;
    if (self->decoder == Py_None) {
        Py_RETURN_NONE;
    }
    PyObject *inner = Py_BuildValue("(OK)", pending, flags >> 1);
    PyObject *result = inner == NULL ? NULL
        : PyObject_CallMethodOneArg(self->decoder, _Py_NAME(setstate), inner);
    Py_XDECREF(inner);
    return result;
}

static PyObject *
decoder_reset(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    newline_decoder *self = (newline_decoder *)op;
    if (check_init(self) < 0) {
        return NULL;
    }
    self->seen = 0;
    self->held_cr = 0;
    if (self->decoder == Py_None) {
        Py_RETURN_NONE;
    }
    return PyObject_CallMethodNoArgs(self->decoder, _Py_NAME(reset));
}

static PyObject *
decoder_get_newlines(PyObject *op, void *Py_UNUSED(closure))
{
    newline_decoder *self = (newline_decoder *)op;
    const char *met[3];
    int n = 0;
    if (check_init(self) < 0) {
        return NULL;
    }
    if (self->seen & SEEN_CR) {
        met[n++] = "\r";
    }
    if (self->seen & SEEN_LF) {
        met[n++] = "\n";
    }
    if (self->seen & SEEN_CRLF) {
        met[n++] = "\r\n";
    }
    switch (n) {
    case 0:
        Py_RETURN_NONE;
    case 1:
        return PyUnicode_FromString(met[0]);
    case 2:
        return Py_BuildValue("ss", met[0], met[1]);
    default:
        return Py_BuildValue("sss", met[0], met[1], met[2]);
    }
}

static PyMethodDef decoder_methods[] = {
    {"decode", FAST_KEYWORDS(decoder_decode),
     "decode($self, /, input, final=False)\n--\n\nDecodes the next chunk."},
    {"getstate", decoder_getstate, METH_NOARGS,
     "getstate($self, /)\n--\n\nThe bytes held back, and flags."},
    {"setstate", decoder_setstate, METH_O,
     "setstate($self, state, /)\n--\n\nGoes back to what getstate() gave."},
    {"reset", decoder_reset, METH_NOARGS, "reset($self, /)\n--\n\nForgets everything."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef decoder_getset[] = {
    {"newlines", decoder_get_newlines, NULL, "line ends met: None, a string or a tuple", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyIncrementalNewlineDecoder_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io.IncrementalNewlineDecoder",
    .tp_basicsize = sizeof(newline_decoder),
    .tp_dealloc = decoder_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "IncrementalNewlineDecoder(decoder, translate, errors='strict')\n--\n\n"
              "Wraps an incremental decoder (or None, for text): notes line ends, and\n"
              "makes them \"\\n\" if translate is true.",
    .tp_methods = decoder_methods,
    .tp_getset = decoder_getset,
    .tp_init = decoder_init,
    .tp_new = PyType_GenericNew,
};

/* -------------------------------------------------------- the end of a line */

/* Index of ch in the n characters at data, or -1. */
static inline Py_ssize_t
find_in(int kind, const void *data, Py_ssize_t n, Py_UCS4 ch)
{
    if (kind == PyUnicode_1BYTE_KIND) {
        const char *at = n > 0 ? memchr(data, (int)ch, (size_t)n) : NULL;
        return at == NULL ? -1 : at - (const char *)data;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyUnicode_READ(kind, data, i) == ch) {
            return i;
        }
    }
    return -1;
}

/* How many characters of one byte are before the first line end, or a few less. */
static inline Py_ssize_t
skip_line(const char *data, Py_ssize_t n)
{
    Py_ssize_t i = 0;
    uint64_t word;
    for (; n - i >= (Py_ssize_t)sizeof(word); i += (Py_ssize_t)sizeof(word)) {
        memcpy(&word, data + i, sizeof(word));
        word = bytes_like(word, '\n') | bytes_like(word, '\r');
        if (word != 0) {
            return i + bytes_before(word);
        }
    }
    return i;
}

static inline Py_ssize_t
find_universal(int kind, const void *data, Py_ssize_t n)
{
    for (Py_ssize_t i = kind == 1 ? skip_line(data, n) : 0; i < n; i++) {
        Py_UCS4 ch = PyUnicode_READ(kind, data, i);
        if (ch > '\r') {
            continue;
        }
        if (ch == '\n') {
            return i + 1;
        }
        if (ch == '\r') {
            return i + 1 < n && PyUnicode_READ(kind, data, i + 1) == '\n' ? i + 2 : i + 1;
        }
    }
    return -1;
}

Py_ssize_t
_PyIO_find_line_ending(int translate, int universal, PyObject *readnl, int kind,
                       const char *start, const char *end, Py_ssize_t *consumed)
{
    Py_ssize_t n = (end - start) / kind, at;
    *consumed = n;
    if (translate) {
        at = find_in(kind, start, n, '\n');
        return at < 0 ? -1 : at + 1;
    }
    if (universal) {
        switch (kind) {         /* one loop for each width */
        case PyUnicode_1BYTE_KIND:
            return find_universal(PyUnicode_1BYTE_KIND, start, n);
        case PyUnicode_2BYTE_KIND:
            return find_universal(PyUnicode_2BYTE_KIND, start, n);
        default:
            return find_universal(PyUnicode_4BYTE_KIND, start, n);
        }
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(readnl), from = 0;
    Py_UCS4 first = PyUnicode_READ_CHAR(readnl, 0);
    while ((at = find_in(kind, start + from * kind, n - from, first)) >= 0) {
        from += at + 1;
        if (length == 1) {
            return from;
        }
        if (from == n) {        /* the second half may still come */
            *consumed = n - 1;
            return -1;
        }
        if (PyUnicode_READ(kind, start, from) == PyUnicode_READ_CHAR(readnl, 1)) {
            return from + 1;
        }
    }
    return -1;
}
