/* PyThread_*: threads, locks and thread-specific storage for C code, built on POSIX
   threads. None of it needs the GIL or a thread state.

   A lock is a semaphore of 0 (locked) or 1, because any thread may release it. */
#include "Python.h"
#include "internal/pystate.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The smallest stack size that _thread.stack_size() accepts. */
#define MIN_STACK 0x8000

void
PyThread_init_thread(void)
{
}

/* ------------------------------------------------------------------ threads */

struct start {
    void (*func)(void *);
    void *arg;
};

static void *
run(void *boot)
{
    struct start start = *(struct start *)boot;
    PyMem_RawFree(boot);
    start.func(start.arg);
    return NULL;
}

static size_t
wanted_stack_size(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    return tstate == NULL ? 0 : tstate->interp->threads_stacksize;
}

#define ASIDE_STACK ((size_t)64 << 10)

int
_PyThread_StartAside(void *(*function)(void *), void *arg)
{
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, ASIDE_STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &attr, function, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return error;
}

unsigned long
PyThread_start_new_thread(void (*func)(void *), void *arg)
{
    pthread_attr_t attr;
    pthread_t thread;
    struct start *start = PyMem_RawMalloc(sizeof(*start));
    if (start == NULL) {
        return PYTHREAD_INVALID_THREAD_ID;
    }
    start->func = func;
    start->arg = arg;
    int failed = pthread_attr_init(&attr) != 0;
    if (!failed) {
        size_t size = wanted_stack_size();
        failed = size != 0 && pthread_attr_setstacksize(&attr, size) != 0;
        if (!failed) {
            pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
            failed = pthread_create(&thread, &attr, run, start) != 0;
        }
        pthread_attr_destroy(&attr);
    }
    if (failed) {
        PyMem_RawFree(start);
        return PYTHREAD_INVALID_THREAD_ID;
    }
    return (unsigned long)thread;
}

unsigned long
PyThread_get_thread_ident(void)
{
    return (unsigned long)pthread_self();
}

unsigned long
PyThread_get_thread_native_id(void)
{
    return (unsigned long)syscall(SYS_gettid);
}

void
PyThread_exit_thread(void)
{
    pthread_exit(NULL);
}

size_t
PyThread_get_stacksize(void)
{
    return _PyInterpreterState_GET()->threads_stacksize;
}

int
PyThread_set_stacksize(size_t size)
{
    PyInterpreterState *interp = _PyInterpreterState_GET();
    if (size == 0) {
        interp->threads_stacksize = 0;
        return 0;
    }
    pthread_attr_t attr;
    if (size < MIN_STACK || pthread_attr_init(&attr) != 0) {
        return -1;
    }
    int error = pthread_attr_setstacksize(&attr, size);
    pthread_attr_destroy(&attr);
    if (error != 0) {
        return -1;
    }
    interp->threads_stacksize = size;
    return 0;
}

/* -------------------------------------------------------------------- locks */

PyThread_type_lock
PyThread_allocate_lock(void)
{
    sem_t *lock = PyMem_RawMalloc(sizeof(*lock));
    if (lock != NULL && sem_init(lock, 0, 1) != 0) {
        PyMem_RawFree(lock);
        lock = NULL;
    }
    return lock;
}

void
PyThread_free_lock(PyThread_type_lock lock)
{
    if (lock != NULL) {
        sem_destroy(lock);
        PyMem_RawFree(lock);
    }
}

static struct timespec
deadline_after(PY_TIMEOUT_T microseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    PY_TIMEOUT_T seconds = microseconds / 1000000;
    /* Timeouts of more than a century need not be exact. */
    const PY_TIMEOUT_T most = (PY_TIMEOUT_T)1 << 32;
    t.tv_sec += (time_t)(seconds < most ? seconds : most);
    t.tv_nsec += (long)(microseconds % 1000000) * 1000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

PyLockStatus
PyThread_acquire_lock_timed(PyThread_type_lock lock, PY_TIMEOUT_T microseconds,
                            int intr_flag)
{
    struct timespec deadline;
    if (microseconds > 0) {
        deadline = deadline_after(microseconds);
    }
    for (;;) {
        int status;
        if (microseconds == 0) {
            status = sem_trywait(lock);
        }
        else if (microseconds < 0) {
            status = sem_wait(lock);
        }
        else {
            status = sem_clockwait(lock, CLOCK_MONOTONIC, &deadline);
        }
        if (status == 0) {
            return PY_LOCK_ACQUIRED;
        }
        if (errno != EINTR) {
            return PY_LOCK_FAILURE;
        }
        if (intr_flag) {
            return PY_LOCK_INTR;
        }
    }
}

int
PyThread_acquire_lock(PyThread_type_lock lock, int waitflag)
{
    return PyThread_acquire_lock_timed(lock, waitflag ? -1 : 0, 0)
        == PY_LOCK_ACQUIRED;
}

void
PyThread_release_lock(PyThread_type_lock lock)
{
    sem_post(lock);
}

int
_PyThread_at_fork_reinit(PyThread_type_lock *lock)
{
    PyThread_type_lock fresh = PyThread_allocate_lock();
    if (fresh == NULL) {
        return -1;
    }
    /* A thread that no longer exists may have been using the old lock, so it is not
       freed. */
    *lock = fresh;
    return 0;
}

/* -------------------------------------------------- thread-specific storage */

Py_tss_t *
PyThread_tss_alloc(void)
{
    Py_tss_t *key = PyMem_RawMalloc(sizeof(*key));
    if (key != NULL) {
        *key = (Py_tss_t)Py_tss_NEEDS_INIT;
    }
    return key;
}

void
PyThread_tss_free(Py_tss_t *key)
{
    if (key != NULL) {
        PyThread_tss_delete(key);
        PyMem_RawFree(key);
    }
}

int
PyThread_tss_is_created(Py_tss_t *key)
{
    return key->_is_initialized;
}

int
PyThread_tss_create(Py_tss_t *key)
{
    if (key->_is_initialized) {
        return 0;
    }
    if (pthread_key_create(&key->_key, NULL) != 0) {
        return -1;
    }
    key->_is_initialized = 1;
    return 0;
}

void
PyThread_tss_delete(Py_tss_t *key)
{
    if (key->_is_initialized) {
        pthread_key_delete(key->_key);
        key->_is_initialized = 0;
    }
}

int
PyThread_tss_set(Py_tss_t *key, void *value)
{
    return pthread_setspecific(key->_key, value) != 0 ? -1 : 0;
}

void *
PyThread_tss_get(Py_tss_t *key)
{
    return pthread_getspecific(key->_key);
}

/* The older functions, whose keys are ints. */

int
PyThread_create_key(void)
{
    pthread_key_t key;
    if (pthread_key_create(&key, NULL) != 0) {
        return -1;
    }
    if (key > INT_MAX) {
        pthread_key_delete(key);
        errno = ENOMEM;
        return -1;
    }
    return (int)key;
}

void
PyThread_delete_key(int key)
{
    pthread_key_delete((pthread_key_t)key);
}

void
PyThread_delete_key_value(int key)
{
    pthread_setspecific((pthread_key_t)key, NULL);
}

int
PyThread_set_key_value(int key, void *value)
{
    return pthread_setspecific((pthread_key_t)key, value) != 0 ? -1 : 0;
}

void *
PyThread_get_key_value(int key)
{
    return pthread_getspecific((pthread_key_t)key);
}

void
PyThread_ReInitTLS(void)
{
}

/* ---------------------------------------------------------- sys.thread_info */

static PyStructSequence_Field info_fields[] = {
    {"name", "name of the thread implementation"},
    {"lock", "name of the lock implementation"},
    {"version", "name and version of the thread library"},
    {NULL, NULL},
};

static PyStructSequence_Desc info_desc = {
    .name = "sys.thread_info",
    .doc = "sys.thread_info\n\nInformation about the thread implementation.",
    .fields = info_fields,
    .n_in_sequence = 3,
};

static PyTypeObject info_type;

PyObject *
PyThread_GetInfo(void)
{
    if (info_type.tp_name == NULL
        && PyStructSequence_InitType2(&info_type, &info_desc) < 0) {
        return NULL;
    }
    PyObject *info = PyStructSequence_New(&info_type);
    if (info == NULL) {
        return NULL;
    }
    char version[255];
    size_t n = confstr(_CS_GNU_LIBPTHREAD_VERSION, version, sizeof(version));
    PyObject *items[] = {
        PyUnicode_FromString("pthread"),
        PyUnicode_FromString("semaphore"),
        n > 0 && n < sizeof(version) ? PyUnicode_FromString(version)
                                     : Py_NewRef(Py_None),
    };
    for (int i = 0; i < 3; i++) {
        PyStructSequence_SET_ITEM(info, i, items[i]);
    }
    if (PyErr_Occurred()) {
        Py_CLEAR(info);
    }
    return info;
}
