/* The grp module: the group database. */
#include "shared/accounts.h"
#include "shared/ids.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

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
make_entry(PyObject *module, const void *found)
{
    const struct group *g = found;
    PyObject *items[] = {
        _PyAccounts_Text(g->gr_name), _PyAccounts_Text(g->gr_passwd),
        _PyLong_FromGid(g->gr_gid), list_of_members(g->gr_mem),
    };
    return _PyAccounts_Entry(module, items, Py_ARRAY_LENGTH(items));
}

static void *
next_entry(void)
{
    return getgrent();
}

static int
find_entry(const char *name, id_t id, void *room, char *text, size_t size, void **found)
{
    return name != NULL ? getgrnam_r(name, room, text, size, (struct group **)found)
                        : getgrgid_r(id, room, text, size, (struct group **)found);
}

static const struct account_database database = {
    .desc = &desc,
    .make = make_entry,
    .rewind = setgrent,
    .next = next_entry,
    .close = endgrent,
    .find = find_entry,
    .entry_size = sizeof(struct group),
    .text_size_name = _SC_GETGR_R_SIZE_MAX,
};

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
    return _PyAccounts_ById(module, &database, gid, _PyLong_FromGid,
                            "getgrgid(): gid not found");
}

PyDoc_STRVAR(getgrnam_doc,
"getgrnam($module, /, name)\n--\n\nReturn the entry of a group name.");

static PyObject *
grp_getgrnam(PyObject *module, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"name", NULL};
    PyObject *name;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O:getgrnam", names, &name)) {
        return NULL;
    }
    if (!PyUnicode_Check(name)) {
        _PyArg_BadArgument("getgrnam", "argument 'name'", "str", name);
        return NULL;
    }
    return _PyAccounts_ByName(module, &database, name, "getgrnam(): name not found");
}

PyDoc_STRVAR(getgrall_doc,
"getgrall($module, /)\n--\n\nReturn all entries, in no particular order.");

static PyObject *
grp_getgrall(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    return _PyAccounts_All(module, &database);
}

static PyMethodDef grp_methods[] = {
    {"getgrgid", VAR_KEYWORDS(grp_getgrgid), getgrgid_doc},
    {"getgrnam", VAR_KEYWORDS(grp_getgrnam), getgrnam_doc},
    {"getgrall", grp_getgrall, METH_NOARGS, getgrall_doc},
    {NULL, NULL, 0, NULL},
};

static int
grp_exec(PyObject *module)
{
    return _PyAccounts_Exec(module, &database);
}

static PyModuleDef_Slot grp_slots[] = {
    {Py_mod_exec, grp_exec},
    {0, NULL},
};

static PyModuleDef grp_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "grp",
    .m_doc = PyDoc_STR("Look up groups by name or number."),
    .m_size = sizeof(AccountState),
    .m_methods = grp_methods,
    .m_slots = grp_slots,
    .m_traverse = _PyAccounts_Traverse,
    .m_clear = _PyAccounts_Clear,
    .m_free = _PyAccounts_Free,
};

MODULE_INIT(grp)
{
    return PyModuleDef_Init(&grp_module);
}
