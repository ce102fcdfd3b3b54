/* Which characters of an expression get carets in a traceback? */
#ifndef SB_RUNTIME_ANCHORS_H
#define SB_RUNTIME_ANCHORS_H

#include "Python.h"

/* For the expression in characters [start, end) of `line`: if its outermost operation is
   a binary operator or a subscript, stores the part to mark with carets and returns 1.
   Otherwise returns 0. Never raises. */
int _Py_FindAnchors(PyObject *line, Py_ssize_t start, Py_ssize_t end,
                    Py_ssize_t *left, Py_ssize_t *right);

#endif
