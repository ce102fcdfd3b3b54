/* The table of a dict: memory, search, insertion, deletion, rebuilding.

   A search starts at the slot given by the low bits of the hash: keys that count
   upwards get neighbouring slots and never collide. If that slot belongs to another
   key, the search jumps to the slot given by the top bits of the hash times an odd
   constant, and continues from there in steps of 1, 2, 3…, which visits every slot of a
   table whose size is a power of two. So the first jump separates keys that agree in
   their low bits. Other bits of the product are stored in the slot, so that most other
   keys are rejected there.

   An insertion takes the empty slot where its search ended. Slots of deleted entries
   are not reused before the table is rebuilt, so that at least a third of the slots are
   always empty. The slot of the newest entry is an exception: it becomes empty again
   when that entry is deleted. No search for an older key has passed this slot, or that
   key would have taken it. So adding a key and deleting it soon afterwards leaves no
   deleted slot behind. */
#include "private.h"
#include "versions.h"
#include "internal/compare.h"
#include "internal/gcstate.h"
#include "internal/pystate.h"
#include "internal/trashcan.h"

/* ------------------------------------------------------------------- memory */

static struct {
    Keys keys;
    int8_t slot;
} empty_keys = {
    .keys = {
        .log2_size = 0, .log2_width = 0, .kind = DICT_KEYS_UNICODE,
        .usable = 0, .nentries = 0, .index = &empty_keys.slot,
    },
    .slot = DICT_EMPTY,
};

Keys *const _PyDict_EmptyKeys = &empty_keys.keys;

#define FREE_LIST_MAX 128

/* The smallest tables, by kind, and dict objects, kept for reuse. Linked by their first
   word. */
static void *free_keys[2];
static int free_keys_count[2];
static PyDictObject *free_dicts;
static int free_dicts_count;

static size_t
entry_size(int kind)
{
    return kind == DICT_KEYS_UNICODE ? sizeof(_PyDictUnicodeEntry)
                                     : sizeof(_PyDictEntry);
}

static size_t
block_size(int log2_size, int log2_width, int kind)
{
    return sizeof(Keys) + (size_t)keys_capacity(log2_size) * entry_size(kind)
        + ((size_t)1 << (log2_size + log2_width));
}

/* A block for a table of so many slots, whose header and index are not filled in yet. NULL with
   MemoryError. */
static inline Keys *
new_block(int log2_size, int width, int kind)
{
    Keys *keys;
    if (log2_size == DICT_MIN_LOG2 && free_keys[kind] != NULL) {
        keys = free_keys[kind];
        free_keys[kind] = *(void **)keys;
        free_keys_count[kind]--;
        return keys;
    }
    keys = PyMem_Malloc(block_size(log2_size, width, kind));
    if (keys == NULL) {
        PyErr_NoMemory();
    }
    return keys;
}

static inline void *
index_behind(Keys *keys, int log2_size, int kind)
{
    return (char *)(keys + 1) + (size_t)keys_capacity(log2_size) * entry_size(kind);
}

/* Returns NULL with MemoryError. */
static Keys *
new_keys(int log2_size, int kind)
{
    assert(log2_size >= DICT_MIN_LOG2);
    if (log2_size > DICT_MAX_LOG2) {
        PyErr_NoMemory();
        return NULL;
    }
    /* Positions are below the capacity, which is two thirds of the slots. */
    int width = log2_size <= 7 ? 0 : log2_size <= 15 ? 1 : 2;
    Keys *keys = new_block(log2_size, width, kind);
    if (keys == NULL) {
        return NULL;
    }
    keys->version = 0;
    keys->log2_size = (uint8_t)log2_size;
    keys->log2_width = (uint8_t)width;
    keys->kind = (uint8_t)kind;
    keys->fronted = 0;
    keys->capacity = (int32_t)keys_capacity(log2_size);
    keys->usable = keys->capacity;
    keys->nentries = 0;
    keys->first = 0;
    keys->index = index_behind(keys, log2_size, kind);
    if (log2_size == DICT_MIN_LOG2) {
        memset(keys->index, 0xff, 1 << DICT_MIN_LOG2);      /* one store */
    }
    else {
        memset(keys->index, 0xff, (size_t)1 << (log2_size + width));
    }
    return keys;
}

static void
release_block(Keys *keys)
{
    if (keys == _PyDict_EmptyKeys) {
        return;
    }
    int kind = keys->kind;
    if (keys->log2_size == DICT_MIN_LOG2
        && free_keys_count[kind] < FREE_LIST_MAX) {
        *(void **)keys = free_keys[kind];
        free_keys[kind] = keys;
        free_keys_count[kind]++;
        return;
    }
    PyMem_Free(keys);
}

/* Drops the references of a table to which no dict points any more. */
void
_PyDictKeys_Free(Keys *keys)
{
    Py_ssize_t n = keys->nentries;
    if (keys->kind == DICT_KEYS_UNICODE) {
        _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys);
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_XDECREF(e[i].key);
            Py_XDECREF(e[i].value);
        }
    }
    else {
        _PyDictEntry *e = _PyDictKeys_Entries(keys);
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_XDECREF(e[i].key);
            Py_XDECREF(e[i].value);
        }
    }
    release_block(keys);
}

/* Returns an untracked dict without a table. */
PyObject *
_PyDict_Alloc(void)
{
    PyDictObject *mp = free_dicts;
    if (mp != NULL) {
        free_dicts = (PyDictObject *)mp->ma_keys;
        free_dicts_count--;
        mp->ma_used = 0;
        mp->ma_keys = _PyDict_EmptyKeys;
        _Py_NewReference((PyObject *)mp);
        _PyObject_GC_Reuse((PyObject *)mp);
    }
    else {
        mp = PyObject_GC_New(PyDictObject, &PyDict_Type);
        if (mp == NULL) {
            return NULL;
        }
        mp->ma_used = 0;
        mp->ma_keys = _PyDict_EmptyKeys;
        mp->ma_values = NULL;
    }
    dict_touch(mp);
    return (PyObject *)mp;
}

/* tp_dealloc of dict. */
void
_PyDict_Release(PyDictObject *mp)
{
    PyObject *op = (PyObject *)mp;
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    int exact = Py_IS_TYPE(op, &PyDict_Type);
    PyThreadState *tstate = NULL;
    if (mp->ma_keys->nentries != 0
        && Py_TYPE(op)->tp_dealloc == PyDict_Type.tp_dealloc) {
        tstate = _PyThreadState_GET();
        if (!_PyTrash_Enter(tstate, op)) {
            return;
        }
    }
    Keys *keys = mp->ma_keys;
    mp->ma_keys = _PyDict_EmptyKeys;
    _PyDictKeys_Free(keys);
    if (exact && free_dicts_count < FREE_LIST_MAX) {
        mp->ma_keys = (Keys *)free_dicts;
        free_dicts = mp;
        free_dicts_count++;
    }
    else {
        Py_TYPE(op)->tp_free(op);
    }
    if (tstate != NULL) {
        _PyTrash_Leave(tstate);
    }
}

static void
clear_free_lists(void)
{
    for (int kind = 0; kind < 2; kind++) {
        while (free_keys[kind] != NULL) {
            void *next = *(void **)free_keys[kind];
            PyMem_Free(free_keys[kind]);
            free_keys[kind] = next;
        }
        free_keys_count[kind] = 0;
    }
    while (free_dicts != NULL) {
        PyDictObject *next = (PyDictObject *)free_dicts->ma_keys;
        PyObject_Free(_Py_AS_GC((PyObject *)free_dicts));
        free_dicts = next;
    }
    free_dicts_count = 0;
}

int
_PyDict_Init(void)
{
    _PyGC_RegisterClearFreeList(clear_free_lists);
    return 0;
}

/* ------------------------------------------------------------------- search */

/* Reads a slot. `width` is a constant wherever speed matters. */
static inline __attribute__((always_inline)) Py_ssize_t
slot_get(const Keys *keys, int width, size_t i)
{
    switch (width) {
    case 0:
        return ((const int8_t *)keys->index)[i];
    case 1:
        return ((const int16_t *)keys->index)[i];
    default:
        return ((const int32_t *)keys->index)[i];
    }
}

static inline __attribute__((always_inline)) void
slot_put(Keys *keys, int width, size_t i, Py_ssize_t value)
{
    switch (width) {
    case 0:
        ((int8_t *)keys->index)[i] = (int8_t)value;
        break;
    case 1:
        ((int16_t *)keys->index)[i] = (int16_t)value;
        break;
    default:
        ((int32_t *)keys->index)[i] = (int32_t)value;
    }
}

/* The state of a search: where it is, and what it looks for. A slot is `pos | tag` with
   pos <= mask; the tag uses only bits outside the mask. */
struct probe {
    size_t at;
    size_t step;
    size_t mix;                 /* the mixed hash */
    size_t mask;
    Py_ssize_t tag;
};

static inline __attribute__((always_inline)) struct probe
probe_start(const Keys *keys, int width, Py_hash_t hash)
{
    static const Py_ssize_t highest[] = {INT8_MAX, INT16_MAX, INT32_MAX};
    struct probe p;
    p.mask = ((size_t)1 << keys->log2_size) - 1;
    p.at = (size_t)hash & p.mask;
    p.step = 0;
    p.mix = (size_t)hash * 0x9E3779B97F4A7C15u;
    p.tag = (Py_ssize_t)(p.mix >> 24) & highest[width]
        & ~(Py_ssize_t)p.mask;
    return p;
}

static inline __attribute__((always_inline)) void
probe_next(struct probe *p, const Keys *keys)
{
    if (p->step == 0) {
        p->at = p->mix >> (64 - keys->log2_size);
    }
    else {
        p->at = (p->at + p->step) & p->mask;
    }
    p->step++;
}

/* Enters a position for a hash that is not in the index yet. */
static inline __attribute__((always_inline)) void
index_add(Keys *keys, int width, Py_hash_t hash, Py_ssize_t pos)
{
    struct probe p = probe_start(keys, width, hash);
    while (slot_get(keys, width, p.at) != DICT_EMPTY) {
        probe_next(&p, keys);
    }
    slot_put(keys, width, p.at, pos | p.tag);
}

static void
index_put(Keys *keys, Py_hash_t hash, Py_ssize_t pos)
{
    switch (keys->log2_width) {
    case 0:
        index_add(keys, 0, hash, pos);
        break;
    case 1:
        index_add(keys, 1, hash, pos);
        break;
    default:
        index_add(keys, 2, hash, pos);
    }
}

/* Where the slot of an entry is, which must exist. */
static size_t
slot_of_entry(const Keys *keys, Py_hash_t hash, Py_ssize_t pos)
{
    int width = keys->log2_width;
    struct probe p = probe_start(keys, width, hash);
    while (slot_get(keys, width, p.at) != (pos | p.tag)) {
        probe_next(&p, keys);
    }
    return p.at;
}

/* _PyUnicode_FastEq() of two strs that have one hash, and so are most probably equal: to compare
   a few letters, memcmp() takes long. */
static __attribute__((noinline)) int
is_same_text(PyObject *a, PyObject *b)
{
    const PyASCIIObject *x = (PyASCIIObject *)a, *y = (PyASCIIObject *)b;
    size_t n = (size_t)x->length;
    if (!x->state.ascii || !y->state.ascii || !x->state.compact || !y->state.compact
        || x->length != y->length || n > sizeof(uint64_t) || n < sizeof(uint16_t)) {
        return _PyUnicode_FastEq(a, b);
    }
    const char *p = (const char *)(x + 1), *q = (const char *)(y + 1);
    if (n < sizeof(uint32_t)) {         /* the last two overlap the first */
        uint16_t p0, q0, p1, q1;
        memcpy(&p0, p, sizeof(p0));
        memcpy(&q0, q, sizeof(q0));
        memcpy(&p1, p + n - sizeof(p1), sizeof(p1));
        memcpy(&q1, q + n - sizeof(q1), sizeof(q1));
        return p0 == q0 && p1 == q1;
    }
    uint32_t p0, q0, p1, q1;
    memcpy(&p0, p, sizeof(p0));
    memcpy(&q0, q, sizeof(q0));
    memcpy(&p1, p + n - sizeof(p1), sizeof(p1));
    memcpy(&q1, q + n - sizeof(q1), sizeof(q1));
    return p0 == q0 && p1 == q1;
}

/* Finds an exact str in a table of exact strs. *end is where the search ended. */
static inline __attribute__((always_inline)) Py_ssize_t
find_str_width(const Keys *keys, int width, PyObject *key, Py_hash_t hash, struct probe *end)
{
    const _PyDictUnicodeEntry *entries = _PyDictKeys_UnicodeEntries(keys);
    struct probe p = probe_start(keys, width, hash);
    for (;;) {
        Py_ssize_t slot = slot_get(keys, width, p.at);
        if ((slot & ~(Py_ssize_t)p.mask) == p.tag) {
            Py_ssize_t pos = slot & (Py_ssize_t)p.mask;
            PyObject *other = entries[pos].key;
            if (other == key
                || (_PyUnicode_CachedHash(other) == hash && is_same_text(other, key))) {
                *end = p;
                return pos;
            }
        }
        else if (slot == DICT_EMPTY) {
            *end = p;
            return DICT_EMPTY;
        }
        probe_next(&p, keys);
    }
}

static Py_ssize_t
find_str(const Keys *keys, PyObject *key, Py_hash_t hash)
{
    struct probe end;
    switch (keys->log2_width) {
    case 0:
        return find_str_width(keys, 0, key, hash, &end);
    case 1:
        return find_str_width(keys, 1, key, hash, &end);
    default:
        return find_str_width(keys, 2, key, hash, &end);
    }
}

/* Finds a key in a table with stored hashes. Returns DICT_DELETED if __eq__ has to be
   called on the key at *candidate; the caller then continues from *p. */
static inline __attribute__((always_inline)) Py_ssize_t
find_general_width(const Keys *keys, int width, PyObject *key,
                   Py_hash_t hash, struct probe *p, Py_ssize_t *candidate)
{
    const _PyDictEntry *entries = _PyDictKeys_Entries(keys);
    for (;;) {
        Py_ssize_t slot = slot_get(keys, width, p->at);
        if ((slot & ~(Py_ssize_t)p->mask) == p->tag) {
            Py_ssize_t pos = slot & (Py_ssize_t)p->mask;
            const _PyDictEntry *e = &entries[pos];
            if (e->key == key) {
                return pos;
            }
            if (e->hash == hash) {
                int equal = _PyObject_SameKeys(e->key, key);
                if (equal > 0) {
                    return pos;
                }
                if (equal < 0) {
                    *candidate = pos;
                    return DICT_DELETED;
                }
            }
        }
        else if (slot == DICT_EMPTY) {
            return DICT_EMPTY;
        }
        probe_next(p, keys);
    }
}

/* Finds a key that is no exact str, and may have its own __eq__, in a table of strs. */
static Py_ssize_t
find_in_strs(const Keys *keys, PyObject *key, Py_hash_t hash, struct probe *p,
             Py_ssize_t *candidate)
{
    const _PyDictUnicodeEntry *entries = _PyDictKeys_UnicodeEntries(keys);
    for (;;) {
        Py_ssize_t slot = slot_get(keys, keys->log2_width, p->at);
        if ((slot & ~(Py_ssize_t)p->mask) == p->tag) {
            Py_ssize_t pos = slot & (Py_ssize_t)p->mask;
            if (_PyUnicode_CachedHash(entries[pos].key) == hash) {
                int equal = _PyObject_QuickEqual(entries[pos].key, key);
                if (equal > 0) {
                    return pos;
                }
                if (equal < 0) {
                    *candidate = pos;
                    return DICT_DELETED;
                }
            }
        }
        else if (slot == DICT_EMPTY) {
            return DICT_EMPTY;
        }
        probe_next(p, keys);
    }
}

/* Finds a key in a table with stored hashes, or DICT_DELETED. */
static inline __attribute__((always_inline)) Py_ssize_t
peek_general(const Keys *keys, int width, PyObject *key, Py_hash_t hash)
{
    struct probe p = probe_start(keys, width, hash);
    Py_ssize_t candidate;
    return find_general_width(keys, width, key, hash, &p, &candidate);
}

/* Finds a key without running any code; DICT_DELETED if that cannot be. */
static Py_ssize_t
peek(const Keys *keys, PyObject *key, Py_hash_t hash)
{
    if (keys->kind == DICT_KEYS_UNICODE) {
        if (PyUnicode_CheckExact(key)) {
            return find_str(keys, key, hash);
        }
        struct probe p = probe_start(keys, keys->log2_width, hash);
        Py_ssize_t candidate;
        return find_in_strs(keys, key, hash, &p, &candidate);
    }
    switch (keys->log2_width) {
    case 0:
        return peek_general(keys, 0, key, hash);
    case 1:
        return peek_general(keys, 1, key, hash);
    default:
        return peek_general(keys, 2, key, hash);
    }
}

/* How often entries have moved within their table. */
static unsigned compactions;

/* Comparing keys may run Python code that changes the dict. So a match counts only if
   the table and the entry are still the same; otherwise the search starts again. */
static __attribute__((noinline)) Py_ssize_t
find_asking(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
again:;
    Keys *keys = mp->ma_keys;
    unsigned before = compactions;
    struct probe p = probe_start(keys, keys->log2_width, hash);
    for (;;) {
        Py_ssize_t candidate = DICT_EMPTY;
        Py_ssize_t pos = keys->kind == DICT_KEYS_UNICODE
            ? find_in_strs(keys, key, hash, &p, &candidate)
            : find_general_width(keys, keys->log2_width, key, hash, &p, &candidate);
        if (pos != DICT_DELETED) {
            return pos;
        }
        if (p.step > 0 && p.at == ((size_t)hash & p.mask)) {
            probe_next(&p, keys);       /* the first slot is met once more: its key was asked */
            continue;
        }
        PyObject *other = _PyDictKeys_KeyAt(keys, candidate);
        Py_INCREF(other);
        int equal = PyObject_RichCompareBool(other, key, Py_EQ);
        if (equal < 0) {
            Py_DECREF(other);
            return DICT_ERROR;
        }
        int unchanged = mp->ma_keys == keys && before == compactions
            && candidate < keys->nentries
            && _PyDictKeys_KeyAt(keys, candidate) == other;
        Py_DECREF(other);
        if (!unchanged) {
            goto again;
        }
        if (equal) {
            return candidate;
        }
        probe_next(&p, keys);
    }
}

static Py_ssize_t
find(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    Py_ssize_t pos = peek(mp->ma_keys, key, hash);
    return pos == DICT_DELETED ? find_asking(mp, key, hash) : pos;
}

Py_ssize_t
_PyDict_Lookup(PyDictObject *mp, PyObject *key, Py_hash_t hash,
               PyObject **value)
{
    Py_ssize_t pos = find(mp, key, hash);
    *value = pos >= 0 ? *_PyDictKeys_ValueSlot(mp->ma_keys, pos) : NULL;
    return pos;
}

Py_ssize_t
_PyDict_IndexOfStr(PyDictObject *mp, PyObject *name)
{
    Keys *keys = mp->ma_keys;
    if (keys->kind != DICT_KEYS_UNICODE) {
        return -1;
    }
    Py_hash_t hash = key_hash(name);
    if (hash == -1) {
        PyErr_Clear();
        return -1;
    }
    return find_str(keys, name, hash);
}

static __attribute__((noinline)) int
find_hashed_further(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    Py_ssize_t pos = peek(mp->ma_keys, key, hash);
    if (pos >= 0) {
        *at = _PyDictKeys_ValueSlot(mp->ma_keys, pos);
        return 1;
    }
    return pos == DICT_EMPTY ? 0 : -1;
}

/* Goes on with the second step of the search: the first has found another key there, or one that
   has been deleted. */
static inline __attribute__((always_inline)) int
find_general_on(Keys *keys, int width, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    struct probe p = probe_start(keys, width, hash);
    Py_ssize_t candidate;
    probe_next(&p, keys);
    Py_ssize_t pos = find_general_width(keys, width, key, hash, &p, &candidate);
    *at = &_PyDictKeys_Entries(keys)[pos].value;
    return pos >= 0 ? 1 : pos == DICT_EMPTY ? 0 : -1;
}

static __attribute__((noinline)) int
find_general_second(Keys *keys, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    switch (keys->log2_width) {
    case 0:
        return find_general_on(keys, 0, key, hash, at);
    case 1:
        return find_general_on(keys, 1, key, hash, at);
    default:
        return find_general_on(keys, 2, key, hash, at);
    }
}

static inline __attribute__((always_inline)) int
find_str_at(Keys *keys, int width, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    struct probe end;
    Py_ssize_t pos = find_str_width(keys, width, key, hash, &end);
    *at = &_PyDictKeys_UnicodeEntries(keys)[pos].value;
    return pos >= 0;
}

int
_PyDict_FindStr(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    Keys *keys = mp->ma_keys;
    if (keys->kind != DICT_KEYS_UNICODE) {
        return _PyDict_FindHashed(mp, key, hash, at);
    }
    switch (keys->log2_width) {
    case 0:
        return find_str_at(keys, 0, key, hash, at);
    case 1:
        return find_str_at(keys, 1, key, hash, at);
    default:
        return find_str_at(keys, 2, key, hash, at);
    }
}

/* Most searches end at the first position. */
static inline __attribute__((always_inline)) int
find_hashed(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    Keys *keys = mp->ma_keys;
    Py_ssize_t pos = _PyDictKeys_FirstPosition(keys, hash);
    if (pos == DICT_EMPTY) {
        return 0;
    }
    if (keys->kind == DICT_KEYS_GENERAL) {
        _PyDictEntry *e = _PyDictKeys_Entries(keys) + pos;
        if (pos >= 0 && e->hash == hash) {
            int equal = _PyObject_SameKeys(e->key, key);
            *at = &e->value;
            if (equal != 0) {
                return equal;
            }
        }
        return find_general_second(keys, key, hash, at);
    }
    if (!PyUnicode_CheckExact(key)) {
        return find_hashed_further(mp, key, hash, at);
    }
    if (pos >= 0) {
        _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys) + pos;
        if (e->key == key
            || (_PyUnicode_CachedHash(e->key) == hash && is_same_text(e->key, key))) {
            *at = &e->value;
            return 1;
        }
    }
    return _PyDict_FindStr(mp, key, hash, at);
}

int
_PyDict_FindHashed(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    return find_hashed(mp, key, hash, at);
}

/* --------------------------------------------------------------- rebuilding */

static int
log2_holding(size_t slots)
{
    int log2 = DICT_MIN_LOG2;
    while (((size_t)1 << log2) < slots) {
        log2++;
    }
    return log2;
}

/* Copies the live entries of a table from position `from` on to another, starting at `to`. Returns
   the end. */
static Py_ssize_t
move_entries(const Keys *old, Py_ssize_t from, Keys *keys, Py_ssize_t to)
{
    Py_ssize_t n = old->nentries;
    if (keys->kind == DICT_KEYS_UNICODE) {
        const _PyDictUnicodeEntry *there = _PyDictKeys_UnicodeEntries(old);
        _PyDictUnicodeEntry *entries = _PyDictKeys_UnicodeEntries(keys), *e = entries + to;
        for (Py_ssize_t i = from; i < n; i++) {
            if (there[i].value != NULL) {
                *e++ = there[i];
            }
        }
        return e - entries;
    }
    _PyDictEntry *entries = _PyDictKeys_Entries(keys), *e = entries + to;
    for (Py_ssize_t i = from; i < n; i++) {
        _PyDictEntry entry;
        if (keys_entry(old, i, &entry.key, &entry.value, &entry.hash)) {
            *e++ = entry;
        }
    }
    return e - entries;
}

static inline __attribute__((always_inline)) void
index_entries(Keys *keys, int width, Py_ssize_t from, Py_ssize_t to)
{
    for (Py_ssize_t pos = from; pos < to; pos++) {
        Py_hash_t hash = keys->kind == DICT_KEYS_UNICODE
            ? _PyUnicode_CachedHash(_PyDictKeys_UnicodeEntries(keys)[pos].key)
            : _PyDictKeys_Entries(keys)[pos].hash;
        index_add(keys, width, hash, pos);
    }
}

static void
index_all(Keys *keys, Py_ssize_t from, Py_ssize_t to)
{
    switch (keys->log2_width) {
    case 0:
        index_entries(keys, 0, from, to);
        break;
    case 1:
        index_entries(keys, 1, from, to);
        break;
    default:
        index_entries(keys, 2, from, to);
    }
}

/* The same for a table of strs from its beginning on, if entries are deleted. */
static void
index_around_holes(Keys *keys, Py_ssize_t end)
{
    const _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys);
    for (Py_ssize_t i = 0, from = 0; i <= end; i++) {
        if (i == end || e[i].value == NULL) {
            index_all(keys, from, i);
            from = i + 1;
        }
    }
}

/* A dict that is a queue, or a cache, fills its table with deleted entries again and again, and
   needs no larger one: the live ones move to the beginning. (A second table of 20 MB each few
   minutes also makes malloc keep the memory of the first.) */
static void
compact(Keys *keys)
{
    compactions++;
    Py_ssize_t end = move_entries(keys, keys->first, keys, 0);
    memset(keys->index, 0xff, (size_t)1 << (keys->log2_size + keys->log2_width));
    index_all(keys, 0, end);
    keys->nentries = (int32_t)end;
    keys->usable = keys->capacity - (int32_t)end;
    keys->first = 0;
    keys->fronted = 0;
}

/* Moves the live entries of the dict's table to a new one of `kind`, or to a general
   one if they need it, unless the old one will do. Leaves `front` entries free before them. */
static int
rebuild_behind(PyDictObject *mp, int log2_size, int kind, Py_ssize_t front)
{
    Keys *old = mp->ma_keys;
    if (old->kind == DICT_KEYS_GENERAL) {
        kind = DICT_KEYS_GENERAL;
    }
    if (log2_size == old->log2_size && kind == old->kind && front == 0 && old->version == 0) {
        compact(old);
        return 0;
    }
    Keys *keys = new_keys(log2_size, kind);
    if (keys == NULL) {
        return -1;
    }
    assert(keys->usable >= mp->ma_used + front);
    memset(keys + 1, 0, (size_t)front * entry_size(kind));
    Py_ssize_t kept = old->version == 0 || front != 0 || kind == DICT_KEYS_GENERAL ? -1
                      : _PyDictKeys_EndOfKept(old, mp->ma_used, keys);
    Py_ssize_t end;
    if (kept < 0) {
        end = move_entries(old, old->first, keys, front);
        index_all(keys, front, end);
        keys->first = (int32_t)front;
    }
    else {
        keys->version = old->version;
        memcpy(keys + 1, old + 1, (size_t)kept * entry_size(kind));
        end = move_entries(old, kept, keys, kept);
        index_around_holes(keys, end);
    }
    keys->nentries = (int32_t)end;
    keys->usable -= (int32_t)end;
    mp->ma_keys = keys;
    release_block(old);
    return 0;
}

static int
rebuild(PyDictObject *mp, int log2_size, int kind)
{
    if (mp->ma_keys == _PyDict_EmptyKeys) {
        Keys *keys = new_keys(log2_size, kind);
        if (keys == NULL) {
            return -1;
        }
        mp->ma_keys = keys;
        return 0;
    }
    return rebuild_behind(mp, log2_size, kind, 0);
}

static int
grow(PyDictObject *mp, int kind)
{
    return rebuild(mp, log2_holding((size_t)mp->ma_used * 3), kind);
}

/* Makes room for n entries in all, unless there is enough already. */
int
_PyDict_Reserve(PyDictObject *mp, Py_ssize_t n, int kind)
{
    Keys *keys = mp->ma_keys;
    if (keys->usable + mp->ma_used >= n) {
        return 0;
    }
    return rebuild(mp, log2_holding(((size_t)n * 3 + 1) / 2), kind);
}

void
_PyDict_ReserveInPlace(PyDictObject *mp, Py_ssize_t n)
{
    Keys *keys = mp->ma_keys;
    if (keys->usable < n && keys->kind == DICT_KEYS_UNICODE && keys->nentries == mp->ma_used
        && _PyDict_Reserve(mp, mp->ma_used + 2 * n, DICT_KEYS_UNICODE) < 0) {
        PyErr_Clear();
    }
}

/* -------------------------------------------------------- insert and delete */

/* Appends an entry whose key is not in the table. Steals both references on
   success only. */
static int
append(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject *value)
{
    Keys *keys = mp->ma_keys;
    int kind = PyUnicode_CheckExact(key) ? DICT_KEYS_UNICODE
                                         : DICT_KEYS_GENERAL;
    if (keys->usable <= 0
        || (kind == DICT_KEYS_GENERAL && keys->kind == DICT_KEYS_UNICODE)) {
        if (grow(mp, kind) < 0) {
            return -1;
        }
        keys = mp->ma_keys;
    }
    Py_ssize_t pos = keys->nentries;
    index_put(keys, hash, pos);
    if (keys->kind == DICT_KEYS_UNICODE) {
        _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys) + pos;
        e->key = key;
        e->value = value;
    }
    else {
        _PyDictEntry *e = _PyDictKeys_Entries(keys) + pos;
        e->key = key;
        e->value = value;
        e->hash = hash;
        dict_track_for(mp, key);
    }
    dict_track_for(mp, value);
    keys->nentries = (int32_t)pos + 1;
    keys->usable--;
    mp->ma_used++;
    key_added(mp, hash);
    return 0;
}

/* Enters strs in the table of a new dict that has room for them, up to one that may be there
   already. Returns how many. */
static inline Py_ssize_t
enter_new_strs(PyDictObject *mp, PyObject *const *keys, Py_ssize_t key_stride,
               PyObject *const *values, Py_ssize_t value_stride, Py_ssize_t n)
{
    Keys *table = mp->ma_keys;
    _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(table);
    Py_ssize_t i = 0;
    for (; i < n; i++, e++) {
        e->key = keys[i * key_stride];
        e->value = values[i * value_stride];
        Py_hash_t hash = _PyUnicode_CachedHash(e->key);
        if (hash == -1) {
            break;
        }
        struct probe p = probe_start(table, 0, hash);
        Py_ssize_t slot;
        while ((slot = slot_get(table, 0, p.at)) != DICT_EMPTY
               && (slot & ~(Py_ssize_t)p.mask) != p.tag) {
            probe_next(&p, table);
        }
        if (slot != DICT_EMPTY) {
            break;
        }
        slot_put(table, 0, p.at, i | p.tag);
        Py_INCREF(e->key);
        Py_INCREF(e->value);
        dict_track_for(mp, e->value);
    }
    table->nentries = (int32_t)i;
    table->usable -= (int32_t)i;
    mp->ma_used = i;
    return i;
}

static int
kind_of_all(PyObject *const *keys, Py_ssize_t stride, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!PyUnicode_CheckExact(keys[i * stride])) {
            return DICT_KEYS_GENERAL;
        }
    }
    return DICT_KEYS_UNICODE;
}

PyObject *
_PyDict_FromItems(PyObject *const *keys, Py_ssize_t key_stride, PyObject *const *values,
                  Py_ssize_t value_stride, Py_ssize_t n)
{
    PyDictObject *mp = (PyDictObject *)_PyDict_Alloc();
    if (mp == NULL || n == 0) {
        return (PyObject *)mp;
    }
    int kind = kind_of_all(keys, key_stride, n);
    if (_PyDict_Reserve(mp, n, kind) < 0) {
        Py_DECREF(mp);
        return NULL;
    }
    Py_ssize_t i = 0;
    if (kind == DICT_KEYS_UNICODE && mp->ma_keys->log2_width == 0) {
        i = enter_new_strs(mp, keys, key_stride, values, value_stride, n);
    }
    for (; i < n; i++) {
        PyObject *key = keys[i * key_stride];
        Py_hash_t hash = key_hash(key);
        if (hash == -1 || _PyDict_Insert(mp, key, hash, values[i * value_stride]) < 0) {
            Py_DECREF(mp);
            return NULL;
        }
    }
    return (PyObject *)mp;
}

PyObject *
_PyDict_ExchangeAt(PyDictObject *mp, PyObject **at, PyObject *value)
{
    PyObject *old = *at;
    dict_track_for(mp, value);
    *at = value;
    if (value != old) {
        dict_touch(mp);
    }
    return old;
}

void
_PyDict_ReplaceAt(PyDictObject *mp, PyObject **at, PyObject *value)
{
    Py_DECREF(_PyDict_ExchangeAt(mp, at, value));
}

static inline void
replace_value(PyDictObject *mp, Py_ssize_t pos, PyObject *value)
{
    _PyDict_ReplaceAt(mp, _PyDictKeys_ValueSlot(mp->ma_keys, pos), value);
}

int
_PyDict_StoreCachedSlow(PyDictObject *mp, Py_ssize_t pos, PyObject *value)
{
    replace_value(mp, pos, value);
    return 1;
}

/* For a key that is there already. Steals key and value; *old, if asked for, is a new reference to
   the value that was there. */
static inline __attribute__((always_inline)) void
replace_steal(PyDictObject *mp, Py_ssize_t pos, PyObject *key, PyObject *value, PyObject **old)
{
    if (old != NULL) {
        *old = Py_NewRef(*_PyDictKeys_ValueSlot(mp->ma_keys, pos));
    }
    replace_value(mp, pos, value);
    Py_DECREF(key);
}

/* Sets dict[key] in a table of strs, for an exact str. Returns 1, or 0 if the table is
   full and the key is not in it. Steals both references if it returns 1. */
static inline __attribute__((always_inline)) int
insert_str_width(PyDictObject *mp, Keys *keys, int width, PyObject *key,
                 Py_hash_t hash, PyObject *value, PyObject **old)
{
    struct probe end;
    Py_ssize_t pos = find_str_width(keys, width, key, hash, &end);
    if (pos >= 0) {
        replace_steal(mp, pos, key, value, old);
        return 1;
    }
    if (keys->usable <= 0) {
        return 0;
    }
    pos = keys->nentries++;
    slot_put(keys, width, end.at, pos | end.tag);
    _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys) + pos;
    e->key = key;
    e->value = value;
    keys->usable--;
    mp->ma_used++;
    dict_track_for(mp, value);
    key_added(mp, hash);
    return 1;
}

/* The same in a table with stored hashes. Also returns 0 if __eq__ has to be called. */
static inline __attribute__((always_inline)) int
insert_general_width(PyDictObject *mp, Keys *keys, int width, PyObject *key,
                     Py_hash_t hash, PyObject *value, PyObject **old)
{
    struct probe end = probe_start(keys, width, hash);
    Py_ssize_t candidate;
    Py_ssize_t pos = find_general_width(keys, width, key, hash, &end, &candidate);
    if (pos >= 0) {
        replace_steal(mp, pos, key, value, old);
        return 1;
    }
    if (pos != DICT_EMPTY || keys->usable <= 0) {
        return 0;
    }
    pos = keys->nentries++;
    slot_put(keys, width, end.at, pos | end.tag);
    _PyDictEntry *e = _PyDictKeys_Entries(keys) + pos;
    e->key = key;
    e->value = value;
    e->hash = hash;
    keys->usable--;
    mp->ma_used++;
    dict_track_for(mp, key);
    dict_track_for(mp, value);
    keys_changed(mp);
    return 1;
}

static inline __attribute__((always_inline)) int
insert_str(PyDictObject *mp, Keys *keys, PyObject *key, Py_hash_t hash, PyObject *value,
           PyObject **old)
{
    switch (keys->log2_width) {
    case 0:
        return insert_str_width(mp, keys, 0, key, hash, value, old);
    case 1:
        return insert_str_width(mp, keys, 1, key, hash, value, old);
    default:
        return insert_str_width(mp, keys, 2, key, hash, value, old);
    }
}

static inline __attribute__((always_inline)) int
insert_general(PyDictObject *mp, Keys *keys, PyObject *key, Py_hash_t hash,
               PyObject *value, PyObject **old)
{
    switch (keys->log2_width) {
    case 0:
        return insert_general_width(mp, keys, 0, key, hash, value, old);
    case 1:
        return insert_general_width(mp, keys, 1, key, hash, value, old);
    default:
        return insert_general_width(mp, keys, 2, key, hash, value, old);
    }
}

/* Sets dict[key]. Steals both references on success only. */
static int
insert_steal(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject *value)
{
    Keys *keys = mp->ma_keys;
    if (keys == _PyDict_EmptyKeys) {
        return append(mp, key, hash, value);
    }
    if (PyUnicode_CheckExact(key) && keys->kind == DICT_KEYS_UNICODE) {
        return insert_str(mp, keys, key, hash, value, NULL) ? 0 : append(mp, key, hash, value);
    }
    if (keys->kind == DICT_KEYS_GENERAL
        && insert_general(mp, keys, key, hash, value, NULL)) {
        return 0;
    }
    Py_ssize_t pos = find(mp, key, hash);
    if (pos >= 0) {
        replace_steal(mp, pos, key, value, NULL);
        return 0;
    }
    return pos == DICT_ERROR ? -1 : append(mp, key, hash, value);
}

int
_PyDict_StoreQuietly(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject *value,
                     PyObject **old)
{
    Keys *keys = mp->ma_keys;
    *old = NULL;
    if (keys == _PyDict_EmptyKeys) {
        return append(mp, key, hash, value) == 0 ? 1 : -1;
    }
    if (PyUnicode_CheckExact(key) && keys->kind == DICT_KEYS_UNICODE) {
        return insert_str(mp, keys, key, hash, value, old)
               || append(mp, key, hash, value) == 0 ? 1 : -1;
    }
    if (keys->kind == DICT_KEYS_GENERAL && insert_general(mp, keys, key, hash, value, old)) {
        return 1;
    }
    Py_ssize_t pos = peek(keys, key, hash);
    if (pos >= 0) {
        replace_steal(mp, pos, key, value, old);
        return 1;
    }
    return pos == DICT_DELETED ? 0 : append(mp, key, hash, value) == 0 ? 1 : -1;
}

int
_PyDict_AddAbsent(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject *value)
{
    return append(mp, key, hash, value);
}

/* An int that only the dict has is written in place, as long as it has one digit. */
static inline __attribute__((always_inline)) int
count_up_at(PyDictObject *mp, PyObject **at)
{
    PyObject *old = *at;
    if (!PyLong_CheckExact(old) || !_PyLong_CheckCompact(old)) {
        return 0;
    }
    int64_t count = _PyLong_CompactValue(old) + 1;
    if (Py_REFCNT(old) == 1 && count > 1 && count <= PyLong_MASK
        && !_PyLong_IsSmallValue(count)) {
        ((PyLongObject *)old)->ob_digit[0] = (digit)count;
        dict_touch(mp);
        return 1;
    }
    PyObject *object = _PyLong_FromInt64(count);
    if (object == NULL) {
        return -1;
    }
    dict_touch(mp);
    *at = object;
    Py_DECREF(old);
    return 1;
}

int
_PyDict_CountUpAt(PyDictObject *mp, PyObject **at)
{
    return count_up_at(mp, at);
}

int
_PyDict_CountUp(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    PyObject **at;
    int found = find_hashed(mp, key, hash, &at);
    if (found != 0) {
        return found < 0 ? 0 : count_up_at(mp, at);
    }
    PyObject *one = _PyLong_GetSmall(1);
    if (append(mp, Py_NewRef(key), hash, one) < 0) {
        Py_DECREF(key);
        Py_DECREF(one);
        return -1;
    }
    return 1;
}

int
_PyDict_Insert(PyDictObject *mp, PyObject *key, Py_hash_t hash,
               PyObject *value)
{
    Py_INCREF(key);
    Py_INCREF(value);
    if (insert_steal(mp, key, hash, value) < 0) {
        Py_DECREF(key);
        Py_DECREF(value);
        return -1;
    }
    return 0;
}

int
_PyDict_SetItemSteal(PyDictObject *mp, PyObject *key, PyObject *value)
{
    Py_hash_t hash = key_hash(key);
    if (hash == -1 || insert_steal(mp, key, hash, value) < 0) {
        Py_DECREF(key);
        Py_DECREF(value);
        return -1;
    }
    return 0;
}

/* Sets *result to a new reference to the key's value. Returns 1 if the key was there, 0
   if it has been given `value`, -1 with an exception. */
int
_PyDict_SetDefault(PyDictObject *mp, PyObject *key, Py_hash_t hash,
                   PyObject *value, PyObject **result)
{
    Keys *keys = mp->ma_keys;
    if (PyUnicode_CheckExact(key) && keys->kind == DICT_KEYS_UNICODE) {
        Py_ssize_t pos = find_str(keys, key, hash);
        if (pos >= 0) {
            *result = Py_NewRef(_PyDictKeys_UnicodeEntries(keys)[pos].value);
            return 1;
        }
    }
    else {
        PyObject *present;
        Py_ssize_t pos = _PyDict_Lookup(mp, key, hash, &present);
        if (pos == DICT_ERROR) {
            *result = NULL;
            return -1;
        }
        if (present != NULL) {
            *result = Py_NewRef(present);
            return 1;
        }
    }
    if (append(mp, key, hash, value) < 0) {
        *result = NULL;
        return -1;
    }
    Py_INCREF(key);
    Py_INCREF(value);
    *result = Py_NewRef(value);
    return 0;
}

/* Takes the entry at pos, whose slot is the one at `at`, out of the table. Its references go to the
   caller. */
static inline __attribute__((always_inline)) void
take_entry_of_slot(PyDictObject *mp, Keys *keys, int width, size_t at, Py_ssize_t pos,
                   PyObject **key, PyObject **value)
{
    int is_last = pos == keys->nentries - 1 && !keys->fronted;
    slot_put(keys, width, at, is_last ? DICT_EMPTY : DICT_DELETED);
    if (keys->kind == DICT_KEYS_UNICODE) {
        _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys) + pos;
        *key = e->key;
        *value = e->value;
        e->key = e->value = NULL;
    }
    else {
        _PyDictEntry *e = _PyDictKeys_Entries(keys) + pos;
        *key = e->key;
        *value = e->value;
        e->key = e->value = NULL;
    }
    /* Repeated removal from the front must not pass over all earlier holes each time. */
    if (pos == keys->first) {
        int32_t first = keys->first;
        do {
            first++;
        } while (first < keys->nentries
                 && *_PyDictKeys_ValueSlot(keys, first) == NULL);
        keys->first = first;
    }
    mp->ma_used--;
}

static void
take_entry(PyDictObject *mp, Py_hash_t hash, Py_ssize_t pos, PyObject **key,
           PyObject **value)
{
    Keys *keys = mp->ma_keys;
    size_t at = slot_of_entry(keys, hash, pos);
    take_entry_of_slot(mp, keys, keys->log2_width, at, pos, key, value);
}

/* Deletes the entry at pos. */
void
_PyDict_DeletePos(PyDictObject *mp, Py_hash_t hash, Py_ssize_t pos)
{
    PyObject *key, *value;
    key_goes(mp, mp->ma_keys, pos);
    take_entry(mp, hash, pos, &key, &value);
    Py_DECREF(key);
    Py_DECREF(value);
}

/* Finds a key without running any code and takes its entry out. DICT_DELETED if that cannot be. */
static inline __attribute__((always_inline)) Py_ssize_t
take_quietly(PyDictObject *mp, Keys *keys, int width, PyObject *key, Py_hash_t hash,
             PyObject **old_key, PyObject **value)
{
    struct probe p;
    Py_ssize_t pos;
    if (keys->kind == DICT_KEYS_UNICODE) {
        if (!PyUnicode_CheckExact(key)) {
            return DICT_DELETED;
        }
        pos = find_str_width(keys, width, key, hash, &p);
    }
    else {
        Py_ssize_t candidate;
        p = probe_start(keys, width, hash);
        pos = find_general_width(keys, width, key, hash, &p, &candidate);
    }
    if (pos >= 0) {
        key_goes(mp, keys, pos);
        take_entry_of_slot(mp, keys, width, p.at, pos, old_key, value);
    }
    return pos;
}

/* Takes a key out and sets *value to a new reference. Returns 1; 0 if it is not there; -1 with an
   exception. */
int
_PyDict_Take(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject **value)
{
    Keys *keys = mp->ma_keys;
    PyObject *old_key;
    Py_ssize_t pos = keys->log2_width == 0
        ? take_quietly(mp, keys, 0, key, hash, &old_key, value)
        : take_quietly(mp, keys, keys->log2_width, key, hash, &old_key, value);
    if (pos == DICT_DELETED) {
        pos = find_asking(mp, key, hash);
        if (pos >= 0) {
            key_goes(mp, mp->ma_keys, pos);
            take_entry(mp, hash, pos, &old_key, value);
        }
    }
    if (pos < 0) {
        return pos == DICT_ERROR ? -1 : 0;
    }
    Py_DECREF(old_key);
    return 1;
}

Py_ssize_t
_PyDict_EndPos(PyDictObject *mp, int newest)
{
    Keys *keys = mp->ma_keys;
    if (mp->ma_used == 0) {
        return -1;
    }
    Py_ssize_t pos = newest ? keys->nentries - 1 : keys->first;
    while (*_PyDictKeys_ValueSlot(keys, pos) == NULL) {
        pos += newest ? -1 : 1;
    }
    /* Repeated removal from one end must pass each hole only once. */
    if (newest) {
        keys->nentries = (int32_t)pos + 1;
    }
    else {
        keys->first = (int32_t)pos;
    }
    return pos;
}

int
_PyDict_MoveToEnd(PyDictObject *mp, Py_hash_t hash, Py_ssize_t pos)
{
    if (pos == _PyDict_EndPos(mp, 1)) {
        return 0;
    }
    PyObject *key, *value;
    if (mp->ma_keys->usable <= 0) {
        key = _PyDictKeys_KeyAt(mp->ma_keys, pos);
        if (grow(mp, mp->ma_keys->kind) < 0) {
            return -1;
        }
        for (pos = 0; _PyDictKeys_KeyAt(mp->ma_keys, pos) != key; pos++) {
        }
    }
    take_entry(mp, hash, pos, &key, &value);
    return append(mp, key, hash, value);
}

int
_PyDict_MoveToFront(PyDictObject *mp, Py_hash_t hash, Py_ssize_t pos)
{
    if (pos == _PyDict_EndPos(mp, 0)) {
        return 0;
    }
    PyObject *key, *value;
    Keys *keys = mp->ma_keys;
    if (keys->usable <= 0 || keys->first == 0) {
        /* Leave as many free entries in front as there are live ones, so that this is
           rare. */
        key = _PyDictKeys_KeyAt(keys, pos);
        Py_ssize_t front = mp->ma_used;
        if (rebuild_behind(mp, log2_holding((size_t)front * 5), keys->kind,
                           front) < 0) {
            return -1;
        }
        keys = mp->ma_keys;
        for (pos = keys->first; _PyDictKeys_KeyAt(keys, pos) != key; pos++) {
        }
    }
    take_entry(mp, hash, pos, &key, &value);
    if (pos == keys->nentries - 1 && mp->ma_used > 0) {
        (void)_PyDict_EndPos(mp, 1);
    }
    pos = --keys->first;
    keys->fronted = 1;
    index_put(keys, hash, pos);
    if (keys->kind == DICT_KEYS_UNICODE) {
        _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys) + pos;
        e->key = key;
        e->value = value;
    }
    else {
        _PyDictEntry *e = _PyDictKeys_Entries(keys) + pos;
        e->key = key;
        e->value = value;
        e->hash = hash;
    }
    keys->usable--;
    mp->ma_used++;
    keys_changed(mp);
    return 0;
}

/* Takes the newest entry out, as new references. Returns 0 if the dict is empty. */
int
_PyDict_PopLast(PyDictObject *mp, PyObject **key, PyObject **value)
{
    Py_ssize_t pos = _PyDict_EndPos(mp, 1);
    if (pos < 0) {
        return 0;
    }
    Py_hash_t hash;
    keys_entry(mp->ma_keys, pos, key, value, &hash);
    take_entry(mp, hash, pos, key, value);
    mp->ma_keys->nentries = (int32_t)pos;
    if (mp->ma_keys->first > pos) {
        mp->ma_keys->first = (int32_t)pos;
    }
    keys_changed(mp);
    return 1;
}

/* ------------------------------------------------------------------- copies */

/* New references for a copy of all entries. */
static inline __attribute__((always_inline)) void
hold_entries(const Keys *keys, int kind)
{
    const Py_ssize_t n = keys->nentries;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *key = kind == DICT_KEYS_UNICODE ? _PyDictKeys_UnicodeEntries(keys)[i].key
                                                  : _PyDictKeys_Entries(keys)[i].key;
        PyObject *value = kind == DICT_KEYS_UNICODE ? _PyDictKeys_UnicodeEntries(keys)[i].value
                                                    : _PyDictKeys_Entries(keys)[i].value;
        if (value != NULL) {
            Py_INCREF(key);
            Py_INCREF(value);
        }
    }
}

/* Fills an empty dict with the entries of `from`. Copies the block of `from` if few of
   its entries are deleted. Returns `to`, or NULL. */
PyObject *
_PyDict_CloneInto(PyDictObject *to, PyDictObject *from)
{
    Keys *old = from->ma_keys;
    assert(to->ma_keys == _PyDict_EmptyKeys);
    if (from->ma_used == 0) {
        return (PyObject *)to;
    }
    Keys *keys = new_block(old->log2_size, old->log2_width, old->kind);
    if (keys == NULL) {
        return NULL;
    }
    /* Reads the old block: what has just been written in large pieces is slow to read in small
       ones. */
    if (old->kind == DICT_KEYS_UNICODE) {
        hold_entries(old, DICT_KEYS_UNICODE);
    }
    else {
        hold_entries(old, DICT_KEYS_GENERAL);
    }
    /* All header fields except the address of the index are the same. */
    memcpy(keys, old, block_size(old->log2_size, old->log2_width, old->kind));
    keys->index = index_behind(keys, old->log2_size, old->kind);
    keys->version = 0;
    to->ma_keys = keys;
    to->ma_used = from->ma_used;
    dict_touch(to);
    if (_PyObject_GC_IS_TRACKED((PyObject *)from)
        && !_PyObject_GC_IS_TRACKED((PyObject *)to)) {
        _PyObject_GC_TRACK((PyObject *)to);
    }
    return (PyObject *)to;
}

size_t
_PyDict_TableSize(PyDictObject *mp)
{
    Keys *keys = mp->ma_keys;
    return keys == _PyDict_EmptyKeys ? 0
        : block_size(keys->log2_size, keys->log2_width, keys->kind);
}
