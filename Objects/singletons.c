/* None, NotImplemented, Ellipsis: one object each, never freed. */
#include "Python.h"
#include "internal/object.h"

static PyObject *
no_arguments(const char *name, PyObject *args, PyObject *kwargs,
             PyObject *singleton)
{
    if (PyTuple_GET_SIZE(args) || (kwargs && PyDict_GET_SIZE(kwargs))) {
        PyErr_Format(PyExc_TypeError, "%s takes no arguments", name);
        return NULL;
    }
    return Py_NewRef(singleton);
}

/* Reached only through a wrong Py_DECREF(). */
static void _Py_NO_RETURN
refuse_dealloc(PyObject *Py_UNUSED(self))
{
    Py_FatalError("deallocating a singleton");
}

/* --------------------------------------------------------------------- None */

static PyObject *
none_repr(PyObject *Py_UNUSED(self))
{
    return PyUnicode_FromString("None");
}

static int
none_bool(PyObject *Py_UNUSED(self))
{
    return 0;
}

static PyObject *
none_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    return no_arguments("NoneType", args, kwargs, Py_None);
}

static PyNumberMethods none_as_number = {
    .nb_bool = none_bool,
};

PyTypeObject _PyNone_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "NoneType",
    .tp_dealloc = refuse_dealloc,
    .tp_repr = none_repr,
    .tp_as_number = &none_as_number,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = none_new,
};

PyObject _Py_NoneStruct = {
    .ob_refcnt = _Py_IMMORTAL_REFCNT,
    .ob_type = &_PyNone_Type,
};

/* ----------------------------------------------------------- NotImplemented */

static PyObject *
notimplemented_repr(PyObject *Py_UNUSED(self))
{
    return PyUnicode_FromString("NotImplemented");
}

static PyObject *
notimplemented_reduce(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    return PyUnicode_FromString("NotImplemented");
}

static int
notimplemented_bool(PyObject *Py_UNUSED(self))
{
    if (PyErr_WarnEx(PyExc_DeprecationWarning,
                     "NotImplemented should not be used in a boolean context",
                     1) < 0) {
        return -1;
    }
    return 1;
}

static PyObject *
notimplemented_new(PyTypeObject *Py_UNUSED(type), PyObject *args,
                   PyObject *kwargs)
{
    return no_arguments("NotImplementedType", args, kwargs, Py_NotImplemented);
}

static PyNumberMethods notimplemented_as_number = {
    .nb_bool = notimplemented_bool,
};

static PyMethodDef notimplemented_methods[] = {
    {"__reduce__", notimplemented_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyNotImplemented_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "NotImplementedType",
    .tp_dealloc = refuse_dealloc,
    .tp_repr = notimplemented_repr,
    .tp_as_number = &notimplemented_as_number,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = notimplemented_methods,
    .tp_new = notimplemented_new,
};

PyObject _Py_NotImplementedStruct = {
    .ob_refcnt = _Py_IMMORTAL_REFCNT,
    .ob_type = &_PyNotImplemented_Type,
};

/* ----------------------------------------------------------------- Ellipsis */

static PyObject *
ellipsis_repr(PyObject *Py_UNUSED(self))
{
    return PyUnicode_FromString("Ellipsis");
}

static PyObject *
ellipsis_reduce(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args))
{
    return PyUnicode_FromString("Ellipsis");
}

static PyObject *
ellipsis_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    return no_arguments("EllipsisType", args, kwargs, Py_Ellipsis);
}

static PyMethodDef ellipsis_methods[] = {
    {"__reduce__", ellipsis_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyEllipsis_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "ellipsis",
    .tp_dealloc = refuse_dealloc,
    .tp_repr = ellipsis_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = ellipsis_methods,
    .tp_new = ellipsis_new,
};

PyObject _Py_EllipsisObject = {
    .ob_refcnt = _Py_IMMORTAL_REFCNT,
    .ob_type = &PyEllipsis_Type,
};
