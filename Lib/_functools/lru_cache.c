/* functools.lru_cache's wrapper.

   The cache is a dict whose keys are made from the arguments. Its values are the results
   or, if the size is bounded, links that hold the results. Links form a ring around the
   wrapper's own anchor: the link after it is the least recently used. The dict owns the
   links; the ring borrows them.

   While the function runs, or keys are compared, anything may happen to the cache,
   including another call with the same arguments: state is read again afterwards. */
#include "functools_impl.h"
#include <stddef.h>

typedef struct Link {
    PyObject_HEAD
    struct Link *before, *after;        /* NULL when not in the ring */
    Py_hash_t hash;
    PyObject *key;
    PyObject *result;
} Link;

enum mode { UNCACHED, UNBOUNDED, BOUNDED };

typedef struct {
    PyObject_HEAD
    Link anchor;                /* not an object: only before and after */
    vectorcallfunc vectorcall;
    enum mode mode;
    int typed;
    PyObject *func;
    PyObject *cache;
    PyObject *info_type;
    Py_ssize_t maxsize;         /* -1: unbounded */
    Py_ssize_t hits;
    Py_ssize_t misses;
    PyObject *dict;
    PyObject *weakreflist;
} Cache;

#define CACHE(op) ((Cache *)(op))

PyObject *_PyLruCache_KeywordMark;

/* --------------------------------------------------------------------- ring */

static void
unlink_from_ring(Link *link)
{
    link->before->after = link->after;
    link->after->before = link->before;
    link->before = link->after = NULL;
}

/* Inserts the link as the most recently used. */
static void
link_last(Cache *self, Link *link)
{
    Link *anchor = &self->anchor, *last = anchor->before;
    last->after = link;
    link->before = last;
    link->after = anchor;
    anchor->before = link;
}

static void
link_dealloc(Link *link)
{
    if (link->before != NULL) {
        unlink_from_ring(link);
    }
    Py_XDECREF(link->key);
    Py_XDECREF(link->result);
    PyObject_Free(link);
}

PyTypeObject _PyLruLink_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "functools._lru_list_elem",
    .tp_basicsize = sizeof(Link),
    .tp_dealloc = (destructor)link_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};

/* --------------------------------------------------------------------- keys */

/* Returns a new reference to the key for a call: the argument itself if it is a single
   str or int, else a tuple. */
static PyObject *
make_key(PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
         int typed)
{
    Py_ssize_t nkw = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    if (!typed && nkw == 0 && nargs == 1
        && (PyUnicode_CheckExact(args[0]) || PyLong_CheckExact(args[0]))) {
        return Py_NewRef(args[0]);
    }
    Py_ssize_t size = nargs + (nkw > 0 ? 1 + 2 * nkw : 0)
        + (typed ? nargs + nkw : 0);
    PyObject *key = PyTuple_New(size);
    if (key == NULL) {
        return NULL;
    }
    Py_ssize_t i = 0;
#define ADD(op) PyTuple_SET_ITEM(key, i, Py_NewRef(op)), i++
    for (Py_ssize_t k = 0; k < nargs; k++) {
        ADD(args[k]);
    }
    if (nkw > 0) {
        ADD(_PyLruCache_KeywordMark);
        for (Py_ssize_t k = 0; k < nkw; k++) {
            ADD(PyTuple_GET_ITEM(kwnames, k));
            ADD(args[nargs + k]);
        }
    }
    for (Py_ssize_t k = 0; typed && k < nargs + nkw; k++) {
        ADD((PyObject *)Py_TYPE(args[k]));
    }
#undef ADD
    return key;
}

/* ------------------------------------------------------------------ calling */

static PyObject *
call_unbounded(Cache *self, PyObject *key, Py_hash_t hash,
               PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *result = _PyDict_GetItem_KnownHash(self->cache, key, hash);
    if (result != NULL) {
        self->hits++;
        return Py_NewRef(result);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    self->misses++;
    result = PyObject_Vectorcall(self->func, args, nargsf, kwnames);
    if (result != NULL
        && _PyDict_SetItem_KnownHash(self->cache, key, result, hash) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

/* Drops the least recently used result. Returns its link, which is in no ring and no dict any
   more; NULL without an exception if there is none. */
static Link *
evict_one(Cache *self)
{
    Link *oldest = self->anchor.after;
    if (oldest == &self->anchor) {
        return NULL;
    }
    /* Remove it from the ring first: deleting may call __eq__, which may come here again. */
    Py_INCREF(oldest);
    unlink_from_ring(oldest);
    if (_PyDict_DelItem_KnownHash(self->cache, oldest->key, oldest->hash) < 0) {
        /* Unless another call has removed it already. */
        if (!PyErr_ExceptionMatches(PyExc_KeyError)) {
            link_last(self, oldest);
            Py_DECREF(oldest);
            return NULL;
        }
        PyErr_Clear();
    }
    return oldest;
}

static int
remember(Cache *self, PyObject *key, Py_hash_t hash, PyObject *result)
{
    Link *link = NULL;
    PyObject *old_key = NULL, *old_result = NULL;
    if (PyDict_GET_SIZE(self->cache) >= self->maxsize) {
        link = evict_one(self);
        if (link == NULL && PyErr_Occurred()) {
            return -1;
        }
    }
    if (link != NULL && Py_REFCNT(link) == 1) {
        /* They are released when the cache is in order again. */
        old_key = link->key;
        old_result = link->result;
    }
    else {
        Py_XDECREF(link);
        link = PyObject_New(Link, &_PyLruLink_Type);
        if (link == NULL) {
            return -1;
        }
    }
    link->before = link->after = NULL;
    link->hash = hash;
    link->key = Py_NewRef(key);
    link->result = Py_NewRef(result);
    /* The dict may have to compare keys, and such a comparison may insert this key. */
    int failed = _PyDict_SetItem_KnownHash(self->cache, key,
                                           (PyObject *)link, hash) < 0;
    if (!failed && Py_REFCNT(link) > 1) {
        link_last(self, link);
    }
    Py_DECREF(link);
    Py_XDECREF(old_key);
    Py_XDECREF(old_result);
    return failed ? -1 : 0;
}

static PyObject *
call_bounded(Cache *self, PyObject *key, Py_hash_t hash,
             PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Link *link = (Link *)_PyDict_GetItem_KnownHash(self->cache, key, hash);
    if (link != NULL) {
        if (link->before != NULL && link->after != &self->anchor) {
            unlink_from_ring(link);
            link_last(self, link);
        }
        self->hits++;
        return Py_NewRef(link->result);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    self->misses++;
    uint64_t version = ((PyDictObject *)self->cache)->ma_version_tag;
    PyObject *result = PyObject_Vectorcall(self->func, args, nargsf, kwnames);
    if (result == NULL) {
        return NULL;
    }
    /* The same call may have been made and cached meanwhile. */
    if ((version == ((PyDictObject *)self->cache)->ma_version_tag
         || _PyDict_GetItem_KnownHash(self->cache, key, hash) == NULL)
        && (PyErr_Occurred() || remember(self, key, hash, result) < 0)) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
call_cache(Cache *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    if (self->mode == UNCACHED) {
        self->misses++;
        return PyObject_Vectorcall(self->func, args, nargsf, kwnames);
    }
    PyObject *key = make_key(args, PyVectorcall_NARGS(nargsf), kwnames,
                             self->typed);
    if (key == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    Py_hash_t hash = PyObject_Hash(key);
    if (hash != -1) {
        result = (self->mode == BOUNDED ? call_bounded : call_unbounded)(
            self, key, hash, args, nargsf, kwnames);
    }
    Py_DECREF(key);
    return result;
}

static PyObject *
cache_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    if (Py_EnterRecursiveCall(" while calling a Python object")) {
        return NULL;
    }
    PyObject *result = call_cache(CACHE(op), args, nargsf, kwnames);
    Py_LeaveRecursiveCall();
    return result;
}

/* --------------------------------------------------------------------- life */

static PyObject *
cache_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"user_function", "maxsize", "typed",
                               "cache_info_type", NULL};
    PyObject *func, *limit, *info_type;
    int typed;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OOpO:lru_cache", keywords,
                                     &func, &limit, &typed, &info_type)) {
        return NULL;
    }
    if (!PyCallable_Check(func)) {
        PyErr_SetString(PyExc_TypeError,
                        "the first argument must be callable");
        return NULL;
    }
    Py_ssize_t maxsize = -1;
    enum mode mode = UNBOUNDED;
    if (limit != Py_None) {
        if (!PyIndex_Check(limit)) {
            PyErr_SetString(PyExc_TypeError,
                            "maxsize should be integer or None");
            return NULL;
        }
        maxsize = PyNumber_AsSsize_t(limit, PyExc_OverflowError);
        if (maxsize == -1 && PyErr_Occurred()) {
            return NULL;
        }
        maxsize = Py_MAX(maxsize, 0);
        mode = maxsize == 0 ? UNCACHED : BOUNDED;
    }
    PyObject *dict = PyDict_New();
    Cache *self = dict == NULL ? NULL : (Cache *)type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_XDECREF(dict);
        return NULL;
    }
    self->anchor.before = self->anchor.after = &self->anchor;
    self->vectorcall = cache_vectorcall;
    self->mode = mode;
    self->typed = typed;
    self->func = Py_NewRef(func);
    self->cache = dict;
    self->info_type = Py_NewRef(info_type);
    self->maxsize = maxsize;
    return (PyObject *)self;
}

/* The links die with the dict; one that is still referenced elsewhere is no longer in a
   ring. */
static void
empty_ring(Cache *self)
{
    while (self->anchor.after != NULL && self->anchor.after != &self->anchor) {
        unlink_from_ring(self->anchor.after);
    }
}

static int
cache_tp_clear(PyObject *op)
{
    Cache *self = CACHE(op);
    empty_ring(self);
    Py_CLEAR(self->cache);
    Py_CLEAR(self->func);
    Py_CLEAR(self->info_type);
    Py_CLEAR(self->dict);
    return 0;
}

static void
cache_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (CACHE(op)->weakreflist != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    cache_tp_clear(op);
    Py_TYPE(op)->tp_free(op);
}

/* Links are not collectable objects themselves, so their content is visited here. */
static int
cache_traverse(PyObject *op, visitproc visit, void *arg)
{
    Cache *self = CACHE(op);
    if (self->anchor.after != NULL) {
        for (Link *link = self->anchor.after; link != &self->anchor;
             link = link->after) {
            Py_VISIT(link->key);
            Py_VISIT(link->result);
        }
    }
    Py_VISIT(self->cache);
    Py_VISIT(self->func);
    Py_VISIT(self->info_type);
    Py_VISIT(self->dict);
    return 0;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
cache_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    return obj == NULL || obj == Py_None ? Py_NewRef(self)
        : PyMethod_New(self, obj);
}

static PyObject *
cache_info(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Cache *self = CACHE(op);
    if (self->maxsize == -1) {
        return PyObject_CallFunction(self->info_type, "nnOn", self->hits,
                                     self->misses, Py_None,
                                     PyDict_GET_SIZE(self->cache));
    }
    return PyObject_CallFunction(self->info_type, "nnnn", self->hits,
                                 self->misses, self->maxsize,
                                 PyDict_GET_SIZE(self->cache));
}

static PyObject *
cache_clear(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Cache *self = CACHE(op);
    self->hits = self->misses = 0;
    empty_ring(self);
    PyDict_Clear(self->cache);
    Py_RETURN_NONE;
}

static PyObject *
cache_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_GetAttrString(self, "__qualname__");
}

static PyObject *
cache_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_NewRef(self);
}

static PyMethodDef cache_methods[] = {
    {"cache_info", cache_info, METH_NOARGS,
     "cache_info($self, /)\n--\n\nReport cache statistics"},
    {"cache_clear", cache_clear, METH_NOARGS,
     "cache_clear($self, /)\n--\n\nClear the cache and cache statistics"},
    {"__reduce__", cache_reduce, METH_NOARGS, NULL},
    {"__copy__", cache_copy, METH_VARARGS, NULL},
    {"__deepcopy__", cache_copy, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef cache_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject _PyLruCache_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "functools._lru_cache_wrapper",
    .tp_basicsize = sizeof(Cache),
    .tp_dealloc = cache_dealloc,
    .tp_vectorcall_offset = offsetof(Cache, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "Create a cached callable that wraps another function.\n\n"
        "user_function:      the function being cached\n\n"
        "maxsize:  0         for no caching\n"
        "          None      for unlimited cache size\n"
        "          n         for a bounded cache\n\n"
        "typed:    False     cache f(3) and f(3.0) as identical calls\n"
        "          True      cache f(3) and f(3.0) as distinct calls\n\n"
        "cache_info_type:    namedtuple class with the fields:\n"
        "                        hits misses currsize maxsize\n",
    .tp_traverse = cache_traverse,
    .tp_clear = cache_tp_clear,
    .tp_weaklistoffset = offsetof(Cache, weakreflist),
    .tp_methods = cache_methods,
    .tp_getset = cache_getset,
    .tp_descr_get = cache_get,
    .tp_dictoffset = offsetof(Cache, dict),
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = cache_new,
    .tp_free = PyObject_GC_Del,
};
