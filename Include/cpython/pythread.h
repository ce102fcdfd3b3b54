/* The layout of keys, and locks after fork. */
#ifndef Py_CPYTHON_PYTHREAD_H
#define Py_CPYTHON_PYTHREAD_H

#include <pthread.h>

_Py_BEGIN_DECLS

#define PYTHREAD_INVALID_THREAD_ID ((unsigned long)-1)


struct _Py_tss_t {
    int _is_initialized;
    pthread_key_t _key;
};


#define Py_tss_NEEDS_INIT {0}

/* In the child: makes a new, unlocked lock. Returns 0, or -1. */
PyAPI_FUNC(int) _PyThread_at_fork_reinit(PyThread_type_lock *lock);

_Py_END_DECLS
#endif
