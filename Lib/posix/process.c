/* Processes: fork, exec, wait, signals to others, system(). */
#include "posix.h"
#include "internal/pystate.h"

#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char **environ;

/* --------------------------------------------------------------------- fork */

static int
add_hook(PyObject **list, PyObject *hook)
{
    if (hook == NULL) {
        return 0;
    }
    if (*list == NULL && (*list = PyList_New(0)) == NULL) {
        return -1;
    }
    return PyList_Append(*list, hook);
}

static PyObject *
os_register_at_fork(ARGS)
{
    KEYWORDS("before", "after_in_child", "after_in_parent");
    PyObject *before = NULL, *child = NULL, *parent = NULL;
    if (!PARSE("|$OOO:register_at_fork", &before, &child, &parent)) {
        return NULL;
    }
    if (before == NULL && child == NULL && parent == NULL) {
        PyErr_SetString(PyExc_TypeError, "At least one argument is required.");
        return NULL;
    }
    PyObject *given[] = {before, child, parent};
    static const char *const names[] = {"before", "after_in_child", "after_in_parent"};
    for (int i = 0; i < 3; i++) {
        if (given[i] != NULL && !PyCallable_Check(given[i])) {
            return PyErr_Format(PyExc_TypeError, "'%.200s' must be callable, not %.200s",
                                names[i], Py_TYPE(given[i])->tp_name);
        }
    }
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (add_hook(&interp->before_forkers, before) < 0
        || add_hook(&interp->after_forkers_child, child) < 0
        || add_hook(&interp->after_forkers_parent, parent) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
os_fork(NOARGS)
{
    if (_PyInterpreterState_Forbids(_PyInterpreterState_GET(), "fork")
        || PySys_Audit("os.fork", NULL) < 0) {
        return NULL;
    }
    PyOS_BeforeFork();
    pid_t pid = fork();
    int saved = errno;
    if (pid == 0) {
        PyOS_AfterFork_Child();
    }
    else {
        PyOS_AfterFork_Parent();
    }
    errno = saved;
    return pid < 0 ? _posix_error() : PyLong_FromLong(pid);
}

static PyObject *
os_forkpty(NOARGS)
{
    int master = -1;
    if (!_Py_IsMainInterpreter(_PyInterpreterState_GET())) {
        PyErr_SetString(PyExc_RuntimeError,
                        "fork not supported for subinterpreters");
        return NULL;
    }
    if (PySys_Audit("os.forkpty", NULL) < 0) {
        return NULL;
    }
    PyOS_BeforeFork();
    pid_t pid = forkpty(&master, NULL, NULL, NULL);
    int saved = errno;
    if (pid == 0) {
        PyOS_AfterFork_Child();
    }
    else {
        PyOS_AfterFork_Parent();
    }
    errno = saved;
    return pid < 0 ? _posix_error() : Py_BuildValue("(ii)", (int)pid, master);
}

/* --------------------------------------------------------------------- exec */

static PyObject *
os_execv(POSARGS)
{
    path_t path = PATH("execv", "path", 0, 0);
    PyObject *argv_obj;
    Py_ssize_t argc;
    if (!PARSE_POS("O&O:execv", path_converter, &path, &argv_obj)) {
        return NULL;
    }
    if (!PyList_Check(argv_obj) && !PyTuple_Check(argv_obj)) {
        PyErr_SetString(PyExc_TypeError, "execv() arg 2 must be a tuple or list");
        path_done(&path);
        return NULL;
    }
    if (PySequence_Size(argv_obj) < 1) {
        PyErr_SetString(PyExc_ValueError, "execv() arg 2 must not be empty");
        path_done(&path);
        return NULL;
    }
    char **argv = _posix_string_vector(argv_obj, "execv()", "argv", &argc);
    if (argv == NULL || PySys_Audit("os.exec", "OOO", path.object, argv_obj, Py_None) < 0) {
        if (argv != NULL) {
            _posix_free_vector(argv, argc);
        }
        path_done(&path);
        return NULL;
    }
    execv(path.text, argv);
    _posix_error();
    _posix_free_vector(argv, argc);
    path_done(&path);
    return NULL;
}

static PyObject *
os_execve(ARGS)
{
    KEYWORDS("path", "argv", "env");
    path_t path = PATH("execve", "path", 0, 1);
    PyObject *argv_obj, *env_obj;
    Py_ssize_t argc = 0, envc = 0;
    char **argv = NULL, **env = NULL;
    if (!PARSE("O&OO:execve", path_converter, &path, &argv_obj, &env_obj)) {
        return NULL;
    }
    if (!PyList_Check(argv_obj) && !PyTuple_Check(argv_obj)) {
        PyErr_SetString(PyExc_TypeError, "execve: argv must be a tuple or list");
        goto done;
    }
    if (!PyMapping_Check(env_obj)) {
        PyErr_SetString(PyExc_TypeError, "execve: environment must be a mapping object");
        goto done;
    }
    argv = _posix_string_vector(argv_obj, "execve", "argv", &argc);
    env = argv == NULL ? NULL : _posix_environment(env_obj, &envc);
    if (env == NULL || PySys_Audit("os.exec", "OOO", path.object, argv_obj, env_obj) < 0) {
        goto done;
    }
    if (path.fd != -1) {
        fexecve(path.fd, argv, env);
    }
    else {
        execve(path.text, argv, env);
    }
    _posix_path_error(&path);
done:
    if (argv != NULL) {
        _posix_free_vector(argv, argc);
    }
    if (env != NULL) {
        _posix_free_vector(env, envc);
    }
    path_done(&path);
    return NULL;
}

static PyObject *
os_system(ARGS)
{
    KEYWORDS("command");
    PyObject *command = NULL;
    int status;
    if (!PARSE("O&:system", _posix_fs_bytes, &command)) {
        return NULL;
    }
    if (PySys_Audit("os.system", "(O)", command) < 0) {
        Py_DECREF(command);
        return NULL;
    }
    UNLOCKED(status, system(PyBytes_AS_STRING(command)));
    Py_DECREF(command);
    return PyLong_FromLong(status);
}

static PyObject *
os__exit(ARGS)
{
    KEYWORDS("status");
    int status;
    if (!PARSE("i:_exit", &status)) {
        return NULL;
    }
    _exit(status);
}

static PyObject *
os_abort(NOARGS)
{
    abort();
}

/* --------------------------------------------------------------------- wait */

static PyStructSequence_Field waitid_fields[] = {
    {"si_pid", NULL}, {"si_uid", NULL}, {"si_signo", NULL}, {"si_status", NULL},
    {"si_code", NULL}, {NULL, NULL}
};
static PyStructSequence_Desc waitid_desc = {
    "posix.waitid_result", "The result of os.waitid().", waitid_fields, 5
};

static PyObject *
os_waitpid(POSARGS)
{
    pid_t pid, got;
    int options, status = 0, interrupted;
    if (!PARSE_POS_PID("O&i:waitpid", _posix_pid_converter, &pid, &options)) {
        return NULL;
    }
    RESTARTED(got, waitpid(pid, &status, options), interrupted);
    if (got < 0) {
        return interrupted ? NULL : _posix_error();
    }
    return Py_BuildValue("(ii)", (int)got, status);
}

static PyObject *
os_wait(NOARGS)
{
    pid_t got;
    int status = 0, interrupted;
    RESTARTED(got, wait(&status), interrupted);
    if (got < 0) {
        return interrupted ? NULL : _posix_error();
    }
    return Py_BuildValue("(ii)", (int)got, status);
}

/* (pid, status, resource.struct_rusage) */
static PyObject *
wait_result(pid_t pid, int status, const struct rusage *ru)
{
    PyObject *module = PyImport_ImportModule("resource");
    PyObject *type = module == NULL ? NULL : PyObject_GetAttrString(module, "struct_rusage");
    Py_XDECREF(module);
    PyObject *usage = type == NULL ? NULL : PyStructSequence_New((PyTypeObject *)type);
    Py_XDECREF(type);
    if (usage == NULL) {
        return NULL;
    }
    PyStructSequence_SetItem(usage, 0, PyFloat_FromDouble((double)ru->ru_utime.tv_sec
                                                          + 1e-6 * (double)ru->ru_utime.tv_usec));
    PyStructSequence_SetItem(usage, 1, PyFloat_FromDouble((double)ru->ru_stime.tv_sec
                                                          + 1e-6 * (double)ru->ru_stime.tv_usec));
    const long values[] = {
        ru->ru_maxrss, ru->ru_ixrss, ru->ru_idrss, ru->ru_isrss, ru->ru_minflt, ru->ru_majflt,
        ru->ru_nswap, ru->ru_inblock, ru->ru_oublock, ru->ru_msgsnd, ru->ru_msgrcv,
        ru->ru_nsignals, ru->ru_nvcsw, ru->ru_nivcsw
    };
    for (int i = 0; i < 14; i++) {
        PyStructSequence_SetItem(usage, 2 + i, PyLong_FromLong(values[i]));
    }
    if (PyErr_Occurred()) {
        Py_DECREF(usage);
        return NULL;
    }
    return Py_BuildValue("(iiN)", (int)pid, status, usage);
}

static PyObject *
do_wait4(pid_t pid, int options)
{
    struct rusage ru = {0};
    int status = 0, interrupted;
    pid_t got;
    RESTARTED(got, wait4(pid, &status, options, &ru), interrupted);
    if (got < 0) {
        return interrupted ? NULL : _posix_error();
    }
    return wait_result(got, status, &ru);
}

static PyObject *
os_wait3(ARGS)
{
    KEYWORDS("options");
    int options;
    return PARSE("i:wait3", &options) ? do_wait4(-1, options) : NULL;
}

static PyObject *
os_wait4(ARGS)
{
    KEYWORDS("pid", "options");
    pid_t pid;
    int options;
    return PARSE("O&i:wait4", _posix_pid_converter, &pid, &options) ? do_wait4(pid, options)
                                                                    : NULL;
}

static PyObject *
os_waitid(POSARGS)
{
    int type, options, rc, interrupted;
    id_t id;
    siginfo_t si = {0};
    if (!PARSE_POS_PID("iO&i:waitid", &type, _posix_id_converter, &id, &options)) {
        return NULL;
    }
    RESTARTED(rc, waitid((idtype_t)type, id, &si, options), interrupted);
    if (rc < 0) {
        return interrupted ? NULL : _posix_error();
    }
    if (si.si_pid == 0) {
        Py_RETURN_NONE;
    }
    PyObject *result = PyStructSequence_New(_posix_types.waitid_result);
    if (result != NULL) {
        PyStructSequence_SetItem(result, 0, PyLong_FromLong(si.si_pid));
        PyStructSequence_SetItem(result, 1, _PyLong_FromUid(si.si_uid));
        PyStructSequence_SetItem(result, 2, PyLong_FromLong(si.si_signo));
        PyStructSequence_SetItem(result, 3, PyLong_FromLong(si.si_status));
        PyStructSequence_SetItem(result, 4, PyLong_FromLong(si.si_code));
    }
    return result;
}

static PyObject *
os_waitstatus_to_exitcode(ARGS)
{
    KEYWORDS("status");
    PyObject *obj;
    if (!PARSE("O:waitstatus_to_exitcode", &obj)) {
        return NULL;
    }
    int status = _PyLong_AsInt(obj);
    if (status == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (WIFEXITED(status)) {
        return PyLong_FromLong(WEXITSTATUS(status));
    }
    if (WIFSIGNALED(status)) {
        return PyLong_FromLong(-WTERMSIG(status));
    }
    if (WIFSTOPPED(status)) {
        return PyErr_Format(PyExc_ValueError, "process stopped by delivery of signal %i",
                            WSTOPSIG(status));
    }
    return PyErr_Format(PyExc_ValueError, "invalid wait status: %i", status);
}

#define STATUS_TEST(name, make) \
static PyObject * \
os_##name(ARGS) \
{ \
    KEYWORDS("status"); \
    int status; \
    return PARSE("i:" #name, &status) ? make(name(status)) : NULL; \
}
STATUS_TEST(WIFCONTINUED, PyBool_FromLong)
STATUS_TEST(WIFSTOPPED, PyBool_FromLong)
STATUS_TEST(WIFSIGNALED, PyBool_FromLong)
STATUS_TEST(WIFEXITED, PyBool_FromLong)
STATUS_TEST(WEXITSTATUS, PyLong_FromLong)
STATUS_TEST(WTERMSIG, PyLong_FromLong)
STATUS_TEST(WSTOPSIG, PyLong_FromLong)

static PyObject *
os_WCOREDUMP(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int status = _PyLong_AsInt(arg);
    return status == -1 && PyErr_Occurred() ? NULL : PyBool_FromLong(WCOREDUMP(status));
}

/* ----------------------------------------------------- signals, groups, ids */

static PyObject *
os_kill(POSARGS)
{
    pid_t pid;
    Py_ssize_t signum;
    if (!PARSE_POS_PID("O&n:kill", _posix_pid_converter, &pid, &signum)
        || PySys_Audit("os.kill", "in", (int)pid, signum) < 0) {
        return NULL;
    }
    if (kill(pid, (int)signum) < 0) {
        return _posix_error();
    }
    /* To ourselves: the handler runs before we return. */
    if (PyErr_CheckSignals() < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
os_killpg(POSARGS)
{
    pid_t pgid;
    int signum;
    if (!PARSE_POS_PID("O&i:killpg", _posix_pid_converter, &pgid, &signum)
        || PySys_Audit("os.killpg", "ii", (int)pgid, signum) < 0) {
        return NULL;
    }
    if (killpg(pgid, signum) < 0) {
        return _posix_error();
    }
    if (PyErr_CheckSignals() < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
os_getpid(NOARGS)
{
    return PyLong_FromLong(getpid());
}

static PyObject *
os_getppid(NOARGS)
{
    return PyLong_FromLong(getppid());
}

static PyObject *
os_getpgrp(NOARGS)
{
    return PyLong_FromLong(getpgrp());
}

static PyObject *
os_setpgrp(NOARGS)
{
    NONE_OR_ERROR(setpgrp());
}

static PyObject *
os_getpgid(ARGS)
{
    KEYWORDS("pid");
    pid_t pid;
    if (!PARSE("O&:getpgid", _posix_pid_converter, &pid)) {
        return NULL;
    }
    pid_t pgid = getpgid(pid);
    return pgid < 0 ? _posix_error() : PyLong_FromLong(pgid);
}

static PyObject *
os_setpgid(POSARGS)
{
    pid_t pid, pgid;
    if (!PARSE_POS_PID("O&O&:setpgid", _posix_pid_converter, &pid, _posix_pid_converter, &pgid)) {
        return NULL;
    }
    NONE_OR_ERROR(setpgid(pid, pgid));
}

static PyObject *
os_getsid(PyObject *Py_UNUSED(module), PyObject *arg)
{
    pid_t pid;
    if (!_posix_pid_converter(arg, &pid)) {
        return NULL;
    }
    pid_t sid = getsid(pid);
    return sid < 0 ? _posix_error() : PyLong_FromLong(sid);
}

static PyObject *
os_setsid(NOARGS)
{
    NONE_OR_ERROR(setsid());
}

static PyObject *
os_nice(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int by = _PyLong_AsInt(arg);
    if (by == -1 && PyErr_Occurred()) {
        return NULL;
    }
    errno = 0;
    int value = nice(by);
    return value == -1 && errno != 0 ? _posix_error() : PyLong_FromLong(value);
}

static PyObject *
os_getpriority(ARGS)
{
    KEYWORDS("which", "who");
    int which, who;
    if (!PARSE("ii:getpriority", &which, &who)) {
        return NULL;
    }
    errno = 0;
    int value = getpriority((__priority_which_t)which, (id_t)who);
    return errno != 0 ? _posix_error() : PyLong_FromLong(value);
}

static PyObject *
os_setpriority(ARGS)
{
    KEYWORDS("which", "who", "priority");
    int which, who, priority;
    if (!PARSE("iii:setpriority", &which, &who, &priority)) {
        return NULL;
    }
    NONE_OR_ERROR(setpriority((__priority_which_t)which, (id_t)who, priority));
}

static PyObject *
os_pidfd_open(ARGS)
{
    KEYWORDS("pid", "flags");
    pid_t pid;
    unsigned flags = 0;
    if (!PARSE("O&|I:pidfd_open", _posix_pid_converter, &pid, &flags)) {
        return NULL;
    }
    int fd = (int)syscall(SYS_pidfd_open, pid, flags);
    return fd < 0 ? _posix_error() : PyLong_FromLong(fd);
}

static PyObject *
os_umask(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int mask = _PyLong_AsInt(arg);
    return mask == -1 && PyErr_Occurred() ? NULL : PyLong_FromLong((long)umask((mode_t)mask));
}

#define M(name, flags, text) {#name, _PyCFunction_CAST(os_##name), flags, text}

PyMethodDef _posix_process_methods[] = {
    M(register_at_fork, METH_FASTCALL | METH_KEYWORDS, "register_at_fork($module, /, *, before=<unrepresentable>,\n                 after_in_child=<unrepresentable>,\n                 after_in_parent=<unrepresentable>)\n--\n\nRegisters functions to call around fork()."),
    M(fork, METH_NOARGS, "fork($module, /)\n--\n\nForks a child process: its pid, 0 in the child."),
    M(forkpty, METH_NOARGS, "forkpty($module, /)\n--\n\nForks a child with a new terminal: (pid, master)."),
    M(execv, METH_FASTCALL, "execv($module, path, argv, /)\n--\n\nReplaces the process by a program."),
    M(execve, METH_FASTCALL | METH_KEYWORDS, "execve($module, /, path, argv, env)\n--\n\nReplaces the process by a program with an environment."),
    M(system, METH_FASTCALL | METH_KEYWORDS, "system($module, /, command)\n--\n\nRuns a command in a subshell."),
    M(_exit, METH_FASTCALL | METH_KEYWORDS, "_exit($module, /, status)\n--\n\nEnds the process at once, without clean-up."),
    M(abort, METH_NOARGS, "abort($module, /)\n--\n\nEnds the process by SIGABRT."),
    M(wait, METH_NOARGS, "wait($module, /)\n--\n\nWaits for a child: (pid, status)."),
    M(wait3, METH_FASTCALL | METH_KEYWORDS, "wait3($module, /, options)\n--\n\n"
      "Waits for a child: (pid, status, resources used)."),
    M(wait4, METH_FASTCALL | METH_KEYWORDS, "wait4($module, /, pid, options)\n--\n\n"
      "Waits for a certain child: (pid, status, resources used)."),
    M(waitid, METH_FASTCALL, "waitid($module, idtype, id, options, /)\n--\n\n"
      "Waits for a change of a child's state: a waitid_result, or None."),
    M(waitpid, METH_FASTCALL, "waitpid($module, pid, options, /)\n--\n\nWaits for a child: (pid, status)."),
    M(waitstatus_to_exitcode, METH_FASTCALL | METH_KEYWORDS, "waitstatus_to_exitcode($module, /, status)\n--\n\nThe exit code, or minus the signal."),
    M(WCOREDUMP, METH_O, "WCOREDUMP($module, status, /)\n--\n\n"
      "Did the process of this status leave a core dump?"),
    M(WEXITSTATUS, METH_FASTCALL | METH_KEYWORDS, "WEXITSTATUS($module, /, status)\n--\n\n"
      "The exit code in a status."),
    M(WIFCONTINUED, METH_FASTCALL | METH_KEYWORDS, "WIFCONTINUED($module, /, status)\n--\n\n"
      "Does the status say that the process was continued?"),
    M(WIFEXITED, METH_FASTCALL | METH_KEYWORDS, "WIFEXITED($module, /, status)\n--\n\n"
      "Does the status say that the process ended by itself?"),
    M(WIFSIGNALED, METH_FASTCALL | METH_KEYWORDS, "WIFSIGNALED($module, /, status)\n--\n\n"
      "Does the status say that a signal ended the process?"),
    M(WIFSTOPPED, METH_FASTCALL | METH_KEYWORDS, "WIFSTOPPED($module, /, status)\n--\n\n"
      "Does the status say that a signal stopped the process?"),
    M(WSTOPSIG, METH_FASTCALL | METH_KEYWORDS, "WSTOPSIG($module, /, status)\n--\n\n"
      "The signal in the status that stopped the process."),
    M(WTERMSIG, METH_FASTCALL | METH_KEYWORDS, "WTERMSIG($module, /, status)\n--\n\n"
      "The signal in the status that ended the process."),
    M(kill, METH_FASTCALL, "kill($module, pid, signal, /)\n--\n\nSends a signal to a process."),
    M(killpg, METH_FASTCALL, "killpg($module, pgid, signal, /)\n--\n\nSends a signal to a process group."),
    M(getpid, METH_NOARGS, "getpid($module, /)\n--\n\nThe process's id."),
    M(getppid, METH_NOARGS, "getppid($module, /)\n--\n\nThe parent's process id."),
    M(getpgrp, METH_NOARGS, "getpgrp($module, /)\n--\n\n"
      "This process's group."),
    M(setpgrp, METH_NOARGS, "setpgrp($module, /)\n--\n\n"
      "Makes this process the leader of a new group."),
    M(getpgid, METH_FASTCALL | METH_KEYWORDS, "getpgid($module, /, pid)\n--\n\n"
      "The group of a process."),
    M(setpgid, METH_FASTCALL, "setpgid($module, pid, pgrp, /)\n--\n\n"
      "Moves a process to a group."),
    M(getsid, METH_O, "getsid($module, pid, /)\n--\n\n"
      "The session of a process."),
    M(setsid, METH_NOARGS, "setsid($module, /)\n--\n\n"
      "Begins a new session, led by this process."),
    M(nice, METH_O, "nice($module, increment, /)\n--\n\n"
      "Adds to the process's niceness and returns the sum."),
    M(getpriority, METH_FASTCALL | METH_KEYWORDS, "getpriority($module, /, which, who)\n--\n\n"
      "The scheduling priority of a process, a group or a user."),
    M(setpriority, METH_FASTCALL | METH_KEYWORDS, "setpriority($module, /, which, who, priority)\n--\n\n"
      "Sets the scheduling priority of a process, a group or a user."),
    M(pidfd_open, METH_FASTCALL | METH_KEYWORDS, "pidfd_open($module, /, pid, flags=0)\n--\n\n"
      "A descriptor that stands for a process."),
    M(umask, METH_O, "umask($module, mask, /)\n--\n\nSets the file mode mask; returns the old one."),
    {NULL, NULL, 0, NULL}
};

int
_posix_init_process(PyObject *module)
{
    return _posix_make_type(&_posix_types.waitid_result, &waitid_desc) < 0 ? -1
           : _posix_add_type(module, "waitid_result", _posix_types.waitid_result);
}
