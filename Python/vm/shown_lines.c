/* Lines shown to native profilers.

   Instructions at which another line can begin are marked: PyInstr.line is 1, so that
   their handlers come from the second half of the table in force. In the lines table
   such a handler copies the line's landing into the frame's record and goes on with
   the instruction. Specialisation rewrites the opcode and leaves the mark.

   A code object is marked when it is published in a mode with lines. When a mark
   is met while lines are not shown, all marks of the code object are removed. */
#include "vm.h"

/* -------------------------------------------------------------------- marks */

Py_ssize_t
_PyVM_JumpTarget(const PyVMCode *code, uint32_t at)
{
    const PyInstr *in = &code->code[at];
    if (in->op >= OP__COUNT) {
        return -1;
    }
    const char *letters = _PyOpcode_Info[in->op].operands;
    int base = _PyOpcode_Info[in->op].base;
    Py_ssize_t distance;
    if (letters[1] == 'J') {
        distance = in->bc;
    }
    else if (letters[2] == 'j') {
        distance = (int16_t)in->c;
    }
    else if (base == OP_FOR_ITER || base == OP_SEND) {
        distance = (int32_t)((const PyCacheWord *)(in + 1))->arg;
    }
    else {
        return -1;
    }
    Py_ssize_t target = (Py_ssize_t)at + _PyInstr_Words(in) + distance;
    return target >= 0 && target < (Py_ssize_t)code->ninstr ? target : -1;
}

static void
mark(PyVMCode *code, uint32_t at)
{
    /* RESUME shows the line itself. A word that is no instruction is not
       marked. */
    PyInstr *in = &code->code[at];
    if (in->op < OP__COUNT && _PyOpcode_Info[in->op].base != OP_RESUME) {
        in->line |= 1;
    }
}

void
_PyVM_MarkLines(PyVMCode *code, const _PyCodeLines *lines)
{
    const void *const *landing = lines->landing;
    uint32_t before = 0;
    for (uint32_t at = 0; at < code->ninstr; at += _PyInstr_Words(&code->code[at])) {
        if (landing[at] != landing[before]) {
            mark(code, at);
        }
        Py_ssize_t target = _PyVM_JumpTarget(code, at);
        if (target >= 0 && landing[target] != landing[at]) {
            mark(code, (uint32_t)target);
        }
        before = at;
    }
    for (uint32_t i = 0; i < code->nhandlers; i++) {
        mark(code, code->handlers[i].target);
    }
    code->lines_marked = 1;
}

void
_PyVM_UnmarkLines(PyVMCode *code)
{
    for (uint32_t at = 0; at < code->ninstr; at += _PyInstr_Words(&code->code[at])) {
        code->code[at].line &= (uint8_t)~1u;
    }
    code->lines_marked = 0;
    uintptr_t landing = (uintptr_t)code->landing;
    if (landing & SHOWN_MODE_LINES) {
        /* If lines are shown again, it has to be marked again. */
        code->landing = (void *)(landing | SHOWN_MODE_NONE);
    }
}

VM_FUNCTION(_PyVM_ForgetLines)
{
    _PyVM_UnmarkLines(f->code);
    DISPATCH();
}

/* ----------------------------------------------------------------- handlers */

#define OP(name, cache, operands) \
    static PRESERVE_NONE PyObject *line_##name(VM_PARAMS);
#include "internal/opcodes.def"
#undef OP
SLOW(count_line_JUMP_BACK);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
const struct _PyHandlerTable _PyVM_lines_table = {{
#define OP(name, cache, operands) \
    [OP_##name] = op_##name, [LINE_BANK + OP_##name] = line_##name,
#include "internal/opcodes.def"
    SHOWN_ENDS,
    [OP_RESUME] = _PyVM_ShownResumeLines,
    [OP_RESUME__NATIVE] = _PyVM_ShownResumeNativeLines,
    MONITOR_BANKS,
}};

const struct _PyHandlerTable _PyVM_counting_lines_table = {{
#include "internal/opcodes.def"
#undef OP
    SHOWN_ENDS,
    [OP_RESUME] = _PyVM_CountShownResumeLines,
    [OP_RESUME__NATIVE] = _PyVM_ShownResumeNativeLines,
    MONITOR_BANKS,
    [OP_JUMP_BACK] = _PyVM_CountJumpBack,
    [LINE_BANK + OP_JUMP_BACK] = count_line_JUMP_BACK,
}};
#pragma GCC diagnostic pop

/* A handler for each opcode, which goes on by a direct jump: so the indirect jump to it is
   still that of the instruction before, which branch prediction depends on. */
#define OP(name, cache, operands) \
    static PRESERVE_NONE PyObject * \
    line_##name(VM_PARAMS) \
    { \
        word &= ~LINE_MARK; \
        show_line(ts, f, ip); \
        TAIL(_PyVM_lines_table.op[OP_##name]); \
    }
#include "internal/opcodes.def"
#undef OP

SLOW(count_line_JUMP_BACK)
{
    word &= ~LINE_MARK;
    show_line(ts, f, ip);
    TAIL(_PyVM_CountJumpBack);
}
