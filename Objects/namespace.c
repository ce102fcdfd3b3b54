/* types.SimpleNamespace: attributes in a dict, shown and compared. */
#include "Python.h"
#include "internal/containers.h"
#include "structmember.h"

typedef struct {
    PyObject_HEAD
    PyObject *dict;
} Namespace;

#define NS(op) ((Namespace *)(op))

static PyObject *
namespace_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
              PyObject *Py_UNUSED(kwds))
{
    Namespace *self = (Namespace *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->dict = PyDict_New();
    if (self->dict == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int
namespace_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    if (PyTuple_GET_SIZE(args) != 0) {
        PyErr_SetString(PyExc_TypeError, "no positional arguments expected");
        return -1;
    }
    if (kwds == NULL) {
        return 0;
    }
    if (!PyArg_ValidateKeywordArguments(kwds)) {
        return -1;
    }
    return PyDict_Update(NS(self)->dict, kwds);
}

PyObject *
_PyNamespace_New(PyObject *kwds)
{
    PyObject *self = namespace_new(&_PyNamespace_Type, NULL, NULL);
    if (self != NULL && kwds != NULL
        && PyDict_Update(NS(self)->dict, kwds) < 0) {
        Py_CLEAR(self);
    }
    return self;
}

static void
namespace_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_CLEAR(NS(self)->dict);
    Py_TYPE(self)->tp_free(self);
}

static int
namespace_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(NS(self)->dict);
    return 0;
}

static int
namespace_clear(PyObject *self)
{
    Py_CLEAR(NS(self)->dict);
    return 0;
}

/* Appends "name=value" strings to a list. Only non-empty str keys are shown. */
static PyObject *
attribute_texts(PyObject *self)
{
    PyObject *keys = PyDict_Keys(NS(self)->dict);
    PyObject *texts = keys == NULL ? NULL : PyList_New(0);
    for (Py_ssize_t i = 0; texts != NULL && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i);
        if (!PyUnicode_Check(key) || PyUnicode_GET_LENGTH(key) == 0) {
            continue;
        }
        PyObject *value = PyDict_GetItemWithError(NS(self)->dict, key);
        PyObject *text = NULL;
        if (value != NULL) {
            Py_INCREF(value);
            text = PyUnicode_FromFormat("%S=%R", key, value);
            Py_DECREF(value);
        }
        if ((text == NULL && PyErr_Occurred())
            || (text != NULL && PyList_Append(texts, text) < 0)) {
            Py_CLEAR(texts);
        }
        Py_XDECREF(text);
    }
    Py_XDECREF(keys);
    return texts;
}

static PyObject *
namespace_repr(PyObject *self)
{
    const char *name = Py_IS_TYPE(self, &_PyNamespace_Type)
        ? "namespace" : Py_TYPE(self)->tp_name;
    int entered = Py_ReprEnter(self);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromFormat("%s(...)", name) : NULL;
    }
    PyObject *result = NULL, *texts = attribute_texts(self);
    PyObject *separator = PyUnicode_FromString(", ");
    if (texts != NULL && separator != NULL) {
        PyObject *joined = PyUnicode_Join(separator, texts);
        if (joined != NULL) {
            result = PyUnicode_FromFormat("%s(%S)", name, joined);
            Py_DECREF(joined);
        }
    }
    Py_XDECREF(separator);
    Py_XDECREF(texts);
    Py_ReprLeave(self);
    return result;
}

static PyObject *
namespace_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyObject_TypeCheck(a, &_PyNamespace_Type)
        || !PyObject_TypeCheck(b, &_PyNamespace_Type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyObject_RichCompare(NS(a)->dict, NS(b)->dict, op);
}

static PyObject *
namespace_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("O()O", Py_TYPE(self), NS(self)->dict);
}

static PyMethodDef namespace_methods[] = {
    {"__reduce__", namespace_reduce, METH_NOARGS,
     "Return state information for pickling"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef namespace_members[] = {
    {"__dict__", T_OBJECT, offsetof(Namespace, dict), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

PyTypeObject _PyNamespace_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "types.SimpleNamespace",
    .tp_basicsize = sizeof(Namespace),
    .tp_dealloc = namespace_dealloc,
    .tp_repr = namespace_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "A simple attribute-based namespace.\n\n"
        "SimpleNamespace(**kwargs)",
    .tp_traverse = namespace_traverse,
    .tp_clear = namespace_clear,
    .tp_richcompare = namespace_richcompare,
    .tp_methods = namespace_methods,
    .tp_members = namespace_members,
    .tp_dictoffset = offsetof(Namespace, dict),
    .tp_init = namespace_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = namespace_new,
    .tp_free = PyObject_GC_Del,
};
