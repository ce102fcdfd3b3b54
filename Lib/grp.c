/* The grp module: the group database. */
#include "Python.h"
#include "internal/ids.h"

#include <errno.h>
#include <grp.h>
#include <unistd.h>

static PyStructSequence_Field fields[] = {
    {"gr_name", "group name"},
    {"gr_passwd", "password"},
    {"gr_gid", "group id"},
    {"gr_mem", "group members"},
    {NULL, NULL},
};

PyDoc_STRVAR(struct_group_doc,
"grp.struct_group: an entry of the group database.\n\n"
"A tuple (gr_name,gr_passwd,gr_gid,gr_mem) whose items are attributes too.");

static PyStructSequence_Desc desc = {
    .name = "grp.struct_group",
    .doc = struct_group_doc,
    .fields = fields,
    .n_in_sequence = 4,
};

typedef struct {
    PyTypeObject *type;
} grp_state;

static inline grp_state *
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
list_of_members(char *const *members)
{
    PyObject *list = PyList_New(0);
    for (; list != NULL && *members != NULL; members++) {
        PyObject *name = PyUnicode_DecodeFSDefault(*members);
        if (name == NULL || PyList_Append(list, name) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *
make_entry(PyObject *module, const struct group *g)
{
    PyObject *entry = PyStructSequence_New(get_state(module)->type);
    PyObject *members = entry == NULL ? NULL : list_of_members(g->gr_mem);
    if (members == NULL) {
        Py_XDECREF(entry);
        return NULL;
    }
    PyObject *items[] = {
        text_or_none(g->gr_name), text_or_none(g->gr_passwd),
        _PyLong_FromGid(g->gr_gid), members,
    };
    for (int i = 0; i < 4; i++) {
        PyStructSequence_SET_ITEM(entry, i, items[i]);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(entry);
    }
    return entry;
}

/* Looks up by name, or by gid if name is NULL: as in pwd. */
static int
look_up(const char *name, gid_t gid, struct group *entry, char **memory)
{
    long hint = sysconf(_SC_GETGR_R_SIZE_MAX);
    size_t size = hint > 0 ? (size_t)hint : 1024;
    *memory = NULL;
    for (;;) {
        char *more = PyMem_RawRealloc(*memory, size);
        if (more == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        *memory = more;
        struct group *found = NULL;
        int error;
        Py_BEGIN_ALLOW_THREADS
        error = name != NULL ? getgrnam_r(name, entry, more, size, &found)
                             : getgrgid_r(gid, entry, more, size, &found);
        Py_END_ALLOW_THREADS
        if (error != ERANGE || size > (size_t)PY_SSIZE_T_MAX / 2) {
            return error == 0 && found != NULL;
        }
        size *= 2;
    }
}

PyDoc_STRVAR(getgrgid_doc,
"getgrgid($module, /, id)\n--\n\nReturn the entry of a group id.");

static PyObject *
grp_getgrgid(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"id", NULL};
    PyObject *id;
    gid_t gid;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:getgrgid", names, &id)) {
        return NULL;
    }
    if (!_Py_Gid_Converter(id, &gid)) {
        return NULL;
    }
    struct group entry;
    char *memory;
    PyObject *result = NULL;
    int found = look_up(NULL, gid, &entry, &memory);
    if (found > 0) {
        result = make_entry(module, &entry);
    }
    else if (found == 0) {
        PyObject *number = _PyLong_FromGid(gid);
        if (number != NULL) {
            PyErr_Format(PyExc_KeyError, "getgrgid(): gid not found: %S",
                         number);
            Py_DECREF(number);
        }
    }
    PyMem_RawFree(memory);
    return result;
}

PyDoc_STRVAR(getgrnam_doc,
"getgrnam($module, /, name)\n--\n\nReturn the entry of a group name.");

static PyObject *
grp_getgrnam(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"name", NULL};
    PyObject *name;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "U:getgrnam", names, &name)) {
        return NULL;
    }
    PyObject *bytes = PyUnicode_EncodeFSDefault(name);
    char *text;
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &text, NULL) < 0) {
        Py_XDECREF(bytes);
        return NULL;
    }
    struct group entry;
    char *memory;
    PyObject *result = NULL;
    int found = look_up(text, 0, &entry, &memory);
    if (found > 0) {
        result = make_entry(module, &entry);
    }
    else if (found == 0) {
        PyErr_Format(PyExc_KeyError, "getgrnam(): name not found: %R", name);
    }
    PyMem_RawFree(memory);
    Py_DECREF(bytes);
    return result;
}

PyDoc_STRVAR(getgrall_doc,
"getgrall($module, /)\n--\n\nReturn all entries, in no particular order.");

static PyObject *
grp_getgrall(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    struct group *g;
    setgrent();
    while ((g = getgrent()) != NULL) {
        PyObject *entry = make_entry(module, g);
        if (entry == NULL || PyList_Append(list, entry) < 0) {
            Py_XDECREF(entry);
            Py_CLEAR(list);
            break;
        }
        Py_DECREF(entry);
    }
    endgrent();
    return list;
}

static PyMethodDef grp_methods[] = {
    {"getgrgid", _PyCFunction_CAST(grp_getgrgid),
     METH_VARARGS | METH_KEYWORDS, getgrgid_doc},
    {"getgrnam", _PyCFunction_CAST(grp_getgrnam),
     METH_VARARGS | METH_KEYWORDS, getgrnam_doc},
    {"getgrall", grp_getgrall, METH_NOARGS, getgrall_doc},
    {NULL, NULL, 0, NULL},
};

static int
grp_exec(PyObject *module)
{
    PyTypeObject *type = PyStructSequence_NewType(&desc);
    get_state(module)->type = type;
    return type == NULL ? -1 : PyModule_AddType(module, type);
}

static int
grp_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(get_state(module)->type);
    return 0;
}

static int
grp_clear(PyObject *module)
{
    Py_CLEAR(get_state(module)->type);
    return 0;
}

static void
grp_free(void *module)
{
    grp_clear(module);
}

static PyModuleDef_Slot grp_slots[] = {
    {Py_mod_exec, grp_exec},
    {0, NULL},
};

static PyModuleDef grp_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "grp",
    .m_doc = PyDoc_STR("Look up groups by name or number."),
    .m_size = sizeof(grp_state),
    .m_methods = grp_methods,
    .m_slots = grp_slots,
    .m_traverse = grp_traverse,
    .m_clear = grp_clear,
    .m_free = grp_free,
};

PyMODINIT_FUNC
PyInit_grp(void)
{
    return PyModuleDef_Init(&grp_module);
}
