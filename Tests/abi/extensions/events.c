/* A trace and a profile function that write down what they hear of code whose file is "<watched>".
   At one of the events, which is counted out, they do something: raise, go, become another. */
#include <Python.h>
#include <frameobject.h>
#include <string.h>

enum { RAISE, END_TRACE, END_PROFILE, OTHER_TRACER, OTHER_PROFILER, NO_LINES, OPCODES, END_AND_RAISE,
       BOTH };

static const char *const names[] = {"call", "exception", "line", "return", "c_call", "c_exception",
                                    "c_return", "opcode"};
static PyObject *told;
static long countdown, action;

static int
write_down(PyObject *text)
{
    int err = text == NULL ? -1 : PyList_Append(told, text);
    Py_XDECREF(text);
    return err;
}

static PyObject *
kind_of(int what, PyObject *arg)
{
    if (arg == NULL) {
        return PyUnicode_FromString("NULL");
    }
    if (what == PyTrace_EXCEPTION) {
        return PyUnicode_FromFormat("%s %s %s",
                                    ((PyTypeObject *)PyTuple_GET_ITEM(arg, 0))->tp_name,
                                    Py_TYPE(PyTuple_GET_ITEM(arg, 1))->tp_name,
                                    Py_TYPE(PyTuple_GET_ITEM(arg, 2))->tp_name);
    }
    if (what == PyTrace_C_CALL || what == PyTrace_C_EXCEPTION || what == PyTrace_C_RETURN) {
        return PyObject_GetAttrString(arg, "__name__");
    }
    return PyUnicode_FromString(Py_TYPE(arg)->tp_name);
}

/* 1: the frame's code is watched, and the event is written down. */
static int
hear(const char *who, PyFrameObject *frame, int what, PyObject *arg)
{
    PyCodeObject *code = PyFrame_GetCode(frame);
    int watched = PyUnicode_CompareWithASCIIString(code->co_filename, "<watched>") == 0;
    int err = 0;
    if (watched && what != PyTrace_OPCODE) {
        PyObject *kind = kind_of(what, arg);
        err = kind == NULL ? -1
            : write_down(PyUnicode_FromFormat("%s%s %U %d %U%s", who, names[what], code->co_name,
                                              PyFrame_GetLineNumber(frame), kind,
                                              PyErr_Occurred() ? " raised" : ""));
        Py_XDECREF(kind);
    }
    Py_DECREF(code);
    return err < 0 ? -1 : watched && what != PyTrace_OPCODE;
}

static int
other(PyObject *Py_UNUSED(object), PyFrameObject *frame, int what, PyObject *arg)
{
    return hear("other ", frame, what, arg) < 0 ? -1 : 0;
}

static int
observer(PyObject *object, PyFrameObject *frame, int what, PyObject *arg)
{
    int heard = hear(object == NULL ? "no object " : "", frame, what, arg);
    if (heard <= 0 || countdown-- != 0) {
        return heard < 0 ? -1 : 0;
    }
    switch (action) {
    case END_AND_RAISE:
        PyEval_SetTrace(NULL, NULL);
        /* fall through */
    case RAISE:
        PyErr_SetString(PyExc_RuntimeError, "refused");
        return -1;
    case END_TRACE:
        PyEval_SetTrace(NULL, NULL);
        return 0;
    case END_PROFILE:
        PyEval_SetProfile(NULL, NULL);
        return 0;
    case OTHER_TRACER:
        PyEval_SetTrace(other, NULL);
        return 0;
    case OTHER_PROFILER:
        PyEval_SetProfile(other, NULL);
        return 0;
    case NO_LINES:
        return PyObject_SetAttrString((PyObject *)frame, "f_trace_lines", Py_False);
    case OPCODES:
        return PyObject_SetAttrString((PyObject *)frame, "f_trace_opcodes", Py_True);
    default:
        PyEval_SetTrace(observer, NULL);
        PyEval_SetProfile(observer, told);
        return 0;
    }
}

/* run(function, 1 tracer + 2 profiler, at which event, what to do): what was told, how the call
   ended, and the lines of the traceback. */
static PyObject *
run(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *function, *type, *value, *traceback;
    int ways;
    if (!PyArg_ParseTuple(args, "Oill", &function, &ways, &countdown, &action)
        || (told = PyList_New(0)) == NULL) {
        return NULL;
    }
    if (ways & 1) {
        PyEval_SetTrace(observer, told);
    }
    if (ways & 2) {
        PyEval_SetProfile(observer, told);
    }
    PyObject *result = PyObject_CallNoArgs(function);
    PyErr_Fetch(&type, &value, &traceback);
    PyEval_SetTrace(NULL, NULL);
    PyEval_SetProfile(NULL, NULL);
    PyErr_NormalizeException(&type, &value, &traceback);
    int err = write_down(result != NULL ? PyObject_Repr(result)
                                        : PyUnicode_FromFormat("%S %R", type, value));
    for (PyObject *tb = traceback; err == 0 && tb != NULL && tb != Py_None;
         tb = (PyObject *)((PyTracebackObject *)tb)->tb_next) {
        PyObject *line = PyObject_GetAttrString(tb, "tb_lineno");
        err = line == NULL ? -1 : write_down(PyUnicode_FromFormat("at %S", line));
        Py_XDECREF(line);
    }
    Py_XDECREF(result);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    if (err < 0) {
        Py_CLEAR(told);
    }
    return told;
}

static PyMethodDef methods[] = {{"run", run, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "events", NULL, -1, methods, NULL,
                                        NULL, NULL, NULL};

PyMODINIT_FUNC
PyInit_events(void)
{
    return PyModule_Create(&definition);
}
