/* collections.OrderedDict.

   A dict already keeps its keys in insertion order. An OrderedDict can also move a key
   to either end in constant time (see table.c), takes the order into account when it is
   compared, and notices when it is reordered during an iteration: `changes` counts the
   changes to the order that the methods of OrderedDict have made, and `known` is the
   number of keys after them. If dict's own methods have removed keys, `known` is wrong;
   then an iteration raises KeyError, as it also does for a key whose hash has changed.

   A subclass's own __getitem__ and __setitem__ are called by update(), copy() and
   setdefault(). The exact type takes short cuts. */
#include "Python.h"
#include "cpython/odictobject.h"
#include "private.h"
#include "internal/compare.h"
#include "internal/containers.h"
#include "internal/getargs.h"
#include "internal/method_table.h"
#include "internal/names.h"
#include "internal/tuple.h"
#include <stddef.h>

struct _odictobject {
    PyDictObject dict;
    size_t changes;
    Py_ssize_t known;
    PyObject *attributes;       /* __dict__, or NULL */
    PyObject *weakreflist;
};

#define OD(op) ((PyODictObject *)(op))
#define DICT(op) ((PyDictObject *)(op))

/* ----------------------------------------------------------- single entries */

/* Keys that came without our methods, less those that went. */
static Py_ssize_t
unnoted(PyObject *self)
{
    return DICT(self)->ma_used - OD(self)->known;
}

/* Our own code may have changed the number of keys; unnoted() was `before`. What it has called, a
   finalizer of an old value or a key's __eq__, may have called our methods: they have noted their
   changes themselves. */
static void
note_change(PyObject *self, Py_ssize_t before)
{
    Py_ssize_t difference = unnoted(self) - before;
    OD(self)->changes += difference != 0;
    OD(self)->known += difference;
}

static int
set_known_hash(PyObject *self, PyObject *key, PyObject *value, Py_hash_t hash)
{
    Py_ssize_t before = unnoted(self);
    int result = _PyDict_Insert(DICT(self), key, hash, value);
    note_change(self, before);
    return result;
}

int
PyODict_SetItem(PyObject *self, PyObject *key, PyObject *value)
{
    Py_hash_t hash = key_hash(key);
    return hash == -1 ? -1 : set_known_hash(self, key, value, hash);
}

int
PyODict_DelItem(PyObject *self, PyObject *key)
{
    Py_ssize_t before = unnoted(self);
    int result = PyDict_DelItem(self, key);
    note_change(self, before);
    return result;
}

static int
odict_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    return value == NULL ? PyODict_DelItem(self, key)
                         : PyODict_SetItem(self, key, value);
}

PyObject *
PyODict_New(void)
{
    return PyDict_Type.tp_new(&PyODict_Type, NULL, NULL);
}

/* Would a lookup find the key? If not, sets KeyError or the exception that hashing
   raised. */
static int
is_findable(PyObject *dict, PyObject *key, Py_hash_t hash)
{
    if (DICT(dict)->ma_used < OD(dict)->known) {
        PyErr_SetObject(PyExc_KeyError, key);
        return 0;
    }
    if (PyUnicode_CheckExact(key) || PyLong_CheckExact(key)
        || Py_TYPE(key)->tp_hash == PyBaseObject_Type.tp_hash) {
        return 1;
    }
    Py_INCREF(key);
    Py_hash_t now = PyObject_Hash(key);
    if (now != -1 && now != hash) {
        PyErr_SetObject(PyExc_KeyError, key);
    }
    Py_DECREF(key);
    return now == hash;
}

/* ------------------------------------ update() from a mapping or from pairs */

/* Sets self[key] = value for each pair that the iterable gives. */
static int
add_pairs(PyObject *self, PyObject *pairs)
{
    PyObject *iter = PyObject_GetIter(pairs);
    if (iter == NULL) {
        return -1;
    }
    PyObject *pair;
    int result = 0;
    while (result == 0 && (pair = PyIter_Next(iter)) != NULL) {
        result = -1;
        PyObject *parts = PyObject_GetIter(pair);
        Py_DECREF(pair);
        if (parts == NULL) {
            break;
        }
        PyObject *key = PyIter_Next(parts), *value = NULL, *more = NULL;
        if (key != NULL) {
            value = PyIter_Next(parts);
        }
        if (value == NULL) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_ValueError,
                                key == NULL ? "need more than 0 values to unpack"
                                            : "need more than 1 value to unpack");
            }
        }
        else if ((more = PyIter_Next(parts)) != NULL) {
            PyErr_SetString(PyExc_ValueError,
                            "too many values to unpack (expected 2)");
        }
        else if (!PyErr_Occurred()) {
            result = PyObject_SetItem(self, key, value);
        }
        Py_XDECREF(key);
        Py_XDECREF(value);
        Py_XDECREF(more);
        Py_DECREF(parts);
    }
    Py_DECREF(iter);
    return result < 0 || PyErr_Occurred() ? -1 : 0;
}

/* Sets self[key] = other[key] for each of the keys. */
static int
add_by_keys(PyObject *self, PyObject *other, PyObject *keys)
{
    PyObject *iter = PyObject_GetIter(keys);
    if (iter == NULL) {
        return -1;
    }
    PyObject *key;
    int result = 0;
    while (result == 0 && (key = PyIter_Next(iter)) != NULL) {
        PyObject *value = PyObject_GetItem(other, key);
        result = value == NULL ? -1 : PyObject_SetItem(self, key, value);
        Py_XDECREF(value);
        Py_DECREF(key);
    }
    Py_DECREF(iter);
    return result < 0 || PyErr_Occurred() ? -1 : 0;
}

static int
add_dict(PyObject *self, PyObject *dict)
{
    PyObject *items = PyDict_Items(dict);
    if (items == NULL) {
        return -1;
    }
    int result = add_pairs(self, items);
    Py_DECREF(items);
    return result;
}

/* Calls other.name(). Returns its result with *found = 1, or NULL: with *found = 0 when
   there is no such method, otherwise with an exception. */
static PyObject *
call_if_present(PyObject *other, PyObject *name, int *found)
{
    PyObject *method;
    *found = _PyObject_LookupAttr(other, name, &method);
    if (method == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    return result;
}

static int
update_from(PyObject *self, PyObject *other)
{
    if (PyDict_CheckExact(other)) {
        return add_dict(self, other);
    }
    int found, result;
    PyObject *part = call_if_present(other, _Py_NAME(keys), &found);
    if (found != 0) {
        result = part == NULL ? -1 : add_by_keys(self, other, part);
        Py_XDECREF(part);
        return result;
    }
    part = call_if_present(other, _Py_NAME(items), &found);
    if (found != 0) {
        result = part == NULL ? -1 : add_pairs(self, part);
        Py_XDECREF(part);
        return result;
    }
    return add_pairs(self, other);
}

/* MutableMapping.update(self, *args, **kwargs): args holds at most one item. */
static int
update(PyObject *self, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) == 1
        && update_from(self, PyTuple_GET_ITEM(args, 0)) < 0) {
        return -1;
    }
    if (kwargs == NULL || PyDict_GET_SIZE(kwargs) == 0) {
        return 0;
    }
    return PyArg_ValidateKeywordArguments(kwargs) ? add_dict(self, kwargs)
                                                  : -1;
}

static int
odict_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n > 1) {
        PyErr_Format(PyExc_TypeError,
                     "expected at most 1 arguments, got %zd", n);
        return -1;
    }
    return update(self, args, kwargs);
}

static PyObject *
odict_update(PyObject *self, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n > 1) {
        PyErr_Format(PyExc_TypeError,
                     "update() takes at most 1 positional argument "
                     "(%zd given)", n);
        return NULL;
    }
    if (update(self, args, kwargs) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
odict_fromkeys(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"iterable", "value", NULL};
    PyObject *iterable, *value = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:fromkeys", keywords,
                                     &iterable, &value)) {
        return NULL;
    }
    return _PyDict_FromKeys(cls, iterable, value);
}

static PyObject *
odict_setdefault(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                 PyObject *kwnames)
{
    static const char *const keywords[] = {"key", "default", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "setdefault", 0};
    PyObject *slots[2], *present;
    PyObject *const *given = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 2, 0, slots);
    if (given == NULL) {
        return NULL;
    }
    PyObject *key = given[0], *value = given[1] != NULL ? given[1] : Py_None;
    if (PyODict_CheckExact(self)) {
        present = PyDict_GetItemWithError(self, key);
        if (present != NULL) {
            return Py_NewRef(present);
        }
        if (PyErr_Occurred() || PyODict_SetItem(self, key, value) < 0) {
            return NULL;
        }
        return Py_NewRef(value);
    }
    int has = PySequence_Contains(self, key);
    if (has < 0) {
        return NULL;
    }
    if (has) {
        return PyObject_GetItem(self, key);
    }
    return PyObject_SetItem(self, key, value) < 0 ? NULL : Py_NewRef(value);
}

/* Takes a key out, without calling methods of a subclass. default_value may be NULL:
   then a missing key is a KeyError. As in CPython, if the key is a tuple, its items
   become the arguments of the KeyError. */
static PyObject *
pop_key(PyObject *self, PyObject *key, PyObject *default_value)
{
    Py_ssize_t before = unnoted(self);
    PyObject *value;
    Py_hash_t hash = key_hash(key);
    Py_ssize_t pos = hash == -1 ? DICT_ERROR
                                : _PyDict_Lookup(DICT(self), key, hash, &value);
    if (pos == DICT_ERROR) {
        return NULL;
    }
    if (pos >= 0) {
        Py_INCREF(value);
        _PyDict_DeletePos(DICT(self), hash, pos);
    }
    else {
        value = Py_XNewRef(default_value);
        if (value == NULL) {
            PyErr_SetObject(PyExc_KeyError, key);
        }
    }
    note_change(self, before);
    return value;
}

static PyObject *
odict_pop(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"key", "default", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "pop", 0};
    PyObject *slots[2];
    PyObject *const *given = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 1, 2, 0, slots);
    return given == NULL ? NULL : pop_key(self, given[0], given[1]);
}

/* An optional boolean argument, 1 by default. Returns -1 with an exception. */
static int
truth_of(PyObject *given)
{
    return given == NULL ? 1 : PyObject_IsTrue(given);
}

static PyObject *
odict_popitem(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    static const char *const keywords[] = {"last", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "popitem", 0};
    PyObject *slots[1];
    PyObject *const *given = _PyArg_UnpackFilled(args, nargs, kwnames, &parser,
                                                 0, 1, 0, slots);
    int last = given == NULL ? -1 : truth_of(given[0]);
    if (last < 0) {
        return NULL;
    }
    Py_ssize_t pos = _PyDict_EndPos(DICT(self), last);
    if (pos < 0) {
        PyErr_SetString(PyExc_KeyError, "dictionary is empty");
        return NULL;
    }
    PyObject *key = Py_NewRef(_PyDictKeys_KeyAt(DICT(self)->ma_keys, pos));
    PyObject *value = pop_key(self, key, NULL), *pair = NULL;
    if (value != NULL) {
        pair = _PyTuple_Pair(key, value);
        Py_DECREF(value);
    }
    Py_DECREF(key);
    return pair;
}

static PyObject *
odict_move_to_end(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                  PyObject *kwnames)
{
    static const char *const keywords[] = {"key", "last", NULL};
    static _PyArg_Parser parser = {NULL, keywords, "move_to_end", 0};
    PyObject *slots[2], *value;
    PyObject *const *given = args;
    int last = 1;
    if (nargs != 1 || kwnames != NULL) {
        given = _PyArg_UnpackFilled(args, nargs, kwnames, &parser, 1, 2, 0, slots);
        last = given == NULL ? -1 : truth_of(given[1]);
    }
    if (last < 0) {
        return NULL;
    }
    PyObject *key = given[0];
    if (DICT(self)->ma_used == 0) {     /* for any key, without hashing it */
        PyErr_SetObject(PyExc_KeyError, key);
        return NULL;
    }
    Py_hash_t hash = key_hash(key);
    if (hash == -1) {
        return NULL;
    }
    Py_ssize_t pos = _PyDict_Lookup(DICT(self), key, hash, &value);
    if (pos < 0) {
        if (pos != DICT_ERROR) {
            PyErr_SetObject(PyExc_KeyError, key);
        }
        return NULL;
    }
    if (pos != _PyDict_EndPos(DICT(self), last)) {
        OD(self)->changes++;
        if ((last ? _PyDict_MoveToEnd(DICT(self), hash, pos)
             : _PyDict_MoveToFront(DICT(self), hash, pos)) < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *
odict_clear(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    OD(self)->known = 0;
    PyDict_Clear(self);
    Py_RETURN_NONE;
}

static PyObject *
odict_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    int exact = PyODict_CheckExact(self);
    PyObject *copy = exact ? PyODict_New()
        : PyObject_CallNoArgs((PyObject *)Py_TYPE(self));
    if (copy == NULL) {
        return NULL;
    }
    Py_ssize_t pos = 0;
    PyObject *key, *value;
    Py_hash_t hash;
    size_t changes = OD(self)->changes;
    int failed = 0;
    while (!failed && dict_next(DICT(self), &pos, &key, &value, &hash)) {
        if (!is_findable(self, key, hash)) {
            failed = 1;
            continue;
        }
        if (exact) {
            failed = set_known_hash(copy, key, value, hash) < 0;
            continue;
        }
        Py_INCREF(key);
        value = PyObject_GetItem(self, key);
        failed = value == NULL || PyObject_SetItem(copy, key, value) < 0;
        Py_XDECREF(value);
        Py_DECREF(key);
        if (!failed && OD(self)->changes != changes) {
            PyErr_SetString(PyExc_RuntimeError,
                            "OrderedDict mutated during iteration");
            failed = 1;
        }
    }
    if (failed) {
        Py_CLEAR(copy);
    }
    return copy;
}

static PyObject *
odict_sizeof(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return PyLong_FromSsize_t(_PyDict_SizeOf(DICT(self)));
}

static PyObject *
odict_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *state = NULL, *items = NULL, *iter = NULL, *result = NULL;
    state = PyObject_CallMethodNoArgs(self, _Py_NAME(dunder_getstate));
    if (state != NULL) {
        items = PyObject_CallMethodNoArgs(self, _Py_NAME(items));
    }
    if (items != NULL) {
        iter = PyObject_GetIter(items);
    }
    if (iter != NULL) {
        result = Py_BuildValue("O()OOO", Py_TYPE(self), state, Py_None, iter);
    }
    Py_XDECREF(state);
    Py_XDECREF(items);
    Py_XDECREF(iter);
    return result;
}

/* ---------------------------------------------------------------- iteration */

enum { ITER_KEYS = 1, ITER_VALUES = 2, ITER_REVERSED = 4 };

typedef struct {
    PyObject_HEAD
    int kind;                   /* ITER_…; keys and values: pairs */
    PyObject *dict;             /* NULL when exhausted */
    Py_ssize_t size;
    size_t changes;
    Py_ssize_t pos;
} ODictIter;

static PyObject *
iter_new(PyObject *dict, int kind)
{
    ODictIter *it = PyObject_GC_New(ODictIter, &PyODictIter_Type);
    if (it == NULL) {
        return NULL;
    }
    it->kind = kind;
    it->dict = Py_NewRef(dict);
    it->size = DICT(dict)->ma_used;
    it->changes = OD(dict)->changes;
    it->pos = kind & ITER_REVERSED ? DICT(dict)->ma_keys->nentries - 1 : 0;
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

static void
odictiter_dealloc(ODictIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->dict);
    PyObject_GC_Del(it);
}

static int
odictiter_traverse(ODictIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->dict);
    return 0;
}

static int
odictiter_clear(ODictIter *it)
{
    Py_CLEAR(it->dict);
    return 0;
}

/* The first entry from it->pos on, in the iterator's direction. */
static int
next_entry(ODictIter *it, Py_ssize_t *pos, PyObject **key, PyObject **value,
           Py_hash_t *hash)
{
    PyDictObject *dict = DICT(it->dict);
    if (!(it->kind & ITER_REVERSED)) {
        return dict_next(dict, pos, key, value, hash);
    }
    const Keys *keys = dict->ma_keys;
    int found = 0;
    Py_ssize_t i = Py_MIN(*pos, keys->nentries - 1);
    while (!found && i >= keys->first) {
        found = keys_entry(keys, i--, key, value, hash);
    }
    *pos = i;
    return found;
}

static PyObject *
result_of(const ODictIter *it, PyObject *key, PyObject *value)
{
    switch (it->kind & (ITER_KEYS | ITER_VALUES)) {
    case ITER_KEYS:
        return Py_NewRef(key);
    case ITER_VALUES:
        return Py_NewRef(value);
    default:
        return _PyTuple_Pair(key, value);
    }
}

/* After its last key an iterator releases the dict at once: changes to the dict after
   that must not disturb the loop. */
static PyObject *
odictiter_next(ODictIter *it)
{
    PyObject *dict = it->dict;
    if (dict == NULL || it->size == 0) {        /* an empty one has ended, whatever it is now */
        it->dict = NULL;
        Py_XDECREF(dict);
        return NULL;
    }
    const char *complaint = NULL;
    if (it->changes != OD(dict)->changes) {
        complaint = "OrderedDict mutated during iteration";
    }
    else if (it->size != DICT(dict)->ma_used) {
        it->size = -1;          /* it is said again when asked again */
        PyErr_SetString(PyExc_RuntimeError, "OrderedDict changed size during iteration");
        return NULL;
    }
    PyObject *key, *value;
    Py_hash_t hash;
    int found = 0;
    if (complaint != NULL) {
        PyErr_SetString(PyExc_RuntimeError, complaint);
    }
    else {
        found = next_entry(it, &it->pos, &key, &value, &hash);
    }
    if (!found) {
        Py_CLEAR(it->dict);
        return NULL;
    }
    /* To hash the key and to make a pair may run any code, which may also end this iterator. */
    Py_INCREF(key);
    Py_INCREF(value);
    PyObject *result = is_findable(dict, key, hash) ? result_of(it, key, value) : NULL;
    Py_DECREF(key);
    Py_DECREF(value);
    Py_ssize_t after = it->pos;
    if (it->dict != NULL
        && (result == NULL || !next_entry(it, &after, &key, &value, &hash))) {
        Py_CLEAR(it->dict);
    }
    return result;
}

static PyObject *
odictiter_reduce(ODictIter *it, PyObject *Py_UNUSED(ignored))
{
    if (it->dict == NULL) {
        return _PyIter_ReduceToList(NULL);
    }
    ODictIter *copy = (ODictIter *)iter_new(it->dict, it->kind);
    if (copy == NULL) {
        return NULL;
    }
    copy->size = it->size;
    copy->changes = it->changes;
    copy->pos = it->pos;
    return _PyIter_ReduceToList((PyObject *)copy);
}

static PyMethodDef odictiter_methods[] = {
    {"__reduce__", (PyCFunction)odictiter_reduce, METH_NOARGS,
     "Return state information for pickling"},
    {NULL, NULL, 0, NULL}
};

PyTypeObject PyODictIter_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "odict_iterator",
    .tp_basicsize = sizeof(ODictIter),
    .tp_dealloc = (destructor)odictiter_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)odictiter_traverse,
    .tp_clear = (inquiry)odictiter_clear,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)odictiter_next,
    .tp_methods = odictiter_methods,
};

/* -------------------------------------------------------------------- views */

#define VIEW(name, title, type, base, kind)                             \
    static PyObject *                                                   \
    name##_iter(_PyDictViewObject *view)                                \
    {                                                                   \
        if (view->dv_dict == NULL) {                                    \
            Py_RETURN_NONE;                                             \
        }                                                               \
        return iter_new((PyObject *)view->dv_dict, kind);               \
    }                                                                   \
                                                                        \
    static PyObject *                                                   \
    name##_reversed(_PyDictViewObject *view, PyObject *Py_UNUSED(none)) \
    {                                                                   \
        if (view->dv_dict == NULL) {                                    \
            Py_RETURN_NONE;                                             \
        }                                                               \
        return iter_new((PyObject *)view->dv_dict,                      \
                        (kind) | ITER_REVERSED);                        \
    }                                                                   \
                                                                        \
    static PyMethodDef name##_methods[] = {                             \
        {"__reversed__", (PyCFunction)name##_reversed, METH_NOARGS,     \
         NULL},                                                         \
        {NULL, NULL, 0, NULL}                                           \
    };                                                                  \
                                                                        \
    PyTypeObject type = {                                               \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)                          \
        .tp_name = title,                                               \
        .tp_basicsize = sizeof(_PyDictViewObject),                      \
        .tp_flags = Py_TPFLAGS_DEFAULT,                                 \
        .tp_iter = (getiterfunc)name##_iter,                            \
        .tp_methods = name##_methods,                                   \
        .tp_base = &base,                                               \
    };                                                                  \
                                                                        \
    static PyObject *                                                   \
    odict_##name(PyObject *self, PyObject *Py_UNUSED(ignored))          \
    {                                                                   \
        return _PyDictView_New(self, &type);                            \
    }

VIEW(keys, "odict_keys", PyODictKeys_Type, PyDictKeys_Type, ITER_KEYS)
VIEW(items, "odict_items", PyODictItems_Type, PyDictItems_Type,
     ITER_KEYS | ITER_VALUES)
VIEW(values, "odict_values", PyODictValues_Type, PyDictValues_Type,
     ITER_VALUES)

static PyObject *
odict_iter(PyObject *self)
{
    return iter_new(self, ITER_KEYS);
}

static PyObject *
odict_reversed(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return iter_new(self, ITER_KEYS | ITER_REVERSED);
}

/* ----------------------------------------------------------------- protocol */

/* Do two dicts of equal size have the same keys in the same order? */
static int
same_order(PyObject *a, PyObject *b)
{
    Py_ssize_t i = 0, j = 0;
    PyObject *x = NULL, *y = NULL, *value;
    Py_hash_t hash;
    size_t a_changes = OD(a)->changes, b_changes = OD(b)->changes;
    for (;;) {
        int more_a = dict_next(DICT(a), &i, &x, &value, &hash);
        int more_b = dict_next(DICT(b), &j, &y, &value, &hash);
        if (!more_a || !more_b) {
            return more_a == more_b;
        }
        int equal = _PyObject_CompareHeld(x, y, Py_EQ);
        if (equal <= 0) {
            return equal;
        }
        if (a_changes != OD(a)->changes || b_changes != OD(b)->changes) {
            PyErr_SetString(PyExc_RuntimeError,
                            "OrderedDict mutated during iteration");
            return -1;
        }
    }
}

static PyObject *
odict_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyDict_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int equal = _PyDict_Equal(DICT(self), DICT(other));
    if (equal > 0 && PyODict_Check(other)) {
        equal = same_order(self, other);
    }
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

static PyObject *
odict_repr(PyObject *self)
{
    if (DICT(self)->ma_used == 0) {
        return PyUnicode_FromFormat("%s()", _PyType_Name(Py_TYPE(self)));
    }
    int entered = Py_ReprEnter(self);
    if (entered != 0) {
        return entered > 0 ? PyUnicode_FromString("...") : NULL;
    }
    PyObject *pairs = NULL, *result = NULL;
    PyObject *items = PyODict_CheckExact(self)
        ? _PyDictView_New(self, &PyODictItems_Type)
        : PyObject_CallMethodNoArgs(self, _Py_NAME(items));
    if (items != NULL) {
        pairs = PySequence_List(items);
        Py_DECREF(items);
    }
    if (pairs != NULL) {
        result = PyUnicode_FromFormat("%s(%R)", _PyType_Name(Py_TYPE(self)),
                                      pairs);
        Py_DECREF(pairs);
    }
    Py_ReprLeave(self);
    return result;
}

static PyObject *
odict_or(PyObject *left, PyObject *right)
{
    int left_is_odict = PyODict_Check(left);
    PyTypeObject *type = Py_TYPE(left_is_odict ? left : right);
    if (!PyDict_Check(left) || !PyDict_Check(right)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *result = PyObject_CallOneArg((PyObject *)type, left);
    if (result != NULL && update_from(result, right) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
odict_ior(PyObject *self, PyObject *other)
{
    return update_from(self, other) < 0 ? NULL : Py_NewRef(self);
}

/* --------------------------------------------------------------------- life */

static void
odict_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, odict_dealloc)
    Py_CLEAR(OD(self)->attributes);
    if (OD(self)->weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    PyDict_Type.tp_dealloc(self);
    Py_TRASHCAN_END
}

static int
odict_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(OD(self)->attributes);
    return PyDict_Type.tp_traverse(self, visit, arg);
}

static int
odict_tp_clear(PyObject *self)
{
    Py_CLEAR(OD(self)->attributes);
    OD(self)->changes++;
    PyDict_Clear(self);
    return 0;
}



static PyMethodDef odict_methods[] = {
    {"fromkeys", VAR_KEYWORDS(odict_fromkeys) | METH_CLASS,
     "fromkeys($type, /, iterable, value=None)\n--\n\n"
     "A new ordered dictionary with keys from iterable, and one value for "
     "all."},
    {"__sizeof__", odict_sizeof, METH_NOARGS,
     "odict.__sizeof__() -> size of the dictionary in memory, in bytes"},
    {"__reduce__", odict_reduce, METH_NOARGS,
     "Return state information for pickling"},
    {"setdefault", FAST_KEYWORDS(odict_setdefault),
     "setdefault($self, /, key, default=None)\n--\n\n"
     "The value of a key, after giving a missing key the default value."},
    {"pop", FAST_KEYWORDS(odict_pop),
     "pop($self, /, key, default=<unrepresentable>)\n--\n\n"
     "od.pop(key[,default]) -> v, remove specified key and return the "
     "corresponding value.\n\n"
     "A missing key gives the default; without one, a KeyError is raised."},
    {"popitem", FAST_KEYWORDS(odict_popitem),
     "popitem($self, /, last=True)\n--\n\n"
     "Remove and return a (key, value) pair from the dictionary.\n\n"
     "Pairs are returned in LIFO order if last is true or FIFO order if "
     "false."},
    {"keys", odict_keys, METH_NOARGS, NULL},
    {"values", odict_values, METH_NOARGS, NULL},
    {"items", odict_items, METH_NOARGS, NULL},
    {"update", VAR_KEYWORDS(odict_update), NULL},
    {"clear", odict_clear, METH_NOARGS,
     "od.clear() -> None.  Remove all items from od."},
    {"copy", odict_copy, METH_NOARGS, "od.copy() -> a shallow copy of od"},
    {"__reversed__", odict_reversed, METH_NOARGS,
     "od.__reversed__() <==> reversed(od)"},
    {"move_to_end", FAST_KEYWORDS(odict_move_to_end),
     "move_to_end($self, /, key, last=True)\n--\n\n"
     "Move an existing element to the end (or beginning if last is "
     "false).\n\n"
     "Raise KeyError if the element does not exist."},
    {NULL, NULL, 0, NULL}
};

static PyGetSetDef odict_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyNumberMethods odict_as_number = {
    .nb_or = odict_or,
    .nb_inplace_or = odict_ior,
};

static PyMappingMethods odict_as_mapping = {
    .mp_ass_subscript = odict_ass_subscript,
};

PyTypeObject PyODict_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "collections.OrderedDict",
    .tp_basicsize = sizeof(PyODictObject),
    .tp_dealloc = odict_dealloc,
    .tp_repr = odict_repr,
    .tp_as_number = &odict_as_number,
    .tp_as_mapping = &odict_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Dictionary that remembers insertion order",
    .tp_traverse = odict_traverse,
    .tp_clear = odict_tp_clear,
    .tp_richcompare = odict_richcompare,
    .tp_weaklistoffset = offsetof(PyODictObject, weakreflist),
    .tp_iter = odict_iter,
    .tp_methods = odict_methods,
    .tp_getset = odict_getset,
    .tp_base = &PyDict_Type,
    .tp_dictoffset = offsetof(PyODictObject, attributes),
    .tp_init = odict_init,
    .tp_alloc = PyType_GenericAlloc,
};
