/* range objects and their iterators.

   A range holds its start, stop, step and length as ints of any size. If its values fit
   machine words, the iteration needs no arithmetic on objects. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/index_iter.h"
#include "internal/int.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/range.h"
#include "structmember.h"

typedef _PyRangeObject Range;
typedef _PyRangeIterObject RangeIter;

#define RANGE(op) ((Range *)(op))

/* ----------------------------------------------------------- int arithmetic */

static PyObject *
int_zero(void)
{
    return _PyLong_GetSmall(0);
}

static PyObject *
int_one(void)
{
    return _PyLong_GetSmall(1);
}

static int
int_sign(PyObject *op)
{
    return Py_SIZE(op) < 0 ? -1 : Py_SIZE(op) > 0;
}

/* The number of steps from start to stop. Returns a new reference. */
static PyObject *
count_steps(PyObject *start, PyObject *stop, PyObject *step)
{
    int64_t a, b, s;
    if (_PyLong_AsInt64Exact(start, &a) && _PyLong_AsInt64Exact(stop, &b)
        && _PyLong_AsInt64Exact(step, &s)) {
        uint64_t distance = 0, stride = 0;
        if (s > 0 && a < b) {
            distance = (uint64_t)b - (uint64_t)a;
            stride = (uint64_t)s;
        }
        else if (s < 0 && a > b) {
            distance = (uint64_t)a - (uint64_t)b;
            stride = 0 - (uint64_t)s;
        }
        else {
            return int_zero();
        }
        return PyLong_FromUnsignedLongLong((distance - 1) / stride + 1);
    }
    int up = int_sign(step) > 0;
    PyObject *low = up ? start : stop, *high = up ? stop : start;
    int some = PyObject_RichCompareBool(low, high, Py_LT);
    if (some <= 0) {
        return some < 0 ? NULL : int_zero();
    }
    /* (high - low - 1) // |step| + 1 */
    PyObject *one = int_one(), *count = NULL;
    PyObject *stride = up ? Py_NewRef(step) : PyNumber_Negative(step);
    PyObject *distance = PyNumber_Subtract(high, low);
    if (stride != NULL && distance != NULL) {
        Py_SETREF(distance, PyNumber_Subtract(distance, one));
        if (distance != NULL) {
            count = PyNumber_FloorDivide(distance, stride);
        }
        if (count != NULL) {
            Py_SETREF(count, PyNumber_Add(count, one));
        }
    }
    Py_XDECREF(stride);
    Py_XDECREF(distance);
    Py_DECREF(one);
    return count;
}

/* start + i * step. Returns a new reference. */
static PyObject *
item_at(PyObject *start, PyObject *step, PyObject *i)
{
    PyObject *offset = PyNumber_Multiply(i, step);
    if (offset == NULL) {
        return NULL;
    }
    PyObject *item = PyNumber_Add(start, offset);
    Py_DECREF(offset);
    return item;
}

/* ------------------------------------------------------------------- making */

/* Steals the references, also on failure. If one of them is NULL, an exception is set,
   and this fails. */
static PyObject *
range_from(PyTypeObject *type, PyObject *start, PyObject *stop,
           PyObject *step)
{
    PyObject *length = NULL;
    Range *self = NULL;
    if (start != NULL && stop != NULL && step != NULL) {
        length = count_steps(start, stop, step);
    }
    if (length != NULL) {
        self = PyObject_New(Range, type);
    }
    if (self == NULL) {
        Py_XDECREF(start);
        Py_XDECREF(stop);
        Py_XDECREF(step);
        Py_XDECREF(length);
        return NULL;
    }
    self->start = start;
    self->stop = stop;
    self->step = step;
    self->length = length;
    return (PyObject *)self;
}

/* An exact int: range(True) holds 1. */
static PyObject *
index_of(PyObject *op)
{
    return PyLong_CheckExact(op) ? Py_NewRef(op) : PyNumber_Index(op);
}

static PyObject *
range_make(PyTypeObject *type, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs < 1 || nargs > 3) {
        PyErr_Format(PyExc_TypeError, "range expected at %s, got %zd",
                     nargs < 1 ? "least 1 argument" : "most 3 arguments",
                     nargs);
        return NULL;
    }
    if (nargs == 1) {
        PyObject *stop = index_of(args[0]);
        return stop == NULL ? NULL
            : range_from(type, int_zero(), stop, int_one());
    }
    PyObject *start = index_of(args[0]);
    PyObject *stop = start == NULL ? NULL : index_of(args[1]);
    PyObject *step = NULL;
    if (stop != NULL) {
        step = nargs == 3 ? index_of(args[2]) : int_one();
        if (step != NULL && int_sign(step) == 0) {
            PyErr_SetString(PyExc_ValueError,
                            "range() arg 3 must not be zero");
            Py_CLEAR(step);
        }
    }
    return range_from(type, start, stop, step);
}

static PyObject *
range_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if (!_PyArg_NoKeywords("range", kwds)) {
        return NULL;
    }
    return range_make(type, ((PyTupleObject *)args)->ob_item,
                      PyTuple_GET_SIZE(args));
}

static PyObject *
range_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames)
{
    if (!_PyArg_NoKwnames("range", kwnames)) {
        return NULL;
    }
    return range_make((PyTypeObject *)type, args, PyVectorcall_NARGS(nargsf));
}

static void
range_dealloc(Range *self)
{
    Py_DECREF(self->start);
    Py_DECREF(self->stop);
    Py_DECREF(self->step);
    Py_DECREF(self->length);
    PyObject_Free(self);
}

/* ----------------------------------------------------------------- protocol */

static Py_ssize_t
range_length(PyObject *self)
{
    return PyLong_AsSsize_t(RANGE(self)->length);
}

static int
range_bool(PyObject *self)
{
    return int_sign(RANGE(self)->length) != 0;
}

/* The item at an int index, which may be negative. */
static PyObject *
item_by_index(Range *self, PyObject *index)
{
    PyObject *i = int_sign(index) < 0 ? PyNumber_Add(index, self->length)
                                      : Py_NewRef(index);
    if (i == NULL) {
        return NULL;
    }
    int beyond = int_sign(i) < 0 ? 1
        : PyObject_RichCompareBool(i, self->length, Py_GE);
    PyObject *item = NULL;
    if (beyond == 0) {
        item = item_at(self->start, self->step, i);
    }
    else if (beyond > 0) {
        PyErr_SetString(PyExc_IndexError,
                        "range object index out of range");
    }
    Py_DECREF(i);
    return item;
}

static PyObject *
range_item(PyObject *self, Py_ssize_t i)
{
    PyObject *index = PyLong_FromSsize_t(i);
    if (index == NULL) {
        return NULL;
    }
    /* sq_item's caller has already added the length, so a negative index is out of
       range. */
    PyObject *item = NULL;
    if (i < 0) {
        PyErr_SetString(PyExc_IndexError, "range object index out of range");
    }
    else {
        item = item_by_index(RANGE(self), index);
    }
    Py_DECREF(index);
    return item;
}

static PyObject *
range_slice(Range *self, PyObject *slice)
{
    PyObject *start, *stop, *step;
    if (_PySlice_GetLongIndices((PySliceObject *)slice, self->length, &start,
                                &stop, &step) < 0) {
        return NULL;
    }
    PyObject *new_start = item_at(self->start, self->step, start);
    PyObject *new_stop = item_at(self->start, self->step, stop);
    PyObject *new_step = PyNumber_Multiply(self->step, step);
    Py_DECREF(start);
    Py_DECREF(stop);
    Py_DECREF(step);
    return range_from(&PyRange_Type, new_start, new_stop, new_step);
}

static PyObject *
range_subscript(PyObject *self, PyObject *key)
{
    if (PyIndex_Check(key)) {
        PyObject *index = PyNumber_Index(key);
        if (index == NULL) {
            return NULL;
        }
        PyObject *item = item_by_index(RANGE(self), index);
        Py_DECREF(index);
        return item;
    }
    if (PySlice_Check(key)) {
        return range_slice(RANGE(self), key);
    }
    PyErr_Format(PyExc_TypeError,
                 "range indices must be integers or slices, not %.200s",
                 Py_TYPE(key)->tp_name);
    return NULL;
}

/* Is an int (or bool) one of the items? */
static int
contains_int(Range *self, PyObject *number)
{
    int up = int_sign(self->step) > 0;
    int from_start = PyObject_RichCompareBool(up ? self->start : number,
                                              up ? number : self->start,
                                              Py_LE);
    if (from_start <= 0) {
        return from_start;
    }
    int before_stop = PyObject_RichCompareBool(up ? number : self->stop,
                                               up ? self->stop : number,
                                               Py_LT);
    if (before_stop <= 0) {
        return before_stop;
    }
    PyObject *offset = PyNumber_Subtract(number, self->start);
    PyObject *rest = offset == NULL ? NULL
        : PyNumber_Remainder(offset, self->step);
    int result = rest == NULL ? -1 : int_sign(rest) == 0;
    Py_XDECREF(offset);
    Py_XDECREF(rest);
    return result;
}

static int
is_plain_int(PyObject *op)
{
    return PyLong_CheckExact(op) || PyBool_Check(op);
}

static int
range_contains(PyObject *self, PyObject *op)
{
    if (is_plain_int(op)) {
        return contains_int(RANGE(self), op);
    }
    return (int)_PySequence_IterSearch(self, op, PY_ITERSEARCH_CONTAINS);
}

static int
ranges_equal(Range *a, Range *b)
{
    if (a == b) {
        return 1;
    }
    int equal = PyObject_RichCompareBool(a->length, b->length, Py_EQ);
    if (equal != 1 || int_sign(a->length) == 0) {
        return equal;
    }
    equal = PyObject_RichCompareBool(a->start, b->start, Py_EQ);
    if (equal != 1) {
        return equal;
    }
    int64_t n;
    if (_PyLong_AsInt64Exact(a->length, &n) && n == 1) {
        return 1;
    }
    return PyObject_RichCompareBool(a->step, b->step, Py_EQ);
}

static PyObject *
range_richcompare(PyObject *self, PyObject *other, int op)
{
    if (!PyRange_Check(other) || (op != Py_EQ && op != Py_NE)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int equal = ranges_equal(RANGE(self), RANGE(other));
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

/* Ranges with the same items are equal. So the hash is that of (length, start, step),
   with None for the parts that make no difference. */
static Py_hash_t
range_hash(PyObject *op)
{
    Range *self = RANGE(op);
    int64_t n;
    int short_one = _PyLong_AsInt64Exact(self->length, &n) && n <= 1;
    PyObject *key = PyTuple_Pack(3, self->length,
                                 short_one && n == 0 ? Py_None : self->start,
                                 short_one ? Py_None : self->step);
    if (key == NULL) {
        return -1;
    }
    Py_hash_t hash = PyObject_Hash(key);
    Py_DECREF(key);
    return hash;
}

static PyObject *
range_repr(Range *self)
{
    int64_t step;
    if (_PyLong_AsInt64Exact(self->step, &step) && step == 1) {
        return PyUnicode_FromFormat("range(%R, %R)", self->start, self->stop);
    }
    return PyUnicode_FromFormat("range(%R, %R, %R)", self->start, self->stop,
                                self->step);
}

/* ------------------------------------------------------------------ methods */

static PyObject *
range_count(PyObject *self, PyObject *op)
{
    if (is_plain_int(op)) {
        int in = contains_int(RANGE(self), op);
        return in < 0 ? NULL : PyLong_FromLong(in);
    }
    Py_ssize_t count = _PySequence_IterSearch(self, op, PY_ITERSEARCH_COUNT);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

static PyObject *
range_index(PyObject *self, PyObject *op)
{
    if (!is_plain_int(op)) {
        Py_ssize_t i = _PySequence_IterSearch(self, op, PY_ITERSEARCH_INDEX);
        return i < 0 ? NULL : PyLong_FromSsize_t(i);
    }
    int in = contains_int(RANGE(self), op);
    if (in > 0) {
        PyObject *offset = PyNumber_Subtract(op, RANGE(self)->start);
        if (offset == NULL) {
            return NULL;
        }
        PyObject *i = PyNumber_FloorDivide(offset, RANGE(self)->step);
        Py_DECREF(offset);
        return i;
    }
    if (in == 0) {
        PyErr_Format(PyExc_ValueError, "%R is not in range", op);
    }
    return NULL;
}

static PyObject *
range_reduce(Range *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(O(OOO))", Py_TYPE(self), self->start, self->stop,
                         self->step);
}

/* ---------------------------------------------------------------- iteration */

/* The loop of a range over machine words without any iterator: 1 and the three
   values (the number of steps may be 0), or 0 when they do not fit. */
static int
as_machine(PyObject *op, int64_t *start, int64_t *step,
           Py_ssize_t *length)
{
    Range *self = RANGE(op);
    int64_t n, last;
    if (!_PyLong_AsInt64Exact(self->start, start)
        || !_PyLong_AsInt64Exact(self->step, step)
        || !_PyLong_AsInt64Exact(self->length, &n)
        || __builtin_mul_overflow(n, *step, &last)
        || __builtin_add_overflow(*start, last, &last)) {
        return 0;
    }
    *length = (Py_ssize_t)n;
    return 1;
}

/* Dead iterators, to be used again: nested loops make them all the time. The count of references is
   the link to the next. */
#define MOST_SPARE 8
static RangeIter *spare;
static int nspare;

static void
rangeiter_dealloc(RangeIter *it)
{
    if (nspare == MOST_SPARE) {
        PyObject_Free(it);
        return;
    }
    it->ob_base.ob_refcnt = (Py_ssize_t)spare;
    spare = it;
    nspare++;
}

void
_PyRange_DropIterator(_PyRangeIterObject *it)
{
    if (Py_REFCNT(it) > 1 || __builtin_expect(_PyObject_ref_tracer.func != NULL, 0)) {
        Py_DECREF(it);
    }
    else {
        rangeiter_dealloc(it);
    }
}

static inline PyObject *
machine_iter(int64_t start, int64_t step, Py_ssize_t length)
{
    RangeIter *it = spare;
    if (it != NULL) {
        spare = (RangeIter *)it->ob_base.ob_refcnt;
        nspare--;
        _PyObject_Renew((PyObject *)it);
    }
    else if ((it = PyObject_New(RangeIter, &PyRangeIter_Type)) == NULL) {
        return NULL;
    }
    it->next = start;
    it->step = step;
    it->left = length;
    it->done = 0;
    return (PyObject *)it;
}

PyObject *
_PyRange_Iterate(int64_t start, int64_t stop, int64_t step)
{
    int64_t distance, n, last;
    if (step == 0 || __builtin_sub_overflow(stop, start, &distance)) {
        return NULL;
    }
    n = distance == 0 || (distance < 0) != (step < 0) ? 0
        : step == 1 ? distance : (distance - (step > 0 ? 1 : -1)) / step + 1;
    if (__builtin_mul_overflow(n, step, &last) || __builtin_add_overflow(start, last, &last)) {
        return NULL;
    }
    PyObject *it = machine_iter(start, step, (Py_ssize_t)n);
    if (it == NULL) {
        PyErr_Clear();
    }
    return it;
}

static PyObject *
rangeiter_next(RangeIter *it)
{
    if (it->left <= 0) {
        return NULL;
    }
    int64_t value = it->next;
    it->next = (int64_t)((uint64_t)value + (uint64_t)it->step);
    it->left--;
    it->done++;
    return _PyLong_FromInt64(value);
}

Py_ssize_t
_PyRangeIter_Take(PyObject *op, PyObject **to, Py_ssize_t most)
{
    RangeIter *it = (RangeIter *)op;
    Py_ssize_t n = 0, end = Py_MIN(most, it->left);
    int64_t value = it->next;
    while (n < end && (to[n] = _PyLong_FromInt64(value)) != NULL) {
        value = (int64_t)((uint64_t)value + (uint64_t)it->step);
        n++;
    }
    if (n < end) {
        PyErr_Clear();      /* tp_iternext will say so */
    }
    it->next = value;
    it->left -= n;
    it->done += n;
    return n;
}

static PyObject *
rangeiter_length_hint(RangeIter *it, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(it->left);
}

/* iter(the whole range), with the number of steps done as state. */
static PyObject *
rangeiter_reduce(RangeIter *it, PyObject *Py_UNUSED(ignored))
{
    int64_t start = (int64_t)((uint64_t)it->next
                              - (uint64_t)it->done * (uint64_t)it->step);
    int64_t stop = (int64_t)((uint64_t)it->next
                             + (uint64_t)it->left * (uint64_t)it->step);
    PyObject *range = range_from(&PyRange_Type, _PyLong_FromInt64(start),
                                 _PyLong_FromInt64(stop),
                                 _PyLong_FromInt64(it->step));
    if (range == NULL) {
        return NULL;
    }
    return Py_BuildValue("N(N)n", _PyEval_GetBuiltin(_Py_NAME(iter)), range,
                         it->done);
}

static PyObject *
rangeiter_setstate(RangeIter *it, PyObject *state)
{
    Py_ssize_t index = PyLong_AsLong(state);
    if (index == -1 && PyErr_Occurred()) {
        return NULL;
    }
    Py_ssize_t total = it->done + it->left;
    index = Py_MIN(Py_MAX(index, 0), total);
    it->next += (int64_t)(index - it->done) * it->step;
    it->done = index;
    it->left = total - index;
    Py_RETURN_NONE;
}

#define ITER_METHODS(prefix)                                                \
    static PyMethodDef prefix##_methods[] = {                               \
        {"__length_hint__", (PyCFunction)prefix##_length_hint, METH_NOARGS, \
         "Private method returning an estimate of len(list(it))."},         \
        {"__reduce__", (PyCFunction)prefix##_reduce, METH_NOARGS,           \
         "Return state information for pickling."},                         \
        {"__setstate__", (PyCFunction)prefix##_setstate, METH_O,            \
         "Set state information for unpickling."},                          \
        {NULL, NULL, 0, NULL}                                               \
    }

ITER_METHODS(rangeiter);

PyTypeObject PyRangeIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "range_iterator",
    .tp_basicsize = sizeof(RangeIter),
    .tp_dealloc = (destructor)rangeiter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)rangeiter_next,
    .tp_methods = rangeiter_methods,
};

/* The iterator for values of any size: item number `index` is start + index * step. */
typedef struct {
    PyObject_HEAD
    PyObject *index;
    PyObject *start;
    PyObject *step;
    PyObject *length;
} LongIter;

/* Steals start and step. */
static PyObject *
long_iter(PyObject *start, PyObject *step, PyObject *length)
{
    LongIter *it = NULL;
    if (start != NULL && step != NULL) {
        it = PyObject_New(LongIter, &PyLongRangeIter_Type);
    }
    if (it == NULL) {
        Py_XDECREF(start);
        Py_XDECREF(step);
        return NULL;
    }
    it->index = int_zero();
    it->start = start;
    it->step = step;
    it->length = Py_NewRef(length);
    return (PyObject *)it;
}

static void
longiter_dealloc(LongIter *it)
{
    Py_XDECREF(it->index);
    Py_XDECREF(it->start);
    Py_XDECREF(it->step);
    Py_XDECREF(it->length);
    PyObject_Free(it);
}

static PyObject *
longiter_next(LongIter *it)
{
    if (PyObject_RichCompareBool(it->index, it->length, Py_LT) != 1) {
        return NULL;
    }
    PyObject *one = int_one();
    PyObject *next = PyNumber_Add(it->index, one);
    Py_DECREF(one);
    if (next == NULL) {
        return NULL;
    }
    PyObject *item = item_at(it->start, it->step, it->index);
    if (item == NULL) {
        Py_DECREF(next);
        return NULL;
    }
    Py_SETREF(it->index, next);
    return item;
}

static PyObject *
longiter_length_hint(LongIter *it, PyObject *Py_UNUSED(ignored))
{
    return PyNumber_Subtract(it->length, it->index);
}

static PyObject *
longiter_reduce(LongIter *it, PyObject *Py_UNUSED(ignored))
{
    PyObject *range = range_from(&PyRange_Type, Py_NewRef(it->start),
                                 item_at(it->start, it->step, it->length),
                                 Py_NewRef(it->step));
    if (range == NULL) {
        return NULL;
    }
    return Py_BuildValue("N(N)O", _PyEval_GetBuiltin(_Py_NAME(iter)), range,
                         it->index);
}

static PyObject *
longiter_setstate(LongIter *it, PyObject *state)
{
    if (!PyLong_Check(state)) {
        PyErr_Format(PyExc_TypeError,
                     "'%.200s' object cannot be interpreted as an integer",
                     Py_TYPE(state)->tp_name);
        return NULL;
    }
    PyObject *index;
    if (int_sign(state) < 0) {
        index = int_zero();
    }
    else {
        int beyond = PyObject_RichCompareBool(state, it->length, Py_GT);
        if (beyond < 0) {
            return NULL;
        }
        index = Py_NewRef(beyond ? it->length : state);
    }
    Py_SETREF(it->index, index);
    Py_RETURN_NONE;
}

ITER_METHODS(longiter);

PyTypeObject PyLongRangeIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "longrange_iterator",
    .tp_basicsize = sizeof(LongIter),
    .tp_dealloc = (destructor)longiter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)longiter_next,
    .tp_methods = longiter_methods,
};

static PyObject *
range_iter(PyObject *op)
{
    Range *self = RANGE(op);
    int64_t start, step;
    Py_ssize_t length;
    if (as_machine(op, &start, &step, &length)) {
        return machine_iter(start, step, length);
    }
    return long_iter(Py_NewRef(self->start), Py_NewRef(self->step),
                     self->length);
}

static PyObject *
range_reverse(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Range *self = RANGE(op);
    int64_t start, step, before;
    Py_ssize_t length;
    if (as_machine(op, &start, &step, &length)
        && !__builtin_sub_overflow(start, step, &before)
        && step != INT64_MIN) {
        return machine_iter(start + (int64_t)(length - 1) * step, -step,
                            length);
    }
    PyObject *one = int_one();
    PyObject *last = PyNumber_Subtract(self->length, one), *first = NULL;
    Py_DECREF(one);
    if (last != NULL) {
        first = item_at(self->start, self->step, last);
        Py_DECREF(last);
    }
    if (first == NULL) {
        return NULL;
    }
    return long_iter(first, PyNumber_Negative(self->step), self->length);
}

static PyMethodDef range_methods[] = {
    {"__reversed__", range_reverse, METH_NOARGS,
     "Return a reverse iterator."},
    {"__reduce__", (PyCFunction)range_reduce, METH_VARARGS, NULL},
    {"count", range_count, METH_O,
     "rangeobject.count(value) -> integer -- "
     "return number of occurrences of value"},
    {"index", range_index, METH_O,
     "rangeobject.index(value) -> integer -- return index of value.\n"
     "Raise ValueError if the value is not present."},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef range_members[] = {
    {"start", T_OBJECT_EX, offsetof(Range, start), READONLY, NULL},
    {"stop", T_OBJECT_EX, offsetof(Range, stop), READONLY, NULL},
    {"step", T_OBJECT_EX, offsetof(Range, step), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyNumberMethods range_as_number = {
    .nb_bool = range_bool,
};

static PySequenceMethods range_as_sequence = {
    .sq_length = range_length,
    .sq_item = range_item,
    .sq_contains = range_contains,
};

static PyMappingMethods range_as_mapping = {
    .mp_length = range_length,
    .mp_subscript = range_subscript,
};

PyTypeObject PyRange_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "range",
    .tp_basicsize = sizeof(Range),
    .tp_dealloc = (destructor)range_dealloc,
    .tp_repr = (reprfunc)range_repr,
    .tp_as_number = &range_as_number,
    .tp_as_sequence = &range_as_sequence,
    .tp_as_mapping = &range_as_mapping,
    .tp_hash = range_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_SEQUENCE,
    .tp_doc = "range(stop) -> range object\n"
        "range(start, stop[, step]) -> range object\n\n"
        "An immutable sequence of the integers from start (inclusive) to "
        "stop\n(exclusive), by step.  range(i, j) gives i, i+1, i+2, ..., "
        "j-1.  start\nis 0 by default, and stop is left out:  range(4) gives "
        "0, 1, 2, 3, the\nvalid indices of a list of 4 elements.",
    .tp_richcompare = range_richcompare,
    .tp_iter = range_iter,
    .tp_methods = range_methods,
    .tp_members = range_members,
    .tp_new = range_new,
    .tp_vectorcall = range_vectorcall,
};
