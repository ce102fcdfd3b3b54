/* Parts of the abstract protocols (Objects/abstract) that other files use. */
#ifndef SB_INTERNAL_ABSTRACT_H
#define SB_INTERNAL_ABSTRACT_H

#include "Python.h"

/* Raises SystemError for a NULL argument unless an exception explains it
   already; returns NULL. */
PyObject *_Py_NullError(void);

/* path.__fspath__(): a new reference to a str or bytes. NULL without an exception if there is
   no such method. */
PyObject *_PyObject_CallFSPath(PyObject *path);

/* v + w and v * w by the number protocol alone. Returns a new reference:
   Py_NotImplemented where neither operand supports the operation. */
PyObject *_PyNumber_TryAdd(PyObject *v, PyObject *w, int inplace);
PyObject *_PyNumber_TryMultiply(PyObject *v, PyObject *w, int inplace);

/* The rest of a binary operator after v's method in Python has returned NotImplemented.
   Either the operands have one type, or w's type is built in; neither concatenates or
   repeats. `slot` is the offset of the ordinary slot in PyNumberMethods, in-place or not;
   asked_inplace: the method that was called was the in-place one. */
PyObject *_PyNumber_AfterLeft(PyObject *v, PyObject *w, size_t slot, int inplace,
                              int asked_inplace);

/* isinstance() for an object of this type: 1 or 0; -1: methods of Python's may have to be asked, or
   it is an error. Runs nothing that the program could notice. */
int _PyType_QuickIsInstance(PyTypeObject *type, PyObject *cls);

#endif
