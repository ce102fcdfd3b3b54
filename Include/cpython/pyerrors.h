/* The layout of exceptions. */
#ifndef Py_CPYTHON_PYERRORS_H
#define Py_CPYTHON_PYERRORS_H

_Py_BEGIN_DECLS

#define PyException_HEAD \
    PyObject_HEAD \
    PyObject *dict; \
    PyObject *args;         /* a tuple */ \
    PyObject *notes; \
    PyObject *traceback; \
    PyObject *context; \
    PyObject *cause; \
    char suppress_context;

/* Members may be NULL. */
typedef struct {
    PyException_HEAD
} PyBaseExceptionObject;

typedef struct {
    PyException_HEAD
    PyObject *msg;
    PyObject *excs;         /* a tuple */
} PyBaseExceptionGroupObject;

typedef struct {
    PyException_HEAD
    PyObject *msg;
    PyObject *filename;
    PyObject *lineno;
    PyObject *offset;
    PyObject *end_lineno;
    PyObject *end_offset;
    PyObject *text;
    PyObject *print_file_and_line;
} PySyntaxErrorObject;

typedef struct {
    PyException_HEAD
    PyObject *msg;
    PyObject *name;
    PyObject *path;
} PyImportErrorObject;

typedef struct {
    PyException_HEAD
    PyObject *encoding;
    PyObject *object;
    Py_ssize_t start;
    Py_ssize_t end;
    PyObject *reason;
} PyUnicodeErrorObject;

typedef struct {
    PyException_HEAD
    PyObject *code;
} PySystemExitObject;

typedef struct {
    PyException_HEAD
    PyObject *myerrno;
    PyObject *strerror;
    PyObject *filename;
    PyObject *filename2;
    Py_ssize_t written;     /* of a BlockingIOError, or -1 */
} PyOSErrorObject;

typedef PyOSErrorObject PyEnvironmentErrorObject;

typedef struct {
    PyException_HEAD
    PyObject *value;
} PyStopIterationObject;

typedef struct {
    PyException_HEAD
    PyObject *name;
} PyNameErrorObject;

typedef struct {
    PyException_HEAD
    PyObject *obj;
    PyObject *name;
} PyAttributeErrorObject;

PyAPI_FUNC(void) _PyErr_SetKeyError(PyObject *key);
PyAPI_FUNC(_PyErr_StackItem *) _PyErr_GetTopmostException(PyThreadState *tstate);
PyAPI_FUNC(PyObject *) _PyErr_GetHandledException(PyThreadState *tstate);
PyAPI_FUNC(void) _PyErr_SetHandledException(PyThreadState *tstate, PyObject *exc);
PyAPI_FUNC(void) _PyErr_GetExcInfo(PyThreadState *tstate, PyObject **p_type,
    PyObject **p_value, PyObject **p_traceback);
/* What was fetched becomes the context of the current exception or, if there is none, is
   restored. Steals the references. */
PyAPI_FUNC(void) _PyErr_ChainExceptions(PyObject *type, PyObject *value,
    PyObject *traceback);
/* Raises a new exception whose cause is the current one. */
PyAPI_FUNC(PyObject *) _PyErr_FormatFromCause(PyObject *exception, const char *format,
    ...);
PyAPI_FUNC(PyObject *) _PyErr_TrySetFromCause(const char *prefix_format, ...);
/* For any thread. */
PyAPI_FUNC(int) _PyErr_CheckSignals(void);
PyAPI_FUNC(void) _PyErr_WriteUnraisableMsg(const char *err_msg, PyObject *obj);
PyAPI_FUNC(PyObject *) _PyUnicodeTranslateError_Create(PyObject *object, Py_ssize_t start,
    Py_ssize_t end, const char *reason);

PyAPI_FUNC(void) PyErr_SyntaxLocationObject(PyObject *filename, int lineno,
    int col_offset);
PyAPI_FUNC(void) PyErr_RangedSyntaxLocationObject(PyObject *filename, int lineno,
    int col_offset, int end_lineno, int end_col_offset);
/* The line of the file, or NULL without an exception. */
PyAPI_FUNC(PyObject *) PyErr_ProgramTextObject(PyObject *filename, int lineno);
PyAPI_FUNC(PyObject *) _PyErr_ProgramDecodedTextObject(PyObject *filename, int lineno,
    const char *encoding);

/* Py_FatalError with the function's name. */
_Py_NO_RETURN PyAPI_FUNC(void) _Py_FatalErrorFunc(const char *func, const char *message);
_Py_NO_RETURN PyAPI_FUNC(void) _Py_FatalErrorFormat(const char *func, const char *format,
    ...);
#define Py_FatalError(message) _Py_FatalErrorFunc(__func__, (message))

_Py_END_DECLS
#endif
