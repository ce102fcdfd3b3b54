/* The dict type: its slots and methods. */
#include "private.h"
#include "internal/compare.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/type.h"

/* --------------------------------------------------------------------- life */

static PyObject *
dict_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
         PyObject *Py_UNUSED(kwds))
{
    if (type == &PyDict_Type) {
        return _PyDict_Alloc();
    }
    PyDictObject *mp = (PyDictObject *)type->tp_alloc(type, 0);
    if (mp == NULL) {
        return NULL;
    }
    mp->ma_keys = _PyDict_EmptyKeys;
    dict_touch(mp);
    return (PyObject *)mp;
}

/* The arguments of dict(...) and update(...) after self: at most one positional
   argument, and keywords as a dict or NULL. */
static int
update_from_args(PyObject *self, const char *function, PyObject *const *args,
                 Py_ssize_t nargs)
{
    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError,
                     "%s expected at most 1 argument, got %zd",
                     function, nargs);
        return -1;
    }
    return nargs == 0 ? 0 : _PyDict_UpdateFrom(self, args[0]);
}

static int
update_from_keywords(PyObject *self, PyObject *const *values,
                     PyObject *kwnames)
{
    Py_ssize_t n = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyDict_SetItem(self, PyTuple_GET_ITEM(kwnames, i),
                           values[i]) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
dict_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    if (update_from_args(self, "dict", ((PyTupleObject *)args)->ob_item,
                         PyTuple_GET_SIZE(args)) < 0) {
        return -1;
    }
    if (kwds == NULL) {
        return 0;
    }
    if (!PyArg_ValidateKeywordArguments(kwds)) {
        return -1;
    }
    return PyDict_Merge(self, kwds, 1);
}

static PyObject *
dict_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError,
                     "dict expected at most 1 argument, got %zd", nargs);
        return NULL;
    }
    PyObject *self = dict_new((PyTypeObject *)type, NULL, NULL);
    if (self == NULL) {
        return NULL;
    }
    if (update_from_args(self, "dict", args, nargs) < 0
        || update_from_keywords(self, args + nargs, kwnames) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return self;
}

static int
dict_traverse(PyDictObject *mp, visitproc visit, void *arg)
{
    Keys *keys = mp->ma_keys;
    Py_ssize_t n = keys->nentries;
    if (keys->kind == DICT_KEYS_UNICODE) {
        _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys);
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_VISIT(e[i].value);
        }
        return 0;
    }
    _PyDictEntry *e = _PyDictKeys_Entries(keys);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_VISIT(e[i].key);
        Py_VISIT(e[i].value);
    }
    return 0;
}

static int
dict_tp_clear(PyObject *self)
{
    PyDict_Clear(self);
    return 0;
}

/* ----------------------------------------------------------------- protocol */

static Py_ssize_t
dict_length(PyDictObject *mp)
{
    return mp->ma_used;
}

/* Returns the result of a subclass's __missing__, or raises KeyError. */
static PyObject *
missing(PyObject *self, PyObject *key)
{
    if (!PyDict_CheckExact(self)) {
        PyObject *method = _PyObject_LookupSpecial(self,
                                                   _Py_NAME(dunder_missing));
        if (method != NULL) {
            PyObject *value = PyObject_CallOneArg(method, key);
            Py_DECREF(method);
            return value;
        }
        if (PyErr_Occurred()) {
            return NULL;
        }
    }
    _PyErr_SetKeyError(key);
    return NULL;
}

static PyObject *
dict_subscript(PyDictObject *mp, PyObject *key)
{
    Py_hash_t hash = key_hash(key);
    if (hash == -1) {
        return NULL;
    }
    PyObject *value;
    if (_PyDict_Lookup(mp, key, hash, &value) == DICT_ERROR) {
        return NULL;
    }
    return value != NULL ? Py_NewRef(value) : missing((PyObject *)mp, key);
}

static int
dict_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    return value == NULL ? PyDict_DelItem(self, key)
                         : PyDict_SetItem(self, key, value);
}

static int
write_entry(_PyUnicodeWriter *writer, PyObject *key, PyObject *value)
{
    PyObject *text = PyObject_Repr(key);
    if (text == NULL) {
        return -1;
    }
    int failed = _PyUnicodeWriter_WriteStr(writer, text) < 0
        || _PyUnicodeWriter_WriteASCIIString(writer, ": ", 2) < 0;
    Py_DECREF(text);
    if (failed || (text = PyObject_Repr(value)) == NULL) {
        return -1;
    }
    failed = _PyUnicodeWriter_WriteStr(writer, text) < 0;
    Py_DECREF(text);
    return failed ? -1 : 0;
}

static PyObject *
dict_repr(PyDictObject *mp)
{
    int entered = Py_ReprEnter((PyObject *)mp);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromString("{...}") : NULL;
    }
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    writer.overallocate = 1;
    int failed = _PyUnicodeWriter_WriteChar(&writer, '{') < 0;
    Py_ssize_t pos = 0, count = 0;
    PyObject *key, *value;
    Py_hash_t hash;
    while (!failed && dict_next(mp, &pos, &key, &value, &hash)) {
        Py_INCREF(key);
        Py_INCREF(value);
        failed = (count++ > 0
                  && _PyUnicodeWriter_WriteASCIIString(&writer, ", ", 2) < 0)
            || write_entry(&writer, key, value) < 0;
        Py_DECREF(key);
        Py_DECREF(value);
    }
    writer.overallocate = 0;
    failed = failed || _PyUnicodeWriter_WriteChar(&writer, '}') < 0;
    Py_ReprLeave((PyObject *)mp);
    if (failed) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

static PyObject *
dict_richcompare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyDict_Check(a)
        || !PyDict_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int equal = _PyDict_Equal((PyDictObject *)a, (PyDictObject *)b);
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

/* dict.__or__'s rule; NotImplemented for non-dicts. */
static PyObject *
dict_or(PyObject *a, PyObject *b)
{
    if (!PyDict_Check(a) || !PyDict_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *result = PyDict_Copy(a);
    if (result != NULL && _PyDict_UpdateFrom(result, b) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
dict_ior(PyObject *self, PyObject *other)
{
    return _PyDict_UpdateFrom(self, other) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
dict_iter(PyDictObject *mp)
{
    return _PyDictIter_New(mp, &PyDictIterKey_Type);
}

/* ------------------------------------------------------------------ methods */

static PyObject *
dict_contains(PyObject *self, PyObject *key)
{
    int found = PyDict_Contains(self, key);
    return found < 0 ? NULL : PyBool_FromLong(found);
}

static PyObject *
dict_get(PyDictObject *mp, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("get", nargs, 1, 2)) {
        return NULL;
    }
    PyObject *value = _PyDict_GetNew(mp, args[0]);
    if (value == NULL && !PyErr_Occurred()) {
        value = Py_NewRef(nargs > 1 ? args[1] : Py_None);
    }
    return value;
}

static PyObject *
dict_setdefault(PyDictObject *mp, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("setdefault", nargs, 1, 2)) {
        return NULL;
    }
    Py_hash_t hash = key_hash(args[0]);
    if (hash == -1) {
        return NULL;
    }
    PyObject *value;
    _PyDict_SetDefault(mp, args[0], hash, nargs > 1 ? args[1] : Py_None,
                       &value);
    return value;
}

static PyObject *
dict_pop(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("pop", nargs, 1, 2)) {
        return NULL;
    }
    return _PyDict_Pop(self, args[0], nargs > 1 ? args[1] : NULL);
}

static PyObject *
dict_popitem(PyDictObject *mp, PyObject *Py_UNUSED(ignored))
{
    PyObject *pair = PyTuple_New(2);
    if (pair == NULL) {
        return NULL;
    }
    PyObject *key, *value;
    if (!_PyDict_PopLast(mp, &key, &value)) {
        Py_DECREF(pair);
        PyErr_SetString(PyExc_KeyError, "popitem(): dictionary is empty");
        return NULL;
    }
    PyTuple_SET_ITEM(pair, 0, key);
    PyTuple_SET_ITEM(pair, 1, value);
    return pair;
}

static PyObject *
dict_keys(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyDictView_New(self, &PyDictKeys_Type);
}

static PyObject *
dict_items(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyDictView_New(self, &PyDictItems_Type);
}

static PyObject *
dict_values(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyDictView_New(self, &PyDictValues_Type);
}

static PyObject *
dict_update(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    if (update_from_args(self, "update", args, nargs) < 0
        || update_from_keywords(self, args + nargs, kwnames) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
dict_fromkeys(PyObject *cls, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("fromkeys", nargs, 1, 2)) {
        return NULL;
    }
    return _PyDict_FromKeys(cls, args[0], nargs > 1 ? args[1] : Py_None);
}

static PyObject *
dict_clear(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyDict_Clear(self);
    Py_RETURN_NONE;
}

static PyObject *
dict_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyDict_Copy(self);
}

static PyObject *
dict_sizeof(PyDictObject *mp, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(_PyDict_SizeOf(mp));
}

static PyObject *
dict_reversed(PyDictObject *mp, PyObject *Py_UNUSED(ignored))
{
    return _PyDictIter_New(mp, &PyDictRevIterKey_Type);
}

static PyMethodDef dict_methods[] = {
    {"__contains__", dict_contains, METH_O | METH_COEXIST,
     "__contains__($self, key, /)\n--\n\n"
     "True if the dictionary has the specified key, else False."},
    {"__getitem__", (PyCFunction)dict_subscript, METH_O | METH_COEXIST,
     "x.__getitem__(y) <==> x[y]"},
    {"__sizeof__", (PyCFunction)dict_sizeof, METH_NOARGS,
     "D.__sizeof__() -> size of D in memory, in bytes"},
    {"get", FAST(dict_get),
     "get($self, key, default=None, /)\n--\n\n"
     "The value of a key, or the default when the key is missing."},
    {"setdefault", FAST(dict_setdefault),
     "setdefault($self, key, default=None, /)\n--\n\n"
     "The value of a key, after giving a missing key the default value."},
    {"pop", FAST(dict_pop),
     "pop($self, key, default=<unrepresentable>, /)\n--\n\n"
     "D.pop(k[,d]) -> v, remove specified key and return the corresponding "
     "value.\n\n"
     "A missing key gives the default; without one, a KeyError is raised."},
    {"popitem", (PyCFunction)dict_popitem, METH_NOARGS,
     "popitem($self, /)\n--\n\n"
     "Remove the newest key and return it with its value, as a 2-tuple.\n\n"
     "Raises KeyError when the dict is empty."},
    {"keys", dict_keys, METH_NOARGS,
     "D.keys() -> a set-like object providing a view on D's keys"},
    {"items", dict_items, METH_NOARGS,
     "D.items() -> a set-like object providing a view on D's items"},
    {"values", dict_values, METH_NOARGS,
     "D.values() -> an object providing a view on D's values"},
    {"update", FAST_KEYWORDS(dict_update),
     "D.update([E, ]**F) -> None.  Update D from mapping or iterable of "
     "pairs E, and from F."},
    {"fromkeys", FAST(dict_fromkeys) | METH_CLASS,
     "fromkeys($type, iterable, value=None, /)\n--\n\n"
     "A new dictionary with keys from iterable, and one value for all."},
    {"clear", dict_clear, METH_NOARGS,
     "D.clear() -> None.  Remove all items from D."},
    {"copy", dict_copy, METH_NOARGS,
     "D.copy() -> a shallow copy of D"},
    {"__reversed__", (PyCFunction)dict_reversed, METH_NOARGS,
     "__reversed__($self, /)\n--\n\n"
     "Return a reverse iterator over the dict keys."},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

static PyNumberMethods dict_as_number = {
    .nb_or = dict_or,
    .nb_inplace_or = dict_ior,
};

static PySequenceMethods dict_as_sequence = {
    .sq_contains = PyDict_Contains,
};

static PyMappingMethods dict_as_mapping = {
    .mp_length = (lenfunc)dict_length,
    .mp_subscript = (binaryfunc)dict_subscript,
    .mp_ass_subscript = dict_ass_subscript,
};

PyDoc_STRVAR(dict_doc,
"dict() -> new empty dictionary\n"
"dict(mapping) -> new dictionary with the mapping object's (key, value) "
"pairs\n"
"dict(iterable) -> new dictionary with the pairs that the iterable gives:\n"
"    d = {}\n"
"    for k, v in iterable:\n"
"        d[k] = v\n"
"dict(**kwargs) -> new dictionary with the name=value pairs of the keyword\n"
"    argument list.  For example:  dict(one=1, two=2)");

PyTypeObject PyDict_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "dict",
    .tp_basicsize = sizeof(PyDictObject),
    .tp_dealloc = (destructor)_PyDict_Release,
    .tp_repr = (reprfunc)dict_repr,
    .tp_as_number = &dict_as_number,
    .tp_as_sequence = &dict_as_sequence,
    .tp_as_mapping = &dict_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_DICT_SUBCLASS | _Py_TPFLAGS_MATCH_SELF
        | Py_TPFLAGS_MAPPING,
    .tp_doc = dict_doc,
    .tp_traverse = (traverseproc)dict_traverse,
    .tp_clear = dict_tp_clear,
    .tp_richcompare = dict_richcompare,
    .tp_iter = (getiterfunc)dict_iter,
    .tp_methods = dict_methods,
    .tp_init = dict_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = dict_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = dict_vectorcall,
};
