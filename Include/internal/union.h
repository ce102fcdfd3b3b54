/* types.UnionType (Objects/union.c). */
#ifndef SB_INTERNAL_UNION_H
#define SB_INTERNAL_UNION_H

#include "Python.h"

extern PyTypeObject _PyUnion_Type;
#define _PyUnion_Check(op) Py_IS_TYPE((op), &_PyUnion_Type)

/* nb_or of types and generic aliases: X | Y. */
PyObject *_Py_union_type_or(PyObject *a, PyObject *b);
/* The tuple of the members. Returns a borrowed reference. */
PyObject *_Py_union_args(PyObject *op);

/* Objects/generic_alias.c; see there. */

/* The type variables in `args`. Returns a new tuple. */
PyObject *_Py_make_parameters(PyObject *args);
/* args with parameters replaced by item (one argument, or a tuple of them).
   Returns a new tuple. */
PyObject *_Py_subs_parameters(PyObject *self, PyObject *args,
                              PyObject *parameters, PyObject *item);
/* Appends the text that stands for a type in reprs. */
int _Py_typing_repr(_PyUnicodeWriter *writer, PyObject *type);

#endif
