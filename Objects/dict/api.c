/* The C API of dict, apart from the type (type.c) and merging (merge.c). */
#include "private.h"
#include "internal/pystate.h"
#include "internal/errors.h"
#include "internal/tuple.h"

PyObject *
PyDict_New(void)
{
    return _PyDict_Alloc();
}

PyObject *
_PyDict_NewPresized(Py_ssize_t minused)
{
    /* A dict is presized only up to this number of slots, as the caller may be wrong.
       Beyond it the dict grows as it fills. */
    const Py_ssize_t most = (Py_ssize_t)1 << 17;
    PyObject *dict = _PyDict_Alloc();
    if (dict == NULL || minused <= keys_capacity(DICT_MIN_LOG2)) {
        return dict;
    }
    if (_PyDict_Reserve((PyDictObject *)dict, Py_MIN(minused, most * 2 / 3),
                        DICT_KEYS_UNICODE) < 0) {
        Py_DECREF(dict);
        return NULL;
    }
    return dict;
}

/* ------------------------------------------------------------------ reading */

static inline PyObject *
get_borrowed(PyDictObject *mp, PyObject *key)
{
    Py_hash_t hash = key_hash(key);
    if (hash == -1) {
        return NULL;
    }
    PyObject *value;
    if (PyUnicode_CheckExact(key) && mp->ma_keys->kind == DICT_KEYS_UNICODE) {
        PyObject **at;
        if (_PyDictKeys_FirstPosition(mp->ma_keys, hash) == DICT_EMPTY) {
            return NULL;
        }
        at = _PyDict_PeekStr(mp, key);
        return at != NULL || _PyDict_FindStr(mp, key, hash, &at) > 0 ? *at : NULL;
    }
    _PyDict_Lookup(mp, key, hash, &value);
    return value;
}

PyObject *
_PyDict_GetNew(PyDictObject *mp, PyObject *key)
{
    return Py_XNewRef(get_borrowed(mp, key));
}

/* Errors of the lookup are swallowed, and an exception that was set before the call
   stays set: old code relies on this. */
PyObject *
PyDict_GetItem(PyObject *op, PyObject *key)
{
    if (!PyDict_Check(op)) {
        return NULL;
    }
    PyDictObject *mp = (PyDictObject *)op;
    if (!PyErr_Occurred()) {
        PyObject *value = get_borrowed(mp, key);
        if (value == NULL) {
            PyErr_Clear();
        }
        return value;
    }
    PyObject *type, *exc, *traceback;
    PyErr_Fetch(&type, &exc, &traceback);
    PyObject *value = get_borrowed(mp, key);
    PyErr_Restore(type, exc, traceback);
    return value;
}

PyObject *
PyDict_GetItemWithError(PyObject *op, PyObject *key)
{
    if (!PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return get_borrowed((PyDictObject *)op, key);
}

PyObject *
_PyDict_GetItemWithError(PyObject *op, PyObject *key)
{
    return PyDict_GetItemWithError(op, key);
}

PyObject *
_PyDict_GetItem_KnownHash(PyObject *op, PyObject *key, Py_hash_t hash)
{
    if (!PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyObject *value;
    _PyDict_Lookup((PyDictObject *)op, key, hash, &value);
    return value;
}

PyObject *
_PyDict_GetItemIdWithError(PyObject *op, _Py_Identifier *id)
{
    PyObject *key = _PyUnicode_FromId(id);
    return key == NULL ? NULL : PyDict_GetItemWithError(op, key);
}

PyObject *
_PyDict_GetItemStringWithError(PyObject *op, const char *name)
{
    PyObject *key = PyUnicode_FromString(name);
    if (key == NULL) {
        return NULL;
    }
    PyObject *value = PyDict_GetItemWithError(op, key);
    Py_DECREF(key);
    return value;
}

PyObject *
PyDict_GetItemString(PyObject *op, const char *name)
{
    PyObject *key = PyUnicode_FromString(name);
    if (key == NULL) {
        PyErr_Clear();
        return NULL;
    }
    PyObject *value = PyDict_GetItem(op, key);
    Py_DECREF(key);
    return value;
}

int
_PyDict_Contains_KnownHash(PyObject *op, PyObject *key, Py_hash_t hash)
{
    PyObject *value;
    Py_ssize_t pos = _PyDict_Lookup((PyDictObject *)op, key, hash, &value);
    return pos == DICT_ERROR ? -1 : value != NULL;
}

int
PyDict_Contains(PyObject *op, PyObject *key)
{
    Py_hash_t hash = key_hash(key);
    return hash == -1 ? -1 : _PyDict_Contains_KnownHash(op, key, hash);
}

int
_PyDict_ContainsId(PyObject *op, _Py_Identifier *id)
{
    PyObject *key = _PyUnicode_FromId(id);
    return key == NULL ? -1 : PyDict_Contains(op, key);
}

Py_ssize_t
PyDict_Size(PyObject *op)
{
    if (op == NULL || !PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    return ((PyDictObject *)op)->ma_used;
}

int
_PyDict_Next(PyObject *op, Py_ssize_t *ppos, PyObject **pkey,
             PyObject **pvalue, Py_hash_t *phash)
{
    PyObject *key, *value;
    Py_hash_t hash;
    if (!PyDict_Check(op)
        || !dict_next((PyDictObject *)op, ppos, &key, &value, &hash)) {
        return 0;
    }
    if (pkey != NULL) {
        *pkey = key;
    }
    if (pvalue != NULL) {
        *pvalue = value;
    }
    if (phash != NULL) {
        *phash = hash;
    }
    return 1;
}

int
PyDict_Next(PyObject *op, Py_ssize_t *ppos, PyObject **pkey,
            PyObject **pvalue)
{
    return _PyDict_Next(op, ppos, pkey, pvalue, NULL);
}

int
_PyDict_HasOnlyStringKeys(PyObject *op)
{
    PyDictObject *mp = (PyDictObject *)op;
    if (mp->ma_keys->kind == DICT_KEYS_UNICODE) {
        return 1;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    Py_hash_t hash;
    while (dict_next(mp, &pos, &key, &value, &hash)) {
        if (!PyUnicode_Check(key)) {
            return 0;
        }
    }
    return 1;
}

/* ------------------------------------------------------------------ writing */

int
_PyDict_SetItem_KnownHash(PyObject *op, PyObject *key, PyObject *value,
                          Py_hash_t hash)
{
    if (!PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    return _PyDict_Insert((PyDictObject *)op, key, hash, value);
}

int
PyDict_SetItem(PyObject *op, PyObject *key, PyObject *value)
{
    if (!PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    Py_hash_t hash = key_hash(key);
    return hash == -1 ? -1
        : _PyDict_Insert((PyDictObject *)op, key, hash, value);
}

int
_PyDict_SetItemId(PyObject *op, _Py_Identifier *id, PyObject *value)
{
    PyObject *key = _PyUnicode_FromId(id);
    return key == NULL ? -1 : PyDict_SetItem(op, key, value);
}

int
PyDict_SetItemString(PyObject *op, const char *name, PyObject *value)
{
    PyObject *key = PyUnicode_InternFromString(name);
    if (key == NULL) {
        return -1;
    }
    int result = PyDict_SetItem(op, key, value);
    Py_DECREF(key);
    return result;
}

PyObject *
PyDict_SetDefault(PyObject *op, PyObject *key, PyObject *default_value)
{
    if (!PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    Py_hash_t hash = key_hash(key);
    if (hash == -1) {
        return NULL;
    }
    PyObject *result;
    if (_PyDict_SetDefault((PyDictObject *)op, key, hash, default_value,
                           &result) < 0) {
        return NULL;
    }
    Py_DECREF(result);
    return result;
}

int
_PyDict_DelItem_KnownHash(PyObject *op, PyObject *key, Py_hash_t hash)
{
    if (!PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    PyObject *value;
    int taken = _PyDict_Take((PyDictObject *)op, key, hash, &value);
    if (taken <= 0) {
        if (taken == 0) {
            _PyErr_SetKeyError(key);
        }
        return -1;
    }
    Py_DECREF(value);
    return 0;
}

int
PyDict_DelItem(PyObject *op, PyObject *key)
{
    Py_hash_t hash = key_hash(key);
    return hash == -1 ? -1 : _PyDict_DelItem_KnownHash(op, key, hash);
}

int
_PyDict_DelItemId(PyObject *op, _Py_Identifier *id)
{
    PyObject *key = _PyUnicode_FromId(id);
    return key == NULL ? -1 : PyDict_DelItem(op, key);
}

int
PyDict_DelItemString(PyObject *op, const char *name)
{
    PyObject *key = PyUnicode_FromString(name);
    if (key == NULL) {
        return -1;
    }
    int result = PyDict_DelItem(op, key);
    Py_DECREF(key);
    return result;
}

/* Deletes the key if the predicate holds for its value. The predicate must not touch
   the dict. A missing key is a KeyError. */
int
_PyDict_DelItemIf(PyObject *op, PyObject *key,
                  int (*predicate)(PyObject *value))
{
    if (!PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    Py_hash_t hash = key_hash(key);
    if (hash == -1) {
        return -1;
    }
    PyObject *value;
    Py_ssize_t pos = _PyDict_Lookup((PyDictObject *)op, key, hash, &value);
    if (value == NULL) {
        if (pos != DICT_ERROR) {
            _PyErr_SetKeyError(key);
        }
        return -1;
    }
    int wanted = predicate(value);
    if (wanted > 0) {
        _PyDict_DeletePos((PyDictObject *)op, hash, pos);
    }
    return wanted < 0 ? -1 : 0;
}

/* dict.pop(key[, default]); KeyError when the default is NULL. */
static PyObject *
pop_known_hash(PyObject *op, PyObject *key, Py_hash_t hash,
               PyObject *default_value)
{
    PyObject *value;
    int taken = _PyDict_Take((PyDictObject *)op, key, hash, &value);
    if (taken != 0) {
        return taken > 0 ? value : NULL;
    }
    if (default_value == NULL) {
        _PyErr_SetKeyError(key);
    }
    return Py_XNewRef(default_value);
}

PyObject *
_PyDict_Pop(PyObject *op, PyObject *key, PyObject *default_value)
{
    if (((PyDictObject *)op)->ma_used == 0) {
        if (default_value == NULL) {
            _PyErr_SetKeyError(key);
        }
        return Py_XNewRef(default_value);
    }
    Py_hash_t hash = key_hash(key);
    return hash == -1 ? NULL
        : pop_known_hash(op, key, hash, default_value);
}

void
PyDict_Clear(PyObject *op)
{
    if (!PyDict_Check(op)) {
        return;
    }
    PyDictObject *mp = (PyDictObject *)op;
    Keys *keys = mp->ma_keys;
    if (keys == _PyDict_EmptyKeys) {
        return;
    }
    mp->ma_keys = _PyDict_EmptyKeys;
    mp->ma_used = 0;
    dict_touch(mp);
    _PyDictKeys_Free(keys);
}

/* -------------------------------------------------------------- whole dicts */

PyObject *
PyDict_Copy(PyObject *op)
{
    if (op == NULL || !PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyDictObject *from = (PyDictObject *)op;
    PyDictObject *copy = (PyDictObject *)_PyDict_Alloc();
    if (copy == NULL) {
        return NULL;
    }
    /* A subclass may store its keys elsewhere, in another order. */
    int failed;
    if (Py_TYPE(op)->tp_iter == PyDict_Type.tp_iter
        && from->ma_used >= from->ma_keys->nentries * 2 / 3) {
        failed = _PyDict_CloneInto(copy, from) == NULL;
    }
    else {
        failed = PyDict_Merge((PyObject *)copy, op, 1) < 0;
    }
    if (failed) {
        Py_DECREF(copy);
        return NULL;
    }
    return (PyObject *)copy;
}

/* Returns a new list of what `pick` takes from each entry. Making the items may start a
   collection that changes the dict; in that case start again. */
static PyObject *
list_entries(PyObject *op, PyObject *(*pick)(PyObject *, PyObject *))
{
    if (op == NULL || !PyDict_Check(op)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyDictObject *mp = (PyDictObject *)op;
    for (;;) {
        Py_ssize_t n = mp->ma_used;
        PyObject *list = PyList_New(n);
        if (list == NULL) {
            return NULL;
        }
        Py_ssize_t i = 0, pos = 0;
        PyObject *key, *value;
        Py_hash_t hash;
        while (i < n && mp->ma_used == n
               && dict_next(mp, &pos, &key, &value, &hash)) {
            PyObject *item = pick(key, value);
            if (item == NULL) {
                Py_DECREF(list);
                return NULL;
            }
            PyList_SET_ITEM(list, i++, item);
        }
        if (i == n && mp->ma_used == n) {
            return list;
        }
        Py_DECREF(list);
    }
}

static PyObject *
pick_key(PyObject *key, PyObject *Py_UNUSED(value))
{
    return Py_NewRef(key);
}

static PyObject *
pick_value(PyObject *Py_UNUSED(key), PyObject *value)
{
    return Py_NewRef(value);
}

static PyObject *
pick_item(PyObject *key, PyObject *value)
{
    return _PyTuple_Pair(key, value);
}

PyObject *
PyDict_Keys(PyObject *op)
{
    return list_entries(op, pick_key);
}

PyObject *
PyDict_Values(PyObject *op)
{
    return list_entries(op, pick_value);
}

PyObject *
PyDict_Items(PyObject *op)
{
    return list_entries(op, pick_item);
}

Py_ssize_t
_PyDict_SizeOf(PyDictObject *mp)
{
    return _PyObject_SIZE(Py_TYPE(mp)) + (Py_ssize_t)_PyDict_TableSize(mp);
}

/* The collector need not track an exact dict whose keys and values cannot be part of a
   cycle. */
void
_PyDict_MaybeUntrack(PyObject *op)
{
    if (!PyDict_CheckExact(op) || !_PyObject_GC_IS_TRACKED(op)) {
        return;
    }
    PyDictObject *mp = (PyDictObject *)op;
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    Py_hash_t hash;
    while (dict_next(mp, &pos, &key, &value, &hash)) {
        if (_PyObject_MayBeTracked(value) || _PyObject_MayBeTracked(key)) {
            return;
        }
    }
    _PyObject_GC_UNTRACK(op);
}

void
_PyDict_DebugMallocStats(FILE *out)
{
    (void)out;
}
