/* callgraph.profile(callable): who called whom during the call, how often, and how long it took:
   {(caller, callee): (times, seconds)}. Functions are named; those in C too.

   A profile function in C: PyEval_SetProfile(). It hears of calls and returns only. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>
#include <time.h>

#define DEEPEST 10000

typedef struct {
    PyObject *name;             /* a new reference */
    double since;
} Call;

/* One profile at a time: of the thread that asked for it. */
static Call stack[DEEPEST];
static int depth;
static PyObject *edges;

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int
begin(PyObject *name)
{
    if (name == NULL) {
        return -1;
    }
    if (depth == DEEPEST) {
        Py_DECREF(name);
        PyErr_SetString(PyExc_RecursionError, "the call graph is too deep");
        return -1;
    }
    stack[depth++] = (Call){name, now()};
    return 0;
}

static int
end(void)
{
    if (depth < 2) {
        return 0;               /* what ran already when profiling began */
    }
    Call *call = &stack[--depth];
    double seconds = now() - call->since;
    PyObject *key = Py_BuildValue("(ON)", stack[depth - 1].name, call->name);
    if (key == NULL) {
        return -1;
    }
    long times = 0;
    PyObject *before = PyDict_GetItemWithError(edges, key), *value = NULL;
    if (before != NULL) {
        times = PyLong_AsLong(PyTuple_GET_ITEM(before, 0));
        seconds += PyFloat_AsDouble(PyTuple_GET_ITEM(before, 1));
    }
    if (!PyErr_Occurred()) {
        value = Py_BuildValue("(ld)", times + 1, seconds);
    }
    int failed = value == NULL || PyDict_SetItem(edges, key, value) < 0;
    Py_XDECREF(value);
    Py_DECREF(key);
    return failed ? -1 : 0;
}

static int
tell(PyObject *Py_UNUSED(self), PyFrameObject *frame, int what, PyObject *arg)
{
    switch (what) {
    case PyTrace_CALL: {                /* also when a generator goes on */
        PyCodeObject *code = PyFrame_GetCode(frame);
        PyObject *name = Py_NewRef(code->co_qualname);
        Py_DECREF(code);
        return begin(name);
    }
    case PyTrace_C_CALL:                /* arg is the function */
        return begin(PyObject_GetAttrString(arg, "__qualname__"));
    case PyTrace_RETURN:                /* arg is the value; NULL: an exception */
    case PyTrace_C_RETURN:
        return end();
    case PyTrace_C_EXCEPTION: {         /* the exception is set, and has to be kept */
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        int failed = end();
        if (failed < 0) {
            PyErr_Clear();
        }
        PyErr_Restore(type, value, traceback);
        return failed;
    }
    default:
        return 0;
    }
}

static PyObject *
profile(PyObject *Py_UNUSED(module), PyObject *callable)
{
    if (edges != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "a call is being profiled");
        return NULL;
    }
    edges = PyDict_New();
    if (edges == NULL || begin(PyUnicode_FromString("profile")) < 0) {
        Py_CLEAR(edges);
        return NULL;
    }
    PyEval_SetProfile(tell, NULL);
    PyObject *result = PyObject_CallNoArgs(callable);
    PyEval_SetProfile(NULL, NULL);
    while (depth > 0) {
        Py_DECREF(stack[--depth].name);
    }
    PyObject *found = edges;
    edges = NULL;
    if (result == NULL) {
        Py_CLEAR(found);
    }
    Py_XDECREF(result);
    return found;
}

static PyMethodDef functions[] = {
    {"profile", profile, METH_O, "profile(callable): who calls whom during the call"},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "callgraph", .m_size = 0, .m_methods = functions,
};

PyMODINIT_FUNC
PyInit_callgraph(void)
{
    return PyModuleDef_Init(&definition);
}
