/* Static probes, for SystemTap, bpftrace, perf and gdb (provider python; observe/probes.c).

   Each has a semaphore, which is not 0 while a tracer is attached; otherwise the probe is
   not reached. The semaphores of the VM's probes are part of _Py_attention
   (internal/pystate.h): a thread notices a tracer at its next safe point and goes on with
   the observing handlers. The other semaphores are tested right before their probes. */
#ifndef SB_INTERNAL_PROBES_H
#define SB_INTERNAL_PROBES_H

#include "Python.h"
#include "internal/frame.h"

#define PROBE_SEMAPHORE(name) \
    extern volatile unsigned short python_##name##_semaphore \
        __attribute__((visibility("hidden")))

PROBE_SEMAPHORE(function__entry);
PROBE_SEMAPHORE(function__return);
PROBE_SEMAPHORE(line);
PROBE_SEMAPHORE(gc__start);
PROBE_SEMAPHORE(gc__done);
PROBE_SEMAPHORE(import__find__load__start);
PROBE_SEMAPHORE(import__find__load__done);
PROBE_SEMAPHORE(audit);
PROBE_SEMAPHORE(gil__wait);
PROBE_SEMAPHORE(gil__acquired);
PROBE_SEMAPHORE(gil__released);
PROBE_SEMAPHORE(exception__raise);

#define PROBE_IS_ATTACHED(name) __builtin_expect(python_##name##_semaphore != 0, 0)

/* Is a tracer attached to a probe of the VM? */
static inline int
_PyProbes_ObserveFrames(void)
{
    return PROBE_IS_ATTACHED(function__entry) || PROBE_IS_ATTACHED(function__return)
           || PROBE_IS_ATTACHED(line);
}

/* To be called if the probe is attached. They keep an exception that is set. */
void _PyProbes_FunctionEntry(PyVMFrame *f);
void _PyProbes_FunctionReturn(PyVMFrame *f);
void _PyProbes_Line(PyVMFrame *f, int line);
void _PyProbes_GCStart(int generation);
void _PyProbes_GCDone(Py_ssize_t collected);
void _PyProbes_ImportFindLoadStart(PyObject *name);
void _PyProbes_ImportFindLoadDone(PyObject *name, int found);
void _PyProbes_Audit(const char *event, PyObject *args);
/* holder: the thread that has the GIL, by the kernel's number. These three need no GIL. */
void _PyProbes_GILWait(unsigned long holder);
void _PyProbes_GILAcquired(void);
void _PyProbes_GILReleased(void);
/* The exception that is set has just been raised, in `f`. */
void _PyProbes_ExceptionRaise(PyThreadState *tstate, PyVMFrame *f);

#endif
