/* float and complex from inside.

   Exact floats are recycled through _PyFloat_free_list, linked by ob_refcnt;
   ob_type of a recycled block still is PyFloat_Type. With the limit at 0
   every float passes through PyObject_Malloc and _Py_NewReference. */
#ifndef SB_INTERNAL_FLOAT_H
#define SB_INTERNAL_FLOAT_H

#include "Python.h"

struct _PyFloat_free_list {
    PyFloatObject *head;
    Py_ssize_t count;
    Py_ssize_t limit;
};
extern struct _PyFloat_free_list _PyFloat_free_list;

#define _PyFloat_FREE_LIST_LIMIT 1024

/* 0: empties it, and from then on each number of its kind is allocated by itself. */
void _PyFloat_UseFreeList(int use);

/* Start-up: sys.float_info's type. After PyType_Ready on static types. */
int _PyFloat_InitTypes(void);

PyObject *_PyFloat_AllocFromDouble(double value);

static inline PyObject *
_PyFloat_FromDouble(double value)
{
    PyFloatObject *op = _PyFloat_free_list.head;
    if (__builtin_expect(op == NULL, 0)) {
        return _PyFloat_AllocFromDouble(value);
    }
    _PyFloat_free_list.head = (PyFloatObject *)Py_REFCNT(op);
    _PyFloat_free_list.count--;
    ((PyObject *)op)->ob_refcnt = 1;
    op->ob_fval = value;
    return (PyObject *)op;
}

/* Py_XDECREF() of what may well be a float, as items and attributes are. */
static inline void
_PyFloat_XDECREF(PyObject *op)
{
    if (op == NULL || --op->ob_refcnt != 0) {
        return;
    }
    if (!PyFloat_CheckExact(op) || _PyFloat_free_list.count >= _PyFloat_free_list.limit) {
        _Py_Dealloc(op);
        return;
    }
    op->ob_refcnt = (Py_ssize_t)_PyFloat_free_list.head;
    _PyFloat_free_list.head = (PyFloatObject *)op;
    _PyFloat_free_list.count++;
}

/* The arithmetic of float on doubles. The divisor of the first two must not
   be 0. */
double _PyFloat_FloorDivDouble(double a, double b);
double _PyFloat_RemainderDouble(double a, double b);
PyObject *_PyFloat_PowerDouble(double base, double exponent);
PyObject *_PyFloat_RichCompare(PyObject *a, PyObject *b, int op);

#endif
