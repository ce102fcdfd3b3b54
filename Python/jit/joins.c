/* How the states of several edges become one.

   The slots of a block with several edges are decided by the forward edges; edges then do
   what makes their states the same. A header's phis must also suit the edges that close the
   loop: if one does not, its register is widened and building begins again. */
#include "build_ops.h"

/* The states of all blocks and edges of a long function with many variables would be megabytes,
   touched for the first time and then never again. */
#define MOST_SPARE 64

/* Memory for a state, whose registers are all going to be written. */
static JitSlot *
get_slots(JitBuilder *b)
{
    /* Those of what is built in have other sizes. */
    if (b->nspare > 0 && b->inlined == NULL) {
        return b->spare[--b->nspare];
    }
    return _PyJit_Alloc(b->g, (b->nregs + 1) * sizeof(JitSlot));
}

static void
put_slots(JitBuilder *b, JitSlot *slots)
{
    if (slots != NULL && b->inlined == NULL && b->nspare < MOST_SPARE) {
        b->spare[b->nspare++] = slots;
    }
}

JitSlot *
_PyJit_CopySlots(JitBuilder *b)
{
    JitSlot *copy = get_slots(b);
    if (copy != NULL) {
        memcpy(copy, b->slots, b->nregs * sizeof(JitSlot));
    }
    return copy;
}

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

void
_PyJit_AllocForJoins(JitBuilder *b)
{
    size_t n = b->nregs + 1u;
    b->edge_releases = _PyJit_Alloc(b->g, n * sizeof(JitRef));
    b->join_room.slots = _PyJit_Alloc(b->g, n * sizeof(JitSlot));
    b->join_room.phis = _PyJit_Alloc(b->g, n * sizeof(JitRef));
    b->join_room.has_phi = _PyJit_Alloc(b->g, n);
    if (b->inlined == NULL) {
        b->spare = _PyJit_Alloc(b->g, MOST_SPARE * sizeof(JitSlot *));
    }
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
        if (g->failed) {
            return -1;          /* what is known of new nodes is not true */
        }
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
    JitSlot *before = b->slots;
    /* The edges that lead here, moved to the end of those pending. */
    uint32_t n = 0, kept = 0, most = source->from_outside ? 1 : 0;
    for (uint32_t i = 0; i < b->npending; i++) {
        most += b->pending[i].to == number;
    }
    JitPendingEdge *edges = _PyJit_Alloc(g, (most + 1) * sizeof(JitPendingEdge));
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
    /* A block that only one way leads to goes on with the state that it has there. */
    int goes_on = n == 1 && !source->is_header;
    JitSlot *slots = edges[0].slots;
    uint8_t *has_phi = b->join_room.has_phi;
    if (goes_on) {
        /* What the edge does changes a copy. */
        edges[0].slots = memcpy(b->join_room.slots, slots, b->nregs * sizeof(JitSlot));
        memset(has_phi, 0, b->nregs);
    }
    else {
        slots = get_slots(b);
    }
    if (g->failed) {
        return 0;
    }
    for (unsigned r = 0; !goes_on && r < b->nregs; r++) {
        int phi;
        slots[r] = decide(b, source, r, edges, n, &phi);
        has_phi[r] = (uint8_t)phi;
        if (phi) {
            b->join_room.phis[block->nphis++] = slots[r].ref;
        }
    }
    block->phis = _PyJit_Alloc(g, (block->nphis + 1) * sizeof(JitRef));
    if (block->phis == NULL) {
        return 0;
    }
    memcpy(block->phis, b->join_room.phis, block->nphis * sizeof(JitRef));
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
    put_slots(b, before);
    for (uint32_t i = 0; !goes_on && i < n; i++) {
        put_slots(b, edges[i].slots);
    }
    if (source->is_header) {
        for (unsigned r = 0; r < b->nregs; r++) {
            if (slots[r].ref != 0 && !slots[r].dirty
                && (source->assigned[r] || source->loop_opaque)) {
                slots[r].memptr = 1;
            }
        }
        memcpy(source->state, slots, b->nregs * sizeof(JitSlot));
        source->has_phi = _PyJit_Alloc(g, b->nregs + 1);
        if (source->has_phi == NULL) {
            return 0;
        }
        memcpy(source->has_phi, has_phi, b->nregs);
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
