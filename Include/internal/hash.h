/* Hashing: the secret, and the kernels of hash(). */
#ifndef SB_INTERNAL_HASH_H
#define SB_INTERNAL_HASH_H

#include "Python.h"

/* Sets _Py_HashSecret. use_seed == 0: from the system's random source;
   otherwise from `seed` as PYTHONHASHSEED prescribes (0: all zero).
   Must run before the first string is hashed.
   Returns 0, or -1 when the random source fails (no exception is set). */
int _Py_HashSecret_Init(int use_seed, unsigned long seed);

/* SipHash-1-3 with the key (key, 0): of hash-based .pyc files. */
uint64_t _Py_KeyedHash(uint64_t key, const void *data, Py_ssize_t n);

#endif
