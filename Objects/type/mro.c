/* The method resolution order: C3, or the result of a metaclass's mro(). */
#include "private.h"

/* ----------------------------------------------------------------------- C3 */

/* Is cls in one of the sequences after its head? */
static int
in_some_tail(PyObject **sequences, Py_ssize_t *heads, Py_ssize_t n,
             PyObject *cls)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_ssize_t size = PyTuple_GET_SIZE(sequences[i]);
        for (Py_ssize_t j = heads[i] + 1; j < size; j++) {
            if (PyTuple_GET_ITEM(sequences[i], j) == cls) {
                return 1;
            }
        }
    }
    return 0;
}

static const char *
class_name_for_error(PyObject *cls, PyObject **owned)
{
    PyObject *name = NULL;
    if (_PyObject_LookupAttr(cls, _Py_NAME(dunder_name), &name) < 0) {
        PyErr_Clear();
    }
    if (name == NULL) {
        name = PyObject_Repr(cls);
    }
    *owned = name;
    const char *text = name != NULL && PyUnicode_Check(name)
                       ? PyUnicode_AsUTF8(name) : NULL;
    if (text == NULL) {
        PyErr_Clear();
        return "?";
    }
    return text;
}

/* Raises TypeError with the names of the heads that block each other. */
static void
raise_inconsistent(PyObject **sequences, Py_ssize_t *heads, Py_ssize_t n)
{
    PyObject *blocked = PyDict_New();
    if (blocked == NULL) {
        return;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (heads[i] < PyTuple_GET_SIZE(sequences[i])
            && PyDict_SetItem(blocked,
                              PyTuple_GET_ITEM(sequences[i], heads[i]),
                              Py_None) < 0) {
            Py_DECREF(blocked);
            return;
        }
    }
    PyObject *text = PyUnicode_FromString(
        "Cannot create a consistent method resolution\n"
        "order (MRO) for bases");
    Py_ssize_t pos = 0;
    PyObject *cls;
    const char *separator = " ";
    while (text != NULL && PyDict_Next(blocked, &pos, &cls, NULL)) {
        PyObject *owned;
        const char *name = class_name_for_error(cls, &owned);
        PyObject *longer = PyUnicode_FromFormat("%U%s%s", text, separator,
                                                name);
        Py_XDECREF(owned);
        Py_SETREF(text, longer);
        separator = ", ";
    }
    if (text != NULL) {
        PyErr_SetObject(PyExc_TypeError, text);
        Py_DECREF(text);
    }
    Py_DECREF(blocked);
}

/* Appends the merge of n sequences to `result`. */
static int
merge(PyObject *result, PyObject **sequences, Py_ssize_t *heads, Py_ssize_t n)
{
    for (;;) {
        int remaining = 0;
        PyObject *next = NULL;
        for (Py_ssize_t i = 0; i < n && next == NULL; i++) {
            if (heads[i] >= PyTuple_GET_SIZE(sequences[i])) {
                continue;
            }
            remaining = 1;
            PyObject *candidate = PyTuple_GET_ITEM(sequences[i], heads[i]);
            if (!in_some_tail(sequences, heads, n, candidate)) {
                next = candidate;
            }
        }
        if (next == NULL) {
            if (!remaining) {
                return 0;
            }
            raise_inconsistent(sequences, heads, n);
            return -1;
        }
        if (PyList_Append(result, next) < 0) {
            return -1;
        }
        for (Py_ssize_t i = 0; i < n; i++) {
            if (heads[i] < PyTuple_GET_SIZE(sequences[i])
                && PyTuple_GET_ITEM(sequences[i], heads[i]) == next) {
                heads[i]++;
            }
        }
    }
}

static int
check_duplicates(PyObject *bases)
{
    Py_ssize_t n = PyTuple_GET_SIZE(bases);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *cls = PyTuple_GET_ITEM(bases, i);
        for (Py_ssize_t j = i + 1; j < n; j++) {
            if (PyTuple_GET_ITEM(bases, j) != cls) {
                continue;
            }
            PyObject *owned;
            const char *name = class_name_for_error(cls, &owned);
            PyErr_Format(PyExc_TypeError, "duplicate base class %s", name);
            Py_XDECREF(owned);
            return -1;
        }
    }
    return 0;
}

PyObject *
_PyMro_Compute(PyTypeObject *type)
{
    if (type->tp_dict == NULL && PyType_Ready(type) < 0) {
        return NULL;
    }
    PyObject *bases = type->tp_bases;
    Py_ssize_t n = PyTuple_GET_SIZE(bases);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(bases, i);
        if (base->tp_mro == NULL) {
            PyErr_Format(PyExc_TypeError,
                         "Cannot extend an incomplete type '%.100s'",
                         base->tp_name);
            return NULL;
        }
    }
    if (n > 1 && check_duplicates(bases) < 0) {
        return NULL;
    }
    PyObject *result = PyList_New(0);
    if (result == NULL || PyList_Append(result, (PyObject *)type) < 0) {
        Py_XDECREF(result);
        return NULL;
    }
    if (n == 1) {
        PyObject *mro = ((PyTypeObject *)PyTuple_GET_ITEM(bases, 0))->tp_mro;
        if (PyList_SetSlice(result, 1, 1, mro) < 0) {
            Py_CLEAR(result);
        }
        return result;
    }
    PyObject **sequences = PyMem_New(PyObject *, n + 1);
    Py_ssize_t *heads = PyMem_Calloc(n + 1, sizeof(Py_ssize_t));
    if (sequences == NULL || heads == NULL) {
        PyErr_NoMemory();
        Py_CLEAR(result);
    }
    else {
        for (Py_ssize_t i = 0; i < n; i++) {
            sequences[i] =
                ((PyTypeObject *)PyTuple_GET_ITEM(bases, i))->tp_mro;
        }
        sequences[n] = bases;
        if (merge(result, sequences, heads, n + 1) < 0) {
            Py_CLEAR(result);
        }
    }
    PyMem_Free(sequences);
    PyMem_Free(heads);
    return result;
}

/* ------------------------------------------------------ a metaclass's mro() */

static int
check_custom_mro(PyTypeObject *type, PyObject *mro)
{
    PyTypeObject *solid = _PyType_SolidBase(type);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *cls = PyTuple_GET_ITEM(mro, i);
        if (!PyType_Check(cls)) {
            PyErr_Format(PyExc_TypeError,
                         "mro() returned a non-class ('%.500s')",
                         Py_TYPE(cls)->tp_name);
            return -1;
        }
        PyTypeObject *base = (PyTypeObject *)cls;
        if (!PyType_IsSubtype(solid, _PyType_SolidBase(base))) {
            PyErr_Format(PyExc_TypeError,
                         "mro() returned base with unsuitable layout "
                         "('%.500s')", base->tp_name);
            return -1;
        }
    }
    return 0;
}

/* Returns a new tuple. */
static PyObject *
ask_for_mro(PyTypeObject *type)
{
    PyTypeObject *meta = Py_TYPE(type);
    int custom = 0;
    if (meta != &PyType_Type && meta != type) {
        custom = _PyType_Lookup(meta, _Py_NAME(mro))
                 != _PyType_Lookup(&PyType_Type, _Py_NAME(mro));
    }
    PyObject *self = (PyObject *)type;
    PyObject *list = custom
        ? _PyObject_CallSpecial(self, _Py_NAME(mro), &self, 1)
        : _PyMro_Compute(type);
    if (list == NULL) {
        return NULL;
    }
    PyObject *mro = PySequence_Tuple(list);
    Py_DECREF(list);
    if (mro == NULL) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(mro) == 0) {
        Py_DECREF(mro);
        PyErr_Format(PyExc_TypeError, "type MRO must not be empty");
        return NULL;
    }
    if (custom && check_custom_mro(type, mro) < 0) {
        Py_CLEAR(mro);
    }
    return mro;
}

int
_PyMro_Update(PyTypeObject *type, PyObject **old)
{
    /* mro() may assign __bases__, which calls this function again; then the inner call
       counts. The reference to the old MRO makes sure that a new MRO has another
       address. */
    PyObject *before = Py_XNewRef(type->tp_mro);
    PyObject *mro = ask_for_mro(type);
    int reentered = type->tp_mro != before;
    if (mro == NULL) {
        Py_XDECREF(before);
        return -1;
    }
    if (reentered) {
        Py_XDECREF(before);
        Py_DECREF(mro);
        return 0;
    }
    type->tp_mro = mro;
    PyType_Modified(type);
    _PyType_MroModified(type, mro);
    _PyType_MroModified(type, type->tp_bases);
    if (old != NULL) {
        *old = before;          /* the reference that tp_mro had */
        Py_XDECREF(before);
    }
    else {
        Py_XDECREF(before);
        Py_XDECREF(before);
    }
    return 1;
}
