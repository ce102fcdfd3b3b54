/* Fields of C structures as attributes: PyMember_GetOne, PyMember_SetOne. */
#include "Python.h"
#include "structmember.h"

PyObject *
PyMember_GetOne(const char *base, PyMemberDef *def)
{
    const char *field = base + def->offset;
    if (def->flags & PY_AUDIT_READ) {
        if (PySys_Audit("object.__getattr__", "Os", base, def->name) < 0) {
            return NULL;
        }
    }
    switch (def->type) {
    case T_BOOL:
        return PyBool_FromLong(*(const char *)field);
    case T_BYTE:
        return PyLong_FromLong(*(const signed char *)field);
    case T_UBYTE:
        return PyLong_FromUnsignedLong(*(const unsigned char *)field);
    case T_SHORT:
        return PyLong_FromLong(*(const short *)field);
    case T_USHORT:
        return PyLong_FromUnsignedLong(*(const unsigned short *)field);
    case T_INT:
        return PyLong_FromLong(*(const int *)field);
    case T_UINT:
        return PyLong_FromUnsignedLong(*(const unsigned int *)field);
    case T_LONG:
        return PyLong_FromLong(*(const long *)field);
    case T_ULONG:
        return PyLong_FromUnsignedLong(*(const unsigned long *)field);
    case T_PYSSIZET:
        return PyLong_FromSsize_t(*(const Py_ssize_t *)field);
    case T_LONGLONG:
        return PyLong_FromLongLong(*(const long long *)field);
    case T_ULONGLONG:
        return PyLong_FromUnsignedLongLong(
            *(const unsigned long long *)field);
    case T_FLOAT:
        return PyFloat_FromDouble((double)*(const float *)field);
    case T_DOUBLE:
        return PyFloat_FromDouble(*(const double *)field);
    case T_STRING: {
        const char *text = *(const char *const *)field;
        if (text == NULL) {
            Py_RETURN_NONE;
        }
        return PyUnicode_FromString(text);
    }
    case T_STRING_INPLACE:
        return PyUnicode_FromString(field);
    case T_CHAR:
        return PyUnicode_FromStringAndSize(field, 1);
    case T_OBJECT: {
        PyObject *value = *(PyObject *const *)field;
        return Py_NewRef(value != NULL ? value : Py_None);
    }
    case T_OBJECT_EX: {
        PyObject *value = *(PyObject *const *)field;
        if (value == NULL) {
            PyObject *self = (PyObject *)base;
            PyErr_Format(PyExc_AttributeError,
                         "'%.200s' object has no attribute '%s'",
                         Py_TYPE(self)->tp_name, def->name);
        }
        return Py_XNewRef(value);
    }
    case T_NONE:
        Py_RETURN_NONE;
    default:
        PyErr_SetString(PyExc_SystemError, "bad memberdescr type");
        return NULL;
    }
}

/* For compatibility, values are truncated to narrower integers with a warning. */
static int
warn_truncated(int truncated, const char *type)
{
    if (!truncated) {
        return 0;
    }
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                            "Truncation of value to %s", type);
}

static int
as_long(PyObject *value, long *result)
{
    *result = PyLong_AsLong(value);
    return *result == -1 && PyErr_Occurred() ? -1 : 0;
}

/* Converts to unsigned long. For compatibility, a negative number is accepted with a
   warning. */
static int
as_unsigned(PyObject *value, unsigned long *result)
{
    *result = PyLong_AsUnsignedLong(value);
    if (*result != (unsigned long)-1 || !PyErr_Occurred()) {
        return 0;
    }
    PyErr_Clear();
    *result = (unsigned long)PyLong_AsLong(value);
    if (*result == (unsigned long)-1 && PyErr_Occurred()) {
        return -1;
    }
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                            "Writing negative value into unsigned field");
}

static int
set_small_signed(char *field, int kind, PyObject *value)
{
    long n;
    if (as_long(value, &n) < 0) {
        return -1;
    }
    switch (kind) {
    case T_BYTE:
        *(signed char *)field = (signed char)n;
        return warn_truncated(n > CHAR_MAX || n < CHAR_MIN, "char");
    case T_UBYTE:
        *(unsigned char *)field = (unsigned char)n;
        return warn_truncated(n > UCHAR_MAX || n < 0, "unsigned char");
    case T_SHORT:
        *(short *)field = (short)n;
        return warn_truncated(n > SHRT_MAX || n < SHRT_MIN, "short");
    case T_USHORT:
        *(unsigned short *)field = (unsigned short)n;
        return warn_truncated(n > USHRT_MAX || n < 0, "unsigned short");
    case T_INT:
        *(int *)field = (int)n;
        return warn_truncated(n > INT_MAX || n < INT_MIN, "int");
    default:
        *(long *)field = n;
        return 0;
    }
}

static int
set_unsigned(char *field, int kind, PyObject *value)
{
    unsigned long n;
    if (as_unsigned(value, &n) < 0) {
        return -1;
    }
    if (kind == T_ULONG) {
        *(unsigned long *)field = n;
        return 0;
    }
    *(unsigned int *)field = (unsigned int)n;
    return warn_truncated(n > UINT_MAX, "unsigned int");
}

static int
set_float(char *field, int kind, PyObject *value)
{
    double x = PyFloat_AsDouble(value);
    if (x == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    if (kind == T_FLOAT) {
        *(float *)field = (float)x;
    }
    else {
        *(double *)field = x;
    }
    return 0;
}

static int
set_long_long(char *field, int kind, PyObject *value)
{
    long long n = kind == T_LONGLONG || !PyLong_Check(value)
                  ? PyLong_AsLongLong(value)
                  : (long long)PyLong_AsUnsignedLongLong(value);
    if (n == -1 && PyErr_Occurred()) {
        return -1;
    }
    *(long long *)field = n;
    return 0;
}

int
PyMember_SetOne(char *base, PyMemberDef *def, PyObject *value)
{
    char *field = base + def->offset;
    if (def->flags & READONLY) {
        PyErr_SetString(PyExc_AttributeError, "readonly attribute");
        return -1;
    }
    if (value == NULL) {
        if (def->type == T_OBJECT_EX && *(PyObject **)field == NULL) {
            PyErr_SetString(PyExc_AttributeError, def->name);
            return -1;
        }
        if (def->type != T_OBJECT && def->type != T_OBJECT_EX) {
            PyErr_SetString(PyExc_TypeError,
                            "can't delete numeric/char attribute");
            return -1;
        }
    }
    switch (def->type) {
    case T_BOOL:
        if (!PyBool_Check(value)) {
            PyErr_SetString(PyExc_TypeError,
                            "attribute value type must be bool");
            return -1;
        }
        *field = value == Py_True;
        return 0;
    case T_BYTE:
    case T_UBYTE:
    case T_SHORT:
    case T_USHORT:
    case T_INT:
    case T_LONG:
        return set_small_signed(field, def->type, value);
    case T_UINT:
    case T_ULONG:
        return set_unsigned(field, def->type, value);
    case T_PYSSIZET: {
        Py_ssize_t n = PyLong_AsSsize_t(value);
        if (n == -1 && PyErr_Occurred()) {
            return -1;
        }
        *(Py_ssize_t *)field = n;
        return 0;
    }
    case T_LONGLONG:
    case T_ULONGLONG:
        return set_long_long(field, def->type, value);
    case T_FLOAT:
    case T_DOUBLE:
        return set_float(field, def->type, value);
    case T_OBJECT:
    case T_OBJECT_EX: {
        PyObject *old = *(PyObject **)field;
        *(PyObject **)field = Py_XNewRef(value);
        Py_XDECREF(old);
        return 0;
    }
    case T_CHAR: {
        Py_ssize_t size;
        const char *text = PyUnicode_Check(value)
                           ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
        if (text == NULL || size != 1) {
            PyErr_BadArgument();
            return -1;
        }
        *field = text[0];
        return 0;
    }
    case T_STRING:
    case T_STRING_INPLACE:
        PyErr_SetString(PyExc_TypeError, "readonly attribute");
        return -1;
    default:
        PyErr_Format(PyExc_SystemError, "bad memberdescr type for %s",
                     def->name);
        return -1;
    }
}
