/* What is known to be alive, so that a full collection of a large heap need not look at it.

   A full collection goes through all objects at once: ten million of them stop a program for a
   second. Any set of objects may be searched for garbage by itself, though: what is referenced
   from outside the set is taken for alive. So between two full collections a *round* finds out, a
   part at a time, what modules and interpreted frames lead to, and takes that out of the
   generations. The next full collection looks at the rest: garbage, and what only C code, machine
   code or such garbage refers to. What has become garbage after it was found is seen by the
   collection of the next round.

   A round begins after a full collection that came by itself and found little garbage in a large
   heap. Its part comes after each collection of the middle generation, in proportion to what has
   survived that, so that it has ended when a full collection is due. What survives meanwhile is
   left out of that collection, too. gc.collect(), and whoever looks at all objects, ends it.

   Lists: objects in `found` and `waiting` are marked _PyGC_PREV_FOUND, no others are; those in
   `waiting` have still to be looked into. Objects that die leave their list as they leave any. So
   nothing here refers to an object but by being the head of a list; what of a large container has
   been looked into is a number that may be wrong, if it was changed meanwhile: then something is
   not found, which costs time, and no more. */
#include "known_alive.h"
#include "internal/frame.h"
#include "internal/gc_stress.h"
#include "internal/pystate.h"

/* So many objects are gone through in a twentieth of a second. */
#define LARGE_HEAP 250000
/* A round begins to find when so many parts of the survivors are there for which a full collection
   waits: a program that ends before, or has few survivors, need not pay for it. */
#define WAITS_FOR 3
/* It ends unfinished when so many times as many are there: what large containers hold, numbers for
   example, takes steps, too, but a program's garbage should not grow with it. */
#define MOST_LATE 2
/* The steps that follow a middle collection, beside those for its survivors. A step is an object,
   or four references. */
#define LEAST_STEPS 10000
/* To let an object go takes a fraction of the time. */
#define LETS_GO 4
/* So much of a container is looked at at a time. */
#define PART 4096
/* Under SPRINGBOARD_STRESS=rounds, which has rounds of all heaps, in many small parts. */
#define FEW_STEPS 5000
#define SMALL_PART 16

static struct {
    enum { NO_ROUND, LETTING_GO, FINDING, FOUND } phase;
    PyGC_Head found, waiting;
    PyGC_Head newer;            /* what has survived since the round began */
    Py_ssize_t n_found;         /* some of them may have died */
    Py_ssize_t next_item;       /* of the first that waits, if it is a large container */
} now = {
    .found = {(uintptr_t)&now.found, (uintptr_t)&now.found},
    .waiting = {(uintptr_t)&now.waiting, (uintptr_t)&now.waiting},
    .newer = {(uintptr_t)&now.newer, (uintptr_t)&now.newer},
};

static PyGC_Head *
oldest(void)
{
    return &_PyGC.heads[_PyGC_GENERATIONS - 1];
}

/* ------------------------------------------------------------------- finding */

static int
visit_find(PyObject *op, void *Py_UNUSED(arg))
{
    if (_PyObject_IS_GC(op)) {
        PyGC_Head *h = _Py_AS_GC(op);
        if (h->next != 0 && !(h->prev & _PyGC_PREV_FOUND)) {
            list_move(h, &now.waiting);
            h->prev |= _PyGC_PREV_FOUND;
            now.n_found++;
        }
    }
    return 0;
}

/* The entries of a container that is gone through in parts, or -1. */
static Py_ssize_t
size_in_parts(PyObject *op)
{
    if (PyList_CheckExact(op) || PyTuple_CheckExact(op)) {
        return Py_SIZE(op);
    }
    if (PyDict_CheckExact(op)) {
        return ((PyDictObject *)op)->ma_keys->nentries;
    }
    return PyAnySet_CheckExact(op) ? ((PySetObject *)op)->mask + 1 : -1;
}

static void
find_entry(PyObject *op, Py_ssize_t i)
{
    PyObject *key = NULL, *value = NULL;
    if (PyList_CheckExact(op)) {
        value = ((PyListObject *)op)->ob_item[i];
    }
    else if (PyTuple_CheckExact(op)) {
        value = ((PyTupleObject *)op)->ob_item[i];
    }
    else if (PyDict_CheckExact(op)) {
        struct _dictkeysobject *keys = ((PyDictObject *)op)->ma_keys;
        value = *_PyDictKeys_ValueSlot(keys, i);
        key = value != NULL ? _PyDictKeys_KeyAt(keys, i) : NULL;
    }
    else {
        key = ((PySetObject *)op)->table[i].key;
    }
    if (key != NULL) {
        (void)visit_find(key, NULL);
    }
    if (value != NULL) {
        (void)visit_find(value, NULL);
    }
}

/* Looks into the first object that waits, or a part of it. Returns how many steps that were. */
static Py_ssize_t
look_into_first(void)
{
    PyGC_Head *h = next_of(&now.waiting);
    PyObject *op = _Py_FROM_GC(h);
    Py_ssize_t size = size_in_parts(op), from = Py_MIN(now.next_item, Py_MAX(size, 0));
    Py_ssize_t part = _PyGC_stress.rounds ? SMALL_PART : PART, to = from + part;
    if (size > part) {
        for (Py_ssize_t i = from; i < to && i < size; i++) {
            find_entry(op, i);
        }
        now.next_item = to;
        if (to < size) {
            return part / 4;
        }
    }
    else {
        traverse(op, visit_find, NULL);
    }
    now.next_item = 0;
    list_move(h, &now.found);
    return 1 + (size > part ? size - from : Py_MAX(size, 0)) / 4;
}

/* The variables of a frame, if the interpreter runs it: those that machine code keeps in registers
   may be dead in memory. Temporaries are not looked at, as callees' frames are made there. */
static void
find_in_frame(PyVMFrame *f)
{
    if ((f->ret == RET_NATIVE && f->dest == NATIVE_DEST) || (f->flags & FRAME_LEAVING)
        || is_incomplete(f)) {
        return;
    }
    if (f->locals != NULL) {
        (void)visit_find(f->locals, NULL);
    }
    for (unsigned i = 0; i < f->code->first_temp; i++) {
        if (REG_IS_PTR(f->regs[i])) {
            (void)visit_find(REG_PTR(f->regs[i]), NULL);
        }
    }
}

static void
find_roots(void)
{
    for (PyInterpreterState *interp = PyInterpreterState_Head(); interp != NULL;
         interp = PyInterpreterState_Next(interp)) {
        PyObject *dicts[] = {interp->modules, interp->sysdict};
        for (size_t i = 0; i < Py_ARRAY_LENGTH(dicts); i++) {
            if (dicts[i] != NULL) {
                (void)visit_find(dicts[i], NULL);
            }
        }
        for (PyThreadState *ts = PyInterpreterState_ThreadHead(interp); ts != NULL;
             ts = PyThreadState_Next(ts)) {
            for (PyVMFrame *f = TS_FRAME(ts); f != NULL; f = f->previous) {
                find_in_frame(f);
            }
        }
    }
}

/* ---------------------------------------------------------------- the rounds */

PyGC_Head *
_PyGC_OldSurvivors(void)
{
    return now.phase == NO_ROUND ? oldest() : &now.newer;
}

int
_PyGC_HasFound(void)
{
    return now.phase == NO_ROUND || now.phase == FOUND;
}

int
_PyGC_LeavesOut(void)
{
    return !list_is_empty(&now.found) || !list_is_empty(&now.waiting)
           || !list_is_empty(&now.newer);
}

Py_ssize_t
_PyGC_NumberFound(void)
{
    return now.n_found;
}

/* What the last round has found goes back to the oldest generation. */
static void
let_go(Py_ssize_t most)
{
    for (; most > 0 && !list_is_empty(&now.found); most--) {
        PyGC_Head *h = next_of(&now.found);
        list_move(h, oldest());
        h->prev &= ~_PyGC_PREV_FOUND;
    }
}

void
_PyGC_GoOnFinding(Py_ssize_t survivors, Py_ssize_t wanted)
{
    if (now.phase == NO_ROUND) {
        /* A finalizer may have looked at all objects; survivors came here all the same. */
        _PyGC_ListMerge(&now.newer, oldest());
        return;
    }
    /* The heap is to be gone through while what survives is two thirds of what is wanted. */
    Py_ssize_t steps = _PyGC_stress.rounds || wanted == 0 ? FEW_STEPS
                       : LEAST_STEPS + survivors * (2 * _PyGC.long_lived_total / wanted + 1);
    if (now.phase == LETTING_GO) {
        let_go(steps * LETS_GO);
        if (list_is_empty(&now.found) && _PyGC.long_lived_pending >= wanted / WAITS_FOR) {
            now.n_found = 0;
            now.phase = FINDING;
            find_roots();
        }
    }
    while (now.phase == FINDING && steps > 0) {
        if (list_is_empty(&now.waiting)) {
            now.phase = FOUND;
            break;
        }
        steps -= look_into_first();
    }
    int is_late = !_PyGC_stress.rounds && _PyGC.long_lived_pending / MOST_LATE >= wanted;
    if (now.phase == FINDING && is_late) {
        /* What has still to be looked into is alive, too. */
        _PyGC_ListMerge(&now.waiting, &now.found);
        now.next_item = 0;
        now.phase = FOUND;
    }
}

void
_PyGC_BeginFinding(Py_ssize_t survivors, int garbage_is_rare)
{
    int is_wanted = (survivors >= LARGE_HEAP && garbage_is_rare) || _PyGC_stress.rounds;
    if (!is_wanted || !list_is_empty(&_PyGC.permanent) || _PyGC.debug || _PyGC_IsStressed()) {
        _PyGC_ForgetAlive();
        return;
    }
    _PyGC_ListMerge(&now.newer, oldest());
    now.phase = LETTING_GO;
}

void
_PyGC_ForgetAlive(void)
{
    _PyGC_ListMerge(&now.waiting, &now.found);
    let_go(PY_SSIZE_T_MAX);
    _PyGC_ListMerge(&now.newer, oldest());
    now.phase = NO_ROUND;
    now.n_found = now.next_item = 0;
}
