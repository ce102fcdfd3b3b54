/* Cells: variables that closures share. */
#include "Python.h"
#include <stddef.h>
#include "internal/gcstate.h"
#include "internal/object.h"
#include "internal/spare.h"

/* A function with cells of its own makes them at each call. */
static _PySpareObjects spare = _PySpareObjects_INIT(32);

PyObject *
PyCell_New(PyObject *value)
{
    PyCellObject *cell = (PyCellObject *)_PySpare_Take(&spare, &PyCell_Type);
    if (cell == NULL && (cell = PyObject_GC_New(PyCellObject, &PyCell_Type)) == NULL) {
        return NULL;
    }
    cell->ob_ref = Py_XNewRef(value);
    _PyObject_GC_TRACK((PyObject *)cell);
    return (PyObject *)cell;
}

PyObject *
PyCell_Get(PyObject *cell)
{
    if (!PyCell_Check(cell)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return Py_XNewRef(PyCell_GET(cell));
}

int
PyCell_Set(PyObject *cell, PyObject *value)
{
    if (!PyCell_Check(cell)) {
        PyErr_BadInternalCall();
        return -1;
    }
    PyObject *old = PyCell_GET(cell);
    PyCell_SET(cell, Py_XNewRef(value));
    Py_XDECREF(old);
    return 0;
}

static PyObject *
cell_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    PyObject *value = NULL;
    if (!_PyArg_NoKeywords("cell", kwargs)
        || !PyArg_UnpackTuple(args, "cell", 0, 1, &value)) {
        return NULL;
    }
    return PyCell_New(value);
}

static void
cell_dealloc(PyObject *self)
{
    _PyObject_GC_UNTRACK(self);
    Py_XDECREF(PyCell_GET(self));
    if (!_PySpare_Keep(&spare, self)) {
        PyObject_GC_Del(self);
    }
}

static int
cell_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(PyCell_GET(self));
    return 0;
}

static int
cell_clear(PyObject *self)
{
    Py_CLEAR(((PyCellObject *)self)->ob_ref);
    return 0;
}

/* Compared by contents. An empty cell is less than any other. */
static PyObject *
cell_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyCell_Check(a) || !PyCell_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *x = PyCell_GET(a), *y = PyCell_GET(b);
    if (x != NULL && y != NULL) {
        return PyObject_RichCompare(x, y, op);
    }
    Py_RETURN_RICHCOMPARE(y == NULL, x == NULL, op);
}

static PyObject *
cell_repr(PyObject *self)
{
    PyObject *value = PyCell_GET(self);
    if (value == NULL) {
        return PyUnicode_FromFormat("<cell at %p: empty>", self);
    }
    return PyUnicode_FromFormat("<cell at %p: %.80s object at %p>", self,
                                Py_TYPE(value)->tp_name, value);
}

static PyObject *
get_contents(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *value = PyCell_GET(self);
    if (value == NULL) {
        PyErr_SetString(PyExc_ValueError, "Cell is empty");
    }
    return Py_XNewRef(value);
}

static int
set_contents(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    return PyCell_Set(self, value);
}

static PyGetSetDef cell_getsets[] = {
    {"cell_contents", get_contents, set_contents, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyCell_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "cell",
    .tp_basicsize = sizeof(PyCellObject),
    .tp_dealloc = cell_dealloc,
    .tp_repr = cell_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "cell([contents])\n--\n\n"
              "A cell that holds contents, or an empty one.",
    .tp_traverse = cell_traverse,
    .tp_clear = cell_clear,
    .tp_richcompare = cell_richcompare,
    .tp_getset = cell_getsets,
    .tp_new = cell_new,
};
