/* A persistent map: adding to one gives another that shares most of the first.
   A hash array mapped trie; see Objects/context/hamt.c. */
#ifndef SB_INTERNAL_HAMT_H
#define SB_INTERNAL_HAMT_H

#include "Python.h"

typedef struct {
    PyObject_HEAD
    PyObject *root;             /* a node, NULL when empty */
    Py_ssize_t count;
    PyObject *weakrefs;
} _PyHamt;

extern PyTypeObject _PyHamt_Type;
extern PyTypeObject _PyHamtNode_Type;
extern PyTypeObject _PyHamtKeys_Type;
extern PyTypeObject _PyHamtValues_Type;
extern PyTypeObject _PyHamtItems_Type;

_PyHamt *_PyHamt_New(void);
/* New maps. _PyHamt_Without raises KeyError for a key that is not there. */
_PyHamt *_PyHamt_Assoc(_PyHamt *, PyObject *key, PyObject *value);
_PyHamt *_PyHamt_Without(_PyHamt *, PyObject *key);
/* 1 found (borrowed reference), 0 not, -1 error. */
int _PyHamt_Find(_PyHamt *, PyObject *key, PyObject **value);
int _PyHamt_Eq(_PyHamt *, _PyHamt *);
PyObject *_PyHamt_NewIter(_PyHamt *, PyTypeObject *kind);

#endif
