/* The instructions of comprehensions that are built in (build_comprehensions.c): their loops, what
   they make, and what consumes a generator expression.

   A word beside the iterator's register counts a loop's rounds. What the body does may make new
   objects, but change none that others see: whoever leaves drops them, and the interpreter executes
   the whole comprehension. */
#include "build_ops.h"
#include "displays.h"
#include "items.h"
#include "quiet.h"
#include "redone.h"

/* ------------------------------------------------------------------ its registers */

/* Beside each register some more, for loops: the number of the round, or the next value of a range;
   where that stops, or the dict or set that the loop is over; the range's step; where it began; and
   the sequence with whose items pairs are made, or a tag: with the numbers of the rounds. Beside
   the register of a pair, its two values. Above all, what a consumer has so far. */
enum { PLACE_NOW, PLACE_STOP, PLACE_STEP, PLACE_START, PLACE_SECOND, PLACES };

static unsigned
place_of(const PyVMCode *code, unsigned reg, int which)
{
    return code->nregs + 1u + PLACES * reg + (unsigned)which;
}

static unsigned
so_far(const PyVMCode *code)
{
    return place_of(code, code->nregs, 0);
}

unsigned
_PyJit_RegistersMore(const PyVMCode *code)
{
    return so_far(code) + 1 - code->nregs - 1;
}

JitRef
_PyJit_FreeCell(JitBuilder *b, unsigned number)
{
    const JitInlined *inlined = b->inlined;
    if (inlined != NULL && inlined->cells != NULL) {
        return inlined->cells[number];
    }
    JitRef function = inlined != NULL && inlined->maker != 0 ? inlined->maker : frame_function(b);
    JitRef closure = load(b, JIT_T_RAW, JIT_64, function, offsetof(PyFunctionObject, func_closure));
    return load(b, JIT_T_OBJECT, JIT_64, closure,
                offsetof(PyTupleObject, ob_item) + number * sizeof(PyObject *));
}

static void
set_slot(JitBuilder *b, unsigned reg, JitRef ref, int owned)
{
    b->slots[reg] = (JitSlot){.ref = ref, .dirty = ref != 0, .owned = (uint8_t)owned};
}

void
_PyJit_BeginLoop(JitBuilder *b, unsigned reg, JitRef now, JitRef stop, JitRef step)
{
    set_slot(b, place_of(b->code, reg, PLACE_NOW), now, 0);
    set_slot(b, place_of(b->code, reg, PLACE_STOP), stop, 0);
    set_slot(b, place_of(b->code, reg, PLACE_STEP), step, 0);
    set_slot(b, place_of(b->code, reg, PLACE_START), now, 0);
    set_slot(b, place_of(b->code, reg, PLACE_SECOND), 0, 0);
}

void
_PyJit_MakePairs(JitBuilder *b, unsigned reg, JitRef second, int owned)
{
    set_slot(b, place_of(b->code, reg, PLACE_SECOND), second, owned);
}

void
_PyJit_KeepRounds(JitBuilder *b, const JitSlot *slots, const PyVMCode *code)
{
    for (unsigned r = 0; r < code->nregs; r++) {
        const JitSlot *places = &slots[place_of(code, r, 0)];
        JitRef now = places[PLACE_NOW].ref, start = places[PLACE_START].ref;
        JitRef step = places[PLACE_STEP].ref;
        int64_t by = step == 0 ? 1 : REG_INT(_PyJit_At(b, step)->imm);
        if (now != 0 && start != 0 && now != start && (by == 1 || by == -1)) {
            _PyJit_AddSnapEntry(b->g, 0, JIT_KEEP_ROUNDS, now);
            _PyJit_AddSnapEntry(b->g, 0, JIT_KEEP_ROUNDS_FROM, start);
        }
    }
}

static int
is_set(const PyTypeObject *cls)
{
    return cls == &PySet_Type || cls == &PyFrozenSet_Type;
}

/* The dict or set over which the loop is, or 0: it is a sequence. */
static JitRef
table_of(JitBuilder *b, JitRef source)
{
    PyTypeObject *cls = class_of(b, source);
    return cls == &PyDict_Type || is_set(cls) ? source
         : cls == &PyDictItems_Type || cls == &PyDictValues_Type
         ? load(b, JIT_T_OBJECT, JIT_64, source, offsetof(_PyDictViewObject, dv_dict)) : 0;
}

/* A new container without items. */
static JitRef
new_container(JitBuilder *b, const void *function, PyTypeObject *cls)
{
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef ref = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_OBJECT, 0, 0);
    _PyJit_At(b, ref)->aux = function;
    _PyJit_At(b, ref)->cls = cls;
    guard_answer(b, JIT_NE, ref, snap);
    return ref;
}

/* No tag is further away from 0; what it is the least or the greatest of, is left for. */
#define LARGEST (((int64_t)1 << 61) - 1)

/* So many values at most are put in a list for a function that may not keep them. */
#define MOST_TAKEN 4096

static int
is_collected(ConsumerKind kind)
{
    return kind >= FOR_LIST;
}

void
_PyJit_BeginRedone(JitBuilder *b, const JitRef *over)
{
    struct JitConsumer *consumer = b->inlined->consumer;
    if (over[2] != 0) {
        set_slot(b, 0, _PyJit_Const(b, REG_NONE), 0);
        _PyJit_BeginLoop(b, 0, over[0], over[1], over[2]);
    }
    else {
        set_slot(b, 0, over[0], 0);
        _PyJit_BeginLoop(b, 0, _PyJit_Const(b, REG_FROM_INT(0)), table_of(b, over[0]), 0);
        set_slot(b, place_of(b->code, 0, PLACE_SECOND), over[3], 0);
    }
    if (consumer == NULL || consumer->kind <= FOR_NEXT) {
        return;
    }
    unsigned reg = so_far(b->code);
    if (consumer->counts) {
        set_slot(b, reg, new_container(b, (const void *)_PyJit_NewDict, &PyDict_Type), 1);
    }
    else if (is_collected(consumer->kind)) {
        set_slot(b, reg, new_container(b, (const void *)_PyJit_NewList, &PyList_Type), 1);
    }
    else if (consumer->is_double) {
        JitRef zero = _PyJit_Node(b, JIT_DOUBLE_NODE, JIT_T_DOUBLE, 0, 0);
        set_slot(b, reg, zero, 0);
    }
    else {
        int64_t first = consumer->kind == FOR_SUM ? 0
                        : consumer->kind == FOR_MIN ? LARGEST : -LARGEST;
        set_slot(b, reg, _PyJit_Const(b, REG_FROM_INT(first)), 0);
    }
}

void
_PyJit_SettleLoops(JitBuilder *b)
{
    const PyVMCode *code = b->code;
    for (uint32_t i = 1; i < b->nsources; i++) {
        JitSource *source = &b->sources[i];
        source->from_outside = 0;
        source->loop_opaque = 0;
        if (source->assigned == NULL) {
            continue;
        }
        memset(&source->assigned[code->nregs], 0, b->nregs - code->nregs);
        source->assigned[so_far(code)] = b->inlined->consumer != NULL
                                         && !is_collected(b->inlined->consumer->kind);
        for (uint32_t ip = 0; ip < code->ninstr;
             ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
            const PyInstr *in = &code->code[ip];
            switch (_PyOpcode_Info[in->op].base) {
            case OP_FOR_ITER:
                source->assigned[in->a] = 0;
                source->assigned[place_of(code, in->a, PLACE_NOW)] = 1;
                break;
            case OP_LIST_APPEND: case OP_SET_ADD: case OP_MAP_ADD:
                source->assigned[in->a] = 0;
                break;
            }
        }
    }
}

/* ------------------------------------------------------------------------- loops */

/* A register is done with, whose object dies without a sound. */
static void
drop_slot(JitBuilder *b, unsigned reg)
{
    JitSlot *slot = &b->slots[reg];
    if (slot->ref != 0 && slot->owned && _PyJit_MayCount(b, slot->ref)) {
        _PyJit_GuardQuiet(b, slot->ref);
        _PyJit_GiveUp(b, slot->ref, 1);
    }
    b->slots[reg] = (JitSlot){0};
}

int
_PyJit_TakesPairs(const PyVMCode *code, const PyInstr *loop)
{
    const PyInstr *in = loop + 1 + _PyOpcode_Info[loop->op].cache;
    int base = _PyOpcode_Info[in->op].base;
    return (base == OP_UNPACK_SEQUENCE || base == OP_UNPACK_LOCALS) && in->c == 2
           && in->b == loop->b && in->b >= code->first_temp;
}

PyTypeObject *
_PyJit_ClassOfLoop(const PyVMCode *code, const PyInstr *loop, PyTypeObject *known)
{
    const void *next = loop->op == OP_FOR_ITER__C ? ((const PyCacheWord *)(loop + 1))[1].ptr : NULL;
    return loop->op == OP_FOR_ITER__LIST ? &PyList_Type
         : loop->op == OP_FOR_ITER__TUPLE ? &PyTuple_Type
         : next == NULL ? NULL
         : next == (const void *)PyDictIterKey_Type.tp_iternext ? &PyDict_Type
         : next == (const void *)PySetIter_Type.tp_iternext
         ? known == &PyFrozenSet_Type ? known : &PySet_Type
         : next == (const void *)PyDictIterValue_Type.tp_iternext ? &PyDictValues_Type
         : next == (const void *)PyDictIterItem_Type.tp_iternext && _PyJit_TakesPairs(code, loop)
         ? &PyDictItems_Type : NULL;
}

static int
build_get_iter(JitBuilder *b, const PyInstr *in)
{
    const PyInstr *loop = &b->code->code[b->next];
    PyTypeObject *cls = _PyJit_ClassOfLoop(b->code, loop, class_of(b, _PyJit_Use(b, in->b)));
    JitRef sequence = cls == NULL || loop->a != in->a ? 0 : to_class(b, _PyJit_Use(b, in->b), cls);
    if (sequence == 0) {
        b->inlined->failed = 1;
        return 0;
    }
    int owned;
    (void)_PyJit_Take(b, in->b, &owned);
    _PyJit_Write(b, in->a, sequence, owned);
    _PyJit_BeginLoop(b, in->a, _PyJit_Const(b, REG_FROM_INT(0)), table_of(b, sequence), 0);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static JitRef
size_of(JitBuilder *b, JitRef sequence)
{
    return load(b, JIT_T_RAW, JIT_64, sequence, offsetof(PyVarObject, ob_size));
}

/* The end of a loop. */
static void
build_end(JitBuilder *b, const PyInstr *in, uint32_t edge, JitSlot *slots)
{
    b->slots = slots;
    _PyJit_BeginBlock(b, edge);
    drop_slot(b, in->a);
    _PyJit_BeginLoop(b, in->a, 0, 0, 0);
    _PyJit_FinishInstr(b, b->next);
    jump_to(b, taken(b));
}

/* The two values of a pair that is not made: they go where the pair is taken apart. */
static int
build_unpack(JitBuilder *b, const PyInstr *in)
{
    JitSlot *places = &b->slots[place_of(b->code, in->b, 0)];
    JitRef first = places[PLACE_NOW].ref, second = places[PLACE_SECOND].ref;
    if (in->b < b->first_temp || first == 0 || second == 0) {
        return -1;
    }
    places[PLACE_NOW] = places[PLACE_SECOND] = (JitSlot){0};
    b->slots[in->b] = (JitSlot){0};
    _PyJit_Write(b, in->a, first, 0);
    _PyJit_Write(b, in->a + 1u, second, 0);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* The loop goes on with a pair that nobody sees. */
static void
give_pair(JitBuilder *b, const PyInstr *in, JitRef first, JitRef second)
{
    set_slot(b, place_of(b->code, in->b, PLACE_NOW), first, 0);
    set_slot(b, place_of(b->code, in->b, PLACE_SECOND), second, 0);
    _PyJit_Write(b, in->b, _PyJit_Const(b, REG_NONE), 0);
}

/* One round of a loop over a dict or set, whose entry is at this index among the fetched ones. */
static void
give_entry(JitBuilder *b, const PyInstr *in, PyTypeObject *cls, JitRef key, JitRef fetched,
           JitRef index)
{
    JitRef value = is_set(cls) || cls == &PyDict_Type ? 0
                   : _PyJit_ObjectAt(b, fetched, index, offsetof(JitFetched, values));
    unsigned place = place_of(b->code, in->a, PLACE_NOW);
    JitRef next = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_INT, b->slots[place].ref, 0);
    _PyJit_At(b, next)->imm = REG_FROM_INT(1) - REG_FROM_INT(0);
    set_slot(b, place, next, 0);
    if (cls == &PyDictItems_Type) {
        give_pair(b, in, key, value);
    }
    else {
        _PyJit_Write(b, in->b, value == 0 ? key : value, 0);
    }
    _PyJit_FinishInstr(b, b->next);
    jump_to(b, not_taken(b));
}

/* Over a dict's entries or a set's keys, which nothing changes meanwhile: they are fetched by a few
   at once (displays.h). */
static int
build_for_entries(JitBuilder *b, const PyInstr *in, JitRef now, JitRef source, JitRef table)
{
    PyTypeObject *cls = class_of(b, source);
    unsigned level = in->a == 0 ? 0 : in->a - b->code->first_temp + 1u;
    if (level >= JIT_FETCH_LEVELS) {
        b->inlined->failed = 1;
        return 0;
    }
    JitRef fetched = raw_const(b, (uint64_t)&_PyJit_Fetched[level]);
    JitRef among = _PyJit_Node(b, JIT_AND_NODE, JIT_T_INT, now,
                               _PyJit_Const(b, REG_FROM_INT(JIT_FETCHED - 1)));
    uint32_t used_up, last, nothing;
    branch_within(b, JIT_EQ, among, _PyJit_Const(b, REG_FROM_INT(0)), &used_up);
    JitSlot *at_used_up = _PyJit_CopySlots(b), *at_last = _PyJit_CopySlots(b);
    if (at_used_up == NULL || at_last == NULL) {
        return 0;
    }
    JitRef index = pure(b, JIT_UNTAG_NODE, JIT_T_RAW, among);
    JitRef key = _PyJit_ObjectAt(b, fetched, index, offsetof(JitFetched, keys));
    branch_within(b, JIT_EQ, key, raw_const(b, 0), &last);
    give_entry(b, in, cls, key, fetched, index);
    build_end(b, in, last, at_last);

    b->slots = at_used_up;
    _PyJit_BeginBlock(b, used_up);
    fetched = raw_const(b, (uint64_t)&_PyJit_Fetched[level]);
    JitRef n = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, table,
                           pure(b, JIT_UNTAG_NODE, JIT_T_RAW, now));
    _PyJit_At(b, n)->args[2] = fetched;
    _PyJit_At(b, n)->nargs = 3;
    _PyJit_At(b, n)->aux = is_set(cls) ? (const void *)_PyJit_FetchKeys
                                       : (const void *)_PyJit_FetchEntries;
    branch_within(b, JIT_EQ, n, raw_const(b, 0), &nothing);
    JitSlot *at_nothing = _PyJit_CopySlots(b);
    if (at_nothing == NULL) {
        return 0;
    }
    index = raw_const(b, 0);
    key = _PyJit_ObjectAt(b, fetched, index, offsetof(JitFetched, keys));
    give_entry(b, in, cls, key, fetched, index);
    build_end(b, in, nothing, at_nothing);
    return 0;
}

static int
build_for(JitBuilder *b, const PyInstr *in)
{
    JitSlot *places = &b->slots[place_of(b->code, in->a, 0)];
    JitRef now = places[PLACE_NOW].ref, stop = places[PLACE_STOP].ref;
    JitRef second = places[PLACE_SECOND].ref;
    JitRef step = places[PLACE_STEP].ref, sequence = b->slots[in->a].ref, value, next, index = 0;
    uint32_t rare, shorter = 0;
    if (now == 0 || sequence == 0 || type_of(b, now) != JIT_T_INT) {
        b->inlined->failed = 1;
        return 0;
    }
    if (step == 0 && stop != 0) {
        return build_for_entries(b, in, now, sequence, stop);
    }
    if (step != 0) {
        int64_t by = REG_INT(_PyJit_At(b, step)->imm);
        branch_within(b, by > 0 ? JIT_GE : JIT_LE, now, stop, &rare);
    }
    else {
        index = pure(b, JIT_UNTAG_NODE, JIT_T_RAW, now);
        branch_within(b, JIT_GE, index, size_of(b, sequence), &rare);
    }
    JitSlot *at_end = _PyJit_CopySlots(b), *at_shorter = _PyJit_CopySlots(b);
    if (at_end == NULL || at_shorter == NULL) {
        return 0;
    }
    if (second != 0 && type_of(b, second) != JIT_T_INT) {
        branch_within(b, JIT_GE, index, size_of(b, second), &shorter);
    }
    if (step != 0) {
        value = now;
        next = guarded(b, JIT_ADD_NODE, JIT_T_INT, now, step);
    }
    else {
        value = _PyJit_ItemOf(b, sequence, index);
        next = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_INT, now, 0);
        _PyJit_At(b, next)->imm = REG_FROM_INT(1) - REG_FROM_INT(0);
    }
    set_slot(b, place_of(b->code, in->a, PLACE_NOW), next, 0);
    if (second != 0) {
        int is_zip = type_of(b, second) != JIT_T_INT;
        give_pair(b, in, is_zip ? value : now, is_zip ? _PyJit_ItemOf(b, second, index) : value);
    }
    else {
        _PyJit_Write(b, in->b, value, 0);
    }
    _PyJit_FinishInstr(b, b->next);
    jump_to(b, not_taken(b));
    build_end(b, in, rare, at_end);
    if (shorter != 0) {
        build_end(b, in, shorter, at_shorter);
    }
    return 0;
}

/* What the next round writes before it is read goes. */
static int
build_jump_back(JitBuilder *b)
{
    JitSource *header = &b->sources[taken(b)];
    for (unsigned r = 0; header->state != NULL && r < b->nregs; r++) {
        if (header->state[r].ref == 0) {
            drop_slot(b, r);
        }
    }
    _PyJit_FinishInstr(b, b->next);
    uint32_t snap = _PyJit_SnapBefore(b);
    (void)_PyJit_AddNode(b->g, (JitNode){.op = JIT_GUARD_ABS_NODE, .aux = &_Py_attention.all,
                                         .width = JIT_64, .snap = snap, .ip = b->ip});
    jump_to(b, taken(b));
    return 0;
}

/* -------------------------------------------------------------------- containers */

static int
build_container(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    if (in->c != 0) {
        b->inlined->failed = 1;
        return 0;
    }
    JitRef ref = base == OP_BUILD_LIST
        ? new_container(b, (const void *)_PyJit_NewList, &PyList_Type)
        : base == OP_BUILD_SET ? new_container(b, (const void *)_PyJit_NewSet, &PySet_Type)
                               : new_container(b, (const void *)_PyJit_NewDict, &PyDict_Type);
    _PyJit_WriteValue(b, in->a, ref, 1);
    return 1;
}

/* The nodes from this one on fill what nobody else sees. */
static void
mark_filling(JitBuilder *b, JitRef first)
{
    for (JitRef ref = first; ref < b->g->nnodes; ref++) {
        JitNode *n = _PyJit_At(b, ref);
        if (n->op == JIT_STORE_INDEXED_NODE || n->op == JIT_ADD_MEM_NODE) {
            n->nargs = 1;
        }
    }
}

/* A word that a function of C's can take: 0, doubles are none. */
static JitRef
use_word(JitBuilder *b, unsigned reg)
{
    JitRef ref = _PyJit_Use(b, reg);
    b->inlined->failed |= type_of(b, ref) == JIT_T_DOUBLE;
    return ref;
}

static void
call_to_fill(JitBuilder *b, const void *function, JitRef container, JitRef x, JitRef y)
{
    JitRef ref = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, container, x);
    JitNode *n = _PyJit_At(b, ref);
    n->args[2] = y;
    n->nargs = y != 0 ? 3 : 2;
    n->aux = function;
    guard_compare(b, JIT_NE, ref, 0);
}

static int
build_add(JitBuilder *b, const PyInstr *in)
{
    int is_set = _PyOpcode_Info[in->op].base == OP_SET_ADD;
    JitRef x = use_word(b, in->b), y = is_set ? 0 : use_word(b, in->c);
    call_to_fill(b, is_set ? (const void *)_PyJit_FillSet : (const void *)_PyJit_FillDict,
                 _PyJit_Use(b, in->a), x, y);
    for (int i = 0; i < 2 - is_set; i++) {
        unsigned reg = i == 0 ? in->b : in->c;
        if (_PyJit_Dies(b, reg)) {
            _PyJit_GuardQuiet(b, _PyJit_Use(b, reg));
        }
    }
    _PyJit_Done(b, in->b);
    if (!is_set) {
        _PyJit_Done(b, in->c);
    }
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static int
build_list_append(JitBuilder *b, const PyInstr *in)
{
    if (!_PyJit_AppendsOneKind(b, in)) {
        JitRef item = _PyJit_Use(b, in->b);
        int owned = _PyJit_Dies(b, in->b);
        const void *fill = owned ? (const void *)_PyJit_FillListTakeRef
                                 : (const void *)_PyJit_FillList;
        call_to_fill(b, fill, _PyJit_Use(b, in->a), item, 0);
        (void)_PyJit_Take(b, in->b, &owned);
        _PyJit_FinishInstr(b, b->next);
        return 1;
    }
    JitRef first = b->g->nnodes;
    int goes_on = _PyJit_BuildAdd(b, in);
    mark_filling(b, first);
    return goes_on;
}

/* A small tuple. */
static int
build_tuple(JitBuilder *b, const PyInstr *in)
{
    static const void *const functions[] = {
        NULL, (const void *)_PyJit_OneTuple, (const void *)_PyJit_Pair, (const void *)_PyJit_Triple,
    };
    if (in->c == 0 || in->c >= Py_ARRAY_LENGTH(functions) || in->b < b->first_temp) {
        b->inlined->failed = 1;
        return 0;
    }
    for (unsigned r = in->b; r < (unsigned)in->b + in->c; r++) {
        JitRef item = _PyJit_Use(b, r);
        if (type_of(b, item) == JIT_T_DOUBLE) {
            set_slot(b, r, box(b, item, 0), 1);
        }
        else if (_PyJit_Dies(b, r)) {
            _PyJit_GuardQuiet(b, item);
        }
    }
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef tuple = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_OBJECT, 0, 0);
    JitNode *n = _PyJit_At(b, tuple);
    for (unsigned i = 0; i < in->c; i++) {
        n->args[i] = b->slots[in->b + i].ref;
    }
    n->nargs = in->c;
    n->aux = functions[in->c];
    n->cls = &PyTuple_Type;
    guard_answer(b, JIT_NE, tuple, snap);
    for (unsigned i = 0; i < in->c; i++) {
        _PyJit_Done(b, in->b + i);
    }
    _PyJit_WriteValue(b, in->a, tuple, 1);
    return 1;
}

/* --------------------------------------------------------------------- consumers */

/* The generator and who consumes it have ended with this value: a new reference, or none is
   needed. */
static void
end_consumed(JitBuilder *b, JitRef value)
{
    /* Who leaves meanwhile drops it, too. */
    unsigned reg = so_far(b->code);
    set_slot(b, reg, value, _PyJit_MayCount(b, value));
    for (unsigned r = 0; r < b->nregs; r++) {
        if (r != reg) {
            drop_slot(b, r);
        }
    }
    _PyJit_FinishInstr(b, b->ip);
    b->slots[reg] = (JitSlot){0};
    set_slot(b, b->code->nregs, value, _PyJit_MayCount(b, value));
    jump_to(b, b->inlined->end);
    b->inlined->joined = 1;
}

/* The same with a value that the slots may lend. */
static void
end_with(JitBuilder *b, JitRef value, int owned)
{
    if (!owned) {
        incref_counted(b, value);
    }
    end_consumed(b, value);
}

/* The list becomes something else. It is gone then. */
static JitRef
from_list(JitBuilder *b, const void *function, PyTypeObject *cls, unsigned reg)
{
    uint32_t snap = _PyJit_SnapBefore(b);
    JitRef separator = b->inlined->consumer->separator;
    JitRef ref = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_OBJECT, b->slots[reg].ref, separator);
    _PyJit_At(b, ref)->aux = function;
    _PyJit_At(b, ref)->nargs = separator != 0 ? 2 : 1;
    _PyJit_At(b, ref)->cls = cls;
    guard_answer(b, JIT_NE, ref, snap);
    return ref;
}

static void
guard_not_zero(JitBuilder *b, JitRef value)
{
    JitRef zero = _PyJit_Node(b, JIT_DOUBLE_NODE, JIT_T_DOUBLE, 0, 0);
    JitRef guard = guarded(b, JIT_GUARD_FCMP_NODE, JIT_T_NONE, value, zero);
    _PyJit_At(b, guard)->cond = JIT_NE;
}

void
_PyJit_EndConsumed(JitBuilder *b)
{
    ConsumerKind kind = b->inlined->consumer->kind;
    unsigned reg = so_far(b->code);
    JitRef value = b->slots[reg].ref;
    switch (kind) {
    case FOR_ANY: case FOR_ALL:
        value = _PyJit_Const(b, REG_BOOL(kind == FOR_ALL));
        break;
    case FOR_NEXT:
        end_with(b, _PyJit_Const(b, b->inlined->consumer->fallback), 0);
        return;
    case FOR_TUPLE:
        value = from_list(b, (const void *)_PyJit_TupleOfList, &PyTuple_Type, reg);
        break;
    case FOR_SET:
        value = from_list(b, (const void *)_PyJit_SetOfList, &PySet_Type, reg);
        break;
    case FOR_JOIN:
        value = from_list(b, (const void *)_PyJit_JoinList, &PyUnicode_Type, reg);
        break;
    case FOR_MIN: case FOR_MAX:
        guard_compare(b, JIT_NE, value, REG_FROM_INT(kind == FOR_MIN ? LARGEST : -LARGEST));
        break;
    case FOR_SUM:
        if (type_of(b, value) == JIT_T_DOUBLE) {
            guard_not_zero(b, value);           /* a sum of nothing is an int */
        }
        break;
    default:
        break;
    }
    b->slots[reg] = (JitSlot){0};
    end_consumed(b, value);
}

/* Is the value true? Compared with *against. 0: its methods have to say so. */
static JitRef
truth_of(JitBuilder *b, JitRef value, JitRef *against)
{
    if (type_of(b, value) == JIT_T_DOUBLE) {
        return 0;
    }
    if (type_of(b, value) == JIT_T_INT || class_of(b, value) != NULL) {
        JitRef truth = _PyJit_TruthOf(b, value, against);
        if (truth != 0) {
            return truth;
        }
    }
    JitRef truth = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, value, 0);
    _PyJit_At(b, truth)->aux = (const void *)_PyJit_Truth;
    _PyJit_At(b, truth)->nargs = 1;
    guard_compare(b, JIT_GE, truth, 0);
    *against = raw_const(b, 0);
    return truth;
}

/* The way back into the generator. */
static void
resume(JitBuilder *b, const PyInstr *in)
{
    _PyJit_WriteValue(b, in->c, _PyJit_Const(b, REG_NONE), 0);
    jump_to(b, not_taken(b));
}

/* An operand is done with; if it dies, without a sound. */
static void
done_quietly(JitBuilder *b, unsigned reg)
{
    if (_PyJit_Dies(b, reg)) {
        _PyJit_GuardQuiet(b, _PyJit_Use(b, reg));
    }
    _PyJit_Done(b, reg);
}

/* The value that the generator gives has been looked at: back into it, unless the condition holds.
   Goes on with the code for that case; 0 if there is no memory. */
static int
resume_unless(JitBuilder *b, const PyInstr *in, JitCond cond, JitRef x, JitRef y)
{
    done_quietly(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    uint32_t rare;
    branch_within(b, cond, x, y, &rare);
    JitSlot *there = _PyJit_CopySlots(b);
    if (there == NULL) {
        return 0;
    }
    resume(b, in);
    b->slots = there;
    _PyJit_BeginBlock(b, rare);
    return 1;
}

/* any(), all(): perhaps the value ends it. */
static void
build_test(JitBuilder *b, const PyInstr *in, int ends_if)
{
    JitRef against = 0, truth = truth_of(b, _PyJit_Use(b, in->a), &against);
    if (truth == 0) {
        b->inlined->failed = 1;
        return;
    }
    if (resume_unless(b, in, ends_if ? JIT_NE : JIT_EQ, truth, against)) {
        end_consumed(b, _PyJit_Const(b, REG_BOOL(ends_if)));
    }
}

/* next(): the first value is the result. */
static void
build_first(JitBuilder *b, const PyInstr *in)
{
    int owned;
    JitRef value = _PyJit_Take(b, in->a, &owned);
    if (type_of(b, value) == JIT_T_DOUBLE) {
        value = box(b, value, 0);
        owned = 1;
    }
    end_with(b, value, owned);
}

static void
build_sum(JitBuilder *b, const PyInstr *in)
{
    struct JitConsumer *consumer = b->inlined->consumer;
    unsigned reg = so_far(b->code);
    JitRef value = _PyJit_Use(b, in->a), sum = b->slots[reg].ref;
    if (type_of(b, value) == JIT_T_DOUBLE || class_of(b, value) == &PyFloat_Type) {
        consumer->wants_double = !consumer->is_double;
        value = to_double(b, value, JIT_SEEN_FLOAT);
        b->inlined->failed |= !consumer->is_double;
    }
    else {
        value = class_of(b, value) == &PyBool_Type ? _PyJit_IntOfBool(b, value) : to_int(b, value);
        b->inlined->failed |= consumer->is_double;
    }
    if (value == 0 || b->inlined->failed) {
        b->inlined->failed = 1;
        return;
    }
    sum = consumer->is_double ? _PyJit_Node(b, JIT_FADD_NODE, JIT_T_DOUBLE, sum, value)
                              : guarded(b, JIT_ADD_NODE, JIT_T_INT, sum, value);
    done_quietly(b, in->a);
    set_slot(b, reg, sum, 0);
    resume(b, in);
}

/* min(), max(): of ints. */
static void
build_extreme(JitBuilder *b, const PyInstr *in, JitCond better)
{
    unsigned reg = so_far(b->code);
    JitRef value = _PyJit_Use(b, in->a);
    value = type_of(b, value) == JIT_T_DOUBLE ? 0 : to_int(b, value);
    if (value == 0) {
        b->inlined->failed = 1;
        return;
    }
    if (resume_unless(b, in, better, value, b->slots[reg].ref)) {
        set_slot(b, reg, value, 0);
        resume(b, in);
    }
}

int
_PyJit_IsPlainValue(JitBuilder *b, JitRef value)
{
    const JitNode *n = _PyJit_At(b, value);
    if (n->op == JIT_CALL_NODE
        && (n->aux == (const void *)_PyJit_OneTuple || n->aux == (const void *)_PyJit_Pair
            || n->aux == (const void *)_PyJit_Triple)) {
        int plain = 1;
        for (unsigned i = 0; i < n->nargs; i++) {
            plain = plain && _PyJit_IsPlainValue(b, n->args[i]);
        }
        return plain;
    }
    PyTypeObject *cls = class_of(b, value);
    return n->type == JIT_T_INT || n->type == JIT_T_DOUBLE || cls == &PyUnicode_Type
           || cls == &PyLong_Type || cls == &PyFloat_Type || cls == &PyBool_Type;
}

static void
guard_plain(JitBuilder *b, JitRef value)
{
    if (!_PyJit_IsPlainValue(b, value)) {
        JitRef plain = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, value, 0);
        _PyJit_At(b, plain)->aux = (const void *)_PyJit_IsPlain;
        _PyJit_At(b, plain)->nargs = 1;
        guard_compare(b, JIT_NE, plain, 0);
    }
}

/* A function is going to be called with a list of the values, instead of the generator. One that
   drops what it has seen already, as frozenset() does, must not need memory for millions of
   them. */
static void
guard_taken(JitBuilder *b, JitRef value)
{
    if (b->inlined->consumer->kind == FOR_CALL && !b->inlined->consumer->keeps) {
        guard_plain(b, value);
        guard_compare(b, JIT_ULT, size_of(b, b->slots[so_far(b->code)].ref), MOST_TAKEN);
    }
}

/* The word of a value that is counted, which is plain. */
static JitRef
counted_word(JitBuilder *b, unsigned reg)
{
    JitRef value = _PyJit_Use(b, reg);
    if (type_of(b, value) == JIT_T_DOUBLE) {
        value = box(b, value, 0);
        set_slot(b, reg, value, 1);
    }
    guard_plain(b, value);
    return value;
}

/* A Counter's value: one more. */
static void
build_count(JitBuilder *b, const PyInstr *in)
{
    JitRef value = counted_word(b, in->a);
    call_to_fill(b, (const void *)_PyJit_CountUp, b->slots[so_far(b->code)].ref, value, 0);
    done_quietly(b, in->a);
    resume(b, in);
}

/* A tuple that is only counted is made the first time that it is met. Returns 0 if this is none. */
static int
build_counted_tuple(JitBuilder *b, const PyInstr *in)
{
    const struct JitConsumer *consumer = b->inlined->consumer;
    const PyInstr *yield = &b->code->code[b->next];
    if (consumer == NULL || !consumer->counts || in->c < 2 || in->c > 3 || in->a < b->first_temp
        || in->b < b->first_temp || _PyOpcode_Info[yield->op].base != OP_YIELD_VALUE
        || yield->a != in->a || b->source_at[b->next] != 0) {
        return 0;
    }
    JitRef args[4] = {b->slots[so_far(b->code)].ref, 0, 0, raw_const(b, 0)};
    for (unsigned i = 0; i < in->c; i++) {
        args[1 + i] = counted_word(b, in->b + i);
    }
    JitRef done = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, args[0], args[1]);
    JitNode *n = _PyJit_At(b, done);
    n->args[2] = args[2];
    n->args[3] = args[3];
    n->nargs = 4;
    n->aux = (const void *)_PyJit_CountUpOf;
    guard_compare(b, JIT_NE, done, 0);
    for (unsigned i = 0; i < in->c; i++) {
        done_quietly(b, in->b + i);
    }
    b->ip = b->next;
    b->next += 1u + _PyOpcode_Info[yield->op].cache;
    resume(b, yield);
    return 1;
}

static int
build_yield(JitBuilder *b, const PyInstr *in)
{
    ConsumerKind kind = b->inlined->consumer->kind;
    if (kind == FOR_ANY || kind == FOR_ALL) {
        build_test(b, in, kind == FOR_ANY);
    }
    else if (kind == FOR_NEXT) {
        build_first(b, in);
    }
    else if (kind == FOR_SUM) {
        build_sum(b, in);
    }
    else if (kind == FOR_MIN || kind == FOR_MAX) {
        build_extreme(b, in, kind == FOR_MIN ? JIT_LT : JIT_GT);
    }
    else if (b->inlined->consumer->counts) {
        build_count(b, in);
    }
    else {
        JitRef first = b->g->nnodes, value = _PyJit_Use(b, in->a);
        int is_int = type_of(b, value) == JIT_T_INT;
        guard_taken(b, value);
        (void)_PyJit_BuildListAppend(b, b->slots[so_far(b->code)].ref, in->a, is_int);
        mark_filling(b, first);
        resume(b, in);
    }
    return 0;
}

int
_PyJit_BuildRedone(JitBuilder *b, const PyInstr *in)
{
    switch (_PyOpcode_Info[in->op].base) {
    case OP_RESUME: return 1;
    case OP_GET_ITER: return build_get_iter(b, in);
    case OP_FOR_ITER: return build_for(b, in);
    case OP_JUMP_BACK: return build_jump_back(b);
    case OP_UNPACK_SEQUENCE: case OP_UNPACK_LOCALS: return build_unpack(b, in);
    case OP_BUILD_TUPLE: {
        if (build_counted_tuple(b, in)) {
            return 0;
        }
        int built = _PyJit_BuildTupleKey(b, in);
        return built != 0 ? built > 0 : build_tuple(b, in);
    }
    case OP_BUILD_LIST: case OP_BUILD_SET: case OP_BUILD_MAP: return build_container(b, in);
    case OP_LIST_APPEND: return build_list_append(b, in);
    case OP_SET_ADD: case OP_MAP_ADD: return build_add(b, in);
    case OP_YIELD_VALUE: return build_yield(b, in);
    default: return -1;
    }
}
