/* The compiler: which functions become machine code, and when.

   A function that is warm is recorded first: its next calls and rounds are run step by step,
   and what their operands are is noted (record.c). Then it is compiled. What comes of machine code
   whose guards fail: exits.c. How long each version lives: versions.c. */
#include "Python.h"
#include "build.h"
#include "record.h"
#include "region.h"
#include "spending.h"
#include "stepping.h"
#include "lower.h"
#include "rare.h"
#include "code_memory.h"
#include "versions.h"
#include "internal/monitoring.h"
#include "../vm/vm.h"

/* Besides, so many of its loops may become warm after it has been compiled. */
#define MOST_LOOPS_ADDED 8
/* Longer functions are not compiled: the sets of what is alive grow with the square. */
#define MOST_INSTRUCTIONS 30000
/* A call of a handler costs so much more than the interpreter's way to it, counted in what an
   instruction with code of its own gains. */
#define STEP_LOSS 3

/* What compiling takes, in nanoseconds: any function, a word of its code, and a word for each
   register (what is alive is noted at each guard, and compared where blocks meet). What is larger than
   what a program may spend at most is never compiled. The first time, the compiler's own code and
   memory are touched for the first time. */
#define COMPILING 60000
#define COMPILING_WORD 2200
#define COMPILING_WORD_AND_REGISTER 25
#define COMPILING_FIRST 600000
/* A call, or a round of a loop, executes about so many words, or all if it has less: what has
   more takes long to compile, and has not taken as long when it becomes warm. It has to
   become warm once more for as many. */
#define WORDS_OF_ROUND 256

static int
is_step(const JitNode *n)
{
    return n->op == JIT_STEP_NODE || n->op == JIT_STEP_BRANCH_NODE || n->op == JIT_STEP_END_NODE;
}

static int64_t
instructions_recorded(const PyJitCode *jit)
{
    int64_t all = 0;
    for (uint32_t ip = 0; ip < jit->code->ninstr; ip++) {
        all += _PyJit_IsInside(jit->region, ip) ? jit->counts[ip] : 0;
    }
    return all;
}

/* Would the function gain by being compiled, by what was executed while it was recorded? */
static int
gains(JitGraph *g, const PyJitCode *recorded)
{
    if (_PyJit_Enabled > JIT_ON) {
        return 1;
    }
    const uint16_t *counts = recorded->counts;
    int64_t gain = instructions_recorded(recorded);
    uint8_t *counted = _PyJit_Alloc(g, g->code->ninstr);
    for (JitRef ref = 1; counted != NULL && ref < g->nnodes; ref++) {
        const JitNode *n = &g->nodes[ref];
        if (is_step(n)) {
            /* A loop's first round has them, too. */
            gain -= counted[n->imm] ? 0 : (int64_t)counts[n->imm] * (STEP_LOSS + 1);
            counted[n->imm] = 1;
        }
    }
    return gain > 0;
}

/* What is left to the interpreter's handlers, and how often each was seen: SPRINGBOARD_JIT_DUMP's
   word is "steps". Lists of many programs, added up, say which instruction wants code next. */
static void
show_steps(JitGraph *g, const PyJitCode *recorded)
{
    const uint16_t *counts = recorded->counts;
    const char *name = PyUnicode_AsUTF8(g->code->ob.co_qualname);
    long long all = instructions_recorded(recorded);
    fprintf(stderr, "jit: %s: %lld instructions%s\n", name, all,
            gains(g, recorded) ? "" : ", declined");
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        const JitNode *n = &g->nodes[ref];
        if (is_step(n)) {
            fprintf(stderr, "jit: step %s %u\n", _PyOpcode_Info[g->code->code[n->imm].op].name,
                    counts[n->imm]);
        }
    }
}

static int
compile(PyVMCode *code, PyFunctionObject *func)
{
    PyJitCode *old = code->jit;
    for (uint32_t i = 0; i < code->ninstr; i++) {
        old->refused[i] &= JIT_REFUSED | JIT_REFUSED_AGAIN;
    }
    JitGraph *g = _PyJit_Build(code, func, old->kinds, old->refused, old->outside);
    const char *wanted = getenv("SPRINGBOARD_JIT_DUMP");
    if (g != NULL && wanted != NULL && strcmp(wanted, "steps") == 0) {
        show_steps(g, old);
    }
    if (g == NULL || !gains(g, old)) {
        if (g != NULL) {
            _PyJit_FreeGraph(g);
        }
        else {
            _PyJit_Figures.given_up++;
        }
        if (_PyJit_IsWhole(old->region)) {
            _PyJit_Decline(code);
        }
        else {
            _PyJit_SetAside(code);
        }
        return 0;
    }
    _PyJit_DropDead(g);
    PyJitCode *jit = NULL;
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
    if (jit == NULL) {
        _PyJit_FreeGraph(g);
        _PyJit_Figures.given_up++;
        _PyJit_Decline(code);
        return 0;
    }
    if (shown) {
        fprintf(stderr, "machine code: %p, %zu bytes\n", (const void *)jit->start, jit->size);
    }
    _PyJit_TakeOver(jit, old);
    jit->region = old->region;
    for (uint32_t ip = 0; ip < code->ninstr; ip++) {
        if (jit->inlined[ip] == JIT_WAS_LEFT) {
            jit->inlined[ip] = JIT_IS_CALLED;
        }
    }
    jit->versions = (uint8_t)(old->versions + 1);
    jit->earlier = old;
    jit->code = code;
    jit->since = _PyTime_GetPerfCounter();
    _PyJit_Enlist(jit);
    if (_PyJit_Publish != NULL) {
        jit->scopes = g->scopes;
        _PyJit_Publish(jit);
        jit->scopes = NULL;
    }
    _PyJit_FreeGraph(g);
    code->jit = jit;
    _PyJit_PutToUse(code);
    _PyJit_Retire(old);
    _PyJit_Figures.compiled++;
    return 1;
}

int
_PyJit_Compile(PyVMCode *code, PyFunctionObject *func)
{
    if (!_PyMonitor_LeavesAlone(code, _PyThreadState_GET()->interp->monitors)) {
        return 0;
    }
    /* The function may have ended with an exception; what the compiler looks up may fail. */
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    int64_t begun = _PyJit_TimeOfThread();
    _PyJit_FreeUnseen(_PyThreadState_GET());
    _PyJit_KeepSpareFloats();
    int compiled = compile(code, func);
    int64_t cost = _PyJit_TimeOfThread() - begun;
    ((PyJitCode *)code->jit)->cost = cost;
    _PyJit_Spend(cost);
    _PyJit_Figures.ns += cost;
    PyErr_Restore(type, value, traceback);
    return compiled;
}

static int
has_inlined(const PyJitCode *jit)
{
    for (uint32_t ip = 0; ip < jit->code->ninstr; ip++) {
        if (jit->inlined[ip] == JIT_INLINED) {
            return 1;
        }
    }
    return 0;
}

void
_PyJit_ShowInlined(void)
{
    for (PyJitCode *jit = _PyJit_Installed; jit != NULL; jit = jit->next) {
        PyVMCode *code = jit->code;
        if (code == NULL || code->jit != jit || jit->declined || !has_inlined(jit)) {
            continue;
        }
        _PyJit_RecordAgain(code);
        if (code->jit != jit && jit->versions > 0) {
            ((PyJitCode *)code->jit)->versions--;       /* it has not been left too often */
        }
    }
}

/* To find out which function's machine code is at fault: SPRINGBOARD_JIT_ONLY=name. */
static int
is_wanted(const PyVMCode *code)
{
    const char *only = getenv("SPRINGBOARD_JIT_ONLY");
    return only == NULL || strcmp(only, PyUnicode_AsUTF8(code->ob.co_name)) == 0;
}

/* A function that is compiled, or being recorded, is warm at a place without machine code. */
static void
record_more(PyVMCode *code, const PyInstr *ip, int is_loop, JitRegion region)
{
    PyJitCode *old = code->jit;
    int is_elsewhere = memcmp(&old->region, &region, sizeof(region)) != 0;
    if (old->recording || (!is_elsewhere && (!is_loop || old->versions >= JIT_MOST_VERSIONS))) {
        return;
    }
    /* It is compiled, but not for those who are in this loop already. Perhaps the loop was never
       seen, as where a function has several: what has not been left too often may have code that
       is cold yet, further loops among it. If it was, then other threads have had the function
       recorded meanwhile. */
    int is_new = is_elsewhere
                 || !old->outside[_PyJit_JumpTarget(code, (uint32_t)(ip - code->code))];
    _PyJit_RecordAgain(code);
    PyJitCode *jit = code->jit;
    if (jit == old) {
        return;
    }
    if (is_elsewhere) {
        /* What was compiled so far is over, and counts anew if not. */
        _PyJit_MoveTo(code, region);
        jit->versions = jit->loops_added = 0;
    }
    else if (is_new && jit->loops_added < MOST_LOOPS_ADDED) {
        jit->versions--;
        jit->loops_added++;
    }
}

/* Has it taken long enough, and has the program? */
static int
has_time_for(PyVMCode *code, uint32_t words)
{
    if (!_PyJit_Warmth.hurries && code->times_warm < words / WORDS_OF_ROUND) {
        code->times_warm++;
        return 0;
    }
    int64_t of_word = COMPILING_WORD + (int64_t)COMPILING_WORD_AND_REGISTER * code->nregs;
    int64_t first = _PyJit_Figures.ns == 0 ? COMPILING_FIRST : 0;
    return _PyJit_MaySpend(first + COMPILING + words * of_word);
}

int
_PyJit_Warm(PyThreadState *ts, PyVMFrame *f, const PyInstr *ip)
{
    PyVMCode *code = f->code;
    if (!_PyMonitor_LeavesAlone(code, ts->interp->monitors)) {
        return -1;
    }
    if (_PyJit_Enabled == JIT_STEPS) {
        return code->jit != NULL || _PyJit_MakeStepping(code);
    }
    if (code->ninstr > MOST_INSTRUCTIONS || !is_wanted(code) || !_PyJit_HasRoom()) {
        return 0;
    }
    PyJitCode *jit = code->jit;
    if (jit != NULL && jit->declined) {
        return 0;
    }
    int is_loop = _PyOpcode_Info[ip->op].base == OP_JUMP_BACK;
    JitRegion region = _PyJit_RegionOf(code, ip);
    if ((jit == NULL || !jit->recording) && !has_time_for(code, _PyJit_WordsOf(code, region))) {
        return -1;
    }
    if (jit != NULL) {
        record_more(code, ip, is_loop, region);
    }
    else if (!_PyJit_StartRecording(code)) {
        return 0;
    }
    else {
        _PyJit_MoveTo(code, region);
    }
    if (is_loop) {
        _PyJit_EnterLoops(code, ip);
    }
    return 1;
}

int
_PyJit_IsAvailable(void)
{
    return 1;
}

int
_PyJit_IsEnabled(void)
{
    return _PyJit_Enabled != JIT_OFF && _PyJit_HasRoom();
}
