/* _statistics: the inverse of the normal distribution's cumulative function.

   Algorithm AS 241 of M. J. Wichura (Applied Statistics 37, 1988): a rational
   approximation in the middle, and two for the tails, good to about 16
   digits. The coefficients are listed from the highest power down. */

#include "Python.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include <math.h>

static double
polynomial(const double *coefficients, double x)
{
    double value = coefficients[0];
    for (int i = 1; i < 8; i++) {
        value = value * x + coefficients[i];
    }
    return value;
}

static const double middle_numerator[8] = {
    2.5090809287301226727e+3, 3.3430575583588128105e+4,
    6.7265770927008700853e+4, 4.5921953931549871457e+4,
    1.3731693765509461125e+4, 1.9715909503065514427e+3,
    1.3314166789178437745e+2, 3.3871328727963666080e+0,
};
static const double middle_denominator[8] = {
    5.2264952788528545610e+3, 2.8729085735721942674e+4,
    3.9307895800092710610e+4, 2.1213794301586595867e+4,
    5.3941960214247511077e+3, 6.8718700749205790830e+2,
    4.2313330701600911252e+1, 1.0,
};
static const double near_numerator[8] = {
    7.74545014278341407640e-4, 2.27238449892691845833e-2,
    2.41780725177450611770e-1, 1.27045825245236838258e+0,
    3.64784832476320460504e+0, 5.76949722146069140550e+0,
    4.63033784615654529590e+0, 1.42343711074968357734e+0,
};
static const double near_denominator[8] = {
    1.05075007164441684324e-9, 5.47593808499534494600e-4,
    1.51986665636164571966e-2, 1.48103976427480074590e-1,
    6.89767334985100004550e-1, 1.67638483018380384940e+0,
    2.05319162663775882187e+0, 1.0,
};
static const double far_numerator[8] = {
    2.01033439929228813265e-7, 2.71155556874348757815e-5,
    1.24266094738807843860e-3, 2.65321895265761230930e-2,
    2.96560571828504891230e-1, 1.78482653991729133580e+0,
    5.46378491116411436990e+0, 6.65790464350110377720e+0,
};
static const double far_denominator[8] = {
    2.04426310338993978564e-15, 1.42151175831644588870e-7,
    1.84631831751005468180e-5, 7.86869131145613259100e-4,
    1.48753612908506148525e-2, 1.36929880922735805310e-1,
    5.99832206555887937690e-1, 1.0,
};

static double
standard_quantile(double p)
{
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return polynomial(middle_numerator, r) * q
            / polynomial(middle_denominator, r);
    }
    double r = sqrt(-log(q <= 0.0 ? p : 1.0 - p));
    double x;
    if (r <= 5.0) {
        r -= 1.6;
        x = polynomial(near_numerator, r) / polynomial(near_denominator, r);
    }
    else {
        r -= 5.0;
        x = polynomial(far_numerator, r) / polynomial(far_denominator, r);
    }
    return q < 0.0 ? -x : x;
}

static PyObject *
normal_dist_inv_cdf(PyObject *Py_UNUSED(module), PyObject *const *args,
                    Py_ssize_t nargs)
{
    double values[3];
    if (!_PyArg_CheckPositional("_normal_dist_inv_cdf", nargs, 3, 3)) {
        return NULL;
    }
    for (int i = 0; i < 3; i++) {
        values[i] = PyFloat_AsDouble(args[i]);
        if (values[i] == -1.0 && PyErr_Occurred()) {
            return NULL;
        }
    }
    double p = values[0], mu = values[1], sigma = values[2];
    if (p <= 0.0 || p >= 1.0 || sigma <= 0.0) {
        PyErr_SetString(PyExc_ValueError, "inv_cdf undefined for these parameters");
        return NULL;
    }
    return PyFloat_FromDouble(mu + standard_quantile(p) * sigma);
}

static PyMethodDef statistics_methods[] = {
    {"_normal_dist_inv_cdf", FAST(normal_dist_inv_cdf),
     "_normal_dist_inv_cdf($module, p, mu, sigma, /)\n--\n\n"
     "The x below which a normally distributed value falls with "
     "probability p."},
    {NULL, NULL, 0, NULL}
};

static PyModuleDef_Slot statistics_slots[] = {
    {0, NULL}
};

static struct PyModuleDef statistics_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_statistics",
    .m_doc = "What the statistics module wants to be fast.",
    .m_size = 0,
    .m_methods = statistics_methods,
    .m_slots = statistics_slots,
};

MODULE_INIT(_statistics)
{
    return PyModuleDef_Init(&statistics_module);
}
