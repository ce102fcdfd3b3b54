/* The mapping protocol: PyMapping_*(). */
#include "Python.h"
#include "internal/abstract.h"
#include "internal/names.h"
#include "internal/object.h"

int
PyMapping_Check(PyObject *op)
{
    return op != NULL && Py_TYPE(op)->tp_as_mapping != NULL
           && Py_TYPE(op)->tp_as_mapping->mp_subscript != NULL;
}

Py_ssize_t
PyMapping_Size(PyObject *op)
{
    if (op == NULL) {
        _Py_NullError();
        return -1;
    }
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_as_mapping != NULL
        && type->tp_as_mapping->mp_length != NULL) {
        return type->tp_as_mapping->mp_length(op);
    }
    PyErr_Format(PyExc_TypeError,
                 type->tp_as_sequence != NULL
                 && type->tp_as_sequence->sq_length != NULL
                 ? "%.200s is not a mapping"
                 : "object of type '%.200s' has no len()", type->tp_name);
    return -1;
}

#undef PyMapping_Length
Py_ssize_t
PyMapping_Length(PyObject *op)
{
    return PyMapping_Size(op);
}

PyObject *
PyMapping_GetItemString(PyObject *op, const char *text)
{
    if (text == NULL) {
        return _Py_NullError();
    }
    PyObject *key = PyUnicode_FromString(text);
    if (key == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_GetItem(op, key);
    Py_DECREF(key);
    return result;
}

int
PyMapping_SetItemString(PyObject *op, const char *text, PyObject *value)
{
    if (text == NULL) {
        _Py_NullError();
        return -1;
    }
    PyObject *key = PyUnicode_FromString(text);
    if (key == NULL) {
        return -1;
    }
    int status = PyObject_SetItem(op, key, value);
    Py_DECREF(key);
    return status;
}

static int
has_item(PyObject *item)
{
    if (item == NULL) {
        PyErr_Clear();
        return 0;
    }
    Py_DECREF(item);
    return 1;
}

int
PyMapping_HasKeyString(PyObject *op, const char *text)
{
    return has_item(PyMapping_GetItemString(op, text));
}

int
PyMapping_HasKey(PyObject *op, PyObject *key)
{
    return has_item(PyObject_GetItem(op, key));
}

/* list(op.name()), for op not exactly a dict. */
static PyObject *
list_of_method(PyObject *op, PyObject *name)
{
    PyObject *view = PyObject_CallMethodNoArgs(op, name);
    if (view == NULL) {
        return NULL;
    }
    PyObject *iterator = PyObject_GetIter(view);
    if (iterator == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Format(PyExc_TypeError,
                         "%.200s.%U() returned a non-iterable "
                         "(type %.200s)", Py_TYPE(op)->tp_name, name,
                         Py_TYPE(view)->tp_name);
        }
        Py_DECREF(view);
        return NULL;
    }
    Py_DECREF(view);
    PyObject *result = PySequence_List(iterator);
    Py_DECREF(iterator);
    return result;
}

PyObject *
PyMapping_Keys(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    return PyDict_CheckExact(op) ? PyDict_Keys(op)
                                 : list_of_method(op, _Py_NAME(keys));
}

PyObject *
PyMapping_Items(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    return PyDict_CheckExact(op) ? PyDict_Items(op)
                                 : list_of_method(op, _Py_NAME(items));
}

PyObject *
PyMapping_Values(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    return PyDict_CheckExact(op) ? PyDict_Values(op)
                                 : list_of_method(op, _Py_NAME(values));
}
