/* Sets from inside. */
#ifndef SB_INTERNAL_SET_H
#define SB_INTERNAL_SET_H

#include "Python.h"

/* A new set of n keys, which it doesn't steal. NULL with an exception. */
PyObject *_PySet_FromArray(PyObject *const *keys, Py_ssize_t n);

/* Frees an exact set or frozenset that nothing refers to, if no code can run then: each key has
   another reference, or is a number, a str or a tuple of such. Returns whether it did; if not, it
   is still to be deallocated. */
int _PySet_FreeShared(PyObject *set);

/* Is an exact str whose hash is known in the set? 1, 0, or -1 when it has to be compared
   with an object of another type. */
int _PySet_SearchStr(PySetObject *set, PyObject *key, Py_hash_t hash);

/* The same for an int of a machine word. */
int _PySet_SearchInt(PySetObject *set, int64_t value, Py_hash_t hash);

/* Where a search ended. */
typedef struct {
    setentry *slot, *deleted;
} _PySetPlace;

/* The same for a key that hashes and compares without running code (-1: not with one of those in
   the set); 0: the place is where the key may be added, if nothing runs before. */
int _PySet_FindPlace(PySetObject *set, PyObject *key, Py_hash_t hash, _PySetPlace *place);
/* Adds a key, which it steals, at such a place: 0, or -1 with MemoryError if there is no room for
   the next one: then this one has been added. */
int _PySet_AddAt(PySetObject *set, const _PySetPlace *place, PyObject *key, Py_hash_t hash);

/* Takes out the key that was found at such a place, and drops it. */
void _PySet_RemoveAt(PySetObject *set, const _PySetPlace *place);

/* Adds a key, which it doesn't steal, whose hash is known: 0, or -1 with an exception. */
int _PySetTable_Add(PySetObject *set, PyObject *key, Py_hash_t hash);

static inline int
_PySet_PeekStr(PySetObject *set, PyObject *key, Py_hash_t hash)
{
    setentry *slot = &set->table[(size_t)hash & (size_t)set->mask];
    return slot->key == key ? 1 : slot->key == NULL ? 0 : _PySet_SearchStr(set, key, hash);
}

/* The first slot from `slot` on that is not free, or the table's end. At most three fifths of the
   slots are in use, so most of the way leads past free ones. */
static inline setentry *
_PySet_NextFilled(setentry *slot, const setentry *end)
{
    for (; slot + 4 <= end; slot += 4) {
        if (slot[0].key != NULL) {
            return slot;
        }
        if (slot[1].key != NULL) {
            return slot + 1;
        }
        if (slot[2].key != NULL) {
            return slot + 2;
        }
        if (slot[3].key != NULL) {
            return slot + 3;
        }
    }
    while (slot < end && slot->key == NULL) {
        slot++;
    }
    return slot;
}

/* The first slot from `place` on that has a key, or the table's end. */
static inline setentry *
_PySet_NextLive(const PySetObject *set, Py_ssize_t place)
{
    setentry *end = set->table + set->mask + 1, *slot = set->table + place;
    while ((slot = _PySet_NextFilled(slot, end)) < end && slot->key == _PySet_Dummy) {
        slot++;
    }
    return slot;
}

/* Is an int of this value, which is its own hash, in the set, as far as the first slot
   of its search tells? 1 when the slot has it, 0 when it is free; -1: search. */
static inline int
_PySet_PeekInt(PySetObject *set, int64_t value)
{
    setentry *slot = &set->table[(size_t)value & (size_t)set->mask];
    if (slot->key == NULL) {
        return 0;
    }
    return slot->hash == value && Py_IS_TYPE(slot->key, &PyLong_Type)
           && (size_t)Py_SIZE(slot->key) <= 2 ? 1 : -1;
}

#endif
