/* Names and numbers: hosts, services, protocols, network interfaces. */
#include "socket_module.h"

#include <unistd.h>
#include "internal/method_table.h"

static PyObject *
set_gaierror(int error)
{
    if (error == EAI_SYSTEM) {
        return _PySocket_error();
    }
    PyObject *value = Py_BuildValue("(is)", error, gai_strerror(error));
    if (value != NULL) {
        PyErr_SetObject(_PySocket_State()->gaierror, value);
        Py_DECREF(value);
    }
    return NULL;
}

static PyObject *
set_herror(int error)
{
    PyObject *value = Py_BuildValue("(is)", error, hstrerror(error));
    if (value != NULL) {
        PyErr_SetObject(_PySocket_State()->herror, value);
        Py_DECREF(value);
    }
    return NULL;
}

/* getaddrinfo(3) without the GIL. -1 with an exception set. */
static int
resolve_with(const char *name, const char *service, struct addrinfo *hints,
             struct addrinfo **result)
{
    int error;
    Py_BEGIN_ALLOW_THREADS
    error = getaddrinfo(name, service, hints, result);
    Py_END_ALLOW_THREADS
    if (error != 0) {
        set_gaierror(error);
        return -1;
    }
    return 0;
}

/* "": the wildcard address. */
static int
resolve_wildcard(any_address *a, int family)
{
    struct addrinfo hints, *result;
    memset(&hints, 0, sizeof(hints));
    hints.ai_family = family;
    hints.ai_socktype = SOCK_DGRAM;     /* any one, for one answer per address */
    hints.ai_flags = AI_PASSIVE;
    if (resolve_with(NULL, "0", &hints, &result) < 0) {
        return -1;
    }
    int size;
    switch (result->ai_family) {
    case AF_INET:
        size = 4;
        break;
    case AF_INET6:
        size = 16;
        break;
    default:
        freeaddrinfo(result);
        PyErr_SetString(PyExc_OSError, "unsupported address family");
        return -1;
    }
    if (result->ai_next != NULL) {
        freeaddrinfo(result);
        PyErr_SetString(PyExc_OSError,
                        "wildcard resolved to multiple address");
        return -1;
    }
    memcpy(a, result->ai_addr, result->ai_addrlen);
    freeaddrinfo(result);
    return size;
}

int
_PySocket_resolve(const char *name, any_address *a, int family)
{
    memset(a, 0, sizeof(*a));
    if (name[0] == '\0') {
        return resolve_wildcard(a, family);
    }
    if (strcmp(name, "255.255.255.255") == 0
        || strcmp(name, "<broadcast>") == 0) {
        if (family != AF_INET && family != AF_UNSPEC) {
            PyErr_SetString(PyExc_OSError, "address family mismatched");
            return -1;
        }
        a->in.sin_family = AF_INET;
        a->in.sin_addr.s_addr = INADDR_BROADCAST;
        return 4;
    }
    /* Numbers need no resolver. */
    if ((family == AF_UNSPEC || family == AF_INET)
        && inet_pton(AF_INET, name, &a->in.sin_addr) > 0) {
        a->in.sin_family = AF_INET;
        return 4;
    }
    if ((family == AF_UNSPEC || family == AF_INET6)
        && strchr(name, '%') == NULL) {
        memset(a, 0, sizeof(*a));
        if (inet_pton(AF_INET6, name, &a->in6.sin6_addr) > 0) {
            a->in6.sin6_family = AF_INET6;
            return 16;
        }
    }
    struct addrinfo hints, *result;
    memset(&hints, 0, sizeof(hints));
    hints.ai_family = family;
    if (resolve_with(name, NULL, &hints, &result) < 0) {
        return -1;
    }
    size_t n = result->ai_addrlen < sizeof(*a) ? result->ai_addrlen
                                               : sizeof(*a);
    memset(a, 0, sizeof(*a));
    memcpy(a, result->ai_addr, n);
    freeaddrinfo(result);
    switch (a->sa.sa_family) {
    case AF_INET:
        return 4;
    case AF_INET6:
        return 16;
    default:
        PyErr_SetString(PyExc_OSError, "unknown address family");
        return -1;
    }
}

PyObject *
_PySocket_ip_text(const any_address *a)
{
    char text[INET6_ADDRSTRLEN];
    const void *raw = a->sa.sa_family == AF_INET
        ? (const void *)&a->in.sin_addr : (const void *)&a->in6.sin6_addr;
    if (inet_ntop(a->sa.sa_family, raw, text, sizeof(text)) == NULL) {
        return _PySocket_error();
    }
    return PyUnicode_FromString(text);
}

/* ------------------------------------------------------------- host by name */

PyDoc_STRVAR(gethostname_doc,
"gethostname() -> string\n\nReturn this machine's name.");

static PyObject *
socket_gethostname(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    char name[1024];
    int status;
    if (PySys_Audit("socket.gethostname", NULL) < 0) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    status = gethostname(name, sizeof(name) - 1);
    Py_END_ALLOW_THREADS
    if (status < 0) {
        return _PySocket_error();
    }
    name[sizeof(name) - 1] = '\0';
    return PyUnicode_DecodeFSDefault(name);
}

PyDoc_STRVAR(sethostname_doc, "sethostname(name)\n\nSet this machine's name.");

static PyObject *
socket_sethostname(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *name;
    Py_buffer view;
    int held = 0, status;
    if (!PyArg_ParseTuple(args, "S:sethostname", &name)) {
        PyErr_Clear();
        if (!PyArg_ParseTuple(args, "O&:sethostname", PyUnicode_FSConverter,
                              &name)) {
            return NULL;
        }
        held = 1;
    }
    PyObject *result = NULL;
    if (PySys_Audit("socket.sethostname", "(O)", name) == 0
        && PyObject_GetBuffer(name, &view, PyBUF_SIMPLE) == 0) {
        status = sethostname(view.buf, (size_t)view.len);
        PyBuffer_Release(&view);
        result = status < 0 ? _PySocket_error() : Py_NewRef(Py_None);
    }
    if (held) {
        Py_DECREF(name);
    }
    return result;
}

PyDoc_STRVAR(gethostbyname_doc,
"gethostbyname(host) -> address\n\nReturn a host's IPv4 address.");

static PyObject *
socket_gethostbyname(PyObject *Py_UNUSED(module), PyObject *args)
{
    char *host = NULL;
    any_address a;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "et:gethostbyname", "idna", &host)) {
        return NULL;
    }
    if (PySys_Audit("socket.gethostbyname", "O", PyTuple_GET_ITEM(args, 0)) == 0
        && _PySocket_resolve(host, &a, AF_INET) >= 0) {
        result = _PySocket_ip_text(&a);
    }
    PyMem_Free(host);
    return result;
}

static int
append_address(PyObject *list, int family, const char *raw)
{
    char text[INET6_ADDRSTRLEN];
    PyObject *item = inet_ntop(family, raw, text, sizeof(text)) == NULL
        ? _PySocket_error() : PyUnicode_FromString(text);
    int failed = item == NULL || PyList_Append(list, item) < 0;
    Py_XDECREF(item);
    return failed ? -1 : 0;
}

/* (name, aliases, addresses) of a host entry. */
static PyObject *
host_tuple(const struct hostent *h, int error, int family)
{
    if (h == NULL) {
        return set_herror(error);
    }
    if (h->h_addrtype != family) {
        errno = EAFNOSUPPORT;
        return _PySocket_error();
    }
    PyObject *result = NULL;
    PyObject *names = PyList_New(0), *addresses = PyList_New(0);
    if (names == NULL || addresses == NULL) {
        goto done;
    }
    for (char **p = h->h_aliases; p != NULL && *p != NULL; p++) {
        PyObject *name = PyUnicode_FromString(*p);
        int failed = name == NULL || PyList_Append(names, name) < 0;
        Py_XDECREF(name);
        if (failed) {
            goto done;
        }
    }
    for (char **p = h->h_addr_list; *p != NULL; p++) {
        if (append_address(addresses, family, *p) < 0) {
            goto done;
        }
    }
    PyObject *name = PyUnicode_DecodeFSDefault(h->h_name);
    result = name == NULL ? NULL
        : Py_BuildValue("NOO", name, names, addresses);

done:
    Py_XDECREF(names);
    Py_XDECREF(addresses);
    return result;
}

#define HOST_BUFFER 16384

PyDoc_STRVAR(gethostbyname_ex_doc,
"gethostbyname_ex(host) -> (name, aliaslist, addresslist)\n\n"
"Return a host's names and addresses.");

static PyObject *
socket_gethostbyname_ex(PyObject *Py_UNUSED(module), PyObject *args)
{
    char *host = NULL;
    any_address a;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "et:gethostbyname_ex", "idna", &host)) {
        return NULL;
    }
    if (PySys_Audit("socket.gethostbyname", "O", PyTuple_GET_ITEM(args, 0)) == 0
        && _PySocket_resolve(host, &a, AF_INET) >= 0) {
        char buffer[HOST_BUFFER];
        struct hostent entry, *found = NULL;
        int error;
        Py_BEGIN_ALLOW_THREADS
        (void)gethostbyname_r(host, &entry, buffer, sizeof(buffer),
                              &found, &error);
        Py_END_ALLOW_THREADS
        result = host_tuple(found, error, a.sa.sa_family);
    }
    PyMem_Free(host);
    return result;
}

PyDoc_STRVAR(gethostbyaddr_doc,
"gethostbyaddr(host) -> (name, aliaslist, addresslist)\n\n"
"Return the names and addresses of the host with an address.");

static PyObject *
socket_gethostbyaddr(PyObject *Py_UNUSED(module), PyObject *args)
{
    char *host = NULL;
    any_address a;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "et:gethostbyaddr", "idna", &host)) {
        return NULL;
    }
    if (PySys_Audit("socket.gethostbyaddr", "O", PyTuple_GET_ITEM(args, 0)) == 0
        && _PySocket_resolve(host, &a, AF_UNSPEC) >= 0) {
        char buffer[HOST_BUFFER];
        struct hostent entry, *found = NULL;
        int error, family = a.sa.sa_family;
        const void *raw = family == AF_INET ? (void *)&a.in.sin_addr
                                            : (void *)&a.in6.sin6_addr;
        socklen_t size = family == AF_INET ? 4 : 16;
        Py_BEGIN_ALLOW_THREADS
        (void)gethostbyaddr_r(raw, size, family, &entry, buffer,
                              sizeof(buffer), &found, &error);
        Py_END_ALLOW_THREADS
        result = host_tuple(found, error, family);
    }
    PyMem_Free(host);
    return result;
}

/* --------------------------------------------------- services and protocols */

PyDoc_STRVAR(getservbyname_doc,
"getservbyname(servicename[, protocolname]) -> integer\n\n"
"Return a service's port.");

static PyObject *
socket_getservbyname(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *name, *protocol = NULL;
    struct servent *s;
    if (!PyArg_ParseTuple(args, "s|s:getservbyname", &name, &protocol)
        || PySys_Audit("socket.getservbyname", "ss", name, protocol) < 0) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    s = getservbyname(name, protocol);
    Py_END_ALLOW_THREADS
    if (s == NULL) {
        PyErr_SetString(PyExc_OSError, "service/proto not found");
        return NULL;
    }
    return PyLong_FromLong((long)ntohs((uint16_t)s->s_port));
}

PyDoc_STRVAR(getservbyport_doc,
"getservbyport(port[, protocolname]) -> string\n\n"
"Return the name of the service at a port.");

static PyObject *
socket_getservbyport(PyObject *Py_UNUSED(module), PyObject *args)
{
    int port;
    const char *protocol = NULL;
    struct servent *s;
    if (!PyArg_ParseTuple(args, "i|s:getservbyport", &port, &protocol)) {
        return NULL;
    }
    if (port < 0 || port > 0xffff) {
        PyErr_SetString(PyExc_OverflowError,
                        "getservbyport: port must be 0-65535.");
        return NULL;
    }
    if (PySys_Audit("socket.getservbyport", "is", port, protocol) < 0) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    s = getservbyport(htons((uint16_t)port), protocol);
    Py_END_ALLOW_THREADS
    if (s == NULL) {
        PyErr_SetString(PyExc_OSError, "port/proto not found");
        return NULL;
    }
    return PyUnicode_FromString(s->s_name);
}

PyDoc_STRVAR(getprotobyname_doc,
"getprotobyname(name) -> integer\n\nReturn a protocol's number.");

static PyObject *
socket_getprotobyname(PyObject *Py_UNUSED(module), PyObject *args)
{
    const char *name;
    struct protoent *p;
    if (!PyArg_ParseTuple(args, "s:getprotobyname", &name)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    p = getprotobyname(name);
    Py_END_ALLOW_THREADS
    if (p == NULL) {
        PyErr_SetString(PyExc_OSError, "protocol not found");
        return NULL;
    }
    return PyLong_FromLong(p->p_proto);
}

/* -------------------------------------------------------------- getaddrinfo */

/* The text of a service. Returns a new reference to the object that owns it, or NULL with
   *text NULL for None; -1 on error. */
static int
service_text(PyObject *op, const char **text, PyObject **held)
{
    *held = NULL;
    *text = NULL;
    if (op == Py_None) {
        return 0;
    }
    if (PyBytes_Check(op)) {
        *text = PyBytes_AS_STRING(op);
        return 0;
    }
    if (PyLong_CheckExact(op)) {
        /* The system refuses numbers that are too large. */
        *held = PyObject_Str(op);
    }
    else if (PyUnicode_Check(op)) {
        *held = Py_NewRef(op);
    }
    else {
        PyErr_SetString(PyExc_OSError, "Int or String expected");
        return -1;
    }
    if (*held != NULL) {
        *text = PyUnicode_AsUTF8(*held);
    }
    return *text == NULL ? -1 : 0;
}

static PyObject *
addrinfo_tuple(const struct addrinfo *info)
{
    PyObject *address = _PySocket_make_address(
        -1, (const any_address *)info->ai_addr, info->ai_addrlen, -1);
    if (address == NULL) {
        return NULL;
    }
    return Py_BuildValue("iiisN", info->ai_family, info->ai_socktype,
                         info->ai_protocol,
                         info->ai_canonname ? info->ai_canonname : "",
                         address);
}

PyDoc_STRVAR(getaddrinfo_doc,
"getaddrinfo(host, port [, family, type, proto, flags])\n"
"    -> list of (family, type, proto, canonname, sockaddr)\n\n"
"Return what is needed to reach a service on a host.");

static PyObject *
socket_getaddrinfo(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"host", "port", "family", "type", "proto",
                               "flags", NULL};
    PyObject *host, *port, *encoded = NULL, *held = NULL, *list = NULL;
    struct addrinfo hints, *result = NULL;
    const char *host_text, *port_text;
    int family = AF_UNSPEC, type = 0, proto = 0, flags = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "OO|iiii:getaddrinfo",
                                     keywords, &host, &port, &family, &type,
                                     &proto, &flags)) {
        return NULL;
    }
    if (host == Py_None) {
        host_text = NULL;
    }
    else if (PyUnicode_Check(host)) {
        encoded = PyUnicode_AsEncodedString(host, "idna", NULL);
        if (encoded == NULL) {
            return NULL;
        }
        host_text = PyBytes_AS_STRING(encoded);
    }
    else if (PyBytes_Check(host)) {
        host_text = PyBytes_AS_STRING(host);
    }
    else {
        PyErr_SetString(PyExc_TypeError,
                        "getaddrinfo() argument 1 must be string or None");
        return NULL;
    }
    if (service_text(port, &port_text, &held) < 0) {
        goto done;
    }
    if (PySys_Audit("socket.getaddrinfo", "OOiii", host, port, family, type,
                    proto) < 0) {
        goto done;
    }
    memset(&hints, 0, sizeof(hints));
    hints.ai_family = family;
    hints.ai_socktype = type;
    hints.ai_protocol = proto;
    hints.ai_flags = flags;
    if (resolve_with(host_text, port_text, &hints, &result) < 0) {
        goto done;
    }
    list = PyList_New(0);
    for (struct addrinfo *p = result; list != NULL && p != NULL;
         p = p->ai_next) {
        PyObject *item = addrinfo_tuple(p);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }

done:
    if (result != NULL) {
        freeaddrinfo(result);
    }
    Py_XDECREF(encoded);
    Py_XDECREF(held);
    return list;
}

PyDoc_STRVAR(getnameinfo_doc,
"getnameinfo(sockaddr, flags) --> (host, port)\n\n"
"Return the names of a socket address's host and port.");

static PyObject *
socket_getnameinfo(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *address;
    const char *name;
    int flags, port;
    unsigned int flowinfo = 0, scope_id = 0;
    if (!PyArg_ParseTuple(args, "Oi:getnameinfo", &address, &flags)) {
        return NULL;
    }
    if (!PyTuple_Check(address)) {
        PyErr_SetString(PyExc_TypeError,
                        "getnameinfo() argument 1 must be a tuple");
        return NULL;
    }
    if (!PyArg_ParseTuple(address, "si|II;getnameinfo(): illegal sockaddr "
                          "argument", &name, &port, &flowinfo, &scope_id)) {
        return NULL;
    }
    if (flowinfo > 0xfffff) {
        PyErr_SetString(PyExc_OverflowError,
                        "getnameinfo(): flowinfo must be 0-1048575.");
        return NULL;
    }
    if (PySys_Audit("socket.getnameinfo", "(O)", address) < 0) {
        return NULL;
    }
    struct addrinfo hints, *result;
    char service[NI_MAXSERV], host[NI_MAXHOST];
    PyOS_snprintf(service, sizeof(service), "%d", port);
    memset(&hints, 0, sizeof(hints));
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_DGRAM;     /* one answer per address */
    hints.ai_flags = AI_NUMERICHOST;    /* no name, which may have many */
    if (resolve_with(name, service, &hints, &result) < 0) {
        return NULL;
    }
    PyObject *answer = NULL;
    if (result->ai_next != NULL) {
        PyErr_SetString(PyExc_OSError,
                        "sockaddr resolved to multiple addresses");
        goto done;
    }
    if (result->ai_family == AF_INET && PyTuple_GET_SIZE(address) != 2) {
        PyErr_SetString(PyExc_OSError, "IPv4 sockaddr must be 2 tuple");
        goto done;
    }
    if (result->ai_family == AF_INET6) {
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)result->ai_addr;
        in6->sin6_flowinfo = htonl(flowinfo);
        in6->sin6_scope_id = scope_id;
    }
    int error;
    Py_BEGIN_ALLOW_THREADS
    error = getnameinfo(result->ai_addr, result->ai_addrlen, host,
                        sizeof(host), service, sizeof(service), flags);
    Py_END_ALLOW_THREADS
    if (error != 0) {
        set_gaierror(error);
        goto done;
    }
    PyObject *text = PyUnicode_DecodeFSDefault(host);
    answer = text == NULL ? NULL : Py_BuildValue("Ns", text, service);

done:
    freeaddrinfo(result);
    return answer;
}

/* --------------------------------------------------------------- interfaces */

PyDoc_STRVAR(if_nameindex_doc,
"if_nameindex()\n\nReturn the (index, name) pairs of network interfaces.");

static PyObject *
socket_if_nameindex(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    struct if_nameindex *all = if_nameindex();
    if (all == NULL) {
        return _PySocket_error();
    }
    PyObject *list = PyList_New(0);
    for (struct if_nameindex *p = all;
         list != NULL && p->if_index != 0 && p->if_name != NULL; p++) {
        PyObject *item = Py_BuildValue("IO&", p->if_index,
                                       PyUnicode_DecodeFSDefault, p->if_name);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    if_freenameindex(all);
    return list;
}

PyDoc_STRVAR(if_nametoindex_doc,
"if_nametoindex(if_name)\n\nReturn the index of a network interface.");

static PyObject *
socket_if_nametoindex(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *name;
    if (!PyArg_ParseTuple(args, "O&:if_nametoindex", PyUnicode_FSConverter,
                          &name)) {
        return NULL;
    }
    unsigned int index = if_nametoindex(PyBytes_AS_STRING(name));
    Py_DECREF(name);
    if (index == 0) {
        PyErr_SetString(PyExc_OSError, "no interface with this name");
        return NULL;
    }
    return PyLong_FromUnsignedLong(index);
}

PyDoc_STRVAR(if_indextoname_doc,
"if_indextoname(if_index)\n\nReturn the name of a network interface.");

static PyObject *
socket_if_indextoname(PyObject *Py_UNUSED(module), PyObject *arg)
{
    char name[IF_NAMESIZE + 1];
    unsigned long index = PyLong_AsUnsignedLong(arg);
    if (index == (unsigned long)-1 && PyErr_Occurred()) {
        return NULL;
    }
    if (index > UINT_MAX) {
        PyErr_SetString(PyExc_OverflowError,
                        "Python int too large to convert to C unsigned int");
        return NULL;
    }
    if (if_indextoname((unsigned int)index, name) == NULL) {
        return _PySocket_error();
    }
    return PyUnicode_DecodeFSDefault(name);
}

PyMethodDef _PySocket_lookup_methods[] = {
    {"gethostname", socket_gethostname, METH_NOARGS, gethostname_doc},
    {"sethostname", socket_sethostname, METH_VARARGS, sethostname_doc},
    {"gethostbyname", socket_gethostbyname, METH_VARARGS, gethostbyname_doc},
    {"gethostbyname_ex", socket_gethostbyname_ex, METH_VARARGS,
     gethostbyname_ex_doc},
    {"gethostbyaddr", socket_gethostbyaddr, METH_VARARGS, gethostbyaddr_doc},
    {"getservbyname", socket_getservbyname, METH_VARARGS, getservbyname_doc},
    {"getservbyport", socket_getservbyport, METH_VARARGS, getservbyport_doc},
    {"getprotobyname", socket_getprotobyname, METH_VARARGS,
     getprotobyname_doc},
    {"getaddrinfo", VAR_KEYWORDS(socket_getaddrinfo), getaddrinfo_doc},
    {"getnameinfo", socket_getnameinfo, METH_VARARGS, getnameinfo_doc},
    {"if_nameindex", socket_if_nameindex, METH_NOARGS, if_nameindex_doc},
    {"if_nametoindex", socket_if_nametoindex, METH_VARARGS,
     if_nametoindex_doc},
    {"if_indextoname", socket_if_indextoname, METH_O, if_indextoname_doc},
    {NULL, NULL, 0, NULL},
};
