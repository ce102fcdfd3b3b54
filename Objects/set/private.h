/* The table of sets: what table.c provides for the set and frozenset types.

   The table uses open addressing. Its size is a power of two; the slots hold (key,
   hash). A slot is free (NULL key, hash 0), deleted (key _PySet_Dummy, hash -1) or
   live. `fill` counts live and deleted slots, `used` only live ones. At most three
   fifths of the slots are filled. Small sets use the table inside the object.

   The position of a key is part of the contract: it decides the order in which a set is
   shown, and programs print sets. A search looks at up to ten neighbours of the slot
   given by the low bits of the hash, then jumps, mixing in higher bits. A new key takes
   the last deleted slot that its search has passed. */
#ifndef SB_SET_IMPL_H
#define SB_SET_IMPL_H

#include "Python.h"
#include "internal/errors.h"
#include "internal/keyhash.h"
#include "internal/list.h"
#include "internal/set.h"
#include "internal/unicode.h"

#define SET(op) ((PySetObject *)(op))

/* Who goes through all keys takes so many slots in one round; a table has a multiple of them. */
#define SLOTS_AT_ONCE 4

extern PyObject _PySet_dummy_object;

static inline int
slot_is_live(const setentry *slot)
{
    return slot->key != NULL && slot->key != &_PySet_dummy_object;
}

#define set_key_hash _Py_KeyHash

/* Returns the next live slot from *pos on and moves *pos past it. Returns NULL at the
   end. */
static inline setentry *
set_next(PySetObject *so, Py_ssize_t *pos)
{
    setentry *slot = _PySet_NextLive(so, *pos);
    *pos = slot - so->table + 1;
    return slot > so->table + so->mask ? NULL : slot;
}

/* What the first slot of a search tells: is the key in the set? -1: search on. A key whose
   hash has changed since it was added is another one, as in every search. */
static inline int
slot_has(const setentry *first, const PyObject *key, Py_hash_t hash)
{
    return first->key == NULL ? 0 : first->key == key && first->hash == hash ? 1 : -1;
}

/* tp_iter of both types. */
PyObject *_PySet_Iter(PyObject *self);

/* All keys are borrowed. */
int _PySetTable_Contains(PySetObject *, PyObject *key, Py_hash_t);
/* Returns 1 if the key was there, 0 if not, -1 on error. */
int _PySetTable_Discard(PySetObject *, PyObject *key, Py_hash_t);
int _PySetTable_Reserve(PySetObject *, Py_ssize_t new_keys);
int _PySetTable_Tidy(PySetObject *);
void _PySetTable_Clear(PySetObject *);
int _PySetTable_Merge(PySetObject *, PySetObject *other);
/* Adds the keys of `walked` that are in `other` (`wanted` is 1) or not (0). */
int _PySetTable_AddIf(PySetObject *, PySetObject *walked, PySetObject *other,
                      int wanted);
/* Removes the keys that are in `other`. */
int _PySetTable_DiscardAll(PySetObject *, PySetObject *other);
/* Adds the keys of `other` that are not there, and removes those that are. */
int _PySetTable_ToggleAll(PySetObject *, PySetObject *other);
/* Adds the items of a list or tuple. */
int _PySetTable_AddItems(PySetObject *, PyObject *sequence);
/* Adds what an iterator has left. */
int _PySetTable_AddRest(PySetObject *, PyObject *iterator);
/* Adds those of a compact str of ASCII. */
int _PySetTable_AddCharacters(PySetObject *, PyObject *text);
int _PySetTable_AddKeys(PySetObject *, PyObject *const *keys, Py_ssize_t n);
void _PySetTable_Swap(PySetObject *, PySetObject *);
void _PySetTable_Init(PySetObject *);
/* A table that doesn't lie within its object, whose keys have been released. */
void _PySetTable_Free(setentry *table, Py_ssize_t mask);

#endif
