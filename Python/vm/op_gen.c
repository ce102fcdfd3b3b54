/* Generators and coroutines: their start, suspension and delegation. The
   objects themselves are in Python/vm/generator.c. */
#include "enter.h"
#include "generator.h"
#include "internal/observe.h"
#include "internal/type.h"

/* -------------------------------------------------------------------- start */

HANDLER(RETURN_GENERATOR)
{
    SAVE_IP();
    PyVMFrame *previous = f->previous;
    int ret = f->ret;
    unsigned dest = f->dest, skip = f->skip;
    unsigned flags = f->flags;
    PyVMFrame *frame = f;
    f->flags = 0;
    PyObject *gen = _PyGen_FromFrame(ts, f);
    if (gen == NULL) {
        f->flags = (uint16_t)flags;
        ERROR();
    }
    TS_FRAME(ts) = previous;
    leave_python_frame(ts, flags);
    if (RET_LEAVES(ret)) {
        LEAVE(gen);
    }
    f = previous;
    ip = f->ip;
    if (ret == RET_INIT) {
        /* An __init__ that is a generator function. */
        reg_release(take_instance(frame));
        (void)_PyType_EndInit(gen);
        ERROR();
    }
    WRITE(dest, (PyReg)gen);
    ip += skip;
    RELOAD();
    DISPATCH();
}

/* --------------------------------------------------------------- suspension */

/* Gives `value` to the caller that has resumed the frame. */
#define SUSPEND(value, took) \
    do { \
        PyVMFrame *previous_ = f->previous; \
        int ret_ = f->ret; \
        unsigned dest_ = f->dest; \
        _PyVM_LeaveGenerator(ts, f, GEN_SUSPENDED); \
        leave_python(ts); \
        TS_FRAME(ts) = previous_; \
        if (RET_LEAVES(ret_)) { \
            if (ret_ == RET_NATIVE) { \
                LEAVE(value); \
            } \
            PyReg boxed_ = (value); \
            LEAVE(reg_object(&boxed_)); \
        } \
        took(ts, f); \
        f = previous_; \
        ip = f->ip; \
        WRITE(dest_, (value)); \
        NEXT_RELOAD(2); \
    } while (0)

HANDLER(YIELD_VALUE)
{
    SAVE_IP();
    PyReg value = operand_take(f, A);
    SUSPEND(value, IS_NOT_SHOWN);
}

HANDLER(YIELD_FROM_VALUE)
{
    SAVE_IP();
    PyReg value = operand_take(f, A);
    SUSPEND(value, IS_NOT_SHOWN);
}

SHARED_SLOW(_PyVM_ShownYield)
{
    SAVE_IP();
    PyReg value = operand_take(f, A);
    SUSPEND(value, take_record_back);
}

/* A tracer has set f->ip to where the frame is to continue after this yield. */
SHARED_SLOW(_PyVM_YieldJumped)
{
    PyReg value = operand_take(f, A);
    f->ip--;        /* resumption starts after ip */
    f->flags |= FRAME_JUMPED;
    SUSPEND(value, take_record_back);
}

/* --------------------------------------------------------------- delegation */

HANDLER(GET_YIELD_FROM_ITER)
{
    SAVE_IP();
    PyObject *iterable = reg_object(&R(B));
    if (iterable == NULL) {
        ERROR();
    }
    PyObject *iterator;
    if (PyCoro_CheckExact(iterable)) {
        if (!(f->code->ob.co_flags & (CO_COROUTINE | CO_ITERABLE_COROUTINE))) {
            _PyErr_SetString(ts, PyExc_TypeError,
                             "cannot 'yield from' a coroutine object "
                             "in a non-coroutine generator");
            ERROR();
        }
        iterator = Py_NewRef(iterable);
    }
    else if (PyGen_CheckExact(iterable)) {
        iterator = Py_NewRef(iterable);
    }
    else {
        iterator = PyObject_GetIter(iterable);
        if (iterator == NULL) {
            ERROR();
        }
    }
    operand_done(f, B);
    WRITE(A, (PyReg)iterator);
    NEXT_RELOAD(0);
}

SLOW(send_generator)
{
    SAVE_IP();
    PyReg value = operand_take(f, B);
    PyGenObject *gen = (PyGenObject *)REG_PTR(R(A));
    if (enter_generator(ts, gen, value, f, RET_SEND, C) < 0) {
        ERROR();
    }
    f = FRAME_OF_GEN(gen);
    TS_FRAME(ts) = f;
    ip = f->ip + 1;
    RELOAD();
    DISPATCH();
}

/* receiver.send(value), without am_send. */
static PySendResult
send_by_method(PyThreadState *ts, PyObject *receiver, PyObject *value,
               PyObject **result)
{
    int is_traced = ts->c_tracefunc != NULL;
    if (Py_IsNone(value) && PyIter_Check(receiver)) {
        *result = Py_TYPE(receiver)->tp_iternext(receiver);
    }
    else {
        *result = PyObject_CallMethodOneArg(receiver, _Py_NAME(send), value);
    }
    if (*result != NULL) {
        return PYGEN_NEXT;
    }
    /* Who traced before sees the exception that ends the delegation, as in 3.11. */
    if (is_traced && ts->c_tracefunc != NULL
        && _PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
        _PyVM_observers.exception(ts, TS_FRAME(ts));
    }
    return _PyGen_FetchStopIterationValue(result) == 0 ? PYGEN_RETURN
                                                       : PYGEN_ERROR;
}

typedef struct {
    PyReg result;
    intptr_t outcome;           /* PySendResult */
} Sent;

static NEEDS_LOCALS Sent
send_am_to(PyObject *receiver, PyObject *value)
{
    PyObject *result;
    PySendResult outcome = Py_TYPE(receiver)->tp_as_async->am_send(receiver, value, &result);
    return (Sent){(PyReg)result, outcome};
}

static NEEDS_LOCALS Sent
send_by_method_to(PyThreadState *ts, PyObject *receiver, PyObject *value)
{
    PyObject *result;
    PySendResult outcome = send_by_method(ts, receiver, value, &result);
    return (Sent){(PyReg)result, outcome};
}

/* The step of an asynchronous generator. */
static Sent
send_step_to(PyObject *receiver, PyObject *value)
{
    PyReg given = _PyAsyncGen_Step(receiver, value);
    int has_item = ((_PyAsyncGenASend *)receiver)->state == AWAITABLE_CLOSED;
    return (Sent){given, given == 0 ? PYGEN_ERROR : has_item ? PYGEN_RETURN : PYGEN_NEXT};
}

#define SEND_GENERAL(send) \
    do { \
        SAVE_IP(); \
        PyObject *receiver_ = REG_PTR(R(A)); \
        PyObject *value_ = reg_object(&R(B)); \
        if (value_ == NULL) { \
            ERROR(); \
        } \
        Sent sent_ = send; \
        if (sent_.outcome == PYGEN_ERROR) { \
            ERROR(); \
        } \
        operand_done(f, B); \
        unsigned source_ = A; \
        WRITE(C, sent_.result); \
        if (sent_.outcome == PYGEN_NEXT) { \
            NEXT_RELOAD(2); \
        } \
        int32_t distance_ = (int32_t)CACHE(0)->arg; \
        operand_done(f, source_); \
        RELOAD(); \
        JUMP_BY(2, distance_); \
    } while (0)

SLOW(send_step)
{
    SEND_GENERAL(send_step_to(receiver_, value_));
}

SLOW(send_am)
{
    SEND_GENERAL(send_am_to(receiver_, value_));
}

SHARED_SLOW(_PyVM_SendByMethod)
{
    SEND_GENERAL(send_by_method_to(ts, receiver_, value_));
}

HANDLER(SEND)
{
    PyObject *receiver = REG_PTR(R(A));
    PyTypeObject *type = Py_TYPE(receiver);
    if ((type == &PyGen_Type || type == &PyCoro_Type)
        && !ts->interp->calls_hooked) {
        PyGenObject *gen = (PyGenObject *)receiver;
        if (gen->gi_frame_state == GEN_SUSPENDED
            || (gen->gi_frame_state == GEN_CREATED && R(B) == REG_NONE)) {
            TAIL(send_generator);
        }
    }
    if (type == &_PyAsyncGenASend_Type && likely(ts->c_tracefunc == NULL)) {
        TAIL(send_step);
    }
    if (type->tp_as_async != NULL && type->tp_as_async->am_send != NULL) {
        TAIL(send_am);
    }
    TAIL(_PyVM_SendByMethod);
}

/* -------------------------------------------------------------------- async */

static void
complain_not_awaitable(PyThreadState *ts, PyTypeObject *type, int where)
{
    if (type->tp_as_async != NULL && type->tp_as_async->am_await != NULL) {
        return;
    }
    if (where == 1 || where == 2) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "'async with' received an object from %s that does not "
                      "implement __await__: %.100s",
                      where == 1 ? "__aenter__" : "__aexit__", type->tp_name);
    }
}

HANDLER(GET_AWAITABLE)
{
    SAVE_IP();
    PyObject *object = reg_object(&R(B));
    if (object == NULL) {
        ERROR();
    }
    PyObject *awaitable = _PyCoro_GetAwaitableIter(object);
    if (awaitable == NULL) {
        complain_not_awaitable(ts, Py_TYPE(object), C);
        ERROR();
    }
    if (PyCoro_CheckExact(awaitable)) {
        PyObject *delegate = _PyGen_yf((PyGenObject *)awaitable);
        if (delegate != NULL) {
            Py_DECREF(delegate);
            Py_DECREF(awaitable);
            _PyErr_SetString(ts, PyExc_RuntimeError,
                             "coroutine is being awaited already");
            ERROR();
        }
    }
    operand_done(f, B);
    WRITE(A, (PyReg)awaitable);
    NEXT_RELOAD(0);
}

HANDLER(GET_AITER)
{
    SAVE_IP();
    PyObject *object = reg_object(&R(B));
    if (object == NULL) {
        ERROR();
    }
    PyTypeObject *type = Py_TYPE(object);
    if (type->tp_as_async == NULL || type->tp_as_async->am_aiter == NULL) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "'async for' requires an object with __aiter__ method, "
                      "got %.100s", type->tp_name);
        ERROR();
    }
    PyObject *iterator = type->tp_as_async->am_aiter(object);
    if (iterator == NULL) {
        ERROR();
    }
    PyTypeObject *it_type = Py_TYPE(iterator);
    if (it_type->tp_as_async == NULL || it_type->tp_as_async->am_anext == NULL) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "'async for' received an object from __aiter__ that does "
                      "not implement __anext__: %.100s", it_type->tp_name);
        Py_DECREF(iterator);
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)iterator);
    NEXT_RELOAD(0);
}

HANDLER(GET_ANEXT)
{
    SAVE_IP();
    PyObject *iterator = reg_object(&R(B));
    PyObject *awaitable = iterator != NULL ? _PyCoro_GetAnext(iterator) : NULL;
    if (awaitable == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)awaitable);
    NEXT_RELOAD(0);
}

HANDLER(END_ASYNC_FOR)
{
    SAVE_IP();
    PyObject *exc = REG_PTR(R(B));
    if (PyErr_GivenExceptionMatches(exc, PyExc_StopAsyncIteration)) {
        operand_done(f, B);
        operand_done(f, A);
        NEXT_RELOAD(0);
    }
    _PyErr_SetRaised(ts, REG_PTR(operand_take(f, B)));
    TAIL(_PyVM_Reraise);
}

HANDLER(ASYNC_GEN_WRAP)
{
    SAVE_IP();
    PyObject *wrapped = _PyAsyncGen_Wrap(operand_take(f, B));
    if (wrapped == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)wrapped);
    NEXT_RELOAD(0);
}
