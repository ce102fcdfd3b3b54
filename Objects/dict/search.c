/* Searches in the table of a dict: those that may ask __eq__, and those for callers that know the
   hash and must not run any code. */
#include "table.h"

/* _PyUnicode_FastEq() of two strs that have one hash, and so are most probably equal: to compare
   a few letters, memcmp() takes long. */
int
_PyDict_IsSameText(PyObject *a, PyObject *b)
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

Py_ssize_t
_PyDictKeys_FindStr(const Keys *keys, PyObject *key, Py_hash_t hash)
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
Py_ssize_t
_PyDictKeys_Peek(const Keys *keys, PyObject *key, Py_hash_t hash)
{
    if (keys->kind == DICT_KEYS_UNICODE) {
        if (PyUnicode_CheckExact(key)) {
            return _PyDictKeys_FindStr(keys, key, hash);
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

/* Comparing keys may run Python code that changes the dict. So a match counts only if
   the table and the entry are still the same; otherwise the search starts again. */
__attribute__((noinline)) Py_ssize_t
_PyDict_FindAsking(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
again:;
    Keys *keys = mp->ma_keys;
    unsigned before = _PyDict_compactions;
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
        int equal = _PyObject_AskCompareBool(other, key, Py_EQ);
        if (equal < 0) {
            Py_DECREF(other);
            return DICT_ERROR;
        }
        int unchanged = mp->ma_keys == keys && before == _PyDict_compactions
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

Py_ssize_t
_PyDict_Find(PyDictObject *mp, PyObject *key, Py_hash_t hash)
{
    Py_ssize_t pos = _PyDictKeys_Peek(mp->ma_keys, key, hash);
    return pos == DICT_DELETED ? _PyDict_FindAsking(mp, key, hash) : pos;
}

Py_ssize_t
_PyDict_Lookup(PyDictObject *mp, PyObject *key, Py_hash_t hash,
               PyObject **value)
{
    Py_ssize_t pos = _PyDict_Find(mp, key, hash);
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
    return _PyDictKeys_FindStr(keys, name, hash);
}

static __attribute__((noinline)) int
find_hashed_further(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject ***at)
{
    Py_ssize_t pos = _PyDictKeys_Peek(mp->ma_keys, key, hash);
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
            || (_PyUnicode_CachedHash(e->key) == hash && _PyDict_IsSameText(e->key, key))) {
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
