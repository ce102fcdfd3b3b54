/* list.sort: which keys are compared, and how. The merge sort itself is in sort_core.h.

   The items are first copied to an array of elements, each with its key. When all keys
   are small ints, floats or one-byte strings, the element holds the key's value (or its
   first eight bytes), so that comparing touches no object. During the sort the list is
   empty and `allocated` is -1, so that a change by other code is noticed. */
#include "Python.h"
#include "internal/compare.h"
#include "internal/int.h"
#include "internal/list.h"
#include "internal/unicode.h"

#define GALLOP_PAYS 7
#define MAX_RUNS 85

struct merge_state {
    void *memory;
    Py_ssize_t room;            /* in elements */
    Py_ssize_t patience;        /* wins in a row before galloping */
};

struct run {
    Py_ssize_t start, length;
    int depth;                  /* of the boundary at its left */
};

/* The shortest run to sort by insertion: 32 to 64, so that n divided by it is a power
   of two or a little less. It is n's six highest bits, rounded up. */
static Py_ssize_t
shortest_run(Py_ssize_t n)
{
    Py_ssize_t dropped = 0;
    while (n >= 64) {
        dropped |= n & 1;
        n >>= 1;
    }
    return n + dropped;
}

/* Powersort: the depth in the merge tree of the boundary between two neighbouring runs.
   It is the first binary digit in which the middles of the two runs, as fractions of
   the whole, differ. */
static int
boundary_depth(Py_ssize_t start, Py_ssize_t left, Py_ssize_t right,
               Py_ssize_t total)
{
    size_t a = 2 * (size_t)start + (size_t)left;
    size_t b = a + (size_t)left + (size_t)right;
    uint64_t x = (uint64_t)(((unsigned __int128)a << 62) / (size_t)total);
    uint64_t y = (uint64_t)(((unsigned __int128)b << 62) / (size_t)total);
    return __builtin_clzll(x ^ y);
}

/* -------------------------------------------------------------- comparisons */

static inline int
less_str1(PyObject *a, PyObject *b)
{
    Py_ssize_t na = PyUnicode_GET_LENGTH(a), nb = PyUnicode_GET_LENGTH(b);
    int order = memcmp(PyUnicode_1BYTE_DATA(a), PyUnicode_1BYTE_DATA(b),
                       (size_t)Py_MIN(na, nb));
    return order != 0 ? order < 0 : na < nb;
}

/* Keys of the same type are compared by the type's own function, not by the protocol:
   as in CPython this does not count as recursion. If the function returns
   NotImplemented, the whole protocol follows. */
static int
less_object(PyObject *a, PyObject *b)
{
    PyTypeObject *type = Py_TYPE(a);
    if (type == Py_TYPE(b)) {
        if (type == &PyLong_Type) {
            if (_PyLong_CheckCompact(a) && _PyLong_CheckCompact(b)) {
                return _PyLong_CompactValue(a) < _PyLong_CompactValue(b);
            }
        }
        else if (type == &PyUnicode_Type) {
            if (PyUnicode_IS_READY(a) && PyUnicode_IS_READY(b)
                && PyUnicode_KIND(a) == PyUnicode_1BYTE_KIND
                && PyUnicode_KIND(b) == PyUnicode_1BYTE_KIND) {
                return less_str1(a, b);
            }
        }
        else if (type == &PyFloat_Type) {
            return PyFloat_AS_DOUBLE(a) < PyFloat_AS_DOUBLE(b);
        }
        else if (type == &PyBytes_Type) {
            return _PyBytes_QuickCompare(a, b, Py_LT);
        }
        if (type->tp_richcompare != NULL && type != &PyTuple_Type) {
            PyObject *result = type->tp_richcompare(a, b, Py_LT);
            if (result != Py_NotImplemented) {
                int truth = result == NULL ? -1 : result == Py_True ? 1
                    : result == Py_False ? 0 : PyObject_IsTrue(result);
                Py_XDECREF(result);
                return truth;
            }
            Py_DECREF(result);
        }
    }
    return PyObject_RichCompareBool(a, b, Py_LT);
}

/* a < b for exact tuples: by the first items that differ. */
static int
less_tuple(PyObject *a, PyObject *b)
{
    Py_ssize_t na = PyTuple_GET_SIZE(a), nb = PyTuple_GET_SIZE(b);
    for (Py_ssize_t i = 0; i < na && i < nb; i++) {
        PyObject *x = PyTuple_GET_ITEM(a, i), *y = PyTuple_GET_ITEM(b, i);
        int equal = _PyObject_CompareBool(x, y, Py_EQ);
        if (equal < 0) {
            return -1;
        }
        if (!equal) {
            return i == 0 ? less_object(x, y)
                : _PyObject_CompareBool(x, y, Py_LT);
        }
    }
    return na < nb;
}

/* -------------------------------------------------------- kinds of elements */

typedef struct {
    PyObject *item;
    int64_t key;
} IntElem;

#define ELEM IntElem
#define SORT(name) int_##name
#define LESS(a, b) ((a)->key < (b)->key)
#define LESS_FAILS(r) 0
#include "sort_core.h"

typedef struct {
    PyObject *item;
    double key;
} FloatElem;

#define ELEM FloatElem
#define SORT(name) float_##name
#define LESS(a, b) ((a)->key < (b)->key)
#define LESS_FAILS(r) 0
#include "sort_core.h"

typedef struct {
    PyObject *item;
    uint64_t prefix;            /* eight bytes, the first the most significant */
    PyObject *key;
} StrElem;

static inline int
less_strelem(const StrElem *a, const StrElem *b)
{
    if (a->prefix != b->prefix) {
        return a->prefix < b->prefix;
    }
    /* If one has no more bytes than the prefix, the other one begins with it. */
    Py_ssize_t na = PyUnicode_GET_LENGTH(a->key), nb = PyUnicode_GET_LENGTH(b->key);
    return Py_MIN(na, nb) <= 8 ? na < nb : less_str1(a->key, b->key);
}

#define ELEM StrElem
#define SORT(name) str_##name
#define LESS(a, b) less_strelem(a, b)
#define LESS_FAILS(r) 0
#include "sort_core.h"

/* Tuples: a smaller `rank` means a smaller first item. Equal ranks don't decide. The
   rank is 0 unless all first items are ints, floats or one-byte strings. */
typedef struct {
    PyObject *item;
    PyObject *key;
    uint64_t rank;
} TupleElem;

static inline int
less_tuple_elem(const TupleElem *a, const TupleElem *b)
{
    return a->rank != b->rank ? a->rank < b->rank
        : less_tuple(a->key, b->key);
}

#define ELEM TupleElem
#define SORT(name) tuple_##name
#define LESS(a, b) less_tuple_elem(a, b)
#define LESS_FAILS(r) ((r) < 0)
#include "sort_core.h"

typedef struct {
    PyObject *item;
    PyObject *key;
} ObjectElem;

#define ELEM ObjectElem
#define SORT(name) object_##name
#define LESS(a, b) less_object((a)->key, (b)->key)
#define LESS_FAILS(r) ((r) < 0)
#include "sort_core.h"

static uint64_t
prefix_of(PyObject *str)
{
    const Py_UCS1 *data = PyUnicode_1BYTE_DATA(str);
    Py_ssize_t n = PyUnicode_GET_LENGTH(str);
    uint64_t prefix = 0;
    if (n >= 8) {
        memcpy(&prefix, data, 8);
    }
#if PY_LITTLE_ENDIAN
    else if (n > 0 && PyUnicode_IS_COMPACT(str)) {
        /* The eight bytes that end with the text; in front of it is the object's head. */
        memcpy(&prefix, data + n - 8, 8);
        return __builtin_bswap64(prefix) << (64 - 8 * n);
    }
#endif
    else {
        memcpy(&prefix, data, (size_t)n);
    }
#if PY_LITTLE_ENDIAN
    prefix = __builtin_bswap64(prefix);
#endif
    return prefix;
}

static int
is_str1(PyObject *op)
{
    return PyUnicode_CheckExact(op) && PyUnicode_IS_READY(op)
        && PyUnicode_KIND(op) == PyUnicode_1BYTE_KIND;
}

/* Computes the rank of a tuple from its first item, which must be of the given type.
   Returns 0 if it has none. A nan has no rank. */
static int
rank_of_tuple(PyObject *op, PyTypeObject *type, uint64_t *rank)
{
    if (!PyTuple_CheckExact(op) || PyTuple_GET_SIZE(op) == 0
        || Py_TYPE(PyTuple_GET_ITEM(op, 0)) != type) {
        return 0;
    }
    const uint64_t sign = (uint64_t)1 << 63;
    PyObject *first = PyTuple_GET_ITEM(op, 0);
    if (type == &PyLong_Type) {
        int64_t value;
        if (!_PyLong_AsInt64Exact(first, &value)) {
            return 0;
        }
        *rank = (uint64_t)value ^ sign;
        return 1;
    }
    if (type == &PyFloat_Type) {
        double value = PyFloat_AS_DOUBLE(first);
        if (value != value) {
            return 0;
        }
        value += 0.0;           /* -0.0 equals 0.0 */
        uint64_t bits;
        memcpy(&bits, &value, sizeof(bits));
        *rank = bits & sign ? ~bits : bits | sign;
        return 1;
    }
    if (is_str1(first)) {
        *rank = prefix_of(first);
        return 1;
    }
    return 0;
}

/* ----------------------------------------------------------------- the sort */

#define ON_STACK 1024           /* bytes of elements that need no allocation */

/* Defines a function that sorts items[0..n-1] by keys[0..n-1] if `FILL` holds for every
   element. Returns 1 if done, 0 if the keys are not of this kind, -1 with an exception.
   In all cases items ends as a permutation of what it was. */
#define SORT_KIND(kind, core, Elem, FILL)                                   \
    static int                                                              \
    sort_by_##kind(PyObject **items, PyObject *const *keys, Py_ssize_t n)   \
    {                                                                       \
        union {                                                             \
            Elem elems[ON_STACK / sizeof(Elem)];                            \
        } small;                                                            \
        Elem *elems = small.elems;                                          \
        if ((size_t)n > ON_STACK / sizeof(Elem)) {                          \
            elems = PyMem_New(Elem, (size_t)n);                             \
            if (elems == NULL) {                                            \
                PyErr_NoMemory();                                           \
                return -1;                                                  \
            }                                                               \
        }                                                                   \
        int result = 1;                                                     \
        for (Py_ssize_t i = 0; i < n; i++) {                                \
            PyObject *key = keys[i];                                        \
            Elem *e = &elems[i];                                            \
            e->item = items[i];                                             \
            if (!(FILL)) {                                                  \
                result = 0;                                                 \
                break;                                                      \
            }                                                               \
        }                                                                   \
        if (result > 0) {                                                   \
            if (core##_sort(elems, n) < 0) {                                \
                result = -1;                                                \
            }                                                               \
            for (Py_ssize_t i = 0; i < n; i++) {                            \
                items[i] = elems[i].item;                                   \
            }                                                               \
        }                                                                   \
        if (elems != small.elems) {                                         \
            PyMem_Free(elems);                                              \
        }                                                                   \
        return result;                                                      \
    }

SORT_KIND(int, int, IntElem,
          PyLong_CheckExact(key) && _PyLong_AsInt64Exact(key, &e->key))
SORT_KIND(float, float, FloatElem,
          PyFloat_CheckExact(key)
          && ((e->key = PyFloat_AS_DOUBLE(key)), 1))
SORT_KIND(str, str, StrElem,
          is_str1(key) && ((e->key = key), (e->prefix = prefix_of(key)), 1))
SORT_KIND(tuple, tuple, TupleElem,
          (e->key = key,
           rank_of_tuple(key, Py_TYPE(PyTuple_GET_ITEM(keys[0], 0)),
                         &e->rank)))
SORT_KIND(unranked_tuple, tuple, TupleElem,
          PyTuple_CheckExact(key) && PyTuple_GET_SIZE(key) > 0
          && ((e->key = key), (e->rank = 0), 1))
SORT_KIND(object, object, ObjectElem, ((e->key = key), 1))

static int
sort_items(PyObject **items, PyObject *const *keys, Py_ssize_t n)
{
    int done = 0;
    if (PyLong_CheckExact(keys[0])) {
        done = sort_by_int(items, keys, n);
    }
    else if (PyFloat_CheckExact(keys[0])) {
        done = sort_by_float(items, keys, n);
    }
    else if (is_str1(keys[0])) {
        done = sort_by_str(items, keys, n);
    }
    else if (PyTuple_CheckExact(keys[0]) && PyTuple_GET_SIZE(keys[0]) > 0) {
        done = sort_by_tuple(items, keys, n);
        if (done == 0) {
            done = sort_by_unranked_tuple(items, keys, n);
        }
    }
    if (done == 0) {
        done = sort_by_object(items, keys, n);
    }
    return done < 0 ? -1 : 0;
}

/* Returns a new array with new references to the keys of the items. */
static PyObject **
make_keys(PyObject **items, Py_ssize_t n, PyObject *keyfunc)
{
    PyObject **keys = PyMem_New(PyObject *, (size_t)n);
    if (keys == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        keys[i] = PyObject_CallOneArg(keyfunc, items[i]);
        if (keys[i] == NULL) {
            while (i-- > 0) {
                Py_DECREF(keys[i]);
            }
            PyMem_Free(keys);
            return NULL;
        }
    }
    return keys;
}

/* To sort backwards and keep equal items in their order: reverse the items, sort them,
   and reverse the result. */
static int
sort_with_key(PyObject **items, Py_ssize_t n, PyObject *keyfunc, int reverse)
{
    int result = 0;
    PyObject **keys = items;
    if (keyfunc != NULL) {
        keys = make_keys(items, n, keyfunc);
        if (keys == NULL) {
            return -1;
        }
    }
    if (n > 1) {
        PyObject **sorted_keys = keys;
        if (reverse) {
            _PyList_ReverseItems(items, n);
            if (keys != items) {
                _PyList_ReverseItems(keys, n);
            }
        }
        result = sort_items(items, sorted_keys, n);
        if (reverse) {
            _PyList_ReverseItems(items, n);
        }
    }
    if (keys != items) {
        for (Py_ssize_t i = 0; i < n; i++) {
            Py_DECREF(keys[i]);
        }
        PyMem_Free(keys);
    }
    return result;
}

int
_PyList_SortWithKey(PyListObject *self, PyObject *keyfunc, int reverse)
{
    PyObject **items = self->ob_item;
    Py_ssize_t n = Py_SIZE(self), allocated = self->allocated;
    if (keyfunc == Py_None) {
        keyfunc = NULL;
    }
    Py_SET_SIZE(self, 0);
    self->ob_item = NULL;
    self->allocated = -1;

    int result = n == 0 ? 0 : sort_with_key(items, n, keyfunc, reverse);

    if (self->allocated != -1 && result == 0) {
        PyErr_SetString(PyExc_ValueError, "list modified during sort");
        result = -1;
    }
    PyObject **strays = self->ob_item;
    Py_ssize_t i = Py_SIZE(self);
    Py_SET_SIZE(self, n);
    self->ob_item = items;
    self->allocated = allocated;
    if (strays != NULL) {
        while (--i >= 0) {
            Py_DECREF(strays[i]);
        }
        PyMem_Free(strays);
    }
    return result;
}

int
PyList_Sort(PyObject *op)
{
    if (op == NULL || !PyList_Check(op)) {
        PyErr_BadInternalCall();
        return -1;
    }
    return _PyList_SortWithKey((PyListObject *)op, NULL, 0);
}
