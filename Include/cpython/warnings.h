/* Warnings with a location that the caller gives. */
#ifndef Py_CPYTHON_WARNINGS_H
#define Py_CPYTHON_WARNINGS_H

_Py_BEGIN_DECLS

PyAPI_FUNC(int) PyErr_WarnExplicitObject(PyObject *category, PyObject *message,
    PyObject *filename, int lineno, PyObject *module, PyObject *registry);
PyAPI_FUNC(int) PyErr_WarnExplicitFormat(PyObject *category, const char *filename,
    int lineno, const char *module, PyObject *registry, const char *format, ...);

#define PyErr_Warn(category, msg) PyErr_WarnEx((category), (msg), 1)

_Py_END_DECLS
#endif
