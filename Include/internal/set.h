/* Sets from inside. */
#ifndef SB_INTERNAL_SET_H
#define SB_INTERNAL_SET_H

#include "Python.h"

/* 1 present, 0 absent, -1 exception; no conversion of unhashable sets. */
int _PySet_ContainsKey(PySetObject *set, PyObject *key, Py_hash_t hash);
int _PySet_AddSteal(PySetObject *set, PyObject *key);
/* frozenset() or set() of n borrowed items. */
PyObject *_PySet_FromArray(PyTypeObject *type, PyObject *const *items,
                           Py_ssize_t n);

#endif
