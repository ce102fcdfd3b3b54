/* Warnings. Return 0, or -1 if the filters turn the warning into an exception. category
   NULL is RuntimeWarning. */
#ifndef Py_WARNINGS_H
#define Py_WARNINGS_H

_Py_BEGIN_DECLS

/* The location is that of the caller stack_level frames up. */
PyAPI_FUNC(int) PyErr_WarnEx(PyObject *category, const char *message,
    Py_ssize_t stack_level);
PyAPI_FUNC(int) PyErr_WarnFormat(PyObject *category, Py_ssize_t stack_level,
    const char *format, ...);
PyAPI_FUNC(int) PyErr_WarnExplicit(PyObject *category, const char *message,
    const char *filename, int lineno, const char *module, PyObject *registry);
/* A ResourceWarning about source. */
#if _Py_API_SINCE(6)
PyAPI_FUNC(int) PyErr_ResourceWarning(PyObject *source, Py_ssize_t stack_level,
    const char *format, ...);
#endif

#ifndef Py_LIMITED_API
#  include "cpython/warnings.h"
#endif

_Py_END_DECLS
#endif
