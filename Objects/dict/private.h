/* Shared by the files of Objects/dict. See internal/dict.h for the table. */
#ifndef SB_DICT_IMPL_H
#define SB_DICT_IMPL_H

#include "Python.h"
#include "internal/dict.h"
#include "internal/gc.h"
#include "internal/keyhash.h"
#include "internal/unicode.h"

#define DICT_MIN_LOG2 3
#define DICT_MAX_LOG2 31
#define DICT_ERROR (-3)

typedef struct _dictkeysobject Keys;

static inline Py_ssize_t
keys_capacity(int log2_size)
{
    return (Py_ssize_t)(((size_t)2 << log2_size) / 3);
}

#define key_hash _Py_KeyHash

static inline void
dict_touch(PyDictObject *mp)
{
    mp->ma_version_tag = ++_PyDict_version_counter;
}

static inline void
dict_track_for(PyDictObject *mp, PyObject *op)
{
    if (!_PyObject_GC_IS_TRACKED((PyObject *)mp)
        && _PyObject_MayBeTracked(op)) {
        _PyObject_GC_TRACK((PyObject *)mp);
    }
}

/* Reads the entry at `pos`, borrowed. Returns 0 if it is a deleted one. */
static inline int
keys_entry(const Keys *keys, Py_ssize_t pos, PyObject **key, PyObject **value,
           Py_hash_t *hash)
{
    if (keys->kind == DICT_KEYS_UNICODE) {
        const _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys) + pos;
        *key = e->key;
        *value = e->value;
        *hash = e->value != NULL ? _PyUnicode_CachedHash(e->key) : -1;
        return e->value != NULL;
    }
    const _PyDictEntry *e = _PyDictKeys_Entries(keys) + pos;
    *key = e->key;
    *value = e->value;
    *hash = e->hash;
    return e->value != NULL;
}

/* Reads the next entry at or after *pos and moves *pos past it. Returns 0 at the end. */
static inline int
dict_next(PyDictObject *mp, Py_ssize_t *pos, PyObject **key, PyObject **value,
          Py_hash_t *hash)
{
    const Keys *keys = mp->ma_keys;
    Py_ssize_t i = *pos, n = keys->nentries;
    if (i < keys->first) {
        if (i < 0) {
            return 0;
        }
        i = keys->first;
    }
    while (i < n) {
        if (keys_entry(keys, i++, key, value, hash)) {
            *pos = i;
            return 1;
        }
    }
    *pos = i;
    return 0;
}

/* memory.c. _PyDict_Alloc returns a new reference. */
void _PyDictKeys_Free(Keys *keys);
PyObject *_PyDict_Alloc(void);
void _PyDict_Release(PyDictObject *mp);
PyObject *_PyDict_CloneInto(PyDictObject *to, PyDictObject *from);
size_t _PyDict_TableSize(PyDictObject *mp);

/* rebuild.c */
int _PyDict_Reserve(PyDictObject *mp, Py_ssize_t n, int kind);

/* table.c. Key and value arguments are borrowed. _PyDict_PopLast, _PyDict_Take and
   _PyDict_SetDefault return new references. */
void _PyDict_DeletePos(PyDictObject *mp, Py_hash_t hash, Py_ssize_t pos);
int _PyDict_Take(PyDictObject *mp, PyObject *key, Py_hash_t hash, PyObject **value);
int _PyDict_PopLast(PyDictObject *mp, PyObject **key, PyObject **value);
/* These change the order. The entry at pos must be live. They return -1 with
   MemoryError. */
int _PyDict_MoveToEnd(PyDictObject *mp, Py_hash_t hash, Py_ssize_t pos);
int _PyDict_MoveToFront(PyDictObject *mp, Py_hash_t hash, Py_ssize_t pos);
/* Returns the position of the oldest or the newest entry, -1 if there is none. */
Py_ssize_t _PyDict_EndPos(PyDictObject *mp, int newest);
int _PyDict_SetDefault(PyDictObject *mp, PyObject *key, Py_hash_t hash,
                       PyObject *value, PyObject **result);

/* equal.c. 1, 0, or -1 with an exception. */
int _PyDict_Equal(PyDictObject *a, PyDictObject *b);

/* merge.c */
int _PyDict_UpdateFrom(PyObject *dict, PyObject *arg);

/* iter.c */
PyObject *_PyDictIter_New(PyDictObject *dict, PyTypeObject *type);

/* views.c: rich comparison of views, as of sets. */
extern PyTypeObject PyDictKeys_Type;

#endif
