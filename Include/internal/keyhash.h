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

/* As PyObject_Hash(): -1 with an exception. */
static inline Py_hash_t
_Py_KeyHash(PyObject *op)
{
    Py_hash_t hash = _Py_KnownHash(op);
    return __builtin_expect(hash != -1, 1) ? hash : PyObject_Hash(op);
}

#endif
