/* What the files of the module `builtins` share. Functions of its are called by their conventions:
   METH_O, METH_FASTCALL, or METH_FASTCALL | METH_KEYWORDS. */
#ifndef SB_BUILTINS_H
#define SB_BUILTINS_H

#include "Python.h"

/* Splits the keyword arguments of a METH_FASTCALL|METH_KEYWORDS call. The function takes
   only the keywords listed in `names` (NULL-terminated) after its positional arguments.
   Values are stored in `slots`, borrowed. Returns -1 with TypeError set on failure. */
int _PyBuiltin_KeywordsOnly(const char *func, PyObject *const *kwvalues, PyObject *kwnames,
                            const char *const *names, PyObject **slots);

/* builtins_iteration.c */
PyObject *_PyBuiltin_All(PyObject *module, PyObject *iterable);
PyObject *_PyBuiltin_Any(PyObject *module, PyObject *iterable);
PyObject *_PyBuiltin_Iter(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyBuiltin_Next(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyBuiltin_Aiter(PyObject *module, PyObject *obj);
PyObject *_PyBuiltin_Anext(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PyBuiltin_Sorted(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames);
PyObject *_PyBuiltin_Sum(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames);
PyObject *_PyBuiltin_Min(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames);
PyObject *_PyBuiltin_Max(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames);

#endif
