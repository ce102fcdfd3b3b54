/* Instructions whose operands are of any type: arithmetic, comparison, subscripts and slices of
   what other files have no code for, f-strings, displays, functions, cells, exceptions.

   Most are one call of a function of vm_values.h, which does what the handler does, without the way
   there: operands and the value stay in registers, and what is known of the other registers
   stays known. Those of texts.h do not even need the frame to be true. */
#include "build_ops.h"
#include "items.h"
#include "slices.h"
#include "texts.h"
#include "internal/vm_values.h"
#include "internal/slot_prototypes.h"
#include "internal/type.h"

#undef A
#undef B
#undef C

/* ------------------------------------------------------------------------ calls */

/* A call that may run other code; who calls this sets the operands. cond: how it tells of an
   exception. */
static JitRef
call_any(JitBuilder *b, JitType type, const void *function, int cond, const JitRef *args, int n)
{
    JitRef ref = _PyJit_Node(b, JIT_CALL_OPAQUE_NODE, type, 0, 0);
    JitNode *node = _PyJit_At(b, ref);
    for (int i = 0; i < n; i++) {
        node->args[i] = args[i];
    }
    node->nargs = (uint16_t)n;
    node->aux = function;
    node->cond = (uint8_t)cond;
    node->imm = b->ip;
    return ref;
}

/* The word of an operand, with a reference. Doubles are in memory. */
static JitRef
take_word(JitBuilder *b, unsigned reg)
{
    JitRef ref = _PyJit_Use(b, reg);
    JitSlot *slot = &b->slots[reg];
    JitType type = type_of(b, ref);
    int is_temp = reg >= b->first_temp, owned = 0;
    if (!slot->dirty && slot->memptr && (type == JIT_T_DOUBLE || (type == JIT_T_INT && is_temp))) {
        ref = load_word(b, JIT_T_WORD, reg);        /* a number, as an object */
        if (is_temp) {
            store_word(b, reg, _PyJit_Const(b, 0));
            *slot = (JitSlot){0};
            owned = 1;
        }
    }
    else {
        (void)_PyJit_Take(b, reg, &owned);
    }
    if (!owned) {
        incref_counted(b, ref);
    }
    return ref;
}

/* Doubles become objects, which is a guard, before anything is taken. */
static void
box_doubles(JitBuilder *b)
{
    for (unsigned r = 0; r < b->nregs; r++) {
        if (b->slots[r].dirty && type_of(b, b->slots[r].ref) == JIT_T_DOUBLE) {
            _PyJit_Sync(b);
            break;
        }
    }
}

/* Operands of a function that takes over their references and may run other code: all else that
   is in registers is in memory behind this. All guards of the instruction stand before. */
static void
take_words(JitBuilder *b, const unsigned *regs, int n, JitRef *words)
{
    box_doubles(b);
    for (int i = 0; i < n; i++) {
        words[i] = take_word(b, regs[i]);
    }
    _PyJit_Sync(b);
}

/* The end of an instruction that has called other code. */
static int
finish(JitBuilder *b)
{
    _PyJit_FinishInstr(b, b->next);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

static int
finish_value(JitBuilder *b, JitRef value)
{
    _PyJit_WriteValue(b, instr(b)->a, value, 1);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* A function of up to three operands and perhaps a constant behind them, for the value of the
   instruction. */
static int
call_for_value(JitBuilder *b, JitType type, PyTypeObject *cls, const void *function,
               const unsigned *regs, int n, const uint64_t *constant)
{
    JitRef args[JIT_ARGS];
    take_words(b, regs, n, args);
    if (constant != NULL) {
        args[n++] = raw_const(b, *constant);
    }
    JitRef value = call_any(b, type, function, JIT_RAISES_NULL, args, n);
    _PyJit_At(b, value)->cls = cls;
    return finish_value(b, value);
}

/* The same without a value. */
static int
call_for_effect(JitBuilder *b, const void *function, const unsigned *regs, int n)
{
    JitRef args[JIT_ARGS];
    take_words(b, regs, n, args);
    (void)call_any(b, JIT_T_NONE, function, JIT_RAISES_NEGATIVE, args, n);
    return finish(b);
}

/* A function of quiet.h's kind: 0, and nothing done, where the interpreter has to go on. */
static JitRef
call_quiet(JitBuilder *b, JitType type, PyTypeObject *cls, const void *function,
           const JitRef *args, int n)
{
    (void)_PyJit_SnapBefore(b);
    JitRef ref = _PyJit_Node(b, JIT_CALL_NODE, type, 0, 0);
    JitNode *node = _PyJit_At(b, ref);
    for (int i = 0; i < n; i++) {
        node->args[i] = args[i];
    }
    node->nargs = (uint16_t)n;
    node->aux = function;
    guard_compare(b, JIT_NE, ref, 0);
    _PyJit_At(b, ref)->cls = cls;           /* behind the guard, which would be sure of it */
    return ref;
}

/* An operand for that: a double is 0. */
static JitRef
use_word(JitBuilder *b, unsigned reg)
{
    JitRef ref = _PyJit_Use(b, reg);
    return type_of(b, ref) == JIT_T_DOUBLE ? 0 : ref;
}

/* ------------------------------------------------------------------- operators */

/* The class of Python's whose instance was the left operand; NULL: none was, or *is_known is 0. */
static PyTypeObject *
left_class(JitBuilder *b, PyTypeObject **right, int *is_known)
{
    JitOperands seen = b->operands == NULL ? (JitOperands){0} : b->operands[b->ip];
    *is_known = 1;
    if (seen.left == 0 || seen.left == JIT_OPERAND_PLAIN || seen.left == JIT_OPERAND_COMPLEX
        || seen.left == JIT_OPERAND_BOOL) {
        return NULL;
    }
    PyTypeObject *type = recorded_class(b);
    *right = right_type(seen.right);
    *is_known = type != NULL;
    return type;
}

/* Will the operator be a method in Python? The handler pushes its frame, so it is called. */
static int
runs_method(JitBuilder *b, int kind, int in_place, int compares)
{
    int is_known;
    PyTypeObject *right = NULL, *type = left_class(b, &right, &is_known);
    if (type == NULL || !is_known) {
        return !is_known;
    }
    /* Where the right operand's type is not known, as of a constant: whatever it is. */
    return compares ? type->tp_richcompare == slot_richcompare
         : _PyVM_OperatorMethod(type, right == NULL ? type : right, kind, in_place) != NULL;
}

static int
saw_plain(JitBuilder *b)
{
    return b->operands != NULL && b->operands[b->ip].left == JIT_OPERAND_PLAIN
           && !b->refused[b->ip];
}

/* A sum of strs. The variable that is written gives up its value first: if there is no other
   reference to that, it grows in its place. */
static int
build_text_sum(JitBuilder *b, const PyInstr *in)
{
    JitRef args[2] = {use_word(b, in->b), use_word(b, in->c)};
    if (args[0] == 0 || args[1] == 0 || to_class(b, args[0], &PyUnicode_Type) == 0
        || to_class(b, _PyJit_Use(b, in->c), &PyUnicode_Type) == 0) {
        return 0;
    }
    box_doubles(b);
    JitSlot *slot = &b->slots[in->b];
    args[1] = take_word(b, in->c);
    if (in->a == in->b && in->b != in->c && in->b < b->first_temp && !slot->dirty && slot->memptr) {
        args[0] = slot->ref;
        JitRef none = _PyJit_Const(b, 0);
        store_word(b, in->b, none);
        *slot = (JitSlot){.ref = none};
    }
    else {
        args[0] = take_word(b, in->b);
    }
    _PyJit_Sync(b);
    JitRef text = call_any(b, JIT_T_OBJECT, (const void *)_PyVM_AddTexts, JIT_RAISES_NULL, args, 2);
    _PyJit_At(b, text)->cls = &PyUnicode_Type;
    return finish_value(b, text);
}

int
_PyJit_BuildAnyArithmetic(JitBuilder *b, int kind, int in_place)
{
    const PyInstr *in = instr(b);
    if (kind == K_ADD && saw_plain(b) && build_text_sum(b, in)) {
        return 1;
    }
    int base = _PyOpcode_Info[in->op].base;
    int is_constant = base >= OP_ADDI && base <= OP_RSHIFTI;
    uint64_t how = (uint64_t)kind | (in_place ? 256 : 0);
    if (runs_method(b, kind, in_place, 0)) {
        return 0;
    }
    unsigned regs[2] = {in->b, in->c};
    JitRef args[3];
    if (is_constant) {
        take_words(b, regs, 1, args);
        args[1] = _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->c));
    }
    else {
        take_words(b, regs, 2, args);
    }
    args[2] = raw_const(b, how);
    JitRef value = call_any(b, JIT_T_WORD, (const void *)_PyVM_Arithmetic, JIT_RAISES_NULL, args,
                            3);
    return finish_value(b, value);
}

int
_PyJit_BuildAnyUnary(JitBuilder *b, int base)
{
    int is_known;
    uint64_t op = (uint64_t)base;
    PyTypeObject *right = NULL, *type = left_class(b, &right, &is_known);
    return type == NULL && is_known
           && call_for_value(b, JIT_T_OBJECT, NULL, (const void *)_PyVM_Unary,
                             (unsigned[]){instr(b)->b}, 1, &op);
}

int
_PyJit_BuildAnyCompare(JitBuilder *b, int op)
{
    const PyInstr *in = instr(b);
    uint64_t how = (uint64_t)op;
    return !runs_method(b, 0, 0, 1)
           && call_for_value(b, JIT_T_OBJECT, NULL, (const void *)_PyVM_Compare,
                             (unsigned[]){in->b, in->c}, 2, &how);
}

/* Code may have to be left on either way. */
static void
branch_checked(JitBuilder *b, JitCond cond, JitRef x, JitRef y)
{
    JitRef ref = _PyJit_Node(b, JIT_BRANCH_NODE, JIT_T_NONE, x, y);
    _PyJit_At(b, ref)->cond = (uint8_t)cond;
    uint32_t target = _PyJit_JumpTarget(b->code, b->ip);
    uint32_t jumps = _PyJit_AddEdge(b->g, b->block, 0), falls = _PyJit_AddEdge(b->g, b->block, 0);
    _PyJit_CloseBlock(b, jumps, falls);
    _PyJit_BeginBlock(b, jumps);
    _PyJit_CheckOk(b, target);
    jump_to(b, taken(b));
    _PyJit_BeginBlock(b, falls);
    _PyJit_CheckOk(b, b->next);
    jump_to(b, not_taken(b));
}

int
_PyJit_BuildAnyCompareJump(JitBuilder *b, int number)
{
    const PyInstr *in = instr(b);
    int immediate = number >= 12, negated = number % 12 >= 6;
    if (runs_method(b, 0, 0, 1)) {
        return 0;
    }
    JitRef args[3];
    unsigned regs[2] = {in->a, in->b};
    take_words(b, regs, immediate ? 1 : 2, args);
    if (immediate) {
        args[1] = _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->b));
    }
    args[2] = raw_const(b, (uint64_t)(number % 6));
    JitRef truth = call_any(b, JIT_T_RAW, (const void *)_PyVM_CompareTruth, JIT_RAISES_NEGATIVE,
                            args, 3);
    branch_checked(b, negated ? JIT_EQ : JIT_NE, truth, raw_const(b, 0));
    return 1;
}

/* ------------------------------------------------------- subscripts and slices */

/* Has an instance of a class of Python's been seen whose method is Python's, or several? */
static int
has_item_method(JitBuilder *b, int stores)
{
    int is_known;
    PyTypeObject *right = NULL, *type = left_class(b, &right, &is_known);
    if (type == NULL) {
        return !is_known;
    }
    PyMappingMethods *slots = type->tp_as_mapping;
    return slots != NULL && (stores ? slots->mp_ass_subscript == slot_ass_subscript
                                    : slots->mp_subscript == _PySlot_GetItem);
}

static int
build_load_any_item(JitBuilder *b, const PyInstr *in, int is_constant)
{
    if (has_item_method(b, 0)) {
        return 0;
    }
    JitRef args[2];
    unsigned regs[2] = {in->b, in->c};
    take_words(b, regs, is_constant ? 1 : 2, args);
    if (is_constant) {
        args[1] = _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->c));
    }
    return finish_value(b, call_any(b, JIT_T_WORD, (const void *)_PyVM_GetItem, JIT_RAISES_NULL,
                                    args, 2));
}

/* A container that machine code asks without the frame. */
static int
build_plain_item(JitBuilder *b, const PyInstr *in, int is_constant)
{
    int kinds = b->kinds[b->ip], seen = JIT_LEFT(kinds), key = JIT_RIGHT(kinds);
    int is_other = (key & JIT_SEEN_NO_ITEMS) && seen == 0 && saw_plain(b);
    int is_plain = is_constant && !(key & JIT_SEEN_NO_ITEMS)
                   && (seen == JIT_SEEN_STR || seen == JIT_SEEN_DICT);
    if ((!is_other && !is_plain) || (key & ~JIT_SEEN_NO_ITEMS) != JIT_SEEN_INT
        || b->refused[b->ip]) {
        return 0;
    }
    JitRef args[2] = {use_word(b, in->b),
                      is_constant ? _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->c))
                                  : use_word(b, in->c)};
    if (args[0] == 0 || args[1] == 0) {
        return 0;
    }
    JitRef value = call_quiet(b, JIT_T_WORD, NULL, (const void *)_PyJit_PlainItem, args, 2);
    if (!is_constant) {
        _PyJit_Done(b, in->c);
    }
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, value, 1);
    return 1;
}

int
_PyJit_BuildAnyItem(JitBuilder *b, const PyInstr *in)
{
    switch (_PyOpcode_Info[in->op].base) {
    case OP_LOAD_SUBSCR:
        return build_plain_item(b, in, 0) || build_load_any_item(b, in, 0);
    case OP_LOAD_SUBSCRI:
        return build_plain_item(b, in, 1) || build_load_any_item(b, in, 1);
    case OP_STORE_SUBSCR:
        return !has_item_method(b, 1)
               && call_for_effect(b, (const void *)_PyVM_SetItem,
                                  (unsigned[]){in->a, in->b, in->c}, 3);
    default:
        return 0;
    }
}

/* dest = container[bounds], of a built-in sequence: without the frame. */
static int
build_quiet_slice(JitBuilder *b, unsigned dest, unsigned container, unsigned bounds, unsigned n)
{
    int seen = JIT_LEFT(b->kinds[b->ip]), others = JIT_RIGHT(b->kinds[b->ip]);
    PyTypeObject *cls = others != 0 ? NULL
                      : seen == JIT_SEEN_LIST ? &PyList_Type
                      : seen == JIT_SEEN_TUPLE ? &PyTuple_Type
                      : seen == JIT_SEEN_STR ? &PyUnicode_Type : NULL;
    if ((seen == 0 && others == 0) || (seen & JIT_SEEN_DICT) || (others & JIT_SEEN_NO_ITEMS)
        || b->refused[b->ip]) {
        return 0;
    }
    JitRef args[4] = {0};
    for (unsigned i = 0; i < n; i++) {
        args[i + 1] = use_word(b, bounds + i);
        if (args[i + 1] == 0) {
            return 0;
        }
    }
    args[0] = cls != NULL ? to_class(b, _PyJit_Use(b, container), cls) : use_word(b, container);
    if (args[0] == 0) {
        return 0;
    }
    if (n == 2) {
        args[3] = _PyJit_Const(b, REG_NONE);
    }
    JitRef part = call_quiet(b, JIT_T_OBJECT, cls, (const void *)_PyJit_Slice, args, 4);
    for (unsigned i = 0; i < n; i++) {
        _PyJit_Done(b, bounds + i);
    }
    _PyJit_Done(b, container);
    _PyJit_WriteValue(b, dest, part, 1);
    return 1;
}

static int
build_load_slice(JitBuilder *b, const PyInstr *in)
{
    return build_quiet_slice(b, in->a, in->b, in->c, 2)
           || call_for_value(b, JIT_T_OBJECT, NULL, (const void *)_PyVM_GetSlice,
                             (unsigned[]){in->b, in->c, in->c + 1u}, 3, NULL);
}

/* A slice of a list that was cut right before, for nothing but to be stored in a list now: it need
   not be made (slices.h). Who leaves meanwhile goes back to where it is cut, for nothing that was
   done since is seen. */
static int
promise_slice(JitBuilder *b, JitRef part)
{
    JitNode *cut = _PyJit_At(b, part);
    if (b->inlined != NULL || b->held != NULL || cut->op != JIT_CALL_NODE
        || cut->aux != (const void *)_PyJit_Slice || cut->cls != &PyList_Type
        || _PyJit_At(b, cut->args[0])->cls != &PyList_Type
        || part < b->g->blocks[b->block].nodes.first || !_PyJit_IsPure(b, part + 1)) {
        return 0;
    }
    uint32_t before = 0;
    for (JitRef ref = part + 1; ref < b->g->nnodes; ref++) {
        const JitNode *n = _PyJit_At(b, ref);
        int is_answer = before == 0 && n->op == JIT_GUARD_CMP_NODE && n->args[0] == part;
        if (is_answer) {
            before = n->snap;
        }
        int uses = 0;
        for (int i = 0; i < JIT_ARGS; i++) {
            uses |= n->args[i] == part;
        }
        if ((_PyJit_NodeFlags[n->op] & JIT_CALLS) || (uses && !is_answer)) {
            return 0;
        }
    }
    if (before == 0) {
        return 0;
    }
    cut->type = JIT_T_RAW;
    cut->cls = NULL;
    cut->aux = (const void *)_PyJit_PromiseSlice;
    for (JitRef ref = part + 1; ref < b->g->nnodes; ref++) {
        JitNode *n = _PyJit_At(b, ref);
        n->snap = n->snap != 0 ? before : 0;
    }
    b->snap = before;
    return 1;
}

/* list[start:stop] = value, or del list[start:stop] if `value` is no register. */
static int
build_list_slice(JitBuilder *b, unsigned container, unsigned bounds, int value)
{
    JitRef args[4] = {0};
    args[1] = use_word(b, bounds);
    args[2] = args[1] == 0 ? 0 : use_word(b, bounds + 1);
    args[0] = args[2] == 0 ? 0 : to_class(b, _PyJit_Use(b, container), &PyList_Type);
    if (args[0] == 0) {
        return 0;
    }
    const void *function = (const void *)_PyJit_StoreSlice;
    if (value < 0) {
        args[3] = raw_const(b, 0);
    }
    else {
        PyTypeObject *cls = JIT_RIGHT(b->kinds[b->ip]) == JIT_SEEN_LIST ? &PyList_Type
                                                                        : &PyTuple_Type;
        args[3] = to_class(b, _PyJit_Use(b, (unsigned)value), cls);
        if (args[3] == 0) {
            return 0;
        }
        if (cls == &PyList_Type && (unsigned)value >= b->first_temp
            && _PyJit_Dies(b, (unsigned)value)) {
            function = (const void *)_PyJit_MoveToSlice;
        }
    }
    own_before_guards(b);
    int is_new = function == (const void *)_PyJit_MoveToSlice;
    if (is_new && promise_slice(b, args[3])) {
        function = (const void *)_PyJit_StorePromised;
    }
    (void)call_quiet(b, JIT_T_WORD, NULL, function, args, 4);
    _PyJit_Done(b, bounds);
    _PyJit_Done(b, bounds + 1);
    if (is_new) {
        int owned;
        (void)_PyJit_Take(b, (unsigned)value, &owned);      /* it is gone */
    }
    else if (value >= 0) {
        _PyJit_Done(b, (unsigned)value);
    }
    _PyJit_Done(b, container);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static int
build_store_slice(JitBuilder *b, const PyInstr *in)
{
    int seen = JIT_RIGHT(b->kinds[b->ip]);
    if (JIT_LEFT(b->kinds[b->ip]) == JIT_SEEN_LIST && !b->refused[b->ip]
        && (seen == JIT_SEEN_LIST || seen == JIT_SEEN_TUPLE)
        && build_list_slice(b, in->a, in->b, in->c)) {
        return 1;
    }
    return call_for_effect(b, (const void *)_PyVM_SetSlice,
                           (unsigned[]){in->a, in->b, in->b + 1u, in->c}, 4);
}

/* With the instruction behind it, if that alone needs the slice. */
static int
build_used_slice(JitBuilder *b, const PyInstr *in)
{
    const PyInstr *user = _PyJit_SliceUser(in);
    uint32_t next = b->next;
    if (user == NULL || b->source_at[next] != 0 || in->a < b->first_temp) {
        return 0;
    }
    b->next = next + 1 + _PyOpcode_Info[user->op].cache;
    int is_list = b->kinds[b->ip] == JIT_SEEN_LIST && !b->refused[b->ip];
    int done = in->c == 3 ? build_quiet_slice(b, user->a, user->b, in->b, 3)
                          : is_list && build_list_slice(b, user->a, in->b, -1);
    b->next = done ? b->next : next;
    return done;
}

static int
build_make_slice(JitBuilder *b, const PyInstr *in)
{
    uint64_t none = 0;
    return build_used_slice(b, in)
           || call_for_value(b, JIT_T_OBJECT, &PySlice_Type, (const void *)_PyVM_MakeSlice,
                             (unsigned[]){in->b, in->b + 1u, in->b + 2u}, in->c,
                             in->c == 2 ? &none : NULL);
}

/* ---------------------------------------------------------------- f-strings */

/* A text of a value, by a function that makes it of ints, floats and strs. other: what the
   instruction has beside it. */
static int
build_plain_text(JitBuilder *b, const PyInstr *in, const void *function, JitRef other)
{
    int kinds = JIT_LEFT(b->kinds[b->ip]);
    if (b->refused[b->ip] || kinds == 0 || (kinds & JIT_SEEN_OTHER)) {
        return 0;
    }
    JitRef args[2] = {use_word(b, in->b), other};
    if (args[0] == 0) {
        return 0;
    }
    JitRef text = call_quiet(b, JIT_T_OBJECT, &PyUnicode_Type, function, args,
                             other != 0 ? 2 : 1);
    if (_PyOpcode_Info[in->op].base == OP_FORMAT_SPEC) {
        _PyJit_Done(b, in->c);
    }
    _PyJit_Done(b, in->b);
    _PyJit_WriteValue(b, in->a, text, 1);
    return 1;
}

static int
build_format(JitBuilder *b, const PyInstr *in)
{
    JitRef value = _PyJit_Use(b, in->b);
    int is_str = class_of(b, value) == &PyUnicode_Type
                 || (JIT_LEFT(b->kinds[b->ip]) == JIT_SEEN_TEXT && !b->refused[b->ip]);
    if (is_str && type_of(b, value) != JIT_T_DOUBLE
        && (value = to_class(b, value, &PyUnicode_Type)) != 0) {
        int owned;
        (void)_PyJit_Take(b, in->b, &owned);
        _PyJit_WriteValue(b, in->a, value, owned);
        return 1;
    }
    return build_plain_text(b, in, (const void *)_PyJit_PlainText, 0)
           || call_for_value(b, JIT_T_OBJECT, NULL, (const void *)_PyVM_Format,
                             (unsigned[]){in->b}, 1, NULL);
}

static int
build_format_spec(JitBuilder *b, const PyInstr *in)
{
    JitRef spec = use_word(b, in->c);
    return (spec != 0
            && build_plain_text(b, in, (const void *)_PyJit_FormattedText, spec))
           || call_for_value(b, JIT_T_OBJECT, NULL, (const void *)_PyVM_FormatSpec,
                             (unsigned[]){in->b, in->c}, 2, NULL);
}

static int
build_convert(JitBuilder *b, const PyInstr *in)
{
    uint64_t how = in->c;
    const void *plain = how == 1 ? (const void *)_PyJit_PlainText
                      : how == 2 ? (const void *)_PyJit_PlainRepr : NULL;
    return (plain != NULL && build_plain_text(b, in, plain, 0))
           || call_for_value(b, JIT_T_OBJECT, NULL, (const void *)_PyVM_Convert,
                             (unsigned[]){in->b}, 1, &how);
}

/* The pieces are put into their registers for a moment, without being counted. */
static int
build_join(JitBuilder *b, const PyInstr *in)
{
    unsigned n = in->c;
    uint64_t owned = 0;
    JitRef pieces[64];
    if (n > Py_ARRAY_LENGTH(pieces) || b->refused[b->ip] || b->inlined != NULL) {
        return 0;
    }
    for (unsigned i = 0; i < n; i++) {
        JitRef piece = use_word(b, in->b + i);
        if (piece == 0 || type_of(b, piece) == JIT_T_INT) {
            return 0;
        }
    }
    uint32_t snap = _PyJit_SnapBefore(b);
    for (unsigned i = 0; i < n; i++) {
        JitSlot *slot = &b->slots[in->b + i];
        pieces[i] = slot->ref;
        owned |= (uint64_t)(_PyJit_Dies(b, in->b + i) && _PyJit_MayCount(b, slot->ref)) << i;
        if (slot->dirty) {
            store_word(b, in->b + i, pieces[i]);
        }
    }
    JitRef text = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_OBJECT, raw_const(b, in->b | n << 16),
                              raw_const(b, owned));
    JitNode *node = _PyJit_At(b, text);
    node->nargs = 2;
    node->reg = 1;
    node->aux = (const void *)_PyJit_Join;
    guard_answer(b, JIT_NE, text, snap);
    _PyJit_At(b, text)->cls = &PyUnicode_Type;
    for (unsigned i = 0; i < n; i++) {
        b->slots[in->b + i] = (JitSlot){0};
    }
    b->snap = 0;
    _PyJit_WriteValue(b, in->a, text, 1);
    return 1;
}

/* --------------------------------------------------------- from runs of registers */

/* A function that finds its operands in memory, from register b on. */
static int
call_with_frame(JitBuilder *b, const PyInstr *in, PyTypeObject *cls, const void *function,
                unsigned used, int with_run)
{
    JitRef args[2];
    _PyJit_Sync(b);
    if (with_run) {
        args[0] = raw_const(b, in->b);
        args[1] = raw_const(b, in->c);
    }
    JitRef value = call_any(b, JIT_T_OBJECT, function, JIT_RAISES_NULL, args, with_run ? 2 : 0);
    _PyJit_At(b, value)->reg = 1;
    _PyJit_At(b, value)->cls = cls;
    for (unsigned r = in->b; r < in->b + used; r++) {
        b->slots[r] = (JitSlot){.memptr = 1};
    }
    return finish_value(b, value);
}

static unsigned
function_parts(unsigned flags)
{
    unsigned n = 0;
    for (; flags != 0; flags &= flags - 1) {
        n++;
    }
    return n;
}

/* ----------------------------------------------------------------------- cells */

static int
build_store_cell(JitBuilder *b, JitRef cell, unsigned reg)
{
    JitRef value = _PyJit_Use(b, reg);
    if (b->inlined != NULL) {
        return 0;
    }
    if (type_of(b, value) == JIT_T_WORD) {
        int seen = JIT_LEFT(b->kinds[b->ip]), is_int = seen == JIT_SEEN_INT;
        if (b->refused[b->ip] || seen == (JIT_SEEN_INT | JIT_SEEN_OTHER)) {
            return 0;
        }
        JitRef better = guarded(b, is_int ? JIT_GUARD_INT_NODE : JIT_GUARD_OBJECT_NODE,
                                is_int ? JIT_T_INT : JIT_T_OBJECT, value, 0);
        _PyJit_Refine(b, value, better);
        value = better;
    }
    JitRef old = load(b, JIT_T_WORD, JIT_64, cell, offsetof(PyCellObject, ob_ref));
    _PyJit_OwnBorrowed(b, 0, NULL);
    JitNode n = *_PyJit_At(b, value);
    if (n.op == JIT_CONST_NODE && n.type == JIT_T_INT && _PyLong_IsSmallValue(REG_INT(n.imm))) {
        _PyJit_Done(b, reg);
        value = _PyJit_Const(b, (PyReg)_PyLong_BorrowSmall(REG_INT(n.imm)));
        incref(b, value);
    }
    else {
        value = _PyJit_TakeObject(b, reg, value, 0);
    }
    store(b, JIT_64, cell, offsetof(PyCellObject, ob_ref), value);
    _PyJit_GiveUp(b, old, 1);
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

/* --------------------------------------------------------------------- exceptions */

static int
build_begin_handling(JitBuilder *b, const PyInstr *in)
{
    JitRef exc = to_object(b, _PyJit_Use(b, in->b));
    if (exc == 0) {
        return 0;
    }
    JitRef previous = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_OBJECT, exc, 0);
    JitNode *n = _PyJit_At(b, previous);
    n->nargs = 1;
    n->aux = (const void *)_PyVM_BeginHandling;
    _PyJit_WriteValue(b, in->a, previous, 1);
    return 1;
}

/* What a `types` operand catches: a raw 1 or 0, or 0: not known here. */
static JitRef
catches(JitBuilder *b, unsigned exc, unsigned types)
{
    JitRef args[2] = {to_object(b, _PyJit_Use(b, exc)), use_word(b, types)};
    if (args[0] == 0 || args[1] == 0 || b->refused[b->ip]) {
        return 0;
    }
    (void)_PyJit_SnapBefore(b);
    JitRef answer = _PyJit_Node(b, JIT_CALL_NODE, JIT_T_RAW, args[0], args[1]);
    _PyJit_At(b, answer)->nargs = 2;
    _PyJit_At(b, answer)->aux = (const void *)_PyVM_Catches;
    guard_compare(b, JIT_GE, answer, 0);
    return answer;
}

static int
build_check_match(JitBuilder *b, const PyInstr *in)
{
    JitRef answer = catches(b, in->b, in->c);
    if (answer == 0) {
        return 0;
    }
    JitRef truth = _PyJit_Node(b, JIT_BOOL_NODE, JIT_T_OBJECT, answer, 0);
    _PyJit_At(b, truth)->cls = &PyBool_Type;
    _PyJit_Done(b, in->c);
    _PyJit_WriteValue(b, in->a, truth, 0);
    return 1;
}

int
_PyJit_BuildMatchJump(JitBuilder *b, const PyInstr *in)
{
    JitRef answer = catches(b, in->a, in->b);
    if (answer == 0) {
        return 0;
    }
    _PyJit_Done(b, in->b);
    _PyJit_ReleaseBeforeJump(b);
    branch(b, JIT_EQ, answer, raw_const(b, 0));
    return 1;
}

/* Has the type of a pattern's subject one of these flags? */
static int
build_flag_test(JitBuilder *b, const PyInstr *in, uint64_t flag)
{
    JitRef subject = to_object(b, _PyJit_Use(b, in->b));
    if (subject == 0 || b->refused[b->ip]) {
        return 0;
    }
    JitRef type = load(b, JIT_T_RAW, JIT_64, subject, offsetof(PyObject, ob_type));
    JitRef flags = load(b, JIT_T_RAW, JIT_64, type, offsetof(PyTypeObject, tp_flags));
    JitRef bit = raw_op(b, JIT_AND, flags, raw_const(b, flag));
    JitRef truth = _PyJit_Node(b, JIT_CMP_NODE, JIT_T_OBJECT, bit, raw_const(b, 0));
    _PyJit_At(b, truth)->cond = JIT_NE;
    _PyJit_At(b, truth)->cls = &PyBool_Type;
    _PyJit_WriteValue(b, in->a, truth, 0);
    return 1;
}

static int
build_length(JitBuilder *b, const PyInstr *in)
{
    PyTypeObject *cls = class_of(b, _PyJit_Use(b, in->b));
    if (cls != &PyTuple_Type && cls != &PyList_Type) {
        return 0;
    }
    JitRef size = load(b, JIT_T_RAW, JIT_64, _PyJit_Use(b, in->b),
                       offsetof(PyVarObject, ob_size));
    _PyJit_WriteValue(b, in->a, guarded(b, JIT_TAG_NODE, JIT_T_INT, size, 0), 0);
    return 1;
}

/* The method in window b goes to window a. */
static int
build_move_method(JitBuilder *b, const PyInstr *in)
{
    static const unsigned words[] = {0, 1, FRAME_WORDS};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(words); i++) {
        int owned;
        JitRef word = _PyJit_Take(b, in->b + words[i], &owned);
        _PyJit_Write(b, in->a + words[i], word, owned);
    }
    _PyJit_FinishInstr(b, b->next);
    return 1;
}

static int
build_delete_attr(JitBuilder *b, const PyInstr *in)
{
    JitRef args[2];
    take_words(b, (unsigned[]){in->a}, 1, args);
    args[1] = _PyJit_Const(b, (PyReg)PyTuple_GET_ITEM(b->code->ob.co_names, (uint32_t)in->bc));
    (void)call_any(b, JIT_T_NONE, (const void *)_PyVM_DeleteAttr, JIT_RAISES_NEGATIVE, args, 2);
    return finish(b);
}

/* ------------------------------------------------------------------- instructions */

int
_PyJit_BuildValue(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    switch (base) {
    case OP_LOAD_SLICE: return build_load_slice(b, in);
    case OP_STORE_SLICE: return build_store_slice(b, in);
    case OP_BUILD_SLICE: return build_make_slice(b, in);
    case OP_DELETE_SUBSCR:
        return call_for_effect(b, (const void *)_PyVM_DeleteItem, (unsigned[]){in->a, in->b}, 2);
    case OP_DELETE_ATTR: return build_delete_attr(b, in);
    case OP_FORMAT: return build_format(b, in);
    case OP_FORMAT_SPEC: return build_format_spec(b, in);
    case OP_CONVERT: return build_convert(b, in);
    case OP_BUILD_STRING: return build_join(b, in);
    case OP_BUILD_TUPLE_REST:
        return call_with_frame(b, in, &PyTuple_Type, (const void *)_PyVM_MakeTupleWithRest,
                               in->c, 1);
    case OP_BUILD_SET:
        return call_with_frame(b, in, &PySet_Type, (const void *)_PyVM_MakeSet, in->c, 1);
    case OP_BUILD_MAP:
        return call_with_frame(b, in, &PyDict_Type, (const void *)_PyVM_MakeMap, 2u * in->c, 1);
    case OP_BUILD_CONST_KEY_MAP:
        return call_with_frame(b, in, &PyDict_Type, (const void *)_PyVM_MakeKeyMap, in->c, 1);
    case OP_MAKE_FUNCTION:
        return call_with_frame(b, in, &PyFunction_Type, (const void *)_PyVM_MakeFunction,
                               function_parts(in->c), 0);
    case OP_STORE_DEREF: return build_store_cell(b, _PyJit_Use(b, in->a), in->b);
    case OP_STORE_FREE: return build_store_cell(b, _PyJit_FreeCell(b, in->b), in->a);
    case OP_LOAD_FREE_CELL:
        _PyJit_WriteValue(b, in->a, _PyJit_FreeCell(b, in->b), 0);
        return 1;
    case OP_CLEAR_LOCAL:
        _PyJit_WriteValue(b, in->a, _PyJit_Const(b, 0), 0);
        return 1;
    case OP_LOAD_ASSERTION_ERROR:
        _PyJit_WriteValue(b, in->a, _PyJit_Const(b, (PyReg)PyExc_AssertionError), 0);
        return 1;
    case OP_MATCH_SEQUENCE: return build_flag_test(b, in, Py_TPFLAGS_SEQUENCE);
    case OP_MATCH_MAPPING: return build_flag_test(b, in, Py_TPFLAGS_MAPPING);
    case OP_GET_LEN: return build_length(b, in);
    case OP_MOVE_METHOD: return build_move_method(b, in);
    case OP_PUSH_EXC: return build_begin_handling(b, in);
    case OP_POP_EXCEPT:
        return call_for_effect(b, (const void *)_PyVM_EndHandling, (unsigned[]){in->a}, 1);
    case OP_CHECK_EXC_MATCH: return build_check_match(b, in);
    default: return 0;
    }
}
