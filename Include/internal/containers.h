/* Smaller parts of the containers that other files use. */
#ifndef SB_INTERNAL_CONTAINERS_H
#define SB_INTERNAL_CONTAINERS_H

#include "Python.h"

/* Python/vm/anext.c: anext(it, default). */
PyObject *_PyAnextAwaitable_New(PyObject *awaitable, PyObject *default_value);
extern PyTypeObject _PyAnextAwaitable_Type;

/* types.SimpleNamespace. */
extern PyTypeObject _PyNamespace_Type;
PyAPI_FUNC(PyObject *) _PyNamespace_New(PyObject *kwds);

/* Objects/iter/iter.c: iter(list of the items that are left), as an iterator's __reduce__() returns
   it. rest: another iterator that goes over them, which is stolen; or NULL. */
PyObject *_PyIter_ReduceToList(PyObject *rest);

/* How the iterators of sets, and of dicts' keys and values, begin: they own nothing else. */
typedef struct {
    PyObject_HEAD
    PyObject *container;        /* NULL when exhausted */
} _PyTableIter;
/* What an iterator over a dict's items owns as well: its last pair. */
PyObject *_PyDictIter_Pair(PyObject *it);

PyAPI_FUNC(PyTypeObject *) _PyStructSequence_NewType(PyStructSequence_Desc *desc,
                                        unsigned long tp_flags);

#endif
