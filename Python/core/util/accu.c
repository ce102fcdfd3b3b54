/* _PyAccu: collects many pieces of text. _json as compiled for 3.11 uses it.

   `small` lists the latest pieces, `large` (or NULL) the joined earlier ones, so that
   millions of tiny strings are not kept alive at the same time. */
#include "Python.h"

typedef struct {
    PyObject *large;
    PyObject *small;
} _PyAccu;

#define SMALL_LIMIT 100000

PyAPI_FUNC(int) _PyAccu_Init(_PyAccu *accu);
PyAPI_FUNC(int) _PyAccu_Accumulate(_PyAccu *accu, PyObject *text);
PyAPI_FUNC(PyObject *) _PyAccu_FinishAsList(_PyAccu *accu);
PyAPI_FUNC(PyObject *) _PyAccu_Finish(_PyAccu *accu);
PyAPI_FUNC(void) _PyAccu_Destroy(_PyAccu *accu);

static PyObject *
join(PyObject *list)
{
    PyObject *empty = PyUnicode_New(0, 0);
    if (empty == NULL) {
        return NULL;
    }
    PyObject *result = PyUnicode_Join(empty, list);
    Py_DECREF(empty);
    return result;
}

static int
flush(_PyAccu *accu)
{
    Py_ssize_t n = PyList_GET_SIZE(accu->small);
    if (n == 0) {
        return 0;
    }
    if (accu->large == NULL) {
        accu->large = PyList_New(0);
        if (accu->large == NULL) {
            return -1;
        }
    }
    PyObject *text = join(accu->small);
    if (text == NULL) {
        return -1;
    }
    int status = PyList_SetSlice(accu->small, 0, n, NULL);
    if (status == 0) {
        status = PyList_Append(accu->large, text);
    }
    Py_DECREF(text);
    return status;
}

int
_PyAccu_Init(_PyAccu *accu)
{
    accu->large = NULL;
    accu->small = PyList_New(0);
    return accu->small == NULL ? -1 : 0;
}

int
_PyAccu_Accumulate(_PyAccu *accu, PyObject *text)
{
    if (PyList_Append(accu->small, text) < 0) {
        return -1;
    }
    return PyList_GET_SIZE(accu->small) < SMALL_LIMIT ? 0 : flush(accu);
}

PyObject *
_PyAccu_FinishAsList(_PyAccu *accu)
{
    int status = flush(accu);
    Py_CLEAR(accu->small);
    if (status < 0) {
        Py_CLEAR(accu->large);
        return NULL;
    }
    PyObject *result = accu->large != NULL ? accu->large : PyList_New(0);
    accu->large = NULL;
    return result;
}

PyObject *
_PyAccu_Finish(_PyAccu *accu)
{
    PyObject *list = _PyAccu_FinishAsList(accu);
    if (list == NULL) {
        return NULL;
    }
    PyObject *result = join(list);
    Py_DECREF(list);
    return result;
}

void
_PyAccu_Destroy(_PyAccu *accu)
{
    Py_CLEAR(accu->small);
    Py_CLEAR(accu->large);
}
