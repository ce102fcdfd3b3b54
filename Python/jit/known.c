/* What is known while a block is built: what memory holds, and what guards have made sure of.

   Nodes are noted in their order, when somebody asks: so what makes nodes need not say what they
   change. What is known of memory ends with a store that may be to the same place, and where
   other code may run. What is known of a value is true for good. Both end with the block, but
   go on into one that nothing else leads to.

   The value of a float never changes while it can be looked at: a box that is used again
   (BOX_DOUBLE) was referred to from one place only, which holds the new value from then on. */
#include "build.h"
#include "items.h"
#include "quiet.h"
#include "internal/type.h"
#include <stddef.h>

#define MOST_MEMORY ((int)Py_ARRAY_LENGTH(((JitBuilder *)0)->memory))
#define MOST_FACTS ((int)Py_ARRAY_LENGTH(((JitBuilder *)0)->facts))

/* Guards pass their operand on. */
static JitRef
guarded_value(JitBuilder *b, JitRef ref)
{
    JitNode *n = _PyJit_At(b, ref);
    while (n->op == JIT_GUARD_OBJECT_NODE || n->op == JIT_GUARD_CLASS_NODE
           || n->op == JIT_GUARD_INT_NODE) {
        ref = n->args[0];
        n = _PyJit_At(b, ref);
    }
    return ref;
}

/* --------------------------------------------------------------------- memory */

static unsigned
width_of(JitWidth width)
{
    switch (width) {
    case JIT_8: case JIT_S8: return 1;
    case JIT_16: case JIT_S16: return 2;
    case JIT_32: case JIT_S32: return 4;
    default: return 8;
    }
}

/* The class of an object, by whatever is known of it; NULL: nothing. */
static PyTypeObject *
known_class(JitBuilder *b, JitRef ref)
{
    if (_PyJit_At(b, ref)->cls != NULL) {
        return _PyJit_At(b, ref)->cls;
    }
    for (int i = 0; i < b->nknown; i++) {
        if (guarded_value(b, b->known[i].owner) == guarded_value(b, ref)) {
            return b->known[i].n == 1 ? _PyType_OfVersion(b->known[i].versions[0]) : NULL;
        }
    }
    return NULL;
}

/* Objects of different classes are different; items of lists lie outside of objects. The
   second may have an address that was computed: then only its width tells it from others. */
static int
may_overlap(JitBuilder *b, const JitMemory *a, const JitMemory *c)
{
    if (_PyJit_At(b, c->base)->op == JIT_RAW_ADD_NODE) {
        return a->width == c->width;
    }
    if ((a->index != 0) != (c->index != 0)) {
        return _PyJit_At(b, a->base)->type == JIT_T_RAW && _PyJit_At(b, c->base)->type == JIT_T_RAW;
    }
    if (a->index != 0) {
        return !(a->base == c->base && a->index == c->index && a->offset != c->offset);
    }
    int64_t start = a->offset > c->offset ? a->offset : c->offset;
    int64_t a_end = a->offset + width_of(a->width), c_end = c->offset + width_of(c->width);
    if (start >= (a_end < c_end ? a_end : c_end)) {
        return 0;
    }
    return a->cls == NULL || c->cls == NULL || a->cls == c->cls;
}

static JitMemory
place(JitBuilder *b, JitNode *n)
{
    JitMemory m = {.base = guarded_value(b, n->args[0]), .offset = (int64_t)n->imm,
                   .width = n->width, .type = n->type, .cls = known_class(b, n->args[0])};
    if (n->op == JIT_LOAD_INDEXED_NODE || n->op == JIT_STORE_INDEXED_NODE) {
        m.index = n->args[1];
    }
    if (n->op == JIT_GUARD_MEM_NODE) {
        m.offset = n->reg;
    }
    if (m.type == JIT_T_DOUBLE) {
        m.width = JIT_64;
    }
    return m;
}

static void
remember(JitBuilder *b, JitMemory memory)
{
    b->memory[b->nmemory % MOST_MEMORY] = memory;
    b->nmemory++;
}

static int
memory_count(const JitBuilder *b)
{
    return b->nmemory < MOST_MEMORY ? b->nmemory : MOST_MEMORY;
}

/* A function keeps its globals and builtins. */
static int
never_changes(JitBuilder *b, const JitMemory *m)
{
    return _PyJit_At(b, m->base)->op == JIT_FUNC_NODE
           && (m->offset == offsetof(PyFunctionObject, func_globals)
               || m->offset == offsetof(PyFunctionObject, func_builtins));
}

/* Something is written there. */
static void
overwrite(JitBuilder *b, const JitMemory *written)
{
    for (int i = 0; i < memory_count(b); i++) {
        JitMemory *m = &b->memory[i];
        if (m->base != 0 && m->type != JIT_T_DOUBLE && !never_changes(b, m)
            && may_overlap(b, m, written)) {
            m->base = 0;
        }
    }
}

static void
forget_memory(JitBuilder *b, int floats, int versions)
{
    for (int i = 0; i < memory_count(b); i++) {
        JitMemory *m = &b->memory[i];
        if (m->base != 0 && (floats || m->type != JIT_T_DOUBLE) && !never_changes(b, m)) {
            m->base = 0;
        }
    }
    if (versions) {
        b->nknown = 0;
    }
}

/* ----------------------------------------------------------------------- facts */

/* Constants are the same if their words are. */
static int
same_operand(JitBuilder *b, JitRef x, JitRef y)
{
    if (x == 0 || y == 0) {
        return x == y;
    }
    JitNode *m = _PyJit_At(b, x), *n = _PyJit_At(b, y);
    return guarded_value(b, x) == guarded_value(b, y)
           || (m->op == n->op && m->op == JIT_CONST_NODE && m->imm == n->imm);
}

/* Is the value, if there is one, made of the operands alone, and is the guard about them? */
static int
is_fact(const JitNode *n)
{
    switch (n->op) {
    case JIT_FUNC_NODE: case JIT_LOCALS_NODE: case JIT_GUARD_CMP_NODE: case JIT_TO_INT_NODE:
    case JIT_TO_DOUBLE_NODE: case JIT_UNTAG_NODE: case JIT_TAG_NODE: case JIT_INT_TO_DOUBLE_NODE:
    case JIT_LOW_WORD_NODE:
        return 1;
    default:
        return 0;
    }
}

static void
add_fact(JitBuilder *b, JitNodeOp op, int cond, JitRef x, JitRef y, JitRef value)
{
    b->facts[b->nfacts % MOST_FACTS] = (JitFact){(uint8_t)op, (uint8_t)cond, x, y, value};
    b->nfacts++;
}

void
_PyJit_KnowWord(JitBuilder *b, JitRef value, JitRef raw)
{
    _PyJit_Notice(b);
    int is_tag = _PyJit_At(b, value)->type == JIT_T_INT;
    add_fact(b, is_tag ? JIT_UNTAG_NODE : JIT_LOW_WORD_NODE, !is_tag, value, 0, raw);
}

/* -------------------------------------------------------------------- searches */

/* What it searches for is remembered (items.h), and forgotten with whatever might change a dict. */
static void
note_search(JitBuilder *b, const JitNode *n)
{
    JitRef a = n->args[0], c = n->args[1];
    switch (_PyJit_SearchOf(n->aux)) {
    case JIT_SEARCH_KEY: b->search = (JitSearched){a, {c}}; break;
    case JIT_SEARCH_IN: b->search = (JitSearched){c, {a}}; break;
    case JIT_SEARCH_PAIR: b->search = (JitSearched){a, {c, n->args[2]}}; break;
    case JIT_SEARCH_PARTS: {
        JitNode *third = _PyJit_At(b, n->args[3]);
        b->search = (JitSearched){a, {c, n->args[2]}};
        if (third->op != JIT_CONST_NODE || third->imm != 0) {
            b->search.parts[2] = n->args[3];
        }
        break;
    }
    case JIT_NO_SEARCH:
        if (_PyJit_OnlyMakes(n->aux) || n->aux == (const void *)_PyJit_ObjectOf) {
            break;
        }
        /* fall through */
    default:
        b->search = (JitSearched){0};
    }
}

int
_PyJit_WasSearched(JitBuilder *b, JitRef dict, JitRef a, JitRef second)
{
    _PyJit_Notice(b);
    const JitSearched *s = &b->search;
    return s->dict != 0 && same_operand(b, s->dict, dict) && same_operand(b, s->parts[0], a)
           && same_operand(b, s->parts[1], second) && s->parts[2] == 0;
}

/* -------------------------------------------------------------------- noticing */

/* Is it a number, so that nothing runs when it dies? */
static int
is_number(JitBuilder *b, JitRef ref)
{
    for (int i = 0; i < MOST_FACTS && i < b->nfacts; i++) {
        if (b->facts[i].op == JIT_TO_INT_NODE && same_operand(b, b->facts[i].x, ref)) {
            return 1;
        }
    }
    return 0;
}

/* What memory holds is known better. */
static void
refine(JitBuilder *b, JitRef better)
{
    JitRef value = guarded_value(b, better);
    for (int i = 0; i < memory_count(b); i++) {
        JitMemory *m = &b->memory[i];
        if (m->base != 0 && m->value != 0 && guarded_value(b, m->value) == value
            && m->type == JIT_T_OBJECT) {
            m->value = better;
        }
    }
}

/* A new object, whose parts are the operands of the call. */
static void
remember_complex(JitBuilder *b, JitRef ref, const JitNode *n)
{
    static const uint8_t offsets[2] = {offsetof(PyComplexObject, cval.real),
                                       offsetof(PyComplexObject, cval.imag)};
    for (int i = 0; i < 2; i++) {
        remember(b, (JitMemory){.base = ref, .value = n->args[i], .type = JIT_T_DOUBLE,
                                .offset = offsets[i], .width = JIT_64, .cls = &PyComplex_Type});
    }
}

static void
notice(JitBuilder *b, JitRef ref)
{
    JitNode *n = _PyJit_At(b, ref);
    JitMemory m;
    switch (n->op) {
    case JIT_LOAD_NODE: case JIT_LOAD_INDEXED_NODE:
        m = place(b, n);
        m.value = ref;
        remember(b, m);
        break;
    case JIT_GUARD_MEM_NODE:
        m = place(b, n);
        m.imm = n->imm;
        remember(b, m);
        break;
    case JIT_STORE_NODE: case JIT_STORE_INDEXED_NODE: case JIT_ADD_MEM_NODE:
        m = place(b, n);
        overwrite(b, &m);
        m.value = n->op == JIT_STORE_NODE ? n->args[1] : n->args[2];
        if (n->op != JIT_ADD_MEM_NODE && m.width == JIT_64) {
            m.type = _PyJit_At(b, m.value)->type;
            remember(b, m);
        }
        break;
    case JIT_GUARD_CLASS_NODE: case JIT_GUARD_OBJECT_NODE:
        refine(b, ref);
        break;
    case JIT_BOX_DOUBLE_NODE:
        remember(b, (JitMemory){.base = ref, .value = n->args[0], .type = JIT_T_DOUBLE,
                                .offset = offsetof(PyFloatObject, ob_fval), .width = JIT_64,
                                .cls = &PyFloat_Type});
        break;
    case JIT_CALL_NODE:
        note_search(b, n);
        if (n->aux == (const void *)_PyJit_ComplexOf
            || n->aux == (const void *)_PyJit_ComplexAgain) {
            remember_complex(b, ref, n);
        }
        else if (n->cond == 0) {
            forget_memory(b, 1, 0);
        }
        break;
    case JIT_GUARD_DEPTH_NODE:
        add_fact(b, JIT_GUARD_DEPTH_NODE, (int)n->imm, 0, 0, ref);
        break;
    case JIT_BOX_INT_NODE:
        add_fact(b, JIT_TO_INT_NODE, 0, ref, 0, n->args[0]);
        break;
    case JIT_PENDING_NODE:
        b->search.dict = 0;
        forget_memory(b, 1, 1);
        break;
    case JIT_LIST_ROOM_NODE:            /* its items may move */
        forget_memory(b, 0, 0);
        break;
    case JIT_RELEASE_NODE:
        if (!_PyJit_IsInert(_PyJit_At(b, n->args[0])->cls)) {
            /* A key that is used again later does not die here. */
            if (!is_number(b, n->args[0]) && !same_operand(b, b->search.parts[0], n->args[0])) {
                b->search.dict = 0;
            }
            forget_memory(b, 0, 1);
        }
        break;
    default:
        if ((_PyJit_NodeFlags[n->op] & JIT_CALLS) && n->op != JIT_CALL_D_NODE) {
            b->search.dict = 0;
            forget_memory(b, 1, 1);
        }
        if (is_fact(n)) {
            add_fact(b, (JitNodeOp)n->op, n->cond, n->args[0], n->args[1], ref);
        }
        break;
    }
}

void
_PyJit_Notice(JitBuilder *b)
{
    while (b->noticed < b->g->nnodes) {
        notice(b, b->noticed++);
    }
}

void
_PyJit_KnowNothing(JitBuilder *b)
{
    b->nknown = b->nmemory = b->nfacts = 0;
    b->search.dict = 0;
    b->noticed = b->g->nnodes;
}

/* --------------------------------------------------------------------- questions */

static int
same_place(const JitMemory *a, const JitMemory *b)
{
    return a->base == b->base && a->index == b->index && a->offset == b->offset
           && a->width == b->width;
}

JitRef
_PyJit_Recall(JitBuilder *b, const JitNode *load)
{
    _PyJit_Notice(b);
    JitNode n = *load;
    JitMemory wanted = place(b, &n);
    for (int i = 0; i < memory_count(b); i++) {
        JitMemory *m = &b->memory[i];
        if (m->base == 0 || m->value == 0 || !same_place(m, &wanted)) {
            continue;
        }
        if (m->type == wanted.type || (wanted.type == JIT_T_WORD && m->type == JIT_T_OBJECT)) {
            return m->value;
        }
    }
    return 0;
}

JitRef
_PyJit_RecallBox(JitBuilder *b, JitRef number)
{
    _PyJit_Notice(b);
    for (int i = 0; i < memory_count(b); i++) {
        const JitMemory *m = &b->memory[i];
        if (m->base == 0 || m->value == 0) {
            continue;
        }
        const JitNode *n = _PyJit_At(b, m->value);
        if ((n->op == JIT_BOX_INT_NODE || n->op == JIT_BOX_DOUBLE_NODE) && n->args[0] == number) {
            return m->value;
        }
    }
    return 0;
}

int
_PyJit_IsSure(JitBuilder *b, const JitNode *guard)
{
    _PyJit_Notice(b);
    JitNode n = *guard;
    if (n.op == JIT_GUARD_MEM_NODE) {
        JitMemory wanted = place(b, &n);
        for (int i = 0; i < memory_count(b); i++) {
            JitMemory *m = &b->memory[i];
            if (m->base != 0 && m->value == 0 && same_place(m, &wanted) && m->imm == n.imm) {
                return 1;
            }
        }
        return 0;
    }
    /* An object whose class is known is one. */
    JitNode *x = _PyJit_At(b, n.args[0]), *y = _PyJit_At(b, n.args[1]);
    if (n.cond == JIT_NE && x->type == JIT_T_OBJECT && x->cls != NULL
        && y->op == JIT_CONST_NODE && y->imm == 0) {
        return 1;
    }
    return _PyJit_RecallFact(b, &n) != 0;
}

/* Calls that have come back leave as many levels as there were: sys.setrecursionlimit() refuses
   less than are in use. */
int
_PyJit_IsDeepEnough(JitBuilder *b, int levels)
{
    _PyJit_Notice(b);
    for (int i = 0; i < MOST_FACTS && i < b->nfacts; i++) {
        if (b->facts[i].op == JIT_GUARD_DEPTH_NODE && b->facts[i].cond >= levels) {
            return 1;
        }
    }
    return 0;
}

JitRef
_PyJit_RecallFact(JitBuilder *b, const JitNode *node)
{
    _PyJit_Notice(b);
    for (int i = 0; i < MOST_FACTS && i < b->nfacts; i++) {
        const JitFact *f = &b->facts[i];
        if (f->op == node->op && f->cond == node->cond && same_operand(b, f->x, node->args[0])
            && same_operand(b, f->y, node->args[1])) {
            return f->value;
        }
    }
    return 0;
}
