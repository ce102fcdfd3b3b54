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

PyObject *
_PyTextIO_hold_buffer(textio *self)
{
    if (self->buffer == NULL) {
        PyErr_SetString(PyExc_ValueError, "underlying buffer has been detached");
    }
    return Py_XNewRef(self->buffer);
}

PyObject *
_PyTextIO_call_buffer(textio *self, PyObject *method, PyObject *arg)
{
    PyObject *buffer = _PyTextIO_hold_buffer(self);
    if (buffer == NULL) {
        return NULL;
    }
    PyObject *args[] = {buffer, arg};
    PyObject *result = PyObject_VectorcallMethod(method, args, arg == NULL ? 1 : 2, NULL);
    Py_DECREF(buffer);
    return result;
}

static PyObject *
get_of_buffer(textio *self, PyObject *name)
{
    PyObject *buffer = _PyTextIO_hold_buffer(self);
    PyObject *result = buffer == NULL ? NULL : PyObject_GetAttr(buffer, name);
    Py_XDECREF(buffer);
    return result;
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
        PyObject *attr = get_of_buffer(self, _Py_NAME(closed));
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
truth_of_call(textio *self, PyObject *method)
{
    PyObject *result = _PyTextIO_call_buffer(self, method, NULL);
    if (result == NULL) {
        return -1;
    }
    int truth = PyObject_IsTrue(result);
    Py_DECREF(result);
    return truth;
}

int
_PyTextIO_call(PyObject *op, PyObject *method)
{
    PyObject *result = PyObject_CallMethodNoArgs(op, method);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

/* ------------------------------------------------------------- construction */

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
    int readable = truth_of_call(self, _Py_NAME(readable));
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
    int writable = truth_of_call(self, _Py_NAME(writable));
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

/* A file that is opened for appending already has its byte order mark. */
static int
find_encoder_start(textio *self)
{
    if (!self->seekable || self->encode == ENCODE_NONE) {
        return 0;
    }
    self->at_start = 1;
    PyObject *position = _PyTextIO_call_buffer(self, _Py_NAME(tell), NULL);
    if (position == NULL) {
        return -1;
    }
    int moved = PyObject_IsTrue(position);
    Py_DECREF(position);
    return moved > 0 ? _PyTextIO_set_encoder_start(self, 0) : moved;
}

/* In development mode unknown names are refused at once, otherwise when they are needed. */
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

/* The encoding that NULL or "locale" means. */
static PyObject *
resolve_encoding(const char *encoding)
{
    if (encoding == NULL) {
        return _PyIO_LocaleEncoding();
    }
    return strcmp(encoding, "locale") == 0 ? _Py_GetLocaleEncodingObject()
        : PyUnicode_FromString(encoding);
}

/* Makes and stores the decoder and encoder for an encoding and error handler. */
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

/* Records what is known about the buffer, which the caller holds. */
static int
look_at_buffer(textio *self, PyObject *buffer)
{
    PyObject *attr;
    PyTypeObject *type = Py_TYPE(buffer);
    if (type == &PyBufferedReader_Type || type == &PyBufferedWriter_Type
        || type == &PyBufferedRandom_Type) {
        if (_PyObject_LookupAttr(buffer, _Py_NAME(raw), &attr) < 0) {
            return -1;
        }
        if (attr != NULL && Py_IS_TYPE(attr, &PyFileIO_Type)) {
            Py_XSETREF(self->raw, attr);
        }
        else {
            Py_XDECREF(attr);
        }
    }
    self->raw_sink = PyObject_TypeCheck(buffer, &PyRawIOBase_Type);
    int seekable = truth_of_call(self, _Py_NAME(seekable));
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
        || look_at_buffer(self, buffer) < 0 || find_encoder_start(self) < 0 ? -1 : 0;
}

static int
switch_argument(PyObject *arg, int *value)
{
    *value = _PyLong_AsInt(arg);
    return *value == -1 && PyErr_Occurred() ? -1 : 0;
}

static int
textio_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {
        "buffer", "encoding", "errors", "newline", "line_buffering", "write_through", NULL};
    static _PyArg_Parser parser = {.keywords = names, .format = "O|OOOOO:TextIOWrapper"};
    textio *self = (textio *)op;
    PyObject *buffer, *encoding_arg = Py_None, *errors_arg = Py_None, *newline_arg = Py_None;
    const char *encoding, *errors_text, *newline;
    PyObject *line_buffering_arg = Py_False, *write_through_arg = Py_False;
    int line_buffering, write_through;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &parser, &buffer, &encoding_arg,
                                          &errors_arg, &newline_arg, &line_buffering_arg,
                                          &write_through_arg)
        || text_argument(encoding_arg, "encoding", &encoding) < 0
        || text_argument(newline_arg, "newline", &newline) < 0
        || switch_argument(line_buffering_arg, &line_buffering) < 0
        || switch_argument(write_through_arg, &write_through) < 0) {
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
    int rc = name == NULL ? -1 : start_over(self, buffer, name, errors, newline);
    if (rc == 0) {
        self->line_buffering = line_buffering != 0;
        self->write_through = write_through != 0;
        self->ok = 1;
    }
    Py_XDECREF(name);
    Py_XDECREF(errors);
    return rc;
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
    _PyIO_BeginDealloc(op, self->weakreflist);
    textio_clear(op);
    PyMem_Free(self->pending);
    Py_TYPE(op)->tp_free(op);
}

/* -------------------------------------------------------------- reconfigure */

/* None means no change. */
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
    if (through < 0 || _PyTextIO_call(op, _Py_NAME(flush)) < 0) {
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

/* ------------------------------------------------------- closing, detaching */

static PyObject *
textio_detach(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    textio *self = (textio *)op;
    if (_PyTextIO_check_attached(self) < 0 || _PyTextIO_call(op, _Py_NAME(flush)) < 0
        || _PyTextIO_check_attached(self) < 0) {
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
        PyObject *r = _PyTextIO_call_buffer(self, _Py_NAME(_dealloc_warn), op);
        if (r == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(r);
    }
    PyObject *type = NULL, *value = NULL, *tb = NULL;
    if (_PyTextIO_call(op, _Py_NAME(flush)) < 0) {
        PyErr_Fetch(&type, &value, &tb);
    }
    PyObject *result = _PyTextIO_call_buffer(self, _Py_NAME(close), NULL);
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
        : _PyTextIO_call_buffer(self, _Py_NAME(name), NULL); \
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
        : get_of_buffer(self, _Py_NAME(attr)); \
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
        || _PyTextIO_check_attached(self) < 0 || _PyTextIO_call(op, _Py_NAME(flush)) < 0) {
        return NULL;
    }
    return _PyTextIO_call_buffer(self, _Py_NAME(truncate), nargs == 0 ? Py_None : args[0]);
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
    {"reconfigure", FAST_KEYWORDS(textio_reconfigure),
     "reconfigure($self, /, *, encoding=None, errors=None, newline=None,\n"
     "            line_buffering=None, write_through=None)\n--\n\n"
     "Changes what was said when the file was made; what is not given stays, but\n"
     "a new encoding comes with errors='strict'."},
    {"write", _PyTextIO_write, METH_O,
     "write($self, text, /)\n--\n\nWrites a string; returns its length."},
    {"read", FAST(_PyTextIO_read),
     "read($self, size=-1, /)\n--\n\nReads so many characters, or all."},
    {"readline", FAST(_PyTextIO_readline),
     "readline($self, size=-1, /)\n--\n\nReads a line."},
    {"flush", _PyTextIO_flush, METH_NOARGS, "flush($self, /)\n--\n\nWrites what is pending."},
    {"close", textio_close, METH_NOARGS, "close($self, /)\n--\n\nFlushes and closes."},
    {"fileno", textio_fileno, METH_NOARGS, "fileno($self, /)\n--\n\nThe descriptor."},
    {"seekable", textio_seekable, METH_NOARGS, "seekable($self, /)\n--\n\nCan it seek?"},
    {"readable", textio_readable, METH_NOARGS, "readable($self, /)\n--\n\nCan it be read?"},
    {"writable", textio_writable, METH_NOARGS, "writable($self, /)\n--\n\nCan it be written?"},
    {"isatty", textio_isatty, METH_NOARGS, "isatty($self, /)\n--\n\nIs it a terminal?"},
    {"seek", FAST(_PyTextIO_seek),
     "seek($self, cookie, whence=0, /)\n--\n\nGoes to where tell() was called, or to the end."},
    {"tell", _PyTextIO_tell, METH_NOARGS,
     "tell($self, /)\n--\n\nAn opaque number for seek(): the position."},
    {"truncate", FAST(textio_truncate),
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
    .tp_iternext = _PyTextIO_iternext,
    .tp_methods = textio_methods,
    .tp_members = textio_members,
    .tp_getset = textio_getset,
    .tp_base = &PyTextIOBase_Type,
    .tp_dictoffset = offsetof(textio, dict),
    .tp_init = textio_init,
    .tp_new = PyType_GenericNew,
};
