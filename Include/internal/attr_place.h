/* Where is an attribute?

   Objects/type/attr_place.c answers: where do objects like this one have an attribute of this
   name, and what must stand for the answer to hold? Others read the answers.

   The way of `owner.name`, from the shortest to the longest. A step that does not know leaves
   it to the next:

   1. A specialised opcode (LOAD_ATTR__INLINE and its kin, Python/vm/op_attr.c) has an answer in
      the cache words of its instruction. _PyAttr_Find() gave it; Python/vm/specialize.c has
      written it there and chosen the opcode. The compiler to machine code reads these words
      too (Python/jit/build_attrs.c).
   2. A general opcode (LOAD_ATTR, STORE_ATTR, LOAD_METHOD) looks for an answer in the method
      cache of types, where all instructions that meet the class and name share it:
      _PyAttr_Known(), _PyAttr_PlacedValue().
   3. The search (Objects/object_attrs.c, Objects/instance_attrs.c): a data descriptor of the
      type, what the instance itself has, what else the type has. It begins with
      _PyAttr_LookUp(), which leaves an answer in the method cache: the next owner of that class
      is served by step 2, and after some more by step 1. */
#ifndef SB_INTERNAL_ATTR_PLACE_H
#define SB_INTERNAL_ATTR_PLACE_H

#include "Python.h"
#include <stdint.h>
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/type.h"
#include "internal/unicode.h"

/* The kinds up to PLACE_PROPERTY are about instances of a type, hold while the type keeps its
   version, and are stored in the method cache, packed with their number. They are only for
   types whose tp_getattro begins with the generic search, or (data descriptors) for metaclasses.
   When the type of any object becomes a descriptor, or is one no more, all versions change
   (_PyType_KindChanged()). */
enum _PyAttr_PlaceKind {
    PLACE_UNKNOWN,              /* not asked for yet, or it was missing */
    PLACE_SEARCH,               /* none of the places below: search */
    PLACE_INLINE,               /* among the inline values (internal/instance_attrs.h), number: the
                                   index; or in the dictionary that they have moved into */
    PLACE_MEMBER,               /* in a slot of __slots__, number: its offset */
    PLACE_CLASS,                /* __class__: it is ob_type */
    PLACE_GETTER,               /* the type's value, a data descriptor in C, gets it */
    PLACE_OF_TYPE,              /* it is the type's value, unless the instance hides that. Number:
                                   what may hide it */
    PLACE_DICT,                 /* in the instance's dictionary, if anywhere: the type lacks the
                                   name, and its shared keys lacked it */
    PLACE_PROPERTY,             /* the type's value, a property, gets it */

    /* Only _PyAttr_Find() gives these. */
    PLACE_MODULE,               /* in the dictionary of a module, number: the position; while the
                                   keys of the dictionary have the version */
    PLACE_OF_CLASS,             /* the owner is a class, and the value is its attribute, unchanged.
                                   version is the class's, version2 its metaclass's */
    PLACE_WRAPPED,              /* the same, but the value is a staticmethod or classmethod */
    PLACE_OF_SUPER,             /* the owner is a super object, and the value is what it finds for
                                   instances. version is that of their class, version2 that of
                                   the class which the search begins after */
};

/* Numbers of PLACE_OF_TYPE. */
#define HIDDEN_BY_MOVED 0       /* the dictionary that inline values have moved into. The values
                                   themselves never hide it: a shared key of that name changes the
                                   type's version (_PyInstance_StoreAttr()) */
#define PLACE(kind, number) ((unsigned int)(kind) | (unsigned int)(number) << 4)
#define PLACE_KIND(place) ((place) & 15)
#define PLACE_NUMBER(place) ((place) >> 4)
#define NO_OWN_ATTRIBUTES (UINT32_MAX >> 4)     /* nothing */
#define OWN_DICT (NO_OWN_ATTRIBUTES - 1)        /* the dictionary at tp_dictoffset */

/* ------------------------------------------------------------------- asking */

typedef struct {
    enum _PyAttr_PlaceKind kind;
    uint32_t version, version2;
    uint64_t number;
    PyObject *value;            /* what the type has under the name, or NULL: borrowed, as long as
                                   the versions stand */
} _PyAttrPlace;

/* The same for all instances of a type: the kinds up to PLACE_PROPERTY. */
_PyAttrPlace _PyAttr_InInstances(PyTypeObject *type, PyObject *name);

/* The place of an attribute of a class: PLACE_OF_CLASS, PLACE_WRAPPED or PLACE_UNKNOWN. */
_PyAttrPlace _PyAttr_OfClass(PyTypeObject *type, PyObject *name);

/* The place for one instruction. The kind is PLACE_UNKNOWN if nothing guards an answer. */
_PyAttrPlace _PyAttr_Find(PyObject *owner, PyObject *name);

/* What the owner's type has under the name, or NULL without an exception. Returns a borrowed
   reference. From then on the method cache also has the place of the attribute in instances,
   if there is one for it. */
PyObject *_PyAttr_LookUp(PyObject *owner, PyObject *name);

/* ------------------------------------------------------------------ reading */

/* What the method cache has under the type and name: NULL for nothing. */
static inline struct _PyType_CacheEntry *
_PyAttr_Known(PyTypeObject *type, PyObject *name)
{
    struct _PyType_CacheEntry *entry = _PyType_CacheSlot(type->tp_version_tag, name);
    return __builtin_expect(entry->name == name, 1)
           && __builtin_expect(entry->version == type->tp_version_tag, 1)
           ? entry : NULL;
}

/* The dictionary of an instance, as a borrowed reference. NULL: there is none, or the values live
   inline. */
static inline PyObject *
_PyAttr_OwnDict(PyObject *owner)
{
    PyTypeObject *type = Py_TYPE(owner);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        return *_PyInstance_DictSlot(owner);
    }
    PyObject **at = type->tp_dictoffset > 0 ? (PyObject **)((char *)owner + type->tp_dictoffset)
                    : type->tp_dictoffset < 0 ? _PyObject_GetDictPtr(owner) : NULL;
    return at != NULL ? *at : NULL;
}

/* Does an object with such a dict certainly lack an attribute of that name? One entry
   is mostly enough to tell. */
static inline int
_PyAttr_OwnDictLacks(PyObject *owner, PyObject *name)
{
    PyDictObject *dict = (PyDictObject *)_PyAttr_OwnDict(owner);
    Py_hash_t hash = _PyUnicode_CachedHash(name);
    return dict == NULL
           || (PyDict_CheckExact(dict) && hash != -1
               && (_PyDictKeys_FirstPosition(dict->ma_keys, hash) == DICT_EMPTY
                   || (dict->ma_keys->kind == DICT_KEYS_UNICODE
                       && _PyDict_IndexOfStr(dict, name) < 0)));
}

/* What the method cache says of an attribute of a class: the value that PLACE_OF_CLASS or
   PLACE_WRAPPED would have, or NULL. Returns a borrowed reference. */
PyObject *_PyAttr_KnownOfClass(PyTypeObject *type, PyObject *name);
/* The staticmethod or classmethod that `owner.name` leads to, if the method cache knows it, or
   NULL. Returns a borrowed reference. */
PyObject *_PyAttr_KnownWrapper(PyObject *owner, PyObject *name);
/* The class method in C that a class has under the name, not bound, if the method cache knows
   it, or NULL. Returns a borrowed reference. */
PyObject *_PyAttr_KnownClassMethod(PyObject *owner, PyObject *name);

/* What that dictionary has, or NULL. Returns a borrowed reference. */
PyObject *_PyAttr_OwnDictValue(PyObject *owner, PyObject *name);

/* PLACE_INLINE, and the instance lacks it: the value of its type, unless that binds. */
static inline PyObject *
_PyAttr_BehindInline(PyObject *owner, PyObject *name, PyObject *of_type)
{
    return of_type != NULL && Py_TYPE(of_type)->tp_descr_get == NULL
           && (_PyInstance_Header(owner)->capacity != 0 || _PyAttr_OwnDictLacks(owner, name))
           ? of_type : NULL;
}

/* PLACE_OF_TYPE with this number: is it certain that the instance does not hide the type's
   value? */
static inline int
_PyAttr_IsNotHidden(PyObject *owner, uint32_t number, PyObject *name)
{
    if (__builtin_expect(number >= OWN_DICT, 0)) {
        return number == NO_OWN_ATTRIBUTES || _PyAttr_OwnDictLacks(owner, name);
    }
    return __builtin_expect(_PyInstance_Header(owner)->capacity != 0, 1)
           || _PyAttr_OwnDictLacks(owner, name);
}

/* The attribute, if its place is known and holds the attribute itself, or NULL. Returns a
   borrowed reference. */
static inline PyObject *
_PyAttr_PlacedValue(PyObject *owner, PyObject *name)
{
    struct _PyType_CacheEntry *entry = _PyAttr_Known(Py_TYPE(owner), name);
    if (entry == NULL) {
        return NULL;
    }
    uint32_t number = PLACE_NUMBER(entry->place);
    switch (PLACE_KIND(entry->place)) {
    case PLACE_INLINE: {
        PyObject *value = _PyInstance_InlineValue(owner, number);
        if (__builtin_expect(value == NULL, 0)) {
            value = _PyAttr_OwnDictValue(owner, name);
        }
        return __builtin_expect(value != NULL, 1) ? value
               : _PyAttr_BehindInline(owner, name, entry->value);
    }
    case PLACE_DICT:
        return _PyAttr_OwnDictValue(owner, name);
    case PLACE_MEMBER:
        return *(PyObject **)((char *)owner + number);
    case PLACE_CLASS:
        return (PyObject *)Py_TYPE(owner);
    case PLACE_OF_TYPE:
        return !_PyAttr_IsNotHidden(owner, number, name) ? _PyAttr_OwnDictValue(owner, name)
               : Py_TYPE(entry->value)->tp_descr_get == NULL ? entry->value : NULL;
    default:
        return NULL;
    }
}

/* Is __getattr__() to be called if this descriptor raises AttributeError? */
static inline int
_PyAttr_MayGoOn(PyTypeObject *type, PyObject *descr)
{
    return type->tp_getattro == _PySlot_GetAttrHook
           && !PyType_HasFeature(Py_TYPE(descr), Py_TPFLAGS_METHOD_DESCRIPTOR);
}

/* Does the entry's value certainly get the attribute: is it a descriptor in C, or something
   that binds and is not hidden? */
static inline int
_PyAttr_OnlyDescriptorGets(PyObject *owner, struct _PyType_CacheEntry *entry)
{
    int kind = PLACE_KIND(entry->place);
    return kind == PLACE_GETTER
           || (kind == PLACE_OF_TYPE && Py_TYPE(entry->value)->tp_descr_get != NULL
               && !_PyAttr_MayGoOn(Py_TYPE(owner), entry->value)
               && _PyAttr_IsNotHidden(owner, PLACE_NUMBER(entry->place), entry->name));
}

#endif
