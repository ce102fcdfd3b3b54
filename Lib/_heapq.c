/* _heapq: lists as binary heaps.

   heap[k] is not greater than heap[2*k+1] and heap[2*k+2] (not smaller, in a
   max-heap). Comparisons call Python code that may change the list: its
   length is checked after each, and its items are looked up anew. */

#include "Python.h"
#include "internal/compare.h"
#include "internal/method_table.h"
#include "internal/module_init.h"

/* Whether a has to be above b. */
static int
is_above(PyObject *a, PyObject *b, int max)
{
    return max ? _PyObject_CompareHeld(b, a, Py_LT)
               : _PyObject_CompareHeld(a, b, Py_LT);
}

/* Compares two items of a heap of n items: -1 also if the list's length
   changed. */
static int
item_is_above(PyObject *heap, Py_ssize_t n, Py_ssize_t i, Py_ssize_t j,
              int max)
{
    int result = is_above(PyList_GET_ITEM(heap, i), PyList_GET_ITEM(heap, j),
                          max);
    if (result >= 0 && PyList_GET_SIZE(heap) != n) {
        PyErr_SetString(PyExc_RuntimeError,
                        "list changed size during iteration");
        return -1;
    }
    return result;
}

static void
swap_items(PyObject *heap, Py_ssize_t i, Py_ssize_t j)
{
    PyObject *t = PyList_GET_ITEM(heap, i);
    PyList_SET_ITEM(heap, i, PyList_GET_ITEM(heap, j));
    PyList_SET_ITEM(heap, j, t);
}

/* Moves the item at `position` up, but not above `top`. */
static int
rise(PyObject *heap, Py_ssize_t top, Py_ssize_t position, int max)
{
    Py_ssize_t n = PyList_GET_SIZE(heap);
    while (position > top) {
        Py_ssize_t parent = (position - 1) / 2;
        int above = item_is_above(heap, n, position, parent, max);
        if (above <= 0) {
            return above;
        }
        swap_items(heap, position, parent);
        position = parent;
    }
    return 0;
}

/* Moves the item at `position` down to a leaf, then up from there: an item that comes
   from the bottom mostly belongs there, so this saves one comparison per level. */
static int
sink(PyObject *heap, Py_ssize_t position, int max)
{
    Py_ssize_t top = position, n = PyList_GET_SIZE(heap);
    if (position >= n) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return -1;
    }
    while (position < n / 2) {
        Py_ssize_t child = 2 * position + 1;
        if (child + 1 < n) {
            int above = item_is_above(heap, n, child, child + 1, max);
            if (above < 0) {
                return -1;
            }
            child += !above;
        }
        swap_items(heap, position, child);
        position = child;
    }
    return rise(heap, top, position, max);
}

static int
check_heap(const char *function, PyObject *heap)
{
    if (!PyList_Check(heap)) {
        PyErr_Format(PyExc_TypeError,
                     "%s() argument 1 must be list, not %.50s", function,
                     heap == Py_None ? "None" : Py_TYPE(heap)->tp_name);
        return -1;
    }
    return 0;
}

static int
check_arg(const char *function, PyObject *heap)
{
    if (!PyList_Check(heap)) {
        PyErr_Format(PyExc_TypeError, "%s() argument must be list, not %.50s",
                     function,
                     heap == Py_None ? "None" : Py_TYPE(heap)->tp_name);
        return -1;
    }
    return 0;
}

/* The arguments (heap, item). */
static int
check_two(const char *function, PyObject *const *args, Py_ssize_t nargs)
{
    return !_PyArg_CheckPositional(function, nargs, 2, 2) ? -1
        : check_heap(function, args[0]);
}

static PyObject *
pop(PyObject *heap, int max)
{
    Py_ssize_t n = PyList_GET_SIZE(heap);
    if (n == 0) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return NULL;
    }
    PyObject *last = Py_NewRef(PyList_GET_ITEM(heap, n - 1));
    if (PyList_SetSlice(heap, n - 1, n, NULL) < 0) {
        Py_DECREF(last);
        return NULL;
    }
    if (--n == 0) {
        return last;
    }
    PyObject *result = PyList_GET_ITEM(heap, 0);
    PyList_SET_ITEM(heap, 0, last);
    if (sink(heap, 0, max) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

static PyObject *
replace(PyObject *heap, PyObject *item, int max)
{
    if (PyList_GET_SIZE(heap) == 0) {
        PyErr_SetString(PyExc_IndexError, "index out of range");
        return NULL;
    }
    PyObject *result = PyList_GET_ITEM(heap, 0);
    PyList_SET_ITEM(heap, 0, Py_NewRef(item));
    if (sink(heap, 0, max) < 0) {
        Py_DECREF(result);
        return NULL;
    }
    return result;
}

static PyObject *
heapify_list(PyObject *heap, int max)
{
    /* From the last item that has children, upwards. */
    for (Py_ssize_t i = PyList_GET_SIZE(heap) / 2; --i >= 0; ) {
        if (sink(heap, i, max) < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *
heappush(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    if (check_two("heappush", args, nargs) < 0
        || PyList_Append(args[0], args[1]) < 0
        || rise(args[0], 0, PyList_GET_SIZE(args[0]) - 1, 0) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *
heappushpop(PyObject *Py_UNUSED(module), PyObject *const *args,
            Py_ssize_t nargs)
{
    if (check_two("heappushpop", args, nargs) < 0) {
        return NULL;
    }
    PyObject *heap = args[0], *item = args[1];
    if (PyList_GET_SIZE(heap) == 0) {
        return Py_NewRef(item);
    }
    int above = is_above(PyList_GET_ITEM(heap, 0), item, 0);
    if (above < 0) {
        return NULL;
    }
    return above ? replace(heap, item, 0) : Py_NewRef(item);
}

static PyObject *
heapreplace(PyObject *Py_UNUSED(module), PyObject *const *args,
            Py_ssize_t nargs)
{
    return check_two("heapreplace", args, nargs) < 0
        ? NULL : replace(args[0], args[1], 0);
}

static PyObject *
heapreplace_max(PyObject *Py_UNUSED(module), PyObject *const *args,
                Py_ssize_t nargs)
{
    return check_two("_heapreplace_max", args, nargs) < 0
        ? NULL : replace(args[0], args[1], 1);
}

static PyObject *
heappop(PyObject *Py_UNUSED(module), PyObject *heap)
{
    return check_arg("heappop", heap) < 0 ? NULL : pop(heap, 0);
}

static PyObject *
heappop_max(PyObject *Py_UNUSED(module), PyObject *heap)
{
    return check_arg("_heappop_max", heap) < 0 ? NULL : pop(heap, 1);
}

static PyObject *
heapify(PyObject *Py_UNUSED(module), PyObject *heap)
{
    return check_arg("heapify", heap) < 0 ? NULL : heapify_list(heap, 0);
}

static PyObject *
heapify_max(PyObject *Py_UNUSED(module), PyObject *heap)
{
    return check_arg("_heapify_max", heap) < 0 ? NULL : heapify_list(heap, 1);
}

static PyMethodDef heapq_methods[] = {
    {"heappush", FAST(heappush),
     "heappush($module, heap, item, /)\n--\n\n"
     "Puts an item on a heap."},
    {"heappushpop", FAST(heappushpop),
     "heappushpop($module, heap, item, /)\n--\n\n"
     "Puts an item on a heap, then takes the smallest off: faster than\n"
     "heappush() and heappop()."},
    {"heappop", heappop, METH_O,
     "heappop($module, heap, /)\n--\n\n"
     "Takes the smallest item off a heap."},
    {"heapreplace", FAST(heapreplace),
     "heapreplace($module, heap, item, /)\n--\n\n"
     "Takes the smallest item off a heap, then puts a new one on it: the\n"
     "result may be larger than the new item."},
    {"heapify", heapify, METH_O,
     "heapify($module, heap, /)\n--\n\n"
     "Makes a heap of a list, in place, in linear time."},
    {"_heappop_max", heappop_max, METH_O,
     "_heappop_max($module, heap, /)\n--\n\nheappop() of a max-heap."},
    {"_heapify_max", heapify_max, METH_O,
     "_heapify_max($module, heap, /)\n--\n\nheapify() of a max-heap."},
    {"_heapreplace_max", FAST(heapreplace_max),
     "_heapreplace_max($module, heap, item, /)\n--\n\n"
     "heapreplace() of a max-heap."},
    {NULL, NULL, 0, NULL}
};

static int
heapq_exec(PyObject *module)
{
    PyObject *about = PyUnicode_FromString(
        "Heap queues, after an explanation by Fran\xc3\xa7ois Pinard.\n\n"
        "A heap is a list whose item k is not greater than items 2*k+1 and\n"
        "2*k+2: heap[0] is the smallest. Pushing and popping take a number\n"
        "of steps that grows with the logarithm of the length.\n");
    int status = PyModule_AddObjectRef(module, "__about__", about);
    Py_XDECREF(about);
    return status;
}

static PyModuleDef_Slot heapq_slots[] = {
    {Py_mod_exec, heapq_exec},
    {0, NULL}
};

static struct PyModuleDef heapq_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_heapq",
    .m_doc = "Heap queues, also known as priority queues.",
    .m_size = 0,
    .m_methods = heapq_methods,
    .m_slots = heapq_slots,
};

MODULE_INIT(_heapq)
{
    return PyModuleDef_Init(&heapq_module);
}
