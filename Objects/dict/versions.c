/* The versions of tables: what inline caches rely on, and which changes reset them.

   A cache remembers a version together with the place of a name, or with the fact that a name is
   missing (internal/dict.h says what a version promises). Tables don't know their caches. Instead,
   two sets hold the names that any cache has asked about, in whatever dict: remembered names and
   missing ones. As long as only other names come and go, a table keeps its version: so a module may
   add globals, and delete its helpers, while the code that runs uses the others.

   Versions are numbers that count up, and none is given twice. When they have run out, tables
   get none any more, and nothing is cached. */
#include "versions.h"

uint64_t _PyDict_version_counter = 0;

static uint32_t next_keys_version = 1;

/* One bit for each name, by its hash, that a cache has found missing, or has remembered the place
   of. Two names may share a bit: then a version is reset without need. */
enum { NAME_WORDS = 64 };
typedef struct {
    uint64_t words[NAME_WORDS];
} NameSet;
static NameSet missing_names, remembered_names;

static inline uint64_t
name_bit(Py_hash_t hash)
{
    return (uint64_t)1 << ((size_t)hash % 64);
}

static inline uint64_t *
name_word(NameSet *set, Py_hash_t hash)
{
    return &set->words[(size_t)hash / 64 % NAME_WORDS];
}

static inline int
has_name(NameSet *set, Py_hash_t hash)
{
    return (*name_word(set, hash) & name_bit(hash)) != 0;
}

void
_PyDictKeys_NameComes(Keys *keys, Py_hash_t hash)
{
    if (has_name(&missing_names, hash)) {
        keys->version = 0;
    }
}

void
_PyDict_NoteMissing(PyObject *name)
{
    Py_hash_t hash = PyObject_Hash(name);
    *name_word(&missing_names, hash) |= name_bit(hash);
}

/* Names that come and go, as `e` of `except … as e` in the body of a module: of those that were
   deleted last, the ones that were deleted from one table twice. (A module that does `del token`
   once says nothing of the global `token` of others.) They are interned and plain, so the same str
   each time. While a name is going, no cache remembers its place, so none has done so for versions
   that are not older than `since`. */
enum { MOST_GOING = 32 };
static struct {
    PyObject *name;
    const Keys *keys;           /* where it was deleted, only to be compared; NULL: it is going */
    uint32_t since;
} deleted[MOST_GOING];

static int
deleted_place(const PyObject *name)
{
    int i = MOST_GOING - 1;
    while (i >= 0 && deleted[i].name != name) {
        i--;
    }
    return i;
}

/* -1: it isn't one. */
static int
going_place(const PyObject *name)
{
    int i = deleted_place(name);
    return i >= 0 && deleted[i].keys == NULL ? i : -1;
}

static void
comes_and_goes(const Keys *keys, PyObject *name)
{
    static unsigned deletions;
    if (!_PyUnicode_IsPlainInterned(name)) {
        return;
    }
    int i = deleted_place(name);
    if (i < 0) {
        i = (int)(deletions++ % MOST_GOING);
        Py_XSETREF(deleted[i].name, Py_NewRef(name));
        deleted[i].keys = keys;
    }
    else if (deleted[i].keys == keys) {
        deleted[i].keys = NULL;
        deleted[i].since = next_keys_version;
    }
    else if (deleted[i].keys != NULL) {
        deleted[i].keys = keys;
    }
}

/* May a cache rely on the place of this key of a table that has a version? */
static int
may_be_remembered(const Keys *keys, PyObject *name)
{
    if (!has_name(&remembered_names, _PyUnicode_CachedHash(name))) {
        return 0;
    }
    int i = going_place(name);
    return i < 0 || keys->version < deleted[i].since;
}

void
_PyDictKeys_NameGoes(Keys *keys, Py_ssize_t pos)
{
    PyObject *name = _PyDictKeys_KeyAt(keys, pos);
    if (may_be_remembered(keys, name)) {
        keys->version = 0;
    }
    comes_and_goes(keys, name);
}

Py_ssize_t
_PyDictKeys_EndOfKept(const Keys *old, Py_ssize_t used, const Keys *keys)
{
    const _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(old);
    Py_ssize_t end = old->nentries;
    while (end > 0 && (e[end - 1].value == NULL || !may_be_remembered(old, e[end - 1].key))) {
        end--;
    }
    Py_ssize_t holes = 0;
    for (Py_ssize_t i = 0; i < end; i++) {
        holes += e[i].value == NULL;
    }
    return holes <= used / 4 && used + holes < keys->usable ? end : -1;
}

uint32_t
_PyDictKeys_NewVersion(PyDictObject *mp)
{
    if (mp->ma_keys == _PyDict_EmptyKeys || next_keys_version == 0) {
        return 0;
    }
    return mp->ma_keys->version = next_keys_version++;
}

uint32_t
_PyDictKeys_VersionFor(PyDictObject *mp, Py_ssize_t pos)
{
    PyObject *name = _PyDictKeys_KeyAt(mp->ma_keys, pos);
    if (going_place(name) >= 0) {
        return 0;
    }
    Py_hash_t hash = _PyUnicode_CachedHash(name);
    *name_word(&remembered_names, hash) |= name_bit(hash);
    return _PyDictKeys_GetVersion(mp);
}
