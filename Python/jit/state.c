/* Where values are while the graph is built: slots, references, snapshots, and how the states
   of several edges become one. */
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

int
_PyJit_BoxedIn(JitBuilder *b, JitRef value)
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
    int reg = _PyJit_BoxedIn(b, value);
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
    for (unsigned r = 0; r < b->nregs; r++) {
        JitSlot *slot = &b->slots[r];
        if (slot->dirty) {
            JitKeep keep = type_of(b, slot->ref) == JIT_T_DOUBLE ? JIT_KEEP_DOUBLE
                : slot->owned || !_PyJit_MayCount(b, slot->ref) ? JIT_KEEP_WORD
                : JIT_KEEP_BORROWED;
            _PyJit_AddSnapEntry(b->g, (uint16_t)r, keep, slot->ref);
            if (keep == JIT_KEEP_DOUBLE && !b->g->failed) {
                b->g->entries[b->g->nentries - 1].boxed_in = (uint16_t)(_PyJit_BoxedIn(b, slot->ref)
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
    else if (slot->memptr && type_of(b, ref) == JIT_T_INT) {
        /* Memory may hold the int as an object. */
        JitRef old = load_word(b, JIT_T_WORD, reg);
        store_word(b, reg, _PyJit_Const(b, 0));
        _PyJit_GiveUp(b, old, 1);
    }
    else if (slot->memptr && type_of(b, ref) == JIT_T_DOUBLE) {
        JitRef old = load_word(b, JIT_T_WORD, reg);
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

void
_PyJit_FinishInstr(JitBuilder *b, uint32_t next)
{
    /* Nobody can tell when those go that run no code. */
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
    if (n > 1) {
        /* Only behind the last release can code leave, if a destructor has dropped what is
           borrowed (rare.c). */
        _PyJit_OwnBorrowed(b, 1, NULL);
    }
    for (int i = 0; i < n; i++) {
        JitRef ref = _PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, b->releases[i], 0);
        uint32_t snap = _PyJit_SnapNow(b, next);
        JitNode *release = _PyJit_At(b, ref);
        release->snap = snap;
        release->cond = i < n - 1 ? JIT_RELEASE_EARLY : JIT_RELEASE_LAST;
    }
    b->nreleases = 0;
    b->snap = 0;
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

JitSlot *
_PyJit_CopySlots(JitBuilder *b)
{
    JitSlot *copy = _PyJit_Alloc(b->g, (b->nregs + 1) * sizeof(JitSlot));
    if (copy != NULL) {
        memcpy(copy, b->slots, b->nregs * sizeof(JitSlot));
    }
    return copy;
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

/* ------------------------------------------------------- many states to one

   The slots of a block with several edges are decided by the forward edges; edges then do
   what makes their states the same. A header's phis must also suit the edges that close the
   loop: if one does not, its register is widened and building begins again. */

/* Begins to put nodes on an edge, in the state that the edge has. */
static JitSlot *
begin_edge(JitBuilder *b, JitPendingEdge *pending)
{
    b->g->edges[pending->edge].nodes.first = b->g->nnodes;
    b->slots = pending->slots;
    b->snap = 0;
    return b->slots;
}

/* What is released on an edge is an int or a float, and goes last: other registers may borrow
   it until they have been made to suit the target. */
static void
release_on_edge(JitBuilder *b, JitRef ref)
{
    b->edge_releases[b->nedge_releases++] = ref;
}

static void
end_edge(JitBuilder *b, JitPendingEdge *pending)
{
    for (uint32_t i = 0; i < b->nedge_releases; i++) {
        (void)_PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, b->edge_releases[i], 0);
    }
    b->nedge_releases = 0;
    b->g->edges[pending->edge].nodes.end = b->g->nnodes;
}

/* Memory gives up the boxed form of an int or a double that is in a register. The slot need not
   have known which value that is; who leaves from now on must find it. */
static void
demote(JitBuilder *b, unsigned reg, JitRef value)
{
    JitSlot *slot = &b->slots[reg];
    if (slot->memptr) {
        JitRef old = load_word(b, JIT_T_WORD, reg);
        store_word(b, reg, _PyJit_Const(b, 0));
        release_on_edge(b, old);
    }
    *slot = (JitSlot){.ref = value, .dirty = 1};
}

/* The edge from outside: a value in memory is loaded, and has to be what the other edges say
   that it is. */
static void
guard_from_outside(JitBuilder *b, unsigned reg, JitRef want)
{
    JitNode wanted = *_PyJit_At(b, want);
    JitRef ref = _PyJit_Use(b, reg);
    if (wanted.type == JIT_T_INT) {
        /* The interpreter may have the same int as an object; or the variable is unbound, as it
           was on another edge: who reads it looks. */
        uint32_t snap = _PyJit_SnapBefore(b);
        ref = _PyJit_Node(b, JIT_TO_INT_NODE, JIT_T_INT, ref, 0);
        _PyJit_At(b, ref)->snap = snap;
        _PyJit_At(b, ref)->cond = JIT_UNBOUND_STAYS;
    }
    else if (wanted.type == JIT_T_DOUBLE || wanted.type == JIT_T_OBJECT) {
        uint32_t snap = _PyJit_SnapBefore(b);
        /* On all other edges the variable is bound, but the way that leaves it unbound may have
           been cold: it led through the interpreter. */
        JitRef bound = _PyJit_Node(b, JIT_GUARD_CMP_NODE, JIT_T_NONE, ref, _PyJit_Const(b, 0));
        _PyJit_At(b, bound)->cond = JIT_NE;
        _PyJit_At(b, bound)->snap = snap;
        ref = _PyJit_Node(b, JIT_GUARD_OBJECT_NODE, JIT_T_OBJECT, ref, 0);
        _PyJit_At(b, ref)->snap = snap;
        PyTypeObject *cls = wanted.type == JIT_T_DOUBLE ? &PyFloat_Type : wanted.cls;
        if (cls != NULL) {
            ref = _PyJit_Node(b, JIT_GUARD_CLASS_NODE, JIT_T_OBJECT, ref, 0);
            _PyJit_At(b, ref)->snap = snap;
            _PyJit_At(b, ref)->cls = cls;
        }
    }
    b->slots[reg].ref = ref;
    b->snap = 0;
}

/* Makes the state of an edge suit a slot of its target. Returns the input for the slot's phi;
   0: none can be had without a wider type. unchanged: the edge closes a loop that does not write
   the register, a variable. */
static JitRef
conform(JitBuilder *b, unsigned reg, const JitSlot *want, int has_phi, int unchanged)
{
    JitSlot *slot = &b->slots[reg];
    JitType type = want->ref == 0 ? JIT_T_NONE : type_of(b, want->ref);
    if (b->inlined != NULL && want->ref == 0) {
        b->inlined->failed |= slot->ref != 0 && slot->owned && _PyJit_MayCount(b, slot->ref);
        return 0;
    }
    if (!has_phi) {
        if (b->inlined != NULL) {
            b->inlined->failed |= slot->owned != want->owned && _PyJit_MayCount(b, want->ref);
            return want->ref;
        }
        if (!want->dirty) {
            _PyJit_SyncSlot(b, reg);
        }
        else if (!slot->dirty) {
            if (type == JIT_T_INT || type == JIT_T_DOUBLE) {
                demote(b, reg, want->ref);
            }
            else if (slot->memptr) {
                /* An owned temporary that has been stored meanwhile. */
                store_word(b, reg, _PyJit_Const(b, 0));
                if (!want->owned) {
                    release_on_edge(b, want->ref);
                }
            }
        }
        return want->ref;
    }
    if (unchanged) {
        if (!want->dirty) {
            _PyJit_SyncSlot(b, reg);
        }
        else if (!slot->dirty) {
            demote(b, reg, want->ref);
        }
        return want->ref;
    }
    JitRef value = slot->ref;
    if (type == JIT_T_INT) {
        if (value == 0 || type_of(b, value) != JIT_T_INT) {
            return 0;
        }
        if (!slot->dirty) {
            demote(b, reg, value);
        }
        return value;
    }
    if (type == JIT_T_DOUBLE) {
        if (value == 0) {
            return 0;
        }
        if (type_of(b, value) == JIT_T_OBJECT
            && _PyJit_At(b, value)->cls == &PyFloat_Type) {
            JitRef unboxed = _PyJit_Node(b, JIT_LOAD_NODE, JIT_T_DOUBLE, value, 0);
            _PyJit_At(b, unboxed)->imm = offsetof(PyFloatObject, ob_fval);
            if (slot->dirty && slot->owned) {
                release_on_edge(b, value);
                slot->owned = 0;
            }
            value = unboxed;
        }
        if (type_of(b, value) != JIT_T_DOUBLE) {
            return 0;
        }
        slot->ref = value;      /* the object may be gone after this */
        if (!want->dirty) {
            _PyJit_SyncSlot(b, reg);
        }
        else if (!slot->dirty) {
            demote(b, reg, value);
        }
        return value;
    }
    if (want->dirty) {                      /* an owned temporary */
        if (!slot->dirty) {
            value = _PyJit_Use(b, reg);
            if (slot->memptr && type_of(b, value) == JIT_T_INT) {
                demote(b, reg, value);
            }
            else if (slot->memptr) {
                store_word(b, reg, _PyJit_Const(b, 0));
            }
        }
        else if (!slot->owned && want->owned) {
            incref_counted(b, value);
        }
        return value;
    }
    _PyJit_SyncSlot(b, reg);
    /* Memory holds a double as an object. */
    return value != 0 && type_of(b, value) == JIT_T_DOUBLE ? load_word(b, JIT_T_WORD, reg)
                                                           : _PyJit_Use(b, reg);
}

/* The class that two values have in common. */
static PyTypeObject *
common_class(JitBuilder *b, JitRef x, JitRef y)
{
    PyTypeObject *cls = _PyJit_At(b, x)->cls;
    return cls == _PyJit_At(b, y)->cls ? cls : NULL;
}

static int
is_float(JitBuilder *b, JitRef ref)
{
    JitNode *n = _PyJit_At(b, ref);
    return n->type == JIT_T_DOUBLE || (n->type == JIT_T_OBJECT && n->cls == &PyFloat_Type);
}

static int
is_unbound(JitBuilder *b, JitRef ref)
{
    return ref != 0 && _PyJit_At(b, ref)->op == JIT_CONST_NODE && _PyJit_At(b, ref)->imm == 0;
}

static int
are_same(const JitPendingEdge *edges, uint32_t n, unsigned reg)
{
    JitSlot first = edges[0].slots[reg];
    for (uint32_t i = 1; i < n; i++) {
        JitSlot slot = edges[i].slots[reg];
        if (slot.ref != first.ref || slot.dirty != first.dirty || slot.owned != first.owned
            || slot.memptr != first.memptr) {
            return 0;
        }
    }
    return 1;
}

/* Decides a slot of a block that edges[0 .. n) lead to; the one from outside is the first.
   Sets *has_phi. */
static JitSlot
decide(JitBuilder *b, JitSource *source, unsigned reg, JitPendingEdge *edges, uint32_t n,
       int *has_phi)
{
    /* What comes from outside is made to suit the others. */
    int also_outside = n > 1 && b->g->edges[edges[0].edge].from == 0;
    if (!source->is_header && !also_outside && are_same(edges, n, reg)) {
        *has_phi = 0;
        return edges[0].slots[reg];
    }
    edges += also_outside;
    n -= (uint32_t)also_outside;
    JitSlot first = edges[0].slots[reg];
    int same = 1, all_known = first.ref != 0, memptr = first.memptr;
    int ints = 1, floats = 1, doubles = 0, owned = b->inlined == NULL;
    PyTypeObject *cls = first.ref != 0 ? _PyJit_At(b, first.ref)->cls : NULL;
    JitType type = first.ref != 0 ? type_of(b, first.ref) : JIT_T_WORD;
    for (uint32_t i = 0; i < n; i++) {
        JitSlot slot = edges[i].slots[reg];
        same = same && slot.ref == first.ref && slot.dirty == first.dirty
               && slot.owned == first.owned;
        all_known = all_known && slot.ref != 0;
        memptr |= slot.memptr;
        owned |= slot.ref != 0 && slot.owned;
        ints = ints && slot.ref != 0 && type_of(b, slot.ref) == JIT_T_INT;
        floats = floats && slot.ref != 0 && is_float(b, slot.ref);
        doubles |= slot.ref != 0 && type_of(b, slot.ref) == JIT_T_DOUBLE;
        if (i > 0 && all_known) {
            cls = common_class(b, first.ref, slot.ref) == cls ? cls : NULL;
            if (type_of(b, slot.ref) != type) {
                type = JIT_T_WORD;
                cls = NULL;
            }
        }
    }
    int header = source->is_header;
    int assigned = header && source->assigned[reg];
    *has_phi = 0;
    if (b->inlined != NULL && assigned && is_unbound(b, first.ref)) {
        return (JitSlot){0};                /* each round writes it before it is read */
    }
    if (same && !assigned && !(also_outside && first.ref != 0)) {
        JitSlot slot = first;
        slot.memptr = (uint8_t)memptr;
        if (header && slot.dirty && (source->loop_opaque || source->widen[reg].memptr)
            && (type == JIT_T_DOUBLE || _PyJit_MayCount(b, slot.ref))) {
            slot.dirty = slot.owned = 0;        /* stored once, before the loop */
            slot.memptr = 1;
        }
        return slot;
    }
    /* A variable that is unbound here may be bound when the loop is entered from outside. */
    int wide = header && (source->widen[reg].dirty
                          || (same && !assigned && is_unbound(b, first.ref)));
    if (!all_known && b->inlined != NULL) {
        return (JitSlot){0};
    }
    if (!all_known || wide) {
        return (JitSlot){.memptr = 1};
    }
    if (b->inlined != NULL && header && !ints && !(floats && doubles)) {
        b->inlined->failed = 1;
        return first;
    }
    JitSlot slot = {0};
    if (ints || (floats && (doubles || (assigned && !is_temporary(b, reg))))) {
        type = ints ? JIT_T_INT : JIT_T_DOUBLE;
        slot.memptr = !ints && header && !assigned && source->widen[reg].memptr;
        slot.dirty = !slot.memptr;
        cls = NULL;
    }
    else if ((is_temporary(b, reg) || b->inlined != NULL) && !header && !doubles) {
        slot.dirty = 1;
        slot.owned = (uint8_t)owned;
    }
    else {
        if (type != JIT_T_WORD && type != JIT_T_OBJECT) {
            type = JIT_T_WORD;
        }
        slot.memptr = 1;
    }
    /* Of an int that is an object here, the interpreter may have the tag. */
    if (type == JIT_T_OBJECT && ((header && assigned) || (also_outside && cls == NULL))) {
        type = JIT_T_WORD;
        cls = NULL;
    }
    slot.ref = _PyJit_Node(b, JIT_PHI_NODE, type, 0, 0);
    _PyJit_At(b, slot.ref)->cls = cls;
    *has_phi = 1;
    return slot;
}

/* Is a double that a loop does not change made an object again and again? */
static int
is_boxed_in_each_round(JitBuilder *b, unsigned reg, const JitSlot *at_header)
{
    const JitSlot *slot = &b->slots[reg];
    return at_header->dirty && !slot->dirty && slot->memptr && slot->ref == at_header->ref
           && b->inlined == NULL && type_of(b, slot->ref) == JIT_T_DOUBLE;
}

/* The inputs of an edge for the phis of its target, whose slots and phis are decided. 0, or -1:
   a header's register has been widened. */
static int
finish_edge(JitBuilder *b, JitPendingEdge *pending, JitSource *source, const JitSlot *slots,
            const uint8_t *has_phi, uint32_t nphis)
{
    JitGraph *g = b->g;
    g->edges[pending->edge].to = source->built;
    JitRef *inputs = _PyJit_Alloc(g, (nphis + 1) * sizeof(JitRef));
    if (inputs == NULL) {
        return -1;
    }
    begin_edge(b, pending);
    uint32_t ip = b->ip;
    b->ip = source->start;
    uint32_t n = 0;
    int widened = 0;
    if (g->edges[pending->edge].from == 0) {
        uint32_t snap = _PyJit_SnapBefore(b);
        JitRef room = _PyJit_Node(b, JIT_GUARD_ROOM_NODE, JIT_T_NONE, 0, 0);
        _PyJit_At(b, room)->snap = snap;
    }
    /* Guards first: who leaves finds memory as it was. */
    for (unsigned r = 0; g->edges[pending->edge].from == 0 && r < b->nregs; r++) {
        if (has_phi[r] && b->slots[r].ref == 0) {
            guard_from_outside(b, r, slots[r].ref);
        }
    }
    for (unsigned r = 0; r < b->nregs; r++) {
        if (!has_phi[r] && b->inlined == NULL && b->slots[r].dirty == slots[r].dirty) {
            continue;           /* it suits as it is */
        }
        int unchanged = g->edges[pending->edge].back && !source->assigned[r]
                        && !is_temporary(b, r);
        if (unchanged && !source->widen[r].memptr && is_boxed_in_each_round(b, r, &slots[r])) {
            source->widen[r].memptr = 1;
            widened = 1;
        }
        JitRef input = conform(b, r, &slots[r], has_phi[r], unchanged);
        if (has_phi[r]) {
            if (input == 0) {
                if (source->first_of == 0 && !source->want_first
                    && type_of(b, slots[r].ref) == JIT_T_INT && b->slots[r].ref != 0
                    && is_float(b, b->slots[r].ref)) {
                    source->want_first = 1;
                }
                else {
                    source->widen[r].dirty = 1;
                }
                widened = 1;
            }
            inputs[n++] = input;
        }
    }
    end_edge(b, pending);
    b->ip = ip;
    g->edges[pending->edge].inputs = inputs;
    return widened ? -1 : 0;
}

/* The state of the edge from outside: all is in memory. At the function's beginning, variables
   that are no parameters are unbound. */
static JitSlot *
state_from_outside(JitBuilder *b, uint32_t start)
{
    JitSlot *slots = _PyJit_Alloc(b->g, (b->nregs + 1) * sizeof(JitSlot));
    if (slots == NULL) {
        return NULL;
    }
    for (unsigned r = 0; r < b->nregs; r++) {
        slots[r].memptr = 1;
    }
    if (start == _PyJit_EntryOf(b->code) && !b->code->is_generator) {
        for (unsigned r = b->code->nparams; r < (unsigned)b->code->ob.co_nlocals; r++) {
            slots[r] = (JitSlot){.ref = _PyJit_Const(b, 0), .dirty = 1};
        }
    }
    return slots;
}

/* So often must it have been possible to go there. */
#define OFTEN_ENOUGH 8

/* Not worth an exit: the function is at its end there. */
#define FEW_WORDS 8

static int
ends_soon(JitBuilder *b, const JitSource *source)
{
    if (source->end - source->start > FEW_WORDS) {
        return 0;
    }
    /* The last word may be an instruction's cache. */
    uint32_t last = source->start, next;
    while ((next = last + _PyInstr_Words(&b->code->code[last])) < source->end) {
        last = next;
    }
    int op = b->code->code[last].op;
    return op == OP_LOAD_CONST__RETURN_NONE || _PyOpcode_Info[op].base == OP_RETURN;
}

/* What a recording has seen of a loop does not say that it goes on for ever: who is called, or in
   another loop, comes out of this one each time. But of what is long, nothing is known: an exit
   has it recorded. */
static int
comes_out(JitBuilder *b, const JitSource *source, uint32_t from)
{
    return source->end - source->start <= FEW_WORDS
           && b->sources[b->source_at[from]].loops > source->loops
           && (source->loops > 0 || b->counts[_PyJit_EntryOf(b->code)] > 0);
}

/* Does a loop begin here of which nothing was seen, nor of what it contains? One exit has it
   recorded when it is warm; built of what is not known it would stay slow. */
static int
is_unseen_loop(JitBuilder *b, const JitSource *source)
{
    uint32_t end = 0;
    for (uint32_t ip = source->start; source->is_header && ip < b->code->ninstr;
         ip += _PyInstr_Words(&b->code->code[ip])) {
        const PyInstr *in = &b->code->code[ip];
        if (_PyOpcode_Info[in->op].base == OP_JUMP_BACK
            && _PyJit_JumpTarget(b->code, ip) == source->start) {
            end = ip;
        }
    }
    for (uint32_t ip = source->start; ip < end; ip++) {
        if (b->counts[ip] != 0) {
            return 0;
        }
    }
    return end != 0;
}

/* Was the block never executed while the function was recorded, though what leads there was? What
   is compiled once more, because it was left too often, is compiled whole. */
static int
is_cold(JitBuilder *b, const JitSource *source, const JitPendingEdge *edges, uint32_t n)
{
    if (b->inlined != NULL) {
        return 0;               /* its builder looks by itself */
    }
    if (!_PyJit_IsInside(((const PyJitCode *)b->code->jit)->region, source->start)) {
        return 1;
    }
    if (b->is_whole > 1) {
        return 0;
    }
    if (_PyJit_Enabled == JIT_STRESS) {
        return !b->is_whole && (source->start * 2654435761u ^ _PyJit_Seed) % 7 == 0
               && source->start != _PyJit_EntryOf(b->code)
               && ((const PyJitCode *)b->code->jit)->versions == 0;
    }
    if (b->counts == NULL || b->counts[source->start] != 0 || ends_soon(b, source)) {
        return 0;
    }
    if (is_unseen_loop(b, source)) {
        return 1;
    }
    if (b->is_whole) {
        return 0;
    }
    int often = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t from = b->g->edges[edges[i].edge].from;
        uint32_t ip = from == 0 ? _PyJit_EntryOf(b->code) : b->g->blocks[from].start;
        if (from != 0 && comes_out(b, source, ip)) {
            return 0;
        }
        /* Behind a loop is more code than a recording of the loop shows. */
        int is_behind = from != 0 && !source->is_first
                        && b->sources[b->source_at[ip]].loops > source->loops;
        often |= b->counts[ip] >= (is_behind ? 1 : OFTEN_ENOUGH);
    }
    return often;
}

/* Does nothing run on the edge? */
static int
is_quiet_edge(const JitGraph *g, uint32_t edge)
{
    int quiet = 1;
    for (JitRef ref = g->edges[edge].nodes.first; ref < g->edges[edge].nodes.end; ref++) {
        const JitNode *n = &g->nodes[ref];
        quiet = quiet && !(_PyJit_NodeFlags[n->op] & JIT_CALLS) && n->op != JIT_RELEASE_NODE
                && n->op != JIT_PENDING_NODE;
    }
    return quiet;
}

int
_PyJit_BeginSource(JitBuilder *b, uint32_t number)
{
    JitGraph *g = b->g;
    JitSource *source = &b->sources[number];
    /* The edges that lead here, moved to the end of those pending. */
    JitPendingEdge *edges = _PyJit_Alloc(g, (b->npending + 1) * sizeof(JitPendingEdge));
    uint32_t n = 0, kept = 0;
    if (edges == NULL) {
        return 0;
    }
    b->ip = source->start;
    if (source->from_outside) {
        uint32_t entry = _PyJit_AddEdge(g, 0, 0);
        JitSlot *slots = state_from_outside(b, source->start);
        if (slots == NULL) {
            return 0;
        }
        edges[n++] = (JitPendingEdge){entry, number, slots, {0}};
    }
    for (uint32_t i = 0; i < b->npending; i++) {
        if (b->pending[i].to == number && !g->edges[b->pending[i].edge].back) {
            edges[n++] = b->pending[i];
        }
        else {
            b->pending[kept++] = b->pending[i];
        }
    }
    b->npending = kept;
    if (n == 0 || g->failed) {
        return 0;
    }
    source->is_cold = is_cold(b, source, edges, n);
    source->built = g->nblocks++;
    JitBlock *block = &g->blocks[source->built];
    *block = (JitBlock){.start = source->start, .scope = g->scope,
                        .is_header = source->is_header,
                        .entry = source->from_outside ? edges[0].edge : 0};
    JitSlot *slots = _PyJit_Alloc(g, (b->nregs + 1) * sizeof(JitSlot));
    uint8_t *has_phi = _PyJit_Alloc(g, b->nregs + 1);
    block->phis = _PyJit_Alloc(g, (b->nregs + 1) * sizeof(JitRef));
    if (g->failed) {
        return 0;
    }
    /* A block that only one way leads to goes on with the state that it has there. */
    int goes_on = n == 1 && !source->is_header;
    if (goes_on) {
        memcpy(slots, edges[0].slots, b->nregs * sizeof(JitSlot));
    }
    for (unsigned r = 0; !goes_on && r < b->nregs; r++) {
        int phi;
        slots[r] = decide(b, source, r, edges, n, &phi);
        has_phi[r] = (uint8_t)phi;
        if (phi) {
            block->phis[block->nphis++] = slots[r].ref;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (finish_edge(b, &edges[i], source, slots, has_phi, block->nphis) < 0) {
            b->restart = source->is_header;
            if (b->inlined != NULL) {
                b->inlined->failed = 1;
            }
            else {
                g->failed |= !source->is_header;
            }
            return 0;
        }
    }
    if (source->is_header) {
        for (unsigned r = 0; r < b->nregs; r++) {
            if (slots[r].ref != 0 && !slots[r].dirty
                && (source->assigned[r] || source->loop_opaque)) {
                slots[r].memptr = 1;
            }
        }
        memcpy(source->state, slots, b->nregs * sizeof(JitSlot));
        source->has_phi = has_phi;
    }
    block->nodes.first = g->nnodes;
    if (b->inlined != NULL) {
        b->inlined->forked = 1;
    }
    b->block = source->built;
    _PyJit_KnowNothing(b);
    if (goes_on && is_quiet_edge(g, edges[0].edge)) {
        b->search = edges[0].search;
    }
    b->slots = slots;
    b->snap = 0;
    return 1;
}

int
_PyJit_CloseLoops(JitBuilder *b)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->npending; i++) {
        JitPendingEdge *pending = &b->pending[i];
        JitSource *source = &b->sources[pending->to];
        if (b->inlined != NULL && !b->g->edges[pending->edge].back) {
            b->pending[kept++] = *pending;      /* to the block behind all returns */
            continue;
        }
        if (!b->g->edges[pending->edge].back) {
            /* A loop that is entered in its middle only, for the way to its header is cold. */
            b->restart = 1;
            b->is_whole++;
            continue;
        }
        JitBlock *block = &b->g->blocks[source->built];
        if (finish_edge(b, pending, source, source->state, source->has_phi, block->nphis) < 0) {
            b->restart = 1;
        }
    }
    b->npending = kept;
    return b->restart || b->g->failed ? -1 : 0;
}
