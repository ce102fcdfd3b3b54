/* The iterator protocols: PyObject_GetIter(), PyIter_*(), and their
   asynchronous kin. */
#include "Python.h"
#include "internal/errors.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/pystate.h"

int
PyIter_Check(PyObject *op)
{
    iternextfunc next = Py_TYPE(op)->tp_iternext;
    return next != NULL && next != _PyObject_NextNotImplemented;
}

int
PyAIter_Check(PyObject *op)
{
    PyAsyncMethods *methods = Py_TYPE(op)->tp_as_async;
    return methods != NULL && methods->am_anext != NULL
           && methods->am_anext != _PyObject_NextNotImplemented;
}

PyObject *
PyObject_GetIter(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_iter == NULL) {
        if (PySequence_Check(op)) {
            return PySeqIter_New(op);
        }
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not iterable",
                     type->tp_name);
        return NULL;
    }
    PyObject *result = type->tp_iter(op);
    if (result != NULL && !PyIter_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "iter() returned non-iterator of type '%.100s'",
                     Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
PyObject_GetAIter(PyObject *op)
{
    PyAsyncMethods *methods = Py_TYPE(op)->tp_as_async;
    if (methods == NULL || methods->am_aiter == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "'%.200s' object is not an async iterable",
                     Py_TYPE(op)->tp_name);
        return NULL;
    }
    PyObject *result = methods->am_aiter(op);
    if (result != NULL && !PyAIter_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "aiter() returned not an async iterator of type "
                     "'%.100s'", Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
PyIter_Next(PyObject *iterator)
{
    if (_Py_GuardCStack("") < 0) {
        return NULL;
    }
    PyObject *result = Py_TYPE(iterator)->tp_iternext(iterator);
    if (result == NULL) {
        (void)_PyErr_DropStopIteration();
    }
    return result;
}

PySendResult
PyIter_Send(PyObject *iterator, PyObject *value, PyObject **result)
{
    PyAsyncMethods *methods = Py_TYPE(iterator)->tp_as_async;
    if (methods != NULL && methods->am_send != NULL) {
        return methods->am_send(iterator, value, result);
    }
    if (value == Py_None && PyIter_Check(iterator)) {
        *result = Py_TYPE(iterator)->tp_iternext(iterator);
    }
    else {
        *result = PyObject_CallMethodOneArg(iterator, _Py_NAME(send), value);
    }
    if (*result != NULL) {
        return PYGEN_NEXT;
    }
    return _PyGen_FetchStopIterationValue(result) == 0 ? PYGEN_RETURN
                                                       : PYGEN_ERROR;
}
