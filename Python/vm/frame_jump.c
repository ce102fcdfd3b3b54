/* Setting f_lineno: a tracer moves a stopped frame to another line.

   A line may be jumped to if every temporary that is alive there (the iterators
   of the loops around it, exit methods, exceptions) is alive in the same
   register now, and of the same kind; what is alive now but not there is
   released. Running the code abstractly shows what is alive at each
   instruction. */
#include "Python.h"
#include "../Python/vm/vm.h"
#include "internal/frame_object.h"

enum {
    DEAD = 0,
    VALUE,              /* of an expression: no line can be entered with one */
    EXIT,               /* the same, with the exit method of a with block */
    ITERATOR,           /* of a for loop */
    EXCEPTION,          /* what a handler was entered with */
    PREVIOUS,           /* what was being handled before, from PUSH_EXC */
    METHOD,             /* the first word of a window made by LOAD_METHOD */
};

typedef struct {
    PyVMCode *code;
    unsigned ntemps;
    uint8_t *kinds;             /* ninstr rows of ntemps kinds, at entry */
    uint8_t *reached;           /* per word: this row is known */
    uint32_t *pending;
    uint32_t npending;
} analysis;

static uint8_t *
row(analysis *an, uint32_t at)
{
    return an->kinds + (size_t)at * an->ntemps;
}

static void
reach(analysis *an, uint32_t at, const uint8_t *kinds)
{
    if (at < an->code->ninstr && !an->reached[at]) {
        an->reached[at] = 1;
        memcpy(row(an, at), kinds, an->ntemps);
        an->pending[an->npending++] = at;
    }
}

static void
set_kind(analysis *an, uint8_t *kinds, unsigned reg, int kind)
{
    unsigned first = an->code->first_temp;
    if (reg >= first && reg - first < an->ntemps) {
        kinds[reg - first] = (uint8_t)kind;
    }
}

/* An instruction that takes a run takes the topmost temporaries: none from `reg` on is
   alive afterwards. */
static void
kill_from(analysis *an, uint8_t *kinds, unsigned reg)
{
    unsigned first = an->code->first_temp;
    unsigned start = reg > first ? reg - first : 0;
    if (start < an->ntemps) {
        memset(kinds + start, DEAD, an->ntemps - start);
    }
}

/* Displays without items and functions without default values take no run, whatever register the
   instruction names. */
static int
takes_nothing(const PyInstr *ip, unsigned base)
{
    return ip->c == 0
           && (base == OP_BUILD_TUPLE || base == OP_BUILD_LIST || base == OP_BUILD_SET
               || base == OP_BUILD_MAP || base == OP_BUILD_STRING || base == OP_MAKE_FUNCTION);
}

static int
result_kind(const PyInstr *ip)
{
    switch (ip->op) {
    case OP_GET_ITER: case OP_GET_AITER: return ITERATOR;
    case OP_PUSH_EXC: return PREVIOUS;
    default: return VALUE;
    }
}

/* The effect of an instruction if the next one follows. */
static void
apply(analysis *an, const PyInstr *ip, uint8_t *kinds)
{
    unsigned base = _PyOpcode_Info[ip->op].base;
    const char *operands = _PyOpcode_Info[ip->op].operands;
    const unsigned fields[3] = {ip->a, ip->b, ip->c};
    for (int i = 0; i < 3; i++) {
        if (operands[i] == 'r') {
            set_kind(an, kinds, fields[i], DEAD);
        }
        else if (operands[i] == 'B' && base != OP_LOAD_METHOD
                 && base != OP_BEFORE_WITH && base != OP_BEFORE_ASYNC_WITH
                 && base != OP_UNPACK_LOCALS && base != OP_MOVE_METHOD && base != OP_WITH_EXCEPT_START
                 && base != OP_UNPACK_SEQUENCE && base != OP_UNPACK_EX
                 && !takes_nothing(ip, base)) {
            kill_from(an, kinds, fields[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        if (operands[i] == 'D') {
            int writes = base != OP_CLEAR_LOCAL && base != OP_DELETE_LOCAL;
            set_kind(an, kinds, fields[i], writes ? result_kind(ip) : DEAD);
        }
    }
    if (base == OP_LOAD_METHOD) {
        set_kind(an, kinds, ip->a, METHOD);
    }
    else if (base == OP_BEFORE_WITH || base == OP_BEFORE_ASYNC_WITH) {
        set_kind(an, kinds, ip->a, EXIT);
        set_kind(an, kinds, ip->b, METHOD);
    }
    else if (base == OP_MOVE_METHOD) {
        set_kind(an, kinds, ip->a, METHOD);
        set_kind(an, kinds, ip->b, DEAD);
    }
    else if (base == OP_WITH_EXCEPT_START) {
        set_kind(an, kinds, ip->b, DEAD);
    }
    else if (base == OP_CHECK_EG_MATCH) {
        set_kind(an, kinds, ip->a + 1u, VALUE);
    }
    else if (base == OP_UNPACK_SEQUENCE || base == OP_UNPACK_EX) {
        unsigned n = ip->c;
        if (base == OP_UNPACK_EX) {
            n += 1 + ((const PyCacheWord *)(ip + 1))->arg;
        }
        for (unsigned i = 0; i < n; i++) {
            set_kind(an, kinds, ip->a + i, VALUE);
        }
    }
}

static void
step(analysis *an, uint32_t at, uint8_t *kinds)
{
    PyVMCode *code = an->code;
    const PyInstr *ip = code->code + at;
    const PyOpcodeInfo *info = &_PyOpcode_Info[ip->op];
    uint32_t next = at + _PyInstr_Words(ip);
    const PyHandlerRange *range =
        code->nhandlers ? _PyCode_FindHandler(code, at) : NULL;
    memcpy(kinds, row(an, at), an->ntemps);
    if (range != NULL) {
        uint8_t *saved = kinds + an->ntemps;
        memcpy(saved, kinds, an->ntemps);
        kill_from(an, saved, range->depth);
        set_kind(an, saved, range->exc, EXCEPTION);
        reach(an, range->target, saved);
    }
    switch (info->base) {
    case OP_RETURN: case OP_RAISE: case OP_RERAISE:
        return;
    case OP_JUMP: case OP_JUMP_BACK:
        reach(an, next + (uint32_t)ip->bc, kinds);
        return;
    case OP_FOR_ITER: case OP_SEND: {
        int32_t distance = (int32_t)((const PyCacheWord *)(ip + 1))->arg;
        unsigned source = ip->a;
        apply(an, ip, kinds);
        reach(an, next, kinds);
        set_kind(an, kinds, source, DEAD);
        if (info->base == OP_FOR_ITER) {
            set_kind(an, kinds, ip->b, DEAD);
        }
        reach(an, next + (uint32_t)distance, kinds);
        return;
    }
    case OP_JUMP_IF_TRUE_OR_DROP: case OP_JUMP_IF_FALSE_OR_DROP:
        reach(an, next + (uint32_t)ip->bc, kinds);
        set_kind(an, kinds, ip->a, DEAD);
        reach(an, next, kinds);
        return;
    }
    apply(an, ip, kinds);
    reach(an, next, kinds);
    if (strchr(info->operands, 'J') != NULL) {
        reach(an, next + (uint32_t)ip->bc, kinds);
    }
    else if (strchr(info->operands, 'j') != NULL) {
        reach(an, next + (uint32_t)(int16_t)ip->c, kinds);
    }
}

static int
analyse(analysis *an, PyVMCode *code)
{
    size_t n = code->ninstr;
    an->code = code;
    an->ntemps = code->nregs - code->first_temp;
    an->npending = 0;
    an->kinds = PyMem_Calloc(n * an->ntemps + 1, 1);
    an->reached = PyMem_Calloc(n + 1, 1);
    an->pending = PyMem_Calloc(n + 1, sizeof(uint32_t));
    uint8_t *scratch = PyMem_Calloc(2 * (size_t)an->ntemps + 1, 1);
    if (an->kinds == NULL || an->reached == NULL || an->pending == NULL
        || scratch == NULL) {
        PyMem_Free(scratch);
        PyErr_NoMemory();
        return -1;
    }
    reach(an, 0, scratch);
    while (an->npending > 0) {
        step(an, an->pending[--an->npending], scratch);
    }
    PyMem_Free(scratch);
    return 0;
}

static void
free_analysis(analysis *an)
{
    PyMem_Free(an->kinds);
    PyMem_Free(an->reached);
    PyMem_Free(an->pending);
}

/* Is everything that is alive at `to` alive at `from`? A line within a statement, such as a
   pattern, may be begun again from itself: the values that wait for it are there. */
static int
compatible(analysis *an, uint32_t from, uint32_t to)
{
    if (from == to) {
        return 1;
    }
    for (unsigned i = 0; i < an->ntemps; i++) {
        int wanted = row(an, to)[i];
        if (wanted == VALUE
            || (wanted != DEAD && wanted != row(an, from)[i])) {
            return 0;
        }
    }
    return 1;
}

/* The kind of what is innermost: messages name that. */
static int
topmost(analysis *an, uint32_t at)
{
    for (unsigned i = an->ntemps; i-- > 0;) {
        if (row(an, at)[i] != DEAD) {
            return row(an, at)[i];
        }
    }
    return VALUE;
}

/* How many temporaries are alive. If a line begins in several places, the best is the one
   that keeps the most of them. */
static unsigned
alive(analysis *an, uint32_t at)
{
    unsigned n = 0;
    for (unsigned i = 0; i < an->ntemps; i++) {
        n += row(an, at)[i] != DEAD;
    }
    return n;
}

/* The first line at or after `line` that has code; -1: none. */
static int
line_with_code(PyVMCode *code, int line)
{
    int best = -1;
    for (uint32_t at = 0; at < code->ninstr;
         at += _PyInstr_Words(&code->code[at])) {
        int here = _PyCode_LineOf(code, at);
        if (here >= line && (best < 0 || here < best)) {
            best = here;
        }
    }
    return best;
}

static const char *
explain(int kind)
{
    switch (kind) {
    case ITERATOR: return "can't jump into the body of a for loop";
    case EXCEPTION: case PREVIOUS:
        return "can't jump into an 'except' block as there's no exception";
    case VALUE: case EXIT: case METHOD: return "incompatible stacks";
    default: return "can't jump into an exception handler, or code may be unreachable";
    }
}

/* The word at which to continue for a line, or -1 with ValueError. */
static int64_t
find_target(analysis *an, uint32_t from, int line)
{
    PyVMCode *code = an->code;
    int64_t best = -1;
    int kind = -1, last = -1;
    uint32_t entry = (uint32_t)(first_traceable(code) - code->code);
    int starts_once = code->code[0].op == OP_RETURN_GENERATOR;
    for (uint32_t at = 0; at < code->ninstr;
         at += _PyInstr_Words(&code->code[at])) {
        int here = _PyCode_LineOf(code, at);
        int starts = here == line && last != line;
        last = here;
        if (!starts || !an->reached[at] || (at < entry && !starts_once)) {
            continue;
        }
        if (starts_once && at <= entry) {
            kind = VALUE;       /* of what starts a generator */
        }
        else if (!compatible(an, from, at)) {
            kind = kind < 0 ? topmost(an, at) : kind;
        }
        else if (best < 0 || alive(an, at) > alive(an, (uint32_t)best)) {
            best = at;
        }
    }
    if (best < 0) {
        PyErr_SetString(PyExc_ValueError, explain(kind));
    }
    return best;
}

/* Releases what the target does not need, last made first. */
static void
drop_excess(analysis *an, PyVMFrame *f, uint32_t from, uint32_t to)
{
    PyThreadState *ts = _PyThreadState_GET();
    for (unsigned i = an->ntemps; i-- > 0;) {
        PyReg *slot = &f->regs[an->code->first_temp + i];
        int kind = row(an, from)[i];
        if (kind == DEAD || row(an, to)[i] != DEAD) {
            continue;
        }
        if (kind == METHOD || kind == EXIT) {
            /* the method is in slot 0 with its self, or else in slot 1 */
            for (int k = 0; k <= FRAME_WORDS; k++) {
                reg_set(&slot[k], 0);
            }
            continue;
        }
        PyReg value = *slot;
        *slot = 0;
        if (kind == PREVIOUS) {
            Py_XSETREF(ts->exc_info->exc_value, REG_PTR(value));
        }
        else {
            reg_release(value);
        }
    }
}

/* A jump may reach its target without binding variables that are bound on every path that
   the compiler has seen. */
static void
distrust_unbound(PyVMFrame *f)
{
    PyCodeObject *code = &f->code->ob;
    for (int i = 0; i < code->co_nlocals; i++) {
        if (f->regs[i] == 0) {
            _PyVM_DistrustVariables(_PyThreadState_GET(), f);
            return;
        }
    }
}

static int
is_yield(const PyInstr *ip)
{
    return ip->op == OP_YIELD_VALUE || ip->op == OP_YIELD_FROM_VALUE;
}

/* Is this an event during which a frame may be moved? */
static int
check_event(PyThreadState *ts, PyFrameObject *op)
{
    PyVMFrame *f = op->vm;
    if (!ts->tracing) {
        PyErr_SetString(PyExc_ValueError,
                        "f_lineno can only be set in a trace function");
        return -1;
    }
    switch (ts->tracing_what) {
    case PyTrace_LINE:
        break;
    case PyTrace_CALL:
        PyErr_SetString(PyExc_ValueError,
                        "can't jump from the 'call' trace event of a new frame");
        return -1;
    case PyTrace_RETURN:
        if (is_yield(f->ip)) {
            break;
        }
        /* fall through */
    default:
        PyErr_SetString(PyExc_ValueError,
                        "can only jump from a 'line' trace event");
        return -1;
    }
    if (op->f_trace == NULL) {
        PyErr_SetString(PyExc_ValueError,
                        "f_lineno can only be set by a trace function");
        return -1;
    }
    return 0;
}

int
_PyFrame_Jump(PyFrameObject *op, int line)
{
    PyVMFrame *f = op->vm;
    PyVMCode *code = f->code;
    if (check_event(_PyThreadState_GET(), op) < 0) {
        return -1;
    }
    if (line < code->ob.co_firstlineno) {
        PyErr_Format(PyExc_ValueError,
                     "line %d comes before the current code block", line);
        return -1;
    }
    int target_line = line_with_code(code, line);
    if (target_line < 0) {
        PyErr_Format(PyExc_ValueError,
                     "line %d comes after the current code block", line);
        return -1;
    }
    analysis an = {0};
    int64_t target = -1;
    uint32_t from = (uint32_t)(f->ip - code->code);
    if (analyse(&an, code) == 0) {
        if (is_yield(f->ip)) {
            set_kind(&an, row(&an, from), f->ip->a, DEAD);  /* on its way out */
        }
        target = find_target(&an, from, target_line);
    }
    if (target >= 0) {
        op->f_lineno = 0;
        drop_excess(&an, f, from, (uint32_t)target);
        distrust_unbound(f);
        f->ip = code->code + target;
    }
    free_analysis(&an);
    return target >= 0 ? 0 : -1;
}
