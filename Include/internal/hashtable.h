/* The hash table of Python/core/util/hashtable.c. Compiled modules call these
   functions and see the structures: names, order of fields and signatures are
   CPython 3.11's. Keys must not be added twice. */
#ifndef SB_INTERNAL_HASHTABLE_H
#define SB_INTERNAL_HASHTABLE_H

#include "Python.h"

typedef struct _Py_slist_item_s {
    struct _Py_slist_item_s *next;
} _Py_slist_item_t;

typedef struct {
    _Py_slist_item_t *head;
} _Py_slist_t;

typedef struct {
    _Py_slist_item_t _Py_slist_item;    /* first */
    Py_uhash_t key_hash;
    void *key;
    void *value;
} _Py_hashtable_entry_t;

typedef struct _Py_hashtable_t _Py_hashtable_t;
typedef Py_uhash_t (*_Py_hashtable_hash_func)(const void *key);
typedef int (*_Py_hashtable_compare_func)(const void *, const void *);
typedef void (*_Py_hashtable_destroy_func)(void *);
typedef _Py_hashtable_entry_t *(*_Py_hashtable_get_entry_func)(
    _Py_hashtable_t *, const void *key);
typedef int (*_Py_hashtable_foreach_func)(_Py_hashtable_t *, const void *key,
                                          const void *value, void *user_data);

typedef struct {
    void *(*malloc)(size_t size);
    void (*free)(void *ptr);
} _Py_hashtable_allocator_t;

struct _Py_hashtable_t {
    size_t nentries;
    size_t nbuckets;            /* a power of two */
    _Py_slist_t *buckets;
    _Py_hashtable_get_entry_func get_entry_func;
    _Py_hashtable_hash_func hash_func;
    _Py_hashtable_compare_func compare_func;
    _Py_hashtable_destroy_func key_destroy_func;
    _Py_hashtable_destroy_func value_destroy_func;
    _Py_hashtable_allocator_t alloc;
};

PyAPI_FUNC(Py_uhash_t) _Py_hashtable_hash_ptr(const void *key);
PyAPI_FUNC(int) _Py_hashtable_compare_direct(const void *, const void *);
PyAPI_FUNC(_Py_hashtable_t *) _Py_hashtable_new(_Py_hashtable_hash_func,
                                                _Py_hashtable_compare_func);
PyAPI_FUNC(_Py_hashtable_t *) _Py_hashtable_new_full(
    _Py_hashtable_hash_func, _Py_hashtable_compare_func,
    _Py_hashtable_destroy_func key, _Py_hashtable_destroy_func value,
    _Py_hashtable_allocator_t *);
PyAPI_FUNC(void) _Py_hashtable_destroy(_Py_hashtable_t *);
PyAPI_FUNC(void) _Py_hashtable_clear(_Py_hashtable_t *);
PyAPI_FUNC(int) _Py_hashtable_foreach(_Py_hashtable_t *,
                                      _Py_hashtable_foreach_func, void *);
PyAPI_FUNC(size_t) _Py_hashtable_size(const _Py_hashtable_t *);
/* -1: out of memory. */
PyAPI_FUNC(int) _Py_hashtable_set(_Py_hashtable_t *, const void *key,
                                  void *value);
PyAPI_FUNC(void *) _Py_hashtable_get(_Py_hashtable_t *, const void *key);
/* Removes without destroying; NULL: no such key. */
PyAPI_FUNC(void *) _Py_hashtable_steal(_Py_hashtable_t *, const void *key);

static inline _Py_hashtable_entry_t *
_Py_hashtable_get_entry(_Py_hashtable_t *table, const void *key)
{
    return table->get_entry_func(table, key);
}

#endif
