/* The select module: select(), poll objects, epoll objects. */
#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "structmember.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

typedef struct {
    PyTypeObject *poll_type;
    PyTypeObject *epoll_type;
} select_state;

static inline select_state *
get_state(PyObject *module)
{
    return PyModule_GetState(module);
}

/* A timeout in milliseconds for poll() and epoll_wait(), rounded up to avoid busy
   waiting. */
static int
to_milliseconds(_PyTime_t timeout, int *ms)
{
    _PyTime_t value = _PyTime_AsMilliseconds(timeout, _PyTime_ROUND_TIMEOUT);
    if (value < INT_MIN || value > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError, "timeout is too large");
        return -1;
    }
    *ms = (int)value;
    return 0;
}

/* ----------------------------------------------------------------- select() */

/* The objects of one list, with their descriptors. The references are owned. */
typedef struct {
    PyObject *objects[FD_SETSIZE];
    int fds[FD_SETSIZE];
    int count;
} fd_list;

static void
free_fds(fd_list *list)
{
    for (int i = 0; i < list->count; i++) {
        Py_DECREF(list->objects[i]);
    }
    list->count = 0;
}

/* Fills list and set; raises *max. */
static int
collect_fds(PyObject *sequence, fd_list *list, fd_set *set, int *max)
{
    FD_ZERO(set);
    list->count = 0;
    PyObject *fast = PySequence_Fast(sequence,
                                     "arguments 1-3 must be sequences");
    if (fast == NULL) {
        return -1;
    }
    /* fileno() may change the list. */
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *op = PySequence_Fast_GET_ITEM(fast, i);
        Py_INCREF(op);
        int fd = PyObject_AsFileDescriptor(op);
        if (fd < 0) {
            goto fail;
        }
        if (fd >= FD_SETSIZE) {
            PyErr_SetString(PyExc_ValueError,
                            "filedescriptor out of range in select()");
            goto fail;
        }
        if (list->count == FD_SETSIZE) {
            PyErr_SetString(PyExc_ValueError,
                            "too many file descriptors in select()");
            goto fail;
        }
        FD_SET(fd, set);
        if (fd > *max) {
            *max = fd;
        }
        list->objects[list->count] = op;
        list->fds[list->count++] = fd;
        continue;

    fail:
        Py_DECREF(op);
        Py_DECREF(fast);
        return -1;
    }
    Py_DECREF(fast);
    return 0;
}

static PyObject *
ready_objects(const fd_list *list, const fd_set *set)
{
    PyObject *result = PyList_New(0);
    for (int i = 0; result != NULL && i < list->count; i++) {
        if (FD_ISSET(list->fds[i], set)
            && PyList_Append(result, list->objects[i]) < 0) {
            Py_CLEAR(result);
        }
    }
    return result;
}

/* select(2), repeated after signals. timeout < 0: for ever. */
static int
wait_select(int max, fd_set sets[3], const fd_set wanted[3],
            _PyTime_t timeout)
{
    _PyTime_t deadline = timeout >= 0 ? _PyDeadline_Init(timeout) : 0;
    for (;;) {
        struct timeval tv;
        int n, error;
        memcpy(sets, wanted, 3 * sizeof(fd_set));
        if (timeout >= 0
            && _PyTime_AsTimeval(timeout, &tv, _PyTime_ROUND_TIMEOUT) < 0) {
            return -1;
        }
        Py_BEGIN_ALLOW_THREADS
        errno = 0;
        n = select(max + 1, &sets[0], &sets[1], &sets[2],
                   timeout >= 0 ? &tv : NULL);
        error = errno;
        Py_END_ALLOW_THREADS
        if (n >= 0) {
            return n;
        }
        if (error != EINTR) {
            errno = error;
            PyErr_SetFromErrno(PyExc_OSError);
            return -1;
        }
        if (PyErr_CheckSignals()) {
            return -1;
        }
        if (timeout >= 0) {
            timeout = _PyDeadline_Get(deadline);
            if (timeout < 0) {
                for (int i = 0; i < 3; i++) {
                    FD_ZERO(&sets[i]);
                }
                return 0;
            }
        }
    }
}

PyDoc_STRVAR(select_doc,
"select($module, rlist, wlist, xlist, timeout=None, /)\n--\n\n"
"Wait until file descriptors are ready for I/O.\n\n"
"Takes three sequences of descriptors (ints, or objects with fileno()): to read\n"
"from, to write to, and with exceptional conditions. Returns the three lists of\n"
"those that are ready; all empty when the timeout (in seconds) is over.");

static PyObject *
select_select(PyObject *Py_UNUSED(module), PyObject *const *args,
              Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("select", nargs, 3, 4)) {
        return NULL;
    }
    _PyTime_t timeout = -1;
    if (nargs > 3 && args[3] != Py_None) {
        if (_PyTime_FromSecondsObject(&timeout, args[3],
                                      _PyTime_ROUND_TIMEOUT) < 0) {
            if (PyErr_ExceptionMatches(PyExc_TypeError)) {
                PyErr_SetString(PyExc_TypeError,
                                "timeout must be a float or None");
            }
            return NULL;
        }
        if (timeout < 0) {
            PyErr_SetString(PyExc_ValueError, "timeout must be non-negative");
            return NULL;
        }
    }
    fd_list *lists = PyMem_Malloc(3 * sizeof(*lists));
    if (lists == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    fd_set wanted[3], ready[3];
    int max = -1, filled = 0;
    for (; filled < 3; filled++) {
        if (collect_fds(args[filled], &lists[filled], &wanted[filled],
                        &max) < 0) {
            free_fds(&lists[filled]);
            goto done;
        }
    }
    if (wait_select(max, ready, wanted, timeout) < 0) {
        goto done;
    }
    PyObject *answers[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3; i++) {
        answers[i] = ready_objects(&lists[i], &ready[i]);
    }
    if (answers[0] != NULL && answers[1] != NULL && answers[2] != NULL) {
        result = PyTuple_Pack(3, answers[0], answers[1], answers[2]);
    }
    for (int i = 0; i < 3; i++) {
        Py_XDECREF(answers[i]);
    }

done:
    while (filled > 0) {
        free_fds(&lists[--filled]);
    }
    PyMem_Free(lists);
    return result;
}

/* --------------------------------------------------------------------- poll */

typedef struct {
    PyObject_HEAD
    PyObject *dict;             /* fd: event mask */
    struct pollfd *fds;         /* made of dict when stale */
    int count;
    int stale;
    int polling;
} pollobject;

/* A converter for an event mask. */
static int
get_mask(PyObject *op, unsigned short *mask)
{
    unsigned long value = PyLong_AsUnsignedLong(op);
    if (PyLong_Check(op) && _PyLong_Sign(op) < 0) {
        PyErr_Clear();
        PyErr_SetString(PyExc_ValueError, "value must be positive");
        return -1;
    }
    if (value == (unsigned long)-1 && PyErr_Occurred()) {
        return -1;
    }
    if (value > USHRT_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "Python int too large for C unsigned short");
        return -1;
    }
    *mask = (unsigned short)value;
    return 0;
}

static int
set_mask(pollobject *self, int fd, unsigned short mask)
{
    PyObject *key = PyLong_FromLong(fd);
    PyObject *value = PyLong_FromLong(mask);
    int status = key == NULL || value == NULL ? -1
        : PyDict_SetItem(self->dict, key, value);
    Py_XDECREF(key);
    Py_XDECREF(value);
    self->stale = 1;
    return status;
}

PyDoc_STRVAR(poll_register_doc,
"register($self, fd,\n"
"         eventmask=select.POLLIN | select.POLLPRI | select.POLLOUT, /)\n"
"--\n\nAdd a file descriptor, or change what to wait for.");

static PyObject *
poll_register(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    unsigned short mask = POLLIN | POLLPRI | POLLOUT;
    if (!_PyArg_CheckPositional("register", nargs, 1, 2)) {
        return NULL;
    }
    int fd = PyObject_AsFileDescriptor(args[0]);
    if (fd < 0 || (nargs > 1 && get_mask(args[1], &mask) < 0)
        || set_mask((pollobject *)op, fd, mask) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(poll_modify_doc,
"modify($self, fd, eventmask, /)\n--\n\n"
"Change what to wait for on a file descriptor.");

static PyObject *
poll_modify(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    pollobject *self = (pollobject *)op;
    unsigned short mask;
    if (!_PyArg_CheckPositional("modify", nargs, 2, 2)) {
        return NULL;
    }
    int fd = PyObject_AsFileDescriptor(args[0]);
    if (fd < 0 || get_mask(args[1], &mask) < 0) {
        return NULL;
    }
    PyObject *key = PyLong_FromLong(fd);
    if (key == NULL) {
        return NULL;
    }
    int known = PyDict_Contains(self->dict, key);
    Py_DECREF(key);
    if (known < 0) {
        return NULL;
    }
    if (!known) {
        errno = ENOENT;
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    if (set_mask(self, fd, mask) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(poll_unregister_doc,
"unregister($self, fd, /)\n--\n\nRemove a file descriptor.");

static PyObject *
poll_unregister(PyObject *op, PyObject *arg)
{
    pollobject *self = (pollobject *)op;
    int fd = PyObject_AsFileDescriptor(arg);
    PyObject *key = fd < 0 ? NULL : PyLong_FromLong(fd);
    if (key == NULL) {
        return NULL;
    }
    int status = PyDict_DelItem(self->dict, key);
    Py_DECREF(key);
    if (status < 0) {
        return NULL;
    }
    self->stale = 1;
    Py_RETURN_NONE;
}

static int
rebuild(pollobject *self)
{
    Py_ssize_t n = PyDict_GET_SIZE(self->dict);
    struct pollfd *fds = PyMem_Realloc(self->fds,
                                       (size_t)(n + 1) * sizeof(*fds));
    if (fds == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->fds = fds;
    PyObject *key, *value;
    Py_ssize_t at = 0;
    int i = 0;
    while (PyDict_Next(self->dict, &at, &key, &value)) {
        fds[i].fd = (int)PyLong_AsLong(key);
        fds[i].events = (short)PyLong_AsLong(value);
        fds[i].revents = 0;
        i++;
    }
    self->count = i;
    self->stale = 0;
    return 0;
}

/* Called after poll() or epoll_wait() has returned n. True if that is the result, which
   becomes -1 with an exception after an error, and 0 if the time is up. Otherwise a
   signal has arrived, its handlers have run, and *ms is the time left until the deadline. */
static int
wait_is_over(int *n, int error, int limited, _PyTime_t deadline, int *ms)
{
    if (*n >= 0) {
        return 1;
    }
    if (error != EINTR) {
        errno = error;
        PyErr_SetFromErrno(PyExc_OSError);
        return 1;
    }
    if (PyErr_CheckSignals()) {
        return 1;
    }
    if (limited) {
        _PyTime_t left = _PyDeadline_Get(deadline);
        if (left < 0) {
            *n = 0;
            return 1;
        }
        *ms = (int)_PyTime_AsMilliseconds(left, _PyTime_ROUND_CEILING);
    }
    return 0;
}

/* poll(2), repeated after signals: the number of ready descriptors, or -1. */
static int
wait_poll(pollobject *self, _PyTime_t timeout, int ms)
{
    _PyTime_t deadline = timeout >= 0 ? _PyDeadline_Init(timeout) : 0;
    for (;;) {
        int n, error;
        Py_BEGIN_ALLOW_THREADS
        errno = 0;
        n = poll(self->fds, (nfds_t)self->count, ms);
        error = errno;
        Py_END_ALLOW_THREADS
        if (wait_is_over(&n, error, timeout >= 0, deadline, &ms)) {
            return n;
        }
    }
}

PyDoc_STRVAR(poll_poll_doc,
"poll($self, timeout=None, /)\n--\n\n"
"Wait for events, at most timeout milliseconds.\n\n"
"Returns a list of (descriptor, event) pairs.");

static PyObject *
poll_poll(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    pollobject *self = (pollobject *)op;
    if (!_PyArg_CheckPositional("poll", nargs, 0, 1)) {
        return NULL;
    }
    _PyTime_t timeout = -1;
    int ms = -1;
    if (nargs > 0 && args[0] != Py_None) {
        if (_PyTime_FromMillisecondsObject(&timeout, args[0],
                                           _PyTime_ROUND_TIMEOUT) < 0) {
            if (PyErr_ExceptionMatches(PyExc_TypeError)) {
                PyErr_SetString(PyExc_TypeError,
                                "timeout must be an integer or None");
            }
            return NULL;
        }
        if (to_milliseconds(timeout, &ms) < 0) {
            return NULL;
        }
        if (timeout < 0) {
            ms = -1;
        }
    }
    if (self->polling) {
        PyErr_SetString(PyExc_RuntimeError, "concurrent poll() invocation");
        return NULL;
    }
    if (self->stale && rebuild(self) < 0) {
        return NULL;
    }
    self->polling = 1;
    int n = wait_poll(self, timeout, ms);
    self->polling = 0;
    if (n < 0) {
        return NULL;
    }
    PyObject *result = PyList_New(0);
    for (int i = 0; result != NULL && n > 0 && i < self->count; i++) {
        if (self->fds[i].revents == 0) {
            continue;
        }
        n--;
        /* Bit 15 must not make it negative. */
        PyObject *pair = Py_BuildValue("ii", self->fds[i].fd,
                                       self->fds[i].revents & 0xffff);
        if (pair == NULL || PyList_Append(result, pair) < 0) {
            Py_CLEAR(result);
        }
        Py_XDECREF(pair);
    }
    return result;
}

static void
poll_dealloc(PyObject *op)
{
    pollobject *self = (pollobject *)op;
    PyTypeObject *type = Py_TYPE(op);
    PyMem_Free(self->fds);
    Py_XDECREF(self->dict);
    PyObject_Free(op);
    Py_DECREF(type);
}

static PyMethodDef poll_methods[] = {
    {"register", FAST(poll_register),
     poll_register_doc},
    {"modify", FAST(poll_modify), poll_modify_doc},
    {"unregister", poll_unregister, METH_O, poll_unregister_doc},
    {"poll", FAST(poll_poll), poll_poll_doc},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot poll_slots[] = {
    {Py_tp_dealloc, poll_dealloc},
    {Py_tp_methods, poll_methods},
    {0, NULL},
};

static PyType_Spec poll_spec = {
    .name = "select.poll",
    .basicsize = sizeof(pollobject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = poll_slots,
};

PyDoc_STRVAR(select_poll_doc,
"poll($module, /)\n--\n\nReturn an object that waits on many descriptors.");

static PyObject *
select_poll(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    pollobject *self = PyObject_New(pollobject, get_state(module)->poll_type);
    if (self == NULL) {
        return NULL;
    }
    self->fds = NULL;
    self->count = 0;
    self->stale = 1;
    self->polling = 0;
    self->dict = PyDict_New();
    if (self->dict == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

/* -------------------------------------------------------------------- epoll */

typedef struct {
    PyObject_HEAD
    int epfd;                   /* -1: closed */
} epollobject;

static int
get_epfd(PyObject *op)
{
    int fd = ((epollobject *)op)->epfd;
    if (fd < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "I/O operation on closed epoll object");
    }
    return fd;
}

static PyObject *
new_epoll(PyTypeObject *type, int fd)
{
    epollobject *self = (epollobject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    if (fd == -1) {
        Py_BEGIN_ALLOW_THREADS
        fd = epoll_create1(EPOLL_CLOEXEC);
        Py_END_ALLOW_THREADS
    }
    self->epfd = fd;
    if (fd < 0) {
        Py_DECREF(self);
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    return (PyObject *)self;
}

PyDoc_STRVAR(epoll_doc,
"select.epoll(sizehint=-1, flags=0)\n\n"
"Return an object that waits on many descriptors, by epoll(7).\n\n"
"  sizehint\n    Not used.\n  flags\n    0 or EPOLL_CLOEXEC; not used either.");

static PyObject *
epoll_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"sizehint", "flags", NULL};
    int sizehint = -1, flags = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|ii:epoll", names, &sizehint,
                                     &flags)) {
        return NULL;
    }
    if (sizehint == -1) {
        sizehint = FD_SETSIZE - 1;
    }
    else if (sizehint <= 0) {
        PyErr_SetString(PyExc_ValueError, "negative sizehint");
        return NULL;
    }
    if (flags != 0 && flags != EPOLL_CLOEXEC) {
        PyErr_SetString(PyExc_OSError, "invalid flags");
        return NULL;
    }
    return new_epoll(type, -1);
}

static int
close_epoll(epollobject *self)
{
    int error = 0;
    if (self->epfd >= 0) {
        int fd = self->epfd;
        self->epfd = -1;
        Py_BEGIN_ALLOW_THREADS
        if (close(fd) < 0) {
            error = errno;
        }
        Py_END_ALLOW_THREADS
    }
    return error;
}

static void
epoll_dealloc(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    (void)close_epoll((epollobject *)op);
    type->tp_free(op);
    Py_DECREF(type);
}

PyDoc_STRVAR(epoll_close_doc,
"close($self, /)\n--\n\nClose the object's own descriptor.");

static PyObject *
epoll_close_method(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    errno = close_epoll((epollobject *)op);
    if (errno != 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(epoll_fileno_doc,
"fileno($self, /)\n--\n\nReturn the object's own descriptor.");

static PyObject *
epoll_fileno(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    int fd = get_epfd(op);
    return fd < 0 ? NULL : PyLong_FromLong(fd);
}

static PyObject *
epoll_get_closed(PyObject *op, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((epollobject *)op)->epfd < 0);
}

PyDoc_STRVAR(epoll_fromfd_doc,
"fromfd($type, fd, /)\n--\n\nMake an epoll object of an epoll descriptor.");

static PyObject *
epoll_fromfd(PyObject *type, PyObject *arg)
{
    int fd = _PyLong_AsInt(arg);
    if (fd == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return new_epoll((PyTypeObject *)type, fd);
}

/* Arguments count before any is converted. `mask` may be NULL. */
static int
convert_event(PyObject *file, PyObject *mask, int *fd, unsigned int *events)
{
    *fd = PyObject_AsFileDescriptor(file);
    if (*fd < 0) {
        return 0;
    }
    if (mask == NULL) {
        return 1;
    }
    unsigned long value = PyLong_AsUnsignedLongMask(mask);
    *events = (unsigned int)value;
    return value != (unsigned long)-1 || !PyErr_Occurred();
}

static PyObject *
control(int epfd, int operation, int fd, unsigned int events)
{
    struct epoll_event event;
    int status;
    memset(&event, 0, sizeof(event));
    event.events = events;
    event.data.fd = fd;
    Py_BEGIN_ALLOW_THREADS
    status = epoll_ctl(epfd, operation, fd, &event);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        return PyErr_SetFromErrno(PyExc_OSError);
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(epoll_register_doc,
"register($self, /, fd,\n"
"         eventmask=select.EPOLLIN | select.EPOLLPRI | select.EPOLLOUT)\n"
"--\n\nAdd a file descriptor.");

static PyObject *
epoll_register(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"fd", "eventmask", NULL};
    PyObject *file, *mask = NULL;
    int fd;
    unsigned int events = EPOLLIN | EPOLLPRI | EPOLLOUT;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|O:register", names, &file, &mask)
        || !convert_event(file, mask, &fd, &events)) {
        return NULL;
    }
    int epfd = get_epfd(op);
    return epfd < 0 ? NULL : control(epfd, EPOLL_CTL_ADD, fd, events);
}

PyDoc_STRVAR(epoll_modify_doc,
"modify($self, /, fd, eventmask)\n--\n\n"
"Change what to wait for on a file descriptor.");

static PyObject *
epoll_modify(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"fd", "eventmask", NULL};
    PyObject *file, *mask;
    int fd;
    unsigned int events = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO:modify", names, &file, &mask)
        || !convert_event(file, mask, &fd, &events)) {
        return NULL;
    }
    int epfd = get_epfd(op);
    return epfd < 0 ? NULL : control(epfd, EPOLL_CTL_MOD, fd, events);
}

PyDoc_STRVAR(epoll_unregister_doc,
"unregister($self, /, fd)\n--\n\nRemove a file descriptor.");

static PyObject *
epoll_unregister(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"fd", NULL};
    PyObject *file;
    int fd;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:unregister", names, &file)
        || !convert_event(file, NULL, &fd, NULL)) {
        return NULL;
    }
    int epfd = get_epfd(op);
    return epfd < 0 ? NULL : control(epfd, EPOLL_CTL_DEL, fd, 0);
}

static int
wait_epoll(int epfd, struct epoll_event *events, int max, _PyTime_t timeout,
           int ms)
{
    _PyTime_t deadline = timeout >= 0 ? _PyDeadline_Init(timeout) : 0;
    for (;;) {
        int n, error;
        Py_BEGIN_ALLOW_THREADS
        errno = 0;
        n = epoll_wait(epfd, events, max, ms);
        error = errno;
        Py_END_ALLOW_THREADS
        if (wait_is_over(&n, error, timeout >= 0, deadline, &ms)) {
            return n;
        }
    }
}

PyDoc_STRVAR(epoll_poll_doc,
"poll($self, /, timeout=None, maxevents=-1)\n--\n\n"
"Wait for events, at most timeout seconds.\n\n"
"Returns a list of (descriptor, events) pairs.");

static PyObject *
epoll_poll(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"timeout", "maxevents", NULL};
    PyObject *timeout_object = Py_None;
    int max_events = -1, ms = -1;
    _PyTime_t timeout = -1;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|Oi:poll", names,
                                     &timeout_object, &max_events)) {
        return NULL;
    }
    int epfd = get_epfd(op);
    if (epfd < 0) {
        return NULL;
    }
    if (timeout_object != Py_None) {
        /* Rounded up, so that a short time is not busy waiting. */
        if (_PyTime_FromSecondsObject(&timeout, timeout_object,
                                      _PyTime_ROUND_TIMEOUT) < 0) {
            if (PyErr_ExceptionMatches(PyExc_TypeError)) {
                PyErr_SetString(PyExc_TypeError,
                                "timeout must be an integer or None");
            }
            return NULL;
        }
        if (to_milliseconds(timeout, &ms) < 0) {
            return NULL;
        }
        if (timeout < 0) {
            ms = -1;
        }
    }
    if (max_events == -1) {
        max_events = FD_SETSIZE - 1;
    }
    else if (max_events < 1) {
        return PyErr_Format(PyExc_ValueError,
                            "maxevents must be greater than 0, got %d",
                            max_events);
    }
    struct epoll_event *events = PyMem_New(struct epoll_event, max_events);
    if (events == NULL) {
        return PyErr_NoMemory();
    }
    int n = wait_epoll(epfd, events, max_events, timeout, ms);
    PyObject *result = n < 0 ? NULL : PyList_New(n);
    for (int i = 0; result != NULL && i < n; i++) {
        PyObject *pair = Py_BuildValue("iI", events[i].data.fd,
                                       events[i].events);
        if (pair == NULL) {
            Py_CLEAR(result);
            break;
        }
        PyList_SET_ITEM(result, i, pair);
    }
    PyMem_Free(events);
    return result;
}

PyDoc_STRVAR(epoll_enter_doc, "__enter__($self, /)\n--\n\n");

static PyObject *
epoll_enter(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return get_epfd(op) < 0 ? NULL : Py_NewRef(op);
}

PyDoc_STRVAR(epoll_exit_doc,
"__exit__($self, exc_type=None, exc_value=None, exc_tb=None, /)\n--\n\n");

static PyObject *
epoll_exit(PyObject *op, PyObject *const *Py_UNUSED(args), Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("__exit__", nargs, 0, 3)) {
        return NULL;
    }
    return PyObject_CallMethod(op, "close", NULL);
}

static PyMethodDef epoll_methods[] = {
    {"fromfd", epoll_fromfd, METH_O | METH_CLASS, epoll_fromfd_doc},
    {"close", epoll_close_method, METH_NOARGS, epoll_close_doc},
    {"fileno", epoll_fileno, METH_NOARGS, epoll_fileno_doc},
    {"modify", VAR_KEYWORDS(epoll_modify),
     epoll_modify_doc},
    {"register", VAR_KEYWORDS(epoll_register), epoll_register_doc},
    {"unregister", VAR_KEYWORDS(epoll_unregister), epoll_unregister_doc},
    {"poll", VAR_KEYWORDS(epoll_poll),
     epoll_poll_doc},
    {"__enter__", epoll_enter, METH_NOARGS, epoll_enter_doc},
    {"__exit__", FAST(epoll_exit),
     epoll_exit_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef epoll_getset[] = {
    {"closed", epoll_get_closed, NULL,
     PyDoc_STR("True if the epoll handler is closed"), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot epoll_slots[] = {
    {Py_tp_dealloc, epoll_dealloc},
    {Py_tp_doc, (void *)epoll_doc},
    {Py_tp_getattro, PyObject_GenericGetAttr},
    {Py_tp_getset, epoll_getset},
    {Py_tp_methods, epoll_methods},
    {Py_tp_new, epoll_new},
    {0, NULL},
};

static PyType_Spec epoll_spec = {
    .name = "select.epoll",
    .basicsize = sizeof(epollobject),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = epoll_slots,
};

/* --------------------------------------------------------------- the module */

static PyMethodDef select_methods[] = {
    {"select", FAST(select_select), select_doc},
    {"poll", select_poll, METH_NOARGS, select_poll_doc},
    {NULL, NULL, 0, NULL},
};

#define ROW(name) {#name, (long)name}
static const struct {
    const char *name;
    long value;
} constants[] = {
    ROW(PIPE_BUF),
    ROW(POLLIN), ROW(POLLPRI), ROW(POLLOUT), ROW(POLLERR), ROW(POLLHUP),
    ROW(POLLNVAL), ROW(POLLRDNORM), ROW(POLLRDBAND), ROW(POLLWRNORM),
    ROW(POLLWRBAND), ROW(POLLMSG), ROW(POLLRDHUP),
    ROW(EPOLLIN), ROW(EPOLLOUT), ROW(EPOLLPRI), ROW(EPOLLERR), ROW(EPOLLHUP),
    ROW(EPOLLRDHUP), {"EPOLLET", (long)(unsigned int)EPOLLET},
    ROW(EPOLLONESHOT), ROW(EPOLLEXCLUSIVE), ROW(EPOLLRDNORM),
    ROW(EPOLLRDBAND), ROW(EPOLLWRNORM), ROW(EPOLLWRBAND), ROW(EPOLLMSG),
    ROW(EPOLL_CLOEXEC),
};
#undef ROW

static int
select_exec(PyObject *module)
{
    select_state *state = get_state(module);
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    state->poll_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &poll_spec, NULL);
    state->epoll_type = (PyTypeObject *)PyType_FromModuleAndSpec(
        module, &epoll_spec, NULL);
    if (state->poll_type == NULL || state->epoll_type == NULL
        || PyModule_AddObjectRef(module, "error", PyExc_OSError) < 0) {
        return -1;
    }
    return PyModule_AddType(module, state->epoll_type);
}

static int
select_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(get_state(module)->poll_type);
    Py_VISIT(get_state(module)->epoll_type);
    return 0;
}

static int
select_clear(PyObject *module)
{
    Py_CLEAR(get_state(module)->poll_type);
    Py_CLEAR(get_state(module)->epoll_type);
    return 0;
}

static void
select_free(void *module)
{
    select_clear(module);
}

static PyModuleDef_Slot select_slots[] = {
    {Py_mod_exec, select_exec},
    {0, NULL},
};

static PyModuleDef select_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "select",
    .m_doc = PyDoc_STR("Waiting on many file descriptors: select(), poll(), "
                       "epoll()."),
    .m_size = sizeof(select_state),
    .m_methods = select_methods,
    .m_slots = select_slots,
    .m_traverse = select_traverse,
    .m_clear = select_clear,
    .m_free = select_free,
};

MODULE_INIT(select)
{
    return PyModuleDef_Init(&select_module);
}
