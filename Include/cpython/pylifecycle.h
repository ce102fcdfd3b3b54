/* Starting with a configuration. */
#ifndef Py_CPYTHON_PYLIFECYCLE_H
#define Py_CPYTHON_PYLIFECYCLE_H

_Py_BEGIN_DECLS

/* Encodings and allocators are set up first: PyMem_Raw… and Py_DecodeLocale work after
   this. */
PyAPI_FUNC(PyStatus) Py_PreInitialize(const PyPreConfig *preconfig);
PyAPI_FUNC(PyStatus) Py_PreInitializeFromBytesArgs(const PyPreConfig *preconfig,
    Py_ssize_t argc, char **argv);
PyAPI_FUNC(PyStatus) Py_PreInitializeFromArgs(const PyPreConfig *preconfig,
    Py_ssize_t argc, wchar_t **argv);
PyAPI_FUNC(PyStatus) Py_InitializeFromConfig(const PyConfig *config);
/* The second half of the initialisation, after _init_main = 0. */
PyAPI_FUNC(PyStatus) _Py_InitializeMain(void);
/* Runs the program of the configuration, finalises, and returns the exit status. */
PyAPI_FUNC(int) Py_RunMain(void);
/* main() of a program whose modules are in PyImport_FrozenModules, __main__ among them. */
PyAPI_FUNC(int) Py_FrozenMain(int argc, char **argv);
/* Called before Py_Initialize, to set the encoding and error handler of sys.stdin,
   sys.stdout and sys.stderr. Returns 0, or a negative value if it is too late or memory
   is short. */
Py_DEPRECATED(3.11) PyAPI_FUNC(int) Py_SetStandardStreamEncoding(const char *encoding,
    const char *errors);
/* Ends the program with the status, which is an error or an exit. */
_Py_NO_RETURN PyAPI_FUNC(void) Py_ExitStatusException(PyStatus status);

PyAPI_FUNC(int) Py_FdIsInteractive(FILE *fp, const char *filename);
PyAPI_FUNC(int) _Py_IsCoreInitialized(void);
PyAPI_FUNC(int) _Py_IsFinalizing(void);
/* Random bytes from the system. Return 0, or -1. Nonblock may return weaker ones early at
   boot. */
PyAPI_FUNC(int) _PyOS_URandom(void *buffer, Py_ssize_t size);
PyAPI_FUNC(int) _PyOS_URandomNonblock(void *buffer, Py_ssize_t size);
PyAPI_FUNC(char *) _Py_SetLocaleFromEnv(int category);
PyAPI_FUNC(PyThreadState *) _Py_NewInterpreter(int isolated_subinterpreter);

_Py_END_DECLS
#endif
