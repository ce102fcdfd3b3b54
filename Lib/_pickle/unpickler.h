/* The unpickler from inside: its state and its input. */
#ifndef SB_UNPICKLER_H
#define SB_UNPICKLER_H

#include "pickle_impl.h"

/* The stack holds objects. A mark is the size that the stack had when MARK was executed;
   marks are kept on a stack of their own. Opcodes must not reach below the last mark.

   The input is a block of bytes; `next` is the index of the first byte not used yet. The
   block is the whole input (loads()), or a piece of the file: bytes that were read or, if
   the file has peek(), bytes that were only peeked at. Of the latter, those before
   `consumed` have also been read. Before more input is requested, the bytes between
   consumed and next must be read from the file, too. */
typedef struct {
    PyObject_HEAD
    PyObject **stack;
    Py_ssize_t size;
    Py_ssize_t room;
    Py_ssize_t fence;
    Py_ssize_t *marks;
    Py_ssize_t n_marks;
    Py_ssize_t marks_room;

    PyObject **memo;            /* by number; NULL where there is nothing */
    size_t memo_room;
    size_t memo_used;

    const char *input;
    Py_ssize_t input_length;
    Py_ssize_t next;
    Py_ssize_t consumed;
    Py_buffer view;             /* what the input lies in */
    char *line;                 /* the last line read, with a NUL */

    PyObject *read;             /* methods of the file; NULL for loads() */
    PyObject *readinto;         /* or NULL */
    PyObject *readline;
    PyObject *peek;             /* or NULL */
    PyObject *buffers;          /* iterator or NULL */
    struct method_ref persistent_load;
    char *encoding;
    char *errors;
    int proto;
    int fix_imports;
} Unpickler;

/* input.c. -1 (or NULL) with an exception. */
int _PyUnpickler_SetBytes(Unpickler *, PyObject *bytes);
void _PyUnpickler_DropInput(Unpickler *);
/* Makes n bytes contiguous, reading more from the file if necessary. */
const char *_PyUnpickler_ReadMore(Unpickler *, Py_ssize_t n);
int _PyUnpickler_ReadInto(Unpickler *, char *memory, Py_ssize_t n);
/* Reads a line with its newline, NUL-terminated. Returns the length, at least 1. */
Py_ssize_t _PyUnpickler_ReadLine(Unpickler *, char **line);
/* Moves the file's position behind the bytes that have been used. */
int _PyUnpickler_Finish(Unpickler *);

static inline const char *
read_bytes(Unpickler *self, Py_ssize_t n)
{
    if (n <= self->input_length - self->next) {
        const char *p = self->input + self->next;
        self->next += n;
        return p;
    }
    return _PyUnpickler_ReadMore(self, n);
}

/* In load.c: runs the opcodes. Returns a new reference. */
PyObject *_PyUnpickler_Run(Unpickler *);
void _PyUnpickler_ClearStack(Unpickler *);
/* Steals obj. */
int _PyUnpickler_MemoPut(Unpickler *, size_t number, PyObject *obj);
PyObject *_PyUnpickler_FindClass(Unpickler *, PyObject *module_name,
                                 PyObject *name);

#endif
