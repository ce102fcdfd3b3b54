/* Strings that the interpreter itself looks up, interned once at start-up.

   names.def lists them, one NAME(identifier) or NAME_AS(identifier, "text")
   per line; _Py_NAME(identifier) is a borrowed reference to the string, which
   is never freed. */
#ifndef SB_INTERNAL_NAMES_H
#define SB_INTERNAL_NAMES_H

#include "Python.h"

struct _Py_names {
#define NAME(identifier) PyObject *identifier;
#define NAME_AS(identifier, text) PyObject *identifier;
#include "internal/names.def"
#undef NAME
#undef NAME_AS
};

extern struct _Py_names _Py_names;

#define _Py_NAME(identifier) (_Py_names.identifier)

/* Interns every name. Returns 0, or -1 with an exception set. */
int _PyNames_Init(void);

#endif
