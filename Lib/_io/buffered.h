/* The object of BufferedReader, BufferedWriter and BufferedRandom, for the files that implement
   them: buffered_owner.c (who may touch it), buffered_raw.c (calls of the raw file, and what the
   buffer holds), buffered_read.c, buffered_write.c and buffered.c (making and closing it, positions,
   the types).

   One buffer serves reading and writing. Invariants of a usable object:
   - state EMPTY:   the buffer holds nothing;
   - state READING: buffer[0, end) are the bytes of the file just before the raw position, of
                    which [pos, end) are still to be read;
   - state WRITING: buffer[0, end) are to be written at the raw position.
   So the position that the user sees is raw - (end - pos) or raw + end. A change from reading
   to writing seeks back over what was read ahead; a change from writing to reading flushes
   first. But read1() leaves what is pending where it is, as in CPython, unless the write has
   thrown away what was read ahead: so what a program writes to a text file in mode "r+" before
   it reads goes behind all that it has read. */
#ifndef SB_LIB_IO_BUFFERED_H
#define SB_LIB_IO_BUFFERED_H

#include "io_module.h"

enum { EMPTY, READING, WRITING };

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

/* How many bytes were read ahead. */
#define UNREAD(self) ((self)->state == READING ? (self)->end - (self)->pos : 0)

/* A count that says: the raw file would have to wait. */
#define WOULD_BLOCK (-2)

/* buffered_owner.c. The GIL alone does not protect the buffer: enter() before it is touched,
   leave() afterwards. 0, or -1 with an exception: this thread owns it already, or the object is not
   usable. own() is for making one usable, and close() needs no buffer. */
int _PyBuffered_own(buffered *self);
int _PyBuffered_enter_to_close(buffered *self);
int _PyBuffered_enter(buffered *self);
void _PyBuffered_leave(buffered *self);

/* buffered_raw.c. 0, or -1 with ValueError if not initialised, detached (or closed: `what`). */
int _PyBuffered_check_init(buffered *self);
int _PyBuffered_check_open(buffered *self, const char *what);

/* An attribute of the raw file, or what its method returns: a new reference or NULL. It may detach
   itself meanwhile. */
PyObject *_PyBuffered_raw_attribute(buffered *self, PyObject *name);
PyObject *_PyBuffered_call_raw(buffered *self, PyObject *name);
/* If it returns 0 or 1, there is still a raw file. */
int _PyBuffered_raw_is_closed(buffered *self);

/* For the owner. Counts, WOULD_BLOCK, or -1 with an exception; positions, or -1. */
Py_ssize_t _PyBuffered_raw_read(buffered *self, char *memory, Py_ssize_t n);
Py_ssize_t _PyBuffered_raw_write(buffered *self, const char *memory, Py_ssize_t n);
Py_off_t _PyBuffered_raw_tell(buffered *self);
Py_off_t _PyBuffered_raw_seek(buffered *self, Py_off_t target, int whence);

/* For the owner. Writes what is pending: 0, or -1 with an exception; bytes that could not be
   written stay, moved to the front. */
int _PyBuffered_flush_pending(buffered *self);
/* Forgets what was read ahead. */
void _PyBuffered_forget_read(buffered *self);
/* Moves the raw position to the user's position: 0 or -1. */
int _PyBuffered_unread(buffered *self);
/* Reads once into the empty buffer: a count, 0 at the end, WOULD_BLOCK or -1. */
Py_ssize_t _PyBuffered_fill(buffered *self);

/* buffered_read.c: METH_FASTCALL, METH_O, and tp_iternext. */
PyObject *_PyBuffered_read(PyObject *op, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyBuffered_read1(PyObject *op, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyBuffered_readinto(PyObject *op, PyObject *arg);
PyObject *_PyBuffered_readinto1(PyObject *op, PyObject *arg);
PyObject *_PyBuffered_peek(PyObject *op, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyBuffered_readline(PyObject *op, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyBuffered_iternext(PyObject *op);

/* buffered_write.c: METH_O. */
PyObject *_PyBuffered_write(PyObject *op, PyObject *arg);

#endif
