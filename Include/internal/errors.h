/* Raising, fetching and showing exceptions, for callers that already hold the
   thread state. The exception being raised is the triple curexc_type,
   curexc_value, curexc_traceback of the thread state, as in 3.11; the one
   being handled is on the chain that starts at tstate->exc_info. */
#ifndef SB_INTERNAL_ERRORS_H
#define SB_INTERNAL_ERRORS_H

#include "Python.h"
#include "internal/pystate.h"

/* The type of the exception in flight, or NULL. Returns a borrowed reference. */
static inline PyObject *
_PyErr_Occurred(PyThreadState *tstate)
{
    return tstate->curexc_type;
}

/* Steals the three references. */
void _PyErr_Restore(PyThreadState *, PyObject *type, PyObject *value,
                    PyObject *traceback);
/* Stores three new references (or NULLs) and clears the indicator. */
void _PyErr_Fetch(PyThreadState *, PyObject **type, PyObject **value,
                  PyObject **traceback);
void _PyErr_Clear(PyThreadState *);
int _PyErr_ExceptionMatches(PyThreadState *, PyObject *exc);
void _PyErr_SetObject(PyThreadState *, PyObject *type, PyObject *value);
void _PyErr_SetNone(PyThreadState *, PyObject *type);
void _PyErr_SetString(PyThreadState *, PyObject *type, const char *text);
PyObject *_PyErr_Format(PyThreadState *, PyObject *type, const char *, ...);
PyObject *_PyErr_FormatFromCauseTstate(PyThreadState *, PyObject *,
                                       const char *, ...);
void _PyErr_NormalizeException(PyThreadState *, PyObject **, PyObject **,
                               PyObject **);
int _PyErr_CheckSignalsTstate(PyThreadState *);

/* After NULL from tp_iternext: 0 if there are no more items, -1 if it is an error. */
int _PyErr_DropStopIteration(void);

/* Normalises the exception in flight and clears the indicator. Returns a new reference
   to the instance, which carries its traceback, or NULL when nothing is in flight. The
   VM's way into handlers. */
PyObject *_PyErr_GetRaised(PyThreadState *);
/* Steals exc. */
void _PyErr_SetRaised(PyThreadState *, PyObject *exc);
/* Chains the fetched exception as context of the one in flight, or restores it when
   nothing is in flight. Steals `exc`. */
void _PyErr_ChainExceptions1(PyObject *exc);
/* Chains the exception of a stack item below (generators' throw). */
void _PyErr_ChainStackItem(_PyErr_StackItem *);
PyObject *_PyErr_StackItemToExcInfoTuple(_PyErr_StackItem *);
int _PyErr_CheckExceptionGroupMatch(PyObject *exc, PyObject *match_type,
                                    PyObject **match, PyObject **rest);

/* Adds a name hint to the NameError in flight. */
void _PyErr_SetNameErrorName(PyThreadState *, PyObject *name);

/* Writes the exception as the default sys.excepthook does. */
void _PyErr_DisplayTo(PyObject *file, PyObject *type, PyObject *value,
                      PyObject *traceback);
void _PyErr_Print(PyThreadState *);
/* 1 and the exit status if the exception in flight is SystemExit (cleared). */
int _Py_HandleSystemExit(int *status);
/* "Did you mean": a new str with the suggestion, or NULL, never raising. */
PyObject *_Py_Offer_Suggestions(PyObject *exception);
PyAPI_FUNC(Py_ssize_t) _Py_UTF8_Edit_Cost(PyObject *a, PyObject *b,
                                          Py_ssize_t max_cost);

int _PyErr_InitTypes(void);         /* sys.UnraisableHookArgs */
PyObject *_PyErr_UnraisableHookDefault(PyObject *args); /* sys.unraisablehook */

/* Python/core/errors/warnings.c */
int _PyWarnings_Init(PyInterpreterState *);
void _PyErr_WarnUnawaitedCoroutine(PyObject *coro);

/* Python/core/util/audit.c */
int _PySys_AuditTstate(PyThreadState *tstate, const char *event, const char *format, ...);
void _PySys_ClearAuditHooks(void);
/* sys.audit and sys.addaudithook, for sys's table of methods. */
PyObject *_PySys_audit(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *_PySys_addaudithook(PyObject *module, PyObject *hook);

#endif
