/* Windows, and how calls use them.

   A window is where a caller has laid out a call: the callable, the words of a frame's
   header, the arguments. If the callable is a Python function, a bound method of one, a
   plain class with a Python __init__ or an object with a Python __call__, the window
   becomes a frame (_PyVM_BeginCall); anything else is called in C with the window as its
   array of arguments. */
#include "call.h"
#include "endings.h"
#include "internal/type.h"
#include "internal/slot_prototypes.h"

/* ------------------------------------------------------------------- into C */

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

static inline __attribute__((always_inline)) PyObject *
call_window(PyThreadState *ts, PyReg *window, Py_ssize_t nargs, PyObject *kwnames)
{
    PyReg *args = window + FRAME_WORDS;
    PyObject *callable = reg_object(window);
    if (callable == NULL || box_run(args, nargs) < 0) {
        return NULL;
    }
    Py_ssize_t npos = nargs - (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    return kwnames != NULL && takes_array_and_names(callable)
        ? call_with_names(ts, callable, (PyObject **)args, npos, kwnames)
        : _PyObject_VectorcallTstate(
            ts, callable, (PyObject **)args,
            (size_t)npos | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
}

static inline __attribute__((always_inline)) void
release_window(PyReg *window, Py_ssize_t nargs)
{
    PyReg *args = window + FRAME_WORDS;
    PyReg callable = *window;
    args[-1] = 0;
    clear_run(args, nargs);
    *window = 0;
    reg_release(callable);
}

PyObject *
_PyVM_CallWindow(PyThreadState *ts, PyReg *window, Py_ssize_t nargs,
                 PyObject *kwnames)
{
    PyObject *result = call_window(ts, window, nargs, kwnames);
    release_window(window, nargs);
    return result;
}

PyObject *
_PyVM_CallKeptWindow(PyThreadState *ts, PyReg *window, Py_ssize_t nargs, PyObject *kwnames)
{
    return call_window(ts, window, nargs, kwnames);
}

void
_PyVM_ReleaseWindow(PyReg *window, Py_ssize_t nargs)
{
    release_window(window, nargs);
}

/* -------------------------------------------------------------- into frames */

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

/* Returns the window, covered and on the thread's stack: one that lies elsewhere is moved
   there. NULL with an exception: the window is unchanged. */
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

void
_PyVM_DropWindow(PyReg *window, Py_ssize_t nargs)
{
    clear_run(window + FRAME_WORDS, nargs);
    clear_run(window, 1);
}

PyObject *
_PyVM_PlainInit(PyTypeObject *type)
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
        _PyVM_DropWindow(window, nargs);
        return NULL;
    }
    Py_INCREF(init);
    PyObject *self = type->tp_alloc(type, 0);
    if (self == NULL) {
        Py_DECREF(init);
        _PyVM_DropWindow(window, nargs);
        leave_python(ts);
        return NULL;
    }
    PyReg *args = window + 1 + FRAME_WORDS;
    memmove(args + 1, window + FRAME_WORDS, (size_t)nargs * sizeof(PyReg));
    /* This word belongs to the header now, and has to be dead if the call fails. */
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

void
_PyVM_RefuseInit(PyReg value, PyReg instance)
{
    PyObject *object = reg_object(&value);
    if (object != NULL) {
        (void)_PyType_EndInit(object);
    }
    reg_release(instance);
}

/* The Python __call__ of an object, if the VM may run it, or NULL. Returns a borrowed
   reference. */
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

CallKind
_PyVM_KindOfCall(PyThreadState *ts, PyObject *callable, PyObject **method)
{
    if (PyMethod_Check(callable) && PyFunction_Check(PyMethod_GET_FUNCTION(callable))) {
        return BOUND_FRAME;
    }
    if (PyFunction_Check(callable)) {
        return FUNCTION_FRAME;
    }
    if (PyType_Check(callable)
        && (*method = _PyVM_PlainInit((PyTypeObject *)callable)) != NULL) {
        return INIT_FRAME;
    }
    return (*method = plain_call(ts, callable)) != NULL ? METHOD_FRAME : IN_C;
}

BegunCall
_PyVM_BeginCall(PyThreadState *ts, PyVMFrame *f, PyReg *window, Py_ssize_t nargs,
                PyObject *kwnames, int dest, window_caller call_c)
{
    PyObject *callable = REG_PTR(*window), *method = NULL;
    CallKind kind = REG_IS_INT(*window) ? IN_C : _PyVM_KindOfCall(ts, callable, &method);
    if (kind != IN_C) {
        void *floor = TS_FLOOR(ts);
        PyReg *moved = window_on_stack(ts, f, window, nargs);
        PyVMFrame *frame = NULL;
        if (unlikely(moved == NULL)) {
            _PyVM_DropWindow(window, nargs);
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
        return (BegunCall){frame, NULL};
    }
    /* python3.11's str has no vectorcall: until a call of it is specialised, it counts. */
    int counts = callable == (PyObject *)&PyUnicode_Type;
    if (counts && _Py_EnterRecursiveCallTstate(ts, " while calling a Python object")) {
        _PyVM_DropWindow(window, nargs);
        return (BegunCall){NULL, NULL};
    }
    PyObject *result = call_c(ts, window, nargs, kwnames);
    ts->recursion_remaining += counts;
    return (BegunCall){NULL, result};
}

PyObject *
_PyVM_RunHooked(PyThreadState *ts, PyVMFrame *frame)
{
    int is_init = frame->ret == RET_INIT;
    leave_python_frame(ts, frame->flags);       /* the evaluator counts the call */
    frame->flags &= (uint16_t)~FRAME_COUNTS_TWICE;
    PyObject *result = _PyEval_EvalFrame(ts, frame, 0);
    if (!is_init) {
        return result;
    }
    PyObject *instance = REG_PTR(take_instance(frame));
    if (_PyType_EndInit(result) < 0) {
        Py_CLEAR(instance);
    }
    return instance;
}
