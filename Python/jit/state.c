/* Where values are while the graph is built: slots, references, snapshots. */
#include "build_ops.h"

JitRef
_PyJit_Node(JitBuilder *b, JitNodeOp op, JitType type, JitRef x, JitRef y)
{
    return _PyJit_AddNode(b->g, (JitNode){.op = (uint8_t)op, .type = (uint8_t)type,
                                          .args = {x, y}, .ip = b->ip});
}

/* None, True and False are not counted; 0 stands for an unbound variable. */
static int
is_permanent_word(PyReg word)
{
    return (word & 1) || word == 0 || word == REG_NONE || word == REG_BOOL(0)
           || word == REG_BOOL(1);
}

JitRef
_PyJit_Const(JitBuilder *b, PyReg word)
{
    JitType type = (word & 1) || word == 0 ? JIT_T_INT : JIT_T_OBJECT;
    JitRef ref = _PyJit_Node(b, JIT_CONST_NODE, type, 0, 0);
    _PyJit_At(b, ref)->imm = word;
    if (type == JIT_T_OBJECT) {
        _PyJit_At(b, ref)->cls = Py_TYPE(REG_PTR(word));
    }
    return ref;
}

int
_PyJit_MayCount(JitBuilder *b, JitRef ref)
{
    JitNode *n = _PyJit_At(b, ref);
    return (n->type == JIT_T_WORD || n->type == JIT_T_OBJECT)
           && !(n->op == JIT_CONST_NODE && is_permanent_word(n->imm))
           && n->cls != &PyBool_Type;
}

/* Does memory that holds the value not have to be released? Unboxed doubles have no word. */
static int
is_plain(JitBuilder *b, JitRef ref)
{
    return type_of(b, ref) == JIT_T_DOUBLE || !_PyJit_MayCount(b, ref);
}

/* ------------------------------------------------------------------- reading */

JitRef
_PyJit_Use(JitBuilder *b, unsigned reg)
{
    JitSlot *slot = &b->slots[reg];
    if (slot->ref == 0) {
        *slot = (JitSlot){.ref = load_word(b, JIT_T_WORD, reg), .memptr = 1};
    }
    return slot->ref;
}

static void
refine_slots(JitBuilder *b, JitSlot *slots, unsigned nregs, JitRef old, JitRef better)
{
    for (unsigned r = 0; r < nregs; r++) {
        JitSlot *slot = &slots[r];
        /* A pointer that a slot owns must not be forgotten. */
        if (slot->ref == old
            && !(slot->dirty && slot->owned && type_of(b, better) == JIT_T_INT
                 && type_of(b, old) != JIT_T_INT)) {
            slot->ref = better;
        }
    }
}

void
_PyJit_Refine(JitBuilder *b, JitRef old, JitRef better)
{
    refine_slots(b, b->slots, b->nregs, old, better);
    for (JitInlined *i = b->inlined; i != NULL && !i->forked; i = i->caller.inlined) {
        refine_slots(b, i->caller.slots, i->caller.nregs, old, better);
    }
    b->snap = 0;
}

/* The register that has a double as an object in memory; -1: none is known. */
static int
boxed_in(JitBuilder *b, JitRef value)
{
    for (unsigned r = 0; b->inlined == NULL && b->held == NULL && r < b->nregs; r++) {
        const JitSlot *slot = &b->slots[r];
        if (slot->ref == value && !slot->dirty && slot->memptr) {
            return (int)r;
        }
    }
    return -1;
}

JitRef
_PyJit_BoxDouble(JitBuilder *b, JitRef value, JitRef old)
{
    int reg = boxed_in(b, value);
    JitRef object;
    if (reg >= 0) {
        object = load_word(b, JIT_T_OBJECT, reg);
        incref(b, object);
    }
    else {
        object = _PyJit_Node(b, JIT_BOX_DOUBLE_NODE, JIT_T_OBJECT, value, old);
        uint32_t snap = _PyJit_SnapBefore(b);
        _PyJit_At(b, object)->snap = snap;
    }
    _PyJit_At(b, object)->cls = &PyFloat_Type;
    return object;
}

/* ----------------------------------------------------------------- snapshots */

/* Is there a double that a register also has as an object in memory? */
static int
has_boxed(JitBuilder *b)
{
    for (unsigned r = 0; r < b->nregs; r++) {
        const JitSlot *slot = &b->slots[r];
        if (slot->ref != 0 && !slot->dirty && slot->memptr
            && type_of(b, slot->ref) == JIT_T_DOUBLE) {
            return 1;
        }
    }
    return 0;
}

uint32_t
_PyJit_SnapNow(JitBuilder *b, uint32_t ip)
{
    if (b->inlined != NULL) {
        b->inlined->failed = 1;         /* who leaves there has no frame */
        return b->inlined->snap;
    }
    if (b->held != NULL) {
        b->held->failed = 1;
        return b->held->snap;
    }
    uint32_t snap = _PyJit_AddSnap(b->g, ip);
    int boxed = -1;             /* not known */
    for (unsigned r = 0; r < b->nregs; r++) {
        JitSlot *slot = &b->slots[r];
        if (slot->dirty) {
            JitKeep keep = type_of(b, slot->ref) == JIT_T_DOUBLE ? JIT_KEEP_DOUBLE
                : slot->owned || !_PyJit_MayCount(b, slot->ref) ? JIT_KEEP_WORD
                : JIT_KEEP_BORROWED;
            _PyJit_AddSnapEntry(b->g, (uint16_t)r, keep, slot->ref);
            if (keep == JIT_KEEP_DOUBLE && boxed < 0) {
                boxed = has_boxed(b);
            }
            if (keep == JIT_KEEP_DOUBLE && boxed && !b->g->failed) {
                b->g->entries[b->g->nentries - 1].boxed_in = (uint16_t)(boxed_in(b, slot->ref)
                                                                        + 1);
            }
        }
    }
    return snap;
}

/* To the call that is redone: what has been made since, by all that is built in, is dropped. */
static uint32_t
snap_redone(JitBuilder *b)
{
    JitSnap base = b->g->snaps[b->inlined->base];
    uint32_t snap = _PyJit_AddSnap(b->g, base.ip);
    for (uint32_t i = 0; i < base.n; i++) {
        JitSnapEntry entry = b->g->entries[base.first + i];
        _PyJit_AddSnapEntry(b->g, entry.reg, (JitKeep)entry.keep, entry.ref);
    }
    /* What the instruction has given up is released at its end. */
    for (int i = 0; i < b->nreleases; i++) {
        _PyJit_AddSnapEntry(b->g, 0, JIT_KEEP_NOT, b->releases[i]);
    }
    const JitSlot *slots = b->slots;
    const PyVMCode *code = b->code;
    unsigned nregs = b->nregs;
    for (JitInlined *i = b->inlined; i != NULL; i = i->caller.inlined) {
        for (unsigned r = 0; r < nregs; r++) {
            if (slots[r].ref != 0 && slots[r].owned && _PyJit_MayCount(b, slots[r].ref)) {
                _PyJit_AddSnapEntry(b->g, 0, JIT_KEEP_NOT, slots[r].ref);
            }
        }
        if (i->made != 0) {
            _PyJit_AddSnapEntry(b->g, 0, JIT_KEEP_NOT, i->made);
        }
        if (i->caller.inlined == NULL) {
            _PyJit_KeepRounds(b, slots, code);
        }
        slots = i->caller.slots;
        nregs = i->caller.nregs;
        code = i->caller.code;
    }
    return snap;
}

uint32_t
_PyJit_SnapBefore(JitBuilder *b)
{
    if (b->inlined != NULL) {
        return b->inlined->redone ? snap_redone(b) : b->inlined->snap;
    }
    if (b->held != NULL) {
        return b->held->snap;
    }
    if (b->snap == 0) {
        b->snap = _PyJit_SnapNow(b, b->ip);
    }
    return b->snap;
}

/* ------------------------------------------------------------------- writing */

JitRef
_PyJit_Take(JitBuilder *b, unsigned reg, int *owned)
{
    JitRef ref = _PyJit_Use(b, reg);
    JitSlot *slot = &b->slots[reg];
    *owned = 0;
    if (!is_temporary(b, reg)) {
        return ref;
    }
    if (slot->dirty) {
        *owned = slot->owned;
    }
    else if (slot->memptr && (type_of(b, ref) == JIT_T_INT || type_of(b, ref) == JIT_T_DOUBLE)) {
        /* Memory may hold the number as an object. */
        JitNode *n = _PyJit_At(b, ref);
        int is_at_hand = (n->op == JIT_TO_INT_NODE || n->op == JIT_TO_DOUBLE_NODE)
                         && n->ip == b->ip;
        JitRef old = is_at_hand ? n->args[0] : load_word(b, JIT_T_WORD, reg);
        store_word(b, reg, _PyJit_Const(b, 0));
        _PyJit_GiveUp(b, old, 1);
    }
    else if (slot->memptr) {
        store_word(b, reg, _PyJit_Const(b, 0));
        *owned = 1;
    }
    *slot = (JitSlot){0};
    b->snap = 0;
    return ref;
}

int
_PyJit_Dies(JitBuilder *b, unsigned reg)
{
    JitSlot *slot = &b->slots[reg];
    return is_temporary(b, reg) && (slot->dirty ? slot->owned : slot->memptr);
}

void
_PyJit_GiveUp(JitBuilder *b, JitRef ref, int owned)
{
    if (owned && _PyJit_MayCount(b, ref)) {
        if (b->nreleases == (int)Py_ARRAY_LENGTH(b->releases)) {
            b->g->failed = 1;
            return;
        }
        b->releases[b->nreleases++] = ref;
    }
}

void
_PyJit_Done(JitBuilder *b, unsigned reg)
{
    if (is_temporary(b, reg)) {
        int owned;
        JitRef ref = _PyJit_Take(b, reg, &owned);
        _PyJit_GiveUp(b, ref, owned);
    }
}

/* What is borrowed from a variable must not depend on it any more. */
static void
own_borrowed(JitBuilder *b, unsigned variable, JitRef ref)
{
    if (ref == 0 || !_PyJit_MayCount(b, ref)) {
        return;
    }
    for (unsigned r = b->inlined != NULL ? 0 : b->first_temp; r < b->nregs; r++) {
        JitSlot *slot = &b->slots[r];
        if (r != variable && slot->ref == ref && slot->dirty && !slot->owned) {
            incref_counted(b, ref);
            slot->owned = 1;
        }
    }
}

/* Does the running instruction take the value from this register? */
static int
is_taken(JitBuilder *b, unsigned reg)
{
    const PyInstr *in = &b->code->code[b->ip];
    const PyOpcodeInfo *info = &_PyOpcode_Info[_PyOpcode_Info[in->op].base];
    return (info->operands[0] == 'r' && in->a == reg) || (info->operands[1] == 'r' && in->b == reg)
           || (info->operands[2] == 'r' && in->c == reg);
}

/* Does a caller of what is built in hold the value? */
static int
callers_hold(JitBuilder *b, JitRef ref)
{
    for (JitInlined *i = b->inlined; i != NULL; i = i->caller.inlined) {
        for (unsigned r = 0; r < i->caller.nregs; r++) {
            if (i->caller.slots[r].ref == ref) {
                return 1;
            }
        }
    }
    return 0;
}

/* The temporaries of all callers own what they have borrowed, too, on whatever way control
   comes back. */
static void
own_in_callers(JitBuilder *b, PyTypeObject *cls)
{
    JitInlined *inlined = b->inlined;
    JitBuilder now = *b;
    int forked = 0;
    for (JitInlined *i = inlined; i != NULL; i = i->caller.inlined) {
        uint32_t before = b->g->nnodes;
        forked |= i->forked;
        b->slots = i->caller.slots;
        b->nregs = i->caller.nregs;
        b->first_temp = i->caller.inlined != NULL ? 0 : i->caller.first_temp;
        b->inlined = NULL;
        _PyJit_OwnBorrowed(b, 1, cls);
        b->inlined = i->caller.inlined;
        inlined->failed |= forked && b->g->nnodes != before;
    }
    b->slots = now.slots;
    b->nregs = now.nregs;
    b->first_temp = now.first_temp;
    b->inlined = inlined;
}

void
_PyJit_OwnBorrowed(JitBuilder *b, int taken_too, PyTypeObject *cls)
{
    if (b->inlined != NULL) {
        own_in_callers(b, cls);
    }
    for (unsigned r = b->inlined != NULL ? 0 : b->first_temp; r < b->nregs; r++) {
        JitSlot *slot = &b->slots[r];
        if (slot->ref == 0 || !slot->dirty || slot->owned || !_PyJit_MayCount(b, slot->ref)
            || _PyJit_At(b, slot->ref)->op == JIT_CONST_NODE) {
            continue;
        }
        if (b->inlined != NULL && callers_hold(b, slot->ref)) {
            continue;
        }
        PyTypeObject *other = _PyJit_At(b, slot->ref)->cls;
        if ((!taken_too && is_taken(b, r))
            || (_PyJit_IsInert(cls) && other != NULL && other != cls)) {
            continue;
        }
        unsigned v = 0;
        while (v < b->first_temp && b->inlined == NULL
               && !(b->slots[v].ref == slot->ref && !b->slots[v].dirty)) {
            v++;
        }
        if (v == b->first_temp || b->inlined != NULL) {
            incref_counted(b, slot->ref);
            slot->owned = 1;
            b->snap = 0;
        }
    }
}

void
_PyJit_Write(JitBuilder *b, unsigned reg, JitRef ref, int owned)
{
    JitSlot *slot = &b->slots[reg];
    b->snap = 0;
    if (b->inlined != NULL && slot->owned && _PyJit_MayCount(b, slot->ref)) {
        own_borrowed(b, reg, slot->ref);
        _PyJit_GiveUp(b, slot->ref, 1);
    }
    if (is_temporary(b, reg) || b->inlined != NULL) {
        *slot = (JitSlot){.ref = ref, .dirty = 1, .owned = (uint8_t)(owned != 0)};
        return;
    }
    JitRef old = 0;
    if (slot->memptr) {
        own_borrowed(b, reg, slot->ref);
        old = load_word(b, JIT_T_WORD, reg);
    }
    if (is_plain(b, ref)) {
        if (old != 0) {
            int is_word = type_of(b, ref) != JIT_T_DOUBLE;
            store_word(b, reg, is_word ? ref : _PyJit_Const(b, 0));
            *slot = (JitSlot){.ref = ref, .dirty = !is_word};
            _PyJit_GiveUp(b, old, 1);
        }
        else {
            *slot = (JitSlot){.ref = ref, .dirty = 1};
        }
        return;
    }
    if (!owned) {
        incref_counted(b, ref);
    }
    store_word(b, reg, ref);
    *slot = (JitSlot){.ref = ref, .memptr = 1};
    if (old != 0) {
        _PyJit_GiveUp(b, old, 1);
    }
}

static int
is_quiet(const JitInlined *inlined, JitRef ref)
{
    int found = 0;
    for (int i = 0; inlined != NULL && i < inlined->nquiet; i++) {
        found |= inlined->quiet[i] == ref;
    }
    return found;
}

/* Releases what runs no code when it goes: nobody can tell when. Returns how many others are
   left. */
static int
release_quiet(JitBuilder *b)
{
    int n = 0;
    for (int i = 0; i < b->nreleases; i++) {
        if (_PyJit_IsInert(_PyJit_At(b, b->releases[i])->cls)
            || is_quiet(b->inlined, b->releases[i])) {
            (void)_PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, b->releases[i], 0);
        }
        else {
            b->releases[n++] = b->releases[i];
        }
    }
    b->nreleases = n;
    return n;
}

/* Releases the others. The value of a variable that is not written yet: later, or 0. */
static void
release_others(JitBuilder *b, uint32_t next, unsigned reg, JitRef later)
{
    int n = b->nreleases;
    if (n > 1) {
        /* Only behind the last release can code leave, if a destructor has dropped what is
           borrowed (rare.c). */
        _PyJit_OwnBorrowed(b, 1, NULL);
    }
    for (int i = 0; i < n; i++) {
        JitRef ref = _PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, b->releases[i], 0);
        uint32_t snap = _PyJit_SnapNow(b, next);
        if (later != 0 && i == n - 1) {
            _PyJit_AddSnapEntry(b->g, (uint16_t)reg, type_of(b, later) == JIT_T_DOUBLE
                                ? JIT_KEEP_DOUBLE_LATER : JIT_KEEP_LATER, later);
        }
        JitNode *release = _PyJit_At(b, ref);
        release->snap = snap;
        release->cond = i < n - 1 ? JIT_RELEASE_EARLY : JIT_RELEASE_LAST;
    }
    b->nreleases = 0;
    b->snap = 0;
}

void
_PyJit_FinishInstr(JitBuilder *b, uint32_t next)
{
    (void)release_quiet(b);
    release_others(b, next, 0, 0);
}

void
_PyJit_WriteValue(JitBuilder *b, unsigned reg, JitRef ref, int owned)
{
    if (b->nreleases > 0 && !is_temporary(b, reg) && b->inlined == NULL && b->held == NULL
        && release_quiet(b) > 0) {
        /* A destructor still sees what the variable had before. */
        if (!owned && !is_plain(b, ref)) {
            incref_counted(b, ref);
            owned = 1;
        }
        release_others(b, b->next, reg, ref);
    }
    _PyJit_Write(b, reg, ref, owned);
    _PyJit_FinishInstr(b, b->next);
}

/* Makes memory tell the truth about a register. */
static __attribute__((noinline)) void
sync_dirty(JitBuilder *b, unsigned reg)
{
    JitSlot *slot = &b->slots[reg];
    JitRef value = slot->ref;
    if (type_of(b, value) == JIT_T_DOUBLE) {
        store_word(b, reg, _PyJit_BoxDouble(b, value, 0));
        slot->memptr = 1;
    }
    else {
        if (!slot->owned) {
            incref_counted(b, value);
        }
        store_word(b, reg, value);
        slot->memptr = (uint8_t)_PyJit_MayCount(b, value);
    }
    slot->dirty = slot->owned = 0;
    b->snap = 0;
}

void
_PyJit_SyncSlot(JitBuilder *b, unsigned reg)
{
    if (b->slots[reg].dirty) {
        sync_dirty(b, reg);
    }
}

void
_PyJit_Sync(JitBuilder *b)
{
    for (unsigned r = 0; r < b->nregs; r++) {
        _PyJit_SyncSlot(b, r);
    }
}

/* -------------------------------------------------------------------- blocks */

void
_PyJit_BeginBlock(JitBuilder *b, uint32_t edge)
{
    _PyJit_KnowNothing(b);
    _PyJit_GoOnInBlock(b, edge);
}

void
_PyJit_GoOnInBlock(JitBuilder *b, uint32_t edge)
{
    JitGraph *g = b->g;
    b->block = g->nblocks++;
    JitBlock *block = &g->blocks[b->block];
    block->start = b->ip;
    block->scope = g->scope;
    block->nodes.first = g->nnodes;
    if (b->inlined != NULL) {
        b->inlined->forked = 1;
    }
    if (edge != 0) {
        g->edges[edge].to = b->block;
        g->edges[edge].nodes = (JitRange){g->nnodes, g->nnodes};
    }
    b->snap = 0;
}

void
_PyJit_CloseBlock(JitBuilder *b, uint32_t edge0, uint32_t edge1)
{
    JitBlock *block = &b->g->blocks[b->block];
    block->nodes.end = b->g->nnodes;
    block->edges[0] = edge0;
    block->edges[1] = edge1;
    block->nedges = (edge0 != 0) + (edge1 != 0);
}

int
_PyJit_Save(JitBuilder *b, JitSaved *saved)
{
    saved->graph = *b->g;
    saved->block = b->g->blocks[b->block];
    saved->slots = _PyJit_CopySlots(b);
    saved->builder = *b;
    return saved->slots != NULL;
}

void
_PyJit_Forget(JitBuilder *b, const JitSaved *saved)
{
    JitGraph *g = b->g;
    const JitGraph *graph = &saved->graph;
    memset(&g->blocks[graph->nblocks], 0, (g->nblocks - graph->nblocks) * sizeof(JitBlock));
    g->nnodes = graph->nnodes;
    g->nsnaps = graph->nsnaps;
    g->nentries = graph->nentries;
    g->nblocks = graph->nblocks;
    g->nedges = graph->nedges;
    g->nscopes = graph->nscopes;
    g->scope = graph->scope;
    *b = saved->builder;
    g->blocks[b->block] = saved->block;
    memcpy(b->slots, saved->slots, b->nregs * sizeof(JitSlot));
}

uint32_t
_PyJit_EdgeTo(JitBuilder *b, uint32_t to)
{
    JitGraph *g = b->g;
    to = _PyJit_InRound(b, to);
    uint32_t edge = _PyJit_AddEdge(g, b->block, b->sources[to].built);
    JitSlot *slots = _PyJit_CopySlots(b);
    if (slots == NULL) {
        return edge;
    }
    if (b->npending == b->pending_size) {
        uint32_t size = b->pending_size == 0 ? 32 : 2 * b->pending_size;
        JitPendingEdge *larger = _PyJit_Alloc(g, size * sizeof(JitPendingEdge));
        if (larger == NULL) {
            return edge;
        }
        if (b->npending > 0) {
            memcpy(larger, b->pending, b->npending * sizeof(JitPendingEdge));
        }
        b->pending = larger;
        b->pending_size = size;
    }
    g->edges[edge].back = b->sources[to].built != 0;
    _PyJit_Notice(b);
    b->pending[b->npending++] = (JitPendingEdge){edge, to, slots, b->search};
    return edge;
}
