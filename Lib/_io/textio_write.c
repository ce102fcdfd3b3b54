/* TextIOWrapper, writing: text is encoded at once, and its bytes wait in `pending` until
   the buffer has taken them. textio.h explains why. */
#include "textio.h"

static int
reserve_pending(textio *self, Py_ssize_t n)
{
    if (n > PY_SSIZE_T_MAX - self->pending_len) {
        PyErr_NoMemory();
        return -1;
    }
    Py_ssize_t need = self->pending_len + n;
    if (need <= self->pending_size) {
        return 0;
    }
    Py_ssize_t size = need + (need >> 1) + 64;
    if (size < need) {
        size = need;
    }
    char *pending = PyMem_Realloc(self->pending, (size_t)size);
    if (pending == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->pending = pending;
    self->pending_size = size;
    return 0;
}

static int
append_pending(textio *self, const char *data, Py_ssize_t n)
{
    if (n == 0 || reserve_pending(self, n) < 0) {
        return n == 0 ? 0 : -1;
    }
    memcpy(self->pending + self->pending_len, data, (size_t)n);
    self->pending_len += n;
    return 0;
}

/* If the exception in flight is BlockingIOError, it says how many of n bytes were taken
   before. Other exceptions mean none. */
static Py_ssize_t
taken_before_error(Py_ssize_t n)
{
    if (!PyErr_ExceptionMatches(PyExc_BlockingIOError)) {
        return 0;
    }
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    PyErr_NormalizeException(&type, &value, &tb);
    Py_ssize_t taken = PyObject_TypeCheck(value, (PyTypeObject *)PyExc_BlockingIOError)
        ? ((PyOSErrorObject *)value)->written : 0;
    PyErr_Restore(type, value, tb);
    return taken < 0 ? 0 : taken > n ? n : taken;
}

/* None of the text given to write() has been taken: characters_written counts earlier
   text. */
static void
forget_characters_written(void)
{
    if (PyErr_ExceptionMatches(PyExc_BlockingIOError)) {
        PyObject *type, *value, *tb;
        PyErr_Fetch(&type, &value, &tb);
        PyErr_NormalizeException(&type, &value, &tb);
        if (PyObject_TypeCheck(value, (PyTypeObject *)PyExc_BlockingIOError)) {
            ((PyOSErrorObject *)value)->written = 0;
        }
        PyErr_Restore(type, value, tb);
    }
}

/* How many of size bytes a raw write() took, according to its result (stolen). -1: it
   would block; that has been raised. */
static Py_ssize_t
raw_result(PyObject *result, Py_ssize_t size, Py_ssize_t before)
{
    if (result == Py_None) {
        Py_DECREF(result);
        _PyIO_RaiseWouldBlock(before);
        return -1;
    }
    Py_ssize_t n = PyLong_Check(result) ? PyLong_AsSsize_t(result) : size;
    Py_DECREF(result);
    if (n == -1) {
        PyErr_Clear();
    }
    return n <= 0 || n > size ? size : n;
}

/* Calls buffer.write(bytes). Returns how many it took; if fewer than all, an
   exception is set. */
static Py_ssize_t
write_by_method(textio *self, PyObject *buffer, PyObject *bytes)
{
    Py_ssize_t n = PyBytes_GET_SIZE(bytes), done = 0;
    PyObject *rest = Py_NewRef(bytes);
    int raw_sink = self->raw_sink;
    for (;;) {
        PyObject *result;
        do {
            result = PyObject_CallMethodOneArg(buffer, _Py_NAME(write), rest);
        } while (result == NULL && _PyIO_trap_eintr());
        if (result == NULL) {
            Py_ssize_t taken = taken_before_error(n - done);
            /* The exception says that bytes are missing. */
            done += done + taken < n ? taken : n - done - 1;
            break;
        }
        if (!raw_sink) {
            Py_DECREF(result);
            done = n;
            break;
        }
        Py_ssize_t count = raw_result(result, n - done, done);
        if (count < 0) {
            break;
        }
        done += count;
        if (done >= n) {
            break;
        }
        Py_SETREF(rest, PyBytes_FromStringAndSize(PyBytes_AS_STRING(bytes) + done, n - done));
        if (rest == NULL || PyErr_CheckSignals() < 0) {
            break;
        }
    }
    Py_XDECREF(rest);
    return done;
}

/* Gives n > 0 bytes to the buffer; `bytes` is an object that holds them, or NULL. Returns
   how many it took; if fewer than all, an exception is set. */
static Py_ssize_t
hand_over(textio *self, PyObject *bytes, const char *data, Py_ssize_t n)
{
    Py_ssize_t done = 0;
    PyObject *buffer = _PyTextIO_hold_buffer(self);
    if (buffer == NULL) {
        return 0;
    }
    if (_PyBuffered_HasOwnWrite(buffer)) {
        _PyBuffered_Write(buffer, data, n, &done);
    }
    else {
        bytes = bytes != NULL ? Py_NewRef(bytes) : PyBytes_FromStringAndSize(data, n);
        if (bytes != NULL) {
            done = write_by_method(self, buffer, bytes);
            Py_DECREF(bytes);
        }
    }
    Py_DECREF(buffer);
    return done;
}

/* Puts bytes that could not be written in front of what was added meanwhile; an exception
   is set and stays set. */
static void
put_back(textio *self, const char *data, Py_ssize_t n)
{
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    if (reserve_pending(self, n) == 0) {
        memmove(self->pending + n, self->pending, (size_t)self->pending_len);
        memcpy(self->pending, data, (size_t)n);
        self->pending_len += n;
    }
    _PyErr_ChainExceptions(type, value, tb);
}

int
_PyTextIO_write_pending(textio *self)
{
    Py_ssize_t n = self->pending_len, size = self->pending_size;
    char *data = self->pending;
    if (n == 0) {
        return 0;
    }
    self->pending = NULL;
    self->pending_len = self->pending_size = 0;
    Py_ssize_t done = hand_over(self, NULL, data, n);
    if (self->pending_len == 0) {       /* as a rule: the memory is used again */
        memmove(data, data + done, (size_t)(n - done));
        PyMem_Free(self->pending);
        self->pending = data;
        self->pending_len = n - done;
        self->pending_size = size;
    }
    else {
        if (done < n) {
            put_back(self, data + done, n - done);
        }
        PyMem_Free(data);
    }
    return done < n ? -1 : 0;
}

static PyObject *
encode_text(textio *self, PyObject *text)
{
    const char *errors = PyUnicode_AsUTF8(self->errors);
    if (errors == NULL) {
        return NULL;
    }
    int native = PY_BIG_ENDIAN ? 1 : -1;
    switch (self->encode) {
    case ENCODE_UTF8:
        return _PyUnicode_AsUTF8String(text, errors);
    case ENCODE_ASCII:
        return _PyUnicode_AsASCIIString(text, errors);
    case ENCODE_LATIN1:
        return _PyUnicode_AsLatin1String(text, errors);
    case ENCODE_UTF16:
        return _PyUnicode_EncodeUTF16(text, errors, self->at_start ? 0 : native);
    case ENCODE_UTF16_LE:
        return _PyUnicode_EncodeUTF16(text, errors, -1);
    case ENCODE_UTF16_BE:
        return _PyUnicode_EncodeUTF16(text, errors, 1);
    case ENCODE_UTF32:
        return _PyUnicode_EncodeUTF32(text, errors, self->at_start ? 0 : native);
    case ENCODE_UTF32_LE:
        return _PyUnicode_EncodeUTF32(text, errors, -1);
    case ENCODE_UTF32_BE:
        return _PyUnicode_EncodeUTF32(text, errors, 1);
    default:
        break;
    }
    PyObject *encoder = Py_NewRef(self->encoder);
    PyObject *bytes = PyObject_CallMethodOneArg(encoder, _Py_NAME(encode), text);
    Py_DECREF(encoder);
    if (bytes != NULL && !PyBytes_Check(bytes)) {
        PyErr_Format(PyExc_TypeError, "encoder should return a bytes object, not '%.200s'",
                     Py_TYPE(bytes)->tp_name);
        Py_CLEAR(bytes);
    }
    return bytes;
}

/* Adds n encoded bytes to pending, or passes them on at once if they are many; `bytes`
   holds them or is NULL. On failure none of them was taken, unless BlockingIOError says
   otherwise. */
static int
accept_bytes(textio *self, PyObject *bytes, const char *data, Py_ssize_t n)
{
    if (n < self->chunk_size && !self->write_through) {
        if (n >= self->chunk_size - self->pending_len && _PyTextIO_write_pending(self) < 0) {
            forget_characters_written();
            return -1;
        }
        return append_pending(self, data, n);
    }
    /* Other threads may write meanwhile: repeat until nothing is left. */
    while (self->pending_len > 0) {
        if (_PyTextIO_write_pending(self) < 0) {
            forget_characters_written();
            return -1;
        }
    }
    return n > 0 && hand_over(self, bytes, data, n) < n ? -1 : 0;
}

static int
encode_and_accept(textio *self, PyObject *text)
{
    if (PyUnicode_IS_ASCII(text) && self->encode >= ENCODE_ASCII
        && self->encode <= ENCODE_UTF8) {
        self->at_start = 0;
        return accept_bytes(self, NULL, PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text));
    }
    PyObject *bytes = encode_text(self, text);
    self->at_start = 0;         /* also if it failed: as in python3.11, no mark is written later */
    if (bytes == NULL) {
        return -1;
    }
    int rc = accept_bytes(self, bytes, PyBytes_AS_STRING(bytes), PyBytes_GET_SIZE(bytes));
    Py_DECREF(bytes);
    return rc;
}

static int
has_char(PyObject *text, Py_UCS4 ch)
{
    return PyUnicode_FindChar(text, ch, 0, PyUnicode_GET_LENGTH(text), 1) >= 0;
}

static PyObject *
with_newlines(PyObject *text, const char *newline)
{
    PyObject *from = PyUnicode_FromString("\n"), *to = PyUnicode_FromString(newline);
    PyObject *result = from == NULL || to == NULL ? NULL : PyUnicode_Replace(text, from, to, -1);
    Py_XDECREF(from);
    Py_XDECREF(to);
    return result;
}

PyObject *
_PyTextIO_write(PyObject *op, PyObject *text)
{
    textio *self = (textio *)op;
    if (!PyUnicode_Check(text)) {
        _PyArg_BadArgument("write", "argument", "str", text);
        return NULL;
    }
    if (PyUnicode_READY(text) < 0 || _PyTextIO_check_open(self) < 0) {
        return NULL;
    }
    if (self->encode == ENCODE_NONE) {
        return _PyIO_RaiseUnsupported("not writable");
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    int ends_line = (self->line_buffering || self->writenl != NULL) && has_char(text, '\n');
    int flush = self->line_buffering && (ends_line || has_char(text, '\r'));
    PyObject *out = ends_line && self->writenl != NULL ? with_newlines(text, self->writenl)
        : Py_NewRef(text);
    if (out == NULL) {
        return NULL;
    }
    PyObject *flushed = NULL;
    int rc = encode_and_accept(self, out);
    Py_DECREF(out);
    if (rc < 0) {
        return NULL;
    }
    if (flush && (_PyTextIO_write_pending(self) < 0
                  || (flushed = _PyTextIO_call_buffer(self, _Py_NAME(flush), NULL)) == NULL)) {
        return NULL;
    }
    Py_XDECREF(flushed);
    _PyTextIO_forget_decoded(self);
    if (self->decoder != NULL && _PyTextIO_call(self->decoder, _Py_NAME(reset)) < 0) {
        return NULL;
    }
    return PyLong_FromSsize_t(length);
}

PyObject *
_PyTextIO_flush(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    textio *self = (textio *)op;
    if (_PyTextIO_check_open(self) < 0) {
        return NULL;
    }
    self->telling = self->seekable;
    if (_PyTextIO_write_pending(self) < 0) {
        return NULL;
    }
    return _PyTextIO_call_buffer(self, _Py_NAME(flush), NULL);
}
