/* Making, finding and freeing the states of interpreters and threads, and PyGILState_*.
   internal/pystate.h explains what they are. */
#include "Python.h"
#include "frameobject.h"
#include "internal/errors.h"
#include "internal/frame.h"
#include "internal/memory.h"
#include "internal/module_state.h"
#include "internal/monitoring.h"
#include "internal/pystate.h"
#include "internal/sampler.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_PyRuntimeState _PyRuntime;

_Thread_local PyThreadState *_Py_tss_tstate
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The state that PyGILState_Ensure uses on this thread. */
static _Thread_local PyThreadState *gilstate_tstate
    __attribute__((tls_model("initial-exec")));

#define NO_STATE_TEXT \
    "the function must be called with the GIL held, but the GIL is released " \
    "(the current Python thread state is NULL)"

#define DEFAULT_RECURSION_LIMIT 1000
static int recursion_limit = DEFAULT_RECURSION_LIMIT;

static inline void
lock_lists(void)
{
    pthread_mutex_lock(&_PyRuntime.mutex);
}

static inline void
unlock_lists(void)
{
    pthread_mutex_unlock(&_PyRuntime.mutex);
}

/* -------------------------------------------------------------- the process */

void
_PyRuntime_Initialize(void)
{
    static int done;
    if (done) {
        return;
    }
    done = 1;
    _PyMem_Init();
    pthread_mutex_init(&_PyRuntime.mutex, NULL);
    _PyRuntime.main_thread = pthread_self();
    _PyRuntime.main_thread_ident = (unsigned long)pthread_self();
    _PyRuntime.gilstate_check_enabled = 1;
    _PyRuntime.abi_zero = (PyLongObject){
        PyVarObject_HEAD_INIT(&PyLong_Type, 0)
    };
    _PyRuntime.abi_one = (PyLongObject){
        PyVarObject_HEAD_INIT(&PyLong_Type, 1)
        .ob_digit = {1},
    };
    Py_SET_REFCNT(&_PyRuntime.abi_zero, (Py_ssize_t)1 << 60);
    Py_SET_REFCNT(&_PyRuntime.abi_one, (Py_ssize_t)1 << 60);
    _PyGIL_Init();
}

void
_PyRuntimeState_SetFinalizing(PyThreadState *tstate)
{
    atomic_store(&_PyRuntime.finalizing, tstate);
}

static void delete_states_except(PyInterpreterState *interp, PyThreadState *kept);

void
_PyRuntime_AfterForkChild(void)
{
    PyThreadState *tstate = _Py_tss_tstate;
    pthread_mutex_init(&_PyRuntime.mutex, NULL);
    _PyRuntime.main_thread = pthread_self();
    _PyRuntime.main_thread_ident = (unsigned long)pthread_self();
    if (tstate == NULL) {
        return;
    }
    _PyGIL_AfterForkChild(tstate);
    tstate->native_thread_id = (unsigned long)syscall(SYS_gettid);
    tstate->thread_id = (unsigned long)pthread_self();
    atomic_store(&_PyRuntime.main_tstate, _PyThreadState_IMPL(tstate));
    delete_states_except(tstate->interp, tstate);
}

/* ------------------------------------------------------------- interpreters */

PyInterpreterState *
PyInterpreterState_New(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (tstate != NULL
        && PySys_Audit("cpython.PyInterpreterState_New", NULL) < 0) {
        return NULL;
    }
    PyInterpreterState *interp = PyMem_RawCalloc(1, sizeof(*interp));
    if (interp == NULL) {
        return NULL;
    }
    interp->id_refcount = -1;
    interp->dlopenflags = RTLD_NOW;
    lock_lists();
    if (_PyRuntime.interp_main == NULL) {
        _PyRuntime.interp_main = interp;
        _PyRuntime.next_interp_id = 0;
    }
    interp->id = _PyRuntime.next_interp_id++;
    interp->next = _PyRuntime.interp_head;
    _PyRuntime.interp_head = interp;
    unlock_lists();
    return interp;
}

static void
clear_atexit(struct _Py_atexit_state *state)
{
    for (Py_ssize_t i = 0; i < state->count; i++) {
        Py_CLEAR(state->entries[i].func);
        Py_CLEAR(state->entries[i].args);
        Py_CLEAR(state->entries[i].kwargs);
    }
    PyMem_Free(state->entries);
    memset(state, 0, sizeof(*state));
}

/* The structure stays: code objects may still be destroyed, and threads look at it. */
static void
clear_monitors(PyInterpreterState *interp)
{
    _PyMonitors *monitors = interp->monitors;
    for (int tool = 0; monitors != NULL && tool < MONITOR_TOOLS; tool++) {
        Py_CLEAR(monitors->names[tool]);
        for (int event = 0; event < MONITOR_COUNT; event++) {
            Py_CLEAR(monitors->callbacks[tool][event]);
        }
    }
}

void
PyInterpreterState_Clear(PyInterpreterState *interp)
{
    if (_PyThreadState_GET() != NULL
        && PySys_Audit("cpython.PyInterpreterState_Clear", NULL) < 0) {
        PyErr_Clear();
    }
    for (PyThreadState *p = interp->threads_head; p != NULL; p = p->next) {
        PyThreadState_Clear(p);
    }
    clear_atexit(&interp->atexit);
    Py_CLEAR(interp->audit_hooks);
    PyConfig_Clear(&interp->config);
    Py_CLEAR(interp->codec_search_path);
    Py_CLEAR(interp->codec_search_cache);
    Py_CLEAR(interp->codec_error_registry);
    Py_CLEAR(interp->modules);
    Py_CLEAR(interp->modules_by_index);
    Py_CLEAR(interp->builtins_copy);
    Py_CLEAR(interp->importlib);
    Py_CLEAR(interp->import_func);
    Py_CLEAR(interp->sys_flags);
    Py_CLEAR(interp->dict);
    Py_CLEAR(interp->before_forkers);
    Py_CLEAR(interp->after_forkers_parent);
    Py_CLEAR(interp->after_forkers_child);
    Py_CLEAR(interp->warnings.filters);
    Py_CLEAR(interp->warnings.once_registry);
    Py_CLEAR(interp->warnings.default_action);
    Py_CLEAR(interp->thread_excepthook_default);
    _PyModuleState_Drop(interp);
    clear_monitors(interp);
    Py_CLEAR(interp->sysdict);
    Py_CLEAR(interp->builtins);
}

static void free_threads(PyInterpreterState *interp);

static void
unlink_interpreter(PyInterpreterState *interp)
{
    lock_lists();
    PyInterpreterState **p = &_PyRuntime.interp_head;
    while (*p != NULL && *p != interp) {
        p = &(*p)->next;
    }
    if (*p == NULL) {
        unlock_lists();
        Py_FatalError("NULL interpreter");
    }
    *p = interp->next;
    if (_PyRuntime.interp_main == interp) {
        _PyRuntime.interp_main = NULL;
        if (_PyRuntime.interp_head != NULL) {
            unlock_lists();
            Py_FatalError("remaining subinterpreters");
        }
    }
    unlock_lists();
}

void
_PyInterpreterState_Retire(PyInterpreterState *interp)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyInterpreterState_Clear(interp);
    recursion_limit = DEFAULT_RECURSION_LIMIT;
    if (interp->threads_head == tstate && tstate->next == NULL) {
        PyInterpreterState_Delete(interp);
        return;
    }
    unlink_interpreter(interp);
    interp->retired = 1;
    _PyThreadState_DeleteCurrent(tstate);
}

/* Code objects may live longer. */
static void
free_monitors(_PyMonitors *monitors)
{
    for (_PyCodeMonitor *m = monitors ? monitors->with_local : NULL; m != NULL; m = m->next) {
        m->link = NULL;
    }
    PyMem_RawFree(monitors);
}

void
PyInterpreterState_Delete(PyInterpreterState *interp)
{
    free_threads(interp);
    unlink_interpreter(interp);
    if (interp->id_mutex != NULL) {
        PyThread_free_lock(interp->id_mutex);
    }
    PyMem_RawFree(interp->fs_codec.encoding);
    PyMem_RawFree(interp->fs_codec.errors);
    free_monitors(interp->monitors);
    PyMem_RawFree(interp);
}

PyInterpreterState *
PyInterpreterState_Get(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (tstate == NULL) {
        Py_FatalError(NO_STATE_TEXT);
    }
    return tstate->interp;
}

PyInterpreterState *
PyInterpreterState_Main(void)
{
    return _PyRuntime.interp_main;
}

PyInterpreterState *
PyInterpreterState_Head(void)
{
    return _PyRuntime.interp_head;
}

PyInterpreterState *
PyInterpreterState_Next(PyInterpreterState *interp)
{
    return interp->next;
}

PyThreadState *
PyInterpreterState_ThreadHead(PyInterpreterState *interp)
{
    return interp->threads_head;
}

PyThreadState *
_PyThreadState_FromId(PyInterpreterState *interp, uint64_t id)
{
    PyThreadState *found = NULL;
    lock_lists();       /* threads that begin in C are added without the GIL */
    for (PyThreadState *p = interp->threads_head; p != NULL; p = p->next) {
        if (p->id >= id && (found == NULL || p->id < found->id)) {
            found = p;
        }
    }
    unlock_lists();
    return found;
}

PyThreadState *
PyThreadState_Next(PyThreadState *tstate)
{
    return tstate->next;
}

int64_t
PyInterpreterState_GetID(PyInterpreterState *interp)
{
    if (interp == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "no interpreter provided");
        return -1;
    }
    return interp->id;
}

PyObject *
PyInterpreterState_GetDict(PyInterpreterState *interp)
{
    if (interp->dict == NULL) {
        interp->dict = PyDict_New();
        if (interp->dict == NULL) {
            PyErr_Clear();
        }
    }
    return interp->dict;
}

PyInterpreterState *
_PyInterpreterState_LookUpID(int64_t id)
{
    PyInterpreterState *interp = NULL;
    if (id >= 0) {
        lock_lists();
        interp = _PyRuntime.interp_head;
        while (interp != NULL && interp->id != id) {
            interp = interp->next;
        }
        unlock_lists();
    }
    if (interp == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_RuntimeError, "unrecognized interpreter ID %lld",
                     (long long)id);
    }
    return interp;
}

int
_PyInterpreterState_IDInitref(PyInterpreterState *interp)
{
    if (interp->id_mutex != NULL) {
        return 0;
    }
    interp->id_mutex = PyThread_allocate_lock();
    if (interp->id_mutex == NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "failed to create init interpreter ID mutex");
        return -1;
    }
    interp->id_refcount = 0;
    return 0;
}

int
_PyInterpreterState_IDIncref(PyInterpreterState *interp)
{
    if (_PyInterpreterState_IDInitref(interp) < 0) {
        return -1;
    }
    PyThread_acquire_lock(interp->id_mutex, WAIT_LOCK);
    interp->id_refcount++;
    PyThread_release_lock(interp->id_mutex);
    return 0;
}

void
_PyInterpreterState_IDDecref(PyInterpreterState *interp)
{
    PyThread_acquire_lock(interp->id_mutex, WAIT_LOCK);
    int64_t left = --interp->id_refcount;
    PyThread_release_lock(interp->id_mutex);
    if (left == 0 && interp->requires_idref) {
        /* No id refers to it any more. */
        PyThreadState *tstate = interp->threads_head;
        if (tstate == NULL) {
            tstate = PyThreadState_New(interp);
        }
        PyThreadState *old = PyThreadState_Swap(tstate);
        Py_EndInterpreter(tstate);
        PyThreadState_Swap(old);
    }
}

int
_PyInterpreterState_RequiresIDRef(PyInterpreterState *interp)
{
    return interp->requires_idref;
}

void
_PyInterpreterState_RequireIDRef(PyInterpreterState *interp, int required)
{
    interp->requires_idref = required ? 1 : 0;
}

PyObject *
_PyInterpreterState_GetMainModule(PyInterpreterState *interp)
{
    if (interp->modules == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "interpreter not initialized");
        return NULL;
    }
    return PyMapping_GetItemString(interp->modules, "__main__");
}

const PyConfig *
_PyInterpreterState_GetConfig(PyInterpreterState *interp)
{
    return &interp->config;
}

const PyConfig *
_Py_GetConfig(void)
{
    return &_PyInterpreterState_GET()->config;
}

/* ------------------------------------------------------------------ threads */

/* How much C stack one counted level of an extension takes at most: _json's need some 250
   bytes. */
#define MOST_C_FRAME 512

void
_Py_ShareRecursion(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    int total = tstate->recursion_remaining + impl->recursion_reserve;
    int chunk = impl->recursion_chunk;
    if (chunk == 0 || tstate->recursion_limit <= chunk) {
        chunk = INT_MAX;
    }
    tstate->recursion_remaining = Py_MIN(total, chunk);
    impl->recursion_reserve = total - tstate->recursion_remaining;
    impl->recursion_most = chunk == INT_MAX ? INT_MAX : 2u * (unsigned)chunk;
}

int
_PyThreadState_RecursionDepth(PyThreadState *tstate)
{
    return tstate->recursion_limit - tstate->recursion_remaining
           - _PyThreadState_IMPL(tstate)->recursion_reserve;
}

void
_PyThreadState_MeasureStack(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    uintptr_t bottom = 0;
    size_t size = 0;
    pthread_attr_t attr;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
        void *address;
        size_t guard = 0;
        if (pthread_attr_getstack(&attr, &address, &size) == 0) {
            pthread_attr_getguardsize(&attr, &guard);
            bottom = (uintptr_t)address;
            /* glibc may count the guard pages as part of the stack. */
            bottom += guard;
            size = size > guard ? size - guard : 0;
        }
        pthread_attr_destroy(&attr);
    }
    if (size == 0 || here < bottom || here > bottom + size) {
        size = (size_t)1 << 20;
        bottom = here > size ? here - size : 0;
    }
    /* Room for code that does not check the stack (C libraries) and for handling the
       error. Stacks of usual size leave enough for the default recursion limit. */
    uintptr_t margin = size / 4;
    const uintptr_t most = (uintptr_t)640 << 10;
    impl->c_stack_bottom = bottom;
    impl->c_stack_top = bottom + size;
    impl->c_stack_middle = bottom + size / 2;
    impl->c_stack_margin = margin < most ? margin : most;
    impl->c_stack_owner = pthread_self();
    impl->c_stack_known = 1;
    impl->recursion_chunk = (int)(impl->c_stack_margin / MOST_C_FRAME);
    _Py_ShareRecursion(tstate);
    _PySampler_AddThread(tstate);
}

static PyThreadState *
new_thread_state(PyInterpreterState *interp)
{
    _PyThreadStateImpl *impl = PyMem_RawCalloc(1, sizeof(*impl));
    if (impl == NULL) {
        return NULL;
    }
    PyThreadState *tstate = &impl->base;
    tstate->interp = interp;
    tstate->recursion_limit = recursion_limit;
    tstate->recursion_remaining = recursion_limit;
    impl->recursion_most = INT_MAX;
    tstate->thread_id = (unsigned long)pthread_self();
    tstate->native_thread_id = (unsigned long)syscall(SYS_gettid);
    tstate->cframe = &tstate->root_cframe;
    tstate->exc_info = &tstate->exc_state;
    tstate->context_ver = 1;
    tstate->tracing_what = 0;
    lock_lists();
    tstate->id = ++interp->next_thread_id;
    tstate->next = interp->threads_head;
    if (tstate->next != NULL) {
        tstate->next->prev = tstate;
    }
    interp->threads_head = tstate;
    unlock_lists();
    if (_Py_IsMainThread() && _Py_IsMainInterpreter(interp)
        && atomic_load(&_PyRuntime.main_tstate) == NULL) {
        atomic_store(&_PyRuntime.main_tstate, impl);
    }
    tstate->_initialized = 1;
    return tstate;
}

/* PyGILState_Ensure on this thread uses the first state that was made here. */
static void
note_for_gilstate(PyThreadState *tstate)
{
    if (gilstate_tstate == NULL) {
        gilstate_tstate = tstate;
    }
    /* PyGILState_Release must not delete a state that PyGILState_Ensure did not make. */
    tstate->gilstate_counter = 1;
}

/* States are initialised when they are made. The function exists only because the stable
   ABI has the name. */
PyAPI_FUNC(void) _PyThreadState_Init(PyThreadState *tstate);

void
_PyThreadState_Init(PyThreadState *Py_UNUSED(tstate))
{
    Py_FatalError("_PyThreadState_Init() is for internal use only");
}

PyThreadState *
PyThreadState_New(PyInterpreterState *interp)
{
    PyThreadState *tstate = new_thread_state(interp);
    if (tstate != NULL) {
        note_for_gilstate(tstate);
    }
    return tstate;
}

/* For a thread that does not run yet. It binds the state itself when it starts. */
PyThreadState *
_PyThreadState_Prealloc(PyInterpreterState *interp)
{
    return new_thread_state(interp);
}

void
_PyThreadState_SetCurrent(PyThreadState *tstate)
{
    tstate->thread_id = (unsigned long)pthread_self();
    tstate->native_thread_id = (unsigned long)syscall(SYS_gettid);
    note_for_gilstate(tstate);
}

void
PyThreadState_Clear(PyThreadState *tstate)
{
    Py_CLEAR(tstate->dict);
    Py_CLEAR(tstate->async_exc);
    Py_CLEAR(tstate->curexc_type);
    Py_CLEAR(tstate->curexc_value);
    Py_CLEAR(tstate->curexc_traceback);
    Py_CLEAR(tstate->exc_state.exc_value);
    _PyThreadState_IMPL(tstate)->ends = 1;
    tstate->c_profilefunc = NULL;
    tstate->c_tracefunc = NULL;
    Py_CLEAR(tstate->c_profileobj);
    Py_CLEAR(tstate->c_traceobj);
    Py_CLEAR(tstate->async_gen_firstiter);
    Py_CLEAR(tstate->async_gen_finalizer);
    Py_CLEAR(tstate->context);
    Py_CLEAR(((_PyThreadStateImpl *)tstate)->running_loop);
    if (tstate->on_delete != NULL) {
        void (*on_delete)(void *) = tstate->on_delete;
        tstate->on_delete = NULL;
        on_delete(tstate->on_delete_data);
    }
}

void (*_PyThreadState_vm_free)(PyThreadState *);

static void
unlink_thread(PyThreadState *tstate)
{
    PyInterpreterState *interp = tstate->interp;
    lock_lists();
    if (tstate->prev != NULL) {
        tstate->prev->next = tstate->next;
    }
    else {
        interp->threads_head = tstate->next;
    }
    if (tstate->next != NULL) {
        tstate->next->prev = tstate->prev;
    }
    unlock_lists();
    if (gilstate_tstate == tstate) {
        gilstate_tstate = NULL;
    }
    if (atomic_load(&_PyRuntime.main_tstate) == _PyThreadState_IMPL(tstate)) {
        atomic_store(&_PyRuntime.main_tstate, NULL);
    }
}

static void
free_thread(PyThreadState *tstate)
{
    _PySampler_ForgetState(tstate);
    if (_PyThreadState_vm_free != NULL) {
        _PyThreadState_vm_free(tstate);
    }
    PyMem_RawFree(tstate);
}

void
PyThreadState_Delete(PyThreadState *tstate)
{
    if (tstate == NULL) {
        Py_FatalError("NULL tstate pointer");
    }
    if (tstate == _Py_tss_tstate) {
        Py_FatalError("tstate is still current");
    }
    unlink_thread(tstate);
    free_thread(tstate);
}

void
_PyThreadState_DeleteCurrent(PyThreadState *tstate)
{
    unlink_thread(tstate);
    _PyThreadState_Detach(tstate);
    free_thread(tstate);
}

void
PyThreadState_DeleteCurrent(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (tstate == NULL) {
        Py_FatalError(NO_STATE_TEXT);
    }
    _PyThreadState_DeleteCurrent(tstate);
}

/* Unlinks and frees every thread state of the interpreter but the one given. */
static void
delete_states_except(PyInterpreterState *interp, PyThreadState *kept)
{
    lock_lists();
    PyThreadState *others = interp->threads_head;
    if (kept->prev != NULL) {
        kept->prev->next = kept->next;
    }
    else {
        others = kept->next;
    }
    if (kept->next != NULL) {
        kept->next->prev = kept->prev;
    }
    kept->prev = kept->next = NULL;
    interp->threads_head = kept;
    unlock_lists();
    while (others != NULL) {
        PyThreadState *next = others->next;
        PyThreadState_Clear(others);
        free_thread(others);
        others = next;
    }
}

/* At an interpreter's end: frees the states of its remaining threads. */
static void
free_threads(PyInterpreterState *interp)
{
    PyThreadState *p;
    while ((p = interp->threads_head) != NULL) {
        if (p == _Py_tss_tstate) {
            _PyThreadState_DeleteCurrent(p);
        }
        else {
            PyThreadState_Delete(p);
        }
    }
}

PyThreadState *
_PyThreadState_UncheckedGet(void)
{
    return _PyThreadState_GET();
}

PyThreadState *
PyThreadState_Get(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (tstate == NULL) {
        Py_FatalError(NO_STATE_TEXT);
    }
    return tstate;
}

PyObject *
_PyThreadState_GetDict(PyThreadState *tstate)
{
    if (tstate->dict == NULL) {
        tstate->dict = PyDict_New();
        if (tstate->dict == NULL) {
            _PyErr_Clear(tstate);
        }
    }
    return tstate->dict;
}

PyObject *
PyThreadState_GetDict(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    return tstate == NULL ? NULL : _PyThreadState_GetDict(tstate);
}

PyInterpreterState *
PyThreadState_GetInterpreter(PyThreadState *tstate)
{
    return tstate->interp;
}

uint64_t
PyThreadState_GetID(PyThreadState *tstate)
{
    return tstate->id;
}

int
PyThreadState_SetAsyncExc(unsigned long id, PyObject *exc)
{
    PyInterpreterState *interp = PyInterpreterState_Get();
    PyObject *old = NULL;
    int found = 0;
    lock_lists();
    for (PyThreadState *p = interp->threads_head; p != NULL; p = p->next) {
        if (p->thread_id == id) {
            old = p->async_exc;
            p->async_exc = Py_XNewRef(exc);
            _Py_SetEvalBreaker(p, _Py_EB_ASYNC_EXC);
            found = 1;
            break;
        }
    }
    unlock_lists();
    Py_XDECREF(old);
    return found;
}

/* -------------------------------------------------------------- all threads */

/* Returns a new reference to a dict from thread ids to the values of value_of(), which
   returns a new reference, or NULL to leave the thread out (with an exception: to fail). */
static PyObject *
map_threads(PyObject *(*value_of)(PyThreadState *))
{
    PyObject *result = PyDict_New();
    if (result == NULL) {
        return NULL;
    }
    /* While the GIL is held no Python thread starts or ends. The list's lock can't be
       held here: a collection that frees a thread's state would try to take it again. */
    for (PyInterpreterState *i = _PyRuntime.interp_head; i != NULL;
         i = i->next) {
        for (PyThreadState *t = i->threads_head; t != NULL; t = t->next) {
            PyObject *value = value_of(t);
            if (value == NULL) {
                if (PyErr_Occurred()) {
                    goto fail;
                }
                continue;
            }
            PyObject *id = PyLong_FromUnsignedLong(t->thread_id);
            int failed = id == NULL || PyDict_SetItem(result, id, value) < 0;
            Py_XDECREF(id);
            Py_DECREF(value);
            if (failed) {
                goto fail;
            }
        }
    }
    return result;

fail:
    Py_DECREF(result);
    return NULL;
}

static PyObject *
frame_of(PyThreadState *tstate)
{
    return (PyObject *)PyThreadState_GetFrame(tstate);
}

static PyObject *
exc_info_of(PyThreadState *tstate)
{
    _PyErr_StackItem *item = _PyErr_GetTopmostException(tstate);
    return item == NULL ? NULL : _PyErr_StackItemToExcInfoTuple(item);
}

PyObject *
_PyThread_CurrentFrames(void)
{
    if (PySys_Audit("sys._current_frames", NULL) < 0) {
        return NULL;
    }
    return map_threads(frame_of);
}

PyObject *
_PyThread_CurrentExceptions(void)
{
    if (PySys_Audit("sys._current_exceptions", NULL) < 0) {
        return NULL;
    }
    return map_threads(exc_info_of);
}

/* ----------------------------------------------------------------- GILState */

int
_PyGILState_Init(PyInterpreterState *interp)
{
    _PyRuntime.autointerp = interp;
    return 0;
}

PyInterpreterState *
_PyGILState_GetInterpreterStateUnsafe(void)
{
    return _PyRuntime.autointerp;
}

PyThreadState *
PyGILState_GetThisThreadState(void)
{
    return _PyRuntime.autointerp == NULL ? NULL : gilstate_tstate;
}

int
PyGILState_Check(void)
{
    if (!_PyRuntime.gilstate_check_enabled || _PyRuntime.autointerp == NULL) {
        return 1;
    }
    PyThreadState *tstate = _PyThreadState_GET();
    return tstate != NULL && tstate == gilstate_tstate;
}

PyGILState_STATE
PyGILState_Ensure(void)
{
    PyThreadState *tstate = gilstate_tstate;
    int attached = 0;
    if (tstate == NULL) {
        if (_PyRuntime.autointerp == NULL) {
            Py_FatalError("PyGILState_Ensure called before Python is "
                          "initialized");
        }
        tstate = PyThreadState_New(_PyRuntime.autointerp);
        if (tstate == NULL) {
            Py_FatalError("Couldn't create thread-state for new thread");
        }
        tstate->gilstate_counter = 0;
    }
    else {
        attached = tstate == _PyThreadState_GET();
    }
    if (!attached) {
        _PyThreadState_Attach(tstate);
    }
    tstate->gilstate_counter++;
    return attached ? PyGILState_LOCKED : PyGILState_UNLOCKED;
}

void
PyGILState_Release(PyGILState_STATE old)
{
    PyThreadState *tstate = gilstate_tstate;
    if (tstate == NULL) {
        Py_FatalError("auto-releasing thread-state, but no thread-state for "
                      "this thread");
    }
    if (tstate != _PyThreadState_GET()) {
        _Py_FatalErrorFormat(__func__, "thread state %p must be current when "
                             "releasing", (void *)tstate);
    }
    if (--tstate->gilstate_counter == 0) {
        /* Clearing may run Python code that uses PyGILState itself. */
        tstate->gilstate_counter++;
        PyThreadState_Clear(tstate);
        tstate->gilstate_counter--;
        _PyThreadState_DeleteCurrent(tstate);
    }
    else if (old == PyGILState_UNLOCKED) {
        _PyThreadState_Detach(tstate);
    }
}

/* ---------------------------------------------------------------- recursion */

int
Py_GetRecursionLimit(void)
{
    return recursion_limit;
}

/* sys.setrecursionlimit(): for every thread of every interpreter. */
static void
set_recursion_limit(int new_limit)
{
    recursion_limit = new_limit;
    lock_lists();
    for (PyInterpreterState *i = _PyRuntime.interp_head; i != NULL;
         i = i->next) {
        for (PyThreadState *t = i->threads_head; t != NULL; t = t->next) {
            int depth = _PyThreadState_RecursionDepth(t);
            t->recursion_limit = new_limit;
            t->recursion_remaining = new_limit - depth;
            _PyThreadState_IMPL(t)->recursion_reserve = 0;
            _Py_ShareRecursion(t);
        }
    }
    unlock_lists();
}

void
Py_SetRecursionLimit(int new_limit)
{
    set_recursion_limit(new_limit);
}

/* The caller has decremented recursion_remaining. While a RecursionError is being raised
   there is some headroom, as that may need calls. */
int
_Py_CheckRecursiveCall(PyThreadState *tstate, const char *where)
{
    int stack_is_short = _Py_CStackIsShort(tstate);
    _Py_ShareRecursion(tstate);
    if (tstate->recursion_headroom) {
        if (tstate->recursion_remaining < -50) {
            Py_FatalError("Cannot recover from stack overflow.");
        }
        if (stack_is_short) {
            _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
            uintptr_t here = (uintptr_t)__builtin_frame_address(0);
            if (here - impl->c_stack_bottom < impl->c_stack_margin / 4) {
                Py_FatalError("Cannot recover from stack overflow.");
            }
        }
        return 0;
    }
    if (tstate->recursion_remaining < 0 || stack_is_short) {
        tstate->recursion_remaining++;
        return _Py_CStackExhausted(tstate, where);
    }
    return 0;
}

int
_Py_CStackExhausted(PyThreadState *tstate, const char *where)
{
    tstate->recursion_headroom++;
    _PyErr_Format(tstate, PyExc_RecursionError,
                  "maximum recursion depth exceeded%s", where);
    tstate->recursion_headroom--;
    return -1;
}

#undef Py_EnterRecursiveCall
#undef Py_LeaveRecursiveCall

int
Py_EnterRecursiveCall(const char *where)
{
    return _Py_EnterRecursiveCall(where);
}

void
Py_LeaveRecursiveCall(void)
{
    _Py_LeaveRecursiveCall();
}

/* --------------------------------------------------------- modules by index */

PyObject *
PyState_FindModule(PyModuleDef *def)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    Py_ssize_t index = def->m_base.m_index;
    if (def->m_slots != NULL || index == 0 || interp->modules_by_index == NULL
        || index >= PyList_GET_SIZE(interp->modules_by_index)) {
        return NULL;
    }
    PyObject *module = PyList_GET_ITEM(interp->modules_by_index, index);
    return module == Py_None ? NULL : module;
}

int
_PyState_AddModule(PyThreadState *tstate, PyObject *module, PyModuleDef *def)
{
    PyInterpreterState *interp = tstate->interp;
    if (def == NULL) {
        _PyErr_SetString(tstate, PyExc_SystemError,
                         "module definition is NULL");
        return -1;
    }
    if (def->m_slots != NULL) {
        _PyErr_SetString(tstate, PyExc_SystemError,
                         "PyState_AddModule called on module with slots");
        return -1;
    }
    if (interp->modules_by_index == NULL) {
        interp->modules_by_index = PyList_New(0);
        if (interp->modules_by_index == NULL) {
            return -1;
        }
    }
    while (PyList_GET_SIZE(interp->modules_by_index) <= def->m_base.m_index) {
        if (PyList_Append(interp->modules_by_index, Py_None) < 0) {
            return -1;
        }
    }
    return PyList_SetItem(interp->modules_by_index, def->m_base.m_index,
                          Py_NewRef(module));
}

int
PyState_AddModule(PyObject *module, PyModuleDef *def)
{
    if (def == NULL) {
        Py_FatalError("module definition is NULL");
    }
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *list = tstate->interp->modules_by_index;
    Py_ssize_t index = def->m_base.m_index;
    if (list != NULL && index < PyList_GET_SIZE(list)
        && PyList_GET_ITEM(list, index) == module) {
        _Py_FatalErrorFormat(__func__, "module %p already added",
                             (void *)module);
    }
    return _PyState_AddModule(tstate, module, def);
}

int
PyState_RemoveModule(PyModuleDef *def)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *list = tstate->interp->modules_by_index;
    Py_ssize_t index = def->m_base.m_index;
    if (def->m_slots != NULL) {
        _PyErr_SetString(tstate, PyExc_SystemError,
                         "PyState_RemoveModule called on module with slots");
        return -1;
    }
    if (index == 0) {
        Py_FatalError("invalid module index");
    }
    if (list == NULL) {
        Py_FatalError("Interpreters module-list not accessible.");
    }
    if (index >= PyList_GET_SIZE(list)) {
        Py_FatalError("Module index out of bounds.");
    }
    return PyList_SetItem(list, index, Py_NewRef(Py_None));
}

/* ------------------------------------------ is the interpreter initialised? */

int
Py_IsInitialized(void)
{
    return _PyRuntime.initialized;
}

int
_Py_IsFinalizing(void)
{
    return _PyRuntimeState_GetFinalizing() != NULL;
}

int
_Py_IsCoreInitialized(void)
{
    return _PyRuntime.core_initialized;
}
