/* Functions that a short usual path calls now and then.

   They stay out of line: else link-time optimisation puts them into every caller, whose usual path
   then saves all registers that only they need. And where the compiler can do it they keep their
   callers' registers (but floating-point ones), so that the usual path need not save its own. */
#ifndef SB_INTERNAL_RARE_CALL_H
#define SB_INTERNAL_RARE_CALL_H

#ifndef __has_attribute
#  define __has_attribute(name) 0
#endif

#if defined(__clang__) && __has_attribute(preserve_most)
#  define _Py_RARE_CALL __attribute__((noinline, preserve_most))
#else
#  define _Py_RARE_CALL __attribute__((noinline))
#endif

#endif
