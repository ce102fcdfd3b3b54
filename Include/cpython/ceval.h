/* Trace and profile functions, and the evaluator. */
#ifndef Py_CPYTHON_CEVAL_H
#define Py_CPYTHON_CEVAL_H

_Py_BEGIN_DECLS

/* For the current thread. func may be NULL; obj becomes its first argument. The events
   are PyTrace_ (cpython/pystate.h). */
PyAPI_FUNC(void) PyEval_SetProfile(Py_tracefunc func, PyObject *obj);
PyAPI_FUNC(void) PyEval_SetTrace(Py_tracefunc func, PyObject *obj);
/* The same for another thread. Returns -1 if an audit hook objects. */
PyAPI_FUNC(int) _PyEval_SetProfile(PyThreadState *tstate, Py_tracefunc func,
    PyObject *arg);
PyAPI_FUNC(int) _PyEval_SetTrace(PyThreadState *tstate, Py_tracefunc func, PyObject *arg);

/* Adds the future features of the running code to *cf. Returns 1 if there are any flags. */
PyAPI_FUNC(int) PyEval_MergeCompilerFlags(PyCompilerFlags *cf);

PyAPI_FUNC(PyObject *) _PyEval_GetBuiltin(PyObject *name);
/* The default eval function (PEP 523). */
PyAPI_FUNC(PyObject *) _PyEval_EvalFrameDefault(PyThreadState *tstate,
    struct _PyInterpreterFrame *frame, int throwflag);
/* Microseconds. */
PyAPI_FUNC(void) _PyEval_SetSwitchInterval(unsigned long microseconds);
PyAPI_FUNC(unsigned long) _PyEval_GetSwitchInterval(void);

/* Returns an index for _PyCode_GetExtra and _PyCode_SetExtra. release, which may be NULL,
   frees the values. Returns -1 without an exception if MAX_CO_EXTRA_USERS are in use. */
PyAPI_FUNC(Py_ssize_t) _PyEval_RequestCodeExtraIndex(freefunc release);
/* For O& of PyArg_Parse: an index as slices take it, clipped. The first leaves *pi
   unchanged for None. Returns 1, or 0 with an exception. */
PyAPI_FUNC(int) _PyEval_SliceIndex(PyObject *v, Py_ssize_t *pi);
PyAPI_FUNC(int) _PyEval_SliceIndexNotNone(PyObject *v, Py_ssize_t *pi);

_Py_END_DECLS
#endif
