/* The cycle collector.

   Each tracked object is in one of three generations, which are doubly linked lists
   through the objects' PyGC_Head. A collection takes a generation and all younger ones as
   its *candidates*, and finds those to which no reference from outside exists:

   1. every candidate stores its reference count where its `prev` link was;
   2. each reference from one candidate to another is subtracted;
   3. a candidate with references left is referenced from outside: it is alive, and so is
      everything that can be reached from it. The live ones go to a list of their own, those
      that nothing has reached so far wait in another;
   4. what waits is told apart: the live objects follow the others, the rest is garbage.

   A large heap is read from memory anew by each pass over it, and its reading is what a
   collection costs: a full collection makes step 1 and 2 in one pass, and step 4 looks only at
   what waits. A small one is left in the order in which CPython leaves it, because finalizers run
   in the order of the list: those of cycles and, above all, those of a program's last objects.

   _PyGC_PREV_COLLECTING marks a candidate that is not known to be alive, LEAF one that refers to
   no candidate, but perhaps to its type: step 3 need not look into it. Only the forward links are
   valid during 1-4. Then come weak references and their callbacks, finalizers (once per object), a
   second search for what finalizers resurrected, and tp_clear for the rest.

   No allocation happens between 1 and 4, so that tp_traverse always sees a consistent
   graph. */
#include "known_alive.h"
#include "internal/errors.h"
#include "internal/gc_stress.h"
#include "internal/instance_attrs.h"
#include "internal/probes.h"
#include "internal/pystate.h"
#include "internal/spare.h"

#include <limits.h>
#include <string.h>

/* What `prev` holds during 1-4, beside the flags that it always has. */
#define LEAF _PyGC_PREV_FOUND   /* no candidate is known to be alive */
#define KEPT_FLAGS (_PyGC_PREV_FINALIZED | _PyGC_PREV_COLLECTING)
#define REFS_SHIFT 3
#define REFS_ONE ((uintptr_t)1 << REFS_SHIFT)

#define DEFAULT_THRESHOLDS {_PyGC_YOUNG_THRESHOLD, 10, 10}

struct _PyGC_State _PyGC = {
    .enabled = 1,
    .starting = 1,
    .thresholds = DEFAULT_THRESHOLDS,
    .heads = {
        {(uintptr_t)&_PyGC.heads[0], (uintptr_t)&_PyGC.heads[0]},
        {(uintptr_t)&_PyGC.heads[1], (uintptr_t)&_PyGC.heads[1]},
        {(uintptr_t)&_PyGC.heads[2], (uintptr_t)&_PyGC.heads[2]},
    },
    .permanent = {(uintptr_t)&_PyGC.permanent, (uintptr_t)&_PyGC.permanent},
};

PyGC_Head *_PyGC_youngest = &_PyGC.heads[0];
int _PyGC_young_count;
int _PyGC_young_threshold = _PyGC_YOUNG_THRESHOLD;

/* ---------------------------------------------------------------- the lists */

void
_PyGC_ListMerge(PyGC_Head *from, PyGC_Head *to)
{
    if (list_is_empty(from)) {
        return;
    }
    PyGC_Head *first = next_of(from), *last = prev_of(from);
    PyGC_Head *tail = prev_of(to);
    tail->next = (uintptr_t)first;
    set_prev(first, tail);
    last->next = (uintptr_t)to;
    to->prev = (uintptr_t)last;
    list_clear(from);
}

Py_ssize_t
_PyGC_ListSize(const PyGC_Head *list)
{
    Py_ssize_t n = 0;
    for (PyGC_Head *h = next_of(list); h != list; h = next_of(h)) {
        n++;
    }
    return n;
}

/* ------------------------------------------------------------ the algorithm */

static inline int
is_candidate(PyObject *op)
{
    return _PyObject_IS_GC(op)
        && (_Py_AS_GC(op)->prev & _PyGC_PREV_COLLECTING);
}

/* Step 1. From here on the list is linked forwards only. Returns its length. */
static Py_ssize_t
note_counts(PyGC_Head *candidates)
{
    Py_ssize_t length = 0;
    for (PyGC_Head *h = next_of(candidates); h != candidates; h = next_of(h)) {
        uintptr_t refs = (uintptr_t)Py_REFCNT(_Py_FROM_GC(h));
        h->prev = (h->prev & _PyGC_PREV_FINALIZED) | _PyGC_PREV_COLLECTING
            | refs << REFS_SHIFT;
        length++;
    }
    return length;
}

/* What of a candidate is visited. */
struct subtracting {
    PyObject *type;
    int leads;                  /* to candidates other than its type */
};

static int
visit_subtract(PyObject *op, void *arg)
{
    if (is_candidate(op)) {
        struct subtracting *s = arg;
        PyGC_Head *h = _Py_AS_GC(op);
        s->leads |= op != s->type;
        if (h->prev >= REFS_ONE) {
            h->prev -= REFS_ONE;
        }
    }
    return 0;
}

static inline int
is_leaf(const PyGC_Head *h)
{
    return (h->prev & LEAF) != 0;
}

/* Step 3 for one candidate: what it leads to. A leaf is alive only together with its type. */
static inline __attribute__((always_inline)) void
reach_from(PyGC_Head *h, int leaf, visitproc visit, void *arg)
{
    PyObject *op = _Py_FROM_GC(h);
    if (!leaf) {
        traverse(op, visit, arg);
    }
    else if (PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_HEAPTYPE)) {
        (void)visit((PyObject *)Py_TYPE(op), arg);
    }
}

/* Step 2 for one candidate. */
static inline __attribute__((always_inline)) void
subtract(PyGC_Head *h, visitproc visit)
{
    struct subtracting s = {(PyObject *)Py_TYPE(_Py_FROM_GC(h)), 0};
    traverse(_Py_FROM_GC(h), visit, &s);
    if (!s.leads) {
        h->prev |= LEAF;
    }
}

/* Step 2. */
static void
subtract_internal(PyGC_Head *candidates)
{
    for (PyGC_Head *h = next_of(candidates); h != candidates; h = next_of(h)) {
        subtract(h, visit_subtract);
    }
}

/* Steps 1 and 2 where every tracked object is a candidate: a reference that comes before the
   object's turn in the list notes the object's count first. */
static inline void
note_count(PyGC_Head *h)
{
    if (!(h->prev & _PyGC_PREV_COLLECTING)) {
        h->prev = (h->prev & _PyGC_PREV_FINALIZED) | _PyGC_PREV_COLLECTING
            | (uintptr_t)Py_REFCNT(_Py_FROM_GC(h)) << REFS_SHIFT;
    }
}

static int
visit_note_and_subtract(PyObject *op, void *arg)
{
    if (_PyObject_IS_GC(op) && _PyObject_GC_IS_TRACKED(op)) {
        struct subtracting *s = arg;
        PyGC_Head *h = _Py_AS_GC(op);
        s->leads |= op != s->type;
        note_count(h);
        if (h->prev >= REFS_ONE) {
            h->prev -= REFS_ONE;
        }
    }
    return 0;
}

/* A collection goes through its list of objects three times. Where that leads to and fro in
   memory, an object takes five times as long as in order. Then the list is put in the order of
   addresses, for this collection and later ones: first by regions of 64 KB, some of which share a
   chain, and then by a bit for each place in a region. Only the forward links are valid. */
#define REGION_SHIFT 16
#define REGION_SIZE ((uintptr_t)1 << REGION_SHIFT)
#define REGIONS ((uintptr_t)1 << 14)
#define PLACE_SHIFT 3
/* Strays are objects that are not in one of the regions seen last. No more than so many, or than
   one object in so many, are left where they are: a list in the order in which objects were made
   has those that refer to each other close together. */
#define MANY_STRAYS 20000
#define STRAYS_SHARE 3

/* Returns whether the list leads to and fro in memory, and stores its length. */
static int
note_and_subtract(PyGC_Head *candidates, Py_ssize_t *length)
{
    uintptr_t recent[64] = {0};
    Py_ssize_t seen = 0, strays = 0;
    for (PyGC_Head *h = next_of(candidates); h != candidates; h = next_of(h)) {
        uintptr_t region = (uintptr_t)h >> REGION_SHIFT;
        seen++;
        strays += recent[region % 64] != region;
        recent[region % 64] = region;
        note_count(h);
        subtract(h, visit_note_and_subtract);
    }
    *length = seen;
    return strays > MANY_STRAYS && strays > seen / STRAYS_SHARE;
}

static inline void
chain(PyGC_Head **top, PyGC_Head *h)
{
    h->next = (uintptr_t)*top;
    *top = h;
}

/* Links what is in a chain behind `last`, and returns the new last one. */
static PyGC_Head *
append_in_order(PyGC_Head *last, PyGC_Head *first)
{
    while (first != NULL) {
        uint64_t places[REGION_SIZE >> PLACE_SHIFT >> 6] = {0};
        uintptr_t begin = (uintptr_t)first & ~(REGION_SIZE - 1);
        PyGC_Head *others = NULL, *next;
        for (PyGC_Head *h = first; h != NULL; h = next) {
            next = next_of(h);
            uintptr_t offset = (uintptr_t)h - begin;
            if (offset < REGION_SIZE) {
                places[offset >> PLACE_SHIFT >> 6] |= UINT64_C(1) << (offset >> PLACE_SHIFT & 63);
            }
            else {
                chain(&others, h);
            }
        }
        for (uintptr_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
            for (uint64_t word = places[i]; word != 0; word &= word - 1) {
                uintptr_t place = i << 6 | (uintptr_t)__builtin_ctzll(word);
                last->next = begin + (place << PLACE_SHIFT);
                last = next_of(last);
            }
        }
        first = others;
    }
    return last;
}

static void
put_in_order(PyGC_Head *list)
{
    PyGC_Head **regions = PyMem_RawCalloc(REGIONS, sizeof(*regions)), *next, *last = list;
    if (regions == NULL) {
        return;
    }
    for (PyGC_Head *h = next_of(list); h != list; h = next) {
        next = next_of(h);
        chain(&regions[((uintptr_t)h >> REGION_SHIFT) % REGIONS], h);
    }
    for (uintptr_t i = 0; i < REGIONS; i++) {
        last = append_in_order(last, regions[i]);
    }
    last->next = (uintptr_t)list;
    PyMem_RawFree(regions);
}

/* Objects that are known to be alive and have not been traversed yet are linked through the word
   that held the count. These flags stay. */
#define WAITING_FLAGS (_PyGC_PREV_FINALIZED | LEAF)

static inline PyGC_Head *
next_waiting(const PyGC_Head *h)
{
    return (PyGC_Head *)(h->prev & ~WAITING_FLAGS);
}

/* A stack of them. */
static inline void
push(PyGC_Head *h, uintptr_t *stack)
{
    h->prev = (h->prev & WAITING_FLAGS) | *stack;
    *stack = (uintptr_t)h;
}

/* A count of those that had none when the pass came by. */
#define PASSED (UINTPTR_MAX << REFS_SHIFT)

/* What the pass has still to come to waits for it: in the order of the list memory is read much
   faster than in the order of references. */
static int
visit_reached(PyObject *op, void *stack)
{
    if (is_candidate(op)) {
        PyGC_Head *h = _Py_AS_GC(op);
        if (h->prev >= PASSED) {
            push(h, stack);
        }
        else {
            h->prev |= REFS_ONE;
        }
    }
    return 0;
}

/* h is alive, and so is what it reaches. */
static inline void
mark_reached(PyGC_Head *h)
{
    uintptr_t stack = 0;
    /* tp_is_gc is not asked: a running greenlet answers no there so as not to be
       collected, and so it stays alive with all that it reaches. */
    push(h, &stack);
    while (stack != 0) {
        PyGC_Head *top = (PyGC_Head *)stack;
        stack = (uintptr_t)next_waiting(top);
        reach_from(top, is_leaf(top), visit_reached, &stack);
    }
}

/* Containers of atoms need not be tracked any more. */
static void
untrack_if_atomic(PyObject *op, int full)
{
    if (PyTuple_CheckExact(op)) {
        _PyTuple_MaybeUntrack(op);
    }
    else if (full && PyDict_CheckExact(op)) {
        _PyDict_MaybeUntrack(op);
    }
}

/* Appends h, whose `prev` link is not valid. Returns 0 if it is not tracked afterwards.
   Untracking unlinks the object: the list must be consistent before. */
static inline int
append_alive(PyGC_Head *alive, PyGC_Head *h, int untrack, int full)
{
    h->prev &= _PyGC_PREV_FINALIZED;
    list_append(alive, h);
    if (untrack) {
        untrack_if_atomic(_Py_FROM_GC(h), full);
    }
    return h->next != 0;
}

/* The pass has come to an object that nothing has reached so far. Returns it, the last one of those
   that wait. */
static inline PyGC_Head *
let_wait(PyGC_Head *last, PyGC_Head *h)
{
    h->prev |= PASSED;
    last->next = (uintptr_t)h;
    return h;
}

/* Step 3. Afterwards `waiting` is linked forwards, from its first to its last object, and
   exactly the garbage in it is marked COLLECTING. Returns the number of live objects in
   `alive`. */
static Py_ssize_t
mark_alive(PyGC_Head *candidates, PyGC_Head *alive, PyGC_Head *waiting, int untrack, int full)
{
    Py_ssize_t count = 0;
    PyGC_Head *last = waiting, *next;
    for (PyGC_Head *h = next_of(candidates); h != candidates; h = next) {
        next = next_of(h);
        if (h->prev < REFS_ONE) {
            last = let_wait(last, h);
            continue;
        }
        mark_reached(h);
        count += append_alive(alive, h, untrack, full);
    }
    last->next = (uintptr_t)waiting;
    return count;
}

/* Step 4. The live objects go to `alive`, the rest to `garbage`. Returns the number of the
   live ones. */
static Py_ssize_t
separate(PyGC_Head *waiting, PyGC_Head *garbage, PyGC_Head *alive, int untrack, int full)
{
    Py_ssize_t count = 0;
    PyGC_Head *next;
    for (PyGC_Head *h = next_of(waiting); h != waiting; h = next) {
        next = next_of(h);
        if (h->prev & _PyGC_PREV_COLLECTING) {
            h->prev &= KEPT_FLAGS;
            list_append(garbage, h);
        }
        else {
            count += append_alive(alive, h, untrack, full);
        }
    }
    return count;
}

/* The first come, first. */
struct queue {
    PyGC_Head *first, *last;
};

static int
visit_enqueue(PyObject *op, void *arg)
{
    struct queue *queue = arg;
    if (is_candidate(op)) {
        PyGC_Head *h = _Py_AS_GC(op);
        if (h->prev < PASSED) {
            h->prev |= REFS_ONE;
            return 0;
        }
        h->prev &= WAITING_FLAGS;
        if (queue->last == NULL) {
            queue->first = h;
        }
        else {
            queue->last->prev |= (uintptr_t)h;
        }
        queue->last = h;
    }
    return 0;
}

/* Steps 3 and 4 as CPython makes them, whose survivors are in another order: those that were
   referenced from outside, or reached before their turn came; then the others as they were
   reached. It reads memory to and fro. */
static Py_ssize_t
separate_in_order_of_references(PyGC_Head *candidates, PyGC_Head *alive, int untrack, int full)
{
    Py_ssize_t count = 0;
    PyGC_Head waiting, *last = &waiting, *next;
    struct queue queue = {0};
    for (PyGC_Head *h = next_of(candidates); h != candidates; h = next) {
        next = next_of(h);
        if (h->prev < REFS_ONE) {
            last = let_wait(last, h);
            continue;
        }
        int leaf = is_leaf(h);
        h->prev &= _PyGC_PREV_FINALIZED;
        reach_from(h, leaf, visit_enqueue, &queue);
        count += append_alive(alive, h, untrack, full);
    }
    last->next = (uintptr_t)&waiting;
    for (PyGC_Head *h = queue.first; h != NULL; h = next_waiting(h)) {
        reach_from(h, is_leaf(h), visit_enqueue, &queue);
    }
    list_clear(candidates);
    for (PyGC_Head *h = next_of(&waiting); h != &waiting; h = next) {
        next = next_of(h);
        if (h->prev & _PyGC_PREV_COLLECTING) {
            h->prev &= KEPT_FLAGS;
            list_append(candidates, h);
        }
    }
    for (PyGC_Head *h = queue.first; h != NULL; h = next) {
        next = next_waiting(h);
        count += append_alive(alive, h, untrack, full);
    }
    return count;
}

/* So many objects are in the processor's caches, nearly, and the order of references costs little. */
#define FEW 100000

/* Leaves the garbage in `candidates`, marked COLLECTING, and moves the rest to `alive`.
   Returns the number of objects in `alive`. */
static Py_ssize_t
find_garbage(PyGC_Head *candidates, PyGC_Head *alive, int untrack, int full)
{
    PyGC_Head waiting;
    Py_ssize_t length;
    int astray = 0;
    if (full && list_is_empty(&_PyGC.permanent) && !_PyGC_IsStressed() && !_PyGC_LeavesOut()) {
        astray = note_and_subtract(candidates, &length);
    }
    else {
        length = note_counts(candidates);
        subtract_internal(candidates);
    }
    if (length <= FEW) {
        return separate_in_order_of_references(candidates, alive, untrack, full);
    }
    if (astray) {
        put_in_order(candidates);
    }
    Py_ssize_t count = mark_alive(candidates, alive, &waiting, untrack, full);
    list_clear(candidates);
    return count + separate(&waiting, candidates, alive, untrack, full);
}

static void
unmark_all(PyGC_Head *list)
{
    for (PyGC_Head *h = next_of(list); h != list; h = next_of(h)) {
        h->prev &= ~_PyGC_PREV_COLLECTING;
    }
}

/* -------------------------------------------------------- legacy finalizers */

static int
visit_rescue(PyObject *op, void *legacy)
{
    if (is_candidate(op)) {
        PyGC_Head *h = _Py_AS_GC(op);
        list_unlink(h);
        h->prev &= _PyGC_PREV_FINALIZED;
        list_append(legacy, h);
    }
    return 0;
}

/* Moves garbage with the old tp_del, and what it reaches, to `legacy`. Precondition:
   garbage is marked COLLECTING. */
static void
move_legacy(PyGC_Head *garbage, PyGC_Head *legacy)
{
    PyGC_Head *h = next_of(garbage);
    while (h != garbage) {
        PyGC_Head *next = next_of(h);
        if (Py_TYPE(_Py_FROM_GC(h))->tp_del != NULL) {
            list_unlink(h);
            h->prev &= ~_PyGC_PREV_COLLECTING;
            list_append(legacy, h);
        }
        h = next;
    }
    for (h = next_of(legacy); h != legacy; h = next_of(h)) {
        PyObject *op = _Py_FROM_GC(h);
        Py_TYPE(op)->tp_traverse(op, visit_rescue, legacy);
    }
}

static void
save_legacy(PyGC_Head *legacy, PyGC_Head *old)
{
    for (PyGC_Head *h = next_of(legacy); h != legacy; h = next_of(h)) {
        PyObject *op = _Py_FROM_GC(h);
        if ((_PyGC.debug & _PyGC_DEBUG_SAVEALL)
            || Py_TYPE(op)->tp_del != NULL) {
            if (_PyGC.garbage == NULL
                || PyList_Append(_PyGC.garbage, op) < 0) {
                PyErr_Clear();
                break;
            }
        }
    }
    _PyGC_ListMerge(legacy, old);
}

/* ---------------------------------------------------------- weak references */

static PyWeakReference **
weakref_list(PyObject *op)
{
    Py_ssize_t offset = Py_TYPE(op)->tp_weaklistoffset;
    return offset <= 0 ? NULL : (PyWeakReference **)((char *)op + offset);
}

/* Clears the weak references to garbage, so that no callback or finalizer can reach it
   through one. Calls the callbacks of those weak references that are not garbage
   themselves. Precondition: garbage is marked COLLECTING. Returns the number of objects if
   none of them has a finalizer and there was no callback to call, and -1 otherwise. */
static Py_ssize_t
clear_weakrefs(PyGC_Head *garbage, PyGC_Head *old)
{
    PyGC_Head pending;
    list_clear(&pending);
    Py_ssize_t count = 0;
    int quiet = 1;

    for (PyGC_Head *h = next_of(garbage); h != garbage; h = next_of(h)) {
        PyObject *op = _Py_FROM_GC(h);
        count++;
        quiet &= Py_TYPE(op)->tp_finalize == NULL || (h->prev & _PyGC_PREV_FINALIZED);
        if (Py_TYPE(op)->tp_basicsize >= (Py_ssize_t)sizeof(PyWeakReference)
            && PyWeakref_Check(op)) {
            /* A callback of a weak reference that is garbage is never called,
               even if its referent dies later. */
            _PyWeakref_ClearRef((PyWeakReference *)op);
        }
        PyWeakReference **list = weakref_list(op);
        if (list == NULL) {
            continue;
        }
        PyWeakReference *ref;
        while ((ref = *list) != NULL) {
            _PyWeakref_ClearRef(ref);
            if (ref->wr_callback == NULL
                || (_Py_AS_GC((PyObject *)ref)->prev & _PyGC_PREV_COLLECTING)) {
                continue;
            }
            Py_INCREF(ref);
            PyGC_Head *rh = _Py_AS_GC((PyObject *)ref);
            rh->prev &= ~_PyGC_PREV_FOUND;
            if (rh->next != 0) {
                list_move(rh, &pending);
            }
            else {
                list_append(&pending, rh);
            }
        }
    }
    if (quiet && list_is_empty(&pending)) {
        return count;
    }
    unmark_all(garbage);

    while (!list_is_empty(&pending)) {
        PyGC_Head *h = next_of(&pending);
        PyObject *ref = _Py_FROM_GC(h);
        PyObject *callback = ((PyWeakReference *)ref)->wr_callback;
        PyObject *result = NULL;
        if (callback != NULL) {
            Py_INCREF(callback);
            result = PyObject_CallOneArg(callback, ref);
            if (result == NULL) {
                PyErr_WriteUnraisable(callback);
            }
            Py_XDECREF(result);
            Py_DECREF(callback);
        }
        if (!list_is_empty(&pending) && next_of(&pending) == h) {
            list_move(h, old);
        }
        Py_DECREF(ref);
    }
    return -1;
}

/* ----------------------------------------------------- finalizers, clearing */

static void
run_finalizers(PyGC_Head *garbage)
{
    PyGC_Head done;
    list_clear(&done);
    /* A finalizer may take objects out of the list, so always take the list's first
       object. */
    while (!list_is_empty(garbage)) {
        PyGC_Head *h = next_of(garbage);
        PyObject *op = _Py_FROM_GC(h);
        list_move(h, &done);
        destructor finalize = Py_TYPE(op)->tp_finalize;
        if (finalize != NULL && !(h->prev & _PyGC_PREV_FINALIZED)) {
            h->prev |= _PyGC_PREV_FINALIZED;
            Py_INCREF(op);
            finalize(op);
            Py_DECREF(op);
        }
    }
    _PyGC_ListMerge(&done, garbage);
}

static void
delete_garbage(PyThreadState *tstate, PyGC_Head *garbage, PyGC_Head *old)
{
    while (!list_is_empty(garbage)) {
        PyGC_Head *h = next_of(garbage);
        PyObject *op = _Py_FROM_GC(h);
        h->prev &= ~_PyGC_PREV_COLLECTING;
        if (_PyGC.debug & _PyGC_DEBUG_SAVEALL) {
            if (_PyGC.garbage == NULL
                || PyList_Append(_PyGC.garbage, op) < 0) {
                _PyErr_Clear(tstate);
            }
        }
        else {
            inquiry clear = Py_TYPE(op)->tp_clear;
            if (clear != NULL) {
                Py_INCREF(op);
                (void)clear(op);
                if (_PyErr_Occurred(tstate)) {
                    _PyErr_WriteUnraisableMsg("in tp_clear of",
                                              (PyObject *)Py_TYPE(op));
                }
                Py_DECREF(op);
            }
        }
        if (next_of(garbage) == h) {
            /* Still alive: it may die when another object is cleared. */
            list_move(h, old);
        }
    }
}

/* ---------------------------------------------------------------- reporting */

static void
report_objects(const char *what, PyGC_Head *list)
{
    for (PyGC_Head *h = next_of(list); h != list; h = next_of(h)) {
        PyObject *op = _Py_FROM_GC(h);
        PySys_FormatStderr("gc: %s <%s %p>\n", what, Py_TYPE(op)->tp_name, op);
    }
}

static void
report_start(int generation)
{
    _PyGC_ForgetAlive();
    PySys_WriteStderr("gc: collecting generation %d...\n", generation);
    PySys_FormatStderr("gc: objects in each generation: %zd %zd %zd\n",
                       _PyGC_ListSize(&_PyGC.heads[0]),
                       _PyGC_ListSize(&_PyGC.heads[1]),
                       _PyGC_ListSize(&_PyGC.heads[2]));
    PySys_WriteStderr("gc: objects in permanent generation: %zd\n",
                      _PyGC_ListSize(&_PyGC.permanent));
}

/* --------------------------------------------------------------- free lists */

#define MAX_FREE_LISTS 32
static void (*free_list_clearers[MAX_FREE_LISTS])(void);
static int n_free_lists;

void
_PyGC_RegisterClearFreeList(void (*clear)(void))
{
    for (int i = 0; i < n_free_lists; i++) {
        if (free_list_clearers[i] == clear) {
            return;
        }
    }
    if (n_free_lists == MAX_FREE_LISTS) {
        Py_FatalError("too many free lists");
    }
    free_list_clearers[n_free_lists++] = clear;
}

/* Those that are in use (internal/spare.h). */
static _PySpareObjects *known_spare;

void
_PySpare_MakeKnown(_PySpareObjects *spare)
{
    spare->is_known = 1;
    spare->next = known_spare;
    known_spare = spare;
}

static void
clear_spare(_PySpareObjects *spare)
{
    while (spare->first != NULL) {
        PyObject *op = spare->first;
        spare->first = (PyObject *)op->ob_refcnt;
        PyObject_Free(_Py_AS_GC(op));
    }
    spare->n = 0;
}

void
_PyGC_ClearFreeLists(void)
{
    for (_PySpareObjects *spare = known_spare; spare != NULL; spare = spare->next) {
        clear_spare(spare);
    }
    for (int i = 0; i < n_free_lists; i++) {
        free_list_clearers[i]();
    }
}

/* --------------------------------------------------------------- collecting */

/* Merges the generations into `candidates`. Says which list survivors go to. */
static PyGC_Head *
take_generations(int generation, PyGC_Head *candidates)
{
    if (generation + 1 < _PyGC_GENERATIONS) {
        _PyGC.older_counts[generation + 1]++;
    }
    _PyGC_young_count = 0;
    for (int i = 0; i <= generation; i++) {
        _PyGC.older_counts[i] = 0;
    }
    /* In CPython's order. What start-up has made is in its middle generation until the first
       collection of that. */
    if (_PyGC.stats[1].collections + _PyGC.stats[2].collections == 0) {
        _PyGC_ListMerge(&_PyGC.heads[0], candidates);
    }
    _PyGC_ListMerge(&_PyGC.heads[generation], candidates);
    for (int i = 0; i < generation; i++) {
        _PyGC_ListMerge(&_PyGC.heads[i], candidates);
    }
    return generation + 2 < _PyGC_GENERATIONS ? &_PyGC.heads[generation + 1]
           : generation + 1 < _PyGC_GENERATIONS ? _PyGC_OldSurvivors()
           : &_PyGC.heads[generation];
}

/* Was what a full collection has found less than one object in so many? Then the next one waits for
   as many new objects as there are old ones, up to a number that fits into some 100 MB: a heap that
   only grows is gone through once or twice in all instead of four times. */
#define RARE_GARBAGE 16
#define MOST_WAITING 1000000

static int
garbage_is_rare(Py_ssize_t garbage, Py_ssize_t survivors)
{
    return garbage < survivors / RARE_GARBAGE;
}

/* How many have to survive middle collections before a full one is due? */
static Py_ssize_t
pending_wanted(void)
{
    Py_ssize_t total = _PyGC.long_lived_total, quarter = total / 4;
    if (_PyGC_stress.rounds) {
        return 0;
    }
    if (!_PyGC.old_garbage_is_rare || quarter >= MOST_WAITING) {
        return quarter;
    }
    return total < MOST_WAITING ? total : MOST_WAITING;
}

static void
place_survivors(int generation, PyGC_Head *alive, Py_ssize_t count,
                PyGC_Head *old)
{
    if (generation == _PyGC_GENERATIONS - 1) {
        _PyGC.long_lived_pending = 0;
        _PyGC.long_lived_total = count + _PyGC_NumberFound();
    }
    else if (generation == _PyGC_GENERATIONS - 2) {
        _PyGC.long_lived_pending += count;
    }
    _PyGC_ListMerge(alive, old);
}

/* Handles weak references, finalizers and clearing. Survivors go to `old`. Returns how
   many objects were collected. */
static Py_ssize_t
dispose_of(PyThreadState *tstate, PyGC_Head *garbage, PyGC_Head *old)
{
    PyGC_Head resurrected;
    list_clear(&resurrected);
    Py_ssize_t collected = clear_weakrefs(garbage, old);
    if (collected < 0) {
        run_finalizers(garbage);
        (void)find_garbage(garbage, &resurrected, 0, 0);
        _PyGC_ListMerge(&resurrected, old);
        collected = _PyGC_ListSize(garbage);
    }
    /* Otherwise no Python code has run that could have resurrected anything. */
    delete_garbage(tstate, garbage, old);
    return collected;
}

static Py_ssize_t
collect(PyThreadState *tstate, int generation, Py_ssize_t *p_collected,
        Py_ssize_t *p_uncollectable, int quiet)
{
    PyGC_Head candidates, alive, legacy;
    _PyTime_t start = 0;

    list_clear(&candidates);
    list_clear(&alive);
    list_clear(&legacy);

    if (_PyGC.debug & _PyGC_DEBUG_STATS) {
        report_start(generation);
        start = _PyTime_GetPerfCounter();
    }

    PyGC_Head *old = take_generations(generation, &candidates);
    int full = generation == _PyGC_GENERATIONS - 1;
    Py_ssize_t survivors = find_garbage(&candidates, &alive, 1, full);
    move_legacy(&candidates, &legacy);
    place_survivors(generation, &alive, survivors, old);

    if (_PyGC.debug & _PyGC_DEBUG_COLLECTABLE) {
        report_objects("collectable", &candidates);
    }
    Py_ssize_t collected = dispose_of(tstate, &candidates, old);

    Py_ssize_t uncollectable = _PyGC_ListSize(&legacy);
    if (_PyGC.debug & _PyGC_DEBUG_UNCOLLECTABLE) {
        report_objects("uncollectable", &legacy);
    }
    if (_PyGC.debug & _PyGC_DEBUG_STATS) {
        double elapsed = _PyTime_AsSecondsDouble(_PyTime_GetPerfCounter()
                                                 - start);
        PySys_WriteStderr("gc: done, %zd unreachable, %zd uncollectable, "
                          "%.4fs elapsed\n",
                          collected + uncollectable, uncollectable, elapsed);
    }
    save_legacy(&legacy, old);

    if (full) {
        _PyGC.old_garbage_is_rare = garbage_is_rare(collected + uncollectable,
                                                    _PyGC.long_lived_total);
        _PyGC_BeginFinding(_PyGC.long_lived_total, _PyGC.old_garbage_is_rare);
        if (!_PyGC.process_ends) {
            _PyGC_ClearFreeLists();
        }
    }
    else if (generation == _PyGC_GENERATIONS - 2) {
        _PyGC_GoOnFinding(survivors, pending_wanted());
    }
    if (_PyErr_Occurred(tstate)) {
        if (quiet) {
            _PyErr_Clear(tstate);
        }
        else {
            _PyErr_WriteUnraisableMsg("in garbage collection", NULL);
        }
    }

    struct _PyGC_Stats *stats = &_PyGC.stats[generation];
    stats->collections++;
    stats->collected += collected;
    stats->uncollectable += uncollectable;
    *p_collected = collected;
    *p_uncollectable = uncollectable;
    return collected + uncollectable;
}

/* Nothing is counted or reported, and the survivors stay in the youngest generation. */
void
_PyGC_CollectYoungest(PyThreadState *tstate)
{
    PyGC_Head candidates, alive, legacy, *youngest = &_PyGC.heads[0];
    list_clear(&candidates);
    list_clear(&alive);
    list_clear(&legacy);
    _PyGC_ListMerge(youngest, &candidates);
    (void)find_garbage(&candidates, &alive, 1, 0);
    move_legacy(&candidates, &legacy);
    _PyGC_ListMerge(&alive, youngest);
    (void)dispose_of(tstate, &candidates, youngest);
    save_legacy(&legacy, youngest);
    if (_PyErr_Occurred(tstate)) {
        _PyErr_WriteUnraisableMsg("in garbage collection", NULL);
    }
}

static void
call_callbacks(const char *phase, int generation, Py_ssize_t collected,
               Py_ssize_t uncollectable)
{
    PyObject *callbacks = _PyGC.callbacks;
    if (callbacks == NULL || PyList_GET_SIZE(callbacks) == 0) {
        return;
    }
    PyObject *info = Py_BuildValue("{sisnsn}", "generation", generation,
                                   "collected", collected,
                                   "uncollectable", uncollectable);
    PyObject *name = info == NULL ? NULL : PyUnicode_FromString(phase);
    if (name == NULL) {
        Py_XDECREF(info);
        PyErr_WriteUnraisable(NULL);
        return;
    }
    PyObject *args[] = {name, info};
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(callbacks); i++) {
        PyObject *callback = PyList_GET_ITEM(callbacks, i);
        Py_INCREF(callback);
        PyObject *result = PyObject_Vectorcall(callback, args, 2, NULL);
        if (result == NULL) {
            PyErr_WriteUnraisable(callback);
        }
        Py_XDECREF(result);
        Py_DECREF(callback);
    }
    Py_DECREF(name);
    Py_DECREF(info);
}

static Py_ssize_t
collect_with_callbacks(PyThreadState *tstate, int generation)
{
    Py_ssize_t collected, uncollectable;
    if (PROBE_IS_ATTACHED(gc__start)) {
        _PyProbes_GCStart(generation);
    }
    call_callbacks("start", generation, 0, 0);
    Py_ssize_t found = collect(tstate, generation, &collected, &uncollectable,
                               0);
    call_callbacks("stop", generation, collected, uncollectable);
    if (PROBE_IS_ATTACHED(gc__done)) {
        _PyProbes_GCDone(found);
    }
    return found;
}

/* The oldest generation that is due. A full collection waits until enough long-lived
   objects are new, so that building a large heap takes linear time. */
static int
due_generation(void)
{
    for (int i = _PyGC_GENERATIONS - 1; i > 0; i--) {
        if (_PyGC.older_counts[i] <= _PyGC.thresholds[i]) {
            continue;
        }
        if (i == _PyGC_GENERATIONS - 1
            && (_PyGC.long_lived_pending < pending_wanted() || !_PyGC_HasFound())) {
            continue;
        }
        return i;
    }
    return 0;
}

/* Start-up's garbage is not worth looking for, unless a site customisation does real work. */
#define MANY_IN_STARTUP 70

_Py_RARE_CALL void
_PyGC_Young_Overflow(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (_PyGC.starting && _PyGC.older_counts[1] < MANY_IN_STARTUP) {
        _PyGC_young_count = 0;
        _PyGC.older_counts[1]++;
        return;
    }
    if (!_PyGC.enabled || _PyGC.collecting || tstate == NULL
        || _PyErr_Occurred(tstate)) {
        return;
    }
    if (_PyGC_IsStressed()) {
        /* Under stress, every allocation comes here. */
        if (_PyGC.thresholds[0] == 0) {
            return;
        }
        _PyGC_StressPoint(tstate);
        if (_PyGC_young_count <= _PyGC.thresholds[0]) {
            return;
        }
    }
    _PyGC.collecting = 1;
    collect_with_callbacks(tstate, due_generation());
    _PyGC.collecting = 0;
}

Py_ssize_t
_PyGC_CollectGeneration(PyThreadState *tstate, int generation)
{
    if (_PyGC.collecting) {
        return 0;
    }
    if (generation == _PyGC_GENERATIONS - 1) {
        _PyGC_ForgetAlive();
    }
    PyObject *type, *value, *traceback;
    _PyGC.collecting = 1;
    _PyErr_Fetch(tstate, &type, &value, &traceback);
    Py_ssize_t found = collect_with_callbacks(tstate, generation);
    _PyErr_Restore(tstate, type, value, traceback);
    _PyGC.collecting = 0;
    return found;
}

Py_ssize_t
PyGC_Collect(void)
{
    if (!_PyGC.enabled) {
        return 0;
    }
    return _PyGC_CollectGeneration(_PyThreadState_GET(),
                                   _PyGC_GENERATIONS - 1);
}

Py_ssize_t
_PyGC_CollectNoFail(PyThreadState *tstate)
{
    if (_PyGC.collecting) {
        return 0;
    }
    _PyGC_ForgetAlive();
    Py_ssize_t collected, uncollectable;
    _PyGC.collecting = 1;
    Py_ssize_t found = collect(tstate, _PyGC_GENERATIONS - 1, &collected,
                               &uncollectable, 1);
    _PyGC.collecting = 0;
    return found;
}

/* Nearly everything that start-up makes lives as long as the process. It goes to the
   oldest generation, so that collections don't look through it again and again. The counts stay
   as if collections had been made: the program's first ones come when they do under CPython. */
void
_PyGC_EndStartUp(void)
{
    PyGC_Head *oldest = &_PyGC.heads[_PyGC_GENERATIONS - 1];
    for (int i = 0; i < _PyGC_GENERATIONS - 1; i++) {
        _PyGC_ListMerge(&_PyGC.heads[i], oldest);
    }
    _PyGC.long_lived_total = _PyGC_ListSize(oldest);
    _PyGC.starting = 0;
    _PyGC_UpdateTrigger();
}

void
_PyGC_UpdateTrigger(void)
{
    if (_PyGC_IsStressed()) {
        _PyGC_young_threshold = INT_MIN;
        return;
    }
    _PyGC_young_threshold = _PyGC.enabled && _PyGC.thresholds[0] > 0
        ? _PyGC.thresholds[0] : INT_MAX;
}

int
PyGC_Enable(void)
{
    int old = _PyGC.enabled;
    _PyGC.enabled = 1;
    _PyGC_UpdateTrigger();
    return old;
}

int
PyGC_Disable(void)
{
    int old = _PyGC.enabled;
    _PyGC.enabled = 0;
    _PyGC_UpdateTrigger();
    return old;
}

int
PyGC_IsEnabled(void)
{
    return _PyGC.enabled;
}

/* --------------------------------------------------- start-up and shut-down */

int
_PyGC_Init(void)
{
    if (_PyGC.garbage == NULL) {
        _PyGC.garbage = PyList_New(0);
    }
    return _PyGC.garbage == NULL ? -1 : 0;
}

void
_PyGC_Fini(void)
{
    static const int thresholds[] = DEFAULT_THRESHOLDS;
    Py_CLEAR(_PyGC.callbacks);
    Py_CLEAR(_PyGC.garbage);
    _PyGC_ForgetAlive();
    _PyGC_ListMerge(&_PyGC.permanent, &_PyGC.heads[_PyGC_GENERATIONS - 1]);
    memcpy(_PyGC.thresholds, thresholds, sizeof(thresholds));
    _PyGC.debug = 0;
    PyGC_Enable();
}

void
_PyGC_DumpShutdownStats(PyInterpreterState *Py_UNUSED(interp))
{
    if ((_PyGC.debug & _PyGC_DEBUG_SAVEALL) || _PyGC.garbage == NULL
        || PyList_GET_SIZE(_PyGC.garbage) == 0) {
        return;
    }
    const char *format = _PyGC.debug & _PyGC_DEBUG_UNCOLLECTABLE
        ? "gc: %zd uncollectable objects at shutdown"
        : "gc: %zd uncollectable objects at shutdown; "
          "use gc.set_debug(gc.DEBUG_UNCOLLECTABLE) to list them";
    if (PyErr_WarnExplicitFormat(PyExc_ResourceWarning, "gc", 0, "gc", NULL,
                                 format, PyList_GET_SIZE(_PyGC.garbage)) < 0) {
        PyErr_WriteUnraisable(NULL);
    }
    if (_PyGC.debug & _PyGC_DEBUG_UNCOLLECTABLE) {
        PyObject *text = PyObject_Repr(_PyGC.garbage);
        const char *utf8 = text == NULL ? NULL : PyUnicode_AsUTF8(text);
        if (utf8 == NULL) {
            PyErr_WriteUnraisable(_PyGC.garbage);
        }
        else {
            PySys_WriteStderr("      %s\n", utf8);
        }
        Py_XDECREF(text);
    }
}

/* ---------------------------------------------------------- public tracking */

void
PyObject_GC_Track(void *ptr)
{
    PyObject *op = ptr;
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_ASSERT_FAILED_MSG(op, "object already tracked by the "
                                        "garbage collector");
    }
    _PyObject_GC_TRACK(op);
}

void
PyObject_GC_UnTrack(void *ptr)
{
    /* Deallocators may call this twice. */
    if (_PyObject_GC_IS_TRACKED(ptr)) {
        _PyObject_GC_UNTRACK(ptr);
    }
}

int
PyObject_IS_GC(PyObject *op)
{
    return _PyObject_IS_GC(op);
}

int
PyObject_GC_IsTracked(PyObject *op)
{
    return _PyObject_IS_GC(op) && _PyObject_GC_IS_TRACKED(op);
}

int
PyObject_GC_IsFinalized(PyObject *op)
{
    return _PyObject_IS_GC(op)
        && (_Py_AS_GC(op)->prev & _PyGC_PREV_FINALIZED) != 0;
}

/* --------------------------------------------------------------- allocation */

/* Allocates `size` bytes, with the GC head and what a managed dict needs in front of
   them. */
static inline PyObject *
allocate(PyTypeObject *type, size_t size)
{
    size_t before = _PyInstance_PreHeaderSize(type);
    size_t extra = before + sizeof(PyGC_Head);
    if (size > (size_t)PY_SSIZE_T_MAX - extra) {
        return PyErr_NoMemory();
    }
    char *memory = PyObject_Malloc(extra + size);
    if (memory == NULL) {
        return PyErr_NoMemory();
    }
    if (before != 0) {
        memset(memory, 0, 2 * sizeof(void *));
    }
    PyObject *op = (PyObject *)(memory + extra);
    _PyObject_GC_Link(op);
    return op;
}

PyObject *
_PyObject_GC_New(PyTypeObject *type)
{
    PyObject *op = allocate(type, (size_t)_PyObject_SIZE(type));
    return op == NULL ? NULL : _PyObject_InitNew(op, type);
}

PyObject *
_PyObject_GC_NewSized(PyTypeObject *type, size_t size)
{
    PyObject *op = allocate(type, size);
    return op == NULL ? NULL : _PyObject_InitNew(op, type);
}

static size_t
var_size(PyTypeObject *type, Py_ssize_t nitems)
{
    size_t room = (size_t)PY_SSIZE_T_MAX - (size_t)type->tp_basicsize
        - sizeof(PyGC_Head) - sizeof(void *);
    size_t items;
    if (__builtin_mul_overflow((size_t)nitems, (size_t)type->tp_itemsize, &items)
        || items > room) {
        return SIZE_MAX;
    }
    return _PyObject_VAR_SIZE(type, nitems);
}

PyVarObject *
_PyObject_GC_NewVar(PyTypeObject *type, Py_ssize_t nitems)
{
    if (nitems < 0) {
        PyErr_BadInternalCall();
        return NULL;
    }
    PyObject *op = allocate(type, var_size(type, nitems));
    if (op == NULL) {
        return NULL;
    }
    Py_SET_SIZE(op, nitems);
    return (PyVarObject *)_PyObject_InitNew(op, type);
}

PyVarObject *
_PyObject_GC_Resize(PyVarObject *op, Py_ssize_t nitems)
{
    PyTypeObject *type = Py_TYPE(op);
    size_t size = nitems < 0 ? SIZE_MAX : var_size(type, nitems);
    size_t extra = _PyInstance_PreHeaderSize(type) + sizeof(PyGC_Head);
    if (size > (size_t)PY_SSIZE_T_MAX - extra) {
        return (PyVarObject *)PyErr_NoMemory();
    }
    _PyObject_TellTracer((PyObject *)op, PyRefTracer_DESTROY);
    char *memory = PyObject_Realloc((char *)op - extra, extra + size);
    if (memory == NULL) {
        _PyObject_TellTracer((PyObject *)op, PyRefTracer_CREATE);
        return (PyVarObject *)PyErr_NoMemory();
    }
    op = (PyVarObject *)(memory + extra);
    _PyObject_TellTracer((PyObject *)op, PyRefTracer_CREATE);
    Py_SET_SIZE(op, nitems);
    return op;
}

void
PyObject_GC_Del(void *ptr)
{
    PyObject *op = ptr;
    size_t extra = _PyInstance_PreHeaderSize(Py_TYPE(op)) + sizeof(PyGC_Head);
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    _PyObject_GC_Unlink();
    PyObject_Free((char *)op - extra);
}
