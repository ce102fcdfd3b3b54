/* collections.defaultdict: a dict whose missing keys get a value made for them. */
#include "collections_impl.h"
#include "internal/names.h"
#include "structmember.h"

typedef struct {
    PyDictObject dict;
    PyObject *factory;          /* NULL or None: no default */
} DefaultDict;

#define DD(op) ((DefaultDict *)(op))

static PyObject *
defdict_missing(PyObject *self, PyObject *key)
{
    PyObject *factory = DD(self)->factory;
    if (factory == NULL || factory == Py_None) {
        /* In a tuple, so that a factory or source that is a tuple is passed as one
           argument. */
        PyObject *args = PyTuple_Pack(1, key);
        if (args != NULL) {
            PyErr_SetObject(PyExc_KeyError, args);
            Py_DECREF(args);
        }
        return NULL;
    }
    PyObject *value = PyObject_CallNoArgs(factory);
    if (value != NULL && PyObject_SetItem(self, key, value) < 0) {
        Py_CLEAR(value);
    }
    return value;
}

/* type(self)(factory, source): new reference. */
static PyObject *
made_like(PyObject *self, PyObject *source)
{
    PyObject *factory = DD(self)->factory;
    return PyObject_CallFunctionObjArgs((PyObject *)Py_TYPE(self),
                                        factory == NULL ? Py_None : factory,
                                        source, NULL);
}

static PyObject *
defdict_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return made_like(self, self);
}

static PyObject *
defdict_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *factory = DD(self)->factory, *args, *iter = NULL;
    args = factory == NULL || factory == Py_None ? PyTuple_New(0)
        : PyTuple_Pack(1, factory);
    if (args == NULL) {
        return NULL;
    }
    PyObject *items = PyObject_CallMethodNoArgs(self, _Py_NAME(items));
    if (items != NULL) {
        iter = PyObject_GetIter(items);
        Py_DECREF(items);
    }
    PyObject *result = iter == NULL ? NULL
        : PyTuple_Pack(5, Py_TYPE(self), args, Py_None, Py_None, iter);
    Py_XDECREF(iter);
    Py_DECREF(args);
    return result;
}

static int
defdict_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    PyObject *factory = NULL, *rest;
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n > 0) {
        factory = PyTuple_GET_ITEM(args, 0);
        if (!PyCallable_Check(factory) && factory != Py_None) {
            PyErr_SetString(PyExc_TypeError,
                            "first argument must be callable or None");
            return -1;
        }
    }
    rest = PyTuple_GetSlice(args, n > 0 ? 1 : 0, n);
    if (rest == NULL) {
        return -1;
    }
    Py_XINCREF(factory);
    Py_XSETREF(DD(self)->factory, factory);
    int result = PyDict_Type.tp_init(self, rest, kwds);
    Py_DECREF(rest);
    return result;
}

static void
defdict_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(DD(self)->factory);
    PyDict_Type.tp_dealloc(self);
}

static int
defdict_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(DD(self)->factory);
    return PyDict_Type.tp_traverse(self, visit, arg);
}

static int
defdict_clear(PyObject *self)
{
    Py_CLEAR(DD(self)->factory);
    return PyDict_Type.tp_clear(self);
}

/* The factory may be bound to something that contains the dict. */
static PyObject *
factory_repr(PyObject *self)
{
    PyObject *factory = DD(self)->factory;
    if (factory == NULL) {
        return PyUnicode_FromString("None");
    }
    int entered = Py_ReprEnter(factory);
    if (entered < 0) {
        return NULL;
    }
    if (entered > 0) {
        return PyUnicode_FromString("...");
    }
    PyObject *text = PyObject_Repr(factory);
    Py_ReprLeave(factory);
    return text;
}

static PyObject *
defdict_repr(PyObject *self)
{
    PyObject *items = PyDict_Type.tp_repr(self);
    if (items == NULL) {
        return NULL;
    }
    PyObject *result = NULL, *factory = factory_repr(self);
    if (factory != NULL) {
        result = PyUnicode_FromFormat("%s(%U, %U)",
                                      _PyType_Name(Py_TYPE(self)), factory,
                                      items);
        Py_DECREF(factory);
    }
    Py_DECREF(items);
    return result;
}

static PyObject *
defdict_or(PyObject *left, PyObject *right)
{
    if (!PyDict_Check(left) || !PyDict_Check(right)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *self = PyObject_TypeCheck(left, &_PyDefaultDict_Type)
        ? left : right;
    PyObject *result = made_like(self, left);
    if (result != NULL && PyDict_Update(result, right) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static PyMethodDef defdict_methods[] = {
    {"__missing__", defdict_missing, METH_O,
     "__missing__(key) # Called by __getitem__ for missing key; pseudo-code:\n"
     "  if self.default_factory is None: raise KeyError((key,))\n"
     "  self[key] = value = self.default_factory()\n"
     "  return value\n"},
    {"copy", defdict_copy, METH_NOARGS,
     "D.copy() -> a shallow copy of D."},
    {"__copy__", defdict_copy, METH_NOARGS,
     "D.copy() -> a shallow copy of D."},
    {"__reduce__", defdict_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef defdict_members[] = {
    {"default_factory", T_OBJECT, offsetof(DefaultDict, factory), 0,
     "Factory for default value called by __missing__()."},
    {NULL, 0, 0, 0, NULL}
};

static PyNumberMethods defdict_as_number = {
    .nb_or = defdict_or,
};

PyTypeObject _PyDefaultDict_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "collections.defaultdict",
    .tp_basicsize = sizeof(DefaultDict),
    .tp_dealloc = defdict_dealloc,
    .tp_repr = defdict_repr,
    .tp_as_number = &defdict_as_number,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "defaultdict(default_factory=None, /, [...]) --> dict with "
        "default factory\n\n"
        "The default factory is called without arguments to produce\n"
        "a new value when a key is not present, in __getitem__ only.\n"
        "A defaultdict compares equal to a dict with the same items.\n"
        "All remaining arguments are treated the same as if they were\n"
        "passed to the dict constructor, including keyword arguments.",
    .tp_traverse = defdict_traverse,
    .tp_clear = defdict_clear,
    .tp_methods = defdict_methods,
    .tp_members = defdict_members,
    .tp_init = defdict_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_free = PyObject_GC_Del,
};
