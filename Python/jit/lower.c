/* Nodes to machine instructions.

   The registers `frame` and `thread` hold the VM frame and the thread state throughout. The
   usual path is emitted in the order of the blocks; what is rare is noted (JitRare) and follows
   at the end: leaving, destroying objects, other threads. Rare code keeps the registers that
   are alive in the native frame's area and comes back, or leaves. */
#include "quiet.h"
#include "rare.h"
#include "../vm/vm.h"
#include "internal/float.h"
#include <stddef.h>

#undef A
#undef B
#undef C

#define AS (&l->as)

/* ------------------------------------------------------------------ rare code */

static JitRare *
add_rare(JitLower *l, JitRareKind kind, JitRef node)
{
    JitRare *rare = _PyJit_Alloc(l->g, sizeof(JitRare));
    static JitRare none;
    if (rare == NULL) {
        return &none;
    }
    rare->kind = kind;
    rare->node = node;
    rare->label = _PyJit_NewLabel(AS);
    rare->back = _PyJit_NewLabel(AS);
    JitNode *n = &l->g->nodes[node];
    rare->point = _PyJit_Point(l, n->snap, n->ip);
    if (rare->point != NULL) {
        rare->point->stays = n->op == JIT_RELEASE_NODE && (n->cond || n->snap == 0);
    }
    _PyJit_LiveRegs(l, node, &rare->live, &rare->live_floats);
    *l->rare_end = rare;
    l->rare_end = &rare->next;
    return rare;
}

/* Makes so many registers free, for what a node takes after it has noted where it leaves: what
   would give way then would be looked for where it was. */
static void
make_room(JitLower *l, int general, int floats)
{
    uint64_t temps = l->temps;
    for (int i = 0; i < general; i++) {
        (void)_PyJit_Temp(l);
    }
    for (int i = 0; i < floats; i++) {
        (void)_PyJit_FloatTemp(l);
    }
    l->temps = temps;
}

/* Where a guard goes that fails. */
static JitLabel
leave_label(JitLower *l, JitRef node)
{
    return add_rare(l, RARE_LEAVE, node)->label;
}

/* Into the area: what a call would change, and what the point refers to (if there is one). */
static void
keep_registers(JitLower *l, JitRegSet live, JitRegSet floats, const JitPoint *point)
{
    uint64_t set = (live & l->m->caller_saved)
                   | (uint64_t)(floats & l->m->float_caller_saved) << JIT_FLOATS;
    for (uint32_t i = 0; point != NULL && i < point->n; i++) {
        const JitKept *kept = &point->kept[i];
        if (!kept->is_const && kept->place < JIT_AREA_WORDS) {
            set |= (uint64_t)1 << kept->place;
        }
    }
    for (; set != 0; set &= set - 1) {
        unsigned r = (unsigned)__builtin_ctzll(set);
        if (r < JIT_FLOATS) {
            _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, r), (JitReg)r);
        }
        else {
            _PyJit_FStore(AS, l->m->frame_pointer, jit_area_disp(l, r),
                          (JitFloatReg)(r - JIT_FLOATS));
        }
    }
}

static void
restore_registers(JitLower *l, JitRegSet live, JitRegSet floats)
{
    for (unsigned r = 0; r < 32; r++) {
        if (live & l->m->caller_saved & (JitRegSet)1 << r) {
            _PyJit_Load(AS, JIT_64, (JitReg)r, l->m->frame_pointer, jit_area_disp(l, r));
        }
        if (floats & l->m->float_caller_saved & (JitRegSet)1 << r) {
            _PyJit_FLoad(AS, (JitFloatReg)r, l->m->frame_pointer,
                         jit_area_disp(l, r + JIT_FLOATS));
        }
    }
}

/* (f, ts, area, point) */
static void
point_args(JitLower *l, JitPoint *point)
{
    _PyJit_Mov(AS, l->m->args[0], l->m->frame);
    _PyJit_Mov(AS, l->m->args[1], l->m->thread);
    _PyJit_OpImm(AS, JIT_ADD, l->m->args[2], l->m->frame_pointer, jit_area_disp(l, 0));
    _PyJit_MovImm(AS, l->m->args[3], (uint64_t)point);
}

/* What a rare call says is in the result register: goes back, away, or raises. */
static void
after_rare_call(JitLower *l, JitRare *rare, int may_leave)
{
    if (may_leave) {
        JitLabel back = _PyJit_NewLabel(AS);
        _PyJit_BranchImm(AS, JIT_EQ, l->m->result, JIT_GO_ON, back);
        if (rare->kind == RARE_PENDING) {
            _PyJit_BranchImm(AS, JIT_EQ, l->m->result, JIT_RAISED, l->common_error);
        }
        _PyJit_MovImm(AS, l->m->result2, (uint64_t)(l->g->code->code + rare->point->ip));
        _PyJit_Jump(AS, l->common_leave);
        _PyJit_Bind(AS, back);
    }
    restore_registers(l, rare->live, rare->live_floats);
    _PyJit_Jump(AS, rare->back);
}

/* -------------------------------------------------------------------- objects

   Floats and ints of one digit are made and destroyed here as _PyFloat_FromDouble(),
   _PyLong_FromInt64() and their deallocators do it: by the free lists, whose `head`, `count`
   and `limit` lie in this order. */

static_assert(offsetof(struct _PyFloat_free_list, head) == offsetof(struct _PyLong_free_list, head)
              && offsetof(struct _PyFloat_free_list, count)
                 == offsetof(struct _PyLong_free_list, count)
              && offsetof(struct _PyFloat_free_list, limit)
                 == offsetof(struct _PyLong_free_list, limit), "free lists are alike");
#define LIST_HEAD ((int32_t)offsetof(struct _PyFloat_free_list, head))
#define LIST_COUNT ((int32_t)offsetof(struct _PyFloat_free_list, count))
#define LIST_LIMIT ((int32_t)offsetof(struct _PyFloat_free_list, limit))
#define REFCNT ((int32_t)offsetof(PyObject, ob_refcnt))

/* d = a new object from a free list; the lists of its class. */
static void
emit_take_block(JitLower *l, JitReg d, const void *list, JitReg t, JitReg u, JitLabel empty)
{
    _PyJit_MovImm(AS, t, (uint64_t)list);
    _PyJit_Load(AS, JIT_64, d, t, LIST_HEAD);
    _PyJit_BranchImm(AS, JIT_EQ, d, 0, empty);
    _PyJit_Load(AS, JIT_64, u, d, REFCNT);
    _PyJit_AddMem(AS, JIT_64, t, LIST_COUNT, -1);
    _PyJit_Store(AS, JIT_64, t, LIST_HEAD, u);
    _PyJit_StoreImm(AS, JIT_64, d, REFCNT, 1);
}

/* An object that nothing refers to goes back. */
static void
emit_give_block(JitLower *l, JitReg v, const void *list, JitReg t, JitReg u, JitLabel full)
{
    _PyJit_MovImm(AS, t, (uint64_t)list);
    _PyJit_Load(AS, JIT_64, u, t, LIST_COUNT);
    _PyJit_BranchMem(AS, JIT_LE, JIT_64, t, LIST_LIMIT, u, full);
    _PyJit_Load(AS, JIT_64, u, t, LIST_HEAD);
    _PyJit_AddMem(AS, JIT_64, t, LIST_COUNT, 1);
    _PyJit_Store(AS, JIT_64, v, REFCNT, u);
    _PyJit_Store(AS, JIT_64, t, LIST_HEAD, v);
}

static void
emit_branch_not_class(JitLower *l, JitReg v, PyTypeObject *cls, JitReg t, JitLabel label)
{
    _PyJit_MovImm(AS, t, (uint64_t)cls);
    _PyJit_BranchMem(AS, JIT_NE, JIT_64, v, offsetof(PyObject, ob_type), t, label);
}

/* An object that is destroyed is often a float or an int. It is in `value`; the rest is for
   those that are neither. */
static void
emit_destroy_number(JitLower *l, JitRare *rare, PyTypeObject *cls)
{
    if (rare->scratch == 0 || (cls != NULL && cls != &PyFloat_Type && cls != &PyLong_Type)) {
        return;
    }
    JitReg v = rare->value;
    JitReg t = (JitReg)__builtin_ctz(rare->scratch);
    JitReg u = (JitReg)__builtin_ctz(rare->scratch & (rare->scratch - 1));
    JitLabel other = _PyJit_NewLabel(AS), no_float = _PyJit_NewLabel(AS);
    if (cls != &PyLong_Type) {
        if (cls == NULL) {
            emit_branch_not_class(l, v, &PyFloat_Type, t, no_float);
        }
        emit_give_block(l, v, &_PyFloat_free_list, t, u, other);
        _PyJit_Jump(AS, rare->back);
    }
    _PyJit_Bind(AS, no_float);
    if (cls != &PyFloat_Type) {
        if (cls == NULL) {
            emit_branch_not_class(l, v, &PyLong_Type, t, other);
        }
        /* At most two digits. */
        _PyJit_Load(AS, JIT_64, t, v, offsetof(PyVarObject, ob_size));
        _PyJit_OpImm(AS, JIT_ADD, t, t, 2);
        _PyJit_BranchImm(AS, JIT_UGT, t, 4, other);
        emit_give_block(l, v, &_PyLong_free_list, t, u, other);
        _PyJit_Jump(AS, rare->back);
    }
    _PyJit_Bind(AS, other);
}

static void
emit_rare(JitLower *l, JitRare *rare)
{
    _PyJit_Bind(AS, rare->label);
    if (rare->point == NULL) {
        return;
    }
    JitNode *n = &l->g->nodes[rare->node];
    switch (rare->kind) {
    case RARE_LEAVE:
        keep_registers(l, 0, 0, rare->point);
        point_args(l, rare->point);
        _PyJit_Call(AS, (const void *)_PyJit_Leave);
        _PyJit_Mov(AS, l->m->result2, l->m->result);
        _PyJit_Jump(AS, l->common_leave);
        break;
    case RARE_RELEASE:
        emit_destroy_number(l, rare, l->g->nodes[n->args[0]].cls);
        keep_registers(l, rare->live, rare->live_floats, rare->point);
        _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, rare->value), rare->value);
        point_args(l, rare->point);
        _PyJit_Load(AS, JIT_64, l->m->args[4], l->m->frame_pointer,
                    jit_area_disp(l, rare->value));
        _PyJit_Call(AS, (const void *)_PyJit_Dealloc);
        after_rare_call(l, rare, n->snap != 0 && !n->cond);
        break;
    case RARE_PENDING:
        keep_registers(l, rare->live, rare->live_floats, rare->point);
        point_args(l, rare->point);
        _PyJit_Call(AS, (const void *)_PyJit_Pending);
        after_rare_call(l, rare, 1);
        break;
    case RARE_BOX:
        keep_registers(l, rare->live, rare->live_floats, NULL);
        if (n->op == JIT_BOX_DOUBLE_NODE) {
            _PyJit_FMov(AS, l->m->float_args[0], rare->float_value);
            _PyJit_Call(AS, (const void *)_PyJit_NewFloat);
        }
        else {
            _PyJit_OpImm(AS, JIT_SAR, l->m->args[0], rare->value, 1);
            _PyJit_Call(AS, (const void *)_PyLong_FromInt64);
        }
        _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, 31), l->m->result);
        restore_registers(l, rare->live, rare->live_floats);
        _PyJit_Load(AS, JIT_64, rare->dest, l->m->frame_pointer, jit_area_disp(l, 31));
        _PyJit_BranchImm(AS, JIT_NE, rare->dest, 0, rare->back);
        _PyJit_Jump(AS, rare->leave);
        break;
    case RARE_LIST:
        keep_registers(l, rare->live, rare->live_floats, NULL);
        _PyJit_Mov(AS, l->m->args[0], rare->value);
        _PyJit_Call(AS, (const void *)_PyJit_ListRoom);
        _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, 31), l->m->result);
        restore_registers(l, rare->live, rare->live_floats);
        _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, l->m->frame_pointer, jit_area_disp(l, 31), 0,
                            rare->leave);
        _PyJit_Jump(AS, rare->back);
        break;
    case RARE_CHECK:
        _PyJit_Jump(AS, rare->leave);
        break;
    default:
        l->g->failed = 1;
        break;
    }
}

/* ----------------------------------------------------------------------- ints */

/* ob_size is -1, 0 or 1: the tag of an int object in `v`, into `d`, a different register. */
static void
emit_small_int(JitLower *l, JitReg d, JitReg v, JitLabel leave)
{
    JitReg t = _PyJit_Temp(l);
    emit_branch_not_class(l, v, &PyLong_Type, t, leave);
    _PyJit_Load(AS, JIT_64, d, v, offsetof(PyVarObject, ob_size));
    _PyJit_OpImm(AS, JIT_ADD, t, d, 1);
    _PyJit_BranchImm(AS, JIT_UGT, t, 2, leave);
    _PyJit_Load(AS, JIT_32, t, v, offsetof(PyLongObject, ob_digit));
    _PyJit_Op(AS, JIT_MUL, d, d, t);
    _PyJit_OpImm(AS, JIT_SHL, d, d, 1);
    _PyJit_OpImm(AS, JIT_OR, d, d, 1);
}

static void
emit_to_int(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]);
    make_room(l, 2, 0);
    JitLabel leave = leave_label(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0);
    JitLabel object = _PyJit_NewLabel(AS), done = _PyJit_NewLabel(AS);
    if (l->g->nodes[n->args[0]].type != JIT_T_OBJECT) {
        int is_aside = AS->part;        /* on an edge from outside */
        _PyJit_BranchBits(AS, JIT_EQ, v, 1, object);
        _PyJit_Mov(AS, d, v);
        if (is_aside) {
            _PyJit_Jump(AS, done);
            _PyJit_Bind(AS, object);
            emit_small_int(l, d, v, leave);
            _PyJit_Bind(AS, done);
        }
        else {
            _PyJit_Bind(AS, done);
            _PyJit_AsmPart(AS, 1);
            _PyJit_Bind(AS, object);
            emit_small_int(l, d, v, leave);
            _PyJit_Jump(AS, done);
            _PyJit_AsmPart(AS, 0);
        }
    }
    else {
        emit_small_int(l, d, v, leave);
    }
    _PyJit_Made(l, ref);
}

/* Adding tags: one of them without its bit. */
static void
emit_add_sub(JitLower *l, JitRef ref, JitNode *n)
{
    JitOp op = n->op == JIT_ADD_NODE ? JIT_ADD : JIT_SUB;
    JitRef x = n->args[0], y = n->args[1];
    if (op == JIT_ADD && jit_is_const(l, x)) {
        JitRef t = x;
        x = y;
        y = t;
    }
    JitReg a = _PyJit_In(l, x);
    if (jit_is_const(l, y)) {
        int64_t value = (int64_t)l->g->nodes[y].imm - 1;
        make_room(l, 1, 0);
        JitLabel leave = leave_label(l, ref);
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImmOverflow(AS, op, d, a, value, leave);
    }
    else {
        JitReg b = _PyJit_In(l, y);
        JitReg t = _PyJit_Temp(l);
        make_room(l, 1, 0);
        JitLabel leave = leave_label(l, ref);
        _PyJit_OpImm(AS, JIT_SUB, t, b, 1);
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpOverflow(AS, op, d, a, t, leave);
    }
    _PyJit_Made(l, ref);
}

static void
emit_mul(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg a = _PyJit_In(l, n->args[0]), b = _PyJit_In(l, n->args[1]);
    JitReg t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitLabel leave = leave_label(l, ref);
    _PyJit_OpImm(AS, JIT_SAR, t, a, 1);
    _PyJit_OpImm(AS, JIT_SUB, u, b, 1);
    _PyJit_OpOverflow(AS, JIT_MUL, t, t, u, leave);
    JitReg d = _PyJit_Out(l, ref, 1);
    _PyJit_OpImm(AS, JIT_OR, d, t, 1);
    _PyJit_Made(l, ref);
}

/* Towards minus infinity, as Python divides. Divisors 0 and -1 leave. */
static void
emit_division(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg a = _PyJit_In(l, n->args[0]), b = _PyJit_In(l, n->args[1]);
    JitReg x = _PyJit_Temp(l), y = _PyJit_Temp(l), q = _PyJit_Temp(l), r = _PyJit_Temp(l);
    JitLabel leave = leave_label(l, ref), done = _PyJit_NewLabel(AS);
    _PyJit_OpImm(AS, JIT_SAR, y, b, 1);
    if (!jit_is_const(l, n->args[1])
        || REG_INT(l->g->nodes[n->args[1]].imm) == 0
        || REG_INT(l->g->nodes[n->args[1]].imm) == -1) {
        _PyJit_OpImm(AS, JIT_ADD, x, y, 1);
        _PyJit_BranchImm(AS, JIT_ULE, x, 1, leave);
    }
    _PyJit_OpImm(AS, JIT_SAR, x, a, 1);
    _PyJit_DivRem(AS, q, r, x, y);
    _PyJit_BranchImm(AS, JIT_EQ, r, 0, done);
    _PyJit_Op(AS, JIT_XOR, x, r, y);
    _PyJit_BranchImm(AS, JIT_GE, x, 0, done);
    if (n->op == JIT_FLOORDIV_NODE) {
        _PyJit_OpImm(AS, JIT_SUB, q, q, 1);
    }
    else {
        _PyJit_Op(AS, JIT_ADD, r, r, y);
    }
    _PyJit_Bind(AS, done);
    JitReg d = _PyJit_Out(l, ref, 1);
    _PyJit_OpImm(AS, JIT_SHL, d, n->op == JIT_FLOORDIV_NODE ? q : r, 1);
    _PyJit_OpImm(AS, JIT_OR, d, d, 1);
    _PyJit_Made(l, ref);
}

static void
emit_shift(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg a = _PyJit_In(l, n->args[0]);
    JitReg t;
    switch (n->op) {
    case JIT_SHR_NODE: {
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, JIT_SAR, d, a, (int64_t)n->imm);
        _PyJit_OpImm(AS, JIT_OR, d, d, 1);
        break;
    }
    case JIT_SHL_NODE: {
        t = _PyJit_Temp(l);
        JitReg u = _PyJit_Temp(l);
        JitLabel leave = leave_label(l, ref);
        _PyJit_OpImm(AS, JIT_SUB, t, a, 1);
        _PyJit_OpImm(AS, JIT_SHL, t, t, (int64_t)n->imm);
        _PyJit_OpImm(AS, JIT_SAR, u, t, (int64_t)n->imm);
        _PyJit_OpImm(AS, JIT_OR, u, u, 1);
        _PyJit_Branch(AS, JIT_NE, u, a, leave);
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, JIT_OR, d, t, 1);
        break;
    }
    default: {
        JitReg b = _PyJit_In(l, n->args[1]);
        t = _PyJit_Temp(l);
        JitReg u = _PyJit_Temp(l), by = _PyJit_Temp(l);
        JitLabel leave = leave_label(l, ref);
        _PyJit_OpImm(AS, JIT_SAR, by, b, 1);
        _PyJit_BranchImm(AS, JIT_UGE, by, n->op == JIT_SHL_BY_NODE ? 61 : 64, leave);
        if (n->op == JIT_SHL_BY_NODE) {
            _PyJit_OpImm(AS, JIT_SUB, t, a, 1);
            _PyJit_Op(AS, JIT_SHL, t, t, by);
            _PyJit_Op(AS, JIT_SAR, u, t, by);
            _PyJit_OpImm(AS, JIT_OR, u, u, 1);
            _PyJit_Branch(AS, JIT_NE, u, a, leave);
        }
        else {
            _PyJit_Op(AS, JIT_SAR, t, a, by);
        }
        JitReg d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, JIT_OR, d, t, 1);
        break;
    }
    }
    _PyJit_Made(l, ref);
}

static void
emit_logic(JitLower *l, JitRef ref, JitNode *n)
{
    JitOp op = n->op == JIT_AND_NODE ? JIT_AND : n->op == JIT_OR_NODE ? JIT_OR : JIT_XOR;
    JitReg a = _PyJit_In(l, n->args[0]);
    JitReg d;
    if (jit_is_const(l, n->args[1])) {
        int64_t value = (int64_t)l->g->nodes[n->args[1]].imm;
        d = _PyJit_Out(l, ref, 1);
        _PyJit_OpImm(AS, op, d, a, op == JIT_XOR ? value - 1 : value);
    }
    else {
        JitReg b = _PyJit_In(l, n->args[1]);
        d = _PyJit_Out(l, ref, 1);
        _PyJit_Op(AS, op, d, a, b);
        if (op == JIT_XOR) {
            _PyJit_OpImm(AS, JIT_OR, d, d, 1);
        }
    }
    _PyJit_Made(l, ref);
}

/* The truth of a condition as an object. */
static void
emit_bool(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg t = _PyJit_Temp(l), u = _PyJit_Temp(l), d;
    if (n->op == JIT_CMP_NODE) {
        JitReg a = _PyJit_In(l, n->args[0]), b = _PyJit_In(l, n->args[1]);
        _PyJit_MovImm(AS, t, (uint64_t)Py_True);
        _PyJit_MovImm(AS, u, (uint64_t)Py_False);
        d = _PyJit_Out(l, ref, 1);
        _PyJit_Select(AS, (JitCond)n->cond, d, a, b, t, u);
    }
    else {
        JitReg truth = _PyJit_Temp(l);
        if (n->op == JIT_FCMP_NODE) {
            JitFloatReg a = _PyJit_InFloat(l, n->args[0]), b = _PyJit_InFloat(l, n->args[1]);
            _PyJit_FSet(AS, (JitCond)n->cond, truth, a, b);
        }
        else {
            _PyJit_Mov(AS, truth, _PyJit_In(l, n->args[0]));
        }
        JitReg zero = _PyJit_Temp(l);
        _PyJit_MovImm(AS, zero, 0);
        _PyJit_MovImm(AS, t, (uint64_t)Py_True);
        _PyJit_MovImm(AS, u, (uint64_t)Py_False);
        d = _PyJit_Out(l, ref, 1);
        _PyJit_Select(AS, JIT_NE, d, truth, zero, t, u);
    }
    _PyJit_Made(l, ref);
}

/* -------------------------------------------------------------------- doubles */

static void
emit_float_op(JitLower *l, JitRef ref, JitNode *n)
{
    JitFloatReg a = _PyJit_InFloat(l, n->args[0]), d;
    if (n->args[1] == 0) {
        d = _PyJit_OutFloat(l, ref, 1);
        switch (n->op) {
        case JIT_FNEG_NODE: _PyJit_FNeg(AS, d, a); break;
        case JIT_FABS_NODE: _PyJit_FAbs(AS, d, a); break;
        default: _PyJit_FSqrt(AS, d, a); break;
        }
        _PyJit_Made(l, ref);
        return;
    }
    JitFloatReg b = _PyJit_InFloat(l, n->args[1]);
    if (n->op == JIT_FDIV_NODE
        && !(l->g->nodes[n->args[1]].op == JIT_DOUBLE_NODE
             && (l->g->nodes[n->args[1]].imm << 1) != 0)) {
        make_room(l, 0, 2);
        JitLabel leave = leave_label(l, ref);
        JitFloatReg zero = _PyJit_FloatTemp(l);
        _PyJit_FMovImm(AS, zero, 0.0);
        _PyJit_FBranch(AS, JIT_EQ, b, zero, 0, leave);
    }
    d = _PyJit_OutFloat(l, ref, 1);
    JitFloatOp op = n->op == JIT_FADD_NODE ? JIT_FADD : n->op == JIT_FSUB_NODE ? JIT_FSUB
                  : n->op == JIT_FMUL_NODE ? JIT_FMUL : JIT_FDIV;
    _PyJit_FOp(AS, op, d, a, b);
    _PyJit_Made(l, ref);
}

static void
emit_to_double(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
    make_room(l, 0, 1);
    JitLabel leave = leave_label(l, ref), tag = _PyJit_NewLabel(AS), done = _PyJit_NewLabel(AS);
    JitFloatReg d = _PyJit_OutFloat(l, ref, 0);
    _PyJit_BranchBits(AS, JIT_NE, v, 1, tag);
    emit_branch_not_class(l, v, &PyFloat_Type, t, leave);
    _PyJit_FLoad(AS, d, v, offsetof(PyFloatObject, ob_fval));
    _PyJit_Bind(AS, done);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, tag);
    _PyJit_OpImm(AS, JIT_SAR, t, v, 1);
    _PyJit_FFromInt(AS, d, t);
    _PyJit_Jump(AS, done);
    _PyJit_AsmPart(AS, 0);
    _PyJit_Made(l, ref);
}

/* ---------------------------------------------------------------------- boxes */

/* A box takes the place of an object that only this place refers to: if that is of the same
   class, it is the box, with a second reference that its release drops. Goes to `fresh` if
   not. */
static void
emit_take_old(JitLower *l, JitRef old, JitReg v, PyTypeObject *cls, JitReg t, JitLabel fresh)
{
    JitNode *n = &l->g->nodes[old];
    if (n->cls != cls) {
        if (n->type != JIT_T_OBJECT) {
            _PyJit_BranchImm(AS, JIT_EQ, v, 0, fresh);
        }
        emit_branch_not_class(l, v, cls, t, fresh);
    }
    _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, v, REFCNT, 1, fresh);
    _PyJit_StoreImm(AS, JIT_64, v, REFCNT, 2);
}

static JitRare *
add_box(JitLower *l, JitRef ref, JitLabel leave, JitReg d)
{
    JitRare *rare = add_rare(l, RARE_BOX, ref);
    rare->dest = d;
    rare->leave = leave;
    return rare;
}

static void
emit_box_double(JitLower *l, JitRef ref, JitNode *n)
{
    JitFloatReg value = _PyJit_InFloat(l, n->args[0]);
    JitReg old = n->args[1] != 0 ? _PyJit_In(l, n->args[1]) : 0;
    make_room(l, 3, 0);
    JitLabel leave = leave_label(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitRare *rare = add_box(l, ref, leave, d);
    rare->float_value = value;
    JitLabel done = _PyJit_NewLabel(AS), fresh = _PyJit_NewLabel(AS);
    if (n->args[1] != 0) {
        emit_take_old(l, n->args[1], old, &PyFloat_Type, t, fresh);
        _PyJit_Mov(AS, d, old);
        _PyJit_FStore(AS, d, offsetof(PyFloatObject, ob_fval), value);
        _PyJit_AsmPart(AS, 1);
    }
    _PyJit_Bind(AS, fresh);
    emit_take_block(l, d, &_PyFloat_free_list, t, u, rare->label);
    _PyJit_FStore(AS, d, offsetof(PyFloatObject, ob_fval), value);
    _PyJit_Bind(AS, rare->back);
    if (n->args[1] != 0) {
        _PyJit_Jump(AS, done);
        _PyJit_AsmPart(AS, 0);
    }
    _PyJit_Bind(AS, done);
    _PyJit_Made(l, ref);
}

/* size: -1 or 1. */
static void
emit_set_digit(JitLower *l, JitReg d, JitReg size, JitReg magnitude)
{
    _PyJit_Store(AS, JIT_64, d, offsetof(PyVarObject, ob_size), size);
    /* The second digit, which every block has room for, too. */
    _PyJit_Store(AS, JIT_64, d, offsetof(PyLongObject, ob_digit), magnitude);
}

static void
emit_box_int(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg value = _PyJit_In(l, n->args[0]);
    JitReg old = n->args[1] != 0 ? _PyJit_In(l, n->args[1]) : 0;
    make_room(l, 5, 0);
    JitLabel leave = leave_label(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitReg v = _PyJit_Temp(l);
    JitRare *rare = add_box(l, ref, leave, d);
    rare->value = value;
    JitLabel large = _PyJit_NewLabel(AS), fresh = _PyJit_NewLabel(AS);
    /* Small ones are there already. */
    _PyJit_OpImm(AS, JIT_SAR, t, value, 1);
    _PyJit_OpImm(AS, JIT_ADD, u, t, _PyLong_SMALL_NEG);
    _PyJit_BranchImm(AS, JIT_UGE, u, _PyLong_SMALL_NEG + _PyLong_SMALL_POS, large);
    static_assert(sizeof(PyLongObject) == 1 << 5, "the size of ints");
    _PyJit_OpImm(AS, JIT_SHL, u, u, 5);
    _PyJit_MovImm(AS, d, (uint64_t)_PyLong_small_ints);
    _PyJit_Op(AS, JIT_ADD, d, d, u);
    _PyJit_AddMem(AS, JIT_64, d, REFCNT, 1);
    _PyJit_Bind(AS, rare->back);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, large);
    _PyJit_OpImm(AS, JIT_SAR, u, t, 63);
    _PyJit_Op(AS, JIT_XOR, t, t, u);
    _PyJit_Op(AS, JIT_SUB, t, t, u);
    _PyJit_BranchImm(AS, JIT_UGE, t, (int64_t)1 << PyLong_SHIFT, rare->label);
    _PyJit_OpImm(AS, JIT_OR, u, u, 1);
    if (n->args[1] != 0) {
        emit_take_old(l, n->args[1], old, &PyLong_Type, v, fresh);
        _PyJit_Mov(AS, d, old);
        emit_set_digit(l, d, u, t);
        _PyJit_Jump(AS, rare->back);
    }
    _PyJit_Bind(AS, fresh);
    JitReg w = _PyJit_Temp(l);
    emit_take_block(l, d, &_PyLong_free_list, v, w, rare->label);
    emit_set_digit(l, d, u, t);
    _PyJit_Jump(AS, rare->back);
    _PyJit_AsmPart(AS, 0);
    _PyJit_Made(l, ref);
}

static void
emit_list_room(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg list = _PyJit_In(l, n->args[0]), size = _PyJit_Temp(l);
    JitRare *rare = add_rare(l, RARE_LIST, ref);
    rare->value = list;
    rare->leave = leave_label(l, ref);
    _PyJit_Load(AS, JIT_64, size, list, offsetof(PyVarObject, ob_size));
    _PyJit_BranchMem(AS, JIT_LE, JIT_64, list, offsetof(PyListObject, allocated), size,
                     rare->label);
    _PyJit_Bind(AS, rare->back);
}

/* ----------------------------------------------------------------- references */

static void
emit_incref(JitLower *l, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]);
    JitLabel done = _PyJit_NewLabel(AS);
    if (l->g->nodes[n->args[0]].type == JIT_T_WORD) {
        _PyJit_BranchBits(AS, JIT_NE, v, 1, done);
    }
    _PyJit_AddMem(AS, JIT_64, v, offsetof(PyObject, ob_refcnt), 1);
    _PyJit_Bind(AS, done);
}

static void
emit_release(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]);
    JitRare *rare = add_rare(l, RARE_RELEASE, ref);
    rare->value = v;
    JitRegSet scratch = (l->m->caller_saved | ((JitRegSet)l->used & l->m->callee_saved))
                        & ~rare->live & ~((JitRegSet)1 << v);
    rare->scratch = (scratch & (scratch - 1)) != 0 ? scratch : 0;
    if (l->g->nodes[n->args[0]].type == JIT_T_WORD) {
        _PyJit_BranchBits(AS, JIT_NE, v, 1, rare->back);
        _PyJit_BranchImm(AS, JIT_EQ, v, 0, rare->back);
    }
    _PyJit_DecMemJumpZero(AS, v, offsetof(PyObject, ob_refcnt), rare->label);
    _PyJit_Bind(AS, rare->back);
}

/* --------------------------------------------------------------------- guards */

/* The value of a guard is its operand. */
static void
pass_on(JitLower *l, JitRef ref, JitReg v)
{
    JitReg d = _PyJit_Out(l, ref, 1);
    _PyJit_Mov(AS, d, v);
    _PyJit_Made(l, ref);
}

static void
emit_guard(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = n->args[0] != 0 ? _PyJit_In(l, n->args[0]) : 0, w = 0, t;
    if (n->op == JIT_GUARD_CMP_NODE && !jit_is_const(l, n->args[1])) {
        w = _PyJit_In(l, n->args[1]);
    }
    make_room(l, 1, 0);
    JitLabel leave = leave_label(l, ref);
    switch (n->op) {
    case JIT_GUARD_INT_NODE:
        _PyJit_BranchBits(AS, JIT_EQ, v, 1, leave);
        pass_on(l, ref, v);
        break;
    case JIT_GUARD_OBJECT_NODE:
        _PyJit_BranchBits(AS, JIT_NE, v, 1, leave);
        pass_on(l, ref, v);
        break;
    case JIT_GUARD_CLASS_NODE:
        emit_branch_not_class(l, v, n->cls, _PyJit_Temp(l), leave);
        pass_on(l, ref, v);
        break;
    case JIT_GUARD_IS_NODE:
        t = _PyJit_Temp(l);
        _PyJit_MovImm(AS, t, n->imm);
        _PyJit_Branch(AS, JIT_NE, v, t, leave);
        break;
    case JIT_GUARD_CMP_NODE:
        if (jit_is_const(l, n->args[1])) {
            _PyJit_BranchImm(AS, JIT_NEGATED((JitCond)n->cond), v,
                             (int64_t)l->g->nodes[n->args[1]].imm, leave);
        }
        else {
            _PyJit_Branch(AS, JIT_NEGATED((JitCond)n->cond), v, w, leave);
        }
        break;
    case JIT_GUARD_MEM_NODE:
        if (n->width == JIT_64) {
            t = _PyJit_Temp(l);
            _PyJit_MovImm(AS, t, n->imm);
            _PyJit_BranchMem(AS, JIT_NE, JIT_64, v, n->reg, t, leave);
        }
        else {
            _PyJit_BranchMemImm(AS, JIT_NE, (JitWidth)n->width, v, n->reg, (int64_t)n->imm,
                                leave);
        }
        break;
    case JIT_GUARD_ABS_NODE:
        _PyJit_BranchAbsImm(AS, JIT_NE, (JitWidth)n->width, n->aux, (int64_t)n->imm, leave);
        break;
    default:
        l->g->failed = 1;
        break;
    }
}

/* GEN_STACK_TOP() */
static int32_t
generator_top(const JitLower *l)
{
    return (int32_t)(offsetof(PyVMFrame, regs) + l->g->code->nregs * sizeof(PyReg));
}

/* A frame at this register fits on the thread's stack, and the C stack is not half used. Neither
   changes while the frame runs, but for a generator's. */
static void
emit_guard_room(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitLabel leave = leave_label(l, ref);
    if (l->g->code->is_generator) {
        /* room_above_generator() */
        _PyJit_Load(AS, JIT_64, t, l->m->frame, generator_top(l));
        _PyJit_BranchMem(AS, JIT_UGT, JIT_64, l->m->thread,
                         offsetof(PyThreadState, datastack_top), t, leave);
    }
    else {
        _PyJit_OpImm(AS, JIT_ADD, t, l->m->frame,
                     (int64_t)(offsetof(PyVMFrame, regs) + n->reg * sizeof(PyReg)));
    }
    _PyJit_Load(AS, JIT_64, u, l->m->thread, offsetof(PyThreadState, datastack_chunk));
    _PyJit_Op(AS, JIT_SUB, t, t, u);
    _PyJit_BranchMem(AS, JIT_ULE, JIT_64, l->m->thread, offsetof(PyThreadState, datastack_limit),
                     t, leave);
    /* _Py_CStackIsAmple() */
    _PyJit_Load(AS, JIT_64, u, l->m->thread, offsetof(_PyThreadStateImpl, c_stack_bottom));
    _PyJit_Op(AS, JIT_SUB, t, l->m->frame_pointer, u);
    _PyJit_Load(AS, JIT_64, u, l->m->thread, offsetof(_PyThreadStateImpl, c_stack_half));
    _PyJit_Op(AS, JIT_SUB, t, t, u);
    _PyJit_Branch(AS, JIT_UGE, t, u, leave);
}

/* ---------------------------------------------------------------------- calls */

static void
save_ip(JitLower *l, uint32_t ip, JitReg scratch)
{
    _PyJit_MovImm(AS, scratch, (uint64_t)(l->g->code->code + ip));
    _PyJit_Store(AS, JIT_64, l->m->frame, offsetof(PyVMFrame, ip), scratch);
}

/* Leaves, with memory as it is, if machine code must not go on. The instruction to go on at is
   in result2. */
static void
check_ok(JitLower *l)
{
    _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, l->m->thread,
                        offsetof(_PyThreadStateImpl, native_ok), 0, l->common_leave);
}

/* The handler of the instruction, by its C form. Afterwards result2 is the instruction to go on
   at, in this frame. */
static void
emit_step_call(JitLower *l, JitRef ref, JitNode *n)
{
    uint32_t ip = (uint32_t)n->imm;
    const PyInstr *in = &l->g->code->code[ip];
    JitArg args[5] = {
        {.kind = ARG_REG, .reg = l->m->frame},
        {.kind = ARG_IMM, .imm = (uint64_t)in},
        {.kind = ARG_REG, .reg = l->m->thread},
        {.kind = ARG_IMM, .imm = 0},
        {.kind = ARG_IMM, .imm = 0},
    };
    _PyJit_CallArgs(l, ref, args, 4);
    /* The word is read anew, for the instruction may have been specialised. */
    _PyJit_Load(AS, JIT_64, l->m->args[4], l->m->args[1], 0);
    _PyJit_OpImm(AS, JIT_AND, l->m->args[4], l->m->args[4], ~(int64_t)0xff00);
    _PyJit_OpImm(AS, JIT_AND, l->m->args[3], l->m->args[4], 255);
    JitReg table = l->m->callee;
    _PyJit_MovImm(AS, table, (uint64_t)_PyVM_steps);
    _PyJit_LoadIndexed(AS, JIT_64, table, table, l->m->args[3], 3, 0);
    _PyJit_CallReg(AS, table);
    _PyJit_AfterCall(l, ref);
    JitLabel other = _PyJit_NewLabel(AS), here = _PyJit_NewLabel(AS);
    _PyJit_Branch(AS, JIT_NE, l->m->result, l->m->frame, other);
    _PyJit_Bind(AS, here);
    check_ok(l);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, other);
    _PyJit_BranchImm(AS, JIT_EQ, l->m->result, 0, l->common_return);
    _PyJit_Mov(AS, l->m->args[3], l->m->result);
    _PyJit_Mov(AS, l->m->args[1], l->m->result2);
    _PyJit_Mov(AS, l->m->args[0], l->m->frame);
    _PyJit_Mov(AS, l->m->args[2], l->m->thread);
    _PyJit_Call(AS, (const void *)_PyVM_FinishStep);
    _PyJit_BranchImm(AS, JIT_EQ, l->m->result, 0, l->common_return);
    _PyJit_Jump(AS, here);
    _PyJit_AsmPart(AS, 0);
}

static uint32_t
behind(JitLower *l, uint32_t ip)
{
    return ip + 1 + _PyOpcode_Info[l->g->code->code[ip].op].cache;
}

static void
emit_step(JitLower *l, JitRef ref, JitNode *n)
{
    emit_step_call(l, ref, n);
    _PyJit_MovImm(AS, l->m->result, (uint64_t)(l->g->code->code + behind(l, (uint32_t)n->imm)));
    _PyJit_Branch(AS, JIT_NE, l->m->result2, l->m->result, l->common_dispatch);
}

/* A call of C that neither fails nor looks at frames. */
static void
emit_call(JitLower *l, JitRef ref, JitNode *n)
{
    JitArg args[JIT_ARGS];
    for (int i = 0; i < n->nargs; i++) {
        args[i] = (JitArg){.kind = ARG_REF, .ref = n->args[i]};
    }
    _PyJit_CallArgs(l, ref, args, n->nargs);
    _PyJit_Call(AS, n->aux);
    _PyJit_AfterCall(l, ref);
    if (n->type == JIT_T_DOUBLE) {
        _PyJit_TakeResult(l, ref, JIT_FLOATS + l->m->float_result);
    }
    else if (n->type != JIT_T_NONE) {
        _PyJit_TakeResult(l, ref, l->m->result);
    }
}

/* Where code goes on whose getter has raised. */
static JitLabel
getter_failed(JitLower *l)
{
    JitLabel label = _PyJit_NewLabel(AS);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, label);
    _PyJit_Mov(AS, l->m->args[0], l->m->frame);
    _PyJit_Call(AS, (const void *)_PyVM_GetterFailed);
    _PyJit_Jump(AS, l->common_error);
    _PyJit_AsmPart(AS, 0);
    return label;
}

/* A call of C that may do anything: memory tells the truth. */
static void
emit_call_opaque(JitLower *l, JitRef ref, JitNode *n)
{
    JitArg args[JIT_ARGS + 2];
    int nargs = 0;
    if (n->reg) {
        args[nargs++] = (JitArg){.kind = ARG_REG, .reg = l->m->frame};
        args[nargs++] = (JitArg){.kind = ARG_REG, .reg = l->m->thread};
    }
    for (int i = 0; i < n->nargs; i++) {
        args[nargs++] = (JitArg){.kind = ARG_REF, .ref = n->args[i]};
    }
    save_ip(l, (uint32_t)n->imm, _PyJit_Temp(l));
    _PyJit_CallArgs(l, ref, args, nargs);
    _PyJit_Call(AS, n->aux);
    _PyJit_AfterCall(l, ref);
    if (n->cond == JIT_RAISES_NULL) {
        _PyJit_BranchImm(AS, JIT_EQ, l->m->result, 0, l->common_error);
    }
    else if (n->cond == JIT_RAISES_AS_GETTER) {
        _PyJit_BranchImm(AS, JIT_EQ, l->m->result, 0, getter_failed(l));
    }
    else if (n->cond == JIT_RAISES_NEGATIVE) {
        _PyJit_BranchImm(AS, JIT_LT, l->m->result, 0, l->common_error);
    }
    if (n->type != JIT_T_NONE) {
        _PyJit_TakeResult(l, ref, l->m->result);
    }
}

/* The header of the frame at base + `at`, whose function and arguments are in place. */
static void
emit_header(JitLower *l, JitReg base, int32_t at, JitReg code, JitReg t)
{
    const JitMachine *m = l->m;
    _PyJit_Store(AS, JIT_64, base, at + (int32_t)offsetof(PyVMFrame, code), code);
    _PyJit_Store(AS, JIT_64, base, at + (int32_t)offsetof(PyVMFrame, previous), m->frame);
    _PyJit_Load(AS, JIT_64, t, code, offsetof(PyVMCode, code));
    _PyJit_Store(AS, JIT_64, base, at + (int32_t)offsetof(PyVMFrame, ip), t);
    static_assert(offsetof(PyVMFrame, locals) == offsetof(PyVMFrame, frame_obj) + 8, "a pair");
    _PyJit_StoreZeros(AS, base, at + (int32_t)offsetof(PyVMFrame, frame_obj));
    uint64_t word = NATIVE_DEST | (uint64_t)RET_NATIVE << 16 | (uint64_t)FRAME_THREAD << 24
                    | (uint64_t)CALL_WORDS << 48;
    _PyJit_MovImm(AS, t, word);
    _PyJit_Store(AS, JIT_64, base, at + (int32_t)offsetof(PyVMFrame, dest), t);
}

/* What is to be done beside the usual if the callee has failed; and an __init__ must return
   None. */
static void
emit_call_end(JitLower *l, JitNode *n)
{
    const JitMachine *m = l->m;
    if (n->cond == JIT_FRAME_CALL) {
        _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_error);
        return;
    }
    if (n->cond == JIT_FRAME_GETTER) {
        _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, getter_failed(l));
        return;
    }
    JitLabel rare = _PyJit_NewLabel(AS);
    _PyJit_AddMem(AS, JIT_32, m->thread, offsetof(PyThreadState, recursion_remaining), 1);
    JitReg none = m->callee == m->result ? m->args[1] : m->callee;
    _PyJit_MovImm(AS, none, REG_NONE);
    _PyJit_Branch(AS, JIT_NE, m->result, none, rare);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, rare);
    _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_error);
    _PyJit_Mov(AS, m->args[0], m->result);
    _PyJit_MovImm(AS, m->args[1], 0);
    _PyJit_Call(AS, (const void *)_PyVM_RefuseInit);
    _PyJit_Jump(AS, l->common_error);
    _PyJit_AsmPart(AS, 0);
}

/* The window becomes the callee's frame; a generator's lies elsewhere, so its words move to the
   thread's stack. */
static void
emit_call_function(JitLower *l, JitRef ref, JitNode *n)
{
    const JitMachine *m = l->m;
    int32_t window = (int32_t)(offsetof(PyVMFrame, regs) + n->reg * sizeof(PyReg));
    JitReg code = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitReg base = m->frame;
    int32_t at = window;
    if (l->g->code->is_generator) {
        base = _PyJit_Temp(l);
        at = 0;
        _PyJit_Load(AS, JIT_64, base, m->frame, generator_top(l));
        for (int i = 0; i < n->width; i++) {
            int32_t word = (int32_t)((i == 0 ? 0 : FRAME_WORDS + i - 1) * sizeof(PyReg));
            _PyJit_Load(AS, JIT_64, t, m->frame, window + word);
            _PyJit_Store(AS, JIT_64, base, word, t);
            _PyJit_StoreImm(AS, JIT_64, m->frame, window + word, 0);
        }
    }
    emit_header(l, base, at, code, t);
    save_ip(l, (uint32_t)n->imm, t);
    _PyJit_AddMem(AS, JIT_32, m->thread, offsetof(PyThreadState, recursion_remaining),
                  n->cond == JIT_FRAME_INIT ? -2 : -1);
    _PyJit_OpImm(AS, JIT_ADD, t, base, at);
    _PyJit_Load(AS, JIT_64, u, m->thread, offsetof(PyThreadState, cframe));
    _PyJit_Store(AS, JIT_64, u, offsetof(_PyCFrame, current_frame), t);
    JitReg entry = u != m->args[0] ? u : t;
    _PyJit_Load(AS, JIT_64, entry, code, offsetof(PyVMCode, native_entry));
    _PyJit_OpImm(AS, JIT_ADD, m->args[0], base, at);
    _PyJit_Mov(AS, m->callee, entry);
    _PyJit_Mov(AS, m->args[1], m->thread);
    if (n->cond == JIT_FRAME_INIT) {
        /* The collector may have run before, and with it anything. */
        JitLabel interpreted = _PyJit_NewLabel(AS), back = _PyJit_NewLabel(AS);
        _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, m->thread,
                            offsetof(_PyThreadStateImpl, native_ok), 0, interpreted);
        _PyJit_Bind(AS, back);
        _PyJit_AsmPart(AS, 1);
        _PyJit_Bind(AS, interpreted);
        _PyJit_MovImm(AS, m->callee, (uint64_t)_PyVM_CallFromNative);
        _PyJit_Jump(AS, back);
        _PyJit_AsmPart(AS, 0);
    }
    _PyJit_CallReg(AS, m->callee);
    _PyJit_AfterCall(l, ref);
    emit_call_end(l, n);
    if (n->type != JIT_T_NONE) {
        _PyJit_TakeResult(l, ref, m->result);
    }
}

/* The frame is popped; its variables are dead already. What is not usual, a frame object for
   instance, is C's. */
static void
emit_return(JitLower *l, JitRef ref, JitNode *n)
{
    const JitMachine *m = l->m;
    JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitLabel slow = _PyJit_NewLabel(AS), dead = _PyJit_NewLabel(AS), back = _PyJit_NewLabel(AS);
    (void)ref;
    l->used |= (uint64_t)1 << m->result;
    if (l->g->code->is_generator) {
        _PyJit_Jump(AS, slow);
    }
    if (n->cond) {
        _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, m->frame, offsetof(PyVMFrame, frame_obj), 0, slow);
    }
    _PyJit_BranchMemImm(AS, JIT_NE, JIT_16, m->frame, offsetof(PyVMFrame, flags), 0, slow);
    _PyJit_Load(AS, JIT_64, t, m->thread, offsetof(PyThreadState, cframe));
    _PyJit_Load(AS, JIT_64, u, m->frame, offsetof(PyVMFrame, previous));
    _PyJit_Store(AS, JIT_64, t, offsetof(_PyCFrame, current_frame), u);
    _PyJit_AddMem(AS, JIT_32, m->thread, offsetof(PyThreadState, recursion_remaining), 1);
    _PyJit_Load(AS, JIT_64, t, m->frame, offsetof(PyVMFrame, func));
    static_assert(offsetof(PyVMFrame, func) == 0 && offsetof(PyVMFrame, code) == 8
                  && offsetof(PyVMFrame, previous) == 16 && offsetof(PyVMFrame, ip) == 24,
                  "two pairs");
    _PyJit_StoreZeros(AS, m->frame, offsetof(PyVMFrame, func));
    _PyJit_StoreZeros(AS, m->frame, offsetof(PyVMFrame, previous));
    _PyJit_DecMemJumpZero(AS, t, offsetof(PyObject, ob_refcnt), dead);
    _PyJit_Bind(AS, back);
    _PyJit_Mov(AS, m->result, v);
    _PyJit_Return(AS);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, dead);
    _PyJit_Store(AS, JIT_64, m->frame_pointer, jit_area_disp(l, v), v);
    _PyJit_Mov(AS, m->args[0], t);
    _PyJit_Call(AS, (const void *)_Py_Dealloc);
    _PyJit_Load(AS, JIT_64, v, m->frame_pointer, jit_area_disp(l, v));
    _PyJit_Jump(AS, back);
    _PyJit_Bind(AS, slow);
    JitReg moved = v;
    if (v == m->args[0] || v == m->args[1]) {
        _PyJit_Mov(AS, m->callee, v);
        moved = m->callee;
    }
    _PyJit_Mov(AS, m->args[0], m->frame);
    if (moved != m->args[2]) {
        _PyJit_Mov(AS, m->args[2], moved);
    }
    _PyJit_Mov(AS, m->args[1], m->thread);
    _PyJit_TailCall(AS, (const void *)_PyJit_ReturnSlowly);
    _PyJit_AsmPart(AS, 0);
}

/* A generator is suspended, as _PyVM_LeaveGenerator() does it: its value goes to who has
   resumed it. */
static void
emit_yield(JitLower *l, JitNode *n)
{
    const JitMachine *m = l->m;
    const int32_t object = -(int32_t)offsetof(PyGenObject, gi_iframe);
    const int32_t outer = object + (int32_t)offsetof(PyGenObject, gi_exc_state.previous_item);
    JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    l->used |= (uint64_t)1 << m->result;
    save_ip(l, (uint32_t)n->imm, t);
    _PyJit_Load(AS, JIT_64, t, m->frame, outer);
    _PyJit_Store(AS, JIT_64, m->thread, offsetof(PyThreadState, exc_info), t);
    _PyJit_StoreImm(AS, JIT_64, m->frame, outer, 0);
    _PyJit_StoreImm(AS, JIT_8, m->frame, object + (int32_t)offsetof(PyGenObject, gi_frame_state),
                    GEN_SUSPENDED);
    _PyJit_Load(AS, JIT_64, t, m->frame, offsetof(PyVMFrame, previous));
    _PyJit_StoreImm(AS, JIT_64, m->frame, offsetof(PyVMFrame, previous), 0);
    _PyJit_Load(AS, JIT_64, u, m->thread, offsetof(PyThreadState, cframe));
    _PyJit_Store(AS, JIT_64, u, offsetof(_PyCFrame, current_frame), t);
    _PyJit_AddMem(AS, JIT_32, m->thread, offsetof(PyThreadState, recursion_remaining), 1);
    _PyJit_Mov(AS, m->result, v);
    _PyJit_Return(AS);
}

/* ---------------------------------------------------------------------- nodes */

static JitReg
base_of(JitLower *l, JitNode *n)
{
    return _PyJit_In(l, n->args[0]);
}

static int
width_shift(uint8_t width)
{
    return width == JIT_64 ? 3 : width == JIT_32 || width == JIT_S32 ? 2
         : width == JIT_16 || width == JIT_S16 ? 1 : 0;
}

static void
emit_memory(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg base = base_of(l, n);
    switch (n->op) {
    case JIT_LOAD_NODE:
        if (n->type == JIT_T_DOUBLE) {
            _PyJit_FLoad(AS, _PyJit_OutFloat(l, ref, 0), base, (int32_t)n->imm);
        }
        else {
            _PyJit_Load(AS, (JitWidth)n->width, _PyJit_Out(l, ref, 1), base, (int32_t)n->imm);
        }
        _PyJit_Made(l, ref);
        break;
    case JIT_LOAD_INDEXED_NODE: {
        JitReg index = _PyJit_In(l, n->args[1]);
        _PyJit_LoadIndexed(AS, (JitWidth)n->width, _PyJit_Out(l, ref, 1), base, index,
                           width_shift(n->width), (int32_t)n->imm);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_STORE_NODE:
        if (jit_is_const(l, n->args[1])) {
            int64_t value = (int64_t)l->g->nodes[n->args[1]].imm;
            if (value == (int32_t)value) {
                _PyJit_StoreImm(AS, (JitWidth)n->width, base, (int32_t)n->imm, value);
                break;
            }
        }
        _PyJit_Store(AS, (JitWidth)n->width, base, (int32_t)n->imm, _PyJit_In(l, n->args[1]));
        break;
    case JIT_STORE_INDEXED_NODE: {
        JitReg index = _PyJit_In(l, n->args[1]);
        _PyJit_StoreIndexed(AS, (JitWidth)n->width, base, index, width_shift(n->width),
                            (int32_t)n->imm, _PyJit_In(l, n->args[2]));
        break;
    }
    default:
        _PyJit_AddMem(AS, (JitWidth)n->width, base, (int32_t)n->imm, (int8_t)n->cond);
        break;
    }
}

static int32_t
reg_disp(JitNode *n)
{
    return (int32_t)(offsetof(PyVMFrame, regs) + n->reg * sizeof(PyReg));
}

static void
emit_node(JitLower *l, JitRef ref)
{
    JitNode *n = &l->g->nodes[ref];
    _PyJit_Mark(l, n->ip);
    switch (n->op) {
    case JIT_NONE_NODE: case JIT_CONST_NODE: case JIT_DOUBLE_NODE: case JIT_PHI_NODE:
        return;
    case JIT_LOAD_REG_NODE:
        _PyJit_Load(AS, JIT_64, _PyJit_Out(l, ref, 0), l->m->frame, reg_disp(n));
        _PyJit_Made(l, ref);
        break;
    case JIT_STORE_REG_NODE:
        if (jit_is_const(l, n->args[0])
            && (int64_t)l->g->nodes[n->args[0]].imm
               == (int32_t)l->g->nodes[n->args[0]].imm) {
            _PyJit_StoreImm(AS, JIT_64, l->m->frame, reg_disp(n),
                            (int64_t)l->g->nodes[n->args[0]].imm);
        }
        else {
            _PyJit_Store(AS, JIT_64, l->m->frame, reg_disp(n), _PyJit_In(l, n->args[0]));
        }
        break;
    case JIT_FUNC_NODE:
        _PyJit_Load(AS, JIT_64, _PyJit_Out(l, ref, 0), l->m->frame, offsetof(PyVMFrame, func));
        _PyJit_Made(l, ref);
        break;
    case JIT_SAVE_IP_NODE:
        save_ip(l, (uint32_t)n->imm, _PyJit_Temp(l));
        break;
    case JIT_LOAD_NODE: case JIT_LOAD_INDEXED_NODE: case JIT_STORE_NODE:
    case JIT_STORE_INDEXED_NODE: case JIT_ADD_MEM_NODE:
        emit_memory(l, ref, n);
        break;
    case JIT_INCREF_NODE:
        emit_incref(l, n);
        break;
    case JIT_RELEASE_NODE:
        emit_release(l, ref, n);
        break;
    case JIT_GUARD_INT_NODE: case JIT_GUARD_OBJECT_NODE: case JIT_GUARD_CLASS_NODE:
    case JIT_GUARD_IS_NODE: case JIT_GUARD_CMP_NODE: case JIT_GUARD_MEM_NODE:
    case JIT_GUARD_ABS_NODE:
        emit_guard(l, ref, n);
        break;
    case JIT_GUARD_FCMP_NODE: {
        JitFloatReg a = _PyJit_InFloat(l, n->args[0]), b = _PyJit_InFloat(l, n->args[1]);
        _PyJit_FBranch(AS, JIT_NEGATED((JitCond)n->cond), a, b, 1, leave_label(l, ref));
        break;
    }
    case JIT_GUARD_ROOM_NODE:
        emit_guard_room(l, ref, n);
        break;
    case JIT_LIST_ROOM_NODE:
        emit_list_room(l, ref, n);
        break;
    case JIT_GUARD_UNSEEN_NODE: {
        JitLabel out = leave_label(l, ref);
        _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, l->m->frame, offsetof(PyVMFrame, frame_obj), 0,
                            out);
        break;
    }
    case JIT_GUARD_DEPTH_NODE: {
        JitLabel out = leave_label(l, ref);
        _PyJit_BranchMemImm(AS, JIT_LT, JIT_S32, l->m->thread,
                            offsetof(PyThreadState, recursion_remaining), (int64_t)n->imm, out);
        break;
    }
    case JIT_TO_INT_NODE:
        emit_to_int(l, ref, n);
        break;
    case JIT_TO_DOUBLE_NODE:
        emit_to_double(l, ref, n);
        break;
    case JIT_ADD_NODE: case JIT_SUB_NODE:
        emit_add_sub(l, ref, n);
        break;
    case JIT_MUL_NODE:
        emit_mul(l, ref, n);
        break;
    case JIT_FLOORDIV_NODE: case JIT_MOD_NODE:
        emit_division(l, ref, n);
        break;
    case JIT_AND_NODE: case JIT_OR_NODE: case JIT_XOR_NODE:
        emit_logic(l, ref, n);
        break;
    case JIT_SHL_NODE: case JIT_SHR_NODE: case JIT_SHL_BY_NODE: case JIT_SHR_BY_NODE:
        emit_shift(l, ref, n);
        break;
    case JIT_NEG_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
        make_room(l, 1, 0);
        JitLabel out = leave_label(l, ref);
        _PyJit_MovImm(AS, t, 2);
        _PyJit_OpOverflow(AS, JIT_SUB, _PyJit_Out(l, ref, 1), t, v, out);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_CMP_NODE: case JIT_FCMP_NODE: case JIT_BOOL_NODE:
        emit_bool(l, ref, n);
        break;
    case JIT_UNTAG_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]);
        _PyJit_OpImm(AS, JIT_SAR, _PyJit_Out(l, ref, 1), v, 1);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_TAG_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
        JitLabel out = leave_label(l, ref);
        _PyJit_OpOverflow(AS, JIT_ADD, t, v, v, out);
        _PyJit_OpImm(AS, JIT_OR, _PyJit_Out(l, ref, 0), t, 1);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_RAW_ADD_NODE: {
        JitReg a = _PyJit_In(l, n->args[0]);
        if (n->args[1] == 0) {
            _PyJit_OpImm(AS, JIT_ADD, _PyJit_Out(l, ref, 1), a, (int64_t)n->imm);
        }
        else {
            JitReg b = _PyJit_In(l, n->args[1]);
            _PyJit_Op(AS, JIT_ADD, _PyJit_Out(l, ref, 1), a, b);
        }
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_FADD_NODE: case JIT_FSUB_NODE: case JIT_FMUL_NODE: case JIT_FDIV_NODE:
    case JIT_FNEG_NODE: case JIT_FABS_NODE: case JIT_FSQRT_NODE:
        emit_float_op(l, ref, n);
        break;
    case JIT_INT_TO_DOUBLE_NODE: {
        JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
        _PyJit_OpImm(AS, JIT_SAR, t, v, 1);
        _PyJit_FFromInt(AS, _PyJit_OutFloat(l, ref, 0), t);
        _PyJit_Made(l, ref);
        break;
    }
    case JIT_BOX_DOUBLE_NODE:
        emit_box_double(l, ref, n);
        break;
    case JIT_BOX_INT_NODE:
        emit_box_int(l, ref, n);
        break;
    case JIT_TRUNC_NODE: {
        JitFloatReg v = _PyJit_InFloat(l, n->args[0]);
        _PyJit_FToInt(AS, _PyJit_Out(l, ref, 0), v);
        _PyJit_Made(l, ref);
        break;
    }
        break;
    case JIT_STEP_NODE:
        emit_step(l, ref, n);
        break;
    case JIT_PENDING_NODE: {
        JitRare *rare = add_rare(l, RARE_PENDING, ref);
        _PyJit_BranchAbsImm(AS, JIT_NE, JIT_64, &_Py_attention.all, 0, rare->label);
        _PyJit_Bind(AS, rare->back);
        break;
    }
    case JIT_CHECK_OK_NODE: {
        JitLabel out = leave_label(l, ref);
        _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, l->m->thread,
                            offsetof(_PyThreadStateImpl, native_ok), 0, out);
        break;
    }
    case JIT_CALL_NODE: case JIT_CALL_D_NODE:
        emit_call(l, ref, n);
        break;
    case JIT_CALL_OPAQUE_NODE:
        emit_call_opaque(l, ref, n);
        break;
    case JIT_YIELD_NODE:
        emit_yield(l, n);
        break;
    case JIT_CALL_FUNCTION_NODE:
        emit_call_function(l, ref, n);
        break;
    case JIT_LEAVE_NODE:
        _PyJit_Jump(AS, leave_label(l, ref));
        break;
    case JIT_RETURN_NODE:
        emit_return(l, ref, n);
        break;
    case JIT_STEP_END_NODE:
        emit_step_call(l, ref, n);
        _PyJit_Jump(AS, l->common_dispatch);
        break;
    case JIT_STEP_BRANCH_NODE:
        emit_step_call(l, ref, n);
        break;
    case JIT_JUMP_NODE: case JIT_BRANCH_NODE: case JIT_FBRANCH_NODE:
        break;                  /* emit_block_end() */
    default:
        fprintf(stderr, "jit: no machine code for %s\n", _PyJit_NodeNames[n->op]);
        l->g->failed = 1;
        break;
    }
    if (!(_PyJit_NodeFlags[n->op] & JIT_ENDS)) {
        _PyJit_EndNode(l, ref);
    }
}

/* --------------------------------------------------------------------- blocks */

static void
emit_range(JitLower *l, JitRange range)
{
    for (JitRef ref = range.first; ref < range.end && !l->g->failed; ref++) {
        emit_node(l, ref);
    }
}

/* What stands on an edge, then its moves. */
static void
emit_edge(JitLower *l, uint32_t number)
{
    l->unit = l->g->nblocks + number;
    l->pinned = l->temps = 0;
    emit_range(l, l->g->edges[number].nodes);
    _PyJit_EdgeMoves(l, number);
}

static void
set_state(JitLower *l, const JitState *state, const uint8_t *regs)
{
    l->now = *state;
    memcpy(l->reg, regs, l->g->nnodes);
    l->pinned = l->temps = 0;
}

/* The condition of the block's last node, as a jump. */
static void
emit_condition(JitLower *l, JitNode *n, int negated, JitLabel label)
{
    JitCond cond = (JitCond)n->cond;
    if (n->op == JIT_STEP_BRANCH_NODE) {
        JitReg t = l->m->result;
        _PyJit_MovImm(AS, t, (uint64_t)n->aux);
        _PyJit_Branch(AS, negated ? JIT_NE : JIT_EQ, l->m->result2, t, label);
        return;
    }
    if (n->op == JIT_FBRANCH_NODE) {
        JitFloatReg a = _PyJit_InFloat(l, n->args[0]), b = _PyJit_InFloat(l, n->args[1]);
        _PyJit_FBranch(AS, negated ? JIT_NEGATED(cond) : cond, a, b,
                       negated ? !n->width : n->width, label);
        return;
    }
    JitReg a = _PyJit_In(l, n->args[0]);
    cond = negated ? JIT_NEGATED(cond) : cond;
    JitNode *y = &l->g->nodes[n->args[1]];
    if (y->op == JIT_CONST_NODE) {
        _PyJit_BranchImm(AS, cond, a, (int64_t)y->imm, label);
    }
    else {
        _PyJit_Branch(AS, cond, a, _PyJit_In(l, n->args[1]), label);
    }
}

static void
jump_unless_next(JitLower *l, uint32_t from, uint32_t to)
{
    if (to != from + 1 || l->g->blocks[to].entry != 0) {
        _PyJit_Jump(AS, l->labels[to]);
    }
}

static void
emit_block_end(JitLower *l, uint32_t number)
{
    JitGraph *g = l->g;
    JitBlock *block = &g->blocks[number];
    JitRef last = block->nodes.end - 1;
    JitNode *n = &g->nodes[last];
    if (block->nedges == 0) {
        return;
    }
    if (block->nedges == 1) {
        _PyJit_EndNode(l, last);
        emit_edge(l, block->edges[0]);
        jump_unless_next(l, number, g->edges[block->edges[0]].to);
        return;
    }
    uint32_t edge0 = block->edges[0], edge1 = block->edges[1];
    if (n->op == JIT_STEP_BRANCH_NODE) {
        /* Neither: an exception, or somewhere else altogether. */
        JitLabel fine = _PyJit_NewLabel(AS);
        uint32_t next = behind(l, (uint32_t)n->imm);
        _PyJit_MovImm(AS, l->m->result, (uint64_t)(g->code->code + next));
        _PyJit_Branch(AS, JIT_EQ, l->m->result2, l->m->result, fine);
        _PyJit_MovImm(AS, l->m->result, (uint64_t)n->aux);
        _PyJit_Branch(AS, JIT_NE, l->m->result2, l->m->result, l->common_dispatch);
        _PyJit_Bind(AS, fine);
    }
    /* The operands of the condition are loaded before states are compared. */
    if (n->op != JIT_STEP_BRANCH_NODE) {
        for (int i = 0; i < 2; i++) {
            if (!jit_is_const(l, n->args[i])) {
                if (n->op == JIT_FBRANCH_NODE) {
                    (void)_PyJit_InFloat(l, n->args[i]);
                }
                else {
                    (void)_PyJit_In(l, n->args[i]);
                }
            }
        }
    }
    JitState *state = _PyJit_Alloc(g, sizeof(JitState));
    uint8_t *regs = _PyJit_Alloc(g, g->nnodes);
    if (g->failed) {
        return;
    }
    JitLabel aside = _PyJit_NewLabel(AS);
    int swap = g->edges[edge0].to == number + 1;
    uint32_t jumps = swap ? edge1 : edge0, falls = swap ? edge0 : edge1;
    /* Constants among the operands need a register only for the comparison. */
    JitLabel direct = l->labels[g->edges[jumps].to];
    *state = l->now;
    memcpy(regs, l->reg, g->nnodes);
    /* As it will be after the comparison. */
    const JitRef *deaths = l->deaths + l->deaths_first[last];
    for (uint32_t i = 0; i < l->deaths_n[last]; i++) {
        unsigned r = regs[deaths[i]];
        if (r != JIT_NO_REG) {
            state->owner[r] = 0;
            regs[deaths[i]] = JIT_NO_REG;
        }
    }
    JitState before = l->now;
    uint8_t *regs_before = _PyJit_Alloc(g, g->nnodes);
    if (regs_before == NULL) {
        return;
    }
    memcpy(regs_before, l->reg, g->nnodes);
    uint64_t pinned = l->pinned;
    set_state(l, state, regs);
    int is_free = _PyJit_EdgeIsFree(l, jumps);
    set_state(l, &before, regs_before);
    l->pinned = pinned;
    emit_condition(l, n, swap, is_free ? direct : aside);
    set_state(l, state, regs);
    emit_edge(l, falls);
    uint32_t to = g->edges[falls].to;
    if (is_free) {
        jump_unless_next(l, number, to);
        return;
    }
    _PyJit_Jump(AS, l->labels[to]);
    _PyJit_Bind(AS, aside);
    set_state(l, state, regs);
    emit_edge(l, jumps);
    jump_unless_next(l, number, g->edges[jumps].to);
}

static void
emit_block(JitLower *l, uint32_t number)
{
    JitGraph *g = l->g;
    JitBlock *block = &g->blocks[number];
    if (block->entry != 0) {
        /* From outside: nothing is in registers. */
        JitLabel place = _PyJit_NewLabel(AS);
        l->places[number] = place;
        int aside = block->start != l->main_entry;
        _PyJit_AsmPart(AS, aside);
        _PyJit_Bind(AS, place);
        l->now = (JitState){{0}};
        memset(l->reg, JIT_NO_REG, g->nnodes);
        emit_edge(l, block->entry);
        if (aside) {
            _PyJit_Jump(AS, l->labels[number]);
        }
        _PyJit_AsmPart(AS, 0);
    }
    _PyJit_Bind(AS, l->labels[number]);
    _PyJit_BeginUnit(l, number);
    emit_range(l, block->nodes);
    if (!g->failed) {
        emit_block_end(l, number);
    }
}

static void
emit_common(JitLower *l)
{
    const JitMachine *m = l->m;
    _PyJit_AsmPart(AS, 1);
    /* An exception is set, and f->ip is where it was raised or `common_error` says so. */
    _PyJit_Bind(AS, l->common_error);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_Load(AS, JIT_64, m->args[1], m->frame, offsetof(PyVMFrame, ip));
    _PyJit_Mov(AS, m->args[2], m->thread);
    _PyJit_Call(AS, (const void *)_PyVM_StepError);
    _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_return);
    _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, m->thread, offsetof(_PyThreadStateImpl, native_ok),
                        0, l->common_leave);
    /* Another instruction of this frame, in result2: its place, if it has one. */
    _PyJit_Bind(AS, l->common_dispatch);
    _PyJit_Mov(AS, m->args[1], m->result2);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_MovImm(AS, m->args[2], (uint64_t)l->jit);
    _PyJit_Call(AS, (const void *)_PyJit_Dispatch);
    JitLabel away = _PyJit_NewLabel(AS);
    _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, away);
    _PyJit_JumpReg(AS, m->result);
    _PyJit_Bind(AS, away);
    _PyJit_Load(AS, JIT_64, m->result2, m->frame, offsetof(PyVMFrame, ip));
    /* The interpreter goes on with the instruction in result2. */
    _PyJit_Bind(AS, l->common_leave);
    _PyJit_Mov(AS, m->args[1], m->result2);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_Mov(AS, m->args[2], m->thread);
    _PyJit_TailCall(AS, (const void *)_PyVM_RunNative);
    /* The frame has ended, and the value is in result2. */
    _PyJit_Bind(AS, l->common_return);
    _PyJit_Mov(AS, m->result, m->result2);
    _PyJit_Return(AS);
    _PyJit_AsmPart(AS, 0);
}

static void
free_points(JitPoint *point)
{
    while (point != NULL) {
        JitPoint *next = point->next;
        PyMem_RawFree(point);
        point = next;
    }
}

/* One try. used, slots: of the try before. */
static int
emit_all(JitLower *l, uint64_t used, uint32_t slots, uint32_t *at_entry)
{
    JitGraph *g = l->g;
    _PyJit_AsmInit(AS);
    free_points(l->points);
    l->points = NULL;
    l->again = 0;
    l->nslots = 0;
    l->slots_room = slots;
    l->used = used;
    l->rare = NULL;
    l->rare_end = &l->rare;
    _PyJit_ForgetMarks(l);
    memset(l->slot, -1, g->nnodes * sizeof(int32_t));
    memset(l->reg, JIT_NO_REG, g->nnodes);
    memset(l->entry, 0, g->nblocks * sizeof(JitState *));
    for (uint32_t i = 1; i < g->nblocks; i++) {
        l->labels[i] = _PyJit_NewLabel(AS);
    }
    l->common_return = _PyJit_NewLabel(AS);
    l->common_dispatch = _PyJit_NewLabel(AS);
    l->common_leave = _PyJit_NewLabel(AS);
    l->common_error = _PyJit_NewLabel(AS);
    _PyJit_Mark(l, l->main_entry - 1);      /* RESUME */
    JitRegSet saved = (JitRegSet)used & l->m->callee_saved;
    JitRegSet saved_floats = (JitRegSet)(used >> JIT_FLOATS) & l->m->float_callee_saved;
    _PyJit_AsmPart(AS, 1);
    *at_entry = _PyJit_AsmHere(AS);
    _PyJit_Prologue(AS, saved, saved_floats, JIT_AREA_WORDS + slots);
    _PyJit_JumpReg(AS, l->m->args[2]);
    _PyJit_AsmPart(AS, 0);
    _PyJit_Prologue(AS, saved, saved_floats, JIT_AREA_WORDS + slots);
    for (uint32_t i = 1; i < g->nblocks && !g->failed; i++) {
        if (i == 1 && g->blocks[1].start != l->main_entry) {
            g->failed = 1;      /* the first block is where functions begin */
            break;
        }
        emit_block(l, i);
    }
    if (g->failed) {
        return -1;
    }
    _PyJit_Mark(l, l->main_entry - 1);
    emit_common(l);
    _PyJit_AsmPart(AS, 1);
    for (JitRare *rare = l->rare; rare != NULL; rare = rare->next) {
        _PyJit_Mark(l, g->nodes[rare->node].ip);
        emit_rare(l, rare);
    }
    return g->failed ? -1 : 0;
}

#define MOST_TRIES 12

PyJitCode *
_PyJit_Lower(JitGraph *g)
{
    JitLower lower = {.g = g, .m = &_PyJit_Machine}, *l = &lower;
    l->reg = _PyJit_Alloc(g, g->nnodes);
    l->slot = _PyJit_Alloc(g, g->nnodes * sizeof(int32_t));
    l->needs_slot = _PyJit_Alloc(g, g->nnodes);
    l->used_in = _PyJit_Alloc(g, g->nnodes * sizeof(uint32_t));
    l->labels = _PyJit_Alloc(g, g->nblocks * sizeof(JitLabel));
    l->places = _PyJit_Alloc(g, g->nblocks * sizeof(JitLabel));
    l->entry = _PyJit_Alloc(g, g->nblocks * sizeof(JitState *));
    l->main_entry = _PyJit_EntryOf(g->code);
    if (g->failed || _PyJit_FindLife(l) < 0) {
        return NULL;
    }
    uint64_t used = 0;
    uint32_t slots = 4, at_entry = 0;
    PyJitCode *jit = NULL;
    l->jit = PyMem_RawCalloc(1, sizeof(PyJitCode));
    if (l->jit == NULL) {
        return NULL;
    }
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        int failed = emit_all(l, used, slots, &at_entry) < 0;
        uint64_t saved = (uint64_t)l->m->callee_saved
                         | (uint64_t)l->m->float_callee_saved << JIT_FLOATS;
        int again = l->again || (l->used & saved & ~used) != 0;
        if (g->shown) {
            fprintf(stderr, "try %d: %s%s used %llx slots %u bytes %u+%u\n", tries,
                    failed ? "failed " : "", again ? "again" : "",
                    (unsigned long long)l->used, l->nslots, l->as.parts[0].used,
                    l->as.parts[1].used);
        }
        if (failed || !again) {
            if (!failed) {
                jit = _PyJit_Install(l, at_entry);
            }
            _PyJit_AsmFree(AS);
            break;
        }
        used |= l->used;
        slots = l->nslots > slots ? l->nslots : slots;
        _PyJit_AsmFree(AS);
    }
    PyMem_RawFree(l->marks);
    if (jit == NULL) {
        free_points(l->points);
        PyMem_RawFree(l->jit->frame_info);
        PyMem_RawFree(l->jit);
    }
    return jit;
}
