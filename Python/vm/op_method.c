/* How instructions end that a Python method does the work of: its frame, which is marked
   RET_METHOD (method_frames.c), has returned. */
#include "endings.h"
#include "internal/abstract.h"
#include "internal/compare.h"

/* The result of a comparison; `value` is what the left operand's method has returned. 0: an
   exception is set. */
static PyReg
compare_answer(PyReg value, PyReg *left, PyReg *right, int op)
{
    if (likely(value != (PyReg)Py_NotImplemented)) {
        return value;
    }
    Py_DECREF(Py_NotImplemented);
    PyObject *other = reg_object(right);
    return other == NULL ? 0 : (PyReg)_PyObject_CompareRest(REG_PTR(*left), other, op);
}

/* The same for arithmetic. */
static PyReg
arithmetic_answer(PyReg value, PyReg *left, PyReg *right, int kind, int in_place)
{
    if (likely(value != (PyReg)Py_NotImplemented)) {
        return value;
    }
    Py_DECREF(Py_NotImplemented);
    return _PyVM_AfterLeftDeclined(left, right, kind, in_place);
}

/* The truth of a method's value: 1, 0, -1. Steals the value. */
static int
answer_truth(PyReg value)
{
    if (value == (PyReg)Py_True || value == (PyReg)Py_False) {
        return value == (PyReg)Py_True;
    }
    int truth = REG_IS_INT(value) ? REG_INT(value) != 0 : PyObject_IsTrue(REG_PTR(value));
    reg_release(value);
    return truth;
}

/* The value of __bool__(): 1, 0, -1. */
static int
bool_answer(PyThreadState *ts, PyReg value)
{
    if (likely(value == (PyReg)Py_True || value == (PyReg)Py_False)) {
        return value == (PyReg)Py_True;
    }
    _PyErr_Format(ts, PyExc_TypeError, "__bool__ should return bool, returned %s",
                  REG_IS_INT(value) ? "int" : Py_TYPE(REG_PTR(value))->tp_name);
    reg_release(value);
    return -1;
}

/* The same with a constant operand. A handler must not take the address of one of its
   variables: gcc would call the next handler instead of jumping to it. */
static __attribute__((noinline)) PyReg
arithmetic_constant_answer(PyReg value, PyReg *left, int64_t right, int kind, int in_place)
{
    PyReg constant = REG_FROM_INT(right);
    value = arithmetic_answer(value, left, &constant, kind, in_place);
    reg_release(constant);
    return value;
}

static __attribute__((noinline)) PyReg
compare_constant_answer(PyReg value, PyReg *left, int64_t right, int op)
{
    PyReg constant = REG_FROM_INT(right);
    value = compare_answer(value, left, &constant, op);
    reg_release(constant);
    return value;
}

SHARED_SLOW(_PyVM_MethodReturned)
{
    PyReg value = word;
    word = ip->word & ~(LINE_MARK | MONITOR_MARK);
    int op = _PyOpcode_Info[(uint16_t)word].base, truth;
    RELOAD();
    switch (op) {
    case OP_LT ... OP_GE:
        value = compare_answer(value, &R(B), &R(C), op - OP_LT);
        FINISH_BINARY(value, 0);
    case OP_ADD ... OP_IXOR:
        value = arithmetic_answer(value, &R(B), &R(C),
                                  op - (op >= OP_IADD ? OP_IADD : OP_ADD), op >= OP_IADD);
        FINISH_BINARY(value, _PyOpcode_Info[(uint16_t)word].cache);
    case OP_ADDI ... OP_RSHIFTI:
        value = arithmetic_constant_answer(value, &R(B), SIMM_C, constant_kind(op),
                                           CACHE(0)->arg & 1);
        FINISH_CONSTANT(value);
    case OP_JUMP_IF_LT ... OP_JUMP_IF_NOT_GEI: {
        int number = op - OP_JUMP_IF_LT, immediate = number >= 12;
        value = immediate ? compare_constant_answer(value, &R(A), SIMM_B, number % 6)
                          : compare_answer(value, &R(A), &R(B), number % 6);
        truth = value == 0 ? -1 : answer_truth(value);
        FINISH_TEST_JUMP(truth, immediate, number % 12 < 6);
    }
    case OP_IN:
    case OP_NOT_IN:
        truth = answer_truth(value);
        FINISH_CONTAINS(truth, op);
    case OP_JUMP_IF_IN:
    case OP_JUMP_IF_NOT_IN:
        truth = answer_truth(value);
        FINISH_TEST_JUMP(truth, 0, op == OP_JUMP_IF_IN);
    case OP_NOT:
        truth = bool_answer(ts, value);
        FINISH_NOT(truth);
    case OP_JUMP_IF_TRUE:
    case OP_JUMP_IF_FALSE:
    case OP_JUMP_IF_TRUE_OR_DROP:
    case OP_JUMP_IF_FALSE_OR_DROP:
        truth = bool_answer(ts, value);
        FINISH_TRUTH_JUMP(truth, op);
    case OP_STORE_SUBSCR:
        reg_release(value);
        FINISH_STORE_SUBSCR();
    case OP_LOAD_ATTR:
        FINISH_GET_ATTR(value);
    case OP_STORE_ATTR:
        reg_release(value);
        FINISH_SET_ATTR();
    default:
        /* A call of an object that has __call__(). */
        WRITE(C, value);
        NEXT_RELOAD(2);
    }
}

#ifndef VM_STEPS
PyReg
_PyVM_MethodAnswer(PyVMFrame *f, PyThreadState *ts, PyReg value)
{
    const PyInstr *ip = f->ip;
    PyReg *regs = f->regs;
    int op = _PyOpcode_Info[ip->op].base, truth;
    (void)ts;
    switch (op) {
    case OP_LT ... OP_GE:
        return compare_answer(value, &regs[ip->b], &regs[ip->c], op - OP_LT);
    case OP_ADD ... OP_IXOR:
        return arithmetic_answer(value, &regs[ip->b], &regs[ip->c],
                                 op - (op >= OP_IADD ? OP_IADD : OP_ADD), op >= OP_IADD);
    case OP_ADDI ... OP_RSHIFTI:
        return arithmetic_constant_answer(value, &regs[ip->b], (int16_t)ip->c, constant_kind(op),
                                          ((const PyCacheWord *)(ip + 1))->arg & 1);
    case OP_JUMP_IF_LT ... OP_JUMP_IF_NOT_GE:
        value = compare_answer(value, &regs[ip->a], &regs[ip->b], (op - OP_JUMP_IF_LT) % 6);
        truth = value == 0 ? -1 : answer_truth(value);
        break;
    default:
        truth = answer_truth(value);
    }
    return truth < 0 ? 0 : REG_BOOL(truth);
}
#endif
