/* Buffered binary files: calls of the raw file, which is any object, and what the buffer holds. The
   states and their invariants are in buffered.h. */
#include "buffered.h"

int
_PyBuffered_check_init(buffered *self)
{
    if (self->ok) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, self->detached ? "raw stream has been detached"
                    : "I/O operation on uninitialized object");
    return -1;
}

PyObject *
_PyBuffered_raw_attribute(buffered *self, PyObject *name)
{
    PyObject *raw = Py_NewRef(self->raw);
    PyObject *value = PyObject_GetAttr(raw, name);
    Py_DECREF(raw);
    return value;
}

PyObject *
_PyBuffered_call_raw(buffered *self, PyObject *name)
{
    PyObject *raw = Py_NewRef(self->raw);
    PyObject *result = PyObject_CallMethodNoArgs(raw, name);
    Py_DECREF(raw);
    return result;
}

int
_PyBuffered_raw_is_closed(buffered *self)
{
    if (self->raw_is_fileio) {
        return _PyFileIO_closed(self->raw) == Py_True;
    }
    PyObject *closed = _PyBuffered_raw_attribute(self, _Py_NAME(closed));
    if (closed == NULL) {
        return -1;
    }
    int rc = PyObject_IsTrue(closed);
    Py_DECREF(closed);
    return rc < 0 || _PyBuffered_check_init(self) < 0 ? -1 : rc;
}

int
_PyBuffered_check_open(buffered *self, const char *what)
{
    if (_PyBuffered_check_init(self) < 0) {
        return -1;
    }
    int closed = _PyBuffered_raw_is_closed(self);
    if (closed > 0 && self->state != WRITING && UNREAD(self) > 0) {
        return 0;               /* what was read ahead can still be had */
    }
    if (closed > 0) {
        PyErr_SetString(PyExc_ValueError, what);
    }
    return closed ? -1 : 0;
}

/* ---------------------------------------------------------------- raw calls */

/* A count that a raw method returned, in 0…max. */
static Py_ssize_t
raw_count(PyObject *result, const char *method, Py_ssize_t max)
{
    if (result == Py_None) {
        Py_DECREF(result);
        return WOULD_BLOCK;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(result, PyExc_ValueError);
    Py_DECREF(result);
    const int failed = n == -1 && PyErr_Occurred();
    if (failed && method[0] == 'r') {
        _PyErr_FormatFromCause(PyExc_OSError, "raw %s() failed", method);
        return -1;
    }
    if (n < 0 || n > max) {
        PyObject *(*raise)(PyObject *, const char *, ...)
            = failed ? _PyErr_FormatFromCause : PyErr_Format;
        raise(PyExc_OSError, "raw %s() returned invalid length %zd (should have been "
              "between 0 and %zd)", method, n, max);
        return -1;
    }
    return n;
}

/* Calls raw.name(memoryview of memory), again after EINTR. */
static Py_ssize_t
raw_transfer(buffered *self, PyObject *name, const char *text, void *memory, Py_ssize_t n,
             int flags)
{
    PyObject *view = PyMemoryView_FromMemory(memory, n, flags);
    if (view == NULL) {
        return -1;
    }
    PyObject *result;
    do {
        result = PyObject_CallMethodOneArg(self->raw, name, view);
    } while (result == NULL && _PyIO_trap_eintr());
    /* The memory is ours: a view that the raw file has kept must not outlive this call. */
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    if (Py_REFCNT(view) > 1) {
        PyObject *r = PyObject_CallMethod(view, "release", NULL);
        if (r == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(r);
    }
    PyErr_Restore(type, value, tb);
    Py_DECREF(view);
    return result == NULL ? -1 : raw_count(result, text, n);
}

static Py_ssize_t
raw_moved(buffered *self, Py_ssize_t n)
{
    if (n > 0 && self->raw_at >= 0) {
        self->raw_at += n;
    }
    return n;
}

Py_ssize_t
_PyBuffered_raw_read(buffered *self, char *memory, Py_ssize_t n)
{
    return raw_moved(self, raw_transfer(self, _Py_NAME(readinto), "readinto", memory, n,
                                        PyBUF_WRITE));
}

Py_ssize_t
_PyBuffered_raw_write(buffered *self, const char *memory, Py_ssize_t n)
{
    return raw_moved(self, raw_transfer(self, _Py_NAME(write), "write", (void *)memory, n,
                                        PyBUF_READ));
}

static Py_off_t
raw_position(PyObject *result)
{
    if (result == NULL) {
        return -1;
    }
    Py_off_t n = _PyIO_off(result, PyExc_ValueError);
    Py_DECREF(result);
    if (n < 0 && !PyErr_Occurred()) {
        PyErr_Format(PyExc_OSError, "Raw stream returned invalid position %lld", (long long)n);
    }
    return n;
}

Py_off_t
_PyBuffered_raw_tell(buffered *self)
{
    return raw_position(_PyBuffered_call_raw(self, _Py_NAME(tell)));
}

Py_off_t
_PyBuffered_raw_seek(buffered *self, Py_off_t target, int whence)
{
    PyObject *offset = PyLong_FromLongLong(target), *how = PyLong_FromLong(whence);
    PyObject *result = offset == NULL || how == NULL ? NULL
        : PyObject_CallMethodObjArgs(self->raw, _Py_NAME(seek), offset, how, NULL);
    Py_XDECREF(offset);
    Py_XDECREF(how);
    Py_off_t pos = raw_position(result);
    self->raw_at = pos < 0 ? -1 : pos;
    return pos;
}

/* ---------------------------------------------------------- changing states */

int
_PyBuffered_flush_pending(buffered *self)
{
    if (self->state != WRITING) {
        return 0;
    }
    Py_ssize_t done = 0;
    int rc = 0;
    while (done < self->end) {
        Py_ssize_t n = _PyBuffered_raw_write(self, self->buffer + done, self->end - done);
        if (n < 0) {
            if (n == WOULD_BLOCK) {
                _PyIO_RaiseWouldBlock(0);
            }
            rc = -1;
            break;
        }
        done += n;
        /* Partial writes can be due to a signal: let its handler run. */
        if (done < self->end && PyErr_CheckSignals() < 0) {
            rc = -1;
            break;
        }
    }
    memmove(self->buffer, self->buffer + done, (size_t)(self->end - done));
    self->end -= done;
    if (self->end == 0) {
        self->state = EMPTY;
    }
    return rc;
}

void
_PyBuffered_forget_read(buffered *self)
{
    if (self->state == READING) {
        self->state = EMPTY;
        self->pos = self->end = 0;
    }
}

int
_PyBuffered_unread(buffered *self)
{
    Py_ssize_t ahead = UNREAD(self);
    if (ahead > 0 && _PyBuffered_raw_seek(self, -ahead, 1) < 0) {
        return -1;
    }
    _PyBuffered_forget_read(self);
    return 0;
}

Py_ssize_t
_PyBuffered_fill(buffered *self)
{
    self->state = EMPTY;
    self->pos = self->end = 0;
    Py_ssize_t n = _PyBuffered_raw_read(self, self->buffer, self->size);
    if (n > 0) {
        self->state = READING;
        self->end = n;
    }
    return n;
}
