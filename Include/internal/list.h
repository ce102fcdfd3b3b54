/* Lists from inside. */
#ifndef SB_INTERNAL_LIST_H
#define SB_INTERNAL_LIST_H

#include "Python.h"
#include "internal/index_iter.h"
#include "internal/tuple.h"

/* Grows the list by one; the slow path of appending. Steals item. */
int _PyList_AppendGrow(PyListObject *list, PyObject *item);

/* Steals item, also on failure. */
static inline int
_PyList_AppendTakeRef(PyListObject *list, PyObject *item)
{
    Py_ssize_t n = Py_SIZE(list);
    if (n < list->allocated) {
        list->ob_item[n] = item;
        Py_SET_SIZE(list, n + 1);
        return 0;
    }
    return _PyList_AppendGrow(list, item);
}

/* An untracked list of size 0 with room for exactly n items. */
PyListObject *_PyList_NewWithRoom(Py_ssize_t n);

/* The same with n items, whose references it takes over, also on failure. */
PyListObject *_PyList_WithRoomSteal(PyObject *const *items, Py_ssize_t n, Py_ssize_t room);

/* A list that takes over n references, also on failure. */
PyObject *_PyList_FromArraySteal(PyObject *const *items, Py_ssize_t n);
/* A list whose array is `items`, from PyMem_Malloc() with place for `room`, or NULL for none. On
   failure the caller keeps it. */
PyObject *_PyList_TakeArray(PyObject **items, Py_ssize_t n, Py_ssize_t room);
/* Appends n references, which it steals on success only: 0 or -1. */
int _PyList_ExtendArraySteal(PyListObject *list, PyObject *const *items, Py_ssize_t n);

/* Frees an exact list that nothing refers to. Its items have been released. */
void _PyList_FreeEmptied(PyListObject *list);

/* list[start:stop:step], of indices as PySlice_Unpack() gives them. */
PyObject *_PyList_GetExtended(PyListObject *list, Py_ssize_t start, Py_ssize_t stop,
                              Py_ssize_t step);

static inline PyObject **
_PyList_ITEMS(PyObject *list)
{
    return ((PyListObject *)list)->ob_item;
}

static inline void
_PyList_ReverseItems(PyObject **items, Py_ssize_t n)
{
    for (PyObject **low = items, **high = items + n - 1; low < high; low++, high--) {
        PyObject *swap = *low;
        *low = *high;
        *high = swap;
    }
}

/* Appends what an iterator has left. -1 with an exception. */
int _PyList_TakeAll(PyListObject *list, PyObject *iter);

/* The next item of an iterator over a list or tuple; NULL without an exception: tp_iternext has to
   be asked. */
static inline PyObject *
_PyIter_StepArray(PyObject *it)
{
    int is_list = Py_IS_TYPE(it, &PyListIter_Type);
    if (is_list || Py_IS_TYPE(it, &PyTupleIter_Type)) {
        _PyIndexIter *at = (_PyIndexIter *)it;
        if (at->sequence != NULL && at->index < Py_SIZE(at->sequence)) {
            PyObject *const *items = is_list ? _PyList_ITEMS(at->sequence)
                                             : _PyTuple_ITEMS(at->sequence);
            return Py_NewRef(items[at->index++]);
        }
    }
    return NULL;
}

/* The next item of any iterator (tp_iternext). */
static inline PyObject *
_PyIter_Step(PyObject *it)
{
    PyObject *item = _PyIter_StepArray(it);
    return item != NULL ? item : Py_TYPE(it)->tp_iternext(it);
}

/* list.sort(key=, reverse=); keyfunc may be NULL. */
int _PyList_SortWithKey(PyListObject *list, PyObject *keyfunc, int reverse);
/* The method. */
PyObject *_PyList_Sort(PyObject *list, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames);

#endif
