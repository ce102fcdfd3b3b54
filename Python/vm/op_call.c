/* Calls: the general forms, and calls of Python functions, which begin a frame in the
   caller's window and continue in it. */
#include "call.h"
#include "internal/observe.h"

/* After a call into C, as at the start of a Python function, other threads get
   their turn. */
SHARED_SLOW(_PyVM_PendingAfterCall)
{
    SAVE_IP();
    if (_Py_HandlePending(ts) < 0) {
        ERROR();
    }
    ip += CALL_WORDS;
    RELOAD();
    SHOW_RUNNING();
    DISPATCH();
}

#define CALL_SLOW(linkage, name, is_method, has_names, call_c) \
    linkage(name) \
    { \
        SAVE_IP(); \
        PyReg *window = &R(A); \
        Py_ssize_t nargs = B; \
        if (is_method) { \
            if (*window == 0) { \
                window++; \
            } \
            else { \
                nargs++; \
            } \
        } \
        PyObject *names = \
            has_names ? code_const(f, CACHE(0)->arg) : NULL; \
        BegunCall begun = _PyVM_BeginCall(ts, f, window, nargs, names, C, call_c); \
        PyObject *result = begun.result; \
        if (begun.frame != NULL) { \
            if (likely(!ts->interp->calls_hooked)) { \
                ENTER_FRAME(begun.frame); \
            } \
            result = _PyVM_RunHooked(ts, begun.frame); \
        } \
        if (result == NULL) { \
            ERROR(); \
        } \
        FINISH_CALL(C, result); \
    }

CALL_SLOW(SHARED_SLOW, _PyVM_Call, 0, 0, _PyVM_CallWindow)
CALL_SLOW(SLOW, call_kw, 0, 1, _PyVM_CallWindow)
CALL_SLOW(SHARED_SLOW, _PyVM_CallMethod, 1, 0, _PyVM_CallWindow)
CALL_SLOW(SLOW, call_method_kw, 1, 1, _PyVM_CallWindow)

/* The same for the observing table: calls of C functions are events. */
CALL_SLOW(SHARED_SLOW, _PyVM_ObservedCall, 0, 0, _PyVM_ObservedCallWindow)
CALL_SLOW(SHARED_SLOW, _PyVM_ObservedCallKw, 0, 1, _PyVM_ObservedCallWindow)
CALL_SLOW(SHARED_SLOW, _PyVM_ObservedCallMethod, 1, 0, _PyVM_ObservedCallWindow)
CALL_SLOW(SHARED_SLOW, _PyVM_ObservedCallMethodKw, 1, 1, _PyVM_ObservedCallWindow)

/* Calls an object that takes its arguments as an array and is no function, method or
   class. */
#define CALL_VECTOR(name, count) \
    SLOW(name) \
    { \
        SAVE_IP(); \
        PyReg *window = &R(A), *args = window + FRAME_WORDS; \
        Py_ssize_t nargs = (count); \
        if (unlikely(box_run(args, nargs) < 0)) { \
            ERROR(); \
        } \
        PyObject *callable = REG_PTR(*window); \
        PyObject *result = _PyObject_VectorcallTstate( \
            ts, callable, (PyObject **)args, \
            (size_t)nargs | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL); \
        args[-1] = 0; \
        clear_run(args, nargs); \
        *window = 0; \
        Py_DECREF(callable); \
        if (unlikely(result == NULL)) { \
            ERROR(); \
        } \
        FINISH_CALL(C, result); \
    }

CALL_VECTOR(call_vector, B)
CALL_VECTOR(call_method_vector, B + 1)

/* ------------------------------------------------ calls of Python functions */

static inline int
is_function(PyReg value)
{
    return likely(!REG_IS_INT(value))
           && likely(Py_IS_TYPE(REG_PTR(value), &PyFunction_Type));
}

/* The usual call: as many arguments as parameters, on the thread's stack. Returns the
   code, or NULL: it is another kind of call. */
static inline PyVMCode *
usual_callee(PyThreadState *ts, PyReg *window, Py_ssize_t nargs)
{
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)REG_PTR(*window))->func_code);
    return likely(code->simple_call) && likely(code->ob.co_argcount == (int)nargs)
           && likely(frame_fits(ts, window)) && likely(ts->recursion_remaining > 0)
           ? code : NULL;
}

/* Appends defaults to the arguments, which makes this the usual call of a plain function.
   Returns the code, or NULL: that is not possible. */
static inline PyVMCode *
callee_with_defaults(PyThreadState *ts, PyReg *window, Py_ssize_t nargs)
{
    PyFunctionObject *func = (PyFunctionObject *)REG_PTR(*window);
    PyVMCode *code = _PyVMCode_CAST(func->func_code);
    PyObject *defaults = func->func_defaults;
    Py_ssize_t missing = code->ob.co_argcount - nargs;
    if (!code->simple_call || missing <= 0 || defaults == NULL
        || missing > PyTuple_GET_SIZE(defaults)
        || !frame_fits(ts, window) || ts->recursion_remaining <= 0) {
        return NULL;
    }
    PyObject **values = ((PyTupleObject *)defaults)->ob_item
                        + PyTuple_GET_SIZE(defaults) - missing;
    PyReg *args = window + FRAME_WORDS + nargs;
    for (Py_ssize_t i = 0; i < missing; i++) {
        args[i] = (PyReg)Py_NewRef(values[i]);
    }
    return code;
}

/* Makes the call of a bound method with a Python function the usual call: self goes in
   front of the arguments. Self and function get new references before the method object,
   which may have the last ones, is released. Returns the code, or NULL: it is another kind
   of call, or a weak reference may run code when the method object is destroyed. */
static inline PyVMCode *
callee_of_bound(PyThreadState *ts, PyReg *window, Py_ssize_t nargs)
{
    PyMethodObject *method = (PyMethodObject *)REG_PTR(*window);
    PyObject *func = method->im_func;
    if (unlikely(!Py_IS_TYPE(func, &PyFunction_Type))
        || unlikely(ts->interp->eval_frame != NULL)
        || unlikely(method->im_weakreflist != NULL)) {
        return NULL;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    if (unlikely(!code->simple_call) || unlikely(code->ob.co_argcount != (int)nargs + 1)
        || unlikely(!frame_fits(ts, window)) || unlikely(ts->recursion_remaining <= 0)) {
        return NULL;
    }
    PyReg *args = window + FRAME_WORDS;
    for (Py_ssize_t i = nargs; i > 0; i--) {
        args[i] = args[i - 1];
    }
    args[0] = (PyReg)Py_NewRef(method->im_self);
    *window = (PyReg)Py_NewRef(func);
    Py_DECREF(method);
    return code;
}

#define ENTER_SIMPLE(window, callee) \
    do { \
        ts->recursion_remaining--; \
        SAVE_IP(); \
        PyVMFrame *frame_ = (PyVMFrame *)(window); \
        frame_init(frame_, callee, f, C, RET_REG); \
        f = frame_; \
        TS_FRAME(ts) = f; \
        ip = (callee)->code; \
        DISPATCH(); \
    } while (0)

#define CALL_PREPARED(name, first, count, callee, general) \
    SLOW(name) \
    { \
        PyReg *window = (first); \
        PyVMCode *code = callee(ts, window, count); \
        if (code == NULL) { \
            TAIL(general); \
        } \
        ENTER_SIMPLE(window, code); \
    }

CALL_PREPARED(call_defaults, &R(A), B, callee_with_defaults, _PyVM_Call)
CALL_PREPARED(call_method_defaults, &R(A), B + 1, callee_with_defaults, _PyVM_CallMethod)
CALL_PREPARED(call_attr_defaults, &R(A) + 1, B, callee_with_defaults, _PyVM_CallMethod)
CALL_PREPARED(call_bound, &R(A), B, callee_of_bound, _PyVM_Call)
CALL_PREPARED(call_bound_attr, &R(A) + 1, B, callee_of_bound, _PyVM_CallMethod)

/* Calls a Python function in the usual way, or goes to `other`. */
#define CALL_FUNCTION(window, nargs, other) \
    do { \
        PyVMCode *code_ = usual_callee(ts, window, nargs); \
        if (unlikely(code_ == NULL)) { \
            TAIL(other); \
        } \
        ENTER_SIMPLE(window, code_); \
    } while (0)

/* -------------------------------------------------------- with an eval hook */

/* Can the hook run the frame where it is, in the caller's window? Returns the code, or
   NULL. */
static inline PyVMCode *
hooked_callee(PyThreadState *ts, PyReg *window, Py_ssize_t nargs)
{
    if (!is_function(*window) || unlikely(ts->interp->eval_frame == NULL)) {
        return NULL;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)REG_PTR(*window))->func_code);
    return likely(code->simple_call) && likely(code->ob.co_argcount == (int)nargs)
           && likely(frame_fits(ts, window)) ? code : NULL;
}

static inline PyObject *
run_by_hook(PyThreadState *ts, PyVMFrame *f, PyReg *window, PyVMCode *code, int dest)
{
    PyVMFrame *frame = (PyVMFrame *)window;
    frame_init(frame, code, f, dest, RET_ENTRY);
    PyObject *result = ts->interp->eval_frame(ts, frame, 0);
    if (unlikely(frame->func != NULL)) {
        /* The hook has not run the frame. */
        TS_FRAME(ts) = f;
        _PyVM_ClearFrame(ts, frame);
    }
    return result;
}

#define TRY_HOOKED_CALL(window, nargs) \
    do { \
        PyVMCode *code_ = hooked_callee(ts, window, nargs); \
        if (likely(code_ != NULL)) { \
            SAVE_IP(); \
            PyObject *result_ = run_by_hook(ts, f, window, code_, C); \
            if (unlikely(result_ == NULL)) { \
                ERROR(); \
            } \
            FINISH_CALL(C, result_); \
        } \
    } while (0)

SHARED_SLOW(_PyVM_HookedCall)
{
    PyReg *window = &R(A);
    if (likely(!REG_IS_INT(*window))) {
        TRY_HOOKED_CALL(window, B);
        if (!PyFunction_Check(REG_PTR(*window))) {
            TAIL(op_CALL);
        }
    }
    TAIL(_PyVM_Call);
}

SHARED_SLOW(_PyVM_HookedCallMethod)
{
    PyReg *window = &R(A);
    if (*window != 0) {
        TRY_HOOKED_CALL(window, B + 1);
    }
    else if (!REG_IS_INT(window[1])) {
        window++;
        TRY_HOOKED_CALL(window, B);
    }
    if (!REG_IS_INT(*window) && !PyFunction_Check(REG_PTR(*window))) {
        TAIL(op_CALL_METHOD);
    }
    TAIL(_PyVM_CallMethod);
}

/* ----------------------------------------------------------------- handlers */

HANDLER(CALL)
{
    PyReg *window = &R(A);
    if (is_function(*window)) {
        CALL_FUNCTION(window, B, call_defaults);
    }
    if (likely(!REG_IS_INT(*window))) {
        PyTypeObject *type = Py_TYPE(REG_PTR(*window));
        if (type == &PyCFunction_Type) {
            TAIL(_PyVM_CallC);
        }
        if (type == &PyMethod_Type) {
            TAIL(call_bound);
        }
        if (PyType_HasFeature(type, Py_TPFLAGS_TYPE_SUBCLASS)) {
            TAIL(_PyVM_CallClass);
        }
        if (PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL)) {
            TAIL(call_vector);
        }
    }
    TAIL(_PyVM_Call);
}

HANDLER(CALL_KW)
{
    TAIL(call_kw);
}

HANDLER(CALL_METHOD)
{
    PyReg *window = &R(A);
    if (*window != 0) {
        if (is_function(*window)) {
            CALL_FUNCTION(window, B + 1, call_method_defaults);
        }
        PyTypeObject *type = Py_TYPE(REG_PTR(*window));
        if (type == &PyMethodDescr_Type) {
            TAIL(_PyVM_CallCMethod);
        }
        if (PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL)) {
            TAIL(call_method_vector);
        }
    }
    else if (!REG_IS_INT(window[1])) {
        window++;
        if (is_function(*window)) {
            CALL_FUNCTION(window, B, call_attr_defaults);
        }
        PyTypeObject *type = Py_TYPE(REG_PTR(*window));
        if (type == &PyCFunction_Type) {
            TAIL(_PyVM_CallCAttr);
        }
        if (type == &PyMethod_Type) {
            TAIL(call_bound_attr);
        }
        if (PyType_HasFeature(type, Py_TPFLAGS_TYPE_SUBCLASS)) {
            TAIL(_PyVM_CallClassAttr);
        }
    }
    TAIL(_PyVM_CallMethod);
}

HANDLER(CALL_METHOD_KW)
{
    TAIL(call_method_kw);
}
