/* Starting and ending the interpreter, for programs that embed it. */
#ifndef Py_PYLIFECYCLE_H
#define Py_PYLIFECYCLE_H

_Py_BEGIN_DECLS

/* Configuration is better given with Py_InitializeFromConfig (cpython/initconfig.h). An
   interpreter that can't start ends the program. initsigs 0: install no signal handlers. */
PyAPI_FUNC(void) Py_Initialize(void);
PyAPI_FUNC(void) Py_InitializeEx(int initsigs);
PyAPI_FUNC(int) Py_IsInitialized(void);
/* 0, or -1 when buffered data could not be written. */
#if _Py_API_SINCE(6)
PyAPI_FUNC(int) Py_FinalizeEx(void);
#endif
PyAPI_FUNC(void) Py_Finalize(void);
/* Py_Finalize, then exit(). */
_Py_NO_RETURN PyAPI_FUNC(void) Py_Exit(int status);
/* Called by Py_FinalizeEx, last of all; no Python. -1: there are 32. */
PyAPI_FUNC(int) Py_AtExit(void (*func)(void));

/* The python program as a function: its exit status. */
PyAPI_FUNC(int) Py_Main(int argc, wchar_t **argv);
PyAPI_FUNC(int) Py_BytesMain(int argc, char **argv);

/* A further interpreter, and its thread state, which becomes the current one. NULL without
   an exception. End takes the current thread state. */
PyAPI_FUNC(PyThreadState *) Py_NewInterpreter(void);
PyAPI_FUNC(void) Py_EndInterpreter(PyThreadState *tstate);

/* Before Py_Initialize; the texts must outlive Python. */
Py_DEPRECATED(3.11) PyAPI_FUNC(void) Py_SetProgramName(const wchar_t *name);
Py_DEPRECATED(3.11) PyAPI_FUNC(void) Py_SetPythonHome(const wchar_t *home);
Py_DEPRECATED(3.11) PyAPI_FUNC(void) Py_SetPath(const wchar_t *);
/* What was chosen; static texts, NULL before Py_Initialize. */
PyAPI_FUNC(wchar_t *) Py_GetProgramName(void);
PyAPI_FUNC(wchar_t *) Py_GetPythonHome(void);
PyAPI_FUNC(wchar_t *) Py_GetProgramFullPath(void);
PyAPI_FUNC(wchar_t *) Py_GetPrefix(void);
PyAPI_FUNC(wchar_t *) Py_GetExecPrefix(void);
PyAPI_FUNC(wchar_t *) Py_GetPath(void);

/* Static texts; no GIL is needed. */
PyAPI_FUNC(const char *) Py_GetVersion(void);
PyAPI_FUNC(const char *) Py_GetPlatform(void);
PyAPI_FUNC(const char *) Py_GetCopyright(void);
PyAPI_FUNC(const char *) Py_GetCompiler(void);
PyAPI_FUNC(const char *) Py_GetBuildInfo(void);
/* PY_VERSION_HEX of the library. */
#if _Py_API_SINCE(11)
PyAPI_DATA(const unsigned long) Py_Version;
#endif

/* sigaction(), SIG_ERR on failure. */
typedef void (*PyOS_sighandler_t)(int);
PyAPI_FUNC(PyOS_sighandler_t) PyOS_getsig(int i);
PyAPI_FUNC(PyOS_sighandler_t) PyOS_setsig(int i, PyOS_sighandler_t h);

#ifndef Py_LIMITED_API
#  include "cpython/pylifecycle.h"
#endif

_Py_END_DECLS
#endif
