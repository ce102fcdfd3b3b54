/* _BufferedIOBase, the base of everything with a buffer, and BufferedRWPair,
   which joins a reader and a writer. */
#include "io_module.h"

/* ----------------------------------------------------------------- the base */

static PyObject *
unsupported(const char *name)
{
    return _PyIO_RaiseUnsupported(name);
}

#define UNSUPPORTED(name) \
static PyObject * \
base_##name(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args)) \
{ \
    return unsupported(#name); \
}
UNSUPPORTED(detach)
UNSUPPORTED(read)
UNSUPPORTED(read1)
UNSUPPORTED(write)

/* readinto() by way of read() or read1(). */
static PyObject *
readinto_by(PyObject *self, PyObject *arg, const char *name, PyObject *method)
{
    Py_buffer view;
    if (PyObject_GetBuffer(arg, &view, PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        _PyArg_BadArgument(name, "argument", "read-write bytes-like object", arg);
        return NULL;
    }
    PyObject *size = PyLong_FromSsize_t(view.len), *result = NULL;
    PyObject *data = size == NULL ? NULL : PyObject_CallMethodOneArg(self, method, size);
    Py_XDECREF(size);
    if (data != NULL && !PyBytes_Check(data)) {
        PyErr_SetString(PyExc_TypeError, "read() should return bytes");
    }
    else if (data != NULL && PyBytes_GET_SIZE(data) > view.len) {
        PyErr_Format(PyExc_ValueError,
                     "read() returned too much data: %zd bytes requested, %zd returned",
                     view.len, PyBytes_GET_SIZE(data));
    }
    else if (data != NULL) {
        memcpy(view.buf, PyBytes_AS_STRING(data), (size_t)PyBytes_GET_SIZE(data));
        result = PyLong_FromSsize_t(PyBytes_GET_SIZE(data));
    }
    Py_XDECREF(data);
    PyBuffer_Release(&view);
    return result;
}

static PyObject *
base_readinto(PyObject *self, PyObject *arg)
{
    return readinto_by(self, arg, "readinto", _Py_NAME(read));
}

static PyObject *
base_readinto1(PyObject *self, PyObject *arg)
{
    return readinto_by(self, arg, "readinto1", _Py_NAME(read1));
}

static PyMethodDef base_methods[] = {
    {"detach", base_detach, METH_NOARGS, "detach($self, /)\n--\n\nSeparates the raw file, and returns it."},
    {"read", base_read, METH_VARARGS, "Reads bytes: all that is left without a size."},
    {"read1", base_read1, METH_VARARGS, "Reads bytes with at most one raw read."},
    {"readinto", base_readinto, METH_O, "readinto($self, buffer, /)\n--\n\n"},
    {"readinto1", base_readinto1, METH_O, "readinto1($self, buffer, /)\n--\n\n"},
    {"write", base_write, METH_VARARGS, "Writes bytes; returns how many."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyBufferedIOBase_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io._BufferedIOBase",
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "The base of buffered binary files.",
    .tp_methods = base_methods,
    .tp_base = &PyIOBase_Type,
};

/* ----------------------------------------------------------------- the pair */

typedef struct {
    PyObject_HEAD
    PyObject *reader, *writer;  /* NULL before __init__ */
    PyObject *dict;
    PyObject *weakreflist;
} rwpair;

static int
rwpair_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    rwpair *self = (rwpair *)op;
    PyObject *reader, *writer;
    Py_ssize_t size = DEFAULT_BUFFER_SIZE;
    if (kwds != NULL && PyDict_GET_SIZE(kwds) > 0 && Py_IS_TYPE(op, &PyBufferedRWPair_Type)) {
        PyErr_SetString(PyExc_TypeError, "BufferedRWPair() takes no keyword arguments");
        return -1;
    }
    if (!_PyArg_CheckPositional("BufferedRWPair", PyTuple_GET_SIZE(args), 2, 3)
        || !PyArg_ParseTuple(args, "OO|n:BufferedRWPair", &reader, &writer, &size)
        || _PyIOBase_check_readable(reader, Py_True) == NULL
        || _PyIOBase_check_writable(writer, Py_True) == NULL) {
        return -1;
    }
    PyObject *r = PyObject_CallFunction((PyObject *)&PyBufferedReader_Type, "On", reader, size);
    if (r == NULL) {
        return -1;
    }
    PyObject *w = PyObject_CallFunction((PyObject *)&PyBufferedWriter_Type, "On", writer, size);
    if (w == NULL) {
        Py_DECREF(r);
        return -1;
    }
    Py_XSETREF(self->reader, r);
    Py_XSETREF(self->writer, w);
    return 0;
}

static int
rwpair_traverse(rwpair *self, visitproc visit, void *arg)
{
    Py_VISIT(self->dict);
    Py_VISIT(self->reader);
    Py_VISIT(self->writer);
    return 0;
}

static int
rwpair_clear(rwpair *self)
{
    Py_CLEAR(self->reader);
    Py_CLEAR(self->writer);
    Py_CLEAR(self->dict);
    return 0;
}

static void
rwpair_dealloc(rwpair *self)
{
    _PyIO_BeginDealloc((PyObject *)self, self->weakreflist);
    rwpair_clear(self);
    Py_TYPE(self)->tp_free(self);
}

/* Calls the same method of one of the two. */
static PyObject *
forward(PyObject *half, const char *name, PyObject *args)
{
    if (half == NULL) {
        PyErr_SetString(PyExc_ValueError, "I/O operation on uninitialized object");
        return NULL;
    }
    PyObject *method = PyObject_GetAttrString(half, name);
    if (method == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallObject(method, args);
    Py_DECREF(method);
    return result;
}

#define FORWARD(half, name) \
static PyObject * \
rwpair_##name(PyObject *op, PyObject *args) \
{ \
    return forward(((rwpair *)op)->half, #name, args); \
}
FORWARD(reader, read)
FORWARD(reader, peek)
FORWARD(reader, read1)
FORWARD(reader, readinto)
FORWARD(reader, readinto1)
FORWARD(reader, readable)
FORWARD(writer, write)
FORWARD(writer, flush)
FORWARD(writer, writable)

static PyObject *
rwpair_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    rwpair *self = (rwpair *)op;
    PyObject *type = NULL, *value = NULL, *tb = NULL;
    PyObject *r = forward(self->writer, "close", NULL);
    if (r == NULL) {
        PyErr_Fetch(&type, &value, &tb);
    }
    Py_XDECREF(r);
    r = forward(self->reader, "close", NULL);
    if (type != NULL) {
        _PyErr_ChainExceptions(type, value, tb);
        Py_CLEAR(r);
    }
    return r;
}

static PyObject *
rwpair_isatty(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    rwpair *self = (rwpair *)op;
    PyObject *yes = forward(self->writer, "isatty", NULL);
    if (yes == NULL || yes == Py_True) {
        return yes;
    }
    Py_DECREF(yes);
    return forward(self->reader, "isatty", NULL);
}

static PyObject *
rwpair_get_closed(PyObject *op, void *Py_UNUSED(closure))
{
    rwpair *self = (rwpair *)op;
    if (self->writer == NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the BufferedRWPair object is being garbage-collected");
        return NULL;
    }
    return PyObject_GetAttr(self->writer, _Py_NAME(closed));
}

static PyMethodDef rwpair_methods[] = {
    {"read", rwpair_read, METH_VARARGS, NULL}, {"peek", rwpair_peek, METH_VARARGS, NULL},
    {"read1", rwpair_read1, METH_VARARGS, NULL},
    {"readinto", rwpair_readinto, METH_VARARGS, NULL},
    {"readinto1", rwpair_readinto1, METH_VARARGS, NULL},
    {"write", rwpair_write, METH_VARARGS, NULL}, {"flush", rwpair_flush, METH_NOARGS, NULL},
    {"readable", rwpair_readable, METH_NOARGS, NULL},
    {"writable", rwpair_writable, METH_NOARGS, NULL},
    {"close", rwpair_close, METH_NOARGS, NULL}, {"isatty", rwpair_isatty, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef rwpair_getset[] = {
    {"closed", rwpair_get_closed, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyBufferedRWPair_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_io.BufferedRWPair",
    .tp_basicsize = sizeof(rwpair),
    .tp_dealloc = (destructor)rwpair_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "BufferedRWPair(reader, writer, buffer_size=DEFAULT_BUFFER_SIZE, /)\n--\n\n"
              "A reader and a writer as one file.",
    .tp_traverse = (traverseproc)rwpair_traverse,
    .tp_clear = (inquiry)rwpair_clear,
    .tp_weaklistoffset = offsetof(rwpair, weakreflist),
    .tp_methods = rwpair_methods,
    .tp_getset = rwpair_getset,
    .tp_base = &PyBufferedIOBase_Type,
    .tp_dictoffset = offsetof(rwpair, dict),
    .tp_init = rwpair_init,
    .tp_new = PyType_GenericNew,
};
