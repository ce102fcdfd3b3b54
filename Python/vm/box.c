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
            return (ip->op == OP_MOVE__VAR || ip->op == OP_MOVE__BOXED) && !is_temp(f, ip->b)
                   && is_instruction(code, ip) ? ip : NULL;
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
    if (copy != NULL) {
        set_opcode(copy, OP_MOVE__BOXED);
    }
    PyReg *variable = copy != NULL && !_PyJit_HasMachineCode(f->code) ? &f->regs[copy->b] : NULL;
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

/* Machine code may hold the variable: then what has been copied from it before, in the same run,
   says which object it is. */
PyObject *
_PyVM_BoxInRun(PyReg *run, Py_ssize_t i)
{
    PyVMFrame *f = _PyThreadState_CurrentFrame(_PyThreadState_GET());
    int64_t same;
    const PyInstr *copy = f != NULL && _PyJit_HasMachineCode(f->code)
                          ? copying_instruction(f, &run[i]) : NULL;
    for (Py_ssize_t k = 0; copy != NULL && k < i; k++) {
        const PyInstr *other = run[k] != 0 && IS_EXACT(run[k], PyLong_Type)
                               ? copying_instruction(f, &run[k]) : NULL;
        if (other != NULL && other->b == copy->b
            && _PyLong_AsInt64Exact(REG_PTR(run[k]), &same) && same == REG_INT(run[i])) {
            run[i] = reg_new_ref(run[k]);
            return REG_PTR(run[i]);
        }
    }
    return reg_object(&run[i]);
}
