/* A hash table of pointers for C code that has no objects, as exported by 3.11.

   Buckets are singly linked lists; the link is an entry's first member. The table is kept
   between one tenth and one half full. */
#include "internal/hashtable.h"

#include <string.h>

enum { MIN_BUCKETS = 16 };
static const double LOW = 0.10, HIGH = 0.50;

#define FIRST(table, i) \
    ((_Py_hashtable_entry_t *)(table)->buckets[i].head)
#define NEXT(entry) \
    ((_Py_hashtable_entry_t *)(entry)->_Py_slist_item.next)

Py_uhash_t
_Py_hashtable_hash_ptr(const void *key)
{
    return (Py_uhash_t)_Py_HashPointerRaw(key);
}

int
_Py_hashtable_compare_direct(const void *key1, const void *key2)
{
    return key1 == key2;
}

static inline size_t
bucket_of(const _Py_hashtable_t *table, Py_uhash_t hash)
{
    return hash & (table->nbuckets - 1);
}

static _Py_hashtable_entry_t *
get_entry(_Py_hashtable_t *table, const void *key)
{
    Py_uhash_t hash = table->hash_func(key);
    _Py_hashtable_entry_t *entry = FIRST(table, bucket_of(table, hash));
    while (entry != NULL
           && !(entry->key_hash == hash
                && table->compare_func(key, entry->key))) {
        entry = NEXT(entry);
    }
    return entry;
}

/* The same for keys that are compared by address. */
static _Py_hashtable_entry_t *
get_entry_by_pointer(_Py_hashtable_t *table, const void *key)
{
    Py_uhash_t hash = _Py_hashtable_hash_ptr(key);
    _Py_hashtable_entry_t *entry = FIRST(table, bucket_of(table, hash));
    while (entry != NULL && entry->key != key) {
        entry = NEXT(entry);
    }
    return entry;
}

static size_t
buckets_for(double entries)
{
    size_t n = MIN_BUCKETS;
    while ((double)n < entries) {
        n *= 2;
    }
    return n;
}

static inline void
push(_Py_slist_t *bucket, _Py_hashtable_entry_t *entry)
{
    entry->_Py_slist_item.next = bucket->head;
    bucket->head = &entry->_Py_slist_item;
}

static int
resize(_Py_hashtable_t *table)
{
    size_t wanted = buckets_for((double)table->nentries * 2.0 / (LOW + HIGH));
    if (wanted == table->nbuckets) {
        return 0;
    }
    _Py_slist_t *buckets = table->alloc.malloc(wanted * sizeof(*buckets));
    if (buckets == NULL) {
        return -1;
    }
    memset(buckets, 0, wanted * sizeof(*buckets));
    for (size_t i = 0; i < table->nbuckets; i++) {
        _Py_hashtable_entry_t *entry = FIRST(table, i);
        while (entry != NULL) {
            _Py_hashtable_entry_t *next = NEXT(entry);
            push(&buckets[entry->key_hash & (wanted - 1)], entry);
            entry = next;
        }
    }
    table->alloc.free(table->buckets);
    table->buckets = buckets;
    table->nbuckets = wanted;
    return 0;
}

size_t
_Py_hashtable_size(const _Py_hashtable_t *table)
{
    return sizeof(*table) + table->nbuckets * sizeof(_Py_slist_t)
        + table->nentries * sizeof(_Py_hashtable_entry_t);
}

void *
_Py_hashtable_steal(_Py_hashtable_t *table, const void *key)
{
    Py_uhash_t hash = table->hash_func(key);
    _Py_slist_item_t **link = &table->buckets[bucket_of(table, hash)].head;
    _Py_hashtable_entry_t *entry;
    for (;; link = &(*link)->next) {
        entry = (_Py_hashtable_entry_t *)*link;
        if (entry == NULL) {
            return NULL;
        }
        if (entry->key_hash == hash && table->compare_func(key, entry->key)) {
            break;
        }
    }
    *link = entry->_Py_slist_item.next;
    table->nentries--;
    void *value = entry->value;
    table->alloc.free(entry);
    if ((double)table->nentries / (double)table->nbuckets < LOW) {
        (void)resize(table);
    }
    return value;
}

int
_Py_hashtable_set(_Py_hashtable_t *table, const void *key, void *value)
{
    _Py_hashtable_entry_t *entry = table->alloc.malloc(sizeof(*entry));
    if (entry == NULL) {
        return -1;
    }
    entry->key_hash = table->hash_func(key);
    entry->key = (void *)key;
    entry->value = value;
    table->nentries++;
    if ((double)table->nentries / (double)table->nbuckets > HIGH
        && resize(table) < 0) {
        table->nentries--;
        table->alloc.free(entry);
        return -1;
    }
    push(&table->buckets[bucket_of(table, entry->key_hash)], entry);
    return 0;
}

void *
_Py_hashtable_get(_Py_hashtable_t *table, const void *key)
{
    _Py_hashtable_entry_t *entry = table->get_entry_func(table, key);
    return entry == NULL ? NULL : entry->value;
}

int
_Py_hashtable_foreach(_Py_hashtable_t *table, _Py_hashtable_foreach_func func,
                      void *user_data)
{
    for (size_t i = 0; i < table->nbuckets; i++) {
        for (_Py_hashtable_entry_t *entry = FIRST(table, i); entry != NULL;
             entry = NEXT(entry)) {
            int status = func(table, entry->key, entry->value, user_data);
            if (status != 0) {
                return status;
            }
        }
    }
    return 0;
}

_Py_hashtable_t *
_Py_hashtable_new_full(_Py_hashtable_hash_func hash_func,
                       _Py_hashtable_compare_func compare_func,
                       _Py_hashtable_destroy_func key_destroy_func,
                       _Py_hashtable_destroy_func value_destroy_func,
                       _Py_hashtable_allocator_t *allocator)
{
    _Py_hashtable_allocator_t alloc = {PyMem_Malloc, PyMem_Free};
    if (allocator != NULL) {
        alloc = *allocator;
    }
    _Py_hashtable_t *table = alloc.malloc(sizeof(*table));
    if (table == NULL) {
        return NULL;
    }
    table->nentries = 0;
    table->nbuckets = MIN_BUCKETS;
    table->buckets = alloc.malloc(MIN_BUCKETS * sizeof(_Py_slist_t));
    if (table->buckets == NULL) {
        alloc.free(table);
        return NULL;
    }
    memset(table->buckets, 0, MIN_BUCKETS * sizeof(_Py_slist_t));
    table->get_entry_func = hash_func == _Py_hashtable_hash_ptr
        && compare_func == _Py_hashtable_compare_direct
        ? get_entry_by_pointer : get_entry;
    table->hash_func = hash_func;
    table->compare_func = compare_func;
    table->key_destroy_func = key_destroy_func;
    table->value_destroy_func = value_destroy_func;
    table->alloc = alloc;
    return table;
}

_Py_hashtable_t *
_Py_hashtable_new(_Py_hashtable_hash_func hash_func,
                  _Py_hashtable_compare_func compare_func)
{
    return _Py_hashtable_new_full(hash_func, compare_func, NULL, NULL, NULL);
}

static void
destroy_entries(_Py_hashtable_t *table)
{
    for (size_t i = 0; i < table->nbuckets; i++) {
        _Py_hashtable_entry_t *entry = FIRST(table, i);
        table->buckets[i].head = NULL;
        while (entry != NULL) {
            _Py_hashtable_entry_t *next = NEXT(entry);
            if (table->key_destroy_func != NULL) {
                table->key_destroy_func(entry->key);
            }
            if (table->value_destroy_func != NULL) {
                table->value_destroy_func(entry->value);
            }
            table->alloc.free(entry);
            entry = next;
        }
    }
    table->nentries = 0;
}

void
_Py_hashtable_clear(_Py_hashtable_t *table)
{
    destroy_entries(table);
    /* A table that stays too large is not an error. */
    (void)resize(table);
}

void
_Py_hashtable_destroy(_Py_hashtable_t *table)
{
    destroy_entries(table);
    table->alloc.free(table->buckets);
    table->alloc.free(table);
}
