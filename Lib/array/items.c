/* array: what the type codes mean. */

#include "array_module.h"
#include <limits.h>

/* Items are read and written by value, with memcpy(): the memory of an array is aligned,
   but has no C type. */
#define ITEM_ACCESS(name, type)                                     \
    static inline type                                              \
    load_##name(const char *items, Py_ssize_t i)                    \
    {                                                               \
        type value;                                                 \
        memcpy(&value, items + i * (Py_ssize_t)sizeof(type),        \
               sizeof(type));                                       \
        return value;                                               \
    }                                                               \
    static inline void                                              \
    store_##name(char *items, Py_ssize_t i, type value)             \
    {                                                               \
        if (i >= 0) {                                               \
            memcpy(items + i * (Py_ssize_t)sizeof(type), &value,    \
                   sizeof(type));                                   \
        }                                                           \
    }

#define ITEM_ORDER(name, type)                                      \
    ITEM_ACCESS(name, type)                                         \
    static int                                                      \
    compare_##name(const char *a, const char *b, Py_ssize_t n)      \
    {                                                               \
        for (Py_ssize_t i = 0; i < n; i++) {                        \
            type x = load_##name(a, i), y = load_##name(b, i);      \
            if (x != y) {                                           \
                return x < y ? -1 : 1;                              \
            }                                                       \
        }                                                           \
        return 0;                                                   \
    }

#define GETTER(name, from)                                          \
    static PyObject *                                               \
    get_##name(const char *items, Py_ssize_t i)                     \
    {                                                               \
        return from(load_##name(items, i));                         \
    }

ITEM_ORDER(b, signed char)
ITEM_ORDER(B, unsigned char)
ITEM_ORDER(u, wchar_t)
ITEM_ORDER(h, short)
ITEM_ORDER(H, unsigned short)
ITEM_ORDER(i, int)
ITEM_ORDER(I, unsigned int)
ITEM_ORDER(l, long)
ITEM_ORDER(L, unsigned long)
ITEM_ORDER(q, long long)
ITEM_ORDER(Q, unsigned long long)
ITEM_ACCESS(f, float)
ITEM_ACCESS(d, double)

GETTER(b, PyLong_FromLong)
GETTER(B, PyLong_FromLong)
GETTER(h, PyLong_FromLong)
GETTER(H, PyLong_FromLong)
GETTER(i, PyLong_FromLong)
GETTER(I, PyLong_FromUnsignedLong)
GETTER(l, PyLong_FromLong)
GETTER(L, PyLong_FromUnsignedLong)
GETTER(q, PyLong_FromLongLong)
GETTER(Q, PyLong_FromUnsignedLongLong)
GETTER(f, PyFloat_FromDouble)
GETTER(d, PyFloat_FromDouble)

static PyObject *
get_u(const char *items, Py_ssize_t i)
{
    wchar_t ch = load_u(items, i);
    return PyUnicode_FromOrdinal((int)ch);
}

static int
out_of_range(const char *what, int below)
{
    PyErr_Format(PyExc_OverflowError,
                 below ? "%s is less than minimum"
                       : "%s is greater than maximum", what);
    return -1;
}

/* v as a long between the bounds. There are two pairs of bounds: the first, wider one is
   that of the C type that CPython's argument parser uses, and it determines the message. */
static int
take_long(PyObject *v, long low, long high, const char *what, long *value)
{
    *value = PyLong_AsLong(v);
    if (*value == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (*value < low || *value > high) {
        return out_of_range(what, *value < low);
    }
    return 0;
}

static int
take_short(PyObject *v, long *value)
{
    return take_long(v, SHRT_MIN, SHRT_MAX, "signed short integer", value);
}

static int
take_int(PyObject *v, long *value)
{
    return take_long(v, INT_MIN, INT_MAX, "signed integer", value);
}

static int
set_b(char *items, Py_ssize_t i, PyObject *v)
{
    long x;
    if (take_short(v, &x) < 0) {
        return -1;
    }
    if (x < SCHAR_MIN || x > SCHAR_MAX) {
        return out_of_range("signed char", x < 0);
    }
    store_b(items, i, (signed char)x);
    return 0;
}

static int
set_B(char *items, Py_ssize_t i, PyObject *v)
{
    long x;
    if (take_long(v, 0, UCHAR_MAX, "unsigned byte integer", &x) < 0) {
        return -1;
    }
    store_B(items, i, (unsigned char)x);
    return 0;
}

static int
set_u(char *items, Py_ssize_t i, PyObject *v)
{
    if (!PyUnicode_Check(v) || PyUnicode_READY(v) < 0
        || PyUnicode_GET_LENGTH(v) != 1) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError,
                            "array item must be unicode character");
        }
        return -1;
    }
    store_u(items, i, (wchar_t)PyUnicode_READ_CHAR(v, 0));
    return 0;
}

static int
set_h(char *items, Py_ssize_t i, PyObject *v)
{
    long x;
    if (take_short(v, &x) < 0) {
        return -1;
    }
    store_h(items, i, (short)x);
    return 0;
}

static int
set_H(char *items, Py_ssize_t i, PyObject *v)
{
    long x;
    if (take_int(v, &x) < 0) {
        return -1;
    }
    if (x < 0 || x > USHRT_MAX) {
        return out_of_range("unsigned short", x < 0);
    }
    store_H(items, i, (unsigned short)x);
    return 0;
}

static int
set_i(char *items, Py_ssize_t i, PyObject *v)
{
    long x;
    if (take_int(v, &x) < 0) {
        return -1;
    }
    store_i(items, i, (int)x);
    return 0;
}

static int
set_l(char *items, Py_ssize_t i, PyObject *v)
{
    long x = PyLong_AsLong(v);
    if (x == -1 && PyErr_Occurred()) {
        return -1;
    }
    store_l(items, i, x);
    return 0;
}

static int
set_q(char *items, Py_ssize_t i, PyObject *v)
{
    long long x = PyLong_AsLongLong(v);
    if (x == -1 && PyErr_Occurred()) {
        return -1;
    }
    store_q(items, i, x);
    return 0;
}

/* The unsigned conversions accept only ints, so __index__ is called here. */
static PyObject *
as_int(PyObject *v)
{
    return PyLong_Check(v) ? Py_NewRef(v) : _PyNumber_Index(v);
}

static int
take_unsigned_long(PyObject *v, unsigned long *value)
{
    PyObject *number = as_int(v);
    if (number == NULL) {
        return -1;
    }
    *value = PyLong_AsUnsignedLong(number);
    Py_DECREF(number);
    return *value == (unsigned long)-1 && PyErr_Occurred() ? -1 : 0;
}

static int
set_I(char *items, Py_ssize_t i, PyObject *v)
{
    unsigned long x;
    if (take_unsigned_long(v, &x) < 0) {
        return -1;
    }
    if (x > UINT_MAX) {
        return out_of_range("unsigned int", 0);
    }
    store_I(items, i, (unsigned int)x);
    return 0;
}

static int
set_L(char *items, Py_ssize_t i, PyObject *v)
{
    unsigned long x;
    if (take_unsigned_long(v, &x) < 0) {
        return -1;
    }
    store_L(items, i, x);
    return 0;
}

static int
set_Q(char *items, Py_ssize_t i, PyObject *v)
{
    PyObject *number = as_int(v);
    if (number == NULL) {
        return -1;
    }
    unsigned long long x = PyLong_AsUnsignedLongLong(number);
    Py_DECREF(number);
    if (x == (unsigned long long)-1 && PyErr_Occurred()) {
        return -1;
    }
    store_Q(items, i, x);
    return 0;
}

static int
set_f(char *items, Py_ssize_t i, PyObject *v)
{
    double x = PyFloat_AsDouble(v);
    if (x == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    store_f(items, i, (float)x);
    return 0;
}

static int
set_d(char *items, Py_ssize_t i, PyObject *v)
{
    double x = PyFloat_AsDouble(v);
    if (x == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    store_d(items, i, x);
    return 0;
}

#define INTEGER(code, type, is_signed) \
    {#code[0], sizeof(type), #code, get_##code, set_##code, compare_##code, \
     1, is_signed}

/* Floats have no compare function for runs, because of NaN. */
const struct array_item _array_items[] = {
    INTEGER(b, char, 1),
    INTEGER(B, char, 0),
    {'u', sizeof(wchar_t), "w", get_u, set_u, compare_u, 0, 0},
    INTEGER(h, short, 1),
    INTEGER(H, short, 0),
    INTEGER(i, int, 1),
    INTEGER(I, int, 0),
    INTEGER(l, long, 1),
    INTEGER(L, long, 0),
    INTEGER(q, long long, 1),
    INTEGER(Q, long long, 0),
    {'f', sizeof(float), "f", get_f, set_f, NULL, 0, 0},
    {'d', sizeof(double), "d", get_d, set_d, NULL, 0, 0},
    {0, 0, NULL, NULL, NULL, NULL, 0, 0}
};

const struct array_item *
_array_find_item(int typecode)
{
    const struct array_item *item = _array_items;
    while (item->typecode != 0 && item->typecode != typecode) {
        item++;
    }
    return item->typecode != 0 ? item : NULL;
}
