/* Hooks: functions of a higher floor that a lower one calls, beyond the public C API.
   Tools/floors/floors.txt lists all of them, with their callers and the reasons. */
#ifndef SB_INTERNAL_HOOKS_H
#define SB_INTERNAL_HOOKS_H

#include "Python.h"

/* Chooses the handler table that a thread uses from its next instruction on. Call it
   after a change of tracing, profiling or the eval hook. */
void _PyVM_ChooseTable(PyThreadState *tstate);

/* Called before abort(): faulthandler removes its handlers, because the fatal error has
   been reported already. NULL until faulthandler is initialised. */
extern void (*_Py_BeforeAbort)(void);

#endif
