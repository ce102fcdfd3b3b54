/* The float object: allocation, construction, arithmetic, comparison.

   See internal/float.h for the invariants of the free list. */

#include "internal/float.h"
#include "internal/float_text.h"
#include "internal/int.h"
#include "internal/object.h"
#include "internal/tuple.h"
#include <errno.h>
#include <float.h>
#include <math.h>

extern PyMethodDef _PyFloat_methods[];
extern PyGetSetDef _PyFloat_getset[];

struct _PyFloat_free_list _PyFloat_free_list = {
    .limit = _PyFloat_FREE_LIST_LIMIT,
};

PyObject *
_PyFloat_AllocFromDouble(double value)
{
    PyFloatObject *op = PyObject_Malloc(sizeof(PyFloatObject));
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    _PyObject_InitExact((PyObject *)op, &PyFloat_Type);
    op->ob_fval = value;
    return (PyObject *)op;
}

PyObject *
PyFloat_FromDouble(double value)
{
    return _PyFloat_FromDouble(value);
}

void
_PyFloat_UseFreeList(int use)
{
    _PyFloat_free_list.limit = use ? _PyFloat_FREE_LIST_LIMIT : 0;
    while (!use && _PyFloat_free_list.head != NULL) {
        PyFloatObject *op = _PyFloat_free_list.head;
        _PyFloat_free_list.head = (PyFloatObject *)Py_REFCNT(op);
        _PyFloat_free_list.count--;
        PyObject_Free(op);
    }
}

/* tp_dealloc of an exact float. */
static void
exact_dealloc(PyObject *op)
{
    if (_PyFloat_free_list.count < _PyFloat_free_list.limit) {
        op->ob_refcnt = (Py_ssize_t)_PyFloat_free_list.head;
        _PyFloat_free_list.head = (PyFloatObject *)op;
        _PyFloat_free_list.count++;
        return;
    }
    PyObject_Free(op);
}

static void
float_dealloc(PyObject *op)
{
    if (PyFloat_CheckExact(op)) {
        exact_dealloc(op);
    }
    else {
        Py_TYPE(op)->tp_free(op);
    }
}

/* --------------------------------------------------------------- conversion */

/* Converts the result of __float__. Steals it. */
static double
value_of_float_result(PyObject *result, PyObject *op)
{
    if (result == NULL) {
        return -1.0;
    }
    if (!PyFloat_CheckExact(result)) {
        if (!PyFloat_Check(result)) {
            PyErr_Format(PyExc_TypeError,
                         "%.50s.__float__ returned non-float (type %.50s)",
                         Py_TYPE(op)->tp_name, Py_TYPE(result)->tp_name);
            Py_DECREF(result);
            return -1.0;
        }
        if (PyErr_WarnFormat(
                PyExc_DeprecationWarning, 1,
                "%.50s.__float__ returned non-float (type %.50s).  "
                "The ability to return an instance of a strict subclass of "
                "float is deprecated, and may be removed in a future "
                "version of Python.",
                Py_TYPE(op)->tp_name, Py_TYPE(result)->tp_name) < 0) {
            Py_DECREF(result);
            return -1.0;
        }
    }
    double value = PyFloat_AS_DOUBLE(result);
    Py_DECREF(result);
    return value;
}

double
PyFloat_AsDouble(PyObject *op)
{
    if (op == NULL) {
        PyErr_BadArgument();
        return -1.0;
    }
    if (PyFloat_Check(op)) {
        return PyFloat_AS_DOUBLE(op);
    }
    if (PyLong_CheckExact(op)) {        /* without a float object */
        return PyLong_AsDouble(op);
    }
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    if (number != NULL && number->nb_float != NULL) {
        return value_of_float_result(number->nb_float(op), op);
    }
    if (number != NULL && number->nb_index != NULL) {
        PyObject *index = PyNumber_Index(op);
        if (index == NULL) {
            return -1.0;
        }
        double value = PyLong_AsDouble(index);
        Py_DECREF(index);
        return value;
    }
    PyErr_Format(PyExc_TypeError, "must be real number, not %.50s",
                 Py_TYPE(op)->tp_name);
    return -1.0;
}

/* text[0:len] without the spaces around it, NUL-terminated somewhere after its end.
   `original` is shown in error messages. */
static PyObject *
float_from_plain_text(const char *text, Py_ssize_t len, void *original)
{
    char *end;
    const char *last = text + len;
    double value = _PyFloat_ParseDecimal(text, &end);
    if (end == text) {
        value = _Py_parse_inf_or_nan(text, &end);
    }
    if (end == text || end != last) {
        PyErr_Format(PyExc_ValueError,
                     "could not convert string to float: %R",
                     (PyObject *)original);
        return NULL;
    }
    return _PyFloat_FromDouble(value);
}

PyObject *
PyFloat_FromString(PyObject *v)
{
    const char *text;
    Py_ssize_t len;
    PyObject *owner = NULL;
    if (PyUnicode_Check(v)) {
        if (PyUnicode_READY(v) < 0) {
            return NULL;
        }
        owner = PyUnicode_IS_ASCII(v)
            ? Py_NewRef(v) : _PyUnicode_TransformDecimalAndSpaceToASCII(v);
        if (owner == NULL) {
            return NULL;
        }
        text = PyUnicode_DATA(owner);
        len = PyUnicode_GET_LENGTH(owner);
    }
    else if (PyBytes_Check(v)) {
        owner = Py_NewRef(v);
        text = PyBytes_AS_STRING(v);
        len = PyBytes_GET_SIZE(v);
    }
    else if (PyByteArray_Check(v)) {
        owner = Py_NewRef(v);
        text = PyByteArray_AS_STRING(v);
        len = PyByteArray_GET_SIZE(v);
    }
    else if (PyObject_CheckBuffer(v)) {
        owner = PyBytes_FromObject(v);
        if (owner == NULL) {
            return NULL;
        }
        text = PyBytes_AS_STRING(owner);
        len = PyBytes_GET_SIZE(owner);
    }
    else {
        PyErr_Format(PyExc_TypeError, "float() argument must be a string or "
                     "a real number, not '%.200s'", Py_TYPE(v)->tp_name);
        return NULL;
    }
    while (len > 0 && Py_ISSPACE(text[len - 1])) {
        len--;
    }
    while (len > 0 && Py_ISSPACE(*text)) {
        text++;
        len--;
    }
    PyObject *result = _Py_string_to_number_with_underscores(
        text, len, "float", v, v, float_from_plain_text);
    Py_DECREF(owner);
    return result;
}

/* --------------------------------------------------------------- arithmetic */

/* The double of an int or a float. Returns 1 if done, 0 for any other type, -1 if the
   int is too large. */
static inline int
operand(PyObject *op, double *value)
{
    if (PyFloat_Check(op)) {
        *value = PyFloat_AS_DOUBLE(op);
        return 1;
    }
    if (PyLong_Check(op)) {
        *value = PyLong_AsDouble(op);
        return *value == -1.0 && PyErr_Occurred() ? -1 : 1;
    }
    return 0;
}

/* Returns NULL with *failed = 0 if both are numbers. Otherwise *failed is 1 and the
   slot must return the result. */
static PyObject *
operands(PyObject *a, PyObject *b, double *x, double *y, int *failed)
{
    int status = operand(a, x);
    if (status > 0) {
        status = operand(b, y);
    }
    *failed = status <= 0;
    return status == 0 ? Py_NewRef(Py_NotImplemented) : NULL;
}

#define TAKE_OPERANDS(a, b, x, y)                                   \
    double x, y;                                                    \
    if (PyFloat_CheckExact(a) && PyFloat_CheckExact(b)) {           \
        x = PyFloat_AS_DOUBLE(a);                                   \
        y = PyFloat_AS_DOUBLE(b);                                   \
    }                                                               \
    else {                                                          \
        int failed;                                                 \
        PyObject *early = operands(a, b, &x, &y, &failed);          \
        if (failed) {                                               \
            return early;                                           \
        }                                                           \
    }

static PyObject *
division_by_zero(const char *message)
{
    PyErr_SetString(PyExc_ZeroDivisionError, message);
    return NULL;
}

static PyObject *
float_add(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    return _PyFloat_FromDouble(x + y);
}

static PyObject *
float_subtract(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    return _PyFloat_FromDouble(x - y);
}

static PyObject *
float_multiply(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    return _PyFloat_FromDouble(x * y);
}

static PyObject *
float_true_divide(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    if (y == 0.0) {
        return division_by_zero("float division by zero");
    }
    return _PyFloat_FromDouble(x / y);
}

/* The remainder has the sign of the divisor, zeros included. */
double
_PyFloat_RemainderDouble(double a, double b)
{
    double r = fmod(a, b);
    if (r == 0.0) {
        return copysign(0.0, b);
    }
    return (b < 0) != (r < 0) ? r + b : r;
}

double
_PyFloat_FloorDivDouble(double a, double b)
{
    double r = fmod(a, b);
    double q = (a - r) / b;
    if (r != 0.0 && (b < 0) != (r < 0)) {
        q -= 1.0;
    }
    if (q == 0.0) {
        return copysign(0.0, a / b);
    }
    /* q is an integer, apart from the rounding error of the division. */
    double whole = floor(q);
    return q - whole > 0.5 ? whole + 1.0 : whole;
}

static PyObject *
float_remainder(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    if (y == 0.0) {
        return division_by_zero("float modulo");
    }
    return _PyFloat_FromDouble(_PyFloat_RemainderDouble(x, y));
}

static PyObject *
float_floor_divide(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    if (y == 0.0) {
        return division_by_zero("float floor division by zero");
    }
    return _PyFloat_FromDouble(_PyFloat_FloorDivDouble(x, y));
}

static PyObject *
float_divmod(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    if (y == 0.0) {
        return division_by_zero("float divmod()");
    }
    return _PyTuple_PairOfNew(_PyFloat_FromDouble(_PyFloat_FloorDivDouble(x, y)),
                              _PyFloat_FromDouble(_PyFloat_RemainderDouble(x, y)));
}

/* C's pow() treats special cases as Python does, except those that raise or leave the
   real numbers. Returns NULL without an exception if the result is complex. */
static PyObject *
real_power(double base, double exponent)
{
    if (base == 0.0 && exponent < 0.0 && isfinite(exponent)) {
        return division_by_zero("0.0 cannot be raised to a negative power");
    }
    if (base < 0.0 && isfinite(base) && isfinite(exponent)
        && exponent != floor(exponent)) {
        return NULL;
    }
    double power = pow(base, exponent);
    if (isinf(power) && isfinite(base) && isfinite(exponent)) {
        errno = ERANGE;
        PyErr_SetFromErrno(PyExc_OverflowError);
        return NULL;
    }
    return _PyFloat_FromDouble(power);
}

PyObject *
_PyFloat_PowerDouble(double base, double exponent)
{
    PyObject *result = real_power(base, exponent);
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    PyObject *b = _PyFloat_FromDouble(base);
    PyObject *e = _PyFloat_FromDouble(exponent);
    if (b != NULL && e != NULL) {
        result = PyComplex_Type.tp_as_number->nb_power(b, e, Py_None);
    }
    Py_XDECREF(b);
    Py_XDECREF(e);
    return result;
}

static PyObject *
float_power(PyObject *a, PyObject *b, PyObject *c)
{
    if (c != Py_None) {
        PyErr_SetString(PyExc_TypeError, "pow() 3rd argument not allowed "
                        "unless all arguments are integers");
        return NULL;
    }
    TAKE_OPERANDS(a, b, x, y);
    return _PyFloat_PowerDouble(x, y);
}

static PyObject *
float_negative(PyObject *op)
{
    return _PyFloat_FromDouble(-PyFloat_AS_DOUBLE(op));
}

static PyObject *
float_absolute(PyObject *op)
{
    return _PyFloat_FromDouble(fabs(PyFloat_AS_DOUBLE(op)));
}

static PyObject *
float_exact(PyObject *op)
{
    return PyFloat_CheckExact(op) ? Py_NewRef(op)
        : _PyFloat_FromDouble(PyFloat_AS_DOUBLE(op));
}

static PyObject *
float_int(PyObject *op)
{
    return PyLong_FromDouble(PyFloat_AS_DOUBLE(op));
}

static int
float_bool(PyObject *op)
{
    return PyFloat_AS_DOUBLE(op) != 0.0;
}

/* --------------------------------------------------------------- comparison */

/* Compares a finite x with an int of any size. Returns -1, 0 or 1; -2 on error. */
static int
compare_with_int(double x, PyObject *i)
{
    const int64_t exact = (int64_t)1 << DBL_MANT_DIG;
    int64_t v;
    if (_PyLong_AsInt64Exact(i, &v) && v <= exact && v >= -exact) {
        return x < (double)v ? -1 : x > (double)v;
    }
    /* i has 54 bits or more. If neither the sign nor the number of bits decides, then x
       is so large that it has no fractional part. */
    if (fabs(x) < (double)exact || (x < 0) != (Py_SIZE(i) < 0)) {
        return Py_SIZE(i) < 0 ? 1 : -1;
    }
    int exponent;
    (void)frexp(x, &exponent);
    size_t nbits = _PyLong_NumBits(i);
    if ((size_t)exponent != nbits) {
        int larger = (size_t)exponent > nbits ? 1 : -1;
        return x < 0 ? -larger : larger;
    }
    PyObject *whole = PyLong_FromDouble(x);
    if (whole == NULL) {
        return -2;
    }
    int order = _PyLong_Compare(whole, i);
    Py_DECREF(whole);
    return order;
}

PyObject *
_PyFloat_RichCompare(PyObject *a, PyObject *b, int op)
{
    double x = PyFloat_AS_DOUBLE(a), y;
    if (PyFloat_Check(b)) {
        y = PyFloat_AS_DOUBLE(b);
    }
    else if (!PyLong_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    else if (!isfinite(x)) {
        y = 0.0;
    }
    else {
        int order = compare_with_int(x, b);
        if (order == -2) {
            return NULL;
        }
        x = order;
        y = 0.0;
    }
    Py_RETURN_RICHCOMPARE(x, y, op);
}

static Py_hash_t
float_hash(PyObject *op)
{
    return _Py_HashDouble(op, PyFloat_AS_DOUBLE(op));
}

static PyObject *
float_repr(PyObject *op)
{
    char *text = PyOS_double_to_string(PyFloat_AS_DOUBLE(op), 'r', 0,
                                       Py_DTSF_ADD_DOT_0, NULL);
    if (text == NULL) {
        return PyErr_NoMemory();
    }
    size_t len = strlen(text);
    PyObject *str = PyUnicode_New((Py_ssize_t)len, 127);
    if (str != NULL) {
        memcpy(PyUnicode_1BYTE_DATA(str), text, len);
    }
    PyMem_Free(text);
    return str;
}

/* -------------------------------------------------------------- constructor */

static PyObject *
float_of(PyObject *x)
{
    if (x == NULL) {
        return _PyFloat_FromDouble(0.0);
    }
    if (PyUnicode_CheckExact(x)) {
        return PyFloat_FromString(x);
    }
    return PyNumber_Float(x);
}

static PyObject *
float_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *x = NULL;
    if (kwds != NULL && PyDict_GET_SIZE(kwds) != 0
        && (type == &PyFloat_Type
            || type->tp_init == PyFloat_Type.tp_init)) {
        PyErr_SetString(PyExc_TypeError, "float() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_UnpackTuple(args, "float", 0, 1, &x)) {
        return NULL;
    }
    PyObject *value = float_of(x);
    if (value == NULL || type == &PyFloat_Type) {
        return value;
    }
    PyObject *op = type->tp_alloc(type, 0);
    if (op != NULL) {
        ((PyFloatObject *)op)->ob_fval = PyFloat_AS_DOUBLE(value);
    }
    Py_DECREF(value);
    return op;
}

static PyObject *
float_vectorcall(PyObject *Py_UNUSED(type), PyObject *const *args,
                 size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0) {
        PyErr_SetString(PyExc_TypeError, "float() takes no keyword arguments");
        return NULL;
    }
    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError,
                     "float expected at most 1 argument, got %zd", nargs);
        return NULL;
    }
    return float_of(nargs == 0 ? NULL : args[0]);
}

static PyNumberMethods float_as_number = {
    .nb_add = float_add,
    .nb_subtract = float_subtract,
    .nb_multiply = float_multiply,
    .nb_remainder = float_remainder,
    .nb_divmod = float_divmod,
    .nb_power = float_power,
    .nb_negative = float_negative,
    .nb_positive = float_exact,
    .nb_absolute = float_absolute,
    .nb_bool = float_bool,
    .nb_int = float_int,
    .nb_float = float_exact,
    .nb_floor_divide = float_floor_divide,
    .nb_true_divide = float_true_divide,
};

PyTypeObject PyFloat_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "float",
    .tp_basicsize = sizeof(PyFloatObject),
    .tp_dealloc = float_dealloc,
    .tp_repr = float_repr,
    .tp_as_number = &float_as_number,
    .tp_hash = float_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE
        | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = "float(x=0, /)\n--\n\n"
        "Make a floating point number of a number or of text.",
    .tp_richcompare = _PyFloat_RichCompare,
    .tp_methods = _PyFloat_methods,
    .tp_getset = _PyFloat_getset,
    .tp_new = float_new,
    .tp_free = PyObject_Free,
    .tp_vectorcall = float_vectorcall,
};
