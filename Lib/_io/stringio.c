/* StringIO: a text file in memory.

   The content is an array of `size` characters, 1, 2 or 4 bytes wide as the
   widest character written so far needed (`kind`); writing a wider one converts
   it. `ascii` says that no character above 127 was ever written, so that pieces
   need not be searched for their widest character. Appending, the common use,
   is a copy to the end, and getvalue() one copy of the whole. */
#include "memory_file.h"

typedef struct {
    memory_file file;
    char *buf;
    Py_ssize_t room;            /* in characters */
    int kind;
    char ascii;
    char ok, closed;
    char readuniversal, readtranslate;
    PyObject *decoder;          /* for universal newlines, or NULL */
    PyObject *readnl;           /* newline argument; NULL for None */
    PyObject *writenl;          /* what "\n" becomes, or NULL */
} stringio;

static int
check_init(stringio *self)
{
    if (self->ok) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "I/O operation on uninitialized object");
    return -1;
}

static int
check_not_closed(stringio *self)
{
    if (self->closed) {
        PyErr_SetString(PyExc_ValueError, "I/O operation on closed file");
        return -1;
    }
    return 0;
}

static int
check_open(stringio *self)
{
    return check_init(self) < 0 ? -1 : check_not_closed(self);
}

/* --------------------------------------------------------------- the memory */

static void
copy_widened(char *to, int to_kind, const void *from, int from_kind, Py_ssize_t n)
{
    if (to_kind == from_kind) {
        memcpy(to, from, (size_t)n * (size_t)to_kind);
        return;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyUnicode_WRITE(to_kind, to, i, PyUnicode_READ(from_kind, from, i));
    }
}

/* Room for `need` characters of width `kind` or wider. */
static int
reserve(stringio *self, Py_ssize_t need, int kind)
{
    if (kind < self->kind) {
        kind = self->kind;
    }
    if (need <= self->room && kind == self->kind) {
        return 0;
    }
    Py_ssize_t room = self->room;
    if (need > room) {
        room = need <= PY_SSIZE_T_MAX - (need >> 2) - 32 ? need + (need >> 2) + 32 : need;
    }
    if (room > PY_SSIZE_T_MAX / kind) {
        if (need > PY_SSIZE_T_MAX / kind) {
            PyErr_SetString(PyExc_OverflowError, "new buffer size too large");
            return -1;
        }
        room = need;
    }
    if (kind == self->kind) {
        char *buf = PyMem_Realloc(self->buf, (size_t)(room * kind));
        if (buf == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        self->buf = buf;
    }
    else {
        char *buf = PyMem_Malloc((size_t)(room * kind));
        if (buf == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        copy_widened(buf, kind, self->buf, self->kind, self->file.size);
        PyMem_Free(self->buf);
        self->buf = buf;
        self->kind = kind;
    }
    self->room = room;
    return 0;
}

/* n characters from a position on, all of which exist. */
static PyObject *
text_at(stringio *self, Py_ssize_t from, Py_ssize_t n)
{
    const char *data = n == 0 ? "" : self->buf + from * self->kind;
    if (!self->ascii || n == 0) {
        return PyUnicode_FromKindAndData(self->kind, data, n);
    }
    PyObject *text = PyUnicode_New(n, 127);
    if (text != NULL) {
        memcpy(PyUnicode_DATA(text), data, (size_t)n);
    }
    return text;
}

/* Returns a new reference to the text with its line ends as the newline mode stores them. */
static PyObject *
convert_newlines(stringio *self, PyObject *text)
{
    PyObject *converted = self->decoder == NULL ? Py_NewRef(text)
        : _PyIncrementalNewlineDecoder_decode(self->decoder, text, 1);
    if (converted != NULL && self->writenl != NULL) {
        PyObject *newline = PyUnicode_FromString("\n");
        Py_SETREF(converted, newline == NULL ? NULL
                  : PyUnicode_Replace(converted, newline, self->writenl, -1));
        Py_XDECREF(newline);
    }
    return converted;
}

static int
write_text(stringio *self, PyObject *given)
{
    PyObject *text = convert_newlines(self, given);
    if (text == NULL) {
        return -1;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    int rc = -1;
    if (self->file.pos > PY_SSIZE_T_MAX - n) {
        PyErr_SetString(PyExc_OverflowError, "new position too large");
    }
    else if (n == 0) {
        rc = 0;
    }
    else if (reserve(self, self->file.pos + n, PyUnicode_KIND(text)) == 0) {
        int kind = self->kind;
        if (self->file.pos > self->file.size) {
            memset(self->buf + self->file.size * kind, 0,
                   (size_t)((self->file.pos - self->file.size) * kind));
        }
        copy_widened(self->buf + self->file.pos * kind, kind, PyUnicode_DATA(text),
                     PyUnicode_KIND(text), n);
        self->ascii &= PyUnicode_IS_ASCII(text) ? 1 : 0;
        self->file.pos += n;
        if (self->file.size < self->file.pos) {
            self->file.size = self->file.pos;
        }
        rc = 0;
    }
    Py_DECREF(text);
    return rc;
}

/* --------------------------------------------------------- reading, writing */

static PyObject *
take(stringio *self, Py_ssize_t n)
{
    PyObject *text = text_at(self, self->file.pos, n);
    if (text != NULL && n > 0) {
        self->file.pos += n;
    }
    return text;
}

static PyObject *
read_line(stringio *self, Py_ssize_t limit)
{
    Py_ssize_t n = memory_at_most(&self->file, limit), consumed;
    if (n > 0) {
        const char *start = self->buf + self->file.pos * self->kind;
        Py_ssize_t end = _PyIO_find_line_ending(self->readtranslate, self->readuniversal,
                                                self->readnl, self->kind, start,
                                                start + n * self->kind, &consumed);
        n = end < 0 ? n : end;
    }
    return take(self, n);
}

static PyObject *
stringio_getvalue(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    stringio *self = (stringio *)op;
    return check_open(self) < 0 ? NULL : text_at(self, 0, self->file.size);
}

static PyObject *
stringio_tell(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    stringio *self = (stringio *)op;
    return check_open(self) < 0 ? NULL : PyLong_FromSsize_t(self->file.pos);
}

static PyObject *
stringio_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    stringio *self = (stringio *)op;
    Py_ssize_t n;
    if (!_PyIO_size_arg("read", args, nargs, &n) || check_open(self) < 0) {
        return NULL;
    }
    return take(self, memory_at_most(&self->file, n));
}

static PyObject *
stringio_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    stringio *self = (stringio *)op;
    Py_ssize_t limit;
    if (!_PyIO_size_arg("readline", args, nargs, &limit) || check_open(self) < 0) {
        return NULL;
    }
    return read_line(self, limit);
}

static PyObject *
stringio_iternext(PyObject *op)
{
    stringio *self = (stringio *)op;
    PyObject *line;
    if (check_open(self) < 0) {
        return NULL;
    }
    if (Py_IS_TYPE(op, &PyStringIO_Type)) {
        return self->file.pos >= self->file.size ? NULL : read_line(self, -1);
    }
    line = PyObject_CallMethodNoArgs(op, _Py_NAME(readline));
    if (line != NULL && !PyUnicode_Check(line)) {
        PyErr_Format(PyExc_OSError, "readline() should have returned a str object, not '%.200s'",
                     Py_TYPE(line)->tp_name);
        Py_CLEAR(line);
    }
    if (line != NULL && PyUnicode_GET_LENGTH(line) == 0) {
        Py_CLEAR(line);
    }
    return line;
}

static PyObject *
stringio_write(PyObject *op, PyObject *text)
{
    stringio *self = (stringio *)op;
    if (check_init(self) < 0) {
        return NULL;
    }
    if (!PyUnicode_Check(text)) {
        return PyErr_Format(PyExc_TypeError, "string argument expected, got '%s'",
                            Py_TYPE(text)->tp_name);
    }
    if (PyUnicode_READY(text) < 0 || check_open(self) < 0) {
        return NULL;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    if (n > 0 && write_text(self, text) < 0) {
        return NULL;
    }
    return PyLong_FromSsize_t(n);
}

static PyObject *
stringio_truncate(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    stringio *self = (stringio *)op;
    Py_ssize_t n;
    if (memory_truncate_arg(&self->file, args, nargs, &n) < 0 || check_open(self) < 0) {
        return NULL;
    }
    if (n < 0) {
        return PyErr_Format(PyExc_ValueError, "Negative size value %zd", n);
    }
    if (n < self->file.size) {
        self->file.size = n;
        if (n == 0 || n < self->room / 4) {
            Py_ssize_t room = n + 32;
            char *buf = PyMem_Realloc(self->buf, (size_t)(room * self->kind));
            if (buf != NULL) {
                self->buf = buf;
                self->room = room;
            }
        }
        if (n == 0) {           /* nothing wide is left */
            self->kind = PyUnicode_1BYTE_KIND;
            self->ascii = 1;
        }
    }
    return PyLong_FromSsize_t(n);
}

static PyObject *
stringio_seek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    stringio *self = (stringio *)op;
    Py_ssize_t pos;
    int whence;
    if (memory_seek_args(args, nargs, &pos, &whence) < 0 || check_open(self) < 0) {
        return NULL;
    }
    if (whence < 0 || whence > 2) {
        return PyErr_Format(PyExc_ValueError, "Invalid whence (%i, should be 0, 1 or 2)", whence);
    }
    if (pos < 0 && whence == 0) {
        return PyErr_Format(PyExc_ValueError, "Negative seek position %zd", pos);
    }
    if (whence != 0 && pos != 0) {
        PyErr_SetString(PyExc_OSError, "Can't do nonzero cur-relative seeks");
        return NULL;
    }
    if (whence != 1) {
        self->file.pos = whence == 0 ? pos : self->file.size;
    }
    return PyLong_FromSsize_t(self->file.pos);
}

/* -------------------------------------------------------------- life, death */

static void
forget_all(stringio *self)
{
    PyMem_Free(self->buf);
    self->buf = NULL;
    self->file.size = self->room = self->file.pos = 0;
    self->kind = PyUnicode_1BYTE_KIND;
    self->ascii = 1;
    Py_CLEAR(self->decoder);
    Py_CLEAR(self->readnl);
    Py_CLEAR(self->writenl);
}

static int
set_newline_mode(stringio *self, PyObject *newline)
{
    if (newline != Py_None) {
        self->readnl = Py_NewRef(newline);
    }
    self->readuniversal = newline == Py_None || PyUnicode_GET_LENGTH(newline) == 0;
    self->readtranslate = newline == Py_None;
    if (self->readuniversal) {
        self->decoder = PyObject_CallFunction((PyObject *)&PyIncrementalNewlineDecoder_Type,
                                              "Oi", Py_None, (int)self->readtranslate);
        return self->decoder == NULL ? -1 : 0;
    }
    if (PyUnicode_READ_CHAR(newline, 0) == '\r') {
        self->writenl = Py_NewRef(newline);
    }
    return 0;
}

static int
is_newline_mode(PyObject *newline)
{
    static const char *const modes[] = {"", "\n", "\r", "\r\n"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(modes); i++) {
        if (_PyUnicode_EqualToASCIIString(newline, modes[i])) {
            return 1;
        }
    }
    return 0;
}

static int
stringio_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {"initial_value", "newline", NULL};
    static _PyArg_Parser parser = {.keywords = names, .format = "|OO:StringIO"};
    stringio *self = (stringio *)op;
    PyObject *value = NULL, *newline = NULL;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &parser, &value, &newline)) {
        return -1;
    }
    if (newline != NULL && newline != Py_None && !PyUnicode_Check(newline)) {
        PyErr_Format(PyExc_TypeError, "newline must be str or None, not %.200s",
                     Py_TYPE(newline)->tp_name);
        return -1;
    }
    if (newline != NULL && newline != Py_None && !is_newline_mode(newline)) {
        PyErr_Format(PyExc_ValueError, "illegal newline value: %R", newline);
        return -1;
    }
    if (value != NULL && value != Py_None && !PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "initial_value must be str or None, not %.200s",
                     Py_TYPE(value)->tp_name);
        return -1;
    }
    self->ok = 0;
    forget_all(self);
    self->closed = 0;
    newline = newline != NULL ? Py_NewRef(newline) : PyUnicode_FromString("\n");
    if (newline == NULL) {
        return -1;
    }
    int rc = set_newline_mode(self, newline);
    Py_DECREF(newline);
    if (rc == 0 && value != NULL && value != Py_None) {
        rc = write_text(self, value);
    }
    if (rc == 0) {
        self->file.pos = 0;
        self->ok = 1;
    }
    return rc;
}

static PyObject *
stringio_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    stringio *self = (stringio *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->kind = PyUnicode_1BYTE_KIND;
        self->ascii = 1;
    }
    return (PyObject *)self;
}

static PyObject *
stringio_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    stringio *self = (stringio *)op;
    self->closed = 1;
    PyMem_Free(self->buf);
    self->buf = NULL;
    self->file.size = self->room = 0;
    Py_RETURN_NONE;
}

static int
stringio_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((memory_file *)op)->dict);
    Py_VISIT(((stringio *)op)->decoder);
    return 0;
}

static int
stringio_clear(PyObject *op)
{
    Py_CLEAR(((memory_file *)op)->dict);
    return 0;
}

static void
stringio_dealloc(PyObject *op)
{
    stringio *self = (stringio *)op;
    _PyIO_BeginDealloc(op, self->file.weakreflist);
    self->ok = 0;
    forget_all(self);
    Py_CLEAR(self->file.dict);
    Py_TYPE(op)->tp_free(op);
}

/* ----------------------------------------------------------------- pickling */

static PyObject *
stringio_getstate(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    stringio *self = (stringio *)op;
    PyObject *value = stringio_getvalue(op, NULL);
    if (value == NULL) {
        return NULL;
    }
    PyObject *dict = memory_copy_dict(&self->file);
    if (dict == NULL) {
        Py_DECREF(value);
        return NULL;
    }
    return Py_BuildValue("NOnN", value, self->readnl == NULL ? Py_None : self->readnl,
                         self->file.pos, dict);
}

/* The value of a pickled state is stored unchanged: its line ends were converted when it
   was first written. */
static int
restore_value(stringio *self, PyObject *value)
{
    if (value == Py_None) {
        return 0;
    }
    Py_ssize_t n = PyUnicode_GET_LENGTH(value);
    if (n > 0 && reserve(self, n, PyUnicode_KIND(value)) < 0) {
        return -1;
    }
    if (n > 0) {
        copy_widened(self->buf, self->kind, PyUnicode_DATA(value), PyUnicode_KIND(value), n);
        self->ascii = PyUnicode_IS_ASCII(value) ? 1 : 0;
    }
    self->file.size = n;
    return 0;
}

static PyObject *
stringio_setstate(PyObject *op, PyObject *state)
{
    stringio *self = (stringio *)op;
    if (check_not_closed(self) < 0) {   /* pickle has not called __init__ */
        return NULL;
    }
    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) < 4) {
        return PyErr_Format(PyExc_TypeError,
                            "%.200s.__setstate__ argument should be 4-tuple, got %.200s",
                            Py_TYPE(self)->tp_name, Py_TYPE(state)->tp_name);
    }
    PyObject *value = PyTuple_GET_ITEM(state, 0), *position = PyTuple_GET_ITEM(state, 2);
    PyObject *dict = PyTuple_GET_ITEM(state, 3);
    /* __init__ checks the first two, and sets the newline mode and the newlines seen. */
    PyObject *args = PyTuple_GetSlice(state, 0, 2);
    if (args == NULL) {
        return NULL;
    }
    int rc = stringio_init(op, args, NULL);
    Py_DECREF(args);
    if (rc < 0 || restore_value(self, value) < 0) {
        return NULL;
    }
    if (_PyIO_RestorePosition(position, &self->file.pos,
                              "third item of state must be an integer, got %.200s") < 0
        || _PyIO_RestoreDict(dict, &self->file.dict, "fourth") < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* --------------------------------------------------------------- properties */

static PyObject *
stringio_true(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return check_open((stringio *)op) < 0 ? NULL : Py_NewRef(Py_True);
}

static PyObject *
stringio_get_closed(PyObject *op, void *Py_UNUSED(closure))
{
    stringio *self = (stringio *)op;
    return check_init(self) < 0 ? NULL : PyBool_FromLong(self->closed);
}

static PyObject *
stringio_get_line_buffering(PyObject *op, void *Py_UNUSED(closure))
{
    return check_open((stringio *)op) < 0 ? NULL : Py_NewRef(Py_False);
}

static PyObject *
stringio_get_newlines(PyObject *op, void *Py_UNUSED(closure))
{
    stringio *self = (stringio *)op;
    if (check_open(self) < 0) {
        return NULL;
    }
    return self->decoder == NULL ? Py_NewRef(Py_None)
        : PyObject_GetAttr(self->decoder, _Py_NAME(newlines));
}

static PyMethodDef stringio_methods[] = {
    {"close", stringio_close, METH_NOARGS, "close($self, /)\n--\n\nGives up the content."},
    {"getvalue", stringio_getvalue, METH_NOARGS, "getvalue($self, /)\n--\n\nThe content."},
    {"read", FAST(stringio_read),
     "read($self, size=-1, /)\n--\n\nReads so many characters, or all."},
    {"readline", FAST(stringio_readline),
     "readline($self, size=-1, /)\n--\n\nReads a line."},
    {"tell", stringio_tell, METH_NOARGS, "tell($self, /)\n--\n\nThe position."},
    {"truncate", FAST(stringio_truncate),
     "truncate($self, pos=None, /)\n--\n\nCuts the content, at the position by default."},
    {"seek", FAST(stringio_seek),
     "seek($self, pos, whence=0, /)\n--\n\nMoves the position: anywhere, or to the end."},
    {"write", stringio_write, METH_O,
     "write($self, s, /)\n--\n\nWrites a string; returns its length."},
    {"seekable", stringio_true, METH_NOARGS, "seekable($self, /)\n--\n\nTrue."},
    {"readable", stringio_true, METH_NOARGS, "readable($self, /)\n--\n\nTrue."},
    {"writable", stringio_true, METH_NOARGS, "writable($self, /)\n--\n\nTrue."},
    {"__getstate__", stringio_getstate, METH_NOARGS, NULL},
    {"__setstate__", stringio_setstate, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef stringio_getset[] = {
    {"closed", stringio_get_closed, NULL, NULL, NULL},
    {"newlines", stringio_get_newlines, NULL, NULL, NULL},
    {"line_buffering", stringio_get_line_buffering, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyStringIO_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io.StringIO",
    .tp_basicsize = sizeof(stringio),
    .tp_dealloc = stringio_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "StringIO(initial_value='', newline='\\n')\n--\n\nA text file in memory.\n\n"
              "newline is as for TextIOWrapper, but the default changes nothing.",
    .tp_traverse = stringio_traverse,
    .tp_clear = stringio_clear,
    .tp_weaklistoffset = offsetof(memory_file, weakreflist),
    .tp_iternext = stringio_iternext,
    .tp_methods = stringio_methods,
    .tp_getset = stringio_getset,
    .tp_base = &PyTextIOBase_Type,
    .tp_dictoffset = offsetof(memory_file, dict),
    .tp_init = stringio_init,
    .tp_new = stringio_new,
};
