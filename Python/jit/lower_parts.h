/* What the files of lower*.c share: nodes by subject, and the rare code that they ask for. */
#ifndef SB_JIT_LOWER_PARTS_H
#define SB_JIT_LOWER_PARTS_H

#include "lower.h"
#include <stddef.h>

#define JIT_REFCNT ((int32_t)offsetof(PyObject, ob_refcnt))

/* Each emits the nodes of its subject; 0: the node is none of them. */
int _PyJit_LowerNumber(JitLower *l, JitRef ref, JitNode *n);
int _PyJit_LowerMemory(JitLower *l, JitRef ref, JitNode *n);
int _PyJit_LowerCall(JitLower *l, JitRef ref, JitNode *n);

/* Index of the instruction behind that at ip, the words of its cache passed over. */
uint32_t _PyJit_BehindInstr(JitLower *l, uint32_t ip);

/* --------------------------------------------------------------- lower_rare.c */

/* Asks for rare code of a node; its point says where values are now. */
JitRare *_PyJit_AddRare(JitLower *l, JitRareKind kind, JitRef node);
/* Where a failing guard of the node jumps. No register may be taken after this. */
JitLabel _PyJit_LeaveLabel(JitLower *l, JitRef node);
/* So many registers are free afterwards: before _PyJit_LeaveLabel(). */
void _PyJit_MakeRoom(JitLower *l, int general, int floats);
void _PyJit_LowerRare(JitLower *l, JitRare *rare);

/* d: a block from a free list of numbers; t, u are overwritten. */
void _PyJit_TakeBlock(JitLower *l, JitReg d, const void *list, JitReg t, JitReg u,
                      JitLabel empty);
/* Jumps unless v is an object of exactly this class. */
void _PyJit_BranchNotClass(JitLower *l, JitReg v, PyTypeObject *cls, JitLabel label);

#endif
