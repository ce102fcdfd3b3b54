/* The object types of _sre, as its files see them. */
#ifndef SB_LIB_SRE_OBJECTS_H
#define SB_LIB_SRE_OBJECTS_H

#include "sre.h"

extern PyType_Spec _Sre_MatchSpec;      /* match_object.c */

/* Returns text[start:end] in the text's own type; `buffer` is the memory of bytes. */
PyObject *_Sre_Slice(int isbytes, const void *buffer, PyObject *string, Py_ssize_t start,
                     Py_ssize_t end);

#endif
