/* What machine code asks of containers: items.h. */
#include "items.h"
#include "displays.h"
#include "quiet.h"
#include "../vm/vm.h"
#include "internal/compare.h"
#include "internal/dict.h"
#include "internal/keyhash.h"
#include "internal/range.h"
#include "internal/set.h"
#include "internal/tuple.h"
#include "internal/unicode.h"

#undef A
#undef B
#undef C

/* How deep tuples are looked at, and how long. */
#define MOST_LEVELS 2
#define MOST_ITEMS 8

static inline int
hashes_as(const PyTypeObject *type, const PyTypeObject *builtin)
{
    return type->tp_hash == builtin->tp_hash && type->tp_richcompare == builtin->tp_richcompare;
}

/* The hash of what hashes and compares without running code; 0: it may run code. Instances of
   most classes hash by their identity, those of others as the built-in type that they inherit
   from. */
static __attribute__((noinline)) int
quiet_hash_of_rest(PyObject *key, int levels, Py_hash_t *hash)
{
    PyTypeObject *type = Py_TYPE(key);
    if (type != &PyTuple_Type) {
        if (!hashes_as(type, &PyUnicode_Type) && !hashes_as(type, &PyBaseObject_Type)
            && !hashes_as(type, &PyLong_Type) && !hashes_as(type, &PyFloat_Type)) {
            return 0;
        }
        *hash = PyObject_Hash(key);
        return 1;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(key);
    Py_uhash_t sum = _PyTuple_HASH_START;
    if (n > MOST_ITEMS || levels == 0) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(key, i);
        Py_hash_t lane = _Py_KnownHash(item);
        if (lane == -1 && !quiet_hash_of_rest(item, levels - 1, &lane)) {
            return 0;
        }
        sum = _PyTuple_HashNext(sum, lane);
    }
    *hash = _PyTuple_HashEnd(sum, n);
    return 1;
}

static inline int
quiet_hash_of_other(PyObject *key, Py_hash_t *hash)
{
    if (PyTuple_CheckExact(key)) {
        *hash = _PyTuple_KnownHash(key);
        if (*hash != -1) {
            return 1;
        }
    }
    return quiet_hash_of_rest(key, MOST_LEVELS, hash);
}

int
_PyJit_QuietHash(PyObject *key, Py_hash_t *hash)
{
    *hash = _Py_KnownHash(key);
    return *hash != -1 || quiet_hash_of_other(key, hash);
}

int
_PyJit_IsQuietKey(PyReg key)
{
    Py_hash_t hash;
    return REG_IS_INT(key) || (key != 0 && _PyJit_QuietHash(REG_PTR(key), &hash));
}

/* Where the first look finds it. *hash: of an int, which may be in no object; else -1. */
static inline PyObject **
peek_key(PyDictObject *dict, PyReg key, Py_hash_t *hash)
{
    int64_t value;
    *hash = -1;
    if (reg_as_small(key, &value)) {
        *hash = value >> 60 == 0 ? value : -1;
        return _PyDict_PeekInt(dict, value);
    }
    return !REG_IS_INT(key) && Py_IS_TYPE(REG_PTR(key), &PyUnicode_Type)
           ? _PyDict_PeekStr(dict, REG_PTR(key)) : NULL;
}

/* What the last search has told, for the functions whose names end in Found. `found` is 1, 0 (not
   there) or -1 (not known). */
static struct {
    int found;
    Py_hash_t hash;
    PyObject **at;              /* of a dict: the value of the key that was found */
    _PySetPlace place;          /* of a set: where the key may be added */
} last;

/* Of a dict. */
static inline int
keep(int found, Py_hash_t hash, PyObject **at)
{
    last.found = found;
    last.hash = hash;
    last.at = at;
    return found;
}

/* Of an int that the first look has not found. */
static __attribute__((noinline)) int
find_int(PyDictObject *dict, int64_t value, PyObject ***at, Py_hash_t *hash)
{
    *hash = value;
    if (value >> 60 == 0 && _PyDictKeys_FirstPosition(dict->ma_keys, value) == DICT_EMPTY) {
        return 0;
    }
    PyObject *object = _PyLong_FromInt64(value);
    if (object == NULL) {
        PyErr_Clear();
        return -1;
    }
    *hash = _Py_KeyHash(object);
    int found = _PyDict_FindHashed(dict, object, *hash, at);
    Py_DECREF(object);
    return found;
}

/* 1 found, 0 not there, -1 not known. */
static inline int
find_key(PyDictObject *dict, PyReg key, PyObject ***at)
{
    Py_hash_t hash = -1;
    *at = NULL;
    if (!REG_IS_INT(key)) {
        PyObject *object = REG_PTR(key);
        if (PyLong_CheckExact(object) && _PyLong_CheckCompact(object)) {
            *at = _PyDict_PeekInt(dict, _PyLong_CompactValue(object));
            if (*at != NULL) {
                return keep(1, -1, *at);
            }
        }
        if (PyUnicode_CheckExact(object) && (hash = _PyUnicode_CachedHash(object)) != -1) {
            int found = _PyDict_FindStr(dict, object, hash, at);
            return keep(found, hash, *at);
        }
        hash = _Py_KnownHash(object);
        int found = hash != -1 || quiet_hash_of_other(object, &hash)
                    ? _PyDict_FindHashed(dict, object, hash, at) : -1;
        return keep(found, hash, *at);
    }
    *at = _PyDict_PeekInt(dict, REG_INT(key));
    int found = *at != NULL ? 1 : find_int(dict, REG_INT(key), at, &hash);
    return keep(found, hash, *at);
}

PyObject *
_PyJit_DictItem(PyDictObject *dict, PyReg key)
{
    PyObject **at;
    return find_key(dict, key, &at) > 0 ? Py_NewRef(*at) : NULL;
}

PyObject *
_PyJit_DictItemFound(PyDictObject *dict, PyReg key)
{
    return last.found > 0 ? Py_NewRef(*last.at) : _PyJit_DictItem(dict, key);
}

/* ------------------------------------------------------------- keys that are tuples */

#define MOST_KEY_ITEMS 3

/* A tuple, and its ints, that lie on the C stack. It is looked for, and nobody keeps it. */
typedef struct {
    union {
        PyTupleObject tuple;
        char room[sizeof(PyTupleObject) + MOST_KEY_ITEMS * sizeof(PyObject *)];
    } key;
    /* Not of PyLongObject's type, for which the compiler knows of one digit only. */
    struct {
        _Alignas(PyLongObject) char room[sizeof(PyLongObject) + sizeof(digit)];
    } ints[MOST_KEY_ITEMS];
} StackKey;

/* Returns the object of an int of at most 60 bits, which is its own hash, or NULL. */
static inline PyObject *
stack_int(PyLongObject *number, int64_t value, Py_hash_t *hash)
{
    *hash = value == -1 ? -2 : value;
    if (_PyLong_IsSmallValue(value)) {
        return _PyLong_BorrowSmall(value);
    }
    if (!_PyLong_FitsBlock(value)) {
        return NULL;
    }
    Py_SET_REFCNT(number, 1);
    Py_SET_TYPE(number, &PyLong_Type);
    _PyLong_FillBlock(number, value);
    return (PyObject *)number;
}

/* The compiler takes the tuple's own array for one of a single item. */
static inline PyObject **
items_of(StackKey *key)
{
    return (PyObject **)(key->key.room + offsetof(PyTupleObject, ob_item));
}

/* Item i, whose hash is added to *sum. 0: it can't be told. */
static __attribute__((noinline)) int
take_other_part(StackKey *key, int i, PyReg word, Py_uhash_t *sum)
{
    Py_hash_t lane;
    PyObject *item = REG_IS_INT(word)
        ? stack_int((PyLongObject *)key->ints[i].room, REG_INT(word), &lane) : REG_PTR(word);
    if (item == NULL) {
        return 0;
    }
    if (!REG_IS_INT(word)) {
        lane = _Py_KnownHash(item);
        if (lane == -1 && !quiet_hash_of_rest(item, MOST_LEVELS - 1, &lane)) {
            return 0;
        }
    }
    items_of(key)[i] = item;
    *sum = _PyTuple_HashNext(*sum, lane);
    return 1;
}

/* Most are small ints: they need no memory. */
static inline __attribute__((always_inline)) int
take_part(StackKey *key, int i, PyReg word, Py_uhash_t *sum)
{
    int64_t value = REG_INT(word);
    if (likely(REG_IS_INT(word)) && likely(_PyLong_IsSmallValue(value))) {
        items_of(key)[i] = _PyLong_BorrowSmall(value);
        *sum = _PyTuple_HashNext(*sum, value == -1 ? -2 : value);
        return 1;
    }
    return take_other_part(key, i, word, sum);
}

/* c is 0 for a pair. 0: its hash can't be told. */
static inline __attribute__((always_inline)) int
make_stack_key(StackKey *key, PyReg a, PyReg b, PyReg c, Py_hash_t *hash)
{
    Py_uhash_t sum = _PyTuple_HASH_START;
    Py_ssize_t n = c != 0 ? 3 : 2;
    PyTupleObject *tuple = &key->key.tuple;
    Py_SET_REFCNT(tuple, 1);
    Py_SET_TYPE(tuple, &PyTuple_Type);
    Py_SET_SIZE(tuple, n);
    if (!take_part(key, 0, a, &sum) || !take_part(key, 1, b, &sum)
        || (c != 0 && !take_other_part(key, 2, c, &sum))) {
        return 0;
    }
    *hash = _PyTuple_HashEnd(sum, n);
    return 1;
}

/* 1 found, 0 not there, -1 not known. */
static inline int
find_stack_key(StackKey *key, PyDictObject *dict, PyReg a, PyReg b, PyReg c, Py_hash_t *hash)
{
    PyObject **at = NULL;
    *hash = -1;
    int found = make_stack_key(key, a, b, c, hash)
                ? _PyDict_FindHashed(dict, (PyObject *)&key->key.tuple, *hash, &at) : -1;
    return keep(found, *hash, at);
}

PyObject *
_PyJit_DictItemOf(PyDictObject *dict, PyReg a, PyReg b, PyReg c)
{
    StackKey key;
    Py_hash_t hash;
    int found = find_stack_key(&key, dict, a, b, c, &hash);
    return found > 0 ? Py_NewRef(*last.at) : NULL;
}

/* Has a key been counted? Leaves no exception. */
static inline int64_t
counted(int done)
{
    if (unlikely(done <= 0)) {
        PyErr_Clear();
    }
    return done > 0;
}

int64_t
_PyJit_CountUpOf(PyObject *op, PyReg a, PyReg b, PyReg c)
{
    PyDictObject *dict = (PyDictObject *)op;
    StackKey key;
    Py_hash_t hash;
    int found = find_stack_key(&key, dict, a, b, c, &hash);
    if (found > 0) {
        found = _PyDict_CountUpAt(dict, last.at);
    }
    else if (found == 0) {
        PyObject *tuple = c == 0 ? _PyJit_Pair(a, b) : _PyJit_Triple(a, b, c);
        PyObject *one = _PyLong_GetSmall(1);
        found = tuple != NULL && _PyDict_AddAbsent(dict, tuple, hash, one) == 0;
        if (!found) {
            Py_XDECREF(tuple);
            Py_DECREF(one);
        }
    }
    return counted(found);
}

int64_t
_PyJit_CountUp(PyObject *dict, PyReg key)
{
    PyObject *object = key == 0 ? NULL : _PyJit_ObjectOf(key);
    Py_hash_t hash;
    int done = object != NULL && _PyJit_QuietHash(object, &hash)
               ? _PyDict_CountUp((PyDictObject *)dict, object, hash) : 0;
    Py_XDECREF(object);
    return counted(done);
}

/* Of a set. */
static inline int
find_place(PySetObject *set, PyObject *key, Py_hash_t hash)
{
    setentry *first = &set->table[(size_t)hash & (size_t)set->mask];
    last.hash = hash;
    if (first->key == NULL) {
        last.place = (_PySetPlace){first, NULL};
        last.found = 0;
    }
    else {
        last.found = _PySet_FindPlace(set, key, hash, &last.place);
    }
    return last.found;
}

int64_t
_PyJit_ContainsTuple(PyReg container, PyReg a, PyReg b, PyReg c)
{
    StackKey key;
    Py_hash_t hash;
    if (container == 0 || REG_IS_INT(container)
        || !make_stack_key(&key, a, b, c, &hash)) {
        return -1;
    }
    PyObject *op = REG_PTR(container), *tuple = (PyObject *)&key.key.tuple;
    if (PyAnySet_CheckExact(op)) {
        return find_place((PySetObject *)op, tuple, hash);
    }
    if (PyDict_CheckExact(op)) {
        PyObject **at = NULL;
        int found = _PyDict_FindHashed((PyDictObject *)op, tuple, hash, &at);
        return keep(found, hash, at);
    }
    return _PyJit_Contains((PyReg)tuple, container);
}

/* None, or 0 if it isn't known that the set has the key now. */
static inline PyReg
added(int found)
{
    if (found < 0) {
        PyErr_Clear();
        return 0;
    }
    return reg_new_ref(REG_NONE);
}

PyReg
_PyJit_SetAdd(PySetObject *set, PyReg item)
{
    _PySetPlace place;
    Py_hash_t hash;
    if (REG_IS_INT(item) && _PySet_PeekInt(set, REG_INT(item)) > 0) {
        return reg_new_ref(REG_NONE);
    }
    PyObject *object = item == 0 ? NULL : _PyJit_ObjectOf(item);
    int found = object != NULL && _PyJit_QuietHash(object, &hash)
                ? _PySet_FindPlace(set, object, hash, &place) : -1;
    if (found != 0) {
        Py_XDECREF(object);
        return added(found);
    }
    return added(_PySet_AddAt(set, &place, object, hash));
}

PyReg
_PyJit_SetAddFound(PySetObject *set, PyReg item)
{
    if (last.found != 0 || REG_IS_INT(item)) {
        return _PyJit_SetAdd(set, item);
    }
    return added(_PySet_AddAt(set, &last.place, Py_NewRef(REG_PTR(item)), last.hash));
}

/* Takes an item out, if it is there, and dies without running code if it dies. *was_there: 1 or 0.
   Returns 0 if it did nothing. */
static int
take_out(PySetObject *set, PyReg item, int *was_there)
{
    PyObject *object = item == 0 ? NULL : _PyJit_ObjectOf(item);
    _PySetPlace place;
    Py_hash_t hash;
    int found = object != NULL && _PyJit_QuietHash(object, &hash)
                ? _PySet_FindPlace(set, object, hash, &place) : -1;
    if (found > 0) {
        PyObject *key = place.slot->key;
        if (Py_REFCNT(key) > 1 + (key == object) || _PyJit_IsPlain((PyReg)key)) {
            _PySet_RemoveAt(set, &place);
        }
        else {
            found = -1;
        }
    }
    Py_XDECREF(object);
    if (found < 0) {
        PyErr_Clear();
    }
    *was_there = found > 0;
    return found >= 0;
}

PyReg
_PyJit_SetDiscard(PySetObject *set, PyReg item)
{
    int was_there;
    return take_out(set, item, &was_there) ? reg_new_ref(REG_NONE) : 0;
}

PyReg
_PyJit_SetRemove(PySetObject *set, PyReg item)
{
    int was_there;
    return take_out(set, item, &was_there) && was_there ? reg_new_ref(REG_NONE) : 0;
}

/* Where the search for the tuple ended. */
static PyReg
add_pair_at(PySetObject *set, const _PySetPlace *place, Py_hash_t hash, PyReg a, PyReg b)
{
    PyObject *tuple = _PyJit_Pair(a, b);
    return added(tuple == NULL ? -1 : _PySet_AddAt(set, place, tuple, hash));
}

PyReg
_PyJit_SetAddOf(PySetObject *set, PyReg a, PyReg b)
{
    StackKey key;
    _PySetPlace place;
    Py_hash_t hash;
    int found = make_stack_key(&key, a, b, 0, &hash)
                ? _PySet_FindPlace(set, (PyObject *)&key.key.tuple, hash, &place) : -1;
    return found != 0 ? added(found) : add_pair_at(set, &place, hash, a, b);
}

PyReg
_PyJit_SetAddFoundOf(PySetObject *set, PyReg a, PyReg b)
{
    return last.found != 0 ? _PyJit_SetAddOf(set, a, b)
                           : add_pair_at(set, &last.place, last.hash, a, b);
}

/* ----------------------------------------------------------------------- other keys */

PyReg
_PyJit_DictGet(PyDictObject *dict, PyReg key, PyReg otherwise)
{
    PyObject **at = NULL;
    int found = key == 0 ? -1 : find_key(dict, key, &at);
    return found < 0 ? 0 : found ? (PyReg)Py_NewRef(*at) : reg_new_ref(otherwise);
}

PyReg
_PyJit_DictGetOrNone(PyDictObject *dict, PyReg key)
{
    return _PyJit_DictGet(dict, key, REG_NONE);
}

PyReg
_PyJit_DictGetOf(PyDictObject *dict, PyReg a, PyReg b, PyReg otherwise)
{
    StackKey key;
    Py_hash_t hash;
    int found = find_stack_key(&key, dict, a, b, 0, &hash);
    return found < 0 ? 0 : found ? (PyReg)Py_NewRef(*last.at) : reg_new_ref(otherwise);
}

PyObject *
_PyJit_ObjectOf(PyReg word)
{
    return REG_IS_INT(word) ? _PyJit_NewInt(REG_INT(word)) : Py_NewRef(REG_PTR(word));
}

/* Returns the value that was there; 0: there is no memory. */
static inline PyReg
exchange_at(PyDictObject *dict, PyObject **at, PyReg value)
{
    PyObject *object = _PyJit_ObjectOf(value);
    return object == NULL ? 0 : (PyReg)_PyDict_ExchangeAt(dict, at, object);
}

/* Stores under a key that is known not to be there. Takes its reference; NULL: there is no
   memory. */
static PyReg
add_absent(PyDictObject *dict, PyObject *key, Py_hash_t hash, PyReg value)
{
    PyObject *object = key != NULL ? _PyJit_ObjectOf(value) : NULL;
    if (object == NULL || _PyDict_AddAbsent(dict, key, hash, object) < 0) {
        Py_XDECREF(key);
        Py_XDECREF(object);
        PyErr_Clear();
        return 0;
    }
    return REG_FROM_INT((int64_t)0);
}

PyReg
_PyJit_DictStoreFound(PyDictObject *dict, PyReg key, PyReg value)
{
    return last.found > 0 ? exchange_at(dict, last.at, value)
           : last.found == 0 ? add_absent(dict, _PyJit_ObjectOf(key), last.hash, value)
           : _PyJit_DictStore(dict, key, value);
}

PyReg
_PyJit_DictStoreOf(PyDictObject *dict, PyReg a, PyReg b, PyReg value)
{
    StackKey key;
    Py_hash_t hash;
    int found = find_stack_key(&key, dict, a, b, 0, &hash);
    return found > 0 ? exchange_at(dict, last.at, value)
           : found == 0 ? add_absent(dict, _PyJit_Pair(a, b), hash, value) : 0;
}

PyReg
_PyJit_DictStoreFoundOf(PyDictObject *dict, PyReg a, PyReg b, PyReg value)
{
    return last.found > 0 ? exchange_at(dict, last.at, value)
           : last.found == 0 ? add_absent(dict, _PyJit_Pair(a, b), last.hash, value)
           : _PyJit_DictStoreOf(dict, a, b, value);
}

PyReg
_PyJit_DictStore(PyDictObject *dict, PyReg key, PyReg value)
{
    Py_hash_t hash;
    PyObject **at = peek_key(dict, key, &hash), *old = NULL;
    if (at != NULL) {
        return exchange_at(dict, at, value);
    }
    PyObject *key_object = _PyJit_ObjectOf(key);
    PyObject *object = key_object != NULL ? _PyJit_ObjectOf(value) : NULL;
    int done = object == NULL || !_PyJit_QuietHash(key_object, &hash)
               ? 0 : _PyDict_StoreQuietly(dict, key_object, hash, object, &old);
    if (done > 0) {
        return old != NULL ? (PyReg)old : REG_FROM_INT((int64_t)0);
    }
    Py_XDECREF(key_object);
    Py_XDECREF(object);
    PyErr_Clear();
    return 0;
}

PyReg
_PyJit_Element(PyObject *str, int64_t index)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(str);
    index += index < 0 ? size : 0;
    if ((uint64_t)index >= (uint64_t)size || PyUnicode_KIND(str) != PyUnicode_1BYTE_KIND) {
        return 0;
    }
    return (PyReg)Py_NewRef(_PyUnicode_latin1[PyUnicode_1BYTE_DATA(str)[index]]);
}

/* Of all but the usual bytearray: its items are flags, say, and asked for in a loop. */
static __attribute__((noinline)) PyReg
plain_item_unusual(PyReg container, PyReg key)
{
    int64_t index;
    if (container == 0 || REG_IS_INT(container) || key == 0 || !reg_as_small(key, &index)) {
        return 0;
    }
    PyObject *op = REG_PTR(container);
    PyTypeObject *type = Py_TYPE(op);
    if (type == &PyUnicode_Type) {
        return _PyJit_Element(op, index);
    }
    if (type == &PyDict_Type) {
        return (PyReg)_PyJit_DictItem((PyDictObject *)op, REG_FROM_INT(index));
    }
    if (type != &PyBytes_Type && type != &PyByteArray_Type) {
        return 0;
    }
    const char *bytes = type == &PyBytes_Type ? PyBytes_AS_STRING(op) : PyByteArray_AS_STRING(op);
    index += index < 0 ? Py_SIZE(op) : 0;
    return (uint64_t)index < (uint64_t)Py_SIZE(op)
           ? REG_FROM_INT((int64_t)(unsigned char)bytes[index]) : 0;
}

PyReg
_PyJit_PlainItem(PyReg container, PyReg key)
{
    if (REG_IS_INT(key) && container != 0 && !REG_IS_INT(container)
        && Py_IS_TYPE(REG_PTR(container), &PyByteArray_Type)) {
        const PyByteArrayObject *bytes = (const PyByteArrayObject *)REG_PTR(container);
        uint64_t index = (uint64_t)REG_INT(key);
        if (likely(index < (uint64_t)Py_SIZE(bytes))) {
            return REG_FROM_INT((int64_t)(unsigned char)bytes->ob_start[index]);
        }
    }
    return plain_item_unusual(container, key);
}

/* Among the items of a list or tuple. */
static int
contains_equal(PyReg item, PyObject **items, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        if (REG_IS_INT(item)) {
            int64_t value;
            if (!PyLong_CheckExact(items[i])) {
                return -1;
            }
            if (_PyLong_AsInt64Exact(items[i], &value) && value == REG_INT(item)) {
                return 1;
            }
            continue;
        }
        int equal = _PyObject_QuickEqual(items[i], REG_PTR(item));
        if (equal != 0) {
            return equal;
        }
    }
    return 0;
}

int64_t
_PyJit_Contains(PyReg item, PyReg container)
{
    if (REG_IS_INT(container) || item == 0 || container == 0) {
        return -1;
    }
    PyObject *op = REG_PTR(container);
    PyTypeObject *type = Py_TYPE(op);
    if (type == &PyDict_Type) {
        PyObject **at;
        return find_key((PyDictObject *)op, item, &at);
    }
    if (type == &PyUnicode_Type && !REG_IS_INT(item)
        && Py_IS_TYPE(REG_PTR(item), &PyUnicode_Type)) {
        int found = PyUnicode_Contains(op, REG_PTR(item));
        if (unlikely(found < 0)) {
            PyErr_Clear();
        }
        return found;
    }
    if (type == &PyList_Type) {
        return contains_equal(item, ((PyListObject *)op)->ob_item, Py_SIZE(op));
    }
    if (type == &PyTuple_Type) {
        return contains_equal(item, ((PyTupleObject *)op)->ob_item, Py_SIZE(op));
    }
    if (PyAnySet_CheckExact(op)) {
        int64_t value;
        last.found = -1;
        if (REG_IS_INT(item)
            || (PyLong_CheckExact(REG_PTR(item)) && Py_ABS(Py_SIZE(REG_PTR(item))) <= 2)) {
            /* An int of at most 60 bits is its own hash, but -1 means that there is none. */
            if (!reg_as_int64(item, &value) || value >> 60 != value >> 63) {
                return -1;
            }
            return _PySet_SearchInt((PySetObject *)op, value, value == -1 ? -2 : value);
        }
        if (Py_IS_TYPE(REG_PTR(item), &PyUnicode_Type)) {
            return _PySet_PeekStr((PySetObject *)op, REG_PTR(item), PyObject_Hash(REG_PTR(item)));
        }
        Py_hash_t hash;
        return _PyJit_QuietHash(REG_PTR(item), &hash)
               ? find_place((PySetObject *)op, REG_PTR(item), hash) : -1;
    }
    return -1;
}

PyObject *
_PyJit_RangeIter(PyReg start, PyReg stop, PyReg step)
{
    return _PyRange_Iterate(REG_INT(start), REG_INT(stop), REG_INT(step));
}

JitSearch
_PyJit_SearchOf(const void *function)
{
    static const struct {
        const void *function;
        JitSearch search;
    } all[] = {
        {(const void *)_PyJit_DictItem, JIT_SEARCH_KEY},
        {(const void *)_PyJit_DictItemFound, JIT_SEARCH_KEY},
        {(const void *)_PyJit_DictGet, JIT_SEARCH_KEY},
        {(const void *)_PyJit_DictGetOrNone, JIT_SEARCH_KEY},
        {(const void *)_PyJit_Contains, JIT_SEARCH_IN},
        {(const void *)_PyJit_DictItemOf, JIT_SEARCH_PARTS},
        {(const void *)_PyJit_ContainsTuple, JIT_SEARCH_PARTS},
        {(const void *)_PyJit_DictGetOf, JIT_SEARCH_PAIR},
        {(const void *)_PyJit_PlainItem, JIT_SEARCH_OTHER},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(all); i++) {
        if (all[i].function == function) {
            return all[i].search;
        }
    }
    return JIT_NO_SEARCH;
}
