/* Constants and tests of floating-point numbers. */
#ifndef Py_PYMATH_H
#define Py_PYMATH_H

/* With the digits that a long double holds, where the name ends in l. */
#define Py_MATH_PIl 3.1415926535897932384626433832795029L
#define Py_MATH_PI  3.14159265358979323846
#define Py_MATH_El  2.7182818284590452353602874713526625L
#define Py_MATH_E   2.7182818284590452354
#define Py_MATH_TAU 6.2831853071795864769252867665590057683943L

#define Py_HUGE_VAL HUGE_VAL
#define Py_NAN      (__builtin_nan(""))

#define Py_IS_NAN(X)      isnan(X)
#define Py_IS_INFINITY(X) isinf(X)
#define Py_IS_FINITE(X)   isfinite(X)
#endif
