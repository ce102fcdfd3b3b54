/* Objects that machine code gives up: dying.c. */
#ifndef SB_JIT_DYING_H
#define SB_JIT_DYING_H

#include "Python.h"

/* Is it a number or a string? */
int _PyJit_HoldsNothing(PyObject *object);
/* Can't anybody look when this object, which nothing refers to any more, is destroyed, with all
   that is destroyed then? */
int _PyJit_DiesQuietly(PyObject *object);

#endif
