/* Which event loop runs in this thread.

   A forked child begins with none, though the thread that it consists of is a copy of one
   that has. python3.11 compares process ids each time; here each fork is counted, by a handler that
   the C library calls in the child, and a thread's loop counts only if it was set after the
   last one. */
#include "asyncio_impl.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/pystate.h"
#include <pthread.h>

/* Forks between the first process that had this module and this one. */
static unsigned forks;

static void
count_fork(void)
{
    forks++;
}

int
_PyAsyncio_WatchForks(void)
{
    static int watches;
    if (!watches) {
        int error = pthread_atfork(NULL, NULL, count_fork);
        if (error != 0) {
            errno = error;
            PyErr_SetFromErrno(PyExc_OSError);
            return -1;
        }
        watches = 1;
    }
    return 0;
}

static _PyThreadStateImpl *
this_thread(void)
{
    return (_PyThreadStateImpl *)_PyThreadState_GET();
}

/* Returns a borrowed reference, or NULL without an exception. */
static PyObject *
running_loop(void)
{
    _PyThreadStateImpl *thread = this_thread();
    return thread->running_loop_forks == forks ? thread->running_loop : NULL;
}

PyObject *
_PyAsyncio_EventLoop(void)
{
    PyObject *loop = running_loop();
    if (loop != NULL) {
        return Py_NewRef(loop);
    }
    PyObject *policy = PyObject_CallNoArgs(_PyAsyncio()->get_event_loop_policy);
    if (policy == NULL) {
        return NULL;
    }
    loop = PyObject_CallMethodNoArgs(policy, _Py_NAME(get_event_loop));
    Py_DECREF(policy);
    return loop;
}

static PyObject *
get_running_loop(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *loop = running_loop();
    if (loop == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "no running event loop");
        return NULL;
    }
    return Py_NewRef(loop);
}

static PyObject *
get_running_loop_or_none(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *loop = running_loop();
    return Py_NewRef(loop == NULL ? Py_None : loop);
}

static PyObject *
set_running_loop(PyObject *Py_UNUSED(module), PyObject *loop)
{
    _PyThreadStateImpl *thread = this_thread();
    PyObject *before = thread->running_loop;
    thread->running_loop = loop == Py_None ? NULL : Py_NewRef(loop);
    thread->running_loop_forks = forks;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyObject *
get_event_loop(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return _PyAsyncio_EventLoop();
}

static PyObject *
get_event_loop_at_level(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                        PyObject *kwnames)
{
    static const char *const keywords[] = {"stacklevel", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "_get_event_loop"};
    PyObject *given[1];
    if (_PyArg_UnpackFilled(args, nargs, kwnames, &parser, 0, 1, 0, given) == NULL) {
        return NULL;
    }
    if (given[0] != NULL && _PyLong_AsInt(given[0]) == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return _PyAsyncio_EventLoop();
}

PyMethodDef _PyAsyncio_loop_functions[] = {
    {"get_running_loop", get_running_loop, METH_NOARGS,
     "get_running_loop($module, /)\n--\n\n"
     "Return the event loop that runs in this thread; RuntimeError if there is none."},
    {"_get_running_loop", get_running_loop_or_none, METH_NOARGS,
     "_get_running_loop($module, /)\n--\n\n"
     "Return the event loop that runs in this thread, or None. For event loops."},
    {"_set_running_loop", set_running_loop, METH_O,
     "_set_running_loop($module, loop, /)\n--\n\n"
     "Set the event loop that runs in this thread, or None. For event loops."},
    {"get_event_loop", get_event_loop, METH_NOARGS,
     "get_event_loop($module, /)\n--\n\n"
     "Return the event loop that runs in this thread, or else that of the current policy."},
    {"_get_event_loop", FAST_KEYWORDS(get_event_loop_at_level),
     "_get_event_loop($module, /, stacklevel=3)\n--\n\n"},
    {NULL, NULL, 0, NULL}
};
