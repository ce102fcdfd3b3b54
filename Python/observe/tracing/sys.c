/* sys.settrace, sys.setprofile and their companions: Python functions as
   observers. */
#include "Python.h"
#include "internal/frame_object.h"
#include "internal/names.h"
#include "internal/pystate.h"
#include "internal/tracing.h"
#include "internal/vm.h"
#include "frameobject.h"

static PyObject *event_names[8];

/* Interned on first use. 0 or -1. */
static int
make_event_names(void)
{
    static const char *const texts[] = {
        "call", "exception", "line", "return", "c_call", "c_exception",
        "c_return", "opcode",
    };
    for (int i = 0; i < 8; i++) {
        if (event_names[i] == NULL
            && (event_names[i] = PyUnicode_InternFromString(texts[i])) == NULL) {
            return -1;
        }
    }
    return 0;
}

/* function(frame, event, arg). If somebody has asked for frame.f_locals since the last event, its
   dict is brought up to date before. What is in it afterwards, if anybody has asked by then,
   becomes the values of the variables. Returns a new reference, or NULL. */
static inline __attribute__((always_inline)) PyObject *
call_observer(PyObject *function, PyFrameObject *frame, int what, PyObject *arg)
{
    if (frame->f_fast_as_locals && PyFrame_FastToLocalsWithError(frame) < 0) {
        return NULL;
    }
    PyObject *name = event_names[what];
    if (arg == NULL) {
        arg = Py_None;
    }
    PyObject *result;
    if (PyFunction_Check(function)
        && ((PyFunctionObject *)function)->vectorcall == _PyFunction_Vectorcall) {
        result = _PyEval_Call3((PyFunctionObject *)function, (PyObject *)frame, name, arg);
    }
    else {
        PyObject *args[] = {(PyObject *)frame, name, arg};
        result = PyObject_Vectorcall(function, args, 3, NULL);
    }
    if (frame->f_fast_as_locals) {
        PyFrame_LocalsToFast(frame, 1);
    }
    if (result == NULL) {
        PyTraceBack_Here(frame);
    }
    return result;
}

static int
profile_hook(PyObject *function, PyFrameObject *frame, int what, PyObject *arg)
{
    PyObject *result = call_observer(function, frame, what, arg);
    if (result == NULL) {
        _PyEval_SetProfile(_PyThreadState_GET(), NULL, NULL);
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

/* "call" goes to the global trace function, whose result becomes the frame's own
   trace function; all other events go to that one. */
int
_PyTracing_PythonHook(PyObject *function, PyFrameObject *frame, int what, PyObject *arg)
{
    PyObject *callback = what == PyTrace_CALL ? function : frame->f_trace;
    if (callback == NULL) {
        return 0;
    }
    Py_INCREF(callback);
    PyObject *result = call_observer(callback, frame, what, arg);
    Py_DECREF(callback);
    if (result == NULL) {
        _PyEval_SetTrace(_PyThreadState_GET(), NULL, NULL);
        Py_CLEAR(frame->f_trace);
        return -1;
    }
    if (result == Py_None || result == frame->f_trace) {
        Py_DECREF(result);
    }
    else {
        Py_XSETREF(frame->f_trace, result);
    }
    return 0;
}

PyObject *
_PySys_settrace(PyObject *Py_UNUSED(module), PyObject *function)
{
    int set = function != Py_None;
    if (make_event_names() < 0
        || _PyEval_SetTrace(_PyThreadState_GET(), set ? _PyTracing_PythonHook : NULL,
                            set ? function : NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
_PySys_setprofile(PyObject *Py_UNUSED(module), PyObject *function)
{
    int set = function != Py_None;
    if (make_event_names() < 0
        || _PyEval_SetProfile(_PyThreadState_GET(), set ? profile_hook : NULL,
                              set ? function : NULL) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyObject *
_PySys_gettrace(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *function = _PyThreadState_GET()->c_traceobj;
    return Py_NewRef(function != NULL ? function : Py_None);
}

PyObject *
_PySys_getprofile(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *function = _PyThreadState_GET()->c_profileobj;
    return Py_NewRef(function != NULL ? function : Py_None);
}

/* sys.call_tracing: makes a call with tracing enabled, from within a trace function. */
static PyObject *
call_tracing(PyObject *func, PyObject *args)
{
    PyThreadState *ts = _PyThreadState_GET();
    int tracing = ts->tracing;
    ts->tracing = 1;
    PyThreadState_LeaveTracing(ts);
    PyObject *result = PyObject_Call(func, args, NULL);
    PyThreadState_EnterTracing(ts);
    ts->tracing = tracing;
    return result;
}

PyObject *
_PySys_call_tracing(PyObject *Py_UNUSED(module), PyObject *const *args,
                    Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("call_tracing", nargs, 2, 2)) {
        return NULL;
    }
    if (!PyTuple_Check(args[1])) {
        _PyArg_BadArgument("call_tracing", "argument 2", "tuple", args[1]);
        return NULL;
    }
    return call_tracing(args[0], args[1]);
}
