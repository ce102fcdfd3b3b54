/* math: fsum, prod, hypot, dist.

   Sums that must be exact are kept as several doubles that do not overlap: adding two
   doubles gives their rounded sum and the rounding error, both doubles (the "two-sum" of
   Knuth, used in this way by J. Shewchuk). */

#include "math_module.h"
#include <float.h>
#include <math.h>
#include "internal/method_table.h"

/* *sum and *lost such that *sum + *lost == a + b exactly. */
static inline void
two_sum(double a, double b, double *sum, double *lost)
{
    double s = a + b;
    double b_part = s - a;
    *lost = (a - (s - b_part)) + (b - b_part);
    *sum = s;
}

/* --------------------------------------------------------------------- fsum */

/* Partial sums in increasing order of magnitude, none overlapping another:
   their total is exact. */
struct partials {
    double *values;
    Py_ssize_t n;
    Py_ssize_t room;
    double local[32];
};

static int
partials_grow(struct partials *p)
{
    if (p->room > PY_SSIZE_T_MAX / 2 / (Py_ssize_t)sizeof(double)) {
        PyErr_SetString(PyExc_MemoryError, "math.fsum partials");
        return -1;
    }
    size_t size = (size_t)p->room * 2 * sizeof(double);
    double *values = p->values == p->local
        ? PyMem_Malloc(size) : PyMem_Realloc(p->values, size);
    if (values == NULL) {
        PyErr_SetString(PyExc_MemoryError, "math.fsum partials");
        return -1;
    }
    if (p->values == p->local) {
        memcpy(values, p->local, sizeof(p->local));
    }
    p->values = values;
    p->room *= 2;
    return 0;
}

/* Adds x; *special collects infinities and NaNs, which have no partial sums. */
static int
partials_add(struct partials *p, double x, double *special,
             int *infinities)
{
    double original = x;
    Py_ssize_t kept = 0;
    for (Py_ssize_t i = 0; i < p->n; i++) {
        double lost;
        two_sum(x, p->values[i], &x, &lost);
        if (lost != 0.0) {
            p->values[kept++] = lost;
        }
    }
    p->n = kept;
    if (x == 0.0) {
        return 0;
    }
    if (isfinite(x)) {
        if (kept == p->room && partials_grow(p) < 0) {
            return -1;
        }
        p->values[p->n++] = x;
        return 0;
    }
    if (isfinite(original)) {
        PyErr_SetString(PyExc_OverflowError, "intermediate overflow in fsum");
        return -1;
    }
    if (isinf(original)) {
        *infinities |= original > 0 ? 1 : 2;
    }
    *special += original;
    p->n = 0;
    return 0;
}

/* The total, rounded half to even. */
static double
partials_total(const struct partials *p)
{
    Py_ssize_t n = p->n;
    if (n == 0) {
        return 0.0;
    }
    double high = p->values[--n], low = 0.0;
    while (n > 0 && low == 0.0) {
        two_sum(high, p->values[--n], &high, &low);
    }
    /* `low` was rounded away. If it is half a unit of `high`, a further
       partial of the same sign pushes the total across the tie. */
    if (n > 0 && ((low < 0.0 && p->values[n - 1] < 0.0)
                  || (low > 0.0 && p->values[n - 1] > 0.0))) {
        double across = low * 2.0;
        double moved = high + across;
        if (moved - high == across) {
            high = moved;
        }
    }
    return high;
}

static PyObject *
math_fsum(PyObject *Py_UNUSED(module), PyObject *seq)
{
    struct partials p = {.n = 0, .room = 32};
    double special = 0.0;
    int infinities = 0;
    PyObject *result = NULL, *item;
    p.values = p.local;
    PyObject *iterator = PyObject_GetIter(seq);
    if (iterator == NULL) {
        return NULL;
    }
    while ((item = PyIter_Next(iterator)) != NULL) {
        double x = PyFloat_AsDouble(item);
        Py_DECREF(item);
        if ((x == -1.0 && PyErr_Occurred())
            || partials_add(&p, x, &special, &infinities) < 0) {
            goto done;
        }
    }
    if (PyErr_Occurred()) {
        goto done;
    }
    if (infinities == 3) {
        PyErr_SetString(PyExc_ValueError, "-inf + inf in fsum");
        goto done;
    }
    result = PyFloat_FromDouble(special != 0.0 ? special
                                               : partials_total(&p));
done:
    Py_DECREF(iterator);
    if (p.values != p.local) {
        PyMem_Free(p.values);
    }
    return result;
}

/* --------------------------------------------------------------------- prod */

/* Multiplies ints while the product fits into a word, then floats and ints that fit into
   a word, and leaves the rest to PyNumber_Multiply(). Steals `product`; *item is an item
   that did not fit, or NULL at the end. */
static PyObject *
prod_of_words(PyObject *product, PyObject *iterator, PyObject **item)
{
    int overflow;
    long value = PyLong_AsLongAndOverflow(product, &overflow);
    *item = NULL;
    if (overflow) {
        *item = PyIter_Next(iterator);
        return product;
    }
    while ((*item = PyIter_Next(iterator)) != NULL) {
        long factor, next;
        if (!PyLong_CheckExact(*item)) {
            break;
        }
        factor = PyLong_AsLongAndOverflow(*item, &overflow);
        if (overflow || __builtin_mul_overflow(value, factor, &next)) {
            break;
        }
        value = next;
        Py_DECREF(*item);
    }
    Py_DECREF(product);
    product = PyLong_FromLong(value);
    if (product == NULL) {
        Py_CLEAR(*item);
    }
    return product;
}

static PyObject *
prod_of_floats(PyObject *product, PyObject *iterator, PyObject **item)
{
    double value = PyFloat_AS_DOUBLE(product);
    for (; *item != NULL; *item = PyIter_Next(iterator)) {
        if (PyFloat_CheckExact(*item)) {
            value *= PyFloat_AS_DOUBLE(*item);
        }
        else if (PyLong_CheckExact(*item)) {
            int overflow;
            long factor = PyLong_AsLongAndOverflow(*item, &overflow);
            if (overflow) {
                break;
            }
            value *= (double)factor;
        }
        else {
            break;
        }
        Py_DECREF(*item);
    }
    Py_DECREF(product);
    product = PyFloat_FromDouble(value);
    if (product == NULL) {
        Py_CLEAR(*item);
    }
    return product;
}

static PyObject *
math_prod(PyObject *Py_UNUSED(module), PyObject *const *args,
          Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"", "start", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "prod"};
    PyObject *buffer[2] = {NULL}, *item = NULL;
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser, 1, 1, 0,
                                 buffer);
    if (args == NULL) {
        return NULL;
    }
    PyObject *start = kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0
        ? args[1] : NULL;
    PyObject *iterator = PyObject_GetIter(args[0]);
    if (iterator == NULL) {
        return NULL;
    }
    PyObject *product = start != NULL ? Py_NewRef(start) : PyLong_FromLong(1);
    if (product != NULL && PyLong_CheckExact(product)) {
        product = prod_of_words(product, iterator, &item);
    }
    else if (product != NULL) {
        item = PyIter_Next(iterator);
    }
    while (product != NULL && item != NULL) {
        if (PyFloat_CheckExact(product)) {
            product = prod_of_floats(product, iterator, &item);
            if (product == NULL || item == NULL) {
                break;
            }
        }
        Py_SETREF(product, PyNumber_Multiply(product, item));
        Py_DECREF(item);
        item = product == NULL ? NULL : PyIter_Next(iterator);
    }
    Py_DECREF(iterator);
    if (PyErr_Occurred()) {
        Py_CLEAR(product);
    }
    return product;
}

/* -------------------------------------------------------------------- norms */

/* sqrt(sum(x*x)) for n > 0 values that are not negative; max is the largest. All values
   are scaled by a power of two to below 1. Squares are split into two doubles with fma(),
   their sum is kept as two doubles as well, and one step of Newton's method on the square
   root uses the second one: the error is hardly more than half a unit in the last place. */
static double
vector_norm(Py_ssize_t n, const double *values, double max, int found_nan)
{
    if (isinf(max)) {
        return max;
    }
    if (found_nan) {
        return NAN;
    }
    if (max == 0.0 || n == 1) {
        return max;
    }
    int exponent;
    double high = 0.0, low = 0.0;
    (void)frexp(max, &exponent);
    for (Py_ssize_t i = 0; i < n; i++) {
        double x = ldexp(values[i], -exponent), lost;
        double square = x * x;
        low += fma(x, x, -square);
        two_sum(high, square, &high, &lost);
        low += lost;
    }
    double root = sqrt(high + low);
    double error = fma(-root, root, high) + low;
    root += error / (2.0 * root);
    return ldexp(root, exponent);
}

#define LOCAL_VALUES 20

static PyObject *
math_hypot(PyObject *Py_UNUSED(module), PyObject *const *args,
           Py_ssize_t nargs)
{
    double local[LOCAL_VALUES], *values = local, max = 0.0;
    int found_nan = 0;
    PyObject *result = NULL;
    if (nargs > LOCAL_VALUES
        && (values = PyMem_New(double, nargs)) == NULL) {
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < nargs; i++) {
        double x = PyFloat_AsDouble(args[i]);
        if (x == -1.0 && PyErr_Occurred()) {
            goto done;
        }
        values[i] = fabs(x);
        found_nan |= isnan(x);
        max = values[i] > max ? values[i] : max;
    }
    result = PyFloat_FromDouble(vector_norm(nargs, values, max, found_nan));
done:
    if (values != local) {
        PyMem_Free(values);
    }
    return result;
}

/* Returns a new reference. A point that is a tuple, of whatever class, is not asked for its items. */
static PyObject *
coordinates(PyObject *point)
{
    return PyTuple_Check(point) ? Py_NewRef(point) : PySequence_Tuple(point);
}

static PyObject *
math_dist(PyObject *Py_UNUSED(module), PyObject *const *args,
          Py_ssize_t nargs)
{
    double local[LOCAL_VALUES], *values = local, max = 0.0;
    int found_nan = 0;
    PyObject *p = NULL, *q = NULL, *result = NULL;
    if (!_PyArg_CheckPositional("dist", nargs, 2, 2)) {
        return NULL;
    }
    p = coordinates(args[0]);
    if (p == NULL || (q = coordinates(args[1])) == NULL) {
        goto done;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(p);
    if (n != PyTuple_GET_SIZE(q)) {
        PyErr_SetString(PyExc_ValueError,
                        "both points must have the same number of dimensions");
        goto done;
    }
    if (n > LOCAL_VALUES && (values = PyMem_New(double, n)) == NULL) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        double x = PyFloat_AsDouble(PyTuple_GET_ITEM(p, i));
        if (x == -1.0 && PyErr_Occurred()) {
            goto done;
        }
        double y = PyFloat_AsDouble(PyTuple_GET_ITEM(q, i));
        if (y == -1.0 && PyErr_Occurred()) {
            goto done;
        }
        values[i] = fabs(x - y);
        found_nan |= isnan(values[i]);
        max = values[i] > max ? values[i] : max;
    }
    result = PyFloat_FromDouble(vector_norm(n, values, max, found_nan));
done:
    if (values != local) {
        PyMem_Free(values);
    }
    Py_XDECREF(p);
    Py_XDECREF(q);
    return result;
}

PyMethodDef _math_sum_methods[] = {
    {"dist", FAST(math_dist),
     "dist($module, p, q, /)\n--\n\n"
     "The Euclidean distance of two points.\n\n"
     "Each is a sequence or iterable of coordinates, as many for both:\n"
     "sqrt(sum((px - qx) ** 2.0 for px, qx in zip(p, q)))"},
    {"fsum", math_fsum, METH_O,
     "fsum($module, seq, /)\n--\n\n"
     "The sum of the values, rounded only once.\n\n"
     "Assumes IEEE-754 floating point arithmetic."},
    {"hypot", FAST(math_hypot),
     "hypot(*coordinates) -> value\n\n"
     "The distance of a point from the origin: "
     "sqrt(sum(x**2 for x in coordinates)).\n"
     ">>> hypot(3.0, 4.0)\n5.0"},
    {"prod", FAST_KEYWORDS(math_prod),
     "prod($module, iterable, /, *, start=1)\n--\n\n"
     "The product of all elements and of start, which is what an empty\n"
     "iterable gives. For numbers; other types may be refused."},
    {NULL, NULL, 0, NULL}
};
