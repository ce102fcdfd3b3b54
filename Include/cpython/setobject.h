/* The layout of sets. */
#ifndef Py_CPYTHON_SETOBJECT_H
#define Py_CPYTHON_SETOBJECT_H

_Py_BEGIN_DECLS

/* The number of entries in the built-in table for small sets. */
#define PySet_MINSIZE 8

typedef struct {
    PyObject *key;
    Py_hash_t hash;
} setentry;

typedef struct {
    PyObject_HEAD
    Py_ssize_t fill;        /* entries in use or deleted */
    Py_ssize_t used;
    Py_ssize_t mask;        /* size of the table, a power of two, less 1 */
    setentry *table;        /* smalltable, or allocated */
    Py_hash_t hash;         /* of a frozenset, or -1 */
    Py_ssize_t finger;      /* where pop() continues */
    setentry smalltable[PySet_MINSIZE];
    PyObject *weakreflist;
} PySetObject;

#define PySet_GET_SIZE(so) \
    (assert(PyAnySet_Check(so)), (_Py_CAST(PySetObject *, (so)))->used)

/* The key of a deleted entry. */
PyAPI_DATA(PyObject *) _PySet_Dummy;
/* Returns 1 and the next entry, whose key is borrowed, or 0 at the end. */
PyAPI_FUNC(int) _PySet_NextEntry(PyObject *set, Py_ssize_t *pos, PyObject **key,
    Py_hash_t *hash);
PyAPI_FUNC(int) _PySet_Update(PyObject *set, PyObject *iterable);

_Py_END_DECLS
#endif
