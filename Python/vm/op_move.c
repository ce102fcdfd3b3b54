/* Opcodes that move values between registers and constants. */
#include "vm.h"
#include "specialize.h"

HANDLER(NOP)
{
    NEXT(0);
}

/* Replaces the index of an int by the int itself; for co_code the index is looked up in
   the constants again. */
static NEEDS_LOCALS int
make_immediate(PyInstr *in, PyObject *value)
{
    int32_t number;
    if (!_PyCode_ImmediateInt(value, &number)) {
        return 0;
    }
    in->bc = number;
    in->op = OP_LOAD_CONST__INT;
    return 1;
}

/* The first execution shows what it loads, and chooses the form. */
HANDLER(LOAD_CONST)
{
    PyObject *value = code_const(f, UBC);
    if (value == Py_None) {
        /* This time RETURN runs separately, because it may be observed. */
        int returned = ip[1].op == OP_RETURN && ip[1].a == ip->a && is_temp(f, A);
        set_opcode(ip, returned ? OP_LOAD_CONST__RETURN_NONE : OP_LOAD_CONST__NONE);
        TAIL(op_LOAD_CONST__NONE);
    }
    if (make_immediate((PyInstr *)ip, value)) {
        WRITE(A, REG_FROM_INT((int64_t)ip->bc));
        NEXT(0);
    }
    set_opcode(ip, OP_LOAD_CONST__OBJECT);
    TAIL(op_LOAD_CONST__OBJECT);
}

HANDLER(LOAD_CONST__OBJECT)
{
    PyObject *value = code_const(f, UBC);
    Py_INCREF(value);
    WRITE(A, (PyReg)value);
    NEXT(0);
}

HANDLER(LOAD_CONST__INT)
{
    WRITE(A, REG_FROM_INT((int64_t)BC));
    NEXT(0);
}

HANDLER(LOAD_CONST__NONE)
{
    WRITE(A, REG_NONE);
    NEXT(0);
}

/* The first execution chooses between the two forms. */
HANDLER(MOVE)
{
    if (is_temp(f, B)) {
        set_opcode(ip, OP_MOVE__TAKE);
        TAIL(op_MOVE__TAKE);
    }
    set_opcode(ip, OP_MOVE__VAR);
    TAIL(op_MOVE__VAR);
}

HANDLER(MOVE__TAKE)
{
    PyReg value = R(B);
    R(B) = 0;
    WRITE(A, value);
    NEXT(0);
}

HANDLER(MOVE__VAR)
{
    PyReg value = reg_new_ref(R(B));
    WRITE(A, value);
    NEXT(0);
}

/* A copy that has been needed as an object before: the variable becomes an object too,
   right away (see _PyVM_Box). */
HANDLER(MOVE__BOXED)
{
    PyReg value = R(B);
    if (REG_IS_INT(value)) {
        value = (PyReg)_PyLong_FromInt64(REG_INT(value));
        if (unlikely(value == 0)) {
            SAVE_IP();
            ERROR();
        }
        if (!_PyLong_IsSmallValue(REG_INT(R(B)))) {
            R(B) = reg_new_ref(value);
        }
    }
    else {
        value = reg_new_ref(value);
    }
    WRITE(A, value);
    NEXT(0);
}

HANDLER(COPY)
{
    PyReg value = reg_new_ref(R(B));
    WRITE(A, value);
    NEXT(0);
}

HANDLER(DROP)
{
    PyReg value = R(A);
    R(A) = 0;
    if (REG_IS_PTR(value) && value != REG_NONE) {
        if (--REG_PTR(value)->ob_refcnt == 0) {
            SAVE_IP();
            _Py_Dealloc(REG_PTR(value));
            RELOAD();
        }
    }
    NEXT(0);
}

SLOW(unbound)
{
    SAVE_IP();
    _PyVM_UnboundLocal(ts, f, A);
    ERROR();
}

HANDLER(CHECK_BOUND)
{
    if (unlikely(R(A) == 0)) {
        TAIL(unbound);
    }
    NEXT(0);
}

HANDLER(DELETE_LOCAL)
{
    if (unlikely(R(A) == 0)) {
        TAIL(unbound);
    }
    WRITE(A, 0);
    NEXT(0);
}

HANDLER(CLEAR_LOCAL)
{
    WRITE(A, 0);
    NEXT(0);
}
