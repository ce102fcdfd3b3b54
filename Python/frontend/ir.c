/* The growing arrays of IRCode, and the table of operand kinds that the passes use. */
#include "ir.h"

#include <string.h>

IROpInfo _PyIR_Ops[OP__COUNT] = {
#define OP(op_name, op_cache, op_operands) \
    [OP_##op_name] = {.name = #op_name, .operand = op_operands, \
                      .cache = op_cache},
#include "internal/opcodes.def"
#undef OP
};

static int ops_ready;

void
_PyIR_InitOps(void)
{
    if (ops_ready) {
        return;
    }
    for (int op = 0; op < OP__COUNT; op++) {
        IROpInfo *info = &_PyIR_Ops[op];
        for (int i = 0; i < 3 && info->operand[i]; i++) {
            char letter = info->operand[i];
            if (letter == 'J') {
                info->jump = IR_JUMP_WIDE;
            }
            else if (letter == 'j') {
                info->jump = IR_JUMP_NARROW;
            }
            else if (letter == 'X' || letter == 'K' || letter == 'N') {
                info->wide = 1;
            }
        }
    }
    _PyIR_Ops[OP_FOR_ITER].jump = IR_JUMP_CACHE;
    _PyIR_Ops[OP_SEND].jump = IR_JUMP_CACHE;
    static const uint16_t enders[] = {
        OP_JUMP, OP_JUMP_BACK, OP_RETURN, IR_RETURN_NONE, OP_RERAISE, OP_RAISE,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(enders); i++) {
        _PyIR_Ops[enders[i]].ends = 1;
    }
    ops_ready = 1;
}

void
_PyIR_Clear(IRCode *ir)
{
    ir->n = 0;
    ir->nlabels = 0;
    ir->nhandlers = 1;
}

void
_PyIR_Free(IRCode *ir)
{
    PyMem_Free(ir->v);
    PyMem_Free(ir->labels);
    PyMem_Free(ir->handlers);
    memset(ir, 0, sizeof(*ir));
}

static int
grow(void **array, int *cap, int need, size_t size)
{
    if (need <= *cap) {
        return 0;
    }
    int bigger = *cap ? *cap * 2 : 64;
    while (bigger < need) {
        bigger *= 2;
    }
    void *mem = NULL;
    if (bigger < INT_MAX / 64) {
        mem = PyMem_Realloc(*array, (size_t)bigger * size);
    }
    if (mem == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *array = mem;
    *cap = bigger;
    return 0;
}

int
_PyIR_NewLabel(IRCode *ir)
{
    if (ir->nlabels == ir->caplabels
        && grow((void **)&ir->labels, &ir->caplabels, ir->nlabels + 1,
                sizeof(*ir->labels)) < 0) {
        return -1;
    }
    ir->labels[ir->nlabels] = -1;
    return ir->nlabels++;
}

int
_PyIR_NewHandler(IRCode *ir, int label, int depth)
{
    if (ir->nhandlers == 0) {
        ir->nhandlers = 1;
    }
    if (grow((void **)&ir->handlers, &ir->caphandlers, ir->nhandlers + 1,
             sizeof(*ir->handlers)) < 0) {
        return -1;
    }
    ir->handlers[ir->nhandlers] = (IRHandler){label, (uint16_t)depth};
    return ir->nhandlers++;
}

IRInstr *
_PyIR_Append(IRCode *ir)
{
    if (ir->n == ir->cap
        && grow((void **)&ir->v, &ir->cap, ir->n + 1, sizeof(*ir->v)) < 0) {
        return NULL;
    }
    return &ir->v[ir->n++];
}
