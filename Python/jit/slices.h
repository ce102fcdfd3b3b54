/* Slices whose bounds are None or ints of one word, read from registers, so that no slice object is
   made: slices.c. The functions are of quiet.h's kind. */
#ifndef SB_JIT_SLICES_H
#define SB_JIT_SLICES_H

#include "ir.h"

/* The instruction behind a BUILD_SLICE, if that is x[i:j:k] or del x[i:j], with this slice. NULL:
   it is not. */
const PyInstr *_PyJit_SliceUser(const PyInstr *build);
/* Is it a built-in sequence that _PyJit_Slice() can cut? */
int _PyJit_IsSliced(PyReg container);
/* container[start:stop:step], or NULL. */
PyObject *_PyJit_Slice(PyReg container, PyReg start, PyReg stop, PyReg step);
/* list[start:stop] = value, a list or tuple; del list[start:stop], if it is NULL. A word that is no
   reference, or 0: somebody could look while what was there is destroyed. */
PyReg _PyJit_StoreSlice(PyListObject *list, PyReg start, PyReg stop, PyObject *value);
/* The same for a list that the caller gives up; not if 0 is returned. */
PyReg _PyJit_MoveToSlice(PyListObject *list, PyReg start, PyReg stop, PyObject *value);

/* list[start:stop] = other[start:stop:step] without the list in between, where nothing that could
   run code or change a list stands between the two. The first only takes note: 1, or 0 if that slice
   can't be cut. The second does it: `promise` is what the first one said. */
uintptr_t _PyJit_PromiseSlice(PyListObject *other, PyReg start, PyReg stop, PyReg step);
PyReg _PyJit_StorePromised(PyListObject *list, PyReg start, PyReg stop, uintptr_t promise);

#endif
