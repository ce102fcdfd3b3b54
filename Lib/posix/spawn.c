/* posix_spawn and posix_spawnp. */
#include "posix.h"

#include <sched.h>
#include <signal.h>
#include <spawn.h>

extern char **environ;

enum { ACTION_OPEN, ACTION_CLOSE, ACTION_DUP2 };

/* Signals of an iterable into a set. */
static int
signal_set(PyObject *iterable, sigset_t *set)
{
    sigemptyset(set);
    PyObject *it = PyObject_GetIter(iterable), *item;
    if (it == NULL) {
        return -1;
    }
    while ((item = PyIter_Next(it)) != NULL) {
        int overflow;
        long signum = PyLong_AsLongAndOverflow(item, &overflow);
        Py_DECREF(item);
        if (signum == -1 && PyErr_Occurred()) {
            break;
        }
        if (overflow || signum <= 0 || signum >= NSIG) {
            PyErr_Format(PyExc_ValueError, "signal number %ld out of range [1; %i]", signum,
                         NSIG - 1);
            break;
        }
        sigaddset(set, (int)signum);
    }
    Py_DECREF(it);
    return PyErr_Occurred() ? -1 : 0;
}

static int
check(int err)
{
    if (err) {
        errno = err;
        _posix_error();
        return -1;
    }
    return 0;
}

static int
set_attributes(posix_spawnattr_t *attr, const char *func, PyObject *setpgroup, int resetids,
               int setsid, PyObject *sigmask, PyObject *sigdef, PyObject *scheduler)
{
    short flags = 0;
    if (setpgroup != NULL) {
        pid_t pgrp;
        if (!_posix_pid_converter(setpgroup, &pgrp)
            || check(posix_spawnattr_setpgroup(attr, pgrp)) < 0) {
            return -1;
        }
        flags |= POSIX_SPAWN_SETPGROUP;
    }
    if (resetids) {
        flags |= POSIX_SPAWN_RESETIDS;
    }
    if (setsid) {
        flags |= POSIX_SPAWN_SETSID;
    }
    sigset_t set;
    if (sigmask != NULL) {
        if (signal_set(sigmask, &set) < 0 || check(posix_spawnattr_setsigmask(attr, &set)) < 0) {
            return -1;
        }
        flags |= POSIX_SPAWN_SETSIGMASK;
    }
    if (sigdef != NULL) {
        if (signal_set(sigdef, &set) < 0 || check(posix_spawnattr_setsigdefault(attr, &set)) < 0) {
            return -1;
        }
        flags |= POSIX_SPAWN_SETSIGDEF;
    }
    if (scheduler != NULL) {
        PyObject *policy, *param_obj;
        struct sched_param param;
        if (!PyArg_ParseTuple(scheduler, "OO;A scheduler tuple must have two elements", &policy,
                              &param_obj)) {
            return -1;
        }
        if (!PyObject_TypeCheck(param_obj, _posix_types.sched_param)) {
            PyErr_SetString(PyExc_TypeError, "must have a sched_param object");
            return -1;
        }
        param.sched_priority = _PyLong_AsInt(PyStructSequence_GetItem(param_obj, 0));
        if (param.sched_priority == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (policy != Py_None) {
            int value = _PyLong_AsInt(policy);
            if ((value == -1 && PyErr_Occurred())
                || check(posix_spawnattr_setschedpolicy(attr, value)) < 0) {
                return -1;
            }
            flags |= POSIX_SPAWN_SETSCHEDULER;
        }
        if (check(posix_spawnattr_setschedparam(attr, &param)) < 0) {
            return -1;
        }
        flags |= POSIX_SPAWN_SETSCHEDPARAM;
    }
    (void)func;
    return check(posix_spawnattr_setflags(attr, flags));
}

/* One (POSIX_SPAWN_…, …) tuple; `keep` owns encoded paths. */
static int
add_action(posix_spawn_file_actions_t *actions, PyObject *action, PyObject *keep)
{
    if (!PyTuple_Check(action) || PyTuple_GET_SIZE(action) == 0) {
        PyErr_SetString(PyExc_TypeError, "Each file_actions element must be a non-empty tuple");
        return -1;
    }
    long tag = PyLong_AsLong(PyTuple_GET_ITEM(action, 0));
    if (tag == -1 && PyErr_Occurred()) {
        return -1;
    }
    PyObject *ignored, *path;
    int fd, fd2, oflag;
    unsigned long mode;
    switch (tag) {
    case ACTION_OPEN:
        if (!PyArg_ParseTuple(action, "OiO&ik;A open file_action tuple must have 5 elements",
                              &ignored, &fd, PyUnicode_FSConverter, &path, &oflag, &mode)) {
            return -1;
        }
        if (PyList_Append(keep, path) < 0) {
            Py_DECREF(path);
            return -1;
        }
        Py_DECREF(path);
        return check(posix_spawn_file_actions_addopen(actions, fd, PyBytes_AS_STRING(path),
                                                      oflag, (mode_t)mode));
    case ACTION_CLOSE:
        if (!PyArg_ParseTuple(action, "Oi;A close file_action tuple must have 2 elements",
                              &ignored, &fd)) {
            return -1;
        }
        return check(posix_spawn_file_actions_addclose(actions, fd));
    case ACTION_DUP2:
        if (!PyArg_ParseTuple(action, "Oii;A dup2 file_action tuple must have 3 elements",
                              &ignored, &fd, &fd2)) {
            return -1;
        }
        return check(posix_spawn_file_actions_adddup2(actions, fd, fd2));
    default:
        PyErr_SetString(PyExc_TypeError, "Unknown file_actions identifier");
        return -1;
    }
}

static PyObject *
spawn(const char *func, int use_path, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
      _PyArg_Parser *parser)
{
    path_t path = PATH(func, "path", 0, 0);
    PyObject *argv_obj, *env_obj, *file_actions = NULL, *setpgroup = NULL, *sigmask = NULL;
    PyObject *sigdef = NULL, *scheduler = NULL, *result = NULL, *keep = NULL, *seq = NULL;
    int resetids = 0, setsid = 0;
    char **argv = NULL, **env = NULL;
    Py_ssize_t argc = 0, envc = 0;
    if (!_PyArg_ParseStackAndKeywords(args, nargs, kwnames, parser, path_converter, &path,
                                      &argv_obj, &env_obj, &file_actions, &setpgroup, &resetids,
                                      &setsid, &sigmask, &sigdef, &scheduler)) {
        return NULL;
    }
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attr);
    if (!PyList_Check(argv_obj) && !PyTuple_Check(argv_obj)) {
        PyErr_Format(PyExc_TypeError, "%s: argv must be a tuple or list", func);
        goto done;
    }
    if (PySequence_Size(argv_obj) < 1) {
        PyErr_Format(PyExc_ValueError, "%s: argv must not be empty", func);
        goto done;
    }
    if (!PyMapping_Check(env_obj) && env_obj != Py_None) {
        PyErr_Format(PyExc_TypeError, "%s: environment must be a mapping object or None", func);
        goto done;
    }
    argv = _posix_string_vector(argv_obj, func, "argv", &argc);
    if (argv == NULL || (env_obj != Py_None
                         && (env = _posix_environment(env_obj, &envc)) == NULL)) {
        goto done;
    }
    keep = PyList_New(0);
    if (keep == NULL) {
        goto done;
    }
    if (file_actions != NULL && file_actions != Py_None) {
        seq = PySequence_Fast(file_actions, "file_actions must be a sequence or None");
        if (seq == NULL) {
            goto done;
        }
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(seq); i++) {
            if (add_action(&actions, PySequence_Fast_GET_ITEM(seq, i), keep) < 0) {
                goto done;
            }
        }
    }
    if (set_attributes(&attr, func, setpgroup, resetids, setsid, sigmask, sigdef,
                       scheduler) < 0
        || PySys_Audit("os.posix_spawn", "OOO", path.object, argv_obj, env_obj) < 0) {
        goto done;
    }
    pid_t pid;
    char **environment = env != NULL ? env : environ;
    int err = use_path ? posix_spawnp(&pid, path.text, &actions, &attr, argv, environment)
                       : posix_spawn(&pid, path.text, &actions, &attr, argv, environment);
    if (err) {
        errno = err;
        PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path.object);
    }
    else {
        result = PyLong_FromLong(pid);
    }
done:
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attr);
    Py_XDECREF(keep);
    Py_XDECREF(seq);
    if (argv != NULL) {
        _posix_free_vector(argv, argc);
    }
    if (env != NULL) {
        _posix_free_vector(env, envc);
    }
    path_done(&path);
    return result;
}

static const char *const spawn_keywords[] = {
    "", "", "", "file_actions", "setpgroup", "resetids", "setsid", "setsigmask", "setsigdef",
    "scheduler", NULL
};

static PyObject *
os_posix_spawn(ARGS)
{
    static _PyArg_Parser parser = {.format = "O&OO|$OOiiOOO:posix_spawn",
                                   .keywords = spawn_keywords};
    return spawn("posix_spawn", 0, args, nargs, kwnames, &parser);
}

static PyObject *
os_posix_spawnp(ARGS)
{
    static _PyArg_Parser parser = {.format = "O&OO|$OOiiOOO:posix_spawnp",
                                   .keywords = spawn_keywords};
    return spawn("posix_spawnp", 1, args, nargs, kwnames, &parser);
}

#define SPAWN_DOC(name, space) \
    #name "($module, path, argv, env, /, *, file_actions=(),\n" \
    space "setpgroup=<unrepresentable>, resetids=False, setsid=False,\n" \
    space "setsigmask=(), setsigdef=(), scheduler=<unrepresentable>)\n--\n\nStarts a program."

PyMethodDef _posix_spawn_methods[] = {
    {"posix_spawn", FAST_KEYWORDS(os_posix_spawn), SPAWN_DOC(posix_spawn, "            ")},
    {"posix_spawnp", FAST_KEYWORDS(os_posix_spawnp), SPAWN_DOC(posix_spawnp, "             ")},
    {NULL, NULL, 0, NULL}
};
