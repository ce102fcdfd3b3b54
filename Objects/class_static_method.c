/* staticmethod and classmethod: wrappers that change how a callable is bound. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/callable_wrapper.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"

typedef _PyCallableWrapper wrapper;

#define WRAPPER(op) ((wrapper *)(op))

/* Copies the attributes that functools.wraps() copies. */
static int
copy_attributes(PyObject *self, PyObject *callable)
{
    PyObject *const names[] = {
        _Py_NAME(dunder_module), _Py_NAME(dunder_name),
        _Py_NAME(dunder_qualname), _Py_NAME(dunder_doc),
        _Py_NAME(dunder_annotations),
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        PyObject *value;
        int found = _PyObject_LookupAttr(callable, names[i], &value);
        if (found > 0) {
            found = PyObject_SetAttr(self, names[i], value);
            Py_DECREF(value);
        }
        if (found < 0) {
            return -1;
        }
    }
    return 0;
}

static int
init_wrapper(PyObject *self, PyObject *args, PyObject *kwargs,
             const char *name)
{
    PyObject *callable;
    if (!_PyArg_NoKeywords(name, kwargs)
        || !PyArg_UnpackTuple(args, name, 1, 1, &callable)) {
        return -1;
    }
    Py_INCREF(callable);
    Py_XSETREF(WRAPPER(self)->callable, callable);
    return copy_attributes(self, callable);
}

static PyObject *
new_wrapper(PyTypeObject *type, PyObject *callable)
{
    PyObject *self = PyType_GenericAlloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    WRAPPER(self)->callable = Py_NewRef(callable);
    return self;
}

static void
wrapper_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(WRAPPER(self)->callable);
    Py_XDECREF(WRAPPER(self)->dict);
    Py_TYPE(self)->tp_free(self);
}

static int
wrapper_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(WRAPPER(self)->callable);
    Py_VISIT(WRAPPER(self)->dict);
    return 0;
}

static int
wrapper_clear(PyObject *self)
{
    Py_CLEAR(WRAPPER(self)->callable);
    Py_CLEAR(WRAPPER(self)->dict);
    return 0;
}

static PyObject *
get_isabstractmethod(PyObject *self, void *Py_UNUSED(closure))
{
    int abstract = _PyObject_IsAbstract(WRAPPER(self)->callable);
    return abstract < 0 ? NULL : PyBool_FromLong(abstract);
}

static PyMemberDef wrapper_members[] = {
    {"__func__", T_OBJECT, offsetof(wrapper, callable), READONLY, NULL},
    {"__wrapped__", T_OBJECT, offsetof(wrapper, callable), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef wrapper_getsets[] = {
    {"__isabstractmethod__", get_isabstractmethod, NULL, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

#define COMMON_SLOTS                                                    \
    .tp_basicsize = sizeof(wrapper),                                    \
    .tp_dealloc = wrapper_dealloc,                                      \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE                \
                | Py_TPFLAGS_HAVE_GC,                                   \
    .tp_traverse = wrapper_traverse,                                    \
    .tp_clear = wrapper_clear,                                          \
    .tp_members = wrapper_members,                                      \
    .tp_getset = wrapper_getsets,                                       \
    .tp_dictoffset = offsetof(wrapper, dict),                           \
    .tp_alloc = PyType_GenericAlloc,                                    \
    .tp_new = PyType_GenericNew,                                        \
    .tp_free = PyObject_GC_Del

/* -------------------------------------------------------------- classmethod */

static PyObject *
classmethod_get(PyObject *self, PyObject *obj, PyObject *type)
{
    PyObject *callable = WRAPPER(self)->callable;
    if (callable == NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "uninitialized classmethod object");
        return NULL;
    }
    if (type == NULL) {
        type = (PyObject *)Py_TYPE(obj);
    }
    /* If the wrapped object is a property, get the property's value for the class. */
    descrgetfunc get = Py_TYPE(callable)->tp_descr_get;
    return get != NULL ? get(callable, type, type)
                       : PyMethod_New(callable, type);
}

static int
classmethod_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return init_wrapper(self, args, kwargs, "classmethod");
}

static PyObject *
classmethod_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<classmethod(%R)>", WRAPPER(self)->callable);
}

PyTypeObject PyClassMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "classmethod",
    .tp_repr = classmethod_repr,
    .tp_doc = "classmethod(function) -> method\n\n"
              "A function whose first argument is the class: of the instance "
              "or of the\nclass that it is called on. Usually applied as a "
              "decorator.",
    .tp_descr_get = classmethod_get,
    .tp_init = classmethod_init,
    COMMON_SLOTS,
};

PyObject *
PyClassMethod_New(PyObject *callable)
{
    return new_wrapper(&PyClassMethod_Type, callable);
}

/* ------------------------------------------------------------- staticmethod */

static PyObject *
staticmethod_get(PyObject *self, PyObject *Py_UNUSED(obj),
                 PyObject *Py_UNUSED(type))
{
    PyObject *callable = WRAPPER(self)->callable;
    if (callable == NULL) {
        PyErr_SetString(PyExc_RuntimeError,
                        "uninitialized staticmethod object");
        return NULL;
    }
    return Py_NewRef(callable);
}

static int
staticmethod_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return init_wrapper(self, args, kwargs, "staticmethod");
}

static PyObject *
staticmethod_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return PyObject_Call(WRAPPER(self)->callable, args, kwargs);
}

static PyObject *
staticmethod_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<staticmethod(%R)>",
                                WRAPPER(self)->callable);
}

PyTypeObject PyStaticMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "staticmethod",
    .tp_repr = staticmethod_repr,
    .tp_call = staticmethod_call,
    .tp_doc = "staticmethod(function) -> method\n\n"
              "A function in a class that gets neither instance nor class. "
              "Usually applied\nas a decorator.",
    .tp_descr_get = staticmethod_get,
    .tp_init = staticmethod_init,
    COMMON_SLOTS,
};

PyObject *
PyStaticMethod_New(PyObject *callable)
{
    return new_wrapper(&PyStaticMethod_Type, callable);
}
