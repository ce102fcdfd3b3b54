/* An extension of the limited API that compiles for every version of it; C and C++. */
#include <Python.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    PyObject *held;
    int number;
} Holder;

static PyObject *
holder_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<Holder %d>", ((Holder *)self)->number);
}

static int
holder_init(PyObject *self, PyObject *args, PyObject *Py_UNUSED(kwargs))
{
    PyObject *held = NULL;
    if (!PyArg_ParseTuple(args, "Oi:Holder", &held, &((Holder *)self)->number)) {
        return -1;
    }
    Py_INCREF(held);
    Py_XDECREF(((Holder *)self)->held);
    ((Holder *)self)->held = held;
    return 0;
}

static void
holder_dealloc(PyObject *self)
{
    PyObject *type = (PyObject *)Py_TYPE(self);
    Py_CLEAR(((Holder *)self)->held);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyMemberDef holder_members[] = {
    {(char *)"held", T_OBJECT_EX, offsetof(Holder, held), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyType_Slot holder_slots[] = {
    {Py_tp_repr, (void *)holder_repr},
    {Py_tp_init, (void *)holder_init},
    {Py_tp_dealloc, (void *)holder_dealloc},
    {Py_tp_members, (void *)holder_members},
    {0, NULL}
};

static PyType_Spec holder_spec = {
    "limited.Holder", sizeof(Holder), 0, Py_TPFLAGS_DEFAULT, holder_slots
};

static PyObject *
total(PyObject *Py_UNUSED(module), PyObject *iterable)
{
    PyObject *iterator = PyObject_GetIter(iterable);
    PyObject *sum = PyLong_FromLong(0), *item;
    if (iterator == NULL) {
        Py_XDECREF(sum);
        return NULL;
    }
    while (sum != NULL && (item = PyIter_Next(iterator)) != NULL) {
        PyObject *next = PyNumber_Add(sum, item);
        Py_DECREF(item);
        Py_DECREF(sum);
        sum = next;
    }
    Py_DECREF(iterator);
    if (PyErr_Occurred()) {
        Py_XDECREF(sum);
        return NULL;
    }
    return sum;
}

static PyObject *
nothing(PyObject *Py_UNUSED(module), PyObject *arg)
{
    if (PyTuple_Check(arg) && PyTuple_Size(arg) == 0) {
        Py_INCREF(Py_True);
        return Py_True;
    }
    Py_INCREF(Py_None);
    return Py_None;
}

static PyMethodDef functions[] = {
    {"total", total, METH_O, NULL},
    {"nothing", nothing, METH_O, NULL},
    {NULL, NULL, 0, NULL}
};

static PyModuleDef limited_module = {
    PyModuleDef_HEAD_INIT, "limited", NULL, -1, functions, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_limited(void)
{
    PyObject *module = PyModule_Create(&limited_module);
    PyObject *holder = PyType_FromSpec(&holder_spec);
    if (module == NULL || holder == NULL || PyModule_AddObject(module, "Holder", holder) < 0
        || PyModule_AddIntConstant(module, "level", Py_LIMITED_API) < 0) {
        Py_XDECREF(holder);
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
