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

/* Machine code may hold a variable, and then its register must not be given a reference. What has
   been made for its copies is kept here instead, for some variables. */
static PyObject *
box_of_native(const PyVMFrame *f, unsigned variable, int64_t value)
{
    static struct {
        const PyVMFrame *f;
        unsigned variable;
        int64_t value;
        PyObject *object;
    } boxes[8], *box;
    box = &boxes[variable % Py_ARRAY_LENGTH(boxes)];
    if (box->f != f || box->variable != variable || box->value != value) {
        PyObject *object = _PyLong_FromInt64(value);
        if (object == NULL) {
            return NULL;
        }
        box->f = f;
        box->variable = variable;
        box->value = value;
        Py_XSETREF(box->object, object);
    }
    return Py_NewRef(box->object);
}

/* A copy and its variable become one object, so that (x, x) has one item twice. From then
   on the copying instruction makes the object. */
PyObject *
_PyVM_Box(PyReg *slot)
{
    int64_t value = REG_INT(*slot), same;
    PyVMFrame *f = _PyThreadState_CurrentFrame(_PyThreadState_GET());
    const PyInstr *copy = copying_instruction(f, slot);
    PyReg *variable = NULL;
    if (copy != NULL) {
        set_opcode(copy, OP_MOVE__BOXED);
        if (_PyJit_HasMachineCode(f->code)) {
            PyObject *object = box_of_native(f, copy->b, value);
            *slot = object != NULL ? (PyReg)object : *slot;
            return object;
        }
        variable = &f->regs[copy->b];
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
