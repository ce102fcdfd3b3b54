/* The memory of dicts: objects and the blocks of tables, made, copied, released, kept for reuse. */
#include "table.h"
#include "internal/gcstate.h"
#include "internal/pystate.h"
#include "internal/trashcan.h"

static struct {
    Keys keys;
    int8_t slot;
} empty_keys = {
    .keys = {
        .log2_size = 0, .log2_width = 0, .kind = DICT_KEYS_UNICODE,
        .usable = 0, .nentries = 0, .index = &empty_keys.slot,
    },
    .slot = DICT_EMPTY,
};

Keys *const _PyDict_EmptyKeys = &empty_keys.keys;

#define FREE_LIST_MAX 128

/* The smallest tables, by kind, and dict objects, kept for reuse. Linked by their first
   word. */
static void *free_keys[2];
static int free_keys_count[2];
static PyDictObject *free_dicts;
static int free_dicts_count;

static size_t
block_size(int log2_size, int log2_width, int kind)
{
    return sizeof(Keys) + (size_t)keys_capacity(log2_size) * entry_size(kind)
        + ((size_t)1 << (log2_size + log2_width));
}

/* A block for a table of so many slots, whose header and index are not filled in yet. NULL with
   MemoryError. */
static inline Keys *
new_block(int log2_size, int width, int kind)
{
    Keys *keys;
    if (log2_size == DICT_MIN_LOG2 && free_keys[kind] != NULL) {
        keys = free_keys[kind];
        free_keys[kind] = *(void **)keys;
        free_keys_count[kind]--;
        return keys;
    }
    keys = PyMem_Malloc(block_size(log2_size, width, kind));
    if (keys == NULL) {
        PyErr_NoMemory();
    }
    return keys;
}

static inline void *
index_behind(Keys *keys, int log2_size, int kind)
{
    return (char *)(keys + 1) + (size_t)keys_capacity(log2_size) * entry_size(kind);
}

Keys *
_PyDictKeys_New(int log2_size, int kind)
{
    assert(log2_size >= DICT_MIN_LOG2);
    if (log2_size > DICT_MAX_LOG2) {
        PyErr_NoMemory();
        return NULL;
    }
    /* Positions are below the capacity, which is two thirds of the slots. */
    int width = log2_size <= 7 ? 0 : log2_size <= 15 ? 1 : 2;
    Keys *keys = new_block(log2_size, width, kind);
    if (keys == NULL) {
        return NULL;
    }
    keys->version = 0;
    keys->log2_size = (uint8_t)log2_size;
    keys->log2_width = (uint8_t)width;
    keys->kind = (uint8_t)kind;
    keys->fronted = 0;
    keys->capacity = (int32_t)keys_capacity(log2_size);
    keys->usable = keys->capacity;
    keys->nentries = 0;
    keys->first = 0;
    keys->index = index_behind(keys, log2_size, kind);
    if (log2_size == DICT_MIN_LOG2) {
        memset(keys->index, 0xff, 1 << DICT_MIN_LOG2);      /* one store */
    }
    else {
        memset(keys->index, 0xff, (size_t)1 << (log2_size + width));
    }
    return keys;
}

void
_PyDictKeys_ReleaseBlock(Keys *keys)
{
    if (keys == _PyDict_EmptyKeys) {
        return;
    }
    int kind = keys->kind;
    if (keys->log2_size == DICT_MIN_LOG2
        && free_keys_count[kind] < FREE_LIST_MAX) {
        *(void **)keys = free_keys[kind];
        free_keys[kind] = keys;
        free_keys_count[kind]++;
        return;
    }
    PyMem_Free(keys);
}

/* Drops the references of a table to which no dict points any more. */
void
_PyDictKeys_Free(Keys *keys)
{
    Py_ssize_t n = keys->nentries;
    if (keys->kind == DICT_KEYS_UNICODE) {
        _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys);
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_XDECREF(e[i].key);
            Py_XDECREF(e[i].value);
        }
    }
    else {
        _PyDictEntry *e = _PyDictKeys_Entries(keys);
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_XDECREF(e[i].key);
            Py_XDECREF(e[i].value);
        }
    }
    _PyDictKeys_ReleaseBlock(keys);
}

/* Returns an untracked dict without a table. */
PyObject *
_PyDict_Alloc(void)
{
    PyDictObject *mp = free_dicts;
    if (mp != NULL) {
        free_dicts = (PyDictObject *)mp->ma_keys;
        free_dicts_count--;
        mp->ma_used = 0;
        mp->ma_keys = _PyDict_EmptyKeys;
        _Py_NewReference((PyObject *)mp);
        _PyObject_GC_Reuse((PyObject *)mp);
    }
    else {
        mp = PyObject_GC_New(PyDictObject, &PyDict_Type);
        if (mp == NULL) {
            return NULL;
        }
        mp->ma_used = 0;
        mp->ma_keys = _PyDict_EmptyKeys;
        mp->ma_values = NULL;
    }
    dict_touch(mp);
    return (PyObject *)mp;
}

/* tp_dealloc of dict. */
void
_PyDict_Release(PyDictObject *mp)
{
    PyObject *op = (PyObject *)mp;
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    int exact = Py_IS_TYPE(op, &PyDict_Type);
    PyThreadState *tstate = NULL;
    if (mp->ma_keys->nentries != 0
        && Py_TYPE(op)->tp_dealloc == PyDict_Type.tp_dealloc) {
        tstate = _PyThreadState_GET();
        if (!_PyTrash_Enter(tstate, op)) {
            return;
        }
    }
    Keys *keys = mp->ma_keys;
    mp->ma_keys = _PyDict_EmptyKeys;
    _PyDictKeys_Free(keys);
    if (exact && free_dicts_count < FREE_LIST_MAX) {
        mp->ma_keys = (Keys *)free_dicts;
        free_dicts = mp;
        free_dicts_count++;
    }
    else {
        Py_TYPE(op)->tp_free(op);
    }
    if (tstate != NULL) {
        _PyTrash_Leave(tstate);
    }
}

static void
clear_free_lists(void)
{
    for (int kind = 0; kind < 2; kind++) {
        while (free_keys[kind] != NULL) {
            void *next = *(void **)free_keys[kind];
            PyMem_Free(free_keys[kind]);
            free_keys[kind] = next;
        }
        free_keys_count[kind] = 0;
    }
    while (free_dicts != NULL) {
        PyDictObject *next = (PyDictObject *)free_dicts->ma_keys;
        PyObject_Free(_Py_AS_GC((PyObject *)free_dicts));
        free_dicts = next;
    }
    free_dicts_count = 0;
}

int
_PyDict_Init(void)
{
    _PyGC_RegisterClearFreeList(clear_free_lists);
    return 0;
}

/* New references for a copy of all entries. */
static inline __attribute__((always_inline)) void
hold_entries(const Keys *keys, int kind)
{
    const Py_ssize_t n = keys->nentries;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *key = kind == DICT_KEYS_UNICODE ? _PyDictKeys_UnicodeEntries(keys)[i].key
                                                  : _PyDictKeys_Entries(keys)[i].key;
        PyObject *value = kind == DICT_KEYS_UNICODE ? _PyDictKeys_UnicodeEntries(keys)[i].value
                                                    : _PyDictKeys_Entries(keys)[i].value;
        if (value != NULL) {
            Py_INCREF(key);
            Py_INCREF(value);
        }
    }
}

/* Fills an empty dict with the entries of `from`. Copies the block of `from` if few of
   its entries are deleted. Returns `to`, or NULL. */
PyObject *
_PyDict_CloneInto(PyDictObject *to, PyDictObject *from)
{
    Keys *old = from->ma_keys;
    assert(to->ma_keys == _PyDict_EmptyKeys);
    if (from->ma_used == 0) {
        return (PyObject *)to;
    }
    Keys *keys = new_block(old->log2_size, old->log2_width, old->kind);
    if (keys == NULL) {
        return NULL;
    }
    /* Reads the old block: what has just been written in large pieces is slow to read in small
       ones. */
    if (old->kind == DICT_KEYS_UNICODE) {
        hold_entries(old, DICT_KEYS_UNICODE);
    }
    else {
        hold_entries(old, DICT_KEYS_GENERAL);
    }
    /* All header fields except the address of the index are the same. */
    memcpy(keys, old, block_size(old->log2_size, old->log2_width, old->kind));
    keys->index = index_behind(keys, old->log2_size, old->kind);
    keys->version = 0;
    to->ma_keys = keys;
    to->ma_used = from->ma_used;
    dict_touch(to);
    if (_PyObject_GC_IS_TRACKED((PyObject *)from)
        && !_PyObject_GC_IS_TRACKED((PyObject *)to)) {
        _PyObject_GC_TRACK((PyObject *)to);
    }
    return (PyObject *)to;
}

size_t
_PyDict_TableSize(PyDictObject *mp)
{
    Keys *keys = mp->ma_keys;
    return keys == _PyDict_EmptyKeys ? 0
        : block_size(keys->log2_size, keys->log2_width, keys->kind);
}
