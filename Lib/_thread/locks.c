/* _thread.lock and _thread.RLock.

   `locked` mirrors the semaphore's state for locked() and repr(). An RLock is
   owned by the thread `owner` while count > 0; only that thread changes the
   two. */
#include "thread_module.h"
#include "structmember.h"

#include <stddef.h>
#include "internal/method_table.h"

typedef struct {
    PyObject_HEAD
    PyThread_type_lock lock;
    PyObject *weakrefs;
    char locked;
} lockobject;

typedef struct {
    PyObject_HEAD
    PyThread_type_lock lock;
    unsigned long owner;
    unsigned long count;
    PyObject *weakrefs;
} rlockobject;

/* ------------------------------------------------------------------ waiting */

/* Waits at most `timeout` (< 0: for ever) with the GIL released. Signals are handled
   meanwhile; PY_LOCK_INTR means that a handler raised. */
static PyLockStatus
wait_for(PyThread_type_lock lock, _PyTime_t timeout)
{
    _PyTime_t end = timeout > 0 ? _PyDeadline_Init(timeout) : 0;
    for (;;) {
        PyLockStatus status = PyThread_acquire_lock_timed(lock, 0, 0);
        _PyTime_t us = _PyTime_AsMicroseconds(timeout, _PyTime_ROUND_CEILING);
        if (status == PY_LOCK_FAILURE && us != 0) {
            Py_BEGIN_ALLOW_THREADS
            status = PyThread_acquire_lock_timed(lock, us, 1);
            Py_END_ALLOW_THREADS
        }
        if (status != PY_LOCK_INTR) {
            return status;
        }
        if (Py_MakePendingCalls() < 0) {
            return PY_LOCK_INTR;
        }
        if (timeout > 0) {
            timeout = _PyDeadline_Get(end);
            if (timeout < 0) {
                /* The time is up, unless the lock is free by now. */
                timeout = 0;
            }
        }
    }
}

static int
parse_acquire(PyObject *args, PyObject *kwds, _PyTime_t *timeout)
{
    static char *names[] = {"blocking", "timeout", NULL};
    const _PyTime_t unset = _PyTime_FromSeconds(-1);
    PyObject *timeout_object = NULL;
    int blocking = 1;
    *timeout = unset;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|iO:acquire", names,
                                     &blocking, &timeout_object)) {
        return -1;
    }
    if (timeout_object != NULL
        && _PyTime_FromSecondsObject(timeout, timeout_object,
                                     _PyTime_ROUND_TIMEOUT) < 0) {
        return -1;
    }
    if (!blocking && *timeout != unset) {
        PyErr_SetString(PyExc_ValueError,
                        "can't specify a timeout for a non-blocking call");
        return -1;
    }
    if (*timeout < 0 && *timeout != unset) {
        PyErr_SetString(PyExc_ValueError, "timeout value must be positive");
        return -1;
    }
    if (!blocking) {
        *timeout = 0;
    }
    else if (*timeout != unset) {
        _PyTime_t us = _PyTime_AsMicroseconds(*timeout, _PyTime_ROUND_TIMEOUT);
        if (us > PY_TIMEOUT_MAX) {
            PyErr_SetString(PyExc_OverflowError,
                            "timeout value is too large");
            return -1;
        }
    }
    return 0;
}

/* --------------------------------------------------------------------- lock */

PyObject *
_PyThread_NewLock(PyTypeObject *type)
{
    lockobject *self = (lockobject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->lock = PyThread_allocate_lock();
    if (self->lock == NULL) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_RuntimeError, "can't allocate lock");
        return NULL;
    }
    return (PyObject *)self;
}

static int
lock_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(op));
    return 0;
}

static void
lock_dealloc(PyObject *op)
{
    lockobject *self = (lockobject *)op;
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    if (self->weakrefs != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    if (self->lock != NULL) {
        /* A semaphore that a thread is waiting for must not be destroyed. */
        if (self->locked) {
            PyThread_release_lock(self->lock);
        }
        PyThread_free_lock(self->lock);
    }
    type->tp_free(op);
    Py_DECREF(type);
}

static PyObject *
lock_acquire(PyObject *op, PyObject *args, PyObject *kwds)
{
    lockobject *self = (lockobject *)op;
    _PyTime_t timeout;
    if (parse_acquire(args, kwds, &timeout) < 0) {
        return NULL;
    }
    PyLockStatus status = wait_for(self->lock, timeout);
    if (status == PY_LOCK_INTR) {
        return NULL;
    }
    if (status == PY_LOCK_ACQUIRED) {
        self->locked = 1;
    }
    return PyBool_FromLong(status == PY_LOCK_ACQUIRED);
}

static PyObject *
lock_release(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    lockobject *self = (lockobject *)op;
    if (!self->locked) {
        PyErr_SetString(PyExc_RuntimeError, "release unlocked lock");
        return NULL;
    }
    self->locked = 0;
    PyThread_release_lock(self->lock);
    Py_RETURN_NONE;
}

static PyObject *
lock_enter(PyObject *op, PyObject *args)
{
    return lock_acquire(op, args, NULL);
}

/* Without a tuple of its arguments: leaving `with lock:` must not fail for want of memory. */
static PyObject *
lock_exit(PyObject *op, PyObject *const *Py_UNUSED(args), Py_ssize_t Py_UNUSED(nargs))
{
    return lock_release(op, NULL);
}

static PyObject *
lock_locked(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(((lockobject *)op)->locked);
}

static PyObject *
lock_repr(PyObject *op)
{
    return PyUnicode_FromFormat("<%s %s object at %p>",
                                ((lockobject *)op)->locked ? "locked"
                                                           : "unlocked",
                                Py_TYPE(op)->tp_name, op);
}

static PyObject *
lock_at_fork_reinit(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    lockobject *self = (lockobject *)op;
    if (_PyThread_at_fork_reinit(&self->lock) < 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "failed to reinitialize lock at fork");
        return NULL;
    }
    self->locked = 0;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(acquire_doc,
"acquire(blocking=True, timeout=-1) -> bool\n\n"
"Take the lock, waiting for it if asked to. Tells whether it was taken.");
PyDoc_STRVAR(release_doc,
"release()\n\nGive the lock back; another thread that waits gets it.");
PyDoc_STRVAR(locked_doc, "locked() -> bool\n\nTell whether the lock is taken.");

static PyMethodDef lock_methods[] = {
    {"acquire_lock", VAR_KEYWORDS(lock_acquire), acquire_doc},
    {"acquire", VAR_KEYWORDS(lock_acquire), acquire_doc},
    {"release_lock", lock_release, METH_NOARGS, release_doc},
    {"release", lock_release, METH_NOARGS, release_doc},
    {"locked_lock", lock_locked, METH_NOARGS, locked_doc},
    {"locked", lock_locked, METH_NOARGS, locked_doc},
    {"__enter__", _PyCFunction_CAST(lock_enter), METH_VARARGS, acquire_doc},
    {"__exit__", FAST(lock_exit), release_doc},
    {"_at_fork_reinit", lock_at_fork_reinit, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(lock_doc,
"A lock: acquire() takes it, release() gives it back. Any thread may release.");

static PyMemberDef lock_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(lockobject, weakrefs),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot lock_slots[] = {
    {Py_tp_dealloc, lock_dealloc},
    {Py_tp_repr, lock_repr},
    {Py_tp_doc, (void *)lock_doc},
    {Py_tp_methods, lock_methods},
    {Py_tp_traverse, lock_traverse},
    {Py_tp_members, lock_members},
    {0, NULL},
};

PyType_Spec _PyThread_lock_spec = {
    .name = "_thread.lock",
    .basicsize = sizeof(lockobject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
             | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = lock_slots,
};

void
_PyThread_ReleaseSentinel(void *weakref)
{
    PyObject *ref = weakref;
    PyObject *op = PyWeakref_GET_OBJECT(ref);
    if (op != Py_None) {
        lockobject *lock = (lockobject *)op;
        if (lock->locked) {
            lock->locked = 0;
            PyThread_release_lock(lock->lock);
        }
    }
    /* A weak reference without callback: freeing it runs no Python code. */
    Py_DECREF(ref);
}

/* -------------------------------------------------------------------- RLock */

static int
is_mine(rlockobject *self)
{
    return self->count > 0 && self->owner == PyThread_get_thread_ident();
}

static PyObject *
rlock_new(PyTypeObject *type, PyObject *Py_UNUSED(args),
          PyObject *Py_UNUSED(kwds))
{
    rlockobject *self = (rlockobject *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->lock = PyThread_allocate_lock();
    if (self->lock == NULL) {
        Py_DECREF(self);
        PyErr_SetString(PyExc_RuntimeError, "can't allocate lock");
        return NULL;
    }
    return (PyObject *)self;
}

static void
rlock_dealloc(PyObject *op)
{
    rlockobject *self = (rlockobject *)op;
    PyTypeObject *type = Py_TYPE(op);
    PyObject_GC_UnTrack(op);
    if (self->weakrefs != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    if (self->lock != NULL) {
        if (self->count > 0) {
            PyThread_release_lock(self->lock);
        }
        PyThread_free_lock(self->lock);
    }
    type->tp_free(op);
    Py_DECREF(type);
}

static PyObject *
rlock_acquire(PyObject *op, PyObject *args, PyObject *kwds)
{
    rlockobject *self = (rlockobject *)op;
    _PyTime_t timeout;
    if (parse_acquire(args, kwds, &timeout) < 0) {
        return NULL;
    }
    if (is_mine(self)) {
        if (self->count == ULONG_MAX) {
            PyErr_SetString(PyExc_OverflowError,
                            "Internal lock count overflowed");
            return NULL;
        }
        self->count++;
        Py_RETURN_TRUE;
    }
    PyLockStatus status = wait_for(self->lock, timeout);
    if (status == PY_LOCK_INTR) {
        return NULL;
    }
    if (status == PY_LOCK_ACQUIRED) {
        self->owner = PyThread_get_thread_ident();
        self->count = 1;
    }
    return PyBool_FromLong(status == PY_LOCK_ACQUIRED);
}

static PyObject *
rlock_release(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    rlockobject *self = (rlockobject *)op;
    if (!is_mine(self)) {
        PyErr_SetString(PyExc_RuntimeError,
                        "cannot release un-acquired lock");
        return NULL;
    }
    if (--self->count == 0) {
        self->owner = 0;
        PyThread_release_lock(self->lock);
    }
    Py_RETURN_NONE;
}

static PyObject *
rlock_enter(PyObject *op, PyObject *args)
{
    return rlock_acquire(op, args, NULL);
}

static PyObject *
rlock_exit(PyObject *op, PyObject *const *Py_UNUSED(args), Py_ssize_t Py_UNUSED(nargs))
{
    return rlock_release(op, NULL);
}

/* For threading.Condition: releases the lock completely, however often it was acquired. */
static PyObject *
rlock_release_save(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    rlockobject *self = (rlockobject *)op;
    if (self->count == 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "cannot release un-acquired lock");
        return NULL;
    }
    PyObject *saved = Py_BuildValue("kk", self->count, self->owner);
    if (saved != NULL) {
        self->count = 0;
        self->owner = 0;
        PyThread_release_lock(self->lock);
    }
    return saved;
}

static PyObject *
rlock_acquire_restore(PyObject *op, PyObject *args)
{
    rlockobject *self = (rlockobject *)op;
    unsigned long count, owner;
    int got = 1;
    if (!PyArg_ParseTuple(args, "(kk):_acquire_restore", &count, &owner)) {
        return NULL;
    }
    if (!PyThread_acquire_lock(self->lock, 0)) {
        Py_BEGIN_ALLOW_THREADS
        got = PyThread_acquire_lock(self->lock, 1);
        Py_END_ALLOW_THREADS
    }
    if (!got) {
        PyErr_SetString(PyExc_RuntimeError, "couldn't acquire lock");
        return NULL;
    }
    self->owner = owner;
    self->count = count;
    Py_RETURN_NONE;
}

static PyObject *
rlock_is_owned(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(is_mine((rlockobject *)op));
}

static PyObject *
rlock_repr(PyObject *op)
{
    rlockobject *self = (rlockobject *)op;
    return PyUnicode_FromFormat("<%s %s object owner=%ld count=%lu at %p>",
                                self->count ? "locked" : "unlocked",
                                Py_TYPE(op)->tp_name, self->owner, self->count,
                                op);
}

static PyObject *
rlock_at_fork_reinit(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    rlockobject *self = (rlockobject *)op;
    if (_PyThread_at_fork_reinit(&self->lock) < 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "failed to reinitialize lock at fork");
        return NULL;
    }
    self->owner = 0;
    self->count = 0;
    Py_RETURN_NONE;
}

static PyMethodDef rlock_methods[] = {
    {"acquire", VAR_KEYWORDS(rlock_acquire), acquire_doc},
    {"release", rlock_release, METH_NOARGS, release_doc},
    {"_is_owned", rlock_is_owned, METH_NOARGS, "Does this thread hold the lock?"},
    {"_acquire_restore", rlock_acquire_restore, METH_VARARGS,
     "For Condition: takes the lock as often as _release_save() gave it back."},
    {"_release_save", rlock_release_save, METH_NOARGS,
     "For Condition: gives the lock back wholly; the state to restore."},
    {"__enter__", _PyCFunction_CAST(rlock_enter), METH_VARARGS, acquire_doc},
    {"__exit__", FAST(rlock_exit), release_doc},
    {"_at_fork_reinit", rlock_at_fork_reinit, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef rlock_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(rlockobject, weakrefs),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot rlock_slots[] = {
    {Py_tp_dealloc, rlock_dealloc},
    {Py_tp_repr, rlock_repr},
    {Py_tp_methods, rlock_methods},
    {Py_tp_alloc, PyType_GenericAlloc},
    {Py_tp_new, rlock_new},
    {Py_tp_traverse, lock_traverse},
    {Py_tp_members, rlock_members},
    {0, NULL},
};

PyType_Spec _PyThread_rlock_spec = {
    .name = "_thread.RLock",
    .basicsize = sizeof(rlockobject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC
             | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = rlock_slots,
};
