/* bool: True and False, the only two instances. They are never freed. */

#include "internal/int.h"
#include "internal/names.h"
#include "internal/object.h"

struct _longobject _Py_FalseStruct = {
    {{_Py_IMMORTAL_REFCNT, &PyBool_Type}, 0}, {0}
};
struct _longobject _Py_TrueStruct = {
    {{_Py_IMMORTAL_REFCNT, &PyBool_Type}, 1}, {1}
};

PyObject *
PyBool_FromLong(long ok)
{
    return Py_NewRef(ok ? Py_True : Py_False);
}

static PyObject *
bool_repr(PyObject *self)
{
    return Py_NewRef(self == Py_True ? _Py_NAME(True_) : _Py_NAME(False_));
}

static PyObject *
bool_of(PyObject *x)
{
    int truth = PyObject_IsTrue(x);
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}

static PyObject *
bool_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    PyObject *x = Py_False;
    if (kwds != NULL && PyDict_GET_SIZE(kwds) != 0) {
        PyErr_SetString(PyExc_TypeError, "bool() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_UnpackTuple(args, "bool", 0, 1, &x)) {
        return NULL;
    }
    return bool_of(x);
}

static PyObject *
bool_vectorcall(PyObject *Py_UNUSED(type), PyObject *const *args,
                size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0) {
        PyErr_SetString(PyExc_TypeError, "bool() takes no keyword arguments");
        return NULL;
    }
    if (nargs > 1) {
        PyErr_Format(PyExc_TypeError,
                     "bool expected at most 1 argument, got %zd", nargs);
        return NULL;
    }
    return nargs == 0 ? Py_NewRef(Py_False) : bool_of(args[0]);
}

/* Two bools give a bool; anything else goes to int's operation. */
static PyObject *
bool_and(PyObject *a, PyObject *b)
{
    if (!PyBool_Check(a) || !PyBool_Check(b)) {
        return PyLong_Type.tp_as_number->nb_and(a, b);
    }
    return PyBool_FromLong((a == Py_True) & (b == Py_True));
}

static PyObject *
bool_or(PyObject *a, PyObject *b)
{
    if (!PyBool_Check(a) || !PyBool_Check(b)) {
        return PyLong_Type.tp_as_number->nb_or(a, b);
    }
    return PyBool_FromLong((a == Py_True) | (b == Py_True));
}

static PyObject *
bool_xor(PyObject *a, PyObject *b)
{
    if (!PyBool_Check(a) || !PyBool_Check(b)) {
        return PyLong_Type.tp_as_number->nb_xor(a, b);
    }
    return PyBool_FromLong((a == Py_True) ^ (b == Py_True));
}

static PyNumberMethods bool_as_number = {
    .nb_and = bool_and,
    .nb_xor = bool_xor,
    .nb_or = bool_or,
};

/* An extension may drop one reference too many, but not 2**60 of them. */
static void
bool_dealloc(PyObject *Py_UNUSED(self))
{
    Py_FatalError("deallocating True or False: "
                  "an extension has released references it did not own");
}

PyDoc_STRVAR(bool_doc,
"bool(x) -> bool\n\
\n\
True if x is true, False otherwise. True and False are the only instances;\n\
bool is a subclass of int and cannot be subclassed itself.");

PyTypeObject PyBool_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "bool",
    .tp_basicsize = sizeof(struct _longobject),
    .tp_dealloc = bool_dealloc,
    .tp_repr = bool_repr,
    .tp_as_number = &bool_as_number,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_doc = bool_doc,
    .tp_base = &PyLong_Type,
    .tp_new = bool_new,
    .tp_vectorcall = bool_vectorcall,
};
