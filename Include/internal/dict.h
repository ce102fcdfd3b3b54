/* The dict's table, for code that looks inside: the VM and Objects/dict/.

   A dict owns one keys object. It holds the entries, in the order of
   insertion, and after them an index: an open-addressing table of 2**log2_size
   slots, each the position of an entry or a negative mark (DICT_EMPTY,
   DICT_DELETED). Slots have 1, 2 or 4 bytes; the bits that a position leaves
   free hold bits of the key's hash, so that most wrong entries are passed over
   without a look at them.

   Invariants:
   - a deleted entry has a NULL key and a NULL value; it stays in its place
     until the table is rebuilt;
   - `nentries` counts entries, deleted ones too; all those before `first` are
     deleted. `usable` is how many more may be added before the table must be
     rebuilt: empty slots are never fewer than a third, so that a search ends;
   - the entries of a `DICT_KEYS_UNICODE` table have exact, ready str keys whose
     hash is known, and no stored hash; all others have one;
   - `version` is 0, or a number that no other dict has had. It is reset when a key goes or
     moves whose place an inline cache may have remembered (_PyDictKeys_VersionFor()), and when one
     comes that one may rely on being missing (_PyDict_NoteMissing()); other keys and changes of
     value keep it. Only tables of strs have one. So while keys->version is the number that an
     inline cache remembers, the entry at the remembered position has the same key, and a value;
   - keys objects are never shared. An empty dict may point to
     _PyDict_EmptyKeys, which is permanent and never written;
   - ma_values is NULL: tables are not split. Attributes of instances live
     elsewhere (internal/instance_attrs.h). */
#ifndef SB_INTERNAL_DICT_H
#define SB_INTERNAL_DICT_H

#include "Python.h"
#include <stdint.h>

typedef struct {
    PyObject *key;
    PyObject *value;
} _PyDictUnicodeEntry;

typedef struct {
    PyObject *key;
    PyObject *value;
    Py_hash_t hash;
} _PyDictEntry;

enum { DICT_KEYS_GENERAL = 0, DICT_KEYS_UNICODE = 1 };

#define DICT_EMPTY   (-1)
#define DICT_DELETED (-2)

struct _dictkeysobject {
    uint32_t version;
    uint8_t log2_size;          /* of the index, in slots */
    uint8_t log2_width;         /* of a slot, in bytes: 0, 1, 2 */
    uint8_t kind;               /* DICT_KEYS_… */
    uint8_t fronted;            /* an entry has been moved to the front: the last position
                                   need not be the last insertion */
    int32_t usable;
    int32_t nentries;
    int32_t first;
    int32_t capacity;           /* in entries */
    void *index;                /* inside this block, after the entries */
    /* entries follow */
};

extern struct _dictkeysobject *const _PyDict_EmptyKeys;

static inline _PyDictUnicodeEntry *
_PyDictKeys_UnicodeEntries(const struct _dictkeysobject *keys)
{
    return (_PyDictUnicodeEntry *)(keys + 1);
}

static inline _PyDictEntry *
_PyDictKeys_Entries(const struct _dictkeysobject *keys)
{
    return (_PyDictEntry *)(keys + 1);
}

/* Where the value at a position is stored. */
static inline PyObject **
_PyDictKeys_ValueSlot(const struct _dictkeysobject *keys, Py_ssize_t pos)
{
    return keys->kind == DICT_KEYS_UNICODE
        ? &_PyDictKeys_UnicodeEntries(keys)[pos].value
        : &_PyDictKeys_Entries(keys)[pos].value;
}

static inline PyObject *
_PyDictKeys_KeyAt(const struct _dictkeysobject *keys, Py_ssize_t pos)
{
    return keys->kind == DICT_KEYS_UNICODE
        ? _PyDictKeys_UnicodeEntries(keys)[pos].key
        : _PyDictKeys_Entries(keys)[pos].key;
}

/* PyDict_Next() of what is known to be a dict, inline: borrowed references. */
static inline int
_PyDict_NextInline(PyDictObject *dict, Py_ssize_t *pos, PyObject **key, PyObject **value)
{
    const struct _dictkeysobject *keys = dict->ma_keys;
    for (Py_ssize_t i = Py_MAX(*pos, keys->first); i < keys->nentries; i++) {
        if ((*value = *_PyDictKeys_ValueSlot(keys, i)) != NULL) {
            *key = _PyDictKeys_KeyAt(keys, i);
            *pos = i + 1;
            return 1;
        }
    }
    return 0;
}

/* --------------------------------------------------------------- for the VM */

/* A non-zero version of the keys, or 0 when there are no numbers left. */
uint32_t _PyDictKeys_NewVersion(PyDictObject *dict);

static inline uint32_t
_PyDictKeys_GetVersion(PyDictObject *dict)
{
    uint32_t version = dict->ma_keys->version;
    return version != 0 ? version : _PyDictKeys_NewVersion(dict);
}

/* The same for a cache that remembers the entry at `pos`, of a table of strs: 0 also if its key is
   one of those that have been deleted lately, somewhere, and are not remembered. */
uint32_t _PyDictKeys_VersionFor(PyDictObject *dict, Py_ssize_t pos);

/* Makes room for at least n more strs, if no entry changes its position by that: somebody may be
   iterating. Does nothing if there is no memory. */
void _PyDict_ReserveInPlace(PyDictObject *dict, Py_ssize_t n);

/* From now on, adding this key (an exact str) to any dict resets the version of its keys. */
void _PyDict_NoteMissing(PyObject *name);

/* The position of an exact str, or -1, without running Python code and
   without an exception. Only for tables with kind DICT_KEYS_UNICODE (-1 for
   any other). */
Py_ssize_t _PyDict_IndexOfStr(PyDictObject *dict, PyObject *name);

/* Guarded read: borrowed value at `pos` when the keys still have `version`
   (remembered when pos was found), else NULL. The dict must have been
   DICT_KEYS_UNICODE when pos was found: then it still is. */
static inline PyObject *
_PyDict_CachedValue(PyDictObject *dict, uint32_t version, Py_ssize_t pos)
{
    struct _dictkeysobject *keys = dict->ma_keys;
    return keys->version == version
        ? _PyDictKeys_UnicodeEntries(keys)[pos].value : NULL;
}

extern uint64_t _PyDict_version_counter;

/* Guarded write under the same conditions: 1 when done (steals value),
   0 when the guard fails (value untouched). */
int _PyDict_StoreCachedSlow(PyDictObject *dict, Py_ssize_t pos,
                            PyObject *value);

static inline int
_PyDict_StoreCached(PyDictObject *dict, uint32_t version, Py_ssize_t pos,
                    PyObject *value)
{
    return dict->ma_keys->version == version
        && _PyDict_StoreCachedSlow(dict, pos, value);
}

/* ----------------------------------------------- the first step of a search */

/* Inline, because most searches end there.

   The position that it leads to, or the mark: DICT_EMPTY says that no key has
   this hash. */
static inline Py_ssize_t
_PyDictKeys_FirstPosition(const struct _dictkeysobject *keys, Py_hash_t hash)
{
    size_t mask = ((size_t)1 << keys->log2_size) - 1;
    size_t at = (size_t)hash & mask;
    Py_ssize_t slot;
    switch (keys->log2_width) {
    case 0: slot = ((const int8_t *)keys->index)[at]; break;
    case 1: slot = ((const int16_t *)keys->index)[at]; break;
    default: slot = ((const int32_t *)keys->index)[at]; break;
    }
    return slot < 0 ? slot : (Py_ssize_t)((size_t)slot & mask);
}

/* Where the value of an exact str is; NULL when one step does not tell. */
static inline PyObject **
_PyDict_PeekStr(PyDictObject *dict, PyObject *key)
{
    struct _dictkeysobject *keys = dict->ma_keys;
    if (keys->kind != DICT_KEYS_UNICODE) {
        return NULL;
    }
    Py_ssize_t pos =
        _PyDictKeys_FirstPosition(keys, ((PyASCIIObject *)key)->hash);
    if (pos < 0) {
        return NULL;
    }
    _PyDictUnicodeEntry *entry = _PyDictKeys_UnicodeEntries(keys) + pos;
    return entry->key == key ? &entry->value : NULL;
}

/* The same for an int with this value. Its hash is the value itself, and
   another int with such a hash has more bits. */
static inline PyObject **
_PyDict_PeekInt(PyDictObject *dict, int64_t value)
{
    struct _dictkeysobject *keys = dict->ma_keys;
    if (keys->kind != DICT_KEYS_GENERAL || value < 0 || value >> 60 != 0) {
        return NULL;
    }
    Py_ssize_t pos = _PyDictKeys_FirstPosition(keys, value);
    if (pos < 0) {
        return NULL;
    }
    _PyDictEntry *entry = _PyDictKeys_Entries(keys) + pos;
    return entry->hash == value && Py_IS_TYPE(entry->key, &PyLong_Type)
           && (size_t)Py_SIZE(entry->key) <= 2 ? &entry->value : NULL;
}

/* Is the key of a known hash in the dict? 1 when `at`, from one of the functions
   above, points to its value; 0 when there cannot be one; -1: search. */
static inline int
_PyDict_PeekContains(PyDictObject *dict, PyObject **at, Py_hash_t hash)
{
    if (at != NULL) {
        return 1;
    }
    return hash != -1 && _PyDictKeys_FirstPosition(dict->ma_keys, hash)
                         == DICT_EMPTY ? 0 : -1;
}

/* Replaces the value that one of these functions has pointed to. Steals `value`. */
void _PyDict_ReplaceAt(PyDictObject *dict, PyObject **at, PyObject *value);

/* The same. Returns the old value, whose reference becomes the caller's. */
PyObject *_PyDict_ExchangeAt(PyDictObject *dict, PyObject **at, PyObject *value);

/* Is the key in the dict, and where is its value? 1, 0, or -1 when the methods of keys have to
   decide. Runs no Python code, sets no exception. */
int _PyDict_FindHashed(PyDictObject *dict, PyObject *key, Py_hash_t hash, PyObject ***at);

/* The same for an exact str. */
int _PyDict_FindStr(PyDictObject *dict, PyObject *key, Py_hash_t hash, PyObject ***at);

/* dict[key] = value if that runs no code. Returns 1, and steals key and value; *old is a new
   reference to the value that was there, or NULL. 0: the methods of keys have to decide; -1: with
   an exception. */
int _PyDict_StoreQuietly(PyDictObject *dict, PyObject *key, Py_hash_t hash, PyObject *value,
                         PyObject **old);

/* Adds a key that is known not to be there. Steals key and value if it returns 0; -1 with
   MemoryError. */
int _PyDict_AddAbsent(PyDictObject *dict, PyObject *key, Py_hash_t hash, PyObject *value);

/* dict[key] = dict.get(key, 0) + 1, if that runs no code and the value is a short int. Returns 1;
   0: nothing has been done; -1: with an exception. */
int _PyDict_CountUp(PyDictObject *dict, PyObject *key, Py_hash_t hash);
/* The same for a key that is there, with its value at this place. */
int _PyDict_CountUpAt(PyDictObject *dict, PyObject **at);

/* dict[key] for exact dicts. Returns a new reference; NULL without an exception when
   missing, with one when hashing or comparing failed. */
PyObject *_PyDict_GetNew(PyDictObject *dict, PyObject *key);
/* As PyDict_SetItem. Steals key and value. */
int _PyDict_SetItemSteal(PyDictObject *dict, PyObject *key, PyObject *value);

/* A dict of n key/value pairs, which are borrowed and `stride` words apart. Returns a new
   reference. */
PyObject *_PyDict_FromItems(PyObject *const *keys, Py_ssize_t key_stride,
                            PyObject *const *values, Py_ssize_t value_stride,
                            Py_ssize_t n);

/* ----------------------------------------------------- for other containers */

/* The table's search: the entry's position and *value (borrowed), or
   DICT_EMPTY; -3 with an exception. *value is NULL unless found. */
Py_ssize_t _PyDict_Lookup(PyDictObject *dict, PyObject *key, Py_hash_t hash,
                          PyObject **value);
/* As PyDict_SetItem with the hash known; references are borrowed. */
int _PyDict_Insert(PyDictObject *dict, PyObject *key, Py_hash_t hash,
                   PyObject *value);
/* The views and iterators of dict and OrderedDict share these. */
PyObject *_PyDictView_New(PyObject *dict, PyTypeObject *type);
PyObject *_PyDict_FromKeys(PyObject *cls, PyObject *iterable, PyObject *value);
/* Must a container that holds op be tracked by the collector? Not if op can never be part
   of a cycle. */
static inline int
_PyObject_MayBeTracked(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC)) {
        return 0;
    }
    if (type->tp_is_gc != NULL && !type->tp_is_gc(op)) {
        return 0;
    }
    return !Py_IS_TYPE(op, &PyTuple_Type) || ((uintptr_t *)op)[-2] != 0;
}

/* Start-up: before the first dict. No type need be ready. */
int _PyDict_Init(void);

#endif
