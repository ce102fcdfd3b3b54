/* Versions of types, the method cache, and the lookup along the MRO.

   Invariants:
   - a type has a version only if all its bases have one, so that invalidating
     a type reaches, through its subclasses, every version that depends on it;
   - a type whose metaclass computes the MRO in its own way has no version: its
     MRO may contain classes that do not know it as a subclass. */
#include "private.h"
#include "internal/attr_place.h"

struct _PyType_CacheEntry _PyType_cache[1 << _PyType_CACHE_BITS];

static unsigned int next_version = 1;

/* ----------------------------------------------------------------- versions */

/* The type that has a version, for the compiler to machine code. Of types that share a place
   the last one is known. */
#define KNOWN_TYPES 4096
static PyTypeObject *known_types[KNOWN_TYPES];

PyTypeObject *
_PyType_OfVersion(unsigned int version)
{
    PyTypeObject *type = known_types[version % KNOWN_TYPES];
    return version != 0 && type != NULL && type->tp_version_tag == version ? type : NULL;
}

void
_PyType_Forget(PyTypeObject *type)
{
    PyTypeObject **known = &known_types[type->tp_version_tag % KNOWN_TYPES];
    if (*known == type) {
        *known = NULL;
    }
}

static void
drop_version(PyTypeObject *type)
{
    _PyType_Forget(type);
    type->tp_flags &= ~Py_TPFLAGS_VALID_VERSION_TAG;
    type->tp_version_tag = 0;
}

void
PyType_Modified(PyTypeObject *type)
{
    /* If a type has no version, its subclasses have none either. */
    if (type->tp_version_tag == 0) {
        return;
    }
    PyObject *subclasses = type->tp_subclasses;
    if (subclasses != NULL) {
        Py_ssize_t pos = 0;
        PyObject *ref;
        while (PyDict_Next(subclasses, &pos, NULL, &ref)) {
            PyObject *sub = PyWeakref_GET_OBJECT(ref);
            if (sub != Py_None) {
                PyType_Modified((PyTypeObject *)sub);
            }
        }
    }
    drop_version(type);
}

static int
has_custom_mro(PyTypeObject *type)
{
    PyTypeObject *meta = Py_TYPE(type);
    if (meta == &PyType_Type || meta == type) {
        return 0;
    }
    PyObject *own = _PyType_Lookup(meta, _Py_NAME(mro));
    PyObject *usual = _PyType_Lookup(&PyType_Type, _Py_NAME(mro));
    return own != usual;
}

/* Called when the bases or the MRO of the type have changed. */
void
_PyType_MroModified(PyTypeObject *type, PyObject *bases)
{
    Py_ssize_t n = PyTuple_GET_SIZE(bases);
    int cacheable = !has_custom_mro(type);
    for (Py_ssize_t i = 0; cacheable && i < n; i++) {
        PyObject *base = PyTuple_GET_ITEM(bases, i);
        cacheable = PyType_Check(base)
                    && PyType_IsSubtype(type, (PyTypeObject *)base);
    }
    if (!cacheable) {
        drop_version(type);
    }
}

unsigned int
_PyType_AssignVersion(PyTypeObject *type)
{
    if (type->tp_version_tag != 0) {
        return type->tp_version_tag;
    }
    if (!has_flag(type, Py_TPFLAGS_READY) || next_version == 0
        || type->tp_bases == NULL) {
        return 0;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(type->tp_bases);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *base = PyTuple_GET_ITEM(type->tp_bases, i);
        if (!PyType_Check(base)
            || _PyType_AssignVersion((PyTypeObject *)base) == 0) {
            return 0;
        }
    }
    if (has_custom_mro(type)) {
        return 0;
    }
    type->tp_version_tag = next_version++;
    known_types[type->tp_version_tag % KNOWN_TYPES] = type;
    type->tp_flags |= Py_TPFLAGS_VALID_VERSION_TAG;
    return type->tp_version_tag;
}

/* ---------------------------------------------- attributes that change all the time

   A class that counts its instances writes an attribute of its own in each __init__. If that
   changed its version, nothing of the class would be known for longer than that. So who keeps
   such attributes in a table: no cache has their values, and writing them changes no version. An
   attribute that is read for long is taken out, and whichever place it shares with another may be
   taken from it at any time: then caches may have its value, and the next write counts again. */

#define CHANGES_OFTEN 8             /* after so many times */
#define STAYS 64                    /* what is read so often is one that stays */

typedef struct {
    const PyTypeObject *type;       /* not owned */
    Py_hash_t hash;                 /* of the name; all that have it are taken for one */
    uint32_t written, read;
} Changing;

static Changing changing[256];
static int any_changing;

static Changing *
place_of_changing(const PyTypeObject *type, Py_hash_t hash)
{
    return &changing[((size_t)hash + ((uintptr_t)type >> 5)) % Py_ARRAY_LENGTH(changing)];
}

/* The class's own attribute is read: does it change all the time? */
static int
is_changing(const PyTypeObject *type, Py_hash_t hash)
{
    Changing *at = place_of_changing(type, hash);
    if (at->type != type || at->hash != hash || at->written < CHANGES_OFTEN) {
        return 0;
    }
    if (++at->read > STAYS) {
        at->type = NULL;
        return 0;
    }
    return 1;
}

int
_PyType_IsChanging(PyTypeObject *type, PyObject *name)
{
    return any_changing && is_changing(type, ((PyASCIIObject *)name)->hash);
}

static int
is_plain(const PyObject *value)
{
    return Py_TYPE(value)->tp_descr_get == NULL && Py_TYPE(value)->tp_descr_set == NULL;
}

int
_PyType_Changes(PyTypeObject *type, PyObject *name, PyObject *old, PyObject *value)
{
    Py_UCS4 first = PyUnicode_GET_LENGTH(name) > 0 ? PyUnicode_READ_CHAR(name, 0) : '_';
    if (old == NULL || value == NULL || !is_plain(old) || !is_plain(value)
        || (first == '_' && PyUnicode_GET_LENGTH(name) > 1
            && PyUnicode_READ_CHAR(name, 1) == '_')) {
        return 0;
    }
    Py_hash_t hash = ((PyASCIIObject *)name)->hash;     /* its dictionary has asked for it */
    Changing *at = place_of_changing(type, hash);
    if (at->type != type || at->hash != hash) {
        *at = (Changing){.type = type, .hash = hash};
    }
    at->read = 0;
    any_changing = 1;
    if (at->written == CHANGES_OFTEN) {
        return 1;
    }
    at->written++;
    return 0;
}

/* ------------------------------------------------------------------- lookup */

/* Looks along the MRO, without the cache. Returns a borrowed reference. *error: -1 on
   exception, 1 if there is no MRO, 2 if the value may not be kept. */
static PyObject *
find_in_mro(PyTypeObject *type, PyObject *name, int *error)
{
    *error = 0;
    Py_hash_t hash = PyUnicode_CheckExact(name)
                     ? ((PyASCIIObject *)name)->hash : -1;
    if (hash == -1) {
        hash = PyObject_Hash(name);
        if (hash == -1) {
            *error = -1;
            return NULL;
        }
    }
    PyObject *mro = type->tp_mro;
    if (mro == NULL) {
        if (!has_flag(type, Py_TPFLAGS_READYING)
            && PyType_Ready(type) < 0) {
            *error = -1;
            return NULL;
        }
        mro = type->tp_mro;
        if (mro == NULL) {
            *error = 1;
            return NULL;
        }
    }
    /* Comparing keys may run Python code that replaces the MRO. */
    Py_INCREF(mro);
    PyObject *result = NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(mro);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *dict = ((PyTypeObject *)PyTuple_GET_ITEM(mro, i))->tp_dict;
        if (dict == NULL) {
            continue;
        }
        result = _PyDict_GetItem_KnownHash(dict, name, hash);
        if (result != NULL) {
            if (any_changing && is_changing((PyTypeObject *)PyTuple_GET_ITEM(mro, i), hash)) {
                *error = 2;
            }
            break;
        }
        /* A lookup of an exact str in a dictionary of such keys can't raise; the check
           is cheap compared to the lookup. */
        if (_PyThreadState_GET()->curexc_type != NULL) {
            *error = -1;
            break;
        }
    }
    Py_DECREF(mro);
    return result;
}

PyObject *
_PyType_Lookup(PyTypeObject *type, PyObject *name)
{
    struct _PyType_CacheEntry *entry =
        _PyType_CacheSlot(type->tp_version_tag, name);
    if (entry->name == name && entry->version == type->tp_version_tag) {
        return entry->value;
    }
    /* A name that a program has put together is known by its interned twin, which most
       attributes have: each such name would find the cache empty, and leave an entry behind. */
    PyObject *twin = PyUnicode_CheckExact(name) ? _PyUnicode_FindInterned(name) : NULL;
    if (twin != NULL) {
        name = twin;
        entry = _PyType_CacheSlot(type->tp_version_tag, name);
        if (entry->name == name && entry->version == type->tp_version_tag) {
            return entry->value;
        }
    }
    /* An exception that is already set must survive, and must not be taken for one of
       the lookup's. */
    PyObject *exc_type = NULL, *exc_value = NULL, *exc_traceback = NULL;
    int pending = _PyThreadState_GET()->curexc_type != NULL;
    if (pending) {
        PyErr_Fetch(&exc_type, &exc_value, &exc_traceback);
    }
    /* Comparing keys may run Python code: the twin may die, and what is found may belong to a
       version that the type has no more. */
    unsigned int version = _PyType_AssignVersion(type);
    Py_XINCREF(twin);
    int error;
    PyObject *result = find_in_mro(type, name, &error);
    if (error < 0) {
        PyErr_Clear();
    }
    if (pending) {
        PyErr_Restore(exc_type, exc_value, exc_traceback);
    }
    if (error == -1 || error == 1) {
        Py_XDECREF(twin);
        return NULL;
    }
    if (version != 0 && version == type->tp_version_tag && error == 0 && PyUnicode_CheckExact(name)
        && PyUnicode_GET_LENGTH(name) <= 100) {
        entry = _PyType_CacheSlot(version, name);
        PyObject *old = entry->name;
        entry->name = Py_NewRef(name);
        entry->value = result;
        entry->version = version;
        entry->place = PLACE_UNKNOWN;
        Py_XDECREF(old);
    }
    Py_XDECREF(twin);
    return result;
}

PyObject *
_PyType_LookupId(PyTypeObject *type, _Py_Identifier *id)
{
    PyObject *name = _PyUnicode_FromId(id);     /* borrowed */
    return name == NULL ? NULL : _PyType_Lookup(type, name);
}

void
_PyType_ClearCache(void)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(_PyType_cache); i++) {
        struct _PyType_CacheEntry *entry = &_PyType_cache[i];
        PyObject *name = entry->name;
        entry->name = NULL;
        entry->value = NULL;
        entry->version = 0;
        entry->place = PLACE_UNKNOWN;
        Py_XDECREF(name);
    }
}

unsigned int
PyType_ClearCache(void)
{
    _PyType_ClearCache();
    return next_version - 1;
}
