/* What machine code calls when it leaves the usual path (rare.c), and what comes of that (exits.c).
   The area holds registers, at their numbers, and then the slots of the native frame; a point says
   what is where. */
#ifndef SB_JIT_RARE_H
#define SB_JIT_RARE_H

#include "lower.h"

/* Words of the area, in the order that _PyJit_SlotDisp() gives them on each architecture. */
#ifdef __aarch64__
#  define _PyJit_AreaWord(area, i) ((area)[i])
#else
#  define _PyJit_AreaWord(area, i) ((area)[-(ptrdiff_t)(i)])
#endif

/* ------------------------------------------------------------------ exits.c */

/* Counts the failures, and has the function recorded again if they are many. */
void _PyJit_HasLeft(PyVMFrame *f, const JitPoint *point);
/* So many rounds of the comprehension there have been for nothing: if they are many, it is called
   from now on. */
void _PyJit_HasWasted(PyVMFrame *f, uint32_t at, int64_t rounds);
/* Has it recorded and compiled again, for no reason. */
void _PyJit_Again(PyVMCode *code);

/* ------------------------------------------------------------------- rare.c */

/* A guard has failed: puts what the point says into the frame. Returns the instruction to go on
   at. */
const PyInstr *_PyJit_Leave(PyVMFrame *f, PyThreadState *ts, const uint64_t *area,
                            JitPoint *point);
/* For leaving when there is no memory. After it has taken some, when the next function is
   compiled. */
void _PyJit_KeepSpareFloats(void);
/* How machine code goes on after a call that may have run other code. */
enum { JIT_GO_ON, JIT_GO_AWAY, JIT_RAISED };
/* Destroys an object that nothing refers to. */
int _PyJit_Dealloc(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point,
                   PyObject *object);
/* The function, with the same arguments, for an object of this class; NULL: it is not known. */
const void *_PyJit_DeallocOf(const PyTypeObject *cls);
/* Other threads, signals. */
int _PyJit_Pending(PyVMFrame *f, PyThreadState *ts, const uint64_t *area, JitPoint *point);
/* The place of an instruction in this version of its function, whose native frame is in place;
   or NULL. */
const void *_PyJit_Dispatch(PyVMFrame *f, const PyInstr *ip, const PyJitCode *jit);
/* A frame ends in a way that is not the usual one. Returns the value. */
PyReg _PyJit_ReturnSlowly(PyVMFrame *f, PyThreadState *ts, PyReg value);

#endif
