/* Which threads have timers, and the handler of their signal.

   Each thread that runs Python has a Thread, made when it first attaches. Its timer counts the
   thread's processor time and signals that thread only. Threads that libraries have started
   (BLAS) are looked for now and then, by the handler of another timer, which counts the time of
   the process. Of those only the innermost function is recorded, since where their stacks end
   is not known.

   With CLOCK `wall` there are no timers but a watching thread, which looks at all threads with a
   state. It signals those that run. What sleeps is not disturbed: system calls that are
   interrupted would want the GIL in order to go on, and the program would spend its time with
   that. The watcher follows a sleeping thread's frames itself, from the evaluator on, and asks
   the kernel which function it sleeps in. As long as the thread uses no processor time, its
   stack is what it was (SAMPLES_SAME).

   The sampler may be switched on and off while the program runs. Threads that exist then get a
   Thread from the one that switches on, and find it (adopt) when the first signal comes. What a
   handler uses is given back only when none is running any more. A thread that sleeps then gets
   its frames on the stack when it wakes (vm/shown_running.c), and may sleep for long: where it
   sleeps is recorded by the one that switches on, who has the GIL. */
#include "Python.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/sampler.h"
#include "internal/vm.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int _PySampler_Signal;

#define MOST_TIMERS 4096
#define LOOK_NS 50000000u           /* between two looks at what threads there are */
#define NAME_SAMPLES 128            /* a thread may change its name */
#define NAME_SIZE 16
/* How long the same stack is one record. */
#define SAME_NS 500000000u
/* How long a thread must not have been seen to run until the kernel is asked where it sleeps. */
#define SETTLED_NS 10000000u

typedef struct Thread {
    struct Thread *next, **to_this;
    pid_t tid;
    PyThreadState *tstate;          /* the last one that was attached; may be NULL */
    int is_busy;                    /* the handler uses the state */
    StackBounds stack;
    clockid_t clock;                /* of its processor time */
    unsigned samples;
    char name[NAME_SIZE];
    size_t count;                   /* of addresses of the last stack */
    uint64_t *last, *now;
    uint64_t buffers[2][SAMPLES_MOST_FRAMES];
    PyThreadState **current;        /* its _Py_tss_tstate and _PyGIL_Waits; NULL until the thread
                                       has adopted this */
    volatile int *waits;
    int ends_by_itself;             /* the thread's own data has a destructor for it */
    /* CLOCK wall */
    int is_asked;                   /* for a sample by a signal: until that is written, the watcher
                                       leaves the stacks alone */
    uint64_t due;                   /* weight of the next sample, beside what has elapsed since */
    uint64_t used;                  /* processor time when it was looked at */
    int sleeps;                     /* since then, and the last stack is where */
    int flags;                      /* of that stack */
    SampleSame *same;
} Thread;

static _Thread_local Thread *this_thread __attribute__((tls_model("initial-exec")));

static struct {
    int is_on, wall;
    int handlers;                   /* that are running */
    unsigned number;                /* of times that it was switched on */
    uint64_t period, tick;          /* nanoseconds; tick: of the kernel's clock */
    int signal;                     /* that has our handler, also while the sampler is off */
    pthread_key_t at_end;
    pid_t pid;
    Thread *threads;                /* all, under the lock */
    Thread *looked_at;              /* by the watcher; if that one ends, the next */
    int without_owner;              /* that may not have been adopted yet */
    int lock;
    int process_timer;
    struct {
        pid_t tid;                  /* 0: unused */
        int timer, seen;
    } timers[MOST_TIMERS];
    int timer_count;                /* all that are in use are below */
} sampler;

/* ------------------------------------------------------------------ locking */

/* A thread that holds the lock must not be interrupted by the signal, whose handler only tries
   to get it. */
typedef struct {
    sigset_t before;
} Locked;

enum { FREE, TAKEN, WAITED_FOR };

static int
try_lock(void)
{
    int expected = FREE;
    return __atomic_compare_exchange_n(&sampler.lock, &expected, TAKEN, 0, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

static void
unlock(void)
{
    if (__atomic_exchange_n(&sampler.lock, FREE, __ATOMIC_RELEASE) == WAITED_FOR) {
        syscall(SYS_futex, &sampler.lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

/* Sleeps until it is free. Who calls sched_yield() instead loses his next time slice with each
   call on Linux 6.18, and does not run for seconds on a busy machine, mostly with the GIL. */
static void
lock(void)
{
    if (!try_lock()) {
        while (__atomic_exchange_n(&sampler.lock, WAITED_FOR, __ATOMIC_ACQUIRE) != FREE) {
            syscall(SYS_futex, &sampler.lock, FUTEX_WAIT_PRIVATE, WAITED_FOR, NULL, NULL, 0);
        }
    }
}

static Locked
lock_out_signal(void)
{
    Locked locked;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, sampler.signal);
    pthread_sigmask(SIG_BLOCK, &set, &locked.before);
    lock();
    return locked;
}

static void
let_signal_in(Locked *locked)
{
    unlock();
    pthread_sigmask(SIG_SETMASK, &locked->before, NULL);
}

/* ------------------------------------------------------------------- timers */

static pid_t
own_tid(void)
{
    return (pid_t)syscall(SYS_gettid);
}

/* The processor time of a thread of this process, as the kernel numbers such clocks. */
static clockid_t
clock_of(pid_t tid)
{
    enum { PER_THREAD = 4, SCHEDULED = 2 };
    return (clockid_t)((~(unsigned)tid << 3) | PER_THREAD | SCHEDULED);
}

/* As the kernel has it; the libraries' name for the last one varies. */
typedef struct {
    void *value;
    int signal, notify;
    pid_t tid;
    int unused[11];
} KernelEvent;

static struct timespec
timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

/* The timer's number, or -1. Signals have `value`. */
static int
start_timer(clockid_t clock, pid_t tid, uint64_t first, uint64_t ns, void *value)
{
    enum { TO_THREAD = 4 };
    KernelEvent event = {.value = value, .signal = sampler.signal, .notify = TO_THREAD,
                         .tid = tid};
    struct itimerspec period = {.it_value = timespec_of(first), .it_interval = timespec_of(ns)};
    int timer;
    if (syscall(SYS_timer_create, clock, &event, &timer) != 0) {
        return -1;
    }
    syscall(SYS_timer_settime, timer, 0, &period, NULL);
    return timer;
}

/* Timers expire when the kernel's clock ticks. One that counted its first period from the beginning
   of the thread would never see a thread that lives for less. So each tick may be the first one
   that counts, and has the weight of a whole one: what a thread has not run before that tick stands
   for what it will run after its last. */
static uint64_t
first_expiry(void)
{
    uint64_t at = _PySamples_Now() % sampler.period;
    return 1 + at - at % sampler.tick;
}

static void
add_timer(pid_t tid)
{
    int at = 0;
    for (int i = sampler.timer_count - 1; i >= 0; i--) {
        if (sampler.timers[i].tid == tid) {
            sampler.timers[i].seen = 1;
            return;
        }
        at = sampler.timers[i].tid == 0 ? i : at;
    }
    if (sampler.timer_count == 0 || sampler.timers[at].tid != 0) {
        if (sampler.timer_count == MOST_TIMERS) {
            return;
        }
        at = sampler.timer_count++;
        sampler.timers[at].tid = 0;
    }
    int timer = start_timer(clock_of(tid), tid, first_expiry(), sampler.period, &sampler);
    if (timer >= 0) {
        sampler.timers[at].tid = tid;
        sampler.timers[at].timer = timer;
        sampler.timers[at].seen = 1;
    }
}

static void
remove_timer(int i)
{
    if (sampler.timers[i].tid != 0) {
        syscall(SYS_timer_delete, sampler.timers[i].timer);
        sampler.timers[i].tid = 0;
    }
    while (sampler.timer_count > 0 && sampler.timers[sampler.timer_count - 1].tid == 0) {
        sampler.timer_count--;
    }
}

static void
remove_timer_of(pid_t tid)
{
    for (int i = 0; i < sampler.timer_count; i++) {
        if (sampler.timers[i].tid == tid) {
            remove_timer(i);
            return;
        }
    }
}

/* Gives timers to threads that have none, and takes those of threads that have ended. In the
   handler: the system's own calls only. */
static void
look_for_threads(void)
{
    struct entry {
        uint64_t inode, next;
        unsigned short size;
        unsigned char type;
        char name[];
    };
    _Alignas(struct entry) char buffer[2048];
    int fd = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    for (int i = 0; i < sampler.timer_count; i++) {
        sampler.timers[i].seen = 0;
    }
    long size;
    while ((size = syscall(SYS_getdents64, fd, buffer, sizeof(buffer))) > 0) {
        for (long at = 0; at < size; at += ((struct entry *)(buffer + at))->size) {
            pid_t tid = 0;
            for (const char *c = ((struct entry *)(buffer + at))->name; *c >= '0' && *c <= '9';
                 c++) {
                tid = tid * 10 + (*c - '0');
            }
            if (tid != 0) {
                add_timer(tid);
            }
        }
    }
    close(fd);
    for (int i = sampler.timer_count - 1; i >= 0 && size == 0; i--) {
        if (i < sampler.timer_count && !sampler.timers[i].seen) {
            remove_timer(i);
        }
    }
}

/* ------------------------------------------------------------------ handler */

static void
write_name(Thread *t, uint64_t time)
{
    char name[NAME_SIZE] = "";
    prctl(PR_GET_NAME, name);
    if (memcmp(name, t->name, NAME_SIZE) != 0) {
        SampleHead *record = _PySamples_Begin(SAMPLES_NAME, sizeof(*record) + NAME_SIZE, t->tid,
                                              time);
        if (record != NULL) {
            memcpy(record + 1, name, NAME_SIZE);
            memcpy(t->name, name, NAME_SIZE);
            _PySamples_End(record, 0);
        }
    }
}

/* The new stack is in t->now. Its outermost addresses are mostly those of the last one. */
static void
write_stack(Thread *t, size_t count, uint64_t time, uint64_t weight, int flags)
{
    size_t shared = 0, most = Py_MIN(count, t->count);
    while (shared < most && t->now[count - 1 - shared] == t->last[t->count - 1 - shared]) {
        shared++;
    }
    size_t own = count - shared;
    SampleStack *record = _PySamples_Begin(SAMPLES_STACK, sizeof(*record) + own * 8, t->tid,
                                           time);
    if (record == NULL) {
        t->count = 0;
        return;
    }
    record->weight = weight;
    record->shared = (uint32_t)shared;
    record->count = (uint32_t)own;
    memcpy(record->addresses, t->now, own * 8);
    _PySamples_End(&record->head, flags);
    uint64_t *last = t->last;
    t->last = t->now;
    t->now = last;
    t->count = count;
}

static uint64_t
used_by(clockid_t clock)
{
    struct timespec t = {0, 0};
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void
sample(Thread *t, SampledRegisters registers, uint64_t weight, uint64_t time)
{
    __atomic_store_n(&t->is_busy, 1, __ATOMIC_SEQ_CST);
    PyThreadState *tstate = t->current != NULL ? *t->current : NULL;
    t->flags = tstate != NULL ? SAMPLES_HOLDS_GIL
               : t->waits != NULL && *t->waits ? SAMPLES_WAITS_FOR_GIL : 0;
    if (tstate == NULL) {
        tstate = __atomic_load_n(&t->tstate, __ATOMIC_SEQ_CST);
    }
    size_t count = _PySampler_Walk(registers, &t->stack, tstate, t->now, SAMPLES_MOST_FRAMES);
    __atomic_store_n(&t->is_busy, 0, __ATOMIC_SEQ_CST);
    write_stack(t, count, time, weight,
                t->flags | (count == SAMPLES_MOST_FRAMES ? SAMPLES_CUT : 0));
}

static void
sample_this(Thread *t, const void *context, uint64_t weight, uint64_t time)
{
    if (t->samples++ % NAME_SAMPLES == 0) {
        write_name(t, time);
    }
    sample(t, _PySampler_RegistersOf(context), weight, time);
}

/* A thread of which only the interrupted function is known. */
static void
sample_foreign(const void *context, uint64_t weight, uint64_t time)
{
    static const StackBounds none;
    SampleStack *record = _PySamples_Begin(SAMPLES_STACK, sizeof(*record) + 8, own_tid(), time);
    if (record != NULL) {
        record->weight = weight;
        record->shared = 0;
        record->count = (uint32_t)_PySampler_Walk(_PySampler_RegistersOf(context), &none, NULL,
                                                   record->addresses, 1);
        _PySamples_End(&record->head, 0);
    }
}

static void
adopt(Thread *t)
{
    this_thread = t;
    t->current = &_Py_tss_tstate;
    t->waits = &_PyGIL_Waits;
}

/* Under the lock. */
static Thread *
thread_of(pid_t tid)
{
    Thread *t = sampler.threads;
    while (t != NULL && t->tid != tid) {
        t = t->next;
    }
    return t;
}

/* In the handler. The Thread that was made for this thread by another one, or NULL. */
static Thread *
find_own(void)
{
    if (sampler.without_owner == 0 || !try_lock()) {
        return NULL;
    }
    Thread *t = thread_of(own_tid());
    if (t != NULL) {
        adopt(t);
    }
    unlock();
    return t;
}

static void
take_sample(siginfo_t *info, void *context)
{
    uint64_t time = _PySamples_Now();
    Thread *t = this_thread != NULL ? this_thread : find_own();
    if (sampler.wall) {
        if (t != NULL && __atomic_load_n(&t->is_asked, __ATOMIC_ACQUIRE)) {
            sample_this(t, context, __atomic_exchange_n(&t->due, 0, __ATOMIC_RELAXED), time);
            __atomic_store_n(&t->is_asked, 0, __ATOMIC_RELEASE);
        }
    }
    else if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &sampler) {
        uint64_t weight = sampler.period * (uint64_t)(1 + Py_MAX(info->si_overrun, 0));
        if (t != NULL) {
            if (t->samples == 0) {
                weight = Py_MAX(weight, sampler.tick);
            }
            sample_this(t, context, weight, time);
        }
        else {
            sample_foreign(context, weight, time);
        }
    }
    else if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &sampler.timers
             && try_lock()) {
        look_for_threads();
        unlock();
    }
}

static void
handle(int Py_UNUSED(number), siginfo_t *info, void *context)
{
    int saved_errno = errno;
    __atomic_fetch_add(&sampler.handlers, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&sampler.is_on, __ATOMIC_SEQ_CST)) {
        take_sample(info, context);
    }
    __atomic_fetch_sub(&sampler.handlers, 1, __ATOMIC_SEQ_CST);
    errno = saved_errno;
}

/* ----------------------------------------------------------------- watching */

static void
extend_same(Thread *t, uint64_t time, uint64_t weight)
{
    if (t->same == NULL || t->same->weight >= SAME_NS) {
        SampleSame *record = _PySamples_Begin(SAMPLES_SAME, sizeof(*record), t->tid, time);
        if (record == NULL) {
            return;
        }
        record->weight = 0;
        t->same = record;
        _PySamples_End(&record->head, t->flags);
    }
    t->same->weight += weight;
}

/* Where a thread sleeps, as the kernel tells: 1; 0: it runs; -1: the kernel doesn't say. */
static int
where_it_sleeps(pid_t tid, SampledRegisters *registers)
{
    char path[64], text[256];
    snprintf(path, sizeof(path), "/proc/self/task/%ld/syscall", (long)tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    ssize_t size = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (size <= 0) {
        return -1;
    }
    text[size] = '\0';
    if (text[0] == 'r') {
        return 0;                       /* "running" */
    }
    /* Number and arguments, then the stack pointer and the program counter. */
    char *pc = strrchr(text, ' ');
    if (pc == NULL) {
        return -1;
    }
    *pc = '\0';
    char *sp = strrchr(text, ' ');
    if (sp == NULL) {
        return -1;
    }
    *registers = (SampledRegisters){.pc = strtoul(pc + 1, NULL, 16),
                                    .sp = strtoul(sp + 1, NULL, 16)};
    return 1;
}

/* Under the lock: whether the sampler has not been switched off since this watcher began. */
static int
still_watches(unsigned number)
{
    return sampler.is_on && sampler.number == number;
}

static void
ask(Thread *t, uint64_t weight)
{
    t->same = NULL;
    t->sleeps = 0;
    __atomic_store_n(&t->due, weight, __ATOMIC_RELAXED);
    __atomic_store_n(&t->is_asked, 1, __ATOMIC_RELEASE);
    syscall(SYS_tgkill, sampler.pid, t->tid, sampler.signal);
}

/* Where a thread sleeps the kernel tells when that is off its processor, and waits for it if need
   be: milliseconds where many want to run, seconds if the thread tidies up after a child there.
   So threads that run, or did a moment ago, are not asked about, but for those that wait for the
   GIL, and the lock is left meanwhile: who starts or ends a thread waits for it, some with the
   GIL. */
static void
look_at(Thread *t, unsigned number, uint64_t time, uint64_t elapsed)
{
    if (__atomic_load_n(&t->is_asked, __ATOMIC_ACQUIRE)) {
        __atomic_fetch_add(&t->due, elapsed, __ATOMIC_RELAXED);
        return;
    }
    elapsed += __atomic_exchange_n(&t->due, 0, __ATOMIC_RELAXED);
    pid_t tid = t->tid;
    clockid_t clock = t->clock;
    uint64_t used = used_by(clock);
    if (t->sleeps && used == t->used) {
        extend_same(t, time, elapsed);
        return;
    }
    if (used_by(clock) != used) {
        ask(t, elapsed);                /* it runs just now */
        return;
    }
    if (elapsed < SETTLED_NS && t->waits != NULL && !*t->waits) {
        __atomic_store_n(&t->due, elapsed, __ATOMIC_RELAXED);
        return;
    }
    SampledRegisters registers;
    unlock();
    int sleeps = where_it_sleeps(tid, &registers) == 1 && used_by(clock) == used;
    lock();
    if (!still_watches(number) || sampler.looked_at != t) {
        return;                         /* it has ended, or all is switched off */
    }
    if (!sleeps) {
        ask(t, elapsed);
        return;
    }
    t->same = NULL;
    t->used = used;
    t->sleeps = 1;
    sample(t, registers, elapsed, time);
    /* If it has woken meanwhile, the next look finds out. */
}

static void
record_sleeper(Thread *t)
{
    SampledRegisters registers;
    t->used = used_by(t->clock);
    if (where_it_sleeps(t->tid, &registers) == 1) {
        t->now[0] = registers.pc;
        size_t n = 1 + _PyVM_LandingsOfWaiting(t->tstate, t->now + 1, SAMPLES_MOST_FRAMES - 1);
        if (n > 1 && used_by(t->clock) == t->used) {
            write_stack(t, n, _PySamples_Now(), 0, 0);
            t->flags = 0;
            t->sleeps = 1;
        }
    }
}

static void *
watch(void *times)
{
    unsigned number = (unsigned)(uintptr_t)times;
    uint64_t last = _PySamples_Now();
    for (int is_on = 1; is_on;) {
        struct timespec period = timespec_of(sampler.period);
        nanosleep(&period, NULL);
        Locked locked = lock_out_signal();
        uint64_t now = _PySamples_Now();
        is_on = still_watches(number);
        Thread *t = is_on ? sampler.looked_at = sampler.threads : NULL;
        while (t != NULL) {
            look_at(t, number, now, now - last);
            is_on = still_watches(number);
            if (is_on && sampler.looked_at == t) {
                sampler.looked_at = t->next;
            }
            t = is_on ? sampler.looked_at : NULL;
        }
        last = now;
        let_signal_in(&locked);
    }
    return NULL;
}

/* ------------------------------------------------------------------ threads */

static void
link_thread(Thread *t)
{
    t->to_this = &sampler.threads;
    t->next = sampler.threads;
    if (t->next != NULL) {
        t->next->to_this = &t->next;
    }
    sampler.threads = t;
}

static void
unlink_thread(Thread *t)
{
    if (sampler.looked_at == t) {
        sampler.looked_at = t->next;
    }
    *t->to_this = t->next;
    if (t->next != NULL) {
        t->next->to_this = t->to_this;
    }
}

/* Of the thread that calls, or of one that has ended. */
static void
free_thread(Thread *t)
{
    remove_timer_of(t->tid);
    unlink_thread(t);
    if (this_thread == t) {
        this_thread = NULL;
    }
    munmap(t, sizeof(*t));
}

/* A destructor of the thread's own data. */
static void
end_thread(void *thread)
{
    Locked locked = lock_out_signal();
    free_thread(thread);
    let_signal_in(&locked);
}

static void
tell_stack(Thread *t, const _PyThreadStateImpl *impl)
{
    t->stack = (StackBounds){impl->c_stack_bottom, impl->c_stack_top};
}

static Thread *
new_thread(pid_t tid, const _PyThreadStateImpl *impl)
{
    Thread *t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                     0);
    if (t == MAP_FAILED) {
        return NULL;
    }
    t->tid = tid;
    t->clock = clock_of(tid);
    tell_stack(t, impl);
    t->last = t->buffers[0];
    t->now = t->buffers[1];
    return t;
}

static void
begin_thread(const _PyThreadStateImpl *impl)
{
    Locked locked = lock_out_signal();
    Thread *t = thread_of(own_tid());
    if (t == NULL && (t = new_thread(own_tid(), impl)) != NULL) {
        link_thread(t);
        if (!sampler.wall) {
            add_timer(t->tid);
        }
    }
    if (t != NULL) {
        tell_stack(t, impl);        /* an earlier thread may have had this number */
        adopt(t);
    }
    let_signal_in(&locked);
    if (t != NULL) {
        t->ends_by_itself = pthread_setspecific(sampler.at_end, t) == 0;
    }
}

void
_PySampler_AddThread(PyThreadState *tstate)
{
    if (!sampler.is_on) {
        return;
    }
    if (this_thread == NULL) {
        begin_thread(_PyThreadState_IMPL(tstate));
    }
    /* Threads that block all signals don't mean a profiler's. */
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, sampler.signal);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    if (this_thread != NULL) {
        __atomic_store_n(&this_thread->tstate, tstate, __ATOMIC_SEQ_CST);
    }
}

/* Returns when no handler uses it. */
void
_PySampler_ForgetState(PyThreadState *tstate)
{
    if (sampler.threads == NULL) {
        return;
    }
    Locked locked = lock_out_signal();
    for (Thread *next, *t = sampler.threads; t != NULL; t = next) {
        next = t->next;
        if (t->tstate != tstate) {
            continue;
        }
        __atomic_store_n(&t->tstate, NULL, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&t->is_busy, __ATOMIC_SEQ_CST)) {
            nanosleep(&(struct timespec){0, 20000}, NULL);
        }
        /* Nobody says when such a thread ends, and that may be now. */
        if (!t->ends_by_itself && t == this_thread) {
            free_thread(t);
        }
    }
    let_signal_in(&locked);
}

/* What an earlier recording has left in it is of no use. */
static void
renew(Thread *t)
{
    t->count = 0;
    t->samples = 0;
    memset(t->name, 0, NAME_SIZE);
    t->is_asked = 0;
    t->due = 0;
    t->sleeps = 0;
    t->same = NULL;
}

/* All threads that have a state. Their handlers don't run yet. */
static void
add_all_threads(void)
{
    for (Thread *t = sampler.threads; t != NULL; t = t->next) {
        renew(t);
        t->tstate = NULL;
    }
    for (PyInterpreterState *i = PyInterpreterState_Head(); i != NULL;
         i = PyInterpreterState_Next(i)) {
        for (PyThreadState *ts = PyInterpreterState_ThreadHead(i); ts != NULL;
             ts = PyThreadState_Next(ts)) {
            const _PyThreadStateImpl *impl = _PyThreadState_IMPL(ts);
            pid_t tid = (pid_t)ts->native_thread_id;
            Thread *t = thread_of(tid);
            if (t == NULL && impl->c_stack_known && (t = new_thread(tid, impl)) != NULL) {
                link_thread(t);
                sampler.without_owner = 1;
            }
            if (t != NULL && t->tstate == NULL) {
                t->tstate = ts;
            }
        }
    }
}

/* ---------------------------------------------------------------- processes */

static void
tell_process(void)
{
    SampleHead *record = _PySamples_Begin(SAMPLES_PROCESS, sizeof(*record) + 8, own_tid(),
                                          _PySamples_Now());
    if (record != NULL) {
        *(uint64_t *)(record + 1) = (uint64_t)getppid();
        _PySamples_End(record, 0);
    }
}

void
_PySampler_TellMaps(void)
{
    if (!sampler.is_on) {
        return;
    }
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        return;
    }
    char *line = NULL, *text = NULL;
    size_t room = 0, size = 0, length;
    FILE *wanted = open_memstream(&text, &size);
    ssize_t n;
    while (wanted != NULL && (n = getline(&line, &room, maps)) > 0) {
        const char *space = strchr(line, ' ');
        if (space != NULL && (size_t)n > 4 && space[3] == 'x' && strpbrk(space, "/[") != NULL) {
            fputs(line, wanted);
        }
    }
    if (wanted != NULL) {
        fclose(wanted);
    }
    fclose(maps);
    free(line);
    length = sizeof(SampleHead) + size;
    SampleHead *record = text == NULL ? NULL
        : _PySamples_Begin(SAMPLES_MAPS, length, own_tid(), _PySamples_Now());
    if (record != NULL) {
        memcpy(record + 1, text, size);
        _PySamples_End(record, 0);
    }
    free(text);
}

/* What the whole process needs besides the timer of this thread. */
static void
begin_process(void)
{
    tell_process();
    if (sampler.wall) {
        (void)_PyThread_StartAside(watch, (void *)(uintptr_t)sampler.number);
    }
    else {
        /* To the main thread, since others may end. */
        sampler.process_timer = start_timer(CLOCK_PROCESS_CPUTIME_ID, sampler.pid, LOOK_NS,
                                            LOOK_NS, &sampler.timers);
    }
}

/* Only the thread that forked is left, and timers are not inherited. */
static void
in_forked_child(void)
{
    sampler.lock = FREE;
    sampler.handlers = 0;
    sampler.pid = getpid();
    sampler.timer_count = 0;
    sampler.threads = NULL;
    sampler.looked_at = NULL;
    Thread *t = this_thread;
    if (t != NULL) {
        t->tid = own_tid();
        t->clock = clock_of(t->tid);
        renew(t);
        link_thread(t);
    }
    if (!sampler.is_on) {
        return;
    }
    begin_process();
    if (t != NULL && !sampler.wall) {
        add_timer(t->tid);
    }
    if (t == NULL && _Py_tss_tstate != NULL) {
        _PySampler_AddThread(_Py_tss_tstate);
    }
}

/* Takes a signal that the program leaves alone. 0, or an error number. */
static int
take_signal(void)
{
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    struct sigaction before;
    sigfillset(&action.sa_mask);
    if (sampler.signal != 0 && sigaction(sampler.signal, NULL, &before) == 0
        && (before.sa_flags & SA_SIGINFO) && before.sa_sigaction == handle) {
        return 0;
    }
    /* Not the first ones, which programs take, nor the last, which valgrind takes. */
    for (int number = SIGRTMAX - 3; number >= SIGRTMIN; number--) {
        if (sigaction(number, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO)
            && before.sa_handler == SIG_DFL) {
            sampler.signal = number;
            return sigaction(number, &action, NULL) == 0 ? 0 : errno;
        }
    }
    return EBUSY;
}

/* What is done once in a process. 0, or an error number. */
static int
prepare(void)
{
    static int is_prepared;
    if (is_prepared) {
        return 0;
    }
    int error = pthread_key_create(&sampler.at_end, end_thread);
    if (error == 0) {
        error = pthread_atfork(NULL, NULL, in_forked_child);
        is_prepared = error == 0;
    }
    return error;
}

/* "HZ:cpu:FOLDER": the folder, or NULL. */
static const char *
parse(const char *text, unsigned *frequency, int *wall)
{
    char *end;
    unsigned long hz = strtoul(text, &end, 10);
    if (hz < 1 || hz > 20000 || end[0] != ':') {
        return NULL;
    }
    *frequency = (unsigned)hz;
    *wall = strncmp(end, ":wall:", 6) == 0;
    return *wall ? end + 6 : strncmp(end, ":cpu:", 5) == 0 ? end + 5 : NULL;
}

static uint64_t
length_of_tick(void)
{
    struct timespec tick;
    return clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 && tick.tv_nsec > 0
           ? (uint64_t)tick.tv_nsec : 1000000u;
}

int
_PySampler_Start(const char *wanted)
{
    unsigned frequency;
    int wall;
    const char *folder = parse(wanted, &frequency, &wall);
    if (folder == NULL) {
        return EINVAL;
    }
    if (sampler.is_on) {
        return EALREADY;
    }
    int error = prepare();
    if (error != 0 || (error = take_signal()) != 0) {
        return error;
    }
    if (_PySamples_Open(folder, frequency, wall) < 0) {
        return errno;
    }
    _PyPerf_FindOwnText();
    Locked locked = lock_out_signal();
    _PySampler_Signal = sampler.signal;
    _PyVM_AddRunning = _PySampler_AddThread;
    sampler.wall = wall;
    sampler.period = 1000000000u / frequency;
    sampler.tick = length_of_tick();
    sampler.pid = getpid();
    sampler.number++;
    add_all_threads();
    PyThreadState *own = _PyThreadState_GET();
    for (Thread *t = sampler.threads; t != NULL && wall; t = t->next) {
        if (t->tstate != NULL && t->tstate != own) {
            record_sleeper(t);
        }
    }
    __atomic_store_n(&sampler.is_on, 1, __ATOMIC_SEQ_CST);
    for (const Thread *t = sampler.threads; t != NULL && !wall; t = t->next) {
        add_timer(t->tid);
    }
    let_signal_in(&locked);
    begin_process();
    _PySampler_TellMaps();
    _PySampler_AddThread(_PyThreadState_GET());
    return 0;
}

/* Nobody would say when their threads end. */
static void
free_unadopted(void)
{
    Locked locked = lock_out_signal();
    for (Thread *next, *t = sampler.threads; t != NULL; t = next) {
        next = t->next;
        if (t->current == NULL) {
            free_thread(t);
        }
    }
    sampler.without_owner = 0;
    let_signal_in(&locked);
}

/* Whether all handlers have come to their end: one may be kept from it by a debugger. */
static int
no_handler_runs(void)
{
    for (int tries = 0; tries < 1000; tries++) {
        if (__atomic_load_n(&sampler.handlers, __ATOMIC_SEQ_CST) == 0) {
            return 1;
        }
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return 0;
}

void
_PySampler_Stop(void)
{
    if (!sampler.is_on) {
        return;
    }
    _PySampler_TellMaps();
    Locked locked = lock_out_signal();
    __atomic_store_n(&sampler.is_on, 0, __ATOMIC_SEQ_CST);
    if (!sampler.wall && sampler.process_timer >= 0) {
        syscall(SYS_timer_delete, sampler.process_timer);
    }
    while (sampler.timer_count > 0) {
        remove_timer(sampler.timer_count - 1);
    }
    let_signal_in(&locked);
    _PySampler_Signal = 0;
    int nobody_writes = no_handler_runs();
    _PySamples_Close(nobody_writes);
    if (nobody_writes) {
        free_unadopted();
    }
}

unsigned
_PySampler_Frequency(void)
{
    return sampler.is_on ? (unsigned)(1000000000u / sampler.period) : 0;
}

void
_PySampler_StartAsVariableSays(void)
{
    const char *wanted = secure_getenv("SPRINGBOARD_SAMPLES");
    if (wanted == NULL || sampler.is_on) {
        return;
    }
    int error = _PySampler_Start(wanted);
    /* A daemon may execute Pythons when springprof and its folder are gone. */
    if (error != 0 && error != ENOENT && error != EACCES) {
        fprintf(stderr, "SPRINGBOARD_SAMPLES=%s: %s\n", wanted, strerror(error));
    }
}
