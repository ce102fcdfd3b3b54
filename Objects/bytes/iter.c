/* The iterators of bytes and bytearray. They share one structure and one set of
   functions, but are two types because pickles and type() tell them apart.

   A bytearray may change its size during iteration, so the length is read at every
   step. An exhausted iterator releases the source and stays exhausted. */
#include "private.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *source;           /* NULL once exhausted */
} BytesLikeIter;

static void
iter_dealloc(BytesLikeIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->source);
    PyObject_GC_Del(it);
}

static int
iter_traverse(BytesLikeIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->source);
    return 0;
}

static PyObject *
iter_next(BytesLikeIter *it)
{
    PyObject *source = it->source;
    if (source == NULL) {
        return NULL;
    }
    if (it->index < Py_SIZE(source)) {
        return _PyLong_GetSmall((unsigned char)_PyBytesLike_Data(source)[it->index++]);
    }
    it->source = NULL;
    Py_DECREF(source);
    return NULL;
}

static PyObject *
iter_length_hint(BytesLikeIter *it, PyObject *Py_UNUSED(unused))
{
    Py_ssize_t left = it->source ? Py_SIZE(it->source) - it->index : 0;
    return PyLong_FromSsize_t(Py_MAX(left, 0));
}

static PyObject *
iter_reduce(BytesLikeIter *it, PyObject *Py_UNUSED(unused))
{
    PyObject *iter = _PyEval_GetBuiltin(_Py_NAME(iter));
    if (iter == NULL) {
        return NULL;
    }
    /* Looking up "iter" can run code that exhausts this iterator. */
    if (it->source != NULL) {
        return Py_BuildValue("N(O)n", iter, it->source, it->index);
    }
    return Py_BuildValue("N(())", iter);
}

static PyObject *
iter_setstate(BytesLikeIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->source != NULL) {
        it->index = Py_MAX(0, Py_MIN(index, Py_SIZE(it->source)));
    }
    Py_RETURN_NONE;
}

static PyMethodDef iter_methods[] = {
    {"__length_hint__", (PyCFunction)iter_length_hint, METH_NOARGS,
     "An estimate of the length of what is left."},
    {"__reduce__", (PyCFunction)iter_reduce, METH_NOARGS,
     "State for pickling."},
    {"__setstate__", (PyCFunction)iter_setstate, METH_O,
     "Set state for unpickling."},
    {NULL, NULL, 0, NULL},
};

#define BYTES_LIKE_ITERATOR(name)                       \
    PyVarObject_HEAD_INIT(&PyType_Type, 0)              \
    .tp_name = name,                                    \
    .tp_basicsize = sizeof(BytesLikeIter),              \
    .tp_dealloc = (destructor)iter_dealloc,             \
    .tp_getattro = PyObject_GenericGetAttr,             \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,\
    .tp_traverse = (traverseproc)iter_traverse,         \
    .tp_iter = PyObject_SelfIter,                       \
    .tp_iternext = (iternextfunc)iter_next,             \
    .tp_methods = iter_methods

PyTypeObject PyBytesIter_Type = {BYTES_LIKE_ITERATOR("bytes_iterator")};
PyTypeObject PyByteArrayIter_Type = {BYTES_LIKE_ITERATOR("bytearray_iterator")};

PyObject *
_PyBytesLike_Iter(PyObject *self)
{
    BytesLikeIter *it = PyObject_GC_New(BytesLikeIter, PyBytes_Check(self)
                                        ? &PyBytesIter_Type : &PyByteArrayIter_Type);
    if (it == NULL) {
        return NULL;
    }
    it->index = 0;
    it->source = Py_NewRef(self);
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}
