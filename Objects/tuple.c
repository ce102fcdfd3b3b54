/* Tuples. See internal/tuple.h for what other files may rely on. */
#include "Python.h"
#include "internal/compare.h"
#include "internal/errors.h"
#include "internal/gc.h"
#include "internal/gcstate.h"
#include "internal/index_iter.h"
#include "internal/keyhash.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/pystate.h"
#include "internal/trashcan.h"
#include "internal/tuple.h"

#define TUPLE(op) ((PyTupleObject *)(op))

static struct {
    PyGC_Head head;
    PyTupleObject tuple;
} empty = {
    .tuple = {
        .ob_base = {{_Py_IMMORTAL_REFCNT, &PyTuple_Type}, 0},
        .ob_item = {NULL},
    },
};

struct _PyTuple_FreeList _PyTuple_free[_PyTuple_FREE_SIZES];

static void
clear_free_lists(void)
{
    for (int n = 1; n < _PyTuple_FREE_SIZES; n++) {
        PyTupleObject *tuple = _PyTuple_free[n].first;
        _PyTuple_free[n].first = NULL;
        _PyTuple_free[n].count = 0;
        while (tuple != NULL) {
            PyTupleObject *next = (PyTupleObject *)tuple->ob_item[0];
            PyObject_Free(_Py_AS_GC((PyObject *)tuple));
            tuple = next;
        }
    }
}

void
_PyTuple_DebugMallocStats(FILE *out)
{
    for (int n = 1; n < _PyTuple_FREE_SIZES; n++) {
        fprintf(out, "%d free %d-sized PyTupleObjects\n",
                _PyTuple_free[n].count, n);
    }
}

/* ------------------------------------------------------------------- making */

PyTupleObject *
_PyTuple_AllocFresh(Py_ssize_t n)
{
    static int registered;
    if (!registered) {
        registered = 1;
        _PyGC_RegisterClearFreeList(clear_free_lists);
    }
    if ((size_t)n > ((size_t)PY_SSIZE_T_MAX - sizeof(PyTupleObject)
                     - sizeof(PyGC_Head)) / sizeof(PyObject *)) {
        PyErr_NoMemory();
        return NULL;
    }
    return PyObject_GC_NewVar(PyTupleObject, &PyTuple_Type, n);
}

static PyObject *
empty_tuple(void)
{
    return Py_NewRef(&empty.tuple);
}

PyObject *
PyTuple_New(Py_ssize_t n)
{
    if (n <= 0) {
        if (n == 0) {
            return empty_tuple();
        }
        PyErr_BadInternalCall();
        return NULL;
    }
    PyTupleObject *self = _PyTuple_Alloc(n);
    if (self == NULL) {
        return NULL;
    }
    memset(self->ob_item, 0, (size_t)n * sizeof(PyObject *));
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
_PyTuple_FromArray(PyObject *const *items, Py_ssize_t n)
{
    if (n == 0) {
        return empty_tuple();
    }
    PyTupleObject *self = _PyTuple_Alloc(n);
    if (self == NULL) {
        return NULL;
    }
    _Py_CopyRefs(self->ob_item, items, n);
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
_PyTuple_FromArraySteal(PyObject *const *items, Py_ssize_t n)
{
    if (n == 0) {
        return empty_tuple();
    }
    PyTupleObject *self = _PyTuple_Alloc(n);
    if (self == NULL) {
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_DECREF(items[i]);
        }
        return NULL;
    }
    memcpy(self->ob_item, items, (size_t)n * sizeof(PyObject *));
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
PyTuple_Pack(Py_ssize_t n, ...)
{
    if (n == 0) {
        return empty_tuple();
    }
    if (n < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyTupleObject *self = _PyTuple_Alloc(n);
    if (self == NULL) {
        return NULL;
    }
    va_list items;
    va_start(items, n);
    for (Py_ssize_t i = 0; i < n; i++) {
        self->ob_item[i] = Py_NewRef(va_arg(items, PyObject *));
    }
    va_end(items);
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

PyObject *
_PyTuple_Pair(PyObject *first, PyObject *second)
{
    /* The allocation may start a collection, which may take the items from a container. */
    return _PyTuple_PairSteal(Py_NewRef(first), Py_NewRef(second));
}

/* Releases the first n items. 0: the tuple has been put aside, with just these items. */
static __attribute__((noinline)) int
release_rest(PyTupleObject *self, Py_ssize_t n)
{
    PyThreadState *tstate = NULL;
    if (Py_TYPE(self)->tp_dealloc == PyTuple_Type.tp_dealloc) {
        tstate = _PyThreadState_GET();
        Py_ssize_t all = Py_SIZE(self);
        Py_SET_SIZE(self, n);
        if (!_PyTrash_Enter(tstate, (PyObject *)self)) {
            return 0;
        }
        Py_SET_SIZE(self, all);
    }
    while (--n >= 0) {
        Py_XDECREF(self->ob_item[n]);
    }
    if (tstate != NULL) {
        _PyTrash_Leave(tstate);
    }
    return 1;
}

/* The first `left` items are still to be released. */
static __attribute__((noinline)) void
dealloc_rest(PyTupleObject *self, Py_ssize_t left)
{
    if (left > 0 && !release_rest(self, left)) {
        return;
    }
    if (PyTuple_CheckExact(self)) {
        _PyTuple_FreeUntracked(self);
        return;
    }
    Py_TYPE(self)->tp_free(self);
}

static void
tuple_dealloc(PyTupleObject *self)
{
    PyObject *op = (PyObject *)self;
    if (self == &empty.tuple) {
        /* Some code has released references that it did not own. */
        Py_SET_REFCNT(self, _Py_IMMORTAL_REFCNT);
        return;
    }
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    Py_ssize_t n = Py_SIZE(self);
    if (n == 2 && PyTuple_CheckExact(op) && _PyTuple_ReleaseSharedPair(self)) {
        _PyTuple_FreeUntracked(self);
        return;
    }
    dealloc_rest(self, _PyTrash_ReleaseShared(self->ob_item, n));
}

static int
tuple_traverse(PyTupleObject *self, visitproc visit, void *arg)
{
    for (Py_ssize_t i = Py_SIZE(self); --i >= 0;) {
        Py_VISIT(self->ob_item[i]);
    }
    return 0;
}

/* For the collector. A tuple with NULL items is still being filled, so it stays
   tracked. */
void
_PyTuple_MaybeUntrack(PyObject *op)
{
    if (!PyTuple_CheckExact(op) || !_PyObject_GC_IS_TRACKED(op)) {
        return;
    }
    for (Py_ssize_t i = 0; i < Py_SIZE(op); i++) {
        PyObject *item = TUPLE(op)->ob_item[i];
        if (item == NULL
            || (_PyObject_IS_GC(item)
                && !(PyTuple_CheckExact(item)
                     && !_PyObject_GC_IS_TRACKED(item)))) {
            return;
        }
    }
    _PyObject_GC_UNTRACK(op);
}

/* The caller must have the only reference to the tuple. On failure *ptuple becomes
   NULL. */
int
_PyTuple_Resize(PyObject **ptuple, Py_ssize_t size)
{
    PyTupleObject *old = (PyTupleObject *)*ptuple;
    if (old == NULL || !Py_IS_TYPE(old, &PyTuple_Type)
        || (Py_SIZE(old) != 0 && Py_REFCNT(old) != 1)) {
        *ptuple = NULL;
        Py_XDECREF(old);
        PyErr_BadInternalCall();
        return -1;
    }
    Py_ssize_t n = Py_SIZE(old);
    if (n == size) {
        return 0;
    }
    if (size == 0 || n == 0) {
        Py_DECREF(old);
        *ptuple = PyTuple_New(size);
        return *ptuple == NULL ? -1 : 0;
    }
    if (_PyObject_GC_IS_TRACKED((PyObject *)old)) {
        _PyObject_GC_UNTRACK((PyObject *)old);
    }
    for (Py_ssize_t i = size; i < n; i++) {
        Py_CLEAR(old->ob_item[i]);
    }
    PyTupleObject *self = PyObject_GC_Resize(PyTupleObject, old, size);
    if (self == NULL) {
        *ptuple = NULL;
        for (Py_ssize_t i = 0; i < Py_MIN(n, size); i++) {
            Py_CLEAR(old->ob_item[i]);
        }
        _PyObject_TellTracer((PyObject *)old, PyRefTracer_DESTROY);
        PyObject_GC_Del(old);
        return -1;
    }
    for (Py_ssize_t i = n; i < size; i++) {
        self->ob_item[i] = NULL;
    }
    *ptuple = (PyObject *)self;
    _PyObject_GC_TRACK((PyObject *)self);
    return 0;
}

/* -------------------------------------------------------------------- items */

Py_ssize_t
PyTuple_Size(PyObject *op)
{
    if (!PyTuple_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    return Py_SIZE(op);
}

PyObject *
PyTuple_GetItem(PyObject *op, Py_ssize_t i)
{
    if (!PyTuple_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (i < 0 || i >= Py_SIZE(op)) {
        PyErr_SetString(PyExc_IndexError, "tuple index out of range");
        return NULL;
    }
    return TUPLE(op)->ob_item[i];
}

int
PyTuple_SetItem(PyObject *op, Py_ssize_t i, PyObject *item)
{
    if (!PyTuple_Check(op) || Py_REFCNT(op) != 1) {
        Py_XDECREF(item);
        PyErr_BadInternalCall();
        return -1;
    }
    if (i < 0 || i >= Py_SIZE(op)) {
        Py_XDECREF(item);
        PyErr_SetString(PyExc_IndexError,
                        "tuple assignment index out of range");
        return -1;
    }
    PyObject **slot = TUPLE(op)->ob_item + i;
    Py_XSETREF(*slot, item);
    return 0;
}

static PyObject *
get_slice(PyObject *self, Py_ssize_t low, Py_ssize_t high)
{
    Py_ssize_t n = Py_SIZE(self);
    low = Py_MAX(low, 0);
    high = Py_MIN(high, n);
    high = Py_MAX(high, low);
    if (low == 0 && high == n && PyTuple_CheckExact(self)) {
        return Py_NewRef(self);
    }
    return _PyTuple_FromArray(TUPLE(self)->ob_item + low, high - low);
}

PyObject *
PyTuple_GetSlice(PyObject *op, Py_ssize_t low, Py_ssize_t high)
{
    if (op == NULL || !PyTuple_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return get_slice(op, low, high);
}

/* ----------------------------------------------------------------- protocol */

static Py_ssize_t
tuple_length(PyObject *self)
{
    return Py_SIZE(self);
}

static PyObject *
tuple_item(PyObject *self, Py_ssize_t i)
{
    if ((size_t)i >= (size_t)Py_SIZE(self)) {
        PyErr_SetString(PyExc_IndexError, "tuple index out of range");
        return NULL;
    }
    return Py_NewRef(TUPLE(self)->ob_item[i]);
}

static PyObject *
tuple_subscript(PyObject *self, PyObject *key)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return tuple_item(self, i < 0 ? i + Py_SIZE(self) : i);
    }
    if (!PySlice_Check(key)) {
        PyErr_Format(PyExc_TypeError,
                     "tuple indices must be integers or slices, not %.200s",
                     Py_TYPE(key)->tp_name);
        return NULL;
    }
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return NULL;
    }
    Py_ssize_t n = PySlice_AdjustIndices(Py_SIZE(self), &start, &stop, step);
    if (n <= 0) {
        return empty_tuple();
    }
    if (step == 1) {
        return get_slice(self, start, start + n);
    }
    PyTupleObject *result = _PyTuple_Alloc(n);
    if (result == NULL) {
        return NULL;
    }
    PyObject **items = result->ob_item, *const *from = TUPLE(self)->ob_item;
    for (Py_ssize_t i = 0; i < n; i++, start += step) {
        items[i] = Py_NewRef(from[start]);
    }
    _PyObject_GC_TRACK((PyObject *)result);
    return (PyObject *)result;
}

static PyObject *
tuple_concat(PyObject *a, PyObject *b)
{
    if (Py_SIZE(a) == 0 && PyTuple_CheckExact(b)) {
        return Py_NewRef(b);
    }
    if (!PyTuple_Check(b)) {
        PyErr_Format(PyExc_TypeError,
                     "can only concatenate tuple (not \"%.200s\") to tuple",
                     Py_TYPE(b)->tp_name);
        return NULL;
    }
    Py_ssize_t na = Py_SIZE(a), nb = Py_SIZE(b);
    if (nb == 0 && PyTuple_CheckExact(a)) {
        return Py_NewRef(a);
    }
    if (na > PY_SSIZE_T_MAX - nb) {
        return PyErr_NoMemory();
    }
    if (na + nb == 0) {
        return empty_tuple();
    }
    PyTupleObject *result = _PyTuple_Alloc(na + nb);
    if (result == NULL) {
        return NULL;
    }
    _Py_CopyRefs(result->ob_item, TUPLE(a)->ob_item, na);
    _Py_CopyRefs(result->ob_item + na, TUPLE(b)->ob_item, nb);
    _PyObject_GC_TRACK((PyObject *)result);
    return (PyObject *)result;
}

static PyObject *
tuple_repeat(PyObject *self, Py_ssize_t times)
{
    Py_ssize_t n = Py_SIZE(self);
    if ((n == 0 || times == 1) && PyTuple_CheckExact(self)) {
        return Py_NewRef(self);
    }
    if (n == 0 || times <= 0) {
        return empty_tuple();
    }
    if (n > PY_SSIZE_T_MAX / times) {
        return PyErr_NoMemory();
    }
    PyTupleObject *result = _PyTuple_Alloc(n * times);
    if (result == NULL) {
        return NULL;
    }
    PyObject **to = result->ob_item;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = TUPLE(self)->ob_item[i];
        Py_SET_REFCNT(item, Py_REFCNT(item) + times);
        to[i] = item;
    }
    for (Py_ssize_t filled = n; filled < n * times;) {
        Py_ssize_t more = Py_MIN(filled, n * times - filled);
        memcpy(to + filled, to, (size_t)more * sizeof(PyObject *));
        filled += more;
    }
    _PyObject_GC_TRACK((PyObject *)result);
    return (PyObject *)result;
}

static int
tuple_contains(PyObject *self, PyObject *wanted)
{
    if (wanted == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        int equal = _PyObject_CompareBool(TUPLE(self)->ob_item[i], wanted,
                                          Py_EQ);
        if (equal != 0) {
            return equal;
        }
    }
    return 0;
}

/* Only what is not known at once can lead to another tuple, and deeper into the C stack. */
static Py_hash_t
ask_hash(PyObject *item)
{
    return _Py_GuardCStack("") < 0 ? -1 : PyObject_Hash(item);
}

/* Of a tuple with an item whose hash is not known at once. */
static __attribute__((noinline)) Py_hash_t
hash_asking(PyObject *self)
{
    Py_ssize_t n = Py_SIZE(self);
    Py_uhash_t sum = _PyTuple_HASH_START;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = TUPLE(self)->ob_item[i];
        Py_hash_t lane = _Py_KnownHash(item);
        if (lane == -1 && (lane = ask_hash(item)) == -1) {
            return -1;
        }
        sum = _PyTuple_HashNext(sum, lane);
    }
    return _PyTuple_HashEnd(sum, n);
}

static Py_hash_t
tuple_hash(PyObject *self)
{
    Py_hash_t hash = _PyTuple_KnownHash(self);
    return __builtin_expect(hash != -1, 1) ? hash : hash_asking(self);
}

/* Down to this depth, tuples in tuples are compared without calling their type's slot. */
#define QUICK_DEPTH 3

/* From the items at i on: those in front are the same. */
static int
quick_compare(PyObject *a, PyObject *b, int op, int depth, Py_ssize_t i)
{
    Py_ssize_t na = Py_SIZE(a), nb = Py_SIZE(b);
    for (; i < na && i < nb; i++) {
        PyObject *x = TUPLE(a)->ob_item[i], *y = TUPLE(b)->ob_item[i];
        if (x == y) {
            continue;
        }
        if (PyUnicode_CheckExact(x) && PyUnicode_CheckExact(y) && PyUnicode_IS_READY(x)
            && PyUnicode_IS_READY(y)) {
            int order = op == Py_EQ || op == Py_NE ? !_PyUnicode_FastEq(x, y)
                                                   : _PyUnicode_Order(x, y);
            if (order != 0) {
                return _Py_OrderSatisfies(order, op);
            }
            continue;
        }
        int is_nested = PyTuple_CheckExact(x) && PyTuple_CheckExact(y);
        if (is_nested && depth == 0) {
            return -1;
        }
        int equal = is_nested ? quick_compare(x, y, Py_EQ, depth - 1, 0)
                              : _PyObject_QuickCompare(x, y, Py_EQ);
        if (equal < 0) {
            return -1;
        }
        if (!equal) {
            return op == Py_EQ || op == Py_NE ? op == Py_NE
                   : is_nested ? quick_compare(x, y, op, depth - 1, 0)
                   : _PyObject_QuickCompare(x, y, op);
        }
    }
    return _Py_OrderSatisfies((na > nb) - (na < nb), op);
}

/* Most tuples that are compared, in hash tables, heaps and when they are sorted, are told apart or
   found equal by short ints, floats, or by being the same objects. */
int
_PyTuple_QuickCompare(PyObject *a, PyObject *b, int op)
{
    Py_ssize_t na = Py_SIZE(a), nb = Py_SIZE(b), n = Py_MIN(na, nb);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *x = TUPLE(a)->ob_item[i], *y = TUPLE(b)->ob_item[i];
        if (x == y) {
            continue;
        }
        if (PyLong_CheckExact(x) && PyLong_CheckExact(y) && _PyLong_CheckCompact(x)
            && _PyLong_CheckCompact(y)) {
            int64_t v = _PyLong_CompactValue(x), w = _PyLong_CompactValue(y);
            if (v != w) {
                return _Py_OrderSatisfies(v < w ? -1 : 1, op);
            }
        }
        else if (PyFloat_CheckExact(x) && PyFloat_CheckExact(y)) {
            double v = PyFloat_AS_DOUBLE(x), w = PyFloat_AS_DOUBLE(y);
            if (v != w) {
                return _Py_CompareDoubles(v, w, op);
            }
        }
        else {
            return quick_compare(a, b, op, QUICK_DEPTH, i);
        }
    }
    return _Py_OrderSatisfies((na > nb) - (na < nb), op);
}

static PyObject *
tuple_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyTuple_Check(a) || !PyTuple_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    Py_ssize_t na = Py_SIZE(a), nb = Py_SIZE(b);
    for (Py_ssize_t i = 0; i < na && i < nb; i++) {
        PyObject *x = TUPLE(a)->ob_item[i], *y = TUPLE(b)->ob_item[i];
        int equal = _PyObject_CompareBool(x, y, Py_EQ);
        if (equal < 0) {
            return NULL;
        }
        if (!equal) {
            if (op == Py_EQ || op == Py_NE) {
                return PyBool_FromLong(op == Py_NE);
            }
            return PyObject_RichCompare(x, y, op);
        }
    }
    Py_RETURN_RICHCOMPARE(na, nb, op);
}

static PyObject *
tuple_repr(PyObject *self)
{
    Py_ssize_t n = Py_SIZE(self);
    if (n == 0) {
        return PyUnicode_FromString("()");
    }
    int entered = Py_ReprEnter(self);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromString("(...)") : NULL;
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    writer.min_length = n > 1 ? 1 + 1 + (2 + 1) * (n - 1) + 1 : 4;
    int failed = _PyUnicodeWriter_WriteChar(&writer, '(') < 0;
    for (Py_ssize_t i = 0; !failed && i < n; i++) {
        PyObject *text = PyObject_Repr(TUPLE(self)->ob_item[i]);
        failed = text == NULL
            || (i > 0
                && _PyUnicodeWriter_WriteASCIIString(&writer, ", ", 2) < 0)
            || _PyUnicodeWriter_WriteStr(&writer, text) < 0;
        Py_XDECREF(text);
    }
    writer.overallocate = 0;
    failed = failed
        || (n == 1 && _PyUnicodeWriter_WriteChar(&writer, ',') < 0)
        || _PyUnicodeWriter_WriteChar(&writer, ')') < 0;
    Py_ReprLeave(self);
    if (failed) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

/* ------------------------------------------------------------- construction */

static PyObject *
subtype_new(PyTypeObject *type, PyObject *iterable)
{
    PyObject *exact = iterable == NULL ? empty_tuple()
                                       : PySequence_Tuple(iterable);
    if (exact == NULL) {
        return NULL;
    }
    Py_ssize_t n = Py_SIZE(exact);
    PyObject *self = type->tp_alloc(type, n);
    if (self != NULL) {
        for (Py_ssize_t i = 0; i < n; i++) {
            TUPLE(self)->ob_item[i] = Py_NewRef(TUPLE(exact)->ob_item[i]);
        }
    }
    Py_DECREF(exact);
    return self;
}

static PyObject *
tuple_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if ((type == &PyTuple_Type || type->tp_init == PyTuple_Type.tp_init)
        && !_PyArg_NoKeywords("tuple", kwds)) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (!_PyArg_CheckPositional("tuple", n, 0, 1)) {
        return NULL;
    }
    PyObject *iterable = n == 0 ? NULL : PyTuple_GET_ITEM(args, 0);
    if (type != &PyTuple_Type) {
        return subtype_new(type, iterable);
    }
    return iterable == NULL ? empty_tuple() : PySequence_Tuple(iterable);
}

static PyObject *
tuple_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames)
{
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    if (!_PyArg_NoKwnames("tuple", kwnames)
        || !_PyArg_CheckPositional("tuple", n, 0, 1)) {
        return NULL;
    }
    if (type != (PyObject *)&PyTuple_Type) {
        return subtype_new((PyTypeObject *)type, n == 0 ? NULL : args[0]);
    }
    return n == 0 ? empty_tuple() : PySequence_Tuple(args[0]);
}

/* ------------------------------------------------------------------ methods */

static PyObject *
tuple_index(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t start = 0, stop = PY_SSIZE_T_MAX, n = Py_SIZE(self);
    if (!_PyArg_CheckPositional("index", nargs, 1, 3)
        || (nargs > 1 && !_PyEval_SliceIndexNotNone(args[1], &start))
        || (nargs > 2 && !_PyEval_SliceIndexNotNone(args[2], &stop))) {
        return NULL;
    }
    start = start < 0 ? Py_MAX(start + n, 0) : start;
    stop = stop < 0 ? stop + n : Py_MIN(stop, n);
    for (Py_ssize_t i = start; i < stop; i++) {
        int equal = _PyObject_CompareBool(TUPLE(self)->ob_item[i], args[0],
                                          Py_EQ);
        if (equal != 0) {
            return equal < 0 ? NULL : PyLong_FromSsize_t(i);
        }
    }
    PyErr_SetString(PyExc_ValueError, "tuple.index(x): x not in tuple");
    return NULL;
}

static PyObject *
tuple_count(PyObject *self, PyObject *wanted)
{
    Py_ssize_t count = 0;
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        int equal = _PyObject_CompareBool(TUPLE(self)->ob_item[i], wanted,
                                          Py_EQ);
        if (equal < 0) {
            return NULL;
        }
        count += equal;
    }
    return PyLong_FromSsize_t(count);
}

static PyObject *
tuple_getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *exact = PyTuple_CheckExact(self)
        ? Py_NewRef(self)
        : _PyTuple_FromArray(TUPLE(self)->ob_item, Py_SIZE(self));
    if (exact == NULL) {
        return NULL;
    }
    return _PyTuple_FromArraySteal(&exact, 1);
}

static PyMethodDef tuple_methods[] = {
    {"__getnewargs__", tuple_getnewargs, METH_NOARGS,
     "__getnewargs__($self, /)\n--\n\n"},
    {"index", FAST(tuple_index),
     "index($self, value, start=0, stop=sys.maxsize, /)\n--\n\n"
     "Return first index of value.\n\n"
     "Raises ValueError if the value is not present."},
    {"count", tuple_count, METH_O,
     "count($self, value, /)\n--\n\n"
     "Return number of occurrences of value."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PySequenceMethods tuple_as_sequence = {
    .sq_length = tuple_length,
    .sq_concat = tuple_concat,
    .sq_repeat = tuple_repeat,
    .sq_item = tuple_item,
    .sq_contains = tuple_contains,
};

static PyMappingMethods tuple_as_mapping = {
    .mp_length = tuple_length,
    .mp_subscript = tuple_subscript,
};

/* ---------------------------------------------------------------- iterators */

static inline PyObject *
item(PyObject *tuple, Py_ssize_t i)
{
    return Py_NewRef(_PyTuple_ITEMS(tuple)[i]);
}

static PyObject *
tupleiter_next(_PyIndexIter *it)
{
    return _PyIndexIter_Step(it, _PyIndexIter_Size, item);
}

PyTypeObject PyTupleIter_Type =
    INDEX_ITER_TYPE("tuple_iterator", tupleiter_next, _PyIndexIter_Methods);

static PyObject *
tuple_iter(PyObject *self)
{
    if (!PyTuple_Check(self)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return _PyIndexIter_New(&PyTupleIter_Type, self, 0);
}

PyDoc_STRVAR(tuple_doc,
"tuple(iterable=(), /)\n--\n\n"
"Built-in immutable sequence.\n\n"
"If no argument is given, the constructor returns an empty tuple.\n"
"If iterable is specified the tuple is initialized from iterable's items.\n\n"
"If the argument is a tuple, the return value is the same object.");

PyTypeObject PyTuple_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "tuple",
    .tp_basicsize = sizeof(PyTupleObject) - sizeof(PyObject *),
    .tp_itemsize = sizeof(PyObject *),
    .tp_dealloc = (destructor)tuple_dealloc,
    .tp_repr = tuple_repr,
    .tp_as_sequence = &tuple_as_sequence,
    .tp_as_mapping = &tuple_as_mapping,
    .tp_hash = tuple_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_TUPLE_SUBCLASS | _Py_TPFLAGS_MATCH_SELF
        | Py_TPFLAGS_SEQUENCE,
    .tp_doc = tuple_doc,
    .tp_traverse = (traverseproc)tuple_traverse,
    .tp_richcompare = tuple_richcompare,
    .tp_iter = tuple_iter,
    .tp_methods = tuple_methods,
    .tp_new = tuple_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = tuple_vectorcall,
};
