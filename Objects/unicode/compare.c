/* Hash, equality and order of strings. */
#include "private.h"
#include "internal/compare.h"

Py_hash_t
_PyUnicode_Hash(PyObject *op)
{
    if (HASH(op) != -1) {
        return HASH(op);
    }
    if (PyUnicode_READY(op) < 0) {
        return -1;
    }
    return HASH(op) = _Py_HashBytes(DATA(op), LENGTH(op) * KIND(op));
}

/* -------------------------------------------------------------------- order */

#define COMPARE_LOOP(A, B)                              \
    do {                                                \
        const A *p = a;                                 \
        const B *q = b;                                 \
        for (Py_ssize_t i = 0; i < n; i++) {            \
            if (p[i] != q[i]) {                         \
                return (Py_UCS4)p[i] < (Py_UCS4)q[i] ? -1 : 1;  \
            }                                           \
        }                                               \
    } while (0)

static int
compare_units(int kind_a, const void *a, int kind_b, const void *b,
              Py_ssize_t n)
{
    switch (kind_a << 4 | kind_b) {
    case 0x11: {
        int order = memcmp(a, b, (size_t)n);
        return order < 0 ? -1 : order > 0;
    }
    case 0x12: COMPARE_LOOP(Py_UCS1, Py_UCS2); break;
    case 0x14: COMPARE_LOOP(Py_UCS1, Py_UCS4); break;
    case 0x21: COMPARE_LOOP(Py_UCS2, Py_UCS1); break;
    case 0x22: COMPARE_LOOP(Py_UCS2, Py_UCS2); break;
    case 0x24: COMPARE_LOOP(Py_UCS2, Py_UCS4); break;
    case 0x41: COMPARE_LOOP(Py_UCS4, Py_UCS1); break;
    case 0x42: COMPARE_LOOP(Py_UCS4, Py_UCS2); break;
    case 0x44: COMPARE_LOOP(Py_UCS4, Py_UCS4); break;
    }
    return 0;
}

/* Returns -1, 0 or 1. Both strings are ready. */
static int
compare_strings(PyObject *a, PyObject *b)
{
    Py_ssize_t n = Py_MIN(LENGTH(a), LENGTH(b));
    int order = compare_units(KIND(a), DATA(a), KIND(b), DATA(b), n);
    if (order != 0) {
        return order;
    }
    return LENGTH(a) < LENGTH(b) ? -1 : LENGTH(a) > LENGTH(b);
}

int
_PyUnicode_Order(PyObject *a, PyObject *b)
{
    if (KIND(a) != PyUnicode_1BYTE_KIND || KIND(b) != PyUnicode_1BYTE_KIND) {
        return compare_strings(a, b);
    }
    Py_ssize_t na = LENGTH(a), nb = LENGTH(b);
    int order = memcmp(DATA(a), DATA(b), (size_t)Py_MIN(na, nb));
    return order != 0 ? order : (na > nb) - (na < nb);
}

int
PyUnicode_Compare(PyObject *a, PyObject *b)
{
    if (!PyUnicode_Check(a) || !PyUnicode_Check(b)) {
        PyErr_Format(PyExc_TypeError, "Can't compare %.100s and %.100s",
                     Py_TYPE(a)->tp_name, Py_TYPE(b)->tp_name);
        return -1;
    }
    if (PyUnicode_READY(a) < 0 || PyUnicode_READY(b) < 0) {
        return -1;
    }
    return a == b ? 0 : compare_strings(a, b);
}

/* The text is read as Latin-1. A null inside op compares greater than the
   end of the text. */
int
PyUnicode_CompareWithASCIIString(PyObject *op, const char *text)
{
    if (!PyUnicode_Check(op)) {
        return -1;
    }
    if (PyUnicode_READY(op) < 0) {
        PyErr_Clear();
        return -1;
    }
    const Py_ssize_t n = LENGTH(op);
    const size_t size = strlen(text);
    Py_ssize_t common = (size_t)n < size ? n : (Py_ssize_t)size;
    int order = compare_units(KIND(op), DATA(op), 1, text, common);
    if (order != 0) {
        return order;
    }
    return (size_t)n < size ? -1 : (size_t)n > size;
}

PyObject *
PyUnicode_RichCompare(PyObject *a, PyObject *b, int op)
{
    if (!PyUnicode_Check(a) || !PyUnicode_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyUnicode_READY(a) < 0 || PyUnicode_READY(b) < 0) {
        return NULL;
    }
    int truth;
    if (op == Py_EQ || op == Py_NE) {
        truth = _PyUnicode_FastEq(a, b) == (op == Py_EQ);
        return Py_NewRef(truth ? Py_True : Py_False);
    }
    int order = a == b ? 0 : compare_strings(a, b);
    switch (op) {
    case Py_LT: truth = order < 0; break;
    case Py_LE: truth = order <= 0; break;
    case Py_GT: truth = order > 0; break;
    case Py_GE: truth = order >= 0; break;
    default:
        PyErr_BadArgument();
        return NULL;
    }
    return Py_NewRef(truth ? Py_True : Py_False);
}

/* ------------------------------------------------------ equality for C code */

int
_PyUnicode_EQ(PyObject *a, PyObject *b)
{
    return _PyUnicode_FastEq(a, b);
}

int
_PyUnicode_Equal(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 1;
    }
    if (PyUnicode_READY(a) < 0 || PyUnicode_READY(b) < 0) {
        return -1;
    }
    return _PyUnicode_FastEq(a, b);
}

int
_PyUnicode_EqualToASCIIString(PyObject *op, const char *text)
{
    if (PyUnicode_READY(op) < 0) {
        PyErr_Clear();
        return 0;
    }
    const size_t n = strlen(text);
    return IS_ASCII(op) && (size_t)LENGTH(op) == n
        && memcmp(DATA(op), text, n) == 0;
}

int
_PyUnicode_EqualToASCIIId(PyObject *op, _Py_Identifier *id)
{
    PyObject *name = _PyUnicode_FromId(id);
    if (name == NULL) {
        PyErr_Clear();
        return _PyUnicode_EqualToASCIIString(op, id->string);
    }
    return op == name || _PyUnicode_EqualToASCIIString(op, id->string);
}
