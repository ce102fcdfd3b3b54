/* What machine code calls to make and fill tuples, lists, sets and dicts: displays.h. */
#include "displays.h"
#include "items.h"
#include "quiet.h"
#include "../vm/vm.h"
#include "internal/dict.h"
#include "internal/gc.h"
#include "internal/gcstate.h"
#include "internal/keyhash.h"
#include "internal/list.h"
#include "internal/set.h"
#include "internal/tuple.h"

#undef A
#undef B
#undef C

/* Does a word become an object without an allocation? */
static inline int
has_object(PyReg word)
{
    return !REG_IS_INT(word) || likely(_PyLong_IsSmallValue(REG_INT(word)));
}

/* Such a word's object: what reference the word had is the object's. */
static inline PyObject *
take_object(PyReg word)
{
    return REG_IS_INT(word) ? _PyLong_GetSmall(REG_INT(word)) : REG_PTR(word);
}

/* Boxes the ints in a run of registers. */
static inline int
box_ints(PyReg *run, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        if (!has_object(run[i]) && _PyVM_BoxAlike(&run[i]) == NULL) {
            return -1;
        }
    }
    return 0;
}

/* Moves a run of registers, none of which holds an int that needs a box. */
static inline void
move_run(PyObject **items, PyReg *run, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        items[i] = take_object(run[i]);
        run[i] = 0;
    }
}

static __attribute__((noinline)) PyObject *
make_any_tuple(PyReg *run, uint64_t n)
{
    if (box_ints(run, n) < 0) {
        return NULL;
    }
    PyTupleObject *tuple = _PyTuple_Alloc((Py_ssize_t)n);
    if (tuple == NULL) {
        return NULL;
    }
    move_run(tuple->ob_item, run, n);
    _PyObject_GC_TRACK((PyObject *)tuple);
    return (PyObject *)tuple;
}

/* A pair that needs no memory: ints become objects, too; what objects there are is moved. NULL,
   without an exception: it does need some. */
static inline PyObject *
reuse_pair(PyReg a, PyReg b)
{
    PyTupleObject *pair = likely(has_object(a)) && likely(has_object(b)) ? _PyTuple_Reuse(2) : NULL;
    if (likely(pair != NULL)) {
        pair->ob_item[0] = take_object(a);
        pair->ob_item[1] = take_object(b);
        _PyObject_GC_TRACK((PyObject *)pair);
    }
    return (PyObject *)pair;
}

PyObject *
_PyJit_MakeTuple(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    (void)ts;
    PyReg *run = &f->regs[first];
    /* Most are pairs. */
    PyObject *pair = n == 2 ? reuse_pair(run[0], run[1]) : NULL;
    if (likely(pair != NULL)) {
        run[0] = run[1] = 0;
        return pair;
    }
    return make_any_tuple(run, n);
}

PyObject *
_PyJit_MakeList(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    (void)ts;
    PyReg *run = &f->regs[first];
    if (n == 0) {
        return PyList_New(0);
    }
    if (box_ints(run, n) < 0) {
        return NULL;
    }
    PyListObject *list = _PyList_NewWithRoom((Py_ssize_t)n);
    if (list == NULL) {
        return NULL;
    }
    move_run(list->ob_item, run, n);
    Py_SET_SIZE(list, (Py_ssize_t)n);
    _PyObject_GC_TRACK((PyObject *)list);
    return (PyObject *)list;
}

/* NULL without an exception. */
static PyObject *
quietly(PyObject *made)
{
    if (made == NULL) {
        PyErr_Clear();
    }
    return made;
}

static int
is_collector_due(void)
{
    return _PyGC_young_count >= _PyGC_young_threshold;
}

PyObject *
_PyJit_NewList(void)
{
    return is_collector_due() ? NULL : quietly(PyList_New(0));
}

PyObject *
_PyJit_NewSet(void)
{
    return is_collector_due() ? NULL : quietly(PySet_New(NULL));
}

PyObject *
_PyJit_NewDict(void)
{
    return is_collector_due() ? NULL : quietly(PyDict_New());
}

PyReg
_PyJit_CopyList(PyReg list)
{
    PyObject *op = REG_PTR(list);
    return is_collector_due() ? 0 : (PyReg)quietly(PyList_GetSlice(op, 0, PyList_GET_SIZE(op)));
}

PyReg
_PyJit_CopySet(PyReg set)
{
    return is_collector_due() ? 0 : (PyReg)quietly(PySet_New(REG_PTR(set)));
}

PyReg
_PyJit_CopyDict(PyReg dict)
{
    /* With more holes, its keys would be added one by one, and compared. */
    const PyDictObject *from = (const PyDictObject *)REG_PTR(dict);
    return is_collector_due() || from->ma_used < from->ma_keys->nentries * 2 / 3
           ? 0 : (PyReg)quietly(PyDict_Copy(REG_PTR(dict)));
}

static __attribute__((noinline)) PyObject *
tuple_of_words(const PyReg *words, Py_ssize_t n)
{
    PyTupleObject *tuple = is_collector_due() ? NULL : _PyTuple_Alloc(n);
    if (tuple == NULL) {
        return quietly(NULL);
    }
    int is_whole = 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = REG_IS_INT(words[i]) ? _PyLong_FromInt64(REG_INT(words[i]))
                                              : Py_NewRef(REG_PTR(words[i]));
        tuple->ob_item[i] = item;
        is_whole &= item != NULL;
    }
    _PyObject_GC_TRACK((PyObject *)tuple);
    if (unlikely(!is_whole)) {
        Py_CLEAR(tuple);
    }
    return quietly((PyObject *)tuple);
}

PyObject *
_PyJit_OneTuple(PyReg a)
{
    return tuple_of_words((PyReg[]){a}, 1);
}

PyObject *
_PyJit_Pair(PyReg a, PyReg b)
{
    PyObject *pair = reuse_pair(a, b);
    if (unlikely(pair == NULL)) {
        return tuple_of_words((PyReg[]){a, b}, 2);
    }
    if (!REG_IS_INT(a)) {
        Py_INCREF(REG_PTR(a));
    }
    if (!REG_IS_INT(b)) {
        Py_INCREF(REG_PTR(b));
    }
    return pair;
}

PyObject *
_PyJit_Triple(PyReg a, PyReg b, PyReg c)
{
    return tuple_of_words((PyReg[]){a, b, c}, 3);
}

int64_t
_PyJit_FillList(PyObject *list, PyReg item)
{
    PyObject *object = item == 0 ? NULL : _PyJit_ObjectOf(item);
    if (object == NULL || _PyList_AppendTakeRef((PyListObject *)list, object) < 0) {
        PyErr_Clear();
        return 0;
    }
    return 1;
}

int64_t
_PyJit_FillListTakeRef(PyObject *list, PyReg item)
{
    if (item == 0 || REG_IS_INT(item)) {
        return _PyJit_FillList(list, item);
    }
    PyListObject *so_far = (PyListObject *)list;
    if (Py_SIZE(list) == so_far->allocated && !_PyJit_ListRoom(so_far)) {
        return 0;
    }
    return _PyList_AppendTakeRef(so_far, REG_PTR(item)) == 0;
}

/* Of an int that the first step of its search has not found. */
static __attribute__((noinline)) int64_t
fill_with_int(PySetObject *so, int64_t value)
{
    PyObject *object = _PyLong_FromInt64(value);
    int done = object != NULL && _PySetTable_Add(so, object, _Py_KeyHash(object)) == 0;
    Py_XDECREF(object);
    if (!done) {
        PyErr_Clear();
    }
    return done;
}

int64_t
_PyJit_FillSet(PyObject *set, PyReg item)
{
    PySetObject *so = (PySetObject *)set;
    if (REG_IS_INT(item)) {
        /* No object is made for one that is there. */
        return _PySet_PeekInt(so, REG_INT(item)) > 0 ? 1 : fill_with_int(so, REG_INT(item));
    }
    Py_hash_t hash = item == 0 ? -1 : _Py_KnownHash(REG_PTR(item));
    if (likely(hash != -1)) {
        const setentry *first = &so->table[(size_t)hash & (size_t)so->mask];
        if (first->key == REG_PTR(item) && first->hash == hash) {
            return 1;
        }
    }
    else if (item == 0 || !_PyJit_QuietHash(REG_PTR(item), &hash)) {
        return 0;
    }
    if (_PySetTable_Add(so, REG_PTR(item), hash) < 0) {
        PyErr_Clear();
        return 0;
    }
    return 1;
}

int64_t
_PyJit_FillDict(PyObject *dict, PyReg key, PyReg value)
{
    PyObject *key_object = key == 0 ? NULL : _PyJit_ObjectOf(key), *old;
    Py_hash_t hash;
    PyObject *object = key_object != NULL && _PyJit_QuietHash(key_object, &hash)
                       ? _PyJit_ObjectOf(value) : NULL;
    if (object == NULL
        || _PyDict_StoreQuietly((PyDictObject *)dict, key_object, hash, object, &old) <= 0) {
        Py_XDECREF(key_object);
        Py_XDECREF(object);
        PyErr_Clear();
        return 0;
    }
    Py_XDECREF(old);
    return 1;
}

static inline int
is_plain_object(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    return type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type
           || type == &PyBool_Type || object == Py_None;
}

int64_t
_PyJit_IsPlain(PyReg word)
{
    const Py_ssize_t few = 8;
    if (word == 0 || REG_IS_INT(word)) {
        return word != 0;
    }
    PyObject *object = REG_PTR(word);
    if (!PyTuple_CheckExact(object)) {
        return is_plain_object(object);
    }
    Py_ssize_t i = 0, n = PyTuple_GET_SIZE(object);
    while (i < n && n <= few && is_plain_object(PyTuple_GET_ITEM(object, i))) {
        i++;
    }
    return i == n;
}

PyObject *
_PyJit_TupleOfList(PyObject *list)
{
    Py_ssize_t n = PyList_GET_SIZE(list);
    PyObject *tuple = is_collector_due() ? NULL : quietly(PyTuple_New(n));
    if (tuple == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(tuple, i, PyList_GET_ITEM(list, i));
    }
    Py_SET_SIZE(list, 0);
    Py_DECREF(list);
    return tuple;
}

PyObject *
_PyJit_SetOfList(PyObject *list)
{
    PyObject *set = _PyJit_NewSet();
    for (Py_ssize_t i = 0; set != NULL && i < PyList_GET_SIZE(list); i++) {
        if (!_PyJit_FillSet(set, (PyReg)PyList_GET_ITEM(list, i))) {
            Py_CLEAR(set);
        }
    }
    if (set != NULL) {
        Py_DECREF(list);
    }
    return set;
}

PyObject *
_PyJit_JoinList(PyObject *list, PyObject *separator)
{
    PyObject *text = quietly(PyUnicode_Join(separator, list));
    if (text != NULL) {
        Py_DECREF(list);
    }
    return text;
}

JitFetched _PyJit_Fetched[JIT_FETCH_LEVELS];

int64_t
_PyJit_FetchEntries(PyObject *dict, int64_t round, JitFetched *to)
{
    Py_ssize_t place = round == 0 ? 0 : to->place;
    int64_t n = 0;
    while (n < JIT_FETCHED && _PyDict_NextInline((PyDictObject *)dict, &place, &to->keys[n],
                                                 &to->values[n])) {
        n++;
    }
    if (n < JIT_FETCHED) {
        to->keys[n] = NULL;
    }
    to->place = place;
    return n;
}

/* While there are keys left the table has one at or behind the slot: its end need not be tested. */
static inline const setentry *
next_filled(const setentry *slot)
{
    for (;; slot += 4) {
        for (int i = 0; i < 4; i++) {
            if (slot[i].key != NULL) {
                return &slot[i];
            }
        }
    }
}

int64_t
_PyJit_FetchKeys(PyObject *set, int64_t round, JitFetched *to)
{
    const PySetObject *so = (const PySetObject *)set;
    const setentry *slot = so->table + (round == 0 ? 0 : to->place);
    Py_ssize_t left = round == 0 ? so->used : to->left, n = 0;
    Py_ssize_t wanted = Py_MIN(left, JIT_FETCHED);
    while (n < wanted) {
        slot = next_filled(slot);
        to->keys[n] = slot->key;
        n += slot->key != _PySet_Dummy;
        slot++;
    }
    if (n < JIT_FETCHED) {
        to->keys[n] = NULL;
    }
    to->place = slot - so->table;
    to->left = left - n;
    return n;
}

int64_t
_PyJit_AddToList(PyVMFrame *f, PyThreadState *ts)
{
    (void)ts;
    const PyInstr *in = f->ip;
    PyObject *value = operand_take_object(f, in->b);
    return value == NULL ? -1
        : _PyList_AppendTakeRef((PyListObject *)REG_PTR(f->regs[in->a]), value);
}

int64_t
_PyJit_AddToSet(PyVMFrame *f, PyThreadState *ts)
{
    (void)ts;
    const PyInstr *in = f->ip;
    PyObject *value = reg_object(&f->regs[in->b]);
    if (value == NULL || PySet_Add(REG_PTR(f->regs[in->a]), value) < 0) {
        return -1;
    }
    operand_done(f, in->b);
    return 0;
}

int64_t
_PyJit_AddToDict(PyVMFrame *f, PyThreadState *ts)
{
    (void)ts;
    const PyInstr *in = f->ip;
    PyObject *key = operand_take_object(f, in->b);
    PyObject *value = key != NULL ? operand_take_object(f, in->c) : NULL;
    if (value == NULL) {
        Py_XDECREF(key);
        return -1;
    }
    return _PyDict_SetItemSteal((PyDictObject *)REG_PTR(f->regs[in->a]), key, value);
}
