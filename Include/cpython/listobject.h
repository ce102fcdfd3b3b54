/* The layout of lists. */
#ifndef Py_CPYTHON_LISTOBJECT_H
#define Py_CPYTHON_LISTOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_VAR_HEAD
    PyObject **ob_item;     /* NULL for an empty list */
    Py_ssize_t allocated;   /* number of items for which ob_item has room; -1 during a sort */
} PyListObject;

#define _PyList_CAST(op) (assert(PyList_Check(op)), _Py_CAST(PyListObject *, (op)))

static inline Py_ssize_t
PyList_GET_SIZE(PyObject *op)
{
    return Py_SIZE(_PyList_CAST(op));
}
#define PyList_GET_SIZE(op) PyList_GET_SIZE(_PyObject_CAST(op))

/* Returns a borrowed reference. */
#define PyList_GET_ITEM(op, index) (_PyList_CAST(op)->ob_item[(index)])

/* Steals value. For new lists only, as the old item is not released. */
static inline void
PyList_SET_ITEM(PyObject *op, Py_ssize_t index, PyObject *value)
{
    _PyList_CAST(op)->ob_item[index] = value;
}
#define PyList_SET_ITEM(op, index, value) \
    PyList_SET_ITEM(_PyObject_CAST(op), (index), _PyObject_CAST(value))

/* Returns None. */
PyAPI_FUNC(PyObject *) _PyList_Extend(PyListObject *self, PyObject *iterable);
PyAPI_FUNC(void) _PyList_DebugMallocStats(FILE *out);

_Py_END_DECLS
#endif
