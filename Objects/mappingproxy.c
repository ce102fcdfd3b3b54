/* mappingproxy: a read-only view of a mapping. */
#include "Python.h"
#include <stddef.h>
#include "internal/gc.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/object.h"

typedef struct {
    PyObject_HEAD
    PyObject *mapping;
} mappingproxyobject;

#define MAPPING(op) (((mappingproxyobject *)(op))->mapping)
#define IS_PROXY(op) Py_IS_TYPE((op), &PyDictProxy_Type)

static Py_ssize_t
proxy_len(PyObject *self)
{
    return PyObject_Size(MAPPING(self));
}

static PyObject *
proxy_getitem(PyObject *self, PyObject *key)
{
    return PyObject_GetItem(MAPPING(self), key);
}

static int
proxy_contains(PyObject *self, PyObject *key)
{
    return PyDict_CheckExact(MAPPING(self))
           ? PyDict_Contains(MAPPING(self), key)
           : PySequence_Contains(MAPPING(self), key);
}

static PyObject *
proxy_or(PyObject *left, PyObject *right)
{
    if (IS_PROXY(left)) {
        left = MAPPING(left);
    }
    if (IS_PROXY(right)) {
        right = MAPPING(right);
    }
    return PyNumber_Or(left, right);
}

static PyObject *
proxy_ior(PyObject *self, PyObject *Py_UNUSED(other))
{
    return PyErr_Format(PyExc_TypeError,
                        "'|=' is not supported by %s; use '|' instead",
                        Py_TYPE(self)->tp_name);
}

static PyObject *
proxy_iter(PyObject *self)
{
    return PyObject_GetIter(MAPPING(self));
}

static PyObject *
proxy_str(PyObject *self)
{
    return PyObject_Str(MAPPING(self));
}

static PyObject *
proxy_repr(PyObject *self)
{
    return PyUnicode_FromFormat("mappingproxy(%R)", MAPPING(self));
}

static PyObject *
proxy_richcompare(PyObject *self, PyObject *other, int op)
{
    /* A proxy on the right unwraps itself when its own slot is called. */
    return PyObject_RichCompare(MAPPING(self), other, op);
}

/* ------------------------------------------------------------------ methods */

static PyObject *
proxy_get(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("get", nargs, 1, 2)) {
        return NULL;
    }
    PyObject *call[3] = {MAPPING(self), args[0],
                         nargs > 1 ? args[1] : Py_None};
    return PyObject_VectorcallMethod(_Py_NAME(get), call,
                                     3 | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                     NULL);
}

static PyObject *
proxy_keys(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_CallMethodNoArgs(MAPPING(self), _Py_NAME(keys));
}

static PyObject *
proxy_values(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_CallMethodNoArgs(MAPPING(self), _Py_NAME(values));
}

static PyObject *
proxy_items(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_CallMethodNoArgs(MAPPING(self), _Py_NAME(items));
}

static PyObject *
proxy_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_CallMethodNoArgs(MAPPING(self), _Py_NAME(copy));
}

static PyObject *
proxy_reversed(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyObject_CallMethodNoArgs(MAPPING(self),
                                     _Py_NAME(dunder_reversed));
}

static PyMethodDef proxy_methods[] = {
    {"get", FAST(proxy_get),
     "D.get(k[,d]) -> D[k] if k in D, else d.  d defaults to None."},
    {"keys", proxy_keys, METH_NOARGS,
     "D.keys() -> a set-like object providing a view on D's keys"},
    {"values", proxy_values, METH_NOARGS,
     "D.values() -> an object providing a view on D's values"},
    {"items", proxy_items, METH_NOARGS,
     "D.items() -> a set-like object providing a view on D's items"},
    {"copy", proxy_copy, METH_NOARGS,
     "D.copy() -> a shallow copy of D"},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {"__reversed__", proxy_reversed, METH_NOARGS,
     "D.__reversed__() -> reverse iterator"},
    {NULL, NULL, 0, NULL}
};

/* ------------------------------------------------------------- construction */

static PyObject *
make_proxy(PyObject *mapping)
{
    mappingproxyobject *op = PyObject_GC_New(mappingproxyobject,
                                             &PyDictProxy_Type);
    if (op == NULL) {
        return NULL;
    }
    op->mapping = Py_NewRef(mapping);
    _PyObject_GC_TRACK((PyObject *)op);
    return (PyObject *)op;
}

static int
check_mapping(PyObject *mapping)
{
    if (PyMapping_Check(mapping) && !PyList_Check(mapping)
        && !PyTuple_Check(mapping)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "mappingproxy() argument must be a mapping, not %s",
                 Py_TYPE(mapping)->tp_name);
    return -1;
}

PyObject *
PyDictProxy_New(PyObject *mapping)
{
    return check_mapping(mapping) < 0 ? NULL : make_proxy(mapping);
}

static PyObject *
proxy_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"mapping", NULL};
    PyObject *mapping;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:mappingproxy", names,
                                     &mapping)) {
        return NULL;
    }
    return PyDictProxy_New(mapping);
}

static void
proxy_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_DECREF(MAPPING(self));
    PyObject_GC_Del(self);
}

static int
proxy_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(MAPPING(self));
    return 0;
}

static PyMappingMethods proxy_as_mapping = {
    .mp_length = proxy_len,
    .mp_subscript = proxy_getitem,
};

static PySequenceMethods proxy_as_sequence = {
    .sq_contains = proxy_contains,
};

static PyNumberMethods proxy_as_number = {
    .nb_or = proxy_or,
    .nb_inplace_or = proxy_ior,
};

PyTypeObject PyDictProxy_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "mappingproxy",
    .tp_basicsize = sizeof(mappingproxyobject),
    .tp_dealloc = proxy_dealloc,
    .tp_repr = proxy_repr,
    .tp_as_number = &proxy_as_number,
    .tp_as_sequence = &proxy_as_sequence,
    .tp_as_mapping = &proxy_as_mapping,
    .tp_str = proxy_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_MAPPING,
    .tp_traverse = proxy_traverse,
    .tp_richcompare = proxy_richcompare,
    .tp_iter = proxy_iter,
    .tp_methods = proxy_methods,
    .tp_new = proxy_new,
};
