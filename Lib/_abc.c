/* The _abc module: what abc.ABCMeta does for its classes.

   Each class has an _abc_data object, as its `_abc_impl` attribute, with three sets of
   weak references to classes: those that have been registered, and those that are known
   to be, or not to be, subclasses. The last set is valid only until a class is registered
   anywhere: `version` is the value of the global counter for which it was made. */
#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/jit.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/names.h"

typedef struct {
    PyObject_HEAD
    PyObject *registry;         /* sets, or NULL while there is nothing */
    PyObject *cache;
    PyObject *negative_cache;
    unsigned long long version; /* of the negative cache */
} Data;

static unsigned long long registrations = 0;

static PyTypeObject data_type;

/* Which kind of pattern a class matches (PEP 634). */
#define COLLECTION_FLAGS (Py_TPFLAGS_SEQUENCE | Py_TPFLAGS_MAPPING)

/* ---------------------------------------------------------------- _abc_data */

static void
data_dealloc(Data *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(self->registry);
    Py_XDECREF(self->cache);
    Py_XDECREF(self->negative_cache);
    Py_TYPE(self)->tp_free(self);
}

static int
data_traverse(Data *self, visitproc visit, void *arg)
{
    Py_VISIT(self->registry);
    Py_VISIT(self->cache);
    Py_VISIT(self->negative_cache);
    return 0;
}

static int
data_clear(Data *self)
{
    Py_CLEAR(self->registry);
    Py_CLEAR(self->cache);
    Py_CLEAR(self->negative_cache);
    return 0;
}

static PyObject *
data_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
         PyObject *Py_UNUSED(kwds))
{
    Data *self = (Data *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->version = registrations;
    }
    return (PyObject *)self;
}

static PyTypeObject data_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "_abc._abc_data",
    .tp_basicsize = sizeof(Data),
    .tp_dealloc = (destructor)data_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "Internal state held by ABC machinery.",
    .tp_traverse = (traverseproc)data_traverse,
    .tp_clear = (inquiry)data_clear,
    .tp_new = data_new,
};

/* The class's own state: a new reference. */
static Data *
data_of(PyObject *cls)
{
    PyObject *data = PyObject_GetAttr(cls, _Py_NAME(_abc_impl));
    if (data != NULL && !Py_IS_TYPE(data, &data_type)) {
        PyErr_SetString(PyExc_TypeError, "_abc_impl is set to a wrong type");
        Py_CLEAR(data);
    }
    return (Data *)data;
}

/* -------------------------------------------------- sets of weak references */

/* Called when a referent dies: removes the reference from its set. The function's self is
   a weak reference to that set. */
static PyObject *
forget(PyObject *set_ref, PyObject *ref)
{
    PyObject *set = PyWeakref_GetObject(set_ref);
    if (set == Py_None || set == NULL) {
        Py_RETURN_NONE;
    }
    Py_INCREF(set);
    int result = PySet_Discard(set, ref);
    Py_DECREF(set);
    if (result < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef forget_def = {"_destroy", forget, METH_O, NULL};

static int
weak_add(PyObject **set, PyObject *cls)
{
    if (*set == NULL && (*set = PySet_New(NULL)) == NULL) {
        return -1;
    }
    PyObject *set_ref = PyWeakref_NewRef(*set, NULL);
    if (set_ref == NULL) {
        return -1;
    }
    PyObject *callback = PyCFunction_New(&forget_def, set_ref);
    Py_DECREF(set_ref);
    PyObject *ref = callback == NULL ? NULL : PyWeakref_NewRef(cls, callback);
    Py_XDECREF(callback);
    if (ref == NULL) {
        return -1;
    }
    int result = PySet_Add(*set, ref);
    Py_DECREF(ref);
    return result;
}

static int
weak_contains(PyObject *set, PyObject *cls)
{
    if (set == NULL || PySet_GET_SIZE(set) == 0) {
        return 0;
    }
    PyObject *ref = PyWeakref_NewRef(cls, NULL);
    if (ref == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            return 0;
        }
        return -1;
    }
    int result = PySet_Contains(set, ref);
    Py_DECREF(ref);
    return result;
}

/* Is the class known to be no subclass of `abstract`, until another one is registered? Runs no
   code: no reference is made, which might call the collector. */
static int
is_known_not(PyObject *abstract, PyTypeObject *cls)
{
    PyObject *data = PyType_Check(abstract)
                     ? _PyType_Lookup((PyTypeObject *)abstract, _Py_NAME(_abc_impl)) : NULL;
    PyObject *others = data != NULL && Py_IS_TYPE(data, &data_type)
                       && ((Data *)data)->version == registrations
                       ? ((Data *)data)->negative_cache : NULL;
    PyObject *ref;
    Py_ssize_t pos = 0;
    Py_hash_t hash;
    int is_known = 0;
    while (others != NULL && !is_known && _PySet_NextEntry(others, &pos, &ref, &hash)) {
        is_known = PyWeakref_GET_OBJECT(ref) == (PyObject *)cls;
    }
    return is_known;
}

/* --------------------------------------------------------- abstract methods */

static int
is_abstract(PyObject *op)
{
    PyObject *flag;
    int found = _PyObject_LookupAttr(op, _Py_NAME(dunder_isabstractmethod), &flag);
    if (found <= 0) {
        return found;
    }
    int result = PyObject_IsTrue(flag);
    Py_DECREF(flag);
    return result;
}

/* The abstract methods in the class's own namespace. */
static int
add_own_abstracts(PyObject *cls, PyObject *abstracts)
{
    PyObject *namespace = PyObject_GetAttr(cls, _Py_NAME(dunder_dict));
    PyObject *items = namespace == NULL ? NULL : PyMapping_Items(namespace);
    Py_XDECREF(namespace);
    if (items == NULL) {
        return -1;
    }
    int result = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PySequence_Fast(PyList_GET_ITEM(items, i),
                                         "items() returned non-iterable");
        if (item == NULL) {
            result = -1;
        }
        else if (PySequence_Fast_GET_SIZE(item) != 2) {
            PyErr_SetString(PyExc_TypeError,
                            "items() returned item which size is not 2");
            result = -1;
        }
        else {
            int abstract = is_abstract(PySequence_Fast_GET_ITEM(item, 1));
            result = abstract > 0
                ? PySet_Add(abstracts, PySequence_Fast_GET_ITEM(item, 0))
                : abstract;
        }
        Py_XDECREF(item);
    }
    Py_DECREF(items);
    return result;
}

/* The methods of a base class that are still abstract. */
static int
add_inherited_abstracts(PyObject *cls, PyObject *base, PyObject *abstracts)
{
    PyObject *names, *iter, *key;
    int found = _PyObject_LookupAttr(base, _Py_NAME(dunder_abstractmethods), &names);
    if (found <= 0) {
        return found;
    }
    iter = PyObject_GetIter(names);
    Py_DECREF(names);
    if (iter == NULL) {
        return -1;
    }
    int result = 0;
    while (result == 0 && (key = PyIter_Next(iter)) != NULL) {
        PyObject *value;
        result = _PyObject_LookupAttr(cls, key, &value);
        if (result > 0) {
            result = is_abstract(value);
            Py_DECREF(value);
        }
        if (result > 0) {
            result = PySet_Add(abstracts, key);
        }
        Py_DECREF(key);
    }
    Py_DECREF(iter);
    return result < 0 || PyErr_Occurred() ? -1 : 0;
}

static int
set_abstract_methods(PyObject *cls)
{
    PyObject *abstracts = PyFrozenSet_New(NULL), *bases = NULL;
    if (abstracts == NULL) {
        return -1;
    }
    int result = add_own_abstracts(cls, abstracts);
    if (result == 0) {
        bases = PyObject_GetAttr(cls, _Py_NAME(dunder_bases));
        result = bases == NULL ? -1 : 0;
    }
    if (result == 0 && !PyTuple_Check(bases)) {
        PyErr_SetString(PyExc_TypeError, "__bases__ is not tuple");
        result = -1;
    }
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(bases); i++) {
        result = add_inherited_abstracts(cls, PyTuple_GET_ITEM(bases, i),
                                         abstracts);
    }
    if (result == 0) {
        result = PyObject_SetAttr(cls, _Py_NAME(dunder_abstractmethods), abstracts);
    }
    Py_XDECREF(bases);
    Py_DECREF(abstracts);
    return result;
}

/* A class that says `__abc_tpflags__` matches sequence or mapping patterns. */
static int
take_pattern_flags(PyTypeObject *cls)
{
    PyObject *flags = PyDict_GetItemString(cls->tp_dict, "__abc_tpflags__");
    if (flags == NULL) {
        return 0;
    }
    if (PyLong_CheckExact(flags)) {
        long value = PyLong_AsLong(flags);
        if (value == -1 && PyErr_Occurred()) {
            return -1;
        }
        if ((value & (long)COLLECTION_FLAGS) == (long)COLLECTION_FLAGS) {
            PyErr_SetString(PyExc_TypeError,
                "__abc_tpflags__ cannot be both Py_TPFLAGS_SEQUENCE and "
                "Py_TPFLAGS_MAPPING");
            return -1;
        }
        cls->tp_flags |= (unsigned long)value & COLLECTION_FLAGS;
    }
    return PyDict_DelItemString(cls->tp_dict, "__abc_tpflags__");
}

static PyObject *
abc_init(PyObject *Py_UNUSED(module), PyObject *cls)
{
    if (set_abstract_methods(cls) < 0) {
        return NULL;
    }
    PyObject *data = data_new(&data_type, NULL, NULL);
    if (data == NULL) {
        return NULL;
    }
    int result = PyObject_SetAttr(cls, _Py_NAME(_abc_impl), data);
    Py_DECREF(data);
    if (result < 0
        || (PyType_Check(cls)
            && take_pattern_flags((PyTypeObject *)cls) < 0)) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* -------------------------------------------------------------- registering */

/* A new list of the class's direct subclasses. */
static PyObject *
subclasses_of(PyObject *cls)
{
    PyObject *list = PyObject_CallMethodNoArgs(cls, _Py_NAME(dunder_subclasses));
    if (list != NULL && !PyList_Check(list)) {
        PyErr_SetString(PyExc_TypeError, "__subclasses__() must return a list");
        Py_CLEAR(list);
    }
    return list;
}

/* A class that is registered as a sequence or a mapping matches such patterns, and so do
   its subclasses. */
static int
spread_pattern_flag(PyTypeObject *cls, unsigned long flag)
{
    if (cls->tp_flags & Py_TPFLAGS_IMMUTABLETYPE
        || (cls->tp_flags & COLLECTION_FLAGS) == flag) {
        return 0;
    }
    cls->tp_flags = (cls->tp_flags & ~COLLECTION_FLAGS) | flag;
    PyObject *list = PyObject_CallMethod((PyObject *)&PyType_Type,
                                         "__subclasses__", "O", cls);
    if (list == NULL) {
        return -1;
    }
    int result = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(list); i++) {
        PyObject *child = PyList_GET_ITEM(list, i);
        if (PyType_Check(child)) {
            result = spread_pattern_flag((PyTypeObject *)child, flag);
        }
    }
    Py_DECREF(list);
    return result;
}

static PyObject *
abc_register(PyObject *Py_UNUSED(module), PyObject *const *args,
             Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_abc_register", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *self = args[0], *subclass = args[1];
    if (!PyType_Check(subclass)) {
        PyErr_SetString(PyExc_TypeError, "Can only register classes");
        return NULL;
    }
    int related = PyObject_IsSubclass(subclass, self);
    if (related > 0) {
        return Py_NewRef(subclass);
    }
    if (related == 0) {
        related = PyObject_IsSubclass(self, subclass);
    }
    if (related < 0) {
        return NULL;
    }
    if (related) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Refusing to create an inheritance cycle");
        return NULL;
    }
    Data *data = data_of(self);
    if (data == NULL) {
        return NULL;
    }
    int result = weak_add(&data->registry, subclass);
    Py_DECREF(data);
    if (result < 0) {
        return NULL;
    }
    registrations++;
    if (PyType_Check(self)) {
        unsigned long flag = PyType_GetFlags((PyTypeObject *)self)
            & COLLECTION_FLAGS;
        if (flag != 0
            && spread_pattern_flag((PyTypeObject *)subclass, flag) < 0) {
            return NULL;
        }
    }
    return Py_NewRef(subclass);
}

/* ----------------------------------------------------------------- checking */

/* Was the negative cache made after the latest registration? */
static int
negative_cache_holds(const Data *data)
{
    return data->version == registrations;
}

static int
known_not_to_be(Data *data, PyObject *subclass)
{
    return negative_cache_holds(data)
        ? weak_contains(data->negative_cache, subclass) : 0;
}

/* The answer of __subclasshook__: 1, 0, or -1 with an exception; 2 for NotImplemented. */
static int
ask_hook(PyObject *self, PyObject *subclass)
{
    PyObject *answer = PyObject_CallMethodOneArg(
        self, _Py_NAME(dunder_subclasshook), subclass);
    if (answer == NULL) {
        return -1;
    }
    int result = answer == Py_True ? 1 : answer == Py_False ? 0
        : answer == Py_NotImplemented ? 2 : -1;
    Py_DECREF(answer);
    if (result < 0) {
        PyErr_SetString(PyExc_AssertionError,
            "__subclasshook__ must return either False, True, or "
            "NotImplemented");
    }
    return result;
}

/* Is the class derived from a registered one? Calls made here may register more classes,
   so iterate over a copy. */
static int
derives_from_registered(Data *data, PyObject *subclass)
{
    if (data->registry == NULL) {
        return 0;
    }
    int known = weak_contains(data->registry, subclass);
    if (known != 0) {
        return known;
    }
    PyObject *refs = PySequence_List(data->registry);
    if (refs == NULL) {
        return -1;
    }
    int result = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(refs); i++) {
        PyObject *cls = PyWeakref_GetObject(PyList_GET_ITEM(refs, i));
        if (cls == NULL) {
            result = -1;
        }
        else if (cls != Py_None) {
            Py_INCREF(cls);
            result = PyObject_IsSubclass(subclass, cls);
            Py_DECREF(cls);
        }
    }
    Py_DECREF(refs);
    return result;
}

static int
derives_from_subclass(PyObject *self, PyObject *subclass)
{
    PyObject *list = subclasses_of(self);
    if (list == NULL) {
        return -1;
    }
    int result = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PyList_GET_SIZE(list); i++) {
        result = PyObject_IsSubclass(subclass, PyList_GET_ITEM(list, i));
    }
    Py_DECREF(list);
    return result;
}

/* The answer, which is also cached. */
static int
find_out(PyObject *self, Data *data, PyObject *subclass)
{
    int answer = ask_hook(self, subclass);
    if (answer == 2) {
        answer = PyType_IsSubtype((PyTypeObject *)subclass,
                                  (PyTypeObject *)self);
        if (answer == 0) {
            answer = derives_from_registered(data, subclass);
        }
        if (answer == 0) {
            answer = derives_from_subclass(self, subclass);
        }
    }
    if (answer >= 0 && weak_add(answer ? &data->cache : &data->negative_cache,
                                subclass) < 0) {
        return -1;
    }
    return answer;
}

static PyObject *
abc_subclasscheck(PyObject *Py_UNUSED(module), PyObject *const *args,
                  Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_abc_subclasscheck", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *self = args[0], *subclass = args[1];
    if (!PyType_Check(subclass)) {
        PyErr_SetString(PyExc_TypeError,
                        "issubclass() arg 1 must be a class");
        return NULL;
    }
    Data *data = data_of(self);
    if (data == NULL) {
        return NULL;
    }
    int answer = weak_contains(data->cache, subclass);
    if (answer == 0) {
        if (!negative_cache_holds(data)) {
            if (data->negative_cache != NULL) {
                answer = PySet_Clear(data->negative_cache);
            }
            data->version = registrations;
        }
        else {
            answer = weak_contains(data->negative_cache, subclass);
            if (answer > 0) {
                Py_DECREF(data);
                Py_RETURN_FALSE;
            }
        }
        if (answer == 0) {
            answer = find_out(self, data, subclass);
        }
    }
    Py_DECREF(data);
    return answer < 0 ? NULL : PyBool_FromLong(answer);
}

static PyObject *
ask_subclasscheck(PyObject *self, PyObject *cls)
{
    return PyObject_CallMethodOneArg(self, _Py_NAME(dunder_subclasscheck), cls);
}

static PyObject *
abc_instancecheck(PyObject *Py_UNUSED(module), PyObject *const *args,
                  Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("_abc_instancecheck", nargs, 2, 2)) {
        return NULL;
    }
    PyObject *self = args[0], *instance = args[1], *answer = NULL;
    Data *data = data_of(self);
    if (data == NULL) {
        return NULL;
    }
    PyObject *cls = PyObject_GetAttr(instance, _Py_NAME(dunder_class));
    PyObject *type = (PyObject *)Py_TYPE(instance);
    if (cls == NULL) {
        goto done;
    }
    int known = weak_contains(data->cache, cls);
    if (known != 0) {
        answer = known < 0 ? NULL : Py_NewRef(Py_True);
        goto done;
    }
    if (cls == type) {
        known = known_not_to_be(data, cls);
        if (known != 0) {
            answer = known < 0 ? NULL : Py_NewRef(Py_False);
            goto done;
        }
        answer = ask_subclasscheck(self, cls);
        goto done;
    }
    answer = ask_subclasscheck(self, cls);
    if (answer != NULL) {
        int truth = PyObject_IsTrue(answer);
        if (truth <= 0) {
            Py_DECREF(answer);
            answer = truth < 0 ? NULL : ask_subclasscheck(self, type);
        }
    }
done:
    Py_XDECREF(cls);
    Py_DECREF(data);
    return answer;
}

/* ---------------------------------------------------------- for the curious */

static PyObject *
abc_reset_registry(PyObject *Py_UNUSED(module), PyObject *self)
{
    Data *data = data_of(self);
    if (data == NULL) {
        return NULL;
    }
    int result = data->registry == NULL ? 0 : PySet_Clear(data->registry);
    Py_DECREF(data);
    if (result < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
abc_reset_caches(PyObject *Py_UNUSED(module), PyObject *self)
{
    Data *data = data_of(self);
    if (data == NULL) {
        return NULL;
    }
    int result = data->cache == NULL ? 0 : PySet_Clear(data->cache);
    if (result == 0 && data->negative_cache != NULL) {
        result = PySet_Clear(data->negative_cache);
    }
    Py_DECREF(data);
    if (result < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
abc_get_dump(PyObject *Py_UNUSED(module), PyObject *self)
{
    Data *data = data_of(self);
    if (data == NULL) {
        return NULL;
    }
    PyObject *result = Py_BuildValue("NNNK", PySet_New(data->registry),
                                     PySet_New(data->cache),
                                     PySet_New(data->negative_cache),
                                     data->version);
    Py_DECREF(data);
    return result;
}

static PyObject *
abc_get_cache_token(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromUnsignedLongLong(registrations);
}

/* ------------------------------------------------------------------- module */


static PyMethodDef module_methods[] = {
    {"get_cache_token", abc_get_cache_token, METH_NOARGS,
     "get_cache_token($module, /)\n--\n\n"
     "Returns the current ABC cache token.\n\n"
     "It is an opaque object that can be compared for equality: it changes "
     "with\nevery call to register() on any ABC."},
    {"_abc_init", abc_init, METH_O,
     "_abc_init($module, self, /)\n--\n\n"
     "Internal ABC helper for class set-up. Should be never used outside abc "
     "module."},
    {"_reset_registry", abc_reset_registry, METH_O,
     "_reset_registry($module, self, /)\n--\n\n"
     "Internal ABC helper to reset registry of a given class.\n\n"
     "Should be only used by refleak.py"},
    {"_reset_caches", abc_reset_caches, METH_O,
     "_reset_caches($module, self, /)\n--\n\n"
     "Internal ABC helper to reset both caches of a given class.\n\n"
     "Should be only used by refleak.py"},
    {"_get_dump", abc_get_dump, METH_O,
     "_get_dump($module, self, /)\n--\n\n"
     "Internal ABC helper for cache and registry debugging.\n\n"
     "Return shallow copies of registry, of both caches, and negative cache "
     "version."},
    {"_abc_register", FAST(abc_register),
     "_abc_register($module, self, subclass, /)\n--\n\n"
     "Internal ABC helper for subclasss registration. Should be never used "
     "outside abc module."},
    {"_abc_instancecheck", FAST(abc_instancecheck),
     "_abc_instancecheck($module, self, instance, /)\n--\n\n"
     "Internal ABC helper for instance checks. Should be never used outside "
     "abc module."},
    {"_abc_subclasscheck", FAST(abc_subclasscheck),
     "_abc_subclasscheck($module, self, subclass, /)\n--\n\n"
     "Internal ABC helper for subclasss checks. Should be never used outside "
     "abc module."},
    {NULL, NULL, 0, NULL}
};

static int
module_exec(PyObject *Py_UNUSED(module))
{
    _PyJit_LearnOfClasses(&registrations, is_known_not);
    return PyType_Ready(&data_type);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL}
};

static struct PyModuleDef abc_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_abc",
    .m_doc = "Module contains faster C implementation of abc.ABCMeta",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

MODULE_INIT(_abc)
{
    return PyModuleDef_Init(&abc_module);
}
