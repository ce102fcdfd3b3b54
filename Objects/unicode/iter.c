/* Iterators over strings.

   An ASCII string gets an iterator of its own type, whose step only loads a byte and
   indexes the shared one-character strings. */
#include "private.h"
#include "internal/gc.h"

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;
    PyObject *text;             /* NULL once exhausted */
} UnicodeIter;

static void
iter_dealloc(UnicodeIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->text);
    PyObject_GC_Del(it);
}

static int
iter_traverse(UnicodeIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->text);
    return 0;
}

static PyObject *
iter_next(UnicodeIter *it)
{
    PyObject *text = it->text;
    if (text == NULL) {
        return NULL;
    }
    if (it->index < LENGTH(text)) {
        return _PyUnicode_ItemSlot(text, it->index++);
    }
    it->text = NULL;
    Py_DECREF(text);
    return NULL;
}

static PyObject *
ascii_iter_next(UnicodeIter *it)
{
    PyObject *text = it->text;
    if (text == NULL) {
        return NULL;
    }
    if (it->index < LENGTH(text)) {
        return _PyUnicode_FromLatin1Char(
            ((const Py_UCS1 *)DATA(text))[it->index++]);
    }
    it->text = NULL;
    Py_DECREF(text);
    return NULL;
}

static PyObject *
iter_length_hint(UnicodeIter *it, PyObject *Py_UNUSED(unused))
{
    return PyLong_FromSsize_t(it->text ? LENGTH(it->text) - it->index : 0);
}

static PyObject *
iter_reduce(UnicodeIter *it, PyObject *Py_UNUSED(unused))
{
    PyObject *iter = _PyEval_GetBuiltin(_Py_NAME(iter));
    if (iter == NULL) {
        return NULL;
    }
    /* Looking up "iter" can run code that exhausts this iterator. */
    if (it->text != NULL) {
        return Py_BuildValue("N(O)n", iter, it->text, it->index);
    }
    return Py_BuildValue("N(N)", iter, _PyUnicode_NewEmpty());
}

static PyObject *
iter_setstate(UnicodeIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->text != NULL) {
        it->index = Py_MAX(0, Py_MIN(index, LENGTH(it->text)));
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

#define ITERATOR_TYPE(name, next)                           \
    {                                                       \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)              \
        .tp_name = name,                                    \
        .tp_basicsize = sizeof(UnicodeIter),                \
        .tp_dealloc = (destructor)iter_dealloc,             \
        .tp_getattro = PyObject_GenericGetAttr,             \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,\
        .tp_traverse = (traverseproc)iter_traverse,         \
        .tp_iter = PyObject_SelfIter,                       \
        .tp_iternext = (iternextfunc)next,                  \
        .tp_methods = iter_methods,                         \
    }

PyTypeObject PyUnicodeIter_Type = ITERATOR_TYPE("str_iterator", iter_next);
PyTypeObject _PyUnicodeASCIIIter_Type =
    ITERATOR_TYPE("str_ascii_iterator", ascii_iter_next);

PyObject *
_PyUnicode_Iter(PyObject *op)
{
    if (!PyUnicode_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (PyUnicode_READY(op) < 0) {
        return NULL;
    }
    PyTypeObject *type = PyUnicode_IS_COMPACT_ASCII(op)
        ? &_PyUnicodeASCIIIter_Type : &PyUnicodeIter_Type;
    UnicodeIter *it = PyObject_GC_New(UnicodeIter, type);
    if (it == NULL) {
        return NULL;
    }
    it->index = 0;
    it->text = Py_NewRef(op);
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}
