/* slice objects, and the indices that a slice means for a given length.

   The last slice that died is kept for reuse. */
#include "Python.h"
#include "internal/int.h"
#include "internal/errors.h"
#include "internal/gc.h"
#include "internal/gcstate.h"
#include "internal/names.h"
#include "internal/range.h"
#include "internal/tuple.h"
#include "structmember.h"

#define SLICE(op) ((PySliceObject *)(op))

static PySliceObject *spare;

/* ------------------------------------------------------------------- making */

PyObject *
_PySlice_NewSteal(PyObject *start, PyObject *stop, PyObject *step)
{
    PySliceObject *self = spare;
    if (step == NULL) {
        step = Py_NewRef(Py_None);
    }
    if (self != NULL) {
        spare = NULL;
        _Py_NewReference((PyObject *)self);
        _PyObject_GC_Reuse((PyObject *)self);
    }
    else {
        self = PyObject_GC_New(PySliceObject, &PySlice_Type);
        if (self == NULL) {
            Py_DECREF(start);
            Py_DECREF(stop);
            Py_DECREF(step);
            return NULL;
        }
    }
    self->start = start;
    self->stop = stop;
    self->step = step;
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

static PyObject *
or_none(PyObject *op)
{
    return Py_NewRef(op != NULL ? op : Py_None);
}

PyObject *
PySlice_New(PyObject *start, PyObject *stop, PyObject *step)
{
    return _PySlice_NewSteal(or_none(start), or_none(stop), or_none(step));
}

PyObject *
_PySlice_FromIndices(Py_ssize_t start, Py_ssize_t stop)
{
    PyObject *from = PyLong_FromSsize_t(start);
    if (from == NULL) {
        return NULL;
    }
    PyObject *to = PyLong_FromSsize_t(stop);
    if (to == NULL) {
        Py_DECREF(from);
        return NULL;
    }
    return _PySlice_NewSteal(from, to, NULL);
}

static void
slice_dealloc(PySliceObject *self)
{
    _PyObject_GC_UNTRACK((PyObject *)self);
    Py_DECREF(self->step);
    Py_DECREF(self->start);
    Py_DECREF(self->stop);
    if (spare == NULL) {
        spare = self;
    }
    else {
        PyObject_GC_Del(self);
    }
}

static int
slice_traverse(PySliceObject *self, visitproc visit, void *arg)
{
    Py_VISIT(self->start);
    Py_VISIT(self->stop);
    Py_VISIT(self->step);
    return 0;
}

/* ------------------------------------------------------------------ indices */

/* A Py_ssize_t from any object with __index__, clipped. Returns 0 with an exception. */
static int
clipped_index(PyObject *op, Py_ssize_t *result)
{
    if (!PyIndex_Check(op)) {
        return 0;
    }
    Py_ssize_t value = PyNumber_AsSsize_t(op, NULL);
    if (value == -1 && PyErr_Occurred()) {
        return 0;
    }
    *result = value;
    return 1;
}

static __attribute__((noinline)) int
slice_index_of_any(PyObject *op, Py_ssize_t *result)
{
    if (clipped_index(op, result)) {
        return 1;
    }
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError,
                        "slice indices must be integers or "
                        "None or have an __index__ method");
    }
    return 0;
}

static inline int
slice_index(PyObject *op, Py_ssize_t *result)
{
    if (op == Py_None) {
        return 1;
    }
    if (PyLong_CheckExact(op) && _PyLong_CheckCompact(op)) {
        *result = (Py_ssize_t)_PyLong_CompactValue(op);
        return 1;
    }
    return slice_index_of_any(op, result);
}

/* "O&" converter: None leaves *result as it is. */
int
_PyEval_SliceIndex(PyObject *op, Py_ssize_t *result)
{
    return slice_index(op, result);
}

int
_PyEval_SliceIndexNotNone(PyObject *op, Py_ssize_t *result)
{
    if (clipped_index(op, result)) {
        return 1;
    }
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError,
                        "slice indices must be integers or "
                        "have an __index__ method");
    }
    return 0;
}

int
PySlice_Unpack(PyObject *op, Py_ssize_t *start, Py_ssize_t *stop,
               Py_ssize_t *step)
{
    PySliceObject *self = SLICE(op);
    *step = 1;
    if (!slice_index(self->step, step)) {
        return -1;
    }
    if (*step == 0) {
        PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
        return -1;
    }
    /* So that -step doesn't overflow. */
    *step = Py_MAX(*step, -PY_SSIZE_T_MAX);
    *start = *step < 0 ? PY_SSIZE_T_MAX : 0;
    *stop = *step < 0 ? PY_SSIZE_T_MIN : PY_SSIZE_T_MAX;
    if (!slice_index(self->start, start) || !slice_index(self->stop, stop)) {
        return -1;
    }
    return 0;
}

/* Moves an index into the range of a length, according to the step's direction. */
static Py_ssize_t
clip(Py_ssize_t index, Py_ssize_t length, Py_ssize_t step)
{
    Py_ssize_t lowest = step < 0 ? -1 : 0;
    Py_ssize_t highest = step < 0 ? length - 1 : length;
    if (index < 0) {
        index += length;
        return Py_MAX(index, lowest);
    }
    return Py_MIN(index, highest);
}

Py_ssize_t
PySlice_AdjustIndices(Py_ssize_t length, Py_ssize_t *start, Py_ssize_t *stop,
                      Py_ssize_t step)
{
    assert(step != 0 && step >= -PY_SSIZE_T_MAX);
    *start = clip(*start, length, step);
    *stop = clip(*stop, length, step);
    if (step == 1) {
        return *start < *stop ? *stop - *start : 0;
    }
    if (step == -1) {
        return *stop < *start ? *start - *stop : 0;
    }
    if (step < 0) {
        return *stop < *start ? (*start - *stop - 1) / -step + 1 : 0;
    }
    return *start < *stop ? (*stop - *start - 1) / step + 1 : 0;
}

#undef PySlice_GetIndicesEx

int
PySlice_GetIndicesEx(PyObject *op, Py_ssize_t length, Py_ssize_t *start,
                     Py_ssize_t *stop, Py_ssize_t *step,
                     Py_ssize_t *slicelength)
{
    if (PySlice_Unpack(op, start, stop, step) < 0) {
        return -1;
    }
    *slicelength = PySlice_AdjustIndices(length, start, stop, *step);
    return 0;
}

/* The oldest of these functions: it accepts only exact ints and doesn't clip from
   below. */
int
PySlice_GetIndices(PyObject *op, Py_ssize_t length, Py_ssize_t *start,
                   Py_ssize_t *stop, Py_ssize_t *step)
{
    PySliceObject *self = SLICE(op);
    *step = 1;
    if (self->step != Py_None) {
        if (!PyLong_Check(self->step)) {
            return -1;
        }
        *step = PyLong_AsSsize_t(self->step);
    }
    *start = *step < 0 ? length - 1 : 0;
    if (self->start != Py_None) {
        if (!PyLong_Check(self->start)) {
            return -1;
        }
        *start = PyLong_AsSsize_t(self->start);
        if (*start < 0) {
            *start += length;
        }
    }
    *stop = *step < 0 ? -1 : length;
    if (self->stop != Py_None) {
        if (!PyLong_Check(self->stop)) {
            return -1;
        }
        *stop = PyLong_AsSsize_t(self->stop);
        if (*stop < 0) {
            *stop += length;
        }
    }
    return *stop > length || *start >= length || *step == 0 ? -1 : 0;
}

/* ------------------------------------------------- indices of any magnitude */

static PyObject *
as_index(PyObject *op)
{
    if (!PyIndex_Check(op)) {
        PyErr_SetString(PyExc_TypeError,
                        "slice indices must be integers or "
                        "None or have an __index__ method");
        return NULL;
    }
    return PyNumber_Index(op);
}

/* -1, 0 or 1 by the sign of an int. */
static int
sign_of(PyObject *number)
{
    return Py_SIZE(number) < 0 ? -1 : Py_SIZE(number) > 0;
}

/* a < b for ints. Returns 1, 0, or -1 with an exception. */
static int
int_less(PyObject *a, PyObject *b)
{
    return PyObject_RichCompareBool(a, b, Py_LT);
}

/* A start or stop as an int between `lowest` and `highest`; `otherwise` if it is None.
   Returns a new reference. */
static PyObject *
clip_int(PyObject *op, PyObject *length, PyObject *lowest, PyObject *highest,
         PyObject *otherwise)
{
    if (op == Py_None) {
        return Py_NewRef(otherwise);
    }
    PyObject *index = as_index(op);
    if (index == NULL) {
        return NULL;
    }
    PyObject *limit = highest;
    int beyond;
    if (sign_of(index) < 0) {
        Py_SETREF(index, PyNumber_Add(index, length));
        if (index == NULL) {
            return NULL;
        }
        limit = lowest;
        beyond = int_less(index, lowest);
    }
    else {
        beyond = int_less(highest, index);
    }
    if (beyond < 0) {
        Py_DECREF(index);
        return NULL;
    }
    if (beyond) {
        Py_SETREF(index, Py_NewRef(limit));
    }
    return index;
}

int
_PySlice_GetLongIndices(PySliceObject *self, PyObject *length,
                        PyObject **start, PyObject **stop, PyObject **step)
{
    PyObject *lowest = NULL, *highest = NULL;
    *start = *stop = *step = NULL;
    *step = self->step == Py_None ? PyLong_FromLong(1) : as_index(self->step);
    if (*step == NULL) {
        goto error;
    }
    int direction = sign_of(*step);
    if (direction == 0) {
        PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
        goto error;
    }
    if (direction < 0) {
        lowest = PyLong_FromLong(-1);
        highest = lowest == NULL ? NULL : PyNumber_Add(length, lowest);
    }
    else {
        lowest = PyLong_FromLong(0);
        highest = Py_NewRef(length);
    }
    if (lowest == NULL || highest == NULL) {
        goto error;
    }
    *start = clip_int(self->start, length, lowest, highest,
                      direction < 0 ? highest : lowest);
    if (*start == NULL) {
        goto error;
    }
    *stop = clip_int(self->stop, length, lowest, highest,
                     direction < 0 ? lowest : highest);
    if (*stop == NULL) {
        goto error;
    }
    Py_DECREF(lowest);
    Py_DECREF(highest);
    return 0;
error:
    Py_XDECREF(lowest);
    Py_XDECREF(highest);
    Py_CLEAR(*start);
    Py_CLEAR(*stop);
    Py_CLEAR(*step);
    return -1;
}

static PyObject *
slice_indices(PySliceObject *self, PyObject *arg)
{
    PyObject *length = PyNumber_Index(arg);
    if (length == NULL) {
        return NULL;
    }
    if (sign_of(length) < 0) {
        Py_DECREF(length);
        PyErr_SetString(PyExc_ValueError, "length should not be negative");
        return NULL;
    }
    PyObject *indices[3];
    int result = _PySlice_GetLongIndices(self, length, &indices[0], &indices[1], &indices[2]);
    Py_DECREF(length);
    return result < 0 ? NULL : _PyTuple_FromArraySteal(indices, 3);
}

/* ----------------------------------------------------------------- protocol */

static PyObject *
slice_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *start = NULL, *stop = NULL, *step = NULL;
    if (!_PyArg_NoKeywords(type->tp_name, kwds)
        || !PyArg_UnpackTuple(args, "slice", 1, 3, &start, &stop, &step)) {
        return NULL;
    }
    if (stop == NULL) {
        stop = start;
        start = NULL;
    }
    return PySlice_New(start, stop, step);
}

static PyObject *
slice_repr(PySliceObject *self)
{
    return PyUnicode_FromFormat("slice(%R, %R, %R)", self->start, self->stop,
                                self->step);
}

static PyObject *
slice_reduce(PySliceObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(OOO)", Py_TYPE(self), self->start, self->stop,
                         self->step);
}

/* Slices compare like tuples of their three fields. */
static PyObject *
slice_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PySlice_Check(a) || !PySlice_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (a == b) {
        return PyBool_FromLong(op == Py_EQ || op == Py_LE || op == Py_GE);
    }
    PyObject *x = PyTuple_Pack(3, SLICE(a)->start, SLICE(a)->stop,
                               SLICE(a)->step);
    if (x == NULL) {
        return NULL;
    }
    PyObject *y = PyTuple_Pack(3, SLICE(b)->start, SLICE(b)->stop,
                               SLICE(b)->step);
    PyObject *result = y == NULL ? NULL : PyObject_RichCompare(x, y, op);
    Py_DECREF(x);
    Py_XDECREF(y);
    return result;
}

static PyMemberDef slice_members[] = {
    {"start", T_OBJECT, offsetof(PySliceObject, start), READONLY, NULL},
    {"stop", T_OBJECT, offsetof(PySliceObject, stop), READONLY, NULL},
    {"step", T_OBJECT, offsetof(PySliceObject, step), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyMethodDef slice_methods[] = {
    {"indices", (PyCFunction)slice_indices, METH_O,
     "S.indices(len) -> (start, stop, stride)\n\n"
     "The start and stop indices, and the stride, that S describes for a "
     "sequence\nof length len. Out of bounds indices are clipped as slicing "
     "clips them."},
    {"__reduce__", (PyCFunction)slice_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PySlice_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "slice",
    .tp_basicsize = sizeof(PySliceObject),
    .tp_dealloc = (destructor)slice_dealloc,
    .tp_repr = (reprfunc)slice_repr,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "slice(stop)\nslice(start, stop[, step])\n\n"
        "Create a slice object.  This is used for extended slicing "
        "(e.g. a[0:10:2]).",
    .tp_traverse = (traverseproc)slice_traverse,
    .tp_richcompare = slice_richcompare,
    .tp_methods = slice_methods,
    .tp_members = slice_members,
    .tp_new = slice_new,
};
