/* _bisect: binary search in sorted sequences, and insertion. */

#include "Python.h"
#include "internal/compare.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

struct arguments {
    PyObject *a, *x;
    Py_ssize_t lo, hi;          /* hi is -1 for the length of a */
    PyObject *key;              /* or Py_None */
};

static int
take_arguments(_PyArg_Parser *parser, PyObject *const *args, Py_ssize_t nargs,
               PyObject *kwnames, struct arguments *taken)
{
    PyObject *buffer[5] = {NULL};
    Py_ssize_t given = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
    args = _PyArg_UnpackKeywords(args, nargs, NULL, kwnames, parser, 2, 4, 0,
                                 buffer);
    if (args == NULL) {
        return -1;
    }
    *taken = (struct arguments){args[0], args[1], 0, -1, Py_None};
    if (args != buffer) {
        for (Py_ssize_t i = 0; i < given; i++) {
            buffer[i] = args[i];
        }
    }
    if (buffer[2] != NULL) {
        PyObject *index = PyNumber_Index(buffer[2]);
        if (index == NULL) {
            return -1;
        }
        taken->lo = PyLong_AsSsize_t(index);
        Py_DECREF(index);
        if (taken->lo == -1 && PyErr_Occurred()) {
            return -1;
        }
    }
    if (buffer[3] != NULL
        && !_Py_convert_optional_to_ssize_t(buffer[3], &taken->hi)) {
        return -1;
    }
    if (buffer[4] != NULL) {
        taken->key = buffer[4];
    }
    return 0;
}

/* Whether x (on the left) or the item (on the right) is the smaller one. */
static int
goes_before(PyObject *item, const struct arguments *arguments, PyObject *x,
            int right)
{
    PyObject *value = Py_NewRef(item);
    if (arguments->key != Py_None) {
        Py_SETREF(value, PyObject_CallOneArg(arguments->key, item));
        if (value == NULL) {
            return -1;
        }
    }
    int less = right ? _PyObject_CompareBool(x, value, Py_LT)
                     : _PyObject_CompareBool(value, x, Py_LT);
    Py_DECREF(value);
    return less;
}

/* The same for an item of a list that is compared without running code, or -1. */
static inline int
goes_before_quickly(const struct arguments *arguments, Py_ssize_t at, PyObject *x, int right)
{
    PyObject *list = arguments->a;
    if (!PyList_CheckExact(list) || at >= PyList_GET_SIZE(list) || arguments->key != Py_None) {
        return -1;
    }
    PyObject *item = PyList_GET_ITEM(list, at);
    return _PyObject_QuickCompare(right ? x : item, right ? item : x, Py_LT);
}

static int
item_goes_before(const struct arguments *arguments, Py_ssize_t at, PyObject *x, int right)
{
    PyObject *item = PySequence_GetItem(arguments->a, at);
    if (item == NULL) {
        return -1;
    }
    int less = goes_before(item, arguments, x, right);
    Py_DECREF(item);
    return less;
}

/* The position for x: behind equal items if `right`, else before them. */
static Py_ssize_t
search(const struct arguments *arguments, PyObject *x, int right)
{
    Py_ssize_t lo = arguments->lo, hi = arguments->hi;
    if (lo < 0) {
        PyErr_SetString(PyExc_ValueError, "lo must be non-negative");
        return -1;
    }
    if (hi == -1) {
        hi = PySequence_Size(arguments->a);
        if (hi < 0) {
            return -1;
        }
    }
    while (lo < hi) {
        Py_ssize_t middle = lo + (hi - lo) / 2;
        int less = goes_before_quickly(arguments, middle, x, right);
        if (less < 0 && (less = item_goes_before(arguments, middle, x, right)) < 0) {
            return -1;
        }
        if (less == right) {
            hi = middle;
        }
        else {
            lo = middle + 1;
        }
    }
    return lo;
}

static PyObject *
bisect(_PyArg_Parser *parser, PyObject *const *args, Py_ssize_t nargs,
       PyObject *kwnames, int right)
{
    struct arguments taken;
    if (take_arguments(parser, args, nargs, kwnames, &taken) < 0) {
        return NULL;
    }
    Py_ssize_t position = search(&taken, taken.x, right);
    return position < 0 ? NULL : PyLong_FromSsize_t(position);
}

static PyObject *
insort(_PyArg_Parser *parser, PyObject *const *args, Py_ssize_t nargs,
       PyObject *kwnames, int right)
{
    struct arguments taken;
    if (take_arguments(parser, args, nargs, kwnames, &taken) < 0) {
        return NULL;
    }
    PyObject *x = taken.key == Py_None
        ? Py_NewRef(taken.x) : PyObject_CallOneArg(taken.key, taken.x);
    if (x == NULL) {
        return NULL;
    }
    Py_ssize_t position = search(&taken, x, right);
    Py_DECREF(x);
    if (position < 0) {
        return NULL;
    }
    if (PyList_CheckExact(taken.a)) {
        if (PyList_Insert(taken.a, position, taken.x) < 0) {
            return NULL;
        }
        Py_RETURN_NONE;
    }
    PyObject *result = PyObject_CallMethod(taken.a, "insert", "nO", position,
                                           taken.x);
    if (result == NULL) {
        return NULL;
    }
    Py_DECREF(result);
    Py_RETURN_NONE;
}

static const char *const keywords[] = {"a", "x", "lo", "hi", "key", NULL};

#define FUNCTION(name, function, right)                             \
    static PyObject *                                               \
    name(PyObject *Py_UNUSED(module), PyObject *const *args,        \
         Py_ssize_t nargs, PyObject *kwnames)                       \
    {                                                               \
        static _PyArg_Parser parser = {                             \
            .keywords = keywords, .fname = #name,                   \
        };                                                          \
        return function(&parser, args, nargs, kwnames, right);      \
    }

FUNCTION(bisect_right, bisect, 1)
FUNCTION(bisect_left, bisect, 0)
FUNCTION(insort_right, insort, 1)
FUNCTION(insort_left, insort, 0)

#define METHOD(name, text)                                          \
    {#name, FAST_KEYWORDS(name), \
     #name "($module, /, a, x, lo=0, hi=None, *, key=None)\n--\n\n" text}

static PyMethodDef bisect_methods[] = {
    METHOD(bisect_right,
           "Where x goes in the sorted sequence a, behind items equal to it.\n"
           "\n"
           "Only a[lo:hi] is searched. A key function is applied to the\n"
           "items, but not to x."),
    METHOD(insort_right,
           "Inserts x into the sorted sequence a, behind items equal to it.\n"
           "\n"
           "Only a[lo:hi] is searched. A key function is applied to the\n"
           "items and to x."),
    METHOD(bisect_left,
           "Where x goes in the sorted sequence a, before items equal to it.\n"
           "\n"
           "Only a[lo:hi] is searched. A key function is applied to the\n"
           "items, but not to x."),
    METHOD(insort_left,
           "Inserts x into the sorted sequence a, before items equal to it.\n"
           "\n"
           "Only a[lo:hi] is searched. A key function is applied to the\n"
           "items and to x."),
    {NULL, NULL, 0, NULL}
};

static PyModuleDef_Slot bisect_slots[] = {
    {0, NULL}
};

static struct PyModuleDef bisect_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_bisect",
    .m_doc = "Keeps sequences sorted without sorting them after each "
             "insertion.",
    .m_size = 0,
    .m_methods = bisect_methods,
    .m_slots = bisect_slots,
};

MODULE_INIT(_bisect)
{
    return PyModuleDef_Init(&bisect_module);
}
