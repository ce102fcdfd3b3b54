/* Comparison of what most containers hold, inline: exact ints, strs and floats, and
   tuples of these, both of the same type, and (by a call) of what compares as these do or is of
   different kinds. No Python code runs and nothing can fail, so a container can't change while its
   items are compared. */
#ifndef SB_INTERNAL_COMPARE_H
#define SB_INTERNAL_COMPARE_H

#include "Python.h"
#include "internal/int.h"
#include "internal/unicode.h"

/* `order` is negative, 0 or positive. */
static inline int
_Py_OrderSatisfies(int order, int op)
{
    switch (op) {
    case Py_LT: return order < 0;
    case Py_LE: return order <= 0;
    case Py_EQ: return order == 0;
    case Py_NE: return order != 0;
    case Py_GT: return order > 0;
    default: return order >= 0;
    }
}

static inline int
_Py_CompareDoubles(double x, double y, int op)
{
    switch (op) {
    case Py_LT: return x < y;
    case Py_LE: return x <= y;
    case Py_EQ: return x == y;
    case Py_NE: return x != y;
    case Py_GT: return x > y;
    default: return x >= y;
    }
}

/* Which of two ready strs comes first: negative, 0 or positive. */
int _PyUnicode_Order(PyObject *a, PyObject *b);

/* Of strs. -1: one is not ready. */
static inline int
_PyUnicode_QuickCompare(PyObject *a, PyObject *b, int op)
{
    if (!PyUnicode_IS_READY(a) || !PyUnicode_IS_READY(b)) {
        return -1;
    }
    return op == Py_EQ || op == Py_NE ? _PyUnicode_FastEq(a, b) == (op == Py_EQ)
                                      : _Py_OrderSatisfies(_PyUnicode_Order(a, b), op);
}

/* Of bytes. */
int _PyBytes_QuickCompare(PyObject *a, PyObject *b, int op);

/* a op b, after a's method gave NotImplemented (b's did not go first). */
PyObject *_PyObject_CompareRest(PyObject *a, PyObject *b, int op);

/* The end of _PyObject_QuickCompare() for exact tuples. */
int _PyTuple_QuickCompare(PyObject *a, PyObject *b, int op);

/* The same for operands of two types, or of classes that inherit how they compare: strs, numbers and
   bytes by value, and what modules have taught it; others of different kinds are known not to be
   equal. */
int _PyObject_CompareKinds(PyObject *a, PyObject *b, int op);

/* How two objects of one type compare if they do it by this tp_richcompare: 1, 0, or -1 when that
   has to decide. No Python code runs in it, and it can't fail. */
typedef int (*_PyQuickCompareFunc)(PyObject *a, PyObject *b, int op);
void _PyObject_LearnQuickCompare(richcmpfunc compare, _PyQuickCompareFunc quick);

/* a op b: 1, 0, or -1 when PyObject_RichCompare() has to decide. */
static inline int
_PyObject_QuickCompare(PyObject *a, PyObject *b, int op)
{
    PyTypeObject *type = Py_TYPE(a);
    if (type != Py_TYPE(b)) {
        return _PyObject_CompareKinds(a, b, op);
    }
    if (type == &PyLong_Type) {
        if (_PyLong_CheckCompact(a) && _PyLong_CheckCompact(b)) {
            int64_t x = _PyLong_CompactValue(a), y = _PyLong_CompactValue(b);
            return _Py_OrderSatisfies((x > y) - (x < y), op);
        }
        return _Py_OrderSatisfies(_PyLong_Compare(a, b), op);
    }
    if (type == &PyUnicode_Type) {
        return _PyUnicode_QuickCompare(a, b, op);
    }
    if (type == &PyFloat_Type) {
        return _Py_CompareDoubles(PyFloat_AS_DOUBLE(a), PyFloat_AS_DOUBLE(b),
                                  op);
    }
    return type == &PyTuple_Type ? _PyTuple_QuickCompare(a, b, op)
                                 : _PyObject_CompareKinds(a, b, op);
}

/* PyObject_RichCompare() where the above gave -1. */
PyObject *_PyObject_AskCompare(PyObject *a, PyObject *b, int op);

/* The same as a truth: 1, 0, or -1 with an exception. */
int _PyObject_AskCompareBool(PyObject *a, PyObject *b, int op);

/* Equality of the keys of hash tables: 1, 0, or -1 when their methods have to decide. */
static inline int
_PyObject_QuickEqual(PyObject *a, PyObject *b)
{
    return a == b ? 1 : _PyObject_QuickCompare(a, b, Py_EQ);
}

/* The same for two keys that have one hash: the items of most equal pairs are the same objects. */
static inline int
_PyObject_SameKeys(PyObject *a, PyObject *b)
{
    if (PyTuple_CheckExact(a) && PyTuple_CheckExact(b) && Py_SIZE(a) == 2 && Py_SIZE(b) == 2
        && ((PyTupleObject *)a)->ob_item[0] == ((PyTupleObject *)b)->ob_item[0]
        && ((PyTupleObject *)a)->ob_item[1] == ((PyTupleObject *)b)->ob_item[1]) {
        return 1;
    }
    return _PyObject_QuickEqual(a, b);
}

/* PyObject_RichCompareBool(): identical objects are equal. */
static inline int
_PyObject_CompareBool(PyObject *a, PyObject *b, int op)
{
    if (a == b && (op == Py_EQ || op == Py_NE)) {
        return op == Py_EQ;
    }
    int truth = _PyObject_QuickCompare(a, b, op);
    return truth >= 0 ? truth : _PyObject_AskCompareBool(a, b, op);
}

/* _PyObject_AskCompareBool() for operands that only a container owns: they are held meanwhile,
   because Python code that runs may remove them. */
static inline int
_PyObject_AskCompareHeld(PyObject *a, PyObject *b, int op)
{
    Py_INCREF(a);
    Py_INCREF(b);
    int truth = _PyObject_AskCompareBool(a, b, op);
    Py_DECREF(a);
    Py_DECREF(b);
    return truth;
}

/* _PyObject_CompareBool() for such operands. */
static inline int
_PyObject_CompareHeld(PyObject *a, PyObject *b, int op)
{
    if (a == b && (op == Py_EQ || op == Py_NE)) {
        return op == Py_EQ;
    }
    int truth = _PyObject_QuickCompare(a, b, op);
    return truth >= 0 ? truth : _PyObject_AskCompareHeld(a, b, op);
}

#endif
