/* The versions of a function's machine code (versions.c). The newest is code->jit; each knows the
   one before it. All of this needs the GIL. */
#ifndef SB_JIT_VERSIONS_H
#define SB_JIT_VERSIONS_H

#include "internal/jit.h"

/* If so many have been left too often, the function stays with the interpreter. */
#define JIT_MOST_VERSIONS 5

/* What has been seen of a function is one for all versions: a new one takes it over. */
void _PyJit_TakeOver(PyJitCode *jit, const PyJitCode *old);
/* Into the list of what is there for those who look for an address. */
void _PyJit_Enlist(PyJitCode *jit);
/* From now on the machine code of code->jit is what runs. */
void _PyJit_PutToUse(PyVMCode *code);
/* This version and those before it are freed when nobody is in them. */
void _PyJit_Retire(PyJitCode *jit);
/* What is recorded is forgotten: the version before is the function's code again. */
void _PyJit_KeepEarlier(PyVMCode *code);
/* Frees what was retired, if that is much, and what the thread's stack does not speak of. */
void _PyJit_FreeUnseen(PyThreadState *ts);
/* The function stays with the interpreter. */
void _PyJit_Decline(PyVMCode *code);

#endif
