/* Creation and destruction of instances of classes made by Python code.

   Such a class adds to its C base any combination of: a dictionary (inline attributes,
   or a pointer at tp_dictoffset), a list of weak references, and a pointer for each
   name in __slots__. The functions here handle these and leave the rest to the nearest
   base with functions of its own. */
#include "private.h"
#include "internal/float.h"
#include "internal/gcstate.h"
#include "internal/pystate.h"
#include "internal/subtype_traverse.h"
#include "internal/trashcan.h"
#include "internal/weakref.h"

/* --------------------------------------------------------------- allocation */

PyObject *
PyType_GenericAlloc(PyTypeObject *type, Py_ssize_t nitems)
{
    if (has_flag(type, Py_TPFLAGS_MANAGED_DICT)) {
        return _PyInstance_Alloc(type);
    }
    if (has_flag(type, Py_TPFLAGS_HAVE_GC) && type->tp_itemsize == 0) {
        return _PyObject_GC_NewZeroed(type, sizeof(PyGC_Head), (size_t)type->tp_basicsize);
    }
    /* One item more than requested: types like bytes and the pointer arrays of old
       extensions end with a sentinel. */
    size_t size = _PyObject_VAR_SIZE(type, nitems + 1);
    PyObject *op;
    const size_t few = 1 << 16;         /* of so many, the size can't overflow */
    if (has_flag(type, Py_TPFLAGS_HAVE_GC) && (size_t)nitems < few) {
        op = _PyObject_GC_NewZeroed(type, sizeof(PyGC_Head), size);
        if (op != NULL) {
            Py_SET_SIZE(op, nitems);
        }
        return op;
    }
    if (has_flag(type, Py_TPFLAGS_HAVE_GC)) {
        op = (PyObject *)_PyObject_GC_NewVar(type, nitems + 1);
        if (op == NULL) {
            return NULL;
        }
        memset(op + 1, 0, size - sizeof(PyObject));
        Py_SET_SIZE(op, nitems);
        if (!_PyObject_GC_IS_TRACKED(op)) {
            _PyObject_GC_TRACK(op);
        }
        return op;
    }
    op = PyObject_Malloc(size);
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    memset(op, 0, size);
    if (type->tp_itemsize == 0) {
        _PyObject_InitNew(op, type);
    }
    else {
        PyObject_InitVar((PyVarObject *)op, type, nitems);
    }
    return op;
}

PyObject *
PyType_GenericNew(PyTypeObject *type, PyObject *Py_UNUSED(args),
                  PyObject *Py_UNUSED(kwargs))
{
    return type->tp_alloc(type, 0);
}

/* -------------------------------------------------- slots made by __slots__ */

static void
clear_own_slots(PyTypeObject *type, PyObject *self)
{
    PyMemberDef *member = _PyType_SlotMembers(type);
    for (Py_ssize_t i = Py_SIZE(type); i > 0; i--, member++) {
        if (member->type == T_OBJECT_EX && !(member->flags & READONLY)) {
            PyObject **field = (PyObject **)((char *)self + member->offset);
            PyObject *value = *field;
            *field = NULL;
            _PyFloat_XDECREF(value);
        }
    }
}

/* The address of the dictionary pointer in the object. Not for managed dicts. */
static PyObject **
own_dict_pointer(PyObject *self, PyTypeObject *type)
{
    return has_flag(type, Py_TPFLAGS_MANAGED_DICT) || type->tp_dictoffset == 0
           ? NULL : _PyObject_GetDictPtr(self);
}

/* ------------------------------------------------------- traverse and clear */

int
_PySubtype_Traverse(PyObject *self, visitproc visit, void *arg)
{
    return _PySubtype_TraverseInline(self, visit, arg);
}

int
_PySubtype_Clear(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyTypeObject *base = type;
    while (base->tp_clear == _PySubtype_Clear) {
        if (Py_SIZE(base) > 0) {
            clear_own_slots(base, self);
        }
        base = base->tp_base;
    }
    if (has_flag(type, Py_TPFLAGS_MANAGED_DICT)) {
        if (!has_flag(base, Py_TPFLAGS_MANAGED_DICT)) {
            _PyInstance_Clear(self);
        }
    }
    else if (type->tp_dictoffset != base->tp_dictoffset) {
        PyObject **dict = own_dict_pointer(self, type);
        if (dict != NULL) {
            Py_CLEAR(*dict);
        }
    }
    return base->tp_clear != NULL ? base->tp_clear(self) : 0;
}

/* -------------------------------------------------------------------- death */

static PyTypeObject *
base_with_other_dealloc(PyTypeObject *type)
{
    while (type->tp_dealloc == _PySubtype_Dealloc) {
        type = type->tp_base;
    }
    return type;
}

/* Runs __del__ and clears weak references. Returns 1 if the object was resurrected. The
   object is untracked before, and also after, unless it was resurrected. */
static int
say_goodbye(PyObject *self, PyTypeObject *type, PyTypeObject *base, int gc)
{
    if (type->tp_finalize != NULL) {
        if (gc) {
            _PyObject_GC_TRACK(self);
        }
        if (PyObject_CallFinalizerFromDealloc(self) < 0) {
            return 1;
        }
        if (gc) {
            PyObject_GC_UnTrack(self);
        }
    }
    int own_weakrefs = type->tp_weaklistoffset && !base->tp_weaklistoffset;
    if (own_weakrefs && *(PyObject **)((char *)self + type->tp_weaklistoffset) != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    if (type->tp_del != NULL) {
        if (gc) {
            _PyObject_GC_TRACK(self);
        }
        type->tp_del(self);
        if (Py_REFCNT(self) > 0) {
            return 1;
        }
        if (gc) {
            PyObject_GC_UnTrack(self);
        }
        if (own_weakrefs) {
            /* References made by tp_del. Their callbacks would see a half-destroyed
               object, so they are not called. */
            PyObject **list = PyObject_GET_WEAKREFS_LISTPTR(self);
            while (*list != NULL) {
                _PyWeakref_ClearRef((PyWeakReference *)*list);
            }
        }
    }
    return 0;
}

static void
drop_fields(PyObject *self, PyTypeObject *type, PyTypeObject *base)
{
    for (PyTypeObject *t = type; t != base; t = t->tp_base) {
        if (Py_SIZE(t) > 0) {
            clear_own_slots(t, self);
        }
    }
    if (has_flag(type, Py_TPFLAGS_MANAGED_DICT)) {
        if (!has_flag(base, Py_TPFLAGS_MANAGED_DICT)) {
            _PyInstance_Clear(self);
        }
    }
    else if (type->tp_dictoffset != 0 && base->tp_dictoffset == 0) {
        PyObject **dict = own_dict_pointer(self, type);
        if (dict != NULL) {
            Py_CLEAR(*dict);
        }
    }
}

static inline int
owns_its_fields(PyObject *self, PyTypeObject *type, PyTypeObject *base)
{
    return base == &PyBaseObject_Type && type->tp_finalize == NULL
           && type->tp_del == NULL && type->tp_free == PyObject_GC_Del
           && has_flag(type, Py_TPFLAGS_HAVE_GC) && !_PyInstance_HasWeakrefs(self, type);
}

int
_PySubtype_OwnsItsFields(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (_PyInstance_IsPlain(type)) {
        return !_PyInstance_HasWeakrefs(self, type);
    }
    return owns_its_fields(self, type, base_with_other_dealloc(type));
}

/* Of such an object. */
static void
dealloc_fields(PyObject *self)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (_PyObject_GC_IS_TRACKED(self)) {
        _PyObject_GC_UNTRACK(self);
    }
    if (!_PyTrash_Enter(tstate, self)) {
        return;
    }
    drop_fields(self, Py_TYPE(self), &PyBaseObject_Type);
    _PyInstance_FreeEmptied(self);
    _PyTrash_Leave(tstate);
}

void
_PySubtype_Dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    if (_PyInstance_IsPlain(type) && !_PyInstance_HasWeakrefs(self, type)) {
        _PyInstance_DeallocPlain(self);
        return;
    }
    PyTypeObject *base = base_with_other_dealloc(type);
    if (owns_its_fields(self, type, base)) {
        _PyInstance_NoteIfPlain(type);
        dealloc_fields(self);
        return;
    }

    if (!has_flag(type, Py_TPFLAGS_HAVE_GC)) {
        /* No dictionary, no slots: at most a list of weak references. */
        if (say_goodbye(self, type, base, 0)) {
            return;
        }
        type = Py_TYPE(self);
        int owns_type = type_is_heap(type) && !type_is_heap(base);
        base->tp_dealloc(self);
        if (owns_type) {
            Py_DECREF(type);
        }
        return;
    }

    if (_PyObject_GC_IS_TRACKED(self)) {
        _PyObject_GC_UNTRACK(self);
    }
    PyThreadState *trash = NULL;
    if (type->tp_dealloc == _PySubtype_Dealloc) {
        trash = _PyThreadState_GET();
        if (!_PyTrash_Enter(trash, self)) {
            return;
        }
    }
    if (!say_goodbye(self, type, base, 1)) {
        drop_fields(self, type, base);
        type = Py_TYPE(self);
        /* If the base is a heap type, its function drops the reference to the type. */
        int owns_type = type_is_heap(type) && !type_is_heap(base);
        if (has_flag(base, Py_TPFLAGS_HAVE_GC)) {
            _PyObject_GC_TRACK(self);
        }
        base->tp_dealloc(self);
        if (owns_type) {
            Py_DECREF(type);
        }
    }
    if (trash != NULL) {
        _PyTrash_Leave(trash);
    }
}

/* ------------------------------------------------- __dict__ and __weakref__ */

/* If a class derives from a C type with a dictionary, that type's descriptor is used. */
static PyTypeObject *
builtin_base_with_dict(PyTypeObject *type)
{
    while (type->tp_base != NULL) {
        if (type->tp_dictoffset != 0 && !type_is_heap(type)) {
            return type;
        }
        type = type->tp_base;
    }
    return NULL;
}

static PyObject *
base_dict_descriptor(PyObject *self, int *failed)
{
    PyTypeObject *base = builtin_base_with_dict(Py_TYPE(self));
    *failed = 0;
    if (base == NULL) {
        return NULL;
    }
    PyObject *descr = _PyType_Lookup(base, _Py_NAME(dunder_dict));
    if (descr == NULL || Py_TYPE(descr)->tp_descr_set == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "this __dict__ descriptor does not support '%.200s' "
                     "objects", Py_TYPE(self)->tp_name);
        *failed = 1;
        return NULL;
    }
    return descr;               /* borrowed */
}

static PyObject *
get_dict(PyObject *self, void *context)
{
    int failed;
    PyObject *descr = base_dict_descriptor(self, &failed);
    if (failed) {
        return NULL;
    }
    if (descr != NULL) {
        return Py_TYPE(descr)->tp_descr_get(descr, self,
                                            (PyObject *)Py_TYPE(self));
    }
    return PyObject_GenericGetDict(self, context);
}

static int
set_dict(PyObject *self, PyObject *value, void *context)
{
    int failed;
    PyObject *descr = base_dict_descriptor(self, &failed);
    if (failed) {
        return -1;
    }
    if (descr != NULL) {
        return Py_TYPE(descr)->tp_descr_set(descr, self, value);
    }
    PyTypeObject *type = Py_TYPE(self);
    if (type->tp_dictoffset == 0) {
        PyErr_SetString(PyExc_AttributeError, "This object has no __dict__");
        return -1;
    }
    if (value == NULL) {
        /* `del x.__dict__` empties it. */
        if (has_flag(type, Py_TPFLAGS_MANAGED_DICT)) {
            return _PyInstance_SetDict(self, NULL);
        }
        PyObject **slot = own_dict_pointer(self, type);
        Py_CLEAR(*slot);
        return 0;
    }
    return PyObject_GenericSetDict(self, value, context);
}

static PyObject *
get_weakref(PyObject *self, void *Py_UNUSED(context))
{
    PyTypeObject *type = Py_TYPE(self);
    if (type->tp_weaklistoffset == 0) {
        PyErr_SetString(PyExc_AttributeError,
                        "This object has no __weakref__");
        return NULL;
    }
    PyObject *first = *PyObject_GET_WEAKREFS_LISTPTR(self);
    return Py_NewRef(first != NULL ? first : Py_None);
}

#define DICT_GETSET \
    {"__dict__", get_dict, set_dict, \
     "dictionary for instance variables (if defined)", NULL}
#define WEAKREF_GETSET \
    {"__weakref__", get_weakref, NULL, \
     "list of weak references to the object (if defined)", NULL}

PyGetSetDef _PySubtype_GetSetsFull[] = {
    DICT_GETSET,
    WEAKREF_GETSET,
    {NULL, NULL, NULL, NULL, NULL}
};

PyGetSetDef _PySubtype_GetSetsDict[] = {
    DICT_GETSET,
    {NULL, NULL, NULL, NULL, NULL}
};

PyGetSetDef _PySubtype_GetSetsWeakref[] = {
    WEAKREF_GETSET,
    {NULL, NULL, NULL, NULL, NULL}
};
