/* Changes of a dict's table: insertion, deletion, order. */
#include "table.h"
#include "versions.h"

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
        if (_PyDict_Grow(mp, kind) < 0) {
            return -1;
        }
        keys = mp->ma_keys;
    }
    Py_ssize_t pos = keys->nentries;
    _PyDictKeys_Enter(keys, hash, pos);
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
    Py_ssize_t pos = _PyDict_Find(mp, key, hash);
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
    Py_ssize_t pos = _PyDictKeys_Peek(keys, key, hash);
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
    int found = _PyDict_FindHashed(mp, key, hash, &at);
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
        Py_ssize_t pos = _PyDictKeys_FindStr(keys, key, hash);
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
        pos = _PyDict_FindAsking(mp, key, hash);
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
        if (_PyDict_Grow(mp, mp->ma_keys->kind) < 0) {
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
        if (_PyDict_RebuildBehind(mp, _PyDict_Log2Holding((size_t)front * 5), keys->kind,
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
    _PyDictKeys_Enter(keys, hash, pos);
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
