/* What the files of the posix module share: path arguments, errors, calls that are
   repeated after a signal.

   Each file covers one subject and exports a method table; module.c combines them. */
#ifndef SB_LIB_POSIX_H
#define SB_LIB_POSIX_H

#include "Python.h"
#include "structmember.h"
#include "internal/fileutils.h"
#include "internal/getargs.h"
#include "../shared/ids.h"
#include "internal/method_table.h"
#include "internal/names.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* ----------------------------------------------------------- path arguments */

/* A str, bytes or PathLike, encoded; or an open descriptor where allowed. Initialise with
   PATH(function, argument, nullable, allow_fd); always release with path_done(). */
typedef struct {
    const char *function, *argument;
    int nullable, allow_fd;
    const char *text;           /* NULL when a descriptor, or None */
    int fd;                     /* -1 unless a descriptor */
    Py_ssize_t length;
    PyObject *object;           /* what was given; owned */
    PyObject *bytes;            /* keeps text alive; owned */
    int is_bytes;               /* results are bytes, too */
} path_t;

#define PATH(function, argument, nullable, allow_fd) \
    {function, argument, nullable, allow_fd, NULL, -1, 0, NULL, NULL, 0}

/* "O&" converters: path_t *, int *. */
int _posix_path_converter(PyObject *object, void *path);
int _posix_dir_fd_converter(PyObject *object, void *fd);
int _posix_fd_converter(PyObject *object, void *fd);    /* int or has fileno() */
int _posix_off_converter(PyObject *object, void *off);
int _posix_dev_converter(PyObject *object, void *dev);
int _posix_id_converter(PyObject *object, void *id);    /* id_t */
int _posix_pid_converter(PyObject *object, void *pid);
void _posix_path_done(path_t *path);

#define path_converter  _posix_path_converter
#define dir_fd_converter _posix_dir_fd_converter
#define path_done       _posix_path_done

/* Raises OSError from errno with the path's object as filename. Returns NULL. */
PyObject *_posix_path_error(const path_t *path);
PyObject *_posix_path_error2(const path_t *path, const path_t *path2);
/* Raises OSError from errno. Returns NULL. */
PyObject *_posix_error(void);

/* Combinations that no system call supports: 1 with ValueError set. */
int _posix_bad_combination(const char *function, const path_t *path, int dir_fd,
                           int follow_symlinks);
/* Raises NotImplementedError, "f: x unavailable on this platform". Returns NULL. */
PyObject *_posix_unavailable(const char *function, const char *argument);

PyObject *_posix_dev(dev_t dev);

/* ---------------------------------------------------------------- arguments */

#define ARGS PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs, \
             PyObject *kwnames
#define POSARGS PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs
#define NOARGS PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored)
#define KEYWORDS(...) static const char *const keywords_[] = {__VA_ARGS__, NULL}
/* Parses into the pointers, by keyword too, after KEYWORDS(). */
#define PARSE(format_, ...) ({ \
    static _PyArg_Parser parser_ = {.format = format_, .keywords = keywords_}; \
    _PyArg_ParseStackAndKeywords(args, nargs, kwnames, &parser_, __VA_ARGS__); })
/* Positional arguments; where a process or its like is among them, python3.11 says that there are
   too few or too many in the words of _PyArg_ParseStack(). */
#define PARSE_POS_PID(format_, ...) _PyArg_ParseStack(args, nargs, format_, __VA_ARGS__)
#define PARSE_POS(format_, ...) _PyArg_ParsePositional(args, nargs, format_, __VA_ARGS__)

/* rc = call without the GIL. */
#define UNLOCKED(rc, call) do { \
    Py_BEGIN_ALLOW_THREADS \
    rc = (call); \
    Py_END_ALLOW_THREADS \
} while (0)

/* The same, but repeated after EINTR unless a signal handler raised: then `interrupted`
   is 1 and the exception stays set. */
#define RESTARTED(rc, call, interrupted) do { \
    int errno_; \
    interrupted = 0; \
    do { \
        Py_BEGIN_ALLOW_THREADS \
        rc = (call); \
        errno_ = errno; \
        Py_END_ALLOW_THREADS \
        errno = errno_; \
    } while (rc < 0 && errno_ == EINTR && !(interrupted = PyErr_CheckSignals() != 0)); \
} while (0)

#define NONE_OR_ERROR(rc) return (rc) < 0 ? _posix_error() : Py_NewRef(Py_None)

/* ------------------------------------------------------------- shared types */

/* Made by the first interpreter that imports the module, and shared by all of them for
   the life of the process. */
typedef struct {
    PyTypeObject *stat_result, *statvfs_result, *waitid_result, *times_result, *uname_result,
                 *terminal_size, *sched_param, *DirEntry, *ScandirIterator;
} posix_types;

extern posix_types _posix_types;

/* Makes a named tuple type if it does not exist yet. 0, or -1 with an exception. */
int _posix_make_type(PyTypeObject **type, PyStructSequence_Desc *desc);

PyObject *_posix_stat_result(const struct stat *st);
/* Creates stat_result and statvfs_result, or the others: 0 or -1. */
int _posix_init_stat(PyObject *module);
int _posix_init_process(PyObject *module);
int _posix_init_sysinfo(PyObject *module);
int _posix_init_scandir(PyObject *module);
int _posix_init_sched(PyObject *module);
int _posix_init_constants(PyObject *module);
int _posix_add_type(PyObject *module, const char *name, PyTypeObject *type);

extern PyMethodDef _posix_stat_methods[], _posix_path_methods[], _posix_fd_methods[],
                   _posix_process_methods[], _posix_spawn_methods[], _posix_user_methods[],
                   _posix_sysinfo_methods[], _posix_scandir_methods[], _posix_sched_methods[],
                   _posix_xattr_methods[];

/* argv or env for exec: NULL-terminated, from PyMem; NULL with an exception. */
char **_posix_string_vector(PyObject *seq, const char *function, const char *argument,
                            Py_ssize_t *count);
char **_posix_environment(PyObject *mapping, Py_ssize_t *count);
void _posix_free_vector(char **vector, Py_ssize_t count);
int _posix_fs_bytes(PyObject *object, void *out);   /* "O&": PyUnicode_FSConverter */

#endif
