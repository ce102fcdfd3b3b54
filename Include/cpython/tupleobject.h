/* The layout of tuples. */
#ifndef Py_CPYTHON_TUPLEOBJECT_H
#define Py_CPYTHON_TUPLEOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_VAR_HEAD
    PyObject *ob_item[1];
} PyTupleObject;

#define _PyTuple_CAST(op) (assert(PyTuple_Check(op)), _Py_CAST(PyTupleObject *, (op)))

static inline Py_ssize_t
PyTuple_GET_SIZE(PyObject *op)
{
    return Py_SIZE(_PyTuple_CAST(op));
}
#define PyTuple_GET_SIZE(op) PyTuple_GET_SIZE(_PyObject_CAST(op))

/* Returns a borrowed reference. */
#define PyTuple_GET_ITEM(op, index) (_PyTuple_CAST(op)->ob_item[(index)])

/* Steals value. For new tuples only, as the old item is not released. */
static inline void
PyTuple_SET_ITEM(PyObject *op, Py_ssize_t index, PyObject *value)
{
    _PyTuple_CAST(op)->ob_item[index] = value;
}
#define PyTuple_SET_ITEM(op, index, value) \
    PyTuple_SET_ITEM(_PyObject_CAST(op), (index), _PyObject_CAST(value))

/* Only for a tuple with one reference, which is stolen. On failure *p is NULL. */
PyAPI_FUNC(int) _PyTuple_Resize(PyObject **p, Py_ssize_t newsize);
PyAPI_FUNC(void) _PyTuple_MaybeUntrack(PyObject *op);
PyAPI_FUNC(void) _PyTuple_DebugMallocStats(FILE *out);

_Py_END_DECLS
#endif
