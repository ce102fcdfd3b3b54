/* Bound methods: a callable and the object passed to it as first argument; and
   instancemethod, which makes any callable bind like a function. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/call.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/pystate.h"
#include "internal/type.h"

/* ------------------------------------------------------------------- method */

static PyObject *
method_vectorcall(PyObject *method, PyObject *const *args, size_t nargsf,
                  PyObject *kwnames)
{
    if (_Py_GuardCStack(" while calling a Python object") < 0) {
        return NULL;
    }
    return _PyObject_VectorcallPrepend(
        _PyThreadState_GET(), PyMethod_GET_FUNCTION(method),
        PyMethod_GET_SELF(method), args, nargsf, kwnames);
}

/* Methods are short-lived, so the memory of some is kept for reuse. They are linked
   through im_func. */
#define FREE_METHODS 64
static PyMethodObject *free_methods;
static int free_count;

PyObject *
PyMethod_New(PyObject *func, PyObject *self)
{
    if (self == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyMethodObject *method = free_methods;
    if (method != NULL) {
        free_methods = (PyMethodObject *)method->im_func;
        free_count--;
        _Py_NewReference((PyObject *)method);
    }
    else {
        method = PyObject_GC_New(PyMethodObject, &PyMethod_Type);
        if (method == NULL) {
            return NULL;
        }
    }
    method->im_weakreflist = NULL;
    method->im_func = Py_NewRef(func);
    method->im_self = Py_NewRef(self);
    method->vectorcall = method_vectorcall;
    _PyObject_GC_TRACK((PyObject *)method);
    return (PyObject *)method;
}

static void
method_dealloc(PyObject *self)
{
    PyMethodObject *method = (PyMethodObject *)self;
    _PyObject_GC_UNTRACK(self);
    if (method->im_weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    PyObject *func = method->im_func, *bound = method->im_self;
    if (free_count < FREE_METHODS) {
        method->im_func = (PyObject *)free_methods;
        free_methods = method;
        free_count++;
    }
    else {
        PyObject_GC_Del(method);
    }
    Py_DECREF(func);
    Py_XDECREF(bound);
}

PyObject *
PyMethod_Function(PyObject *method)
{
    if (!PyMethod_Check(method)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return PyMethod_GET_FUNCTION(method);
}

PyObject *
PyMethod_Self(PyObject *method)
{
    if (!PyMethod_Check(method)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return PyMethod_GET_SELF(method);
}

static PyObject *
method_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    PyObject *func, *self;
    if (!_PyArg_NoKeywords("method", kwargs)
        || !PyArg_UnpackTuple(args, "method", 2, 2, &func, &self)) {
        return NULL;
    }
    if (!PyCallable_Check(func)) {
        PyErr_SetString(PyExc_TypeError, "first argument must be callable");
        return NULL;
    }
    if (self == Py_None) {
        PyErr_SetString(PyExc_TypeError, "instance must not be None");
        return NULL;
    }
    return PyMethod_New(func, self);
}

/* Attributes that the method itself lacks are looked up in the function. */
static inline PyObject *
own_or_of(PyObject *function, PyObject *self, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject *descr = _PyType_LookupInline(type, name);
    if (descr != NULL) {
        descrgetfunc get = Py_TYPE(descr)->tp_descr_get;
        return get != NULL ? get(descr, self, (PyObject *)type)
                           : Py_NewRef(descr);
    }
    return PyObject_GetAttr(function, name);
}

static PyObject *
method_getattro(PyObject *self, PyObject *name)
{
    return own_or_of(PyMethod_GET_FUNCTION(self), self, name);
}

static PyObject *
method_get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    return PyObject_GetAttr(PyMethod_GET_FUNCTION(self),
                            _Py_NAME(dunder_doc));
}

static PyObject *
method_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *name = PyObject_GetAttr(PyMethod_GET_FUNCTION(self),
                                      _Py_NAME(dunder_name));
    if (name == NULL) {
        return NULL;
    }
    PyObject *getattr = PyDict_GetItemString(PyEval_GetBuiltins(), "getattr");
    if (getattr == NULL) {
        Py_DECREF(name);
        PyErr_SetString(PyExc_RuntimeError, "lost builtins.getattr");
        return NULL;
    }
    return Py_BuildValue("O(ON)", getattr, PyMethod_GET_SELF(self), name);
}

static PyObject *
method_repr(PyObject *self)
{
    PyObject *func = PyMethod_GET_FUNCTION(self);
    PyObject *name;
    if (_PyObject_LookupAttr(func, _Py_NAME(dunder_qualname), &name) < 0
        || (name == NULL
            && _PyObject_LookupAttr(func, _Py_NAME(dunder_name),
                                    &name) < 0)) {
        return NULL;
    }
    if (name != NULL && !PyUnicode_Check(name)) {
        Py_CLEAR(name);
    }
    PyObject *result = PyUnicode_FromFormat("<bound method %V of %R>", name,
                                            "?", PyMethod_GET_SELF(self));
    Py_XDECREF(name);
    return result;
}

static PyObject *
method_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyMethod_Check(self)
        || !PyMethod_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int equal = PyObject_RichCompareBool(PyMethod_GET_FUNCTION(self),
                                         PyMethod_GET_FUNCTION(other), Py_EQ);
    if (equal < 0) {
        return NULL;
    }
    equal = equal && PyMethod_GET_SELF(self) == PyMethod_GET_SELF(other);
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
method_hash(PyObject *self)
{
    Py_hash_t func = PyObject_Hash(PyMethod_GET_FUNCTION(self));
    if (func == -1) {
        return -1;
    }
    Py_hash_t hash = func ^ _Py_HashPointer(PyMethod_GET_SELF(self));
    return hash == -1 ? -2 : hash;
}

static int
method_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(PyMethod_GET_FUNCTION(self));
    Py_VISIT(PyMethod_GET_SELF(self));
    return 0;
}

static PyMethodDef method_methods[] = {
    {"__reduce__", method_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nHelper for pickle."},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef method_members[] = {
    {"__func__", T_OBJECT, offsetof(PyMethodObject, im_func), READONLY,
     "the function (or other callable) implementing a method"},
    {"__self__", T_OBJECT, offsetof(PyMethodObject, im_self), READONLY,
     "the instance to which a method is bound"},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef method_getsets[] = {
    {"__doc__", method_get_doc, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "method",
    .tp_basicsize = sizeof(PyMethodObject),
    .tp_dealloc = method_dealloc,
    .tp_vectorcall_offset = offsetof(PyMethodObject, vectorcall),
    .tp_repr = method_repr,
    .tp_hash = method_hash,
    .tp_call = PyVectorcall_Call,
    .tp_getattro = method_getattro,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "method(function, instance, /)\n--\n\n"
              "Create a bound instance method object.",
    .tp_traverse = method_traverse,
    .tp_richcompare = method_richcompare,
    .tp_weaklistoffset = offsetof(PyMethodObject, im_weakreflist),
    .tp_methods = method_methods,
    .tp_members = method_members,
    .tp_getset = method_getsets,
    .tp_new = method_new,
};

/* ----------------------------------------------------------- instancemethod */

#define INNER(op) PyInstanceMethod_GET_FUNCTION(op)

PyObject *
PyInstanceMethod_New(PyObject *func)
{
    PyInstanceMethodObject *op = PyObject_GC_New(PyInstanceMethodObject,
                                                 &PyInstanceMethod_Type);
    if (op == NULL) {
        return NULL;
    }
    op->func = Py_NewRef(func);
    _PyObject_GC_TRACK((PyObject *)op);
    return (PyObject *)op;
}

PyObject *
PyInstanceMethod_Function(PyObject *op)
{
    if (!PyInstanceMethod_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return INNER(op);
}

static PyObject *
instancemethod_new(PyTypeObject *Py_UNUSED(type), PyObject *args,
                   PyObject *kwargs)
{
    PyObject *func;
    if (!_PyArg_NoKeywords("instancemethod", kwargs)
        || !PyArg_UnpackTuple(args, "instancemethod", 1, 1, &func)) {
        return NULL;
    }
    if (!PyCallable_Check(func)) {
        PyErr_SetString(PyExc_TypeError, "first argument must be callable");
        return NULL;
    }
    return PyInstanceMethod_New(func);
}

static void
instancemethod_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_DECREF(INNER(self));
    PyObject_GC_Del(self);
}

static int
instancemethod_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(INNER(self));
    return 0;
}

static PyObject *
instancemethod_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return PyObject_Call(INNER(self), args, kwargs);
}

static PyObject *
instancemethod_descr_get(PyObject *self, PyObject *obj,
                         PyObject *Py_UNUSED(type))
{
    return obj == NULL ? Py_NewRef(INNER(self))
                       : PyMethod_New(INNER(self), obj);
}

static PyObject *
instancemethod_getattro(PyObject *self, PyObject *name)
{
    return own_or_of(INNER(self), self, name);
}

static PyObject *
instancemethod_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyInstanceMethod_Check(self)
        || !PyInstanceMethod_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int equal = PyObject_RichCompareBool(INNER(self), INNER(other), Py_EQ);
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *
instancemethod_repr(PyObject *self)
{
    PyObject *name;
    if (_PyObject_LookupAttr(INNER(self), _Py_NAME(dunder_name), &name) < 0) {
        return NULL;
    }
    if (name != NULL && !PyUnicode_Check(name)) {
        Py_CLEAR(name);
    }
    PyObject *result = PyUnicode_FromFormat("<instancemethod %V at %p>", name,
                                            "?", self);
    Py_XDECREF(name);
    return result;
}

static PyObject *
instancemethod_get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    return PyObject_GetAttr(INNER(self), _Py_NAME(dunder_doc));
}

static PyMemberDef instancemethod_members[] = {
    {"__func__", T_OBJECT, offsetof(PyInstanceMethodObject, func), READONLY,
     "the function (or other callable) implementing a method"},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef instancemethod_getsets[] = {
    {"__doc__", instancemethod_get_doc, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyInstanceMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "instancemethod",
    .tp_basicsize = sizeof(PyInstanceMethodObject),
    .tp_dealloc = instancemethod_dealloc,
    .tp_repr = instancemethod_repr,
    .tp_call = instancemethod_call,
    .tp_getattro = instancemethod_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "instancemethod(function)\n\nBind a function to a class.",
    .tp_traverse = instancemethod_traverse,
    .tp_richcompare = instancemethod_richcompare,
    .tp_members = instancemethod_members,
    .tp_getset = instancemethod_getsets,
    .tp_descr_get = instancemethod_descr_get,
    .tp_new = instancemethod_new,
};
