/* Comprehensions, and generator expressions that a built-in function consumes at once, as a part
   of the function that runs them: without a frame, without an iterator, and what consumes a
   generator expression is a part of its loop.

   They are built as small functions are (build_inline.c), with loops. The loop is over a list, a
   tuple, a range, a dict or its view, a set, enumerate() or zip(); a word beside the iterator's
   register counts its rounds. What the body does may make new objects, but change none that others
   see. So whoever leaves, in whatever round, drops what has been made and goes back to the GET_ITER
   or what stands in front of it, and the interpreter executes the whole comprehension, with a frame
   that can be seen. If the body does anything else, all of it is forgotten, and the function is
   called. Signals and other threads get their turn in this way, too. */
#include "build_ops.h"
#include "displays.h"
#include "quiet.h"
#include "redone.h"
#include "../vm/call.h"
#include "internal/signals.h"
#include "internal/vm_values.h"

/* Longer ones, in words, are called. */
#define MOST_WORDS 160

/* A comprehension that is to be run. */
typedef struct {
    unsigned window;            /* of the call of its function */
    PyVMCode *code;
    JitRef maker;
    struct JitConsumer consumer;
    PyObject *consumed_by;      /* or NULL */
    unsigned outer;             /* window of the consumer's call */
    unsigned dest;
    uint32_t next;              /* the instruction behind all */
} Found;

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

/* Has there been memory for an object? */
static void
guard_made(JitBuilder *b, JitRef object, uint32_t snap)
{
    JitRef guard = _PyJit_Node(b, JIT_GUARD_CMP_NODE, JIT_T_NONE, object, raw_const(b, 0));
    _PyJit_At(b, guard)->cond = JIT_NE;
    _PyJit_At(b, guard)->snap = snap;
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
    guard_made(b, ref, snap);
    return ref;
}

/* No tag is further away from 0; what it is the least or the greatest of, is left for. */
#define LARGEST (((int64_t)1 << 61) - 1)

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
    if (is_collected(consumer->kind)) {
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

/* Over a dict's entries or a set's keys, which nothing changes meanwhile. */
static int
build_for_entries(JitBuilder *b, const PyInstr *in, JitRef now, JitRef source, JitRef table)
{
    PyTypeObject *cls = class_of(b, source);
    JitRef place = pure(b, JIT_UNTAG_NODE, JIT_T_RAW, now);
    JitRef next = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, table, place);
    _PyJit_At(b, next)->aux = is_set(cls) ? (const void *)_PyJit_NextKey
                                          : (const void *)_PyJit_NextEntry;
    _PyJit_At(b, next)->nargs = 2;
    uint32_t rare;
    branch_within(b, JIT_EQ, next, raw_const(b, 0), &rare);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return 0;
    }
    JitRef entry = raw_const(b, (uint64_t)_PyJit_Entry);
    JitRef key = load(b, JIT_T_OBJECT, JIT_64, entry, 0);
    JitRef value = is_set(cls) ? 0 : load(b, JIT_T_OBJECT, JIT_64, entry, sizeof(PyObject *));
    JitRef tag = guarded(b, JIT_TAG_NODE, JIT_T_INT, next, 0);
    set_slot(b, place_of(b->code, in->a, PLACE_NOW), tag, 0);
    if (cls == &PyDictItems_Type) {
        give_pair(b, in, key, value);
    }
    else {
        _PyJit_Write(b, in->b, cls == &PyDict_Type || is_set(cls) ? key : value, 0);
    }
    _PyJit_FinishInstr(b, b->next);
    jump_to(b, not_taken(b));
    build_end(b, in, rare, at_end);
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
    _PyJit_Write(b, in->a, ref, 1);
    _PyJit_FinishInstr(b, b->next);
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

static int
build_list_append(JitBuilder *b, const PyInstr *in)
{
    JitRef first = b->g->nnodes;
    int goes_on = _PyJit_BuildAdd(b, in);
    mark_filling(b, first);
    return goes_on;
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
    guard_made(b, tuple, snap);
    for (unsigned i = 0; i < in->c; i++) {
        _PyJit_Done(b, in->b + i);
    }
    _PyJit_Write(b, in->a, tuple, 1);
    _PyJit_FinishInstr(b, b->next);
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
    guard_made(b, ref, snap);
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
    _PyJit_Write(b, in->c, _PyJit_Const(b, REG_NONE), 0);
    _PyJit_FinishInstr(b, b->next);
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

/* any(), all(): perhaps the value ends it. */
static void
build_test(JitBuilder *b, const PyInstr *in, int ends_if)
{
    JitRef against = 0, truth = truth_of(b, _PyJit_Use(b, in->a), &against);
    if (truth == 0) {
        b->inlined->failed = 1;
        return;
    }
    done_quietly(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    uint32_t rare;
    branch_within(b, ends_if ? JIT_NE : JIT_EQ, truth, against, &rare);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return;
    }
    resume(b, in);
    b->slots = at_end;
    _PyJit_BeginBlock(b, rare);
    end_consumed(b, _PyJit_Const(b, REG_BOOL(ends_if)));
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
    done_quietly(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    uint32_t rare;
    branch_within(b, better, value, b->slots[reg].ref, &rare);
    JitSlot *at_better = _PyJit_CopySlots(b);
    if (at_better == NULL) {
        return;
    }
    resume(b, in);
    b->slots = at_better;
    _PyJit_BeginBlock(b, rare);
    set_slot(b, reg, value, 0);
    resume(b, in);
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
    else {
        JitRef first = b->g->nnodes, value = _PyJit_Use(b, in->a);
        int is_int = type_of(b, value) == JIT_T_INT;
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

/* ---------------------------------------------------------------- where they stand */

/* Functions that consume an iterator, and nothing else. */
static int
find_consumer(PyObject *callee, ConsumerKind *kind)
{
    static const char *const names[] = {[FOR_ANY] = "any", [FOR_ALL] = "all", [FOR_NEXT] = "next",
                                        [FOR_SUM] = "sum", [FOR_MIN] = "min", [FOR_MAX] = "max"};
    if (callee == (PyObject *)&PyList_Type || callee == (PyObject *)&PyTuple_Type
        || callee == (PyObject *)&PySet_Type) {
        *kind = callee == (PyObject *)&PyList_Type ? FOR_LIST
              : callee == (PyObject *)&PyTuple_Type ? FOR_TUPLE : FOR_SET;
        return 1;
    }
    if (callee == NULL || !Py_IS_TYPE(callee, &PyCFunction_Type)) {
        return 0;
    }
    PyCFunctionObject *func = (PyCFunctionObject *)callee;
    if (func->m_self == NULL || !PyModule_Check(func->m_self)
        || PyModule_GetDict(func->m_self) != _PyInterpreterState_GET()->builtins) {
        return 0;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        if (strcmp(names[i], func->m_ml->ml_name) == 0) {
            *kind = (ConsumerKind)i;
            return 1;
        }
    }
    return 0;
}

/* The call behind this instruction in whose window the register is the first of n arguments, or
   NULL. */
static const PyInstr *
call_with(JitBuilder *b, uint32_t ip, unsigned argument, unsigned n)
{
    const PyInstr *call = &b->code->code[ip];
    return b->source_at[ip] == 0 && _PyOpcode_Info[call->op].base == OP_CALL && call->b == n
           && argument == (unsigned)call->a + FRAME_WORDS && !(b->refused[ip] & JIT_REFUSED_AGAIN)
           ? call : NULL;
}

static const PyInstr *
call_behind(JitBuilder *b, uint32_t ip, unsigned argument)
{
    return call_with(b, ip, argument, 1);
}

/* Is it a comprehension's, or a generator expression's? */
static int
is_fit(const PyVMCode *code)
{
    int banned = CO_VARARGS | CO_VARKEYWORDS | CO_COROUTINE | CO_ASYNC_GENERATOR;
    if (code->ninstr > MOST_WORDS || code->nhandlers != 0 || code->ob.co_argcount != 1
        || code->ob.co_kwonlyargcount != 0 || (code->ob.co_flags & banned)) {
        return 0;
    }
    for (uint32_t ip = 0; ip < code->ninstr; ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        switch (_PyOpcode_Info[code->code[ip].op].base) {
        case OP_MAKE_CELL: case OP_SEND: case OP_YIELD_FROM_VALUE: case OP_MAKE_FUNCTION:
            return 0;
        }
    }
    return 1;
}

/* str.join() */
static int
find_join(JitBuilder *b, Found *found, unsigned argument)
{
    const PyInstr *call = &b->code->code[found->next];
    if (b->source_at[found->next] != 0 || call->b != 1
        || _PyOpcode_Info[call->op].base != OP_CALL_METHOD
        || argument != call->a + FRAME_WORDS + 1u) {
        return 0;
    }
    JitNode *method = _PyJit_At(b, _PyJit_Use(b, call->a));
    PyObject *join = method->op == JIT_CONST_NODE && method->type == JIT_T_OBJECT
                     ? REG_PTR(method->imm) : NULL;
    if (join == NULL || !Py_IS_TYPE(join, &PyMethodDescr_Type)
        || ((PyMethodDescrObject *)join)->d_common.d_type != &PyUnicode_Type
        || strcmp(((PyMethodDescrObject *)join)->d_method->ml_name, "join") != 0) {
        return 0;
    }
    found->outer = call->a;
    found->consumed_by = join;
    found->consumer.kind = FOR_JOIN;
    found->next += 1u + _PyOpcode_Info[call->op].cache;
    found->dest = call->c;
    return 1;
}

/* next() with a constant for the case that there is no value. */
static const PyInstr *
find_next(JitBuilder *b, Found *found, unsigned argument)
{
    const PyInstr *load = &b->code->code[found->next], *call;
    if (_PyOpcode_Info[load->op].base != OP_LOAD_CONST || load->a != argument + 1u
        || b->source_at[found->next] != 0) {
        return NULL;
    }
    call = call_with(b, found->next + 1, argument, 2);
    if (call != NULL) {
        found->consumer.fallback = _PyJit_ConstantOf(b, load);
        found->next++;
    }
    return call;
}

/* A generator needs a call that consumes it. */
static int
find_outer(JitBuilder *b, Found *found, const PyInstr *call)
{
    if (!found->code->is_generator) {
        return 1;
    }
    unsigned argument = call->c;
    const PyInstr *outer = call_behind(b, found->next, argument);
    if (outer == NULL) {
        outer = find_next(b, found, argument);
    }
    if (outer == NULL) {
        return find_join(b, found, argument);
    }
    found->outer = outer->a;
    found->consumed_by = _PyJit_SeenObject(b, _PyJit_Use(b, outer->a));
    found->next += 1u + _PyOpcode_Info[outer->op].cache;
    found->dest = outer->c;
    return find_consumer(found->consumed_by, &found->consumer.kind)
           && (outer->b == 2) == (found->consumer.kind == FOR_NEXT);
}

/* The code of the function that a MAKE_FUNCTION makes. */
static PyObject *
made_code(JitBuilder *b, const PyInstr *make)
{
    return PyTuple_GET_ITEM(b->code->ob.co_consts, ((const PyCacheWord *)(make + 1))->arg);
}

/* The comprehension whose iterator the GET_ITER at `ip` makes. */
static int
find_comprehension(JitBuilder *b, uint32_t ip, Found *found)
{
    const PyInstr *in = &b->code->code[ip];
    uint32_t next = ip + 1 + _PyOpcode_Info[in->op].cache;
    const PyInstr *call = b->inlined != NULL || in->a < b->first_temp
                          ? NULL : call_behind(b, next, in->a);
    if (call == NULL || !_PyJit_MayInline(b)) {
        return 0;
    }
    found->window = call->a;
    found->next = next + 1 + _PyOpcode_Info[call->op].cache;
    found->dest = call->c;
    if (b->held != NULL) {
        found->code = b->held->code;
        return call->a == b->held->window && find_outer(b, found, call);
    }
    found->maker = b->slots[call->a].ref;
    JitNode *made = found->maker == 0 ? NULL : _PyJit_At(b, found->maker);
    if (made == NULL || made->op != JIT_CALL_OPAQUE_NODE
        || made->aux != (const void *)_PyVM_MakeFunction) {
        return 0;
    }
    const PyInstr *make = &b->code->code[made->imm];
    const uint8_t *inlined = ((const PyJitCode *)b->g->code->jit)->inlined;
    if (inlined[made->imm] > JIT_INLINED
        || (make->c == MAKE_CLOSURE && inlined[made->imm - 1] > JIT_INLINED)) {
        return 0;           /* that has been tried */
    }
    PyObject *code = made_code(b, make);
    found->code = _PyVMCode_CAST(code);
    return is_fit(found->code) && find_outer(b, found, call);
}

/* The loop that begins the comprehension. */
static const PyInstr *
first_loop(const PyVMCode *code)
{
    for (uint32_t ip = 0; ip < code->ninstr; ip += 1u + _PyOpcode_Info[code->code[ip].op].cache) {
        if (_PyOpcode_Info[code->code[ip].op].base == OP_FOR_ITER) {
            return code->code[ip].a == 0 ? &code->code[ip] : NULL;
        }
    }
    return NULL;
}

/* The value, or 0. */
static JitRef
run(JitBuilder *b, Found *found, const JitRef *over, int *owned)
{
    int is_generator = found->code->is_generator;
    if (is_generator) {
        JitRef callee = _PyJit_Use(b, found->outer);
        if (found->consumer.kind == FOR_JOIN) {
            found->consumer.separator = to_class(b, _PyJit_Use(b, found->outer + FRAME_WORDS),
                                                 &PyUnicode_Type);
            if (found->consumer.separator == 0) {
                return 0;
            }
        }
        else if (Py_IS_TYPE(found->consumed_by, &PyCFunction_Type)) {
            callee = to_class(b, callee, &PyCFunction_Type);
            if (callee == 0) {
                return 0;
            }
            guard_mem(b, JIT_64, callee, offsetof(PyCFunctionObject, m_ml),
                      (uint64_t)((PyCFunctionObject *)found->consumed_by)->m_ml);
        }
        else {
            guard_compare(b, JIT_EQ, callee, (uint64_t)found->consumed_by);
        }
    }
    _PyJit_GuardDepth(b, 1);
    JitRef value = _PyJit_InlineComprehension(b, found->code, found->maker, over,
                                              is_generator ? &found->consumer : NULL, owned);
    if (value == 0 && found->consumer.wants_double) {
        found->consumer.is_double = 1;
        value = _PyJit_InlineComprehension(b, found->code, found->maker, over, &found->consumer,
                                           owned);
    }
    return value;
}

/* Registers [first, first + n) held what it is over. */
static void
finish(JitBuilder *b, Found *found, JitRef value, int owned, unsigned first, unsigned n)
{
    uint32_t begin = b->ip;
    JitHeld *held = b->held;
    b->held = NULL;
    for (unsigned i = 0; i < n; i++) {
        if (b->slots[first + i].ref != 0) {
            _PyJit_Done(b, first + i);
        }
    }
    if (held == NULL) {
        _PyJit_Done(b, found->window);
    }
    else {
        for (unsigned i = 0; i < held->ncells; i++) {
            _PyJit_Done(b, held->window + i);
        }
        begin = held->ip;
        held->done = 1;
    }
    if (found->consumer.kind == FOR_JOIN) {
        _PyJit_Done(b, found->outer + FRAME_WORDS);
    }
    if (found->code->is_generator) {
        _PyJit_Done(b, found->outer);
    }
    b->next = found->next;
    _PyJit_Write(b, found->dest, value, owned);
    _PyJit_FinishInstr(b, b->next);
    ((PyJitCode *)b->g->code->jit)->inlined[begin] = JIT_INLINED;
}

int
_PyJit_BuildComprehension(JitBuilder *b, const PyInstr *in)
{
    Found found = {0};
    int owned;
    if (!find_comprehension(b, b->ip, &found)) {
        return 0;
    }
    const PyInstr *loop = first_loop(found.code);
    PyTypeObject *cls = loop == NULL ? NULL
                      : _PyJit_ClassOfLoop(found.code, loop, class_of(b, _PyJit_Use(b, in->b)));
    JitRef over[4] = {cls == NULL ? 0 : to_class(b, _PyJit_Use(b, in->b), cls)};
    JitRef value = over[0] == 0 ? 0 : run(b, &found, over, &owned);
    if (value == 0) {
        return 0;
    }
    finish(b, &found, value, owned, in->b, 1);
    return 1;
}

/* The comprehension whose GET_ITER this is, over the value of the running call. */
static int
run_over(JitBuilder *b, const PyInstr *in, const JitRef *over, unsigned window, unsigned nargs)
{
    Found found = {0};
    int owned;
    JitRef value = find_comprehension(b, (uint32_t)(in - b->code->code), &found)
                   && first_loop(found.code) != NULL
                   && (over[3] == 0 || _PyJit_TakesPairs(found.code, first_loop(found.code)))
                   ? run(b, &found, over, &owned) : 0;
    if (value != 0) {
        finish(b, &found, value, owned, window, FRAME_WORDS + nargs);
    }
    return value != 0;
}

/* The loop that begins with this GET_ITER within a comprehension, or NULL. */
static const PyInstr *
inner_loop(JitBuilder *b, const PyInstr *in)
{
    const PyInstr *loop = in + 1 + _PyOpcode_Info[in->op].cache;
    return b->inlined->redone && b->inlined->caller.inlined == NULL
           && _PyOpcode_Info[loop->op].base == OP_FOR_ITER && loop->a == in->a ? loop : NULL;
}

/* An argument of zip() or enumerate(), whose class had this version: a list or tuple, or NULL. */
static PyTypeObject *
class_of_iterated(JitBuilder *b, unsigned arg, uint32_t version)
{
    PyTypeObject *known = class_of(b, _PyJit_Use(b, arg));
    if (known != NULL || version == 0) {
        return known == NULL || known == &PyList_Type ? &PyList_Type
             : known == &PyTuple_Type ? known : NULL;
    }
    return version == PyList_Type.tp_version_tag ? &PyList_Type
         : version == PyTuple_Type.tp_version_tag ? &PyTuple_Type : NULL;
}

int
_PyJit_BuildOverPairs(JitBuilder *b, PyObject *callee, unsigned window, unsigned nargs,
                      unsigned dest)
{
    const PyInstr *in = &b->code->code[b->next];
    unsigned args = window + FRAME_WORDS;
    int is_zip = callee == (PyObject *)&PyZip_Type;
    if (nargs != 1u + (unsigned)is_zip || _PyOpcode_Info[in->op].base != OP_GET_ITER
        || in->b != dest || dest < b->first_temp || b->source_at[b->next] != 0
        || b->refused[b->next]
        || (b->inlined != NULL && (inner_loop(b, in) == NULL
                                   || !_PyJit_TakesPairs(b->code, inner_loop(b, in))))) {
        return 0;
    }
    /* Found before guards are made for nothing. */
    Found found = {0};
    if (b->inlined == NULL && !find_comprehension(b, b->next, &found)) {
        return 0;
    }
    JitOperands seen = b->operands == NULL ? (JitOperands){0} : b->operands[b->ip];
    PyTypeObject *classes[2] = {class_of_iterated(b, args, seen.left),
                                is_zip ? class_of_iterated(b, args + 1, seen.right) : NULL};
    if (classes[0] == NULL || (is_zip && classes[1] == NULL)) {
        return 0;
    }
    JitRef over[4] = {0};
    for (unsigned i = 0; i < nargs; i++) {
        over[3 * i] = to_class(b, _PyJit_Use(b, args + i), classes[i]);
        if (over[3 * i] == 0) {
            return 0;
        }
    }
    if (!is_zip) {
        over[3] = _PyJit_Const(b, REG_FROM_INT(0));
    }
    guard_compare(b, JIT_EQ, _PyJit_Use(b, window), (uint64_t)callee);
    if (b->inlined == NULL) {
        return run_over(b, in, over, window, nargs);
    }
    int owned[2] = {0};
    for (unsigned i = 0; i < nargs; i++) {
        (void)_PyJit_Take(b, args + i, &owned[i]);
    }
    _PyJit_Done(b, window);
    b->next += 1u + _PyOpcode_Info[in->op].cache;
    _PyJit_Write(b, in->a, over[0], owned[0]);
    _PyJit_BeginLoop(b, in->a, _PyJit_Const(b, REG_FROM_INT(0)), 0, 0);
    _PyJit_MakePairs(b, in->a, over[3], owned[1]);
    b->inlined->failed |= owned[1];
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

int
_PyJit_BuildOverRange(JitBuilder *b, const PyInstr *in, const JitRef *words, unsigned window,
                      unsigned nargs)
{
    JitNode *step = _PyJit_At(b, words[2]);
    if (step->op != JIT_CONST_NODE || REG_INT(step->imm) == 0) {
        return 0;
    }
    if (b->inlined == NULL) {
        return run_over(b, in, (JitRef[4]){words[0], words[1], words[2]}, window, nargs);
    }
    if (inner_loop(b, in) == NULL) {
        return 0;
    }
    for (unsigned i = 0; i < nargs; i++) {
        _PyJit_Done(b, window + FRAME_WORDS + i);
    }
    _PyJit_Done(b, window);
    b->next += 1u + _PyOpcode_Info[in->op].cache;
    _PyJit_Write(b, in->a, _PyJit_Const(b, REG_NONE), 0);
    _PyJit_BeginLoop(b, in->a, words[0], words[1], words[2]);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* ------------------------------------------------------- functions that need not be made */

/* More cells than these would lie where the loop's iterator is made. */
#define MOST_CELLS FRAME_WORDS
/* So many instructions may be between the function and its call. */
#define MOST_BETWEEN 12

/* May it be executed before the function is made? What its code really is will be seen. */
static int
may_precede(int base)
{
    switch (base) {
    case OP_LOAD_GLOBAL: case OP_LOAD_ATTR: case OP_LOAD_CONST: case OP_MOVE: case OP_LOAD_DEREF:
    case OP_LOAD_FREE: case OP_LOAD_SUBSCR: case OP_LOAD_SUBSCRI: case OP_CALL: case OP_ADD:
    case OP_ADDI: case OP_SUB: case OP_SUBI: case OP_MUL: case OP_MULI: case OP_CHECK_BOUND:
        return 1;
    default:
        return 0;
    }
}

/* Is the function in this register, made at `ip`, called with an iterator soon? */
static int
leads_to_call(JitBuilder *b, uint32_t ip, unsigned window)
{
    const PyInstr *code = b->code->code;
    for (int n = 0; n < MOST_BETWEEN && ip < b->code->ninstr && b->source_at[ip] == 0; n++) {
        const PyInstr *in = &code[ip];
        int base = _PyOpcode_Info[in->op].base;
        uint32_t next = ip + 1 + _PyOpcode_Info[in->op].cache;
        if (base == OP_GET_ITER && in->a == window + FRAME_WORDS) {
            return call_behind(b, next, in->a) != NULL;
        }
        if (!may_precede(base)) {
            return 0;
        }
        ip = next;
    }
    return 0;
}

static int
has_new_owner(JitBuilder *b, const JitSaved *saved)
{
    for (unsigned r = 0; r < b->nregs; r++) {
        if (b->slots[r].ref != saved->slots[r].ref && b->slots[r].owned
            && _PyJit_MayCount(b, b->slots[r].ref)) {
            return 1;
        }
    }
    return 0;
}

int
_PyJit_BuildUnmade(JitBuilder *b, const PyInstr *in)
{
    const PyInstr *make = in;
    JitRef cells[MOST_CELLS] = {0};
    if (b->inlined != NULL || b->held != NULL || b->refused[b->ip]) {
        return 0;
    }
    if (_PyOpcode_Info[in->op].base == OP_BUILD_TUPLE) {
        make = &b->code->code[b->next];
        if (b->source_at[b->next] != 0 || _PyOpcode_Info[make->op].base != OP_MAKE_FUNCTION
            || make->c != MAKE_CLOSURE || make->b != in->a || make->a != in->b
            || in->c > MOST_CELLS) {
            return 0;
        }
    }
    else if (make->c != 0) {
        return 0;
    }
    uint32_t ip = (uint32_t)(make - b->code->code) + 1 + _PyOpcode_Info[make->op].cache;
    PyObject *code = made_code(b, make);
    JitHeld held = {.code = _PyVMCode_CAST(code), .window = make->a, .ip = b->ip, .cells = cells,
                    .ncells = make == in ? 0 : in->c};
    if (!leads_to_call(b, ip, make->a) || !is_fit(held.code) || !_PyJit_MayInline(b)) {
        return 0;
    }
    for (unsigned i = 0; i < held.ncells; i++) {
        cells[i] = _PyJit_Use(b, in->b + i);
    }
    held.snap = _PyJit_SnapBefore(b);
    JitSaved saved;
    if (!_PyJit_Save(b, &saved)) {
        return 0;
    }
    b->held = &held;
    while (!held.done && !held.failed) {
        JitRef first = b->g->nnodes;
        b->ip = ip;
        b->next = ip + 1 + _PyOpcode_Info[b->code->code[ip].op].cache;
        if (!_PyJit_BuildInstruction(b)) {
            held.failed = 1;
        }
        held.failed |= !held.done && (!_PyJit_IsPure(b, first) || has_new_owner(b, &saved)
                                      || b->g->nblocks != saved.graph.nblocks);
        ip = b->next;
    }
    b->held = NULL;
    if (held.failed || b->g->failed) {
        _PyJit_Forget(b, &saved);
        return 0;
    }
    return 1;
}
