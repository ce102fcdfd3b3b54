/* The registers and the frame of what has ended, emptied. */
#include "vm.h"

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
_PyVM_ReleaseVariables(PyVMFrame *f)
{
    begin_leaving(f);
    _PyVM_ReleaseRegs(f, 0, f->code->first_temp);
}

void
_PyVM_ReleaseTemporaries(PyVMFrame *f, unsigned depth)
{
    for (unsigned i = f->code->nregs; i-- > depth;) {
        PyReg value = f->regs[i];
        f->regs[i] = 0;
        reg_release(value);
    }
}

/* end: what is alive in its registers is below. */
static inline __attribute__((always_inline)) void
clear(PyThreadState *ts, PyVMFrame *f, unsigned end)
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
    begin_leaving(f);
    _PyVM_ReleaseRegs(f, 0, end);
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

void
_PyVM_ClearFrame(PyThreadState *ts, PyVMFrame *f)
{
    clear(ts, f, f->code->nregs);
}

void
_PyVM_ClearReturned(PyThreadState *ts, PyVMFrame *f)
{
    clear(ts, f, f->code->first_temp);
}
