/* How data reaches a hash object: what may be hashed, and the object's lock. */
#ifndef SB_HASH_INPUT_H
#define SB_HASH_INPUT_H

#include "Python.h"

/* Feeds the bytes of an object to `state` under the lock, a large update without the GIL.
   `feed` returns 0 if it fails, without setting an exception. Returns the result of
   `feed`, or -1 with TypeError or BufferError. */
int _PyHash_Feed(PyObject *data, PyThread_type_lock lock,
                 int (*feed)(void *state, const void *bytes, size_t n), void *state);

#endif
