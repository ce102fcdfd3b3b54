/* When an exception is set: the traceback entry, the search for a handler, and
   the end of frames that have none. */
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
        /* A destructor asked for the frame. */
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

/* A frame that ends in a handler's clean-up, which has no line of its own, shows
   where the exception came from. */
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
        if (new_entry) {
            add_traceback(ts, f);
            if (ts->c_tracefunc != NULL) {
                _PyObserve_Exception(ts, f);
            }
        }
        PyVMCode *code = f->code;
        uint32_t at = (uint32_t)(f->ip - code->code);
        const PyHandlerRange *range =
            code->nhandlers ? _PyCode_FindHandler(code, at) : NULL;
        if (range != NULL) {
            _PyVM_ReleaseRegs(f, range->depth, code->nregs);
            PyObject *exc = _PyErr_GetRaised(ts);
            reg_set(&f->regs[range->exc], (PyReg)exc);
            *target = code->code + range->target;
            return f;
        }
        show_origin(ts, f);
        if (_PyObserve_IsWanted(ts)) {
            _PyObserve_Unwind(ts, f);
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
