/* What the files of the _io module share.

   Layers: raw files (fileio.c), buffers over raw files (buffered.c), text over buffers
   (textio.c), and the two memory files. iobase.c holds the abstract bases, which
   implement what works for any file; module.c has open(). A layer calls the one below by
   method names only, so that either may be replaced by a Python class. */
#ifndef SB_LIB_IO_MODULE_H
#define SB_LIB_IO_MODULE_H

#include "Python.h"
#include "internal/getargs.h"
#include "structmember.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/pystate.h"

#define DEFAULT_BUFFER_SIZE 8192
typedef off_t Py_off_t;

extern PyTypeObject PyIOBase_Type, PyRawIOBase_Type, PyBufferedIOBase_Type, PyTextIOBase_Type;
extern PyTypeObject PyFileIO_Type, PyBytesIO_Type, PyStringIO_Type;
extern PyTypeObject PyBufferedReader_Type, PyBufferedWriter_Type, PyBufferedRWPair_Type,
                    PyBufferedRandom_Type, PyTextIOWrapper_Type,
                    PyIncrementalNewlineDecoder_Type;
PyAPI_DATA(PyTypeObject) _PyBytesIOBuffer_Type;    /* _testcapi wants it */

/* Returns a borrowed reference: io.UnsupportedOperation. */
PyObject *_PyIO_Unsupported(void);
/* Raises it with a message: NULL. */
PyObject *_PyIO_RaiseUnsupported(const char *message);
/* Raises BlockingIOError; `written` becomes its characters_written. */
void _PyIO_RaiseWouldBlock(Py_ssize_t written);

/* Return a borrowed reference to Py_True, or NULL with ValueError / UnsupportedOperation. */
PyObject *_PyIOBase_check_closed(PyObject *self, PyObject *args);
PyObject *_PyIOBase_check_readable(PyObject *self, PyObject *args);
PyObject *_PyIOBase_check_writable(PyObject *self, PyObject *args);
PyObject *_PyIOBase_check_seekable(PyObject *self, PyObject *args);

/* For tp_dealloc of the types here: calls close() unless closed. -1: the
   object was resurrected. */
int _PyIOBase_finalize(PyObject *self);

/* For tp_dealloc, after that: the object is no longer seen by the collector, nor by weak
   references. */
static inline void
_PyIO_BeginDealloc(PyObject *self, PyObject *weakreflist)
{
    PyObject_GC_UnTrack(self);
    if (weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
}

/* The layers of one file may become garbage together, and the collector finalizes them in
   any order. A lower layer must not be closed before the upper one has written what it
   holds, so it knows the object above it: a borrowed reference, NULL if unknown. The
   upper layer clears it when it goes away. */
void _PyIO_SetUpper(PyObject *lower, PyObject *upper);
void _PyIO_ForgetUpper(PyObject *lower, PyObject *upper);
PyObject **_PyFileIO_Upper(PyObject *self);
PyObject **_PyBuffered_Upper(PyObject *self);

/* If the exception in flight is an OSError for EINTR, clears it and returns 1: try again. */
int _PyIO_trap_eintr(void);

/* "O&" converter of sizes: None means -1. */
int _PyIO_optional_size(PyObject *obj, Py_ssize_t *size);

/* An off_t from an int object; -1 with an exception (of type err, or
   OverflowError). */
Py_off_t _PyIO_off(PyObject *obj, PyObject *err);

/* Finds the first line in [start, end). Returns the position just behind its newline, or
   -1 with *consumed set to the number of characters that need not be searched again. */
Py_ssize_t _PyIO_find_line_ending(int translated, int universal, PyObject *readnl, int kind,
                                  const char *start, const char *end, Py_ssize_t *consumed);

/* For __setstate__ of the memory files: a pickled position ("position value cannot
   be negative") and a dict or None that joins *own_dict. The messages say which
   item of the state is wrong. 0, or -1 with an exception set. */
int _PyIO_RestorePosition(PyObject *position, Py_ssize_t *pos, const char *message);
int _PyIO_RestoreDict(PyObject *dict, PyObject **own_dict, const char *which);

/* Locale encoding's name. New reference. */
PyObject *_PyIO_LocaleEncoding(void);

/* Decodes with an incremental decoder and checks that the result is a str. */
PyObject *_PyIncrementalNewlineDecoder_decode(PyObject *self, PyObject *input, int final);

PyObject *_PyFileIO_closed(PyObject *self);     /* borrowed bool */

/* Like write(), but without a bytes object, for a buffer of a type defined here whose
   write() has not been overridden. Returns 0, or -1 with an exception; *taken says how
   many of the bytes were taken nevertheless. */
int _PyBuffered_HasOwnWrite(PyObject *op);
int _PyBuffered_Write(PyObject *op, const char *data, Py_ssize_t n, Py_ssize_t *taken);

/* n from an optional positional size argument of a METH_FASTCALL method. */
static inline int
_PyIO_size_arg(const char *name, PyObject *const *args, Py_ssize_t nargs, Py_ssize_t *size)
{
    *size = -1;
    if (!_PyArg_CheckPositional(name, nargs, 0, 1)) {
        return 0;
    }
    if (nargs == 1 && PyLong_CheckExact(args[0])) {
        *size = PyLong_AsSsize_t(args[0]);
        if (*size != -1) {
            return 1;
        }
        PyErr_Clear();          /* if it was an error, it will be again */
    }
    return nargs == 0 || _PyIO_optional_size(args[0], size);
}

#endif
