/* Asynchronous generators and the awaitables that drive them.

   An asynchronous generator yields two kinds of things: what the awaits in it
   pass up to the event loop, as they are, and its own items, wrapped
   (ASYNC_GEN_WRAP). __anext__() and asend() give an `asend` awaitable, athrow()
   and aclose() an `athrow` awaitable; each steps the generator and ends, by
   StopIteration, when a wrapped item comes out.

   ag_running_async is set from the first step of an awaitable until it ends, so
   that two cannot interleave; ag_closed once the generator has ended.

   The step of an `async for` in machine code (_PyVM_NextItem) does without an awaitable, and gets
   items that need not be wrapped. If something is passed up, it makes the awaitable as it would
   be then. */
#include "Python.h"
#include "structmember.h"
#include "internal/gc.h"
#include "native.h"
#include "generator.h"
#include "internal/method_table.h"

typedef _PyAsyncGenASend asend_object;

typedef struct {
    PyObject_HEAD
    PyAsyncGenObject *gen;
    PyObject *args;             /* of athrow(), a tuple; NULL for aclose() */
    _PyAwaitableState state;
} athrow_object;

typedef struct {
    PyObject_HEAD
    PyReg value;                /* owned */
} wrapped_value;

#define GEN(op) ((PyGenObject *)(op)->gen)

/* An asend and a wrapped item live for one step of a generator: some are kept for the next. */
#define MOST_SPARE 16
typedef struct {
    PyObject *objects[MOST_SPARE];
    int n;
} spares;
static spares spare_wrapped, spare_asends;

static inline PyObject *
take_spare(spares *spare)
{
    PyObject *op = spare->objects[--spare->n];
    _Py_NewReference(op);
    return op;
}

/* ----------------------------------------------------------- wrapped values */

PyObject *
_PyAsyncGen_Wrap(PyReg value)
{
    wrapped_value *op = likely(spare_wrapped.n > 0)
        ? (wrapped_value *)take_spare(&spare_wrapped)
        : PyObject_GC_New(wrapped_value, &_PyAsyncGenWrappedValue_Type);
    if (op == NULL) {
        reg_release(value);
        return NULL;
    }
    /* The collector never sees it: nothing holds it but the yield that is on its way. */
    op->value = value;
    return (PyObject *)op;
}

static void
wrapped_dealloc(PyObject *self)
{
    PyReg value = ((wrapped_value *)self)->value;
    if (spare_wrapped.n < MOST_SPARE) {
        spare_wrapped.objects[spare_wrapped.n++] = self;
    }
    else {
        PyObject_GC_Del(self);
    }
    reg_release(value);
}

static int
wrapped_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyReg value = ((wrapped_value *)self)->value;
    Py_VISIT(REG_IS_INT(value) ? NULL : REG_PTR(value));
    return 0;
}

PyTypeObject _PyAsyncGenWrappedValue_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "async_generator_wrapped_value",
    .tp_basicsize = sizeof(wrapped_value),
    .tp_dealloc = wrapped_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = wrapped_traverse,
};

static int
is_wrapped(PyObject *op)
{
    return Py_IS_TYPE(op, &_PyAsyncGenWrappedValue_Type);
}

/* Has the generator just ended, by either of the exceptions that say so? */
static int
ended_quietly(void)
{
    return PyErr_ExceptionMatches(PyExc_StopAsyncIteration)
           || PyErr_ExceptionMatches(PyExc_GeneratorExit);
}

/* The generator has ended, perhaps with an exception. */
static void
ended(PyAsyncGenObject *gen)
{
    if (!PyErr_Occurred()) {
        PyErr_SetNone(PyExc_StopAsyncIteration);
    }
    if (ended_quietly()) {
        gen->ag_closed = 1;
    }
    gen->ag_running_async = 0;
}

/* The item in a wrapper (stolen), whose generator rests now. */
static PyReg
take_item(PyAsyncGenObject *gen, PyObject *wrapped)
{
    PyReg item = ((wrapped_value *)wrapped)->value;
    ((wrapped_value *)wrapped)->value = 0;
    Py_DECREF(wrapped);
    gen->ag_running_async = 0;
    return item;
}

/* An item becomes StopIteration. Steals it. */
static PyObject *
stop_with(PyReg item)
{
    PyObject *value = boxed(item);
    if (value != NULL) {
        _PyGen_SetStopIterationValue(value);
        Py_DECREF(value);
    }
    return NULL;
}

/* What a step of the generator gave (stolen): an item becomes StopIteration,
   other things pass. */
static PyObject *
unwrap(PyAsyncGenObject *gen, PyObject *result)
{
    if (result == NULL) {
        ended(gen);
        return NULL;
    }
    return is_wrapped(result) ? stop_with(take_item(gen, result)) : result;
}

/* -------------------------------------------------------------------- asend */

static PyObject *
new_asend(PyAsyncGenObject *gen, PyObject *value)
{
    asend_object *op = likely(spare_asends.n > 0)
        ? (asend_object *)take_spare(&spare_asends)
        : PyObject_GC_New(asend_object, &_PyAsyncGenASend_Type);
    if (op == NULL) {
        return NULL;
    }
    op->gen = (PyAsyncGenObject *)Py_NewRef((PyObject *)gen);
    op->value = Py_XNewRef(value);
    op->state = AWAITABLE_INIT;
    _PyObject_GC_TRACK((PyObject *)op);
    return (PyObject *)op;
}

static void
asend_dealloc(PyObject *self)
{
    _PyObject_GC_UNTRACK(self);
    PyAsyncGenObject *gen = ((asend_object *)self)->gen;
    PyObject *value = ((asend_object *)self)->value;
    if (spare_asends.n < MOST_SPARE) {
        spare_asends.objects[spare_asends.n++] = self;
    }
    else {
        PyObject_GC_Del(self);
    }
    Py_DECREF((PyObject *)gen);
    Py_XDECREF(value);
}

int
_PyAsyncGen_FreeStep(PyObject *self)
{
    asend_object *op = (asend_object *)self;
    if (Py_REFCNT(op->gen) < 2
        || (op->value != NULL
            && (Py_REFCNT(op->value) < 2 || op->value == (PyObject *)op->gen))) {
        return 0;
    }
    asend_dealloc(self);
    return 1;
}

static int
asend_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((asend_object *)self)->gen);
    Py_VISIT(((asend_object *)self)->value);
    return 0;
}

static PyObject *
reused(const char *what)
{
    PyErr_Format(PyExc_RuntimeError, "cannot reuse already awaited %s", what);
    return NULL;
}

int
_PyAsyncGen_BeginStep(PyObject *self, PyObject **value)
{
    asend_object *op = (asend_object *)self;
    if (op->state == AWAITABLE_CLOSED) {
        reused("__anext__()/asend()");
        return -1;
    }
    if (op->state == AWAITABLE_INIT) {
        if (op->gen->ag_running_async) {
            PyErr_SetString(PyExc_RuntimeError,
                            "anext(): asynchronous generator is already running");
            return -1;
        }
        if (*value == Py_None && op->value != NULL) {
            *value = op->value;
        }
        op->state = AWAITABLE_ITER;
    }
    op->gen->ag_running_async = RUNNING_ASYNC;
    return 0;
}

PyReg
_PyAsyncGen_EndStep(PyObject *self, PyReg given)
{
    asend_object *op = (asend_object *)self;
    if (likely(given != 0) && likely(op->gen->ag_frame_state == GEN_SUSPENDED)) {
        if (REG_IS_INT(given) || !is_wrapped(REG_PTR(given))) {
            return given;
        }
        op->state = AWAITABLE_CLOSED;
        return take_item(op->gen, REG_PTR(given));
    }
    if (given != 0) {
        reg_release(given);
    }
    op->state = AWAITABLE_CLOSED;
    ended(op->gen);
    return 0;
}

/* What has been yielded by its YIELD_VALUE is an item. */
PyReg
_PyAsyncGen_EndBareStep(PyAsyncGenObject *gen, PyReg given, PyReg *awaitable)
{
    const PyVMFrame *f = FRAME_OF_GEN((PyGenObject *)gen);
    if (unlikely(given == 0) || unlikely(gen->ag_frame_state != GEN_SUSPENDED)) {
        reg_release(given);
        ended(gen);
        return 0;
    }
    if (!REG_IS_INT(given) && is_wrapped(REG_PTR(given))) {
        return take_item(gen, REG_PTR(given));
    }
    if (likely(f->ip->op == OP_YIELD_VALUE) && likely(!(f->flags & FRAME_JUMPED))) {
        gen->ag_running_async = 0;
        return given;
    }
    gen->ag_running_async = RUNNING_ASYNC;
    PyObject *asend = new_asend(gen, NULL);
    if (asend == NULL) {
        reg_release(given);
        return 0;
    }
    ((asend_object *)asend)->state = AWAITABLE_ITER;
    reg_set(awaitable, (PyReg)asend);
    return given;
}

PyReg
_PyAsyncGen_Step(PyObject *self, PyObject *value)
{
    PyObject *result;
    if (_PyAsyncGen_BeginStep(self, &value) < 0) {
        return 0;
    }
    (void)_PyGen_AmSend((PyObject *)((asend_object *)self)->gen, value, &result);
    return _PyAsyncGen_EndStep(self, (PyReg)result);
}

static PyObject *
asend_send(PyObject *self, PyObject *value)
{
    PyReg given = _PyAsyncGen_Step(self, value != NULL ? value : Py_None);
    if (given == 0) {
        return NULL;
    }
    return ((asend_object *)self)->state == AWAITABLE_CLOSED ? stop_with(given)
                                                             : boxed(given);
}

static PyObject *
asend_iternext(PyObject *self)
{
    return asend_send(self, NULL);
}

static PyObject *
asend_throw(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    asend_object *op = (asend_object *)self;
    if (op->state == AWAITABLE_CLOSED) {
        return reused("__anext__()/asend()");
    }
    PyObject *result =
        unwrap(op->gen, _PyGen_ThrowArgs(GEN(op), args, nargs));
    if (result == NULL) {
        op->state = AWAITABLE_CLOSED;
    }
    return result;
}

static PyObject *
asend_close(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    ((asend_object *)self)->state = AWAITABLE_CLOSED;
    return Py_NewRef(Py_None);
}

static PyMethodDef asend_methods[] = {
    {"send", asend_send, METH_O, NULL},
    {"throw", FAST(asend_throw), NULL},
    {"close", asend_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyAsyncMethods awaitable_as_async = {.am_await = PyObject_SelfIter};

PyTypeObject _PyAsyncGenASend_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "async_generator_asend",
    .tp_basicsize = sizeof(asend_object),
    .tp_dealloc = asend_dealloc,
    .tp_as_async = &awaitable_as_async,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = asend_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = asend_iternext,
    .tp_methods = asend_methods,
};

/* ----------------------------------------------------------- athrow, aclose */

static PyObject *
new_athrow(PyAsyncGenObject *gen, PyObject *args)
{
    athrow_object *op = PyObject_GC_New(athrow_object, &_PyAsyncGenAThrow_Type);
    if (op == NULL) {
        return NULL;
    }
    op->gen = (PyAsyncGenObject *)Py_NewRef((PyObject *)gen);
    op->args = Py_XNewRef(args);
    op->state = AWAITABLE_INIT;
    _PyObject_GC_TRACK((PyObject *)op);
    return (PyObject *)op;
}

static void
athrow_dealloc(PyObject *self)
{
    _PyObject_GC_UNTRACK(self);
    Py_CLEAR(((athrow_object *)self)->gen);
    Py_CLEAR(((athrow_object *)self)->args);
    PyObject_GC_Del(self);
}

static int
athrow_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((athrow_object *)self)->gen);
    Py_VISIT(((athrow_object *)self)->args);
    return 0;
}

/* aclose() found the generator yielding an item instead of ending. */
static PyObject *
exit_ignored(athrow_object *op, PyObject *item)
{
    Py_DECREF(item);
    op->gen->ag_running_async = 0;
    op->state = AWAITABLE_CLOSED;
    PyErr_SetString(PyExc_RuntimeError, "async generator ignored GeneratorExit");
    return NULL;
}

/* A step ended with an exception. For aclose(), the end of the generator is
   success. */
static PyObject *
athrow_ended(athrow_object *op)
{
    op->gen->ag_running_async = 0;
    op->state = AWAITABLE_CLOSED;
    if (op->args == NULL && ended_quietly()) {
        PyErr_Clear();
        PyErr_SetNone(PyExc_StopIteration);
    }
    return NULL;
}

/* The first step: 0 when it may go on, -1 with an exception. */
static int
athrow_begin(athrow_object *op, PyObject *value)
{
    PyAsyncGenObject *gen = op->gen;
    if (gen->ag_running_async) {
        op->state = AWAITABLE_CLOSED;
        PyErr_Format(PyExc_RuntimeError,
                     "%s(): asynchronous generator is already running",
                     op->args == NULL ? "aclose" : "athrow");
        return -1;
    }
    if (gen->ag_closed) {
        op->state = AWAITABLE_CLOSED;
        PyErr_SetNone(PyExc_StopAsyncIteration);
        return -1;
    }
    if (value != Py_None) {
        PyErr_SetString(PyExc_RuntimeError,
                        "can't send non-None value to a just-started coroutine");
        return -1;
    }
    op->state = AWAITABLE_ITER;
    gen->ag_running_async = RUNNING_ASYNC;
    return 0;
}

static PyObject *
athrow_send(PyObject *self, PyObject *value)
{
    athrow_object *op = (athrow_object *)self;
    PyObject *result;
    if (op->state == AWAITABLE_CLOSED) {
        return reused("aclose()/athrow()");
    }
    if (op->gen->ag_frame_state >= GEN_COMPLETED) {
        op->state = AWAITABLE_CLOSED;
        PyErr_SetNone(PyExc_StopIteration);
        return NULL;
    }
    if (op->state == AWAITABLE_ITER) {
        result = _PyGen_SendValue(GEN(op), value);
        if (op->args != NULL) {
            return unwrap(op->gen, result);
        }
    }
    else {
        if (athrow_begin(op, value) < 0) {
            return NULL;
        }
        if (op->args != NULL) {
            PyObject *type, *exc = NULL, *traceback = NULL;
            if (!PyArg_UnpackTuple(op->args, "athrow", 1, 3, &type, &exc,
                                   &traceback)) {
                return NULL;
            }
            result = unwrap(op->gen,
                            _PyGen_Throw(GEN(op), 0, type, exc, traceback));
            return result != NULL ? result : athrow_ended(op);
        }
        op->gen->ag_closed = 1;
        result = _PyGen_Throw(GEN(op), 0, PyExc_GeneratorExit, NULL, NULL);
    }
    if (result == NULL) {
        return athrow_ended(op);
    }
    return is_wrapped(result) ? exit_ignored(op, result) : result;
}

static PyObject *
athrow_throw(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    athrow_object *op = (athrow_object *)self;
    if (op->state == AWAITABLE_CLOSED) {
        return reused("aclose()/athrow()");
    }
    PyObject *result = _PyGen_ThrowArgs(GEN(op), args, nargs);
    if (op->args != NULL) {
        return unwrap(op->gen, result);
    }
    if (result != NULL) {
        return is_wrapped(result) ? exit_ignored(op, result) : result;
    }
    if (ended_quietly()) {
        PyErr_Clear();
        PyErr_SetNone(PyExc_StopIteration);
    }
    return NULL;
}

static PyObject *
athrow_iternext(PyObject *self)
{
    return athrow_send(self, Py_None);
}

static PyObject *
athrow_close(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    ((athrow_object *)self)->state = AWAITABLE_CLOSED;
    return Py_NewRef(Py_None);
}

static PyMethodDef athrow_methods[] = {
    {"send", athrow_send, METH_O, NULL},
    {"throw", FAST(athrow_throw), NULL},
    {"close", athrow_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject _PyAsyncGenAThrow_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "async_generator_athrow",
    .tp_basicsize = sizeof(athrow_object),
    .tp_dealloc = athrow_dealloc,
    .tp_as_async = &awaitable_as_async,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = athrow_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = athrow_iternext,
    .tp_methods = athrow_methods,
};

/* ------------------------------------------------------------ the generator */

/* The first use tells the event loop (sys.set_asyncgen_hooks). 0 or -1. */
static int
init_hooks(PyAsyncGenObject *gen)
{
    if (gen->ag_hooks_inited) {
        return 0;
    }
    gen->ag_hooks_inited = 1;
    PyThreadState *ts = _PyThreadState_GET();
    gen->ag_origin_or_finalizer = Py_XNewRef(ts->async_gen_finalizer);
    PyObject *firstiter = ts->async_gen_firstiter;
    if (firstiter == NULL) {
        return 0;
    }
    Py_INCREF(firstiter);
    PyObject *result = PyObject_CallOneArg(firstiter, (PyObject *)gen);
    Py_DECREF(firstiter);
    if (result == NULL) {
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

static PyObject *
agen_anext(PyObject *self)
{
    PyAsyncGenObject *gen = (PyAsyncGenObject *)self;
    return init_hooks(gen) < 0 ? NULL : new_asend(gen, NULL);
}

static PyObject *
agen_asend(PyObject *self, PyObject *value)
{
    PyAsyncGenObject *gen = (PyAsyncGenObject *)self;
    return init_hooks(gen) < 0 ? NULL : new_asend(gen, value);
}

static PyObject *
agen_athrow(PyObject *self, PyObject *args)
{
    PyAsyncGenObject *gen = (PyAsyncGenObject *)self;
    return init_hooks(gen) < 0 ? NULL : new_athrow(gen, args);
}

static PyObject *
agen_aclose(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyAsyncGenObject *gen = (PyAsyncGenObject *)self;
    return init_hooks(gen) < 0 ? NULL : new_athrow(gen, NULL);
}

static PyMethodDef agen_methods[] = {
    {"asend", agen_asend, METH_O,
     "asend(v) -> send 'v' in generator."},
    {"athrow", agen_athrow, METH_VARARGS,
     "athrow(typ[,val[,tb]]) -> raise exception in generator."},
    {"aclose", agen_aclose, METH_NOARGS,
     "aclose() -> raise GeneratorExit inside generator."},
    {"__sizeof__", _PyGen_SizeOf, METH_NOARGS,
     "gen.__sizeof__() -> size of gen in memory, in bytes"},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef agen_getset[] = {
    {"__name__", _PyGen_GetName, _PyGen_SetName,
     "name of the async generator", NULL},
    {"__qualname__", _PyGen_GetQualName, _PyGen_SetQualName,
     "qualified name of the async generator", NULL},
    {"ag_await", _PyGen_GetYieldFrom, NULL,
     "object being awaited on, or None", NULL},
    {"ag_frame", _PyGen_GetFrame, NULL, NULL, "ag_frame"},
    {"ag_code", _PyGen_GetCode, NULL, NULL, "ag_code"},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef agen_members[] = {
    {"ag_running", T_BOOL, offsetof(PyAsyncGenObject, ag_running_async),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyAsyncMethods agen_as_async = {
    .am_aiter = PyObject_SelfIter,
    .am_anext = agen_anext,
    .am_send = _PyGen_AmSend,
};

PyTypeObject PyAsyncGen_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "async_generator",
    .tp_basicsize = _PyGen_BASICSIZE,
    .tp_itemsize = sizeof(PyReg),
    .tp_dealloc = _PyGen_Dealloc,
    .tp_as_async = &agen_as_async,
    .tp_repr = _PyGen_Repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = _PyGen_Traverse,
    .tp_weaklistoffset = offsetof(PyAsyncGenObject, ag_weakreflist),
    .tp_methods = agen_methods,
    .tp_members = agen_members,
    .tp_getset = agen_getset,
    .tp_finalize = _PyGen_Finalize,
};

/* --------------------------------------------------------- the hooks of sys */

