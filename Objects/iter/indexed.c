/* What iterators by index share (internal/index_iter.h). */
#include "Python.h"
#include "internal/gcstate.h"
#include "internal/index_iter.h"
#include "internal/int.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/spare.h"
#include "internal/unicode.h"

/* Loops make iterators all the time. */
static _PySpareObjects spare = _PySpareObjects_INIT(128);

static inline __attribute__((always_inline)) PyObject *
new_iter(PyTypeObject *type, PyObject *sequence, Py_ssize_t index)
{
    _PyIndexIter *it = (_PyIndexIter *)_PySpare_Take(&spare, type);
    if (it == NULL && (it = PyObject_GC_New(_PyIndexIter, type)) == NULL) {
        return NULL;
    }
    it->index = index;
    it->sequence = Py_NewRef(sequence);
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

PyObject *
_PyIndexIter_New(PyTypeObject *type, PyObject *sequence, Py_ssize_t index)
{
    return new_iter(type, sequence, index);
}

PyObject *
_PyIndexIter_Over(PyObject *iterable)
{
    PyTypeObject *type = PyTuple_CheckExact(iterable) ? &PyTupleIter_Type
                       : PyList_CheckExact(iterable) ? &PyListIter_Type
                       : PyUnicode_CheckExact(iterable) && PyUnicode_IS_COMPACT_ASCII(iterable)
                       ? &_PyUnicodeASCIIIter_Type : NULL;
    return type == NULL ? PyObject_GetIter(iterable) : new_iter(type, iterable, 0);
}

/* It is untracked, and has given up its sequence. */
static inline void
put_away(_PyIndexIter *it)
{
    if (!_PySpare_Keep(&spare, (PyObject *)it)) {
        PyObject_GC_Del(it);
    }
}

void
_PyIndexIter_DropExhausted(_PyIndexIter *it)
{
    if (Py_REFCNT(it) > 1 || __builtin_expect(_PyObject_ref_tracer.func != NULL, 0)) {
        Py_DECREF(it);
        return;
    }
    _PyObject_GC_UNTRACK((PyObject *)it);
    put_away(it);
}

void
_PyIndexIter_Dealloc(_PyIndexIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->sequence);
    put_away(it);
}

Py_ssize_t
_PyIndexIter_Take(PyObject *op, PyObject **to, Py_ssize_t most)
{
    _PyIndexIter *it = (_PyIndexIter *)op;
    if (it->sequence == NULL) {
        return 0;
    }
    Py_ssize_t n = Py_MIN(most, PySequence_Fast_GET_SIZE(it->sequence) - it->index);
    if (n <= 0) {
        return 0;
    }
    _Py_CopyRefs(to, PySequence_Fast_ITEMS(it->sequence) + it->index, n);
    it->index += n;
    return n;
}

static Py_ssize_t
take_from_end_of_list(PyObject *op, PyObject **to, Py_ssize_t most)
{
    _PyIndexIter *it = (_PyIndexIter *)op;
    if (it->sequence == NULL || it->index >= PyList_GET_SIZE(it->sequence)) {
        return 0;
    }
    Py_ssize_t n = Py_MIN(most, it->index + 1);
    PyObject *const *from = PySequence_Fast_ITEMS(it->sequence) + it->index;
    for (Py_ssize_t i = 0; i < n; i++) {
        to[i] = Py_NewRef(from[-i]);
    }
    it->index -= n;
    return n;
}

static Py_ssize_t
take_from_bytes(PyObject *op, PyObject **to, Py_ssize_t most)
{
    _PyIndexIter *it = (_PyIndexIter *)op;
    if (it->sequence == NULL) {
        return 0;
    }
    const char *from = PyBytes_AS_STRING(it->sequence) + it->index;
    Py_ssize_t n = Py_MIN(most, PyBytes_GET_SIZE(it->sequence) - it->index);
    for (Py_ssize_t i = 0; i < n; i++) {
        to[i] = _PyLong_GetSmall((unsigned char)from[i]);
    }
    it->index += n;
    return n;
}

static struct {
    PyTypeObject *type;
    _PyIterTaker take;
} takers[14] = {
    {&PyRangeIter_Type, _PyRangeIter_Take},
    {&PyListIter_Type, _PyIndexIter_Take},
    {&PyTupleIter_Type, _PyIndexIter_Take},
    {&PyListRevIter_Type, take_from_end_of_list},
    {&PyBytesIter_Type, take_from_bytes},
    {&PyReversed_Type, _PyReversed_Take},
    {&_PyUnicodeASCIIIter_Type, _PyUnicodeASCIIIter_Take},
    {&PySetIter_Type, _PySetIter_Take},
    {&PyDictIterKey_Type, _PyDictIter_TakeKeys},
    {&PyDictIterValue_Type, _PyDictIter_TakeValues},
    {&PyDictIterItem_Type, _PyDictIter_TakeItems},
};

_PyIterTaker
_PyIter_TakerOf(PyObject *it)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(takers); i++) {
        if (Py_IS_TYPE(it, takers[i].type)) {
            return takers[i].take;
        }
    }
    return NULL;
}

void
_PyIter_AddTaker(PyTypeObject *type, _PyIterTaker take)
{
    size_t i = 0;
    while (i < Py_ARRAY_LENGTH(takers) && takers[i].type != NULL && takers[i].type != type) {
        i++;
    }
    if (i == Py_ARRAY_LENGTH(takers)) {
        Py_FatalError("too many takers of iterators");
    }
    takers[i].type = type;
    takers[i].take = take;
}

int
_PyIndexIter_Traverse(_PyIndexIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->sequence);
    return 0;
}

/* What an exhausted iterator is pickled as one over. */
static PyObject *
empty_sequence(PyTypeObject *type)
{
    if (type == &PyListIter_Type || type == &PyListRevIter_Type) {
        return PyList_New(0);
    }
    return type == &PyUnicodeIter_Type || type == &_PyUnicodeASCIIIter_Type
           ? PyUnicode_New(0, 0) : PyTuple_New(0);
}

PyObject *
_PyIndexIter_Reduce(_PyIndexIter *it, PyObject *builtin)
{
    PyObject *function = _PyEval_GetBuiltin(builtin);
    if (function == NULL) {
        return NULL;
    }
    /* Looking the function up can run code that exhausts this iterator. */
    if (it->sequence != NULL) {
        return Py_BuildValue("N(O)n", function, it->sequence, it->index);
    }
    if (builtin != _Py_NAME(iter)) {
        Py_SETREF(function, _PyEval_GetBuiltin(_Py_NAME(iter)));
    }
    return Py_BuildValue("N(N)", function, empty_sequence(Py_TYPE(it)));
}

static PyObject *
indexiter_reduce(_PyIndexIter *it, PyObject *Py_UNUSED(ignored))
{
    return _PyIndexIter_Reduce(it, _Py_NAME(iter));
}

static Py_ssize_t
length_of(PyObject *sequence)
{
    return PyUnicode_Check(sequence) ? PyUnicode_GET_LENGTH(sequence) : Py_SIZE(sequence);
}

static PyObject *
indexiter_length_hint(_PyIndexIter *it, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t left = it->sequence != NULL ? length_of(it->sequence) - it->index : 0;
    return PyLong_FromSsize_t(Py_MAX(left, 0));
}

static PyObject *
indexiter_setstate(_PyIndexIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsSsize_t(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (it->sequence != NULL) {
        it->index = Py_MAX(0, Py_MIN(index, length_of(it->sequence)));
    }
    Py_RETURN_NONE;
}

PyMethodDef _PyIndexIter_Methods[] = {
    {"__length_hint__", (PyCFunction)indexiter_length_hint, METH_NOARGS,
     "Private method returning an estimate of len(list(it))."},
    {"__reduce__", (PyCFunction)indexiter_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nReturn state information for pickling."},
    {"__setstate__", (PyCFunction)indexiter_setstate, METH_O,
     "Set state information for unpickling."},
    {NULL, NULL, 0, NULL}
};
