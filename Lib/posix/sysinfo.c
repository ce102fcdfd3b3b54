/* Information about the system: uname, times, sysconf and similar, random bytes, load. */
#include "posix.h"

#include <sched.h>
#include <sys/random.h>
#include <sys/times.h>
#include <sys/utsname.h>

/* --------------------------------------------------------- struct sequences */

static PyStructSequence_Field times_fields[] = {
    {"user", "user time"}, {"system", "system time"}, {"children_user", "user time of children"},
    {"children_system", "system time of children"},
    {"elapsed", "elapsed time since an arbitrary point in the past"}, {NULL, NULL}
};
static PyStructSequence_Desc times_desc = {
    "posix.times_result", "The result of os.times().", times_fields, 5
};

static PyStructSequence_Field uname_fields[] = {
    {"sysname", "operating system name"}, {"nodename", "name of machine on network"},
    {"release", "operating system release"}, {"version", "operating system version"},
    {"machine", "hardware identifier"}, {NULL, NULL}
};
static PyStructSequence_Desc uname_desc = {
    "posix.uname_result", "The result of os.uname().", uname_fields, 5
};

static PyStructSequence_Field size_fields[] = {
    {"columns", "width of the terminal window in characters"},
    {"lines", "height of the terminal window in characters"}, {NULL, NULL}
};
static PyStructSequence_Desc size_desc = {
    "os.terminal_size", "A tuple of (columns, lines) for holding terminal window size",
    size_fields, 2
};

static PyObject *
os_uname(NOARGS)
{
    struct utsname u;
    if (uname(&u) < 0) {
        return _posix_error();
    }
    const char *parts[] = {u.sysname, u.nodename, u.release, u.version, u.machine};
    PyObject *result = PyStructSequence_New(_posix_types.uname_result);
    for (int i = 0; result != NULL && i < 5; i++) {
        PyObject *text = PyUnicode_DecodeFSDefault(parts[i]);
        if (text == NULL) {
            Py_CLEAR(result);
            break;
        }
        PyStructSequence_SetItem(result, i, text);
    }
    return result;
}

static PyObject *
os_times(NOARGS)
{
    struct tms t;
    clock_t elapsed = times(&t);
    if (elapsed == (clock_t)-1) {
        return _posix_error();
    }
    double ticks = (double)sysconf(_SC_CLK_TCK);
    const clock_t values[] = {t.tms_utime, t.tms_stime, t.tms_cutime, t.tms_cstime, elapsed};
    PyObject *result = PyStructSequence_New(_posix_types.times_result);
    for (int i = 0; result != NULL && i < 5; i++) {
        PyStructSequence_SetItem(result, i, PyFloat_FromDouble((double)values[i] / ticks));
    }
    return result;
}

static PyObject *
os_getloadavg(NOARGS)
{
    double load[3];
    if (getloadavg(load, 3) != 3) {
        PyErr_SetString(PyExc_OSError, "Load averages are unobtainable");
        return NULL;
    }
    return Py_BuildValue("ddd", load[0], load[1], load[2]);
}

static PyObject *
os_cpu_count(NOARGS)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? Py_NewRef(Py_None) : PyLong_FromLong(n);
}

static PyObject *
os_strerror(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int code = _PyLong_AsInt(arg);
    return code == -1 && PyErr_Occurred() ? NULL
        : PyUnicode_DecodeLocale(strerror(code), "surrogateescape");
}

static PyObject *
os_sync(NOARGS)
{
    Py_BEGIN_ALLOW_THREADS
    sync();
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------- random bytes */

static PyObject *
random_bytes(Py_ssize_t size, unsigned flags, int all)
{
    if (size < 0) {
        if (all) {
            PyErr_SetString(PyExc_ValueError, "negative argument not allowed");
            return NULL;
        }
        errno = EINVAL;
        return _posix_error();
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    Py_ssize_t done = 0;
    while (bytes != NULL && (done < size || (!all && done == 0))) {
        Py_ssize_t n;
        int interrupted;
        RESTARTED(n, getrandom(PyBytes_AS_STRING(bytes) + done, (size_t)(size - done), flags),
                  interrupted);
        if (n < 0) {
            Py_DECREF(bytes);
            return interrupted ? NULL : _posix_error();
        }
        done += n;
        if (!all) {
            break;
        }
    }
    if (bytes != NULL && done != size) {
        _PyBytes_Resize(&bytes, done);
    }
    return bytes;
}

int
_PyOS_URandom(void *buffer, Py_ssize_t size)
{
    for (Py_ssize_t done = 0; done < size;) {
        Py_ssize_t n;
        int interrupted;
        RESTARTED(n, getrandom((char *)buffer + done, (size_t)(size - done), 0), interrupted);
        if (n < 0) {
            if (!interrupted) {
                _posix_error();
            }
            return -1;
        }
        done += n;
    }
    return 0;
}

int
_PyOS_URandomNonblock(void *buffer, Py_ssize_t size)
{
    return _PyOS_URandom(buffer, size);
}

static PyObject *
os_urandom(PyObject *Py_UNUSED(module), PyObject *arg)
{
    Py_ssize_t size = PyNumber_AsSsize_t(arg, PyExc_OverflowError);
    return size == -1 && PyErr_Occurred() ? NULL : random_bytes(size, 0, 1);
}

static PyObject *
os_getrandom(ARGS)
{
    KEYWORDS("size", "flags");
    Py_ssize_t size;
    int flags = 0;
    return PARSE("n|i:getrandom", &size, &flags) ? random_bytes(size, (unsigned)flags, 0) : NULL;
}

/* ----------------------------------------------- confstr, sysconf, pathconf */

typedef struct {
    const char *name;
    int value;
} NamedInt;

static const NamedInt sysconf_table[] = {
#define S(name) {"SC_" #name, _SC_##name},
#include "sysconf_names.def"
#undef S
};
static const NamedInt pathconf_table[] = {
#define P(name) {"PC_" #name, _PC_##name},
#include "pathconf_names.def"
#undef P
};
static const NamedInt confstr_table[] = {
#define C(name) {"CS_" #name, _CS_##name},
#include "confstr_names.def"
#undef C
};

/* An int, or a name of the table. */
static int
conf_name(PyObject *arg, int *value, const NamedInt *table, size_t n)
{
    if (PyUnicode_Check(arg)) {
        for (size_t i = 0; i < n; i++) {
            if (_PyUnicode_EqualToASCIIString(arg, table[i].name)) {
                *value = table[i].value;
                return 1;
            }
        }
        PyErr_SetString(PyExc_ValueError, "unrecognized configuration name");
        return 0;
    }
    if (!PyLong_Check(arg)) {
        PyErr_SetString(PyExc_TypeError, "configuration names must be strings or integers");
        return 0;
    }
    *value = _PyLong_AsInt(arg);
    return !(*value == -1 && PyErr_Occurred());
}

#define CONF_NAME(arg, value, table) conf_name(arg, value, table, Py_ARRAY_LENGTH(table))

static PyObject *
conf_result(long value)
{
    return value == -1 && errno != 0 ? _posix_error() : PyLong_FromLong(value);
}

static PyObject *
os_sysconf(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int name;
    if (!CONF_NAME(arg, &name, sysconf_table)) {
        return NULL;
    }
    errno = 0;
    return conf_result(sysconf(name));
}

static PyObject *
os_confstr(PyObject *Py_UNUSED(module), PyObject *arg)
{
    int name;
    if (!CONF_NAME(arg, &name, confstr_table)) {
        return NULL;
    }
    errno = 0;
    size_t n = confstr(name, NULL, 0);
    if (n == 0) {
        return errno ? _posix_error() : Py_NewRef(Py_None);
    }
    char *text = PyMem_Malloc(n);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    confstr(name, text, n);
    PyObject *result = PyUnicode_DecodeFSDefaultAndSize(text, (Py_ssize_t)n - 1);
    PyMem_Free(text);
    return result;
}

static PyObject *
os_pathconf(ARGS)
{
    KEYWORDS("path", "name");
    path_t path = PATH("pathconf", "path", 0, 1);
    PyObject *which;
    int name;
    if (!PARSE("O&O:pathconf", path_converter, &path, &which)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (CONF_NAME(which, &name, pathconf_table)) {
        errno = 0;
        /* By the text, because -1 is a descriptor, too: a closed one. */
        long value = path.text == NULL ? fpathconf(path.fd, name) : pathconf(path.text, name);
        if (value == -1 && errno != 0) {
            result = errno == EINVAL ? _posix_error() : _posix_path_error(&path);
        }
        else {
            result = PyLong_FromLong(value);
        }
    }
    path_done(&path);
    return result;
}

static PyObject *
os_fpathconf(POSARGS)
{
    int fd, name;
    PyObject *which;
    if (!PARSE_POS("O&O:fpathconf", _posix_fd_converter, &fd, &which)
        || !CONF_NAME(which, &name, pathconf_table)) {
        return NULL;
    }
    errno = 0;
    return conf_result(fpathconf(fd, name));
}

static int
add_names(PyObject *module, const char *attr, const NamedInt *table, size_t n)
{
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict != NULL && i < n; i++) {
        PyObject *value = PyLong_FromLong(table[i].value);
        if (value == NULL || PyDict_SetItemString(dict, table[i].name, value) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(value);
    }
    int rc = dict == NULL ? -1 : PyModule_AddObjectRef(module, attr, dict);
    Py_XDECREF(dict);
    return rc;
}

#define M(name, flags, text) {#name, _PyCFunction_CAST(os_##name), flags, #name text}

PyMethodDef _posix_sysinfo_methods[] = {
    M(uname, METH_NOARGS, "($module, /)\n--\n\nThe operating system."),
    M(times, METH_NOARGS, "($module, /)\n--\n\nProcess times in seconds."),
    M(getloadavg, METH_NOARGS, "($module, /)\n--\n\nThe load of the last 1, 5 and 15 minutes."),
    M(cpu_count, METH_NOARGS, "($module, /)\n--\n\nHow many CPUs the system has; None if unknown."),
    M(strerror, METH_O, "($module, code, /)\n--\n\nThe message of an error number."),
    M(sync, METH_NOARGS, "($module, /)\n--\n\nForces everything to disk."),
    M(urandom, METH_O, "($module, size, /)\n--\n\nRandom bytes fit for cryptography."),
    M(getrandom, METH_FASTCALL | METH_KEYWORDS, "($module, /, size, flags=0)\n--\n\nRandom bytes from the kernel."),
    M(sysconf, METH_O, "($module, name, /)\n--\n\nAn integer about the system."),
    M(confstr, METH_O, "($module, name, /)\n--\n\nA string about the system."),
    M(pathconf, METH_FASTCALL | METH_KEYWORDS, "($module, /, path, name)\n--\n\nA limit of a file."),
    M(fpathconf, METH_FASTCALL, "($module, fd, name, /)\n--\n\nA limit of an open file."),
    {NULL, NULL, 0, NULL}
};

int
_posix_init_sysinfo(PyObject *module)
{
    if (_posix_make_type(&_posix_types.times_result, &times_desc) < 0
        || _posix_make_type(&_posix_types.uname_result, &uname_desc) < 0
        || _posix_make_type(&_posix_types.terminal_size, &size_desc) < 0
        || _posix_add_type(module, "times_result", _posix_types.times_result) < 0
        || _posix_add_type(module, "uname_result", _posix_types.uname_result) < 0
        || _posix_add_type(module, "terminal_size", _posix_types.terminal_size) < 0
        || add_names(module, "sysconf_names", sysconf_table,
                     Py_ARRAY_LENGTH(sysconf_table)) < 0
        || add_names(module, "confstr_names", confstr_table,
                     Py_ARRAY_LENGTH(confstr_table)) < 0) {
        return -1;
    }
    return add_names(module, "pathconf_names", pathconf_table, Py_ARRAY_LENGTH(pathconf_table));
}
