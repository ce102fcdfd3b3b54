/* Calls of C functions by machine code: build_ccalls.c makes the nodes, lower_calls.c the code. */
#ifndef SB_JIT_CCALLS_H
#define SB_JIT_CCALLS_H

#include "ir.h"

/* How a CALL_C passes its arguments. */
typedef enum {
    JIT_C_O,                    /* (self, argument) */
    JIT_C_NOARGS,               /* (self, NULL) */
    JIT_C_FAST,                 /* (self, array, n) */
    JIT_C_FASTKW,               /* (self, array, n, names) */
    JIT_C_VECTOR,               /* the same as a vectorcall; self is what is called */
} JitCCall;

/* Does a call count against the recursion limit? Those of methods by keyword do, too. */
static inline int
_PyJit_CallCounts(JitCCall how, int is_method, int by_keyword)
{
    return how == JIT_C_O || how == JIT_C_NOARGS
           || (how == JIT_C_FASTKW && is_method && by_keyword);
}

/* ------------------------------------------------------------------- rare.c */

/* Ints among the registers named by the bits of `which`, from `first` on, become objects. 0, or -1
   with MemoryError. */
int _PyJit_BoxRegisters(PyVMFrame *f, unsigned first, uint64_t which);
/* A C function has said that an exception is set, or there is one though it has not: makes sure
   that there is one, and empties the window. callee: what was called, if the window does not hold
   it. */
void _PyJit_CCallFailed(PyVMFrame *f, PyThreadState *ts, PyObject *result, uint64_t window,
                        PyObject *callee);
/* PyObject_Vectorcall() for functions and methods of extensions: what takes an array doesn't
   count against the recursion limit, as it doesn't in the interpreter. */
PyObject *_PyJit_CallExtension(PyObject *callable, PyObject *const *args, size_t nargsf,
                               PyObject *names);
/* Truth and membership of any values, whose methods may run: 1, 0, or -1 with an exception. */
int64_t _PyJit_TruthOfAny(PyReg value);
int64_t _PyJit_ContainsAny(PyReg item, PyReg container);

#endif
