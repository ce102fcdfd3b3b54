/* hash() of a key, inline for the two types that most keys have. */
#ifndef SB_INTERNAL_KEYHASH_H
#define SB_INTERNAL_KEYHASH_H

#include "Python.h"
#include "internal/int.h"
#include "internal/unicode.h"

/* The hash of an exact str that has been hashed before, or of an exact small int; -1 without an
   exception for all others. */
static inline Py_hash_t
_Py_KnownHash(PyObject *op)
{
    if (PyUnicode_CheckExact(op)) {
        return _PyUnicode_CachedHash(op);
    }
    if (PyLong_CheckExact(op) && _PyLong_CheckCompact(op)) {
        /* Below the modulus, an int is its own hash; -1 says "error". */
        Py_hash_t value = (Py_hash_t)_PyLong_CompactValue(op);
        return value == -1 ? -2 : value;
    }
    return -1;
}

/* The same, found sooner for the small ints that exist once: its place tells which one it is. */
static inline Py_hash_t
_Py_KnownHashOfSmall(PyObject *op)
{
    uintptr_t offset = (uintptr_t)op - (uintptr_t)_PyLong_small_ints;
    if (offset < sizeof(_PyLong_small_ints)) {
        Py_hash_t value = (Py_hash_t)(offset / sizeof(_PyLong_small_ints[0])) - _PyLong_SMALL_NEG;
        return value == -1 ? -2 : value;
    }
    return _Py_KnownHash(op);
}

/* As PyObject_Hash(): -1 with an exception. */
static inline Py_hash_t
_Py_KeyHash(PyObject *op)
{
    Py_hash_t hash = _Py_KnownHash(op);
    return __builtin_expect(hash != -1, 1) ? hash : PyObject_Hash(op);
}

#endif
