/* Splitting text into lists of slices, for str, bytes and bytearray. */
#ifndef SB_INTERNAL_TEXTSPLIT_H
#define SB_INTERNAL_TEXTSPLIT_H

#include "Python.h"

/* Which characters are white space and line ends. */
typedef enum { _PyText_BYTES, _PyText_STR } _PyText_Flavour;

/* owner[start:end], which may be owner itself. Returns a new reference. */
typedef PyObject *(*_PyText_SliceFunc)(PyObject *owner, Py_ssize_t start,
                                       Py_ssize_t end);

/* What slices are, except of all of it: they are made without slice() where that is known. */
typedef enum { _PyText_BY_SLICE, _PyText_ASCII_STRS, _PyText_BYTES_OBJECTS } _PyText_Parts;

typedef struct {
    PyObject *owner;
    const void *data;
    Py_ssize_t length;
    int kind;
    _PyText_Flavour flavour;
    _PyText_SliceFunc slice;
    _PyText_Parts parts;
} _PyText_Source;

/* New lists. sep == NULL: runs of white space. m is at least 1 otherwise
   (an empty separator is the caller's ValueError). maxsplit < 0: no limit. */
PyObject *_PyText_Split(const _PyText_Source *text, const void *sep,
                        Py_ssize_t m, Py_ssize_t maxsplit);
PyObject *_PyText_RSplit(const _PyText_Source *text, const void *sep,
                         Py_ssize_t m, Py_ssize_t maxsplit);
PyObject *_PyText_SplitLines(const _PyText_Source *text, int keepends);

/* White space as bytes.isspace() sees it. */
extern const unsigned char _PyBytes_IsSpaceTable[256];

#endif
