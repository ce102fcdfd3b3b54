/* Exceptions: raising, testing, clearing; the exception classes. */
#ifndef Py_ERRORS_H
#define Py_ERRORS_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------ raising and testing */

/* Functions that return PyObject * always return NULL, so that you can write `return
   PyErr_Format(…);`. */
PyAPI_FUNC(void) PyErr_SetNone(PyObject *type);
PyAPI_FUNC(void) PyErr_SetObject(PyObject *type, PyObject *value);
PyAPI_FUNC(void) PyErr_SetString(PyObject *type, const char *message);
/* The formats are those of PyUnicode_FromFormat. */
PyAPI_FUNC(PyObject *) PyErr_Format(PyObject *exception, const char *format, ...);
#if _Py_API_SINCE(5)
PyAPI_FUNC(PyObject *) PyErr_FormatV(PyObject *exception, const char *format,
    va_list vargs);
#endif
PyAPI_FUNC(PyObject *) PyErr_NoMemory(void);
/* Returns 0, so that you can write `return PyErr_BadArgument();`. */
PyAPI_FUNC(int) PyErr_BadArgument(void);
PyAPI_FUNC(void) PyErr_BadInternalCall(void);
PyAPI_FUNC(void) _PyErr_BadInternalCall(const char *filename, int lineno);
#define PyErr_BadInternalCall() _PyErr_BadInternalCall(__FILE__, __LINE__)

/* Raise OSError, or its subclass for errno. For EINTR, signal handlers run first, and may
   raise. */
PyAPI_FUNC(PyObject *) PyErr_SetFromErrno(PyObject *type);
PyAPI_FUNC(PyObject *) PyErr_SetFromErrnoWithFilename(PyObject *type,
    const char *filename);
PyAPI_FUNC(PyObject *) PyErr_SetFromErrnoWithFilenameObject(PyObject *type,
    PyObject *filenameObject);
#if _Py_API_SINCE(4)
PyAPI_FUNC(PyObject *) PyErr_SetFromErrnoWithFilenameObjects(PyObject *type,
    PyObject *filenameObject, PyObject *filenameObject2);
#endif
#if _Py_API_SINCE(3)
PyAPI_FUNC(PyObject *) PyErr_SetImportError(PyObject *msg, PyObject *name,
    PyObject *path);
#endif
#if _Py_API_SINCE(6)
PyAPI_FUNC(PyObject *) PyErr_SetImportErrorSubclass(PyObject *exception, PyObject *msg,
    PyObject *name, PyObject *path);
#endif

/* The type of the current exception, borrowed, or NULL. Only compare it with NULL; use
   ExceptionMatches to find out which exception it is. */
PyAPI_FUNC(PyObject *) PyErr_Occurred(void);    /* borrowed */
/* exc is a class or a tuple of classes. */
PyAPI_FUNC(int) PyErr_ExceptionMatches(PyObject *exc);
PyAPI_FUNC(int) PyErr_GivenExceptionMatches(PyObject *given, PyObject *exc);
PyAPI_FUNC(void) PyErr_Clear(void);
/* Fetch takes the exception (three references, any may be NULL). Restore puts it back and
   steals them. */
PyAPI_FUNC(void) PyErr_Fetch(PyObject **ptype, PyObject **pvalue, PyObject **ptraceback);
PyAPI_FUNC(void) PyErr_Restore(PyObject *type, PyObject *value, PyObject *traceback);
/* Makes *val an instance of *exc. */
PyAPI_FUNC(void) PyErr_NormalizeException(PyObject **exc, PyObject **val, PyObject **tb);

/* The exception being handled, as sys.exc_info() sees it. */
#if _Py_API_SINCE(11)
PyAPI_FUNC(PyObject *) PyErr_GetHandledException(void);
PyAPI_FUNC(void) PyErr_SetHandledException(PyObject *exc);
#endif
/* Three references, any may be NULL. SetExcInfo steals them. */
#if _Py_API_SINCE(3)
PyAPI_FUNC(void) PyErr_GetExcInfo(PyObject **ptype, PyObject **pvalue,
    PyObject **ptraceback);
PyAPI_FUNC(void) PyErr_SetExcInfo(PyObject *type, PyObject *value, PyObject *traceback);
#endif

/* For exceptions in destructors and callbacks: calls sys.unraisablehook, then clears. */
PyAPI_FUNC(void) PyErr_WriteUnraisable(PyObject *obj);

/* Add a location to the SyntaxError that is set. */
PyAPI_FUNC(void) PyErr_SyntaxLocation(const char *filename, int lineno);
PyAPI_FUNC(void) PyErr_SyntaxLocationEx(const char *filename, int lineno, int col_offset);
PyAPI_FUNC(PyObject *) PyErr_ProgramText(const char *filename, int lineno);

/* Ends the program with a core dump. The GIL is not needed. */
_Py_NO_RETURN PyAPI_FUNC(void) Py_FatalError(const char *message);

/* ------------------------------------------------------------------ signals */

/* In the main thread, runs the handlers of signals that arrived. Returns 0, or -1 if one
   raised. */
PyAPI_FUNC(int) PyErr_CheckSignals(void);
/* Simulate the arrival of the signal (SIGINT). The GIL is not needed. -1: no such signal. */
PyAPI_FUNC(void) PyErr_SetInterrupt(void);
#if _Py_API_SINCE(10)
PyAPI_FUNC(int) PyErr_SetInterruptEx(int signum);
#endif

/* -------------------------------------------------------- exception objects */

#define PyExceptionClass_Check(x) \
    (PyType_Check(x) \
     && PyType_FastSubclass((PyTypeObject *)(x), Py_TPFLAGS_BASE_EXC_SUBCLASS))
#define PyExceptionInstance_Check(x) \
    PyType_FastSubclass(Py_TYPE(x), Py_TPFLAGS_BASE_EXC_SUBCLASS)
#define PyExceptionInstance_Class(x) _PyObject_CAST(Py_TYPE(x))
#define _PyBaseExceptionGroup_Check(x) \
    PyObject_TypeCheck((x), (PyTypeObject *)PyExc_BaseExceptionGroup)

/* name is "module.class"; base a class, a tuple of classes, or NULL for Exception; dict or
   NULL. */
PyAPI_FUNC(PyObject *) PyErr_NewException(const char *name, PyObject *base,
    PyObject *dict);
PyAPI_FUNC(PyObject *) PyErr_NewExceptionWithDoc(const char *name, const char *doc,
    PyObject *base, PyObject *dict);
/* The type's tp_name. */
PyAPI_FUNC(const char *) PyExceptionClass_Name(PyObject *cls);

/* NULL without an exception if there is none. */
PyAPI_FUNC(PyObject *) PyException_GetTraceback(PyObject *ex);
PyAPI_FUNC(PyObject *) PyException_GetContext(PyObject *ex);
PyAPI_FUNC(PyObject *) PyException_GetCause(PyObject *ex);
PyAPI_FUNC(int) PyException_SetTraceback(PyObject *ex, PyObject *tb);
/* Steal the second argument; NULL removes the value. */
PyAPI_FUNC(void) PyException_SetContext(PyObject *ex, PyObject *ctx);
PyAPI_FUNC(void) PyException_SetCause(PyObject *ex, PyObject *cause);

/* Unicode errors. start and end are clipped to the object's length. */
PyAPI_FUNC(PyObject *) PyUnicodeDecodeError_Create(const char *encoding,
    const char *object, Py_ssize_t length, Py_ssize_t start, Py_ssize_t end,
    const char *reason);
PyAPI_FUNC(PyObject *) PyUnicodeEncodeError_GetEncoding(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeDecodeError_GetEncoding(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeEncodeError_GetObject(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeDecodeError_GetObject(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeTranslateError_GetObject(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeEncodeError_GetReason(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeDecodeError_GetReason(PyObject *exc);
PyAPI_FUNC(PyObject *) PyUnicodeTranslateError_GetReason(PyObject *exc);
PyAPI_FUNC(int) PyUnicodeEncodeError_GetStart(PyObject *exc, Py_ssize_t *start);
PyAPI_FUNC(int) PyUnicodeDecodeError_GetStart(PyObject *, Py_ssize_t *);
PyAPI_FUNC(int) PyUnicodeTranslateError_GetStart(PyObject *exc, Py_ssize_t *start);
PyAPI_FUNC(int) PyUnicodeEncodeError_GetEnd(PyObject *exc, Py_ssize_t *end);
PyAPI_FUNC(int) PyUnicodeDecodeError_GetEnd(PyObject *, Py_ssize_t *);
PyAPI_FUNC(int) PyUnicodeTranslateError_GetEnd(PyObject *exc, Py_ssize_t *end);
PyAPI_FUNC(int) PyUnicodeEncodeError_SetStart(PyObject *exc, Py_ssize_t start);
PyAPI_FUNC(int) PyUnicodeDecodeError_SetStart(PyObject *, Py_ssize_t);
PyAPI_FUNC(int) PyUnicodeTranslateError_SetStart(PyObject *exc, Py_ssize_t start);
PyAPI_FUNC(int) PyUnicodeEncodeError_SetEnd(PyObject *exc, Py_ssize_t end);
PyAPI_FUNC(int) PyUnicodeDecodeError_SetEnd(PyObject *, Py_ssize_t);
PyAPI_FUNC(int) PyUnicodeTranslateError_SetEnd(PyObject *exc, Py_ssize_t end);
PyAPI_FUNC(int) PyUnicodeEncodeError_SetReason(PyObject *exc, const char *reason);
PyAPI_FUNC(int) PyUnicodeDecodeError_SetReason(PyObject *, const char *);
PyAPI_FUNC(int) PyUnicodeTranslateError_SetReason(PyObject *exc, const char *reason);

/* ------------------------------------------------------------------ classes */

PyAPI_DATA(PyObject *) PyExc_BaseException;
PyAPI_DATA(PyObject *) PyExc_BaseExceptionGroup;
PyAPI_DATA(PyObject *) PyExc_GeneratorExit;
PyAPI_DATA(PyObject *) PyExc_KeyboardInterrupt;
PyAPI_DATA(PyObject *) PyExc_SystemExit;
PyAPI_DATA(PyObject *) PyExc_Exception;
PyAPI_DATA(PyObject *) PyExc_ArithmeticError;
PyAPI_DATA(PyObject *) PyExc_FloatingPointError;
PyAPI_DATA(PyObject *) PyExc_OverflowError;
PyAPI_DATA(PyObject *) PyExc_ZeroDivisionError;
PyAPI_DATA(PyObject *) PyExc_AssertionError;
PyAPI_DATA(PyObject *) PyExc_AttributeError;
PyAPI_DATA(PyObject *) PyExc_BufferError;
PyAPI_DATA(PyObject *) PyExc_EOFError;
PyAPI_DATA(PyObject *) PyExc_ImportError;
#if _Py_API_SINCE(6)
PyAPI_DATA(PyObject *) PyExc_ModuleNotFoundError;
#endif
PyAPI_DATA(PyObject *) PyExc_LookupError;
PyAPI_DATA(PyObject *) PyExc_IndexError;
PyAPI_DATA(PyObject *) PyExc_KeyError;
PyAPI_DATA(PyObject *) PyExc_MemoryError;
PyAPI_DATA(PyObject *) PyExc_NameError;
PyAPI_DATA(PyObject *) PyExc_UnboundLocalError;
PyAPI_DATA(PyObject *) PyExc_OSError;
#if _Py_API_SINCE(3)
PyAPI_DATA(PyObject *) PyExc_BlockingIOError;
PyAPI_DATA(PyObject *) PyExc_BrokenPipeError;
PyAPI_DATA(PyObject *) PyExc_ChildProcessError;
PyAPI_DATA(PyObject *) PyExc_ConnectionError;
PyAPI_DATA(PyObject *) PyExc_ConnectionAbortedError;
PyAPI_DATA(PyObject *) PyExc_ConnectionRefusedError;
PyAPI_DATA(PyObject *) PyExc_ConnectionResetError;
PyAPI_DATA(PyObject *) PyExc_FileExistsError;
PyAPI_DATA(PyObject *) PyExc_FileNotFoundError;
PyAPI_DATA(PyObject *) PyExc_InterruptedError;
PyAPI_DATA(PyObject *) PyExc_IsADirectoryError;
PyAPI_DATA(PyObject *) PyExc_NotADirectoryError;
PyAPI_DATA(PyObject *) PyExc_PermissionError;
PyAPI_DATA(PyObject *) PyExc_ProcessLookupError;
PyAPI_DATA(PyObject *) PyExc_TimeoutError;
#endif
PyAPI_DATA(PyObject *) PyExc_ReferenceError;
PyAPI_DATA(PyObject *) PyExc_RuntimeError;
PyAPI_DATA(PyObject *) PyExc_NotImplementedError;
#if _Py_API_SINCE(5)
PyAPI_DATA(PyObject *) PyExc_RecursionError;
#endif
PyAPI_DATA(PyObject *) PyExc_StopIteration;
#if _Py_API_SINCE(5)
PyAPI_DATA(PyObject *) PyExc_StopAsyncIteration;
#endif
PyAPI_DATA(PyObject *) PyExc_SyntaxError;
PyAPI_DATA(PyObject *) PyExc_IndentationError;
PyAPI_DATA(PyObject *) PyExc_TabError;
PyAPI_DATA(PyObject *) PyExc_SystemError;
PyAPI_DATA(PyObject *) PyExc_TypeError;
PyAPI_DATA(PyObject *) PyExc_ValueError;
PyAPI_DATA(PyObject *) PyExc_UnicodeError;
PyAPI_DATA(PyObject *) PyExc_UnicodeDecodeError;
PyAPI_DATA(PyObject *) PyExc_UnicodeEncodeError;
PyAPI_DATA(PyObject *) PyExc_UnicodeTranslateError;
PyAPI_DATA(PyObject *) PyExc_Warning;
PyAPI_DATA(PyObject *) PyExc_BytesWarning;
PyAPI_DATA(PyObject *) PyExc_DeprecationWarning;
PyAPI_DATA(PyObject *) PyExc_EncodingWarning;
PyAPI_DATA(PyObject *) PyExc_FutureWarning;
PyAPI_DATA(PyObject *) PyExc_ImportWarning;
PyAPI_DATA(PyObject *) PyExc_PendingDeprecationWarning;
PyAPI_DATA(PyObject *) PyExc_ResourceWarning;
PyAPI_DATA(PyObject *) PyExc_RuntimeWarning;
PyAPI_DATA(PyObject *) PyExc_SyntaxWarning;
PyAPI_DATA(PyObject *) PyExc_UnicodeWarning;
PyAPI_DATA(PyObject *) PyExc_UserWarning;
/* Older names of OSError. */
PyAPI_DATA(PyObject *) PyExc_EnvironmentError;
PyAPI_DATA(PyObject *) PyExc_IOError;

/* --------------------------------------------------------------------- text */

/* snprintf() that always ends the text with a NUL. */
PyAPI_FUNC(int) PyOS_snprintf(char *str, size_t size, const char *format, ...)
    Py_GCC_ATTRIBUTE((format(printf, 3, 4)));
PyAPI_FUNC(int) PyOS_vsnprintf(char *str, size_t size, const char *format, va_list va)
    Py_GCC_ATTRIBUTE((format(printf, 3, 0)));

#ifndef Py_LIMITED_API
#  include "cpython/pyerrors.h"
#endif

_Py_END_DECLS
#endif
