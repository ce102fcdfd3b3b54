/* The spwd module: the shadow password database. */
#include "Python.h"

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

typedef struct {
    PyTypeObject *type;
} spwd_state;

static inline spwd_state *
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
make_entry(PyObject *module, const struct spwd *p)
{
    PyObject *entry = PyStructSequence_New(get_state(module)->type);
    if (entry == NULL) {
        return NULL;
    }
    PyObject *items[] = {
        text_or_none(p->sp_namp), text_or_none(p->sp_pwdp),
        PyLong_FromLong(p->sp_lstchg), PyLong_FromLong(p->sp_min),
        PyLong_FromLong(p->sp_max), PyLong_FromLong(p->sp_warn),
        PyLong_FromLong(p->sp_inact), PyLong_FromLong(p->sp_expire),
        PyLong_FromLong((long)p->sp_flag),
        text_or_none(p->sp_namp), text_or_none(p->sp_pwdp),
    };
    for (int i = 0; i < 11; i++) {
        PyStructSequence_SET_ITEM(entry, i, items[i]);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(entry);
    }
    return entry;
}

PyDoc_STRVAR(getspnam_doc,
"getspnam($module, arg, /)\n--\n\nReturn the entry of a user name.");

static PyObject *
spwd_getspnam(PyObject *module, PyObject *arg)
{
    if (!PyUnicode_Check(arg)) {
        _PyArg_BadArgument("getspnam", "argument", "str", arg);
        return NULL;
    }
    PyObject *bytes = PyUnicode_EncodeFSDefault(arg);
    char *name;
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &name, NULL) < 0) {
        Py_XDECREF(bytes);
        return NULL;
    }
    errno = 0;
    struct spwd *p = getspnam(name);
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
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    struct spwd *p;
    setspent();
    while ((p = getspent()) != NULL) {
        PyObject *entry = make_entry(module, p);
        if (entry == NULL || PyList_Append(list, entry) < 0) {
            Py_XDECREF(entry);
            Py_CLEAR(list);
            break;
        }
        Py_DECREF(entry);
    }
    endspent();
    return list;
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
    PyTypeObject *type = PyStructSequence_NewType(&desc);
    get_state(module)->type = type;
    return type == NULL ? -1 : PyModule_AddType(module, type);
}

static int
spwd_traverse(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(get_state(module)->type);
    return 0;
}

static int
spwd_clear(PyObject *module)
{
    Py_CLEAR(get_state(module)->type);
    return 0;
}

static void
spwd_free(void *module)
{
    spwd_clear(module);
}

static PyModuleDef_Slot spwd_slots[] = {
    {Py_mod_exec, spwd_exec},
    {0, NULL},
};

static PyModuleDef spwd_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "spwd",
    .m_doc = PyDoc_STR("Look up shadow passwords."),
    .m_size = sizeof(spwd_state),
    .m_methods = spwd_methods,
    .m_slots = spwd_slots,
    .m_traverse = spwd_traverse,
    .m_clear = spwd_clear,
    .m_free = spwd_free,
};

PyMODINIT_FUNC
PyInit_spwd(void)
{
    return PyModuleDef_Init(&spwd_module);
}
