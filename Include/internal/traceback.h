/* Traceback objects and everything that writes one as text. */
#ifndef SB_INTERNAL_TRACEBACK_H
#define SB_INTERNAL_TRACEBACK_H

#include "Python.h"
#include "frameobject.h"

/* next is borrowed, and may be NULL. Returns a new reference. */
PyObject *_PyTraceBack_FromFrame(PyObject *next, PyFrameObject *frame);
/* Adds a made-up entry to the traceback of the exception in flight. */
PyAPI_FUNC(void) _PyTraceback_Add(const char *func, const char *file,
                                  int line);
/* Shows line `lineno` of a file, indented; 0 done, >0 could not, -1 error. */
int _Py_DisplaySourceLine(PyObject *file, PyObject *filename, int lineno,
                          int indent, int *truncation, PyObject **line);
int _PyTraceBack_Print_Indented(PyObject *tb, int indent, PyObject *margin,
                                PyObject *header_margin, const char *header,
                                PyObject *file);

/* Async-signal-safe dumps, for faulthandler and fatal errors. */
void _Py_DumpTraceback(int fd, PyThreadState *);
const char *_Py_DumpTracebackThreads(int fd, PyInterpreterState *,
                                     PyThreadState *current);
void _Py_DumpExtensionModules(int fd, PyInterpreterState *);
/* Py_ExitStatusException: "Fatal Python error: …" and exit(1). */
void _Py_NO_RETURN _Py_ExitFatalInit(const char *func, const char *message);

/* Lib/faulthandler.c: stops its thread and its handlers at shut-down. */
void _PyFaulthandler_Fini(void);

#endif
