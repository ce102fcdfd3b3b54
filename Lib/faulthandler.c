/* The faulthandler module: tracebacks on crashes, after a time, on a signal.

   Three independent parts, each with a file that it keeps a reference to so that
   its descriptor stays open:
   - fatal: handlers of the signals by which a process dies;
   - later: a watchdog thread;
   - user: any other signal.
   Handlers use nothing but the async-signal-safe dump functions. */
#include "Python.h"
#include "internal/hooks.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/pystate.h"
#include "internal/signals.h"
#include "internal/traceback.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static void
put(int fd, const char *text)
{
    ssize_t ignored = write(fd, text, strlen(text));
    (void)ignored;
}

/* -------------------------------------------------------------------- files */

/* The descriptor of `*file` (NULL or None: sys.stderr). *file becomes a borrowed
   reference to the object to keep, or NULL. -1 on error. */
static int
get_fd(PyObject **file)
{
    PyObject *op = *file;
    if (op == NULL || op == Py_None) {
        op = PySys_GetObject("stderr");
        if (op == NULL) {
            PyErr_SetString(PyExc_RuntimeError, "unable to get sys.stderr");
            return -1;
        }
        if (op == Py_None) {
            PyErr_SetString(PyExc_RuntimeError, "sys.stderr is None");
            return -1;
        }
    }
    else if (PyLong_Check(op)) {
        int fd = _PyLong_AsInt(op);
        if (fd == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (fd < 0) {
            PyErr_SetString(PyExc_ValueError,
                            "file is not a valid file descripter");
            return -1;
        }
        *file = NULL;
        return fd;
    }
    PyObject *number = PyObject_CallMethod(op, "fileno", NULL);
    if (number == NULL) {
        return -1;
    }
    long fd = PyLong_Check(number) ? PyLong_AsLong(number) : -1;
    Py_DECREF(number);
    if (fd < 0 || fd > INT_MAX) {
        PyErr_Clear();
        PyErr_SetString(PyExc_RuntimeError,
                        "file.fileno() is not a valid file descriptor");
        return -1;
    }
    PyObject *flushed = PyObject_CallMethod(op, "flush", NULL);
    if (flushed == NULL) {
        PyErr_Clear();
    }
    Py_XDECREF(flushed);
    *file = op;
    return (int)fd;
}

static PyThreadState *
get_tstate(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (tstate == NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "unable to get the current thread state");
    }
    return tstate;
}

static void
dump(int fd, int all_threads, PyInterpreterState *interp)
{
    static atomic_int busy;
    if (atomic_exchange(&busy, 1)) {
        return;
    }
    PyThreadState *tstate = PyGILState_GetThisThreadState();
    if (all_threads) {
        (void)_Py_DumpTracebackThreads(fd, interp, tstate);
    }
    else if (tstate != NULL) {
        _Py_DumpTraceback(fd, tstate);
    }
    atomic_store(&busy, 0);
}

PyDoc_STRVAR(dump_traceback_doc,
"dump_traceback(file=sys.stderr, all_threads=True): write the traceback now");

static PyObject *
py_dump_traceback(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"file", "all_threads", NULL};
    PyObject *file = NULL;
    int all_threads = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|Oi:dump_traceback", names,
                                     &file, &all_threads)) {
        return NULL;
    }
    int fd = get_fd(&file);
    PyThreadState *tstate = fd < 0 ? NULL : get_tstate();
    if (tstate == NULL) {
        return NULL;
    }
    if (all_threads) {
        const char *error = _Py_DumpTracebackThreads(fd, NULL, tstate);
        if (error != NULL) {
            PyErr_SetString(PyExc_RuntimeError, error);
            return NULL;
        }
    }
    else {
        _Py_DumpTraceback(fd, tstate);
    }
    if (PyErr_CheckSignals()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------ fatal signals */

static struct fatal_signal {
    int signum;
    const char *name;
    int installed;
    struct sigaction previous;
} fatal_signals[] = {
    {.signum = SIGBUS, .name = "Bus error"},
    {.signum = SIGILL, .name = "Illegal instruction"},
    {.signum = SIGFPE, .name = "Floating point exception"},
    {.signum = SIGABRT, .name = "Aborted"},
    {.signum = SIGSEGV, .name = "Segmentation fault"},
};

static struct {
    int enabled;
    PyObject *file;
    int fd;
    int all_threads;
    PyInterpreterState *interp;
} fatal;

static stack_t alt_stack, previous_alt_stack;

static void
uninstall_fatal(struct fatal_signal *s)
{
    if (s->installed) {
        s->installed = 0;
        (void)sigaction(s->signum, &s->previous, NULL);
    }
}

static void
on_fatal(int signum)
{
    int saved = errno;
    if (!fatal.enabled) {
        return;
    }
    const char *name = "unknown";
    for (size_t i = 0; i < Py_ARRAY_LENGTH(fatal_signals); i++) {
        if (fatal_signals[i].signum == signum) {
            name = fatal_signals[i].name;
            /* The second time, the signal kills the process. */
            uninstall_fatal(&fatal_signals[i]);
            break;
        }
    }
    put(fatal.fd, "Fatal Python error: ");
    put(fatal.fd, name);
    put(fatal.fd, "\n\n");
    dump(fatal.fd, fatal.all_threads, fatal.interp);
    _Py_DumpExtensionModules(fatal.fd, fatal.interp);
    errno = saved;
    raise(signum);
}

static int
install_fatal(void)
{
    if (fatal.enabled) {
        return 0;
    }
    fatal.enabled = 1;
    if (alt_stack.ss_sp == NULL) {
        /* A separate stack, in case the stack has overflowed. */
        size_t size = (size_t)SIGSTKSZ * 2;
        alt_stack.ss_sp = PyMem_Malloc(size);
        if (alt_stack.ss_sp != NULL) {
            alt_stack.ss_flags = 0;
            alt_stack.ss_size = size;
            if (sigaltstack(&alt_stack, &previous_alt_stack) != 0) {
                PyMem_Free(alt_stack.ss_sp);
                alt_stack.ss_sp = NULL;
            }
        }
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(fatal_signals); i++) {
        struct sigaction action;
        memset(&action, 0, sizeof(action));
        action.sa_handler = on_fatal;
        sigemptyset(&action.sa_mask);
        /* The handler raises the signal again. */
        action.sa_flags = SA_NODEFER;
        if (alt_stack.ss_sp != NULL) {
            action.sa_flags |= SA_ONSTACK;
        }
        struct fatal_signal *s = &fatal_signals[i];
        if (sigaction(s->signum, &action, &s->previous) != 0) {
            PyErr_SetFromErrno(PyExc_RuntimeError);
            return -1;
        }
        s->installed = 1;
    }
    return 0;
}

static void
disable_fatal(void)
{
    if (fatal.enabled) {
        fatal.enabled = 0;
        for (size_t i = 0; i < Py_ARRAY_LENGTH(fatal_signals); i++) {
            uninstall_fatal(&fatal_signals[i]);
        }
    }
    Py_CLEAR(fatal.file);
}

PyDoc_STRVAR(enable_doc,
"enable(file=sys.stderr, all_threads=True): write a traceback when crashing");

static PyObject *
py_enable(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"file", "all_threads", NULL};
    PyObject *file = NULL;
    int all_threads = 1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|Oi:enable", names, &file,
                                     &all_threads)) {
        return NULL;
    }
    int fd = get_fd(&file);
    PyThreadState *tstate = fd < 0 ? NULL : get_tstate();
    if (tstate == NULL) {
        return NULL;
    }
    Py_XINCREF(file);
    Py_XSETREF(fatal.file, file);
    fatal.fd = fd;
    fatal.all_threads = all_threads;
    fatal.interp = tstate->interp;
    if (install_fatal() < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(disable_doc, "disable(): undo enable()");

static PyObject *
py_disable(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    int was_enabled = fatal.enabled;
    disable_fatal();
    return PyBool_FromLong(was_enabled);
}

PyDoc_STRVAR(is_enabled_doc, "is_enabled()->bool: is there a crash handler?");

static PyObject *
py_is_enabled(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(fatal.enabled);
}

/* ------------------------------------------------------------- the watchdog */

/* The watchdog thread waits for `cancel` with a timeout. To cancel, release it, then wait
   for `running`, which the thread holds. */
static struct {
    PyObject *file;
    int fd;
    PY_TIMEOUT_T timeout_us;
    int repeat;
    PyInterpreterState *interp;
    int exit;
    char *header;
    PyThread_type_lock cancel;
    PyThread_type_lock running;
} later;

static void
watchdog(void *Py_UNUSED(unused))
{
    /* Signals are for the program's own threads. */
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    int again;
    do {
        if (PyThread_acquire_lock_timed(later.cancel, later.timeout_us, 0)
            == PY_LOCK_ACQUIRED) {
            PyThread_release_lock(later.cancel);
            break;
        }
        put(later.fd, later.header);
        const char *error = _Py_DumpTracebackThreads(later.fd, later.interp,
                                                     NULL);
        again = error == NULL && later.repeat;
        if (later.exit) {
            _exit(1);
        }
    } while (again);
    PyThread_release_lock(later.running);
}

static void
cancel_later(void)
{
    if (later.cancel == NULL) {
        return;
    }
    PyThread_release_lock(later.cancel);
    PyThread_acquire_lock(later.running, 1);
    PyThread_release_lock(later.running);
    /* Held until the next cancellation. */
    PyThread_acquire_lock(later.cancel, 1);
    Py_CLEAR(later.file);
    PyMem_Free(later.header);
    later.header = NULL;
}

static char *
make_header(_PyTime_t us)
{
    unsigned long seconds = (unsigned long)(us / 1000000);
    unsigned int fraction = (unsigned int)(us % 1000000);
    unsigned long minutes = seconds / 60, hours = minutes / 60;
    char text[100];
    if (fraction != 0) {
        PyOS_snprintf(text, sizeof(text), "Timeout (%lu:%02lu:%02lu.%06u)!\n",
                      hours, minutes % 60, seconds % 60, fraction);
    }
    else {
        PyOS_snprintf(text, sizeof(text), "Timeout (%lu:%02lu:%02lu)!\n",
                      hours, minutes % 60, seconds % 60);
    }
    return _PyMem_Strdup(text);
}

static int
make_locks(void)
{
    if (later.running == NULL) {
        later.running = PyThread_allocate_lock();
        if (later.running == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    if (later.cancel == NULL) {
        later.cancel = PyThread_allocate_lock();
        if (later.cancel == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        PyThread_acquire_lock(later.cancel, 1);
    }
    return 0;
}

PyDoc_STRVAR(dump_traceback_later_doc,
"dump_traceback_later(timeout, repeat=False, file=sys.stderr, exit=False):\n"
"write the tracebacks of all threads after timeout seconds");

static PyObject *
py_dump_traceback_later(PyObject *Py_UNUSED(module), PyObject *args,
                        PyObject *kwds)
{
    static char *names[] = {"timeout", "repeat", "file", "exit", NULL};
    PyObject *timeout_object, *file = NULL;
    int repeat = 0, exit = 0;
    _PyTime_t timeout;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|iOi:dump_traceback_later",
                                     names, &timeout_object, &repeat, &file,
                                     &exit)
        || _PyTime_FromSecondsObject(&timeout, timeout_object,
                                     _PyTime_ROUND_TIMEOUT) < 0) {
        return NULL;
    }
    _PyTime_t us = _PyTime_AsMicroseconds(timeout, _PyTime_ROUND_TIMEOUT);
    if (us <= 0) {
        PyErr_SetString(PyExc_ValueError, "timeout must be greater than 0");
        return NULL;
    }
    if (us > PY_TIMEOUT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "timeout value is too large");
        return NULL;
    }
    PyThreadState *tstate = get_tstate();
    int fd = tstate == NULL ? -1 : get_fd(&file);
    if (fd < 0 || make_locks() < 0) {
        return NULL;
    }
    char *header = make_header(us);
    if (header == NULL) {
        return PyErr_NoMemory();
    }
    cancel_later();
    later.file = Py_XNewRef(file);
    later.fd = fd;
    later.timeout_us = us;
    later.repeat = repeat;
    later.interp = tstate->interp;
    later.exit = exit;
    later.header = header;
    PyThread_acquire_lock(later.running, 1);
    if (PyThread_start_new_thread(watchdog, NULL)
        == PYTHREAD_INVALID_THREAD_ID) {
        PyThread_release_lock(later.running);
        Py_CLEAR(later.file);
        PyMem_Free(later.header);
        later.header = NULL;
        PyErr_SetString(PyExc_RuntimeError,
                        "unable to start watchdog thread");
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(cancel_doc,
"cancel_dump_traceback_later(): undo dump_traceback_later()");

static PyObject *
py_cancel(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    cancel_later();
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------- user signals */

static struct user_signal {
    int enabled;
    PyObject *file;
    int fd;
    int all_threads;
    int chain;
    struct sigaction previous;
    PyInterpreterState *interp;
} user_signals[_Py_NSIG];

static void on_user(int signum);

static int
install_user(int signum, int chain, struct sigaction *previous)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = on_user;
    sigemptyset(&action.sa_mask);
    /* The program should not notice the signal: restart its system calls. */
    action.sa_flags = SA_RESTART;
    if (chain) {
        action.sa_flags = SA_NODEFER;
    }
    if (alt_stack.ss_sp != NULL) {
        action.sa_flags |= SA_ONSTACK;
    }
    return sigaction(signum, &action, previous);
}

static void
on_user(int signum)
{
    int saved = errno;
    struct user_signal *user = &user_signals[signum];
    if (!user->enabled) {
        return;
    }
    dump(user->fd, user->all_threads, user->interp);
    if (user->chain) {
        (void)sigaction(signum, &user->previous, NULL);
        errno = saved;
        raise(signum);
        saved = errno;
        (void)install_user(signum, user->chain, NULL);
    }
    errno = saved;
}

static int
unregister_user(int signum)
{
    struct user_signal *user = &user_signals[signum];
    if (!user->enabled) {
        return 0;
    }
    user->enabled = 0;
    (void)sigaction(signum, &user->previous, NULL);
    Py_CLEAR(user->file);
    user->fd = -1;
    return 1;
}

static int
check_signum(int signum)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(fatal_signals); i++) {
        if (fatal_signals[i].signum == signum) {
            PyErr_Format(PyExc_RuntimeError, "signal %i cannot be registered, "
                         "use enable() instead", signum);
            return 0;
        }
    }
    if (signum < 1 || signum >= _Py_NSIG) {
        PyErr_SetString(PyExc_ValueError, "signal number out of range");
        return 0;
    }
    return 1;
}

PyDoc_STRVAR(register_doc,
"register(signum, file=sys.stderr, all_threads=True, chain=False):\n"
"write the traceback when the signal arrives");

static PyObject *
py_register(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"signum", "file", "all_threads", "chain", NULL};
    int signum, all_threads = 1, chain = 0;
    PyObject *file = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "i|Oii:register", names,
                                     &signum, &file, &all_threads, &chain)
        || !check_signum(signum)) {
        return NULL;
    }
    PyThreadState *tstate = get_tstate();
    int fd = tstate == NULL ? -1 : get_fd(&file);
    if (fd < 0) {
        return NULL;
    }
    struct user_signal *user = &user_signals[signum];
    if (!user->enabled) {
        struct sigaction previous;
        if (install_user(signum, chain, &previous) != 0) {
            return PyErr_SetFromErrno(PyExc_OSError);
        }
        user->previous = previous;
    }
    Py_XINCREF(file);
    Py_XSETREF(user->file, file);
    user->fd = fd;
    user->all_threads = all_threads;
    user->chain = chain;
    user->interp = tstate->interp;
    user->enabled = 1;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(unregister_doc, "unregister(signum): undo register()");

static PyObject *
py_unregister(PyObject *Py_UNUSED(module), PyObject *args)
{
    int signum;
    if (!PyArg_ParseTuple(args, "i:unregister", &signum)
        || !check_signum(signum)) {
        return NULL;
    }
    return PyBool_FromLong(unregister_user(signum));
}

/* ------------------------------------------------- ways to crash, for tests */

static void
no_core_dump(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) == 0) {
        limit.rlim_cur = 0;
        setrlimit(RLIMIT_CORE, &limit);
    }
}

PyDoc_STRVAR(read_null_doc, "_read_null(): read from NULL");

static PyObject *
py_read_null(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    no_core_dump();
    volatile int *nowhere = NULL;
    return PyLong_FromLong(*nowhere);
}

static void
raise_segv(void)
{
    no_core_dump();
    /* Sent twice: a handler of ours catches the first. */
    raise(SIGSEGV);
    raise(SIGSEGV);
}

PyDoc_STRVAR(sigsegv_doc, "_sigsegv(release_gil=False): raise SIGSEGV");

static PyObject *
py_sigsegv(PyObject *Py_UNUSED(module), PyObject *args)
{
    int release_gil = 0;
    if (!PyArg_ParseTuple(args, "|i:_sigsegv", &release_gil)) {
        return NULL;
    }
    if (release_gil) {
        Py_BEGIN_ALLOW_THREADS
        raise_segv();
        Py_END_ALLOW_THREADS
    }
    else {
        raise_segv();
    }
    Py_RETURN_NONE;
}

static void
faulthandler_fatal_error_thread(void *lock)
{
    (void)lock;
    Py_FatalError("in new thread");
}

PyDoc_STRVAR(fatal_error_c_thread_doc,
"_fatal_error_c_thread(): crash in a thread without Python");

static PyObject *
py_fatal_error_c_thread(PyObject *Py_UNUSED(module),
                        PyObject *Py_UNUSED(ignored))
{
    no_core_dump();
    PyThread_type_lock lock = PyThread_allocate_lock();
    if (lock == NULL) {
        return PyErr_NoMemory();
    }
    PyThread_acquire_lock(lock, WAIT_LOCK);
    if (PyThread_start_new_thread(faulthandler_fatal_error_thread, lock)
        == PYTHREAD_INVALID_THREAD_ID) {
        PyThread_free_lock(lock);
        PyErr_SetString(PyExc_RuntimeError, "unable to start the thread");
        return NULL;
    }
    PyThread_acquire_lock(lock, WAIT_LOCK);
    PyThread_release_lock(lock);
    PyThread_free_lock(lock);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(sigfpe_doc, "_sigfpe(): raise SIGFPE");

static PyObject *
py_sigfpe(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    no_core_dump();
    raise(SIGFPE);
    Py_RETURN_NONE;
}

PyDoc_STRVAR(sigabrt_doc, "_sigabrt(): raise SIGABRT");

static PyObject *
py_sigabrt(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    no_core_dump();
    abort();
    Py_RETURN_NONE;
}

/* Returns an address so that no compiler turns the recursion into a loop. */
static __attribute__((noinline)) uintptr_t
use_stack(uintptr_t lowest, size_t *depth)
{
    volatile unsigned char page[4096];
    uintptr_t here = (uintptr_t)&page;
    page[0] = page[4095] = 1;
    ++*depth;
    if (here < lowest) {
        return here;
    }
    return use_stack(lowest, depth) + page[0] - 1;
}

PyDoc_STRVAR(stack_overflow_doc, "_stack_overflow(): overflow the C stack");

static PyObject *
py_stack_overflow(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    size_t depth = 0;
    uintptr_t here = (uintptr_t)&depth;
    const uintptr_t size = (uintptr_t)100 * 1024 * 1024;
    no_core_dump();
    uintptr_t reached = use_stack(here > size ? here - size : 0, &depth);
    return PyErr_Format(PyExc_RuntimeError,
                        "unable to raise a stack overflow (allocated %zu bytes "
                        "on the stack, %zu recursive calls)",
                        (size_t)(here > reached ? here - reached : 0), depth);
}

/* --------------------------------------------------------------- the module */

static PyMethodDef faulthandler_methods[] = {
    {"enable", VAR_KEYWORDS(py_enable),
     enable_doc},
    {"disable", py_disable, METH_NOARGS, disable_doc},
    {"is_enabled", py_is_enabled, METH_NOARGS, is_enabled_doc},
    {"dump_traceback", VAR_KEYWORDS(py_dump_traceback), dump_traceback_doc},
    {"dump_traceback_later", VAR_KEYWORDS(py_dump_traceback_later), dump_traceback_later_doc},
    {"cancel_dump_traceback_later", py_cancel, METH_NOARGS, cancel_doc},
    {"register", VAR_KEYWORDS(py_register), register_doc},
    {"unregister", py_unregister, METH_VARARGS, unregister_doc},
    {"_read_null", py_read_null, METH_NOARGS, read_null_doc},
    {"_sigsegv", py_sigsegv, METH_VARARGS, sigsegv_doc},
    {"_fatal_error_c_thread", py_fatal_error_c_thread, METH_NOARGS,
     fatal_error_c_thread_doc},
    {"_sigabrt", py_sigabrt, METH_NOARGS, sigabrt_doc},
    {"_sigfpe", py_sigfpe, METH_NOARGS, sigfpe_doc},
    {"_stack_overflow", py_stack_overflow, METH_NOARGS, stack_overflow_doc},
    {NULL, NULL, 0, NULL},
};

void
_PyFaulthandler_Fini(void)
{
    cancel_later();
    for (int i = 1; i < _Py_NSIG; i++) {
        unregister_user(i);
    }
    disable_fatal();
    if (alt_stack.ss_sp != NULL) {
        (void)sigaltstack(&previous_alt_stack, NULL);
        PyMem_Free(alt_stack.ss_sp);
        alt_stack.ss_sp = NULL;
    }
}

static int
faulthandler_traverse(PyObject *Py_UNUSED(module), visitproc visit, void *arg)
{
    Py_VISIT(later.file);
    Py_VISIT(fatal.file);
    for (int i = 1; i < _Py_NSIG; i++) {
        Py_VISIT(user_signals[i].file);
    }
    return 0;
}

static PyModuleDef_Slot faulthandler_slots[] = {
    {0, NULL},
};

static PyModuleDef faulthandler_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "faulthandler",
    .m_doc = PyDoc_STR("Tracebacks on crashes, on signals, and after a time."),
    .m_size = 0,
    .m_methods = faulthandler_methods,
    .m_slots = faulthandler_slots,
    .m_traverse = faulthandler_traverse,
};

MODULE_INIT(faulthandler)
{
    _Py_BeforeAbort = _PyFaulthandler_Fini;
    return PyModuleDef_Init(&faulthandler_module);
}
