/* The children of an element: a sequence, with list's rules. */

#include "elementtree.h"
#include "internal/list.h"

Py_ssize_t
_PyElement_SeqLength(ElementObject *self)
{
    return _PyElement_Length(self);
}

PyObject *
_PyElement_Item(ElementObject *self, Py_ssize_t index)
{
    if (index < 0 || index >= _PyElement_Length(self)) {
        PyErr_SetString(PyExc_IndexError, "child index out of range");
        return NULL;
    }
    return Py_NewRef(self->extra->children[index]);
}

PyObject *
_PyElement_ListChildren(ElementObject *self, Py_ssize_t start, Py_ssize_t step, Py_ssize_t n)
{
    PyListObject *list = _PyList_NewWithRoom(n);
    if (list == NULL) {
        return NULL;
    }
    Py_ssize_t taken = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (start + i * step < _PyElement_Length(self)) {
            list->ob_item[taken++] = Py_NewRef(self->extra->children[start + i * step]);
        }
    }
    Py_SET_SIZE(list, taken);
    PyObject_GC_Track(list);
    return (PyObject *)list;
}

static void
refuse_key(void)
{
    PyErr_SetString(PyExc_TypeError, "element indices must be integers");
}

PyObject *
_PyElement_Subscript(ElementObject *self, PyObject *key)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (index == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return _PyElement_Item(self, index < 0
                               ? index + _PyElement_Length(self) : index);
    }
    if (!PySlice_Check(key)) {
        refuse_key();
        return NULL;
    }
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return NULL;
    }
    Py_ssize_t n = PySlice_AdjustIndices(_PyElement_Length(self), &start,
                                         &stop, step);
    return _PyElement_ListChildren(self, start, step, n);
}

/* ------------------------------------------------------------------- change */

/* child NULL deletes. */
static int
assign_item(ElementObject *self, Py_ssize_t index, PyObject *child)
{
    if (index < 0 || index >= _PyElement_Length(self)) {
        PyErr_SetString(PyExc_IndexError, "child assignment index out of range");
        return -1;
    }
    ElementExtra *extra = self->extra;
    PyObject *old = extra->children[index];
    if (child != NULL) {
        elementtree_state *state = STATE_OF(self);
        if (state == NULL || _PyElement_CheckChild(state, child) < 0) {
            return -1;
        }
        extra->children[index] = Py_NewRef(child);
    }
    else {
        extra->length--;
        memmove(&extra->children[index], &extra->children[index + 1],
                (size_t)(extra->length - index) * sizeof(PyObject *));
    }
    Py_DECREF(old);
    return 0;
}

/* The slice's n items become fresh[0..n_fresh). With a step other than 1 their number
   stays the same, or they are deleted. The references dropped are put in `dropped`: the
   caller releases them when the element is consistent again. */
static int
splice(ElementObject *self, Py_ssize_t start, Py_ssize_t step, Py_ssize_t n,
       PyObject **fresh, Py_ssize_t n_fresh, PyObject **dropped)
{
    if (n_fresh > n && _PyElement_Resize(self, n_fresh - n) < 0) {
        return -1;
    }
    ElementExtra *extra = self->extra;
    if (extra == NULL) {
        return 0;
    }
    PyObject **children = extra->children;
    for (Py_ssize_t i = 0; i < n; i++) {
        dropped[i] = children[start + i * step];
    }
    if (step == 1) {
        memmove(&children[start + n_fresh], &children[start + n],
                (size_t)(extra->length - start - n) * sizeof(PyObject *));
        for (Py_ssize_t i = 0; i < n_fresh; i++) {
            children[start + i] = Py_NewRef(fresh[i]);
        }
        extra->length += n_fresh - n;
        return 0;
    }
    if (n_fresh == n) {
        for (Py_ssize_t i = 0; i < n; i++) {
            children[start + i * step] = Py_NewRef(fresh[i]);
        }
        return 0;
    }
    if (step < 0) {
        start += (n - 1) * step;
        step = -step;
    }
    Py_ssize_t kept = start;
    for (Py_ssize_t i = start; i < extra->length; i++) {
        if ((i - start) % step != 0 || (i - start) / step >= n) {
            children[kept++] = children[i];
        }
    }
    extra->length = kept;
    return 0;
}

/* The new children as a list or tuple of Elements that no other code can change. */
static PyObject *
checked_sequence(ElementObject *self, PyObject *value, Py_ssize_t step,
                 Py_ssize_t n)
{
    PyObject *sequence = PySequence_Tuple(value);
    if (sequence == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(PyExc_TypeError, "expected sequence, not \"%.200s\"",
                         Py_TYPE(value)->tp_name);
        }
        return NULL;
    }
    Py_ssize_t given = PyTuple_GET_SIZE(sequence);
    if (step != 1 && given != n) {
        PyErr_Format(PyExc_ValueError,
                     "attempt to assign sequence of size %zd "
                     "to extended slice of size %zd", given, n);
        Py_DECREF(sequence);
        return NULL;
    }
    elementtree_state *state = STATE_OF(self);
    for (Py_ssize_t i = 0; i < given; i++) {
        if (state == NULL || _PyElement_CheckChild(
                state, PyTuple_GET_ITEM(sequence, i)) < 0) {
            Py_DECREF(sequence);
            return NULL;
        }
    }
    return sequence;
}

static int
assign_slice(ElementObject *self, PyObject *key, PyObject *value)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return -1;
    }
    PyObject *sequence = NULL;
    if (value != NULL) {
        Py_ssize_t from = start, to = stop;
        Py_ssize_t n = PySlice_AdjustIndices(_PyElement_Length(self), &from,
                                             &to, step);
        sequence = checked_sequence(self, value, step, n);
        if (sequence == NULL) {
            return -1;
        }
    }
    /* Iterating over the value may have changed the element. */
    Py_ssize_t n = PySlice_AdjustIndices(_PyElement_Length(self), &start,
                                         &stop, step);
    Py_ssize_t n_fresh = sequence == NULL ? 0 : PyTuple_GET_SIZE(sequence);
    PyObject **fresh = sequence == NULL
        ? NULL : ((PyTupleObject *)sequence)->ob_item;
    int result = -1;
    PyObject **dropped = PyMem_New(PyObject *, n);
    if (dropped == NULL) {
        PyErr_NoMemory();
    }
    else if (step != 1 && value != NULL && n_fresh != n) {
        PyErr_SetString(PyExc_RuntimeError,
                        "element changed size during assignment");
    }
    else {
        result = splice(self, start, step, n, fresh, n_fresh, dropped);
    }
    for (Py_ssize_t i = 0; result == 0 && i < n; i++) {
        Py_DECREF(dropped[i]);
    }
    PyMem_Free(dropped);
    Py_XDECREF(sequence);
    return result;
}

int
_PyElement_AssignSubscript(ElementObject *self, PyObject *key, PyObject *value)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (index == -1 && PyErr_Occurred()) {
            return -1;
        }
        return assign_item(self, index < 0 ? index + _PyElement_Length(self)
                           : index, value);
    }
    if (!PySlice_Check(key)) {
        refuse_key();
        return -1;
    }
    return assign_slice(self, key, value);
}

/* ------------------------------------------------------------------ methods */

PyObject *
_PyElement_append(ElementObject *self, PyObject *child)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL
            || _PyElement_CheckArgument(state, "append", "argument", child) < 0
            || _PyElement_Append(self, child) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
_PyElement_extend(ElementObject *self, PyObject *elements)
{
    elementtree_state *state = STATE_OF(self);
    PyObject *sequence = state == NULL ? NULL : PySequence_Fast(elements, "");
    if (sequence == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(PyExc_TypeError, "expected sequence, not \"%.200s\"",
                         Py_TYPE(elements)->tp_name);
        }
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); i++) {
        PyObject *child = PySequence_Fast_GET_ITEM(sequence, i);
        if (_PyElement_CheckChild(state, child) < 0
                || _PyElement_Append(self, child) < 0) {
            Py_DECREF(sequence);
            return NULL;
        }
    }
    Py_DECREF(sequence);
    Py_RETURN_NONE;
}

PyObject *
_PyElement_insert(ElementObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL || !_PyArg_CheckPositional("insert", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *number = _PyNumber_Index(args[0]);
    Py_ssize_t index = number == NULL ? -1 : PyLong_AsSsize_t(number);
    Py_XDECREF(number);
    if ((index == -1 && PyErr_Occurred())
            || _PyElement_CheckArgument(state, "insert", "argument 2",
                                        args[1]) < 0
            || _PyElement_Resize(self, 1) < 0) {
        return NULL;
    }
    ElementExtra *extra = self->extra;
    if (index < 0) {
        index = Py_MAX(index + extra->length, 0);
    }
    index = Py_MIN(index, extra->length);
    memmove(&extra->children[index + 1], &extra->children[index],
            (size_t)(extra->length - index) * sizeof(PyObject *));
    extra->children[index] = Py_NewRef(args[1]);
    extra->length++;
    Py_RETURN_NONE;
}

PyObject *
_PyElement_remove(ElementObject *self, PyObject *child)
{
    elementtree_state *state = STATE_OF(self);
    if (state == NULL
            || _PyElement_CheckArgument(state, "remove", "argument",
                                        child) < 0) {
        return NULL;
    }
    /* A comparison may run any code, so the element is examined again each time. */
    for (Py_ssize_t i = 0; i < _PyElement_Length(self); i++) {
        PyObject *candidate = Py_NewRef(self->extra->children[i]);
        int equal = PyObject_RichCompareBool(candidate, child, Py_EQ);
        int there = i < _PyElement_Length(self)
            && self->extra->children[i] == candidate;
        Py_DECREF(candidate);
        if (equal < 0 || (equal && there && assign_item(self, i, NULL) < 0)) {
            return NULL;
        }
        if (equal) {
            Py_RETURN_NONE;
        }
    }
    PyErr_SetString(PyExc_ValueError, "list.remove(x): x not in list");
    return NULL;
}
