/* What the rest of the runtime calls in the VM (Python/vm). The layout of frames is in
   internal/frame.h. */
#ifndef SB_INTERNAL_VM_H
#define SB_INTERNAL_VM_H

#include "Python.h"
#include "internal/frame.h"
#include "internal/hooks.h"
#include "internal/pystate.h"

/* Releases the thread's VM stack; called when its state is deleted. */
void _PyVM_FiniThread(PyThreadState *tstate);

/* A new thread state: it is not observed, and has no frame. */
static inline void
_PyVM_InitThread(PyThreadState *tstate)
{
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(tstate);
    impl->vm_table = NULL;
}

/* A frame that runs or may be resumed has lost variables in a way that its code does not
   expect: a tracer has jumped over an assignment, or changed f_locals. The compiler leaves
   out checks where every path binds a variable, so from now on the operands of such frames
   are checked, as long as there are any. The frame has a frame object. */
void _PyVM_DistrustVariables(PyThreadState *tstate, PyVMFrame *f);

/* Installs an eval hook (NULL: none) and the handlers for it. */
void _PyVM_SetHook(PyInterpreterState *interp, _PyFrameEvalFunction hook,
                   const void *table);

/* ----------------------------------------------------------- showing frames */

/* To native profilers: vm/shown.c, observe/perf.

   PyVMCode.landing is the address of the code object's landing, or with lines that of its
   _PyCodeLines. Its low bits are the mode that it was published in: frames can be shown by it
   if they are _PyVM_ShownMode, the mode in force. internal/perf.h has a glossary. */
#define SHOWN_MODE_MASK ((uintptr_t)15)
#define SHOWN_MODE_LINES ((uintptr_t)1)     /* set in modes with lines */
#define SHOWN_MODE_NONE SHOWN_MODE_MASK
extern uintptr_t _PyVM_ShownMode;
/* Publishes a code object in the mode in force. 1, or 0: frames are not shown (any more). */
extern int (*_PyVM_PublishCode)(PyThreadState *tstate, PyVMCode *code);
/* NULL until an extension module is loaded, whose code may lack frame pointers: do they lead from
   this frame of C to the evaluator further out, or to machine code? */
extern int (*_PyVM_ChainIsWhole)(PyThreadState *tstate, char *fp);

/* Of a thread that waits in C and has no records yet: what would be in them, innermost first.
   Returns how many. With the GIL, of another thread. */
size_t _PyVM_LandingsOfWaiting(PyThreadState *tstate, uint64_t *to, size_t most);

/* NULL, or called by each thread that runs already when frames begin to be shown, at its next safe
   point: _PySampler_AddThread. */
extern void (*_PyVM_AddRunning)(PyThreadState *tstate);

/* Runs a function right below a block of `size` bytes for records of frames further out: `base` and
   `limit` are its ends, and the word in which the function has saved the frame pointer is its
   slot. _PyPerf_CallWithBlock. */
typedef uintptr_t (*_PyVM_BlockUser)(PyThreadState *tstate, PyVMFrame *frame, int how,
                                     char *limit, char *base);
extern uintptr_t (*_PyVM_CallWithBlock)(PyThreadState *tstate, PyVMFrame *frame, int how,
                                        size_t size, _PyVM_BlockUser function);
/* Runs a frame that is called from C if frames further out lack records, with a block for them: 1,
   and in *result what an evaluator returns; or 0. */
int _PyVM_EvalAmongUnshown(PyThreadState *tstate, PyVMFrame *frame, int throwflag,
                           PyObject **result);

/* Calls from C go through `hook`, which runs them by _PyPerf_Call; calls between
   Python functions fill records. `lines`: the mode is one with lines, and records follow
   the running line. If an extension's hook is in place, it stays in front: when it hands a frame
   to _PyEval_EvalFrameDefault(), that goes through `hook`. */
void _PyVM_ShowFrames(PyInterpreterState *interp, _PyFrameEvalFunction hook, int lines);
/* Frames that run already get records at the next safe point of their thread.
   Puts the hook of ShowFrames() back after an extension has removed its own. */
void _PyVM_ShowFramesAgain(PyInterpreterState *interp);
/* Stops showing frames; running frames have no records from then on. A hook that an
   extension has installed in place of ours stays. */
void _PyVM_HideFrames(PyInterpreterState *interp);
/* Marks the instructions of a code object that begin a line: where `landing` of one
   differs from that of an instruction before it. */
void _PyVM_MarkLines(PyVMCode *code, const _PyCodeLines *lines);
void _PyVM_UnmarkLines(PyVMCode *code);

/* For SPRINGBOARD_STRESS. Is there room for Python code above what the thread uses? */
int _PyVM_HasRoomAbove(PyThreadState *tstate);
/* Overwrites what is there. */
void _PyVM_PoisonAbove(PyThreadState *tstate);

/* At start-up, once. */
int _PyVM_Init(void);

/* Runs the code of a function with a locals mapping (NULL: fast locals). args are
   borrowed. Returns a new reference. */
PyObject *_PyEval_Vector(PyThreadState *tstate, PyFunctionObject *func,
                         PyObject *locals, PyObject *const *args,
                         size_t nargs, PyObject *kwnames);
/* The same for three arguments, as observers have. A function that takes just these begins at
   once, without the way through a call of anything. */
PyObject *_PyEval_Call3(PyFunctionObject *func, PyObject *a, PyObject *b, PyObject *c);

/* builtins.__build_class__ */
PyObject *_Py_build_class(PyObject *self, PyObject *const *args,
                         Py_ssize_t nargs, PyObject *kwnames);

/* Tracing and profiling. */
int _PyEval_SetTrace(PyThreadState *, Py_tracefunc, PyObject *);
int _PyEval_SetProfile(PyThreadState *, Py_tracefunc, PyObject *);

/* Generators. */
PyObject *_PyGen_yf(PyGenObject *);
PyObject *_PyCoro_GetAwaitableIter(PyObject *o);
/* The awaitable of __anext__() and asend(). */
typedef enum { AWAITABLE_INIT, AWAITABLE_ITER, AWAITABLE_CLOSED } _PyAwaitableState;
typedef struct {
    PyObject_HEAD
    PyAsyncGenObject *gen;
    PyObject *value;            /* of asend(); NULL for __anext__() */
    _PyAwaitableState state;
} _PyAsyncGenASend;
/* What an asynchronous generator yields instead of an item, whose reference it takes. */
PyObject *_PyAsyncGen_Wrap(PyReg item);
/* Frees a generator or coroutine that has ended, or the awaitable of a step, that nothing refers
   to any more, if all that it refers to lives on; or 0. Nobody traces references. */
int _PyGen_FreeEnded(PyObject *gen);
int _PyAsyncGen_FreeStep(PyObject *asend);
/* What `async for` awaits in each round. Returns a new reference, or NULL. */
PyObject *_PyCoro_GetAnext(PyObject *iterator);

#endif
