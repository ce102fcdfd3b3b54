/* The _posixsubprocess module: fork_exec(), which subprocess.py is built on.

   Between fork and exec the child is a copy of one thread of a process whose other
   threads may have held locks. So the child's code does not allocate and does not call
   into Python (except for preexec_fn, at the caller's risk). Everything is prepared in a
   `plan` beforehand. With vfork() the child even shares the parent's memory, so it
   changes nothing in the plan.

   The child reports a failure through errpipe_write, in the form that subprocess.py
   reads: "OSError:<errno in hex>:<message>". */
#include "Python.h"
#include "shared/ids.h"
#include "internal/module_init.h"
#include "internal/pystate.h"
#include "internal/signals.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct plan {
    char *const *exec_array;    /* programs to try */
    char *const *argv;
    char *const *envp;          /* NULL: the environment as it is */
    const char *cwd;
    int p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite;
    int errpipe_read, errpipe_write;
    int close_fds;
    const int *keep;            /* sorted */
    Py_ssize_t n_keep;
    int restore_signals;
    int call_setsid;
    pid_t pgid;                 /* -1: leave */
    int call_setgid, call_setgroups, call_setuid;
    gid_t gid;
    uid_t uid;
    const gid_t *groups;
    size_t n_groups;
    int umask;                  /* -1: leave */
    const sigset_t *vfork_mask; /* the mask to restore in a vfork()ed child */
    PyObject *preexec_fn;
};

/* ------------------------------------------------------------- in the child */

static void
say(int fd, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, text, n);
        if (done < 0) {
            if (errno == EINTR) {
                continue;
            }
            return;
        }
        text += done;
        n -= (size_t)done;
    }
}

static void
say_text(int fd, const char *text)
{
    say(fd, text, strlen(text));
}

static void
say_hex(int fd, unsigned int value)
{
    char digits[2 * sizeof(value)];
    char *end = digits + sizeof(digits), *p = end;
    do {
        *--p = "0123456789ABCDEF"[value & 15];
        value >>= 4;
    } while (value != 0);
    say(fd, p, (size_t)(end - p));
}

static int
set_inheritable(int fd)
{
    int flags = fcntl(fd, F_GETFD);
    return flags < 0 ? -1
        : !(flags & FD_CLOEXEC) ? 0 : fcntl(fd, F_SETFD, flags & ~FD_CLOEXEC);
}

static int
is_kept(int fd, const struct plan *plan)
{
    Py_ssize_t low = 0, high = plan->n_keep - 1;
    while (low <= high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (plan->keep[middle] == fd) {
            return 1;
        }
        if (plan->keep[middle] < fd) {
            low = middle + 1;
        }
        else {
            high = middle - 1;
        }
    }
    return 0;
}

/* Closes fds from `first` to `last` (inclusive). */
static int
close_range_of(int first, int last)
{
    if (first > last) {
        return 0;
    }
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned int)first, (unsigned int)last, 0)
        == 0) {
        return 0;
    }
#endif
    return -1;
}

/* Closes the descriptors that /proc lists as open. It is read with the system call
   itself, because opendir() allocates. */
static void
close_by_listing(int first, const struct plan *plan)
{
    struct entry {
        uint64_t inode;
        int64_t offset;
        unsigned short length;
        unsigned char type;
        char name[];
    };
    int folder = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        long limit = sysconf(_SC_OPEN_MAX);
        for (int fd = first; fd < (limit > 0 ? limit : 256); fd++) {
            if (!is_kept(fd, plan)) {
                close(fd);
            }
        }
        return;
    }
    _Alignas(struct entry) char buffer[2048];
    long n;
    while ((n = syscall(SYS_getdents64, folder, buffer, sizeof(buffer))) > 0) {
        for (long at = 0; at < n; ) {
            const struct entry *entry = (const struct entry *)(buffer + at);
            int fd = 0;
            const char *p = entry->name;
            at += entry->length;
            while (*p >= '0' && *p <= '9') {
                fd = fd * 10 + (*p++ - '0');
            }
            if (*p == '\0' && p != entry->name && fd >= first && fd != folder
                && !is_kept(fd, plan)) {
                close(fd);
            }
        }
    }
    close(folder);
}

static void
close_others(const struct plan *plan)
{
    int next = 3;
    for (Py_ssize_t i = 0; i < plan->n_keep; i++) {
        int kept = plan->keep[i];
        if (kept < next) {
            continue;
        }
        if (close_range_of(next, kept - 1) < 0) {
            close_by_listing(next, plan);
            return;
        }
        next = kept + 1;
    }
    if (close_range_of(next, INT_MAX) < 0) {
        close_by_listing(next, plan);
    }
}

/* Makes the pipes' ends the standard streams. */
static int
arrange_streams(const struct plan *plan)
{
    int in = plan->p2cread, out = plan->c2pwrite, err = plan->errwrite;
    /* An end that is itself a standard descriptor must not be overwritten
       before it is used. */
    if (out == 0) {
        out = dup(out);
        if (out < 0) {
            return -1;
        }
    }
    while (err == 0 || err == 1) {
        err = dup(err);
        if (err < 0) {
            return -1;
        }
    }
    const int wanted[] = {in, out, err};
    for (int i = 0; i < 3; i++) {
        int fd = wanted[i];
        if (fd == -1) {
            continue;
        }
        /* dup2() onto itself would leave close-on-exec set. */
        int status = fd == i ? set_inheritable(fd) : dup2(fd, i);
        if (status < 0) {
            return -1;
        }
    }
    return 0;
}

static void
close_if_open(int fd)
{
    if (fd != -1) {
        close(fd);
    }
}

static int
change_identity(const struct plan *plan)
{
    if (plan->call_setsid) {
        (void)setsid();
    }
    if (plan->pgid >= 0 && setpgid(0, plan->pgid) < 0) {
        return -1;
    }
    if (plan->call_setgroups && setgroups(plan->n_groups, plan->groups) < 0) {
        return -1;
    }
    if (plan->call_setgid && setregid(plan->gid, plan->gid) < 0) {
        return -1;
    }
    if (plan->call_setuid && setreuid(plan->uid, plan->uid) < 0) {
        return -1;
    }
    return 0;
}

/* Handlers of the parent must not run in a child that shares its memory. */
static void
reset_handlers(void)
{
    struct sigaction action;
    for (int i = 1; i < _Py_NSIG; i++) {
        if (i == SIGKILL || i == SIGSTOP || sigaction(i, NULL, &action) < 0) {
            continue;
        }
        if (action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL) {
            memset(&action, 0, sizeof(action));
            action.sa_handler = SIG_DFL;
            (void)sigaction(i, &action, NULL);
        }
    }
}

/* 0, or -1 with errno. preexec_fn's failure is -2. */
static int
prepare_child(const struct plan *plan)
{
    for (Py_ssize_t i = 0; i < plan->n_keep; i++) {
        if (plan->keep[i] != plan->errpipe_write
            && set_inheritable(plan->keep[i]) < 0) {
            /* It is not open; exec would not pass it on either. */
            continue;
        }
    }
    close_if_open(plan->p2cwrite);
    close_if_open(plan->c2pread);
    close_if_open(plan->errread);
    close_if_open(plan->errpipe_read);
    if (arrange_streams(plan) < 0) {
        return -1;
    }
    if (plan->cwd != NULL && chdir(plan->cwd) < 0) {
        return -1;
    }
    if (plan->umask >= 0) {
        umask((mode_t)plan->umask);
    }
    if (plan->restore_signals) {
        _Py_RestoreSignals();
    }
    if (plan->vfork_mask != NULL) {
        reset_handlers();
        int error = pthread_sigmask(SIG_SETMASK, plan->vfork_mask, NULL);
        if (error != 0) {
            errno = error;
            return -1;
        }
    }
    if (change_identity(plan) < 0) {
        return -1;
    }
    if (plan->preexec_fn != NULL) {
        PyObject *result = PyObject_CallNoArgs(plan->preexec_fn);
        if (result == NULL) {
            return -2;
        }
        Py_DECREF(result);
    }
    if (plan->close_fds) {
        close_others(plan);
    }
    return 0;
}

/* Returns only on failure, with the errno of the most informative attempt. */
static void
try_programs(const struct plan *plan)
{
    int telling = 0;
    for (char *const *program = plan->exec_array; *program != NULL;
         program++) {
        if (plan->envp != NULL) {
            execve(*program, plan->argv, plan->envp);
        }
        else {
            execv(*program, plan->argv);
        }
        if (errno != ENOENT && errno != ENOTDIR && telling == 0) {
            telling = errno;
        }
    }
    if (telling != 0) {
        errno = telling;
    }
}

static _Py_NO_RETURN void
run_child(const struct plan *plan)
{
    const char *message = "noexec";
    int status = prepare_child(plan);
    if (status == 0) {
        message = "";
        try_programs(plan);
    }
    int number = errno, pipe = plan->errpipe_write;
    if (status == -2) {
        say_text(pipe, "SubprocessError:0:Exception occurred in preexec_fn.");
    }
    else {
        say_text(pipe, "OSError:");
        say_hex(pipe, (unsigned int)number);
        say_text(pipe, ":");
        say_text(pipe, message);
    }
    _exit(255);
}

/* Not inlined: a vfork()ed child must not disturb the caller's frame. */
static __attribute__((noinline)) pid_t
fork_and_run(const struct plan *plan)
{
    pid_t pid;
    if (plan->vfork_mask != NULL) {
        pid = vfork();
        if (pid < 0) {
            /* Some sandboxes forbid it. */
            pid = fork();
        }
    }
    else {
        pid = fork();
    }
    if (pid != 0) {
        return pid;
    }
    if (plan->preexec_fn != NULL) {
        PyOS_AfterFork_Child();
    }
    run_child(plan);
}

/* ------------------------------------------------------------- preparations */

static void
free_strings(char **strings)
{
    if (strings != NULL) {
        for (char **p = strings; *p != NULL; p++) {
            PyMem_Free(*p);
        }
        PyMem_Free(strings);
    }
}

/* Copies of bytes objects, NULL-terminated. With `encode`, paths and str too. */
static char **
make_strings(PyObject *sequence, int encode, const char *message)
{
    if (!encode && PySequence_Size(sequence) < 0) {
        return NULL;
    }
    PyObject *fast = PySequence_Fast(sequence, message);
    if (fast == NULL) {
        return NULL;
    }
    Py_ssize_t n = PySequence_Fast_GET_SIZE(fast);
    char **strings = PyMem_Calloc((size_t)n + 1, sizeof(*strings));
    if (strings == NULL) {
        PyErr_NoMemory();
        goto fail;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PySequence_Fast_GET_SIZE(fast) != n) {
            PyErr_SetString(PyExc_RuntimeError,
                            "args changed during iteration");
            goto fail;
        }
        PyObject *item = PySequence_Fast_GET_ITEM(fast, i);
        PyObject *bytes;
        if (encode) {
            if (!PyUnicode_FSConverter(item, &bytes)) {
                goto fail;
            }
        }
        else {
            bytes = Py_NewRef(item);
        }
        char *text;
        if (PyBytes_AsStringAndSize(bytes, &text, NULL) == 0) {
            strings[i] = _PyMem_Strdup(text);
            if (strings[i] == NULL) {
                PyErr_NoMemory();
            }
        }
        Py_DECREF(bytes);
        if (strings[i] == NULL) {
            goto fail;
        }
    }
    Py_DECREF(fast);
    return strings;

fail:
    free_strings(strings);
    Py_DECREF(fast);
    return NULL;
}

/* The tuple of descriptors must be sorted, without duplicates. */
static int *
make_keep(PyObject *tuple)
{
    Py_ssize_t n = PyTuple_GET_SIZE(tuple);
    int *keep = PyMem_New(int, n + 1);
    if (keep == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    long previous = -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(tuple, i);
        long fd = PyLong_Check(item) ? PyLong_AsLong(item) : -1;
        if (fd < 0 || fd <= previous || fd > INT_MAX) {
            PyErr_Clear();
            PyMem_Free(keep);
            PyErr_SetString(PyExc_ValueError,
                            "bad value(s) in fds_to_keep");
            return NULL;
        }
        keep[i] = (int)fd;
        previous = fd;
    }
    return keep;
}

static gid_t *
make_groups(PyObject *sequence, size_t *count)
{
    if (!PyList_Check(sequence)) {
        PyErr_SetString(PyExc_TypeError,
                        "setgroups argument must be a list");
        return NULL;
    }
    Py_ssize_t n = PyList_GET_SIZE(sequence);
    if (n > 65536) {
        PyErr_SetString(PyExc_ValueError, "too many groups");
        return NULL;
    }
    gid_t *groups = PyMem_New(gid_t, n + 1);
    if (groups == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        if (item == NULL) {
            goto fail;
        }
        int is_int = PyLong_Check(item);
        int ok = is_int && _Py_Gid_Converter(item, &groups[i]);
        Py_DECREF(item);
        if (!is_int) {
            PyErr_SetString(PyExc_TypeError, "groups must be integers");
            goto fail;
        }
        if (!ok) {
            PyErr_SetString(PyExc_ValueError, "invalid group id");
            goto fail;
        }
    }
    *count = (size_t)n;
    return groups;

fail:
    PyMem_Free(groups);
    return NULL;
}

static pid_t
run_plan(struct plan *plan, int allow_vfork)
{
    sigset_t all, old;
    int blocked = 0;
    if (plan->preexec_fn == NULL && allow_vfork && !plan->call_setuid
        && !plan->call_setgid && !plan->call_setgroups) {
        /* No signal handler may run in the child on the parent's memory. */
        sigfillset(&all);
        blocked = pthread_sigmask(SIG_BLOCK, &all, &old) == 0;
        plan->vfork_mask = blocked ? &old : NULL;
    }
    pid_t pid = fork_and_run(plan);
    int number = errno;
    if (blocked) {
        (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    errno = number;
    return pid;
}

PyDoc_STRVAR(fork_exec_doc,
"fork_exec(args, executable_list, close_fds, pass_fds, cwd, env,\n"
"          p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite,\n"
"          errpipe_read, errpipe_write, restore_signals, call_setsid,\n"
"          pgid_to_set, gid, groups_list, uid, umask, preexec_fn,\n"
"          allow_vfork)\n\n"
"Start a program in a child process and return the child's pid.\n\n"
"What fails in the child is written to errpipe_write.");

static PyObject *
fork_exec(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *process_args, *executables, *keep_tuple, *cwd_object, *env;
    PyObject *gid_object, *groups_object, *uid_object, *preexec_fn;
    int allow_vfork;
    struct plan plan;
    memset(&plan, 0, sizeof(plan));
    if (!PyArg_ParseTuple(
            args, "OOpO!OOiiiiiiiiiiiOOOiOp:fork_exec",
            &process_args, &executables, &plan.close_fds,
            &PyTuple_Type, &keep_tuple, &cwd_object, &env,
            &plan.p2cread, &plan.p2cwrite, &plan.c2pread, &plan.c2pwrite,
            &plan.errread, &plan.errwrite,
            &plan.errpipe_read, &plan.errpipe_write,
            &plan.restore_signals, &plan.call_setsid, &plan.pgid,
            &gid_object, &groups_object, &uid_object, &plan.umask,
            &preexec_fn, &allow_vfork)) {
        return NULL;
    }
    if (preexec_fn != Py_None) {
        plan.preexec_fn = preexec_fn;
        if (!_Py_IsMainInterpreter(_PyInterpreterState_GET())) {
            PyErr_SetString(PyExc_RuntimeError, "preexec_fn not supported "
                                                "within subinterpreters");
            return NULL;
        }
    }
    if (_PyInterpreterState_Forbids(_PyInterpreterState_GET(), "subprocess")) {
        return NULL;
    }
    if (plan.close_fds && plan.errpipe_write < 3) {
        PyErr_SetString(PyExc_ValueError, "errpipe_write must be >= 3");
        return NULL;
    }

    char **exec_array = NULL, **argv = NULL, **envp = NULL;
    gid_t *groups = NULL;
    PyObject *cwd = NULL, *result = NULL;
    int *keep = make_keep(keep_tuple);
    int gc_was_on = 0, forked = 0;
    if (keep == NULL) {
        return NULL;
    }
    plan.keep = keep;
    plan.n_keep = PyTuple_GET_SIZE(keep_tuple);
    /* preexec_fn runs Python in the child: no collection, and so no finalizers, may run
       there. */
    if (plan.preexec_fn != NULL) {
        gc_was_on = PyGC_Disable();
    }
    exec_array = make_strings(executables, 0, "executable_list must be a "
                                              "sequence");
    if (exec_array == NULL) {
        goto done;
    }
    argv = make_strings(process_args, 1, "argv must be a tuple");
    if (argv == NULL) {
        goto done;
    }
    if (env != Py_None) {
        envp = make_strings(env, 0, "env must be a sequence");
        if (envp == NULL) {
            goto done;
        }
    }
    if (cwd_object != Py_None) {
        if (!PyUnicode_FSConverter(cwd_object, &cwd)) {
            goto done;
        }
        plan.cwd = PyBytes_AS_STRING(cwd);
    }
    if (groups_object != Py_None) {
        groups = make_groups(groups_object, &plan.n_groups);
        if (groups == NULL) {
            goto done;
        }
        plan.groups = groups;
        plan.call_setgroups = 1;
    }
    if (gid_object != Py_None) {
        if (!_Py_Gid_Converter(gid_object, &plan.gid)) {
            goto done;
        }
        plan.call_setgid = 1;
    }
    if (uid_object != Py_None) {
        if (!_Py_Uid_Converter(uid_object, &plan.uid)) {
            goto done;
        }
        plan.call_setuid = 1;
    }
    plan.exec_array = exec_array;
    plan.argv = argv;
    plan.envp = envp;

    if (plan.preexec_fn != NULL) {
        PyOS_BeforeFork();
        forked = 1;
    }
    pid_t pid = run_plan(&plan, allow_vfork);
    int number = errno;
    if (forked) {
        PyOS_AfterFork_Parent();
    }
    if (pid < 0) {
        errno = number;
        PyErr_SetFromErrno(PyExc_OSError);
        goto done;
    }
    result = PyLong_FromLong(pid);

done:
    if (gc_was_on) {
        PyGC_Enable();
    }
    free_strings(exec_array);
    free_strings(argv);
    free_strings(envp);
    PyMem_Free(groups);
    PyMem_Free(keep);
    Py_XDECREF(cwd);
    return result;
}

static PyMethodDef posixsubprocess_methods[] = {
    {"fork_exec", fork_exec, METH_VARARGS, fork_exec_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot posixsubprocess_slots[] = {
    {0, NULL},
};

static PyModuleDef posixsubprocess_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_posixsubprocess",
    .m_doc = PyDoc_STR("The part of subprocess that runs between fork and "
                       "exec."),
    .m_size = 0,
    .m_methods = posixsubprocess_methods,
    .m_slots = posixsubprocess_slots,
};

MODULE_INIT(_posixsubprocess)
{
    return PyModuleDef_Init(&posixsubprocess_module);
}
