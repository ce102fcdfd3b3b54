/* The _socket module itself: constants, byte order, addresses as text, pairs. */
#include "socket_module.h"
#include "internal/module_init.h"

#include <fcntl.h>
#include <linux/errqueue.h>
#include <sys/ioctl.h>
#include <unistd.h>


PyDoc_STRVAR(close_doc, "close(integer) -> None\n\nClose a socket's descriptor.");

static PyObject *
socket_close(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd = _PyLong_AsInt(arg), status;
    if (fd == -1 && PyErr_Occurred()) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = close(fd);
    Py_END_ALLOW_THREADS
    if (status < 0 && errno != ECONNRESET) {
        return _PySocket_error();
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(dup_doc, "dup(integer) -> integer\n\nDuplicate a socket's descriptor.");

static PyObject *
socket_dup(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd = _PyLong_AsInt(arg);
    if (fd == -1 && PyErr_Occurred()) {
        return NULL;
    }
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return copy < 0 ? _PySocket_error() : PyLong_FromLong(copy);
}

/* Returns a socket object for a descriptor, which is closed on failure. */
static PyObject *
wrap_fd(int fd, int family, int type, int proto)
{
    PyObject *op = PyObject_CallFunction((PyObject *)&_PySocket_Type, "iiii",
                                         family, type, proto, fd);
    if (op == NULL) {
        close(fd);
    }
    return op;
}

PyDoc_STRVAR(socketpair_doc,
"socketpair([family[, type [, proto]]]) -> (socket object, socket object)\n\n"
"Make two sockets that are connected with each other.");

static PyObject *
socket_socketpair(PyObject *Py_UNUSED(module), PyObject *args)
{
    int family = AF_UNIX, type = SOCK_STREAM, proto = 0, fds[2], status;
    if (!PyArg_ParseTuple(args, "|iii:socketpair", &family, &type, &proto)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = socketpair(family, type | SOCK_CLOEXEC, proto, fds);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        return _PySocket_error();
    }
    PyObject *a = wrap_fd(fds[0], family, type, proto);
    if (a == NULL) {
        close(fds[1]);
        return NULL;
    }
    PyObject *b = wrap_fd(fds[1], family, type, proto);
    if (b == NULL) {
        Py_DECREF(a);
        return NULL;
    }
    return Py_BuildValue("NN", a, b);
}

/* --------------------------------------------------------------- byte order */

static PyObject *
swap_short(PyObject *args, const char *format, const char *name)
{
    int value;
    if (!PyArg_ParseTuple(args, format, &value)) {
        return NULL;
    }
    if (value < 0) {
        return PyErr_Format(PyExc_OverflowError, "%s: can't convert negative "
                            "Python int to C 16-bit unsigned integer", name);
    }
    if (value > 0xffff) {
        return PyErr_Format(PyExc_OverflowError, "%s: Python int too large to "
                            "convert to C 16-bit unsigned integer", name);
    }
    /* The same operation both ways. */
    return PyLong_FromUnsignedLong(ntohs((uint16_t)value));
}

static PyObject *
swap_long(PyObject *arg)
{
    if (!PyLong_Check(arg)) {
        return PyErr_Format(PyExc_TypeError, "expected int, %s found",
                            Py_TYPE(arg)->tp_name);
    }
    unsigned long value = PyLong_AsUnsignedLong(arg);
    if (value == (unsigned long)-1 && PyErr_Occurred()) {
        return NULL;
    }
    if (value > 0xffffffffUL) {
        return PyErr_Format(PyExc_OverflowError, "int larger than 32 bits");
    }
    return PyLong_FromUnsignedLong(ntohl((uint32_t)value));
}

PyDoc_STRVAR(ntohs_doc,
"ntohs(integer) -> integer\n\n16 bits from network to host byte order.");
PyDoc_STRVAR(htons_doc,
"htons(integer) -> integer\n\n16 bits from host to network byte order.");
PyDoc_STRVAR(ntohl_doc,
"ntohl(integer) -> integer\n\n32 bits from network to host byte order.");
PyDoc_STRVAR(htonl_doc,
"htonl(integer) -> integer\n\n32 bits from host to network byte order.");

static PyObject *
socket_ntohs(PyObject *Py_UNUSED(module), PyObject *args)
{
    return swap_short(args, "i:ntohs", "ntohs");
}

static PyObject *
socket_htons(PyObject *Py_UNUSED(module), PyObject *args)
{
    return swap_short(args, "i:htons", "htons");
}

static PyObject *
socket_ntohl(PyObject *Py_UNUSED(module), PyObject *arg)
{
    return swap_long(arg);
}

static PyObject *
socket_htonl(PyObject *Py_UNUSED(module), PyObject *arg)
{
    return swap_long(arg);
}

/* -------------------------------------------------------- addresses as text */

PyDoc_STRVAR(inet_aton_doc,
"inet_aton(string) -> bytes giving packed 32-bit IP representation\n\n"
"Pack an IPv4 address like 127.0.0.1.");

static PyObject *
socket_inet_aton(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *text;
    struct in_addr address;
    if (!PyArg_ParseTuple(args, "s:inet_aton", &text)) {
        return NULL;
    }
    if (inet_aton(text, &address) == 0) {
        PyErr_SetString(PyExc_OSError,
                        "illegal IP address string passed to inet_aton");
        return NULL;
    }
    return PyBytes_FromStringAndSize((char *)&address, sizeof(address));
}

PyDoc_STRVAR(inet_ntoa_doc,
"inet_ntoa(packed_ip) -> ip_address_string\n\nUnpack an IPv4 address.");

static PyObject *
socket_inet_ntoa(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer view;
    struct in_addr address;
    if (!PyArg_ParseTuple(args, "y*:inet_ntoa", &view)) {
        return NULL;
    }
    int ok = view.len == sizeof(address);
    if (ok) {
        memcpy(&address, view.buf, sizeof(address));
    }
    PyBuffer_Release(&view);
    if (!ok) {
        PyErr_SetString(PyExc_OSError, "packed IP wrong length for inet_ntoa");
        return NULL;
    }
    char text[INET_ADDRSTRLEN];
    return PyUnicode_FromString(inet_ntop(AF_INET, &address, text,
                                          sizeof(text)));
}

PyDoc_STRVAR(inet_pton_doc,
"inet_pton(af, ip) -> packed IP address string\n\nPack an address of a family.");

static PyObject *
socket_inet_pton(PyObject *Py_UNUSED(module), PyObject *args)
{
    int family;
    const char *text;
    char packed[sizeof(struct in6_addr)];
    if (!PyArg_ParseTuple(args, "is:inet_pton", &family, &text)) {
        return NULL;
    }
    int status = inet_pton(family, text, packed);
    if (status == -1) {
        return _PySocket_error();
    }
    if (status == 0) {
        PyErr_SetString(PyExc_OSError,
                        "illegal IP address string passed to inet_pton");
        return NULL;
    }
    return PyBytes_FromStringAndSize(packed, family == AF_INET ? 4 : 16);
}

PyDoc_STRVAR(inet_ntop_doc,
"inet_ntop(af, packed_ip) -> string formatted IP address\n\n"
"Unpack an address of a family.");

static PyObject *
socket_inet_ntop(PyObject *Py_UNUSED(module), PyObject *args)
{
    int family;
    Py_buffer view;
    char text[INET6_ADDRSTRLEN];
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "iy*:inet_ntop", &family, &view)) {
        return NULL;
    }
    if (family != AF_INET && family != AF_INET6) {
        PyErr_Format(PyExc_ValueError, "unknown address family %d", family);
    }
    else if (view.len != (family == AF_INET ? 4 : 16)) {
        PyErr_SetString(PyExc_ValueError,
                        "invalid length of packed IP address string");
    }
    else if (inet_ntop(family, view.buf, text, sizeof(text)) == NULL) {
        _PySocket_error();
    }
    else {
        result = PyUnicode_FromString(text);
    }
    PyBuffer_Release(&view);
    return result;
}

/* ----------------------------------------------------------------- the rest */

PyDoc_STRVAR(getdefaulttimeout_doc,
"getdefaulttimeout() -> timeout\n\nReturn the timeout of new sockets.");

static PyObject *
socket_getdefaulttimeout(PyObject *Py_UNUSED(module),
                         PyObject *Py_UNUSED(ignored))
{
    return _PySocket_timeout_object(_PySocket_default_timeout);
}

PyDoc_STRVAR(setdefaulttimeout_doc,
"setdefaulttimeout(timeout)\n\nSet the timeout of new sockets; None: no timeout.");

static PyObject *
socket_setdefaulttimeout(PyObject *Py_UNUSED(module), PyObject *arg)
{
    _PyTime_t timeout;
    if (_PySocket_parse_timeout(&timeout, arg) < 0) {
        return NULL;
    }
    _PySocket_default_timeout = timeout;
    Py_RETURN_NONE;
}

static int
control_argument(PyObject *args, const char *format, Py_ssize_t *length,
                 size_t most, const char *name)
{
    if (!PyArg_ParseTuple(args, format, length)) {
        return -1;
    }
    if (*length < 0 || (size_t)*length > most) {
        PyErr_Format(PyExc_OverflowError, "%s argument out of range", name);
        return -1;
    }
    return 0;
}

PyDoc_STRVAR(cmsg_len_doc,
"CMSG_LEN(length) -> control message length\n\n"
"The length of an ancillary item with so much data, without padding.");

static PyObject *
socket_cmsg_len(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_ssize_t length;
    if (control_argument(args, "n:CMSG_LEN", &length,
                         (size_t)INT_MAX - CMSG_LEN(0), "CMSG_LEN()") < 0) {
        return NULL;
    }
    return PyLong_FromSize_t(CMSG_LEN((size_t)length));
}

PyDoc_STRVAR(cmsg_space_doc,
"CMSG_SPACE(length) -> buffer size\n\n"
"The space of an ancillary item with so much data, with padding.");

static PyObject *
socket_cmsg_space(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_ssize_t length;
    if (control_argument(args, "n:CMSG_SPACE", &length,
                         (size_t)INT_MAX - CMSG_SPACE(1),
                         "CMSG_SPACE()") < 0) {
        return NULL;
    }
    return PyLong_FromSize_t(CMSG_SPACE((size_t)length));
}

static PyMethodDef socket_methods[] = {
    {"close", socket_close, METH_O, close_doc},
    {"dup", socket_dup, METH_O, dup_doc},
    {"socketpair", socket_socketpair, METH_VARARGS, socketpair_doc},
    {"ntohs", socket_ntohs, METH_VARARGS, ntohs_doc},
    {"ntohl", socket_ntohl, METH_O, ntohl_doc},
    {"htons", socket_htons, METH_VARARGS, htons_doc},
    {"htonl", socket_htonl, METH_O, htonl_doc},
    {"inet_aton", socket_inet_aton, METH_VARARGS, inet_aton_doc},
    {"inet_ntoa", socket_inet_ntoa, METH_VARARGS, inet_ntoa_doc},
    {"inet_pton", socket_inet_pton, METH_VARARGS, inet_pton_doc},
    {"inet_ntop", socket_inet_ntop, METH_VARARGS, inet_ntop_doc},
    {"getdefaulttimeout", socket_getdefaulttimeout, METH_NOARGS,
     getdefaulttimeout_doc},
    {"setdefaulttimeout", socket_setdefaulttimeout, METH_O,
     setdefaulttimeout_doc},
    {"CMSG_LEN", socket_cmsg_len, METH_VARARGS, cmsg_len_doc},
    {"CMSG_SPACE", socket_cmsg_space, METH_VARARGS, cmsg_space_doc},
    {NULL, NULL, 0, NULL},
};

static const struct {
    const char *name;
    long value;
} constants[] = {
#define CONSTANT(name) {#name, (long)name},
#define FIXED(name, value) {#name, value},
#include "constants.def"
#undef CONSTANT
#undef FIXED
};

/* _ssl imports this by the capsule _socket.CAPI; the layout is CPython's. */
static struct {
    PyTypeObject *Sock_Type;
    PyObject *error;
    PyObject *timeout_error;
} capi;

static int
add_capsule(PyObject *module)
{
    capi.Sock_Type = &_PySocket_Type;
    capi.error = PyExc_OSError;
    capi.timeout_error = PyExc_TimeoutError;
    PyObject *capsule = PyCapsule_New(&capi, "_socket.CAPI", NULL);
    if (capsule == NULL) {
        return -1;
    }
    int status = PyModule_AddObjectRef(module, "CAPI", capsule);
    Py_DECREF(capsule);
    return status;
}

static void
clear_state(void *state)
{
    Py_CLEAR(((SocketState *)state)->herror);
    Py_CLEAR(((SocketState *)state)->gaierror);
}

static int
socket_exec(PyObject *module)
{
    if (PyType_Ready(&_PySocket_Type) < 0
        || PyModule_AddFunctions(module, _PySocket_lookup_methods) < 0) {
        return -1;
    }
    SocketState *state = _PyModuleState_Need(MODULE_STATE_SOCKET, sizeof(*state), clear_state);
    if (state == NULL) {
        return -1;
    }
    if (state->herror == NULL) {
        state->herror = PyErr_NewException("socket.herror", PyExc_OSError, NULL);
        state->gaierror = PyErr_NewException("socket.gaierror", PyExc_OSError, NULL);
        if (state->herror == NULL || state->gaierror == NULL) {
            return -1;
        }
    }
    if (PyModule_AddObjectRef(module, "error", PyExc_OSError) < 0
        || PyModule_AddObjectRef(module, "herror", state->herror) < 0
        || PyModule_AddObjectRef(module, "gaierror", state->gaierror) < 0
        || PyModule_AddObjectRef(module, "timeout", PyExc_TimeoutError) < 0
        || PyModule_AddObjectRef(module, "SocketType",
                                 (PyObject *)&_PySocket_Type) < 0
        || PyModule_AddObjectRef(module, "socket",
                                 (PyObject *)&_PySocket_Type) < 0
        || PyModule_AddObjectRef(module, "has_ipv6", Py_True) < 0
        || PyModule_AddStringConstant(module, "BDADDR_ANY",
                                      "00:00:00:00:00:00") < 0
        || PyModule_AddStringConstant(module, "BDADDR_LOCAL",
                                      "00:00:00:FF:FF:FF") < 0
        || add_capsule(module) < 0) {
        return -1;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name,
                                    constants[i].value) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot socket_slots[] = {
    {Py_mod_exec, socket_exec},
    {0, NULL},
};

static PyModuleDef socket_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_socket",
    .m_doc = PyDoc_STR("What socket.py has in C."),
    .m_size = 0,
    .m_methods = socket_methods,
    .m_slots = socket_slots,
};

MODULE_INIT(_socket)
{
    return PyModuleDef_Init(&socket_module);
}
