/* The _functools module; reduce() and cmp_to_key() are here. */
#include "functools_impl.h"
#include "structmember.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/type.h"

/* ------------------------------------------------------------- cmp_to_key() */

/* The object that cmp_to_key() returns (object is NULL: call it with an object), and the
   keys that such a call makes. */
typedef struct {
    PyObject_HEAD
    PyObject *compare;
    PyObject *object;
} Key;

static PyTypeObject key_type;

static PyObject *
key_make(PyObject *compare, PyObject *object)
{
    Key *self = PyObject_GC_New(Key, &key_type);
    if (self == NULL) {
        return NULL;
    }
    self->compare = Py_NewRef(compare);
    self->object = Py_XNewRef(object);
    PyObject_GC_Track(self);
    return (PyObject *)self;
}

static void
key_dealloc(Key *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->compare);
    Py_XDECREF(self->object);
    PyObject_GC_Del(self);
}

static int
key_traverse(Key *self, visitproc visit, void *arg)
{
    Py_VISIT(self->compare);
    Py_VISIT(self->object);
    return 0;
}

static int
key_clear(Key *self)
{
    Py_CLEAR(self->compare);
    Py_CLEAR(self->object);
    return 0;
}

static PyObject *
key_call(Key *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"obj", NULL};
    PyObject *object;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:K", keywords, &object)) {
        return NULL;
    }
    return key_make(self->compare, object);
}

static PyObject *
key_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!Py_IS_TYPE(b, &key_type)) {
        PyErr_SetString(PyExc_TypeError, "other argument must be K instance");
        return NULL;
    }
    PyObject *x = ((Key *)a)->object, *y = ((Key *)b)->object;
    if (x == NULL || y == NULL) {
        PyErr_SetString(PyExc_AttributeError, "object");
        return NULL;
    }
    PyObject *pair[2] = {x, y};
    PyObject *order = PyObject_Vectorcall(((Key *)a)->compare, pair, 2, NULL);
    if (order == NULL) {
        return NULL;
    }
    PyObject *zero = PyLong_FromLong(0), *result = NULL;
    if (zero != NULL) {
        result = PyObject_RichCompare(order, zero, op);
        Py_DECREF(zero);
    }
    Py_DECREF(order);
    return result;
}

static PyMemberDef key_members[] = {
    {"obj", T_OBJECT, offsetof(Key, object), 0,
     "Value wrapped by a key function."},
    {NULL, 0, 0, 0, NULL}
};

static PyTypeObject key_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "functools.KeyWrapper",
    .tp_basicsize = sizeof(Key),
    .tp_dealloc = (destructor)key_dealloc,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_call = (ternaryfunc)key_call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
        | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = (traverseproc)key_traverse,
    .tp_clear = (inquiry)key_clear,
    .tp_richcompare = key_richcompare,
    .tp_members = key_members,
};

static PyObject *
cmp_to_key(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"mycmp", NULL};
    PyObject *compare;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:cmp_to_key", keywords,
                                     &compare)) {
        return NULL;
    }
    return key_make(compare, NULL);
}

/* ----------------------------------------------------------------- reduce() */

static PyObject *
functools_reduce(PyObject *Py_UNUSED(module), PyObject *const *args,
                 Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("reduce", nargs, 2, 3)) {
        return NULL;
    }
    PyObject *result = nargs == 3 ? Py_NewRef(args[2]) : NULL;
    PyObject *iter = PyObject_GetIter(args[1]);
    if (iter == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_SetString(PyExc_TypeError,
                            "reduce() arg 2 must support iteration");
        }
        Py_XDECREF(result);
        return NULL;
    }
    PyObject *item;
    while ((item = PyIter_Next(iter)) != NULL) {
        if (result == NULL) {
            result = item;
            continue;
        }
        PyObject *room[3] = {NULL, result, item};
        PyObject *next = PyObject_Vectorcall(
            args[0], room + 1, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
        Py_DECREF(item);
        Py_DECREF(result);
        result = next;
        if (result == NULL) {
            break;
        }
    }
    Py_DECREF(iter);
    if (PyErr_Occurred()) {
        Py_CLEAR(result);
    }
    else if (result == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "reduce() of empty iterable with no initial value");
    }
    return result;
}

/* ------------------------------------------------------------------- module */

static PyMethodDef module_methods[] = {
    {"reduce", FAST_FOR_TUPLE(functools_reduce),
     "reduce(function, iterable[, initial]) -> value\n\n"
     "Apply a function of two arguments cumulatively to the items of an "
     "iterable,\nfrom left to right, so as to reduce the iterable to a single "
     "value.\nreduce(f, [1, 2, 3]) calculates f(f(1, 2), 3).  If initial is "
     "present, it\nis placed before the items, and serves as the result when "
     "there are none."},
    {"cmp_to_key", VAR_KEYWORDS(cmp_to_key),
     "Convert a cmp= function into a key= function."},
    {NULL, NULL, 0, NULL}
};

static int
module_exec(PyObject *module)
{
    if (_PyLruCache_KeywordMark == NULL) {
        _PyLruCache_KeywordMark =
            PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type);
        if (_PyLruCache_KeywordMark == NULL) {
            return -1;
        }
    }
    if (PyType_Ready(&_PyLruLink_Type) < 0 || PyType_Ready(&key_type) < 0
        || _PyType_AddModuleName(&_PyPartial_Type) < 0
        || _PyType_AddModuleName(&_PyLruCache_Type) < 0
        || PyModule_AddType(module, &_PyPartial_Type) < 0
        || PyModule_AddType(module, &_PyLruCache_Type) < 0) {
        return -1;
    }
    return 0;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

static struct PyModuleDef functools_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_functools",
    .m_doc = "Tools that operate on functions.",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

MODULE_INIT(_functools)
{
    return PyModuleDef_Init(&functools_module);
}
