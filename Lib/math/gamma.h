/* The gamma function for a finite x that is not a pole; infinite if it overflows. */
#ifndef SB_MATH_GAMMA_H
#define SB_MATH_GAMMA_H

double _PyMath_Gamma(double x);
double _PyMath_LogGamma(double x);      /* log(abs(gamma(x))) */

#endif
