/* Strings as machine code makes them (texts.c). Like those of quiet.h, these functions neither run
   Python code nor leave an exception: where that would be needed they return NULL, and have done
   nothing. What they return has a reference of its own. */
#ifndef SB_JIT_TEXTS_H
#define SB_JIT_TEXTS_H

#include "ir.h"

/* str() and repr() of an int, a float, a str or None. */
PyObject *_PyJit_PlainText(PyReg value);
PyObject *_PyJit_PlainRepr(PyReg value);
/* The same with a format. */
PyObject *_PyJit_FormattedText(PyReg value, PyReg spec);
/* The strs in a run of registers as one; run: the first, and their number << 16. Then the run is
   empty, and those that `owned` has a bit for are released. */
PyObject *_PyJit_Join(PyVMFrame *f, uint64_t run, uint64_t owned);

#endif
