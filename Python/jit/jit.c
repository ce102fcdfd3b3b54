/* The compiler: which functions become machine code, and when.

   A function that is warm is recorded first: its next calls and rounds are run step by step,
   and what their operands are is noted (record.c). Then it is compiled. Machine code whose
   guards keep failing is thrown away, and its function is recorded and compiled anew; where it
   failed, handlers are called from then on. If the last of MOST_VERSIONS is left too often, too,
   the function stays with the interpreter. */
#include "Python.h"
#include "build.h"
#include "rare.h"
#include "record.h"
#include "region.h"
#include "spending.h"
#include "stepping.h"
#include "lower.h"
#include "code_memory.h"
#include "internal/gcstate.h"
#include "internal/monitoring.h"
#include "../vm/vm.h"
#include <setjmp.h>
#include <unwind.h>

/* ------------------------------------------------ what nobody needs any more

   Frames may still be running in machine code that has been replaced, or whose function is dead.
   So it is freed when no call of the interpreter's is in any machine code (_PyJit_Running), or
   when a look at the C stack says that its addresses are not there. */

PyJitCode *_PyJit_Installed;
void (*_PyJit_Publish)(PyJitCode *);
int _PyJit_ShowsScopes;
long _PyJit_Running;
PyJitCode *_PyJit_Retired;

static void
uninstall(PyJitCode *jit)
{
    if (jit->installed_at != NULL) {
        *jit->installed_at = jit->next;
        if (jit->next != NULL) {
            jit->next->installed_at = jit->installed_at;
        }
        jit->installed_at = NULL;
    }
}

/* Bytes of code that wait to be freed, and so many are worth a look at the stack. */
static size_t retired_bytes;
#define MANY_RETIRED ((size_t)256 << 10)

/* This version, and those before it. */
static void
retire(PyJitCode *jit)
{
    for (; jit != NULL; jit = jit->earlier) {
        if (!jit->is_retired) {
            jit->is_retired = 1;
            jit->retired_next = _PyJit_Retired;
            _PyJit_Retired = jit;
            retired_bytes += jit->room;
        }
    }
}

static void
free_version(PyJitCode *jit)
{
    uninstall(jit);
    PyJitCode *later = jit->code != NULL ? jit->code->jit : NULL;
    while (later != NULL && later->earlier != jit) {
        later = later->earlier;
    }
    if (later != NULL) {
        later->earlier = jit->earlier;
    }
    retired_bytes -= jit->room;
    _PyJit_Figures.freed += jit->room != 0;
    _PyJit_FreeVersion(jit);
}

/* From now on the machine code of code->jit is what runs. */
static void
put_to_use(PyVMCode *code)
{
    const PyJitCode *jit = code->jit;
    code->native_entry = _PyJit_EntryForCalls(code, jit);
    _PyVM_MarkNative(code);
}

void
_PyJit_KeepEarlier(PyVMCode *code)
{
    PyJitCode *jit = code->jit, *earlier = jit->earlier;
    code->jit = earlier;
    put_to_use(code);
    jit->earlier = NULL;
    jit->code = NULL;
    retire(jit);
}

void
_PyJit_FreeRetired(void)
{
    while (_PyJit_Retired != NULL) {
        PyJitCode *jit = _PyJit_Retired;
        _PyJit_Retired = jit->retired_next;
        free_version(jit);
    }
}

/* Does the word look like an address in machine code, as a return address does, or in what
   belongs to it? The upper bits may be a signature. */
static int
refers_to(uintptr_t word, const PyJitCode *jit)
{
    word &= ((uintptr_t)1 << 48) - 1;
    return word - (uintptr_t)jit->start <= jit->room || word - (uintptr_t)jit < sizeof(*jit);
}

__attribute__((noinline, no_sanitize("address"))) static int
is_on_stack(const PyJitCode *jit, const uintptr_t *word, const uintptr_t *top)
{
    for (; word < top; word++) {
        if (refers_to(*word, jit)) {
            return 1;
        }
    }
    return 0;
}

/* Frees what no word between the two points at. `here` lies in the caller's frame: where variables
   are kept on the stack, those of this function would point at all that it looks at. */
static __attribute__((noinline)) void
free_unseen_between(const uintptr_t *here, const uintptr_t *top)
{
    PyJitCode **at = &_PyJit_Retired;
    while (*at != NULL) {
        PyJitCode *jit = *at;
        if (is_on_stack(jit, here, top)) {
            at = &jit->retired_next;
        }
        else {
            *at = jit->retired_next;
            free_version(jit);
        }
    }
}

/* Programs may stay in a compiled loop from beginning to end. If no other thread is in machine
   code, and nobody moves stacks about, then what the stack does not speak of is not running. */
static void
free_unseen(PyThreadState *ts)
{
    jmp_buf registers;
    (void)setjmp(registers);
    for (PyThreadState *t = ts->interp->threads_head; t != NULL; t = t->next) {
        if (TS_IMPL(t)->switches_stacks) {
            return;
        }
    }
    const uintptr_t *top = (const uintptr_t *)TS_IMPL(ts)->c_stack_top;
    const uintptr_t *here = (const uintptr_t *)&registers;
    if (_PyJit_Running == TS_IMPL(ts)->native_depth && TS_IMPL(ts)->c_stack_known
        && here < top) {
        free_unseen_between(here, top);
    }
}

#define MOST_VERSIONS 5
/* Besides, so many of its loops may become warm after it has been compiled. */
#define MOST_LOOPS_ADDED 8
/* So many versions may take up a callee that they leave. */
#define MOST_TRIES 2
/* Longer functions are not compiled: the sets of what is alive grow with the square. */
#define MOST_INSTRUCTIONS 30000
/* So many exits are looked at together. One in so many nanoseconds takes a tenth of the time. */
#define MANY_EXITS 20
#define RARELY 20000
/* What an exit costs, in nanoseconds, with what the interpreter then does: a function is
   compiled anew when its exits have cost as much as that will. */
#define EXIT_COST 1500
/* So often the last version may leave too often. */
#define MOST_OFTEN_LEFT 50

/* A call of a handler costs so much more than the interpreter's way to it, counted in what an
   instruction with code of its own gains. */
#define STEP_LOSS 3

/* What compiling takes, in nanoseconds for a word of code. */
#define COMPILING 1500

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

/* It stays with the interpreter. */
static void
decline(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    if (jit->room != 0) {
        _PyJit_RecordAgain(code);       /* makes one that has no machine code */
        jit = code->jit;
    }
    retire(jit->earlier);
    jit->declined = 1;
    jit->recording = 0;
    memset(jit->places, 0, code->ninstr * sizeof(uint32_t));
    code->native_entry = _PyCode_DefaultEntry;
    for (uint32_t at = 0; at < code->ninstr;
         at += 1u + _PyOpcode_Info[code->code[at].op].cache) {
        PyInstr *in = &code->code[at];
        int base = _PyOpcode_Info[in->op].base;
        if (base == OP_RESUME || base == OP_JUMP_BACK) {
            in->op = (uint8_t)base;
            /* It need not be counted any more. */
            *(base == OP_RESUME ? &in->b : &in->a) = JIT_NEVER_WARM;
        }
    }
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
            decline(code);
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
    jit->next = _PyJit_Installed;
    jit->installed_at = &_PyJit_Installed;
    if (jit->next != NULL) {
        jit->next->installed_at = &jit->next;
    }
    _PyJit_Installed = jit;
    if (_PyJit_Publish != NULL) {
        jit->scopes = g->scopes;
        _PyJit_Publish(jit);
        jit->scopes = NULL;
    }
    _PyJit_FreeGraph(g);
    code->jit = jit;
    put_to_use(code);
    retire(old);
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
    if (retired_bytes > MANY_RETIRED) {
        free_unseen(_PyThreadState_GET());
        /* What runs on is looked for again when as much has come. */
    }
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
    if (old->recording || (!is_elsewhere && (!is_loop || old->versions >= MOST_VERSIONS))) {
        return;
    }
    /* It is compiled, but not for those who are in this loop already. Perhaps the loop was never
       seen, as where a function has several: what has not been left too often may have code that
       is cold yet, further loops among it. If it was, then other threads have had the function
       recorded meanwhile. */
    int is_new = is_elsewhere || !old->outside[_PyJit_JumpTarget(code, (uint32_t)(ip - code->code))];
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
    if ((jit == NULL || !jit->recording)
        && !_PyJit_MaySpend(COMPILING * _PyJit_WordsOf(code, region))) {
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

/* Is what the machine code of an instruction expects no more than the kinds of its operands? Then
   it would leave again where those are known already. Others look at caches, too, which the
   interpreter has changed since then. */
static int
depends_on_kinds(const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    return (base >= OP_ADD && base <= OP_RSHIFTI) || (base >= OP_LT && base <= OP_GE)
           || (base >= OP_JUMP_IF_LT && base <= OP_JUMP_IF_NOT_GEI);
}

static int
is_call(const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    return base == OP_CALL || base == OP_CALL_KW || base == OP_CALL_METHOD
           || base == OP_CALL_METHOD_KW;
}

/* A float where an int was expected, or the other way round: where there is one mixture there are
   more, and not each of them is worth a version. So all floats of the function's may be ints from
   now on, but for those that meet an int: two ints would give no float. */
static void
expect_mixtures(PyJitCode *jit, const PyVMCode *code)
{
    for (uint32_t ip = 0; ip < code->ninstr; ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        if (depends_on_kinds(&code->code[ip])) {
            int left = JIT_LEFT(jit->kinds[ip]), right = JIT_RIGHT(jit->kinds[ip]);
            if (!(left & right & JIT_SEEN_FLOAT)) {
                continue;
            }
            jit->kinds[ip] |= (uint8_t)((left == JIT_SEEN_FLOAT ? JIT_SEEN_INT : 0)
                                        | (right == JIT_SEEN_FLOAT ? JIT_SEEN_INT : 0)
                                          << JIT_SEEN_RIGHT);
        }
    }
}

static int
became_number(int before, int now)
{
    return now == JIT_SEEN_NUMBER && before != now && before != 0;
}

/* Calls of C code have fewer guards the second time. */
static void
refuse(PyJitCode *jit, uint32_t at)
{
    jit->refused[at] |= jit->refused[at] & JIT_REFUSED ? JIT_REFUSED_AGAIN : JIT_REFUSED;
}

/* Looks at the last instructions whose guards have failed. Loops that are left where they are
   entered are not entered again: who is in one stays with the interpreter, and later calls may
   be luckier. Of others the handlers are called from now on, unless better code can be made of
   them now. Returns whether all were such loops. spared: a bit for each that may go on failing. */
static int
refuse_left(PyJitCode *jit, const PyInstr *code, unsigned spared)
{
    int loops = 0;
    for (int i = 0; i < JIT_LAST_LEFT; i++) {
        uint32_t at = jit->left[i];
        int listed = 0;
        if (spared >> i & 1) {
            continue;
        }
        for (int k = 0; k < i; k++) {
            listed |= jit->left[k] == at;
        }
        int again = listed && jit->places[at] == 0 && jit->outside[at];
        if (jit->versions > 1 && (again || (jit->outside[at] && jit->places[at] != 0))) {
            jit->places[at] = 0;
            loops++;
        }
        else if (jit->inlined[at] == JIT_INLINED || jit->inlined[at] == JIT_WAS_LEFT) {
            /* What is seen in the callee by then may be enough the next time. */
            jit->inlined[at] = jit->versions > MOST_TRIES ? JIT_WAS_LEFT : JIT_INLINED;
        }
        else if (!listed
                 && (jit->versions > 1
                     || (jit->refused[at] & JIT_SAID_NO)
                     || (depends_on_kinds(&code[at]) && !(jit->refused[at] & JIT_KNOWN_BETTER)))) {
            refuse(jit, at);
        }
    }
    return loops == JIT_LAST_LEFT;
}

/* ------------------------------------------------ a few exits here, a few there

   Exits that come now and then do little harm, where the instruction is executed all the time. In
   a large program hundreds of functions may have them, each at instructions that are executed
   now and then and nearly always leave. Machine code does not count what it executes. So
   when there have been many, the function is recorded as if it were to be compiled again, and
   that says how often its instructions are executed in how much time. */

/* So many exits, at first, and twice as many after each doubt that was for nothing. */
#define MANY_SLOW_EXITS 128
#define MOST_DOUBTS 16
/* Exits that are further apart, in nanoseconds, are no matter. */
#define VERY_RARELY 50000000
/* A handler instead of an instruction's own code costs a small part of what an exit does. So one
   execution in so many has to leave. */
#define WORTH_A_HANDLER 32

static void
begin_doubt(PyVMCode *code)
{
    PyJitCode *old = code->jit;
    _PyJit_RecordAgain(code);
    PyJitCode *jit = code->jit;
    if (jit == old) {
        return;
    }
    jit->in_doubt = 1;
    jit->doubted = _PyTime_GetPerfCounter();
    for (int i = 0; i < JIT_LAST_LEFT; i++) {
        jit->executed[i] = jit->counts[old->left[i]];
    }
}

/* Few exits, for as long as they have been counted. */
static void
had_few_exits(PyVMCode *code, int64_t passed)
{
    PyJitCode *jit = code->jit;
    jit->slow_exits += jit->exits;
    jit->slow_time += passed;
    if (jit->slow_exits >> jit->doubts < MANY_SLOW_EXITS || jit->versions >= MOST_VERSIONS) {
        return;
    }
    if (jit->slow_time / jit->slow_exits < VERY_RARELY) {
        begin_doubt(code);
    }
    else {
        jit->slow_exits = 0;
        jit->slow_time = 0;
    }
}

int
_PyJit_EndsDoubt(PyVMCode *code)
{
    PyJitCode *jit = code->jit, *old = jit->earlier;
    int64_t recorded = RECORDED * RECORDING;
    int64_t passed = _PyTime_GetPerfCounter() - jit->doubted;
    passed = passed > 2 * recorded ? passed - recorded : passed / 2;
    /* Of the last exits, each stands for as many as there are in the time that each takes. */
    int64_t each = old->slow_time / old->slow_exits * JIT_LAST_LEFT;
    unsigned spared = 0;
    for (int i = 0; i < JIT_LAST_LEFT; i++) {
        uint32_t at = old->left[i];
        int64_t executed = jit->counts[at] - jit->executed[i], left = 0;
        for (int k = 0; k < JIT_LAST_LEFT; k++) {
            left += old->left[k] == at;
        }
        if (executed == 0 || left * passed / each * WORTH_A_HANDLER < executed) {
            spared |= 1u << i;
        }
    }
    old->slow_exits = 0;
    old->slow_time = 0;
    old->doubts += old->doubts < MOST_DOUBTS;
    return spared != (1u << JIT_LAST_LEFT) - 1 && !refuse_left(old, code->code, spared);
}

/* SPRINGBOARD_JIT_DUMP's word is "exits": which guards of long programs fail most. */
static void
show_exit(const PyVMFrame *f, const JitPoint *point, const PyJitCode *jit)
{
    static int shows = -1;
    if (shows < 0) {
        const char *wanted = getenv("SPRINGBOARD_JIT_DUMP");
        shows = wanted != NULL && strcmp(wanted, "exits") == 0;
    }
    if (shows) {
        fprintf(stderr, "jit: exit %s %u %s version %d: %s %u\n",
                PyUnicode_AsUTF8(f->code->ob.co_qualname), point->at,
                _PyOpcode_Info[f->code->code[point->at].op].name, jit->versions,
                _PyJit_NodeNames[point->guard], point->inner_ip);
    }
}

/* A guard of the instruction has failed. What counts is how often in how much time: then the
   function is compiled anew, and the handlers of instructions that would fail again are
   called. */
void
_PyJit_HasLeft(PyVMFrame *f, const JitPoint *point)
{
    PyJitCode *jit = f->code->jit;
    uint32_t at = point->at;
    if (jit == NULL || jit->refused == NULL || jit->declined
        || _PyGC_young_count >= _PyGC_young_threshold) {
        return;     /* the collector is due, for which machine code leaves (build_inline.c) */
    }
    uint8_t known = jit->kinds[at];
    _PyJit_Figures.exits++;
    show_exit(f, point, jit);
    if (point->ip == at) {
        _PyJit_RecordOperands(jit->kinds, f, &f->code->code[at]);
        jit->refused[at] |= jit->kinds[at] != known ? JIT_KNOWN_BETTER : 0;
        if (depends_on_kinds(&f->code->code[at])
            && (became_number(JIT_LEFT(known), JIT_LEFT(jit->kinds[at]))
                || became_number(JIT_RIGHT(known), JIT_RIGHT(jit->kinds[at])))) {
            expect_mixtures(jit, f->code);
        }
    }
    if (point->is_answer && is_call(&f->code->code[at])) {
        jit->refused[at] |= JIT_SAID_NO;
    }
    if (jit->recording) {
        return;     /* an earlier version has left */
    }
    jit->left[jit->exits++ % JIT_LAST_LEFT] = at;
    int is_last = jit->versions >= MOST_VERSIONS;
    int64_t many = is_last || _PyJit_Warmth.hurries ? 0 : jit->cost / EXIT_COST;
    many = many < MANY_EXITS ? MANY_EXITS : many;
    if (jit->exits < many) {
        return;
    }
    _PyTime_t now = _PyTime_GetPerfCounter();
    int64_t passed = now - jit->since;
    int often = passed < many * RARELY;
    jit->since = now;
    if (!often) {
        had_few_exits(f->code, passed);
    }
    jit->exits = 0;
    if (!often) {
        return;
    }
    int only_loops = refuse_left(jit, f->code->code, 0);
    if (only_loops || is_last) {
        _PyVM_MarkNative(f->code);
    }
    if (only_loops) {
        return;
    }
    if (!is_last) {
        _PyJit_RecordAgain(f->code);
    }
    else if (++jit->often_left == MOST_OFTEN_LEFT) {
        decline(f->code);
    }
}

/* A round costs so many nanoseconds, at least; and of this time, 1 / MOST_WASTED may be lost. */
#define ROUND_COST 5
#define WASTE_TIME 50000000
#define MOST_WASTED 50

void
_PyJit_HasWasted(PyVMFrame *f, uint32_t at, int64_t rounds)
{
    PyJitCode *jit = f->code->jit;
    if (jit == NULL || jit->inlined == NULL || jit->declined || jit->recording) {
        return;
    }
    jit->wasted += rounds;
    if (jit->wasted * ROUND_COST < WASTE_TIME / MOST_WASTED) {
        return;
    }
    _PyTime_t now = _PyTime_GetPerfCounter();
    int often = now - jit->wasted_since < WASTE_TIME;
    jit->wasted_since = now;
    jit->wasted = 0;
    if (often && jit->inlined[at] == JIT_INLINED) {
        jit->inlined[at] = JIT_IS_CALLED;
        _PyJit_Again(f->code);
    }
}

void
_PyJit_Again(PyVMCode *code)
{
    PyJitCode *jit = code->jit;
    if (jit != NULL && !jit->declined && !jit->recording && jit->versions > 0) {
        jit->versions -= jit->versions == MOST_VERSIONS;        /* there may be any number */
        _PyJit_RecordAgain(code);
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
    retire(jit);
    while (jit != NULL) {
        PyJitCode *earlier = jit->earlier;
        uninstall(jit);
        jit->code = NULL;
        jit->earlier = NULL;
        jit = earlier;
    }
    if (_PyJit_Running == 0) {
        _PyJit_FreeRetired();
    }
}

void
_PyJit_AfterForkChild(PyThreadState *ts)
{
    _PyJit_Running = TS_IMPL(ts)->native_depth;
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

/* ------------------------------------------------------------------ who runs */

typedef struct {
    const PyVMFrame *f;
    int runs;
    uintptr_t (*ip_of)(struct _Unwind_Context *);
} Looking;

/* Of the innermost machine code on the C stack: is it that of the frame, and at its instruction?
   When a frame has left machine code, that which is innermost is its caller's. */
static _Unwind_Reason_Code
look(struct _Unwind_Context *context, void *arg)
{
    Looking *looking = arg;
    const char *back = (const char *)looking->ip_of(context);
    for (const PyJitCode *jit = _PyJit_Installed; jit != NULL; jit = jit->next) {
        if (back <= jit->start || (size_t)(back - jit->start) > jit->size) {
            continue;
        }
        uint32_t at = (uint32_t)(back - 1 - jit->start), i = 0;
        while (i + 1 < jit->nmarks && jit->marks[i + 1].at <= at) {
            i++;
        }
        looking->runs = jit->code == looking->f->code
            && looking->f->ip == jit->code->code + jit->marks[i].ip;
        return _URC_END_OF_STACK;
    }
    return _URC_NO_REASON;
}

int
_PyJit_IsRunning(const PyVMFrame *f)
{
    _Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn, void *);
    Looking looking = {.f = f};
    *(void **)&walk = _PyJit_LibgccFunction("_Unwind_Backtrace");
    *(void **)&looking.ip_of = _PyJit_LibgccFunction("_Unwind_GetIP");
    if (walk != NULL && looking.ip_of != NULL && _PyJit_Installed != NULL) {
        (void)walk(look, &looking);
    }
    return looking.runs;
}
