/* product, permutations, combinations with and without replacement.

   Each keeps the pool (or pools) as a tuple, the indices of the items that make up the
   last result, and the last result, which is changed in place if there is no other
   reference to it. */
#include "internal/gc.h"
#include "internal/tuple.h"
#include "itertools_impl.h"

typedef struct {
    PyObject_HEAD
    PyObject *pool;             /* tuple of items; product: of pools */
    Py_ssize_t *indices;        /* r of them; permutations: all of the pool's */
    Py_ssize_t *cycles;         /* permutations: r of them */
    PyObject *result;           /* NULL before the first */
    Py_ssize_t r;               /* length of a result */
    int stopped;
} Combinator;

#define COMBINATOR_LIFE(name)                                   \
    LIFE(2, Combinator, name,                                   \
         PyMem_Free(self->indices); PyMem_Free(self->cycles);,  \
         pool, result)

/* Steals pool. n_indices, n_cycles: how long the arrays are. */
static Combinator *
combinator_alloc(PyTypeObject *type, PyObject *pool, Py_ssize_t r,
                 Py_ssize_t n_indices, Py_ssize_t n_cycles)
{
    Combinator *self = (Combinator *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_DECREF(pool);
        return NULL;
    }
    self->pool = pool;
    self->r = r;
    self->indices = PyMem_New(Py_ssize_t, (size_t)n_indices);
    self->cycles = PyMem_New(Py_ssize_t, (size_t)n_cycles);
    if (self->indices == NULL || self->cycles == NULL) {
        Py_DECREF(self);
        PyErr_NoMemory();
        return NULL;
    }
    return self;
}

/* Returns a borrowed reference to the item at one place of the result. */
static inline PyObject *
chosen(PyObject *pool, const Py_ssize_t *indices, int is_product, Py_ssize_t i)
{
    return PyTuple_GET_ITEM(is_product ? PyTuple_GET_ITEM(pool, i) : pool,
                            indices[i]);
}

/* A new tuple of the items that the indices choose. */
static PyObject *
build_result(Combinator *self, int is_product)
{
    PyObject *result = PyTuple_New(self->r);
    for (Py_ssize_t i = 0; result != NULL && i < self->r; i++) {
        PyTuple_SET_ITEM(result, i, Py_NewRef(chosen(self->pool, self->indices,
                                                     is_product, i)));
    }
    return result;
}

/* The indices from `from` on have changed: updates the result, and returns a new
   reference to it. */
static inline __attribute__((always_inline)) PyObject *
refresh_result(Combinator *self, int is_product, Py_ssize_t from)
{
    /* Read once: for the compiler each reference that is counted may have changed them. */
    PyObject *pool = self->pool;
    const Py_ssize_t *indices = self->indices;
    Py_ssize_t r = self->r;
    if (Py_REFCNT(self->result) > 1) {
        PyTupleObject *fresh = _PyTuple_Alloc(r);
        if (fresh == NULL) {
            return NULL;
        }
        PyObject *const *before = _PyTuple_ITEMS(self->result);
        Py_ssize_t i = 0;
        for (; i < from; i++) {
            fresh->ob_item[i] = Py_NewRef(before[i]);
        }
        for (; i < r; i++) {
            fresh->ob_item[i] = Py_NewRef(chosen(pool, indices, is_product, i));
        }
        _PyObject_GC_TRACK((PyObject *)fresh);
        Py_SETREF(self->result, (PyObject *)fresh);
        return Py_NewRef(self->result);
    }
    for (Py_ssize_t i = from; i < r; i++) {
        PyObject *old = PyTuple_GET_ITEM(self->result, i);
        PyTuple_SET_ITEM(self->result, i,
                         Py_NewRef(chosen(pool, indices, is_product, i)));
        Py_DECREF(old);
    }
    if (r > 0) {
        track_again(self->result);
    }
    return Py_NewRef(self->result);
}

/* The first result. */
static PyObject *
first_result(Combinator *self, int is_product)
{
    self->result = build_result(self, is_product);
    if (self->result == NULL) {
        self->stopped = 1;
    }
    return Py_XNewRef(self->result);
}

static PyObject *
indices_as_tuple(const Py_ssize_t *indices, Py_ssize_t n)
{
    PyObject *tuple = PyTuple_New(n);
    for (Py_ssize_t i = 0; tuple != NULL && i < n; i++) {
        PyObject *number = PyLong_FromSsize_t(indices[i]);
        if (number == NULL) {
            Py_CLEAR(tuple);
        }
        else {
            PyTuple_SET_ITEM(tuple, i, number);
        }
    }
    return tuple;
}

/* (type, (pool, r)[, indices]). */
static PyObject *
combinator_reduce(Combinator *self, PyObject *Py_UNUSED(ignored))
{
    if (self->stopped) {
        return Py_BuildValue("O(()n)", Py_TYPE(self), self->r);
    }
    if (self->result == NULL) {
        return Py_BuildValue("O(On)", Py_TYPE(self), self->pool, self->r);
    }
    PyObject *indices = indices_as_tuple(self->indices, self->r);
    return indices == NULL ? NULL
        : Py_BuildValue("O(On)N", Py_TYPE(self), self->pool, self->r,
                        indices);
}

/* Is the state a tuple of n items? Sets ValueError if not. */
static int
check_state(PyObject *state, Py_ssize_t n)
{
    if (PyTuple_Check(state) && PyTuple_GET_SIZE(state) == n) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, "invalid arguments");
    return -1;
}

/* Reads state[i] into *index, clipped to 0 … highest. */
static int
read_index(PyObject *state, Py_ssize_t i, Py_ssize_t highest,
           Py_ssize_t *index)
{
    Py_ssize_t n = PyLong_AsSsize_t(PyTuple_GET_ITEM(state, i));
    if (n == -1 && PyErr_Occurred()) {
        return -1;
    }
    *index = Py_MAX(Py_MIN(n, highest), 0);
    return 0;
}

static PyObject *
restore_result(Combinator *self, int is_product)
{
    PyObject *result = build_result(self, is_product);
    if (result == NULL) {
        return NULL;
    }
    Py_XSETREF(self->result, result);
    Py_RETURN_NONE;
}

static PyObject *
combinator_sizeof(Combinator *self, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t n = self->r;
    if (PyObject_TypeCheck(self, &_PyItertools_permutations)) {
        n += PyTuple_GET_SIZE(self->pool);
    }
    return PyLong_FromSsize_t(_PyObject_SIZE(Py_TYPE(self))
                              + n * (Py_ssize_t)sizeof(Py_ssize_t));
}

/* ------------------------------------------------------------------ product */

COMBINATOR_LIFE(product)

static PyObject *
product_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    Py_ssize_t repeat = 1;
    if (kwds != NULL) {
        static char *keywords[] = {"repeat", NULL};
        PyObject *nothing = PyTuple_New(0);
        if (nothing == NULL) {
            return NULL;
        }
        int parsed = PyArg_ParseTupleAndKeywords(nothing, kwds, "|n:product",
                                                 keywords, &repeat);
        Py_DECREF(nothing);
        if (!parsed) {
            return NULL;
        }
        if (repeat < 0) {
            PyErr_SetString(PyExc_ValueError,
                            "repeat argument cannot be negative");
            return NULL;
        }
    }
    Py_ssize_t nargs = repeat == 0 ? 0 : PyTuple_GET_SIZE(args);
    if (nargs > PY_SSIZE_T_MAX / (Py_ssize_t)sizeof(Py_ssize_t)
        || (nargs > 0 && repeat > PY_SSIZE_T_MAX
            / (nargs * (Py_ssize_t)sizeof(Py_ssize_t)))) {
        PyErr_SetString(PyExc_OverflowError, "repeat argument too large");
        return NULL;
    }
    Py_ssize_t n = nargs * repeat;
    PyObject *pools = PyTuple_New(n);
    if (pools == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *pool = i < nargs
            ? PySequence_Tuple(PyTuple_GET_ITEM(args, i))
            : Py_NewRef(PyTuple_GET_ITEM(pools, i - nargs));
        if (pool == NULL) {
            Py_DECREF(pools);
            return NULL;
        }
        PyTuple_SET_ITEM(pools, i, pool);
    }
    Combinator *self = combinator_alloc(type, pools, n, n, 0);
    for (Py_ssize_t i = 0; self != NULL && i < n; i++) {
        self->indices[i] = 0;
        self->stopped |= PyTuple_GET_SIZE(PyTuple_GET_ITEM(pools, i)) == 0;
    }
    return (PyObject *)self;
}

static PyObject *
product_next(Combinator *self)
{
    if (self->stopped) {
        return NULL;
    }
    if (self->result == NULL) {
        return first_result(self, 1);
    }
    /* Like an odometer: the last wheel turns fastest. */
    PyObject *const *pools = _PyTuple_ITEMS(self->pool);
    Py_ssize_t *indices = self->indices;
    Py_ssize_t i = self->r - 1;
    for (; i >= 0; i--) {
        if (++indices[i] < Py_SIZE(pools[i])) {
            break;
        }
        indices[i] = 0;
    }
    if (i >= 0) {
        return refresh_result(self, 1, i);
    }
    self->stopped = 1;
    /* The odometer shows the first items again, and keeps those alive. */
    if (self->r > 0) {
        Py_XDECREF(refresh_result(self, 1, 0));
    }
    return NULL;
}

static PyObject *
product_reduce(Combinator *self, PyObject *Py_UNUSED(ignored))
{
    if (self->stopped) {
        /* If a pool is empty, this keeps a copy from giving anything. */
        if (self->result != NULL || self->r == 0) {
            return Py_BuildValue("O(())", Py_TYPE(self));
        }
        return Py_BuildValue("OO", Py_TYPE(self), self->pool);
    }
    if (self->result == NULL) {
        return Py_BuildValue("OO", Py_TYPE(self), self->pool);
    }
    PyObject *indices = indices_as_tuple(self->indices, self->r);
    return indices == NULL ? NULL
        : Py_BuildValue("OON", Py_TYPE(self), self->pool, indices);
}

static PyObject *
product_setstate(Combinator *self, PyObject *state)
{
    if (check_state(state, self->r) < 0) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < self->r; i++) {
        Py_ssize_t size = PyTuple_GET_SIZE(PyTuple_GET_ITEM(self->pool, i));
        if (size == 0) {
            self->stopped = 1;
            Py_RETURN_NONE;
        }
        if (read_index(state, i, size - 1, &self->indices[i]) < 0) {
            return NULL;
        }
    }
    return restore_result(self, 1);
}

static PyMethodDef product_methods[] = {
    METHOD("__reduce__", product_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", product_setstate, METH_O, SETSTATE_DOC),
    METHOD("__sizeof__", combinator_sizeof, METH_NOARGS, SIZEOF_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(product, "itertools.product", Combinator, Py_TPFLAGS_BASETYPE,
    .tp_methods = product_methods,
    .tp_doc = "product(*iterables, repeat=1) --> product object\n\n"
        "Cartesian product of input iterables.  Equivalent to nested "
        "for-loops.\n\n"
        "For example, product(A, B) returns the same as:  ((x,y) for x in A "
        "for y in B).\nThe leftmost iterators are in the outermost for-loop, "
        "so the output tuples\ncycle in a manner similar to an odometer (with "
        "the rightmost element changing\non every iteration).\n\n"
        "To compute the product of an iterable with itself, specify the "
        "number\nof repetitions with the optional repeat keyword argument.",);

/* ------------------------------------------------------------- combinations */

/* Parses (iterable, r), and makes the pool. */
static Combinator *
combinator_from_args(PyTypeObject *type, PyObject *args, PyObject *kwds,
                     const char *format)
{
    static char *keywords[] = {"iterable", "r", NULL};
    PyObject *iterable;
    Py_ssize_t r;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, keywords, &iterable,
                                     &r)) {
        return NULL;
    }
    PyObject *pool = PySequence_Tuple(iterable);
    if (pool == NULL) {
        return NULL;
    }
    if (r < 0) {
        PyErr_SetString(PyExc_ValueError, "r must be non-negative");
        Py_DECREF(pool);
        return NULL;
    }
    return combinator_alloc(type, pool, r, r, 0);
}

COMBINATOR_LIFE(combinations)

static PyObject *
combinations_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    Combinator *self = combinator_from_args(type, args, kwds,
                                            "On:combinations");
    if (self != NULL) {
        for (Py_ssize_t i = 0; i < self->r; i++) {
            self->indices[i] = i;
        }
        self->stopped = self->r > PyTuple_GET_SIZE(self->pool);
    }
    return (PyObject *)self;
}

static PyObject *
combinations_next(Combinator *self)
{
    if (self->stopped) {
        return NULL;
    }
    if (self->result == NULL) {
        return first_result(self, 0);
    }
    /* The rightmost index that is not at its last place moves on, and those
       after it line up behind it. */
    Py_ssize_t r = self->r, slack = PyTuple_GET_SIZE(self->pool) - r;
    Py_ssize_t i = r - 1;
    while (i >= 0 && self->indices[i] == i + slack) {
        i--;
    }
    if (i < 0) {
        self->stopped = 1;
        return NULL;
    }
    self->indices[i]++;
    for (Py_ssize_t j = i + 1; j < r; j++) {
        self->indices[j] = self->indices[j - 1] + 1;
    }
    return refresh_result(self, 0, i);
}

static PyObject *
combinations_reduce(Combinator *self, PyObject *ignored)
{
    /* r is larger than the pool: the indices don't matter. */
    if (self->stopped && self->result == NULL) {
        return Py_BuildValue("O(On)", Py_TYPE(self), self->pool, self->r);
    }
    return combinator_reduce(self, ignored);
}

static PyObject *
combinations_setstate(Combinator *self, PyObject *state)
{
    Py_ssize_t n = PyTuple_GET_SIZE(self->pool);
    if (check_state(state, self->r) < 0) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < self->r; i++) {
        if (read_index(state, i, i + n - self->r, &self->indices[i]) < 0) {
            return NULL;
        }
    }
    return self->r > n ? Py_NewRef(Py_None) : restore_result(self, 0);
}

static PyMethodDef combinations_methods[] = {
    METHOD("__reduce__", combinations_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", combinations_setstate, METH_O, SETSTATE_DOC),
    METHOD("__sizeof__", combinator_sizeof, METH_NOARGS, SIZEOF_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(combinations, "itertools.combinations", Combinator,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = combinations_methods,
    .tp_doc = "combinations(iterable, r)\n--\n\n"
        "Return successive r-length combinations of elements in the "
        "iterable.\n\n"
        "combinations(range(4), 3) --> (0,1,2), (0,1,3), (0,2,3), (1,2,3)",);

/* -------------------------------------------- combinations_with_replacement */

COMBINATOR_LIFE(combinations_with_replacement)

static PyObject *
combinations_with_replacement_new(PyTypeObject *type, PyObject *args,
                                  PyObject *kwds)
{
    Combinator *self = combinator_from_args(
        type, args, kwds, "On:combinations_with_replacement");
    if (self != NULL) {
        memset(self->indices, 0, (size_t)self->r * sizeof(Py_ssize_t));
        self->stopped = PyTuple_GET_SIZE(self->pool) == 0 && self->r > 0;
    }
    return (PyObject *)self;
}

static PyObject *
combinations_with_replacement_next(Combinator *self)
{
    if (self->stopped) {
        return NULL;
    }
    if (self->result == NULL) {
        return first_result(self, 0);
    }
    Py_ssize_t n = PyTuple_GET_SIZE(self->pool), i = self->r - 1;
    while (i >= 0 && self->indices[i] == n - 1) {
        i--;
    }
    if (i < 0) {
        self->stopped = 1;
        return NULL;
    }
    Py_ssize_t index = self->indices[i] + 1;
    for (Py_ssize_t j = i; j < self->r; j++) {
        self->indices[j] = index;
    }
    return refresh_result(self, 0, i);
}

static PyObject *
combinations_with_replacement_setstate(Combinator *self, PyObject *state)
{
    if (check_state(state, self->r) < 0) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(self->pool);
    if (n == 0 && self->r > 0) {
        self->stopped = 1;
        Py_RETURN_NONE;
    }
    for (Py_ssize_t i = 0; i < self->r; i++) {
        if (read_index(state, i, n - 1, &self->indices[i]) < 0) {
            return NULL;
        }
    }
    return restore_result(self, 0);
}

static PyMethodDef combinations_with_replacement_methods[] = {
    METHOD("__reduce__", combinator_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", combinations_with_replacement_setstate, METH_O,
           SETSTATE_DOC),
    METHOD("__sizeof__", combinator_sizeof, METH_NOARGS, SIZEOF_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(combinations_with_replacement,
    "itertools.combinations_with_replacement", Combinator,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = combinations_with_replacement_methods,
    .tp_doc = "combinations_with_replacement(iterable, r)\n--\n\n"
        "Return successive r-length combinations of elements in the iterable "
        "allowing individual elements to have successive repeats.\n\n"
        "combinations_with_replacement('ABC', 2) --> "
        "('A','A'), ('A','B'), ('A','C'), ('B','B'), ('B','C'), "
        "('C','C')\"",);

/* ------------------------------------------------------------- permutations */

COMBINATOR_LIFE(permutations)

static PyObject *
permutations_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"iterable", "r", NULL};
    PyObject *iterable, *length = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:permutations",
                                     keywords, &iterable, &length)) {
        return NULL;
    }
    PyObject *pool = PySequence_Tuple(iterable);
    if (pool == NULL) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(pool), r = n;
    if (length != Py_None) {
        if (!PyLong_Check(length)) {
            PyErr_SetString(PyExc_TypeError, "Expected int as r");
            Py_DECREF(pool);
            return NULL;
        }
        r = PyLong_AsSsize_t(length);
        if (r < 0) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "r must be non-negative");
            }
            Py_DECREF(pool);
            return NULL;
        }
    }
    Combinator *self = combinator_alloc(type, pool, r, n, r);
    if (self != NULL) {
        for (Py_ssize_t i = 0; i < n; i++) {
            self->indices[i] = i;
        }
        for (Py_ssize_t i = 0; i < r; i++) {
            self->cycles[i] = n - i;
        }
        self->stopped = r > n;
    }
    return (PyObject *)self;
}

/* cycles[i] counts down how many choices for place i are left before the places
   to its left have to change. */
static PyObject *
permutations_next(Combinator *self)
{
    if (self->stopped) {
        return NULL;
    }
    if (self->result == NULL) {
        return first_result(self, 0);
    }
    Py_ssize_t n = PyTuple_GET_SIZE(self->pool);
    for (Py_ssize_t i = self->r - 1; i >= 0; i--) {
        Py_ssize_t *indices = self->indices;
        Py_ssize_t index = indices[i];
        if (--self->cycles[i] == 0) {
            /* All tried: put this place's first choice back behind. */
            memmove(indices + i, indices + i + 1,
                    (size_t)(n - 1 - i) * sizeof(Py_ssize_t));
            indices[n - 1] = index;
            self->cycles[i] = n - i;
            continue;
        }
        Py_ssize_t j = n - self->cycles[i];
        indices[i] = indices[j];
        indices[j] = index;
        return refresh_result(self, 0, i);
    }
    self->stopped = 1;
    return NULL;
}

static PyObject *
permutations_reduce(Combinator *self, PyObject *ignored)
{
    if (self->stopped || self->result == NULL) {
        return combinations_reduce(self, ignored);
    }
    PyObject *indices = indices_as_tuple(self->indices,
                                         PyTuple_GET_SIZE(self->pool));
    if (indices == NULL) {
        return NULL;
    }
    PyObject *cycles = indices_as_tuple(self->cycles, self->r);
    if (cycles == NULL) {
        Py_DECREF(indices);
        return NULL;
    }
    return Py_BuildValue("O(On)(NN)", Py_TYPE(self), self->pool, self->r,
                         indices, cycles);
}

static PyObject *
permutations_setstate(Combinator *self, PyObject *state)
{
    PyObject *indices, *cycles;
    Py_ssize_t n = PyTuple_GET_SIZE(self->pool);
    if (!PyTuple_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state is not a tuple");
        return NULL;
    }
    if (!PyArg_ParseTuple(state, "O!O!", &PyTuple_Type, &indices,
                          &PyTuple_Type, &cycles)
        || check_state(indices, n) < 0 || check_state(cycles, self->r) < 0) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (read_index(indices, i, n - 1, &self->indices[i]) < 0) {
            return NULL;
        }
    }
    for (Py_ssize_t i = 0; i < self->r; i++) {
        Py_ssize_t count;
        if (read_index(cycles, i, n - i, &count) < 0) {
            return NULL;
        }
        self->cycles[i] = Py_MAX(count, 1);
    }
    return self->r > n ? Py_NewRef(Py_None) : restore_result(self, 0);
}

static PyMethodDef permutations_methods[] = {
    METHOD("__reduce__", permutations_reduce, METH_NOARGS, REDUCE_DOC),
    METHOD("__setstate__", permutations_setstate, METH_O, SETSTATE_DOC),
    METHOD("__sizeof__", combinator_sizeof, METH_NOARGS, SIZEOF_DOC),
    {NULL, NULL, 0, NULL}
};

ITERTOOLS_TYPE(permutations, "itertools.permutations", Combinator,
    Py_TPFLAGS_BASETYPE,
    .tp_methods = permutations_methods,
    .tp_doc = "permutations(iterable, r=None)\n--\n\n"
        "Return successive r-length permutations of elements in the "
        "iterable.\n\n"
        "permutations(range(3), 2) --> (0,1), (0,2), (1,0), (1,2), (2,0), "
        "(2,1)",);
