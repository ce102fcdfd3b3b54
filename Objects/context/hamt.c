/* A hash array mapped trie.

   A node has up to 32 entries. A bitmap tells which ones exist; they are stored packed,
   in the order of their bits. Level n uses bits 5n to 5n+4 of the key's hash. An entry
   is a pair (key, value), or (NULL, child node). Keys with the same hash share a
   *collision* node, which holds any number of pairs and is searched one by one.

   Invariants: a node never changes once other code can see it; a child holds at least
   two pairs (in it or below it), because a single pair would be stored in the parent. */
#include "internal/hamt.h"
#include "internal/gcstate.h"
#include "structmember.h"

#include <stddef.h>

#define LEVEL_BITS 5
#define HASH_BITS 32
/* Seven levels of five bits use the whole hash; after that come collision nodes. */
#define MAX_DEPTH 8

typedef struct {
    PyObject *key;              /* NULL: `value` is a child */
    PyObject *value;
} entry;

typedef struct {
    PyObject_VAR_HEAD           /* ob_size: entries */
    uint32_t bitmap;            /* 0 in a collision node */
    uint32_t hash;              /* of a collision node's keys */
    entry entries[];
} node;

static inline node *
as_node(PyObject *op)
{
    return (node *)op;
}

static inline int
is_collision(const node *n)
{
    return n->bitmap == 0;
}

static inline uint32_t
bit_of(uint32_t hash, int shift)
{
    return 1u << ((hash >> shift) & 31);
}

static inline int
index_of(const node *n, uint32_t bit)
{
    return __builtin_popcount(n->bitmap & (bit - 1));
}

static int
hash_of(PyObject *key, uint32_t *hash)
{
    Py_hash_t h = PyObject_Hash(key);
    if (h == -1) {
        return -1;
    }
    *hash = (uint32_t)h ^ (uint32_t)((uint64_t)h >> 32);
    return 0;
}

static inline int
same_key(PyObject *a, PyObject *b)
{
    return a == b ? 1 : PyObject_RichCompareBool(a, b, Py_EQ);
}

/* -------------------------------------------------------------------- nodes */

static node *
new_node(Py_ssize_t size, uint32_t bitmap, uint32_t hash)
{
    node *n = PyObject_GC_NewVar(node, &_PyHamtNode_Type, size);
    if (n != NULL) {
        n->bitmap = bitmap;
        n->hash = hash;
        memset(n->entries, 0, (size_t)size * sizeof(entry));
    }
    return n;
}

static PyObject *
finish(node *n)
{
    _PyObject_GC_TRACK((PyObject *)n);
    return (PyObject *)n;
}

static inline void
set_entry(entry *e, PyObject *key, PyObject *value)
{
    e->key = Py_XNewRef(key);
    e->value = Py_NewRef(value);
}

static void
copy_entries(entry *to, const entry *from, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        set_entry(&to[i], from[i].key, from[i].value);
    }
}

/* A copy with entry i replaced. */
static PyObject *
with_replaced(const node *n, Py_ssize_t i, PyObject *key, PyObject *value)
{
    node *copy = new_node(Py_SIZE(n), n->bitmap, n->hash);
    if (copy == NULL) {
        return NULL;
    }
    copy_entries(copy->entries, n->entries, i);
    set_entry(&copy->entries[i], key, value);
    copy_entries(copy->entries + i + 1, n->entries + i + 1,
                 Py_SIZE(n) - i - 1);
    return finish(copy);
}

/* A copy with an entry inserted at i. */
static PyObject *
with_inserted(const node *n, Py_ssize_t i, uint32_t bitmap, PyObject *key,
              PyObject *value)
{
    node *copy = new_node(Py_SIZE(n) + 1, bitmap, n->hash);
    if (copy == NULL) {
        return NULL;
    }
    copy_entries(copy->entries, n->entries, i);
    set_entry(&copy->entries[i], key, value);
    copy_entries(copy->entries + i + 1, n->entries + i, Py_SIZE(n) - i);
    return finish(copy);
}

static PyObject *
with_removed(const node *n, Py_ssize_t i, uint32_t bitmap)
{
    node *copy = new_node(Py_SIZE(n) - 1, bitmap, n->hash);
    if (copy == NULL) {
        return NULL;
    }
    copy_entries(copy->entries, n->entries, i);
    copy_entries(copy->entries + i, n->entries + i + 1, Py_SIZE(n) - i - 1);
    return finish(copy);
}

static PyObject *
one_entry_node(uint32_t bit, PyObject *key, PyObject *value)
{
    node *n = new_node(1, bit, 0);
    if (n == NULL) {
        return NULL;
    }
    set_entry(&n->entries[0], key, value);
    return finish(n);
}

/* The smallest tree of two pairs with different keys. */
static PyObject *
two_pairs(int shift, uint32_t hash1, PyObject *key1, PyObject *value1,
          uint32_t hash2, PyObject *key2, PyObject *value2)
{
    if (hash1 == hash2) {
        node *n = new_node(2, 0, hash1);
        if (n == NULL) {
            return NULL;
        }
        set_entry(&n->entries[0], key1, value1);
        set_entry(&n->entries[1], key2, value2);
        return finish(n);
    }
    uint32_t bit1 = bit_of(hash1, shift), bit2 = bit_of(hash2, shift);
    if (bit1 == bit2) {
        PyObject *child = two_pairs(shift + LEVEL_BITS, hash1, key1, value1,
                                    hash2, key2, value2);
        PyObject *n = child == NULL ? NULL : one_entry_node(bit1, NULL, child);
        Py_XDECREF(child);
        return n;
    }
    node *n = new_node(2, bit1 | bit2, 0);
    if (n == NULL) {
        return NULL;
    }
    set_entry(&n->entries[bit1 > bit2], key1, value1);
    set_entry(&n->entries[bit2 > bit1], key2, value2);
    return finish(n);
}

/* ---------------------------------------------------------------- searching */

/* The index of a pair in a collision node. Returns -1 if not there, -2 on error. */
static Py_ssize_t
find_collision(const node *n, PyObject *key)
{
    for (Py_ssize_t i = 0; i < Py_SIZE(n); i++) {
        int same = same_key(n->entries[i].key, key);
        if (same != 0) {
            return same < 0 ? -2 : i;
        }
    }
    return -1;
}

int
_PyHamt_Find(_PyHamt *map, PyObject *key, PyObject **value)
{
    uint32_t hash;
    if (map->count == 0) {
        return 0;
    }
    if (hash_of(key, &hash) < 0) {
        return -1;
    }
    const node *n = as_node(map->root);
    for (int shift = 0; ; shift += LEVEL_BITS) {
        const entry *e;
        if (is_collision(n)) {
            Py_ssize_t i = find_collision(n, key);
            if (i < 0) {
                return i == -1 ? 0 : -1;
            }
            *value = n->entries[i].value;
            return 1;
        }
        uint32_t bit = bit_of(hash, shift);
        if (!(n->bitmap & bit)) {
            return 0;
        }
        e = &n->entries[index_of(n, bit)];
        if (e->key != NULL) {
            int same = same_key(e->key, key);
            if (same > 0) {
                *value = e->value;
            }
            return same;
        }
        n = as_node(e->value);
    }
}

/* ------------------------------------------------------------------- adding */

static PyObject *
assoc(const node *n, int shift, uint32_t hash, PyObject *key, PyObject *value,
      int *added)
{
    if (is_collision(n)) {
        if (hash != n->hash) {
            /* One level in between separates the hashes. */
            PyObject *wrapped = one_entry_node(bit_of(n->hash, shift), NULL,
                                               (PyObject *)n);
            if (wrapped == NULL) {
                return NULL;
            }
            PyObject *result = assoc(as_node(wrapped), shift, hash, key, value,
                                     added);
            Py_DECREF(wrapped);
            return result;
        }
        Py_ssize_t i = find_collision(n, key);
        if (i == -2) {
            return NULL;
        }
        if (i == -1) {
            *added = 1;
            return with_inserted(n, Py_SIZE(n), 0, key, value);
        }
        return n->entries[i].value == value
            ? Py_NewRef((PyObject *)n) : with_replaced(n, i, key, value);
    }
    uint32_t bit = bit_of(hash, shift);
    int i = index_of(n, bit);
    if (!(n->bitmap & bit)) {
        *added = 1;
        return with_inserted(n, i, n->bitmap | bit, key, value);
    }
    const entry *e = &n->entries[i];
    PyObject *child;
    if (e->key == NULL) {
        child = assoc(as_node(e->value), shift + LEVEL_BITS, hash, key, value,
                      added);
        if (child == e->value) {
            Py_DECREF(child);
            return Py_NewRef((PyObject *)n);
        }
    }
    else {
        int same = same_key(e->key, key);
        if (same < 0) {
            return NULL;
        }
        if (same) {
            return e->value == value ? Py_NewRef((PyObject *)n)
                                     : with_replaced(n, i, key, value);
        }
        uint32_t other;
        if (hash_of(e->key, &other) < 0) {
            return NULL;
        }
        *added = 1;
        child = two_pairs(shift + LEVEL_BITS, other, e->key, e->value,
                          hash, key, value);
    }
    if (child == NULL) {
        return NULL;
    }
    PyObject *result = with_replaced(n, i, NULL, child);
    Py_DECREF(child);
    return result;
}

/* ----------------------------------------------------------------- removing */

typedef enum { REMOVE_ERROR, REMOVE_NOT_FOUND, REMOVE_DONE } remove_status;

static remove_status without(const node *n, int shift, uint32_t hash,
                             PyObject *key, PyObject **result);

/* *result: a new reference to what remains, NULL if nothing remains. */
static remove_status
without_entry(const node *n, Py_ssize_t i, uint32_t bitmap, PyObject **result)
{
    *result = NULL;
    if (Py_SIZE(n) == 1) {
        return REMOVE_DONE;
    }
    *result = with_removed(n, i, bitmap);
    return *result == NULL ? REMOVE_ERROR : REMOVE_DONE;
}

static remove_status
without_collision(const node *n, int shift, PyObject *key, PyObject **result)
{
    Py_ssize_t i = find_collision(n, key);
    if (i < 0) {
        return i == -1 ? REMOVE_NOT_FOUND : REMOVE_ERROR;
    }
    if (Py_SIZE(n) == 2) {
        /* The one pair that remains needs no collision node. */
        const entry *e = &n->entries[1 - i];
        *result = one_entry_node(bit_of(n->hash, shift), e->key, e->value);
        return *result == NULL ? REMOVE_ERROR : REMOVE_DONE;
    }
    return without_entry(n, i, 0, result);
}

static remove_status
without(const node *n, int shift, uint32_t hash, PyObject *key,
        PyObject **result)
{
    if (is_collision(n)) {
        return hash == n->hash ? without_collision(n, shift, key, result)
                               : REMOVE_NOT_FOUND;
    }
    uint32_t bit = bit_of(hash, shift);
    if (!(n->bitmap & bit)) {
        return REMOVE_NOT_FOUND;
    }
    int i = index_of(n, bit);
    const entry *e = &n->entries[i];
    if (e->key != NULL) {
        int same = same_key(e->key, key);
        if (same <= 0) {
            return same < 0 ? REMOVE_ERROR : REMOVE_NOT_FOUND;
        }
        return without_entry(n, i, n->bitmap & ~bit, result);
    }
    PyObject *rest;
    remove_status status = without(as_node(e->value), shift + LEVEL_BITS, hash,
                                   key, &rest);
    if (status != REMOVE_DONE) {
        return status;
    }
    /* A child has at least two pairs, so one is left. */
    const node *child = as_node(rest);
    if (Py_SIZE(child) == 1 && child->entries[0].key != NULL) {
        *result = with_replaced(n, i, child->entries[0].key,
                                child->entries[0].value);
    }
    else {
        *result = with_replaced(n, i, NULL, rest);
    }
    Py_DECREF(rest);
    return *result == NULL ? REMOVE_ERROR : REMOVE_DONE;
}

/* --------------------------------------------------------------------- maps */

/* Steals root. */
static _PyHamt *
new_map(PyObject *root, Py_ssize_t count)
{
    _PyHamt *map = PyObject_GC_New(_PyHamt, &_PyHamt_Type);
    if (map == NULL) {
        Py_XDECREF(root);
        return NULL;
    }
    map->root = root;
    map->count = count;
    map->weakrefs = NULL;
    _PyObject_GC_TRACK((PyObject *)map);
    return map;
}

_PyHamt *
_PyHamt_New(void)
{
    return new_map(NULL, 0);
}

_PyHamt *
_PyHamt_Assoc(_PyHamt *map, PyObject *key, PyObject *value)
{
    uint32_t hash;
    int added = 0;
    PyObject *root;
    if (hash_of(key, &hash) < 0) {
        return NULL;
    }
    if (map->root == NULL) {
        added = 1;
        root = one_entry_node(bit_of(hash, 0), key, value);
    }
    else {
        root = assoc(as_node(map->root), 0, hash, key, value, &added);
    }
    if (root == NULL) {
        return NULL;
    }
    if (root == map->root) {
        Py_DECREF(root);
        return (_PyHamt *)Py_NewRef((PyObject *)map);
    }
    return new_map(root, map->count + added);
}

_PyHamt *
_PyHamt_Without(_PyHamt *map, PyObject *key)
{
    uint32_t hash;
    PyObject *root;
    if (hash_of(key, &hash) < 0) {
        return NULL;
    }
    remove_status status = map->root == NULL ? REMOVE_NOT_FOUND
        : without(as_node(map->root), 0, hash, key, &root);
    if (status == REMOVE_NOT_FOUND) {
        PyErr_SetObject(PyExc_KeyError, key);
        return NULL;
    }
    return status == REMOVE_ERROR ? NULL : new_map(root, map->count - 1);
}

/* ---------------------------------------------------------------- iterating */

typedef struct {
    const node *nodes[MAX_DEPTH + 1];   /* borrowed: the map keeps them */
    Py_ssize_t next[MAX_DEPTH + 1];
    int depth;                          /* -1: at the end */
} walker;

static void
walk_start(walker *w, _PyHamt *map)
{
    w->depth = -1;
    if (map->root != NULL) {
        w->depth = 0;
        w->nodes[0] = as_node(map->root);
        w->next[0] = 0;
    }
}

/* The next pair, or NULL. */
static const entry *
walk_next(walker *w)
{
    while (w->depth >= 0) {
        const node *n = w->nodes[w->depth];
        if (w->next[w->depth] == Py_SIZE(n)) {
            w->depth--;
            continue;
        }
        const entry *e = &n->entries[w->next[w->depth]++];
        if (e->key != NULL) {
            return e;
        }
        w->depth++;
        w->nodes[w->depth] = as_node(e->value);
        w->next[w->depth] = 0;
    }
    return NULL;
}

int
_PyHamt_Eq(_PyHamt *a, _PyHamt *b)
{
    if (a == b) {
        return 1;
    }
    if (a->count != b->count) {
        return 0;
    }
    walker w;
    const entry *e;
    for (walk_start(&w, a); (e = walk_next(&w)) != NULL; ) {
        PyObject *other;
        int found = _PyHamt_Find(b, e->key, &other);
        if (found <= 0) {
            return found;
        }
        int same = PyObject_RichCompareBool(e->value, other, Py_EQ);
        if (same <= 0) {
            return same;
        }
    }
    return 1;
}

typedef struct {
    PyObject_HEAD
    _PyHamt *map;
    walker at;
} hamt_iter;

PyObject *
_PyHamt_NewIter(_PyHamt *map, PyTypeObject *kind)
{
    hamt_iter *it = PyObject_GC_New(hamt_iter, kind);
    if (it == NULL) {
        return NULL;
    }
    it->map = (_PyHamt *)Py_NewRef((PyObject *)map);
    walk_start(&it->at, map);
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

static int
iter_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((hamt_iter *)op)->map);
    return 0;
}

static void
iter_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    Py_XDECREF(((hamt_iter *)op)->map);
    PyObject_GC_Del(op);
}

static PyObject *
iter_next(PyObject *op)
{
    const entry *e = walk_next(&((hamt_iter *)op)->at);
    if (e == NULL) {
        return NULL;
    }
    if (Py_IS_TYPE(op, &_PyHamtKeys_Type)) {
        return Py_NewRef(e->key);
    }
    if (Py_IS_TYPE(op, &_PyHamtValues_Type)) {
        return Py_NewRef(e->value);
    }
    return PyTuple_Pack(2, e->key, e->value);
}

static Py_ssize_t
iter_length(PyObject *op)
{
    return ((hamt_iter *)op)->map->count;
}

static PyMappingMethods iter_as_mapping = {
    .mp_length = iter_length,
};

#define ITER_TYPE(identifier, name)                                     \
    PyTypeObject identifier = {                                         \
        PyVarObject_HEAD_INIT(NULL, 0)                                  \
        .tp_name = name,                                                \
        .tp_basicsize = sizeof(hamt_iter),                              \
        .tp_dealloc = iter_dealloc,                                     \
        .tp_as_mapping = &iter_as_mapping,                              \
        .tp_getattro = PyObject_GenericGetAttr,                         \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,            \
        .tp_traverse = iter_traverse,                                   \
        .tp_iter = PyObject_SelfIter,                                   \
        .tp_iternext = iter_next,                                       \
    }

ITER_TYPE(_PyHamtKeys_Type, "keys");
ITER_TYPE(_PyHamtValues_Type, "values");
ITER_TYPE(_PyHamtItems_Type, "items");

/* ---------------------------------------------------------------- the types */

static int
node_traverse(PyObject *op, visitproc visit, void *arg)
{
    node *n = as_node(op);
    for (Py_ssize_t i = 0; i < Py_SIZE(n); i++) {
        Py_VISIT(n->entries[i].key);
        Py_VISIT(n->entries[i].value);
    }
    return 0;
}

static void
node_dealloc(PyObject *op)
{
    node *n = as_node(op);
    PyObject_GC_UnTrack(op);
    Py_TRASHCAN_BEGIN(op, node_dealloc)
    for (Py_ssize_t i = 0; i < Py_SIZE(n); i++) {
        Py_XDECREF(n->entries[i].key);
        Py_XDECREF(n->entries[i].value);
    }
    PyObject_GC_Del(op);
    Py_TRASHCAN_END
}

PyTypeObject _PyHamtNode_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "hamt_node",
    .tp_basicsize = sizeof(node),
    .tp_itemsize = sizeof(entry),
    .tp_dealloc = node_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = node_traverse,
};

static int
hamt_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((_PyHamt *)op)->root);
    return 0;
}

static int
hamt_clear(PyObject *op)
{
    /* Python code may still reach the map, so make it empty. */
    ((_PyHamt *)op)->count = 0;
    Py_CLEAR(((_PyHamt *)op)->root);
    return 0;
}

static void
hamt_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (((_PyHamt *)op)->weakrefs != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    Py_XDECREF(((_PyHamt *)op)->root);
    Py_TYPE(op)->tp_free(op);
}

static PyObject *
hamt_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
         PyObject *Py_UNUSED(kwds))
{
    return (PyObject *)_PyHamt_New();
}

static PyObject *
hamt_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!Py_IS_TYPE(a, &_PyHamt_Type) || !Py_IS_TYPE(b, &_PyHamt_Type)
        || (op != Py_EQ && op != Py_NE)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int same = _PyHamt_Eq((_PyHamt *)a, (_PyHamt *)b);
    return same < 0 ? NULL : PyBool_FromLong(op == Py_EQ ? same : !same);
}

static Py_ssize_t
hamt_length(PyObject *op)
{
    return ((_PyHamt *)op)->count;
}

static PyObject *
hamt_subscript(PyObject *op, PyObject *key)
{
    PyObject *value;
    int found = _PyHamt_Find((_PyHamt *)op, key, &value);
    if (found > 0) {
        return Py_NewRef(value);
    }
    if (found == 0) {
        PyErr_SetObject(PyExc_KeyError, key);
    }
    return NULL;
}

static int
hamt_contains(PyObject *op, PyObject *key)
{
    PyObject *value;
    return _PyHamt_Find((_PyHamt *)op, key, &value);
}

static PyObject *
hamt_iter_keys(PyObject *op)
{
    return _PyHamt_NewIter((_PyHamt *)op, &_PyHamtKeys_Type);
}

static PyObject *
hamt_set(PyObject *op, PyObject *args)
{
    PyObject *key, *value;
    if (!PyArg_UnpackTuple(args, "set", 2, 2, &key, &value)) {
        return NULL;
    }
    return (PyObject *)_PyHamt_Assoc((_PyHamt *)op, key, value);
}

static PyObject *
hamt_get(PyObject *op, PyObject *args)
{
    PyObject *key, *value, *fallback = Py_None;
    if (!PyArg_UnpackTuple(args, "get", 1, 2, &key, &fallback)) {
        return NULL;
    }
    int found = _PyHamt_Find((_PyHamt *)op, key, &value);
    return found < 0 ? NULL : Py_NewRef(found ? value : fallback);
}

/* Deleting a key that is not there leaves the map as it is. */
static PyObject *
hamt_delete(PyObject *op, PyObject *key)
{
    PyObject *value;
    int found = _PyHamt_Find((_PyHamt *)op, key, &value);
    if (found == 0) {
        return Py_NewRef(op);
    }
    return found < 0 ? NULL : (PyObject *)_PyHamt_Without((_PyHamt *)op, key);
}

static PyObject *
hamt_items(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyHamt_NewIter((_PyHamt *)op, &_PyHamtItems_Type);
}

static PyObject *
hamt_keys(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyHamt_NewIter((_PyHamt *)op, &_PyHamtKeys_Type);
}

static PyObject *
hamt_values(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyHamt_NewIter((_PyHamt *)op, &_PyHamtValues_Type);
}

static PyMethodDef hamt_methods[] = {
    {"set", hamt_set, METH_VARARGS, NULL},
    {"get", hamt_get, METH_VARARGS, NULL},
    {"delete", hamt_delete, METH_O, NULL},
    {"items", hamt_items, METH_NOARGS, NULL},
    {"keys", hamt_keys, METH_NOARGS, NULL},
    {"values", hamt_values, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PySequenceMethods hamt_as_sequence = {
    .sq_contains = hamt_contains,
};

static PyMappingMethods hamt_as_mapping = {
    .mp_length = hamt_length,
    .mp_subscript = hamt_subscript,
};

PyTypeObject _PyHamt_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "hamt",
    .tp_basicsize = sizeof(_PyHamt),
    .tp_dealloc = hamt_dealloc,
    .tp_as_sequence = &hamt_as_sequence,
    .tp_as_mapping = &hamt_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = hamt_traverse,
    .tp_clear = hamt_clear,
    .tp_richcompare = hamt_richcompare,
    .tp_weaklistoffset = offsetof(_PyHamt, weakrefs),
    .tp_iter = hamt_iter_keys,
    .tp_methods = hamt_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = hamt_new,
    .tp_free = PyObject_GC_Del,
};
