/* Objects that machine code gives up: dying.c. */
#ifndef SB_JIT_DYING_H
#define SB_JIT_DYING_H

#include "Python.h"

/* Can no other code run when an object of this class is destroyed? NULL: it is not known. */
int _PyJit_IsInert(const PyTypeObject *cls);
/* Can't anybody look when this object, which nothing refers to any more, or one reference that
   goes, is destroyed, with all that is destroyed then? */
int _PyJit_DiesQuietly(PyObject *object);

#endif
