/* Functions of the module sys that Python/observe/tracing defines, for its table of methods. */
#ifndef SB_INTERNAL_TRACING_H
#define SB_INTERNAL_TRACING_H

#include "Python.h"
#include "internal/frame.h"

PyObject *_PySys_settrace(PyObject *module, PyObject *function);
PyObject *_PySys_setprofile(PyObject *module, PyObject *function);
PyObject *_PySys_gettrace(PyObject *module, PyObject *ignored);
PyObject *_PySys_getprofile(PyObject *module, PyObject *ignored);
PyObject *_PySys_call_tracing(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* sys.monitoring (monitoring.c). Returns a new reference. */
PyObject *_PySys_NewMonitoring(void);
/* The hook of _PyVM_observers, and an object that it needs. */
int _PyMonitoring_Tell(PyThreadState *ts, PyVMFrame *f, int event, unsigned tools, PyObject *x,
                       PyObject *y, unsigned *disabled);
extern PyObject _PyMonitoring_Missing;

/* What sys.settrace installs: it calls the Python function. */
int _PyTracing_PythonHook(PyObject *function, PyFrameObject *frame, int what, PyObject *arg);

#endif
