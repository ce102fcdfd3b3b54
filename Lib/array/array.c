/* The array type: construction, and its behaviour as a mutable sequence. */

#include "array_module.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "structmember.h"
#include <stddef.h>

#define SELF(op) ((ArrayObject *)(op))
#define AT(self, i) ((self)->items + (i) * (self)->item->itemsize)

array_state *
_array_state_of_type(PyTypeObject *type)
{
    PyObject *module = PyType_GetModuleByDef(type, &_array_module);
    return module == NULL ? NULL : array_state_of_module(module);
}

/* --------------------------------------------------------------- allocation */

PyObject *
_array_new(PyTypeObject *type, Py_ssize_t size, const struct array_item *item)
{
    if (size > PY_SSIZE_T_MAX / item->itemsize) {
        return PyErr_NoMemory();
    }
    ArrayObject *self = (ArrayObject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->item = item;
    self->allocated = 0;
    self->items = NULL;
    self->weakreflist = NULL;
    self->exports = 0;
    Py_SET_SIZE(self, 0);
    if (size > 0) {
        self->items = PyMem_Malloc((size_t)size * (size_t)item->itemsize);
        if (self->items == NULL) {
            Py_DECREF(self);
            return PyErr_NoMemory();
        }
        self->allocated = size;
        Py_SET_SIZE(self, size);
    }
    return (PyObject *)self;
}

static int
refuse_to_resize(void)
{
    PyErr_SetString(PyExc_BufferError, "cannot resize an array that is exporting buffers");
    return -1;
}

int
_array_resize(ArrayObject *self, Py_ssize_t size)
{
    if (self->exports > 0 && size != Py_SIZE(self)) {
        return refuse_to_resize();
    }
    /* A block that is more than half full keeps its size. */
    if (self->allocated >= size && Py_SIZE(self) < size + 16
        && self->items != NULL) {
        Py_SET_SIZE(self, size);
        return 0;
    }
    if (size == 0) {
        PyMem_Free(self->items);
        self->items = NULL;
        self->allocated = 0;
        Py_SET_SIZE(self, 0);
        return 0;
    }
    Py_ssize_t room = size / 16 + (Py_SIZE(self) < 8 ? 3 : 7);
    if (size > PY_SSIZE_T_MAX / self->item->itemsize - room) {
        PyErr_NoMemory();
        return -1;
    }
    room += size;
    char *items = PyMem_Realloc(self->items, (size_t)room
                                * (size_t)self->item->itemsize);
    if (items == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->items = items;
    self->allocated = room;
    Py_SET_SIZE(self, size);
    return 0;
}

static int
array_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    return 0;
}

static void
array_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    if (SELF(op)->exports > 0) {
        PyErr_SetString(PyExc_SystemError, "deallocated array object has "
                        "exported buffers");
        PyErr_Print();
    }
    if (SELF(op)->weakreflist != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    PyMem_Free(SELF(op)->items);
    type->tp_free(op);
    Py_DECREF(type);
}

/* ------------------------------------------------------------- construction */

static PyObject *
array_item_at(ArrayObject *self, Py_ssize_t i)
{
    return self->item->get(self->items, i);
}

/* Converting v may run code that changes the array, so v is stored only after that. */
int
_array_set(ArrayObject *self, Py_ssize_t i, PyObject *v)
{
    _Alignas(8) char item[8];
    if (self->item->set(item, 0, v) < 0) {
        return -1;
    }
    if (i >= Py_SIZE(self)) {
        PyErr_SetString(PyExc_IndexError,
                        "array assignment index out of range");
        return -1;
    }
    memcpy(AT(self, i), item, (size_t)self->item->itemsize);
    return 0;
}

/* Opens a gap of one item at `where` and fills it. */
static int
insert_at(ArrayObject *self, Py_ssize_t where, PyObject *v)
{
    _Alignas(8) char item[8];
    if (self->item->set(item, 0, v) < 0) {
        return -1;
    }
    Py_ssize_t n = Py_SIZE(self);
    if (_array_resize(self, n + 1) < 0) {
        return -1;
    }
    if (where < 0) {
        where = Py_MAX(where + n, 0);
    }
    where = Py_MIN(where, n);
    memmove(AT(self, where + 1), AT(self, where),
            (size_t)(n - where) * (size_t)self->item->itemsize);
    memcpy(AT(self, where), item, (size_t)self->item->itemsize);
    return 0;
}

static int
append(ArrayObject *self, PyObject *v)
{
    return insert_at(self, Py_SIZE(self), v);
}

static int
extend_by_iterable(ArrayObject *self, PyObject *iterable)
{
    PyObject *iterator = PyObject_GetIter(iterable), *v;
    if (iterator == NULL) {
        return -1;
    }
    while ((v = PyIter_Next(iterator)) != NULL) {
        int status = append(self, v);
        Py_DECREF(v);
        if (status < 0) {
            Py_DECREF(iterator);
            return -1;
        }
    }
    Py_DECREF(iterator);
    return PyErr_Occurred() ? -1 : 0;
}

static int
append_items(ArrayObject *self, ArrayObject *other)
{
    Py_ssize_t n = Py_SIZE(self), more = Py_SIZE(other);
    if (self->item != other->item) {
        PyErr_SetString(PyExc_TypeError,
                        "can only extend with array of same kind");
        return -1;
    }
    if (more == 0) {
        return 0;
    }
    if (n > PY_SSIZE_T_MAX - more || _array_resize(self, n + more) < 0) {
        PyErr_Occurred() ? (void)0 : (void)PyErr_NoMemory();
        return -1;
    }
    /* other may be self: its first `more` items do not move. */
    memcpy(AT(self, n), other->items,
           (size_t)more * (size_t)self->item->itemsize);
    return 0;
}

static int
extend(ArrayObject *self, PyObject *other)
{
    array_state *state = array_state_of((PyObject *)self);
    return array_check(other, state) ? append_items(self, SELF(other))
                                     : extend_by_iterable(self, other);
}

/* Whether the items of a list or tuple, or of an array. */
static int
fill_from_sequence(ArrayObject *self, PyObject *sequence)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(self); i++) {
        PyObject *v = PySequence_GetItem(sequence, i);
        if (v == NULL) {
            return -1;
        }
        int status = _array_set(self, i, v);
        Py_DECREF(v);
        if (status < 0) {
            return -1;
        }
    }
    return 0;
}

/* Fills an empty array with the characters of a str. */
static int
adopt_text(ArrayObject *self, PyObject *str)
{
    Py_ssize_t n;
    wchar_t *text = PyUnicode_AsWideCharString(str, &n);
    if (text == NULL) {
        return -1;
    }
    if (n == 0) {
        PyMem_Free(text);
        return 0;
    }
    self->items = (char *)text;
    self->allocated = n;
    Py_SET_SIZE(self, n);
    return 0;
}

static int
fill(ArrayObject *self, PyObject *initial, array_state *state)
{
    if (PyList_Check(initial) || PyTuple_Check(initial)) {
        return fill_from_sequence(self, initial);
    }
    if (PyBytes_Check(initial) || PyByteArray_Check(initial)) {
        Py_buffer view;
        if (PyObject_GetBuffer(initial, &view, PyBUF_SIMPLE) < 0) {
            return -1;
        }
        return _array_frombytes(self, &view);
    }
    if (PyUnicode_Check(initial)) {
        return adopt_text(self, initial);
    }
    if (array_check(initial, state)) {
        if (SELF(initial)->item != self->item) {
            return fill_from_sequence(self, initial);
        }
        if (Py_SIZE(self) > 0) {
            memcpy(self->items, SELF(initial)->items,
                   (size_t)Py_SIZE(self) * (size_t)self->item->itemsize);
        }
        return 0;
    }
    return extend_by_iterable(self, initial);
}

static int
check_initial(int typecode, PyObject *initial, array_state *state)
{
    if (typecode == 'u') {
        return 0;
    }
    if (PyUnicode_Check(initial)) {
        PyErr_Format(PyExc_TypeError, "cannot use a str to initialize an "
                     "array with typecode '%c'", typecode);
        return -1;
    }
    if (array_check(initial, state) && SELF(initial)->item->typecode == 'u') {
        PyErr_Format(PyExc_TypeError, "cannot use a unicode array to "
                     "initialize an array with typecode '%c'", typecode);
        return -1;
    }
    return 0;
}

/* What has its items ready. Other things are asked for an iterator, even before the typecode is
   looked at. */
static int
is_filled_at_once(PyObject *initial, array_state *state)
{
    return PyList_Check(initial) || PyTuple_Check(initial) || PyBytes_Check(initial)
           || PyByteArray_Check(initial) || PyUnicode_Check(initial)
           || array_check(initial, state);
}

static PyObject *
new_filled(PyTypeObject *type, int typecode, PyObject *initial, array_state *state)
{
    const struct array_item *item = _array_find_item(typecode);
    if (item == NULL) {
        PyErr_SetString(PyExc_ValueError, "bad typecode (must be b, B, u, h, "
                        "H, i, I, l, L, q, Q, f or d)");
        return NULL;
    }
    Py_ssize_t size = 0;
    if (initial != NULL
        && (PyList_Check(initial) || PyTuple_Check(initial)
            || array_check(initial, state))) {
        /* Not what a subclass says of itself: its memory is copied. */
        size = Py_SIZE(initial);
    }
    PyObject *self = _array_new(type, size, item);
    if (self != NULL && initial != NULL
        && fill(SELF(self), initial, state) < 0) {
        Py_CLEAR(self);
    }
    return self;
}

static PyObject *
array_type_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    int typecode;
    PyObject *initial = NULL;
    array_state *state = _array_state_of_type(type);
    if (state == NULL) {
        return NULL;
    }
    if ((type == state->array_type
         || type->tp_init == state->array_type->tp_init)
        && !_PyArg_NoKeywords("array.array", kwds)) {
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "C|O:array", &typecode, &initial)) {
        return NULL;
    }
    if (PySys_Audit("array.__new__", "CO", typecode,
                    initial ? initial : Py_None) < 0) {
        return NULL;
    }
    if (initial != NULL && check_initial(typecode, initial, state) < 0) {
        return NULL;
    }
    PyObject *iterator = NULL;
    if (initial != NULL && !is_filled_at_once(initial, state)) {
        iterator = initial = PyObject_GetIter(initial);
        if (iterator == NULL) {
            return NULL;
        }
    }
    PyObject *self = new_filled(type, typecode, initial, state);
    Py_XDECREF(iterator);
    return self;
}

/* -------------------------------------------------------------- as sequence */

static Py_ssize_t
array_length(PyObject *self)
{
    return Py_SIZE(self);
}

static PyObject *
array_item_get(PyObject *self, Py_ssize_t i)
{
    if (i < 0 || i >= Py_SIZE(self)) {
        PyErr_SetString(PyExc_IndexError, "array index out of range");
        return NULL;
    }
    return array_item_at(SELF(self), i);
}

/* array.array, for an instance of it or of a subclass: the last but one of the line of bases that
   lay out the memory. */
static PyTypeObject *
array_type_of(ArrayObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    while (type->tp_base != &PyBaseObject_Type) {
        type = type->tp_base;
    }
    return type;
}

static inline __attribute__((always_inline)) void
copy_items(char *to, const char *from, Py_ssize_t step, Py_ssize_t n, size_t itemsize)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        memcpy(to + (size_t)i * itemsize, from + i * step * (Py_ssize_t)itemsize, itemsize);
    }
}

/* self[start:start+n*step:step] as a new array. */
static PyObject *
slice_of(ArrayObject *self, Py_ssize_t start, Py_ssize_t step, Py_ssize_t n)
{
    PyObject *result = _array_new(array_type_of(self), n, self->item);
    if (result == NULL || n == 0) {
        return result;
    }
    char *to = SELF(result)->items;
    const char *from = AT(self, start);
    if (step == 1) {
        memcpy(to, from, (size_t)n * (size_t)self->item->itemsize);
        return result;
    }
    switch (self->item->itemsize) {
    case 1:
        copy_items(to, from, step, n, 1);
        break;
    case 2:
        copy_items(to, from, step, n, 2);
        break;
    case 4:
        copy_items(to, from, step, n, 4);
        break;
    default:
        copy_items(to, from, step, n, 8);
    }
    return result;
}

static PyObject *
array_concat(PyObject *op, PyObject *other)
{
    ArrayObject *self = SELF(op);
    array_state *state = array_state_of(op);
    if (!array_check(other, state)) {
        PyErr_Format(PyExc_TypeError,
                     "can only append array (not \"%.200s\") to array",
                     Py_TYPE(other)->tp_name);
        return NULL;
    }
    if (SELF(other)->item != self->item) {
        PyErr_BadArgument();
        return NULL;
    }
    Py_ssize_t n = Py_SIZE(op), more = Py_SIZE(other);
    if (n > PY_SSIZE_T_MAX - more) {
        return PyErr_NoMemory();
    }
    PyObject *result = _array_new(state->array_type, n + more, self->item);
    if (result == NULL) {
        return NULL;
    }
    size_t itemsize = (size_t)self->item->itemsize;
    if (n > 0) {
        memcpy(SELF(result)->items, self->items, (size_t)n * itemsize);
    }
    if (more > 0) {
        memcpy(AT(SELF(result), n), SELF(other)->items,
               (size_t)more * itemsize);
    }
    return result;
}

/* Repeats the first `bytes` of memory until `total` are filled. */
static void
repeat_bytes(char *p, size_t bytes, size_t total)
{
    for (size_t done = bytes; done < total; ) {
        size_t n = Py_MIN(done, total - done);
        memcpy(p + done, p, n);
        done += n;
    }
}

static PyObject *
array_repeat(PyObject *op, Py_ssize_t count)
{
    ArrayObject *self = SELF(op);
    array_state *state = array_state_of(op);
    Py_ssize_t n = Py_SIZE(op), total;
    count = Py_MAX(count, 0);
    if (__builtin_mul_overflow(n, count, &total)) {
        return PyErr_NoMemory();
    }
    PyObject *result = _array_new(state->array_type, total, self->item);
    if (result != NULL && total > 0) {
        size_t itemsize = (size_t)self->item->itemsize;
        memcpy(SELF(result)->items, self->items, (size_t)n * itemsize);
        repeat_bytes(SELF(result)->items, (size_t)n * itemsize,
                     (size_t)total * itemsize);
    }
    return result;
}

static PyObject *
array_inplace_concat(PyObject *self, PyObject *other)
{
    if (!array_check(other, array_state_of(self))) {
        PyErr_Format(PyExc_TypeError,
                     "can only extend array with array (not \"%.200s\")",
                     Py_TYPE(other)->tp_name);
        return NULL;
    }
    return append_items(SELF(self), SELF(other)) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
array_inplace_repeat(PyObject *op, Py_ssize_t count)
{
    ArrayObject *self = SELF(op);
    Py_ssize_t n = Py_SIZE(op), total;
    count = Py_MAX(count, 0);
    if (n > 0 && count != 1) {
        if (__builtin_mul_overflow(n, count, &total)) {
            return PyErr_NoMemory();
        }
        if (_array_resize(self, total) < 0) {
            return NULL;
        }
        size_t itemsize = (size_t)self->item->itemsize;
        repeat_bytes(self->items, (size_t)n * itemsize,
                     (size_t)total * itemsize);
    }
    return Py_NewRef(op);
}

/* Removes n items, beginning with start. */
static int
delete_items(ArrayObject *self, Py_ssize_t start, Py_ssize_t n)
{
    Py_ssize_t size = Py_SIZE(self);
    if (n == 0) {
        return 0;
    }
    if (self->exports > 0) {
        return _array_resize(self, size - n);
    }
    memmove(AT(self, start), AT(self, start + n),
            (size_t)(size - start - n) * (size_t)self->item->itemsize);
    return _array_resize(self, size - n);
}

static int
array_ass_item(PyObject *op, Py_ssize_t i, PyObject *v)
{
    if (i < 0 || i >= Py_SIZE(op)) {
        PyErr_SetString(PyExc_IndexError,
                        "array assignment index out of range");
        return -1;
    }
    return v == NULL ? delete_items(SELF(op), i, 1)
                     : _array_set(SELF(op), i, v);
}

/* The position of an item equal to v in [start, stop), -1 if there is none,
   -2 with an exception. */
static Py_ssize_t
find(ArrayObject *self, PyObject *v, Py_ssize_t start, Py_ssize_t stop)
{
    for (Py_ssize_t i = start; i < stop && i < Py_SIZE(self); i++) {
        PyObject *item = array_item_at(self, i);
        if (item == NULL) {
            return -2;
        }
        int equal = PyObject_RichCompareBool(item, v, Py_EQ);
        Py_DECREF(item);
        if (equal != 0) {
            return equal > 0 ? i : -2;
        }
    }
    return -1;
}

static int
array_contains(PyObject *self, PyObject *v)
{
    Py_ssize_t i = find(SELF(self), v, 0, PY_SSIZE_T_MAX);
    return i == -2 ? -1 : i >= 0;
}

/* --------------------------------------------------------------- subscripts */

static PyObject *
array_subscript(PyObject *self, PyObject *key)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return NULL;
        }
        return array_item_get(self, i < 0 ? i + Py_SIZE(self) : i);
    }
    if (PySlice_Check(key)) {
        Py_ssize_t start, stop, step;
        if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
            return NULL;
        }
        Py_ssize_t n = PySlice_AdjustIndices(Py_SIZE(self), &start, &stop,
                                             step);
        return slice_of(SELF(self), start, step, n);
    }
    PyErr_SetString(PyExc_TypeError, "array indices must be integers");
    return NULL;
}

/* self[start:start+n] = other[:] */
static int
replace_items(ArrayObject *self, Py_ssize_t start, Py_ssize_t n,
              ArrayObject *other)
{
    Py_ssize_t needed = Py_SIZE(other), size = Py_SIZE(self);
    size_t itemsize = (size_t)self->item->itemsize;
    if (needed < n) {
        if (delete_items(self, start + needed, n - needed) < 0) {
            return -1;
        }
    }
    else if (needed > n) {
        if (_array_resize(self, size + (needed - n)) < 0) {
            return -1;
        }
        memmove(AT(self, start + needed), AT(self, start + n),
                (size_t)(size - start - n) * itemsize);
    }
    if (needed > 0) {
        memcpy(AT(self, start), other->items, (size_t)needed * itemsize);
    }
    return 0;
}

/* del self[start::step], n items */
static int
delete_every(ArrayObject *self, Py_ssize_t start, Py_ssize_t step,
             Py_ssize_t n)
{
    Py_ssize_t size = Py_SIZE(self);
    size_t itemsize = (size_t)self->item->itemsize;
    if (step < 0) {
        start += step * (n - 1);
        step = -step;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        /* The items between two deleted ones move i + 1 places down. */
        Py_ssize_t from = start + i * step + 1;
        Py_ssize_t to = i + 1 < n ? from + step - 1 : size;
        memmove(AT(self, from - i - 1), AT(self, from),
                (size_t)(to - from) * itemsize);
    }
    return _array_resize(self, size - n);
}

/* While buffers are exported, not even nothing is deleted from a slice. */
static int
delete_slice(ArrayObject *self, Py_ssize_t start, Py_ssize_t step, Py_ssize_t n)
{
    if (self->exports > 0) {
        return refuse_to_resize();
    }
    if (n == 0) {
        return 0;
    }
    return step == 1 ? delete_items(self, start, n) : delete_every(self, start, step, n);
}

static int
assign_slice(ArrayObject *self, PyObject *key, PyObject *value)
{
    Py_ssize_t start, stop, step;
    array_state *state = array_state_of((PyObject *)self);
    if (PySlice_Unpack(key, &start, &stop, &step) < 0) {
        return -1;
    }
    Py_ssize_t n = PySlice_AdjustIndices(Py_SIZE(self), &start, &stop, step);
    if (value == NULL) {
        return delete_slice(self, start, step, n);
    }
    if (!array_check(value, state)) {
        PyErr_Format(PyExc_TypeError,
                     "can only assign array (not \"%.200s\") to array slice",
                     Py_TYPE(value)->tp_name);
        return -1;
    }
    ArrayObject *other = SELF(value);
    if (other == self) {
        PyObject *copy = slice_of(self, 0, 1, Py_SIZE(self));
        if (copy == NULL) {
            return -1;
        }
        int status = assign_slice(self, key, copy);
        Py_DECREF(copy);
        return status;
    }
    if (other->item != self->item) {
        PyErr_BadArgument();
        return -1;
    }
    if (self->exports > 0 && (Py_SIZE(other) == 0 || Py_SIZE(other) != n)) {
        return refuse_to_resize();
    }
    if (step == 1) {
        return replace_items(self, start, n, other);
    }
    if (Py_SIZE(other) == 0) {
        return delete_slice(self, start, step, n);
    }
    if (Py_SIZE(other) != n) {
        PyErr_Format(PyExc_ValueError, "attempt to assign array of size %zd "
                     "to extended slice of size %zd", Py_SIZE(other), n);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        memcpy(AT(self, start + i * step), AT(other, i),
               (size_t)self->item->itemsize);
    }
    return 0;
}

static int
array_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    if (PyIndex_Check(key)) {
        Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (i == -1 && PyErr_Occurred()) {
            return -1;
        }
        return array_ass_item(self, i < 0 ? i + Py_SIZE(self) : i, value);
    }
    if (PySlice_Check(key)) {
        return assign_slice(SELF(self), key, value);
    }
    PyErr_SetString(PyExc_TypeError, "array indices must be integers");
    return -1;
}

/* --------------------------------------------------------------- comparison */

/* Item by item, as objects. */
static PyObject *
compare_items(ArrayObject *a, ArrayObject *b, int op)
{
    Py_ssize_t n = Py_MIN(Py_SIZE(a), Py_SIZE(b));
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *x = array_item_at(a, i);
        PyObject *y = x == NULL ? NULL : array_item_at(b, i);
        PyObject *result = NULL;
        int equal = y == NULL ? -1 : PyObject_RichCompareBool(x, y, Py_EQ);
        if (equal == 0) {
            result = op == Py_EQ ? Py_NewRef(Py_False)
                : op == Py_NE ? Py_NewRef(Py_True)
                : PyObject_RichCompare(x, y, op);
        }
        Py_XDECREF(x);
        Py_XDECREF(y);
        if (equal <= 0) {
            return result;
        }
    }
    Py_RETURN_RICHCOMPARE(Py_SIZE(a), Py_SIZE(b), op);
}

static PyObject *
array_richcompare(PyObject *a, PyObject *b, int op)
{
    array_state *state = array_state_of(a);
    if (!array_check(a, state) || !array_check(b, state)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (Py_SIZE(a) != Py_SIZE(b) && (op == Py_EQ || op == Py_NE)) {
        return PyBool_FromLong(op == Py_NE);
    }
    const struct array_item *item = SELF(a)->item;
    if (item != SELF(b)->item || item->compare == NULL) {
        return compare_items(SELF(a), SELF(b), op);
    }
    int order = item->compare(SELF(a)->items, SELF(b)->items,
                              Py_MIN(Py_SIZE(a), Py_SIZE(b)));
    if (order != 0) {
        Py_RETURN_RICHCOMPARE(order, 0, op);
    }
    Py_RETURN_RICHCOMPARE(Py_SIZE(a), Py_SIZE(b), op);
}

static PyObject *
array_repr(PyObject *op)
{
    ArrayObject *self = SELF(op);
    PyObject *name = _PyType_Name(Py_TYPE(op)) == NULL
        ? NULL : PyUnicode_FromString(_PyType_Name(Py_TYPE(op)));
    if (name == NULL) {
        return NULL;
    }
    PyObject *result = NULL, *content = NULL;
    if (Py_SIZE(op) == 0) {
        result = PyUnicode_FromFormat("%U('%c')", name, self->item->typecode);
    }
    else {
        content = self->item->typecode == 'u'
            ? PyUnicode_FromWideChar((wchar_t *)self->items, Py_SIZE(op))
            : _array_tolist(op, NULL);
        if (content != NULL) {
            result = PyUnicode_FromFormat("%U('%c', %R)", name,
                                          self->item->typecode, content);
            Py_DECREF(content);
        }
    }
    Py_DECREF(name);
    return result;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
array_append(PyObject *self, PyObject *v)
{
    if (append(SELF(self), v) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
array_extend(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    static const char *const keywords[] = {"", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "extend"};
    PyObject *other;
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 1, 0, &other) == NULL) {
        return NULL;
    }
    if (extend(SELF(self), other) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
array_insert(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t where;
    if (!_PyArg_CheckPositional("insert", nargs, 2, 2)
        || _PyArg_AsSsize(args[0], &where) < 0
        || insert_at(SELF(self), where, args[1]) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
array_pop(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t i = -1;
    if (!_PyArg_CheckPositional("pop", nargs, 0, 1)
        || (nargs > 0 && _PyArg_AsSsize(args[0], &i) < 0)) {
        return NULL;
    }
    if (Py_SIZE(self) == 0) {
        PyErr_SetString(PyExc_IndexError, "pop from empty array");
        return NULL;
    }
    i += i < 0 ? Py_SIZE(self) : 0;
    if (i < 0 || i >= Py_SIZE(self)) {
        PyErr_SetString(PyExc_IndexError, "pop index out of range");
        return NULL;
    }
    PyObject *item = array_item_at(SELF(self), i);
    if (item != NULL && delete_items(SELF(self), i, 1) < 0) {
        Py_CLEAR(item);
    }
    return item;
}

static PyObject *
array_index(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t start = 0, stop = PY_SSIZE_T_MAX;
    if (!_PyArg_CheckPositional("index", nargs, 1, 3)
        || (nargs > 1 && !_PyEval_SliceIndexNotNone(args[1], &start))
        || (nargs > 2 && !_PyEval_SliceIndexNotNone(args[2], &stop))) {
        return NULL;
    }
    start = start < 0 ? Py_MAX(start + Py_SIZE(self), 0) : start;
    stop += stop < 0 ? Py_SIZE(self) : 0;
    Py_ssize_t i = find(SELF(self), args[0], start, stop);
    if (i >= 0) {
        return PyLong_FromSsize_t(i);
    }
    if (i == -1) {
        PyErr_SetString(PyExc_ValueError, "array.index(x): x not in array");
    }
    return NULL;
}

static PyObject *
array_remove(PyObject *self, PyObject *v)
{
    Py_ssize_t i = find(SELF(self), v, 0, PY_SSIZE_T_MAX);
    if (i == -1) {
        PyErr_SetString(PyExc_ValueError, "array.remove(x): x not in array");
    }
    if (i < 0 || delete_items(SELF(self), i, 1) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
array_count(PyObject *self, PyObject *v)
{
    Py_ssize_t count = 0, i = -1;
    while ((i = find(SELF(self), v, i + 1, PY_SSIZE_T_MAX)) >= 0) {
        count++;
    }
    return i == -2 ? NULL : PyLong_FromSsize_t(count);
}

static PyObject *
array_reverse(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    ArrayObject *self = SELF(op);
    size_t itemsize = (size_t)self->item->itemsize;
    char saved[sizeof(double) > sizeof(long long) ? sizeof(double)
                                                  : sizeof(long long)];
    for (Py_ssize_t i = 0, j = Py_SIZE(op) - 1; i < j; i++, j--) {
        memcpy(saved, AT(self, i), itemsize);
        memcpy(AT(self, i), AT(self, j), itemsize);
        memcpy(AT(self, j), saved, itemsize);
    }
    Py_RETURN_NONE;
}

static PyObject *
array_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return slice_of(SELF(self), 0, 1, Py_SIZE(self));
}

static PyObject *
array_sizeof(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    ArrayObject *self = SELF(op);
    return PyLong_FromSsize_t((Py_ssize_t)_PyObject_SIZE(Py_TYPE(op))
                              + self->allocated * self->item->itemsize);
}

static PyObject *
array_get_typecode(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromOrdinal(SELF(self)->item->typecode);
}

static PyObject *
array_get_itemsize(PyObject *self, void *Py_UNUSED(closure))
{
    return PyLong_FromLong(SELF(self)->item->itemsize);
}

static PyGetSetDef array_getset[] = {
    {"typecode", array_get_typecode, NULL,
     "the typecode character used to create the array", NULL},
    {"itemsize", array_get_itemsize, NULL,
     "the size, in bytes, of one array item", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef array_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ArrayObject, weakreflist),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyMethodDef array_methods[] = {
    {"append", array_append, METH_O,
     "append($self, v, /)\n--\n\nAdds v at the end."},
    {"buffer_info", _array_buffer_info, METH_NOARGS,
     "buffer_info($self, /)\n--\n\n"
     "A pair of the address and the number of items of the memory.\n\n"
     "The product of the latter with itemsize is its size in bytes."},
    {"byteswap", _array_byteswap, METH_NOARGS,
     "byteswap($self, /)\n--\n\n"
     "Reverses the bytes of every item.\n\n"
     "For items of 1, 2, 4 or 8 bytes; RuntimeError for others."},
    {"__copy__", array_copy, METH_NOARGS,
     "__copy__($self, /)\n--\n\nA copy of the array."},
    {"count", array_count, METH_O,
     "count($self, v, /)\n--\n\nHow often v occurs."},
    {"__deepcopy__", array_copy, METH_O,
     "__deepcopy__($self, unused, /)\n--\n\nA copy of the array."},
    {"extend", FAST_KEYWORDS(array_extend),
     "extend($self, bb, /)\n--\n\nAdds the items of bb at the end."},
    {"fromfile", FAST_KEYWORDS(_array_fromfile),
     "fromfile($self, f, n, /)\n--\n\n"
     "Adds n items that are read from the file object f."},
    {"fromlist", _array_fromlist, METH_O,
     "fromlist($self, list, /)\n--\n\nAdds the items of a list."},
    {"frombytes", _array_frombytes_method, METH_O,
     "frombytes($self, buffer, /)\n--\n\n"
     "Adds the items whose machine values the buffer holds."},
    {"fromunicode", _array_fromunicode, METH_O,
     "fromunicode($self, ustr, /)\n--\n\n"
     "Adds the characters of a str; only for an array of code 'u'."},
    {"index", FAST(array_index),
     "index($self, v, start=0, stop=sys.maxsize, /)\n--\n\n"
     "The first position of v.\n\nValueError if it does not occur."},
    {"insert", FAST(array_insert),
     "insert($self, i, v, /)\n--\n\nPuts v before position i."},
    {"pop", FAST(array_pop),
     "pop($self, i=-1, /)\n--\n\n"
     "Removes the item at position i, the last by default, and returns it."},
    {"__reduce_ex__", _array_reduce_ex, METH_O,
     "__reduce_ex__($self, value, /)\n--\n\n"
     "Return state information for pickling."},
    {"remove", array_remove, METH_O,
     "remove($self, v, /)\n--\n\nRemoves the first v."},
    {"reverse", array_reverse, METH_NOARGS,
     "reverse($self, /)\n--\n\nReverses the order of the items, in place."},
    {"tofile", FAST_KEYWORDS(_array_tofile),
     "tofile($self, f, /)\n--\n\n"
     "Writes the items, as machine values, to the file object f."},
    {"tolist", _array_tolist, METH_NOARGS,
     "tolist($self, /)\n--\n\nA list of the items."},
    {"tobytes", _array_tobytes, METH_NOARGS,
     "tobytes($self, /)\n--\n\nThe machine values of the items, as bytes."},
    {"tounicode", _array_tounicode, METH_NOARGS,
     "tounicode($self, /)\n--\n\n"
     "The characters as a str; only for an array of code 'u'."},
    {"__sizeof__", array_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nThe size in memory, in bytes."},
    {NULL, NULL, 0, NULL}
};

PyDoc_STRVAR(array_doc,
"array(typecode [, initializer]) -> array\n\
\n\
An array of numbers or characters of one C type, which the type code\n\
chooses; the initializer is a list, str, bytes-like object or iterable of\n\
items.\n\
\n\
    Code   C type              Bytes, at least\n\
    'b'    signed char         1\n\
    'B'    unsigned char       1\n\
    'u'    wchar_t             2 (as many as a wchar_t has)\n\
    'h'    signed short        2\n\
    'H'    unsigned short      2\n\
    'i'    signed int          2\n\
    'I'    unsigned int        2\n\
    'l'    signed long         4\n\
    'L'    unsigned long       4\n\
    'q'    signed long long    8\n\
    'Q'    unsigned long long  8\n\
    'f'    float               4\n\
    'd'    double              8\n\
\n\
Arrays behave like lists otherwise. Attributes typecode and itemsize tell\n\
the code and the bytes of an item.");

static PyType_Slot array_slots[] = {
    {Py_tp_dealloc, array_dealloc},
    {Py_tp_repr, array_repr},
    {Py_bf_getbuffer, _array_getbuffer},
    {Py_bf_releasebuffer, _array_releasebuffer},
    {Py_tp_doc, (void *)array_doc},
    {Py_tp_richcompare, array_richcompare},
    {Py_tp_iter, _array_iter},
    {Py_tp_methods, array_methods},
    {Py_tp_members, array_members},
    {Py_tp_getset, array_getset},
    {Py_tp_alloc, PyType_GenericAlloc},
    {Py_tp_new, array_type_new},
    {Py_tp_traverse, array_traverse},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_sq_length, array_length},
    {Py_sq_concat, array_concat},
    {Py_sq_repeat, array_repeat},
    {Py_sq_item, array_item_get},
    {Py_sq_ass_item, array_ass_item},
    {Py_sq_contains, array_contains},
    {Py_sq_inplace_concat, array_inplace_concat},
    {Py_sq_inplace_repeat, array_inplace_repeat},
    {Py_mp_length, array_length},
    {Py_mp_subscript, array_subscript},
    {Py_mp_ass_subscript, array_ass_subscript},
    {0, NULL},
};

PyType_Spec _array_type_spec = {
    .name = "array.array",
    .basicsize = sizeof(ArrayObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_SEQUENCE,
    .slots = array_slots,
};
