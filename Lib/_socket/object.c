/* Socket objects.

   sock_timeout says how calls wait. -1: for ever, in the system call; 0: never; otherwise
   the descriptor is non-blocking and poll(2) waits. Every call that may block goes
   through _PySocket_do(): it waits, makes the call without the GIL, and starts again when
   a signal interrupts it. */
#include "socket_module.h"
#include "structmember.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <unistd.h>
#include "internal/method_table.h"

_PyTime_t _PySocket_default_timeout = -1;

PyObject *
_PySocket_error(void)
{
    return PyErr_SetFromErrno(PyExc_OSError);
}

static inline PySocketSockObject *
as_socket(PyObject *op)
{
    return (PySocketSockObject *)op;
}

/* ------------------------------------------------------------------ waiting */

/* 1: ready; 0: timed out; -1: error, with errno (perhaps EINTR). connecting waits
   for the end of a connection attempt. */
static int
wait_ready(PySocketSockObject *s, int writing, int connecting,
           _PyTime_t timeout)
{
    if (s->sock_fd < 0) {
        return 1;               /* the call itself will report the error */
    }
    struct pollfd p = {
        .fd = s->sock_fd,
        .events = (short)(writing ? POLLOUT : POLLIN),
    };
    if (connecting) {
        p.events |= POLLERR;
    }
    int ms = -1;
    if (timeout >= 0) {
        _PyTime_t value = _PyTime_AsMilliseconds(timeout,
                                                 _PyTime_ROUND_CEILING);
        ms = value > INT_MAX ? INT_MAX : (int)value;
    }
    int n;
    Py_BEGIN_ALLOW_THREADS
    n = poll(&p, 1, ms);
    Py_END_ALLOW_THREADS
    return n < 0 ? -1 : n > 0;
}

static void
set_timed_out(void)
{
    PyErr_SetString(PyExc_TimeoutError, "timed out");
}

static ssize_t
do_with_timeout(PySocketSockObject *s, int writing, socket_call call,
                void *data, _PyTime_t timeout)
{
    _PyTime_t deadline = 0, left = timeout;
    if (timeout > 0) {
        deadline = _PyDeadline_Init(timeout);
    }
    for (;;) {
        if (timeout > 0) {
            int ready = left < 0 ? 0 : wait_ready(s, writing, 0, left);
            if (ready < 0 && errno == EINTR) {
                if (PyErr_CheckSignals()) {
                    return -1;
                }
                left = _PyDeadline_Get(deadline);
                continue;
            }
            if (ready < 0) {
                s->errorhandler();
                return -1;
            }
            if (ready == 0) {
                set_timed_out();
                return -1;
            }
        }
        ssize_t result;
        int error;
        Py_BEGIN_ALLOW_THREADS
        result = call(s, data);
        error = errno;
        Py_END_ALLOW_THREADS
        if (result >= 0) {
            return result;
        }
        if (error == EINTR) {
            if (PyErr_CheckSignals()) {
                return -1;
            }
        }
        else if (timeout <= 0 || (error != EAGAIN && error != EWOULDBLOCK)) {
            errno = error;
            s->errorhandler();
            return -1;
        }
        /* poll() may say ready although another thread has taken the data meanwhile. */
        if (timeout > 0) {
            left = _PyDeadline_Get(deadline);
        }
    }
}

ssize_t
_PySocket_do(PySocketSockObject *s, int writing, socket_call call, void *data)
{
    return do_with_timeout(s, writing, call, data, s->sock_timeout);
}

/* ----------------------------------------------------------------- timeouts */

int
_PySocket_parse_timeout(_PyTime_t *timeout, PyObject *op)
{
    *timeout = -1;
    if (op == Py_None) {
        return 0;
    }
    if (_PyTime_FromSecondsObject(timeout, op, _PyTime_ROUND_TIMEOUT) < 0) {
        return -1;
    }
    if (*timeout < 0) {
        PyErr_SetString(PyExc_ValueError, "Timeout value out of range");
        return -1;
    }
    _PyTime_t ms = _PyTime_AsMilliseconds(*timeout, _PyTime_ROUND_TIMEOUT);
    if (ms > INT_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "timeout doesn't fit into C timeval");
        return -1;
    }
    return 0;
}

PyObject *
_PySocket_timeout_object(_PyTime_t timeout)
{
    if (timeout < 0) {
        Py_RETURN_NONE;
    }
    return PyFloat_FromDouble(_PyTime_AsSecondsDouble(timeout));
}

static int
set_blocking(PySocketSockObject *s, int blocking)
{
    int status;
    Py_BEGIN_ALLOW_THREADS
    int flags = fcntl(s->sock_fd, F_GETFL, 0);
    status = flags;
    if (flags >= 0) {
        int wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
        status = wanted == flags ? 0 : fcntl(s->sock_fd, F_SETFL, wanted);
    }
    Py_END_ALLOW_THREADS
    if (status < 0) {
        _PySocket_error();
        return -1;
    }
    return 0;
}

PyDoc_STRVAR(setblocking_doc,
"setblocking(flag)\n\nAs settimeout(None) if flag is true, else settimeout(0.0).");

static PyObject *
sock_setblocking(PyObject *op, PyObject *arg)
{
    int blocking = PyLong_AsLong(arg) != 0;
    if (blocking && PyErr_Occurred()) {
        return NULL;
    }
    as_socket(op)->sock_timeout = blocking ? -1 : 0;
    if (set_blocking(as_socket(op), blocking) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(getblocking_doc,
"getblocking()\n\nTell whether calls wait: gettimeout() != 0.");

static PyObject *
sock_getblocking(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(as_socket(op)->sock_timeout != 0);
}

PyDoc_STRVAR(settimeout_doc,
"settimeout(timeout)\n\nLet calls wait so many seconds; None: for ever.");

static PyObject *
sock_settimeout(PyObject *op, PyObject *arg)
{
    _PyTime_t timeout;
    if (_PySocket_parse_timeout(&timeout, arg) < 0) {
        return NULL;
    }
    as_socket(op)->sock_timeout = timeout;
    /* With a timeout poll() waits, so the call itself must not. */
    if (set_blocking(as_socket(op), timeout < 0) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(gettimeout_doc,
"gettimeout() -> timeout\n\nReturn the seconds that calls wait, or None.");

static PyObject *
sock_gettimeout(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PySocket_timeout_object(as_socket(op)->sock_timeout);
}

static PyObject *
get_timeout_attribute(PyObject *op, void *Py_UNUSED(closure))
{
    return _PySocket_timeout_object(as_socket(op)->sock_timeout);
}

/* ------------------------------------------------------- making and closing */

static int
init_socket(PySocketSockObject *s, int fd, int family, int type, int proto)
{
    s->sock_fd = fd;
    s->sock_family = family;
    s->sock_type = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    s->sock_proto = proto;
    s->errorhandler = _PySocket_error;
    if (type & SOCK_NONBLOCK) {
        s->sock_timeout = 0;
        return 0;
    }
    s->sock_timeout = _PySocket_default_timeout;
    return _PySocket_default_timeout >= 0 ? set_blocking(s, 0) : 0;
}

static PyObject *
sock_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
         PyObject *Py_UNUSED(kwds))
{
    PySocketSockObject *s = (PySocketSockObject *)type->tp_alloc(type, 0);
    if (s != NULL) {
        s->sock_fd = -1;
        s->sock_timeout = -1;
        s->errorhandler = _PySocket_error;
    }
    return (PyObject *)s;
}

/* Fills in what the system knows about an existing descriptor. */
static int
detect(int fd, int *family, int *type, int *proto)
{
    any_address a;
    socklen_t length = sizeof(a);
    memset(&a, 0, sizeof(a));
    if (getsockname(fd, &a.sa, &length) < 0) {
        if (*family == -1) {
            _PySocket_error();
            return -1;
        }
        if (errno == EBADF || errno == ENOTSOCK) {
            _PySocket_error();
            return -1;
        }
    }
    else if (*family == -1) {
        *family = a.sa.sa_family;
    }
    if (*type == -1) {
        int value;
        socklen_t size = sizeof(value);
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &size) < 0) {
            _PySocket_error();
            return -1;
        }
        *type = value;
    }
    if (*proto == -1) {
        int value;
        socklen_t size = sizeof(value);
        if (getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &value, &size) < 0) {
            _PySocket_error();
            return -1;
        }
        *proto = value;
    }
    return 0;
}

static int
sock_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"family", "type", "proto", "fileno", NULL};
    int family = -1, type = -1, proto = -1, fd = -1;
    PyObject *fileno = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|iiiO:socket", names,
                                     &family, &type, &proto, &fileno)
        || PySys_Audit("socket.__new__", "Oiii", op, family, type,
                       proto) < 0) {
        return -1;
    }
    if (fileno != NULL && fileno != Py_None) {
        fd = _PyLong_AsInt(fileno);
        if (fd == -1 && PyErr_Occurred()) {
            return -1;
        }
        if (fd < 0) {
            PyErr_SetString(PyExc_ValueError, "negative file descriptor");
            return -1;
        }
        if (detect(fd, &family, &type, &proto) < 0) {
            return -1;
        }
    }
    else {
        family = family == -1 ? AF_INET : family;
        type = type == -1 ? SOCK_STREAM : type;
        proto = proto == -1 ? 0 : proto;
        Py_BEGIN_ALLOW_THREADS
        fd = socket(family, type | SOCK_CLOEXEC, proto);
        Py_END_ALLOW_THREADS
        if (fd < 0) {
            _PySocket_error();
            return -1;
        }
    }
    if (init_socket(as_socket(op), fd, family, type, proto) < 0) {
        if (fileno == NULL || fileno == Py_None) {
            close(fd);
        }
        as_socket(op)->sock_fd = -1;
        return -1;
    }
    return 0;
}

static void
sock_finalize(PyObject *op)
{
    PySocketSockObject *s = as_socket(op);
    if (s->sock_fd == -1) {
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (PyErr_ResourceWarning(op, 1, "unclosed %R", op) < 0
        && PyErr_ExceptionMatches(PyExc_Warning)) {
        PyErr_WriteUnraisable(op);
    }
    /* Close it after the warning, which shows the descriptor. */
    int fd = s->sock_fd;
    s->sock_fd = -1;
    Py_BEGIN_ALLOW_THREADS
    (void)close(fd);
    Py_END_ALLOW_THREADS
    PyErr_Restore(type, value, traceback);
}

static void
sock_dealloc(PyObject *op)
{
    if (PyObject_CallFinalizerFromDealloc(op) < 0) {
        return;
    }
    Py_TYPE(op)->tp_free(op);
}

static PyObject *
sock_repr(PyObject *op)
{
    PySocketSockObject *s = as_socket(op);
    return PyUnicode_FromFormat(
        "<socket object, fd=%ld, family=%d, type=%d, proto=%d>",
        (long)s->sock_fd, s->sock_family, s->sock_type, s->sock_proto);
}

PyDoc_STRVAR(close_doc, "close()\n\nClose the socket.");

static PyObject *
sock_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    int fd = as_socket(op)->sock_fd;
    if (fd != -1) {
        int status;
        as_socket(op)->sock_fd = -1;
        Py_BEGIN_ALLOW_THREADS
        status = close(fd);
        Py_END_ALLOW_THREADS
        /* A peer that has reset the connection is no reason to fail. */
        if (status < 0 && errno != ECONNRESET) {
            return _PySocket_error();
        }
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(detach_doc,
"detach()\n\nReturn the descriptor, and forget it without closing.");

static PyObject *
sock_detach(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    int fd = as_socket(op)->sock_fd;
    as_socket(op)->sock_fd = -1;
    return PyLong_FromLong(fd);
}

PyDoc_STRVAR(fileno_doc,
"fileno() -> integer\n\nReturn the socket's file descriptor.");

static PyObject *
sock_fileno(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong(as_socket(op)->sock_fd);
}

/* -------------------------------------------------------------- connections */

struct accept_data {
    any_address *address;
    socklen_t *length;
};

static ssize_t
call_accept(PySocketSockObject *s, void *arg)
{
    struct accept_data *d = arg;
    return accept4(s->sock_fd, &d->address->sa, d->length, SOCK_CLOEXEC);
}

PyDoc_STRVAR(accept_doc,
"_accept() -> (integer, address info)\n\n"
"Wait for a connection: its descriptor, and where it comes from.");

static PyObject *
sock_accept(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    PySocketSockObject *s = as_socket(op);
    any_address address;
    socklen_t length;
    if (!_PySocket_address_size(s, &length)) {
        return NULL;
    }
    memset(&address, 0, sizeof(address));
    struct accept_data d = {&address, &length};
    int fd = (int)_PySocket_do(s, 0, call_accept, &d);
    if (fd < 0) {
        return NULL;
    }
    PyObject *from = _PySocket_make_address(s->sock_fd, &address, length,
                                            s->sock_proto);
    PyObject *result = from == NULL ? NULL : Py_BuildValue("iN", fd, from);
    if (result == NULL) {
        close(fd);
    }
    return result;
}

PyDoc_STRVAR(bind_doc, "bind(address)\n\nGive the socket an address of its own.");

static PyObject *
sock_bind(PyObject *op, PyObject *arg)
{
    PySocketSockObject *s = as_socket(op);
    any_address address;
    socklen_t length;
    int status;
    if (!_PySocket_parse_address(s, arg, &address, &length, "bind")
        || PySys_Audit("socket.bind", "OO", op, arg) < 0) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = bind(s->sock_fd, &address.sa, length);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        return s->errorhandler();
    }
    Py_RETURN_NONE;
}

/* The result of a connection attempt: 0, or an errno. */
static int
connection_result(PySocketSockObject *s)
{
    int error;
    socklen_t size = sizeof(error);
    return getsockopt(s->sock_fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0
        ? errno : error;
}

/* Waits for a connection attempt in progress. Returns its errno; EWOULDBLOCK: timed out;
   -1: a signal handler raised. */
static int
finish_connecting(PySocketSockObject *s)
{
    _PyTime_t timeout = s->sock_timeout;
    _PyTime_t deadline = timeout > 0 ? _PyDeadline_Init(timeout) : 0;
    for (;;) {
        int ready = wait_ready(s, 1, 1, timeout);
        if (ready > 0) {
            int error = connection_result(s);
            if (error != EISCONN) {
                return error;
            }
            return 0;
        }
        if (ready == 0) {
            return EWOULDBLOCK;
        }
        if (errno != EINTR) {
            return errno;
        }
        if (PyErr_CheckSignals()) {
            return -1;
        }
        if (timeout > 0) {
            timeout = _PyDeadline_Get(deadline);
            if (timeout < 0) {
                return EWOULDBLOCK;
            }
        }
    }
}

/* As finish_connecting(). */
static int
do_connect(PySocketSockObject *s, const any_address *address,
           socklen_t length)
{
    int error;
    Py_BEGIN_ALLOW_THREADS
    error = connect(s->sock_fd, &address->sa, length) < 0 ? errno : 0;
    Py_END_ALLOW_THREADS
    if (error == 0) {
        return 0;
    }
    int wait;
    if (error == EINTR) {
        /* The attempt continues in the background. */
        if (PyErr_CheckSignals()) {
            return -1;
        }
        wait = s->sock_timeout != 0;
    }
    else {
        wait = s->sock_timeout > 0 && error == EINPROGRESS;
    }
    return wait ? finish_connecting(s) : error;
}

PyDoc_STRVAR(connect_doc, "connect(address)\n\nConnect to a remote address.");

static PyObject *
sock_connect(PyObject *op, PyObject *arg)
{
    PySocketSockObject *s = as_socket(op);
    any_address address;
    socklen_t length;
    if (!_PySocket_parse_address(s, arg, &address, &length, "connect")
        || PySys_Audit("socket.connect", "OO", op, arg) < 0) {
        return NULL;
    }
    int error = do_connect(s, &address, length);
    if (error < 0) {
        return NULL;
    }
    if (error == EWOULDBLOCK && s->sock_timeout > 0) {
        set_timed_out();
        return NULL;
    }
    if (error != 0) {
        errno = error;
        return s->errorhandler();
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(connect_ex_doc,
"connect_ex(address) -> errno\n\nAs connect(), but return the error's number.");

static PyObject *
sock_connect_ex(PyObject *op, PyObject *arg)
{
    PySocketSockObject *s = as_socket(op);
    any_address address;
    socklen_t length;
    if (!_PySocket_parse_address(s, arg, &address, &length, "connect_ex")
        || PySys_Audit("socket.connect", "OO", op, arg) < 0) {
        return NULL;
    }
    int error = do_connect(s, &address, length);
    return error < 0 ? NULL : PyLong_FromLong(error);
}

PyDoc_STRVAR(listen_doc,
"listen([backlog])\n\nAccept connections; backlog of them may wait.");

static PyObject *
sock_listen(PyObject *op, PyObject *args)
{
    PySocketSockObject *s = as_socket(op);
    int backlog = SOMAXCONN < 128 ? SOMAXCONN : 128, status;
    if (!PyArg_ParseTuple(args, "|i:listen", &backlog)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = listen(s->sock_fd, backlog < 0 ? 0 : backlog);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        return s->errorhandler();
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(shutdown_doc,
"shutdown(flag)\n\nEnd reading (SHUT_RD), writing (SHUT_WR) or both (SHUT_RDWR).");

static PyObject *
sock_shutdown(PyObject *op, PyObject *arg)
{
    PySocketSockObject *s = as_socket(op);
    int how = _PyLong_AsInt(arg), status;
    if (how == -1 && PyErr_Occurred()) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = shutdown(s->sock_fd, how);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        return s->errorhandler();
    }
    Py_RETURN_NONE;
}

typedef int (*name_function)(int, struct sockaddr *, socklen_t *);

static PyObject *
name_of(PyObject *op, name_function function)
{
    PySocketSockObject *s = as_socket(op);
    any_address address;
    socklen_t length;
    int status;
    if (!_PySocket_address_size(s, &length)) {
        return NULL;
    }
    memset(&address, 0, sizeof(address));
    Py_BEGIN_ALLOW_THREADS
    status = function(s->sock_fd, &address.sa, &length);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        return s->errorhandler();
    }
    return _PySocket_make_address(s->sock_fd, &address, length,
                                  s->sock_proto);
}

static int
call_getsockname(int fd, struct sockaddr *a, socklen_t *length)
{
    return getsockname(fd, a, length);
}

static int
call_getpeername(int fd, struct sockaddr *a, socklen_t *length)
{
    return getpeername(fd, a, length);
}

PyDoc_STRVAR(getsockname_doc,
"getsockname() -> address info\n\nReturn the socket's own address.");

static PyObject *
sock_getsockname(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return name_of(op, call_getsockname);
}

PyDoc_STRVAR(getpeername_doc,
"getpeername() -> address info\n\nReturn the remote address.");

static PyObject *
sock_getpeername(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return name_of(op, call_getpeername);
}

/* ------------------------------------------------------------------ options */

PyDoc_STRVAR(getsockopt_doc,
"getsockopt(level, option[, buffersize]) -> value\n\n"
"Return an option: an int, or bytes if buffersize is not 0.");

static PyObject *
sock_getsockopt(PyObject *op, PyObject *args)
{
    PySocketSockObject *s = as_socket(op);
    int level, option;
    socklen_t size = 0;
    if (!PyArg_ParseTuple(args, "ii|i:getsockopt", &level, &option, &size)) {
        return NULL;
    }
    if (size == 0) {
        int value = 0;
        socklen_t int_size = sizeof(value);
        if (s->sock_family == AF_VSOCK) {
            uint64_t wide = 0;
            socklen_t wide_size = sizeof(wide);
            if (getsockopt(s->sock_fd, level, option, &wide,
                           &wide_size) < 0) {
                return s->errorhandler();
            }
            return PyLong_FromUnsignedLong(wide);
        }
        if (getsockopt(s->sock_fd, level, option, &value, &int_size) < 0) {
            return s->errorhandler();
        }
        return PyLong_FromLong(value);
    }
    if (s->sock_family == AF_VSOCK) {
        PyErr_SetString(PyExc_OSError,
                        "getsockopt string buffer not allowed");
        return NULL;
    }
    if (size > 1024) {
        PyErr_SetString(PyExc_OSError, "getsockopt buflen out of range");
        return NULL;
    }
    char buffer[1024];
    memset(buffer, 0, sizeof(buffer));
    if (getsockopt(s->sock_fd, level, option, buffer, &size) < 0) {
        return s->errorhandler();
    }
    return PyBytes_FromStringAndSize(buffer, (Py_ssize_t)size);
}

PyDoc_STRVAR(setsockopt_doc,
"setsockopt(level, option, value: int)\n"
"setsockopt(level, option, value: buffer)\n"
"setsockopt(level, option, None, optlen: int)\n\nSet an option.");

static PyObject *
sock_setsockopt(PyObject *op, PyObject *args)
{
    PySocketSockObject *s = as_socket(op);
    int level, option, value, status;
    if (s->sock_family == AF_VSOCK) {
        uint64_t wide;
        if (!PyArg_ParseTuple(args, "iiK:setsockopt", &level, &option,
                              &wide)) {
            return NULL;
        }
        status = setsockopt(s->sock_fd, level, option, &wide, sizeof(wide));
        goto done;
    }
    if (PyArg_ParseTuple(args, "iii:setsockopt", &level, &option, &value)) {
        status = setsockopt(s->sock_fd, level, option, &value, sizeof(value));
        goto done;
    }
    PyErr_Clear();
    PyObject *none;
    unsigned int length;
    if (PyArg_ParseTuple(args, "iiO!I:setsockopt", &level, &option,
                         Py_TYPE(Py_None), &none, &length)) {
        status = setsockopt(s->sock_fd, level, option, NULL,
                            (socklen_t)length);
        goto done;
    }
    PyErr_Clear();
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "iiy*:setsockopt", &level, &option, &view)) {
        return NULL;
    }
    status = setsockopt(s->sock_fd, level, option, view.buf,
                        (socklen_t)view.len);
    PyBuffer_Release(&view);

done:
    if (status < 0) {
        return s->errorhandler();
    }
    Py_RETURN_NONE;
}

/* ---------------------------------------------------------------- receiving */

struct receive_data {
    char *buffer;
    size_t length;
    int flags;
    any_address *address;       /* NULL: recv() */
    socklen_t *address_length;
};

static ssize_t
call_recv(PySocketSockObject *s, void *arg)
{
    struct receive_data *d = arg;
    return recv(s->sock_fd, d->buffer, d->length, d->flags);
}

static ssize_t
call_recvfrom(PySocketSockObject *s, void *arg)
{
    struct receive_data *d = arg;
    return recvfrom(s->sock_fd, d->buffer, d->length, d->flags,
                    &d->address->sa, d->address_length);
}

static Py_ssize_t
receive(PySocketSockObject *s, char *buffer, Py_ssize_t length, int flags)
{
    if (length == 0) {
        return 0;
    }
    struct receive_data d = {buffer, (size_t)length, flags, NULL, NULL};
    return _PySocket_do(s, 0, call_recv, &d);
}

/* *from: new reference. */
static Py_ssize_t
receive_from(PySocketSockObject *s, char *buffer, Py_ssize_t length,
             int flags, PyObject **from)
{
    any_address address;
    socklen_t address_length;
    *from = NULL;
    if (!_PySocket_address_size(s, &address_length)) {
        return -1;
    }
    memset(&address, 0, sizeof(address));
    struct receive_data d = {buffer, (size_t)length, flags, &address,
                             &address_length};
    Py_ssize_t n = _PySocket_do(s, 0, call_recvfrom, &d);
    if (n < 0) {
        return -1;
    }
    *from = _PySocket_make_address(s->sock_fd, &address, address_length,
                                   s->sock_proto);
    return *from == NULL ? -1 : n;
}

PyDoc_STRVAR(recv_doc,
"recv(buffersize[, flags]) -> data\n\n"
"Receive at most buffersize bytes; b'' when the peer has ended.");

static PyObject *
sock_recv(PyObject *op, PyObject *args)
{
    Py_ssize_t size;
    int flags = 0;
    if (!PyArg_ParseTuple(args, "n|i:recv", &size, &flags)) {
        return NULL;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "negative buffersize in recv");
        return NULL;
    }
    PyObject *data = PyBytes_FromStringAndSize(NULL, size);
    if (data == NULL) {
        return NULL;
    }
    Py_ssize_t n = receive(as_socket(op), PyBytes_AS_STRING(data), size,
                           flags);
    if (n < 0) {
        Py_DECREF(data);
        return NULL;
    }
    if (n != size) {
        _PyBytes_Resize(&data, n);
    }
    return data;
}

PyDoc_STRVAR(recv_into_doc,
"recv_into(buffer, [nbytes[, flags]]) -> nbytes_read\n\n"
"Receive into a buffer.");

static PyObject *
sock_recv_into(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"buffer", "nbytes", "flags", NULL};
    Py_buffer view;
    Py_ssize_t size = 0;
    int flags = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "w*|ni:recv_into", names,
                                     &view, &size, &flags)) {
        return NULL;
    }
    const char *error = NULL;
    if (size < 0) {
        error = "negative buffersize in recv_into";
    }
    else if (size == 0) {
        size = view.len;
    }
    if (error == NULL && view.len < size) {
        error = "buffer too small for requested bytes";
    }
    Py_ssize_t n = -1;
    if (error != NULL) {
        PyErr_SetString(PyExc_ValueError, error);
    }
    else {
        n = receive(as_socket(op), view.buf, size, flags);
    }
    PyBuffer_Release(&view);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

PyDoc_STRVAR(recvfrom_doc,
"recvfrom(buffersize[, flags]) -> (data, address info)\n\n"
"As recv(), and tell where the data comes from.");

static PyObject *
sock_recvfrom(PyObject *op, PyObject *args)
{
    Py_ssize_t size;
    int flags = 0;
    if (!PyArg_ParseTuple(args, "n|i:recvfrom", &size, &flags)) {
        return NULL;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "negative buffersize in recvfrom");
        return NULL;
    }
    PyObject *data = PyBytes_FromStringAndSize(NULL, size), *from;
    if (data == NULL) {
        return NULL;
    }
    Py_ssize_t n = receive_from(as_socket(op), PyBytes_AS_STRING(data), size,
                                flags, &from);
    if (n < 0) {
        Py_DECREF(data);
        return NULL;
    }
    if (n != size && _PyBytes_Resize(&data, n) < 0) {
        Py_DECREF(from);
        return NULL;
    }
    return Py_BuildValue("NN", data, from);
}

PyDoc_STRVAR(recvfrom_into_doc,
"recvfrom_into(buffer[, nbytes[, flags]]) -> (nbytes, address info)\n\n"
"As recv_into(), and tell where the data comes from.");

static PyObject *
sock_recvfrom_into(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"buffer", "nbytes", "flags", NULL};
    Py_buffer view;
    Py_ssize_t size = 0, n = -1;
    int flags = 0;
    PyObject *from = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "w*|ni:recvfrom_into", names,
                                     &view, &size, &flags)) {
        return NULL;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "negative buffersize in recvfrom_into");
    }
    else if (size > view.len) {
        PyErr_SetString(PyExc_ValueError, "nbytes is greater than the length "
                                          "of the buffer");
    }
    else {
        n = receive_from(as_socket(op), view.buf,
                         size == 0 ? view.len : size, flags, &from);
    }
    PyBuffer_Release(&view);
    return n < 0 ? NULL : Py_BuildValue("nN", n, from);
}

/* ------------------------------------------------------------------ sending */

struct send_data {
    const char *buffer;
    size_t length;
    int flags;
    const any_address *address;
    socklen_t address_length;
};

static ssize_t
call_send(PySocketSockObject *s, void *arg)
{
    struct send_data *d = arg;
    return send(s->sock_fd, d->buffer, d->length, d->flags);
}

static ssize_t
call_sendto(PySocketSockObject *s, void *arg)
{
    struct send_data *d = arg;
    return sendto(s->sock_fd, d->buffer, d->length, d->flags,
                  &d->address->sa, d->address_length);
}

PyDoc_STRVAR(send_doc,
"send(data[, flags]) -> count\n\n"
"Send data; returns how much of it was sent, which may be less than all.");

static PyObject *
sock_send(PyObject *op, PyObject *args)
{
    Py_buffer view;
    int flags = 0;
    if (!PyArg_ParseTuple(args, "y*|i:send", &view, &flags)) {
        return NULL;
    }
    struct send_data d = {view.buf, (size_t)view.len, flags, NULL, 0};
    Py_ssize_t n = _PySocket_do(as_socket(op), 1, call_send, &d);
    PyBuffer_Release(&view);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

PyDoc_STRVAR(sendall_doc,
"sendall(data[, flags])\n\nSend all of the data, or raise an exception.");

static PyObject *
sock_sendall(PyObject *op, PyObject *args)
{
    PySocketSockObject *s = as_socket(op);
    Py_buffer view;
    int flags = 0;
    if (!PyArg_ParseTuple(args, "y*|i:sendall", &view, &flags)) {
        return NULL;
    }
    /* The timeout applies to the whole transfer. */
    _PyTime_t timeout = s->sock_timeout;
    _PyTime_t deadline = timeout > 0 ? _PyDeadline_Init(timeout) : 0;
    struct send_data d = {view.buf, (size_t)view.len, flags, NULL, 0};
    PyObject *result = NULL;
    do {
        ssize_t n = do_with_timeout(s, 1, call_send, &d, timeout);
        if (n < 0) {
            goto done;
        }
        d.buffer += n;
        d.length -= (size_t)n;
        if (PyErr_CheckSignals()) {
            goto done;
        }
        if (timeout > 0 && d.length > 0) {
            timeout = _PyDeadline_Get(deadline);
            if (timeout <= 0) {
                set_timed_out();
                goto done;
            }
        }
    } while (d.length > 0);
    result = Py_NewRef(Py_None);

done:
    PyBuffer_Release(&view);
    return result;
}

PyDoc_STRVAR(sendto_doc,
"sendto(data[, flags], address) -> count\n\nSend data to an address.");

static PyObject *
sock_sendto(PyObject *op, PyObject *args)
{
    PySocketSockObject *s = as_socket(op);
    Py_buffer view;
    PyObject *to;
    int flags = 0, ok;
    Py_ssize_t count = PyTuple_GET_SIZE(args), n = -1;
    switch (count) {
    case 2:
        ok = PyArg_ParseTuple(args, "y*O:sendto", &view, &to);
        break;
    case 3:
        ok = PyArg_ParseTuple(args, "y*iO:sendto", &view, &flags, &to);
        break;
    default:
        return PyErr_Format(PyExc_TypeError, "sendto() takes 2 or 3 arguments "
                            "(%zd given)", count);
    }
    if (!ok) {
        return NULL;
    }
    any_address address;
    socklen_t length;
    if (_PySocket_parse_address(s, to, &address, &length, "sendto")
        && PySys_Audit("socket.sendto", "OO", op, to) == 0) {
        struct send_data d = {view.buf, (size_t)view.len, flags, &address,
                              length};
        n = _PySocket_do(s, 1, call_sendto, &d);
    }
    PyBuffer_Release(&view);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

/* ----------------------------------------------------------------- the type */

static PyMethodDef sock_methods[] = {
    {"_accept", sock_accept, METH_NOARGS, accept_doc},
    {"bind", sock_bind, METH_O, bind_doc},
    {"close", sock_close, METH_NOARGS, close_doc},
    {"connect", sock_connect, METH_O, connect_doc},
    {"connect_ex", sock_connect_ex, METH_O, connect_ex_doc},
    {"detach", sock_detach, METH_NOARGS, detach_doc},
    {"fileno", sock_fileno, METH_NOARGS, fileno_doc},
    {"getpeername", sock_getpeername, METH_NOARGS, getpeername_doc},
    {"getsockname", sock_getsockname, METH_NOARGS, getsockname_doc},
    {"getsockopt", sock_getsockopt, METH_VARARGS, getsockopt_doc},
    {"listen", sock_listen, METH_VARARGS, listen_doc},
    {"recv", sock_recv, METH_VARARGS, recv_doc},
    {"recv_into", VAR_KEYWORDS(sock_recv_into), recv_into_doc},
    {"recvfrom", sock_recvfrom, METH_VARARGS, recvfrom_doc},
    {"recvfrom_into", VAR_KEYWORDS(sock_recvfrom_into), recvfrom_into_doc},
    {"send", sock_send, METH_VARARGS, send_doc},
    {"sendall", sock_sendall, METH_VARARGS, sendall_doc},
    {"sendto", sock_sendto, METH_VARARGS, sendto_doc},
    {"setblocking", sock_setblocking, METH_O, setblocking_doc},
    {"getblocking", sock_getblocking, METH_NOARGS, getblocking_doc},
    {"settimeout", sock_settimeout, METH_O, settimeout_doc},
    {"gettimeout", sock_gettimeout, METH_NOARGS, gettimeout_doc},
    {"setsockopt", sock_setsockopt, METH_VARARGS, setsockopt_doc},
    {"shutdown", sock_shutdown, METH_O, shutdown_doc},
    {"recvmsg", _PySocket_recvmsg, METH_VARARGS, _PySocket_recvmsg_doc},
    {"recvmsg_into", _PySocket_recvmsg_into, METH_VARARGS,
     _PySocket_recvmsg_into_doc},
    {"sendmsg", _PySocket_sendmsg, METH_VARARGS, _PySocket_sendmsg_doc},
    {"sendmsg_afalg", VAR_KEYWORDS(_PySocket_sendmsg_afalg), _PySocket_sendmsg_afalg_doc},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef sock_members[] = {
    {"family", T_INT, offsetof(PySocketSockObject, sock_family), READONLY,
     PyDoc_STR("the socket family")},
    {"type", T_INT, offsetof(PySocketSockObject, sock_type), READONLY,
     PyDoc_STR("the socket type")},
    {"proto", T_INT, offsetof(PySocketSockObject, sock_proto), READONLY,
     PyDoc_STR("the socket protocol")},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef sock_getset[] = {
    {"timeout", get_timeout_attribute, NULL, PyDoc_STR("the socket timeout"),
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(sock_doc,
"socket(family=AF_INET, type=SOCK_STREAM, proto=0) -> socket object\n"
"socket(family=-1, type=-1, proto=-1, fileno=None) -> socket object\n\n"
"One end of a connection, or of none: see socket.socket, which adds the\n"
"methods written in Python.");

PyTypeObject _PySocket_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_socket.socket",
    .tp_basicsize = sizeof(PySocketSockObject),
    .tp_dealloc = sock_dealloc,
    .tp_repr = sock_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = sock_doc,
    .tp_methods = sock_methods,
    .tp_members = sock_members,
    .tp_getset = sock_getset,
    .tp_init = sock_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = sock_new,
    .tp_free = PyObject_Del,
    .tp_finalize = sock_finalize,
};
