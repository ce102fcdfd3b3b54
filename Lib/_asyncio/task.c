/* Task: a coroutine that an event loop runs, and a future of what it returns. This file has the
   object and its methods; step.c runs the coroutine. */
#include "asyncio_impl.h"
#include "internal/gcstate.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/spare.h"
#include "internal/trashcan.h"

#define SELF(op) ((Task *)(op))
#define FUTURE(self) (&(self)->future)

/* ----------------------------------------------------------------------- life */

/* 1, 0 or -1 */
static int
is_coroutine(PyObject *op)
{
    if (PyCoro_CheckExact(op)) {
        return 1;
    }
    PyObject *answer = PyObject_CallOneArg(_PyAsyncio()->iscoroutine, op);
    if (answer == NULL) {
        return -1;
    }
    int result = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return result;
}

/* Empties what a task has more than a future. */
static void
release_fields(Task *self)
{
    Py_CLEAR(self->waiter);
    Py_CLEAR(self->coro);
    Py_CLEAR(self->context);
    Py_CLEAR(self->name);
}

/* A number if name is None, else its text. */
static int
set_name(Task *self, PyObject *name)
{
    if (name == NULL || name == Py_None) {
        self->number = ++_PyAsyncio()->tasks_numbered;
        Py_CLEAR(self->name);
        return 0;
    }
    PyObject *text = PyUnicode_CheckExact(name) ? Py_NewRef(name) : PyObject_Str(name);
    if (text == NULL) {
        return -1;
    }
    Py_XSETREF(self->name, text);
    return 0;
}

static int
init_task(Task *self, PyObject *coro, PyObject *loop, PyObject *name, PyObject *context)
{
    FUTURE(self)->log_destroy_pending = 0;
    release_fields(self);
    if (_PyFuture_Init(FUTURE(self), loop) < 0) {
        return -1;
    }
    int is_good = is_coroutine(coro);
    if (is_good <= 0) {
        if (is_good == 0) {
            PyErr_Format(PyExc_TypeError, "a coroutine was expected, got %R", coro);
        }
        return -1;
    }
    context = context == NULL || context == Py_None ? PyContext_CopyCurrent()
                                                    : Py_NewRef(context);
    if (context == NULL) {
        return -1;
    }
    Py_XSETREF(self->context, context);
    Py_INCREF(coro);
    Py_XSETREF(self->coro, coro);
    FUTURE(self)->must_cancel = 0;
    FUTURE(self)->log_destroy_pending = 1;
    self->cancels_requested = 0;
    return set_name(self, name) < 0 || _PyTask_ScheduleStep(self, NULL) < 0
           || _PyAsyncio_Register((PyObject *)self) < 0 ? -1 : 0;
}

static _PySpareObjects spare = _PySpareObjects_INIT(64);

static Task *
new_plain_task(void)
{
    Task *self = (Task *)_PySpare_Take(&spare, &_PyTask_Type);
    if (self == NULL) {
        return (Task *)_PyFuture_New(&_PyTask_Type, NULL, NULL);
    }
    memset(&self->future.loop, 0, sizeof(*self) - offsetof(Task, future.loop));
    _PyObject_GC_TRACK((PyObject *)self);
    return self;
}

static const char *const init_keywords[] = {"coro", "loop", "name", "context", NULL};

static PyObject *
task_vectorcall(PyObject *Py_UNUSED(type), PyObject *const *args, size_t nargsf,
                PyObject *kwnames)
{
    static _PyArg_Parser parser = {.keywords = init_keywords, .fname = "Task"};
    PyObject *given[4];
    if (_PyArg_UnpackFilled(args, PyVectorcall_NARGS(nargsf), kwnames, &parser, 1, 1, 0,
                            given) == NULL) {
        return NULL;
    }
    Task *self = new_plain_task();
    if (self != NULL && init_task(self, given[0], given[1], given[2], given[3]) < 0) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static int
task_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static _PyArg_Parser parser = {.keywords = init_keywords, .fname = "Task"};
    PyObject *buffer[4] = {NULL};
    PyObject *const *given = _PyArg_UnpackKeywords(
        ((PyTupleObject *)args)->ob_item, PyTuple_GET_SIZE(args), kwargs, NULL, &parser, 1, 1, 0,
        buffer);
    if (given == NULL) {
        return -1;
    }
    int filled = given == buffer;
    return init_task(SELF(self), given[0], filled ? given[1] : NULL, filled ? given[2] : NULL,
                     filled ? given[3] : NULL);
}

static int
task_traverse(PyObject *op, visitproc visit, void *arg)
{
    Task *self = SELF(op);
    Py_VISIT(self->waiter);
    Py_VISIT(self->coro);
    Py_VISIT(self->context);
    Py_VISIT(self->name);
    return _PyFuture_Traverse(op, visit, arg);
}

static int
task_clear(PyObject *op)
{
    release_fields(SELF(op));
    return _PyFuture_Clear(op);
}

static int
dies_pending(Task *self)
{
    return FUTURE(self)->loop != NULL && FUTURE(self)->state == FUTURE_PENDING
           && FUTURE(self)->log_destroy_pending;
}

static void
task_finalize(PyObject *op)
{
    Task *self = SELF(op);
    if (dies_pending(self)) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyObject *text = PyUnicode_FromString("Task was destroyed but it is pending!");
        PyObject *context = text == NULL ? NULL
            : Py_BuildValue("{OOOO}", _Py_NAME(message), text, _Py_NAME(task), self);
        Py_XDECREF(text);
        if (context != NULL) {
            _PyFuture_Report(FUTURE(self), context);
        }
        PyErr_Restore(type, value, traceback);
    }
    _PyFuture_ReportUnseen(FUTURE(self));
}

static void
task_dealloc(PyObject *op)
{
    Task *self = SELF(op);
    int is_plain = Py_IS_TYPE(op, &_PyTask_Type);
    if (is_plain && (dies_pending(self) || FUTURE(self)->log_traceback)
        && PyObject_CallFinalizerFromDealloc(op) < 0) {
        return;
    }
    PyObject_GC_UnTrack(op);
    PyThreadState *tstate = is_plain ? _PyThreadState_GET() : NULL;
    if (is_plain && !_PyTrash_Enter(tstate, op)) {
        return;
    }
    if (FUTURE(self)->weakrefs != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    task_clear(op);
    if (!is_plain || !_PySpare_Keep(&spare, op)) {
        Py_TYPE(op)->tp_free(op);
    }
    if (is_plain) {
        _PyTrash_Leave(tstate);
    }
}

/* -------------------------------------------------------------------- methods */

static PyObject *
refuse_operation(const char *method)
{
    PyErr_Format(PyExc_RuntimeError, "Task does not support %s operation", method);
    return NULL;
}

static PyObject *
task_set_result(PyObject *Py_UNUSED(op), PyObject *Py_UNUSED(result))
{
    return refuse_operation("set_result");
}

static PyObject *
task_set_exception(PyObject *Py_UNUSED(op), PyObject *Py_UNUSED(exception))
{
    return refuse_operation("set_exception");
}

static int
cancel_waiter(Task *self, PyObject *msg)
{
    if (self->waiter == NULL) {
        return 0;
    }
    PyObject *waiter = Py_NewRef(self->waiter);
    int cancelled = _PyAsyncio_CancelOther(waiter, msg);
    Py_DECREF(waiter);
    return cancelled;
}

static PyObject *
task_cancel(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"msg", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "cancel"};
    PyObject *given[1];
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 0, 1, 0, given) == NULL) {
        return NULL;
    }
    Task *self = SELF(op);
    FUTURE(self)->log_traceback = 0;
    if (FUTURE(self)->state != FUTURE_PENDING) {
        Py_RETURN_FALSE;
    }
    self->cancels_requested++;
    int cancelled = cancel_waiter(self, given[0]);
    if (cancelled < 0) {
        return NULL;
    }
    if (cancelled == 0) {
        /* It is not done, but its next step, which is scheduled, ends what it does. */
        FUTURE(self)->must_cancel = 1;
        Py_XINCREF(given[0]);
        Py_XSETREF(FUTURE(self)->cancel_message, given[0]);
    }
    /* Otherwise the waiter stays: it may be a task that goes on in spite of that. */
    Py_RETURN_TRUE;
}

static PyObject *
task_cancelling(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(SELF(op)->cancels_requested);
}

static PyObject *
task_uncancel(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    if (SELF(op)->cancels_requested > 0) {
        SELF(op)->cancels_requested--;
    }
    return PyLong_FromLong(SELF(op)->cancels_requested);
}

static PyObject *
task_get_name(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Task *self = SELF(op);
    if (self->name == NULL) {
        if (self->number == 0) {
            Py_RETURN_NONE;
        }
        PyObject *name = PyUnicode_FromFormat("Task-%llu", self->number);
        if (name == NULL) {
            return NULL;
        }
        Py_XSETREF(self->name, name);
    }
    return Py_NewRef(self->name);
}

static PyObject *
task_set_name(PyObject *op, PyObject *name)
{
    PyObject *text = PyUnicode_CheckExact(name) ? Py_NewRef(name) : PyObject_Str(name);
    if (text == NULL) {
        return NULL;
    }
    Py_XSETREF(SELF(op)->name, text);
    Py_RETURN_NONE;
}

static PyObject *
none_if_null(PyObject *value)
{
    return Py_NewRef(value == NULL ? Py_None : value);
}

static PyObject *
task_get_coro(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return none_if_null(SELF(op)->coro);
}

static PyObject *
task_get_stack(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"limit", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "get_stack"};
    PyObject *given[1];
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 0, 0, 0, given) == NULL) {
        return NULL;
    }
    return PyObject_CallFunctionObjArgs(_PyAsyncio()->task_get_stack, op,
                                        given[0] == NULL ? Py_None : given[0], NULL);
}

static PyObject *
task_print_stack(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"limit", "file", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "print_stack"};
    PyObject *given[2];
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 0, 0, 0, given) == NULL) {
        return NULL;
    }
    return PyObject_CallFunctionObjArgs(_PyAsyncio()->task_print_stack, op,
                                        given[0] == NULL ? Py_None : given[0],
                                        given[1] == NULL ? Py_None : given[1], NULL);
}

static PyObject *
task_repr(PyObject *op)
{
    return _PyFuture_CheckReady(FUTURE(SELF(op))) < 0 ? NULL
        : PyObject_CallOneArg(_PyAsyncio()->task_repr, op);
}

static PyMethodDef task_methods[] = {
    {"set_result", task_set_result, METH_O, "set_result($self, result, /)\n--\n\n"},
    {"set_exception", task_set_exception, METH_O, "set_exception($self, exception, /)\n--\n\n"},
    {"cancel", FAST_KEYWORDS(task_cancel),
     "cancel($self, /, msg=None)\n--\n\n"
     "Have CancelledError raised in the coroutine, the next time that it runs.\n\n"
     "The coroutine may catch it and go on, so the task is not sure to be cancelled.\n"
     "Return False if the task is done."},
    {"cancelling", task_cancelling, METH_NOARGS,
     "cancelling($self, /)\n--\n\n"
     "Return how often cancel() was called, less the calls of uncancel()."},
    {"uncancel", task_uncancel, METH_NOARGS,
     "uncancel($self, /)\n--\n\n"
     "Take one call of cancel() back; return how many are left.\n\n"
     "For who has caught CancelledError and goes on."},
    {"get_stack", FAST_KEYWORDS(task_get_stack),
     "get_stack($self, /, *, limit=None)\n--\n\n"
     "Return the frames of the coroutine, the outermost first.\n\n"
     "Of a suspended one there is only one; of one that has ended by an exception, those of its\n"
     "traceback. limit is the greatest number of frames: the innermost of a suspended one, the\n"
     "outermost of a traceback."},
    {"print_stack", FAST_KEYWORDS(task_print_stack),
     "print_stack($self, /, *, limit=None, file=None)\n--\n\n"
     "Print the frames that get_stack() returns, as tracebacks are printed."},
    {"get_name", task_get_name, METH_NOARGS, "get_name($self, /)\n--\n\n"},
    {"set_name", task_set_name, METH_O, "set_name($self, value, /)\n--\n\n"},
    {"get_coro", task_get_coro, METH_NOARGS, "get_coro($self, /)\n--\n\n"},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

/* ----------------------------------------------------------------- attributes */

static PyObject *
get_log_destroy_pending(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(FUTURE(SELF(op))->log_destroy_pending);
}

static int
set_log_destroy_pending(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "cannot delete attribute");
        return -1;
    }
    int wanted = PyObject_IsTrue(value);
    if (wanted >= 0) {
        FUTURE(SELF(op))->log_destroy_pending = (uint8_t)wanted;
    }
    return wanted < 0 ? -1 : 0;
}

static PyObject *
get_must_cancel(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(FUTURE(SELF(op))->must_cancel);
}

static PyObject *
get_coro_attribute(PyObject *op, void *Py_UNUSED(closure))
{
    return none_if_null(SELF(op)->coro);
}

static PyObject *
get_waiter(PyObject *op, void *Py_UNUSED(closure))
{
    return none_if_null(SELF(op)->waiter);
}

static PyGetSetDef task_getset[] = {
    {"_log_destroy_pending", get_log_destroy_pending, set_log_destroy_pending, NULL, NULL},
    {"_must_cancel", get_must_cancel, NULL, NULL, NULL},
    {"_coro", get_coro_attribute, NULL, NULL, NULL},
    {"_fut_waiter", get_waiter, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject _PyTask_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_asyncio.Task",
    .tp_basicsize = sizeof(Task),
    .tp_dealloc = task_dealloc,
    .tp_as_async = &_PyFuture_as_async,
    .tp_repr = task_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Task(coro, *, loop=None, name=None, context=None)\n--\n\n"
        "A coroutine that an event loop runs, and a future of what it returns.",
    .tp_traverse = task_traverse,
    .tp_clear = task_clear,
    .tp_iter = _PyFuture_Await,
    .tp_methods = task_methods,
    .tp_getset = task_getset,
    .tp_init = task_init,
    .tp_new = _PyFuture_New,
    .tp_finalize = task_finalize,
    .tp_vectorcall = task_vectorcall,
};
