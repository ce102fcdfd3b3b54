/* timedelta: a duration, kept as days, seconds and microseconds, of which only
   the days can be negative.

   Computations go through the total of microseconds, which has 77 bits. */

#include "datetime_module.h"
#include "internal/compare.h"
#include "structmember.h"
#include <math.h>
#include <stddef.h>

#define SELF(op) ((PyDateTime_Delta *)(op))

/* ------------------------------------------------------------- construction */

static PyObject *
int_too_large(void)
{
    PyErr_SetString(PyExc_OverflowError,
                    "Python int too large to convert to C int");
    return NULL;
}

static PyObject *
delta_of_fields(int64_t days, int seconds, int us, PyTypeObject *type)
{
    if (days != (int)days) {
        return int_too_large();
    }
    if (days < -MAX_DELTA_DAYS || days > MAX_DELTA_DAYS) {
        PyErr_Format(PyExc_OverflowError,
                     "days=%d; must have magnitude <= %d", (int)days,
                     MAX_DELTA_DAYS);
        return NULL;
    }
    PyDateTime_Delta *self = (PyDateTime_Delta *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->hashcode = -1;
        self->days = (int)days;
        self->seconds = seconds;
        self->microseconds = us;
    }
    return (PyObject *)self;
}

PyObject *
_dt_delta_from_us(__int128 us, PyTypeObject *type)
{
    __int128 days;
    int64_t rest;
    if (us == (int64_t)us) {
        days = (int64_t)us / US_PER_DAY;
        rest = (int64_t)us % US_PER_DAY;
    }
    else {
        days = us / US_PER_DAY;
        rest = (int64_t)(us % US_PER_DAY);
    }
    if (rest < 0) {
        rest += US_PER_DAY;
        days--;
    }
    if (days != (int64_t)days) {
        return int_too_large();
    }
    return delta_of_fields((int64_t)days, (int)(rest / US_PER_SECOND),
                           (int)(rest % US_PER_SECOND), type);
}

PyObject *
_dt_new_delta(int days, int seconds, int us, int normalize,
              PyTypeObject *type)
{
    if (!normalize) {
        return delta_of_fields(days, seconds, us, type);
    }
    return _dt_delta_from_us((__int128)days * US_PER_DAY
                             + (int64_t)seconds * US_PER_SECOND + us, type);
}

__int128
_dt_delta_us(PyObject *delta)
{
    return (__int128)SELF(delta)->days * US_PER_DAY
        + (int64_t)SELF(delta)->seconds * US_PER_SECOND
        + SELF(delta)->microseconds;
}

static PyObject *
int_of_us(PyObject *delta)
{
    __int128 us = _dt_delta_us(delta);
    if (us == (int64_t)us) {
        return PyLong_FromLongLong((int64_t)us);
    }
    return _PyLong_FromByteArray((unsigned char *)&us, sizeof(us),
                                 PY_LITTLE_ENDIAN, 1);
}

static int
int_to_int128(PyObject *number, __int128 *value)
{
    if (_PyLong_AsByteArray((PyLongObject *)number, (unsigned char *)value,
                            sizeof(*value), PY_LITTLE_ENDIAN, 1) < 0) {
        PyErr_Clear();
        int_too_large();
        return -1;
    }
    return 0;
}

/* Steals us, which may be NULL. */
static PyObject *
delta_of_int(PyObject *us)
{
    __int128 value;
    if (us == NULL) {
        return NULL;
    }
    int status = int_to_int128(us, &value);
    Py_DECREF(us);
    return status < 0 ? NULL
        : _dt_delta_from_us(value, &_PyDateTime_DeltaType);
}

/* Adds count units of `factor` microseconds; the fraction of a microsecond that a float
   leaves is added to *leftover. */
static int
add_units(const char *name, PyObject *count, int64_t factor, __int128 *us,
          double *leftover)
{
    __int128 number;
    if (PyLong_Check(count)) {
        if (int_to_int128(count, &number) < 0) {
            return -1;
        }
    }
    else if (PyFloat_Check(count)) {
        double whole, more;
        double part = modf(PyFloat_AS_DOUBLE(count), &whole);
        PyObject *whole_int = PyLong_FromDouble(whole);
        if (whole_int == NULL) {
            return -1;
        }
        int status = int_to_int128(whole_int, &number);
        Py_DECREF(whole_int);
        if (status < 0) {
            return -1;
        }
        *leftover += modf(part * (double)factor, &more);
        *us += (int64_t)more;
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "unsupported type for timedelta %s component: %s",
                     name, Py_TYPE(count)->tp_name);
        return -1;
    }
    /* No factor has more than 40 bits, so with this limit the product cannot overflow. A
       checked multiplication of 128 bits would call a function that libgcc does not have
       on aarch64. */
    const __int128 limit = (__int128)1 << 86;
    if (number >= limit || number <= -limit
        || __builtin_add_overflow(*us, number * factor, us)) {
        int_too_large();
        return -1;
    }
    return 0;
}

static PyObject *
delta_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {
        "days", "seconds", "microseconds", "milliseconds", "minutes", "hours",
        "weeks", NULL
    };
    static const int64_t factors[] = {
        US_PER_DAY, US_PER_SECOND, 1, 1000, (int64_t)60 * US_PER_SECOND,
        (int64_t)3600 * US_PER_SECOND, 7 * US_PER_DAY,
    };
    /* From small to large, which is the order of rounding. */
    static const int order[] = {2, 3, 1, 4, 5, 0, 6};
    PyObject *counts[7] = {NULL};
    __int128 us = 0;
    double leftover = 0.0;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OOOOOOO:__new__", keywords,
                                     &counts[0], &counts[1], &counts[2],
                                     &counts[3], &counts[4], &counts[5],
                                     &counts[6])) {
        return NULL;
    }
    for (int i = 0; i < 7; i++) {
        int k = order[i];
        if (counts[k] != NULL
            && add_units(keywords[k], counts[k], factors[k], &us,
                         &leftover) < 0) {
            return NULL;
        }
    }
    if (leftover != 0.0) {
        /* To the nearest microsecond; a tie is rounded to an even total. */
        double whole = round(leftover);
        if (fabs(whole - leftover) == 0.5) {
            int odd = (int)(us & 1);
            whole = 2.0 * round((leftover + odd) * 0.5) - odd;
        }
        us += (int64_t)whole;
    }
    return _dt_delta_from_us(us, type);
}

/* --------------------------------------------------------------- arithmetic */

static PyObject *
delta_add(PyObject *a, PyObject *b)
{
    if (!PyDelta_Check(a) || !PyDelta_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return _dt_delta_from_us(_dt_delta_us(a) + _dt_delta_us(b),
                             &_PyDateTime_DeltaType);
}

PyObject *
_dt_delta_subtract(PyObject *a, PyObject *b)
{
    if (!PyDelta_Check(a) || !PyDelta_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return _dt_delta_from_us(_dt_delta_us(a) - _dt_delta_us(b),
                             &_PyDateTime_DeltaType);
}

static PyObject *
delta_negative(PyObject *delta)
{
    return _dt_delta_from_us(-_dt_delta_us(delta), &_PyDateTime_DeltaType);
}

static PyObject *
delta_positive(PyObject *delta)
{
    return _dt_delta_from_us(_dt_delta_us(delta), &_PyDateTime_DeltaType);
}

static PyObject *
delta_absolute(PyObject *delta)
{
    return SELF(delta)->days < 0 ? delta_negative(delta)
                                 : delta_positive(delta);
}

/* a / b to the nearest int, ties to even; steals a. */
static PyObject *
divide_nearest(PyObject *a, PyObject *b)
{
    if (a == NULL) {
        return NULL;
    }
    PyObject *pair = _PyLong_DivmodNear(a, b);
    Py_DECREF(a);
    if (pair == NULL) {
        return NULL;
    }
    PyObject *quotient = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
    Py_DECREF(pair);
    return quotient;
}

/* delta / number if inverse, else delta * number; number is a float. */
static PyObject *
scale_by_float(PyObject *delta, PyObject *number, int inverse)
{
    PyObject *result = NULL;
    PyObject *ratio = PyObject_CallMethod(number, "as_integer_ratio", NULL);
    if (ratio == NULL) {
        return NULL;
    }
    if (PyTuple_Check(ratio) && PyTuple_GET_SIZE(ratio) != 2) {
        PyErr_SetString(PyExc_ValueError, "as_integer_ratio() must return a 2-tuple");
        Py_DECREF(ratio);
        return NULL;
    }
    if (!PyTuple_Check(ratio)) {
        PyErr_Format(PyExc_TypeError, "unexpected return type from "
                     "as_integer_ratio(): expected tuple, got '%.200s'",
                     Py_TYPE(ratio)->tp_name);
        Py_DECREF(ratio);
        return NULL;
    }
    PyObject *us = int_of_us(delta);
    if (us != NULL) {
        PyObject *product = PyNumber_Multiply(
            us, PyTuple_GET_ITEM(ratio, inverse));
        Py_DECREF(us);
        result = delta_of_int(divide_nearest(
            product, PyTuple_GET_ITEM(ratio, !inverse)));
    }
    Py_DECREF(ratio);
    return result;
}

static PyObject *
delta_multiply(PyObject *a, PyObject *b)
{
    PyObject *delta = PyDelta_Check(a) ? a : b;
    PyObject *number = delta == a ? b : a;
    if (PyLong_Check(number)) {
        PyObject *us = int_of_us(delta);
        if (us == NULL) {
            return NULL;
        }
        PyObject *product = PyNumber_Multiply(number, us);
        Py_DECREF(us);
        return delta_of_int(product);
    }
    if (PyFloat_Check(number)) {
        return scale_by_float(delta, number, 0);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

/* function(a in us, b in us) */
static PyObject *
with_two(PyObject *a, PyObject *b,
         PyObject *(*function)(PyObject *, PyObject *))
{
    PyObject *x = int_of_us(a), *y = int_of_us(b), *result = NULL;
    if (x != NULL && y != NULL) {
        result = function(x, y);
    }
    Py_XDECREF(x);
    Py_XDECREF(y);
    return result;
}

static PyObject *
delta_floor_divide(PyObject *a, PyObject *b)
{
    if (PyDelta_Check(a) && PyDelta_Check(b)) {
        return with_two(a, b, PyNumber_FloorDivide);
    }
    if (PyDelta_Check(a) && PyLong_Check(b)) {
        PyObject *us = int_of_us(a);
        if (us == NULL) {
            return NULL;
        }
        PyObject *quotient = PyNumber_FloorDivide(us, b);
        Py_DECREF(us);
        return delta_of_int(quotient);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
delta_true_divide(PyObject *a, PyObject *b)
{
    if (!PyDelta_Check(a)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyDelta_Check(b)) {
        return with_two(a, b, PyNumber_TrueDivide);
    }
    if (PyFloat_Check(b)) {
        return scale_by_float(a, b, 1);
    }
    if (PyLong_Check(b)) {
        return delta_of_int(divide_nearest(int_of_us(a), b));
    }
    Py_RETURN_NOTIMPLEMENTED;
}

static PyObject *
delta_remainder(PyObject *a, PyObject *b)
{
    if (!PyDelta_Check(a) || !PyDelta_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return delta_of_int(with_two(a, b, PyNumber_Remainder));
}

static PyObject *
delta_divmod(PyObject *a, PyObject *b)
{
    if (!PyDelta_Check(a) || !PyDelta_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *pair = with_two(a, b, PyNumber_Divmod);
    if (pair == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    PyObject *rest = delta_of_int(Py_NewRef(PyTuple_GET_ITEM(pair, 1)));
    if (rest != NULL) {
        result = PyTuple_Pack(2, PyTuple_GET_ITEM(pair, 0), rest);
        Py_DECREF(rest);
    }
    Py_DECREF(pair);
    return result;
}

static int
delta_bool(PyObject *self)
{
    return _dt_delta_bool(self);
}

/* ------------------------------------------------------ comparison and text */

int
_dt_delta_compare(PyObject *a, PyObject *b)
{
    int difference = SELF(a)->days - SELF(b)->days;
    if (difference == 0) {
        difference = SELF(a)->seconds - SELF(b)->seconds;
    }
    if (difference == 0) {
        difference = SELF(a)->microseconds - SELF(b)->microseconds;
    }
    return difference;
}

PyObject *
_dt_order(int order, int op)
{
    Py_RETURN_RICHCOMPARE(order, 0, op);
}

int
_dt_delta_quick_compare(PyObject *a, PyObject *b, int op)
{
    return _Py_OrderSatisfies(_dt_delta_compare(a, b), op);
}

static PyObject *
delta_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyDelta_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(_dt_delta_quick_compare(a, b, op));
}

static PyObject *
delta_state(PyObject *self)
{
    return Py_BuildValue("iii", SELF(self)->days, SELF(self)->seconds,
                         SELF(self)->microseconds);
}

static Py_hash_t
delta_hash(PyObject *self)
{
    if (SELF(self)->hashcode == -1) {
        PyObject *state = delta_state(self);
        if (state == NULL) {
            return -1;
        }
        SELF(self)->hashcode = PyObject_Hash(state);
        Py_DECREF(state);
    }
    return SELF(self)->hashcode;
}

static PyObject *
delta_repr(PyObject *self)
{
    const struct {
        const char *name;
        int value;
    } fields[] = {
        {"days", SELF(self)->days},
        {"seconds", SELF(self)->seconds},
        {"microseconds", SELF(self)->microseconds},
    };
    char text[100];
    int len = 0;
    for (int i = 0; i < 3; i++) {
        if (fields[i].value != 0) {
            len += PyOS_snprintf(text + len, sizeof(text) - (size_t)len,
                                 "%s%s=%d", len == 0 ? "" : ", ",
                                 fields[i].name, fields[i].value);
        }
    }
    return PyUnicode_FromFormat("%s(%s)", Py_TYPE(self)->tp_name,
                                len == 0 ? "0" : text);
}

static PyObject *
delta_str(PyObject *self)
{
    int days = SELF(self)->days, seconds = SELF(self)->seconds;
    int us = SELF(self)->microseconds;
    char text[80];
    int len = 0;
    if (days != 0) {
        len = PyOS_snprintf(text, sizeof(text), "%d day%s, ", days,
                            days == 1 || days == -1 ? "" : "s");
    }
    len += PyOS_snprintf(text + len, sizeof(text) - (size_t)len,
                         "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                         seconds % 60);
    if (us != 0) {
        PyOS_snprintf(text + len, sizeof(text) - (size_t)len, ".%06d", us);
    }
    return PyUnicode_FromString(text);
}

/* ------------------------------------------------------------------ methods */

PyObject *
_dt_delta_seconds(PyObject *delta)
{
    PyObject *us = int_of_us(delta);
    PyObject *per_second = PyLong_FromLong(US_PER_SECOND);
    PyObject *result = NULL;
    if (us != NULL && per_second != NULL) {
        result = PyNumber_TrueDivide(us, per_second);
    }
    Py_XDECREF(us);
    Py_XDECREF(per_second);
    return result;
}

static PyObject *
delta_total_seconds(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return _dt_delta_seconds(self);
}

static PyObject *
delta_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *state = delta_state(self);
    return state == NULL ? NULL : Py_BuildValue("ON", Py_TYPE(self), state);
}

static PyMethodDef delta_methods[] = {
    {"total_seconds", delta_total_seconds, METH_NOARGS,
     "Total seconds in the duration."},
    {"__reduce__", delta_reduce, METH_NOARGS,
     "__reduce__() -> (cls, state)"},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef delta_members[] = {
    {"days", T_INT, offsetof(PyDateTime_Delta, days), READONLY,
     "Number of days."},
    {"seconds", T_INT, offsetof(PyDateTime_Delta, seconds), READONLY,
     "Number of seconds (>= 0 and less than 1 day)."},
    {"microseconds", T_INT, offsetof(PyDateTime_Delta, microseconds),
     READONLY, "Number of microseconds (>= 0 and less than 1 second)."},
    {NULL, 0, 0, 0, NULL}
};

static PyNumberMethods delta_as_number = {
    .nb_add = delta_add,
    .nb_subtract = _dt_delta_subtract,
    .nb_multiply = delta_multiply,
    .nb_remainder = delta_remainder,
    .nb_divmod = delta_divmod,
    .nb_negative = delta_negative,
    .nb_positive = delta_positive,
    .nb_absolute = delta_absolute,
    .nb_bool = delta_bool,
    .nb_floor_divide = delta_floor_divide,
    .nb_true_divide = delta_true_divide,
};

PyTypeObject _PyDateTime_DeltaType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "datetime.timedelta",
    .tp_basicsize = sizeof(PyDateTime_Delta),
    .tp_repr = delta_repr,
    .tp_as_number = &delta_as_number,
    .tp_hash = delta_hash,
    .tp_str = delta_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Difference between two datetime values.\n\n"
        "timedelta(days=0, seconds=0, microseconds=0, milliseconds=0, "
        "minutes=0, hours=0, weeks=0)\n\n"
        "All arguments are optional and 0 by default: ints or floats of\n"
        "either sign.",
    .tp_richcompare = delta_richcompare,
    .tp_methods = delta_methods,
    .tp_members = delta_members,
    .tp_new = delta_new,
};
