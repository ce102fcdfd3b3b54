/* Threads, locks and thread-local storage of the system. The GIL is not needed, and no
   exception is set. */
#ifndef Py_PYTHREAD_H
#define Py_PYTHREAD_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------------------ threads */

#define PY_HAVE_THREAD_NATIVE_ID

PyAPI_FUNC(void) PyThread_init_thread(void);
/* The thread's id, or PYTHREAD_INVALID_THREAD_ID. */
PyAPI_FUNC(unsigned long) PyThread_start_new_thread(void (*func)(void *), void *arg);
_Py_NO_RETURN PyAPI_FUNC(void) PyThread_exit_thread(void);
/* pthread_self() and gettid(). */
PyAPI_FUNC(unsigned long) PyThread_get_thread_ident(void);
PyAPI_FUNC(unsigned long) PyThread_get_thread_native_id(void);
/* The stack size of new threads; 0 is the system's choice. set returns 0, -1: invalid,
   -2: unsupported. */
PyAPI_FUNC(size_t) PyThread_get_stacksize(void);
PyAPI_FUNC(int) PyThread_set_stacksize(size_t size);
/* sys.thread_info: needs the GIL. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyThread_GetInfo(void);
#endif

/* -------------------------------------------------------------------- locks */

typedef void *PyThread_type_lock;

typedef enum PyLockStatus {
    PY_LOCK_FAILURE = 0,
    PY_LOCK_ACQUIRED = 1,
    PY_LOCK_INTR            /* a signal came, with intr_flag */
} PyLockStatus;

#define WAIT_LOCK   1
#define NOWAIT_LOCK 0

#define PY_TIMEOUT_T long long
#ifndef PY_TIMEOUT_MAX
#  define PY_TIMEOUT_MAX (LLONG_MAX / 1000)
#endif

/* NULL if there is no memory. */
PyAPI_FUNC(PyThread_type_lock) PyThread_allocate_lock(void);
PyAPI_FUNC(void) PyThread_free_lock(PyThread_type_lock lock);
/* Returns 1: acquired, or 0. A lock is not re-entrant; any thread may release it. */
PyAPI_FUNC(int) PyThread_acquire_lock(PyThread_type_lock lock, int waitflag);
/* microseconds < 0: no time limit. */
PyAPI_FUNC(PyLockStatus) PyThread_acquire_lock_timed(PyThread_type_lock lock,
    long long microseconds, int intr_flag);
PyAPI_FUNC(void) PyThread_release_lock(PyThread_type_lock lock);

/* ----------------------------------------------------- thread-local storage */

#if _Py_API_SINCE(7)
typedef struct _Py_tss_t Py_tss_t;
#endif
/* A key is either static, with Py_tss_NEEDS_INIT, or allocated. create and set return 0
   on success. */
#if _Py_API_SINCE(7)
PyAPI_FUNC(Py_tss_t *) PyThread_tss_alloc(void);
PyAPI_FUNC(void) PyThread_tss_free(Py_tss_t *key);
PyAPI_FUNC(int) PyThread_tss_is_created(Py_tss_t *key);
PyAPI_FUNC(int) PyThread_tss_create(Py_tss_t *key);
PyAPI_FUNC(void) PyThread_tss_delete(Py_tss_t *key);
PyAPI_FUNC(int) PyThread_tss_set(Py_tss_t *key, void *value);
PyAPI_FUNC(void *) PyThread_tss_get(Py_tss_t *key);
#endif

/* The same with int keys. */
Py_DEPRECATED(3.7) PyAPI_FUNC(int) PyThread_create_key(void);
Py_DEPRECATED(3.7) PyAPI_FUNC(void) PyThread_delete_key(int key);
Py_DEPRECATED(3.7) PyAPI_FUNC(int) PyThread_set_key_value(int key, void *value);
Py_DEPRECATED(3.7) PyAPI_FUNC(void *) PyThread_get_key_value(int key);
Py_DEPRECATED(3.7) PyAPI_FUNC(void) PyThread_delete_key_value(int key);
Py_DEPRECATED(3.7) PyAPI_FUNC(void) PyThread_ReInitTLS(void);

#ifndef Py_LIMITED_API
#  include "cpython/pythread.h"
#endif

_Py_END_DECLS
#endif
