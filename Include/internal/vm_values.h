/* What instructions compute, for machine code that calls it: each function stands in the file of
   its handler, op_….c, and does what that does.

   All may run other code, and raise: 0, NULL or -1 says so. They take over the references of the
   words that they are given, which are released when the handler would release them, and what
   they return has a reference of its own. The frame's memory tells the truth meanwhile, and its
   ip is at the instruction. */
#ifndef SB_INTERNAL_VM_VALUES_H
#define SB_INTERNAL_VM_VALUES_H

#include "internal/jit.h"

/* op_arith.c. how: K_…, and 256 if it is in place; op: the opcode. */
PyReg _PyVM_Arithmetic(PyReg left, PyReg right, uint64_t how);
/* The sum of two strs. The left one grows in its place if there is no other reference to it. */
PyObject *_PyVM_AddTexts(PyReg left, PyReg right);
PyObject *_PyVM_Unary(PyReg value, uint64_t op);
/* op_compare.c. op: Py_LT and so on. The second says whether it is true: 1, 0 or -1. */
PyReg _PyVM_Compare(PyReg left, PyReg right, uint64_t op);
int64_t _PyVM_CompareTruth(PyReg left, PyReg right, uint64_t op);
/* op_subscr.c. A slice's step may be 0: it has none. */
PyReg _PyVM_GetItem(PyReg container, PyReg key);
int64_t _PyVM_SetItem(PyReg container, PyReg key, PyReg value);
int64_t _PyVM_DeleteItem(PyReg container, PyReg key);
PyObject *_PyVM_GetSlice(PyReg container, PyReg start, PyReg stop);
int64_t _PyVM_SetSlice(PyReg container, PyReg start, PyReg stop, PyReg value);
PyObject *_PyVM_MakeSlice(PyReg start, PyReg stop, PyReg step);
/* op_attr.c. */
int64_t _PyVM_DeleteAttr(PyReg owner, PyObject *name);
/* op_build.c. how: CONVERT's. */
PyObject *_PyVM_Format(PyReg value);
PyObject *_PyVM_FormatSpec(PyReg value, PyReg spec);
PyObject *_PyVM_Convert(PyReg value, uint64_t how);
/* op_exc.c: the exception that was handled before is handled again. */
int64_t _PyVM_EndHandling(PyReg previous);

/* These find their operands in the registers of the frame, and empty those. */
PyObject *_PyVM_MakeTupleWithRest(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n);
PyObject *_PyVM_MakeSet(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n);
PyObject *_PyVM_MakeMap(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n);
PyObject *_PyVM_MakeKeyMap(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n);
/* op_function.c: of the running instruction. */
PyObject *_PyVM_MakeFunction(PyVMFrame *f, PyThreadState *ts);

/* This one runs no code and can't fail: the exception, which is borrowed, is handled from now on.
   Returns the one that was handled before, or None. */
PyObject *_PyVM_BeginHandling(PyObject *exc);
/* 1, 0, or -1, with nothing done: does `except types` catch the exception? */
int64_t _PyVM_Catches(PyObject *exc, PyReg types);

#endif
