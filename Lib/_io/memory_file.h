/* What the two files in memory share, BytesIO (bytesio.c) and StringIO (stringio.c): a
   position in a content that is not on any disk. The position may lie behind the end. */
#ifndef SB_LIB_IO_MEMORY_FILE_H
#define SB_LIB_IO_MEMORY_FILE_H

#include "io_module.h"

typedef struct {
    PyObject_HEAD
    Py_ssize_t pos, size;       /* in bytes, or in characters */
    PyObject *dict;
    PyObject *weakreflist;
} memory_file;

/* Returns n, or what is left if that is less or if n is negative. */
static inline Py_ssize_t
memory_at_most(const memory_file *file, Py_ssize_t n)
{
    Py_ssize_t left = file->size > file->pos ? file->size - file->pos : 0;
    return n < 0 || n > left ? left : n;
}

/* The arguments of seek(). 0, or -1 with an exception. */
static inline int
memory_seek_args(PyObject *const *args, Py_ssize_t nargs, Py_ssize_t *pos, int *whence)
{
    *whence = 0;
    if (!_PyArg_CheckPositional("seek", nargs, 1, 2) || _PyArg_AsSsize(args[0], pos) < 0) {
        return -1;
    }
    return nargs == 2 && (*whence = _PyLong_AsInt(args[1])) == -1 && PyErr_Occurred() ? -1 : 0;
}

/* The argument of truncate(): by default the position. 0, or -1 with an exception. */
static inline int
memory_truncate_arg(const memory_file *file, PyObject *const *args, Py_ssize_t nargs,
                    Py_ssize_t *size)
{
    *size = file->pos;
    return _PyArg_CheckPositional("truncate", nargs, 0, 1)
           && (nargs == 0 || args[0] == Py_None || _PyIO_optional_size(args[0], size)) ? 0 : -1;
}

/* For __getstate__(): a copy of the dict, or None. Returns a new reference. */
static inline PyObject *
memory_copy_dict(const memory_file *file)
{
    return file->dict == NULL ? Py_NewRef(Py_None) : PyDict_Copy(file->dict);
}

#endif
