/* object: the root of the class hierarchy, and the methods that every object has. */
#include "private.h"

/* ----------------------------------------------------- __new__ and __init__ */

/* object.__new__ ignores arguments if __init__ is overridden, and the other way round.
   They are an error if neither is overridden. */

static int
has_arguments(PyObject *args, PyObject *kwargs)
{
    return PyTuple_GET_SIZE(args) > 0
           || (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0);
}

static PyObject *
refuse_abstract(PyTypeObject *type)
{
    PyObject *methods = NULL, *names = NULL, *joined = NULL, *comma = NULL;
    methods = PyObject_GetAttrString((PyObject *)type,
                                     "__abstractmethods__");
    if (methods == NULL) {
        return NULL;
    }
    names = PySequence_List(methods);
    Py_DECREF(methods);
    if (names == NULL || PyList_Sort(names) < 0) {
        goto done;
    }
    comma = PyUnicode_FromString(", ");
    joined = comma == NULL ? NULL : PyUnicode_Join(comma, names);
    if (joined == NULL) {
        goto done;
    }
    PyErr_Format(PyExc_TypeError,
                 "Can't instantiate abstract class %s "
                 "with abstract method%s %U", type->tp_name,
                 PyList_GET_SIZE(names) > 1 ? "s" : "", joined);
done:
    Py_XDECREF(names);
    Py_XDECREF(comma);
    Py_XDECREF(joined);
    return NULL;
}

PyObject *
_PyObject_NewInstance(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (has_arguments(args, kwargs)) {
        if (type->tp_new != _PyObject_NewInstance) {
            PyErr_SetString(PyExc_TypeError,
                            "object.__new__() takes exactly one argument "
                            "(the type to instantiate)");
            return NULL;
        }
        if (type->tp_init == _PyObject_InitInstance) {
            PyErr_Format(PyExc_TypeError, "%.200s() takes no arguments",
                         type->tp_name);
            return NULL;
        }
    }
    if (has_flag(type, Py_TPFLAGS_IS_ABSTRACT)) {
        return refuse_abstract(type);
    }
    return type->tp_alloc(type, 0);
}

int
_PyObject_InitInstance(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *type = Py_TYPE(self);
    if (has_arguments(args, kwargs)) {
        if (type->tp_init != _PyObject_InitInstance) {
            PyErr_SetString(PyExc_TypeError,
                            "object.__init__() takes exactly one argument "
                            "(the instance to initialize)");
            return -1;
        }
        if (type->tp_new == _PyObject_NewInstance) {
            PyErr_Format(PyExc_TypeError,
                         "%.200s.__init__() takes exactly one argument "
                         "(the instance to initialize)", type->tp_name);
            return -1;
        }
    }
    return 0;
}

static void
object_dealloc(PyObject *self)
{
    Py_TYPE(self)->tp_free(self);
}

/* --------------------------------------------------------- text, comparison */

static PyObject *
object_repr(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject *module = _PyType_ModuleName(type);
    if (module == NULL) {
        PyErr_Clear();
    }
    else if (!PyUnicode_Check(module)) {
        Py_CLEAR(module);
    }
    PyObject *name = _PyType_QualifiedName(type);
    if (name == NULL) {
        Py_XDECREF(module);
        return NULL;
    }
    PyObject *result;
    if (module != NULL
        && !_PyUnicode_EqualToASCIIString(module, "builtins")) {
        result = PyUnicode_FromFormat("<%U.%U object at %p>", module, name,
                                      self);
    }
    else {
        result = PyUnicode_FromFormat("<%s object at %p>", type->tp_name,
                                      self);
    }
    Py_XDECREF(module);
    Py_DECREF(name);
    return result;
}

static PyObject *
object_str(PyObject *self)
{
    reprfunc repr = Py_TYPE(self)->tp_repr;
    return repr == NULL || repr == object_str ? object_repr(self)
                                              : repr(self);
}

static PyObject *
object_richcompare(PyObject *self, PyObject *other, int op)
{
    if (op == Py_EQ && self == other) {
        /* Not False if they differ: the other operand may know better. */
        Py_RETURN_TRUE;
    }
    if (op == Py_NE) {
        richcmpfunc compare = Py_TYPE(self)->tp_richcompare;
        if (compare == NULL) {
            Py_RETURN_NOTIMPLEMENTED;
        }
        PyObject *equal = compare(self, other, Py_EQ);
        if (equal == NULL || equal == Py_NotImplemented) {
            return equal;
        }
        int truth = PyObject_IsTrue(equal);
        Py_DECREF(equal);
        return truth < 0 ? NULL : PyBool_FromLong(!truth);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

/* ---------------------------------------------------------------- __class__ */

static PyObject *
get_class(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(Py_TYPE(self));
}

static int
set_class(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "can't delete __class__ attribute");
        return -1;
    }
    if (!PyType_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "__class__ must be set to a class, not '%s' object",
                     Py_TYPE(value)->tp_name);
        return -1;
    }
    PyTypeObject *old = Py_TYPE(self);
    PyTypeObject *new = (PyTypeObject *)value;
    if (PySys_Audit("object.__setattr__", "OsO", self, "__class__",
                    value) < 0) {
        return -1;
    }
    /* Instances of immutable types may be cached, interned or static. Modules are an
       exception, for lazy loaders. */
    if (!(PyType_IsSubtype(new, &PyModule_Type)
          && PyType_IsSubtype(old, &PyModule_Type))
        && (has_flag(new, Py_TPFLAGS_IMMUTABLETYPE)
            || has_flag(old, Py_TPFLAGS_IMMUTABLETYPE))) {
        PyErr_Format(PyExc_TypeError,
                     "__class__ assignment only supported for mutable types "
                     "or ModuleType subclasses");
        return -1;
    }
    if (!_PyType_SameLayout(old, new, "__class__")) {
        return -1;
    }
    if (old == new) {
        return 0;
    }
    /* Inline values are indexed by the old class's shared keys. */
    if (has_flag(old, Py_TPFLAGS_MANAGED_DICT)
        && _PyInstance_Materialise(self) < 0) {
        return -1;
    }
    if (type_is_heap(new)) {
        Py_INCREF(new);
    }
    Py_SET_TYPE(self, new);
    _PyType_KindChanged(new, old->tp_descr_get, old->tp_descr_set);
    if (type_is_heap(old)) {
        Py_DECREF(old);
    }
    return 0;
}

static PyGetSetDef object_getsets[] = {
    {"__class__", get_class, set_class, "the object's class", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

/* ----------------------------------------------------------------- pickling */

static PyObject *
import_copyreg(void)
{
    PyObject *module = PyImport_GetModule(_Py_NAME(copyreg));
    if (module != NULL || PyErr_Occurred()) {
        return module;
    }
    return PyImport_Import(_Py_NAME(copyreg));
}

/* Returns a new reference to an attribute of copyreg. */
static PyObject *
from_copyreg(PyObject *name)
{
    PyObject *module = import_copyreg();
    if (module == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_GetAttr(module, name);
    Py_DECREF(module);
    return result;
}

/* Returns a list of the names in __slots__ of the class and its bases, or None. */
static PyObject *
slot_names(PyTypeObject *type)
{
    PyObject *names = PyDict_GetItemWithError(type->tp_dict,
                                              _Py_NAME(dunder_slotnames));
    if (names != NULL) {
        if (names != Py_None && !PyList_Check(names)) {
            PyErr_Format(PyExc_TypeError,
                         "%.200s.__slotnames__ should be a list or None, "
                         "not %.200s", type->tp_name,
                         Py_TYPE(names)->tp_name);
            return NULL;
        }
        return Py_NewRef(names);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    PyObject *func = from_copyreg(_Py_NAME(_slotnames));
    if (func == NULL) {
        return NULL;
    }
    names = PyObject_CallOneArg(func, (PyObject *)type);
    Py_DECREF(func);
    if (names != NULL && names != Py_None && !PyList_Check(names)) {
        PyErr_SetString(PyExc_TypeError,
                        "copyreg._slotnames didn't return a list or None");
        Py_CLEAR(names);
    }
    return names;
}

/* By default, an object with state in C fields of its own can't be pickled. */
static int
has_unknown_fields(PyTypeObject *type, PyObject *names)
{
    Py_ssize_t size = PyBaseObject_Type.tp_basicsize;
    if (type->tp_dictoffset > 0) {
        size += sizeof(PyObject *);
    }
    if (type->tp_weaklistoffset > 0) {
        size += sizeof(PyObject *);
    }
    if (names != Py_None) {
        size += sizeof(PyObject *) * PyList_GET_SIZE(names);
    }
    return type->tp_basicsize > size;
}

/* {name: value} for the slots that are set, or an empty dict. */
static PyObject *
slot_values(PyObject *self, PyObject *names)
{
    PyObject *values = PyDict_New();
    if (values == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(names); i++) {
        PyObject *name = Py_NewRef(PyList_GET_ITEM(names, i));
        PyObject *value;
        int found = _PyObject_LookupAttr(self, name, &value);
        if (found > 0) {
            found = PyDict_SetItem(values, name, value);
            Py_DECREF(value);
        }
        Py_DECREF(name);
        if (found < 0) {
            Py_DECREF(values);
            return NULL;
        }
    }
    return values;
}

static int
has_dict_items(PyObject **dict)
{
    return dict != NULL && *dict != NULL
        && !(PyDict_Check(*dict) && PyDict_GET_SIZE(*dict) == 0);
}

static PyObject *
default_state(PyObject *self, int required)
{
    PyTypeObject *type = Py_TYPE(self);
    /* Code objects are of fixed size here, but of variable size in python3.11. */
    if (required && (type->tp_itemsize != 0 || type == &PyCode_Type)) {
        PyErr_Format(PyExc_TypeError, "cannot pickle %.200s objects",
                     type->tp_name);
        return NULL;
    }
    PyObject *state;
    if (has_flag(type, Py_TPFLAGS_MANAGED_DICT)
            ? !_PyInstance_HasAttrs(self)
            : !has_dict_items(_PyObject_GetDictPtr(self))) {
        state = Py_NewRef(Py_None);
    }
    else {
        state = _PyObject_GetDict(self);
        if (state == NULL) {
            return NULL;
        }
    }
    PyObject *names = slot_names(type);
    if (names == NULL) {
        Py_DECREF(state);
        return NULL;
    }
    if (required && has_unknown_fields(type, names)) {
        PyErr_Format(PyExc_TypeError, "cannot pickle '%.200s' object",
                     type->tp_name);
        Py_DECREF(names);
        Py_DECREF(state);
        return NULL;
    }
    if (names != Py_None && PyList_GET_SIZE(names) > 0) {
        PyObject *values = slot_values(self, names);
        if (values == NULL) {
            Py_CLEAR(state);
        }
        else {
            if (PyDict_GET_SIZE(values) > 0) {
                Py_SETREF(state, PyTuple_Pack(2, state, values));
            }
            Py_DECREF(values);
        }
    }
    Py_DECREF(names);
    return state;
}

static PyObject *
object_getstate(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return default_state(self, 0);
}

/* self.__getstate__() */
PyObject *
_PyObject_GetState(PyObject *self)
{
    return PyObject_CallMethodNoArgs(self, _Py_NAME(dunder_getstate));
}

static PyObject *
state_of(PyObject *self, int required)
{
    PyObject *method = PyObject_GetAttr(self, _Py_NAME(dunder_getstate));
    if (method == NULL) {
        return NULL;
    }
    PyObject *result;
    if (PyCFunction_Check(method)
        && PyCFunction_GET_SELF(method) == self
        && PyCFunction_GET_FUNCTION(method) == object_getstate) {
        /* __getstate__ is not overridden: `required` applies. */
        result = default_state(self, required);
    }
    else {
        result = PyObject_CallNoArgs(method);
    }
    Py_DECREF(method);
    return result;
}

/* The arguments for __new__: *args is a tuple, or NULL if there are none; *kwargs is a
   dict or NULL. */
static int
new_arguments(PyObject *self, PyObject **args, PyObject **kwargs)
{
    *args = *kwargs = NULL;
    PyObject *method = _PyObject_LookupSpecial(
        self, _Py_NAME(dunder_getnewargs_ex));
    if (method != NULL) {
        PyObject *pair = PyObject_CallNoArgs(method);
        Py_DECREF(method);
        if (pair == NULL) {
            return -1;
        }
        if (!PyTuple_Check(pair)) {
            PyErr_Format(PyExc_TypeError,
                         "__getnewargs_ex__ should return a tuple, "
                         "not '%.200s'", Py_TYPE(pair)->tp_name);
            Py_DECREF(pair);
            return -1;
        }
        if (PyTuple_GET_SIZE(pair) != 2) {
            PyErr_Format(PyExc_ValueError,
                         "__getnewargs_ex__ should return a tuple of "
                         "length 2, not %zd", PyTuple_GET_SIZE(pair));
            Py_DECREF(pair);
            return -1;
        }
        PyObject *first = PyTuple_GET_ITEM(pair, 0);
        PyObject *second = PyTuple_GET_ITEM(pair, 1);
        if (!PyTuple_Check(first)) {
            PyErr_Format(PyExc_TypeError,
                         "first item of the tuple returned by "
                         "__getnewargs_ex__ must be a tuple, not '%.200s'",
                         Py_TYPE(first)->tp_name);
            Py_DECREF(pair);
            return -1;
        }
        if (!PyDict_Check(second)) {
            PyErr_Format(PyExc_TypeError,
                         "second item of the tuple returned by "
                         "__getnewargs_ex__ must be a dict, not '%.200s'",
                         Py_TYPE(second)->tp_name);
            Py_DECREF(pair);
            return -1;
        }
        *args = Py_NewRef(first);
        *kwargs = Py_NewRef(second);
        Py_DECREF(pair);
        return 0;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    method = _PyObject_LookupSpecial(self, _Py_NAME(dunder_getnewargs));
    if (method == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    *args = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (*args != NULL && !PyTuple_Check(*args)) {
        PyErr_Format(PyExc_TypeError,
                     "__getnewargs__ should return a tuple, not '%.200s'",
                     Py_TYPE(*args)->tp_name);
        Py_CLEAR(*args);
    }
    return *args == NULL ? -1 : 0;
}

/* Iterators over the items of a list and of a dict, None otherwise. */
static int
item_iterators(PyObject *self, PyObject **list_items, PyObject **dict_items)
{
    *list_items = *dict_items = NULL;
    *list_items = PyList_Check(self) ? PyObject_GetIter(self)
                                     : Py_NewRef(Py_None);
    if (*list_items == NULL) {
        return -1;
    }
    if (!PyDict_Check(self)) {
        *dict_items = Py_NewRef(Py_None);
        return 0;
    }
    PyObject *items = PyObject_CallMethodNoArgs(self, _Py_NAME(items));
    if (items != NULL) {
        *dict_items = PyObject_GetIter(items);
        Py_DECREF(items);
    }
    if (*dict_items == NULL) {
        Py_CLEAR(*list_items);
        return -1;
    }
    return 0;
}

/* (cls, *args) */
static PyObject *
prepend_class(PyObject *cls, PyObject *args)
{
    Py_ssize_t n = args != NULL ? PyTuple_GET_SIZE(args) : 0;
    PyObject *result = PyTuple_New(n + 1);
    if (result == NULL) {
        return NULL;
    }
    PyTuple_SET_ITEM(result, 0, Py_NewRef(cls));
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(result, i + 1,
                         Py_NewRef(PyTuple_GET_ITEM(args, i)));
    }
    return result;
}

static PyObject *
reduce_newobj(PyObject *self)
{
    PyObject *args = NULL, *kwargs = NULL, *state = NULL;
    PyObject *list_items = NULL, *dict_items = NULL;
    PyObject *func = NULL, *func_args = NULL, *result = NULL;
    PyTypeObject *type = Py_TYPE(self);

    if (type->tp_new == NULL) {
        PyErr_Format(PyExc_TypeError, "cannot pickle '%.200s' object",
                     type->tp_name);
        return NULL;
    }
    if (new_arguments(self, &args, &kwargs) < 0) {
        return NULL;
    }
    int has_args = args != NULL;
    PyObject *cls = (PyObject *)type;
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0) {
        func = from_copyreg(_Py_NAME(dunder_newobj));
        func_args = func == NULL ? NULL : prepend_class(cls, args);
    }
    else if (args != NULL) {
        func = from_copyreg(_Py_NAME(dunder_newobj_ex));
        func_args = func == NULL ? NULL : PyTuple_Pack(3, cls, args, kwargs);
    }
    else {
        PyErr_BadInternalCall();
    }
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    if (func_args == NULL) {
        goto done;
    }
    state = state_of(self, !(has_args || PyList_Check(self)
                             || PyDict_Check(self)));
    if (state != NULL
        && item_iterators(self, &list_items, &dict_items) == 0) {
        result = PyTuple_Pack(5, func, func_args, state, list_items,
                              dict_items);
    }
done:
    Py_XDECREF(func);
    Py_XDECREF(func_args);
    Py_XDECREF(state);
    Py_XDECREF(list_items);
    Py_XDECREF(dict_items);
    return result;
}

static PyObject *
default_reduce(PyObject *self, int protocol)
{
    if (protocol >= 2) {
        return reduce_newobj(self);
    }
    PyObject *func = from_copyreg(_Py_NAME(_reduce_ex));
    if (func == NULL) {
        return NULL;
    }
    PyObject *number = PyLong_FromLong(protocol);
    PyObject *result = NULL;
    if (number != NULL) {
        PyObject *args[2] = {self, number};
        result = PyObject_Vectorcall(func, args, 2, NULL);
        Py_DECREF(number);
    }
    Py_DECREF(func);
    return result;
}

static PyObject *
object_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return default_reduce(self, 0);
}

static PyObject *
object_reduce_ex(PyObject *self, PyObject *arg)
{
    int protocol = _PyLong_AsInt(arg);
    if (protocol == -1 && PyErr_Occurred()) {
        return NULL;
    }
    PyObject *reduce;
    if (_PyObject_LookupAttr(self, _Py_NAME(dunder_reduce), &reduce) < 0) {
        return NULL;
    }
    if (reduce != NULL) {
        /* An overridden __reduce__ takes precedence over the default __reduce_ex__. */
        PyObject *own = PyObject_GetAttr((PyObject *)Py_TYPE(self),
                                         _Py_NAME(dunder_reduce));
        if (own == NULL) {
            Py_DECREF(reduce);
            return NULL;
        }
        int overridden = own != PyDict_GetItemWithError(
            PyBaseObject_Type.tp_dict, _Py_NAME(dunder_reduce));
        Py_DECREF(own);
        if (overridden) {
            PyObject *result = PyObject_CallNoArgs(reduce);
            Py_DECREF(reduce);
            return result;
        }
        Py_DECREF(reduce);
    }
    return default_reduce(self, protocol);
}

/* ------------------------------------------------------------ other methods */

static PyObject *
object_subclasshook(PyObject *Py_UNUSED(cls), PyObject *Py_UNUSED(args))
{
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
object_init_subclass(PyObject *Py_UNUSED(cls), PyObject *Py_UNUSED(args))
{
    Py_RETURN_NONE;
}

static PyObject *
object_format(PyObject *self, PyObject *spec)
{
    if (!PyUnicode_Check(spec)) {
        _PyArg_BadArgument("__format__", "argument", "str", spec);
        return NULL;
    }
    /* A format string that str() would ignore is an error. */
    if (PyUnicode_GET_LENGTH(spec) > 0) {
        PyErr_Format(PyExc_TypeError,
                     "unsupported format string passed to %.200s.__format__",
                     Py_TYPE(self)->tp_name);
        return NULL;
    }
    return PyObject_Str(self);
}

static PyObject *
object_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyTypeObject *type = Py_TYPE(self);
    Py_ssize_t size = type->tp_basicsize;
    if (type->tp_itemsize > 0) {
        Py_ssize_t n = Py_SIZE(self);
        size += (n < 0 ? -n : n) * type->tp_itemsize;
    }
    return PyLong_FromSsize_t(size);
}

int
_PyType_MergeDicts(PyObject *names, PyObject *cls)
{
    PyObject *dict, *bases;
    if (_PyObject_LookupAttr(cls, _Py_NAME(dunder_dict), &dict) < 0) {
        return -1;
    }
    if (dict != NULL) {
        int status = PyDict_Update(names, dict);
        Py_DECREF(dict);
        if (status < 0) {
            return -1;
        }
    }
    if (_PyObject_LookupAttr(cls, _Py_NAME(dunder_bases), &bases) < 0) {
        return -1;
    }
    if (bases == NULL) {
        return 0;
    }
    int status = 0;
    Py_ssize_t n = PySequence_Size(bases);
    if (n < 0) {
        status = -1;
    }
    for (Py_ssize_t i = 0; i < n && status == 0; i++) {
        PyObject *base = PySequence_GetItem(bases, i);
        status = base == NULL ? -1 : _PyType_MergeDicts(names, base);
        Py_XDECREF(base);
    }
    Py_DECREF(bases);
    return status;
}

static PyObject *
object_dir(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *dict, *names, *cls = NULL, *result = NULL;
    if (_PyObject_LookupAttr(self, _Py_NAME(dunder_dict), &dict) < 0) {
        return NULL;
    }
    names = dict != NULL && PyDict_Check(dict) ? PyDict_Copy(dict)
                                               : PyDict_New();
    Py_XDECREF(dict);
    if (names == NULL) {
        return NULL;
    }
    if (_PyObject_LookupAttr(self, _Py_NAME(dunder_class), &cls) < 0
        || (cls != NULL && _PyType_MergeDicts(names, cls) < 0)) {
        goto done;
    }
    result = PyDict_Keys(names);
done:
    Py_XDECREF(cls);
    Py_DECREF(names);
    return result;
}

static PyMethodDef object_methods[] = {
    {"__reduce_ex__", object_reduce_ex, METH_O,
     "__reduce_ex__($self, protocol, /)\n--\n\nHelper for pickle."},
    {"__reduce__", object_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nHelper for pickle."},
    {"__getstate__", object_getstate, METH_NOARGS,
     "__getstate__($self, /)\n--\n\nHelper for pickle."},
    {"__subclasshook__", object_subclasshook, METH_CLASS | METH_VARARGS,
     "Decides for issubclass(), when an abstract class overrides it;\n"
     "NotImplemented as the answer leaves it to the usual rules.\n"},
    {"__init_subclass__", object_init_subclass, METH_CLASS | METH_NOARGS,
     "Told of every new subclass, with the class statement's keywords.\n"},
    {"__format__", object_format, METH_O,
     "__format__($self, format_spec, /)\n--\n\nDefault object formatter."},
    {"__sizeof__", object_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nSize of object in memory, in bytes."},
    {"__dir__", object_dir, METH_NOARGS,
     "__dir__($self, /)\n--\n\nDefault dir() implementation."},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyBaseObject_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "object",
    .tp_basicsize = sizeof(PyObject),
    .tp_dealloc = object_dealloc,
    .tp_repr = object_repr,
    .tp_hash = (hashfunc)_Py_HashPointer,
    .tp_str = object_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "object()\n--\n\n"
              "The root of all classes. An instance has no attributes of "
              "its own.\n",
    .tp_richcompare = object_richcompare,
    .tp_methods = object_methods,
    .tp_getset = object_getsets,
    .tp_init = _PyObject_InitInstance,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = _PyObject_NewInstance,
    .tp_free = PyObject_Free,
};
