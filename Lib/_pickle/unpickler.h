/* The unpickler from inside: its state and its input. */
#ifndef SB_UNPICKLER_H
#define SB_UNPICKLER_H

#include "pickle_impl.h"

/* The stack holds objects. A mark is the stack's size at that moment, on a stack of
   its own; the last mark is a fence below which opcodes must not reach.

   The input is a block of bytes, of which `next` is the index of the first one not
   used yet. It is all there is (loads()), or a piece of the file: what was read,
   or, if the file has peek(), what was only looked at. Of the latter, bytes up to
   `consumed` have also been read; the file has to be told about those between
   consumed and next before it is asked for more. */
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
/* Makes n bytes contiguous, the file being asked for more if need be. */
const char *_PyUnpickler_ReadMore(Unpickler *, Py_ssize_t n);
int _PyUnpickler_ReadInto(Unpickler *, char *memory, Py_ssize_t n);
/* A line with its newline, NUL-terminated. The length, at least 1. */
Py_ssize_t _PyUnpickler_ReadLine(Unpickler *, char **line);
/* The file is put behind what has been used. */
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

/* load.c: runs the opcodes. New reference. */
PyObject *_PyUnpickler_Run(Unpickler *);
void _PyUnpickler_ClearStack(Unpickler *);
/* Steals obj. */
int _PyUnpickler_MemoPut(Unpickler *, size_t number, PyObject *obj);
PyObject *_PyUnpickler_FindClass(Unpickler *, PyObject *module_name,
                                 PyObject *name);

#endif
