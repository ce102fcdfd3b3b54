/* f(*args, **kwargs). */
#include "call.h"
#include "internal/call.h"
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
    PyObject *names = NULL;
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0
        && (names = _PyCall_RoomForNames(kwargs)) == NULL) {
        return NULL;
    }
    Py_ssize_t nkw = names != NULL ? PyTuple_GET_SIZE(names) : 0;
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

#define FEW_KEYWORDS 16
/* More positional arguments than these are not laid out in the window of the instruction. */
#define MOST_IN_PLACE 200

/* Are *args and **kwargs, or one of them if nothing is there for the other, all parameters? Then
   the arguments are handed on as they are. */
static inline int
only_takes_stars(PyVMCode *code, Py_ssize_t npos, Py_ssize_t nkw)
{
    int flags = code->ob.co_flags;
    return code->ob.co_argcount + code->ob.co_kwonlyargcount == 0
           && (npos == 0 || (flags & CO_VARARGS)) && (nkw == 0 || (flags & CO_VARKEYWORDS))
           && (flags & (CO_VARARGS | CO_VARKEYWORDS));
}

/* A dict to which the call holds the only reference needs no copy. 0 or -1. */
static int
hand_on(PyVMCode *code, PyReg *regs, PyObject *args, PyObject *kwargs)
{
    int flags = code->ob.co_flags;
    if (flags & CO_VARKEYWORDS) {
        PyObject *dict = kwargs == NULL ? PyDict_New()
                         : Py_REFCNT(kwargs) == 1 ? Py_NewRef(kwargs) : PyDict_Copy(kwargs);
        if (dict == NULL) {
            return -1;
        }
        regs[(flags & CO_VARARGS) != 0] = (PyReg)dict;
    }
    if (flags & CO_VARARGS) {
        regs[0] = (PyReg)Py_NewRef(args);
    }
    return 0;
}

/* Lays out the arguments, and puts them where the parameters are; self, if not NULL, is the first
   one. 0 or -1: all are released. */
static int
spread(PyThreadState *ts, PyFunctionObject *func, PyVMCode *code, PyReg *regs, PyObject *self,
       PyObject *args, PyObject *kwargs, Py_ssize_t nkw)
{
    Py_ssize_t npos = 0, n = PySequence_Fast_GET_SIZE(args);
    PyObject *const *items = PySequence_Fast_ITEMS(args);
    if (self != NULL) {
        regs[npos++] = (PyReg)Py_NewRef(self);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        regs[npos++] = (PyReg)Py_NewRef(items[i]);
    }
    if (nkw == 0) {
        return code->simple_call && npos == code->ob.co_argcount
               ? 0 : _PyVM_BindArguments(ts, func, code, regs, npos, NULL);
    }
    PyObject *names[FEW_KEYWORDS], *value;
    Py_ssize_t position = 0;
    for (Py_ssize_t k = 0; k < nkw && PyDict_Next(kwargs, &position, &names[k], &value); k++) {
        Py_INCREF(names[k]);
        regs[npos + k] = (PyReg)Py_NewRef(value);
    }
    int result = _PyVM_BindNamed(ts, func, code, regs, npos + nkw, names, nkw);
    for (Py_ssize_t k = 0; k < nkw; k++) {
        Py_DECREF(names[k]);
    }
    return result;
}

/* A new instance for its __init__. NULL with an exception. Counts as a call. */
static PyObject *
begin_instance(PyThreadState *ts, PyTypeObject *type)
{
    if (_Py_EnterRecursiveCallTstate(ts, " while calling a Python object")) {
        return NULL;
    }
    PyObject *self = type->tp_alloc(type, 0);
    if (self == NULL) {
        leave_python(ts);
    }
    return self;
}

/* The usual call, of a Python function or a bound method of one, with a tuple or a list and perhaps
   a dict with strs for keys, or of a class with a tuple alone: the frame begins where the window
   is, or behind the instance there. NULL without an exception: it is another call. */
static PyVMFrame *
push_in_place(PyThreadState *ts, PyVMFrame *f, PyReg *window, int has_kwargs, int dest)
{
    PyReg *regs = window + FRAME_WORDS;
    PyObject *callable = REG_PTR(window[0]), *self = NULL, *func = callable;
    if (Py_IS_TYPE(callable, &PyMethod_Type)) {
        self = PyMethod_GET_SELF(callable);
        func = PyMethod_GET_FUNCTION(callable);
    }
    int has_tuple = IS_EXACT(regs[0], PyTuple_Type), is_init = 0;
    if (PyType_Check(callable) && (func = _PyVM_PlainInit((PyTypeObject *)callable)) != NULL) {
        is_init = 1;
    }
    if (func == NULL || !PyFunction_Check(func) || !(has_tuple || IS_EXACT(regs[0], PyList_Type))
        || (has_kwargs && !IS_EXACT(regs[1], PyDict_Type)) || !frame_fits(ts, window)) {
        return NULL;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    PyObject *args = REG_PTR(regs[0]), *kwargs = has_kwargs ? REG_PTR(regs[1]) : NULL;
    Py_ssize_t nkw = kwargs != NULL ? PyDict_GET_SIZE(kwargs) : 0, npos = Py_SIZE(args);
    if (!(code->ob.co_flags & CO_OPTIMIZED) || !_PyCode_IsUnpacked(code) || npos > MOST_IN_PLACE
        || nkw > FEW_KEYWORDS
        || (nkw != 0 && ((PyDictObject *)kwargs)->ma_keys->kind != DICT_KEYS_UNICODE)
        || (is_init && (!has_tuple || nkw != 0))) {
        return NULL;
    }
    Py_INCREF(func);
    if (is_init && (self = begin_instance(ts, (PyTypeObject *)callable)) == NULL) {
        Py_DECREF(func);
        return NULL;
    }
    /* What the window had is held here, while its words are the callee's. */
    regs[0] = regs[has_kwargs] = 0;
    window[0] = (PyReg)self;
    window[is_init] = (PyReg)func;
    regs += is_init;
    void *floor = cover(ts, regs + 2);
    PyVMFrame *frame = (PyVMFrame *)(window + is_init);
    int failed = self == NULL && has_tuple && only_takes_stars(code, npos, nkw)
                 ? hand_on(code, regs, args, nkw != 0 ? kwargs : NULL)
                 : spread(ts, (PyFunctionObject *)func, code, regs, self, args, kwargs, nkw);
    (void)cover(ts, regs + code->nparams);
    if (likely(!failed) && unlikely(enter_python(ts) < 0)) {
        clear_run(regs, code->nparams);
        failed = 1;
    }
    if (likely(!failed)) {
        frame_init(frame, code, f, dest, is_init ? RET_INIT : RET_REG);
        frame->flags = is_init ? FRAME_COUNTS_TWICE : 0;
        (void)cover_frame(ts, frame);
    }
    else {
        clear_run(window + is_init, 1);
        if (is_init) {
            clear_run(window, 1);
            leave_python(ts);
        }
        frame = NULL;
    }
    Py_DECREF(args);
    Py_XDECREF(kwargs);
    Py_DECREF(callable);
    TS_FLOOR(ts) = floor;
    return frame;
}

/* Code that might keep the dict, or runs before the call, must not meet the dict of the caller's
   variable. The operand has one reference besides that of `*kwargs`. */
static int
own_keywords(PyObject **kwargs)
{
    if (*kwargs == NULL || Py_REFCNT(*kwargs) <= 2) {
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
    if (REG_IS_PTR(window[0])) {
        PyVMFrame *frame = push_in_place(ts, f, window, has_kwargs, dest);
        if (likely(frame != NULL) || _PyErr_Occurred(ts)) {
            return (BegunCall){frame, NULL};
        }
    }
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
    PyObject *args = !PyTuple_CheckExact(REG_PTR(operands[0])) && own_keywords(&kwargs) < 0
                     ? NULL : star_args(ts, callable, REG_PTR(operands[0]));
    if (args == NULL) {
        Py_XDECREF(kwargs);
        return refused;
    }
    PyObject *result = NULL;
    PyVMFrame *frame = NULL;
    PyObject *method;
    CallKind kind = _PyVM_KindOfCall(ts, callable, &method);
    if (kind != IN_C && kind != METHOD_FRAME) {
        frame = push_unpacked(ts, f, callable, args, kwargs, dest);
    }
    /* A tp_call in C gets the dict itself. */
    else if (PyVectorcall_Function(callable) != NULL || own_keywords(&kwargs) == 0) {
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
