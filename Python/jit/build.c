/* Bytecode to graph: what each instruction does, given what is known of its operands.

   An instruction that has no code of its own here, or whose operands are not of the kinds that
   its code is for, becomes a STEP: a call of its handler. So there is nothing in Python that
   can't be compiled. Where a block that was never seen would begin (is_cold), there is a LEAVE.

   Here are variables, loops over ranges, returns, and which file builds what (build_parts.h). */
#include "build_ops.h"
#include "internal/range.h"
#include "internal/dict.h"
#include "internal/gc.h"

/* ------------------------------------------------------------------ variables */

PyReg
_PyJit_ConstantOf(JitBuilder *b, const PyInstr *in)
{
    if (in->op == OP_LOAD_CONST__INT) {
        return REG_FROM_INT((int64_t)in->bc);
    }
    if (in->op == OP_LOAD_CONST__NONE || in->op == OP_LOAD_CONST__RETURN_NONE) {
        return REG_NONE;
    }
    PyObject *value = PyTuple_GET_ITEM(b->code->ob.co_consts, (uint32_t)in->bc);
    int32_t number;
    return _PyCode_ImmediateInt(value, &number) ? REG_FROM_INT((int64_t)number) : (PyReg)value;
}

static void
build_load_const(JitBuilder *b, const PyInstr *in)
{
    _PyJit_WriteValue(b, in->a, _PyJit_Const(b, _PyJit_ConstantOf(b, in)), 0);
}

static void
build_move(JitBuilder *b, const PyInstr *in)
{
    if (in->b >= b->first_temp) {
        int owned;
        JitRef ref = _PyJit_Take(b, in->b, &owned);
        _PyJit_Write(b, in->a, ref, owned);
    }
    else {
        JitRef ref = _PyJit_Use(b, in->b);
        _PyJit_Write(b, in->a, ref, 0);
    }
    _PyJit_FinishInstr(b, b->next);
}

static void
build_copy(JitBuilder *b, const PyInstr *in)
{
    JitRef ref = _PyJit_Use(b, in->b);
    int counts = _PyJit_MayCount(b, ref);
    if (counts) {
        incref(b, ref);
    }
    _PyJit_WriteValue(b, in->a, ref, counts);
}

static void
build_check_bound(JitBuilder *b, const PyInstr *in)
{
    JitRef ref = _PyJit_Use(b, in->a);
    JitNode *n = _PyJit_At(b, ref);
    if (n->op == JIT_CONST_NODE && n->imm == 0) {
        step(b);                /* raises */
        return;
    }
    if (n->op == JIT_LOAD_REG_NODE || n->op == JIT_PHI_NODE) {
        guard_compare(b, JIT_NE, ref, 0);
    }
    _PyJit_FinishInstr(b, b->next);
}

static JitRef
func_field(JitBuilder *b, size_t offset)
{
    return load(b, JIT_T_RAW, JIT_64, frame_function(b), offset);
}

static int
is_of_builtins(const PyInstr *in)
{
    return in->op == OP_LOAD_GLOBAL__BUILTIN || in->op == OP_LOAD_NAME__BUILTIN;
}

static int
is_of_module(const PyInstr *in)
{
    return in->op == OP_LOAD_GLOBAL__MODULE || in->op == OP_LOAD_NAME__MODULE
           || in->op == OP_STORE_GLOBAL__MODULE || in->op == OP_STORE_NAME__MODULE;
}

/* What a global is now, and how far behind the dict's table; NULL: it is not cached. */
PyObject *
_PyJit_GlobalNow(JitBuilder *b, uint32_t ip, size_t *at)
{
    const PyInstr *in = &b->code->code[ip];
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    int is_builtin = is_of_builtins(in);
    if (!is_builtin && !is_of_module(in)) {
        return NULL;
    }
    PyFunctionObject *func = running_function(b);
    struct _dictkeysobject *table = ((PyDictObject *)(is_builtin ? func->func_builtins
                                                                 : func->func_globals))->ma_keys;
    if (table->version != (is_builtin ? cache[1].version2 : cache[1].version)) {
        return NULL;
    }
    PyObject **place = &_PyDictKeys_UnicodeEntries(table)[cache[2].word].value;
    *at = (size_t)((char *)place - (char *)table);
    return *place;
}

/* The dict of globals, which must be that of local variables, too, for names of a module's body. */
static JitRef
globals_of(JitBuilder *b, const PyInstr *in)
{
    JitRef dict = func_field(b, offsetof(PyFunctionObject, func_globals));
    int base = _PyOpcode_Info[in->op].base;
    if (base == OP_LOAD_NAME || base == OP_STORE_NAME) {
        guard_words(b, JIT_EQ, pure(b, JIT_LOCALS_NODE, JIT_T_RAW, 0), dict);
    }
    return dict;
}

/* The table of a dict, if its keys still have this version. */
static JitRef
table_of(JitBuilder *b, JitRef dict, uint32_t version)
{
    JitRef keys = load(b, JIT_T_RAW, JIT_64, dict, offsetof(PyDictObject, ma_keys));
    guard_mem(b, JIT_32, keys, offsetof(struct _dictkeysobject, version), version);
    return keys;
}

/* A global or a builtin, by the versions of the dicts' keys. A version belongs to one table, so
   the entry's place is a constant. */
JitRef
_PyJit_Global(JitBuilder *b, uint32_t ip)
{
    const PyInstr *in = &b->code->code[ip];
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    size_t at = 0;
    PyObject *now = _PyJit_GlobalNow(b, ip, &at);
    if (now == NULL) {
        return 0;
    }
    JitRef keys = table_of(b, globals_of(b, in), cache[1].version);
    if (is_of_builtins(in)) {
        JitRef dict = func_field(b, offsetof(PyFunctionObject, func_builtins));
        guard_mem(b, JIT_64, dict, offsetof(PyObject, ob_type), (uint64_t)&PyDict_Type);
        keys = table_of(b, dict, cache[1].version2);
    }
    JitRef value = load(b, JIT_T_OBJECT, JIT_64, keys, at);
    _PyJit_At(b, value)->aux = now;
    return value;
}

static void
build_load_global(JitBuilder *b, const PyInstr *in)
{
    JitRef value = b->refused[b->ip] ? 0 : _PyJit_Global(b, b->ip);
    if (value == 0) {
        step(b);
        return;
    }
    _PyJit_WriteValue(b, in->a, value, 0);
}

/* Another value for a global that is there. */
static void
build_store_global(JitBuilder *b, const PyInstr *in)
{
    size_t at = 0;
    if (b->refused[b->ip] || _PyJit_GlobalNow(b, b->ip, &at) == NULL) {
        step(b);
        return;
    }
    JitRef value = _PyJit_Use(b, in->a);
    JitRef dict = globals_of(b, in);
    JitRef keys = table_of(b, dict, ((const PyCacheWord *)(in + 1))[1].version);
    if (kind_of_value(b, value, JIT_SEEN_OTHER) == JIT_SEEN_OTHER) {
        /* The collector knows the dict, whatever is stored. */
        JitRef tracked = load(b, JIT_T_RAW, JIT_64, dict, (size_t)-(int)sizeof(PyGC_Head));
        guard_compare(b, JIT_NE, tracked, 0);
    }
    JitRef old = load(b, JIT_T_OBJECT, JIT_64, keys, at);
    _PyJit_GuardQuiet(b, old);
    _PyJit_OwnBorrowed(b, 0, class_of(b, old));
    value = _PyJit_TakeObject(b, in->a, value, old);
    store(b, JIT_64, keys, at, value);
    JitRef counter = raw_const(b, (uint64_t)&_PyDict_version_counter);
    JitRef count = load(b, JIT_T_RAW, JIT_64, counter, 0);
    JitRef tag = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, count, 0);
    _PyJit_At(b, tag)->imm = 1;
    store(b, JIT_64, counter, 0, tag);
    store(b, JIT_64, dict, offsetof(PyDictObject, ma_version_tag), tag);
    _PyJit_GiveUp(b, old, 1);
    _PyJit_FinishInstr(b, b->next);
}

/* ---------------------------------------------------------------------- loops */

static void
build_for_range(JitBuilder *b, const PyInstr *in)
{
    JitRef it = to_class(b, _PyJit_Use(b, in->a), &PyRangeIter_Type);
    if (it == 0) {
        step_branch(b);
        return;
    }
    JitRef left = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyRangeIterObject, left));
    uint32_t rare;
    branch_within(b, JIT_LE, left, raw_const(b, 0), &rare);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return;
    }
    JitRef value = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyRangeIterObject, next));
    JitRef tag = guarded(b, JIT_TAG_NODE, JIT_T_INT, value, 0);
    JitRef by = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyRangeIterObject, step));
    JitRef next = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, value, by);
    store(b, JIT_64, it, offsetof(_PyRangeIterObject, next), next);
    JitRef fewer = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, left, 0);
    _PyJit_At(b, fewer)->imm = (uint64_t)-1;
    store(b, JIT_64, it, offsetof(_PyRangeIterObject, left), fewer);
    JitRef count = _PyJit_Node(b, JIT_ADD_MEM_NODE, JIT_T_NONE, it, 0);
    _PyJit_At(b, count)->imm = offsetof(_PyRangeIterObject, done);
    _PyJit_At(b, count)->width = JIT_64;
    _PyJit_At(b, count)->cond = 1;
    _PyJit_WriteValue(b, in->b, tag, 0);
    jump_to(b, not_taken(b));
    build_loop_end(b, in, rare, at_end);
}

/* -------------------------------------------------------------------- returns */

/* Generators end in a way of their own, and module and class bodies have a mapping to drop. */
static int
returns_plainly(JitBuilder *b)
{
    return !b->code->is_generator && (b->code->ob.co_flags & CO_OPTIMIZED);
}

/* Is the frame popped by C? A generator's always is, and those of functions that catch exceptions:
   tracebacks hold them. */
static inline int
returns_by_c(JitBuilder *b, uint32_t ip)
{
    return b->code->is_generator
           || ((b->code->ob.co_flags & CO_OPTIMIZED)
               && (b->refused[ip] || (JIT_LEFT(b->kinds[ip]) & JIT_SEEN_FRAME)));
}

/* If somebody holds the frame, its variables outlive it: the interpreter moves them. It executes
   the RETURN at `ip`. */
static void
guard_unseen(JitBuilder *b, uint32_t ip)
{
    uint32_t snap = _PyJit_SnapNow(b, ip);
    JitRef guard = _PyJit_Node(b, JIT_GUARD_UNSEEN_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, guard)->snap = snap;
}

static void
build_return(JitBuilder *b, JitRef value, int owned, unsigned reg)
{
    if (type_of(b, value) == JIT_T_DOUBLE) {
        value = box(b, value, 0);
        owned = 1;
    }
    /* The variable that is returned gives its reference away. */
    JitSlot *slot = &b->slots[reg];
    int gives = reg < b->first_temp && !slot->dirty && slot->memptr && slot->ref == value
                && type_of(b, value) != JIT_T_INT;
    if (!owned && !gives) {
        incref_counted(b, value);
    }
    for (unsigned r = 0; r < b->first_temp; r++) {
        slot = &b->slots[r];
        if (!slot->memptr) {
            continue;
        }
        JitRef old = slot->ref != 0 && _PyJit_At(b, slot->ref)->type == JIT_T_OBJECT
            ? slot->ref : 0;
        if (old == 0 && !(gives && r == reg)) {
            old = load_word(b, JIT_T_WORD, r);
        }
        store_word(b, r, _PyJit_Const(b, 0));
        if (!(gives && r == reg)) {
            JitRef release = _PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, old, 0);
            _PyJit_At(b, release)->cond = JIT_RELEASE_LEAVING;
        }
    }
    (void)_PyJit_Node(b, JIT_RETURN_NODE, JIT_T_NONE, value, 0);
    _PyJit_CloseBlock(b, 0, 0);
}

/* RETURN */
static void
build_return_register(JitBuilder *b, unsigned reg)
{
    if (returns_by_c(b, b->ip)) {
        _PyJit_BuildReturnByC(b, reg);
        return;
    }
    if (!returns_plainly(b)) {
        step_end(b);
        return;
    }
    int owned;
    guard_unseen(b, b->ip);
    JitRef value = _PyJit_Take(b, reg, &owned);
    build_return(b, value, owned, reg);
}

/* The RETURN behind a LOAD_CONST of None, which the register has already. */
static void
build_return_none(JitBuilder *b, unsigned reg)
{
    int owned, by_c = returns_by_c(b, b->ip) || returns_by_c(b, b->ip + 1);
    if (!by_c && returns_plainly(b)) {
        guard_unseen(b, b->ip + 1);
    }
    JitRef value = _PyJit_Take(b, reg, &owned);
    if (!by_c && returns_plainly(b)) {
        build_return(b, value, owned, reg);
        return;
    }
    _PyJit_Write(b, reg, value, owned);
    b->ip++;
    if (by_c) {
        _PyJit_BuildReturnByC(b, reg);
    }
    else {
        step_end(b);
    }
}

/* ---------------------------------------------------------------------- calls */

static void
build_call(JitBuilder *b, const PyInstr *in)
{
    if (b->refused[b->ip] & JIT_REFUSED_AGAIN
        || ((b->refused[b->ip] || !_PyJit_BuildSuperMethod(b, in))
            && (b->refused[b->ip] || !_PyJit_CallObject(b, in->a, in->b, in->c))
            && !_PyJit_BuildCall(b, in))) {
        step(b);
    }
}

/* --------------------------------------------------------------- instructions */

int
_PyJit_BuildInstruction(JitBuilder *b)
{
    const PyInstr *in = instr(b);
    int op = in->op, base = _PyOpcode_Info[op].base;
    if (base >= OP_ADD && base <= OP_JUMP_IF_NOT_GEI) {         /* and a few others */
        int known = _PyJit_BuildArith(b, in);
        if (known >= 0) {
            return known;
        }
    }
    switch (base) {
    case OP_NOP:
        return 1;
    case OP_RESUME:
        if (in->a < 2) {
            (void)guarded(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
        }
        return 1;
    case OP_LOAD_CONST:
        build_load_const(b, in);
        if (op == OP_LOAD_CONST__RETURN_NONE) {
            build_return_none(b, in->a);
            return 0;
        }
        return 1;
    case OP_MOVE:
        build_move(b, in);      /* also OP_MOVE__BOXED, which saves boxing a second time */
        return 1;
    case OP_KEYWORDS:           /* of a dict, which is handed on */
        if (b->refused[b->ip] || to_class(b, _PyJit_Use(b, in->b), &PyDict_Type) == 0) {
            step(b);
            return 1;
        }
        build_move(b, in);
        return 1;
    case OP_COPY:
        build_copy(b, in);
        return 1;
    case OP_DROP:
        _PyJit_Done(b, in->a);
        _PyJit_FinishInstr(b, b->next);
        return 1;
    case OP_CHECK_BOUND:
        build_check_bound(b, in);
        return 1;
    case OP_LOAD_GLOBAL: case OP_LOAD_NAME:
        build_load_global(b, in);
        return 1;
    case OP_STORE_GLOBAL: case OP_STORE_NAME:
        build_store_global(b, in);
        return 1;
    case OP_JUMP:
        jump_to(b, taken(b));
        return 0;
    case OP_JUMP_BACK:
        (void)guarded(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
        jump_to(b, taken(b));
        return 0;
    case OP_FOR_ITER:
        if (op == OP_FOR_ITER__RANGE && !b->refused[b->ip]) {
            build_for_range(b, in);
        }
        else if (b->refused[b->ip]
                 || (!_PyJit_BuildForItems(b, in) && !_PyJit_BuildForIter(b, in))) {
            step_branch(b);
        }
        return 0;
    case OP_CALL:
        build_call(b, in);
        return 1;
    case OP_LOAD_SUBSCR: case OP_LOAD_SUBSCRI: case OP_STORE_SUBSCR: case OP_UNPACK_SEQUENCE:
    case OP_UNPACK_LOCALS:
        if ((b->refused[b->ip] || !_PyJit_BuildItem(b, in)) && !_PyJit_BuildAnyItem(b, in)) {
            step(b);
        }
        return 1;
    case OP_GET_ITER:
        if (b->refused[b->ip] || (!_PyJit_BuildComprehension(b, in)
                                  && !_PyJit_BuildGetIter(b, in))) {
            step(b);
        }
        return 1;
    case OP_BUILD_TUPLE: case OP_BUILD_LIST:
        if (base == OP_BUILD_TUPLE) {
            int built = _PyJit_BuildTupleKey(b, in);
            if (built != 0 || _PyJit_BuildUnmade(b, in)) {
                return built >= 0;
            }
        }
        if (!_PyJit_BuildDisplay(b, in)) {
            step(b);
        }
        return 1;
    case OP_IN: case OP_NOT_IN:
        if ((b->refused[b->ip] || (!_PyJit_CallContains(b, in) && !_PyJit_BuildIn(b, in)))
            && !_PyJit_AskContains(b, in)) {
            step(b);
        }
        return 1;
    case OP_JUMP_IF_IN: case OP_JUMP_IF_NOT_IN:
        if ((b->refused[b->ip] || (!_PyJit_CallContains(b, in) && !_PyJit_BuildIn(b, in)))
            && !_PyJit_AskContains(b, in)) {
            step_branch(b);
        }
        return 0;
    case OP_LOAD_ATTR: case OP_STORE_ATTR: case OP_LOAD_METHOD:
        if (!_PyJit_BuildAttr(b, in)) {
            step(b);
        }
        return 1;
    case OP_CALL_EX:
        if (!_PyJit_BuildCallEx(b, in)) {
            step(b);
        }
        return 1;
    case OP_CALL_KW:
        if (!_PyJit_BuildCall(b, in)) {
            step(b);
        }
        return 1;
    case OP_CALL_METHOD: case OP_CALL_METHOD_KW:
        if (!_PyJit_BuildCallMethod(b, in)) {
            step(b);
        }
        return 1;
    case OP_NOT:
        if ((b->refused[b->ip] || !_PyJit_BuildScope(b, in)) && !_PyJit_AskTruth(b, in)) {
            step(b);
        }
        return 1;
    case OP_LOAD_DEREF: case OP_LOAD_FREE: case OP_IS: case OP_IS_NOT:
        if (b->refused[b->ip] || !_PyJit_BuildScope(b, in)) {
            step(b);
        }
        return 1;
    case OP_JUMP_IF_IS: case OP_JUMP_IF_IS_NOT:
        if (b->refused[b->ip] || !_PyJit_BuildIsJump(b, in)) {
            step_branch(b);
        }
        return 0;
    case OP_RETURN:
        build_return_register(b, in->a);
        return 0;
    case OP_YIELD_VALUE: case OP_YIELD_FROM_VALUE:
        _PyJit_BuildYield(b, in);
        return 0;
    case OP_GET_AWAITABLE:
        if (b->refused[b->ip] || !_PyJit_BuildAwaitable(b, in)) {
            step(b);
        }
        return 1;
    case OP_GET_YIELD_FROM_ITER:
        if (b->refused[b->ip] || !_PyJit_BuildYieldFrom(b, in)) {
            step(b);
        }
        return 1;
    case OP_GET_ANEXT:
        return _PyJit_BuildAnext(b, in);
    case OP_ASYNC_GEN_WRAP:
        _PyJit_BuildWrap(b, in);
        return 1;
    case OP_SEND:
        if (b->refused[b->ip] || !_PyJit_BuildSend(b, in)) {
            step_branch(b);
        }
        return 0;
    case OP_LIST_APPEND: case OP_SET_ADD: case OP_MAP_ADD:
        if (b->refused[b->ip] || !_PyJit_BuildAdd(b, in)) {
            step(b);
        }
        return 1;
    case OP_RAISE: case OP_RERAISE: case OP_RETURN_GENERATOR:
        step_end(b);
        return 0;
    case OP_JUMP_IF_NO_EXC_MATCH:
        if (!_PyJit_BuildMatchJump(b, in)) {
            step_branch(b);
        }
        return 0;
    default:
        if (_PyJit_JumpTarget(b->code, b->ip) != 0) {
            step_branch(b);
            return 0;
        }
        if (!(base == OP_MAKE_FUNCTION && _PyJit_BuildUnmade(b, in))
            && !_PyJit_BuildValue(b, in)) {
            step(b);
        }
        return 1;
    }
}

static void
build_source(JitBuilder *b, uint32_t number)
{
    JitSource *source = &b->sources[number];
    b->source = number;
    if (source->start == _PyJit_EntryOf(b->code)) {
        /* Calls from machine code come here without a RESUME. */
        b->ip = source->start;
        (void)guarded(b, JIT_PENDING_NODE, JIT_T_NONE, 0, 0);
    }
    if (source->is_cold) {
        b->ip = source->start;
        JitRef ref = _PyJit_Node(b, JIT_LEAVE_NODE, JIT_T_NONE, 0, 0);
        _PyJit_At(b, ref)->snap = _PyJit_SnapBefore(b);
        _PyJit_CloseBlock(b, 0, 0);
        return;
    }
    for (uint32_t ip = source->start; ip < source->end && !b->g->failed; ip = b->next) {
        b->ip = ip;
        b->next = ip + 1 + _PyOpcode_Info[b->code->code[ip].op].cache;
        b->snap = 0;
        if (!_PyJit_BuildInstruction(b)) {
            return;
        }
    }
    jump_to(b, b->source_at[source->end]);
}

/* Everything that a second beginning must find empty. */
static JitGraph *
try_build(PyVMCode *code, PyFunctionObject *func, const uint8_t *kinds, const uint8_t *refused,
          const uint8_t *outside, JitBuilder *b, JitSource *earlier)
{
    JitGraph *g = _PyJit_NewGraph(code, func);
    if (g == NULL) {
        return NULL;
    }
    g->kinds = kinds;
    g->has_records = _PyJit_ShowsScopes && _PyThreadState_GET()->interp->shown_hook != NULL;
    const PyJitCode *jit = code->jit;
    int is_whole = earlier != NULL ? b->is_whole : 0;
    *b = (JitBuilder){.g = g, .code = code, .kinds = kinds, .refused = refused,
                      .nregs = code->nregs, .first_temp = code->first_temp,
                      .earlier = earlier, .is_whole = is_whole,
                      .operands = jit->operands,
                      .counts = jit->versions == 0 && _PyJit_Enabled == JIT_ON ? jit->counts
                                                                               : NULL};
    _PyJit_AllocBlocks(g, code->ninstr * 4 + 16 + JIT_INLINED_BLOCKS);
    _PyJit_AllocForJoins(b);
    if (g->failed || _PyJit_FindBlocks(b, outside) < 0) {
        _PyJit_FreeGraph(g);
        return NULL;
    }
    for (uint32_t i = 1; earlier != NULL && i < b->nsources; i++) {
        if (earlier[i].widen != NULL && b->sources[i].widen != NULL) {
            memcpy(b->sources[i].widen, earlier[i].widen, b->nregs * sizeof(JitSlot));
        }
    }
    for (uint32_t i = 0; i < b->norder && !g->failed && !b->restart; i++) {
        if (_PyJit_BeginSource(b, b->order[i])) {
            build_source(b, b->order[i]);
        }
    }
    if (!b->restart && !g->failed) {
        (void)_PyJit_CloseLoops(b);
    }
    return g;
}

/* Where the function is entered, there is to be room for all frames that it calls. */
static void
settle_room(JitGraph *g)
{
    int highest = -1;
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        JitNode *n = &g->nodes[ref];
        if (n->op == JIT_CALL_FUNCTION_NODE && n->reg > highest) {
            highest = n->reg;
        }
    }
    for (JitRef ref = 1; ref < g->nnodes; ref++) {
        JitNode *n = &g->nodes[ref];
        if (n->op == JIT_GUARD_ROOM_NODE) {
            n->reg = (uint16_t)(highest < 0 ? 0 : highest);
            n->op = highest < 0 ? JIT_NONE_NODE : n->op;
            n->snap = highest < 0 ? 0 : n->snap;
        }
    }
}

/* How often a loop's registers may be widened before it is given up. */
#define MOST_RESTARTS 30

/* What a try has found out about loops, for the next one, whose graph takes the memory of this
   one's. There may be more sources than now: twice as many at most. NULL: no memory. */
static JitSource *
lessons_of(const JitBuilder *b)
{
    size_t nheaders = 0, widen = b->nregs * sizeof(JitSlot);
    for (uint32_t i = 1; i < b->nsources; i++) {
        nheaders += b->sources[i].widen != NULL;
    }
    size_t sources = 2 * b->nsources * sizeof(JitSource);
    JitSource *lessons = PyMem_RawCalloc(1, sources + nheaders * widen);
    char *at = (char *)lessons + sources;
    for (uint32_t i = 1; lessons != NULL && i < b->nsources; i++) {
        lessons[i].want_first = b->sources[i].want_first;
        if (b->sources[i].widen != NULL) {
            lessons[i].widen = memcpy(at, b->sources[i].widen, widen);
            at += widen;
        }
    }
    return lessons;
}

JitGraph *
_PyJit_Build(PyVMCode *code, PyFunctionObject *func, const uint8_t *kinds,
             const uint8_t *refused, const uint8_t *outside)
{
    JitBuilder b;
    JitSource *earlier = NULL;
    for (int tries = 0; tries < MOST_RESTARTS; tries++) {
        JitGraph *g = try_build(code, func, kinds, refused, outside, &b, earlier);
        PyMem_RawFree(earlier);
        earlier = NULL;
        if (g == NULL) {
            break;
        }
        if (!g->failed && !b.restart) {
            settle_room(g);
            return g;
        }
        earlier = g->failed ? NULL : lessons_of(&b);
        _PyJit_FreeGraph(g);
        if (earlier == NULL) {
            break;
        }
    }
    PyMem_RawFree(earlier);
    return NULL;
}
