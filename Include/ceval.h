/* Running code, the GIL, pending calls, and the recursion limit. */
#ifndef Py_CEVAL_H
#define Py_CEVAL_H

_Py_BEGIN_DECLS

/* ------------------------------------------------------------- running code */

/* co is a code object, globals a dict, locals any mapping. */
PyAPI_FUNC(PyObject *) PyEval_EvalCode(PyObject *co, PyObject *globals, PyObject *locals);
PyAPI_FUNC(PyObject *) PyEval_EvalCodeEx(PyObject *co, PyObject *globals,
    PyObject *locals, PyObject *const *args, int argcount, PyObject *const *kws,
    int kwcount, PyObject *const *defs, int defcount, PyObject *kwdefs,
    PyObject *closure);
PyAPI_FUNC(PyObject *) PyEval_EvalFrame(PyFrameObject *f);
PyAPI_FUNC(PyObject *) PyEval_EvalFrameEx(PyFrameObject *f, int throwflag);

/* Of the current Python frame. Borrowed, or NULL when there is none (builtins: then the
   interpreter's own). */
PyAPI_FUNC(PyFrameObject *) PyEval_GetFrame(void);  /* borrowed */
PyAPI_FUNC(PyObject *) PyEval_GetLocals(void);  /* borrowed */
PyAPI_FUNC(PyObject *) PyEval_GetGlobals(void);  /* borrowed */
PyAPI_FUNC(PyObject *) PyEval_GetBuiltins(void);  /* borrowed */
/* "name" and "()", " object" and so on, for messages. The text belongs to the function. */
PyAPI_FUNC(const char *) PyEval_GetFuncName(PyObject *func);
PyAPI_FUNC(const char *) PyEval_GetFuncDesc(PyObject *func);

/* Older functions for calls. */
Py_DEPRECATED(3.9) PyAPI_FUNC(PyObject *) PyEval_CallObjectWithKeywords(PyObject *callable,
    PyObject *args, PyObject *kwargs);
Py_DEPRECATED(3.9) PyAPI_FUNC(PyObject *) PyEval_CallFunction(PyObject *callable,
    const char *format, ...);
Py_DEPRECATED(3.9) PyAPI_FUNC(PyObject *) PyEval_CallMethod(PyObject *obj,
    const char *name, const char *format, ...);
#define PyEval_CallObject(callable, arg) \
    PyEval_CallObjectWithKeywords((callable), (arg), _PyObject_CAST(_Py_NULL))

/* ------------------------------------------------------------------- limits */

/* For C code that recurses. Enter counts against sys.getrecursionlimit() and checks the C
   stack. It returns -1 with RecursionError; `where` is the end of the message. */
PyAPI_FUNC(int) Py_EnterRecursiveCall(const char *where);
PyAPI_FUNC(void) Py_LeaveRecursiveCall(void);
PyAPI_FUNC(int) Py_GetRecursionLimit(void);
PyAPI_FUNC(void) Py_SetRecursionLimit(int limit);

/* Arranges for func(arg) to be called soon in the main thread, with the GIL. Returns -1
   without an exception if the queue is full. May be called without the GIL. */
PyAPI_FUNC(int) Py_AddPendingCall(int (*func)(void *), void *arg);
PyAPI_FUNC(int) Py_MakePendingCalls(void);

/* ------------------------------------------------------------------ the GIL */

/* Release and take the GIL. In between, the thread must not use Python objects, or
   functions that need the GIL. */
PyAPI_FUNC(PyThreadState *) PyEval_SaveThread(void);
PyAPI_FUNC(void) PyEval_RestoreThread(PyThreadState *tstate);
PyAPI_FUNC(void) PyEval_AcquireThread(PyThreadState *tstate);
PyAPI_FUNC(void) PyEval_ReleaseThread(PyThreadState *tstate);
/* These do nothing any more. */
Py_DEPRECATED(3.9) PyAPI_FUNC(void) PyEval_InitThreads(void);
Py_DEPRECATED(3.9) PyAPI_FUNC(int) PyEval_ThreadsInitialized(void);
Py_DEPRECATED(3.2) PyAPI_FUNC(void) PyEval_AcquireLock(void);
Py_DEPRECATED(3.2) PyAPI_FUNC(void) PyEval_ReleaseLock(void);

/* The same as a block. BLOCK and UNBLOCK take the GIL back for a while inside it. */
#define Py_BEGIN_ALLOW_THREADS { PyThreadState *_save = PyEval_SaveThread();
#define Py_BLOCK_THREADS         PyEval_RestoreThread(_save);
#define Py_UNBLOCK_THREADS       _save = PyEval_SaveThread();
#define Py_END_ALLOW_THREADS     PyEval_RestoreThread(_save); }

/* ---------------------------------------------------------------- f-strings */

/* The conversion of a field (!s, !r, !a), and whether it has a format specification. */
#define FVC_MASK      0x3
#define FVC_NONE      0x0
#define FVC_STR       0x1
#define FVC_REPR      0x2
#define FVC_ASCII     0x3
#define FVS_MASK      0x4
#define FVS_HAVE_SPEC 0x4

#ifndef Py_LIMITED_API
#  include "cpython/ceval.h"
#endif

_Py_END_DECLS
#endif
