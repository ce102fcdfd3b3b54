/* Registers: which value is in which, what is moved where, what is kept over calls. lower.h
   says how values live. */
#include "lower.h"
#include <stdio.h>

#define BIT(r) ((uint64_t)1 << (r))

static uint64_t
allocatable(JitLower *l, int is_double)
{
    const JitMachine *m = l->m;
    return is_double
        ? (uint64_t)(m->float_caller_saved | m->float_callee_saved) << JIT_FLOATS
        : (uint64_t)(m->caller_saved | m->callee_saved);
}

static uint64_t
callee_saved(JitLower *l)
{
    return (uint64_t)l->m->callee_saved | (uint64_t)l->m->float_callee_saved << JIT_FLOATS;
}

static void
empty(JitLower *l, unsigned r)
{
    l->now.owner[r] = 0;
    l->now.held &= ~BIT(r);
}

/* A value leaves its register, which is possible only if it has a slot. */
static void
evict(JitLower *l, unsigned r)
{
    JitRef ref = l->now.owner[r];
    if (l->slot[ref] < 0) {
        /* Where many tries found one value each (the next one took the register that had become
           free, and was in the way, too), all that are here get slots. */
        for (uint64_t set = l->crowded ? l->now.held : BIT(r); set != 0; set &= set - 1) {
            l->needs_slot[l->now.owner[__builtin_ctzll(set)]] = 1;
        }
        l->again = 1;
    }
    empty(l, r);
    l->reg[ref] = JIT_NO_REG;
}

/* A register of this kind that nothing holds any more. */
static unsigned
free_register(JitLower *l, int is_double, int survives_calls)
{
    uint64_t all = allocatable(l, is_double), taken = l->now.held | l->pinned | l->temps;
    uint64_t free = all & ~taken;
    uint64_t saved = callee_saved(l);
    uint64_t wanted = free & (survives_calls ? saved : ~saved);
    if (wanted != 0) {
        free = wanted;
    }
    if (free == 0) {
        /* Those with a slot go first. */
        uint64_t victims = all & ~l->pinned & ~l->temps, cheap = 0;
        for (uint64_t set = victims; set != 0; set &= set - 1) {
            unsigned r = (unsigned)__builtin_ctzll(set);
            if (l->slot[l->now.owner[r]] >= 0) {
                cheap |= BIT(r);
            }
        }
        if (victims == 0) {
            l->g->failed = 1;
            return (unsigned)__builtin_ctzll(all);
        }
        /* The value that was made first is most likely to be needed last. */
        unsigned r = JIT_NO_REG;
        for (uint64_t set = cheap != 0 ? cheap : victims; set != 0; set &= set - 1) {
            unsigned other = (unsigned)__builtin_ctzll(set);
            if (r == JIT_NO_REG || l->now.owner[other] < l->now.owner[r]) {
                r = other;
            }
        }
        evict(l, r);
        l->used |= BIT(r);
        return r;
    }
    unsigned r = (unsigned)__builtin_ctzll(free);
    l->used |= BIT(r);
    return r;
}

/* Values that live over calls stay out of registers that calls change, if others are left. */
static unsigned
register_for(JitLower *l, JitRef ref)
{
    return free_register(l, jit_is_double(l, ref), l->across[ref]);
}

static void
settle(JitLower *l, JitRef ref, unsigned r)
{
    l->now.owner[r] = ref;
    l->now.held |= BIT(r);
    l->reg[ref] = (uint8_t)r;
    l->pinned |= BIT(r);
}

static void
load_constant(JitLower *l, JitRef ref, unsigned r)
{
    JitNode *n = &l->g->nodes[ref];
    if (r >= JIT_FLOATS) {
        double value;
        memcpy(&value, &n->imm, sizeof(value));
        _PyJit_FMovImm(&l->as, (JitFloatReg)(r - JIT_FLOATS), value);
    }
    else {
        _PyJit_MovImm(&l->as, (JitReg)r, n->imm);
    }
}

static void
load_slot(JitLower *l, int32_t slot, unsigned r)
{
    if (r >= JIT_FLOATS) {
        _PyJit_FLoad(&l->as, (JitFloatReg)(r - JIT_FLOATS), l->m->frame_pointer,
                     jit_slot_disp(l, slot));
    }
    else {
        _PyJit_Load(&l->as, JIT_64, (JitReg)r, l->m->frame_pointer, jit_slot_disp(l, slot));
    }
}

static void
store_slot(JitLower *l, int32_t slot, unsigned r)
{
    if (r >= JIT_FLOATS) {
        _PyJit_FStore(&l->as, l->m->frame_pointer, jit_slot_disp(l, slot),
                      (JitFloatReg)(r - JIT_FLOATS));
    }
    else {
        _PyJit_Store(&l->as, JIT_64, l->m->frame_pointer, jit_slot_disp(l, slot), (JitReg)r);
    }
}

static int32_t
new_slot(JitLower *l)
{
    if (l->nslots == l->slots_room) {
        l->again = 1;
    }
    return (int32_t)l->nslots++;
}

/* A value that is alive must be somewhere. */
static void
is_nowhere(JitLower *l, JitRef ref)
{
    l->g->failed = 1;
    if (l->g->shown) {
        fprintf(stderr, "jit: node %u is nowhere, in unit %u\n", ref, l->unit);
        for (unsigned r = 0; r < JIT_ALL_REGS; r++) {
            if (l->now.owner[r] != 0) {
                fprintf(stderr, "  register %u: %u\n", r, l->now.owner[r]);
            }
        }
    }
}

static unsigned
in_register(JitLower *l, JitRef ref)
{
    if (jit_is_const(l, ref)) {
        unsigned r = free_register(l, jit_is_double(l, ref), 0);
        l->temps |= BIT(r);
        load_constant(l, ref, r);
        return r;
    }
    unsigned r = l->reg[ref];
    if (r == JIT_NO_REG) {
        r = register_for(l, ref);
        if (l->slot[ref] >= 0) {
            load_slot(l, l->slot[ref], r);
        }
        else if (!l->again) {
            is_nowhere(l, ref);
        }
        settle(l, ref, r);
    }
    l->pinned |= BIT(r);
    return r;
}

JitReg
_PyJit_In(JitLower *l, JitRef ref)
{
    return (JitReg)in_register(l, ref);
}

JitFloatReg
_PyJit_InFloat(JitLower *l, JitRef ref)
{
    return (JitFloatReg)(in_register(l, ref) - JIT_FLOATS);
}

JitReg
_PyJit_Temp(JitLower *l)
{
    unsigned r = free_register(l, 0, 0);
    l->temps |= BIT(r);
    return (JitReg)r;
}

JitFloatReg
_PyJit_FloatTemp(JitLower *l)
{
    unsigned r = free_register(l, 1, 0);
    l->temps |= BIT(r);
    return (JitFloatReg)(r - JIT_FLOATS);
}

/* ------------------------------------------------------------------- results */

static void
forget(JitLower *l, JitRef ref)
{
    unsigned r = l->reg[ref];
    if (r != JIT_NO_REG && l->now.owner[r] == ref) {
        empty(l, r);
    }
    l->reg[ref] = JIT_NO_REG;
}

static int
dies_at(JitLower *l, JitRef node, JitRef ref)
{
    const JitRef *deaths = l->deaths + l->deaths_first[node];
    for (uint32_t i = 0; i < l->deaths_n[node]; i++) {
        if (deaths[i] == ref) {
            return 1;
        }
    }
    return 0;
}

static unsigned
out_register(JitLower *l, JitRef ref, int reuse)
{
    JitNode *n = &l->g->nodes[ref];
    int is_double = jit_is_double(l, ref);
    for (int i = 0; reuse && i < JIT_ARGS; i++) {
        JitRef arg = n->args[i];
        if (arg == 0 || jit_is_const(l, arg) || l->reg[arg] == JIT_NO_REG
            || jit_is_double(l, arg) != is_double || !dies_at(l, ref, arg)) {
            continue;
        }
        unsigned r = l->reg[arg];
        if (l->across[ref] && !(BIT(r) & callee_saved(l))
            && (allocatable(l, is_double) & callee_saved(l) & ~l->now.held & ~l->temps) != 0) {
            continue;
        }
        forget(l, arg);
        settle(l, ref, r);
        return r;
    }
    unsigned r = register_for(l, ref);
    settle(l, ref, r);
    return r;
}

JitReg
_PyJit_Out(JitLower *l, JitRef ref, int reuse)
{
    return (JitReg)out_register(l, ref, reuse);
}

JitFloatReg
_PyJit_OutFloat(JitLower *l, JitRef ref, int reuse)
{
    return (JitFloatReg)(out_register(l, ref, reuse) - JIT_FLOATS);
}

void
_PyJit_Made(JitLower *l, JitRef ref)
{
    unsigned r = l->reg[ref];
    if (r == JIT_NO_REG) {
        return;
    }
    if (l->needs_slot[ref] || (l->across[ref] && !(BIT(r) & callee_saved(l)))) {
        if (l->slot[ref] < 0) {
            l->slot[ref] = new_slot(l);
        }
        store_slot(l, l->slot[ref], r);
    }
}

void
_PyJit_EndNode(JitLower *l, JitRef node)
{
    const JitRef *deaths = l->deaths + l->deaths_first[node];
    for (uint32_t i = 0; i < l->deaths_n[node]; i++) {
        forget(l, deaths[i]);
    }
    l->pinned = l->temps = 0;
}

/* ------------------------------------------------------------- parallel moves */

/* A word that has to get somewhere: to a register, or to a slot (-1: none). */
typedef struct JitMove {
    unsigned to;                /* a register, or JIT_NO_REG: to the slot */
    int32_t to_slot;
    enum { FROM_REG, FROM_SLOT, FROM_CONST, FROM_IMM, FROM_LEA, MOVED } from;
    unsigned reg;
    int32_t slot;
    JitRef constant;
    uint64_t imm;
} Move;

static void
move_register(JitLower *l, unsigned to, unsigned from)
{
    if (to == from) {
        return;
    }
    if (to >= JIT_FLOATS) {
        _PyJit_FMov(&l->as, (JitFloatReg)(to - JIT_FLOATS), (JitFloatReg)(from - JIT_FLOATS));
    }
    else {
        _PyJit_Mov(&l->as, (JitReg)to, (JitReg)from);
    }
}

/* A word of the area, as a slot, in which no move's source waits. */
static int32_t
waiting_place(JitLower *l, const Move *moves, uint32_t n)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (moves[i].from == FROM_SLOT && moves[i].slot < 0) {
            used |= BIT(moves[i].slot + JIT_AREA_WORDS);
        }
    }
    l->g->failed |= ~used == 0;
    return (~used == 0 ? 0 : __builtin_ctzll(~used)) - JIT_AREA_WORDS;
}

/* From slot to slot by way of one of the free registers. If there is none, another one gives way
   for that time. */
static void
move_slot(JitLower *l, const Move *moves, uint32_t n, int32_t to, int32_t from, uint64_t free)
{
    unsigned r = (unsigned)__builtin_ctzll(free != 0 ? free : allocatable(l, 0));
    int32_t place = free != 0 ? 0 : waiting_place(l, moves, n);
    l->used |= BIT(r);
    if (free == 0) {
        store_slot(l, place, r);
    }
    load_slot(l, from, r);
    store_slot(l, to, r);
    if (free == 0) {
        load_slot(l, place, r);
    }
}

/* What comes from a slot that is about to be written waits in the area. */
static void
save_overwritten_slots(JitLower *l, Move *moves, uint32_t n)
{
    int to_slots = 0;
    for (uint32_t i = 0; i < n; i++) {
        to_slots |= moves[i].to == JIT_NO_REG;
    }
    for (uint32_t i = 0; to_slots && i < n; i++) {
        int overwritten = 0;
        for (uint32_t k = 0; k < n; k++) {
            overwritten |= k != i && moves[k].to == JIT_NO_REG && moves[i].from == FROM_SLOT
                           && moves[k].to_slot == moves[i].slot;
        }
        if (overwritten) {
            int32_t place = waiting_place(l, moves, n), from = moves[i].slot;
            moves[i].slot = place;
            move_slot(l, moves, n, place, from, allocatable(l, 0) & ~l->now.held);
        }
    }
}

/* Each register is written when no move that is left reads it. */
static void
move_among_registers(JitLower *l, Move *moves, uint32_t n)
{
    uint8_t readers[JIT_ALL_REGS] = {0};        /* so many moves that are left read it */
    for (uint32_t i = 0; i < n; i++) {
        if (moves[i].from == FROM_REG || moves[i].from == FROM_LEA) {
            readers[moves[i].reg]++;
        }
    }
    for (;;) {
        int left = 0, progress = 0;
        for (uint32_t i = 0; i < n; i++) {
            Move *m = &moves[i];
            if (m->to == JIT_NO_REG || (m->from != FROM_REG && m->from != FROM_LEA)) {
                continue;
            }
            if (readers[m->to] > (m->reg == m->to)) {
                left = 1;
                continue;
            }
            if (m->from == FROM_LEA) {
                _PyJit_OpImm(&l->as, JIT_ADD, (JitReg)m->to, (JitReg)m->reg, (int64_t)m->imm);
            }
            else {
                move_register(l, m->to, m->reg);
            }
            readers[m->reg]--;
            m->from = MOVED;
            progress = 1;
        }
        if (!left) {
            break;
        }
        if (!progress) {
            /* A cycle: one of its values waits in the area. */
            for (uint32_t i = 0; i < n; i++) {
                Move *m = &moves[i];
                if (m->to != JIT_NO_REG && m->from == FROM_REG) {
                    int32_t place = waiting_place(l, moves, n);
                    store_slot(l, place, m->reg);
                    readers[m->reg]--;
                    m->from = FROM_SLOT;
                    m->slot = place;
                    break;
                }
            }
        }
    }
}

/* Moves from registers and slots first, in an order in which none overwrites what another
   needs; a cycle goes by way of the area. Constants come last. */
static void
make_moves(JitLower *l, Move *moves, uint32_t n)
{
    save_overwritten_slots(l, moves, n);
    /* To slots: their sources are still where they were. */
    for (uint32_t i = 0; i < n; i++) {
        Move *m = &moves[i];
        if (m->to == JIT_NO_REG && m->from == FROM_REG) {
            store_slot(l, m->to_slot, m->reg);
            m->from = MOVED;
        }
    }
    move_among_registers(l, moves, n);
    /* To slots from elsewhere, by way of a register that no later move reads: all registers
       have been read now, and those that are written below may be used here. */
    for (uint32_t i = 0; i < n; i++) {
        Move *m = &moves[i];
        if (m->to != JIT_NO_REG || m->from == MOVED) {
            continue;
        }
        if (m->from == FROM_CONST) {
            _PyJit_StoreImm(&l->as, JIT_64, l->m->frame_pointer, jit_slot_disp(l, m->to_slot),
                            (int64_t)l->g->nodes[m->constant].imm);
            m->from = MOVED;
            continue;
        }
        uint64_t busy = 0;
        for (uint32_t k = 0; k < n; k++) {
            busy |= moves[k].to != JIT_NO_REG && moves[k].from == MOVED ? BIT(moves[k].to) : 0;
        }
        move_slot(l, moves, n, m->to_slot, m->slot, allocatable(l, 0) & ~busy & ~l->now.held);
        m->from = MOVED;
    }
    for (uint32_t i = 0; i < n; i++) {
        Move *m = &moves[i];
        if (m->from == FROM_SLOT) {
            load_slot(l, m->slot, m->to);
        }
        else if (m->from == FROM_CONST) {
            load_constant(l, m->constant, m->to);
        }
        else if (m->from == FROM_IMM) {
            _PyJit_MovImm(&l->as, (JitReg)m->to, m->imm);
        }
        m->from = MOVED;
    }
}

/* Where a value is now, as the source of a move. */
static void
set_source(JitLower *l, Move *m, JitRef ref)
{
    if (jit_is_const(l, ref)) {
        m->from = FROM_CONST;
        m->constant = ref;
    }
    else if (l->reg[ref] != JIT_NO_REG) {
        m->from = FROM_REG;
        m->reg = l->reg[ref];
    }
    else {
        m->from = FROM_SLOT;
        m->slot = l->slot[ref] < 0 ? 0 : l->slot[ref];
        l->g->failed |= l->slot[ref] < 0 && !l->again;
    }
}

/* ---------------------------------------------------------------------- calls */

void
_PyJit_CallArgs(JitLower *l, JitRef node, const JitArg *args, int n)
{
    Move moves[8];
    int general = 0, floats = 0;
    (void)node;
    for (int i = 0; i < n; i++) {
        int is_double = args[i].kind == ARG_REF && jit_is_double(l, args[i].ref);
        moves[i] = (Move){.to_slot = -1, .to = is_double ? JIT_FLOATS + l->m->float_args[floats++]
                                                         : l->m->args[general++]};
        switch (args[i].kind) {
        case ARG_REF:
            set_source(l, &moves[i], args[i].ref);
            break;
        case ARG_IMM:
            moves[i].from = FROM_IMM;
            moves[i].imm = args[i].imm;
            break;
        case ARG_REG:
            moves[i].from = FROM_REG;
            moves[i].reg = args[i].reg;
            break;
        case ARG_LEA:
            moves[i].from = FROM_LEA;
            moves[i].reg = args[i].reg;
            moves[i].imm = args[i].imm;
            break;
        }
        l->used |= BIT(moves[i].to);
    }
    make_moves(l, moves, (uint32_t)n);
}

void
_PyJit_AfterCall(JitLower *l, JitRef node)
{
    (void)node;
    uint64_t lost = (uint64_t)l->m->caller_saved | (uint64_t)l->m->float_caller_saved << JIT_FLOATS;
    for (uint64_t set = l->now.held & lost; set != 0; set &= set - 1) {
        unsigned r = (unsigned)__builtin_ctzll(set);
        l->reg[l->now.owner[r]] = JIT_NO_REG;
        empty(l, r);
    }
    l->pinned &= ~lost;
    l->temps &= ~lost;
}

void
_PyJit_TakeResult(JitLower *l, JitRef ref, unsigned from)
{
    if (dies_at(l, ref, ref)) {
        return;
    }
    if (l->across[ref]) {
        unsigned r = register_for(l, ref);
        move_register(l, r, from);
        settle(l, ref, r);
    }
    else {
        l->used |= BIT(from);
        settle(l, ref, from);
    }
    _PyJit_Made(l, ref);
}

void
_PyJit_LiveRegs(JitLower *l, JitRef node, JitRegSet *live, JitRegSet *floats)
{
    uint64_t set = l->now.held;
    if (l->reg[node] != JIT_NO_REG) {
        set &= ~BIT(l->reg[node]);
    }
    *live = (JitRegSet)set;
    *floats = (JitRegSet)(set >> JIT_FLOATS);
}

/* The bytes of a piece of memory for points, if none of them is larger. */
#define POINTS_SIZE 2000

static JitPoint *
new_point(JitLower *l, uint32_t n)
{
    uint32_t size = (uint32_t)(sizeof(JitPoint) + n * sizeof(JitKept));
    JitPoints *points = l->points;
    if (points == NULL || points->size - points->used < size) {
        uint32_t whole = Py_MAX(size, POINTS_SIZE);
        points = PyMem_RawMalloc(sizeof(*points) + whole);
        if (points == NULL) {
            l->g->failed = 1;
            return NULL;
        }
        *points = (JitPoints){.next = l->points, .size = whole};
        l->points = points;
    }
    JitPoint *point = (JitPoint *)(points->bytes + points->used);
    points->used += size;
    return point;
}

JitPoint *
_PyJit_Point(JitLower *l, uint32_t number, uint32_t at)
{
    JitGraph *g = l->g;
    JitSnap none = {.ip = at}, *snap = number == 0 ? &none : &g->snaps[number];
    JitPoint *point = new_point(l, snap->n);
    if (point == NULL) {
        return NULL;
    }
    *point = (JitPoint){.code = g->code, .at = at, .ip = snap->ip, .n = snap->n};
    for (uint32_t i = 0; i < snap->n; i++) {
        JitSnapEntry *entry = &g->entries[snap->first + i];
        JitKept *kept = &point->kept[i];
        *kept = (JitKept){.reg = entry->reg, .keep = entry->keep, .constant = entry->boxed_in};
        if (jit_is_const(l, entry->ref)) {
            kept->is_const = 1;
            kept->constant = g->nodes[entry->ref].imm;
        }
        else if (l->reg[entry->ref] != JIT_NO_REG) {
            kept->place = l->reg[entry->ref];
        }
        else if (l->slot[entry->ref] >= 0) {
            kept->place = JIT_AREA_WORDS + (uint32_t)l->slot[entry->ref];
        }
        else {
            if (!l->again) {
                is_nowhere(l, entry->ref);
            }
        }
    }
    return point;
}

/* ---------------------------------------------------------------------- edges */

static int
is_live_in(JitLower *l, uint32_t block, JitRef ref)
{
    uint32_t bit = l->dense[ref];
    const uint64_t *in = l->live_in + (size_t)block * l->words;
    return bit != 0 && (in[bit / 64] >> (bit % 64) & 1);
}

static int
is_unused(JitLower *l, JitRef phi)
{
    return l->deaths_n[phi] != 0;
}

/* Does the loop leave the phi of its header as it is? */
static int
is_unchanged(JitLower *l, uint32_t to, JitRef phi)
{
    return l->g->blocks[to].is_header && !l->changed[phi];
}

static void
mark_uses(JitLower *l, JitRange range)
{
    for (JitRef ref = range.first; ref < range.end; ref++) {
        for (int i = 0; i < JIT_ARGS; i++) {
            l->used_in[l->g->nodes[ref].args[i]] = l->loop;
        }
    }
}

/* Marks what nodes of the loop use (its blocks, and others that stand among them). Snapshots
   don't count: they are as well served by slots. */
static void
find_loop_uses(JitLower *l, uint32_t header)
{
    JitGraph *g = l->g;
    uint32_t last = g->blocks[header].loop_end;
    l->loop++;
    for (uint32_t i = header; i <= last; i++) {
        JitBlock *block = &g->blocks[i];
        mark_uses(l, block->nodes);
        for (uint32_t e = 0; e < block->nedges; e++) {
            JitEdge *edge = &g->edges[block->edges[e]];
            if (edge->to < header || edge->to > last) {
                continue;
            }
            mark_uses(l, edge->nodes);
            for (uint32_t k = 0; k < g->blocks[edge->to].nphis; k++) {
                if (edge->inputs[k] != g->blocks[edge->to].phis[k]) {
                    l->used_in[edge->inputs[k]] = l->loop;
                }
            }
        }
    }
}

/* How many registers a loop should have for itself. */
#define LOOP_ROOM 6

/* Values that a loop does not use leave their registers to it if these are scarce. */
static uint64_t
registers_to_clear(JitLower *l, JitEdge *edge)
{
    JitGraph *g = l->g;
    JitBlock *block = &g->blocks[edge->to];
    uint64_t idle[2] = {0, 0};
    int n[2] = {0, 0};
    if (!block->is_header) {
        return 0;
    }
    find_loop_uses(l, edge->to);
    for (uint64_t set = l->now.held; set != 0; set &= set - 1) {
        unsigned r = (unsigned)__builtin_ctzll(set);
        JitRef ref = l->now.owner[r];
        if (is_live_in(l, edge->to, ref)) {
            n[r >= JIT_FLOATS]++;
            idle[r >= JIT_FLOATS] |= l->used_in[ref] != l->loop ? BIT(r) : 0;
        }
    }
    for (uint32_t i = 0; i < block->nphis; i++) {
        JitRef phi = block->phis[i];
        n[jit_is_double(l, phi)] += !is_unused(l, phi) && !l->needs_slot[phi];
    }
    uint64_t clear = 0;
    for (int k = 0; k < 2; k++) {
        if (n[k] + LOOP_ROOM > __builtin_popcountll(allocatable(l, k))) {
            clear |= idle[k];
            for (uint32_t i = 0; i < block->nphis; i++) {
                JitRef phi = block->phis[i];
                if (jit_is_double(l, phi) == k && !l->needs_slot[phi] && !is_unused(l, phi)
                    && l->used_in[phi] != l->loop && is_unchanged(l, edge->to, phi)) {
                    l->needs_slot[phi] = 1;
                    l->again = 1;
                }
            }
        }
    }
    return clear;
}

/* The first edge decides which registers a block begins with. Phis take the registers of their
   inputs if these end here. */
static void
decide_entry(JitLower *l, uint32_t number)
{
    JitGraph *g = l->g;
    JitEdge *edge = &g->edges[number];
    JitBlock *block = &g->blocks[edge->to];
    JitState *state = _PyJit_Alloc(g, sizeof(JitState));
    if (state == NULL) {
        return;
    }
    l->entry[edge->to] = state;
    uint64_t taken = 0, saved = callee_saved(l), clear = registers_to_clear(l, edge);
    for (uint64_t set = l->now.held; set != 0; set &= set - 1) {
        unsigned r = (unsigned)__builtin_ctzll(set);
        JitRef ref = l->now.owner[r];
        if (!is_live_in(l, edge->to, ref)) {
            continue;
        }
        if (block->is_header && l->slot[ref] >= 0 && l->across[ref] && !(BIT(r) & saved)) {
            continue;           /* its slot is as good, and calls in the loop need it there */
        }
        if (clear & BIT(r)) {
            if (l->slot[ref] >= 0) {
                continue;
            }
            l->needs_slot[ref] = 1;
            l->again = 1;
        }
        state->owner[r] = ref;
        taken |= BIT(r);
    }
    for (uint32_t i = 0; i < block->nphis; i++) {
        JitRef phi = block->phis[i], input = edge->inputs[i];
        l->reg[phi] = JIT_NO_REG;
        if (is_unused(l, phi)) {
            continue;
        }
        if (l->needs_slot[phi] && is_unchanged(l, edge->to, phi)) {
            l->slot[phi] = new_slot(l);         /* written once, in front of the loop */
            continue;
        }
        int is_double = jit_is_double(l, phi);
        uint64_t all = allocatable(l, is_double);
        unsigned r = JIT_NO_REG;
        if (!jit_is_const(l, input) && l->reg[input] != JIT_NO_REG
            && !(taken & BIT(l->reg[input]))
            && (!l->across[phi] || (BIT(l->reg[input]) & saved))) {
            r = l->reg[input];
        }
        else {
            uint64_t free = all & ~taken & (l->across[phi] ? saved : ~(uint64_t)0);
            uint64_t better = free & ~l->now.held & (l->across[phi] ? saved : ~saved);
            if (better != 0 || free != 0) {
                r = (unsigned)__builtin_ctzll(better != 0 ? better : free);
            }
        }
        if (r == JIT_NO_REG || (l->across[phi] && !(BIT(r) & saved))) {
            l->slot[phi] = new_slot(l);         /* it lives in its slot */
            continue;
        }
        state->owner[r] = phi;
        l->used |= BIT(r);
        taken |= BIT(r);
    }
    state->held = taken;
}

/* Room for the moves of any edge. */
static Move *
room_for_moves(JitLower *l)
{
    if (l->moves == NULL) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < l->g->nblocks; i++) {
            most = Py_MAX(most, l->g->blocks[i].nphis);
        }
        l->moves = _PyJit_Alloc(l->g, (JIT_ALL_REGS + most) * sizeof(Move));
    }
    return l->moves;
}

/* The moves that bring the registers of now to those that the edge's target wants. */
static uint32_t
edge_moves(JitLower *l, uint32_t number, Move *moves)
{
    JitGraph *g = l->g;
    JitEdge *edge = &g->edges[number];
    JitBlock *block = &g->blocks[edge->to];
    JitState *state = l->entry[edge->to];
    uint32_t n = 0;
    for (uint64_t set = state->held; set != 0; set &= set - 1) {
        unsigned r = (unsigned)__builtin_ctzll(set);
        JitRef ref = state->owner[r], source = ref;
        for (uint32_t i = 0; l->g->nodes[ref].op == JIT_PHI_NODE && i < block->nphis; i++) {
            if (block->phis[i] == ref) {
                source = edge->inputs[i];
            }
        }
        /* A loop's phi may be there with its value of the round that ends, for another phi. */
        if (source == ref && l->now.owner[r] == ref) {
            continue;
        }
        Move *m = &moves[n];
        *m = (Move){.to = r, .to_slot = -1};
        set_source(l, m, source);
        n += !(m->from == FROM_REG && m->reg == r);
    }
    for (uint32_t i = 0; i < block->nphis; i++) {
        JitRef phi = block->phis[i];
        int in_register = 0;
        for (uint64_t set = state->held; set != 0; set &= set - 1) {
            in_register |= state->owner[__builtin_ctzll(set)] == phi;
        }
        if (in_register || is_unused(l, phi)) {
            continue;
        }
        moves[n] = (Move){.to = JIT_NO_REG, .to_slot = l->slot[phi]};
        set_source(l, &moves[n], edge->inputs[i]);
        n += !(moves[n].from == FROM_SLOT && moves[n].slot == l->slot[phi]);
    }
    return n;
}

int
_PyJit_EdgeIsFree(JitLower *l, uint32_t number)
{
    JitGraph *g = l->g;
    JitEdge *edge = &g->edges[number];
    for (JitRef ref = edge->nodes.first; ref < edge->nodes.end; ref++) {
        if (!jit_is_const(l, ref)) {
            return 0;
        }
    }
    if (l->entry[edge->to] == NULL) {
        decide_entry(l, number);
    }
    if (l->entry[edge->to] == NULL) {
        return 1;
    }
    Move *moves = room_for_moves(l);
    return moves == NULL || edge_moves(l, number, moves) == 0;
}

void
_PyJit_EdgeMoves(JitLower *l, uint32_t number)
{
    JitGraph *g = l->g;
    JitEdge *edge = &g->edges[number];
    if (l->entry[edge->to] == NULL) {
        decide_entry(l, number);
    }
    Move *moves = room_for_moves(l);
    if (moves == NULL || l->entry[edge->to] == NULL) {
        return;
    }
    make_moves(l, moves, edge_moves(l, number, moves));
}

void
_PyJit_SetState(JitLower *l, const JitState *state)
{
    static const JitState none;
    for (uint64_t set = l->now.held; set != 0; set &= set - 1) {
        l->reg[l->now.owner[__builtin_ctzll(set)]] = JIT_NO_REG;
    }
    l->now = state == NULL ? none : *state;
    for (uint64_t set = l->now.held; set != 0; set &= set - 1) {
        unsigned r = (unsigned)__builtin_ctzll(set);
        l->reg[l->now.owner[r]] = (uint8_t)r;
    }
}

/* The registers at the beginning of a block. */
void
_PyJit_BeginUnit(JitLower *l, uint32_t unit)
{
    JitGraph *g = l->g;
    l->pinned = l->temps = 0;
    l->unit = unit;
    if (unit >= g->nblocks) {
        return;
    }
    _PyJit_SetState(l, l->entry[unit]);
    JitBlock *block = &g->blocks[unit];
    for (uint32_t i = 0; i < block->nphis; i++) {
        if (l->needs_slot[block->phis[i]]) {
            _PyJit_Made(l, block->phis[i]);
        }
    }
}
