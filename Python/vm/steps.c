/* The handlers once more, as C functions that execute one instruction and return where to
   go on (VM_STEPS in vm.h). Machine code calls them for instructions that it has no code of
   its own for. The tables of handlers and the eval hook have no meaning here: machine code
   runs only while they allow it. */
#define VM_STEPS 1
#ifndef __clang__
/* Some forms of handlers are declared for all and have no step; gcc does not take "unused" for it. */
#  pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include "op_arith.c"
#include "op_attr.c"
#include "op_build.c"
#include "op_call.c"
#include "op_call_c.c"
#include "op_call_class.c"
#include "op_call_star.c"
#include "op_compare.c"
#include "op_control.c"
#include "op_exc.c"
#include "op_function.c"
#include "op_gen.c"
#include "op_import.c"
#include "op_iter.c"
#include "op_match.c"
#include "op_method.c"
#include "op_move.c"
#include "op_scope.c"
#include "op_subscr.c"
#include "unwind.c"
#include "native.h"

/* Machine code is entered by the interpreter only: a frame that takes single steps is run
   by machine code already. */
HANDLER(RESUME__NATIVE)
{
    TAIL(op_RESUME);
}

HANDLER(JUMP_BACK__NATIVE)
{
    TAIL(op_JUMP_BACK);
}

const PyStepFunction _PyVM_steps[] = {
#define OP(name, cache, operands) step_op_##name,
#include "internal/opcodes.def"
#undef OP
};

PyStep
_PyVM_StepError(PyVMFrame *f, const PyInstr *ip, PyThreadState *ts)
{
    return step__PyVM_Error(f, ip, ts, NULL, ip->word);
}

PyStep
_PyVM_StepReturned(PyVMFrame *f, PyThreadState *ts, const SavedCall *call, PyReg value)
{
    const struct _PyHandlerTable *table = NULL;
    const PyInstr *ip = f->ip;
    uint64_t word = ip->word;
    GIVE_RETURNED(call->ret, call->dest, call->skip, value, call->instance);
}

PyReg
_PyVM_ArithOfInts(PyReg x, PyReg y, int kind)
{
    if (x == 0 || y == 0 || !is_int(x) || !is_int(y)) {
        return 0;
    }
    /* Tags become objects here, if need be. */
    PyReg left = x, right = y;
    PyReg value = arith_of_ints(kind, &left, &right);
    if (left != x) {
        reg_release(left);
    }
    if (right != y) {
        reg_release(right);
    }
    if (value == 0) {
        PyErr_Clear();
    }
    return value;
}
