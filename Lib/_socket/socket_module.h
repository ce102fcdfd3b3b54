/* What the files of the _socket module share.

   module.c    the module, its constants and its functions on numbers
   object.c    socket objects: making, waiting, options, plain I/O
   message.c   sendmsg() and recvmsg(), with ancillary data
   address.c   socket addresses between C and Python
   lookup.c    names: hosts, services, protocols, interfaces */
#ifndef SB_SOCKET_MODULE_H
#define SB_SOCKET_MODULE_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/module_state.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <linux/can.h>
#include <linux/can/bcm.h>
#include <linux/can/isotp.h>
#include <linux/can/j1939.h>
#include <linux/can/raw.h>
#include <linux/if_alg.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/qrtr.h>
#include <linux/tipc.h>
#include <linux/vm_sockets.h>
#include <errno.h>

/* _ssl knows this layout (CPython's). */
typedef struct {
    PyObject_HEAD
    int sock_fd;                /* -1: closed */
    int sock_family;
    int sock_type;              /* without SOCK_NONBLOCK and SOCK_CLOEXEC */
    int sock_proto;
    PyObject *(*errorhandler)(void);
    _PyTime_t sock_timeout;     /* -1: blocking; 0: non-blocking */
} PySocketSockObject;

/* The headers of Debian's libc know Bluetooth's family, but not its addresses. */
typedef struct {
    uint8_t b[6];               /* last byte first */
} bdaddr;
struct sockaddr_l2 {
    sa_family_t l2_family;
    uint16_t l2_psm;
    bdaddr l2_bdaddr;
    uint16_t l2_cid;
    uint8_t l2_bdaddr_type;
};
struct sockaddr_rc {
    sa_family_t rc_family;
    bdaddr rc_bdaddr;
    uint8_t rc_channel;
};
struct sockaddr_sco {
    sa_family_t sco_family;
    bdaddr sco_bdaddr;
};
struct sockaddr_hci {
    sa_family_t hci_family;
    uint16_t hci_dev;
    uint16_t hci_channel;
};
enum { BT_L2CAP = 0, BT_HCI = 1, BT_SCO = 2, BT_RFCOMM = 3 };

typedef union {
    struct sockaddr sa;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    struct sockaddr_un un;
    struct sockaddr_nl nl;
    struct sockaddr_ll ll;
    struct sockaddr_can can;
    struct sockaddr_tipc tipc;
    struct sockaddr_alg alg;
    struct sockaddr_vm vm;
    struct sockaddr_qrtr qrtr;
    struct sockaddr_l2 l2;
    struct sockaddr_rc rc;
    struct sockaddr_sco sco;
    struct sockaddr_hci hci;
    struct sockaddr_storage storage;
} any_address;

extern PyTypeObject _PySocket_Type;

/* What each interpreter has. */
typedef struct {
    PyObject *gaierror, *herror;
} SocketState;

static inline SocketState *
_PySocket_State(void)
{
    return _PyModuleState_Get(MODULE_STATE_SOCKET);
}

extern PyMethodDef _PySocket_lookup_methods[];
/* sendmsg, recvmsg, recvmsg_into, sendmsg_afalg */
PyObject *_PySocket_sendmsg(PyObject *, PyObject *);
PyObject *_PySocket_recvmsg(PyObject *, PyObject *);
PyObject *_PySocket_recvmsg_into(PyObject *, PyObject *);
PyObject *_PySocket_sendmsg_afalg(PyObject *, PyObject *, PyObject *);
extern const char _PySocket_sendmsg_doc[], _PySocket_recvmsg_doc[];
extern const char _PySocket_recvmsg_into_doc[], _PySocket_sendmsg_afalg_doc[];

extern _PyTime_t _PySocket_default_timeout;

/* object.c */
PyObject *_PySocket_error(void);        /* OSError from errno; NULL */
/* A call that is made without the GIL: result < 0 with errno on failure. */
typedef ssize_t (*socket_call)(PySocketSockObject *, void *data);
/* Waits until the socket is ready (with a timeout) and makes the call; repeats both after
   signals. -1 with an exception set. */
ssize_t _PySocket_do(PySocketSockObject *, int writing, socket_call,
                     void *data);
/* Converts None or seconds to a value for sock_timeout. */
int _PySocket_parse_timeout(_PyTime_t *timeout, PyObject *op);
PyObject *_PySocket_timeout_object(_PyTime_t timeout);

/* address.c */
/* Returns a new reference. proto < 0: an address that did not come from a socket. */
PyObject *_PySocket_make_address(int fd, const any_address *address,
                                 socklen_t length, int proto);
/* 1, or 0 with an exception set. `caller` is the method's name, for messages. */
int _PySocket_parse_address(PySocketSockObject *s, PyObject *args,
                            any_address *address, socklen_t *length,
                            const char *caller);
/* Sets the size of a buffer for the socket's addresses; 0 with an exception. */
int _PySocket_address_size(PySocketSockObject *s, socklen_t *length);

/* A host's name for C: bytes, encoded with idna if necessary. */
typedef struct {
    PyObject *object;           /* owned; NULL: name is borrowed */
    const char *name;
} host_name;
void _PySocket_host_free(host_name *host);

/* lookup.c */
/* Resolves a name. Returns the address's size, or -1 with an exception set. */
int _PySocket_resolve(const char *name, any_address *address, int family);
/* Returns a new reference to the text of an internet address. */
PyObject *_PySocket_ip_text(const any_address *address);

#endif
