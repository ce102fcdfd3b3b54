/* Argument parsing for functions that we write by hand. */
#ifndef SB_INTERNAL_GETARGS_H
#define SB_INTERNAL_GETARGS_H

#include "Python.h"

/* As _PyArg_UnpackKeywords(), which may return `args` itself and then leaves out the
   parameters that were not given. Here the result is always `buf`, with NULL for
   every parameter that has no value. */
PyObject *const *_PyArg_UnpackFilled(PyObject *const *args, Py_ssize_t nargs,
                                     PyObject *kwnames,
                                     struct _PyArg_Parser *parser, int minpos,
                                     int maxpos, int minkw, PyObject **buf);

/* _PyArg_ParseStack() with "#" as Py_ssize_t, and with the words of _PyArg_CheckPositional() for too
   few or too many arguments. */
int _PyArg_ParsePositional(PyObject *const *args, Py_ssize_t nargs, const char *format, ...);

/* An argument that has to be an index: 0, or -1 with an exception. */
int _PyArg_AsSsize(PyObject *arg, Py_ssize_t *value);

/* The range of find(sub[, start[, end]]) and its family in str and bytes, as given:
   negative numbers still count from the end. `method` is for messages. 0 or -1. */
int _PyArg_SearchRange(const char *method, PyObject *const *args, Py_ssize_t nargs,
                       Py_ssize_t *start, Py_ssize_t *end);

#endif
