/* Entries of method tables, {"name", FAST(function), "doc"}: the function, cast to
   PyCFunction, and the flags that say how it is really called. More flags may follow:
   {"name", FAST(function) | METH_CLASS, "doc"}. */

#ifndef Py_INTERNAL_METHOD_TABLE_H
#define Py_INTERNAL_METHOD_TABLE_H

#define FAST(function) _PyCFunction_CAST(function), METH_FASTCALL
#define FAST_FOR_TUPLE(function) _PyCFunction_CAST(function), METH_FASTCALL | METH_FOR_TUPLE
#define FAST_KEYWORDS(function) _PyCFunction_CAST(function), METH_FASTCALL | METH_KEYWORDS
#define VAR_KEYWORDS(function) _PyCFunction_CAST(function), METH_VARARGS | METH_KEYWORDS

/* What a caller is told depends on how python3.11's function takes its arguments, also where
   ours takes them in a faster way.

   METH_FOR_TUPLE, with METH_FASTCALL: theirs is METH_VARARGS. Bound to an object, it refuses
   keywords by its own name, without the type's.
   METH_FOR_CLASS, with METH_NOARGS: theirs is METH_METHOD. It leaves keywords alone. */
#define METH_FOR_TUPLE 0x1000
#define METH_FOR_CLASS 0x2000

#endif
