/* Calling: every C function that calls an object. All build on vectorcall.

   The rules of argument arrays:
   - args holds the positional arguments, then the values of the keyword
     arguments, whose names are the strings of the tuple kwnames;
   - all of them are borrowed by the callee;
   - with PY_VECTORCALL_ARGUMENTS_OFFSET in nargsf the callee may change
     args[-1] as long as it restores it. */
#include "Python.h"
#include "internal/call.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/tuple.h"
#include "internal/type.h"

#ifdef SB_DEBUG
#  include <dlfcn.h>
#endif

#define SMALL_STACK 8

static PyObject *
null_error(PyThreadState *tstate)
{
    if (tstate->curexc_type == NULL) {
        PyErr_SetString(PyExc_SystemError,
                        "null argument to internal routine");
    }
    return NULL;
}

/* ------------------------------------------------------------------- checks */

#ifdef SB_DEBUG
/* Does a call of this object run our own code? If so, an error return without an
   exception, or an exception without an error return, is a bug of ours. For code of an
   extension it is reported to its caller as in other builds. */
static int
is_own_code(PyObject *callable)
{
    void *address = (void *)is_own_code;
    if (callable != NULL && PyCFunction_Check(callable)) {
        address = (void *)PyCFunction_GET_FUNCTION(callable);
    }
    else if (callable != NULL && Py_IS_TYPE(callable, &PyMethodDescr_Type)) {
        address = (void *)((PyMethodDescrObject *)callable)->d_method->ml_meth;
    }
    else if (callable != NULL) {
        address = (void *)Py_TYPE(callable)->tp_call;
    }
    Dl_info its, ours;
    return dladdr(address, &its) != 0 && dladdr((void *)is_own_code, &ours) != 0
           && its.dli_fbase == ours.dli_fbase;
}

static void
assert_foreign(PyObject *callable)
{
    if (is_own_code(callable)) {
        PyErr_Print();
        Py_FatalError("a function of ours and its exception disagree");
    }
}
#else
#  define assert_foreign(callable) ((void)0)
#endif

PyObject *
_Py_CheckFunctionResult(PyThreadState *tstate, PyObject *callable,
                        PyObject *result, const char *where)
{
    if (result == NULL) {
        if (tstate->curexc_type != NULL) {
            return NULL;
        }
        if (callable != NULL) {
            PyErr_Format(PyExc_SystemError,
                         "%R returned NULL without setting an exception",
                         callable);
        }
        else {
            PyErr_Format(PyExc_SystemError,
                         "%s returned NULL without setting an exception",
                         where);
        }
        assert_foreign(callable);
        return NULL;
    }
    if (tstate->curexc_type == NULL) {
        return result;
    }
    Py_DECREF(result);
    if (callable != NULL) {
        _PyErr_FormatFromCause(PyExc_SystemError,
                               "%R returned a result with an exception set",
                               callable);
    }
    else {
        _PyErr_FormatFromCause(PyExc_SystemError,
                               "%s returned a result with an exception set",
                               where);
    }
    assert_foreign(callable);
    return NULL;
}

static PyObject *
not_callable(PyObject *callable)
{
    PyErr_Format(PyExc_TypeError, "'%.200s' object is not callable",
                 Py_TYPE(callable)->tp_name);
    return NULL;
}

/* ------------------------------------------ between dictionaries and arrays */

PyObject *
_PyStack_AsDict(PyObject *const *values, PyObject *kwnames)
{
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(kwnames);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(kwnames, i),
                           values[i]) < 0) {
            Py_DECREF(dict);
            return NULL;
        }
    }
    return dict;
}

static void
free_unpacked(PyObject *const *stack, Py_ssize_t nargs, PyObject *kwnames)
{
    Py_ssize_t n = nargs + PyTuple_GET_SIZE(kwnames);
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_DECREF(stack[i]);
    }
    PyMem_Free((PyObject **)stack - 1);
    Py_DECREF(kwnames);
}

PyObject *
_PyCall_RoomForNames(PyObject *kwargs)
{
    PyObject *names = NULL;
    do {
        Py_XSETREF(names, PyTuple_New(PyDict_GET_SIZE(kwargs)));
    } while (names != NULL && PyTuple_GET_SIZE(names) != PyDict_GET_SIZE(kwargs));
    return names;
}

/* A new array of len(args) + len(kwargs) owned references and the tuple of names, freed by
   free_unpacked(). The word before the array may be overwritten
   (PY_VECTORCALL_ARGUMENTS_OFFSET). NULL on error. */
static PyObject *const *
unpack_dict(PyObject *const *args, Py_ssize_t nargs, PyObject *kwargs, PyObject **kwnames)
{
    *kwnames = NULL;
    PyObject *names = _PyCall_RoomForNames(kwargs);
    if (names == NULL) {
        return NULL;
    }
    Py_ssize_t nkwargs = PyTuple_GET_SIZE(names);
    PyObject **stack = nargs > PY_SSIZE_T_MAX / (Py_ssize_t)sizeof(PyObject *) - 1 - nkwargs
                       ? NULL : PyMem_Malloc((1 + nargs + nkwargs) * sizeof(PyObject *));
    if (stack == NULL) {
        Py_DECREF(names);
        PyErr_NoMemory();
        return NULL;
    }
    stack++;                    /* room for PY_VECTORCALL_ARGUMENTS_OFFSET */
    for (Py_ssize_t i = 0; i < nargs; i++) {
        stack[i] = Py_NewRef(args[i]);
    }
    PyObject *key, *value;
    Py_ssize_t pos = 0, i = 0;
    int all_strings = 1;
    while (PyDict_Next(kwargs, &pos, &key, &value)) {
        all_strings &= PyUnicode_Check(key) != 0;
        PyTuple_SET_ITEM(names, i, Py_NewRef(key));
        stack[nargs + i] = Py_NewRef(value);
        i++;
    }
    if (!all_strings) {
        PyErr_SetString(PyExc_TypeError, "keywords must be strings");
        free_unpacked(stack, nargs, names);
        return NULL;
    }
    *kwnames = names;
    return stack;
}

/* ------------------------------------------------------------------ tp_call */

static PyObject *
call_slot(PyThreadState *tstate, ternaryfunc call, PyObject *callable,
          PyObject *args, PyObject *kwargs)
{
    if (_Py_EnterRecursiveCallTstate(tstate, " while calling a Python object")) {
        return NULL;
    }
    PyObject *result = call(callable, args, kwargs);
    _Py_LeaveRecursiveCallTstate(tstate);
    return _PyCall_Checked(tstate, callable, result);
}

static inline PyObject *
call_type(PyThreadState *tstate, PyObject *type, PyObject *const *args, size_t nargsf,
          PyObject *kwnames)
{
    if (_Py_EnterRecursiveCallTstate(tstate, " while calling a Python object")) {
        return NULL;
    }
    PyObject *result = _PyType_Vectorcall(type, args, nargsf, kwnames);
    _Py_LeaveRecursiveCallTstate(tstate);
    return _PyCall_Checked(tstate, type, result);
}

/* object.__setattr__(o, name, value) and the like. */
static PyObject *
call_wrapper(PyThreadState *tstate, PyObject *descr, PyObject *const *args, Py_ssize_t nargs)
{
    if (_Py_EnterRecursiveCallTstate(tstate, " while calling a Python object")) {
        return NULL;
    }
    PyObject *result = _PyWrapperDescr_Call(descr, args, nargs, NULL);
    _Py_LeaveRecursiveCallTstate(tstate);
    return _PyCall_Checked(tstate, descr, result);
}

PyObject *
_PyObject_MakeTpCall(PyThreadState *tstate, PyObject *callable,
                     PyObject *const *args, Py_ssize_t nargs,
                     PyObject *keywords)
{
    ternaryfunc call = Py_TYPE(callable)->tp_call;
    if (call == NULL) {
        return not_callable(callable);
    }
    if (call == _PyType_Call
        && (keywords == NULL || PyTuple_Check(keywords))) {
        return call_type(tstate, callable, args, (size_t)nargs, keywords);
    }
    if (Py_IS_TYPE(callable, &PyWrapperDescr_Type)
        && (keywords == NULL || (PyTuple_Check(keywords) && PyTuple_GET_SIZE(keywords) == 0))) {
        return call_wrapper(tstate, callable, args, nargs);
    }
    PyObject *tuple = _PyTuple_FromArray(args, nargs);
    if (tuple == NULL) {
        return NULL;
    }
    PyObject *kwargs, *made = NULL;
    if (keywords == NULL || PyDict_Check(keywords)) {
        kwargs = keywords;
    }
    else if (PyTuple_GET_SIZE(keywords) == 0) {
        kwargs = NULL;
    }
    else {
        kwargs = made = _PyStack_AsDict(args + nargs, keywords);
        if (made == NULL) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    PyObject *result = call_slot(tstate, call, callable, tuple, kwargs);
    Py_DECREF(tuple);
    Py_XDECREF(made);
    return result;
}

PyObject *
_PyObject_VectorcallSlow(PyThreadState *tstate, PyObject *callable,
                         PyObject *const *args, size_t nargsf,
                         PyObject *kwnames)
{
    if (Py_TYPE(callable)->tp_call != _PyType_Call) {
        return _PyObject_MakeTpCall(tstate, callable, args,
                                    PyVectorcall_NARGS(nargsf), kwnames);
    }
    return call_type(tstate, callable, args, nargsf, kwnames);
}

/* --------------------------------------------------------------- vectorcall */

#undef PyVectorcall_Function
vectorcallfunc
PyVectorcall_Function(PyObject *callable)
{
    return _PyVectorcall_FunctionInline(callable);
}

PyObject *
PyObject_Vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf,
                    PyObject *kwnames)
{
    return _PyObject_VectorcallTstate(_PyThreadState_GET(), callable, args,
                                      nargsf, kwnames);
}

PyObject *
_PyObject_FastCall(PyObject *func, PyObject *const *args, Py_ssize_t nargs)
{
    return PyObject_Vectorcall(func, args, (size_t)nargs, NULL);
}

PyObject *
PyObject_VectorcallDict(PyObject *callable, PyObject *const *args,
                        size_t nargsf, PyObject *kwargs)
{
    PyThreadState *tstate = _PyThreadState_GET();
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    vectorcallfunc func = _PyVectorcall_FunctionInline(callable);
    if (func == NULL) {
        return _PyObject_MakeTpCall(tstate, callable, args, nargs, kwargs);
    }
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0) {
        return _PyCall_Checked(tstate, callable, func(callable, args, nargsf, NULL));
    }
    PyObject *kwnames;
    PyObject *const *stack = unpack_dict(args, nargs, kwargs, &kwnames);
    if (stack == NULL) {
        return NULL;
    }
    PyObject *result = func(callable, stack,
                            nargs | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
    free_unpacked(stack, nargs, kwnames);
    return _PyCall_Checked(tstate, callable, result);
}

static PyObject *
vectorcall_tuple(vectorcallfunc func, PyObject *callable, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t nargs = PyTuple_GET_SIZE(args);
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0) {
        return func(callable, _PyTuple_ITEMS(args), nargs, NULL);
    }
    PyObject *kwnames;
    PyObject *const *stack = unpack_dict(_PyTuple_ITEMS(args), nargs, kwargs,
                                         &kwnames);
    if (stack == NULL) {
        return NULL;
    }
    PyObject *result = func(callable, stack,
                            nargs | PY_VECTORCALL_ARGUMENTS_OFFSET, kwnames);
    free_unpacked(stack, nargs, kwnames);
    return result;
}

/* The tp_call of types that implement vectorcall. */
PyObject *
PyVectorcall_Call(PyObject *callable, PyObject *tuple, PyObject *dict)
{
    PyThreadState *tstate = _PyThreadState_GET();
    Py_ssize_t offset = Py_TYPE(callable)->tp_vectorcall_offset;
    vectorcallfunc func = NULL;
    if (offset > 0) {
        /* Vectorcall is used even if the type lacks the flag: a subclass may have
           overridden __call__ and still call the base's. */
        memcpy(&func, (char *)callable + offset, sizeof(func));
    }
    if (func == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "'%.200s' object does not support vectorcall",
                     Py_TYPE(callable)->tp_name);
        return NULL;
    }
    PyObject *result = vectorcall_tuple(func, callable, tuple, dict);
    return _PyCall_Checked(tstate, callable, result);
}

/* ----------------------------------------------------------- tuple and dict */

/* Does its C function take the caller's tuple and dict as they are, even an empty dict? */
static int
takes_tuple(PyObject *callable)
{
    return PyCFunction_Check(callable)
        && (PyCFunction_GET_FLAGS(callable) & METH_VARARGS);
}

PyObject *
_PyObject_Call(PyThreadState *tstate, PyObject *callable, PyObject *args,
               PyObject *kwargs)
{
    vectorcallfunc func = _PyVectorcall_FunctionInline(callable);
    if (func != NULL && !takes_tuple(callable)) {
        PyObject *result = vectorcall_tuple(func, callable, args, kwargs);
        return _PyCall_Checked(tstate, callable, result);
    }
    ternaryfunc call = Py_TYPE(callable)->tp_call;
    if (call == NULL) {
        return not_callable(callable);
    }
    return call_slot(tstate, call, callable, args, kwargs);
}

PyObject *
PyObject_Call(PyObject *callable, PyObject *args, PyObject *kwargs)
{
    return _PyObject_Call(_PyThreadState_GET(), callable, args, kwargs);
}

PyObject *
PyCFunction_Call(PyObject *callable, PyObject *args, PyObject *kwargs)
{
    return PyObject_Call(callable, args, kwargs);
}

PyObject *
PyObject_CallObject(PyObject *callable, PyObject *args)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (args == NULL) {
        return _PyObject_CallNoArgsTstate(tstate, callable);
    }
    if (!PyTuple_Check(args)) {
        PyErr_SetString(PyExc_TypeError, "argument list must be a tuple");
        return NULL;
    }
    return _PyObject_Call(tstate, callable, args, NULL);
}

PyObject *
PyEval_CallObjectWithKeywords(PyObject *callable, PyObject *args,
                              PyObject *kwargs)
{
    if (args != NULL && !PyTuple_Check(args)) {
        PyErr_SetString(PyExc_TypeError, "argument list must be a tuple");
        return NULL;
    }
    if (kwargs != NULL && !PyDict_Check(kwargs)) {
        PyErr_SetString(PyExc_TypeError,
                        "keyword list must be a dictionary");
        return NULL;
    }
    if (args == NULL) {
        return PyObject_VectorcallDict(callable, NULL, 0, kwargs);
    }
    return PyObject_Call(callable, args, kwargs);
}

/* ---------------------------------------------- a fixed number of arguments */

PyObject *
PyObject_CallNoArgs(PyObject *func)
{
    return _PyObject_CallNoArgsTstate(_PyThreadState_GET(), func);
}

PyObject *
PyObject_CallOneArg(PyObject *func, PyObject *arg)
{
    PyObject *array[2] = {NULL, arg};
    return _PyObject_VectorcallTstate(_PyThreadState_GET(), func, array + 1,
                                      1 | PY_VECTORCALL_ARGUMENTS_OFFSET,
                                      NULL);
}

/* ---------------------------------------------------- one argument in front */

PyObject *
_PyObject_VectorcallPrepend(PyThreadState *tstate, PyObject *callable,
                            PyObject *self, PyObject *const *args,
                            size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (nargsf & PY_VECTORCALL_ARGUMENTS_OFFSET) {
        PyObject **shifted = (PyObject **)args - 1;
        PyObject *saved = shifted[0];
        shifted[0] = self;
        PyObject *result = _PyObject_VectorcallTstate(
            tstate, callable, shifted, nargs + 1, kwnames);
        shifted[0] = saved;
        return result;
    }
    Py_ssize_t total = nargs;
    if (kwnames != NULL) {
        total += PyTuple_GET_SIZE(kwnames);
    }
    if (total == 0) {
        PyObject *pair[2] = {NULL, self};
        return _PyObject_VectorcallTstate(
            tstate, callable, pair + 1, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET,
            NULL);
    }
    PyObject *small[SMALL_STACK];
    PyObject **stack = small;
    if (total + 1 > SMALL_STACK) {
        stack = PyMem_Malloc((total + 1) * sizeof(PyObject *));
        if (stack == NULL) {
            return PyErr_NoMemory();
        }
    }
    stack[0] = self;
    memcpy(stack + 1, args, total * sizeof(PyObject *));
    PyObject *result = _PyObject_VectorcallTstate(tstate, callable, stack,
                                                  nargs + 1, kwnames);
    if (stack != small) {
        PyMem_Free(stack);
    }
    return result;
}

PyObject *
_PyObject_Call_Prepend(PyThreadState *tstate, PyObject *callable,
                       PyObject *self, PyObject *args, PyObject *kwargs)
{
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0) {
        return _PyObject_VectorcallPrepend(tstate, callable, self,
                                           _PyTuple_ITEMS(args),
                                           PyTuple_GET_SIZE(args), NULL);
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    PyObject *small[SMALL_STACK];
    PyObject **stack = small;
    if (n + 1 > SMALL_STACK) {
        stack = PyMem_Malloc((n + 1) * sizeof(PyObject *));
        if (stack == NULL) {
            return PyErr_NoMemory();
        }
    }
    stack[0] = self;
    memcpy(stack + 1, _PyTuple_ITEMS(args), n * sizeof(PyObject *));
    PyObject *result = PyObject_VectorcallDict(callable, stack, n + 1,
                                               kwargs);
    if (stack != small) {
        PyMem_Free(stack);
    }
    return result;
}

/* ------------------------------------------------------------------ methods */

PyObject *
PyObject_VectorcallMethod(PyObject *name, PyObject *const *args,
                          size_t nargsf, PyObject *kwnames)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *callable;
    int unbound = _PyObject_GetMethod(args[0], name, &callable);
    if (callable == NULL) {
        return NULL;
    }
    if (unbound) {
        /* The caller's flag lets args[0] be changed, not args[-1]. */
        nargsf &= ~PY_VECTORCALL_ARGUMENTS_OFFSET;
    }
    else {
        /* Skip self. The word before the new args is args[0], which the callee may
           change because it restores it. */
        args++;
        nargsf = (nargsf - 1) | PY_VECTORCALL_ARGUMENTS_OFFSET;
    }
    PyObject *result = _PyObject_VectorcallTstate(tstate, callable, args,
                                                  nargsf, kwnames);
    Py_DECREF(callable);
    return result;
}

/* --------------------------------------- NULL-terminated variable arguments */

static PyObject *
call_va_objects(PyThreadState *tstate, PyObject *self, PyObject *callable,
                va_list va)
{
    if (callable == NULL) {
        return null_error(tstate);
    }
    Py_ssize_t n = self != NULL;
    va_list count;
    va_copy(count, va);
    while (va_arg(count, PyObject *) != NULL) {
        n++;
    }
    va_end(count);
    PyObject *small[SMALL_STACK];
    PyObject **stack = small;
    if (n > SMALL_STACK) {
        stack = PyMem_Malloc(n * sizeof(PyObject *));
        if (stack == NULL) {
            return PyErr_NoMemory();
        }
    }
    Py_ssize_t i = 0;
    if (self != NULL) {
        stack[i++] = self;
    }
    while (i < n) {
        stack[i++] = va_arg(va, PyObject *);
    }
    PyObject *result = _PyObject_VectorcallTstate(tstate, callable, stack, n,
                                                  NULL);
    if (stack != small) {
        PyMem_Free(stack);
    }
    return result;
}

PyObject *
PyObject_CallFunctionObjArgs(PyObject *callable, ...)
{
    va_list va;
    va_start(va, callable);
    PyObject *result = call_va_objects(_PyThreadState_GET(), NULL, callable,
                                       va);
    va_end(va);
    return result;
}

static PyObject *
call_method_va_objects(PyObject *op, PyObject *name, va_list va)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (op == NULL || name == NULL) {
        return null_error(tstate);
    }
    PyObject *callable;
    int unbound = _PyObject_GetMethod(op, name, &callable);
    if (callable == NULL) {
        return NULL;
    }
    PyObject *result = call_va_objects(tstate, unbound ? op : NULL, callable,
                                       va);
    Py_DECREF(callable);
    return result;
}

PyObject *
PyObject_CallMethodObjArgs(PyObject *op, PyObject *name, ...)
{
    va_list va;
    va_start(va, name);
    PyObject *result = call_method_va_objects(op, name, va);
    va_end(va);
    return result;
}

PyObject *
_PyObject_CallMethodIdObjArgs(PyObject *op, _Py_Identifier *id, ...)
{
    PyObject *name = _PyUnicode_FromId(id);     /* borrowed */
    if (name == NULL) {
        return NULL;
    }
    va_list va;
    va_start(va, id);
    PyObject *result = call_method_va_objects(op, name, va);
    va_end(va);
    return result;
}

/* ----------------------------------------------------------- format strings */

/* A format that makes one tuple stands for the items of the tuple: "(ii)" and "ii" make
   the same call, and "O" with a tuple unpacks it. */
static PyObject *
call_va_format(PyThreadState *tstate, PyObject *callable, const char *format,
               va_list va, int size_t_lengths)
{
    if (callable == NULL) {
        return null_error(tstate);
    }
    if (format == NULL || *format == '\0') {
        return _PyObject_CallNoArgsTstate(tstate, callable);
    }
    PyObject *small[_PY_FASTCALL_SMALL_STACK];
    Py_ssize_t n;
    PyObject **stack = size_t_lengths
        ? _Py_VaBuildStack_SizeT(small, Py_ARRAY_LENGTH(small), format, va,
                                 &n)
        : _Py_VaBuildStack(small, Py_ARRAY_LENGTH(small), format, va, &n);
    if (stack == NULL) {
        return NULL;
    }
    PyObject *result;
    if (n == 1 && PyTuple_Check(stack[0])) {
        PyObject *args = stack[0];
        result = _PyObject_VectorcallTstate(tstate, callable,
                                            _PyTuple_ITEMS(args),
                                            PyTuple_GET_SIZE(args), NULL);
    }
    else {
        result = _PyObject_VectorcallTstate(tstate, callable, stack, n, NULL);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_DECREF(stack[i]);
    }
    if (stack != small) {
        PyMem_Free(stack);
    }
    return result;
}

/* Steals the reference to callable. */
static PyObject *
call_method_va_format(PyObject *callable, const char *format, va_list va,
                      int size_t_lengths)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (callable == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (!PyCallable_Check(callable)) {
        PyErr_Format(PyExc_TypeError,
                     "attribute of type '%.200s' is not callable",
                     Py_TYPE(callable)->tp_name);
    }
    else {
        result = call_va_format(tstate, callable, format, va, size_t_lengths);
    }
    Py_DECREF(callable);
    return result;
}

#undef PyObject_CallFunction
#undef PyObject_CallMethod

#define CALL_FUNCTION(Name, size_t_lengths)                             \
    PyObject *                                                          \
    Name(PyObject *callable, const char *format, ...)                   \
    {                                                                   \
        va_list va;                                                     \
        va_start(va, format);                                           \
        PyObject *result = call_va_format(_PyThreadState_GET(),         \
                                          callable, format, va,         \
                                          size_t_lengths);              \
        va_end(va);                                                     \
        return result;                                                  \
    }

CALL_FUNCTION(PyObject_CallFunction, 0)
CALL_FUNCTION(_PyObject_CallFunction_SizeT, 1)
CALL_FUNCTION(PyEval_CallFunction, 0)

#define CALL_METHOD(Name, name_type, get, size_t_lengths)               \
    PyObject *                                                          \
    Name(PyObject *op, name_type name, const char *format, ...)         \
    {                                                                   \
        if (op == NULL || name == NULL) {                               \
            return null_error(_PyThreadState_GET());                    \
        }                                                               \
        va_list va;                                                     \
        va_start(va, format);                                           \
        PyObject *result = call_method_va_format(get(op, name), format, \
                                                 va, size_t_lengths);   \
        va_end(va);                                                     \
        return result;                                                  \
    }

CALL_METHOD(PyObject_CallMethod, const char *, PyObject_GetAttrString, 0)
CALL_METHOD(_PyObject_CallMethod_SizeT, const char *, PyObject_GetAttrString,
            1)
CALL_METHOD(PyEval_CallMethod, const char *, PyObject_GetAttrString, 0)
CALL_METHOD(_PyObject_CallMethod, PyObject *, PyObject_GetAttr, 1)
CALL_METHOD(_PyObject_CallMethodId, _Py_Identifier *, _PyObject_GetAttrId, 0)
CALL_METHOD(_PyObject_CallMethodId_SizeT, _Py_Identifier *,
            _PyObject_GetAttrId, 1)
