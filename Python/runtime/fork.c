/* fork(): what must be done before it, and after it in both processes.

   The lists of os.register_at_fork() are in the interpreter's state: "before" runs the
   last registered function first, the others run in order. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/runtime.h"
#include "internal/signals.h"

static void
run_hooks(PyObject *list, int reverse)
{
    if (list == NULL) {
        return;
    }
    /* A function may register another one, so work on a copy. */
    PyObject *copy = PyList_GetSlice(list, 0, PyList_GET_SIZE(list));
    if (copy == NULL || (reverse && PyList_Reverse(copy) < 0)) {
        Py_XDECREF(copy);
        PyErr_WriteUnraisable(list);
        return;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(copy); i++) {
        PyObject *hook = PyList_GET_ITEM(copy, i);
        PyObject *result = PyObject_CallNoArgs(hook);
        if (result == NULL) {
            PyErr_WriteUnraisable(hook);
        }
        Py_XDECREF(result);
    }
    Py_DECREF(copy);
}

void
PyOS_BeforeFork(void)
{
    run_hooks(_PyInterpreterState_GET()->before_forkers, 1);
    _PyImport_BeforeFork();
}

void
PyOS_AfterFork_Parent(void)
{
    _PyImport_AfterForkParent();
    run_hooks(_PyInterpreterState_GET()->after_forkers_parent, 0);
}

void
PyOS_AfterFork_Child(void)
{
    _PyRuntime_AfterForkChild();
    _PySignal_AfterFork();
    _PyImport_AfterForkChild();
    _PyPerf_AfterForkChild();
    _PyJit_AfterForkChild(_PyThreadState_GET());
    run_hooks(_PyInterpreterState_GET()->after_forkers_child, 0);
}

#undef PyOS_AfterFork
void PyOS_AfterFork(void);

void
PyOS_AfterFork(void)
{
    PyOS_AfterFork_Child();
}
