/* zip, map and filter. */
#include "Python.h"
#include "internal/call.h"
#include "internal/errors.h"
#include "internal/gc.h"
#include "internal/list.h"
#include "internal/method_call.h"
#include "internal/pystate.h"
#include "internal/tuple.h"

/* iter() of each argument. Returns a new tuple. */
static PyObject *
iterators_of(PyObject *const *iterables, Py_ssize_t n)
{
    PyObject *iters = PyTuple_New(n);
    for (Py_ssize_t i = 0; iters != NULL && i < n; i++) {
        PyObject *iter = PyObject_GetIter(iterables[i]);
        if (iter == NULL) {
            Py_CLEAR(iters);
        }
        else {
            PyTuple_SET_ITEM(iters, i, iter);
        }
    }
    return iters;
}

/* ---------------------------------------------------------------------- zip */

typedef struct {
    PyObject_HEAD
    Py_ssize_t size;            /* how many iterators */
    PyObject *iters;
    PyObject *result;           /* reused if nothing else holds a reference to it */
    int strict;
} Zip;

static PyObject *
zip_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    int strict = 0;
    if (kwds != NULL) {
        static char *keywords[] = {"strict", NULL};
        PyObject *nothing = PyTuple_New(0);
        if (nothing == NULL) {
            return NULL;
        }
        int parsed = PyArg_ParseTupleAndKeywords(nothing, kwds, "|$p:zip",
                                                 keywords, &strict);
        Py_DECREF(nothing);
        if (!parsed) {
            return NULL;
        }
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    PyObject *iters = iterators_of(((PyTupleObject *)args)->ob_item, n);
    if (iters == NULL) {
        return NULL;
    }
    PyObject *result = PyTuple_New(n);
    Zip *self = result == NULL ? NULL : (Zip *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(result);
        Py_DECREF(iters);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(result, i, Py_NewRef(Py_None));
    }
    self->size = n;
    self->iters = iters;
    self->result = result;
    self->strict = strict;
    return (PyObject *)self;
}

static void
zip_dealloc(Zip *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->iters);
    Py_XDECREF(self->result);
    Py_TYPE(self)->tp_free(self);
}

static int
zip_traverse(Zip *self, visitproc visit, void *arg)
{
    Py_VISIT(self->iters);
    Py_VISIT(self->result);
    return 0;
}

static void
zip_length_error(Py_ssize_t i, const char *comparison)
{
    PyErr_Format(PyExc_ValueError, "zip() argument %zd is %s than argument%s%zd",
                 i + 1, comparison, i == 1 ? " " : "s 1-", i);
}

/* Iterator i has ended. In strict mode all others must have ended too. */
static void
zip_check_lengths(Zip *self, Py_ssize_t i)
{
    if (_PyErr_DropStopIteration() < 0) {
        return;
    }
    if (i > 0) {
        zip_length_error(i, "shorter");
        return;
    }
    for (i = 1; i < self->size; i++) {
        PyObject *iter = PyTuple_GET_ITEM(self->iters, i);
        PyObject *item = Py_TYPE(iter)->tp_iternext(iter);
        if (item != NULL) {
            Py_DECREF(item);
            zip_length_error(i, "longer");
            return;
        }
        if (_PyErr_DropStopIteration() < 0) {
            return;
        }
    }
}

/* PyTuple_New(), in line for the lengths that most have. */
static inline PyObject *
new_row(Py_ssize_t n)
{
    if (n > 3) {
        return PyTuple_New(n);
    }
    PyTupleObject *row = _PyTuple_Alloc(n);
    if (row == NULL) {
        return NULL;
    }
    row->ob_item[0] = NULL;
    if (n > 1) {
        row->ob_item[1] = NULL;
    }
    if (n > 2) {
        row->ob_item[2] = NULL;
    }
    _PyObject_GC_TRACK((PyObject *)row);
    return (PyObject *)row;
}

static PyObject *
zip_next(Zip *self)
{
    if (_Py_GuardCStack("") < 0) {
        return NULL;
    }
    Py_ssize_t n = self->size;
    if (n == 0) {
        return NULL;
    }
    PyObject *result = self->result;
    int reuse = Py_REFCNT(result) == 1;
    if (reuse) {
        Py_INCREF(result);
    }
    else {
        result = new_row(n);
        if (result == NULL) {
            return NULL;
        }
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *iter = PyTuple_GET_ITEM(self->iters, i);
        PyObject *item = _PyIter_Step(iter);
        if (item == NULL) {
            Py_DECREF(result);
            if (self->strict) {
                zip_check_lengths(self, i);
            }
            return NULL;
        }
        PyObject *old = PyTuple_GET_ITEM(result, i);
        PyTuple_SET_ITEM(result, i, item);
        Py_XDECREF(old);
    }
    /* A collection may have untracked the tuple when its old items were free of cycles. */
    if (reuse && !_PyObject_GC_IS_TRACKED(result)) {
        _PyObject_GC_TRACK(result);
    }
    return result;
}

static PyObject *
zip_reduce(Zip *self, PyObject *Py_UNUSED(ignored))
{
    if (self->strict) {
        return PyTuple_Pack(3, Py_TYPE(self), self->iters, Py_True);
    }
    return PyTuple_Pack(2, Py_TYPE(self), self->iters);
}

static PyObject *
zip_setstate(Zip *self, PyObject *state)
{
    int strict = PyObject_IsTrue(state);
    if (strict < 0) {
        return NULL;
    }
    self->strict = strict;
    Py_RETURN_NONE;
}

static PyMethodDef zip_methods[] = {
    {"__reduce__", (PyCFunction)zip_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {"__setstate__", (PyCFunction)zip_setstate, METH_O,
     "Set state information for unpickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyZip_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "zip",
    .tp_basicsize = sizeof(Zip),
    .tp_dealloc = (destructor)zip_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "zip(*iterables, strict=False) --> Yield tuples until an input "
        "is exhausted.\n\n"
        "   >>> list(zip('abcdefg', range(3), range(4)))\n"
        "   [('a', 0, 0), ('b', 1, 1), ('c', 2, 2)]\n\n"
        "Each tuple has the next item of each argument, in their order. "
        "Iteration ends\nwith the shortest argument; if strict is true and "
        "one of them is longer,\na ValueError is raised.",
    .tp_traverse = (traverseproc)zip_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)zip_next,
    .tp_methods = zip_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = zip_new,
    .tp_free = PyObject_GC_Del,
};

/* ---------------------------------------------------------------------- map */

typedef struct {
    PyObject_HEAD
    PyObject *iters;            /* tuple */
    PyObject *func;
} Map;

static PyObject *
map_make(PyTypeObject *type, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs < 2) {
        PyErr_SetString(PyExc_TypeError,
                        "map() must have at least two arguments.");
        return NULL;
    }
    PyObject *iters = iterators_of(args + 1, nargs - 1);
    Map *self = iters == NULL ? NULL : (Map *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iters);
        return NULL;
    }
    self->iters = iters;
    self->func = Py_NewRef(args[0]);
    return (PyObject *)self;
}

static PyObject *
map_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if ((type == &PyMap_Type || type->tp_init == PyMap_Type.tp_init)
        && !_PyArg_NoKeywords("map", kwds)) {
        return NULL;
    }
    return map_make(type, ((PyTupleObject *)args)->ob_item,
                    PyTuple_GET_SIZE(args));
}

static PyObject *
map_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
               PyObject *kwnames)
{
    if (type == (PyObject *)&PyMap_Type && !_PyArg_NoKwnames("map", kwnames)) {
        return NULL;
    }
    return map_make((PyTypeObject *)type, args, PyVectorcall_NARGS(nargsf));
}

static void
map_dealloc(Map *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->iters);
    Py_XDECREF(self->func);
    Py_TYPE(self)->tp_free(self);
}

static int
map_traverse(Map *self, visitproc visit, void *arg)
{
    Py_VISIT(self->iters);
    Py_VISIT(self->func);
    return 0;
}

#define FEW 5

/* Of one iterator, as most are. */
static inline PyObject *
map_one(PyObject *func, PyObject *iter)
{
    PyObject *item = _PyIter_Step(iter);
    if (item == NULL) {
        return NULL;
    }
    PyObject *result = _PyCall_WithItem(func, item);
    Py_DECREF(item);
    return result;
}

/* Of two, as for an operator. */
static __attribute__((noinline)) PyObject *
map_two(PyObject *func, PyObject *first, PyObject *second)
{
    PyObject *args[3] = {NULL, _PyIter_Step(first)};
    if (args[1] == NULL) {
        return NULL;
    }
    args[2] = _PyIter_Step(second);
    if (args[2] == NULL) {
        Py_DECREF(args[1]);
        return NULL;
    }
    PyObject *result = _PyCall_WithItems(func, args + 1, 2);
    Py_DECREF(args[1]);
    Py_DECREF(args[2]);
    return result;
}

static __attribute__((noinline)) PyObject *
map_several(Map *self)
{
    PyObject *few[FEW + 1], **items = few + 1, **memory = NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(self->iters), got = 0;
    PyObject *result = NULL;
    if (n > FEW) {
        memory = PyMem_New(PyObject *, (size_t)n + 1);
        if (memory == NULL) {
            return PyErr_NoMemory();
        }
        items = memory + 1;
    }
    for (; got < n; got++) {
        PyObject *iter = PyTuple_GET_ITEM(self->iters, got);
        items[got] = _PyIter_Step(iter);
        if (items[got] == NULL) {
            break;
        }
    }
    if (got == n) {
        result = _PyCall_WithItems(self->func, items, n);
    }
    for (Py_ssize_t i = 0; i < got; i++) {
        Py_DECREF(items[i]);
    }
    if (memory != NULL) {
        PyMem_Free(memory);
    }
    return result;
}

static PyObject *
map_next(Map *self)
{
    if (_Py_GuardCStack("") < 0) {
        return NULL;
    }
    PyObject *const *iters = _PyTuple_ITEMS(self->iters);
    switch (PyTuple_GET_SIZE(self->iters)) {
    case 1:
        return map_one(self->func, iters[0]);
    case 2:
        return map_two(self->func, iters[0], iters[1]);
    default:
        return map_several(self);
    }
}

static PyObject *
map_reduce(Map *self, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t n = PyTuple_GET_SIZE(self->iters);
    PyObject *args = PyTuple_New(n + 1);
    if (args == NULL) {
        return NULL;
    }
    PyTuple_SET_ITEM(args, 0, Py_NewRef(self->func));
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(args, i + 1,
                         Py_NewRef(PyTuple_GET_ITEM(self->iters, i)));
    }
    return Py_BuildValue("ON", Py_TYPE(self), args);
}

static PyMethodDef map_methods[] = {
    {"__reduce__", (PyCFunction)map_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyMap_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "map",
    .tp_basicsize = sizeof(Map),
    .tp_dealloc = (destructor)map_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "map(func, *iterables) --> map object\n\n"
        "Make an iterator that computes the function using arguments from\n"
        "each of the iterables.  Stops when the shortest iterable is "
        "exhausted.",
    .tp_traverse = (traverseproc)map_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)map_next,
    .tp_methods = map_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = map_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = map_vectorcall,
};

/* ------------------------------------------------------------------- filter */

typedef struct {
    PyObject_HEAD
    PyObject *func;             /* None: test the truth of the item */
    PyObject *iter;
} Filter;

static PyObject *
filter_make(PyTypeObject *type, PyObject *func, PyObject *iterable)
{
    PyObject *iter = PyObject_GetIter(iterable);
    Filter *self = iter == NULL ? NULL : (Filter *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iter);
        return NULL;
    }
    self->func = Py_NewRef(func);
    self->iter = iter;
    return (PyObject *)self;
}

static PyObject *
filter_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if ((type == &PyFilter_Type || type->tp_init == PyFilter_Type.tp_init)
        && !_PyArg_NoKeywords("filter", kwds)) {
        return NULL;
    }
    if (!_PyArg_CheckPositional("filter", PyTuple_GET_SIZE(args), 2, 2)) {
        return NULL;
    }
    return filter_make(type, PyTuple_GET_ITEM(args, 0),
                       PyTuple_GET_ITEM(args, 1));
}

static PyObject *
filter_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                  PyObject *kwnames)
{
    if ((type == (PyObject *)&PyFilter_Type
         && !_PyArg_NoKwnames("filter", kwnames))
        || !_PyArg_CheckPositional("filter", PyVectorcall_NARGS(nargsf),
                                   2, 2)) {
        return NULL;
    }
    return filter_make((PyTypeObject *)type, args[0], args[1]);
}

static void
filter_dealloc(Filter *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->func);
    Py_XDECREF(self->iter);
    Py_TYPE(self)->tp_free(self);
}

static int
filter_traverse(Filter *self, visitproc visit, void *arg)
{
    Py_VISIT(self->func);
    Py_VISIT(self->iter);
    return 0;
}

static int
filter_keeps(Filter *self, PyObject *item)
{
    if (self->func == Py_None || self->func == (PyObject *)&PyBool_Type) {
        return PyObject_IsTrue(item);
    }
    PyObject *answer = PyObject_CallOneArg(self->func, item);
    if (answer == NULL) {
        return -1;
    }
    int truth = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return truth;
}

static PyObject *
filter_next(Filter *self)
{
    if (_Py_GuardCStack("") < 0) {
        return NULL;
    }
    PyObject *item;
    while ((item = _PyIter_Step(self->iter)) != NULL) {
        int keep = filter_keeps(self, item);
        if (keep > 0) {
            return item;
        }
        Py_DECREF(item);
        if (keep < 0) {
            return NULL;
        }
    }
    return NULL;
}

static PyObject *
filter_reduce(Filter *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(OO)", Py_TYPE(self), self->func, self->iter);
}

static PyMethodDef filter_methods[] = {
    {"__reduce__", (PyCFunction)filter_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyFilter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "filter",
    .tp_basicsize = sizeof(Filter),
    .tp_dealloc = (destructor)filter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "filter(function or None, iterable) --> filter object\n\n"
        "Return an iterator yielding those items of iterable for which "
        "function(item)\nis true. If function is None, return the items that "
        "are true.",
    .tp_traverse = (traverseproc)filter_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)filter_next,
    .tp_methods = filter_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = filter_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = filter_vectorcall,
};
