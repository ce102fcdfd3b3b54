/* sendmsg() and recvmsg(): several buffers at once, and ancillary data.

   Ancillary data is a list of (level, type, data). In C it is one buffer of
   headers and data, with padding that the CMSG_* macros know. */
#include "socket_module.h"

#include <limits.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

/* --------------------------------------------------------- control messages */

/* CMSG_LEN and CMSG_SPACE, or 0 if the length is too large. */
static size_t
control_length(Py_ssize_t length)
{
    if (length < 0 || (size_t)length > (size_t)INT_MAX - CMSG_LEN(0)) {
        return 0;
    }
    return CMSG_LEN((size_t)length);
}

static size_t
control_space(Py_ssize_t length)
{
    if (length < 0 || (size_t)length > (size_t)INT_MAX - CMSG_SPACE(1)) {
        return 0;
    }
    return CMSG_SPACE((size_t)length);
}

/* How much of a header's data lies inside the buffer. -1: nothing. */
static Py_ssize_t
data_in_buffer(const struct msghdr *m, const struct cmsghdr *c)
{
    const char *data = (const char *)CMSG_DATA(c);
    const char *end = (const char *)m->msg_control + m->msg_controllen;
    if ((const char *)(c + 1) > end || c->cmsg_len < CMSG_LEN(0)
        || data > end) {
        return -1;
    }
    Py_ssize_t claimed = (Py_ssize_t)(c->cmsg_len - CMSG_LEN(0));
    return claimed < end - data ? claimed : end - data;
}

/* ---------------------------------------------------------------- receiving */

struct message_data {
    struct msghdr *message;
    int flags;
};

static ssize_t
call_recvmsg(PySocketSockObject *s, void *arg)
{
    struct message_data *d = arg;
    return recvmsg(s->sock_fd, d->message, d->flags);
}

/* Closes descriptors that came in a message which will not be delivered. */
static void
close_received(const struct msghdr *m)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL;
         c = CMSG_NXTHDR((struct msghdr *)m, c)) {
        Py_ssize_t n = data_in_buffer(m, c);
        if (n < 0) {
            return;
        }
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        int fd;
        for (const unsigned char *p = CMSG_DATA(c);
             n >= (Py_ssize_t)sizeof(fd); p += sizeof(fd), n -= sizeof(fd)) {
            memcpy(&fd, p, sizeof(fd));
            close(fd);
        }
    }
}

static PyObject *
ancillary_list(const struct msghdr *m)
{
    PyObject *list = PyList_New(0);
    if (list == NULL || m->msg_controllen == 0) {
        return list;
    }
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL;
         c = CMSG_NXTHDR((struct msghdr *)m, c)) {
        Py_ssize_t n = data_in_buffer(m, c);
        if (n < 0) {
            if (PyErr_WarnEx(PyExc_RuntimeWarning,
                             "received malformed or improperly-truncated "
                             "ancillary data", 1) < 0) {
                Py_CLEAR(list);
            }
            break;
        }
        PyObject *item = Py_BuildValue("iiy#", c->cmsg_level, c->cmsg_type,
                                       CMSG_DATA(c), n);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_XDECREF(item);
            Py_CLEAR(list);
            break;
        }
        Py_DECREF(item);
    }
    return list;
}

/* data_of(n, arg) returns a new reference to the first item of the result. */
static PyObject *
receive_message(PySocketSockObject *s, struct iovec *iov, int iov_count,
                int flags, Py_ssize_t control_size,
                PyObject *(*data_of)(ssize_t n, void *arg), void *arg)
{
    any_address address;
    socklen_t address_length;
    if (!_PySocket_address_size(s, &address_length)) {
        return NULL;
    }
    if (control_size < 0 || control_size > INT_MAX) {
        PyErr_SetString(PyExc_ValueError,
                        "invalid ancillary data buffer length");
        return NULL;
    }
    void *control = NULL;
    if (control_size > 0) {
        control = PyMem_Calloc(1, (size_t)control_size);
        if (control == NULL) {
            return PyErr_NoMemory();
        }
    }
    memset(&address, 0, sizeof(address));
    address.sa.sa_family = AF_UNSPEC;
    struct msghdr m = {
        .msg_name = &address,
        .msg_namelen = address_length,
        .msg_iov = iov,
        .msg_iovlen = (size_t)iov_count,
        .msg_control = control,
        .msg_controllen = (size_t)control_size,
    };
    struct message_data d = {&m, flags};
    ssize_t n = _PySocket_do(s, 0, call_recvmsg, &d);
    PyObject *result = NULL;
    if (n >= 0) {
        PyObject *ancillary = ancillary_list(&m);
        PyObject *data = ancillary == NULL ? NULL : data_of(n, arg);
        PyObject *from = data == NULL ? NULL
            : _PySocket_make_address(s->sock_fd, &address,
                                     m.msg_namelen > address_length
                                         ? address_length : m.msg_namelen,
                                     s->sock_proto);
        if (from != NULL) {
            result = Py_BuildValue("OOiO", data, ancillary, (int)m.msg_flags,
                                   from);
        }
        Py_XDECREF(data);
        Py_XDECREF(ancillary);
        Py_XDECREF(from);
        if (result == NULL) {
            close_received(&m);
        }
    }
    PyMem_Free(control);
    return result;
}

/* bytes of the received length, of the larger bytes object *arg. */
static PyObject *
shorten(ssize_t n, void *arg)
{
    PyObject **bytes = arg;
    if (PyBytes_GET_SIZE(*bytes) != n && _PyBytes_Resize(bytes, n) < 0) {
        return NULL;
    }
    return Py_NewRef(*bytes);
}

const char _PySocket_recvmsg_doc[] = PyDoc_STR(
"recvmsg(bufsize[, ancbufsize[, flags]]) -> (data, ancdata, msg_flags, address)\n\n"
"Receive at most bufsize bytes, and ancillary data in ancbufsize bytes.\n\n"
"ancdata is a list of (level, type, data).");

PyObject *
_PySocket_recvmsg(PyObject *op, PyObject *args)
{
    Py_ssize_t size, control_size = 0;
    int flags = 0;
    if (!PyArg_ParseTuple(args, "n|ni:recvmsg", &size, &control_size,
                          &flags)) {
        return NULL;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "negative buffer size in recvmsg()");
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (bytes == NULL) {
        return NULL;
    }
    struct iovec iov = {PyBytes_AS_STRING(bytes), (size_t)size};
    PyObject *result = receive_message((PySocketSockObject *)op, &iov, 1,
                                       flags, control_size, shorten, &bytes);
    Py_XDECREF(bytes);
    return result;
}

/* The buffers of a sequence. */
typedef struct {
    Py_buffer *views;
    struct iovec *iov;
    Py_ssize_t count;
} buffer_list;

static void
free_buffers(buffer_list *list)
{
    for (Py_ssize_t i = 0; i < list->count; i++) {
        PyBuffer_Release(&list->views[i]);
    }
    PyMem_Free(list->views);
    PyMem_Free(list->iov);
}

/* format "y*" or "w*;…" converts each item. */
static int
get_buffers(PyObject *sequence, const char *caller, const char *not_iterable,
            const char *format, buffer_list *list)
{
    memset(list, 0, sizeof(*list));
    PyObject *fast = PySequence_Fast(sequence, not_iterable);
    if (fast == NULL) {
        return -1;
    }
    Py_ssize_t n = PySequence_Fast_GET_SIZE(fast);
    int status = -1;
    if (n > INT_MAX) {
        PyErr_Format(PyExc_OSError, "%s argument 1 is too long", caller);
        goto done;
    }
    list->views = PyMem_New(Py_buffer, n + 1);
    list->iov = PyMem_New(struct iovec, n + 1);
    if (list->views == NULL || list->iov == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (; list->count < n; list->count++) {
        Py_buffer *view = &list->views[list->count];
        if (!PyArg_Parse(PySequence_Fast_GET_ITEM(fast, list->count), format,
                         view)) {
            goto done;
        }
        list->iov[list->count].iov_base = view->buf;
        list->iov[list->count].iov_len = (size_t)view->len;
    }
    status = 0;

done:
    Py_DECREF(fast);
    if (status < 0) {
        free_buffers(list);
    }
    return status;
}

static PyObject *
number_of_bytes(ssize_t n, void *Py_UNUSED(arg))
{
    return PyLong_FromSsize_t(n);
}

const char _PySocket_recvmsg_into_doc[] = PyDoc_STR(
"recvmsg_into(buffers[, ancbufsize[, flags]]) -> (nbytes, ancdata, msg_flags, address)\n\n"
"As recvmsg(), into buffers that are filled one after the other.");

PyObject *
_PySocket_recvmsg_into(PyObject *op, PyObject *args)
{
    PyObject *buffers;
    Py_ssize_t control_size = 0;
    int flags = 0;
    buffer_list list;
    if (!PyArg_ParseTuple(args, "O|ni:recvmsg_into", &buffers, &control_size,
                          &flags)
        || get_buffers(buffers, "recvmsg_into()",
                       "recvmsg_into() argument 1 must be an iterable",
                       "w*;recvmsg_into() argument 1 must be an iterable of "
                       "single-segment read-write buffers", &list) < 0) {
        return NULL;
    }
    PyObject *result = receive_message((PySocketSockObject *)op, list.iov,
                                       (int)list.count, flags, control_size,
                                       number_of_bytes, NULL);
    free_buffers(&list);
    return result;
}

/* ------------------------------------------------------------------ sending */

static ssize_t
call_sendmsg(PySocketSockObject *s, void *arg)
{
    struct message_data *d = arg;
    return sendmsg(s->sock_fd, d->message, d->flags);
}

/* One item of ancillary data. */
struct ancillary {
    int level, type;
    Py_buffer data;
};

/* Parses the items; returns the space they take, or -1. *count is how many of
   them hold buffers, also after an error. */
static Py_ssize_t
get_ancillary(PyObject *fast, struct ancillary *items, Py_ssize_t *count)
{
    Py_ssize_t n = PySequence_Fast_GET_SIZE(fast);
    size_t total = 0;
    for (*count = 0; *count < n; ++*count) {
        struct ancillary *item = &items[*count];
        if (!PyArg_Parse(PySequence_Fast_GET_ITEM(fast, *count),
                         "(iiy*):[sendmsg() ancillary data items]",
                         &item->level, &item->type, &item->data)) {
            return -1;
        }
        size_t space = control_space(item->data.len);
        if (space == 0) {
            ++*count;
            PyErr_SetString(PyExc_OSError, "ancillary data item too large");
            return -1;
        }
        total += space;
        if (total > INT_MAX) {
            ++*count;
            PyErr_SetString(PyExc_OSError, "too much ancillary data");
            return -1;
        }
    }
    return (Py_ssize_t)total;
}

/* Lays the items out: PyMem memory, or NULL with an exception set. */
static void *
build_control(const struct ancillary *items, Py_ssize_t count, size_t size)
{
    /* It must be zero: CMSG_NXTHDR looks at the length of the next header. */
    char *control = PyMem_Calloc(1, size);
    if (control == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    size_t at = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        struct cmsghdr *c = (struct cmsghdr *)(control + at);
        c->cmsg_level = items[i].level;
        c->cmsg_type = items[i].type;
        c->cmsg_len = control_length(items[i].data.len);
        memcpy(CMSG_DATA(c), items[i].data.buf, (size_t)items[i].data.len);
        at += control_space(items[i].data.len);
    }
    return control;
}

/* Fills m's control part from a sequence of (level, type, data). */
static int
set_control(struct msghdr *m, PyObject *sequence)
{
    PyObject *fast = PySequence_Fast(sequence, "sendmsg() argument 2 must be "
                                               "an iterable");
    if (fast == NULL) {
        return -1;
    }
    Py_ssize_t n = PySequence_Fast_GET_SIZE(fast), count = 0;
    int status = -1;
    struct ancillary *items = PyMem_New(struct ancillary, n + 1);
    if (items == NULL) {
        PyErr_NoMemory();
    }
    else {
        Py_ssize_t size = get_ancillary(fast, items, &count);
        if (size == 0) {
            status = 0;
        }
        else if (size > 0) {
            m->msg_control = build_control(items, count, (size_t)size);
            m->msg_controllen = (size_t)size;
            status = m->msg_control == NULL ? -1 : 0;
        }
        while (count > 0) {
            PyBuffer_Release(&items[--count].data);
        }
        PyMem_Free(items);
    }
    Py_DECREF(fast);
    return status;
}

const char _PySocket_sendmsg_doc[] = PyDoc_STR(
"sendmsg(buffers[, ancdata[, flags[, address]]]) -> count\n\n"
"Send the buffers as one message, with ancillary data.\n\n"
"ancdata is an iterable of (level, type, data).");

PyObject *
_PySocket_sendmsg(PyObject *op, PyObject *args)
{
    PySocketSockObject *s = (PySocketSockObject *)op;
    PyObject *buffers, *control = NULL, *to = NULL, *result = NULL;
    int flags = 0;
    if (!PyArg_ParseTuple(args, "O|OiO:sendmsg", &buffers, &control, &flags,
                          &to)) {
        return NULL;
    }
    struct msghdr m;
    any_address address;
    socklen_t length;
    buffer_list list;
    memset(&m, 0, sizeof(m));
    if (to != NULL && to != Py_None) {
        if (!_PySocket_parse_address(s, to, &address, &length, "sendmsg")
            || PySys_Audit("socket.sendmsg", "OO", op, to) < 0) {
            return NULL;
        }
        m.msg_name = &address;
        m.msg_namelen = length;
    }
    else if (PySys_Audit("socket.sendmsg", "OO", op, Py_None) < 0) {
        return NULL;
    }
    if (get_buffers(buffers, "sendmsg()",
                    "sendmsg() argument 1 must be an iterable",
                    "y*;sendmsg() argument 1 must be an iterable of "
                    "bytes-like objects", &list) < 0) {
        return NULL;
    }
    m.msg_iov = list.iov;
    m.msg_iovlen = (size_t)list.count;
    if (control == NULL || set_control(&m, control) == 0) {
        struct message_data d = {&m, flags};
        ssize_t n = _PySocket_do(s, 1, call_sendmsg, &d);
        result = n < 0 ? NULL : PyLong_FromSsize_t(n);
    }
    PyMem_Free(m.msg_control);
    free_buffers(&list);
    return result;
}

/* ------------------------------------------------ the kernel's cryptography */

/* Appends a control message; returns where its data goes. */
static void *
add_alg_control(struct msghdr *m, size_t *used, int type, size_t length)
{
    struct cmsghdr *c = (struct cmsghdr *)((char *)m->msg_control + *used);
    c->cmsg_level = SOL_ALG;
    c->cmsg_type = type;
    c->cmsg_len = CMSG_LEN(length);
    *used += CMSG_SPACE(length);
    return CMSG_DATA(c);
}

const char _PySocket_sendmsg_afalg_doc[] = PyDoc_STR(
"sendmsg_afalg([msg], *, op[, iv[, assoclen[, flags=MSG_MORE]]])\n\n"
"Set operation, initialisation vector and the length of associated data of an\n"
"AF_ALG socket.");

PyObject *
_PySocket_sendmsg_afalg(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"msg", "op", "iv", "assoclen", "flags", NULL};
    PySocketSockObject *s = (PySocketSockObject *)self;
    PyObject *buffers = NULL, *assoclen_object = NULL, *result = NULL;
    Py_buffer iv = {.obj = NULL};
    int op = -1, flags = 0, assoclen = -1;
    if (s->sock_family != AF_ALG) {
        PyErr_SetString(PyExc_OSError, "algset is only supported for AF_ALG");
        return NULL;
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|O$iy*O!i:sendmsg_afalg",
                                     names, &buffers, &op, &iv, &PyLong_Type,
                                     &assoclen_object, &flags)) {
        return NULL;
    }
    buffer_list list;
    memset(&list, 0, sizeof(list));
    struct msghdr m;
    memset(&m, 0, sizeof(m));
    if (op < 0) {
        PyErr_SetString(PyExc_TypeError, "Invalid or missing argument 'op'");
        goto done;
    }
    if (assoclen_object != NULL) {
        assoclen = _PyLong_AsInt(assoclen_object);
        if (assoclen == -1 && PyErr_Occurred()) {
            goto done;
        }
        if (assoclen < 0) {
            PyErr_SetString(PyExc_TypeError,
                            "assoclen must be positive");
            goto done;
        }
    }
    size_t iv_size = offsetof(struct af_alg_iv, iv) + (size_t)iv.len;
    m.msg_controllen = CMSG_SPACE(sizeof(uint32_t));
    if (iv.buf != NULL) {
        m.msg_controllen += CMSG_SPACE(iv_size);
    }
    if (assoclen >= 0) {
        m.msg_controllen += CMSG_SPACE(sizeof(uint32_t));
    }
    m.msg_control = PyMem_Calloc(1, m.msg_controllen);
    if (m.msg_control == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    size_t used = 0;
    uint32_t word = (uint32_t)op;
    memcpy(add_alg_control(&m, &used, ALG_SET_OP, sizeof(word)), &word,
           sizeof(word));
    if (iv.buf != NULL) {
        struct af_alg_iv *data = add_alg_control(&m, &used, ALG_SET_IV,
                                                 iv_size);
        data->ivlen = (uint32_t)iv.len;
        memcpy(data->iv, iv.buf, (size_t)iv.len);
    }
    if (assoclen >= 0) {
        word = (uint32_t)assoclen;
        memcpy(add_alg_control(&m, &used, ALG_SET_AEAD_ASSOCLEN,
                               sizeof(word)), &word, sizeof(word));
    }
    if (buffers != NULL) {
        if (get_buffers(buffers, "sendmsg_afalg()",
                        "sendmsg() argument 1 must be an iterable",
                        "y*;sendmsg() argument 1 must be an iterable of "
                        "bytes-like objects", &list) < 0) {
            memset(&list, 0, sizeof(list));
            goto done;
        }
        m.msg_iov = list.iov;
        m.msg_iovlen = (size_t)list.count;
    }
    struct message_data d = {&m, flags};
    ssize_t n = _PySocket_do(s, 1, call_sendmsg, &d);
    result = n < 0 ? NULL : PyLong_FromSsize_t(n);

done:
    PyMem_Free(m.msg_control);
    free_buffers(&list);
    if (iv.buf != NULL) {
        PyBuffer_Release(&iv);
    }
    return result;
}
