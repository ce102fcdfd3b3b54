/* What a tool asks for through the mailbox (internal/mailbox.h).

   The lease is watched by a thread of its own, which exists only while a tool has switched
   something on, runs no Python and takes no signals. It wakes once per lease. If the tool has not
   counted `beat` up since, it calls for a thread at a safe point, which switches off. A forked
   child inherits what is on and the rest of the lease, but not that thread, so it starts one when
   it first runs Python. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/mailbox.h"
#include "internal/options.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---------------------------------------------------------------- the lease */

enum { LEASE_LEAST_MS = 200, LEASE_MOST_MS = 600000 };

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned number;            /* of the lease; a thread that watches another one ends */
    uint32_t ms;
    int is_watched, has_run_out;
} lease = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void
look(void)
{
    _PyMailbox_wants_look = 1;
    __atomic_store_n(&_Py_attention.wanted, 1, __ATOMIC_SEQ_CST);
}

static struct timespec
lease_end(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)(lease.ms / 1000);
    t.tv_nsec += (long)(lease.ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

static void *
watch(void *arg)
{
    unsigned mine = (unsigned)(uintptr_t)arg;
    pthread_mutex_lock(&lease.mutex);
    uint32_t beat = _Py_mailbox.beat - 1;
    while (lease.number == mine) {
        uint32_t now = __atomic_load_n(&_Py_mailbox.beat, __ATOMIC_RELAXED);
        if (now == beat) {
            lease.has_run_out = 1;
            look();
            break;
        }
        beat = now;
        struct timespec end = lease_end();
        while (lease.number == mine
               && pthread_cond_timedwait(&lease.changed, &lease.mutex, &end) != ETIMEDOUT) {
        }
    }
    pthread_mutex_unlock(&lease.mutex);
    return NULL;
}

static void
init_lease(void)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&lease.mutex, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&lease.changed, &attr);
    pthread_condattr_destroy(&attr);
    lease.is_watched = 0;
}

/* The watching thread has not come along. Async-signal-safe but for pthread_cond_init(). */
static void
in_forked_child(void)
{
    _Py_mailbox.pid = (uint32_t)getpid();
    if (lease.is_watched) {
        init_lease();
        look();
    }
}

/* 0, or an error number. */
static int
begin_lease(uint32_t ms)
{
    static int watches_fork;
    if (!watches_fork) {
        init_lease();
        int error = pthread_atfork(NULL, NULL, in_forked_child);
        if (error != 0) {
            return error;
        }
        watches_fork = 1;
    }
    pthread_mutex_lock(&lease.mutex);
    lease.ms = ms < LEASE_LEAST_MS ? LEASE_LEAST_MS : ms > LEASE_MOST_MS ? LEASE_MOST_MS : ms;
    lease.has_run_out = 0;
    unsigned number = ++lease.number;
    pthread_cond_broadcast(&lease.changed);
    int error = _PyThread_StartAside(watch, (void *)(uintptr_t)number);
    lease.is_watched = error == 0;
    pthread_mutex_unlock(&lease.mutex);
    return error;
}

static void
end_lease(void)
{
    if (lease.is_watched) {
        pthread_mutex_lock(&lease.mutex);
        lease.number++;
        lease.is_watched = 0;
        pthread_cond_broadcast(&lease.changed);
        pthread_mutex_unlock(&lease.mutex);
    }
}

/* -------------------------------------------------------------- what is on */

void
_PyPerf_TellMailbox(void)
{
    _Py_mailbox.by = 0;
    _Py_mailbox.active = 0;
    _Py_mailbox.sampling = _PySampler_Frequency();
    if (_PyPerf.backend != NULL) {
        for (PyInterpreterState *i = PyInterpreterState_Head(); i != NULL;
             i = PyInterpreterState_Next(i)) {
            _Py_mailbox.by |= (uint32_t)i->shown_by;
        }
        _Py_mailbox.active = (uint32_t)_PyPerf_ModeOf(_PyPerf.backend) / 2
                             + (_PyPerf.lines ? 256 : 0);
    }
}

static int tool_samples;            /* a tool has switched the sampler on */

static void
stop_sampling(void)
{
    if (tool_samples) {
        tool_samples = 0;
        _PySampler_Stop();
    }
}

static void
switch_off(void)
{
    stop_sampling();
    for (PyInterpreterState *i = PyInterpreterState_Head(); i != NULL;
         i = PyInterpreterState_Next(i)) {
        if (i->shown_by == SHOWN_BY_TOOL) {
            _PyPerf_Deactivate(i);
        }
        i->shown_by &= ~SHOWN_BY_TOOL;
    }
    _PyPerf_TellMailbox();
    end_lease();
}

static uint32_t
say(uint32_t status, const char *text)
{
    snprintf(_Py_mailbox.text, MAILBOX_TEXT, "%s", text);
    return status;
}

static uint32_t
failed(const char *what, int error)
{
    _Py_mailbox.error = (uint32_t)error;
    return say(MAILBOX_FAILED, what);
}

static uint32_t
show_all(size_t index, int lines)
{
    for (PyInterpreterState *i = PyInterpreterState_Head(); i != NULL;
         i = PyInterpreterState_Next(i)) {
        if (i->finalizing || i->retired || !i->initialized) {
            continue;
        }
        if (i->shown_hook == NULL) {
            int result = _PyPerf_Activate(i, index, lines);
            if (result < 0) {
                return failed(_PyPerf_RefusedBy(result, index), errno);
            }
        }
        i->shown_by |= SHOWN_BY_TOOL;
    }
    return MAILBOX_OK;
}

static uint32_t
switch_on(size_t index, int lines)
{
    if (_PyPerf_BackendCount == 0) {
        return failed("this machine", ENOSYS);
    }
    const _PyPerf_Backend *wanted = _PyPerf_Backends[index], *active = _PyPerf.backend;
    lines |= wanted->always_lines;
    if (active != NULL && (active != wanted || lines != _PyPerf.lines)) {
        if (_PyPerf_IsClaimed()) {
            return say(MAILBOX_BUSY, active->name);
        }
        switch_off();
    }
    int error = begin_lease(_Py_mailbox.lease_ms);
    if (error != 0) {
        return failed("a thread that watches the lease", error);
    }
    uint32_t status = show_all(index, lines);
    if (status != MAILBOX_OK) {
        switch_off();
    }
    return status;
}

static uint32_t
switch_on_sampler(const char *wanted, int lines)
{
    stop_sampling();                /* a tool's that was killed */
    if (_PySampler_Frequency() != 0) {
        return say(MAILBOX_BUSY, "the sampler");
    }
    uint32_t status = switch_on(0, lines);
    if (status != MAILBOX_OK) {
        return status;
    }
    int error = _PySampler_Start(wanted);
    if (error != 0) {
        switch_off();
        return failed(wanted, error);
    }
    tool_samples = 1;
    return MAILBOX_OK;
}

/* ----------------------------------------------------------------- requests */

static const char *const command_names[] = {
    [MAILBOX_NOTHING] = "nothing",
    [MAILBOX_PERF] = "perf",
    [MAILBOX_PERF_LINES] = "perf_lines",
    [MAILBOX_PERF_JIT] = "perf_jit",
    [MAILBOX_OFF] = "off",
    [MAILBOX_SAMPLES] = "samples",
    [MAILBOX_SAMPLES_LINES] = "samples_lines",
};

/* An audit hook may refuse. What it raises is not the program's. */
static int
is_refused(PyThreadState *ts, const char *name)
{
    if (PySys_Audit("springprof.attach", "s", name) == 0) {
        return 0;
    }
    PyObject *exc = _PyErr_GetRaised(ts);
    say(MAILBOX_REFUSED, exc != NULL ? Py_TYPE(exc)->tp_name : "");
    Py_XDECREF(exc);
    return 1;
}

static uint32_t
answer(PyThreadState *ts, uint32_t command)
{
    char wanted[MAILBOX_TEXT];
    snprintf(wanted, sizeof(wanted), "%.*s", MAILBOX_TEXT - 1, _Py_mailbox.text);
    _Py_mailbox.error = 0;
    _Py_mailbox.text[0] = '\0';
    if (command >= Py_ARRAY_LENGTH(command_names)) {
        return MAILBOX_UNKNOWN;
    }
    if (command == MAILBOX_NOTHING) {
        return MAILBOX_OK;
    }
    if (is_refused(ts, command_names[command])) {
        return MAILBOX_REFUSED;
    }
    switch (command) {
    case MAILBOX_PERF:
        return switch_on(0, 0);
    case MAILBOX_PERF_LINES:
        return switch_on(0, 1);
    case MAILBOX_PERF_JIT:
        return switch_on(1, 1);
    case MAILBOX_SAMPLES:
        return switch_on_sampler(wanted, 0);
    case MAILBOX_SAMPLES_LINES:
        return switch_on_sampler(wanted, 1);
    default:
        switch_off();
        return MAILBOX_OK;
    }
}

static void
look_at_lease(void)
{
    if (lease.has_run_out) {
        lease.has_run_out = 0;
        switch_off();
        _Py_mailbox.leases++;
    }
    else if ((_Py_mailbox.by & SHOWN_BY_TOOL) && !lease.is_watched
             && begin_lease(lease.ms) != 0) {
        switch_off();
    }
}

void
_PyMailbox_Open(PyThreadState *ts)
{
    static int is_open;         /* audit hooks run Python, which comes here again */
    if (!_Py_IsMainInterpreter(ts->interp)) {
        for (PyThreadState *t = PyInterpreterState_ThreadHead(_PyRuntime.interp_main);
             t != NULL; t = PyThreadState_Next(t)) {
            _Py_SetEvalBreaker(t, _Py_EB_MAIL);
        }
        return;
    }
    _Py_ClearEvalBreaker(ts, _Py_EB_MAIL);
    if (is_open || _Py_mailbox.state != MAILBOX_OPEN || _Py_IsFinalizing()) {
        return;
    }
    is_open = 1;
    if (_PyMailbox_wants_look) {
        _PyMailbox_wants_look = 0;
        look_at_lease();
    }
    uint64_t request = __atomic_load_n(&_Py_mailbox.request, __ATOMIC_ACQUIRE);
    if ((uint32_t)request != (uint32_t)_Py_mailbox.reply) {
        uint64_t status = answer(ts, (uint32_t)(request >> 32));
        _PyPerf_TellMailbox();
        __atomic_store_n(&_Py_mailbox.reply, (uint32_t)request | status << 32,
                         __ATOMIC_RELEASE);
    }
    is_open = 0;
    if (_PyMailbox_HasMail()) {
        __atomic_store_n(&_Py_attention.wanted, 1, __ATOMIC_SEQ_CST);
    }
}

/* ------------------------------------------------------ start-up, shut-down */

void
_PyPerf_OpenMailbox(const PyConfig *config)
{
    const wchar_t *option = _PyConfig_XOption(config, L"perf_attach");
    const char *variable = _PyConfig_Getenv(config, "PYTHON_PERF_ATTACH");
    int refuses = option != NULL ? wcscmp(option, L"0") == 0
                                 : variable != NULL && strcmp(variable, "0") == 0;
    _Py_mailbox.pid = (uint32_t)getpid();
    _Py_mailbox.state = refuses ? MAILBOX_REFUSES : MAILBOX_OPEN;
}

void
_PyPerf_CloseMailbox(void)
{
    _Py_mailbox.state = MAILBOX_CLOSED;
    end_lease();
}
