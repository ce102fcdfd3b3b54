/* The table of sets: see private.h. */
#include "private.h"
#include "internal/compare.h"
#include "internal/gcstate.h"

#define NEIGHBOURS 9
#define STIR_SHIFT 5

static PyTypeObject dummy_type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "<dummy key> type",
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

PyObject _PySet_dummy_object = {(Py_ssize_t)1 << 60, &dummy_type};
PyObject *_PySet_Dummy = &_PySet_dummy_object;

/* Tables of the first size that doesn't lie within the object, kept for reuse: sets of a few keys
   come and go all the time. Linked by their first word. */
#define SPARE_SLOTS 32
#define MOST_SPARE 32

static setentry *spare_tables;
static int spare_count, clears_spare;

static void
clear_spare_tables(void)
{
    while (spare_tables != NULL) {
        setentry *table = spare_tables;
        spare_tables = (setentry *)table->key;
        PyMem_Free(table);
    }
    spare_count = 0;
}

/* Its slots hold anything. NULL, without an exception: there is no memory. */
static inline setentry *
take_table(size_t slots)
{
    if (slots == SPARE_SLOTS && spare_tables != NULL) {
        setentry *table = spare_tables;
        spare_tables = (setentry *)table->key;
        spare_count--;
        return table;
    }
    return slots > PY_SSIZE_T_MAX / sizeof(setentry) ? NULL
           : PyMem_Malloc(slots * sizeof(setentry));
}

/* The same with free slots. */
static inline setentry *
take_free_table(size_t slots)
{
    if (slots != SPARE_SLOTS) {
        return slots > PY_SSIZE_T_MAX / sizeof(setentry) ? NULL
               : PyMem_Calloc(slots, sizeof(setentry));
    }
    setentry *table = take_table(slots);
    if (table != NULL) {
        memset(table, 0, SPARE_SLOTS * sizeof(setentry));
    }
    return table;
}

void
_PySetTable_Free(setentry *table, Py_ssize_t mask)
{
    if (mask != SPARE_SLOTS - 1 || spare_count == MOST_SPARE) {
        PyMem_Free(table);
        return;
    }
    if (!clears_spare) {
        clears_spare = 1;
        _PyGC_RegisterClearFreeList(clear_spare_tables);
    }
    table->key = (PyObject *)spare_tables;
    spare_tables = table;
    spare_count++;
}

void
_PySetTable_Init(PySetObject *so)
{
    memset(so->smalltable, 0, sizeof(so->smalltable));
    so->fill = 0;
    so->used = 0;
    so->mask = PySet_MINSIZE - 1;
    so->table = so->smalltable;
    so->hash = -1;
    so->finger = 0;
}

/* The order in which slots are tried for a hash. Here and below the mask is passed by
   value, because the compiler must assume that a write to the table may change the set. */
struct walk {
    size_t at;
    size_t stir;
};

static inline struct walk
walk_start(size_t mask, Py_hash_t hash)
{
    return (struct walk){(size_t)hash & mask, (size_t)hash};
}

static inline void
walk_jump(struct walk *w, size_t mask)
{
    w->stir >>= STIR_SHIFT;
    w->at = (w->at * 5 + 1 + w->stir) & mask;
}

/* How many neighbours after the slot to look at: none if they would pass the end. */
static inline int
walk_neighbours(const struct walk *w, size_t mask)
{
    return w->at + NEIGHBOURS <= mask ? NEIGHBOURS : 0;
}

/* How often keys have been compared by their methods. While it stays the same no other code runs
   between the steps below, and a set that is walked keeps its keys. */
static size_t times_asked;

/* Returns the key's slot, or the free one where its search ended; NULL with an exception. Starts
   again if a comparison has changed the set. *deleted becomes the last deleted slot that the search
   passed, or NULL. */
static __attribute__((noinline)) setentry *
find(PySetObject *so, PyObject *key, Py_hash_t hash, setentry **deleted)
{
again:;
    setentry *table = so->table;
    size_t mask = (size_t)so->mask;
    struct walk w = walk_start(mask, hash);
    *deleted = NULL;
    for (;;) {
        setentry *slot = &table[w.at];
        int more = walk_neighbours(&w, mask);
        do {
            if (slot->hash == hash && slot->key != NULL) {
                PyObject *other = slot->key;
                int equal = _PyObject_QuickEqual(other, key);
                if (equal < 0) {
                    times_asked++;
                    Py_INCREF(other);
                    equal = _PyObject_AskCompareBool(other, key, Py_EQ);
                    Py_DECREF(other);
                    if (equal < 0) {
                        return NULL;
                    }
                    if (so->table != table || (size_t)so->mask != mask || slot->key != other) {
                        goto again;
                    }
                    if (*deleted != NULL && (*deleted)->key != &_PySet_dummy_object) {
                        *deleted = NULL;    /* a key has been added there meanwhile */
                    }
                }
                if (equal) {
                    return slot;
                }
            }
            else if (slot->hash == 0 && slot->key == NULL) {
                return slot;
            }
            else if (slot->hash == -1) {
                *deleted = slot;
            }
            slot++;
        } while (more-- > 0);
        walk_jump(&w, mask);
    }
}

static __attribute__((noinline)) int
others_equal(PyObject *a, PyObject *b)
{
    return _PyObject_SameKeys(a, b);
}

/* Of keys, which are ready, since they have been hashed. */
static inline int
same_strs(PyObject *a, PyObject *b)
{
    return PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b) && _PyUnicode_FastEq(a, b);
}

/* Are two keys with one hash equal? -1: their methods have to say. Most are short ints. */
static inline int
told_equal(PyObject *a, PyObject *b)
{
    return PyLong_CheckExact(a) && PyLong_CheckExact(b) && _PyLong_CheckCompact(a)
           && _PyLong_CheckCompact(b)
           ? _PyLong_CompactValue(a) == _PyLong_CompactValue(b) : others_equal(a, b);
}

/* The same without running other code. NULL, without an exception: find() has to ask. */
static inline __attribute__((always_inline)) setentry *
find_plainly(PySetObject *so, PyObject *key, Py_hash_t hash, setentry **deleted)
{
    setentry *table = so->table, *passed = NULL;
    size_t mask = (size_t)so->mask;
    struct walk w = walk_start(mask, hash);
    for (;;) {
        setentry *slot = &table[w.at];
        int more = walk_neighbours(&w, mask);
        do {
            PyObject *other = slot->key;
            int found = other == NULL;
            if (!found && slot->hash == hash
                && (found = other == key ? 1 : told_equal(other, key)) < 0) {
                return NULL;
            }
            if (found) {
                *deleted = passed;
                return slot;
            }
            passed = other == &_PySet_dummy_object ? slot : passed;
            slot++;
        } while (more-- > 0);
        walk_jump(&w, mask);
    }
}

/* Stores a key that is not in the table, which has no deleted slots. Steals the
   reference. */
static inline void
insert_clean(setentry *table, size_t mask, PyObject *key, Py_hash_t hash)
{
    setentry *first = &table[(size_t)hash & mask];
    if (__builtin_expect(first->key == NULL, 1)) {
        first->key = key;
        first->hash = hash;
        return;
    }
    struct walk w = walk_start(mask, hash);
    for (;;) {
        setentry *slot = &table[w.at];
        int more = walk_neighbours(&w, mask);
        do {
            if (slot->key == NULL) {
                slot->key = key;
                slot->hash = hash;
                return;
            }
            slot++;
        } while (more-- > 0);
        walk_jump(&w, mask);
    }
}

static size_t
slots_for(Py_ssize_t more_than)
{
    size_t slots = PySet_MINSIZE;
    while (slots <= (size_t)more_than) {
        slots <<= 1;
    }
    return slots;
}

/* Rebuilds the table with more than `more_than` slots. */
static int
resize(PySetObject *so, Py_ssize_t more_than)
{
    size_t slots = slots_for(more_than);
    setentry *old = so->table, saved[PySet_MINSIZE];
    int old_is_small = old == so->smalltable;
    Py_ssize_t old_mask = so->mask;
    setentry *table = so->smalltable;
    if (slots > PySet_MINSIZE) {
        table = take_free_table(slots);
        if (table == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    else {
        if (old_is_small) {
            if (so->fill == so->used) {
                return 0;
            }
            memcpy(saved, old, sizeof(saved));
            old = saved;
        }
        memset(table, 0, sizeof(so->smalltable));
    }
    so->table = table;
    so->mask = (Py_ssize_t)slots - 1;
    so->fill = so->used;
    const setentry *from = old;
    for (Py_ssize_t left = so->used; left > 0; from += SLOTS_AT_ONCE) {
        for (int i = 0; i < SLOTS_AT_ONCE; i++) {
            if (slot_is_live(&from[i])) {
                left--;
                insert_clean(table, slots - 1, from[i].key, from[i].hash);
            }
        }
    }
    if (!old_is_small) {
        _PySetTable_Free(old, old_mask);
    }
    return 0;
}

/* The number of slots to exceed when a set of this size is rebuilt. */
static Py_ssize_t
comfortable(const PySetObject *so)
{
    return so->used > 50000 ? so->used * 2 : so->used * 4;
}

/* Makes room for `n` keys that may be new. */
int
_PySetTable_Reserve(PySetObject *so, Py_ssize_t n)
{
    if ((so->fill + n) * 5 < so->mask * 3) {
        return 0;
    }
    return resize(so, (so->used + n) * 2);
}

/* Rebuilds the table if more than a quarter of its slots are deleted. */
int
_PySetTable_Tidy(PySetObject *so)
{
    if (so->fill - so->used <= so->mask / 4) {
        return 0;
    }
    return resize(so, comfortable(so));
}

/* Searches without running other code. is_key says of an entry with the hash: 1, 0, or -1: that
   can't be told. */
static inline __attribute__((always_inline)) int
search(PySetObject *so, Py_hash_t hash, int (*is_key)(PyObject *, const void *), const void *key)
{
    const setentry *table = so->table;
    size_t mask = (size_t)so->mask;
    struct walk w = walk_start(mask, hash);
    for (;;) {
        const setentry *slot = &table[w.at];
        int more = walk_neighbours(&w, mask);
        do {
            if (slot->key == NULL) {
                return 0;
            }
            if (slot->hash == hash) {
                int found = is_key(slot->key, key);
                if (found != 0) {
                    return found;
                }
            }
            slot++;
        } while (more-- > 0);
        walk_jump(&w, mask);
    }
}

static inline int
is_str(PyObject *other, const void *key)
{
    return other == key ? 1
           : !PyUnicode_CheckExact(other) ? -1 : _PyUnicode_FastEq(other, (PyObject *)key);
}

static inline int
is_int(PyObject *other, const void *value)
{
    int64_t found;
    return !PyLong_CheckExact(other) ? -1
           : _PyLong_AsInt64Exact(other, &found) && found == *(const int64_t *)value;
}

int
_PySet_SearchStr(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    return search(so, hash, is_str, key);
}

int
_PySet_SearchInt(PySetObject *so, int64_t value, Py_hash_t hash)
{
    return search(so, hash, is_int, &value);
}

static __attribute__((noinline)) int
contains_asking(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    setentry *deleted, *slot = find(so, key, hash, &deleted);
    return slot == NULL ? -1 : slot->key != NULL;
}

static __attribute__((noinline)) int
contains_further(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    setentry *deleted, *slot = find_plainly(so, key, hash, &deleted);
    return slot != NULL ? slot->key != NULL : contains_asking(so, key, hash);
}

int
_PySetTable_Contains(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    const setentry *slot = &so->table[(size_t)hash & (size_t)so->mask];
    int told = slot_has(slot, key, hash);
    return told >= 0 ? told : contains_further(so, key, hash);
}

/* Adds a key that is not there where its search ended. Steals it. */
static inline int
put(PySetObject *so, setentry *slot, setentry *deleted, PyObject *key, Py_hash_t hash)
{
    if (deleted != NULL) {
        deleted->key = key;
        deleted->hash = hash;
        so->used++;
        return 0;
    }
    slot->key = key;
    slot->hash = hash;
    so->fill++;
    so->used++;
    if (so->fill * 5 < so->mask * 3) {
        return 0;
    }
    return resize(so, comfortable(so));
}

static __attribute__((noinline)) int
add_asking(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    Py_INCREF(key);
    setentry *deleted, *slot = find(so, key, hash, &deleted);
    if (slot == NULL || slot->key != NULL) {
        Py_DECREF(key);
        return slot == NULL ? -1 : 0;
    }
    return put(so, slot, deleted, key, hash);
}

/* Searches for a key that is not in its first slot: most are there as the same object, as an equal
   str, or not at all. Returns 1 if this one is. If not, *slot is the free one where the search
   ended, or NULL: an equal key, or a deleted one, may have been passed. */
static inline __attribute__((always_inline)) int
meet_same(PySetObject *so, PyObject *key, Py_hash_t hash, setentry **slot)
{
    setentry *table = so->table, *at;
    size_t mask = (size_t)so->mask;
    struct walk w = walk_start(mask, hash);
    for (;;) {
        at = &table[w.at];
        int more = walk_neighbours(&w, mask);
        do {
            if (at->hash == hash || at->key == NULL || at->key == &_PySet_dummy_object) {
                *slot = at->key == NULL ? at : NULL;
                return at->key == key
                       || (at->hash == hash && at->key != NULL && same_strs(at->key, key));
            }
            at++;
        } while (more-- > 0);
        walk_jump(&w, mask);
    }
}

static __attribute__((noinline)) int
add_further(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    setentry *deleted, *slot;
    if (meet_same(so, key, hash, &slot)) {
        return 0;
    }
    if (slot != NULL) {
        return put(so, slot, NULL, Py_NewRef(key), hash);
    }
    slot = find_plainly(so, key, hash, &deleted);
    if (slot == NULL) {
        return add_asking(so, key, hash);
    }
    return slot->key != NULL ? 0 : put(so, slot, deleted, Py_NewRef(key), hash);
}

int
_PySetTable_Add(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    setentry *slot = &so->table[(size_t)hash & (size_t)so->mask];
    int told = slot_has(slot, key, hash);
    return told == 0 ? put(so, slot, NULL, Py_NewRef(key), hash)
           : told > 0 ? 0 : add_further(so, key, hash);
}

int
_PySet_FindPlace(PySetObject *so, PyObject *key, Py_hash_t hash, _PySetPlace *place)
{
    place->slot = find_plainly(so, key, hash, &place->deleted);
    return place->slot == NULL ? -1 : place->slot->key != NULL;
}

int
_PySet_AddAt(PySetObject *so, const _PySetPlace *place, PyObject *key, Py_hash_t hash)
{
    return put(so, place->slot, place->deleted, key, hash);
}

static inline void
take_out(PySetObject *so, setentry *slot)
{
    PyObject *old = slot->key;
    slot->key = _PySet_Dummy;
    slot->hash = -1;
    so->used--;
    Py_DECREF(old);
}

void
_PySet_RemoveAt(PySetObject *so, const _PySetPlace *place)
{
    take_out(so, place->slot);
}

int
_PySetTable_Discard(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    setentry *deleted, *slot = find(so, key, hash, &deleted);
    if (slot == NULL || slot->key == NULL) {
        return slot == NULL ? -1 : 0;
    }
    take_out(so, slot);
    return 1;
}

/* The set is emptied before the first key is released: destructors may look at it. */
void
_PySetTable_Clear(PySetObject *so)
{
    setentry *table = so->table, saved[PySet_MINSIZE];
    Py_ssize_t mask = so->mask, left = so->used;
    int is_small = table == so->smalltable;
    if (is_small) {
        if (so->fill == 0) {
            return;
        }
        memcpy(saved, table, sizeof(saved));
        table = saved;
    }
    _PySetTable_Init(so);
    for (Py_ssize_t i = 0; i <= mask && left > 0; i++) {
        if (slot_is_live(&table[i])) {
            left--;
            Py_DECREF(table[i].key);
        }
    }
    if (!is_small) {
        _PySetTable_Free(table, mask);
    }
}

/* Copies a table without deleted slots, with references of its own to the `left` keys. Large tables
   are not in the cache: this goes through them once. */
static inline void
copy_slots(setentry *to, const setentry *from, size_t slots, Py_ssize_t left)
{
    const setentry *end = from + slots;
    for (; left > 0; from += SLOTS_AT_ONCE, to += SLOTS_AT_ONCE) {
        memcpy(to, from, SLOTS_AT_ONCE * sizeof(setentry));
        for (int i = 0; i < SLOTS_AT_ONCE; i++) {
            if (from[i].key != NULL) {
                left--;
                Py_INCREF(from[i].key);
            }
        }
    }
    memset(to, 0, (size_t)(end - from) * sizeof(setentry));
}

/* Fills an empty table with the keys of `other`. They need no comparison. */
static void
copy_entries(PySetObject *so, const PySetObject *other)
{
    const setentry *from = other->table;
    setentry *to = so->table;
    size_t mask = (size_t)so->mask;
    so->fill = so->used = other->used;
    if (so->mask == other->mask && other->fill == other->used) {
        copy_slots(to, from, mask + 1, other->used);
        return;
    }
    for (Py_ssize_t left = other->used; left > 0; from += SLOTS_AT_ONCE) {
        for (int i = 0; i < SLOTS_AT_ONCE; i++) {
            if (slot_is_live(&from[i])) {
                left--;
                insert_clean(to, mask, Py_NewRef(from[i].key), from[i].hash);
            }
        }
    }
}

/* An empty set becomes a copy of another, slot by slot, if its table would become as large as the
   other's and has none of its own yet. Returns 0 if it did not, -1 without memory. */
static int
copy_table(PySetObject *so, const PySetObject *other)
{
    size_t slots = (size_t)other->mask + 1;
    if (so->fill != 0 || so->table != so->smalltable || other->fill != other->used
        || slots <= PySet_MINSIZE || slots != slots_for(other->used * 2)) {
        return 0;
    }
    setentry *table = take_table(slots);
    if (table == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    copy_slots(table, other->table, slots, other->used);
    so->table = table;
    so->mask = other->mask;
    so->fill = so->used = other->used;
    return 1;
}

/* Adds a key, if the first step of its search finds its place free or finds the key there: most
   searches end so. Returns whether it did; then *failed is what put() returned. */
static inline int
add_at_once(PySetObject *so, PyObject *key, Py_hash_t hash, int *failed)
{
    setentry *slot = &so->table[(size_t)hash & (size_t)so->mask];
    int told = slot_has(slot, key, hash);
    *failed = told == 0 && put(so, slot, NULL, Py_NewRef(key), hash) < 0;
    return told >= 0;
}

static inline int
add_key(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    int failed;
    if (!add_at_once(so, key, hash, &failed)) {
        failed = _PySetTable_Add(so, key, hash) < 0;
    }
    return failed ? -1 : 0;
}

static inline int
discard_key(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    if (so->table[(size_t)hash & (size_t)so->mask].key == NULL) {
        return 0;
    }
    Py_INCREF(key);
    int status = _PySetTable_Discard(so, key, hash);
    Py_DECREF(key);
    return status;
}

/* As discarding and, if there was nothing to discard, adding: the second search is left out where no
   comparison could tell it from the first. */
static int
toggle_searched(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    size_t asked = times_asked;
    Py_INCREF(key);
    setentry *deleted, *slot = find(so, key, hash, &deleted);
    if (slot != NULL && slot->key == NULL && times_asked == asked) {
        return put(so, slot, deleted, key, hash);
    }
    int status = slot == NULL ? -1 : 0;
    if (slot != NULL && slot->key != NULL) {
        take_out(so, slot);
    }
    else if (slot != NULL) {
        status = _PySetTable_Add(so, key, hash);
    }
    Py_DECREF(key);
    return status;
}

static inline int
toggle_key(PySetObject *so, PyObject *key, Py_hash_t hash)
{
    setentry *slot = &so->table[(size_t)hash & (size_t)so->mask];
    int told = slot_has(slot, key, hash);
    if (told == 0) {
        return put(so, slot, NULL, Py_NewRef(key), hash);
    }
    if (told < 0) {
        return toggle_searched(so, key, hash);
    }
    take_out(so, slot);
    return 0;
}

/* Does to `so` what `act` does, with each key of `walked`. Ends with the last key: the slots after
   it can be many. Comparisons may change both sets, so after one the bounds are read again, and the
   walk goes to the table's end. Returns -1 as soon as `act` fails. */
static inline __attribute__((always_inline)) int
for_each_key(PySetObject *walked, PySetObject *so,
             int (*act)(PySetObject *so, PyObject *key, Py_hash_t hash))
{
    Py_ssize_t place = 0;
    size_t asked = times_asked;
    for (Py_ssize_t left = walked->used; left > 0; left--) {
        const setentry *slot = _PySet_NextLive(walked, place);
        place = slot - walked->table + 1;
        if (place > walked->mask + 1) {
            break;
        }
        if (act(so, slot->key, slot->hash) < 0) {
            return -1;
        }
        if (__builtin_expect(times_asked != asked, 0)) {
            left = PY_SSIZE_T_MAX;
        }
    }
    return 0;
}

/* Adds everything in `other`. */
int
_PySetTable_Merge(PySetObject *so, PySetObject *other)
{
    if (so == other || other->used == 0) {
        return 0;
    }
    int copied = copy_table(so, other);
    if (copied != 0) {
        return copied < 0 ? -1 : 0;
    }
    if (_PySetTable_Reserve(so, other->used) < 0) {
        return -1;
    }
    if (so->fill == 0) {
        copy_entries(so, other);
        return 0;
    }
    return for_each_key(other, so, add_key);
}

/* Goes on from slot *at on with what AddIf() does, as long as the first steps of searches tell all.
   Returns the slot of a key that has to be searched for; NULL at the end, or, with *left -1 and an
   exception, without memory. `so` is new, so it is none of the others. */
static inline const setentry *
add_told(PySetObject *so, const PySetObject *walked, const PySetObject *other, int wanted,
         Py_ssize_t *at, Py_ssize_t *left)
{
    setentry *slot = walked->table + *at;
    const setentry *end = walked->table + walked->mask + 1;
    const setentry *others = other->table, *found = NULL;
    size_t mask = (size_t)other->mask;
    Py_ssize_t keys = *left;
    for (; found == NULL && keys > 0 && (slot = _PySet_NextFilled(slot, end)) < end; slot++) {
        PyObject *key = slot->key;
        if (__builtin_expect(key == &_PySet_dummy_object, 0)) {
            continue;
        }
        keys--;
        int failed = 0, told = slot_has(&others[(size_t)slot->hash & mask], key, slot->hash);
        if (told < 0 || (told == wanted && !add_at_once(so, key, slot->hash, &failed))) {
            found = slot;
        }
        keys = failed ? -1 : keys;
    }
    *at = slot - walked->table;
    *left = keys;
    return found;
}

int
_PySetTable_AddIf(PySetObject *so, PySetObject *walked, PySetObject *other,
                  int wanted)
{
    /* Comparisons may change any of the sets. So the key is kept alive, and after one the bounds
       are read again, and the walk goes to the table's end. */
    Py_ssize_t left = walked->used, at = 0;
    size_t asked = times_asked;
    const setentry *slot;
    while ((slot = add_told(so, walked, other, wanted, &at, &left)) != NULL) {
        PyObject *key = Py_NewRef(slot->key);
        Py_hash_t hash = slot->hash;
        int status = _PySetTable_Contains(other, key, hash);
        if (status >= 0) {
            status = status != wanted ? 0 : _PySetTable_Add(so, key, hash);
        }
        Py_DECREF(key);
        if (status < 0) {
            return -1;
        }
        if (__builtin_expect(times_asked != asked, 0)) {
            left = PY_SSIZE_T_MAX;
        }
    }
    return left < 0 ? -1 : 0;
}

int
_PySetTable_DiscardAll(PySetObject *so, PySetObject *other)
{
    return for_each_key(other, so, discard_key);
}

int
_PySetTable_ToggleAll(PySetObject *so, PySetObject *other)
{
    return for_each_key(other, so, toggle_key);
}

/* Whether it failed. */
static inline __attribute__((always_inline)) int
add_any(PySetObject *so, PyObject *key)
{
    Py_hash_t hash = _Py_KnownHash(key);
    int failed;
    if (hash != -1 && add_at_once(so, key, hash, &failed)) {
        return failed;
    }
    Py_INCREF(key);
    if (hash != -1) {
        failed = add_further(so, key, hash) < 0;
    }
    else {
        hash = PyObject_Hash(key);
        failed = hash == -1 || _PySetTable_Add(so, key, hash) < 0;
    }
    Py_DECREF(key);
    return failed;
}

int
_PySetTable_AddItems(PySetObject *so, PyObject *sequence)
{
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sequence); i++) {
        if (add_any(so, PySequence_Fast_GET_ITEM(sequence, i))) {
            return -1;
        }
    }
    return 0;
}

int
_PySetTable_AddRest(PySetObject *so, PyObject *iterator)
{
    PyObject *key;
    while ((key = _PyIter_Step(iterator)) != NULL) {
        int failed = add_any(so, key);
        Py_DECREF(key);
        if (failed) {
            return -1;
        }
    }
    return _PyErr_DropStopIteration();
}

/* Their objects are always there. */
int
_PySetTable_AddCharacters(PySetObject *so, PyObject *text)
{
    const Py_UCS1 *characters = PyUnicode_1BYTE_DATA(text);
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
        PyObject *key = _PyUnicode_latin1[characters[i]];
        if (add_key(so, key, set_key_hash(key)) < 0) {
            return -1;
        }
    }
    return 0;
}

int
_PySetTable_AddKeys(PySetObject *so, PyObject *const *keys, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        if (add_any(so, keys[i])) {
            return -1;
        }
    }
    return 0;
}

/* Exchanges the contents of two sets. */
void
_PySetTable_Swap(PySetObject *a, PySetObject *b)
{
    setentry small[PySet_MINSIZE];
    setentry *a_table = a->table == a->smalltable ? b->smalltable : a->table;
    setentry *b_table = b->table == b->smalltable ? a->smalltable : b->table;
    memcpy(small, a->smalltable, sizeof(small));
    memcpy(a->smalltable, b->smalltable, sizeof(small));
    memcpy(b->smalltable, small, sizeof(small));
    a->table = b_table;
    b->table = a_table;
    Py_ssize_t swap;
#define SWAP(field) swap = a->field; a->field = b->field; b->field = swap
    SWAP(fill);
    SWAP(used);
    SWAP(mask);
#undef SWAP
    if (PyFrozenSet_Check(a) && PyFrozenSet_Check(b)) {
        Py_hash_t hash = a->hash;
        a->hash = b->hash;
        b->hash = hash;
    }
    else {
        a->hash = b->hash = -1;
    }
}
