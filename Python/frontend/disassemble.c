/* A readable listing of a code object's instructions, driven by the operand letters of
   opcodes.def. */
#include "ir.h"
#include "internal/code_tables.h"
#include "internal/compile.h"

#include <stdio.h>

static int
add(PyObject *lines, PyObject *text)
{
    int rc = text == NULL ? -1 : PyList_Append(lines, text);
    Py_XDECREF(text);
    return rc;
}

static PyObject *
register_name(PyCodeObject *co, int reg)
{
    PyVMCode *vm = (PyVMCode *)co;
    if (reg < vm->first_temp && reg < PyTuple_GET_SIZE(co->co_localsplusnames)) {
        return PyUnicode_FromFormat(
            "%U", PyTuple_GET_ITEM(co->co_localsplusnames, reg));
    }
    return PyUnicode_FromFormat("t%d", reg - vm->first_temp);
}

static PyObject *
item_repr(PyObject *tuple, int32_t index, int plain)
{
    if (index < 0 || index >= PyTuple_GET_SIZE(tuple)) {
        return PyUnicode_FromFormat("?%d", index);
    }
    PyObject *item = PyTuple_GET_ITEM(tuple, index);
    return plain ? Py_NewRef(item) : PyUnicode_FromFormat("%R", item);
}

static PyObject *
operand_text(PyCodeObject *co, const PyInstr *in, char letter, int k,
             uint32_t after)
{
    uint16_t fields[] = {in->a, in->b, in->c};
    switch (letter) {
    case 'D': case 'r': case 'k': case 'B':
        return register_name(co, fields[k]);
    case 'i':
        return PyUnicode_FromFormat("%d", (int)(int16_t)fields[k]);
    case 'u':
        return PyUnicode_FromFormat("%d", (int)fields[k]);
    case 'X':
        return PyUnicode_FromFormat("%d", (int)in->bc);
    case 'K':
        return item_repr(co->co_consts, in->bc, 0);
    case 'N':
        return item_repr(co->co_names, in->bc, 1);
    case 'J':
        return PyUnicode_FromFormat("->%d", (int)after + in->bc);
    case 'j':
        return PyUnicode_FromFormat("->%d", (int)after + (int16_t)in->c);
    default:
        return NULL;
    }
}

/* The meaning of the first cache word as text, or NULL without an exception. */
static PyObject *
cache_text(PyCodeObject *co, const PyInstr *in, uint32_t after)
{
    PyCacheWord word = {.word = in[1].word};
    switch (in->op) {
    case OP_LOAD_GLOBAL: case OP_STORE_GLOBAL: case OP_LOAD_NAME:
    case OP_STORE_NAME: case OP_LOAD_ATTR: case OP_STORE_ATTR:
    case OP_LOAD_METHOD: case OP_IMPORT_NAME: case OP_IMPORT_FROM:
        return item_repr(co->co_names, (int32_t)word.arg, 1);
    case OP_BUILD_CONST_KEY_MAP: case OP_CALL_KW: case OP_CALL_METHOD_KW:
    case OP_MAKE_FUNCTION:
        return item_repr(co->co_consts, (int32_t)word.arg, 0);
    case OP_FOR_ITER: case OP_SEND:
        return PyUnicode_FromFormat("->%d", (int)after + (int32_t)word.arg);
    case OP_UNPACK_EX:
        return PyUnicode_FromFormat("%d", (int)word.arg);
    default:
        return NULL;
    }
}

static PyObject *
instruction_text(PyCodeObject *co, const PyInstr *in, uint32_t at, int line)
{
    const IROpInfo *info = &_PyIR_Ops[in->op];
    uint32_t after = at + _PyInstr_Words(in);
    PyObject *parts = PyList_New(0);
    if (parts == NULL) {
        return NULL;
    }
    for (int k = 0; k < 3 && info->operand[k]; k++) {
        PyObject *text = operand_text(co, in, info->operand[k], k, after);
        if (text != NULL && add(parts, text) < 0) {
            Py_DECREF(parts);
            return NULL;
        }
    }
    PyObject *more = info->cache ? cache_text(co, in, after) : NULL;
    if (more != NULL && add(parts, more) < 0) {
        Py_DECREF(parts);
        return NULL;
    }
    PyObject *comma = PyUnicode_FromString(", ");
    PyObject *joined = comma ? PyUnicode_Join(comma, parts) : NULL;
    Py_XDECREF(comma);
    Py_DECREF(parts);
    if (joined == NULL) {
        return NULL;
    }
    PyObject *text = PyUnicode_FromFormat("%5d %6u  %s %U\n", line, at,
                                          info->name, joined);
    Py_DECREF(joined);
    return text;
}

static int
list_code(PyCodeObject *co, PyObject *lines)
{
    PyVMCode *vm = (PyVMCode *)co;
    PyObject *bytes = _PyCode_GetWords(vm);
    if (bytes == NULL) {
        return -1;
    }
    const PyInstr *code = (const PyInstr *)PyBytes_AS_STRING(bytes);
    int rc = add(lines, PyUnicode_FromFormat(
        "%U: %d registers, temporaries from %d\n", co->co_qualname,
        (int)vm->nregs, (int)vm->first_temp));
    for (uint32_t i = 0; rc == 0 && i < vm->ninstr; ) {
        int line, ignored;
        if (code[i].op >= OP__COUNT) {
            rc = add(lines, PyUnicode_FromFormat("%u ???\n", i));
            break;
        }
        _PyCode_PositionOf(vm, i, &line, &ignored, &ignored, &ignored);
        rc = add(lines, instruction_text(co, &code[i], i, line));
        i += _PyInstr_Words(&code[i]);
    }
    for (uint32_t i = 0; rc == 0 && i < vm->nhandlers; i++) {
        PyHandlerRange *h = &vm->handlers[i];
        rc = add(lines, PyUnicode_FromFormat("  %u..%u -> %u, t%d\n", h->start,
                                             h->end, h->target,
                                             h->exc - vm->first_temp));
    }
    Py_DECREF(bytes);
    for (Py_ssize_t i = 0; rc == 0 && i < PyTuple_GET_SIZE(co->co_consts); i++) {
        PyObject *item = PyTuple_GET_ITEM(co->co_consts, i);
        if (PyCode_Check(item)) {
            rc = list_code((PyCodeObject *)item, lines);
        }
    }
    return rc;
}

PyObject *
_PyCode_Disassemble(PyCodeObject *code)
{
    _PyIR_InitOps();
    PyObject *lines = PyList_New(0);
    if (lines == NULL) {
        return NULL;
    }
    PyObject *text = NULL, *empty = PyUnicode_FromString("");
    if (empty != NULL && list_code(code, lines) == 0) {
        text = PyUnicode_Join(empty, lines);
    }
    Py_XDECREF(empty);
    Py_DECREF(lines);
    return text;
}
