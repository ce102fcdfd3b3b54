/* A graph to a machine function: the driver, and what stands between blocks.

   The registers `frame` and `thread` hold the VM frame and the thread state throughout. The
   usual path is emitted in the order of the blocks (the nodes: lower_numbers.c, lower_memory.c,
   lower_calls.c); what is rare is noted (JitRare) and follows at the end (lower_rare.c). */
#include "lower_parts.h"
#include "rare.h"
#include "internal/memory.h"
#include "../vm/vm.h"

#undef A
#undef B
#undef C

#define AS (&l->as)

/* ---------------------------------------------------------------------- nodes */

/* Guards that may fail without a reason. Those of what a call has answered may not: they lead
   back before the call if it has done nothing. */
static int
may_always_leave(const JitGraph *g, const JitNode *n)
{
    uint8_t asked = g->nodes[n->args[0]].op;
    if (asked == JIT_CALL_OPAQUE_NODE || asked == JIT_CALL_C_NODE || asked == JIT_CALL_NODE) {
        return 0;
    }
    switch (n->op) {
    case JIT_RELEASE_NODE: case JIT_PENDING_NODE: case JIT_LEAVE_NODE:
    case JIT_BOX_INT_NODE: case JIT_BOX_DOUBLE_NODE:
        return 0;
    default:
        return (_PyJit_NodeFlags[n->op] & JIT_LEAVES) && n->snap != 0;
    }
}

/* Stress: some guards fail for no reason. Each try must choose the same. */
static void
emit_stress(JitLower *l, JitRef ref)
{
    uint32_t chosen = (ref + (uint32_t)_PyJit_Seed + l->stress) * 2654435761u;
    if (chosen >> 30 != 0 || !may_always_leave(l->g, &l->g->nodes[ref])) {
        return;
    }
    uint64_t temps = l->temps;
    JitReg t = _PyJit_Temp(l);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    l->temps = temps;
    _PyJit_MovImm(AS, t, (uint64_t)&_PyJit_StressLeft);
    _PyJit_AddMem(AS, JIT_32, t, 0, -1);
    _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, t, 0, 0, leave);
}

static void
go_to_node(JitLower *l, const JitNode *n)
{
    _PyJit_ToScope(l, n->scope, n->ip);
    _PyJit_Mark(l, n->ip, n->scope, n->inner_ip);
}

static void
emit_node(JitLower *l, JitRef ref)
{
    JitNode *n = &l->g->nodes[ref];
    switch (n->op) {
    case JIT_NONE_NODE: case JIT_CONST_NODE: case JIT_DOUBLE_NODE: case JIT_PHI_NODE:
        return;
    case JIT_JUMP_NODE:
        break;                  /* emit_block_end() */
    case JIT_BRANCH_NODE: case JIT_FBRANCH_NODE:
        go_to_node(l, n);
        break;
    default:
        go_to_node(l, n);
        if (_PyJit_Enabled == JIT_STRESS) {
            emit_stress(l, ref);
        }
        if (!_PyJit_LowerNumber(l, ref, n) && !_PyJit_LowerMemory(l, ref, n)
            && !_PyJit_LowerCall(l, ref, n)) {
            fprintf(stderr, "jit: no machine code for %s\n", _PyJit_NodeNames[n->op]);
            l->g->failed = 1;
        }
        break;
    }
    if (!(_PyJit_NodeFlags[n->op] & JIT_ENDS)) {
        _PyJit_EndNode(l, ref);
    }
}

/* --------------------------------------------------------------------- blocks */

static void
emit_range(JitLower *l, JitRange range)
{
    for (JitRef ref = range.first; ref < range.end && !l->g->failed; ref++) {
        emit_node(l, ref);
    }
}

/* What stands on an edge, then its moves. */
static void
emit_edge(JitLower *l, uint32_t number)
{
    l->unit = l->g->nblocks + number;
    l->pinned = l->temps = 0;
    emit_range(l, l->g->edges[number].nodes);
    _PyJit_EdgeMoves(l, number);
    const JitBlock *to = &l->g->blocks[l->g->edges[number].to];
    _PyJit_ToScope(l, to->scope, to->start);
}

static void
set_state(JitLower *l, const JitState *state)
{
    _PyJit_SetState(l, state);
    l->pinned = l->temps = 0;
}

/* The condition of the block's last node, as a jump. */
static void
emit_condition(JitLower *l, JitNode *n, int negated, JitLabel label)
{
    JitCond cond = (JitCond)n->cond;
    if (n->op == JIT_STEP_BRANCH_NODE) {
        JitReg t = l->m->result;
        _PyJit_MovImm(AS, t, (uint64_t)n->aux);
        _PyJit_Branch(AS, negated ? JIT_NE : JIT_EQ, l->m->result2, t, label);
        return;
    }
    if (n->op == JIT_FBRANCH_NODE) {
        JitFloatReg a = _PyJit_InFloat(l, n->args[0]), b = _PyJit_InFloat(l, n->args[1]);
        _PyJit_FBranch(AS, negated ? JIT_NEGATED(cond) : cond, a, b,
                       negated ? !n->width : n->width, label);
        return;
    }
    JitReg a = _PyJit_In(l, n->args[0]);
    cond = negated ? JIT_NEGATED(cond) : cond;
    JitNode *y = &l->g->nodes[n->args[1]];
    if (y->op == JIT_CONST_NODE) {
        _PyJit_BranchImm(AS, cond, a, (int64_t)y->imm, label);
    }
    else {
        _PyJit_Branch(AS, cond, a, _PyJit_In(l, n->args[1]), label);
    }
}

/* The operands of the condition are loaded before states are compared. Constants need a register
   only for the comparison, but what gives way to one does so now. */
static void
load_operands(JitLower *l, const JitNode *n)
{
    int is_double = n->op == JIT_FBRANCH_NODE, constants = 0;
    for (int i = 0; i < 2; i++) {
        if (jit_is_const(l, n->args[i])) {
            constants += is_double || i == 0;       /* the second of integers is immediate */
        }
        else if (is_double) {
            (void)_PyJit_InFloat(l, n->args[i]);
        }
        else {
            (void)_PyJit_In(l, n->args[i]);
        }
    }
    _PyJit_MakeRoom(l, is_double ? 0 : constants, is_double ? constants : 0);
}

static void
jump_unless_next(JitLower *l, uint32_t from, uint32_t to)
{
    if (to != from + 1 || l->g->blocks[to].entry != 0) {
        _PyJit_Jump(AS, l->labels[to]);
    }
}

static void
emit_block_end(JitLower *l, uint32_t number)
{
    JitGraph *g = l->g;
    JitBlock *block = &g->blocks[number];
    JitRef last = block->nodes.end - 1;
    JitNode *n = &g->nodes[last];
    if (block->nedges == 0) {
        return;
    }
    if (block->nedges == 1) {
        _PyJit_EndNode(l, last);
        emit_edge(l, block->edges[0]);
        jump_unless_next(l, number, g->edges[block->edges[0]].to);
        return;
    }
    uint32_t edge0 = block->edges[0], edge1 = block->edges[1];
    if (n->op == JIT_STEP_BRANCH_NODE) {
        /* Neither: an exception, or somewhere else altogether. */
        JitLabel fine = _PyJit_NewLabel(AS);
        uint32_t next = _PyJit_BehindInstr(l, (uint32_t)n->imm);
        _PyJit_MovImm(AS, l->m->result, (uint64_t)(g->code->code + next));
        _PyJit_Branch(AS, JIT_EQ, l->m->result2, l->m->result, fine);
        _PyJit_MovImm(AS, l->m->result, (uint64_t)n->aux);
        _PyJit_Branch(AS, JIT_NE, l->m->result2, l->m->result, l->common_dispatch);
        _PyJit_Bind(AS, fine);
    }
    if (n->op != JIT_STEP_BRANCH_NODE) {
        load_operands(l, n);
    }
    if (g->failed) {
        return;
    }
    JitLabel aside = _PyJit_NewLabel(AS);
    int swap = g->edges[edge0].to == number + 1;
    uint32_t jumps = swap ? edge1 : edge0, falls = swap ? edge0 : edge1;
    JitLabel direct = l->labels[g->edges[jumps].to];
    JitState before = l->now, after = l->now;
    /* As it will be after the comparison. */
    const JitRef *deaths = l->deaths + l->deaths_first[last];
    for (uint32_t i = 0; i < l->deaths_n[last]; i++) {
        unsigned r = l->reg[deaths[i]];
        if (r != JIT_NO_REG) {
            after.owner[r] = 0;
            after.held &= ~((uint64_t)1 << r);
        }
    }
    uint64_t pinned = l->pinned;
    set_state(l, &after);
    int is_free = _PyJit_EdgeIsFree(l, jumps)
                  && g->blocks[g->edges[jumps].to].scope == l->scope;
    set_state(l, &before);
    l->pinned = pinned;
    emit_condition(l, n, swap, is_free ? direct : aside);
    unsigned scope = l->scope;
    set_state(l, &after);
    emit_edge(l, falls);
    uint32_t to = g->edges[falls].to;
    if (is_free) {
        jump_unless_next(l, number, to);
        return;
    }
    _PyJit_Jump(AS, l->labels[to]);
    _PyJit_Bind(AS, aside);
    _PyJit_BeginScope(l, scope);
    _PyJit_Mark(l, n->ip, n->scope, n->inner_ip);
    set_state(l, &after);
    emit_edge(l, jumps);
    jump_unless_next(l, number, g->edges[jumps].to);
}

static void
emit_prologue(JitLower *l)
{
    _PyJit_Prologue(AS, l->saved, l->saved_floats, l->records + _PyJit_RecordWords(l->g));
}

static int
is_behind_yield(const PyVMCode *code, uint32_t ip)
{
    return code->is_generator && ip >= 2 && code->code[ip - 2].op == OP_YIELD_VALUE;
}

static void
emit_block(JitLower *l, uint32_t number)
{
    JitGraph *g = l->g;
    JitBlock *block = &g->blocks[number];
    if (block->entry != 0) {
        /* From outside: nothing is in registers. */
        int aside = block->start != l->main_entry;
        _PyJit_AsmPart(AS, aside);
        _PyJit_BeginScope(l, 0);
        if (is_behind_yield(g->code, block->start)) {
            _PyJit_Bind(AS, l->resumes[number]);
            emit_prologue(l);
        }
        _PyJit_Bind(AS, l->places[number]);
        _PyJit_SetState(l, NULL);
        emit_edge(l, block->entry);
        if (aside) {
            _PyJit_Jump(AS, l->labels[number]);
        }
        _PyJit_AsmPart(AS, 0);
    }
    _PyJit_BeginScope(l, block->scope);
    _PyJit_Bind(AS, l->labels[number]);
    _PyJit_BeginUnit(l, number);
    emit_range(l, block->nodes);
    if (!g->failed) {
        emit_block_end(l, number);
    }
}

static void
emit_common(JitLower *l)
{
    const JitMachine *m = l->m;
    _PyJit_AsmPart(AS, 1);
    _PyJit_BeginScope(l, 0);
    /* A guard has failed: registers are in the area, and args[3] is where they belong. */
    _PyJit_Bind(AS, l->common_exit);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_Mov(AS, m->args[1], m->thread);
    _PyJit_OpImm(AS, JIT_ADD, m->args[2], m->frame_pointer, jit_area_disp(l, 0));
    _PyJit_Call(AS, (const void *)_PyJit_Leave);
    _PyJit_Mov(AS, m->result2, m->result);
    _PyJit_Jump(AS, l->common_leave);
    /* An exception is set, and f->ip is where it was raised or `common_error` says so. */
    _PyJit_Bind(AS, l->common_error);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_Load(AS, JIT_64, m->args[1], m->frame, offsetof(PyVMFrame, ip));
    _PyJit_Mov(AS, m->args[2], m->thread);
    _PyJit_Call(AS, (const void *)_PyVM_StepError);
    _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_return);
    _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, m->thread, offsetof(_PyThreadStateImpl, native_ok),
                        0, l->common_leave);
    /* Another instruction of this frame, in result2: its place, if it has one. */
    _PyJit_Bind(AS, l->common_dispatch);
    _PyJit_Mov(AS, m->args[1], m->result2);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_MovImm(AS, m->args[2], (uint64_t)l->jit);
    _PyJit_Call(AS, (const void *)_PyJit_Dispatch);
    JitLabel away = _PyJit_NewLabel(AS);
    _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, away);
    _PyJit_JumpReg(AS, m->result);
    _PyJit_Bind(AS, away);
    _PyJit_Load(AS, JIT_64, m->result2, m->frame, offsetof(PyVMFrame, ip));
    /* The interpreter goes on with the instruction in result2. */
    _PyJit_Bind(AS, l->common_leave);
    _PyJit_Mov(AS, m->args[1], m->result2);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_Mov(AS, m->args[2], m->thread);
    _PyJit_TailCall(AS, (const void *)_PyVM_RunNative);
    /* The frame has ended, and the value is in result2. */
    _PyJit_Bind(AS, l->common_return);
    _PyJit_Mov(AS, m->result, m->result2);
    _PyJit_Return(AS);
    _PyJit_AsmPart(AS, 0);
}

/* Does another try have to follow, for it is known now what has to be saved and to have a slot? */
static int
is_lost(const JitLower *l, uint64_t used)
{
    uint64_t saved = (uint64_t)l->m->callee_saved
                     | (uint64_t)l->m->float_callee_saved << JIT_FLOATS;
    return l->again || (l->used & saved & ~used) != 0;
}

/* The assembler's memory waits for the next function, if it is not too much. One that has failed
   points at bytes of its own. */
static JitAsm idle;
#define MOST_IDLE (128u << 10)

static void
put_away(JitAsm *as)
{
    if (as->failed || as->parts[0].size + as->parts[1].size > MOST_IDLE || idle.labels != NULL) {
        _PyJit_AsmFree(as);
    }
    else {
        idle = *as;
    }
}

/* One try. used, slots: of the try before. */
static int
emit_all(JitLower *l, uint64_t used, uint32_t slots, uint32_t *at_entry)
{
    JitGraph *g = l->g;
    _PyJit_AsmAgain(AS);
    _PyJit_FreePoints(l->points);
    l->points = NULL;
    l->again = 0;
    l->nslots = 0;
    l->slots_room = slots;
    l->used = used;
    l->rare = NULL;
    l->rare_end = &l->rare;
    _PyJit_ForgetMarks(l);
    memset(l->slot, -1, g->nnodes * sizeof(int32_t));
    l->now = (JitState){{0}, 0};
    memset(l->reg, JIT_NO_REG, g->nnodes);
    memset(l->entry, 0, g->nblocks * sizeof(JitState *));
    for (uint32_t i = 1; i < g->nblocks; i++) {
        l->labels[i] = _PyJit_NewLabel(AS);
        l->places[i] = g->blocks[i].entry != 0 ? _PyJit_NewLabel(AS) : 0;
        l->resumes[i] = g->blocks[i].entry != 0 ? _PyJit_NewLabel(AS) : 0;
    }
    l->common_return = _PyJit_NewLabel(AS);
    l->common_dispatch = _PyJit_NewLabel(AS);
    l->common_exit = _PyJit_NewLabel(AS);
    l->common_leave = _PyJit_NewLabel(AS);
    l->common_error = _PyJit_NewLabel(AS);
    _PyJit_Mark(l, l->main_entry - 1, 0, l->main_entry - 1);     /* RESUME */
    l->saved = (JitRegSet)used & l->m->callee_saved;
    l->saved_floats = (JitRegSet)(used >> JIT_FLOATS) & l->m->float_callee_saved;
    _PyJit_AsmPart(AS, 1);
    *at_entry = _PyJit_AsmHere(AS);
    l->scope = 0;
    l->records = JIT_AREA_WORDS + slots;
    emit_prologue(l);
    _PyJit_JumpReg(AS, l->m->args[2]);
    _PyJit_AsmPart(AS, 0);
    emit_prologue(l);
    for (uint32_t i = 1; i < g->nblocks && !g->failed; i++) {
        if (i == 1 && g->blocks[1].start != l->main_entry) {
            g->failed = 1;      /* the first block is where functions begin */
            break;
        }
        emit_block(l, i);
    }
    if (g->failed) {
        return -1;
    }
    if (is_lost(l, used)) {
        return 0;               /* what is rare decides nothing */
    }
    _PyJit_Mark(l, l->main_entry - 1, 0, l->main_entry - 1);
    emit_common(l);
    _PyJit_AsmPart(AS, 1);
    for (JitRare *rare = l->rare; rare != NULL; rare = rare->next) {
        const JitNode *n = &g->nodes[rare->node];
        _PyJit_BeginScope(l, n->scope);
        _PyJit_Mark(l, n->ip, n->scope, n->inner_ip);
        _PyJit_LowerRare(l, rare);
    }
    return g->failed ? -1 : 0;
}

/* Most functions need three at most. After MANY_TRIES all that is in registers where one is wanting
   gets slots, after twice as many each value does. */
#define MANY_TRIES 4
#define MOST_TRIES 16

/* The code of so many nodes, with what is noted of its exits, takes several pages of malloc's heap:
   some so many bytes for a node. */
#define MANY_NODES 128
#define HEAP_FOR_NODE 96

/* So many registers are enough for any one node: operands, result, what it needs between. */
#define FEWEST_REGISTERS 7

/* Stress: values have to give way to others more often, now and then in as few registers as there
   can be. What calls need stays. */
static JitMachine
with_few_registers(void)
{
    JitMachine m = _PyJit_Machine;
    JitRegSet kept = (JitRegSet)1 << m.result | (JitRegSet)1 << m.result2
                     | (JitRegSet)1 << m.callee;
    for (size_t i = 0; i < Py_ARRAY_LENGTH(m.args); i++) {
        kept |= (JitRegSet)1 << m.args[i];
    }
    int spares_some = _PyJit_Random(4) > 0;
    for (unsigned r = 0; r < 32; r++) {
        JitRegSet bit = ((JitRegSet)1 << r) & (m.caller_saved | m.callee_saved);
        if (__builtin_popcount(kept) < FEWEST_REGISTERS || (spares_some && _PyJit_Random(4) == 0)) {
            kept |= bit;
        }
    }
    m.caller_saved &= kept;
    m.callee_saved &= kept;
    return m;
}

/* The first registers of a set: what is alive over calls takes them in this order. */
static uint64_t
lowest(JitRegSet set, uint32_t n)
{
    uint64_t found = 0;
    for (; n > 0 && set != 0; n--) {
        found |= (uint64_t)(set & -set);
        set &= set - 1;
    }
    return found;
}

/* If what is alive over a call does not fit in registers, most values over calls get slots. */
static uint32_t
slots_wanted(const JitLower *l)
{
    uint32_t few = 4, regs = (uint32_t)__builtin_popcountll(l->m->callee_saved), all = 0;
    for (JitRef ref = 1; l->most_across[0] > regs && ref < l->g->nnodes; ref++) {
        all += l->across[ref];
    }
    return Py_MAX(all, few);
}

PyJitCode *
_PyJit_Lower(JitGraph *g)
{
    JitMachine few = _PyJit_Machine;
    JitLower lower = {.g = g, .m = &_PyJit_Machine}, *l = &lower;
    if (_PyJit_Enabled == JIT_STRESS) {
        l->stress = _PyJit_Random(1 << 30);
        if (_PyJit_Random(2)) {
            few = with_few_registers();
            l->m = &few;
        }
    }
    l->reg = _PyJit_Alloc(g, g->nnodes);
    l->slot = _PyJit_Alloc(g, g->nnodes * sizeof(int32_t));
    l->needs_slot = _PyJit_Alloc(g, g->nnodes);
    l->used_in = _PyJit_Alloc(g, g->nnodes * sizeof(uint32_t));
    l->labels = _PyJit_Alloc(g, g->nblocks * sizeof(JitLabel));
    l->places = _PyJit_Alloc(g, g->nblocks * sizeof(JitLabel));
    l->resumes = _PyJit_Alloc(g, g->nblocks * sizeof(JitLabel));
    l->entry = _PyJit_Alloc(g, g->nblocks * sizeof(JitState *));
    l->main_entry = _PyJit_EntryOf(g->code);
    if (g->failed || _PyJit_FindLife(l) < 0) {
        return NULL;
    }
    uint64_t used = lowest(l->m->callee_saved, l->most_across[0])
                    | lowest(l->m->float_callee_saved, l->most_across[1]) << JIT_FLOATS;
    uint32_t slots = slots_wanted(l), at_entry = 0;
    PyJitCode *jit = NULL;
    l->jit = PyMem_RawCalloc(1, sizeof(PyJitCode));
    if (l->jit == NULL) {
        return NULL;
    }
    static uint32_t last_key = JIT_NO_KEY;
    l->jit->resume_key = ++last_key;
    if (g->nnodes >= MANY_NODES) {
        _PyMem_MakeHeapReady(g->nnodes * HEAP_FOR_NODE);
    }
    l->as = idle;
    idle = (JitAsm){0};
    const JitMemoryMark before = _PyJit_MarkMemory(g);
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        _PyJit_FreeSince(g, before);
        l->moves = NULL;
        l->crowded = tries >= MANY_TRIES;
        if (tries == 2 * MANY_TRIES) {
            memset(l->needs_slot, 1, g->nnodes);
        }
        int failed = emit_all(l, used, slots, &at_entry) < 0;
        int again = is_lost(l, used);
        if (g->shown) {
            fprintf(stderr, "try %d: %s%s used %llx slots %u bytes %u+%u\n", tries,
                    failed ? "failed " : "", again ? "again" : "",
                    (unsigned long long)l->used, l->nslots, l->as.parts[0].used,
                    l->as.parts[1].used);
        }
        if (failed || !again) {
            if (!failed) {
                jit = _PyJit_Install(l, at_entry);
            }
            break;
        }
        used |= l->used;
        /* With some to spare, since values that have given way will want more. */
        slots = l->nslots > slots ? l->nslots + l->nslots / 4 : slots;
    }
    put_away(AS);
    PyMem_RawFree(l->marks);
    if (jit == NULL) {
        _PyJit_FreePoints(l->points);
        PyMem_RawFree(l->jit->frame_info);
        PyMem_RawFree(l->jit);
    }
    return jit;
}
