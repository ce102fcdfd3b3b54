/* The methods and attributes of int, and sys.int_info. */

#include "internal/int.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/tuple.h"
#include "internal/unicode.h"
#include "internal/wide_loop.h"

static PyObject *
int_itself(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_CheckExact(self) ? Py_NewRef(self)
                                   : _PyLong_Copy((PyLongObject *)self);
}

static PyObject *
int_bit_length(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    size_t n = (size_t)Py_ABS(Py_SIZE(self));
    if (n == 0) {
        return _PyLong_GetSmall(0);
    }
    unsigned int top = 32u - (unsigned)__builtin_clz(
        ((PyLongObject *)self)->ob_digit[n - 1]);
    return _PyLong_FromInt64((int64_t)(n - 1) * PyLong_SHIFT + top);
}

static PyObject *
int_bit_count(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int64_t count = 0;
    _Py_WIDE_LOOP
    for (Py_ssize_t i = Py_ABS(Py_SIZE(self)); --i >= 0; ) {
        count += __builtin_popcount(((PyLongObject *)self)->ob_digit[i]);
    }
    return _PyLong_FromInt64(count);
}

/* -------------------------------------------------------- to and from bytes */

static int
is_little_endian(PyObject *byteorder, int *little)
{
    if (byteorder == NULL || byteorder == _Py_NAME(big)) {
        *little = 0;
        return 0;
    }
    if (byteorder == _Py_NAME(little)) {
        *little = 1;
        return 0;
    }
    if (PyUnicode_CompareWithASCIIString(byteorder, "little") == 0) {
        *little = 1;
        return 0;
    }
    if (PyUnicode_CompareWithASCIIString(byteorder, "big") == 0) {
        *little = 0;
        return 0;
    }
    PyErr_SetString(PyExc_ValueError,
                    "byteorder must be either 'little' or 'big'");
    return -1;
}

/* Sorts the arguments of a call into slots[0:n]: the first npositional ones by position
   or name, the others by name only. Slots that are not given stay NULL. (This is a
   parser of its own because to_bytes() is called in loops.) */
static int
sort_arguments(const char *function, const char *const *names, int n,
               int npositional, int required, PyObject *const *args,
               Py_ssize_t nargs, PyObject *kwnames, PyObject **slots)
{
    Py_ssize_t nkw = kwnames == NULL ? 0 : PyTuple_GET_SIZE(kwnames);
    PyObject *unknown = NULL;
    if (nargs + nkw > n) {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes at most %d %sargument%s (%zd given)",
                     function, n, nargs == 0 ? "keyword " : "",
                     n == 1 ? "" : "s", nargs + nkw);
        return -1;
    }
    if (nargs > npositional) {
        PyErr_Format(PyExc_TypeError,
                     "%s() takes at most %d positional argument%s (%zd given)",
                     function, npositional, npositional == 1 ? "" : "s",
                     nargs);
        return -1;
    }
    for (int i = 0; i < n; i++) {
        slots[i] = i < nargs ? args[i] : NULL;
    }
    for (Py_ssize_t k = 0; k < nkw; k++) {
        PyObject *name = PyTuple_GET_ITEM(kwnames, k);
        int i = 0;
        while (i < n && !_PyUnicode_EqualToASCIIString(name, names[i])) {
            i++;
        }
        if (i == n) {
            unknown = unknown != NULL ? unknown : name;
            continue;
        }
        if (slots[i] != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "argument for %s() given by name ('%s') "
                         "and position (%d)", function, names[i], i + 1);
            return -1;
        }
        slots[i] = args[nargs + k];
    }
    for (int i = 0; i < required; i++) {
        if (slots[i] == NULL) {
            PyErr_Format(PyExc_TypeError,
                         "%s() missing required argument '%s' (pos %d)",
                         function, names[i], i + 1);
            return -1;
        }
    }
    if (unknown != NULL) {
        PyErr_Format(PyExc_TypeError, "'%S' is an invalid keyword argument for %s()",
                     unknown, function);
        return -1;
    }
    return 0;
}

static int
require_str(const char *function, const char *name, PyObject *arg)
{
    if (arg != NULL && !PyUnicode_Check(arg)) {
        PyErr_Format(PyExc_TypeError,
                     "%s() argument '%s' must be str, not %.50s", function,
                     name, arg == Py_None ? "None" : Py_TYPE(arg)->tp_name);
        return -1;
    }
    return 0;
}

static PyObject *
int_to_bytes(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
             PyObject *kwnames)
{
    static const char *const names[] = {"length", "byteorder", "signed"};
    PyObject *slots[3];
    Py_ssize_t length = 1;
    int little, is_signed = 0;
    if (sort_arguments("to_bytes", names, 3, 2, 0, args, nargs, kwnames,
                       slots) < 0) {
        return NULL;
    }
    if (slots[0] != NULL) {
        PyObject *index = PyNumber_Index(slots[0]);
        length = index == NULL ? -1 : PyLong_AsSsize_t(index);
        Py_XDECREF(index);
        if (length == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (require_str("to_bytes", "byteorder", slots[1]) < 0) {
        return NULL;
    }
    if (slots[2] != NULL && (is_signed = PyObject_IsTrue(slots[2])) < 0) {
        return NULL;
    }
    if (is_little_endian(slots[1], &little) < 0) {
        return NULL;
    }
    if (length < 0) {
        PyErr_SetString(PyExc_ValueError,
                        "length argument must be non-negative");
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, length);
    if (bytes == NULL) {
        return NULL;
    }
    if (_PyLong_AsByteArray((PyLongObject *)self,
                            (unsigned char *)PyBytes_AS_STRING(bytes),
                            (size_t)length, little, is_signed) < 0) {
        Py_DECREF(bytes);
        return NULL;
    }
    return bytes;
}

static PyObject *
int_from_bytes(PyObject *type, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const names[] = {"bytes", "byteorder", "signed"};
    PyObject *slots[3];
    int little, is_signed = 0;
    if (sort_arguments("from_bytes", names, 3, 2, 1, args, nargs, kwnames,
                       slots) < 0
        || require_str("from_bytes", "byteorder", slots[1]) < 0) {
        return NULL;
    }
    if (slots[2] != NULL && (is_signed = PyObject_IsTrue(slots[2])) < 0) {
        return NULL;
    }
    if (is_little_endian(slots[1], &little) < 0) {
        return NULL;
    }
    PyObject *bytes = PyObject_Bytes(slots[0]);
    if (bytes == NULL) {
        return NULL;
    }
    PyObject *value = _PyLong_FromByteArray(
        (unsigned char *)PyBytes_AS_STRING(bytes),
        (size_t)PyBytes_GET_SIZE(bytes), little, is_signed);
    Py_DECREF(bytes);
    if (value != NULL && type != (PyObject *)&PyLong_Type) {
        Py_SETREF(value, PyObject_CallOneArg(type, value));
    }
    return value;
}

/* ----------------------------------------------------------------- the rest */

static PyObject *
int_as_integer_ratio(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *numerator = int_itself(self, NULL);
    if (numerator == NULL) {
        return NULL;
    }
    return _PyTuple_PairSteal(numerator, _PyLong_GetSmall(1));
}

/* round(self, ndigits): self - r, where r is the remainder of self by
   10**-ndigits that is nearest to zero. */
static PyObject *
int_round(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError,
                     "__round__ expected at most 1 argument, got %zd", nargs);
        return NULL;
    }
    if (nargs == 0) {
        return int_itself(self, NULL);
    }
    PyObject *ndigits = PyNumber_Index(args[0]);
    if (ndigits == NULL) {
        return NULL;
    }
    if (Py_SIZE(ndigits) >= 0) {
        Py_DECREF(ndigits);
        return int_itself(self, NULL);
    }
    PyObject *result = NULL, *power = NULL, *pair = NULL;
    PyObject *places = _PyLong_Negate(ndigits);
    Py_DECREF(ndigits);
    if (places == NULL) {
        return NULL;
    }
    /* 10**places is more than twice |self|: the result is 0, without computing the
       power. */
    int64_t n;
    size_t nbits = _PyLong_NumBits(self);
    if (!_PyLong_AsInt64Exact(places, &n) || (uint64_t)n > nbits) {
        Py_DECREF(places);
        return _PyLong_GetSmall(0);
    }
    PyObject *ten = _PyLong_GetSmall(10);
    power = _PyLong_Power(ten, places, Py_None);
    Py_DECREF(ten);
    Py_DECREF(places);
    if (power != NULL) {
        pair = _PyLong_DivmodNear(self, power);
        Py_DECREF(power);
    }
    if (pair != NULL) {
        result = _PyLong_Subtract(self, PyTuple_GET_ITEM(pair, 1));
        Py_DECREF(pair);
    }
    return result;
}

static PyObject *
int_format(PyObject *self, PyObject *spec)
{
    return _PyFormat_Method(self, spec, _PyLong_FormatAdvancedWriter);
}

static PyObject *
int_getnewargs(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *copy = _PyLong_Copy((PyLongObject *)self);
    if (copy == NULL) {
        return NULL;
    }
    PyObject *args = PyTuple_Pack(1, copy);
    Py_DECREF(copy);
    return args;
}

static PyObject *
int_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t n = Py_ABS(Py_SIZE(self));
    return PyLong_FromSsize_t(Py_TYPE(self)->tp_basicsize
                              + (n > 0 ? n : 1) * Py_TYPE(self)->tp_itemsize);
}

static PyObject *
int_get_real(PyObject *self, void *Py_UNUSED(closure))
{
    return int_itself(self, NULL);
}

static PyObject *
int_get_constant(PyObject *Py_UNUSED(self), void *closure)
{
    return _PyLong_GetSmall((intptr_t)closure);
}

PyGetSetDef _PyLong_getset[] = {
    {"real", int_get_real, NULL,
     "the real part of a complex number", NULL},
    {"imag", int_get_constant, NULL,
     "the imaginary part of a complex number", NULL},
    {"numerator", int_get_real, NULL,
     "the numerator of a rational number in lowest terms", NULL},
    {"denominator", int_get_constant, NULL,
     "the denominator of a rational number in lowest terms", (void *)1},
    {NULL, NULL, NULL, NULL, NULL}
};

PyDoc_STRVAR(bit_length_doc,
"bit_length($self, /)\n--\n\n\
How many bits the number needs, without its sign and leading zeros.\n\
\n\
>>> (0).bit_length()\n\
0\n\
>>> (-1023).bit_length()\n\
10");

PyDoc_STRVAR(bit_count_doc,
"bit_count($self, /)\n--\n\n\
How many ones the binary digits of the absolute value have.\n\
\n\
>>> (0b1011).bit_count()\n\
3\n\
>>> (-255).bit_count()\n\
8");

PyDoc_STRVAR(to_bytes_doc,
"to_bytes($self, /, length=1, byteorder='big', *, signed=False)\n--\n\n\
The number as an array of bytes.\n\
\n\
  length\n\
    Of the result; OverflowError if the number does not fit.\n\
  byteorder\n\
    'big': the most significant byte comes first; 'little': last.\n\
  signed\n\
    Whether to use two's complement; without it, a negative number is\n\
    refused.");

PyDoc_STRVAR(from_bytes_doc,
"from_bytes($type, /, bytes, byteorder='big', *, signed=False)\n--\n\n\
The number that an array of bytes stands for.\n\
\n\
  bytes\n\
    An object with the buffer protocol, or an iterable of ints.\n\
  byteorder\n\
    'big': the most significant byte comes first; 'little': last.\n\
  signed\n\
    Whether two's complement is used.");

PyDoc_STRVAR(as_integer_ratio_doc,
"as_integer_ratio($self, /)\n--\n\n\
A pair of ints whose ratio is the number: (self, 1).\n\
\n\
>>> (12).as_integer_ratio()\n\
(12, 1)\n\
>>> (-3).as_integer_ratio()\n\
(-3, 1)\n\
>>> True.as_integer_ratio()\n\
(1, 1)");

PyMethodDef _PyLong_methods[] = {
    {"conjugate", int_itself, METH_NOARGS,
     "Returns self, the complex conjugate of any int."},
    {"bit_length", int_bit_length, METH_NOARGS, bit_length_doc},
    {"bit_count", int_bit_count, METH_NOARGS, bit_count_doc},
    {"to_bytes", FAST_KEYWORDS(int_to_bytes), to_bytes_doc},
    {"from_bytes", FAST_KEYWORDS(int_from_bytes) | METH_CLASS, from_bytes_doc},
    {"as_integer_ratio", int_as_integer_ratio, METH_NOARGS,
     as_integer_ratio_doc},
    {"__trunc__", int_itself, METH_NOARGS,
     "Truncating an Integral returns itself."},
    {"__floor__", int_itself, METH_NOARGS,
     "Flooring an Integral returns itself."},
    {"__ceil__", int_itself, METH_NOARGS,
     "Ceiling of an Integral returns itself."},
    {"__round__", FAST(int_round),
     "__round__($self, ndigits=<unrepresentable>, /)\n--\n\n"
     "Rounding an Integral returns itself.\n\n"
     "Rounding with an ndigits argument also returns an integer."},
    {"__getnewargs__", int_getnewargs, METH_NOARGS,
     "__getnewargs__($self, /)\n--\n\n"},
    {"__format__", int_format, METH_O,
     "__format__($self, format_spec, /)\n--\n\n"},
    {"__sizeof__", int_sizeof, METH_NOARGS,
     "__sizeof__($self, /)\n--\n\nThe size in memory, in bytes."},
    {NULL, NULL, 0, NULL}
};

/* ------------------------------------------------------------- sys.int_info */

static PyTypeObject int_info_type;

static PyStructSequence_Field int_info_fields[] = {
    {"bits_per_digit", "size of a digit in bits"},
    {"sizeof_digit", "size in bytes of the C type used to represent a digit"},
    {"default_max_str_digits", "maximum string conversion digits limitation"},
    {"str_digits_check_threshold",
     "minimum positive value for int_max_str_digits"},
    {NULL, NULL}
};

static PyStructSequence_Desc int_info_desc = {
    "sys.int_info",
    "How ints are represented. Read only.",
    int_info_fields,
    4
};

int
_PyLong_InitTypes(void)
{
    if (int_info_type.tp_name != NULL) {
        return 0;
    }
    return PyStructSequence_InitType2(&int_info_type, &int_info_desc);
}

PyObject *
PyLong_GetInfo(void)
{
    static const int values[] = {
        PyLong_SHIFT, sizeof(digit), _PY_LONG_DEFAULT_MAX_STR_DIGITS,
        _PY_LONG_MAX_STR_DIGITS_THRESHOLD,
    };
    PyObject *info = PyStructSequence_New(&int_info_type);
    if (info == NULL) {
        return NULL;
    }
    for (int i = 0; i < 4; i++) {
        PyStructSequence_SET_ITEM(info, i, _PyLong_FromInt64(values[i]));
    }
    return info;
}
