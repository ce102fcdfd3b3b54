/* Raising, matching and handling exceptions; with. */
#include "vm.h"
#include "internal/exceptions.h"
#include "internal/type.h"

/* ------------------------------------------------------------------- raise */

/* An instance from what `raise` was given: new reference. */
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

/* -------------------------------------------------------- what is handled */

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

/* ---------------------------------------------------------------- matching */

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

HANDLER(CHECK_EG_MATCH)
{
    SAVE_IP();
    PyObject *types = reg_object(&R(C));
    if (types == NULL || check_star_catchable(ts, types) < 0) {
        ERROR();
    }
    PyObject *match = NULL, *rest = NULL;
    if (_PyErr_CheckExceptionGroupMatch(REG_PTR(R(B)), types, &match,
                                        &rest) < 0) {
        ERROR();
    }
    if (match != NULL && match != Py_None) {
        PyErr_SetHandledException(match);
    }
    operand_done(f, C);
    unsigned first = A;
    WRITE(first, match != NULL ? (PyReg)match : REG_NONE);
    WRITE(first + 1, rest != NULL ? (PyReg)rest : REG_NONE);
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

/* -------------------------------------------------------------------- with */

/* Enters a context: *exit is its bound exit method, the result what its enter
   method gave. */
static PyObject *
enter_context(PyThreadState *ts, PyObject *manager, PyObject *enter_name,
              PyObject *exit_name, const char *protocol, PyObject **exit)
{
    const char *type_name = Py_TYPE(manager)->tp_name;
    PyObject *enter = _PyObject_LookupSpecial(manager, enter_name);
    if (enter == NULL) {
        if (!_PyErr_Occurred(ts)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "'%.200s' object does not support the %s protocol",
                          type_name, protocol);
        }
        return NULL;
    }
    *exit = _PyObject_LookupSpecial(manager, exit_name);
    if (*exit == NULL) {
        if (!_PyErr_Occurred(ts)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "'%.200s' object does not support the %s protocol "
                          "(missed %U method)",
                          type_name, protocol, exit_name);
        }
        Py_DECREF(enter);
        return NULL;
    }
    PyObject *result = _PyObject_CallNoArgsTstate(ts, enter);
    Py_DECREF(enter);
    if (result == NULL) {
        Py_CLEAR(*exit);
    }
    return result;
}

HANDLER(BEFORE_WITH)
{
    SAVE_IP();
    PyObject *manager = reg_object(&R(C)), *exit, *result;
    if (manager == NULL
        || (result = enter_context(ts, manager, _Py_NAME(dunder_enter),
                                   _Py_NAME(dunder_exit), "context manager",
                                   &exit)) == NULL) {
        ERROR();
    }
    operand_done(f, C);
    WRITE(A, (PyReg)exit);
    WRITE(B, (PyReg)result);
    NEXT_RELOAD(0);
}

HANDLER(BEFORE_ASYNC_WITH)
{
    SAVE_IP();
    PyObject *manager = reg_object(&R(C)), *exit, *result;
    if (manager == NULL
        || (result = enter_context(ts, manager, _Py_NAME(dunder_aenter),
                                   _Py_NAME(dunder_aexit),
                                   "asynchronous context manager",
                                   &exit)) == NULL) {
        ERROR();
    }
    operand_done(f, C);
    WRITE(A, (PyReg)exit);
    WRITE(B, (PyReg)result);
    NEXT_RELOAD(0);
}

HANDLER(WITH_EXCEPT_START)
{
    SAVE_IP();
    PyObject *exc = REG_PTR(R(C));
    PyObject *traceback = PyException_GetTraceback(exc);
    PyObject *args[4] = {NULL, (PyObject *)Py_TYPE(exc), exc,
                         traceback != NULL ? traceback : Py_None};
    PyObject *result = _PyObject_VectorcallTstate(
        ts, REG_PTR(R(B)), args + 1, 3 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    Py_XDECREF(traceback);
    if (result == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)result);
    NEXT_RELOAD(0);
}
