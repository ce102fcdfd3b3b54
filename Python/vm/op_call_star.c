/* f(*args, **kwargs). */
#include "call.h"
#include "internal/observe.h"
#include "internal/dict.h"

#ifndef VM_STEPS

/* The tuple of positional arguments. Returns a new reference. */
static PyObject *
star_args(PyThreadState *ts, PyObject *callable, PyObject *iterable)
{
    if (PyTuple_CheckExact(iterable)) {
        return Py_NewRef(iterable);
    }
    if (Py_TYPE(iterable)->tp_iter == NULL && !PySequence_Check(iterable)) {
        PyObject *name = _PyObject_FunctionStr(callable);
        if (name != NULL) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "%U argument after * must be an iterable, not %.200s",
                          name, Py_TYPE(iterable)->tp_name);
            Py_DECREF(name);
        }
        return NULL;
    }
    return PySequence_Tuple(iterable);
}

/* For a callable that begins a frame: lays the arguments out in a window above
   everything that the thread uses. */
static PyVMFrame *
push_unpacked(PyThreadState *ts, PyVMFrame *f, PyObject *func, PyObject *args,
              PyObject *kwargs, int dest)
{
    Py_ssize_t npos = PyTuple_GET_SIZE(args);
    Py_ssize_t nkw = kwargs ? PyDict_GET_SIZE(kwargs) : 0;
    PyObject *names = NULL;
    if (nkw > 0 && (names = PyTuple_New(nkw)) == NULL) {
        return NULL;
    }
    void *floor = TS_FLOOR(ts);
    PyReg *window = _PyVM_TakeWindow(ts, f, WINDOW_WORDS(npos + nkw));
    if (window == NULL) {
        Py_XDECREF(names);
        return NULL;
    }
    PyReg *regs = window + FRAME_WORDS;
    int all_str = 1;
    for (Py_ssize_t i = 0; i < npos; i++) {
        regs[i] = (PyReg)Py_NewRef(PyTuple_GET_ITEM(args, i));
    }
    if (nkw > 0) {
        PyObject *key, *value;
        Py_ssize_t position = 0, k = 0;
        while (PyDict_Next(kwargs, &position, &key, &value)) {
            all_str &= PyUnicode_Check(key) != 0;
            PyTuple_SET_ITEM(names, k, Py_NewRef(key));
            regs[npos + k] = (PyReg)Py_NewRef(value);
            k++;
        }
    }
    window[0] = (PyReg)Py_NewRef(func);
    PyVMFrame *frame = NULL;
    if (likely(all_str)) {
        frame = _PyVM_BeginCall(ts, f, window, npos + nkw, names, dest, _PyVM_CallWindow).frame;
    }
    else {
        _PyVM_DropWindow(window, npos + nkw);
        _PyErr_SetString(ts, PyExc_TypeError, "keywords must be strings");
    }
    if (frame != NULL) {
        cover_frame(ts, frame);
    }
    Py_XDECREF(names);
    TS_FLOOR(ts) = floor;
    return frame;
}

/* f(*args, **kwargs) of a function whose only parameters are *args and **kwargs, or one of them
   and nothing is there for the other: the arguments are passed on without unpacking. NULL without
   an exception: it is not such a call. The operand has one reference to the dict besides `kwargs`:
   what has no more was made for this call, and needs no copy. */
static PyVMFrame *
push_passed_on(PyThreadState *ts, PyVMFrame *f, PyObject *func, PyObject *args,
               PyObject *kwargs, int dest)
{
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    int flags = code->ob.co_flags;
    int takes_args = (flags & CO_VARARGS) != 0;
    int takes_kwargs = (flags & CO_VARKEYWORDS) != 0;
    if (code->ob.co_argcount != 0 || code->ob.co_kwonlyargcount != 0
        || (!takes_args && (!takes_kwargs || PyTuple_GET_SIZE(args) != 0))
        || !(flags & CO_OPTIMIZED)) {
        return NULL;
    }
    int has_kwargs = kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0;
    if (has_kwargs
        && (!takes_kwargs
            || ((PyDictObject *)kwargs)->ma_keys->kind != DICT_KEYS_UNICODE)) {
        return NULL;
    }
    PyObject *copy = NULL;
    if (takes_kwargs) {
        copy = !has_kwargs ? PyDict_New()
               : Py_REFCNT(kwargs) <= 2 ? Py_NewRef(kwargs) : PyDict_Copy(kwargs);
        if (copy == NULL) {
            return NULL;
        }
    }
    PyReg *window = _PyVM_RoomAbove(ts, f, FRAME_WORDS + 2);
    if (window == NULL || enter_python(ts) < 0) {
        Py_XDECREF(copy);
        return NULL;
    }
    PyVMFrame *frame = (PyVMFrame *)window;
    frame->func = Py_NewRef(func);
    if (takes_args) {
        frame->regs[0] = (PyReg)Py_NewRef(args);
    }
    if (takes_kwargs) {
        frame->regs[takes_args] = (PyReg)copy;
    }
    frame_init(frame, code, f, dest, RET_REG);
    return frame;
}

/* A tp_call in C gets the dict itself and may keep it, so it must not get the dict of the
   caller's variable. The operand has one reference besides that of `*kwargs`. */
static int
own_keywords(PyObject *callable, PyObject **kwargs)
{
    if (*kwargs == NULL || Py_REFCNT(*kwargs) <= 2
        || PyVectorcall_Function(callable) != NULL) {
        return 0;
    }
    PyObject *copy = PyDict_Copy(*kwargs);
    if (copy == NULL) {
        return -1;
    }
    Py_SETREF(*kwargs, copy);
    return 0;
}

BegunCall
_PyVM_BeginCallEx(PyThreadState *ts, PyVMFrame *f, PyReg *window, int has_kwargs, int dest)
{
    PyReg *operands = window + FRAME_WORDS;
    const BegunCall refused = {NULL, NULL};
    PyObject *callable = reg_object(window);
    if (callable == NULL || box_run(operands, 1 + has_kwargs) < 0) {
        return refused;
    }
    PyObject *kwargs = NULL;
    if (has_kwargs) {
        kwargs = Py_NewRef(REG_PTR(operands[1]));
        if (!PyDict_CheckExact(kwargs)) {
            PyObject *copy = PyDict_New();
            if (copy == NULL || PyDict_Update(copy, kwargs) < 0) {
                if (_PyErr_ExceptionMatches(ts, PyExc_AttributeError)) {
                    _PyErr_Clear(ts);
                    PyObject *name = _PyObject_FunctionStr(callable);
                    if (name != NULL) {
                        _PyErr_Format(ts, PyExc_TypeError,
                                      "%U argument after ** must be a mapping, "
                                      "not %.200s",
                                      name, Py_TYPE(kwargs)->tp_name);
                        Py_DECREF(name);
                    }
                }
                Py_XDECREF(copy);
                Py_DECREF(kwargs);
                return refused;
            }
            Py_SETREF(kwargs, copy);
        }
    }
    PyObject *args = star_args(ts, callable, REG_PTR(operands[0]));
    if (args == NULL) {
        Py_XDECREF(kwargs);
        return refused;
    }
    PyObject *result = NULL;
    PyVMFrame *frame = NULL;
    PyObject *method;
    CallKind kind = _PyVM_KindOfCall(ts, callable, &method);
    if (kind != IN_C && kind != METHOD_FRAME) {
        if (kind == FUNCTION_FRAME) {
            frame = push_passed_on(ts, f, callable, args, kwargs, dest);
        }
        if (frame == NULL && !_PyErr_Occurred(ts)) {
            frame = push_unpacked(ts, f, callable, args, kwargs, dest);
        }
    }
    else if (own_keywords(callable, &kwargs) == 0) {
        result = _PyVM_ObservedCallTuple(ts, callable, args, kwargs);
    }
    void *floor = TS_FLOOR(ts);
    if (frame != NULL) {
        cover_frame(ts, frame);
    }
    Py_DECREF(args);
    Py_XDECREF(kwargs);
    clear_run(operands, 1 + has_kwargs);
    clear_run(window, 1);
    TS_FLOOR(ts) = floor;
    return (BegunCall){frame, result};
}

#endif /* VM_STEPS */

SLOW(call_ex_slow)
{
    SAVE_IP();
    BegunCall begun = _PyVM_BeginCallEx(ts, f, &R(A), B, C);
    PyObject *result = begun.result;
    if (begun.frame != NULL) {
        if (likely(!ts->interp->calls_hooked)) {
            ENTER_FRAME(begun.frame);
        }
        result = _PyVM_RunHooked(ts, begun.frame);
    }
    if (result == NULL) {
        ERROR();
    }
    FINISH_CALL(C, result);
}

HANDLER(CALL_EX)
{
    TAIL(call_ex_slow);
}
