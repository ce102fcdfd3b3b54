/* The _opcode module: opcodes.def as data for opcode.py and dis.py. */
#include "Python.h"
#include "internal/code.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

/* Registers, not a stack: nothing moves. */
int
PyCompile_OpcodeStackEffectWithJump(int opcode, int Py_UNUSED(oparg), int Py_UNUSED(jump))
{
    return opcode >= 0 && opcode < OP__COUNT ? 0 : PY_INVALID_STACK_EFFECT;
}

int
PyCompile_OpcodeStackEffect(int opcode, int oparg)
{
    return PyCompile_OpcodeStackEffectWithJump(opcode, oparg, -1);
}

static PyObject *
opcode_stack_effect(PyObject *Py_UNUSED(module), PyObject *const *args,
                    Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", "", "jump", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "stack_effect"};
    PyObject *room[3];
    PyObject *const *got = _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 2, 0, room);
    if (got == NULL) {
        return NULL;
    }
    int opcode = _PyLong_AsInt(got[0]);
    if (opcode == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (got[1] != NULL && got[1] != Py_None && PyLong_AsLong(got[1]) == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (got[2] != NULL && got[2] != Py_None && !PyBool_Check(got[2])) {
        PyErr_SetString(PyExc_ValueError, "stack_effect: jump must be False, True or None");
        return NULL;
    }
    int effect = PyCompile_OpcodeStackEffect(opcode, 0);
    if (effect == PY_INVALID_STACK_EFFECT) {
        PyErr_SetString(PyExc_ValueError, "invalid opcode or oparg");
        return NULL;
    }
    return PyLong_FromLong(effect);
}

static PyObject *
opcode_stats(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    Py_RETURN_NONE;
}

static PyObject *
opcode_table(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *table = PyList_New(OP__COUNT);
    for (int op = 0; table != NULL && op < OP__COUNT; op++) {
        const PyOpcodeInfo *info = &_PyOpcode_Info[op];
        PyObject *row = Py_BuildValue("(ssii)", info->name, info->operands,
                                      (int)info->cache, (int)info->base);
        if (row == NULL) {
            Py_CLEAR(table);
            break;
        }
        PyList_SET_ITEM(table, op, row);
    }
    return table;
}

static PyMethodDef opcode_methods[] = {
    {"stack_effect", FAST_KEYWORDS(opcode_stack_effect),
     PyDoc_STR("stack_effect($module, opcode, oparg=None, /, *, jump=None)\n--\n\n"
               "0: instructions work on registers.")},
    {"get_specialization_stats", opcode_stats, METH_NOARGS,
     PyDoc_STR("get_specialization_stats($module, /)\n--\n\n"
               "None: no statistics are kept.")},
    {"_table", opcode_table, METH_NOARGS,
     PyDoc_STR("_table($module, /)\n--\n\n"
               "A list of (name, operands, cache words, base) by opcode.")},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot opcode_slots[] = {
    {0, NULL},
};

static struct PyModuleDef opcode_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_opcode",
    .m_doc = PyDoc_STR("The opcodes of the register machine."),
    .m_methods = opcode_methods,
    .m_slots = opcode_slots,
};

MODULE_INIT(_opcode)
{
    return PyModuleDef_Init(&opcode_module);
}
