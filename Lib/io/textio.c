/* TextIOWrapper: text over a binary file. See textio.h for its state. */
#include "textio.h"
#include "internal/fileutils.h"

#define DEFAULT_CHUNK_SIZE 8192

int
_PyTextIO_check_attached(textio *self)
{
    if (self->ok && !self->detached) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, self->ok ? "underlying buffer has been detached"
                    : "I/O operation on uninitialized object");
    return -1;
}

int
_PyTextIO_check_open(textio *self)
{
    if (_PyTextIO_check_attached(self) < 0) {
        return -1;
    }
    if (!Py_IS_TYPE(self, &PyTextIOWrapper_Type)) {
        return _PyIOBase_check_closed((PyObject *)self, Py_True) == NULL ? -1 : 0;
    }
    int closed;
    if (self->raw != NULL) {
        closed = _PyFileIO_closed(self->raw) == Py_True;
    }
    else {
        PyObject *attr = PyObject_GetAttr(self->buffer, _Py_NAME(closed));
        if (attr == NULL) {
            return -1;
        }
        closed = PyObject_IsTrue(attr);
        Py_DECREF(attr);
    }
    if (closed > 0) {
        PyErr_SetString(PyExc_ValueError, "I/O operation on closed file.");
    }
    return closed ? -1 : 0;
}

static int
truth_of_call(PyObject *op, PyObject *method)
{
    PyObject *result = PyObject_CallMethodNoArgs(op, method);
    if (result == NULL) {
        return -1;
    }
    int truth = PyObject_IsTrue(result);
    Py_DECREF(result);
    return truth;
}

/* Calls a method whose result does not matter. */
static int
call_for_effect(PyObject *op, PyObject *method)
{
    PyObject *result = PyObject_CallMethodNoArgs(op, method);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* ------------------------------------------------------------ construction */

/* "not given" is not "None": reconfigure() has both. */
static int
check_newline(const char *newline)
{
    if (newline == NULL || newline[0] == '\0' || strcmp(newline, "\n") == 0
        || strcmp(newline, "\r") == 0 || strcmp(newline, "\r\n") == 0) {
        return 0;
    }
    PyErr_Format(PyExc_ValueError, "illegal newline value: %s", newline);
    return -1;
}

static int
set_newline(textio *self, const char *newline)
{
    PyObject *readnl = NULL;
    if (newline != NULL) {
        readnl = PyUnicode_FromString(newline);
        if (readnl == NULL) {
            return -1;
        }
    }
    Py_XSETREF(self->readnl, readnl);
    self->readuniversal = newline == NULL || newline[0] == '\0';
    self->readtranslate = newline == NULL;
    self->writenl = newline == NULL || newline[0] != '\r' ? NULL
        : newline[1] == '\0' ? "\r" : "\r\n";
    return 0;
}

static text_encoder
fast_encoder(const char *codec)
{
    static const struct {
        const char *name;
        text_encoder encoder;
    } known[] = {
        {"utf-8", ENCODE_UTF8}, {"ascii", ENCODE_ASCII}, {"iso8859-1", ENCODE_LATIN1},
        {"utf-16", ENCODE_UTF16}, {"utf-16-le", ENCODE_UTF16_LE},
        {"utf-16-be", ENCODE_UTF16_BE}, {"utf-32", ENCODE_UTF32},
        {"utf-32-le", ENCODE_UTF32_LE}, {"utf-32-be", ENCODE_UTF32_BE},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        if (strcmp(codec, known[i].name) == 0) {
            return known[i].encoder;
        }
    }
    return ENCODE_BY_OBJECT;
}

static int
make_decoder(textio *self, PyObject *codec, const char *errors)
{
    int readable = truth_of_call(self->buffer, _Py_NAME(readable));
    if (readable < 0) {
        return -1;
    }
    PyObject *decoder = NULL;
    if (readable) {
        decoder = _PyCodecInfo_GetIncrementalDecoder(codec, errors);
        if (decoder == NULL) {
            return -1;
        }
        if (self->readuniversal) {
            Py_SETREF(decoder, PyObject_CallFunction((PyObject *)&PyIncrementalNewlineDecoder_Type,
                                                     "Oi", decoder, self->readtranslate));
            if (decoder == NULL) {
                return -1;
            }
        }
    }
    Py_XSETREF(self->decoder, decoder);
    return 0;
}

static int
make_encoder(textio *self, PyObject *codec, const char *errors)
{
    PyObject *encoder = NULL, *name;
    text_encoder encode = ENCODE_NONE;
    int writable = truth_of_call(self->buffer, _Py_NAME(writable));
    if (writable < 0) {
        return -1;
    }
    if (writable) {
        if (_PyObject_LookupAttr(codec, _Py_NAME(name), &name) < 0) {
            return -1;
        }
        encode = ENCODE_BY_OBJECT;
        if (name != NULL && PyUnicode_Check(name)) {
            const char *text = PyUnicode_AsUTF8(name);
            if (text == NULL) {
                Py_DECREF(name);
                return -1;
            }
            encode = fast_encoder(text);
        }
        Py_XDECREF(name);
        if (encode == ENCODE_BY_OBJECT) {
            encoder = _PyCodecInfo_GetIncrementalEncoder(codec, errors);
            if (encoder == NULL) {
                return -1;
            }
        }
    }
    Py_XSETREF(self->encoder, encoder);
    self->encode = encode;
    return 0;
}

int
_PyTextIO_set_encoder_start(textio *self, int at_start)
{
    self->at_start = at_start != 0;
    if (self->encoder == NULL) {
        return 0;
    }
    PyObject *result;
    if (at_start) {
        result = PyObject_CallMethodNoArgs(self->encoder, _Py_NAME(reset));
    }
    else {
        PyObject *zero = PyLong_FromLong(0);
        result = zero == NULL ? NULL
            : PyObject_CallMethodOneArg(self->encoder, _Py_NAME(setstate), zero);
        Py_XDECREF(zero);
    }
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* A file that is appended to has its byte order mark. */
static int
find_encoder_start(textio *self)
{
    if (!self->seekable || self->encode == ENCODE_NONE) {
        return 0;
    }
    self->at_start = 1;
    PyObject *position = PyObject_CallMethodNoArgs(self->buffer, _Py_NAME(tell));
    if (position == NULL) {
        return -1;
    }
    int moved = PyObject_IsTrue(position);
    Py_DECREF(position);
    return moved > 0 ? _PyTextIO_set_encoder_start(self, 0) : moved;
}

/* In development mode unknown names are refused at once, elsewhere when needed. */
static int
check_errors(const char *errors)
{
    if (!_PyInterpreterState_GET()->config.dev_mode) {
        return 0;
    }
    PyObject *handler = PyCodec_LookupError(errors);
    Py_XDECREF(handler);
    return handler == NULL ? -1 : 0;
}

/* The encoding that NULL or "locale" stands for. */
static PyObject *
resolve_encoding(const char *encoding)
{
    if (encoding == NULL) {
        return _PyIO_LocaleEncoding();
    }
    return strcmp(encoding, "locale") == 0 ? _Py_GetLocaleEncodingObject()
        : PyUnicode_FromString(encoding);
}

/* Decoder and encoder for an encoding and error handler, which are kept. */
static int
set_codec(textio *self, PyObject *encoding, PyObject *errors)
{
    const char *encoding_text = PyUnicode_AsUTF8(encoding);
    const char *errors_text = PyUnicode_AsUTF8(errors);
    if (encoding_text == NULL || errors_text == NULL) {
        return -1;
    }
    PyObject *codec = _PyCodec_LookupTextEncoding(encoding_text, "codecs.open()");
    if (codec == NULL) {
        return -1;
    }
    int rc = make_decoder(self, codec, errors_text) < 0
        || make_encoder(self, codec, errors_text) < 0 ? -1 : 0;
    Py_DECREF(codec);
    if (rc == 0) {
        Py_INCREF(encoding);
        Py_XSETREF(self->encoding, encoding);
        Py_INCREF(errors);
        Py_XSETREF(self->errors, errors);
    }
    return rc;
}

/* Notes what is known of the buffer. */
static int
look_at_buffer(textio *self)
{
    PyObject *buffer = self->buffer, *attr;
    PyTypeObject *type = Py_TYPE(buffer);
    if (type == &PyBufferedReader_Type || type == &PyBufferedWriter_Type
        || type == &PyBufferedRandom_Type) {
        if (_PyObject_LookupAttr(buffer, _Py_NAME(raw), &attr) < 0) {
            return -1;
        }
        if (attr != NULL && Py_IS_TYPE(attr, &PyFileIO_Type)) {
            self->raw = attr;
        }
        else {
            Py_XDECREF(attr);
        }
    }
    self->raw_sink = PyObject_TypeCheck(buffer, &PyRawIOBase_Type);
    int seekable = truth_of_call(buffer, _Py_NAME(seekable));
    if (seekable < 0) {
        return -1;
    }
    self->seekable = self->telling = (char)seekable;
    int has = _PyObject_LookupAttr(buffer, _Py_NAME(read1), &attr);
    if (has < 0) {
        return -1;
    }
    Py_XDECREF(attr);
    self->has_read1 = (char)has;
    return 0;
}

static void
forget_all(textio *self)
{
    _PyTextIO_forget_decoded(self);
    _PyIO_ForgetUpper(self->buffer, (PyObject *)self);
    Py_CLEAR(self->buffer);
    Py_CLEAR(self->raw);
    Py_CLEAR(self->encoding);
    Py_CLEAR(self->errors);
    Py_CLEAR(self->encoder);
    Py_CLEAR(self->decoder);
    Py_CLEAR(self->readnl);
}

/* A str argument without NUL, or None (NULL). 0; -1 with an exception. */
static int
text_argument(PyObject *arg, const char *name, const char **text)
{
    Py_ssize_t n;
    *text = NULL;
    if (arg == Py_None) {
        return 0;
    }
    if (!PyUnicode_Check(arg)) {
        PyErr_Format(PyExc_TypeError,
                     "TextIOWrapper() argument '%s' must be str or None, not %.50s", name,
                     Py_TYPE(arg)->tp_name);
        return -1;
    }
    *text = PyUnicode_AsUTF8AndSize(arg, &n);
    if (*text != NULL && strlen(*text) != (size_t)n) {
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        *text = NULL;
    }
    return *text == NULL ? -1 : 0;
}

/* Everything but the checks of the arguments. */
static int
start_over(textio *self, PyObject *buffer, PyObject *encoding, PyObject *errors,
           const char *newline)
{
    forget_all(self);
    self->pending_len = 0;
    self->chunk_size = DEFAULT_CHUNK_SIZE;
    self->bytes_per_char = 0.0;
    self->at_start = 0;
    self->buffer = Py_NewRef(buffer);
    _PyIO_SetUpper(buffer, (PyObject *)self);
    return set_newline(self, newline) < 0 || set_codec(self, encoding, errors) < 0
        || look_at_buffer(self) < 0 || find_encoder_start(self) < 0 ? -1 : 0;
}

static int
textio_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"buffer", "encoding", "errors", "newline", "line_buffering",
                            "write_through", NULL};
    textio *self = (textio *)op;
    PyObject *buffer, *encoding_arg = Py_None, *errors_arg = Py_None, *newline_arg = Py_None;
    const char *encoding, *errors_text, *newline;
    int line_buffering = 0, write_through = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|OOOii:TextIOWrapper", names, &buffer,
                                     &encoding_arg, &errors_arg, &newline_arg,
                                     &line_buffering, &write_through)
        || text_argument(encoding_arg, "encoding", &encoding) < 0
        || text_argument(newline_arg, "newline", &newline) < 0) {
        return -1;
    }
    self->ok = self->detached = 0;
    if (encoding == NULL && _PyInterpreterState_GET()->config.warn_default_encoding
        && PyErr_WarnEx(PyExc_EncodingWarning, "'encoding' argument not specified", 1) < 0) {
        return -1;
    }
    if (text_argument(errors_arg, "errors", &errors_text) < 0
        || check_newline(newline) < 0
        || (errors_text != NULL && check_errors(errors_text) < 0)) {
        return -1;
    }
    PyObject *errors = errors_text == NULL ? PyUnicode_FromString("strict")
        : Py_NewRef(errors_arg);
    PyObject *name = errors == NULL ? NULL : resolve_encoding(encoding);
    if (name != NULL && start_over(self, buffer, name, errors, newline) == 0) {
        self->line_buffering = line_buffering != 0;
        self->write_through = write_through != 0;
        self->ok = 1;
    }
    Py_XDECREF(name);
    Py_XDECREF(errors);
    return self->ok ? 0 : -1;
}

static int
textio_traverse(PyObject *op, visitproc visit, void *arg)
{
    textio *self = (textio *)op;
    Py_VISIT(self->buffer);
    Py_VISIT(self->raw);
    Py_VISIT(self->encoder);
    Py_VISIT(self->decoder);
    Py_VISIT(self->snap_flags);
    Py_VISIT(self->snap_input);
    Py_VISIT(self->dict);
    return 0;
}

static int
textio_clear(PyObject *op)
{
    textio *self = (textio *)op;
    self->ok = 0;
    forget_all(self);
    Py_CLEAR(self->dict);
    return 0;
}

static void
textio_dealloc(PyObject *op)
{
    textio *self = (textio *)op;
    self->finalizing = 1;
    if (_PyIOBase_finalize(op) < 0) {
        return;
    }
    if (_PyObject_GC_IS_TRACKED(op)) {
        PyObject_GC_UnTrack(op);
    }
    if (self->weakreflist != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    textio_clear(op);
    PyMem_Free(self->pending);
    Py_TYPE(op)->tp_free(op);
}

/* ------------------------------------------------------------------ writing */

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

/* The exception in flight, if it is BlockingIOError, says how many of n bytes
   were taken before it. Others mean none. */
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

/* The text that write() was given has not been taken at all: what
   characters_written counts was written earlier. */
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

static void
raise_would_block(Py_ssize_t written)
{
    PyObject *exc = PyObject_CallFunction(PyExc_BlockingIOError, "isn", EAGAIN,
                                          "write could not complete without blocking", written);
    if (exc != NULL) {
        PyErr_SetObject(PyExc_BlockingIOError, exc);
        Py_DECREF(exc);
    }
}

/* How much of size bytes a raw write() took by its result (stolen). -1: it
   would block, which has been raised. */
static Py_ssize_t
raw_result(PyObject *result, Py_ssize_t size, Py_ssize_t before)
{
    if (result == Py_None) {
        Py_DECREF(result);
        raise_would_block(before);
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
            /* An exception says that something is missing. */
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

/* Gives n > 0 bytes to the buffer; `bytes` is an object that has them, or NULL.
   Returns how many it took; if fewer than all, an exception is set. */
static Py_ssize_t
hand_over(textio *self, PyObject *bytes, const char *data, Py_ssize_t n)
{
    Py_ssize_t done = 0;
    PyObject *buffer = Py_NewRef(self->buffer);     /* detach() may come meanwhile */
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

/* Puts bytes that could not be written in front of what came meanwhile; an
   exception is set, and stays. */
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

/* Adds n encoded bytes to pending, or, when they are many, passes them on at
   once; `bytes` holds them or is NULL. On failure none of them was taken,
   except for what BlockingIOError tells. */
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
    /* Others may write meanwhile: until nothing is left. */
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
    if (bytes == NULL) {
        return -1;
    }
    self->at_start = 0;
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

static PyObject *
textio_write(PyObject *op, PyObject *text)
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
    int rc = encode_and_accept(self, out);
    Py_DECREF(out);
    if (rc < 0) {
        return NULL;
    }
    if (flush && (_PyTextIO_write_pending(self) < 0
                  || call_for_effect(self->buffer, _Py_NAME(flush)) < 0)) {
        return NULL;
    }
    _PyTextIO_forget_decoded(self);
    if (self->decoder != NULL && call_for_effect(self->decoder, _Py_NAME(reset)) < 0) {
        return NULL;
    }
    return PyLong_FromSsize_t(length);
}

static PyObject *
textio_flush(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    textio *self = (textio *)op;
    if (_PyTextIO_check_open(self) < 0) {
        return NULL;
    }
    self->telling = self->seekable;
    if (_PyTextIO_write_pending(self) < 0) {
        return NULL;
    }
    return PyObject_CallMethodNoArgs(self->buffer, _Py_NAME(flush));
}

/* ------------------------------------------------------------------ reading */

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

/* The next n decoded characters; all that are left if n is negative or more. */
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

/* The decoder's state, for the snapshot. Both are new references. */
static int
decoder_state(PyObject *decoder, PyObject **held, PyObject **flags)
{
    PyObject *state = PyObject_CallMethodNoArgs(decoder, _Py_NAME(getstate));
    if (state == NULL) {
        return -1;
    }
    int rc = -1;
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "illegal decoder state");
    }
    else if (PyArg_ParseTuple(state, "OO;illegal decoder state", held, flags)) {
        if (PyBytes_Check(*held)) {
            Py_INCREF(*held);
            Py_INCREF(*flags);
            rc = 0;
        }
        else {
            PyErr_Format(PyExc_TypeError, "illegal decoder state: the first item should be a "
                         "bytes object, not '%.200s'", Py_TYPE(*held)->tp_name);
        }
    }
    Py_DECREF(state);
    return rc;
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
    PyObject *bytes = PyObject_CallMethodOneArg(
        self->buffer, self->has_read1 ? _Py_NAME(read1) : _Py_NAME(read), number);
    Py_DECREF(number);
    return bytes;
}

/* Decodes a chunk of about as many bytes as `wanted` characters need. 1, 0 at
   the end of the file, -1. */
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
    PyObject *bytes = PyObject_CallMethodNoArgs(self->buffer, _Py_NAME(read));
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

static PyObject *
textio_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
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

/* How many of the decoded characters belong to a line, of which what came
   before ended with "\r" if after_cr; *complete: it ends there. */
static Py_ssize_t
line_part(textio *self, int after_cr, int *complete)
{
    int kind = PyUnicode_KIND(self->decoded);
    const char *data = PyUnicode_DATA(self->decoded);
    Py_ssize_t length = PyUnicode_GET_LENGTH(self->decoded), consumed, end;
    *complete = 1;
    if (kind == PyUnicode_1BYTE_KIND && self->readtranslate) {      /* as a rule */
        const char *start = data + self->decoded_used;
        const char *newline = memchr(start, '\n', (size_t)(length - self->decoded_used));
        if (newline != NULL) {
            return newline - start + 1;
        }
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

static PyObject *
read_line(textio *self, Py_ssize_t limit)
{
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

static PyObject *
textio_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t limit = -1;
    if (!_PyArg_CheckPositional("readline", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1 && _PyIO_ssize(args[0], &limit) < 0) {
        return NULL;
    }
    return _PyTextIO_check_attached((textio *)op) < 0 ? NULL : read_line((textio *)op, limit);
}

static PyObject *
textio_iternext(PyObject *op)
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

/* -------------------------------------------------------------- reconfigure */

/* None keeps what is. */
static int
optional_flag(PyObject *obj, char now)
{
    if (obj == Py_None) {
        return now;
    }
    long value = PyLong_AsLong(obj);
    return value == -1 && PyErr_Occurred() ? -1 : value != 0;
}

static int
change_codec(textio *self, PyObject *encoding, PyObject *errors)
{
    PyObject *name;
    if (encoding == Py_None) {
        name = Py_NewRef(self->encoding);
        errors = errors == Py_None ? Py_NewRef(self->errors) : Py_NewRef(errors);
    }
    else {
        const char *text = PyUnicode_AsUTF8(encoding);
        name = text == NULL ? NULL : resolve_encoding(text);
        if (name == NULL) {
            return -1;
        }
        errors = errors == Py_None ? PyUnicode_FromString("strict") : Py_NewRef(errors);
    }
    const char *errors_text = errors == NULL ? NULL : PyUnicode_AsUTF8(errors);
    int rc = errors_text == NULL || check_errors(errors_text) < 0
        || set_codec(self, name, errors) < 0 || find_encoder_start(self) < 0 ? -1 : 0;
    Py_DECREF(name);
    Py_XDECREF(errors);
    return rc;
}

static PyObject *
textio_reconfigure(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"encoding", "errors", "newline", "line_buffering",
                                           "write_through", NULL};
    static _PyArg_Parser parser = {.format = "|$OOOOO:reconfigure", .keywords = keywords};
    textio *self = (textio *)op;
    PyObject *encoding = Py_None, *errors = Py_None, *newline = NULL;
    PyObject *line_buffering = Py_None, *write_through = Py_None;
    const char *newline_text = NULL;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser, &encoding, &errors,
                                      &newline, &line_buffering, &write_through)
        || _PyTextIO_check_attached(self) < 0) {
        return NULL;
    }
    if (self->decoded != NULL
        && (encoding != Py_None || errors != Py_None || newline != NULL)) {
        return _PyIO_RaiseUnsupported("It is not possible to set the encoding or newline of "
                                      "stream after the first read");
    }
    if (newline != NULL && newline != Py_None) {
        newline_text = PyUnicode_AsUTF8(newline);
        if (newline_text == NULL || check_newline(newline_text) < 0) {
            return NULL;
        }
    }
    int by_line = optional_flag(line_buffering, self->line_buffering);
    int through = by_line < 0 ? -1 : optional_flag(write_through, self->write_through);
    if (through < 0 || call_for_effect(op, _Py_NAME(flush)) < 0) {
        return NULL;
    }
    self->bytes_per_char = 0.0;
    if (newline != NULL && set_newline(self, newline_text) < 0) {
        return NULL;
    }
    if ((encoding != Py_None || errors != Py_None || newline != NULL)
        && change_codec(self, encoding, errors) < 0) {
        return NULL;
    }
    self->line_buffering = (char)by_line;
    self->write_through = (char)through;
    Py_RETURN_NONE;
}

/* ------------------------------------------------------ closing, detaching */

static PyObject *
textio_detach(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    textio *self = (textio *)op;
    if (_PyTextIO_check_attached(self) < 0 || call_for_effect(op, _Py_NAME(flush)) < 0) {
        return NULL;
    }
    PyObject *buffer = self->buffer;
    _PyIO_ForgetUpper(buffer, op);
    self->buffer = NULL;
    self->detached = 1;
    return buffer;
}

static PyObject *
textio_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    textio *self = (textio *)op;
    if (_PyTextIO_check_attached(self) < 0) {
        return NULL;
    }
    PyObject *closed = PyObject_GetAttr(op, _Py_NAME(closed));
    int is_closed = closed == NULL ? -1 : PyObject_IsTrue(closed);
    Py_XDECREF(closed);
    if (is_closed) {
        return is_closed < 0 ? NULL : Py_NewRef(Py_None);
    }
    if (self->finalizing) {
        PyObject *r = PyObject_CallMethodOneArg(self->buffer, _Py_NAME(_dealloc_warn), op);
        if (r == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(r);
    }
    PyObject *type = NULL, *value = NULL, *tb = NULL;
    if (call_for_effect(op, _Py_NAME(flush)) < 0) {
        PyErr_Fetch(&type, &value, &tb);
    }
    PyObject *result = PyObject_CallMethodNoArgs(self->buffer, _Py_NAME(close));
    if (type != NULL) {
        _PyErr_ChainExceptions(type, value, tb);
        Py_CLEAR(result);
    }
    return result;
}

/* --------------------------------------------------------------- properties */

#define PASS_METHOD(name) \
static PyObject * \
textio_##name(PyObject *op, PyObject *Py_UNUSED(ignored)) \
{ \
    textio *self = (textio *)op; \
    return _PyTextIO_check_attached(self) < 0 ? NULL \
        : PyObject_CallMethodNoArgs(self->buffer, _Py_NAME(name)); \
}
PASS_METHOD(fileno)
PASS_METHOD(readable)
PASS_METHOD(writable)
PASS_METHOD(seekable)
PASS_METHOD(isatty)

#define PASS_ATTRIBUTE(attr) \
static PyObject * \
textio_get_##attr(PyObject *op, void *Py_UNUSED(closure)) \
{ \
    textio *self = (textio *)op; \
    return _PyTextIO_check_attached(self) < 0 ? NULL \
        : PyObject_GetAttr(self->buffer, _Py_NAME(attr)); \
}
PASS_ATTRIBUTE(name)
PASS_ATTRIBUTE(closed)

static PyObject *
textio_get_newlines(PyObject *op, void *Py_UNUSED(closure))
{
    textio *self = (textio *)op;
    PyObject *newlines = NULL;
    if (_PyTextIO_check_attached(self) < 0
        || (self->decoder != NULL
            && _PyObject_LookupAttr(self->decoder, _Py_NAME(newlines), &newlines) < 0)) {
        return NULL;
    }
    return newlines != NULL ? newlines : Py_NewRef(Py_None);
}

static PyObject *
textio_get_errors(PyObject *op, void *Py_UNUSED(closure))
{
    textio *self = (textio *)op;
    if (!self->ok) {
        _PyTextIO_check_attached(self);
        return NULL;
    }
    return Py_NewRef(self->errors);
}

static PyObject *
textio_get_chunk_size(PyObject *op, void *Py_UNUSED(closure))
{
    textio *self = (textio *)op;
    return _PyTextIO_check_attached(self) < 0 ? NULL : PyLong_FromSsize_t(self->chunk_size);
}

static int
textio_set_chunk_size(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    textio *self = (textio *)op;
    if (_PyTextIO_check_attached(self) < 0) {
        return -1;
    }
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "cannot delete attribute");
        return -1;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(value, PyExc_ValueError);
    if (n == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (n <= 0) {
        PyErr_SetString(PyExc_ValueError, "a strictly positive integer is required");
        return -1;
    }
    self->chunk_size = n;
    return 0;
}

static PyObject *
textio_truncate(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    textio *self = (textio *)op;
    if (!_PyArg_CheckPositional("truncate", nargs, 0, 1)
        || _PyTextIO_check_attached(self) < 0 || call_for_effect(op, _Py_NAME(flush)) < 0) {
        return NULL;
    }
    return PyObject_CallMethodOneArg(self->buffer, _Py_NAME(truncate),
                                     nargs == 0 ? Py_None : args[0]);
}

/* " name=value" of an attribute, empty if there is none. */
static PyObject *
attribute_text(PyObject *op, PyObject *name)
{
    PyObject *value;
    if (_PyObject_LookupAttr(op, name, &value) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError)) {
            return NULL;
        }
        PyErr_Clear();          /* detached */
    }
    if (value == NULL) {
        return PyUnicode_New(0, 0);
    }
    PyObject *text = PyUnicode_FromFormat(" %U=%R", name, value);
    Py_DECREF(value);
    return text;
}

static PyObject *
textio_repr(PyObject *op)
{
    textio *self = (textio *)op;
    if (!self->ok) {
        _PyTextIO_check_attached(self);
        return NULL;
    }
    int entered = Py_ReprEnter(op);
    if (entered != 0) {
        if (entered > 0) {
            PyErr_Format(PyExc_RuntimeError, "reentrant call inside %s.__repr__",
                         Py_TYPE(op)->tp_name);
        }
        return NULL;
    }
    PyObject *result = NULL, *mode = NULL, *name = attribute_text(op, _Py_NAME(name));
    if (name != NULL && (mode = attribute_text(op, _Py_NAME(mode))) != NULL) {
        result = PyUnicode_FromFormat("<_io.TextIOWrapper%U%U encoding=%R>", name, mode,
                                      self->encoding);
    }
    Py_XDECREF(name);
    Py_XDECREF(mode);
    Py_ReprLeave(op);
    return result;
}

static PyMethodDef textio_methods[] = {
    {"detach", textio_detach, METH_NOARGS,
     "detach($self, /)\n--\n\nSeparates the buffer, and returns it."},
    {"reconfigure", FAST(textio_reconfigure), METH_FASTCALL | METH_KEYWORDS,
     "reconfigure($self, /, *, encoding=None, errors=None, newline=None,\n"
     "            line_buffering=None, write_through=None)\n--\n\n"
     "Changes what was said when the file was made; what is not given stays, but\n"
     "a new encoding comes with errors='strict'."},
    {"write", textio_write, METH_O,
     "write($self, text, /)\n--\n\nWrites a string; returns its length."},
    {"read", FAST(textio_read), METH_FASTCALL,
     "read($self, size=-1, /)\n--\n\nReads so many characters, or all."},
    {"readline", FAST(textio_readline), METH_FASTCALL,
     "readline($self, size=-1, /)\n--\n\nReads a line."},
    {"flush", textio_flush, METH_NOARGS, "flush($self, /)\n--\n\nWrites what is pending."},
    {"close", textio_close, METH_NOARGS, "close($self, /)\n--\n\nFlushes and closes."},
    {"fileno", textio_fileno, METH_NOARGS, "fileno($self, /)\n--\n\nThe descriptor."},
    {"seekable", textio_seekable, METH_NOARGS, "seekable($self, /)\n--\n\nCan it seek?"},
    {"readable", textio_readable, METH_NOARGS, "readable($self, /)\n--\n\nCan it be read?"},
    {"writable", textio_writable, METH_NOARGS, "writable($self, /)\n--\n\nCan it be written?"},
    {"isatty", textio_isatty, METH_NOARGS, "isatty($self, /)\n--\n\nIs it a terminal?"},
    {"seek", FAST(_PyTextIO_seek), METH_FASTCALL,
     "seek($self, cookie, whence=0, /)\n--\n\nGoes to where tell() was called, or to the end."},
    {"tell", _PyTextIO_tell, METH_NOARGS,
     "tell($self, /)\n--\n\nAn opaque number for seek(): the position."},
    {"truncate", FAST(textio_truncate), METH_FASTCALL,
     "truncate($self, pos=None, /)\n--\n\nCuts the file."},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef textio_members[] = {
    {"encoding", T_OBJECT, offsetof(textio, encoding), READONLY, NULL},
    {"buffer", T_OBJECT, offsetof(textio, buffer), READONLY, NULL},
    {"line_buffering", T_BOOL, offsetof(textio, line_buffering), READONLY, NULL},
    {"write_through", T_BOOL, offsetof(textio, write_through), READONLY, NULL},
    {"_finalizing", T_BOOL, offsetof(textio, finalizing), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef textio_getset[] = {
    {"name", textio_get_name, NULL, NULL, NULL},
    {"closed", textio_get_closed, NULL, NULL, NULL},
    {"newlines", textio_get_newlines, NULL, NULL, NULL},
    {"errors", textio_get_errors, NULL, NULL, NULL},
    {"_CHUNK_SIZE", textio_get_chunk_size, textio_set_chunk_size, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyTextIOWrapper_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io.TextIOWrapper",
    .tp_basicsize = sizeof(textio),
    .tp_dealloc = textio_dealloc,
    .tp_repr = textio_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "TextIOWrapper(buffer, encoding=None, errors=None, newline=None,\n"
              "              line_buffering=False, write_through=False)\n--\n\n"
              "Text over a buffered binary file.\n\n"
              "newline=None reads any line end as \"\\n\"; '' keeps line ends as they are;\n"
              "otherwise only the given one ends a line, and \"\\n\" is written as it.",
    .tp_traverse = textio_traverse,
    .tp_clear = textio_clear,
    .tp_weaklistoffset = offsetof(textio, weakreflist),
    .tp_iternext = textio_iternext,
    .tp_methods = textio_methods,
    .tp_members = textio_members,
    .tp_getset = textio_getset,
    .tp_base = &PyTextIOBase_Type,
    .tp_dictoffset = offsetof(textio, dict),
    .tp_init = textio_init,
    .tp_new = PyType_GenericNew,
};
