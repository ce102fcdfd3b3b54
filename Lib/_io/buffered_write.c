/* Buffered binary files, writing. */
#include "buffered.h"

/* Appends as much as fits. */
static Py_ssize_t
stow(buffered *self, const char *data, Py_ssize_t n)
{
    Py_ssize_t room = self->size - (self->state == WRITING ? self->end : 0);
    if (n > room) {
        n = room;
    }
    if (n > 0) {
        if (self->state != WRITING) {
            self->state = WRITING;
            self->pos = self->end = 0;
        }
        memcpy(self->buffer + self->end, data, (size_t)n);
        self->end += n;
    }
    return n;
}

/* Takes n bytes. -1 with an exception; then *taken says how many it took. */
static int
write_locked(buffered *self, const char *data, Py_ssize_t n, Py_ssize_t *taken)
{
    *taken = 0;
    if (self->state != WRITING) {
        self->sought_back = UNREAD(self) > 0;
        if (_PyBuffered_unread(self) < 0) {
            return -1;
        }
    }
    Py_ssize_t room = self->size - (self->state == WRITING ? self->end : 0);
    if (n <= room) {
        *taken = stow(self, data, n);
        return 0;
    }
    if (_PyBuffered_flush_pending(self) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_BlockingIOError)) {
            return -1;
        }
        PyErr_Clear();
        *taken = stow(self, data, n);
        if (*taken < n) {
            _PyIO_RaiseWouldBlock(*taken);
            return -1;
        }
        return 0;
    }
    while (n - *taken > self->size) {
        Py_ssize_t got = _PyBuffered_raw_write(self, data + *taken, n - *taken);
        if (got == WOULD_BLOCK) {
            *taken += stow(self, data + *taken, n - *taken);
            if (*taken < n) {
                _PyIO_RaiseWouldBlock(*taken);
                return -1;
            }
            return 0;
        }
        if (got < 0 || (*taken += got, PyErr_CheckSignals() < 0)) {
            return -1;
        }
    }
    *taken += stow(self, data + *taken, n - *taken);
    return 0;
}

static int
write_bytes(buffered *self, const char *data, Py_ssize_t n, Py_ssize_t *taken)
{
    *taken = 0;
    if (_PyBuffered_enter(self) < 0) {
        return -1;
    }
    /* Checked under the lock: another thread may have closed the file. */
    int rc = _PyBuffered_raw_is_closed(self);
    if (rc > 0) {
        PyErr_SetString(PyExc_ValueError, "write to closed file");
    }
    rc = rc != 0 ? -1 : write_locked(self, data, n, taken);
    _PyBuffered_leave(self);
    return rc;
}

PyObject *
_PyBuffered_write(PyObject *op, PyObject *arg)
{
    buffered *self = (buffered *)op;
    Py_buffer view;
    if (_PyBuffered_check_init(self) < 0) {
        return NULL;
    }
    if (PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    Py_ssize_t taken;
    int rc = write_bytes(self, view.buf, view.len, &taken);
    PyBuffer_Release(&view);
    return rc < 0 ? NULL : PyLong_FromSsize_t(taken);
}

int
_PyBuffered_HasOwnWrite(PyObject *op)
{
    buffered *self = (buffered *)op;
    return (Py_IS_TYPE(op, &PyBufferedWriter_Type) || Py_IS_TYPE(op, &PyBufferedRandom_Type))
        && (self->dict == NULL || PyDict_GET_SIZE(self->dict) == 0);
}

int
_PyBuffered_Write(PyObject *op, const char *data, Py_ssize_t n, Py_ssize_t *taken)
{
    *taken = 0;
    return _PyBuffered_check_init((buffered *)op) < 0 ? -1
        : write_bytes((buffered *)op, data, n, taken);
}
