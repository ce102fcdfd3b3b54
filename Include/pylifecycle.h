/* Starting and ending the interpreter, for programs that embed it. */
#ifndef Py_PYLIFECYCLE_H
#define Py_PYLIFECYCLE_H

_Py_BEGIN_DECLS

/* Py_InitializeFromConfig (cpython/initconfig.h) is the better way to configure. If an
   interpreter can't start, the program ends. initsigs 0: no signal handlers are
   installed. */
PyAPI_FUNC(void) Py_Initialize(void);
PyAPI_FUNC(void) Py_InitializeEx(int initsigs);
PyAPI_FUNC(int) Py_IsInitialized(void);
/* Returns 0, or -1 when buffered data could not be written. */
#if _Py_API_SINCE(6)
PyAPI_FUNC(int) Py_FinalizeEx(void);
#endif
PyAPI_FUNC(void) Py_Finalize(void);
/* Py_Finalize, then exit(). */
_Py_NO_RETURN PyAPI_FUNC(void) Py_Exit(int status);
/* func is called at the end of Py_FinalizeEx, and must not use Python. Returns -1 if 32
   functions are registered. */
PyAPI_FUNC(int) Py_AtExit(void (*func)(void));

/* The python program as a function. Returns its exit status. */
PyAPI_FUNC(int) Py_Main(int argc, wchar_t **argv);
PyAPI_FUNC(int) Py_BytesMain(int argc, char **argv);

/* A further interpreter. NewInterpreter returns its thread state, which becomes the
   current one, or NULL without an exception. EndInterpreter takes the current thread
   state. */
PyAPI_FUNC(PyThreadState *) Py_NewInterpreter(void);
PyAPI_FUNC(void) Py_EndInterpreter(PyThreadState *tstate);

/* To be called before Py_Initialize. The texts must outlive Python. */
Py_DEPRECATED(3.11) PyAPI_FUNC(void) Py_SetProgramName(const wchar_t *name);
Py_DEPRECATED(3.11) PyAPI_FUNC(void) Py_SetPythonHome(const wchar_t *home);
Py_DEPRECATED(3.11) PyAPI_FUNC(void) Py_SetPath(const wchar_t *);
/* The values in use: static texts, or NULL before Py_Initialize. */
PyAPI_FUNC(wchar_t *) Py_GetProgramName(void);
PyAPI_FUNC(wchar_t *) Py_GetPythonHome(void);
PyAPI_FUNC(wchar_t *) Py_GetProgramFullPath(void);
PyAPI_FUNC(wchar_t *) Py_GetPrefix(void);
PyAPI_FUNC(wchar_t *) Py_GetExecPrefix(void);
PyAPI_FUNC(wchar_t *) Py_GetPath(void);

/* Static texts. The GIL is not needed. */
PyAPI_FUNC(const char *) Py_GetVersion(void);
PyAPI_FUNC(const char *) Py_GetPlatform(void);
PyAPI_FUNC(const char *) Py_GetCopyright(void);
PyAPI_FUNC(const char *) Py_GetCompiler(void);
PyAPI_FUNC(const char *) Py_GetBuildInfo(void);
/* PY_VERSION_HEX of the library. */
#if _Py_API_SINCE(11)
PyAPI_DATA(const unsigned long) Py_Version;
#endif

/* Like sigaction(). Return SIG_ERR on failure. */
typedef void (*PyOS_sighandler_t)(int);
PyAPI_FUNC(PyOS_sighandler_t) PyOS_getsig(int i);
PyAPI_FUNC(PyOS_sighandler_t) PyOS_setsig(int i, PyOS_sighandler_t h);

#ifndef Py_LIMITED_API
#  include "cpython/pylifecycle.h"
#endif

_Py_END_DECLS
#endif
