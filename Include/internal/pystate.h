/* The process, the interpreter and the thread: the three state structures.

   _PyRuntime        one per process: what sub-interpreters share.
   PyInterpreterState  one per interpreter: modules, codecs, configuration…
   _PyThreadStateImpl  one per thread of an interpreter; its head is the
                     public PyThreadState with CPython 3.11's layout.

   Invariants:
   - the thread that holds the GIL, and only that thread, has a non-NULL
     _Py_tss_tstate; it is the state that the thread attached with;
   - a field is read and written with the GIL held unless its comment says
     otherwise;
   - eval_breaker is 0 while nothing wants this thread's attention. Any thread
     (and a signal handler) may set bits; only the owner clears them;
   - while the thread that holds the GIL has such a bit, _Py_attention.wanted is not 0.

   Parts of the runtime add the fields that they need in the section that bears
   their name. */
#ifndef SB_INTERNAL_PYSTATE_H
#define SB_INTERNAL_PYSTATE_H

#include "Python.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "internal/frame_records.h"

/* --------------------------------------------------- the thread's attention */

/* Bits of _PyThreadStateImpl.eval_breaker. */
#define _Py_EB_GIL_DROP   1u    /* another thread waits for the GIL */
#define _Py_EB_SIGNALS    2u    /* a signal arrived (main thread only) */
#define _Py_EB_CALLS      4u    /* Py_AddPendingCall (main thread only) */
#define _Py_EB_ASYNC_EXC  8u    /* PyThreadState_SetAsyncExc */
#define _Py_EB_TRASH      16u   /* deallocations wait for room on the C stack */
#define _Py_EB_MAIL       64u   /* a tool's request waits for a thread of the main interpreter */
#define _Py_EB_SHOW       32u   /* frames that run already are to be shown (vm/shown_running.c) */

/* What the VM tests at its safe points: not 0 when something may want the attention of the
   thread that holds the GIL, or when a tracer is attached to a probe of the VM. A tracer
   counts the semaphore up from outside, without any other notice
   (core/util/probe_words.S). */
typedef union {
    struct {
        uint16_t function_entry, function_return, line;     /* the probes' semaphores */
        uint16_t wanted;
    };
    uint64_t all;
} _PyAttention;

extern _PyAttention _Py_attention __attribute__((visibility("hidden")));

/* A macro, because the expectation has to stand where the branch is. */
#define _Py_AttentionWanted() \
    __builtin_expect(__atomic_load_n(&_Py_attention.all, __ATOMIC_RELAXED) != 0, 0)

struct _PyThreadStateImpl;
typedef struct _PyThreadStateImpl _PyThreadStateImpl;

struct _PyThreadStateImpl {
    PyThreadState base;         /* first: a PyThreadState * is one of these */

    _Atomic uint32_t eval_breaker;

    /* The C stack that the thread runs on. c_stack_bottom is its lowest
       address, c_stack_margin how many bytes above it are kept in reserve:
       `sp - c_stack_bottom < c_stack_margin` says that the stack is short
       (it is false for a stack pointer elsewhere, as on a stack that a
       coroutine library has made). Set when the thread attaches. */
    uintptr_t c_stack_bottom;
    uintptr_t c_stack_margin;
    uintptr_t c_stack_middle;
    uintptr_t c_stack_top;
    pthread_t c_stack_owner;
    int c_stack_known;

    /* Compiled extensions test and count recursion_remaining themselves and
       know nothing of the stack, but they call _Py_CheckRecursiveCall when it
       is used up. So it holds no more of the limit than fits into the stack's
       margin (recursion_chunk levels; 0: all of the limit), and the rest waits
       in recursion_reserve. Unwinding may leave more in it: our own code moves
       the excess back when it finds more than recursion_most. */
    int recursion_chunk;
    int recursion_reserve;
    unsigned recursion_most;

    /* vm: the Python frames of this thread (owner: Python/vm) */
    const void *vm_table;       /* handlers in force; NULL until the first frame: one of these */
    const void *observed_table; /* while no observer is running */
    const void *observer_table; /* while one is: nothing that it does is an event */
    void *vm_loop_frame;        /* where a build without tail calls goes on */
    const void *vm_loop_ip;
    _PyFrameRecords records;    /* show its frames to native profilers */
    int unshown;                /* FRAMES_UNSHOWN …: frames further out may lack records */
    const void *moved_ip;       /* where a frame goes on that is moved to another evaluator */
    int switches_stacks;        /* greenlet does: the memory of records may have been moved */
    int native_ok;              /* may machine code run? It looks at this after calls */
    int observed_native_ok;     /* the same by vm_table: with the one, and with the other */
    int observer_native_ok;
    int watched;                /* RESUME has to look for monitors (vm/monitored.c) */
    int draining;               /* not 0: machine code has to be left; counts down to a look */
    int native_depth;           /* of _PyJit_Running (internal/jit.h), those of this thread */
    void (*stepper)(void);      /* a PyStepper (internal/jit.h), for BEGIN_STEPS */
    const void *goes_on_at;     /* the instruction at which a frame goes on, interpreted */
    const void *executed;       /* the instruction before that at the frame's ip, for BEGIN_NATIVE */

    const void *resumption;     /* for resume_shown() (vm/native_generators.c) */

    int ends;                   /* it gets no observer any more */

    /* _asyncio */
    PyObject *running_loop;     /* or NULL */
    unsigned running_loop_forks;        /* when it was set (Lib/_asyncio/running.c) */

    /* gil */
    int gil_ack;                /* reserved for the GIL */
};

/* ---------------------------------------------------------- the interpreter */

#define _Py_MAX_AUDIT_NAME 256

/* Bits of PyInterpreterState.shown_by. */
#define SHOWN_BY_PROGRAM 1
#define SHOWN_BY_TOOL    2      /* internal/mailbox.h */

struct _Py_codec_error_slot;

struct _Py_fs_codec {
    char *encoding;             /* filesystem encoding, PyMem_Raw memory */
    int utf8;                   /* encoding is "utf-8" */
    char *errors;               /* error handler's name */
    int error_handler;          /* the part that decodes keeps its own enum */
};

struct _Py_atexit_entry {
    PyObject *func;             /* NULL when unregistered */
    PyObject *args;
    PyObject *kwargs;           /* or NULL */
};

struct _Py_atexit_state {
    struct _Py_atexit_entry *entries;
    Py_ssize_t count;
    Py_ssize_t allocated;
};

struct _Py_warnings_state {
    PyObject *filters;          /* list */
    PyObject *once_registry;    /* dict */
    PyObject *default_action;   /* str */
    long filters_version;
};

struct _is {
    PyInterpreterState *next;
    int64_t id;
    int64_t id_refcount;        /* -1: never counted */
    int requires_idref;
    PyThread_type_lock id_mutex;

    /* Threads, newest first; guarded by _PyRuntime.mutex. */
    PyThreadState *threads_head;
    uint64_t next_thread_id;
    long threads_count;         /* threads that _thread started */
    size_t threads_stacksize;

    int finalizing;
    int retired;                /* ended; daemon threads may still wait for the GIL */
    int initialized;

    /* import and sys (owner: Python/runtime/import, sys) */
    PyObject *modules;          /* sys.modules */
    PyObject *modules_by_index; /* list, PyState_FindModule */
    PyObject *sysdict;
    PyObject *builtins;         /* dict of builtins */
    PyObject *builtins_copy;
    PyObject *importlib;        /* importlib._bootstrap */
    PyObject *import_func;      /* the original builtins.__import__ */
    PyObject *sys_flags;
    int override_frozen_modules;
    int dlopenflags;
    struct _PyRelativeNames *relative_names;    /* import/relative.c */
    PyObject *dict;             /* PyInterpreterState_GetDict */

    PyConfig config;

    /* codecs (owner: Python/runtime or Objects/unicode) */
    PyObject *codec_search_path;
    PyObject *codec_search_cache;
    PyObject *codec_error_registry;
    int codecs_initialized;
    struct _Py_fs_codec fs_codec;

    /* evaluation (owner: Python/vm) */
    _PyFrameEvalFunction eval_frame;    /* NULL: the default */
    int frames_unbound;         /* frames with FRAME_UNBOUND */
    int calls_hooked;           /* calls between Python functions go through the hook, too */
    const void *vm_table;       /* handlers of threads that nothing traces; NULL: the default */
    _PyFrameEvalFunction shown_hook;    /* both show frames to native profilers; */
    const void *shown_table;            /* NULL while that is switched off */
    int shown_behind;           /* ... behind the hook of an extension, in eval_frame */
    int shown_by;               /* who has switched it on: SHOWN_BY_… */
    Py_ssize_t co_extra_user_count;
    freefunc co_extra_freefuncs[MAX_CO_EXTRA_USERS];
    int int_max_str_digits;
    struct _PyMonitors *monitors;       /* sys.monitoring, or NULL (internal/monitoring.h) */

    PyObject *audit_hooks;      /* list of sys.addaudithook, or NULL */
    struct _Py_atexit_state atexit;
    struct _Py_warnings_state warnings;

    /* os.register_at_fork lists, or NULL */
    PyObject *before_forkers;
    PyObject *after_forkers_parent;
    PyObject *after_forkers_child;

    PyObject *thread_excepthook_default;
    uint64_t next_unique_id;

    void *module_states[8];     /* internal/module_state.h */
};

/* -------------------------------------------------------------- the process */

typedef struct _Py_AuditHookEntry {
    struct _Py_AuditHookEntry *next;
    Py_AuditHookFunction hook;
    void *user_data;
} _Py_AuditHookEntry;

/* The symbol is exported. Its layout is our own, except for what modules compiled
   for CPython 3.11 read through its address: _ctypes, _asyncio and _json find the
   current thread state there, _curses and _zoneinfo the ints 0 and 1. The offsets
   depend on the machine's size of pthread types. */
#ifdef __aarch64__
#  define _Py_ABI_TSTATE_OFFSET 0x250
#else
#  define _Py_ABI_TSTATE_OFFSET 0x240
#endif

typedef struct pyruntimestate {
    union {
        struct {
            int preinitializing;
            int preinitialized;
            int core_initialized;
            int initialized;
            _Atomic(PyThreadState *) finalizing;    /* readable without the GIL */

            pthread_mutex_t mutex;      /* guards the lists of states below */
            PyInterpreterState *interp_head;
            PyInterpreterState *interp_main;
            int64_t next_interp_id;

            pthread_t main_thread;
            unsigned long main_thread_ident;
            _Atomic(_PyThreadStateImpl *) main_tstate;  /* the thread that signals wake */

            PyInterpreterState *autointerp;     /* PyGILState_Ensure's interpreter */
            int gilstate_check_enabled;

            _Py_AuditHookEntry *audit_hook_head;
            Py_OpenCodeHookFunction open_code_hook;
            void *open_code_userdata;

            PyPreConfig preconfig;
        };
        char abi_before[_Py_ABI_TSTATE_OFFSET];
    };
    PyThreadState *abi_tstate;  /* of the thread that holds the GIL */
    char abi_between[0x100];
    PyLongObject abi_zero;
    PyLongObject abi_one;
} _PyRuntimeState;

_Static_assert(offsetof(_PyRuntimeState, abi_tstate) == _Py_ABI_TSTATE_OFFSET
               && offsetof(_PyRuntimeState, abi_zero) == _Py_ABI_TSTATE_OFFSET + 0x108
               && offsetof(_PyRuntimeState, abi_one) == _Py_ABI_TSTATE_OFFSET + 0x128,
               "_PyRuntime as compiled modules see it");

PyAPI_DATA(_PyRuntimeState) _PyRuntime;

/* The calling thread's attached state, or NULL when it has none. */
extern _Thread_local PyThreadState *_Py_tss_tstate
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

static inline PyThreadState *
_PyThreadState_GET(void)
{
    return _Py_tss_tstate;
}

/* The oldest thread of the interpreter whose number (id) is this one or a higher one, or NULL. */
PyThreadState *_PyThreadState_FromId(PyInterpreterState *interp, uint64_t id);

static inline _PyThreadStateImpl *
_PyThreadState_IMPL(PyThreadState *tstate)
{
    return (_PyThreadStateImpl *)tstate;
}

static inline PyInterpreterState *
_PyInterpreterState_GET(void)
{
    return _Py_tss_tstate->interp;
}

static inline int
_Py_IsMainThread(void)
{
    return pthread_equal(pthread_self(), _PyRuntime.main_thread);
}

static inline int
_Py_IsMainInterpreter(PyInterpreterState *interp)
{
    return interp == _PyRuntime.interp_main;
}

/* 1, with RuntimeError, in an isolated interpreter, which must not start `what` (a
   process, a thread). */
static inline int
_PyInterpreterState_Forbids(PyInterpreterState *interp, const char *what)
{
    if (interp->config._isolated_interpreter) {
        PyErr_Format(PyExc_RuntimeError,
                     "%s not supported for isolated subinterpreters", what);
        return 1;
    }
    return 0;
}

static inline PyThreadState *
_PyRuntimeState_GetFinalizing(void)
{
    return atomic_load_explicit(&_PyRuntime.finalizing, memory_order_relaxed);
}

/* Python/core/threads/pystate.c */

/* Prepares _PyRuntime. Call it before anything else; further calls do nothing. It needs no
   Python object. */
void _PyRuntime_Initialize(void);
/* In a forked child, before Python runs again: only the calling thread is
   left. Resets locks, the GIL, and forgets the other threads. */
void _PyRuntime_AfterForkChild(void);
void _PyRuntimeState_SetFinalizing(PyThreadState *tstate);
/* Releases the GIL and deletes the current state. */
void _PyThreadState_DeleteCurrent(PyThreadState *);
/* Makes PyGILState_Ensure work on this thread and others. */
int _PyGILState_Init(PyInterpreterState *);
/* NULL means no such interpreter, with an exception set. */
PyInterpreterState *_PyInterpreterState_LookUpID(int64_t id);
int _PyInterpreterState_IDInitref(PyInterpreterState *);
int _PyInterpreterState_IDIncref(PyInterpreterState *);
void _PyInterpreterState_IDDecref(PyInterpreterState *);
/* Measures the calling thread's C stack into the state. */
void _PyThreadState_MeasureStack(PyThreadState *);

/* Frees what the VM keeps for a thread; set by the VM, may be NULL. */
extern void (*_PyThreadState_vm_free)(PyThreadState *);
/* A thread that starts with a state made by _PyThreadState_Prealloc. */
void _PyThreadState_SetCurrent(PyThreadState *);
PyAPI_FUNC(int) _PyState_AddModule(PyThreadState *, PyObject *module, PyModuleDef *);

/* ------------------------------------- Python/core/threads/gil.c: attention */

/* What the VM calls at function entry and at loop back edges when
   _Py_AttentionWanted(): notices tracers, and handles signals, pending calls, asynchronous
   exceptions and requests for the GIL. Returns -1 with an exception set. */
int _Py_HandlePending(PyThreadState *tstate);

static inline uint32_t
_Py_EvalBreaker(PyThreadState *tstate)
{
    return atomic_load_explicit(&_PyThreadState_IMPL(tstate)->eval_breaker,
                                memory_order_relaxed);
}

static inline void
_Py_SetEvalBreaker(PyThreadState *tstate, uint32_t bits)
{
    atomic_fetch_or(&_PyThreadState_IMPL(tstate)->eval_breaker, bits);
    __atomic_store_n(&_Py_attention.wanted, 1, __ATOMIC_SEQ_CST);
}

static inline void
_Py_ClearEvalBreaker(PyThreadState *tstate, uint32_t bits)
{
    atomic_fetch_and(&_PyThreadState_IMPL(tstate)->eval_breaker, ~bits);
}

/* The calling thread waits for the GIL: for handlers of signals that want to know. */
extern _Thread_local volatile int _PyGIL_Waits
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The GIL. Take and drop do not touch _Py_tss_tstate: attach and detach do. */
void _PyGIL_Init(void);
void _PyGIL_AfterForkChild(PyThreadState *);
void _PyThreadState_Attach(PyThreadState *);    /* waits for the GIL */
void _PyThreadState_Detach(PyThreadState *);    /* gives it up */
/* Microseconds. */
void _PyEval_SetSwitchInterval(unsigned long microseconds);
unsigned long _PyEval_GetSwitchInterval(void);
/* A signal has tripped: async-signal-safe. */
void _PyEval_SignalReceived(void);
/* Runs what Py_AddPendingCall still holds, at shut-down. */
void _Py_FinishPendingCalls(PyThreadState *);

/* ---------------------------------------------------------- recursion limit */

/* Slow path: decides, and raises RecursionError. On failure the caller has
   not entered (and must not leave). */
PyAPI_FUNC(int) _Py_CheckRecursiveCall(PyThreadState *tstate,
                                       const char *where);
/* How many levels of sys.getrecursionlimit() the thread has used. */
int _PyThreadState_RecursionDepth(PyThreadState *tstate);

static inline int
_Py_CStackIsShort(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here - impl->c_stack_bottom < impl->c_stack_margin;
}

/* What uses stack only to show frames to profilers leaves half of it to the program. */
static inline int
_Py_CStackIsHalfUsed(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here - impl->c_stack_bottom < impl->c_stack_middle - impl->c_stack_bottom;
}

/* The same for machine code: is the thread on its own stack, and less than half of it used?
   One comparison for both. */
static inline int
_Py_CStackIsAmple(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here - impl->c_stack_middle < impl->c_stack_top - impl->c_stack_middle;
}

/* For code that recurses in C: counts a call against sys.getrecursionlimit() and looks at
   the bytes left on the stack. 0: _Py_CheckRecursiveCall() has to decide whether the call
   may begin. */
static inline int
_Py_CountRecursiveCall(PyThreadState *tstate)
{
    /* One comparison for both ends: 1 to recursion_most. */
    return __builtin_expect((unsigned)tstate->recursion_remaining-- - 1u
                            < _PyThreadState_IMPL(tstate)->recursion_most, 1)
           && __builtin_expect(!_Py_CStackIsShort(tstate), 1);
}

static inline int
_Py_EnterRecursiveCallTstate(PyThreadState *tstate, const char *where)
{
    return _Py_CountRecursiveCall(tstate) ? 0 : _Py_CheckRecursiveCall(tstate, where);
}

/* Divides the rest of the recursion limit between recursion_remaining, which extensions
   use, and the reserve. */
void _Py_ShareRecursion(PyThreadState *tstate);

/* For code that recurses in C where python3.11 does not count, such as nested iterators:
   the stack is the only limit. 0, or -1 with RecursionError. */
int _Py_CStackExhausted(PyThreadState *tstate, const char *where);

static inline int
_Py_GuardCStack(const char *where)
{
    PyThreadState *tstate = _PyThreadState_GET();
    return __builtin_expect(_Py_CStackIsShort(tstate), 0)
           ? _Py_CStackExhausted(tstate, where) : 0;
}

static inline void
_Py_LeaveRecursiveCallTstate(PyThreadState *tstate)
{
    tstate->recursion_remaining++;
}

static inline int
_Py_EnterRecursiveCall(const char *where)
{
    return _Py_EnterRecursiveCallTstate(_PyThreadState_GET(), where);
}

static inline void
_Py_LeaveRecursiveCall(void)
{
    _Py_LeaveRecursiveCallTstate(_PyThreadState_GET());
}

/* Starts a thread of ours that runs no Python: detached, with a small stack, and never interrupted
   by the program's signals. 0, or an error number. Needs no GIL. */
int _PyThread_StartAside(void *(*run)(void *), void *arg);

/* Clears an interpreter that has been finalized and the current thread state, and frees
   both. If daemon threads are left, the interpreter's memory is kept for them. */
void _PyInterpreterState_Retire(PyInterpreterState *interp);

/* Lib/atexit.c: runs the callbacks. */
void _PyAtExit_Run(PyInterpreterState *interp);

#endif
