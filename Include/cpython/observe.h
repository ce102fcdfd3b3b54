/* The observability API that came after 3.11, with the names and the behaviour of 3.12 and
   3.13: Python functions in perf's map of symbols, trampolines that perf sees on the C
   stack, trace functions for all threads, and a function that is told of every object. */
#if !defined(Py_CPYTHON_OBSERVE_H) && !defined(Py_LIMITED_API)
#define Py_CPYTHON_OBSERVE_H

_Py_BEGIN_DECLS

/* /tmp/perf-PID.map, for compilers that run in this process. 0, -1 the file (errno says
   why), -2 the lock. No GIL is needed, no exception is set. */
PyAPI_FUNC(int) PyUnstable_PerfMapState_Init(void);
PyAPI_FUNC(int) PyUnstable_WritePerfMapEntry(const void *code_addr, unsigned int code_size,
    const char *entry_name);
PyAPI_FUNC(void) PyUnstable_PerfMapState_Fini(void);
/* After fork: what the parent's map says goes into the child's as well. */
PyAPI_FUNC(int) PyUnstable_CopyPerfMapFile(const char *parent_filename);

/* Makes the code object's trampoline before its first call. 0, also while no trampolines
   are active, or -1. */
PyAPI_FUNC(int) PyUnstable_PerfTrampoline_CompileCode(PyCodeObject *code);
/* Whether a forked child goes on with trampolines; returns the setting. No GIL is needed. */
PyAPI_FUNC(int) PyUnstable_PerfTrampoline_SetPersistAfterFork(int enable);

/* PyEval_SetProfile and PyEval_SetTrace for every thread of the interpreter. What goes wrong
   in one thread is given to sys.unraisablehook. */
PyAPI_FUNC(void) PyEval_SetProfileAllThreads(Py_tracefunc func, PyObject *obj);
PyAPI_FUNC(void) PyEval_SetTraceAllThreads(Py_tracefunc func, PyObject *obj);

/* Called when an object was made, and before it is destroyed: it may look at the object,
   and must not change reference counts, nor run Python. One for the process. */
typedef enum {
    PyRefTracer_CREATE = 0,
    PyRefTracer_DESTROY = 1
} PyRefTracerEvent;

typedef int (*PyRefTracer)(PyObject *, PyRefTracerEvent event, void *data);

/* tracer may be NULL; data is its last argument. 0. */
PyAPI_FUNC(int) PyRefTracer_SetTracer(PyRefTracer tracer, void *data);
/* The tracer in force, or NULL; *data, unless data is NULL, becomes its argument. */
PyAPI_FUNC(PyRefTracer) PyRefTracer_GetTracer(void **data);

_Py_END_DECLS
#endif
