/* Buffered binary files: who may touch the buffer.

   A thread owns the object while it touches the buffer. The GIL alone does not protect the
   buffer, because raw methods release it. But `owner` itself is read and written with the GIL
   held, so taking an object without an owner costs nothing. A thread that must wait does so
   at the gate: a lock that is closed except when a departing owner lets the next thread
   through. Usually that thread takes the object if nobody owns it. But a thread that writes
   again and again releases the GIL only while it owns the object; therefore a thread that
   has already waited in vain is handed the object directly. A thread that comes back while
   it owns the object (from a signal handler, say) gets RuntimeError. */
#include "buffered.h"

#include <unistd.h>

/* The owner is the next thread to pass the gate. */
#define HANDED_OVER (~0ul)

static int
make_gate(buffered *self)
{
    if (self->gate == NULL) {
        self->gate = PyThread_allocate_lock();
        if (self->gate == NULL) {
            PyErr_SetString(PyExc_RuntimeError, "can't allocate read lock");
            return -1;
        }
        PyThread_acquire_lock(self->gate, 1);
        self->process = getpid();
    }
    return 0;
}

/* After fork() no thread waits, and an owner that is not this thread will never release
   the object. The gate, which other threads may have been using, is left alone. */
static void
forget_other_process(buffered *self)
{
    if (self->gate != NULL && self->process != getpid()) {
        self->gate = NULL;
        self->waiting = self->impatient = self->gate_open = 0;
        self->owner = 0;
    }
}

/* Waits until an owner leaves; another thread may still take the object first. */
static void
wait_at_gate(buffered *self)
{
    /* When the interpreter shuts down, the owner may be a daemon thread that
       will never run again. */
    PY_TIMEOUT_T timeout = _Py_IsFinalizing() ? 1000000 : -1;
    PyLockStatus status;
    self->waiting++;
    Py_BEGIN_ALLOW_THREADS
    status = PyThread_acquire_lock_timed(self->gate, timeout, 0);
    Py_END_ALLOW_THREADS
    self->waiting--;
    if (status == PY_LOCK_ACQUIRED) {
        self->gate_open = 0;
        return;
    }
    PyObject *text = PyUnicode_FromFormat(
        "could not acquire lock for %R at interpreter shutdown, possibly due to daemon threads",
        self);
    Py_FatalError(text ? PyUnicode_AsUTF8(text) : "could not acquire a file's lock");
}

static int
wait_for_owner(buffered *self, unsigned long me)
{
    if (self->owner == me) {
        PyErr_Format(PyExc_RuntimeError, "reentrant call inside %R", self);
        return -1;
    }
    forget_other_process(self);
    if (make_gate(self) < 0) {
        return -1;
    }
    int times = 0;
    while (self->owner != 0) {
        if (self->owner == HANDED_OVER && _Py_IsFinalizing()) {
            break;              /* to a thread that will never run */
        }
        self->impatient += ++times == 2;
        wait_at_gate(self);
        if (self->owner == HANDED_OVER) {
            break;
        }
    }
    self->impatient -= times > 1;
    return 0;
}

int
_PyBuffered_own(buffered *self)
{
    unsigned long me = PyThread_get_thread_ident();
    if (self->owner != 0 && wait_for_owner(self, me) < 0) {
        return -1;
    }
    self->owner = me;
    return 0;
}

static void
open_gate(buffered *self)
{
    forget_other_process(self);
    if (self->impatient > 0) {
        self->owner = HANDED_OVER;
    }
    if (self->waiting > 0 && !self->gate_open) {
        self->gate_open = 1;
        PyThread_release_lock(self->gate);
    }
}

void
_PyBuffered_leave(buffered *self)
{
    self->owner = 0;
    if (self->waiting > 0) {
        open_gate(self);
    }
}

/* Whoever waited, or asked the raw file whether it is closed, may find it detached. */
int
_PyBuffered_enter_to_close(buffered *self)
{
    if (_PyBuffered_own(self) < 0) {
        return -1;
    }
    if (_PyBuffered_check_init(self) < 0) {
        _PyBuffered_leave(self);
        return -1;
    }
    return 0;
}

/* close() frees the buffer, but then the raw file may say that it is open. */
int
_PyBuffered_enter(buffered *self)
{
    if (_PyBuffered_enter_to_close(self) < 0) {
        return -1;
    }
    if (self->buffer == NULL) {
        self->buffer = PyMem_Malloc((size_t)self->size);
        if (self->buffer == NULL) {
            _PyBuffered_leave(self);
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}
