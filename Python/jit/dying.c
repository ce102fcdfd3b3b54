/* What dies with an object: dying.h.

   Most objects that a program drops hold numbers, strings and what others hold, too. If all that
   dies with them is of that kind, no code runs: no finalizer, no callback of a weak reference,
   and the frame that drops them need not be true. The search follows what nothing else refers to
   and notes all other references that go. In the end each object that they lead to must have one
   more than these. */
#include "dying.h"
#include "../vm/vm.h"
#include "internal/call.h"
#include "internal/containers.h"
#include "internal/dict.h"
#include "internal/float.h"
#include "internal/index_iter.h"
#include "internal/instance_attrs.h"
#include "internal/range.h"
#include "internal/trashcan.h"
#include "internal/tuple.h"
#include "internal/type.h"

#undef A
#undef B
#undef C

/* So many objects may die, and so many references may go: to what may die then, and in all. */
#define MOST_DYING _PyJit_FEW_ITEMS
#define MOST_OTHERS 24
#define MOST_REFERENCES 64

typedef struct {
    PyObject *dying[MOST_DYING];
    int ndying;
    PyObject *others[MOST_OTHERS];
    int nothers;
    int nreferences;
} Dying;

/* Types whose objects' death may be found out, and how. */
static struct {
    const PyTypeObject *type;
    int (*dies_alone)(PyObject *);
} told[8];
static int ntold;

void
_PyJit_LearnDiesAlone(const PyTypeObject *type, int (*dies_alone)(PyObject *))
{
    if (ntold < (int)Py_ARRAY_LENGTH(told)) {
        told[ntold].type = type;
        told[ntold++].dies_alone = dies_alone;
    }
}

_Py_RARE_CALL int
_PyJit_SaysDiesAlone(PyObject *object)
{
    for (int i = 0; i < ntold; i++) {
        if (told[i].type == Py_TYPE(object)) {
            return told[i].dies_alone(object);
        }
    }
    return 0;
}

/* Is it of a C type that the collector doesn't know, of which nothing can be found out? */
static inline int
may_do_anything(PyObject *object)
{
    const PyTypeObject *type = Py_TYPE(object);
    return !(type->tp_flags & Py_TPFLAGS_HAVE_GC) && type->tp_dealloc != _PySubtype_Dealloc
           && !_PyJit_ObjectDiesAlone(object);
}

/* Does it only drop what tp_traverse() visits, and is that not too much? */
static int
only_drops(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyTuple_Type || type == &PyList_Type) {
        return Py_SIZE(object) <= MOST_REFERENCES;
    }
    if (type->tp_dealloc == _PySubtype_Dealloc) {
        return _PySubtype_OwnsItsFields(object);
    }
    return type == &PySlice_Type || type == &PyListIter_Type || type == &PyTupleIter_Type
           || type == &PyCell_Type || (type == &PyDict_Type && PyDict_GET_SIZE(object) == 0)
           || (type == &PyMethod_Type && ((PyMethodObject *)object)->im_weakreflist == NULL)
           || (type == &PyFunction_Type
               && ((PyFunctionObject *)object)->func_weakreflist == NULL);
}

/* Takes note of a reference that goes. 1: that is too much. */
static int
note(PyObject *object, void *arg)
{
    Dying *d = arg;
    if (++d->nreferences > MOST_REFERENCES) {
        return 1;
    }
    if (Py_REFCNT(object) > MOST_REFERENCES || _PyJit_ObjectDiesAlone(object)) {
        return 0;
    }
    if (Py_REFCNT(object) != 1) {
        if (d->nothers == MOST_OTHERS) {
            return 1;
        }
        d->others[d->nothers++] = object;
        return 0;
    }
    if (d->ndying == MOST_DYING || !only_drops(object)) {
        return 1;
    }
    d->dying[d->ndying++] = object;
    return 0;
}

/* Are there other references to it, or does it die without a sound? It may be there n times. */
static inline int
one_stays(PyObject *object, Py_ssize_t n)
{
    return Py_REFCNT(object) > n || _PyJit_ObjectDiesAlone(object);
}

_Py_RARE_CALL int
_PyJit_IsHeldElsewhere(PyObject *const *items, Py_ssize_t n, Py_ssize_t i)
{
    for (Py_ssize_t k = 0; k < n; k++) {
        if (k != i && items[k] == items[i]) {
            return 0;
        }
    }
    return 1;
}

static inline int
few_stay(PyObject *const *items, Py_ssize_t n)
{
    int stay = n <= MOST_DYING;
    for (Py_ssize_t i = 0; stay && i < n; i++) {
        stay = items[i] == NULL || _PyJit_ItemStays(items, n, i);
    }
    return stay;
}

/* Of a small dict. Keys that are strs need no look. */
static int
values_stay(PyObject *object)
{
    const struct _dictkeysobject *keys = ((PyDictObject *)object)->ma_keys;
    Py_ssize_t n = keys->nentries;
    int stay = n <= MOST_DYING;
    if (keys->kind == DICT_KEYS_UNICODE) {
        const _PyDictUnicodeEntry *entries = _PyDictKeys_UnicodeEntries(keys);
        for (Py_ssize_t i = 0; stay && i < n; i++) {
            stay = entries[i].value == NULL || one_stays(entries[i].value, n);
        }
        return stay;
    }
    const _PyDictEntry *entries = _PyDictKeys_Entries(keys);
    for (Py_ssize_t i = 0; stay && i < n; i++) {
        PyObject *const parts[] = {entries[i].key, entries[i].value};
        stay = (parts[0] == NULL || one_stays(parts[0], 2 * n))
               && (parts[1] == NULL || one_stays(parts[1], 2 * n));
    }
    return stay;
}

/* Of a small set. */
static int
keys_stay(PySetObject *set)
{
    Py_ssize_t n = set->used, left = n;
    int stay = set->weakreflist == NULL && set->mask < 4 * MOST_DYING;
    for (const setentry *slot = set->table; stay && left > 0; slot++) {
        if (slot->key != NULL && slot->key != _PySet_Dummy) {
            left--;
            stay = one_stays(slot->key, n);
        }
    }
    return stay;
}

/* Of the only reference to a cell, one of n that go. */
static inline int
cell_stays(PyObject *cell, Py_ssize_t n)
{
    PyObject *value = PyCell_GET(cell);
    return value == NULL || one_stays(value, n);
}

/* Of the cells of a function, or those that nothing else refers to. */
static inline int
closure_stays(const PyTupleObject *closure)
{
    Py_ssize_t n = Py_SIZE(closure);
    int stay = n <= MOST_DYING;
    for (Py_ssize_t i = 0; stay && i < n; i++) {
        PyObject *cell = closure->ob_item[i];
        stay = _PyJit_IsShared(closure->ob_item, n, i)
               || (Py_REFCNT(cell) == 1 && PyCell_Check(cell) && cell_stays(cell, n));
    }
    return stay;
}

/* Of a function as def makes it. Where two of its fields may be one object, that is counted. */
static int
parts_stay(PyFunctionObject *function)
{
    const PyObject *globals = function->func_globals, *builtins = function->func_builtins;
    if (function->func_weakreflist != NULL || function->func_dict != NULL
        || function->func_defaults != NULL || function->func_kwdefaults != NULL
        || function->func_annotations != NULL || globals == NULL || builtins == NULL
        || _PyFunction_HasOldCodes(function)) {
        return 0;
    }
    PyObject *const of_any_type[] = {function->func_doc, function->func_module,
                                     function->func_name, function->func_qualname};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(of_any_type); i++) {
        if (of_any_type[i] != NULL && of_any_type[i] != Py_None
            && !PyUnicode_CheckExact(of_any_type[i])) {
            return 0;
        }
    }
    PyObject *closure = function->func_closure;
    return Py_REFCNT(function->func_code) > 1 && Py_REFCNT(globals) > 1 + (globals == builtins)
           && Py_REFCNT(builtins) > 1
           && (closure == NULL || Py_REFCNT(closure) > 1
               || closure_stays((PyTupleObject *)closure));
}

/* Of a dict's iterator: its items live on at least. */
static int
pair_stays(PyObject *pair)
{
    PyObject *const *items = _PyTuple_ITEMS(pair);
    Py_ssize_t gone = 1 + (items[0] == items[1]);
    return Py_REFCNT(pair) > 1 || (Py_REFCNT(items[0]) > gone && Py_REFCNT(items[1]) > gone);
}

/* As loops leave it, an iterator or a dict's view: what it has gone over lives on, or dies without a
   sound. */
static int
iterated_stays(PyObject *object, PyTypeObject *type)
{
    PyObject *container;
    if (type->tp_dealloc == (destructor)_PyIndexIter_Dealloc) {
        container = ((_PyIndexIter *)object)->sequence;
    }
    else if (type == &PyDictIterKey_Type || type == &PyDictIterValue_Type
             || type == &PySetIter_Type) {
        container = ((_PyTableIter *)object)->container;
    }
    else if (type == &PyDictIterItem_Type) {
        if (!pair_stays(_PyDictIter_Pair(object))) {
            return 0;
        }
        container = ((_PyTableIter *)object)->container;
    }
    else if (type->tp_dealloc == PyDictItems_Type.tp_dealloc) {
        container = (PyObject *)((_PyDictViewObject *)object)->dv_dict;
    }
    else {
        return 0;
    }
    return container == NULL || one_stays(container, 1);
}

/* Another view keeps the buffer from being released. */
static int
buffer_stays(PyMemoryViewObject *view)
{
    return view->weakreflist == NULL && view->mbuf != NULL && view->mbuf->exports > 1;
}

/* Of an instance. It is not known of one with many attributes, or that refers to its class. */
static int
fields_stay(PyObject *object, PyTypeObject *type)
{
    int has_values = (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) != 0;
    if (has_values ? *_PyInstance_DictSlot(object) != NULL : type->tp_dictoffset != 0) {
        return 0;
    }
    Py_ssize_t nvalues = has_values ? _PyInstance_Header(object)->capacity : 0, n = nvalues;
    for (PyTypeObject *t = type; t->tp_dealloc == _PySubtype_Dealloc; t = t->tp_base) {
        n += Py_SIZE(t);
    }
    if (n > MOST_DYING) {
        return 0;
    }
    PyObject **values = _PyInstance_Values(object);
    for (Py_ssize_t i = 0; i < nvalues; i++) {
        if (values[i] != NULL && (values[i] == (PyObject *)type || !one_stays(values[i], n))) {
            return 0;
        }
    }
    for (PyTypeObject *t = type; n > nvalues && t->tp_dealloc == _PySubtype_Dealloc;
         t = t->tp_base) {
        PyMemberDef *member = _PyType_SlotMembers(t);
        for (Py_ssize_t i = Py_SIZE(t); i > 0; i--, member++) {
            PyObject *value = member->type == T_OBJECT_EX
                              ? *(PyObject **)((char *)object + member->offset) : NULL;
            if (value != NULL && (value == (PyObject *)type || !one_stays(value, n))) {
                return 0;
            }
        }
    }
    return Py_REFCNT(type) > 1;
}

/* The usual case at once. -1: it is not known. */
static inline int
dies_quietly_at_once(PyObject *object, PyTypeObject *type)
{
    if (type == &PyDict_Type) {
        return values_stay(object);
    }
    if (type == &PySet_Type || type == &PyFrozenSet_Type) {
        return keys_stay((PySetObject *)object);
    }
    if (type == &PyFunction_Type) {
        return parts_stay((PyFunctionObject *)object) ? 1 : -1;
    }
    if (type == &PyCell_Type) {
        return cell_stays(object, 1) ? 1 : -1;
    }
    if (type == &PyMethod_Type) {
        PyMethodObject *method = (PyMethodObject *)object;
        return method->im_weakreflist == NULL
               && few_stay((PyObject *[]){method->im_func, method->im_self}, 2) ? 1 : -1;
    }
    if (type == &PyCFunction_Type) {
        PyCFunctionObject *function = (PyCFunctionObject *)object;
        return function->m_weakreflist == NULL
               && few_stay((PyObject *[]){function->m_self, function->m_module}, 2);
    }
    if (type == &PyMemoryView_Type) {
        return buffer_stays((PyMemoryViewObject *)object);
    }
    if (type == &PyTuple_Type) {
        return few_stay(((PyTupleObject *)object)->ob_item, Py_SIZE(object)) ? 1 : -1;
    }
    if (type == &PyList_Type) {
        return few_stay(((PyListObject *)object)->ob_item, Py_SIZE(object)) ? 1 : -1;
    }
    return iterated_stays(object, type) ? 1 : -1;
}

int
_PyJit_IteratedStays(PyObject *object)
{
    return iterated_stays(object, Py_TYPE(object));
}

static int
stays(const Dying *d, PyObject *object)
{
    int gone = 0;
    for (int i = 0; i < d->nothers; i++) {
        gone += d->others[i] == object;
    }
    return Py_REFCNT(object) > gone;
}

static int
container_dies_quietly(PyObject *object)
{
    Dying d;
    d.dying[0] = object;
    d.ndying = 1;
    d.nothers = d.nreferences = 0;
    for (int i = 0; i < d.ndying; i++) {
        if (Py_TYPE(d.dying[i])->tp_traverse(d.dying[i], note, &d) != 0) {
            return 0;
        }
    }
    for (int i = 0; i < d.nothers; i++) {
        if (Py_REFCNT(d.others[i]) <= d.nothers && !stays(&d, d.others[i])) {
            return 0;
        }
    }
    return 1;
}

/* Of all others. */
static __attribute__((noinline)) int
dies_quietly(PyObject *object, PyTypeObject *type)
{
    if (!(type->tp_flags & Py_TPFLAGS_HAVE_GC) && type->tp_dealloc != _PySubtype_Dealloc) {
        return _PyJit_ObjectDiesAlone(object);
    }
    if (type == &PySlice_Type && few_stay(&((PySliceObject *)object)->start, 3)) {
        return 1;
    }
    if (only_drops(object)) {
        return container_dies_quietly(object);
    }
    if (type == &PyGen_Type || type == &PyCoro_Type) {
        PyGenObject *gen = (PyGenObject *)object;
        return gen->gi_frame_state == GEN_CLEARED && gen->gi_weakreflist == NULL
               && gen->gi_origin_or_finalizer == NULL && gen->gi_exc_state.exc_value == NULL
               && Py_REFCNT(gen->gi_code) > 1 && PyUnicode_CheckExact(gen->gi_name)
               && PyUnicode_CheckExact(gen->gi_qualname);
    }
    if (type == &_PyAsyncGenASend_Type) {
        _PyAsyncGenASend *step = (_PyAsyncGenASend *)object;
        return Py_REFCNT(step->gen) > 1 && (step->value == NULL || Py_REFCNT(step->value) > 1);
    }
    return 0;
}

int
_PyJit_DiesQuietly(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type->tp_dealloc == _PySubtype_Dealloc) {
        return _PySubtype_OwnsItsFields(object)
               && (fields_stay(object, type) || container_dies_quietly(object));
    }
    int known = dies_quietly_at_once(object, type);
    return known < 0 ? dies_quietly(object, type) : known;
}

/* How many of the items before the last are the same as that. */
static Py_ssize_t
count_alike(PyObject *const *items, Py_ssize_t n)
{
    enum { AT_ONCE = 8 };
    const PyObject *last = items[n - 1];
    Py_ssize_t left = n - 1;
    while (left >= AT_ONCE) {
        uintptr_t differ = 0;
        for (int i = 1; i <= AT_ONCE; i++) {
            differ |= (uintptr_t)items[left - i] ^ (uintptr_t)last;
        }
        if (differ != 0) {
            break;
        }
        left -= AT_ONCE;
    }
    while (left > 0 && items[left - 1] == last) {
        left--;
    }
    return n - 1 - left;
}

/* Releases items from the end on, up to one that dies then. Returns how many are left. If a list
   ends with one object many times, its count is changed once. */
static inline Py_ssize_t
release_shared(PyObject **items, Py_ssize_t n)
{
    if (n > 2 && items[n - 1] == items[n - 2]) {
        PyObject *item = items[n - 1];
        Py_ssize_t more = count_alike(items, n);
        n -= more + 1;
        if (item != NULL && Py_REFCNT(item) == more + 1) {
            Py_SET_REFCNT(item, 1);
            return n + 1;
        }
        if (item != NULL) {
            Py_SET_REFCNT(item, Py_REFCNT(item) - more - 1);
        }
    }
    return _PyTrash_ReleaseShared(items, n);
}

/* Is it a C type that the collector knows, of which nothing can be found out here? */
static inline int
is_strange(const PyTypeObject *type)
{
    static const PyTypeObject *const known[] = {
        &PyTuple_Type, &PyList_Type, &PyDict_Type, &PySet_Type, &PyFrozenSet_Type,
        &PyFunction_Type, &PyMethod_Type, &PyCFunction_Type, &PyMemoryView_Type, &PySlice_Type,
        &PyCell_Type, &PyListIter_Type, &PyTupleIter_Type, &PyDictIterKey_Type,
        &PyDictIterValue_Type, &PySetIter_Type, &PyGen_Type, &PyCoro_Type,
        &_PyAsyncGenASend_Type,
    };
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE || !(type->tp_flags & Py_TPFLAGS_HAVE_GC)
        || type->tp_dealloc == (destructor)_PyIndexIter_Dealloc) {
        return 0;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(known); i++) {
        if (type == known[i]) {
            return 0;
        }
    }
    return 1;
}

/* Of another item that only its tuple refers to. Returns what items_are_destroyable() does. */
static _Py_RARE_CALL int
is_known_to_die(PyObject *item)
{
    if (may_do_anything(item) || is_strange(Py_TYPE(item))) {
        return -1;
    }
    return _PyJit_ObjectDiesAlone(item);
}

/* Do those that only this place refers to die without running code? Dead tuples are kept for reuse
   by their length, so a short one had better not lose its last items before that is known. 0: that
   is not known; -1: C that may do anything is called. */
static int
items_are_destroyable(PyTupleObject *tuple, int levels)
{
    for (Py_ssize_t i = Py_SIZE(tuple); i-- > 0;) {
        PyObject *item = tuple->ob_item[i];
        if (item == NULL || Py_REFCNT(item) > 1 || _PyJit_DiesAlone(Py_TYPE(item))) {
            continue;
        }
        int found = PyTuple_CheckExact(item) || PyList_CheckExact(item)
                  ? levels > 0 : is_known_to_die(item);
        if (found > 0 && PyTuple_CheckExact(item)) {
            found = items_are_destroyable((PyTupleObject *)item, levels - 1);
        }
        if (found <= 0) {
            return found;
        }
    }
    return 1;
}

/* Of the last reference to an object, which goes. Nobody traces references, as _PyJit_Destroy() has
   found out. Returns what it does. */
static inline int
destroy_last(PyObject *object, int levels)
{
    PyTypeObject *type = Py_TYPE(object);
    Py_SET_REFCNT(object, 0);
    int is_tuple = type == &PyTuple_Type;
    if (is_tuple && Py_SIZE(object) == 2 && _PyTuple_ReleaseSharedPair((PyTupleObject *)object)) {
        _PyTuple_FreeEmptied((PyTupleObject *)object);
        return 1;
    }
    if (!is_tuple && _PyJit_ObjectDiesAlone(object)) {
        type->tp_dealloc(object);
        return 1;
    }
    int done = !is_tuple && may_do_anything(object) ? -1
             : levels > 0 ? _PyJit_Destroy(object, levels - 1) : 0;
    if (done <= 0) {
        Py_SET_REFCNT(object, 1);
    }
    return done;
}

/* The values of an instance, up to one that may run code. Returns what _PyJit_Destroy() does. */
static inline int
destroy_fields(PyObject **place, PyObject *const *end, PyTypeObject *type, int levels)
{
    for (; place < end; place++) {
        PyObject *value = *place;
        if (value == NULL) {
            continue;
        }
        if (Py_REFCNT(value) > 1 && value != (PyObject *)type) {
            Py_SET_REFCNT(value, Py_REFCNT(value) - 1);
        }
        else {
            int done = value == (PyObject *)type ? 0 : destroy_last(value, levels);
            if (done <= 0) {
                return done;
            }
        }
        *place = NULL;
    }
    return 1;
}

/* Of an instance whose class is plain. */
static int
destroy_instance(PyObject *object, PyTypeObject *type, int levels)
{
    if (_PyInstance_HasWeakrefs(object, type) || Py_REFCNT(type) == 1
        || (type->tp_flags & Py_TPFLAGS_MANAGED_DICT && *_PyInstance_DictSlot(object) != NULL)) {
        return 0;
    }
    for (PyTypeObject *cls = type; cls != &PyBaseObject_Type;) {
        PyObject **end, **fields = _PyInstance_PlainFields(object, &cls, &end);
        int done = destroy_fields(fields, end, type, levels);
        if (done <= 0) {
            _PyInstance_ForgetDropped(object);
            return done;
        }
    }
    _PyInstance_FreeEmptied(object);
    return 1;
}

int
_PyJit_DestroyMixed(PyObject *object, PyTypeObject *type, int levels)
{
    PyObject **items = _PyJit_ItemsOf(object, type);
    Py_ssize_t left = Py_SIZE(object);
    if (type == &PyTuple_Type && left < _PyTuple_FREE_SIZES && !_PyJit_FewAreShared(items, left)) {
        int found = items_are_destroyable((PyTupleObject *)object, levels);
        if (found <= 0) {
            return found;
        }
    }
    while ((left = release_shared(items, left)) > 0) {
        if (PyFloat_CheckExact(items[left - 1])) {
            _PyFloat_XDECREF(items[--left]);
            continue;
        }
        int done = destroy_last(items[left - 1], levels);
        if (done <= 0) {
            Py_SET_SIZE(object, left);
            return done;
        }
        left--;
    }
    _PyJit_FreeEmptied(object, type);
    return 1;
}

int
_PyJit_Destroy(PyObject *object, int levels)
{
    PyTypeObject *type = Py_TYPE(object);
    if (_PyObject_ref_tracer.func != NULL) {
        return 0;
    }
    if (_PyInstance_IsPlain(type)) {
        return destroy_instance(object, type, levels);
    }
    return type == &PyTuple_Type || type == &PyList_Type ? _PyJit_DestroyItems(object, type, levels)
                                                         : 0;
}
