/* System calls on files as the runtime needs them: without the GIL, restarted after EINTR
   unless a signal handler raised, with descriptors that are not inheritable, and with
   errors as OSError. A `_noraise` variant may be called without the GIL and reports
   through errno. */
#include "Python.h"
#include "internal/fileutils.h"
#include "internal/pystate.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A single read or write is limited to what Linux transfers at most. */
#define IO_MAX 0x7ffff000

/* -------------------------------------------------------------- inheritance */

int
_Py_get_inheritable(int fd)
{
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return !(flags & FD_CLOEXEC);
}

int
_Py_set_inheritable_async_safe(int fd, int inheritable, int *Py_UNUSED(atomic_flag_works))
{
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0) {
        return -1;
    }
    int want = inheritable ? flags & ~FD_CLOEXEC : flags | FD_CLOEXEC;
    return want == flags ? 0 : fcntl(fd, F_SETFD, want);
}

int
_Py_set_inheritable(int fd, int inheritable, int *atomic_flag_works)
{
    if (_Py_set_inheritable_async_safe(fd, inheritable, atomic_flag_works) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return 0;
}

int
_Py_dup(int fd)
{
    int copy;
    Py_BEGIN_ALLOW_THREADS
    copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    Py_END_ALLOW_THREADS
    if (copy < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
    }
    return copy;
}

int
_Py_get_blocking(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return !(flags & O_NONBLOCK);
}

int
_Py_set_blocking(int fd, int blocking)
{
    int arg = !blocking;
    if (ioctl(fd, FIONBIO, &arg) < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
        return -1;
    }
    return 0;
}

/* ------------------------------------------------------------------ opening */

int
_Py_open(const char *path, int flags)
{
    if (PySys_Audit("open", "sOi", path, Py_None, flags) < 0) {
        return -1;
    }
    int fd, interrupted = 0;
    do {
        Py_BEGIN_ALLOW_THREADS
        fd = open(path, flags | O_CLOEXEC);
        Py_END_ALLOW_THREADS
    } while (fd < 0 && errno == EINTR && !(interrupted = PyErr_CheckSignals()));
    if (fd < 0 && !interrupted) {
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
    }
    return fd;
}

int
_Py_open_noraise(const char *path, int flags)
{
    return open(path, flags | O_CLOEXEC);
}

static FILE *
not_inherited(FILE *f)
{
    if (f != NULL) {
        (void)_Py_set_inheritable_async_safe(fileno(f), 0, NULL);
    }
    return f;
}

FILE *
_Py_wfopen(const wchar_t *path, const wchar_t *mode)
{
    char cmode[10];
    size_t n = wcstombs(cmode, mode, sizeof(cmode));
    if (n == (size_t)-1 || n >= sizeof(cmode)) {
        errno = EINVAL;
        return NULL;
    }
    char *cpath = Py_EncodeLocale(path, NULL);
    if (cpath == NULL) {
        return NULL;
    }
    FILE *f = fopen(cpath, cmode);
    PyMem_Free(cpath);
    return not_inherited(f);
}

FILE *
_Py_fopen_obj(PyObject *path, const char *mode)
{
    PyObject *bytes;
    if (!PyUnicode_FSConverter(path, &bytes)) {
        return NULL;
    }
    if (PySys_Audit("open", "Osi", path, mode, 0) < 0) {
        Py_DECREF(bytes);
        return NULL;
    }
    FILE *f;
    int interrupted = 0;
    do {
        Py_BEGIN_ALLOW_THREADS
        f = fopen(PyBytes_AS_STRING(bytes), mode);
        Py_END_ALLOW_THREADS
    } while (f == NULL && errno == EINTR && !(interrupted = PyErr_CheckSignals()));
    int saved = errno;
    Py_DECREF(bytes);
    errno = saved;
    if (f == NULL) {
        if (!interrupted) {
            PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
            errno = saved;
        }
        return NULL;
    }
    return not_inherited(f);
}

/* --------------------------------------------------------- reading, writing */

static Py_ssize_t
transfer(int fd, void *buf, size_t count, int writes)
{
    Py_ssize_t n;
    int err, interrupted = 0;
    if (count > IO_MAX) {
        count = IO_MAX;
    }
    do {
        Py_BEGIN_ALLOW_THREADS
        errno = 0;
        n = writes ? write(fd, buf, count) : read(fd, buf, count);
        err = errno;
        Py_END_ALLOW_THREADS
    } while (n < 0 && err == EINTR && !(interrupted = PyErr_CheckSignals()));
    if (n < 0 && !interrupted) {
        errno = err;
        PyErr_SetFromErrno(PyExc_OSError);
        errno = err;
    }
    return n;
}

Py_ssize_t
_Py_read(int fd, void *buf, size_t count)
{
    return transfer(fd, buf, count, 0);
}

Py_ssize_t
_Py_write(int fd, const void *buf, size_t count)
{
    return transfer(fd, (void *)buf, count, 1);
}

Py_ssize_t
_Py_write_noraise(int fd, const void *buf, size_t count)
{
    Py_ssize_t n;
    do {
        n = write(fd, buf, count > IO_MAX ? IO_MAX : count);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* ------------------------------------------------------------------- status */

int
_Py_fstat_noraise(int fd, struct stat *status)
{
    return fstat(fd, status);
}

int
_Py_fstat(int fd, struct stat *status)
{
    int rc;
    Py_BEGIN_ALLOW_THREADS
    rc = fstat(fd, status);
    Py_END_ALLOW_THREADS
    if (rc < 0) {
        PyErr_SetFromErrno(PyExc_OSError);
    }
    return rc;
}

int
_Py_stat(PyObject *path, struct stat *status)
{
    PyObject *bytes = PyUnicode_EncodeFSDefault(path);
    if (bytes == NULL) {
        return -2;
    }
    const char *cpath = PyBytes_AS_STRING(bytes);
    if (strlen(cpath) != (size_t)PyBytes_GET_SIZE(bytes)) {
        PyErr_SetString(PyExc_ValueError, "embedded null byte");
        Py_DECREF(bytes);
        return -2;
    }
    int rc = stat(cpath, status);
    Py_DECREF(bytes);
    return rc;
}

PyObject *
_Py_device_encoding(int fd)
{
    int tty;
    Py_BEGIN_ALLOW_THREADS
    tty = isatty(fd);
    Py_END_ALLOW_THREADS
    if (!tty) {
        Py_RETURN_NONE;
    }
    if (_PyRuntime.preconfig.utf8_mode) {
        return PyUnicode_FromString("utf-8");
    }
    return PyUnicode_FromString(nl_langinfo(CODESET));
}

/* -------------------------------------------------------------------- paths */

wchar_t *
_Py_wgetcwd(wchar_t *buf, size_t buflen)
{
    char name[PATH_MAX];
    if (getcwd(name, sizeof(name)) == NULL) {
        return NULL;
    }
    size_t len;
    wchar_t *wide = Py_DecodeLocale(name, &len);
    if (wide == NULL || len >= buflen) {
        PyMem_RawFree(wide);
        return NULL;
    }
    wcscpy(buf, wide);
    PyMem_RawFree(wide);
    return buf;
}

/* Each component is copied to its place while its end is looked for; whether it stays there
   is decided then. Its place is never behind where it is read. */
static inline __attribute__((always_inline)) Py_ssize_t
normalize(int kind, void *path, Py_ssize_t n)
{
#define CHAR(i) PyUnicode_READ(kind, path, i)
#define PUT(i, ch) PyUnicode_WRITE(kind, path, i, ch)
    Py_ssize_t root = 0;
    if (n == 0) {
        return 0;
    }
    while (root < n && CHAR(root) == '/') {
        root++;
    }
    Py_ssize_t in = root;
    if (root != 2) {            /* exactly two slashes are a root of their own */
        root = root > 0;
    }
    Py_ssize_t out = root;
    Py_ssize_t fixed = root;    /* no component to remove */
    for (; in < n; in++) {
        const Py_ssize_t start = out + (out > root);
        Py_ssize_t end = start;
        for (Py_UCS4 ch; in < n && (ch = CHAR(in)) != '/'; in++) {
            PUT(end, ch);
            end++;
        }
        const Py_ssize_t len = end - start;
        if (len == 0 || (len == 1 && CHAR(start) == '.')) {
            continue;
        }
        if (len == 2 && CHAR(start) == '.' && CHAR(start + 1) == '.') {
            if (out > fixed) {
                while (out > fixed && CHAR(out - 1) != '/') {
                    out--;
                }
                if (out > fixed) {
                    out--;
                }
                continue;
            }
            if (root > 0) {
                continue;
            }
            fixed = end;
        }
        if (start > out) {
            PUT(out, '/');
        }
        out = end;
    }
    if (out == 0) {
        PUT(out, '.');
        out++;
    }
    return out;
#undef CHAR
#undef PUT
}

Py_ssize_t
_PyPath_Normalize(int kind, void *path, Py_ssize_t n)
{
    return kind == 1 ? normalize(1, path, n)
        : kind == 2 ? normalize(2, path, n)
        : normalize(4, path, n);
}

wchar_t *
_Py_normpath(wchar_t *path, Py_ssize_t size)
{
    Py_ssize_t n = size < 0 ? (Py_ssize_t)wcslen(path) : size;
    path[_PyPath_Normalize(sizeof(wchar_t), path, n)] = L'\0';
    return path;
}

PyObject *
_Py_GetLocaleEncodingObject(void)
{
    const char *codeset = nl_langinfo(CODESET);
    return PyUnicode_FromString(codeset[0] != '\0' ? codeset : "utf-8");
}
