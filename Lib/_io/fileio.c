/* FileIO: a raw file over a descriptor. Each method is one system call,
   repeated after EINTR unless a signal handler raised. */
#include "io_module.h"
#include "internal/fileutils.h"

#include <fcntl.h>
#include <unistd.h>

typedef struct {
    PyObject_HEAD
    int fd;                     /* -1 when closed */
    unsigned created : 1;
    unsigned readable : 1;
    unsigned writable : 1;
    unsigned appending : 1;
    signed seekable : 2;        /* -1: not asked yet */
    unsigned closefd : 1;
    char finalizing;
    unsigned blksize;
    PyObject *upper;            /* the buffer over it, borrowed */
    PyObject *weakreflist;
    PyObject *dict;
} fileio;

PyObject **
_PyFileIO_Upper(PyObject *self)
{
    return &((fileio *)self)->upper;
}

PyObject *
_PyFileIO_closed(PyObject *self)
{
    return ((fileio *)self)->fd < 0 ? Py_True : Py_False;
}

static PyObject *
err_closed(void)
{
    PyErr_SetString(PyExc_ValueError, "I/O operation on closed file");
    return NULL;
}

static PyObject *
err_mode(const char *action)
{
    PyObject *exc = _PyIO_Unsupported();
    return exc == NULL ? NULL : PyErr_Format(exc, "File not open for %s", action);
}

/* Closes the descriptor in any case; -1 with an exception. */
static int
close_descriptor(fileio *self)
{
    int rc = 0, err = 0;
    if (self->fd >= 0) {
        int fd = self->fd;
        self->fd = -1;
        Py_BEGIN_ALLOW_THREADS
        rc = close(fd);
        err = errno;
        Py_END_ALLOW_THREADS
    }
    if (rc < 0 && err != EINTR) {
        errno = err;
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return 0;
}

static PyObject *
fileio_dealloc_warn(PyObject *op, PyObject *source)
{
    fileio *self = (fileio *)op;
    if (self->fd >= 0 && self->closefd) {
        PyObject *type, *value, *tb;
        PyErr_Fetch(&type, &value, &tb);
        if (PyErr_ResourceWarning(source, 1, "unclosed file %R", source) < 0
            && PyErr_ExceptionMatches(PyExc_Warning)) {
            PyErr_WriteUnraisable(op);
        }
        PyErr_Restore(type, value, tb);
    }
    Py_RETURN_NONE;
}

static PyObject *
fileio_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    PyObject *r = PyObject_CallMethodOneArg((PyObject *)&PyRawIOBase_Type, _Py_NAME(close), op);
    if (!self->closefd) {
        self->fd = -1;
        return r;
    }
    PyObject *type = NULL, *value = NULL, *tb = NULL;
    if (r == NULL) {
        PyErr_Fetch(&type, &value, &tb);
    }
    if (self->finalizing) {
        PyObject *w = fileio_dealloc_warn(op, op);
        Py_XDECREF(w);
    }
    int rc = close_descriptor(self);
    if (type != NULL) {
        _PyErr_ChainExceptions(type, value, tb);
    }
    if (rc < 0) {
        Py_CLEAR(r);
    }
    return r;
}

static PyObject *
fileio_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    fileio *self = (fileio *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->fd = -1;
        self->seekable = -1;
        self->closefd = 1;
    }
    return (PyObject *)self;
}

/* ------------------------------------------------------------------ opening */

/* Converts the letters of a mode to the flags of open(2). */
static int
parse_mode(fileio *self, const char *mode, int *flags)
{
    int kinds = 0, plus = 0, rwa = 0;
    for (const char *s = mode; *s; s++) {
        switch (*s) {
        case 'x':
            self->created = self->writable = 1;
            *flags |= O_EXCL | O_CREAT;
            kinds++;
            break;
        case 'r':
            self->readable = 1;
            kinds++;
            break;
        case 'w':
            self->writable = 1;
            *flags |= O_CREAT | O_TRUNC;
            kinds++;
            break;
        case 'a':
            self->writable = self->appending = 1;
            *flags |= O_APPEND | O_CREAT;
            kinds++;
            break;
        case 'b':
            break;
        case '+':
            if (plus++) {
                goto bad;
            }
            break;
        default:
            PyErr_Format(PyExc_ValueError, "invalid mode: %.200s", mode);
            return -1;
        }
        if (kinds > 1) {
            goto bad;
        }
        rwa |= kinds;
    }
    if (!rwa) {
        goto bad;
    }
    if (plus) {
        self->readable = self->writable = 1;
    }
    *flags |= self->readable && self->writable ? O_RDWR : self->readable ? O_RDONLY : O_WRONLY;
    *flags |= O_CLOEXEC;
    return 0;
bad:
    PyErr_SetString(PyExc_ValueError, "Must have exactly one of create/read/write/append "
                    "mode and at most one plus");
    return -1;
}

static int
open_path(fileio *self, PyObject *name, const char *path, int flags)
{
    int interrupted = 0;
    do {
        Py_BEGIN_ALLOW_THREADS
        self->fd = open(path, flags, 0666);
        Py_END_ALLOW_THREADS
    } while (self->fd < 0 && errno == EINTR && !(interrupted = PyErr_CheckSignals()));
    if (self->fd < 0) {
        if (!interrupted) {
            PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, name);
        }
        return -1;
    }
    return 0;
}

static int
open_with(fileio *self, PyObject *opener, PyObject *name, int flags)
{
    PyObject *r = PyObject_CallFunction(opener, "Oi", name, flags);
    if (r == NULL) {
        return -1;
    }
    if (!PyLong_Check(r)) {
        PyErr_SetString(PyExc_TypeError, "expected integer from opener");
        Py_DECREF(r);
        return -1;
    }
    self->fd = _PyLong_AsInt(r);
    Py_DECREF(r);
    if (self->fd < 0) {
        if (!PyErr_Occurred()) {
            /* not a descriptor: no error number either */
            PyErr_Format(PyExc_ValueError, "opener returned %d", self->fd);
        }
        return -1;
    }
    return _Py_set_inheritable(self->fd, 0, NULL);
}

static int
fileio_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static const char *const names[] = {"file", "mode", "closefd", "opener", NULL};
    static _PyArg_Parser parser = {.keywords = names, .format = "O|siO:FileIO"};
    fileio *self = (fileio *)op;
    PyObject *name, *opener = Py_None, *encoded = NULL;
    const char *mode = "r";
    int closefd = 1, fd = -1, own = 0, rc = -1, flags = 0;
    if (!_PyArg_ParseTupleAndKeywordsFast(args, kwds, &parser, &name, &mode, &closefd,
                                          &opener)) {
        return -1;
    }
    if (self->fd >= 0) {
        if (self->closefd) {
            if (close_descriptor(self) < 0) {
                return -1;
            }
        }
        else {
            self->fd = -1;
        }
    }
    if (PyIndex_Check(name)) {
        fd = _PyLong_AsInt(name);
        if (fd < 0) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "negative file descriptor");
                return -1;
            }
            PyErr_Clear();
            fd = -1;
        }
    }
    if (fd < 0 && !PyUnicode_FSConverter(name, &encoded)) {
        return -1;
    }
    self->created = self->readable = self->writable = self->appending = 0;
    self->seekable = -1;
    if (parse_mode(self, mode, &flags) < 0) {
        goto done;
    }
    if (fd >= 0) {
        self->fd = fd;
        self->closefd = (unsigned)closefd & 1;
    }
    else {
        self->closefd = 1;
    }
    if (PySys_Audit("open", "Osi", name, mode, flags) < 0) {
        if (fd >= 0) {
            self->fd = -1;
        }
        goto done;
    }
    if (fd < 0) {
        if (!closefd) {
            PyErr_SetString(PyExc_ValueError, "Cannot use closefd=False with file name");
            goto done;
        }
        own = 1;
        if ((opener == Py_None ? open_path(self, name, PyBytes_AS_STRING(encoded), flags)
                               : open_with(self, opener, name, flags)) < 0) {
            goto done;
        }
    }
    struct stat st;
    self->blksize = DEFAULT_BUFFER_SIZE;
    int failed;
    Py_BEGIN_ALLOW_THREADS
    failed = fstat(self->fd, &st);
    Py_END_ALLOW_THREADS
    if (failed < 0) {
        /* Only a bad descriptor is fatal: some file systems do not support fstat. */
        if (errno == EBADF) {
            PyErr_SetFromErrno(PyExc_OSError);
            goto done;
        }
    }
    else {
        if (S_ISDIR(st.st_mode)) {
            errno = EISDIR;
            PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, name);
            goto done;
        }
        if (st.st_blksize > 1) {
            self->blksize = (unsigned)st.st_blksize;
        }
    }
    if (PyObject_SetAttr(op, _Py_NAME(name), name) < 0) {
        goto done;
    }
    if (self->appending && lseek(self->fd, 0, SEEK_END) < 0 && errno != ESPIPE) {
        PyErr_SetFromErrno(PyExc_OSError);
        goto done;
    }
    rc = 0;
done:
    if (rc < 0) {
        if (!own) {
            self->fd = -1;
        }
        if (self->fd >= 0) {
            PyObject *type, *value, *tb;
            PyErr_Fetch(&type, &value, &tb);
            close_descriptor(self);
            _PyErr_ChainExceptions(type, value, tb);
        }
    }
    Py_XDECREF(encoded);
    return rc;
}

static int
fileio_traverse(fileio *self, visitproc visit, void *arg)
{
    Py_VISIT(self->dict);
    return 0;
}

static int
fileio_clear(fileio *self)
{
    Py_CLEAR(self->dict);
    return 0;
}

static void
fileio_dealloc(fileio *self)
{
    self->finalizing = 1;
    if (_PyIOBase_finalize((PyObject *)self) < 0) {
        return;
    }
    _PyIO_BeginDealloc((PyObject *)self, self->weakreflist);
    Py_CLEAR(self->dict);
    Py_TYPE(self)->tp_free(self);
}

/* --------------------------------------------------------- reading, writing */

/* So many bytes; None: the file does not wait, and is not ready. */
static PyObject *
bytes_done(Py_ssize_t n, int err)
{
    if (n < 0 && err == EAGAIN) {
        PyErr_Clear();
        Py_RETURN_NONE;
    }
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

static PyObject *
fileio_readinto(PyObject *op, PyObject *arg)
{
    fileio *self = (fileio *)op;
    if (self->fd < 0) {
        return err_closed();
    }
    if (!self->readable) {
        return err_mode("reading");
    }
    Py_buffer view;
    if (PyObject_GetBuffer(arg, &view, PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        _PyArg_BadArgument("readinto", "argument", "read-write bytes-like object", arg);
        return NULL;
    }
    if (!PyBuffer_IsContiguous(&view, 'C')) {
        PyBuffer_Release(&view);
        _PyArg_BadArgument("readinto", "argument", "contiguous buffer", arg);
        return NULL;
    }
    Py_ssize_t n = _Py_read(self->fd, view.buf, (size_t)view.len);
    int err = errno;
    PyBuffer_Release(&view);
    return bytes_done(n, err);
}

/* The buffer of readall() grows with the data: fast for pipes, and the right size at once
   for files whose size is known. */
static size_t
next_size(size_t now)
{
    size_t add = now > 65536 ? now >> 3 : 256 + now;
    if (add < DEFAULT_BUFFER_SIZE) {
        add = DEFAULT_BUFFER_SIZE;
    }
    return now + add;
}

static PyObject *
fileio_readall(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    if (self->fd < 0) {
        return err_closed();
    }
    struct stat st;
    off_t position, end = -1;
    Py_BEGIN_ALLOW_THREADS
    position = lseek(self->fd, 0, SEEK_CUR);
    if (fstat(self->fd, &st) == 0) {
        end = st.st_size;
    }
    Py_END_ALLOW_THREADS
    size_t size = DEFAULT_BUFFER_SIZE;
    if (end > 0 && position >= 0 && end >= position && end - position < PY_SSIZE_T_MAX) {
        size = (size_t)(end - position) + 1;    /* one more to see the end */
    }
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (result == NULL) {
        return NULL;
    }
    size_t used = 0;
    for (;;) {
        if (used >= size) {
            size = next_size(used);
            if (size > PY_SSIZE_T_MAX) {
                PyErr_SetString(PyExc_OverflowError,
                                "unbounded read returned more bytes than a Python bytes object can hold");
                Py_DECREF(result);
                return NULL;
            }
            if (_PyBytes_Resize(&result, (Py_ssize_t)size) < 0) {
                return NULL;
            }
        }
        Py_ssize_t n = _Py_read(self->fd, PyBytes_AS_STRING(result) + used, size - used);
        if (n == 0) {
            break;
        }
        if (n < 0) {
            if (errno == EAGAIN) {
                PyErr_Clear();
                if (used > 0) {
                    break;
                }
                Py_DECREF(result);
                Py_RETURN_NONE;
            }
            Py_DECREF(result);
            return NULL;
        }
        used += (size_t)n;
    }
    if (used < size && _PyBytes_Resize(&result, (Py_ssize_t)used) < 0) {
        return NULL;
    }
    return result;
}

static PyObject *
fileio_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    fileio *self = (fileio *)op;
    Py_ssize_t size;
    if (!_PyIO_size_arg("read", args, nargs, &size)) {
        return NULL;
    }
    if (self->fd < 0) {
        return err_closed();
    }
    if (!self->readable) {
        return err_mode("reading");
    }
    if (size < 0) {
        return fileio_readall(op, NULL);
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (bytes == NULL) {
        return NULL;
    }
    Py_ssize_t n = _Py_read(self->fd, PyBytes_AS_STRING(bytes), (size_t)size);
    if (n < 0) {
        int err = errno;
        Py_DECREF(bytes);
        if (err == EAGAIN) {
            PyErr_Clear();
            Py_RETURN_NONE;
        }
        return NULL;
    }
    if (n != size) {
        _PyBytes_Resize(&bytes, n);
    }
    return bytes;
}

static PyObject *
fileio_write(PyObject *op, PyObject *arg)
{
    fileio *self = (fileio *)op;
    Py_buffer view;
    if (PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    if (self->fd < 0 || !self->writable) {
        PyBuffer_Release(&view);
        return self->fd < 0 ? err_closed() : err_mode("writing");
    }
    Py_ssize_t n = _Py_write(self->fd, view.buf, (size_t)view.len);
    int err = errno;
    PyBuffer_Release(&view);
    return bytes_done(n, err);
}

/* ----------------------------------------------------------------- position */

static PyObject *
portable_lseek(fileio *self, PyObject *pos_obj, int whence, int suppress_pipe_error)
{
    off_t pos = 0, result;
    if (pos_obj != NULL) {
        if (PyFloat_Check(pos_obj)) {
            PyErr_SetString(PyExc_TypeError, "an integer is required");
            return NULL;
        }
        pos = PyLong_AsLongLong(pos_obj);
        if (pos == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    Py_BEGIN_ALLOW_THREADS
    result = lseek(self->fd, pos, whence);
    Py_END_ALLOW_THREADS
    if (self->seekable < 0) {
        self->seekable = result >= 0;
    }
    if (result < 0) {
        if (suppress_pipe_error && errno == ESPIPE) {
            result = 0;
        }
        else {
            return PyErr_SetFromErrno(PyExc_OSError);
        }
    }
    return PyLong_FromLongLong(result);
}

static PyObject *
fileio_seek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    fileio *self = (fileio *)op;
    int whence = SEEK_SET;
    if (!_PyArg_CheckPositional("seek", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2 && (whence = _PyLong_AsInt(args[1])) == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return self->fd < 0 ? err_closed() : portable_lseek(self, args[0], whence, 0);
}

static PyObject *
fileio_tell(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    return self->fd < 0 ? err_closed() : portable_lseek(self, NULL, SEEK_CUR, 0);
}

static PyObject *
fileio_truncate(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    fileio *self = (fileio *)op;
    if (!_PyArg_CheckPositional("truncate", nargs, 0, 1)) {
        return NULL;
    }
    if (self->fd < 0) {
        return err_closed();
    }
    if (!self->writable) {
        return err_mode("writing");
    }
    PyObject *size = nargs == 0 || args[0] == Py_None
        ? portable_lseek(self, NULL, SEEK_CUR, 0) : Py_NewRef(args[0]);
    if (size == NULL) {
        return NULL;
    }
    off_t length = PyLong_AsLongLong(size);
    if (length == -1 && PyErr_Occurred()) {
        Py_DECREF(size);
        return NULL;
    }
    int rc;
    Py_BEGIN_ALLOW_THREADS
    rc = ftruncate(self->fd, length);
    Py_END_ALLOW_THREADS
    if (rc < 0) {
        Py_DECREF(size);
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return size;
}

/* --------------------------------------------------------------- properties */

static PyObject *
fileio_fileno(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    return self->fd < 0 ? err_closed() : PyLong_FromLong(self->fd);
}

static PyObject *
fileio_readable(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    return self->fd < 0 ? err_closed() : PyBool_FromLong(self->readable);
}

static PyObject *
fileio_writable(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    return self->fd < 0 ? err_closed() : PyBool_FromLong(self->writable);
}

static PyObject *
fileio_seekable(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    if (self->fd < 0) {
        return err_closed();
    }
    if (self->seekable < 0) {
        PyObject *pos = portable_lseek(self, NULL, SEEK_CUR, 0);
        if (pos == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(pos);
    }
    return PyBool_FromLong(self->seekable > 0);
}

static PyObject *
fileio_isatty(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    fileio *self = (fileio *)op;
    int yes;
    if (self->fd < 0) {
        return err_closed();
    }
    Py_BEGIN_ALLOW_THREADS
    yes = isatty(self->fd);
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(yes);
}

static const char *
mode_string(const fileio *self)
{
    if (self->created) {
        return self->readable ? "xb+" : "xb";
    }
    if (self->appending) {
        return self->readable ? "ab+" : "ab";
    }
    if (self->readable) {
        return self->writable ? "rb+" : "rb";
    }
    return "wb";
}

static PyObject *
fileio_repr(PyObject *op)
{
    fileio *self = (fileio *)op;
    if (self->fd < 0) {
        return PyUnicode_FromFormat("<_io.FileIO [closed]>");
    }
    PyObject *name, *result;
    if (_PyObject_LookupAttr(op, _Py_NAME(name), &name) < 0) {
        return NULL;
    }
    const char *closefd = self->closefd ? "True" : "False";
    if (name == NULL) {
        return PyUnicode_FromFormat("<_io.FileIO fd=%d mode='%s' closefd=%s>", self->fd,
                                    mode_string(self), closefd);
    }
    int entered = Py_ReprEnter(op);
    if (entered == 0) {
        result = PyUnicode_FromFormat("<_io.FileIO name=%R mode='%s' closefd=%s>", name,
                                      mode_string(self), closefd);
        Py_ReprLeave(op);
    }
    else {
        result = NULL;
        if (entered > 0) {
            PyErr_Format(PyExc_RuntimeError, "reentrant call inside %s.__repr__",
                         Py_TYPE(op)->tp_name);
        }
    }
    Py_DECREF(name);
    return result;
}

static PyObject *
get_closed(PyObject *op, void *Py_UNUSED(closure))
{
    return Py_NewRef(_PyFileIO_closed(op));
}

static PyObject *
get_closefd(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((fileio *)op)->closefd);
}

static PyObject *
get_mode(PyObject *op, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(mode_string((fileio *)op));
}

static PyMethodDef fileio_methods[] = {
    {"read", FAST(fileio_read), "read($self, size=-1, /)\n--\n\nReads bytes; None if none are there yet."},
    {"readall", fileio_readall, METH_NOARGS, "readall($self, /)\n--\n\nReads to the end."},
    {"readinto", fileio_readinto, METH_O, "readinto($self, buffer, /)\n--\n\nReads into a buffer."},
    {"write", fileio_write, METH_O, "write($self, b, /)\n--\n\nWrites bytes; returns how many."},
    {"seek", FAST(fileio_seek), "seek($self, pos, whence=0, /)\n--\n\nMoves the position."},
    {"tell", fileio_tell, METH_NOARGS, "tell($self, /)\n--\n\nThe position."},
    {"truncate", FAST(fileio_truncate), "truncate($self, size=None, /)\n--\n\nCuts the file."},
    {"close", fileio_close, METH_NOARGS, "close($self, /)\n--\n\nCloses the file."},
    {"seekable", fileio_seekable, METH_NOARGS, "seekable($self, /)\n--\n\nCan it seek?"},
    {"readable", fileio_readable, METH_NOARGS, "readable($self, /)\n--\n\nWas it opened for reading?"},
    {"writable", fileio_writable, METH_NOARGS, "writable($self, /)\n--\n\nWas it opened for writing?"},
    {"fileno", fileio_fileno, METH_NOARGS, "fileno($self, /)\n--\n\nThe descriptor."},
    {"isatty", fileio_isatty, METH_NOARGS, "isatty($self, /)\n--\n\nIs it a terminal?"},
    {"_dealloc_warn", fileio_dealloc_warn, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef fileio_getset[] = {
    {"closed", get_closed, NULL, "True if the file is closed", NULL},
    {"closefd", get_closefd, NULL, "True if close() closes the descriptor", NULL},
    {"mode", get_mode, NULL, "the mode as a string", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef fileio_members[] = {
    {"_blksize", T_UINT, offsetof(fileio, blksize), 0, NULL},
    {"_finalizing", T_BOOL, offsetof(fileio, finalizing), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

PyTypeObject PyFileIO_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io.FileIO",
    .tp_basicsize = sizeof(fileio),
    .tp_dealloc = (destructor)fileio_dealloc,
    .tp_repr = fileio_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "FileIO(file, mode='r', closefd=True, opener=None)\n--\n\nA raw file.",
    .tp_traverse = (traverseproc)fileio_traverse,
    .tp_clear = (inquiry)fileio_clear,
    .tp_weaklistoffset = offsetof(fileio, weakreflist),
    .tp_methods = fileio_methods,
    .tp_members = fileio_members,
    .tp_getset = fileio_getset,
    .tp_base = &PyRawIOBase_Type,
    .tp_dictoffset = offsetof(fileio, dict),
    .tp_init = fileio_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = fileio_new,
    .tp_free = PyObject_GC_Del,
};
