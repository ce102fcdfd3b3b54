/* The head of a dict, and lookups with a known hash or an identifier. */
#ifndef Py_CPYTHON_DICTOBJECT_H
#define Py_CPYTHON_DICTOBJECT_H

_Py_BEGIN_DECLS

typedef struct _dictkeysobject PyDictKeysObject;
typedef struct _dictvalues PyDictValues;

typedef struct {
    PyObject_HEAD
    Py_ssize_t ma_used;             /* items */
    uint64_t ma_version_tag;        /* changes with every change of the dict */
    PyDictKeysObject *ma_keys;      /* the table, and for an instance's dict … */
    PyDictValues *ma_values;        /* … the values, if its keys are shared; else NULL */
} PyDictObject;

#define _PyDict_HasSplitTable(d) ((d)->ma_values != NULL)
#define PyDict_GET_SIZE(mp)      (assert(PyDict_Check(mp)), ((PyDictObject *)(mp))->ma_used)

/* The value of the key. If the key is missing, it is inserted with defaultobj. */
PyAPI_FUNC(PyObject *) PyDict_SetDefault(PyObject *p, PyObject *key,
    PyObject *defaultobj);  /* borrowed */
PyAPI_FUNC(PyObject *) _PyDict_NewPresized(Py_ssize_t minused);
/* Removes the key and returns its value, or else deflt, which may be NULL. */
PyAPI_FUNC(PyObject *) _PyDict_Pop(PyObject *dict, PyObject *key, PyObject *deflt);
PyAPI_FUNC(PyObject *) _PyDict_GetItemWithError(PyObject *dict, PyObject *key);
PyAPI_FUNC(PyObject *) _PyDict_GetItemIdWithError(PyObject *dict, _Py_Identifier *key);
PyAPI_FUNC(PyObject *) _PyDict_GetItemStringWithError(PyObject *dict, const char *key);
PyAPI_FUNC(PyObject *) _PyDict_GetItem_KnownHash(PyObject *mp, PyObject *key,
    Py_hash_t hash);
PyAPI_FUNC(int) _PyDict_SetItem_KnownHash(PyObject *mp, PyObject *key, PyObject *item,
    Py_hash_t hash);
PyAPI_FUNC(int) _PyDict_SetItemId(PyObject *dict, _Py_Identifier *key, PyObject *item);
PyAPI_FUNC(int) _PyDict_DelItem_KnownHash(PyObject *mp, PyObject *key, Py_hash_t hash);
PyAPI_FUNC(int) _PyDict_DelItemId(PyObject *mp, _Py_Identifier *key);
/* Deletes the item if predicate(value) is 1. */
PyAPI_FUNC(int) _PyDict_DelItemIf(PyObject *mp, PyObject *key,
    int (*predicate)(PyObject *));
PyAPI_FUNC(int) _PyDict_Contains_KnownHash(PyObject *mp, PyObject *key, Py_hash_t hash);
PyAPI_FUNC(int) _PyDict_ContainsId(PyObject *mp, _Py_Identifier *key);
/* PyDict_Next with the hash. All pointers but pos may be NULL. */
PyAPI_FUNC(int) _PyDict_Next(PyObject *mp, Py_ssize_t *pos, PyObject **key,
    PyObject **value, Py_hash_t *hash);
/* With override 2, a key in both is a KeyError. */
PyAPI_FUNC(int) _PyDict_MergeEx(PyObject *mp, PyObject *other, int override);
PyAPI_FUNC(int) _PyDict_HasOnlyStringKeys(PyObject *mp);
PyAPI_FUNC(Py_ssize_t) _PyDict_SizeOf(PyDictObject *mp);
PyAPI_FUNC(void) _PyDict_MaybeUntrack(PyObject *mp);
PyAPI_FUNC(void) _PyDict_DebugMallocStats(FILE *out);

typedef struct {
    PyObject_HEAD
    PyDictObject *dv_dict;
} _PyDictViewObject;

PyAPI_FUNC(PyObject *) _PyDictView_New(PyObject *dict, PyTypeObject *type);
PyAPI_FUNC(PyObject *) _PyDictView_Intersect(PyObject *self, PyObject *other);

_Py_END_DECLS
#endif
