/* Operators, loops and calls that a class of Python's has methods for, where these methods can't
   become a part of the function (build_inline.c): they are called as functions are, by machine
   code.

   The method's frame is no window, and has references of its own: the operands stay where they are
   until it has returned, since the operator may go on with them (NotImplemented). */
#include "build_ops.h"
#include "internal/type.h"
#include "../vm/call.h"

static int
may_call(JitBuilder *b)
{
    return b->inlined == NULL;
}

/* An argument: the register that has it, or a constant. */
typedef struct {
    unsigned reg;
    JitRef constant;            /* or 0 */
} Argument;

/* The first operand is of the class that has been seen: guards stand here, and the frame is true
   behind it. 0: that can't be. */
static int
guard_method(JitBuilder *b, PyObject *func, unsigned reg, JitFrameUse use, JitRef *code)
{
    JitRef owner = to_object(b, _PyJit_Use(b, reg));
    if (owner == 0) {
        return 0;
    }
    _PyJit_GuardVersion(b, owner, b->operands[b->ip].left);
    *code = load(b, JIT_T_RAW, JIT_64, _PyJit_Const(b, (PyReg)func),
                 offsetof(PyFunctionObject, func_code));
    PyVMCode *seen = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    guard_mem(b, JIT_32, *code, offsetof(PyVMCode, version), seen->version);
    _PyJit_GuardDepth(b, use == JIT_FRAME_COMPARISON || use == JIT_FRAME_TEST
                         || use == JIT_FRAME_OBJECT ? 2 : 1);
    return 1;
}

/* Calls it with new references to the arguments; guards have seen to everything. */
static JitRef
call_guarded(JitBuilder *b, JitRef callee, JitRef code, const Argument *args, unsigned n,
             JitFrameUse use)
{
    JitRef values[3];
    JitRef frame = begin_frame(b);
    _PyJit_Sync(b);
    for (unsigned i = 0; i < n; i++) {
        values[i] = args[i].constant != 0 ? args[i].constant : word_in(b, args[i].reg);
    }
    incref(b, callee);
    put_word(b, frame, 0, callee);
    for (unsigned i = 0; i < n; i++) {
        incref_counted(b, values[i]);
        put_word(b, frame, FRAME_WORDS + i, values[i]);
    }
    JitRef value = run_frame(b, code, b->nregs, use);
    if (use == JIT_FRAME_TEST || use == JIT_FRAME_TRUTH) {
        _PyJit_At(b, value)->type = JIT_T_OBJECT;
        _PyJit_At(b, value)->cls = &PyBool_Type;
    }
    b->snap = 0;
    return value;
}

static JitRef
call_method(JitBuilder *b, PyObject *func, const Argument *args, unsigned n, JitFrameUse use)
{
    JitRef code;
    return guard_method(b, func, args[0].reg, use, &code)
           ? call_guarded(b, _PyJit_Const(b, (PyReg)func), code, args, n, use) : 0;
}

/* The end of an instruction with a value. */
static void
finish(JitBuilder *b, unsigned dest, JitRef value, int owned)
{
    _PyJit_WriteValue(b, dest, value, owned);
    _PyJit_CheckOk(b, b->next);
}

/* The operands are given up in the handler's order: forwards, or backwards. */
static void
done_with(JitBuilder *b, const Argument *args, unsigned n, int backwards)
{
    for (unsigned i = 0; i < n; i++) {
        const Argument *arg = &args[backwards ? n - 1 - i : i];
        if (arg->constant == 0) {
            _PyJit_Done(b, arg->reg);
        }
    }
}

/* The end of an instruction that jumps if the truth is `jumps_if`. */
static void
finish_jump(JitBuilder *b, JitRef truth, int jumps_if)
{
    _PyJit_ReleaseBeforeJump(b);
    _PyJit_JumpAndCheck(b, truth, _PyJit_Const(b, REG_BOOL(0)), jumps_if, -1);
}

/* ------------------------------------------------------------------- operators */

/* The method of an operator or a comparison, and guards on what its right operand is. */
static PyObject *
operator_method(JitBuilder *b, int kind, int in_place, int compares, const Argument *right)
{
    uint32_t version = b->operands == NULL ? 0 : b->operands[b->ip].right;
    PyTypeObject *type = recorded_class(b);
    PyTypeObject *other = right_type(version);
    if (type == NULL || other == NULL || !may_call(b)) {
        return NULL;
    }
    PyObject *func = compares ? _PyVM_CompareMethod(type, other, kind)
                              : _PyVM_OperatorMethod(type, other, kind, in_place);
    return func != NULL
           && (right->constant != 0
               || guard_operand(b, _PyJit_Use(b, right->reg), version, other) != 0)
           ? func : NULL;
}

int
_PyJit_CallOperator(JitBuilder *b, int kind, int in_place, int compares, JitRef y,
                    unsigned right)
{
    const PyInstr *in = instr(b);
    int has_constant = _PyOpcode_Info[in->op].base >= OP_ADDI
                       && _PyOpcode_Info[in->op].base <= OP_RSHIFTI;
    Argument args[2] = {{.reg = in->b}, {right, has_constant ? y : 0}};
    PyObject *func = operator_method(b, kind, in_place, compares, &args[1]);
    JitRef value = func == NULL ? 0
                   : call_method(b, func, args, 2,
                                 compares ? JIT_FRAME_COMPARISON : JIT_FRAME_OPERATOR);
    if (value == 0) {
        return 0;
    }
    done_with(b, args, 2, 0);
    finish(b, in->a, value, 1);
    return 1;
}

int
_PyJit_CallUnary(JitBuilder *b, int op)
{
    const PyInstr *in = instr(b);
    Argument arg = {.reg = in->b};
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL || !may_call(b) ? NULL : _PyVM_UnaryMethod(type, op);
    JitRef value = func == NULL ? 0 : call_method(b, func, &arg, 1, JIT_FRAME_CALL);
    if (value == 0) {
        return 0;
    }
    done_with(b, &arg, 1, 0);
    finish(b, in->a, value, 1);
    return 1;
}

int
_PyJit_CallTest(JitBuilder *b, int op, int negated)
{
    const PyInstr *in = instr(b);
    Argument args[2] = {{.reg = in->a}, {.reg = in->b}};
    PyObject *func = operator_method(b, op, 0, 1, &args[1]);
    JitRef truth = func == NULL ? 0 : call_method(b, func, args, 2, JIT_FRAME_TEST);
    if (truth == 0) {
        return 0;
    }
    done_with(b, args, 2, 0);
    finish_jump(b, truth, !negated);
    return 1;
}

int
_PyJit_CallContains(JitBuilder *b, const PyInstr *in)
{
    int base = _PyOpcode_Info[in->op].base;
    int jumps = base == OP_JUMP_IF_IN || base == OP_JUMP_IF_NOT_IN;
    Argument args[2] = {{.reg = jumps ? in->b : in->c}, {.reg = jumps ? in->a : in->b}};
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL || !may_call(b) ? NULL : _PyVM_ContainsMethod(type);
    JitRef truth = func == NULL ? 0 : call_method(b, func, args, 2, JIT_FRAME_TRUTH);
    if (truth == 0) {
        return 0;
    }
    done_with(b, args, 2, 1);
    if (jumps) {
        finish_jump(b, truth, base == OP_JUMP_IF_IN);
        return 1;
    }
    JitRef value = _PyJit_Node(b, JIT_CMP_NODE, JIT_T_OBJECT, truth,
                               _PyJit_Const(b, REG_BOOL(0)));
    _PyJit_At(b, value)->cond = base == OP_IN ? JIT_NE : JIT_EQ;
    _PyJit_At(b, value)->cls = &PyBool_Type;
    finish(b, in->a, value, 0);
    return 1;
}

/* ----------------------------------------------------------------------- items */

int
_PyJit_CallGetItem(JitBuilder *b, const PyInstr *in)
{
    int is_constant = _PyOpcode_Info[in->op].base == OP_LOAD_SUBSCRI;
    Argument args[2] = {{.reg = in->b}, {.reg = in->c}};
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL || !may_call(b) ? NULL : _PyVM_PlainGetItem(type);
    if (func == NULL) {
        return 0;
    }
    if (is_constant) {
        args[1].constant = _PyJit_Const(b, REG_FROM_INT((int64_t)(int16_t)in->c));
    }
    JitRef value = call_method(b, func, args, 2, JIT_FRAME_CALL);
    if (value == 0) {
        return 0;
    }
    done_with(b, args, 2, 0);
    finish(b, in->a, value, 1);
    return 1;
}

int
_PyJit_CallSetter(JitBuilder *b, const PyInstr *in, JitRef setter, JitRef code)
{
    Argument args[2] = {{.reg = in->a}, {.reg = in->b}};
    JitRef value = call_guarded(b, setter, code, args, 2, JIT_FRAME_CALL);
    _PyJit_GiveUp(b, value, 1);
    done_with(b, args, 2, 1);
    _PyJit_FinishInstr(b, b->next);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

int
_PyJit_CallSetItem(JitBuilder *b, const PyInstr *in)
{
    Argument args[3] = {{.reg = in->a}, {.reg = in->b}, {.reg = in->c}};
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL || !may_call(b) ? NULL : _PyVM_SetItemMethod(type);
    JitRef value = func == NULL ? 0 : call_method(b, func, args, 3, JIT_FRAME_CALL);
    if (value == 0) {
        return 0;
    }
    _PyJit_GiveUp(b, value, 1);
    done_with(b, args, 3, 1);
    _PyJit_FinishInstr(b, b->next);
    _PyJit_CheckOk(b, b->next);
    return 1;
}

/* ------------------------------------------------------------- loops and calls */

JitRef
_PyJit_CallNext(JitBuilder *b, const PyInstr *in)
{
    Argument iterator = {.reg = in->a};
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL || !may_call(b) ? NULL : _PyVM_NextMethod(type);
    return func == NULL ? 0 : call_method(b, func, &iterator, 1, JIT_FRAME_NEXT);
}

/* A call of an object with a __call__: it becomes the first argument. */
int
_PyJit_CallObject(JitBuilder *b, unsigned window, unsigned nargs, unsigned dest)
{
    PyTypeObject *type = recorded_class(b);
    PyObject *func = type == NULL || !may_call(b) ? NULL : _PyVM_CallMethodOf(type, (int)nargs);
    JitRef code, values[16];
    if (func == NULL || nargs > Py_ARRAY_LENGTH(values)
        || !guard_method(b, func, window, JIT_FRAME_OBJECT, &code)) {
        return 0;
    }
    JitRef frame = begin_frame(b);
    _PyJit_Sync(b);
    unsigned args = window + FRAME_WORDS;
    JitRef self = word_in(b, window), callee = _PyJit_Const(b, (PyReg)func);
    for (unsigned i = 0; i < nargs; i++) {
        values[i] = word_in(b, args + i);
    }
    incref(b, callee);
    if (frame != 0) {
        store_word(b, window, _PyJit_Const(b, 0));
        empty_registers(b, args, nargs);
        put_word(b, frame, 0, callee);
    }
    else {
        store_word(b, window, callee);
    }
    put_argument(b, frame, args, 0, self);
    for (unsigned i = 0; i < nargs; i++) {
        put_argument(b, frame, args, 1 + i, values[i]);
    }
    JitRef value = run_window(b, code, frame, window, JIT_FRAME_OBJECT);
    finish(b, dest, value, 1);
    return 1;
}
