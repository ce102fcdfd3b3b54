/* builtins.__build_class__: runs the body of a class statement and calls the
   metaclass with the resulting namespace. */
#include "vm.h"

/* The bases with those that have __mro_entries__ replaced: a new tuple, or
   `bases` itself (a new reference). */
static PyObject *
resolve_bases(PyObject *bases)
{
    PyObject *list = NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(bases);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i), *method = NULL;
        if (!PyType_Check(base)
            && _PyObject_LookupAttr(base, _Py_NAME(dunder_mro_entries),
                                    &method) < 0) {
            goto failed;
        }
        if (method == NULL) {
            if (list != NULL && PyList_Append(list, base) < 0) {
                goto failed;
            }
            continue;
        }
        PyObject *entries = PyObject_CallOneArg(method, bases);
        Py_DECREF(method);
        if (entries == NULL) {
            goto failed;
        }
        if (!PyTuple_Check(entries)) {
            PyErr_SetString(PyExc_TypeError,
                            "__mro_entries__ must return a tuple");
            Py_DECREF(entries);
            goto failed;
        }
        if (list == NULL) {
            list = PyList_New(i);
            for (Py_ssize_t k = 0; list != NULL && k < i; k++) {
                PyList_SET_ITEM(list, k, Py_NewRef(PyTuple_GET_ITEM(bases, k)));
            }
        }
        int err = list == NULL ? -1
            : PyList_SetSlice(list, PyList_GET_SIZE(list),
                              PyList_GET_SIZE(list), entries);
        Py_DECREF(entries);
        if (err < 0) {
            goto failed;
        }
    }
    if (list == NULL) {
        return Py_NewRef(bases);
    }
    PyObject *resolved = PyList_AsTuple(list);
    Py_DECREF(list);
    return resolved;
failed:
    Py_XDECREF(list);
    return NULL;
}

/* The keyword arguments without `metaclass`, which *meta receives (NULL: not
   given). *kwargs is NULL when there are none. 0 or -1. */
static int
split_keywords(PyObject *const *values, PyObject *kwnames, PyObject **meta,
               PyObject **kwargs)
{
    *meta = *kwargs = NULL;
    if (kwnames == NULL) {
        return 0;
    }
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); i++) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(kwnames, i), values[i]) < 0) {
            Py_DECREF(dict);
            return -1;
        }
    }
    *meta = Py_XNewRef(PyDict_GetItemWithError(dict, _Py_NAME(metaclass)));
    if ((*meta == NULL && PyErr_Occurred())
        || (*meta != NULL && PyDict_DelItem(dict, _Py_NAME(metaclass)) < 0)) {
        Py_CLEAR(*meta);
        Py_DECREF(dict);
        return -1;
    }
    *kwargs = dict;
    return 0;
}

/* The metaclass that a class will have. Steals `meta`; returns a new reference. */
static PyObject *
choose_metaclass(PyObject *meta, PyObject *bases)
{
    if (meta == NULL) {
        meta = PyTuple_GET_SIZE(bases) == 0
            ? (PyObject *)&PyType_Type
            : (PyObject *)Py_TYPE(PyTuple_GET_ITEM(bases, 0));
        Py_INCREF(meta);
    }
    else if (!PyType_Check(meta)) {
        return meta;    /* any callable will do */
    }
    PyObject *winner =
        (PyObject *)_PyType_CalculateMetaclass((PyTypeObject *)meta, bases);
    Py_XINCREF(winner);
    Py_DECREF(meta);
    return winner;
}

static PyObject *
prepare_namespace(PyObject *meta, PyObject *name, PyObject *bases,
                  PyObject *kwargs)
{
    PyObject *prepare;
    if (_PyObject_LookupAttr(meta, _Py_NAME(dunder_prepare), &prepare) < 0) {
        return NULL;
    }
    if (prepare == NULL) {
        return PyDict_New();
    }
    PyObject *args[] = {name, bases};
    PyObject *ns = PyObject_VectorcallDict(prepare, args, 2, kwargs);
    Py_DECREF(prepare);
    if (ns != NULL && !PyMapping_Check(ns)) {
        PyErr_Format(PyExc_TypeError,
                     "%.200s.__prepare__() must return a mapping, not %.200s",
                     PyType_Check(meta) ? ((PyTypeObject *)meta)->tp_name
                                        : "<metaclass>",
                     Py_TYPE(ns)->tp_name);
        Py_CLEAR(ns);
    }
    return ns;
}

/* The cell of __class__ must have been filled by type.__new__. 0 or -1. */
static int
check_class_cell(PyObject *cell, PyObject *cls, PyObject *name)
{
    PyObject *content = PyCell_GET(cell);
    if (content == cls) {
        return 0;
    }
    if (content == NULL) {
        PyErr_Format(PyExc_RuntimeError,
                     "__class__ not set defining %.200R as %.200R. "
                     "Was __classcell__ propagated to type.__new__?",
                     name, cls);
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "__class__ set to %.200R defining %.200R as %.200R",
                     content, name, cls);
    }
    return -1;
}

static PyObject *
make_class(PyObject *func, PyObject *name, PyObject *original_bases,
           PyObject *bases, PyObject *meta, PyObject *kwargs)
{
    PyObject *cls = NULL, *cell = NULL;
    PyObject *ns = prepare_namespace(meta, name, bases, kwargs);
    if (ns == NULL) {
        return NULL;
    }
    cell = _PyEval_Vector(_PyThreadState_GET(), (PyFunctionObject *)func, ns,
                          NULL, 0, NULL);
    if (cell == NULL
        || (bases != original_bases
            && PyObject_SetItem(ns, _Py_NAME(dunder_orig_bases),
                                original_bases) < 0)) {
        goto done;
    }
    PyObject *args[] = {name, bases, ns};
    cls = PyObject_VectorcallDict(meta, args, 3, kwargs);
    if (cls != NULL && PyType_Check(cls) && PyCell_Check(cell)
        && check_class_cell(cell, cls, name) < 0) {
        Py_CLEAR(cls);
    }
done:
    Py_DECREF(ns);
    Py_XDECREF(cell);
    return cls;
}

PyObject *
_Py_build_class(PyObject *Py_UNUSED(self), PyObject *const *args,
               Py_ssize_t nargs, PyObject *kwnames)
{
    if (nargs < 2) {
        PyErr_SetString(PyExc_TypeError,
                        "__build_class__: not enough arguments");
        return NULL;
    }
    PyObject *func = args[0], *name = args[1];
    if (!PyFunction_Check(func)) {
        PyErr_SetString(PyExc_TypeError,
                        "__build_class__: func must be a function");
        return NULL;
    }
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError,
                        "__build_class__: name is not a string");
        return NULL;
    }
    PyObject *meta = NULL, *kwargs = NULL, *bases = NULL, *cls = NULL;
    PyObject *original = PyTuple_New(nargs - 2);
    if (original == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 2; i < nargs; i++) {
        PyTuple_SET_ITEM(original, i - 2, Py_NewRef(args[i]));
    }
    if ((bases = resolve_bases(original)) != NULL
        && split_keywords(args + nargs, kwnames, &meta, &kwargs) == 0
        && (meta = choose_metaclass(meta, bases)) != NULL) {
        cls = make_class(func, name, original, bases, meta, kwargs);
    }
    Py_DECREF(original);
    Py_XDECREF(bases);
    Py_XDECREF(meta);
    Py_XDECREF(kwargs);
    return cls;
}
