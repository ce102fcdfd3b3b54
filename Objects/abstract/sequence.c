/* The sequence protocol: PySequence_*(). */
#include "Python.h"
#include "internal/compare.h"
#include "internal/abstract.h"
#include "internal/errors.h"
#include "internal/list.h"
#include "internal/names.h"
#include "internal/object.h"

static int
type_error(const char *format, PyObject *op)
{
    PyErr_Format(PyExc_TypeError, format, Py_TYPE(op)->tp_name);
    return -1;
}

int
PySequence_Check(PyObject *op)
{
    if (PyDict_Check(op)) {
        return 0;
    }
    PySequenceMethods *methods = Py_TYPE(op)->tp_as_sequence;
    return methods != NULL && methods->sq_item != NULL;
}

Py_ssize_t
PySequence_Size(PyObject *op)
{
    if (op == NULL) {
        _Py_NullError();
        return -1;
    }
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_as_sequence != NULL
        && type->tp_as_sequence->sq_length != NULL) {
        return type->tp_as_sequence->sq_length(op);
    }
    if (type->tp_as_mapping != NULL
        && type->tp_as_mapping->mp_length != NULL) {
        return type_error("%.200s is not a sequence", op);
    }
    return type_error("object of type '%.200s' has no len()", op);
}

#undef PySequence_Length
Py_ssize_t
PySequence_Length(PyObject *op)
{
    return PySequence_Size(op);
}

/* --------------------------------------------- concatenation and repetition */

/* Classes written in Python define only __add__, so for two sequences the number
   protocol decides. */
static PyObject *
concat_as_numbers(PyObject *a, PyObject *b, int inplace)
{
    if (PySequence_Check(a) && PySequence_Check(b)) {
        PyObject *result = _PyNumber_TryAdd(a, b, inplace);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    type_error("'%.200s' object can't be concatenated", a);
    return NULL;
}

PyObject *
PySequence_Concat(PyObject *a, PyObject *b)
{
    if (a == NULL || b == NULL) {
        return _Py_NullError();
    }
    PySequenceMethods *methods = Py_TYPE(a)->tp_as_sequence;
    if (methods != NULL && methods->sq_concat != NULL) {
        return methods->sq_concat(a, b);
    }
    return concat_as_numbers(a, b, 0);
}

PyObject *
PySequence_InPlaceConcat(PyObject *a, PyObject *b)
{
    if (a == NULL || b == NULL) {
        return _Py_NullError();
    }
    PySequenceMethods *methods = Py_TYPE(a)->tp_as_sequence;
    if (methods != NULL) {
        if (methods->sq_inplace_concat != NULL) {
            return methods->sq_inplace_concat(a, b);
        }
        if (methods->sq_concat != NULL) {
            return methods->sq_concat(a, b);
        }
    }
    return concat_as_numbers(a, b, 1);
}

static PyObject *
repeat_as_number(PyObject *op, Py_ssize_t count, int inplace)
{
    if (PySequence_Check(op)) {
        PyObject *n = PyLong_FromSsize_t(count);
        if (n == NULL) {
            return NULL;
        }
        PyObject *result = _PyNumber_TryMultiply(op, n, inplace);
        Py_DECREF(n);
        if (result != Py_NotImplemented) {
            return result;
        }
        Py_DECREF(result);
    }
    type_error("'%.200s' object can't be repeated", op);
    return NULL;
}

PyObject *
PySequence_Repeat(PyObject *op, Py_ssize_t count)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    PySequenceMethods *methods = Py_TYPE(op)->tp_as_sequence;
    if (methods != NULL && methods->sq_repeat != NULL) {
        return methods->sq_repeat(op, count);
    }
    return repeat_as_number(op, count, 0);
}

PyObject *
PySequence_InPlaceRepeat(PyObject *op, Py_ssize_t count)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    PySequenceMethods *methods = Py_TYPE(op)->tp_as_sequence;
    if (methods != NULL) {
        if (methods->sq_inplace_repeat != NULL) {
            return methods->sq_inplace_repeat(op, count);
        }
        if (methods->sq_repeat != NULL) {
            return methods->sq_repeat(op, count);
        }
    }
    return repeat_as_number(op, count, 1);
}

/* -------------------------------------------------------------------- items */

/* Adds the length to a negative index where the sequence has one. */
static int
absolute_index(PyObject *op, Py_ssize_t *index)
{
    PySequenceMethods *methods = Py_TYPE(op)->tp_as_sequence;
    if (*index < 0 && methods->sq_length != NULL) {
        Py_ssize_t length = methods->sq_length(op);
        if (length < 0) {
            return -1;
        }
        *index += length;
    }
    return 0;
}

static int
is_mapping(PyObject *op)
{
    PyMappingMethods *methods = Py_TYPE(op)->tp_as_mapping;
    return methods != NULL && methods->mp_subscript != NULL;
}

PyObject *
PySequence_GetItem(PyObject *op, Py_ssize_t i)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    PySequenceMethods *methods = Py_TYPE(op)->tp_as_sequence;
    if (methods != NULL && methods->sq_item != NULL) {
        if (absolute_index(op, &i) < 0) {
            return NULL;
        }
        return methods->sq_item(op, i);
    }
    type_error(is_mapping(op) ? "%.200s is not a sequence"
                              : "'%.200s' object does not support indexing",
               op);
    return NULL;
}

static int
store_item(PyObject *op, Py_ssize_t i, PyObject *value, const char *refusal)
{
    if (op == NULL) {
        _Py_NullError();
        return -1;
    }
    PySequenceMethods *methods = Py_TYPE(op)->tp_as_sequence;
    if (methods != NULL && methods->sq_ass_item != NULL) {
        if (absolute_index(op, &i) < 0) {
            return -1;
        }
        return methods->sq_ass_item(op, i, value);
    }
    PyMappingMethods *mapping = Py_TYPE(op)->tp_as_mapping;
    if (mapping != NULL && mapping->mp_ass_subscript != NULL) {
        return type_error("%.200s is not a sequence", op);
    }
    return type_error(refusal, op);
}

int
PySequence_SetItem(PyObject *op, Py_ssize_t i, PyObject *value)
{
    return store_item(op, i, value,
                      "'%.200s' object does not support item assignment");
}

int
PySequence_DelItem(PyObject *op, Py_ssize_t i)
{
    return store_item(op, i, NULL,
                      "'%.200s' object doesn't support item deletion");
}

/* ------------------------------------------------------------------- slices */

static PyObject *
make_slice(Py_ssize_t start, Py_ssize_t stop)
{
    PyObject *low = PyLong_FromSsize_t(start);
    PyObject *high = PyLong_FromSsize_t(stop);
    PyObject *slice = low && high ? PySlice_New(low, high, NULL) : NULL;
    Py_XDECREF(low);
    Py_XDECREF(high);
    return slice;
}

PyObject *
PySequence_GetSlice(PyObject *op, Py_ssize_t start, Py_ssize_t stop)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    if (!is_mapping(op)) {
        type_error("'%.200s' object is unsliceable", op);
        return NULL;
    }
    PyObject *slice = make_slice(start, stop);
    if (slice == NULL) {
        return NULL;
    }
    PyObject *result = Py_TYPE(op)->tp_as_mapping->mp_subscript(op, slice);
    Py_DECREF(slice);
    return result;
}

static int
store_slice(PyObject *op, Py_ssize_t start, Py_ssize_t stop, PyObject *value,
            const char *refusal)
{
    if (op == NULL) {
        _Py_NullError();
        return -1;
    }
    PyMappingMethods *methods = Py_TYPE(op)->tp_as_mapping;
    if (methods == NULL || methods->mp_ass_subscript == NULL) {
        return type_error(refusal, op);
    }
    PyObject *slice = make_slice(start, stop);
    if (slice == NULL) {
        return -1;
    }
    int status = methods->mp_ass_subscript(op, slice, value);
    Py_DECREF(slice);
    return status;
}

int
PySequence_SetSlice(PyObject *op, Py_ssize_t start, Py_ssize_t stop,
                    PyObject *value)
{
    return store_slice(op, start, stop, value,
                       "'%.200s' object doesn't support slice assignment");
}

int
PySequence_DelSlice(PyObject *op, Py_ssize_t start, Py_ssize_t stop)
{
    return store_slice(op, start, stop, NULL,
                       "'%.200s' object doesn't support slice deletion");
}

/* --------------------------------------------------------------- conversion */

PyObject *
PySequence_List(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    PyObject *none = _PyList_Extend((PyListObject *)list, op);
    if (none == NULL) {
        Py_DECREF(list);
        return NULL;
    }
    Py_DECREF(none);
    return list;
}

/* Most tuples that are made from an iterator are short: so many items need no list. */
#define SHORT_TUPLE 16

/* Steals the n items that the iterator has given already, on failure too. */
static PyObject *
long_tuple(PyObject *iterator, PyObject *const *items, Py_ssize_t n, Py_ssize_t room)
{
    /* Nobody else sees this list, since it is not tracked. */
    PyListObject *list = _PyList_WithRoomSteal(items, n, room);
    if (list == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (_PyList_TakeAll(list, iterator) == 0) {
        n = Py_SIZE(list);
        Py_SET_SIZE(list, 0);
        result = _PyTuple_FromArraySteal(list->ob_item, n);
    }
    Py_DECREF(list);
    return result;
}

static PyObject *
tuple_from_iterable(PyObject *op)
{
    PyObject *iterator = PyObject_GetIter(op);
    if (iterator == NULL) {
        return NULL;
    }
    Py_ssize_t hint = PyObject_LengthHint(op, 0);
    if (hint < 0) {
        Py_DECREF(iterator);
        return NULL;
    }
    PyObject *items[SHORT_TUPLE], *item, *result = NULL;
    Py_ssize_t n = 0;
    if (hint <= SHORT_TUPLE) {
        iternextfunc next = Py_TYPE(iterator)->tp_iternext;
        while (n < SHORT_TUPLE && (item = next(iterator)) != NULL) {
            items[n++] = item;
        }
    }
    if (hint > SHORT_TUPLE || n == SHORT_TUPLE) {
        result = long_tuple(iterator, items, n, Py_MAX(hint, 2 * n));
    }
    else if (_PyErr_DropStopIteration() == 0) {
        result = _PyTuple_FromArraySteal(items, n);
    }
    else {
        while (--n >= 0) {
            Py_DECREF(items[n]);
        }
    }
    Py_DECREF(iterator);
    return result;
}

PyObject *
PySequence_Tuple(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    if (PyTuple_CheckExact(op)) {
        return Py_NewRef(op);
    }
    if (PyList_CheckExact(op)) {
        return PyList_AsTuple(op);
    }
    return tuple_from_iterable(op);
}

PyObject *
PySequence_Fast(PyObject *op, const char *message)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    if (PyList_CheckExact(op) || PyTuple_CheckExact(op)) {
        return Py_NewRef(op);
    }
    PyObject *iterator = PyObject_GetIter(op);
    if (iterator == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_SetString(PyExc_TypeError, message);
        }
        return NULL;
    }
    PyObject *list = PySequence_List(iterator);
    Py_DECREF(iterator);
    return list;
}

/* ------------------------------------------------------------------- search */

Py_ssize_t
_PySequence_IterSearch(PyObject *seq, PyObject *op, int operation)
{
    if (seq == NULL || op == NULL) {
        _Py_NullError();
        return -1;
    }
    PyObject *iterator = PyObject_GetIter(seq);
    if (iterator == NULL) {
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            type_error("argument of type '%.200s' is not iterable", seq);
        }
        return -1;
    }
    Py_ssize_t result = -1;
    Py_ssize_t count = 0;               /* items seen, or matches for COUNT */
    int wrapped = 0;
    PyObject *item;
    while ((item = PyIter_Next(iterator)) != NULL) {
        int equal = _PyObject_CompareBool(item, op, Py_EQ);
        Py_DECREF(item);
        if (equal < 0) {
            goto done;
        }
        if (equal && operation == PY_ITERSEARCH_CONTAINS) {
            result = 1;
            goto done;
        }
        if (equal && operation == PY_ITERSEARCH_INDEX) {
            if (wrapped) {
                PyErr_SetString(PyExc_OverflowError,
                                "index exceeds C integer size");
                goto done;
            }
            result = count;
            goto done;
        }
        if (equal && operation == PY_ITERSEARCH_COUNT
            && count == PY_SSIZE_T_MAX) {
            PyErr_SetString(PyExc_OverflowError,
                            "count exceeds C integer size");
            goto done;
        }
        if (equal || operation == PY_ITERSEARCH_INDEX) {
            if (count == PY_SSIZE_T_MAX) {
                wrapped = 1;
            }
            else {
                count++;
            }
        }
    }
    if (PyErr_Occurred()) {
        goto done;
    }
    if (operation == PY_ITERSEARCH_INDEX) {
        PyErr_SetString(PyExc_ValueError,
                        "sequence.index(x): x not in sequence");
        goto done;
    }
    result = operation == PY_ITERSEARCH_COUNT ? count : 0;
done:
    Py_DECREF(iterator);
    return result;
}

int
PySequence_Contains(PyObject *seq, PyObject *op)
{
    PySequenceMethods *methods = Py_TYPE(seq)->tp_as_sequence;
    if (methods != NULL && methods->sq_contains != NULL) {
        return methods->sq_contains(seq, op);
    }
    return (int)_PySequence_IterSearch(seq, op, PY_ITERSEARCH_CONTAINS);
}

#undef PySequence_In
int
PySequence_In(PyObject *seq, PyObject *op)
{
    return PySequence_Contains(seq, op);
}

Py_ssize_t
PySequence_Count(PyObject *seq, PyObject *op)
{
    return _PySequence_IterSearch(seq, op, PY_ITERSEARCH_COUNT);
}

Py_ssize_t
PySequence_Index(PyObject *seq, PyObject *op)
{
    return _PySequence_IterSearch(seq, op, PY_ITERSEARCH_INDEX);
}

/* ----------------------------------------- arrays of C strings, for exec*() */

char *const *
_PySequence_BytesToCharpArray(PyObject *self)
{
    Py_ssize_t argc = PySequence_Size(self);
    if (argc < 0) {
        return NULL;
    }
    if (argc > PY_SSIZE_T_MAX / (Py_ssize_t)sizeof(char *) - 1) {
        PyErr_NoMemory();
        return NULL;
    }
    char **array = PyMem_Calloc(argc + 1, sizeof(char *));
    if (array == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < argc; i++) {
        PyObject *item = PySequence_GetItem(self, i);
        char *data;
        Py_ssize_t size;
        if (item == NULL
            || PyBytes_AsStringAndSize(item, &data, &size) < 0) {
            Py_XDECREF(item);
            goto error;
        }
        array[i] = PyMem_Malloc(size + 1);
        if (array[i] == NULL) {
            PyErr_NoMemory();
            Py_DECREF(item);
            goto error;
        }
        memcpy(array[i], data, size + 1);
        Py_DECREF(item);
    }
    return array;
error:
    _Py_FreeCharPArray(array);
    return NULL;
}

void
_Py_FreeCharPArray(char *const array[])
{
    for (Py_ssize_t i = 0; array[i] != NULL; i++) {
        PyMem_Free(array[i]);
    }
    PyMem_Free((void *)array);
}
