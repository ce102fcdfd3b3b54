/* Iterators over dicts: keys, values and items, forwards and backwards.

   An iterator remembers how many keys the dict had. If that changes, it raises an
   error, and raises it again at every later step. It releases its dict at the end. The
   item iterators reuse the last pair if nothing else holds a reference to it. */
#include "private.h"
#include "internal/containers.h"
#include "internal/index_iter.h"
#include "internal/names.h"
#include "internal/spare.h"
#include "internal/tuple.h"

typedef struct {
    PyObject_HEAD
    PyDictObject *dict;         /* NULL when exhausted */
    Py_ssize_t used;            /* len(dict) at the start; -1: in error */
    Py_ssize_t pos;
    PyObject *pair;             /* items only */
    Py_ssize_t left;
} DictIter;

_Static_assert(offsetof(DictIter, dict) == offsetof(_PyTableIter, container), "");

static _PySpareObjects spare = _PySpareObjects_INIT(32);

static int
is_reverse(PyTypeObject *type)
{
    return type == &PyDictRevIterKey_Type || type == &PyDictRevIterValue_Type
        || type == &PyDictRevIterItem_Type;
}

PyObject *
_PyDictIter_New(PyDictObject *dict, PyTypeObject *type)
{
    DictIter *it = (DictIter *)_PySpare_Take(&spare, type);
    if (it == NULL && (it = PyObject_GC_New(DictIter, type)) == NULL) {
        return NULL;
    }
    it->dict = (PyDictObject *)Py_NewRef(dict);
    it->used = it->left = dict->ma_used;
    it->pos = is_reverse(type) ? dict->ma_keys->nentries - 1 : 0;
    it->pair = NULL;
    _PyObject_GC_TRACK((PyObject *)it);
    if (type == &PyDictIterItem_Type || type == &PyDictRevIterItem_Type) {
        it->pair = _PyTuple_PairSteal(Py_NewRef(Py_None), Py_NewRef(Py_None));
        if (it->pair == NULL) {
            Py_DECREF(it);
            return NULL;
        }
    }
    return (PyObject *)it;
}

static void
iter_dealloc(DictIter *it)
{
    _PyObject_GC_UNTRACK((PyObject *)it);
    Py_XDECREF(it->dict);
    Py_XDECREF(it->pair);
    if (!_PySpare_Keep(&spare, (PyObject *)it)) {
        PyObject_GC_Del(it);
    }
}

PyObject *
_PyDictIter_Pair(PyObject *it)
{
    return ((DictIter *)it)->pair;
}

static int
iter_traverse(DictIter *it, visitproc visit, void *arg)
{
    Py_VISIT(it->dict);
    Py_VISIT(it->pair);
    return 0;
}

static PyObject *
exhausted(DictIter *it)
{
    PyDictObject *dict = it->dict;
    it->dict = NULL;
    Py_DECREF(dict);
    return NULL;
}

/* The next entry, borrowed. Returns 1; or 0 at the end, or with an exception. */
static __attribute__((noinline)) int
advance(DictIter *it, int reverse, PyObject **key, PyObject **value)
{
    PyDictObject *dict = it->dict;
    if (dict == NULL) {
        return 0;
    }
    if (it->used != dict->ma_used) {
        PyErr_SetString(PyExc_RuntimeError,
                        "dictionary changed size during iteration");
        it->used = -1;
        return 0;
    }
    Py_hash_t hash;
    int found = 0;
    if (reverse) {
        Py_ssize_t i = Py_MIN(it->pos, dict->ma_keys->nentries - 1);
        while (i >= 0 && !found) {
            found = keys_entry(dict->ma_keys, i--, key, value, &hash);
        }
        it->pos = i;
    }
    else {
        found = dict_next(dict, &it->pos, key, value, &hash);
    }
    if (!found) {
        exhausted(it);
        return 0;
    }
    /* Backwards, a key that comes again is not noticed, as in CPython. */
    if (it->left == 0 && !reverse) {
        PyErr_SetString(PyExc_RuntimeError,
                        "dictionary keys changed during iteration");
        exhausted(it);
        return 0;
    }
    it->left -= it->left > 0;
    return 1;
}

/* The usual step, to a live entry that is the next one; 0: advance() has to see. */
static inline __attribute__((always_inline)) int
step(DictIter *it, int reverse, PyObject **key, PyObject **value)
{
    const PyDictObject *dict = it->dict;
    if (dict == NULL || it->used != dict->ma_used || it->left == 0
        || it->pos >= dict->ma_keys->nentries || (reverse && it->pos < 0)) {
        return 0;
    }
    Py_hash_t hash;
    if (!keys_entry(dict->ma_keys, it->pos, key, value, &hash)) {
        return 0;
    }
    it->pos += reverse ? -1 : 1;
    it->left--;
    return 1;
}

/* Returns a pair that owns new references to key and value. Reuses the last pair if the
   iterator has the only reference to it. */
static PyObject *
make_pair(DictIter *it, PyObject *key, PyObject *value)
{
    Py_INCREF(key);
    Py_INCREF(value);
    PyObject *pair = it->pair;
    if (Py_REFCNT(pair) != 1) {
        return _PyTuple_PairSteal(key, value);
    }
    PyObject *old_key = PyTuple_GET_ITEM(pair, 0);
    PyObject *old_value = PyTuple_GET_ITEM(pair, 1);
    PyTuple_SET_ITEM(pair, 0, key);
    PyTuple_SET_ITEM(pair, 1, value);
    Py_INCREF(pair);
    Py_DECREF(old_key);
    Py_DECREF(old_value);
    /* A collection may have untracked the pair when its old items were free of cycles. */
    if (!_PyObject_GC_IS_TRACKED(pair)) {
        _PyObject_GC_TRACK(pair);
    }
    return pair;
}

#define NEXT_FUNCTIONS(prefix, found)                               \
    static PyObject *                                               \
    prefix##_key(DictIter *it)                                      \
    {                                                               \
        PyObject *key, *value;                                      \
        return (found) ? Py_NewRef(key) : NULL;                     \
    }                                                               \
    static PyObject *                                               \
    prefix##_value(DictIter *it)                                    \
    {                                                               \
        PyObject *key, *value;                                      \
        return (found) ? Py_NewRef(value) : NULL;                   \
    }                                                               \
    static PyObject *                                               \
    prefix##_item(DictIter *it)                                     \
    {                                                               \
        PyObject *key, *value;                                      \
        return (found) ? make_pair(it, key, value) : NULL;          \
    }

NEXT_FUNCTIONS(next, step(it, 0, &key, &value) || advance(it, 0, &key, &value))
NEXT_FUNCTIONS(back, step(it, 1, &key, &value) || advance(it, 1, &key, &value))

/* As far as no deleted entry comes. */
static inline __attribute__((always_inline)) Py_ssize_t
take(DictIter *it, PyObject **to, Py_ssize_t most, int values)
{
    Py_ssize_t n = 0;
    PyObject *key, *value;
    while (n < most && step(it, 0, &key, &value)) {
        to[n++] = Py_NewRef(values ? value : key);
    }
    return n;
}

Py_ssize_t
_PyDictIter_TakeKeys(PyObject *it, PyObject **to, Py_ssize_t most)
{
    return take((DictIter *)it, to, most, 0);
}

Py_ssize_t
_PyDictIter_TakeValues(PyObject *it, PyObject **to, Py_ssize_t most)
{
    return take((DictIter *)it, to, most, 1);
}

/* Pairs that are made of dead ones: a collection, which runs code, can come where memory is
   taken. 0 also where the iterator would give out the last pair again. */
Py_ssize_t
_PyDictIter_TakeItems(PyObject *op, PyObject **to, Py_ssize_t most)
{
    DictIter *it = (DictIter *)op;
    if (Py_REFCNT(it->pair) == 1) {
        return 0;
    }
    Py_ssize_t n = 0;
    PyObject *key, *value;
    while (n < most && _PyTuple_CanReuse(2) && step(it, 0, &key, &value)) {
        PyTupleObject *pair = _PyTuple_Reuse(2);
        pair->ob_item[0] = Py_NewRef(key);
        pair->ob_item[1] = Py_NewRef(value);
        _PyObject_GC_TRACK((PyObject *)pair);
        to[n++] = (PyObject *)pair;
    }
    return n;
}

static PyObject *
iter_length_hint(DictIter *it, PyObject *Py_UNUSED(ignored))
{
    Py_ssize_t left = 0;
    if (it->dict != NULL && it->used == it->dict->ma_used) {
        left = it->left;
    }
    return PyLong_FromSsize_t(left);
}

static PyObject *
iter_reduce(DictIter *it, PyObject *Py_UNUSED(ignored))
{
    if (it->dict == NULL) {
        return _PyIter_ReduceToList(NULL);
    }
    DictIter *copy = (DictIter *)_PyDictIter_New(it->dict, Py_TYPE(it));
    if (copy == NULL) {
        return NULL;
    }
    copy->used = it->used;
    copy->pos = it->pos;
    copy->left = it->left;
    return _PyIter_ReduceToList((PyObject *)copy);
}

static PyMethodDef iter_methods[] = {
    {"__length_hint__", (PyCFunction)iter_length_hint, METH_NOARGS,
     "Private method returning an estimate of len(list(it))."},
    {"__reduce__", (PyCFunction)iter_reduce, METH_NOARGS,
     "Return state information for pickling."},
    {NULL, NULL, 0, NULL}
};

#define ITER_TYPE(type, name, next)                                 \
    PyTypeObject type = {                                           \
        PyVarObject_HEAD_INIT(&PyType_Type, 0)                      \
        .tp_name = name,                                            \
        .tp_basicsize = sizeof(DictIter),                           \
        .tp_dealloc = (destructor)iter_dealloc,                     \
        .tp_getattro = PyObject_GenericGetAttr,                     \
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,        \
        .tp_traverse = (traverseproc)iter_traverse,                 \
        .tp_iter = PyObject_SelfIter,                               \
        .tp_iternext = (iternextfunc)next,                          \
        .tp_methods = iter_methods,                                 \
    }

ITER_TYPE(PyDictIterKey_Type, "dict_keyiterator", next_key);
ITER_TYPE(PyDictIterValue_Type, "dict_valueiterator", next_value);
ITER_TYPE(PyDictIterItem_Type, "dict_itemiterator", next_item);
ITER_TYPE(PyDictRevIterKey_Type, "dict_reversekeyiterator", back_key);
ITER_TYPE(PyDictRevIterValue_Type, "dict_reversevalueiterator", back_value);
ITER_TYPE(PyDictRevIterItem_Type, "dict_reverseitemiterator", back_item);
