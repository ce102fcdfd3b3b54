/* _weakref: the C half of the weakref module. */
#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

static Py_ssize_t
count_refs(PyObject *op)
{
    if (!(Py_TYPE(op)->tp_weaklistoffset > 0)) {
        return 0;
    }
    return _PyWeakref_GetWeakrefCount(
        *(PyWeakReference **)PyObject_GET_WEAKREFS_LISTPTR(op));
}

static PyObject *
getweakrefcount(PyObject *Py_UNUSED(module), PyObject *op)
{
    return PyLong_FromSsize_t(count_refs(op));
}

static PyObject *
getweakrefs(PyObject *Py_UNUSED(module), PyObject *op)
{
    Py_ssize_t count = count_refs(op);
    PyObject *list = PyList_New(count);
    if (list == NULL || count == 0) {
        return list;
    }
    PyWeakReference *ref =
        *(PyWeakReference **)PyObject_GET_WEAKREFS_LISTPTR(op);
    for (Py_ssize_t i = 0; i < count; i++, ref = ref->wr_next) {
        PyList_SET_ITEM(list, i, Py_NewRef((PyObject *)ref));
    }
    return list;
}

static PyObject *
proxy(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("proxy", nargs, 1, 2)) {
        return NULL;
    }
    return PyWeakref_NewProxy(args[0], nargs > 1 ? args[1] : NULL);
}

/* Atomic, for WeakValueDictionary: a live reference that has replaced the dead one stays. */
static PyObject *
remove_dead_weakref(PyObject *Py_UNUSED(module), PyObject *const *args,
                    Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_remove_dead_weakref", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *dict = args[0], *key = args[1];
    if (!PyDict_Check(dict)) {
        _PyArg_BadArgument("_remove_dead_weakref", "argument 1", "dict",
                           dict);
        return NULL;
    }
    PyObject *ref = PyDict_GetItemWithError(dict, key);
    if (ref == NULL) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        Py_RETURN_NONE;
    }
    if (!PyWeakref_Check(ref)) {
        PyErr_SetString(PyExc_TypeError, "not a weakref");
        return NULL;
    }
    if (PyWeakref_GET_OBJECT(ref) == Py_None
        && PyDict_DelItem(dict, key) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_KeyError)) {
            return NULL;
        }
        PyErr_Clear();
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"getweakrefcount", getweakrefcount, METH_O,
     "getweakrefcount($module, object, /)\n--\n\n"
     "Return the number of weak references to 'object'."},
    {"_remove_dead_weakref", FAST(remove_dead_weakref),
     "_remove_dead_weakref($module, dct, key, /)\n--\n\n"
     "Remove dct[key] if it is a dead weak reference."},
    {"getweakrefs", getweakrefs, METH_O,
     "getweakrefs($module, object, /)\n--\n\n"
     "Return a list of all weak reference objects pointing to 'object'."},
    {"proxy", FAST(proxy),
     "proxy($module, object, callback=None, /)\n--\n\n"
     "Make an object that stands for 'object' and refers to it weakly."},
    {NULL, NULL, 0, NULL}
};

static int
exec_module(PyObject *module)
{
    static const struct {
        const char *name;
        PyTypeObject *type;
    } types[] = {
        {"ref", &_PyWeakref_RefType},
        {"ReferenceType", &_PyWeakref_RefType},
        {"ProxyType", &_PyWeakref_ProxyType},
        {"CallableProxyType", &_PyWeakref_CallableProxyType},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(types); i++) {
        if (PyModule_AddObjectRef(module, types[i].name,
                                  (PyObject *)types[i].type) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, exec_module},
    {0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_weakref",
    .m_doc = "Weak-reference support module.",
    .m_size = 0,
    .m_methods = methods,
    .m_slots = slots,
};

MODULE_INIT(_weakref)
{
    return PyModuleDef_Init(&definition);
}
