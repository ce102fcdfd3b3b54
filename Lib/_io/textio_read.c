/* TextIOWrapper, reading: chunks of the buffer's bytes are decoded into `decoded`,
   and handed out from there by size or by line. textio.h has the state. */
#include "textio.h"

void
_PyTextIO_forget_decoded(textio *self)
{
    Py_CLEAR(self->decoded);
    self->decoded_used = 0;
    Py_CLEAR(self->snap_flags);
    Py_CLEAR(self->snap_input);
}

PyObject *
_PyTextIO_decode(PyObject *decoder, PyObject *bytes, int final)
{
    if (Py_IS_TYPE(decoder, &PyIncrementalNewlineDecoder_Type)) {
        return _PyIncrementalNewlineDecoder_decode(decoder, bytes, final);
    }
    PyObject *text = PyObject_CallMethodObjArgs(decoder, _Py_NAME(decode), bytes,
                                                final ? Py_True : Py_False, NULL);
    if (text != NULL && !PyUnicode_Check(text)) {
        PyErr_Format(PyExc_TypeError, "decoder should return a string result, not '%.200s'",
                     Py_TYPE(text)->tp_name);
        Py_CLEAR(text);
    }
    return text;
}

static inline Py_ssize_t
decoded_left(textio *self)
{
    return self->decoded == NULL ? 0 : PyUnicode_GET_LENGTH(self->decoded) - self->decoded_used;
}

/* The next n decoded characters; all that are left if n is negative or larger. */
static PyObject *
take_decoded(textio *self, Py_ssize_t n)
{
    Py_ssize_t left = decoded_left(self), from = self->decoded_used;
    if (n < 0 || n > left) {
        n = left;
    }
    if (n == 0) {
        return PyUnicode_New(0, 0);
    }
    self->decoded_used += n;
    if (!PyUnicode_IS_ASCII(self->decoded) || n == 1) {
        return PyUnicode_Substring(self->decoded, from, from + n);
    }
    PyObject *text = PyUnicode_New(n, 127);
    if (text != NULL) {
        memcpy(PyUnicode_DATA(text), (char *)PyUnicode_DATA(self->decoded) + from, (size_t)n);
    }
    return text;
}

PyObject *
_PyTextIO_decoder_state(PyObject *decoder, const char *format, PyObject **held, void *flags)
{
    PyObject *state = PyObject_CallMethodNoArgs(decoder, _Py_NAME(getstate));
    if (state == NULL) {
        return NULL;
    }
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "illegal decoder state");
    }
    else if (PyArg_ParseTuple(state, format, held, flags)) {
        if (PyBytes_Check(*held)) {
            return state;
        }
        PyErr_Format(PyExc_TypeError, "illegal decoder state: the first item should be a "
                     "bytes object, not '%.200s'", Py_TYPE(*held)->tp_name);
    }
    Py_DECREF(state);
    return NULL;
}

/* The decoder's state, for the snapshot. Both are new references. */
static int
decoder_state(PyObject *decoder, PyObject **held, PyObject **flags)
{
    PyObject *state = _PyTextIO_decoder_state(decoder, "OO;illegal decoder state", held, flags);
    if (state == NULL) {
        *held = *flags = NULL;
        return -1;
    }
    Py_INCREF(*held);
    Py_INCREF(*flags);
    Py_DECREF(state);
    return 0;
}

/* held + what the view shows: the bytes that the decoded text came from. */
static PyObject *
joined_input(PyObject *held, const Py_buffer *view)
{
    Py_ssize_t n = PyBytes_GET_SIZE(held);
    if (n > PY_SSIZE_T_MAX - view->len) {
        return PyErr_NoMemory();
    }
    PyObject *input = PyBytes_FromStringAndSize(NULL, n + view->len);
    if (input != NULL) {
        memcpy(PyBytes_AS_STRING(input), PyBytes_AS_STRING(held), (size_t)n);
        memcpy(PyBytes_AS_STRING(input) + n, view->buf, (size_t)view->len);
    }
    return input;
}

static PyObject *
read_bytes(textio *self, Py_ssize_t wanted)
{
    Py_ssize_t size = self->chunk_size;
    if (wanted > 0) {
        double ratio = self->bytes_per_char > 1.0 ? self->bytes_per_char : 1.0;
        double hint = ratio * (double)wanted;
        if (hint > (double)size) {
            size = hint < (double)(PY_SSIZE_T_MAX / 2) ? (Py_ssize_t)hint : PY_SSIZE_T_MAX / 2;
        }
    }
    PyObject *number = PyLong_FromSsize_t(size);
    if (number == NULL) {
        return NULL;
    }
    PyObject *bytes = _PyTextIO_call_buffer(
        self, self->has_read1 ? _Py_NAME(read1) : _Py_NAME(read), number);
    Py_DECREF(number);
    return bytes;
}

/* Decodes a chunk of about as many bytes as `wanted` characters need. Returns 1, 0 at the
   end of the file, or -1. */
static int
read_chunk(textio *self, Py_ssize_t wanted)
{
    if (self->decoder == NULL) {
        _PyIO_RaiseUnsupported("not readable");
        return -1;
    }
    PyObject *decoder = Py_NewRef(self->decoder);
    PyObject *held = NULL, *flags = NULL, *bytes = NULL, *text, *input;
    Py_buffer view = {.obj = NULL};
    int rc = -1;
    if (self->telling && decoder_state(decoder, &held, &flags) < 0) {
        goto done;
    }
    bytes = read_bytes(self, wanted);
    if (bytes == NULL) {
        goto done;
    }
    if (PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE) < 0) {
        PyErr_Format(PyExc_TypeError,
                     "underlying %s() should have returned a bytes-like object, not '%.200s'",
                     self->has_read1 ? "read1" : "read", Py_TYPE(bytes)->tp_name);
        goto done;
    }
    int eof = view.len == 0;
    text = _PyTextIO_decode(decoder, bytes, eof);
    if (text == NULL) {
        goto done;
    }
    input = NULL;
    if (held != NULL) {
        input = joined_input(held, &view);
        if (input == NULL) {
            Py_DECREF(text);
            goto done;
        }
    }
    Py_XSETREF(self->snap_input, input);
    Py_XSETREF(self->snap_flags, flags);
    flags = NULL;
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    Py_XSETREF(self->decoded, text);
    self->decoded_used = 0;
    self->bytes_per_char = length > 0 ? (double)view.len / (double)length : 0.0;
    rc = length > 0 || !eof;
done:
    if (view.obj != NULL) {
        PyBuffer_Release(&view);
    }
    Py_XDECREF(bytes);
    Py_XDECREF(held);
    Py_XDECREF(flags);
    Py_DECREF(decoder);
    return rc;
}

static int
read_chunk_again(textio *self, Py_ssize_t wanted)
{
    int rc;
    do {
        rc = read_chunk(self, wanted);
    } while (rc < 0 && _PyIO_trap_eintr());
    return rc;
}

/* Text in pieces: most results are one. */
typedef struct {
    PyObject *first;            /* NULL: none yet */
    PyObject *list;             /* all of them, if there are more */
    Py_ssize_t length;
    int ends_in_cr;
} text_pieces;

/* Steals piece; NULL is an error. */
static int
add_piece(text_pieces *all, PyObject *piece)
{
    if (piece == NULL) {
        return -1;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(piece);
    if (n == 0) {
        Py_DECREF(piece);
        return 0;
    }
    all->length += n;
    all->ends_in_cr = PyUnicode_READ_CHAR(piece, n - 1) == '\r';
    if (all->first == NULL) {
        all->first = piece;
        return 0;
    }
    if (all->list == NULL) {
        all->list = PyList_New(0);
        if (all->list == NULL || PyList_Append(all->list, all->first) < 0) {
            Py_DECREF(piece);
            return -1;
        }
    }
    int rc = PyList_Append(all->list, piece);
    Py_DECREF(piece);
    return rc;
}

/* The pieces as one string if rc is 0; they are freed. */
static PyObject *
join_pieces(text_pieces *all, int rc)
{
    PyObject *result = NULL;
    if (rc == 0 && all->list != NULL) {
        PyObject *empty = PyUnicode_New(0, 0);
        result = empty == NULL ? NULL : PyUnicode_Join(empty, all->list);
        Py_XDECREF(empty);
    }
    else if (rc == 0) {
        result = all->first != NULL ? Py_NewRef(all->first) : PyUnicode_New(0, 0);
    }
    Py_XDECREF(all->first);
    Py_XDECREF(all->list);
    return result;
}

static PyObject *
read_all(textio *self)
{
    text_pieces all = {0};
    PyObject *decoder = Py_NewRef(self->decoder), *text = NULL;
    PyObject *bytes = _PyTextIO_call_buffer(self, _Py_NAME(read), NULL);
    if (bytes != NULL) {
        text = _PyTextIO_decode(decoder, bytes, 1);
        Py_DECREF(bytes);
    }
    Py_DECREF(decoder);
    if (text == NULL) {
        return NULL;
    }
    int rc = add_piece(&all, take_decoded(self, -1));
    if (rc == 0) {
        rc = add_piece(&all, text);
    }
    else {
        Py_DECREF(text);
    }
    if (rc == 0) {
        _PyTextIO_forget_decoded(self);
    }
    return join_pieces(&all, rc);
}

PyObject *
_PyTextIO_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    textio *self = (textio *)op;
    Py_ssize_t n;
    if (!_PyIO_size_arg("read", args, nargs, &n) || _PyTextIO_check_open(self) < 0) {
        return NULL;
    }
    if (self->decoder == NULL) {
        return _PyIO_RaiseUnsupported("not readable");
    }
    if (_PyTextIO_write_pending(self) < 0) {
        return NULL;
    }
    if (n < 0) {
        return read_all(self);
    }
    if (n <= decoded_left(self)) {
        return take_decoded(self, n);
    }
    text_pieces all = {0};
    int rc = add_piece(&all, take_decoded(self, n));
    while (rc == 0 && all.length < n) {
        int got = read_chunk_again(self, n - all.length);
        if (got == 0) {
            break;
        }
        rc = got < 0 ? -1 : add_piece(&all, take_decoded(self, n - all.length));
    }
    return join_pieces(&all, rc);
}

/* The length of a line that ends in "\n", if the decoded characters are of the usual kind; 0 if
   they are not, or have no such end. */
static inline Py_ssize_t
usual_line(textio *self)
{
    if (PyUnicode_KIND(self->decoded) != PyUnicode_1BYTE_KIND || !self->readtranslate) {
        return 0;
    }
    const char *start = (const char *)PyUnicode_DATA(self->decoded) + self->decoded_used;
    const char *newline = memchr(start, '\n', (size_t)decoded_left(self));
    return newline == NULL ? 0 : newline - start + 1;
}

/* How many of the decoded characters belong to a line. after_cr: what came before them
   ended with "\r". *complete: the line ends there. */
static Py_ssize_t
line_part(textio *self, int after_cr, int *complete)
{
    int kind = PyUnicode_KIND(self->decoded);
    const char *data = PyUnicode_DATA(self->decoded);
    Py_ssize_t length = PyUnicode_GET_LENGTH(self->decoded), consumed, end;
    *complete = 1;
    end = usual_line(self);
    if (end > 0) {
        return end;
    }
    if (after_cr && !self->readuniversal
        && PyUnicode_READ(kind, data, self->decoded_used) == '\n'
        && PyUnicode_GET_LENGTH(self->readnl) == 2) {
        return 1;               /* "\r\n" in two chunks */
    }
    end = _PyIO_find_line_ending(self->readtranslate, self->readuniversal, self->readnl, kind,
                                 data + self->decoded_used * kind, data + length * kind,
                                 &consumed);
    if (end >= 0) {
        return end;
    }
    *complete = 0;
    return length - self->decoded_used;
}

/* The file is open, and has nothing to write. These checks can't run other code. */
static inline int
can_take_at_once(textio *self)
{
    return self->ok && !self->detached && Py_IS_TYPE(self, &PyTextIOWrapper_Type)
           && self->raw != NULL && _PyFileIO_closed(self->raw) == Py_False
           && self->pending_len == 0 && self->decoder != NULL && decoded_left(self) > 0;
}

static PyObject *
read_line(textio *self, Py_ssize_t limit)
{
    if (limit < 0 && can_take_at_once(self)) {
        int complete;
        Py_ssize_t n = line_part(self, 0, &complete);
        if (complete) {
            return take_decoded(self, n);
        }
    }
    if (_PyTextIO_check_open(self) < 0 || _PyTextIO_write_pending(self) < 0) {
        return NULL;
    }
    int rc = 0, complete = limit == 0 && self->decoded != NULL;
    if (self->decoder == NULL) {
        return _PyIO_RaiseUnsupported("not readable");
    }
    if (limit < 0 && decoded_left(self) > 0) {
        Py_ssize_t n = line_part(self, 0, &complete);
        if (complete) {         /* as a rule */
            return take_decoded(self, n);
        }
    }
    text_pieces line = {0};
    while (rc == 0 && !complete) {
        if (decoded_left(self) == 0) {
            Py_CLEAR(self->decoded);
            self->decoded_used = 0;
            int got = read_chunk_again(self, 0);
            if (got == 0) {
                _PyTextIO_forget_decoded(self);
                break;
            }
            rc = got < 0 ? -1 : 0;
            continue;
        }
        Py_ssize_t n = line_part(self, line.ends_in_cr, &complete);
        if (limit >= 0 && n >= limit - line.length) {
            n = limit - line.length;
            complete = 1;
        }
        rc = add_piece(&line, take_decoded(self, n));
    }
    return join_pieces(&line, rc);
}

PyObject *
_PyTextIO_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t limit = -1;
    if (!_PyArg_CheckPositional("readline", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1 && _PyArg_AsSsize(args[0], &limit) < 0) {
        return NULL;
    }
    return _PyTextIO_check_attached((textio *)op) < 0 ? NULL : read_line((textio *)op, limit);
}

PyObject *
_PyTextIO_iternext(PyObject *op)
{
    textio *self = (textio *)op;
    PyObject *line;
    if (_PyTextIO_check_attached(self) < 0) {
        return NULL;
    }
    self->telling = 0;          /* keeping snapshots would make loops slow */
    if (Py_IS_TYPE(op, &PyTextIOWrapper_Type)) {
        line = read_line(self, -1);
    }
    else {
        line = PyObject_CallMethodNoArgs(op, _Py_NAME(readline));
        if (line != NULL && !PyUnicode_Check(line)) {
            PyErr_Format(PyExc_OSError,
                         "readline() should have returned a str object, not '%.200s'",
                         Py_TYPE(line)->tp_name);
            Py_CLEAR(line);
        }
    }
    if (line != NULL && PyUnicode_GET_LENGTH(line) == 0) {
        Py_CLEAR(line);
        Py_CLEAR(self->snap_flags);
        Py_CLEAR(self->snap_input);
        self->telling = self->seekable;
    }
    return line;
}
