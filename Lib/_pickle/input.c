/* The unpickler's input: see unpickler.h. */
#include "unpickler.h"

void
_PyUnpickler_DropInput(Unpickler *self)
{
    if (self->view.obj != NULL) {
        PyBuffer_Release(&self->view);
        self->view.obj = NULL;
    }
    self->input = NULL;
    self->input_length = self->next = self->consumed = 0;
}

int
_PyUnpickler_SetBytes(Unpickler *self, PyObject *bytes)
{
    _PyUnpickler_DropInput(self);
    if (PyObject_GetBuffer(bytes, &self->view, PyBUF_CONTIG_RO) < 0) {
        self->view.obj = NULL;
        return -1;
    }
    self->input = self->view.buf;
    self->input_length = self->consumed = self->view.len;
    return 0;
}

static int
truncated(void)
{
    PyErr_SetString(_PyPickle()->unpickling_error, "pickle data was truncated");
    return -1;
}

/* file.method(n) */
static PyObject *
call_with_size(PyObject *method, Py_ssize_t n)
{
    PyObject *size = PyLong_FromSsize_t(n);
    if (size == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallOneArg(method, size);
    Py_DECREF(size);
    return result;
}

int
_PyUnpickler_Finish(Unpickler *self)
{
    Py_ssize_t ahead = self->next - self->consumed;
    if (self->read == NULL || ahead <= 0) {
        return 0;
    }
    PyObject *bytes = call_with_size(self->read, ahead);
    if (bytes == NULL) {
        return -1;
    }
    Py_DECREF(bytes);
    self->consumed = self->next;
    return 0;
}

/* The next piece of the file becomes the input. n is -1 to read a line. */
static int
fetch(Unpickler *self, Py_ssize_t n)
{
    if (_PyUnpickler_Finish(self) < 0) {
        return -1;
    }
    PyObject *bytes;
    if (n < 0) {
        bytes = PyObject_CallNoArgs(self->readline);
    }
    else {
        if (self->peek != NULL && n < PREFETCH) {
            bytes = call_with_size(self->peek, PREFETCH);
            if (bytes == NULL) {
                if (!PyErr_ExceptionMatches(PyExc_NotImplementedError)) {
                    return -1;
                }
                /* Some files have peek() but wrap a file that cannot peek. */
                PyErr_Clear();
                Py_CLEAR(self->peek);
            }
            else {
                int result = _PyUnpickler_SetBytes(self, bytes);
                Py_DECREF(bytes);
                self->consumed = 0;
                if (result < 0 || n <= self->input_length) {
                    return result;
                }
            }
        }
        bytes = call_with_size(self->read, n);
    }
    if (bytes == NULL) {
        return -1;
    }
    int result = _PyUnpickler_SetBytes(self, bytes);
    Py_DECREF(bytes);
    return result;
}

const char *
_PyUnpickler_ReadMore(Unpickler *self, Py_ssize_t n)
{
    if (self->next > PY_SSIZE_T_MAX - n) {
        PyErr_SetString(_PyPickle()->unpickling_error,
                        "read would overflow (invalid bytecode)");
        return NULL;
    }
    if (self->read == NULL) {
        truncated();
        return NULL;
    }
    if (fetch(self, n) < 0) {
        return NULL;
    }
    if (self->input_length < n) {
        truncated();
        return NULL;
    }
    self->next = n;
    return self->input;
}

/* Reads long payloads directly from the file, without the buffer. */
static int
read_from_file(Unpickler *self, char *memory, Py_ssize_t n)
{
    Py_ssize_t got;
    if (_PyUnpickler_Finish(self) < 0) {
        return -1;
    }
    /* Unread bytes that were only peeked at will be read again. */
    _PyUnpickler_DropInput(self);
    if (self->readinto == NULL) {
        PyObject *bytes = call_with_size(self->read, n);
        if (bytes == NULL) {
            return -1;
        }
        if (!PyBytes_Check(bytes)) {
            PyErr_Format(PyExc_ValueError,
                         "read() returned non-bytes object (%R)",
                         (PyObject *)Py_TYPE(bytes));
            Py_DECREF(bytes);
            return -1;
        }
        got = PyBytes_GET_SIZE(bytes);
        if (got >= n) {
            memcpy(memory, PyBytes_AS_STRING(bytes), (size_t)n);
        }
        Py_DECREF(bytes);
    }
    else {
        PyObject *view = PyMemoryView_FromMemory(memory, n, PyBUF_WRITE);
        if (view == NULL) {
            return -1;
        }
        PyObject *count = PyObject_CallOneArg(self->readinto, view);
        Py_DECREF(view);
        if (count == NULL) {
            return -1;
        }
        got = PyLong_AsSsize_t(count);
        Py_DECREF(count);
        if (got < 0) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError,
                                "readinto() returned negative size");
            }
            return -1;
        }
    }
    return got < n ? truncated() : 0;
}

int
_PyUnpickler_ReadInto(Unpickler *self, char *memory, Py_ssize_t n)
{
    Py_ssize_t here = Py_MIN(self->input_length - self->next, n);
    if (here > 0) {
        memcpy(memory, self->input + self->next, (size_t)here);
        self->next += here;
        memory += here;
        n -= here;
    }
    if (n == 0) {
        return 0;
    }
    return self->read == NULL ? truncated()
        : read_from_file(self, memory, n);
}

Py_ssize_t
_PyUnpickler_ReadLine(Unpickler *self, char **line)
{
    const char *start = self->input + self->next, *newline = NULL;
    Py_ssize_t left = self->input_length - self->next;
    if (left > 0) {
        newline = memchr(start, '\n', (size_t)left);
    }
    if (newline == NULL) {
        if (self->read == NULL) {
            return truncated();
        }
        if (fetch(self, -1) < 0) {
            return -1;
        }
        start = self->input;
        if (self->input_length == 0
            || start[self->input_length - 1] != '\n') {
            return truncated();
        }
        newline = start + self->input_length - 1;
    }
    Py_ssize_t n = newline - start + 1;
    char *copy = PyMem_Realloc(self->line, (size_t)n + 1);
    if (copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(copy, start, (size_t)n);
    copy[n] = '\0';
    self->line = copy;
    self->next += n;
    *line = copy;
    return n;
}
