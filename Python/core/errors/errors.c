/* Raising and catching from C.

   The current exception is a triple in the thread state. It may be *lazy*: a type and the
   arguments of an instance that has not been made yet. PyErr_NormalizeException makes the
   instance. Raising while another exception is being handled sets __context__ at once,
   and so makes the instance at once.

   Contract: functions that set an exception overwrite the current one. */
#include "Python.h"
#include "structmember.h"
#include "internal/errors.h"
#include "internal/exceptions.h"
#include "internal/names.h"
#include "internal/pystate.h"

#include <errno.h>
#include <string.h>

/* -------------------------------------------------------- fetch and restore */

void
_PyErr_Restore(PyThreadState *tstate, PyObject *type, PyObject *value,
               PyObject *traceback)
{
    if (traceback != NULL && !PyTraceBack_Check(traceback)) {
        Py_CLEAR(traceback);
    }
    PyObject *old_type = tstate->curexc_type;
    PyObject *old_value = tstate->curexc_value;
    PyObject *old_traceback = tstate->curexc_traceback;
    tstate->curexc_type = type;
    tstate->curexc_value = value;
    tstate->curexc_traceback = traceback;
    Py_XDECREF(old_type);
    Py_XDECREF(old_value);
    Py_XDECREF(old_traceback);
}

void
PyErr_Restore(PyObject *type, PyObject *value, PyObject *traceback)
{
    _PyErr_Restore(_PyThreadState_GET(), type, value, traceback);
}

void
_PyErr_Fetch(PyThreadState *tstate, PyObject **type, PyObject **value,
             PyObject **traceback)
{
    *type = tstate->curexc_type;
    *value = tstate->curexc_value;
    *traceback = tstate->curexc_traceback;
    tstate->curexc_type = NULL;
    tstate->curexc_value = NULL;
    tstate->curexc_traceback = NULL;
}

void
PyErr_Fetch(PyObject **type, PyObject **value, PyObject **traceback)
{
    _PyErr_Fetch(_PyThreadState_GET(), type, value, traceback);
}

void
_PyErr_Clear(PyThreadState *tstate)
{
    _PyErr_Restore(tstate, NULL, NULL, NULL);
}

void
PyErr_Clear(void)
{
    _PyErr_Clear(_PyThreadState_GET());
}

PyObject *
PyErr_Occurred(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    return tstate == NULL ? NULL : _PyErr_Occurred(tstate);
}

/* -------------------------------------------------------------- normalising */

/* Returns a new reference to an instance of `type`, made from `value` (borrowed or NULL). */
static PyObject *
make_instance(PyObject *type, PyObject *value)
{
    PyObject *exc;
    if (value == NULL || value == Py_None) {
        exc = PyObject_CallNoArgs(type);
    }
    else if (PyTuple_Check(value)) {
        exc = PyObject_Call(type, value, NULL);
    }
    else {
        exc = PyObject_CallOneArg(type, value);
    }
    if (exc != NULL && !PyExceptionInstance_Check(exc)) {
        PyErr_Format(PyExc_TypeError, "calling %R should have returned an "
                     "instance of BaseException, not %s",
                     type, Py_TYPE(exc)->tp_name);
        Py_CLEAR(exc);
    }
    return exc;
}

/* One attempt. If the instance can't be made, returns -1 with an exception set, and
   leaves *type and *value unchanged. */
static int
normalize_once(PyObject **type, PyObject **value)
{
    if (!PyExceptionClass_Check(*type)) {
        return 0;
    }
    if (*value != NULL && PyExceptionInstance_Check(*value)) {
        PyObject *cls = PyExceptionInstance_Class(*value);
        if (cls == *type) {
            return 0;
        }
        int is_subclass = PyObject_IsSubclass(cls, *type);
        if (is_subclass < 0) {
            return -1;
        }
        if (is_subclass) {
            Py_INCREF(cls);
            Py_SETREF(*type, cls);
            return 0;
        }
    }
    PyObject *exc = make_instance(*type, *value);
    if (exc == NULL) {
        return -1;
    }
    Py_XSETREF(*value, exc);
    return 0;
}

void
_PyErr_NormalizeException(PyThreadState *tstate, PyObject **type,
                          PyObject **value, PyObject **traceback)
{
    /* An instance that can't be made is replaced by the exception that this raised, which
       may need normalising too. The number of attempts is limited, as each may fail. */
    const int max_attempts = 32;
    /* At the recursion limit, the instance of RecursionError still has to be made. */
    tstate->recursion_headroom++;
    for (int attempt = 0; *type != NULL; attempt++) {
        if (*value == NULL) {
            *value = Py_NewRef(Py_None);
        }
        if (normalize_once(type, value) == 0) {
            break;
        }
        if (attempt == max_attempts) {
            _PyErr_SetString(tstate, PyExc_RecursionError,
                             "maximum recursion depth exceeded while "
                             "normalizing an exception");
        }
        else if (attempt > max_attempts + 2) {
            Py_FatalError("Cannot recover from the recursive normalization "
                          "of an exception.");
        }
        PyObject *old_traceback = *traceback;
        Py_DECREF(*type);
        Py_DECREF(*value);
        _PyErr_Fetch(tstate, type, value, traceback);
        if (*traceback == NULL) {
            *traceback = old_traceback;
        }
        else {
            Py_XDECREF(old_traceback);
        }
    }
    tstate->recursion_headroom--;
}

void
PyErr_NormalizeException(PyObject **type, PyObject **value,
                         PyObject **traceback)
{
    _PyErr_NormalizeException(_PyThreadState_GET(), type, value, traceback);
}

PyObject *
_PyErr_GetRaised(PyThreadState *tstate)
{
    PyObject *type, *value, *traceback;
    _PyErr_Fetch(tstate, &type, &value, &traceback);
    if (type == NULL) {
        return NULL;
    }
    if (value == NULL || !Py_IS_TYPE(value, (PyTypeObject *)type)) {
        _PyErr_NormalizeException(tstate, &type, &value, &traceback);
    }
    if (traceback != NULL) {
        if (_PyExc_BASE(value)->traceback != traceback) {
            Py_XSETREF(_PyExc_BASE(value)->traceback, traceback);
        }
        else {
            Py_DECREF(traceback);
        }
    }
    Py_DECREF(type);
    return value;
}

void
_PyErr_SetRaised(PyThreadState *tstate, PyObject *exc)
{
    if (exc == NULL) {
        _PyErr_Clear(tstate);
        return;
    }
    _PyErr_Restore(tstate, Py_NewRef(Py_TYPE(exc)), exc,
                   Py_XNewRef(_PyExc_BASE(exc)->traceback));
}

/* ------------------------------------------------ what is being handled now */

_PyErr_StackItem *
_PyErr_GetTopmostException(PyThreadState *tstate)
{
    _PyErr_StackItem *item = tstate->exc_info;
    while ((item->exc_value == NULL || item->exc_value == Py_None)
           && item->previous_item != NULL) {
        item = item->previous_item;
    }
    return item;
}

/* Borrowed, or NULL. */
static PyObject *
handled(PyThreadState *tstate)
{
    PyObject *exc = _PyErr_GetTopmostException(tstate)->exc_value;
    return exc == Py_None ? NULL : exc;
}

PyObject *
_PyErr_GetHandledException(PyThreadState *tstate)
{
    return Py_XNewRef(handled(tstate));
}

PyObject *
PyErr_GetHandledException(void)
{
    return _PyErr_GetHandledException(_PyThreadState_GET());
}

void
_PyErr_SetHandledException(PyThreadState *tstate, PyObject *exc)
{
    PyObject *old = tstate->exc_info->exc_value;
    tstate->exc_info->exc_value = exc == Py_None ? NULL : Py_XNewRef(exc);
    Py_XDECREF(old);
}

void
PyErr_SetHandledException(PyObject *exc)
{
    _PyErr_SetHandledException(_PyThreadState_GET(), exc);
}

/* Without an exception, type and traceback are None; the value is None or NULL, as it is stored. */
static void
spread_exception(PyObject *exc, PyObject **type, PyObject **value,
                 PyObject **traceback)
{
    if (exc == NULL || exc == Py_None) {
        *type = Py_NewRef(Py_None);
        *traceback = Py_NewRef(Py_None);
        *value = Py_XNewRef(exc);
        return;
    }
    *type = Py_NewRef(Py_TYPE(exc));
    *value = Py_NewRef(exc);
    *traceback = PyException_GetTraceback(exc);
}

void
_PyErr_GetExcInfo(PyThreadState *tstate, PyObject **type, PyObject **value,
                  PyObject **traceback)
{
    spread_exception(_PyErr_GetTopmostException(tstate)->exc_value,
                     type, value, traceback);
}

void
PyErr_GetExcInfo(PyObject **type, PyObject **value, PyObject **traceback)
{
    _PyErr_GetExcInfo(_PyThreadState_GET(), type, value, traceback);
}

void
PyErr_SetExcInfo(PyObject *type, PyObject *value, PyObject *traceback)
{
    PyErr_SetHandledException(value);
    /* Type and traceback follow from the value. */
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

PyObject *
_PyErr_StackItemToExcInfoTuple(_PyErr_StackItem *item)
{
    PyObject *parts[3];
    PyObject *exc = item->exc_value;
    spread_exception(exc == Py_None ? NULL : exc,
                     &parts[0], &parts[1], &parts[2]);
    for (int i = 0; i < 3; i++) {
        if (parts[i] == NULL) {
            parts[i] = Py_NewRef(Py_None);
        }
    }
    PyObject *tuple = PyTuple_Pack(3, parts[0], parts[1], parts[2]);
    for (int i = 0; i < 3; i++) {
        Py_DECREF(parts[i]);
    }
    return tuple;
}

/* Cuts `value` out of the context chain that starts at `from`, so that making `from` the
   context of `value` creates no loop. If Python code has made the chain circular, the
   walk ends when it meets the slow pointer. */
static void
cut_from_chain(PyObject *from, PyObject *value)
{
    PyObject *at = from, *slow = from;
    for (int step = 0; ; step++) {
        PyObject *context = _PyExc_BASE(at)->context;
        if (context == NULL) {
            return;
        }
        if (context == value) {
            PyException_SetContext(at, NULL);
            return;
        }
        at = context;
        if (at == slow) {
            return;
        }
        if (step & 1) {
            slow = _PyExc_BASE(slow)->context;
        }
    }
}

static void
set_context(PyObject *value, PyObject *context)
{
    if (context == NULL || context == value) {
        return;
    }
    cut_from_chain(context, value);
    PyException_SetContext(value, Py_NewRef(context));
}

/* ------------------------------------------------------------------ raising */

void
_PyErr_SetObject(PyThreadState *tstate, PyObject *type, PyObject *value)
{
    if (type != NULL && !PyExceptionClass_Check(type)) {
        _PyErr_Format(tstate, PyExc_SystemError, "_PyErr_SetObject: exception "
                      "%R is not a BaseException subclass", type);
        return;
    }
    Py_XINCREF(value);
    PyObject *context = handled(tstate);
    if (context != NULL) {
        Py_INCREF(context);
        if (value == NULL || !PyExceptionInstance_Check(value)) {
            /* The constructor may run Python code, which must not see the old exception. */
            _PyErr_Clear(tstate);
            PyObject *made = make_instance(type, value);
            Py_XDECREF(value);
            if (made == NULL) {
                Py_DECREF(context);
                return;
            }
            value = made;
        }
        set_context(value, context);
        Py_DECREF(context);
    }
    PyObject *traceback = NULL;
    if (value != NULL && PyExceptionInstance_Check(value)) {
        traceback = PyException_GetTraceback(value);
    }
    _PyErr_Restore(tstate, Py_XNewRef(type), value, traceback);
}

void
PyErr_SetObject(PyObject *type, PyObject *value)
{
    _PyErr_SetObject(_PyThreadState_GET(), type, value);
}

/* A tuple for a key would be taken as the argument list: every key is put into one. */
void
_PyErr_SetKeyError(PyObject *key)
{
    PyObject *args = PyTuple_Pack(1, key);
    if (args != NULL) {
        _PyErr_SetObject(_PyThreadState_GET(), PyExc_KeyError, args);
        Py_DECREF(args);
    }
}

void
_PyErr_SetNone(PyThreadState *tstate, PyObject *type)
{
    _PyErr_SetObject(tstate, type, NULL);
}

void
PyErr_SetNone(PyObject *type)
{
    _PyErr_SetNone(_PyThreadState_GET(), type);
}

void
_PyErr_SetString(PyThreadState *tstate, PyObject *type, const char *text)
{
    PyObject *value = PyUnicode_FromString(text);
    if (value != NULL) {
        _PyErr_SetObject(tstate, type, value);
        Py_DECREF(value);
    }
}

void
PyErr_SetString(PyObject *type, const char *text)
{
    _PyErr_SetString(_PyThreadState_GET(), type, text);
}

static PyObject *
format_v(PyThreadState *tstate, PyObject *type, const char *format,
         va_list vargs)
{
    /* %R and friends run Python code. */
    _PyErr_Clear(tstate);
    PyObject *text = PyUnicode_FromFormatV(format, vargs);
    /* If that code raised, this exception without a message takes the place of its exception. */
    _PyErr_SetObject(tstate, type, text);
    Py_XDECREF(text);
    return NULL;
}

PyObject *
PyErr_FormatV(PyObject *type, const char *format, va_list vargs)
{
    return format_v(_PyThreadState_GET(), type, format, vargs);
}

PyObject *
_PyErr_Format(PyThreadState *tstate, PyObject *type, const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    format_v(tstate, type, format, vargs);
    va_end(vargs);
    return NULL;
}

PyObject *
PyErr_Format(PyObject *type, const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    format_v(_PyThreadState_GET(), type, format, vargs);
    va_end(vargs);
    return NULL;
}

int
PyErr_BadArgument(void)
{
    PyErr_SetString(PyExc_TypeError,
                    "bad argument type for built-in operation");
    return 0;
}

static PyObject *
no_memory(PyThreadState *tstate)
{
    if (Py_TYPE(PyExc_MemoryError) == NULL) {
        Py_FatalError("Out of memory and PyExc_MemoryError is not "
                      "initialized yet");
    }
    _PyErr_SetNone(tstate, PyExc_MemoryError);
    return NULL;
}

PyObject *
PyErr_NoMemory(void)
{
    return no_memory(_PyThreadState_GET());
}

void
_PyErr_BadInternalCall(const char *filename, int lineno)
{
    PyErr_Format(PyExc_SystemError, "%s:%d: bad argument to internal function",
                 filename, lineno);
}

#undef PyErr_BadInternalCall
void
PyErr_BadInternalCall(void)
{
    PyErr_SetString(PyExc_SystemError, "bad argument to internal function");
}

/* ----------------------------------------------------------------- matching */

int
PyErr_GivenExceptionMatches(PyObject *err, PyObject *exc)
{
    if (err == NULL || exc == NULL) {
        return 0;
    }
    if (err == exc || (PyObject *)Py_TYPE(err) == exc) {
        return 1;
    }
    if (PyTuple_Check(exc)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(exc); i++) {
            if (PyErr_GivenExceptionMatches(err, PyTuple_GET_ITEM(exc, i))) {
                return 1;
            }
        }
        return 0;
    }
    if (PyExceptionInstance_Check(err)) {
        err = PyExceptionInstance_Class(err);
    }
    if (PyExceptionClass_Check(err) && PyExceptionClass_Check(exc)) {
        return PyType_IsSubtype((PyTypeObject *)err, (PyTypeObject *)exc);
    }
    return err == exc;
}

int
_PyErr_ExceptionMatches(PyThreadState *tstate, PyObject *exc)
{
    return PyErr_GivenExceptionMatches(_PyErr_Occurred(tstate), exc);
}

int
PyErr_ExceptionMatches(PyObject *exc)
{
    return _PyErr_ExceptionMatches(_PyThreadState_GET(), exc);
}

/* ----------------------------------------------------------------- chaining */

void
_PyErr_ChainExceptions(PyObject *type, PyObject *value, PyObject *traceback)
{
    if (type == NULL) {
        return;
    }
    PyThreadState *tstate = _PyThreadState_GET();
    if (!PyExceptionClass_Check(type)) {
        _PyErr_Format(tstate, PyExc_SystemError, "_PyErr_ChainExceptions: "
                      "exception %R is not a BaseException subclass", type);
        return;
    }
    if (!_PyErr_Occurred(tstate)) {
        _PyErr_Restore(tstate, type, value, traceback);
        return;
    }
    /* The current exception is taken out first: normalising calls classes, and none may
       be set during a call. */
    PyObject *type2, *value2, *traceback2;
    _PyErr_Fetch(tstate, &type2, &value2, &traceback2);
    _PyErr_NormalizeException(tstate, &type, &value, &traceback);
    if (traceback != NULL) {
        PyException_SetTraceback(value, traceback);
        Py_DECREF(traceback);
    }
    Py_DECREF(type);
    _PyErr_NormalizeException(tstate, &type2, &value2, &traceback2);
    PyException_SetContext(value2, value);
    _PyErr_Restore(tstate, type2, value2, traceback2);
}

void
_PyErr_ChainExceptions1(PyObject *exc)
{
    if (exc == NULL) {
        return;
    }
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *current = _PyErr_GetRaised(tstate);
    if (current == NULL) {
        _PyErr_SetRaised(tstate, exc);
        return;
    }
    PyException_SetContext(current, exc);
    _PyErr_SetRaised(tstate, current);
}

void
_PyErr_ChainStackItem(_PyErr_StackItem *item)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (item == NULL) {
        item = tstate->exc_info;
    }
    PyObject *context = item->exc_value;
    if (context == NULL || context == Py_None || !_PyErr_Occurred(tstate)) {
        return;
    }
    PyObject *current = _PyErr_GetRaised(tstate);
    set_context(current, context);
    _PyErr_SetRaised(tstate, current);
}

static PyObject *
format_from_cause(PyThreadState *tstate, PyObject *type, const char *format,
                  va_list vargs)
{
    PyObject *cause = _PyErr_GetRaised(tstate);
    format_v(tstate, type, format, vargs);
    PyObject *raised = _PyErr_GetRaised(tstate);
    if (cause != NULL) {
        PyException_SetCause(raised, Py_NewRef(cause));
        PyException_SetContext(raised, cause);
    }
    _PyErr_SetRaised(tstate, raised);
    return NULL;
}

PyObject *
_PyErr_FormatFromCauseTstate(PyThreadState *tstate, PyObject *type,
                             const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    format_from_cause(tstate, type, format, vargs);
    va_end(vargs);
    return NULL;
}

PyObject *
_PyErr_FormatFromCause(PyObject *type, const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    format_from_cause(_PyThreadState_GET(), type, format, vargs);
    va_end(vargs);
    return NULL;
}

/* Whether an exception can be replaced by another of its class that is made from one str. */
static int
is_plain_exception(PyObject *exc)
{
    PyTypeObject *type = Py_TYPE(exc);
    PyTypeObject *base = (PyTypeObject *)PyExc_BaseException;
    Py_ssize_t size = base->tp_basicsize;
    if (type->tp_init != base->tp_init || type->tp_new != base->tp_new
        || type->tp_itemsize != base->tp_itemsize
        || (type->tp_basicsize != size
            && !(PyType_SUPPORTS_WEAKREFS(type)
                 && type->tp_basicsize
                    == size + (Py_ssize_t)sizeof(PyObject *)))) {
        return 0;
    }
    PyObject *args = _PyExc_BASE(exc)->args;
    Py_ssize_t n = args == NULL ? 0 : PyTuple_GET_SIZE(args);
    if (n > 1 || (n == 1 && !PyUnicode_CheckExact(PyTuple_GET_ITEM(args, 0)))) {
        return 0;
    }
    PyObject *dict = _PyExc_BASE(exc)->dict;
    return dict == NULL || PyDict_GET_SIZE(dict) == 0;
}

PyObject *
_PyErr_TrySetFromCause(const char *format, ...)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *cause = _PyErr_GetRaised(tstate);
    if (cause == NULL || !is_plain_exception(cause)) {
        _PyErr_SetRaised(tstate, cause);
        return NULL;
    }
    va_list vargs;
    va_start(vargs, format);
    PyObject *prefix = PyUnicode_FromFormatV(format, vargs);
    va_end(vargs);
    if (prefix == NULL) {
        Py_DECREF(cause);
        return NULL;
    }
    _PyErr_Format(tstate, (PyObject *)Py_TYPE(cause), "%U (%s: %S)", prefix,
                  Py_TYPE(cause)->tp_name, cause);
    Py_DECREF(prefix);
    PyObject *raised = _PyErr_GetRaised(tstate);
    PyException_SetCause(raised, cause);
    _PyErr_SetRaised(tstate, raised);
    return raised;
}

/* -------------------------------------------------------------------- errno */

PyObject *
PyErr_SetFromErrnoWithFilenameObjects(PyObject *exc, PyObject *filename,
                                      PyObject *filename2)
{
    PyThreadState *tstate = _PyThreadState_GET();
    int number = errno;
    if (number == EINTR && PyErr_CheckSignals()) {
        return NULL;
    }
    PyObject *message = number == 0
        ? PyUnicode_FromString("Error")
        : PyUnicode_DecodeLocale(strerror(number), "surrogateescape");
    if (message == NULL) {
        return NULL;
    }
    PyObject *args;
    if (filename == NULL) {
        args = Py_BuildValue("(iO)", number, message);
    }
    else if (filename2 == NULL) {
        args = Py_BuildValue("(iOO)", number, message, filename);
    }
    else {
        args = Py_BuildValue("(iOOiO)", number, message, filename, 0,
                             filename2);
    }
    Py_DECREF(message);
    if (args == NULL) {
        return NULL;
    }
    PyObject *value = PyObject_Call(exc, args, NULL);
    Py_DECREF(args);
    if (value != NULL) {
        _PyErr_SetObject(tstate, (PyObject *)Py_TYPE(value), value);
        Py_DECREF(value);
    }
    return NULL;
}

PyObject *
PyErr_SetFromErrnoWithFilenameObject(PyObject *exc, PyObject *filename)
{
    return PyErr_SetFromErrnoWithFilenameObjects(exc, filename, NULL);
}

PyObject *
PyErr_SetFromErrnoWithFilename(PyObject *exc, const char *filename)
{
    PyObject *name = NULL;
    if (filename != NULL) {
        int number = errno;
        name = PyUnicode_DecodeFSDefault(filename);
        if (name == NULL) {
            return NULL;
        }
        errno = number;
    }
    PyErr_SetFromErrnoWithFilenameObjects(exc, name, NULL);
    Py_XDECREF(name);
    return NULL;
}

PyObject *
PyErr_SetFromErrno(PyObject *exc)
{
    return PyErr_SetFromErrnoWithFilenameObjects(exc, NULL, NULL);
}

/* -------------------------------------------------------------- ImportError */

PyObject *
PyErr_SetImportErrorSubclass(PyObject *exception, PyObject *msg,
                             PyObject *name, PyObject *path)
{
    int is_subclass = PyObject_IsSubclass(exception, PyExc_ImportError);
    if (is_subclass < 0) {
        return NULL;
    }
    if (!is_subclass) {
        PyErr_SetString(PyExc_TypeError,
                        "expected a subclass of ImportError");
        return NULL;
    }
    if (msg == NULL) {
        PyErr_SetString(PyExc_TypeError, "expected a message argument");
        return NULL;
    }
    PyObject *error = NULL;
    PyObject *args = PyTuple_Pack(1, msg);
    PyObject *kwargs = PyDict_New();
    if (args != NULL && kwargs != NULL
        && PyDict_SetItemString(kwargs, "name",
                                name != NULL ? name : Py_None) == 0
        && PyDict_SetItemString(kwargs, "path",
                                path != NULL ? path : Py_None) == 0) {
        error = PyObject_Call(exception, args, kwargs);
    }
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    return NULL;
}

PyObject *
PyErr_SetImportError(PyObject *msg, PyObject *name, PyObject *path)
{
    return PyErr_SetImportErrorSubclass(PyExc_ImportError, msg, name, path);
}

/* ----------------------------------------------------------- new exceptions */

PyObject *
PyErr_NewException(const char *name, PyObject *base, PyObject *dict)
{
    const char *dot = strrchr(name, '.');
    if (dot == NULL) {
        PyErr_SetString(PyExc_SystemError, "PyErr_NewException: name must be "
                                           "module.class");
        return NULL;
    }
    if (base == NULL) {
        base = PyExc_Exception;
    }
    PyObject *own_dict = NULL, *bases = NULL, *result = NULL;
    if (dict == NULL) {
        dict = own_dict = PyDict_New();
        if (dict == NULL) {
            return NULL;
        }
    }
    int has_module = PyDict_Contains(dict, _Py_NAME(dunder_module));
    if (has_module < 0) {
        goto done;
    }
    if (!has_module) {
        PyObject *module = PyUnicode_FromStringAndSize(name, dot - name);
        int failed = module == NULL
            || PyDict_SetItem(dict, _Py_NAME(dunder_module), module) < 0;
        Py_XDECREF(module);
        if (failed) {
            goto done;
        }
    }
    bases = PyTuple_Check(base) ? Py_NewRef(base) : PyTuple_Pack(1, base);
    if (bases == NULL) {
        goto done;
    }
    result = PyObject_CallFunction((PyObject *)&PyType_Type, "sOO", dot + 1,
                                   bases, dict);
done:
    Py_XDECREF(bases);
    Py_XDECREF(own_dict);
    return result;
}

PyObject *
PyErr_NewExceptionWithDoc(const char *name, const char *doc, PyObject *base,
                          PyObject *dict)
{
    PyObject *own_dict = NULL, *result = NULL;
    if (dict == NULL) {
        dict = own_dict = PyDict_New();
        if (dict == NULL) {
            return NULL;
        }
    }
    if (doc != NULL) {
        PyObject *text = PyUnicode_FromString(doc);
        int failed = text == NULL
            || PyDict_SetItem(dict, _Py_NAME(dunder_doc), text) < 0;
        Py_XDECREF(text);
        if (failed) {
            goto done;
        }
    }
    result = PyErr_NewException(name, base, dict);
done:
    Py_XDECREF(own_dict);
    return result;
}

/* ------------------------------------------------- hints for "Did you mean" */

void
_PyErr_SetNameErrorName(PyThreadState *tstate, PyObject *name)
{
    PyObject *exc = _PyErr_GetRaised(tstate);
    if (exc != NULL && PyErr_GivenExceptionMatches(exc, PyExc_NameError)) {
        PyNameErrorObject *error = (PyNameErrorObject *)exc;
        if (error->name == NULL) {
            error->name = Py_NewRef(name);
        }
    }
    _PyErr_SetRaised(tstate, exc);
}

/* ------------------------------------------------- locations in source text */

/* Sets an attribute of an error that is being built. Failure is ignored: the error itself
   is more important. */
static void
set_attribute(PyObject *exc, const char *name, PyObject *value)
{
    if (value == NULL || PyObject_SetAttrString(exc, name, value) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(value);
}

static PyObject *
int_or_none(int value)
{
    return value >= 0 ? PyLong_FromLong(value) : Py_NewRef(Py_None);
}

static void
set_location(PyObject *filename, int lineno, int col_offset, int end_lineno,
             int end_col_offset)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *exc = _PyErr_GetRaised(tstate);
    if (exc == NULL) {
        return;
    }
    set_attribute(exc, "lineno", PyLong_FromLong(lineno));
    set_attribute(exc, "offset", int_or_none(col_offset));
    set_attribute(exc, "end_lineno", int_or_none(end_lineno));
    set_attribute(exc, "end_offset", int_or_none(end_col_offset));
    if (filename != NULL) {
        set_attribute(exc, "filename", Py_NewRef(filename));
        PyObject *text = PyErr_ProgramTextObject(filename, lineno);
        set_attribute(exc, "text",
                      text != NULL ? text : Py_NewRef(Py_None));
    }
    if ((PyObject *)Py_TYPE(exc) != PyExc_SyntaxError) {
        PyObject *value;
        if (_PyObject_LookupAttr(exc, _Py_NAME(msg), &value) == 0) {
            set_attribute(exc, "msg", PyObject_Str(exc));
        }
        else {
            PyErr_Clear();
            Py_XDECREF(value);
        }
        if (_PyObject_LookupAttr(exc, _Py_NAME(print_file_and_line),
                                 &value) == 0) {
            set_attribute(exc, "print_file_and_line", Py_NewRef(Py_None));
        }
        else {
            PyErr_Clear();
            Py_XDECREF(value);
        }
    }
    _PyErr_SetRaised(tstate, exc);
}

void
PyErr_SyntaxLocationObject(PyObject *filename, int lineno, int col_offset)
{
    set_location(filename, lineno, col_offset, lineno, -1);
}

void
PyErr_RangedSyntaxLocationObject(PyObject *filename, int lineno,
                                 int col_offset, int end_lineno,
                                 int end_col_offset)
{
    set_location(filename, lineno, col_offset, end_lineno, end_col_offset);
}

void
PyErr_SyntaxLocationEx(const char *filename, int lineno, int col_offset)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *exc = _PyErr_GetRaised(tstate);
    PyObject *name = NULL;
    if (filename != NULL) {
        name = PyUnicode_DecodeFSDefault(filename);
        if (name == NULL) {
            _PyErr_Clear(tstate);
        }
    }
    _PyErr_SetRaised(tstate, exc);
    PyErr_SyntaxLocationObject(name, lineno, col_offset);
    Py_XDECREF(name);
}

void
PyErr_SyntaxLocation(const char *filename, int lineno)
{
    PyErr_SyntaxLocationEx(filename, lineno, -1);
}

/* Line `lineno` of an open file, decoded. Returns NULL without an exception on failure. */
static PyObject *
read_program_line(FILE *fp, int lineno, const char *encoding)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length = -1;
    for (int i = 0; i < lineno; i++) {
        length = getline(&line, &room, fp);
        if (length < 0) {
            break;
        }
    }
    PyObject *text = NULL;
    if (length >= 0) {
        const char *start = line;
        if (lineno == 1 && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
            start += 3;
            length -= 3;
        }
        text = PyUnicode_Decode(start, length,
                                encoding != NULL ? encoding : "utf-8",
                                "replace");
        if (text == NULL) {
            PyErr_Clear();
        }
    }
    free(line);
    return text;
}

PyObject *
_PyErr_ProgramDecodedTextObject(PyObject *filename, int lineno,
                                const char *encoding)
{
    if (filename == NULL || lineno <= 0) {
        return NULL;
    }
    FILE *fp = _Py_fopen_obj(filename, "r");
    if (fp == NULL) {
        PyErr_Clear();
        return NULL;
    }
    PyObject *text = read_program_line(fp, lineno, encoding);
    fclose(fp);
    return text;
}

PyObject *
PyErr_ProgramTextObject(PyObject *filename, int lineno)
{
    return _PyErr_ProgramDecodedTextObject(filename, lineno, NULL);
}

PyObject *
PyErr_ProgramText(const char *filename, int lineno)
{
    PyObject *name = filename == NULL ? NULL
        : PyUnicode_DecodeFSDefault(filename);
    if (name == NULL) {
        PyErr_Clear();
        return NULL;
    }
    PyObject *text = PyErr_ProgramTextObject(name, lineno);
    Py_DECREF(name);
    return text;
}
