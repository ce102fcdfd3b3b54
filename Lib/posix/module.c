/* The posix module: combines its parts, the constants and `environ`. */
#include "posix.h"
#include "internal/module_init.h"

#include <dlfcn.h>
#include <limits.h>
#include <linux/limits.h>
#include <linux/memfd.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <sysexits.h>

extern char **environ;

#ifndef P_PIDFD
#define P_PIDFD 3
#endif
#ifndef EX_OK
#define EX_OK 0
#endif
/* Names that Python itself defines. */
enum { POSIX_SPAWN_OPEN, POSIX_SPAWN_CLOSE, POSIX_SPAWN_DUP2 };

static const struct {
    const char *name;
    long long value;
} constants[] = {
#define K(name) {#name, name},
#include "constants.def"
#undef K
};

/* os.supports_dir_fd and similar sets are computed from this. */
static const char *const have_functions[] = {
    "HAVE_EVENTFD", "HAVE_FACCESSAT", "HAVE_FCHDIR", "HAVE_FCHMOD", "HAVE_FCHMODAT",
    "HAVE_FCHOWN", "HAVE_FCHOWNAT", "HAVE_FEXECVE", "HAVE_FDOPENDIR", "HAVE_FPATHCONF",
    "HAVE_FSTATAT", "HAVE_FSTATVFS", "HAVE_FTRUNCATE", "HAVE_FUTIMENS", "HAVE_FUTIMES",
    "HAVE_FUTIMESAT", "HAVE_LINKAT", "HAVE_LCHOWN", "HAVE_LSTAT", "HAVE_LUTIMES",
    "HAVE_MEMFD_CREATE", "HAVE_MKDIRAT", "HAVE_MKFIFOAT", "HAVE_MKNODAT", "HAVE_OPENAT",
    "HAVE_READLINKAT", "HAVE_RENAMEAT", "HAVE_SYMLINKAT", "HAVE_UNLINKAT", "HAVE_UTIMENSAT",
};

/* {b"NAME": b"value"}; if a name occurs twice, the first one counts. */
static PyObject *
environment_dict(void)
{
    PyObject *dict = PyDict_New();
    for (char **e = environ; dict != NULL && e != NULL && *e != NULL; e++) {
        const char *eq = strchr(*e, '=');
        if (eq == NULL) {
            continue;
        }
        PyObject *key = PyBytes_FromStringAndSize(*e, eq - *e);
        PyObject *value = PyBytes_FromString(eq + 1);
        if (key == NULL || value == NULL || PyDict_SetDefault(dict, key, value) == NULL) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    return dict;
}

static int
posix_exec(PyObject *module)
{
    PyMethodDef *const tables[] = {
        _posix_stat_methods, _posix_path_methods, _posix_fd_methods, _posix_process_methods,
        _posix_spawn_methods, _posix_user_methods, _posix_sysinfo_methods,
        _posix_scandir_methods, _posix_sched_methods, _posix_xattr_methods,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(tables); i++) {
        if (PyModule_AddFunctions(module, tables[i]) < 0) {
            return -1;
        }
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        PyObject *value = PyLong_FromLongLong(constants[i].value);
        int rc = value == NULL ? -1 : PyModule_AddObjectRef(module, constants[i].name, value);
        Py_XDECREF(value);
        if (rc < 0) {
            return -1;
        }
    }
    PyObject *env = environment_dict();
    int rc = env == NULL ? -1 : PyModule_AddObjectRef(module, "environ", env);
    Py_XDECREF(env);
    PyObject *have = PyList_New(0);
    for (size_t i = 0; have != NULL && i < Py_ARRAY_LENGTH(have_functions); i++) {
        PyObject *name = PyUnicode_FromString(have_functions[i]);
        if (name == NULL || PyList_Append(have, name) < 0) {
            Py_CLEAR(have);
        }
        Py_XDECREF(name);
    }
    if (rc < 0 || have == NULL || PyModule_AddObjectRef(module, "_have_functions", have) < 0
        || PyModule_AddObjectRef(module, "error", PyExc_OSError) < 0) {
        Py_XDECREF(have);
        return -1;
    }
    Py_DECREF(have);
    return _posix_init_stat(module) < 0 || _posix_init_process(module) < 0
        || _posix_init_sysinfo(module) < 0 || _posix_init_scandir(module) < 0
        || _posix_init_sched(module) < 0 ? -1 : 0;
}

static PyModuleDef_Slot posix_slots[] = {{Py_mod_exec, posix_exec}, {0, NULL}};

static struct PyModuleDef posix_module = {
    PyModuleDef_HEAD_INIT, "posix",
    "This module provides access to operating system functionality that is\n"
    "standardized by the C Standard and the POSIX standard (a thinly\n"
    "disguised Unix interface).  Refer to the library manual and\n"
    "corresponding Unix manual entries for more information on calls.",
    0, NULL, posix_slots, NULL, NULL, NULL
};

MODULE_INIT(posix)
{
    return PyModuleDef_Init(&posix_module);
}
