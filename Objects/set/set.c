/* set and frozenset: creation, protocol, algebra, methods. The table is in table.c, the
   iterator in iter.c. */
#include "private.h"
#include "internal/gcstate.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/spare.h"
#include "internal/trashcan.h"
#include <stddef.h>

/* ------------------------------------------------------------------- making */

static int add_all(PySetObject *so, PyObject *iterable);

/* Sets and frozensets. */
static _PySpareObjects spare = _PySpareObjects_INIT(64);

static inline int
is_plain(PyTypeObject *type)
{
    return type == &PySet_Type || type == &PyFrozenSet_Type;
}

/* Its fields are set by the caller. */
static PySetObject *
allocate(PyTypeObject *type)
{
    PyObject *so = _PySpare_Take(&spare, type);
    return (PySetObject *)(so != NULL ? so : _PyObject_GC_New(type));
}

/* An empty instance of any set type. */
static PyObject *
new_empty(PyTypeObject *type)
{
    PySetObject *so = is_plain(type) ? allocate(type) : (PySetObject *)type->tp_alloc(type, 0);
    if (so == NULL) {
        return NULL;
    }
    _PySetTable_Init(so);
    so->weakreflist = NULL;
    if (!_PyObject_GC_IS_TRACKED((PyObject *)so)) {
        _PyObject_GC_TRACK((PyObject *)so);
    }
    return (PyObject *)so;
}

/* iterable may be NULL. */
static PyObject *
new_from(PyTypeObject *type, PyObject *iterable)
{
    PyObject *so = new_empty(type);
    if (so != NULL && iterable != NULL && add_all(SET(so), iterable) < 0) {
        Py_CLEAR(so);
    }
    return so;
}

/* The results of operations are plain sets or frozensets, even if the operand is of a
   subclass. */
static PyTypeObject *
plain_type(PyTypeObject *type)
{
    return is_plain(type) ? type
        : PyType_IsSubtype(type, &PySet_Type) ? &PySet_Type
        : &PyFrozenSet_Type;
}

static PyObject *
new_plain(PyTypeObject *type, PyObject *iterable)
{
    return new_from(plain_type(type), iterable);
}

/* Are there slots of keys that have been removed? */
static inline int
has_deleted(const PySetObject *so)
{
    return so->fill != so->used;
}

/* Releases the keys of a set that dies, in the order of its table. */
static inline __attribute__((always_inline)) void
release_keys(PySetObject *so, int with_deleted)
{
    const setentry *slot = so->table;
    for (Py_ssize_t left = so->used; left > 0; slot += SLOTS_AT_ONCE) {
        for (int i = 0; i < SLOTS_AT_ONCE; i++) {
            PyObject *key = slot[i].key;
            if (key != NULL && !(with_deleted && key == &_PySet_dummy_object)) {
                left--;
                Py_DECREF(key);
            }
        }
    }
}

static void
set_dealloc(PySetObject *so)
{
    PyObject *op = (PyObject *)so;
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    PyThreadState *tstate = NULL;
    if (Py_TYPE(op)->tp_dealloc == PySet_Type.tp_dealloc) {
        tstate = _PyThreadState_GET();
        if (!_PyTrash_Enter(tstate, op)) {
            return;
        }
    }
    if (so->weakreflist != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    if (has_deleted(so)) {
        release_keys(so, 1);
    }
    else {
        release_keys(so, 0);
    }
    if (so->table != so->smalltable) {
        _PySetTable_Free(so->table, so->mask);
    }
    if (!is_plain(Py_TYPE(op)) || !_PySpare_Keep(&spare, op)) {
        Py_TYPE(op)->tp_free(op);
    }
    if (tstate != NULL) {
        _PyTrash_Leave(tstate);
    }
}

static inline int
is_inert(PyObject *key)
{
    return PyLong_CheckExact(key) || PyUnicode_CheckExact(key) || PyFloat_CheckExact(key);
}

/* Does a key die without running code? */
static inline int
dies_alone(PyObject *key)
{
    if (!PyTuple_CheckExact(key)) {
        return is_inert(key);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++) {
        PyObject *item = PyTuple_GET_ITEM(key, i);
        if (!is_inert(item) && Py_REFCNT(item) == 1) {
            return 0;
        }
    }
    return 1;
}

/* Does an object of which this is the last reference die without running code? Then it is dead. */
static __attribute__((noinline)) int
release_last(PyObject *key)
{
    if (!dies_alone(key)) {
        return 0;
    }
    _Py_Dealloc(key);
    return 1;
}

/* Keys are released in the order of the table, as set_dealloc() does, up to one that may run code.
   Returns whether all are. The set is nobody's: so it may be left as one of the others. */
static inline __attribute__((always_inline)) int
release_keys_that_die_alone(PySetObject *so, int with_deleted)
{
    setentry *slot = so->table;
    for (Py_ssize_t left = so->used; left > 0; slot += SLOTS_AT_ONCE) {
        for (int i = 0; i < SLOTS_AT_ONCE; i++) {
            PyObject *key = slot[i].key;
            if (key == NULL || (with_deleted && key == &_PySet_dummy_object)) {
                continue;
            }
            if (__builtin_expect(Py_REFCNT(key) != 1, 1)) {
                key->ob_refcnt--;
            }
            else if (!release_last(key)) {
                so->used = left;
                for (setentry *gone = so->table; gone < &slot[i]; gone++) {
                    gone->key = NULL;
                }
                return 0;
            }
            left--;
        }
    }
    return 1;
}

int
_PySet_FreeShared(PyObject *op)
{
    PySetObject *so = SET(op);
    if (so->weakreflist != NULL
        || !(has_deleted(so) ? release_keys_that_die_alone(so, 1)
                             : release_keys_that_die_alone(so, 0))) {
        return 0;
    }
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    if (so->table != so->smalltable) {
        _PySetTable_Free(so->table, so->mask);
    }
    if (!_PySpare_Keep(&spare, op)) {
        Py_TYPE(op)->tp_free(op);
    }
    return 1;
}

static int
set_traverse(PySetObject *so, visitproc visit, void *arg)
{
    Py_ssize_t pos = 0;
    setentry *slot;
    while ((slot = set_next(so, &pos)) != NULL) {
        Py_VISIT(slot->key);
    }
    return 0;
}

static int
set_tp_clear(PySetObject *so)
{
    _PySetTable_Clear(so);
    return 0;
}

/* -------------------------------------------------------------- single keys */

static int
add_key(PySetObject *so, PyObject *key)
{
    Py_hash_t hash = set_key_hash(key);
    return hash == -1 ? -1 : _PySetTable_Add(so, key, hash);
}

/* Applies an operation on a key. If the key is a set, which has no hash, it is looked
   up as a frozenset. */
static int
with_frozen(PySetObject *so, PyObject *key,
            int (*operation)(PySetObject *, PyObject *, Py_hash_t))
{
    Py_hash_t hash = set_key_hash(key);
    if (hash != -1) {
        return operation(so, key, hash);
    }
    if (!PySet_Check(key) || !PyErr_ExceptionMatches(PyExc_TypeError)) {
        return -1;
    }
    PyErr_Clear();
    PyObject *frozen = new_from(&PyFrozenSet_Type, key);
    if (frozen == NULL) {
        return -1;
    }
    hash = PyObject_Hash(frozen);
    int result = hash == -1 ? -1 : operation(so, frozen, hash);
    Py_DECREF(frozen);
    return result;
}

static int
set_contains(PyObject *self, PyObject *key)
{
    if (PyUnicode_CheckExact(key) || PyLong_CheckExact(key)) {
        Py_hash_t hash = set_key_hash(key);
        return hash == -1 ? -1 : _PySetTable_Contains(SET(self), key, hash);
    }
    return with_frozen(SET(self), key, _PySetTable_Contains);
}

/* ---------------------------------------------------------- whole iterables */

static int
add_dict_keys(PySetObject *so, PyObject *dict)
{
    if (_PySetTable_Reserve(so, PyDict_GET_SIZE(dict)) < 0) {
        return -1;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    Py_hash_t hash;
    while (_PyDict_Next(dict, &pos, &key, &value, &hash)) {
        Py_INCREF(key);
        int failed = _PySetTable_Add(so, key, hash) < 0;
        Py_DECREF(key);
        if (failed) {
            return -1;
        }
    }
    return 0;
}

static int
discard_all(PySetObject *so, PyObject *iterable)
{
    if (PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable)) {
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(iterable); i++) {
            PyObject *key = Py_NewRef(PySequence_Fast_GET_ITEM(iterable, i));
            Py_hash_t hash = set_key_hash(key);
            int failed = hash == -1 || _PySetTable_Discard(so, key, hash) < 0;
            Py_DECREF(key);
            if (failed) {
                return -1;
            }
        }
        return 0;
    }
    PyObject *iter = PyObject_GetIter(iterable);
    if (iter == NULL) {
        return -1;
    }
    PyObject *key;
    while ((key = _PyIter_Step(iter)) != NULL) {
        Py_hash_t hash = set_key_hash(key);
        int failed = hash == -1 || _PySetTable_Discard(so, key, hash) < 0;
        Py_DECREF(key);
        if (failed) {
            Py_DECREF(iter);
            return -1;
        }
    }
    Py_DECREF(iter);
    return _PyErr_DropStopIteration();
}

static int
add_all(PySetObject *so, PyObject *iterable)
{
    if (PyUnicode_CheckExact(iterable) && PyUnicode_IS_COMPACT_ASCII(iterable)) {
        return _PySetTable_AddCharacters(so, iterable);
    }
    if (PyList_CheckExact(iterable) || PyTuple_CheckExact(iterable)) {
        return _PySetTable_AddItems(so, iterable);
    }
    if (PyAnySet_Check(iterable)) {
        return _PySetTable_Merge(so, SET(iterable));
    }
    if (PyDict_CheckExact(iterable)) {
        return add_dict_keys(so, iterable);
    }
    PyObject *iter = PyObject_GetIter(iterable);
    if (iter == NULL) {
        return -1;
    }
    int failed = _PySetTable_AddRest(so, iter);
    Py_DECREF(iter);
    return failed;
}

/* Walks a set or an exact dict, whose hashes are known. Returns 1, or 0 at the end. The
   key is a new reference. */
static int
next_known(PyObject *container, Py_ssize_t *pos, PyObject **key,
           Py_hash_t *hash)
{
    if (PyAnySet_Check(container)) {
        setentry *slot = set_next(SET(container), pos);
        if (slot == NULL) {
            return 0;
        }
        *key = Py_NewRef(slot->key);
        *hash = slot->hash;
        return 1;
    }
    PyObject *value;
    if (!_PyDict_Next(container, pos, key, &value, hash)) {
        return 0;
    }
    Py_INCREF(*key);
    return 1;
}

static int
contains_known(PyObject *container, PyObject *key, Py_hash_t hash)
{
    return PyAnySet_Check(container)
        ? _PySetTable_Contains(SET(container), key, hash)
        : _PyDict_Contains_KnownHash(container, key, hash);
}

/* ------------------------------------------------------------------ algebra */

static PyObject *
set_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return new_plain(Py_TYPE(self), self);
}

static PyObject *
frozenset_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyFrozenSet_CheckExact(self) ? Py_NewRef(self)
                                        : set_copy(self, NULL);
}

/* Adds to `result` the keys of `walked` that are in `other` (`wanted` is 1) or not (0). */
static int
add_if(PySetObject *result, PyObject *walked, PyObject *other, int wanted)
{
    if (PyAnySet_Check(walked) && PyAnySet_Check(other)) {
        return _PySetTable_AddIf(result, SET(walked), SET(other), wanted);
    }
    Py_ssize_t pos = 0;
    PyObject *key;
    Py_hash_t hash;
    while (next_known(walked, &pos, &key, &hash)) {
        int in = contains_known(other, key, hash);
        if (in >= 0 && in == wanted) {
            in = _PySetTable_Add(result, key, hash);
        }
        Py_DECREF(key);
        if (in < 0) {
            return -1;
        }
    }
    return 0;
}

/* No more is taken from an iterable when all keys have been found: it may have no end. */
static PyObject *
intersection(PyObject *self, PyObject *other)
{
    if (self == other) {
        return set_copy(self, NULL);
    }
    PyObject *result = new_plain(Py_TYPE(self), NULL);
    if (result == NULL) {
        return NULL;
    }
    if (PyAnySet_Check(other)) {
        int swap = PySet_GET_SIZE(other) > PySet_GET_SIZE(self);
        if (_PySetTable_AddIf(SET(result), SET(swap ? self : other), SET(swap ? other : self),
                              1) < 0) {
            Py_CLEAR(result);
        }
        return result;
    }
    PyObject *iter = PyObject_GetIter(other);
    if (iter == NULL) {
        Py_DECREF(result);
        return NULL;
    }
    PyObject *key;
    int found_all = 0;
    while ((key = PyIter_Next(iter)) != NULL) {
        Py_hash_t hash = set_key_hash(key);
        int in = hash == -1 ? -1
            : _PySetTable_Contains(SET(self), key, hash);
        if (in > 0) {
            in = _PySetTable_Add(SET(result), key, hash);
            found_all = PySet_GET_SIZE(result) >= PySet_GET_SIZE(self);
        }
        Py_DECREF(key);
        if (in < 0 || found_all) {
            break;
        }
    }
    Py_DECREF(iter);
    if (PyErr_Occurred()) {
        Py_CLEAR(result);
    }
    return result;
}

/* Removes from self the keys that are in `other`. */
static int
subtract(PyObject *self, PyObject *other)
{
    PySetObject *so = SET(self);
    if (self == other) {
        _PySetTable_Clear(so);
        return 0;
    }
    if (!PyAnySet_Check(other)) {
        if (discard_all(so, other) < 0) {
            return -1;
        }
        return _PySetTable_Tidy(so);
    }
    /* Much larger than self: look up self's keys in it instead. */
    if (PySet_GET_SIZE(other) >> 3 > so->used) {
        other = intersection(self, other);
        if (other == NULL) {
            return -1;
        }
    }
    else {
        Py_INCREF(other);
    }
    int failed = _PySetTable_DiscardAll(so, SET(other)) < 0;
    Py_DECREF(other);
    return failed ? -1 : _PySetTable_Tidy(so);
}

static PyObject *
copy_and_subtract(PyObject *self, PyObject *other)
{
    PyObject *result = set_copy(self, NULL);
    if (result != NULL && subtract(result, other) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
difference(PyObject *self, PyObject *other)
{
    Py_ssize_t size;
    if (PyAnySet_Check(other)) {
        size = PySet_GET_SIZE(other);
    }
    else if (PyDict_CheckExact(other)) {
        size = PyDict_GET_SIZE(other);
    }
    else {
        return copy_and_subtract(self, other);
    }
    if (PySet_GET_SIZE(self) >> 2 > size) {
        return copy_and_subtract(self, other);
    }
    PyObject *result = new_plain(Py_TYPE(self), NULL);
    if (result != NULL && add_if(SET(result), self, other, 0) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static int
toggle_keys_of_dict(PyObject *self, PyObject *dict)
{
    Py_ssize_t pos = 0;
    PyObject *key;
    Py_hash_t hash;
    int failed = 0;
    Py_INCREF(dict);
    while (!failed && next_known(dict, &pos, &key, &hash)) {
        int was_in = _PySetTable_Discard(SET(self), key, hash);
        failed = was_in < 0
            || (was_in == 0 && _PySetTable_Add(SET(self), key, hash) < 0);
        Py_DECREF(key);
    }
    Py_DECREF(dict);
    return failed ? -1 : 0;
}

/* Toggles in self each key of a container. */
static int
toggle_all(PyObject *self, PyObject *other)
{
    if (self == other) {
        _PySetTable_Clear(SET(self));
        return 0;
    }
    if (PyDict_CheckExact(other)) {
        return toggle_keys_of_dict(self, other);
    }
    other = PyAnySet_Check(other) ? Py_NewRef(other) : new_plain(Py_TYPE(self), other);
    if (other == NULL) {
        return -1;
    }
    int failed = _PySetTable_ToggleAll(SET(self), SET(other));
    Py_DECREF(other);
    return failed;
}

static PyObject *
symmetric_difference(PyObject *self, PyObject *other)
{
    PyObject *result = new_plain(Py_TYPE(self), other);
    if (result != NULL && toggle_all(result, self) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

/* Looks up the keys of one set in another while the answer is `expected`, and returns the last
   answer: 1, 0, or -1 on error. */
static inline int
look_up_while(PyObject *walked, PyObject *other, int expected)
{
    Py_ssize_t pos = 0;
    setentry *slot;
    int in = expected;
    while (in == expected && (slot = set_next(SET(walked), &pos)) != NULL) {
        size_t first = (size_t)slot->hash & (size_t)SET(other)->mask;
        in = slot_has(&SET(other)->table[first], slot->key, slot->hash);
        if (in < 0) {
            PyObject *key = Py_NewRef(slot->key);
            in = _PySetTable_Contains(SET(other), key, slot->hash);
            Py_DECREF(key);
        }
    }
    return in;
}

/* Is every key of self in other?  Both are sets. */
static int
is_subset(PyObject *self, PyObject *other)
{
    return PySet_GET_SIZE(self) > PySet_GET_SIZE(other) ? 0 : look_up_while(self, other, 1);
}

static int
is_disjoint(PyObject *self, PyObject *other)
{
    if (self == other) {
        return PySet_GET_SIZE(self) == 0;
    }
    int in = 0;
    PyObject *key;
    if (PyAnySet_CheckExact(other)) {
        if (PySet_GET_SIZE(other) > PySet_GET_SIZE(self)) {
            PyObject *swap = self;
            self = other;
            other = swap;
        }
        in = look_up_while(other, self, 0);
        return in < 0 ? -1 : !in;
    }
    PyObject *iter = PyObject_GetIter(other);
    if (iter == NULL) {
        return -1;
    }
    while (in == 0 && (key = PyIter_Next(iter)) != NULL) {
        Py_hash_t hash = set_key_hash(key);
        in = hash == -1 ? -1 : _PySetTable_Contains(SET(self), key, hash);
        Py_DECREF(key);
    }
    Py_DECREF(iter);
    return in < 0 || PyErr_Occurred() ? -1 : !in;
}

/* ---------------------------------------------------------------- operators */

#define BOTH_SETS(a, b)                                 \
    do {                                                \
        if (!PyAnySet_Check(a) || !PyAnySet_Check(b)) { \
            Py_RETURN_NOTIMPLEMENTED;                   \
        }                                               \
    } while (0)

static PyObject *
set_or(PyObject *a, PyObject *b)
{
    BOTH_SETS(a, b);
    PyObject *result = set_copy(a, NULL);
    if (result != NULL && a != b && add_all(SET(result), b) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
set_and(PyObject *a, PyObject *b)
{
    BOTH_SETS(a, b);
    return intersection(a, b);
}

static PyObject *
set_sub(PyObject *a, PyObject *b)
{
    BOTH_SETS(a, b);
    return difference(a, b);
}

static PyObject *
set_xor(PyObject *a, PyObject *b)
{
    BOTH_SETS(a, b);
    return symmetric_difference(a, b);
}

static PyObject *
set_ior(PyObject *self, PyObject *other)
{
    if (!PyAnySet_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return add_all(SET(self), other) < 0 ? NULL : Py_NewRef(self);
}

/* self becomes the intersection with other. */
static int
intersect_with(PyObject *self, PyObject *other)
{
    PyObject *common = intersection(self, other);
    if (common == NULL) {
        return -1;
    }
    _PySetTable_Swap(SET(self), SET(common));
    Py_DECREF(common);
    return 0;
}

static PyObject *
set_iand(PyObject *self, PyObject *other)
{
    if (!PyAnySet_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return intersect_with(self, other) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
set_isub(PyObject *self, PyObject *other)
{
    if (!PyAnySet_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return subtract(self, other) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
set_ixor(PyObject *self, PyObject *other)
{
    if (!PyAnySet_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return toggle_all(self, other) < 0 ? NULL : Py_NewRef(self);
}

static PyObject *
set_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyAnySet_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    Py_ssize_t na = PySet_GET_SIZE(a), nb = PySet_GET_SIZE(b);
    int holds = 0;
    switch (op) {
    case Py_EQ:
    case Py_NE:
        holds = na == nb
            && !(SET(a)->hash != -1 && SET(b)->hash != -1
                 && SET(a)->hash != SET(b)->hash)
            ? is_subset(a, b) : 0;
        if (op == Py_NE && holds >= 0) {
            holds = !holds;
        }
        break;
    case Py_LE:
        holds = is_subset(a, b);
        break;
    case Py_GE:
        holds = is_subset(b, a);
        break;
    case Py_LT:
        holds = na < nb ? is_subset(a, b) : 0;
        break;
    case Py_GT:
        holds = na > nb ? is_subset(b, a) : 0;
        break;
    }
    return holds < 0 ? NULL : PyBool_FromLong(holds);
}

/* The same as collections.abc.Set._hash(), which documents it. */
static Py_hash_t
frozenset_hash(PyObject *self)
{
    PySetObject *so = SET(self);
    if (so->hash != -1) {
        return so->hash;
    }
    Py_uhash_t hash = 1927868237u * ((Py_uhash_t)so->used + 1);
    Py_ssize_t pos = 0;
    setentry *slot;
    while ((slot = set_next(so, &pos)) != NULL) {
        Py_uhash_t h = (Py_uhash_t)slot->hash;
        hash ^= (h ^ (h << 16) ^ 89869747u) * 3644798167u;
    }
    hash ^= (hash >> 11) ^ (hash >> 25);
    hash = hash * 69069u + 907133923u;
    if (hash == (Py_uhash_t)-1) {
        hash = 590923713u;
    }
    so->hash = (Py_hash_t)hash;
    return so->hash;
}

static Py_ssize_t
set_length(PyObject *self)
{
    return SET(self)->used;
}

static PyObject *
set_repr(PyObject *self)
{
    const char *name = Py_TYPE(self)->tp_name;
    int entered = Py_ReprEnter(self);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromFormat("%s(...)", name) : NULL;
    }
    PyObject *result = NULL;
    if (PySet_GET_SIZE(self) == 0) {
        result = PyUnicode_FromFormat("%s()", name);
        goto done;
    }
    PyObject *list = PySequence_List(self);
    PyObject *text = list == NULL ? NULL : PyObject_Repr(list);
    Py_XDECREF(list);
    if (text == NULL) {
        goto done;
    }
    /* The text of the list of items, without the brackets. */
    PyObject *items = PyUnicode_Substring(text, 1,
                                          PyUnicode_GET_LENGTH(text) - 1);
    Py_DECREF(text);
    if (items == NULL) {
        goto done;
    }
    result = PySet_CheckExact(self)
        ? PyUnicode_FromFormat("{%U}", items)
        : PyUnicode_FromFormat("%s({%U})", name, items);
    Py_DECREF(items);
done:
    Py_ReprLeave(self);
    return result;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
set_method_contains(PyObject *self, PyObject *key)
{
    int in = set_contains(self, key);
    return in < 0 ? NULL : PyBool_FromLong(in);
}

static PyObject *
set_add(PyObject *self, PyObject *key)
{
    if (add_key(SET(self), key) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
set_remove(PyObject *self, PyObject *key)
{
    int found = with_frozen(SET(self), key, _PySetTable_Discard);
    if (found < 0) {
        return NULL;
    }
    if (!found) {
        _PyErr_SetKeyError(key);
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
set_discard(PyObject *self, PyObject *key)
{
    if (with_frozen(SET(self), key, _PySetTable_Discard) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* The search starts where the last one ended, so that popping all items takes linear
   time. */
static PyObject *
set_pop(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PySetObject *so = SET(self);
    if (so->used == 0) {
        PyErr_SetString(PyExc_KeyError, "pop from an empty set");
        return NULL;
    }
    setentry *slot = so->table + (so->finger & so->mask);
    while (!slot_is_live(slot)) {
        slot++;
        if (slot > so->table + so->mask) {
            slot = so->table;
        }
    }
    PyObject *key = slot->key;
    slot->key = _PySet_Dummy;
    slot->hash = -1;
    so->used--;
    so->finger = slot - so->table + 1;
    return key;
}

static PyObject *
set_clear(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    _PySetTable_Clear(SET(self));
    Py_RETURN_NONE;
}

static PyObject *
set_update(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (add_all(SET(self), args[i]) < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *
set_union(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *result = set_copy(self, NULL);
    for (Py_ssize_t i = 0; result != NULL && i < nargs; i++) {
        if (args[i] != self && add_all(SET(result), args[i]) < 0) {
            Py_CLEAR(result);
        }
    }
    return result;
}

static PyObject *
set_intersection(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs == 0) {
        return set_copy(self, NULL);
    }
    PyObject *result = Py_NewRef(self);
    for (Py_ssize_t i = 0; result != NULL && i < nargs; i++) {
        PyObject *next = intersection(result, args[i]);
        Py_SETREF(result, next);
    }
    return result;
}

static PyObject *
set_intersection_update(PyObject *self, PyObject *const *args,
                        Py_ssize_t nargs)
{
    PyObject *common = set_intersection(self, args, nargs);
    if (common == NULL) {
        return NULL;
    }
    _PySetTable_Swap(SET(self), SET(common));
    Py_DECREF(common);
    Py_RETURN_NONE;
}

static PyObject *
set_difference(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs == 0) {
        return set_copy(self, NULL);
    }
    PyObject *result = difference(self, args[0]);
    for (Py_ssize_t i = 1; result != NULL && i < nargs; i++) {
        if (subtract(result, args[i]) < 0) {
            Py_CLEAR(result);
        }
    }
    return result;
}

static PyObject *
set_difference_update(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    for (Py_ssize_t i = 0; i < nargs; i++) {
        if (subtract(self, args[i]) < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *
set_symmetric_difference_update(PyObject *self, PyObject *other)
{
    if (toggle_all(self, other) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
set_isdisjoint(PyObject *self, PyObject *other)
{
    int answer = is_disjoint(self, other);
    return answer < 0 ? NULL : PyBool_FromLong(answer);
}

static PyObject *
set_issubset(PyObject *self, PyObject *other)
{
    int answer;
    if (PyAnySet_Check(other)) {
        answer = is_subset(self, other);
    }
    else {
        PyObject *as_set = new_from(&PySet_Type, other);
        if (as_set == NULL) {
            return NULL;
        }
        answer = is_subset(self, as_set);
        Py_DECREF(as_set);
    }
    return answer < 0 ? NULL : PyBool_FromLong(answer);
}

static PyObject *
set_issuperset(PyObject *self, PyObject *other)
{
    int answer = 1;
    if (PyAnySet_Check(other)) {
        answer = is_subset(other, self);
        return answer < 0 ? NULL : PyBool_FromLong(answer);
    }
    PyObject *iter = PyObject_GetIter(other);
    if (iter == NULL) {
        return NULL;
    }
    PyObject *key;
    while (answer > 0 && (key = PyIter_Next(iter)) != NULL) {
        Py_hash_t hash = set_key_hash(key);
        answer = hash == -1 ? -1
            : _PySetTable_Contains(SET(self), key, hash);
        Py_DECREF(key);
    }
    Py_DECREF(iter);
    if (answer < 0 || PyErr_Occurred()) {
        return NULL;
    }
    return PyBool_FromLong(answer);
}

static PyObject *
set_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *keys = PySequence_List(self);
    if (keys == NULL) {
        return NULL;
    }
    PyObject *state = PyObject_CallMethodNoArgs(self,
                                                _Py_NAME(dunder_getstate));
    if (state == NULL) {
        Py_DECREF(keys);
        return NULL;
    }
    return Py_BuildValue("O(N)N", Py_TYPE(self), keys, state);
}

static PyObject *
set_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t size = _PyObject_SIZE(Py_TYPE(self));
    if (SET(self)->table != SET(self)->smalltable) {
        size += (SET(self)->mask + 1) * (Py_ssize_t)sizeof(setentry);
    }
    return PyLong_FromSsize_t(size);
}


/* The methods that both types have. Each type's table adds its own. */
#define COMMON_METHODS                                                      \
    {"__contains__", set_method_contains, METH_O | METH_COEXIST,            \
     "x.__contains__(y) <==> y in x."},                                     \
    {"difference", FAST_FOR_TUPLE(set_difference),                     \
     "Return the difference of two or more sets as a new set.\n\n"          \
     "(i.e. all elements that are in this set but not the others.)"},       \
    {"intersection", FAST_FOR_TUPLE(set_intersection),                 \
     "Return the intersection of two sets as a new set.\n\n"                \
     "(i.e. all elements that are in both sets.)"},                         \
    {"isdisjoint", set_isdisjoint, METH_O,                                  \
     "Return True if two sets have a null intersection."},                  \
    {"issubset", set_issubset, METH_O,                                      \
     "Report whether another set contains this set."},                      \
    {"issuperset", set_issuperset, METH_O,                                  \
     "Report whether this set contains another set."},                      \
    {"__reduce__", set_reduce, METH_NOARGS,                                 \
     "Return state information for pickling."},                             \
    {"__sizeof__", set_sizeof, METH_NOARGS,                                 \
     "S.__sizeof__() -> size of S in memory, in bytes"},                    \
    {"symmetric_difference", symmetric_difference, METH_O,                  \
     "Return the symmetric difference of two sets as a new set.\n\n"        \
     "(i.e. all elements that are in exactly one of the sets.)"},           \
    {"union", FAST_FOR_TUPLE(set_union),                               \
     "Return the union of sets as a new set.\n\n"                           \
     "(i.e. all elements that are in either set.)"},                        \
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,             \
     "See PEP 585"}

static PyMethodDef set_methods[] = {
    COMMON_METHODS,
    {"add", set_add, METH_O,
     "Add an element to a set.\n\n"
     "This has no effect if the element is already present."},
    {"clear", set_clear, METH_NOARGS,
     "Remove all elements from this set."},
    {"copy", set_copy, METH_NOARGS,
     "Return a shallow copy of a set."},
    {"discard", set_discard, METH_O,
     "Remove an element from a set if it is a member.\n\n"
     "Unlike set.remove(), the discard() method does not raise\n"
     "an exception when an element is missing from the set."},
    {"difference_update", FAST_FOR_TUPLE(set_difference_update),
     "Remove all elements of another set from this set."},
    {"intersection_update", FAST_FOR_TUPLE(set_intersection_update),
     "Update a set with the intersection of itself and another."},
    {"pop", set_pop, METH_NOARGS,
     "Remove and return an arbitrary set element.\n"
     "Raises KeyError if the set is empty."},
    {"remove", set_remove, METH_O,
     "Remove an element from a set; it must be a member.\n\n"
     "If the element is not a member, raise a KeyError."},
    {"symmetric_difference_update", set_symmetric_difference_update, METH_O,
     "Update a set with the symmetric difference of itself and another."},
    {"update", FAST_FOR_TUPLE(set_update),
     "Update a set with the union of itself and others."},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef frozenset_methods[] = {
    COMMON_METHODS,
    {"copy", frozenset_copy, METH_NOARGS,
     "Return a shallow copy of a set."},
    {NULL, NULL, 0, NULL}
};

/* ------------------------------------------------------------- construction */

static PyObject *
set_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
        PyObject *Py_UNUSED(kwds))
{
    return new_empty(type);
}

static int
set_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    if (!_PyArg_NoKeywords("set", kwds)) {
        return -1;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (!_PyArg_CheckPositional(Py_TYPE(self)->tp_name, n, 0, 1)) {
        return -1;
    }
    _PySetTable_Clear(SET(self));
    SET(self)->hash = -1;
    return n == 0 ? 0 : add_all(SET(self), PyTuple_GET_ITEM(args, 0));
}

static PyObject *
set_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
               PyObject *kwnames)
{
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    if (!_PyArg_NoKwnames("set", kwnames)
        || !_PyArg_CheckPositional("set", n, 0, 1)) {
        return NULL;
    }
    return new_from((PyTypeObject *)type, n == 0 ? NULL : args[0]);
}

static PyObject *
make_frozenset(PyTypeObject *type, PyObject *iterable)
{
    if (type == &PyFrozenSet_Type && iterable != NULL
        && PyFrozenSet_CheckExact(iterable)) {
        return Py_NewRef(iterable);
    }
    return new_from(type, iterable);
}

static PyObject *
frozenset_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if ((type == &PyFrozenSet_Type
         || type->tp_init == PyFrozenSet_Type.tp_init)
        && !_PyArg_NoKeywords("frozenset", kwds)) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (!_PyArg_CheckPositional(type->tp_name, n, 0, 1)) {
        return NULL;
    }
    return make_frozenset(type, n == 0 ? NULL : PyTuple_GET_ITEM(args, 0));
}

static PyObject *
frozenset_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                     PyObject *kwnames)
{
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    if (!_PyArg_NoKwnames("frozenset", kwnames)
        || !_PyArg_CheckPositional("frozenset", n, 0, 1)) {
        return NULL;
    }
    return make_frozenset((PyTypeObject *)type, n == 0 ? NULL : args[0]);
}

/* -------------------------------------------------------------------- types */

static PySequenceMethods set_as_sequence = {
    .sq_length = set_length,
    .sq_contains = set_contains,
};

static PyNumberMethods set_as_number = {
    .nb_subtract = set_sub,
    .nb_and = set_and,
    .nb_xor = set_xor,
    .nb_or = set_or,
    .nb_inplace_subtract = set_isub,
    .nb_inplace_and = set_iand,
    .nb_inplace_xor = set_ixor,
    .nb_inplace_or = set_ior,
};

static PyNumberMethods frozenset_as_number = {
    .nb_subtract = set_sub,
    .nb_and = set_and,
    .nb_xor = set_xor,
    .nb_or = set_or,
};

PyTypeObject PySet_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "set",
    .tp_basicsize = sizeof(PySetObject),
    .tp_dealloc = (destructor)set_dealloc,
    .tp_repr = set_repr,
    .tp_as_number = &set_as_number,
    .tp_as_sequence = &set_as_sequence,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "set() -> new empty set object\n"
        "set(iterable) -> new set object\n\n"
        "Build an unordered collection of unique elements.",
    .tp_traverse = (traverseproc)set_traverse,
    .tp_clear = (inquiry)set_tp_clear,
    .tp_richcompare = set_richcompare,
    .tp_weaklistoffset = offsetof(PySetObject, weakreflist),
    .tp_iter = _PySet_Iter,
    .tp_methods = set_methods,
    .tp_init = set_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = set_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = set_vectorcall,
};

PyTypeObject PyFrozenSet_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "frozenset",
    .tp_basicsize = sizeof(PySetObject),
    .tp_dealloc = (destructor)set_dealloc,
    .tp_repr = set_repr,
    .tp_as_number = &frozenset_as_number,
    .tp_as_sequence = &set_as_sequence,
    .tp_hash = frozenset_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE
        | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "frozenset() -> empty frozenset object\n"
        "frozenset(iterable) -> frozenset object\n\n"
        "Build an immutable unordered collection of unique elements.",
    .tp_traverse = (traverseproc)set_traverse,
    .tp_clear = (inquiry)set_tp_clear,
    .tp_richcompare = set_richcompare,
    .tp_weaklistoffset = offsetof(PySetObject, weakreflist),
    .tp_iter = _PySet_Iter,
    .tp_methods = frozenset_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = frozenset_new,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = frozenset_vectorcall,
};

/* -------------------------------------------------------------------- C API */

#define CHECK(condition, failure)       \
    do {                                \
        if (!(condition)) {             \
            PyErr_BadInternalCall();    \
            return failure;             \
        }                               \
    } while (0)

PyObject *
PySet_New(PyObject *iterable)
{
    return new_from(&PySet_Type, iterable);
}

PyObject *
_PySet_FromArray(PyObject *const *keys, Py_ssize_t n)
{
    PyObject *so = new_empty(&PySet_Type);
    if (so != NULL && _PySetTable_AddKeys(SET(so), keys, n) < 0) {
        Py_CLEAR(so);
    }
    return so;
}

PyObject *
PyFrozenSet_New(PyObject *iterable)
{
    return new_from(&PyFrozenSet_Type, iterable);
}

Py_ssize_t
PySet_Size(PyObject *op)
{
    CHECK(PyAnySet_Check(op), -1);
    return PySet_GET_SIZE(op);
}

int
PySet_Clear(PyObject *op)
{
    CHECK(PySet_Check(op), -1);
    _PySetTable_Clear(SET(op));
    return 0;
}

int
PySet_Contains(PyObject *op, PyObject *key)
{
    CHECK(PyAnySet_Check(op), -1);
    Py_hash_t hash = set_key_hash(key);
    return hash == -1 ? -1 : _PySetTable_Contains(SET(op), key, hash);
}

int
PySet_Discard(PyObject *op, PyObject *key)
{
    CHECK(PySet_Check(op), -1);
    Py_hash_t hash = set_key_hash(key);
    return hash == -1 ? -1 : _PySetTable_Discard(SET(op), key, hash);
}

/* A frozenset may be filled while the caller has the only reference to it. */
int
PySet_Add(PyObject *op, PyObject *key)
{
    CHECK(PySet_Check(op) || (PyFrozenSet_Check(op) && Py_REFCNT(op) == 1),
          -1);
    return add_key(SET(op), key);
}

PyObject *
PySet_Pop(PyObject *op)
{
    CHECK(PySet_Check(op), NULL);
    return set_pop(op, NULL);
}

int
_PySet_NextEntry(PyObject *op, Py_ssize_t *pos, PyObject **key,
                 Py_hash_t *hash)
{
    CHECK(PyAnySet_Check(op), -1);
    setentry *slot = set_next(SET(op), pos);
    if (slot == NULL) {
        return 0;
    }
    *key = slot->key;
    *hash = slot->hash;
    return 1;
}

int
_PySet_Update(PyObject *op, PyObject *iterable)
{
    CHECK(PySet_Check(op), -1);
    return add_all(SET(op), iterable);
}
