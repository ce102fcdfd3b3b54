/* Reading source files. */
#ifndef Py_CPYTHON_FILEOBJECT_H
#define Py_CPYTHON_FILEOBJECT_H

_Py_BEGIN_DECLS

/* fgets() that takes any line ending. Without the GIL. */
PyAPI_FUNC(char *) Py_UniversalNewlineFgets(char *buf, int n, FILE *stream,
    PyObject *fobj);

/* A file that can only write, before sys.stderr is. */
PyAPI_FUNC(PyObject *) PyFile_NewStdPrinter(int fd);
PyAPI_DATA(PyTypeObject) PyStdPrinter_Type;

/* io.open_code(), and the hook that takes its place: 0, or -1 if there is one. */
PyAPI_FUNC(PyObject *) PyFile_OpenCode(const char *utf8path);
PyAPI_FUNC(PyObject *) PyFile_OpenCodeObject(PyObject *path);
typedef PyObject *(*Py_OpenCodeHookFunction)(PyObject *path, void *userData);
PyAPI_FUNC(int) PyFile_SetOpenCodeHook(Py_OpenCodeHookFunction hook, void *userData);

/* For O& of PyArg_Parse, into an int. */
PyAPI_FUNC(int) _PyLong_FileDescriptor_Converter(PyObject *o, void *fd);

_Py_END_DECLS
#endif
