/* Views: dict.keys(), values() and items(). Keys and items views behave like sets. */
#include "private.h"
#include "internal/names.h"
#include "internal/spare.h"
#include "internal/tuple.h"

typedef _PyDictViewObject View;

/* Most live for one loop. */
static _PySpareObjects spare = _PySpareObjects_INIT(32);

PyObject *
_PyDictView_New(PyObject *dict, PyTypeObject *type)
{
    if (dict == NULL) {
        PyErr_BadInternalCall();
        return NULL;
    }
    if (!PyDict_Check(dict)) {
        PyErr_Format(PyExc_TypeError,
                     "%s() requires a dict argument, not '%s'",
                     type->tp_name, Py_TYPE(dict)->tp_name);
        return NULL;
    }
    View *view = (View *)_PySpare_Take(&spare, type);
    if (view == NULL && (view = PyObject_GC_New(View, type)) == NULL) {
        return NULL;
    }
    view->dv_dict = (PyDictObject *)Py_NewRef(dict);
    _PyObject_GC_TRACK((PyObject *)view);
    return (PyObject *)view;
}

static void
view_dealloc(View *view)
{
    _PyObject_GC_UNTRACK((PyObject *)view);
    Py_XDECREF(view->dv_dict);
    if (!_PySpare_Keep(&spare, (PyObject *)view)) {
        PyObject_GC_Del(view);
    }
}

static int
view_traverse(View *view, visitproc visit, void *arg)
{
    Py_VISIT(view->dv_dict);
    return 0;
}

static Py_ssize_t
view_length(View *view)
{
    return view->dv_dict == NULL ? 0 : view->dv_dict->ma_used;
}

static PyObject *
view_mapping(View *view, void *Py_UNUSED(closure))
{
    return PyDictProxy_New((PyObject *)view->dv_dict);
}

static PyGetSetDef view_getset[] = {
    {"mapping", (getter)view_mapping, NULL,
     "dictionary that this view refers to", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyObject *
view_repr(PyObject *view)
{
    int entered = Py_ReprEnter(view);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromString("...") : NULL;
    }
    PyObject *result = NULL;
    PyObject *list = PySequence_List(view);
    if (list != NULL) {
        result = PyUnicode_FromFormat("%s(%R)", Py_TYPE(view)->tp_name, list);
        Py_DECREF(list);
    }
    Py_ReprLeave(view);
    return result;
}

/* --------------------------------------------------------------- membership */

static int
keys_contains(PyObject *self, PyObject *key)
{
    View *view = (View *)self;
    return view->dv_dict == NULL ? 0
        : PyDict_Contains((PyObject *)view->dv_dict, key);
}

static int
items_contains(PyObject *self, PyObject *item)
{
    View *view = (View *)self;
    if (view->dv_dict == NULL || !PyTuple_Check(item)
        || PyTuple_GET_SIZE(item) != 2) {
        return 0;
    }
    PyObject *value = PyDict_GetItemWithError((PyObject *)view->dv_dict,
                                              PyTuple_GET_ITEM(item, 0));
    if (value == NULL) {
        return PyErr_Occurred() ? -1 : 0;
    }
    Py_INCREF(value);
    int equal = PyObject_RichCompareBool(value, PyTuple_GET_ITEM(item, 1),
                                         Py_EQ);
    Py_DECREF(value);
    return equal;
}

/* Is everything in `some` also in `container`? */
static int
all_contained(PyObject *some, PyObject *container)
{
    PyObject *iter = PyObject_GetIter(some);
    if (iter == NULL) {
        return -1;
    }
    int all = 1;
    PyObject *item;
    while (all > 0 && (item = PyIter_Next(iter)) != NULL) {
        all = PySequence_Contains(container, item);
        Py_DECREF(item);
    }
    Py_DECREF(iter);
    return all > 0 && PyErr_Occurred() ? -1 : all;
}

static PyObject *
view_richcompare(PyObject *self, PyObject *other, int op)
{
    if (!PyAnySet_Check(other) && !PyDictViewSet_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    Py_ssize_t mine = view_length((View *)self);
    Py_ssize_t theirs = PyObject_Size(other);
    if (theirs < 0) {
        return NULL;
    }
    int holds = 0;
    switch (op) {
    case Py_EQ:
    case Py_NE:
        holds = mine == theirs ? all_contained(self, other) : 0;
        if (op == Py_NE && holds >= 0) {
            holds = !holds;
        }
        break;
    case Py_LT:
        holds = mine < theirs ? all_contained(self, other) : 0;
        break;
    case Py_LE:
        holds = mine <= theirs ? all_contained(self, other) : 0;
        break;
    case Py_GT:
        holds = mine > theirs ? all_contained(other, self) : 0;
        break;
    case Py_GE:
        holds = mine >= theirs ? all_contained(other, self) : 0;
        break;
    }
    return holds < 0 ? NULL : PyBool_FromLong(holds);
}

/* -------------------------------------------------------------- set algebra */

/* A dict's keys are copied from the dict: if comparing them changes it, that ends early, and is
   no RuntimeError. */
static PyObject *
set_of(PyObject *self)
{
    PyObject *dict = PyDictKeys_Check(self) ? (PyObject *)((View *)self)->dv_dict : NULL;
    return PySet_New(dict != NULL && PyDict_CheckExact(dict) ? dict : self);
}

/* A new set: the content of one operand, changed by a set method. */
static PyObject *
set_changed_by(PyObject *self, PyObject *method, PyObject *other)
{
    PyObject *result = set_of(self);
    if (result == NULL) {
        return NULL;
    }
    PyObject *none = PyObject_CallMethodOneArg(result, method, other);
    if (none == NULL) {
        Py_DECREF(result);
        return NULL;
    }
    Py_DECREF(none);
    return result;
}

static PyObject *
view_sub(PyObject *self, PyObject *other)
{
    return set_changed_by(self, _Py_NAME(difference_update), other);
}

static PyObject *
view_or(PyObject *self, PyObject *other)
{
    PyObject *result = set_of(self);
    if (result != NULL && _PySet_Update(result, other) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

PyObject *
_PyDictView_Intersect(PyObject *self, PyObject *other)
{
    /* Look up in a view, the larger one if both operands are views. */
    if (!PyDictViewSet_Check(self)
        || (PyDictViewSet_Check(other)
            && view_length((View *)other) > view_length((View *)self))) {
        PyObject *swap = self;
        self = other;
        other = swap;
    }
    if (PyAnySet_CheckExact(other) && PySet_GET_SIZE(other)
        > view_length((View *)self)) {
        return set_changed_by(self, _Py_NAME(intersection_update), other);
    }
    PyObject *result = PySet_New(NULL);
    PyObject *iter = result == NULL ? NULL : PyObject_GetIter(other);
    if (iter == NULL) {
        Py_XDECREF(result);
        return NULL;
    }
    PyObject *item;
    while ((item = PyIter_Next(iter)) != NULL) {
        int in = PyDictKeys_Check(self) ? keys_contains(self, item)
                                        : items_contains(self, item);
        if (in > 0) {
            in = PySet_Add(result, item);
        }
        Py_DECREF(item);
        if (in < 0) {
            break;
        }
    }
    Py_DECREF(iter);
    if (PyErr_Occurred()) {
        Py_CLEAR(result);
    }
    return result;
}

/* The pairs that only one of two dicts has, without making a set of either. Values need
   to be comparable only where both dicts have the key. */
static PyObject *
items_xor(PyObject *self, PyObject *other)
{
    PyDictObject *dicts[2] = {((View *)self)->dv_dict,
                              ((View *)other)->dv_dict};
    PyObject *result = PySet_New(NULL);
    if (result == NULL) {
        return NULL;
    }
    for (int side = 0; side < 2; side++) {
        Py_ssize_t pos = 0;
        PyObject *key, *value;
        Py_hash_t hash;
        while (dict_next(dicts[side], &pos, &key, &value, &hash)) {
            PyObject *pair = _PyTuple_Pair(key, value);
            if (pair == NULL) {
                goto failed;
            }
            PyObject *theirs;
            int same = 0;
            if (_PyDict_Lookup(dicts[!side], PyTuple_GET_ITEM(pair, 0), hash,
                               &theirs) == DICT_ERROR) {
                same = -1;
            }
            else if (theirs != NULL) {
                Py_INCREF(theirs);
                same = PyObject_RichCompareBool(
                    side == 0 ? PyTuple_GET_ITEM(pair, 1) : theirs,
                    side == 0 ? theirs : PyTuple_GET_ITEM(pair, 1), Py_EQ);
                Py_DECREF(theirs);
            }
            if (same == 0) {
                same = PySet_Add(result, pair);
            }
            Py_DECREF(pair);
            if (same < 0) {
                goto failed;
            }
        }
    }
    return result;
failed:
    Py_DECREF(result);
    return NULL;
}

static PyObject *
view_xor(PyObject *self, PyObject *other)
{
    if (PyDictItems_Check(self) && PyDictItems_Check(other)) {
        return items_xor(self, other);
    }
    return set_changed_by(self, _Py_NAME(symmetric_difference_update), other);
}

static PyObject *
view_isdisjoint(PyObject *self, PyObject *other)
{
    if (self == other) {
        return PyBool_FromLong(view_length((View *)self) == 0);
    }
    /* Look up in the larger of the two. */
    if (PyAnySet_CheckExact(other) || PyDictViewSet_Check(other)) {
        Py_ssize_t n = PyObject_Size(other);
        if (n < 0) {
            return NULL;
        }
        if (n > view_length((View *)self)) {
            PyObject *swap = self;
            self = other;
            other = swap;
        }
    }
    PyObject *iter = PyObject_GetIter(other);
    if (iter == NULL) {
        return NULL;
    }
    int in = 0;
    PyObject *item;
    while (in == 0 && (item = PyIter_Next(iter)) != NULL) {
        in = PySequence_Contains(self, item);
        Py_DECREF(item);
    }
    Py_DECREF(iter);
    if (in < 0 || PyErr_Occurred()) {
        return NULL;
    }
    return PyBool_FromLong(!in);
}

static PyNumberMethods view_as_number = {
    .nb_subtract = view_sub,
    .nb_and = _PyDictView_Intersect,
    .nb_xor = view_xor,
    .nb_or = view_or,
};

/* ---------------------------------------------------------------- iteration */

static PyObject *
view_iterator(View *view, PyTypeObject *type)
{
    if (view->dv_dict == NULL) {
        Py_RETURN_NONE;
    }
    return _PyDictIter_New(view->dv_dict, type);
}

#define VIEW_ITER(name, type)                           \
    static PyObject *                                   \
    name(View *view)                                    \
    {                                                   \
        return view_iterator(view, &type);              \
    }

#define VIEW_REVERSED(name, type)                                   \
    static PyObject *                                               \
    name(View *view, PyObject *Py_UNUSED(ignored))                  \
    {                                                               \
        return view_iterator(view, &type);                          \
    }

VIEW_ITER(keys_iter, PyDictIterKey_Type)
VIEW_ITER(values_iter, PyDictIterValue_Type)
VIEW_ITER(items_iter, PyDictIterItem_Type)
VIEW_REVERSED(keys_reversed, PyDictRevIterKey_Type)
VIEW_REVERSED(values_reversed, PyDictRevIterValue_Type)
VIEW_REVERSED(items_reversed, PyDictRevIterItem_Type)

PyDoc_STRVAR(isdisjoint_doc,
"Return True if the view and the given iterable have a null intersection.");

static PyMethodDef keys_methods[] = {
    {"isdisjoint", view_isdisjoint, METH_O, isdisjoint_doc},
    {"__reversed__", (PyCFunction)keys_reversed, METH_NOARGS,
     "Return a reverse iterator over the dict keys."},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef items_methods[] = {
    {"isdisjoint", view_isdisjoint, METH_O, isdisjoint_doc},
    {"__reversed__", (PyCFunction)items_reversed, METH_NOARGS,
     "Return a reverse iterator over the dict items."},
    {NULL, NULL, 0, NULL}
};

static PyMethodDef values_methods[] = {
    {"__reversed__", (PyCFunction)values_reversed, METH_NOARGS,
     "Return a reverse iterator over the dict values."},
    {NULL, NULL, 0, NULL}
};

static PySequenceMethods keys_as_sequence = {
    .sq_length = (lenfunc)view_length,
    .sq_contains = keys_contains,
};

static PySequenceMethods items_as_sequence = {
    .sq_length = (lenfunc)view_length,
    .sq_contains = items_contains,
};

static PySequenceMethods values_as_sequence = {
    .sq_length = (lenfunc)view_length,
};

#define VIEW_TYPE(type, name, sequence, iter, methods, ...)         \
    PyTypeObject type = {                                           \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)                      \
        .tp_name = name,                                            \
        .tp_basicsize = sizeof(View),                               \
        .tp_dealloc = (destructor)view_dealloc,                     \
        .tp_repr = view_repr,                                       \
        .tp_as_sequence = &sequence,                                \
        .tp_getattro = PyObject_GenericGetAttr,                     \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,        \
        .tp_traverse = (traverseproc)view_traverse,                 \
        .tp_iter = (getiterfunc)iter,                               \
        .tp_methods = methods,                                      \
        .tp_getset = view_getset,                                   \
        __VA_ARGS__                                                 \
    }

VIEW_TYPE(PyDictKeys_Type, "dict_keys", keys_as_sequence, keys_iter,
          keys_methods, .tp_as_number = &view_as_number,
          .tp_richcompare = view_richcompare,);
VIEW_TYPE(PyDictItems_Type, "dict_items", items_as_sequence, items_iter,
          items_methods, .tp_as_number = &view_as_number,
          .tp_richcompare = view_richcompare,);
VIEW_TYPE(PyDictValues_Type, "dict_values", values_as_sequence, values_iter,
          values_methods,);
