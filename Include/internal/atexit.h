/* The atexit module's registrations. */
#ifndef SB_INTERNAL_ATEXIT_H
#define SB_INTERNAL_ATEXIT_H

#include "Python.h"

/* Runs what is registered, last first, and forgets it. */
void _PyAtExit_Call(PyInterpreterState *);

#endif
