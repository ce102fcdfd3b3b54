/* The int object: allocation, normalisation, comparison, hash, the type.

   See internal/int.h for the layout and the invariants of small ints and of
   the free list. Every function that makes an int ends in
   _PyLong_FromInt64 or _PyLong_Finish, so that equal small values are
   identical. */

#include "internal/getargs.h"
#include "internal/int.h"
#include "internal/object.h"
#include <stddef.h>

#define DIGITS_OFFSET offsetof(PyLongObject, ob_digit)
#define MAX_DIGITS \
    ((Py_ssize_t)((PY_SSIZE_T_MAX - DIGITS_OFFSET) / sizeof(digit)))

#define SMALL_INT(v) {                                              \
        {{_Py_IMMORTAL_REFCNT, &PyLong_Type},                       \
         (v) < 0 ? -1 : (v) > 0},                                   \
        {(digit)((v) < 0 ? -(v) : (v))}                             \
    }
#define SMALL_INTS_4(v) \
    SMALL_INT(v), SMALL_INT(v + 1), SMALL_INT(v + 2), SMALL_INT(v + 3)
#define SMALL_INTS_16(v) \
    SMALL_INTS_4(v), SMALL_INTS_4(v + 4), \
    SMALL_INTS_4(v + 8), SMALL_INTS_4(v + 12)
#define SMALL_INTS_64(v) \
    SMALL_INTS_16(v), SMALL_INTS_16(v + 16), \
    SMALL_INTS_16(v + 32), SMALL_INTS_16(v + 48)

PyLongObject _PyLong_small_ints[_PyLong_SMALL_NEG + _PyLong_SMALL_POS] = {
    SMALL_INT(-5), SMALL_INTS_4(-4),
    SMALL_INTS_64(0), SMALL_INTS_64(64),
    SMALL_INTS_64(128), SMALL_INTS_64(192),
    SMALL_INT(256),
};

struct _PyLong_free_list _PyLong_free_list = {
    .limit = _PyLong_FREE_LIST_LIMIT,
};

/* --------------------------------------------------------------- allocation */

static PyLongObject *
alloc_digits(Py_ssize_t ndigits)
{
    size_t size = DIGITS_OFFSET + (size_t)ndigits * sizeof(digit);
    PyLongObject *op = PyObject_Malloc(
        size < _PyLong_BLOCK ? _PyLong_BLOCK : size);
    if (op == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    _PyObject_InitExact((PyObject *)op, &PyLong_Type);
    return op;
}

PyLongObject *
_PyLong_AllocBlock(void)
{
    return alloc_digits(2);
}

PyLongObject *
_PyLong_New(Py_ssize_t size)
{
    PyLongObject *op;
    if (size <= 2) {
        op = _PyLong_NewBlock();
    }
    else if (size > MAX_DIGITS) {
        PyErr_SetString(PyExc_OverflowError, "too many digits in integer");
        return NULL;
    }
    else {
        op = alloc_digits(size);
    }
    if (op != NULL) {
        Py_SET_SIZE(op, size);
    }
    return op;
}

void
_PyLong_UseFreeList(int use)
{
    _PyLong_free_list.limit = use ? _PyLong_FREE_LIST_LIMIT : 0;
    while (!use && _PyLong_free_list.head != NULL) {
        PyLongObject *op = _PyLong_free_list.head;
        _PyLong_free_list.head = (PyLongObject *)Py_REFCNT(op);
        _PyLong_free_list.count--;
        PyObject_Free(op);
    }
}

/* tp_dealloc of an exact int whose refcount has reached 0. */
static void
exact_dealloc(PyObject *op)
{
    if (_PyLong_free_list.count < _PyLong_free_list.limit
        && (size_t)Py_SIZE(op) + 2 < 5) {
        op->ob_refcnt = (Py_ssize_t)_PyLong_free_list.head;
        _PyLong_free_list.head = (PyLongObject *)op;
        _PyLong_free_list.count++;
        return;
    }
    PyObject_Free(op);
}

static void
int_dealloc(PyObject *op)
{
    if (PyLong_CheckExact(op)) {
        exact_dealloc(op);
    }
    else {
        Py_TYPE(op)->tp_free(op);
    }
}

PyLongObject *
_PyLong_Normalize(PyLongObject *op)
{
    Py_ssize_t size = Py_SIZE(op);
    Py_ssize_t n = Py_ABS(size);
    while (n > 0 && op->ob_digit[n - 1] == 0) {
        n--;
    }
    Py_SET_SIZE(op, size < 0 ? -n : n);
    return op;
}

PyObject *
_PyLong_Finish(PyLongObject *op)
{
    if (op == NULL) {
        return NULL;
    }
    Py_ssize_t allocated = Py_SIZE(op);
    if (Py_ABS(allocated) > 2 && op->ob_digit[Py_ABS(allocated) - 1] != 0) {
        return (PyObject *)op;
    }
    _PyLong_Normalize(op);
    int64_t value;
    if ((size_t)Py_SIZE(op) + 2 < 5
        && _PyLong_AsInt64Exact((PyObject *)op, &value)
        && (Py_ABS(allocated) > 2 || _PyLong_IsSmallValue(value)))
    {
        /* Set the old size again, so that the free list sees the true size of the
           block. With two digits it would take a block that may be megabytes for a
           small one. */
        Py_SET_SIZE(op, allocated);
        Py_DECREF(op);
        return _PyLong_FromInt64(value);
    }
    return (PyObject *)op;
}

PyObject *
_PyLong_Copy(PyLongObject *src)
{
    int64_t value;
    if (_PyLong_AsInt64Exact((PyObject *)src, &value)) {
        return _PyLong_FromInt64(value);
    }
    Py_ssize_t n = Py_ABS(Py_SIZE(src));
    PyLongObject *copy = _PyLong_New(n);
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy->ob_digit, src->ob_digit, (size_t)n * sizeof(digit));
    Py_SET_SIZE(copy, Py_SIZE(src));
    return (PyObject *)copy;
}

/* Makes an int from a magnitude above 0. */
static PyObject *
from_magnitude(unsigned __int128 magnitude, int negative)
{
    const uint64_t pair = ((uint64_t)1 << (2 * PyLong_SHIFT)) - 1;
    uint64_t low = (uint64_t)magnitude & pair;
    uint64_t middle = (uint64_t)(magnitude >> (2 * PyLong_SHIFT)) & pair;
    digit top = (digit)(magnitude >> (4 * PyLong_SHIFT));
    digit fourth = (digit)(middle >> PyLong_SHIFT);
    Py_ssize_t n = top != 0 ? 5 : fourth != 0 ? 4 : middle != 0 ? 3
                   : low >> PyLong_SHIFT != 0 ? 2 : 1;
    PyLongObject *op = _PyLong_New(n);
    if (op == NULL) {
        return NULL;
    }
    digit *out = op->ob_digit;
    switch (n) {
    case 5: out[4] = top; /* fallthrough */
    case 4: out[3] = fourth; /* fallthrough */
    case 3: out[2] = (digit)middle & PyLong_MASK; /* fallthrough */
    case 2: out[1] = (digit)(low >> PyLong_SHIFT); /* fallthrough */
    default: out[0] = (digit)low & PyLong_MASK;
    }
    if (negative) {
        Py_SET_SIZE(op, -n);
    }
    return (PyObject *)op;
}

PyObject *
_PyLong_FromInt64Slow(int64_t v)
{
    return from_magnitude(v < 0 ? 0 - (uint64_t)v : (uint64_t)v, v < 0);
}

PyObject *
_PyLong_FromInt128(__int128 v)
{
    if (v == (int64_t)v) {
        return _PyLong_FromInt64((int64_t)v);
    }
    unsigned __int128 bits = (unsigned __int128)v;
    return from_magnitude(v < 0 ? 0 - bits : bits, v < 0);
}

/* ------------------------------------------------------ comparison and hash */

int
_PyLong_Compare(PyObject *a, PyObject *b)
{
    Py_ssize_t size = Py_SIZE(a);
    if (size != Py_SIZE(b)) {
        return size < Py_SIZE(b) ? -1 : 1;
    }
    const digit *x = ((PyLongObject *)a)->ob_digit;
    const digit *y = ((PyLongObject *)b)->ob_digit;
    for (Py_ssize_t i = Py_ABS(size); --i >= 0; ) {
        if (x[i] != y[i]) {
            return (x[i] < y[i]) == (size > 0) ? -1 : 1;
        }
    }
    return 0;
}

static PyObject *
int_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyLong_Check(a) || !PyLong_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int order = a == b ? 0 : _PyLong_Compare(a, b);
    Py_RETURN_RICHCOMPARE(order, 0, op);
}

/* The value modulo 2**61 - 1, with its sign. Multiplying by 2**30 modulo
   that prime is a rotation of 61 bits. */
static Py_hash_t
int_hash(PyObject *op)
{
    Py_ssize_t size = Py_SIZE(op);
    const digit *d = ((PyLongObject *)op)->ob_digit;
    uint64_t hash = 0;
    for (Py_ssize_t i = Py_ABS(size); --i >= 0; ) {
        hash = ((hash << PyLong_SHIFT) & _PyHASH_MODULUS)
            | (hash >> (_PyHASH_BITS - PyLong_SHIFT));
        hash += d[i];
        if (hash >= _PyHASH_MODULUS) {
            hash -= _PyHASH_MODULUS;
        }
    }
    Py_hash_t result = size < 0 ? -(Py_hash_t)hash : (Py_hash_t)hash;
    return result == -1 ? -2 : result;
}

/* -------------------------------------------------------------- constructor */

static PyObject *
int_from_args(PyObject *x, PyObject *base_arg)
{
    if (x == NULL) {
        if (base_arg != NULL) {
            PyErr_SetString(PyExc_TypeError, "int() missing string argument");
            return NULL;
        }
        return _PyLong_GetSmall(0);
    }
    if (base_arg == NULL) {
        if (PyLong_CheckExact(x)) {
            return Py_NewRef(x);
        }
        return PyNumber_Long(x);
    }
    Py_ssize_t base = PyNumber_AsSsize_t(base_arg, NULL);
    if (base == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if ((base != 0 && base < 2) || base > 36) {
        PyErr_SetString(PyExc_ValueError,
                        "int() base must be >= 2 and <= 36, or 0");
        return NULL;
    }
    if (PyUnicode_Check(x)) {
        return PyLong_FromUnicodeObject(x, (int)base);
    }
    if (PyByteArray_Check(x)) {
        return _PyLong_FromBytes(PyByteArray_AS_STRING(x), Py_SIZE(x),
                                 (int)base);
    }
    if (PyBytes_Check(x)) {
        return _PyLong_FromBytes(PyBytes_AS_STRING(x), Py_SIZE(x), (int)base);
    }
    PyErr_SetString(PyExc_TypeError,
                    "int() can't convert non-string with explicit base");
    return NULL;
}

/* Steals value, an int or an instance of a subclass, and copies its digits to a new
   instance of type. */
static PyObject *
int_as_subtype(PyTypeObject *type, PyObject *value)
{
    if (value == NULL) {
        return NULL;
    }
    Py_ssize_t size = Py_SIZE(value);
    Py_ssize_t n = Py_ABS(size);
    PyLongObject *op = (PyLongObject *)type->tp_alloc(type, n > 0 ? n : 1);
    if (op != NULL) {
        memcpy(op->ob_digit, ((PyLongObject *)value)->ob_digit,
               (size_t)n * sizeof(digit));
        Py_SET_SIZE(op, size);
    }
    Py_DECREF(value);
    return (PyObject *)op;
}

static PyObject *
int_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"", "base", NULL};
    PyObject *x = NULL, *base = NULL;
    if (kwds == NULL && PyTuple_GET_SIZE(args) == 1) {
        x = PyTuple_GET_ITEM(args, 0);
    }
    else if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OO:int", keywords, &x, &base)) {
        return NULL;
    }
    PyObject *value = int_from_args(x, base);
    return type == &PyLong_Type ? value : int_as_subtype(type, value);
}

static PyObject *
int_vectorcall(PyObject *Py_UNUSED(type), PyObject *const *args, size_t nargsf,
               PyObject *kwnames)
{
    static const char *const keywords[] = {"", "base", NULL};
    static _PyArg_Parser parser = {.keywords = keywords, .fname = "int"};
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (kwnames == NULL && nargs <= 2) {
        return int_from_args(nargs > 0 ? args[0] : NULL,
                             nargs > 1 ? args[1] : NULL);
    }
    PyObject *buffer[2];
    args = _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 0, 2, 0, buffer);
    return args == NULL ? NULL : int_from_args(args[0], args[1]);
}

PyDoc_STRVAR(int_doc,
"int([x]) -> integer\n\
int(x, base=10) -> integer\n\
\n\
Make an integer of a number or of text; 0 without arguments. A number is\n\
asked for its __int__() (a float is truncated towards zero).\n\
\n\
If x is not a number, or if a base is given, x is text (str, bytes or\n\
bytearray): a literal in that base, perhaps with a sign and surrounded by\n\
whitespace. The base is 2 to 36, or 0 to go by the literal's prefix.\n\
>>> int('0b100', base=0)\n\
4");

PyTypeObject PyLong_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "int",
    .tp_basicsize = offsetof(PyLongObject, ob_digit),
    .tp_itemsize = sizeof(digit),
    .tp_dealloc = int_dealloc,
    .tp_repr = _PyLong_Repr,
    .tp_as_number = &_PyLong_as_number,
    .tp_hash = int_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE
        | Py_TPFLAGS_LONG_SUBCLASS | _Py_TPFLAGS_MATCH_SELF,
    .tp_doc = int_doc,
    .tp_richcompare = int_richcompare,
    .tp_methods = _PyLong_methods,
    .tp_getset = _PyLong_getset,
    .tp_new = int_new,
    .tp_free = PyObject_Free,
    .tp_vectorcall = int_vectorcall,
};
