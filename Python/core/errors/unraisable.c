/* Exceptions that can't be propagated: sys.unraisablehook and its default. */
#include "Python.h"
#include "frameobject.h"
#include "internal/errors.h"
#include "internal/exceptions.h"
#include "internal/names.h"
#include "internal/traceback.h"

static PyTypeObject hook_args_type;

static PyStructSequence_Field hook_args_fields[] = {
    {"exc_type", "Exception type"},
    {"exc_value", "Exception value"},
    {"exc_traceback", "Exception traceback"},
    {"err_msg", "Error message"},
    {"object", "Object causing the exception"},
    {NULL, NULL},
};

static PyStructSequence_Desc hook_args_desc = {
    .name = "UnraisableHookArgs",
    .doc = "UnraisableHookArgs\n\nType used to pass arguments to "
           "sys.unraisablehook.",
    .fields = hook_args_fields,
    .n_in_sequence = 5,
};

int
_PyErr_InitTypes(void)
{
    if (hook_args_type.tp_name != NULL) {
        return 0;
    }
    return PyStructSequence_InitType2(&hook_args_type, &hook_args_desc);
}

/* Borrowed references; NULL stands for None. */
static PyObject *
make_hook_args(PyObject *type, PyObject *value, PyObject *traceback,
               PyObject *message, PyObject *object)
{
    PyObject *args = PyStructSequence_New(&hook_args_type);
    if (args == NULL) {
        return NULL;
    }
    PyObject *items[] = {type, value, traceback, message, object};
    for (int i = 0; i < 5; i++) {
        PyStructSequence_SET_ITEM(
            args, i, Py_NewRef(items[i] != NULL ? items[i] : Py_None));
    }
    return args;
}

/* ------------------------------------------------------- the default report */

static int
is_set(PyObject *op)
{
    return op != NULL && op != Py_None;
}

/* Writes str() or repr() of an object, or `instead` if that fails. */
static int
write_or(PyObject *op, PyObject *file, int flags, const char *instead)
{
    if (PyFile_WriteObject(op, file, flags) == 0) {
        return 0;
    }
    PyErr_Clear();
    return PyFile_WriteString(instead, file);
}

static int
write_type_name(PyObject *type, PyObject *file)
{
    PyObject *module;
    if (_PyObject_LookupAttr(type, _Py_NAME(dunder_module), &module) < 0) {
        PyErr_Clear();
    }
    int status = 0;
    if (module == NULL || !PyUnicode_Check(module)) {
        status = PyFile_WriteString("<unknown>.", file);
    }
    else if (!_PyUnicode_EqualToASCIIString(module, "builtins")
             && !_PyUnicode_EqualToASCIIString(module, "__main__")) {
        status = PyFile_WriteObject(module, file, Py_PRINT_RAW) < 0
            || PyFile_WriteString(".", file) < 0;
    }
    Py_XDECREF(module);
    if (status != 0) {
        return -1;
    }
    PyObject *name = PyType_GetQualName((PyTypeObject *)type);
    if (name == NULL) {
        PyErr_Clear();
        return PyFile_WriteString("<unknown>", file);
    }
    status = PyFile_WriteObject(name, file, Py_PRINT_RAW);
    Py_DECREF(name);
    return status;
}

static int
write_report(PyObject *file, PyObject *type, PyObject *value,
             PyObject *traceback, PyObject *message, PyObject *object)
{
    if (is_set(object)) {
        if (is_set(message)) {
            if (PyFile_WriteObject(message, file, Py_PRINT_RAW) < 0
                || PyFile_WriteString(": ", file) < 0) {
                return -1;
            }
        }
        else if (PyFile_WriteString("Exception ignored in: ", file) < 0) {
            return -1;
        }
        if (write_or(object, file, 0, "<object repr() failed>") < 0
            || PyFile_WriteString("\n", file) < 0) {
            return -1;
        }
    }
    else if (is_set(message)) {
        if (PyFile_WriteObject(message, file, Py_PRINT_RAW) < 0
            || PyFile_WriteString(":\n", file) < 0) {
            return -1;
        }
    }
    if (is_set(traceback) && PyTraceBack_Print(traceback, file) < 0) {
        return -1;
    }
    if (!is_set(type)) {
        return -1;
    }
    if (write_type_name(type, file) < 0) {
        return -1;
    }
    if (is_set(value)
        && (PyFile_WriteString(": ", file) < 0
            || write_or(value, file, Py_PRINT_RAW,
                        "<exception str() failed>") < 0)) {
        return -1;
    }
    if (PyFile_WriteString("\n", file) < 0) {
        return -1;
    }
    PyObject *result = PyObject_CallMethodNoArgs(file, _Py_NAME(flush));
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

static int
report(PyObject *type, PyObject *value, PyObject *traceback,
       PyObject *message, PyObject *object)
{
    PyObject *file = PySys_GetObject("stderr");
    if (!is_set(file)) {
        return 0;
    }
    Py_INCREF(file);
    int status = write_report(file, type, value, traceback, message, object);
    Py_DECREF(file);
    return status;
}

PyObject *
_PyErr_UnraisableHookDefault(PyObject *args)
{
    if (!Py_IS_TYPE(args, &hook_args_type)) {
        PyErr_SetString(PyExc_TypeError, "sys.unraisablehook argument type "
                                         "must be UnraisableHookArgs");
        return NULL;
    }
    PyObject *items[5];
    for (int i = 0; i < 5; i++) {
        items[i] = PyStructSequence_GET_ITEM(args, i);
    }
    if (report(items[0], items[1], items[2], items[3], items[4]) < 0
        && PyErr_Occurred()) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* --------------------------------------------------------- calling the hook */

/* The current frame as a traceback, for an exception that has none. */
static PyObject *
traceback_here(PyThreadState *tstate)
{
    PyFrameObject *frame = PyThreadState_GetFrame(tstate);
    if (frame == NULL) {
        return NULL;
    }
    PyObject *traceback = _PyTraceBack_FromFrame(NULL, frame);
    if (traceback == NULL) {
        _PyErr_Clear(tstate);
    }
    Py_DECREF(frame);
    return traceback;
}

/* Returns 0 when there is no hook, 1 when it was called, and -1 with an exception set by
   the hook, or -2 by an audit hook, which is why ours was not called. */
static int
call_hook(PyThreadState *tstate, PyObject *hook, PyObject *args)
{
    if (!is_set(hook)) {
        return 0;
    }
    if (PySys_Audit("sys.unraisablehook", "OO", hook, args) < 0) {
        return -2;
    }
    PyObject *result = PyObject_CallOneArg(hook, args);
    if (result == NULL) {
        return -1;
    }
    Py_DECREF(result);
    (void)tstate;
    return 1;
}

void
_PyErr_WriteUnraisableMsg(const char *what, PyObject *object)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *type, *value, *traceback, *message = NULL;
    PyObject *hook = NULL, *args = NULL;
    _PyErr_Fetch(tstate, &type, &value, &traceback);
    if (type == NULL) {
        return;
    }
    if (traceback == NULL) {
        traceback = traceback_here(tstate);
    }
    _PyErr_NormalizeException(tstate, &type, &value, &traceback);
    if (traceback != NULL && traceback != Py_None
        && PyException_SetTraceback(value, traceback) < 0) {
        _PyErr_Clear(tstate);
    }
    if (what != NULL) {
        message = PyUnicode_FromFormat("Exception ignored %s", what);
        if (message == NULL) {
            _PyErr_Clear(tstate);
        }
    }
    if (hook_args_type.tp_name != NULL) {
        args = make_hook_args(type, value, traceback, message, object);
    }
    if (args == NULL) {
        _PyErr_Clear(tstate);
        report(type, value, traceback, message, object);
        goto done;
    }
    hook = Py_XNewRef(PySys_GetObject("unraisablehook"));
    int called = call_hook(tstate, hook, args);
    if (called == 0) {
        report(type, value, traceback, message, object);
    }
    else if (called < 0) {
        /* The hook failed: report that instead. */
        PyObject *exc = _PyErr_GetRaised(tstate);
        PyObject *text = PyUnicode_FromString(
            called == -2 ? "Exception ignored in audit hook"
            : "Exception ignored in sys.unraisablehook");
        if (text == NULL) {
            _PyErr_Clear(tstate);
        }
        report((PyObject *)Py_TYPE(exc), exc, _PyExc_BASE(exc)->traceback,
               text, called == -2 ? NULL : hook);
        Py_XDECREF(text);
        Py_DECREF(exc);
    }

done:
    Py_XDECREF(hook);
    Py_XDECREF(args);
    Py_XDECREF(message);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    _PyErr_Clear(tstate);
}

void
PyErr_WriteUnraisable(PyObject *object)
{
    _PyErr_WriteUnraisableMsg(NULL, object);
}
