/* Shared by the files of generators: Python/vm/generator.c (generators and
   coroutines) and Python/vm/async_generator.c. */
#ifndef SB_INTERNAL_GENOBJECT_H
#define SB_INTERNAL_GENOBJECT_H

#include "Python.h"

/* gen.send(value): the value yielded, or NULL with the exception that ended
   it. */
PyObject *_PyGen_SendValue(PyGenObject *gen, PyObject *value);
/* gen.throw(type[, value[, traceback]]). close_on_exit: GeneratorExit closes
   what the generator delegates to, instead of being thrown into it. */
PyObject *_PyGen_Throw(PyGenObject *gen, int close_on_exit, PyObject *type,
                       PyObject *value, PyObject *traceback);
PyObject *_PyGen_ThrowArgs(PyGenObject *gen, PyObject *const *args,
                           Py_ssize_t nargs);
/* Resumes a suspended generator in machine code, for C that sends it `value`, whose reference is
   taken: what it yields or returns, NULL with an exception, or JIT_NOT_DONE if this is not the
   usual case (native_generators.c). */
PyObject *_PyVM_ResumeNative(PyThreadState *ts, PyGenObject *gen, PyReg value);
/* The same for next(): NULL, also without an exception, when it ends. */
PyObject *_PyVM_NextForC(PyThreadState *ts, PyGenObject *gen);
/* tp_iternext of generators: resumes those that go on in machine code, and calls the other one for
   the rest. */
PyObject *_PyVM_GenNext(PyObject *gen);
PyObject *_PyGen_NextUnusual(PyGenObject *gen);
/* What next() gives when a generator has returned `value`, which is stolen: NULL. */
PyObject *_PyGen_EndIteration(PyObject *value);

/* Sends to the awaitable of __anext__() or asend(): what its generator passes up to the event loop, or its next item,
   as an owned word; 0 with an exception. It is AWAITABLE_CLOSED unless the former. */
PyReg _PyAsyncGen_Step(PyObject *asend, PyObject *value);
/* The parts before and behind the generator's step. Begin changes what is to be sent: 0, or -1
   with an exception. End takes what the generator has given, a word, or 0 with an exception. */
int _PyAsyncGen_BeginStep(PyObject *asend, PyObject **value);
PyReg _PyAsyncGen_EndStep(PyObject *asend, PyReg given);

/* Both without an awaitable. May a step begin without more ado? While it takes bare items,
   ASYNC_GEN_WRAP need not wrap them. */
enum { RUNNING_ASYNC = 1, TAKES_BARE_ITEMS = 2 };      /* ag_running_async */
static inline int
_PyAsyncGen_MayStep(const PyAsyncGenObject *gen)
{
    return gen->ag_hooks_inited && !gen->ag_running_async;
}
/* Its end: `given` as above. *awaitable becomes that of the step, if it has not ended. */
PyReg _PyAsyncGen_EndBareStep(PyAsyncGenObject *gen, PyReg given, PyReg *awaitable);

/* am_send of all three kinds. */
PySendResult _PyGen_AmSend(PyObject *gen, PyObject *value, PyObject **result);

int _PyGen_Traverse(PyObject *gen, visitproc visit, void *arg);
void _PyGen_Dealloc(PyObject *gen);
PyObject *_PyGen_Repr(PyObject *gen);
PyObject *_PyGen_SizeOf(PyObject *gen, PyObject *unused);

/* The getters and setters that the kinds share. */
PyObject *_PyGen_GetName(PyObject *, void *);
int _PyGen_SetName(PyObject *, PyObject *, void *);
PyObject *_PyGen_GetQualName(PyObject *, void *);
int _PyGen_SetQualName(PyObject *, PyObject *, void *);
PyObject *_PyGen_GetFrame(PyObject *, void *);
PyObject *_PyGen_GetCode(PyObject *, void *);
PyObject *_PyGen_GetYieldFrom(PyObject *, void *);

/* Instances are as long as their code's window. */
#define _PyGen_BASICSIZE offsetof(PyGenObject, gi_iframe)


#endif
