/* What is compiled of code that runs once: one of its loops (region.c). */
#ifndef SB_JIT_REGION_H
#define SB_JIT_REGION_H

#include "internal/jit.h"

/* What is to be compiled when the jump back is warm, or, if it is a RESUME, the function. */
JitRegion _PyJit_RegionOf(PyVMCode *code, const PyInstr *warm);
/* So many words of code it has. */
int64_t _PyJit_WordsOf(PyVMCode *code, JitRegion region);
/* code->jit, which is being recorded, is of another region from now on. */
void _PyJit_MoveTo(PyVMCode *code, JitRegion region);
/* code->jit is to be entered where the jump back leads to; of a region, all loops around it, too:
   the way to their heads is no part of it. */
void _PyJit_EnterLoops(PyVMCode *code, const PyInstr *jump_back);
/* The loops of the region of code->jit stay with the interpreter. */
void _PyJit_SetAside(PyVMCode *code);

#endif
