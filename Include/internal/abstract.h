/* What the files of the abstract object layer share. */
#ifndef SB_INTERNAL_ABSTRACT_H
#define SB_INTERNAL_ABSTRACT_H

#include "Python.h"

/* Raises SystemError for a NULL argument unless an exception explains it
   already; returns NULL. */
PyObject *_Py_NullError(void);

/* v + w and v * w by the number protocol alone: Py_NotImplemented (new
   reference) where neither operand has an answer. */
PyObject *_PyNumber_TryAdd(PyObject *v, PyObject *w, int inplace);
PyObject *_PyNumber_TryMultiply(PyObject *v, PyObject *w, int inplace);

/* What an operator comes to after v's method in Python gave NotImplemented, for
   operands of one type or w of a built-in one, neither of which concatenates or
   repeats. `slot` is the ordinary one's offset in PyNumberMethods; asked_inplace: it
   was the method of the in-place form. */
PyObject *_PyNumber_AfterLeft(PyObject *v, PyObject *w, size_t slot, int inplace,
                              int asked_inplace);

#endif
