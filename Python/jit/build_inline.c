/* Small functions that become a part of their callers.

   The callee's blocks are built where the call stands; its registers are slots without memory
   (JitInlined in build.h). It has no frame: so nothing in it may run code that could look for
   one, and a guard that fails leaves to the call in the caller, which is then executed anew. That
   is right as long as nothing has been changed: all guards of a way through the callee stand
   before its first effect. What has never been executed is left for in the same manner, so a
   function that raises or calls in rare cases may be built in, too. If anything in it does not
   fit, all of it is forgotten, and the function is called.

   Tracebacks and tracers take the machine code for the call's; in perf's map it is the callee's own
   (scopes.c). */
#include "build_ops.h"
#include "likes.h"
#include "quiet.h"
#include "../vm/vm.h"
#include "internal/gcstate.h"
#include "internal/instance_attrs.h"
#include "internal/monitoring.h"
#include "internal/type.h"

#undef A
#undef B
#undef C

/* Longer functions, in words, are called. */
#define MOST_WORDS 120
#define MOST_DEPTH 4
/* So many nodes may a function have and still take up others. */
#define MOST_NODES 6000

static const PyJitCode *
recorded(const PyVMCode *code)
{
    const PyJitCode *jit = code->jit;
    return jit != NULL && jit->kinds != NULL && jit->refused != NULL && jit->counts != NULL
           && _PyMonitor_LeavesAlone(code, _PyThreadState_GET()->interp->monitors)
           ? jit : NULL;
}

/* Only forward jumps, and no way in but the first. */
static int
is_small(PyVMCode *code)
{
    if (code->ninstr > MOST_WORDS || code->nhandlers != 0 || code->is_generator
        || _PyOpcode_Info[code->code[0].op].base != OP_RESUME) {
        return 0;
    }
    for (uint32_t ip = 1; ip < code->ninstr; ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        switch (_PyOpcode_Info[code->code[ip].op].base) {
        case OP_JUMP_BACK: case OP_FOR_ITER: case OP_SEND: case OP_RESUME: case OP_YIELD_VALUE:
        case OP_YIELD_FROM_VALUE: case OP_MAKE_CELL: case OP_RETURN_GENERATOR:
            return 0;
        }
    }
    return 1;
}

static int
is_running(JitBuilder *b, PyVMCode *code)
{
    int found = b->code == code;
    for (JitInlined *i = b->inlined; i != NULL; i = i->caller.inlined) {
        found |= i->caller.code == code;
    }
    return found;
}

void
_PyJit_GuardQuiet(JitBuilder *b, JitRef object)
{
    JitInlined *inlined = b->inlined;
    if (inlined == NULL || _PyJit_IsInert(class_of(b, object)) || !_PyJit_MayCount(b, object)) {
        return;
    }
    if (inlined->nquiet == (int)Py_ARRAY_LENGTH(inlined->quiet)) {
        inlined->failed = 1;
        return;
    }
    if (!_PyJit_IsPlainValue(b, object)) {
        JitRef guard = guarded(b, JIT_GUARD_QUIET_NODE, JIT_T_NONE, object, 0);
        _PyJit_At(b, guard)->imm = JIT_QUIET_IF_PLAIN;
    }
    inlined->quiet[inlined->nquiet++] = object;
}

int
_PyJit_KeepsArgument(PyVMCode *code, unsigned parameter)
{
    int keeps = 0;
    uint8_t written[256] = {0};
    if (code->nregs > sizeof(written)) {
        return 0;
    }
    for (uint32_t ip = 1; ip < code->ninstr; ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        const PyInstr *in = &code->code[ip];
        if (_PyJit_JumpTarget(code, ip) != 0) {
            return 0;
        }
        int base = _PyOpcode_Info[in->op].base;
        keeps |= (base == OP_STORE_ATTR && in->b == parameter)
                 || (base == OP_RETURN && in->a == parameter);
        _PyJit_WrittenRegs(code, ip, code->nregs, written);
    }
    return keeps && !written[parameter];
}

/* ---------------------------------------------------------------------- nodes */

enum { FINE, LEAVES, CHANGES, UNFIT };

static PyObject *new_instance(PyTypeObject *type, uint64_t room);

/* Those that a store in a new instance is made of. They do not use `nargs` otherwise. */
static int
may_fill(const JitNode *n)
{
    return n->op == JIT_STORE_NODE || n->op == JIT_INCREF_NODE || n->op == JIT_BOX_INT_NODE
           || n->op == JIT_BOX_DOUBLE_NODE;
}

void
_PyJit_MarkFilling(JitBuilder *b, JitRef first)
{
    for (JitRef ref = first; ref < b->g->nnodes; ref++) {
        JitNode *n = _PyJit_At(b, ref);
        if (may_fill(n)) {
            n->nargs = 1;
        }
    }
}

JitInlined *
_PyJit_MakerOf(JitBuilder *b, JitRef object)
{
    JitInlined *i = b->inlined;
    while (i != NULL && !i->forked && i->made != object) {
        i = i->caller.inlined;
    }
    return i == NULL || i->forked ? NULL : i;
}

/* What a node means for a callee that has no frame. A new instance is dropped by who leaves, so
   filling it changes nothing. */
static int
judge(const JitNode *n, int fills)
{
    if (fills && may_fill(n) && n->nargs != 0) {
        return FINE;
    }
    switch (n->op) {
    case JIT_STEP_NODE: case JIT_STEP_BRANCH_NODE: case JIT_STEP_END_NODE:
    case JIT_CALL_OPAQUE_NODE: case JIT_CALL_FUNCTION_NODE: case JIT_SAVE_IP_NODE:
    case JIT_LOAD_REG_NODE: case JIT_STORE_REG_NODE: case JIT_FUNC_NODE: case JIT_LOCALS_NODE:
    case JIT_YIELD_NODE:
    case JIT_RETURN_NODE: case JIT_PENDING_NODE: case JIT_CHECK_OK_NODE:
    case JIT_GUARD_ROOM_NODE: case JIT_GUARD_UNSEEN_NODE:
        return UNFIT;
    case JIT_STORE_NODE: case JIT_STORE_INDEXED_NODE: case JIT_ADD_MEM_NODE:
    case JIT_INCREF_NODE: case JIT_BOX_DOUBLE_NODE: case JIT_BOX_INT_NODE:
        return CHANGES;
    case JIT_RELEASE_NODE:
        return n->snap != 0 ? UNFIT : CHANGES;
    case JIT_CALL_NODE:
        return n->type == JIT_T_RAW || n->type == JIT_T_INT || n->cls == &PyBool_Type || n->cond
               ? FINE : CHANGES;
    default:
        return (_PyJit_NodeFlags[n->op] & JIT_LEAVES) && n->snap != 0 && n->op != JIT_LEAVE_NODE
               ? LEAVES : FINE;
    }
}

/* The same where all of it is redone: what is made may be dropped. */
static int
judge_redone(const JitNode *n)
{
    switch (n->op) {
    case JIT_STORE_NODE: case JIT_STORE_INDEXED_NODE: case JIT_ADD_MEM_NODE:
        return n->nargs != 0 ? FINE : UNFIT;
    case JIT_INCREF_NODE: case JIT_BOX_DOUBLE_NODE: case JIT_BOX_INT_NODE:
        return FINE;
    case JIT_RELEASE_NODE:
        return n->snap != 0 ? UNFIT : FINE;
    case JIT_CALL_NODE:
        return n->aux == (const void *)new_instance || _PyJit_OnlyMakes(n->aux)
               ? FINE : judge(n, 0) == FINE ? FINE : UNFIT;
    default: {
        int what = judge(n, 0);
        return what == CHANGES ? UNFIT : what;
    }
    }
}

int
_PyJit_IsPure(JitBuilder *b, JitRef first)
{
    int pure = 1;
    for (JitRef ref = first; ref < b->g->nnodes; ref++) {
        const JitNode *n = _PyJit_At(b, ref);
        int what = n->op == JIT_FUNC_NODE || n->op == JIT_LOAD_REG_NODE ? FINE : judge(n, 0);
        pure = pure && (what == FINE || what == LEAVES);
    }
    return pure;
}

int
_PyJit_OnlyMakesNew(JitBuilder *b, JitRef first)
{
    int only = 1;
    for (JitRef ref = first; ref < b->g->nnodes; ref++) {
        only = only && judge_redone(_PyJit_At(b, ref)) != UNFIT;
    }
    return only;
}

/* Looks at the nodes of an instruction, whose own guards stand before its effects. */
static void
judge_nodes(JitBuilder *b, JitRef first)
{
    int effects = b->inlined->effects, fills = 0;
    for (JitInlined *i = b->inlined; i != NULL; i = i->caller.inlined) {
        fills |= i->made != 0;
    }
    for (JitRef ref = first; ref < b->g->nnodes; ref++) {
        int what = b->inlined->redone ? judge_redone(_PyJit_At(b, ref))
                                      : judge(_PyJit_At(b, ref), fills);
        b->inlined->failed |= what == UNFIT || (what == LEAVES && b->inlined->effects);
        effects |= what == CHANGES;
    }
    b->inlined->effects = effects;
}

/* --------------------------------------------------------------------- the end */

/* The callee's variables are gone; the value is in the register above all others. */
static void
build_return(JitBuilder *b, unsigned reg, int is_last)
{
    unsigned result = b->code->nregs;
    int owned;
    JitRef value = _PyJit_Take(b, reg, &owned);
    JitSlot *slot = &b->slots[reg];
    if (reg < b->first_temp && slot->owned) {
        owned = 1;
        *slot = (JitSlot){0};
    }
    for (unsigned r = 0; r < b->first_temp; r++) {
        slot = &b->slots[r];
        if (slot->ref != 0 && slot->owned && _PyJit_MayCount(b, slot->ref)) {
            if (!owned && _PyJit_MayCount(b, value)) {
                incref(b, value);
                owned = 1;
            }
            _PyJit_GiveUp(b, slot->ref, 1);
        }
        *slot = (JitSlot){0};
    }
    _PyJit_FinishInstr(b, b->ip);
    b->slots[result] = (JitSlot){.ref = value, .dirty = 1, .owned = (uint8_t)(owned != 0)};
    if (!is_last || b->inlined->joined) {
        jump_to(b, b->inlined->end);
        b->inlined->joined = 1;
    }
}

/* Back to the call: nothing has been changed on this way. */
static void
leave(JitBuilder *b)
{
    b->inlined->failed |= b->inlined->effects;
    JitRef ref = _PyJit_Node(b, JIT_LEAVE_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, ref)->snap = _PyJit_SnapBefore(b);
    _PyJit_CloseBlock(b, 0, 0);
}

static int
is_comprehension(const JitInlined *inlined)
{
    return inlined->redone && inlined->caller.inlined == NULL;
}

/* Where a generator is resumed nothing is counted. And a long loop of a comprehension may neither
   have begun nor ended while it was recorded. */
static int
is_unseen_as_rule(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    return base == OP_RESUME
           || (is_comprehension(b->inlined)
               && (base == OP_RETURN || base == OP_JUMP_BACK
                   || ((base == OP_BUILD_LIST || base == OP_BUILD_SET || base == OP_BUILD_MAP)
                       && in->c == 0)
                   || (base == OP_LOAD_CONST && _PyOpcode_Info[in[1].op].base == OP_RETURN)));
}

/* Builds a block of the callee. Returns whether the last of all goes on without a jump. */
static int
build_block(JitBuilder *b, uint32_t number, const uint16_t *counts, int is_last)
{
    JitSource *source = &b->sources[number];
    b->source = number;
    for (uint32_t ip = source->start; ip < source->end && !b->inlined->failed; ip = b->next) {
        const PyInstr *in = &b->code->code[ip];
        b->ip = ip;
        b->next = ip + 1 + _PyOpcode_Info[in->op].cache;
        if (counts[ip] == 0 && !is_unseen_as_rule(b, in)) {
            leave(b);
            return 0;
        }
        JitRef first = b->g->nnodes;
        int is_return = _PyOpcode_Info[in->op].base == OP_RETURN;
        if (in->op == OP_LOAD_CONST__RETURN_NONE) {
            _PyJit_Write(b, in->a, _PyJit_Const(b, REG_NONE), 0);
            is_return = 1;
        }
        if (is_return && b->inlined->consumer != NULL) {
            _PyJit_EndConsumed(b);
            judge_nodes(b, first);
            return 0;
        }
        if (is_return) {
            build_return(b, in->a, is_last);
            judge_nodes(b, first);
            return is_last && !b->inlined->joined;
        }
        int goes_on = is_comprehension(b->inlined) ? _PyJit_BuildRedone(b, in) : -1;
        goes_on = goes_on >= 0 ? goes_on : _PyJit_BuildInstruction(b);
        judge_nodes(b, first);
        if (!goes_on) {
            return 0;
        }
    }
    if (!b->inlined->failed) {
        jump_to(b, b->source_at[source->end]);
    }
    return 0;
}

/* Builds all blocks, and the one behind them. Returns whether a value is there. */
static int
build_blocks(JitBuilder *b, const uint16_t *counts)
{
    JitInlined *inlined = b->inlined;
    if (_PyJit_FindBlocks(b, NULL) < 0) {
        return 0;
    }
    uint8_t *effects = _PyJit_Alloc(b->g, b->nsources + 1);
    if (effects == NULL) {
        return 0;
    }
    inlined->end = b->nsources;
    b->sources[inlined->end] = (JitSource){.start = inlined->caller.ip};
    int goes_on = 0, loops = is_comprehension(inlined);
    if (loops) {
        _PyJit_SettleLoops(b);
        b->source = 0;
        jump_to(b, b->order[0]);
    }
    for (uint32_t i = 0; i < b->norder && !inlined->failed && !b->g->failed; i++) {
        uint32_t number = b->order[i];
        JitRef first = b->g->nnodes;
        inlined->effects = i == 0 ? inlined->effects : effects[number];
        if ((i > 0 || loops) && !_PyJit_BeginSource(b, number)) {
            continue;
        }
        judge_nodes(b, first);
        goes_on = build_block(b, number, counts, i + 1 == b->norder && !loops);
        JitSource *source = &b->sources[number];
        for (uint32_t k = 0; k < source->nnext; k++) {
            effects[source->next[k]] |= (uint8_t)inlined->effects;
        }
    }
    if (loops && !inlined->failed && !b->restart) {
        JitRef first = b->g->nnodes;
        (void)_PyJit_CloseLoops(b);
        judge_nodes(b, first);
    }
    if (inlined->failed || b->g->failed || b->restart) {
        return 0;
    }
    if (!goes_on) {
        JitRef first = b->g->nnodes;
        b->source = inlined->end;
        goes_on = _PyJit_BeginSource(b, inlined->end);
        judge_nodes(b, first);
    }
    return goes_on && !inlined->failed;
}

/* ------------------------------------------------------------ there and back */

/* The builder stands in the caller again, with what it knows. */
static void
come_back(JitBuilder *b, const JitBuilder *caller)
{
    b->code = caller->code;
    b->inlined = caller->inlined;
    b->kinds = caller->kinds;
    b->refused = caller->refused;
    b->operands = caller->operands;
    b->nregs = caller->nregs;
    b->first_temp = caller->first_temp;
    b->sources = caller->sources;
    b->earlier = caller->earlier;
    b->source = caller->source;
    b->nsources = caller->nsources;
    b->source_at = caller->source_at;
    b->order = caller->order;
    b->norder = caller->norder;
    b->pending = caller->pending;
    b->npending = caller->npending;
    b->pending_size = caller->pending_size;
    b->slots = caller->slots;
    b->ip = caller->ip;
    b->next = caller->next;
    b->edge_releases = caller->edge_releases;
    b->join_room = caller->join_room;
    b->nedge_releases = caller->nedge_releases;
    b->nreleases = caller->nreleases;
    b->snap = 0;
}

/* What has been made belongs to the call. */
static void
move_to_call(JitBuilder *b, const JitGraph *graph)
{
    JitGraph *g = b->g;
    for (JitRef ref = graph->nnodes; ref < g->nnodes; ref++) {
        g->nodes[ref].ip = b->ip;
    }
    for (uint32_t i = graph->nblocks; i < g->nblocks; i++) {
        g->blocks[i].start = b->ip;
    }
}

/* The builder stands at the beginning of the callee. */
static int
enter(JitBuilder *b, JitInlined *inlined, PyVMCode *code, const JitRef *args, unsigned more)
{
    const PyJitCode *jit = recorded(code);
    _PyJit_AddScope(b->g, code, b->ip);
    b->code = code;
    b->inlined = inlined;
    b->kinds = jit->kinds;
    b->refused = jit->refused;
    b->operands = jit->operands;
    b->first_temp = code->first_temp;
    b->nregs = code->nregs + 1u + more;
    b->earlier = NULL;
    b->order = NULL;
    b->norder = 0;
    b->pending = NULL;
    b->npending = b->pending_size = 0;
    b->nreleases = 0;
    b->nedge_releases = 0;
    _PyJit_AllocForJoins(b);
    b->slots = _PyJit_Alloc(b->g, (b->nregs + 1) * sizeof(JitSlot));
    if (b->g->failed) {
        return 0;
    }
    for (unsigned r = 0; r < (unsigned)code->ob.co_nlocals; r++) {
        int is_argument = r < (unsigned)(code->ob.co_argcount + code->ob.co_kwonlyargcount);
        b->slots[r] = (JitSlot){.ref = is_argument && args != NULL ? args[r]
                                                                  : _PyJit_Const(b, 0),
                                .dirty = 1};
    }
    return 1;
}

/* ------------------------------------------------------------------ instances */

/* An instance without attributes. NULL, without an exception: the collector is due, or there is
   other room in it than is thought. */
static PyObject *
new_instance(PyTypeObject *type, uint64_t room)
{
    if (_PyGC_young_count >= _PyGC_young_threshold) {
        return NULL;
    }
    PyObject *op = type->tp_flags & Py_TPFLAGS_MANAGED_DICT ? _PyInstance_Alloc(type)
                                                            : PyType_GenericAlloc(type, 0);
    if (op == NULL) {
        PyErr_Clear();
    }
    else if (room != 0 && _PyInstance_Header(op)->room != room) {
        Py_CLEAR(op);
    }
    return op;
}

/* Instances that die without a sound, and whose layout is known. */
static int
is_plain_type(const PyTypeObject *type)
{
    return type->tp_alloc == PyType_GenericAlloc && type->tp_itemsize == 0
           && type->tp_finalize == NULL && type->tp_del == NULL && type->tp_version_tag != 0;
}

/* The first part of a call of a class: who leaves from here on drops the instance. */
static int
make_instance(JitBuilder *b, JitInlined *inlined, PyTypeObject *type, JitRef loaded_type,
              JitLike *like)
{
    const _PySharedKeys *keys = type->tp_flags & Py_TPFLAGS_MANAGED_DICT
                                ? _PyInstance_SharedKeys(type) : NULL;
    inlined->made_room = _PyInstance_KnownRoom(keys);
    JitRef self = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_OBJECT, loaded_type,
                              raw_const(b, inlined->made_room));
    _PyJit_At(b, self)->nargs = 2;
    _PyJit_At(b, self)->aux = (const void *)new_instance;
    guard_answer(b, JIT_NE, self, inlined->snap);
    JitKnownClass known = {.owner = self, .like = like};
    if (like == NULL) {
        known.n = 1;
        known.versions = _PyJit_VersionAlone(b, type->tp_version_tag);
    }
    if (!_PyJit_Know(b, known)) {
        return 0;
    }
    JitSnap before = b->g->snaps[inlined->snap];
    inlined->snap = _PyJit_AddSnap(b->g, before.ip);
    for (uint32_t i = 0; i < before.n; i++) {
        JitSnapEntry entry = b->g->entries[before.first + i];
        _PyJit_AddSnapEntry(b->g, entry.reg, (JitKeep)entry.keep, entry.ref);
    }
    _PyJit_AddSnapEntry(b->g, 0, JIT_KEEP_NOT, self);
    inlined->made = self;
    inlined->depth++;
    return 1;
}

/* ----------------------------------------------------------------------- calls */

static int
is_none(JitBuilder *b, JitRef ref)
{
    JitNode *n = _PyJit_At(b, ref);
    return n->op == JIT_CONST_NODE && n->imm == REG_NONE;
}

/* Is the callee's value the operator's? A value that may be NotImplemented is guarded, if that
   is still possible. */
static int
fits_operator(JitBuilder *b, JitRef value, JitValueUse use)
{
    JitNode *n = _PyJit_At(b, value);
    if (use == JIT_TRUTH) {
        return n->cls == &PyBool_Type;
    }
    if (n->op == JIT_CONST_NODE) {
        return n->imm != (PyReg)Py_NotImplemented;
    }
    if (n->type == JIT_T_INT || n->type == JIT_T_DOUBLE
        || (n->cls != NULL && n->cls != Py_TYPE(Py_NotImplemented))
        || (n->op == JIT_CALL_NODE && n->aux == (const void *)new_instance)) {
        return 1;
    }
    if (b->inlined->effects) {
        return 0;
    }
    guard_compare(b, JIT_NE, value, (uint64_t)Py_NotImplemented);
    return 1;
}

/* What has been built fits: back to the caller. Returns the callee's value. */
static JitSlot
finish(JitBuilder *b, const JitInlined *inlined, const JitSaved *saved, uint32_t blocks_before)
{
    JitSlot result = b->slots[b->code->nregs];
    come_back(b, &inlined->caller);
    _PyJit_EndScope(b->g);
    move_to_call(b, &saved->graph);
    b->inlined_blocks = blocks_before + b->g->nblocks - saved->graph.nblocks;
    return result;
}

static JitRef
build_callee(JitBuilder *b, PyFunctionObject *function, JitRef func, JitRef *args, int *owned,
             JitValueUse use, PyTypeObject *type, JitRef loaded_type, JitLike *like)
{
    JitGraph *g = b->g;
    PyVMCode *code = (PyVMCode *)function->func_code;
    const PyJitCode *jit = recorded(code);
    const JitInlined *outer = b->inlined;
    uint32_t blocks = code->ninstr * 4 + 2, blocks_before = b->inlined_blocks;
    if (jit == NULL || !is_small(code) || is_running(b, code) || b->nreleases != 0
        || jit->counts[_PyJit_EntryOf(code)] == 0 || (outer != NULL && outer->depth >= MOST_DEPTH)
        || g->nnodes > MOST_NODES || b->inlined_blocks + blocks > JIT_INLINED_BLOCKS) {
        return 0;
    }
    JitInlined inlined = {.caller = *b, .function = function, .func = func,
                          .snap = _PyJit_SnapBefore(b), .depth = outer == NULL ? 1
                                                                 : outer->depth + 1,
                          .effects = outer != NULL && outer->effects,
                          .redone = outer != NULL && outer->redone,
                          .base = outer != NULL ? outer->base : 0};
    inlined.depth += use == JIT_OF_COMPARISON || use == JIT_TRUTH;      /* it counts twice */
    inlined.caller.snap = b->snap;
    JitSaved saved;
    if (!_PyJit_Save(b, &saved)) {
        return 0;
    }
    int made = type == NULL || make_instance(b, &inlined, type, loaded_type, like);
    if (made && type != NULL) {
        args[0] = inlined.made;
    }
    if (!made || !enter(b, &inlined, code, args, 0) || !build_blocks(b, jit->counts)
        || (type != NULL && !is_none(b, b->slots[code->nregs].ref))
        || (use != JIT_OF_CALL && !fits_operator(b, b->slots[code->nregs].ref, use))) {
        _PyJit_Forget(b, &saved);
        return 0;
    }
    JitSlot result = finish(b, &inlined, &saved, blocks_before);
    if (type != NULL) {
        return inlined.made;
    }
    *owned = result.owned;
    return result.ref;
}

JitRef
_PyJit_Inline(JitBuilder *b, PyFunctionObject *function, JitRef func, JitRef *args, int *owned,
              JitValueUse use)
{
    return build_callee(b, function, func, args, owned, use, NULL, 0, NULL);
}

JitRef
_PyJit_InlineInit(JitBuilder *b, PyFunctionObject *init, JitRef func, JitRef *args,
                  PyTypeObject *type, JitRef loaded_type, JitLike *like)
{
    int owned;
    return is_plain_type(type) ? build_callee(b, init, func, args, &owned, JIT_OF_CALL,
                                              type, loaded_type, like) : 0;
}

/* ---------------------------------------------------------------- comprehensions */

static int
has_seen_loop(const PyVMCode *code, const uint16_t *counts)
{
    uint32_t ip = 0;
    while (ip < code->ninstr && _PyOpcode_Info[code->code[ip].op].base != OP_FOR_ITER) {
        ip += 1u + _PyOpcode_Info[code->code[ip].op].cache;
    }
    return ip < code->ninstr && counts[ip] > 0;
}

JitRef
_PyJit_InlineComprehension(JitBuilder *b, PyVMCode *code, JitRef maker, const JitRef *over,
                           struct JitConsumer *consumer, int *owned)
{
    JitGraph *g = b->g;
    const PyJitCode *jit = recorded(code);
    uint32_t blocks = code->ninstr * 4 + 2, blocks_before = b->inlined_blocks;
    if (jit == NULL || b->nreleases != 0 || !has_seen_loop(code, jit->counts)
        || g->nnodes > MOST_NODES || b->inlined_blocks + blocks > JIT_INLINED_BLOCKS) {
        return 0;
    }
    JitInlined inlined = {.caller = *b, .function = running_function(b),
                          .func = frame_function(b), .snap = _PyJit_SnapBefore(b), .depth = 1,
                          .redone = 1, .maker = maker, .consumer = consumer,
                          .cells = maker == 0 ? b->held->cells : NULL};
    inlined.base = inlined.snap;
    inlined.caller.snap = b->snap;
    JitSaved saved;
    if (!_PyJit_Save(b, &saved)) {
        return 0;
    }
    int entered = enter(b, &inlined, code, NULL, _PyJit_RegistersMore(code));
    if (entered) {
        _PyJit_BeginRedone(b, over);
    }
    if (!entered || !build_blocks(b, jit->counts)) {
        _PyJit_Forget(b, &saved);
        return 0;
    }
    JitSlot result = finish(b, &inlined, &saved, blocks_before);
    *owned = result.owned;
    return result.ref;
}
