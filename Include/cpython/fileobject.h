/* Reading source files. */
#ifndef Py_CPYTHON_FILEOBJECT_H
#define Py_CPYTHON_FILEOBJECT_H

_Py_BEGIN_DECLS

/* fgets() that accepts any line ending. The GIL is not needed. */
PyAPI_FUNC(char *) Py_UniversalNewlineFgets(char *buf, int n, FILE *stream,
    PyObject *fobj);

/* A file object that can only write, used before sys.stderr exists. */
PyAPI_FUNC(PyObject *) PyFile_NewStdPrinter(int fd);
PyAPI_DATA(PyTypeObject) PyStdPrinter_Type;

/* io.open_code(), and the hook that replaces it. Returns 0, or -1 if a hook is set
   already. */
PyAPI_FUNC(PyObject *) PyFile_OpenCode(const char *utf8path);
PyAPI_FUNC(PyObject *) PyFile_OpenCodeObject(PyObject *path);
typedef PyObject *(*Py_OpenCodeHookFunction)(PyObject *path, void *userData);
PyAPI_FUNC(int) PyFile_SetOpenCodeHook(Py_OpenCodeHookFunction hook, void *userData);

/* For O& of PyArg_Parse; stores an int. */
PyAPI_FUNC(int) _PyLong_FileDescriptor_Converter(PyObject *o, void *fd);

_Py_END_DECLS
#endif
