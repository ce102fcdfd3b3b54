/* What the files about calls share: call_window.c (turns windows into frames or C calls),
   op_call.c (the general forms and calls of Python functions), op_call_c.c, op_call_class.c
   and op_call_star.c. */
#ifndef SB_VM_CALL_H
#define SB_VM_CALL_H

#include "vm.h"
#include "specialize.h"

/* How many words a call may need from a window on: for the instance of a class that is
   called, the frame of its __init__ above that, and one more argument. */
#define WINDOW_WORDS(nargs) (1 + FRAME_WORDS + (size_t)(nargs) + 1)

/* How the call of an object begins. */
typedef enum { IN_C, FUNCTION_FRAME, BOUND_FRAME, INIT_FRAME, METHOD_FRAME } CallKind;
/* *method: for the last two kinds, a borrowed reference to the __init__ or __call__. */
VM_HIDDEN CallKind _PyVM_KindOfCall(PyThreadState *ts, PyObject *callable, PyObject **method);
/* The Python __init__ of a class whose instances are made by object.__new__
   and nothing else, or NULL. Returns a borrowed reference. */
VM_HIDDEN PyObject *_PyVM_PlainInit(PyTypeObject *type);

/* Releases a window: callable and arguments. */
VM_HIDDEN void _PyVM_DropWindow(PyReg *window, Py_ssize_t nargs);

typedef PyObject *(*window_caller)(PyThreadState *, PyReg *, Py_ssize_t, PyObject *);
/* How a call has begun: with a frame to run, or it is finished (NULL) with a value or, NULL
   again, an exception. In two registers, for handlers lend no addresses (NEEDS_LOCALS). */
typedef struct {
    PyVMFrame *frame;
    PyObject *result;
} BegunCall;
/* Calls what is in a window. The window is dead afterwards, or the frame's, which is not
   covered. */
VM_HIDDEN BegunCall _PyVM_BeginCall(PyThreadState *ts, PyVMFrame *f, PyReg *window,
                                    Py_ssize_t nargs, PyObject *kwnames, int dest,
                                    window_caller call_c);
/* The same for f(*args, **kwargs), whose operands are where arguments would be. If they are
   refused, the window stays as it is. */
VM_HIDDEN BegunCall _PyVM_BeginCallEx(PyThreadState *ts, PyVMFrame *f, PyReg *window,
                                      int has_kwargs, int dest);
/* Runs a frame that has been pushed through the eval hook; its result is like that
   of a C call. Returns a new reference, or NULL. */
VM_HIDDEN PyObject *_PyVM_RunHooked(PyThreadState *ts, PyVMFrame *frame);

/* The end of an instruction that has called C: other threads get their turn. */
VM_DECLARE(_PyVM_PendingAfterCall);
#define FINISH_CALL(dest, result) \
    do { \
        WRITE(dest, (PyReg)(result)); \
        if (_Py_AttentionWanted()) { \
            TAIL(_PyVM_PendingAfterCall); \
        } \
        NEXT_RELOAD(2); \
    } while (0)

/* The same for the specialised forms: the arguments are dead already. */
#define FINISH_SPECIAL(window, callable, result) \
    do { \
        if (unlikely((result == NULL) == (ts->curexc_type == NULL))) { \
            result = _Py_CheckFunctionResult(ts, callable, result, NULL); \
        } \
        *(window) = 0; \
        Py_DECREF(callable); \
        if (unlikely(result == NULL)) { \
            ERROR(); \
        } \
        FINISH_CALL(C, result); \
    } while (0)

/* The cases of CALL and CALL_METHOD that are handled elsewhere: the callable is a function
   in C, a method in C, a class (…Attr: one that LOAD_METHOD found as an attribute). */
VM_DECLARE(_PyVM_CallC);
VM_DECLARE(_PyVM_CallCAttr);
VM_DECLARE(_PyVM_CallCMethod);
VM_DECLARE(_PyVM_CallClass);
VM_DECLARE(_PyVM_CallClassAttr);
/* The guard of a specialised form has failed: the instruction becomes general again. */
VM_DECLARE(_PyVM_CallMiss);

#endif
