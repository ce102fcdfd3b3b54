/* A dict gets another table, or its entries another place in the one that it has. The order of the
   entries stays. */
#include "table.h"
#include "versions.h"

unsigned _PyDict_compactions;

static inline __attribute__((always_inline)) void
index_add(Keys *keys, int width, Py_hash_t hash, Py_ssize_t pos)
{
    struct probe p = probe_start(keys, width, hash);
    while (slot_get(keys, width, p.at) != DICT_EMPTY) {
        probe_next(&p, keys);
    }
    slot_put(keys, width, p.at, pos | p.tag);
}

void
_PyDictKeys_Enter(Keys *keys, Py_hash_t hash, Py_ssize_t pos)
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

int
_PyDict_Log2Holding(size_t slots)
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
    _PyDict_compactions++;
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
int
_PyDict_RebuildBehind(PyDictObject *mp, int log2_size, int kind, Py_ssize_t front)
{
    Keys *old = mp->ma_keys;
    if (old->kind == DICT_KEYS_GENERAL) {
        kind = DICT_KEYS_GENERAL;
    }
    if (log2_size == old->log2_size && kind == old->kind && front == 0 && old->version == 0) {
        compact(old);
        return 0;
    }
    Keys *keys = _PyDictKeys_New(log2_size, kind);
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
    _PyDictKeys_ReleaseBlock(old);
    return 0;
}

static int
rebuild(PyDictObject *mp, int log2_size, int kind)
{
    if (mp->ma_keys == _PyDict_EmptyKeys) {
        Keys *keys = _PyDictKeys_New(log2_size, kind);
        if (keys == NULL) {
            return -1;
        }
        mp->ma_keys = keys;
        return 0;
    }
    return _PyDict_RebuildBehind(mp, log2_size, kind, 0);
}

int
_PyDict_Grow(PyDictObject *mp, int kind)
{
    return rebuild(mp, _PyDict_Log2Holding((size_t)mp->ma_used * 3), kind);
}

/* Makes room for n entries in all, unless there is enough already. */
int
_PyDict_Reserve(PyDictObject *mp, Py_ssize_t n, int kind)
{
    Keys *keys = mp->ma_keys;
    if (keys->usable + mp->ma_used >= n) {
        return 0;
    }
    return rebuild(mp, _PyDict_Log2Holding(((size_t)n * 3 + 1) / 2), kind);
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
