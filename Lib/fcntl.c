/* The fcntl module: control of file descriptors, ioctl, file locks. */
#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BUFFER_SIZE 1024

static int
get_fd(PyObject *op, int *fd)
{
    *fd = PyObject_AsFileDescriptor(op);
    return *fd < 0 ? -1 : 0;
}

/* Repeats `call` until no signal interrupts it. Leaves its result in `result`; returns
   from the function if a signal handler raises. */
#define RETRY(result, call)                                             \
    do {                                                                \
        int interrupted_;                                               \
        do {                                                            \
            Py_BEGIN_ALLOW_THREADS                                      \
            (result) = (call);                                          \
            Py_END_ALLOW_THREADS                                        \
            interrupted_ = (result) < 0 && errno == EINTR;              \
            if (interrupted_ && PyErr_CheckSignals()) {                 \
                return NULL;                                            \
            }                                                           \
        } while (interrupted_);                                         \
        if ((result) < 0) {                                             \
            return PyErr_SetFromErrno(PyExc_OSError);                   \
        }                                                               \
    } while (0)

PyDoc_STRVAR(fcntl_doc,
"fcntl($module, fd, cmd, arg=0, /)\n--\n\n"
"Call fcntl(2).\n\n"
"arg is an int, or bytes that are copied and returned as the system left them.");

static PyObject *
fcntl_fcntl(PyObject *Py_UNUSED(module), PyObject *const *args,
            Py_ssize_t nargs)
{
    int fd, result;
    if (!_PyArg_CheckPositional("fcntl", nargs, 2, 3)
        || get_fd(args[0], &fd) < 0) {
        return NULL;
    }
    int cmd = _PyLong_AsInt(args[1]);
    if (cmd == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *arg = nargs > 2 ? args[2] : NULL;
    if (PySys_Audit("fcntl.fcntl", "iiO", fd, cmd,
                    arg != NULL ? arg : Py_None) < 0) {
        return NULL;
    }
    if (arg != NULL && (PyUnicode_Check(arg) || PyBytes_Check(arg)
                        || PyObject_CheckBuffer(arg))) {
        char *text;
        Py_ssize_t length;
        Py_buffer view = {.obj = NULL};
        char buffer[BUFFER_SIZE + 1];
        if (PyUnicode_Check(arg)) {
            text = (char *)PyUnicode_AsUTF8AndSize(arg, &length);
            if (text == NULL) {
                return NULL;
            }
        }
        else {
            if (PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0) {
                return NULL;
            }
            text = view.buf;
            length = view.len;
        }
        int too_long = length > BUFFER_SIZE;
        if (!too_long) {
            memcpy(buffer, text, (size_t)length);
            buffer[length] = '\0';
        }
        PyBuffer_Release(&view);
        if (too_long) {
            PyErr_SetString(PyExc_ValueError, "fcntl string arg too long");
            return NULL;
        }
        RETRY(result, fcntl(fd, cmd, buffer));
        return PyBytes_FromStringAndSize(buffer, length);
    }
    unsigned int number = 0;
    if (arg != NULL) {
        PyObject *index = PyNumber_Index(arg);
        if (index == NULL) {
            return NULL;
        }
        number = (unsigned int)PyLong_AsUnsignedLongMask(index);
        Py_DECREF(index);
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    RETRY(result, fcntl(fd, cmd, (int)number));
    return PyLong_FromLong(result);
}

/* ioctl on a writable buffer: the caller sees what the system wrote there. */
static PyObject *
ioctl_in_place(int fd, unsigned int code, Py_buffer *view)
{
    int result;
    char buffer[BUFFER_SIZE + 1];
    /* Most requests are small: work on a copy, so that a buffer that is too short does no
       harm. */
    int copied = view->len <= BUFFER_SIZE;
    char *memory = view->buf;
    if (copied) {
        memcpy(buffer, view->buf, (size_t)view->len);
        buffer[view->len] = '\0';
        memory = buffer;
    }
    if (copied) {
        Py_BEGIN_ALLOW_THREADS
        result = ioctl(fd, code, memory);
        Py_END_ALLOW_THREADS
        memcpy(view->buf, buffer, (size_t)view->len);
    }
    else {
        result = ioctl(fd, code, memory);
    }
    if (result < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return PyLong_FromLong(result);
}

PyDoc_STRVAR(ioctl_doc,
"ioctl($module, fd, request, arg=0, mutate_flag=True, /)\n--\n\n"
"Call ioctl(2).\n\n"
"arg is an int, a buffer that the system may change (with mutate_flag), or\n"
"bytes that are copied and returned as the system left them.");

static PyObject *
fcntl_ioctl(PyObject *Py_UNUSED(module), PyObject *const *args,
            Py_ssize_t nargs)
{
    int fd, result;
    if (!_PyArg_CheckPositional("ioctl", nargs, 2, 4)
        || get_fd(args[0], &fd) < 0) {
        return NULL;
    }
    PyObject *request = PyNumber_Index(args[1]);
    if (request == NULL) {
        return NULL;
    }
    unsigned int code = (unsigned int)PyLong_AsUnsignedLongMask(request);
    Py_DECREF(request);
    if (PyErr_Occurred()) {
        return NULL;
    }
    PyObject *arg = nargs > 2 ? args[2] : NULL;
    int mutate = nargs > 3 ? PyObject_IsTrue(args[3]) : 1;
    if (mutate < 0
        || PySys_Audit("fcntl.ioctl", "iIO", fd, code,
                       arg != NULL ? arg : Py_None) < 0) {
        return NULL;
    }
    if (arg != NULL && PyObject_CheckBuffer(arg)) {
        Py_buffer view;
        if (PyObject_GetBuffer(arg, &view, PyBUF_WRITABLE) == 0) {
            if (mutate) {
                PyObject *answer = ioctl_in_place(fd, code, &view);
                PyBuffer_Release(&view);
                return answer;
            }
        }
        else {
            PyErr_Clear();
            if (PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0) {
                return NULL;
            }
        }
        char buffer[BUFFER_SIZE + 1];
        Py_ssize_t length = view.len;
        if (length > BUFFER_SIZE) {
            PyBuffer_Release(&view);
            PyErr_SetString(PyExc_ValueError, "ioctl string arg too long");
            return NULL;
        }
        memcpy(buffer, view.buf, (size_t)length);
        buffer[length] = '\0';
        PyBuffer_Release(&view);
        Py_BEGIN_ALLOW_THREADS
        result = ioctl(fd, code, buffer);
        Py_END_ALLOW_THREADS
        if (result < 0) {
            return PyErr_SetFromErrno(PyExc_OSError);
        }
        return PyBytes_FromStringAndSize(buffer, length);
    }
    if (arg != NULL && PyUnicode_Check(arg)) {
        char buffer[BUFFER_SIZE + 1];
        Py_ssize_t length;
        const char *text = PyUnicode_AsUTF8AndSize(arg, &length);
        if (text == NULL) {
            return NULL;
        }
        if (length > BUFFER_SIZE) {
            PyErr_SetString(PyExc_ValueError, "ioctl string arg too long");
            return NULL;
        }
        memcpy(buffer, text, (size_t)length + 1);
        Py_BEGIN_ALLOW_THREADS
        result = ioctl(fd, code, buffer);
        Py_END_ALLOW_THREADS
        if (result < 0) {
            return PyErr_SetFromErrno(PyExc_OSError);
        }
        return PyBytes_FromStringAndSize(buffer, length);
    }
    int number = 0;
    if (arg != NULL && !PyArg_Parse(arg, "i", &number)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    result = ioctl(fd, code, number);
    Py_END_ALLOW_THREADS
    if (result < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return PyLong_FromLong(result);
}

PyDoc_STRVAR(flock_doc,
"flock($module, fd, operation, /)\n--\n\nCall flock(2): LOCK_SH, LOCK_EX, LOCK_UN, or'ed with LOCK_NB.");

static PyObject *
fcntl_flock(PyObject *Py_UNUSED(module), PyObject *const *args,
            Py_ssize_t nargs)
{
    int fd, result;
    if (!_PyArg_CheckPositional("flock", nargs, 2, 2)
        || get_fd(args[0], &fd) < 0) {
        return NULL;
    }
    int operation = _PyLong_AsInt(args[1]);
    if ((operation == -1 && PyErr_Occurred())
        || PySys_Audit("fcntl.flock", "ii", fd, operation) < 0) {
        return NULL;
    }
    RETRY(result, flock(fd, operation));
    Py_RETURN_NONE;
}

static int
get_offset(PyObject *op, off_t *offset)
{
    *offset = PyLong_AsLong(op);
    return *offset == -1 && PyErr_Occurred() ? -1 : 0;
}

PyDoc_STRVAR(lockf_doc,
"lockf($module, fd, cmd, len=0, start=0, whence=0, /)\n--\n\n"
"Lock len bytes of a file from start on, by fcntl(2)'s record locks.\n\n"
"cmd is LOCK_UN, LOCK_SH or LOCK_EX, the latter two perhaps with LOCK_NB.");

static PyObject *
fcntl_lockf(PyObject *Py_UNUSED(module), PyObject *const *args,
            Py_ssize_t nargs)
{
    int fd, result, whence = 0;
    if (!_PyArg_CheckPositional("lockf", nargs, 2, 5)
        || get_fd(args[0], &fd) < 0) {
        return NULL;
    }
    int code = _PyLong_AsInt(args[1]);
    if (code == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *length = nargs > 2 ? args[2] : NULL;
    PyObject *start = nargs > 3 ? args[3] : NULL;
    if (nargs > 4) {
        whence = _PyLong_AsInt(args[4]);
        if (whence == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (PySys_Audit("fcntl.lockf", "iiOOi", fd, code,
                    length != NULL ? length : Py_None,
                    start != NULL ? start : Py_None, whence) < 0) {
        return NULL;
    }
    struct flock lock;
    memset(&lock, 0, sizeof(lock));
    if (code == LOCK_UN) {
        lock.l_type = F_UNLCK;
    }
    else if (code & LOCK_SH) {
        lock.l_type = F_RDLCK;
    }
    else if (code & LOCK_EX) {
        lock.l_type = F_WRLCK;
    }
    else {
        PyErr_SetString(PyExc_ValueError, "unrecognized lockf argument");
        return NULL;
    }
    if ((start != NULL && get_offset(start, &lock.l_start) < 0)
        || (length != NULL && get_offset(length, &lock.l_len) < 0)) {
        return NULL;
    }
    lock.l_whence = (short)whence;
    RETRY(result, fcntl(fd, code & LOCK_NB ? F_SETLK : F_SETLKW, &lock));
    Py_RETURN_NONE;
}

static PyMethodDef fcntl_methods[] = {
    {"fcntl", FAST(fcntl_fcntl), fcntl_doc},
    {"ioctl", FAST(fcntl_ioctl), ioctl_doc},
    {"flock", FAST(fcntl_flock), flock_doc},
    {"lockf", FAST(fcntl_lockf), lockf_doc},
    {NULL, NULL, 0, NULL},
};

#define ROW(name) {#name, name}
static const struct {
    const char *name;
    long value;
} constants[] = {
    ROW(LOCK_SH), ROW(LOCK_EX), ROW(LOCK_NB), ROW(LOCK_UN), ROW(LOCK_MAND),
    ROW(LOCK_READ), ROW(LOCK_WRITE), ROW(LOCK_RW),
    ROW(F_DUPFD), ROW(F_DUPFD_CLOEXEC), ROW(F_GETFD), ROW(F_SETFD),
    ROW(F_GETFL), ROW(F_SETFL), ROW(F_GETLK), ROW(F_SETLK), ROW(F_SETLKW),
    ROW(F_OFD_GETLK), ROW(F_OFD_SETLK), ROW(F_OFD_SETLKW), ROW(F_GETOWN),
    ROW(F_SETOWN), ROW(F_GETSIG), ROW(F_SETSIG), ROW(F_RDLCK), ROW(F_WRLCK),
    ROW(F_UNLCK), ROW(F_EXLCK), ROW(F_SHLCK), ROW(F_SETLEASE),
    ROW(F_GETLEASE), ROW(F_NOTIFY), ROW(F_SETPIPE_SZ), ROW(F_GETPIPE_SZ),
    ROW(F_ADD_SEALS), ROW(F_GET_SEALS), ROW(F_SEAL_SEAL), ROW(F_SEAL_SHRINK),
    ROW(F_SEAL_GROW), ROW(F_SEAL_WRITE),
    {"F_GETLK64", F_GETLK}, {"F_SETLK64", F_SETLK}, {"F_SETLKW64", F_SETLKW},
    ROW(FASYNC), ROW(FD_CLOEXEC),
    ROW(DN_ACCESS), ROW(DN_MODIFY), ROW(DN_CREATE), ROW(DN_DELETE),
    ROW(DN_RENAME), ROW(DN_ATTRIB), ROW(DN_MULTISHOT),
};
#undef ROW

static int
fcntl_exec(PyObject *module)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot fcntl_slots[] = {
    {Py_mod_exec, fcntl_exec},
    {0, NULL},
};

static PyModuleDef fcntl_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "fcntl",
    .m_doc = PyDoc_STR("Control of file descriptors: fcntl(), ioctl(), locks."),
    .m_size = 0,
    .m_methods = fcntl_methods,
    .m_slots = fcntl_slots,
};

MODULE_INIT(fcntl)
{
    return PyModuleDef_Init(&fcntl_module);
}
