/* Tracing and profiling, as the VM sees them: what it tells, and to whom. */
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

/* Those that are told: Python/observe/tracing fills this in at start-up. Everything is called
   with the frame's ip saved, and may raise. */
typedef struct {
    /* PyTrace_CALL: the frame begins or goes on. PyTrace_RETURN: it returns or yields `arg`, or
       ends by an exception, which is set (NULL). 0, or -1. */
    int (*frame)(PyThreadState *ts, PyVMFrame *f, int what, PyObject *arg);
    /* An exception passes through the frame. It stays set, or is replaced by what the trace
       function raised. */
    void (*exception)(PyThreadState *ts, PyVMFrame *f);
    /* PyTrace_C_CALL, C_RETURN and C_EXCEPTION. 0, or -1. */
    int (*c_function)(PyThreadState *ts, PyVMFrame *f, int what, PyObject *callable);
    /* An instruction is about to run; `line` begins with it, unless 0. A tracer may have set
       f->ip when this returns. 0, or -1. */
    int (*instruction)(PyThreadState *ts, PyVMFrame *f, int line);
} _PyObservers;
extern _PyObservers _PyVM_observers;
int _PyObserve_Init(void);

#endif
