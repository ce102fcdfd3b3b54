/* linecount.count(callable): how often each line ran during the call, {(filename, line): times}.

   A trace function in C: PyEval_SetTrace(). It runs with the GIL, and is not traced itself. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <frameobject.h>

/* 0: go on. -1 with an exception: it is raised in the frame, and tracing ends. */
static int
trace(PyObject *counts, PyFrameObject *frame, int what, PyObject *Py_UNUSED(arg))
{
    if (what != PyTrace_LINE) {
        return 0;
    }
    PyCodeObject *code = PyFrame_GetCode(frame);        /* a new reference */
    PyObject *key = Py_BuildValue("(Oi)", code->co_filename, PyFrame_GetLineNumber(frame));
    Py_DECREF(code);
    if (key == NULL) {
        return -1;
    }
    PyObject *before = PyDict_GetItemWithError(counts, key);
    PyObject *now = NULL;
    if (before != NULL || !PyErr_Occurred()) {
        now = PyLong_FromLong(before != NULL ? PyLong_AsLong(before) + 1 : 1);
    }
    int failed = now == NULL || PyDict_SetItem(counts, key, now) < 0;
    Py_XDECREF(now);
    Py_DECREF(key);
    return failed ? -1 : 0;
}

static PyObject *
count(PyObject *Py_UNUSED(module), PyObject *callable)
{
    PyObject *counts = PyDict_New();
    if (counts == NULL) {
        return NULL;
    }
    PyEval_SetTrace(trace, counts);             /* of this thread; counts is kept alive */
    PyObject *result = PyObject_CallNoArgs(callable);
    PyEval_SetTrace(NULL, NULL);
    if (result == NULL) {
        Py_DECREF(counts);
        return NULL;
    }
    Py_DECREF(result);
    return counts;
}

static PyMethodDef functions[] = {
    {"count", count, METH_O, "count(callable): how often each line runs during the call"},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "linecount", .m_size = 0, .m_methods = functions,
};

PyMODINIT_FUNC
PyInit_linecount(void)
{
    return PyModuleDef_Init(&definition);
}
