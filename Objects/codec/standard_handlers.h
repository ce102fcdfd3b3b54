/* The standard error handlers, for the codec registry, and what some of them write. */
#ifndef SB_INTERNAL_CODECS_H
#define SB_INTERNAL_CODECS_H

#include "Python.h"

/* Adds "strict", "ignore" and the others to a dict of error handlers. */
int _PyCodec_AddStandardHandlers(PyObject *handlers);

/* What the error handlers "backslashreplace" and "xmlcharrefreplace" write for a character.
   Return its length. */
#define _PyCodec_ESCAPE_MAX 10
int _PyCodec_WriteBackslash(char *text, Py_UCS4 ch);
int _PyCodec_WriteReference(char *text, Py_UCS4 ch);

#endif
