/* Which C layouts are compatible: the best base of a class statement, and assignments
   to __class__ and __bases__. */
#include "private.h"

/* Does the type have fields of its own, apart from a dict and a list of weak references
   at its end? */
static int
adds_fields(PyTypeObject *type, PyTypeObject *base)
{
    size_t size = type->tp_basicsize;
    size_t base_size = base->tp_basicsize;

    if (type->tp_itemsize != 0 || base->tp_itemsize != 0) {
        return size != base_size || type->tp_itemsize != base->tp_itemsize;
    }
    if (type->tp_weaklistoffset != 0 && base->tp_weaklistoffset == 0
        && type->tp_weaklistoffset + sizeof(PyObject *) == size
        && type_is_heap(type)) {
        size -= sizeof(PyObject *);
    }
    if (type->tp_dictoffset > 0 && base->tp_dictoffset == 0
        && type->tp_dictoffset + sizeof(PyObject *) == size
        && type_is_heap(type)) {
        size -= sizeof(PyObject *);
    }
    return size != base_size;
}

PyTypeObject *
_PyType_SolidBase(PyTypeObject *type)
{
    for (;;) {
        PyTypeObject *base = type->tp_base;
        if (base == NULL) {
            return type == &PyBaseObject_Type ? type : &PyBaseObject_Type;
        }
        if (adds_fields(type, base)) {
            return type;
        }
        type = base;
    }
}

PyTypeObject *
_PyType_BestBase(PyObject *bases)
{
    PyTypeObject *winner = NULL, *winner_solid = NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(bases);
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(bases, i);
        if (!PyType_Check(item)) {
            PyErr_SetString(PyExc_TypeError, "bases must be types");
            return NULL;
        }
        PyTypeObject *base = (PyTypeObject *)item;
        if (!has_flag(base, Py_TPFLAGS_READY)
            && !has_flag(base, Py_TPFLAGS_READYING)
            && PyType_Ready(base) < 0) {
            return NULL;
        }
        if (!has_flag(base, Py_TPFLAGS_BASETYPE)) {
            PyErr_Format(PyExc_TypeError,
                         "type '%.100s' is not an acceptable base type",
                         base->tp_name);
            return NULL;
        }
        PyTypeObject *solid = _PyType_SolidBase(base);
        if (winner == NULL) {
            winner = base;
            winner_solid = solid;
        }
        else if (PyType_IsSubtype(winner_solid, solid)) {
            continue;
        }
        else if (PyType_IsSubtype(solid, winner_solid)) {
            winner = base;
            winner_solid = solid;
        }
        else {
            PyErr_SetString(PyExc_TypeError,
                            "multiple bases have instance lay-out conflict");
            return NULL;
        }
    }
    return winner;
}

/* --------------------------------------------------- assigning another type */

static int
same_shape(PyTypeObject *a, PyTypeObject *b)
{
    return a->tp_basicsize == b->tp_basicsize
           && a->tp_itemsize == b->tp_itemsize
           && a->tp_dictoffset == b->tp_dictoffset
           && a->tp_weaklistoffset == b->tp_weaklistoffset
           && has_flag(a, Py_TPFLAGS_HAVE_GC)
              == has_flag(b, Py_TPFLAGS_HAVE_GC)
           && has_flag(a, Py_TPFLAGS_MANAGED_DICT)
              == has_flag(b, Py_TPFLAGS_MANAGED_DICT);
}

static PyObject *
heap_slots(PyTypeObject *type)
{
    return type_is_heap(type) ? ((PyHeapTypeObject *)type)->ht_slots : NULL;
}

/* For two children of one base: do both extend it by the same __slots__, and the same
   dict and list of weak references? (python3.11 looks for that list in front of the slots only,
   so classes whose __slots__ have names and "__weakref__" differ.) */
static int
same_extension(PyTypeObject *a, PyTypeObject *b)
{
    PyTypeObject *base = a->tp_base;
    Py_ssize_t size = base->tp_basicsize;
    if (a->tp_dictoffset == size && b->tp_dictoffset == size) {
        size += sizeof(PyObject *);
    }
    if (a->tp_weaklistoffset == size && b->tp_weaklistoffset == size) {
        size += sizeof(PyObject *);
    }
    PyObject *slots_a = heap_slots(a), *slots_b = heap_slots(b);
    if (slots_a != NULL && slots_b != NULL) {
        int equal = PyObject_RichCompareBool(slots_a, slots_b, Py_EQ);
        if (equal < 0) {
            PyErr_Clear();
        }
        if (equal != 1) {
            return 0;
        }
        size += sizeof(PyObject *) * PyTuple_GET_SIZE(slots_a);
    }
    return size == a->tp_basicsize && size == b->tp_basicsize;
}

static int
compatible_with_base(PyTypeObject *child)
{
    PyTypeObject *parent = child->tp_base;
    return parent != NULL && same_shape(child, parent);
}

int
_PyType_SameLayout(PyTypeObject *old, PyTypeObject *new,
                   const char *attribute)
{
    if (new->tp_free != old->tp_free) {
        PyErr_Format(PyExc_TypeError,
                     "%s assignment: '%s' deallocator differs from '%s'",
                     attribute, new->tp_name, old->tp_name);
        return 0;
    }
    PyTypeObject *a = new, *b = old;
    while (compatible_with_base(a)) {
        a = a->tp_base;
    }
    while (compatible_with_base(b)) {
        b = b->tp_base;
    }
    if (a == b
        || (a->tp_base == b->tp_base && a->tp_base != NULL
            && same_shape(a, b) && same_extension(a, b))) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError,
                 "%s assignment: '%s' object layout differs from '%s'",
                 attribute, new->tp_name, old->tp_name);
    return 0;
}
