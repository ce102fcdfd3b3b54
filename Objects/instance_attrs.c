/* Attributes stored inside instances. See internal/instance_attrs.h for the layout.
   This file has the shared keys, the allocation, and the moves between inline values
   and a dictionary. */
#include "Python.h"
#include "internal/code.h"
#include "internal/dict.h"
#include "internal/float.h"
#include "internal/gcstate.h"
#include "internal/instance_attrs.h"
#include "internal/packed_code.h"
#include "internal/pystate.h"
#include "internal/trashcan.h"
#include "internal/type.h"
#include "internal/unicode.h"

/* Room in the instances of a type for which no attribute is known yet, at least. */
#define FIRST_ROOM 5
/* So many instances of a type have room for what its methods set: by then its keys are known. */
#define EARLY_INSTANCES 8
/* So many names does a type's shared keys have room for at first. */
#define FIRST_NAMES 6
/* So many words of a type's methods are looked through for that. */
#define MOST_WORDS 20000

/* -------------------------------------------------------------- shared keys */

#define SLOT_MASK 127

static inline size_t
slot_of(PyObject *name)
{
    Py_hash_t hash = _PyUnicode_CachedHash(name);
    return (size_t)(hash ^ (hash >> 7)) & SLOT_MASK;
}

/* By identity: attribute names are usually interned. */
static inline Py_ssize_t
index_of_interned(const _PySharedKeys *shared, PyObject *name)
{
    for (size_t i = slot_of(name); shared->slots[i] != 0;
         i = (i + 1) & SLOT_MASK) {
        Py_ssize_t index = shared->slots[i] - 1;
        if (shared->names[index] == name) {
            return index;
        }
    }
    return -1;
}

/* By content, for an exact str that may be another copy of the name. */
static Py_ssize_t
index_of_equal(const _PySharedKeys *shared, PyObject *name)
{
    for (size_t i = slot_of(name); shared->slots[i] != 0;
         i = (i + 1) & SLOT_MASK) {
        Py_ssize_t index = shared->slots[i] - 1;
        PyObject *other = shared->names[index];
        if (_PyUnicode_CachedHash(other) == _PyUnicode_CachedHash(name)
            && _PyUnicode_FastEq(other, name)) {
            return index;
        }
    }
    return -1;
}

/* Finds an exact str with a known hash. Returns -1 if the type does not know it. */
static inline Py_ssize_t
index_of(const _PySharedKeys *shared, PyObject *name)
{
    if (shared == NULL) {
        return -1;
    }
    Py_ssize_t index = index_of_interned(shared, name);
    if (index < 0 && !PyUnicode_CHECK_INTERNED(name)) {
        index = index_of_equal(shared, name);
    }
    return index;
}

Py_ssize_t
_PyInstance_KeyIndex(PyTypeObject *type, PyObject *name)
{
    return index_of(_PyInstance_SharedKeys(type), name);
}

static size_t
size_of_keys(size_t room)
{
    return sizeof(_PySharedKeys) + room * sizeof(PyObject *);
}

static _PySharedKeys *
need_keys(PyTypeObject *type)
{
    _PySharedKeys *shared = _PyInstance_SharedKeys(type);
    if (shared == NULL) {
        shared = PyMem_Calloc(1, size_of_keys(FIRST_NAMES));
        if (shared != NULL) {
            shared->names_room = FIRST_NAMES;
        }
        ((PyHeapTypeObject *)type)->ht_cached_keys = (struct _dictkeysobject *)shared;
    }
    return shared;
}

/* The type's shared keys with room for one more name, or NULL. They move when they grow. */
static _PySharedKeys *
keys_with_room(PyTypeObject *type)
{
    _PySharedKeys *shared = need_keys(type);
    if (shared == NULL || shared->count < shared->names_room) {
        return shared;
    }
    size_t room = 2 * (size_t)shared->names_room + 2;
    if (room > _PyInstance_MAX_SHARED
        || (shared = PyMem_Realloc(shared, size_of_keys(room))) == NULL) {
        return NULL;
    }
    shared->names_room = (uint8_t)room;
    ((PyHeapTypeObject *)type)->ht_cached_keys = (struct _dictkeysobject *)shared;
    return shared;
}

/* Adds a name. Returns -1 without an exception if there is no room for it. */
static Py_ssize_t
add_key(PyTypeObject *type, PyObject *name)
{
    _PySharedKeys *shared = keys_with_room(type);
    if (shared == NULL) {
        return -1;
    }
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    Py_ssize_t index = shared->count++;
    shared->ready_room = 0;
    shared->names[index] = name;
    size_t i = slot_of(name);
    while (shared->slots[i] != 0) {
        i = (i + 1) & SLOT_MASK;
    }
    shared->slots[i] = (uint8_t)(index + 1);
    /* From now on instances may hide what the type has under this name: PLACE_OF_TYPE. */
    if (type->tp_version_tag != 0 && _PyType_Lookup(type, name) != NULL) {
        PyType_Modified(type);
    }
    return index;
}

void
_PyInstance_FreeSharedKeys(PyTypeObject *type)
{
    _PySharedKeys *shared = _PyInstance_SharedKeys(type);
    if (shared == NULL) {
        return;
    }
    ((PyHeapTypeObject *)type)->ht_cached_keys = NULL;
    for (int i = 0; i < shared->count; i++) {
        Py_DECREF(shared->names[i]);
    }
    PyMem_Free(shared);
}

size_t
_PyInstance_SharedKeysSize(PyTypeObject *type)
{
    const _PySharedKeys *shared = _PyInstance_SharedKeys(type);
    return shared == NULL ? 0 : size_of_keys(shared->names_room);
}

/* --------------------------------------------------------------- allocation */

/* Names of attributes, each once. */
typedef struct {
    PyObject *names[_PyInstance_MAX_SHARED];
    size_t n;
} NameList;

/* Adds what a method sets on its first argument. */
static void
add_names_set(NameList *list, const PyVMCode *method)
{
    const size_t most = Py_ARRAY_LENGTH(list->names);
    PyPackedWalk walk;
    PyInstr in;
    uint32_t name_index;
    _PyPacked_Start(&walk, method->packed, method->npacked);
    while (!walk.is_raw && list->n < most && _PyPacked_Next(&walk, &in, &name_index)) {
        if (in.op != OP_STORE_ATTR || in.a != 0
            || name_index >= (size_t)PyTuple_GET_SIZE(method->ob.co_names)) {
            continue;
        }
        PyObject *name = PyTuple_GET_ITEM(method->ob.co_names, name_index);
        size_t i = 0;
        while (i < list->n && list->names[i] != name) {
            i++;
        }
        if (i == list->n) {
            list->names[list->n++] = name;
        }
    }
}

/* How many attributes the methods of a type set. The only instance of a class is often the one that
   a program spends its time with, and what does not fit in it makes all of them slow. */
static size_t
attributes_expected(PyTypeObject *type)
{
    NameList list = {.n = 0};
    uint32_t words = 0;
    PyObject *mro = type->tp_mro;
    for (Py_ssize_t i = 0; mro != NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        Py_ssize_t pos = 0;
        PyObject *value;
        while (base->tp_flags & Py_TPFLAGS_HEAPTYPE && words < MOST_WORDS
               && PyDict_Next(base->tp_dict, &pos, NULL, &value)) {
            if (!PyFunction_Check(value)) {
                continue;
            }
            const PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)value)->func_code);
            if (code->ob.co_argcount > 0) {
                words += code->ninstr;
                add_names_set(&list, code);
            }
        }
    }
    return list.n;
}

#define BEFORE_INSTANCE (2 * sizeof(void *) + sizeof(PyGC_Head))

/* The memory of an instance with its values and their order: whole words of 16 bytes. */
static inline size_t
size_with_room(const PyTypeObject *type, size_t room)
{
    return _Py_SIZE_ROUND_UP(BEFORE_INSTANCE + (size_t)type->tp_basicsize
                             + room * (sizeof(PyObject *) + 1), 2 * sizeof(void *));
}

/* For the next instance of a type: how many attributes it has room for. */
static size_t
next_room(PyTypeObject *type)
{
    _PySharedKeys *shared = _PyInstance_SharedKeys(type);
    if (shared == NULL) {
        if ((shared = need_keys(type)) == NULL) {
            return FIRST_ROOM;
        }
        shared->expected = (uint8_t)attributes_expected(type);
    }
    size_t room = _PyInstance_KnownRoom(shared);
    int is_early = shared->early < EARLY_INSTANCES;
    if (is_early) {
        shared->early++;
        room = Py_MAX(room, Py_MIN((size_t)shared->expected + 1, _PyInstance_MAX_SHARED));
    }
    room = shared->count == 0 ? Py_MAX(room, FIRST_ROOM) : room;
    if (!is_early && size_with_room(type, room) <= UINT16_MAX) {
        shared->ready_room = (uint8_t)room;
        shared->ready_size = (uint16_t)size_with_room(type, room);
    }
    return room;
}

static inline PyObject *
new_instance(PyTypeObject *type, size_t size, size_t room)
{
    assert(type->tp_flags & Py_TPFLAGS_MANAGED_DICT && type->tp_itemsize == 0);
    char *memory = PyObject_Malloc(size);
    if (memory == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *op = (PyObject *)(memory + BEFORE_INSTANCE);
    *_PyInstance_Header(op) = (_PyInstanceHeader){.capacity = (uint8_t)room, .room = (uint8_t)room};
    *_PyInstance_DictSlot(op) = NULL;
    /* By words of 16 bytes, the last of which may reach into the order. A call of memset(), as this
       loop would become without volatile, takes longer. */
    typedef uint64_t words __attribute__((vector_size(16)));
    char *end = (char *)op + type->tp_basicsize + room * sizeof(PyObject *);
    for (char *at = (char *)op + sizeof(PyObject); at < end; at += sizeof(words)) {
        *(volatile words *)at = (words){0};
    }
    _PyObject_GC_Link(op);
    _PyObject_InitNew(op, type);
    _PyObject_GC_TRACK(op);
    return op;
}

static __attribute__((noinline)) PyObject *
new_instance_unsettled(PyTypeObject *type)
{
    size_t room = next_room(type);
    return new_instance(type, size_with_room(type, room), room);
}

PyObject *
_PyInstance_Alloc(PyTypeObject *type)
{
    const _PySharedKeys *shared = _PyInstance_SharedKeys(type);
    if (__builtin_expect(shared == NULL || shared->ready_room == 0, 0)) {
        return new_instance_unsettled(type);
    }
    return new_instance(type, shared->ready_size, shared->ready_room);
}

int
_PyInstance_StoreNewSlow(PyObject *op, Py_ssize_t index, PyObject *value)
{
    _PyInstance_NoteNew(op, index);
    _PyInstance_Values(op)[index] = value;
    return 1;
}

static void
delete_inline(PyObject *op, Py_ssize_t index)
{
    _PyInstanceHeader *header = _PyInstance_Header(op);
    uint8_t *order = _PyInstance_Order(op);
    uint8_t *place = memchr(order, (int)index, header->used);
    assert(place != NULL);
    memmove(place, place + 1, (size_t)(order + header->used - place - 1));
    header->used--;
    PyObject **slot = _PyInstance_Values(op) + index;
    PyObject *old = *slot;
    *slot = NULL;
    Py_DECREF(old);
}

/* ------------------------------------------------------------ materialising */

static PyObject *
make_dict(PyObject *op)
{
    _PyInstanceHeader *header = _PyInstance_Header(op);
    const _PySharedKeys *shared = _PyInstance_SharedKeys(Py_TYPE(op));
    PyObject **values = _PyInstance_Values(op);
    const uint8_t *order = _PyInstance_Order(op);
    PyObject *names[_PyInstance_MAX_SHARED];
    PyObject *ordered[_PyInstance_MAX_SHARED];
    int n = header->capacity != 0 ? header->used : 0;
    for (int i = 0; i < n; i++) {
        names[i] = shared->names[order[i]];
        ordered[i] = values[order[i]];
    }
    return _PyDict_FromItems(names, 1, ordered, 1, n);
}

static inline void
drop_fields(PyObject **place, PyObject *const *end)
{
    for (; place < end; place++) {
        PyObject *value = *place;
        *place = NULL;
        _PyFloat_XDECREF(value);
    }
}

/* Drops the values. From now on nothing reads them. */
static void
drop_values(PyObject *op)
{
    _PyInstanceHeader *header = _PyInstance_Header(op);
    PyObject **values = _PyInstance_Values(op);
    int n = header->used != 0 ? header->capacity : 0;
    header->capacity = 0;
    header->used = 0;
    drop_fields(values, values + n);
}

/* Returns the dictionary, made if necessary: borrowed, or NULL with an exception. */
static PyObject *
materialised(PyObject *op)
{
    PyObject **slot = _PyInstance_DictSlot(op);
    if (*slot == NULL) {
        PyObject *dict = make_dict(op);
        if (dict == NULL) {
            return NULL;
        }
        *slot = dict;
        /* The dictionary has references to every value, so nothing is destroyed here. */
        drop_values(op);
    }
    return *slot;
}

int
_PyInstance_Materialise(PyObject *op)
{
    return _PyInstance_Header(op)->capacity != 0 && materialised(op) == NULL
        ? -1 : 0;
}

PyObject *
_PyInstance_GetDict(PyObject *op)
{
    return Py_XNewRef(materialised(op));
}

int
_PyInstance_SetDict(PyObject *op, PyObject *dict)
{
    PyObject **slot = _PyInstance_DictSlot(op);
    PyObject *old = *slot;
    *slot = Py_XNewRef(dict);
    drop_values(op);
    Py_XDECREF(old);
    return 0;
}

int
_PyInstance_HasAttrs(PyObject *op)
{
    _PyInstanceHeader *header = _PyInstance_Header(op);
    PyObject *dict = *_PyInstance_DictSlot(op);
    return header->capacity != 0 ? header->used != 0
        : dict != NULL && PyDict_GET_SIZE(dict) != 0;
}

/* --------------------------------------------------------- get, set, delete */

static inline int
has_known_hash(PyObject *name)
{
    return _PyUnicode_CachedHash(name) != -1 || PyObject_Hash(name) != -1;
}

PyObject *
_PyInstance_GetAttr(PyObject *op, PyObject *name)
{
    Py_ssize_t capacity = _PyInstance_Header(op)->capacity;
    if (capacity == 0) {
        PyObject *dict = *_PyInstance_DictSlot(op);
        return dict == NULL ? NULL
            : Py_XNewRef(PyDict_GetItemWithError(dict, name));
    }
    if (!has_known_hash(name)) {
        return NULL;
    }
    Py_ssize_t index;
    if (PyUnicode_CheckExact(name)) {
        index = index_of(_PyInstance_SharedKeys(Py_TYPE(op)), name);
    }
    else {
        /* A subclass of str may define its own equality. */
        PyObject *dict = materialised(op);
        return dict == NULL ? NULL
            : Py_XNewRef(PyDict_GetItemWithError(dict, name));
    }
    return index < 0 || index >= capacity ? NULL
        : Py_XNewRef(_PyInstance_Values(op)[index]);
}

static int
store_in_dict(PyObject *op, PyObject *name, PyObject *value)
{
    PyObject *dict = materialised(op);
    if (dict == NULL) {
        return -1;
    }
    Py_INCREF(dict);
    int result;
    if (value != NULL) {
        result = PyDict_SetItem(dict, name, value);
    }
    else {
        result = PyDict_Contains(dict, name);
        if (result >= 0) {
            result = result == 0 ? 1 : PyDict_DelItem(dict, name);
        }
    }
    Py_DECREF(dict);
    return result;
}

int
_PyInstance_StoreAttr(PyObject *op, PyObject *name, PyObject *value)
{
    Py_ssize_t capacity = _PyInstance_Header(op)->capacity;
    if (capacity == 0 || !PyUnicode_CheckExact(name)) {
        return store_in_dict(op, name, value);
    }
    if (!has_known_hash(name)) {
        return -1;
    }
    PyTypeObject *type = Py_TYPE(op);
    Py_ssize_t index = index_of(_PyInstance_SharedKeys(type), name);
    if (value == NULL) {
        if (index < 0 || index >= capacity
            || _PyInstance_Values(op)[index] == NULL) {
            return 1;
        }
        delete_inline(op, index);
        return 0;
    }
    if (index < 0) {
        index = add_key(type, name);
    }
    if (index < 0 || index >= capacity) {
        return store_in_dict(op, name, value);
    }
    _PyInstance_StoreInline(op, index, Py_NewRef(value));
    return 0;
}

/* --------------------------------------------------------------- collection */

/* A destructor of an attribute that looks at the instance finds no attributes. */
void
_PyInstance_Clear(PyObject *op)
{
    drop_values(op);
    Py_CLEAR(*_PyInstance_DictSlot(op));
}

/* How many slots a class has with its bases; -1: it has other members, or not each class's side by
   side behind its base. */
static Py_ssize_t
count_slots(PyTypeObject *type)
{
    Py_ssize_t n = 0;
    for (PyTypeObject *t = type; t != &PyBaseObject_Type; t = t->tp_base) {
        Py_ssize_t place = t->tp_base->tp_basicsize;
        const PyMemberDef *member = _PyType_SlotMembers(t);
        for (Py_ssize_t i = Py_SIZE(t); i > 0; i--, member++) {
            if (member->type != T_OBJECT_EX || member->flags & READONLY
                || member->offset != place) {
                return -1;
            }
            place += sizeof(PyObject *);
            n++;
        }
    }
    return n;
}

void
_PyInstance_NoteIfPlain(PyTypeObject *type)
{
    Py_ssize_t slots = count_slots(type);
    Py_ssize_t fields = (type->tp_basicsize - (Py_ssize_t)sizeof(PyObject))
                        / (Py_ssize_t)sizeof(PyObject *);
    int is_plain = type->tp_flags & Py_TPFLAGS_MANAGED_DICT
                   ? slots == 0
                   : type->tp_dictoffset == 0 && fields == slots + (type->tp_weaklistoffset > 0);
    _PySharedKeys *shared = is_plain ? need_keys(type) : NULL;
    if (shared != NULL) {
        shared->plain_version = type->tp_version_tag;
    }
}

static inline void
free_untracked(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    _PyObject_GC_Unlink();
    PyObject_Free((char *)op - sizeof(PyGC_Head) - _PyInstance_PreHeaderSize(type));
    Py_DECREF(type);
}

void
_PyInstance_DeallocPlain(PyObject *op)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    if (!_PyTrash_Enter(tstate, op)) {
        return;
    }
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        _PyInstance_Clear(op);
    }
    else {
        for (PyTypeObject *cls = type; cls != &PyBaseObject_Type;) {
            PyObject **end, **slots = _PyInstance_PlainFields(op, &cls, &end);
            drop_fields(slots, end);
        }
    }
    free_untracked(op);
    _PyTrash_Leave(tstate);
}

void
_PyInstance_FreeEmptied(PyObject *op)
{
    assert(!(Py_TYPE(op)->tp_flags & Py_TPFLAGS_MANAGED_DICT)
           || *_PyInstance_DictSlot(op) == NULL);
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    free_untracked(op);
}

void
_PyInstance_ForgetDropped(PyObject *op)
{
    if (!(Py_TYPE(op)->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        return;
    }
    _PyInstanceHeader *header = _PyInstance_Header(op);
    uint8_t *order = _PyInstance_Order(op);
    uint8_t used = 0;
    for (uint8_t i = 0; i < header->used; i++) {
        if (_PyInstance_Values(op)[order[i]] != NULL) {
            order[used++] = order[i];
        }
    }
    header->used = used;
}
