/* stat and its relatives: stat_result, statvfs_result, access. */
#include "posix.h"

#include <sys/statvfs.h>

posix_types _posix_types;

/* -------------------------------------------------------------- stat_result */

static PyStructSequence_Field stat_fields[] = {
    {"st_mode", "protection bits"}, {"st_ino", "inode"}, {"st_dev", "device"},
    {"st_nlink", "number of hard links"}, {"st_uid", "user ID of owner"},
    {"st_gid", "group ID of owner"}, {"st_size", "total size, in bytes"},
    {NULL, "integer time of last access"}, {NULL, "integer time of last modification"},
    {NULL, "integer time of last change"}, {"st_atime", "time of last access"},
    {"st_mtime", "time of last modification"}, {"st_ctime", "time of last change"},
    {"st_atime_ns", "time of last access in nanoseconds"},
    {"st_mtime_ns", "time of last modification in nanoseconds"},
    {"st_ctime_ns", "time of last change in nanoseconds"},
    {"st_blksize", "blocksize for filesystem I/O"}, {"st_blocks", "number of blocks allocated"},
    {"st_rdev", "device type (if inode device)"}, {NULL, NULL}
};
static PyStructSequence_Desc stat_desc = {
    "os.stat_result", "The result of os.stat(), os.fstat() and os.lstat().", stat_fields, 10
};

static PyStructSequence_Field statvfs_fields[] = {
    {"f_bsize", NULL}, {"f_frsize", NULL}, {"f_blocks", NULL}, {"f_bfree", NULL},
    {"f_bavail", NULL}, {"f_files", NULL}, {"f_ffree", NULL}, {"f_favail", NULL},
    {"f_flag", NULL}, {"f_namemax", NULL}, {"f_fsid", NULL}, {NULL, NULL}
};
static PyStructSequence_Desc statvfs_desc = {
    "os.statvfs_result", "The result of os.statvfs() and os.fstatvfs().", statvfs_fields, 10
};

/* stat_result((10 integers)): the float times default to the integer ones. */
static newfunc structseq_new;

static PyObject *
stat_result_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyStructSequence *result = (PyStructSequence *)structseq_new(type, args, kwds);
    for (int i = 7; result != NULL && i <= 9; i++) {
        if (result->ob_item[i + 3] == Py_None) {
            Py_DECREF(Py_None);
            result->ob_item[i + 3] = Py_NewRef(result->ob_item[i]);
        }
    }
    return (PyObject *)result;
}

/* The three forms of one time: whole seconds, float seconds, nanoseconds. */
static int
set_time(PyObject *result, int index, const struct timespec *t)
{
    PyObject *seconds = PyLong_FromLongLong(t->tv_sec);
    PyObject *floating = PyFloat_FromDouble((double)t->tv_sec + 1e-9 * (double)t->tv_nsec);
    PyObject *ns;
    long long total;
    if (!__builtin_mul_overflow((long long)t->tv_sec, 1000000000LL, &total)
        && !__builtin_add_overflow(total, (long long)t->tv_nsec, &total)) {
        ns = PyLong_FromLongLong(total);
    }
    else {
        PyObject *billion = PyLong_FromLong(1000000000), *rest = PyLong_FromLong(t->tv_nsec);
        PyObject *product = seconds && billion ? PyNumber_Multiply(seconds, billion) : NULL;
        ns = product && rest ? PyNumber_Add(product, rest) : NULL;
        Py_XDECREF(billion);
        Py_XDECREF(rest);
        Py_XDECREF(product);
    }
    PyStructSequence_SetItem(result, index, seconds);
    PyStructSequence_SetItem(result, index + 3, floating);
    PyStructSequence_SetItem(result, index + 6, ns);
    return seconds == NULL || floating == NULL || ns == NULL ? -1 : 0;
}

PyObject *
_posix_stat_result(const struct stat *st)
{
    PyObject *result = PyStructSequence_New(_posix_types.stat_result);
    if (result == NULL) {
        return NULL;
    }
    PyObject *items[] = {
        PyLong_FromLong((long)st->st_mode), PyLong_FromUnsignedLongLong(st->st_ino),
        _posix_dev(st->st_dev), PyLong_FromLong((long)st->st_nlink), _PyLong_FromUid(st->st_uid),
        _PyLong_FromGid(st->st_gid), PyLong_FromLongLong(st->st_size)
    };
    for (int i = 0; i < 7; i++) {
        PyStructSequence_SetItem(result, i, items[i]);
    }
    if (set_time(result, 7, &st->st_atim) < 0 || set_time(result, 8, &st->st_mtim) < 0
        || set_time(result, 9, &st->st_ctim) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    PyStructSequence_SetItem(result, 16, PyLong_FromLong((long)st->st_blksize));
    PyStructSequence_SetItem(result, 17, PyLong_FromLongLong(st->st_blocks));
    PyStructSequence_SetItem(result, 18, _posix_dev(st->st_rdev));
    if (PyErr_Occurred()) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

/* --------------------------------------------------------------------- stat */

static PyObject *
do_stat(const char *function, path_t *path, int dir_fd, int follow)
{
    struct stat st;
    int rc;
    if (_posix_bad_combination(function, path, dir_fd, follow)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    rc = path->fd != -1 ? fstat(path->fd, &st)
        : fstatat(dir_fd, path->text, &st, follow ? 0 : AT_SYMLINK_NOFOLLOW);
    Py_END_ALLOW_THREADS
    return rc < 0 ? _posix_path_error(path) : _posix_stat_result(&st);
}

static PyObject *
os_stat(ARGS)
{
    KEYWORDS("path", "dir_fd", "follow_symlinks");
    path_t path = PATH("stat", "path", 0, 1);
    int dir_fd = AT_FDCWD, follow = 1;
    if (!PARSE("O&|$O&p:stat", path_converter, &path, dir_fd_converter, &dir_fd, &follow)) {
        return NULL;
    }
    PyObject *result = do_stat("stat", &path, dir_fd, follow);
    path_done(&path);
    return result;
}

static PyObject *
os_lstat(ARGS)
{
    KEYWORDS("path", "dir_fd");
    path_t path = PATH("lstat", "path", 0, 0);
    int dir_fd = AT_FDCWD;
    if (!PARSE("O&|$O&:lstat", path_converter, &path, dir_fd_converter, &dir_fd)) {
        return NULL;
    }
    PyObject *result = do_stat("lstat", &path, dir_fd, 0);
    path_done(&path);
    return result;
}

static PyObject *
os_fstat(ARGS)
{
    KEYWORDS("fd");
    int fd, rc, interrupted;
    struct stat st;
    if (!PARSE("i:fstat", &fd)) {
        return NULL;
    }
    RESTARTED(rc, fstat(fd, &st), interrupted);
    if (rc < 0) {
        return interrupted ? NULL : _posix_error();
    }
    return _posix_stat_result(&st);
}

static PyObject *
os_access(ARGS)
{
    KEYWORDS("path", "mode", "dir_fd", "effective_ids", "follow_symlinks");
    path_t path = PATH("access", "path", 0, 0);
    int mode, dir_fd = AT_FDCWD, effective = 0, follow = 1, rc;
    if (!PARSE("O&i|$O&pp:access", path_converter, &path, &mode, dir_fd_converter, &dir_fd,
               &effective, &follow)) {
        return NULL;
    }
    int flags = (follow ? 0 : AT_SYMLINK_NOFOLLOW) | (effective ? AT_EACCESS : 0);
    UNLOCKED(rc, faccessat(dir_fd, path.text, mode, flags));
    path_done(&path);
    return PyBool_FromLong(rc == 0);
}

/* ------------------------------------------------------------------ statvfs */

static PyObject *
statvfs_result(const struct statvfs *st)
{
    PyObject *result = PyStructSequence_New(_posix_types.statvfs_result);
    if (result == NULL) {
        return NULL;
    }
    const unsigned long long values[] = {
        st->f_bsize, st->f_frsize, st->f_blocks, st->f_bfree, st->f_bavail, st->f_files,
        st->f_ffree, st->f_favail, st->f_flag, st->f_namemax, st->f_fsid
    };
    for (int i = 0; i < 11; i++) {
        PyStructSequence_SetItem(result, i, PyLong_FromUnsignedLongLong(values[i]));
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
os_statvfs(ARGS)
{
    KEYWORDS("path");
    path_t path = PATH("statvfs", "path", 0, 1);
    struct statvfs st;
    int rc;
    if (!PARSE("O&:statvfs", path_converter, &path)) {
        return NULL;
    }
    UNLOCKED(rc, path.fd != -1 ? fstatvfs(path.fd, &st) : statvfs(path.text, &st));
    PyObject *result = rc < 0 ? _posix_path_error(&path) : statvfs_result(&st);
    path_done(&path);
    return result;
}

static PyObject *
os_fstatvfs(PyObject *Py_UNUSED(module), PyObject *arg)
{
    struct statvfs st;
    int rc, interrupted, fd = _PyLong_AsInt(arg);
    if (fd == -1 && PyErr_Occurred()) {
        return NULL;
    }
    RESTARTED(rc, fstatvfs(fd, &st), interrupted);
    if (rc < 0) {
        return interrupted ? NULL : _posix_error();
    }
    return statvfs_result(&st);
}

PyMethodDef _posix_stat_methods[] = {
    {"stat", FAST_KEYWORDS(os_stat),
     "stat($module, /, path, *, dir_fd=None, follow_symlinks=True)\n--\n\nStatus of a file."},
    {"lstat", FAST_KEYWORDS(os_lstat),
     "lstat($module, /, path, *, dir_fd=None)\n--\n\nStatus of a file, not following links."},
    {"fstat", FAST_KEYWORDS(os_fstat),
     "fstat($module, /, fd)\n--\n\nStatus of an open file."},
    {"access", FAST_KEYWORDS(os_access),
     "access($module, /, path, mode, *, dir_fd=None, effective_ids=False,\n"
     "       follow_symlinks=True)\n--\n\nMay the real user do this with a path?"},
    {"statvfs", FAST_KEYWORDS(os_statvfs),
     "statvfs($module, /, path)\n--\n\nStatus of a file system."},
    {"fstatvfs", os_fstatvfs, METH_O,
     "fstatvfs($module, fd, /)\n--\n\nStatus of the file system of an open file."},
    {NULL, NULL, 0, NULL}
};

int
_posix_add_type(PyObject *module, const char *name, PyTypeObject *type)
{
    return type == NULL ? -1 : PyModule_AddObjectRef(module, name, (PyObject *)type);
}

int
_posix_make_type(PyTypeObject **type, PyStructSequence_Desc *desc)
{
    if (*type == NULL) {
        *type = PyStructSequence_NewType(desc);
    }
    return *type == NULL ? -1 : 0;
}

int
_posix_init_stat(PyObject *module)
{
    stat_fields[7].name = stat_fields[8].name = stat_fields[9].name = PyStructSequence_UnnamedField;
    if (_posix_make_type(&_posix_types.stat_result, &stat_desc) < 0
        || _posix_make_type(&_posix_types.statvfs_result, &statvfs_desc) < 0) {
        return -1;
    }
    if (_posix_types.stat_result->tp_new != stat_result_new) {
        structseq_new = _posix_types.stat_result->tp_new;
        _posix_types.stat_result->tp_new = stat_result_new;
    }
    if (_posix_add_type(module, "stat_result", _posix_types.stat_result) < 0) {
        return -1;
    }
    return _posix_add_type(module, "statvfs_result", _posix_types.statvfs_result);
}
