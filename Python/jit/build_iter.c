/* Loops over iterators that are not lists, tuples and ranges; generators; what comprehensions
   make. */
#include "build_ops.h"
#include "displays.h"
#include "internal/enumerate.h"
#include "internal/index_iter.h"
#include "internal/unicode.h"

/* A call that may run other code: cond says how it tells of an exception. */
static JitRef
call_opaque(JitBuilder *b, JitType type, const void *function, int with_frame, int cond, JitRef x,
            JitRef y)
{
    JitRef ref = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, type, x, y);
    JitNode *n = _PyJit_At(b, ref);
    n->nargs = (uint16_t)((x != 0) + (y != 0));
    n->aux = function;
    n->reg = (uint16_t)with_frame;
    n->cond = (uint8_t)cond;
    n->imm = b->ip;
    return ref;
}

/* ----------------------------------------------------------------------- loops */

/* The loop is over, or an exception is set: drops the iterator. Takes the copy of the state
   there. */
static void
build_end(JitBuilder *b, const PyInstr *in, uint32_t edge, JitSlot *slots, int is_generator)
{
    b->slots = slots;
    _PyJit_BeginBlock(b, edge);
    if (!is_generator) {
        (void)call_opaque(b, JIT_T_RAW, (const void *)_PyVM_LoopEnds, 1, JIT_RAISES_NULL, 0, 0);
    }
    uint32_t target = _PyJit_JumpTarget(b->code, b->ip);
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, target);
    _PyJit_CheckOk(b, target);
    jump_to(b, taken(b));
}

uint32_t
_PyJit_BehindPair(PyVMCode *code, uint32_t ip)
{
    const PyInstr *in = &code->code[ip];
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    if (in->op != OP_FOR_ITER__C || cache[1].ptr != (void *)PyEnum_Type.tp_iternext) {
        return 0;
    }
    uint32_t next = ip + 1 + _PyOpcode_Info[in->op].cache;
    const PyInstr *unpack = &code->code[next];
    int base = _PyOpcode_Info[unpack->op].base;
    return (base == OP_UNPACK_SEQUENCE || base == OP_UNPACK_LOCALS) && unpack->c == 2
           && unpack->b == in->b && in->b >= code->first_temp
           ? next + 1 + _PyOpcode_Info[unpack->op].cache : 0;
}

/* for i, x in enumerate(…): no pair is made. */
static void
build_for_enumerate(JitBuilder *b, const PyInstr *in, JitRef it, uint32_t behind)
{
    const PyInstr *unpack = &b->code->code[b->next];
    JitRef index = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyEnumerate, index));
    JitRef tag = guarded(b, JIT_TAG_NODE, JIT_T_INT, index, 0);
    _PyJit_Sync(b);
    JitRef item = call_opaque(b, JIT_T_OBJECT, (const void *)_PyEnumerate_NextItem, 0,
                              JIT_RAISES_NOT, it, 0);
    uint32_t rare;
    branch_within(b, JIT_EQ, item, raw_const(b, 0), &rare);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return;
    }
    uint32_t ip = b->ip;
    b->ip = b->next;
    _PyJit_Write(b, unpack->a, tag, 0);
    _PyJit_Write(b, unpack->a + 1u, item, 1);
    _PyJit_FinishInstr(b, behind);
    _PyJit_CheckOk(b, behind);
    jump_to(b, b->source_at[behind]);
    b->ip = ip;
    build_end(b, in, rare, at_end, 0);
}

/* The loop goes on with an item, which is owned, unless it is the word `end`. */
static void
build_round(JitBuilder *b, const PyInstr *in, JitRef item, uint64_t end, int is_generator)
{
    uint32_t rare;
    branch_within(b, JIT_EQ, item, raw_const(b, end), &rare);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return;
    }
    _PyJit_WriteValue(b, in->b, item, 1);
    _PyJit_CheckOk(b, b->next);
    jump_to(b, not_taken(b));
    build_end(b, in, rare, at_end, is_generator);
}

int
_PyJit_BuildForIter(JitBuilder *b, const PyInstr *in)
{
    int is_generator = in->op == OP_FOR_ITER__GENERATOR;
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    JitRef next = in->op == OP_FOR_ITER ? _PyJit_CallNext(b, in) : 0;
    if (next != 0) {
        build_round(b, in, next, JIT_LOOP_ENDS, 1);
        return 1;
    }
    if (!is_generator && (in->op != OP_FOR_ITER__C || cache[1].ptr == NULL)) {
        return 0;
    }
    JitRef it;
    if (is_generator) {
        it = to_class(b, _PyJit_Use(b, in->a), &PyGen_Type);
    }
    else {
        it = to_object(b, _PyJit_Use(b, in->a));
    }
    if (it == 0) {
        return 0;
    }
    if (!is_generator) {
        JitRef type = load(b, JIT_T_RAW, JIT_64, it, offsetof(PyObject, ob_type));
        guard_mem(b, JIT_64, type, offsetof(PyTypeObject, tp_iternext), (uint64_t)cache[1].ptr);
        uint32_t behind = _PyJit_BehindPair(b->code, b->ip);
        if (behind != 0 && b->source_at[behind] != 0 && !b->refused[b->next]) {
            build_for_enumerate(b, in, it, behind);
            return 1;
        }
    }
    _PyJit_Sync(b);
    JitRef item = is_generator
        ? call_opaque(b, JIT_T_WORD, (const void *)_PyVM_NextForLoop, 1, JIT_RAISES_NULL, it, 0)
        : call_opaque(b, JIT_T_OBJECT, cache[1].ptr, 0, JIT_RAISES_NOT, it, 0);
    build_round(b, in, item, is_generator ? JIT_LOOP_ENDS : 0, is_generator);
    return 1;
}

/* ------------------------------------------------------------------ generators */

/* Takes the value that the frame gives away, with a reference; all else is in memory then. */
static JitRef
take_out(JitBuilder *b, unsigned reg)
{
    JitRef value = _PyJit_Use(b, reg);
    int owned = 0;
    if (type_of(b, value) == JIT_T_DOUBLE) {
        _PyJit_Sync(b);
        value = load_word(b, JIT_T_WORD, reg);
        if (reg >= b->first_temp) {
            store_word(b, reg, _PyJit_Const(b, 0));
            b->slots[reg] = (JitSlot){0};
            owned = 1;
        }
    }
    else {
        value = _PyJit_Take(b, reg, &owned);
    }
    if (!owned) {
        incref_counted(b, value);
    }
    _PyJit_Sync(b);
    for (int i = 0; i < b->nreleases; i++) {
        /* An int's object: nothing looks. */
        (void)_PyJit_Node(b, JIT_RELEASE_NODE, JIT_T_NONE, b->releases[i], 0);
    }
    b->nreleases = 0;
    return value;
}

void
_PyJit_BuildYield(JitBuilder *b, const PyInstr *in)
{
    JitRef value = take_out(b, in->a);
    JitRef yield = _PyJit_Node(b, JIT_YIELD_NODE, JIT_T_NONE, value, 0);
    _PyJit_At(b, yield)->imm = b->ip;
    /* Is what is sent all that is to be written when it goes on? */
    _PyJit_At(b, yield)->cond = in->op == OP_YIELD_VALUE && in->c >= b->first_temp;
    _PyJit_CloseBlock(b, 0, 0);
}

void
_PyJit_BuildReturnByC(JitBuilder *b, unsigned reg)
{
    JitRef value = take_out(b, reg);
    JitRef ip = _PyJit_Node(b, JIT_SAVE_IP_NODE, JIT_T_NONE, 0, 0);
    _PyJit_At(b, ip)->imm = b->ip;
    JitRef end = _PyJit_Node(b, JIT_RETURN_NODE, JIT_T_NONE, value, 0);
    _PyJit_At(b, end)->cond = 1;
    _PyJit_CloseBlock(b, 0, 0);
}

int
_PyJit_BuildGeneratorCall(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest)
{
    if (to_class(b, _PyJit_Use(b, window), &PyFunction_Type) == 0) {
        return 0;
    }
    _PyJit_Sync(b);
    JitRef gen = call_opaque(b, JIT_T_OBJECT, (const void *)_PyVM_MakeGenerator, 1,
                             JIT_RAISES_NULL, raw_const(b, window), raw_const(b, nargs));
    guard_compare(b, JIT_NE, gen, JIT_NOT_DONE);
    for (unsigned r = window; r < b->nregs; r++) {
        b->slots[r] = (JitSlot){0};
    }
    _PyJit_WriteValue(b, dest, gen, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* The operand is the value, too. */
static int
hand_on(JitBuilder *b, const PyInstr *in, JitRef ref)
{
    int owned;
    (void)_PyJit_Take(b, in->b, &owned);
    _PyJit_WriteValue(b, in->a, ref, owned);
    return 1;
}

int
_PyJit_BuildYieldFrom(JitBuilder *b, const PyInstr *in)
{
    JitRef gen = JIT_LEFT(b->kinds[b->ip]) != JIT_SEEN_GENERATOR ? 0
        : to_class(b, _PyJit_Use(b, in->b), &PyGen_Type);
    return gen != 0 && hand_on(b, in, gen);
}

int
_PyJit_BuildAwaitable(JitBuilder *b, const PyInstr *in)
{
    JitRef coroutine = JIT_LEFT(b->kinds[b->ip]) != JIT_SEEN_COROUTINE ? 0
        : to_class(b, _PyJit_Use(b, in->b), &PyCoro_Type);
    if (coroutine == 0) {
        return 0;
    }
    JitRef state = load(b, JIT_T_RAW, JIT_8, coroutine, offsetof(PyGenObject, gi_frame_state));
    guard_compare(b, JIT_EQ, state, (uint8_t)GEN_CREATED);
    return hand_on(b, in, coroutine);
}

/* A SEND has given `value`. What it was sent to has ended if `state` compares so (`ended`) with
   that word, and is suspended if not. Its register is done with at the end; if is_gone, it is
   empty. */
static void
build_sent(JitBuilder *b, const PyInstr *in, JitRef value, JitCond ended, JitRef state,
           uint64_t word, int is_gone)
{
    uint32_t edge;
    branch_within(b, ended, state, raw_const(b, word), &edge);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return;
    }
    _PyJit_WriteValue(b, in->c, value, 1);
    _PyJit_CheckOk(b, b->next);
    jump_to(b, not_taken(b));
    b->slots = at_end;
    _PyJit_BeginBlock(b, edge);
    uint32_t target = _PyJit_JumpTarget(b->code, b->ip);
    _PyJit_Write(b, in->c, value, 1);
    if (is_gone) {
        b->slots[in->a] = (JitSlot){0};
    }
    else {
        _PyJit_Done(b, in->a);
    }
    _PyJit_FinishInstr(b, target);
    _PyJit_CheckOk(b, target);
    jump_to(b, taken(b));
}

int
_PyJit_BuildSend(JitBuilder *b, const PyInstr *in)
{
    int seen = JIT_LEFT(b->kinds[b->ip]);
    int is_step = seen == JIT_SEEN_STEP;
    PyTypeObject *cls = seen == JIT_SEEN_COROUTINE ? &PyCoro_Type
                      : seen == JIT_SEEN_GENERATOR ? &PyGen_Type
                      : is_step ? &_PyAsyncGenASend_Type : NULL;
    JitRef gen = cls == NULL ? 0 : to_class(b, _PyJit_Use(b, in->a), cls);
    if (gen == 0) {
        return 0;
    }
    _PyJit_Sync(b);
    JitRef value = call_opaque(b, JIT_T_WORD, is_step ? (const void *)_PyVM_SendToStep
                                                      : (const void *)_PyVM_SendTo,
                               1, JIT_RAISES_NULL, gen, 0);
    forget_written(b);
    if (is_step) {
        build_sent(b, in, value, JIT_EQ,
                   load(b, JIT_T_RAW, JIT_32, gen, offsetof(_PyAsyncGenASend, state)),
                   AWAITABLE_CLOSED, 0);
    }
    else {
        build_sent(b, in, value, JIT_NE,
                   load(b, JIT_T_RAW, JIT_8, gen, offsetof(PyGenObject, gi_frame_state)),
                   (uint8_t)GEN_SUSPENDED, 0);
    }
    return 1;
}

/* `async for` over an asynchronous generator: GET_ANEXT and the SEND behind it as one. There is an
   awaitable only if something is passed up. */
static int
build_next_item(JitBuilder *b, const PyInstr *in)
{
    uint32_t at = b->next + 1;
    const PyInstr *none = &b->code->code[b->next], *send = none + 1;
    if (JIT_LEFT(b->kinds[b->ip]) != JIT_SEEN_GENERATOR || b->refused[b->ip]
        || _PyOpcode_Info[none->op].base != OP_LOAD_CONST || send->op != OP_SEND || send->a != in->a
        || send->b != none->a || JIT_LEFT(b->kinds[at]) != JIT_SEEN_STEP) {
        return 0;
    }
    JitRef gen = to_class(b, _PyJit_Use(b, in->b), &PyAsyncGen_Type);
    if (gen == 0) {
        return 0;
    }
    _PyJit_Sync(b);
    b->ip = at;
    b->next = at + 1 + _PyOpcode_Info[OP_SEND].cache;
    JitRef value = call_opaque(b, JIT_T_WORD, (const void *)_PyVM_NextItem, 1, JIT_RAISES_NULL,
                               gen, 0);
    forget_written(b);
    JitRef awaitable = load_word(b, JIT_T_RAW, send->a);
    build_sent(b, send, value, JIT_EQ, awaitable, 0, 1);
    return 1;
}

/* What `async for` asks for in each round. Returns whether the block goes on. */
int
_PyJit_BuildAnext(JitBuilder *b, const PyInstr *in)
{
    if (build_next_item(b, in)) {
        return 0;
    }
    JitRef it = to_object(b, _PyJit_Use(b, in->b));
    if (it == 0) {
        step(b);
        return 1;
    }
    _PyJit_Sync(b);
    JitRef next = call_opaque(b, JIT_T_OBJECT, (const void *)_PyCoro_GetAnext, 0,
                              JIT_RAISES_NULL, it, 0);
    _PyJit_WriteValue(b, in->a, next, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* ASYNC_GEN_WRAP: what `async for` is given. */
void
_PyJit_BuildWrap(JitBuilder *b, const PyInstr *in)
{
    _PyJit_Sync(b);
    JitRef item = call_opaque(b, JIT_T_WORD, (const void *)_PyVM_WrapItem, 1, JIT_RAISES_NULL, 0,
                              0);
    forget_written(b);
    _PyJit_WriteValue(b, in->a, item, 1);
    _PyJit_CheckOk(b, b->next);
}

/* -------------------------------------------------------------- comprehensions */

int
_PyJit_AppendsOneKind(JitBuilder *b, const PyInstr *in)
{
    int saw_tag = JIT_LEFT(b->kinds[b->ip]) & JIT_SEEN_STORED_TAG;
    int saw_object = JIT_RIGHT(b->kinds[b->ip]) & JIT_SEEN_STORED_OBJECT;
    return type_of(b, _PyJit_Use(b, in->b)) != JIT_T_WORD || !saw_tag != !saw_object;
}

static int
build_append(JitBuilder *b, const PyInstr *in)
{
    if (!_PyJit_AppendsOneKind(b, in)) {
        return 0;
    }
    int is_tag = (JIT_LEFT(b->kinds[b->ip]) & JIT_SEEN_STORED_TAG) != 0;
    (void)_PyJit_BuildListAppend(b, _PyJit_Use(b, in->a), in->b, is_tag);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* By a call of C that finds the operands in memory. */
static void
build_add(JitBuilder *b, const void *function)
{
    _PyJit_Sync(b);
    (void)call_opaque(b, JIT_T_NONE, function, 1, JIT_RAISES_NEGATIVE, 0, 0);
    forget_written(b);
    _PyJit_CheckOk(b, b->next);
}

int
_PyJit_BuildAdd(JitBuilder *b, const PyInstr *in)
{
    switch (_PyOpcode_Info[in->op].base) {
    case OP_LIST_APPEND:
        if (!build_append(b, in)) {
            build_add(b, (const void *)_PyJit_AddToList);
        }
        return 1;
    case OP_SET_ADD:
        build_add(b, (const void *)_PyJit_AddToSet);
        return 1;
    case OP_MAP_ADD:
        build_add(b, (const void *)_PyJit_AddToDict);
        return 1;
    default:
        return 0;
    }
}

int
_PyJit_BuildDisplay(JitBuilder *b, const PyInstr *in)
{
    int is_list = _PyOpcode_Info[in->op].base == OP_BUILD_LIST;
    if (in->c == 0 && !is_list) {
        return 0;
    }
    _PyJit_Sync(b);
    JitRef value = call_opaque(b, JIT_T_OBJECT, is_list ? (const void *)_PyJit_MakeList
                                                        : (const void *)_PyJit_MakeTuple,
                               1, JIT_RAISES_NULL, raw_const(b, in->b), raw_const(b, in->c));
    _PyJit_At(b, value)->cls = is_list ? &PyList_Type : &PyTuple_Type;
    for (unsigned r = in->b; r < (unsigned)in->b + in->c; r++) {
        b->slots[r] = (JitSlot){.memptr = 1};
    }
    _PyJit_WriteValue(b, in->a, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

static int
is_loop_over_text(const PyInstr *loop)
{
    return loop->op == OP_FOR_ITER__C && ((const PyCacheWord *)(loop + 1))[1].ptr
                                         == (const void *)_PyUnicodeASCIIIter_Type.tp_iternext;
}

/* The iterator's class is made sure of before the loop, not in each round. */
int
_PyJit_BuildGetIter(JitBuilder *b, const PyInstr *in)
{
    JitRef iterable = to_object(b, _PyJit_Use(b, in->b));
    if (iterable == 0) {
        return 0;
    }
    _PyJit_Sync(b);
    const PyInstr *loop = &b->code->code[b->next];
    int is_text = is_loop_over_text(loop);
    int is_index = loop->op == OP_FOR_ITER__LIST || loop->op == OP_FOR_ITER__TUPLE || is_text;
    JitRef it = call_opaque(b, JIT_T_OBJECT, is_index ? (const void *)_PyIndexIter_Over
                                                      : (const void *)PyObject_GetIter,
                            0, JIT_RAISES_NULL, iterable, 0);
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, it, 1);
    _PyJit_CheckOk(b, b->next);
    PyTypeObject *cls = loop->op == OP_FOR_ITER__RANGE ? &PyRangeIter_Type
                      : loop->op == OP_FOR_ITER__LIST ? &PyListIter_Type
                      : loop->op == OP_FOR_ITER__TUPLE ? &PyTupleIter_Type
                      : loop->op == OP_FOR_ITER__GENERATOR ? &PyGen_Type
                      : is_text ? &_PyUnicodeASCIIIter_Type : NULL;
    if (cls != NULL && loop->a == in->a && !b->refused[b->next]) {
        uint32_t snap = _PyJit_SnapNow(b, b->next);
        JitRef known = _PyJit_Node(b, JIT_GUARD_CLASS_NODE, JIT_T_OBJECT, it, 0);
        _PyJit_At(b, known)->snap = snap;
        _PyJit_At(b, known)->cls = cls;
        _PyJit_Refine(b, it, known);
    }
    return 1;
}
