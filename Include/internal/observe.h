/* Tracing and profiling, as the VM sees them: the events that it reports, and the hooks that
   it reports them to. */
#ifndef SB_INTERNAL_OBSERVE_H
#define SB_INTERNAL_OBSERVE_H

#include "Python.h"
#include "internal/frame.h"
#include "internal/probes.h"
#include "internal/pystate.h"

/* Is there an observer of this thread's frames, other than sys.monitoring's? (It may be running at
   this moment.) */
static inline int
_PyObserve_IsWanted(PyThreadState *ts)
{
    return ts->c_tracefunc != NULL || ts->c_profilefunc != NULL
           || _PyProbes_ObserveFrames();
}

/* Of the tables that _PyVM_ChooseTable() has chosen for the thread, the one is in force that fits
   ts->tracing. */
static inline void
_PyVM_UseTable(PyThreadState *ts)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(ts);
    if (ts->tracing) {
        impl->vm_table = impl->observer_table;
        impl->native_ok = impl->observer_native_ok && !impl->draining;
    }
    else {
        impl->vm_table = impl->observed_table;
        impl->native_ok = impl->observed_native_ok && !impl->draining;
    }
}

/* An observer is called, or has returned. */
static inline void
_PyVM_EnterTracing(PyThreadState *ts)
{
    ts->tracing++;
    ts->cframe->use_tracing = 0;
    _PyVM_UseTable(ts);
}

static inline void
_PyVM_LeaveTracing(PyThreadState *ts)
{
    ts->tracing--;
    ts->cframe->use_tracing = ts->c_tracefunc != NULL || ts->c_profilefunc != NULL ? 255 : 0;
    _PyVM_UseTable(ts);
}

/* The hooks. Python/observe/tracing fills them in at start-up. They are called with the
   frame's ip saved, and may raise. */
typedef struct {
    /* PyTrace_CALL: the frame begins or is resumed. PyTrace_RETURN: it returns or yields
       `arg`; NULL: it ends by an exception, which is set. 0, or -1. */
    int (*frame)(PyThreadState *ts, PyVMFrame *f, int what, PyObject *arg);
    /* An exception passes through the frame. It stays set, or is replaced by what the trace
       function raised. */
    void (*exception)(PyThreadState *ts, PyVMFrame *f);
    /* PyTrace_C_CALL, C_RETURN and C_EXCEPTION. 0, or -1. */
    int (*c_function)(PyThreadState *ts, PyVMFrame *f, int what, PyObject *callable);
    /* An instruction is about to run; `line` is the line that begins with it, or -1. A
       tracer may set f->ip. 0, or -1. */
    int (*instruction)(PyThreadState *ts, PyVMFrame *f, int line);
    /* An event of sys.monitoring (internal/monitoring.h), for each tool whose bit is set: its
       callback gets the code, the place, and x and y unless they are NULL. For LINE, x stands in
       the place of the place. Tools that want to hear no more of it there are set in *disabled.
       0, or -1. */
    int (*monitor)(PyThreadState *ts, PyVMFrame *f, int event, unsigned tools, PyObject *x,
                   PyObject *y, unsigned *disabled);
    PyObject *missing;          /* what stands for the first argument of a call without any */
} _PyObservers;
extern _PyObservers _PyVM_observers;
int _PyObserve_Init(void);

#endif
