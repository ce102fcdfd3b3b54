/* The blocks of the bytecode, the order in which they are built, and their loops.

   Blocks are built in reverse postorder, so that all edges but those that close loops come
   from blocks that are built already. */
#include "build_parts.h"
#include "internal/unseen.h"

static const PyOpcodeInfo *
info_of(const PyInstr *in)
{
    return &_PyOpcode_Info[_PyOpcode_Info[in->op].base];
}

uint32_t
_PyJit_JumpTarget(PyVMCode *code, uint32_t ip)
{
    const PyInstr *in = &code->code[ip];
    const PyOpcodeInfo *info = info_of(in);
    int64_t behind = (int64_t)ip + 1 + info->cache;
    switch (info->base) {
    case OP_FOR_ITER:
    case OP_SEND:
        return (uint32_t)(behind + (int32_t)((const PyCacheWord *)(in + 1))->arg);
    }
    if (info->operands[1] == 'J') {
        return (uint32_t)(behind + in->bc);
    }
    if (info->operands[2] == 'j') {
        return (uint32_t)(behind + (int16_t)in->c);
    }
    return 0;
}

/* Does control never pass to the next instruction within machine code? */
static int
never_falls(const PyInstr *in)
{
    switch (_PyOpcode_Info[in->op].base) {
    case OP_JUMP: case OP_JUMP_BACK: case OP_RETURN: case OP_RAISE: case OP_RERAISE:
    case OP_YIELD_VALUE: case OP_YIELD_FROM_VALUE: case OP_RETURN_GENERATOR:
        return 1;
    default:
        return in->op == OP_LOAD_CONST__RETURN_NONE;
    }
}

/* A generator that is built in goes on by itself behind a YIELD_VALUE. */
static int
is_consumed(JitBuilder *b, const PyInstr *in)
{
    return b->inlined != NULL && _PyOpcode_Info[in->op].base == OP_YIELD_VALUE;
}

void
_PyJit_WrittenRegs(PyVMCode *code, uint32_t ip, unsigned nregs, uint8_t *written)
{
    const PyInstr *in = &code->code[ip];
    const PyOpcodeInfo *info = info_of(in);
    const uint16_t operands[3] = {in->a, in->b, in->c};
    for (int i = 0; i < 3; i++) {
        switch (info->operands[i]) {
        case 'D': case 'r': case 'k':
            /* Variables that are read are left as they are. */
            if (operands[i] < nregs
                && (info->operands[i] == 'D' || operands[i] >= code->first_temp)) {
                written[operands[i]] = 1;
            }
            break;
        case 'B':
            /* Runs are temporaries, and nothing above them is alive; but those of
               UNPACK_LOCALS are variables. */
            for (unsigned r = operands[i];
                 r < (info->base == OP_UNPACK_LOCALS ? operands[i] + in->c : nregs); r++) {
                written[r] = 1;
            }
            break;
        }
    }
}

uint32_t
_PyJit_EntryOf(PyVMCode *code)
{
    uint32_t ip = 0;
    while (_PyOpcode_Info[code->code[ip].op].base != OP_RESUME) {
        ip += 1u + _PyOpcode_Info[code->code[ip].op].cache;
    }
    return ip + 1;
}

/* Marks the instructions that begin a block: 1, or 3 for those entered from outside. 0 or -1. */
static int
mark_leaders(JitBuilder *b, uint8_t *leader, const uint8_t *outside)
{
    PyVMCode *code = b->code;
    leader[_PyJit_EntryOf(code)] = 3;
    for (uint32_t i = 0; i < code->nhandlers; i++) {
        const PyInstr *cls;
        uint32_t target = code->handlers[i].target;
        uint32_t behind = _PyVM_BehindUnseen(code, target, &cls);
        leader[target] = 3;
        if (behind != 0) {
            leader[behind] = 3;
        }
    }
    for (uint32_t ip = 0; ip < code->ninstr; ip = b->next) {
        const PyInstr *in = &code->code[ip];
        b->next = ip + 1 + _PyOpcode_Info[in->op].cache;
        uint32_t target = _PyJit_JumpTarget(code, ip);
        if (target >= code->ninstr || b->next > code->ninstr) {
            return -1;
        }
        if (target != 0) {
            leader[target] |= 1;
        }
        if ((target != 0 || never_falls(in)) && b->next < code->ninstr) {
            leader[b->next] |= 1;
        }
        uint32_t behind_pair = _PyJit_BehindPair(code, ip);
        if (behind_pair != 0) {
            leader[behind_pair] |= 1;
        }
        if (_PyOpcode_Info[in->op].base == OP_RESUME && in->a > 0 && b->inlined == NULL) {
            leader[b->next] = 3;        /* a generator is resumed behind it */
        }
        if (outside != NULL && outside[ip]
            && _PyJit_IsInside(((const PyJitCode *)code->jit)->region, ip)) {
            leader[ip] = 3;
        }
    }
    return 0;
}

/* What may run other code, or look at the frame. Arithmetic is taken for arithmetic of
   numbers. */
static int
is_opaque(const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    if ((base >= OP_ADD && base <= OP_RSHIFTI) || (base >= OP_LT && base <= OP_IS_NOT)
        || (base >= OP_JUMP && base <= OP_JUMP_IF_IS_NOT)) {
        return 0;
    }
    switch (base) {
    case OP_NOP: case OP_LOAD_CONST: case OP_MOVE: case OP_COPY: case OP_DROP:
    case OP_CHECK_BOUND: case OP_NEG: case OP_RESUME: case OP_LOAD_SUBSCRI:
    case OP_LOAD_SUBSCR: case OP_LOAD_DEREF: case OP_LOAD_FREE: case OP_NOT:
    case OP_STORE_SUBSCR: case OP_UNPACK_SEQUENCE: case OP_UNPACK_LOCALS:
        return 0;
    case OP_LOAD_ATTR:
        return in->op != OP_LOAD_ATTR__INLINE && in->op != OP_LOAD_ATTR__MEMBER
               && in->op != OP_LOAD_ATTR__OF_TYPE && in->op != OP_LOAD_ATTR__MODULE
               && in->op != OP_LOAD_ATTR__CLASS;
    case OP_FOR_ITER:
        return in->op != OP_FOR_ITER__RANGE && in->op != OP_FOR_ITER__LIST
               && in->op != OP_FOR_ITER__TUPLE;
    default:
        return 1;
    }
}

/* Depth first, without recursion. Blocks are put in front of those that they lead to. The
   function's entry is the first root: if the walk began within a loop, where code is entered
   from outside, it would take that place for the header of all loops around it. */
static int
order_blocks(JitBuilder *b)
{
    uint32_t n = b->nsources;
    uint32_t *stack = _PyJit_Alloc(b->g, n * sizeof(uint32_t));
    uint8_t *child = _PyJit_Alloc(b->g, n);
    uint8_t *state = _PyJit_Alloc(b->g, n);         /* 1: on the way, 2: done */
    uint32_t *reversed = _PyJit_Alloc(b->g, n * sizeof(uint32_t));
    b->order = _PyJit_Alloc(b->g, n * sizeof(uint32_t));
    if (b->g->failed) {
        return -1;
    }
    uint32_t done = 0, entry = b->source_at[_PyJit_EntryOf(b->code)];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = i == 0 ? entry : n - i;
        if (!b->sources[root].from_outside || state[root] != 0) {
            continue;
        }
        uint32_t depth = 0;
        stack[depth++] = root;
        state[root] = 1;
        while (depth > 0) {
            uint32_t at = stack[depth - 1];
            JitSource *source = &b->sources[at];
            if (child[at] < source->nnext) {
                /* The fall-through is visited last, and so stands next. */
                uint32_t to = source->next[child[at]++];
                if (state[to] == 0) {
                    state[to] = 1;
                    stack[depth++] = to;
                }
                continue;
            }
            state[at] = 2;
            reversed[done++] = at;
            depth--;
        }
    }
    /* The entry stands before the other roots. */
    b->order[b->norder++] = entry;
    for (uint32_t i = done; i-- > 0;) {
        if (reversed[i] != entry) {
            b->order[b->norder++] = reversed[i];
        }
    }
    for (uint32_t i = 0; i < done; i++) {
        b->sources[b->order[i]].order = i + 1;
    }
    for (uint32_t i = 0; i < done; i++) {
        JitSource *source = &b->sources[b->order[i]];
        for (uint32_t k = 0; k < source->nnext; k++) {
            JitSource *to = &b->sources[source->next[k]];
            to->is_header |= to->order <= source->order;
        }
    }
    return 0;
}

/* ---------------------------------------------------------------- first rounds

   The first round of an innermost loop is built apart, in front of it: what it finds out about
   variables that the loop does not write is known in all other rounds, and a sum that begins as
   an int and goes on as a double is one of doubles there. */

/* Longer loops have no first round of their own, or only if a sum asks for it. */
#define MOST_WORDS_TWICE 100
#define MOST_WORDS_ASKED 400

static void
note_first_round(JitBuilder *b, uint32_t h, const uint8_t *inside)
{
    JitSource *header = &b->sources[h];
    int asked = b->earlier != NULL && b->earlier[h].want_first;
    uint32_t words = 0;
    header->want_first = asked;
    for (uint32_t i = 1; i < b->nsources; i++) {
        if (inside[i]) {
            JitSource *source = &b->sources[i];
            words += source->end - source->start;
            if (i != h && (source->is_header || source->from_outside)) {
                return;
            }
        }
    }
    if (header->start == _PyJit_EntryOf(b->code)
        || (asked ? words > MOST_WORDS_ASKED
                  : header->loop_opaque || words > MOST_WORDS_TWICE)) {
        return;
    }
    for (uint32_t i = 1; i < b->nsources; i++) {
        if (inside[i]) {
            b->sources[i].first_of = h;
        }
    }
}

/* Is it the FOR_ITER of a loop with these blocks? */
static int
leaves_by_end(JitBuilder *b, uint32_t ip, const uint8_t *inside)
{
    const PyInstr *in = &b->code->code[ip];
    return _PyOpcode_Info[in->op].base == OP_FOR_ITER && !is_opaque(in)
           && !inside[b->source_at[_PyJit_JumpTarget(b->code, ip)]];
}

/* The blocks of each loop: those from which its closing edges can be reached without passing
   its header. What they write is noted in the header. */
static int
find_loops(JitBuilder *b)
{
    uint32_t n = b->nsources;
    uint8_t *inside = _PyJit_Alloc(b->g, n);
    uint32_t *stack = _PyJit_Alloc(b->g, n * sizeof(uint32_t));
    /* Who leads to whom. */
    uint32_t *first = _PyJit_Alloc(b->g, (n + 1) * sizeof(uint32_t));
    uint32_t *from = _PyJit_Alloc(b->g, 2 * sizeof(uint32_t) * n);
    if (b->g->failed) {
        return -1;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 1; i < n; i++) {
            for (uint32_t k = 0; b->sources[i].order != 0 && k < b->sources[i].nnext; k++) {
                uint32_t to = b->sources[i].next[k];
                if (pass == 0) {
                    first[to]++;
                }
                else {
                    from[--first[to]] = i;
                }
            }
        }
        for (uint32_t i = 1; pass == 0 && i <= n; i++) {
            first[i] += first[i - 1];
        }
    }
    for (uint32_t h = 1; h < n; h++) {
        JitSource *header = &b->sources[h];
        if (!header->is_header || header->order == 0) {
            continue;
        }
        memset(inside, 0, n);
        inside[h] = 1;
        uint32_t depth = 0;
        header->loop_end = header->order;
        header->assigned = _PyJit_Alloc(b->g, b->nregs);
        header->state = _PyJit_Alloc(b->g, b->nregs * sizeof(JitSlot));
        if (header->widen == NULL) {
            header->widen = _PyJit_Alloc(b->g, b->nregs * sizeof(JitSlot));
        }
        if (b->g->failed) {
            return -1;
        }
        for (uint32_t k = first[h]; k < first[h + 1]; k++) {
            if (b->sources[from[k]].order >= header->order && !inside[from[k]]) {
                inside[from[k]] = 1;
                stack[depth++] = from[k];
            }
        }
        while (depth > 0) {
            uint32_t at = stack[--depth];
            for (uint32_t k = first[at]; k < first[at + 1]; k++) {
                if (!inside[from[k]]) {
                    inside[from[k]] = 1;
                    stack[depth++] = from[k];
                }
            }
        }
        for (uint32_t i = 1; i < n; i++) {
            JitSource *source = &b->sources[i];
            if (!inside[i]) {
                continue;
            }
            if (source->order < header->order) {
                /* From outside into the middle of the loop, where a generator is resumed or an
                   exception is handled: values come from memory there. */
                memset(header->assigned, 1, b->nregs);
                inside[i] = 0;
                continue;
            }
            if (i != h && source->from_outside) {
                /* There values come from memory, also of what the loop does not write. */
                memset(header->assigned, 1, b->nregs);
            }
            source->loops++;
            if (source->order > header->loop_end) {
                header->loop_end = source->order;
            }
            for (uint32_t ip = source->start; ip < source->end;
                 ip += 1u + _PyOpcode_Info[b->code->code[ip].op].cache) {
                if (i == h && leaves_by_end(b, ip, inside)) {
                    /* The iterator is dropped on the way out only. */
                    header->assigned[b->code->code[ip].b] = 1;
                    continue;
                }
                _PyJit_WrittenRegs(b->code, ip, b->nregs, header->assigned);
                header->loop_opaque |= is_opaque(&b->code->code[ip]);
            }
        }
        note_first_round(b, h, inside);
    }
    return 0;
}

/* The blocks of first rounds stand in front of their loops' headers. */
static int
add_first_rounds(JitBuilder *b)
{
    uint32_t n = 0, *order = _PyJit_Alloc(b->g, 2 * b->norder * sizeof(uint32_t));
    if (b->g->failed) {
        return -1;
    }
    for (uint32_t i = 0; i < b->norder; i++) {
        uint32_t h = b->order[i];
        for (uint32_t k = i; b->sources[h].first_of == h && k < b->norder; k++) {
            JitSource *source = &b->sources[b->order[k]];
            if (source->first_of == h && !source->is_first) {
                source->first = b->nsources++;
                JitSource *copy = &b->sources[source->first];
                *copy = (JitSource){.start = source->start, .end = source->end,
                                    .order = source->order, .first_of = h, .is_first = 1};
                order[n++] = source->first;
            }
        }
        order[n++] = h;
    }
    b->order = order;
    b->norder = n;
    return 0;
}

uint32_t
_PyJit_InRound(JitBuilder *b, uint32_t to)
{
    JitSource *source = &b->sources[b->source];
    uint32_t h = b->sources[to].first_of;
    if (h == 0) {
        return to;
    }
    if (source->first_of != h) {
        return b->sources[to].first;            /* from outside of the loop, to its header */
    }
    return source->is_first && to != h ? b->sources[to].first : to;
}

int
_PyJit_FindBlocks(JitBuilder *b, const uint8_t *outside)
{
    PyVMCode *code = b->code;
    uint8_t *leader = _PyJit_Alloc(b->g, code->ninstr + 1);
    b->source_at = _PyJit_Alloc(b->g, (code->ninstr + 1) * sizeof(uint32_t));
    if (b->g->failed || mark_leaders(b, leader, outside) < 0) {
        return -1;
    }
    uint32_t count = 1;
    for (uint32_t ip = 0; ip < code->ninstr; ip++) {
        b->source_at[ip] = leader[ip] ? count++ : 0;
    }
    b->nsources = count;
    b->sources = _PyJit_Alloc(b->g, 2 * count * sizeof(JitSource));
    if (b->g->failed) {
        return -1;
    }
    JitSource *source = NULL;
    const PyInstr *last = NULL;
    for (uint32_t ip = 0; ip < code->ninstr; ip = b->next) {
        const PyInstr *in = &code->code[ip];
        b->next = ip + 1 + _PyOpcode_Info[in->op].cache;
        if (b->source_at[ip] != 0) {
            JitSource *begun = &b->sources[b->source_at[ip]];
            if (source != NULL && source->nnext == 0
                && (!never_falls(last) || is_consumed(b, last))) {
                source->next[source->nnext++] = b->source_at[ip];
            }
            source = begun;
            source->start = ip;
            source->from_outside = leader[ip] == 3;
        }
        if (source == NULL) {
            continue;           /* cells, and the making of a generator */
        }
        source->end = b->next;
        last = in;
        uint32_t target = _PyJit_JumpTarget(code, ip);
        if (target != 0) {
            source->next[source->nnext++] = b->source_at[target];
            if (!never_falls(in)) {
                source->next[source->nnext++] = b->source_at[b->next];
            }
        }
    }
    return order_blocks(b) < 0 || find_loops(b) < 0 || add_first_rounds(b) < 0 ? -1 : 0;
}
