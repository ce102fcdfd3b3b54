/* Generators and coroutines (asynchronous generators: async_generator.c).

   The frame lies in the object, at gi_iframe. The word after its registers holds
   the stack top at which it was resumed (GEN_STACK_TOP); while it is suspended, perhaps the place
   in machine code where it goes on (JIT_NO_KEY in internal/jit.h).

   Invariants:
   - gi_frame_state is GEN_EXECUTING while the frame is on the thread's chain of frames, and
     while what it delegates to is closed or thrown into. When it runs, its exc_state is on the
     thread's chain of handled exceptions;
   - a suspended frame's ip is at the instruction that suspended it:
     RETURN_GENERATOR, YIELD_VALUE or YIELD_FROM_VALUE;
   - once GEN_CLEARED, the frame's header is 0, and its registers hold no references. */
#include "Python.h"
#include "structmember.h"
#include "../Python/vm/enter.h"
#include "internal/gc.h"
#include "generator.h"
#include "internal/method_table.h"
#include "frameobject.h"

/* --------------------------------------------------------------- making one */

static const char *
kind_name(PyGenObject *gen)
{
    return PyCoro_CheckExact(gen) ? "coroutine"
         : PyAsyncGen_CheckExact(gen) ? "async generator" : "generator";
}

static PyTypeObject *
type_for(PyVMCode *code)
{
    int flags = code->ob.co_flags;
    return flags & CO_COROUTINE ? &PyCoro_Type
         : flags & CO_ASYNC_GENERATOR ? &PyAsyncGen_Type : &PyGen_Type;
}

/* Where a coroutine was made: a tuple of (file, line, function) of the frames
   from `f` out. */
static PyObject *
origin_of(PyVMFrame *f, int depth)
{
    PyObject *origin = PyList_New(0);
    for (int i = 0; origin != NULL && f != NULL && i < depth; i++) {
        PyCodeObject *code = &f->code->ob;
        PyObject *entry = Py_BuildValue("OiO", code->co_filename,
                                        _PyFrame_LineOf(f), code->co_name);
        if (entry == NULL || PyList_Append(origin, entry) < 0) {
            Py_CLEAR(origin);
        }
        Py_XDECREF(entry);
        f = first_staying(f->previous);
    }
    if (origin == NULL) {
        return NULL;
    }
    PyObject *tuple = PyList_AsTuple(origin);
    Py_DECREF(origin);
    return tuple;
}

static inline size_t
size_for(const PyVMCode *code)
{
    return _PyGen_BASICSIZE + (FRAME_WORDS + code->nregs + 1u) * sizeof(PyReg);
}

static PyGenObject *
allocate(PyTypeObject *type, PyVMCode *code)
{
    PyGenObject *gen = (PyGenObject *)_PyObject_GC_NewSized(type, size_for(code));
    if (gen == NULL) {
        return NULL;
    }
    memset(&gen->gi_code, 0,
           (size_t)((char *)gen->gi_iframe - (char *)&gen->gi_code));
    gen->gi_code = (PyCodeObject *)Py_NewRef((PyObject *)code);
    gen->gi_frame_state = GEN_CREATED;
    GEN_RESUME_KEY(gen) = JIT_NO_KEY;
    return gen;
}

/* Moves a frame into the generator; its old words are dead afterwards. */
static void
adopt_frame(PyGenObject *gen, PyVMFrame *f)
{
    PyVMCode *code = f->code;
    PyVMFrame *own = FRAME_OF_GEN(gen);
    size_t live = sizeof(PyVMFrame) + code->first_temp * sizeof(PyReg);
    memcpy(own, f, live);
    memset((char *)own + live, 0,
           (size_t)(code->nregs - code->first_temp + 1) * sizeof(PyReg));
    memset(f, 0, live);
    own->owner = FRAME_GENERATOR;
    own->previous = NULL;
    if (own->frame_obj != NULL) {
        _PyFrame_Moved(own->frame_obj, own);
    }
}

PyObject *
_PyGen_FromFrame(PyThreadState *ts, PyVMFrame *f)
{
    PyTypeObject *type = type_for(f->code);
    PyObject *origin = NULL;
    if (type == &PyCoro_Type && ts->coroutine_origin_tracking_depth > 0) {
        origin = origin_of(first_staying(f->previous), ts->coroutine_origin_tracking_depth);
        if (origin == NULL) {
            return NULL;
        }
    }
    PyGenObject *gen = allocate(type, f->code);
    if (gen == NULL) {
        Py_XDECREF(origin);
        return NULL;
    }
    gen->gi_name = Py_NewRef(frame_func(f)->func_name);
    gen->gi_qualname = Py_NewRef(frame_func(f)->func_qualname);
    gen->gi_origin_or_finalizer = origin;
    adopt_frame(gen, f);
    _PyObject_GC_TRACK((PyObject *)gen);
    return (PyObject *)gen;
}

/* May a call make the generator of a function at once, without a frame that would do so? */
static inline int
makes_generator(PyThreadState *ts, const PyVMCode *code, Py_ssize_t nargs)
{
    return _PyVM_MakesGenerator(code, (int)nargs) && ts->coroutine_origin_tracking_depth <= 0
           && likely(ts->recursion_remaining > 0);      /* as a call it counts */
}

/* A generator at its start, whose arguments are still to be filled in, but not its other variables.
   Its frame has the caller's reference to the function. NULL: MemoryError. */
static inline PyGenObject *
at_start(PyFunctionObject *func, PyVMCode *code, Py_ssize_t nargs)
{
    PyGenObject *gen = allocate(type_for(code), code);
    if (gen == NULL) {
        return NULL;
    }
    gen->gi_name = Py_NewRef(func->func_name);
    gen->gi_qualname = Py_NewRef(func->func_qualname);
    PyVMFrame *own = FRAME_OF_GEN(gen);
    *own = (PyVMFrame){.func = (PyObject *)func, .code = code, .ip = code->code,
                       .owner = FRAME_GENERATOR};
    memset(own->regs + nargs, 0, (size_t)(code->nregs - nargs + 1) * sizeof(PyReg));
    return gen;
}

PyReg
_PyVM_MakeGenerator(PyVMFrame *f, PyThreadState *ts, uint64_t window, uint64_t nargs)
{
    PyReg *words = &f->regs[window];
    PyFunctionObject *func = (PyFunctionObject *)REG_PTR(*words);
    PyVMCode *code = _PyVMCode_CAST(func->func_code);
    if (!makes_generator(ts, code, (Py_ssize_t)nargs)) {
        return JIT_NOT_DONE;
    }
    PyGenObject *gen = at_start(func, code, (Py_ssize_t)nargs);
    if (gen == NULL) {
        return 0;
    }
    *words = 0;
    words += FRAME_WORDS;
    for (uint64_t i = 0; i < nargs; i++) {
        FRAME_OF_GEN(gen)->regs[i] = words[i];
        words[i] = 0;
    }
    _PyObject_GC_TRACK((PyObject *)gen);
    return (PyReg)gen;
}

PyObject *
_PyVM_MakeGeneratorFor(PyThreadState *ts, PyFunctionObject *func, PyObject *const *args,
                       Py_ssize_t nargs)
{
    PyVMCode *code = _PyVMCode_CAST(func->func_code);
    if (!makes_generator(ts, code, nargs)) {
        return (PyObject *)JIT_NOT_DONE;
    }
    PyGenObject *gen = at_start(func, code, nargs);
    if (gen == NULL) {
        return NULL;
    }
    Py_INCREF((PyObject *)func);
    for (Py_ssize_t i = 0; i < nargs; i++) {
        FRAME_OF_GEN(gen)->regs[i] = (PyReg)Py_NewRef(args[i]);
    }
    _PyObject_GC_TRACK((PyObject *)gen);
    return (PyObject *)gen;
}

/* From a frame object that has never run; steals it. */
static PyObject *
from_frame_object(PyTypeObject *type, PyFrameObject *frame_obj, PyObject *name,
                  PyObject *qualname)
{
    PyVMFrame *f = _PyFrame_Get(frame_obj);
    if (f == NULL || f->owner != FRAME_OBJECT) {
        PyErr_SetString(PyExc_SystemError, "the frame is in use");
        Py_DECREF(frame_obj);
        return NULL;
    }
    PyGenObject *gen = allocate(type, f->code);
    if (gen == NULL) {
        Py_DECREF(frame_obj);
        return NULL;
    }
    PyFunctionObject *func = frame_func(f);
    gen->gi_name = Py_NewRef(name != NULL ? name : func->func_name);
    gen->gi_qualname =
        Py_NewRef(qualname != NULL ? qualname : func->func_qualname);
    adopt_frame(gen, f);
    PyVMFrame *own = FRAME_OF_GEN(gen);
    own->frame_obj = frame_obj;
    _PyFrame_Moved(frame_obj, own);
    _PyObject_GC_TRACK((PyObject *)gen);
    return (PyObject *)gen;
}

PyObject *
PyGen_NewWithQualName(PyFrameObject *f, PyObject *name, PyObject *qualname)
{
    return from_frame_object(&PyGen_Type, f, name, qualname);
}

PyObject *
PyGen_New(PyFrameObject *f)
{
    return from_frame_object(&PyGen_Type, f, NULL, NULL);
}

PyObject *
PyCoro_New(PyFrameObject *f, PyObject *name, PyObject *qualname)
{
    return from_frame_object(&PyCoro_Type, f, name, qualname);
}

PyObject *
PyAsyncGen_New(PyFrameObject *f, PyObject *name, PyObject *qualname)
{
    return from_frame_object(&PyAsyncGen_Type, f, name, qualname);
}

/* ------------------------------------------------------------------ leaving */

void
_PyVM_LeaveGenerator(PyThreadState *ts, PyVMFrame *f, int state)
{
    PyGenObject *gen = GEN_OF_FRAME(f);
    ts->exc_info = gen->gi_exc_state.previous_item;
    gen->gi_exc_state.previous_item = NULL;
    if (state == GEN_SUSPENDED) {
        gen->gi_frame_state = GEN_SUSPENDED;
        f->previous = NULL;
        return;
    }
    gen->gi_frame_state = GEN_CLEARED;
    begin_leaving(f);
    Py_CLEAR(gen->gi_exc_state.exc_value);
}

void
_PyGen_ConvertStop(PyThreadState *ts, PyGenObject *gen)
{
    const char *stop;
    if (_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
        stop = "StopIteration";
    }
    else if (PyAsyncGen_CheckExact(gen)
             && _PyErr_ExceptionMatches(ts, PyExc_StopAsyncIteration)) {
        stop = "StopAsyncIteration";
    }
    else {
        return;
    }
    _PyErr_FormatFromCauseTstate(ts, PyExc_RuntimeError, "%s raised %s",
                                 kind_name(gen), stop);
}

/* --------------------------------------------------------------- resumption */

/* Runs a suspended frame from C. value: 0 leaves its registers as they are.
   throw: an exception is set and is to be raised in it. */
static inline __attribute__((always_inline)) PySendResult
run(PyThreadState *ts, PyGenObject *gen, PyReg value, int throw,
    PyObject **result)
{
    PyVMFrame *f = FRAME_OF_GEN(gen);
    if (f->ip[1].op == OP_RESUME__NATIVE && !throw) {
        *result = _PyVM_ResumeNative(ts, gen, value);
        if (likely(*result != (PyObject *)JIT_NOT_DONE)) {
            return *result == NULL ? PYGEN_ERROR
                   : gen->gi_frame_state == GEN_SUSPENDED ? PYGEN_NEXT : PYGEN_RETURN;
        }
    }
    if (enter_generator(ts, gen, value, TS_FRAME(ts), RET_ENTRY, 0) < 0) {
        *result = NULL;
        return PYGEN_ERROR;
    }
    if (throw) {
        _PyErr_ChainStackItem(NULL);
    }
    *result = eval_frame(ts, FRAME_OF_GEN(gen), throw);
    if (*result == NULL) {
        return PYGEN_ERROR;
    }
    return gen->gi_frame_state == GEN_SUSPENDED ? PYGEN_NEXT : PYGEN_RETURN;
}

/* Resumes with `arg` (NULL: next()), or with the exception that is set.
   closing: it is no error if the coroutine has finished. */
static PySendResult
resume(PyGenObject *gen, PyObject *arg, PyObject **result, int throw,
       int closing)
{
    PyThreadState *ts = _PyThreadState_GET();
    int state = gen->gi_frame_state;
    *result = NULL;
    if (state == GEN_CREATED && arg != NULL && arg != Py_None) {
        PyErr_Format(PyExc_TypeError,
                     "can't send non-None value to a just-started %s",
                     kind_name(gen));
        return PYGEN_ERROR;
    }
    if (state == GEN_EXECUTING) {
        PyErr_Format(PyExc_ValueError, "%s already executing", kind_name(gen));
        return PYGEN_ERROR;
    }
    if (state >= GEN_COMPLETED) {
        if (PyCoro_CheckExact(gen) && !closing) {
            PyErr_SetString(PyExc_RuntimeError,
                            "cannot reuse already awaited coroutine");
        }
        else if (arg != NULL && !throw) {
            *result = Py_NewRef(Py_None);
            return PYGEN_RETURN;
        }
        return PYGEN_ERROR;
    }
    /* (What is thrown into `x = yield` leaves x as it is.) */
    PyReg value = throw ? 0 : arg == NULL ? REG_NONE : (PyReg)Py_NewRef(arg);
    return run(ts, gen, value, throw, result);
}

PySendResult
_PyGen_AmSend(PyObject *gen, PyObject *value, PyObject **result)
{
    return resume((PyGenObject *)gen, value, result, 0, 0);
}

/* Raises the StopIteration of a generator that has returned. Steals the value. */
static PyObject *
raise_stop(PyGenObject *gen, PyObject *value)
{
    if (PyAsyncGen_CheckExact(gen)) {
        PyErr_SetNone(PyExc_StopAsyncIteration);
    }
    else if (value == Py_None) {
        PyErr_SetNone(PyExc_StopIteration);
    }
    else {
        _PyGen_SetStopIterationValue(value);
    }
    Py_DECREF(value);
    return NULL;
}

static PyObject *
resume_or_stop(PyGenObject *gen, PyObject *arg, int throw, int closing)
{
    PyObject *result;
    if (resume(gen, arg, &result, throw, closing) == PYGEN_RETURN) {
        return raise_stop(gen, result);
    }
    return result;
}

PyObject *
_PyGen_SendValue(PyGenObject *gen, PyObject *value)
{
    return resume_or_stop(gen, value, 0, 0);
}

static PyObject *
gen_send(PyObject *self, PyObject *value)
{
    return _PyGen_SendValue((PyGenObject *)self, value);
}

PyObject *
_PyGen_EndIteration(PyObject *value)
{
    if (value != Py_None) {
        _PyGen_SetStopIterationValue(value);
    }
    Py_DECREF(value);
    return NULL;
}

static __attribute__((noinline)) PyObject *
next_unusual(PyGenObject *gen)
{
    PyObject *result;
    if (resume(gen, NULL, &result, 0, 0) == PYGEN_RETURN) {
        return _PyGen_EndIteration(result);
    }
    return result;
}

PyObject *
_PyGen_NextUnusual(PyGenObject *gen)
{
    if (likely(gen->gi_frame_state < GEN_EXECUTING)
        && FRAME_OF_GEN(gen)->ip[1].op == OP_RESUME__NATIVE) {
        PyObject *item = _PyVM_NextForC(_PyThreadState_GET(), gen);
        if (likely(item != (PyObject *)JIT_NOT_DONE)) {
            return item;
        }
    }
    return next_unusual(gen);
}

/* --------------------------------------------------------------- delegation */

/* What a suspended generator delegates to, or NULL. Returns a new reference. */
PyObject *
_PyGen_yf(PyGenObject *gen)
{
    if (gen->gi_frame_state != GEN_SUSPENDED) {
        return NULL;
    }
    PyVMFrame *f = FRAME_OF_GEN(gen);
    if ((f->flags & FRAME_JUMPED) || f->ip->op != OP_YIELD_FROM_VALUE) {
        return NULL;
    }
    return Py_NewRef(REG_PTR(f->regs[f->ip->b]));
}

static PyObject *close_generator(PyGenObject *gen);

/* 0, or -1 with an exception. */
static int
close_delegate(PyObject *delegate)
{
    PyObject *result = NULL;
    if (PyGen_CheckExact(delegate) || PyCoro_CheckExact(delegate)) {
        result = close_generator((PyGenObject *)delegate);
    }
    else {
        PyObject *method;
        if (_PyObject_LookupAttr(delegate, _Py_NAME(close), &method) < 0) {
            PyErr_WriteUnraisable(delegate);
        }
        if (method == NULL) {
            return 0;
        }
        result = PyObject_CallNoArgs(method);
        Py_DECREF(method);
    }
    if (result == NULL) {
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

/* While a delegate is closed or thrown into from outside, the generator counts as running. Returns
   its state, for end_waiting(). */
static int8_t
begin_waiting(PyGenObject *gen)
{
    int8_t state = gen->gi_frame_state;
    gen->gi_frame_state = GEN_EXECUTING;
    GEN_RESUME_KEY(gen) = JIT_NO_KEY;
    return state;
}

static void
end_waiting(PyGenObject *gen, int8_t state)
{
    gen->gi_frame_state = state;
}

/* If an exception is thrown into another generator, the frame is on the chain, too, between caller
   and delegate: tracebacks show it, as in CPython, where nothing else does this. */
static int
begin_running(PyThreadState *ts, PyGenObject *gen, int8_t *state)
{
    PyReg *top = _PyVM_StackTop(ts);
    if (top == NULL) {
        return -1;
    }
    PyVMFrame *f = FRAME_OF_GEN(gen);
    GEN_STACK_TOP(f) = top;
    f->previous = TS_FRAME(ts);
    TS_FRAME(ts) = f;
    *state = begin_waiting(gen);
    return 0;
}

static void
end_running(PyThreadState *ts, PyGenObject *gen, int8_t state)
{
    PyVMFrame *f = FRAME_OF_GEN(gen);
    TS_FRAME(ts) = f->previous;
    f->previous = NULL;
    end_waiting(gen, state);
}

/* close_delegate(), from the generator that waits for it. */
static int
close_from(PyGenObject *gen, PyObject *delegate)
{
    int8_t state = begin_waiting(gen);
    int err = close_delegate(delegate);
    end_waiting(gen, state);
    return err;
}

/* The delegate has ended or raised. If it dies now, the generator has not been resumed yet: the
   exception that it handles is not what a finalizer finds. Steals delegate. */
static void
drop_delegate(PyGenObject *gen, PyObject *delegate)
{
    PyVMFrame *f = FRAME_OF_GEN(gen);
    int8_t state = begin_waiting(gen);
    if (is_temp(f, f->ip->b)) {
        reg_set(&f->regs[f->ip->b], 0);
    }
    Py_DECREF(delegate);
    end_waiting(gen, state);
}

/* The delegate has ended with a value: the generator continues after its SEND
   loop, whose SEND stands right before the YIELD_FROM_VALUE. */
static PyObject *
finish_delegation(PyThreadState *ts, PyGenObject *gen, PyObject *value)
{
    PyVMFrame *f = FRAME_OF_GEN(gen);
    const PyInstr *send = f->ip - (1 + _PyOpcode_Info[OP_SEND].cache);
    const PyCacheWord *cache = (const PyCacheWord *)(send + 1);
    const PyInstr *target = f->ip + (int32_t)cache->arg;
    reg_set(&f->regs[send->c], (PyReg)value);
    if (is_temp(f, send->a)) {
        reg_set(&f->regs[send->a], 0);
    }
    f->ip = target - 1;     /* evaluation starts after ip */
    PyObject *result;
    if (run(ts, gen, 0, 0, &result) == PYGEN_RETURN) {
        return raise_stop(gen, result);
    }
    return result;
}

/* Raises the exception (a class or an instance, and so on) at the point of
   suspension. */
static PyObject *
throw_here(PyGenObject *gen, PyObject *type, PyObject *value,
           PyObject *traceback)
{
    if (traceback == Py_None) {
        traceback = NULL;
    }
    else if (traceback != NULL && !PyTraceBack_Check(traceback)) {
        PyErr_SetString(PyExc_TypeError,
                        "throw() third argument must be a traceback object");
        return NULL;
    }
    Py_INCREF(type);
    Py_XINCREF(value);
    Py_XINCREF(traceback);
    if (PyExceptionClass_Check(type)) {
        PyErr_NormalizeException(&type, &value, &traceback);
    }
    else if (PyExceptionInstance_Check(type)) {
        if (value != NULL && value != Py_None) {
            PyErr_SetString(PyExc_TypeError,
                            "instance exception may not have a separate value");
            goto failed;
        }
        Py_XSETREF(value, type);
        type = Py_NewRef((PyObject *)Py_TYPE(value));
        if (traceback == NULL) {
            traceback = PyException_GetTraceback(value);
        }
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "exceptions must be classes or instances "
                     "deriving from BaseException, not %s",
                     Py_TYPE(type)->tp_name);
        goto failed;
    }
    PyErr_Restore(type, value, traceback);
    return resume_or_stop(gen, Py_None, 1, 0);
failed:
    Py_DECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return NULL;
}

PyObject *
_PyGen_Throw(PyGenObject *gen, int close_on_exit, PyObject *type,
             PyObject *value, PyObject *traceback)
{
    PyThreadState *ts = _PyThreadState_GET();
    PyObject *delegate = _PyGen_yf(gen);
    if (delegate == NULL) {
        return throw_here(gen, type, value, traceback);
    }
    int8_t state;
    PyObject *result = NULL;
    if (close_on_exit
        && PyErr_GivenExceptionMatches(type, PyExc_GeneratorExit)) {
        int err = close_from(gen, delegate);
        Py_DECREF(delegate);
        return err < 0 ? resume_or_stop(gen, Py_None, 1, 0)
                       : throw_here(gen, type, value, traceback);
    }
    if (PyGen_CheckExact(delegate) || PyCoro_CheckExact(delegate)) {
        if (begin_running(ts, gen, &state) == 0) {
            result = _PyGen_Throw((PyGenObject *)delegate, close_on_exit, type,
                                  value, traceback);
            end_running(ts, gen, state);
        }
    }
    else {
        PyObject *method;
        if (_PyObject_LookupAttr(delegate, _Py_NAME(throw), &method) < 0) {
            Py_DECREF(delegate);
            return NULL;
        }
        if (method == NULL) {
            Py_DECREF(delegate);
            return throw_here(gen, type, value, traceback);
        }
        state = begin_waiting(gen);
        result = PyObject_CallFunctionObjArgs(method, type, value, traceback, NULL);
        end_waiting(gen, state);
        Py_DECREF(method);
    }
    if (result != NULL) {
        Py_DECREF(delegate);
        return result;
    }
    drop_delegate(gen, delegate);
    PyObject *ended;
    if (_PyGen_FetchStopIterationValue(&ended) == 0) {
        return finish_delegation(ts, gen, ended);
    }
    return resume_or_stop(gen, Py_None, 1, 0);
}

PyObject *
_PyGen_ThrowArgs(PyGenObject *gen, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("throw", nargs, 1, 3)) {
        return NULL;
    }
    return _PyGen_Throw(gen, 1, args[0], nargs > 1 ? args[1] : NULL,
                        nargs > 2 ? args[2] : NULL);
}

static PyObject *
gen_throw(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return _PyGen_ThrowArgs((PyGenObject *)self, args, nargs);
}

/* Would GeneratorExit end the generator without anybody seeing it? Most that are closed have no
   handler where they are and delegate to nothing: those of a generator expression that any() or
   next() has left, say. */
static int
ends_unseen(PyThreadState *ts, PyGenObject *gen)
{
    PyVMFrame *f = FRAME_OF_GEN(gen);
    PyVMCode *code = f->code;
    return gen->gi_frame_state < GEN_EXECUTING && gen->gi_exc_state.exc_value == NULL
           && !(f->flags & FRAME_JUMPED) && f->ip->op != OP_YIELD_FROM_VALUE
           && TS_STACK(ts) != 0 && !TS_IMPL(ts)->watched && !_PyObserve_IsWanted(ts)
           && !PROBE_IS_ATTACHED(exception__raise)
           && (code->nhandlers == 0
               || _PyCode_FindHandler(code, (uint32_t)(f->ip - code->code)) == NULL);
}

/* An observer that a finalizer installs meanwhile hears of the end. -1: it has raised. (If an
   exception has been set before, that stays.) */
static int
end_unseen(PyThreadState *ts, PyGenObject *gen)
{
    PyVMFrame *f = FRAME_OF_GEN(gen);
    int8_t state;
    int err = 0;
    (void)begin_running(ts, gen, &state);
    _PyVM_ReleaseTemporaries(f, f->code->first_temp);
    if (unlikely(_PyObserve_IsWanted(ts))) {
        PyObject *type, *value, *traceback;
        _PyErr_Fetch(ts, &type, &value, &traceback);
        _PyErr_SetNone(ts, PyExc_GeneratorExit);
        err = _PyVM_observers.frame(ts, f, PyTrace_RETURN, NULL);
        if (err < 0 && type != NULL) {
            PyErr_WriteUnraisable((PyObject *)gen->gi_code);
            err = 0;
        }
        if (err == 0) {
            _PyErr_Restore(ts, type, value, traceback);
        }
    }
    end_running(ts, gen, GEN_CLEARED);
    _PyVM_ClearFrame(ts, f);
    return err;
}

static PyObject *
close_generator(PyGenObject *gen)
{
    PyThreadState *ts = _PyThreadState_GET();
    if (ends_unseen(ts, gen)) {
        return end_unseen(ts, gen) < 0 ? NULL : Py_NewRef(Py_None);
    }
    PyObject *delegate = _PyGen_yf(gen);
    int err = 0;
    if (delegate != NULL) {
        err = close_from(gen, delegate);
        Py_DECREF(delegate);
    }
    if (err == 0) {
        PyErr_SetNone(PyExc_GeneratorExit);
    }
    PyObject *result = resume_or_stop(gen, Py_None, 1, 1);
    if (result != NULL) {
        Py_DECREF(result);
        PyErr_Format(PyExc_RuntimeError, "%s ignored GeneratorExit",
                     kind_name(gen));
        return NULL;
    }
    if (PyErr_ExceptionMatches(PyExc_StopIteration)
        || PyErr_ExceptionMatches(PyExc_GeneratorExit)) {
        PyErr_Clear();
        return Py_NewRef(Py_None);
    }
    return NULL;
}

static PyObject *
gen_close(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return close_generator((PyGenObject *)self);
}

/* -------------------------------------------------------- end of the object */

void
_PyGen_Finalize(PyObject *self)
{
    PyGenObject *gen = (PyGenObject *)self;
    if (gen->gi_frame_state >= GEN_COMPLETED) {
        return;
    }
    PyObject *type, *value, *traceback, *result = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *hook = PyAsyncGen_CheckExact(self) ? gen->gi_origin_or_finalizer
                                                 : NULL;
    if (hook != NULL && !gen->gi_closed) {
        result = PyObject_CallOneArg(hook, self);
    }
    else if (PyCoro_CheckExact(self) && gen->gi_frame_state == GEN_CREATED) {
        _PyErr_WarnUnawaitedCoroutine(self);
    }
    else {
        result = close_generator(gen);
    }
    if (result == NULL) {
        if (PyErr_Occurred()) {
            PyErr_WriteUnraisable(self);
        }
    }
    else {
        Py_DECREF(result);
    }
    PyErr_Restore(type, value, traceback);
}

/* All that it still refers to lives on. */
int
_PyGen_FreeEnded(PyObject *self)
{
    PyGenObject *gen = (PyGenObject *)self;
    /* (Both names may be one object.) */
    if (gen->gi_frame_state != GEN_CLEARED || gen->gi_weakreflist != NULL
        || gen->gi_origin_or_finalizer != NULL || gen->gi_exc_state.exc_value != NULL
        || Py_REFCNT(gen->gi_code) < 2 || Py_REFCNT(gen->gi_name) < 3
        || Py_REFCNT(gen->gi_qualname) < 3) {
        return 0;
    }
    ((PyObject *)gen->gi_code)->ob_refcnt--;
    gen->gi_name->ob_refcnt--;
    gen->gi_qualname->ob_refcnt--;
    _PyObject_GC_UNTRACK(self);
    PyObject_GC_Del(self);
    return 1;
}

void
_PyGen_Dealloc(PyObject *self)
{
    PyGenObject *gen = (PyGenObject *)self;
    _PyObject_GC_UNTRACK(self);
    if (gen->gi_weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    PyThreadState *ts = _PyThreadState_GET();
    if (PyGen_CheckExact(self) && ends_unseen(ts, gen) && end_unseen(ts, gen) < 0) {
        PyErr_WriteUnraisable((PyObject *)gen->gi_code);
    }
    if (gen->gi_frame_state < GEN_COMPLETED) {
        _PyObject_GC_TRACK(self);
        if (PyObject_CallFinalizerFromDealloc(self) < 0) {
            return;
        }
        _PyObject_GC_UNTRACK(self);
    }
    if (gen->gi_frame_state < GEN_COMPLETED) {
        gen->gi_frame_state = GEN_CLEARED;
        _PyVM_ClearFrame(ts, FRAME_OF_GEN(gen));
    }
    Py_CLEAR(gen->gi_origin_or_finalizer);
    Py_CLEAR(gen->gi_exc_state.exc_value);
    Py_CLEAR(gen->gi_name);
    Py_CLEAR(gen->gi_qualname);
    PyCodeObject *code = gen->gi_code;
    PyObject_GC_Del(gen);
    Py_XDECREF(code);
}

int
_PyGen_Traverse(PyObject *self, visitproc visit, void *arg)
{
    PyGenObject *gen = (PyGenObject *)self;
    Py_VISIT(gen->gi_code);
    Py_VISIT(gen->gi_name);
    Py_VISIT(gen->gi_qualname);
    Py_VISIT(gen->gi_origin_or_finalizer);
    Py_VISIT(gen->gi_exc_state.exc_value);
    /* A running frame changes all the time; its caller holds a reference to us. */
    if (gen->gi_frame_state < GEN_EXECUTING) {
        return _PyFrame_TraverseVM(FRAME_OF_GEN(gen), visit, arg);
    }
    return 0;
}

PyObject *
_PyGen_Repr(PyObject *self)
{
    PyGenObject *gen = (PyGenObject *)self;
    const char *kind = PyCoro_CheckExact(self) ? "coroutine"
                     : PyAsyncGen_CheckExact(self) ? "async_generator"
                     : "generator";
    return PyUnicode_FromFormat("<%s object %S at %p>", kind, gen->gi_qualname,
                                self);
}

PyObject *
_PyGen_SizeOf(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSize_t(size_for(_PyVMCode_CAST(((PyGenObject *)self)->gi_code)));
}

/* --------------------------------------------------------------- attributes */

PyObject *
_PyGen_GetName(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(((PyGenObject *)self)->gi_name);
}

int
_PyGen_SetName(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL || !PyUnicode_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__name__ must be set to a string object");
        return -1;
    }
    Py_SETREF(((PyGenObject *)self)->gi_name, Py_NewRef(value));
    return 0;
}

PyObject *
_PyGen_GetQualName(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(((PyGenObject *)self)->gi_qualname);
}

int
_PyGen_SetQualName(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL || !PyUnicode_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__qualname__ must be set to a string object");
        return -1;
    }
    Py_SETREF(((PyGenObject *)self)->gi_qualname, Py_NewRef(value));
    return 0;
}

/* closure: the name of the attribute, for the audit event. */
PyObject *
_PyGen_GetFrame(PyObject *self, void *closure)
{
    PyGenObject *gen = (PyGenObject *)self;
    if (PySys_Audit("object.__getattr__", "Os", self, (const char *)closure) < 0) {
        return NULL;
    }
    if (gen->gi_frame_state >= GEN_COMPLETED) {
        return Py_NewRef(Py_None);
    }
    return Py_XNewRef((PyObject *)_PyFrame_GetFrameObject(FRAME_OF_GEN(gen)));
}

PyObject *
_PyGen_GetCode(PyObject *self, void *closure)
{
    if (PySys_Audit("object.__getattr__", "Os", self, (const char *)closure) < 0) {
        return NULL;
    }
    return Py_NewRef((PyObject *)((PyGenObject *)self)->gi_code);
}

static PyObject *
gen_getrunning(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((PyGenObject *)self)->gi_frame_state
                           == GEN_EXECUTING);
}

static PyObject *
gen_getsuspended(PyObject *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((PyGenObject *)self)->gi_frame_state
                           == GEN_SUSPENDED);
}

PyObject *
_PyGen_GetYieldFrom(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *delegate = _PyGen_yf((PyGenObject *)self);
    return delegate != NULL ? delegate : Py_NewRef(Py_None);
}

PyDoc_STRVAR(send_doc,
"send(arg) -> send 'arg' into generator,\n"
"return next yielded value or raise StopIteration.");
PyDoc_STRVAR(throw_doc,
"throw(value)\nthrow(type[,value[,tb]])\n\n"
"Raise an exception in generator, where it is suspended; return the next\n"
"value that it yields, or raise StopIteration.");
PyDoc_STRVAR(close_doc,
"close() -> raise GeneratorExit inside generator.");
PyDoc_STRVAR(sizeof_doc, "gen.__sizeof__() -> size of gen in memory, in bytes");

static PyMethodDef gen_methods[] = {
    {"send", gen_send, METH_O, send_doc},
    {"throw", FAST(gen_throw), throw_doc},
    {"close", gen_close, METH_NOARGS, close_doc},
    {"__sizeof__", _PyGen_SizeOf, METH_NOARGS, sizeof_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef gen_getset[] = {
    {"__name__", _PyGen_GetName, _PyGen_SetName, "name of the generator", NULL},
    {"__qualname__", _PyGen_GetQualName, _PyGen_SetQualName,
     "qualified name of the generator", NULL},
    {"gi_yieldfrom", _PyGen_GetYieldFrom, NULL,
     "object being iterated by yield from, or None", NULL},
    {"gi_running", gen_getrunning, NULL, NULL, NULL},
    {"gi_frame", _PyGen_GetFrame, NULL, NULL, "gi_frame"},
    {"gi_suspended", gen_getsuspended, NULL, NULL, NULL},
    {"gi_code", _PyGen_GetCode, NULL, NULL, "gi_code"},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyAsyncMethods gen_as_async = {.am_send = _PyGen_AmSend};

PyTypeObject PyGen_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "generator",
    .tp_basicsize = _PyGen_BASICSIZE,
    .tp_itemsize = sizeof(PyReg),
    .tp_dealloc = _PyGen_Dealloc,
    .tp_as_async = &gen_as_async,
    .tp_repr = _PyGen_Repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = _PyGen_Traverse,
    .tp_weaklistoffset = offsetof(PyGenObject, gi_weakreflist),
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = _PyVM_GenNext,
    .tp_methods = gen_methods,
    .tp_getset = gen_getset,
    .tp_finalize = _PyGen_Finalize,
};

/* --------------------------------------------------------------- coroutines */

static int
is_iterable_coroutine(PyObject *op)
{
    return PyGen_CheckExact(op)
           && (((PyGenObject *)op)->gi_code->co_flags & CO_ITERABLE_COROUTINE);
}

PyObject *
_PyCoro_GetAwaitableIter(PyObject *op)
{
    if (PyCoro_CheckExact(op) || is_iterable_coroutine(op)) {
        return Py_NewRef(op);
    }
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_as_async == NULL || type->tp_as_async->am_await == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "object %.100s can't be used in 'await' expression",
                     type->tp_name);
        return NULL;
    }
    PyObject *iterator = type->tp_as_async->am_await(op);
    if (iterator == NULL) {
        return NULL;
    }
    if (PyCoro_CheckExact(iterator) || is_iterable_coroutine(iterator)) {
        PyErr_SetString(PyExc_TypeError, "__await__() returned a coroutine");
        Py_CLEAR(iterator);
    }
    else if (!PyIter_Check(iterator)) {
        PyErr_Format(PyExc_TypeError,
                     "__await__() returned non-iterator of type '%.100s'",
                     Py_TYPE(iterator)->tp_name);
        Py_CLEAR(iterator);
    }
    return iterator;
}

PyObject *
_PyCoro_GetAnext(PyObject *iterator)
{
    PyAsyncMethods *methods = Py_TYPE(iterator)->tp_as_async;
    if (PyAsyncGen_CheckExact(iterator)) {
        return methods->am_anext(iterator);
    }
    if (methods == NULL || methods->am_anext == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "'async for' requires an iterator with __anext__ method, got %.100s",
                     Py_TYPE(iterator)->tp_name);
        return NULL;
    }
    PyObject *next = methods->am_anext(iterator);
    if (next == NULL) {
        return NULL;
    }
    PyObject *awaitable = _PyCoro_GetAwaitableIter(next);
    if (awaitable == NULL) {
        _PyErr_FormatFromCause(PyExc_TypeError,
                               "'async for' received an invalid object from __anext__: %.100s",
                               Py_TYPE(next)->tp_name);
    }
    Py_DECREF(next);
    return awaitable;
}

/* What coroutine.__await__() returns. */
typedef struct {
    PyObject_HEAD
    PyCoroObject *coroutine;
} coroutine_wrapper;

#define WRAPPED(op) ((PyGenObject *)((coroutine_wrapper *)(op))->coroutine)

static PyObject *
coro_await(PyObject *coro)
{
    coroutine_wrapper *wrapper =
        PyObject_GC_New(coroutine_wrapper, &_PyCoroWrapper_Type);
    if (wrapper == NULL) {
        return NULL;
    }
    wrapper->coroutine = (PyCoroObject *)Py_NewRef(coro);
    _PyObject_GC_TRACK((PyObject *)wrapper);
    return (PyObject *)wrapper;
}

static PyObject *
coro_get_origin(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *origin = ((PyCoroObject *)self)->cr_origin_or_finalizer;
    return Py_NewRef(origin != NULL ? origin : Py_None);
}

static PyMethodDef coro_methods[] = {
    {"send", gen_send, METH_O,
     "send(arg) -> send 'arg' into coroutine,\n"
     "return next iterated value or raise StopIteration."},
    {"throw", FAST(gen_throw),
     "throw(value)\nthrow(type[,value[,traceback]])\n\n"
     "Raise an exception in coroutine, where it is suspended; return the next\n"
     "value that it gives, or raise StopIteration."},
    {"close", gen_close, METH_NOARGS,
     "close() -> raise GeneratorExit inside coroutine."},
    {"__sizeof__", _PyGen_SizeOf, METH_NOARGS, sizeof_doc},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef coro_getset[] = {
    {"__name__", _PyGen_GetName, _PyGen_SetName, "name of the coroutine", NULL},
    {"__qualname__", _PyGen_GetQualName, _PyGen_SetQualName,
     "qualified name of the coroutine", NULL},
    {"cr_await", _PyGen_GetYieldFrom, NULL,
     "object being awaited on, or None", NULL},
    {"cr_running", gen_getrunning, NULL, NULL, NULL},
    {"cr_frame", _PyGen_GetFrame, NULL, NULL, "cr_frame"},
    {"cr_suspended", gen_getsuspended, NULL, NULL, NULL},
    {"cr_code", _PyGen_GetCode, NULL, NULL, "cr_code"},
    {"cr_origin", coro_get_origin, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyAsyncMethods coro_as_async = {
    .am_await = coro_await,
    .am_send = _PyGen_AmSend,
};

PyTypeObject PyCoro_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "coroutine",
    .tp_basicsize = _PyGen_BASICSIZE,
    .tp_itemsize = sizeof(PyReg),
    .tp_dealloc = _PyGen_Dealloc,
    .tp_as_async = &coro_as_async,
    .tp_repr = _PyGen_Repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = _PyGen_Traverse,
    .tp_weaklistoffset = offsetof(PyCoroObject, cr_weakreflist),
    .tp_methods = coro_methods,
    .tp_getset = coro_getset,
    .tp_finalize = _PyGen_Finalize,
};

static void
wrapper_dealloc(PyObject *self)
{
    _PyObject_GC_UNTRACK(self);
    Py_CLEAR(((coroutine_wrapper *)self)->coroutine);
    PyObject_GC_Del(self);
}

static int
wrapper_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((coroutine_wrapper *)self)->coroutine);
    return 0;
}

static PyObject *
wrapper_iternext(PyObject *self)
{
    return _PyVM_GenNext((PyObject *)WRAPPED(self));
}

static PyObject *
wrapper_send(PyObject *self, PyObject *value)
{
    return _PyGen_SendValue(WRAPPED(self), value);
}

static PyObject *
wrapper_throw(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return _PyGen_ThrowArgs(WRAPPED(self), args, nargs);
}

static PyObject *
wrapper_close(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return close_generator(WRAPPED(self));
}

static PyMethodDef wrapper_methods[] = {
    {"send", wrapper_send, METH_O, NULL},
    {"throw", FAST(wrapper_throw), NULL},
    {"close", wrapper_close, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject _PyCoroWrapper_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "coroutine_wrapper",
    .tp_basicsize = sizeof(coroutine_wrapper),
    .tp_dealloc = wrapper_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "A wrapper object implementing __await__ for coroutines.",
    .tp_traverse = wrapper_traverse,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = wrapper_iternext,
    .tp_methods = wrapper_methods,
};
