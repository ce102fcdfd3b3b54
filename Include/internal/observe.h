/* Tracing and profiling, as the VM sees them (Python/observe/tracing/tracing.c). */
#ifndef SB_INTERNAL_OBSERVE_H
#define SB_INTERNAL_OBSERVE_H

#include "Python.h"
#include "internal/frame.h"
#include "internal/probes.h"

/* Does anybody look at the frames of this thread, unless he does so right now? */
static inline int
_PyObserve_IsWanted(PyThreadState *ts)
{
    return ts->c_tracefunc != NULL || ts->c_profilefunc != NULL
           || _PyProbes_ObserveFrames();
}

/* An exception passes through the frame: the "exception" event. It stays set,
   or is replaced by what the trace function raised. */
void _PyObserve_Exception(PyThreadState *ts, PyVMFrame *f);
/* The frame ends by an exception: the "return" event with None. */
void _PyObserve_Unwind(PyThreadState *ts, PyVMFrame *f);

/* A generator is resumed by an exception: the "call" event. */
void _PyObserve_Throw(PyThreadState *ts, PyVMFrame *f);

/* The call of what is in a window, with c_call, c_return and c_exception
   events if it is a C function (see _PyVM_CallWindow). */
PyObject *_PyObserve_CallWindow(PyThreadState *ts, PyReg *window,
                                Py_ssize_t nargs, PyObject *kwnames);
/* callable(*args, **kwargs) likewise. */
PyObject *_PyObserve_CallTuple(PyThreadState *ts, PyObject *callable,
                               PyObject *args, PyObject *kwargs);

#endif
