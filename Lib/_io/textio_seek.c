/* Positions in TextIOWrapper.

   If a codec has state, a byte offset does not say how to continue decoding, and the
   position may lie in the middle of what one chunk was decoded to. Therefore tell() gives
   a recipe, packed into an int: seek the buffer to `start`, put the decoder into the
   state (b"", flags), feed it `feed` bytes (and the end of the file, if `eof`), and skip
   `skip` characters. Usually all but start are 0, and the number is the offset.

   To find a recipe for a position inside the decoded chunk, tell() replays the decoder
   over the snapshot's bytes and looks for the last place before the position at which the
   decoder holds no bytes back: that is a safe start. */
#include "textio.h"

typedef struct {
    long long start;
    int flags, feed, skip;
    char eof;
} recipe;

/* Little endian: 8 bytes of start, 4 each of flags, feed and skip, 1 of eof. */
#define RECIPE_BYTES 21

static void
put_le(unsigned char *out, unsigned long long value, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = (unsigned char)(value >> 8 * i);
    }
}

static unsigned long long
get_le(const unsigned char *in, int n)
{
    unsigned long long value = 0;
    for (int i = n; i-- > 0; ) {
        value = value << 8 | in[i];
    }
    return value;
}

static PyObject *
pack_recipe(const recipe *r)
{
    unsigned char bytes[RECIPE_BYTES];
    put_le(bytes, (unsigned long long)r->start, 8);
    put_le(bytes + 8, (unsigned)r->flags, 4);
    put_le(bytes + 12, (unsigned)r->feed, 4);
    put_le(bytes + 16, (unsigned)r->skip, 4);
    bytes[20] = (unsigned char)r->eof;
    return _PyLong_FromByteArray(bytes, sizeof(bytes), 1, 0);
}

static int
unpack_recipe(PyObject *cookie, recipe *r)
{
    unsigned char bytes[RECIPE_BYTES];
    PyObject *number = PyNumber_Long(cookie);
    if (number == NULL) {
        return -1;
    }
    int rc = _PyLong_AsByteArray((PyLongObject *)number, bytes, sizeof(bytes), 1, 0);
    Py_DECREF(number);
    r->start = (long long)get_le(bytes, 8);
    r->flags = (int)get_le(bytes + 8, 4);
    r->feed = (int)get_le(bytes + 12, 4);
    r->skip = (int)get_le(bytes + 16, 4);
    r->eof = (char)bytes[20];
    return rc;
}

/* Discards the result of a call. */
static int
done(PyObject *result)
{
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* Puts the decoder into the state at the start of a recipe. */
static int
rewind_decoder(PyObject *decoder, const recipe *r)
{
    if (r->start == 0 && r->flags == 0) {
        return done(PyObject_CallMethodNoArgs(decoder, _Py_NAME(reset)));
    }
    PyObject *state = Py_BuildValue("(yi)", "", r->flags);
    int rc = state == NULL ? -1
        : done(PyObject_CallMethodOneArg(decoder, _Py_NAME(setstate), state));
    Py_XDECREF(state);
    return rc;
}

/* --------------------------------------------------------------------- seek */

static int
seek_buffer(textio *self, long long start)
{
    PyObject *offset = PyLong_FromLongLong(start);
    int rc = offset == NULL ? -1
        : done(_PyTextIO_call_buffer(self, _Py_NAME(seek), offset));
    Py_XDECREF(offset);
    return rc;
}

/* Follows a recipe, starting at the buffer's position. */
static int
follow_recipe(textio *self, const recipe *r)
{
    PyObject *flags = PyLong_FromLong(r->flags);
    if (flags == NULL) {
        return -1;
    }
    PyObject *input, *buffer = r->skip ? _PyTextIO_hold_buffer(self) : NULL;
    if (r->skip) {
        input = buffer == NULL ? NULL : PyObject_CallMethod(buffer, "read", "i", r->feed);
        Py_XDECREF(buffer);
    }
    else {
        input = PyBytes_FromStringAndSize(NULL, 0);
    }
    if (input != NULL && !PyBytes_Check(input)) {
        PyErr_Format(PyExc_TypeError,
                     "underlying read() should have returned a bytes object, not '%.200s'",
                     Py_TYPE(input)->tp_name);
        Py_CLEAR(input);
    }
    if (input == NULL) {
        Py_DECREF(flags);
        return -1;
    }
    Py_XSETREF(self->snap_flags, flags);
    Py_XSETREF(self->snap_input, input);
    if (!r->skip) {
        return 0;
    }
    PyObject *decoder = Py_NewRef(self->decoder);
    PyObject *text = _PyTextIO_decode(decoder, input, r->eof);
    Py_DECREF(decoder);
    if (text == NULL) {
        return -1;
    }
    Py_XSETREF(self->decoded, text);
    self->decoded_used = 0;
    if (r->skip < 0 || PyUnicode_GET_LENGTH(text) < r->skip) {
        PyErr_SetString(PyExc_OSError, "can't restore logical file position");
        return -1;
    }
    self->decoded_used = r->skip;
    return 0;
}

static PyObject *
seek_to_end(textio *self)
{
    if (done(PyObject_CallMethodNoArgs((PyObject *)self, _Py_NAME(flush))) < 0) {
        return NULL;
    }
    _PyTextIO_forget_decoded(self);
    if (self->decoder != NULL
        && done(PyObject_CallMethodNoArgs(self->decoder, _Py_NAME(reset))) < 0) {
        return NULL;
    }
    PyObject *buffer = _PyTextIO_hold_buffer(self);
    PyObject *position = buffer == NULL ? NULL : PyObject_CallMethod(buffer, "seek", "ii", 0, 2);
    Py_XDECREF(buffer);
    if (position == NULL) {
        return NULL;
    }
    /* An empty file's end is its start. */
    int moved = PyObject_IsTrue(position);
    if (moved < 0 || _PyTextIO_set_encoder_start(self, !moved) < 0) {
        Py_CLEAR(position);
    }
    return position;
}

/* 1: seek(cookie, whence) is done and has set *result; 0: *cookie (a new reference) is
   the position to go to; -1. */
static int
seek_relative(textio *self, PyObject *given, int whence, PyObject **cookie, PyObject **result)
{
    if (whence < 0 || whence > 2) {
        PyErr_Format(PyExc_ValueError, "invalid whence (%d, should be %d, %d or %d)", whence,
                     SEEK_SET, SEEK_CUR, SEEK_END);
        return -1;
    }
    if (whence == SEEK_SET) {
        *cookie = Py_NewRef(given);
        return 0;
    }
    PyObject *zero = PyLong_FromLong(0);
    int is_zero = zero == NULL ? -1 : PyObject_RichCompareBool(given, zero, Py_EQ);
    Py_XDECREF(zero);
    if (is_zero < 0) {
        return -1;
    }
    if (!is_zero) {
        _PyIO_RaiseUnsupported(whence == SEEK_CUR ? "can't do nonzero cur-relative seeks"
                               : "can't do nonzero end-relative seeks");
        return -1;
    }
    if (whence == SEEK_END) {
        *result = seek_to_end(self);
        return *result == NULL ? -1 : 1;
    }
    /* The position does not change, but what was read ahead is discarded. */
    *cookie = PyObject_CallMethodNoArgs((PyObject *)self, _Py_NAME(tell));
    return *cookie == NULL ? -1 : 0;
}

static int
seek_to_cookie(textio *self, PyObject *cookie)
{
    recipe r;
    PyObject *zero = PyLong_FromLong(0);
    int negative = zero == NULL ? -1 : PyObject_RichCompareBool(cookie, zero, Py_LT);
    Py_XDECREF(zero);
    if (negative) {
        if (negative > 0) {
            PyErr_Format(PyExc_ValueError, "negative seek position %R", cookie);
        }
        return -1;
    }
    if (done(PyObject_CallMethodNoArgs((PyObject *)self, _Py_NAME(flush))) < 0
        || unpack_recipe(cookie, &r) < 0 || seek_buffer(self, r.start) < 0) {
        return -1;
    }
    _PyTextIO_forget_decoded(self);
    if (self->decoder != NULL
        && (rewind_decoder(self->decoder, &r) < 0 || follow_recipe(self, &r) < 0)) {
        return -1;
    }
    return _PyTextIO_set_encoder_start(self, r.start == 0 && r.flags == 0);
}

PyObject *
_PyTextIO_seek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    textio *self = (textio *)op;
    int whence = SEEK_SET;
    if (!_PyArg_CheckPositional("seek", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2 && (whence = _PyLong_AsInt(args[1])) == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (_PyTextIO_check_open(self) < 0) {
        return NULL;
    }
    if (!self->seekable) {
        return _PyIO_RaiseUnsupported("underlying stream is not seekable");
    }
    PyObject *cookie = NULL, *result = NULL;
    if (seek_relative(self, args[0], whence, &cookie, &result) != 0) {
        return result;
    }
    if (seek_to_cookie(self, cookie) < 0) {
        Py_CLEAR(cookie);
    }
    return cookie;
}

/* --------------------------------------------------------------------- tell */

/* What the decoder reports after a replay. */
typedef struct {
    Py_ssize_t chars;           /* given out since the replay's start */
    Py_ssize_t held;            /* bytes held back */
    int flags;
} replay;

static int
look_at_decoder(PyObject *decoder, replay *now)
{
    PyObject *held;
    PyObject *state = _PyTextIO_decoder_state(decoder, "Oi;illegal decoder state", &held,
                                              &now->flags);
    if (state == NULL) {
        return -1;
    }
    now->held = PyBytes_GET_SIZE(held);
    Py_DECREF(state);
    return 0;
}

/* Feeds n bytes (and the end of the file) to the decoder. */
static int
feed(PyObject *decoder, const char *data, Py_ssize_t n, int final, replay *now)
{
    PyObject *bytes = PyBytes_FromStringAndSize(data, n);
    PyObject *text = bytes == NULL ? NULL : _PyTextIO_decode(decoder, bytes, final);
    Py_XDECREF(bytes);
    if (text == NULL) {
        return -1;
    }
    now->chars += PyUnicode_GET_LENGTH(text);
    Py_DECREF(text);
    return final ? 0 : look_at_decoder(decoder, now);
}

/* Finds a safe start not far before the position: guesses how many bytes made
   `skip` characters, and steps back, further each time, while the guess gives
   too many characters or falls inside one. Moves the recipe there, and leaves
   the decoder in its state. Returns how many of the input's bytes lie before,
   or -1. */
static Py_ssize_t
guess_start(textio *self, PyObject *decoder, const char *input, Py_ssize_t size, recipe *r)
{
    Py_ssize_t guess = (Py_ssize_t)(self->bytes_per_char * r->skip), step = 1;
    if (guess > size) {
        guess = size;
    }
    while (guess > 0) {
        replay now = {0};
        if (rewind_decoder(decoder, r) < 0 || feed(decoder, input, guess, 0, &now) < 0) {
            return -1;
        }
        if (now.chars <= r->skip) {
            if (now.held == 0) {
                r->flags = now.flags;
                r->skip -= (int)now.chars;
                return guess;
            }
            guess -= now.held;  /* back to where the held bytes begin */
            step = 1;
        }
        else {
            guess -= step;
            step *= 2;
        }
    }
    return rewind_decoder(decoder, r) < 0 ? -1 : 0;
}

/* Continues byte by byte to the position, and moves the recipe to each safe start on the
   way. */
static int
refine_start(PyObject *decoder, const char *input, Py_ssize_t size, recipe *r)
{
    replay now = {0};
    Py_ssize_t fed = 0;         /* since the safe start */
    if (r->skip == 0) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        fed++;
        if (feed(decoder, input + i, 1, 0, &now) < 0) {
            return -1;
        }
        if (now.held == 0 && now.chars <= r->skip) {
            r->start += fed;
            r->skip -= (int)now.chars;
            r->flags = now.flags;
            fed = 0;
            now.chars = 0;
        }
        if (now.chars >= r->skip) {
            r->feed = (int)fed;
            return 0;
        }
    }
    /* The last characters come only with the end of the file. */
    if (feed(decoder, "", 0, 1, &now) < 0) {
        return -1;
    }
    r->feed = (int)fed;
    r->eof = 1;
    if (now.chars < r->skip) {
        PyErr_SetString(PyExc_OSError, "can't reconstruct logical file position");
        return -1;
    }
    return 0;
}

/* The buffer's position. */
static int
buffer_position(textio *self, PyObject **position)
{
    if (_PyTextIO_write_pending(self) < 0
        || done(PyObject_CallMethodNoArgs((PyObject *)self, _Py_NAME(flush))) < 0) {
        return -1;
    }
    *position = _PyTextIO_call_buffer(self, _Py_NAME(tell), NULL);
    return *position == NULL ? -1 : 0;
}

static PyObject *
recipe_for_position(textio *self, PyObject *decoder, recipe *r)
{
    const char *input = PyBytes_AS_STRING(self->snap_input);
    Py_ssize_t size = PyBytes_GET_SIZE(self->snap_input);
    PyObject *keep = Py_NewRef(self->snap_input);
    PyObject *saved = PyObject_CallMethodNoArgs(decoder, _Py_NAME(getstate));
    int rc = -1;
    if (saved != NULL) {
        Py_ssize_t before = guess_start(self, decoder, input, size, r);
        if (before >= 0) {
            r->start += before;
            rc = refine_start(decoder, input + before, size - before, r);
        }
        /* Restores the decoder's state, also after errors. */
        PyObject *type, *value, *tb;
        PyErr_Fetch(&type, &value, &tb);
        if (done(PyObject_CallMethodOneArg(decoder, _Py_NAME(setstate), saved)) < 0) {
            rc = -1;
        }
        _PyErr_ChainExceptions(type, value, tb);
        Py_DECREF(saved);
    }
    Py_DECREF(keep);
    return rc < 0 ? NULL : pack_recipe(r);
}

PyObject *
_PyTextIO_tell(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    textio *self = (textio *)op;
    PyObject *position;
    recipe r = {0};
    if (_PyTextIO_check_open(self) < 0) {
        return NULL;
    }
    if (!self->seekable) {
        return _PyIO_RaiseUnsupported("underlying stream is not seekable");
    }
    if (!self->telling) {
        PyErr_SetString(PyExc_OSError, "telling position disabled by next() call");
        return NULL;
    }
    if (buffer_position(self, &position) < 0) {
        return NULL;
    }
    if (self->decoder == NULL || self->snap_input == NULL) {
        return position;
    }
    r.start = _PyIO_off(position, PyExc_OverflowError);
    Py_DECREF(position);
    if (r.start == -1 && PyErr_Occurred()) {
        return NULL;
    }
    r.start -= PyBytes_GET_SIZE(self->snap_input);
    r.flags = _PyLong_AsInt(self->snap_flags);
    if (r.flags == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (self->decoded_used == 0) {
        return pack_recipe(&r);
    }
    if (self->decoded_used > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "can't tell the position in so long a chunk");
        return NULL;
    }
    r.skip = (int)self->decoded_used;
    PyObject *decoder = Py_NewRef(self->decoder);
    PyObject *cookie = recipe_for_position(self, decoder, &r);
    Py_DECREF(decoder);
    return cookie;
}
