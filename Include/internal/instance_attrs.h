/* Attributes of instances, kept inside the instance.

   Instances of a heap type with Py_TPFLAGS_MANAGED_DICT (and tp_dictoffset == -1)
   have this layout in memory, in words from the object's address:

       [-4]  the header: capacity, used, room
       [-3]  the dictionary, or NULL
       [-2]  PyGC_Head (two words)
       [ 0]  the object, tp_basicsize bytes
       then  `room` values, and then `room` bytes: the order

   Invariants:
   - `capacity` is `room` while the values live inline, and 0 once they have
     moved into a dictionary ("materialised"): a reader only has to check that
     the index is below it. The dictionary is NULL while capacity != 0;
   - the value at index i belongs to the name i of the type's shared keys;
     names are only ever added, so an index stays good as long as the type
     itself is the same (check its version) and the instance has not been given
     another class (which materialises). A name that the type has, too, gives the type
     another version: until then it is certain that no inline value hides what the type has;
   - order[0 .. used-1] are the indices that have values, oldest first. A value
     is not NULL exactly when its index is among them.

   A new instance has room for the shared keys of its type, and a little more; the first few of a
   type also for all that its methods set. A name that does not fit materialises the dictionary of
   that instance only; the name still joins the shared keys (up to 62 of them), so that later
   instances have room for it. */
#ifndef SB_INTERNAL_INSTANCE_ATTRS_H
#define SB_INTERNAL_INSTANCE_ATTRS_H

#include "Python.h"
#include <stdint.h>

#define _PyInstance_MAX_SHARED 62

/* A type's shared keys: ht_cached_keys points to one, or is NULL. A class with slots but no
   dictionaries has one for plain_version only. */
typedef struct _PySharedKeys {
    uint8_t count;
    uint8_t expected;           /* attributes that the type's methods set */
    uint8_t early;              /* instances that were given room for those */
    uint8_t ready_room;         /* the room of the next instance; 0: that is not settled */
    uint16_t ready_size;        /* and the bytes of its memory */
    unsigned plain_version;     /* the version of the type that is known to be plain, or 0 */
    uint8_t slots[128];         /* hashed by name: index + 1, or 0 */
    uint8_t names_room;         /* for how many names there is room */
    PyObject *names[];          /* owned, interned */
} _PySharedKeys;

typedef struct {
    uint8_t capacity;
    uint8_t used;
    uint8_t room;
    uint8_t unused[5];
} _PyInstanceHeader;

static inline size_t
_PyInstance_PreHeaderSize(PyTypeObject *type)
{
    return type->tp_flags & Py_TPFLAGS_MANAGED_DICT ? 2 * sizeof(void *) : 0;
}

static inline _PyInstanceHeader *
_PyInstance_Header(PyObject *op)
{
    return (_PyInstanceHeader *)((void **)op - 4);
}

/* Where the dictionary is. Write it through _PyInstance_SetDict only. */
static inline PyObject **
_PyInstance_DictSlot(PyObject *op)
{
    return (PyObject **)op - 3;
}

static inline PyObject **
_PyInstance_Values(PyObject *op)
{
    return (PyObject **)((char *)op + Py_TYPE(op)->tp_basicsize);
}

static inline _PySharedKeys *
_PyInstance_SharedKeys(PyTypeObject *type)
{
    return (_PySharedKeys *)((PyHeapTypeObject *)type)->ht_cached_keys;
}

/* The room of a new instance, but for the first few of the type; 0: no key is known. */
static inline size_t
_PyInstance_KnownRoom(const _PySharedKeys *shared)
{
    return shared == NULL || shared->count == 0
           ? 0 : Py_MIN((size_t)shared->count + 1, _PyInstance_MAX_SHARED);
}

/* Have its instances nothing but attributes, or slots, which they drop when they die? Of such a
   plain class there is no __del__ and no base in C but object; weak references there may be. 0: it is
   not known (_PySubtype_Dealloc() finds it out). */
static inline int
_PyInstance_IsPlain(PyTypeObject *type)
{
    if (!(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
        return 0;
    }
    const _PySharedKeys *shared = _PyInstance_SharedKeys(type);
    return shared != NULL && shared->plain_version == type->tp_version_tag
           && shared->plain_version != 0;
}

static inline int
_PyInstance_HasWeakrefs(PyObject *op, PyTypeObject *type)
{
    return type->tp_weaklistoffset > 0
           && *(PyObject **)((char *)op + type->tp_weaklistoffset) != NULL;
}

/* Of a plain class: where values are, up to *end, in the order in which they go. The attributes, or
   the slots of one class after the other: *cls is the instance's at first, and the class whose
   turn is next. Object's never comes. */
static inline PyObject **
_PyInstance_PlainFields(PyObject *op, PyTypeObject **cls, PyObject ***end)
{
    PyTypeObject *type = *cls;
    if (!(type->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        *cls = type->tp_base;
        PyObject **slots = (PyObject **)((char *)op + type->tp_base->tp_basicsize);
        *end = slots + Py_SIZE(type);
        return slots;
    }
    PyObject **values = _PyInstance_Values(op);
    const _PyInstanceHeader *header = _PyInstance_Header(op);
    *end = values + (header->used != 0 ? header->capacity : 0);
    *cls = &PyBaseObject_Type;
    return values;
}

/* Inline read for a specialised instruction, which has checked the type. Returns a
   borrowed reference, or NULL when the value is not inline (or not there). */
static inline PyObject *
_PyInstance_InlineValue(PyObject *op, Py_ssize_t index)
{
    return index < _PyInstance_Header(op)->capacity
        ? _PyInstance_Values(op)[index] : NULL;
}

/* The bytes after the values: indices of values in the order in which they were set. */
static inline uint8_t *
_PyInstance_Order(PyObject *op)
{
    return (uint8_t *)(_PyInstance_Values(op) + _PyInstance_Header(op)->room);
}

/* A value has been stored where there was none: it is the newest. */
static inline void
_PyInstance_NoteNew(PyObject *op, Py_ssize_t index)
{
    _PyInstance_Order(op)[_PyInstance_Header(op)->used++] = (uint8_t)index;
}

/* Inline write likewise: 1 when done, 0 otherwise. Steals `value` on success only. */
int _PyInstance_StoreNewSlow(PyObject *op, Py_ssize_t index, PyObject *value);

static inline int
_PyInstance_StoreInline(PyObject *op, Py_ssize_t index, PyObject *value)
{
    if (index >= _PyInstance_Header(op)->capacity) {
        return 0;
    }
    PyObject **slot = _PyInstance_Values(op) + index;
    PyObject *old = *slot;
    if (old == NULL) {
        return _PyInstance_StoreNewSlow(op, index, value);
    }
    *slot = value;
    Py_DECREF(old);
    return 1;
}

/* The index of an interned name in the shared keys, or -1. It does not add. */
Py_ssize_t _PyInstance_KeyIndex(PyTypeObject *type, PyObject *name);

/* What PyType_GenericAlloc does for managed-dict types: a zeroed, tracked
   object with refcount 1 that owns a reference to its type. */
PyObject *_PyInstance_Alloc(PyTypeObject *type);

/* The instance's own attribute, inline or in its dict. Returns a new reference; NULL when
   missing, with an exception only if comparing keys raised one. */
PyObject *_PyInstance_GetAttr(PyObject *op, PyObject *name);
/* Sets, or deletes when value is NULL. 0; -1 with an exception; 1 without one
   when there was nothing to delete. `value` is borrowed. */
int _PyInstance_StoreAttr(PyObject *op, PyObject *name, PyObject *value);
/* `__dict__`: materialises it. Returns a new reference. */
PyObject *_PyInstance_GetDict(PyObject *op);
/* Replaces `__dict__`; NULL drops all attributes (a new dict is made when
   one is asked for). 0, or -1 with an exception. */
int _PyInstance_SetDict(PyObject *op, PyObject *dict);
/* Moves inline values into a dictionary, as a change of class needs. */
int _PyInstance_Materialise(PyObject *op);
/* Has the instance any attributes of its own? */
int _PyInstance_HasAttrs(PyObject *op);

/* For tp_clear and tp_dealloc of such types (tp_traverse: subtype_traverse.h): drops values and
   dictionary. */
void _PyInstance_Clear(PyObject *op);
/* tp_dealloc of a plain class, for an instance without weak references. */
void _PyInstance_DeallocPlain(PyObject *op);
/* The same in two parts, for who drops the values on its own: it writes NULL over each. Either all
   are dropped, and the instance has no dictionary; or it lives on with those that are left. Any
   instance that owns its fields may be freed so. */
void _PyInstance_FreeEmptied(PyObject *op);
void _PyInstance_ForgetDropped(PyObject *op);
/* Takes note that a class is plain, if its instances have either attributes or slots. It is known
   that there is nothing else. */
void _PyInstance_NoteIfPlain(PyTypeObject *type);

/* For types: free what ht_cached_keys points to; its size, for __sizeof__. */
void _PyInstance_FreeSharedKeys(PyTypeObject *type);
size_t _PyInstance_SharedKeysSize(PyTypeObject *type);

#endif
