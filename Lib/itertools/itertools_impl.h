/* What the files of itertools share: the types, and creating, visiting and destroying the
   iterators. */
#ifndef SB_ITERTOOLS_IMPL_H
#define SB_ITERTOOLS_IMPL_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/gc.h"
#include "internal/list.h"
#include "internal/pystate.h"

#define ITERTOOLS_TYPES(X)                                              \
    X(accumulate) X(combinations) X(combinations_with_replacement)      \
    X(cycle) X(dropwhile) X(takewhile) X(islice) X(starmap) X(chain)    \
    X(compress) X(filterfalse) X(count) X(zip_longest) X(pairwise)      \
    X(permutations) X(product) X(repeat) X(groupby) X(grouper) X(tee)   \
    X(teedata)

#define X(name) extern PyTypeObject _PyItertools_##name;
ITERTOOLS_TYPES(X)
#undef X

void _PyItertools_AddTakers(void);
PyObject *_PyItertools_Tee(PyObject *module, PyObject *const *args,
                           Py_ssize_t nargs);

/* tp_traverse and tp_dealloc of an iterator that owns the given fields, some of which may
   be NULL. */
#define VISIT_1(a) Py_VISIT(self->a);
#define VISIT_2(a, b) VISIT_1(a) VISIT_1(b)
#define VISIT_3(a, b, c) VISIT_2(a, b) VISIT_1(c)
#define VISIT_4(a, b, c, d) VISIT_3(a, b, c) VISIT_1(d)
#define VISIT_5(a, b, c, d, e) VISIT_4(a, b, c, d) VISIT_1(e)
#define DROP_1(a) Py_XDECREF(self->a);
#define DROP_2(a, b) DROP_1(a) DROP_1(b)
#define DROP_3(a, b, c) DROP_2(a, b) DROP_1(c)
#define DROP_4(a, b, c, d) DROP_3(a, b, c) DROP_1(d)
#define DROP_5(a, b, c, d, e) DROP_4(a, b, c, d) DROP_1(e)

#define LIFE(n, Type, name, before_free, ...)                           \
    static void                                                         \
    name##_dealloc(Type *self)                                          \
    {                                                                   \
        PyObject_GC_UnTrack(self);                                      \
        DROP_##n(__VA_ARGS__)                                           \
        before_free                                                     \
        Py_TYPE(self)->tp_free(self);                                   \
    }                                                                   \
                                                                        \
    static int                                                          \
    name##_traverse(Type *self, visitproc visit, void *arg)             \
    {                                                                   \
        VISIT_##n(__VA_ARGS__)                                          \
        return 0;                                                       \
    }

/* A type object with the slots that all types have; more slots may follow. */
#define ITERTOOLS_TYPE(name, title, Type, more_flags, ...)              \
    PyTypeObject _PyItertools_##name = {                                \
        PyVarObject_HEAD_INIT(NULL, 0)                                  \
        .tp_name = title,                                               \
        .tp_basicsize = sizeof(Type),                                   \
        .tp_dealloc = (destructor)name##_dealloc,                       \
        .tp_getattro = PyObject_GenericGetAttr,                         \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | more_flags,\
        .tp_traverse = (traverseproc)name##_traverse,                   \
        .tp_iter = PyObject_SelfIter,                                   \
        .tp_iternext = (iternextfunc)name##_next,                       \
        .tp_alloc = PyType_GenericAlloc,                                \
        .tp_new = name##_new,                                           \
        .tp_free = PyObject_GC_Del,                                     \
        __VA_ARGS__                                                     \
    }

#define METHOD(name, function, flags, doc) \
    {name, _PyCFunction_CAST(function), flags, doc}

#define REDUCE_DOC "Return state information for pickling."
#define SETSTATE_DOC "Set state information for unpickling."
#define SIZEOF_DOC "Returns size in memory, in bytes."

/* Keywords are for subclasses with an __init__ of their own. */
static inline int
no_keywords(PyTypeObject *type, PyTypeObject *base, const char *name,
            PyObject *kwds)
{
    return (type != base && type->tp_init != base->tp_init)
        || _PyArg_NoKeywords(name, kwds);
}

/* tp_iternext. Nested iterators use up the C stack. */
static inline PyObject *
next_of(PyObject *iter)
{
    PyObject *item = _PyIter_StepArray(iter);
    if (item != NULL) {
        return item;
    }
    if (_Py_GuardCStack("") < 0) {
        return NULL;
    }
    return Py_TYPE(iter)->tp_iternext(iter);
}

/* The same for an iterator that lets go of its source when that ends: the source may call the
   iterator again, and would die while it runs. */
static inline PyObject *
next_of_held(PyObject *iter)
{
    PyObject *item = _PyIter_StepArray(iter);
    if (item == NULL && _Py_GuardCStack("") == 0) {
        Py_INCREF(iter);
        item = Py_TYPE(iter)->tp_iternext(iter);
        Py_DECREF(iter);
    }
    return item;
}

/* A tuple that is handed out again gets new content, and the collector may have stopped
   tracking it: track it again. */
static inline void
track_again(PyObject *tuple)
{
    if (!_PyObject_GC_IS_TRACKED(tuple)) {
        _PyObject_GC_TRACK(tuple);
    }
}

#endif
