/* The C API to Python file objects, and the stderr used until sys.stderr exists.

   A file is any object with the methods that are called here. This file knows nothing
   of the types of the io module. */
#include "Python.h"
#include "internal/names.h"
#include "internal/fileutils.h"
#include "internal/pystate.h"

#include <unistd.h>

int
PyFile_WriteObject(PyObject *obj, PyObject *file, int flags)
{
    if (file == NULL) {
        PyErr_SetString(PyExc_TypeError, "writeobject with NULL file");
        return -1;
    }
    PyObject *write;
    int unbound = _PyObject_GetMethod(file, _Py_NAME(write), &write);
    if (write == NULL) {
        return -1;
    }
    PyObject *text = (flags & Py_PRINT_RAW) ? PyObject_Str(obj) : PyObject_Repr(obj);
    PyObject *args[2] = {file, text}, *result = NULL;
    if (text != NULL) {
        result = unbound ? PyObject_Vectorcall(write, args, 2, NULL)
            : PyObject_CallOneArg(write, text);
        Py_DECREF(text);
    }
    Py_DECREF(write);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int
PyFile_WriteString(const char *s, PyObject *file)
{
    if (file == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_SystemError, "null file for PyFile_WriteString");
        }
        return -1;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    PyObject *text = PyUnicode_FromString(s);
    if (text == NULL) {
        return -1;
    }
    int rc = PyFile_WriteObject(text, file, Py_PRINT_RAW);
    Py_DECREF(text);
    return rc;
}

PyObject *
PyFile_GetLine(PyObject *file, int n)
{
    if (file == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyObject *line = n <= 0 ? PyObject_CallMethodNoArgs(file, _Py_NAME(readline))
                            : PyObject_CallMethod(file, "readline", "i", n);
    if (line == NULL) {
        return NULL;
    }
    Py_ssize_t size;
    if (PyBytes_Check(line)) {
        size = PyBytes_GET_SIZE(line);
    }
    else if (PyUnicode_Check(line)) {
        size = PyUnicode_GET_LENGTH(line);
    }
    else {
        PyErr_SetString(PyExc_TypeError, "object.readline() returned non-string");
        Py_DECREF(line);
        return NULL;
    }
    if (n >= 0) {
        return line;
    }
    if (size == 0) {            /* a negative n: strip the newline, raise at the end */
        PyErr_SetString(PyExc_EOFError, "EOF when reading a line");
        Py_DECREF(line);
        return NULL;
    }
    if (PyBytes_Check(line)) {
        if (PyBytes_AS_STRING(line)[size - 1] == '\n') {
            Py_SETREF(line, PyBytes_FromStringAndSize(PyBytes_AS_STRING(line), size - 1));
        }
    }
    else if (PyUnicode_READ_CHAR(line, size - 1) == '\n') {
        Py_SETREF(line, PyUnicode_Substring(line, 0, size - 1));
    }
    return line;
}

PyObject *
PyFile_FromFd(int fd, const char *Py_UNUSED(name), const char *mode, int buffering,
              const char *encoding, const char *errors, const char *newline, int closefd)
{
    PyObject *io = PyImport_ImportModule("io");
    if (io == NULL) {
        return NULL;
    }
    PyObject *file = PyObject_CallMethod(io, "open", "isisssO", fd, mode, buffering, encoding,
                                         errors, newline, closefd ? Py_True : Py_False);
    Py_DECREF(io);
    return file;
}

PyObject *
PyFile_OpenCodeObject(PyObject *path)
{
    if (!PyUnicode_Check(path)) {
        return PyErr_Format(PyExc_TypeError, "'path' must be 'str', not '%.200s'",
                            Py_TYPE(path)->tp_name);
    }
    if (_PyRuntime.open_code_hook != NULL) {
        return _PyRuntime.open_code_hook(path, _PyRuntime.open_code_userdata);
    }
    PyObject *io = PyImport_ImportModule("_io");
    if (io == NULL) {
        return NULL;
    }
    PyObject *file = PyObject_CallMethod(io, "open", "Os", path, "rb");
    Py_DECREF(io);
    return file;
}

PyObject *
PyFile_OpenCode(const char *path)
{
    PyObject *text = PyUnicode_FromString(path);
    if (text == NULL) {
        return NULL;
    }
    PyObject *file = PyFile_OpenCodeObject(text);
    Py_DECREF(text);
    return file;
}

int
PyFile_SetOpenCodeHook(Py_OpenCodeHookFunction hook, void *user_data)
{
    if (Py_IsInitialized() && PySys_Audit("setopencodehook", NULL) < 0) {
        return -1;
    }
    if (_PyRuntime.open_code_hook != NULL) {
        if (Py_IsInitialized()) {
            PyErr_SetString(PyExc_SystemError, "failed to change existing open_code hook");
        }
        return -1;
    }
    _PyRuntime.open_code_hook = hook;
    _PyRuntime.open_code_userdata = user_data;
    return 0;
}

int
PyObject_AsFileDescriptor(PyObject *obj)
{
    int fd;
    if (PyLong_Check(obj)) {
        fd = _PyLong_AsInt(obj);
    }
    else {
        PyObject *fileno;
        int found = _PyObject_LookupAttr(obj, _Py_NAME(fileno), &fileno);
        if (found < 0) {
            return -1;
        }
        if (!found) {
            PyErr_SetString(PyExc_TypeError,
                            "argument must be an int, or have a fileno() method.");
            return -1;
        }
        PyObject *number = PyObject_CallNoArgs(fileno);
        Py_DECREF(fileno);
        if (number == NULL) {
            return -1;
        }
        if (!PyLong_Check(number)) {
            PyErr_SetString(PyExc_TypeError, "fileno() returned a non-integer");
            Py_DECREF(number);
            return -1;
        }
        fd = _PyLong_AsInt(number);
        Py_DECREF(number);
    }
    if (fd == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (fd < 0) {
        PyErr_Format(PyExc_ValueError,
                     "file descriptor cannot be a negative integer (%i)", fd);
        return -1;
    }
    return fd;
}

int
_PyLong_FileDescriptor_Converter(PyObject *obj, void *fd)
{
    int value = PyObject_AsFileDescriptor(obj);
    if (value == -1) {
        return 0;
    }
    *(int *)fd = value;
    return 1;
}

char *
Py_UniversalNewlineFgets(char *buffer, int n, FILE *stream, PyObject *Py_UNUSED(file))
{
    char *p = buffer;
    int c = 0, skip = 0;
    flockfile(stream);
    while (--n > 0 && (c = getc_unlocked(stream)) != EOF) {
        if (skip) {
            skip = 0;
            if (c == '\n') {
                n++;
                continue;
            }
        }
        if (c == '\r') {
            int next = getc_unlocked(stream);
            if (next != '\n' && next != EOF) {
                ungetc(next, stream);
            }
            c = '\n';
        }
        *p++ = (char)c;
        if (c == '\n') {
            break;
        }
    }
    funlockfile(stream);
    *p = '\0';
    return p == buffer ? NULL : buffer;
}

/* --------------------------------------------------------------- stdprinter */

typedef struct {
    PyObject_HEAD
    int fd;
} PyStdPrinter;

static PyObject *
stdprinter_write(PyStdPrinter *self, PyObject *arg)
{
    if (self->fd < 0) {
        Py_RETURN_NONE;
    }
    if (!PyUnicode_Check(arg)) {
        return PyErr_Format(PyExc_TypeError, "write() argument must be str, not %.200s",
                            Py_TYPE(arg)->tp_name);
    }
    PyObject *bytes = PyUnicode_AsEncodedString(arg, "utf-8", "backslashreplace");
    if (bytes == NULL) {
        return NULL;
    }
    const char *p = PyBytes_AS_STRING(bytes);
    Py_ssize_t n = PyBytes_GET_SIZE(bytes), done = 0;
    while (done < n) {
        ssize_t w = write(self->fd, p + done, (size_t)(n - done));
        if (w < 0) {
            if (errno == EINTR) {
                continue;
            }
            break;
        }
        done += w;
    }
    Py_DECREF(bytes);
    return PyLong_FromSsize_t(done);
}

static PyObject *
stdprinter_fileno(PyStdPrinter *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(self->fd);
}

static PyObject *
stdprinter_nothing(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_NONE;
}

static PyObject *
stdprinter_isatty(PyStdPrinter *self, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(self->fd >= 0 && isatty(self->fd));
}

static PyObject *
stdprinter_repr(PyStdPrinter *self)
{
    return PyUnicode_FromFormat("<stdprinter(fd=%d) object at %p>", self->fd, self);
}

static PyObject *
stdprinter_get_none(PyStdPrinter *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    Py_RETURN_NONE;
}

static PyObject *
stdprinter_get_encoding(PyStdPrinter *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return PyUnicode_FromString("utf-8");
}

static PyObject *
stdprinter_get_closed(PyStdPrinter *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    Py_RETURN_FALSE;
}

static PyObject *
stdprinter_get_mode(PyStdPrinter *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return PyUnicode_FromString("w");
}

static PyMethodDef stdprinter_methods[] = {
    {"close", stdprinter_nothing, METH_NOARGS, ""},
    {"flush", stdprinter_nothing, METH_NOARGS, ""},
    {"fileno", (PyCFunction)stdprinter_fileno, METH_NOARGS, ""},
    {"isatty", (PyCFunction)stdprinter_isatty, METH_NOARGS, ""},
    {"write", (PyCFunction)stdprinter_write, METH_O, ""},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef stdprinter_getset[] = {
    {"closed", (getter)stdprinter_get_closed, NULL, "always False", NULL},
    {"encoding", (getter)stdprinter_get_encoding, NULL, "encoding of the text", NULL},
    {"errors", (getter)stdprinter_get_none, NULL, "error handler", NULL},
    {"mode", (getter)stdprinter_get_mode, NULL, "'w'", NULL},
    {"newlines", (getter)stdprinter_get_none, NULL, "None", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyStdPrinter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "stderrprinter",
    .tp_basicsize = sizeof(PyStdPrinter),
    .tp_repr = (reprfunc)stdprinter_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = stdprinter_methods,
    .tp_getset = stdprinter_getset,
    .tp_free = PyObject_Del,
};

PyObject *
PyFile_NewStdPrinter(int fd)
{
    if (fd != fileno(stdout) && fd != fileno(stderr)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyStdPrinter *self = PyObject_New(PyStdPrinter, &PyStdPrinter_Type);
    if (self != NULL) {
        self->fd = fd;
    }
    return (PyObject *)self;
}
