/* Traps for floating-point errors were removed in 3.7: only the names of the macros are
   left. */
#if !defined(Py_PYFPE_H) && !defined(Py_LIMITED_API)
#define Py_PYFPE_H

#define PyFPE_START_PROTECT(err_string, leave_stmt)
#define PyFPE_END_PROTECT(v)
#endif
