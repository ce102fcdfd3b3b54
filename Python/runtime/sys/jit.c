/* sys._jit: whether and how Python functions are compiled to machine code. The first three
   functions are those of CPython 3.14. */
#include "Python.h"
#include "internal/frame.h"
#include "internal/jit.h"
#include "internal/pystate.h"
#include "internal/sys_data.h"

static PyObject *
jit_is_available(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(_PyJit_IsAvailable());
}

static PyObject *
jit_is_enabled(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(_PyJit_IsEnabled());
}

static PyObject *
jit_is_active(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    const PyVMFrame *f = first_staying(TS_FRAME(_PyThreadState_GET()));
    return PyBool_FromLong(f != NULL && _PyJit_IsRunning(f));
}

static PyObject *
jit_figures(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    size_t functions = 0;
    for (PyJitCode *jit = _PyJit_Installed; jit != NULL; jit = jit->next) {
        functions += !jit->is_retired;
    }
    return Py_BuildValue("{s:n,s:K,s:K,s:n,s:n,s:K,s:K,s:d}",
                         "functions", (Py_ssize_t)functions,
                         "compiled", (unsigned long long)_PyJit_Figures.compiled,
                         "freed", (unsigned long long)_PyJit_Figures.freed,
                         "code_bytes", (Py_ssize_t)_PyJit_Figures.code_bytes,
                         "code_limit", (Py_ssize_t)_PyJit_MemoryLimit,
                         "exits", (unsigned long long)_PyJit_Figures.exits,
                         "given_up", (unsigned long long)_PyJit_Figures.given_up,
                         "seconds", (double)_PyJit_Figures.ns / 1e9);
}

static PyMethodDef jit_methods[] = {
    {"figures", jit_figures, METH_NOARGS,
     "figures($module, /)\n--\n\n"
     "What the compiler has done so far, as a dict:\n"
     "functions: how many have machine code now\n"
     "compiled: how many times a function was compiled\n"
     "freed: how many of these versions are no more\n"
     "code_bytes, code_limit: of machine code, and how many there may be\n"
     "exits: how often machine code left to the interpreter, since something was not as expected\n"
     "given_up: functions that the compiler found no code for\n"
     "seconds: spent compiling"},
    {"is_active", jit_is_active, METH_NOARGS,
     "is_active($module, /)\n--\n\nWhether the function that calls this is run by machine code now."},
    {"is_available", jit_is_available, METH_NOARGS,
     "is_available($module, /)\n--\n\nWhether this Python can compile functions to machine code."},
    {"is_enabled", jit_is_enabled, METH_NOARGS,
     "is_enabled($module, /)\n--\n\nWhether it does so in this process."},
    {NULL, NULL, 0, NULL}
};

static struct PyModuleDef jit_module = {
    PyModuleDef_HEAD_INIT, "sys._jit",
    "Whether and how Python functions are compiled to machine code.",
    -1, jit_methods, NULL, NULL, NULL, NULL
};

PyObject *
_PySys_NewJit(void)
{
    return PyModule_Create(&jit_module);
}
