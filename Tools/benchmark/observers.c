/* The cheapest trace and profile functions in C: they count. For observers.py. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static Py_ssize_t seen;

static int count_lines(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
    seen += what == PyTrace_LINE;
    return 0;
}

static int count_calls(PyObject *self, PyFrameObject *frame, int what, PyObject *arg)
{
    seen += what == PyTrace_CALL || what == PyTrace_C_CALL;
    return 0;
}

/* How many events of its kind calling the function causes. */
static PyObject *counted(PyObject *function, void (*set)(Py_tracefunc, PyObject *), Py_tracefunc f)
{
    seen = 0;
    set(f, NULL);
    PyObject *result = PyObject_CallNoArgs(function);
    set(NULL, NULL);
    if (result == NULL)
        return NULL;
    Py_DECREF(result);
    return PyLong_FromSsize_t(seen);
}

static PyObject *lines(PyObject *self, PyObject *function)
{
    return counted(function, PyEval_SetTrace, count_lines);
}

static PyObject *calls(PyObject *self, PyObject *function)
{
    return counted(function, PyEval_SetProfile, count_calls);
}

static PyMethodDef methods[] = {
    {"lines", lines, METH_O, NULL},
    {"calls", calls, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "observers_c", .m_size = -1, .m_methods = methods,
};

PyMODINIT_FUNC PyInit_observers_c(void)
{
    return PyModule_Create(&module);
}
