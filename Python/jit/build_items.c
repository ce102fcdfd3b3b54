/* Items of lists, tuples and dicts: subscripts, loops, unpacking, len(). */
#include "build_ops.h"
#include "items.h"
#include "internal/index_iter.h"
#include "internal/list.h"
#include "internal/tuple.h"
#include "internal/dict.h"
#include "internal/unicode.h"

/* ------------------------------------------------------------------- sequences */

/* A list or tuple as its items: the first is at items + offset. */
typedef struct {
    JitRef items, size;         /* raw */
    size_t offset;
} Items;

static Items
items_of(JitBuilder *b, JitRef sequence, int is_list)
{
    Items it;
    it.size = load(b, JIT_T_RAW, JIT_64, sequence, offsetof(PyVarObject, ob_size));
    it.items = is_list ? load(b, JIT_T_RAW, JIT_64, sequence, offsetof(PyListObject, ob_item))
                       : sequence;
    it.offset = is_list ? 0 : offsetof(PyTupleObject, ob_item);
    return it;
}

/* What has been seen of an instruction. One that was never executed while that was looked for
   is nothing special, for what a wrong guess says of a variable would be asked of all who enter
   loops behind it. Only in what is built into its caller, where handlers can't be called, it is
   taken for the most frequent case. */
static int
kinds_here(JitBuilder *b, int usual)
{
    int kinds = b->kinds[b->ip];
    return kinds != 0 || b->inlined == NULL ? kinds : usual | JIT_SEEN_INT << JIT_SEEN_RIGHT;
}

/* The class of which all containers were, if it is one that has code here; else NULL. */
static PyTypeObject *
seen_class(int kinds)
{
    if (JIT_RIGHT(kinds) & JIT_SEEN_NO_ITEMS) {
        return NULL;
    }
    switch (JIT_LEFT(kinds)) {
    case JIT_SEEN_LIST: return &PyList_Type;
    case JIT_SEEN_TUPLE: return &PyTuple_Type;
    case JIT_SEEN_DICT: return &PyDict_Type;
    case JIT_SEEN_STR: return &PyUnicode_Type;
    default: return NULL;
    }
}

JitRef
_PyJit_ObjectAt(JitBuilder *b, JitRef base, JitRef index, size_t offset)
{
    return add_load(b, (JitNode){.op = JIT_LOAD_INDEXED_NODE, .type = JIT_T_OBJECT,
                                 .args = {base, index}, .width = JIT_64, .imm = offset,
                                 .ip = b->ip});
}

/* The item at a raw index. */
static JitRef
item_at(JitBuilder *b, Items it, JitRef index)
{
    return _PyJit_ObjectAt(b, it.items, index, it.offset);
}

JitRef
_PyJit_ItemOf(JitBuilder *b, JitRef sequence, JitRef index)
{
    return item_at(b, items_of(b, sequence, class_of(b, sequence) == &PyList_Type), index);
}

/* An item that is to outlive the container. */
static void
own(JitBuilder *b, JitRef item)
{
    incref(b, item);
}

/* The raw index of a tagged one that is in range; negative ones leave if they are not known, as
   in `a[-1] += x`. */
static JitRef
checked_index(JitBuilder *b, Items it, JitRef tag)
{
    if (_PyJit_At(b, tag)->op == JIT_CONST_NODE && REG_INT(_PyJit_At(b, tag)->imm) < 0) {
        int64_t from_end = REG_INT(_PyJit_At(b, tag)->imm);
        guard_words(b, JIT_GE, it.size, raw_const(b, (uint64_t)-from_end));
        JitRef sum = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, it.size, 0);
        _PyJit_At(b, sum)->imm = (uint64_t)from_end;
        return sum;
    }
    JitRef index = pure(b, JIT_UNTAG_NODE, JIT_T_RAW, tag);
    guard_words(b, JIT_ULT, index, it.size);
    return index;
}

/* ------------------------------------------------------------------ subscripts */

/* The item takes the place of the operands: borrowed, unless the container may die with them. */
static void
finish_item(JitBuilder *b, unsigned container, unsigned key, unsigned to, JitRef item)
{
    int counts = _PyJit_Dies(b, container) && _PyJit_MayCount(b, item);
    if (counts) {
        own(b, item);
    }
    if (key != container) {
        _PyJit_Done(b, key);
    }
    _PyJit_Done(b, container);
    _PyJit_WriteValue(b, to, item, counts);
}

static int
build_load_index(JitBuilder *b, const PyInstr *in, PyTypeObject *cls)
{
    JitRef key = to_int(b, _PyJit_Use(b, in->c));
    JitRef sequence = key == 0 ? 0 : to_class(b, _PyJit_Use(b, in->b), cls);
    if (sequence == 0) {
        return 0;
    }
    Items it = items_of(b, sequence, cls == &PyList_Type);
    JitRef item = item_at(b, it, checked_index(b, it, key));
    finish_item(b, in->b, in->c, in->a, item);
    return 1;
}

/* A call of a function of items.c. */
static JitRef
call(JitBuilder *b, JitType type, const void *function, JitRef x, JitRef y, JitRef z)
{
    JitRef ref = _PyJit_Node(b, JIT_CALL_NODE, type, x, y);
    JitNode *n = _PyJit_At(b, ref);
    n->args[2] = z;
    n->nargs = z != 0 ? 3 : y != 0 ? 2 : 1;
    n->aux = function;
    return ref;
}

/* An operand as a word that can be passed to such a function: 0 if it is a double. */
static JitRef
use_word(JitBuilder *b, unsigned reg)
{
    JitRef ref = _PyJit_Use(b, reg);
    return type_of(b, ref) == JIT_T_DOUBLE ? 0 : ref;
}

/* Keys that items.c can look for. */
static int
has_plain_keys(int key_kinds)
{
    return key_kinds != 0 && (key_kinds & ~(JIT_SEEN_INT | JIT_SEEN_QUIET_KEY)) == 0;
}

static int
build_load_dict(JitBuilder *b, const PyInstr *in)
{
    JitRef key = use_word(b, in->c);
    JitRef dict = key == 0 ? 0 : to_class(b, _PyJit_Use(b, in->b), &PyDict_Type);
    if (dict == 0) {
        return 0;
    }
    const void *function = _PyJit_WasSearched(b, dict, key, 0)
                           ? (const void *)_PyJit_DictItemFound : (const void *)_PyJit_DictItem;
    (void)_PyJit_SnapBefore(b);
    JitRef value = call(b, JIT_T_OBJECT, function, dict, key, 0);
    guard_compare(b, JIT_NE, value, 0);
    _PyJit_Done(b, in->c);
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, value, 1);
    return 1;
}

/* Of an ASCII text, at a raw index that is in range: its characters are objects that stay. */
static JitRef
character_at(JitBuilder *b, JitRef str, JitRef index)
{
    JitRef code = add_load(b, (JitNode){.op = JIT_LOAD_INDEXED_NODE, .type = JIT_T_RAW,
                                        .args = {str, index}, .width = JIT_8,
                                        .imm = sizeof(PyASCIIObject), .ip = b->ip});
    JitRef value = _PyJit_ObjectAt(b, raw_const(b, (uint64_t)_PyUnicode_latin1), code, 0);
    _PyJit_At(b, value)->cls = &PyUnicode_Type;
    return value;
}

static int
build_load_character(JitBuilder *b, const PyInstr *in)
{
    const PyASCIIObject ascii = {.state = {.ascii = 1, .compact = 1}};
    JitRef key = to_int(b, _PyJit_Use(b, in->c));
    JitRef str = key == 0 ? 0 : to_class(b, _PyJit_Use(b, in->b), &PyUnicode_Type);
    if (str == 0) {
        return 0;
    }
    uint32_t flags;
    memcpy(&flags, &ascii.state, sizeof(flags));
    JitRef state = load(b, JIT_T_RAW, JIT_32, str, offsetof(PyASCIIObject, state));
    guard_compare(b, JIT_EQ, raw_op(b, JIT_AND, state, raw_const(b, flags)), flags);
    JitRef size = load(b, JIT_T_RAW, JIT_64, str, offsetof(PyASCIIObject, length));
    JitRef index = pure(b, JIT_UNTAG_NODE, JIT_T_RAW, key);
    if (_PyJit_At(b, key)->op != JIT_CONST_NODE || REG_INT(_PyJit_At(b, key)->imm) < 0) {
        /* The sign of a negative one is all ones. */
        JitRef sign = raw_op(b, JIT_SAR, index, raw_const(b, 63));
        index = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, index, raw_op(b, JIT_AND, sign, size));
    }
    guard_words(b, JIT_ULT, index, size);
    JitRef character = character_at(b, str, index);
    _PyJit_Done(b, in->c);
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, character, 0);
    return 1;
}

static int
build_load_subscr(JitBuilder *b, const PyInstr *in)
{
    int kinds = kinds_here(b, JIT_SEEN_LIST);
    PyTypeObject *cls = seen_class(kinds);
    if ((cls == &PyList_Type || cls == &PyTuple_Type) && JIT_RIGHT(kinds) == JIT_SEEN_INT) {
        return build_load_index(b, in, cls);
    }
    if (cls == &PyDict_Type && has_plain_keys(JIT_RIGHT(kinds))) {
        return build_load_dict(b, in);
    }
    if (cls == &PyUnicode_Type && JIT_RIGHT(kinds) == JIT_SEEN_INT) {
        return build_load_character(b, in);
    }
    return 0;
}

/* A constant index, perhaps from the end. */
static int
build_load_constant_index(JitBuilder *b, const PyInstr *in)
{
    PyTypeObject *cls = seen_class(kinds_here(b, JIT_SEEN_TUPLE));
    int64_t index = (int16_t)in->c;
    if (cls != &PyList_Type && cls != &PyTuple_Type) {
        return 0;
    }
    JitRef sequence = to_class(b, _PyJit_Use(b, in->b), cls);
    if (sequence == 0) {
        return 0;
    }
    Items it = items_of(b, sequence, cls == &PyList_Type);
    JitRef item;
    if (index >= 0) {
        guard_words(b, JIT_GT, it.size, raw_const(b, (uint64_t)index));
        item = load(b, JIT_T_OBJECT, JIT_64, it.items,
                    it.offset + (size_t)index * sizeof(PyObject *));
    }
    else {
        guard_words(b, JIT_GE, it.size, raw_const(b, (uint64_t)-index));
        it.offset -= (size_t)-index * sizeof(PyObject *);
        item = item_at(b, it, it.size);
    }
    finish_item(b, in->b, in->b, in->a, item);
    return 1;
}

/* A value that can be stored: an object, an int or a double, or a word that may be any of them.
   Where ways meet, or C has been called, machine code may have a tag of what the interpreter
   keeps as an object. */
static JitRef
storable(JitBuilder *b, JitRef value, int kinds)
{
    int saw_tag = JIT_LEFT(kinds) & JIT_SEEN_STORED_TAG;
    int saw_object = JIT_RIGHT(kinds) & JIT_SEEN_STORED_OBJECT;
    if (type_of(b, value) == JIT_T_WORD) {
        if (saw_object && (saw_tag || _PyJit_At(b, value)->op != JIT_LOAD_REG_NODE)) {
            return value;
        }
        if (saw_object) {
            value = to_object(b, value);
        }
        else if (saw_tag) {
            JitRef tag = guarded(b, JIT_GUARD_INT_NODE, JIT_T_INT, value, 0);
            _PyJit_Refine(b, value, tag);
            value = tag;
        }
        else {
            return 0;
        }
    }
    JitType type = type_of(b, value);
    return type == JIT_T_INT || type == JIT_T_DOUBLE || type == JIT_T_OBJECT ? value : 0;
}

static JitRef
boxed(JitBuilder *b, JitRef word)
{
    (void)_PyJit_SnapBefore(b);
    JitRef object = call(b, JIT_T_OBJECT, (const void *)_PyJit_ObjectOf, word, 0, 0);
    guard_compare(b, JIT_NE, object, 0);
    return object;
}

/* The same as an object with a reference of its own, in place of `old`. */
static JitRef
take_storable(JitBuilder *b, unsigned reg, JitRef value, JitRef old)
{
    JitNode *n = _PyJit_At(b, value);
    int owned = 0;
    if (n->op == JIT_CONST_NODE && n->type == JIT_T_INT && _PyLong_IsSmallValue(REG_INT(n->imm))) {
        _PyJit_Done(b, reg);
        JitRef small = _PyJit_Const(b, (PyReg)_PyLong_BorrowSmall(REG_INT(n->imm)));
        own(b, small);
        return small;
    }
    if (n->type != JIT_T_OBJECT) {
        value = n->type == JIT_T_WORD ? boxed(b, value) : box(b, value, old);
        _PyJit_Done(b, reg);
        return value;
    }
    if (reg >= b->first_temp) {
        value = _PyJit_Take(b, reg, &owned);
    }
    if (!owned && _PyJit_MayCount(b, value)) {
        own(b, value);
    }
    return value;
}

static int
build_store_dict(JitBuilder *b, const PyInstr *in)
{
    JitRef key = use_word(b, in->b);
    JitRef dict = key == 0 ? 0 : to_class(b, _PyJit_Use(b, in->a), &PyDict_Type);
    if (dict == 0) {
        return 0;
    }
    JitRef value = _PyJit_Use(b, in->c);
    if (type_of(b, value) == JIT_T_DOUBLE) {
        /* Boxed where a failing guard does not lose it. */
        _PyJit_Sync(b);
        value = load_word(b, JIT_T_WORD, in->c);
    }
    own_before_guards(b);
    const void *function = _PyJit_WasSearched(b, dict, key, 0)
                           ? (const void *)_PyJit_DictStoreFound : (const void *)_PyJit_DictStore;
    (void)_PyJit_SnapBefore(b);
    JitRef old = call(b, JIT_T_WORD, function, dict, key, value);
    guard_compare(b, JIT_NE, old, 0);
    _PyJit_GiveUp(b, old, 1);
    _PyJit_Done(b, in->c);
    _PyJit_Done(b, in->b);
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static int
build_store_subscr(JitBuilder *b, const PyInstr *in)
{
    int kinds = kinds_here(b, JIT_SEEN_LIST);
    int key_kinds = JIT_RIGHT(kinds) & ~JIT_SEEN_STORED_OBJECT;
    if ((JIT_LEFT(kinds) & ~JIT_SEEN_STORED_TAG) == JIT_SEEN_DICT && has_plain_keys(key_kinds)) {
        return build_store_dict(b, in);
    }
    if ((JIT_LEFT(kinds) & ~JIT_SEEN_STORED_TAG) != JIT_SEEN_LIST || key_kinds != JIT_SEEN_INT) {
        return 0;
    }
    JitRef key = to_int(b, _PyJit_Use(b, in->b));
    JitRef list = key == 0 ? 0 : to_class(b, _PyJit_Use(b, in->a), &PyList_Type);
    if (list == 0) {
        return 0;
    }
    Items it = items_of(b, list, 1);
    JitRef index = checked_index(b, it, key);
    JitRef value = storable(b, _PyJit_Use(b, in->c), kinds);
    if (value == 0) {
        return 0;
    }
    JitRef old = item_at(b, it, index);
    _PyJit_OwnBorrowed(b, 0, class_of(b, old));
    value = take_storable(b, in->c, value, old);
    JitRef put = _PyJit_Node(b, JIT_STORE_INDEXED_NODE, JIT_T_NONE, it.items, index);
    _PyJit_At(b, put)->args[2] = value;
    _PyJit_At(b, put)->width = JIT_64;
    _PyJit_At(b, put)->imm = it.offset;
    _PyJit_GiveUp(b, old, 1);
    _PyJit_Done(b, in->b);
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* ------------------------------------------------------------------- unpacking */

/* What is given up in one instruction is limited (JitBuilder.releases). */
#define MOST_UNPACKED 6

static int
build_unpack(JitBuilder *b, const PyInstr *in)
{
    PyTypeObject *cls = seen_class(kinds_here(b, JIT_SEEN_TUPLE));
    JitRef values[MOST_UNPACKED];
    if ((cls != &PyList_Type && cls != &PyTuple_Type) || in->c > MOST_UNPACKED) {
        return 0;
    }
    JitRef sequence = to_class(b, _PyJit_Use(b, in->b), cls);
    if (sequence == 0) {
        return 0;
    }
    Items it = items_of(b, sequence, cls == &PyList_Type);
    guard_words(b, JIT_EQ, it.size, raw_const(b, in->c));
    for (unsigned i = 0; i < in->c; i++) {
        values[i] = load(b, JIT_T_OBJECT, JIT_64, it.items,
                         it.offset + i * sizeof(PyObject *));
    }
    for (unsigned i = 0; i < in->c; i++) {
        own(b, values[i]);
    }
    _PyJit_Done(b, in->b);
    for (unsigned i = 0; i < in->c; i++) {
        _PyJit_Write(b, in->a + i, values[i], 1);
    }
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* Has an instance of a class of Python's been seen here? */
static int
has_method(JitBuilder *b)
{
    return b->operands != NULL && b->operands[b->ip].left != 0
           && b->operands[b->ip].left != JIT_OPERAND_MIXED
           && b->operands[b->ip].left != JIT_OPERAND_PLAIN
           && JIT_LEFT(b->kinds[b->ip]) == 0;
}

int
_PyJit_BuildItem(JitBuilder *b, const PyInstr *in)
{
    switch (_PyOpcode_Info[in->op].base) {
    case OP_LOAD_SUBSCR:
        return build_load_subscr(b, in)
               || (has_method(b) && _PyJit_BuildGetItem(b, _PyJit_Use(b, in->b),
                                                        _PyJit_Use(b, in->c), in->b, in->c))
               || (has_method(b) && _PyJit_CallGetItem(b, in));
    case OP_LOAD_SUBSCRI:
        return build_load_constant_index(b, in)
               || (has_method(b)
                   && _PyJit_BuildGetItem(b, _PyJit_Use(b, in->b),
                                          _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->c)),
                                          in->b, in->b))
               || (has_method(b) && _PyJit_CallGetItem(b, in));
    case OP_STORE_SUBSCR:
        return _PyJit_CallSetItem(b, in) || build_store_subscr(b, in);
    case OP_UNPACK_SEQUENCE: case OP_UNPACK_LOCALS: return build_unpack(b, in);
    default: return 0;
    }
}

/* ----------------------------------------------------------------------- loops */

/* The loop is over: the iterator forgets what it went through, and is dropped. Takes the copy of
   the state there. */
static void
build_items_end(JitBuilder *b, const PyInstr *in, uint32_t edge, JitSlot *slots, JitRef it,
                JitRef sequence)
{
    b->slots = slots;
    _PyJit_BeginBlock(b, edge);
    store(b, JIT_64, it, offsetof(_PyIndexIter, sequence), raw_const(b, 0));
    drop_iterator(b, in->a, (const void *)_PyIndexIter_DropExhausted);
    _PyJit_GiveUp(b, sequence, 1);
    _PyJit_FinishInstr(b, _PyJit_JumpTarget(b->code, b->ip));
    jump_to(b, taken(b));
}

/* The class of the iterator that the loop has seen, of those that are built here. */
static PyTypeObject *
class_of_iterator(const PyInstr *in)
{
    const void *next = in->op == OP_FOR_ITER__C ? ((const PyCacheWord *)(in + 1))[1].ptr : NULL;
    return in->op == OP_FOR_ITER__LIST ? &PyListIter_Type
         : in->op == OP_FOR_ITER__TUPLE ? &PyTupleIter_Type
         : next != NULL && next == (const void *)_PyUnicodeASCIIIter_Type.tp_iternext
         ? &_PyUnicodeASCIIIter_Type : NULL;
}

/* An exhausted iterator, which has no sequence, leaves. */
int
_PyJit_BuildForItems(JitBuilder *b, const PyInstr *in)
{
    PyTypeObject *cls = class_of_iterator(in);
    JitRef it = cls == NULL ? 0 : to_class(b, _PyJit_Use(b, in->a), cls);
    if (it == 0) {
        return 0;
    }
    int is_text = cls == &_PyUnicodeASCIIIter_Type, is_list = cls == &PyListIter_Type;
    /* Perhaps of a subclass. */
    JitRef sequence = load(b, JIT_T_OBJECT, JIT_64, it, offsetof(_PyIndexIter, sequence));
    guard_compare(b, JIT_NE, sequence, 0);
    JitRef index = load(b, JIT_T_RAW, JIT_64, it, offsetof(_PyIndexIter, index));
    JitRef size = load(b, JIT_T_RAW, JIT_64, sequence,
                       is_text ? offsetof(PyASCIIObject, length) : offsetof(PyVarObject, ob_size));
    uint32_t rare;
    branch_within(b, JIT_GE, index, size, &rare);
    JitSlot *at_end = _PyJit_CopySlots(b);
    if (at_end == NULL) {
        return 1;
    }
    JitRef item;
    if (is_text) {
        item = character_at(b, sequence, index);
    }
    else {
        JitRef items = is_list
            ? load(b, JIT_T_RAW, JIT_64, sequence, offsetof(PyListObject, ob_item)) : sequence;
        item = item_at(b, (Items){items, size,
                                  is_list ? 0 : offsetof(PyTupleObject, ob_item)}, index);
    }
    JitRef next = _PyJit_Node(b, JIT_RAW_ADD_NODE, JIT_T_RAW, index, 0);
    _PyJit_At(b, next)->imm = 1;
    store(b, JIT_64, it, offsetof(_PyIndexIter, index), next);
    own(b, item);
    _PyJit_WriteValue(b, in->b, item, 1);
    jump_to(b, not_taken(b));
    build_items_end(b, in, rare, at_end, it, sequence);
    return 1;
}

/* ----------------------------------------------------------------------- len() */

int
_PyJit_BuildLen(JitBuilder *b, const PyInstr *in)
{
    int seen = JIT_RIGHT(b->kinds[b->ip]);
    PyTypeObject *cls = seen_class(seen);
    unsigned argument = in->a + FRAME_WORDS;
    if (in->op != OP_CALL__LEN || cls == NULL) {
        return 0;
    }
    JitRef func = to_class(b, _PyJit_Use(b, in->a), &PyCFunction_Type);
    JitRef object = func == 0 ? 0 : to_class(b, _PyJit_Use(b, argument), cls);
    if (object == 0) {
        return 0;
    }
    const PyCacheWord *cache = (const PyCacheWord *)(in + 1);
    guard_mem(b, JIT_64, func, offsetof(PyCFunctionObject, m_ml), (uint64_t)cache[1].ptr);
    JitRef size = _PyJit_LengthOf(b, object, cls);
    JitRef tag = guarded(b, JIT_TAG_NODE, JIT_T_INT, size, 0);
    _PyJit_Done(b, argument);
    _PyJit_Done(b, in->a);
    _PyJit_WriteValue(b, in->c, tag, 0);
    return 1;
}

/* ------------------------------------------------------------------ membership */

/* What a raw 1 or 0 means for the instruction. */
static void
finish_in(JitBuilder *b, const PyInstr *in, JitRef truth)
{
    int base = _PyOpcode_Info[in->op].base;
    if (base == OP_JUMP_IF_IN || base == OP_JUMP_IF_NOT_IN) {
        _PyJit_ReleaseBeforeJump(b);
        branch(b, base == OP_JUMP_IF_IN ? JIT_NE : JIT_EQ, truth, raw_const(b, 0));
        return;
    }
    JitRef value = _PyJit_Node(b, JIT_CMP_NODE, JIT_T_OBJECT, truth, raw_const(b, 0));
    _PyJit_At(b, value)->cond = base == OP_IN ? JIT_NE : JIT_EQ;
    _PyJit_At(b, value)->cls = &PyBool_Type;
    _PyJit_WriteValue(b, in->a, value, 0);
}

int
_PyJit_BuildIn(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    int jumps = base == OP_JUMP_IF_IN || base == OP_JUMP_IF_NOT_IN;
    unsigned item_reg = jumps ? in->a : in->b, container_reg = jumps ? in->b : in->c;
    JitRef item = use_word(b, item_reg), container = use_word(b, container_reg);
    if (item == 0 || container == 0 || JIT_RIGHT(b->kinds[b->ip]) & JIT_SEEN_ASKED) {
        return 0;
    }
    (void)_PyJit_SnapBefore(b);
    JitRef truth = call(b, JIT_T_RAW, (const void *)_PyJit_Contains, item, container, 0);
    guard_compare(b, JIT_GE, truth, 0);
    _PyJit_Done(b, item_reg);
    _PyJit_Done(b, container_reg);
    finish_in(b, in, truth);
    return 1;
}

/* ------------------------------------------------- tuples that are only looked for */

/* The instruction that takes the tuple as a key, and where its container is. */
typedef struct {
    const PyInstr *in;
    uint32_t ip;
    uint32_t load;              /* a global's or cell's in front of it, of the container, or 0 */
    unsigned container;
    int loads, jumps;
} KeyUser;

static int
find_key_user(JitBuilder *b, const PyInstr *tuple, KeyUser *user)
{
    uint32_t ip = b->next;
    const PyInstr *in = &b->code->code[ip];
    *user = (KeyUser){0};
    int loads = _PyOpcode_Info[in->op].base;
    if ((loads == OP_LOAD_GLOBAL || loads == OP_LOAD_DEREF || loads == OP_LOAD_FREE)
        && in->a >= b->first_temp && in->a != tuple->a && b->source_at[ip] == 0
        && !b->refused[ip]) {
        user->load = ip;
        ip += 1u + _PyOpcode_Info[in->op].cache;
        in = &b->code->code[ip];
    }
    int base = _PyOpcode_Info[in->op].base, kinds = b->kinds[ip];
    user->in = in;
    user->ip = ip;
    user->loads = base == OP_LOAD_SUBSCR;
    user->jumps = base == OP_JUMP_IF_IN || base == OP_JUMP_IF_NOT_IN;
    unsigned key = user->loads ? in->c : user->jumps ? in->a : in->b;
    user->container = user->loads || user->jumps ? in->b : in->c;
    int fits = user->loads ? JIT_LEFT(kinds) == JIT_SEEN_DICT
                             && JIT_RIGHT(kinds) == JIT_SEEN_QUIET_KEY
             : (user->jumps || base == OP_IN || base == OP_NOT_IN)
               && JIT_RIGHT(kinds) == JIT_SEEN_KNOWN;
    return fits && key == tuple->a && user->container != key && b->source_at[ip] == 0
           && !b->refused[ip]
           && (user->load == 0 || b->code->code[user->load].a == user->container);
}

/* Nothing that dies with the tuple may run code in a function that is built in. */
static void
guard_parts(JitBuilder *b, const PyInstr *tuple)
{
    for (unsigned r = tuple->b; b->inlined != NULL && r < (unsigned)tuple->b + tuple->c; r++) {
        if (_PyJit_Dies(b, r)) {
            _PyJit_GuardQuiet(b, _PyJit_Use(b, r));
        }
    }
}

static JitRef
call_key(JitBuilder *b, JitType type, const void *function, const JitRef *args)
{
    JitRef ref = call(b, type, function, args[0], args[1], args[2]);
    _PyJit_At(b, ref)->args[3] = args[3];
    _PyJit_At(b, ref)->nargs = 4;
    return ref;
}

/* dict.get((a, b), a constant or variable), set.add((a, b)): the call, or NULL. *more: the
   instruction of the second argument, if there is one. */
static const PyInstr *
find_method(JitBuilder *b, const PyInstr *tuple, PyTypeObject *cls, const char *name,
            const PyInstr **more, uint32_t *ip)
{
    const PyInstr *code = b->code->code;
    unsigned nargs = 1;
    *ip = b->next;
    *more = NULL;
    int base = _PyOpcode_Info[code[*ip].op].base;
    if ((base == OP_LOAD_CONST || (base == OP_MOVE && code[*ip].b < b->first_temp))
        && code[*ip].a == tuple->a + 1u && b->source_at[*ip] == 0) {
        *more = &code[*ip];
        *ip += 1u + _PyOpcode_Info[code[*ip].op].cache;
        nargs = 2;
    }
    const PyInstr *call = &code[*ip];
    if (_PyOpcode_Info[call->op].base != OP_CALL_METHOD || call->b != nargs
        || tuple->a != call->a + FRAME_WORDS + 1u || b->source_at[*ip] != 0 || b->refused[*ip]
        || tuple->c != 2) {
        return NULL;
    }
    JitNode *method = _PyJit_At(b, _PyJit_Use(b, call->a));
    PyObject *found = method->op == JIT_CONST_NODE && method->type == JIT_T_OBJECT
                      ? REG_PTR(method->imm) : NULL;
    return found != NULL && Py_IS_TYPE(found, &PyMethodDescr_Type)
           && ((PyMethodDescrObject *)found)->d_common.d_type == cls
           && strcmp(((PyMethodDescrObject *)found)->d_method->ml_name, name) == 0 ? call : NULL;
}

/* The value of dict.get() where there is none. 0: it can't be passed on. */
static JitRef
default_of(JitBuilder *b, const PyInstr *more)
{
    if (more == NULL) {
        return _PyJit_Const(b, REG_NONE);
    }
    if (_PyOpcode_Info[more->op].base == OP_LOAD_CONST) {
        return _PyJit_Const(b, _PyJit_ConstantOf(b, more));
    }
    return use_word(b, more->b);        /* it is bound: CHECK_BOUND stands before BUILD_TUPLE */
}

/* The end of a method's call at ip that has looked for the pair. Leaves if that did nothing. */
static int
finish_pair(JitBuilder *b, const PyInstr *tuple, uint32_t ip, JitRef value)
{
    const PyInstr *call = &b->code->code[ip];
    guard_compare(b, JIT_NE, value, 0);
    _PyJit_Done(b, tuple->b + 1u);
    _PyJit_Done(b, tuple->b);
    _PyJit_Done(b, call->a + FRAME_WORDS);
    _PyJit_Done(b, call->a);
    b->ip = ip;
    b->next = ip + 1 + _PyOpcode_Info[call->op].cache;
    _PyJit_WriteValue(b, call->c, value, 1);
    return 1;
}

static int
build_get(JitBuilder *b, const PyInstr *tuple)
{
    const PyInstr *more;
    uint32_t ip;
    const PyInstr *call = find_method(b, tuple, &PyDict_Type, "get", &more, &ip);
    JitRef parts[2] = {0};
    for (unsigned i = 0; call != NULL && i < 2; i++) {
        parts[i] = use_word(b, tuple->b + i);
    }
    unsigned self = call == NULL ? 0 : call->a + FRAME_WORDS;
    if (parts[0] == 0 || parts[1] == 0) {
        return 0;
    }
    JitRef dict = to_class(b, _PyJit_Use(b, self), &PyDict_Type);
    if (dict == 0) {
        return 0;
    }
    guard_parts(b, tuple);
    if (b->inlined != NULL && _PyJit_Dies(b, self)) {
        _PyJit_GuardQuiet(b, dict);
    }
    JitRef otherwise = default_of(b, more);
    if (otherwise == 0) {
        return 0;
    }
    (void)_PyJit_SnapBefore(b);
    JitRef value = call_key(b, JIT_T_WORD, (const void *)_PyJit_DictGetOf,
                            (JitRef[]){dict, parts[0], parts[1], otherwise});
    return finish_pair(b, tuple, ip, value);
}

/* set.add((a, b)) */
static int
build_set_add(JitBuilder *b, const PyInstr *tuple)
{
    const PyInstr *more;
    uint32_t ip;
    const PyInstr *method = b->inlined == NULL
        ? find_method(b, tuple, &PySet_Type, "add", &more, &ip) : NULL;
    if (method == NULL || more != NULL) {
        return 0;
    }
    unsigned self = method->a + FRAME_WORDS;
    JitRef x = use_word(b, tuple->b), y = use_word(b, tuple->b + 1u);
    JitRef set = x == 0 || y == 0 ? 0 : to_class(b, _PyJit_Use(b, self), &PySet_Type);
    if (set == 0) {
        return 0;
    }
    const void *function = _PyJit_WasSearched(b, set, x, y) ? (const void *)_PyJit_SetAddFoundOf
                                                            : (const void *)_PyJit_SetAddOf;
    (void)_PyJit_SnapBefore(b);
    JitRef value = call(b, JIT_T_WORD, function, set, x, y);
    return finish_pair(b, tuple, ip, value);
}

/* dict[a, b] = value */
static int
build_store_pair(JitBuilder *b, const PyInstr *tuple)
{
    const PyInstr *in = &b->code->code[b->next];
    int kinds = b->kinds[b->next];
    if (_PyOpcode_Info[in->op].base != OP_STORE_SUBSCR || in->b != tuple->a || in->a == tuple->a
        || in->c == tuple->a || tuple->c != 2 || b->source_at[b->next] != 0
        || b->refused[b->next] || b->inlined != NULL
        || (JIT_LEFT(kinds) & ~JIT_SEEN_STORED_TAG) != JIT_SEEN_DICT
        || (JIT_RIGHT(kinds) & ~JIT_SEEN_STORED_OBJECT) != JIT_SEEN_QUIET_KEY) {
        return 0;
    }
    JitRef x = use_word(b, tuple->b), y = use_word(b, tuple->b + 1u), value = use_word(b, in->c);
    JitRef dict = x == 0 || y == 0 || value == 0 ? 0
                  : to_class(b, _PyJit_Use(b, in->a), &PyDict_Type);
    if (dict == 0) {
        return 0;
    }
    own_before_guards(b);
    const void *function = _PyJit_WasSearched(b, dict, x, y)
                           ? (const void *)_PyJit_DictStoreFoundOf
                           : (const void *)_PyJit_DictStoreOf;
    (void)_PyJit_SnapBefore(b);
    JitRef old = call_key(b, JIT_T_WORD, function, (JitRef[]){dict, x, y, value});
    guard_compare(b, JIT_NE, old, 0);
    b->ip = b->next;
    b->next += 1u + _PyOpcode_Info[in->op].cache;
    _PyJit_GiveUp(b, old, 1);
    _PyJit_Done(b, in->c);
    _PyJit_Done(b, tuple->b + 1u);
    _PyJit_Done(b, tuple->b);
    _PyJit_Done(b, in->a);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* The key is looked for by its parts. */
int
_PyJit_BuildTupleKey(JitBuilder *b, const PyInstr *in)
{
    KeyUser user;
    JitRef args[JIT_ARGS];
    if (in->c < 2 || in->c >= JIT_ARGS || in->a < b->first_temp || b->held != NULL
        || b->refused[b->ip]) {
        return 0;
    }
    if (!find_key_user(b, in, &user)) {
        return build_get(b, in) || build_set_add(b, in) || build_store_pair(b, in)
               ? 1 : _PyJit_BuildTupleComparison(b, in);
    }
    for (unsigned i = 0; i < in->c; i++) {
        args[i + 1] = use_word(b, in->b + i);
        if (args[i + 1] == 0 || (user.load == 0 && user.container == in->b + i)) {
            return 0;
        }
    }
    const PyInstr *load = &b->code->code[user.load];
    args[0] = user.load == 0 ? use_word(b, user.container)
            : _PyOpcode_Info[load->op].base == OP_LOAD_GLOBAL ? _PyJit_Global(b, user.load)
            : _PyJit_CellValue(b, load);
    args[0] = args[0] == 0 || !user.loads ? args[0] : to_class(b, args[0], &PyDict_Type);
    if (args[0] == 0) {
        return 0;
    }
    guard_parts(b, in);
    if (user.load == 0 && b->inlined != NULL && _PyJit_Dies(b, user.container)) {
        _PyJit_GuardQuiet(b, args[0]);
    }
    if (in->c == 2) {
        args[3] = raw_const(b, 0);
    }
    (void)_PyJit_SnapBefore(b);
    JitRef found = user.loads
        ? call_key(b, JIT_T_OBJECT, (const void *)_PyJit_DictItemOf, args)
        : call_key(b, JIT_T_RAW, (const void *)_PyJit_ContainsTuple, args);
    guard_words(b, user.loads ? JIT_NE : JIT_GE, found, raw_const(b, 0));
    for (unsigned i = 0; i < in->c; i++) {
        _PyJit_Done(b, in->b + i);
    }
    if (user.load == 0) {
        _PyJit_Done(b, user.container);
    }
    b->ip = user.ip;
    b->next = user.ip + 1 + _PyOpcode_Info[user.in->op].cache;
    if (!user.loads) {
        finish_in(b, user.in, found);
        return user.jumps ? -1 : 1;
    }
    _PyJit_WriteValue(b, user.in->a, found, 1);
    return 1;
}
