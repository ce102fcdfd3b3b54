/* Lists: the type, its methods and its C API. Sorting is in sort.c,
   iterators in iter.c.

   ob_item has room for `allocated` items, of which ob_size are in use; it
   grows by an eighth, and shrinks when less than half is used. While a list is
   being sorted, allocated is -1. */
#include "Python.h"
#include "internal/compare.h"
#include "internal/errors.h"
#include "internal/gc.h"
#include "internal/gcstate.h"
#include "internal/getargs.h"
#include "internal/index_iter.h"
#include "internal/list.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/trashcan.h"

#define LIST(op) ((PyListObject *)(op))

#define FREE_LISTS_MAX 80

static PyListObject *free_lists[FREE_LISTS_MAX];
static int free_lists_count;

static void
clear_free_lists(void)
{
    while (free_lists_count > 0) {
        PyObject_Free(_Py_AS_GC((PyObject *)free_lists[--free_lists_count]));
    }
}

void
_PyList_DebugMallocStats(FILE *out)
{
    fprintf(out, "%d free PyListObjects\n", free_lists_count);
}

/* ------------------------------------------------------------------- memory */

/* Sets the size, and reallocates if the room does not suit it. New items are
   uninitialised. */
static int
resize(PyListObject *self, Py_ssize_t size)
{
    Py_ssize_t allocated = self->allocated;
    if (allocated >= size && size >= (allocated >> 1)) {
        Py_SET_SIZE(self, size);
        return 0;
    }
    size_t room = ((size_t)size + ((size_t)size >> 3) + 6) & ~(size_t)3;
    /* The list grows by more than the extra room: allocate only what is needed. */
    if (size - Py_SIZE(self) > (Py_ssize_t)(room - (size_t)size)) {
        room = ((size_t)size + 3) & ~(size_t)3;
    }
    if (size == 0) {
        room = 0;
    }
    PyObject **items = NULL;
    if (room > (size_t)PY_SSIZE_T_MAX / sizeof(PyObject *)
        || (items = PyMem_Realloc(self->ob_item,
                                  room * sizeof(PyObject *))) == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->ob_item = items;
    self->allocated = (Py_ssize_t)room;
    Py_SET_SIZE(self, size);
    return 0;
}

/* The first allocation for a list without items. */
static int
reserve_first(PyListObject *self, Py_ssize_t size)
{
    size_t room = ((size_t)size + 1) & ~(size_t)1;
    PyObject **items = PyMem_New(PyObject *, room);
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->ob_item = items;
    self->allocated = (Py_ssize_t)room;
    return 0;
}

/* Returns an empty, untracked list. */
static PyListObject *
new_empty(void)
{
    static int registered;
    PyListObject *self;
    if (free_lists_count > 0) {
        self = free_lists[--free_lists_count];
        _Py_NewReference((PyObject *)self);
        _PyObject_GC_Reuse((PyObject *)self);
    }
    else {
        if (!registered) {
            registered = 1;
            _PyGC_RegisterClearFreeList(clear_free_lists);
        }
        self = PyObject_GC_New(PyListObject, &PyList_Type);
        if (self == NULL) {
            return NULL;
        }
    }
    self->ob_item = NULL;
    self->allocated = 0;
    Py_SET_SIZE(self, 0);
    return self;
}

/* Makes room for exactly n items in an empty list. On failure releases the list and
   returns -1. */
static int
reserve_exactly(PyListObject *self, Py_ssize_t n)
{
    if (n == 0) {
        return 0;
    }
    self->ob_item = PyMem_New(PyObject *, (size_t)n);
    if (self->ob_item == NULL) {
        Py_DECREF(self);
        PyErr_NoMemory();
        return -1;
    }
    self->allocated = n;
    return 0;
}

/* Copies of lists start from new_empty() instead, because making an object may start a
   collection, which may run code that changes the source: its size is only certain
   afterwards. */
PyListObject *
_PyList_NewWithRoom(Py_ssize_t n)
{
    PyListObject *self = new_empty();
    return self == NULL || reserve_exactly(self, n) < 0 ? NULL : self;
}

PyObject *
PyList_New(Py_ssize_t size)
{
    if (size < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyListObject *self = _PyList_NewWithRoom(size);
    if (self == NULL) {
        return NULL;
    }
    if (size > 0) {
        memset(self->ob_item, 0, (size_t)size * sizeof(PyObject *));
        Py_SET_SIZE(self, size);
    }
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
_PyList_TakeArray(PyObject **items, Py_ssize_t n, Py_ssize_t room)
{
    PyListObject *self = new_empty();
    if (self == NULL) {
        return NULL;
    }
    if (n > 12 && n < room - room / 8) {
        PyObject **smaller = PyMem_Realloc(items, (size_t)n * sizeof(PyObject *));
        if (smaller != NULL) {
            items = smaller;
            room = n;
        }
    }
    self->ob_item = items;
    self->allocated = room;
    Py_SET_SIZE(self, n);
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

PyListObject *
_PyList_WithRoomSteal(PyObject *const *items, Py_ssize_t n, Py_ssize_t room)
{
    PyListObject *self = _PyList_NewWithRoom(room);
    if (self == NULL) {
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_DECREF(items[i]);
        }
        return NULL;
    }
    if (n > 0) {
        memcpy(self->ob_item, items, (size_t)n * sizeof(PyObject *));
    }
    Py_SET_SIZE(self, n);
    return self;
}

PyObject *
_PyList_FromArraySteal(PyObject *const *items, Py_ssize_t n)
{
    PyListObject *self = _PyList_WithRoomSteal(items, n, n);
    if (self != NULL) {
        _PyObject_GC_TRACK((PyObject *)self);
    }
    return (PyObject *)self;
}

static inline int
ends_with_run(PyObject **items, Py_ssize_t n)
{
    return n > 2 && items[n - 1] == items[n - 2];
}

/* Releases the items of a list that has one object many times: its count is changed once, instead
   of waiting for the change before each time. */
static void
release_runs(PyObject **items, Py_ssize_t n)
{
    while (--n >= 0) {
        PyObject *one = items[n];
        Py_ssize_t more = 0;
        while (n > 0 && items[n - 1] == one) {
            n--;
            more++;
        }
        if (one != NULL) {
            Py_SET_REFCNT(one, Py_REFCNT(one) - more);
            Py_DECREF(one);
        }
    }
}

/* Releases the first n items, from the end, as popping would do. 0: the list has been put aside,
   with just these items. */
static __attribute__((noinline)) int
release_rest(PyListObject *self, Py_ssize_t n)
{
    PyThreadState *tstate = NULL;
    if (Py_TYPE(self)->tp_dealloc == PyList_Type.tp_dealloc) {
        tstate = _PyThreadState_GET();
        Py_SET_SIZE(self, n);
        if (!_PyTrash_Enter(tstate, (PyObject *)self)) {
            return 0;
        }
    }
    PyObject **items = self->ob_item;
    if (ends_with_run(items, n)) {
        release_runs(items, n);
        n = 0;
    }
    while (--n >= 0) {
        Py_XDECREF(items[n]);
    }
    if (tstate != NULL) {
        _PyTrash_Leave(tstate);
    }
    return 1;
}

void
_PyList_FreeEmptied(PyListObject *self)
{
    PyObject *op = (PyObject *)self;
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    if (self->ob_item != NULL) {
        PyMem_Free(self->ob_item);
    }
    if (free_lists_count < FREE_LISTS_MAX) {
        free_lists[free_lists_count++] = self;
        return;
    }
    PyObject_GC_Del(op);
}

static void
list_dealloc(PyListObject *self)
{
    PyObject *op = (PyObject *)self;
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    PyObject **items = self->ob_item;
    if (items != NULL) {
        Py_ssize_t n = Py_SIZE(self);
        Py_ssize_t left = ends_with_run(items, n) ? n : _PyTrash_ReleaseShared(items, n);
        if (left > 0 && !release_rest(self, left)) {
            return;
        }
    }
    if (PyList_CheckExact(op)) {
        _PyList_FreeEmptied(self);
        return;
    }
    PyMem_Free(items);
    Py_TYPE(op)->tp_free(op);
}

/* Empties the list first, then releases the items. */
static void
drop_all(PyListObject *self)
{
    PyObject **items = self->ob_item;
    if (items == NULL) {
        return;
    }
    Py_ssize_t i = Py_SIZE(self);
    Py_SET_SIZE(self, 0);
    self->ob_item = NULL;
    self->allocated = 0;
    while (--i >= 0) {
        Py_XDECREF(items[i]);
    }
    PyMem_Free(items);
}

static int
list_tp_clear(PyListObject *self)
{
    drop_all(self);
    return 0;
}

static int
list_traverse(PyListObject *self, visitproc visit, void *arg)
{
    for (Py_ssize_t i = Py_SIZE(self); --i >= 0;) {
        Py_VISIT(self->ob_item[i]);
    }
    return 0;
}

/* ------------------------------------------------------------- single items */

static inline int
index_ok(Py_ssize_t i, Py_ssize_t n)
{
    return (size_t)i < (size_t)n;
}

Py_ssize_t
PyList_Size(PyObject *op)
{
    if (!PyList_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    return Py_SIZE(op);
}

PyObject *
PyList_GetItem(PyObject *op, Py_ssize_t i)
{
    if (!PyList_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (!index_ok(i, Py_SIZE(op))) {
        PyErr_SetString(PyExc_IndexError, "list index out of range");
        return NULL;
    }
    return LIST(op)->ob_item[i];
}

int
PyList_SetItem(PyObject *op, Py_ssize_t i, PyObject *item)
{
    if (!PyList_Check(op)) {
        Py_XDECREF(item);
        PyErr_BadInternalCall();
        return -1;
    }
    if (!index_ok(i, Py_SIZE(op))) {
        Py_XDECREF(item);
        PyErr_SetString(PyExc_IndexError,
                        "list assignment index out of range");
        return -1;
    }
    PyObject **slot = LIST(op)->ob_item + i;
    Py_XSETREF(*slot, item);
    return 0;
}

/* Inserts a new reference to item. i is clipped. */
static int
insert(PyListObject *self, Py_ssize_t i, PyObject *item)
{
    Py_ssize_t n = Py_SIZE(self);
    if (n == PY_SSIZE_T_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "cannot add more objects to list");
        return -1;
    }
    if (resize(self, n + 1) < 0) {
        return -1;
    }
    if (i < 0) {
        i = Py_MAX(i + n, 0);
    }
    i = Py_MIN(i, n);
    PyObject **items = self->ob_item;
    memmove(items + i + 1, items + i, (size_t)(n - i) * sizeof(PyObject *));
    items[i] = Py_NewRef(item);
    return 0;
}

int
PyList_Insert(PyObject *op, Py_ssize_t i, PyObject *item)
{
    if (!PyList_Check(op) || item == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    return insert(LIST(op), i, item);
}

int
_PyList_AppendGrow(PyListObject *self, PyObject *item)
{
    Py_ssize_t n = Py_SIZE(self);
    if (resize(self, n + 1) < 0) {
        Py_DECREF(item);
        return -1;
    }
    self->ob_item[n] = item;
    return 0;
}

int
PyList_Append(PyObject *op, PyObject *item)
{
    if (!PyList_Check(op) || item == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    return _PyList_AppendTakeRef(LIST(op), Py_NewRef(item));
}

/* ------------------------------------------------------------------- slices */

static PyObject *
get_slice(PyListObject *self, Py_ssize_t low, Py_ssize_t high)
{
    PyListObject *result = new_empty();
    if (result == NULL) {
        return NULL;
    }
    high = Py_MIN(high, Py_SIZE(self));
    Py_ssize_t n = high > low ? high - low : 0;
    if (reserve_exactly(result, n) < 0) {
        return NULL;
    }
    _Py_CopyRefs(result->ob_item, self->ob_item + low, n);
    Py_SET_SIZE(result, n);
    _PyObject_GC_TRACK((PyObject *)result);
    return (PyObject *)result;
}

PyObject *
PyList_GetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high)
{
    if (!PyList_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    Py_ssize_t n = Py_SIZE(op);
    low = Py_MIN(Py_MAX(low, 0), n);
    high = Py_MIN(Py_MAX(high, low), n);
    return get_slice(LIST(op), low, high);
}

/* Replaced items are released last, when the list is consistent again. */
static int
replace_slice(PyListObject *self, Py_ssize_t low, Py_ssize_t high,
              PyObject *const *new_items, Py_ssize_t n)
{
    Py_ssize_t size = Py_SIZE(self);
    low = Py_MIN(Py_MAX(low, 0), size);
    high = Py_MIN(Py_MAX(high, low), size);
    Py_ssize_t removed = high - low, growth = n - removed;
    if (size + growth == 0) {
        drop_all(self);
        return 0;
    }
    PyObject *few[16], **old = few;
    if (removed > 16 && (old = PyMem_New(PyObject *, (size_t)removed))
        == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyObject **items = self->ob_item;
    if (removed > 0) {
        memcpy(old, items + low, (size_t)removed * sizeof(PyObject *));
    }
    int result = 0;
    size_t tail = (size_t)(size - high) * sizeof(PyObject *);
    if (growth < 0) {
        memmove(items + high + growth, items + high, tail);
        if (resize(self, size + growth) < 0) {
            /* A failure to shrink can be ignored. */
            PyErr_Clear();
            Py_SET_SIZE(self, size + growth);
        }
    }
    else if (growth > 0) {
        result = resize(self, size + growth);
        if (result == 0) {
            items = self->ob_item;
            memmove(items + high + growth, items + high, tail);
        }
    }
    if (result == 0) {
        items = self->ob_item;
        for (Py_ssize_t i = 0; i < n; i++) {
            items[low + i] = Py_XNewRef(new_items[i]);
        }
        for (Py_ssize_t i = removed; --i >= 0;) {
            Py_XDECREF(old[i]);
        }
    }
    if (old != few) {
        PyMem_Free(old);
    }
    return result;
}

/* self[low:high] = source; NULL deletes. */
static int
assign_slice(PyListObject *self, Py_ssize_t low, Py_ssize_t high,
             PyObject *source)
{
    if (source == NULL) {
        return replace_slice(self, low, high, NULL, 0);
    }
    PyObject *sequence = source == (PyObject *)self
        ? get_slice(self, 0, Py_SIZE(self))
        : PySequence_Fast(source, "can only assign an iterable");
    if (sequence == NULL) {
        return -1;
    }
    int result = replace_slice(self, low, high,
                               PySequence_Fast_ITEMS(sequence),
                               PySequence_Fast_GET_SIZE(sequence));
    Py_DECREF(sequence);
    return result;
}

int
PyList_SetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high, PyObject *value)
{
    if (!PyList_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    return assign_slice(LIST(op), low, high, value);
}

PyObject *
_PyList_GetExtended(PyListObject *self, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step)
{
    PyListObject *result = new_empty();
    if (result == NULL) {
        return NULL;
    }
    Py_ssize_t n = PySlice_AdjustIndices(Py_SIZE(self), &start, &stop, step);
    if (reserve_exactly(result, n) < 0) {
        return NULL;
    }
    PyObject **items = result->ob_item, *const *from = self->ob_item;
    for (Py_ssize_t i = 0; i < n; i++, start += step) {
        items[i] = Py_NewRef(from[start]);
    }
    Py_SET_SIZE(result, n);
    _PyObject_GC_TRACK((PyObject *)result);
    return (PyObject *)result;
}

/* del self[start::step], n items of it. */
static int
delete_extended(PyListObject *self, Py_ssize_t start, Py_ssize_t step,
                Py_ssize_t n)
{
    if (n <= 0) {
        return 0;
    }
    if (step < 0) {
        start += (n - 1) * step;
        step = -step;
    }
    PyObject **gone = PyMem_New(PyObject *, (size_t)n);
    if (gone == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyObject **items = self->ob_item;
    Py_ssize_t size = Py_SIZE(self), to = start, next = start, found = 0;
    for (Py_ssize_t from = start; from < size; from++) {
        if (from == next && found < n) {
            gone[found++] = items[from];
            next += step;
        }
        else {
            items[to++] = items[from];
        }
    }
    int result = 0;
    if (resize(self, size - n) < 0) {
        PyErr_Clear();
        Py_SET_SIZE(self, size - n);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_DECREF(gone[i]);
    }
    PyMem_Free(gone);
    return result;
}

/* The indices come from PySlice_Unpack(): iterating over the source may change the
   list's size. */
static int
assign_extended(PyListObject *self, Py_ssize_t start, Py_ssize_t stop,
                Py_ssize_t step, PyObject *source)
{
    PyObject *sequence = source == (PyObject *)self
        ? get_slice(self, 0, Py_SIZE(self))
        : PySequence_Fast(source, "must assign iterable to extended slice");
    if (sequence == NULL) {
        return -1;
    }
    Py_ssize_t given = PySequence_Fast_GET_SIZE(sequence);
    Py_ssize_t n = PySlice_AdjustIndices(Py_SIZE(self), &start, &stop, step);
    if (given != n) {
        PyErr_Format(PyExc_ValueError,
                     "attempt to assign sequence of size %zd to extended "
                     "slice of size %zd", given, n);
        Py_DECREF(sequence);
        return -1;
    }
    int result = 0;
    PyObject **gone = NULL;
    if (n > 0) {
        gone = PyMem_New(PyObject *, (size_t)n);
        if (gone == NULL) {
            PyErr_NoMemory();
            result = -1;
        }
        else {
            PyObject **new_items = PySequence_Fast_ITEMS(sequence);
            for (Py_ssize_t i = 0; i < n; i++) {
                PyObject **slot = self->ob_item + start + i * step;
                gone[i] = *slot;
                *slot = Py_NewRef(new_items[i]);
            }
            for (Py_ssize_t i = 0; i < n; i++) {
                Py_DECREF(gone[i]);
            }
            PyMem_Free(gone);
        }
    }
    Py_DECREF(sequence);
    return result;
}

/* ----------------------------------------------------------------- protocol */

static Py_ssize_t
list_length(PyObject *self)
{
    return Py_SIZE(self);
}

static PyObject *
list_item(PyObject *self, Py_ssize_t i)
{
    if (!index_ok(i, Py_SIZE(self))) {
        PyErr_SetString(PyExc_IndexError, "list index out of range");
        return NULL;
    }
    return Py_NewRef(LIST(self)->ob_item[i]);
}

static int
list_ass_item(PyObject *op, Py_ssize_t i, PyObject *value)
{
    PyListObject *self = LIST(op);
    if (!index_ok(i, Py_SIZE(self))) {
        PyErr_SetString(PyExc_IndexError,
                        "list assignment index out of range");
        return -1;
    }
    if (value == NULL) {
        return replace_slice(self, i, i + 1, NULL, 0);
    }
    PyObject *old = self->ob_item[i];
    self->ob_item[i] = Py_NewRef(value);
    Py_DECREF(old);
    return 0;
}

static PyObject *
list_subscript(PyObject *op, PyObject *key)
{
    PyListObject *self = LIST(op);
    if (PySlice_Check(key)) {
        Py_ssize_t start, stop, step;
        if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
            return NULL;
        }
        if (step != 1) {
            return _PyList_GetExtended(self, start, stop, step);
        }
        PySlice_AdjustIndices(Py_SIZE(self), &start, &stop, step);
        return get_slice(self, start, stop);
    }
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return list_item(op, i < 0 ? i + Py_SIZE(self) : i);
    }
    PyErr_Format(PyExc_TypeError,
                 "list indices must be integers or slices, not %.200s",
                 Py_TYPE(key)->tp_name);
    return NULL;
}

static int
list_ass_subscript(PyObject *op, PyObject *key, PyObject *value)
{
    PyListObject *self = LIST(op);
    if (PySlice_Check(key)) {
        Py_ssize_t start, stop, step;
        if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
            return -1;
        }
        if (step != 1 && value != NULL) {
            return assign_extended(self, start, stop, step, value);
        }
        Py_ssize_t n = PySlice_AdjustIndices(Py_SIZE(self), &start, &stop,
                                             step);
        return step == 1 ? assign_slice(self, start, stop, value)
            : delete_extended(self, start, step, n);
    }
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return -1;
        }
        return list_ass_item(op, i < 0 ? i + Py_SIZE(self) : i, value);
    }
    PyErr_Format(PyExc_TypeError,
                 "list indices must be integers or slices, not %.200s",
                 Py_TYPE(key)->tp_name);
    return -1;
}

static PyObject *
list_concat(PyObject *a, PyObject *b)
{
    if (!PyList_Check(b)) {
        PyErr_Format(PyExc_TypeError,
                     "can only concatenate list (not \"%.200s\") to list",
                     Py_TYPE(b)->tp_name);
        return NULL;
    }
    PyListObject *result = new_empty();
    if (result == NULL) {
        return NULL;
    }
    Py_ssize_t na = Py_SIZE(a), nb = Py_SIZE(b);
    /* Both lists are in memory, so the sum cannot overflow. */
    if (reserve_exactly(result, na + nb) < 0) {
        return NULL;
    }
    _Py_CopyRefs(result->ob_item, LIST(a)->ob_item, na);
    _Py_CopyRefs(result->ob_item + na, LIST(b)->ob_item, nb);
    Py_SET_SIZE(result, na + nb);
    _PyObject_GC_TRACK((PyObject *)result);
    return (PyObject *)result;
}

/* Fills items[n .. n * times - 1] with copies of the first n, whose reference
   counts have been raised already. */
static void
repeat_items(PyObject **items, Py_ssize_t n, Py_ssize_t times)
{
    Py_ssize_t filled = n, total = n * times;
    if (n == 1) {
        /* Eight at a time, whether or not the compiler believes that this code runs often. */
        PyObject *item = items[0];
        PyObject *const eight[8] = {item, item, item, item, item, item, item, item};
        for (; total - filled >= 8; filled += 8) {
            memcpy(items + filled, eight, sizeof(eight));
        }
        for (; filled < total; filled++) {
            items[filled] = item;
        }
        return;
    }
    while (filled < total) {
        Py_ssize_t more = Py_MIN(filled, total - filled);
        memcpy(items + filled, items, (size_t)more * sizeof(PyObject *));
        filled += more;
    }
}

static PyObject *
list_repeat(PyObject *op, Py_ssize_t times)
{
    Py_ssize_t n = Py_SIZE(op);
    if (n == 0 || times <= 0) {
        return PyList_New(0);
    }
    if (n > PY_SSIZE_T_MAX / times) {
        return PyErr_NoMemory();
    }
    PyListObject *result = new_empty();
    if (result == NULL) {
        return NULL;
    }
    n = Py_MIN(n, Py_SIZE(op));
    if (reserve_exactly(result, n * times) < 0) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = LIST(op)->ob_item[i];
        Py_SET_REFCNT(item, Py_REFCNT(item) + times);
        result->ob_item[i] = item;
    }
    if (n > 0) {
        repeat_items(result->ob_item, n, times);
    }
    Py_SET_SIZE(result, n * times);
    _PyObject_GC_TRACK((PyObject *)result);
    return (PyObject *)result;
}

static PyObject *
list_inplace_repeat(PyObject *op, Py_ssize_t times)
{
    PyListObject *self = LIST(op);
    Py_ssize_t n = Py_SIZE(self);
    if (n == 0 || times == 1) {
        return Py_NewRef(op);
    }
    if (times < 1) {
        drop_all(self);
        return Py_NewRef(op);
    }
    if (n > PY_SSIZE_T_MAX / times) {
        return PyErr_NoMemory();
    }
    if (resize(self, n * times) < 0) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = self->ob_item[i];
        Py_SET_REFCNT(item, Py_REFCNT(item) + times - 1);
    }
    repeat_items(self->ob_item, n, times);
    return Py_NewRef(op);
}

static int
list_contains(PyObject *self, PyObject *wanted)
{
    if (wanted == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        int equal = _PyObject_CompareHeld(LIST(self)->ob_item[i], wanted, Py_EQ);
        if (equal != 0) {
            return equal;
        }
    }
    return 0;
}

/* The first difference decides. Finding it may have put other items there, or have shortened a
   list so that it has no item there any more. */
static PyObject *
compare_from(PyObject *a, PyObject *b, Py_ssize_t i, int op)
{
    if (i >= Py_SIZE(a) || i >= Py_SIZE(b)) {
        Py_RETURN_RICHCOMPARE(Py_SIZE(a), Py_SIZE(b), op);
    }
    if (op == Py_EQ || op == Py_NE) {
        return PyBool_FromLong(op == Py_NE);
    }
    PyObject *x = Py_NewRef(LIST(a)->ob_item[i]), *y = Py_NewRef(LIST(b)->ob_item[i]);
    PyObject *result = PyObject_RichCompare(x, y, op);
    Py_DECREF(x);
    Py_DECREF(y);
    return result;
}

static PyObject *
list_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyList_Check(a) || !PyList_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (Py_SIZE(a) != Py_SIZE(b) && (op == Py_EQ || op == Py_NE)) {
        return PyBool_FromLong(op == Py_NE);
    }
    Py_ssize_t i = 0;
    for (; i < Py_SIZE(a) && i < Py_SIZE(b); i++) {
        PyObject *x = LIST(a)->ob_item[i], *y = LIST(b)->ob_item[i];
        if (x == y) {
            continue;
        }
        Py_INCREF(x);
        Py_INCREF(y);
        int equal = _PyObject_CompareBool(x, y, Py_EQ);
        Py_DECREF(x);
        Py_DECREF(y);
        if (equal < 0) {
            return NULL;
        }
        if (equal == 0) {
            break;
        }
    }
    return compare_from(a, b, i, op);
}

static PyObject *
list_repr(PyObject *self)
{
    if (Py_SIZE(self) == 0) {
        return PyUnicode_FromString("[]");
    }
    int entered = Py_ReprEnter(self);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromString("[...]") : NULL;
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    writer.min_length = 1 + 1 + (2 + 1) * (Py_SIZE(self) - 1) + 1;
    int failed = _PyUnicodeWriter_WriteChar(&writer, '[') < 0;
    for (Py_ssize_t i = 0; !failed && i < Py_SIZE(self); i++) {
        /* NULL where C code has not put anything yet. */
        PyObject *item = Py_XNewRef(LIST(self)->ob_item[i]);
        PyObject *text = PyObject_Repr(item);
        Py_XDECREF(item);
        failed = text == NULL
            || (i > 0
                && _PyUnicodeWriter_WriteASCIIString(&writer, ", ", 2) < 0)
            || _PyUnicodeWriter_WriteStr(&writer, text) < 0;
        Py_XDECREF(text);
    }
    writer.overallocate = 0;
    failed = failed || _PyUnicodeWriter_WriteChar(&writer, ']') < 0;
    Py_ReprLeave(self);
    if (failed) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

/* ---------------------------------------------------------------- extending */

/* From a list (which may be the same) or a tuple. */
static int
extend_from_array(PyListObject *self, PyObject *sequence)
{
    Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
    if (n == 0) {
        return 0;
    }
    Py_ssize_t size = Py_SIZE(self);
    if (self->ob_item == NULL) {
        if (reserve_first(self, n) < 0) {
            return -1;
        }
        Py_SET_SIZE(self, n);
    }
    else if (resize(self, size + n) < 0) {
        return -1;
    }
    _Py_CopyRefs(self->ob_item + size, PySequence_Fast_ITEMS(sequence), n);
    return 0;
}

static inline void
take_ahead(PyListObject *self, PyObject *iter, _PyIterTaker take)
{
    Py_ssize_t size = Py_SIZE(self);
    Py_SET_SIZE(self, size + take(iter, self->ob_item + size, self->allocated - size));
}

int
_PyList_TakeAll(PyListObject *self, PyObject *iter)
{
    _PyIterTaker take = _PyIter_TakerOf(iter);
    if (take != NULL) {
        take_ahead(self, iter, take);
    }
    iternextfunc next = Py_TYPE(iter)->tp_iternext;
    PyObject *item;
    while ((item = next(iter)) != NULL) {
        if (_PyList_AppendTakeRef(self, item) < 0) {
            return -1;
        }
        if (take != NULL) {
            take_ahead(self, iter, take);
        }
    }
    return _PyErr_DropStopIteration();
}

static int
extend_from_iterator(PyListObject *self, PyObject *iterable)
{
    PyObject *iter = PyObject_GetIter(iterable);
    if (iter == NULL) {
        return -1;
    }
    Py_ssize_t hint = PyObject_LengthHint(iterable, 8);
    if (hint < 0) {
        Py_DECREF(iter);
        return -1;
    }
    Py_ssize_t size = Py_SIZE(self);
    if (hint > PY_SSIZE_T_MAX - size) {
        /* The hint is too large to be true: grow when the items come. */
    }
    else if (self->ob_item == NULL) {
        if (hint > 0 && reserve_first(self, hint) < 0) {
            Py_DECREF(iter);
            return -1;
        }
    }
    else {
        if (resize(self, size + hint) < 0) {
            Py_DECREF(iter);
            return -1;
        }
        Py_SET_SIZE(self, size);
    }
    int failed = _PyList_TakeAll(self, iter) < 0;
    Py_DECREF(iter);
    if (failed) {
        return -1;
    }
    if (Py_SIZE(self) < self->allocated && resize(self, Py_SIZE(self)) < 0) {
        return -1;
    }
    return 0;
}

static int
extend(PyListObject *self, PyObject *iterable)
{
    if (PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable)
        || (PyObject *)self == iterable) {
        PyObject *held = Py_NewRef(iterable);
        int result = extend_from_array(self, iterable);
        Py_DECREF(held);
        return result;
    }
    return extend_from_iterator(self, iterable);
}

PyObject *
_PyList_Extend(PyListObject *self, PyObject *iterable)
{
    if (extend(self, iterable) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
list_inplace_concat(PyObject *self, PyObject *other)
{
    return extend(LIST(self), other) < 0 ? NULL : Py_NewRef(self);
}

/* ------------------------------------------------------------------- making */

static int
list_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    if ((Py_IS_TYPE(op, &PyList_Type)
         || Py_TYPE(op)->tp_new == PyList_Type.tp_new)
        && !_PyArg_NoKeywords("list", kwds)) {
        return -1;
    }
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);
    if (!_PyArg_CheckPositional("list", nargs, 0, 1)) {
        return -1;
    }
    drop_all(LIST(op));
    return nargs == 0 ? 0 : extend(LIST(op), PyTuple_GET_ITEM(args, 0));
}

static PyObject *
list_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (!_PyArg_NoKwnames("list", kwnames)
        || !_PyArg_CheckPositional("list", nargs, 0, 1)) {
        return NULL;
    }
    PyObject *self = type == (PyObject *)&PyList_Type
        ? PyList_New(0) : PyType_GenericAlloc((PyTypeObject *)type, 0);
    if (self != NULL && nargs == 1 && extend(LIST(self), args[0]) < 0) {
        Py_CLEAR(self);
    }
    return self;
}

PyObject *
PyList_AsTuple(PyObject *op)
{
    if (op == NULL || !PyList_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    Py_ssize_t n = Py_SIZE(op);
    PyObject *tuple = PyTuple_New(n);
    if (tuple == NULL) {
        return NULL;
    }
    if (Py_SIZE(op) != n) {
        /* A collection has run code that changed the list. No other code can change a
           copy. */
        Py_DECREF(tuple);
        PyObject *copy = get_slice(LIST(op), 0, Py_SIZE(op));
        tuple = copy == NULL ? NULL : PyList_AsTuple(copy);
        Py_XDECREF(copy);
        return tuple;
    }
    _Py_CopyRefs(_PyTuple_ITEMS(tuple), LIST(op)->ob_item, n);
    return tuple;
}

int
PyList_Reverse(PyObject *op)
{
    if (op == NULL || !PyList_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (Py_SIZE(op) == 0) {
        return 0;               /* no array to point into */
    }
    PyObject **low = LIST(op)->ob_item, **high = low + Py_SIZE(op) - 1;
    for (; low < high; low++, high--) {
        PyObject *swap = *low;
        *low = *high;
        *high = swap;
    }
    return 0;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
list_append(PyObject *self, PyObject *item)
{
    if (_PyList_AppendTakeRef(LIST(self), Py_NewRef(item)) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

int
_PyList_ExtendArraySteal(PyListObject *self, PyObject *const *items, Py_ssize_t n)
{
    Py_ssize_t size = Py_SIZE(self);
    if (resize(self, size + n) < 0) {
        return -1;
    }
    memcpy(self->ob_item + size, items, (size_t)n * sizeof(PyObject *));
    return 0;
}

static PyObject *
list_extend(PyObject *self, PyObject *iterable)
{
    return _PyList_Extend(LIST(self), iterable);
}

/* An index argument. Returns 0 with an exception if it is not one. */
static int
index_argument(PyObject *arg, Py_ssize_t *index)
{
    PyObject *number = PyNumber_Index(arg);
    if (number == NULL) {
        return 0;
    }
    *index = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    return !(*index == -1 && PyErr_Occurred());
}

static PyObject *
list_insert(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t index;
    if (!_PyArg_CheckPositional("insert", nargs, 2, 2)
        || !index_argument(args[0], &index)
        || insert(LIST(self), index, args[1]) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
list_pop(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    PyListObject *self = LIST(op);
    Py_ssize_t index = -1;
    if (!_PyArg_CheckPositional("pop", nargs, 0, 1)
        || (nargs == 1 && !index_argument(args[0], &index))) {
        return NULL;
    }
    Py_ssize_t n = Py_SIZE(self);
    if (n == 0) {
        PyErr_SetString(PyExc_IndexError, "pop from empty list");
        return NULL;
    }
    if (index < 0) {
        index += n;
    }
    if (!index_ok(index, n)) {
        PyErr_SetString(PyExc_IndexError, "pop index out of range");
        return NULL;
    }
    PyObject **items = self->ob_item;
    PyObject *item = items[index];
    if (index < n - 1) {
        memmove(items + index, items + index + 1,
                (size_t)(n - 1 - index) * sizeof(PyObject *));
    }
    if (n == 1) {
        Py_SET_SIZE(self, 0);
        drop_all(self);
    }
    else if (resize(self, n - 1) < 0) {
        PyErr_Clear();
        Py_SET_SIZE(self, n - 1);
    }
    return item;
}

static PyObject *
list_clear(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    drop_all(LIST(self));
    Py_RETURN_NONE;
}

static PyObject *
list_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return get_slice(LIST(self), 0, Py_SIZE(self));
}

static PyObject *
list_index(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t start = 0, stop = PY_SSIZE_T_MAX;
    if (!_PyArg_CheckPositional("index", nargs, 1, 3)
        || (nargs > 1 && !_PyEval_SliceIndexNotNone(args[1], &start))
        || (nargs > 2 && !_PyEval_SliceIndexNotNone(args[2], &stop))) {
        return NULL;
    }
    if (start < 0) {
        start = Py_MAX(start + Py_SIZE(self), 0);
    }
    if (stop < 0) {
        stop = Py_MAX(stop + Py_SIZE(self), 0);
    }
    for (Py_ssize_t i = start; i < stop && i < Py_SIZE(self); i++) {
        int equal = _PyObject_CompareHeld(LIST(self)->ob_item[i], args[0], Py_EQ);
        if (equal != 0) {
            return equal < 0 ? NULL : PyLong_FromSsize_t(i);
        }
    }
    PyErr_Format(PyExc_ValueError, "%R is not in list", args[0]);
    return NULL;
}

static PyObject *
list_count(PyObject *self, PyObject *wanted)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        int equal = _PyObject_CompareHeld(LIST(self)->ob_item[i], wanted, Py_EQ);
        if (equal < 0) {
            return NULL;
        }
        count += equal;
    }
    return PyLong_FromSsize_t(count);
}

static PyObject *
list_remove(PyObject *self, PyObject *wanted)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        int equal = _PyObject_CompareHeld(LIST(self)->ob_item[i], wanted, Py_EQ);
        if (equal < 0) {
            return NULL;
        }
        if (equal) {
            if (replace_slice(LIST(self), i, i + 1, NULL, 0) < 0) {
                return NULL;
            }
            Py_RETURN_NONE;
        }
    }
    PyErr_SetString(PyExc_ValueError, "list.remove(x): x not in list");
    return NULL;
}

static PyObject *
list_reverse(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyList_Reverse(self);
    Py_RETURN_NONE;
}

PyObject *
_PyList_Sort(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"key", "reverse", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "sort"};
    PyObject *buf[2];
    PyObject *const *given = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 0, 0, 0, buf);
    if (given == NULL) {
        return NULL;
    }
    PyObject *key = given[0] == NULL ? Py_None : given[0];
    int reverse = given[1] == NULL ? 0 : _PyLong_AsInt(given[1]);
    if (reverse == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (_PyList_SortWithKey(LIST(self), key, reverse) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
list_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t size = _PyObject_SIZE(Py_TYPE(self))
        + LIST(self)->allocated * (Py_ssize_t)sizeof(PyObject *);
    return PyLong_FromSsize_t(size);
}

/* iter.c */
extern PyObject *_PyList_Iter(PyObject *self);
extern PyObject *_PyList_Reversed(PyObject *self, PyObject *ignored);

static PyMethodDef list_methods[] = {
    {"__getitem__", list_subscript, METH_O | METH_COEXIST,
     "x.__getitem__(y) <==> x[y]"},
    {"__reversed__", _PyList_Reversed, METH_NOARGS,
     "__reversed__($self, /)\n--\n\n"
     "Return a reverse iterator over the list."},
    {"__sizeof__", list_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\n"
     "Return the size of the list in memory, in bytes."},
    {"clear", list_clear, METH_NOARGS,
     "clear($self, /)\n--\n\nRemove all items from list."},
    {"copy", list_copy, METH_NOARGS,
     "copy($self, /)\n--\n\nReturn a shallow copy of the list."},
    {"append", list_append, METH_O,
     "append($self, object, /)\n--\n\n"
     "Append object to the end of the list."},
    {"insert", FAST(list_insert),
     "insert($self, index, object, /)\n--\n\nInsert object before index."},
    {"extend", list_extend, METH_O,
     "extend($self, iterable, /)\n--\n\n"
     "Extend list by appending elements from the iterable."},
    {"pop", FAST(list_pop),
     "pop($self, index=-1, /)\n--\n\n"
     "Remove and return item at index (default last).\n\n"
     "Raises IndexError if list is empty or index is out of range."},
    {"remove", list_remove, METH_O,
     "remove($self, value, /)\n--\n\n"
     "Remove first occurrence of value.\n\n"
     "Raises ValueError if the value is not present."},
    {"index", FAST(list_index),
     "index($self, value, start=0, stop=sys.maxsize, /)\n--\n\n"
     "Return first index of value.\n\n"
     "Raises ValueError if the value is not present."},
    {"count", list_count, METH_O,
     "count($self, value, /)\n--\n\n"
     "Return number of occurrences of value."},
    {"reverse", list_reverse, METH_NOARGS,
     "reverse($self, /)\n--\n\nReverse *IN PLACE*."},
    {"sort", FAST_KEYWORDS(_PyList_Sort),
     "sort($self, /, *, key=None, reverse=False)\n--\n\n"
     "Sort the list in ascending order and return None.\n\n"
     "The sort is in-place (i.e. the list itself is modified) and stable "
     "(i.e. the\norder of two equal elements is maintained).\n\n"
     "A key function is applied once to each item, and the items are sorted "
     "by\nits results. The reverse flag sorts in descending order."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PySequenceMethods list_as_sequence = {
    .sq_length = list_length,
    .sq_concat = list_concat,
    .sq_repeat = list_repeat,
    .sq_item = list_item,
    .sq_ass_item = list_ass_item,
    .sq_contains = list_contains,
    .sq_inplace_concat = list_inplace_concat,
    .sq_inplace_repeat = list_inplace_repeat,
};

static PyMappingMethods list_as_mapping = {
    .mp_length = list_length,
    .mp_subscript = list_subscript,
    .mp_ass_subscript = list_ass_subscript,
};

PyDoc_STRVAR(list_doc,
"list(iterable=(), /)\n--\n\n"
"Built-in mutable sequence.\n\n"
"If no argument is given, the constructor creates a new empty list.\n"
"The argument must be an iterable if specified.");

PyTypeObject PyList_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "list",
    .tp_basicsize = sizeof(PyListObject),
    .tp_dealloc = (destructor)list_dealloc,
    .tp_repr = list_repr,
    .tp_as_sequence = &list_as_sequence,
    .tp_as_mapping = &list_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_LIST_SUBCLASS | _Py_TPFLAGS_MATCH_SELF
        | Py_TPFLAGS_SEQUENCE,
    .tp_doc = list_doc,
    .tp_traverse = (traverseproc)list_traverse,
    .tp_clear = (inquiry)list_tp_clear,
    .tp_richcompare = list_richcompare,
    .tp_iter = _PyList_Iter,
    .tp_methods = list_methods,
    .tp_init = list_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = PyType_GenericNew,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = list_vectorcall,
};
