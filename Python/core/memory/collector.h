/* What the collector's files share: lists of objects, and what an object refers to. */
#ifndef SB_COLLECTOR_H
#define SB_COLLECTOR_H

#include "Python.h"
#include "internal/dict.h"
#include "internal/gc.h"
#include "internal/gcstate.h"
#include "internal/object.h"
#include "internal/subtype_traverse.h"

/* ---------------------------------------------------------------- the lists */

static inline PyGC_Head *
next_of(const PyGC_Head *head)
{
    return (PyGC_Head *)head->next;
}

static inline PyGC_Head *
prev_of(const PyGC_Head *head)
{
    return (PyGC_Head *)(head->prev & ~_PyGC_PREV_FLAGS);
}

static inline void
set_prev(PyGC_Head *head, PyGC_Head *prev)
{
    head->prev = (head->prev & _PyGC_PREV_FLAGS) | (uintptr_t)prev;
}

static inline void
list_clear(PyGC_Head *list)
{
    list->next = list->prev = (uintptr_t)list;
}

static inline int
list_is_empty(const PyGC_Head *list)
{
    return list->next == (uintptr_t)list;
}

static inline void
list_append(PyGC_Head *list, PyGC_Head *head)
{
    PyGC_Head *last = (PyGC_Head *)list->prev;
    set_prev(head, last);
    head->next = (uintptr_t)list;
    last->next = (uintptr_t)head;
    list->prev = (uintptr_t)head;
}

static inline void
list_unlink(PyGC_Head *head)
{
    PyGC_Head *prev = prev_of(head);
    PyGC_Head *next = next_of(head);
    prev->next = (uintptr_t)next;
    set_prev(next, prev);
}

static inline void
list_move(PyGC_Head *head, PyGC_Head *to)
{
    list_unlink(head);
    list_append(to, head);
}

/* ------------------------------------------------------------ what is visited */

/* Items are looked up so much earlier than they are visited. */
#define LOOK_AHEAD 6

/* The last first, as in CPython. */
static inline __attribute__((always_inline)) void
visit_items(PyObject **items, Py_ssize_t n, visitproc visit, void *arg)
{
    for (Py_ssize_t i = n; --i >= 0;) {
        if (i >= LOOK_AHEAD) {
            __builtin_prefetch(items[i - LOOK_AHEAD]);
        }
        if (items[i] != NULL) {
            (void)visit(items[i], arg);
        }
    }
}

/* The values of a dict whose keys are strings, which refer to nothing. */
static inline __attribute__((always_inline)) void
visit_values(struct _dictkeysobject *keys, visitproc visit, void *arg)
{
    _PyDictUnicodeEntry *e = _PyDictKeys_UnicodeEntries(keys);
    int32_t n = keys->nentries;
    for (int32_t i = 0; i < n; i++) {
        if (i + LOOK_AHEAD < n) {
            __builtin_prefetch(e[i + LOOK_AHEAD].value);
        }
        if (e[i].value != NULL) {
            (void)visit(e[i].value, arg);
        }
    }
}

/* A removed key has left something that refers to nothing. */
static inline __attribute__((always_inline)) void
visit_keys(const PySetObject *set, visitproc visit, void *arg)
{
    for (Py_ssize_t i = 0; i <= set->mask; i++) {
        if (set->table[i].key != NULL) {
            (void)visit(set->table[i].key, arg);
        }
    }
}

/* tp_traverse, without a call for each item of lists, tuples, sets, most dicts and instances, and
   in the same order. */
static inline __attribute__((always_inline)) void
traverse(PyObject *op, visitproc visit, void *arg)
{
    if (PyList_CheckExact(op)) {
        visit_items(((PyListObject *)op)->ob_item, Py_SIZE(op), visit, arg);
    }
    else if (PyTuple_CheckExact(op)) {
        visit_items(((PyTupleObject *)op)->ob_item, Py_SIZE(op), visit, arg);
    }
    else if (PyDict_CheckExact(op)
             && ((PyDictObject *)op)->ma_keys->kind == DICT_KEYS_UNICODE) {
        visit_values(((PyDictObject *)op)->ma_keys, visit, arg);
    }
    else if (PyAnySet_CheckExact(op)) {
        visit_keys((PySetObject *)op, visit, arg);
    }
    else if (Py_TYPE(op)->tp_traverse == _PySubtype_Traverse) {
        (void)_PySubtype_TraverseInline(op, visit, arg);
    }
    else {
        Py_TYPE(op)->tp_traverse(op, visit, arg);
    }
}

#endif
