/* The cycle collector's interface to the rest of the runtime (see also gc.h). */
#ifndef SB_INTERNAL_GCSTATE_H
#define SB_INTERNAL_GCSTATE_H

#include "Python.h"
#include "internal/gc.h"
#include "internal/object.h"
#include "internal/rare_call.h"

#define _PyGC_GENERATIONS 3

/* gc.set_debug()'s bits. */
#define _PyGC_DEBUG_STATS         1
#define _PyGC_DEBUG_COLLECTABLE   2
#define _PyGC_DEBUG_UNCOLLECTABLE 4
#define _PyGC_DEBUG_SAVEALL       32

struct _PyGC_Stats {
    Py_ssize_t collections;
    Py_ssize_t collected;
    Py_ssize_t uncollectable;
};

/* One collector serves the process. counts[0] is _PyGC_young_count: new
   objects minus dead ones; counts[1] and [2] count the collections of the
   generation below since the last collection of this one. */
struct _PyGC_State {
    int enabled;
    int collecting;
    int debug;
    int thresholds[_PyGC_GENERATIONS];
    int older_counts[_PyGC_GENERATIONS];        /* [0] is not used */
    PyGC_Head heads[_PyGC_GENERATIONS];
    PyGC_Head permanent;        /* gc.freeze() */
    struct _PyGC_Stats stats[_PyGC_GENERATIONS];
    PyObject *garbage;          /* list, or NULL before gc is imported */
    PyObject *callbacks;        /* list, or NULL */
    /* A full collection waits until the survivors of middle collections (pending) exceed a share
       of those of the last full one (total): a quarter if that found much garbage. */
    Py_ssize_t long_lived_total;
    Py_ssize_t long_lived_pending;
    int old_garbage_is_rare;
    int starting;               /* young objects are only counted */
    int process_ends;           /* nobody will use what collections free */
};

extern struct _PyGC_State _PyGC;
extern int _PyGC_young_count;
/* INT_MAX when the collector is disabled, INT_MIN when it is stressed (gc_stress.h). */
extern int _PyGC_young_threshold;

#define _PyGC_YOUNG_THRESHOLD 700
extern void _PyGC_EndStartUp(void);

/* Objects that are made between the two are not counted, but where a collection comes meanwhile. */
typedef struct {
    int young, middle;
} _PyGC_Counts;

static inline _PyGC_Counts
_PyGC_CountsNow(void)
{
    return (_PyGC_Counts){_PyGC_young_count, _PyGC.older_counts[1]};
}

static inline void
_PyGC_TakeBack(_PyGC_Counts before)
{
    if (_PyGC.starting || _PyGC.older_counts[1] == before.middle) {
        _PyGC_young_count = before.young;
        _PyGC.older_counts[1] = before.middle;
    }
}

/* Before somebody looks at the lists: all tracked objects are in the generations afterwards
   (core/memory/known_alive.c). */
void _PyGC_ForgetAlive(void);

/* Call after a change of enabled or thresholds[0]. */
void _PyGC_UpdateTrigger(void);
_Py_RARE_CALL void _PyGC_Young_Overflow(void);

/* Counts a newly allocated, not yet tracked object; collects when the
   threshold is passed. */
static inline void
_PyObject_GC_Link(PyObject *op)
{
    PyGC_Head *head = _Py_AS_GC(op);
    head->next = 0;
    head->prev = 0;
    if (__builtin_expect(++_PyGC_young_count > _PyGC_young_threshold, 0)) {
        _PyGC_Young_Overflow();
    }
}

/* The same for an object from a free list whose objects are not counted as they come and
   go, as in CPython. */
static inline void
_PyObject_GC_Reuse(PyObject *op)
{
    PyGC_Head *head = _Py_AS_GC(op);
    head->next = 0;
    head->prev = 0;
}

/* A tracked object with `size` bytes, zeroed but for its header, and `before` bytes in front of
   it, of which the PyGC_Head is the last part. NULL with an exception. */
static inline PyObject *
_PyObject_GC_NewZeroed(PyTypeObject *type, size_t before, size_t size)
{
    typedef uint64_t words __attribute__((vector_size(16)));
    const size_t few = 256;
    size = _Py_SIZE_ROUND_UP(before + size, sizeof(words));
    char *memory = (char *)PyObject_Malloc(size);
    if (memory == NULL) {
        return PyErr_NoMemory();
    }
    if (size > few) {
        memset(memory, 0, size);
    }
    else {
        /* A call of memset(), as this loop would become, takes longer. */
        for (size_t i = 0; i < size; i += sizeof(words)) {
            *(volatile words *)(memory + i) = (words){0};
        }
    }
    PyObject *op = (PyObject *)(memory + before);
    _PyObject_GC_Link(op);
    _PyObject_InitNew(op, type);
    _PyObject_GC_TRACK(op);
    return op;
}

/* The opposite of _PyObject_GC_Link(), for code that frees without PyObject_GC_Del(). */
static inline void
_PyObject_GC_Unlink(void)
{
    if (_PyGC_young_count > 0) {
        _PyGC_young_count--;
    }
}

/* Is op preceded by a PyGC_Head? */
static inline int
_PyObject_IS_GC(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    return PyType_HasFeature(type, Py_TPFLAGS_HAVE_GC)
        && (type->tp_is_gc == NULL || type->tp_is_gc(op));
}

/* gc.collect(generation): returns how many objects were unreachable. */
Py_ssize_t _PyGC_CollectGeneration(PyThreadState *, int generation);
/* The same for the youngest generation, without a trace in counts, callbacks or
   statistics (for gc_stress.c). */
void _PyGC_CollectYoungest(PyThreadState *);
Py_ssize_t _PyGC_ListSize(const PyGC_Head *);
void _PyGC_ListMerge(PyGC_Head *from, PyGC_Head *to);

/* Start-up: makes gc.garbage. */
int _PyGC_Init(void);
/* At shut-down, before objects are destroyed: forgets the settings, callbacks and frozen
   objects of the program, for a later Py_Initialize. */
void _PyGC_Fini(void);
/* Shut-down: collects everything, even when disabled. */
Py_ssize_t _PyGC_CollectNoFail(PyThreadState *);
void _PyGC_DumpShutdownStats(PyInterpreterState *);

/* Registers a free list to be emptied by full collections. */
void _PyGC_RegisterClearFreeList(void (*clear)(void));
void _PyGC_ClearFreeLists(void);

/* Stop tracking a container that cannot be in a cycle. */
void _PyTuple_MaybeUntrack(PyObject *);
void _PyDict_MaybeUntrack(PyObject *);

#endif
