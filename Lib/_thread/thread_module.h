/* What the files of the _thread module share.

   module.c  starting threads, and the rest of the module
   locks.c   lock and RLock
   local.c   _local */
#ifndef SB_THREAD_MODULE_H
#define SB_THREAD_MODULE_H

#include "Python.h"

typedef struct {
    PyTypeObject *lock_type;
    PyTypeObject *rlock_type;
    PyTypeObject *local_type;
    PyTypeObject *local_guard_type;
    PyTypeObject *excepthook_args_type;
} thread_module_state;

extern PyType_Spec _PyThread_lock_spec;
extern PyType_Spec _PyThread_rlock_spec;
extern PyType_Spec _PyThread_local_spec;
extern PyType_Spec _PyThread_local_guard_spec;

/* The state of the module that defines (a base of) the type. */
thread_module_state *_PyThread_StateOfType(PyTypeObject *type);
PyObject *_PyThread_NewLock(PyTypeObject *lock_type);
/* For a thread that ends: releases the lock that a weak reference refers to. */
void _PyThread_ReleaseSentinel(void *weakref);

#endif
