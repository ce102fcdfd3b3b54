/* The versions of tables: what inline caches rely on. */
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

int
_PyDictKeys_IsAwaited(Py_hash_t hash)
{
    return has_name(&missing_names, hash);
}

void
_PyDict_NoteMissing(PyObject *name)
{
    Py_hash_t hash = PyObject_Hash(name);
    *name_word(&missing_names, hash) |= name_bit(hash);
}

/* Names that come and go, as `e` of `except … as e` in the body of a module: those that were
   deleted last. They are interned and plain, so the same str each time. While a name is here, no cache
   remembers its place, so none has done so for versions that are not older than `since`. */
enum { MOST_GOING = 32 };
static struct {
    PyObject *name;
    uint32_t since;
} going[MOST_GOING];

/* -1: it isn't one. */
static int
going_place(const PyObject *name)
{
    int i = MOST_GOING - 1;
    while (i >= 0 && going[i].name != name) {
        i--;
    }
    return i;
}

void
_PyDictKeys_NoteGoing(PyObject *name)
{
    static unsigned deletions;
    if (_PyUnicode_IsPlainInterned(name) && going_place(name) < 0) {
        unsigned i = deletions++ % MOST_GOING;
        going[i].since = next_keys_version;
        Py_XSETREF(going[i].name, Py_NewRef(name));
    }
}

/* May a cache rely on the place of this key of a table that has a version? */
int
_PyDictKeys_MayBeRemembered(const Keys *keys, PyObject *name)
{
    if (!has_name(&remembered_names, _PyUnicode_CachedHash(name))) {
        return 0;
    }
    int i = going_place(name);
    return i < 0 || keys->version < going[i].since;
}

/* The end of the part of a table with a version in which all entries, deleted ones too, must keep
   their places if the version is to outlive a move to `keys`. -1: there are too many of them. */
Py_ssize_t
_PyDictKeys_EndOfKept(const Keys *old, Py_ssize_t used, const Keys *keys)
{
    const _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(old);
    Py_ssize_t end = old->nentries;
    while (end > 0
           && (e[end - 1].value == NULL || !_PyDictKeys_MayBeRemembered(old, e[end - 1].key))) {
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
