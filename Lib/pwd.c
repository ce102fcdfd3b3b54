/* The pwd module: the password database. */
#include "Python.h"
#include "internal/ids.h"

#include <errno.h>
#include <pwd.h>
#include <unistd.h>

static PyStructSequence_Field fields[] = {
    {"pw_name", "user name"},
    {"pw_passwd", "password"},
    {"pw_uid", "user id"},
    {"pw_gid", "group id"},
    {"pw_gecos", "real name"},
    {"pw_dir", "home directory"},
    {"pw_shell", "shell program"},
    {NULL, NULL},
};

PyDoc_STRVAR(struct_passwd_doc,
"pwd.struct_passwd: an entry of the password database.\n\n"
"A tuple (pw_name,pw_passwd,pw_uid,pw_gid,pw_gecos,pw_dir,pw_shell) whose\n"
"items are attributes too.");

static PyStructSequence_Desc desc = {
    .name = "pwd.struct_passwd",
    .doc = struct_passwd_doc,
    .fields = fields,
    .n_in_sequence = 7,
};

typedef struct {
    PyTypeObject *type;
} pwd_state;

static inline pwd_state *
get_state(PyObject *module)
{
    return PyModule_GetState(module);
}

static PyObject *
text_or_none(const char *text)
{
    return text != NULL ? PyUnicode_DecodeFSDefault(text)
                        : Py_NewRef(Py_None);
}

static PyObject *
make_entry(PyObject *module, const struct passwd *p)
{
    PyObject *entry = PyStructSequence_New(get_state(module)->type);
    if (entry == NULL) {
        return NULL;
    }
    PyObject *items[] = {
        text_or_none(p->pw_name), text_or_none(p->pw_passwd),
        _PyLong_FromUid(p->pw_uid), _PyLong_FromGid(p->pw_gid),
        text_or_none(p->pw_gecos), text_or_none(p->pw_dir),
        text_or_none(p->pw_shell),
    };
    for (int i = 0; i < 7; i++) {
        PyStructSequence_SET_ITEM(entry, i, items[i]);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(entry);
    }
    return entry;
}

/* Looks up by name, or by uid if name is NULL. Returns 1 found, 0 not found, -1
   with an exception set. *memory holds the entry's strings. */
static int
look_up(const char *name, uid_t uid, struct passwd *entry, char **memory)
{
    long hint = sysconf(_SC_GETPW_R_SIZE_MAX);
    size_t size = hint > 0 ? (size_t)hint : 1024;
    *memory = NULL;
    for (;;) {
        char *more = PyMem_RawRealloc(*memory, size);
        if (more == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        *memory = more;
        struct passwd *found = NULL;
        int error;
        Py_BEGIN_ALLOW_THREADS
        error = name != NULL ? getpwnam_r(name, entry, more, size, &found)
                             : getpwuid_r(uid, entry, more, size, &found);
        Py_END_ALLOW_THREADS
        if (error != ERANGE || size > (size_t)PY_SSIZE_T_MAX / 2) {
            return error == 0 && found != NULL;
        }
        size *= 2;
    }
}

PyDoc_STRVAR(getpwuid_doc,
"getpwuid($module, uidobj, /)\n--\n\nReturn the entry of a user id.");

static PyObject *
pwd_getpwuid(PyObject *module, PyObject *arg)
{
    uid_t uid;
    if (!_Py_Uid_Converter(arg, &uid)) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Format(PyExc_KeyError, "getpwuid(): uid not found");
        }
        return NULL;
    }
    struct passwd entry;
    char *memory;
    PyObject *result = NULL;
    int found = look_up(NULL, uid, &entry, &memory);
    if (found > 0) {
        result = make_entry(module, &entry);
    }
    else if (found == 0) {
        PyObject *number = _PyLong_FromUid(uid);
        if (number != NULL) {
            PyErr_Format(PyExc_KeyError, "getpwuid(): uid not found: %S",
                         number);
            Py_DECREF(number);
        }
    }
    PyMem_RawFree(memory);
    return result;
}

PyDoc_STRVAR(getpwnam_doc,
"getpwnam($module, name, /)\n--\n\nReturn the entry of a user name.");

static PyObject *
pwd_getpwnam(PyObject *module, PyObject *arg)
{
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument("getpwnam", "argument", "str", arg);
        return NULL;
    }
    PyObject *bytes = PyUnicode_EncodeFSDefault(arg);
    char *name;
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &name, NULL) < 0) {
        Py_XDECREF(bytes);
        return NULL;
    }
    struct passwd entry;
    char *memory;
    PyObject *result = NULL;
    int found = look_up(name, 0, &entry, &memory);
    if (found > 0) {
        result = make_entry(module, &entry);
    }
    else if (found == 0) {
        PyErr_Format(PyExc_KeyError, "getpwnam(): name not found: %R", arg);
    }
    PyMem_RawFree(memory);
    Py_DECREF(bytes);
    return result;
}

PyDoc_STRVAR(getpwall_doc,
"getpwall($module, /)\n--\n\nReturn all entries, in no particular order.");

static PyObject *
pwd_getpwall(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    struct passwd *p;
    setpwent();
    while ((p = getpwent()) != NULL) {
        PyObject *entry = make_entry(module, p);
        if (entry == NULL || PyList_Append(list, entry) < 0) {
            Py_XDECREF(entry);
            Py_CLEAR(list);
            break;
        }
        Py_DECREF(entry);
    }
    endpwent();
    return list;
}

static PyMethodDef pwd_methods[] = {
    {"getpwuid", pwd_getpwuid, METH_O, getpwuid_doc},
    {"getpwnam", pwd_getpwnam, METH_O, getpwnam_doc},
    {"getpwall", pwd_getpwall, METH_NOARGS, getpwall_doc},
    {NULL, NULL, 0, NULL},
};

static int
pwd_exec(PyObject *module)
{
    PyTypeObject *type = PyStructSequence_NewType(&desc);
    get_state(module)->type = type;
    return type == NULL ? -1 : PyModule_AddType(module, type);
}

static int
pwd_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(get_state(module)->type);
    return 0;
}

static int
pwd_clear(PyObject *module)
{
    Py_CLEAR(get_state(module)->type);
    return 0;
}

static void
pwd_free(void *module)
{
    pwd_clear(module);
}

static PyModuleDef_Slot pwd_slots[] = {
    {Py_mod_exec, pwd_exec},
    {0, NULL},
};

static PyModuleDef pwd_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "pwd",
    .m_doc = PyDoc_STR("Look up users by name or number."),
    .m_size = sizeof(pwd_state),
    .m_methods = pwd_methods,
    .m_slots = pwd_slots,
    .m_traverse = pwd_traverse,
    .m_clear = pwd_clear,
    .m_free = pwd_free,
};

PyMODINIT_FUNC
PyInit_pwd(void)
{
    return PyModuleDef_Init(&pwd_module);
}
