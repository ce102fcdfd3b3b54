/* Signals and fork. */
#ifndef Py_INTRCHECK_H
#define Py_INTRCHECK_H

_Py_BEGIN_DECLS

/* Returns 1 if SIGINT arrived, and clears it. Main thread only. */
PyAPI_FUNC(int) PyOS_InterruptOccurred(void);
/* To be called around fork() by programs that call it themselves: before it, and after it
   in both processes. */
#if _Py_API_SINCE(7)
PyAPI_FUNC(void) PyOS_BeforeFork(void);
PyAPI_FUNC(void) PyOS_AfterFork_Parent(void);
PyAPI_FUNC(void) PyOS_AfterFork_Child(void);
#endif
Py_DEPRECATED(3.7) PyAPI_FUNC(void) PyOS_AfterFork(void);
#ifndef Py_LIMITED_API
PyAPI_FUNC(int) _PyOS_IsMainThread(void);
#endif

_Py_END_DECLS
#endif
