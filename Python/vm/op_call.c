/* Calls.

   A call of a Python function, of a bound Python method or of a plain class
   with a Python __init__ becomes a frame in the caller's window and goes on
   there; anything else is a C call with the window as its argument array. */
#include "vm.h"
#include "specialize.h"
#include "internal/observe.h"
#include "internal/dict.h"
#include "internal/list.h"
#include "internal/type.h"
#include "type/slot_prototypes.h"

/* ------------------------------------------------------------ calls into C */

/* A builtin function that takes an array and keywords: python3.11 calls it without
   counting against the recursion limit. */
static PyObject *
call_with_names(PyThreadState *ts, PyObject *callable, PyObject **args, Py_ssize_t npos,
                PyObject *kwnames)
{
    PyMethodDef *def = ((PyCFunctionObject *)callable)->m_ml;
    PyObject *result = ((_PyCFunctionFastWithKeywords)(void (*)(void))def->ml_meth)(
        PyCFunction_GET_SELF(callable), args, npos, kwnames);
    return _Py_CheckFunctionResult(ts, callable, result, NULL);
}

static int
takes_array_and_names(PyObject *callable)
{
    return Py_IS_TYPE(callable, &PyCFunction_Type)
        && (PyCFunction_GET_FLAGS(callable) & ~(METH_STATIC | METH_COEXIST))
           == (METH_FASTCALL | METH_KEYWORDS);
}

PyObject *
_PyVM_CallWindow(PyThreadState *ts, PyReg *window, Py_ssize_t nargs,
                 PyObject *kwnames)
{
    PyReg *args = window + FRAME_WORDS;
    PyObject *callable = reg_object(window);
    if (callable == NULL || box_run(args, nargs) < 0) {
        return NULL;
    }
    Py_ssize_t npos = nargs - (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    PyObject *result = kwnames != NULL && takes_array_and_names(callable)
        ? call_with_names(ts, callable, (PyObject **)args, npos, kwnames)
        : _PyObject_VectorcallTstate(
            ts, callable, (PyObject **)args,
            (size_t)npos | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
    args[-1] = 0;
    clear_run(args, nargs);
    *window = 0;
    Py_DECREF(callable);
    return result;
}

/* ------------------------------------------------------- calls into frames */

/* Makes the frame of a Python function whose arguments lie in a window, which
   dies if this fails. */
static PyVMFrame *
push_function(PyThreadState *ts, PyVMFrame *f, PyReg *window, Py_ssize_t nargs,
              PyObject *kwnames, int dest, int ret)
{
    PyFunctionObject *func = (PyFunctionObject *)REG_PTR(*window);
    PyVMCode *code = _PyVMCode_CAST(func->func_code);
    PyReg *args = window + FRAME_WORDS;
    if (((code->simple_call && kwnames == NULL && nargs == code->ob.co_argcount)
         || _PyVM_BindArguments(ts, func, code, args, nargs, kwnames) == 0)) {
        void *floor = cover(ts, args + code->nparams);
        if (enter_python(ts) == 0) {
            TS_FLOOR(ts) = floor;
            PyVMFrame *frame = (PyVMFrame *)window;
            frame_init(frame, code, f, dest, ret);
            frame->locals = Py_XNewRef(_PyVM_LocalsForCall(func));
            return frame;
        }
        clear_run(args, code->nparams);
        TS_FLOOR(ts) = floor;
    }
    *window = 0;
    Py_DECREF(func);
    return NULL;
}

/* What a call may make of a window's words: the instance of a class that is called, the
   frame of its __init__ above that, and one argument more than there are. */
#define WINDOW_WORDS(nargs) (1 + FRAME_WORDS + (size_t)(nargs) + 1)

/* The window, on the thread's stack and covered: one that lies elsewhere is moved. NULL
   with an exception; the window is unchanged then. */
static PyReg *
window_on_stack(PyThreadState *ts, PyVMFrame *f, PyReg *window, Py_ssize_t nargs)
{
    size_t words = WINDOW_WORDS(nargs);
    if (likely(frame_fits(ts, window))) {
        cover(ts, window + words);
        return window;
    }
    PyReg *top = f->owner == FRAME_GENERATOR ? room_above_generator(ts, f, words) : NULL;
    if (unlikely(top == NULL) && (top = _PyVM_RoomAbove(ts, f, words)) == NULL) {
        return NULL;
    }
    cover(ts, top + words);
    top[0] = window[0];
    window[0] = 0;
    for (Py_ssize_t i = FRAME_WORDS; i < FRAME_WORDS + nargs; i++) {
        top[i] = window[i];
        window[i] = 0;
    }
    return top;
}

static void
drop_window(PyReg *window, Py_ssize_t nargs)
{
    clear_run(window + FRAME_WORDS, nargs);
    clear_run(window, 1);
}

/* The Python __init__ of a class whose instances are made by object.__new__
   and nothing else: borrowed, or NULL. */
static PyObject *
plain_init(PyTypeObject *type)
{
    if (type->tp_init != _PySlot_Init || type->tp_new != _PyObject_NewInstance
        || (type->tp_flags & Py_TPFLAGS_IS_ABSTRACT)
        || Py_TYPE(type)->tp_call != _PyType_Call) {
        return NULL;
    }
    PyObject *init = _PyType_LookupInline(type, _Py_NAME(dunder_init));
    return init != NULL && PyFunction_Check(init) ? init : NULL;
}

/* Type(...) with a Python __init__: the instance takes the class's place in
   the window, and the frame of __init__ begins one word above. */
static PyVMFrame *
push_init(PyThreadState *ts, PyVMFrame *f, PyReg *window, Py_ssize_t nargs,
          PyObject *kwnames, int dest, PyObject *init)
{
    PyTypeObject *type = (PyTypeObject *)REG_PTR(*window);
    if (_Py_EnterRecursiveCallTstate(ts, " while calling a Python object")) {
        drop_window(window, nargs);
        return NULL;
    }
    Py_INCREF(init);
    PyObject *self = type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_DECREF(init);
        drop_window(window, nargs);
        leave_python(ts);
        return NULL;
    }
    PyReg *args = window + 1 + FRAME_WORDS;
    memmove(args + 1, window + FRAME_WORDS, (size_t)nargs * sizeof(PyReg));
    /* Now a word of the header: dead, should the call fail. */
    window[FRAME_WORDS] = 0;
    args[0] = (PyReg)Py_NewRef(self);
    window[0] = (PyReg)self;
    window[1] = (PyReg)init;
    Py_DECREF(type);
    PyVMFrame *frame =
        push_function(ts, f, window + 1, nargs + 1, kwnames, dest, RET_INIT);
    if (frame == NULL) {
        clear_run(window, 1);
        leave_python(ts);
        return NULL;
    }
    frame->flags = FRAME_COUNTS_TWICE;
    return frame;
}

/* The Python __call__ of an object that has one and may run it in the VM: borrowed, or
   NULL. */
static PyObject *
plain_call(PyThreadState *ts, PyObject *callable)
{
    PyTypeObject *type = Py_TYPE(callable);
    if (type->tp_call != slot_call || (type->tp_flags & Py_TPFLAGS_HAVE_VECTORCALL)
        || ts->recursion_remaining <= 1 || ts->interp->calls_hooked) {
        return NULL;
    }
    PyObject *func = _PyType_LookupInline(type, _Py_NAME(dunder_call));
    return func != NULL && PyFunction_Check(func)
           && !_PyVMCode_CAST(((PyFunctionObject *)func)->func_code)->is_generator
           ? func : NULL;
}

/* The callable becomes the first argument of its __call__. */
static PyVMFrame *
push_call_method(PyThreadState *ts, PyVMFrame *f, PyReg *window, Py_ssize_t nargs,
                 PyObject *kwnames, PyObject *method)
{
    PyReg *args = window + FRAME_WORDS;
    memmove(args + 1, args, (size_t)nargs * sizeof(PyReg));
    args[0] = window[0];
    window[0] = (PyReg)Py_NewRef(method);
    ts->recursion_remaining--;
    PyVMFrame *frame = push_function(ts, f, window, nargs + 1, kwnames, 0, RET_METHOD);
    if (frame == NULL) {
        ts->recursion_remaining++;
        return NULL;
    }
    frame->flags = FRAME_COUNTS_TWICE;
    return frame;
}

/* A bound method's self becomes the first argument of its function. */
static PyVMFrame *
push_bound(PyThreadState *ts, PyVMFrame *f, PyReg *window, Py_ssize_t nargs,
           PyObject *kwnames, int dest)
{
    PyObject *method = REG_PTR(*window);
    PyReg *args = window + FRAME_WORDS;
    memmove(args + 1, args, (size_t)nargs * sizeof(PyReg));
    args[0] = (PyReg)Py_NewRef(PyMethod_GET_SELF(method));
    window[0] = (PyReg)Py_NewRef(PyMethod_GET_FUNCTION(method));
    Py_DECREF(method);
    return push_function(ts, f, window, nargs + 1, kwnames, dest, RET_REG);
}

/* How the call of an object begins. */
typedef enum { IN_C, FUNCTION_FRAME, BOUND_FRAME, INIT_FRAME, METHOD_FRAME } CallKind;

/* *method: __init__ or __call__, borrowed. */
static CallKind
kind_of_call(PyThreadState *ts, PyObject *callable, PyObject **method)
{
    if (PyMethod_Check(callable) && PyFunction_Check(PyMethod_GET_FUNCTION(callable))) {
        return BOUND_FRAME;
    }
    if (PyFunction_Check(callable)) {
        return FUNCTION_FRAME;
    }
    if (PyType_Check(callable)
        && (*method = plain_init((PyTypeObject *)callable)) != NULL) {
        return INIT_FRAME;
    }
    return (*method = plain_call(ts, callable)) != NULL ? METHOD_FRAME : IN_C;
}

typedef PyObject *(*window_caller)(PyThreadState *, PyReg *, Py_ssize_t,
                                   PyObject *);

/* Calls what is in a window. Gives a frame to go on in, or NULL: then *result
   is the value of a finished call, or NULL with an exception. The window is
   dead afterwards, or the frame's, which is not covered. */
static PyVMFrame *
call_window(PyThreadState *ts, PyVMFrame *f, PyReg *window, Py_ssize_t nargs,
            PyObject *kwnames, int dest, window_caller call_c,
            PyObject **result)
{
    *result = NULL;
    PyObject *callable = REG_PTR(*window), *method = NULL;
    CallKind kind = REG_IS_INT(*window) ? IN_C : kind_of_call(ts, callable, &method);
    if (kind != IN_C) {
        void *floor = TS_FLOOR(ts);
        PyReg *moved = window_on_stack(ts, f, window, nargs);
        PyVMFrame *frame = NULL;
        if (unlikely(moved == NULL)) {
            drop_window(window, nargs);
        }
        else if (kind == FUNCTION_FRAME) {
            frame = push_function(ts, f, moved, nargs, kwnames, dest, RET_REG);
        }
        else if (kind == BOUND_FRAME) {
            frame = push_bound(ts, f, moved, nargs, kwnames, dest);
        }
        else if (kind == INIT_FRAME) {
            frame = push_init(ts, f, moved, nargs, kwnames, dest, method);
        }
        else {
            frame = push_call_method(ts, f, moved, nargs, kwnames, method);
        }
        TS_FLOOR(ts) = floor;
        return frame;
    }
    /* python3.11's str has no vectorcall: until a call of it is specialised, it counts. */
    int counts = callable == (PyObject *)&PyUnicode_Type;
    if (counts && _Py_EnterRecursiveCallTstate(ts, " while calling a Python object")) {
        drop_window(window, nargs);
        return NULL;
    }
    *result = call_c(ts, window, nargs, kwnames);
    ts->recursion_remaining += counts;
    return NULL;
}

/* After a call into C, as after a Python function's start, others get their
   turn. */
SLOW(pending_after_call)
{
    SAVE_IP();
    if (_Py_HandlePending(ts) < 0) {
        ERROR();
    }
    NEXT_RELOAD(2);
}

#define FINISH_CALL(dest, result) \
    do { \
        WRITE(dest, (PyReg)(result)); \
        if (_Py_AttentionWanted()) { \
            TAIL(pending_after_call); \
        } \
        NEXT_RELOAD(2); \
    } while (0)

/* With an eval hook, a frame that has been pushed is its business, and then its
   result is that of a C call. New reference or NULL. */
static PyObject *
run_hooked(PyThreadState *ts, PyVMFrame *frame)
{
    int is_init = frame->ret == RET_INIT;
    PyReg *below = (PyReg *)frame - 1;
    leave_python_frame(ts, frame->flags);       /* the evaluator counts the call */
    frame->flags &= (uint16_t)~FRAME_COUNTS_TWICE;
    PyObject *result = _PyEval_EvalFrame(ts, frame, 0);
    if (!is_init) {
        return result;
    }
    PyObject *instance = REG_PTR(*below);
    *below = 0;
    if (result == Py_None) {
        return instance;
    }
    if (result != NULL) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "__init__() should return None, not '%.200s'",
                      Py_TYPE(result)->tp_name);
        Py_DECREF(result);
    }
    Py_DECREF(instance);
    return NULL;
}

#define CALL_SLOW(name, is_method, has_names, call_c) \
    SHARED_SLOW(name) \
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
        PyObject *result; \
        PyVMFrame *frame = \
            call_window(ts, f, window, nargs, names, C, call_c, &result); \
        if (frame != NULL) { \
            if (likely(!ts->interp->calls_hooked)) { \
                ENTER_FRAME(frame); \
            } \
            result = run_hooked(ts, frame); \
        } \
        if (result == NULL) { \
            ERROR(); \
        } \
        FINISH_CALL(C, result); \
    }

CALL_SLOW(_PyVM_Call, 0, 0, _PyVM_CallWindow)
CALL_SLOW(_PyVM_CallKw, 0, 1, _PyVM_CallWindow)
CALL_SLOW(_PyVM_CallMethod, 1, 0, _PyVM_CallWindow)
CALL_SLOW(_PyVM_CallMethodKw, 1, 1, _PyVM_CallWindow)

/* The same for the table that profiles: calls of C functions are events. */
CALL_SLOW(_PyVM_ObservedCall, 0, 0, _PyObserve_CallWindow)
CALL_SLOW(_PyVM_ObservedCallKw, 0, 1, _PyObserve_CallWindow)
CALL_SLOW(_PyVM_ObservedCallMethod, 1, 0, _PyObserve_CallWindow)
CALL_SLOW(_PyVM_ObservedCallMethodKw, 1, 1, _PyObserve_CallWindow)

/* The call of an object in C that takes its arguments as an array: no function, method or
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

/* The call of a plain Python function that leaves the last arguments to their
   defaults. */
#define CALL_WITH_DEFAULTS(name, first, count, general) \
    SLOW(name) \
    { \
        PyReg *window = (first); \
        Py_ssize_t nargs = (count); \
        PyFunctionObject *func = (PyFunctionObject *)REG_PTR(*window); \
        PyVMCode *code = _PyVMCode_CAST(func->func_code); \
        PyObject *defaults = func->func_defaults; \
        Py_ssize_t missing = code->ob.co_argcount - nargs; \
        if (code->simple_call && missing > 0 && defaults != NULL \
            && missing <= PyTuple_GET_SIZE(defaults) \
            && frame_fits(ts, window) && ts->recursion_remaining > 0) { \
            PyObject **values = ((PyTupleObject *)defaults)->ob_item \
                                + PyTuple_GET_SIZE(defaults) - missing; \
            PyReg *args = window + FRAME_WORDS + nargs; \
            for (Py_ssize_t i = 0; i < missing; i++) { \
                args[i] = (PyReg)Py_NewRef(values[i]); \
            } \
            ENTER_SIMPLE(window, code); \
        } \
        TAIL(general); \
    }

CALL_WITH_DEFAULTS(call_defaults, &R(A), B, _PyVM_Call)
CALL_WITH_DEFAULTS(call_method_defaults, &R(A), B + 1, _PyVM_CallMethod)
CALL_WITH_DEFAULTS(call_attr_defaults, &R(A) + 1, B, _PyVM_CallMethod)

/* The call of a bound method with a Python function: self goes in front of the
   arguments. The method may have the last reference to neither. Where somebody waits
   for the end of a method object, its end may run code. */
#define CALL_BOUND(name, first, general) \
    SLOW(name) \
    { \
        PyReg *window = (first), *args = window + FRAME_WORDS; \
        Py_ssize_t nargs = B; \
        PyMethodObject *method = (PyMethodObject *)REG_PTR(*window); \
        PyObject *func = method->im_func; \
        if (likely(Py_IS_TYPE(func, &PyFunction_Type)) \
            && likely(ts->interp->eval_frame == NULL) \
            && likely(method->im_weakreflist == NULL)) { \
            PyVMCode *code = \
                _PyVMCode_CAST(((PyFunctionObject *)func)->func_code); \
            if (likely(code->simple_call) \
                && likely(code->ob.co_argcount == (int)nargs + 1) \
                && likely(frame_fits(ts, window)) \
                && likely(ts->recursion_remaining > 0)) { \
                for (Py_ssize_t i = nargs; i > 0; i--) { \
                    args[i] = args[i - 1]; \
                } \
                args[0] = (PyReg)Py_NewRef(method->im_self); \
                *window = (PyReg)Py_NewRef(func); \
                if (--((PyObject *)method)->ob_refcnt == 0) { \
                    _Py_Dealloc((PyObject *)method); \
                } \
                ENTER_SIMPLE(window, code); \
            } \
        } \
        TAIL(general); \
    }

CALL_BOUND(call_bound, &R(A), _PyVM_Call)
CALL_BOUND(call_bound_attr, &R(A) + 1, _PyVM_CallMethod)

/* The usual call of a Python function: as many arguments as parameters, on the
   thread's stack. */
#define TRY_PYTHON_CALL(window, nargs, other) \
    do { \
        PyObject *callable_ = REG_PTR(*(window)); \
        if (likely(Py_IS_TYPE(callable_, &PyFunction_Type))) { \
            PyVMCode *code_ = _PyVMCode_CAST( \
                ((PyFunctionObject *)callable_)->func_code); \
            if (unlikely(!code_->simple_call) \
                || unlikely(code_->ob.co_argcount != (int)(nargs)) \
                || unlikely(!frame_fits(ts, (window))) \
                || unlikely(ts->recursion_remaining <= 0)) { \
                TAIL(other); \
            } \
            ENTER_SIMPLE(window, code_); \
        } \
    } while (0)

/* The same when there is an eval hook: it runs the frame where it lies, in the
   caller's window. */
#define TRY_HOOKED_CALL(window, nargs) \
    do { \
        PyObject *callable_ = REG_PTR(*(window)); \
        _PyFrameEvalFunction hook_ = ts->interp->eval_frame; \
        if (likely(Py_IS_TYPE(callable_, &PyFunction_Type)) \
            && likely(hook_ != NULL)) { \
            PyVMCode *code_ = _PyVMCode_CAST( \
                ((PyFunctionObject *)callable_)->func_code); \
            if (likely(code_->simple_call) \
                && likely(code_->ob.co_argcount == (int)(nargs)) \
                && likely(frame_fits(ts, (window)))) { \
                SAVE_IP(); \
                PyVMFrame *frame_ = (PyVMFrame *)(window); \
                frame_init(frame_, code_, f, C, RET_ENTRY); \
                PyObject *result_ = hook_(ts, frame_, 0); \
                if (unlikely(frame_->func != NULL)) { \
                    /* The hook has not run it. */ \
                    TS_FRAME(ts) = f; \
                    _PyVM_ClearFrame(ts, frame_); \
                } \
                if (unlikely(result_ == NULL)) { \
                    ERROR(); \
                } \
                FINISH_CALL(C, result_); \
            } \
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

/* ------------------------------------- functions and methods written in C */

/* The call of a C function with no or one argument counts against the recursion limit,
   as python3.11 has it; that of one with an array does not. */
static inline PyObject *
counted_call(PyThreadState *ts, PyMethodDef *def, PyObject *self, PyObject *arg)
{
    if (unlikely(_Py_EnterRecursiveCallTstate(ts, " while calling a Python object"))) {
        return NULL;
    }
    PyObject *result = def->ml_meth(self, arg);
    _Py_LeaveRecursiveCallTstate(ts);
    return result;
}

/* Calls a C function of one of the simple conventions directly, arguments
   boxed. 0: not one of them. */
static inline int
call_simple_c(PyThreadState *ts, PyMethodDef *def, PyObject *self, PyObject **args,
              Py_ssize_t nargs, PyObject **result)
{
    switch (def->ml_flags & (METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O
                             | METH_KEYWORDS | METH_METHOD)) {
    case METH_O:
        if (nargs == 1) {
            *result = counted_call(ts, def, self, args[0]);
            return 1;
        }
        return 0;
    case METH_NOARGS:
        if (nargs == 0) {
            *result = counted_call(ts, def, self, NULL);
            return 1;
        }
        return 0;
    case METH_FASTCALL:
        *result = ((_PyCFunctionFast)(void (*)(void))def->ml_meth)(self, args,
                                                                   nargs);
        return 1;
    case METH_FASTCALL | METH_KEYWORDS:
        *result = ((_PyCFunctionFastWithKeywords)(void (*)(void))def->ml_meth)(
            self, args, nargs, NULL);
        return 1;
    }
    return 0;
}

#define FINISH_C_CALL(window, nargs, callable, result) \
    do { \
        if (unlikely((result == NULL) == (ts->curexc_type == NULL))) { \
            result = _Py_CheckFunctionResult(ts, callable, result, NULL); \
        } \
        clear_run((window) + FRAME_WORDS, nargs); \
        *(window) = 0; \
        Py_DECREF(callable); \
        if (unlikely(result == NULL)) { \
            ERROR(); \
        } \
        FINISH_CALL(C, result); \
    } while (0)

/* A builtin function: its own `self` comes with it. */
#define TRY_C_FUNCTION(window, nargs) \
    do { \
        PyObject *callable_ = REG_PTR(*(window)), *result_; \
        PyReg *args_ = (window) + FRAME_WORDS; \
        SAVE_IP(); \
        if (box_run(args_, nargs) == 0 \
            && call_simple_c(ts, ((PyCFunctionObject *)callable_)->m_ml, \
                             PyCFunction_GET_SELF(callable_), \
                             (PyObject **)args_, nargs, &result_)) { \
            FINISH_C_CALL(window, nargs, callable_, result_); \
        } \
    } while (0)

SLOW(call_c_general)
{
    PyReg *window = &R(A);
    TRY_C_FUNCTION(window, B);
    TAIL(_PyVM_Call);
}

/* The calling convention of a definition, without what does not matter. */
static int
convention(PyMethodDef *def)
{
    return def->ml_flags & (METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O
                            | METH_KEYWORDS | METH_METHOD);
}

/* Specialised forms remember the definition: an object with the same one is
   called in the same way. */
static void
specialize_c_function(const PyInstr *ip, PyMethodDef *def, Py_ssize_t nargs, int form_o,
                      int form_fast, int form_fastkw)
{
    int how = convention(def);
    CACHE(1)->ptr = def;
    if (how == METH_O && nargs == 1) {
        set_opcode(ip, form_o);
    }
    else if (how == METH_FASTCALL) {
        set_opcode(ip, form_fast);
    }
    else if (how == (METH_FASTCALL | METH_KEYWORDS)) {
        set_opcode(ip, form_fastkw);
    }
}

SLOW(call_c_function_attr)
{
    PyReg *window = &R(A) + 1;
    if (specialize_now(ip)) {
        specialize_c_function(ip, ((PyCFunctionObject *)REG_PTR(*window))->m_ml, B,
                              OP_CALL_METHOD__ATTR_O, OP_CALL_METHOD__ATTR_FAST,
                              OP_CALL_METHOD__ATTR_FASTKW);
    }
    TRY_C_FUNCTION(window, B);
    TAIL(_PyVM_CallMethod);
}

/* A method of a builtin type, with its self as first argument. */
SLOW(call_c_method_general)
{
    PyReg *window = &R(A), *args = window + FRAME_WORDS;
    Py_ssize_t nargs = B;
    PyMethodDescrObject *descr = (PyMethodDescrObject *)REG_PTR(*window);
    PyObject *result;
    SAVE_IP();
    if (box_run(args, nargs + 1) == 0
        && _PyType_IsSubtypeFast(Py_TYPE(REG_PTR(args[0])),
                                 descr->d_common.d_type)
        && call_simple_c(ts, descr->d_method, REG_PTR(args[0]),
                         (PyObject **)args + 1, nargs, &result)) {
        FINISH_C_CALL(window, nargs + 1, (PyObject *)descr, result);
    }
    TAIL(_PyVM_CallMethod);
}

SLOW(call_c_function)
{
    if (specialize_now(ip)) {
        PyCFunctionObject *func = (PyCFunctionObject *)REG_PTR(R(A));
        int is_len = strcmp(func->m_ml->ml_name, "len") == 0
            && func->m_self != NULL && PyModule_Check(func->m_self)
            && PyModule_GetDict(func->m_self) == ts->interp->builtins;
        specialize_c_function(ip, func->m_ml, B, is_len ? OP_CALL__LEN : OP_CALL__C_O,
                              OP_CALL__C_FAST, OP_CALL__C_FASTKW);
    }
    TAIL(call_c_general);
}

SLOW(call_miss)
{
    despecialize(ip);
    TAIL(op_CALL);
}

SLOW(call_method_miss)
{
    despecialize(ip);
    TAIL(op_CALL_METHOD);
}

/* After a specialised C call: `dead` is what else has to be released. */
#define FINISH_SPECIAL(window, callable, result) \
    do { \
        if (unlikely((result == NULL) == (ts->curexc_type == NULL))) { \
            result = _Py_CheckFunctionResult(ts, callable, result, NULL); \
        } \
        *(window) = 0; \
        Py_DECREF(callable); \
        if (unlikely(result == NULL)) { \
            ERROR(); \
        } \
        FINISH_CALL(C, result); \
    } while (0)

#define IS_C_FUNCTION(reg) \
    (likely(!REG_IS_INT(reg)) \
     && likely(Py_IS_TYPE(REG_PTR(reg), &PyCFunction_Type)) \
     && likely(((PyCFunctionObject *)REG_PTR(reg))->m_ml == CACHE(1)->ptr))

#define IS_C_CALLEE(window) IS_C_FUNCTION(*(window))
/* What LOAD_METHOD found is no method with its self: window[-1] is 0 then. */
#define IS_C_ATTR(window) (likely((window)[-1] == 0) && IS_C_FUNCTION(*(window)))

#define CALL_C_O(name, first, is_known, miss) \
    HANDLER(name) \
    { \
        PyReg *window = (first); \
        if (unlikely(!is_known(window))) { \
            TAIL(miss); \
        } \
        SAVE_IP(); \
        PyCFunctionObject *func = (PyCFunctionObject *)REG_PTR(*window); \
        PyMethodDef *def = CACHE(1)->ptr; \
        PyObject *arg = reg_object(window + FRAME_WORDS); \
        if (unlikely(arg == NULL)) { \
            ERROR(); \
        } \
        PyObject *result = counted_call(ts, def, PyCFunction_GET_SELF(func), arg); \
        window[FRAME_WORDS] = 0; \
        Py_DECREF(arg); \
        FINISH_SPECIAL(window, (PyObject *)func, result); \
    }

/* The second form is for functions that LOAD_METHOD found, in a module as a rule. */
CALL_C_O(CALL__C_O, &R(A), IS_C_CALLEE, call_miss)
CALL_C_O(CALL_METHOD__ATTR_O, &R(A) + 1, IS_C_ATTR, call_method_miss)

/* len() of anything else: it does not count. */
SLOW(call_len)
{
    PyReg *window = &R(A);
    SAVE_IP();
    PyObject *func = REG_PTR(*window), *op = REG_PTR(window[FRAME_WORDS]);
    PyObject *result = ((PyMethodDef *)CACHE(1)->ptr)->ml_meth(NULL, op);
    window[FRAME_WORDS] = 0;
    Py_DECREF(op);
    FINISH_SPECIAL(window, func, result);
}

HANDLER(CALL__LEN)
{
    PyReg *window = &R(A), arg = window[FRAME_WORDS];
    if (unlikely(!IS_C_FUNCTION(*window)) || unlikely(REG_IS_INT(arg))) {
        TAIL(call_miss);
    }
    PyObject *op = REG_PTR(arg);
    PyTypeObject *type = Py_TYPE(op);
    Py_ssize_t size;
    if (type == &PyList_Type || type == &PyTuple_Type) {
        size = Py_SIZE(op);
    }
    else if (type == &PyUnicode_Type) {
        size = PyUnicode_GET_LENGTH(op);
    }
    else if (type == &PyDict_Type) {
        size = PyDict_GET_SIZE(op);
    }
    else {
        TAIL(call_len);
    }
    SAVE_IP();
    PyObject *func = REG_PTR(*window);
    window[FRAME_WORDS] = 0;
    *window = 0;
    Py_DECREF(op);
    Py_DECREF(func);
    WRITE(C, REG_FROM_INT((int64_t)size));
    NEXT_RELOAD(2);
}

#define AS_FAST(def) ((_PyCFunctionFast)(void (*)(void))(def)->ml_meth)
#define AS_FASTKW(def) \
    ((_PyCFunctionFastWithKeywords)(void (*)(void))(def)->ml_meth)

#define CALL_C_ARRAY(name, first, is_known, miss, call) \
    HANDLER(name) \
    { \
        PyReg *window = (first), *args = window + FRAME_WORDS; \
        Py_ssize_t nargs = B; \
        if (unlikely(!is_known(window))) { \
            TAIL(miss); \
        } \
        SAVE_IP(); \
        PyCFunctionObject *func = (PyCFunctionObject *)REG_PTR(*window); \
        PyMethodDef *def = CACHE(1)->ptr; \
        PyObject *self = PyCFunction_GET_SELF(func); \
        PyObject **values = (PyObject **)args; \
        if (unlikely(box_run(args, nargs) < 0)) { \
            ERROR(); \
        } \
        PyObject *result = call; \
        clear_run(args, nargs); \
        FINISH_SPECIAL(window, (PyObject *)func, result); \
    }

CALL_C_ARRAY(CALL__C_FAST, &R(A), IS_C_CALLEE, call_miss,
             AS_FAST(def)(self, values, nargs))
CALL_C_ARRAY(CALL__C_FASTKW, &R(A), IS_C_CALLEE, call_miss,
             AS_FASTKW(def)(self, values, nargs, NULL))
CALL_C_ARRAY(CALL_METHOD__ATTR_FAST, &R(A) + 1, IS_C_ATTR, call_method_miss,
             AS_FAST(def)(self, values, nargs))
CALL_C_ARRAY(CALL_METHOD__ATTR_FASTKW, &R(A) + 1, IS_C_ATTR, call_method_miss,
             AS_FASTKW(def)(self, values, nargs, NULL))

HANDLER(CALL__TYPE_1)
{
    PyReg *window = &R(A);
    if (unlikely(*window != (PyReg)&PyType_Type)) {
        TAIL(call_miss);
    }
    SAVE_IP();
    PyReg arg = window[FRAME_WORDS];
    PyTypeObject *type = REG_IS_INT(arg) ? &PyLong_Type : Py_TYPE(REG_PTR(arg));
    Py_INCREF(type);
    window[FRAME_WORDS] = 0;
    *window = 0;
    reg_release(arg);
    Py_DECREF(&PyType_Type);
    WRITE(C, (PyReg)type);
    NEXT_RELOAD(2);
}

SLOW(call_c_method)
{
    if (specialize_now(ip)) {
        PyMethodDescrObject *descr = (PyMethodDescrObject *)REG_PTR(R(A));
        int how = convention(descr->d_method);
        CACHE(1)->ptr = descr->d_method;
        if (how == METH_O && B == 1) {
            int is_append = descr->d_common.d_type == &PyList_Type
                && strcmp(descr->d_method->ml_name, "append") == 0;
            set_opcode(ip, is_append ? OP_CALL_METHOD__LIST_APPEND
                                     : OP_CALL_METHOD__C_O);
        }
        else if (how == METH_NOARGS && B == 0) {
            set_opcode(ip, OP_CALL_METHOD__C_NOARGS);
        }
        else if (how == METH_FASTCALL) {
            set_opcode(ip, OP_CALL_METHOD__C_FAST);
        }
        else if (how == (METH_FASTCALL | METH_KEYWORDS)) {
            set_opcode(ip, OP_CALL_METHOD__C_FASTKW);
        }
    }
    TAIL(call_c_method_general);
}

/* The callable is the remembered method, and self (an object, not a tag) of its
   type. */
#define IS_C_METHOD(window) \
    (likely(*(window) != 0) \
     && likely(Py_IS_TYPE(REG_PTR(*(window)), &PyMethodDescr_Type)) \
     && likely(((PyMethodDescrObject *)REG_PTR(*(window)))->d_method \
               == CACHE(1)->ptr) \
     && likely(!REG_IS_INT((window)[FRAME_WORDS])) \
     && likely(_PyType_IsSubtypeFast( \
            Py_TYPE(REG_PTR((window)[FRAME_WORDS])), \
            ((PyMethodDescrObject *)REG_PTR(*(window)))->d_common.d_type)))

HANDLER(CALL_METHOD__C_O)
{
    PyReg *window = &R(A);
    if (unlikely(!IS_C_METHOD(window))) {
        TAIL(call_method_miss);
    }
    SAVE_IP();
    PyObject *descr = REG_PTR(*window);
    PyObject *self = REG_PTR(window[FRAME_WORDS]);
    PyObject *arg = reg_object(window + FRAME_WORDS + 1);
    if (unlikely(arg == NULL)) {
        ERROR();
    }
    PyObject *result = counted_call(ts, CACHE(1)->ptr, self, arg);
    window[FRAME_WORDS] = 0;
    window[FRAME_WORDS + 1] = 0;
    Py_DECREF(arg);
    Py_DECREF(self);
    FINISH_SPECIAL(window, descr, result);
}

HANDLER(CALL_METHOD__C_NOARGS)
{
    PyReg *window = &R(A);
    if (unlikely(!IS_C_METHOD(window))) {
        TAIL(call_method_miss);
    }
    SAVE_IP();
    PyObject *descr = REG_PTR(*window);
    PyObject *self = REG_PTR(window[FRAME_WORDS]);
    PyObject *result = counted_call(ts, CACHE(1)->ptr, self, NULL);
    window[FRAME_WORDS] = 0;
    Py_DECREF(self);
    FINISH_SPECIAL(window, descr, result);
}

#define CALL_C_METHOD_ARRAY(name, call) \
    HANDLER(name) \
    { \
        PyReg *window = &R(A), *args = window + FRAME_WORDS; \
        Py_ssize_t nargs = B; \
        if (unlikely(!IS_C_METHOD(window))) { \
            TAIL(call_method_miss); \
        } \
        SAVE_IP(); \
        PyObject *descr = REG_PTR(*window); \
        PyMethodDef *def = CACHE(1)->ptr; \
        PyObject *self = REG_PTR(args[0]); \
        PyObject **values = (PyObject **)args + 1; \
        if (unlikely(box_run(args + 1, nargs) < 0)) { \
            ERROR(); \
        } \
        PyObject *result = call; \
        clear_run(args, nargs + 1); \
        FINISH_SPECIAL(window, descr, result); \
    }

CALL_C_METHOD_ARRAY(CALL_METHOD__C_FAST, AS_FAST(def)(self, values, nargs))
CALL_C_METHOD_ARRAY(CALL_METHOD__C_FASTKW,
                    AS_FASTKW(def)(self, values, nargs, NULL))

HANDLER(CALL_METHOD__LIST_APPEND)
{
    PyReg *window = &R(A);
    if (unlikely(!IS_C_METHOD(window))) {
        TAIL(call_method_miss);
    }
    SAVE_IP();
    PyObject *descr = REG_PTR(*window);
    PyObject *list = REG_PTR(window[FRAME_WORDS]);
    PyObject *item = reg_object(window + FRAME_WORDS + 1);
    if (unlikely(item == NULL)) {
        ERROR();
    }
    window[FRAME_WORDS + 1] = 0;
    if (unlikely(_PyList_AppendTakeRef((PyListObject *)list, item) < 0)) {
        ERROR();
    }
    window[FRAME_WORDS] = 0;
    *window = 0;
    Py_DECREF(list);
    Py_DECREF(descr);
    WRITE(C, REG_NONE);
    NEXT_RELOAD(2);
}

/* ----------------------------------------------------------------- classes */

/* A class with a Python __init__ that takes just these arguments. Cache: the
   type's version in `arg`, which a CALL does not use, and the function, which
   lives as long as that version stands. */
static void
specialize_class_call(const PyInstr *ip, PyTypeObject *type, Py_ssize_t nargs)
{
    PyObject *init = Py_IS_TYPE(type, &PyType_Type) ? plain_init(type) : NULL;
    if (init == NULL) {
        return;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)init)->func_code);
    uint32_t version = _PyType_AssignVersion(type);
    if (version != 0 && code->simple_call && code->ob.co_argcount == nargs + 1) {
        CACHE(0)->arg = version;
        CACHE(1)->ptr = init;
        set_opcode(ip, OP_CALL__CLASS);
    }
}

/* Is a call of the type a call of its tp_vectorcall? */
static inline int
is_vector_type(PyTypeObject *type)
{
    return Py_IS_TYPE(type, &PyType_Type) && type->tp_vectorcall != NULL
           && type != &PyType_Type;
}

HANDLER(CALL__TYPE_VECTOR)
{
    PyReg *window = &R(A), *args = window + FRAME_WORDS;
    Py_ssize_t nargs = B;
    if (unlikely(REG_IS_INT(*window))
        || unlikely(!is_vector_type((PyTypeObject *)REG_PTR(*window)))) {
        TAIL(call_miss);
    }
    SAVE_IP();
    PyTypeObject *type = (PyTypeObject *)REG_PTR(*window);
    if (unlikely(box_run(args, nargs) < 0)) {
        ERROR();
    }
    PyObject *result = type->tp_vectorcall(
        (PyObject *)type, (PyObject **)args,
        (size_t)nargs | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    args[-1] = 0;
    clear_run(args, nargs);
    FINISH_SPECIAL(window, (PyObject *)type, result);
}

SLOW(call_class)
{
    PyReg *window = &R(A);
    if (specialize_now(ip)) {
        if (*window == (PyReg)&PyType_Type && B == 1) {
            set_opcode(ip, OP_CALL__TYPE_1);
        }
        PyTypeObject *type = (PyTypeObject *)REG_PTR(*window);
        specialize_class_call(ip, type, B);
        if (ip->op == OP_CALL && is_vector_type(type)) {
            set_opcode(ip, OP_CALL__TYPE_VECTOR);
        }
    }
    TAIL(_PyVM_Call);
}

SLOW(call_class_miss)
{
    despecialize(ip);
    TAIL(_PyVM_Call);
}

HANDLER(CALL__CLASS)
{
    PyReg *window = &R(A);
    PyTypeObject *type = (PyTypeObject *)REG_PTR(*window);
    Py_ssize_t nargs = B;
    if (unlikely(REG_IS_INT(*window)) || unlikely(!Py_IS_TYPE(type, &PyType_Type))
        || unlikely(type->tp_version_tag != CACHE(0)->arg)) {
        TAIL(call_class_miss);
    }
    PyObject *init = CACHE(1)->ptr;
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)init)->func_code);
    if (unlikely(!code->simple_call)
        || unlikely(code->ob.co_argcount != (int)nargs + 1)
        || unlikely(!frame_fits(ts, window))
        || unlikely(ts->recursion_remaining <= 1)) {
        TAIL(call_class_miss);
    }
    SAVE_IP();
    Py_INCREF(init);
    PyObject *self = type->tp_alloc(type, 0);
    if (unlikely(self == NULL)) {
        Py_DECREF(init);
        ERROR();
    }
    ts->recursion_remaining -= 2;
    PyReg *args = window + 1 + FRAME_WORDS;
    for (Py_ssize_t i = nargs; i > 0; i--) {
        args[i] = args[i - 2];
    }
    Py_INCREF(self);
    args[0] = (PyReg)self;
    window[0] = (PyReg)self;
    window[1] = (PyReg)init;
    PyVMFrame *frame = (PyVMFrame *)(window + 1);
    frame_init(frame, code, f, C, RET_INIT);
    frame->flags = FRAME_COUNTS_TWICE;
    f = frame;
    TS_FRAME(ts) = f;
    Py_DECREF(type);
    ip = code->code;
    RELOAD();
    DISPATCH();
}

/* ---------------------------------------------------------------- handlers */

HANDLER(CALL)
{
    PyReg *window = &R(A);
    if (likely(!REG_IS_INT(*window))) {
        TRY_PYTHON_CALL(window, B, call_defaults);
        if (Py_IS_TYPE(REG_PTR(*window), &PyCFunction_Type)) {
            TAIL(call_c_function);
        }
        if (Py_IS_TYPE(REG_PTR(*window), &PyMethod_Type)) {
            TAIL(call_bound);
        }
        if (PyType_Check(REG_PTR(*window))) {
            TAIL(call_class);
        }
        if (PyType_HasFeature(Py_TYPE(REG_PTR(*window)), Py_TPFLAGS_HAVE_VECTORCALL)) {
            TAIL(call_vector);
        }
    }
    TAIL(_PyVM_Call);
}

HANDLER(CALL_KW)
{
    TAIL(_PyVM_CallKw);
}

HANDLER(CALL_METHOD)
{
    PyReg *window = &R(A);
    if (*window != 0) {
        TRY_PYTHON_CALL(window, B + 1, call_method_defaults);
        if (Py_IS_TYPE(REG_PTR(*window), &PyMethodDescr_Type)) {
            TAIL(call_c_method);
        }
        if (PyType_HasFeature(Py_TYPE(REG_PTR(*window)), Py_TPFLAGS_HAVE_VECTORCALL)) {
            TAIL(call_method_vector);
        }
    }
    else if (!REG_IS_INT(window[1])) {
        window++;
        TRY_PYTHON_CALL(window, B, call_attr_defaults);
        if (Py_IS_TYPE(REG_PTR(*window), &PyCFunction_Type)) {
            TAIL(call_c_function_attr);
        }
        if (Py_IS_TYPE(REG_PTR(*window), &PyMethod_Type)) {
            TAIL(call_bound_attr);
        }
    }
    TAIL(_PyVM_CallMethod);
}

HANDLER(CALL_METHOD_KW)
{
    TAIL(_PyVM_CallMethodKw);
}

/* ------------------------------------------------------- f(*args, **kwargs) */

/* The tuple of positional arguments: a new reference. */
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

/* Lays the arguments out in a window above everything that the thread uses,
   for what begins a frame. */
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
        PyObject *result;
        frame = call_window(ts, f, window, npos + nkw, names, dest, _PyVM_CallWindow, &result);
    }
    else {
        drop_window(window, npos + nkw);
        _PyErr_SetString(ts, PyExc_TypeError, "keywords must be strings");
    }
    if (frame != NULL) {
        cover_frame(ts, frame);
    }
    Py_XDECREF(names);
    TS_FLOOR(ts) = floor;
    return frame;
}

/* f(*args, **kwargs) of a function whose parameters are just these: what is
   passed on needs no unpacking. NULL without exception: not the case. */
static PyVMFrame *
push_passed_on(PyThreadState *ts, PyVMFrame *f, PyObject *func, PyObject *args,
               PyObject *kwargs, int dest)
{
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    int flags = code->ob.co_flags;
    int takes_kwargs = (flags & CO_VARKEYWORDS) != 0;
    if (code->ob.co_argcount != 0 || code->ob.co_kwonlyargcount != 0
        || !(flags & CO_VARARGS) || !(flags & CO_OPTIMIZED)) {
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
        copy = has_kwargs ? PyDict_Copy(kwargs) : PyDict_New();
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
    frame->regs[0] = (PyReg)Py_NewRef(args);
    if (takes_kwargs) {
        frame->regs[1] = (PyReg)copy;
    }
    frame_init(frame, code, f, dest, RET_REG);
    return frame;
}

/* A tp_call in C is handed the dict itself and may keep it: never that of the
   caller's variable. Besides `*kwargs` the operand has a reference. */
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

SLOW(call_ex_slow)
{
    SAVE_IP();
    PyReg *window = &R(A), *operands = window + FRAME_WORDS;
    int has_kwargs = B;
    PyObject *callable = reg_object(window);
    if (callable == NULL || box_run(operands, 1 + has_kwargs) < 0) {
        ERROR();
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
                ERROR();
            }
            Py_SETREF(kwargs, copy);
        }
    }
    PyObject *args = star_args(ts, callable, REG_PTR(operands[0]));
    if (args == NULL) {
        Py_XDECREF(kwargs);
        ERROR();
    }
    PyObject *result = NULL, *method;
    PyVMFrame *frame = NULL;
    CallKind kind = kind_of_call(ts, callable, &method);
    if (kind != IN_C && kind != METHOD_FRAME) {
        if (kind == FUNCTION_FRAME) {
            frame = push_passed_on(ts, f, callable, args, kwargs, C);
        }
        if (frame == NULL && !_PyErr_Occurred(ts)) {
            frame = push_unpacked(ts, f, callable, args, kwargs, C);
        }
    }
    else if (own_keywords(callable, &kwargs) == 0) {
        result = _PyObserve_CallTuple(ts, callable, args, kwargs);
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
    if (frame != NULL) {
        if (likely(!ts->interp->calls_hooked)) {
            ENTER_FRAME(frame);
        }
        result = run_hooked(ts, frame);
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

/* --------------------------------------------------------------- functions */

/* {name: value…} of a flat tuple of names and values: new reference. */
static PyObject *
annotations_dict(PyObject *flat)
{
    if (PyDict_CheckExact(flat)) {
        return Py_NewRef(flat);
    }
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i + 1 < PyTuple_GET_SIZE(flat); i += 2) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(flat, i),
                           PyTuple_GET_ITEM(flat, i + 1)) < 0) {
            Py_DECREF(dict);
            return NULL;
        }
    }
    return dict;
}

HANDLER(MAKE_FUNCTION)
{
    SAVE_IP();
    PyObject *code = code_const(f, CACHE(0)->arg);
    PyFunctionObject *func = (PyFunctionObject *)PyFunction_New(
        code, frame_func(f)->func_globals);
    if (func == NULL) {
        ERROR();
    }
    PyReg *part = &R(B);
    if (C & 1) {
        func->func_defaults = REG_PTR(*part);
        *part++ = 0;
    }
    if (C & 2) {
        func->func_kwdefaults = REG_PTR(*part);
        *part++ = 0;
    }
    if (C & 4) {
        func->func_annotations = annotations_dict(REG_PTR(*part));
        clear_run(part++, 1);
        if (func->func_annotations == NULL) {
            Py_DECREF(func);
            ERROR();
        }
    }
    if (C & 8) {
        func->func_closure = REG_PTR(*part);
        *part++ = 0;
    }
    WRITE(A, (PyReg)func);
    NEXT_RELOAD(1);
}
