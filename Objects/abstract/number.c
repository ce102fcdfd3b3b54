/* The number protocol: PyNumber_*().

   A binary operator calls the left operand's slot, then the right one's. The right one
   goes first when its type is a proper subclass of the left one's and has its own slot.
   A slot returns Py_NotImplemented to pass. For + and *, the sequence slots are tried
   last. */
#include "Python.h"
#include "internal/abstract.h"
#include <stddef.h>
#include "internal/int.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/type.h"

#define SLOT(name) offsetof(PyNumberMethods, name)
#define SLOT_AT(methods, offset, kind) (*(kind *)((char *)(methods) + (offset)))

static inline binaryfunc
binary_slot(PyObject *op, size_t offset)
{
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    return methods == NULL ? NULL : SLOT_AT(methods, offset, binaryfunc);
}

static inline ternaryfunc
ternary_slot(PyObject *op, size_t offset)
{
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    return methods == NULL ? NULL : SLOT_AT(methods, offset, ternaryfunc);
}

static PyObject *
ask_unlike(PyObject *v, PyObject *w, size_t offset)
{
    binaryfunc left = binary_slot(v, offset), right = binary_slot(w, offset);
    if (right == left) {
        right = NULL;
    }
    if (left != NULL) {
        if (right != NULL && PyType_IsSubtype(Py_TYPE(w), Py_TYPE(v))) {
            PyObject *result = right(v, w);
            if (result != Py_NotImplemented) {
                return result;
            }
            Py_DECREF(result);
            right = NULL;
        }
        PyObject *result = left(v, w);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    if (right != NULL) {
        return right(v, w);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

/* Returns a new reference, possibly to Py_NotImplemented. Most operands are of one type. */
static inline PyObject *
ask_both(PyObject *v, PyObject *w, size_t offset)
{
    if (!Py_IS_TYPE(w, Py_TYPE(v))) {
        return ask_unlike(v, w, offset);
    }
    binaryfunc slot = binary_slot(v, offset);
    return slot != NULL ? slot(v, w) : Py_NewRef(Py_NotImplemented);
}

static PyObject *
unsupported(PyObject *v, PyObject *w, const char *symbol)
{
    PyErr_Format(PyExc_TypeError,
                 "unsupported operand type(s) for %.100s: "
                 "'%.100s' and '%.100s'",
                 symbol, Py_TYPE(v)->tp_name, Py_TYPE(w)->tp_name);
    return NULL;
}

static PyObject *
binary_op(PyObject *v, PyObject *w, size_t offset, const char *symbol)
{
    PyObject *result = ask_both(v, w, offset);
    if (result != Py_NotImplemented) {
        return result;
    }
    Py_DECREF(result);
    /* Python 2's print statement: the error message suggests print(). */
    if (offset == SLOT(nb_rshift) && PyCFunction_CheckExact(v)
        && strcmp(((PyCFunctionObject *)v)->m_ml->ml_name, "print") == 0) {
        PyErr_Format(PyExc_TypeError,
                     "unsupported operand type(s) for %.100s: "
                     "'%.100s' and '%.100s'. Did you mean \"print(<message>, "
                     "file=<output_stream>)\"?",
                     symbol, Py_TYPE(v)->tp_name, Py_TYPE(w)->tp_name);
        return NULL;
    }
    return unsupported(v, w, symbol);
}

/* The result of the in-place slot, or of the ordinary one. */
static PyObject *
ask_inplace(PyObject *v, PyObject *w, size_t inplace, size_t offset)
{
    binaryfunc slot = binary_slot(v, inplace);
    if (slot != NULL) {
        PyObject *result = slot(v, w);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    return ask_both(v, w, offset);
}

static PyObject *
inplace_op(PyObject *v, PyObject *w, size_t inplace, size_t offset,
           const char *symbol)
{
    PyObject *result = ask_inplace(v, w, inplace, offset);
    if (result == Py_NotImplemented) {
        Py_DECREF(result);
        return unsupported(v, w, symbol);
    }
    return result;
}

#define BINARY(Name, slot, symbol)                                      \
    PyObject *                                                          \
    PyNumber_##Name(PyObject *v, PyObject *w)                           \
    {                                                                   \
        return binary_op(v, w, SLOT(nb_##slot), symbol);                \
    }

#define INPLACE(Name, slot, symbol)                                     \
    PyObject *                                                          \
    PyNumber_InPlace##Name(PyObject *v, PyObject *w)                    \
    {                                                                   \
        return inplace_op(v, w, SLOT(nb_inplace_##slot),                \
                          SLOT(nb_##slot), symbol);                     \
    }

#define OPERATORS(X) \
    X(Subtract, subtract, "-") \
    X(TrueDivide, true_divide, "/") \
    X(FloorDivide, floor_divide, "//") \
    X(Remainder, remainder, "%") \
    X(MatrixMultiply, matrix_multiply, "@") \
    X(Lshift, lshift, "<<") \
    X(Rshift, rshift, ">>") \
    X(And, and, "&") \
    X(Or, or, "|") \
    X(Xor, xor, "^")

#define BOTH(Name, slot, symbol) \
    BINARY(Name, slot, symbol) \
    INPLACE(Name, slot, symbol "=")
OPERATORS(BOTH)
BINARY(Divmod, divmod, "divmod()")

/* The symbol of an operator that has an in-place form, which ends in "=". */
static const char *
symbol_of(size_t slot, int inplace)
{
    static const struct {
        size_t slot;
        const char *plain, *inplace;
    } symbols[] = {
#define SYMBOLS(Name, field, symbol) {SLOT(nb_##field), symbol, symbol "="},
        SYMBOLS(Add, add, "+")
        SYMBOLS(Multiply, multiply, "*")
        OPERATORS(SYMBOLS)
    };
    size_t i = 0;
    while (symbols[i].slot != slot) {
        i++;
    }
    return inplace ? symbols[i].inplace : symbols[i].plain;
}

PyObject *
_PyNumber_AfterLeft(PyObject *v, PyObject *w, size_t slot, int inplace, int asked_inplace)
{
    PyObject *result = NULL;
    if (asked_inplace) {
        result = ask_both(v, w, slot);
    }
    else if (!Py_IS_TYPE(w, Py_TYPE(v)) && binary_slot(w, slot) != NULL) {
        result = binary_slot(w, slot)(v, w);
    }
    else {
        result = Py_NewRef(Py_NotImplemented);
    }
    if (result == Py_NotImplemented) {
        Py_DECREF(result);
        return unsupported(v, w, symbol_of(slot, inplace));
    }
    return result;
}

PyObject *
_PyNumber_TryAdd(PyObject *v, PyObject *w, int inplace)
{
    return inplace ? ask_inplace(v, w, SLOT(nb_inplace_add), SLOT(nb_add))
                   : ask_both(v, w, SLOT(nb_add));
}

PyObject *
_PyNumber_TryMultiply(PyObject *v, PyObject *w, int inplace)
{
    return inplace ? ask_inplace(v, w, SLOT(nb_inplace_multiply),
                                 SLOT(nb_multiply))
                   : ask_both(v, w, SLOT(nb_multiply));
}

/* ------------------------------------------- + and *, shared with sequences */

PyObject *
PyNumber_Add(PyObject *v, PyObject *w)
{
    if (PyLong_CheckExact(v) && PyLong_CheckExact(w)) {
        return _PyLong_Add(v, w);
    }
    PyObject *result = ask_both(v, w, SLOT(nb_add));
    if (result != Py_NotImplemented) {
        return result;
    }
    Py_DECREF(result);
    PySequenceMethods *sequence = Py_TYPE(v)->tp_as_sequence;
    if (sequence != NULL && sequence->sq_concat != NULL) {
        return sequence->sq_concat(v, w);
    }
    return unsupported(v, w, "+");
}

PyObject *
PyNumber_InPlaceAdd(PyObject *v, PyObject *w)
{
    PyObject *result = ask_inplace(v, w, SLOT(nb_inplace_add), SLOT(nb_add));
    if (result != Py_NotImplemented) {
        return result;
    }
    Py_DECREF(result);
    PySequenceMethods *sequence = Py_TYPE(v)->tp_as_sequence;
    if (sequence != NULL) {
        binaryfunc concat = sequence->sq_inplace_concat != NULL
                            ? sequence->sq_inplace_concat
                            : sequence->sq_concat;
        if (concat != NULL) {
            return concat(v, w);
        }
    }
    return unsupported(v, w, "+=");
}

static PyObject *
repeat(ssizeargfunc func, PyObject *sequence, PyObject *count)
{
    if (!PyIndex_Check(count)) {
        PyErr_Format(PyExc_TypeError,
                     "can't multiply sequence by non-int of type '%.200s'",
                     Py_TYPE(count)->tp_name);
        return NULL;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(count, PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) {
        return NULL;
    }
    return func(sequence, n);
}

PyObject *
PyNumber_Multiply(PyObject *v, PyObject *w)
{
    if (PyLong_CheckExact(v) && PyLong_CheckExact(w)) {
        return _PyLong_Multiply(v, w);
    }
    PyObject *result = ask_both(v, w, SLOT(nb_multiply));
    if (result != Py_NotImplemented) {
        return result;
    }
    Py_DECREF(result);
    PySequenceMethods *mv = Py_TYPE(v)->tp_as_sequence;
    PySequenceMethods *mw = Py_TYPE(w)->tp_as_sequence;
    if (mv != NULL && mv->sq_repeat != NULL) {
        return repeat(mv->sq_repeat, v, w);
    }
    if (mw != NULL && mw->sq_repeat != NULL) {
        return repeat(mw->sq_repeat, w, v);
    }
    return unsupported(v, w, "*");
}

PyObject *
PyNumber_InPlaceMultiply(PyObject *v, PyObject *w)
{
    PyObject *result = ask_inplace(v, w, SLOT(nb_inplace_multiply),
                                   SLOT(nb_multiply));
    if (result != Py_NotImplemented) {
        return result;
    }
    Py_DECREF(result);
    PySequenceMethods *mv = Py_TYPE(v)->tp_as_sequence;
    PySequenceMethods *mw = Py_TYPE(w)->tp_as_sequence;
    if (mv != NULL) {
        ssizeargfunc func = mv->sq_inplace_repeat != NULL
                            ? mv->sq_inplace_repeat : mv->sq_repeat;
        if (func != NULL) {
            return repeat(func, v, w);
        }
    }
    else if (mw != NULL && mw->sq_repeat != NULL) {
        return repeat(mw->sq_repeat, w, v);
    }
    return unsupported(v, w, "*=");
}

/* -------------------------------------------------------------------- power */

static PyObject *
ternary_op(PyObject *v, PyObject *w, PyObject *z, size_t offset,
           const char *symbol)
{
    ternaryfunc first = ternary_slot(v, offset);
    ternaryfunc second = NULL, third;
    PyObject *result;

    if (!Py_IS_TYPE(w, Py_TYPE(v))) {
        second = ternary_slot(w, offset);
        if (second == first) {
            second = NULL;
        }
    }
    if (first != NULL) {
        if (second != NULL && PyType_IsSubtype(Py_TYPE(w), Py_TYPE(v))) {
            result = second(v, w, z);
            if (result != Py_NotImplemented) {
                return result;
            }
            Py_DECREF(result);
            second = NULL;
        }
        result = first(v, w, z);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    if (second != NULL) {
        result = second(v, w, z);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    third = ternary_slot(z, offset);
    if (third != NULL && third != first && third != second) {
        result = third(v, w, z);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    if (z == Py_None) {
        return unsupported(v, w, symbol);
    }
    PyErr_Format(PyExc_TypeError,
                 "unsupported operand type(s) for %.100s: "
                 "'%.100s', '%.100s', '%.100s'", symbol,
                 Py_TYPE(v)->tp_name, Py_TYPE(w)->tp_name,
                 Py_TYPE(z)->tp_name);
    return NULL;
}

PyObject *
PyNumber_Power(PyObject *v, PyObject *w, PyObject *z)
{
    return ternary_op(v, w, z, SLOT(nb_power), "** or pow()");
}

PyObject *
PyNumber_InPlacePower(PyObject *v, PyObject *w, PyObject *z)
{
    ternaryfunc slot = ternary_slot(v, SLOT(nb_inplace_power));
    if (slot != NULL) {
        PyObject *result = slot(v, w, z);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    return ternary_op(v, w, z, SLOT(nb_power), "**=");
}

/* -------------------------------------------------------------------- unary */

static PyObject *
unary_op(PyObject *op, size_t offset, const char *description)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    if (methods != NULL) {
        unaryfunc func = SLOT_AT(methods, offset, unaryfunc);
        if (func != NULL) {
            return func(op);
        }
    }
    PyErr_Format(PyExc_TypeError, "bad operand type for %s: '%.200s'",
                 description, Py_TYPE(op)->tp_name);
    return NULL;
}

PyObject *
PyNumber_Negative(PyObject *op)
{
    return unary_op(op, SLOT(nb_negative), "unary -");
}

PyObject *
PyNumber_Positive(PyObject *op)
{
    return unary_op(op, SLOT(nb_positive), "unary +");
}

PyObject *
PyNumber_Invert(PyObject *op)
{
    return unary_op(op, SLOT(nb_invert), "unary ~");
}

PyObject *
PyNumber_Absolute(PyObject *op)
{
    return unary_op(op, SLOT(nb_absolute), "abs()");
}

/* -------------------------------------------------------- conversion to int */

int
PyNumber_Check(PyObject *op)
{
    if (op == NULL) {
        return 0;
    }
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    return (methods != NULL && (methods->nb_index != NULL
                                || methods->nb_int != NULL
                                || methods->nb_float != NULL))
           || PyComplex_Check(op);
}

#undef PyIndex_Check

int
PyIndex_Check(PyObject *op)
{
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    return methods != NULL && methods->nb_index != NULL;
}

/* Accepts an int, with a warning if it is of a subclass. Steals `result`. `method` is
   "__int__" or "__index__". */
static PyObject *
checked_int(PyObject *result, const char *method)
{
    if (result == NULL || PyLong_CheckExact(result)) {
        return result;
    }
    if (!PyLong_Check(result)) {
        PyErr_Format(PyExc_TypeError, "%s returned non-int (type %.200s)",
                     method, Py_TYPE(result)->tp_name);
        Py_DECREF(result);
        return NULL;
    }
    if (PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                         "%s returned non-int (type %.200s).  "
                         "The ability to return an instance of a strict "
                         "subclass of int is deprecated, and may be "
                         "removed in a future version of Python.",
                         method, Py_TYPE(result)->tp_name) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

PyObject *
_PyNumber_Index(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    if (PyLong_Check(op)) {
        return Py_NewRef(op);
    }
    if (!PyIndex_Check(op)) {
        PyErr_Format(PyExc_TypeError,
                     "'%.200s' object cannot be interpreted as an integer",
                     Py_TYPE(op)->tp_name);
        return NULL;
    }
    return checked_int(Py_TYPE(op)->tp_as_number->nb_index(op), "__index__");
}

/* Steals an int of any class and returns an exact int. */
static PyObject *
exact_int(PyObject *value)
{
    if (value != NULL && !PyLong_CheckExact(value)) {
        Py_SETREF(value, _PyLong_Copy((PyLongObject *)value));
    }
    return value;
}

PyObject *
PyNumber_Index(PyObject *op)
{
    return exact_int(_PyNumber_Index(op));
}

static __attribute__((noinline)) Py_ssize_t
ssize_of_any(PyObject *item, PyObject *error)
{
    PyObject *value = _PyNumber_Index(item);
    if (value == NULL) {
        return -1;
    }
    Py_ssize_t result = PyLong_AsSsize_t(value);
    if (result == -1 && PyErr_Occurred()
        && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear();
        if (error == NULL) {
            result = _PyLong_Sign(value) < 0 ? PY_SSIZE_T_MIN
                                             : PY_SSIZE_T_MAX;
        }
        else {
            PyErr_Format(error,
                         "cannot fit '%.200s' into an index-sized integer",
                         Py_TYPE(item)->tp_name);
        }
    }
    Py_DECREF(value);
    return result;
}

Py_ssize_t
PyNumber_AsSsize_t(PyObject *item, PyObject *error)
{
    if (item != NULL && PyLong_CheckExact(item) && _PyLong_CheckCompact(item)) {
        return (Py_ssize_t)_PyLong_CompactValue(item);
    }
    return ssize_of_any(item, error);
}

static PyObject *
int_of_trunc(PyObject *op, PyObject *trunc)
{
    if (PyErr_WarnEx(PyExc_DeprecationWarning,
                     "The delegation of int() to __trunc__ is deprecated.",
                     1) < 0) {
        return NULL;
    }
    (void)op;
    PyObject *result = PyObject_CallNoArgs(trunc);
    if (result == NULL || PyLong_CheckExact(result)) {
        return result;
    }
    if (PyLong_Check(result)) {
        return exact_int(result);
    }
    if (!PyIndex_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "__trunc__ returned non-Integral (type %.200s)",
                     Py_TYPE(result)->tp_name);
        Py_DECREF(result);
        return NULL;
    }
    Py_SETREF(result, PyNumber_Index(result));
    return result;
}

static PyObject *
int_of_text(PyObject *op)
{
    if (PyUnicode_Check(op)) {
        return PyLong_FromUnicodeObject(op, 10);
    }
    if (PyBytes_Check(op)) {
        return _PyLong_FromBytes(PyBytes_AS_STRING(op), PyBytes_GET_SIZE(op),
                                 10);
    }
    if (PyByteArray_Check(op)) {
        return _PyLong_FromBytes(PyByteArray_AS_STRING(op),
                                 PyByteArray_GET_SIZE(op), 10);
    }
    Py_buffer view;
    if (PyObject_CheckBuffer(op)
        && PyObject_GetBuffer(op, &view, PyBUF_SIMPLE) == 0) {
        /* The parser needs a terminated string; a buffer may not be terminated. */
        PyObject *bytes = PyBytes_FromStringAndSize(view.buf, view.len);
        PyBuffer_Release(&view);
        if (bytes == NULL) {
            return NULL;
        }
        PyObject *result = _PyLong_FromBytes(PyBytes_AS_STRING(bytes),
                                             PyBytes_GET_SIZE(bytes), 10);
        Py_DECREF(bytes);
        return result;
    }
    if (PyErr_Occurred()) {
        PyErr_Clear();
    }
    PyErr_Format(PyExc_TypeError,
                 "int() argument must be a string, a bytes-like object "
                 "or a real number, not '%.200s'", Py_TYPE(op)->tp_name);
    return NULL;
}

PyObject *
PyNumber_Long(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    if (PyLong_CheckExact(op)) {
        return Py_NewRef(op);
    }
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    if (methods != NULL && methods->nb_int != NULL) {
        return exact_int(checked_int(methods->nb_int(op), "__int__"));
    }
    if (methods != NULL && methods->nb_index != NULL) {
        return PyNumber_Index(op);
    }
    PyObject *trunc = _PyObject_LookupSpecial(op, _Py_NAME(dunder_trunc));
    if (trunc != NULL) {
        PyObject *result = int_of_trunc(op, trunc);
        Py_DECREF(trunc);
        return result;
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    return int_of_text(op);
}

/* ------------------------------------------------------ conversion to float */

PyObject *
PyNumber_Float(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    if (PyFloat_CheckExact(op)) {
        return Py_NewRef(op);
    }
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    if (methods != NULL && methods->nb_float != NULL) {
        PyObject *result = methods->nb_float(op);
        if (result == NULL || PyFloat_CheckExact(result)) {
            return result;
        }
        if (!PyFloat_Check(result)) {
            PyErr_Format(PyExc_TypeError,
                         "%.50s.__float__ returned non-float (type %.50s)",
                         Py_TYPE(op)->tp_name, Py_TYPE(result)->tp_name);
            Py_DECREF(result);
            return NULL;
        }
        if (PyErr_WarnFormat(PyExc_DeprecationWarning, 1,
                             "%.50s.__float__ returned non-float (type "
                             "%.50s).  The ability to return an instance of "
                             "a strict subclass of float is deprecated, and "
                             "may be removed in a future version of "
                             "Python.", Py_TYPE(op)->tp_name,
                             Py_TYPE(result)->tp_name) < 0) {
            Py_DECREF(result);
            return NULL;
        }
        double value = PyFloat_AS_DOUBLE(result);
        Py_DECREF(result);
        return PyFloat_FromDouble(value);
    }
    if (methods != NULL && methods->nb_index != NULL) {
        PyObject *index = _PyNumber_Index(op);
        if (index == NULL) {
            return NULL;
        }
        double value = PyLong_AsDouble(index);
        Py_DECREF(index);
        if (value == -1.0 && PyErr_Occurred()) {
            return NULL;
        }
        return PyFloat_FromDouble(value);
    }
    if (PyFloat_Check(op)) {
        return PyFloat_FromDouble(PyFloat_AS_DOUBLE(op));
    }
    return PyFloat_FromString(op);
}

PyObject *
PyNumber_ToBase(PyObject *op, int base)
{
    if (base != 2 && base != 8 && base != 10 && base != 16) {
        PyErr_SetString(PyExc_SystemError,
                        "PyNumber_ToBase: base must be 2, 8, 10 or 16");
        return NULL;
    }
    PyObject *index = _PyNumber_Index(op);
    if (index == NULL) {
        return NULL;
    }
    PyObject *result = _PyLong_Format(index, base);
    Py_DECREF(index);
    return result;
}

/* Argument converter: an index, or None for "leave it as it is". */
int
_Py_convert_optional_to_ssize_t(PyObject *op, void *result)
{
    if (op == Py_None) {
        return 1;
    }
    if (!PyIndex_Check(op)) {
        PyErr_Format(PyExc_TypeError,
                     "argument should be integer or None, not '%.200s'",
                     Py_TYPE(op)->tp_name);
        return 0;
    }
    Py_ssize_t n = PyNumber_AsSsize_t(op, PyExc_OverflowError);
    if (n == -1 && PyErr_Occurred()) {
        return 0;
    }
    *(Py_ssize_t *)result = n;
    return 1;
}
