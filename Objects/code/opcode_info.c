/* The table of opcodes as data. */
#include "Python.h"
#include "internal/code.h"

#define ENTRY(op, cache, operands, base) \
    [OP_##op] = {#op, operands, cache, OP_##base},

const PyOpcodeInfo _PyOpcode_Info[] = {
#define OP(name, cache, operands) ENTRY(name, cache, operands, name)
#define SPECIAL(from, what, cache, operands) \
    ENTRY(from##__##what, cache, operands, from)
#include "internal/opcodes.def"
#undef OP
};
