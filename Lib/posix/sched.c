/* The scheduler, and extended attributes of files. */
#include "posix.h"

#include <sched.h>
#include <linux/limits.h>
#include <sys/xattr.h>

static PyStructSequence_Field param_fields[] = {
    {"sched_priority", "the scheduling priority"}, {NULL, NULL}
};
static PyStructSequence_Desc param_desc = {
    "posix.sched_param", "sched_param(sched_priority)\n--\n\nA scheduling parameter.",
    param_fields, 1
};

static PyObject *
param_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"sched_priority", NULL};
    PyObject *priority;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:sched_param", names, &priority)) {
        return NULL;
    }
    PyObject *self = PyStructSequence_New(type);
    if (self != NULL) {
        PyStructSequence_SetItem(self, 0, Py_NewRef(priority));
    }
    return self;
}

static PyObject *
param_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(O(O))", Py_TYPE(self), PyStructSequence_GetItem(self, 0));
}

static PyMethodDef param_reduce_def = {"__reduce__", param_reduce, METH_NOARGS, NULL};

static int
convert_param(PyObject *object, void *out)
{
    if (!PyObject_TypeCheck(object, _posix_types.sched_param)) {
        PyErr_SetString(PyExc_TypeError, "must have a sched_param object");
        return 0;
    }
    long priority = PyLong_AsLong(PyStructSequence_GetItem(object, 0));
    if (priority == -1 && PyErr_Occurred()) {
        return 0;
    }
    if (priority > INT_MAX || priority < INT_MIN) {
        PyErr_SetString(PyExc_OverflowError, "sched_priority out of range");
        return 0;
    }
    ((struct sched_param *)out)->sched_priority = (int)priority;
    return 1;
}

static PyObject *
number(long value)
{
    return value < 0 ? _posix_error() : PyLong_FromLong(value);
}

static PyObject *
os_sched_get_priority_max(ARGS)
{
    KEYWORDS("policy");
    int policy;
    return PARSE("i:sched_get_priority_max", &policy) ? number(sched_get_priority_max(policy))
                                                      : NULL;
}

static PyObject *
os_sched_get_priority_min(ARGS)
{
    KEYWORDS("policy");
    int policy;
    return PARSE("i:sched_get_priority_min", &policy) ? number(sched_get_priority_min(policy))
                                                      : NULL;
}

static PyObject *
os_sched_getscheduler(PyObject *Py_UNUSED(module), PyObject *arg)
{
    pid_t pid;
    return _posix_pid_converter(arg, &pid) ? number(sched_getscheduler(pid)) : NULL;
}

static PyObject *
os_sched_setscheduler(POSARGS)
{
    pid_t pid;
    int policy;
    struct sched_param param;
    if (!PARSE_POS_PID("O&iO&:sched_setscheduler", _posix_pid_converter, &pid, &policy,
                   convert_param, &param)) {
        return NULL;
    }
    NONE_OR_ERROR(sched_setscheduler(pid, policy, &param));
}

static PyObject *
os_sched_getparam(PyObject *Py_UNUSED(module), PyObject *arg)
{
    pid_t pid;
    struct sched_param param;
    if (!_posix_pid_converter(arg, &pid)) {
        return NULL;
    }
    if (sched_getparam(pid, &param) < 0) {
        return _posix_error();
    }
    PyObject *self = PyStructSequence_New(_posix_types.sched_param);
    if (self != NULL) {
        PyStructSequence_SetItem(self, 0, PyLong_FromLong(param.sched_priority));
    }
    return self;
}

static PyObject *
os_sched_setparam(POSARGS)
{
    pid_t pid;
    struct sched_param param;
    if (!PARSE_POS_PID("O&O&:sched_setparam", _posix_pid_converter, &pid, convert_param, &param)) {
        return NULL;
    }
    NONE_OR_ERROR(sched_setparam(pid, &param));
}

static PyObject *
os_sched_rr_get_interval(PyObject *Py_UNUSED(module), PyObject *arg)
{
    pid_t pid;
    struct timespec t;
    if (!_posix_pid_converter(arg, &pid)) {
        return NULL;
    }
    return sched_rr_get_interval(pid, &t) < 0 ? _posix_error()
        : PyFloat_FromDouble((double)t.tv_sec + 1e-9 * (double)t.tv_nsec);
}

static PyObject *
os_sched_yield(NOARGS)
{
    int rc;
    UNLOCKED(rc, sched_yield());
    NONE_OR_ERROR(rc);
}

static PyObject *
os_sched_setaffinity(POSARGS)
{
    pid_t pid;
    PyObject *mask, *it, *item;
    if (!PARSE_POS_PID("O&O:sched_setaffinity", _posix_pid_converter, &pid, &mask)
        || (it = PyObject_GetIter(mask)) == NULL) {
        return NULL;
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    while ((item = PyIter_Next(it)) != NULL) {
        if (!PyLong_Check(item)) {
            PyErr_Format(PyExc_TypeError, "expected an iterator of ints, but iterator yielded %R",
                         Py_TYPE(item));
            Py_DECREF(item);
            break;
        }
        long cpu = PyLong_AsLong(item);
        Py_DECREF(item);
        if (cpu < 0) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError, "negative CPU number");
            }
            break;
        }
        if (cpu > INT_MAX - 1) {
            PyErr_SetString(PyExc_OverflowError, "CPU number too large");
            break;
        }
        if (cpu < CPU_SETSIZE) {
            CPU_SET((size_t)cpu, &set);
        }
    }
    Py_DECREF(it);
    if (PyErr_Occurred()) {
        return NULL;
    }
    NONE_OR_ERROR(sched_setaffinity(pid, sizeof(set), &set));
}

static PyObject *
os_sched_getaffinity(PyObject *Py_UNUSED(module), PyObject *arg)
{
    pid_t pid;
    cpu_set_t set;
    if (!_posix_pid_converter(arg, &pid)) {
        return NULL;
    }
    if (sched_getaffinity(pid, sizeof(set), &set) < 0) {
        return _posix_error();
    }
    PyObject *result = PySet_New(NULL);
    for (int cpu = 0; result != NULL && cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET((size_t)cpu, &set)) {
            PyObject *n = PyLong_FromLong(cpu);
            if (n == NULL || PySet_Add(result, n) < 0) {
                Py_CLEAR(result);
            }
            Py_XDECREF(n);
        }
    }
    return result;
}

/* ------------------------------------------------------ extended attributes */

static PyObject *
os_getxattr(ARGS)
{
    KEYWORDS("path", "attribute", "follow_symlinks");
    path_t path = PATH("getxattr", "path", 0, 1), name = PATH("getxattr", "attribute", 0, 0);
    int follow = 1;
    if (!PARSE("O&O&|$p:getxattr", path_converter, &path, path_converter, &name, &follow)) {
        return NULL;
    }
    PyObject *buffer = NULL;
    if (_posix_bad_combination("getxattr", &path, AT_FDCWD, follow)
        || PySys_Audit("os.getxattr", "OO", path.object, name.object) < 0) {
        goto done;
    }
    for (size_t size = 128;; size = XATTR_SIZE_MAX) {
        ssize_t n;
        buffer = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
        if (buffer == NULL) {
            break;
        }
        char *p = PyBytes_AS_STRING(buffer);
        UNLOCKED(n, path.fd >= 0 ? fgetxattr(path.fd, name.text, p, size)
                 : follow ? getxattr(path.text, name.text, p, size)
                          : lgetxattr(path.text, name.text, p, size));
        if (n < 0) {
            Py_CLEAR(buffer);
            if (errno == ERANGE && size != XATTR_SIZE_MAX) {
                continue;
            }
            _posix_path_error(&path);
            break;
        }
        _PyBytes_Resize(&buffer, n);
        break;
    }
done:
    path_done(&path);
    path_done(&name);
    return buffer;
}

static PyObject *
os_setxattr(ARGS)
{
    KEYWORDS("path", "attribute", "value", "flags", "follow_symlinks");
    path_t path = PATH("setxattr", "path", 0, 1), name = PATH("setxattr", "attribute", 0, 0);
    Py_buffer value = {0};
    int flags = 0, follow = 1, rc;
    if (!PARSE("O&O&y*|i$p:setxattr", path_converter, &path, path_converter, &name, &value,
               &flags, &follow)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (!_posix_bad_combination("setxattr", &path, AT_FDCWD, follow)
        && PySys_Audit("os.setxattr", "OOy#i", path.object, name.object, value.buf, value.len,
                       flags) == 0) {
        UNLOCKED(rc, path.fd >= 0
                 ? fsetxattr(path.fd, name.text, value.buf, (size_t)value.len, flags)
                 : follow ? setxattr(path.text, name.text, value.buf, (size_t)value.len, flags)
                          : lsetxattr(path.text, name.text, value.buf, (size_t)value.len, flags));
        result = rc < 0 ? _posix_path_error(&path) : Py_NewRef(Py_None);
    }
    PyBuffer_Release(&value);
    path_done(&path);
    path_done(&name);
    return result;
}

static PyObject *
os_removexattr(ARGS)
{
    KEYWORDS("path", "attribute", "follow_symlinks");
    path_t path = PATH("removexattr", "path", 0, 1);
    path_t name = PATH("removexattr", "attribute", 0, 0);
    int follow = 1, rc;
    if (!PARSE("O&O&|$p:removexattr", path_converter, &path, path_converter, &name, &follow)) {
        return NULL;
    }
    PyObject *result = NULL;
    if (!_posix_bad_combination("removexattr", &path, AT_FDCWD, follow)
        && PySys_Audit("os.removexattr", "OO", path.object, name.object) == 0) {
        UNLOCKED(rc, path.fd >= 0 ? fremovexattr(path.fd, name.text)
                 : follow ? removexattr(path.text, name.text)
                          : lremovexattr(path.text, name.text));
        result = rc < 0 ? _posix_path_error(&path) : Py_NewRef(Py_None);
    }
    path_done(&path);
    path_done(&name);
    return result;
}

static PyObject *
os_listxattr(ARGS)
{
    KEYWORDS("path", "follow_symlinks");
    path_t path = PATH("listxattr", "path", 1, 1);
    int follow = 1;
    if (!PARSE("|O&$p:listxattr", path_converter, &path, &follow)) {
        return NULL;
    }
    PyObject *result = NULL;
    char *buffer = NULL;
    if (_posix_bad_combination("listxattr", &path, AT_FDCWD, follow)
        || PySys_Audit("os.listxattr", "(O)", path.object ? path.object : Py_None) < 0) {
        goto done;
    }
    const char *name = path.text ? path.text : ".";
    ssize_t n;
    buffer = PyMem_Malloc(XATTR_LIST_MAX);
    if (buffer == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    UNLOCKED(n, path.fd >= 0 ? flistxattr(path.fd, buffer, XATTR_LIST_MAX)
             : follow ? listxattr(name, buffer, XATTR_LIST_MAX)
                      : llistxattr(name, buffer, XATTR_LIST_MAX));
    if (n < 0) {
        _posix_path_error(&path);
        goto done;
    }
    result = PyList_New(0);
    for (const char *p = buffer; result != NULL && p < buffer + n; p += strlen(p) + 1) {
        PyObject *item = PyUnicode_DecodeFSDefault(p);
        if (item == NULL || PyList_Append(result, item) < 0) {
            Py_CLEAR(result);
        }
        Py_XDECREF(item);
    }
done:
    PyMem_Free(buffer);
    path_done(&path);
    return result;
}

#define M(name, flags, text, doc) \
    {#name, _PyCFunction_CAST(os_##name), flags, #name text "\n--\n\n" doc}

PyMethodDef _posix_sched_methods[] = {
    M(sched_get_priority_max, METH_FASTCALL | METH_KEYWORDS, "($module, /, policy)",
      "The highest priority of a scheduling policy."),
    M(sched_get_priority_min, METH_FASTCALL | METH_KEYWORDS, "($module, /, policy)",
      "The lowest priority of a scheduling policy."),
    M(sched_getaffinity, METH_O, "($module, pid, /)",
      "The set of CPUs that a process may run on; 0 is this one."),
    M(sched_setaffinity, METH_FASTCALL, "($module, pid, mask, /)",
      "Sets the CPUs that a process may run on."),
    M(sched_getparam, METH_O, "($module, pid, /)",
      "The scheduling parameters of a process."),
    M(sched_setparam, METH_FASTCALL, "($module, pid, param, /)",
      "Sets the scheduling parameters of a process."),
    M(sched_getscheduler, METH_O, "($module, pid, /)",
      "The scheduling policy of a process."),
    M(sched_setscheduler, METH_FASTCALL, "($module, pid, policy, param, /)",
      "Sets the scheduling policy of a process."),
    M(sched_rr_get_interval, METH_O, "($module, pid, /)",
      "The round-robin quantum of a process in seconds."),
    M(sched_yield, METH_NOARGS, "($module, /)",
      "Lets other processes run."),
    {NULL, NULL, 0, NULL}
};

PyMethodDef _posix_xattr_methods[] = {
    M(getxattr, METH_FASTCALL | METH_KEYWORDS, "($module, /, path, attribute, *, follow_symlinks=True)",
      "An extended attribute of a file, as bytes."),
    M(setxattr, METH_FASTCALL | METH_KEYWORDS, "($module, /, path, attribute, value, flags=0, *,\n         follow_symlinks=True)",
      "Sets an extended attribute of a file."),
    M(removexattr, METH_FASTCALL | METH_KEYWORDS, "($module, /, path, attribute, *, follow_symlinks=True)",
      "Removes an extended attribute of a file."),
    M(listxattr, METH_FASTCALL | METH_KEYWORDS, "($module, /, path=None, *, follow_symlinks=True)",
      "The names of a file's extended attributes."),
    {NULL, NULL, 0, NULL}
};

int
_posix_init_sched(PyObject *module)
{
    PyTypeObject *type = _posix_types.sched_param;
    if (_posix_make_type(&_posix_types.sched_param, &param_desc) < 0) {
        return -1;
    }
    if (type == NULL) {
        type = _posix_types.sched_param;
        type->tp_new = param_new;
        PyObject *reduce = PyDescr_NewMethod(type, &param_reduce_def);
        int rc = reduce == NULL ? -1 : PyDict_SetItemString(type->tp_dict, "__reduce__", reduce);
        Py_XDECREF(reduce);
        PyType_Modified(type);
        if (rc < 0) {
            return -1;
        }
    }
    return _posix_add_type(module, "sched_param", _posix_types.sched_param);
}
