/* A tagged int becomes an object. */
#include "vm.h"
#include "specialize.h"

/* How many words back copying_instruction() looks. */
#define COPY_DISTANCE 12

/* The cache words after an instruction may look like one. */
static int
is_instruction(const PyInstr *code, const PyInstr *ip)
{
    while (code < ip) {
        code += _PyInstr_Words(code);
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

/* While machine code may be running, a variable's register need not hold its value, and the
   instruction may be compiled as it was. So equal numbers that follow each other are one object:
   then (x, x) has one item twice, too. */
PyObject *
_PyVM_BoxAlike(PyReg *slot)
{
    static struct {
        PyObject *boxed;
        int64_t value;
    } recent[16];
    int64_t value = REG_INT(*slot);
    unsigned place = (unsigned)value & 15;
    PyObject *boxed = recent[place].boxed;
    if (boxed == NULL || recent[place].value != value) {
        if (boxed != NULL && Py_REFCNT(boxed) == 1 && _PyObject_ref_tracer.func == NULL
            && _PyLong_FitsBlock(recent[place].value) && _PyLong_FitsBlock(value)
            && !_PyLong_IsSmallValue(value)) {
            /* It is known here alone, and would be freed to be made anew. */
            _PyLong_FillBlock((PyLongObject *)boxed, value);
        }
        else {
            if ((boxed = _PyLong_FromInt64(value)) == NULL) {
                return NULL;
            }
            Py_XSETREF(recent[place].boxed, boxed);
        }
        recent[place].value = value;
    }
    *slot = (PyReg)Py_NewRef(boxed);
    return boxed;
}

/* A copy and its variable become one object, so that (x, x) has one item twice. From then
   on the copying instruction makes the object. */
PyObject *
_PyVM_Box(PyReg *slot)
{
    int64_t value = REG_INT(*slot), same;
    PyVMFrame *f = _PyThreadState_CurrentFrame(_PyThreadState_GET());
    if (f != NULL && _PyJit_HasMachineCode(f->code)) {
        return _PyVM_BoxAlike(slot);
    }
    const PyInstr *copy = copying_instruction(f, slot);
    if (copy != NULL) {
        set_opcode(copy, OP_MOVE__BOXED);
    }
    PyReg *variable = copy != NULL ? &f->regs[copy->b] : NULL;
    if (variable != NULL) {
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
