/* anext(it, default): an awaitable that gives the default where the iteration ends. */
#include "Python.h"
#include "internal/containers.h"
#include "internal/gc.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/vm.h"

typedef struct {
    PyObject_HEAD
    PyObject *wrapped;          /* what __anext__() returned */
    PyObject *default_value;
} AnextAwaitable;

PyObject *
_PyAnextAwaitable_New(PyObject *awaitable, PyObject *default_value)
{
    AnextAwaitable *self = PyObject_GC_New(AnextAwaitable,
                                           &_PyAnextAwaitable_Type);
    if (self == NULL) {
        return NULL;
    }
    self->wrapped = Py_NewRef(awaitable);
    self->default_value = Py_NewRef(default_value);
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

static void
anext_dealloc(AnextAwaitable *self)
{
    _PyObject_GC_UNTRACK((PyObject *)self);
    Py_XDECREF(self->wrapped);
    Py_XDECREF(self->default_value);
    PyObject_GC_Del(self);
}

static int
anext_traverse(AnextAwaitable *self, visitproc visit, void *arg)
{
    Py_VISIT(self->wrapped);
    Py_VISIT(self->default_value);
    return 0;
}

/* The iterator that drives the wrapped awaitable. Returns a new reference. */
static PyObject *
anext_iterator(AnextAwaitable *self)
{
    PyObject *awaitable = _PyCoro_GetAwaitableIter(self->wrapped);
    if (awaitable == NULL || Py_TYPE(awaitable)->tp_iternext != NULL) {
        return awaitable;
    }
    /* A coroutine is driven through its __await__(). */
    unaryfunc getter = Py_TYPE(awaitable)->tp_as_async == NULL ? NULL
        : Py_TYPE(awaitable)->tp_as_async->am_await;
    if (getter == NULL) {
        PyErr_Format(PyExc_TypeError, "object %.100s can't be used in 'await' "
                     "expression", Py_TYPE(awaitable)->tp_name);
        Py_DECREF(awaitable);
        return NULL;
    }
    Py_SETREF(awaitable, getter(awaitable));
    if (awaitable == NULL) {
        return NULL;
    }
    if (!PyIter_Check(awaitable)) {
        PyErr_SetString(PyExc_TypeError,
                        "__await__ must return an iterable");
        Py_CLEAR(awaitable);
    }
    return awaitable;
}

/* The end of the asynchronous iteration becomes the default value. */
static PyObject *
anext_result(AnextAwaitable *self, PyObject *result)
{
    if (result == NULL
        && PyErr_ExceptionMatches(PyExc_StopAsyncIteration)) {
        PyErr_Clear();
        _PyGen_SetStopIterationValue(self->default_value);
    }
    return result;
}

static PyObject *
anext_next(AnextAwaitable *self)
{
    PyObject *iterator = anext_iterator(self);
    if (iterator == NULL) {
        return NULL;
    }
    PyObject *result = Py_TYPE(iterator)->tp_iternext(iterator);
    Py_DECREF(iterator);
    return anext_result(self, result);
}

static PyObject *
anext_call(AnextAwaitable *self, PyObject *name, PyObject *const *args,
           Py_ssize_t nargs)
{
    PyObject *iterator = anext_iterator(self);
    if (iterator == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    PyObject *method = PyObject_GetAttr(iterator, name);
    if (method != NULL) {
        result = PyObject_Vectorcall(method, args, (size_t)nargs, NULL);
        Py_DECREF(method);
    }
    Py_DECREF(iterator);
    return anext_result(self, result);
}

static PyObject *
anext_send(AnextAwaitable *self, PyObject *const *args, Py_ssize_t nargs)
{
    return anext_call(self, _Py_NAME(send), args, nargs);
}

static PyObject *
anext_throw(AnextAwaitable *self, PyObject *const *args, Py_ssize_t nargs)
{
    return anext_call(self, _Py_NAME(throw), args, nargs);
}

static PyObject *
anext_close(AnextAwaitable *self, PyObject *const *args, Py_ssize_t nargs)
{
    return anext_call(self, _Py_NAME(close), args, nargs);
}

static PyMethodDef anext_methods[] = {
    {"send", FAST(anext_send),
     "send(arg) -> send 'arg' into the wrapped iterator,\n"
     "return next yielded value or raise StopIteration."},
    {"throw", FAST(anext_throw),
     "throw(typ[,val[,tb]]) -> raise exception in the wrapped iterator,\n"
     "return next yielded value or raise StopIteration."},
    {"close", FAST(anext_close),
     "close() -> raise GeneratorExit inside generator."},
    {NULL, NULL, 0, NULL}
};

static PyAsyncMethods anext_as_async = {
    .am_await = PyObject_SelfIter,
};

PyTypeObject _PyAnextAwaitable_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "anext_awaitable",
    .tp_basicsize = sizeof(AnextAwaitable),
    .tp_dealloc = (destructor)anext_dealloc,
    .tp_as_async = &anext_as_async,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)anext_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)anext_next,
    .tp_methods = anext_methods,
};
