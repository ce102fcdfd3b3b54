/* Traps for floating-point errors were removed in 3.7: nothing is left of the macros
   but their names. */
#if !defined(Py_PYFPE_H) && !defined(Py_LIMITED_API)
#define Py_PYFPE_H

#define PyFPE_START_PROTECT(err_string, leave_stmt)
#define PyFPE_END_PROTECT(v)
#endif
