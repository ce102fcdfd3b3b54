/* Running programs. C files belong to the caller; with closeit, they are closed.

   The Simple and Interactive functions run in __main__. They return 0, or -1 after
   displaying the exception. The others take namespaces, and return the value. flags may
   be NULL. */
#ifndef Py_CPYTHON_PYTHONRUN_H
#define Py_CPYTHON_PYTHONRUN_H

_Py_BEGIN_DECLS

PyAPI_FUNC(int) PyRun_SimpleString(const char *command);
PyAPI_FUNC(int) PyRun_SimpleStringFlags(const char *command, PyCompilerFlags *flags);
PyAPI_FUNC(int) PyRun_SimpleFile(FILE *fp, const char *filename);
PyAPI_FUNC(int) PyRun_SimpleFileEx(FILE *fp, const char *filename, int closeit);
PyAPI_FUNC(int) PyRun_SimpleFileExFlags(FILE *fp, const char *filename, int closeit,
    PyCompilerFlags *flags);
PyAPI_FUNC(int) _PyRun_SimpleFileObject(FILE *fp, PyObject *filename, int closeit,
    PyCompilerFlags *flags);
/* Calls InteractiveLoop for a terminal, SimpleFile for anything else. */
PyAPI_FUNC(int) PyRun_AnyFile(FILE *fp, const char *filename);
PyAPI_FUNC(int) PyRun_AnyFileEx(FILE *fp, const char *filename, int closeit);
PyAPI_FUNC(int) PyRun_AnyFileFlags(FILE *fp, const char *filename,
    PyCompilerFlags *flags);
PyAPI_FUNC(int) PyRun_AnyFileExFlags(FILE *fp, const char *filename, int closeit,
    PyCompilerFlags *flags);
PyAPI_FUNC(int) PyRun_InteractiveOne(FILE *fp, const char *filename);
PyAPI_FUNC(int) PyRun_InteractiveOneFlags(FILE *fp, const char *filename,
    PyCompilerFlags *flags);
PyAPI_FUNC(int) PyRun_InteractiveOneObject(FILE *fp, PyObject *filename,
    PyCompilerFlags *flags);
PyAPI_FUNC(int) PyRun_InteractiveLoop(FILE *fp, const char *filename);
PyAPI_FUNC(int) PyRun_InteractiveLoopFlags(FILE *fp, const char *filename,
    PyCompilerFlags *flags);
PyAPI_FUNC(PyObject *) PyRun_String(const char *str, int start, PyObject *globals,
    PyObject *locals);
PyAPI_FUNC(PyObject *) PyRun_StringFlags(const char *str, int start, PyObject *globals,
    PyObject *locals, PyCompilerFlags *flags);
PyAPI_FUNC(PyObject *) PyRun_File(FILE *fp, const char *filename, int start,
    PyObject *globals, PyObject *locals);
PyAPI_FUNC(PyObject *) PyRun_FileEx(FILE *fp, const char *filename, int start,
    PyObject *globals, PyObject *locals, int closeit);
PyAPI_FUNC(PyObject *) PyRun_FileFlags(FILE *fp, const char *filename, int start,
    PyObject *globals, PyObject *locals, PyCompilerFlags *flags);
PyAPI_FUNC(PyObject *) PyRun_FileExFlags(FILE *fp, const char *filename, int start,
    PyObject *globals, PyObject *locals, int closeit, PyCompilerFlags *flags);

/* The short forms. */
#define PyRun_SimpleString(s)                PyRun_SimpleStringFlags((s), NULL)
#define PyRun_SimpleFile(f, p)               PyRun_SimpleFileExFlags((f), (p), 0, NULL)
#define PyRun_SimpleFileEx(f, p, c)          PyRun_SimpleFileExFlags((f), (p), (c), NULL)
#define PyRun_AnyFile(fp, name)              PyRun_AnyFileExFlags((fp), (name), 0, NULL)
#define PyRun_AnyFileEx(fp, name, closeit)   PyRun_AnyFileExFlags((fp), (name), (closeit), NULL)
#define PyRun_AnyFileFlags(fp, name, flags)  PyRun_AnyFileExFlags((fp), (name), 0, (flags))
#define PyRun_InteractiveOne(f, p)           PyRun_InteractiveOneFlags((f), (p), NULL)
#define PyRun_InteractiveLoop(f, p)          PyRun_InteractiveLoopFlags((f), (p), NULL)
#define PyRun_String(str, s, g, l)           PyRun_StringFlags((str), (s), (g), (l), NULL)
#define PyRun_File(fp, p, s, g, l)           PyRun_FileExFlags((fp), (p), (s), (g), (l), 0, NULL)
#define PyRun_FileEx(fp, p, s, g, l, c)      PyRun_FileExFlags((fp), (p), (s), (g), (l), (c), NULL)
#define PyRun_FileFlags(fp, p, s, g, l, flags) \
    PyRun_FileExFlags((fp), (p), (s), (g), (l), 0, (flags))

/* optimize is the level of -O; -1 is the interpreter's own. */
PyAPI_FUNC(PyObject *) Py_CompileStringExFlags(const char *str, const char *filename,
    int start, PyCompilerFlags *flags, int optimize);
PyAPI_FUNC(PyObject *) Py_CompileStringObject(const char *str, PyObject *filename,
    int start, PyCompilerFlags *flags, int optimize);
#define Py_CompileString(str, p, s)          Py_CompileStringExFlags((str), (p), (s), NULL, -1)
#define Py_CompileStringFlags(str, p, s, f)  Py_CompileStringExFlags((str), (p), (s), (f), -1)

/* The text of a str, bytes or buffer object. The caller releases *cmd_copy after use. */
PyAPI_FUNC(const char *) _Py_SourceAsString(PyObject *cmd, const char *funcname,
    const char *what, PyCompilerFlags *cf, PyObject **cmd_copy);

/* Returns a line, to be freed with PyMem_Free: "" at the end of the input, NULL when
   interrupted. The function behind it may be replaced: it is called without the GIL. */
PyAPI_FUNC(char *) PyOS_Readline(FILE *sys_stdin, FILE *sys_stdout, const char *prompt);
extern Py_IMPORTED_SYMBOL char *(*PyOS_ReadlineFunctionPointer)(FILE *, FILE *, const char *);
PyAPI_DATA(PyThreadState *) _PyOS_ReadlineTState;

_Py_END_DECLS
#endif
