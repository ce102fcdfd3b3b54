/* The compiler: which functions become machine code, and when.

   A function that is warm is recorded first: its next calls and rounds are run step by step,
   and what their operands are is noted (record.c). Then it is compiled. Machine code whose
   guards keep failing is thrown away, and its function is recorded and compiled anew; where it
   failed, handlers are called from then on. After MOST_VERSIONS a function stays with the
   interpreter. */
#include "Python.h"
#include "ir.h"
#include "record.h"
#include "stepping.h"
#include "lower.h"
#include "../vm/vm.h"

PyJitCode *_PyJit_Installed;
void (*_PyJit_Publish)(const PyJitCode *);

#define MOST_VERSIONS 4
/* Longer functions are not compiled: the sets of what is alive grow with the square. */
#define MOST_INSTRUCTIONS 30000
/* So many exits of one version are too many. */
#define MOST_EXITS 200

/* A call of a handler costs so much more than the interpreter's way to it, counted in what an
   instruction with code of its own gains. */
#define STEP_LOSS 3

/* Would the function gain by being compiled, by what was executed while it was recorded? */
static int
gains(const JitGraph *g, const uint16_t *counts)
{
    if (_PyJit_Enabled > JIT_ON) {
        return 1;
    }
    int64_t gain = 0;
    for (uint32_t ip = 0; ip < g->code->ninstr; ip++) {
        gain += counts[ip];
    }
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        const JitNode *n = &g->nodes[ref];
        if (n->op == JIT_STEP_NODE || n->op == JIT_STEP_BRANCH_NODE
            || n->op == JIT_STEP_END_NODE) {
            gain -= (int64_t)counts[n->imm] * (STEP_LOSS + 1);
        }
    }
    return gain > 0;
}

/* It stays with the interpreter. */
static void
decline(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    jit->declined = 1;
    jit->recording = 0;
    memset(jit->places, 0, code->ninstr * sizeof(uint32_t));
    code->native_entry = _PyCode_DefaultEntry;
    for (uint32_t at = 0; at < code->ninstr;
         at += 1u + _PyOpcode_Info[code->code[at].op].cache) {
        PyInstr *in = &code->code[at];
        if (in->op == OP_RESUME__NATIVE || in->op == OP_JUMP_BACK__NATIVE) {
            in->op = (uint8_t)_PyOpcode_Info[in->op].base;
        }
    }
}

int
_PyJit_Compile(PyVMCode *code, PyFunctionObject *func)
{
    PyJitCode *old = code->jit;
    JitGraph *g = _PyJit_Build(code, func, old->kinds, old->refused, old->outside);
    if (g == NULL || !gains(g, old->counts)) {
        if (g != NULL) {
            _PyJit_FreeGraph(g);
        }
        decline(code);
        return 0;
    }
    _PyJit_DropDead(g);
    PyJitCode *jit = NULL;
    const char *wanted = getenv("SPRINGBOARD_JIT_DUMP");
    int shown = wanted != NULL
        && (strcmp(wanted, "all") == 0
            || strcmp(wanted, PyUnicode_AsUTF8(code->ob.co_name)) == 0);
    g->shown = shown;
    if (shown) {
        _PyJit_Dump(g);
    }
    if (!g->failed && _PyJit_Verify(g)) {
        jit = _PyJit_Lower(g);
    }
    _PyJit_FreeGraph(g);
    if (jit == NULL) {
        decline(code);
        return 0;
    }
    if (shown) {
        fprintf(stderr, "machine code: %p, %zu bytes\n", (const void *)jit->start, jit->size);
    }
    jit->kinds = old->kinds;
    jit->refused = old->refused;
    jit->outside = old->outside;
    jit->counts = old->counts;
    jit->versions = (uint8_t)(old->versions + 1);
    jit->earlier = old;         /* frames may be running in it */
    jit->code = code;
    jit->next = _PyJit_Installed;
    jit->installed_at = &_PyJit_Installed;
    if (jit->next != NULL) {
        jit->next->installed_at = &jit->next;
    }
    _PyJit_Installed = jit;
    if (_PyJit_Publish != NULL) {
        _PyJit_Publish(jit);
    }
    code->jit = jit;
    code->native_entry = (void *)jit->entry;
    _PyVM_MarkNative(code);
    return 1;
}

int
_PyJit_Warm(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    (void)ts;
    PyVMCode *code = f->code;
    if (_PyJit_Enabled == JIT_STEPS) {
        return code->jit != NULL || _PyJit_MakeStepping(code);
    }
    if (code->ninstr > MOST_INSTRUCTIONS) {
        return 0;
    }
    PyJitCode *jit = code->jit;
    if (jit == NULL && !_PyJit_StartRecording(code)) {
        return 0;
    }
    jit = code->jit;
    if (jit->declined) {
        return 0;
    }
    int is_loop = _PyOpcode_Info[ip->op].base == OP_JUMP_BACK;
    if (is_loop) {
        jit->outside[ip + 1 + ip->bc - code->code] = 1;
        if (jit->versions > 0 && jit->versions < MOST_VERSIONS) {
            /* It is compiled, but not for those who are in this loop already. */
            _PyJit_RecordAgain(code);
        }
    }
    return 1;
}

/* A guard of the instruction has failed. */
void
_PyJit_HasLeft(PyVMFrame *f, uint32_t at)
{
    PyJitCode *jit = f->code->jit;
    if (jit == NULL || jit->refused == NULL || jit->declined) {
        return;
    }
    _PyJit_RecordOperands(jit->kinds, f, &f->code->code[at]);
    if (++jit->exits >= MOST_EXITS || jit->exits == 20) {
        if (jit->exits >= MOST_EXITS || jit->versions > 1) {
            jit->refused[at] = 1;       /* recording it once more has not helped */
        }
        if (jit->versions < MOST_VERSIONS) {
            _PyJit_RecordAgain(f->code);
        }
    }
}

void
_PyJit_Free(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    if (jit->refused == NULL) {
        _PyJit_FreeStepping(code);
        return;
    }
    code->jit = NULL;
    PyMem_RawFree(jit->kinds);
    PyMem_RawFree(jit->refused);
    PyMem_RawFree(jit->outside);
    PyMem_RawFree(jit->counts);
    while (jit != NULL) {
        PyJitCode *earlier = jit->earlier;
        JitPoint *point = jit->points;
        while (point != NULL) {
            JitPoint *next = point->next;
            PyMem_RawFree(point);
            point = next;
        }
        if (jit->installed_at != NULL) {
            *jit->installed_at = jit->next;
            if (jit->next != NULL) {
                jit->next->installed_at = jit->installed_at;
            }
        }
        PyMem_RawFree(jit->places);
        PyMem_RawFree(jit);
        jit = earlier;
    }
}
