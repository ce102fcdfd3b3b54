/* Start-up, shut-down and the two modules that every program begins with.

   Below Python/runtime: the order of start-up is in lifecycle.c, the command line and
   PyConfig in config/, sys in sys/, builtins in builtins.c, import in import/. */
#ifndef SB_INTERNAL_RUNTIME_H
#define SB_INTERNAL_RUNTIME_H

#include "Python.h"
#include <stdio.h>

/* ----------------------------------------------------------------- builtins */
/* The builtins module. Returns a new reference. */
PyObject *_PyBuiltin_Create(const PyConfig *config);

/* Text of a str, bytes or buffer object given to compile(), eval() or exec():
   UTF-8, NUL-terminated; *keep owns the memory where necessary. For str input
   PyCF_IGNORE_COOKIE is set in the flags. NULL: TypeError ("f() arg 1 must be
   a `what` object"), SyntaxError for NULs. */
const char *_Py_SourceAsString(PyObject *source, const char *func, const char *what,
                               PyCompilerFlags *flags, PyObject **keep);

/* --------------------------------------------- running source (pythonrun.c) */
/* compile() of a tree object; mode 0 exec, 1 eval, 2 single. Returns a new reference. */
PyObject *_PyAST_CompileObject(PyObject *tree, int mode, PyObject *filename,
                               PyCompilerFlags *flags, int optimize);
PyObject *_PyRun_FileObject(FILE *f, PyObject *filename, int start, PyObject *globals,
                            PyObject *locals, int closeit, PyCompilerFlags *flags);
/* Runs a script in __main__; the exception is left set. run_main.c. */
int _PyRun_SimpleFileObject(FILE *f, PyObject *filename, int closeit, PyCompilerFlags *flags);
/* True, under a name that no other libpython3.11.so has: if the dynamic linker has picked
   CPython's library, the program stops with a message instead of running on the wrong
   interpreter. */
PyAPI_DATA(const int) _PySpringboard_Library;
/* The last program ended with KeyboardInterrupt. */
extern int _Py_UnhandledKeyboardInterrupt;

/* ---------------------------------------------------------------------- sys */
/* The sys module and its dict, without what depends on the configuration. */
PyObject *_PySys_Create(PyThreadState *tstate);
/* Adds what depends on the configuration: argv, path, flags, warnoptions… */
int _PySys_ApplyConfig(PyThreadState *tstate, const PyConfig *config);

/* Py_FinalizeEx() of a process that exits afterwards: memory is left to the system. */
int _Py_FinalizeProcess(void);

/* ------------------------------------------------------------------- import */
int _PyImport_Init(PyThreadState *tstate);
/* Load importlib._bootstrap, and then its file importers. */
int _PyImport_InitCore(PyThreadState *tstate);
int _PyImport_InitExternal(PyThreadState *tstate);
void _PyImport_Fini(PyInterpreterState *interp);
/* sys.builtin_module_names. Returns a new reference. */
PyObject *_PyImport_BuiltinNames(void);
/* Acquire and release the import lock around fork. */
void _PyImport_BeforeFork(void);
void _PyImport_AfterForkParent(void);
void _PyImport_AfterForkChild(void);

/* ------------------------------------------------------------ configuration */
/* Prints help texts. */
void _PyConfig_Usage(int error, const wchar_t *program);

#endif
