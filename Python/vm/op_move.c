/* Opcodes that move values between registers and constants. */
#include "vm.h"
#include "specialize.h"

HANDLER(NOP)
{
    NEXT(0);
}

HANDLER(LOAD_CONST)
{
    PyObject *value = code_const(f, UBC);
    Py_INCREF(value);
    WRITE(A, (PyReg)value);
    NEXT(0);
}

HANDLER(LOAD_INT)
{
    WRITE(A, REG_FROM_INT((int64_t)BC));
    NEXT(0);
}

HANDLER(LOAD_NONE)
{
    WRITE(A, REG_NONE);
    NEXT(0);
}

/* Which of the two it is shows at the first execution. */
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

void
_PyVM_UnboundLocal(PyThreadState *ts, PyVMFrame *f, int index)
{
    _PyErr_Format(ts, PyExc_UnboundLocalError,
                  "cannot access local variable '%U' where it is not "
                  "associated with a value", code_localsplus_name(f, index));
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

PyObject *
_PyVM_Box(PyReg *slot)
{
    PyObject *boxed = _PyLong_FromInt64(REG_INT(*slot));
    if (boxed != NULL) {
        *slot = (PyReg)boxed;
    }
    return boxed;
}

int
_PyVM_IsTrueSlow(PyReg *slot)
{
    if (REG_IS_INT(*slot)) {
        return REG_INT(*slot) != 0;
    }
    PyObject *value = REG_PTR(*slot);
    PyTypeObject *type = Py_TYPE(value);
    if (type == &PyLong_Type || type == &PyList_Type || type == &PyTuple_Type) {
        return Py_SIZE(value) != 0;
    }
    if (type == &PyUnicode_Type) {
        return PyUnicode_GET_LENGTH(value) != 0;
    }
    if (type == &PyDict_Type) {
        return PyDict_GET_SIZE(value) != 0;
    }
    return PyObject_IsTrue(value);
}
