/* What `await future` runs: it yields the future once, and then returns the future's result. */
#include "asyncio_impl.h"
#include "internal/gcstate.h"
#include "internal/method_table.h"
#include "internal/spare.h"

typedef struct {
    PyObject_HEAD
    Future *future;             /* NULL: it has ended */
} FutureIter;

#define SELF(op) ((FutureIter *)(op))

static _PySpareObjects spare = _PySpareObjects_INIT(64);

PyObject *
_PyFuture_NewIter(PyObject *future)
{
    FutureIter *self = (FutureIter *)_PySpare_Take(&spare, &_PyFutureIter_Type);
    if (self == NULL && (self = PyObject_GC_New(FutureIter, &_PyFutureIter_Type)) == NULL) {
        return NULL;
    }
    self->future = (Future *)Py_NewRef(future);
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

static void
iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_CLEAR(SELF(op)->future);
    if (!_PySpare_Keep(&spare, op)) {
        PyObject_GC_Del(op);
    }
}

static int
iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(SELF(op)->future);
    return 0;
}

static int
iter_clear(PyObject *op)
{
    Py_CLEAR(SELF(op)->future);
    return 0;
}

/* What is sent is not looked at. */
static PySendResult
iter_am_send(PyObject *op, PyObject *Py_UNUSED(value), PyObject **result)
{
    FutureIter *self = SELF(op);
    Future *future = self->future;
    *result = NULL;
    if (future == NULL) {
        *result = Py_NewRef(Py_None);
        return PYGEN_RETURN;
    }
    if (future->state == FUTURE_PENDING) {
        if (future->blocking) {
            PyErr_SetString(PyExc_RuntimeError, "await wasn't used with future");
            return PYGEN_ERROR;
        }
        future->blocking = 1;
        *result = Py_NewRef((PyObject *)future);
        return PYGEN_NEXT;
    }
    self->future = NULL;
    int outcome = _PyFuture_Get(future, result);
    if (outcome == 0) {
        PyErr_SetObject((PyObject *)Py_TYPE(*result), *result);
        Py_CLEAR(*result);
    }
    Py_DECREF(future);
    return outcome > 0 ? PYGEN_RETURN : PYGEN_ERROR;
}

static PyObject *
iter_next(PyObject *op)
{
    PyObject *result;
    switch (iter_am_send(op, Py_None, &result)) {
    case PYGEN_NEXT:
        return result;
    case PYGEN_RETURN:
        if (result != Py_None) {
            _PyGen_SetStopIterationValue(result);
        }
        Py_DECREF(result);
        return NULL;
    default:
        return NULL;
    }
}

static PyObject *
iter_send(PyObject *op, PyObject *Py_UNUSED(value))
{
    PyObject *result = iter_next(op);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_SetNone(PyExc_StopIteration);
    }
    return result;
}

/* throw(type[, value[, traceback]]), or throw(value): the exception goes to the caller. */
static PyObject *
iter_throw(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("throw", nargs, 1, 3)) {
        return NULL;
    }
    PyObject *type = args[0], *value = nargs > 1 ? args[1] : NULL;
    PyObject *traceback = nargs > 2 && args[2] != Py_None ? args[2] : NULL;
    if (traceback != NULL && !PyTraceBack_Check(traceback)) {
        PyErr_SetString(PyExc_TypeError, "throw() third argument must be a traceback");
        return NULL;
    }
    if (PyExceptionInstance_Check(type)) {
        if (value != NULL && value != Py_None) {
            PyErr_SetString(PyExc_TypeError,
                            "instance exception may not have a separate value");
            return NULL;
        }
        value = type;
        type = (PyObject *)Py_TYPE(value);
        traceback = traceback != NULL ? Py_NewRef(traceback) : PyException_GetTraceback(value);
    }
    else if (PyExceptionClass_Check(type)) {
        Py_XINCREF(traceback);
    }
    else {
        PyErr_SetString(PyExc_TypeError, "exceptions must be classes deriving BaseException or "
                        "instances of such a class");
        return NULL;
    }
    type = Py_NewRef(type);
    value = Py_XNewRef(value);
    Py_CLEAR(SELF(op)->future);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyErr_Restore(type, value, traceback);
    return NULL;
}

static PyObject *
iter_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Py_CLEAR(SELF(op)->future);
    Py_RETURN_NONE;
}

static PyMethodDef iter_methods[] = {
    {"send", iter_send, METH_O, NULL},
    {"throw", FAST(iter_throw), NULL},
    {"close", iter_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyAsyncMethods iter_as_async = {
    .am_send = iter_am_send,
};

PyTypeObject _PyFutureIter_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_asyncio.FutureIter",
    .tp_basicsize = sizeof(FutureIter),
    .tp_dealloc = iter_dealloc,
    .tp_as_async = &iter_as_async,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = iter_traverse,
    .tp_clear = iter_clear,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iter_next,
    .tp_methods = iter_methods,
};
