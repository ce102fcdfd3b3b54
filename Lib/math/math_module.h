/* The parts of the math module.

   module.c    functions of one or two real numbers, and the module itself
   integers.c  functions of integers
   sums.c      fsum, prod, and the norms hypot and dist */
#ifndef SB_LIB_MATH_MODULE_H
#define SB_LIB_MATH_MODULE_H

#include "Python.h"

extern PyMethodDef _math_integer_methods[];
/* integers.c: fills tables, once. */
void _PyMath_FillFactorials(void);
extern PyMethodDef _math_sum_methods[];

#endif
