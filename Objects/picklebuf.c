/* pickle.PickleBuffer: a buffer that a pickler may keep out of the stream. */
#include "Python.h"
#include <stddef.h>

typedef struct {
    PyObject_HEAD
    Py_buffer view;             /* view.obj is NULL after release */
    PyObject *weakreflist;
} PickleBuffer;

static PickleBuffer *
allocate(PyTypeObject *type)
{
    PickleBuffer *self = (PickleBuffer *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->view.obj = NULL;
        self->weakreflist = NULL;
    }
    return self;
}

static PyObject *
buffer_of(PyTypeObject *type, PyObject *base)
{
    PickleBuffer *self = allocate(type);
    if (self != NULL
        && PyObject_GetBuffer(base, &self->view, PyBUF_FULL_RO) < 0) {
        self->view.obj = NULL;
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

PyObject *
PyPickleBuffer_FromObject(PyObject *base)
{
    return buffer_of(&PyPickleBuffer_Type, base);
}

static PyObject *
picklebuf_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"", NULL};
    PyObject *base;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:PickleBuffer", keywords,
                                     &base)) {
        return NULL;
    }
    return buffer_of(type, base);
}

/* Returns the view, or NULL with an exception. */
static const Py_buffer *
usable_view(PyObject *op)
{
    if (!PyPickleBuffer_Check(op)) {
        PyErr_Format(PyExc_TypeError,
                     "expected PickleBuffer, %.200s found",
                     Py_TYPE(op)->tp_name);
        return NULL;
    }
    PickleBuffer *self = (PickleBuffer *)op;
    if (self->view.obj == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "operation forbidden on released PickleBuffer "
                        "object");
        return NULL;
    }
    return &self->view;
}

const Py_buffer *
PyPickleBuffer_GetBuffer(PyObject *op)
{
    return usable_view(op);
}

int
PyPickleBuffer_Release(PyObject *op)
{
    if (!PyPickleBuffer_Check(op)) {
        PyErr_Format(PyExc_TypeError,
                     "expected PickleBuffer, %.200s found",
                     Py_TYPE(op)->tp_name);
        return -1;
    }
    PyBuffer_Release(&((PickleBuffer *)op)->view);
    return 0;
}

static int
picklebuf_traverse(PickleBuffer *self, visitproc visit, void *arg)
{
    Py_VISIT(self->view.obj);
    return 0;
}

static int
picklebuf_clear(PickleBuffer *self)
{
    PyBuffer_Release(&self->view);
    return 0;
}

static void
picklebuf_dealloc(PickleBuffer *self)
{
    PyObject_GC_UnTrack(self);
    if (self->weakreflist != NULL) {
        PyObject_ClearWeakRefs((PyObject *)self);
    }
    PyBuffer_Release(&self->view);
    Py_TYPE(self)->tp_free(self);
}

/* Buffer requests go to the wrapped object itself. */
static int
picklebuf_getbuf(PyObject *op, Py_buffer *view, int flags)
{
    const Py_buffer *own = usable_view(op);
    return own == NULL ? -1 : PyObject_GetBuffer(own->obj, view, flags);
}

static PyBufferProcs picklebuf_as_buffer = {
    .bf_getbuffer = picklebuf_getbuf,
};

/* A one-dimensional memoryview of the bytes in memory order. */
static PyObject *
picklebuf_raw(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    const Py_buffer *own = usable_view(op);
    if (own == NULL) {
        return NULL;
    }
    if (own->suboffsets != NULL || !PyBuffer_IsContiguous(own, 'A')) {
        PyErr_SetString(PyExc_BufferError,
                        "cannot extract raw buffer from non-contiguous "
                        "buffer");
        return NULL;
    }
    PyObject *whole = PyMemoryView_FromObject(op);
    if (whole == NULL) {
        return NULL;
    }
    Py_buffer *view = PyMemoryView_GET_BUFFER(whole);
    Py_ssize_t length = view->len;
    if (view->ndim > 0) {
        /* The same memory, described as bytes. */
        view->format = "B";
        view->itemsize = 1;
        view->shape[0] = length;
        view->strides[0] = 1;
        view->ndim = 1;
        view->suboffsets = NULL;
        ((PyMemoryViewObject *)whole)->flags &= ~_Py_MEMORYVIEW_SCALAR;
        ((PyMemoryViewObject *)whole)->flags |=
            _Py_MEMORYVIEW_C | _Py_MEMORYVIEW_FORTRAN;
        return whole;
    }
    /* A scalar view has no room for a shape; cast() makes a view that has. */
    PyObject *raw = PyObject_CallMethod(whole, "cast", "s[n]", "B", length);
    Py_DECREF(whole);
    return raw;
}

static PyObject *
picklebuf_release(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    PyBuffer_Release(&((PickleBuffer *)op)->view);
    Py_RETURN_NONE;
}

static PyMethodDef picklebuf_methods[] = {
    {"raw", picklebuf_raw, METH_NOARGS,
     "raw($self, /)\n--\n\n"
     "Return a memoryview of the raw memory underlying this buffer.\n\n"
     "Will raise BufferError is the buffer isn't contiguous."},
    {"release", picklebuf_release, METH_NOARGS,
     "release($self, /)\n--\n\n"
     "Release the underlying buffer exposed by the PickleBuffer object."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyPickleBuffer_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "pickle.PickleBuffer",
    .tp_basicsize = sizeof(PickleBuffer),
    .tp_dealloc = (destructor)picklebuf_dealloc,
    .tp_as_buffer = &picklebuf_as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "Wrapper for potentially out-of-band buffers",
    .tp_traverse = (traverseproc)picklebuf_traverse,
    .tp_clear = (inquiry)picklebuf_clear,
    .tp_weaklistoffset = offsetof(PickleBuffer, weakreflist),
    .tp_methods = picklebuf_methods,
    .tp_new = picklebuf_new,
};
