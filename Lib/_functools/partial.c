/* functools.partial: a callable with some of its arguments filled in. */
#include "functools_impl.h"
#include "structmember.h"
#include "internal/unicode.h"

typedef struct {
    PyObject_HEAD
    PyObject *func;
    PyObject *args;             /* exact tuple */
    PyObject *keywords;         /* exact dict */
    PyObject *dict;             /* __dict__, or NULL */
    PyObject *weakreflist;
    vectorcallfunc vectorcall;  /* NULL: func has none, use tp_call */
} Partial;

#define PARTIAL(op) ((Partial *)(op))

static PyObject *partial_vectorcall(PyObject *self, PyObject *const *args,
                                    size_t nargsf, PyObject *kwnames);

static void
choose_call(Partial *self)
{
    self->vectorcall = PyVectorcall_Function(self->func) == NULL
        ? NULL : partial_vectorcall;
}

/* ------------------------------------------------------------------- making */

/* a + b[from:] as an exact tuple. */
static PyObject *
join_tuples(PyObject *a, PyObject *b, Py_ssize_t from)
{
    Py_ssize_t na = PyTuple_GET_SIZE(a), nb = PyTuple_GET_SIZE(b) - from;
    PyObject *joined = PyTuple_New(na + nb);
    if (joined == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < na; i++) {
        PyTuple_SET_ITEM(joined, i, Py_NewRef(PyTuple_GET_ITEM(a, i)));
    }
    for (Py_ssize_t i = 0; i < nb; i++) {
        PyTuple_SET_ITEM(joined, na + i,
                         Py_NewRef(PyTuple_GET_ITEM(b, from + i)));
    }
    return joined;
}

/* A dict with both; either may be NULL. b itself if nobody else has it: a call that made it. */
static PyObject *
join_dicts(PyObject *a, PyObject *b)
{
    if (a == NULL && b != NULL && Py_REFCNT(b) == 1) {
        return Py_NewRef(b);
    }
    PyObject *joined = a == NULL ? PyDict_New() : PyDict_Copy(a);
    if (joined != NULL && b != NULL && PyDict_Update(joined, b) < 0) {
        Py_CLEAR(joined);
    }
    return joined;
}

static PyObject *
partial_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if (PyTuple_GET_SIZE(args) < 1) {
        PyErr_SetString(PyExc_TypeError,
                        "type 'partial' takes at least one argument");
        return NULL;
    }
    PyObject *func = PyTuple_GET_ITEM(args, 0);
    PyObject *inner_args = NULL, *inner_keywords = NULL;
    if (Py_TYPE(func)->tp_call == _PyPartial_Type.tp_call && PARTIAL(func)->dict == NULL) {
        /* A partial of a partial is one partial, whatever subclasses the two are of: only a
           __call__ of its own or attributes make the inner one more than its parts. */
        inner_args = PARTIAL(func)->args;
        inner_keywords = PARTIAL(func)->keywords;
        func = PARTIAL(func)->func;
    }
    if (!PyCallable_Check(func)) {
        PyErr_SetString(PyExc_TypeError,
                        "the first argument must be callable");
        return NULL;
    }
    Partial *self = (Partial *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->func = Py_NewRef(func);
    self->args = inner_args != NULL ? join_tuples(inner_args, args, 1)
        : PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    if (self->args != NULL) {
        self->keywords = join_dicts(inner_keywords, kwds);
    }
    if (self->keywords == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    choose_call(self);
    return (PyObject *)self;
}

static int
partial_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(PARTIAL(self)->func);
    Py_VISIT(PARTIAL(self)->args);
    Py_VISIT(PARTIAL(self)->keywords);
    Py_VISIT(PARTIAL(self)->dict);
    return 0;
}

static int
partial_clear(PyObject *self)
{
    Py_CLEAR(PARTIAL(self)->func);
    Py_CLEAR(PARTIAL(self)->args);
    Py_CLEAR(PARTIAL(self)->keywords);
    Py_CLEAR(PARTIAL(self)->dict);
    return 0;
}

static void
partial_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    if (PARTIAL(self)->weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    partial_clear(self);
    Py_TYPE(self)->tp_free(self);
}

/* ------------------------------------------------------------------ calling */

static PyObject *
partial_call(PyObject *op, PyObject *args, PyObject *kwargs)
{
    if (_Py_GuardCStack(" while calling a Python object") < 0) {
        return NULL;
    }
    Partial *self = PARTIAL(op);
    PyObject *all = join_tuples(self->args, args, 0), *keywords = NULL;
    if (all == NULL) {
        return NULL;
    }
    if (PyDict_GET_SIZE(self->keywords) > 0) {
        /* A copy, even if kwargs adds nothing: the callee may change it. */
        keywords = join_dicts(self->keywords, kwargs);
        if (keywords == NULL) {
            Py_DECREF(all);
            return NULL;
        }
    }
    else {
        keywords = Py_XNewRef(kwargs);
    }
    PyObject *func = Py_NewRef(self->func);
    PyObject *result = PyObject_Call(func, all, keywords);
    Py_DECREF(func);
    Py_DECREF(all);
    Py_XDECREF(keywords);
    return result;
}

#define MOST_MERGED 16

/* The arguments of a call whose keywords have been merged without a dict; held. */
typedef struct {
    PyObject *values[MOST_MERGED], *names[MOST_MERGED];
    Py_ssize_t npos, nnames;
} Merged;

static Py_ssize_t
find_name(PyObject *kwnames, PyObject *name)
{
    Py_ssize_t k = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    while (--k >= 0 && PyTuple_GET_ITEM(kwnames, k) != name) {
    }
    return k;
}

static void
add_named(Merged *m, PyObject *name, PyObject *value)
{
    m->names[m->nnames] = Py_NewRef(name);
    m->values[m->npos + m->nnames++] = Py_NewRef(value);
}

static void
drop_merged(Merged *m)
{
    for (Py_ssize_t k = 0; k < m->nnames; k++) {
        Py_DECREF(m->names[k]);
    }
    for (Py_ssize_t i = 0; i < m->npos + m->nnames; i++) {
        Py_DECREF(m->values[i]);
    }
}

/* Merges as a dict would, if the arguments are few and pointers tell which names are the same.
   0: they don't. */
static int
merge_few(Merged *m, Partial *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    Py_ssize_t mine = PyTuple_GET_SIZE(self->args), position = 0;
    Py_ssize_t given = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    PyObject *name, *value;
    if (mine + nargs + PyDict_GET_SIZE(self->keywords) + given > MOST_MERGED) {
        return 0;
    }
    for (Py_ssize_t k = 0; k < given; k++) {
        if (!_PyUnicode_IsPlainInterned(PyTuple_GET_ITEM(kwnames, k))) {
            return 0;
        }
    }
    while (PyDict_Next(self->keywords, &position, &name, &value)) {
        if (!_PyUnicode_IsPlainInterned(name)) {
            return 0;
        }
    }
    m->npos = mine + nargs;
    m->nnames = 0;
    for (Py_ssize_t i = 0; i < m->npos; i++) {
        m->values[i] = Py_NewRef(i < mine ? PyTuple_GET_ITEM(self->args, i) : args[i - mine]);
    }
    position = 0;
    while (PyDict_Next(self->keywords, &position, &name, &value)) {
        Py_ssize_t k = find_name(kwnames, name);
        add_named(m, name, k < 0 ? value : args[nargs + k]);
    }
    for (Py_ssize_t k = 0; k < given; k++) {
        name = PyTuple_GET_ITEM(kwnames, k);
        if (PyDict_GetItemWithError(self->keywords, name) == NULL) {
            add_named(m, name, args[nargs + k]);
        }
    }
    return 1;
}

static PyObject *
call_merged(PyObject *func, Merged *m)
{
    Py_INCREF(func);
    PyObject *result = NULL, *names = PyTuple_New(m->nnames);
    if (names != NULL) {
        for (Py_ssize_t k = 0; k < m->nnames; k++) {
            PyTuple_SET_ITEM(names, k, Py_NewRef(m->names[k]));
        }
        result = PyObject_Vectorcall(func, m->values, (size_t)m->npos, names);
        Py_DECREF(names);
    }
    Py_DECREF(func);
    drop_merged(m);
    return result;
}

/* Merges the names and values of two sets of keywords, using a dict. */
static PyObject *
call_with_keywords(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    PyObject *tuple = PyTuple_New(nargs), *kwargs = NULL;
    if (tuple == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(args[i]));
    }
    Py_ssize_t n = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    int failed = n > 0 && (kwargs = PyDict_New()) == NULL;
    for (Py_ssize_t i = 0; !failed && i < n; i++) {
        failed = PyDict_SetItem(kwargs, PyTuple_GET_ITEM(kwnames, i),
                                args[nargs + i]) < 0;
    }
    PyObject *result = failed ? NULL : partial_call(self, tuple, kwargs);
    Py_DECREF(tuple);
    Py_XDECREF(kwargs);
    return result;
}

#define ON_STACK 8

static PyObject *
partial_vectorcall(PyObject *op, PyObject *const *args, size_t nargsf,
                   PyObject *kwnames)
{
    if (_Py_GuardCStack(" while calling a Python object") < 0) {
        return NULL;
    }
    Partial *self = PARTIAL(op);
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (PyDict_GET_SIZE(self->keywords) > 0) {
        Merged merged;
        return merge_few(&merged, self, args, nargs, kwnames)
               ? call_merged(self->func, &merged) : call_with_keywords(op, args, nargs, kwnames);
    }
    Py_ssize_t mine = PyTuple_GET_SIZE(self->args);
    Py_ssize_t given = nargs
        + (kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames));
    /* The callee may release self, or change its state. */
    PyObject *result, *func = Py_NewRef(self->func);
    if (mine == 0) {
        result = PyObject_Vectorcall(func, args, nargsf, kwnames);
        Py_DECREF(func);
        return result;
    }
    PyObject *held = Py_NewRef(self->args);
    if (mine == 1 && nargsf & PY_VECTORCALL_ARGUMENTS_OFFSET) {
        /* We may use the word before the arguments during the call. */
        PyObject **all = (PyObject **)args - 1, *saved = all[0];
        all[0] = PyTuple_GET_ITEM(held, 0);
        result = PyObject_Vectorcall(func, all, (size_t)nargs + 1, kwnames);
        all[0] = saved;
        goto done;
    }
    PyObject *few[ON_STACK], **all = few;
    if (mine + given > ON_STACK) {
        all = PyMem_New(PyObject *, (size_t)(mine + given));
        if (all == NULL) {
            result = PyErr_NoMemory();
            goto done;
        }
    }
    memcpy(all, ((PyTupleObject *)held)->ob_item,
           (size_t)mine * sizeof(PyObject *));
    if (given > 0) {
        memcpy(all + mine, args, (size_t)given * sizeof(PyObject *));
    }
    result = PyObject_Vectorcall(func, all, (size_t)(mine + nargs), kwnames);
    if (all != few) {
        PyMem_Free(all);
    }
done:
    Py_DECREF(held);
    Py_DECREF(func);
    return result;
}

/* ----------------------------------------------------------- text, pickling */

static PyObject *
partial_repr(PyObject *op)
{
    Partial *self = PARTIAL(op);
    int entered = Py_ReprEnter(op);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromString("...") : NULL;
    }
    /* A repr may call __setstate__(). */
    PyObject *func = Py_NewRef(self->func), *args = Py_NewRef(self->args);
    PyObject *keywords = Py_NewRef(self->keywords);
    PyObject *text = PyUnicode_FromString(""), *result = NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(args), pos = 0;
    for (Py_ssize_t i = 0; text != NULL && i < n; i++) {
        Py_SETREF(text, PyUnicode_FromFormat(
            "%U, %R", text, PyTuple_GET_ITEM(args, i)));
    }
    PyObject *key, *value;
    while (text != NULL && PyDict_Next(keywords, &pos, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        Py_SETREF(text, PyUnicode_FromFormat("%U, %S=%R", text, key, value));
        Py_DECREF(key);
        Py_DECREF(value);
    }
    if (text != NULL) {
        result = PyUnicode_FromFormat("%s(%R%U)", Py_TYPE(op)->tp_name,
                                      func, text);
        Py_DECREF(text);
    }
    Py_DECREF(func);
    Py_DECREF(args);
    Py_DECREF(keywords);
    Py_ReprLeave(op);
    return result;
}

static PyObject *
partial_reduce(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Partial *self = PARTIAL(op);
    return Py_BuildValue("O(O)(OOOO)", Py_TYPE(op), self->func, self->func,
                         self->args, self->keywords,
                         self->dict == NULL ? Py_None : self->dict);
}

static PyObject *
partial_setstate(PyObject *op, PyObject *state)
{
    Partial *self = PARTIAL(op);
    PyObject *func, *args, *keywords, *dict;
    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != 4
        || !PyArg_ParseTuple(state, "OOOO", &func, &args, &keywords, &dict)
        || !PyCallable_Check(func) || !PyTuple_Check(args)
        || (keywords != Py_None && !PyDict_Check(keywords))) {
        PyErr_SetString(PyExc_TypeError, "invalid partial state");
        return NULL;
    }
    args = PyTuple_CheckExact(args) ? Py_NewRef(args)
        : PySequence_Tuple(args);
    if (args == NULL) {
        return NULL;
    }
    keywords = keywords == Py_None ? PyDict_New()
        : PyDict_CheckExact(keywords) ? Py_NewRef(keywords)
        : PyDict_Copy(keywords);
    if (keywords == NULL) {
        Py_DECREF(args);
        return NULL;
    }
    Py_INCREF(func);
    Py_SETREF(self->func, func);
    Py_SETREF(self->args, args);
    Py_SETREF(self->keywords, keywords);
    dict = dict == Py_None ? NULL : Py_NewRef(dict);
    Py_XSETREF(self->dict, dict);
    choose_call(self);
    Py_RETURN_NONE;
}

static PyMethodDef partial_methods[] = {
    {"__reduce__", partial_reduce, METH_NOARGS, NULL},
    {"__setstate__", partial_setstate, METH_O, NULL},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef partial_members[] = {
    {"func", T_OBJECT, offsetof(Partial, func), READONLY,
     "function object to use in future partial calls"},
    {"args", T_OBJECT, offsetof(Partial, args), READONLY,
     "tuple of arguments to future partial calls"},
    {"keywords", T_OBJECT, offsetof(Partial, keywords), READONLY,
     "dictionary of keyword arguments to future partial calls"},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef partial_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject _PyPartial_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "functools.partial",
    .tp_basicsize = sizeof(Partial),
    .tp_dealloc = partial_dealloc,
    .tp_vectorcall_offset = offsetof(Partial, vectorcall),
    .tp_repr = partial_repr,
    .tp_call = partial_call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "partial(func, *args, **keywords) - new function with partial "
        "application\n    of the given arguments and keywords.\n",
    .tp_traverse = partial_traverse,
    .tp_clear = partial_clear,
    .tp_weaklistoffset = offsetof(Partial, weakreflist),
    .tp_methods = partial_methods,
    .tp_members = partial_members,
    .tp_getset = partial_getset,
    .tp_dictoffset = offsetof(Partial, dict),
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = partial_new,
    .tp_free = PyObject_GC_Del,
};
