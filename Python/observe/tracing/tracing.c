/* Tracing and profiling: sys.settrace, sys.setprofile and their C forms, and the static
   probes of functions.

   While a thread has a trace or profile function, or a tracer is attached to one of these
   probes, its handlers are those of Python/vm/observed.c. They call the hooks that
   _PyObserve_Init() fills in. The observing functions themselves run with the default
   handlers, because ts->tracing is not 0 then. */
#include "internal/observe.h"
#include "internal/errors.h"
#include "internal/frame_object.h"
#include "internal/hooks.h"
#include "internal/pystate.h"
#include "internal/tracing.h"
#include "internal/vm.h"
#include "frameobject.h"

/* ------------------------------------------------------------------- events */

typedef enum { TRACER, PROFILER } Observer;

static inline Py_tracefunc
function_of(PyThreadState *ts, Observer who)
{
    return who == TRACER ? ts->c_tracefunc : ts->c_profilefunc;
}

/* sys.settrace's function has said of this frame that it does not want to hear more. */
static inline int
is_let_alone(PyThreadState *ts, PyFrameObject *frame_obj)
{
    return ts->c_tracefunc == _PyTracing_PythonHook && frame_obj != NULL
           && frame_obj->f_trace == NULL;
}

/* Calls one observer that there is, with the frame's object, which the frame keeps alive; `line` is
   where the frame stands. 0, or what it returned. */
static inline __attribute__((always_inline)) int
call(PyThreadState *ts, Observer who, PyFrameObject *frame_obj, int line, int what, PyObject *arg)
{
    Py_tracefunc func = function_of(ts, who);
    PyObject *obj = who == TRACER ? ts->c_traceobj : ts->c_profileobj;
    Py_XINCREF(obj);
    int old_what = ts->tracing_what;
    ts->tracing_what = what;
    _PyVM_EnterTracing(ts);
    frame_obj->f_lineno = line;
    int result = func(obj, frame_obj, what, arg);
    /* An observer that has replaced itself dies here, and is not observed in that. */
    Py_XDECREF(obj);
    frame_obj->f_lineno = 0;
    _PyVM_LeaveTracing(ts);
    ts->tracing_what = old_what;
    return result;
}

/* Calls one observer. 0, or what it returned. */
static inline __attribute__((always_inline)) int
tell(PyThreadState *ts, Observer who, PyVMFrame *f, int what, PyObject *arg)
{
    if (function_of(ts, who) == NULL || ts->tracing) {
        return 0;
    }
    PyFrameObject *frame_obj = _PyFrame_GetFrameObject(f);
    if (frame_obj == NULL) {
        return -1;
    }
    /* Making the frame object may have caused a collection, and Python code run by that
       may have changed or removed the observer. */
    if (function_of(ts, who) == NULL) {
        return 0;
    }
    return call(ts, who, frame_obj, _PyFrame_LineOf(f), what, arg);
}

/* The same while an exception is set: it is kept unless the observer raises
   another. */
static int
tell_protected(PyThreadState *ts, Observer who, PyVMFrame *f, int what, PyObject *arg)
{
    PyObject *type, *value, *traceback;
    if (function_of(ts, who) == NULL || ts->tracing) {
        return 0;
    }
    if (!_PyErr_Occurred(ts)) {
        return tell(ts, who, f, what, arg) == 0 ? 0 : -1;
    }
    _PyErr_Fetch(ts, &type, &value, &traceback);
    int err = tell(ts, who, f, what, arg);
    if (err == 0) {
        _PyErr_Restore(ts, type, value, traceback);
        return 0;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return -1;
}

/* A frame is entered or left. */
static int
tell_frame(PyThreadState *ts, PyVMFrame *f, int what, PyObject *arg)
{
    if (ts->tracing) {
        return 0;
    }
    if (what == PyTrace_CALL && PROBE_IS_ATTACHED(function__entry)) {
        _PyProbes_FunctionEntry(f);
    }
    if (what == PyTrace_RETURN && PROBE_IS_ATTACHED(function__return)) {
        _PyProbes_FunctionReturn(f);
    }
    if (ts->c_tracefunc != NULL && (what == PyTrace_CALL || !is_let_alone(ts, f->frame_obj))
        && (!_PyErr_Occurred(ts) ? tell(ts, TRACER, f, what, arg) != 0
                                 : tell_protected(ts, TRACER, f, what, arg) < 0)) {
        return -1;
    }
    return ts->c_profilefunc == NULL ? 0 : tell_protected(ts, PROFILER, f, what, arg);
}

static void
tell_exception(PyThreadState *ts, PyVMFrame *f)
{
    if (ts->tracing) {
        return;
    }
    PyObject *type, *value, *original;
    _PyErr_Fetch(ts, &type, &value, &original);
    if (value == NULL) {
        value = Py_NewRef(Py_None);
    }
    PyObject *traceback = original;
    _PyErr_NormalizeException(ts, &type, &value, &traceback);
    PyObject *arg = PyTuple_Pack(3, type, value,
                                 traceback != NULL ? traceback : Py_None);
    if (arg == NULL) {
        _PyErr_Restore(ts, type, value, traceback);
        return;
    }
    int err = tell(ts, TRACER, f, PyTrace_EXCEPTION, arg);
    Py_DECREF(arg);
    if (err == 0) {
        _PyErr_Restore(ts, type, value, traceback);
        return;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

static int
tell_c_function(PyThreadState *ts, PyVMFrame *f, int what, PyObject *callable)
{
    return what == PyTrace_C_EXCEPTION
        ? tell_protected(ts, PROFILER, f, what, callable)
        : tell(ts, PROFILER, f, what, callable);
}

static __attribute__((noinline)) int
tell_opcode(PyThreadState *ts, PyVMFrame *f)
{
    return tell(ts, TRACER, f, PyTrace_OPCODE, Py_None);
}

static int
tell_instruction(PyThreadState *ts, PyVMFrame *f, int line)
{
    PyFrameObject *frame_obj = f->frame_obj;
    if (frame_obj == NULL) {
        frame_obj = _PyFrame_GetFrameObject(f);
        if (frame_obj == NULL) {
            return -1;
        }
        if (ts->c_tracefunc == NULL) {
            return 0;       /* a collection has removed it */
        }
    }
    if (is_let_alone(ts, frame_obj)) {
        return 0;
    }
    if (frame_obj->f_trace_lines && line >= 0
        && call(ts, TRACER, frame_obj, line, PyTrace_LINE, Py_None) != 0) {
        return -1;
    }
    return frame_obj->f_trace_opcodes ? tell_opcode(ts, f) : 0;
}

int
_PyObserve_Init(void)
{
    _PyVM_observers = (_PyObservers){
        .frame = tell_frame,
        .exception = tell_exception,
        .c_function = tell_c_function,
        .instruction = tell_instruction,
        .monitor = _PyMonitoring_Tell,
        .missing = &_PyMonitoring_Missing,
    };
    return 0;
}

/* ---------------------------------------------------------------- switching */

static const char *const audit_events[] = {"sys.settrace", "sys.setprofile"};

/* Takes the observer out of the thread state. Returns its object, which is no longer in use. */
static PyObject *
take_observer(PyThreadState *ts, Observer who)
{
    PyObject **obj = who == TRACER ? &ts->c_traceobj : &ts->c_profileobj;
    PyObject *old = *obj;
    *obj = NULL;
    if (who == TRACER) {
        ts->c_tracefunc = NULL;
    }
    else {
        ts->c_profilefunc = NULL;
    }
    return old;
}

static void
put_observer(PyThreadState *ts, Observer who, Py_tracefunc func, PyObject *obj)
{
    if (who == TRACER) {
        ts->c_traceobj = Py_XNewRef(obj);
        ts->c_tracefunc = func;
    }
    else {
        ts->c_profileobj = Py_XNewRef(obj);
        ts->c_profilefunc = func;
    }
    ts->cframe->use_tracing =
        ts->c_tracefunc != NULL || ts->c_profilefunc != NULL ? 255 : 0;
    _PyVM_ChooseTable(ts);
}

/* In the calling thread. 0, or -1 with an exception. */
static int
set_observer(PyThreadState *ts, Observer who, Py_tracefunc func, PyObject *obj)
{
    if (PySys_Audit(audit_events[who], NULL) < 0) {
        return -1;
    }
    /* The old function's destructor could install another one. */
    static int installing[2];
    if (installing[who]) {
        const char *kind = who == TRACER ? "trace" : "profile";
        PyErr_Format(PyExc_RuntimeError,
                     "Cannot install a %s function while another %s function is being installed",
                     kind, kind);
        return -1;
    }
    installing[who] = 1;
    Py_XDECREF(take_observer(ts, who));
    installing[who] = 0;
    put_observer(ts, who, func, obj);
    return 0;
}

int
_PyEval_SetProfile(PyThreadState *ts, Py_tracefunc func, PyObject *obj)
{
    return set_observer(ts, PROFILER, func, obj);
}

int
_PyEval_SetTrace(PyThreadState *ts, Py_tracefunc func, PyObject *obj)
{
    return set_observer(ts, TRACER, func, obj);
}

void
PyEval_SetProfile(Py_tracefunc func, PyObject *obj)
{
    PyThreadState *ts = _PyThreadState_GET();
    if (_PyEval_SetProfile(ts, func, obj) < 0) {
        PyErr_WriteUnraisable(NULL);
    }
}

void
PyEval_SetTrace(Py_tracefunc func, PyObject *obj)
{
    PyThreadState *ts = _PyThreadState_GET();
    if (_PyEval_SetTrace(ts, func, obj) < 0) {
        PyErr_WriteUnraisable(NULL);
    }
}

/* Auditing hooks and the destructors of old functions may run Python code, so threads start and end
   meanwhile. Each step begins with the next higher number, which threads that have just been
   started have, too; and nothing of a thread is in use while such code runs. */
static void
set_in_all_threads(Observer who, Py_tracefunc func, PyObject *obj)
{
    PyInterpreterState *interp = _PyThreadState_GET()->interp;
    uint64_t id = 0;
    PyThreadState *ts;
    while ((ts = _PyThreadState_FromId(interp, id)) != NULL) {
        id = ts->id;
        if (PySys_Audit(audit_events[who], NULL) < 0) {
            PyErr_WriteUnraisable(NULL);
        }
        else if ((ts = _PyThreadState_FromId(interp, id)) != NULL && ts->id == id
                 && !(_PyThreadState_IMPL(ts)->ends && func != NULL)) {
            PyObject *old = take_observer(ts, who);
            put_observer(ts, who, func, obj);
            Py_XDECREF(old);
        }
        id++;
    }
}

void
PyEval_SetProfileAllThreads(Py_tracefunc func, PyObject *obj)
{
    set_in_all_threads(PROFILER, func, obj);
}

void
PyEval_SetTraceAllThreads(Py_tracefunc func, PyObject *obj)
{
    set_in_all_threads(TRACER, func, obj);
}
