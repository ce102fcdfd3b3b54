/* Iterators that select from what another one gives, or join several: takewhile,
   dropwhile, filterfalse, compress, islice, chain, zip_longest, pairwise, starmap,
   accumulate. */
#include "itertools_impl.h"
#include "internal/errors.h"
#include "internal/index_iter.h"
#include "internal/int.h"
#include "internal/method_call.h"
#include "internal/tuple.h"

/* The result of a predicate: 1, 0, -1. */
static int
ask(PyObject *predicate, PyObject *item)
{
    PyObject *answer = PyObject_CallOneArg(predicate, item);
    if (answer == NULL) {
        return -1;
    }
    int truth = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return truth;
}

/* ------------------------------- takewhile, dropwhile, filterfalse, starmap */

typedef struct {
    PyObject_HEAD
    PyObject *func;
    PyObject *iter;
    long state;                 /* takewhile: stopped; dropwhile: started */
} FuncIter;

static PyObject *
funciter_new(PyTypeObject *type, PyTypeObject *base, const char *name,
             PyObject *args, PyObject *kwds)
{
    PyObject *func, *iterable;
    if (!no_keywords(type, base, name, kwds)
        || !PyArg_UnpackTuple(args, name, 2, 2, &func, &iterable)) {
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    FuncIter *self = iter == NULL ? NULL
        : (FuncIter *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iter);
        return NULL;
    }
    self->func = Py_NewRef(func);
    self->iter = iter;
    return (PyObject *)self;
}

#define FUNC_ITER(name)                                                 \
    LIFE(2, FuncIter, name, , func, iter)                               \
    static PyObject *                                                   \
    name##_new(PyTypeObject *type, PyObject *args, PyObject *kwds)      \
    {                                                                   \
        return funciter_new(type, &_PyItertools_##name, #name, args,    \
                            kwds);                                      \
    }

static PyObject *
funciter_reduce(FuncIter *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(OO)", Py_TYPE(self), self->func, self->iter);
}

static PyObject *
funciter_reduce_state(FuncIter *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(OO)l", Py_TYPE(self), self->func, self->iter,
                         self->state);
}

static PyObject *
funciter_setstate(FuncIter *self, PyObject *state)
{
    int truth = PyObject_IsTrue(state);
    if (truth < 0) {
        return NULL;
    }
    self->state = truth;
    Py_RETURN_NONE;
}

static PyMethodDef plain_methods[] = {
    METHOD("__reduce__", funciter_reduce, METH_NOARGS, REDUCE_DOC),
    {NULL, NULL, 0, NULL}
};

static PyMethodDef state_methods[] = {
    METHOD("__reduce__", funciter_reduce_state, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", funciter_setstate, METH_O, SETSTATE_DOC),
    {NULL, NULL, 0, NULL}
};

FUNC_ITER(takewhile)

static PyObject *
takewhile_next(FuncIter *self)
{
    if (self->state) {
        return NULL;
    }
    PyObject *item = next_of(self->iter);
    if (item == NULL) {
        return NULL;
    }
    int good = ask(self->func, item);
    if (good > 0) {
        return item;
    }
    Py_DECREF(item);
    self->state |= good == 0;
    return NULL;
}

ITERTOOLS_TYPE(takewhile, "itertools.takewhile", FuncIter,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = state_methods,
    .tp_doc = "takewhile(predicate, iterable, /)\n--\n\n"
        "Return successive entries from an iterable as long as the predicate "
        "evaluates to true for each entry.",);

FUNC_ITER(dropwhile)

static PyObject *
dropwhile_next(FuncIter *self)
{
    PyObject *item;
    while ((item = next_of(self->iter)) != NULL && !self->state) {
        int drop = ask(self->func, item);
        if (drop == 0) {
            self->state = 1;
            break;
        }
        Py_DECREF(item);
        if (drop < 0) {
            return NULL;
        }
    }
    return item;
}

ITERTOOLS_TYPE(dropwhile, "itertools.dropwhile", FuncIter,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = state_methods,
    .tp_doc = "dropwhile(predicate, iterable, /)\n--\n\n"
        "Drop items from the iterable while predicate(item) is true.\n\n"
        "Afterwards, return every element until the iterable is "
        "exhausted.",);

FUNC_ITER(filterfalse)

static PyObject *
filterfalse_next(FuncIter *self)
{
    int own_truth = self->func == Py_None
        || self->func == (PyObject *)&PyBool_Type;
    PyObject *item;
    while ((item = next_of(self->iter)) != NULL) {
        int truth = own_truth ? PyObject_IsTrue(item)
                              : ask(self->func, item);
        if (truth == 0) {
            return item;
        }
        Py_DECREF(item);
        if (truth < 0) {
            return NULL;
        }
    }
    return NULL;
}

ITERTOOLS_TYPE(filterfalse, "itertools.filterfalse", FuncIter,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = plain_methods,
    .tp_doc = "filterfalse(function, iterable, /)\n--\n\n"
        "Return those items of iterable for which function(item) is false.\n\n"
        "If function is None, return the items that are false.",);

FUNC_ITER(starmap)

static PyObject *
starmap_next(FuncIter *self)
{
    PyObject *args = next_of(self->iter);
    if (args == NULL) {
        return NULL;
    }
    if (!PyTuple_CheckExact(args)) {
        PyObject *tuple = PySequence_Tuple(args);
        Py_DECREF(args);
        if (tuple == NULL) {
            return NULL;
        }
        args = tuple;
    }
    PyObject *result = _PyCall_TakesArray(self->func)
        ? _PyCall_WithArray(self->func, _PyTuple_ITEMS(args), PyTuple_GET_SIZE(args))
        : PyObject_Call(self->func, args, NULL);
    Py_DECREF(args);
    return result;
}

ITERTOOLS_TYPE(starmap, "itertools.starmap", FuncIter, Py_TPFLAGS_BASETYPE,
    .tp_methods = plain_methods,
    .tp_doc = "starmap(function, iterable, /)\n--\n\n"
        "Return an iterator whose values are returned from the function "
        "evaluated with an argument tuple taken from the given sequence.",);

/* ----------------------------------------------------------------- compress */

typedef struct {
    PyObject_HEAD
    PyObject *data;
    PyObject *selectors;
} Compress;

LIFE(2, Compress, compress, , data, selectors)

static PyObject *
compress_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"data", "selectors", NULL};
    PyObject *data, *selectors;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO:compress", keywords,
                                     &data, &selectors)) {
        return NULL;
    }
    Compress *self = NULL;
    PyObject *data_iter = PyObject_GetIter(data);
    PyObject *selector_iter = data_iter == NULL ? NULL
        : PyObject_GetIter(selectors);
    if (selector_iter != NULL) {
        self = (Compress *)type->tp_alloc(type, 0);
    }
    if (self == NULL) {
        Py_XDECREF(data_iter);
        Py_XDECREF(selector_iter);
        return NULL;
    }
    self->data = data_iter;
    self->selectors = selector_iter;
    return (PyObject *)self;
}

static PyObject *
compress_next(Compress *self)
{
    for (;;) {
        PyObject *item = next_of(self->data);
        if (item == NULL) {
            return NULL;
        }
        PyObject *selector = next_of(self->selectors);
        if (selector == NULL) {
            Py_DECREF(item);
            return NULL;
        }
        int selected = PyObject_IsTrue(selector);
        Py_DECREF(selector);
        if (selected > 0) {
            return item;
        }
        Py_DECREF(item);
        if (selected < 0) {
            return NULL;
        }
    }
}

static PyObject *
compress_reduce(Compress *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O(OO)", Py_TYPE(self), self->data, self->selectors);
}

static PyMethodDef compress_methods[] = {
    METHOD("__reduce__", compress_reduce, METH_NOARGS, REDUCE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(compress, "itertools.compress", Compress, Py_TPFLAGS_BASETYPE,
    .tp_methods = compress_methods,
    .tp_doc = "compress(data, selectors)\n--\n\n"
        "Return data elements corresponding to true selector elements.\n\n"
        "Forms a shorter iterator from selected data elements using the "
        "selectors to\nchoose the data elements.",);

/* ------------------------------------------------------------------- islice */

typedef struct {
    PyObject_HEAD
    PyObject *iter;             /* NULL when done */
    Py_ssize_t next;            /* index of the next item to give */
    Py_ssize_t stop;            /* -1: none */
    Py_ssize_t step;
    Py_ssize_t count;           /* how many have been taken from iter */
} Islice;

LIFE(1, Islice, islice, , iter)

enum {NO_STOP = -1, NO_INDEX = -2, NEGATIVE = -3};

/* An index argument. None gives `otherwise`, NO_INDEX stands for -1 and for anything that
   is not an index or too large, NEGATIVE for other negative numbers: the messages for
   stop differ, as in CPython. */
static Py_ssize_t
islice_index(PyObject *arg, Py_ssize_t otherwise)
{
    if (arg == NULL || arg == Py_None) {
        return otherwise;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(arg, PyExc_OverflowError);
    if (n == -1) {
        PyErr_Clear();
        return NO_INDEX;
    }
    return n < 0 ? NEGATIVE : n;
}

static PyObject *
islice_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *iterable, *a, *b = NULL, *c = NULL;
    if (!no_keywords(type, &_PyItertools_islice, "islice", kwds)
        || !PyArg_UnpackTuple(args, "islice", 2, 4, &iterable, &a, &b, &c)) {
        return NULL;
    }
    int stop_only = PyTuple_GET_SIZE(args) == 2;
    Py_ssize_t start = islice_index(stop_only ? NULL : a, 0);
    Py_ssize_t stop = islice_index(stop_only ? a : b, NO_STOP);
    if (stop == NO_INDEX) {
        PyErr_SetString(PyExc_ValueError,
            "Stop argument for islice() must be None or an integer: "
            "0 <= x <= sys.maxsize.");
        return NULL;
    }
    if (start < 0 || stop == NEGATIVE) {
        PyErr_SetString(PyExc_ValueError,
            "Indices for islice() must be None or an integer: "
            "0 <= x <= sys.maxsize.");
        return NULL;
    }
    Py_ssize_t step = islice_index(c, 1);
    if (step < 1) {
        PyErr_SetString(PyExc_ValueError,
            "Step for islice() must be a positive integer or None.");
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    Islice *self = iter == NULL ? NULL : (Islice *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iter);
        return NULL;
    }
    self->iter = iter;
    self->next = start;
    self->stop = stop;
    self->step = step;
    return (PyObject *)self;
}

static inline __attribute__((always_inline)) PyObject *
islice_from(Islice *self, PyObject *iter)
{
    while (self->count < self->next) {
        PyObject *skipped = _PyIter_Step(iter);
        if (skipped == NULL) {
            Py_CLEAR(self->iter);
            return NULL;
        }
        Py_DECREF(skipped);
        self->count++;
    }
    PyObject *item = NULL;
    if (self->stop == -1 || self->count < self->stop) {
        item = _PyIter_Step(iter);
    }
    if (item == NULL) {
        Py_CLEAR(self->iter);
        return NULL;
    }
    self->count++;
    /* Nothing beyond the stop is wanted, and a sum that overflows is beyond it. */
    Py_ssize_t before = self->next;
    self->next = (Py_ssize_t)((size_t)before + (size_t)self->step);
    if (self->next < before || (self->stop != -1 && self->next > self->stop)) {
        self->next = self->stop == -1 ? PY_SSIZE_T_MAX : self->stop;
    }
    return item;
}

/* Next to the source, which may call this very iterator: that lets go of it at its end. */
static PyObject *
islice_next(Islice *self)
{
    PyObject *iter = self->iter;
    if (_Py_GuardCStack("") < 0 || iter == NULL) {
        return NULL;
    }
    Py_INCREF(iter);
    PyObject *item = islice_from(self, iter);
    Py_DECREF(iter);
    return item;
}

static PyObject *
islice_reduce(Islice *self, PyObject *Py_UNUSED(ignored))
{
    if (self->iter == NULL) {
        PyObject *nothing = PyList_New(0);
        PyObject *iter = nothing == NULL ? NULL : PyObject_GetIter(nothing);
        Py_XDECREF(nothing);
        return iter == NULL ? NULL
            : Py_BuildValue("O(Ni)n", Py_TYPE(self), iter, 0, (Py_ssize_t)0);
    }
    PyObject *stop = self->stop == -1 ? Py_NewRef(Py_None)
        : PyLong_FromSsize_t(self->stop);
    if (stop == NULL) {
        return NULL;
    }
    return Py_BuildValue("O(OnNn)n", Py_TYPE(self), self->iter, self->next,
                         stop, self->step, self->count);
}

static PyObject *
islice_setstate(Islice *self, PyObject *state)
{
    Py_ssize_t count = PyLong_AsSsize_t(state);
    if (count == -1 && PyErr_Occurred()) {
        return NULL;
    }
    self->count = count;
    Py_RETURN_NONE;
}

static PyMethodDef islice_methods[] = {
    METHOD("__reduce__", islice_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", islice_setstate, METH_O, SETSTATE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(islice, "itertools.islice", Islice, Py_TPFLAGS_BASETYPE,
    .tp_methods = islice_methods,
    .tp_doc = "islice(iterable, stop) --> islice object\n"
        "islice(iterable, start, stop[, step]) --> islice object\n\n"
        "Return an iterator whose next() method returns selected values from "
        "an\niterable.  Elements before start are skipped; step says how many "
        "are\nconsumed per result. It works like a slice of a list, but "
        "returns an iterator.",);

/* -------------------------------------------------------------------- chain */

typedef struct {
    PyObject_HEAD
    PyObject *source;           /* iterator over the iterables; NULL at the end */
    PyObject *active;           /* the current iterator, or NULL */
} Chain;

LIFE(2, Chain, chain, , source, active)

/* Steals source. */
static PyObject *
chain_over(PyTypeObject *type, PyObject *source)
{
    if (source == NULL) {
        return NULL;
    }
    Chain *self = (Chain *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_DECREF(source);
        return NULL;
    }
    self->source = source;
    return (PyObject *)self;
}

static PyObject *
chain_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if (!no_keywords(type, &_PyItertools_chain, "chain", kwds)) {
        return NULL;
    }
    return chain_over(type, PyObject_GetIter(args));
}

static PyObject *
chain_from_iterable(PyObject *type, PyObject *iterable)
{
    return chain_over((PyTypeObject *)type, PyObject_GetIter(iterable));
}

static PyObject *
chain_next(Chain *self)
{
    while (self->source != NULL) {
        if (self->active == NULL) {
            PyObject *iterable = next_of_held(self->source);
            if (iterable == NULL) {
                (void)_PyErr_DropStopIteration();
            }
            else {
                Py_XSETREF(self->active, PyObject_GetIter(iterable));
                Py_DECREF(iterable);
            }
            if (self->active == NULL) {
                Py_CLEAR(self->source);
                return NULL;
            }
        }
        PyObject *item = next_of_held(self->active);
        if (item != NULL) {
            return item;
        }
        if (_PyErr_DropStopIteration() < 0) {
            return NULL;
        }
        Py_CLEAR(self->active);
    }
    return NULL;
}

/* From a list or tuple, as most are. An iterator over a deque may be over the one that takes. */
static Py_ssize_t
chain_take(PyObject *op, PyObject **to, Py_ssize_t most)
{
    PyObject *active = ((Chain *)op)->active;
    return active != NULL && (Py_IS_TYPE(active, &PyListIter_Type)
                              || Py_IS_TYPE(active, &PyTupleIter_Type))
           ? _PyIndexIter_Take(active, to, most) : 0;
}

void
_PyItertools_AddTakers(void)
{
    _PyIter_AddTaker(&_PyItertools_chain, chain_take);
}

static PyObject *
chain_reduce(Chain *self, PyObject *Py_UNUSED(ignored))
{
    if (self->source == NULL) {
        return Py_BuildValue("O()", Py_TYPE(self));
    }
    return self->active != NULL
        ? Py_BuildValue("O()(OO)", Py_TYPE(self), self->source, self->active)
        : Py_BuildValue("O()(O)", Py_TYPE(self), self->source);
}

static PyObject *
chain_setstate(Chain *self, PyObject *state)
{
    PyObject *source, *active = NULL;
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state is not a tuple");
        return NULL;
    }
    if (!PyArg_ParseTuple(state, "O|O", &source, &active)) {
        return NULL;
    }
    if (!PyIter_Check(source) || (active != NULL && !PyIter_Check(active))) {
        PyErr_SetString(PyExc_TypeError, "Arguments must be iterators.");
        return NULL;
    }
    Py_INCREF(source);
    Py_XSETREF(self->source, source);
    Py_XINCREF(active);
    Py_XSETREF(self->active, active);
    Py_RETURN_NONE;
}

static PyMethodDef chain_methods[] = {
    METHOD("from_iterable", chain_from_iterable, METH_O | METH_CLASS,
           "from_iterable($type, iterable, /)\n--\n\n"
           "Alternative chain() constructor taking a single iterable argument "
           "that evaluates lazily."),
    METHOD("__reduce__", chain_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", chain_setstate, METH_O, SETSTATE_DOC),
    METHOD("__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
           "See PEP 585"),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(chain, "itertools.chain", Chain, Py_TPFLAGS_BASETYPE,
    .tp_methods = chain_methods,
    .tp_doc = "chain(*iterables) --> chain object\n\n"
        "Return a chain object whose .__next__() method returns elements from "
        "the\nfirst iterable until it is exhausted, then elements from the "
        "next\niterable, until all of the iterables are exhausted.",);

/* -------------------------------------------------------------- zip_longest */

typedef struct {
    PyObject_HEAD
    Py_ssize_t active;          /* how many iterators are not exhausted */
    PyObject *iters;            /* tuple; exhausted ones are NULL */
    PyObject *result;           /* handed out again if there are no other references */
    PyObject *fill;
} ZipLongest;

LIFE(3, ZipLongest, zip_longest, , iters, result, fill)

static PyObject *
zip_longest_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *fill = Py_None;
    if (kwds != NULL && PyDict_GET_SIZE(kwds) > 0) {
        fill = PyDict_GET_SIZE(kwds) == 1
            ? PyDict_GetItemString(kwds, "fillvalue") : NULL;
        if (fill == NULL) {
            PyErr_SetString(PyExc_TypeError,
                "zip_longest() got an unexpected keyword argument");
            return NULL;
        }
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    PyObject *iters = PyTuple_New(n);
    if (iters == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *iter = PyObject_GetIter(PyTuple_GET_ITEM(args, i));
        if (iter == NULL) {
            Py_DECREF(iters);
            return NULL;
        }
        PyTuple_SET_ITEM(iters, i, iter);
    }
    PyObject *result = PyTuple_New(n);
    ZipLongest *self = result == NULL ? NULL
        : (ZipLongest *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(result);
        Py_DECREF(iters);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(result, i, Py_NewRef(Py_None));
    }
    self->iters = iters;
    self->result = result;
    self->active = n;
    self->fill = Py_NewRef(fill);
    return (PyObject *)self;
}

/* Returns a new reference to item i of the next tuple; NULL if all are exhausted, or with
   an exception. */
static PyObject *
zip_longest_item(ZipLongest *self, Py_ssize_t i)
{
    PyObject *iter = PyTuple_GET_ITEM(self->iters, i);
    if (iter == NULL) {
        return Py_NewRef(self->fill);
    }
    PyObject *item = next_of_held(iter);
    if (item != NULL) {
        return item;
    }
    int ended = _PyErr_DropStopIteration() == 0;
    /* (It may have ended already in a call of this very iterator.) */
    int ends_now = PyTuple_GET_ITEM(self->iters, i) != NULL;
    self->active -= ends_now;
    if (self->active <= 0 || !ended) {
        self->active = 0;
        return NULL;
    }
    if (ends_now) {
        PyTuple_SET_ITEM(self->iters, i, NULL);
        Py_DECREF(iter);
    }
    return Py_NewRef(self->fill);
}

static PyObject *
zip_longest_next(ZipLongest *self)
{
    Py_ssize_t n = PyTuple_GET_SIZE(self->iters);
    if (n == 0 || self->active == 0) {
        return NULL;
    }
    PyObject *result = self->result;
    int reuse = Py_REFCNT(result) == 1;
    result = reuse ? Py_NewRef(result) : PyTuple_New(n);
    for (Py_ssize_t i = 0; result != NULL && i < n; i++) {
        PyObject *item = zip_longest_item(self, i);
        if (item == NULL) {
            Py_CLEAR(result);
            break;
        }
        PyObject *old = PyTuple_GET_ITEM(result, i);
        PyTuple_SET_ITEM(result, i, item);
        Py_XDECREF(old);
    }
    if (reuse && result != NULL) {
        track_again(result);
    }
    return result;
}

static PyObject *
zip_longest_reduce(ZipLongest *self, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t n = PyTuple_GET_SIZE(self->iters);
    PyObject *args = PyTuple_New(n);
    for (Py_ssize_t i = 0; args != NULL && i < n; i++) {
        PyObject *iter = PyTuple_GET_ITEM(self->iters, i);
        iter = iter != NULL ? Py_NewRef(iter) : PyTuple_New(0);
        if (iter == NULL) {
            Py_CLEAR(args);
        }
        else {
            PyTuple_SET_ITEM(args, i, iter);
        }
    }
    return args == NULL ? NULL
        : Py_BuildValue("ONO", Py_TYPE(self), args, self->fill);
}

static PyObject *
zip_longest_setstate(ZipLongest *self, PyObject *state)
{
    Py_INCREF(state);
    Py_XSETREF(self->fill, state);
    Py_RETURN_NONE;
}

static PyMethodDef zip_longest_methods[] = {
    METHOD("__reduce__", zip_longest_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", zip_longest_setstate, METH_O, SETSTATE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(zip_longest, "itertools.zip_longest", ZipLongest,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = zip_longest_methods,
    .tp_doc = "zip_longest(iter1 [,iter2 [...]], [fillvalue=None]) --> "
        "zip_longest object\n\n"
        "Return a zip_longest object whose .__next__() method returns a tuple "
        "where\nthe i-th element comes from the i-th iterable argument, until "
        "the longest\nof them is exhausted.  Shorter ones are padded with the "
        "fillvalue, which\ndefaults to None.\n",);

/* ----------------------------------------------------------------- pairwise */

typedef struct {
    PyObject_HEAD
    PyObject *iter;             /* NULL at the end */
    PyObject *old;              /* NULL before the first pair */
} Pairwise;

LIFE(2, Pairwise, pairwise, , iter, old)

static PyObject *
pairwise_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *iterable;
    if (!no_keywords(type, &_PyItertools_pairwise, "pairwise", kwds)
        || !PyArg_UnpackTuple(args, "pairwise", 1, 1, &iterable)) {
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    Pairwise *self = iter == NULL ? NULL
        : (Pairwise *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iter);
        return NULL;
    }
    self->iter = iter;
    return (PyObject *)self;
}

/* next() may call this very iterator again, so it works on its own references. */
static PyObject *
pairwise_next(Pairwise *self)
{
    if (self->iter == NULL) {
        return NULL;
    }
    PyObject *iter = Py_NewRef(self->iter), *pair = NULL;
    if (self->old == NULL) {
        PyObject *first = next_of(iter);
        Py_XSETREF(self->old, first);
        if (first == NULL || self->iter == NULL) {
            Py_CLEAR(self->old);
            Py_CLEAR(self->iter);
            Py_DECREF(iter);
            return NULL;
        }
    }
    PyObject *old = Py_NewRef(self->old);
    PyObject *item = next_of(iter);
    if (item == NULL) {
        Py_CLEAR(self->iter);
        Py_CLEAR(self->old);
    }
    else {
        pair = _PyTuple_Pair(old, item);
        Py_XSETREF(self->old, item);
    }
    Py_DECREF(old);
    Py_DECREF(iter);
    return pair;
}

ITERTOOLS_TYPE(pairwise, "itertools.pairwise", Pairwise, Py_TPFLAGS_BASETYPE,
    .tp_doc = "pairwise(iterable, /)\n--\n\n"
        "Return an iterator of overlapping pairs taken from the input "
        "iterator.\n\n    s -> (s0,s1), (s1,s2), (s2, s3), ...",);

/* --------------------------------------------------------------- accumulate */

typedef struct {
    PyObject_HEAD
    PyObject *total;            /* NULL before the first */
    PyObject *iter;
    PyObject *func;             /* NULL: addition */
    PyObject *initial;          /* still to be given, or NULL */
} Accumulate;

LIFE(4, Accumulate, accumulate, , total, iter, func, initial)

static PyObject *
accumulate_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"iterable", "func", "initial", NULL};
    PyObject *iterable, *func = Py_None, *initial = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O$O:accumulate",
                                     keywords, &iterable, &func, &initial)) {
        return NULL;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    Accumulate *self = iter == NULL ? NULL
        : (Accumulate *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(iter);
        return NULL;
    }
    self->iter = iter;
    self->func = func == Py_None ? NULL : Py_NewRef(func);
    self->initial = initial == Py_None ? NULL : Py_NewRef(initial);
    return (PyObject *)self;
}

static inline PyObject *
accumulated(Accumulate *self, PyObject *item)
{
    if (self->func != NULL) {
        PyObject *args[] = {self->total, item};
        return PyObject_Vectorcall(self->func, args, 2, NULL);
    }
    return PyLong_CheckExact(self->total) && PyLong_CheckExact(item)
           ? _PyLong_Add(self->total, item) : PyNumber_Add(self->total, item);
}

static PyObject *
accumulate_next(Accumulate *self)
{
    if (self->initial != NULL) {
        Py_XSETREF(self->total, self->initial);
        self->initial = NULL;
        return Py_NewRef(self->total);
    }
    PyObject *item = next_of(self->iter);
    if (item == NULL) {
        return NULL;
    }
    if (self->total == NULL) {
        self->total = Py_NewRef(item);
        return item;
    }
    PyObject *total = accumulated(self, item);
    Py_DECREF(item);
    if (total != NULL) {
        Py_INCREF(total);
        Py_SETREF(self->total, total);
    }
    return total;
}

/* Returns a new reference: chain((first,), rest). */
static PyObject *
chain_in_front(PyObject *first, PyObject *rest)
{
    PyObject *head = PyTuple_Pack(1, first);
    if (head == NULL) {
        return NULL;
    }
    PyObject *chain = PyObject_CallFunctionObjArgs(
        (PyObject *)&_PyItertools_chain, head, rest, NULL);
    Py_DECREF(head);
    return chain;
}

static PyObject *
accumulate_reduce(Accumulate *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *func = self->func == NULL ? Py_None : self->func;
    if (self->initial != NULL) {
        PyObject *chain = chain_in_front(self->initial, self->iter);
        return chain == NULL ? NULL
            : Py_BuildValue("O(NO)O", Py_TYPE(self), chain, func, Py_None);
    }
    /* A total of None would look like no total. */
    if (self->total == Py_None) {
        PyObject *chain = chain_in_front(self->total, self->iter);
        if (chain == NULL) {
            return NULL;
        }
        PyObject *again = PyObject_CallFunctionObjArgs(
            (PyObject *)Py_TYPE(self), chain, func, NULL);
        Py_DECREF(chain);
        return again == NULL ? NULL
            : Py_BuildValue("O(NiO)", &_PyItertools_islice, again, 1,
                            Py_None);
    }
    return Py_BuildValue("O(OO)O", Py_TYPE(self), self->iter, func,
                         self->total == NULL ? Py_None : self->total);
}

static PyObject *
accumulate_setstate(Accumulate *self, PyObject *state)
{
    Py_INCREF(state);
    Py_XSETREF(self->total, state);
    Py_RETURN_NONE;
}

static PyMethodDef accumulate_methods[] = {
    METHOD("__reduce__", accumulate_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", accumulate_setstate, METH_O, SETSTATE_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(accumulate, "itertools.accumulate", Accumulate,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = accumulate_methods,
    .tp_doc = "accumulate(iterable, func=None, *, initial=None)\n--\n\n"
        "Return series of accumulated sums.",);
