/* Buffered binary files: BufferedReader, BufferedWriter, BufferedRandom, and the pair
   BufferedRWPair.

   One buffer serves reading and writing. Invariants of a usable object:
   - state EMPTY:   the buffer holds nothing;
   - state READING: buffer[0, end) are the bytes of the file just before the raw position, of
                    which [pos, end) are still to be read;
   - state WRITING: buffer[0, end) are to be written at the raw position.
   So the position that the user sees is raw - (end - pos) or raw + end. A change from reading
   to writing seeks back over what was read ahead; a change from writing to reading flushes
   first. But read1() leaves what is pending where it is, as in CPython, unless the write has
   thrown away what was read ahead: so what a program writes to a text file in mode "r+" before
   it reads goes behind all that it has read.

   A thread owns the object while it touches the buffer. The GIL alone does not protect the
   buffer, because raw methods release it. But `owner` itself is read and written with the GIL
   held, so taking an object without an owner costs nothing. A thread that must wait does so
   at the gate: a lock that is closed except when a departing owner lets the next thread
   through. Usually that thread takes the object if nobody owns it. But a thread that writes
   again and again releases the GIL only while it owns the object; therefore a thread that
   has already waited in vain is handed the object directly. A thread that comes back while
   it owns the object (from a signal handler, say) gets RuntimeError. */
#include "io_module.h"

#include <unistd.h>

enum { EMPTY, READING, WRITING };

/* The owner is the next thread to pass the gate. */
#define HANDED_OVER (~0ul)

typedef struct {
    PyObject_HEAD
    PyObject *raw;              /* NULL before __init__ and after detach() */
    char *buffer;
    Py_ssize_t size;
    Py_ssize_t pos, end;
    Py_off_t raw_at;            /* the raw position, for the owner; -1: unknown */
    int state;
    int sought_back;            /* WRITING: something had been read ahead */
    int ok, detached;
    int readable, writable;
    char finalizing;
    int raw_is_fileio;          /* exact: `closed` is cheap */
    unsigned long owner;        /* a thread, HANDED_OVER or 0 */
    int waiting;                /* threads at the gate */
    int impatient;              /* of those, threads that have already waited in vain */
    int gate_open;
    pid_t process;              /* that the gate was made in */
    PyThread_type_lock gate;    /* made when first needed */
    PyObject *upper;            /* the text file over it, borrowed */
    PyObject *dict;
    PyObject *weakreflist;
} buffered;

PyObject **
_PyBuffered_Upper(PyObject *self)
{
    return &((buffered *)self)->upper;
}

#define UNREAD(self) ((self)->state == READING ? (self)->end - (self)->pos : 0)

/* ------------------------------------------------------------------- checks */

static int
check_init(buffered *self)
{
    if (self->ok) {
        return 0;
    }
    PyErr_SetString(PyExc_ValueError, self->detached ? "raw stream has been detached"
                    : "I/O operation on uninitialized object");
    return -1;
}

/* An attribute of the raw file, which may detach itself meanwhile. */
static PyObject *
raw_attribute(buffered *self, PyObject *name)
{
    PyObject *raw = Py_NewRef(self->raw);
    PyObject *value = PyObject_GetAttr(raw, name);
    Py_DECREF(raw);
    return value;
}

static PyObject *
call_raw(buffered *self, PyObject *name)
{
    PyObject *raw = Py_NewRef(self->raw);
    PyObject *result = PyObject_CallMethodNoArgs(raw, name);
    Py_DECREF(raw);
    return result;
}

/* If it returns 0 or 1, there is still a raw file. */
static int
raw_is_closed(buffered *self)
{
    if (self->raw_is_fileio) {
        return _PyFileIO_closed(self->raw) == Py_True;
    }
    PyObject *closed = raw_attribute(self, _Py_NAME(closed));
    if (closed == NULL) {
        return -1;
    }
    int rc = PyObject_IsTrue(closed);
    Py_DECREF(closed);
    return rc < 0 || check_init(self) < 0 ? -1 : rc;
}

static int
check_open(buffered *self, const char *what)
{
    if (check_init(self) < 0) {
        return -1;
    }
    int closed = raw_is_closed(self);
    if (closed > 0 && self->state != WRITING && UNREAD(self) > 0) {
        return 0;               /* what was read ahead can still be had */
    }
    if (closed > 0) {
        PyErr_SetString(PyExc_ValueError, what);
    }
    return closed ? -1 : 0;
}

/* ---------------------------------------------------------------- ownership */

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

static int
own(buffered *self)
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

static void
leave(buffered *self)
{
    self->owner = 0;
    if (self->waiting > 0) {
        open_gate(self);
    }
}

/* Owns a usable object. Whoever waited, or asked the raw file whether it is closed, may find it
   detached. */
static int
enter_to_close(buffered *self)
{
    if (own(self) < 0) {
        return -1;
    }
    if (check_init(self) < 0) {
        leave(self);
        return -1;
    }
    return 0;
}

/* The same with a buffer: close() frees it, but then the raw file may say that it is open. */
static int
enter(buffered *self)
{
    if (enter_to_close(self) < 0) {
        return -1;
    }
    if (self->buffer == NULL) {
        self->buffer = PyMem_Malloc((size_t)self->size);
        if (self->buffer == NULL) {
            leave(self);
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}

/* ---------------------------------------------------------------- raw calls */

#define WOULD_BLOCK (-2)

/* A count that a raw method returned, in 0…max. */
static Py_ssize_t
raw_count(PyObject *result, const char *method, Py_ssize_t max)
{
    if (result == Py_None) {
        Py_DECREF(result);
        return WOULD_BLOCK;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(result, PyExc_ValueError);
    Py_DECREF(result);
    const int failed = n == -1 && PyErr_Occurred();
    if (failed && method[0] == 'r') {
        _PyErr_FormatFromCause(PyExc_OSError, "raw %s() failed", method);
        return -1;
    }
    if (n < 0 || n > max) {
        PyObject *(*raise)(PyObject *, const char *, ...)
            = failed ? _PyErr_FormatFromCause : PyErr_Format;
        raise(PyExc_OSError, "raw %s() returned invalid length %zd (should have been "
              "between 0 and %zd)", method, n, max);
        return -1;
    }
    return n;
}

/* Calls raw.name(memoryview of memory), again after EINTR. */
static Py_ssize_t
raw_transfer(buffered *self, PyObject *name, const char *text, void *memory, Py_ssize_t n,
             int flags)
{
    PyObject *view = PyMemoryView_FromMemory(memory, n, flags);
    if (view == NULL) {
        return -1;
    }
    PyObject *result;
    do {
        result = PyObject_CallMethodOneArg(self->raw, name, view);
    } while (result == NULL && _PyIO_trap_eintr());
    /* The memory is ours: a view that the raw file has kept must not outlive this call. */
    PyObject *type, *value, *tb;
    PyErr_Fetch(&type, &value, &tb);
    if (Py_REFCNT(view) > 1) {
        PyObject *r = PyObject_CallMethod(view, "release", NULL);
        if (r == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(r);
    }
    PyErr_Restore(type, value, tb);
    Py_DECREF(view);
    return result == NULL ? -1 : raw_count(result, text, n);
}

static Py_ssize_t
raw_moved(buffered *self, Py_ssize_t n)
{
    if (n > 0 && self->raw_at >= 0) {
        self->raw_at += n;
    }
    return n;
}

static Py_ssize_t
raw_read(buffered *self, char *memory, Py_ssize_t n)
{
    return raw_moved(self, raw_transfer(self, _Py_NAME(readinto), "readinto", memory, n,
                                        PyBUF_WRITE));
}

static Py_ssize_t
raw_write(buffered *self, const char *memory, Py_ssize_t n)
{
    return raw_moved(self, raw_transfer(self, _Py_NAME(write), "write", (void *)memory, n,
                                        PyBUF_READ));
}

static Py_off_t
raw_position(PyObject *result)
{
    if (result == NULL) {
        return -1;
    }
    Py_off_t n = _PyIO_off(result, PyExc_ValueError);
    Py_DECREF(result);
    if (n < 0 && !PyErr_Occurred()) {
        PyErr_Format(PyExc_OSError, "Raw stream returned invalid position %lld", (long long)n);
    }
    return n;
}

static Py_off_t
raw_tell(buffered *self)
{
    return raw_position(call_raw(self, _Py_NAME(tell)));
}

static Py_off_t
raw_seek(buffered *self, Py_off_t target, int whence)
{
    PyObject *offset = PyLong_FromLongLong(target), *how = PyLong_FromLong(whence);
    PyObject *result = offset == NULL || how == NULL ? NULL
        : PyObject_CallMethodObjArgs(self->raw, _Py_NAME(seek), offset, how, NULL);
    Py_XDECREF(offset);
    Py_XDECREF(how);
    Py_off_t pos = raw_position(result);
    self->raw_at = pos < 0 ? -1 : pos;
    return pos;
}

/* ---------------------------------------------------------- changing states */

/* Writes what is pending. Returns 0, or -1 with an exception; bytes that could not be
   written stay, moved to the front. */
static int
flush_pending(buffered *self)
{
    if (self->state != WRITING) {
        return 0;
    }
    Py_ssize_t done = 0;
    int rc = 0;
    while (done < self->end) {
        Py_ssize_t n = raw_write(self, self->buffer + done, self->end - done);
        if (n < 0) {
            if (n == WOULD_BLOCK) {
                _PyIO_RaiseWouldBlock(0);
            }
            rc = -1;
            break;
        }
        done += n;
        /* Partial writes can be due to a signal: let its handler run. */
        if (done < self->end && PyErr_CheckSignals() < 0) {
            rc = -1;
            break;
        }
    }
    memmove(self->buffer, self->buffer + done, (size_t)(self->end - done));
    self->end -= done;
    if (self->end == 0) {
        self->state = EMPTY;
    }
    return rc;
}

static void
forget_read(buffered *self)
{
    if (self->state == READING) {
        self->state = EMPTY;
        self->pos = self->end = 0;
    }
}

/* Moves the raw position to the user's position. */
static int
unread(buffered *self)
{
    Py_ssize_t ahead = UNREAD(self);
    if (ahead > 0 && raw_seek(self, -ahead, 1) < 0) {
        return -1;
    }
    forget_read(self);
    return 0;
}

/* Reads once into the empty buffer. Count, 0 at the end, WOULD_BLOCK, -1. */
static Py_ssize_t
fill(buffered *self)
{
    self->state = EMPTY;
    self->pos = self->end = 0;
    Py_ssize_t n = raw_read(self, self->buffer, self->size);
    if (n > 0) {
        self->state = READING;
        self->end = n;
    }
    return n;
}

/* ------------------------------------------------------------- construction */

/* By the owner, since the raw file of another call may be at work in the buffer. */
static int
begin_anew(buffered *self, PyObject *raw, Py_ssize_t size, int readable, int writable)
{
    self->ok = self->detached = 0;
    if (size <= 0) {
        PyErr_SetString(PyExc_ValueError, "buffer size must be strictly positive");
        return -1;
    }
    char *buffer = PyMem_Malloc((size_t)size);
    if (buffer == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    PyMem_Free(self->buffer);
    self->buffer = buffer;
    self->size = size;
    self->state = EMPTY;
    self->pos = self->end = 0;
    self->raw_at = -1;
    self->readable = readable;
    self->writable = writable;
    self->raw_is_fileio = Py_IS_TYPE(raw, &PyFileIO_Type);
    Py_INCREF(raw);
    _PyIO_ForgetUpper(self->raw, (PyObject *)self);
    Py_XSETREF(self->raw, raw);
    _PyIO_SetUpper(raw, (PyObject *)self);
    self->ok = 1;
    return 0;
}

static int
buffered_init(buffered *self, PyObject *raw, Py_ssize_t size, int readable, int writable)
{
    if (own(self) < 0) {
        return -1;
    }
    int rc = begin_anew(self, raw, size, readable, writable);
    leave(self);
    return rc;
}

static int
init_from_args(PyObject *op, PyObject *args, PyObject *kwds, const char *format, int readable,
               int writable)
{
    static char *names[] = {"raw", "buffer_size", NULL};
    buffered *self = (buffered *)op;
    PyObject *raw;
    Py_ssize_t size = DEFAULT_BUFFER_SIZE;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, format, names, &raw, &size)) {
        return -1;
    }
    self->ok = self->detached = 0;
    if ((readable && writable && _PyIOBase_check_seekable(raw, Py_True) == NULL)
        || (readable && _PyIOBase_check_readable(raw, Py_True) == NULL)
        || (writable && _PyIOBase_check_writable(raw, Py_True) == NULL)) {
        return -1;
    }
    return buffered_init(self, raw, size, readable, writable);
}

static int
reader_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return init_from_args(op, args, kwds, "O|n:BufferedReader", 1, 0);
}

static int
writer_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return init_from_args(op, args, kwds, "O|n:BufferedWriter", 0, 1);
}

static int
random_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return init_from_args(op, args, kwds, "O|n:BufferedRandom", 1, 1);
}

static int
buffered_traverse(buffered *self, visitproc visit, void *arg)
{
    Py_VISIT(self->raw);
    Py_VISIT(self->dict);
    return 0;
}

static int
buffered_clear(buffered *self)
{
    self->ok = 0;
    _PyIO_ForgetUpper(self->raw, (PyObject *)self);
    Py_CLEAR(self->raw);
    Py_CLEAR(self->dict);
    return 0;
}

static void
buffered_dealloc(buffered *self)
{
    self->finalizing = 1;
    if (_PyIOBase_finalize((PyObject *)self) < 0) {
        return;
    }
    _PyIO_BeginDealloc((PyObject *)self, self->weakreflist);
    self->ok = 0;
    PyMem_Free(self->buffer);
    if (self->gate != NULL) {
        PyThread_free_lock(self->gate);
    }
    buffered_clear(self);
    Py_TYPE(self)->tp_free(self);
}

/* ------------------------------------------------------------ flush, close… */

static PyObject *
buffered_flush(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (check_open(self, "flush of closed file") < 0 || enter(self) < 0) {
        return NULL;
    }
    int rc = flush_pending(self);
    if (rc == 0 && self->readable) {
        rc = unread(self);
    }
    leave(self);
    return rc < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
reader_flush(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    return check_init(self) < 0 ? NULL : call_raw(self, _Py_NAME(flush));
}

static PyObject *
buffered_dealloc_warn(PyObject *op, PyObject *source)
{
    buffered *self = (buffered *)op;
    if (self->ok && self->raw != NULL) {
        PyObject *r = PyObject_CallMethodOneArg(self->raw, _Py_NAME(_dealloc_warn), source);
        if (r == NULL) {
            PyErr_Clear();
        }
        Py_XDECREF(r);
    }
    Py_RETURN_NONE;
}

static PyObject *
buffered_close(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (check_init(self) < 0 || enter_to_close(self) < 0) {
        return NULL;
    }
    int closed = raw_is_closed(self);
    leave(self);
    if (closed) {
        return closed < 0 ? NULL : Py_NewRef(Py_None);
    }
    if (self->finalizing) {
        PyObject *w = buffered_dealloc_warn(op, op);
        Py_XDECREF(w);
    }
    /* Not under the lock: flush() may be overridden. */
    PyObject *type = NULL, *value = NULL, *tb = NULL;
    PyObject *r = PyObject_CallMethodNoArgs(op, _Py_NAME(flush));
    if (r == NULL) {
        PyErr_Fetch(&type, &value, &tb);
    }
    Py_XDECREF(r);
    if (enter_to_close(self) < 0) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(tb);
        return NULL;
    }
    r = PyObject_CallMethodNoArgs(self->raw, _Py_NAME(close));
    if (self->buffer != NULL) {
        PyMem_Free(self->buffer);
        self->buffer = NULL;
        self->state = EMPTY;
        self->pos = self->end = 0;
    }
    leave(self);
    if (type != NULL) {
        _PyErr_ChainExceptions(type, value, tb);
        Py_CLEAR(r);
    }
    return r;
}

static PyObject *
buffered_detach(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (check_init(self) < 0) {
        return NULL;
    }
    PyObject *r = PyObject_CallMethodNoArgs(op, _Py_NAME(flush));
    if (r == NULL) {
        return NULL;
    }
    Py_DECREF(r);
    if (enter_to_close(self) < 0) {
        return NULL;
    }
    PyObject *raw = self->raw;
    _PyIO_ForgetUpper(raw, op);
    self->raw = NULL;
    self->detached = 1;
    self->ok = 0;
    leave(self);
    return raw;
}

/* Methods and attributes that are the raw file's. */
#define PASS_METHOD(name) \
static PyObject * \
buffered_##name(PyObject *op, PyObject *Py_UNUSED(ignored)) \
{ \
    buffered *self = (buffered *)op; \
    return check_init(self) < 0 ? NULL : call_raw(self, _Py_NAME(name)); \
}
PASS_METHOD(seekable)
PASS_METHOD(readable)
PASS_METHOD(writable)
PASS_METHOD(fileno)
PASS_METHOD(isatty)

#define PASS_ATTRIBUTE(attr) \
static PyObject * \
buffered_get_##attr(PyObject *op, void *Py_UNUSED(closure)) \
{ \
    buffered *self = (buffered *)op; \
    return check_init(self) < 0 ? NULL : raw_attribute(self, _Py_NAME(attr)); \
}
PASS_ATTRIBUTE(closed)
PASS_ATTRIBUTE(name)
PASS_ATTRIBUTE(mode)

static PyObject *
buffered_sizeof(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    return PyLong_FromSsize_t(Py_TYPE(op)->tp_basicsize
                              + (self->buffer != NULL ? self->size : 0));
}

static PyObject *
buffered_repr(PyObject *op)
{
    PyObject *name, *result = NULL;
    if (_PyObject_LookupAttr(op, _Py_NAME(name), &name) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_ValueError)) {
            return NULL;
        }
        PyErr_Clear();          /* detached, or without a raw file */
    }
    if (name == NULL) {
        return PyUnicode_FromFormat("<%s>", Py_TYPE(op)->tp_name);
    }
    int entered = Py_ReprEnter(op);
    if (entered == 0) {
        result = PyUnicode_FromFormat("<%s name=%R>", Py_TYPE(op)->tp_name, name);
        Py_ReprLeave(op);
    }
    else if (entered > 0) {
        PyErr_Format(PyExc_RuntimeError, "reentrant call inside %s.__repr__",
                     Py_TYPE(op)->tp_name);
    }
    Py_DECREF(name);
    return result;
}

/* ------------------------------------------------------------------ reading */

/* Before reading: nothing may be left to write. */
static int
begin_reading(buffered *self)
{
    return self->state == WRITING ? flush_pending(self) : 0;
}

/* Takes up to n bytes from what was read ahead. */
static Py_ssize_t
take(buffered *self, char *out, Py_ssize_t n)
{
    Py_ssize_t have = UNREAD(self);
    if (n > have) {
        n = have;
    }
    if (n > 0) {
        memcpy(out, self->buffer + self->pos, (size_t)n);
        self->pos += n;
    }
    return n;
}

static PyObject *
read_all(buffered *self)
{
    Py_ssize_t ahead = UNREAD(self);
    PyObject *first = NULL, *result = NULL, *readall;
    if (ahead > 0) {
        first = PyBytes_FromStringAndSize(self->buffer + self->pos, ahead);
        if (first == NULL) {
            return NULL;
        }
    }
    if (begin_reading(self) < 0) {
        Py_XDECREF(first);
        return NULL;
    }
    forget_read(self);
    if (_PyObject_LookupAttr(self->raw, _Py_NAME(readall), &readall) < 0) {
        Py_XDECREF(first);
        return NULL;
    }
    if (readall != NULL) {
        PyObject *rest = PyObject_CallNoArgs(readall);
        self->raw_at = -1;
        Py_DECREF(readall);
        if (rest == NULL) {
            Py_XDECREF(first);
            return NULL;
        }
        if (rest != Py_None && !PyBytes_Check(rest)) {
            PyErr_SetString(PyExc_TypeError, "readall() should return bytes");
            Py_DECREF(rest);
            Py_XDECREF(first);
            return NULL;
        }
        if (first == NULL) {
            return rest;
        }
        if (rest != Py_None) {
            PyBytes_Concat(&first, rest);
        }
        Py_DECREF(rest);
        return first;
    }
    PyObject *chunks = PyList_New(0);
    if (chunks == NULL || (first != NULL && PyList_Append(chunks, first) < 0)) {
        goto done;
    }
    Py_CLEAR(first);
    for (;;) {
        PyObject *data = PyObject_CallMethodNoArgs(self->raw, _Py_NAME(read));
        self->raw_at = -1;
        if (data == NULL) {
            goto done;
        }
        if (data != Py_None && !PyBytes_Check(data)) {
            Py_DECREF(data);
            PyErr_SetString(PyExc_TypeError, "read() should return bytes");
            goto done;
        }
        if (data == Py_None || PyBytes_GET_SIZE(data) == 0) {
            if (PyList_GET_SIZE(chunks) == 0) {
                result = data;
                goto done;
            }
            Py_DECREF(data);
            break;
        }
        int rc = PyList_Append(chunks, data);
        Py_DECREF(data);
        if (rc < 0) {
            goto done;
        }
    }
    PyObject *empty = PyBytes_FromStringAndSize(NULL, 0);
    result = empty == NULL ? NULL : _PyBytes_Join(empty, chunks);
    Py_XDECREF(empty);
done:
    Py_XDECREF(first);
    Py_XDECREF(chunks);
    return result;
}

/* Exactly n bytes unless the file ends or would block. */
static PyObject *
read_n(buffered *self, Py_ssize_t n)
{
    PyObject *result = PyBytes_FromStringAndSize(NULL, n);
    if (result == NULL) {
        return NULL;
    }
    char *out = PyBytes_AS_STRING(result);
    Py_ssize_t done = take(self, out, n), got = 1;
    if (done < n && begin_reading(self) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    while (done < n) {
        /* Whole buffers are read directly into the result. */
        Py_ssize_t direct = (n - done) / self->size * self->size;
        if (direct > 0) {
            forget_read(self);
            got = raw_read(self, out + done, direct);
            if (got > 0) {
                done += got;
            }
        }
        else {
            got = fill(self);
            done += take(self, out + done, n - done);
        }
        if (got == -1) {
            Py_DECREF(result);
            return NULL;
        }
        if (got == 0 || got == WOULD_BLOCK) {
            break;
        }
    }
    if (done == 0 && got == WOULD_BLOCK) {
        Py_DECREF(result);
        Py_RETURN_NONE;
    }
    if (done < n) {
        _PyBytes_Resize(&result, done);
    }
    return result;
}

static PyObject *
buffered_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    Py_ssize_t n;
    if (!_PyIO_size_arg("read", args, nargs, &n) || check_init(self) < 0) {
        return NULL;
    }
    if (n < -1) {
        PyErr_SetString(PyExc_ValueError, "read length must be non-negative or -1");
        return NULL;
    }
    if (check_open(self, "read of closed file") < 0) {
        return NULL;
    }
    if (enter(self) < 0) {
        return NULL;
    }
    PyObject *result = n < 0 ? read_all(self) : read_n(self, n);
    leave(self);
    return result;
}

static PyObject *
buffered_read1(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    Py_ssize_t n = -1;
    if (!_PyArg_CheckPositional("read1", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1) {
        n = PyNumber_AsSsize_t(args[0], PyExc_OverflowError);
        if (n == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (check_init(self) < 0) {
        return NULL;
    }
    if (n < 0) {
        n = self->size;
    }
    if (check_open(self, "read of closed file") < 0) {
        return NULL;
    }
    if (n == 0) {
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    if (enter(self) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    Py_ssize_t have = UNREAD(self);
    if (have > 0) {
        result = PyBytes_FromStringAndSize(NULL, n < have ? n : have);
        if (result != NULL) {
            take(self, PyBytes_AS_STRING(result), n);
        }
    }
    else if (!self->sought_back || begin_reading(self) == 0) {
        result = PyBytes_FromStringAndSize(NULL, n);
        if (result != NULL) {
            forget_read(self);
            Py_ssize_t got = raw_read(self, PyBytes_AS_STRING(result), n);
            if (got == -1) {
                Py_CLEAR(result);
            }
            else if (got != n) {
                _PyBytes_Resize(&result, got == WOULD_BLOCK ? 0 : got);
            }
        }
    }
    leave(self);
    return result;
}

static PyObject *
readinto_generic(PyObject *op, PyObject *arg, int once)
{
    buffered *self = (buffered *)op;
    const char *name = once ? "readinto1" : "readinto";
    Py_buffer view;
    if (check_init(self) < 0) {
        return NULL;
    }
    if (PyObject_GetBuffer(arg, &view, PyBUF_WRITABLE) < 0) {
        PyErr_Clear();
        _PyArg_BadArgument(name, "argument", "read-write bytes-like object", arg);
        return NULL;
    }
    PyObject *result = NULL;
    if (check_open(self, "readinto of closed file") < 0 || enter(self) < 0) {
        goto release;
    }
    char *out = view.buf;
    Py_ssize_t done = take(self, out, view.len), got = 0;
    if (begin_reading(self) < 0) {
        goto unlock;
    }
    while (done < view.len) {
        Py_ssize_t rest = view.len - done;
        if (once && done > 0 && rest <= self->size) {
            break;              /* no need to read ahead for it */
        }
        if (rest > self->size) {
            forget_read(self);
            got = raw_read(self, out + done, rest);
            if (got > 0) {
                done += got;
            }
        }
        else {
            got = fill(self);
            done += take(self, out + done, rest);
        }
        if (got == -1) {
            goto unlock;
        }
        if (got == 0 || got == WOULD_BLOCK || once) {
            break;
        }
    }
    result = done == 0 && got == WOULD_BLOCK ? Py_NewRef(Py_None) : PyLong_FromSsize_t(done);
unlock:
    leave(self);
release:
    PyBuffer_Release(&view);
    return result;
}

static PyObject *
buffered_readinto(PyObject *op, PyObject *arg)
{
    return readinto_generic(op, arg, 0);
}

static PyObject *
buffered_readinto1(PyObject *op, PyObject *arg)
{
    return readinto_generic(op, arg, 1);
}

static PyObject *
buffered_peek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    if (!_PyArg_CheckPositional("peek", nargs, 0, 1)) {
        return NULL;
    }
    if (nargs == 1 && PyNumber_AsSsize_t(args[0], PyExc_OverflowError) == -1
        && PyErr_Occurred()) {
        return NULL;
    }
    if (check_open(self, "peek of closed file") < 0 || enter(self) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    /* A file that can be written to is read again, for as much as the buffer holds. */
    if (begin_reading(self) == 0 && (!self->writable || unread(self) == 0)
        && (UNREAD(self) > 0 || fill(self) != -1)) {
        result = PyBytes_FromStringAndSize(self->buffer + self->pos, UNREAD(self));
    }
    leave(self);
    return result;
}

/* Adds n bytes to a line of which `used` bytes are there. A bytes object of one byte may
   be a shared one, so the line is first allocated, then filled. */
static int
extend_line(PyObject **line, Py_ssize_t used, const char *data, Py_ssize_t n)
{
    if (used == 0) {
        *line = PyBytes_FromStringAndSize(NULL, n);
    }
    else {
        _PyBytes_Resize(line, used + n);
    }
    if (*line == NULL) {
        return -1;
    }
    memcpy(PyBytes_AS_STRING(*line) + used, data, (size_t)n);
    return 0;
}

/* Reads a line, of at most limit bytes unless that is negative. Call with the lock. */
static PyObject *
read_line_locked(buffered *self, Py_ssize_t limit)
{
    PyObject *line = NULL;
    Py_ssize_t used = 0;
    if (begin_reading(self) < 0) {
        return NULL;
    }
    for (;;) {
        Py_ssize_t n = UNREAD(self);
        if (limit >= 0 && n > limit - used) {
            n = limit - used;
        }
        const char *start = self->buffer + self->pos;
        const char *newline = n > 0 ? memchr(start, '\n', (size_t)n) : NULL;
        int complete = newline != NULL || (limit >= 0 && n == limit - used);
        if (newline != NULL) {
            n = newline - start + 1;
        }
        self->pos += n;
        if (complete && used == 0) {
            return PyBytes_FromStringAndSize(start, n);
        }
        if (n > 0 && extend_line(&line, used, start, n) < 0) {
            return NULL;
        }
        used += n;
        if (complete) {
            return line;
        }
        Py_ssize_t got = fill(self);
        if (got == -1) {
            Py_XDECREF(line);
            return NULL;
        }
        if (got <= 0) {
            return line != NULL ? line : PyBytes_FromStringAndSize(NULL, 0);
        }
    }
}

/* The length of the next line, if all of it has been read ahead and nothing forbids taking it at
   once; otherwise 0. If nobody owns the object, a thread that keeps the GIL need not either. */
static inline Py_ssize_t
line_at_hand(const buffered *self)
{
    if (!self->ok || self->state != READING || self->pos >= self->end || self->owner != 0
        || !self->raw_is_fileio) {
        return 0;
    }
    const char *start = self->buffer + self->pos;
    const char *newline = memchr(start, '\n', (size_t)(self->end - self->pos));
    return newline == NULL ? 0 : newline - start + 1;
}

static PyObject *
read_line(buffered *self, Py_ssize_t limit)
{
    Py_ssize_t n = limit < 0 ? line_at_hand(self) : 0;
    if (n > 0) {
        self->pos += n;
        return PyBytes_FromStringAndSize(self->buffer + self->pos - n, n);
    }
    if (check_open(self, "readline of closed file") < 0 || enter(self) < 0) {
        return NULL;
    }
    PyObject *line = read_line_locked(self, limit);
    leave(self);
    return line;
}

static PyObject *
buffered_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    Py_ssize_t limit;
    if (!_PyIO_size_arg("readline", args, nargs, &limit)
        || check_init((buffered *)op) < 0) {
        return NULL;
    }
    return read_line((buffered *)op, limit);
}

static PyObject *
buffered_iternext(PyObject *op)
{
    buffered *self = (buffered *)op;
    if (check_init(self) < 0) {
        return NULL;
    }
    PyObject *line;
    if (Py_IS_TYPE(op, &PyBufferedReader_Type) || Py_IS_TYPE(op, &PyBufferedRandom_Type)) {
        line = read_line(self, -1);
    }
    else {
        line = PyObject_CallMethodNoArgs(op, _Py_NAME(readline));
        if (line != NULL && !PyBytes_Check(line)) {
            PyErr_Format(PyExc_OSError,
                         "readline() should have returned a bytes object, not '%.200s'",
                         Py_TYPE(line)->tp_name);
            Py_CLEAR(line);
        }
    }
    if (line != NULL && PyBytes_GET_SIZE(line) == 0) {
        Py_CLEAR(line);
    }
    return line;
}

/* ------------------------------------------------------------------ writing */

/* Appends as much as fits. */
static Py_ssize_t
stow(buffered *self, const char *data, Py_ssize_t n)
{
    Py_ssize_t room = self->size - (self->state == WRITING ? self->end : 0);
    if (n > room) {
        n = room;
    }
    if (n > 0) {
        if (self->state != WRITING) {
            self->state = WRITING;
            self->pos = self->end = 0;
        }
        memcpy(self->buffer + self->end, data, (size_t)n);
        self->end += n;
    }
    return n;
}

/* Takes n bytes. -1 with an exception; then *taken says how many it took. */
static int
write_locked(buffered *self, const char *data, Py_ssize_t n, Py_ssize_t *taken)
{
    *taken = 0;
    if (self->state != WRITING) {
        self->sought_back = UNREAD(self) > 0;
        if (unread(self) < 0) {
            return -1;
        }
    }
    Py_ssize_t room = self->size - (self->state == WRITING ? self->end : 0);
    if (n <= room) {
        *taken = stow(self, data, n);
        return 0;
    }
    if (flush_pending(self) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_BlockingIOError)) {
            return -1;
        }
        PyErr_Clear();
        *taken = stow(self, data, n);
        if (*taken < n) {
            _PyIO_RaiseWouldBlock(*taken);
            return -1;
        }
        return 0;
    }
    while (n - *taken > self->size) {
        Py_ssize_t got = raw_write(self, data + *taken, n - *taken);
        if (got == WOULD_BLOCK) {
            *taken += stow(self, data + *taken, n - *taken);
            if (*taken < n) {
                _PyIO_RaiseWouldBlock(*taken);
                return -1;
            }
            return 0;
        }
        if (got < 0 || (*taken += got, PyErr_CheckSignals() < 0)) {
            return -1;
        }
    }
    *taken += stow(self, data + *taken, n - *taken);
    return 0;
}

static int
write_bytes(buffered *self, const char *data, Py_ssize_t n, Py_ssize_t *taken)
{
    *taken = 0;
    if (enter(self) < 0) {
        return -1;
    }
    /* Checked under the lock: another thread may have closed the file. */
    int rc = raw_is_closed(self);
    if (rc > 0) {
        PyErr_SetString(PyExc_ValueError, "write to closed file");
    }
    rc = rc != 0 ? -1 : write_locked(self, data, n, taken);
    leave(self);
    return rc;
}

static PyObject *
buffered_write(PyObject *op, PyObject *arg)
{
    buffered *self = (buffered *)op;
    Py_buffer view;
    if (check_init(self) < 0) {
        return NULL;
    }
    if (PyObject_GetBuffer(arg, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    Py_ssize_t taken;
    int rc = write_bytes(self, view.buf, view.len, &taken);
    PyBuffer_Release(&view);
    return rc < 0 ? NULL : PyLong_FromSsize_t(taken);
}

int
_PyBuffered_HasOwnWrite(PyObject *op)
{
    buffered *self = (buffered *)op;
    return (Py_IS_TYPE(op, &PyBufferedWriter_Type) || Py_IS_TYPE(op, &PyBufferedRandom_Type))
        && (self->dict == NULL || PyDict_GET_SIZE(self->dict) == 0);
}

int
_PyBuffered_Write(PyObject *op, const char *data, Py_ssize_t n, Py_ssize_t *taken)
{
    *taken = 0;
    return check_init((buffered *)op) < 0 ? -1
        : write_bytes((buffered *)op, data, n, taken);
}

/* ----------------------------------------------------------------- position */

static PyObject *
buffered_tell(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    buffered *self = (buffered *)op;
    if (check_init(self) < 0) {
        return NULL;
    }
    Py_off_t pos = raw_tell(self);
    if (pos < 0) {
        return NULL;
    }
    pos += self->state == WRITING ? self->end : -UNREAD(self);
    return PyLong_FromLongLong(pos < 0 ? 0 : pos);
}

static PyObject *
seek_locked(buffered *self, Py_off_t target, int whence)
{
    if (whence != 2 && self->readable && self->state == READING) {
        /* A move within what was read ahead needs no system call. As in CPython, what somebody
           else has done to the raw file in the meantime is not noticed. */
        if (self->raw_at < 0 && (self->raw_at = raw_tell(self)) < 0) {
            return NULL;
        }
        Py_off_t now = self->raw_at - UNREAD(self);
        Py_off_t delta = whence == 0 ? target - now : target;
        if (delta >= -self->pos && delta <= UNREAD(self)) {
            self->pos += delta;
            return PyLong_FromLongLong(now + delta);
        }
    }
    if (flush_pending(self) < 0) {
        return NULL;
    }
    if (whence == 1) {
        target -= UNREAD(self);
    }
    Py_off_t pos = raw_seek(self, target, whence);
    if (pos < 0) {
        return NULL;
    }
    forget_read(self);
    return PyLong_FromLongLong(pos);
}

static PyObject *
buffered_seek(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    int whence = 0;
    if (!_PyArg_CheckPositional("seek", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 2 && (whence = _PyLong_AsInt(args[1])) == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (check_init(self) < 0) {
        return NULL;
    }
    /* Other values are left for the system to check. */
    if (whence < 0 || (whence > 2 && whence != SEEK_DATA && whence != SEEK_HOLE)) {
        return PyErr_Format(PyExc_ValueError, "whence value %d unsupported", whence);
    }
    int closed = raw_is_closed(self);
    if (closed) {
        if (closed > 0) {
            PyErr_SetString(PyExc_ValueError, "seek of closed file");
        }
        return NULL;
    }
    PyObject *raw = Py_NewRef(self->raw);
    PyObject *seekable = _PyIOBase_check_seekable(raw, Py_True);
    Py_DECREF(raw);
    if (seekable == NULL) {
        return NULL;
    }
    Py_off_t target = _PyIO_off(args[0], PyExc_ValueError);
    if ((target == -1 && PyErr_Occurred()) || enter(self) < 0) {
        return NULL;
    }
    PyObject *result = seek_locked(self, target, whence);
    leave(self);
    return result;
}

static PyObject *
buffered_truncate(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    buffered *self = (buffered *)op;
    if (!_PyArg_CheckPositional("truncate", nargs, 0, 1) || check_init(self) < 0) {
        return NULL;
    }
    int closed = raw_is_closed(self);
    if (closed) {
        if (closed > 0) {
            PyErr_SetString(PyExc_ValueError, "truncate of closed file");
        }
        return NULL;
    }
    if (!self->writable) {
        return _PyIO_RaiseUnsupported("truncate");
    }
    if (enter(self) < 0) {
        return NULL;
    }
    PyObject *result = NULL;
    if (flush_pending(self) == 0 && unread(self) == 0) {
        PyObject *pos = nargs == 0 || args[0] == Py_None
            ? PyObject_CallMethodNoArgs(self->raw, _Py_NAME(tell)) : Py_NewRef(args[0]);
        if (pos != NULL) {
            result = PyObject_CallMethodOneArg(self->raw, _Py_NAME(truncate), pos);
            Py_DECREF(pos);
        }
    }
    leave(self);
    return result;
}

/* ---------------------------------------------------------------- the types */

#define M_READ {"read", FAST(buffered_read), "read($self, size=-1, /)\n--\n\nReads bytes."}, \
    {"read1", FAST(buffered_read1), "read1($self, size=-1, /)\n--\n\nReads with at most one raw read."}, \
    {"readinto", buffered_readinto, METH_O, "readinto($self, buffer, /)\n--\n\n"}, \
    {"readinto1", buffered_readinto1, METH_O, "readinto1($self, buffer, /)\n--\n\n"}, \
    {"peek", FAST(buffered_peek), "peek($self, size=0, /)\n--\n\nBytes without moving the position."}, \
    {"readline", FAST(buffered_readline), "readline($self, size=-1, /)\n--\n\nReads a line."}
#define M_COMMON {"detach", buffered_detach, METH_NOARGS, NULL}, \
    {"close", buffered_close, METH_NOARGS, NULL}, \
    {"seekable", buffered_seekable, METH_NOARGS, NULL}, \
    {"fileno", buffered_fileno, METH_NOARGS, NULL}, \
    {"isatty", buffered_isatty, METH_NOARGS, NULL}, \
    {"_dealloc_warn", buffered_dealloc_warn, METH_O, NULL}, \
    {"seek", FAST(buffered_seek), "seek($self, target, whence=0, /)\n--\n\nMoves the position."}, \
    {"tell", buffered_tell, METH_NOARGS, NULL}, \
    {"truncate", FAST(buffered_truncate), "truncate($self, pos=None, /)\n--\n\nCuts the file."}, \
    {"__sizeof__", buffered_sizeof, METH_NOARGS, NULL}
#define M_WRITE {"write", buffered_write, METH_O, "write($self, buffer, /)\n--\n\nWrites bytes."}

static PyMethodDef reader_methods[] = {
    M_READ, M_COMMON,
    {"flush", reader_flush, METH_NOARGS, NULL},
    {"readable", buffered_readable, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef writer_methods[] = {
    M_WRITE, M_COMMON,
    {"flush", buffered_flush, METH_NOARGS, NULL},
    {"writable", buffered_writable, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef random_methods[] = {
    M_READ, M_WRITE, M_COMMON,
    {"flush", buffered_flush, METH_NOARGS, NULL},
    {"readable", buffered_readable, METH_NOARGS, NULL},
    {"writable", buffered_writable, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef buffered_members[] = {
    {"raw", T_OBJECT, offsetof(buffered, raw), READONLY, NULL},
    {"_finalizing", T_BOOL, offsetof(buffered, finalizing), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef buffered_getset[] = {
    {"closed", buffered_get_closed, NULL, NULL, NULL},
    {"name", buffered_get_name, NULL, NULL, NULL},
    {"mode", buffered_get_mode, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

#define BUFFERED_TYPE(type, name, doc, methods, init, next) \
PyTypeObject type = { \
    PyVarObject_HEAD_INIT(&PyType_Type, 0) \
    .tp_name = "_io." name, \
    .tp_basicsize = sizeof(buffered), \
    .tp_dealloc = (destructor)buffered_dealloc, \
    .tp_repr = buffered_repr, \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, \
    .tp_doc = name "(raw, buffer_size=DEFAULT_BUFFER_SIZE)\n--\n\n" doc, \
    .tp_traverse = (traverseproc)buffered_traverse, \
    .tp_clear = (inquiry)buffered_clear, \
    .tp_weaklistoffset = offsetof(buffered, weakreflist), \
    .tp_iternext = next, \
    .tp_methods = methods, \
    .tp_members = buffered_members, \
    .tp_getset = buffered_getset, \
    .tp_base = &PyBufferedIOBase_Type, \
    .tp_dictoffset = offsetof(buffered, dict), \
    .tp_init = init, \
    .tp_new = PyType_GenericNew, \
}

BUFFERED_TYPE(PyBufferedReader_Type, "BufferedReader", "A buffer over a readable raw file.",
              reader_methods, reader_init, buffered_iternext);
BUFFERED_TYPE(PyBufferedWriter_Type, "BufferedWriter", "A buffer over a writable raw file.",
              writer_methods, writer_init, NULL);
BUFFERED_TYPE(PyBufferedRandom_Type, "BufferedRandom",
              "A buffer over a raw file that can seek, read and write.", random_methods,
              random_init, buffered_iternext);
