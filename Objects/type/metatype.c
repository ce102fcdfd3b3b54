/* type: the class of classes. */
#include "private.h"
#include "internal/dict.h"
#include "internal/keyhash.h"
#include "internal/method_table.h"
#include "internal/union.h"

/* --------------------------------------------------------- attribute access */

PyObject *
_PyType_GetAttrOrNull(PyTypeObject *type, PyObject *name)
{
    PyTypeObject *meta = Py_TYPE(type);
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError,
                     "attribute name must be string, not '%.200s'",
                     Py_TYPE(name)->tp_name);
        return NULL;
    }
    if (type->tp_dict == NULL && PyType_Ready(type) < 0) {
        return NULL;
    }
    descrgetfunc meta_get = NULL;
    PyObject *meta_attr = _PyType_LookupInline(meta, name);
    if (meta_attr != NULL) {
        Py_INCREF(meta_attr);
        meta_get = Py_TYPE(meta_attr)->tp_descr_get;
        if (meta_get != NULL && Py_TYPE(meta_attr)->tp_descr_set != NULL) {
            PyObject *result = meta_get(meta_attr, (PyObject *)type,
                                        (PyObject *)meta);
            Py_DECREF(meta_attr);
            return result;
        }
    }
    PyObject *attr = _PyType_LookupInline(type, name);
    if (attr != NULL) {
        Py_INCREF(attr);
        Py_XDECREF(meta_attr);
        descrgetfunc get = Py_TYPE(attr)->tp_descr_get;
        if (get == NULL) {
            return attr;
        }
        /* There is no instance: a function stays as it is, a classmethod binds. */
        PyObject *result = get(attr, NULL, (PyObject *)type);
        Py_DECREF(attr);
        return result;
    }
    if (meta_get != NULL) {
        PyObject *result = meta_get(meta_attr, (PyObject *)type,
                                    (PyObject *)meta);
        Py_DECREF(meta_attr);
        return result;
    }
    return meta_attr;
}

PyObject *
_PyType_GetAttr(PyObject *self, PyObject *name)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *result = _PyType_GetAttrOrNull(type, name);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_AttributeError,
                     "type object '%.50s' has no attribute '%U'",
                     type->tp_name, name);
    }
    return result;
}

/* Gives an attribute that the class has another value, whose old one becomes *old: 1, or 0 if it
   has none, or if the metaclass may have a descriptor of that name. `type` has some for special
   names. */
static int
replace_in_dict(PyTypeObject *type, PyObject *name, PyObject *value, PyObject **old)
{
    PyObject **at;
    if (value == NULL || !Py_IS_TYPE(type, &PyType_Type) || type->tp_dict == NULL
        || (PyUnicode_GET_LENGTH(name) > 1 && PyUnicode_READ_CHAR(name, 0) == '_'
            && PyUnicode_READ_CHAR(name, 1) == '_')
        || _PyDict_FindHashed((PyDictObject *)type->tp_dict, name, _Py_KeyHash(name), &at) <= 0) {
        return 0;
    }
    *old = Py_NewRef(*at);
    _PyDict_ReplaceAt((PyDictObject *)type->tp_dict, at, Py_NewRef(value));
    return 1;
}

static int
type_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (has_flag(type, Py_TPFLAGS_IMMUTABLETYPE)) {
        PyErr_Format(PyExc_TypeError,
                     "cannot set %R attribute of immutable type '%s'",
                     name, type->tp_name);
        return -1;
    }
    if (!PyUnicode_Check(name)) {
        PyErr_Format(PyExc_TypeError,
                     "attribute name must be string, not '%.200s'",
                     Py_TYPE(name)->tp_name);
        return -1;
    }
    /* Class dictionaries have exact, interned keys: the caches compare names by
       identity. */
    if (PyUnicode_CheckExact(name)) {
        Py_INCREF(name);
    }
    else {
        name = _PyUnicode_Copy(name);
        if (name == NULL) {
            return -1;
        }
    }
    PyUnicode_InternInPlace(&name);
    PyObject *old;
    int status = replace_in_dict(type, name, value, &old) ? 0 : -1;
    if (status < 0) {
        /* mypyc's types have no dictionary yet when it sets the first attributes. */
        old = type->tp_dict == NULL
            ? NULL : Py_XNewRef(_PyDict_GetItemWithError(type->tp_dict, name));
        status = _PyObject_GenericSetAttrWithDict(self, name, value, type->tp_dict);
    }
    if (status == 0 && !_PyType_Changes(type, name, old, value)) {
        PyType_Modified(type);
        status = _PyType_UpdateSlot(type, name);
    }
    Py_XDECREF(old);
    Py_DECREF(name);
    return status;
}

/* -------------------------------------------------------------------- slots */

static PyObject *
type_repr(PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (type->tp_name == NULL) {
        /* A static type before PyType_Ready(), as a debugger may see it. */
        return PyUnicode_FromFormat("<class at %p>", self);
    }
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
        result = PyUnicode_FromFormat("<class '%U.%U'>", module, name);
    }
    else {
        result = PyUnicode_FromFormat("<class '%s'>", type->tp_name);
    }
    Py_XDECREF(module);
    Py_DECREF(name);
    return result;
}

static int
type_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (kwargs != NULL && n == 1 && PyDict_GET_SIZE(kwargs) != 0) {
        PyErr_SetString(PyExc_TypeError,
                        "type.__init__() takes no keyword arguments");
        return -1;
    }
    if (n != 1 && n != 3) {
        PyErr_SetString(PyExc_TypeError,
                        "type.__init__() takes 1 or 3 arguments");
        return -1;
    }
    (void)self;
    return 0;
}

static void
type_dealloc(PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyHeapTypeObject *heap = (PyHeapTypeObject *)type;
    PyObject *exc_type, *exc_value, *exc_traceback;

    /* Static types are never freed. */
    _PyObject_ASSERT(self, type_is_heap(type));
    PyObject_GC_UnTrack(self);
    _PyType_Forget(type);
    PyErr_Fetch(&exc_type, &exc_value, &exc_traceback);
    if (type->tp_bases != NULL) {
        _PyType_RemoveAllSubclasses(type, type->tp_bases);
    }
    PyErr_Restore(exc_type, exc_value, exc_traceback);
    PyObject_ClearWeakRefs(self);
    Py_XDECREF(type->tp_base);
    Py_XDECREF(type->tp_dict);
    Py_XDECREF(type->tp_bases);
    Py_XDECREF(type->tp_mro);
    Py_XDECREF(type->tp_cache);
    Py_XDECREF(type->tp_subclasses);
    /* A heap type's tp_doc is a copy of our own. */
    PyObject_Free((char *)type->tp_doc);
    Py_XDECREF(heap->ht_name);
    Py_XDECREF(heap->ht_qualname);
    Py_XDECREF(heap->ht_slots);
    if (heap->ht_cached_keys != NULL) {
        _PyInstance_FreeSharedKeys(type);
    }
    Py_XDECREF(heap->ht_module);
    PyMem_Free(heap->_ht_tpname);
    Py_TYPE(type)->tp_free(type);
}

/* Visits the references that may be part of a cycle. A static type can't be part of
   one, as it is never freed. */
static int
type_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!type_is_heap(type)) {
        char message[200];
        PyOS_snprintf(message, sizeof(message),
                      "type_traverse() called on non-heap type '%.100s'",
                      type->tp_name);
        _PyObject_ASSERT_FAILED_MSG(self, message);
    }
    Py_VISIT(type->tp_dict);
    Py_VISIT(type->tp_cache);
    Py_VISIT(type->tp_mro);
    Py_VISIT(type->tp_bases);
    Py_VISIT(type->tp_base);
    Py_VISIT(((PyHeapTypeObject *)type)->ht_module);
    /* tp_subclasses holds weak references; names and slots are strings. */
    return 0;
}

/* Must break every cycle, but leave a type whose remaining instances can still be
   destroyed. So the bases are kept; the dictionary's values and the MRO (which contains
   the type itself) are dropped. */
static int
type_clear(PyObject *self)
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyType_Modified(type);
    if (type->tp_dict != NULL) {
        PyDict_Clear(type->tp_dict);
    }
    Py_CLEAR(((PyHeapTypeObject *)type)->ht_module);
    Py_CLEAR(type->tp_mro);
    return 0;
}

static int
type_is_gc(PyObject *self)
{
    return type_is_heap((PyTypeObject *)self);
}

static PyNumberMethods type_as_number = {
    .nb_or = _Py_union_type_or,
};

/* ------------------------------------------------------------------ methods */

static PyObject *
type_mro(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyMro_Compute((PyTypeObject *)self);
}

static PyObject *
type_subclasses(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _PyType_GetSubclasses((PyTypeObject *)self);
}

static PyObject *
type_prepare(PyObject *Py_UNUSED(self), PyObject *const *Py_UNUSED(args),
             Py_ssize_t Py_UNUSED(nargs), PyObject *Py_UNUSED(kwnames))
{
    return PyDict_New();
}

static PyObject *
type_instancecheck(PyObject *self, PyObject *instance)
{
    int result = _PyObject_RealIsInstance(instance, self);
    return result < 0 ? NULL : PyBool_FromLong(result);
}

static PyObject *
type_subclasscheck(PyObject *self, PyObject *subclass)
{
    int result = _PyObject_RealIsSubclass(subclass, self);
    return result < 0 ? NULL : PyBool_FromLong(result);
}

/* Unlike object's dir(), without the attributes of the metaclass. */
static PyObject *
type_dir(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *names = PyDict_New();
    if (names == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (_PyType_MergeDicts(names, self) == 0) {
        result = PyDict_Keys(names);
    }
    Py_DECREF(names);
    return result;
}

static PyObject *
type_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyTypeObject *type = (PyTypeObject *)self;
    size_t size = sizeof(PyTypeObject);
    if (type_is_heap(type)) {
        size = sizeof(PyHeapTypeObject)
               + Py_SIZE(type) * sizeof(PyMemberDef);
        if (has_flag(type, Py_TPFLAGS_MANAGED_DICT)) {
            size += _PyInstance_SharedKeysSize(type);
        }
    }
    return PyLong_FromSize_t(size);
}

static PyMethodDef type_methods[] = {
    {"mro", type_mro, METH_NOARGS,
     "mro($self, /)\n--\n\nReturn a type's method resolution order."},
    {"__subclasses__", type_subclasses, METH_NOARGS,
     "__subclasses__($self, /)\n--\n\n"
     "Return a list of immediate subclasses."},
    {"__prepare__", FAST_KEYWORDS(type_prepare) | METH_CLASS,
     "__prepare__() -> dict\n"
     "used to create the namespace of the class statement"},
    {"__instancecheck__", type_instancecheck, METH_O,
     "__instancecheck__($self, instance, /)\n--\n\n"
     "Check if an object is an instance."},
    {"__subclasscheck__", type_subclasscheck, METH_O,
     "__subclasscheck__($self, subclass, /)\n--\n\n"
     "Check if a class is a subclass."},
    {"__dir__", type_dir, METH_NOARGS,
     "__dir__($self, /)\n--\n\n"
     "Specialized __dir__ implementation for types."},
    {"__sizeof__", type_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\n"
     "Return memory consumption of the type object."},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef type_members[] = {
    {"__basicsize__", T_PYSSIZET, offsetof(PyTypeObject, tp_basicsize),
     READONLY, NULL},
    {"__itemsize__", T_PYSSIZET, offsetof(PyTypeObject, tp_itemsize),
     READONLY, NULL},
    {"__flags__", T_ULONG, offsetof(PyTypeObject, tp_flags), READONLY, NULL},
    {"__weakrefoffset__", T_PYSSIZET,
     offsetof(PyTypeObject, tp_weaklistoffset), READONLY, NULL},
    {"__base__", T_OBJECT, offsetof(PyTypeObject, tp_base), READONLY, NULL},
    {"__dictoffset__", T_PYSSIZET, offsetof(PyTypeObject, tp_dictoffset),
     READONLY, NULL},
    {"__mro__", T_OBJECT, offsetof(PyTypeObject, tp_mro), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

PyTypeObject PyType_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "type",
    .tp_basicsize = sizeof(PyHeapTypeObject),
    .tp_itemsize = sizeof(PyMemberDef),
    .tp_dealloc = type_dealloc,
    .tp_vectorcall_offset = offsetof(PyTypeObject, tp_vectorcall),
    .tp_repr = type_repr,
    .tp_as_number = &type_as_number,
    .tp_call = _PyType_Call,
    .tp_getattro = _PyType_GetAttr,
    .tp_setattro = type_setattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_TYPE_SUBCLASS
                | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "type(object) -> the object's type\n"
              "type(name, bases, dict, **kwds) -> a new type",
    .tp_traverse = type_traverse,
    .tp_clear = type_clear,
    .tp_weaklistoffset = offsetof(PyTypeObject, tp_weaklist),
    .tp_methods = type_methods,
    .tp_members = type_members,
    .tp_getset = _PyType_GetSets,
    .tp_dictoffset = offsetof(PyTypeObject, tp_dict),
    .tp_init = type_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = _PyType_New,
    .tp_free = PyObject_GC_Del,
    .tp_is_gc = type_is_gc,
    .tp_vectorcall = _PyType_Vectorcall,
};

/* -------------------------------------------------------------------- C API */

int
PyType_IsSubtype(PyTypeObject *type, PyTypeObject *base)
{
    PyObject *mro = type->tp_mro;
    if (mro != NULL) {
        Py_ssize_t n = PyTuple_GET_SIZE(mro);
        for (Py_ssize_t i = 0; i < n; i++) {
            if (PyTuple_GET_ITEM(mro, i) == (PyObject *)base) {
                return 1;
            }
        }
        return 0;
    }
    /* The type is not ready yet, or is being cleared: follow the chain of bases. */
    for (; type != NULL; type = type->tp_base) {
        if (type == base) {
            return 1;
        }
    }
    return base == &PyBaseObject_Type;
}

unsigned long
PyType_GetFlags(PyTypeObject *type)
{
    return type->tp_flags;
}

#undef PyType_SUPPORTS_WEAKREFS
int
PyType_SUPPORTS_WEAKREFS(PyTypeObject *type)
{
    return type->tp_weaklistoffset > 0;
}
