/* Iterators that are a sequence and an index: those of str, bytes, bytearray, list and tuple,
   and iter(sequence). An exhausted one has released its sequence, and stays exhausted even
   if the sequence grows again. The types differ in how they take a step. */
#ifndef SB_INTERNAL_INDEX_ITER_H
#define SB_INTERNAL_INDEX_ITER_H

#include "Python.h"

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;           /* of the next item */
    PyObject *sequence;         /* NULL once exhausted */
} _PyIndexIter;

PyObject *_PyIndexIter_New(PyTypeObject *type, PyObject *sequence, Py_ssize_t index);
void _PyIndexIter_Dealloc(_PyIndexIter *it);
/* iter(), which loops over tuples, lists and texts call. */
PyObject *_PyIndexIter_Over(PyObject *iterable);
/* Gives up a reference to one that is exhausted: it dies without running code. */
void _PyIndexIter_DropExhausted(_PyIndexIter *it);
int _PyIndexIter_Traverse(_PyIndexIter *it, visitproc visit, void *arg);
/* A taker moves items of an iterator to an array, as new references: `most` or fewer, and 0 where
   tp_iternext has to tell what is next. It runs no other code and never raises. */
typedef Py_ssize_t (*_PyIterTaker)(PyObject *it, PyObject **to, Py_ssize_t most);
/* NULL: this iterator has none. */
_PyIterTaker _PyIter_TakerOf(PyObject *it);
/* That of lists and tuples. */
Py_ssize_t _PyIndexIter_Take(PyObject *it, PyObject **to, Py_ssize_t most);
/* Those of ranges, reversed(), strs of ASCII, sets, and dicts. */
Py_ssize_t _PyReversed_Take(PyObject *it, PyObject **to, Py_ssize_t most);
Py_ssize_t _PyRangeIter_Take(PyObject *it, PyObject **to, Py_ssize_t most);
Py_ssize_t _PyUnicodeASCIIIter_Take(PyObject *it, PyObject **to, Py_ssize_t most);
Py_ssize_t _PySetIter_Take(PyObject *it, PyObject **to, Py_ssize_t most);
Py_ssize_t _PyDictIter_TakeKeys(PyObject *it, PyObject **to, Py_ssize_t most);
Py_ssize_t _PyDictIter_TakeValues(PyObject *it, PyObject **to, Py_ssize_t most);
Py_ssize_t _PyDictIter_TakeItems(PyObject *it, PyObject **to, Py_ssize_t most);
/* For a type outside Objects. */
void _PyIter_AddTaker(PyTypeObject *type, _PyIterTaker take);
/* __reduce__(): builtin(sequence) with the index as its state. */
PyObject *_PyIndexIter_Reduce(_PyIndexIter *it, PyObject *builtin);

/* __length_hint__(), __reduce__() and __setstate__() of those that count up to the length of
   a built-in sequence. */
extern PyMethodDef _PyIndexIter_Methods[];

#define INDEX_ITER_TYPE(name, step, methods)                \
    {                                                       \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)              \
        .tp_name = name,                                    \
        .tp_basicsize = sizeof(_PyIndexIter),               \
        .tp_dealloc = (destructor)_PyIndexIter_Dealloc,     \
        .tp_getattro = PyObject_GenericGetAttr,             \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,\
        .tp_traverse = (traverseproc)_PyIndexIter_Traverse, \
        .tp_iter = PyObject_SelfIter,                       \
        .tp_iternext = (iternextfunc)step,                  \
        .tp_methods = methods,                              \
    }

/* tp_iternext, for a type with this length and these items (new references). */
static inline __attribute__((always_inline)) PyObject *
_PyIndexIter_Step(_PyIndexIter *it, Py_ssize_t (*length)(PyObject *),
                  PyObject *(*item)(PyObject *, Py_ssize_t))
{
    PyObject *sequence = it->sequence;
    if (sequence == NULL) {
        return NULL;
    }
    if (it->index < length(sequence)) {
        return item(sequence, it->index++);
    }
    it->sequence = NULL;
    Py_DECREF(sequence);
    return NULL;
}

static inline Py_ssize_t
_PyIndexIter_Size(PyObject *sequence)
{
    return Py_SIZE(sequence);
}

#endif
