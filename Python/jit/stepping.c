/* SPRINGBOARD_JIT=steps: the "machine code" of every function is run(), which executes its
   instructions by single steps. It tests the border between the interpreter and machine
   code (internal/jit.h): calls nest, values go through RET_NATIVE, and frames leave when
   something begins to observe them. They also leave after some number of instructions, as
   when a guard fails. */
#include "Python.h"
#include "internal/jit.h"
#include "internal/monitoring.h"
#include "internal/pystate.h"
#include "stepping.h"

/* Each word of the bytecode is its own place. Offsets begin with one word, since 0 means none. */
#define OFFSET_OF(index) ((uint32_t)(((index) + 1) * sizeof(PyInstr)))

/* PyInstr.line does not belong to the opcode. */
#define STEP_WORD(ip) ((ip)->word & ~(uint64_t)0xff00)

/* Is this where a guard would fail? From 1 to 256 instructions after the last time. */
static int
leaves_here(void)
{
    static uint32_t random = 1, left = 1;
    if (--left > 0) {
        return 0;
    }
    random = random * 1664525 + 1013904223;
    left = 1 + (random >> 24);
    return 1;
}

static PyReg
take_steps(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    while (_PyThreadState_IMPL(ts)->native_ok && !leaves_here()
           && _PyMonitor_LeavesAlone(f->code, ts->interp->monitors)) {
        _PyVM_ShowStep(f, ip, ts);
        PyStep step = _PyVM_steps[ip->op](f, ip, ts, NULL, STEP_WORD(ip));
        if (step.f != f && step.f != NULL) {
            step = _PyVM_FinishStep(f, ip, ts, step.f);
        }
        if (step.f == NULL) {
            return (PyReg)step.ip;
        }
        ip = step.ip;
    }
    return _PyVM_GoOnInterpreted(f, ip, ts);
}

static PyReg
enter(PyVMFrame *f, PyThreadState *ts)
{
    return _PyVM_RunSteps(f, f->ip + 1, ts, take_steps);
}

static PyReg
enter_at(PyVMFrame *f, PyThreadState *ts, const void *place)
{
    return _PyVM_RunSteps(f, place, ts, take_steps);
}

int
_PyJit_MakeStepping(PyVMCode *code)
{
    PyJitCode *jit = PyMem_RawCalloc(1, sizeof(*jit));
    uint32_t *places = PyMem_RawCalloc(code->ninstr, sizeof(*places));
    if (jit == NULL || places == NULL) {
        PyMem_RawFree(jit);
        PyMem_RawFree(places);
        return 0;
    }
    for (uint32_t i = 0; i < code->ninstr; i++) {
        places[i] = OFFSET_OF(i);
    }
    *jit = (PyJitCode){
        .entry = enter,
        .entry_at = enter_at,
        .start = (const char *)(code->code - 1),
        .size = OFFSET_OF(code->ninstr),
        .places = places,
    };
    code->jit = jit;
    return 1;
}

void
_PyJit_FreeStepping(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    code->jit = NULL;
    PyMem_RawFree(jit->places);
    PyMem_RawFree(jit);
}
