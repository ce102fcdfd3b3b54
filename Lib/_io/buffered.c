/* Buffered binary files: BufferedReader, BufferedWriter and BufferedRandom are made, closed and
   positioned; and the pair BufferedRWPair. buffered.h has the state. */
#include "buffered.h"

PyObject **
_PyBuffered_Upper(PyObject *self)
{
    return &((buffered *)self)->upper;
}

/* ------------------------------------------------------------- construction */

/* By the owner, since the raw file of another call may be at work in the buffer. */
static int
begin_anew(buffered *self, PyObject *raw, Py_ssize_t size, int readable, int writable)
{
    self->ok = self->detached = 0;
    if (size <= 0) {
        PyErr_SetString(PyExc_ValueError, "buffer size must be strictly positive");
        return -1;
    }
    char *buffer = PyMem_Malloc((size_t)size);
    if (buffer == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyMem_Free(self->buffer);
    self->buffer = buffer;
    self->size = size;
    self->state = EMPTY;
    self->pos = self->end = 0;
    self->raw_at = -1;
    self->readable = readable;
    self->writable = writable;
    self->raw_is_fileio = Py_IS_TYPE(raw, &PyFileIO_Type);
    Py_INCREF(raw);
    _PyIO_ForgetUpper(self->raw, (PyObject *)self);
    Py_XSETREF(self->raw, raw);
    _PyIO_SetUpper(raw, (PyObject *)self);
    self->ok = 1;
    return 0;
}

static int
buffered_init(buffered *self, PyObject *raw, Py_ssize_t size, int readable, int writable)
{
    if (_PyBuffered_own(self) < 0) {
        return -1;
    }
    int rc = begin_anew(self, raw, size, readable, writable);
    _PyBuffered_leave(self);
    return rc;
}

static int
init_from_args(PyObject *op, PyObject *args, PyObject *kwds, const char *format, int readable,
               int writable)
{
    static char *names[] = {"raw", "buffer_size", NULL};
    buffered *self = (buffered *)op;
    PyObject *raw;
    Py_ssize_t size = DEFAULT_BUFFER_SIZE;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, names, &raw, &size)) {
        return -1;
    }
    self->ok = self->detached = 0;
    if ((readable && writable && _PyIOBase_check_seekable(raw, Py_True) == NULL)
        || (readable && _PyIOBase_check_readable(raw, Py_True) == NULL)
        || (writable && _PyIOBase_check_writable(raw, Py_True) == NULL)) {
        return -1;
    }
    return buffered_init(self, raw, size, readable, writable);
}

static int
reader_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return init_from_args(op, args, kwds, "O|n:BufferedReader", 1, 0);
}

static int
writer_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return init_from_args(op, args, kwds, "O|n:BufferedWriter", 0, 1);
}

static int
random_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return init_from_args(op, args, kwds, "O|n:BufferedRandom", 1, 1);
}

static int
buffered_traverse(buffered *self, visitproc visit, void *arg)
{
    Py_VISIT(self->raw);
    Py_VISIT(self->dict);
    return 0;
}

static int
buffered_clear(buffered *self)
{
    self->ok = 0;
    _PyIO_ForgetUpper(self->raw, (PyObject *)self);
    Py_CLEAR(self->raw);
    Py_CLEAR(self->dict);
    return 0;
}

static void
buffered_dealloc(buffered *self)
{
    self->finalizing = 1;
    if (_PyIOBase_finalize((PyObject *)self) < 0) {
        return;
    }
    _PyIO_BeginDealloc((PyObject *)self, self->weakreflist);
    self->ok = 0;
    PyMem_Free(self->buffer);
    if (self->gate != NULL) {
        PyThread_free_lock(self->gate);
    }
    buffered_clear(self);
    Py_TYPE(self)->tp_free(self);
}

/* ------------------------------------------------------------ flush, close… */

static PyObject *
buffered_flush(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (_PyBuffered_check_open(self, "flush of closed file") < 0 || _PyBuffered_enter(self) < 0) {
        return NULL;
    }
    int rc = _PyBuffered_flush_pending(self);
    if (rc == 0 && self->readable) {
        rc = _PyBuffered_unread(self);
    }
    _PyBuffered_leave(self);
    return rc < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
reader_flush(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    return _PyBuffered_check_init(self) < 0 ? NULL : _PyBuffered_call_raw(self, _Py_NAME(flush));
}

static PyObject *
buffered_dealloc_warn(PyObject *op, PyObject *source)
{
    buffered *self = (buffered *)op;
    if (self->ok && self->raw != NULL) {
        PyObject *r = PyObject_CallMethodOneArg(self->raw, _Py_NAME(_dealloc_warn), source);
        if (r == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(r);
    }
    Py_RETURN_NONE;
}

static PyObject *
buffered_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (_PyBuffered_check_init(self) < 0 || _PyBuffered_enter_to_close(self) < 0) {
        return NULL;
    }
    int closed = _PyBuffered_raw_is_closed(self);
    _PyBuffered_leave(self);
    if (closed) {
        return closed < 0 ? NULL : Py_NewRef(Py_None);
    }
    if (self->finalizing) {
        PyObject *w = buffered_dealloc_warn(op, op);
        Py_XDECREF(w);
    }
    /* Not under the lock: flush() may be overridden. */
    PyObject *type = NULL, *value = NULL, *tb = NULL;
    PyObject *r = PyObject_CallMethodNoArgs(op, _Py_NAME(flush));
    if (r == NULL) {
        PyErr_Fetch(&type, &value, &tb);
    }
    Py_XDECREF(r);
    if (_PyBuffered_enter_to_close(self) < 0) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(tb);
        return NULL;
    }
    r = PyObject_CallMethodNoArgs(self->raw, _Py_NAME(close));
    if (self->buffer != NULL) {
        PyMem_Free(self->buffer);
        self->buffer = NULL;
        self->state = EMPTY;
        self->pos = self->end = 0;
    }
    _PyBuffered_leave(self);
    if (type != NULL) {
        _PyErr_ChainExceptions(type, value, tb);
        Py_CLEAR(r);
    }
    return r;
}

static PyObject *
buffered_detach(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (_PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    PyObject *r = PyObject_CallMethodNoArgs(op, _Py_NAME(flush));
    if (r == NULL) {
        return NULL;
    }
    Py_DECREF(r);
    if (_PyBuffered_enter_to_close(self) < 0) {
        return NULL;
    }
    PyObject *raw = self->raw;
    _PyIO_ForgetUpper(raw, op);
    self->raw = NULL;
    self->detached = 1;
    self->ok = 0;
    _PyBuffered_leave(self);
    return raw;
}

/* Methods and attributes that are the raw file's. */
#define PASS_METHOD(name) \
static PyObject * \
buffered_##name(PyObject *op, PyObject *Py_UNUSED(ignored)) \
{ \
    buffered *self = (buffered *)op; \
    return _PyBuffered_check_init(self) < 0 ? NULL : _PyBuffered_call_raw(self, _Py_NAME(name)); \
}
PASS_METHOD(seekable)
PASS_METHOD(readable)
PASS_METHOD(writable)
PASS_METHOD(fileno)
PASS_METHOD(isatty)

#define PASS_ATTRIBUTE(attr) \
static PyObject * \
buffered_get_##attr(PyObject *op, void *Py_UNUSED(closure)) \
{ \
    buffered *self = (buffered *)op; \
    return _PyBuffered_check_init(self) < 0 ? NULL \
        : _PyBuffered_raw_attribute(self, _Py_NAME(attr)); \
}
PASS_ATTRIBUTE(closed)
PASS_ATTRIBUTE(name)
PASS_ATTRIBUTE(mode)

static PyObject *
buffered_sizeof(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    return PyLong_FromSsize_t(Py_TYPE(op)->tp_basicsize
                              + (self->buffer != NULL ? self->size : 0));
}

static PyObject *
buffered_repr(PyObject *op)
{
    PyObject *name, *result = NULL;
    if (_PyObject_LookupAttr(op, _Py_NAME(name), &name) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError)) {
            return NULL;
        }
        PyErr_Clear();          /* detached, or without a raw file */
    }
    if (name == NULL) {
        return PyUnicode_FromFormat("<%s>", Py_TYPE(op)->tp_name);
    }
    int entered = Py_ReprEnter(op);
    if (entered == 0) {
        result = PyUnicode_FromFormat("<%s name=%R>", Py_TYPE(op)->tp_name, name);
        Py_ReprLeave(op);
    }
    else if (entered > 0) {
        PyErr_Format(PyExc_RuntimeError, "reentrant call inside %s.__repr__",
                     Py_TYPE(op)->tp_name);
    }
    Py_DECREF(name);
    return result;
}

/* ----------------------------------------------------------------- position */

static PyObject *
buffered_tell(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (_PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    Py_off_t pos = _PyBuffered_raw_tell(self);
    if (pos < 0) {
        return NULL;
    }
    pos += self->state == WRITING ? self->end : -UNREAD(self);
    return PyLong_FromLongLong(pos < 0 ? 0 : pos);
}

static PyObject *
seek_locked(buffered *self, Py_off_t target, int whence)
{
    if (whence != 2 && self->readable && self->state == READING) {
        /* A move within what was read ahead needs no system call. As in CPython, what somebody
           else has done to the raw file in the meantime is not noticed. */
        if (self->raw_at < 0 && (self->raw_at = _PyBuffered_raw_tell(self)) < 0) {
            return NULL;
        }
        Py_off_t now = self->raw_at - UNREAD(self);
        Py_off_t delta = whence == 0 ? target - now : target;
        if (delta >= -self->pos && delta <= UNREAD(self)) {
            self->pos += delta;
            return PyLong_FromLongLong(now + delta);
        }
    }
    if (_PyBuffered_flush_pending(self) < 0) {
        return NULL;
    }
    if (whence == 1) {
        target -= UNREAD(self);
    }
    Py_off_t pos = _PyBuffered_raw_seek(self, target, whence);
    if (pos < 0) {
        return NULL;
    }
    _PyBuffered_forget_read(self);
    return PyLong_FromLongLong(pos);
}

static PyObject *
buffered_seek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    int whence = 0;
    if (!_PyArg_CheckPositional("seek", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2 && (whence = _PyLong_AsInt(args[1])) == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (_PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    /* Other values are left for the system to check. */
    if (whence < 0 || (whence > 2 && whence != SEEK_DATA && whence != SEEK_HOLE)) {
        return PyErr_Format(PyExc_ValueError, "whence value %d unsupported", whence);
    }
    int closed = _PyBuffered_raw_is_closed(self);
    if (closed) {
        if (closed > 0) {
            PyErr_SetString(PyExc_ValueError, "seek of closed file");
        }
        return NULL;
    }
    PyObject *raw = Py_NewRef(self->raw);
    PyObject *seekable = _PyIOBase_check_seekable(raw, Py_True);
    Py_DECREF(raw);
    if (seekable == NULL) {
        return NULL;
    }
    Py_off_t target = _PyIO_off(args[0], PyExc_ValueError);
    if ((target == -1 && PyErr_Occurred()) || _PyBuffered_enter(self) < 0) {
        return NULL;
    }
    PyObject *result = seek_locked(self, target, whence);
    _PyBuffered_leave(self);
    return result;
}

static PyObject *
buffered_truncate(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    if (!_PyArg_CheckPositional("truncate", nargs, 0, 1) || _PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    int closed = _PyBuffered_raw_is_closed(self);
    if (closed) {
        if (closed > 0) {
            PyErr_SetString(PyExc_ValueError, "truncate of closed file");
        }
        return NULL;
    }
    if (!self->writable) {
        return _PyIO_RaiseUnsupported("truncate");
    }
    if (_PyBuffered_enter(self) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (_PyBuffered_flush_pending(self) == 0 && _PyBuffered_unread(self) == 0) {
        PyObject *pos = nargs == 0 || args[0] == Py_None
            ? PyObject_CallMethodNoArgs(self->raw, _Py_NAME(tell)) : Py_NewRef(args[0]);
        if (pos != NULL) {
            result = PyObject_CallMethodOneArg(self->raw, _Py_NAME(truncate), pos);
            Py_DECREF(pos);
        }
    }
    _PyBuffered_leave(self);
    return result;
}

/* ---------------------------------------------------------------- the types */

#define M_READ {"read", FAST(_PyBuffered_read), "read($self, size=-1, /)\n--\n\nReads bytes."}, \
    {"read1", FAST(_PyBuffered_read1), \
     "read1($self, size=-1, /)\n--\n\nReads with at most one raw read."}, \
    {"readinto", _PyBuffered_readinto, METH_O, "readinto($self, buffer, /)\n--\n\n"}, \
    {"readinto1", _PyBuffered_readinto1, METH_O, "readinto1($self, buffer, /)\n--\n\n"}, \
    {"peek", FAST(_PyBuffered_peek), \
     "peek($self, size=0, /)\n--\n\nBytes without moving the position."}, \
    {"readline", FAST(_PyBuffered_readline), "readline($self, size=-1, /)\n--\n\nReads a line."}
#define M_COMMON {"detach", buffered_detach, METH_NOARGS, NULL}, \
    {"close", buffered_close, METH_NOARGS, NULL}, \
    {"seekable", buffered_seekable, METH_NOARGS, NULL}, \
    {"fileno", buffered_fileno, METH_NOARGS, NULL}, \
    {"isatty", buffered_isatty, METH_NOARGS, NULL}, \
    {"_dealloc_warn", buffered_dealloc_warn, METH_O, NULL}, \
    {"seek", FAST(buffered_seek), "seek($self, target, whence=0, /)\n--\n\nMoves the position."}, \
    {"tell", buffered_tell, METH_NOARGS, NULL}, \
    {"truncate", FAST(buffered_truncate), "truncate($self, pos=None, /)\n--\n\nCuts the file."}, \
    {"__sizeof__", buffered_sizeof, METH_NOARGS, NULL}
#define M_WRITE {"write", _PyBuffered_write, METH_O, "write($self, buffer, /)\n--\n\nWrites bytes."}

static PyMethodDef reader_methods[] = {
    M_READ, M_COMMON,
    {"flush", reader_flush, METH_NOARGS, NULL},
    {"readable", buffered_readable, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef writer_methods[] = {
    M_WRITE, M_COMMON,
    {"flush", buffered_flush, METH_NOARGS, NULL},
    {"writable", buffered_writable, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef random_methods[] = {
    M_READ, M_WRITE, M_COMMON,
    {"flush", buffered_flush, METH_NOARGS, NULL},
    {"readable", buffered_readable, METH_NOARGS, NULL},
    {"writable", buffered_writable, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef buffered_members[] = {
    {"raw", T_OBJECT, offsetof(buffered, raw), READONLY, NULL},
    {"_finalizing", T_BOOL, offsetof(buffered, finalizing), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef buffered_getset[] = {
    {"closed", buffered_get_closed, NULL, NULL, NULL},
    {"name", buffered_get_name, NULL, NULL, NULL},
    {"mode", buffered_get_mode, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

#define BUFFERED_TYPE(type, name, doc, methods, init, next) \
PyTypeObject type = { \
    PyVarObject_HEAD_INIT(&PyType_Type, 0) \
    .tp_name = "_io." name, \
    .tp_basicsize = sizeof(buffered), \
    .tp_dealloc = (destructor)buffered_dealloc, \
    .tp_repr = buffered_repr, \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, \
    .tp_doc = name "(raw, buffer_size=DEFAULT_BUFFER_SIZE)\n--\n\n" doc, \
    .tp_traverse = (traverseproc)buffered_traverse, \
    .tp_clear = (inquiry)buffered_clear, \
    .tp_weaklistoffset = offsetof(buffered, weakreflist), \
    .tp_iternext = next, \
    .tp_methods = methods, \
    .tp_members = buffered_members, \
    .tp_getset = buffered_getset, \
    .tp_base = &PyBufferedIOBase_Type, \
    .tp_dictoffset = offsetof(buffered, dict), \
    .tp_init = init, \
    .tp_new = PyType_GenericNew, \
}

BUFFERED_TYPE(PyBufferedReader_Type, "BufferedReader", "A buffer over a readable raw file.",
              reader_methods, reader_init, _PyBuffered_iternext);
BUFFERED_TYPE(PyBufferedWriter_Type, "BufferedWriter", "A buffer over a writable raw file.",
              writer_methods, writer_init, NULL);
BUFFERED_TYPE(PyBufferedRandom_Type, "BufferedRandom",
              "A buffer over a raw file that can seek, read and write.", random_methods,
              random_init, _PyBuffered_iternext);
