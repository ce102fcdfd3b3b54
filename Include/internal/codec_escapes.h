/* What the error handlers "backslashreplace" and "xmlcharrefreplace" write for a character. */
#ifndef SB_INTERNAL_CODEC_ESCAPES_H
#define SB_INTERNAL_CODEC_ESCAPES_H

#include "Python.h"

#define _PyCodec_ESCAPE_MAX 10

/* Return the length. */
int _PyCodec_WriteBackslash(char *text, Py_UCS4 ch);
int _PyCodec_WriteReference(char *text, Py_UCS4 ch);

#endif
