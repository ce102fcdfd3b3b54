/* The layout of a thread's state, trace functions, and the eval hook. */
#ifndef Py_CPYTHON_PYSTATE_H
#define Py_CPYTHON_PYSTATE_H

_Py_BEGIN_DECLS

/* ---------------------------------------------------- tracing and profiling */

/* obj is the argument of PyEval_SetTrace or PyEval_SetProfile; arg depends on the event.
   Returns 0, or -1 with an exception. */
typedef int (*Py_tracefunc)(PyObject *obj, PyFrameObject *frame, int what, PyObject *arg);

#define PyTrace_CALL        0   /* arg is None */
#define PyTrace_EXCEPTION   1   /* arg is (type, value, traceback); tracing only */
#define PyTrace_LINE        2   /* tracing only */
#define PyTrace_RETURN      3   /* arg is the value, NULL if it is an exception */
#define PyTrace_C_CALL      4   /* arg is the function; profiling only, as the next two */
#define PyTrace_C_EXCEPTION 5
#define PyTrace_C_RETURN    6
#define PyTrace_OPCODE      7   /* with f_trace_opcodes */

/* --------------------------------------------------------- the thread state */

typedef struct {
    PyCodeObject *code;             /* or NULL */
    PyCodeAddressRange bounds;
} PyTraceInfo;

struct _PyInterpreterFrame;

typedef struct _PyCFrame {
    uint8_t use_tracing;            /* 0, or 255 when a function is called for events */
    struct _PyInterpreterFrame *current_frame;
    struct _PyCFrame *previous;
} _PyCFrame;

/* An exception that is being handled, and the next outer one. */
typedef struct _err_stackitem {
    PyObject *exc_value;            /* NULL or None: none */
    struct _err_stackitem *previous_item;
} _PyErr_StackItem;

typedef struct _stack_chunk {
    struct _stack_chunk *previous;
    size_t size;
    size_t top;
    PyObject *data[1];
} _PyStackChunk;

/* Members that Springboard's evaluator does not use stay 0: those of frames and of the
   data stack. */
struct _ts {
    PyThreadState *prev;
    PyThreadState *next;
    PyInterpreterState *interp;

    int _initialized;
    int _static;

    int recursion_remaining;
    int recursion_limit;
    int recursion_headroom;

    int tracing;                    /* how many trace functions are running */
    int tracing_what;
    _PyCFrame *cframe;
    Py_tracefunc c_profilefunc;
    Py_tracefunc c_tracefunc;
    PyObject *c_profileobj;
    PyObject *c_traceobj;

    PyObject *curexc_type;          /* the current exception (set, not handled) */
    PyObject *curexc_value;
    PyObject *curexc_traceback;
    _PyErr_StackItem *exc_info;     /* the innermost one being handled */

    PyObject *dict;                 /* PyThreadState_GetDict's */
    int gilstate_counter;
    PyObject *async_exc;
    unsigned long thread_id;        /* pthread_self() */
    unsigned long native_thread_id; /* gettid() */

    int trash_delete_nesting;
    PyObject *trash_delete_later;

    void (*on_delete)(void *);
    void *on_delete_data;

    int coroutine_origin_tracking_depth;
    PyObject *async_gen_firstiter;
    PyObject *async_gen_finalizer;
    PyObject *context;
    uint64_t context_ver;
    uint64_t id;
    PyTraceInfo trace_info;

    _PyStackChunk *datastack_chunk;
    PyObject **datastack_top;
    PyObject **datastack_limit;

    _PyErr_StackItem exc_state;     /* the outermost exc_info */
    _PyCFrame root_cframe;
};

PyAPI_FUNC(void) PyThreadState_DeleteCurrent(void);
/* Around code that must not be traced. */
PyAPI_FUNC(void) PyThreadState_EnterTracing(PyThreadState *tstate);
PyAPI_FUNC(void) PyThreadState_LeaveTracing(PyThreadState *tstate);
PyAPI_FUNC(PyThreadState *) _PyThreadState_Prealloc(PyInterpreterState *interp);
/* Returns NULL if there is none, rather than end the program. */
PyAPI_FUNC(PyThreadState *) _PyThreadState_UncheckedGet(void);
PyAPI_FUNC(PyObject *) _PyThreadState_GetDict(PyThreadState *tstate);
/* Whether the current thread holds the GIL. The GIL is not needed. */
PyAPI_FUNC(int) PyGILState_Check(void);
PyAPI_FUNC(PyInterpreterState *) _PyGILState_GetInterpreterStateUnsafe(void);
/* Return {thread id: frame} and {thread id: exception}. */
PyAPI_FUNC(PyObject *) _PyThread_CurrentFrames(void);
PyAPI_FUNC(PyObject *) _PyThread_CurrentExceptions(void);

/* ------------------------------------------------ all states, for debuggers */

PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Main(void);
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Head(void);
PyAPI_FUNC(PyInterpreterState *) PyInterpreterState_Next(PyInterpreterState *interp);
PyAPI_FUNC(PyThreadState *) PyInterpreterState_ThreadHead(PyInterpreterState *interp);
PyAPI_FUNC(PyThreadState *) PyThreadState_Next(PyThreadState *tstate);
#define _PyInterpreterState_Get PyInterpreterState_Get
PyAPI_FUNC(PyObject *) _PyInterpreterState_GetMainModule(PyInterpreterState *interp);
PyAPI_FUNC(int) _PyInterpreterState_RequiresIDRef(PyInterpreterState *interp);
PyAPI_FUNC(void) _PyInterpreterState_RequireIDRef(PyInterpreterState *interp,
    int required);

/* -------------------------------------------------- the eval hook (PEP 523) */

typedef PyObject *(*_PyFrameEvalFunction)(PyThreadState *tstate,
                                          struct _PyInterpreterFrame *frame, int throwflag);

PyAPI_FUNC(_PyFrameEvalFunction) _PyInterpreterState_GetEvalFrameFunc(PyInterpreterState *interp);
PyAPI_FUNC(void) _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState *interp,
    _PyFrameEvalFunction eval_frame);

/* ------------------------------------------------------------ configuration */

/* The first and the last are the interpreter's own. The copy belongs to the caller. */
PyAPI_FUNC(const PyConfig *) _PyInterpreterState_GetConfig(PyInterpreterState *interp);
PyAPI_FUNC(int) _PyInterpreterState_GetConfigCopy(struct PyConfig *config);
PyAPI_FUNC(int) _PyInterpreterState_SetConfig(const struct PyConfig *config);
PyAPI_FUNC(const PyConfig *) _Py_GetConfig(void);

/* ------------------------------------- passing objects between interpreters */

struct _xid;
typedef struct _xid _PyCrossInterpreterData;

/* Return 0, or -1 with an exception. */
typedef int (*crossinterpdatafunc)(PyObject *, _PyCrossInterpreterData *);

struct _xid {
    void *data;
    PyObject *obj;          /* kept alive by this, or NULL */
    int64_t interp;         /* the interpreter it comes from */
    PyObject *(*new_object)(_PyCrossInterpreterData *);
    void (*free)(void *);   /* releases data, or NULL */
};

PyAPI_FUNC(int) _PyObject_GetCrossInterpreterData(PyObject *obj,
    _PyCrossInterpreterData *data);
PyAPI_FUNC(int) _PyObject_CheckCrossInterpreterData(PyObject *obj);
PyAPI_FUNC(PyObject *) _PyCrossInterpreterData_NewObject(_PyCrossInterpreterData *data);
PyAPI_FUNC(void) _PyCrossInterpreterData_Release(_PyCrossInterpreterData *data);
PyAPI_FUNC(int) _PyCrossInterpreterData_RegisterClass(PyTypeObject *cls,
    crossinterpdatafunc getdata);
PyAPI_FUNC(crossinterpdatafunc) _PyCrossInterpreterData_Lookup(PyObject *obj);

_Py_END_DECLS
#endif
