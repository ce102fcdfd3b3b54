/* Running a task: a step goes from where the coroutine was suspended to where it waits again.

   The event loop calls one of two objects of ours: the task's step itself (TaskStepMethWrapper),
   or, as a callback of the future that the task waits for, its wakeup. Each leads to step(), which
   resumes the coroutine, and then to what the coroutine has yielded:

   - a future, by `await`: the wakeup becomes a callback of it;
   - None, by a bare yield: another step is scheduled;
   - anything else is an error, which the next step throws into the coroutine.

   The coroutine may do anything to the task while it runs: so it and the loop are held
   here. */
#include "asyncio_impl.h"
#include "internal/gcstate.h"
#include "internal/spare.h"
#include "structmember.h"

#define FUTURE(self) (&(self)->future)

static PyObject *step(Task *task, PyObject *exc);

/* ------------------------------------------------------------ the step object */

typedef struct {
    PyObject_HEAD
    vectorcallfunc vectorcall;
    Task *task;
    PyObject *exc;              /* what the step throws, or NULL */
} TaskStep;

static _PySpareObjects spare = _PySpareObjects_INIT(64);

static PyObject *
step_vectorcall(PyObject *op, PyObject *const *Py_UNUSED(args), size_t nargsf, PyObject *kwnames)
{
    TaskStep *self = (TaskStep *)op;
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0) {
        PyErr_SetString(PyExc_TypeError, "function takes no keyword arguments");
        return NULL;
    }
    if (PyVectorcall_NARGS(nargsf) != 0) {
        PyErr_SetString(PyExc_TypeError, "function takes no positional arguments");
        return NULL;
    }
    if (self->task == NULL) {
        Py_RETURN_NONE;
    }
    Task *task = (Task *)Py_NewRef((PyObject *)self->task);
    PyObject *exc = Py_XNewRef(self->exc);
    PyObject *result = step(task, exc);
    Py_XDECREF(exc);
    Py_DECREF(task);
    return result;
}

static PyObject *
new_step(Task *task, PyObject *exc)
{
    TaskStep *self = (TaskStep *)_PySpare_Take(&spare, &_PyTaskStep_Type);
    if (self == NULL && (self = PyObject_GC_New(TaskStep, &_PyTaskStep_Type)) == NULL) {
        return NULL;
    }
    self->vectorcall = step_vectorcall;
    self->task = (Task *)Py_NewRef((PyObject *)task);
    self->exc = Py_XNewRef(exc);
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

static int
step_clear(PyObject *op)
{
    Py_CLEAR(((TaskStep *)op)->task);
    Py_CLEAR(((TaskStep *)op)->exc);
    return 0;
}

static void
step_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    step_clear(op);
    if (!_PySpare_Keep(&spare, op)) {
        PyObject_GC_Del(op);
    }
}

static int
step_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((TaskStep *)op)->task);
    Py_VISIT(((TaskStep *)op)->exc);
    return 0;
}

static PyObject *
step_get_self(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *task = (PyObject *)((TaskStep *)op)->task;
    return Py_NewRef(task == NULL ? Py_None : task);
}

static PyGetSetDef step_getset[] = {
    {"__self__", step_get_self, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject _PyTaskStep_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "TaskStepMethWrapper",
    .tp_basicsize = sizeof(TaskStep),
    .tp_dealloc = step_dealloc,
    .tp_vectorcall_offset = offsetof(TaskStep, vectorcall),
    .tp_call = PyVectorcall_Call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL
        | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = step_traverse,
    .tp_clear = step_clear,
    .tp_getset = step_getset,
};

int
_PyTask_ScheduleStep(Task *task, PyObject *exc)
{
    PyObject *next = new_step(task, exc);
    if (next == NULL) {
        return -1;
    }
    PyObject *loop = Py_XNewRef(FUTURE(task)->loop), *context = Py_XNewRef(task->context);
    int result = -1;
    if (loop == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "uninitialized Task object");
    }
    else {
        result = _PyAsyncio_CallSoon(loop, next, NULL, context);
    }
    Py_XDECREF(loop);
    Py_XDECREF(context);
    Py_DECREF(next);
    return result;
}

/* ----------------------------------------------------------------- the wakeup */

/* Returns a new reference to the exception that is set, with its traceback, and clears it. */
static PyObject *
fetch_exception(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL && PyExceptionInstance_Check(value)) {
        PyException_SetTraceback(value, traceback);
    }
    Py_XDECREF(traceback);
    Py_DECREF(type);
    return value;
}

/* The future that the task waits for is done: an exception of it is thrown into the coroutine, a
   result the coroutine gets itself. */
static PyObject *
wakeup(PyObject *op, PyObject *future)
{
    Task *task = (Task *)op;
    PyObject *value, *exc = NULL;
    if (is_plain_future(future)) {
        int outcome = _PyFuture_Get((Future *)future, &value);
        exc = outcome == 0 ? value : NULL;
        if (outcome > 0) {
            Py_DECREF(value);
        }
    }
    else {
        value = PyObject_CallMethodNoArgs(future, _Py_NAME(result));
        Py_XDECREF(value);
    }
    if (exc == NULL && PyErr_Occurred()) {
        exc = fetch_exception();
    }
    PyObject *result = step(task, exc);
    Py_XDECREF(exc);
    return result;
}

static PyMethodDef wakeup_method = {"task_wakeup", wakeup, METH_O, NULL};

/* -------------------------------------------------- what the coroutine has done */

/* The next step throws a RuntimeError with this text into the coroutine. */
static int
throw_soon(Task *task, PyObject *text)
{
    PyObject *error = text == NULL ? NULL : PyObject_CallOneArg(PyExc_RuntimeError, text);
    Py_XDECREF(text);
    if (error == NULL) {
        return -1;
    }
    int result = _PyTask_ScheduleStep(task, error);
    Py_DECREF(error);
    return result;
}

static int
throw_other_loop(Task *task, PyObject *future)
{
    return throw_soon(task, PyUnicode_FromFormat("Task %R got Future %R attached to a different "
                                                 "loop", task, future));
}

static int
throw_yielded(Task *task, PyObject *future)
{
    return throw_soon(task, PyUnicode_FromFormat("yield was used instead of yield from in task "
                                                 "%R with %R", task, future));
}

/* The wakeup is a callback of the future now. A cancellation that was asked for meanwhile goes
   on to the future. */
static int
wait_for(Task *task, PyObject *future)
{
    Py_INCREF(future);
    Py_XSETREF(task->waiter, future);
    if (!FUTURE(task)->must_cancel) {
        return 0;
    }
    int cancelled = _PyAsyncio_CancelOther(future, FUTURE(task)->cancel_message);
    if (cancelled > 0) {
        FUTURE(task)->must_cancel = 0;
    }
    return cancelled < 0 ? -1 : 0;
}

static int
await_plain_future(Task *task, Future *future)
{
    if (future->loop != FUTURE(task)->loop) {
        return throw_other_loop(task, (PyObject *)future);
    }
    if (!future->blocking) {
        return throw_yielded(task, (PyObject *)future);
    }
    future->blocking = 0;
    PyObject *callback = PyCFunction_New(&wakeup_method, (PyObject *)task);
    if (callback == NULL) {
        return -1;
    }
    PyObject *context = Py_XNewRef(task->context);
    int result = _PyFuture_AddCallback(future, callback, context);
    Py_XDECREF(context);
    Py_DECREF(callback);
    return result < 0 ? -1 : wait_for(task, (PyObject *)future);
}

/* Returns a new reference to the loop of a future that is not ours. */
static PyObject *
loop_of(PyObject *future)
{
    PyObject *method, *loop;
    if (_PyObject_LookupAttr(future, _Py_NAME(get_loop), &method) < 0) {
        return NULL;
    }
    if (method == NULL) {
        return PyObject_GetAttr(future, _Py_NAME(_loop));
    }
    loop = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    return loop;
}

/* future.add_done_callback(wakeup, context=context) */
static int
add_wakeup(Task *task, PyObject *future)
{
    PyObject *callback = PyCFunction_New(&wakeup_method, (PyObject *)task);
    if (callback == NULL) {
        return -1;
    }
    PyObject *context = Py_NewRef(task->context == NULL ? Py_None : task->context);
    PyObject *args[] = {NULL, future, callback, context};
    PyObject *result = PyObject_VectorcallMethod(
        _Py_NAME(add_done_callback), args + 1, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET,
        _PyAsyncio()->context_keyword);
    Py_DECREF(context);
    Py_DECREF(callback);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int
await_other_future(Task *task, PyObject *future, int blocking)
{
    PyObject *loop = loop_of(future);
    if (loop == NULL) {
        return -1;
    }
    int is_same = loop == FUTURE(task)->loop;
    Py_DECREF(loop);
    if (!is_same) {
        return throw_other_loop(task, future);
    }
    if (!blocking) {
        return throw_yielded(task, future);
    }
    if (PyObject_SetAttr(future, _Py_NAME(_asyncio_future_blocking), Py_False) < 0
        || add_wakeup(task, future) < 0) {
        return -1;
    }
    return wait_for(task, future);
}

static int
handle_other(Task *task, PyObject *yielded)
{
    PyObject *blocking;
    if (_PyObject_LookupAttr(yielded, _Py_NAME(_asyncio_future_blocking), &blocking) < 0) {
        return -1;
    }
    if (blocking != NULL && blocking != Py_None) {
        int is_blocking = PyObject_IsTrue(blocking);
        Py_DECREF(blocking);
        return is_blocking < 0 ? -1 : await_other_future(task, yielded, is_blocking);
    }
    Py_XDECREF(blocking);
    return throw_soon(task, PyGen_CheckExact(yielded)
        ? PyUnicode_FromFormat("yield was used instead of yield from for generator in task %R "
                               "with %R", task, yielded)
        : PyUnicode_FromFormat("Task got bad yield: %R", yielded));
}

static int
handle_yielded(Task *task, PyObject *yielded)
{
    if (yielded == (PyObject *)task) {
        return throw_soon(task, PyUnicode_FromFormat("Task cannot await on itself: %R", task));
    }
    if (is_plain_future(yielded)) {
        return await_plain_future(task, (Future *)yielded);
    }
    return yielded == Py_None ? _PyTask_ScheduleStep(task, NULL) : handle_other(task, yielded);
}

static int
handle_returned(Task *task, PyObject *value)
{
    if (!FUTURE(task)->must_cancel) {
        return _PyFuture_SetResult(FUTURE(task), value);
    }
    /* It was cancelled just before it ended. */
    FUTURE(task)->must_cancel = 0;
    PyObject *msg = Py_XNewRef(FUTURE(task)->cancel_message);
    int result = _PyFuture_Cancel(FUTURE(task), msg);
    Py_XDECREF(msg);
    return result < 0 ? -1 : 0;
}

/* The coroutine has raised what is set. */
static int
handle_raised(Task *task)
{
    int is_cancelled = PyErr_ExceptionMatches(_PyAsyncio()->cancelled_error);
    PyObject *error = fetch_exception();
    if (is_cancelled) {
        Py_XSETREF(FUTURE(task)->cancelled_exc, error);
        return _PyFuture_Cancel(FUTURE(task), NULL) < 0 ? -1 : 0;
    }
    int result = _PyFuture_SetException(FUTURE(task), error);
    if (result == 0 && (PyErr_GivenExceptionMatches(error, PyExc_SystemExit)
                        || PyErr_GivenExceptionMatches(error, PyExc_KeyboardInterrupt))) {
        PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(error)), Py_NewRef(error),
                      PyException_GetTraceback(error));
        result = -1;
    }
    Py_DECREF(error);
    return result;
}

/* ------------------------------------------------------------------- the step */

static PySendResult
resume(PyObject *coro, PyObject *exc, PyObject **result)
{
    if (exc == NULL) {
        return PyIter_Send(coro, Py_None, result);
    }
    *result = PyObject_CallMethodOneArg(coro, _Py_NAME(throw), exc);
    return *result != NULL ? PYGEN_NEXT
        : _PyGen_FetchStopIterationValue(result) == 0 ? PYGEN_RETURN : PYGEN_ERROR;
}

static int
resume_and_handle(Task *task, PyObject *coro, PyObject *exc)
{
    PyObject *result;
    int outcome;
    switch (resume(coro, exc, &result)) {
    case PYGEN_NEXT:
        outcome = handle_yielded(task, result);
        break;
    case PYGEN_RETURN:
        outcome = handle_returned(task, result);
        break;
    default:
        return handle_raised(task);
    }
    Py_DECREF(result);
    return outcome;
}

/* What the coroutine is resumed with: *exc, or a CancelledError in its place. A new reference, in
   *exc; 0 or -1. */
static int
take_cancellation(Task *task, PyObject **exc)
{
    if (!FUTURE(task)->must_cancel) {
        Py_XINCREF(*exc);
        return 0;
    }
    int is_cancelled = *exc == NULL ? 0
        : PyObject_IsInstance(*exc, _PyAsyncio()->cancelled_error);
    if (is_cancelled < 0) {
        return -1;
    }
    *exc = is_cancelled ? Py_NewRef(*exc) : _PyFuture_MakeCancelledError(FUTURE(task));
    if (*exc == NULL) {
        return -1;
    }
    FUTURE(task)->must_cancel = 0;
    return 0;
}

static int
step_entered(Task *task, PyObject *exc)
{
    if (FUTURE(task)->state != FUTURE_PENDING) {
        PyErr_Format(_PyAsyncio()->invalid_state_error, "_step(): already done: %R %R", task,
                     exc == NULL ? Py_None : exc);
        return -1;
    }
    if (take_cancellation(task, &exc) < 0) {
        return -1;
    }
    Py_CLEAR(task->waiter);
    PyObject *coro = Py_XNewRef(task->coro);
    int result = -1;
    if (coro == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "uninitialized Task object");
    }
    else {
        result = resume_and_handle(task, coro, exc);
        Py_DECREF(coro);
    }
    Py_XDECREF(exc);
    return result;
}

/* Runs the coroutine up to where it waits again, as the loop's current task. exc is thrown into
   it, unless it is NULL. Returns None, or NULL with an exception: of asyncio's, or one that is to
   stop the loop. */
static PyObject *
step(Task *task, PyObject *exc)
{
    if (_PyFuture_CheckReady(FUTURE(task)) < 0) {
        return NULL;
    }
    PyObject *loop = Py_NewRef(FUTURE(task)->loop);
    PyObject *result = NULL;
    if (_PyAsyncio_Enter(loop, (PyObject *)task) == 0) {
        if (step_entered(task, exc) == 0) {
            result = _PyAsyncio_Leave(loop, (PyObject *)task) < 0 ? NULL : Py_NewRef(Py_None);
        }
        else {
            PyObject *type, *value, *traceback;
            PyErr_Fetch(&type, &value, &traceback);
            _PyAsyncio_Leave(loop, (PyObject *)task);
            _PyErr_ChainExceptions(type, value, traceback);
        }
    }
    Py_DECREF(loop);
    return result;
}
