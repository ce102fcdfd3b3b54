/* Passes over the flat instructions of a code object, seen as basic blocks.

   A block is a range [start, end) of entries: control enters only at the start, and a
   jump can only be the last entry. Blocks stay in source order. Entries are deleted by
   giving them the opcode IR_DELETED, and removed at the end; until then indices, and so
   labels, stay valid. */
#include "ir.h"

#include <string.h>

typedef struct {
    int start, end;
    int target;                 /* block that the last entry jumps to, or -1 */
    int preds;
    int next;                   /* in the order in which lines go on to returns */
    SrcLoc came;                /* the one line that control comes from, or NO_LOC */
    uint8_t reachable;
    uint8_t queued;
    uint8_t led_to;             /* by a jump that has no copy of it */
} Block;

/* Entries that split_exits() has appended, from `start` on. python3.11 has them behind the block of
   entry `behind`; which is the jump to them, if python3.11 has none. */
typedef struct {
    int start, behind, has_no_jump;
} Copy;

typedef struct {
    IRCode *ir;
    Block *blocks;
    int nblocks;
    int *block_of;              /* entry -> block */
    int *stack;                 /* work list */
    Copy *copies;
    int ncopies, capcopies;
} Cfg;

static inline int
is_jump(const IRInstr *in)
{
    return in->op < OP__COUNT && _PyIR_Ops[in->op].jump != IR_JUMP_NONE;
}

static inline int
ends_flow(const IRInstr *in)
{
    return in->op < OP__COUNT && _PyIR_Ops[in->op].ends;
}

static inline int
is_return(const IRInstr *in)
{
    return in->op == IR_RETURN_NONE || in->op == OP_RETURN;
}

/* Is there nothing that python3.11 would have to do? */
static inline int
is_ours_alone(const IRInstr *in)
{
    return in->op == OP_DROP && in->b;
}

/* The last live entry of a block, or NULL. */
static IRInstr *
last_of(Cfg *g, const Block *b)
{
    for (int i = b->end - 1; i >= b->start; i--) {
        if (g->ir->v[i].op != IR_DELETED) {
            return &g->ir->v[i];
        }
    }
    return NULL;
}

/* The first live entry at or after index i, or NULL. */
static IRInstr *
first_from(IRCode *ir, int i)
{
    for (; i < ir->n; i++) {
        if (ir->v[i].op != IR_DELETED) {
            return &ir->v[i];
        }
    }
    return NULL;
}

static int
build_blocks(Cfg *g)
{
    IRCode *ir = g->ir;
    char *leader = PyMem_Calloc((size_t)ir->n + 1, 1);
    if (leader == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    leader[0] = 1;
    for (int i = 0; i < ir->n; i++) {
        const IRInstr *in = &ir->v[i];
        if (is_jump(in)) {
            leader[ir->labels[in->arg]] = 1;
            leader[i + 1] = 1;
        }
        else if (ends_flow(in)) {
            leader[i + 1] = 1;
        }
    }
    for (int h = 1; h < ir->nhandlers; h++) {
        int pos = ir->labels[ir->handlers[h].label];
        if (pos >= 0) {
            leader[pos] = 1;
        }
    }
    int count = 0;
    for (int i = 0; i < ir->n; i++) {
        count += leader[i];
    }
    PyMem_Free(g->blocks);
    PyMem_Free(g->block_of);
    PyMem_Free(g->stack);
    g->blocks = PyMem_Calloc((size_t)count, sizeof(Block));
    g->block_of = PyMem_Malloc((size_t)ir->n * sizeof(int));
    g->stack = PyMem_Malloc((size_t)count * sizeof(int));
    if (g->blocks == NULL || g->block_of == NULL || g->stack == NULL) {
        PyMem_Free(leader);
        PyErr_NoMemory();
        return -1;
    }
    g->nblocks = count;
    int b = -1;
    for (int i = 0; i < ir->n; i++) {
        if (leader[i]) {
            if (b >= 0) {
                g->blocks[b].end = i;
            }
            b++;
            g->blocks[b].start = i;
        }
        g->block_of[i] = b;
    }
    g->blocks[b].end = ir->n;
    PyMem_Free(leader);
    return 0;
}

static void
reach(Cfg *g, int block, int *depth)
{
    if (!g->blocks[block].reachable) {
        g->blocks[block].reachable = 1;
        g->stack[(*depth)++] = block;
    }
}

static void
drop_unreachable(Cfg *g)
{
    IRCode *ir = g->ir;
    int depth = 0;
    for (int b = 0; b < g->nblocks; b++) {
        g->blocks[b].reachable = 0;
    }
    reach(g, 0, &depth);
    while (depth > 0) {
        int b = g->stack[--depth];
        Block *block = &g->blocks[b];
        int handler = 0;
        for (int i = block->start; i < block->end; i++) {
            if (ir->v[i].handler != handler && ir->v[i].op != IR_DELETED) {
                handler = ir->v[i].handler;
                if (handler) {
                    int label = ir->handlers[handler].label;
                    reach(g, g->block_of[ir->labels[label]], &depth);
                }
            }
        }
        IRInstr *last = last_of(g, block);
        if (last != NULL && is_jump(last)) {
            reach(g, g->block_of[ir->labels[last->arg]], &depth);
        }
        if ((last == NULL || !ends_flow(last)) && b + 1 < g->nblocks) {
            reach(g, b + 1, &depth);
        }
    }
    for (int b = 0; b < g->nblocks; b++) {
        Block *block = &g->blocks[b];
        if (!block->reachable) {
            for (int i = block->start; i < block->end; i++) {
                ir->v[i].op = IR_DELETED;
            }
        }
    }
}

/* The block that runs after this one if that does not jump, or -1: what lies between has been
   deleted. */
static int
falls_into(Cfg *g, int b)
{
    IRInstr *last = last_of(g, &g->blocks[b]);
    if (last != NULL && ends_flow(last)) {
        return -1;
    }
    do {
        b++;
    } while (b < g->nblocks && !g->blocks[b].reachable);
    return b < g->nblocks ? b : -1;
}

/* Sets `target` and `preds` of the reachable blocks. A handler counts as two, and what is behind a
   `while` loop is also reached from its end, where python3.11 tests the condition again. */
static void
count_preds(Cfg *g)
{
    IRCode *ir = g->ir;
    for (int b = 0; b < g->nblocks; b++) {
        g->blocks[b].target = -1;
        g->blocks[b].preds = 0;
    }
    for (int h = 1; h < ir->nhandlers; h++) {
        int pos = ir->labels[ir->handlers[h].label];
        if (pos >= 0 && pos < ir->n) {
            g->blocks[g->block_of[pos]].preds += 2;
        }
    }
    g->blocks[0].preds++;
    for (int b = 0; b < g->nblocks; b++) {
        Block *block = &g->blocks[b];
        if (!block->reachable) {
            continue;
        }
        IRInstr *last = last_of(g, block);
        if (last != NULL && is_jump(last)) {
            block->target = g->block_of[ir->labels[last->arg]];
            g->blocks[block->target].preds++;
        }
        int behind = falls_into(g, b);
        if (behind >= 0) {
            g->blocks[behind].preds++;
        }
        if (last != NULL && last->op == OP_JUMP_BACK && last->a && b + 1 < g->nblocks) {
            g->blocks[b + 1].preds++;
        }
    }
}

/* The longest is `name = None; del name` at the end of a handler. */
#define LONGEST_EXIT 8

/* Where jumps without a line lead to, or NULL. */
static IRInstr *
behind_jumps(IRCode *ir, IRInstr *in)
{
    for (int hops = 0; in != NULL && in < ir->v + ir->n && hops < 32; hops++) {
        if (in->op != OP_JUMP || in->loc.line != -1) {
            return in;
        }
        in = first_from(ir, ir->labels[in->arg]);
    }
    return NULL;
}

/* In instructions of python3.11. */
static int
size_of(const IRInstr *in)
{
    return is_ours_alone(in) ? 0 : in->op == IR_RETURN_NONE ? 2 : in->op == OP_CLEAR_LOCAL ? 3 : 1;
}

/* The largest exit that python3.11 has in the place of a jump. */
#define LARGEST_IN_PLACE 4

/* Does nothing but leave, at no line (or, if it returns, at this one)? Then says how many entries
   it has, apart from jumps: an implicit return, or the end of a `finally` that goes on with the
   exception, and clean-up before that. */
static int
leaves_at(IRCode *ir, IRInstr *in, int line)
{
    int jumps = 0, size = 0;    /* of what is behind a jump */
    int has_line = 0;
    for (int n = 1; n <= LONGEST_EXIT; n++, in++) {
        IRInstr *from = in;
        in = behind_jumps(ir, in);
        jumps |= in != from;
        if (in == NULL || in->op == IR_DELETED || is_jump(in)
            || (in->loc.line != -1 && in->loc.line != line && !is_ours_alone(in))) {
            return 0;
        }
        has_line |= in->loc.line != -1 && !is_ours_alone(in);
        if (jumps) {
            size += size_of(in);
        }
        if (ends_flow(in)) {
            return size <= LARGEST_IN_PLACE && (!has_line || is_return(in)) ? n : 0;
        }
    }
    return 0;
}

static inline int
leaves_at_no_line(IRCode *ir, IRInstr *in)
{
    return leaves_at(ir, in, -1);
}

/* Has python3.11 nothing between the jump and where it leads? It would have dropped it. */
static int
leads_on(IRCode *ir, const IRInstr *jump)
{
    const IRInstr *to = first_from(ir, ir->labels[jump->arg]);
    const IRInstr *in = jump + 1;
    while (in < ir->v + ir->n && in != to
           && (in->op == IR_DELETED || is_ours_alone(in) || (in->op == OP_JUMP && in->b))) {
        in++;
    }
    return in == to;
}

/* Does a jump without a line lead to one that has the line of a case's last statement? */
static int
ends_case(IRCode *ir, const IRInstr *jump)
{
    const IRInstr *to = first_from(ir, ir->labels[jump->arg]);
    return to != NULL && to->op == OP_JUMP && to->loc.line >= 0;
}

/* Is what leaves the function behind the ends of two blocks, of which `to` is the first? python3.11
   puts exits in the place of jumps to them twice in all, which is once too few here. */
static int
ends_two_blocks(IRCode *ir, IRInstr *to)
{
    if (to->op != OP_JUMP || !to->a || to->loc.line != -1) {
        return 0;
    }
    for (int hops = 0; hops < 32; hops++) {
        to = first_from(ir, ir->labels[to->arg]);
        if (to == NULL || to->op != OP_JUMP || to->loc.line != -1) {
            return 0;
        }
        if (to->a) {
            return leaves_at_no_line(ir, to);
        }
    }
    return 0;
}

/* Threads jumps to jumps, and jumps to a return without a line. No line event may be lost, so
   a jump that has a line of its own is only skipped by a jump on the same line. (A JUMP with operand
   a is the end of a block that python3.11 gives up there, so that no jump skips it.) */
static void
thread_jumps(Cfg *g)
{
    IRCode *ir = g->ir;
    for (int i = 0; i < ir->n; i++) {
        IRInstr *in = &ir->v[i];
        if (!is_jump(in)) {
            continue;
        }
        int plain = in->op == OP_JUMP || in->op == OP_JUMP_BACK;
        int keeps = in->op == OP_JUMP_IF_TRUE_OR_DROP || in->op == OP_JUMP_IF_FALSE_OR_DROP;
        if (in->op == OP_SEND || in->op == OP_FOR_ITER) {
            continue;
        }
        for (int hops = 0; hops < 32; hops++) {
            IRInstr *to = first_from(ir, ir->labels[in->arg]);
            if (to == NULL || to == in) {
                break;
            }
            if (plain && is_return(to) && to->loc.line < 0) {
                in->op = to->op;
                in->a = to->a;
                in->b = 0;
                in->arg = to->arg;
                in->handler = to->handler;
                break;
            }
            if (to->loc.line >= 0 && to->loc.line != in->loc.line) {
                break;
            }
            if (to->op == OP_JUMP) {
                if ((!plain && ir->labels[to->arg] <= i) || ends_two_blocks(ir, to)) {
                    break;
                }
                if (in->op == OP_JUMP && in->b && to->loc.line < 0) {
                    break;      /* python3.11 has no jump here that could be threaded */
                }
                /* Where python3.11 does not, and so reports the line after it again. */
                if (to->loc.line < 0 && in->loc.line >= 0 && (keeps || ends_case(ir, to))) {
                    break;
                }
            }
            else if (to->op != OP_JUMP_BACK || !plain || to->a) {
                break;          /* the end of a `while` loop is told of, see last_told() */
            }
            if (to->loc.line == -1 && (in->loc.line >= 0 || (to->op == OP_JUMP && to->a))
                && !leaves_at_no_line(ir, to)) {
                if (to->op == OP_JUMP && (g->blocks[g->block_of[to - ir->v]].preds == 1
                                          || leads_on(ir, to))) {
                    break;      /* it gets the line of this one, or of what is before it */
                }
                to->loc = NO_LINE;      /* nothing to inherit: python3.11 comes here from both */
            }
            if (to->op == OP_JUMP && to->loc.line == NO_LINE.line) {
                IRInstr *behind = first_from(ir, ir->labels[to->arg]);
                if (leaves_at_no_line(ir, behind)) {
                    break;      /* it has nothing to inherit, either */
                }
                if (behind != NULL && behind->loc.line == in->loc.line) {
                    break;      /* the same line begins again */
                }
            }
            if (to->op == OP_JUMP_BACK) {
                in->op = OP_JUMP_BACK;
                in->a = 0;
            }
            in->arg = to->arg;
            g->blocks[g->block_of[ir->labels[to->arg]]].preds++;
            if (--g->blocks[g->block_of[to - ir->v]].preds == 0) {
                g->blocks[g->block_of[ir->labels[to->arg]]].preds--;
            }
        }
    }
}

/* Threads jumps to jumps that were left for the sake of their lines, now that all have theirs. One
   without a line stays if it hides that the line behind it is the same as before; not one to the
   head of a `while` loop, which is an event in any case. Says whether there were any. */
static int
thread_lines(IRCode *ir)
{
    int any = 0;
    for (int i = 0; i < ir->n; i++) {
        IRInstr *in = &ir->v[i];
        if (!is_jump(in) || in->op == OP_SEND || in->op == OP_FOR_ITER || in->op == OP_JUMP_BACK) {
            continue;
        }
        for (int hops = 0; hops < 32; hops++) {
            IRInstr *to = first_from(ir, ir->labels[in->arg]);
            if (to != NULL && to->op == OP_JUMP_BACK && in->op == OP_JUMP && to > in
                && (to->loc.line < 0 || to->loc.line == in->loc.line)) {
                in->op = OP_JUMP_BACK;
                in->a = 0;
                in->arg = to->arg;
                any = 1;
                break;
            }
            if (to == NULL || to->op != OP_JUMP || to < in || ir->labels[to->arg] <= i) {
                break;
            }
            IRInstr *behind = first_from(ir, ir->labels[to->arg]);
            if (to->loc.line >= 0 ? to->loc.line != in->loc.line
                                  : behind == NULL || behind->loc.line == in->loc.line) {
                break;
            }
            in->arg = to->arg;
            any = 1;
        }
    }
    return any;
}

/* The end of a `while` loop to which no jump leads any more has the line of what is before it: an
   exception that a signal raises there has a line. */
static void
give_loops_lines(Cfg *g)
{
    count_preds(g);
    for (int b = 0; b < g->nblocks; b++) {
        int behind = g->blocks[b].reachable ? falls_into(g, b) : -1;
        while (behind >= 0 && g->blocks[behind].preds == 1
               && last_of(g, &g->blocks[behind]) == NULL) {
            behind = falls_into(g, behind);     /* nothing is left of it */
        }
        if (behind < 0 || g->blocks[behind].preds != 1) {
            continue;
        }
        IRInstr *first = first_from(g->ir, g->blocks[behind].start);
        IRInstr *last = last_of(g, &g->blocks[b]);
        if (first != NULL && last != NULL && first->op == OP_JUMP_BACK && first->loc.line == -1) {
            first->loc = last->loc;
        }
    }
}

/* In `(a and b) or c`, the value that decided `and` is not tested again for `or`:
   programs can see in __bool__ that a value is tested once. (Twice where the operators are on
   different lines, as in python3.11: their lines are events for tracers.) */
static int
thread_and_or(IRCode *ir)
{
    for (int i = 0; i < ir->n; i++) {
        IRInstr *in = &ir->v[i];
        while (in->op == OP_JUMP_IF_TRUE_OR_DROP || in->op == OP_JUMP_IF_FALSE_OR_DROP) {
            IRInstr *to = first_from(ir, ir->labels[in->arg]);
            if (to == NULL || to == in || to->a != in->a || to->loc.line != in->loc.line
                || (to->op != OP_JUMP_IF_TRUE_OR_DROP
                    && to->op != OP_JUMP_IF_FALSE_OR_DROP)) {
                break;
            }
            if (to->op == in->op) {
                in->arg = to->arg;
                continue;
            }
            int behind = _PyIR_NewLabel(ir);
            if (behind < 0) {
                return -1;
            }
            ir->labels[behind] = (int32_t)(to - ir->v) + 1;
            in->op = in->op == OP_JUMP_IF_TRUE_OR_DROP ? OP_JUMP_IF_TRUE
                                                       : OP_JUMP_IF_FALSE;
            in->arg = behind;
        }
    }
    return 0;
}

/* A jump to the next instruction becomes a NOP that keeps its line. */
static void
drop_empty_jumps(IRCode *ir)
{
    for (int i = 0; i < ir->n; i++) {
        IRInstr *in = &ir->v[i];
        if (in->op != OP_JUMP) {
            continue;
        }
        int pos = ir->labels[in->arg];
        if (pos > i && first_from(ir, pos) == first_from(ir, i + 1)) {
            in->op = OP_NOP;
            in->a = 0;
            in->b = 0;
            in->arg = 0;
        }
    }
}

static int
note_copy(Cfg *g, int start, int behind, int has_no_jump)
{
    if (g->ncopies == g->capcopies) {
        int size = g->capcopies ? g->capcopies * 2 : 16;
        Copy *more = PyMem_Realloc(g->copies, (size_t)size * sizeof(Copy));
        if (more == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        g->copies = more;
        g->capcopies = size;
    }
    g->copies[g->ncopies++] = (Copy){start, behind, has_no_jump};
    return 0;
}

/* What leaves a function at no line of its own has the line that control comes from, so every
   jump to it gets one of its own, at the end. (thread_jumps() has dealt with plain jumps to
   returns, but for those that end two blocks: the first of them keeps the return.) python3.11 has
   what another jump leads to behind the first one. */
static int
split_exits(Cfg *g)
{
    IRCode *ir = g->ir;
    int n = ir->n;
    for (int i = 0; i < n; i++) {
        if (!is_jump(&ir->v[i]) || ir->v[i].op == OP_SEND || ir->v[i].op == OP_JUMP_BACK) {
            continue;
        }
        IRInstr *to = first_from(ir, ir->labels[ir->v[i].arg]);
        int is_plain = ir->v[i].op == OP_JUMP, on = is_plain && leads_on(ir, &ir->v[i]);
        int count = leaves_at(ir, to, is_plain && !on ? ir->v[i].loc.line : -1);
        if (count == 0) {
            continue;
        }
        Block *exit = &g->blocks[g->block_of[to - ir->v]];
        int is_left = is_plain && count == 1;
        if (is_left && (to->loc.line != -1 || !exit->led_to)) {
            exit->led_to = 1;
            continue;
        }
        int from = (int)(to - ir->v), label = _PyIR_NewLabel(ir), size = 0;
        if (label < 0) {
            return -1;
        }
        int original = from, start = ir->n;
        _PyIR_Bind(ir, label);
        for (int k = 0; k < count; k++, from++) {
            from = (int)(behind_jumps(ir, &ir->v[from]) - ir->v);
            IRInstr *fresh = _PyIR_Append(ir);
            if (fresh == NULL) {
                return -1;
            }
            *fresh = ir->v[from];
            fresh->loc = ir->v[i].loc;
            size += size_of(fresh);
        }
        on = on && !is_left;
        int in_place = on || (is_plain && !is_left && size <= LARGEST_IN_PLACE);
        if (note_copy(g, start, in_place ? i : original, on) < 0) {
            return -1;
        }
        ir->v[i].arg = label;
    }
    return 0;
}

/* An entry without a line takes the line of the entry that runs before it, where there is
   exactly one. (What is ours alone has nothing to give.) */
static void
inherit_lines(Cfg *g)
{
    IRCode *ir = g->ir;
    count_preds(g);
    for (int b = 0; b < g->nblocks; b++) {
        g->blocks[b].came = NO_LOC;
    }
    for (int b = 0; b < g->nblocks; b++) {
        Block *block = &g->blocks[b];
        if (!block->reachable) {
            continue;
        }
        SrcLoc loc = block->came;
        for (int i = block->start; i < block->end; i++) {
            IRInstr *in = &ir->v[i];
            if (in->op == IR_DELETED || (is_ours_alone(in) && in->loc.line != -1)) {
                continue;
            }
            if (in->loc.line == -1) {
                in->loc = loc;
            }
            else {
                loc = in->loc;
            }
        }
        int next[2] = {block->target, falls_into(g, b)};
        for (int k = 0; k < 2; k++) {
            if (next[k] < 0 || g->blocks[next[k]].preds != 1) {
                continue;
            }
            g->blocks[next[k]].came = loc;
            if (next[k] > b) {
                continue;
            }
            IRInstr *first = first_from(ir, g->blocks[next[k]].start);
            if (first != NULL && first->loc.line == -1
                && first < ir->v + g->blocks[next[k]].end) {
                first->loc = loc;
            }
        }
    }
}

/* The last entry of the test of a `while` loop, which operand a of the jump to it counts. */
static IRInstr *
end_of_test(IRCode *ir, const IRInstr *jump)
{
    IRInstr *first = &ir->v[ir->labels[jump->arg]];
    for (IRInstr *in = first + jump->a - 1; in > first; in--) {
        if (in->op != IR_DELETED && in->op != OP_NOP) {
            return in;
        }
    }
    return first_from(ir, ir->labels[jump->arg]);
}

/* The last entry whose line python3.11 would have at the end of this block, or NULL: it does not
   have to drop some of what ours drops, nor to jump behind that, has a block of its own for a jump
   that is only left to what comes before it, and tests the condition of a `while` loop again at
   the end. */
static IRInstr *
last_told(Cfg *g, const Block *b)
{
    for (int i = b->end - 1; i >= b->start; i--) {
        IRInstr *in = &g->ir->v[i];
        if (in->op == IR_DELETED || is_ours_alone(in)
            || (in->op == OP_JUMP && (in->b || in->loc.line == NO_LINE.line))) {
            continue;
        }
        return in->op == OP_JUMP_BACK && in->a ? end_of_test(g->ir, in) : in;
    }
    return NULL;
}

/* Where control comes from several lines to a return without one (an implicit one, or behind a
   `finally`), the block that ends with it takes the last line before it, as in python3.11. */
static void
give_returns_lines(Cfg *g, int first_line)
{
    IRCode *ir = g->ir;
    SrcLoc loc = {first_line, first_line, -1, -1};
    int originals = g->ncopies ? g->block_of[g->copies[0].start] : g->nblocks;
    for (int b = 0; b < originals; b++) {
        g->blocks[b].next = b + 1 < originals ? b + 1 : -1;
    }
    for (int k = g->ncopies - 1; k >= 0; k--) {
        int copy = g->block_of[g->copies[k].start];
        Block *before = &g->blocks[g->block_of[g->copies[k].behind]];
        g->blocks[copy].next = before->next;
        before->next = copy;
    }
    for (int b = 0; b >= 0; b = g->blocks[b].next) {
        Block *block = &g->blocks[b];
        IRInstr *last = block->reachable ? last_told(g, block) : NULL;
        if (last == NULL) {
            continue;
        }
        if (last->loc.line >= 0) {
            loc = (SrcLoc){last->loc.line, last->loc.line, -1, -1};
        }
        else if (is_return(last)) {
            for (int i = block->start; i < block->end; i++) {
                if (ir->v[i].loc.line < 0) {
                    ir->v[i].loc = loc;
                }
            }
        }
    }
}

/* What is ours alone is no event: it goes to the line of what follows it. */
static void
hide_ours(Cfg *g)
{
    IRCode *ir = g->ir;
    for (int k = 0; k < g->ncopies; k++) {
        Copy *copy = &g->copies[k];
        if (copy->has_no_jump && ir->v[copy->behind].loc.line == -1) {
            ir->v[copy->behind].loc = ir->v[copy->start].loc;
        }
    }
    SrcLoc loc = NO_LOC;
    for (int i = ir->n - 1; i >= 0; i--) {
        IRInstr *in = &ir->v[i];
        if (is_ours_alone(in)) {
            in->loc = loc;
        }
        else if (in->op != IR_DELETED) {
            loc = in->loc;
        }
    }
}

/* Lines have been inherited. */
static void
drop_nops_for_others(IRCode *ir)
{
    for (int i = 0; i < ir->n; i++) {
        if (ir->v[i].op == OP_NOP && ir->v[i].a == NOP_FOR_OTHERS) {
            ir->v[i].op = IR_DELETED;
        }
    }
}

/* A NOP is only there for its line. One with operand 1 stands for an instruction of python3.11,
   which is an event even if the function's head is on the same line. */
static void
drop_nops(Cfg *g)
{
    IRCode *ir = g->ir;
    for (int b = 0; b < g->nblocks; b++) {
        Block *block = &g->blocks[b];
        if (!block->reachable) {
            continue;
        }
        int prev_line = -1, prev = -1;
        for (int i = block->start; i < block->end; i++) {
            IRInstr *in = &ir->v[i];
            if (in->op == IR_DELETED) {
                continue;
            }
            int line = in->loc.line;
            if (in->op == OP_DROP) {
                in->b = 0;
            }
            if (in->op == OP_JUMP || in->op == OP_JUMP_BACK) {
                in->a = 0;
            }
            if (in->op == OP_NOP) {
                int stands = in->a && prev >= 0 && ir->v[prev].op == OP_RESUME
                             && ir->v[prev].a == 0;
                in->a = 0;
                IRInstr *next = first_from(ir, i + 1);
                int inside = next != NULL && next < ir->v + block->end;
                if (line < 0 || (line == prev_line && !stands)
                    || (next != NULL && next->loc.line == line)) {
                    in->op = IR_DELETED;
                    continue;
                }
                if (inside && next->loc.line < 0) {
                    next->loc = in->loc;
                    in->op = IR_DELETED;
                    continue;
                }
            }
            prev_line = line;
            prev = i;
        }
    }
}

/* ------------------------------------------------------ definite assignment */

typedef struct {
    Cfg *g;
    uint64_t *in;               /* `words` per block */
    uint64_t *now;
    int words;
    int nlocals;
    int depth;
} Bound;

static void
flow_into(Bound *f, int b)
{
    uint64_t *in = &f->in[(size_t)b * (size_t)f->words];
    Block *block = &f->g->blocks[b];
    int changed = !block->reachable;
    for (int w = 0; w < f->words; w++) {
        uint64_t merged = in[w] & f->now[w];
        if (merged != in[w]) {
            in[w] = merged;
            changed = 1;
        }
    }
    block->reachable = 1;
    if (changed && !block->queued) {
        block->queued = 1;
        f->g->stack[f->depth++] = b;
    }
}

/* The effect of one entry on the set. Returns 1 if a variable may be unbound here. */
static int
bind_effect(Bound *f, const IRInstr *in)
{
    uint16_t regs[3] = {in->a, in->b, in->c};
    if (in->op == OP_DELETE_LOCAL || in->op == OP_CLEAR_LOCAL) {
        if (in->a < f->nlocals) {
            f->now[in->a >> 6] &= ~(UINT64_C(1) << (in->a & 63));
        }
        return 1;
    }
    if (in->op == OP_CHECK_BOUND) {
        f->now[in->a >> 6] |= UINT64_C(1) << (in->a & 63);
        return 0;
    }
    if (in->op == OP_UNPACK_LOCALS) {
        for (int r = in->a; r < in->a + in->c; r++) {
            f->now[r >> 6] |= UINT64_C(1) << (r & 63);
        }
        return 0;
    }
    const char *letters = _PyIR_Ops[in->op].operand;
    for (int k = 0; k < 3; k++) {
        if (letters[k] == 'D' && regs[k] < f->nlocals) {
            f->now[regs[k] >> 6] |= UINT64_C(1) << (regs[k] & 63);
        }
    }
    return 0;
}

/* Runs a block from its entry set. With `finish`, removes checks instead of passing sets
   on. */
static void
bound_block(Bound *f, int b, int finish)
{
    IRCode *ir = f->g->ir;
    Block *block = &f->g->blocks[b];
    memcpy(f->now, &f->in[(size_t)b * (size_t)f->words],
           (size_t)f->words * sizeof(uint64_t));
    int handler = 0;
    IRInstr *last = NULL;
    for (int i = block->start; i < block->end; i++) {
        IRInstr *in = &ir->v[i];
        if (in->op == IR_DELETED) {
            continue;
        }
        if (finish && in->op == OP_CHECK_BOUND
            && (f->now[in->a >> 6] >> (in->a & 63) & 1)) {
            in->op = IR_DELETED;
            continue;
        }
        last = in;
        if (!finish && in->handler && in->handler != handler) {
            int label = ir->handlers[in->handler].label;
            flow_into(f, f->g->block_of[ir->labels[label]]);
        }
        handler = in->handler;
        if (in->op == OP_FOR_ITER && !finish) {
            flow_into(f, f->g->block_of[ir->labels[in->arg]]);
        }
        if (bind_effect(f, in)) {
            handler = 0;
        }
    }
    if (finish) {
        return;
    }
    if (last != NULL && is_jump(last) && last->op != OP_FOR_ITER) {
        flow_into(f, f->g->block_of[ir->labels[last->arg]]);
    }
    if ((last == NULL || !ends_flow(last)) && b + 1 < f->g->nblocks) {
        flow_into(f, b + 1);
    }
}

static int
drop_bound_checks(Cfg *g, int nbound, int nlocals)
{
    IRCode *ir = g->ir;
    int any = 0;
    for (int i = 0; i < ir->n && !any; i++) {
        any = ir->v[i].op == OP_CHECK_BOUND;
    }
    if (!any) {
        return 0;
    }
    Bound f = {.g = g, .nlocals = nlocals, .words = (nlocals + 63) / 64};
    size_t cells = (size_t)g->nblocks * (size_t)f.words;
    f.in = PyMem_Malloc((cells + (size_t)f.words) * sizeof(uint64_t));
    if (f.in == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    f.now = f.in + cells;
    memset(f.in, 0xff, cells * sizeof(uint64_t));
    memset(f.now, 0, (size_t)f.words * sizeof(uint64_t));
    for (int r = 0; r < nbound; r++) {
        f.now[r >> 6] |= UINT64_C(1) << (r & 63);
    }
    for (int b = 0; b < g->nblocks; b++) {
        g->blocks[b].reachable = 0;
        g->blocks[b].queued = 0;
    }
    flow_into(&f, 0);
    while (f.depth > 0) {
        int b = g->stack[--f.depth];
        g->blocks[b].queued = 0;
        bound_block(&f, b, 0);
    }
    for (int b = 0; b < g->nblocks; b++) {
        bound_block(&f, b, 1);
    }
    PyMem_Free(f.in);
    return 0;
}

/* Removes deleted entries and adjusts the labels. */
static int
compact(IRCode *ir)
{
    int *where = PyMem_Malloc(((size_t)ir->n + 1) * sizeof(int));
    if (where == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int n = 0;
    for (int i = 0; i < ir->n; i++) {
        where[i] = n;
        if (ir->v[i].op != IR_DELETED) {
            if (n != i) {
                ir->v[n] = ir->v[i];
            }
            n++;
        }
    }
    where[ir->n] = n;
    for (int l = 0; l < ir->nlabels; l++) {
        if (ir->labels[l] >= 0) {
            ir->labels[l] = where[ir->labels[l]];
        }
    }
    ir->n = n;
    PyMem_Free(where);
    return 0;
}

int
_PyIR_Optimize(IRCode *ir, int nbound, int nlocals, int first_line)
{
    Cfg g = {.ir = ir};
    int rc = -1;

    if (thread_and_or(ir) < 0) {
        goto done;
    }
    if (build_blocks(&g) < 0) {
        goto done;
    }
    drop_unreachable(&g);
    count_preds(&g);
    thread_jumps(&g);
    if (split_exits(&g) < 0 || build_blocks(&g) < 0) {
        goto done;
    }
    drop_unreachable(&g);
    drop_empty_jumps(ir);
    inherit_lines(&g);
    give_returns_lines(&g, first_line);
    drop_nops_for_others(ir);
    hide_ours(&g);
    if (thread_lines(ir)) {
        drop_unreachable(&g);
        give_loops_lines(&g);
    }
    /* First, because a NOP may have the line of a check that is not needed. */
    if (drop_bound_checks(&g, nbound, nlocals) < 0) {
        goto done;
    }
    drop_nops(&g);
    rc = compact(ir);
done:
    PyMem_Free(g.blocks);
    PyMem_Free(g.block_of);
    PyMem_Free(g.stack);
    PyMem_Free(g.copies);
    return rc;
}
