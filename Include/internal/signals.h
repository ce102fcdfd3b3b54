/* Signals (Python/core/threads/signals.c), shared with the _signal module. */
#ifndef SB_INTERNAL_SIGNALS_H
#define SB_INTERNAL_SIGNALS_H

#include "Python.h"

#include <signal.h>

#define _Py_NSIG 65             /* Linux: 1 to 64 */

/* Start-up, after types and exceptions work: fills the table of handlers, ignores
   SIGPIPE and SIGXFSZ, and (install_handlers) catches SIGINT. */
int _PySignal_Init(int install_handlers);
/* In a child that will exec: restores the default of the signals that start-up ignores. */
PyAPI_FUNC(void) _Py_RestoreSignals(void);
void _PySignal_AfterFork(void);
void PyOS_FiniInterrupts(void);

/* The table. Returns a new reference to the Python handler; NULL if the handler was not
   installed from Python. */
PyObject *_PySignal_GetHandler(int signum);
/* Steals handler. Returns a new reference to the old one, or NULL. */
PyObject *_PySignal_SetHandler(int signum, PyObject *handler);
PyOS_sighandler_t _PySignal_CHandler(void);
/* SIG_DFL, SIG_IGN and default_int_handler of the module. Return borrowed references. */
PyObject *_PySignal_DefaultHandler(void);
PyObject *_PySignal_IgnoreHandler(void);
PyObject *_PySignal_IntHandler(void);
/* Once there is a module `_signal`, the handler of SIGINT is a function of it. */
void _PySignal_BindIntHandler(PyObject *module);

/* A PyArg converter: an iterable of signal numbers to a sigset_t. */
PyAPI_FUNC(int) _Py_Sigset_Converter(PyObject *obj, void *sigset);
/* 1: this is the main thread of the main interpreter. */
int _PyOS_IsMainThread(void);

/* set_wakeup_fd(): the fd, or -1. */
int _PySignal_SetWakeupFd(int fd, int warn_on_full_buffer, int *old_fd);

#endif
