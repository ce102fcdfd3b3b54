/* Calling objects, inline.

   Every call inside the interpreter is a vectorcall. Objects that only have
   tp_call get a tuple and a dict made for them by _PyObject_MakeTpCall();
   types whose metatype does not override __call__ are called without either
   (_PyType_Vectorcall). */
#ifndef SB_INTERNAL_CALL_H
#define SB_INTERNAL_CALL_H

#include "Python.h"
#include "internal/pystate.h"

/* The flags of a PyMethodDef that tell how its function is called. */
#define METH_CALL_FLAGS                                                 \
    (METH_VARARGS | METH_FASTCALL | METH_NOARGS | METH_O | METH_KEYWORDS \
     | METH_METHOD)

#ifndef _PyTuple_ITEMS
#define _PyTuple_ITEMS(op) (((PyTupleObject *)(op))->ob_item)
#endif

static inline vectorcallfunc
_PyVectorcall_FunctionInline(PyObject *callable)
{
    PyTypeObject *type = Py_TYPE(callable);
    if (!(type->tp_flags & Py_TPFLAGS_HAVE_VECTORCALL)) {
        return NULL;
    }
    return *(vectorcallfunc *)((char *)callable + type->tp_vectorcall_offset);
}

/* cfunction.c: is it a function of the running interpreter's module `builtins`? Runs no code. */
int _PyCFunction_IsOfBuiltins(const PyCFunctionObject *func);

/* For callables without a vectorcall function. */
PyObject *_PyObject_VectorcallSlow(PyThreadState *tstate, PyObject *callable,
                                   PyObject *const *args, size_t nargsf,
                                   PyObject *kwnames);

/* descr.c: a slot wrapper's call, such as object.__setattr__(o, name, value). */
PyObject *_PyWrapperDescr_Call(PyObject *descr, PyObject *const *args, Py_ssize_t n,
                               PyObject *kwargs);

/* A new tuple with NULL for each key that the dict has then: what the tuple's making collects may
   change the dict. NULL with MemoryError. */
PyObject *_PyCall_RoomForNames(PyObject *kwargs);

/* _Py_CheckFunctionResult(), whose call takes as long as many a function. */
static inline PyObject *
_PyCall_Checked(PyThreadState *tstate, PyObject *callable, PyObject *result)
{
    if (__builtin_expect((result == NULL) == (tstate->curexc_type == NULL), 0)) {
        return _Py_CheckFunctionResult(tstate, callable, result, NULL);
    }
    return result;
}

static inline PyObject *
_PyObject_VectorcallTstate(PyThreadState *tstate, PyObject *callable,
                           PyObject *const *args, size_t nargsf,
                           PyObject *kwnames)
{
    vectorcallfunc func = _PyVectorcall_FunctionInline(callable);
    if (func == NULL) {
        return _PyObject_VectorcallSlow(tstate, callable, args, nargsf,
                                        kwnames);
    }
    return _PyCall_Checked(tstate, callable, func(callable, args, nargsf, kwnames));
}

static inline PyObject *
_PyObject_CallNoArgsTstate(PyThreadState *tstate, PyObject *callable)
{
    return _PyObject_VectorcallTstate(tstate, callable, NULL, 0, NULL);
}

/* callable(*args, **kwargs), kwargs may be NULL. */
PyObject *_PyObject_Call(PyThreadState *tstate, PyObject *callable,
                         PyObject *args, PyObject *kwargs);

/* callable(self, *args): one more argument in front. */
PyObject *_PyObject_Call_Prepend(PyThreadState *tstate, PyObject *callable,
                                 PyObject *self, PyObject *args,
                                 PyObject *kwargs);
PyObject *_PyObject_VectorcallPrepend(PyThreadState *tstate,
                                      PyObject *callable, PyObject *self,
                                      PyObject *const *args, size_t nargsf,
                                      PyObject *kwnames);

/* A function from its parts, of which it steals none. Returns a new reference. */
PyFunctionObject *_PyFunction_FromConstructor(PyFrameConstructor *con);

/* Has its __code__ been replaced? Then it keeps other code objects alive as well. */
int _PyFunction_HasOldCodes(PyFunctionObject *func);

#endif
