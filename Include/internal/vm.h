/* What the rest of the runtime calls in the VM (Python/vm, Objects bound to
   frames). Layouts of frames are in internal/frame.h. */
#ifndef SB_INTERNAL_VM_H
#define SB_INTERNAL_VM_H

#include "Python.h"
#include "internal/frame.h"
#include "internal/pystate.h"

/* Releases the thread's VM stack; called when its state is deleted. */
void _PyVM_FiniThread(PyThreadState *tstate);

/* A thread state that is new: nothing observes, no frame. */
static inline void
_PyVM_InitThread(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    impl->vm_table = NULL;
    impl->vm_stack = 0;
    impl->vm_stack_size = 0;
    impl->vm_floor = NULL;
}

/* Chooses the handler table that a thread uses from its next instruction on:
   call it after changing what observes (tracing, profiling, the eval hook). */
void _PyVM_ChooseTable(PyThreadState *tstate);

/* At start-up, once. */
int _PyVM_Init(void);

/* Runs the code of a function with a locals mapping (NULL: fast locals). New
   reference. args are borrowed. */
PyObject *_PyEval_Vector(PyThreadState *tstate, PyFunctionObject *func,
                         PyObject *locals, PyObject *const *args,
                         size_t nargs, PyObject *kwnames);

/* The builtins that code with these globals sees: borrowed, NULL on error. */
PyObject *_PyEval_BuiltinsFromGlobals(PyThreadState *tstate,
                                      PyObject *globals);

/* A builtin by name: new reference, AttributeError if there is none. */
PyObject *_PyEval_GetBuiltin(PyObject *name);

/* builtins.__build_class__ */
PyObject *_Py_build_class(PyObject *self, PyObject *const *args,
                         Py_ssize_t nargs, PyObject *kwnames);

/* A function in the making: steals nothing. */
PyFunctionObject *_PyFunction_FromConstructor(PyFrameConstructor *con);

/* f_lasti of a frame: two per instruction word, as tracebacks expect; -1
   before the first. */
int _PyFrame_Lasti(PyVMFrame *frame);

/* Tracing and profiling. */
int _PyEval_SetTrace(PyThreadState *, Py_tracefunc, PyObject *);
int _PyEval_SetProfile(PyThreadState *, Py_tracefunc, PyObject *);

/* sys.call_tracing: calls with tracing as if outside of a trace function. */
PyObject *_PyEval_CallTracing(PyObject *func, PyObject *args);

/* Coroutine hooks of sys (borrowed results, may be NULL). */
int _PyEval_SetAsyncGenFirstiter(PyObject *);
int _PyEval_SetAsyncGenFinalizer(PyObject *);
PyObject *_PyEval_GetAsyncGenFirstiter(void);
PyObject *_PyEval_GetAsyncGenFinalizer(void);
int _PyEval_SetCoroutineOriginTrackingDepth(int depth);
int _PyEval_GetCoroutineOriginTrackingDepth(void);

/* Generators. */
PyObject *_PyGen_yf(PyGenObject *);
PyObject *_PyCoro_GetAwaitableIter(PyObject *o);
PyObject *_PyAsyncGenValueWrapperNew(PyObject *);

#endif
