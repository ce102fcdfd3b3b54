/* groupby and tee: iterators that share another one.

   tee: what the common iterator gives is kept in a linked list of blocks. Each copy holds
   the block that it reads and its position there; a block holds its items and the next
   block, so that items which all copies have read are freed automatically. Only the last
   block fetches new items. */
#include "itertools_impl.h"
#include "internal/compare.h"
#include "internal/names.h"
#include "internal/tuple.h"
#include <stddef.h>

/* ------------------------------------------------------------------ groupby */

typedef struct {
    PyObject_HEAD
    PyObject *iter;
    PyObject *key_func;         /* or None */
    PyObject *target_key;       /* of the group that has been given out */
    PyObject *current_key;      /* of current_value */
    PyObject *current_value;    /* read, but not given out */
    const void *current_group;  /* borrowed: the only one that may read */
} GroupBy;

LIFE(5, GroupBy, groupby, , iter, key_func, target_key, current_key,
     current_value)

typedef struct {
    PyObject_HEAD
    PyObject *parent;
    PyObject *target_key;
} Grouper;

LIFE(2, Grouper, grouper, , parent, target_key)

static PyObject *
groupby_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"iterable", "key", NULL};
    PyObject *iterable, *key_func = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:groupby", keywords,
                                     &iterable, &key_func)) {
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    GroupBy *self = iter == NULL ? NULL : (GroupBy *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iter);
        return NULL;
    }
    self->iter = iter;
    self->key_func = Py_NewRef(key_func);
    return (PyObject *)self;
}

/* Reads the next value and its key. -1 at the end, or with an exception. */
static int
read_value(GroupBy *self)
{
    PyObject *value = PyIter_Next(self->iter);
    if (value == NULL) {
        return -1;
    }
    PyObject *key = self->key_func == Py_None ? Py_NewRef(value)
        : PyObject_CallOneArg(self->key_func, value);
    if (key == NULL) {
        Py_DECREF(value);
        return -1;
    }
    Py_XSETREF(self->current_value, value);
    Py_XSETREF(self->current_key, key);
    return 0;
}

/* Comparing the keys may run code that changes the fields: hold references of our own. */
static int
keys_equal(PyObject *a, PyObject *b)
{
    return _PyObject_CompareHeld(a, b, Py_EQ);
}

static PyObject *
grouper_make(GroupBy *parent, PyObject *target_key)
{
    Grouper *group = PyObject_GC_New(Grouper, &_PyItertools_grouper);
    if (group == NULL) {
        return NULL;
    }
    group->parent = Py_NewRef(parent);
    group->target_key = Py_NewRef(target_key);
    parent->current_group = group;
    PyObject_GC_Track(group);
    return (PyObject *)group;
}

static PyObject *
groupby_next(GroupBy *self)
{
    self->current_group = NULL;
    /* Skip what is left of the last group. */
    for (;;) {
        if (self->current_key != NULL) {
            if (self->target_key == NULL) {
                break;
            }
            int same = keys_equal(self->target_key, self->current_key);
            if (same < 0) {
                return NULL;
            }
            if (!same) {
                break;
            }
        }
        if (read_value(self) < 0) {
            return NULL;
        }
    }
    Py_INCREF(self->current_key);
    Py_XSETREF(self->target_key, self->current_key);
    PyObject *group = grouper_make(self, self->target_key);
    if (group == NULL) {
        return NULL;
    }
    PyObject *pair = _PyTuple_Pair(self->current_key, group);
    Py_DECREF(group);
    return pair;
}

static PyObject *
groupby_reduce(GroupBy *self, PyObject *Py_UNUSED(ignored))
{
    if (self->target_key != NULL && self->current_key != NULL
        && self->current_value != NULL) {
        return Py_BuildValue("O(OO)(OOO)", Py_TYPE(self), self->iter,
                             self->key_func, self->current_key,
                             self->current_value, self->target_key);
    }
    return Py_BuildValue("O(OO)", Py_TYPE(self), self->iter, self->key_func);
}

static PyObject *
groupby_setstate(GroupBy *self, PyObject *state)
{
    PyObject *current_key, *current_value, *target_key;
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state is not a tuple");
        return NULL;
    }
    if (!PyArg_ParseTuple(state, "OOO", &current_key, &current_value,
                          &target_key)) {
        return NULL;
    }
    Py_INCREF(current_key);
    Py_XSETREF(self->current_key, current_key);
    Py_INCREF(current_value);
    Py_XSETREF(self->current_value, current_value);
    Py_INCREF(target_key);
    Py_XSETREF(self->target_key, target_key);
    Py_RETURN_NONE;
}

static PyMethodDef groupby_methods[] = {
    METHOD("__reduce__", groupby_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", groupby_setstate, METH_O, SETSTATE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(groupby, "itertools.groupby", GroupBy, Py_TPFLAGS_BASETYPE,
    .tp_methods = groupby_methods,
    .tp_doc = "groupby(iterable, key=None)\n--\n\n"
        "make an iterator that returns consecutive keys and groups from the "
        "iterable\n\n"
        "  iterable\n"
        "    Elements to divide into groups according to the key function.\n"
        "  key\n"
        "    A function for computing the group category for each element.\n"
        "    If the key function is not specified or is None, the element "
        "itself\n    is used for grouping.",);

static PyObject *
grouper_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    PyObject *parent, *target_key;
    if (!_PyArg_NoKeywords("_grouper", kwds)
        || !PyArg_UnpackTuple(args, "_grouper", 2, 2, &parent, &target_key)) {
        return NULL;
    }
    if (!PyObject_TypeCheck(parent, &_PyItertools_groupby)) {
        _PyArg_BadArgument("_grouper", "argument 1", "itertools.groupby", parent);
        return NULL;
    }
    return grouper_make((GroupBy *)parent, target_key);
}

static PyObject *
grouper_next(Grouper *self)
{
    GroupBy *parent = (GroupBy *)self->parent;
    if (parent->current_group != self
        || (parent->current_value == NULL && read_value(parent) < 0)) {
        return NULL;
    }
    if (keys_equal(self->target_key, parent->current_key) <= 0) {
        return NULL;
    }
    PyObject *value = parent->current_value;
    parent->current_value = NULL;
    Py_CLEAR(parent->current_key);
    return value;
}

static PyObject *
grouper_reduce(Grouper *self, PyObject *Py_UNUSED(ignored))
{
    if (((GroupBy *)self->parent)->current_group != self) {
        PyObject *name = PyUnicode_FromString("iter");
        PyObject *iter = name == NULL ? NULL : _PyEval_GetBuiltin(name);
        Py_XDECREF(name);
        return iter == NULL ? NULL : Py_BuildValue("N(())", iter);
    }
    return Py_BuildValue("O(OO)", Py_TYPE(self), self->parent,
                         self->target_key);
}

static PyMethodDef grouper_methods[] = {
    METHOD("__reduce__", grouper_reduce, METH_NOARGS, REDUCE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(grouper, "itertools._grouper", Grouper, 0,
    .tp_methods = grouper_methods,);

/* ---------------------------------------------------------------------- tee */

/* So that a block of items fills whole cache lines. */
#define BLOCK_ITEMS 57

typedef struct TeeBlock {
    PyObject_HEAD
    PyObject *iter;
    int read;                   /* how many of the items are there */
    int running;                /* inside next(iter) */
    PyObject *next;             /* a TeeBlock, or NULL */
    PyObject *items[BLOCK_ITEMS];
} TeeBlock;

/* Frees a chain of blocks that have no other references, without recursion. Steals the
   reference. */
static void
drop_chain(PyObject *block)
{
    while (block != NULL && Py_REFCNT(block) == 1) {
        PyObject *next = ((TeeBlock *)block)->next;
        ((TeeBlock *)block)->next = NULL;
        Py_DECREF(block);
        block = next;
    }
    Py_XDECREF(block);
}

static int
teedata_traverse(TeeBlock *self, visitproc visit, void *arg)
{
    Py_VISIT(self->iter);
    for (int i = 0; i < self->read; i++) {
        Py_VISIT(self->items[i]);
    }
    Py_VISIT(self->next);
    return 0;
}

static int
teedata_clear(TeeBlock *self)
{
    PyObject *next = self->next;
    int n = self->read;
    self->next = NULL;
    self->read = 0;
    Py_CLEAR(self->iter);
    for (int i = 0; i < n; i++) {
        Py_CLEAR(self->items[i]);
    }
    drop_chain(next);
    return 0;
}

static void
teedata_dealloc(TeeBlock *self)
{
    PyObject_GC_UnTrack(self);
    teedata_clear(self);
    PyObject_GC_Del(self);
}

static PyObject *
block_make(PyObject *iter)
{
    TeeBlock *self = PyObject_GC_New(TeeBlock, &_PyItertools_teedata);
    if (self == NULL) {
        return NULL;
    }
    self->iter = Py_NewRef(iter);
    self->read = 0;
    self->running = 0;
    self->next = NULL;
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

/* Returns a new reference to item i of a block, which is fetched if it is the next one. */
static PyObject *
block_item(TeeBlock *self, int i)
{
    if (i < self->read) {
        return Py_NewRef(self->items[i]);
    }
    if (self->running) {
        PyErr_SetString(PyExc_RuntimeError,
                        "cannot re-enter the tee iterator");
        return NULL;
    }
    self->running = 1;
    PyObject *item = PyIter_Next(self->iter);
    self->running = 0;
    if (item != NULL) {
        self->items[self->read++] = Py_NewRef(item);
    }
    return item;
}

/* Returns a new reference to the block after this one. */
static PyObject *
block_after(TeeBlock *self)
{
    if (self->next == NULL) {
        self->next = block_make(self->iter);
    }
    return Py_XNewRef(self->next);
}

/* _tee_dataobject(iter, items, next). */
static PyObject *
teedata_new(PyTypeObject *Py_UNUSED(type), PyObject *args,
            PyObject *kwds)
{
    PyObject *iter, *items, *next;
    if (!_PyArg_NoKeywords("teedataobject", kwds)
        || !PyArg_UnpackTuple(args, "teedataobject", 3, 3, &iter, &items, &next)) {
        return NULL;
    }
    if (!PyList_Check(items)) {
        _PyArg_BadArgument("teedataobject", "argument 2", "list", items);
        return NULL;
    }
    TeeBlock *self = (TeeBlock *)block_make(iter);
    if (self == NULL) {
        return NULL;
    }
    Py_ssize_t n = PyList_GET_SIZE(items);
    int fits = n == BLOCK_ITEMS
        ? next == Py_None || Py_IS_TYPE(next, &_PyItertools_teedata)
        : n < BLOCK_ITEMS && next == Py_None;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "Invalid arguments");
        Py_DECREF(self);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        self->items[i] = Py_NewRef(PyList_GET_ITEM(items, i));
    }
    self->read = (int)n;
    if (next != Py_None) {
        self->next = Py_NewRef(next);
    }
    return (PyObject *)self;
}

static PyObject *
teedata_reduce(TeeBlock *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *items = PyList_New(self->read);
    if (items == NULL) {
        return NULL;
    }
    for (int i = 0; i < self->read; i++) {
        PyList_SET_ITEM(items, i, Py_NewRef(self->items[i]));
    }
    return Py_BuildValue("O(ONO)", Py_TYPE(self), self->iter, items,
                         self->next == NULL ? Py_None : self->next);
}

static PyMethodDef teedata_methods[] = {
    METHOD("__reduce__", teedata_reduce, METH_NOARGS, REDUCE_DOC),
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyItertools_teedata = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "itertools._tee_dataobject",
    .tp_basicsize = sizeof(TeeBlock),
    .tp_dealloc = (destructor)teedata_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "teedataobject(iterable, values, next, /)\n--\n\n"
        "Data container common to multiple tee objects.",
    .tp_traverse = (traverseproc)teedata_traverse,
    .tp_clear = (inquiry)teedata_clear,
    .tp_methods = teedata_methods,
    .tp_new = teedata_new,
    .tp_free = PyObject_GC_Del,
};

typedef struct {
    PyObject_HEAD
    PyObject *block;
    int index;
    PyObject *weakreflist;
} Tee;

LIFE(1, Tee, tee,
     if (self->weakreflist != NULL) {
         PyObject_ClearWeakRefs((PyObject *)self);
     }, block)

static PyObject *
tee_make(PyObject *block, int index)
{
    Tee *self = PyObject_GC_New(Tee, &_PyItertools_tee);
    if (self == NULL) {
        return NULL;
    }
    self->block = Py_NewRef(block);
    self->index = index;
    self->weakreflist = NULL;
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static PyObject *
tee_next(Tee *self)
{
    if (self->index >= BLOCK_ITEMS) {
        PyObject *next = block_after((TeeBlock *)self->block);
        if (next == NULL) {
            return NULL;
        }
        PyObject *old = self->block;
        self->block = next;
        self->index = 0;
        Py_DECREF(old);
    }
    PyObject *item = block_item((TeeBlock *)self->block, self->index);
    self->index += item != NULL;
    return item;
}

static PyObject *
tee_copy(Tee *self, PyObject *Py_UNUSED(ignored))
{
    return tee_make(self->block, self->index);
}

/* The first copy, or a copy of an existing one. */
static PyObject *
tee_from_iterable(PyObject *iterable)
{
    PyObject *iter = PyObject_GetIter(iterable);
    if (iter == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (PyObject_TypeCheck(iter, &_PyItertools_tee)) {
        result = tee_copy((Tee *)iter, NULL);
    }
    else {
        PyObject *block = block_make(iter);
        if (block != NULL) {
            result = tee_make(block, 0);
            Py_DECREF(block);
        }
    }
    Py_DECREF(iter);
    return result;
}

static PyObject *
tee_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    PyObject *iterable;
    if (!_PyArg_NoKeywords("_tee", kwds)) {
        return NULL;
    }
    return PyArg_UnpackTuple(args, "_tee", 1, 1, &iterable)
        ? tee_from_iterable(iterable) : NULL;
}

static PyObject *
tee_reduce(Tee *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(())(Oi)", Py_TYPE(self), self->block,
                         self->index);
}

static PyObject *
tee_setstate(Tee *self, PyObject *state)
{
    PyObject *block;
    int index;
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state is not a tuple");
        return NULL;
    }
    if (!PyArg_ParseTuple(state, "O!i", &_PyItertools_teedata, &block,
                          &index)) {
        return NULL;
    }
    if (index < 0 || index > BLOCK_ITEMS) {
        PyErr_SetString(PyExc_ValueError, "Index out of range");
        return NULL;
    }
    Py_INCREF(block);
    Py_XSETREF(self->block, block);
    self->index = index;
    Py_RETURN_NONE;
}

static PyMethodDef tee_methods[] = {
    METHOD("__copy__", tee_copy, METH_NOARGS,
           "Returns an independent iterator."),
    METHOD("__reduce__", tee_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", tee_setstate, METH_O, SETSTATE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(tee, "itertools._tee", Tee, 0,
    .tp_methods = tee_methods,
    .tp_weaklistoffset = offsetof(Tee, weakreflist),
    .tp_doc = "_tee(iterable, /)\n--\n\n"
        "Iterator wrapped to make it copyable.",);

/* itertools.tee(iterable, n=2). */
PyObject *
_PyItertools_Tee(PyObject *Py_UNUSED(module), PyObject *const *args,
                 Py_ssize_t nargs)
{
    Py_ssize_t n = 2;
    if (!_PyArg_CheckPositional("tee", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2) {
        PyObject *number = PyNumber_Index(args[1]);
        if (number == NULL) {
            return NULL;
        }
        n = PyLong_AsSsize_t(number);
        Py_DECREF(number);
        if (n == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (n < 0) {
        PyErr_SetString(PyExc_ValueError, "n must be >= 0");
        return NULL;
    }
    PyObject *result = PyTuple_New(n);
    if (result == NULL || n == 0) {
        return result;
    }
    PyObject *iter = PyObject_GetIter(args[0]), *copier = NULL, *copy = NULL;
    if (iter == NULL) {
        Py_DECREF(result);
        return NULL;
    }
    if (!Py_IS_TYPE(iter, &_PyItertools_tee)) {
        if (_PyObject_LookupAttr(iter, _Py_NAME(dunder_copy), &copier) < 0) {
            goto error;
        }
        if (copier == NULL) {
            /* Not copyable itself: wrap it. */
            copy = tee_from_iterable(iter);
            Py_DECREF(iter);
            iter = copy;
            if (iter == NULL) {
                goto error;
            }
        }
    }
    PyTuple_SET_ITEM(result, 0, iter);
    Tee *first = (Tee *)iter;
    iter = NULL;
    for (Py_ssize_t i = 1; i < n; i++) {
        copy = copier == NULL ? tee_copy(first, NULL) : PyObject_CallNoArgs(copier);
        if (copy == NULL) {
            goto error;
        }
        PyTuple_SET_ITEM(result, i, copy);
    }
    Py_XDECREF(copier);
    return result;
error:
    Py_XDECREF(iter);
    Py_XDECREF(copier);
    Py_DECREF(result);
    return NULL;
}
