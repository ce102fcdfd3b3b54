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

/* How many words back copying_instruction() looks. */
#define COPY_DISTANCE 12

/* The cache words after an instruction may look like one. */
static int
is_instruction(const PyInstr *code, const PyInstr *ip)
{
    while (code < ip) {
        code += 1 + _PyOpcode_Info[code->op].cache;
    }
    return code == ip;
}

/* The instruction that has just copied a variable into a temporary of the running frame,
   or NULL. It is the last instruction before ip that names the temporary. */
static const PyInstr *
copying_instruction(PyVMFrame *f, const PyReg *slot)
{
    if (f == NULL || slot < f->regs + f->code->first_temp
        || slot >= f->regs + f->code->nregs) {
        return NULL;
    }
    unsigned index = (unsigned)(slot - f->regs);
    const PyInstr *code = f->code->code;
    const PyInstr *first = f->ip - code > COPY_DISTANCE ? f->ip - COPY_DISTANCE : code;
    for (const PyInstr *ip = f->ip; ip-- > first;) {
        if (ip->a == index) {
            return ip->op == OP_MOVE__VAR && !is_temp(f, ip->b) && is_instruction(code, ip)
                   ? ip : NULL;
        }
    }
    return NULL;
}

/* A copy and its variable become one object, so that (x, x) has one item twice. From then
   on the copying instruction makes the object. */
PyObject *
_PyVM_Box(PyReg *slot)
{
    int64_t value = REG_INT(*slot), same;
    PyVMFrame *f = _PyThreadState_CurrentFrame(_PyThreadState_GET());
    const PyInstr *copy = copying_instruction(f, slot);
    PyReg *variable = copy != NULL ? &f->regs[copy->b] : NULL;
    if (variable != NULL) {
        set_opcode(copy, OP_MOVE__BOXED);
        if (*variable != 0 && IS_EXACT(*variable, PyLong_Type)
            && _PyLong_AsInt64Exact(REG_PTR(*variable), &same) && same == value) {
            *slot = reg_new_ref(*variable);
            return REG_PTR(*slot);
        }
    }
    PyObject *boxed = _PyLong_FromInt64(value);
    if (boxed != NULL) {
        if (variable != NULL && *variable == *slot) {
            *variable = (PyReg)Py_NewRef(boxed);
        }
        *slot = (PyReg)boxed;
    }
    return boxed;
}
