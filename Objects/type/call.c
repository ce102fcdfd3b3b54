/* Calling a class: __new__, then __init__.

   _PyType_Vectorcall() is the usual entry. It passes the arguments on without making a
   tuple, wherever the step is Python code or a function of object's own. */
#include "private.h"
#include "internal/callable_wrapper.h"
#include "internal/tuple.h"

/* -------------------------------------------------- with a tuple and a dict */

static inline PyObject *
new_and_init(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (type->tp_new == NULL) {
        PyErr_Format(PyExc_TypeError, "cannot create '%s' instances",
                     type->tp_name);
        return NULL;
    }
    PyObject *op = type->tp_new(type, args, kwargs);
    op = _PyCall_Checked(_PyThreadState_GET(), (PyObject *)type, op);
    if (op == NULL || !PyObject_TypeCheck(op, type)) {
        return op;
    }
    type = Py_TYPE(op);
    if (type->tp_init != NULL && type->tp_init(op, args, kwargs) < 0) {
        Py_DECREF(op);
        return NULL;
    }
    return op;
}

PyObject *
_PyType_Call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (type == &PyType_Type) {
        Py_ssize_t n = PyTuple_GET_SIZE(args);
        if (n == 1 && kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0) {
            PyErr_SetString(PyExc_TypeError, "type() takes no keyword arguments");
            return NULL;
        }
        if (n == 1) {
            return Py_NewRef(Py_TYPE(PyTuple_GET_ITEM(args, 0)));
        }
        if (n != 3) {
            PyErr_SetString(PyExc_TypeError, "type() takes 1 or 3 arguments");
            return NULL;
        }
    }
    return new_and_init(type, args, kwargs);
}

/* ------------------------------------------------------------ with an array */

int
_PyType_EndInit(PyObject *result)
{
    if (result == NULL) {
        return -1;
    }
    if (result != Py_None) {
        PyErr_Format(PyExc_TypeError,
                     "__init__() should return None, not '%.200s'",
                     Py_TYPE(result)->tp_name);
        Py_DECREF(result);
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

static int
init_by_array(PyThreadState *tstate, PyObject *op, PyObject *const *args,
              size_t nargsf, PyObject *kwnames)
{
    PyTypeObject *type = Py_TYPE(op);
    PyObject *method = _PyType_LookupInline(type, _Py_NAME(dunder_init));
    if (method == NULL) {
        PyErr_SetObject(PyExc_AttributeError, _Py_NAME(dunder_init));
        return -1;
    }
    Py_INCREF(method);
    PyObject *result;
    descrgetfunc get = Py_TYPE(method)->tp_descr_get;
    if (has_flag(Py_TYPE(method), Py_TPFLAGS_METHOD_DESCRIPTOR)) {
        result = _PyObject_VectorcallPrepend(tstate, method, op, args, nargsf,
                                             kwnames);
    }
    else {
        if (get != NULL) {
            Py_SETREF(method, get(method, op, (PyObject *)type));
            if (method == NULL) {
                return -1;
            }
        }
        result = _PyObject_VectorcallTstate(tstate, method, args, nargsf,
                                            kwnames);
    }
    Py_DECREF(method);
    return _PyType_EndInit(result);
}

/* type.__new__: usually a function in a static method. */
static PyObject *
find_new(PyTypeObject *type)
{
    if (Py_IS_TYPE(type, &PyType_Type)) {
        PyObject *method = _PyType_LookupInline(type, _Py_NAME(dunder_new));
        if (method != NULL && Py_IS_TYPE(method, &PyStaticMethod_Type)) {
            PyObject *callable = ((_PyCallableWrapper *)method)->callable;
            if (callable != NULL) {
                return Py_NewRef(callable);
            }
        }
    }
    return PyObject_GetAttr((PyObject *)type, _Py_NAME(dunder_new));
}

static PyObject *
new_by_array(PyThreadState *tstate, PyTypeObject *type,
             PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    PyObject *func = find_new(type);
    if (func == NULL) {
        return NULL;
    }
    PyObject *op = _PyObject_VectorcallPrepend(tstate, func,
                                               (PyObject *)type, args, nargsf,
                                               kwnames);
    Py_DECREF(func);
    return op;
}

static PyObject *
call_with_tuple(PyObject *type, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    PyObject *tuple = _PyTuple_FromArray(args, nargs);
    if (tuple == NULL) {
        return NULL;
    }
    PyObject *kwargs = NULL;
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0) {
        kwargs = _PyStack_AsDict(args + nargs, kwnames);
        if (kwargs == NULL) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    PyObject *result = type == (PyObject *)&PyType_Type
        ? _PyType_Call(type, tuple, kwargs) : new_and_init((PyTypeObject *)type, tuple, kwargs);
    Py_DECREF(tuple);
    Py_XDECREF(kwargs);
    return result;
}

PyObject *
_PyType_Vectorcall(PyObject *self, PyObject *const *args, size_t nargsf,
                   PyObject *kwnames)
{
    PyTypeObject *type = (PyTypeObject *)self;
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    PyThreadState *tstate = _PyThreadState_GET();
    int has_args = nargs > 0
                   || (kwnames != NULL && PyTuple_GET_SIZE(kwnames) > 0);
    PyObject *op;

    if (type == &PyType_Type && nargs == 1 && kwnames == NULL) {
        return Py_NewRef(Py_TYPE(args[0]));
    }
    if (type->tp_new == _PyObject_NewInstance
        && !has_flag(type, Py_TPFLAGS_IS_ABSTRACT)) {
        if (type->tp_init == _PySlot_Init) {
            op = type->tp_alloc(type, 0);
        }
        else if (type->tp_init == _PyObject_InitInstance && !has_args) {
            return type->tp_alloc(type, 0);
        }
        else {
            return call_with_tuple(self, args, nargs, kwnames);
        }
    }
    else if (type->tp_new == slot_new
             && (type->tp_init == _PySlot_Init
                 || type->tp_init == _PyObject_InitInstance)) {
        op = new_by_array(tstate, type, args, nargsf, kwnames);
        if (op == NULL || !PyObject_TypeCheck(op, type)) {
            return op;
        }
        /* __new__ may return an instance of a subclass. */
        initproc init = Py_TYPE(op)->tp_init;
        if (init == _PyObject_InitInstance
            && Py_TYPE(op)->tp_new != _PyObject_NewInstance) {
            return op;
        }
        if (init != _PySlot_Init) {
            PyObject *result = NULL;
            PyObject *method = PyObject_GetAttr(op, _Py_NAME(dunder_init));
            if (method != NULL) {
                result = _PyObject_VectorcallTstate(tstate, method, args,
                                                    nargsf, kwnames);
                Py_DECREF(method);
            }
            if (_PyType_EndInit(result) < 0) {
                Py_DECREF(op);
                return NULL;
            }
            return op;
        }
    }
    else {
        return call_with_tuple(self, args, nargs, kwnames);
    }
    if (op == NULL) {
        return NULL;
    }
    if (init_by_array(tstate, op, args, nargsf, kwnames) < 0) {
        Py_DECREF(op);
        return NULL;
    }
    return op;
}
