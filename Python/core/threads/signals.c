/* Signals: from the C handler to the Python one.

   The C handler only records what arrived: in the signal's `tripped`, the summary
   any_tripped, and the main thread's eval_breaker. Python handlers run in the main thread
   of the main interpreter, at its next safe point or when C code calls
   PyErr_CheckSignals.

   Invariant: table[i].func is NULL (not ours), one of the objects for SIG_DFL and
   SIG_IGN, or callable. It changes only with the GIL held. */
#include "Python.h"
#include "frameobject.h"
#include "internal/errors.h"
#include "internal/method_table.h"
#include "internal/pystate.h"
#include "internal/signals.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>

static struct {
    _Atomic(PyObject *) func;
    atomic_int tripped;
} table[_Py_NSIG];

static atomic_int any_tripped;

static PyObject *default_handler, *ignore_handler, *int_handler;

static struct {
    atomic_int fd;
    int warn_on_full_buffer;
    atomic_int error;           /* errno of a write that failed, or 0 */
} wakeup = {.fd = -1, .warn_on_full_buffer = 1};

/* --------------------------------------------------------- in the C handler */

static void
trip(int signum)
{
    atomic_store(&table[signum].tripped, 1);
    atomic_store(&any_tripped, 1);
    _PyEval_SignalReceived();

    int fd = atomic_load(&wakeup.fd);
    if (fd == -1) {
        return;
    }
    unsigned char byte = (unsigned char)signum;
    ssize_t done;
    do {
        done = write(fd, &byte, 1);
    } while (done < 0 && errno == EINTR);
    if (done < 0
        && (wakeup.warn_on_full_buffer
            || (errno != EAGAIN && errno != EWOULDBLOCK))) {
        atomic_store(&wakeup.error, errno);
    }
}

static void
c_handler(int signum)
{
    int saved = errno;
    trip(signum);
    errno = saved;
}

/* ------------------------------------------------------- in the main thread */

static void
report_wakeup_error(int number)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    errno = number;
    PyErr_SetFromErrno(PyExc_OSError);
    PySys_WriteStderr("Exception ignored when trying to write to the "
                      "signal wakeup fd:\n");
    PyErr_WriteUnraisable(NULL);
    PyErr_Restore(type, value, traceback);
}

static int
is_callable_handler(PyObject *func)
{
    return func != NULL && func != Py_None && func != default_handler
        && func != ignore_handler;
}

static int
call_handler(int signum, PyObject *func, PyObject *frame)
{
    PyObject *number = PyLong_FromLong(signum);
    if (number == NULL) {
        return -1;
    }
    PyObject *args[] = {number, frame};
    Py_INCREF(func);
    PyObject *result = PyObject_Vectorcall(func, args, 2, NULL);
    Py_DECREF(func);
    Py_DECREF(number);
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int
_PyErr_CheckSignalsTstate(PyThreadState *tstate)
{
    if (!atomic_load_explicit(&any_tripped, memory_order_relaxed)) {
        return 0;
    }
    /* Cleared before the loop: a signal that arrives during the loop sets it again. The
       loads in the loop are sequentially consistent. Weaker ones could be done before
       this store, and a signal that arrives between the two would be lost. */
    atomic_store(&any_tripped, 0);
    int error = atomic_exchange(&wakeup.error, 0);
    if (error != 0) {
        report_wakeup_error(error);
    }
    PyObject *frame = (PyObject *)PyThreadState_GetFrame(tstate);
    if (frame == NULL) {
        frame = Py_NewRef(Py_None);
    }
    int status = 0;
    for (int i = 1; i < _Py_NSIG; i++) {
        if (!atomic_load(&table[i].tripped)) {
            continue;
        }
        atomic_store(&table[i].tripped, 0);
        PyObject *func = atomic_load(&table[i].func);
        if (!is_callable_handler(func)) {
            /* Another handler was set after the signal had arrived. */
            PyErr_Format(PyExc_OSError,
                         "Signal %i ignored due to race condition", i);
            PyErr_WriteUnraisable(Py_None);
            continue;
        }
        if (call_handler(i, func, frame) < 0) {
            /* The others are handled at the next safe point. */
            atomic_store(&any_tripped, 1);
            _PyEval_SignalReceived();
            status = -1;
            break;
        }
    }
    Py_DECREF(frame);
    return status;
}

int
_PyErr_CheckSignals(void)
{
    return _PyErr_CheckSignalsTstate(_PyThreadState_GET());
}

int
PyErr_CheckSignals(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (!_Py_IsMainThread() || !_Py_IsMainInterpreter(tstate->interp)) {
        return 0;
    }
    return _PyErr_CheckSignalsTstate(tstate);
}

int
PyErr_SetInterruptEx(int signum)
{
    if (signum < 1 || signum >= _Py_NSIG) {
        return -1;
    }
    PyObject *func = atomic_load(&table[signum].func);
    if (func != ignore_handler && func != default_handler) {
        trip(signum);
    }
    return 0;
}

void
PyErr_SetInterrupt(void)
{
    (void)PyErr_SetInterruptEx(SIGINT);
}

int
PyOS_InterruptOccurred(void)
{
    return _Py_IsMainThread()
        && atomic_exchange(&table[SIGINT].tripped, 0) != 0;
}

int
_PyOS_IsMainThread(void)
{
    return _Py_IsMainThread()
        && _Py_IsMainInterpreter(_PyInterpreterState_GET());
}

/* ---------------------------------------------------------------- the table */

PyOS_sighandler_t
PyOS_getsig(int signum)
{
    struct sigaction action;
    return sigaction(signum, NULL, &action) < 0 ? SIG_ERR : action.sa_handler;
}

PyOS_sighandler_t
PyOS_setsig(int signum, PyOS_sighandler_t handler)
{
    struct sigaction action, old;
    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    /* A handler must run even when the stack has overflowed. */
    action.sa_flags = SA_ONSTACK;
    return sigaction(signum, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

PyObject *
_PySignal_GetHandler(int signum)
{
    return Py_XNewRef(atomic_load(&table[signum].func));
}

PyObject *
_PySignal_SetHandler(int signum, PyObject *handler)
{
    return atomic_exchange(&table[signum].func, handler);
}

/* Takes over a handler as C's sigaction(2) shows it. */
static void
catch_in_c(int signum)
{
    PyOS_setsig(signum, c_handler);
}

PyOS_sighandler_t
_PySignal_CHandler(void)
{
    return c_handler;
}

PyObject *
_PySignal_DefaultHandler(void)
{
    return default_handler;
}

PyObject *
_PySignal_IgnoreHandler(void)
{
    return ignore_handler;
}

PyObject *
_PySignal_IntHandler(void)
{
    return int_handler;
}

void
_PySignal_BindIntHandler(PyObject *module)
{
    PyCFunctionObject *handler = (PyCFunctionObject *)int_handler;
    if (handler->m_self == NULL) {
        handler->m_self = Py_NewRef(module);
    }
}

int
_PySignal_SetWakeupFd(int fd, int warn_on_full_buffer, int *old_fd)
{
    *old_fd = atomic_exchange(&wakeup.fd, fd);
    wakeup.warn_on_full_buffer = warn_on_full_buffer;
    return 0;
}

/* ------------------------------------------------------ start and shut-down */

PyDoc_STRVAR(default_int_handler_doc,
"default_int_handler($module, signalnum, frame, /)\n--\n\n"
"The handler of SIGINT: raises KeyboardInterrupt.");

static PyObject *
default_int_handler(PyObject *Py_UNUSED(module), PyObject *const *args,
                    Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("default_int_handler", nargs, 2, 2)) {
        return NULL;
    }
    int signum = _PyLong_AsInt(args[0]);
    if (signum == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return NULL;
}

static PyMethodDef int_handler_def = {
    "default_int_handler", FAST(default_int_handler), default_int_handler_doc,
};

static void
fill_table(void)
{
    for (int i = 1; i < _Py_NSIG; i++) {
        PyOS_sighandler_t handler = PyOS_getsig(i);
        PyObject *func = handler == SIG_DFL ? default_handler
            : handler == SIG_IGN ? ignore_handler : NULL;
        Py_XDECREF(_PySignal_SetHandler(i, Py_XNewRef(func)));
    }
}

/* A broken pipe or a file that is too large is an error of the call, and must not end the
   process. */
static const int ignored_signals[] = {SIGPIPE, SIGXFSZ};

/* Also called by event loops that fork by themselves (uvloop). Async-signal-safe. */
void
_Py_RestoreSignals(void)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(ignored_signals); i++) {
        PyOS_setsig(ignored_signals[i], SIG_DFL);
    }
}

int
_PySignal_Init(int install_handlers)
{
    default_handler = PyLong_FromVoidPtr((void *)SIG_DFL);
    ignore_handler = PyLong_FromVoidPtr((void *)SIG_IGN);
    PyObject *name = PyUnicode_InternFromString("_signal");
    int_handler = name == NULL ? NULL
        : PyCFunction_NewEx(&int_handler_def, NULL, name);
    Py_XDECREF(name);
    if (default_handler == NULL || ignore_handler == NULL
        || int_handler == NULL) {
        return -1;
    }
    if (install_handlers) {
        for (size_t i = 0; i < Py_ARRAY_LENGTH(ignored_signals); i++) {
            PyOS_setsig(ignored_signals[i], SIG_IGN);
        }
    }
    fill_table();
    if (install_handlers && atomic_load(&table[SIGINT].func)
                            == default_handler) {
        Py_XDECREF(_PySignal_SetHandler(SIGINT, Py_NewRef(int_handler)));
        catch_in_c(SIGINT);
    }
    return 0;
}

/* Puts default handlers back, and frees the table. */
static void
fini_signals(void)
{
    atomic_store(&wakeup.fd, -1);
    for (int i = 1; i < _Py_NSIG; i++) {
        PyObject *func = _PySignal_SetHandler(i, NULL);
        atomic_store(&table[i].tripped, 0);
        if (is_callable_handler(func)) {
            PyOS_setsig(i, SIG_DFL);
        }
        Py_XDECREF(func);
    }
    Py_CLEAR(default_handler);
    Py_CLEAR(ignore_handler);
    Py_CLEAR(int_handler);
}

void
PyOS_FiniInterrupts(void)
{
    fini_signals();
}

/* Signals that arrived before fork() are handled by the parent. */
void
_PySignal_AfterFork(void)
{
    atomic_store(&any_tripped, 0);
    for (int i = 1; i < _Py_NSIG; i++) {
        atomic_store(&table[i].tripped, 0);
    }
}
