/* Filling a dict from other mappings and from pairs. */
#include "private.h"
#include "internal/errors.h"
#include "internal/list.h"
#include "internal/names.h"
#include "cpython/odictobject.h"

/* What to do with a key that both have. */
enum { KEEP_FIRST = 0, KEEP_LAST = 1, NO_DUPLICATES = 2 };

/* Sets a[key] according to the rule. */
static int
merge_entry(PyDictObject *a, PyObject *key, Py_hash_t hash, PyObject *value,
            int override)
{
    if (override != KEEP_LAST) {
        int present = _PyDict_Contains_KnownHash((PyObject *)a, key, hash);
        if (present < 0) {
            return -1;
        }
        if (present) {
            if (override == KEEP_FIRST) {
                return 0;
            }
            _PyErr_SetKeyError(key);
            return -1;
        }
    }
    return _PyDict_Insert(a, key, hash, value);
}

static int
merge_dict(PyDictObject *a, PyDictObject *b, int override)
{
    if (a == b || b->ma_used == 0) {
        return 0;
    }
    if (a->ma_used == 0) {
        override = KEEP_LAST;
        if (a->ma_keys == _PyDict_EmptyKeys
            && b->ma_used == b->ma_keys->nentries
            && (b->ma_keys->log2_size == DICT_MIN_LOG2
                || b->ma_keys->usable < b->ma_keys->nentries)) {
            return _PyDict_CloneInto(a, b) == NULL ? -1 : 0;
        }
    }
    /* Most keys may be new, or only a few. Reserve for the larger of the two guesses. */
    if (b->ma_used > a->ma_keys->usable
        && _PyDict_Reserve(a, a->ma_used + b->ma_used, b->ma_keys->kind) < 0) {
        return -1;
    }
    Py_ssize_t pos = 0, n = b->ma_keys->nentries;
    PyObject *key, *value;
    Py_hash_t hash;
    while (dict_next(b, &pos, &key, &value, &hash)) {
        int failed;
        if (override == KEEP_LAST) {
            failed = _PyDict_Insert(a, key, hash, value) < 0;   /* holds them first */
        }
        else {
            Py_INCREF(key);
            Py_INCREF(value);
            failed = merge_entry(a, key, hash, value, override) < 0;
            Py_DECREF(key);
            Py_DECREF(value);
        }
        if (failed) {
            return -1;
        }
        if (n != b->ma_keys->nentries) {
            PyErr_SetString(PyExc_RuntimeError, "dict mutated during update");
            return -1;
        }
    }
    return 0;
}

/* Merges from any object with keys() and []. */
static int
merge_mapping(PyObject *a, PyObject *b, int override)
{
    PyObject *keys = PyMapping_Keys(b);
    if (keys == NULL) {
        return -1;
    }
    PyObject *iter = PyObject_GetIter(keys);
    Py_DECREF(keys);
    if (iter == NULL) {
        return -1;
    }
    PyObject *key;
    while ((key = PyIter_Next(iter)) != NULL) {
        Py_hash_t hash = -1;
        PyObject *value = NULL;
        int failed = 1, skip = 0;
        if (override != KEEP_LAST) {
            skip = PyDict_Contains(a, key);
            if (skip > 0 && override == NO_DUPLICATES) {
                _PyErr_SetKeyError(key);
                skip = -1;
            }
        }
        if (skip == 0) {
            value = PyObject_GetItem(b, key);
            if (value != NULL) {
                hash = key_hash(key);
                failed = hash == -1
                    || _PyDict_Insert((PyDictObject *)a, key, hash, value) < 0;
                Py_DECREF(value);
            }
        }
        else {
            failed = skip < 0;
        }
        Py_DECREF(key);
        if (failed) {
            Py_DECREF(iter);
            return -1;
        }
    }
    Py_DECREF(iter);
    return PyErr_Occurred() ? -1 : 0;
}

int
_PyDict_MergeEx(PyObject *a, PyObject *b, int override)
{
    if (a == NULL || !PyDict_Check(a) || b == NULL) {
        PyErr_BadInternalCall();
        return -1;
    }
    if (PyDict_Check(b) && (Py_TYPE(b)->tp_iter == PyDict_Type.tp_iter
                            || PyODict_CheckExact(b))) {
        return merge_dict((PyDictObject *)a, (PyDictObject *)b, override);
    }
    return merge_mapping(a, b, override);
}

int
PyDict_Merge(PyObject *a, PyObject *b, int override)
{
    return _PyDict_MergeEx(a, b, override != 0);
}

int
PyDict_Update(PyObject *a, PyObject *b)
{
    return _PyDict_MergeEx(a, b, KEEP_LAST);
}

static inline int
merge_parts(PyObject *dict, PyObject *key, PyObject *value, int override)
{
    Py_hash_t hash = key_hash(key);
    return hash == -1 ? -1 : merge_entry((PyDictObject *)dict, key, hash, value,
                                         override ? KEEP_LAST : KEEP_FIRST);
}

/* Element number i of the sequence of pairs. */
static int
merge_pair(PyObject *dict, PyObject *element, Py_ssize_t i, int override)
{
    if (PyTuple_CheckExact(element) && PyTuple_GET_SIZE(element) == 2) {
        return merge_parts(dict, PyTuple_GET_ITEM(element, 0), PyTuple_GET_ITEM(element, 1),
                           override);
    }
    PyObject *pair = PySequence_Fast(element, "");
    if (pair == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(PyExc_TypeError,
                         "cannot convert dictionary update "
                         "sequence element #%zd to a sequence", i);
        }
        return -1;
    }
    int result = -1;
    Py_ssize_t n = PySequence_Fast_GET_SIZE(pair);
    if (n != 2) {
        PyErr_Format(PyExc_ValueError,
                     "dictionary update sequence element #%zd "
                     "has length %zd; 2 is required", i, n);
    }
    else {
        PyObject *key = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 0));
        PyObject *value = Py_NewRef(PySequence_Fast_GET_ITEM(pair, 1));
        result = merge_parts(dict, key, value, override);
        Py_DECREF(key);
        Py_DECREF(value);
    }
    Py_DECREF(pair);
    return result;
}

int
PyDict_MergeFromSeq2(PyObject *dict, PyObject *seq2, int override)
{
    PyObject *iter = PyObject_GetIter(seq2);
    if (iter == NULL) {
        return -1;
    }
    PyObject *element;
    for (Py_ssize_t i = 0; (element = _PyIter_Step(iter)) != NULL; i++) {
        int failed = merge_pair(dict, element, i, override) < 0;
        Py_DECREF(element);
        if (failed) {
            Py_DECREF(iter);
            return -1;
        }
    }
    Py_DECREF(iter);
    return _PyErr_DropStopIteration();
}

/* dict.update(arg): a mapping, or an iterable of pairs. */
int
_PyDict_UpdateFrom(PyObject *dict, PyObject *arg)
{
    if (PyDict_CheckExact(arg)) {
        return PyDict_Merge(dict, arg, 1);
    }
    PyObject *method;
    if (_PyObject_LookupAttr(arg, _Py_NAME(keys), &method) < 0) {
        return -1;
    }
    if (method != NULL) {
        Py_DECREF(method);
        return PyDict_Merge(dict, arg, 1);
    }
    return PyDict_MergeFromSeq2(dict, arg, 1);
}

/* dict.fromkeys for an exact dict and keys whose hashes are known. */
static int
fill_from_known(PyDictObject *mp, PyObject *iterable, PyObject *value)
{
    Py_ssize_t pos = 0;
    PyObject *key, *unused;
    Py_hash_t hash;
    int from_dict = PyDict_CheckExact(iterable);
    Py_ssize_t n = from_dict ? PyDict_GET_SIZE(iterable)
                             : PySet_GET_SIZE(iterable);
    int kind = from_dict ? ((PyDictObject *)iterable)->ma_keys->kind
                         : DICT_KEYS_GENERAL;
    if (n > 0 && _PyDict_Reserve(mp, n, kind) < 0) {
        return -1;
    }
    while (from_dict
           ? dict_next((PyDictObject *)iterable, &pos, &key, &unused, &hash)
           : _PySet_NextEntry(iterable, &pos, &key, &hash)) {
        Py_INCREF(key);
        int failed = _PyDict_Insert(mp, key, hash, value) < 0;
        Py_DECREF(key);
        if (failed) {
            return -1;
        }
    }
    return 0;
}

PyObject *
_PyDict_FromKeys(PyObject *cls, PyObject *iterable, PyObject *value)
{
    PyObject *dict = PyObject_CallNoArgs(cls);
    if (dict == NULL) {
        return NULL;
    }
    int exact = PyDict_CheckExact(dict);
    if (exact && ((PyDictObject *)dict)->ma_used == 0
        && (PyDict_CheckExact(iterable) || PyAnySet_CheckExact(iterable))) {
        if (fill_from_known((PyDictObject *)dict, iterable, value) < 0) {
            Py_DECREF(dict);
            return NULL;
        }
        return dict;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    if (iter == NULL) {
        Py_DECREF(dict);
        return NULL;
    }
    PyObject *key;
    int failed = 0;
    while (!failed && (key = _PyIter_Step(iter)) != NULL) {
        failed = exact ? PyDict_SetItem(dict, key, value) < 0
                       : PyObject_SetItem(dict, key, value) < 0;
        Py_DECREF(key);
    }
    Py_DECREF(iter);
    if (failed || _PyErr_DropStopIteration() < 0) {
        Py_DECREF(dict);
        return NULL;
    }
    return dict;
}
