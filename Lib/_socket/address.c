/* Socket addresses: what bind(), connect() and the like take and return.

   Each family has a reader (Python to C) and a writer. A reader takes the address object,
   fills the union and returns the length. */
#include "socket_module.h"

#include <stddef.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* --------------------------------------------------------------- host names */

void
_PySocket_host_free(host_name *host)
{
    Py_CLEAR(host->object);
}

/* str: ASCII as it is, other text by the idna codec; bytes and bytearrays as they
   are. */
static int
host_converter(PyObject *op, void *arg)
{
    host_name *host = arg;
    if (op == NULL) {
        _PySocket_host_free(host);
        return 1;
    }
    host->object = NULL;
    Py_ssize_t length;
    if (PyBytes_Check(op)) {
        host->name = PyBytes_AS_STRING(op);
        length = PyBytes_GET_SIZE(op);
    }
    else if (PyByteArray_Check(op)) {
        host->name = PyByteArray_AS_STRING(op);
        length = PyByteArray_GET_SIZE(op);
    }
    else if (PyUnicode_Check(op)) {
        if (PyUnicode_READY(op) < 0) {
            return 0;
        }
        if (PyUnicode_IS_COMPACT_ASCII(op)) {
            host->name = PyUnicode_DATA(op);
            length = PyUnicode_GET_LENGTH(op);
        }
        else {
            host->object = PyUnicode_AsEncodedString(op, "idna", NULL);
            if (host->object == NULL) {
                PyErr_SetString(PyExc_TypeError,
                                "encoding of hostname failed");
                return 0;
            }
            host->name = PyBytes_AS_STRING(host->object);
            length = PyBytes_GET_SIZE(host->object);
        }
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "str, bytes or bytearray expected, not %s",
                     Py_TYPE(op)->tp_name);
        return 0;
    }
    if ((Py_ssize_t)strlen(host->name) != length) {
        Py_CLEAR(host->object);
        PyErr_SetString(PyExc_TypeError,
                        "host name must not contain null character");
        return 0;
    }
    return Py_CLEANUP_SUPPORTED;
}

/* ---------------------------------------------------------------- Bluetooth */

static int
parse_bdaddr(const char *text, bdaddr *address)
{
    unsigned int b[6];
    char rest;
    if (sscanf(text, "%X:%X:%X:%X:%X:%X%c",
               &b[5], &b[4], &b[3], &b[2], &b[1], &b[0], &rest) == 6) {
        int i = 0;
        while (i < 6 && b[i] < 256) {
            address->b[i] = (uint8_t)b[i];
            i++;
        }
        if (i == 6) {
            return 0;
        }
    }
    PyErr_SetString(PyExc_OSError, "bad bluetooth address");
    return -1;
}

static PyObject *
bdaddr_text(const bdaddr *address)
{
    const uint8_t *b = address->b;
    return PyUnicode_FromFormat("%02X:%02X:%02X:%02X:%02X:%02X",
                                b[5], b[4], b[3], b[2], b[1], b[0]);
}

/* ------------------------------------------------------------------ writers */

/* Builds "(N…)" from a text that may be NULL after an error. */
static PyObject *
with_text(const char *format, PyObject *text, long a, long b, long c)
{
    return text == NULL ? NULL : Py_BuildValue(format, text, a, b, c);
}

static PyObject *
make_unix(const struct sockaddr_un *a, socklen_t length)
{
    size_t path = length - offsetof(struct sockaddr_un, sun_path);
    if (length > offsetof(struct sockaddr_un, sun_path)
        && a->sun_path[0] == 0) {
        /* Linux's abstract names may contain zeros. */
        return PyBytes_FromStringAndSize(a->sun_path, (Py_ssize_t)path);
    }
    size_t n = length > offsetof(struct sockaddr_un, sun_path)
        ? strnlen(a->sun_path, path) : 0;
    return PyUnicode_DecodeFSDefaultAndSize(a->sun_path, (Py_ssize_t)n);
}

static PyObject *
make_packet(int fd, const struct sockaddr_ll *a)
{
    const char *name = "";
    struct ifreq request;
    if (a->sll_ifindex != 0 && fd >= 0) {
        request.ifr_ifindex = a->sll_ifindex;
        if (ioctl(fd, SIOCGIFNAME, &request) == 0) {
            name = request.ifr_name;
        }
    }
    return Py_BuildValue("O&hbhy#", PyUnicode_DecodeFSDefault, name,
                         ntohs(a->sll_protocol), a->sll_pkttype,
                         a->sll_hatype, a->sll_addr,
                         (Py_ssize_t)a->sll_halen);
}

static PyObject *
make_can(int fd, const struct sockaddr_can *a, int proto)
{
    const char *name = "";
    struct ifreq request;
    if (a->can_ifindex != 0 && fd >= 0) {
        request.ifr_ifindex = a->can_ifindex;
        if (ioctl(fd, SIOCGIFNAME, &request) == 0) {
            name = request.ifr_name;
        }
    }
    switch (proto) {
    case CAN_ISOTP:
        return Py_BuildValue("O&kk", PyUnicode_DecodeFSDefault, name,
                             (unsigned long)a->can_addr.tp.rx_id,
                             (unsigned long)a->can_addr.tp.tx_id);
    case CAN_J1939:
        return Py_BuildValue("O&KkB", PyUnicode_DecodeFSDefault, name,
                             (unsigned long long)a->can_addr.j1939.name,
                             (unsigned long)a->can_addr.j1939.pgn,
                             a->can_addr.j1939.addr);
    default:
        return Py_BuildValue("O&", PyUnicode_DecodeFSDefault, name);
    }
}

static PyObject *
make_bluetooth(const any_address *a, int proto)
{
    switch (proto) {
    case BT_L2CAP:
        return with_text("Nl", bdaddr_text(&a->l2.l2_bdaddr),
                         a->l2.l2_psm, 0, 0);
    case BT_RFCOMM:
        return with_text("Nl", bdaddr_text(&a->rc.rc_bdaddr),
                         a->rc.rc_channel, 0, 0);
    case BT_HCI:
        return Py_BuildValue("i", a->hci.hci_dev);
    case BT_SCO:
        return bdaddr_text(&a->sco.sco_bdaddr);
    default:
        PyErr_SetString(PyExc_ValueError, "Unknown Bluetooth protocol");
        return NULL;
    }
}

static PyObject *
make_tipc(const struct sockaddr_tipc *a)
{
    switch (a->addrtype) {
    case TIPC_ADDR_NAMESEQ:
        return Py_BuildValue("IIIII", a->addrtype, a->addr.nameseq.type,
                             a->addr.nameseq.lower, a->addr.nameseq.upper,
                             a->scope);
    case TIPC_ADDR_NAME:
        return Py_BuildValue("IIIII", a->addrtype, a->addr.name.name.type,
                             a->addr.name.name.instance,
                             a->addr.name.name.instance, a->scope);
    case TIPC_ADDR_ID:
        return Py_BuildValue("IIIII", a->addrtype, a->addr.id.node,
                             a->addr.id.ref, 0, a->scope);
    default:
        PyErr_SetString(PyExc_ValueError, "Invalid address type");
        return NULL;
    }
}

PyObject *
_PySocket_make_address(int fd, const any_address *a, socklen_t length,
                       int proto)
{
    if (length == 0) {
        /* A connected socket's recvfrom(). */
        Py_RETURN_NONE;
    }
    switch (a->sa.sa_family) {
    case AF_INET:
        return with_text("Nl", _PySocket_ip_text(a), ntohs(a->in.sin_port),
                         0, 0);
    case AF_INET6:
        return with_text("Nlll", _PySocket_ip_text(a),
                         ntohs(a->in6.sin6_port),
                         (long)ntohl(a->in6.sin6_flowinfo),
                         (long)a->in6.sin6_scope_id);
    case AF_UNIX:
        return make_unix(&a->un, length);
    case AF_NETLINK:
        return Py_BuildValue("II", a->nl.nl_pid, a->nl.nl_groups);
    case AF_QIPCRTR:
        return Py_BuildValue("II", a->qrtr.sq_node, a->qrtr.sq_port);
    case AF_VSOCK:
        return Py_BuildValue("II", a->vm.svm_cid, a->vm.svm_port);
    case AF_BLUETOOTH:
        return make_bluetooth(a, proto);
    case AF_PACKET:
        return make_packet(fd, &a->ll);
    case AF_TIPC:
        return make_tipc(&a->tipc);
    case AF_CAN:
        return make_can(fd, &a->can, proto);
    case AF_ALG:
        return Py_BuildValue("s#s#HH", a->alg.salg_type,
                             (Py_ssize_t)strnlen((const char *)
                                                     a->alg.salg_type,
                                                 sizeof(a->alg.salg_type)),
                             a->alg.salg_name,
                             (Py_ssize_t)strnlen((const char *)
                                                     a->alg.salg_name,
                                                 sizeof(a->alg.salg_name)),
                             a->alg.salg_feat, a->alg.salg_mask);
    default:
        /* An unknown family: its number and the bytes of the address. */
        return Py_BuildValue("iy#", a->sa.sa_family, a->sa.sa_data,
                             (Py_ssize_t)sizeof(a->sa.sa_data));
    }
}

/* ------------------------------------------------------------------ readers */

static int
need_tuple(PyObject *args, const char *caller, const char *family)
{
    if (PyTuple_Check(args)) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError, "%s(): %s address must be tuple, not %.500s",
                 caller, family, Py_TYPE(args)->tp_name);
    return 0;
}

static int
check_port(int port, const char *caller)
{
    if (port < 0 || port > 0xffff) {
        PyErr_Format(PyExc_OverflowError, "%s(): port must be 0-65535.",
                     caller);
        return 0;
    }
    return 1;
}

static int
read_inet(PyObject *args, any_address *a, socklen_t *length,
          const char *caller)
{
    host_name host = {NULL, NULL};
    int port;
    if (!need_tuple(args, caller, "AF_INET")) {
        return 0;
    }
    if (!PyArg_ParseTuple(args, "O&i;AF_INET address must be a pair "
                          "(host, port)", host_converter, &host,
                          &port)) {
        return 0;
    }
    int size = _PySocket_resolve(host.name, a, AF_INET);
    _PySocket_host_free(&host);
    if (size < 0 || !check_port(port, caller)) {
        return 0;
    }
    a->in.sin_family = AF_INET;
    a->in.sin_port = htons((uint16_t)port);
    *length = sizeof(a->in);
    return 1;
}

static int
read_inet6(PyObject *args, any_address *a, socklen_t *length,
           const char *caller)
{
    host_name host = {NULL, NULL};
    int port;
    unsigned int flowinfo = 0, scope_id = 0;
    if (!need_tuple(args, caller, "AF_INET6")) {
        return 0;
    }
    if (!PyArg_ParseTuple(args, "O&i|II;AF_INET6 address must be a tuple "
                          "(host, port[, flowinfo[, scopeid]])",
                          host_converter, &host, &port, &flowinfo,
                          &scope_id)) {
        return 0;
    }
    int size = _PySocket_resolve(host.name, a, AF_INET6);
    _PySocket_host_free(&host);
    if (size < 0 || !check_port(port, caller)) {
        return 0;
    }
    if (flowinfo > 0xfffff) {
        PyErr_Format(PyExc_OverflowError,
                     "%s(): flowinfo must be 0-1048575.", caller);
        return 0;
    }
    a->in6.sin6_family = AF_INET6;
    a->in6.sin6_port = htons((uint16_t)port);
    a->in6.sin6_flowinfo = htonl(flowinfo);
    a->in6.sin6_scope_id = scope_id;
    *length = sizeof(a->in6);
    return 1;
}

static int
read_unix(PyObject *args, any_address *a, socklen_t *length)
{
    Py_buffer path = {.obj = NULL};
    PyObject *bytes = NULL;
    int status = 0;
    if (PyUnicode_Check(args)) {
        bytes = PyUnicode_EncodeFSDefault(args);
        if (bytes == NULL) {
            return 0;
        }
        args = bytes;
    }
    if (PyObject_GetBuffer(args, &path, PyBUF_SIMPLE) < 0) {
        goto done;
    }
    size_t n = (size_t)path.len;
    int is_abstract = n == 0 || *(const char *)path.buf == 0;
    /* An abstract name needs no terminating zero. */
    if (n + !is_abstract > sizeof(a->un.sun_path)) {
        PyErr_SetString(PyExc_OSError, "AF_UNIX path too long");
        goto done;
    }
    a->un.sun_family = AF_UNIX;
    memcpy(a->un.sun_path, path.buf, n);
    if (!is_abstract) {
        a->un.sun_path[n] = 0;
    }
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n
                          + !is_abstract);
    status = 1;

done:
    PyBuffer_Release(&path);
    Py_XDECREF(bytes);
    return status;
}

static int
interface_index(int fd, const char *name, int *index)
{
    struct ifreq request;
    size_t n = strlen(name);
    if (n >= sizeof(request.ifr_name)) {
        PyErr_SetString(PyExc_OSError, "interface name too long");
        return -1;
    }
    memset(&request, 0, sizeof(request));
    memcpy(request.ifr_name, name, n);
    if (ioctl(fd, SIOCGIFINDEX, &request) < 0) {
        _PySocket_error();
        return -1;
    }
    *index = request.ifr_ifindex;
    return 0;
}

static int
read_packet(int fd, PyObject *args, any_address *a, socklen_t *length,
            const char *caller)
{
    const char *name;
    int protocol, packet_type = PACKET_HOST, hardware_type = 0, index;
    Py_buffer hardware = {.obj = NULL};
    if (!need_tuple(args, caller, "AF_PACKET")) {
        return 0;
    }
    if (!PyArg_ParseTuple(args, "si|iiy*;AF_PACKET address must be a tuple of "
                          "two to five elements", &name, &protocol,
                          &packet_type, &hardware_type, &hardware)) {
        return 0;
    }
    int ok = 0;
    if (interface_index(fd, name, &index) < 0) {
        goto done;
    }
    if (hardware.buf != NULL && hardware.len > 8) {
        PyErr_SetString(PyExc_ValueError, "Hardware address must be 8 bytes "
                                          "or less");
        goto done;
    }
    if (protocol < 0 || protocol > 0xffff) {
        PyErr_Format(PyExc_OverflowError, "%s(): proto argument must be "
                     "0-65535.", caller);
        goto done;
    }
    a->ll.sll_family = AF_PACKET;
    a->ll.sll_protocol = htons((uint16_t)protocol);
    a->ll.sll_ifindex = index;
    a->ll.sll_pkttype = (unsigned char)packet_type;
    a->ll.sll_hatype = (unsigned short)hardware_type;
    a->ll.sll_halen = 0;
    if (hardware.buf != NULL) {
        memcpy(a->ll.sll_addr, hardware.buf, (size_t)hardware.len);
        a->ll.sll_halen = (unsigned char)hardware.len;
    }
    *length = sizeof(a->ll);
    ok = 1;

done:
    PyBuffer_Release(&hardware);
    return ok;
}

static int
read_can(PySocketSockObject *s, PyObject *args, any_address *a,
         socklen_t *length, const char *caller)
{
    PyObject *name = NULL;
    unsigned long rx_id = 0, tx_id = 0, pgn = 0;
    unsigned long long j1939_name = 0;
    unsigned char address = 0;
    int index = 0, ok;
    if (!need_tuple(args, caller, "AF_CAN")) {
        return 0;
    }
    switch (s->sock_proto) {
    case CAN_ISOTP:
        ok = PyArg_ParseTuple(args, "O&kk", PyUnicode_FSConverter, &name,
                              &rx_id, &tx_id);
        break;
    case CAN_J1939:
        ok = PyArg_ParseTuple(args, "O&KkB", PyUnicode_FSConverter, &name,
                              &j1939_name, &pgn, &address);
        break;
    case CAN_RAW:
    case CAN_BCM:
        ok = PyArg_ParseTuple(args, "O&;AF_CAN address must be a tuple "
                              "(interface, )", PyUnicode_FSConverter, &name);
        break;
    default:
        PyErr_Format(PyExc_OSError, "%s(): unsupported CAN protocol", caller);
        return 0;
    }
    if (!ok) {
        Py_XDECREF(name);
        return 0;
    }
    /* An empty name stands for all interfaces. */
    ok = PyBytes_GET_SIZE(name) == 0
        || interface_index(s->sock_fd, PyBytes_AS_STRING(name), &index) == 0;
    Py_DECREF(name);
    if (!ok) {
        return 0;
    }
    a->can.can_family = AF_CAN;
    a->can.can_ifindex = index;
    if (s->sock_proto == CAN_ISOTP) {
        a->can.can_addr.tp.rx_id = (canid_t)rx_id;
        a->can.can_addr.tp.tx_id = (canid_t)tx_id;
    }
    else if (s->sock_proto == CAN_J1939) {
        a->can.can_addr.j1939.name = j1939_name;
        a->can.can_addr.j1939.pgn = (uint32_t)pgn;
        a->can.can_addr.j1939.addr = address;
    }
    *length = sizeof(a->can);
    return 1;
}

static int
read_bluetooth(PySocketSockObject *s, PyObject *args, any_address *a,
               socklen_t *length, const char *caller)
{
    const char *text;
    switch (s->sock_proto) {
    case BT_L2CAP: {
        int psm;
        a->l2.l2_family = AF_BLUETOOTH;
        if (!PyArg_ParseTuple(args, "si", &text, &psm)) {
            PyErr_Format(PyExc_OSError, "%s(): wrong format", caller);
            return 0;
        }
        a->l2.l2_psm = (uint16_t)psm;
        if (parse_bdaddr(text, &a->l2.l2_bdaddr) < 0) {
            return 0;
        }
        *length = sizeof(a->l2);
        return 1;
    }
    case BT_RFCOMM: {
        int channel;
        a->rc.rc_family = AF_BLUETOOTH;
        if (!PyArg_ParseTuple(args, "si", &text, &channel)) {
            PyErr_Format(PyExc_OSError, "%s(): wrong format", caller);
            return 0;
        }
        a->rc.rc_channel = (uint8_t)channel;
        if (parse_bdaddr(text, &a->rc.rc_bdaddr) < 0) {
            return 0;
        }
        *length = sizeof(a->rc);
        return 1;
    }
    case BT_HCI: {
        int device;
        a->hci.hci_family = AF_BLUETOOTH;
        if (!PyArg_ParseTuple(args, "i", &device)) {
            PyErr_Format(PyExc_OSError, "%s(): wrong format", caller);
            return 0;
        }
        a->hci.hci_dev = (uint16_t)device;
        *length = sizeof(a->hci);
        return 1;
    }
    case BT_SCO:
        a->sco.sco_family = AF_BLUETOOTH;
        if (!PyBytes_Check(args)) {
            PyErr_Format(PyExc_OSError, "%s(): wrong format", caller);
            return 0;
        }
        if (parse_bdaddr(PyBytes_AS_STRING(args), &a->sco.sco_bdaddr) < 0) {
            return 0;
        }
        *length = sizeof(a->sco);
        return 1;
    default:
        PyErr_Format(PyExc_OSError, "%s(): unknown Bluetooth protocol",
                     caller);
        return 0;
    }
}

static int
read_tipc(PyObject *args, any_address *a, socklen_t *length,
          const char *caller)
{
    unsigned int type, v1, v2, v3, scope = TIPC_CLUSTER_SCOPE;
    if (!need_tuple(args, caller, "AF_TIPC")) {
        return 0;
    }
    if (!PyArg_ParseTuple(args, "IIII|I;AF_TIPC address must be a tuple "
                          "(addr_type, v1, v2, v3[, scope])",
                          &type, &v1, &v2, &v3, &scope)) {
        return 0;
    }
    a->tipc.family = AF_TIPC;
    a->tipc.scope = (signed char)scope;
    switch (type) {
    case TIPC_ADDR_NAMESEQ:
        a->tipc.addr.nameseq.type = v1;
        a->tipc.addr.nameseq.lower = v2;
        a->tipc.addr.nameseq.upper = v3;
        break;
    case TIPC_ADDR_NAME:
        a->tipc.addr.name.name.type = v1;
        a->tipc.addr.name.name.instance = v2;
        break;
    case TIPC_ADDR_ID:
        a->tipc.addr.id.node = v1;
        a->tipc.addr.id.ref = v2;
        break;
    default:
        PyErr_SetString(PyExc_TypeError, "Invalid address type");
        return 0;
    }
    a->tipc.addrtype = (unsigned char)type;
    *length = sizeof(a->tipc);
    return 1;
}

static int
read_alg(PyObject *args, any_address *a, socklen_t *length,
         const char *caller)
{
    const char *type, *name;
    if (!need_tuple(args, caller, "AF_ALG")) {
        return 0;
    }
    a->alg.salg_family = AF_ALG;
    if (!PyArg_ParseTuple(args, "ss|HH;AF_ALG address must be a tuple "
                          "(type, name[, feat[, mask]])", &type, &name,
                          &a->alg.salg_feat, &a->alg.salg_mask)) {
        return 0;
    }
    if (strlen(type) >= sizeof(a->alg.salg_type)) {
        PyErr_SetString(PyExc_ValueError, "AF_ALG type too long.");
        return 0;
    }
    if (strlen(name) >= sizeof(a->alg.salg_name)) {
        PyErr_SetString(PyExc_ValueError, "AF_ALG name too long.");
        return 0;
    }
    strcpy((char *)a->alg.salg_type, type);
    strcpy((char *)a->alg.salg_name, name);
    *length = sizeof(a->alg);
    return 1;
}

static int
read_two_numbers(PyObject *args, const char *caller, const char *family,
                 const char *format, unsigned int *first, unsigned int *second)
{
    return need_tuple(args, caller, family)
        && PyArg_ParseTuple(args, format, first, second);
}

int
_PySocket_parse_address(PySocketSockObject *s, PyObject *args, any_address *a,
                        socklen_t *length, const char *caller)
{
    unsigned int first, second;
    memset(a, 0, sizeof(*a));
    switch (s->sock_family) {
    case AF_INET:
        return read_inet(args, a, length, caller);
    case AF_INET6:
        return read_inet6(args, a, length, caller);
    case AF_UNIX:
        return read_unix(args, a, length);
    case AF_NETLINK:
        if (!read_two_numbers(args, caller, "AF_NETLINK",
                              "II;AF_NETLINK address must be a pair "
                              "(pid, groups)", &first, &second)) {
            return 0;
        }
        a->nl.nl_family = AF_NETLINK;
        a->nl.nl_pid = first;
        a->nl.nl_groups = second;
        *length = sizeof(a->nl);
        return 1;
    case AF_QIPCRTR:
        if (!read_two_numbers(args, caller, "AF_QIPCRTR", "II:getsockaddrarg",
                              &first, &second)) {
            return 0;
        }
        a->qrtr.sq_family = AF_QIPCRTR;
        a->qrtr.sq_node = first;
        a->qrtr.sq_port = second;
        *length = sizeof(a->qrtr);
        return 1;
    case AF_VSOCK:
        if (!read_two_numbers(args, caller, "AF_VSOCK", "II:getsockaddrarg",
                              &first, &second)) {
            return 0;
        }
        a->vm.svm_family = AF_VSOCK;
        a->vm.svm_cid = first;
        a->vm.svm_port = second;
        *length = sizeof(a->vm);
        return 1;
    case AF_BLUETOOTH:
        return read_bluetooth(s, args, a, length, caller);
    case AF_PACKET:
        return read_packet(s->sock_fd, args, a, length, caller);
    case AF_TIPC:
        return read_tipc(args, a, length, caller);
    case AF_CAN:
        return read_can(s, args, a, length, caller);
    case AF_ALG:
        return read_alg(args, a, length, caller);
    default:
        PyErr_Format(PyExc_OSError, "%s(): bad family", caller);
        return 0;
    }
}

int
_PySocket_address_size(PySocketSockObject *s, socklen_t *length)
{
    switch (s->sock_family) {
    case AF_INET:
    case AF_INET6:
    case AF_UNIX:
    case AF_NETLINK:
    case AF_QIPCRTR:
    case AF_VSOCK:
    case AF_BLUETOOTH:
    case AF_PACKET:
    case AF_TIPC:
    case AF_CAN:
    case AF_ALG:
    case AF_RDS:
        *length = sizeof(any_address);
        return 1;
    default:
        PyErr_SetString(PyExc_OSError, "getsockaddrlen: bad family");
        return 0;
    }
}
