/* What the other files tell versions.c when keys come, go or move, so that the version of a table
   keeps what it promises to caches. Both versions are meant here: that of the keys and the tag that
   changes with the dict (dict_touch()). */
#ifndef SB_DICT_VERSIONS_H
#define SB_DICT_VERSIONS_H

#include "private.h"

/* These two may reset a version that isn't 0. The key at `pos` is there still. */
void _PyDictKeys_NameComes(Keys *keys, Py_hash_t hash);
void _PyDictKeys_NameGoes(Keys *keys, Py_ssize_t pos);

/* The end of the part of a table with a version in which all entries, deleted ones too, must keep
   their places if the version is to outlive a move to `keys`. -1: there are too many of them. */
Py_ssize_t _PyDictKeys_EndOfKept(const Keys *old, Py_ssize_t used, const Keys *keys);

/* Keys may have moved. */
static inline void
keys_changed(PyDictObject *mp)
{
    mp->ma_keys->version = 0;
    dict_touch(mp);
}

/* A key has been added behind all others: the version is kept, unless a cache may rely on this key
   being missing. */
static inline void
key_added(PyDictObject *mp, Py_hash_t hash)
{
    Keys *keys = mp->ma_keys;
    if (keys->version != 0) {
        _PyDictKeys_NameComes(keys, hash);
    }
    dict_touch(mp);
}

/* The entry at pos is about to be deleted: the version is kept, unless a cache may rely on it. */
static inline void
key_goes(PyDictObject *mp, Keys *keys, Py_ssize_t pos)
{
    if (keys->version != 0) {
        _PyDictKeys_NameGoes(keys, pos);
    }
    dict_touch(mp);
}

#endif
