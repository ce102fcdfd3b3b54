/* enumerate and reversed. */
#include "Python.h"
#include "internal/enumerate.h"
#include "internal/gc.h"
#include "internal/index_iter.h"
#include "internal/int.h"
#include "internal/list.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/tuple.h"
#include "internal/type.h"

/* ---------------------------------------------------------------- enumerate */

typedef _PyEnumerate Enumerate;

/* start may be NULL. */
static PyObject *
enumerate_make(PyTypeObject *type, PyObject *iterable, PyObject *start)
{
    Enumerate *self = (Enumerate *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    if (start != NULL) {
        PyObject *index = PyNumber_Index(start);
        if (index == NULL) {
            goto error;
        }
        self->index = PyLong_AsSsize_t(index);
        if (self->index == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            self->index = PY_SSIZE_T_MAX;
        }
        if (self->index == PY_SSIZE_T_MAX) {
            self->big_index = index;
        }
        else {
            Py_DECREF(index);
        }
    }
    self->iter = PyObject_GetIter(iterable);
    if (self->iter == NULL) {
        goto error;
    }
    self->pair = PyTuple_Pack(2, Py_None, Py_None);
    if (self->pair == NULL) {
        goto error;
    }
    return (PyObject *)self;
error:
    Py_DECREF(self);
    return NULL;
}

/* Is this the name of the keyword? If not, sets an exception. */
static int
check_keyword(PyObject *name, const char *wanted)
{
    if (_PyUnicode_EqualToASCIIString(name, wanted)) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError,
                 "'%.200S' is an invalid keyword argument for enumerate()",
                 name);
    return 0;
}

static PyObject *
enumerate_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                     PyObject *kwnames)
{
    PyTypeObject *tp = (PyTypeObject *)type;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    Py_ssize_t nkw = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    if (nargs == 1 && nkw == 1) {
        return check_keyword(PyTuple_GET_ITEM(kwnames, 0), "start")
            ? enumerate_make(tp, args[0], args[1]) : NULL;
    }
    if (nargs == 0 && nkw == 2) {
        int swapped = _PyUnicode_EqualToASCIIString(
            PyTuple_GET_ITEM(kwnames, 0), "start");
        if (!check_keyword(PyTuple_GET_ITEM(kwnames, swapped), "iterable")
            || !check_keyword(PyTuple_GET_ITEM(kwnames, !swapped), "start")) {
            return NULL;
        }
        return enumerate_make(tp, args[swapped], args[!swapped]);
    }
    if (nargs == 0 && nkw == 1) {
        return check_keyword(PyTuple_GET_ITEM(kwnames, 0), "iterable")
            ? enumerate_make(tp, args[0], NULL) : NULL;
    }
    if (nkw == 0 && (nargs == 1 || nargs == 2)) {
        return enumerate_make(tp, args[0], nargs == 2 ? args[1] : NULL);
    }
    if (nargs + nkw == 0) {
        PyErr_SetString(PyExc_TypeError,
                        "enumerate() missing required argument 'iterable'");
        return NULL;
    }
    PyErr_Format(PyExc_TypeError,
                 "enumerate() takes at most 2 arguments (%zd given)",
                 nargs + nkw);
    return NULL;
}

static PyObject *
enumerate_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"iterable", "start", NULL};
    PyObject *iterable, *start = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:enumerate", keywords,
                                     &iterable, &start)) {
        return NULL;
    }
    return enumerate_make(type, iterable, start);
}

static void
enumerate_dealloc(Enumerate *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->iter);
    Py_XDECREF(self->pair);
    Py_XDECREF(self->big_index);
    Py_XDECREF(self->one);
    Py_TYPE(self)->tp_free(self);
}

static int
enumerate_traverse(Enumerate *self, visitproc visit, void *arg)
{
    Py_VISIT(self->iter);
    Py_VISIT(self->pair);
    Py_VISIT(self->big_index);
    Py_VISIT(self->one);
    return 0;
}

/* The step beyond machine words. Returns a new reference. */
static PyObject *
next_big_index(Enumerate *self)
{
    if (self->big_index == NULL) {
        self->big_index = PyLong_FromSsize_t(PY_SSIZE_T_MAX);
        if (self->big_index == NULL) {
            return NULL;
        }
    }
    if (self->one == NULL) {
        self->one = PyLong_FromLong(1);
    }
    PyObject *next = PyNumber_Add(self->big_index, self->one);
    if (next == NULL) {
        return NULL;
    }
    PyObject *index = self->big_index;
    self->big_index = next;
    return index;
}

/* The pair keeps the item alive until the next one, as if it had been given out. */
PyObject *
_PyEnumerate_NextItem(Enumerate *self)
{
    if (_Py_GuardCStack("") < 0) {
        return NULL;
    }
    PyObject *item = _PyIter_Step(self->iter);
    if (item == NULL) {
        return NULL;
    }
    self->index++;
    PyObject *pair = self->pair;
    if (Py_REFCNT(pair) == 1) {
        Py_INCREF(pair);
        PyObject *old = PyTuple_GET_ITEM(pair, 1);
        PyTuple_SET_ITEM(pair, 1, Py_NewRef(item));
        Py_DECREF(old);
        if (!_PyObject_GC_IS_TRACKED(pair)) {
            _PyObject_GC_TRACK(pair);
        }
        Py_DECREF(pair);
    }
    return item;
}

static PyObject *
enumerate_next(Enumerate *self)
{
    if (_Py_GuardCStack("") < 0) {
        return NULL;
    }
    PyObject *item = Py_TYPE(self->iter)->tp_iternext(self->iter);
    if (item == NULL) {
        return NULL;
    }
    PyObject *index = self->index == PY_SSIZE_T_MAX
        ? next_big_index(self) : _PyLong_FromInt64(self->index++);
    if (index == NULL) {
        Py_DECREF(item);
        return NULL;
    }
    PyObject *pair = self->pair;
    if (Py_REFCNT(pair) != 1) {
        return _PyTuple_PairSteal(index, item);
    }
    Py_INCREF(pair);
    PyObject *old_index = PyTuple_GET_ITEM(pair, 0);
    PyObject *old_item = PyTuple_GET_ITEM(pair, 1);
    PyTuple_SET_ITEM(pair, 0, index);
    PyTuple_SET_ITEM(pair, 1, item);
    Py_DECREF(old_index);
    Py_DECREF(old_item);
    /* A collection may have untracked the pair when its old items were free of cycles. */
    if (!_PyObject_GC_IS_TRACKED(pair)) {
        _PyObject_GC_TRACK(pair);
    }
    return pair;
}

static PyObject *
enumerate_reduce(Enumerate *self, PyObject *Py_UNUSED(ignored))
{
    if (self->big_index != NULL) {
        return Py_BuildValue("O(OO)", Py_TYPE(self), self->iter,
                             self->big_index);
    }
    return Py_BuildValue("O(On)", Py_TYPE(self), self->iter, self->index);
}

static PyMethodDef enumerate_methods[] = {
    {"__reduce__", (PyCFunction)enumerate_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyEnum_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "enumerate",
    .tp_basicsize = sizeof(Enumerate),
    .tp_dealloc = (destructor)enumerate_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "enumerate(iterable, start=0)\n--\n\n"
        "Return an enumerate object.\n\n"
        "  iterable\n"
        "    an object supporting iteration\n\n"
        "The enumerate object yields pairs of a count (from start, which "
        "defaults\nto zero) and a value yielded by the iterable argument.\n\n"
        "enumerate is useful for obtaining an indexed list:\n"
        "    (0, seq[0]), (1, seq[1]), (2, seq[2]), ...",
    .tp_traverse = (traverseproc)enumerate_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)enumerate_next,
    .tp_methods = enumerate_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = enumerate_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = enumerate_vectorcall,
};

/* ----------------------------------------------------------------- reversed */

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;           /* of the next item; -1 at the end */
    PyObject *seq;              /* NULL at the end */
} Reversed;

static PyObject *
reversed_make(PyTypeObject *type, PyObject *seq)
{
    PyObject *method = _PyObject_LookupSpecial(seq, _Py_NAME(dunder_reversed));
    if (method == Py_None) {
        Py_DECREF(method);
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not reversible",
                     Py_TYPE(seq)->tp_name);
        return NULL;
    }
    if (method != NULL) {
        PyObject *result = PyObject_CallNoArgs(method);
        Py_DECREF(method);
        return result;
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (!PySequence_Check(seq)) {
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not reversible",
                     Py_TYPE(seq)->tp_name);
        return NULL;
    }
    Py_ssize_t n = PySequence_Size(seq);
    if (n == -1) {
        return NULL;
    }
    Reversed *self = (Reversed *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->index = n - 1;
    self->seq = Py_NewRef(seq);
    return (PyObject *)self;
}

static PyObject *
reversed_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if ((type == &PyReversed_Type || type->tp_init == PyReversed_Type.tp_init)
        && !_PyArg_NoKeywords("reversed", kwds)) {
        return NULL;
    }
    if (!_PyArg_CheckPositional("reversed", PyTuple_GET_SIZE(args), 1, 1)) {
        return NULL;
    }
    return reversed_make(type, PyTuple_GET_ITEM(args, 0));
}

static PyObject *
reversed_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                    PyObject *kwnames)
{
    if (!_PyArg_NoKwnames("reversed", kwnames)
        || !_PyArg_CheckPositional("reversed", PyVectorcall_NARGS(nargsf),
                                   1, 1)) {
        return NULL;
    }
    return reversed_make((PyTypeObject *)type, args[0]);
}

static void
reversed_dealloc(Reversed *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->seq);
    Py_TYPE(self)->tp_free(self);
}

static int
reversed_traverse(Reversed *self, visitproc visit, void *arg)
{
    Py_VISIT(self->seq);
    return 0;
}

static PyObject *
reversed_next(Reversed *self)
{
    if (self->index >= 0) {
        PyObject *item = PySequence_GetItem(self->seq, self->index);
        if (item != NULL) {
            self->index--;
            return item;
        }
        if (PyErr_ExceptionMatches(PyExc_IndexError)
            || PyErr_ExceptionMatches(PyExc_StopIteration)) {
            PyErr_Clear();
        }
    }
    self->index = -1;
    Py_CLEAR(self->seq);
    return NULL;
}

/* Of a tuple, or a str of ASCII: what has a __reversed__() is not gone through by this type. */
Py_ssize_t
_PyReversed_Take(PyObject *op, PyObject **to, Py_ssize_t most)
{
    Reversed *self = (Reversed *)op;
    PyObject *seq = self->seq;
    Py_ssize_t last = self->index, n = Py_MIN(most, last + 1);
    if (seq != NULL && PyTuple_CheckExact(seq)) {
        for (Py_ssize_t i = 0; i < n; i++) {
            to[i] = Py_NewRef(PyTuple_GET_ITEM(seq, last - i));
        }
    }
    else if (seq != NULL && PyUnicode_CheckExact(seq) && PyUnicode_IS_COMPACT_ASCII(seq)) {
        const Py_UCS1 *characters = PyUnicode_1BYTE_DATA(seq);
        for (Py_ssize_t i = 0; i < n; i++) {
            to[i] = _PyUnicode_FromLatin1Char(characters[last - i]);
        }
    }
    else {
        return 0;
    }
    self->index -= n;
    return n;
}

static PyObject *
reversed_length_hint(Reversed *self, PyObject *Py_UNUSED(ignored))
{
    if (self->seq == NULL) {
        return PyLong_FromLong(0);
    }
    Py_ssize_t size = PySequence_Size(self->seq);
    if (size == -1) {
        return NULL;
    }
    Py_ssize_t left = self->index + 1;
    return PyLong_FromSsize_t(size < left ? 0 : left);
}

static PyObject *
reversed_reduce(Reversed *self, PyObject *Py_UNUSED(ignored))
{
    if (self->seq != NULL) {
        return Py_BuildValue("O(O)n", Py_TYPE(self), self->seq, self->index);
    }
    return Py_BuildValue("O(())", Py_TYPE(self));
}

static PyObject *
reversed_setstate(Reversed *self, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (self->seq != NULL) {
        Py_ssize_t n = PySequence_Size(self->seq);
        if (n < 0) {
            return NULL;
        }
        self->index = Py_MIN(Py_MAX(index, -1), n - 1);
    }
    Py_RETURN_NONE;
}

static PyMethodDef reversed_methods[] = {
    {"__length_hint__", (PyCFunction)reversed_length_hint, METH_NOARGS,
     "Private method returning an estimate of len(list(it))."},
    {"__reduce__", (PyCFunction)reversed_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {"__setstate__", (PyCFunction)reversed_setstate, METH_O,
     "Set state information for unpickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyReversed_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "reversed",
    .tp_basicsize = sizeof(Reversed),
    .tp_dealloc = (destructor)reversed_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "reversed(sequence, /)\n--\n\n"
        "Return a reverse iterator over the values of the given sequence.",
    .tp_traverse = (traverseproc)reversed_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)reversed_next,
    .tp_methods = reversed_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = reversed_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = reversed_vectorcall,
};
