/* dict == dict. Most keys and values are compared without running any code, so that neither dict can
   change meanwhile: nothing has to be held. The first entry that must be asked is compared on its
   own, and then the others are looked at anew. */
#include "table.h"

/* Where the value of a key is. 1, 0, or -1 when the methods of keys have to decide. */
static inline __attribute__((always_inline)) int
find_quietly(PyDictObject *mp, Py_ssize_t like, PyObject *key, Py_hash_t hash, PyObject **value)
{
    Keys *keys = mp->ma_keys;
    if (keys->kind == DICT_KEYS_UNICODE) {
        /* dicts that are compared often have been filled in one order */
        const _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys) + like;
        if (like < keys->nentries && e->key == key) {
            *value = e->value;
            return 1;
        }
    }
    else {
        Py_ssize_t pos = _PyDictKeys_FirstPosition(keys, hash);
        const _PyDictEntry *e = _PyDictKeys_Entries(keys) + pos;
        if (pos >= 0 && e->key == key) {
            *value = e->value;
            return 1;
        }
    }
    PyObject **at;
    int found = _PyDict_FindHashed(mp, key, hash, &at);
    if (found > 0) {
        *value = *at;
    }
    return found;
}

/* Goes on from *pos. 1: all are equal; 0: one is not; -1: the one before *pos has to be asked, its
   values if *theirs is known, otherwise its key first. */
static inline __attribute__((always_inline)) int
equal_quietly(PyDictObject *a, PyDictObject *b, Py_ssize_t *pos, PyObject **key,
              PyObject **mine, PyObject **theirs, Py_hash_t *hash)
{
    while (dict_next(a, pos, key, mine, hash)) {
        int equal = find_quietly(b, *pos - 1, *key, *hash, theirs);
        if (equal < 0) {
            *theirs = NULL;
        }
        if (equal > 0) {
            equal = _PyObject_QuickEqual(*mine, *theirs);
        }
        if (equal <= 0) {
            return equal;
        }
    }
    return 1;
}

static int
equal_asking_key(PyDictObject *b, PyObject *key, PyObject *mine, Py_hash_t hash)
{
    PyObject *theirs;
    int equal = 0;
    Py_INCREF(key);
    Py_INCREF(mine);
    if (_PyDict_Lookup(b, key, hash, &theirs) == DICT_ERROR) {
        equal = -1;
    }
    else if (theirs != NULL) {
        equal = _PyObject_CompareHeld(mine, theirs, Py_EQ);
    }
    Py_DECREF(key);
    Py_DECREF(mine);
    return equal;
}

int
_PyDict_Equal(PyDictObject *a, PyDictObject *b)
{
    if (a->ma_used != b->ma_used) {
        return 0;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *mine, *theirs;
    Py_hash_t hash;
    int equal;
    do {
        equal = equal_quietly(a, b, &pos, &key, &mine, &theirs, &hash);
        if (equal >= 0) {
            return equal;
        }
        equal = theirs != NULL ? _PyObject_AskCompareHeld(mine, theirs, Py_EQ)
                               : equal_asking_key(b, key, mine, hash);
    } while (equal > 0);
    return equal;
}
