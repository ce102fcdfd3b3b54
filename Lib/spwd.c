/* The spwd module: the shadow password database. */
#include "shared/accounts.h"
#include "internal/module_init.h"

#include <errno.h>
#include <shadow.h>

static PyStructSequence_Field fields[] = {
    {"sp_namp", "login name"},
    {"sp_pwdp", "encrypted password"},
    {"sp_lstchg", "date of last change"},
    {"sp_min", "min #days between changes"},
    {"sp_max", "max #days between changes"},
    {"sp_warn", "#days before pw expires to warn user about it"},
    {"sp_inact", "#days after pw expires until account is disabled"},
    {"sp_expire", "#days since 1970-01-01 when account expires"},
    {"sp_flag", "reserved"},
    {"sp_nam", "login name; deprecated"},
    {"sp_pwd", "encrypted password; deprecated"},
    {NULL, NULL},
};

PyDoc_STRVAR(struct_spwd_doc,
"spwd.struct_spwd: an entry of the shadow password database.\n\n"
"A 9-tuple whose items are attributes too.");

static PyStructSequence_Desc desc = {
    .name = "spwd.struct_spwd",
    .doc = struct_spwd_doc,
    .fields = fields,
    .n_in_sequence = 9,
};

static PyObject *
make_entry(PyObject *module, const void *found)
{
    const struct spwd *p = found;
    PyObject *items[] = {
        _PyAccounts_Text(p->sp_namp), _PyAccounts_Text(p->sp_pwdp),
        PyLong_FromLong(p->sp_lstchg), PyLong_FromLong(p->sp_min),
        PyLong_FromLong(p->sp_max), PyLong_FromLong(p->sp_warn),
        PyLong_FromLong(p->sp_inact), PyLong_FromLong(p->sp_expire),
        PyLong_FromLong((long)p->sp_flag),
        _PyAccounts_Text(p->sp_namp), _PyAccounts_Text(p->sp_pwdp),
    };
    return _PyAccounts_Entry(module, items, Py_ARRAY_LENGTH(items));
}

static void *
next_entry(void)
{
    return getspent();
}

/* No find: KeyError and PermissionError are told apart by errno of getspnam(). */
static const struct account_database database = {
    .desc = &desc,
    .make = make_entry,
    .rewind = setspent,
    .next = next_entry,
    .close = endspent,
};

PyDoc_STRVAR(getspnam_doc,
"getspnam($module, arg, /)\n--\n\nReturn the entry of a user name.");

static PyObject *
spwd_getspnam(PyObject *module, PyObject *arg)
{
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument("getspnam", "argument", "str", arg);
        return NULL;
    }
    PyObject *bytes = _PyAccounts_EncodeName(arg);
    if (bytes == NULL) {
        return NULL;
    }
    errno = 0;
    struct spwd *p = getspnam(PyBytes_AS_STRING(bytes));
    Py_DECREF(bytes);
    if (p == NULL) {
        if (errno != 0 && errno != ENOENT) {
            return PyErr_SetFromErrno(PyExc_OSError);
        }
        PyErr_SetString(PyExc_KeyError, "getspnam(): name not found");
        return NULL;
    }
    return make_entry(module, p);
}

PyDoc_STRVAR(getspall_doc,
"getspall($module, /)\n--\n\nReturn all entries, in no particular order.");

static PyObject *
spwd_getspall(PyObject *module, PyObject *Py_UNUSED(ignored))
{
    return _PyAccounts_All(module, &database);
}

static PyMethodDef spwd_methods[] = {
    {"getspnam", spwd_getspnam, METH_O, getspnam_doc},
    {"getspall", spwd_getspall, METH_NOARGS, getspall_doc},
    {NULL, NULL, 0, NULL},
};

static int
spwd_exec(PyObject *module)
{
    if (PyErr_WarnEx(PyExc_DeprecationWarning, "'spwd' is deprecated and "
                     "slated for removal in Python 3.13", 7) < 0) {
        return -1;
    }
    return _PyAccounts_Exec(module, &database);
}

static PyModuleDef_Slot spwd_slots[] = {
    {Py_mod_exec, spwd_exec},
    {0, NULL},
};

static PyModuleDef spwd_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "spwd",
    .m_doc = PyDoc_STR("Look up shadow passwords."),
    .m_size = sizeof(AccountState),
    .m_methods = spwd_methods,
    .m_slots = spwd_slots,
    .m_traverse = _PyAccounts_Traverse,
    .m_clear = _PyAccounts_Clear,
    .m_free = _PyAccounts_Free,
};

MODULE_INIT(spwd)
{
    return PyModuleDef_Init(&spwd_module);
}
