/* Cells: variables that a function shares with its inner functions. */
#if !defined(Py_CELLOBJECT_H) && !defined(Py_LIMITED_API)
#define Py_CELLOBJECT_H

_Py_BEGIN_DECLS

typedef struct {
    PyObject_HEAD
    PyObject *ob_ref;       /* NULL: unbound */
} PyCellObject;

PyAPI_DATA(PyTypeObject) PyCell_Type;

#define PyCell_Check(op) Py_IS_TYPE((op), &PyCell_Type)

/* ob may be NULL. Get returns NULL without an exception for an empty cell. If the object
   is not a cell, SystemError is raised. */
PyAPI_FUNC(PyObject *) PyCell_New(PyObject *ob);
PyAPI_FUNC(PyObject *) PyCell_Get(PyObject *cell);
PyAPI_FUNC(int) PyCell_Set(PyObject *cell, PyObject *value);

/* GET returns a borrowed reference. SET steals v, and does not release the old value. */
#define PyCell_GET(op)    (_Py_CAST(PyCellObject *, (op))->ob_ref)
#define PyCell_SET(op, v) ((void)(_Py_CAST(PyCellObject *, (op))->ob_ref = (v)))

_Py_END_DECLS
#endif
