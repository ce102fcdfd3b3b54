/* collections.deque.

   The items lie in a ring: a block of slots, whose number is a power of two. `size` slots
   (Py_SIZE), starting with `head`, are in use; they may wrap around to the start of the
   block. The block doubles when it is full and halves when it is mostly empty. Either end
   and every index are reached in constant time.

   `changes` counts the operations that alter the number or the places of items, so that
   iterators, and searches that call __eq__, notice them. maxlen is -1 for "no limit". */
#include "collections_impl.h"
#include "internal/compare.h"
#include "internal/errors.h"
#include "internal/index_iter.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/object.h"
#include <stddef.h>

typedef struct {
    PyObject_VAR_HEAD
    PyObject **ring;            /* NULL when capacity is 0 */
    size_t capacity;
    size_t head;
    Py_ssize_t maxlen;
    size_t changes;
    PyObject *weakreflist;
} Deque;

#define DEQUE(op) ((Deque *)(op))
#define SMALLEST 8

static inline PyObject **
slot(const Deque *d, Py_ssize_t i)
{
    return &d->ring[(d->head + (size_t)i) & (d->capacity - 1)];
}

/* --------------------------------------------------------------------- ring */

/* Moves the items to the start of a block of another size. Not inlined: this is rare, and would have
   every caller save registers for it. */
static __attribute__((noinline)) int
change_capacity(Deque *d, size_t capacity)
{
    PyObject **ring = NULL;
    if (capacity > 0) {
        ring = PyMem_New(PyObject *, capacity);
        if (ring == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        size_t size = (size_t)Py_SIZE(d);
        size_t straight = Py_MIN(size, d->capacity - d->head);
        if (size > 0) {
            memcpy(ring, d->ring + d->head, straight * sizeof(PyObject *));
            memcpy(ring + straight, d->ring,
                   (size - straight) * sizeof(PyObject *));
        }
    }
    PyMem_Free(d->ring);
    d->ring = ring;
    d->capacity = capacity;
    d->head = 0;
    return 0;
}

static inline int
make_room(Deque *d)
{
    if ((size_t)Py_SIZE(d) < d->capacity) {
        return 0;
    }
    return change_capacity(d, d->capacity == 0 ? SMALLEST : d->capacity * 2);
}

/* Makes the block large enough for `size` items. */
static int
reserve(Deque *d, Py_ssize_t size)
{
    size_t capacity = Py_MAX(d->capacity, SMALLEST);
    while (capacity < (size_t)size) {
        capacity *= 2;
    }
    return capacity == d->capacity ? 0 : change_capacity(d, capacity);
}

/* Never fails: if there is no memory, the block keeps its size. */
static inline void
give_back_room(Deque *d)
{
    if (d->capacity > 64 && (size_t)Py_SIZE(d) < d->capacity / 8
        && change_capacity(d, d->capacity / 2) < 0) {
        PyErr_Clear();
    }
}

static inline PyObject *
take_last(Deque *d)
{
    Py_ssize_t n = Py_SIZE(d) - 1;
    PyObject *item = *slot(d, n);
    Py_SET_SIZE(d, n);
    d->changes++;
    give_back_room(d);
    return item;
}

static inline PyObject *
take_first(Deque *d)
{
    PyObject *item = d->ring[d->head];
    d->head = (d->head + 1) & (d->capacity - 1);
    Py_SET_SIZE(d, Py_SIZE(d) - 1);
    d->changes++;
    give_back_room(d);
    return item;
}

/* Has a deque of this size no room for another item? -1, no limit, is more than any size. */
static inline int
is_at_limit(const Deque *d, Py_ssize_t size)
{
    return __builtin_expect((size_t)size >= (size_t)d->maxlen, 0);
}

/* Steals item, also on failure. Beyond maxlen an item is dropped at the other end. */
static inline __attribute__((always_inline)) int
add_last(Deque *d, PyObject *item)
{
    if (make_room(d) < 0) {
        Py_DECREF(item);
        return -1;
    }
    Py_ssize_t size = Py_SIZE(d);
    *slot(d, size) = item;
    Py_SET_SIZE(d, size + 1);
    d->changes++;
    if (is_at_limit(d, size)) {
        Py_DECREF(take_first(d));
    }
    return 0;
}

static inline __attribute__((always_inline)) int
add_first(Deque *d, PyObject *item)
{
    if (make_room(d) < 0) {
        Py_DECREF(item);
        return -1;
    }
    Py_ssize_t size = Py_SIZE(d);
    d->head = (d->head - 1) & (d->capacity - 1);
    d->ring[d->head] = item;
    Py_SET_SIZE(d, size + 1);
    d->changes++;
    if (is_at_limit(d, size)) {
        Py_DECREF(take_last(d));
    }
    return 0;
}

/* The deque is emptied before the first item is released. */
static int
drop_all(Deque *d)
{
    PyObject **ring = d->ring;
    size_t head = d->head, mask = d->capacity - 1;
    Py_ssize_t n = Py_SIZE(d);
    d->ring = NULL;
    d->capacity = 0;
    d->head = 0;
    Py_SET_SIZE(d, 0);
    d->changes++;
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_DECREF(ring[(head + (size_t)i) & mask]);
    }
    PyMem_Free(ring);
    return 0;
}

/* To the right by n. */
static void
rotate(Deque *d, Py_ssize_t n)
{
    Py_ssize_t size = Py_SIZE(d);
    if (size <= 1) {
        return;
    }
    d->changes++;               /* for iterators, even if everything stays */
    n %= size;
    if (n > size / 2) {
        n -= size;
    }
    else if (n < -(size / 2)) {
        n += size;
    }
    if (n == 0) {
        return;
    }
    size_t mask = d->capacity - 1;
    for (; n > 0; n--) {
        PyObject *item = *slot(d, size - 1);
        d->head = (d->head - 1) & mask;
        d->ring[d->head] = item;
    }
    for (; n < 0; n++) {
        PyObject *item = d->ring[d->head];
        d->head = (d->head + 1) & mask;
        *slot(d, size - 1) = item;
    }
}

/* --------------------------------------------------------------------- life */

static PyObject *
deque_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
          PyObject *Py_UNUSED(kwds))
{
    Deque *d = (Deque *)type->tp_alloc(type, 0);
    if (d != NULL) {
        d->maxlen = -1;
    }
    return (PyObject *)d;
}

static void
deque_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, deque_dealloc)
    if (DEQUE(self)->weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    drop_all(DEQUE(self));
    Py_TYPE(self)->tp_free(self);
    Py_TRASHCAN_END
}

static int
deque_traverse(Deque *d, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(d); i++) {
        Py_VISIT(*slot(d, i));
    }
    return 0;
}

/* Items that lie one after another. */
typedef struct {
    PyObject *const *items;
    Py_ssize_t n;
} Run;

/* The runs of a deque: those after the end of its block have wrapped around. */
static void
runs_of(const Deque *d, Run runs[2])
{
    Py_ssize_t straight = Py_MIN(Py_SIZE(d), (Py_ssize_t)(d->capacity - d->head));
    runs[0] = (Run){d->ring + d->head, straight};
    runs[1] = (Run){d->ring, Py_SIZE(d) - straight};
}

/* There is room for them. */
static void
copy_run(Deque *d, Run run)
{
    size_t end = (d->head + (size_t)Py_SIZE(d)) & (d->capacity - 1);
    Py_ssize_t straight = Py_MIN(run.n, (Py_ssize_t)(d->capacity - end));
    _Py_CopyRefs(d->ring + end, run.items, straight);
    _Py_CopyRefs(d->ring, run.items + straight, run.n - straight);
    Py_SET_SIZE(d, Py_SIZE(d) + run.n);
    d->changes += (size_t)run.n;
}

/* Appends the items of a list, tuple or deque without an iterator. Returns 1 if it has, -1 without
   memory, and 0 if items have to come one by one: because the iterable is of another type, or
   because those that maxlen drops may die, and what that runs sees the deque. */
static int
extend_by_runs(Deque *d, PyObject *iterable)
{
    Run runs[2] = {{NULL, 0}, {NULL, 0}};
    if (PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable)) {
        runs[0] = (Run){PySequence_Fast_ITEMS(iterable), PySequence_Fast_GET_SIZE(iterable)};
    }
    else if (Py_IS_TYPE(iterable, &_PyDeque_Type)) {
        runs_of(DEQUE(iterable), runs);
    }
    else {
        return 0;
    }
    Py_ssize_t n = runs[0].n + runs[1].n;
    if (n == 0) {
        return 1;
    }
    if (d->maxlen >= 0 && n > d->maxlen - Py_SIZE(d)) {
        if (Py_SIZE(d) > 0) {
            return 0;
        }
        /* The first ones would be dropped, but the iterable keeps them. */
        for (int i = 0; i < 2; i++) {
            Py_ssize_t dropped = Py_MIN(runs[i].n, n - d->maxlen);
            runs[i].items += dropped;
            runs[i].n -= dropped;
            n -= dropped;
        }
    }
    if (n > 0) {
        if (reserve(d, Py_SIZE(d) + n) < 0) {
            return -1;
        }
        copy_run(d, runs[0]);
        copy_run(d, runs[1]);
    }
    return 1;
}

/* Appends what an iterator's taker gives, if it has one. Not from an iterator over a deque, since
   this may be the one. */
static __attribute__((noinline)) int
take_ahead(Deque *d, PyObject *iter)
{
    _PyIterTaker take = d->maxlen < 0 && !Py_IS_TYPE(iter, &_PyDequeIter_Type)
        ? _PyIter_TakerOf(iter) : NULL;
    Py_ssize_t taken = 1;
    while (take != NULL && taken > 0) {
        if (make_room(d) < 0) {
            return -1;
        }
        size_t end = (d->head + (size_t)Py_SIZE(d)) & (d->capacity - 1);
        size_t straight = end < d->head ? d->head - end : d->capacity - end;
        taken = take(iter, d->ring + end, (Py_ssize_t)straight);
        Py_SET_SIZE(d, Py_SIZE(d) + taken);
        d->changes += (size_t)taken;
    }
    return 0;
}

/* Adds what an iterable gives, at the end that `add` stands for. */
static inline __attribute__((always_inline)) int
add_each(Deque *d, PyObject *iterable, int (*add)(Deque *, PyObject *))
{
    PyObject *iter = PyObject_GetIter(iterable);
    if (iter == NULL) {
        return -1;
    }
    if (add == add_last && take_ahead(d, iter) < 0) {
        Py_DECREF(iter);
        return -1;
    }
    iternextfunc next = Py_TYPE(iter)->tp_iternext;
    PyObject *item;
    /* deque(iterator, 0) is how an iterator is used up; it changes nothing. */
    while (d->maxlen == 0 && (item = next(iter)) != NULL) {
        Py_DECREF(item);
    }
    while (d->maxlen != 0 && (item = next(iter)) != NULL) {
        if (add(d, item) < 0) {
            Py_DECREF(iter);
            return -1;
        }
    }
    Py_DECREF(iter);
    return _PyErr_DropStopIteration();
}

/* Returns a list of its items if the iterable is the deque itself, which is going to change. */
static PyObject *
other_than(const Deque *d, PyObject *iterable)
{
    return iterable == (PyObject *)d ? PySequence_List(iterable) : Py_NewRef(iterable);
}

static int
extend(Deque *d, PyObject *iterable)
{
    PyObject *other = other_than(d, iterable);
    int done = other == NULL ? -1 : extend_by_runs(d, other);
    int result = done != 0 ? Py_MIN(done, 0) : add_each(d, other, add_last);
    Py_XDECREF(other);
    return result;
}

static int
extend_left(Deque *d, PyObject *iterable)
{
    PyObject *other = other_than(d, iterable);
    int result = other == NULL ? -1 : add_each(d, other, add_first);
    Py_XDECREF(other);
    return result;
}

static int
deque_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"iterable", "maxlen", NULL};
    PyObject *iterable = NULL, *limit = NULL;
    Py_ssize_t maxlen = -1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO:deque", keywords,
                                     &iterable, &limit)) {
        return -1;
    }
    if (limit != NULL && limit != Py_None) {
        maxlen = PyLong_AsSsize_t(limit);
        if (maxlen == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (maxlen < 0) {
            PyErr_SetString(PyExc_ValueError, "maxlen must be non-negative");
            return -1;
        }
    }
    DEQUE(self)->maxlen = maxlen;
    if (Py_SIZE(self) > 0) {
        drop_all(DEQUE(self));
    }
    return iterable == NULL ? 0 : extend(DEQUE(self), iterable);
}

/* ------------------------------------------------------------------ methods */

static PyObject *
deque_append(PyObject *self, PyObject *item)
{
    if (add_last(DEQUE(self), Py_NewRef(item)) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
deque_appendleft(PyObject *self, PyObject *item)
{
    if (add_first(DEQUE(self), Py_NewRef(item)) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
deque_extend(PyObject *self, PyObject *iterable)
{
    if (extend(DEQUE(self), iterable) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
deque_extendleft(PyObject *self, PyObject *iterable)
{
    if (extend_left(DEQUE(self), iterable) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
pop_from(PyObject *self, PyObject *(*take)(Deque *))
{
    if (Py_SIZE(self) == 0) {
        PyErr_SetString(PyExc_IndexError, "pop from an empty deque");
        return NULL;
    }
    return take(DEQUE(self));
}

static PyObject *
deque_pop(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return pop_from(self, take_last);
}

static PyObject *
deque_popleft(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return pop_from(self, take_first);
}

static PyObject *
deque_clear(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    if (Py_SIZE(self) > 0) {
        drop_all(DEQUE(self));
    }
    Py_RETURN_NONE;
}

/* A new deque of the same type: new reference. */
static PyObject *
copy_of(PyObject *self)
{
    Deque *d = DEQUE(self);
    if (Py_IS_TYPE(self, &_PyDeque_Type)) {
        Deque *copy = (Deque *)deque_new(&_PyDeque_Type, NULL, NULL);
        if (copy == NULL) {
            return NULL;
        }
        copy->maxlen = d->maxlen;
        if (extend_by_runs(copy, self) < 0) {
            Py_CLEAR(copy);
        }
        return (PyObject *)copy;
    }
    PyObject *copy = d->maxlen < 0
        ? PyObject_CallOneArg((PyObject *)Py_TYPE(d), self)
        : PyObject_CallFunction((PyObject *)Py_TYPE(d), "Oi", self,
                                (int)d->maxlen);
    if (copy != NULL && !PyObject_TypeCheck(copy, &_PyDeque_Type)) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s() must return a deque, not %.200s",
                     Py_TYPE(d)->tp_name, Py_TYPE(copy)->tp_name);
        Py_CLEAR(copy);
    }
    return copy;
}

static PyObject *
deque_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return copy_of(self);
}

static PyObject *
deque_rotate(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t n = 1;
    if (!_PyArg_CheckPositional("deque.rotate", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1) {
        PyObject *number = PyNumber_Index(args[0]);
        if (number == NULL) {
            return NULL;
        }
        n = PyLong_AsSsize_t(number);
        Py_DECREF(number);
        if (n == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    rotate(DEQUE(self), n);
    Py_RETURN_NONE;
}

static PyObject *
deque_reverse(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    Deque *d = DEQUE(self);
    for (Py_ssize_t i = 0, j = Py_SIZE(d) - 1; i < j; i++, j--) {
        PyObject *swap = *slot(d, i);
        *slot(d, i) = *slot(d, j);
        *slot(d, j) = swap;
    }
    Py_RETURN_NONE;
}

static const char mutated[] = "deque mutated during iteration";

/* Compares items start … stop - 1 with `wanted`. Returns the index of the first that is
   equal; -1 if there is none, -2 with an exception: `exc` if the deque changes meanwhile.
   With `even_changed` an equal one is the answer although its comparison changes the deque. */
static Py_ssize_t
search(Deque *d, PyObject *wanted, Py_ssize_t start, Py_ssize_t stop, int even_changed,
       PyObject *exc)
{
    size_t changes = d->changes;
    for (Py_ssize_t i = start; i < stop; i++) {
        int equal = _PyObject_CompareHeld(*slot(d, i), wanted, Py_EQ);
        if (equal < 0) {
            return -2;
        }
        if (equal && even_changed) {
            return i;
        }
        if (changes != d->changes) {
            PyErr_SetString(exc, mutated);
            return -2;
        }
        if (equal) {
            return i;
        }
    }
    return -1;
}

static int
deque_contains(PyObject *self, PyObject *wanted)
{
    Py_ssize_t i = search(DEQUE(self), wanted, 0, Py_SIZE(self), 1, PyExc_RuntimeError);
    return i == -2 ? -1 : i >= 0;
}

static PyObject *
deque_count(PyObject *self, PyObject *wanted)
{
    Py_ssize_t count = 0, i = -1, n = Py_SIZE(self);
    for (;;) {
        i = search(DEQUE(self), wanted, i + 1, n, 0, PyExc_RuntimeError);
        if (i < 0) {
            return i == -2 ? NULL : PyLong_FromSsize_t(count);
        }
        count++;
    }
}

static PyObject *
deque_index(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t start = 0, stop = Py_SIZE(self);
    if (nargs < 1 || nargs > 3) {
        PyObject *wanted;
        (void)_PyArg_ParseStack(args, nargs, "O|OO:index", &wanted, &wanted, &wanted);
        return NULL;
    }
    if ((nargs > 1 && !_PyEval_SliceIndexNotNone(args[1], &start))
        || (nargs > 2 && !_PyEval_SliceIndexNotNone(args[2], &stop))) {
        return NULL;
    }
    Py_ssize_t n = Py_SIZE(self);       /* after __index__, which may change it */
    start = start < 0 ? Py_MAX(start + n, 0) : start;
    stop = stop < 0 ? Py_MAX(stop + n, 0) : Py_MIN(stop, n);
    Py_ssize_t i = search(DEQUE(self), args[0], start, stop, 1, PyExc_RuntimeError);
    if (i == -1) {
        PyErr_Format(PyExc_ValueError, "%R is not in deque", args[0]);
    }
    return i < 0 ? NULL : PyLong_FromSsize_t(i);
}

/* Removes item i and closes the gap from the nearer end. Returns a new reference to the
   item. */
static PyObject *
take(Deque *d, Py_ssize_t i)
{
    Py_ssize_t n = Py_SIZE(d);
    PyObject *item = *slot(d, i);
    if (i < n / 2) {
        for (; i > 0; i--) {
            *slot(d, i) = *slot(d, i - 1);
        }
        take_first(d);
    }
    else {
        for (; i < n - 1; i++) {
            *slot(d, i) = *slot(d, i + 1);
        }
        take_last(d);
    }
    return item;
}

static PyObject *
deque_remove(PyObject *self, PyObject *wanted)
{
    Py_ssize_t i = search(DEQUE(self), wanted, 0, Py_SIZE(self), 0, PyExc_IndexError);
    if (i == -1) {
        PyErr_Format(PyExc_ValueError, "%R is not in deque", wanted);
    }
    if (i < 0) {
        return NULL;
    }
    Py_DECREF(take(DEQUE(self), i));
    Py_RETURN_NONE;
}

static PyObject *
deque_insert(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Deque *d = DEQUE(self);
    if (nargs != 2) {
        PyObject *wanted;
        (void)_PyArg_ParseStack(args, nargs, "OO:insert", &wanted, &wanted);
        return NULL;
    }
    PyObject *number = PyNumber_Index(args[0]);
    if (number == NULL) {
        return NULL;
    }
    Py_ssize_t index = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    Py_ssize_t n = Py_SIZE(d);  /* after __index__, which may change it */
    if (d->maxlen == n) {
        PyErr_SetString(PyExc_IndexError,
                        "deque already at its maximum size");
        return NULL;
    }
    index = index < 0 ? Py_MAX(index + n, 0) : Py_MIN(index, n);
    if (index < n / 2) {
        if (add_first(d, Py_NewRef(args[1])) < 0) {
            return NULL;
        }
        for (Py_ssize_t i = 0; i < index; i++) {
            *slot(d, i) = *slot(d, i + 1);
        }
    }
    else {
        if (add_last(d, Py_NewRef(args[1])) < 0) {
            return NULL;
        }
        for (Py_ssize_t i = n; i > index; i--) {
            *slot(d, i) = *slot(d, i - 1);
        }
    }
    *slot(d, index) = args[1];
    Py_RETURN_NONE;
}

static PyObject *
deque_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *state = PyObject_CallMethodNoArgs(self, _Py_NAME(dunder_getstate));
    if (state == NULL) {
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(self);
    if (iter == NULL) {
        Py_DECREF(state);
        return NULL;
    }
    return DEQUE(self)->maxlen < 0
        ? Py_BuildValue("O()NN", Py_TYPE(self), state, iter)
        : Py_BuildValue("O(()n)NN", Py_TYPE(self), DEQUE(self)->maxlen, state,
                        iter);
}

static PyObject *
deque_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(
        _PyObject_SIZE(Py_TYPE(self))
        + (Py_ssize_t)(DEQUE(self)->capacity * sizeof(PyObject *)));
}

static PyObject *
deque_get_maxlen(PyObject *self, void *Py_UNUSED(closure))
{
    if (DEQUE(self)->maxlen < 0) {
        Py_RETURN_NONE;
    }
    return PyLong_FromSsize_t(DEQUE(self)->maxlen);
}

/* ----------------------------------------------------------------- protocol */

static Py_ssize_t
deque_length(PyObject *self)
{
    return Py_SIZE(self);
}

static PyObject *
deque_item(PyObject *self, Py_ssize_t i)
{
    if ((size_t)i >= (size_t)Py_SIZE(self)) {
        PyErr_SetString(PyExc_IndexError, "deque index out of range");
        return NULL;
    }
    return Py_NewRef(*slot(DEQUE(self), i));
}

static int
deque_ass_item(PyObject *self, Py_ssize_t i, PyObject *value)
{
    if ((size_t)i >= (size_t)Py_SIZE(self)) {
        PyErr_SetString(PyExc_IndexError, "deque index out of range");
        return -1;
    }
    PyObject *old;
    if (value == NULL) {
        old = take(DEQUE(self), i);
    }
    else {
        PyObject **place = slot(DEQUE(self), i);
        old = *place;
        *place = Py_NewRef(value);
    }
    Py_DECREF(old);
    return 0;
}

static PyObject *
deque_concat(PyObject *self, PyObject *other)
{
    int is_deque = PyObject_IsInstance(other, (PyObject *)&_PyDeque_Type);
    if (is_deque <= 0) {
        if (is_deque == 0) {
            PyErr_Format(PyExc_TypeError,
                         "can only concatenate deque (not \"%.200s\") to "
                         "deque", Py_TYPE(other)->tp_name);
        }
        return NULL;
    }
    PyObject *result = copy_of(self);
    if (result != NULL && extend(DEQUE(result), other) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
deque_inplace_concat(PyObject *self, PyObject *other)
{
    return extend(DEQUE(self), other) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
deque_inplace_repeat(PyObject *self, Py_ssize_t times)
{
    Deque *d = DEQUE(self);
    Py_ssize_t n = Py_SIZE(d);
    if (n == 0 || times == 1) {
        return Py_NewRef(self);
    }
    if (times <= 0) {
        drop_all(d);
        return Py_NewRef(self);
    }
    if (n > PY_SSIZE_T_MAX / times) {
        return PyErr_NoMemory();
    }
    Py_ssize_t total = n * times;
    if (d->maxlen >= 0 && total > d->maxlen) {
        /* Of the repeated items the last maxlen remain. */
        Py_ssize_t needed = (d->maxlen + n - 1) / n;
        if (needed == 1 && n > 1) {
            return Py_NewRef(self);
        }
        times = Py_MIN(times, needed + 1);
        total = n * times;
    }
    if (reserve(d, d->maxlen >= 0 ? Py_MIN(total, d->maxlen + 1) : total) < 0) {
        return NULL;
    }
    PyObject *items = PySequence_List(self);
    if (items == NULL) {
        return NULL;
    }
    int failed = 0;
    for (Py_ssize_t i = n; !failed && i < total; i++) {
        failed = add_last(d, Py_NewRef(PyList_GET_ITEM(items, i % n))) < 0;
    }
    Py_DECREF(items);
    return failed ? NULL : Py_NewRef(self);
}

static PyObject *
deque_repeat(PyObject *self, Py_ssize_t times)
{
    PyObject *copy = copy_of(self);
    if (copy == NULL) {
        return NULL;
    }
    PyObject *result = deque_inplace_repeat(copy, times);
    Py_DECREF(copy);
    return result;
}

static PyObject *
deque_repr(PyObject *self)
{
    int entered = Py_ReprEnter(self);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromString("[...]") : NULL;
    }
    PyObject *result = NULL, *list = PySequence_List(self);
    if (list != NULL) {
        const char *name = _PyType_Name(Py_TYPE(self));
        result = DEQUE(self)->maxlen >= 0
            ? PyUnicode_FromFormat("%s(%R, maxlen=%zd)", name, list,
                                   DEQUE(self)->maxlen)
            : PyUnicode_FromFormat("%s(%R)", name, list);
        Py_DECREF(list);
    }
    Py_ReprLeave(self);
    return result;
}

static PyObject *
deque_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyObject_TypeCheck(a, &_PyDeque_Type)
        || !PyObject_TypeCheck(b, &_PyDeque_Type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (a != b && Py_SIZE(a) != Py_SIZE(b) && (op == Py_EQ || op == Py_NE)) {
        return PyBool_FromLong(op == Py_NE);
    }
    PyObject *x_iter = PyObject_GetIter(a), *y_iter = NULL;
    PyObject *x = NULL, *y = NULL, *result = NULL;
    if (x_iter == NULL || (y_iter = PyObject_GetIter(b)) == NULL) {
        goto done;
    }
    for (;;) {
        x = PyIter_Next(x_iter);
        if (x == NULL && PyErr_Occurred()) {
            goto done;
        }
        y = PyIter_Next(y_iter);
        if (y == NULL && PyErr_Occurred()) {
            goto done;
        }
        if (x == NULL || y == NULL) {
            break;
        }
        int equal = _PyObject_CompareBool(x, y, Py_EQ);
        if (equal < 0) {
            goto done;
        }
        if (equal == 0) {
            /* The operator has the last word, as a bool. */
            int holds = _PyObject_CompareBool(x, y, op);
            result = holds < 0 ? NULL : PyBool_FromLong(holds);
            goto done;
        }
        Py_CLEAR(x);
        Py_CLEAR(y);
    }
    /* The shorter one is less. */
    int more_x = x != NULL, more_y = y != NULL;
    switch (op) {
    case Py_LT: result = PyBool_FromLong(more_x < more_y); break;
    case Py_LE: result = PyBool_FromLong(more_x <= more_y); break;
    case Py_EQ: result = PyBool_FromLong(more_x == more_y); break;
    case Py_NE: result = PyBool_FromLong(more_x != more_y); break;
    case Py_GT: result = PyBool_FromLong(more_x > more_y); break;
    case Py_GE: result = PyBool_FromLong(more_x >= more_y); break;
    }
done:
    Py_XDECREF(x);
    Py_XDECREF(y);
    Py_XDECREF(x_iter);
    Py_XDECREF(y_iter);
    return result;
}

/* ---------------------------------------------------------------- iterators */

typedef struct {
    PyObject_HEAD
    PyObject *deque;
    Py_ssize_t index;           /* of the next item, from the iterator's end */
    Py_ssize_t left;
    size_t changes;
} DequeIter;

static PyObject *
iter_over(PyTypeObject *type, PyObject *deque)
{
    DequeIter *it = PyObject_GC_New(DequeIter, type);
    if (it == NULL) {
        return NULL;
    }
    it->deque = Py_NewRef(deque);
    it->index = 0;
    it->left = Py_SIZE(deque);
    it->changes = DEQUE(deque)->changes;
    PyObject_GC_Track(it);
    return (PyObject *)it;
}

static PyObject *
deque_iter(PyObject *self)
{
    return iter_over(&_PyDequeIter_Type, self);
}

static PyObject *
deque_reversed(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return iter_over(&_PyDequeRevIter_Type, self);
}

static void
dequeiter_dealloc(DequeIter *it)
{
    PyObject_GC_UnTrack(it);
    Py_XDECREF(it->deque);
    PyObject_GC_Del(it);
}

static int
dequeiter_traverse(DequeIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->deque);
    return 0;
}

/* The index in the deque of the next item; -1 at the end or with an
   exception. */
static Py_ssize_t
advance(DequeIter *it)
{
    if (it->changes != DEQUE(it->deque)->changes) {
        it->left = 0;
        PyErr_SetString(PyExc_RuntimeError, mutated);
        return -1;
    }
    if (it->left == 0) {
        return -1;
    }
    it->left--;
    return it->index++;
}

static PyObject *
dequeiter_next(DequeIter *it)
{
    Py_ssize_t i = advance(it);
    return i < 0 ? NULL : Py_NewRef(*slot(DEQUE(it->deque), i));
}

static PyObject *
dequereviter_next(DequeIter *it)
{
    if (it->left == 0) {
        return NULL;        /* even after a change: unlike forwards */
    }
    Py_ssize_t i = advance(it);
    return i < 0 ? NULL
        : Py_NewRef(*slot(DEQUE(it->deque), Py_SIZE(it->deque) - 1 - i));
}

static Py_ssize_t
take_run(PyObject *op, PyObject **to, Py_ssize_t most)
{
    DequeIter *it = (DequeIter *)op;
    Deque *d = DEQUE(it->deque);
    if (it->changes != d->changes) {
        return 0;
    }
    Py_ssize_t n = Py_MIN(most, it->left);
    for (Py_ssize_t i = 0; i < n; i++) {
        to[i] = Py_NewRef(*slot(d, it->index + i));
    }
    it->index += n;
    it->left -= n;
    return n;
}

void
_PyDeque_AddTaker(void)
{
    _PyIter_AddTaker(&_PyDequeIter_Type, take_run);
}

/* type(deque, index): how an unpickled one finds its place. */
static PyObject *
dequeiter_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(kwds))
{
    Py_ssize_t index = 0;
    PyObject *deque;
    if (!PyArg_ParseTuple(args, "O!|n", &_PyDeque_Type, &deque, &index)) {
        return NULL;
    }
    DequeIter *it = (DequeIter *)iter_over(type, deque);
    if (it != NULL) {
        index = Py_MIN(Py_MAX(index, 0), it->left);
        it->index = index;
        it->left -= index;
    }
    return (PyObject *)it;
}

static PyObject *
dequeiter_length_hint(DequeIter *it, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(it->left);
}

static PyObject *
dequeiter_reduce(DequeIter *it, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(On)", Py_TYPE(it), it->deque,
                         Py_SIZE(it->deque) - it->left);
}

static PyMethodDef dequeiter_methods[] = {
    {"__length_hint__", (PyCFunction)dequeiter_length_hint, METH_NOARGS,
     "Private method returning an estimate of len(list(it))."},
    {"__reduce__", (PyCFunction)dequeiter_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {NULL, NULL, 0, NULL}
};

#define ITER_TYPE(type, name, next)                             \
    PyTypeObject type = {                                       \
        PyVarObject_HEAD_INIT(NULL, 0)                          \
        .tp_name = name,                                        \
        .tp_basicsize = sizeof(DequeIter),                      \
        .tp_dealloc = (destructor)dequeiter_dealloc,            \
        .tp_getattro = PyObject_GenericGetAttr,                 \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,    \
        .tp_traverse = (traverseproc)dequeiter_traverse,        \
        .tp_iter = PyObject_SelfIter,                           \
        .tp_iternext = (iternextfunc)next,                      \
        .tp_methods = dequeiter_methods,                        \
        .tp_new = dequeiter_new,                                \
    }

ITER_TYPE(_PyDequeIter_Type, "_collections._deque_iterator", dequeiter_next);
ITER_TYPE(_PyDequeRevIter_Type, "_collections._deque_reverse_iterator",
          dequereviter_next);

/* --------------------------------------------------------------------- type */


static PyMethodDef deque_methods[] = {
    {"append", deque_append, METH_O,
     "Add an element to the right side of the deque."},
    {"appendleft", deque_appendleft, METH_O,
     "Add an element to the left side of the deque."},
    {"clear", deque_clear, METH_NOARGS,
     "Remove all elements from the deque."},
    {"__copy__", deque_copy, METH_NOARGS,
     "Return a shallow copy of a deque."},
    {"copy", deque_copy, METH_NOARGS,
     "Return a shallow copy of a deque."},
    {"count", deque_count, METH_O,
     "D.count(value) -- return number of occurrences of value"},
    {"extend", deque_extend, METH_O,
     "Extend the right side of the deque with elements from the iterable"},
    {"extendleft", deque_extendleft, METH_O,
     "Extend the left side of the deque with elements from the iterable"},
    {"index", FAST(deque_index),
     "D.index(value, [start, [stop]]) -- return first index of value.\n"
     "Raises ValueError if the value is not present."},
    {"insert", FAST(deque_insert),
     "D.insert(index, object) -- insert object before index"},
    {"pop", deque_pop, METH_NOARGS,
     "Remove and return the rightmost element."},
    {"popleft", deque_popleft, METH_NOARGS,
     "Remove and return the leftmost element."},
    {"__reduce__", deque_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {"remove", deque_remove, METH_O,
     "D.remove(value) -- remove first occurrence of value."},
    {"__reversed__", deque_reversed, METH_NOARGS,
     "D.__reversed__() -- return a reverse iterator over the deque"},
    {"reverse", deque_reverse, METH_NOARGS,
     "D.reverse() -- reverse *IN PLACE*"},
    {"rotate", FAST(deque_rotate),
     "Rotate the deque n steps to the right (default n=1).  "
     "If n is negative, rotates left."},
    {"__sizeof__", deque_sizeof, METH_NOARGS,
     "D.__sizeof__() -- size of D in memory, in bytes"},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef deque_getset[] = {
    {"maxlen", deque_get_maxlen, NULL,
     "maximum size of a deque or None if unbounded", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PySequenceMethods deque_as_sequence = {
    .sq_length = deque_length,
    .sq_concat = deque_concat,
    .sq_repeat = deque_repeat,
    .sq_item = deque_item,
    .sq_ass_item = deque_ass_item,
    .sq_contains = deque_contains,
    .sq_inplace_concat = deque_inplace_concat,
    .sq_inplace_repeat = deque_inplace_repeat,
};

PyTypeObject _PyDeque_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "collections.deque",
    .tp_basicsize = sizeof(Deque),
    .tp_dealloc = deque_dealloc,
    .tp_repr = deque_repr,
    .tp_as_sequence = &deque_as_sequence,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_SEQUENCE,
    .tp_doc = "deque([iterable[, maxlen]]) --> deque object\n\n"
        "A list-like sequence optimized for data accesses near its "
        "endpoints.",
    .tp_traverse = (traverseproc)deque_traverse,
    .tp_clear = (inquiry)drop_all,
    .tp_richcompare = deque_richcompare,
    .tp_weaklistoffset = offsetof(Deque, weakreflist),
    .tp_iter = deque_iter,
    .tp_methods = deque_methods,
    .tp_getset = deque_getset,
    .tp_init = deque_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = deque_new,
    .tp_free = PyObject_GC_Del,
};
