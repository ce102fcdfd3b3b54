/* What machine code calls to cut sequences: slices.h. */
#include "slices.h"
#include "../vm/vm.h"
#include "internal/cut.h"
#include "internal/float.h"
#include "internal/gcstate.h"
#include "internal/list.h"
#include "internal/object.h"
#include "internal/unicode.h"

#undef A
#undef B
#undef C

const PyInstr *
_PyJit_SliceUser(const PyInstr *build)
{
    const PyInstr *user = build + 1 + _PyOpcode_Info[build->op].cache;
    int base = _PyOpcode_Info[user->op].base;
    return (base == OP_LOAD_SUBSCR && build->c == 3 && user->c == build->a)
           || (base == OP_DELETE_SUBSCR && build->c == 2 && user->b == build->a) ? user : NULL;
}

int
_PyJit_IsSliced(PyReg container)
{
    if (container == 0 || REG_IS_INT(container)) {
        return 0;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(container));
    return is_cut_plainly(type) || type == &PyRange_Type;
}

/* The bounds and the step of a slice as PySlice_Unpack() gives them. 0: some are of other kinds. */
static inline int
read_slice(PyReg start, PyReg stop, PyReg step, Py_ssize_t *first, Py_ssize_t *end, Py_ssize_t *by)
{
    *by = 1;
    if (!plain_bound(step, by) || *by == 0 || *by == PY_SSIZE_T_MIN) {
        return 0;
    }
    *first = *by < 0 ? PY_SSIZE_T_MAX : 0;
    *end = *by < 0 ? PY_SSIZE_T_MIN : PY_SSIZE_T_MAX;
    return plain_bound(start, first) && plain_bound(stop, end);
}

/* Of classes whose slices are rare. */
static PyObject *
cut_by_object(PyObject *sequence, PyReg start, PyReg stop, PyReg step)
{
    PyObject *bounds[3];
    const PyReg words[3] = {start, stop, step};
    for (int i = 0; i < 3; i++) {
        bounds[i] = REG_IS_INT(words[i]) ? _PyLong_FromInt64(REG_INT(words[i]))
                                         : Py_NewRef(REG_PTR(words[i]));
    }
    PyObject *slice = bounds[0] == NULL || bounds[1] == NULL || bounds[2] == NULL
                      ? NULL : PySlice_New(bounds[0], bounds[1], bounds[2]);
    PyObject *part = slice == NULL ? NULL
                   : Py_TYPE(sequence)->tp_as_mapping->mp_subscript(sequence, slice);
    Py_XDECREF(slice);
    for (int i = 0; i < 3; i++) {
        Py_XDECREF(bounds[i]);
    }
    return part;
}

static PyObject *
cut_list(PyListObject *list, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t step)
{
    return step == 1 ? plain_cut((PyObject *)list, start, stop)
                     : _PyList_GetExtended(list, start, stop, step);
}

PyObject *
_PyJit_Slice(PyReg container, PyReg start, PyReg stop, PyReg step)
{
    Py_ssize_t first, end, by;
    if (!_PyJit_IsSliced(container) || _PyGC_young_count >= _PyGC_young_threshold
        || !read_slice(start, stop, step, &first, &end, &by)) {
        return NULL;
    }
    PyObject *sequence = REG_PTR(container), *part;
    PyTypeObject *type = Py_TYPE(sequence);
    if (type == &PyList_Type) {
        part = cut_list((PyListObject *)sequence, first, end, by);
    }
    else if (by == 1 && is_cut_plainly(type)) {
        part = plain_cut(sequence, first, end);
    }
    else {
        part = cut_by_object(sequence, start, stop, step);
    }
    if (part == NULL) {
        PyErr_Clear();
    }
    return part;
}

/* ---------------------------------------------------------------------- stores */

/* Does no code run when a list gives up these items? */
static int
may_drop(PyObject *const *items, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        if (Py_REFCNT(items[i]) > n) {
            continue;
        }
        PyTypeObject *type = Py_TYPE(items[i]);
        if (type != &PyLong_Type && type != &PyFloat_Type && type != &PyUnicode_Type) {
            return 0;
        }
    }
    return 1;
}

/* Items that may be dropped give way to others, which get references unless they bring them. */
static inline __attribute__((always_inline)) void
exchange(PyObject **items, PyObject *const *others, Py_ssize_t n, int more_references)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *old = items[i], *item = others[i];
        if (more_references) {
            Py_INCREF(item);
        }
        items[i] = item;
        if (Py_REFCNT(old) > 1) {
            Py_SET_REFCNT(old, Py_REFCNT(old) - 1);
        }
        else {
            _PyFloat_XDECREF(old);
        }
    }
}

/* Which items of a list are to be replaced: from *first to before *end. How many; -1: the bounds are
   of other kinds. */
static inline Py_ssize_t
read_place(PyListObject *list, PyReg start, PyReg stop, Py_ssize_t *first, Py_ssize_t *end)
{
    *first = 0;
    *end = PY_SSIZE_T_MAX;
    if (!plain_bound(start, first) || !plain_bound(stop, end)) {
        return -1;
    }
    *first = clip_bound(*first, Py_SIZE(list));
    *end = clip_bound(*end, Py_SIZE(list));
    return Py_MAX(*end - *first, 0);
}

static PyReg
store(PyListObject *list, PyReg start, PyReg stop, PyObject *value, int moves)
{
    Py_ssize_t first, end, n = read_place(list, start, stop, &first, &end);
    if (n < 0 || value == (PyObject *)list || !may_drop(list->ob_item + first, n)) {
        return 0;
    }
    if (value == NULL || Py_SIZE(value) != n) {
        if (PyList_SetSlice((PyObject *)list, first, end, value) < 0) {
            PyErr_Clear();
            return 0;
        }
        return REG_FROM_INT((int64_t)0);
    }
    PyObject **items = list->ob_item + first, **others = PySequence_Fast_ITEMS(value);
    if (moves && Py_REFCNT(value) == 1) {
        Py_SET_SIZE(value, 0);
        exchange(items, others, n, 0);
    }
    else {
        exchange(items, others, n, 1);
    }
    return REG_FROM_INT((int64_t)0);
}

PyReg
_PyJit_StoreSlice(PyListObject *list, PyReg start, PyReg stop, PyObject *value)
{
    return store(list, start, stop, value, 0);
}

PyReg
_PyJit_MoveToSlice(PyListObject *list, PyReg start, PyReg stop, PyObject *value)
{
    PyReg done = store(list, start, stop, value, 1);
    if (done == 0) {
        return 0;
    }
    if (Py_REFCNT(value) == 1 && Py_SIZE(value) == 0) {
        _PyObject_TellTracer(value, PyRefTracer_DESTROY);
        _PyList_FreeEmptied((PyListObject *)value);
    }
    else {
        Py_DECREF(value);       /* what it holds, the other list holds, too */
    }
    return done;
}

/* ---------------------------------------------------------------------- from slice to slice */

#define FEW_ITEMS 32

/* What was promised last, as it was written. */
static struct {
    PyListObject *list;
    Py_ssize_t start, stop, step;
} promised;

uintptr_t
_PyJit_PromiseSlice(PyListObject *other, PyReg start, PyReg stop, PyReg step)
{
    promised.list = other;
    return (uintptr_t)read_slice(start, stop, step, &promised.start, &promised.stop,
                                 &promised.step);
}

/* By way of a list. */
static PyReg
store_cut(PyListObject *list, PyReg start, PyReg stop)
{
    if (_PyGC_young_count >= _PyGC_young_threshold) {
        return 0;
    }
    PyObject *part = cut_list(promised.list, promised.start, promised.stop, promised.step);
    if (part == NULL) {
        PyErr_Clear();
        return 0;
    }
    PyReg done = _PyJit_MoveToSlice(list, start, stop, part);
    if (done == 0) {
        Py_DECREF(part);        /* the other list has what it holds */
    }
    return done;
}

PyReg
_PyJit_StorePromised(PyListObject *list, PyReg start, PyReg stop, uintptr_t Py_UNUSED(promise))
{
    Py_ssize_t first, end, n = read_place(list, start, stop, &first, &end);
    Py_ssize_t from = promised.start, to = promised.stop, step = promised.step;
    if (n < 0) {
        return 0;
    }
    if (n != PySlice_AdjustIndices(Py_SIZE(promised.list), &from, &to, step)) {
        return store_cut(list, start, stop);
    }
    if (n == 0) {
        return REG_FROM_INT((int64_t)0);
    }
    PyObject **items = list->ob_item + first;
    if (step == -1 && list == promised.list && from == end - 1) {
        _PyList_ReverseItems(items, n);
        return REG_FROM_INT((int64_t)0);
    }
    if (n > FEW_ITEMS) {
        return store_cut(list, start, stop);
    }
    if (!may_drop(items, n)) {
        return 0;
    }
    PyObject *others[FEW_ITEMS];
    for (Py_ssize_t i = 0; i < n; i++) {
        others[i] = Py_NewRef(promised.list->ob_item[from + i * step]);
    }
    exchange(items, others, n, 0);
    return REG_FROM_INT((int64_t)0);
}
