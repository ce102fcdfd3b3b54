/* The pwd module: the password database. */
#include "shared/accounts.h"
#include "internal/module_init.h"
#include "shared/ids.h"

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

static PyObject *
make_entry(PyObject *module, const void *found)
{
    const struct passwd *p = found;
    PyObject *items[] = {
        _PyAccounts_Text(p->pw_name), _PyAccounts_Text(p->pw_passwd),
        _PyLong_FromUid(p->pw_uid), _PyLong_FromGid(p->pw_gid),
        _PyAccounts_Text(p->pw_gecos), _PyAccounts_Text(p->pw_dir),
        _PyAccounts_Text(p->pw_shell),
    };
    return _PyAccounts_Entry(module, items, Py_ARRAY_LENGTH(items));
}

static void *
next_entry(void)
{
    return getpwent();
}

static int
find_entry(const char *name, id_t id, void *room, char *text, size_t size, void **found)
{
    return name != NULL ? getpwnam_r(name, room, text, size, (struct passwd **)found)
                        : getpwuid_r(id, room, text, size, (struct passwd **)found);
}

static const struct account_database database = {
    .desc = &desc,
    .make = make_entry,
    .rewind = setpwent,
    .next = next_entry,
    .close = endpwent,
    .find = find_entry,
    .entry_size = sizeof(struct passwd),
    .text_size_name = _SC_GETPW_R_SIZE_MAX,
};

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
    return _PyAccounts_ById(module, &database, uid, _PyLong_FromUid,
                            "getpwuid(): uid not found");
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
    return _PyAccounts_ByName(module, &database, arg, "getpwnam(): name not found");
}

PyDoc_STRVAR(getpwall_doc,
"getpwall($module, /)\n--\n\nReturn all entries, in no particular order.");

static PyObject *
pwd_getpwall(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    return _PyAccounts_All(module, &database);
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
    return _PyAccounts_Exec(module, &database);
}

static PyModuleDef_Slot pwd_slots[] = {
    {Py_mod_exec, pwd_exec},
    {0, NULL},
};

static PyModuleDef pwd_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "pwd",
    .m_doc = PyDoc_STR("Look up users by name or number."),
    .m_size = sizeof(AccountState),
    .m_methods = pwd_methods,
    .m_slots = pwd_slots,
    .m_traverse = _PyAccounts_Traverse,
    .m_clear = _PyAccounts_Clear,
    .m_free = _PyAccounts_Free,
};

MODULE_INIT(pwd)
{
    return PyModuleDef_Init(&pwd_module);
}
