/* "Compiled" code without machine code (stepping.c). */
#ifndef SB_JIT_STEPPING_H
#define SB_JIT_STEPPING_H

#include "internal/code.h"

/* Sets code->jit. 1, or 0 without memory; no exception is set. */
int _PyJit_MakeStepping(PyVMCode *code);
void _PyJit_FreeStepping(PyVMCode *code);

#endif
