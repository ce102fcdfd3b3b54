/* Functions that change or read names in the file system. */
#include "posix.h"
#include "internal/unicode.h"

#include <limits.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <utime.h>

extern char **environ;

/* Calls on one path: 0 is None, -1 is OSError with the path. Releases it. */
static PyObject *
finish(path_t *path, int rc)
{
    PyObject *result = rc < 0 ? _posix_path_error(path) : Py_NewRef(Py_None);
    path_done(path);
    return result;
}

/* The same, for an error whose cause need not be the file: its path is not named. */
static PyObject *
finish_unnamed(path_t *path, int rc)
{
    PyObject *result = rc < 0 ? _posix_error() : Py_NewRef(Py_None);
    path_done(path);
    return result;
}

static PyObject *
finish2(path_t *src, path_t *dst, int rc)
{
    PyObject *result = rc < 0 ? _posix_path_error2(src, dst) : Py_NewRef(Py_None);
    path_done(src);
    path_done(dst);
    return result;
}

static PyObject *
os_chdir(ARGS)
{
    KEYWORDS("path");
    path_t path = PATH("chdir", "path", 0, 1);
    int rc;
    if (!PARSE("O&:chdir", path_converter, &path)) {
        return NULL;
    }
    if (PySys_Audit("os.chdir", "(O)", path.object) < 0) {
        path_done(&path);
        return NULL;
    }
    UNLOCKED(rc, path.fd != -1 ? fchdir(path.fd) : chdir(path.text));
    return finish(&path, rc);
}

static PyObject *
os_fchdir(ARGS)
{
    KEYWORDS("fd");
    int fd, rc, interrupted;
    if (!PARSE("O&:fchdir", _posix_fd_converter, &fd)
        || PySys_Audit("os.chdir", "(i)", fd) < 0) {
        return NULL;
    }
    RESTARTED(rc, fchdir(fd), interrupted);
    return interrupted ? NULL : rc < 0 ? _posix_error() : Py_NewRef(Py_None);
}

static PyObject *
os_chroot(ARGS)
{
    KEYWORDS("path");
    path_t path = PATH("chroot", "path", 0, 0);
    int rc;
    if (!PARSE("O&:chroot", path_converter, &path)) {
        return NULL;
    }
    UNLOCKED(rc, chroot(path.text));
    return finish(&path, rc);
}

static PyObject *
os_chmod(ARGS)
{
    KEYWORDS("path", "mode", "dir_fd", "follow_symlinks");
    path_t path = PATH("chmod", "path", 0, 1);
    int mode, dir_fd = AT_FDCWD, follow = 1, rc;
    if (!PARSE("O&i|$O&p:chmod", path_converter, &path, &mode, dir_fd_converter, &dir_fd,
               &follow)) {
        return NULL;
    }
    if (!follow && path.fd == -1) {
        /* Linux changes no link's mode; glibc would pretend that it does. */
        path_done(&path);
        if (dir_fd != AT_FDCWD) {
            PyErr_SetString(PyExc_ValueError,
                            "chmod: cannot use dir_fd and follow_symlinks together");
            return NULL;
        }
        return _posix_unavailable("chmod", "follow_symlinks");
    }
    if (PySys_Audit("os.chmod", "Oii", path.object, mode, dir_fd == AT_FDCWD ? -1 : dir_fd) < 0) {
        path_done(&path);
        return NULL;
    }
    UNLOCKED(rc, path.fd != -1 ? fchmod(path.fd, (mode_t)mode)
                               : fchmodat(dir_fd, path.text, (mode_t)mode, 0));
    return finish(&path, rc);
}

static PyObject *
os_fchmod(ARGS)
{
    KEYWORDS("fd", "mode");
    int fd, mode, rc, interrupted;
    if (!PARSE("ii:fchmod", &fd, &mode) || PySys_Audit("os.chmod", "iii", fd, mode, -1) < 0) {
        return NULL;
    }
    RESTARTED(rc, fchmod(fd, (mode_t)mode), interrupted);
    return interrupted ? NULL : rc < 0 ? _posix_error() : Py_NewRef(Py_None);
}

static PyObject *
os_chown(ARGS)
{
    KEYWORDS("path", "uid", "gid", "dir_fd", "follow_symlinks");
    path_t path = PATH("chown", "path", 0, 1);
    uid_t uid;
    gid_t gid;
    int dir_fd = AT_FDCWD, follow = 1, rc;
    if (!PARSE("O&O&O&|$O&p:chown", path_converter, &path, _Py_Uid_Converter, &uid,
               _Py_Gid_Converter, &gid, dir_fd_converter, &dir_fd, &follow)) {
        return NULL;
    }
    if (_posix_bad_combination("chown", &path, dir_fd, follow)
        || PySys_Audit("os.chown", "OIIi", path.object, uid, gid,
                       dir_fd == AT_FDCWD ? -1 : dir_fd) < 0) {
        path_done(&path);
        return NULL;
    }
    UNLOCKED(rc, path.fd != -1 ? fchown(path.fd, uid, gid)
             : fchownat(dir_fd, path.text, uid, gid, follow ? 0 : AT_SYMLINK_NOFOLLOW));
    return finish(&path, rc);
}

static PyObject *
os_lchown(ARGS)
{
    KEYWORDS("path", "uid", "gid");
    path_t path = PATH("lchown", "path", 0, 0);
    uid_t uid;
    gid_t gid;
    int rc;
    if (!PARSE("O&O&O&:lchown", path_converter, &path, _Py_Uid_Converter, &uid,
               _Py_Gid_Converter, &gid)) {
        return NULL;
    }
    if (PySys_Audit("os.chown", "OIIi", path.object, uid, gid, -1) < 0) {
        path_done(&path);
        return NULL;
    }
    UNLOCKED(rc, lchown(path.text, uid, gid));
    return finish(&path, rc);
}

static PyObject *
os_fchown(ARGS)
{
    KEYWORDS("fd", "uid", "gid");
    int fd, rc, interrupted;
    uid_t uid;
    gid_t gid;
    if (!PARSE("iO&O&:fchown", &fd, _Py_Uid_Converter, &uid, _Py_Gid_Converter, &gid)
        || PySys_Audit("os.chown", "iIIi", fd, uid, gid, -1) < 0) {
        return NULL;
    }
    RESTARTED(rc, fchown(fd, uid, gid), interrupted);
    return interrupted ? NULL : rc < 0 ? _posix_error() : Py_NewRef(Py_None);
}

static PyObject *
cwd_bytes(void)
{
    char *name;
    UNLOCKED(name, getcwd(NULL, 0));
    if (name == NULL) {
        return _posix_error();
    }
    PyObject *bytes = PyBytes_FromString(name);
    free(name);
    return bytes;
}

static PyObject *
os_getcwdb(NOARGS)
{
    return cwd_bytes();
}

static PyObject *
os_getcwd(NOARGS)
{
    PyObject *bytes = cwd_bytes();
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *text = PyUnicode_DecodeFSDefaultAndSize(PyBytes_AS_STRING(bytes),
                                                      PyBytes_GET_SIZE(bytes));
    Py_DECREF(bytes);
    return text;
}

static PyObject *
os_mkdir(ARGS)
{
    KEYWORDS("path", "mode", "dir_fd");
    path_t path = PATH("mkdir", "path", 0, 0);
    int mode = 0777, dir_fd = AT_FDCWD, rc;
    if (!PARSE("O&|i$O&:mkdir", path_converter, &path, &mode, dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    if (PySys_Audit("os.mkdir", "Oii", path.object, mode, dir_fd == AT_FDCWD ? -1 : dir_fd) < 0) {
        path_done(&path);
        return NULL;
    }
    UNLOCKED(rc, mkdirat(dir_fd, path.text, (mode_t)mode));
    return finish(&path, rc);
}

static PyObject *
os_rmdir(ARGS)
{
    KEYWORDS("path", "dir_fd");
    path_t path = PATH("rmdir", "path", 0, 0);
    int dir_fd = AT_FDCWD, rc;
    if (!PARSE("O&|$O&:rmdir", path_converter, &path, dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    if (PySys_Audit("os.rmdir", "Oi", path.object, dir_fd == AT_FDCWD ? -1 : dir_fd) < 0) {
        path_done(&path);
        return NULL;
    }
    UNLOCKED(rc, unlinkat(dir_fd, path.text, AT_REMOVEDIR));
    return finish(&path, rc);
}

static PyObject *
do_unlink(path_t *path, int dir_fd)
{
    int rc;
    if (PySys_Audit("os.remove", "Oi", path->object, dir_fd == AT_FDCWD ? -1 : dir_fd) < 0) {
        path_done(path);
        return NULL;
    }
    UNLOCKED(rc, unlinkat(dir_fd, path->text, 0));
    return finish(path, rc);
}

static PyObject *
os_unlink(ARGS)
{
    KEYWORDS("path", "dir_fd");
    path_t path = PATH("unlink", "path", 0, 0);
    int dir_fd = AT_FDCWD;
    if (!PARSE("O&|$O&:unlink", path_converter, &path, dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    return do_unlink(&path, dir_fd);
}

static PyObject *
os_remove(ARGS)
{
    KEYWORDS("path", "dir_fd");
    path_t path = PATH("remove", "path", 0, 0);
    int dir_fd = AT_FDCWD;
    if (!PARSE("O&|$O&:remove", path_converter, &path, dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    return do_unlink(&path, dir_fd);
}

static PyObject *
do_rename(path_t *src, path_t *dst, int src_fd, int dst_fd)
{
    int rc;
    if (PySys_Audit("os.rename", "OOii", src->object, dst->object,
                    src_fd == AT_FDCWD ? -1 : src_fd, dst_fd == AT_FDCWD ? -1 : dst_fd) < 0) {
        path_done(src);
        path_done(dst);
        return NULL;
    }
    UNLOCKED(rc, renameat(src_fd, src->text, dst_fd, dst->text));
    return finish2(src, dst, rc);
}

static PyObject *
os_rename(ARGS)
{
    KEYWORDS("src", "dst", "src_dir_fd", "dst_dir_fd");
    path_t src = PATH("rename", "src", 0, 0), dst = PATH("rename", "dst", 0, 0);
    int src_fd = AT_FDCWD, dst_fd = AT_FDCWD;
    if (!PARSE("O&O&|$O&O&:rename", path_converter, &src, path_converter, &dst,
               dir_fd_converter, &src_fd, dir_fd_converter, &dst_fd)) {
        return NULL;
    }
    return do_rename(&src, &dst, src_fd, dst_fd);
}

static PyObject *
os_replace(ARGS)
{
    KEYWORDS("src", "dst", "src_dir_fd", "dst_dir_fd");
    path_t src = PATH("replace", "src", 0, 0), dst = PATH("replace", "dst", 0, 0);
    int src_fd = AT_FDCWD, dst_fd = AT_FDCWD;
    if (!PARSE("O&O&|$O&O&:replace", path_converter, &src, path_converter, &dst,
               dir_fd_converter, &src_fd, dir_fd_converter, &dst_fd)) {
        return NULL;
    }
    return do_rename(&src, &dst, src_fd, dst_fd);
}

static PyObject *
os_link(ARGS)
{
    KEYWORDS("src", "dst", "src_dir_fd", "dst_dir_fd", "follow_symlinks");
    path_t src = PATH("link", "src", 0, 0), dst = PATH("link", "dst", 0, 0);
    int src_fd = AT_FDCWD, dst_fd = AT_FDCWD, follow = 1, rc;
    if (!PARSE("O&O&|$O&O&p:link", path_converter, &src, path_converter, &dst,
               dir_fd_converter, &src_fd, dir_fd_converter, &dst_fd, &follow)) {
        return NULL;
    }
    if (PySys_Audit("os.link", "OOii", src.object, dst.object,
                    src_fd == AT_FDCWD ? -1 : src_fd, dst_fd == AT_FDCWD ? -1 : dst_fd) < 0) {
        path_done(&src);
        path_done(&dst);
        return NULL;
    }
    /* With all defaults it is link(2), which does not follow on Linux. */
    int plain = src_fd == AT_FDCWD && dst_fd == AT_FDCWD && follow;
    UNLOCKED(rc, linkat(src_fd, src.text, dst_fd, dst.text,
                        follow && !plain ? AT_SYMLINK_FOLLOW : 0));
    return finish2(&src, &dst, rc);
}

static PyObject *
os_symlink(ARGS)
{
    KEYWORDS("src", "dst", "target_is_directory", "dir_fd");
    path_t src = PATH("symlink", "src", 0, 0), dst = PATH("symlink", "dst", 0, 0);
    int is_dir = 0, dir_fd = AT_FDCWD, rc;
    if (!PARSE("O&O&|p$O&:symlink", path_converter, &src, path_converter, &dst, &is_dir,
               dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    if (PySys_Audit("os.symlink", "OOi", src.object, dst.object,
                    dir_fd == AT_FDCWD ? -1 : dir_fd) < 0) {
        path_done(&src);
        path_done(&dst);
        return NULL;
    }
    UNLOCKED(rc, symlinkat(src.text, dir_fd, dst.text));
    return finish2(&src, &dst, rc);
}

static PyObject *
os_readlink(ARGS)
{
    KEYWORDS("path", "dir_fd");
    path_t path = PATH("readlink", "path", 0, 0);
    int dir_fd = AT_FDCWD;
    char target[PATH_MAX + 1];
    ssize_t n;
    if (!PARSE("O&|$O&:readlink", path_converter, &path, dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    UNLOCKED(n, readlinkat(dir_fd, path.text, target, PATH_MAX));
    PyObject *result;
    if (n < 0) {
        result = _posix_path_error(&path);
    }
    else if (path.is_bytes) {
        result = PyBytes_FromStringAndSize(target, n);
    }
    else {
        result = PyUnicode_DecodeFSDefaultAndSize(target, n);
    }
    path_done(&path);
    return result;
}

static PyObject *
os_mkfifo(ARGS)
{
    KEYWORDS("path", "mode", "dir_fd");
    path_t path = PATH("mkfifo", "path", 0, 0);
    int mode = 0666, dir_fd = AT_FDCWD, rc, interrupted;
    if (!PARSE("O&|i$O&:mkfifo", path_converter, &path, &mode, dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    RESTARTED(rc, mkfifoat(dir_fd, path.text, (mode_t)mode), interrupted);
    if (interrupted) {
        path_done(&path);
        return NULL;
    }
    return finish_unnamed(&path, rc);
}

static PyObject *
os_mknod(ARGS)
{
    KEYWORDS("path", "mode", "device", "dir_fd");
    path_t path = PATH("mknod", "path", 0, 0);
    int mode = 0600, dir_fd = AT_FDCWD, rc, interrupted;
    dev_t device = 0;
    if (!PARSE("O&|iO&$O&:mknod", path_converter, &path, &mode, _posix_dev_converter, &device,
               dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    RESTARTED(rc, mknodat(dir_fd, path.text, (mode_t)mode, device), interrupted);
    if (interrupted) {
        path_done(&path);
        return NULL;
    }
    return finish_unnamed(&path, rc);
}

static PyObject *
os_truncate(ARGS)
{
    KEYWORDS("path", "length");
    path_t path = PATH("truncate", "path", 0, 1);
    off_t length;
    int rc;
    if (!PARSE("O&O&:truncate", path_converter, &path, _posix_off_converter, &length)) {
        return NULL;
    }
    if (PySys_Audit("os.truncate", "On", path.object, (Py_ssize_t)length) < 0) {
        path_done(&path);
        return NULL;
    }
    UNLOCKED(rc, path.fd != -1 ? ftruncate(path.fd, length) : truncate(path.text, length));
    return path.fd != -1 ? finish_unnamed(&path, rc) : finish(&path, rc);
}

/* -------------------------------------------------------------------- utime */

/* Seconds, an int or float, to a timespec (rounding down). */
static int
seconds_to_timespec(PyObject *object, struct timespec *t)
{
    if (PyFloat_Check(object)) {
        double whole, d = PyFloat_AS_DOUBLE(object);
        double fraction = __builtin_modf(d, &whole);
        if (d != d) {
            PyErr_SetString(PyExc_ValueError, "Invalid value NaN (not a number)");
            return -1;
        }
        fraction = __builtin_floor(fraction * 1e9);
        if (fraction < 0) {
            fraction += 1e9;
            whole -= 1;
        }
        if (!(whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)) {
            PyErr_SetString(PyExc_OverflowError, "timestamp out of range for platform time_t");
            return -1;
        }
        t->tv_sec = (time_t)whole;
        t->tv_nsec = (long)fraction;
        return 0;
    }
    long long value = PyLong_AsLongLong(object);
    if (value == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_SetString(PyExc_OverflowError, "timestamp out of range for platform time_t");
        }
        return -1;
    }
    t->tv_sec = (time_t)value;
    t->tv_nsec = 0;
    return 0;
}

static int
ns_to_timespec(PyObject *object, struct timespec *t)
{
    PyObject *billion = PyLong_FromLong(1000000000);
    PyObject *pair = billion == NULL ? NULL : PyNumber_Divmod(object, billion);
    Py_XDECREF(billion);
    if (pair == NULL) {
        return -1;
    }
    if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
        PyErr_Format(PyExc_TypeError, "%.200s.__divmod__() must return a 2-tuple, not %.200s",
                     Py_TYPE(object)->tp_name, Py_TYPE(pair)->tp_name);
        Py_DECREF(pair);
        return -1;
    }
    t->tv_sec = (time_t)PyLong_AsLongLong(PyTuple_GET_ITEM(pair, 0));
    t->tv_nsec = PyLong_AsLong(PyTuple_GET_ITEM(pair, 1));
    Py_DECREF(pair);
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *
os_utime(ARGS)
{
    KEYWORDS("path", "times", "ns", "dir_fd", "follow_symlinks");
    path_t path = PATH("utime", "path", 0, 1);
    PyObject *times = Py_None, *ns = NULL;
    int dir_fd = AT_FDCWD, follow = 1, rc;
    struct timespec t[2];
    if (!PARSE("O&|O$OO&p:utime", path_converter, &path, &times, &ns, dir_fd_converter, &dir_fd,
               &follow)) {
        return NULL;
    }
    int now = 0;
    if (times != Py_None && ns != NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "utime: you may specify either 'times' or 'ns' but not both");
        goto error;
    }
    if (times != Py_None) {
        if (!PyTuple_CheckExact(times) || PyTuple_Size(times) != 2) {
            PyErr_SetString(PyExc_TypeError, "utime: 'times' must be either a tuple of two "
                            "ints or None");
            goto error;
        }
        if (seconds_to_timespec(PyTuple_GET_ITEM(times, 0), &t[0]) < 0
            || seconds_to_timespec(PyTuple_GET_ITEM(times, 1), &t[1]) < 0) {
            goto error;
        }
    }
    else if (ns != NULL) {
        if (!PyTuple_CheckExact(ns) || PyTuple_Size(ns) != 2) {
            PyErr_SetString(PyExc_TypeError, "utime: 'ns' must be a tuple of two ints");
            goto error;
        }
        if (ns_to_timespec(PyTuple_GET_ITEM(ns, 0), &t[0]) < 0
            || ns_to_timespec(PyTuple_GET_ITEM(ns, 1), &t[1]) < 0) {
            goto error;
        }
    }
    else {
        now = 1;
    }
    if (_posix_bad_combination("utime", &path, dir_fd, follow)
        || PySys_Audit("os.utime", "OOOi", path.object, times, ns ? ns : Py_None,
                       dir_fd == AT_FDCWD ? -1 : dir_fd) < 0) {
        goto error;
    }
    UNLOCKED(rc, path.fd != -1 ? futimens(path.fd, now ? NULL : t)
             : utimensat(dir_fd, path.text, now ? NULL : t, follow ? 0 : AT_SYMLINK_NOFOLLOW));
    return finish_unnamed(&path, rc);
error:
    path_done(&path);
    return NULL;
}

/* ------------------------------------------------------------ names as such */

static PyObject *
os_fspath(ARGS)
{
    KEYWORDS("path");
    PyObject *path;
    /* Each function of os.path calls it. */
    if (kwnames == NULL && nargs == 1) {
        return PyOS_FSPath(args[0]);
    }
    if (!PARSE("O:fspath", &path)) {
        return NULL;
    }
    return PyOS_FSPath(path);
}

static PyObject *
os__path_normpath(ARGS)
{
    KEYWORDS("path");
    PyObject *path;
    if (!PARSE("O:_path_normpath", &path)) {
        return NULL;
    }
    if (!PyUnicode_Check(path)) {
        PyErr_Format(PyExc_TypeError, "expected 'str', not '%.200s'", Py_TYPE(path)->tp_name);
        return NULL;
    }
    if (PyUnicode_READY(path) < 0) {
        return NULL;
    }
    const int kind = PyUnicode_KIND(path);
    const Py_ssize_t n = PyUnicode_GET_LENGTH(path);
    const size_t size = (size_t)n * (size_t)kind;
    char few[512], *copy = size <= sizeof(few) ? few : PyMem_Malloc(size);
    if (copy == NULL) {
        return PyErr_NoMemory();
    }
    memcpy(copy, PyUnicode_DATA(path), size);
    const Py_ssize_t normal = _PyPath_Normalize(kind, copy, n);
    /* Components are dropped only, so a path of the same length is the same path. */
    PyObject *result = normal == n ? _PyUnicode_ResultUnchanged(path)
                                   : PyUnicode_FromKindAndData(kind, copy, normal);
    if (copy != few) {
        PyMem_Free(copy);
    }
    return result;
}

/* -------------------------------------------------------------- environment */

static PyObject *
os_putenv(POSARGS)
{
    PyObject *name = NULL, *value = NULL;
    if (!PARSE_POS("O&O&:putenv", _posix_fs_bytes, &name, _posix_fs_bytes, &value)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (strchr(PyBytes_AS_STRING(name), '=') != NULL) {
        PyErr_SetString(PyExc_ValueError, "illegal environment variable name");
    }
    else if (PySys_Audit("os.putenv", "OO", name, value) == 0) {
        result = setenv(PyBytes_AS_STRING(name), PyBytes_AS_STRING(value), 1) < 0
            ? _posix_error() : Py_NewRef(Py_None);
    }
    Py_DECREF(name);
    Py_DECREF(value);
    return result;
}

static PyObject *
os_unsetenv(PyObject *Py_UNUSED(module), PyObject *arg)
{
    PyObject *name = NULL;
    if (!_posix_fs_bytes(arg, &name)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (PySys_Audit("os.unsetenv", "(O)", name) == 0) {
        result = unsetenv(PyBytes_AS_STRING(name)) < 0 ? _posix_error() : Py_NewRef(Py_None);
    }
    Py_DECREF(name);
    return result;
}

static PyObject *
os_major(PyObject *Py_UNUSED(module), PyObject *arg)
{
    dev_t dev;
    return _posix_dev_converter(arg, &dev) ? PyLong_FromLong((long)major(dev)) : NULL;
}

static PyObject *
os_minor(PyObject *Py_UNUSED(module), PyObject *arg)
{
    dev_t dev;
    return _posix_dev_converter(arg, &dev) ? PyLong_FromLong((long)minor(dev)) : NULL;
}

static PyObject *
os_makedev(POSARGS)
{
    int major_, minor_;
    if (!PARSE_POS("ii:makedev", &major_, &minor_)) {
        return NULL;
    }
    return _posix_dev(makedev((unsigned)major_, (unsigned)minor_));
}

PyMethodDef _posix_path_methods[] = {
    {"chdir", FAST_KEYWORDS(os_chdir), "chdir($module, /, path)\n--\n\nChanges the current directory."},
    {"fchdir", FAST_KEYWORDS(os_fchdir), "fchdir($module, /, fd)\n--\n\nChanges to an open directory."},
    {"chroot", FAST_KEYWORDS(os_chroot), "chroot($module, /, path)\n--\n\nChanges the root directory."},
    {"chmod", FAST_KEYWORDS(os_chmod),
     "chmod($module, /, path, mode, *, dir_fd=None, follow_symlinks=True)\n--\n\nChanges the mode of a file."},
    {"fchmod", FAST_KEYWORDS(os_fchmod), "fchmod($module, /, fd, mode)\n--\n\nChanges the mode of an open file."},
    {"chown", FAST_KEYWORDS(os_chown),
     "chown($module, /, path, uid, gid, *, dir_fd=None, follow_symlinks=True)\n--\n\nChanges the owner of a file."},
    {"lchown", FAST_KEYWORDS(os_lchown), "lchown($module, /, path, uid, gid)\n--\n\nchown, not following links."},
    {"fchown", FAST_KEYWORDS(os_fchown), "fchown($module, /, fd, uid, gid)\n--\n\nChanges the owner of an open file."},
    {"getcwd", os_getcwd, METH_NOARGS, "getcwd($module, /)\n--\n\nThe current directory."},
    {"getcwdb", os_getcwdb, METH_NOARGS, "getcwdb($module, /)\n--\n\nThe current directory as bytes."},
    {"mkdir", FAST_KEYWORDS(os_mkdir), "mkdir($module, /, path, mode=511, *, dir_fd=None)\n--\n\nMakes a directory."},
    {"rmdir", FAST_KEYWORDS(os_rmdir), "rmdir($module, /, path, *, dir_fd=None)\n--\n\nRemoves an empty directory."},
    {"unlink", FAST_KEYWORDS(os_unlink), "unlink($module, /, path, *, dir_fd=None)\n--\n\nRemoves a file."},
    {"remove", FAST_KEYWORDS(os_remove), "remove($module, /, path, *, dir_fd=None)\n--\n\nRemoves a file."},
    {"rename", FAST_KEYWORDS(os_rename),
     "rename($module, /, src, dst, *, src_dir_fd=None, dst_dir_fd=None)\n--\n\nRenames a file or directory."},
    {"replace", FAST_KEYWORDS(os_replace),
     "replace($module, /, src, dst, *, src_dir_fd=None, dst_dir_fd=None)\n--\n\nRenames, overwriting the destination."},
    {"link", FAST_KEYWORDS(os_link),
     "link($module, /, src, dst, *, src_dir_fd=None, dst_dir_fd=None,\n     follow_symlinks=True)\n--\n\nMakes a hard link."},
    {"symlink", FAST_KEYWORDS(os_symlink),
     "symlink($module, /, src, dst, target_is_directory=False, *, dir_fd=None)\n--\n\nMakes a symbolic link."},
    {"readlink", FAST_KEYWORDS(os_readlink), "readlink($module, /, path, *, dir_fd=None)\n--\n\nWhere a symbolic link points."},
    {"mkfifo", FAST_KEYWORDS(os_mkfifo), "mkfifo($module, /, path, mode=438, *, dir_fd=None)\n--\n\nMakes a named pipe."},
    {"mknod", FAST_KEYWORDS(os_mknod),
     "mknod($module, /, path, mode=384, device=0, *, dir_fd=None)\n--\n\nMakes a node in the file system."},
    {"truncate", FAST_KEYWORDS(os_truncate), "truncate($module, /, path, length)\n--\n\nSets the length of a file."},
    {"utime", FAST_KEYWORDS(os_utime),
     "utime($module, /, path, times=None, *, ns=<unrepresentable>,\n      dir_fd=None, follow_symlinks=True)\n--\n\nSets the times of a file."},
    {"fspath", FAST_KEYWORDS(os_fspath), "fspath($module, /, path)\n--\n\nThe str or bytes of a path-like object."},
    {"_path_normpath", FAST_KEYWORDS(os__path_normpath), "_path_normpath($module, /, path)\n--\n\n"
      "os.path.normpath(), in C."},
    {"putenv", FAST(os_putenv), "putenv($module, name, value, /)\n--\n\nSets an environment variable."},
    {"unsetenv", os_unsetenv, METH_O, "unsetenv($module, name, /)\n--\n\nRemoves an environment variable."},
    {"major", os_major, METH_O, "major($module, device, /)\n--\n\n"
      "The major number of a device."},
    {"minor", os_minor, METH_O, "minor($module, device, /)\n--\n\n"
      "The minor number of a device."},
    {"makedev", FAST(os_makedev), "makedev($module, major, minor, /)\n--\n\n"
      "The device with these two numbers."},
    {NULL, NULL, 0, NULL}
};
