/* What comes of guards that fail: which machine code is thrown away, and what is made of its
   function.

   Machine code whose guards keep failing is retired, and its function is recorded and compiled
   anew; where it failed, handlers are called from then on. If the last of JIT_MOST_VERSIONS is left
   too often, too, the function stays with the interpreter. */
#include "Python.h"
#include "build.h"
#include "likes.h"
#include "rare.h"
#include "record.h"
#include "spending.h"
#include "versions.h"
#include "internal/gcstate.h"
#include "../vm/vm.h"

/* So many versions may take up a callee that they leave. */
#define MOST_TRIES 2
/* So many exits are looked at together. One in so many nanoseconds takes a tenth of the time. */
#define MANY_EXITS 20
#define RARELY 20000
/* What an exit costs, in nanoseconds, with what the interpreter then does: a function is
   compiled anew when its exits have cost as much as that will. */
#define EXIT_COST 1500
/* What has taken so many nanoseconds will take them again, or more. So it has to wait until there
   is time for that: in a program of a tenth of a second it would not come back. But no longer than
   until it has been put off so often, each time for exits that cost as much as compiling. */
#define LARGE 1000000
#define MOST_PUT_OFF 2
/* So often the last version may leave too often. */
#define MOST_OFTEN_LEFT 50

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

/* Owners that were told apart by their versions, and more of the name have come. The next version
   compares them otherwise. */
static int
has_owners_made_anew(PyJitCode *jit, const PyInstr *in, uint32_t at)
{
    int base = _PyOpcode_Info[in->op].base, go;
    return jit->versions == JIT_LIKE_VERSIONS && jit->operands != NULL
           && !(jit->refused[at] & JIT_REFUSED)
           && (base == OP_LOAD_ATTR || base == OP_STORE_ATTR || base == OP_LOAD_METHOD)
           && _PyJit_LastMadeAnew(_PyJit_OwnersOf(jit->operands, at), &go) != NULL;
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
        else if (!listed && !has_owners_made_anew(jit, &code[at], at)
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

/* How long JIT_LAST_LEFT exits take while they come. What is called in bursts has been left in two
   or three of them lately, and what lies between those does not count. */
static int64_t
pace_of(const PyJitCode *jit)
{
    enum { BETWEEN_BURSTS = 2 };
    int64_t longest[BETWEEN_BURSTS + 1] = {0};
    for (int i = 0; i < JIT_LAST_LEFT - 1; i++) {
        uint32_t at = jit->exits + (uint32_t)i;     /* from the oldest on */
        int64_t wait = jit->left_when[(at + 1) % JIT_LAST_LEFT]
                       - jit->left_when[at % JIT_LAST_LEFT];
        for (int k = 0; k <= BETWEEN_BURSTS; k++) {
            if (wait > longest[k]) {
                int64_t shorter = longest[k];
                longest[k] = wait;
                wait = shorter;
            }
        }
    }
    return Py_MAX(1, longest[BETWEEN_BURSTS] * JIT_LAST_LEFT);
}

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
    jit->pace = pace_of(old);
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
    if (jit->slow_exits >> jit->doubts < MANY_SLOW_EXITS || jit->versions >= JIT_MOST_VERSIONS) {
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
    int64_t recorded = JIT_RECORDED * JIT_RECORDING_COST;
    int64_t passed = _PyTime_GetPerfCounter() - jit->doubted;
    passed = passed > 2 * recorded ? passed - recorded : passed / 2;
    /* Of the last exits, each stands for as many as there would be in this time at their pace. That
       of all exits so far would not do: what is called in bursts is recorded within one. */
    unsigned spared = 0;
    for (int i = 0; i < JIT_LAST_LEFT; i++) {
        uint32_t at = old->left[i];
        int64_t executed = jit->counts[at] - jit->executed[i], left = 0;
        for (int k = 0; k < JIT_LAST_LEFT; k++) {
            left += old->left[k] == at;
        }
        if (executed == 0 || left * passed * WORTH_A_HANDLER / jit->pace < executed) {
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

/* The collector is due, for which machine code leaves before it makes an object. What the
   interpreter makes then is not always counted (what comes from a free list, a text that is cut):
   nothing would be collected, and machine code would leave each time. So the count goes back by
   one; the next time after twice as many exits, because an object may have been counted meanwhile:
   a loop that makes one now and then would never see a collection. */
#define FEW_FOR_NOTHING 3

static void
left_for_collector(void)
{
    static Py_ssize_t collections, for_nothing, enough;
    Py_ssize_t now = 0;
    for (int i = 0; i < _PyGC_GENERATIONS; i++) {
        now += _PyGC.stats[i].collections;
    }
    if (now != collections || enough == 0) {
        collections = now;
        for_nothing = 0;
        enough = FEW_FOR_NOTHING;
    }
    else if (++for_nothing >= enough) {
        for_nothing = 0;
        enough *= 2;
        _PyGC_young_count = _PyGC_young_threshold - 1;
    }
}

static int
has_to_wait(PyJitCode *jit)
{
    if (jit->cost <= LARGE || jit->put_off == MOST_PUT_OFF || _PyJit_MaySpend(jit->cost)) {
        return 0;
    }
    jit->put_off++;
    return 1;
}

/* A guard of the instruction has failed. What counts is how often in how much time: then the
   function is compiled anew, and the handlers of instructions that would fail again are
   called. */
void
_PyJit_HasLeft(PyVMFrame *f, const JitPoint *point)
{
    PyJitCode *jit = f->code->jit;
    uint32_t at = point->at;
    if (jit == NULL || jit->refused == NULL || jit->declined) {
        return;
    }
    if (_PyGC_young_count >= _PyGC_young_threshold) {
        if (_PyGC_young_threshold > 0) {        /* or under stress each object means a collection */
            left_for_collector();
        }
        return;
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
    /* Of a call that has said no, or anything else that has though its operands are of no other kind,
       the next version would know no more. */
    if (point->is_answer && (is_call(&f->code->code[at])
                             || (point->ip == at && jit->kinds[at] == known))) {
        jit->refused[at] |= JIT_SAID_NO;
    }
    if (jit->recording) {
        return;     /* an earlier version has left */
    }
    _PyTime_t now = _PyTime_GetPerfCounter();
    jit->left[jit->exits % JIT_LAST_LEFT] = at;
    jit->left_when[jit->exits++ % JIT_LAST_LEFT] = now;
    int is_last = jit->versions >= JIT_MOST_VERSIONS;
    int64_t many = is_last || _PyJit_Warmth.hurries ? 0 : jit->cost / EXIT_COST;
    many = many < MANY_EXITS ? MANY_EXITS : many;
    if (jit->exits < many) {
        return;
    }
    int64_t passed = now - jit->since;
    int often = passed < many * RARELY;
    jit->since = now;
    if (!often) {
        had_few_exits(f->code, passed);
    }
    jit->exits = 0;
    if (!often || (!is_last && has_to_wait(jit))) {
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
        _PyJit_Decline(f->code);
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
        jit->versions -= jit->versions == JIT_MOST_VERSIONS;        /* there may be any number */
        _PyJit_RecordAgain(code);
    }
}
