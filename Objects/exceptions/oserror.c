/* OSError, and the map from errno to its subclasses.

   OSError(errno, strerror[, filename[, winerror[, filename2]]]) makes an instance of
   the subclass that belongs to errno, so the arguments are parsed in __new__. For a
   Python subclass that overrides __init__ they are parsed in __init__ instead: see
   parses_in_init(). */
#include "private.h"

#include <errno.h>

static PyObject *errno_map;     /* dict: errno -> subclass */

#define FIELDS(do) do(myerrno) do(strerror) do(filename) do(filename2)
DEFINE_FAMILY_GC(OSError, PyOSErrorObject, FIELDS)
#undef FIELDS

static PyObject *oserror_new(PyTypeObject *, PyObject *, PyObject *);

/* A subclass that overrides __init__ but not __new__ may take other arguments, which
   only its __init__ understands. */
static int
parses_in_init(PyTypeObject *type)
{
    return type->tp_init != _PyExc_OSError_init
        && type->tp_new == oserror_new;
}

static int
no_keywords(PyTypeObject *type, PyObject *kwds)
{
    if (kwds != NULL && PyDict_GET_SIZE(kwds) != 0) {
        PyErr_Format(PyExc_TypeError, "%.200s() takes no keyword arguments",
                     type->tp_name);
        return -1;
    }
    return 0;
}

struct oserror_args {
    PyObject *number, *text, *filename, *filename2;     /* borrowed */
};

/* Leaves all fields NULL if the number of arguments is not 2 to 5. */
static int
parse_args(PyObject *args, struct oserror_args *p)
{
    PyObject *winerror = NULL;
    memset(p, 0, sizeof(*p));
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n < 2 || n > 5) {
        return 0;
    }
    return PyArg_UnpackTuple(args, "OSError", 2, 5, &p->number, &p->text,
                             &p->filename, &winerror, &p->filename2) ? 0 : -1;
}

static int
fill_fields(PyOSErrorObject *self, PyObject *args,
            const struct oserror_args *p)
{
    PyObject *kept = Py_NewRef(args);
    if (p->filename != NULL && p->filename != Py_None) {
        if (Py_IS_TYPE(self, &_PyExc_BlockingIOError)
            && PyNumber_Check(p->filename)) {
            /* BlockingIOError's third argument is characters_written. */
            self->written = PyNumber_AsSsize_t(p->filename, PyExc_ValueError);
            if (self->written == -1 && PyErr_Occurred()) {
                Py_DECREF(kept);
                return -1;
            }
        }
        else {
            self->filename = Py_NewRef(p->filename);
            if (p->filename2 != NULL && p->filename2 != Py_None) {
                self->filename2 = Py_NewRef(p->filename2);
            }
            /* For compatibility, args keeps only (errno, strerror). */
            Py_SETREF(kept, PyTuple_GetSlice(args, 0, 2));
            if (kept == NULL) {
                return -1;
            }
        }
    }
    Py_XINCREF(p->number);
    Py_XSETREF(self->myerrno, p->number);
    Py_XINCREF(p->text);
    Py_XSETREF(self->strerror, p->text);
    Py_XSETREF(self->args, kept);
    return 0;
}

static PyObject *
oserror_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    struct oserror_args parsed;
    int here = !parses_in_init(type);
    if (here) {
        if (no_keywords(type, kwds) < 0 || parse_args(args, &parsed) < 0) {
            return NULL;
        }
        if (type == &_PyExc_OSError && errno_map != NULL
            && parsed.number != NULL && PyLong_Check(parsed.number)) {
            PyObject *subtype = PyDict_GetItemWithError(errno_map,
                                                        parsed.number);
            if (subtype != NULL) {
                type = (PyTypeObject *)subtype;
            }
            else if (PyErr_Occurred()) {
                return NULL;
            }
        }
    }
    PyOSErrorObject *self = (PyOSErrorObject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->written = -1;
    int failed;
    if (here) {
        failed = fill_fields(self, args, &parsed);
    }
    else {
        self->args = PyTuple_New(0);
        failed = self->args == NULL ? -1 : 0;
    }
    if (failed < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

int
_PyExc_OSError_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    struct oserror_args parsed;
    PyTypeObject *type = Py_TYPE(op);
    if (!parses_in_init(type)) {
        return 0;
    }
    if (no_keywords(type, kwds) < 0 || parse_args(args, &parsed) < 0) {
        return -1;
    }
    return fill_fields((PyOSErrorObject *)op, args, &parsed);
}

static inline PyObject *
or_none(PyObject *value)
{
    return value != NULL ? value : Py_None;
}

/* Showing one field may change the others: the caller holds them all. */
static PyObject *
show(PyObject *number, PyObject *text, PyObject *filename, PyObject *filename2)
{
    if (filename != NULL && filename2 != NULL) {
        return PyUnicode_FromFormat("[Errno %S] %S: %R -> %R", number, text, filename,
                                    filename2);
    }
    if (filename != NULL) {
        return PyUnicode_FromFormat("[Errno %S] %S: %R", number, text, filename);
    }
    return PyUnicode_FromFormat("[Errno %S] %S", number, text);
}

static PyObject *
oserror_str(PyObject *op)
{
    PyOSErrorObject *self = (PyOSErrorObject *)op;
    if (self->filename == NULL && (self->myerrno == NULL || self->strerror == NULL)) {
        return _PyExc_BaseException_str(op);
    }
    PyObject *number = Py_NewRef(or_none(self->myerrno));
    PyObject *text = Py_NewRef(or_none(self->strerror));
    PyObject *filename = Py_XNewRef(self->filename);
    PyObject *filename2 = Py_XNewRef(self->filename2);
    PyObject *result = show(number, text, filename, filename2);
    Py_DECREF(number);
    Py_DECREF(text);
    Py_XDECREF(filename);
    Py_XDECREF(filename2);
    return result;
}

static PyObject *
oserror_reduce(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    PyOSErrorObject *self = (PyOSErrorObject *)op;
    PyObject *args = Py_NewRef(self->args);
    /* The file names were cut off from args, but pickling needs them. */
    if (PyTuple_GET_SIZE(args) == 2 && self->filename != NULL) {
        PyObject *a = PyTuple_GET_ITEM(args, 0), *b = PyTuple_GET_ITEM(args, 1);
        PyObject *full = self->filename2 != NULL
            ? PyTuple_Pack(5, a, b, self->filename, Py_None, self->filename2)
            : PyTuple_Pack(3, a, b, self->filename);
        Py_SETREF(args, full);
        if (args == NULL) {
            return NULL;
        }
    }
    PyObject *result = self->dict != NULL
        ? PyTuple_Pack(3, Py_TYPE(op), args, self->dict)
        : PyTuple_Pack(2, Py_TYPE(op), args);
    Py_DECREF(args);
    return result;
}

static PyObject *
get_written(PyObject *op, void *Py_UNUSED(closure))
{
    Py_ssize_t written = ((PyOSErrorObject *)op)->written;
    if (written == -1) {
        PyErr_SetString(PyExc_AttributeError, "characters_written");
        return NULL;
    }
    return PyLong_FromSsize_t(written);
}

static int
set_written(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    PyOSErrorObject *self = (PyOSErrorObject *)op;
    if (value == NULL) {
        if (self->written == -1) {
            PyErr_SetString(PyExc_AttributeError, "characters_written");
            return -1;
        }
        self->written = -1;
        return 0;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(value, PyExc_ValueError);
    if (n == -1 && PyErr_Occurred()) {
        return -1;
    }
    self->written = n;
    return 0;
}

static PyMemberDef oserror_members[] = {
    {"errno", T_OBJECT, offsetof(PyOSErrorObject, myerrno), 0,
     PyDoc_STR("POSIX exception code")},
    {"strerror", T_OBJECT, offsetof(PyOSErrorObject, strerror), 0,
     PyDoc_STR("exception strerror")},
    {"filename", T_OBJECT, offsetof(PyOSErrorObject, filename), 0,
     PyDoc_STR("exception filename")},
    {"filename2", T_OBJECT, offsetof(PyOSErrorObject, filename2), 0,
     PyDoc_STR("second exception filename")},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef oserror_methods[] = {
    {"__reduce__", oserror_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef oserror_getset[] = {
    {"characters_written", get_written, set_written, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyTypeObject _PyExc_OSError = {
    EXC_TYPE(OSError, &_PyExc_Exception, PyOSErrorObject, OSError,
             "The operating system reported an error."),
    .tp_str = oserror_str,
    .tp_members = oserror_members,
    .tp_methods = oserror_methods,
    .tp_getset = oserror_getset,
    .tp_new = oserror_new,
};

int
_PyExc_InitErrnoMap(void)
{
    static const struct {
        int number;
        PyTypeObject *type;
    } rows[] = {
        {EAGAIN, &_PyExc_BlockingIOError},
        {EALREADY, &_PyExc_BlockingIOError},
        {EINPROGRESS, &_PyExc_BlockingIOError},
        {EWOULDBLOCK, &_PyExc_BlockingIOError},
        {EPIPE, &_PyExc_BrokenPipeError},
        {ESHUTDOWN, &_PyExc_BrokenPipeError},
        {ECHILD, &_PyExc_ChildProcessError},
        {ECONNABORTED, &_PyExc_ConnectionAbortedError},
        {ECONNREFUSED, &_PyExc_ConnectionRefusedError},
        {ECONNRESET, &_PyExc_ConnectionResetError},
        {EEXIST, &_PyExc_FileExistsError},
        {ENOENT, &_PyExc_FileNotFoundError},
        {EISDIR, &_PyExc_IsADirectoryError},
        {ENOTDIR, &_PyExc_NotADirectoryError},
        {EINTR, &_PyExc_InterruptedError},
        {EACCES, &_PyExc_PermissionError},
        {EPERM, &_PyExc_PermissionError},
        {ESRCH, &_PyExc_ProcessLookupError},
        {ETIMEDOUT, &_PyExc_TimeoutError},
    };
    PyObject *map = PyDict_New();
    if (map == NULL) {
        return -1;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(rows); i++) {
        PyObject *number = PyLong_FromLong(rows[i].number);
        if (number == NULL
            || PyDict_SetItem(map, number, (PyObject *)rows[i].type) < 0) {
            Py_XDECREF(number);
            Py_DECREF(map);
            return -1;
        }
        Py_DECREF(number);
    }
    Py_XSETREF(errno_map, map);
    return 0;
}
