/* The standard error handlers, for the codec registry. */
#ifndef SB_INTERNAL_CODECS_H
#define SB_INTERNAL_CODECS_H

#include "Python.h"

/* Adds "strict", "ignore" and the others to a dict of error handlers. */
int _PyCodec_AddStandardHandlers(PyObject *handlers);

#endif
