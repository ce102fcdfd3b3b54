/* Iterators over any object: by index (iter(sequence)), and by calling (iter(f, end)). */
#include "Python.h"
#include "internal/containers.h"
#include "internal/errors.h"
#include "internal/gc.h"
#include "internal/index_iter.h"
#include "internal/method_table.h"
#include "internal/names.h"

PyObject *
_PyIter_ReduceToList(PyObject *rest)
{
    PyObject *list = rest == NULL ? PyList_New(0) : PySequence_List(rest);
    Py_XDECREF(rest);
    return list == NULL ? NULL
           : Py_BuildValue("N(N)", _PyEval_GetBuiltin(_Py_NAME(iter)), list);
}

/* ----------------------------------------------------------------- by index */

PyObject *
PySeqIter_New(PyObject *seq)
{
    if (!PySequence_Check(seq)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return _PyIndexIter_New(&PySeqIter_Type, seq, 0);
}

static PyObject *
seqiter_next(_PyIndexIter *it)
{
    PyObject *seq = it->sequence;
    if (seq == NULL) {
        return NULL;
    }
    if (it->index == PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError, "iter index too large");
        return NULL;
    }
    /* (Its __getitem__() may call this very iterator, which lets go of it at the end.) */
    Py_INCREF(seq);
    PyObject *item = PySequence_GetItem(seq, it->index);
    if (item != NULL) {
        it->index++;
    }
    else if (PyErr_ExceptionMatches(PyExc_IndexError)
             || PyErr_ExceptionMatches(PyExc_StopIteration)) {
        PyErr_Clear();
        Py_CLEAR(it->sequence);
    }
    Py_DECREF(seq);
    return item;
}

static PyObject *
seqiter_length_hint(_PyIndexIter *it, PyObject *Py_UNUSED(ignored))
{
    if (it->sequence == NULL) {
        return PyLong_FromLong(0);
    }
    if (!_PyObject_HasLen(it->sequence)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    Py_ssize_t size = PySequence_Size(it->sequence);
    if (size == -1) {
        return NULL;
    }
    return PyLong_FromSsize_t(Py_MAX(size - it->index, 0));
}

static PyObject *
seqiter_reduce(_PyIndexIter *it, PyObject *Py_UNUSED(ignored))
{
    return _PyIndexIter_Reduce(it, _Py_NAME(iter));
}

static PyObject *
seqiter_setstate(_PyIndexIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->sequence != NULL) {
        it->index = Py_MAX(index, 0);
    }
    Py_RETURN_NONE;
}

static PyMethodDef seqiter_methods[] = {
    {"__length_hint__", (PyCFunction)seqiter_length_hint, METH_NOARGS,
     "Private method returning an estimate of len(list(it))."},
    {"__reduce__", (PyCFunction)seqiter_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {"__setstate__", (PyCFunction)seqiter_setstate, METH_O,
     "Set state information for unpickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PySeqIter_Type = INDEX_ITER_TYPE("iterator", seqiter_next, seqiter_methods);

/* --------------------------------------------------------------- by calling */

typedef struct {
    PyObject_HEAD
    PyObject *callable;         /* NULL when exhausted */
    PyObject *sentinel;
} CallIter;

PyObject *
PyCallIter_New(PyObject *callable, PyObject *sentinel)
{
    CallIter *it = PyObject_GC_New(CallIter, &PyCallIter_Type);
    if (it == NULL) {
        return NULL;
    }
    it->callable = Py_NewRef(callable);
    it->sentinel = Py_NewRef(sentinel);
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

static void
calliter_dealloc(CallIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->callable);
    Py_XDECREF(it->sentinel);
    PyObject_GC_Del(it);
}

static int
calliter_traverse(CallIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->callable);
    Py_VISIT(it->sentinel);
    return 0;
}

static void
calliter_finish(CallIter *it)
{
    Py_CLEAR(it->callable);
    Py_CLEAR(it->sentinel);
}

static PyObject *
calliter_next(CallIter *it)
{
    if (it->callable == NULL) {
        return NULL;
    }
    PyObject *callable = Py_NewRef(it->callable);
    PyObject *result = PyObject_CallNoArgs(callable);
    Py_DECREF(callable);
    if (result == NULL) {
        if (_PyErr_DropStopIteration() == 0) {
            calliter_finish(it);
        }
        return NULL;
    }
    if (it->sentinel == NULL) {
        /* The call has exhausted this iterator. */
        Py_DECREF(result);
        return NULL;
    }
    PyObject *sentinel = Py_NewRef(it->sentinel);
    int end = PyObject_RichCompareBool(sentinel, result, Py_EQ);
    Py_DECREF(sentinel);
    if (end == 0) {
        return result;
    }
    Py_DECREF(result);
    if (end > 0) {
        calliter_finish(it);
    }
    return NULL;
}

static PyObject *
calliter_reduce(CallIter *it, PyObject *Py_UNUSED(ignored))
{
    PyObject *function = _PyEval_GetBuiltin(_Py_NAME(iter));
    if (it->callable != NULL && it->sentinel != NULL) {
        return Py_BuildValue("N(OO)", function, it->callable, it->sentinel);
    }
    return Py_BuildValue("N(())", function);
}

static PyMethodDef calliter_methods[] = {
    {"__reduce__", (PyCFunction)calliter_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyCallIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "callable_iterator",
    .tp_basicsize = sizeof(CallIter),
    .tp_dealloc = (destructor)calliter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)calliter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)calliter_next,
    .tp_methods = calliter_methods,
};
