/* What happens when an exception is set: the traceback entry, the search for a
   handler, and the end of frames that have none. */
#include "vm.h"
#include "internal/traceback.h"
#include "internal/observe.h"
#include "frameobject.h"

void
_PyVM_ReleaseRegs(PyVMFrame *f, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++) {
        PyReg value = f->regs[i];
        f->regs[i] = 0;
        reg_release(value);
    }
}

void
_PyVM_ClearFrame(PyThreadState *ts, PyVMFrame *f)
{
    PyFrameObject *frame_obj = f->frame_obj;
    if (frame_obj != NULL) {
        if (f->flags & FRAME_UNBOUND) {
            _PyVM_TrustVariables(ts, f);
        }
        if (Py_REFCNT(frame_obj) > 1) {
            _PyFrame_TakeOver(ts, frame_obj, f);
            f->frame_obj = NULL;
            Py_DECREF(frame_obj);
            return;
        }
        f->frame_obj = NULL;
        _PyFrame_Detach(frame_obj);
        Py_DECREF(frame_obj);
    }
    _PyVM_ReleaseRegs(f, 0, f->code->nregs);
    Py_CLEAR(f->locals);
    if (unlikely(f->frame_obj != NULL)) {
        /* A destructor has asked for the frame object. */
        _PyVM_ClearFrame(ts, f);
        return;
    }
    PyObject *func = f->func;
    _PyVM_RetireFrame(ts, f);
    memset(f, 0, sizeof(*f));
    Py_XDECREF(func);
}

static void
add_traceback(PyThreadState *ts, PyVMFrame *f)
{
    (void)ts;
    PyFrameObject *frame_obj = _PyFrame_GetFrameObject(f);
    if (frame_obj != NULL) {
        PyTraceBack_Here(frame_obj);
    }
}

/* For a frame that ends in a handler's clean-up, which has no line of its own: makes it
   show where the exception came from. */
static void
show_origin(PyThreadState *ts, PyVMFrame *f)
{
    PyTracebackObject *tb = (PyTracebackObject *)ts->curexc_traceback;
    PyVMCode *code = f->code;
    if (f->ip->op == OP_RERAISE && tb != NULL
        && f->frame_obj != NULL && tb->tb_frame == f->frame_obj
        && tb->tb_lasti >= 0 && tb->tb_lasti / 2 < (int)code->ninstr
        && _PyCode_LineOf(code, f->ip - code->code) < 0) {
        f->ip = code->code + tb->tb_lasti / 2;
    }
}

/* Code that reports an error should have set an exception. If it has not, or a destructor
   has lost it, this raises SystemError. f: NULL if the frame is gone. */
static __attribute__((noinline)) void
complain_of_lost_exception(PyThreadState *ts, PyVMFrame *f)
{
    if (f == NULL) {
        _PyErr_SetString(ts, PyExc_SystemError, "error return without exception set");
    }
    else {
        _PyErr_Format(ts, PyExc_SystemError, "error return without exception set: %s in %U()",
                      _PyOpcode_Info[f->ip->op].name, f->code->ob.co_qualname);
    }
#ifdef SB_DEBUG
    _PyErr_Print(ts);
    Py_FatalError("an exception is lost");
#endif
}

static inline void
expect_exception(PyThreadState *ts, PyVMFrame *f)
{
    if (unlikely(ts->curexc_type == NULL)) {
        complain_of_lost_exception(ts, f);
    }
}

#ifdef SB_DEBUG
void
_PyVM_AssertNoException(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    if (ts->curexc_type != NULL) {
        fprintf(stderr, "%s(), before %s at word %zd:\n",
                PyUnicode_AsUTF8(f->code->ob.co_qualname), _PyOpcode_Info[ip->op].name,
                (Py_ssize_t)(ip - f->code->code));
        _PyErr_Print(ts);
        Py_FatalError("an instruction has given a result with an exception set");
    }
}
#endif

/* Goes to the innermost handler for the exception in flight: in this frame,
   or in one below it up to the entry of the VM. NULL: no handler, and the
   entry frame has ended. f->ip stays at the instruction that raised, so that a
   tracer sees the step from its line to the handler's. shown: frames may have
   records. */
static PyVMFrame *
unwind(PyThreadState *ts, PyVMFrame *f, int new_entry, int shown,
       const PyInstr **target)
{
    for (;;) {
        expect_exception(ts, f);
        if (new_entry) {
            add_traceback(ts, f);
            if (ts->c_tracefunc != NULL) {
                _PyVM_observers.exception(ts, f);
            }
        }
        PyVMCode *code = f->code;
        uint32_t at = (uint32_t)(f->ip - code->code);
        const PyHandlerRange *range =
            code->nhandlers ? _PyCode_FindHandler(code, at) : NULL;
        if (range != NULL) {
            _PyVM_ReleaseRegs(f, range->depth, code->nregs);
            expect_exception(ts, f);
            PyObject *exc = _PyErr_GetRaised(ts);
            reg_set(&f->regs[range->exc], (PyReg)exc);
            *target = code->code + range->target;
            return f;
        }
        show_origin(ts, f);
        if (_PyObserve_IsWanted(ts)) {
            _PyVM_observers.frame(ts, f, PyTrace_RETURN, NULL);
        }
        PyVMFrame *previous = f->previous;
        int ret = f->ret;
        unsigned flags = f->flags;
        if (f->owner == FRAME_GENERATOR) {
            PyGenObject *gen = GEN_OF_FRAME(f);
            _PyGen_ConvertStop(ts, gen);
            _PyVM_LeaveGenerator(ts, f, GEN_COMPLETED);
            _PyVM_ClearFrame(ts, f);
        }
        else {
            if (ret == RET_INIT) {
                reg_release(take_instance(f));
            }
            _PyVM_ClearFrame(ts, f);
        }
        leave_python_frame(ts, flags);
        TS_FRAME(ts) = previous;
        if (ret == RET_ENTRY) {
            expect_exception(ts, NULL);
            return NULL;
        }
        if (shown) {
            take_record_back(ts, f);
        }
        f = previous;
        if (ret == RET_REG || ret == RET_METHOD) {
            _PyVM_GetterFailed(f);
        }
        if (ret == RET_REG) {
            const PyInstr *end = _PyVM_EndOfLoop(ts, f);
            if (end != NULL) {
                *target = end;
                return f;
            }
        }
        new_entry = 1;
    }
}

PyObject *
_PyVM_Error(VM_PARAMS)
{
    SAVE_IP();
    const PyInstr *target;
    f = unwind(ts, f, 1, table != &_PyVM_default_table, &target);
    if (f == NULL) {
        return NULL;
    }
    ip = target;
    RELOAD();
    DISPATCH();
}

PyObject *
_PyVM_Reraise(VM_PARAMS)
{
    SAVE_IP();
    const PyInstr *target;
    f = unwind(ts, f, 0, table != &_PyVM_default_table, &target);
    if (f == NULL) {
        return NULL;
    }
    ip = target;
    RELOAD();
    DISPATCH();
}
