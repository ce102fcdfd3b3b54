/* Calling the C function of a PyMethodDef by its flags: shared by built-in
   functions (cfunction.c) and method descriptors (descr.c).

   `callable` is the object being called, for messages; `self` is the first argument of
   the C function. */
#ifndef SB_METHOD_CALL_H
#define SB_METHOD_CALL_H

#include "Python.h"
#include "internal/call.h"
#include "internal/method_table.h"

#define FUNC(ml, type) ((type)(void (*)(void))(ml)->ml_meth)

/* "%U takes no keyword arguments" and the like; returns NULL. */
PyObject *_PyMethodCall_Error(PyObject *callable, const char *format, ...);

static inline int
has_keywords(PyObject *kwnames)
{
    return kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0;
}

PyObject *_PyMethodCall_RefuseKeywords(PyObject *callable, PyMethodDef *ml);

/* Of METH_NOARGS, which got arguments: 0 if they are allowed, or -1 with an exception. */
int _PyMethodCall_CheckNothing(PyObject *callable, PyMethodDef *ml, Py_ssize_t nargs,
                               PyObject *kwnames);

#define INVOKE(expression)                                              \
    PyThreadState *tstate = _PyThreadState_GET();                       \
    if (_Py_EnterRecursiveCallTstate(tstate,                            \
                                     " while calling a Python object")) { \
        return NULL;                                                    \
    }                                                                   \
    PyObject *result = expression;                                      \
    _Py_LeaveRecursiveCallTstate(tstate);                               \
    return result

static inline PyObject *
invoke_noargs(PyObject *callable, PyMethodDef *ml, PyObject *self,
              Py_ssize_t nargs, PyObject *kwnames)
{
    if (__builtin_expect(nargs != 0 || has_keywords(kwnames), 0)
        && _PyMethodCall_CheckNothing(callable, ml, nargs, kwnames) < 0) {
        return NULL;
    }
    INVOKE(ml->ml_meth(self, NULL));
}

static inline PyObject *
invoke_o(PyObject *callable, PyMethodDef *ml, PyObject *self,
         PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    if (__builtin_expect(has_keywords(kwnames), 0)) {
        return _PyMethodCall_RefuseKeywords(callable, ml);
    }
    if (__builtin_expect(nargs != 1, 0)) {
        return _PyMethodCall_Error(callable,
                                   "%U takes exactly one argument "
                                   "(%zd given)", nargs);
    }
    INVOKE(ml->ml_meth(self, args[0]));
}

static inline PyObject *
invoke_fastcall(PyObject *callable, PyMethodDef *ml, PyObject *self,
                PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    if (__builtin_expect(has_keywords(kwnames), 0)) {
        return _PyMethodCall_RefuseKeywords(callable, ml);
    }
    INVOKE(FUNC(ml, _PyCFunctionFast)(self, args, nargs));
}

static inline PyObject *
invoke_fastcall_keywords(PyMethodDef *ml, PyObject *self,
                         PyObject *const *args, Py_ssize_t nargs,
                         PyObject *kwnames)
{
    INVOKE(FUNC(ml, _PyCFunctionFastWithKeywords)(self, args, nargs,
                                                  kwnames));
}

static inline PyObject *
invoke_method(PyMethodDef *ml, PyObject *self, PyTypeObject *defining,
              PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    INVOKE(FUNC(ml, PyCMethod)(self, defining, args, nargs, kwnames));
}

/* METH_VARARGS, with or without METH_KEYWORDS. */
PyObject *_PyMethodCall_Varargs(PyObject *callable, PyMethodDef *ml,
                                PyObject *self, PyObject *const *args,
                                Py_ssize_t nargs, PyObject *kwnames);

/* func(item), for functions that are called with each item. Most often func is a function in C of
   one argument, or a type. */
static inline PyObject *
_PyCall_WithItem(PyObject *func, PyObject *item)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (Py_IS_TYPE(func, &PyCFunction_Type)
        && (PyCFunction_GET_FLAGS(func) & METH_CALL_FLAGS) == METH_O) {
        PyMethodDef *ml = ((PyCFunctionObject *)func)->m_ml;
        return _PyCall_Checked(tstate, func, invoke_o(func, ml, PyCFunction_GET_SELF(func),
                                                      &item, 1, NULL));
    }
    PyObject *args[2] = {NULL, item};
    return _PyObject_VectorcallTstate(tstate, func, args + 1,
                                      1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

/* Is func a function in C that takes an array of positional arguments? */
static inline int
_PyCall_TakesArray(PyObject *func)
{
    return Py_IS_TYPE(func, &PyCFunction_Type)
           && (PyCFunction_GET_FLAGS(func) & METH_CALL_FLAGS) == METH_FASTCALL;
}

/* func(*items) for such a function. */
static inline PyObject *
_PyCall_WithArray(PyObject *func, PyObject *const *items, Py_ssize_t n)
{
    PyMethodDef *ml = ((PyCFunctionObject *)func)->m_ml;
    return _PyCall_Checked(_PyThreadState_GET(), func,
                           invoke_fastcall(func, ml, PyCFunction_GET_SELF(func), items, n, NULL));
}

/* func(*items). items[-1] may be overwritten. */
static inline PyObject *
_PyCall_WithItems(PyObject *func, PyObject **items, Py_ssize_t n)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (_PyCall_TakesArray(func)) {
        return _PyCall_WithArray(func, items, n);
    }
    return _PyObject_VectorcallTstate(tstate, func, items,
                                      (size_t)n | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

#endif
