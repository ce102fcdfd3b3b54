/* Iterators over lists, forwards and backwards. An iterator releases its list at the
   end, and stays exhausted even if the list grows again. */
#include "Python.h"
#include "internal/gc.h"
#include "internal/list.h"
#include "internal/names.h"

typedef _PyListIterObject ListIter;

PyObject *_PyList_Iter(PyObject *self);
PyObject *_PyList_Reversed(PyObject *self, PyObject *ignored);

static PyObject *
new_iter(PyTypeObject *type, PyObject *list, Py_ssize_t index)
{
    if (!PyList_Check(list)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    ListIter *it = PyObject_GC_New(ListIter, type);
    if (it == NULL) {
        return NULL;
    }
    it->it_index = index;
    it->it_seq = (PyListObject *)Py_NewRef(list);
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

PyObject *
_PyList_Iter(PyObject *self)
{
    return new_iter(&PyListIter_Type, self, 0);
}

PyObject *
_PyList_Reversed(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return new_iter(&PyListRevIter_Type, self, PyList_GET_SIZE(self) - 1);
}

static void
iter_dealloc(ListIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->it_seq);
    PyObject_GC_Del(it);
}

static int
iter_traverse(ListIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->it_seq);
    return 0;
}

static PyObject *
iter_next(ListIter *it)
{
    PyListObject *list = it->it_seq;
    if (list == NULL) {
        return NULL;
    }
    if (it->it_index < Py_SIZE(list)) {
        return Py_NewRef(list->ob_item[it->it_index++]);
    }
    it->it_seq = NULL;
    Py_DECREF(list);
    return NULL;
}

static PyObject *
reviter_next(ListIter *it)
{
    PyListObject *list = it->it_seq;
    if (list == NULL) {
        return NULL;
    }
    if (it->it_index >= 0 && it->it_index < Py_SIZE(list)) {
        return Py_NewRef(list->ob_item[it->it_index--]);
    }
    it->it_index = -1;
    it->it_seq = NULL;
    Py_DECREF(list);
    return NULL;
}

static PyObject *
iter_length_hint(ListIter *it, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t n = 0;
    if (it->it_seq != NULL) {
        n = Py_MAX(Py_SIZE(it->it_seq) - it->it_index, 0);
    }
    return PyLong_FromSsize_t(n);
}

static PyObject *
reviter_length_hint(ListIter *it, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t n = it->it_index + 1;
    if (it->it_seq == NULL || Py_SIZE(it->it_seq) < n) {
        n = 0;
    }
    return PyLong_FromSsize_t(n);
}

static PyObject *
reduce(ListIter *it, PyObject *builtin)
{
    PyObject *function = _PyEval_GetBuiltin(builtin);
    if (it->it_seq != NULL) {
        return Py_BuildValue("N(O)n", function, it->it_seq, it->it_index);
    }
    /* An exhausted iterator is pickled as one over an empty sequence. */
    if (builtin != _Py_NAME(iter)) {
        Py_XDECREF(function);
        function = _PyEval_GetBuiltin(_Py_NAME(iter));
    }
    return Py_BuildValue("N(N)", function, PyList_New(0));
}

static PyObject *
iter_reduce(ListIter *it, PyObject *Py_UNUSED(ignored))
{
    return reduce(it, _Py_NAME(iter));
}

static PyObject *
reviter_reduce(ListIter *it, PyObject *Py_UNUSED(ignored))
{
    return reduce(it, _Py_NAME(reversed));
}

static PyObject *
iter_setstate(ListIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->it_seq != NULL) {
        it->it_index = Py_MIN(Py_MAX(index, 0), Py_SIZE(it->it_seq));
    }
    Py_RETURN_NONE;
}

static PyObject *
reviter_setstate(ListIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->it_seq != NULL) {
        it->it_index = Py_MIN(Py_MAX(index, -1), Py_SIZE(it->it_seq) - 1);
    }
    Py_RETURN_NONE;
}

#define METHODS(prefix)                                                     \
    static PyMethodDef prefix##_methods[] = {                               \
        {"__length_hint__", (PyCFunction)prefix##_length_hint, METH_NOARGS, \
         "Private method returning an estimate of len(list(it))."},         \
        {"__reduce__", (PyCFunction)prefix##_reduce, METH_NOARGS,           \
         "Return state information for pickling."},                         \
        {"__setstate__", (PyCFunction)prefix##_setstate, METH_O,            \
         "Set state information for unpickling."},                          \
        {NULL, NULL, 0, NULL}                                               \
    }

METHODS(iter);
METHODS(reviter);

PyTypeObject PyListIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "list_iterator",
    .tp_basicsize = sizeof(ListIter),
    .tp_dealloc = (destructor)iter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)iter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)iter_next,
    .tp_methods = iter_methods,
};

PyTypeObject PyListRevIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "list_reverseiterator",
    .tp_basicsize = sizeof(ListIter),
    .tp_dealloc = (destructor)iter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)iter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)reviter_next,
    .tp_methods = reviter_methods,
};
