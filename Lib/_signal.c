/* The _signal module: Python's view of Python/core/threads/signals.c, and the signal
   functions of POSIX. */
#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/pystate.h"
#include "internal/sampler.h"
#include "internal/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct {
    PyObject *itimer_error;
    PyTypeObject *siginfo_type;
} signal_state;

static inline signal_state *
get_state(PyObject *module)
{
    return PyModule_GetState(module);
}

static int
is_signal(int signum)
{
    if (signum >= 1 && signum < _Py_NSIG) {
        return 1;
    }
    PyErr_SetString(PyExc_ValueError, "signal number out of range");
    return 0;
}

/* The one int argument, which must be a signal's number: -1 on error. */
static int
signal_number(PyObject *arg)
{
    int signum = _PyLong_AsInt(arg);
    if (signum == -1 && PyErr_Occurred()) {
        return -1;
    }
    return is_signal(signum) ? signum : -1;
}

/* ----------------------------------------------------------------- handlers */

static int
is_handler(PyObject *op, PyObject *special)
{
    if (op == special) {
        return 1;
    }
    /* signal.Handlers members are ints of another class. */
    if (!PyLong_Check(op)) {
        return 0;
    }
    return PyObject_RichCompareBool(op, special, Py_EQ);
}

PyDoc_STRVAR(signal_doc,
"signal($module, signalnum, handler, /)\n--\n\n"
"Set what happens when the signal arrives, and return what happened before.\n\n"
"handler is SIG_IGN, SIG_DFL, or a function of the signal's number and the\n"
"interrupted frame.");

static PyObject *
signal_signal(PyObject *Py_UNUSED(module), PyObject *const *args,
              Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("signal", nargs, 2, 2)) {
        return NULL;
    }
    int signum = _PyLong_AsInt(args[0]);
    if (signum == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *handler = args[1];
    if (!_PyOS_IsMainThread()) {
        PyErr_SetString(PyExc_ValueError, "signal only works in main thread "
                                          "of the main interpreter");
        return NULL;
    }
    if (!is_signal(signum)) {
        return NULL;
    }
    PyOS_sighandler_t function;
    if (PyCallable_Check(handler)) {
        function = _PySignal_CHandler();
    }
    else if (is_handler(handler, _PySignal_IgnoreHandler())) {
        handler = _PySignal_IgnoreHandler();
        function = SIG_IGN;
    }
    else if (is_handler(handler, _PySignal_DefaultHandler())) {
        handler = _PySignal_DefaultHandler();
        function = SIG_DFL;
    }
    else {
        PyErr_SetString(PyExc_TypeError, "signal handler must be "
                        "signal.SIG_IGN, signal.SIG_DFL, or a callable "
                        "object");
        return NULL;
    }
    /* Signals that have already arrived are for the old handler. */
    if (PyErr_CheckSignals() < 0) {
        return NULL;
    }
    if (PyOS_setsig(signum, function) == SIG_ERR) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    PyObject *old = _PySignal_SetHandler(signum, Py_NewRef(handler));
    return old != NULL ? old : Py_NewRef(Py_None);
}

PyDoc_STRVAR(getsignal_doc,
"getsignal($module, signalnum, /)\n--\n\n"
"Return the handler; None if it was not installed from Python.");

static PyObject *
signal_getsignal(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int signum = signal_number(arg);
    if (signum < 0) {
        return NULL;
    }
    PyObject *handler = _PySignal_GetHandler(signum);
    return handler != NULL ? handler : Py_NewRef(Py_None);
}

PyDoc_STRVAR(siginterrupt_doc,
"siginterrupt($module, signalnum, flag, /)\n--\n\n"
"Choose whether the signal interrupts system calls or restarts them.");

static PyObject *
signal_siginterrupt(PyObject *Py_UNUSED(module), PyObject *const *args,
                    Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("siginterrupt", nargs, 2, 2)) {
        return NULL;
    }
    int signum = _PyLong_AsInt(args[0]);
    if (signum == -1 && PyErr_Occurred()) {
        return NULL;
    }
    int flag = _PyLong_AsInt(args[1]);
    if ((flag == -1 && PyErr_Occurred()) || !is_signal(signum)) {
        return NULL;
    }
    struct sigaction action;
    (void)sigaction(signum, NULL, &action);
    if (flag) {
        action.sa_flags &= ~SA_RESTART;
    }
    else {
        action.sa_flags |= SA_RESTART;
    }
    if (sigaction(signum, &action, NULL) < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(set_wakeup_fd_doc,
"set_wakeup_fd(fd, *, warn_on_full_buffer=True) -> fd\n\n"
"Write a byte to fd whenever a signal arrives. Returns the previous fd.");

static PyObject *
signal_set_wakeup_fd(PyObject *Py_UNUSED(module), PyObject *args,
                     PyObject *kwds)
{
    static char *names[] = {"", "warn_on_full_buffer", NULL};
    int fd, warn = 1, old;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "i|$p:set_wakeup_fd", names,
                                     &fd, &warn)) {
        return NULL;
    }
    if (!_PyOS_IsMainThread()) {
        PyErr_SetString(PyExc_ValueError, "set_wakeup_fd only works in main "
                                          "thread of the main interpreter");
        return NULL;
    }
    if (fd != -1) {
        struct stat status;
        int flags = fstat(fd, &status) < 0 ? -1 : fcntl(fd, F_GETFL, 0);
        if (flags < 0) {
            return PyErr_SetFromErrno(PyExc_OSError);
        }
        if (!(flags & O_NONBLOCK)) {
            return PyErr_Format(PyExc_ValueError,
                                "the fd %i must be in non-blocking mode", fd);
        }
    }
    _PySignal_SetWakeupFd(fd, warn, &old);
    return PyLong_FromLong(old);
}

/* ------------------------------------------------------------------- timers */

PyDoc_STRVAR(alarm_doc,
"alarm($module, seconds, /)\n--\n\n"
"Arrange for SIGALRM. Returns the seconds left of an earlier alarm.");

static PyObject *
signal_alarm(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int seconds = _PyLong_AsInt(arg);
    if (seconds == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return PyLong_FromLong((long)alarm((unsigned int)seconds));
}

PyDoc_STRVAR(pause_doc, "pause($module, /)\n--\n\nWait for a signal.");

static PyObject *
signal_pause(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    Py_BEGIN_ALLOW_THREADS
    (void)pause();
    Py_END_ALLOW_THREADS
    if (PyErr_CheckSignals()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static int
timeval_from_object(PyObject *op, struct timeval *tv)
{
    _PyTime_t t;
    if (op == NULL) {
        tv->tv_sec = 0;
        tv->tv_usec = 0;
        return 0;
    }
    if (_PyTime_FromSecondsObject(&t, op, _PyTime_ROUND_CEILING) < 0) {
        return -1;
    }
    return _PyTime_AsTimeval(t, tv, _PyTime_ROUND_CEILING);
}

static PyObject *
itimer_tuple(const struct itimerval *timer)
{
    return Py_BuildValue("(dd)",
                         timer->it_value.tv_sec
                             + timer->it_value.tv_usec * 1e-6,
                         timer->it_interval.tv_sec
                             + timer->it_interval.tv_usec * 1e-6);
}

PyDoc_STRVAR(setitimer_doc,
"setitimer($module, which, seconds, interval=0.0, /)\n--\n\n"
"Set a timer that sends a signal after seconds, then every interval.");

static PyObject *
signal_setitimer(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    struct itimerval new, old;
    if (!_PyArg_CheckPositional("setitimer", nargs, 2, 3)) {
        return NULL;
    }
    int which = _PyLong_AsInt(args[0]);
    if (which == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (timeval_from_object(args[1], &new.it_value) < 0
        || timeval_from_object(nargs > 2 ? args[2] : NULL,
                               &new.it_interval) < 0) {
        return NULL;
    }
    if (setitimer((__itimer_which_t)which, &new, &old) != 0) {
        return PyErr_SetFromErrno(get_state(module)->itimer_error);
    }
    return itimer_tuple(&old);
}

PyDoc_STRVAR(getitimer_doc,
"getitimer($module, which, /)\n--\n\nReturn a timer's (seconds, interval).");

static PyObject *
signal_getitimer(PyObject *module, PyObject *arg)
{
    struct itimerval timer;
    int which = _PyLong_AsInt(arg);
    if (which == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (getitimer((__itimer_which_t)which, &timer) != 0) {
        return PyErr_SetFromErrno(get_state(module)->itimer_error);
    }
    return itimer_tuple(&timer);
}

/* ------------------------------------------------------------------ sending */

PyDoc_STRVAR(raise_signal_doc,
"raise_signal($module, signalnum, /)\n--\n\nSend a signal to this process.");

static PyObject *
signal_raise_signal(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int signum = _PyLong_AsInt(arg), failed;
    if (signum == -1 && PyErr_Occurred()) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    failed = raise(signum);
    Py_END_ALLOW_THREADS
    if (failed) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    /* Run the handlers here, not at some later place. */
    if (PyErr_CheckSignals()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(pthread_kill_doc,
"pthread_kill($module, thread_id, signalnum, /)\n--\n\n"
"Send a signal to a thread.");

static PyObject *
signal_pthread_kill(PyObject *Py_UNUSED(module), PyObject *const *args,
                    Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("pthread_kill", nargs, 2, 2)) {
        return NULL;
    }
    if (!PyLong_Check(args[0])) {
        _PyArg_BadArgument("pthread_kill", "argument 1", "int", args[0]);
        return NULL;
    }
    unsigned long thread = PyLong_AsUnsignedLongMask(args[0]);
    int signum = _PyLong_AsInt(args[1]);
    if (signum == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (PySys_Audit("signal.pthread_kill", "ki", thread, signum) < 0) {
        return NULL;
    }
    int error = pthread_kill((pthread_t)thread, signum);
    if (error != 0) {
        errno = error;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    if (PyErr_CheckSignals()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(pidfd_send_signal_doc,
"pidfd_send_signal($module, pidfd, signalnum, siginfo=None, flags=0, /)\n--\n\n"
"Send a signal to the process that a file descriptor stands for.");

static PyObject *
signal_pidfd_send_signal(PyObject *Py_UNUSED(module), PyObject *const *args,
                         Py_ssize_t nargs)
{
    int flags = 0;
    if (!_PyArg_CheckPositional("pidfd_send_signal", nargs, 2, 4)) {
        return NULL;
    }
    int pidfd = _PyLong_AsInt(args[0]);
    if (pidfd == -1 && PyErr_Occurred()) {
        return NULL;
    }
    int signum = _PyLong_AsInt(args[1]);
    if (signum == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (nargs > 3) {
        flags = _PyLong_AsInt(args[3]);
        if (flags == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (nargs > 2 && args[2] != Py_None) {
        PyErr_SetString(PyExc_TypeError, "siginfo must be None");
        return NULL;
    }
    if (syscall(SYS_pidfd_send_signal, pidfd, signum, NULL, flags) < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------- signal sets */

static int
add_signal(sigset_t *set, PyObject *item)
{
    int overflow;
    long signum = PyLong_AsLongAndOverflow(item, &overflow);
    if (signum == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (overflow || signum <= 0 || signum >= _Py_NSIG) {
        PyErr_Format(PyExc_ValueError,
                     "signal number %ld out of range [1; %i]", signum,
                     _Py_NSIG - 1);
        return -1;
    }
    if (sigaddset(set, (int)signum) != 0) {
        if (errno != EINVAL) {
            PyErr_SetFromErrno(PyExc_OSError);
            return -1;
        }
        /* The C library reserves some signals for itself. */
        return PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "invalid signal "
                                "number %ld, please use valid_signals()",
                                signum);
    }
    return 0;
}

int
_Py_Sigset_Converter(PyObject *obj, void *sigset)
{
    sigset_t *set = sigset;
    if (sigemptyset(set) != 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return 0;
    }
    PyObject *iterator = PyObject_GetIter(obj);
    if (iterator == NULL) {
        return 0;
    }
    PyObject *item;
    while ((item = PyIter_Next(iterator)) != NULL) {
        int failed = add_signal(set, item) < 0;
        Py_DECREF(item);
        if (failed) {
            break;
        }
    }
    Py_DECREF(iterator);
    /* A program that blocks all signals, or waits for any, doesn't mean a profiler's. */
    if (_PySampler_Signal != 0) {
        sigdelset(set, _PySampler_Signal);
    }
    return !PyErr_Occurred();
}

static PyObject *
set_from_sigset(const sigset_t *sigset)
{
    PyObject *result = PySet_New(NULL);
    if (result == NULL) {
        return NULL;
    }
    for (int i = 1; i < _Py_NSIG; i++) {
        if (sigismember(sigset, i) != 1) {
            continue;
        }
        PyObject *number = PyLong_FromLong(i);
        if (number == NULL || PySet_Add(result, number) < 0) {
            Py_XDECREF(number);
            Py_DECREF(result);
            return NULL;
        }
        Py_DECREF(number);
    }
    return result;
}

PyDoc_STRVAR(pthread_sigmask_doc,
"pthread_sigmask($module, how, mask, /)\n--\n\n"
"Get and change which signals this thread blocks.");

static PyObject *
signal_pthread_sigmask(PyObject *Py_UNUSED(module), PyObject *const *args,
                       Py_ssize_t nargs)
{
    sigset_t mask, previous;
    if (!_PyArg_CheckPositional("pthread_sigmask", nargs, 2, 2)) {
        return NULL;
    }
    int how = _PyLong_AsInt(args[0]);
    if (how == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (!_Py_Sigset_Converter(args[1], &mask)) {
        return NULL;
    }
    int error = pthread_sigmask(how, &mask, &previous);
    if (error != 0) {
        errno = error;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    /* Handle signals that have just been unblocked. */
    if (PyErr_CheckSignals()) {
        return NULL;
    }
    return set_from_sigset(&previous);
}

PyDoc_STRVAR(sigpending_doc,
"sigpending($module, /)\n--\n\nReturn the signals that wait to be unblocked.");

static PyObject *
signal_sigpending(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    sigset_t set;
    if (sigpending(&set) != 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return set_from_sigset(&set);
}

PyDoc_STRVAR(sigwait_doc,
"sigwait($module, sigset, /)\n--\n\nWait for one of the signals.");

static PyObject *
signal_sigwait(PyObject *Py_UNUSED(module), PyObject *arg)
{
    sigset_t set;
    int error, signum;
    if (!_Py_Sigset_Converter(arg, &set)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    error = sigwait(&set, &signum);
    Py_END_ALLOW_THREADS
    if (error != 0) {
        errno = error;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return PyLong_FromLong(signum);
}

PyDoc_STRVAR(valid_signals_doc,
"valid_signals($module, /)\n--\n\nReturn the signals that this system has.");

static PyObject *
signal_valid_signals(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    sigset_t set;
    if (sigemptyset(&set) != 0 || sigfillset(&set) != 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return set_from_sigset(&set);
}

static PyStructSequence_Field siginfo_fields[] = {
    {"si_signo", "signal number"},
    {"si_code", "signal code"},
    {"si_errno", "errno associated with this signal"},
    {"si_pid", "sending process ID"},
    {"si_uid", "real user ID of sending process"},
    {"si_status", "exit value or signal"},
    {"si_band", "band event for SIGPOLL"},
    {NULL, NULL},
};

static PyStructSequence_Desc siginfo_desc = {
    .name = "signal.struct_siginfo",
    .doc = "struct_siginfo: Result from sigwaitinfo or sigtimedwait.",
    .fields = siginfo_fields,
    .n_in_sequence = 7,
};

static PyObject *
make_siginfo(signal_state *state, const siginfo_t *info)
{
    PyObject *result = PyStructSequence_New(state->siginfo_type);
    if (result == NULL) {
        return NULL;
    }
    PyObject *items[] = {
        PyLong_FromLong(info->si_signo),
        PyLong_FromLong(info->si_code),
        PyLong_FromLong(info->si_errno),
        PyLong_FromLong(info->si_pid),
        PyLong_FromLong((long)info->si_uid),
        PyLong_FromLong(info->si_status),
        PyLong_FromLong(info->si_band),
    };
    for (int i = 0; i < 7; i++) {
        PyStructSequence_SET_ITEM(result, i, items[i]);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(result);
    }
    return result;
}

PyDoc_STRVAR(sigwaitinfo_doc,
"sigwaitinfo($module, sigset, /)\n--\n\n"
"Wait for one of the signals and tell about it.");

static PyObject *
signal_sigwaitinfo(PyObject *module, PyObject *arg)
{
    sigset_t set;
    siginfo_t info;
    if (!_Py_Sigset_Converter(arg, &set)) {
        return NULL;
    }
    for (;;) {
        int failed, interrupted;
        Py_BEGIN_ALLOW_THREADS
        failed = sigwaitinfo(&set, &info) == -1;
        interrupted = errno == EINTR;
        Py_END_ALLOW_THREADS
        if (!failed) {
            return make_siginfo(get_state(module), &info);
        }
        if (!interrupted) {
            return PyErr_SetFromErrno(PyExc_OSError);
        }
        if (PyErr_CheckSignals()) {
            return NULL;
        }
    }
}

PyDoc_STRVAR(sigtimedwait_doc,
"sigtimedwait($module, sigset, timeout, /)\n--\n\n"
"As sigwaitinfo(), but return None after timeout seconds.");

static PyObject *
signal_sigtimedwait(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    sigset_t set;
    siginfo_t info;
    _PyTime_t timeout;
    if (!_PyArg_CheckPositional("sigtimedwait", nargs, 2, 2)
        || !_Py_Sigset_Converter(args[0], &set)
        || _PyTime_FromSecondsObject(&timeout, args[1],
                                     _PyTime_ROUND_CEILING) < 0) {
        return NULL;
    }
    if (timeout < 0) {
        PyErr_SetString(PyExc_ValueError, "timeout must be non-negative");
        return NULL;
    }
    _PyTime_t deadline = _PyDeadline_Init(timeout);
    for (;;) {
        struct timespec ts;
        int failed, error;
        if (_PyTime_AsTimespec(timeout, &ts) < 0) {
            return NULL;
        }
        Py_BEGIN_ALLOW_THREADS
        failed = sigtimedwait(&set, &info, &ts) == -1;
        error = errno;
        Py_END_ALLOW_THREADS
        if (!failed) {
            return make_siginfo(get_state(module), &info);
        }
        if (error == EAGAIN) {
            Py_RETURN_NONE;
        }
        if (error != EINTR) {
            errno = error;
            return PyErr_SetFromErrno(PyExc_OSError);
        }
        if (PyErr_CheckSignals()) {
            return NULL;
        }
        timeout = _PyDeadline_Get(deadline);
        if (timeout < 0) {
            Py_RETURN_NONE;
        }
    }
}

PyDoc_STRVAR(strsignal_doc,
"strsignal($module, signalnum, /)\n--\n\n"
"Describe a signal; None if the system has no text for it.");

static PyObject *
signal_strsignal(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int signum = signal_number(arg);
    if (signum < 0) {
        return NULL;
    }
    errno = 0;
    const char *text = strsignal(signum);
    if (errno != 0 || text == NULL || strstr(text, "Unknown signal") != NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(text);
}

/* --------------------------------------------------------------- the module */

static PyMethodDef signal_methods[] = {
    {"signal", FAST(signal_signal), signal_doc},
    {"getsignal", signal_getsignal, METH_O, getsignal_doc},
    {"raise_signal", signal_raise_signal, METH_O, raise_signal_doc},
    {"strsignal", signal_strsignal, METH_O, strsignal_doc},
    {"set_wakeup_fd", VAR_KEYWORDS(signal_set_wakeup_fd), set_wakeup_fd_doc},
    {"siginterrupt", FAST(signal_siginterrupt),
     siginterrupt_doc},
    {"alarm", signal_alarm, METH_O, alarm_doc},
    {"setitimer", FAST(signal_setitimer),
     setitimer_doc},
    {"getitimer", signal_getitimer, METH_O, getitimer_doc},
    {"pause", signal_pause, METH_NOARGS, pause_doc},
    {"pidfd_send_signal", FAST(signal_pidfd_send_signal), pidfd_send_signal_doc},
    {"pthread_kill", FAST(signal_pthread_kill),
     pthread_kill_doc},
    {"pthread_sigmask", FAST(signal_pthread_sigmask), pthread_sigmask_doc},
    {"sigpending", signal_sigpending, METH_NOARGS, sigpending_doc},
    {"sigwait", signal_sigwait, METH_O, sigwait_doc},
    {"sigwaitinfo", signal_sigwaitinfo, METH_O, sigwaitinfo_doc},
    {"sigtimedwait", FAST(signal_sigtimedwait),
     sigtimedwait_doc},
    {"valid_signals", signal_valid_signals, METH_NOARGS, valid_signals_doc},
    {NULL, NULL, 0, NULL},
};

static const struct {
    const char *name;
    int value;
} constants[] = {
#define ROW(name) {#name, name}
    ROW(SIG_BLOCK), ROW(SIG_UNBLOCK), ROW(SIG_SETMASK),
    ROW(SIGHUP), ROW(SIGINT), ROW(SIGQUIT), ROW(SIGILL), ROW(SIGTRAP),
    ROW(SIGIOT), ROW(SIGABRT), ROW(SIGFPE), ROW(SIGKILL), ROW(SIGBUS),
    ROW(SIGSEGV), ROW(SIGSYS), ROW(SIGPIPE), ROW(SIGALRM), ROW(SIGTERM),
    ROW(SIGUSR1), ROW(SIGUSR2), ROW(SIGCLD), ROW(SIGCHLD), ROW(SIGPWR),
    ROW(SIGIO), ROW(SIGURG), ROW(SIGWINCH), ROW(SIGPOLL), ROW(SIGSTOP),
    ROW(SIGTSTP), ROW(SIGCONT), ROW(SIGTTIN), ROW(SIGTTOU), ROW(SIGVTALRM),
    ROW(SIGPROF), ROW(SIGXCPU), ROW(SIGXFSZ), ROW(SIGSTKFLT),
    ROW(ITIMER_REAL), ROW(ITIMER_VIRTUAL), ROW(ITIMER_PROF),
#undef ROW
    {"NSIG", _Py_NSIG},
};

static int
signal_exec(PyObject *module)
{
    signal_state *state = get_state(module);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    /* Not constants: the C library reserves some real-time signals for itself. */
    if (PyModule_AddIntConstant(module, "SIGRTMIN", SIGRTMIN) < 0
        || PyModule_AddIntConstant(module, "SIGRTMAX", SIGRTMAX) < 0) {
        return -1;
    }
    if (_PySignal_DefaultHandler() == NULL && _PySignal_Init(0) < 0) {
        return -1;
    }
    _PySignal_BindIntHandler(module);
    state->itimer_error = PyErr_NewException("signal.itimer_error",
                                             PyExc_OSError, NULL);
    state->siginfo_type = PyStructSequence_NewType(&siginfo_desc);
    if (state->itimer_error == NULL || state->siginfo_type == NULL
        || PyModule_AddObjectRef(module, "SIG_DFL",
                                 _PySignal_DefaultHandler()) < 0
        || PyModule_AddObjectRef(module, "SIG_IGN",
                                 _PySignal_IgnoreHandler()) < 0
        || PyModule_AddObjectRef(module, "default_int_handler",
                                 _PySignal_IntHandler()) < 0
        || PyModule_AddObjectRef(module, "ItimerError",
                                 state->itimer_error) < 0
        || PyModule_AddObjectRef(module, "struct_siginfo",
                                 (PyObject *)state->siginfo_type) < 0) {
        return -1;
    }
    return 0;
}

static int
signal_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(get_state(module)->itimer_error);
    Py_VISIT(get_state(module)->siginfo_type);
    return 0;
}

static int
signal_clear(PyObject *module)
{
    Py_CLEAR(get_state(module)->itimer_error);
    Py_CLEAR(get_state(module)->siginfo_type);
    return 0;
}

static void
signal_free(void *module)
{
    signal_clear(module);
}

static PyModuleDef_Slot signal_slots[] = {
    {Py_mod_exec, signal_exec},
    {0, NULL},
};

static PyModuleDef signal_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_signal",
    .m_doc = PyDoc_STR("Signals: handlers, timers, masks, sending and "
                       "waiting."),
    .m_size = sizeof(signal_state),
    .m_methods = signal_methods,
    .m_slots = signal_slots,
    .m_traverse = signal_traverse,
    .m_clear = signal_clear,
    .m_free = signal_free,
};

MODULE_INIT(_signal)
{
    return PyModuleDef_Init(&signal_module);
}
