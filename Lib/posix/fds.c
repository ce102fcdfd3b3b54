/* Functions that work on open file descriptors. */
#include "posix.h"

#include <pty.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <utmp.h>

/* int from a METH_O argument; 0 with an exception. */
static int
int_arg(PyObject *arg, int *value)
{
    *value = _PyLong_AsInt(arg);
    return !(*value == -1 && PyErr_Occurred());
}

static PyObject *
os_open(ARGS)
{
    KEYWORDS("path", "flags", "mode", "dir_fd");
    path_t path = PATH("open", "path", 0, 0);
    int flags, mode = 0777, dir_fd = AT_FDCWD, fd, interrupted;
    if (!PARSE("O&i|i$O&:open", path_converter, &path, &flags, &mode, dir_fd_converter,
               &dir_fd)) {
        return NULL;
    }
    flags |= O_CLOEXEC;
    if (PySys_Audit("open", "OOi", path.object, Py_None, flags) < 0) {
        path_done(&path);
        return NULL;
    }
    RESTARTED(fd, openat(dir_fd, path.text, flags, mode), interrupted);
    PyObject *result = NULL;
    if (fd >= 0) {
        result = PyLong_FromLong(fd);
    }
    else if (!interrupted) {
        result = PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path.object);
    }
    path_done(&path);
    return result;
}

static PyObject *
os_close(ARGS)
{
    KEYWORDS("fd");
    int fd, rc;
    if (!PARSE("i:close", &fd)) {
        return NULL;
    }
    /* Don't repeat it after EINTR: another thread may have received the same descriptor
       by then. */
    UNLOCKED(rc, close(fd));
    if (rc < 0 && errno == EINTR) {
        rc = 0;
    }
    NONE_OR_ERROR(rc);
}

static PyObject *
os_closerange(POSARGS)
{
    int low, high;
    if (!PARSE_POS("ii:closerange", &low, &high)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    if (low < 0) {
        low = 0;
    }
    if (high > low && close_range((unsigned)low, (unsigned)high - 1, 0) != 0) {
        for (int fd = low; fd < high; fd++) {
            (void)close(fd);
        }
    }
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyObject *
os_dup(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd;
    if (!int_arg(arg, &fd)) {
        return NULL;
    }
    int copy = _Py_dup(fd);
    return copy < 0 ? NULL : PyLong_FromLong(copy);
}

static PyObject *
os_dup2(ARGS)
{
    KEYWORDS("fd", "fd2", "inheritable");
    int fd, fd2, inheritable = 1, rc;
    if (!PARSE("ii|p:dup2", &fd, &fd2, &inheritable)) {
        return NULL;
    }
    if (fd < 0 || fd2 < 0) {
        errno = EBADF;
        return _posix_error();
    }
    if (inheritable || fd == fd2) {
        UNLOCKED(rc, dup2(fd, fd2));
        if (rc >= 0 && !inheritable && _Py_set_inheritable(fd2, 0, NULL) < 0) {
            return NULL;
        }
    }
    else {
        UNLOCKED(rc, dup3(fd, fd2, O_CLOEXEC));
    }
    return rc < 0 ? _posix_error() : PyLong_FromLong(rc);
}

static PyObject *
os_lseek(POSARGS)
{
    int fd, how, interrupted = 0;
    off_t position, result;
    if (!PARSE_POS("iO&i:lseek", &fd, _posix_off_converter, &position, &how)) {
        return NULL;
    }
    UNLOCKED(result, lseek(fd, position, how));
    return result < 0 && !interrupted ? _posix_error() : PyLong_FromLongLong(result);
}

static PyObject *
os_read(POSARGS)
{
    int fd;
    Py_ssize_t length;
    if (!PARSE_POS("in:read", &fd, &length)) {
        return NULL;
    }
    if (length < 0) {
        errno = EINVAL;
        return _posix_error();
    }
    if (length > 0x7ffff000) {
        length = 0x7ffff000;
    }
    PyObject *buffer = PyBytes_FromStringAndSize(NULL, length);
    if (buffer == NULL) {
        return NULL;
    }
    Py_ssize_t n = _Py_read(fd, PyBytes_AS_STRING(buffer), (size_t)length);
    if (n < 0) {
        Py_DECREF(buffer);
        return NULL;
    }
    if (n != length) {
        _PyBytes_Resize(&buffer, n);
    }
    return buffer;
}

static PyObject *
os_write(POSARGS)
{
    int fd;
    Py_buffer data = {0};
    if (!PARSE_POS("iy*:write", &fd, &data)) {
        return NULL;
    }
    Py_ssize_t n = _Py_write(fd, data.buf, (size_t)data.len);
    PyBuffer_Release(&data);
    return n < 0 ? NULL : PyLong_FromSsize_t(n);
}

static PyObject *
os_pread(POSARGS)
{
    int fd, interrupted;
    Py_ssize_t length, n;
    off_t offset;
    if (!PARSE_POS("inO&:pread", &fd, &length, _posix_off_converter, &offset)) {
        return NULL;
    }
    if (length < 0) {
        errno = EINVAL;
        return _posix_error();
    }
    PyObject *buffer = PyBytes_FromStringAndSize(NULL, length);
    if (buffer == NULL) {
        return NULL;
    }
    RESTARTED(n, pread(fd, PyBytes_AS_STRING(buffer), (size_t)length, offset), interrupted);
    if (n < 0) {
        Py_DECREF(buffer);
        return interrupted ? NULL : _posix_error();
    }
    if (n != length) {
        _PyBytes_Resize(&buffer, n);
    }
    return buffer;
}

static PyObject *
os_pwrite(POSARGS)
{
    int fd, interrupted;
    Py_buffer data = {0};
    off_t offset;
    Py_ssize_t n;
    if (!PARSE_POS("iy*O&:pwrite", &fd, &data, _posix_off_converter, &offset)) {
        PyBuffer_Release(&data);
        return NULL;
    }
    RESTARTED(n, pwrite(fd, data.buf, (size_t)data.len, offset), interrupted);
    PyBuffer_Release(&data);
    return n < 0 ? (interrupted ? NULL : _posix_error()) : PyLong_FromSsize_t(n);
}

/* ------------------------------------------------------------------ vectors */

/* iovecs over the buffers of a sequence; NULL with an exception. */
static struct iovec *
get_iovecs(PyObject *seq, Py_buffer **views, Py_ssize_t *count, Py_ssize_t *total, int flags)
{
    Py_ssize_t n = PySequence_Size(seq), i = 0;
    if (n < 0) {
        return NULL;
    }
    struct iovec *iov = PyMem_New(struct iovec, n + 1);
    *views = PyMem_New(Py_buffer, n + 1);
    if (iov == NULL || *views == NULL) {
        PyErr_NoMemory();
        goto error;
    }
    *total = 0;
    for (; i < n; i++) {
        PyObject *item = PySequence_GetItem(seq, i);
        int rc = item == NULL ? -1 : PyObject_GetBuffer(item, &(*views)[i], flags);
        Py_XDECREF(item);
        if (rc < 0) {
            goto error;
        }
        iov[i].iov_base = (*views)[i].buf;
        iov[i].iov_len = (size_t)(*views)[i].len;
        *total += (*views)[i].len;
    }
    *count = n;
    return iov;
error:
    while (i > 0) {
        PyBuffer_Release(&(*views)[--i]);
    }
    PyMem_Free(iov);
    PyMem_Free(*views);
    return NULL;
}

static void
free_iovecs(struct iovec *iov, Py_buffer *views, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyBuffer_Release(&views[i]);
    }
    PyMem_Free(iov);
    PyMem_Free(views);
}

enum { VECTOR_READ, VECTOR_WRITE, VECTOR_PREAD, VECTOR_PWRITE };

static ssize_t
vector_call(int what, int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
    switch (what) {
    case VECTOR_READ: return readv(fd, iov, n);
    case VECTOR_WRITE: return writev(fd, iov, n);
    case VECTOR_PREAD: return preadv2(fd, iov, n, offset, flags);
    default: return pwritev2(fd, iov, n, offset, flags);
    }
}

static PyObject *
do_vector(const char *name, int what, int fd, PyObject *seq, off_t offset, int flags)
{
    if (!PySequence_Check(seq)) {
        return PyErr_Format(PyExc_TypeError, "%s() arg 2 must be a sequence", name);
    }
    Py_buffer *views;
    Py_ssize_t count, total;
    int writable = what == VECTOR_READ || what == VECTOR_PREAD;
    struct iovec *iov = get_iovecs(seq, &views, &count, &total,
                                   writable ? PyBUF_WRITABLE : PyBUF_SIMPLE);
    if (iov == NULL) {
        return NULL;
    }
    Py_ssize_t n;
    int interrupted;
    RESTARTED(n, vector_call(what, fd, iov, (int)count, offset, flags), interrupted);
    int saved = errno;
    free_iovecs(iov, views, count);
    errno = saved;
    return n < 0 ? (interrupted ? NULL : _posix_error()) : PyLong_FromSsize_t(n);
}

static PyObject *
os_readv(POSARGS)
{
    int fd;
    PyObject *seq;
    return PARSE_POS("iO:readv", &fd, &seq) ? do_vector("readv", VECTOR_READ, fd, seq, 0, 0)
                                            : NULL;
}

static PyObject *
os_writev(POSARGS)
{
    int fd;
    PyObject *seq;
    return PARSE_POS("iO:writev", &fd, &seq) ? do_vector("writev", VECTOR_WRITE, fd, seq, 0, 0)
                                             : NULL;
}

static PyObject *
os_preadv(POSARGS)
{
    int fd, flags = 0;
    PyObject *seq;
    off_t offset;
    return PARSE_POS("iOO&|i:preadv", &fd, &seq, _posix_off_converter, &offset, &flags)
        ? do_vector("preadv2", VECTOR_PREAD, fd, seq, offset, flags) : NULL;
}

static PyObject *
os_pwritev(POSARGS)
{
    int fd, flags = 0;
    PyObject *seq;
    off_t offset;
    return PARSE_POS("iOO&|i:pwritev", &fd, &seq, _posix_off_converter, &offset, &flags)
        ? do_vector("pwritev", VECTOR_PWRITE, fd, seq, offset, flags) : NULL;
}

/* ------------------------------------------------------------ between files */

static PyObject *
os_sendfile(ARGS)
{
    KEYWORDS("out_fd", "in_fd", "offset", "count");
    int out, in, interrupted;
    PyObject *offset_obj;
    Py_ssize_t count, n;
    off_t offset;
    if (!PARSE("iiOn:sendfile", &out, &in, &offset_obj, &count)) {
        return NULL;
    }
    off_t *where = NULL;
    if (offset_obj != Py_None) {
        if (!_posix_off_converter(offset_obj, &offset)) {
            return NULL;
        }
        where = &offset;
    }
    RESTARTED(n, sendfile(out, in, where, (size_t)count), interrupted);
    return n < 0 ? (interrupted ? NULL : _posix_error()) : PyLong_FromSsize_t(n);
}

/* None or an offset into *value. */
static int
optional_offset(PyObject *object, loff_t *value, loff_t **pointer)
{
    *pointer = NULL;
    if (object == NULL || object == Py_None) {
        return 1;
    }
    *value = PyLong_AsLongLong(object);
    *pointer = value;
    return !(*value == -1 && PyErr_Occurred());
}

static PyObject *
os_copy_file_range(ARGS)
{
    KEYWORDS("src", "dst", "count", "offset_src", "offset_dst");
    int src, dst, interrupted;
    Py_ssize_t count, n;
    PyObject *from = NULL, *to = NULL;
    loff_t a, b, *pa, *pb;
    if (!PARSE("iin|OO:copy_file_range", &src, &dst, &count, &from, &to)
        || !optional_offset(from, &a, &pa) || !optional_offset(to, &b, &pb)) {
        return NULL;
    }
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "negative value for 'count' not allowed");
        return NULL;
    }
    RESTARTED(n, copy_file_range(src, pa, dst, pb, (size_t)count, 0), interrupted);
    return n < 0 ? (interrupted ? NULL : _posix_error()) : PyLong_FromSsize_t(n);
}

static PyObject *
os_splice(ARGS)
{
    KEYWORDS("src", "dst", "count", "offset_src", "offset_dst", "flags");
    int src, dst, interrupted;
    unsigned flags = 0;
    Py_ssize_t count, n;
    PyObject *from = NULL, *to = NULL;
    loff_t a, b, *pa, *pb;
    if (!PARSE("iin|OOI:splice", &src, &dst, &count, &from, &to, &flags)
        || !optional_offset(from, &a, &pa) || !optional_offset(to, &b, &pb)) {
        return NULL;
    }
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "negative value for 'count' not allowed");
        return NULL;
    }
    RESTARTED(n, splice(src, pa, dst, pb, (size_t)count, flags), interrupted);
    return n < 0 ? (interrupted ? NULL : _posix_error()) : PyLong_FromSsize_t(n);
}

/* -------------------------------------------------------------- whole files */

#define FD_CALL(name, call) \
static PyObject * \
os_##name(ARGS) \
{ \
    KEYWORDS("fd"); \
    int fd, rc, interrupted; \
    if (!PARSE("O&:" #name, _posix_fd_converter, &fd)) { \
        return NULL; \
    } \
    RESTARTED(rc, call(fd), interrupted); \
    return interrupted ? NULL : rc < 0 ? _posix_error() : Py_NewRef(Py_None); \
}
FD_CALL(fsync, fsync)
FD_CALL(fdatasync, fdatasync)

static PyObject *
os_ftruncate(POSARGS)
{
    int fd, rc, interrupted;
    off_t length;
    if (!PARSE_POS("iO&:ftruncate", &fd, _posix_off_converter, &length)
        || PySys_Audit("os.truncate", "in", fd, (Py_ssize_t)length) < 0) {
        return NULL;
    }
    RESTARTED(rc, ftruncate(fd, length), interrupted);
    return interrupted ? NULL : rc < 0 ? _posix_error() : Py_NewRef(Py_None);
}

/* The posix_f… functions return the error number. */
#define NUMBERED(rc, call, interrupted) do { \
    interrupted = 0; \
    do { \
        UNLOCKED(rc, call); \
    } while (rc == EINTR && !(interrupted = PyErr_CheckSignals() != 0)); \
    errno = rc; \
} while (0)

static PyObject *
os_posix_fallocate(POSARGS)
{
    int fd, rc, interrupted;
    off_t offset, length;
    if (!PARSE_POS("iO&O&:posix_fallocate", &fd, _posix_off_converter, &offset,
                   _posix_off_converter, &length)) {
        return NULL;
    }
    NUMBERED(rc, posix_fallocate(fd, offset, length), interrupted);
    return interrupted ? NULL : rc ? _posix_error() : Py_NewRef(Py_None);
}

static PyObject *
os_posix_fadvise(POSARGS)
{
    int fd, advice, rc, interrupted;
    off_t offset, length;
    if (!PARSE_POS("iO&O&i:posix_fadvise", &fd, _posix_off_converter, &offset,
                   _posix_off_converter, &length, &advice)) {
        return NULL;
    }
    NUMBERED(rc, posix_fadvise(fd, offset, length, advice), interrupted);
    return interrupted ? NULL : rc ? _posix_error() : Py_NewRef(Py_None);
}

static PyObject *
os_lockf(POSARGS)
{
    int fd, command, rc;
    off_t length;
    if (!PARSE_POS("iiO&:lockf", &fd, &command, _posix_off_converter, &length)
        || PySys_Audit("os.lockf", "iiL", fd, command, (long long)length) < 0) {
        return NULL;
    }
    UNLOCKED(rc, lockf(fd, command, length));
    NONE_OR_ERROR(rc);
}

/* ---------------------------------------------------------- new descriptors */

static PyObject *
os_pipe(NOARGS)
{
    int fds[2];
    return pipe2(fds, O_CLOEXEC) < 0 ? _posix_error() : Py_BuildValue("(ii)", fds[0], fds[1]);
}

static PyObject *
os_pipe2(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fds[2], flags;
    if (!int_arg(arg, &flags)) {
        return NULL;
    }
    return pipe2(fds, flags) < 0 ? _posix_error() : Py_BuildValue("(ii)", fds[0], fds[1]);
}

static PyObject *
os_openpty(NOARGS)
{
    int master, slave;
    if (openpty(&master, &slave, NULL, NULL, NULL) < 0) {
        return _posix_error();
    }
    if (_Py_set_inheritable(master, 0, NULL) < 0 || _Py_set_inheritable(slave, 0, NULL) < 0) {
        close(master);
        close(slave);
        return NULL;
    }
    return Py_BuildValue("(ii)", master, slave);
}

static PyObject *
os_login_tty(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd;
    if (!_posix_fd_converter(arg, &fd)) {
        return NULL;
    }
    NONE_OR_ERROR(login_tty(fd));
}

static PyObject *
os_memfd_create(ARGS)
{
    KEYWORDS("name", "flags");
    PyObject *name = NULL;
    unsigned flags = MFD_CLOEXEC;
    int fd;
    if (!PARSE("O&|I:memfd_create", _posix_fs_bytes, &name, &flags)) {
        return NULL;
    }
    UNLOCKED(fd, memfd_create(PyBytes_AS_STRING(name), flags));
    Py_DECREF(name);
    return fd < 0 ? _posix_error() : PyLong_FromLong(fd);
}

static PyObject *
os_eventfd(ARGS)
{
    KEYWORDS("initval", "flags");
    unsigned value;
    int flags = EFD_CLOEXEC, fd;
    if (!PARSE("O&|i:eventfd", _PyLong_UnsignedInt_Converter, &value, &flags)) {
        return NULL;
    }
    UNLOCKED(fd, eventfd(value, flags));
    return fd < 0 ? _posix_error() : PyLong_FromLong(fd);
}

static PyObject *
os_eventfd_read(ARGS)
{
    KEYWORDS("fd");
    int fd, rc;
    eventfd_t value;
    if (!PARSE("O&:eventfd_read", _posix_fd_converter, &fd)) {
        return NULL;
    }
    UNLOCKED(rc, eventfd_read(fd, &value));
    return rc < 0 ? _posix_error() : PyLong_FromUnsignedLongLong(value);
}

static PyObject *
os_eventfd_write(ARGS)
{
    KEYWORDS("fd", "value");
    int fd, rc;
    unsigned long long value;
    if (!PARSE("O&O&:eventfd_write", _posix_fd_converter, &fd,
               _PyLong_UnsignedLongLong_Converter, &value)) {
        return NULL;
    }
    UNLOCKED(rc, eventfd_write(fd, value));
    NONE_OR_ERROR(rc);
}

/* --------------------------------------------------------------- properties */

static PyObject *
os_isatty(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd, rc;
    if (!int_arg(arg, &fd)) {
        return NULL;
    }
    UNLOCKED(rc, isatty(fd));
    return PyBool_FromLong(rc);
}

static PyObject *
os_ttyname(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd;
    char name[256];
    if (!int_arg(arg, &fd)) {
        return NULL;
    }
    int err = ttyname_r(fd, name, sizeof(name));
    if (err) {
        errno = err;
        return _posix_error();
    }
    return PyUnicode_DecodeFSDefault(name);
}

static PyObject *
os_ctermid(NOARGS)
{
    char name[L_ctermid];
    return ctermid(name) == NULL ? _posix_error() : PyUnicode_DecodeFSDefault(name);
}

static PyObject *
os_get_inheritable(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd;
    if (!int_arg(arg, &fd)) {
        return NULL;
    }
    int yes = _Py_get_inheritable(fd);
    return yes < 0 ? NULL : PyBool_FromLong(yes);
}

static PyObject *
os_set_inheritable(POSARGS)
{
    int fd, inheritable;
    if (!PARSE_POS("ii:set_inheritable", &fd, &inheritable)
        || _Py_set_inheritable(fd, inheritable, NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
os_get_blocking(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd;
    if (!int_arg(arg, &fd)) {
        return NULL;
    }
    int yes = _Py_get_blocking(fd);
    return yes < 0 ? NULL : PyBool_FromLong(yes);
}

static PyObject *
os_set_blocking(POSARGS)
{
    int fd, blocking;
    if (!PARSE_POS("ii:set_blocking", &fd, &blocking) || _Py_set_blocking(fd, blocking) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
os_device_encoding(ARGS)
{
    KEYWORDS("fd");
    int fd;
    return PARSE("i:device_encoding", &fd) ? _Py_device_encoding(fd) : NULL;
}

static PyObject *
os_get_terminal_size(POSARGS)
{
    int fd = fileno(stdout);
    struct winsize w;
    if (!PARSE_POS("|i:get_terminal_size", &fd)) {
        return NULL;
    }
    if (ioctl(fd, TIOCGWINSZ, &w) != 0) {
        return _posix_error();
    }
    PyObject *size = PyStructSequence_New(_posix_types.terminal_size);
    if (size != NULL) {
        PyStructSequence_SetItem(size, 0, PyLong_FromLong(w.ws_col));
        PyStructSequence_SetItem(size, 1, PyLong_FromLong(w.ws_row));
    }
    return size;
}

static PyObject *
os_tcgetpgrp(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int fd;
    if (!int_arg(arg, &fd)) {
        return NULL;
    }
    pid_t pgrp = tcgetpgrp(fd);
    return pgrp < 0 ? _posix_error() : PyLong_FromLong(pgrp);
}

static PyObject *
os_tcsetpgrp(POSARGS)
{
    int fd;
    pid_t pgrp;
    if (!PARSE_POS_PID("iO&:tcsetpgrp", &fd, _posix_pid_converter, &pgrp)) {
        return NULL;
    }
    NONE_OR_ERROR(tcsetpgrp(fd, pgrp));
}

#define M(name, flags, text) {#name, _PyCFunction_CAST(os_##name), flags, text}

PyMethodDef _posix_fd_methods[] = {
    M(open, METH_FASTCALL | METH_KEYWORDS, "open($module, /, path, flags, mode=511, *, dir_fd=None)\n--\n\nOpens a file: a descriptor."),
    M(close, METH_FASTCALL | METH_KEYWORDS, "close($module, /, fd)\n--\n\nCloses a descriptor."),
    M(closerange, METH_FASTCALL, "closerange($module, fd_low, fd_high, /)\n--\n\nCloses descriptors from fd_low up to fd_high, ignoring errors."),
    M(dup, METH_O, "dup($module, fd, /)\n--\n\nAnother descriptor of the same file."),
    M(dup2, METH_FASTCALL | METH_KEYWORDS, "dup2($module, /, fd, fd2, inheritable=True)\n--\n\nMakes fd2 a copy of fd."),
    M(lseek, METH_FASTCALL, "lseek($module, fd, position, how, /)\n--\n\nMoves the position of a descriptor."),
    M(read, METH_FASTCALL, "read($module, fd, length, /)\n--\n\nReads bytes."),
    M(write, METH_FASTCALL, "write($module, fd, data, /)\n--\n\nWrites bytes; returns how many."),
    M(pread, METH_FASTCALL, "pread($module, fd, length, offset, /)\n--\n\nReads at an offset."),
    M(pwrite, METH_FASTCALL, "pwrite($module, fd, buffer, offset, /)\n--\n\nWrites at an offset."),
    M(readv, METH_FASTCALL, "readv($module, fd, buffers, /)\n--\n\nReads into several buffers."),
    M(writev, METH_FASTCALL, "writev($module, fd, buffers, /)\n--\n\nWrites from several buffers."),
    M(preadv, METH_FASTCALL, "preadv($module, fd, buffers, offset, flags=0, /)\n--\n\n"
      "Reads into several buffers from a place in a file; the position stays.\nReturns how many bytes were read."),
    M(pwritev, METH_FASTCALL, "pwritev($module, fd, buffers, offset, flags=0, /)\n--\n\n"
      "Writes several buffers to a place in a file; the position stays.\nReturns how many bytes were written."),
    M(sendfile, METH_FASTCALL | METH_KEYWORDS, "sendfile($module, /, out_fd, in_fd, offset, count)\n--\n\nCopies from file to file."),
    M(copy_file_range, METH_FASTCALL | METH_KEYWORDS, "copy_file_range($module, /, src, dst, count, offset_src=None,\n                offset_dst=None)\n--\n\n"
      "Copies bytes from file to file inside the kernel. Returns how many."),
    M(splice, METH_FASTCALL | METH_KEYWORDS, "splice($module, /, src, dst, count, offset_src=None, offset_dst=None,\n       flags=0)\n--\n\n"
      "Moves bytes between a pipe and another descriptor inside the kernel.\nReturns how many."),
    M(fsync, METH_FASTCALL | METH_KEYWORDS, "fsync($module, /, fd)\n--\n\nForces a file to disk."),
    M(fdatasync, METH_FASTCALL | METH_KEYWORDS, "fdatasync($module, /, fd)\n--\n\nForces a file's data to disk."),
    M(ftruncate, METH_FASTCALL, "ftruncate($module, fd, length, /)\n--\n\nSets the length of an open file."),
    M(posix_fallocate, METH_FASTCALL, "posix_fallocate($module, fd, offset, length, /)\n--\n\n"
      "Makes sure that a file has room on disk for these bytes."),
    M(posix_fadvise, METH_FASTCALL, "posix_fadvise($module, fd, offset, length, advice, /)\n--\n\n"
      "Tells the kernel how these bytes of a file will be used."),
    M(lockf, METH_FASTCALL, "lockf($module, fd, command, length, /)\n--\n\n"
      "Applies, tests or removes a lock on a section of a file."),
    M(pipe, METH_NOARGS, "pipe($module, /)\n--\n\nMakes a pipe: (read end, write end)."),
    M(pipe2, METH_O, "pipe2($module, flags, /)\n--\n\nMakes a pipe with flags."),
    M(openpty, METH_NOARGS, "openpty($module, /)\n--\n\nMakes a pseudo-terminal: (master, slave)."),
    M(login_tty, METH_O, "login_tty($module, fd, /)\n--\n\n"
      "Makes a terminal the controlling one of a new session, and its standard\nstreams."),
    M(memfd_create, METH_FASTCALL | METH_KEYWORDS, "memfd_create($module, /, name, flags=MFD_CLOEXEC)\n--\n\n"
      "Makes a file in memory, without a name in any directory: a descriptor."),
    M(eventfd, METH_FASTCALL | METH_KEYWORDS, "eventfd($module, /, initval, flags=EFD_CLOEXEC)\n--\n\n"
      "Makes a descriptor for a counter that processes wait on."),
    M(eventfd_read, METH_FASTCALL | METH_KEYWORDS, "eventfd_read($module, /, fd)\n--\n\n"
      "The counter's value, which becomes 0 (or one less, if it is a semaphore)."),
    M(eventfd_write, METH_FASTCALL | METH_KEYWORDS, "eventfd_write($module, /, fd, value)\n--\n\n"
      "Adds to the counter."),
    M(isatty, METH_O, "isatty($module, fd, /)\n--\n\nIs it a terminal?"),
    M(ttyname, METH_O, "ttyname($module, fd, /)\n--\n\nThe name of a terminal."),
    M(ctermid, METH_NOARGS, "ctermid($module, /)\n--\n\nThe name of the controlling terminal."),
    M(get_inheritable, METH_O, "get_inheritable($module, fd, /)\n--\n\n"
      "Do programs that are executed get the descriptor?"),
    M(set_inheritable, METH_FASTCALL, "set_inheritable($module, fd, inheritable, /)\n--\n\n"
      "Says whether programs that are executed get the descriptor."),
    M(get_blocking, METH_O, "get_blocking($module, fd, /)\n--\n\n"
      "Does reading from the descriptor wait for data?"),
    M(set_blocking, METH_FASTCALL, "set_blocking($module, fd, blocking, /)\n--\n\n"
      "Says whether reading from the descriptor waits for data."),
    M(device_encoding, METH_FASTCALL | METH_KEYWORDS, "device_encoding($module, /, fd)\n--\n\n"
      "The encoding of a terminal; None if the descriptor is none."),
    M(get_terminal_size, METH_FASTCALL, "get_terminal_size($module, fd=<unrepresentable>, /)\n--\n\n"
      "(columns, lines) of the terminal."),
    M(tcgetpgrp, METH_O, "tcgetpgrp($module, fd, /)\n--\n\n"
      "The process group in the foreground of a terminal."),
    M(tcsetpgrp, METH_FASTCALL, "tcsetpgrp($module, fd, pgid, /)\n--\n\n"
      "Puts a process group into the foreground of a terminal."),
    {NULL, NULL, 0, NULL}
};
