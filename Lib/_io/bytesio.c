/* BytesIO: a binary file in memory.

   The content is the first `size` bytes of the bytes object `buf`, which may have room
   for more. As long as there are other references to buf (it was the initial value, or
   getvalue() returned it), it is not changed: the first write makes a copy. While
   memoryviews from getbuffer() exist (`exports`), buf stays where it is and belongs to us
   alone. */
#include "memory_file.h"

typedef struct {
    memory_file file;
    PyObject *buf;              /* NULL: closed */
    Py_ssize_t exports;
} bytesio;

/* What a memoryview made by getbuffer() has as its object. */
typedef struct {
    PyObject_HEAD
    bytesio *source;
} bytesio_export;

#define SHARED(self) (Py_REFCNT((self)->buf) > 1)
#define ROOM(self) PyBytes_GET_SIZE((self)->buf)

static int
check_open(bytesio *self)
{
    if (self->buf != NULL) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "I/O operation on closed file.");
    return -1;
}

static int
check_exports(bytesio *self)
{
    if (self->exports == 0) {
        return 0;
    }
    PyErr_SetString(PyExc_BufferError, "Existing exports of data: object cannot be re-sized");
    return -1;
}

/* --------------------------------------------------------------- the memory */

/* Makes buf an object of our own, with exactly `room` bytes, and copies as much of the
   content as fits. */
static int
reallocate(bytesio *self, Py_ssize_t room)
{
    if (!SHARED(self) && room > 0) {
        PyObject *buf = self->buf;
        self->buf = NULL;
        if (_PyBytes_Resize(&buf, room) < 0) {
            self->buf = PyBytes_FromStringAndSize(NULL, 0);
            self->file.size = 0;
            return -1;
        }
        self->buf = buf;
        return 0;
    }
    PyObject *buf = PyBytes_FromStringAndSize(NULL, room);
    if (buf == NULL) {
        return -1;
    }
    memcpy(PyBytes_AS_STRING(buf), PyBytes_AS_STRING(self->buf),
           (size_t)(self->file.size < room ? self->file.size : room));
    Py_SETREF(self->buf, buf);
    return 0;
}

/* buf is about to be changed in place, so its cached hash is no longer valid. */
static void
forget_hash(bytesio *self)
{
_Py_COMP_DIAG_PUSH
_Py_COMP_DIAG_IGNORE_DEPR_DECLS
    ((PyBytesObject *)self->buf)->ob_shash = -1;
_Py_COMP_DIAG_POP
}

/* Room for `need` bytes in a buf that may be written to. */
static int
make_writable(bytesio *self, size_t need)
{
    if (need > PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError, "new buffer size too large");
        return -1;
    }
    Py_ssize_t room = ROOM(self);
    if ((Py_ssize_t)need > room) {
        /* More appending is likely. */
        size_t more = need + (need >> 2) + 16;
        if (reallocate(self, more > PY_SSIZE_T_MAX ? (Py_ssize_t)need : (Py_ssize_t)more) < 0) {
            return -1;
        }
    }
    else if (SHARED(self) && reallocate(self, room > 0 ? room : 1) < 0) {
        return -1;
    }
    forget_hash(self);
    return 0;
}

/* Content as bytes; new reference. */
static PyObject *
content(bytesio *self)
{
    if (self->exports > 0) {
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(self->buf), self->file.size);
    }
    if (self->file.size != ROOM(self) && reallocate(self, self->file.size) < 0) {
        return NULL;
    }
    return Py_NewRef(self->buf);
}

static int
check_writable(bytesio *self)
{
    return check_open(self) < 0 || check_exports(self) < 0 ? -1 : 0;
}

/* Returns n, or -1 with an exception. */
static Py_ssize_t
write_memory(bytesio *self, const char *from, Py_ssize_t n)
{
    if (n == 0) {
        return 0;
    }
    size_t end = (size_t)self->file.pos + (size_t)n;
    if (make_writable(self, end) < 0) {
        return -1;
    }
    char *base = PyBytes_AS_STRING(self->buf);
    if (self->file.pos > self->file.size) {
        memset(base + self->file.size, 0, (size_t)(self->file.pos - self->file.size));
    }
    memcpy(base + self->file.pos, from, (size_t)n);
    self->file.pos = (Py_ssize_t)end;
    if (self->file.size < self->file.pos) {
        self->file.size = self->file.pos;
    }
    return n;
}

static Py_ssize_t
write_bytes(bytesio *self, PyObject *data)
{
    Py_buffer view;
    if (check_writable(self) < 0) {
        return -1;
    }
    if (PyBytes_CheckExact(data)) {
        return write_memory(self, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data));
    }
    if (PyObject_GetBuffer(data, &view, PyBUF_CONTIG_RO) < 0) {
        return -1;
    }
    /* Getting the buffer may have run code that closed the file or exported its buffer. */
    Py_ssize_t n = check_writable(self) < 0 ? -1 : write_memory(self, view.buf, view.len);
    PyBuffer_Release(&view);
    return n;
}

/* ------------------------------------------------------------------ reading */

/* The next n bytes, which must be there. */
static PyObject *
take(bytesio *self, Py_ssize_t n)
{
    if (n > 1 && self->file.pos == 0 && n == ROOM(self) && self->exports == 0) {
        self->file.pos = n;
        return Py_NewRef(self->buf);
    }
    const char *from = PyBytes_AS_STRING(self->buf) + self->file.pos;
    if (n == 0) {
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    self->file.pos += n;
    return PyBytes_FromStringAndSize(from, n);
}

/* How long the next piece is, of at most `limit` bytes unless that is negative. */
static Py_ssize_t
piece_length(bytesio *self, Py_ssize_t limit)
{
    return memory_at_most(&self->file, limit);
}

/* Length of the next line, of at most `limit` bytes unless that is negative. */
static Py_ssize_t
line_length(bytesio *self, Py_ssize_t limit)
{
    Py_ssize_t n = memory_at_most(&self->file, limit);
    if (n == 0) {
        return 0;
    }
    const char *start = PyBytes_AS_STRING(self->buf) + self->file.pos;
    const char *newline = memchr(start, '\n', (size_t)n);
    return newline == NULL ? n : newline - start + 1;
}

static inline PyObject *
read_some(PyObject *op, const char *name, PyObject *const *args, Py_ssize_t nargs,
          Py_ssize_t (*length)(bytesio *, Py_ssize_t))
{
    bytesio *self = (bytesio *)op;
    Py_ssize_t limit;
    if (!_PyIO_size_arg(name, args, nargs, &limit) || check_open(self) < 0) {
        return NULL;
    }
    return take(self, length(self, limit));
}

static PyObject *
bytesio_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    return read_some(op, "read", args, nargs, piece_length);
}

static PyObject *
bytesio_read1(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    return read_some(op, "read1", args, nargs, piece_length);
}

static PyObject *
bytesio_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    return read_some(op, "readline", args, nargs, line_length);
}

static PyObject *
bytesio_readlines(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    bytesio *self = (bytesio *)op;
    Py_ssize_t hint = 0, total = 0, n;
    if (!_PyArg_CheckPositional("readlines", nargs, 0, 1) || check_open(self) < 0) {
        return NULL;
    }
    if (nargs == 1 && args[0] != Py_None) {
        if (!PyLong_Check(args[0])) {
            return PyErr_Format(PyExc_TypeError, "integer argument expected, got '%s'",
                                Py_TYPE(args[0])->tp_name);
        }
        hint = PyLong_AsSsize_t(args[0]);
        if (hint == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    PyObject *lines = PyList_New(0);
    while (lines != NULL && (n = line_length(self, -1)) > 0) {
        PyObject *line = take(self, n);
        if (line == NULL || PyList_Append(lines, line) < 0) {
            Py_CLEAR(lines);
        }
        Py_XDECREF(line);
        total += n;
        if (hint > 0 && total >= hint) {
            break;
        }
    }
    return lines;
}

static PyObject *
bytesio_iternext(PyObject *op)
{
    bytesio *self = (bytesio *)op;
    if (check_open(self) < 0) {
        return NULL;
    }
    Py_ssize_t n = line_length(self, -1);
    return n > 0 ? take(self, n) : NULL;
}

static PyObject *
bytesio_readinto(PyObject *op, PyObject *arg)
{
    bytesio *self = (bytesio *)op;
    Py_buffer view;
    if (PyObject_GetBuffer(arg, &view, PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        _PyArg_BadArgument("readinto", "argument", "read-write bytes-like object", arg);
        return NULL;
    }
    PyObject *result = NULL;
    if (check_open(self) == 0) {
        Py_ssize_t n = memory_at_most(&self->file, view.len);
        if (n > 0) {
            /* The view may be a view of this object. */
            memmove(view.buf, PyBytes_AS_STRING(self->buf) + self->file.pos, (size_t)n);
            self->file.pos += n;
        }
        result = PyLong_FromSsize_t(n);
    }
    PyBuffer_Release(&view);
    return result;
}

/* ------------------------------------------------------------------ writing */

static PyObject *
bytesio_write(PyObject *op, PyObject *data)
{
    Py_ssize_t n = write_bytes((bytesio *)op, data);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

static PyObject *
bytesio_writelines(PyObject *op, PyObject *lines)
{
    if (check_open((bytesio *)op) < 0) {
        return NULL;
    }
    PyObject *it = PyObject_GetIter(lines), *line;
    if (it == NULL) {
        return NULL;
    }
    while ((line = PyIter_Next(it)) != NULL) {
        Py_ssize_t n = write_bytes((bytesio *)op, line);
        Py_DECREF(line);
        if (n < 0) {
            break;
        }
    }
    Py_DECREF(it);
    if (PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
bytesio_truncate(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    bytesio *self = (bytesio *)op;
    Py_ssize_t n;
    if (memory_truncate_arg(&self->file, args, nargs, &n) < 0
        || check_open(self) < 0 || check_exports(self) < 0) {
        return NULL;
    }
    if (n < 0) {
        return PyErr_Format(PyExc_ValueError, "negative size value %zd", n);
    }
    if (n < self->file.size) {
        self->file.size = n;
        if (n < ROOM(self) / 2 && reallocate(self, n) < 0) {
            return NULL;
        }
    }
    return PyLong_FromSsize_t(n);
}

/* ----------------------------------------------------------------- position */

static PyObject *
bytesio_tell(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    bytesio *self = (bytesio *)op;
    return check_open(self) < 0 ? NULL : PyLong_FromSsize_t(self->file.pos);
}

static PyObject *
bytesio_seek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    bytesio *self = (bytesio *)op;
    Py_ssize_t pos;
    int whence;
    if (memory_seek_args(args, nargs, &pos, &whence) < 0 || check_open(self) < 0) {
        return NULL;
    }
    if (pos < 0 && whence == 0) {
        return PyErr_Format(PyExc_ValueError, "negative seek value %zd", pos);
    }
    if (whence < 0 || whence > 2) {
        return PyErr_Format(PyExc_ValueError, "invalid whence (%i, should be 0, 1 or 2)", whence);
    }
    Py_ssize_t base = whence == 0 ? 0 : whence == 1 ? self->file.pos : self->file.size;
    if (pos > PY_SSIZE_T_MAX - base) {
        PyErr_SetString(PyExc_OverflowError, "new position too large");
        return NULL;
    }
    pos += base;
    self->file.pos = pos < 0 ? 0 : pos;
    return PyLong_FromSsize_t(self->file.pos);
}

/* ----------------------------------------------------- the whole, and views */

static PyObject *
bytesio_getvalue(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    bytesio *self = (bytesio *)op;
    return check_open(self) < 0 ? NULL : content(self);
}

static PyObject *
bytesio_getbuffer(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    bytesio *self = (bytesio *)op;
    if (check_open(self) < 0) {
        return NULL;
    }
    PyTypeObject *type = &_PyBytesIOBuffer_Type;
    bytesio_export *exported = (bytesio_export *)type->tp_alloc(type, 0);
    if (exported == NULL) {
        return NULL;
    }
    exported->source = (bytesio *)Py_NewRef(op);
    PyObject *view = PyMemoryView_FromObject((PyObject *)exported);
    Py_DECREF(exported);
    return view;
}

static int
export_getbuffer(PyObject *op, Py_buffer *view, int flags)
{
    bytesio *source = ((bytesio_export *)op)->source;
    if (check_open(source) < 0
        || (source->exports == 0 && make_writable(source, (size_t)source->file.size) < 0)) {
        view->obj = NULL;
        return -1;
    }
    int rc = PyBuffer_FillInfo(view, op, PyBytes_AS_STRING(source->buf), source->file.size, 0,
                               flags);
    if (rc == 0) {
        source->exports++;
    }
    return rc;
}

static void
export_releasebuffer(PyObject *op, Py_buffer *Py_UNUSED(view))
{
    ((bytesio_export *)op)->source->exports--;
}

static int
export_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((bytesio_export *)op)->source);
    return 0;
}

static void
export_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_CLEAR(((bytesio_export *)op)->source);
    Py_TYPE(op)->tp_free(op);
}

static PyBufferProcs export_as_buffer = {export_getbuffer, export_releasebuffer};

PyTypeObject _PyBytesIOBuffer_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io._BytesIOBuffer",
    .tp_basicsize = sizeof(bytesio_export),
    .tp_dealloc = export_dealloc,
    .tp_as_buffer = &export_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = export_traverse,
};

/* ----------------------------------------------------------------- pickling */

static PyObject *
bytesio_getstate(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    bytesio *self = (bytesio *)op;
    PyObject *value = bytesio_getvalue(op, NULL);
    if (value == NULL) {
        return NULL;
    }
    PyObject *dict = memory_copy_dict(&self->file);
    if (dict == NULL) {
        Py_DECREF(value);
        return NULL;
    }
    return Py_BuildValue("NnN", value, self->file.pos, dict);
}

static PyObject *
bytesio_setstate(PyObject *op, PyObject *state)
{
    bytesio *self = (bytesio *)op;
    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) < 3) {
        return PyErr_Format(PyExc_TypeError,
                            "%.200s.__setstate__ argument should be 3-tuple, got %.200s",
                            Py_TYPE(self)->tp_name, Py_TYPE(state)->tp_name);
    }
    if (check_exports(self) < 0 || check_open(self) < 0) {
        return NULL;
    }
    PyObject *position = PyTuple_GET_ITEM(state, 1), *dict = PyTuple_GET_ITEM(state, 2);
    self->file.pos = self->file.size = 0;
    if (write_bytes(self, PyTuple_GET_ITEM(state, 0)) < 0) {
        return NULL;
    }
    if (_PyIO_RestorePosition(position, &self->file.pos,
                              "second item of state must be an integer, not %.200s") < 0
        || _PyIO_RestoreDict(dict, &self->file.dict, "third") < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------- life, death */

static PyObject *
bytesio_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    bytesio *self = (bytesio *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->buf = PyBytes_FromStringAndSize(NULL, 0);
        if (self->buf == NULL) {
            Py_CLEAR(self);
        }
    }
    return (PyObject *)self;
}

static int
bytesio_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {"initial_bytes", NULL};
    static _PyArg_Parser parser = {.keywords = names, .format = "|O:BytesIO"};
    bytesio *self = (bytesio *)op;
    PyObject *initial = NULL;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &parser, &initial)
        || check_exports(self) < 0) {
        return -1;
    }
    if (initial != NULL && PyBytes_CheckExact(initial)) {
        Py_INCREF(initial);
        Py_XSETREF(self->buf, initial);
        self->file.size = PyBytes_GET_SIZE(initial);
        self->file.pos = 0;
        return 0;
    }
    if (self->buf == NULL) {    /* it was closed */
        self->buf = PyBytes_FromStringAndSize(NULL, 0);
        if (self->buf == NULL) {
            return -1;
        }
    }
    self->file.pos = self->file.size = 0;
    if (initial != NULL && initial != Py_None && write_bytes(self, initial) < 0) {
        return -1;
    }
    self->file.pos = 0;
    return 0;
}

static PyObject *
bytesio_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    bytesio *self = (bytesio *)op;
    if (check_exports(self) < 0) {
        return NULL;
    }
    Py_CLEAR(self->buf);
    Py_RETURN_NONE;
}

static int
bytesio_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((memory_file *)op)->dict);
    return 0;
}

static int
bytesio_clear(PyObject *op)
{
    Py_CLEAR(((memory_file *)op)->dict);
    return 0;
}

static void
bytesio_dealloc(PyObject *op)
{
    bytesio *self = (bytesio *)op;
    _PyIO_BeginDealloc(op, self->file.weakreflist);
    if (self->exports > 0) {
        PyErr_SetString(PyExc_SystemError, "deallocated BytesIO object has exported buffers");
        PyErr_Print();
    }
    Py_CLEAR(self->buf);
    Py_CLEAR(self->file.dict);
    Py_TYPE(op)->tp_free(op);
}

/* --------------------------------------------------------------- properties */

static PyObject *
open_and(PyObject *op, PyObject *result)
{
    return check_open((bytesio *)op) < 0 ? NULL : Py_NewRef(result);
}

static PyObject *
bytesio_true(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return open_and(op, Py_True);
}

static PyObject *
bytesio_false(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return open_and(op, Py_False);
}

static PyObject *
bytesio_flush(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return open_and(op, Py_None);
}

static PyObject *
bytesio_get_closed(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((bytesio *)op)->buf == NULL);
}

static PyObject *
bytesio_sizeof(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    bytesio *self = (bytesio *)op;
    Py_ssize_t n = Py_TYPE(op)->tp_basicsize;
    if (self->buf != NULL && !SHARED(self)) {
        n += (Py_ssize_t)_PySys_GetSizeOf(self->buf);
    }
    return PyLong_FromSsize_t(n);
}

static PyMethodDef bytesio_methods[] = {
    {"readable", bytesio_true, METH_NOARGS, "readable($self, /)\n--\n\nTrue."},
    {"seekable", bytesio_true, METH_NOARGS, "seekable($self, /)\n--\n\nTrue."},
    {"writable", bytesio_true, METH_NOARGS, "writable($self, /)\n--\n\nTrue."},
    {"isatty", bytesio_false, METH_NOARGS, "isatty($self, /)\n--\n\nFalse."},
    {"flush", bytesio_flush, METH_NOARGS, "flush($self, /)\n--\n\nNothing to do."},
    {"close", bytesio_close, METH_NOARGS, "close($self, /)\n--\n\nGives up the content."},
    {"tell", bytesio_tell, METH_NOARGS, "tell($self, /)\n--\n\nThe position."},
    {"read", FAST(bytesio_read),
     "read($self, size=-1, /)\n--\n\nReads so many bytes, or all."},
    {"read1", FAST(bytesio_read1),
     "read1($self, size=-1, /)\n--\n\nReads so many bytes, or all."},
    {"readline", FAST(bytesio_readline),
     "readline($self, size=-1, /)\n--\n\nReads a line."},
    {"readlines", FAST(bytesio_readlines),
     "readlines($self, size=None, /)\n--\n\nReads lines until they have so many bytes."},
    {"readinto", bytesio_readinto, METH_O,
     "readinto($self, buffer, /)\n--\n\nReads into a buffer; returns how many bytes."},
    {"write", bytesio_write, METH_O, "write($self, b, /)\n--\n\nWrites bytes; returns how many."},
    {"writelines", bytesio_writelines, METH_O,
     "writelines($self, lines, /)\n--\n\nWrites each of the bytes-like objects."},
    {"truncate", FAST(bytesio_truncate),
     "truncate($self, size=None, /)\n--\n\nCuts the content, at the position by default."},
    {"seek", FAST(bytesio_seek),
     "seek($self, pos, whence=0, /)\n--\n\nMoves the position."},
    {"getvalue", bytesio_getvalue, METH_NOARGS, "getvalue($self, /)\n--\n\nThe content."},
    {"getbuffer", bytesio_getbuffer, METH_NOARGS,
     "getbuffer($self, /)\n--\n\nA memoryview of the content, to read and to write."},
    {"__getstate__", bytesio_getstate, METH_NOARGS, NULL},
    {"__setstate__", bytesio_setstate, METH_O, NULL},
    {"__sizeof__", bytesio_sizeof, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef bytesio_getset[] = {
    {"closed", bytesio_get_closed, NULL, "True if the file is closed.", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyBytesIO_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io.BytesIO",
    .tp_basicsize = sizeof(bytesio),
    .tp_dealloc = bytesio_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "BytesIO(initial_bytes=b'')\n--\n\nA binary file in memory.",
    .tp_traverse = bytesio_traverse,
    .tp_clear = bytesio_clear,
    .tp_weaklistoffset = offsetof(memory_file, weakreflist),
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = bytesio_iternext,
    .tp_methods = bytesio_methods,
    .tp_getset = bytesio_getset,
    .tp_base = &PyBufferedIOBase_Type,
    .tp_dictoffset = offsetof(memory_file, dict),
    .tp_init = bytesio_init,
    .tp_new = bytesio_new,
};
