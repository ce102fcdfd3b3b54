/* Buffered binary files, reading: by size, into buffers and by line. */
#include "buffered.h"

/* Before reading: nothing may be left to write. */
static int
begin_reading(buffered *self)
{
    return self->state == WRITING ? _PyBuffered_flush_pending(self) : 0;
}

/* Takes up to n bytes from what was read ahead. */
static Py_ssize_t
take(buffered *self, char *out, Py_ssize_t n)
{
    Py_ssize_t have = UNREAD(self);
    if (n > have) {
        n = have;
    }
    if (n > 0) {
        memcpy(out, self->buffer + self->pos, (size_t)n);
        self->pos += n;
    }
    return n;
}

static PyObject *
read_all(buffered *self)
{
    Py_ssize_t ahead = UNREAD(self);
    PyObject *first = NULL, *result = NULL, *readall;
    if (ahead > 0) {
        first = PyBytes_FromStringAndSize(self->buffer + self->pos, ahead);
        if (first == NULL) {
            return NULL;
        }
    }
    if (begin_reading(self) < 0) {
        Py_XDECREF(first);
        return NULL;
    }
    _PyBuffered_forget_read(self);
    if (_PyObject_LookupAttr(self->raw, _Py_NAME(readall), &readall) < 0) {
        Py_XDECREF(first);
        return NULL;
    }
    if (readall != NULL) {
        PyObject *rest = PyObject_CallNoArgs(readall);
        self->raw_at = -1;
        Py_DECREF(readall);
        if (rest == NULL) {
            Py_XDECREF(first);
            return NULL;
        }
        if (rest != Py_None && !PyBytes_Check(rest)) {
            PyErr_SetString(PyExc_TypeError, "readall() should return bytes");
            Py_DECREF(rest);
            Py_XDECREF(first);
            return NULL;
        }
        if (first == NULL) {
            return rest;
        }
        if (rest != Py_None) {
            PyBytes_Concat(&first, rest);
        }
        Py_DECREF(rest);
        return first;
    }
    PyObject *chunks = PyList_New(0);
    if (chunks == NULL || (first != NULL && PyList_Append(chunks, first) < 0)) {
        goto done;
    }
    Py_CLEAR(first);
    for (;;) {
        PyObject *data = PyObject_CallMethodNoArgs(self->raw, _Py_NAME(read));
        self->raw_at = -1;
        if (data == NULL) {
            goto done;
        }
        if (data != Py_None && !PyBytes_Check(data)) {
            Py_DECREF(data);
            PyErr_SetString(PyExc_TypeError, "read() should return bytes");
            goto done;
        }
        if (data == Py_None || PyBytes_GET_SIZE(data) == 0) {
            if (PyList_GET_SIZE(chunks) == 0) {
                result = data;
                goto done;
            }
            Py_DECREF(data);
            break;
        }
        int rc = PyList_Append(chunks, data);
        Py_DECREF(data);
        if (rc < 0) {
            goto done;
        }
    }
    PyObject *empty = PyBytes_FromStringAndSize(NULL, 0);
    result = empty == NULL ? NULL : _PyBytes_Join(empty, chunks);
    Py_XDECREF(empty);
done:
    Py_XDECREF(first);
    Py_XDECREF(chunks);
    return result;
}

/* Exactly n bytes unless the file ends or would block. */
static PyObject *
read_n(buffered *self, Py_ssize_t n)
{
    PyObject *result = PyBytes_FromStringAndSize(NULL, n);
    if (result == NULL) {
        return NULL;
    }
    char *out = PyBytes_AS_STRING(result);
    Py_ssize_t done = take(self, out, n), got = 1;
    if (done < n && begin_reading(self) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    while (done < n) {
        /* Whole buffers are read directly into the result. */
        Py_ssize_t direct = (n - done) / self->size * self->size;
        if (direct > 0) {
            _PyBuffered_forget_read(self);
            got = _PyBuffered_raw_read(self, out + done, direct);
            if (got > 0) {
                done += got;
            }
        }
        else {
            got = _PyBuffered_fill(self);
            done += take(self, out + done, n - done);
        }
        if (got == -1) {
            Py_DECREF(result);
            return NULL;
        }
        if (got == 0 || got == WOULD_BLOCK) {
            break;
        }
    }
    if (done == 0 && got == WOULD_BLOCK) {
        Py_DECREF(result);
        Py_RETURN_NONE;
    }
    if (done < n) {
        _PyBytes_Resize(&result, done);
    }
    return result;
}

PyObject *
_PyBuffered_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    Py_ssize_t n;
    if (!_PyIO_size_arg("read", args, nargs, &n) || _PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    if (n < -1) {
        PyErr_SetString(PyExc_ValueError, "read length must be non-negative or -1");
        return NULL;
    }
    if (_PyBuffered_check_open(self, "read of closed file") < 0) {
        return NULL;
    }
    if (_PyBuffered_enter(self) < 0) {
        return NULL;
    }
    PyObject *result = n < 0 ? read_all(self) : read_n(self, n);
    _PyBuffered_leave(self);
    return result;
}

PyObject *
_PyBuffered_read1(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    Py_ssize_t n = -1;
    if (!_PyArg_CheckPositional("read1", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1) {
        n = PyNumber_AsSsize_t(args[0], PyExc_OverflowError);
        if (n == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (_PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    if (n < 0) {
        n = self->size;
    }
    if (_PyBuffered_check_open(self, "read of closed file") < 0) {
        return NULL;
    }
    if (n == 0) {
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    if (_PyBuffered_enter(self) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    Py_ssize_t have = UNREAD(self);
    if (have > 0) {
        result = PyBytes_FromStringAndSize(NULL, n < have ? n : have);
        if (result != NULL) {
            take(self, PyBytes_AS_STRING(result), n);
        }
    }
    else if (!self->sought_back || begin_reading(self) == 0) {
        result = PyBytes_FromStringAndSize(NULL, n);
        if (result != NULL) {
            _PyBuffered_forget_read(self);
            Py_ssize_t got = _PyBuffered_raw_read(self, PyBytes_AS_STRING(result), n);
            if (got == -1) {
                Py_CLEAR(result);
            }
            else if (got != n) {
                _PyBytes_Resize(&result, got == WOULD_BLOCK ? 0 : got);
            }
        }
    }
    _PyBuffered_leave(self);
    return result;
}

static PyObject *
readinto_generic(PyObject *op, PyObject *arg, int once)
{
    buffered *self = (buffered *)op;
    const char *name = once ? "readinto1" : "readinto";
    Py_buffer view;
    if (_PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    if (PyObject_GetBuffer(arg, &view, PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        _PyArg_BadArgument(name, "argument", "read-write bytes-like object", arg);
        return NULL;
    }
    PyObject *result = NULL;
    if (_PyBuffered_check_open(self, "readinto of closed file") < 0
        || _PyBuffered_enter(self) < 0) {
        goto release;
    }
    char *out = view.buf;
    Py_ssize_t done = take(self, out, view.len), got = 0;
    if (begin_reading(self) < 0) {
        goto unlock;
    }
    while (done < view.len) {
        Py_ssize_t rest = view.len - done;
        if (once && done > 0 && rest <= self->size) {
            break;              /* no need to read ahead for it */
        }
        if (rest > self->size) {
            _PyBuffered_forget_read(self);
            got = _PyBuffered_raw_read(self, out + done, rest);
            if (got > 0) {
                done += got;
            }
        }
        else {
            got = _PyBuffered_fill(self);
            done += take(self, out + done, rest);
        }
        if (got == -1) {
            goto unlock;
        }
        if (got == 0 || got == WOULD_BLOCK || once) {
            break;
        }
    }
    result = done == 0 && got == WOULD_BLOCK ? Py_NewRef(Py_None) : PyLong_FromSsize_t(done);
unlock:
    _PyBuffered_leave(self);
release:
    PyBuffer_Release(&view);
    return result;
}

PyObject *
_PyBuffered_readinto(PyObject *op, PyObject *arg)
{
    return readinto_generic(op, arg, 0);
}

PyObject *
_PyBuffered_readinto1(PyObject *op, PyObject *arg)
{
    return readinto_generic(op, arg, 1);
}

PyObject *
_PyBuffered_peek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    if (!_PyArg_CheckPositional("peek", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1 && PyNumber_AsSsize_t(args[0], PyExc_OverflowError) == -1
        && PyErr_Occurred()) {
        return NULL;
    }
    if (_PyBuffered_check_open(self, "peek of closed file") < 0
        || _PyBuffered_enter(self) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    /* A file that can be written to is read again, for as much as the buffer holds. */
    if (begin_reading(self) == 0 && (!self->writable || _PyBuffered_unread(self) == 0)
        && (UNREAD(self) > 0 || _PyBuffered_fill(self) != -1)) {
        result = PyBytes_FromStringAndSize(self->buffer + self->pos, UNREAD(self));
    }
    _PyBuffered_leave(self);
    return result;
}

/* Adds n bytes to a line of which `used` bytes are there. A bytes object of one byte may
   be a shared one, so the line is first allocated, then filled. */
static int
extend_line(PyObject **line, Py_ssize_t used, const char *data, Py_ssize_t n)
{
    if (used == 0) {
        *line = PyBytes_FromStringAndSize(NULL, n);
    }
    else {
        _PyBytes_Resize(line, used + n);
    }
    if (*line == NULL) {
        return -1;
    }
    memcpy(PyBytes_AS_STRING(*line) + used, data, (size_t)n);
    return 0;
}

/* Reads a line, of at most limit bytes unless that is negative. Call with the lock. */
static PyObject *
read_line_locked(buffered *self, Py_ssize_t limit)
{
    PyObject *line = NULL;
    Py_ssize_t used = 0;
    if (begin_reading(self) < 0) {
        return NULL;
    }
    for (;;) {
        Py_ssize_t n = UNREAD(self);
        if (limit >= 0 && n > limit - used) {
            n = limit - used;
        }
        const char *start = self->buffer + self->pos;
        const char *newline = n > 0 ? memchr(start, '\n', (size_t)n) : NULL;
        int complete = newline != NULL || (limit >= 0 && n == limit - used);
        if (newline != NULL) {
            n = newline - start + 1;
        }
        self->pos += n;
        if (complete && used == 0) {
            return PyBytes_FromStringAndSize(start, n);
        }
        if (n > 0 && extend_line(&line, used, start, n) < 0) {
            return NULL;
        }
        used += n;
        if (complete) {
            return line;
        }
        Py_ssize_t got = _PyBuffered_fill(self);
        if (got == -1) {
            Py_XDECREF(line);
            return NULL;
        }
        if (got <= 0) {
            return line != NULL ? line : PyBytes_FromStringAndSize(NULL, 0);
        }
    }
}

/* The length of the next line, if all of it has been read ahead and nothing forbids taking it at
   once; otherwise 0. If nobody owns the object, a thread that keeps the GIL need not either. */
static inline Py_ssize_t
line_at_hand(const buffered *self)
{
    if (!self->ok || self->state != READING || self->pos >= self->end || self->owner != 0
        || !self->raw_is_fileio) {
        return 0;
    }
    const char *start = self->buffer + self->pos;
    const char *newline = memchr(start, '\n', (size_t)(self->end - self->pos));
    return newline == NULL ? 0 : newline - start + 1;
}

static PyObject *
read_line(buffered *self, Py_ssize_t limit)
{
    Py_ssize_t n = limit < 0 ? line_at_hand(self) : 0;
    if (n > 0) {
        self->pos += n;
        return PyBytes_FromStringAndSize(self->buffer + self->pos - n, n);
    }
    if (_PyBuffered_check_open(self, "readline of closed file") < 0
        || _PyBuffered_enter(self) < 0) {
        return NULL;
    }
    PyObject *line = read_line_locked(self, limit);
    _PyBuffered_leave(self);
    return line;
}

PyObject *
_PyBuffered_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t limit;
    if (!_PyIO_size_arg("readline", args, nargs, &limit)
        || _PyBuffered_check_init((buffered *)op) < 0) {
        return NULL;
    }
    return read_line((buffered *)op, limit);
}

PyObject *
_PyBuffered_iternext(PyObject *op)
{
    buffered *self = (buffered *)op;
    if (_PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    PyObject *line;
    if (Py_IS_TYPE(op, &PyBufferedReader_Type) || Py_IS_TYPE(op, &PyBufferedRandom_Type)) {
        line = read_line(self, -1);
    }
    else {
        line = PyObject_CallMethodNoArgs(op, _Py_NAME(readline));
        if (line != NULL && !PyBytes_Check(line)) {
            PyErr_Format(PyExc_OSError,
                         "readline() should have returned a bytes object, not '%.200s'",
                         Py_TYPE(line)->tp_name);
            Py_CLEAR(line);
        }
    }
    if (line != NULL && PyBytes_GET_SIZE(line) == 0) {
        Py_CLEAR(line);
    }
    return line;
}
