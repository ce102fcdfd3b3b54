/* The observability API of later versions than 3.11, with the names and the behaviour of
   3.12 and 3.13: Python functions in perf's map of symbols, trampolines that perf sees on
   the C stack, trace functions for all threads, and a function that is called for every
   object. */
#if !defined(Py_CPYTHON_OBSERVE_H) && !defined(Py_LIMITED_API)
#define Py_CPYTHON_OBSERVE_H

_Py_BEGIN_DECLS

/* /tmp/perf-PID.map, for compilers that run in this process. Return 0, -1: file error
   (see errno), or -2: lock error. The GIL is not needed, and no exception is set. */
PyAPI_FUNC(int) PyUnstable_PerfMapState_Init(void);
PyAPI_FUNC(int) PyUnstable_WritePerfMapEntry(const void *code_addr, unsigned int code_size,
    const char *entry_name);
PyAPI_FUNC(void) PyUnstable_PerfMapState_Fini(void);
/* After fork: copies the entries of the parent's map to the child's. */
PyAPI_FUNC(int) PyUnstable_CopyPerfMapFile(const char *parent_filename);

/* Makes the code object's trampoline before its first call. Returns 0, also if
   trampolines are not active, or -1. */
PyAPI_FUNC(int) PyUnstable_PerfTrampoline_CompileCode(PyCodeObject *code);
/* Whether a forked child continues to use trampolines. Returns the setting. The GIL is
   not needed. */
PyAPI_FUNC(int) PyUnstable_PerfTrampoline_SetPersistAfterFork(int enable);

/* PyEval_SetProfile and PyEval_SetTrace for every thread of the interpreter. An error in
   one thread is passed to sys.unraisablehook. */
PyAPI_FUNC(void) PyEval_SetProfileAllThreads(Py_tracefunc func, PyObject *obj);
PyAPI_FUNC(void) PyEval_SetTraceAllThreads(Py_tracefunc func, PyObject *obj);

/* A function that is called after an object is made, and before it is destroyed. It may
   look at the object, but must not change reference counts, run Python code or set an exception.
   There is one for the process; it is called with the GIL. When it is removed or replaced, also
   by itself, it is called a last time, with NULL for the object. */
enum {
    PyRefTracer_CREATE = 0,
    PyRefTracer_DESTROY = 1,
    PyRefTracer_TRACKER_REMOVED = 2
};
/* Tracers may declare either: the type of an enumeration without negative values would be
   unsigned. */
typedef int PyRefTracerEvent;

typedef int (*PyRefTracer)(PyObject *, PyRefTracerEvent event, void *data);

/* tracer may be NULL. data becomes its last argument. Returns 0, or -1 if the tracer before set an
   exception when it was told that it is removed; it stays then. Needs the GIL. */
PyAPI_FUNC(int) PyRefTracer_SetTracer(PyRefTracer tracer, void *data);
/* Returns the current tracer, or NULL. If data is not NULL, *data becomes its argument, or NULL
   if there is none. */
PyAPI_FUNC(PyRefTracer) PyRefTracer_GetTracer(void **data);

_Py_END_DECLS
#endif
