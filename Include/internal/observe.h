/* Tracing and profiling, as the VM sees them (Python/observe/tracing.c). */
#ifndef SB_INTERNAL_OBSERVE_H
#define SB_INTERNAL_OBSERVE_H

#include "Python.h"
#include "internal/frame.h"

/* An exception passes through the frame: the "exception" event. It stays set,
   or is replaced by what the trace function raised. */
void _PyObserve_Exception(PyThreadState *ts, PyVMFrame *f);
/* The frame ends by an exception: the "return" event with None. */
void _PyObserve_Unwind(PyThreadState *ts, PyVMFrame *f);
/* Function entry or resumption: "call". 0 or -1. */
int _PyObserve_Call(PyThreadState *ts, PyVMFrame *f);
/* "return", of a value (borrowed). 0 or -1. */
int _PyObserve_Return(PyThreadState *ts, PyVMFrame *f, PyObject *value);

#endif
