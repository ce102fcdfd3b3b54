/* Nodes that read, write, count references and guard, as machine instructions. */
#include "lower_parts.h"
#include "displays.h"
#include "dying.h"
#include "likes.h"
#include "quiet.h"

#undef A
#undef B
#undef C

#define AS (&l->as)

/* Of PyASCIIObject.state, in the word that begins with it. */
#define INTERNED_BITS 3

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
    JitRare *rare = _PyJit_AddRare(l, RARE_RELEASE, ref);
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

/* Where a function is asked about a value, before the node goes on, or leaves. */
static JitRare *
add_ask(JitLower *l, JitRef ref, JitReg value, const void *function)
{
    JitRare *rare = _PyJit_AddRare(l, RARE_ASK, ref);
    rare->value = value;
    rare->function = function;
    rare->leave = _PyJit_LeaveLabel(l, ref);
    return rare;
}

static void
emit_list_room(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg list = _PyJit_In(l, n->args[0]), size = _PyJit_Temp(l);
    JitRare *rare = add_ask(l, ref, list, (const void *)_PyJit_ListRoom);
    _PyJit_Load(AS, JIT_64, size, list, offsetof(PyVarObject, ob_size));
    _PyJit_BranchMem(AS, JIT_LE, JIT_64, list, offsetof(PyListObject, allocated), size,
                     rare->label);
    _PyJit_Bind(AS, rare->back);
}

/* Two interned strs are equal only if they are the same object, others only if they have one
   length. */
static void
emit_is_str(JitLower *l, JitRef ref, JitNode *n)
{
    JitNode *x = &l->g->nodes[n->args[0]];
    JitReg v = _PyJit_In(l, n->args[0]);
    _PyJit_MakeRoom(l, 2, 0);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    JitReg d = _PyJit_Out(l, ref, 0), t = _PyJit_Temp(l);
    JitRare *rare = _PyJit_AddRare(l, RARE_IS_STR, ref);
    rare->value = v;
    rare->dest = d;
    rare->leave = leave;
    _PyJit_MovImm(AS, t, n->imm);
    _PyJit_MovImm(AS, d, n->cond == Py_EQ);
    _PyJit_Branch(AS, JIT_EQ, v, t, rare->back);
    if (x->type == JIT_T_WORD) {
        _PyJit_BranchBits(AS, JIT_NE, v, 1, rare->label);
        _PyJit_BranchImm(AS, JIT_EQ, v, 0, rare->label);
    }
    if (x->cls != &PyUnicode_Type) {
        _PyJit_BranchNotClass(l, v, &PyUnicode_Type, rare->label);
    }
    JitLabel differs = _PyJit_NewLabel(AS);
    _PyJit_Load(AS, JIT_32, t, v, offsetof(PyASCIIObject, state));
    _PyJit_BranchBits(AS, JIT_EQ, t, JIT_STR_READY, rare->label);
    _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, v, offsetof(PyASCIIObject, length),
                        PyUnicode_GET_LENGTH(REG_PTR(n->imm)), differs);
    _PyJit_BranchBits(AS, JIT_EQ, t, INTERNED_BITS, rare->label);
    _PyJit_Bind(AS, differs);
    _PyJit_MovImm(AS, d, n->cond != Py_EQ);
    _PyJit_Bind(AS, rare->back);
    _PyJit_Made(l, ref);
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

/* There are other references, or it is a number or a string; imm: or it dies quietly. */
static void
emit_guard_quiet(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = _PyJit_In(l, n->args[0]);
    JitLabel fine = _PyJit_NewLabel(AS);
    if (l->g->nodes[n->args[0]].type == JIT_T_WORD) {
        _PyJit_BranchBits(AS, JIT_NE, v, 1, fine);
        _PyJit_BranchImm(AS, JIT_EQ, v, 0, fine);       /* a slot that was empty */
    }
    _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, v, JIT_REFCNT, 1, fine);
    PyTypeObject *const inert[] = {&PyLong_Type, &PyFloat_Type};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(inert); i++) {
        _PyJit_BranchMemImm(AS, JIT_EQ, JIT_64, v, offsetof(PyObject, ob_type),
                            (int64_t)inert[i], fine);
    }
    if (n->imm == 0) {
        _PyJit_BranchNotClass(l, v, &PyUnicode_Type, _PyJit_LeaveLabel(l, ref));
        _PyJit_Bind(AS, fine);
        return;
    }
    JitRare *rare = add_ask(l, ref, v, n->imm == JIT_QUIET_IF_PLAIN
                                       ? (const void *)_PyJit_IsPlain
                                       : (const void *)_PyJit_DiesQuietly);
    _PyJit_BranchNotClass(l, v, &PyUnicode_Type, rare->label);
    _PyJit_Bind(AS, rare->back);
    _PyJit_Bind(AS, fine);
}

static void
emit_guard(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg v = n->args[0] != 0 ? _PyJit_In(l, n->args[0]) : 0, w = 0, t;
    if (n->op == JIT_GUARD_CMP_NODE && !jit_is_const(l, n->args[1])) {
        w = _PyJit_In(l, n->args[1]);
    }
    _PyJit_MakeRoom(l, 1, 0);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
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
        _PyJit_BranchNotClass(l, v, n->cls, leave);
        pass_on(l, ref, v);
        break;
    case JIT_GUARD_IS_NODE:
        _PyJit_BranchImm(AS, JIT_NE, v, (int64_t)n->imm, leave);
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
        _PyJit_BranchMemImm(AS, JIT_NE, (JitWidth)n->width, v, n->reg, (int64_t)n->imm, leave);
        break;
    case JIT_GUARD_VERSIONS_NODE: {
        const uint32_t *versions = n->aux;
        JitLabel fine = _PyJit_NewLabel(AS);
        t = _PyJit_Temp(l);
        _PyJit_Load(AS, JIT_32, t, v, offsetof(PyTypeObject, tp_version_tag));
        for (unsigned i = 0; i + 1 < n->reg; i++) {
            _PyJit_BranchImm(AS, JIT_EQ, t, versions[i], fine);
        }
        _PyJit_BranchImm(AS, JIT_NE, t, versions[n->reg - 1], leave);
        _PyJit_Bind(AS, fine);
        break;
    }
    case JIT_GUARD_ABS_NODE:
        _PyJit_BranchAbsImm(AS, JIT_NE, (JitWidth)n->width, n->aux, (int64_t)n->imm, leave);
        break;
    default:
        l->g->failed = 1;
        break;
    }
}

/* The type's version is the one that was let in last, or it is asked whether it may be let in. */
static void
emit_guard_like(JitLower *l, JitRef ref, JitNode *n)
{
    const JitLike *like = n->aux;
    JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l);
    JitRare *rare = add_ask(l, ref, v, (const void *)_PyJit_IsLike);
    _PyJit_LoadAbs(AS, JIT_32, t, &like->ways[0].version);
    _PyJit_BranchMem(AS, JIT_NE, JIT_32, v, offsetof(PyTypeObject, tp_version_tag), t,
                     rare->label);
    _PyJit_Bind(AS, rare->back);
}

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

/* ---------------------------------------------------------------------- nodes */

int
_PyJit_LowerMemory(JitLower *l, JitRef ref, JitNode *n)
{
    switch (n->op) {
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
    case JIT_FUNC_NODE: case JIT_LOCALS_NODE:
        _PyJit_Load(AS, JIT_64, _PyJit_Out(l, ref, 0), l->m->frame,
                    n->op == JIT_FUNC_NODE ? offsetof(PyVMFrame, func)
                                           : offsetof(PyVMFrame, locals));
        _PyJit_Made(l, ref);
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
    case JIT_GUARD_ABS_NODE: case JIT_GUARD_VERSIONS_NODE:
        emit_guard(l, ref, n);
        break;
    case JIT_GUARD_LIKE_NODE:
        emit_guard_like(l, ref, n);
        break;
    case JIT_GUARD_QUIET_NODE:
        emit_guard_quiet(l, ref, n);
        break;
    case JIT_GUARD_FCMP_NODE: {
        JitFloatReg a = _PyJit_InFloat(l, n->args[0]), b = _PyJit_InFloat(l, n->args[1]);
        _PyJit_FBranch(AS, JIT_NEGATED((JitCond)n->cond), a, b, 1, _PyJit_LeaveLabel(l, ref));
        break;
    }
    case JIT_IS_STR_NODE:
        emit_is_str(l, ref, n);
        break;
    case JIT_LIST_ROOM_NODE:
        emit_list_room(l, ref, n);
        break;
    default:
        return 0;
    }
    return 1;
}
