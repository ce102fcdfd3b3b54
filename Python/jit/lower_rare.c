/* Machine code that is seldom run: leaving, destroying objects, other threads.

   It stands behind the function, keeps the registers that are alive in the native frame's area,
   and comes back or leaves. Where values are is noted when it is asked for, so a node takes all
   its registers first. */
#include "lower_parts.h"
#include "../vm/vm.h"
#include "ccalls.h"
#include "quiet.h"
#include "rare.h"
#include "internal/float.h"

#undef A
#undef B
#undef C

#define AS (&l->as)

/* ------------------------------------------------------------------ rare code */

JitRare *
_PyJit_AddRare(JitLower *l, JitRareKind kind, JitRef node)
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
        rare->point->guard = n->op;
        rare->point->inner_ip = n->inner_ip;
        rare->point->stays = n->op == JIT_RELEASE_NODE && (n->cond || n->snap == 0);
        rare->point->is_leaving = n->op == JIT_RELEASE_NODE && n->cond == JIT_RELEASE_LEAVING;
        rare->point->is_ending = n->op == JIT_GUARD_UNSEEN_NODE;
        rare->point->is_answer = n->scope == 0
                                 && (n->op == JIT_IS_STR_NODE
                                     || (n->op == JIT_GUARD_CMP_NODE
                                         && l->g->nodes[n->args[0]].op == JIT_CALL_NODE));
        for (uint32_t i = 0; i < rare->point->n; i++) {
            rare->point->borrows |= rare->point->kept[i].keep == JIT_KEEP_BORROWED;
        }
    }
    _PyJit_LiveRegs(l, node, &rare->live, &rare->live_floats);
    *l->rare_end = rare;
    l->rare_end = &rare->next;
    return rare;
}

/* Makes so many registers free, for what a node takes after it has noted where it leaves: what
   would give way then would be looked for where it was. */
void
_PyJit_MakeRoom(JitLower *l, int general, int floats)
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
JitLabel
_PyJit_LeaveLabel(JitLower *l, JitRef node)
{
    return _PyJit_AddRare(l, RARE_LEAVE, node)->label;
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
    live &= l->m->caller_saved;
    floats &= l->m->float_caller_saved;
    for (JitRegSet set = live | floats; set != 0; set &= set - 1) {
        unsigned r = (unsigned)__builtin_ctz(set);
        if (live & (JitRegSet)1 << r) {
            _PyJit_Load(AS, JIT_64, (JitReg)r, l->m->frame_pointer, jit_area_disp(l, r));
        }
        if (floats & (JitRegSet)1 << r) {
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
        const JitNode *n = &l->g->nodes[rare->node];
        if (rare->kind == RARE_PENDING) {
            JitLabel away = _PyJit_NewLabel(AS);
            _PyJit_BranchImm(AS, JIT_NE, l->m->result, JIT_RAISED, away);
            _PyJit_JumpToCommon(l, n, l->common_error);
            _PyJit_Bind(AS, away);
        }
        _PyJit_MovImm(AS, l->m->result2, (uint64_t)(l->g->code->code + rare->point->ip));
        _PyJit_JumpToCommon(l, n, l->common_leave);
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

/* d = a new object from a free list; the lists of its class. */
void
_PyJit_TakeBlock(JitLower *l, JitReg d, const void *list, JitReg t, JitReg u, JitLabel empty)
{
    _PyJit_MovImm(AS, t, (uint64_t)list);
    _PyJit_Load(AS, JIT_64, d, t, LIST_HEAD);
    _PyJit_BranchImm(AS, JIT_EQ, d, 0, empty);
    _PyJit_Load(AS, JIT_64, u, d, JIT_REFCNT);
    _PyJit_AddMem(AS, JIT_64, t, LIST_COUNT, -1);
    _PyJit_Store(AS, JIT_64, t, LIST_HEAD, u);
    _PyJit_StoreImm(AS, JIT_64, d, JIT_REFCNT, 1);
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
    _PyJit_Store(AS, JIT_64, v, JIT_REFCNT, u);
    _PyJit_Store(AS, JIT_64, t, LIST_HEAD, v);
}

void
_PyJit_BranchNotClass(JitLower *l, JitReg v, PyTypeObject *cls, JitLabel label)
{
    _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, v, offsetof(PyObject, ob_type), (int64_t)cls, label);
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
            _PyJit_BranchNotClass(l, v, &PyFloat_Type, no_float);
        }
        emit_give_block(l, v, &_PyFloat_free_list, t, u, other);
        _PyJit_Jump(AS, rare->back);
    }
    _PyJit_Bind(AS, no_float);
    if (cls != &PyFloat_Type) {
        if (cls == NULL) {
            _PyJit_BranchNotClass(l, v, &PyLong_Type, other);
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

void
_PyJit_LowerRare(JitLower *l, JitRare *rare)
{
    _PyJit_Bind(AS, rare->label);
    if (rare->point == NULL) {
        return;
    }
    JitNode *n = &l->g->nodes[rare->node];
    switch (rare->kind) {
    case RARE_LEAVE:
        keep_registers(l, 0, 0, rare->point);
        _PyJit_MovImm(AS, l->m->args[3], (uint64_t)rare->point);
        _PyJit_JumpToCommon(l, n, l->common_exit);
        break;
    case RARE_RELEASE:
        emit_destroy_number(l, rare, l->g->nodes[n->args[0]].cls);
        keep_registers(l, rare->live, rare->live_floats, rare->point);
        _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, rare->value), rare->value);
        point_args(l, rare->point);
        _PyJit_Load(AS, JIT_64, l->m->args[4], l->m->frame_pointer,
                    jit_area_disp(l, rare->value));
        _PyJit_Call(AS, _PyJit_DeallocOf(l->g->nodes[n->args[0]].cls));
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
            _PyJit_Call(AS, (const void *)_PyJit_NewInt);
        }
        _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, 31), l->m->result);
        restore_registers(l, rare->live, rare->live_floats);
        _PyJit_Load(AS, JIT_64, rare->dest, l->m->frame_pointer, jit_area_disp(l, 31));
        _PyJit_BranchImm(AS, JIT_NE, rare->dest, 0, rare->back);
        _PyJit_Jump(AS, rare->leave);
        break;
    case RARE_ASK:
        keep_registers(l, rare->live, rare->live_floats, NULL);
        _PyJit_Mov(AS, l->m->args[0], rare->value);
        if (n->aux != NULL) {
            _PyJit_MovImm(AS, l->m->args[1], (uint64_t)n->aux);
        }
        _PyJit_Call(AS, rare->function);
        _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, 31), l->m->result);
        restore_registers(l, rare->live, rare->live_floats);
        _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, l->m->frame_pointer, jit_area_disp(l, 31), 0,
                            rare->leave);
        _PyJit_Jump(AS, rare->back);
        break;
    case RARE_IS_STR:
        keep_registers(l, rare->live, rare->live_floats, NULL);
        _PyJit_Mov(AS, l->m->args[0], rare->value);
        _PyJit_MovImm(AS, l->m->args[1], n->imm);
        _PyJit_MovImm(AS, l->m->args[2], n->cond);
        _PyJit_Call(AS, (const void *)_PyJit_Compare);
        _PyJit_Store(AS, JIT_64, l->m->frame_pointer, jit_area_disp(l, 31), l->m->result);
        restore_registers(l, rare->live, rare->live_floats);
        _PyJit_Load(AS, JIT_64, rare->dest, l->m->frame_pointer, jit_area_disp(l, 31));
        _PyJit_BranchImm(AS, JIT_GE, rare->dest, 0, rare->back);
        _PyJit_Jump(AS, rare->leave);
        break;
    case RARE_BOX_RUN:
        keep_registers(l, rare->live, rare->live_floats, NULL);
        _PyJit_Mov(AS, l->m->args[0], l->m->frame);
        _PyJit_MovImm(AS, l->m->args[1], n->reg);
        _PyJit_MovImm(AS, l->m->args[2], n->imm >> 32);
        _PyJit_Call(AS, (const void *)_PyJit_BoxRegisters);
        _PyJit_BranchImm(AS, JIT_NE, l->m->result, 0, l->common_error);
        restore_registers(l, rare->live, rare->live_floats);
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
