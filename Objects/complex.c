/* The complex object, and arithmetic on Py_complex.

   The functions on Py_complex report trouble through errno: EDOM for a
   division by zero, ERANGE for an overflow. */

#include "internal/float.h"
#include "internal/float_text.h"
#include "internal/int.h"
#include "internal/object.h"
#include "internal/names.h"
#include "internal/type.h"
#include "internal/unicode.h"
#include "structmember.h"
#include <errno.h>
#include <math.h>
#include <stddef.h>

#define VALUE(op) (((PyComplexObject *)(op))->cval)

/* --------------------------------------------------------------- arithmetic */

Py_complex
_Py_c_sum(Py_complex a, Py_complex b)
{
    return (Py_complex){a.real + b.real, a.imag + b.imag};
}

Py_complex
_Py_c_diff(Py_complex a, Py_complex b)
{
    return (Py_complex){a.real - b.real, a.imag - b.imag};
}

Py_complex
_Py_c_neg(Py_complex a)
{
    return (Py_complex){-a.real, -a.imag};
}

Py_complex
_Py_c_prod(Py_complex a, Py_complex b)
{
    return (Py_complex){a.real * b.real - a.imag * b.imag,
                        a.real * b.imag + a.imag * b.real};
}

/* Numerator and denominator are divided by the larger part of b first, which
   keeps squares from overflowing. */
Py_complex
_Py_c_quot(Py_complex a, Py_complex b)
{
    double real = fabs(b.real), imag = fabs(b.imag);
    if (real >= imag) {
        if (real == 0.0) {
            errno = EDOM;
            return (Py_complex){0.0, 0.0};
        }
        double ratio = b.imag / b.real;
        double scale = b.real + b.imag * ratio;
        return (Py_complex){(a.real + a.imag * ratio) / scale,
                            (a.imag - a.real * ratio) / scale};
    }
    if (imag >= real) {
        double ratio = b.real / b.imag;
        double scale = b.real * ratio + b.imag;
        return (Py_complex){(a.real * ratio + a.imag) / scale,
                            (a.imag * ratio - a.real) / scale};
    }
    return (Py_complex){NAN, NAN};
}

Py_complex
_Py_c_pow(Py_complex a, Py_complex b)
{
    if (b.real == 0.0 && b.imag == 0.0) {
        return (Py_complex){1.0, 0.0};
    }
    if (a.real == 0.0 && a.imag == 0.0) {
        if (b.imag != 0.0 || b.real < 0.0) {
            errno = EDOM;
        }
        return (Py_complex){0.0, 0.0};
    }
    double size = hypot(a.real, a.imag);
    double length = pow(size, b.real);
    double angle = atan2(a.imag, a.real);
    double phase = angle * b.real;
    if (b.imag != 0.0) {
        length /= exp(angle * b.imag);
        phase += b.imag * log(size);
    }
    return (Py_complex){length * cos(phase), length * sin(phase)};
}

double
_Py_c_abs(Py_complex z)
{
    errno = 0;
    if (isinf(z.real) || isinf(z.imag)) {
        return HUGE_VAL;
    }
    if (isnan(z.real) || isnan(z.imag)) {
        return NAN;
    }
    double size = hypot(z.real, z.imag);
    if (!isfinite(size)) {
        errno = ERANGE;
    }
    return size;
}

static Py_complex
integer_power(Py_complex z, long n)
{
    Py_complex result = {1.0, 0.0}, power = z;
    unsigned long left = n < 0 ? 0 - (unsigned long)n : (unsigned long)n;
    for (; left != 0; left >>= 1) {
        if (left & 1) {
            result = _Py_c_prod(result, power);
        }
        power = _Py_c_prod(power, power);
    }
    return n > 0 ? result : _Py_c_quot((Py_complex){1.0, 0.0}, result);
}

/* ------------------------------------------------------------- construction */

static PyObject *
new_of_type(PyTypeObject *type, Py_complex value)
{
    if (type == &PyComplex_Type) {
        return PyComplex_FromCComplex(value);
    }
    PyObject *op = type->tp_alloc(type, 0);
    if (op != NULL) {
        VALUE(op) = value;
    }
    return op;
}

PyObject *
PyComplex_FromCComplex(Py_complex value)
{
    PyComplexObject *op = PyObject_Malloc(sizeof(PyComplexObject));
    if (op == NULL) {
        return PyErr_NoMemory();
    }
    _PyObject_InitExact((PyObject *)op, &PyComplex_Type);
    op->cval = value;
    return (PyObject *)op;
}

PyObject *
PyComplex_FromDoubles(double real, double imag)
{
    return PyComplex_FromCComplex((Py_complex){real, imag});
}

double
PyComplex_RealAsDouble(PyObject *op)
{
    return PyComplex_Check(op) ? VALUE(op).real : PyFloat_AsDouble(op);
}

double
PyComplex_ImagAsDouble(PyObject *op)
{
    return PyComplex_Check(op) ? VALUE(op).imag : 0.0;
}

/* What op.__complex__() returns; NULL without exception if it has none. */
static PyObject *
call_complex_method(PyObject *op)
{
    if (PyComplex_CheckExact(op)) {
        return Py_NewRef(op);
    }

    PyObject *method = _PyObject_LookupSpecial(op, _Py_NAME(dunder_complex));
    if (method == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (result == NULL || PyComplex_CheckExact(result)) {
        return result;
    }
    if (!PyComplex_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "__complex__ returned non-complex (type %.200s)",
                     Py_TYPE(result)->tp_name);
        Py_DECREF(result);
        return NULL;
    }
    if (PyErr_WarnFormat(
            PyExc_DeprecationWarning, 1,
            "__complex__ returned non-complex (type %.200s).  "
            "The ability to return an instance of a strict subclass of "
            "complex is deprecated, and may be removed in a future "
            "version of Python.", Py_TYPE(result)->tp_name) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

Py_complex
PyComplex_AsCComplex(PyObject *op)
{
    Py_complex value = {-1.0, 0.0};
    if (PyComplex_Check(op)) {
        return VALUE(op);
    }
    PyObject *number = call_complex_method(op);
    if (number != NULL) {
        value = VALUE(number);
        Py_DECREF(number);
    }
    else if (!PyErr_Occurred()) {
        value.real = PyFloat_AsDouble(op);
    }
    return value;
}

/* ---------------------------------------------------------------- from text */

/* Reads a float at *s like PyOS_string_to_double. Returns 0 if there is none. */
static int
scan_part(const char **s, double *value)
{
    char *end;
    *value = _PyFloat_ParseDecimal(*s, &end);
    if (end == *s) {
        *value = _Py_parse_inf_or_nan(*s, &end);
    }
    if (end == *s) {
        return 0;
    }
    *s = end;
    return 1;
}

/* "x", "xj", "x+yj", "x+j", "+j", "j": returns the end, or NULL. */
static const char *
scan_parts(const char *s, Py_complex *value)
{
    double first;
    *value = (Py_complex){0.0, 0.0};
    int has_first = scan_part(&s, &first);
    if (has_first && *s != 'j' && *s != 'J') {
        value->real = first;
        if (*s != '+' && *s != '-') {
            return s;
        }
        has_first = scan_part(&s, &first);
    }
    if (has_first) {
        value->imag = first;
    }
    else {
        value->imag = *s == '-' ? -1.0 : 1.0;
        s += *s == '-' || *s == '+';
    }
    return *s == 'j' || *s == 'J' ? s + 1 : NULL;
}

static const char *
skip_spaces(const char *s)
{
    while (Py_ISSPACE(*s)) {
        s++;
    }
    return s;
}

static PyObject *
complex_from_plain_text(const char *text, Py_ssize_t len, void *type)
{
    Py_complex value;
    const char *s = skip_spaces(text);
    int parenthesis = *s == '(';
    if (parenthesis) {
        s = skip_spaces(s + 1);
    }
    s = scan_parts(s, &value);
    if (s != NULL) {
        s = skip_spaces(s);
        if (parenthesis) {
            s = *s == ')' ? skip_spaces(s + 1) : NULL;
        }
    }
    if (s != text + len) {
        PyErr_SetString(PyExc_ValueError,
                        "complex() arg is a malformed string");
        return NULL;
    }
    return new_of_type(type, value);
}

static PyObject *
complex_from_str(PyTypeObject *type, PyObject *str)
{
    PyObject *ascii = _PyUnicode_TransformDecimalAndSpaceToASCII(str);
    if (ascii == NULL) {
        return NULL;
    }
    PyObject *result = _Py_string_to_number_with_underscores(
        PyUnicode_DATA(ascii), PyUnicode_GET_LENGTH(ascii), "complex", str,
        type, complex_from_plain_text);
    Py_DECREF(ascii);
    return result;
}

/* -------------------------------------------------------------- constructor */

static int
is_number(PyObject *op)
{
    PyNumberMethods *number = Py_TYPE(op)->tp_as_number;
    return PyComplex_Check(op)
        || (number != NULL
            && (number->nb_float != NULL || number->nb_index != NULL));
}

/* Both parts of a complex, or the value of a real number. Returns -1 with an exception. */
static int
take_parts(PyObject *op, Py_complex *value)
{
    if (PyComplex_Check(op)) {
        *value = VALUE(op);
        return 0;
    }
    if (PyFloat_CheckExact(op)) {
        *value = (Py_complex){PyFloat_AS_DOUBLE(op), 0.0};
        return 0;
    }
    PyObject *number = PyNumber_Float(op);
    if (number == NULL) {
        return -1;
    }
    *value = (Py_complex){PyFloat_AsDouble(number), 0.0};
    Py_DECREF(number);
    return 0;
}

static PyObject *
complex_from_parts(PyTypeObject *type, PyObject *real, PyObject *imag)
{
    Py_complex r, i = {0.0, 0.0};
    if (!is_number(real)) {
        PyErr_Format(PyExc_TypeError, "complex() first argument must be a "
                     "string or a number, not '%.200s'",
                     Py_TYPE(real)->tp_name);
        return NULL;
    }
    if (imag != NULL && !is_number(imag)) {
        PyErr_Format(PyExc_TypeError, "complex() second argument must be a "
                     "number, not '%.200s'", Py_TYPE(imag)->tp_name);
        return NULL;
    }
    if (take_parts(real, &r) < 0
        || (imag != NULL && take_parts(imag, &i) < 0)) {
        return NULL;
    }
    if (imag == NULL) {
        return new_of_type(type, r);
    }
    /* real + imag * 1j, except that zeros keep their signs if a part is not complex. */
    if (PyComplex_Check(imag)) {
        r.real -= i.imag;
    }
    if (PyComplex_Check(real)) {
        i.real += r.imag;
    }
    return new_of_type(type, (Py_complex){r.real, i.real});
}

static PyObject *
complex_of(PyTypeObject *type, PyObject *real, PyObject *imag)
{
    if (real == NULL) {
        real = (PyObject *)&_PyLong_small_ints[_PyLong_SMALL_NEG];
    }
    if (imag == NULL && type == &PyComplex_Type
        && PyComplex_CheckExact(real)) {
        return Py_NewRef(real);
    }
    if (PyUnicode_Check(real)) {
        if (imag != NULL) {
            PyErr_SetString(PyExc_TypeError, "complex() can't take second "
                            "arg if first is a string");
            return NULL;
        }
        return complex_from_str(type, real);
    }
    if (imag != NULL && PyUnicode_Check(imag)) {
        PyErr_SetString(PyExc_TypeError,
                        "complex() second arg can't be a string");
        return NULL;
    }
    if (PyFloat_CheckExact(real) || PyLong_CheckExact(real)) {
        return complex_from_parts(type, real, imag);
    }
    PyObject *converted = call_complex_method(real);
    if (converted == NULL) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        converted = Py_NewRef(real);
    }
    PyObject *result = complex_from_parts(type, converted, imag);
    Py_DECREF(converted);
    return result;
}

static PyObject *
complex_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"real", "imag", NULL};
    PyObject *real = NULL, *imag = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO:complex", keywords,
                                     &real, &imag)) {
        return NULL;
    }
    return complex_of(type, real, imag);
}

static PyObject *
complex_vectorcall(PyObject *type, PyObject *const *args, size_t nargsf,
                   PyObject *kwnames)
{
    static const char *const keywords[] = {"real", "imag", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "complex"};
    PyObject *buffer[2] = {NULL, NULL};
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (kwnames != NULL || nargs > 2) {
        args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, &parser,
                                     0, 2, 0, buffer);
        if (args == NULL) {
            return NULL;
        }
        if (args == buffer) {
            nargs = 2;
        }
    }
    return complex_of((PyTypeObject *)type, nargs > 0 ? args[0] : NULL,
                      nargs > 1 ? args[1] : NULL);
}

/* -------------------------------------------------------------------- slots */

static void
complex_dealloc(PyObject *op)
{
    Py_TYPE(op)->tp_free(op);
}

static PyObject *
complex_repr(PyObject *op)
{
    Py_complex z = VALUE(op);
    /* A real part of +0.0 is left out, -0.0 is not. */
    int imag_only = z.real == 0.0 && !signbit(z.real);
    PyObject *result = NULL;
    char *real = NULL;
    char *imag = PyOS_double_to_string(z.imag, 'r', 0,
                                       imag_only ? 0 : Py_DTSF_SIGN, NULL);
    if (imag == NULL) {
        return PyErr_NoMemory();
    }
    if (imag_only) {
        result = PyUnicode_FromFormat("%sj", imag);
    }
    else {
        real = PyOS_double_to_string(z.real, 'r', 0, 0, NULL);
        if (real != NULL) {
            result = PyUnicode_FromFormat("(%s%sj)", real, imag);
        }
        else {
            PyErr_NoMemory();
        }
    }
    PyMem_Free(real);
    PyMem_Free(imag);
    return result;
}

static Py_hash_t
complex_hash(PyObject *op)
{
    Py_uhash_t real = (Py_uhash_t)_Py_HashDouble(op, VALUE(op).real);
    Py_uhash_t imag = (Py_uhash_t)_Py_HashDouble(op, VALUE(op).imag);
    Py_hash_t hash = (Py_hash_t)(real + _PyHASH_IMAG * imag);
    return hash == -1 ? -2 : hash;
}

/* Returns 1 with *value set, 0 if op is not a number, -1 with an exception. */
static int
operand(PyObject *op, Py_complex *value)
{
    value->imag = 0.0;
    if (PyComplex_Check(op)) {
        *value = VALUE(op);
    }
    else if (PyFloat_Check(op)) {
        value->real = PyFloat_AS_DOUBLE(op);
    }
    else if (PyLong_Check(op)) {
        value->real = PyLong_AsDouble(op);
        if (value->real == -1.0 && PyErr_Occurred()) {
            return -1;
        }
    }
    else {
        return 0;
    }
    return 1;
}

#define TAKE_OPERANDS(a, b, x, y)                                   \
    Py_complex x, y;                                                \
    int status = operand(a, &x);                                    \
    if (status > 0) {                                               \
        status = operand(b, &y);                                    \
    }                                                               \
    if (status <= 0) {                                              \
        return status < 0 ? NULL : Py_NewRef(Py_NotImplemented);    \
    }

static PyObject *
complex_add(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    return PyComplex_FromCComplex(_Py_c_sum(x, y));
}

static PyObject *
complex_subtract(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    return PyComplex_FromCComplex(_Py_c_diff(x, y));
}

static PyObject *
complex_multiply(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    return PyComplex_FromCComplex(_Py_c_prod(x, y));
}

static PyObject *
complex_divide(PyObject *a, PyObject *b)
{
    TAKE_OPERANDS(a, b, x, y);
    errno = 0;
    Py_complex quotient = _Py_c_quot(x, y);
    if (errno == EDOM) {
        PyErr_SetString(PyExc_ZeroDivisionError, "complex division by zero");
        return NULL;
    }
    return PyComplex_FromCComplex(quotient);
}

static PyObject *
complex_power(PyObject *a, PyObject *b, PyObject *c)
{
    TAKE_OPERANDS(a, b, x, y);
    if (c != Py_None) {
        PyErr_SetString(PyExc_ValueError, "complex modulo");
        return NULL;
    }
    Py_complex power;
    errno = 0;
    if (y.imag == 0.0 && y.real == floor(y.real) && fabs(y.real) <= 100.0) {
        power = integer_power(x, (long)y.real);
    }
    else {
        power = _Py_c_pow(x, y);
    }
    if (errno == EDOM) {
        PyErr_SetString(PyExc_ZeroDivisionError,
                        "0.0 to a negative or complex power");
        return NULL;
    }
    if (isinf(power.real) || isinf(power.imag)) {
        PyErr_SetString(PyExc_OverflowError, "complex exponentiation");
        return NULL;
    }
    return PyComplex_FromCComplex(power);
}

static PyObject *
complex_negative(PyObject *op)
{
    return PyComplex_FromCComplex(_Py_c_neg(VALUE(op)));
}

static PyObject *
complex_positive(PyObject *op)
{
    return PyComplex_CheckExact(op) ? Py_NewRef(op)
                                    : PyComplex_FromCComplex(VALUE(op));
}

static PyObject *
complex_absolute(PyObject *op)
{
    double size = _Py_c_abs(VALUE(op));
    if (errno == ERANGE) {
        PyErr_SetString(PyExc_OverflowError, "absolute value too large");
        return NULL;
    }
    return _PyFloat_FromDouble(size);
}

static int
complex_bool(PyObject *op)
{
    return VALUE(op).real != 0.0 || VALUE(op).imag != 0.0;
}

static PyObject *
complex_richcompare(PyObject *a, PyObject *b, int op)
{
    Py_complex z = VALUE(a);
    int equal;
    if (op != Py_EQ && op != Py_NE) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyLong_Check(b)) {
        /* An exact comparison, as between a float and an int. */
        if (z.imag == 0.0) {
            PyObject *real = _PyFloat_FromDouble(z.real);
            if (real == NULL) {
                return NULL;
            }
            PyObject *result = _PyFloat_RichCompare(real, b, op);
            Py_DECREF(real);
            return result;
        }
        equal = 0;
    }
    else if (PyFloat_Check(b)) {
        equal = z.real == PyFloat_AS_DOUBLE(b) && z.imag == 0.0;
    }
    else if (PyComplex_Check(b)) {
        equal = z.real == VALUE(b).real && z.imag == VALUE(b).imag;
    }
    else {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return PyBool_FromLong(equal == (op == Py_EQ));
}

/* ------------------------------------------------------------------ methods */

static PyObject *
complex_conjugate(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyComplex_FromDoubles(VALUE(self).real, -VALUE(self).imag);
}

static PyObject *
complex_complex(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return complex_positive(self);
}

static PyObject *
complex_getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return Py_BuildValue("(dd)", VALUE(self).real, VALUE(self).imag);
}

static PyObject *
complex_format(PyObject *self, PyObject *spec)
{
    return _PyFormat_Method(self, spec, _PyComplex_FormatAdvancedWriter);
}

static PyMethodDef complex_methods[] = {
    {"conjugate", complex_conjugate, METH_NOARGS,
     "conjugate($self, /)\n--\n\n"
     "The complex conjugate. (3-4j).conjugate() == 3+4j"},
    {"__complex__", complex_complex, METH_NOARGS,
     "__complex__($self, /)\n--\n\nConvert this value to exact type complex."},
    {"__getnewargs__", complex_getnewargs, METH_NOARGS,
     "__getnewargs__($self, /)\n--\n\n"},
    {"__format__", complex_format, METH_O,
     "__format__($self, format_spec, /)\n--\n\n"
     "Formats the number according to format_spec."},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef complex_members[] = {
    {"real", T_DOUBLE, offsetof(PyComplexObject, cval.real), READONLY,
     "the real part of a complex number"},
    {"imag", T_DOUBLE, offsetof(PyComplexObject, cval.imag), READONLY,
     "the imaginary part of a complex number"},
    {NULL, 0, 0, 0, NULL}
};

static PyNumberMethods complex_as_number = {
    .nb_add = complex_add,
    .nb_subtract = complex_subtract,
    .nb_multiply = complex_multiply,
    .nb_power = complex_power,
    .nb_negative = complex_negative,
    .nb_positive = complex_positive,
    .nb_absolute = complex_absolute,
    .nb_bool = complex_bool,
    .nb_true_divide = complex_divide,
};

PyTypeObject PyComplex_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "complex",
    .tp_basicsize = sizeof(PyComplexObject),
    .tp_dealloc = complex_dealloc,
    .tp_repr = complex_repr,
    .tp_as_number = &complex_as_number,
    .tp_hash = complex_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "complex(real=0, imag=0)\n--\n\n"
        "Make a complex number of a real part and an optional imaginary "
        "part.\n\n"
        "This is real + imag*1j; imag is 0 unless given.",
    .tp_richcompare = complex_richcompare,
    .tp_methods = complex_methods,
    .tp_members = complex_members,
    .tp_new = complex_new,
    .tp_free = PyObject_Free,
    .tp_vectorcall = complex_vectorcall,
};
