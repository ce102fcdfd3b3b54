/* What the files of _functools share. Only the public C API is used. */
#ifndef SB_FUNCTOOLS_IMPL_H
#define SB_FUNCTOOLS_IMPL_H

#define PY_SSIZE_T_CLEAN
#include "Python.h"
#include "internal/pystate.h"

extern PyTypeObject _PyPartial_Type;
extern PyTypeObject _PyLruCache_Type;
extern PyTypeObject _PyLruLink_Type;

/* Separates positional from keyword arguments in a cache key. */
extern PyObject *_PyLruCache_KeywordMark;

#endif
