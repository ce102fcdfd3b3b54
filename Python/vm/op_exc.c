/* Raising, matching and handling exceptions; with. */
#include "vm.h"
#include "internal/exceptions.h"
#include "internal/type.h"
#ifdef VM_STEPS
#  include "internal/vm_values.h"
#endif

/* -------------------------------------------------------------------- raise */

/* The instance that `raise exc` raises. Returns a new reference. */
static PyObject *
instance_of(PyThreadState *ts, PyObject *exc)
{
    if (PyExceptionInstance_Check(exc)) {
        return Py_NewRef(exc);
    }
    if (!PyExceptionClass_Check(exc)) {
        _PyErr_SetString(ts, PyExc_TypeError,
                         "exceptions must derive from BaseException");
        return NULL;
    }
    PyObject *value = _PyObject_CallNoArgsTstate(ts, exc);
    if (value != NULL && !PyExceptionInstance_Check(value)) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "calling %R should have returned an instance of "
                      "BaseException, not %R", exc, Py_TYPE(value));
        Py_CLEAR(value);
    }
    return value;
}

/* `raise exc from cause`; cause may be NULL. An exception is set afterwards. */
static void
raise_from(PyThreadState *ts, PyObject *exc, PyObject *cause)
{
    PyObject *value = instance_of(ts, exc);
    if (value == NULL) {
        return;
    }
    if (cause != NULL) {
        PyObject *fixed = NULL;
        if (PyExceptionClass_Check(cause)) {
            fixed = _PyObject_CallNoArgsTstate(ts, cause);
            if (fixed != NULL && !PyExceptionInstance_Check(fixed)) {
                _PyErr_Format(ts, PyExc_TypeError,
                              "calling %R should have returned an instance of "
                              "BaseException, not %R", cause, Py_TYPE(fixed));
                Py_CLEAR(fixed);
            }
            if (fixed == NULL) {
                Py_DECREF(value);
                return;
            }
        }
        else if (PyExceptionInstance_Check(cause)) {
            fixed = Py_NewRef(cause);
        }
        else if (cause != Py_None) {
            Py_DECREF(value);
            _PyErr_SetString(ts, PyExc_TypeError,
                             "exception causes must derive from BaseException");
            return;
        }
        PyException_SetCause(value, fixed);
    }
    _PyErr_SetObject(ts, (PyObject *)Py_TYPE(value), value);
    Py_DECREF(value);
}

static PyObject *
handled_exception(PyThreadState *ts)
{
    _PyErr_StackItem *item = ts->exc_info;
    while ((item->exc_value == NULL || item->exc_value == Py_None)
           && item->previous_item != NULL) {
        item = item->previous_item;
    }
    return item->exc_value;
}

HANDLER(RAISE)
{
    SAVE_IP();
    if (C == 0) {
        PyObject *value = handled_exception(ts);
        if (value == NULL || value == Py_None) {
            _PyErr_SetString(ts, PyExc_RuntimeError,
                             "No active exception to reraise");
            ERROR();
        }
        _PyErr_SetRaised(ts, Py_NewRef(value));
        TAIL(_PyVM_Reraise);
    }
    PyObject *exc = reg_object(&R(A)), *cause = NULL;
    if (exc == NULL || (C == 2 && (cause = reg_object(&R(B))) == NULL)) {
        ERROR();
    }
    raise_from(ts, exc, cause);
    operand_done(f, A);
    if (C == 2) {
        operand_done(f, B);
    }
    ERROR();
}

HANDLER(RERAISE)
{
    SAVE_IP();
    _PyErr_SetRaised(ts, REG_PTR(operand_take(f, A)));
    TAIL(_PyVM_Reraise);
}

/* ---------------------------------------------------------- what is handled */

HANDLER(PUSH_EXC)
{
    _PyErr_StackItem *item = ts->exc_info;
    PyObject *previous = item->exc_value != NULL ? item->exc_value : Py_None;
    item->exc_value = Py_NewRef(REG_PTR(R(B)));
    WRITE(A, (PyReg)previous);
    NEXT(0);
}

HANDLER(POP_EXCEPT)
{
    SAVE_IP();
    PyObject *previous = REG_PTR(operand_take(f, A));
    _PyErr_StackItem *item = ts->exc_info;
    PyObject *done = item->exc_value;
    item->exc_value = previous;
    Py_XDECREF(done);
    NEXT_RELOAD(0);
}

/* ----------------------------------------------------------------- matching */

static int
check_catchable(PyThreadState *ts, PyObject *types)
{
    Py_ssize_t n = PyTuple_Check(types) ? PyTuple_GET_SIZE(types) : 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *type =
            PyTuple_Check(types) ? PyTuple_GET_ITEM(types, i) : types;
        if (!PyExceptionClass_Check(type)) {
            _PyErr_SetString(ts, PyExc_TypeError,
                             "catching classes that do not inherit from "
                             "BaseException is not allowed");
            return -1;
        }
    }
    return 0;
}

static int
matches(PyThreadState *ts, PyReg *exc, PyReg *types)
{
    PyObject *type = reg_object(types);
    if (type == NULL || check_catchable(ts, type) < 0) {
        return -1;
    }
    return PyErr_GivenExceptionMatches(REG_PTR(*exc), type);
}

HANDLER(CHECK_EXC_MATCH)
{
    SAVE_IP();
    int match = matches(ts, &R(B), &R(C));
    if (match < 0) {
        ERROR();
    }
    operand_done(f, C);
    WRITE(A, REG_BOOL(match));
    NEXT_RELOAD(0);
}

HANDLER(JUMP_IF_NO_EXC_MATCH)
{
    SAVE_IP();
    int match = matches(ts, &R(A), &R(B));
    if (match < 0) {
        ERROR();
    }
    operand_done(f, B);
    RELOAD();
    if (!match) {
        JUMP_BY(0, SIMM_C);
    }
    NEXT(0);
}

static int
check_star_catchable(PyThreadState *ts, PyObject *types)
{
    if (check_catchable(ts, types) < 0) {
        return -1;
    }
    Py_ssize_t n = PyTuple_Check(types) ? PyTuple_GET_SIZE(types) : 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *type =
            PyTuple_Check(types) ? PyTuple_GET_ITEM(types, i) : types;
        int is_group = PyObject_IsSubclass(type, PyExc_BaseExceptionGroup);
        if (is_group > 0) {
            _PyErr_SetString(ts, PyExc_TypeError,
                             "catching ExceptionGroup with except* is not "
                             "allowed. Use except instead.");
        }
        if (is_group != 0) {
            return -1;
        }
    }
    return 0;
}

typedef struct {
    PyObject *match, *rest;     /* None where there is none; NULL with an exception */
} SplitGroup;

static NEEDS_LOCALS SplitGroup
split_group(PyObject *exc, PyObject *types)
{
    PyObject *match = NULL, *rest = NULL;
    if (_PyErr_CheckExceptionGroupMatch(exc, types, &match, &rest) < 0) {
        return (SplitGroup){NULL, NULL};
    }
    if (match == Py_None) {
        /* The next clause gets the exception itself: split() has made a copy. */
        Py_SETREF(rest, Py_NewRef(exc));
    }
    return (SplitGroup){match, rest};
}

HANDLER(CHECK_EG_MATCH)
{
    SAVE_IP();
    PyObject *types = reg_object(&R(C));
    if (types == NULL || check_star_catchable(ts, types) < 0) {
        ERROR();
    }
    SplitGroup group = split_group(REG_PTR(R(B)), types);
    if (group.match == NULL) {
        ERROR();
    }
    if (group.match != Py_None) {
        PyErr_SetHandledException(group.match);
    }
    operand_done(f, C);
    unsigned first = A;
    WRITE(first, (PyReg)group.match);
    WRITE(first + 1, (PyReg)group.rest);
    NEXT_RELOAD(0);
}

HANDLER(PREP_RERAISE_STAR)
{
    SAVE_IP();
    PyObject *result = _PyExc_PrepReraiseStar(REG_PTR(R(B)), REG_PTR(R(C)));
    if (result == NULL) {
        ERROR();
    }
    operand_done(f, C);
    operand_done(f, B);
    WRITE(A, (PyReg)result);
    NEXT_RELOAD(0);
}

HANDLER(LOAD_ASSERTION_ERROR)
{
    WRITE(A, (PyReg)Py_NewRef(PyExc_AssertionError));
    NEXT(0);
}

/* --------------------------------------------------------------------- with */

/* A method of another type, written in C: that it does not fit has to be known before the body
   is entered, not when it is called. */
static inline int
cannot_be_bound(PyObject *method, PyObject *self)
{
    return (Py_IS_TYPE(method, &PyMethodDescr_Type) || Py_IS_TYPE(method, &PyWrapperDescr_Type))
        && !PyObject_TypeCheck(self, PyDescr_TYPE(method));
}

/* The method of a context manager; `complaint` is a format with one %.200s, for its type. */
static PyObject *
context_method(PyThreadState *ts, PyObject *manager, PyObject *name,
               const char *complaint, int *unbound)
{
    PyObject *method = _PyObject_LookupSpecialMethod(manager, name, unbound);
    if (method == NULL && !_PyErr_Occurred(ts)) {
        _PyErr_Format(ts, PyExc_TypeError, complaint,
                      Py_TYPE(manager)->tp_name);
    }
    if (method != NULL && *unbound && cannot_be_bound(method, manager)) {
        Py_SETREF(method, Py_TYPE(method)->tp_descr_get(method, manager,
                                                        (PyObject *)Py_TYPE(manager)));
        *unbound = 0;
    }
    return method;
}

/* Puts a method into a dead window; steals it. */
static void
fill_window(PyReg *window, PyObject *method, int unbound, PyObject *self)
{
    if (unbound) {
        window[0] = (PyReg)method;
        window[FRAME_WORDS] = (PyReg)Py_NewRef(self);
    }
    else {
        window[0] = 0;
        window[1] = (PyReg)method;
    }
}

/* Steals manager if it succeeds. */
static int
before_with(PyThreadState *ts, PyObject *manager, PyReg *exit_window,
            PyReg *enter_window, int is_async)
{
    int unbound[2];
    PyObject *enter = context_method(
        ts, manager,
        is_async ? _Py_NAME(dunder_aenter) : _Py_NAME(dunder_enter),
        is_async ? "'%.200s' object does not support the asynchronous "
                   "context manager protocol"
                 : "'%.200s' object does not support the context manager "
                   "protocol", &unbound[0]);
    PyObject *exit = enter == NULL ? NULL : context_method(
        ts, manager,
        is_async ? _Py_NAME(dunder_aexit) : _Py_NAME(dunder_exit),
        is_async ? "'%.200s' object does not support the asynchronous "
                   "context manager protocol (missed __aexit__ method)"
                 : "'%.200s' object does not support the context manager "
                   "protocol (missed __exit__ method)", &unbound[1]);
    if (exit == NULL) {
        Py_XDECREF(enter);
        return -1;
    }
    fill_window(exit_window, exit, unbound[1], manager);
    fill_window(enter_window, enter, unbound[0], manager);
    Py_DECREF(manager);
    return 0;
}

/* An operand that was taken from a temporary or a variable. */
static void
give_back(PyReg *operand, PyObject *value)
{
    if (*operand == 0) {
        *operand = (PyReg)value;
    }
    else {
        Py_DECREF(value);
    }
}

HANDLER(BEFORE_WITH)
{
    SAVE_IP();
    PyObject *manager = operand_take_object(f, C);
    if (manager == NULL) {
        ERROR();
    }
    if (before_with(ts, manager, &R(A), &R(B), 0) < 0) {
        give_back(&R(C), manager);
        ERROR();
    }
    NEXT_RELOAD(0);
}

HANDLER(BEFORE_ASYNC_WITH)
{
    SAVE_IP();
    PyObject *manager = operand_take_object(f, C);
    if (manager == NULL) {
        ERROR();
    }
    if (before_with(ts, manager, &R(A), &R(B), 1) < 0) {
        give_back(&R(C), manager);
        ERROR();
    }
    NEXT_RELOAD(0);
}

HANDLER(MOVE_METHOD)
{
    R(A) = R(B);
    R(A + 1) = R(B + 1);
    R(A + FRAME_WORDS) = R(B + FRAME_WORDS);
    R(B) = R(B + 1) = R(B + FRAME_WORDS) = 0;
    NEXT(0);
}

/* Calls the exit method in a window, and empties the window. */
static NEEDS_LOCALS PyObject *
call_exit(PyThreadState *ts, PyReg *window, PyObject *exc)
{
    PyObject *traceback = PyException_GetTraceback(exc);
    int bound = window[0] == 0;
    PyObject *callable = REG_PTR(window[bound]);
    PyObject *self = bound ? NULL : REG_PTR(window[FRAME_WORDS]);
    PyObject *args[5] = {NULL, self, (PyObject *)Py_TYPE(exc), exc,
                         traceback != NULL ? traceback : Py_None};
    window[0] = 0;
    if (bound) {
        window[1] = 0;
    }
    else {
        window[FRAME_WORDS] = 0;
    }
    PyObject *result = _PyObject_VectorcallTstate(
        ts, callable, args + 1 + bound,
        (size_t)(4 - bound) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_XDECREF(traceback);
    Py_DECREF(callable);
    Py_XDECREF(self);
    return result;
}

HANDLER(WITH_EXCEPT_START)
{
    SAVE_IP();
    PyObject *result = call_exit(ts, &R(B), REG_PTR(R(C)));
    if (result == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)result);
    NEXT_RELOAD(0);
}

/* ------------------------------------------------- for machine code (vm_values.h) */

#ifdef VM_STEPS
PyObject *
_PyVM_BeginHandling(PyObject *exc)
{
    _PyErr_StackItem *item = _PyThreadState_GET()->exc_info;
    PyObject *previous = item->exc_value != NULL ? item->exc_value : Py_None;
    item->exc_value = Py_NewRef(exc);
    return previous;
}

int64_t
_PyVM_EndHandling(PyReg previous)
{
    _PyErr_StackItem *item = _PyThreadState_GET()->exc_info;
    PyObject *done = item->exc_value;
    item->exc_value = REG_PTR(previous);
    Py_XDECREF(done);
    return 0;
}

int64_t
_PyVM_Catches(PyObject *exc, PyReg types)
{
    if (REG_IS_INT(types)) {
        return -1;
    }
    PyObject *type = REG_PTR(types);
    Py_ssize_t n = PyTuple_Check(type) ? PyTuple_GET_SIZE(type) : 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!PyExceptionClass_Check(PyTuple_Check(type) ? PyTuple_GET_ITEM(type, i) : type)) {
            return -1;
        }
    }
    return PyErr_GivenExceptionMatches(exc, type);
}
#endif
