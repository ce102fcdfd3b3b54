/* The abstract bases _IOBase and _RawIOBase: everything that can be implemented with a
   few methods that a file's class provides. */
#include "io_module.h"

typedef struct {
    PyObject_HEAD
    PyObject *dict;
    PyObject *weakreflist;
} iobase;

static PyObject *unsupported_operation;

PyObject *
_PyIO_Unsupported(void)
{
    if (unsupported_operation == NULL) {
        unsupported_operation = PyObject_CallFunction(
            (PyObject *)&PyType_Type, "s(OO){}", "UnsupportedOperation", PyExc_OSError,
            PyExc_ValueError);
        PyObject *io = unsupported_operation == NULL ? NULL : PyUnicode_FromString("io");
        if (io == NULL
            || PyObject_SetAttr(unsupported_operation, _Py_NAME(dunder_module), io) < 0) {
            Py_CLEAR(unsupported_operation);
        }
        Py_XDECREF(io);
    }
    return unsupported_operation;
}

PyObject *
_PyIO_RaiseUnsupported(const char *message)
{
    PyObject *exc = _PyIO_Unsupported();
    if (exc != NULL) {
        PyErr_SetString(exc, message);
    }
    return NULL;
}

int
_PyIO_trap_eintr(void)
{
    if (!PyErr_ExceptionMatches(PyExc_OSError)) {
        return 0;
    }
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    PyErr_NormalizeException(&type, &value, &tb);
    PyOSErrorObject *err = (PyOSErrorObject *)value;
    if (err != NULL && err->myerrno != NULL && PyLong_Check(err->myerrno)
        && PyLong_AsLong(err->myerrno) == EINTR) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(tb);
        return 1;
    }
    PyErr_Restore(type, value, tb);
    return 0;
}

int
_PyIO_RestorePosition(PyObject *position, Py_ssize_t *pos, const char *message)
{
    if (!PyLong_Check(position)) {
        PyErr_Format(PyExc_TypeError, message, Py_TYPE(position)->tp_name);
        return -1;
    }
    Py_ssize_t value = PyLong_AsSsize_t(position);
    if (value == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (value < 0) {
        PyErr_SetString(PyExc_ValueError, "position value cannot be negative");
        return -1;
    }
    *pos = value;
    return 0;
}

int
_PyIO_RestoreDict(PyObject *dict, PyObject **own_dict, const char *which)
{
    if (dict == Py_None) {
        return 0;
    }
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError, "%s item of state should be a dict, got a %.200s", which,
                     Py_TYPE(dict)->tp_name);
        return -1;
    }
    if (*own_dict == NULL) {
        *own_dict = Py_NewRef(dict);
        return 0;
    }
    return PyDict_Update(*own_dict, dict);
}

void
_PyIO_RaiseWouldBlock(Py_ssize_t written)
{
    PyObject *exc = PyObject_CallFunction(PyExc_BlockingIOError, "isn", EAGAIN,
                                          "write could not complete without blocking", written);
    if (exc != NULL) {
        PyErr_SetObject(PyExc_BlockingIOError, exc);
        Py_DECREF(exc);
    }
}

int
_PyIO_optional_size(PyObject *obj, Py_ssize_t *size)
{
    *size = -1;
    return _Py_convert_optional_to_ssize_t(obj, size);
}

Py_off_t
_PyIO_off(PyObject *obj, PyObject *err)
{
    PyObject *index = PyNumber_Index(obj);
    if (index == NULL) {
        return -1;
    }
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(index, &overflow);
    Py_DECREF(index);
    if (overflow) {
        PyErr_Format(err ? err : PyExc_OverflowError,
                     "cannot fit '%.200s' into an offset-sized integer", Py_TYPE(obj)->tp_name);
        return -1;
    }
    return value;
}

/* ------------------------------------------------------------------- checks */

static int
is_closed(PyObject *self)
{
    PyObject *closed;
    int rc = _PyObject_LookupAttr(self, _Py_NAME(closed), &closed);
    if (rc > 0) {
        rc = PyObject_IsTrue(closed);
        Py_DECREF(closed);
    }
    return rc;
}

PyObject *
_PyIOBase_check_closed(PyObject *self, PyObject *args)
{
    int closed = is_closed(self);
    if (closed < 0) {
        return NULL;
    }
    if (closed) {
        PyErr_SetString(PyExc_ValueError, "I/O operation on closed file.");
        return NULL;
    }
    return args == Py_True ? Py_None : Py_NewRef(Py_None);
}

static PyObject *
check_ability(PyObject *self, PyObject *args, PyObject *method, const char *message)
{
    PyObject *yes = PyObject_CallMethodNoArgs(self, method);
    if (yes == NULL) {
        return NULL;
    }
    Py_DECREF(yes);
    if (yes != Py_True) {
        return _PyIO_RaiseUnsupported(message);
    }
    return args == Py_True ? Py_True : Py_NewRef(Py_True);
}

PyObject *
_PyIOBase_check_readable(PyObject *self, PyObject *args)
{
    return check_ability(self, args, _Py_NAME(readable), "File or stream is not readable.");
}

PyObject *
_PyIOBase_check_writable(PyObject *self, PyObject *args)
{
    return check_ability(self, args, _Py_NAME(writable), "File or stream is not writable.");
}

PyObject *
_PyIOBase_check_seekable(PyObject *self, PyObject *args)
{
    return check_ability(self, args, _Py_NAME(seekable), "File or stream is not seekable.");
}

/* -------------------------------------------------------------- positioning */

static PyObject *
iobase_seek(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    return _PyIO_RaiseUnsupported("seek");
}

static PyObject *
iobase_tell(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_CallMethod(self, "seek", "ii", 0, 1);
}

static PyObject *
iobase_truncate(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    return _PyIO_RaiseUnsupported("truncate");
}

static PyObject *
iobase_false(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_FALSE;
}

static PyObject *
iobase_fileno(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    return _PyIO_RaiseUnsupported("fileno");
}

static PyObject *
iobase_isatty(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (_PyIOBase_check_closed(self, Py_True) == NULL) {
        return NULL;
    }
    Py_RETURN_FALSE;
}

/* ------------------------------------------------------------------ closing */

/* The base remembers that close() ran in an attribute of the instance. */
static int
closed_mark(PyObject *self)
{
    PyObject *mark;
    int rc = _PyObject_LookupAttr(self, _Py_NAME(__IOBase_closed), &mark);
    Py_XDECREF(mark);
    return rc;
}

static PyObject *
iobase_closed_get(PyObject *self, void *Py_UNUSED(context))
{
    int closed = closed_mark(self);
    return closed < 0 ? NULL : PyBool_FromLong(closed);
}

static PyObject *
iobase_flush(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int closed = closed_mark(self);
    if (closed < 0) {
        return NULL;
    }
    if (closed) {
        PyErr_SetString(PyExc_ValueError, "I/O operation on closed file.");
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
iobase_close(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int closed = closed_mark(self);
    if (closed != 0) {
        return closed < 0 ? NULL : Py_NewRef(Py_None);
    }
    PyObject *r = PyObject_CallMethodNoArgs(self, _Py_NAME(flush));
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    int rc = PyObject_SetAttr(self, _Py_NAME(__IOBase_closed), Py_True);
    _PyErr_ChainExceptions(type, value, tb);
    if (rc < 0) {
        Py_CLEAR(r);
    }
    return r;
}

static PyObject **
upper_slot(PyObject *op)
{
    if (PyObject_TypeCheck(op, &PyFileIO_Type)) {
        return _PyFileIO_Upper(op);
    }
    return PyObject_TypeCheck(op, &PyBufferedReader_Type)
        || PyObject_TypeCheck(op, &PyBufferedWriter_Type)
        || PyObject_TypeCheck(op, &PyBufferedRandom_Type) ? _PyBuffered_Upper(op) : NULL;
}

void
_PyIO_SetUpper(PyObject *lower, PyObject *upper)
{
    PyObject **slot = upper_slot(lower);
    if (slot != NULL) {
        *slot = upper;
    }
}

void
_PyIO_ForgetUpper(PyObject *lower, PyObject *upper)
{
    PyObject **slot = lower == NULL ? NULL : upper_slot(lower);
    if (slot != NULL && *slot == upper) {
        *slot = NULL;
    }
}

static void
iobase_finalize(PyObject *self)
{
    PyObject *type, *value, *tb;
    int closed = 0;
    PyErr_Fetch(&type, &value, &tb);
    PyObject **upper = upper_slot(self);
    if (upper != NULL && *upper != NULL) {
        PyObject *first = Py_NewRef(*upper);
        PyObject_CallFinalizer(first);
        Py_DECREF(first);
    }
    PyObject *attr;
    if (_PyObject_LookupAttr(self, _Py_NAME(closed), &attr) <= 0) {
        PyErr_Clear();
        closed = 1;             /* without the attribute, not a file to close */
    }
    else {
        closed = PyObject_IsTrue(attr);
        Py_DECREF(attr);
        if (closed < 0) {
            PyErr_Clear();
        }
    }
    if (closed == 0) {
        /* close() can see that it is called by a finalizer. */
        if (PyObject_SetAttr(self, _Py_NAME(_finalizing), Py_True) < 0) {
            PyErr_Clear();
        }
        PyObject *r = PyObject_CallMethodNoArgs(self, _Py_NAME(close));
        /* Errors here would mostly come from files that were never usable. */
        if (r == NULL) {
            if (_PyInterpreterState_GET()->config.dev_mode) {
                PyErr_WriteUnraisable(self);
            }
            else {
                PyErr_Clear();
            }
        }
        Py_XDECREF(r);
    }
    PyErr_Restore(type, value, tb);
}

int
_PyIOBase_finalize(PyObject *self)
{
    int is_zombie = Py_REFCNT(self) == 0;
    if (is_zombie) {
        return PyObject_CallFinalizerFromDealloc(self);
    }
    PyObject_CallFinalizer(self);
    return 0;
}

static int
iobase_traverse(iobase *self, visitproc visit, void *arg)
{
    Py_VISIT(self->dict);
    return 0;
}

static int
iobase_clear(iobase *self)
{
    Py_CLEAR(self->dict);
    return 0;
}

static void
iobase_dealloc(iobase *self)
{
    if (_PyIOBase_finalize((PyObject *)self) < 0) {
        /* Resurrected: subtype_dealloc will release the type's reference anyway. */
        if (PyType_HasFeature(Py_TYPE(self), Py_TPFLAGS_HEAPTYPE)) {
            Py_INCREF(Py_TYPE(self));
        }
        return;
    }
    _PyIO_BeginDealloc((PyObject *)self, self->weakreflist);
    Py_CLEAR(self->dict);
    Py_TYPE(self)->tp_free(self);
}

/* ---------------------------------------------------------- context manager */

static PyObject *
iobase_enter(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (_PyIOBase_check_closed(self, Py_True) == NULL) {
        return NULL;
    }
    return Py_NewRef(self);
}

static PyObject *
iobase_exit(PyObject *self, PyObject *Py_UNUSED(args))
{
    return PyObject_CallMethodNoArgs(self, _Py_NAME(close));
}

/* -------------------------------------------------------------------- lines */

/* How many bytes to read for a line without going past its end: as many as
   peek() shows up to the newline, else one. -1 with an exception. */
static Py_ssize_t
readline_step(PyObject *self, PyObject *peek, Py_ssize_t limit, Py_ssize_t have)
{
    Py_ssize_t step = 1;
    if (peek == NULL) {
        return step;
    }
    PyObject *ahead = PyObject_CallFunction(peek, "i", 1);
    if (ahead == NULL) {
        return _PyIO_trap_eintr() ? 0 : -1;
    }
    if (!PyBytes_Check(ahead)) {
        PyErr_Format(PyExc_OSError, "peek() should have returned a bytes object, not '%.200s'",
                     Py_TYPE(ahead)->tp_name);
        Py_DECREF(ahead);
        return -1;
    }
    (void)self;
    Py_ssize_t n = PyBytes_GET_SIZE(ahead);
    if (n > 0) {
        if (limit >= 0 && n > limit - have) {
            n = limit - have;
        }
        const char *buf = PyBytes_AS_STRING(ahead);
        const char *nl = memchr(buf, '\n', (size_t)n);
        step = nl != NULL ? nl - buf + 1 : n;
    }
    Py_DECREF(ahead);
    return step;
}

static PyObject *
iobase_readline(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t limit;
    if (!_PyIO_size_arg("readline", args, nargs, &limit)) {
        return NULL;
    }
    PyObject *peek;
    if (_PyObject_LookupAttr(self, _Py_NAME(peek), &peek) < 0) {
        return NULL;
    }
    PyObject *line = PyByteArray_FromStringAndSize(NULL, 0), *result = NULL;
    while (line != NULL && (limit < 0 || PyByteArray_GET_SIZE(line) < limit)) {
        Py_ssize_t step = readline_step(self, peek, limit, PyByteArray_GET_SIZE(line));
        if (step == 0) {
            continue;
        }
        if (step < 0) {
            goto done;
        }
        PyObject *b = PyObject_CallMethod(self, "read", "n", step);
        if (b == NULL) {
            if (_PyIO_trap_eintr()) {
                continue;
            }
            goto done;
        }
        if (!PyBytes_Check(b)) {
            PyErr_Format(PyExc_OSError,
                         "read() should have returned a bytes object, not '%.200s'",
                         Py_TYPE(b)->tp_name);
            Py_DECREF(b);
            goto done;
        }
        Py_ssize_t n = PyBytes_GET_SIZE(b), old = PyByteArray_GET_SIZE(line);
        if (n == 0) {
            Py_DECREF(b);
            break;
        }
        if (PyByteArray_Resize(line, old + n) < 0) {
            Py_DECREF(b);
            goto done;
        }
        memcpy(PyByteArray_AS_STRING(line) + old, PyBytes_AS_STRING(b), (size_t)n);
        Py_DECREF(b);
        if (PyByteArray_AS_STRING(line)[old + n - 1] == '\n') {
            break;
        }
    }
    if (line != NULL) {
        result = PyBytes_FromStringAndSize(PyByteArray_AS_STRING(line),
                                           PyByteArray_GET_SIZE(line));
    }
done:
    Py_XDECREF(peek);
    Py_XDECREF(line);
    return result;
}

static PyObject *
iobase_iter(PyObject *self)
{
    if (_PyIOBase_check_closed(self, Py_True) == NULL) {
        return NULL;
    }
    return Py_NewRef(self);
}

static PyObject *
iobase_iternext(PyObject *self)
{
    PyObject *line = PyObject_CallMethodNoArgs(self, _Py_NAME(readline));
    if (line != NULL && PyObject_Size(line) <= 0) {
        Py_CLEAR(line);         /* the end, or an error of len() */
    }
    return line;
}

static PyObject *
iobase_readlines(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t hint, total = 0;
    if (!_PyIO_size_arg("readlines", args, nargs, &hint)) {
        return NULL;
    }
    PyObject *lines = PyList_New(0);
    if (lines == NULL) {
        return NULL;
    }
    if (hint <= 0) {
        PyObject *r = PyObject_CallMethod(lines, "extend", "O", self);
        if (r == NULL) {
            Py_CLEAR(lines);
        }
        Py_XDECREF(r);
        return lines;
    }
    PyObject *it = PyObject_GetIter(self), *line;
    while (it != NULL && (line = PyIter_Next(it)) != NULL) {
        Py_ssize_t n = PyList_Append(lines, line) < 0 ? -1 : PyObject_Size(line);
        Py_DECREF(line);
        if (n < 0) {
            Py_CLEAR(lines);
            break;
        }
        if (n > hint - total) {
            break;
        }
        total += n;
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(lines);
    }
    Py_XDECREF(it);
    return lines;
}

static PyObject *
iobase_writelines(PyObject *self, PyObject *lines)
{
    if (_PyIOBase_check_closed(self, Py_True) == NULL) {
        return NULL;
    }
    PyObject *it = PyObject_GetIter(lines), *line;
    if (it == NULL) {
        return NULL;
    }
    while ((line = PyIter_Next(it)) != NULL) {
        PyObject *r;
        do {
            r = PyObject_CallMethodOneArg(self, _Py_NAME(write), line);
        } while (r == NULL && _PyIO_trap_eintr());
        Py_DECREF(line);
        if (r == NULL) {
            Py_DECREF(it);
            return NULL;
        }
        Py_DECREF(r);
    }
    Py_DECREF(it);
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef iobase_methods[] = {
    {"seek", iobase_seek, METH_VARARGS, "Moves the position: offset, whence."},
    {"tell", iobase_tell, METH_NOARGS, "tell($self, /)\n--\n\nThe position."},
    {"truncate", iobase_truncate, METH_VARARGS, "Cuts the file at a size."},
    {"flush", iobase_flush, METH_NOARGS, "flush($self, /)\n--\n\nWrites what is buffered."},
    {"close", iobase_close, METH_NOARGS, "close($self, /)\n--\n\nFlushes and closes."},
    {"seekable", iobase_false, METH_NOARGS, "seekable($self, /)\n--\n\nCan it seek?"},
    {"readable", iobase_false, METH_NOARGS, "readable($self, /)\n--\n\nCan it be read?"},
    {"writable", iobase_false, METH_NOARGS, "writable($self, /)\n--\n\nCan it be written?"},
    {"_checkClosed", _PyIOBase_check_closed, METH_NOARGS, NULL},
    {"_checkSeekable", _PyIOBase_check_seekable, METH_NOARGS, NULL},
    {"_checkReadable", _PyIOBase_check_readable, METH_NOARGS, NULL},
    {"_checkWritable", _PyIOBase_check_writable, METH_NOARGS, NULL},
    {"fileno", iobase_fileno, METH_NOARGS, "fileno($self, /)\n--\n\nThe descriptor."},
    {"isatty", iobase_isatty, METH_NOARGS, "isatty($self, /)\n--\n\nIs it a terminal?"},
    {"__enter__", iobase_enter, METH_NOARGS, NULL},
    {"__exit__", iobase_exit, METH_VARARGS, NULL},
    {"readline", FAST(iobase_readline),
     "readline($self, size=-1, /)\n--\n\nReads a line."},
    {"readlines", FAST(iobase_readlines),
     "readlines($self, hint=-1, /)\n--\n\nReads lines until hint is passed."},
    {"writelines", iobase_writelines, METH_O,
     "writelines($self, lines, /)\n--\n\nWrites each of the lines."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef iobase_getset[] = {
    {"__dict__", PyObject_GenericGetDict, NULL, NULL, NULL},
    {"closed", iobase_closed_get, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyIOBase_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io._IOBase",
    .tp_basicsize = sizeof(iobase),
    .tp_dealloc = (destructor)iobase_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "The base of all file classes.",
    .tp_traverse = (traverseproc)iobase_traverse,
    .tp_clear = (inquiry)iobase_clear,
    .tp_weaklistoffset = offsetof(iobase, weakreflist),
    .tp_iter = iobase_iter,
    .tp_iternext = iobase_iternext,
    .tp_methods = iobase_methods,
    .tp_getset = iobase_getset,
    .tp_dictoffset = offsetof(iobase, dict),
    .tp_new = PyType_GenericNew,
    .tp_finalize = iobase_finalize,
};

/* --------------------------------------------------------------- _RawIOBase */

static PyObject *
rawiobase_read(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t n = -1;
    if (!_PyArg_CheckPositional("read", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1) {
        n = PyNumber_AsSsize_t(args[0], PyExc_OverflowError);
        if (n == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (n < 0) {
        return PyObject_CallMethodNoArgs(self, _Py_NAME(readall));
    }
    PyObject *buffer = PyByteArray_FromStringAndSize(NULL, n);
    if (buffer == NULL) {
        return NULL;
    }
    PyObject *got = PyObject_CallMethodOneArg(self, _Py_NAME(readinto), buffer);
    if (got == NULL || got == Py_None) {
        Py_DECREF(buffer);
        return got;
    }
    n = PyNumber_AsSsize_t(got, PyExc_ValueError);
    Py_DECREF(got);
    PyObject *result = NULL;
    if (n == -1 && PyErr_Occurred()) {
        goto done;
    }
    if (n > PyByteArray_GET_SIZE(buffer)) {
        n = PyByteArray_GET_SIZE(buffer);
    }
    /* A negative count is refused here. */
    result = PyBytes_FromStringAndSize(PyByteArray_AS_STRING(buffer), n);
done:
    Py_DECREF(buffer);
    return result;
}

static PyObject *
rawiobase_readall(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *chunks = PyList_New(0);
    if (chunks == NULL) {
        return NULL;
    }
    for (;;) {
        PyObject *data = PyObject_CallMethod(self, "read", "i", DEFAULT_BUFFER_SIZE);
        if (data == NULL) {
            if (_PyIO_trap_eintr()) {
                continue;
            }
            Py_DECREF(chunks);
            return NULL;
        }
        if (data == Py_None) {
            if (PyList_GET_SIZE(chunks) == 0) {
                Py_DECREF(chunks);
                return data;
            }
            Py_DECREF(data);
            break;
        }
        if (!PyBytes_Check(data)) {
            Py_DECREF(chunks);
            Py_DECREF(data);
            PyErr_SetString(PyExc_TypeError, "read() should return bytes");
            return NULL;
        }
        Py_ssize_t n = PyBytes_GET_SIZE(data);
        int rc = n == 0 ? 0 : PyList_Append(chunks, data);
        Py_DECREF(data);
        if (rc < 0) {
            Py_DECREF(chunks);
            return NULL;
        }
        if (n == 0) {
            break;
        }
    }
    PyObject *empty = PyBytes_FromStringAndSize(NULL, 0);
    PyObject *result = empty == NULL ? NULL : _PyBytes_Join(empty, chunks);
    Py_XDECREF(empty);
    Py_DECREF(chunks);
    return result;
}

static PyObject *
rawiobase_abstract(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    PyErr_SetNone(PyExc_NotImplementedError);
    return NULL;
}

static PyMethodDef rawiobase_methods[] = {
    {"read", FAST(rawiobase_read), "read($self, size=-1, /)\n--\n\nReads bytes."},
    {"readall", rawiobase_readall, METH_NOARGS, "readall($self, /)\n--\n\nReads to the end."},
    {"readinto", rawiobase_abstract, METH_VARARGS, NULL},
    {"write", rawiobase_abstract, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyRawIOBase_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io._RawIOBase",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "The base of raw binary files.",
    .tp_methods = rawiobase_methods,
    .tp_base = &PyIOBase_Type,
};
