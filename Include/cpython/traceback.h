/* The layout of tracebacks. */
#ifndef Py_CPYTHON_TRACEBACK_H
#define Py_CPYTHON_TRACEBACK_H

_Py_BEGIN_DECLS

typedef struct _traceback PyTracebackObject;

struct _traceback {
    PyObject_HEAD
    PyTracebackObject *tb_next;     /* or NULL */
    PyFrameObject *tb_frame;
    int tb_lasti;
    int tb_lineno;
};

PyAPI_FUNC(int) _Py_DisplaySourceLine(PyObject *file, PyObject *filename, int lineno,
    int indent, int *truncation, PyObject **line);
/* Adds an invented frame, for errors in C code that stands in for Python code. */
PyAPI_FUNC(void) _PyTraceback_Add(const char *funcname, const char *filename, int lineno);

_Py_END_DECLS
#endif
