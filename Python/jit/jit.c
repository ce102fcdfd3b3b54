/* The compiler: which functions become machine code, and when.

   A function that is warm is recorded first: its next calls and rounds are run step by step,
   and what their operands are is noted (record.c). Then it is compiled. Machine code whose
   guards keep failing is thrown away, and its function is recorded and compiled anew; where it
   failed, handlers are called from then on. If the last of MOST_VERSIONS is left too often, too,
   the function stays with the interpreter. */
#include "Python.h"
#include "ir.h"
#include "rare.h"
#include "record.h"
#include "stepping.h"
#include "lower.h"
#include "internal/gcstate.h"
#include "../vm/vm.h"

PyJitCode *_PyJit_Installed;
void (*_PyJit_Publish)(PyJitCode *);

#define MOST_VERSIONS 5
/* Longer functions are not compiled: the sets of what is alive grow with the square. */
#define MOST_INSTRUCTIONS 30000
/* So many exits are looked at together; one in so many nanoseconds does no harm. */
#define MANY_EXITS 20
#define RARELY 50000
/* So often the last version may leave too often. */
#define MOST_OFTEN_LEFT 50

/* A call of a handler costs so much more than the interpreter's way to it, counted in what an
   instruction with code of its own gains. */
#define STEP_LOSS 3

/* Would the function gain by being compiled, by what was executed while it was recorded? */
static int
gains(JitGraph *g, const uint16_t *counts)
{
    if (_PyJit_Enabled > JIT_ON) {
        return 1;
    }
    int64_t gain = 0;
    for (uint32_t ip = 0; ip < g->code->ninstr; ip++) {
        gain += counts[ip];
    }
    uint8_t *counted = _PyJit_Alloc(g, g->code->ninstr);
    for (JitRef ref = 1; counted != NULL && ref < g->nnodes; ref++) {
        const JitNode *n = &g->nodes[ref];
        if (n->op == JIT_STEP_NODE || n->op == JIT_STEP_BRANCH_NODE
            || n->op == JIT_STEP_END_NODE) {
            /* A loop's first round has them, too. */
            gain -= counted[n->imm] ? 0 : (int64_t)counts[n->imm] * (STEP_LOSS + 1);
            counted[n->imm] = 1;
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

static int
compile(PyVMCode *code, PyFunctionObject *func)
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
    jit->inlined = old->inlined;
    jit->operands = old->operands;
    jit->counts = old->counts;
    for (uint32_t ip = 0; ip < code->ninstr; ip++) {
        if (jit->inlined[ip] == JIT_WAS_LEFT) {
            jit->inlined[ip] = JIT_IS_CALLED;
        }
    }
    jit->versions = (uint8_t)(old->versions + 1);
    jit->earlier = old;         /* frames may be running in it */
    jit->code = code;
    jit->since = _PyTime_GetPerfCounter();
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
_PyJit_Compile(PyVMCode *code, PyFunctionObject *func)
{
    /* The function may have ended with an exception; what the compiler looks up may fail. */
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    int compiled = compile(code, func);
    PyErr_Restore(type, value, traceback);
    return compiled;
}

/* To find out which function's machine code is at fault: SPRINGBOARD_JIT_ONLY=name. */
static int
is_wanted(const PyVMCode *code)
{
    const char *only = getenv("SPRINGBOARD_JIT_ONLY");
    return only == NULL || strcmp(only, PyUnicode_AsUTF8(code->ob.co_name)) == 0;
}

int
_PyJit_Warm(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    (void)ts;
    PyVMCode *code = f->code;
    if (_PyJit_Enabled == JIT_STEPS) {
        return code->jit != NULL || _PyJit_MakeStepping(code);
    }
    if (code->ninstr > MOST_INSTRUCTIONS || !is_wanted(code)) {
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

/* Looks at the last instructions whose guards have failed. Loops that are left where they are
   entered are not entered again: who is in one stays with the interpreter, and later calls may
   be luckier. Of others the handlers are called from now on. Returns whether all were such
   loops. */
static int
refuse_left(PyJitCode *jit)
{
    int loops = 0;
    for (int i = 0; i < JIT_LAST_LEFT; i++) {
        uint32_t at = jit->left[i];
        int again = 0;
        for (int k = 0; k < i; k++) {
            again |= jit->left[k] == at && jit->places[at] == 0 && jit->outside[at];
        }
        if (again || (jit->outside[at] && jit->places[at] != 0)) {
            jit->places[at] = 0;
            loops++;
        }
        else if (jit->inlined[at] == JIT_INLINED || jit->inlined[at] == JIT_WAS_LEFT) {
            jit->inlined[at] = JIT_WAS_LEFT;
        }
        else {
            jit->refused[at] = 1;
        }
    }
    return loops == JIT_LAST_LEFT;
}

/* A guard of the instruction has failed. What counts is how often in how much time: then the
   function is compiled anew, and from its second version on the handlers of the instructions
   that have failed are called. */
void
_PyJit_HasLeft(PyVMFrame *f, uint32_t at)
{
    PyJitCode *jit = f->code->jit;
    if (jit == NULL || jit->refused == NULL || jit->declined
        || _PyGC_young_count >= _PyGC_young_threshold) {
        return;     /* the collector is due, for which machine code leaves (build_inline.c) */
    }
    _PyJit_RecordOperands(jit->kinds, f, &f->code->code[at]);
    if (jit->recording) {
        return;     /* an earlier version has left */
    }
    jit->left[jit->exits++ % JIT_LAST_LEFT] = at;
    if (jit->exits < MANY_EXITS) {
        return;
    }
    _PyTime_t now = _PyTime_GetPerfCounter();
    int often = now - jit->since < MANY_EXITS * RARELY;
    jit->since = now;
    jit->exits = 0;
    if (!often) {
        return;
    }
    int only_loops = jit->versions > 1 && refuse_left(jit);
    if (only_loops || jit->versions >= MOST_VERSIONS) {
        _PyVM_MarkNative(f->code);
    }
    if (only_loops) {
        return;
    }
    if (jit->versions < MOST_VERSIONS) {
        _PyJit_RecordAgain(f->code);
    }
    else if (++jit->often_left == MOST_OFTEN_LEFT) {
        decline(f->code);
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
    PyMem_RawFree(jit->inlined);
    PyMem_RawFree(jit->operands);
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
        PyMem_RawFree(jit->marks);
        PyMem_RawFree(jit->frame_info);
        PyMem_RawFree(jit);
        jit = earlier;
    }
}
