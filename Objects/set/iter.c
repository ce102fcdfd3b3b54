/* The iterator over a set. It goes through the table, and ends with an error when the number of keys
   is another one than at its start. */
#include "private.h"
#include "internal/containers.h"
#include <stddef.h>

typedef struct {
    PyObject_HEAD
    PySetObject *set;           /* NULL when exhausted */
    Py_ssize_t used;            /* len(set) at the start; -1: in error */
    Py_ssize_t pos;
    Py_ssize_t left;
} SetIter;

_Static_assert(offsetof(SetIter, set) == offsetof(_PyTableIter, container), "");

PyObject *
_PySet_Iter(PyObject *self)
{
    SetIter *it = PyObject_GC_New(SetIter, &PySetIter_Type);
    if (it == NULL) {
        return NULL;
    }
    it->set = SET(Py_NewRef(self));
    it->used = it->left = SET(self)->used;
    it->pos = 0;
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

static void
setiter_dealloc(SetIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->set);
    PyObject_GC_Del(it);
}

static int
setiter_traverse(SetIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->set);
    return 0;
}

static PyObject *
setiter_next(SetIter *it)
{
    PySetObject *so = it->set;
    if (so == NULL) {
        return NULL;
    }
    if (it->used != so->used) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Set changed size during iteration");
        it->used = -1;
        return NULL;
    }
    setentry *slot = set_next(so, &it->pos);
    if (slot != NULL) {
        it->left--;
        return Py_NewRef(slot->key);
    }
    it->set = NULL;
    Py_DECREF(so);
    return NULL;
}

Py_ssize_t
_PySetIter_Take(PyObject *op, PyObject **to, Py_ssize_t most)
{
    SetIter *it = (SetIter *)op;
    PySetObject *so = it->set;
    if (so == NULL || it->used != so->used) {
        return 0;
    }
    Py_ssize_t n = 0;
    setentry *slot;
    while (n < most && (slot = set_next(so, &it->pos)) != NULL) {
        to[n++] = Py_NewRef(slot->key);
    }
    it->left -= n;
    return n;
}

static PyObject *
setiter_length_hint(SetIter *it, PyObject *Py_UNUSED(ignored))
{
    int valid = it->set != NULL && it->used == it->set->used;
    return PyLong_FromSsize_t(valid ? it->left : 0);
}

static PyObject *
setiter_reduce(SetIter *it, PyObject *Py_UNUSED(ignored))
{
    if (it->set == NULL) {
        return _PyIter_ReduceToList(NULL);
    }
    SetIter *copy = (SetIter *)_PySet_Iter((PyObject *)it->set);
    if (copy == NULL) {
        return NULL;
    }
    copy->used = it->used;
    copy->pos = it->pos;
    copy->left = it->left;
    return _PyIter_ReduceToList((PyObject *)copy);
}

static PyMethodDef setiter_methods[] = {
    {"__length_hint__", (PyCFunction)setiter_length_hint, METH_NOARGS,
     "Private method returning an estimate of len(list(it))."},
    {"__reduce__", (PyCFunction)setiter_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PySetIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "set_iterator",
    .tp_basicsize = sizeof(SetIter),
    .tp_dealloc = (destructor)setiter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)setiter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)setiter_next,
    .tp_methods = setiter_methods,
};
