/* Users, groups and privileges. */
#include "posix.h"

#include <grp.h>
#include <pwd.h>

#define GETTER(name, make) \
static PyObject * \
os_##name(NOARGS) \
{ \
    return make(name()); \
}
GETTER(getuid, _PyLong_FromUid)
GETTER(geteuid, _PyLong_FromUid)
GETTER(getgid, _PyLong_FromGid)
GETTER(getegid, _PyLong_FromGid)

#define SETTER(name, convert) \
static PyObject * \
os_##name(PyObject *Py_UNUSED(module), PyObject *arg) \
{ \
    uid_t id; \
    if (!convert(arg, &id)) { \
        return NULL; \
    } \
    NONE_OR_ERROR(name(id)); \
}
SETTER(setuid, _Py_Uid_Converter)
SETTER(seteuid, _Py_Uid_Converter)
SETTER(setgid, _Py_Gid_Converter)
SETTER(setegid, _Py_Gid_Converter)

#define SETTER2(name, convert) \
static PyObject * \
os_##name(POSARGS) \
{ \
    uid_t a, b; \
    if (!PARSE_POS("O&O&:" #name, convert, &a, convert, &b)) { \
        return NULL; \
    } \
    NONE_OR_ERROR(name(a, b)); \
}
SETTER2(setreuid, _Py_Uid_Converter)
SETTER2(setregid, _Py_Gid_Converter)

#define SETTER3(name, convert) \
static PyObject * \
os_##name(POSARGS) \
{ \
    uid_t a, b, c; \
    if (!PARSE_POS("O&O&O&:" #name, convert, &a, convert, &b, convert, &c)) { \
        return NULL; \
    } \
    NONE_OR_ERROR(name(a, b, c)); \
}
SETTER3(setresuid, _Py_Uid_Converter)
SETTER3(setresgid, _Py_Gid_Converter)

#define GETTER3(name) \
static PyObject * \
os_##name(NOARGS) \
{ \
    uid_t a, b, c; \
    if (name(&a, &b, &c) < 0) { \
        return _posix_error(); \
    } \
    return Py_BuildValue("(NNN)", _PyLong_FromUid(a), _PyLong_FromUid(b), _PyLong_FromUid(c)); \
}
GETTER3(getresuid)
GETTER3(getresgid)

static PyObject *
group_list(const gid_t *groups, int n)
{
    PyObject *list = PyList_New(n);
    for (int i = 0; list != NULL && i < n; i++) {
        PyObject *gid = _PyLong_FromGid(groups[i]);
        if (gid == NULL) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, i, gid);
    }
    return list;
}

static PyObject *
os_getgroups(NOARGS)
{
    int n = getgroups(0, NULL);
    if (n < 0) {
        return _posix_error();
    }
    gid_t *groups = PyMem_New(gid_t, n + 1);
    if (groups == NULL) {
        return PyErr_NoMemory();
    }
    n = getgroups(n, groups);
    PyObject *list = n < 0 ? _posix_error() : group_list(groups, n);
    PyMem_Free(groups);
    return list;
}

static PyObject *
os_setgroups(PyObject *Py_UNUSED(module), PyObject *seq)
{
    if (!PySequence_Check(seq)) {
        PyErr_SetString(PyExc_TypeError, "setgroups argument must be a sequence");
        return NULL;
    }
    Py_ssize_t n = PySequence_Size(seq);
    if (n < 0) {
        return NULL;
    }
    if (n > 65536) {
        PyErr_SetString(PyExc_ValueError, "too many groups");
        return NULL;
    }
    gid_t *groups = PyMem_New(gid_t, n + 1);
    if (groups == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(seq, i);
        if (item == NULL) {
            goto done;
        }
        if (!PyLong_Check(item)) {
            PyErr_SetString(PyExc_TypeError, "groups must be integers");
            Py_DECREF(item);
            goto done;
        }
        int good = _Py_Gid_Converter(item, &groups[i]);
        Py_DECREF(item);
        if (!good) {
            goto done;
        }
    }
    result = setgroups((size_t)n, groups) < 0 ? _posix_error() : Py_NewRef(Py_None);
done:
    PyMem_Free(groups);
    return result;
}

static PyObject *
os_getgrouplist(POSARGS)
{
    const char *user;
    gid_t base;
    if (!PARSE_POS("sO&:getgrouplist", &user, _Py_Gid_Converter, &base)) {
        return NULL;
    }
    int n = 64, got;
    gid_t *groups = NULL;
    do {
        PyMem_Free(groups);
        groups = PyMem_New(gid_t, n);
        if (groups == NULL) {
            return PyErr_NoMemory();
        }
        got = n;
        n *= 2;
    } while (getgrouplist(user, base, groups, &got) < 0 && n < 1 << 20);
    PyObject *list = group_list(groups, got);
    PyMem_Free(groups);
    return list;
}

static PyObject *
os_initgroups(POSARGS)
{
    PyObject *user = NULL;
    gid_t gid;
    if (!PARSE_POS("O&O&:initgroups", _posix_fs_bytes, &user, _Py_Gid_Converter, &gid)) {
        return NULL;
    }
    int rc = initgroups(PyBytes_AS_STRING(user), gid);
    Py_DECREF(user);
    NONE_OR_ERROR(rc);
}

static PyObject *
os_getlogin(NOARGS)
{
    char name[256];
    int err = getlogin_r(name, sizeof(name));
    if (err) {
        errno = err;
        return _posix_error();
    }
    return PyUnicode_DecodeFSDefault(name);
}

#define M(name, flags, args_, doc) \
    {#name, _PyCFunction_CAST(os_##name), flags, #name "($module" args_ ")\n--\n\n" doc}

PyMethodDef _posix_user_methods[] = {
    M(getuid, METH_NOARGS, ", /", "The real user of this process."),
    M(geteuid, METH_NOARGS, ", /", "The effective user of this process."),
    M(getgid, METH_NOARGS, ", /", "The real group of this process."),
    M(getegid, METH_NOARGS, ", /", "The effective group of this process."),
    M(getresuid, METH_NOARGS, ", /", "(real, effective, saved) user of this process."),
    M(getresgid, METH_NOARGS, ", /", "(real, effective, saved) group of this process."),
    M(setuid, METH_O, ", uid, /", "Sets the user of this process."),
    M(seteuid, METH_O, ", euid, /", "Sets the effective user of this process."),
    M(setgid, METH_O, ", gid, /", "Sets the group of this process."),
    M(setegid, METH_O, ", egid, /", "Sets the effective group of this process."),
    M(setreuid, METH_FASTCALL, ", ruid, euid, /", "Sets the real and the effective user of this process."),
    M(setregid, METH_FASTCALL, ", rgid, egid, /", "Sets the real and the effective group of this process."),
    M(setresuid, METH_FASTCALL, ", ruid, euid, suid, /", "Sets the real, effective and saved user of this process."),
    M(setresgid, METH_FASTCALL, ", rgid, egid, sgid, /", "Sets the real, effective and saved group of this process."),
    M(getgroups, METH_NOARGS, ", /", "The supplementary groups of this process."),
    M(setgroups, METH_O, ", groups, /", "Sets the supplementary groups of this process."),
    M(getgrouplist, METH_FASTCALL, ", user, group, /", "The groups that a user belongs to."),
    M(initgroups, METH_FASTCALL, ", username, gid, /", "Sets the supplementary groups to those of a user, and one more."),
    M(getlogin, METH_NOARGS, ", /", "The name of the user who has logged in at the terminal."),
    {NULL, NULL, 0, NULL}
};
