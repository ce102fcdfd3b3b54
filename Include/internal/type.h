/* What the rest of the interpreter needs from types (Objects/type/).

   Versions.  tp_version_tag != 0 says: as long as this number stands in the
   type, every lookup of a name along its MRO gives the same object.  Numbers
   are never used twice; PyType_Modified() puts 0 in a type and in all its
   subclasses.  A type that inherits from one without a number has none.

   The method cache maps (version, interned name) to what the lookup found
   (NULL for "no such name").  Names in it are owned, values borrowed: a value
   lives at least as long as the version that an entry is for.  An entry may also
   tell where instances have the attribute (internal/attr_place.h).

   Bootstrap: see internal/object.h. */
#ifndef SB_INTERNAL_TYPE_H
#define SB_INTERNAL_TYPE_H

#include "Python.h"
#include "structmember.h"
#include "internal/object.h"

/* Debian's (and our) public header maps this name to the _Py_Identifier
   variant for old extensions; inside, the name is an object. */
#undef _PyObject_LookupSpecial

/* Readies a static type that CPython makes from a spec: its instances have a __module__. */
int _PyType_AddModuleName(PyTypeObject *type);

#define _PyType_CACHE_BITS 12

struct _PyType_CacheEntry {
    PyObject *name;             /* owned, NULL when the entry is empty */
    PyObject *value;            /* borrowed, NULL: known to be missing */
    unsigned int version;       /* 0 exactly when name is NULL */
    unsigned int place;         /* PLACE(kind, number); 0, PLACE_UNKNOWN: not known */
};

extern struct _PyType_CacheEntry _PyType_cache[1 << _PyType_CACHE_BITS];

static inline struct _PyType_CacheEntry *
_PyType_CacheSlot(unsigned int version, PyObject *name)
{
    size_t mix = ((uintptr_t)name >> 4) ^ ((size_t)version * 9);
    return &_PyType_cache[mix & ((1 << _PyType_CACHE_BITS) - 1)];
}

/* _PyType_Lookup() with the cache hit inline. Returns a borrowed reference, or NULL
   without an exception. */
static inline PyObject *
_PyType_LookupInline(PyTypeObject *type, PyObject *name)
{
    struct _PyType_CacheEntry *entry =
        _PyType_CacheSlot(type->tp_version_tag, name);
    if (entry->name == name && entry->version == type->tp_version_tag) {
        return entry->value;
    }
    return _PyType_Lookup(type, name);
}

/* Gives the type a version if it can have one. Returns it, or 0. */
unsigned int _PyType_AssignVersion(PyTypeObject *type);

/* The type that has this version now, or NULL: there is none, or it is not known which. */
PyTypeObject *_PyType_OfVersion(unsigned int version);
/* The type is going away. */
void _PyType_Forget(PyTypeObject *type);

/* Drops every entry of the method cache (called by gc at full collections
   and at shut-down). */
void _PyType_ClearCache(void);

/* Special method lookup: on the type only, bound to self. Returns a new
   reference, or NULL, with an exception only if binding failed. */
PyObject *_PyObject_LookupSpecial(PyObject *self, PyObject *name);

/* The same without binding where possible: *unbound = 1 means that self has
   to be passed as the first argument. Returns a new reference, NULL without an
   exception when missing. */
PyObject *_PyObject_LookupSpecialMethod(PyObject *self, PyObject *name,
                                        int *unbound);

/* Calls self.name(args...) by special lookup; NULL with AttributeError if
   there is none. args[0] is self; nargs counts it. */
PyObject *_PyObject_CallSpecial(PyObject *self, PyObject *name,
                                PyObject *const *args, Py_ssize_t nargs);

/* The same, but NULL without an exception if there is none. */
PyObject *_PyObject_CallSpecialIfAny(PyObject *self, PyObject *name,
                                     PyObject *const *args, Py_ssize_t nargs);

/* type.__call__, without argument tuples where the class allows it. */
PyObject *_PyType_Vectorcall(PyObject *type, PyObject *const *args,
                             size_t nargsf, PyObject *kwnames);

/* tp_call of PyType_Type: a type whose metatype has this tp_call may be
   called by _PyType_Vectorcall(). */
PyObject *_PyType_Call(PyObject *type, PyObject *args, PyObject *kwargs);
/* Checks that an __init__() has returned None: 0, or -1 with an exception. Steals
   `result`, which may be NULL. */
int _PyType_EndInit(PyObject *result);

/* object.__new__, object.__init__: exported so that a specialiser can
   recognise plain classes (tp_new == _PyObject_NewInstance, tp_init ==
   _PySlot_Init with a Python __init__). */
PyObject *_PyObject_NewInstance(PyTypeObject *type, PyObject *args,
                                PyObject *kwargs);
int _PyObject_InitInstance(PyObject *self, PyObject *args, PyObject *kwargs);

/* The slot functions that call Python methods; slots.def lists them. These
   are the ones that the VM compares with. */
int _PySlot_Init(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *_PySlot_GetItem(PyObject *self, PyObject *key);
PyObject *_PySlot_GetAttrHook(PyObject *self, PyObject *name);
/* The second half of _PySlot_GetAttrHook: `hook` is the type's __getattr__. */
PyObject *_PySlot_CallGetAttrHook(PyObject *self, PyObject *name, PyObject *hook);
/* Does attribute lookup on instances begin with the generic search? */
int _PyType_SearchesAsUsual(PyTypeObject *type);
/* The same for metatypes and type.__getattribute__(). */
int _PyType_SearchesAsClass(PyTypeObject *metatype);
int _PySlot_SetAttr(PyObject *self, PyObject *name, PyObject *value);
PyObject *_PySlot_IterNext(PyObject *self);

/* tp_getattro of types: data descriptors of the metatype, the MRO, then other attributes
   of the metatype. */
PyObject *_PyType_GetAttr(PyObject *type, PyObject *name);

/* The same as _PyType_GetAttr(), but NULL without an exception if it is not found. */
PyObject *_PyType_GetAttrOrNull(PyTypeObject *type, PyObject *name);

/* The PyMemberDefs made from __slots__ follow the heap type, Py_SIZE(type) many. */
static inline PyMemberDef *
_PyType_SlotMembers(PyTypeObject *type)
{
    return (PyMemberDef *)((char *)type + Py_TYPE(type)->tp_basicsize);
}

/* tp_dealloc, tp_traverse, tp_clear of classes made by class statements. */
void _PySubtype_Dealloc(PyObject *self);
int _PySubtype_Traverse(PyObject *self, visitproc visit, void *arg);
int _PySubtype_Clear(PyObject *self);
/* Is such an object destroyed by nothing but dropping its class and what its slots and its
   dictionary or inline values refer to? It has no finalizer and no weak references. */
int _PySubtype_OwnsItsFields(PyObject *self);

/* The first type of the MRO, from `type` on, that has a C layout of its own. */
PyTypeObject *_PyType_SolidBase(PyTypeObject *type);

/* A new list of the live direct subclasses. */
PyObject *_PyType_GetSubclasses(PyTypeObject *type);
/* `base` forgets that `type` is one of them. */
void _PyType_RemoveSubclass(PyTypeObject *base, PyTypeObject *type);

/* __module__ of a type; for a static type, its name up to the last dot, or "builtins" if it
   has none. Returns a new reference. */
PyObject *_PyType_ModuleName(PyTypeObject *type);

/* tp_descr_get of an object's type; NULL if it is no descriptor. */
static inline descrgetfunc
_PyDescr_Getter(PyObject *descr)
{
    return Py_TYPE(descr)->tp_descr_get;
}

/* Is `type` == `base` or derived from it?  The MRO walk, inline. */
static inline int
_PyType_IsSubtypeFast(PyTypeObject *type, PyTypeObject *base)
{
    return type == base || PyType_IsSubtype(type, base);
}

#endif
