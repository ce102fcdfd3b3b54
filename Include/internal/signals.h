/* Signals (Python/core/threads/signals.c), shared with the _signal module. */
#ifndef SB_INTERNAL_SIGNALS_H
#define SB_INTERNAL_SIGNALS_H

#include "Python.h"

#include <signal.h>

#define _Py_NSIG 65             /* Linux: 1 to 64 */

/* Start-up, after types and exceptions work: fills the table of handlers, ignores
   SIGPIPE and SIGXFSZ, and (install_handlers) catches SIGINT. */
int _PySignal_Init(int install_handlers);
/* In a child that will exec: what start-up ignores is at its default again. */
PyAPI_FUNC(void) _Py_RestoreSignals(void);
/* Shut-down: puts default handlers back, frees the table. */
void _PySignal_Fini(void);
void _PySignal_AfterFork(void);
void PyOS_FiniInterrupts(void);

/* The table. New reference to the Python handler; NULL: installed by others. */
PyObject *_PySignal_GetHandler(int signum);
/* Steals handler; returns the old one (a new reference, or NULL). */
PyObject *_PySignal_SetHandler(int signum, PyObject *handler);
/* Takes over a handler as C's sigaction(2) shows it. */
void _PySignal_CatchInC(int signum);
PyOS_sighandler_t _PySignal_CHandler(void);
/* default_int_handler, SIG_DFL, SIG_IGN as the module's objects: borrowed. */
PyObject *_PySignal_DefaultHandler(void);
PyObject *_PySignal_IgnoreHandler(void);
PyObject *_PySignal_IntHandler(void);

/* A PyArg converter: an iterable of signal numbers to a sigset_t. */
PyAPI_FUNC(int) _Py_Sigset_Converter(PyObject *obj, void *sigset);
/* 1: this is the main thread of the main interpreter. */
int _PyOS_IsMainThread(void);

/* set_wakeup_fd(): the fd, or -1. */
int _PySignal_SetWakeupFd(int fd, int warn_on_full_buffer, int *old_fd);

#endif
