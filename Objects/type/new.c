/* Making classes: type.__new__ and type.__init__.

   A class statement ends here with a name, bases and a namespace. The steps are, in
   order: find the metaclass and the best base; decide the layout from __slots__;
   allocate the type, fill it in and make it ready; call __set_name__ of its attributes
   and __init_subclass__ of its parent. */
#include "private.h"
#include "internal/unicode.h"

struct class_draft {
    PyTypeObject *metatype;
    PyObject *args;             /* as type.__new__ received them */
    PyObject *kwargs;
    PyObject *name;             /* borrowed from args */
    PyObject *bases;            /* owned */
    PyObject *dict;             /* owned copy of the namespace */
    PyObject *slots;            /* owned: NULL, or the sorted tuple of names */
    PyTypeObject *base;         /* borrowed from bases */
    Py_ssize_t slot_count;
    int may_add_dict, may_add_weak;
    int add_dict, add_weak;
};

/* ---------------------------------------------------------------- metaclass */

PyTypeObject *
_PyType_CalculateMetaclass(PyTypeObject *metatype, PyObject *bases)
{
    PyTypeObject *winner = metatype;
    Py_ssize_t n = PyTuple_GET_SIZE(bases);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTypeObject *meta = Py_TYPE(PyTuple_GET_ITEM(bases, i));
        if (PyType_IsSubtype(winner, meta)) {
            continue;
        }
        if (PyType_IsSubtype(meta, winner)) {
            winner = meta;
            continue;
        }
        PyErr_SetString(PyExc_TypeError,
                        "metaclass conflict: the metaclass of a derived "
                        "class must be a (non-strict) subclass of the "
                        "metaclasses of all its bases");
        return NULL;
    }
    return winner;
}

static int
check_mro_entries(PyObject *bases)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        PyObject *method;
        if (PyType_Check(base)) {
            continue;
        }
        if (_PyObject_LookupAttr(base, _Py_NAME(dunder_mro_entries),
                                 &method) < 0) {
            return -1;
        }
        if (method != NULL) {
            Py_DECREF(method);
            PyErr_SetString(PyExc_TypeError,
                            "type() doesn't support MRO entry resolution; "
                            "use types.new_class()");
            return -1;
        }
    }
    return 0;
}

/* ---------------------------------------------------------------- __slots__ */

/* Separates "__dict__" and "__weakref__" from the other names, and checks those. */
static int
visit_slot(struct class_draft *draft, PyObject *slot)
{
    if (!PyUnicode_Check(slot)) {
        PyErr_Format(PyExc_TypeError,
                     "__slots__ items must be strings, not '%.200s'",
                     Py_TYPE(slot)->tp_name);
        return -1;
    }
    if (!PyUnicode_IsIdentifier(slot)) {
        PyErr_SetString(PyExc_TypeError, "__slots__ must be identifiers");
        return -1;
    }
    if (_PyUnicode_EqualToASCIIString(slot, "__dict__")) {
        if (!draft->may_add_dict || draft->add_dict) {
            PyErr_SetString(PyExc_TypeError,
                            "__dict__ slot disallowed: we already got one");
            return -1;
        }
        draft->add_dict = 1;
        return 0;
    }
    if (_PyUnicode_EqualToASCIIString(slot, "__weakref__")) {
        if (!draft->may_add_weak || draft->add_weak) {
            PyErr_SetString(PyExc_TypeError,
                            "__weakref__ slot disallowed: either we already "
                            "got one, or __itemsize__ != 0");
            return -1;
        }
        draft->add_weak = 1;
        return 0;
    }
    return 1;
}

/* type.__new__ itself removes these two from the namespace. */
static int
is_removed_from_namespace(PyObject *name)
{
    return _PyUnicode_EqualToASCIIString(name, "__qualname__")
           || _PyUnicode_EqualToASCIIString(name, "__classcell__");
}

static int
append_mangled(struct class_draft *draft, PyObject *slot, PyObject *result)
{
    PyObject *name = _Py_Mangle(draft->name, slot);
    if (name == NULL) {
        return -1;
    }
    int status = PyList_Append(result, name);
    if (status == 0) {
        status = PyDict_Contains(draft->dict, name);
    }
    if (status > 0 && is_removed_from_namespace(name)) {
        status = 0;
    }
    if (status > 0) {
        PyErr_Format(PyExc_ValueError,
                     "%R in __slots__ conflicts with class variable", name);
        status = -1;
    }
    Py_DECREF(name);
    return status;
}

/* Returns a new list of mangled names. What is wrong with a name by itself is told
   before any conflict with the namespace. */
static PyObject *
mangled_slots(struct class_draft *draft, PyObject *slots)
{
    PyObject *own = PyList_New(0), *result = PyList_New(0);
    if (own == NULL || result == NULL) {
        goto error;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(slots); i++) {
        PyObject *slot = PyTuple_GET_ITEM(slots, i);
        int keep = visit_slot(draft, slot);
        if (keep < 0 || (keep > 0 && PyList_Append(own, slot) < 0)) {
            goto error;
        }
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(own); i++) {
        if (append_mangled(draft, PyList_GET_ITEM(own, i), result) < 0) {
            goto error;
        }
    }
    if (PyList_Sort(result) < 0) {
        goto error;
    }
    Py_DECREF(own);
    return result;
error:
    Py_XDECREF(own);
    Py_XDECREF(result);
    return NULL;
}

/* If a base other than the best one has a dict or weak references, the new class needs
   them too. */
static void
consider_secondary_bases(struct class_draft *draft)
{
    Py_ssize_t n = PyTuple_GET_SIZE(draft->bases);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTypeObject *other =
            (PyTypeObject *)PyTuple_GET_ITEM(draft->bases, i);
        if (other == draft->base) {
            continue;
        }
        if (draft->may_add_dict && other->tp_dictoffset != 0) {
            draft->add_dict = 1;
        }
        if (draft->may_add_weak && other->tp_weaklistoffset != 0) {
            draft->add_weak = 1;
        }
    }
}

static int
process_slots(struct class_draft *draft)
{
    PyObject *slots = PyDict_GetItemWithError(draft->dict,
                                              _Py_NAME(dunder_slots));
    if (slots == NULL) {
        if (PyErr_Occurred()) {
            return -1;
        }
        draft->add_dict = draft->may_add_dict;
        draft->add_weak = draft->may_add_weak;
        return 0;
    }
    slots = PyUnicode_Check(slots) ? PyTuple_Pack(1, slots)
                                   : PySequence_Tuple(slots);
    if (slots == NULL) {
        return -1;
    }
    if (PyTuple_GET_SIZE(slots) > 0 && draft->base->tp_itemsize != 0) {
        PyErr_Format(PyExc_TypeError,
                     "nonempty __slots__ not supported for subtype of '%s'",
                     draft->base->tp_name);
        Py_DECREF(slots);
        return -1;
    }
    PyObject *names = mangled_slots(draft, slots);
    Py_DECREF(slots);
    if (names == NULL) {
        return -1;
    }
    draft->slots = PyList_AsTuple(names);
    Py_DECREF(names);
    if (draft->slots == NULL) {
        return -1;
    }
    draft->slot_count = PyTuple_GET_SIZE(draft->slots);
    consider_secondary_bases(draft);
    return 0;
}

/* ---------------------------------------------------------- the type object */

static void
set_suites(PyHeapTypeObject *heap)
{
    PyTypeObject *type = &heap->ht_type;
    type->tp_as_async = &heap->as_async;
    type->tp_as_number = &heap->as_number;
    type->tp_as_sequence = &heap->as_sequence;
    type->tp_as_mapping = &heap->as_mapping;
    type->tp_as_buffer = &heap->as_buffer;
}

/* Members for the names in __slots__, then the dict and the list of weak references. */
static int
lay_out(struct class_draft *draft, PyTypeObject *type)
{
    PyTypeObject *base = draft->base;
    Py_ssize_t offset = base->tp_basicsize;
    PyMemberDef *member = _PyType_SlotMembers(type);

    for (Py_ssize_t i = 0; i < draft->slot_count; i++, member++) {
        member->name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(draft->slots, i));
        if (member->name == NULL) {
            return -1;
        }
        member->type = T_OBJECT_EX;
        member->offset = offset;
        offset += sizeof(PyObject *);
    }
    if (draft->add_dict) {
        if (base->tp_itemsize != 0) {
            type->tp_dictoffset = -(Py_ssize_t)sizeof(PyObject *);
            offset += sizeof(PyObject *);
        }
        else {
            type->tp_flags |= Py_TPFLAGS_MANAGED_DICT;
            type->tp_dictoffset = -1;
        }
    }
    if (draft->add_weak) {
        type->tp_weaklistoffset = offset;
        offset += sizeof(PyObject *);
    }
    type->tp_basicsize = offset;
    type->tp_itemsize = base->tp_itemsize;
    type->tp_members = _PyType_SlotMembers(type);
    return 0;
}

static void
set_functions(struct class_draft *draft, PyTypeObject *type)
{
    PyTypeObject *base = draft->base;
    int has_dict = type->tp_dictoffset != 0 && base->tp_dictoffset == 0;
    int has_weak = type->tp_weaklistoffset != 0
                   && base->tp_weaklistoffset == 0;
    type->tp_getset = has_dict && has_weak ? _PySubtype_GetSetsFull
                      : has_dict ? _PySubtype_GetSetsDict
                      : has_weak ? _PySubtype_GetSetsWeakref : NULL;
    type->tp_dealloc = _PySubtype_Dealloc;
    if (has_flag(type, Py_TPFLAGS_HAVE_GC)) {
        type->tp_free = PyObject_GC_Del;
        type->tp_traverse = _PySubtype_Traverse;
        type->tp_clear = _PySubtype_Clear;
    }
    else {
        type->tp_free = PyObject_Free;
    }
    /* tp_alloc of a base may use a pool of objects of its own size. */
    type->tp_alloc = PyType_GenericAlloc;
}

static PyTypeObject *
allocate(struct class_draft *draft)
{
    PyTypeObject *base = draft->base;
    PyTypeObject *type = (PyTypeObject *)draft->metatype->tp_alloc(
        draft->metatype, draft->slot_count);
    if (type == NULL) {
        return NULL;
    }
    PyHeapTypeObject *heap = (PyHeapTypeObject *)type;
    /* Instances are collectable even without slots: the class may hold references to
       them. */
    type->tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HEAPTYPE
                     | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
    set_suites(heap);
    type->tp_bases = Py_NewRef(draft->bases);
    type->tp_base = (PyTypeObject *)Py_NewRef(base);
    type->tp_dict = Py_NewRef(draft->dict);
    heap->ht_name = Py_NewRef(draft->name);
    heap->ht_slots = Py_XNewRef(draft->slots);
    type->tp_name = PyUnicode_AsUTF8(draft->name);
    if (type->tp_name == NULL || lay_out(draft, type) < 0) {
        Py_DECREF(type);
        return NULL;
    }
    set_functions(draft, type);
    return type;
}

/* -------------------------- attributes taken from or added to the namespace */

static int
set_module(PyTypeObject *type)
{
    int present = PyDict_Contains(type->tp_dict, _Py_NAME(dunder_module));
    if (present != 0) {
        return present < 0 ? -1 : 0;
    }
    PyObject *globals = PyEval_GetGlobals();
    if (globals == NULL) {
        return 0;
    }
    PyObject *module = PyDict_GetItemWithError(globals,
                                               _Py_NAME(dunder_name));
    if (module == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    return PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_module), module);
}

static int
set_qualname(struct class_draft *draft, PyTypeObject *type)
{
    PyHeapTypeObject *heap = (PyHeapTypeObject *)type;
    PyObject *qualname = PyDict_GetItemWithError(type->tp_dict,
                                                 _Py_NAME(dunder_qualname));
    if (qualname == NULL) {
        if (PyErr_Occurred()) {
            return -1;
        }
        heap->ht_qualname = Py_NewRef(draft->name);
        return 0;
    }
    if (!PyUnicode_Check(qualname)) {
        PyErr_Format(PyExc_TypeError,
                     "type __qualname__ must be a str, not %s",
                     Py_TYPE(qualname)->tp_name);
        return -1;
    }
    heap->ht_qualname = Py_NewRef(qualname);
    return PyDict_DelItem(type->tp_dict, _Py_NAME(dunder_qualname));
}

static int
set_doc(PyTypeObject *type)
{
    PyObject *doc = PyDict_GetItemWithError(type->tp_dict,
                                            _Py_NAME(dunder_doc));
    if (doc == NULL || !PyUnicode_Check(doc)) {
        return PyErr_Occurred() ? -1 : 0;
    }
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(doc, &size);
    if (text == NULL) {
        return -1;
    }
    char *copy = PyObject_Malloc(size + 1);
    if (copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(copy, text, size + 1);
    type->tp_doc = copy;
    return 0;
}

/* A plain function of that name becomes a static or class method. */
static int
wrap_function(PyTypeObject *type, PyObject *name,
              PyObject *(*wrap)(PyObject *))
{
    PyObject *func = PyDict_GetItemWithError(type->tp_dict, name);
    if (func == NULL || !PyFunction_Check(func)) {
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *method = wrap(func);
    if (method == NULL) {
        return -1;
    }
    int status = PyDict_SetItem(type->tp_dict, name, method);
    Py_DECREF(method);
    return status;
}

/* The cell that __class__ and super() read inside methods of the class. */
static int
set_classcell(PyTypeObject *type)
{
    PyObject *cell = PyDict_GetItemWithError(type->tp_dict,
                                             _Py_NAME(dunder_classcell));
    if (cell == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    if (!PyCell_Check(cell)) {
        PyErr_Format(PyExc_TypeError,
                     "__classcell__ must be a nonlocal cell, not %.200R",
                     Py_TYPE(cell));
        return -1;
    }
    if (PyCell_Set(cell, (PyObject *)type) < 0) {
        return -1;
    }
    return PyDict_DelItem(type->tp_dict, _Py_NAME(dunder_classcell));
}

static int
set_attributes(struct class_draft *draft, PyTypeObject *type)
{
    if (set_module(type) < 0 || set_qualname(draft, type) < 0
        || set_doc(type) < 0) {
        return -1;
    }
    if (wrap_function(type, _Py_NAME(dunder_new), PyStaticMethod_New) < 0
        || wrap_function(type, _Py_NAME(dunder_init_subclass),
                         PyClassMethod_New) < 0
        || wrap_function(type, _Py_NAME(dunder_class_getitem),
                         PyClassMethod_New) < 0) {
        return -1;
    }
    return set_classcell(type);
}

/* --------------------------------------- __set_name__ and __init_subclass__ */

static int
call_set_name(PyTypeObject *type, PyObject *key, PyObject *value)
{
    PyObject *method = _PyObject_LookupSpecial(value,
                                               _Py_NAME(dunder_set_name));
    if (method == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    PyObject *args[3] = {NULL, (PyObject *)type, key};
    PyObject *result = PyObject_Vectorcall(
        method, args + 1, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_DECREF(method);
    if (result == NULL) {
        _PyErr_FormatFromCause(PyExc_RuntimeError,
                               "Error calling __set_name__ on '%.100s' "
                               "instance %R in '%.100s'",
                               Py_TYPE(value)->tp_name, key, type->tp_name);
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

static int
tell_attributes(PyTypeObject *type)
{
    /* __set_name__ may change the dictionary, so iterate over a copy. The copy is made
       only if some attribute has the method. */
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    int wanted = 0;
    while (PyDict_Next(type->tp_dict, &pos, &key, &value)) {
        if (_PyType_LookupInline(Py_TYPE(value),
                                 _Py_NAME(dunder_set_name)) != NULL) {
            wanted = 1;
            break;
        }
    }
    if (!wanted) {
        return 0;
    }
    PyObject *copy = PyDict_Copy(type->tp_dict);
    if (copy == NULL) {
        return -1;
    }
    int status = 0;
    pos = 0;
    while (status == 0 && PyDict_Next(copy, &pos, &key, &value)) {
        status = call_set_name(type, key, value);
    }
    Py_DECREF(copy);
    return status;
}

/* super(type, type).__init_subclass__(**kwargs) */
static int
tell_parent(PyTypeObject *type, PyObject *kwargs)
{
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0) {
        /* object's method does nothing, so most classes need no call. */
        PyObject *mro = type->tp_mro;
        PyObject *found = NULL;
        for (Py_ssize_t i = 1; i < PyTuple_GET_SIZE(mro) && !found; i++) {
            PyTypeObject *cls = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
            if (cls == &PyBaseObject_Type) {
                return 0;
            }
            found = PyDict_GetItemWithError(
                cls->tp_dict, _Py_NAME(dunder_init_subclass));
            if (found == NULL && PyErr_Occurred()) {
                return -1;
            }
        }
    }
    PyObject *args[2] = {(PyObject *)type, (PyObject *)type};
    PyObject *super = PyObject_Vectorcall((PyObject *)&PySuper_Type, args, 2,
                                          NULL);
    if (super == NULL) {
        return -1;
    }
    PyObject *func = PyObject_GetAttr(super, _Py_NAME(dunder_init_subclass));
    Py_DECREF(super);
    if (func == NULL) {
        return -1;
    }
    PyObject *result = PyObject_VectorcallDict(func, NULL, 0, kwargs);
    Py_DECREF(func);
    if (result == NULL) {
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

/* ------------------------------------------------------------- type.__new__ */

static PyObject *
build(struct class_draft *draft)
{
    PyTypeObject *base = _PyType_BestBase(draft->bases);
    if (base == NULL) {
        return NULL;
    }
    draft->base = base;
    draft->may_add_dict = base->tp_dictoffset == 0;
    draft->may_add_weak = base->tp_weaklistoffset == 0
                          && base->tp_itemsize == 0;
    if (process_slots(draft) < 0) {
        return NULL;
    }
    PyTypeObject *type = allocate(draft);
    if (type == NULL) {
        return NULL;
    }
    if (set_attributes(draft, type) < 0 || PyType_Ready(type) < 0) {
        Py_DECREF(type);
        return NULL;
    }
    _PyType_FixupSlots(type);
    if (tell_attributes(type) < 0 || tell_parent(type, draft->kwargs) < 0) {
        Py_DECREF(type);
        return NULL;
    }
    return (PyObject *)type;
}

PyObject *
_PyType_New(PyTypeObject *metatype, PyObject *args, PyObject *kwargs)
{
    PyObject *name, *bases, *namespace;
    if (!PyArg_ParseTuple(args, "UO!O!:type.__new__", &name, &PyTuple_Type,
                          &bases, &PyDict_Type, &namespace)) {
        return NULL;
    }
    struct class_draft draft = {
        .metatype = metatype,
        .args = args,
        .kwargs = kwargs,
        .name = name,
    };
    if (PyTuple_GET_SIZE(bases) == 0) {
        draft.bases = PyTuple_Pack(1, &PyBaseObject_Type);
        if (draft.bases == NULL) {
            return NULL;
        }
    }
    else {
        if (check_mro_entries(bases) < 0) {
            return NULL;
        }
        PyTypeObject *winner = _PyType_CalculateMetaclass(metatype, bases);
        if (winner == NULL) {
            return NULL;
        }
        if (winner != metatype) {
            if (winner->tp_new != _PyType_New) {
                return winner->tp_new(winner, args, kwargs);
            }
            draft.metatype = winner;
        }
        draft.bases = Py_NewRef(bases);
    }
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    PyObject *type = NULL;
    if (text == NULL) {
        goto done;
    }
    if (strlen(text) != (size_t)length) {
        PyErr_SetString(PyExc_ValueError,
                        "type name must not contain null characters");
        goto done;
    }
    draft.dict = PyDict_Copy(namespace);
    if (draft.dict != NULL) {
        type = build(&draft);
    }
done:
    Py_XDECREF(draft.bases);
    Py_XDECREF(draft.dict);
    Py_XDECREF(draft.slots);
    return type;
}
