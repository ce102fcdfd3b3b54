/* Entries of method tables, {"name", FAST(function), "doc"}: the function, cast to
   PyCFunction, and the flags that say how it is really called. More flags may follow:
   {"name", FAST(function) | METH_CLASS, "doc"}. */

#ifndef Py_INTERNAL_METHOD_TABLE_H
#define Py_INTERNAL_METHOD_TABLE_H

#define FAST(function) _PyCFunction_CAST(function), METH_FASTCALL
#define FAST_KEYWORDS(function) _PyCFunction_CAST(function), METH_FASTCALL | METH_KEYWORDS
#define VAR_KEYWORDS(function) _PyCFunction_CAST(function), METH_VARARGS | METH_KEYWORDS

#endif
