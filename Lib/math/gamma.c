/* The gamma function and the logarithm of its absolute value.

   libm has both, but the last digits of its results differ between C libraries, and from
   the digits that Python programs are used to. So here is Lanczos's approximation,

   gamma(x) = S(x) * (x + G - 1/2)^(x - 1/2) / exp(x + G - 1/2),

   with the G and the thirteen terms of the rational function S(x) that Boost publishes
   for 53 bits, and the reflection formula for negative x. */
#include "gamma.h"

#include <math.h>

#define TERMS 13
#define G 6.024680040776729583740234375
#define G_HALF 5.524680040776729583740234375    /* G - 1/2 */
#define PI 3.141592653589793238462643383279502884197
#define LOG_PI 1.144729885849400174143427351353058711647

/* Of x^0, x^1... */
static const double above[TERMS] = {
    23531376880.41075968857200767445163675473076,
    42919803642.64909876895789904700198885093263,
    35711959237.35566804944018545154716670596718,
    17921034426.03720969991975575445893111267403,
    6039542586.352028005064291644307297921106,
    1439720407.311721673663223072794912393972,
    248874557.8620541565114603864132294232163,
    31426415.58540019438061423162831820536287,
    2876370.628935372441225409051620849613599,
    186056.2653952234950402949897160456992822,
    8071.672002365816210638002902272250613822,
    210.8242777515793458725097339207133627117,
    2.506628274631000270164908177133837338626,
};

/* x (x + 1) ... (x + 11) */
static const double below[TERMS] = {
    0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0,
    2637558.0, 357423.0, 32670.0, 1925.0, 66.0, 1.0,
};

/* S(x) for x > 0; in powers of 1/x where powers of x would become too large. */
static double
lanczos_sum(double x)
{
    double numerator = 0.0, denominator = 0.0;
    if (x < 5.0) {
        for (int i = TERMS - 1; i >= 0; i--) {
            numerator = numerator * x + above[i];
            denominator = denominator * x + below[i];
        }
    }
    else {
        for (int i = 0; i < TERMS; i++) {
            numerator = numerator / x + above[i];
            denominator = denominator / x + below[i];
        }
    }
    return numerator / denominator;
}

/* sin(pi x) for x >= 0, exact where x is a whole or half number. */
static double
sine_of_pi(double x)
{
    double turn = fmod(x, 2.0);
    switch ((int)round(2.0 * turn)) {
    case 0: return sin(PI * turn);
    case 1: return cos(PI * (turn - 0.5));
    case 2: return sin(PI * (1.0 - turn));      /* not -sin(turn - 1): -0.0 matters */
    case 3: return -cos(PI * (turn - 1.5));
    default: return sin(PI * (turn - 2.0));
    }
}

/* The value multiplied or divided by base^exponent, in two steps where the power alone
   could overflow although the result does not. */
static double
scaled(double value, double base, double exponent, double size, int divide)
{
    if (size < 140.0) {
        double power = pow(base, exponent);
        return divide ? value / power : value * power;
    }
    double root = pow(base, exponent / 2.0);
    return divide ? value / root / root : value * root * root;
}

double
_PyMath_Gamma(double x)
{
    double size = fabs(x);
    if (size < 1e-20) {
        return 1.0 / x;
    }
    if (x == floor(x) && x > 0.0 && x <= 23.0) {
        double factorial = 1.0;             /* exact so far */
        for (double k = 2.0; k < x; k++) {
            factorial *= k;
        }
        return factorial;
    }
    if (size > 200.0) {
        return x > 0.0 ? HUGE_VAL : 0.0 / -sine_of_pi(size);
    }
    double base = size + G_HALF;
    /* The rounding error of the base, relative to the base, times G: the first-order
       error of the power. */
    double lost = size > G_HALF ? (base - size) - G_HALF : (base - G_HALF) - size;
    double correction = lost * G / base;
    double result;
    if (x < 0.0) {
        result = -PI / sine_of_pi(size) / size * exp(base) / lanczos_sum(size);
        result -= correction * result;
        return scaled(result, base, size - 0.5, size, 1);
    }
    result = lanczos_sum(size) / exp(base);
    result += correction * result;
    return scaled(result, base, size - 0.5, size, 0);
}

double
_PyMath_LogGamma(double x)
{
    double size = fabs(x);
    if (x == floor(x) && x > 0.0 && x <= 2.0) {
        return 0.0;
    }
    if (size < 1e-20) {
        return -log(size);
    }
    double result = log(lanczos_sum(size)) - G;
    result += (size - 0.5) * (log(size + G - 0.5) - 1.0);
    if (x < 0.0) {
        result = LOG_PI - log(fabs(sine_of_pi(size))) - log(size) - result;
    }
    return result;
}
