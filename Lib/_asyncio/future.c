/* Future: a place for a result that comes later, with callbacks for when it has come. */
#include "asyncio_impl.h"
#include "internal/dict.h"
#include "internal/errors.h"
#include "internal/gcstate.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/spare.h"
#include "internal/trashcan.h"

#define SELF(op) ((Future *)(op))

int
_PyFuture_CheckReady(Future *self)
{
    if (__builtin_expect(self->loop == NULL, 0)) {
        PyErr_SetString(PyExc_RuntimeError, "Future object is not initialized.");
        return -1;
    }
    return 0;
}

static int
refuse_state(const char *message)
{
    PyErr_SetString(_PyAsyncio()->invalid_state_error, message);
    return -1;
}

/* ------------------------------------------------------------------- callbacks */

/* Steals both references, also on failure. */
static int
add_callback(Future *self, FutureCallback callback)
{
    FutureCallbacks *all = &self->callbacks;
    if (all->n == 0) {
        all->first = callback;
        all->n = 1;
        return 0;
    }
    if (all->n - 1 == all->room) {
        Py_ssize_t room = all->room == 0 ? 4 : all->room * 2;
        FutureCallback *more = PyMem_Realloc(all->more, (size_t)room * sizeof(*more));
        if (more == NULL) {
            Py_DECREF(callback.function);
            Py_DECREF(callback.context);
            PyErr_NoMemory();
            return -1;
        }
        all->more = more;
        all->room = room;
    }
    all->more[all->n++ - 1] = callback;
    return 0;
}

static FutureCallbacks
take_callbacks(Future *self)
{
    FutureCallbacks taken = self->callbacks;
    memset(&self->callbacks, 0, sizeof(self->callbacks));
    return taken;
}

static FutureCallback *
callback_at(FutureCallbacks *all, Py_ssize_t i)
{
    return i == 0 ? &all->first : &all->more[i - 1];
}

/* Releases what nobody else has access to any more. */
static void
drop_callbacks(FutureCallbacks *taken)
{
    for (Py_ssize_t i = 0; i < taken->n; i++) {
        FutureCallback *callback = callback_at(taken, i);
        Py_DECREF(callback->function);
        Py_DECREF(callback->context);
    }
    PyMem_Free(taken->more);
}

/* The future is done. If the loop refuses a callback, those behind it are lost, as in
   python3.11. */
static int
schedule_callbacks(Future *self)
{
    if (self->callbacks.n == 0) {
        return 0;
    }
    FutureCallbacks taken = take_callbacks(self);
    PyObject *loop = Py_NewRef(self->loop);
    int failed = 0;
    for (Py_ssize_t i = 0; i < taken.n && !failed; i++) {
        FutureCallback *callback = callback_at(&taken, i);
        failed = _PyAsyncio_CallSoon(loop, callback->function, (PyObject *)self,
                                     callback->context) < 0;
    }
    Py_DECREF(loop);
    drop_callbacks(&taken);
    return failed ? -1 : 0;
}

int
_PyFuture_AddCallback(Future *self, PyObject *function, PyObject *context)
{
    if (self->loop == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "uninitialized Future object");
        return -1;
    }
    context = context == NULL ? PyContext_CopyCurrent() : Py_NewRef(context);
    if (context == NULL) {
        return -1;
    }
    if (self->state != FUTURE_PENDING) {
        PyObject *loop = Py_NewRef(self->loop);
        int result = _PyAsyncio_CallSoon(loop, function, (PyObject *)self, context);
        Py_DECREF(loop);
        Py_DECREF(context);
        return result;
    }
    return add_callback(self, (FutureCallback){Py_NewRef(function), context});
}

static void
remove_callback_at(FutureCallbacks *all, Py_ssize_t i)
{
    FutureCallback removed = *callback_at(all, i);
    if (i == 0 && all->n > 1) {
        all->first = all->more[0];
        i = 1;
    }
    all->n--;
    if (i > 0) {
        memmove(&all->more[i - 1], &all->more[i], (size_t)(all->n - i) * sizeof(*all->more));
    }
    Py_DECREF(removed.function);
    Py_DECREF(removed.context);
}

/* Comparing may change the callbacks, or have them called: where an index leads is looked at anew
   each time. */
static Py_ssize_t
remove_callbacks(Future *self, PyObject *function)
{
    FutureCallbacks *all = &self->callbacks;
    Py_ssize_t removed = 0, i = 0;
    while (i < all->n) {
        FutureCallback callback = *callback_at(all, i);
        Py_INCREF(callback.function);
        int equal = PyObject_RichCompareBool(callback.function, function, Py_EQ);
        int is_there = i < all->n && callback_at(all, i)->function == callback.function;
        Py_DECREF(callback.function);
        if (equal < 0) {
            return -1;
        }
        if (equal && is_there) {
            removed++;
            remove_callback_at(all, i);
        }
        else {
            i++;
        }
    }
    return removed;
}

/* ----------------------------------------------------------------------- life */

/* Without its loop it is not ready, so what runs here can't set anything. */
static void
release_fields(Future *self)
{
    Py_CLEAR(self->loop);
    FutureCallbacks taken = take_callbacks(self);
    drop_callbacks(&taken);
    Py_CLEAR(self->result);
    Py_CLEAR(self->exception);
    Py_CLEAR(self->exception_tb);
    Py_CLEAR(self->source_tb);
    Py_CLEAR(self->cancel_message);
    Py_CLEAR(self->cancelled_exc);
}

/* Where the caller stands, as traceback.extract_stack() has it. */
static int
note_source(Future *self)
{
    PyObject *stack = PyObject_CallNoArgs(_PyAsyncio()->extract_stack);
    if (stack == NULL) {
        return -1;
    }
    Py_XSETREF(self->source_tb, stack);
    return 0;
}

int
_PyFuture_Init(Future *self, PyObject *loop)
{
    if (self->loop != NULL) {
        release_fields(self);
    }
    self->state = FUTURE_PENDING;
    self->log_traceback = 0;
    self->blocking = 0;
    loop = loop == NULL || loop == Py_None ? _PyAsyncio_EventLoop() : Py_NewRef(loop);
    if (loop == NULL) {
        return -1;
    }
    Py_XSETREF(self->loop, loop);
    Py_INCREF(loop);
    int debug = _PyAsyncio_IsDebug(loop);
    Py_DECREF(loop);
    if (debug > 0 && !_Py_IsFinalizing()) {
        return note_source(self);
    }
    return debug < 0 ? -1 : 0;
}

/* Futures and tasks come and go with each thing that is waited for. */
static _PySpareObjects spare = _PySpareObjects_INIT(64);

PyObject *
_PyFuture_New(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs))
{
    if (!_PyAsyncio_HasState()) {
        PyErr_SetString(PyExc_RuntimeError, "_asyncio is not imported");
        return NULL;
    }
    return type->tp_alloc(type, 0);
}

static Future *
new_plain_future(void)
{
    Future *self = (Future *)_PySpare_Take(&spare, &_PyFuture_Type);
    if (self == NULL) {
        return (Future *)_PyFuture_New(&_PyFuture_Type, NULL, NULL);
    }
    memset(&self->loop, 0, sizeof(*self) - offsetof(Future, loop));
    _PyObject_GC_TRACK((PyObject *)self);
    return self;
}

static PyObject *
future_vectorcall(PyObject *Py_UNUSED(type), PyObject *const *args, size_t nargsf,
                  PyObject *kwnames)
{
    static const char *const keywords[] = {"loop", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "Future"};
    PyObject *given[1];
    if (_PyArg_UnpackFilled(args, PyVectorcall_NARGS(nargsf), kwnames, &parser, 0, 0, 0,
                            given) == NULL) {
        return NULL;
    }
    Future *self = new_plain_future();
    if (self != NULL && _PyFuture_Init(self, given[0]) < 0) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static int
future_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static const char *const keywords[] = {"loop", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "Future"};
    PyObject *buffer[1] = {NULL};
    PyObject *const *given = _PyArg_UnpackKeywords(
        ((PyTupleObject *)args)->ob_item, PyTuple_GET_SIZE(args), kwargs, NULL, &parser, 0, 0, 0,
        buffer);
    if (given == NULL) {
        return -1;
    }
    int has_loop = kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0;
    return _PyFuture_Init(SELF(self), has_loop ? given[0] : NULL);
}

int
_PyFuture_Traverse(PyObject *op, visitproc visit, void *arg)
{
    Future *self = SELF(op);
    for (Py_ssize_t i = 0; i < self->callbacks.n; i++) {
        FutureCallback *callback = callback_at(&self->callbacks, i);
        Py_VISIT(callback->function);
        Py_VISIT(callback->context);
    }
    Py_VISIT(self->loop);
    Py_VISIT(self->result);
    Py_VISIT(self->exception);
    Py_VISIT(self->exception_tb);
    Py_VISIT(self->source_tb);
    Py_VISIT(self->cancel_message);
    Py_VISIT(self->cancelled_exc);
    Py_VISIT(self->dict);
    return 0;
}

int
_PyFuture_Clear(PyObject *op)
{
    release_fields(SELF(op));
    Py_CLEAR(SELF(op)->dict);
    return 0;
}

void
_PyFuture_Report(Future *self, PyObject *context)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (self->source_tb != NULL
        && PyDict_SetItem(context, _Py_NAME(source_traceback), self->source_tb) < 0) {
        PyErr_Clear();
    }
    PyObject *handler = self->loop == NULL ? NULL
        : PyObject_GetAttr(self->loop, _Py_NAME(call_exception_handler));
    if (handler != NULL) {
        PyObject *result = PyObject_CallOneArg(handler, context);
        if (result == NULL) {
            PyErr_WriteUnraisable(handler);
        }
        Py_XDECREF(result);
        Py_DECREF(handler);
    }
    Py_DECREF(context);
    PyErr_Restore(type, value, traceback);
}

void
_PyFuture_ReportUnseen(Future *self)
{
    if (!self->log_traceback) {
        return;
    }
    self->log_traceback = 0;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *text = PyUnicode_FromFormat("%s exception was never retrieved",
                                          _PyType_Name(Py_TYPE(self)));
    PyObject *context = text == NULL ? NULL
        : Py_BuildValue("{OOOOOO}", _Py_NAME(message), text, _Py_NAME(exception),
                        self->exception == NULL ? Py_None : self->exception,
                        _Py_NAME(future), self);
    Py_XDECREF(text);
    if (context != NULL) {
        _PyFuture_Report(self, context);
    }
    PyErr_Restore(type, value, traceback);
}

static void
future_finalize(PyObject *op)
{
    _PyFuture_ReportUnseen(SELF(op));
}

static void
future_dealloc(PyObject *op)
{
    Future *self = SELF(op);
    int is_plain = Py_IS_TYPE(op, &_PyFuture_Type);
    if (is_plain && self->log_traceback && PyObject_CallFinalizerFromDealloc(op) < 0) {
        return;
    }
    PyObject_GC_UnTrack(op);
    PyThreadState *tstate = is_plain ? _PyThreadState_GET() : NULL;
    if (is_plain && !_PyTrash_Enter(tstate, op)) {
        return;
    }
    if (self->weakrefs != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    _PyFuture_Clear(op);
    if (!is_plain || !_PySpare_Keep(&spare, op)) {
        Py_TYPE(op)->tp_free(op);
    }
    if (is_plain) {
        _PyTrash_Leave(tstate);
    }
}

/* -------------------------------------------------------------------- results */

PyObject *
_PyFuture_MakeCancelledError(Future *self)
{
    if (self->cancelled_exc != NULL) {
        PyObject *kept = self->cancelled_exc;
        self->cancelled_exc = NULL;
        return kept;
    }
    PyObject *type = _PyAsyncio()->cancelled_error, *msg = self->cancel_message;
    if (msg == NULL || msg == Py_None) {
        return PyObject_CallNoArgs(type);
    }
    Py_INCREF(msg);
    PyObject *error = PyObject_CallOneArg(type, msg);
    Py_DECREF(msg);
    return error;
}

static int
raise_cancelled(Future *self)
{
    PyObject *error = _PyFuture_MakeCancelledError(self);
    if (error != NULL) {
        PyErr_SetObject(_PyAsyncio()->cancelled_error, error);
        Py_DECREF(error);
    }
    return -1;
}

int
_PyFuture_Get(Future *self, PyObject **result)
{
    if (self->state == FUTURE_CANCELLED) {
        return raise_cancelled(self);
    }
    if (self->state != FUTURE_FINISHED) {
        return refuse_state(self->loop == NULL ? "Future object is not initialized."
                                               : "Result is not set.");
    }
    self->log_traceback = 0;
    if (self->exception == NULL) {
        *result = Py_NewRef(self->result == NULL ? Py_None : self->result);
        return 1;
    }
    PyObject *error = Py_NewRef(self->exception), *traceback = self->exception_tb;
    self->exception_tb = NULL;
    int ok = PyException_SetTraceback(error, traceback == NULL ? Py_None : traceback) == 0;
    Py_XDECREF(traceback);
    if (!ok) {
        Py_DECREF(error);
        return -1;
    }
    *result = error;
    return 0;
}

int
_PyFuture_SetResult(Future *self, PyObject *result)
{
    if (_PyFuture_CheckReady(self) < 0) {
        return -1;
    }
    if (self->state != FUTURE_PENDING) {
        return refuse_state("invalid state");
    }
    self->state = FUTURE_FINISHED;
    Py_INCREF(result);
    Py_XSETREF(self->result, result);
    return schedule_callbacks(self);
}

/* `exception` as it is, or a new instance of the class. NULL with an exception if it is neither, or
   may not be set. */
static PyObject *
settable_exception(PyObject *exception)
{
    PyObject *value = PyExceptionClass_Check(exception) ? PyObject_CallNoArgs(exception)
                                                        : Py_NewRef(exception);
    if (value == NULL) {
        return NULL;
    }
    if (!PyExceptionInstance_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "invalid exception object");
        Py_CLEAR(value);
    }
    else if (Py_IS_TYPE(value, (PyTypeObject *)PyExc_StopIteration)) {
        PyErr_SetString(PyExc_TypeError, "StopIteration interacts badly with generators "
                        "and cannot be raised into a Future");
        Py_CLEAR(value);
    }
    return value;
}

int
_PyFuture_SetException(Future *self, PyObject *exception)
{
    if (_PyFuture_CheckReady(self) < 0) {
        return -1;
    }
    if (self->state != FUTURE_PENDING) {
        return refuse_state("invalid state");
    }
    PyObject *value = settable_exception(exception);
    if (value == NULL) {
        return -1;
    }
    /* Making it may have run code that sets something. */
    if (self->state != FUTURE_PENDING || self->loop == NULL) {
        Py_DECREF(value);
        return refuse_state("invalid state");
    }
    self->state = FUTURE_FINISHED;
    self->log_traceback = 1;
    PyObject *traceback = PyException_GetTraceback(value);
    Py_XSETREF(self->exception, value);
    Py_XSETREF(self->exception_tb, traceback);
    return schedule_callbacks(self);
}

int
_PyFuture_Cancel(Future *self, PyObject *msg)
{
    if (_PyFuture_CheckReady(self) < 0) {
        return -1;
    }
    self->log_traceback = 0;
    if (self->state != FUTURE_PENDING) {
        return 0;
    }
    self->state = FUTURE_CANCELLED;
    Py_XINCREF(msg);
    Py_XSETREF(self->cancel_message, msg);
    return schedule_callbacks(self) < 0 ? -1 : 1;
}

/* -------------------------------------------------------------------- methods */

static PyObject *
none_or_error(int result)
{
    return result < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
future_result(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    PyObject *result;
    int outcome = _PyFuture_Get(SELF(op), &result);
    if (outcome == 0) {
        PyErr_SetObject((PyObject *)Py_TYPE(result), result);
        Py_DECREF(result);
    }
    return outcome > 0 ? result : NULL;
}

static PyObject *
future_exception(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    Future *self = SELF(op);
    if (self->loop == NULL) {
        refuse_state("Future object is not initialized.");
        return NULL;
    }
    if (self->state == FUTURE_CANCELLED) {
        raise_cancelled(self);
        return NULL;
    }
    if (self->state != FUTURE_FINISHED) {
        refuse_state("Exception is not set.");
        return NULL;
    }
    self->log_traceback = 0;
    return Py_NewRef(self->exception == NULL ? Py_None : self->exception);
}

static PyObject *
future_set_result(PyObject *op, PyObject *result)
{
    return none_or_error(_PyFuture_SetResult(SELF(op), result));
}

static PyObject *
future_set_exception(PyObject *op, PyObject *exception)
{
    return none_or_error(_PyFuture_SetException(SELF(op), exception));
}

static PyObject *
future_add_done_callback(PyObject *op, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames)
{
    static const char *const keywords[] = {"", "context", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "add_done_callback"};
    PyObject *given[2];
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 1, 0, given) == NULL) {
        return NULL;
    }
    return none_or_error(_PyFuture_AddCallback(SELF(op), given[0], given[1]));
}

static PyObject *
future_remove_done_callback(PyObject *op, PyObject *function)
{
    if (_PyFuture_CheckReady(SELF(op)) < 0) {
        return NULL;
    }
    Py_ssize_t removed = remove_callbacks(SELF(op), function);
    return removed < 0 ? NULL : PyLong_FromSsize_t(removed);
}

static PyObject *
future_cancel(PyObject *op, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"msg", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "cancel"};
    PyObject *given[1];
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 0, 1, 0, given) == NULL) {
        return NULL;
    }
    int cancelled = _PyFuture_Cancel(SELF(op), given[0]);
    return cancelled < 0 ? NULL : PyBool_FromLong(cancelled);
}

static PyObject *
future_cancelled(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(SELF(op)->loop != NULL && SELF(op)->state == FUTURE_CANCELLED);
}

static PyObject *
future_done(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(SELF(op)->loop != NULL && SELF(op)->state != FUTURE_PENDING);
}

static PyObject *
future_get_loop(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyFuture_CheckReady(SELF(op)) < 0 ? NULL : Py_NewRef(SELF(op)->loop);
}

static PyObject *
future_make_cancelled_error(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyFuture_MakeCancelledError(SELF(op));
}

static PyObject *
future_repr(PyObject *op)
{
    return _PyFuture_CheckReady(SELF(op)) < 0 ? NULL
        : PyObject_CallOneArg(_PyAsyncio()->future_repr, op);
}

PyObject *
_PyFuture_Await(PyObject *op)
{
    return _PyFuture_CheckReady(SELF(op)) < 0 ? NULL : _PyFuture_NewIter(op);
}

static PyMethodDef future_methods[] = {
    {"result", future_result, METH_NOARGS,
     "result($self, /)\n--\n\nReturn the result, or raise the exception that was set.\n\n"
     "CancelledError if the future was cancelled, InvalidStateError if it is not done."},
    {"exception", future_exception, METH_NOARGS,
     "exception($self, /)\n--\n\nReturn the exception that was set, or None.\n\n"
     "CancelledError if the future was cancelled, InvalidStateError if it is not done."},
    {"set_result", future_set_result, METH_O,
     "set_result($self, result, /)\n--\n\nMark the future done, with this result."},
    {"set_exception", future_set_exception, METH_O,
     "set_exception($self, exception, /)\n--\n\nMark the future done, with this exception."},
    {"add_done_callback", FAST_KEYWORDS(future_add_done_callback),
     "add_done_callback($self, fn, /, *, context=<unrepresentable>)\n--\n\n"
     "Have the loop call fn(future) once the future is done."},
    {"remove_done_callback", future_remove_done_callback, METH_O,
     "remove_done_callback($self, fn, /)\n--\n\n"
     "Remove all callbacks that equal fn; return how many there were."},
    {"cancel", FAST_KEYWORDS(future_cancel),
     "cancel($self, /, msg=None)\n--\n\nCancel the future, unless it is done.\n\n"
     "Return whether it was cancelled now."},
    {"cancelled", future_cancelled, METH_NOARGS,
     "cancelled($self, /)\n--\n\nReturn True if the future was cancelled."},
    {"done", future_done, METH_NOARGS,
     "done($self, /)\n--\n\nReturn True if there is a result or an exception, or the future "
     "was cancelled."},
    {"get_loop", future_get_loop, METH_NOARGS,
     "get_loop($self, /)\n--\n\nReturn the event loop of the future."},
    {"_make_cancelled_error", future_make_cancelled_error, METH_NOARGS,
     "_make_cancelled_error($self, /)\n--\n\n"
     "Return the CancelledError to raise for the cancelled future; to be called once."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

/* ----------------------------------------------------------------- attributes */

static PyObject *
none_if_null(PyObject *value)
{
    return Py_NewRef(value == NULL ? Py_None : value);
}

static int
refuse_deletion(PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "cannot delete attribute");
        return -1;
    }
    return 0;
}

static PyObject *
get_state(PyObject *op, void *Py_UNUSED(closure))
{
    static const char *const names[] = {"PENDING", "CANCELLED", "FINISHED"};
    return _PyFuture_CheckReady(SELF(op)) < 0 ? NULL
        : PyUnicode_InternFromString(names[SELF(op)->state]);
}

static PyObject *
get_blocking(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(SELF(op)->loop != NULL && SELF(op)->blocking);
}

static int
set_blocking(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (_PyFuture_CheckReady(SELF(op)) < 0 || refuse_deletion(value) < 0) {
        return -1;
    }
    int blocking = PyObject_IsTrue(value);
    if (blocking >= 0) {
        SELF(op)->blocking = (uint8_t)blocking;
    }
    return blocking < 0 ? -1 : 0;
}

static PyObject *
get_loop_attribute(PyObject *op, void *Py_UNUSED(closure))
{
    return none_if_null(SELF(op)->loop);
}

static PyObject *
get_callbacks(PyObject *op, void *Py_UNUSED(closure))
{
    Future *self = SELF(op);
    if (_PyFuture_CheckReady(self) < 0) {
        return NULL;
    }
    if (self->callbacks.n == 0) {
        Py_RETURN_NONE;
    }
    PyObject *list = PyList_New(0);
    /* Each new tuple may begin a collection, which runs destructors. */
    for (Py_ssize_t i = 0; list != NULL && i < self->callbacks.n; i++) {
        FutureCallback callback = *callback_at(&self->callbacks, i);
        PyObject *pair = Py_BuildValue("NN", Py_NewRef(callback.function),
                                       Py_NewRef(callback.context));
        if (pair == NULL || PyList_Append(list, pair) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(pair);
    }
    return list;
}

static PyObject *
get_result_attribute(PyObject *op, void *Py_UNUSED(closure))
{
    return _PyFuture_CheckReady(SELF(op)) < 0 ? NULL : none_if_null(SELF(op)->result);
}

static PyObject *
get_exception_attribute(PyObject *op, void *Py_UNUSED(closure))
{
    return _PyFuture_CheckReady(SELF(op)) < 0 ? NULL : none_if_null(SELF(op)->exception);
}

static PyObject *
get_log_traceback(PyObject *op, void *Py_UNUSED(closure))
{
    return _PyFuture_CheckReady(SELF(op)) < 0 ? NULL : PyBool_FromLong(SELF(op)->log_traceback);
}

static int
set_log_traceback(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    int wanted = PyObject_IsTrue(value);
    if (wanted < 0) {
        return -1;
    }
    if (wanted) {
        PyErr_SetString(PyExc_ValueError, "_log_traceback can only be set to False");
        return -1;
    }
    SELF(op)->log_traceback = 0;
    return 0;
}

static PyObject *
get_source_traceback(PyObject *op, void *Py_UNUSED(closure))
{
    return none_if_null(SELF(op)->source_tb);
}

static PyObject *
get_cancel_message(PyObject *op, void *Py_UNUSED(closure))
{
    return none_if_null(SELF(op)->cancel_message);
}

static int
set_cancel_message(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (refuse_deletion(value) < 0) {
        return -1;
    }
    Py_INCREF(value);
    Py_XSETREF(SELF(op)->cancel_message, value);
    return 0;
}

static PyGetSetDef future_getset[] = {
    {"_state", get_state, NULL, NULL, NULL},
    {"_asyncio_future_blocking", get_blocking, set_blocking, NULL, NULL},
    {"_loop", get_loop_attribute, NULL, NULL, NULL},
    {"_callbacks", get_callbacks, NULL, NULL, NULL},
    {"_result", get_result_attribute, NULL, NULL, NULL},
    {"_exception", get_exception_attribute, NULL, NULL, NULL},
    {"_log_traceback", get_log_traceback, set_log_traceback, NULL, NULL},
    {"_source_traceback", get_source_traceback, NULL, NULL, NULL},
    {"_cancel_message", get_cancel_message, set_cancel_message, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyAsyncMethods _PyFuture_as_async = {
    .am_await = _PyFuture_Await,
};

PyTypeObject _PyFuture_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_asyncio.Future",
    .tp_basicsize = sizeof(Future),
    .tp_dealloc = future_dealloc,
    .tp_as_async = &_PyFuture_as_async,
    .tp_repr = future_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Future(*, loop=None)\n--\n\n"
        "A place for a result that comes later.\n\n"
        "It resembles concurrent.futures.Future, but is for one thread: result() and\n"
        "exception() do not wait, and callbacks are called by the event loop.",
    .tp_traverse = _PyFuture_Traverse,
    .tp_clear = _PyFuture_Clear,
    .tp_weaklistoffset = offsetof(Future, weakrefs),
    .tp_iter = _PyFuture_Await,
    .tp_methods = future_methods,
    .tp_getset = future_getset,
    .tp_dictoffset = offsetof(Future, dict),
    .tp_init = future_init,
    .tp_new = _PyFuture_New,
    .tp_finalize = future_finalize,
    .tp_vectorcall = future_vectorcall,
};
