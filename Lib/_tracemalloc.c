/* The _tracemalloc module: where each living block of memory was allocated.

   While tracing, the three allocator domains are wrapped: a wrapper calls the allocator
   below, and records the block in `traces`. A trace is a size and a stack: file names and
   lines. Stacks and file names are shared (interned), and live until tracing stops or the
   traces are cleared.

   `traces`, `stacks` and `names` use the C library's malloc, so that they are not traced
   themselves. `lock` protects them, because the raw domain is used without the GIL.
   `busy` is set in a thread during its own bookkeeping, so that it is not traced. */
#include "Python.h"
#include "frameobject.h"
#include "internal/frame.h"
#include "internal/gcstate.h"
#include "internal/hashtable.h"
#include "internal/instance_attrs.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/pystate.h"
#include "internal/tracemalloc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 65535u

struct place {
    PyObject *filename;         /* kept alive by `names` */
    unsigned int line;
};

struct stack {
    Py_uhash_t hash;
    unsigned int total;         /* the whole number of frames */
    unsigned int count;         /* frames recorded, innermost first */
    struct place places[];
};

struct trace {
    size_t size;
    const struct stack *stack;
};

/* Blocks of domain 0 are ours; extension modules (numpy) use others. */
struct block {
    unsigned int domain;
    uintptr_t address;
    struct trace trace;
};

static int is_tracing;
static unsigned int limit = 1;
static int initialized;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Py_hashtable_t *traces, *stacks, *names;
static size_t traced_now, traced_peak;
static struct stack *scratch;   /* room for `limit` places; needs the GIL */
static PyObject *unknown_name;
static struct stack empty_stack;

static _Thread_local int busy __attribute__((tls_model("initial-exec")));

static struct {
    PyMemAllocatorEx raw, mem, obj;
} below;

/* ------------------------------------------------------------------- tables */

static Py_uhash_t
hash_block(const void *key)
{
    const struct block *block = key;
    return _Py_hashtable_hash_ptr((const void *)block->address)
        ^ block->domain * 0x9e3779b9u;
}

static int
same_block(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return x->address == y->address && x->domain == y->domain;
}

static Py_uhash_t
hash_stack(const void *key)
{
    return ((const struct stack *)key)->hash;
}

static int
same_stack(const void *a, const void *b)
{
    const struct stack *x = a, *y = b;
    if (x->hash != y->hash || x->count != y->count || x->total != y->total) {
        return 0;
    }
    for (unsigned int i = 0; i < x->count; i++) {
        if (x->places[i].filename != y->places[i].filename
            || x->places[i].line != y->places[i].line) {
            return 0;
        }
    }
    return 1;
}

static Py_uhash_t
hash_name(const void *key)
{
    return (Py_uhash_t)PyObject_Hash((PyObject *)key);
}

static int
same_name(const void *a, const void *b)
{
    return a == b || PyUnicode_Compare((PyObject *)a, (PyObject *)b) == 0;
}

static void
forget_name(void *key)
{
    Py_DECREF((PyObject *)key);
}

static _Py_hashtable_t *
new_table(_Py_hashtable_hash_func hash, _Py_hashtable_compare_func compare,
          _Py_hashtable_destroy_func destroy)
{
    _Py_hashtable_allocator_t plain = {malloc, free};
    return _Py_hashtable_new_full(hash, compare, destroy, NULL, &plain);
}

static int
initialize(void)
{
    if (initialized) {
        return 0;
    }
    traces = new_table(hash_block, same_block, free);
    stacks = new_table(hash_stack, same_stack, free);
    names = new_table(hash_name, same_name, forget_name);
    unknown_name = PyUnicode_InternFromString("<unknown>");
    if (traces == NULL || stacks == NULL || names == NULL
        || unknown_name == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    empty_stack.total = 1;
    initialized = 1;
    return 0;
}

/* ----------------------------------------------------------- noting a stack */

/* Returns a borrowed reference to the one str that stands for all equal ones. Call with
   the GIL and busy. */
static PyObject *
intern_name(PyObject *name)
{
    if (name == NULL || !PyUnicode_Check(name) || !PyUnicode_IS_READY(name)) {
        return unknown_name;
    }
    pthread_mutex_lock(&lock);
    _Py_hashtable_entry_t *entry = _Py_hashtable_get_entry(names, name);
    PyObject *result = unknown_name;
    if (entry != NULL) {
        result = entry->key;
    }
    else if (_Py_hashtable_set(names, name, NULL) == 0) {
        result = Py_NewRef(name);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* The running thread's Python stack; never NULL. What a call makes before the function begins, its
   cells and its generator, is recorded for the caller: as in python3.11. Call with the GIL
   and busy. */
static const struct stack *
current_stack(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyVMFrame *frame = tstate == NULL ? NULL
        : _PyThreadState_CurrentFrame(tstate);
    if (frame == NULL) {
        return &empty_stack;
    }
    Py_uhash_t hash = 0x345678u;
    scratch->count = 0;
    scratch->total = 0;
    for (; frame != NULL; frame = first_staying(frame->previous)) {
        if (scratch->count < limit) {
            PyCodeObject *code = (PyCodeObject *)frame->code;
            int line = _PyFrame_LineOf(frame);
            struct place *place = &scratch->places[scratch->count++];
            place->filename = intern_name(code->co_filename);
            place->line = line < 0 ? 0 : (unsigned int)line;
            hash = hash * 1000003u ^ (Py_uhash_t)(uintptr_t)place->filename;
            hash = hash * 1000003u ^ place->line;
        }
        if (scratch->total < MAX_FRAMES) {
            scratch->total++;
        }
    }
    scratch->hash = hash ^ scratch->total;

    pthread_mutex_lock(&lock);
    const struct stack *result = &empty_stack;
    _Py_hashtable_entry_t *entry = _Py_hashtable_get_entry(stacks, scratch);
    if (entry != NULL) {
        result = entry->key;
    }
    else {
        size_t size = sizeof(*scratch)
            + scratch->count * sizeof(struct place);
        struct stack *copy = malloc(size);
        if (copy != NULL) {
            memcpy(copy, scratch, size);
            if (_Py_hashtable_set(stacks, copy, NULL) == 0) {
                result = copy;
            }
            else {
                free(copy);
            }
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* ------------------------------------------------------------------ tracing */

/* Call with the lock. */
static void
forget_locked(unsigned int domain, uintptr_t address)
{
    struct block key = {.domain = domain, .address = address};
    _Py_hashtable_entry_t *entry = _Py_hashtable_get_entry(traces, &key);
    if (entry != NULL) {
        struct block *block = entry->key;
        traced_now -= block->trace.size;
        (void)_Py_hashtable_steal(traces, &key);
        free(block);
    }
}

static void
forget(unsigned int domain, uintptr_t address)
{
    pthread_mutex_lock(&lock);
    forget_locked(domain, address);
    pthread_mutex_unlock(&lock);
}

/* Records a block, replacing an older trace of it. Call with the GIL. */
static int
note(unsigned int domain, uintptr_t address, size_t size)
{
    const struct stack *stack = current_stack();
    struct block key = {.domain = domain, .address = address};
    int status = -1;
    pthread_mutex_lock(&lock);
    _Py_hashtable_entry_t *entry = _Py_hashtable_get_entry(traces, &key);
    struct block *block;
    if (entry != NULL) {
        block = entry->key;
        traced_now -= block->trace.size;
        status = 0;
    }
    else {
        block = malloc(sizeof(*block));
        if (block != NULL) {
            *block = key;
            status = _Py_hashtable_set(traces, block, NULL);
            if (status < 0) {
                free(block);
            }
        }
    }
    if (status == 0) {
        block->trace.size = size;
        block->trace.stack = stack;
        traced_now += size;
        if (traced_now > traced_peak) {
            traced_peak = traced_now;
        }
    }
    pthread_mutex_unlock(&lock);
    return status;
}

/* note() for a caller that may lack the GIL. */
static int
note_anywhere(unsigned int domain, uintptr_t address, size_t size)
{
    if (_PyThreadState_GET() != NULL) {
        return note(domain, address, size);
    }
    if (PyGILState_GetThisThreadState() == NULL && _Py_IsFinalizing()) {
        return 0;
    }
    PyGILState_STATE gil = PyGILState_Ensure();
    int status = is_tracing ? note(domain, address, size) : 0;
    PyGILState_Release(gil);
    return status;
}

/* ------------------------------------------------------------- the wrappers */

static void *
traced_alloc(PyMemAllocatorEx *alloc, void *ptr, size_t size)
{
    if (ptr == NULL || busy || !is_tracing) {
        return ptr;
    }
    busy = 1;
    int status = note_anywhere(0, (uintptr_t)ptr, size);
    busy = 0;
    if (status < 0) {
        alloc->free(alloc->ctx, ptr);
        return NULL;
    }
    return ptr;
}

static void *
hook_malloc(void *ctx, size_t size)
{
    PyMemAllocatorEx *alloc = ctx;
    return traced_alloc(alloc, alloc->malloc(alloc->ctx, size), size);
}

static void *
hook_calloc(void *ctx, size_t n, size_t size)
{
    PyMemAllocatorEx *alloc = ctx;
    return traced_alloc(alloc, alloc->calloc(alloc->ctx, n, size), n * size);
}

static void *
hook_realloc(void *ctx, void *ptr, size_t size)
{
    PyMemAllocatorEx *alloc = ctx;
    void *moved = alloc->realloc(alloc->ctx, ptr, size);
    if (moved == NULL) {
        return NULL;
    }
    if (ptr != NULL && ptr != moved) {
        forget(0, (uintptr_t)ptr);
    }
    if (busy || !is_tracing) {
        if (ptr != NULL && ptr == moved) {
            forget(0, (uintptr_t)ptr);
        }
        return moved;
    }
    busy = 1;
    /* The data has moved: it is too late to fail. */
    (void)note_anywhere(0, (uintptr_t)moved, size);
    busy = 0;
    return moved;
}

static void
hook_free(void *ctx, void *ptr)
{
    PyMemAllocatorEx *alloc = ctx;
    if (ptr == NULL) {
        return;
    }
    /* Do this first: another thread may get the address as soon as it is free. */
    forget(0, (uintptr_t)ptr);
    alloc->free(alloc->ctx, ptr);
}

static void
hook(PyMemAllocatorDomain domain, PyMemAllocatorEx *old)
{
    PyMemAllocatorEx hooks = {
        old, hook_malloc, hook_calloc, hook_realloc, hook_free,
    };
    PyMem_GetAllocator(domain, old);
    PyMem_SetAllocator(domain, &hooks);
}

/* The address of the block that an object is in: it begins before a collectable object. */
static uintptr_t
block_of(PyObject *op)
{
    uintptr_t address = (uintptr_t)op;
    if (PyType_IS_GC(Py_TYPE(op))) {
        address -= sizeof(PyGC_Head) + _PyInstance_PreHeaderSize(Py_TYPE(op));
    }
    return address;
}

/* An object from a free list is recorded where it is taken from there. */
static void
renew(PyObject *op)
{
    if (!is_tracing || busy) {
        return;
    }
    busy = 1;
    struct block key = {.address = block_of(op)};
    const struct stack *stack = current_stack();
    pthread_mutex_lock(&lock);
    _Py_hashtable_entry_t *entry = _Py_hashtable_get_entry(traces, &key);
    if (entry != NULL) {
        ((struct block *)entry->key)->trace.stack = stack;
    }
    pthread_mutex_unlock(&lock);
    busy = 0;
}

/* ----------------------------------------------------------- start and stop */

static int
start(int nframe)
{
    if (nframe < 1 || (unsigned int)nframe > MAX_FRAMES) {
        PyErr_Format(PyExc_ValueError,
                     "the number of frames must be in range [1; %lu]",
                     (unsigned long)MAX_FRAMES);
        return -1;
    }
    if (initialize() < 0) {
        return -1;
    }
    if (is_tracing) {
        return 0;
    }
    struct stack *room = malloc(sizeof(*room)
                                + (size_t)nframe * sizeof(struct place));
    if (room == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    scratch = room;
    limit = (unsigned int)nframe;
    /* An object that comes from a list of freed ones is recorded only if its memory is known. */
    _PyGC_ClearFreeLists();
    hook(PYMEM_DOMAIN_RAW, &below.raw);
    hook(PYMEM_DOMAIN_MEM, &below.mem);
    hook(PYMEM_DOMAIN_OBJ, &below.obj);
    is_tracing = 1;
    _PyTraceMalloc_renew_hook = renew;
    return 0;
}

static void
clear_traces(void)
{
    busy = 1;
    pthread_mutex_lock(&lock);
    _Py_hashtable_clear(traces);
    _Py_hashtable_clear(stacks);
    traced_now = traced_peak = 0;
    pthread_mutex_unlock(&lock);
    /* Releasing the last reference to a name calls the hooks. */
    _Py_hashtable_t *old = names;
    _Py_hashtable_t *fresh = new_table(hash_name, same_name, forget_name);
    if (fresh != NULL) {
        names = fresh;
        _Py_hashtable_destroy(old);
    }
    busy = 0;
}

static void
stop(void)
{
    if (!is_tracing) {
        return;
    }
    is_tracing = 0;
    _PyTraceMalloc_renew_hook = NULL;
    PyMem_SetAllocator(PYMEM_DOMAIN_RAW, &below.raw);
    PyMem_SetAllocator(PYMEM_DOMAIN_MEM, &below.mem);
    PyMem_SetAllocator(PYMEM_DOMAIN_OBJ, &below.obj);
    clear_traces();
    free(scratch);
    scratch = NULL;
}

int
_PyTraceMalloc_Init(int nframe)
{
    return nframe == 0 ? 0 : start(nframe);
}

void
_PyTraceMalloc_Fini(void)
{
    stop();
}

/* ------------------------------------------------------------------ reading */

/* New references. */
static PyObject *
place_to_tuple(const struct place *place)
{
    return Py_BuildValue("(OI)", place->filename, place->line);
}

static PyObject *
stack_to_tuple(const struct stack *stack)
{
    if (stack->count == 0) {
        return Py_BuildValue("((OI))", unknown_name, 0u);
    }
    PyObject *tuple = PyTuple_New(stack->count);
    for (unsigned int i = 0; tuple != NULL && i < stack->count; i++) {
        PyObject *place = place_to_tuple(&stack->places[i]);
        if (place == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i, place);
    }
    return tuple;
}

static const struct stack *
find_stack(unsigned int domain, uintptr_t address)
{
    struct block key = {.domain = domain, .address = address};
    const struct stack *stack = NULL;
    if (!is_tracing) {
        return NULL;
    }
    pthread_mutex_lock(&lock);
    _Py_hashtable_entry_t *entry = _Py_hashtable_get_entry(traces, &key);
    if (entry != NULL) {
        stack = ((struct block *)entry->key)->trace.stack;
    }
    pthread_mutex_unlock(&lock);
    return stack;
}

PyObject *
_PyTraceMalloc_GetTraceback(unsigned int domain, uintptr_t ptr)
{
    const struct stack *stack = find_stack(domain, ptr);
    return stack == NULL ? Py_NewRef(Py_None) : stack_to_tuple(stack);
}

int
PyTraceMalloc_Track(unsigned int domain, uintptr_t ptr, size_t size)
{
    if (!is_tracing) {
        return -2;
    }
    int was_busy = busy;
    busy = 1;
    int status = note_anywhere(domain, ptr, size);
    busy = was_busy;
    return status;
}

int
PyTraceMalloc_Untrack(unsigned int domain, uintptr_t ptr)
{
    if (!is_tracing) {
        return -2;
    }
    forget(domain, ptr);
    return 0;
}

/* A copy of the traces, so that the lock need not be held while objects are
   made. */
struct snapshot {
    struct block *blocks;
    size_t count, room;
};

static int
copy_block(_Py_hashtable_t *Py_UNUSED(table), const void *key,
           const void *Py_UNUSED(value), void *arg)
{
    struct snapshot *s = arg;
    if (s->count == s->room) {
        return 1;
    }
    s->blocks[s->count++] = *(const struct block *)key;
    return 0;
}

static int
take_snapshot(struct snapshot *s)
{
    pthread_mutex_lock(&lock);
    s->count = 0;
    s->room = traces->nentries;
    s->blocks = malloc((s->room + 1) * sizeof(*s->blocks));
    if (s->blocks != NULL) {
        (void)_Py_hashtable_foreach(traces, copy_block, s);
    }
    pthread_mutex_unlock(&lock);
    return s->blocks == NULL ? -1 : 0;
}

PyDoc_STRVAR(get_traces_doc,
"_get_traces($module, /)\n--\n\n"
"Return a list of (domain, size, traceback, number of frames).");

static PyObject *
tracemalloc_get_traces(PyObject *Py_UNUSED(module),
                       PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PyList_New(0);
    if (list == NULL || !is_tracing) {
        return list;
    }
    struct snapshot s;
    if (take_snapshot(&s) < 0) {
        Py_DECREF(list);
        return PyErr_NoMemory();
    }
    /* Equal stacks share their tuple. */
    _Py_hashtable_t *tuples = _Py_hashtable_new_full(
        _Py_hashtable_hash_ptr, _Py_hashtable_compare_direct, NULL,
        forget_name, NULL);
    busy = 1;
    for (size_t i = 0; tuples != NULL && list != NULL && i < s.count; i++) {
        const struct stack *stack = s.blocks[i].trace.stack;
        PyObject *tuple = _Py_hashtable_get(tuples, stack);
        if (tuple == NULL) {
            tuple = stack_to_tuple(stack);
            if (tuple == NULL
                || _Py_hashtable_set(tuples, stack, tuple) < 0) {
                Py_XDECREF(tuple);
                PyErr_NoMemory();
                Py_CLEAR(list);
                break;
            }
        }
        PyObject *item = Py_BuildValue("(InOI)", s.blocks[i].domain,
                                       (Py_ssize_t)s.blocks[i].trace.size,
                                       tuple, stack->total);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    busy = 0;
    if (tuples != NULL) {
        _Py_hashtable_destroy(tuples);
    }
    free(s.blocks);
    return list;
}

PyDoc_STRVAR(get_object_traceback_doc,
"_get_object_traceback($module, obj, /)\n--\n\n"
"Return where obj was allocated; None if that was not traced.");

static PyObject *
tracemalloc_get_object_traceback(PyObject *Py_UNUSED(module), PyObject *op)
{
    return _PyTraceMalloc_GetTraceback(0, block_of(op));
}

PyDoc_STRVAR(is_tracing_doc,
"is_tracing($module, /)\n--\n\nTell whether allocations are traced.");

static PyObject *
tracemalloc_is_tracing(PyObject *Py_UNUSED(module),
                       PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(is_tracing);
}

PyDoc_STRVAR(clear_traces_doc,
"clear_traces($module, /)\n--\n\nForget what was traced so far.");

static PyObject *
tracemalloc_clear_traces(PyObject *Py_UNUSED(module),
                         PyObject *Py_UNUSED(ignored))
{
    if (is_tracing) {
        clear_traces();
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(start_doc,
"start($module, nframe=1, /)\n--\n\n"
"Begin to trace, with at most nframe frames of each traceback.");

static PyObject *
tracemalloc_start(PyObject *Py_UNUSED(module), PyObject *const *args,
                  Py_ssize_t nargs)
{
    int nframe = 1;
    if (!_PyArg_CheckPositional("start", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs > 0) {
        nframe = _PyLong_AsInt(args[0]);
        if (nframe == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (start(nframe) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(stop_doc,
"stop($module, /)\n--\n\nStop tracing, and forget what was traced.");

static PyObject *
tracemalloc_stop(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    stop();
    Py_RETURN_NONE;
}

PyDoc_STRVAR(get_traceback_limit_doc,
"get_traceback_limit($module, /)\n--\n\n"
"Return how many frames of a traceback are kept.");

static PyObject *
tracemalloc_get_traceback_limit(PyObject *Py_UNUSED(module),
                                PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromLong((long)limit);
}

static int
add_stack_size(_Py_hashtable_t *Py_UNUSED(table), const void *key,
               const void *Py_UNUSED(value), void *sum)
{
    const struct stack *stack = key;
    *(size_t *)sum += sizeof(*stack) + stack->count * sizeof(struct place);
    return 0;
}

PyDoc_STRVAR(get_tracemalloc_memory_doc,
"get_tracemalloc_memory($module, /)\n--\n\n"
"Return the bytes that tracing itself uses.");

static PyObject *
tracemalloc_get_tracemalloc_memory(PyObject *Py_UNUSED(module),
                                   PyObject *Py_UNUSED(ignored))
{
    size_t size = 0;
    if (initialized) {
        pthread_mutex_lock(&lock);
        size = _Py_hashtable_size(traces) + _Py_hashtable_size(stacks)
            + _Py_hashtable_size(names)
            + traces->nentries * sizeof(struct block);
        (void)_Py_hashtable_foreach(stacks, add_stack_size, &size);
        pthread_mutex_unlock(&lock);
    }
    return PyLong_FromSize_t(size);
}

PyDoc_STRVAR(get_traced_memory_doc,
"get_traced_memory($module, /)\n--\n\n"
"Return the bytes in traced blocks: now, and at most.");

static PyObject *
tracemalloc_get_traced_memory(PyObject *Py_UNUSED(module),
                              PyObject *Py_UNUSED(ignored))
{
    size_t now = 0, peak = 0;
    if (is_tracing) {
        pthread_mutex_lock(&lock);
        now = traced_now;
        peak = traced_peak;
        pthread_mutex_unlock(&lock);
    }
    return Py_BuildValue("nn", (Py_ssize_t)now, (Py_ssize_t)peak);
}

PyDoc_STRVAR(reset_peak_doc,
"reset_peak($module, /)\n--\n\nLet the peak begin with the bytes in use now.");

static PyObject *
tracemalloc_reset_peak(PyObject *Py_UNUSED(module),
                       PyObject *Py_UNUSED(ignored))
{
    pthread_mutex_lock(&lock);
    traced_peak = traced_now;
    pthread_mutex_unlock(&lock);
    Py_RETURN_NONE;
}

static PyMethodDef tracemalloc_methods[] = {
    {"is_tracing", tracemalloc_is_tracing, METH_NOARGS, is_tracing_doc},
    {"clear_traces", tracemalloc_clear_traces, METH_NOARGS, clear_traces_doc},
    {"_get_traces", tracemalloc_get_traces, METH_NOARGS, get_traces_doc},
    {"_get_object_traceback", tracemalloc_get_object_traceback, METH_O,
     get_object_traceback_doc},
    {"start", FAST(tracemalloc_start), start_doc},
    {"stop", tracemalloc_stop, METH_NOARGS, stop_doc},
    {"get_traceback_limit", tracemalloc_get_traceback_limit, METH_NOARGS,
     get_traceback_limit_doc},
    {"get_tracemalloc_memory", tracemalloc_get_tracemalloc_memory,
     METH_NOARGS, get_tracemalloc_memory_doc},
    {"get_traced_memory", tracemalloc_get_traced_memory, METH_NOARGS,
     get_traced_memory_doc},
    {"reset_peak", tracemalloc_reset_peak, METH_NOARGS, reset_peak_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot tracemalloc_slots[] = {
    {0, NULL},
};

static PyModuleDef tracemalloc_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_tracemalloc",
    .m_doc = PyDoc_STR("Traces of memory blocks: tracemalloc is the module "
                       "to use."),
    .m_size = 0,
    .m_methods = tracemalloc_methods,
    .m_slots = tracemalloc_slots,
};

MODULE_INIT(_tracemalloc)
{
    return PyModuleDef_Init(&tracemalloc_module);
}
