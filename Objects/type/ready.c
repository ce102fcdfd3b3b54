/* PyType_Ready(): from a filled-in PyTypeObject to a working class.

   Steps, in this order because each builds on the ones before: base, metatype,
   dictionary, bases, MRO, __new__, the methods of the type's own slots and
   tables, inheritance of slots, hash, registration with the bases. */
#include "private.h"
#include "internal/method_table.h"
#include "internal/tuple.h"

/* --------------------------------------------------------------- subclasses */

/* tp_subclasses is a dict {address: weak reference}, so that a class that is being
   destroyed finds its entry without a search. */

int
_PyType_AddSubclass(PyTypeObject *base, PyTypeObject *type)
{
    PyObject *key = PyLong_FromVoidPtr(type);
    PyObject *ref = key == NULL ? NULL
                    : PyWeakref_NewRef((PyObject *)type, NULL);
    int status = -1;
    if (ref != NULL) {
        if (base->tp_subclasses == NULL) {
            base->tp_subclasses = PyDict_New();
        }
        if (base->tp_subclasses != NULL) {
            status = PyDict_SetItem(base->tp_subclasses, key, ref);
        }
    }
    Py_XDECREF(key);
    Py_XDECREF(ref);
    return status;
}

void
_PyType_RemoveSubclass(PyTypeObject *base, PyTypeObject *type)
{
    PyObject *dict = base->tp_subclasses;
    if (dict == NULL) {
        return;
    }
    PyObject *key = PyLong_FromVoidPtr(type);
    if (key == NULL || PyDict_DelItem(dict, key) < 0) {
        /* The entry may be missing if the class's bases were being changed. */
        PyErr_Clear();
    }
    Py_XDECREF(key);
    if (PyDict_GET_SIZE(dict) == 0) {
        Py_CLEAR(base->tp_subclasses);
    }
}

void
_PyType_RemoveAllSubclasses(PyTypeObject *type, PyObject *bases)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        if (PyType_Check(base)) {
            _PyType_RemoveSubclass((PyTypeObject *)base, type);
        }
    }
}

PyObject *
_PyType_GetSubclasses(PyTypeObject *type)
{
    PyObject *list = PyList_New(0);
    if (list == NULL || type->tp_subclasses == NULL) {
        return list;
    }
    Py_ssize_t pos = 0;
    PyObject *ref;
    while (PyDict_Next(type->tp_subclasses, &pos, NULL, &ref)) {
        PyObject *sub = PyWeakref_GET_OBJECT(ref);
        if (sub != Py_None && PyList_Append(list, sub) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* --------------------------------------------------- filling the dictionary */

static int
set_default_item(PyObject *dict, PyObject *name, PyObject *value)
{
    return PyDict_SetDefault(dict, name, value) == NULL ? -1 : 0;
}

/* Steals descr, which may be NULL with an exception. */
static int
add_descriptor(PyTypeObject *type, PyObject *name, PyObject *descr,
               int override)
{
    if (descr == NULL) {
        return -1;
    }
    int status = override ? PyDict_SetItem(type->tp_dict, name, descr)
                          : set_default_item(type->tp_dict, name, descr);
    Py_DECREF(descr);
    return status;
}

static int
add_method(PyTypeObject *type, PyMethodDef *def)
{
    PyObject *descr, *name = NULL;
    if (def->ml_flags & METH_CLASS) {
        if (def->ml_flags & METH_STATIC) {
            PyErr_SetString(PyExc_ValueError,
                            "method cannot be both class and static");
            return -1;
        }
        descr = PyDescr_NewClassMethod(type, def);
        name = descr == NULL ? NULL : Py_NewRef(PyDescr_NAME(descr));
    }
    else if (def->ml_flags & METH_STATIC) {
        PyObject *func = PyCFunction_NewEx(def, (PyObject *)type, NULL);
        if (func == NULL) {
            return -1;
        }
        descr = PyStaticMethod_New(func);
        Py_DECREF(func);
        name = PyUnicode_InternFromString(def->ml_name);
    }
    else {
        descr = PyDescr_NewMethod(type, def);
        name = descr == NULL ? NULL : Py_NewRef(PyDescr_NAME(descr));
    }
    int status = -1;
    if (name != NULL) {
        status = add_descriptor(type, name, descr, def->ml_flags & METH_COEXIST);
        Py_DECREF(name);
    }
    else {
        Py_XDECREF(descr);
    }
    return status;
}

static int
add_tables(PyTypeObject *type)
{
    for (PyMethodDef *def = type->tp_methods;
         def != NULL && def->ml_name != NULL; def++) {
        if (add_method(type, def) < 0) {
            return -1;
        }
    }
    for (PyMemberDef *def = type->tp_members;
         def != NULL && def->name != NULL; def++) {
        PyObject *descr = PyDescr_NewMember(type, def);
        if (descr == NULL
            || add_descriptor(type, PyDescr_NAME(descr), descr, 0) < 0) {
            return -1;
        }
    }
    for (PyGetSetDef *def = type->tp_getset;
         def != NULL && def->name != NULL; def++) {
        PyObject *descr = PyDescr_NewGetSet(type, def);
        if (descr == NULL
            || add_descriptor(type, PyDescr_NAME(descr), descr, 0) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
add_doc(PyTypeObject *type)
{
    int present = PyDict_Contains(type->tp_dict, _Py_NAME(dunder_doc));
    if (present != 0) {
        return present < 0 ? -1 : 0;
    }
    PyObject *doc = Py_None;
    if (type->tp_doc != NULL) {
        doc = PyUnicode_FromString(
            _PyType_DocWithoutSignature(type->tp_name, type->tp_doc));
        if (doc == NULL) {
            return -1;
        }
    }
    int status = PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_doc), doc);
    if (doc != Py_None) {
        Py_DECREF(doc);
    }
    return status;
}

/* ------------------------------------------------------------------ __new__ */

static PyObject *
new_by_tuple(PyTypeObject *type, PyTypeObject *wanted, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    PyObject *tuple = _PyTuple_FromArray(args, nargs), *kwargs = NULL, *result = NULL;
    int has_names = kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0;
    if (tuple != NULL
        && (!has_names || (kwargs = _PyStack_AsDict(args + nargs, kwnames)) != NULL)) {
        result = type->tp_new(wanted, tuple, kwargs);
    }
    Py_XDECREF(tuple);
    Py_XDECREF(kwargs);
    return result;
}

PyObject *
_PyType_NewWrapper(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    if (self == NULL || !PyType_Check(self)) {
        PyErr_Format(PyExc_SystemError,
                     "__new__() called with non-type 'self'");
        return NULL;
    }
    PyTypeObject *type = (PyTypeObject *)self;
    if (nargs < 1) {
        PyErr_Format(PyExc_TypeError, "%s.__new__(): not enough arguments",
                     type->tp_name);
        return NULL;
    }
    PyObject *arg = args[0];
    if (!PyType_Check(arg)) {
        PyErr_Format(PyExc_TypeError,
                     "%s.__new__(X): X is not a type object (%s)",
                     type->tp_name, Py_TYPE(arg)->tp_name);
        return NULL;
    }
    PyTypeObject *wanted = (PyTypeObject *)arg;
    if (!_PyType_IsSubtypeFast(wanted, type)) {
        PyErr_Format(PyExc_TypeError,
                     "%s.__new__(%s): %s is not a subtype of %s",
                     type->tp_name, wanted->tp_name, wanted->tp_name,
                     type->tp_name);
        return NULL;
    }
    /* dict.__new__(int) would make an object of the wrong layout: this must be the
       __new__ of the nearest C type. */
    PyTypeObject *c_base = wanted;
    while (c_base != NULL && c_base->tp_new == slot_new) {
        c_base = c_base->tp_base;
    }
    if (c_base != NULL && c_base->tp_new != type->tp_new) {
        PyErr_Format(PyExc_TypeError,
                     "%s.__new__(%s) is not safe, use %s.__new__()",
                     type->tp_name, wanted->tp_name, c_base->tp_name);
        return NULL;
    }
    /* A tuple's takes an array for classes that derive from it, too: named tuples are made so. */
    return type == &PyTuple_Type && kwnames == NULL
        ? type->tp_vectorcall(arg, args + 1, (size_t)nargs - 1, NULL)
        : new_by_tuple(type, wanted, args + 1, nargs - 1, kwnames);
}

static PyMethodDef new_method = {
    "__new__", FAST_KEYWORDS(_PyType_NewWrapper),
    "__new__($type, *args, **kwargs)\n--\n\n"
    "Create and return a new object.  "
    "See help(type) for accurate signature."
};

static int
add_new_method(PyTypeObject *type)
{
    PyObject *func = PyCFunction_NewEx(&new_method, (PyObject *)type, NULL);
    if (func == NULL) {
        return -1;
    }
    int status = PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_new), func);
    Py_DECREF(func);
    return status;
}

static int
set_new(PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;
    /* A static type directly below object does not inherit object's __new__ unless it
       asks for it. */
    if (type->tp_new == NULL && base == &PyBaseObject_Type
        && !type_is_heap(type)) {
        type->tp_flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
    }
    if (has_flag(type, Py_TPFLAGS_DISALLOW_INSTANTIATION)) {
        type->tp_new = NULL;
        return 0;
    }
    if (type->tp_new == NULL) {
        type->tp_new = base->tp_new;
        return 0;
    }
    int present = PyDict_Contains(type->tp_dict, _Py_NAME(dunder_new));
    if (present != 0) {
        return present < 0 ? -1 : 0;
    }
    return add_new_method(type);
}

/* ----------------------------------------------------- inheritance of slots */

static void
inherit_flags(PyTypeObject *type, PyTypeObject *base)
{
    static const unsigned long kinds =
        Py_TPFLAGS_BASE_EXC_SUBCLASS | Py_TPFLAGS_TYPE_SUBCLASS
        | Py_TPFLAGS_LONG_SUBCLASS | Py_TPFLAGS_BYTES_SUBCLASS
        | Py_TPFLAGS_UNICODE_SUBCLASS | Py_TPFLAGS_TUPLE_SUBCLASS
        | Py_TPFLAGS_LIST_SUBCLASS | Py_TPFLAGS_DICT_SUBCLASS;
    static const struct {
        PyTypeObject *type;
        unsigned long flag;
    } roots[] = {
        {&PyType_Type, Py_TPFLAGS_TYPE_SUBCLASS},
        {&PyLong_Type, Py_TPFLAGS_LONG_SUBCLASS},
        {&PyBytes_Type, Py_TPFLAGS_BYTES_SUBCLASS},
        {&PyUnicode_Type, Py_TPFLAGS_UNICODE_SUBCLASS},
        {&PyTuple_Type, Py_TPFLAGS_TUPLE_SUBCLASS},
        {&PyList_Type, Py_TPFLAGS_LIST_SUBCLASS},
        {&PyDict_Type, Py_TPFLAGS_DICT_SUBCLASS},
    };
    type->tp_flags |= base->tp_flags & kinds;
    if ((PyObject *)base == PyExc_BaseException) {
        type->tp_flags |= Py_TPFLAGS_BASE_EXC_SUBCLASS;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(roots); i++) {
        if (base == roots[i].type) {
            type->tp_flags |= roots[i].flag;
        }
    }
    type->tp_flags |= base->tp_flags & _Py_TPFLAGS_MATCH_SELF;
}

/* Inherits the fields that come from tp_base alone. */
static void
inherit_from_base(PyTypeObject *type, PyTypeObject *base)
{
    if (!has_flag(type, Py_TPFLAGS_HAVE_GC)
        && has_flag(base, Py_TPFLAGS_HAVE_GC)
        && type->tp_traverse == NULL && type->tp_clear == NULL) {
        type->tp_flags |= Py_TPFLAGS_HAVE_GC;
        type->tp_traverse = base->tp_traverse;
        type->tp_clear = base->tp_clear;
    }
    if (type->tp_basicsize == 0) {
        type->tp_basicsize = base->tp_basicsize;
    }
    if (type->tp_itemsize == 0) {
        type->tp_itemsize = base->tp_itemsize;
    }
    if (type->tp_weaklistoffset == 0) {
        type->tp_weaklistoffset = base->tp_weaklistoffset;
    }
    if (type->tp_dictoffset == 0) {
        type->tp_dictoffset = base->tp_dictoffset;
        type->tp_flags |= base->tp_flags & Py_TPFLAGS_MANAGED_DICT;
    }
    inherit_flags(type, base);
}

static int
defines_eq_or_hash(PyTypeObject *type)
{
    return PyDict_GetItemWithError(type->tp_dict, _Py_NAME(dunder_eq)) != NULL
           || PyDict_GetItemWithError(type->tp_dict,
                                      _Py_NAME(dunder_hash)) != NULL;
}

/* A slot counts as the base's own if the base's base has another value. */
#define INHERIT(holder, slot)                                           \
    do {                                                                \
        if (type->holder slot == NULL && base->holder slot != NULL      \
            && (grand == NULL || base->holder slot != grand->holder slot)) { \
            type->holder slot = base->holder slot;                      \
        }                                                               \
    } while (0)

#define INHERIT_IN(suite, slot)                                         \
    do {                                                                \
        if (type->suite->slot == NULL && base->suite->slot != NULL      \
            && (grand == NULL || grand->suite == NULL                   \
                || base->suite->slot != grand->suite->slot)) {          \
            type->suite->slot = base->suite->slot;                      \
        }                                                               \
    } while (0)

static void
inherit_numbers(PyTypeObject *type, PyTypeObject *base, PyTypeObject *grand)
{
    if (type->tp_as_number == NULL || base->tp_as_number == NULL) {
        return;
    }
    /* All fields are function pointers except nb_reserved. */
    void **own = (void **)type->tp_as_number;
    void **from = (void **)base->tp_as_number;
    void **older = grand != NULL ? (void **)grand->tp_as_number : NULL;
    for (size_t i = 0; i < sizeof(PyNumberMethods) / sizeof(void *); i++) {
        if (own[i] == NULL && from[i] != NULL
            && (older == NULL || from[i] != older[i])) {
            own[i] = from[i];
        }
    }
}

static void
inherit_suites(PyTypeObject *type, PyTypeObject *base, PyTypeObject *grand)
{
    inherit_numbers(type, base, grand);
    if (type->tp_as_async != NULL && base->tp_as_async != NULL) {
        INHERIT_IN(tp_as_async, am_await);
        INHERIT_IN(tp_as_async, am_aiter);
        INHERIT_IN(tp_as_async, am_anext);
        INHERIT_IN(tp_as_async, am_send);
    }
    if (type->tp_as_sequence != NULL && base->tp_as_sequence != NULL) {
        INHERIT_IN(tp_as_sequence, sq_length);
        INHERIT_IN(tp_as_sequence, sq_concat);
        INHERIT_IN(tp_as_sequence, sq_repeat);
        INHERIT_IN(tp_as_sequence, sq_item);
        INHERIT_IN(tp_as_sequence, sq_ass_item);
        INHERIT_IN(tp_as_sequence, sq_contains);
        INHERIT_IN(tp_as_sequence, sq_inplace_concat);
        INHERIT_IN(tp_as_sequence, sq_inplace_repeat);
    }
    if (type->tp_as_mapping != NULL && base->tp_as_mapping != NULL) {
        INHERIT_IN(tp_as_mapping, mp_length);
        INHERIT_IN(tp_as_mapping, mp_subscript);
        INHERIT_IN(tp_as_mapping, mp_ass_subscript);
    }
    if (type->tp_as_buffer != NULL && base->tp_as_buffer != NULL) {
        INHERIT_IN(tp_as_buffer, bf_getbuffer);
        INHERIT_IN(tp_as_buffer, bf_releasebuffer);
    }
}

static void
inherit_call(PyTypeObject *type, PyTypeObject *base, PyTypeObject *grand)
{
    if (type->tp_vectorcall_offset == 0 && base->tp_vectorcall_offset != 0
        && (grand == NULL
            || base->tp_vectorcall_offset != grand->tp_vectorcall_offset)) {
        type->tp_vectorcall_offset = base->tp_vectorcall_offset;
    }
    /* A mutable class may get a __call__ later, which a vectorcall would bypass. */
    if (type->tp_call == NULL && has_flag(type, Py_TPFLAGS_IMMUTABLETYPE)) {
        type->tp_flags |= base->tp_flags & Py_TPFLAGS_HAVE_VECTORCALL;
    }
    INHERIT(, tp_call);
}

static void
inherit_memory(PyTypeObject *type, PyTypeObject *base, PyTypeObject *grand)
{
    INHERIT(, tp_alloc);
    INHERIT(, tp_is_gc);
    INHERIT(, tp_finalize);
    if (has_flag(type, Py_TPFLAGS_HAVE_GC)
        == has_flag(base, Py_TPFLAGS_HAVE_GC)) {
        INHERIT(, tp_free);
    }
    else if (has_flag(type, Py_TPFLAGS_HAVE_GC) && type->tp_free == NULL
             && base->tp_free == PyObject_Free) {
        type->tp_free = PyObject_GC_Del;
    }
}

static void
inherit_slots(PyTypeObject *type, PyTypeObject *base)
{
    PyTypeObject *grand = base->tp_base;
    inherit_suites(type, base, grand);
    INHERIT(, tp_dealloc);
    if (type->tp_getattr == NULL && type->tp_getattro == NULL) {
        type->tp_getattr = base->tp_getattr;
        type->tp_getattro = base->tp_getattro;
    }
    if (type->tp_setattr == NULL && type->tp_setattro == NULL) {
        type->tp_setattr = base->tp_setattr;
        type->tp_setattro = base->tp_setattro;
    }
    INHERIT(, tp_repr);
    inherit_call(type, base, grand);
    INHERIT(, tp_str);
    if (type->tp_richcompare == NULL && type->tp_hash == NULL
        && !defines_eq_or_hash(type)) {
        type->tp_richcompare = base->tp_richcompare;
        type->tp_hash = base->tp_hash;
    }
    INHERIT(, tp_iter);
    INHERIT(, tp_iternext);
    INHERIT(, tp_descr_get);
    if (base->tp_descr_get != NULL
        && type->tp_descr_get == base->tp_descr_get
        && has_flag(type, Py_TPFLAGS_IMMUTABLETYPE)) {
        type->tp_flags |= base->tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR;
    }
    INHERIT(, tp_descr_set);
    INHERIT(, tp_init);
    inherit_memory(type, base, grand);
    static const unsigned long collection =
        Py_TPFLAGS_SEQUENCE | Py_TPFLAGS_MAPPING;
    if (!has_flag(type, collection)) {
        type->tp_flags |= base->tp_flags & collection;
    }
}

/* The suites that a type lacks are shared with the base. */
static void
share_suites(PyTypeObject *type, PyTypeObject *base)
{
    if (type->tp_as_async == NULL) {
        type->tp_as_async = base->tp_as_async;
    }
    if (type->tp_as_number == NULL) {
        type->tp_as_number = base->tp_as_number;
    }
    if (type->tp_as_sequence == NULL) {
        type->tp_as_sequence = base->tp_as_sequence;
    }
    if (type->tp_as_mapping == NULL) {
        type->tp_as_mapping = base->tp_as_mapping;
    }
    if (type->tp_as_buffer == NULL) {
        type->tp_as_buffer = base->tp_as_buffer;
    }
}

static void
inherit(PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;
    if (base != NULL) {
        inherit_from_base(type, base);
    }
    PyObject *mro = type->tp_mro;
    for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *ancestor = PyTuple_GET_ITEM(mro, i);
        if (PyType_Check(ancestor)) {
            inherit_slots(type, (PyTypeObject *)ancestor);
        }
    }
    if (base != NULL) {
        share_suites(type, base);
    }
}

/* __eq__ without __hash__: instances are not hashable. */
static int
set_hash(PyTypeObject *type)
{
    if (type->tp_hash != NULL) {
        return 0;
    }
    int present = PyDict_Contains(type->tp_dict, _Py_NAME(dunder_hash));
    if (present != 0) {
        return present < 0 ? -1 : 0;
    }
    if (PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_hash), Py_None) < 0) {
        return -1;
    }
    type->tp_hash = PyObject_HashNotImplemented;
    return 0;
}

/* ---------------------------------------------------------------- the steps */

static int
check_sanity(PyTypeObject *type)
{
    if (has_flag(type, Py_TPFLAGS_HAVE_GC) && type->tp_traverse == NULL) {
        PyErr_Format(PyExc_SystemError,
                     "type %s has the Py_TPFLAGS_HAVE_GC flag "
                     "but has no traverse function", type->tp_name);
        return -1;
    }
    if (type->tp_name == NULL) {
        PyErr_SetString(PyExc_SystemError,
                        "Type does not define the tp_name field.");
        return -1;
    }
    return 0;
}

static int
set_base_and_metatype(PyTypeObject *type)
{
    PyTypeObject *base = type->tp_base;
    if (base == NULL && type != &PyBaseObject_Type) {
        base = &PyBaseObject_Type;
        type->tp_base = base;
        if (type_is_heap(type)) {
            Py_INCREF(base);
        }
    }
    if (base != NULL && !has_flag(base, Py_TPFLAGS_READY)
        && !has_flag(base, Py_TPFLAGS_READYING)
        && PyType_Ready(base) < 0) {
        return -1;
    }
    /* On some platforms, extensions can't use the address of PyType_Type in an
       initialiser, so they leave NULL. */
    if (Py_IS_TYPE(type, NULL) && base != NULL) {
        Py_SET_TYPE(type, Py_TYPE(base));
    }
    return 0;
}

static int
set_bases(PyTypeObject *type)
{
    if (type->tp_bases != NULL) {
        return 0;
    }
    type->tp_bases = type->tp_base == NULL ? PyTuple_New(0)
                                           : PyTuple_Pack(1, type->tp_base);
    return type->tp_bases == NULL ? -1 : 0;
}

static int
set_mro(PyTypeObject *type)
{
    if (!type_is_heap(type)) {
        /* A static type can't inherit from one made at run time. */
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_bases); i++) {
            PyTypeObject *base =
                (PyTypeObject *)PyTuple_GET_ITEM(type->tp_bases, i);
            if (PyType_Check((PyObject *)base) && type_is_heap(base)) {
                PyErr_Format(PyExc_TypeError,
                             "type '%.100s' is not dynamically allocated but "
                             "its base type '%.100s' is dynamically "
                             "allocated", type->tp_name, base->tp_name);
                return -1;
            }
        }
    }
    return _PyMro_Update(type, NULL) < 0 ? -1 : 0;
}

static int
add_to_bases(PyTypeObject *type)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(type->tp_bases, i);
        if (PyType_Check(base)
            && _PyType_AddSubclass((PyTypeObject *)base, type) < 0) {
            return -1;
        }
    }
    return 0;
}

/* About how many names there will be: those of the tables, and some operators. */
static Py_ssize_t
expected_names(const PyTypeObject *type)
{
    Py_ssize_t n = 5;
    for (PyMethodDef *def = type->tp_methods; def != NULL && def->ml_name != NULL; def++) {
        n++;
    }
    for (PyMemberDef *def = type->tp_members; def != NULL && def->name != NULL; def++) {
        n++;
    }
    for (PyGetSetDef *def = type->tp_getset; def != NULL && def->name != NULL; def++) {
        n++;
    }
    return n;
}

static int
ready(PyTypeObject *type)
{
    if (check_sanity(type) < 0 || set_base_and_metatype(type) < 0) {
        return -1;
    }
    if (type->tp_dict == NULL) {
        type->tp_dict = _PyDict_NewPresized(expected_names(type));
        if (type->tp_dict == NULL) {
            return -1;
        }
    }
    if (set_bases(type) < 0 || set_mro(type) < 0) {
        return -1;
    }
    if (type->tp_base != NULL ? set_new(type) < 0
                              : add_new_method(type) < 0) {
        return -1;
    }
    if (_PyType_AddOperators(type) < 0 || add_tables(type) < 0
        || add_doc(type) < 0) {
        return -1;
    }
    inherit(type);
    return set_hash(type) < 0 || add_to_bases(type) < 0 ? -1 : 0;
}

int
PyType_Ready(PyTypeObject *type)
{
    if (has_flag(type, Py_TPFLAGS_READY)) {
        return 0;
    }
    if (_PySlots_Init() < 0) {
        return -1;
    }
    type->tp_flags |= Py_TPFLAGS_READYING;
    /* All static types are immutable, because interpreters share them. */
    if (!type_is_heap(type)) {
        type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
    }
    if (ready(type) < 0) {
        type->tp_flags &= ~Py_TPFLAGS_READYING;
        return -1;
    }
    type->tp_flags = (type->tp_flags & ~Py_TPFLAGS_READYING)
                     | Py_TPFLAGS_READY;
    return 0;
}
