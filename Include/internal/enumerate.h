/* enumerate() from inside: what machine code of loops needs. */
#ifndef SB_INTERNAL_ENUMERATE_H
#define SB_INTERNAL_ENUMERATE_H

#include "Python.h"

typedef struct {
    PyObject_HEAD
    Py_ssize_t index;           /* PY_SSIZE_T_MAX: use big_index */
    PyObject *iter;
    PyObject *pair;             /* reused if nothing else holds a reference to it */
    PyObject *big_index;        /* an int, or NULL */
    PyObject *one;
} _PyEnumerate;

/* The next item of one whose index is a machine word, which counts up: for a loop that unpacks
   the pair, and so does not need it. Like tp_iternext. */
PyObject *_PyEnumerate_NextItem(_PyEnumerate *self);

#endif
