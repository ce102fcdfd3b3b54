/* What the files of _asyncio share.

   A Future is a place for a result that comes later; a Task is a Future whose result is that of
   a coroutine, which it runs step by step.

   Invariants:
   - loop is NULL before __init__() and after the collector has cleared the object: nothing can be
     done with such a future, and every way in asks (_PyFuture_CheckReady()). All other fields may
     be NULL at any time;
   - of n callbacks the first is `first`, the others are more[0 .. n-2]. No list is ever seen by
     Python code, so only these files change it;
   - state never goes back to FUTURE_PENDING, unless __init__() is called again: then everything is
     forgotten, callbacks too.

   Whatever is released may run Python code, and so may each call of a loop's method. Such code
   may call any method of the same future, __init__() too. So a field is emptied before its value
   is released, and what is used across a call is held by a reference of the caller's.

   A task that is not done either has a step scheduled (waiter is NULL), or waits for a future that
   has the task's wakeup among its callbacks. */
#ifndef SB_ASYNCIO_IMPL_H
#define SB_ASYNCIO_IMPL_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/module_state.h"
#include "internal/names.h"
#include <stdint.h>

/* -------------------------------------------------------------------- module */

/* What the module has in one interpreter. */
typedef struct {
    /* From asyncio's modules, as they were when _asyncio was imported. */
    PyObject *get_event_loop_policy;
    PyObject *iscoroutine;
    PyObject *future_repr;
    PyObject *task_repr;
    PyObject *task_get_stack;
    PyObject *task_print_stack;
    PyObject *cancelled_error;
    PyObject *invalid_state_error;
    PyObject *extract_stack;            /* traceback's */

    PyObject *all_tasks;                /* a WeakSet */
    PyObject *current_tasks;            /* {loop: task} */
    PyObject *context_keyword;          /* ("context",) */
    struct _PyAsyncio_PlainLoop *plain_loop;    /* plain_loop.c's */
    unsigned long long tasks_numbered;  /* the default name of the last one: Task-N */
} AsyncioState;

/* Of interpreters that have not imported the module, or are about to end: None wherever something
   is looked for. They can't make our objects, but classes and functions of other interpreters lead
   to them (object.__subclasses__()). */
extern AsyncioState _PyAsyncio_no_state;

static inline int
_PyAsyncio_HasState(void)
{
    return _PyModuleState_Get(MODULE_STATE_ASYNCIO) != NULL;
}

static inline AsyncioState *
_PyAsyncio(void)
{
    AsyncioState *state = _PyModuleState_Get(MODULE_STATE_ASYNCIO);
    return __builtin_expect(state != NULL, 1) ? state : &_PyAsyncio_no_state;
}

/* ------------------------------------------------------------------- objects */

typedef struct {
    PyObject *function;
    PyObject *context;
} FutureCallback;

typedef struct {
    FutureCallback first;
    FutureCallback *more;
    Py_ssize_t n, room;         /* room: of `more` */
} FutureCallbacks;

enum future_state { FUTURE_PENDING, FUTURE_CANCELLED, FUTURE_FINISHED };

typedef struct {
    PyObject_HEAD
    PyObject *loop;
    FutureCallbacks callbacks;
    PyObject *result;
    PyObject *exception;
    PyObject *exception_tb;     /* its traceback when it was set; gone once it has been raised */
    PyObject *source_tb;        /* where the future was made, if the loop is in debug mode */
    PyObject *cancel_message;
    PyObject *cancelled_exc;    /* the CancelledError that has ended the task */
    PyObject *dict;
    PyObject *weakrefs;
    uint8_t state;              /* enum future_state */
    uint8_t log_traceback;      /* nobody has asked for the exception */
    uint8_t blocking;           /* `await` has yielded it, and no task has taken it yet */
    /* Of tasks. */
    uint8_t must_cancel;        /* the next step throws CancelledError */
    uint8_t log_destroy_pending;
} Future;

typedef struct {
    Future future;
    PyObject *waiter;           /* the future that the coroutine waits for, or NULL */
    PyObject *coro;
    PyObject *context;
    PyObject *name;             /* NULL: Task-<number>, if that is not 0 */
    unsigned long long number;
    int cancels_requested;
} Task;

extern PyTypeObject _PyFuture_Type;
extern PyTypeObject _PyFutureIter_Type;
extern PyTypeObject _PyTask_Type;
extern PyTypeObject _PyTaskStep_Type;

/* Neither of these has methods of a subclass's. */
static inline int
is_plain_future(PyObject *op)
{
    return Py_IS_TYPE(op, &_PyFuture_Type) || Py_IS_TYPE(op, &_PyTask_Type);
}

/* -------------------------------------------------------------------- future.c */

/* tp_new */
PyObject *_PyFuture_New(PyTypeObject *type, PyObject *args, PyObject *kwargs);
/* __init__(). loop may be NULL or None. 0 or -1. */
int _PyFuture_Init(Future *self, PyObject *loop);
/* 0, or -1 with RuntimeError if __init__() has not run. */
int _PyFuture_CheckReady(Future *self);
/* 1: *result is a new reference to the result; 0: to the exception, whose traceback is as it
   was set, and which now counts as seen; -1: there is none, and an exception is set. */
int _PyFuture_Get(Future *self, PyObject **result);
/* The methods of Future, whatever a subclass has. 0 or -1; _PyFuture_Cancel(): 1 if it is cancelled
   now, 0 if it was done before. msg may be NULL. */
int _PyFuture_SetResult(Future *self, PyObject *result);
int _PyFuture_SetException(Future *self, PyObject *exception);
int _PyFuture_Cancel(Future *self, PyObject *msg);
/* context may be NULL: a copy of the current one. */
int _PyFuture_AddCallback(Future *self, PyObject *function, PyObject *context);
/* A new CancelledError, or the one that was kept. */
PyObject *_PyFuture_MakeCancelledError(Future *self);
/* Tells the loop's exception handler of `self`, which dies. The dict becomes this function's. */
void _PyFuture_Report(Future *self, PyObject *context);
void _PyFuture_ReportUnseen(Future *self);

/* tp_iter and am_await */
PyObject *_PyFuture_Await(PyObject *op);
extern PyAsyncMethods _PyFuture_as_async;
int _PyFuture_Traverse(PyObject *op, visitproc visit, void *arg);
int _PyFuture_Clear(PyObject *op);

/* --------------------------------------------------------------- future_iter.c */

PyObject *_PyFuture_NewIter(PyObject *future);

/* --------------------------------------------------------------------- step.c */

/* Schedules a step of the task, which throws `exc` unless that is NULL. 0 or -1. */
int _PyTask_ScheduleStep(Task *task, PyObject *exc);

/* ----------------------------------------------------------------- schedule.c */

/* loop.call_soon(function, arg, context=context); arg may be NULL: none, or context: not given.
   0 or -1. */
int _PyAsyncio_CallSoon(PyObject *loop, PyObject *function, PyObject *arg, PyObject *context);
/* loop.get_debug(): 1, 0 or -1. */
int _PyAsyncio_IsDebug(PyObject *loop);
/* future.cancel(msg): its truth, or -1. */
int _PyAsyncio_CancelOther(PyObject *future, PyObject *msg);

/* --------------------------------------------------------------- plain_loop.c */

/* _PyAsyncio_CallSoon(), where the loop is known to do what asyncio's do. 1: done; 0: it has to be
   called; -1. */
int _PyAsyncio_PlainCallSoon(PyObject *loop, PyObject *function, PyObject *arg,
                             PyObject *context);
/* _PyAsyncio_IsDebug() likewise: 1 or 0; -1: it has to be called. */
int _PyAsyncio_PlainDebug(PyObject *loop);
/* NULL with MemoryError. */
struct _PyAsyncio_PlainLoop *_PyAsyncio_NewPlainLoop(void);
void _PyAsyncio_FreePlainLoop(struct _PyAsyncio_PlainLoop *);

/* ------------------------------------------------------------------- running.c */

/* The loop that runs in this thread, or the policy's. Returns a new reference. */
PyObject *_PyAsyncio_EventLoop(void);
/* Notices forks from now on. 0 or -1. */
int _PyAsyncio_WatchForks(void);

/* get_running_loop(), _get_running_loop(), _set_running_loop(), get_event_loop(),
   _get_event_loop() */
extern PyMethodDef _PyAsyncio_loop_functions[];

/* ------------------------------------------------------------------ registry.c */

/* _all_tasks.add(task), and current_tasks[loop] = task. 0 or -1. */
int _PyAsyncio_Register(PyObject *task);
int _PyAsyncio_Enter(PyObject *loop, PyObject *task);
int _PyAsyncio_Leave(PyObject *loop, PyObject *task);

/* _register_task(), _unregister_task(), _enter_task(), _leave_task() */
extern PyMethodDef _PyAsyncio_task_functions[];

#endif
