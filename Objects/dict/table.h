/* How the table of a dict is searched; for the files that read and write its slots (memory.c,
   search.c, rebuild.c, table.c) only.

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
#ifndef SB_DICT_TABLE_H
#define SB_DICT_TABLE_H

#include "private.h"
#include "internal/compare.h"

static inline size_t
entry_size(int kind)
{
    return kind == DICT_KEYS_UNICODE ? sizeof(_PyDictUnicodeEntry)
                                     : sizeof(_PyDictEntry);
}

/* ----------------------------------------------------------- slots and probes */

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

/* -------------------------------------------------------------------- searches */

/* search.c: _PyUnicode_FastEq() of two strs that have one hash, and so are most probably equal. */
int _PyDict_IsSameText(PyObject *a, PyObject *b);

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
                || (_PyUnicode_CachedHash(other) == hash && _PyDict_IsSameText(other, key))) {
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

/* search.c. Find an exact str in a table of exact strs; a key in any table without running any code
   (DICT_DELETED if that cannot be); a key, asking __eq__ (DICT_ERROR with an exception); the same
   if it is known that __eq__ has to be asked. */
Py_ssize_t _PyDictKeys_FindStr(const Keys *keys, PyObject *key, Py_hash_t hash);
Py_ssize_t _PyDictKeys_Peek(const Keys *keys, PyObject *key, Py_hash_t hash);
Py_ssize_t _PyDict_Find(PyDictObject *mp, PyObject *key, Py_hash_t hash);
Py_ssize_t _PyDict_FindAsking(PyDictObject *mp, PyObject *key, Py_hash_t hash);

/* --------------------------------------------------------- memory and rebuilding */

/* memory.c. A table of so many slots; NULL with MemoryError. What releases the block leaves the
   references in it alone. */
Keys *_PyDictKeys_New(int log2_size, int kind);
void _PyDictKeys_ReleaseBlock(Keys *keys);

/* rebuild.c. The first two return -1 with MemoryError, and give the dict a table of `kind`, or a
   general one if its keys need it: one in which there is room for more entries; one with so many
   slots and `front` free entries before the others. _PyDict_Log2Holding() says how many slots a
   table needs that is to have at least so many. _PyDictKeys_Enter() enters a position for a hash
   that is not in the index yet. */
int _PyDict_Grow(PyDictObject *mp, int kind);
int _PyDict_RebuildBehind(PyDictObject *mp, int log2_size, int kind, Py_ssize_t front);
int _PyDict_Log2Holding(size_t slots);
void _PyDictKeys_Enter(Keys *keys, Py_hash_t hash, Py_ssize_t pos);

/* How often entries have moved within their table. */
extern unsigned _PyDict_compactions;

#endif
