/* Calls without a tuple of arguments, and helpers of calls and sequences. */
#ifndef Py_CPYTHON_ABSTRACTOBJECT_H
#define Py_CPYTHON_ABSTRACTOBJECT_H

_Py_BEGIN_DECLS

/* --------------------------------------------------------------- vectorcall */

/* args holds the positional arguments, then the values for the names in kwnames (a tuple
   or NULL). nargsf is the number of positional arguments. With the flag set in it, the
   callee may use args[-1] for itself, as long as it restores the old value. */
#define PY_VECTORCALL_ARGUMENTS_OFFSET \
    (_Py_STATIC_CAST(size_t, 1) << (8 * sizeof(size_t) - 1))

static inline Py_ssize_t
PyVectorcall_NARGS(size_t nargsf)
{
    return _Py_STATIC_CAST(Py_ssize_t, nargsf & ~PY_VECTORCALL_ARGUMENTS_OFFSET);
}

/* NULL, without an exception, if the callable has none. */
PyAPI_FUNC(vectorcallfunc) PyVectorcall_Function(PyObject *op);
/* A tp_call for types with a vectorcall. */
PyAPI_FUNC(PyObject *) PyVectorcall_Call(PyObject *callable, PyObject *tuple,
    PyObject *dict);

PyAPI_FUNC(PyObject *) PyObject_Vectorcall(PyObject *callable, PyObject *const *args,
    size_t nargsf, PyObject *kwnames);
/* The keywords are a dict or NULL. */
PyAPI_FUNC(PyObject *) PyObject_VectorcallDict(PyObject *callable, PyObject *const *args,
    size_t nargsf, PyObject *kwdict);
/* args[0] is the object. */
PyAPI_FUNC(PyObject *) PyObject_VectorcallMethod(PyObject *name, PyObject *const *args,
    size_t nargsf, PyObject *kwnames);
PyAPI_FUNC(PyObject *) PyObject_CallOneArg(PyObject *callable, PyObject *arg);

static inline PyObject *
PyObject_CallMethodNoArgs(PyObject *self, PyObject *name)
{
    return PyObject_VectorcallMethod(name, &self, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                     _Py_NULL);
}

static inline PyObject *
PyObject_CallMethodOneArg(PyObject *self, PyObject *name, PyObject *arg)
{
    PyObject *stack[2] = {self, arg};

    assert(arg != _Py_NULL);
    return PyObject_VectorcallMethod(name, stack, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                     _Py_NULL);
}

/* The names from when the API was provisional. */
#define _PyObject_Vectorcall       PyObject_Vectorcall
#define _PyObject_VectorcallMethod PyObject_VectorcallMethod
#define _PyObject_FastCallDict     PyObject_VectorcallDict
#define _PyVectorcall_Function     PyVectorcall_Function
#define _PyObject_CallOneArg       PyObject_CallOneArg
#define _PyObject_CallMethodNoArgs PyObject_CallMethodNoArgs
#define _PyObject_CallMethodOneArg PyObject_CallMethodOneArg

/* Up to this number of arguments, a buffer on the C stack should be used. */
#define _PY_FASTCALL_SMALL_STACK 5

PyAPI_FUNC(PyObject *) _PyObject_FastCall(PyObject *func, PyObject *const *args,
    Py_ssize_t nargs);
PyAPI_FUNC(PyObject *) _PyObject_MakeTpCall(PyThreadState *tstate, PyObject *callable,
    PyObject *const *args, Py_ssize_t nargs, PyObject *keywords);
/* Returns the result, or raises SystemError if result and exception contradict each
   other. */
PyAPI_FUNC(PyObject *) _Py_CheckFunctionResult(PyThreadState *tstate, PyObject *callable,
    PyObject *result, const char *where);
/* The dict of keyword arguments. */
PyAPI_FUNC(PyObject *) _PyStack_AsDict(PyObject *const *values, PyObject *kwnames);

/* The method is named by an object, or by an identifier. */
PyAPI_FUNC(PyObject *) _PyObject_CallMethod(PyObject *obj, PyObject *name,
    const char *format, ...);
PyAPI_FUNC(PyObject *) _PyObject_CallMethodId(PyObject *obj, _Py_Identifier *name,
    const char *format, ...);
PyAPI_FUNC(PyObject *) _PyObject_CallMethodId_SizeT(PyObject *obj, _Py_Identifier *name,
    const char *format, ...);
#ifdef PY_SSIZE_T_CLEAN
#  define _PyObject_CallMethodId _PyObject_CallMethodId_SizeT
#endif
PyAPI_FUNC(PyObject *) _PyObject_CallMethodIdObjArgs(PyObject *obj, _Py_Identifier *name,
    ...);

static inline PyObject *
_PyObject_VectorcallMethodId(_Py_Identifier *name, PyObject *const *args, size_t nargsf,
                             PyObject *kwnames)
{
    PyObject *text = _PyUnicode_FromId(name);

    return text ? PyObject_VectorcallMethod(text, args, nargsf, kwnames) : _Py_NULL;
}

static inline PyObject *
_PyObject_CallMethodIdNoArgs(PyObject *self, _Py_Identifier *name)
{
    return _PyObject_VectorcallMethodId(name, &self, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                        _Py_NULL);
}

static inline PyObject *
_PyObject_CallMethodIdOneArg(PyObject *self, _Py_Identifier *name, PyObject *arg)
{
    PyObject *stack[2] = {self, arg};

    assert(arg != _Py_NULL);
    return _PyObject_VectorcallMethodId(name, stack, 2 | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                        _Py_NULL);
}

/* ---------------------------------------------------- objects and sequences */

/* len(), or else __length_hint__(), or else the default. */
PyAPI_FUNC(Py_ssize_t) PyObject_LengthHint(PyObject *o, Py_ssize_t defaultvalue);
PyAPI_FUNC(int) _PyObject_HasLen(PyObject *o);
/* These don't call __instancecheck__ and __subclasscheck__. */
PyAPI_FUNC(int) _PyObject_RealIsInstance(PyObject *inst, PyObject *cls);
PyAPI_FUNC(int) _PyObject_RealIsSubclass(PyObject *derived, PyObject *cls);
PyAPI_FUNC(PyObject *) _PyNumber_Index(PyObject *o);
/* For O& of PyArg_Parse. None leaves the Py_ssize_t unchanged. */
PyAPI_FUNC(int) _Py_convert_optional_to_ssize_t(PyObject *o, void *result);

/* The item at i of a sequence that has sq_item. i must not be negative. */
#define PySequence_ITEM(o, i) (Py_TYPE(o)->tp_as_sequence->sq_item((o), (i)))

#define PY_ITERSEARCH_COUNT    1
#define PY_ITERSEARCH_INDEX    2
#define PY_ITERSEARCH_CONTAINS 3
/* Iterates over seq to count obj, to find its index, or to check whether it is there. */
PyAPI_FUNC(Py_ssize_t) _PySequence_IterSearch(PyObject *seq, PyObject *obj,
    int operation);

/* Converts a sequence of bytes objects to the array that execve() needs. */
PyAPI_FUNC(char *const *) _PySequence_BytesToCharpArray(PyObject *seq);
PyAPI_FUNC(void) _Py_FreeCharPArray(char *const *array);

_Py_END_DECLS
#endif
