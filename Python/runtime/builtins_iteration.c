/* The functions of `builtins` that go through iterables: all, any, iter, next, aiter, anext,
   sorted, sum, min, max. */
#include "Python.h"
#include "internal/compare.h"
#include "internal/containers.h"
#include "internal/errors.h"
#include "internal/getargs.h"
#include "internal/list.h"
#include "internal/method_call.h"
#include "internal/names.h"
#include "internal/range.h"
#include "internal/truth.h"
#include "builtins.h"

static PyObject *
any_or_all(PyObject *iterable, int stop_at)
{
    PyObject *it = PyObject_GetIter(iterable);
    if (it == NULL) {
        return NULL;
    }
    PyObject *item;
    while ((item = _PyIter_Step(it)) != NULL) {
        int truth = _PyObject_KnownTruth(item);
        if (truth < 0) {
            truth = PyObject_IsTrue(item);
        }
        Py_DECREF(item);
        if (truth < 0) {
            Py_DECREF(it);
            return NULL;
        }
        if (truth == stop_at) {
            Py_DECREF(it);
            return PyBool_FromLong(stop_at);
        }
    }
    Py_DECREF(it);
    if (_PyErr_DropStopIteration() < 0) {
        return NULL;
    }
    return PyBool_FromLong(!stop_at);
}

PyObject *
_PyBuiltin_All(PyObject *Py_UNUSED(module), PyObject *iterable)
{
    return any_or_all(iterable, 0);
}

PyObject *
_PyBuiltin_Any(PyObject *Py_UNUSED(module), PyObject *iterable)
{
    return any_or_all(iterable, 1);
}

PyObject *
_PyBuiltin_Iter(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("iter", nargs, 1, 2)) {
        return NULL;
    }
    if (nargs == 1) {
        return PyObject_GetIter(args[0]);
    }
    if (!PyCallable_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "iter(v, w): v must be callable");
        return NULL;
    }
    return PyCallIter_New(args[0], args[1]);
}

PyObject *
_PyBuiltin_Next(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("next", nargs, 1, 2)) {
        return NULL;
    }
    PyObject *it = args[0];
    if (!PyIter_Check(it)) {
        return PyErr_Format(PyExc_TypeError, "'%.200s' object is not an iterator",
                            Py_TYPE(it)->tp_name);
    }
    PyObject *item = Py_TYPE(it)->tp_iternext(it);
    if (item != NULL) {
        return item;
    }
    if (nargs == 2) {
        if (_PyErr_DropStopIteration() < 0) {
            return NULL;
        }
        return Py_NewRef(args[1]);
    }
    if (!PyErr_Occurred()) {
        PyErr_SetNone(PyExc_StopIteration);
    }
    return NULL;
}

PyObject *
_PyBuiltin_Aiter(PyObject *Py_UNUSED(module), PyObject *obj)
{
    return PyObject_GetAIter(obj);
}

PyObject *
_PyBuiltin_Anext(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("anext", nargs, 1, 2)) {
        return NULL;
    }
    PyAsyncMethods *async = Py_TYPE(args[0])->tp_as_async;
    if (async == NULL || async->am_anext == NULL) {
        return PyErr_Format(PyExc_TypeError,
                            "'%.200s' object is not an async iterator",
                            Py_TYPE(args[0])->tp_name);
    }
    PyObject *awaitable = async->am_anext(args[0]);
    if (awaitable == NULL || nargs == 1) {
        return awaitable;
    }
    PyObject *guarded = _PyAnextAwaitable_New(awaitable, args[1]);
    Py_DECREF(awaitable);
    return guarded;
}

PyObject *
_PyBuiltin_Sorted(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
                  PyObject *kwnames)
{
    if (!_PyArg_CheckPositional("sorted", nargs, 1, 1)) {
        return NULL;
    }
    PyObject *list = PySequence_List(args[0]);
    if (list == NULL) {
        return NULL;
    }
    /* As a call of list.sort() counts towards the limit of recursion. */
    PyObject *result = NULL;
    if (!_Py_EnterRecursiveCall(" while calling a Python object")) {
        result = _PyList_Sort(list, args + 1, nargs - 1, kwnames);
        _Py_LeaveRecursiveCall();
    }
    if (result == NULL) {
        Py_DECREF(list);
        return NULL;
    }
    Py_DECREF(result);
    return list;
}

/* total + item. Steals both. If total is NULL, the error that caused it stays set. */
static PyObject *
add_item(PyObject *total, PyObject *item)
{
    PyObject *sum = total == NULL ? NULL : PyNumber_Add(total, item);
    Py_XDECREF(total);
    Py_DECREF(item);
    return sum;
}

/* Adds machine ints as long as the sum fits, then machine floats, then uses __add__. */
static PyObject *
sum_items(PyObject *it, PyObject *total)
{
    PyObject *item = NULL;

    if (PyLong_CheckExact(total)) {
        int overflow;
        long acc = PyLong_AsLongAndOverflow(total, &overflow);
        if (!overflow) {
            while ((item = _PyIter_Step(it)) != NULL) {
                int64_t value;
                long sum;
                if (PyLong_CheckExact(item) && _PyLong_CheckCompact(item)) {
                    value = _PyLong_CompactValue(item);
                }
                else if ((!PyLong_CheckExact(item) && !PyBool_Check(item))
                         || !_PyLong_AsInt64Exact(item, &value)) {
                    break;
                }
                if (__builtin_saddl_overflow(acc, value, &sum)) {
                    break;
                }
                acc = sum;
                Py_DECREF(item);
            }
            Py_DECREF(total);
            total = PyLong_FromLong(acc);
            total = item == NULL ? total : add_item(total, item);
            if (item == NULL || total == NULL) {
                return total;
            }
        }
    }
    if (PyFloat_CheckExact(total)) {
        double acc = PyFloat_AS_DOUBLE(total);
        while ((item = _PyIter_Step(it)) != NULL) {
            if (PyFloat_CheckExact(item)) {
                acc += PyFloat_AS_DOUBLE(item);
            }
            else if (PyLong_Check(item)) {
                int overflow;
                long value = PyLong_AsLongAndOverflow(item, &overflow);
                if (overflow) {
                    break;
                }
                acc += (double)value;
            }
            else {
                break;
            }
            Py_DECREF(item);
        }
        Py_DECREF(total);
        total = PyFloat_FromDouble(acc);
        total = item == NULL ? total : add_item(total, item);
        if (item == NULL || total == NULL) {
            return total;
        }
    }
    while ((item = _PyIter_Step(it)) != NULL) {
        total = add_item(total, item);
        if (total == NULL) {
            return NULL;
        }
    }
    return total;
}

/* The sum of a list or tuple of ints of a machine word and floats, from 0 on, as sum_items() has
   it; NULL, without an exception: it holds something else. Nothing runs that could change a
   list. */
static PyObject *
sum_sequence(PyObject *sequence)
{
    PyObject *const *item = PySequence_Fast_ITEMS(sequence);
    PyObject *const *end = item + PySequence_Fast_GET_SIZE(sequence);
    long sum = 0;
    for (; item < end; item++) {
        int64_t value;
        if (PyLong_CheckExact(*item) && _PyLong_CheckCompact(*item)) {
            value = _PyLong_CompactValue(*item);
        }
        else if (PyFloat_CheckExact(*item)) {
            break;
        }
        else if ((!PyLong_CheckExact(*item) && !PyBool_Check(*item))
                 || !_PyLong_AsInt64Exact(*item, &value)) {
            return NULL;
        }
        if (__builtin_saddl_overflow(sum, value, &sum)) {
            return NULL;
        }
    }
    if (item == end) {
        return PyLong_FromLong(sum);
    }
    double total = (double)sum;
    for (; item < end; item++) {
        int64_t value;
        if (PyFloat_CheckExact(*item)) {
            total += PyFloat_AS_DOUBLE(*item);
        }
        else if (PyLong_CheckExact(*item) && _PyLong_AsInt64Exact(*item, &value)) {
            total += (double)value;
        }
        else {
            return NULL;
        }
    }
    return PyFloat_FromDouble(total);
}

static PyObject *
sum_bytes(const char *bytes, Py_ssize_t n)
{
    long sum = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        sum += (unsigned char)bytes[i];
    }
    return PyLong_FromLong(sum);
}

/* NULL, without an exception: it is not one of machine words. */
static PyObject *
sum_range(const _PyRangeObject *range)
{
    int64_t start, step, n;
    if (!_PyLong_AsInt64Exact(range->start, &start) || !_PyLong_AsInt64Exact(range->step, &step)
        || !_PyLong_AsInt64Exact(range->length, &n)) {
        return NULL;
    }
    /* The parts may overflow: the sum, less than 2 ** 63 words, does not. */
    unsigned __int128 count = (unsigned __int128)n;
    unsigned __int128 sum = count * (unsigned __int128)start
                            + count * (count - 1) / 2 * (unsigned __int128)step;
    return _PyLong_FromInt128((__int128)sum);
}

/* sum() of an iterable whose items can be added where they are. NULL, without an exception: it has
   to be asked for them. */
static PyObject *
sum_in_place(PyObject *iterable)
{
    PyTypeObject *type = Py_TYPE(iterable);
    return type == &PyList_Type || type == &PyTuple_Type ? sum_sequence(iterable)
           : type == &PyBytes_Type
           ? sum_bytes(PyBytes_AS_STRING(iterable), PyBytes_GET_SIZE(iterable))
           : type == &PyRange_Type ? sum_range((_PyRangeObject *)iterable)
           : type == &PyByteArray_Type
           ? sum_bytes(PyByteArray_AS_STRING(iterable), PyByteArray_GET_SIZE(iterable)) : NULL;
}

PyObject *
_PyBuiltin_Sum(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    static const char *const keywords[] = {"", "start", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "sum", 0};
    PyObject *got[2] = {nargs == 1 ? args[0] : NULL, NULL};
    if ((nargs != 1 || kwnames != NULL)
        && _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 2, 0, got) == NULL) {
        return NULL;
    }
    PyObject *start = got[1];
    PyObject *sum = start == NULL ? sum_in_place(got[0]) : NULL;
    if (sum != NULL || (start == NULL && PyErr_Occurred())) {
        return sum;
    }
    PyObject *it = PyObject_GetIter(got[0]);
    if (it == NULL) {
        return NULL;
    }
    if (start != NULL) {
        const char *instead = NULL, *what = NULL;
        if (PyUnicode_Check(start)) {
            what = "strings", instead = "''.join(seq)";
        }
        else if (PyBytes_Check(start)) {
            what = "bytes", instead = "b''.join(seq)";
        }
        else if (PyByteArray_Check(start)) {
            what = "bytearray", instead = "b''.join(seq)";
        }
        if (what != NULL) {
            Py_DECREF(it);
            return PyErr_Format(PyExc_TypeError, "sum() can't sum %s [use %s instead]",
                                what, instead);
        }
    }
    PyObject *total = start == NULL ? PyLong_FromLong(0) : Py_NewRef(start);
    if (total != NULL) {
        total = sum_items(it, total);
    }
    Py_DECREF(it);
    if (total != NULL && _PyErr_DropStopIteration() < 0) {
        Py_DECREF(total);
        return NULL;
    }
    return total;
}

/* min() and max(): op is Py_LT or Py_GT. */
static PyObject *
extreme(const char *name, int op, PyObject *const *args, Py_ssize_t nargs,
        PyObject *kwnames)
{
    static const char *const names[] = {"key", "default", NULL};
    PyObject *options[2] = {NULL, NULL};
    if (nargs == 0) {
        return PyErr_Format(PyExc_TypeError,
                            "%s expected at least 1 argument, got 0", name);
    }
    if (_PyBuiltin_KeywordsOnly(name, args + nargs, kwnames, names, options) < 0) {
        return NULL;
    }
    PyObject *key = options[0] == Py_None ? NULL : options[0];
    PyObject *fallback = options[1];
    if (nargs > 1 && fallback != NULL) {
        return PyErr_Format(PyExc_TypeError,
                            "Cannot specify a default for %s() with multiple "
                            "positional arguments", name);
    }
    PyObject *it = NULL;
    if (nargs == 1) {
        it = PyObject_GetIter(args[0]);
        if (it == NULL) {
            return NULL;
        }
    }
    /* Without a key function, the keys are the items: borrowed from them. */
    PyObject *best = NULL, *best_key = NULL;
    PyObject *item = NULL, *item_key = NULL;
    for (Py_ssize_t i = 0;; i++) {
        if (it != NULL) {
            item = _PyIter_Step(it);
        }
        else {
            item = i < nargs ? Py_NewRef(args[i]) : NULL;
        }
        if (item == NULL) {
            break;
        }
        item_key = key == NULL ? item : _PyCall_WithItem(key, item);
        if (item_key == NULL) {
            goto error;
        }
        int better = 1;
        if (best != NULL) {
            better = _PyObject_CompareBool(item_key, best_key, op);
            if (better < 0) {
                goto error;
            }
        }
        PyObject *loser = item, *loser_key = item_key;
        if (better) {
            loser = best, loser_key = best_key;
            best = item, best_key = item_key;
        }
        Py_XDECREF(loser);
        if (key != NULL) {
            Py_XDECREF(loser_key);
        }
        item = item_key = NULL;
    }
    if (_PyErr_DropStopIteration() < 0) {
        goto error;
    }
    Py_XDECREF(it);
    if (key != NULL) {
        Py_XDECREF(best_key);
    }
    if (best == NULL) {
        if (fallback == NULL) {
            return PyErr_Format(PyExc_ValueError, "%s() arg is an empty sequence", name);
        }
        return Py_NewRef(fallback);
    }
    return best;
error:
    Py_XDECREF(it);
    Py_XDECREF(item);
    Py_XDECREF(best);
    if (key != NULL) {
        Py_XDECREF(item_key);
        Py_XDECREF(best_key);
    }
    return NULL;
}

/* python3.11's functions take a tuple and a dict: calls of such functions count against
   the recursion limit. */
static PyObject *
counted_extreme(const char *name, int op, PyObject *const *args, Py_ssize_t nargs,
                PyObject *kwnames)
{
    if (Py_EnterRecursiveCall(" while calling a Python object")) {
        return NULL;
    }
    PyObject *result = extreme(name, op, args, nargs, kwnames);
    Py_LeaveRecursiveCall();
    return result;
}

PyObject *
_PyBuiltin_Min(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    return counted_extreme("min", Py_LT, args, nargs, kwnames);
}

PyObject *
_PyBuiltin_Max(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames)
{
    return counted_extreme("max", Py_GT, args, nargs, kwnames);
}
