/* StopIteration: as what ends an iteration, and as the carrier of a return value, for generators
   and all other iterators. */
#include "Python.h"
#include "internal/errors.h"

int
_PyErr_DropStopIteration(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (_PyErr_Occurred(tstate)) {
        if (!_PyErr_ExceptionMatches(tstate, PyExc_StopIteration)) {
            return -1;
        }
        _PyErr_Clear(tstate);
    }
    return 0;
}

int
_PyGen_SetStopIterationValue(PyObject *value)
{
    if (value == NULL
        || (!PyTuple_Check(value) && !PyExceptionInstance_Check(value))) {
        /* Normalising turns it into StopIteration(value). */
        PyErr_SetObject(PyExc_StopIteration, value);
        return 0;
    }
    PyObject *exc = PyObject_CallOneArg(PyExc_StopIteration, value);
    if (exc == NULL) {
        return -1;
    }
    PyErr_SetObject(PyExc_StopIteration, exc);
    Py_DECREF(exc);
    return 0;
}

int
_PyGen_FetchStopIterationValue(PyObject **result)
{
    *result = NULL;
    if (!PyErr_ExceptionMatches(PyExc_StopIteration)) {
        if (PyErr_Occurred()) {
            return -1;
        }
        *result = Py_NewRef(Py_None);
        return 0;
    }
    PyObject *type, *value, *traceback, *given = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (value != NULL && !PyExceptionInstance_Check(value)
        && type == PyExc_StopIteration && !PyTuple_Check(value)) {
        given = Py_NewRef(value);
    }
    else {
        PyErr_NormalizeException(&type, &value, &traceback);
        if (!PyObject_TypeCheck(value, (PyTypeObject *)PyExc_StopIteration)) {
            PyErr_Restore(type, value, traceback);
            return -1;
        }
        given = Py_XNewRef(((PyStopIterationObject *)value)->value);
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    *result = given != NULL ? given : Py_NewRef(Py_None);
    return 0;
}
