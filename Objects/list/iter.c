/* Iterators over lists, forwards and backwards. */
#include "Python.h"
#include "internal/index_iter.h"
#include "internal/list.h"
#include "internal/names.h"

PyObject *_PyList_Iter(PyObject *self);
PyObject *_PyList_Reversed(PyObject *self, PyObject *ignored);

static PyObject *
new_iter(PyTypeObject *type, PyObject *list, Py_ssize_t index)
{
    if (!PyList_Check(list)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return _PyIndexIter_New(type, list, index);
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

static inline PyObject *
item(PyObject *list, Py_ssize_t i)
{
    return Py_NewRef(_PyList_ITEMS(list)[i]);
}

static PyObject *
iter_next(_PyIndexIter *it)
{
    return _PyIndexIter_Step(it, _PyIndexIter_Size, item);
}

static PyObject *
reviter_next(_PyIndexIter *it)
{
    PyObject *list = it->sequence;
    if (list == NULL) {
        return NULL;
    }
    if (it->index >= 0 && it->index < Py_SIZE(list)) {
        return item(list, it->index--);
    }
    it->index = -1;
    it->sequence = NULL;
    Py_DECREF(list);
    return NULL;
}

static PyObject *
reviter_length_hint(_PyIndexIter *it, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t n = it->index + 1;
    if (it->sequence == NULL || Py_SIZE(it->sequence) < n) {
        n = 0;
    }
    return PyLong_FromSsize_t(n);
}

static PyObject *
reviter_reduce(_PyIndexIter *it, PyObject *Py_UNUSED(ignored))
{
    return _PyIndexIter_Reduce(it, _Py_NAME(reversed));
}

static PyObject *
reviter_setstate(_PyIndexIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->sequence != NULL) {
        it->index = Py_MIN(Py_MAX(index, -1), Py_SIZE(it->sequence) - 1);
    }
    Py_RETURN_NONE;
}

static PyMethodDef reviter_methods[] = {
    {"__length_hint__", (PyCFunction)reviter_length_hint, METH_NOARGS,
     "Private method returning an estimate of len(list(it))."},
    {"__reduce__", (PyCFunction)reviter_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {"__setstate__", (PyCFunction)reviter_setstate, METH_O,
     "Set state information for unpickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyListIter_Type =
    INDEX_ITER_TYPE("list_iterator", iter_next, _PyIndexIter_Methods);
PyTypeObject PyListRevIter_Type =
    INDEX_ITER_TYPE("list_reverseiterator", reviter_next, reviter_methods);
