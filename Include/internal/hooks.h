/* The hooks of this house: what a floor calls on a higher one, beyond the public C API.
   Tools/floors/floors.txt lists all of them, who may call them and why. */
#ifndef SB_INTERNAL_HOOKS_H
#define SB_INTERNAL_HOOKS_H

#include "Python.h"

/* Chooses the handler table that a thread uses from its next instruction on:
   call it after changing what observes (tracing, profiling, the eval hook). */
void _PyVM_ChooseTable(PyThreadState *tstate);

/* What has handlers for the signal of abort() takes them away: a fatal error has been told of
   already. NULL: nobody has. */
extern void (*_Py_BeforeAbort)(void);

#endif
