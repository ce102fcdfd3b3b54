/* Error handlers of codecs: see codec_errors.h. "ignore", "replace" and
   "surrogateescape" are implemented here. Other handlers, and these under other names,
   come from the registry. */
#include "codec_errors.h"
#include "internal/codec_escapes.h"

_Py_error_handler
_Py_GetErrorHandler(const char *errors)
{
    static const struct {
        const char *name;
        _Py_error_handler value;
    } names[] = {
        {"strict", _Py_ERROR_STRICT},
        {"surrogateescape", _Py_ERROR_SURROGATEESCAPE},
        {"replace", _Py_ERROR_REPLACE},
        {"ignore", _Py_ERROR_IGNORE},
        {"backslashreplace", _Py_ERROR_BACKSLASHREPLACE},
        {"surrogatepass", _Py_ERROR_SURROGATEPASS},
        {"xmlcharrefreplace", _Py_ERROR_XMLCHARREFREPLACE},
    };
    if (errors == NULL) {
        return _Py_ERROR_STRICT;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        if (errors[0] == names[i].name[0] && strcmp(errors, names[i].name) == 0) {
            return names[i].value;
        }
    }
    return _Py_ERROR_OTHER;
}

static void
state_init(ErrorState *state, const char *encoding, const char *errors)
{
    state->encoding = encoding;
    state->errors = errors;
    state->known = _Py_ERROR_UNKNOWN;
    state->handler = NULL;
    state->exc = NULL;
}

static void
state_clear(ErrorState *state)
{
    Py_CLEAR(state->handler);
    Py_CLEAR(state->exc);
}

static int
state_prepare(ErrorState *state)
{
    if (state->known == _Py_ERROR_UNKNOWN) {
        state->known = _Py_GetErrorHandler(state->errors);
    }
    return state->known;
}

static int
state_find_handler(ErrorState *state)
{
    if (state->handler == NULL) {
        state->handler = PyCodec_LookupError(state->errors);
    }
    return state->handler == NULL ? -1 : 0;
}

/* Calls the handler with state->exc. Returns its (replacement, position) after checking
   that it is a pair, or NULL. What the two are is the caller's to check: the replacement before
   the position when decoding, after it when encoding. */
static PyObject *
state_call(ErrorState *state, const char *complaint)
{
    PyObject *pair = PyObject_CallOneArg(state->handler, state->exc);
    if (pair != NULL && (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2)) {
        PyErr_SetString(PyExc_TypeError, complaint);
        Py_CLEAR(pair);
    }
    return pair;
}

static int
position_in(PyObject *pair, Py_ssize_t *position)
{
    PyObject *number = PyNumber_Index(PyTuple_GET_ITEM(pair, 1));
    if (number == NULL) {
        return -1;
    }
    *position = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    return *position == -1 && PyErr_Occurred() ? -1 : 0;
}

static int
check_replacement(int acceptable, const char *complaint)
{
    if (!acceptable) {
        PyErr_SetString(PyExc_TypeError, complaint);
    }
    return acceptable ? 0 : -1;
}

/* A negative position counts from the end. */
static int
adjust_position(Py_ssize_t *position, Py_ssize_t size)
{
    if (*position < 0) {
        *position += size;
    }
    if (*position < 0 || *position > size) {
        PyErr_Format(PyExc_IndexError,
                     "position %zd from error handler out of bounds",
                     *position);
        return -1;
    }
    return 0;
}

/* ----------------------------------------------------------------- decoding */

void
decoder_init(Decoder *d, const char *encoding, const char *errors,
             const char *input, Py_ssize_t size)
{
    state_init(&d->state, encoding, errors);
    d->start = input;
    d->end = input + size;
    d->replaced = NULL;
    _PyUnicodeWriter_Init(&d->writer);
    d->writer.min_length = size;
}

int
decoder_handler(Decoder *d)
{
    return state_prepare(&d->state);
}

void
decoder_expect_error(Decoder *d)
{
    const int known = decoder_handler(d);
    if (known == _Py_ERROR_REPLACE || known == _Py_ERROR_SURROGATEESCAPE) {
        d->writer.min_char = 0xffff;
    }
}

PyObject *
decoder_fail(Decoder *d)
{
    _PyUnicodeWriter_Dealloc(&d->writer);
    state_clear(&d->state);
    Py_CLEAR(d->replaced);
    return NULL;
}

PyObject *
decoder_finish(Decoder *d)
{
    state_clear(&d->state);
    Py_CLEAR(d->replaced);
    return _PyUnicodeWriter_Finish(&d->writer);
}

static int
make_decode_error(Decoder *d, Py_ssize_t from, Py_ssize_t to,
                  const char *reason)
{
    ErrorState *state = &d->state;
    if (state->exc == NULL) {
        state->exc = PyUnicodeDecodeError_Create(state->encoding, d->start,
                                                 d->end - d->start, from, to,
                                                 reason);
        return state->exc == NULL ? -1 : 0;
    }
    if (PyUnicodeDecodeError_SetStart(state->exc, from) < 0
        || PyUnicodeDecodeError_SetEnd(state->exc, to) < 0
        || PyUnicodeDecodeError_SetReason(state->exc, reason) < 0)
    {
        return -1;
    }
    return 0;
}

/* The handler may have assigned another bytes object to exc.object. */
static int
reload_input(Decoder *d)
{
    PyObject *object = PyUnicodeDecodeError_GetObject(d->state.exc);
    if (object == NULL) {
        return -1;
    }
    if (!PyBytes_Check(object)) {
        PyErr_SetString(PyExc_TypeError,
                        "exception attribute object must be bytes");
        Py_DECREF(object);
        return -1;
    }
    Py_XSETREF(d->replaced, object);
    d->start = PyBytes_AS_STRING(object);
    d->end = d->start + PyBytes_GET_SIZE(object);
    return 0;
}

static Py_ssize_t
call_decode_handler(Decoder *d, Py_ssize_t from, Py_ssize_t to,
                    const char *reason)
{
    Py_ssize_t next;
    if (state_find_handler(&d->state) < 0
        || make_decode_error(d, from, to, reason) < 0)
    {
        return -1;
    }
    const char *complaint = "decoding error handler must return (str, int) tuple";
    PyObject *pair = state_call(&d->state, complaint);
    if (pair == NULL) {
        return -1;
    }
    if (check_replacement(PyUnicode_Check(PyTuple_GET_ITEM(pair, 0)), complaint) < 0
        || position_in(pair, &next) < 0 || reload_input(d) < 0
        || adjust_position(&next, d->end - d->start) < 0
        || (d->writer.overallocate = 1,
            _PyUnicodeWriter_WriteStr(&d->writer,
                                      PyTuple_GET_ITEM(pair, 0))) < 0)
    {
        next = -1;
    }
    Py_DECREF(pair);
    return next;
}

/* Bytes from 0x80 on become U+DC80…, at most four of them. If there are none, it is an
   error. */
static Py_ssize_t
escape_bytes(Decoder *d, Py_ssize_t from, Py_ssize_t to)
{
    Py_ssize_t i = from;
    for (; i < to && i < from + 4; i++) {
        unsigned char byte = (unsigned char)d->start[i];
        if (byte < 0x80) {
            break;
        }
        if (_PyUnicodeWriter_WriteChar(&d->writer, 0xdc00 + byte) < 0) {
            return -1;
        }
    }
    return i;
}

Py_ssize_t
decoder_error(Decoder *d, Py_ssize_t from, Py_ssize_t to, const char *reason)
{
    switch (state_prepare(&d->state)) {
    case _Py_ERROR_IGNORE:
        return to;
    case _Py_ERROR_REPLACE:
        return _PyUnicodeWriter_WriteChar(&d->writer, 0xfffd) < 0 ? -1 : to;
    case _Py_ERROR_SURROGATEESCAPE: {
        Py_ssize_t next = escape_bytes(d, from, to);
        if (next != from) {
            return next;
        }
        break;
    }
    case _Py_ERROR_STRICT:
        if (make_decode_error(d, from, to, reason) == 0) {
            PyCodec_StrictErrors(d->state.exc);
        }
        return -1;
    default:
        break;
    }
    return call_decode_handler(d, from, to, reason);
}

/* ----------------------------------------------------------------- encoding */

void
encoder_init(Encoder *e, const char *encoding, const char *errors,
             PyObject *text)
{
    state_init(&e->state, encoding, errors);
    e->text = text;
}

PyObject *
encoder_finish(Encoder *e, _PyBytesWriter *w, void *out)
{
    state_clear(&e->state);
    if (out == NULL) {
        _PyBytesWriter_Dealloc(w);
        return NULL;
    }
    return _PyBytesWriter_Finish(w, out);
}

static int
make_encode_error(Encoder *e, Py_ssize_t from, Py_ssize_t to,
                  const char *reason)
{
    ErrorState *state = &e->state;
    if (state->exc == NULL) {
        state->exc = PyObject_CallFunction(PyExc_UnicodeEncodeError, "sOnns",
                                           state->encoding, e->text, from,
                                           to, reason);
        return state->exc == NULL ? -1 : 0;
    }
    if (PyUnicodeEncodeError_SetStart(state->exc, from) < 0
        || PyUnicodeEncodeError_SetEnd(state->exc, to) < 0
        || PyUnicodeEncodeError_SetReason(state->exc, reason) < 0)
    {
        return -1;
    }
    return 0;
}

void
encoder_raise(Encoder *e, Py_ssize_t from, Py_ssize_t to, const char *reason)
{
    if (make_encode_error(e, from, to, reason) == 0) {
        PyCodec_StrictErrors(e->state.exc);
    }
}

static PyObject *
call_encode_handler(Encoder *e, Py_ssize_t from, Py_ssize_t to,
                    const char *reason, Py_ssize_t *next)
{
    if (state_find_handler(&e->state) < 0
        || make_encode_error(e, from, to, reason) < 0)
    {
        return NULL;
    }
    const char *complaint = "encoding error handler must return (str/bytes, int) tuple";
    PyObject *pair = state_call(&e->state, complaint);
    if (pair == NULL) {
        return NULL;
    }
    PyObject *given = PyTuple_GET_ITEM(pair, 0), *replacement = NULL;
    int acceptable = PyUnicode_Check(given) || PyBytes_Check(given);
    if (position_in(pair, next) == 0 && check_replacement(acceptable, complaint) == 0
        && adjust_position(next, LENGTH(e->text)) == 0) {
        replacement = Py_NewRef(given);
        if (PyUnicode_Check(replacement)
            && PyUnicode_READY(replacement) < 0)
        {
            Py_CLEAR(replacement);
        }
    }
    Py_DECREF(pair);
    return replacement;
}

/* Returns the bytes for the run of U+DC80…U+DCFF that starts at `from`. *next is its
   end. */
static PyObject *
unescape_bytes(Encoder *e, Py_ssize_t from, Py_ssize_t to, Py_ssize_t *next)
{
    const int kind = KIND(e->text);
    const void *data = DATA(e->text);
    Py_ssize_t end = from;
    while (end < to && PyUnicode_READ(kind, data, end) >= 0xdc80
           && PyUnicode_READ(kind, data, end) <= 0xdcff)
    {
        end++;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, end - from);
    for (Py_ssize_t i = from; bytes != NULL && i < end; i++) {
        PyBytes_AS_STRING(bytes)[i - from] =
            (char)(PyUnicode_READ(kind, data, i) - 0xdc00);
    }
    *next = end;
    return bytes;
}

PyObject *
encoder_error(Encoder *e, Py_ssize_t from, Py_ssize_t to, const char *reason,
              Py_ssize_t *next)
{
    *next = to;
    switch (state_prepare(&e->state)) {
    case _Py_ERROR_STRICT:
        encoder_raise(e, from, to, reason);
        return NULL;
    case _Py_ERROR_IGNORE:
        return _PyUnicode_NewEmpty();
    case _Py_ERROR_REPLACE: {
        PyObject *marks = PyUnicode_New(to - from, 0x7f);
        if (marks != NULL) {
            _PyUnicode_FastFill(marks, 0, to - from, '?');
        }
        return marks;
    }
    case _Py_ERROR_SURROGATEESCAPE: {
        PyObject *bytes = unescape_bytes(e, from, to, next);
        if (bytes == NULL || *next > from) {
            return bytes;
        }
        Py_DECREF(bytes);
        break;
    }
    default:
        break;
    }
    return call_encode_handler(e, from, to, reason, next);
}

int
encoder_handler(Encoder *e)
{
    return state_prepare(&e->state);
}

int
encoder_escape(Encoder *e, _PyBytesWriter *w, char **out, Py_ssize_t from,
               Py_ssize_t to)
{
    const int known = state_prepare(&e->state);
    if (known != _Py_ERROR_BACKSLASHREPLACE && known != _Py_ERROR_XMLCHARREFREPLACE) {
        return 0;
    }
    const int kind = KIND(e->text);
    const void *data = DATA(e->text);
    char few[32 * _PyCodec_ESCAPE_MAX];
    while (*out != NULL && from < to) {
        Py_ssize_t n = 0;
        const Py_ssize_t end = Py_MIN(to, from + 32);
        for (; from < end; from++) {
            const Py_UCS4 ch = PyUnicode_READ(kind, data, from);
            n += known == _Py_ERROR_BACKSLASHREPLACE ? _PyCodec_WriteBackslash(few + n, ch)
                                                     : _PyCodec_WriteReference(few + n, ch);
        }
        *out = _PyBytesWriter_WriteBytes(w, *out, few, n);
    }
    return 1;
}
