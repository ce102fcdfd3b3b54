/* Nodes that call, return and yield, as machine instructions.

   Before anything that may run Python the frame in memory is true, and says which instruction is
   running. */
#include "lower_parts.h"
#include "../vm/vm.h"
#include "ccalls.h"
#include "rare.h"

#undef A
#undef B
#undef C

#define AS (&l->as)

/* --------------------------------------------------------------- room for calls */

static int32_t
generator_top(const JitLower *l)
{
    return (int32_t)(offsetof(PyVMFrame, regs) + l->g->code->nregs * sizeof(PyReg));
}

/* A frame at this register fits on the thread's stack, and the C stack is not half used. Neither
   changes while the frame runs, but for a generator's. That both are the thread's own, not those
   of a coroutine library, was seen by who entered machine code from C (_Py_CStackIsAmple()). */
static void
emit_guard_room(JitLower *l, JitRef ref, JitNode *n)
{
    JitReg t = _PyJit_Temp(l);
    JitLabel leave = _PyJit_LeaveLabel(l, ref);
    if (l->g->code->is_generator) {
        /* room_above_generator() */
        _PyJit_Load(AS, JIT_64, t, l->m->frame, generator_top(l));
        _PyJit_BranchMem(AS, JIT_UGT, JIT_64, l->m->thread,
                         offsetof(PyThreadState, datastack_top), t, leave);
        _PyJit_BranchMem(AS, JIT_UGT, JIT_64, l->m->thread,
                         offsetof(PyThreadState, datastack_chunk), t, leave);
    }
    else {
        _PyJit_OpImm(AS, JIT_ADD, t, l->m->frame,
                     (int64_t)(offsetof(PyVMFrame, regs) + n->reg * sizeof(PyReg)));
    }
    _PyJit_BranchMem(AS, JIT_ULE, JIT_64, l->m->thread, offsetof(PyThreadState, datastack_limit),
                     t, leave);
    _PyJit_BranchMem(AS, JIT_UGT, JIT_64, l->m->thread,
                     offsetof(_PyThreadStateImpl, c_stack_middle), l->m->frame_pointer, leave);
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

uint32_t
_PyJit_BehindInstr(JitLower *l, uint32_t ip)
{
    return ip + 1 + _PyOpcode_Info[l->g->code->code[ip].op].cache;
}

static void
emit_step(JitLower *l, JitRef ref, JitNode *n)
{
    emit_step_call(l, ref, n);
    const PyInstr *behind = l->g->code->code + _PyJit_BehindInstr(l, (uint32_t)n->imm);
    _PyJit_MovImm(AS, l->m->result, (uint64_t)behind);
    _PyJit_Branch(AS, JIT_NE, l->m->result2, l->m->result, l->common_dispatch);
}

/* A call of C that neither fails nor looks at frames, unless it is handed this one's registers. */
static void
emit_call(JitLower *l, JitRef ref, JitNode *n)
{
    JitArg args[JIT_ARGS + 1];
    int nargs = 0;
    if (n->reg) {
        args[nargs++] = (JitArg){.kind = ARG_REG, .reg = l->m->frame};
    }
    for (int i = 0; i < n->nargs; i++) {
        args[nargs++] = (JitArg){.kind = ARG_REF, .ref = n->args[i]};
    }
    _PyJit_CallArgs(l, ref, args, nargs);
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

/* Ints among the arguments of a call become objects in their registers. */
static void
emit_box_run(JitLower *l, JitRef ref, JitNode *n, int32_t first)
{
    uint64_t which = n->imm >> 32;
    if (which == 0) {
        return;
    }
    JitReg t = _PyJit_Temp(l);
    JitRare *rare = _PyJit_AddRare(l, RARE_BOX_RUN, ref);
    for (; which != 0; which &= which - 1) {
        int32_t at = first + (int32_t)sizeof(PyReg) * __builtin_ctzll(which);
        _PyJit_Load(AS, JIT_64, t, l->m->frame, at);
        _PyJit_BranchBits(AS, JIT_NE, t, 1, rare->label);
    }
    _PyJit_Bind(AS, rare->back);
}

/* A call of a function in C whose arguments are in the frame. */
static void
emit_call_c(JitLower *l, JitRef ref, JitNode *n)
{
    const JitMachine *m = l->m;
    int32_t first = (int32_t)(offsetof(PyVMFrame, regs) + n->reg * sizeof(PyReg));
    uint64_t names = n->args[2] == 0 ? 0 : l->g->nodes[n->args[2]].imm;
    int counts = _PyJit_CallCounts((JitCCall)n->cond, n->nargs > FRAME_WORDS, names != 0);
    uint64_t count = n->width - (names != 0 ? (uint64_t)PyTuple_GET_SIZE((PyObject *)names) : 0);
    save_ip(l, (uint32_t)n->imm, _PyJit_Temp(l));
    emit_box_run(l, ref, n, first);
    JitArg self = n->args[0] != 0 ? (JitArg){.kind = ARG_REF, .ref = n->args[0]}
                                  : (JitArg){.kind = ARG_IMM};
    JitArg args[4] = {self, {.kind = ARG_LEA, .reg = m->frame, .imm = (uint64_t)first},
                      {.kind = ARG_IMM, .imm = count}, {.kind = ARG_IMM, .imm = names}};
    int nargs = n->cond == JIT_C_FAST ? 3 : 4;
    if (n->cond == JIT_C_O || n->cond == JIT_C_NOARGS) {
        args[1] = (JitArg){.kind = ARG_IMM};
        nargs = n->cond == JIT_C_O ? 1 : 2;
    }
    if (counts) {
        _PyJit_AddMem(AS, JIT_32, m->thread, offsetof(PyThreadState, recursion_remaining), -1);
    }
    if (n->cond == JIT_C_VECTOR) {
        args[2].imm |= PY_VECTORCALL_ARGUMENTS_OFFSET;
    }
    _PyJit_CallArgs(l, ref, args, nargs);
    if (n->cond == JIT_C_O) {
        _PyJit_Load(AS, JIT_64, m->args[1], m->frame, first);
    }
    _PyJit_Call(AS, n->aux);
    _PyJit_AfterCall(l, ref);
    if (counts) {
        _PyJit_AddMem(AS, JIT_32, m->thread, offsetof(PyThreadState, recursion_remaining), 1);
    }
    if (n->cond == JIT_C_VECTOR) {
        _PyJit_StoreImm(AS, JIT_64, m->frame, first - (int32_t)sizeof(PyReg), 0);
    }
    JitLabel failed = _PyJit_NewLabel(AS);
    _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, failed);
    _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, m->thread, offsetof(PyThreadState, curexc_type), 0,
                        failed);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, failed);
    _PyJit_Mov(AS, m->args[2], m->result);
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_Mov(AS, m->args[1], m->thread);
    uint64_t dead = n->width + (n->nargs - (uint64_t)FRAME_WORDS);
    _PyJit_MovImm(AS, m->args[3], (uint64_t)(n->reg - n->nargs) | dead << 16);
    _PyJit_MovImm(AS, m->args[4], n->args[1] == 0 ? 0 : l->g->nodes[n->args[1]].imm);
    _PyJit_Call(AS, (const void *)_PyJit_CCallFailed);
    _PyJit_Jump(AS, l->common_error);
    _PyJit_AsmPart(AS, 0);
    _PyJit_TakeResult(l, ref, m->result);
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
    _PyJit_StoreZeros(AS, base, at + (int32_t)offsetof(PyVMFrame, frame_obj), 1);
    uint64_t word = NATIVE_DEST | (uint64_t)RET_NATIVE << 16 | (uint64_t)FRAME_THREAD << 24
                    | (uint64_t)CALL_WORDS << 48;
    _PyJit_MovImm(AS, t, word);
    _PyJit_Store(AS, JIT_64, base, at + (int32_t)offsetof(PyVMFrame, dest), t);
}

static int
counts_twice(const JitNode *n)
{
    return n->cond == JIT_FRAME_INIT || n->cond == JIT_FRAME_OBJECT
           || n->cond == JIT_FRAME_COMPARISON || n->cond == JIT_FRAME_TEST;
}

/* The value is not what the method of an operator usually returns: C makes the operator's. */
static void
emit_method_end(JitLower *l, JitNode *n)
{
    const JitMachine *m = l->m;
    JitLabel rare = _PyJit_NewLabel(AS), done = _PyJit_NewLabel(AS);
    JitReg t = m->callee == m->result ? m->args[1] : m->callee;
    if (n->cond == JIT_FRAME_NEXT) {
        _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, rare);
    }
    else if (n->cond == JIT_FRAME_TEST || n->cond == JIT_FRAME_TRUTH) {
        _PyJit_MovImm(AS, t, REG_BOOL(1));
        _PyJit_Branch(AS, JIT_EQ, m->result, t, done);
        _PyJit_MovImm(AS, t, REG_BOOL(0));
        _PyJit_Branch(AS, JIT_NE, m->result, t, rare);
    }
    else {
        _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_error);
        _PyJit_MovImm(AS, t, (uint64_t)Py_NotImplemented);
        _PyJit_Branch(AS, JIT_EQ, m->result, t, rare);
    }
    _PyJit_Bind(AS, done);
    _PyJit_AsmPart(AS, 1);
    _PyJit_Bind(AS, rare);
    if (n->cond != JIT_FRAME_NEXT) {
        _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_error);
        _PyJit_Mov(AS, m->args[2], m->result);
    }
    _PyJit_Mov(AS, m->args[0], m->frame);
    _PyJit_Mov(AS, m->args[1], m->thread);
    _PyJit_Call(AS, n->cond == JIT_FRAME_NEXT ? (const void *)_PyVM_LoopEnds
                                              : (const void *)_PyVM_MethodAnswer);
    _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_error);
    if (n->cond == JIT_FRAME_NEXT) {
        _PyJit_MovImm(AS, m->result, JIT_LOOP_ENDS);
    }
    _PyJit_Jump(AS, done);
    _PyJit_AsmPart(AS, 0);
}

/* What is to be done beside the usual if the callee has failed; and an __init__ must return
   None. */
static void
emit_call_end(JitLower *l, JitNode *n)
{
    const JitMachine *m = l->m;
    if (counts_twice(n)) {
        _PyJit_AddMem(AS, JIT_32, m->thread, offsetof(PyThreadState, recursion_remaining), 1);
    }
    if (n->cond >= JIT_FRAME_OPERATOR) {
        emit_method_end(l, n);
        return;
    }
    if (n->cond == JIT_FRAME_CALL || n->cond == JIT_FRAME_BOUND
        || n->cond == JIT_FRAME_OBJECT) {
        _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, l->common_error);
        return;
    }
    if (n->cond == JIT_FRAME_GETTER) {
        _PyJit_BranchImm(AS, JIT_EQ, m->result, 0, getter_failed(l));
        return;
    }
    JitLabel rare = _PyJit_NewLabel(AS);
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
                  counts_twice(n) ? -2 : -1);
    _PyJit_OpImm(AS, JIT_ADD, t, base, at);
    _PyJit_Load(AS, JIT_64, u, m->thread, offsetof(PyThreadState, cframe));
    _PyJit_Store(AS, JIT_64, u, offsetof(_PyCFrame, current_frame), t);
    JitReg entry = base == m->frame ? m->callee : u != m->args[0] ? u : t;
    _PyJit_Load(AS, JIT_64, entry, code, offsetof(PyVMCode, native_entry));
    _PyJit_OpImm(AS, JIT_ADD, m->args[0], base, at);
    _PyJit_Mov(AS, m->callee, entry);
    _PyJit_Mov(AS, m->args[1], m->thread);
    if (n->cond == JIT_FRAME_INIT || n->cond == JIT_FRAME_BOUND) {
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

/* The frame is popped; its variables are dead already. What is not usual is C's: a flag tells,
   which every destructor that runs Python sets, too (dealloc_seen()): so nobody has a frame
   object. */
static void
emit_return(JitLower *l, JitRef ref, JitNode *n)
{
    const JitMachine *m = l->m;
    JitReg v = _PyJit_In(l, n->args[0]), t = _PyJit_Temp(l), u = _PyJit_Temp(l);
    JitLabel slow = _PyJit_NewLabel(AS), dead = _PyJit_NewLabel(AS), back = _PyJit_NewLabel(AS);
    (void)ref;
    l->used |= (uint64_t)1 << m->result;
    if (n->cond) {
        _PyJit_Jump(AS, slow);
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
    _PyJit_StoreZeros(AS, m->frame, offsetof(PyVMFrame, func), 2);
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

/* The block in which a generator goes on behind its YIELD_VALUE and RESUME, or 0. */
static uint32_t
block_behind(JitLower *l, uint32_t yield)
{
    for (uint32_t i = 1; i < l->g->nblocks; i++) {
        if (l->g->blocks[i].entry != 0 && l->g->blocks[i].start == yield + 2) {
            return i;
        }
    }
    return 0;
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
    uint32_t behind = n->cond ? block_behind(l, (uint32_t)n->imm) : 0;
    l->used |= (uint64_t)1 << m->result;
    save_ip(l, (uint32_t)n->imm, t);
    if (behind != 0) {
        _PyJit_StoreLabel(AS, m->frame, (int32_t)(offsetof(PyVMFrame, regs)
                                                  + l->g->code->nregs * sizeof(PyReg)),
                          l->resumes[behind]);
        _PyJit_StoreImm(AS, JIT_32, m->frame,
                        object + (int32_t)GEN_KEY_OFFSET,
                        (int32_t)l->jit->resume_key);
    }
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

int
_PyJit_LowerCall(JitLower *l, JitRef ref, JitNode *n)
{
    switch (n->op) {
    case JIT_SAVE_IP_NODE:
        save_ip(l, (uint32_t)n->imm, _PyJit_Temp(l));
        break;
    case JIT_GUARD_ROOM_NODE:
        emit_guard_room(l, ref, n);
        break;
    case JIT_GUARD_UNSEEN_NODE: {
        JitLabel out = _PyJit_LeaveLabel(l, ref);
        _PyJit_BranchMemImm(AS, JIT_NE, JIT_64, l->m->frame, offsetof(PyVMFrame, frame_obj), 0,
                            out);
        break;
    }
    case JIT_GUARD_DEPTH_NODE: {
        JitLabel out = _PyJit_LeaveLabel(l, ref);
        _PyJit_BranchMemImm(AS, JIT_LT, JIT_S32, l->m->thread,
                            offsetof(PyThreadState, recursion_remaining), (int64_t)n->imm, out);
        break;
    }
    case JIT_STEP_NODE:
        emit_step(l, ref, n);
        break;
    case JIT_PENDING_NODE: {
        JitRare *rare = _PyJit_AddRare(l, RARE_PENDING, ref);
        _PyJit_BranchAbsImm(AS, JIT_NE, JIT_64, &_Py_attention.all, 0, rare->label);
        _PyJit_Bind(AS, rare->back);
        break;
    }
    case JIT_CHECK_OK_NODE: {
        JitLabel out = _PyJit_LeaveLabel(l, ref);
        _PyJit_BranchMemImm(AS, JIT_EQ, JIT_32, l->m->thread,
                            offsetof(_PyThreadStateImpl, native_ok), 0, out);
        break;
    }
    case JIT_CALL_NODE: case JIT_CALL_D_NODE:
        emit_call(l, ref, n);
        break;
    case JIT_CALL_C_NODE:
        emit_call_c(l, ref, n);
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
        _PyJit_Jump(AS, _PyJit_LeaveLabel(l, ref));
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
    default:
        return 0;
    }
    return 1;
}
