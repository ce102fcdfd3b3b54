/* Which characters of an expression does a traceback point at? */
#ifndef SB_RUNTIME_ANCHORS_H
#define SB_RUNTIME_ANCHORS_H

#include "Python.h"

/* For the expression that is characters [start, end) of `line`: if its
   outermost operation is a binary operator or a subscript, gives the range of
   it that deserves carets and returns 1. Otherwise 0. Never raises. */
int _Py_FindAnchors(PyObject *line, Py_ssize_t start, Py_ssize_t end,
                    Py_ssize_t *left, Py_ssize_t *right);

#endif
