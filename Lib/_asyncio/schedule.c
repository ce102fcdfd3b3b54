/* Calls of an event loop's methods, and of futures that are not ours. */
#include "asyncio_impl.h"

int
_PyAsyncio_CallSoon(PyObject *loop, PyObject *function, PyObject *arg, PyObject *context)
{
    /* Handle() makes a context of None. */
    int done = context == NULL || context == Py_None ? 0
        : _PyAsyncio_PlainCallSoon(loop, function, arg, context);
    if (done != 0) {
        return done < 0 ? -1 : 0;
    }
    PyObject *places[5] = {NULL, loop, function}, **args = places + 1;
    size_t n = 2;
    if (arg != NULL) {
        args[n++] = arg;
    }
    args[n] = context;
    PyObject *handle = PyObject_VectorcallMethod(
        _Py_NAME(call_soon), args, n | PY_VECTORCALL_ARGUMENTS_OFFSET,
        context == NULL ? NULL : _PyAsyncio()->context_keyword);
    Py_XDECREF(handle);
    return handle == NULL ? -1 : 0;
}

int
_PyAsyncio_IsDebug(PyObject *loop)
{
    int known = _PyAsyncio_PlainDebug(loop);
    if (known >= 0) {
        return known;
    }
    PyObject *debug = PyObject_CallMethodNoArgs(loop, _Py_NAME(get_debug));
    if (debug == NULL) {
        return -1;
    }
    int result = PyObject_IsTrue(debug);
    Py_DECREF(debug);
    return result;
}

int
_PyAsyncio_CancelOther(PyObject *future, PyObject *msg)
{
    msg = Py_NewRef(msg == NULL ? Py_None : msg);
    PyObject *answer = PyObject_CallMethodOneArg(future, _Py_NAME(cancel), msg);
    Py_DECREF(msg);
    if (answer == NULL) {
        return -1;
    }
    int result = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return result;
}
