/* The GIL, and requests for a thread's attention.

   While nobody waits, the GIL is taken and released by one atomic operation on `holder`. A
   thread that finds it held adds itself to `waiters` under the mutex, looks at `holder` again,
   and only then sleeps. Who releases it sets `holder` first and then looks at `waiters`: so one
   of the two sees what the other did. A waiter looks at the holder's state, under the mutex; so
   whoever has released the GIL while there are waiters takes the mutex before the state may be
   freed.

   A thread that waits longer than the switch interval sets _Py_EB_GIL_DROP in the holder's
   eval_breaker. The holder releases the GIL at its next safe point, and then waits until
   another thread has run, so that it does not take the GIL straight back.

   Everything else that needs a thread's attention - signals, pending calls, asynchronous
   exceptions - sets another bit of the same word, and _Py_HandlePending deals with it.
   The VM looks at one word for all threads, _Py_attention, which says that the holder's
   eval_breaker may have bits set. So a thread that takes the GIL sets that word if its
   own eval_breaker has any. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/gc_stress.h"
#include "internal/hooks.h"
#include "internal/mailbox.h"
#include "internal/probes.h"
#include "internal/pystate.h"
#include "internal/trashcan.h"

#include <errno.h>
#include <stdatomic.h>
#include <time.h>

#define DEFAULT_INTERVAL_US 5000

volatile int _PyMailbox_wants_look;
_Thread_local volatile int _PyGIL_Waits;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t freed;       /* threads that wait for the GIL */
    pthread_cond_t switched;    /* the thread that gave way */
    _Atomic(PyThreadState *) holder;            /* NULL: not held */
    _Atomic(PyThreadState *) last_holder;       /* only compared, never dereferenced */
    atomic_ulong switches;
    atomic_int waiters;         /* changed under the mutex */
    unsigned long interval_us;
    int ready;
} gil;

/* The holder while a thread that called PyThreadState_Swap(NULL) keeps the GIL: its last state
   may be freed meanwhile. Waiters write to this one instead, and nobody reads it. */
static _PyThreadStateImpl no_state;

static void
init_words(void)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&gil.mutex, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&gil.freed, &attr);
    pthread_cond_init(&gil.switched, &attr);
    pthread_condattr_destroy(&attr);
    gil.holder = NULL;
    gil.last_holder = NULL;
    gil.waiters = 0;
}

void
_PyGIL_Init(void)
{
    if (!gil.ready) {
        init_words();
        gil.ready = 1;
    }
    gil.interval_us = DEFAULT_INTERVAL_US;
}

static struct timespec
deadline_after(unsigned long microseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)(microseconds / 1000000);
    t.tv_nsec += (long)(microseconds % 1000000) * 1000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

/* After finalization has begun, other threads must not run Python any more, and their
   stacks must not be unwound. The same holds for threads of an interpreter from before
   the process was initialised again. */
static int
must_exit(PyThreadState *tstate)
{
    PyThreadState *finalizing = _PyRuntimeState_GetFinalizing();
    return finalizing != NULL ? finalizing != tstate : tstate->interp->retired;
}

static void
pass_on_attention(PyThreadState *tstate)
{
    if (_Py_EvalBreaker(tstate) != 0) {
        __atomic_store_n(&_Py_attention.wanted, 1, __ATOMIC_SEQ_CST);
    }
}

static int
try_to_take(PyThreadState *tstate)
{
    PyThreadState *none = NULL;
    if (!atomic_compare_exchange_strong(&gil.holder, &none, tstate)) {
        return 0;
    }
    if (atomic_load_explicit(&gil.last_holder, memory_order_relaxed) != tstate) {
        atomic_store_explicit(&gil.last_holder, tstate, memory_order_relaxed);
        atomic_fetch_add_explicit(&gil.switches, 1, memory_order_relaxed);
    }
    return 1;
}

/* The mutex is held. */
static _Noreturn void
leave_thread(void)
{
    pthread_cond_signal(&gil.freed);
    pthread_cond_broadcast(&gil.switched);
    pthread_mutex_unlock(&gil.mutex);
    pthread_exit(NULL);
}

static __attribute__((noinline)) void
take_waiting(PyThreadState *tstate)
{
    int waits = 0;
    pthread_mutex_lock(&gil.mutex);
    gil.waiters++;
    for (;;) {
        /* Checked under the mutex, before each attempt to take the GIL. */
        if (must_exit(tstate)) {
            gil.waiters--;
            leave_thread();
        }
        if (try_to_take(tstate)) {
            break;
        }
        PyThreadState *holder = gil.holder;
        if (PROBE_IS_ATTACHED(gil__wait) && !waits && holder != NULL) {
            _PyProbes_GILWait(holder->native_thread_id);
        }
        waits = 1;
        _PyGIL_Waits = 1;
        unsigned long seen = gil.switches;
        struct timespec deadline = deadline_after(gil.interval_us);
        int error = pthread_cond_timedwait(&gil.freed, &gil.mutex, &deadline);
        holder = gil.holder;
        if (error == ETIMEDOUT && holder != NULL && gil.switches == seen) {
            _Py_SetEvalBreaker(holder, _Py_EB_GIL_DROP);
        }
    }
    gil.waiters--;
    if (waits) {
        _PyGIL_Waits = 0;
    }
    pthread_cond_signal(&gil.switched);
    pthread_mutex_unlock(&gil.mutex);
}

static void
take(PyThreadState *tstate)
{
    if (gil.waiters > 0 || !try_to_take(tstate)) {
        take_waiting(tstate);
    }
    /* The finalizing thread sets what is asked here before it releases the GIL. */
    if (must_exit(tstate)) {
        pthread_mutex_lock(&gil.mutex);
        gil.holder = NULL;
        leave_thread();
    }
    if (PROBE_IS_ATTACHED(gil__acquired)) {
        _PyProbes_GILAcquired();
    }
    if (_Py_EvalBreaker(tstate) & _Py_EB_GIL_DROP) {
        _Py_ClearEvalBreaker(tstate, _Py_EB_GIL_DROP);
    }
    pass_on_attention(tstate);
}

/* Threads may wait. give_way: wait until another one has had the GIL. */
static __attribute__((noinline)) void
wake_waiter(PyThreadState *tstate, int give_way)
{
    pthread_mutex_lock(&gil.mutex);
    if (gil.waiters > 0) {
        pthread_cond_signal(&gil.freed);
        if (give_way) {
            /* With a deadline, as the waiting thread may exit without taking the GIL. */
            struct timespec deadline = deadline_after(gil.interval_us);
            while (gil.last_holder == tstate && gil.waiters > 0
                   && gil.holder == NULL) {
                if (pthread_cond_timedwait(&gil.switched, &gil.mutex,
                                           &deadline) == ETIMEDOUT) {
                    break;
                }
            }
        }
    }
    pthread_mutex_unlock(&gil.mutex);
}

/* The state may be freed as soon as this has returned. */
static void
drop(PyThreadState *tstate, int give_way)
{
    if (gil.holder != tstate) {
        Py_FatalError("drop_gil: GIL is not locked");
    }
    if (PROBE_IS_ATTACHED(gil__released)) {
        _PyProbes_GILReleased();
    }
    gil.holder = NULL;
    if (gil.waiters > 0) {
        wake_waiter(tstate, give_way);
    }
}

/* The caller holds the GIL. Modules compiled for 3.11 read these fields of _PyRuntime. */
static inline void
set_current(PyThreadState *tstate)
{
    _Py_tss_tstate = tstate;
    _PyRuntime.abi_tstate = tstate;
}

void
_PyThreadState_Attach(PyThreadState *tstate)
{
    int saved_errno = errno;
    take(tstate);
    set_current(tstate);
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    if (!impl->c_stack_known
        || !pthread_equal(impl->c_stack_owner, pthread_self())) {
        _PyThreadState_MeasureStack(tstate);
    }
    errno = saved_errno;
}

void
_PyThreadState_Detach(PyThreadState *tstate)
{
    set_current(NULL);
    drop(tstate, 0);
}

PyThreadState *
PyThreadState_Swap(PyThreadState *tstate)
{
    PyThreadState *old = _Py_tss_tstate;
    if (old == tstate) {
        return old;
    }
    pthread_mutex_lock(&gil.mutex);
    if (tstate == NULL) {
        gil.holder = &no_state.base;
    }
    else if (old != NULL || gil.holder != NULL) {
        gil.holder = tstate;
    }
    pthread_mutex_unlock(&gil.mutex);
    set_current(tstate);
    if (tstate != NULL) {
        pass_on_attention(tstate);
        _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
        if (!impl->c_stack_known
            || !pthread_equal(impl->c_stack_owner, pthread_self())) {
            _PyThreadState_MeasureStack(tstate);
        }
    }
    return old;
}

/* --------------------------------------------------------- public functions */

int
PyEval_ThreadsInitialized(void)
{
    return gil.ready;
}

void
PyEval_InitThreads(void)
{
}

PyThreadState *
PyEval_SaveThread(void)
{
    PyThreadState *tstate = _Py_tss_tstate;
    if (tstate == NULL) {
        Py_FatalError("the function must be called with the GIL held, but the "
                      "GIL is released (the current Python thread state is "
                      "NULL)");
    }
    _PyThreadState_Detach(tstate);
    return tstate;
}

void
PyEval_RestoreThread(PyThreadState *tstate)
{
    if (tstate == NULL) {
        Py_FatalError("the function must be called with the GIL held, but the "
                      "GIL is released (the current Python thread state is "
                      "NULL)");
    }
    _PyThreadState_Attach(tstate);
}

void
PyEval_AcquireThread(PyThreadState *tstate)
{
    if (tstate == NULL) {
        Py_FatalError("the current Python thread state is NULL");
    }
    if (_Py_tss_tstate != NULL) {
        Py_FatalError("non-NULL old thread state");
    }
    _PyThreadState_Attach(tstate);
}

void
PyEval_ReleaseThread(PyThreadState *tstate)
{
    if (tstate == NULL || _Py_tss_tstate != tstate) {
        Py_FatalError("wrong thread state");
    }
    _PyThreadState_Detach(tstate);
}

void
PyEval_AcquireLock(void)
{
    PyThreadState *tstate = _Py_tss_tstate;
    if (tstate == NULL) {
        Py_FatalError("the current Python thread state is NULL");
    }
    take(tstate);
}

void
PyEval_ReleaseLock(void)
{
    drop(_Py_tss_tstate, 0);
}

void
_PyEval_SetSwitchInterval(unsigned long microseconds)
{
    pthread_mutex_lock(&gil.mutex);     /* threads read it without the GIL */
    gil.interval_us = microseconds == 0 ? 1 : microseconds;
    pthread_mutex_unlock(&gil.mutex);
}

unsigned long
_PyEval_GetSwitchInterval(void)
{
    return gil.interval_us;
}

/* ------------------------------------------------------------ pending calls */

#define MAX_PENDING 32

static struct {
    pthread_mutex_t mutex;
    struct {
        int (*func)(void *);
        void *arg;
    } calls[MAX_PENDING];
    int first, count;
    int busy;                   /* calls are being run; this is not reentrant */
} pending = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void
_PyGIL_AfterForkChild(PyThreadState *tstate)
{
    init_words();
    pthread_mutex_init(&pending.mutex, NULL);
    gil.holder = gil.last_holder = tstate;
}

static void
wake_main(uint32_t bits)
{
    _PyThreadStateImpl *tstate = atomic_load(&_PyRuntime.main_tstate);
    if (tstate != NULL) {
        _Py_SetEvalBreaker(&tstate->base, bits);
    }
}

void
_PyEval_SignalReceived(void)
{
    wake_main(_Py_EB_SIGNALS);
}

static int
add_pending_call(int (*func)(void *), void *arg)
{
    int result = -1;
    pthread_mutex_lock(&pending.mutex);
    if (pending.count < MAX_PENDING) {
        int i = (pending.first + pending.count++) % MAX_PENDING;
        pending.calls[i].func = func;
        pending.calls[i].arg = arg;
        result = 0;
    }
    pthread_mutex_unlock(&pending.mutex);
    wake_main(_Py_EB_CALLS);
    return result;
}

int
Py_AddPendingCall(int (*func)(void *), void *arg)
{
    return add_pending_call(func, arg);
}

static int
pop_call(int (**func)(void *), void **arg)
{
    pthread_mutex_lock(&pending.mutex);
    int found = pending.count > 0;
    if (found) {
        *func = pending.calls[pending.first].func;
        *arg = pending.calls[pending.first].arg;
        pending.first = (pending.first + 1) % MAX_PENDING;
        pending.count--;
    }
    pthread_mutex_unlock(&pending.mutex);
    return found;
}

static int
may_run_calls(PyThreadState *tstate)
{
    return _Py_IsMainThread() && _Py_IsMainInterpreter(tstate->interp);
}

static int
run_pending_calls(PyThreadState *tstate)
{
    if (!may_run_calls(tstate) || pending.busy) {
        return 0;
    }
    pending.busy = 1;
    _Py_ClearEvalBreaker(tstate, _Py_EB_CALLS);
    int (*func)(void *);
    void *arg;
    /* Calls added by these calls are left for the next time. */
    for (int i = 0; i < MAX_PENDING && pop_call(&func, &arg); i++) {
        if (func(arg) != 0) {
            pending.busy = 0;
            wake_main(_Py_EB_CALLS);
            return -1;
        }
    }
    pending.busy = 0;
    return 0;
}

void
_Py_FinishPendingCalls(PyThreadState *tstate)
{
    if (pending.count > 0 && run_pending_calls(tstate) < 0) {
        PyObject *exc = _PyErr_GetRaised(tstate);
        PyErr_BadInternalCall();
        _PyErr_ChainExceptions1(exc);
        _PyErr_Print(tstate);
    }
}

int
Py_MakePendingCalls(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (may_run_calls(tstate) && _PyErr_CheckSignalsTstate(tstate) < 0) {
        return -1;
    }
    return run_pending_calls(tstate);
}

/* ----------------------------------------------------------- the safe point */

static int
handle_bits(PyThreadState *tstate)
{
    uint32_t bits = _Py_EvalBreaker(tstate);
    if (bits & _Py_EB_SIGNALS) {
        if (may_run_calls(tstate)) {
            _Py_ClearEvalBreaker(tstate, _Py_EB_SIGNALS);
            if (_PyErr_CheckSignalsTstate(tstate) < 0) {
                /* Other signals may be pending besides the one whose handler raised. */
                _Py_SetEvalBreaker(tstate, _Py_EB_SIGNALS);
                return -1;
            }
        }
        else {
            _Py_ClearEvalBreaker(tstate, _Py_EB_SIGNALS);
        }
    }
    if ((bits & _Py_EB_CALLS) && run_pending_calls(tstate) < 0) {
        return -1;
    }
    if (bits & _Py_EB_GIL_DROP) {
        _Py_ClearEvalBreaker(tstate, _Py_EB_GIL_DROP);
        set_current(NULL);
        drop(tstate, 1);
        take(tstate);
        set_current(tstate);
    }
    if ((bits & _Py_EB_TRASH) && !_Py_CStackIsShort(tstate)) {
        _Py_ClearEvalBreaker(tstate, _Py_EB_TRASH);
        _PyTrash_Empty(tstate);
    }
    if (bits & _Py_EB_ASYNC_EXC) {
        _Py_ClearEvalBreaker(tstate, _Py_EB_ASYNC_EXC);
        PyObject *exc = tstate->async_exc;
        if (exc != NULL) {
            tstate->async_exc = NULL;
            _PyErr_SetNone(tstate, exc);
            Py_DECREF(exc);
            return -1;
        }
    }
    return 0;
}

/* `wanted` is cleared before the bits are read, and set after they are: none is missed. */
int
_Py_HandlePending(PyThreadState *tstate)
{
    if (_PyGC_stress.running) {
        return 0;
    }
    __atomic_store_n(&_Py_attention.wanted, 0, __ATOMIC_SEQ_CST);
    int result = handle_bits(tstate);
    if (_PyMailbox_HasMail()) {
        if (result == 0) {
            _PyMailbox_Open(tstate);
        }
        else {
            __atomic_store_n(&_Py_attention.wanted, 1, __ATOMIC_SEQ_CST);
        }
    }
    pass_on_attention(tstate);
    if (_PyGC_IsStressed()) {
        _PyGC_StressCall(tstate);
    }
    if (_PyProbes_ObserveFrames()) {
        _PyVM_ChooseTable(tstate);
    }
    return result;
}
