/* Subscripts and slices. */
#include "endings.h"
#include "specialize.h"
#include "internal/cut.h"
#include "internal/dict.h"
#include "internal/range.h"
#include "internal/type.h"
#include "internal/unicode.h"
#ifdef VM_STEPS
#  include "internal/vm_values.h"
#endif

/* The item of a list or tuple at an index in a word, NULL when out of range. Returns a
   borrowed reference. */
static inline PyObject *
item_at(PyObject **items, Py_ssize_t size, int64_t index)
{
    if (index < 0) {
        index += size;
    }
    return (uint64_t)index < (uint64_t)size ? items[index] : NULL;
}

/* A Python __getitem__ runs in a frame above this whole frame. The type's
   method cache serves as the inline cache. */
HANDLER(LOAD_SUBSCR__GETITEM)
{
    PyReg container = R(B);
    PyReg *window = &R(f->code->nregs);
    PyObject *func = NULL;
    if (likely(!REG_IS_INT(container))) {
        func = _PyVM_PlainGetItem(Py_TYPE(REG_PTR(container)));
    }
    if (unlikely(func == NULL)) {
        despecialize(ip);
        TAIL(op_LOAD_SUBSCR);
    }
    if (unlikely(!frame_fits(ts, window))
        || unlikely(ts->recursion_remaining <= 0)) {
        TAIL(op_LOAD_SUBSCR);
    }
    SAVE_IP();
    ts->recursion_remaining--;
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    PyVMFrame *frame = (PyVMFrame *)window;
    frame->func = Py_NewRef(func);
    frame->regs[0] = operand_take(f, B);
    frame->regs[1] = operand_take(f, C);
    frame_init(frame, code, f, A, RET_REG);
    frame->skip = 2;
    f = frame;
    TS_FRAME(ts) = f;
    ip = code->code;
    DISPATCH();
}

SLOW(load_subscr_slow)
{
    SAVE_IP();
    PyObject *container = reg_object(&R(B)), *value = NULL;
    if (unlikely(container == NULL)) {
        ERROR();
    }
    PyMappingMethods *slots = Py_TYPE(container)->tp_as_mapping;
    binaryfunc get = slots != NULL ? slots->mp_subscript : NULL;
    if (get == _PySlot_GetItem) {
        if (specialize_now(ip) && _PyVM_PlainGetItem(Py_TYPE(container)) != NULL) {
            set_opcode(ip, OP_LOAD_SUBSCR__GETITEM);
        }
        TRY_METHOD(_PyVM_PushGetItem(ts, f, R(B), R(C), A, 2));
    }
    PyObject *key = reg_lend(&R(C));
    if (key != NULL) {
        value = get != NULL ? get(container, key) : PyObject_GetItem(container, key);
    }
    if (value == NULL) {
        ERROR();
    }
    operand_done(f, C);
    operand_done(f, B);
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(1);
}

/* Where a dict has the value of a key that is a small int or an exact str, if the first
   entry decides; NULL: search. */
static inline PyObject **
peek_dict(PyDictObject *dict, PyReg key)
{
    int64_t value;
    if (!REG_IS_INT(key) && Py_IS_TYPE(REG_PTR(key), &PyUnicode_Type)) {
        return _PyDict_PeekStr(dict, REG_PTR(key));
    }
    return reg_as_small(key, &value) ? _PyDict_PeekInt(dict, value) : NULL;
}

SLOW(load_subscr_dict)
{
    SAVE_IP();
    PyObject **at = peek_dict((PyDictObject *)REG_PTR(R(B)), R(C));
    if (likely(at != NULL)) {
        PyObject *found = Py_NewRef(*at);
        operand_done(f, C);
        operand_done(f, B);
        WRITE(A, (PyReg)found);
        NEXT_RELOAD(1);
    }
    PyObject *key = reg_lend(&R(C));
    if (unlikely(key == NULL)) {
        ERROR();
    }
    PyObject *value = _PyDict_GetNew((PyDictObject *)REG_PTR(R(B)), key);
    if (unlikely(value == NULL)) {
        if (!_PyErr_Occurred(ts)) {
            _PyErr_SetKeyError(key);
        }
        ERROR();
    }
    operand_done(f, C);
    operand_done(f, B);
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(1);
}

/* Characters of a str and bytes: their values are permanent objects, or tags. 0: not such a
   sequence, or out of range. */
static inline PyReg
element_at(PyObject *op, int64_t index)
{
    if (Py_IS_TYPE(op, &PyUnicode_Type)) {
        Py_ssize_t size = PyUnicode_GET_LENGTH(op);
        index += index < 0 ? size : 0;
        if ((uint64_t)index < (uint64_t)size
            && PyUnicode_KIND(op) == PyUnicode_1BYTE_KIND) {
            Py_UCS1 ch = PyUnicode_1BYTE_DATA(op)[index];
            return (PyReg)Py_NewRef(_PyUnicode_latin1[ch]);
        }
        return 0;
    }
    const char *bytes;
    if (Py_IS_TYPE(op, &PyBytes_Type)) {
        bytes = PyBytes_AS_STRING(op);
    }
    else if (Py_IS_TYPE(op, &PyByteArray_Type)) {
        bytes = PyByteArray_AS_STRING(op);
    }
    else {
        return 0;
    }
    index += index < 0 ? Py_SIZE(op) : 0;
    return (uint64_t)index < (uint64_t)Py_SIZE(op)
        ? REG_FROM_INT((int64_t)(unsigned char)bytes[index]) : 0;
}

SLOW(load_subscr_element)
{
    PyReg element = element_at(REG_PTR(R(B)), REG_INT(R(C)));
    if (element == 0) {
        TAIL(load_subscr_slow);
    }
    SAVE_IP();
    operand_done(f, B);
    WRITE(A, element);
    NEXT_RELOAD(1);
}

/* The index may be an int object, as items of containers and attributes are. */
SLOW(load_subscr_boxed)
{
    PyObject *op = REG_PTR(R(B)), *item = NULL;
    int64_t index;
    if (!reg_as_small(R(C), &index)) {
        TAIL(load_subscr_slow);
    }
    if (Py_IS_TYPE(op, &PyList_Type)) {
        item = item_at(((PyListObject *)op)->ob_item, Py_SIZE(op), index);
    }
    else if (Py_IS_TYPE(op, &PyTuple_Type)) {
        item = item_at(((PyTupleObject *)op)->ob_item, Py_SIZE(op), index);
    }
    PyReg value = item != NULL ? (PyReg)Py_NewRef(item) : element_at(op, index);
    if (value == 0) {
        TAIL(load_subscr_slow);
    }
    SAVE_IP();
    int_operand_done(f, C);
    operand_done(f, B);
    WRITE(A, value);
    NEXT_RELOAD(1);
}

HANDLER(LOAD_SUBSCR)
{
    PyReg container = R(B), key = R(C);
    if (unlikely(REG_IS_INT(container))) {
        TAIL(load_subscr_slow);
    }
    PyObject *op = REG_PTR(container), *value;
    if (likely(REG_IS_INT(key))) {
        if (Py_IS_TYPE(op, &PyList_Type)) {
            value = item_at(((PyListObject *)op)->ob_item, Py_SIZE(op),
                            REG_INT(key));
        }
        else if (Py_IS_TYPE(op, &PyTuple_Type)) {
            value = item_at(((PyTupleObject *)op)->ob_item, Py_SIZE(op),
                            REG_INT(key));
        }
        else if (Py_IS_TYPE(op, &PyDict_Type)) {
            TAIL(load_subscr_dict);
        }
        else {
            TAIL(load_subscr_element);
        }
        if (likely(value != NULL)) {
            Py_INCREF(value);
            if (is_temp(f, B)) {
                SAVE_IP();
                R(B) = 0;
                Py_DECREF(op);
                RELOAD();
            }
            WRITE(A, (PyReg)value);
            NEXT(1);
        }
    }
    else if (Py_IS_TYPE(op, &PyDict_Type)) {
        TAIL(load_subscr_dict);
    }
    TAIL(load_subscr_boxed);
}

SLOW(load_subscri_slow)
{
    SAVE_IP();
    TRY_METHOD(_PyVM_PushGetItem(ts, f, R(B), REG_FROM_INT((int64_t)SIMM_C), A, 1));
    PyObject *container = reg_object(&R(B));
    PyObject *key = container != NULL ? PyLong_FromLong(SIMM_C) : NULL;
    PyObject *value = key != NULL ? PyObject_GetItem(container, key) : NULL;
    Py_XDECREF(key);
    if (value == NULL) {
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(0);
}

/* A constant index of an object that is neither list nor tuple. */
SLOW(load_subscri_other)
{
    PyObject *op = REG_PTR(R(B));
    PyReg value = 0;
    if (Py_IS_TYPE(op, &PyDict_Type)) {
        PyObject **at = _PyDict_PeekInt((PyDictObject *)op, SIMM_C);
        value = at != NULL ? (PyReg)Py_NewRef(*at) : 0;
    }
    else {
        value = element_at(op, SIMM_C);
    }
    if (value == 0) {
        TAIL(load_subscri_slow);
    }
    SAVE_IP();
    operand_done(f, B);
    WRITE(A, value);
    NEXT_RELOAD(0);
}

HANDLER(LOAD_SUBSCRI)
{
    PyReg container = R(B);
    if (likely(!REG_IS_INT(container))) {
        PyObject *op = REG_PTR(container), *value = NULL;
        if (Py_IS_TYPE(op, &PyTuple_Type)) {
            value = item_at(((PyTupleObject *)op)->ob_item, Py_SIZE(op),
                            SIMM_C);
        }
        else if (Py_IS_TYPE(op, &PyList_Type)) {
            value = item_at(((PyListObject *)op)->ob_item, Py_SIZE(op),
                            SIMM_C);
        }
        if (likely(value != NULL)) {
            Py_INCREF(value);
            if (is_temp(f, B)) {
                SAVE_IP();
                R(B) = 0;
                Py_DECREF(op);
            }
            WRITE(A, (PyReg)value);
            NEXT_RELOAD(0);
        }
        TAIL(load_subscri_other);
    }
    TAIL(load_subscri_slow);
}

SLOW(store_subscr_slow)
{
    SAVE_IP();
    TRY_METHOD(_PyVM_PushSetItem(ts, f, R(A), R(B), R(C)));
    PyObject *container = reg_object(&R(A));
    PyObject *key = container != NULL ? reg_lend(&R(B)) : NULL;
    PyObject *value = key != NULL ? reg_lend(&R(C)) : NULL;
    if (value == NULL || PyObject_SetItem(container, key, value) < 0) {
        ERROR();
    }
    FINISH_STORE_SUBSCR();
}

SLOW(store_subscr_dict)
{
    SAVE_IP();
    PyDictObject *dict = (PyDictObject *)REG_PTR(R(A));
    PyObject **at = peek_dict(dict, R(B));
    if (at != NULL) {
        PyObject *known = operand_take_object(f, C);
        if (unlikely(known == NULL)) {
            ERROR();
        }
        _PyDict_ReplaceAt(dict, at, known);
        operand_done(f, B);
        operand_done(f, A);
        NEXT_RELOAD(1);
    }
    PyObject *key = operand_take_object(f, B);
    PyObject *value = key != NULL ? operand_take_object(f, C) : NULL;
    if (unlikely(value == NULL)) {
        Py_XDECREF(key);
        ERROR();
    }
    if (unlikely(_PyDict_SetItemSteal(dict, key, value) < 0)) {
        ERROR();
    }
    operand_done(f, A);
    NEXT_RELOAD(1);
}

SLOW(store_subscr_byte)
{
    PyObject *op = REG_PTR(R(A));
    int64_t index, value;
    if (!reg_as_small(R(B), &index) || !reg_as_small(R(C), &value)) {
        TAIL(store_subscr_slow);
    }
    index += index < 0 ? Py_SIZE(op) : 0;
    if ((uint64_t)value > 255 || (uint64_t)index >= (uint64_t)Py_SIZE(op)) {
        TAIL(store_subscr_slow);
    }
    PyByteArray_AS_STRING(op)[index] = (char)value;
    SAVE_IP();
    int_operand_done(f, C);
    int_operand_done(f, B);
    operand_done(f, A);
    NEXT_RELOAD(1);
}

/* Stores in a list, if the index is in range; `done` releases a key that is no tag. */
#define TRY_STORE_IN_LIST(list, index, done) \
    do { \
        int64_t at_ = (index); \
        at_ += at_ < 0 ? Py_SIZE(list) : 0; \
        if (likely((uint64_t)at_ < (uint64_t)Py_SIZE(list))) { \
            SAVE_IP(); \
            PyObject *value_ = operand_take_object(f, C); \
            if (unlikely(value_ == NULL)) { \
                ERROR(); \
            } \
            PyObject *old_ = (list)->ob_item[at_]; \
            (list)->ob_item[at_] = value_; \
            Py_DECREF(old_); \
            done; \
            operand_done(f, A); \
            NEXT_RELOAD(1); \
        } \
    } while (0)

/* An index that is an int object. */
SLOW(store_subscr_boxed)
{
    PyListObject *list = (PyListObject *)REG_PTR(R(A));
    int64_t index;
    if (reg_as_small(R(B), &index)) {
        TRY_STORE_IN_LIST(list, index, int_operand_done(f, B));
    }
    TAIL(store_subscr_slow);
}

HANDLER(STORE_SUBSCR)
{
    PyReg container = R(A), key = R(B);
    if (likely(REG_IS_INT(key)) && IS_EXACT(container, PyList_Type)) {
        PyListObject *list = (PyListObject *)REG_PTR(container);
        TRY_STORE_IN_LIST(list, REG_INT(key), (void)0);
    }
    if (IS_EXACT(container, PyDict_Type)) {
        TAIL(store_subscr_dict);
    }
    if (IS_EXACT(container, PyByteArray_Type)) {
        TAIL(store_subscr_byte);
    }
    if (IS_EXACT(container, PyList_Type)) {
        TAIL(store_subscr_boxed);
    }
    TAIL(store_subscr_slow);
}

HANDLER(DELETE_SUBSCR)
{
    SAVE_IP();
    PyObject *container = reg_object(&R(A));
    PyObject *key = container != NULL ? reg_object(&R(B)) : NULL;
    if (key == NULL || PyObject_DelItem(container, key) < 0) {
        ERROR();
    }
    operand_done(f, B);
    operand_done(f, A);
    NEXT_RELOAD(0);
}

/* ------------------------------------------------------------------- slices */

/* The slice of two or three registers, which die. */
static PyObject *
make_slice(PyReg *run, Py_ssize_t n)
{
    if (box_run(run, n) < 0) {
        return NULL;
    }
    PyObject *start = REG_PTR(run[0]), *stop = REG_PTR(run[1]);
    PyObject *step = n == 3 ? REG_PTR(run[2]) : NULL;
    memset(run, 0, (size_t)n * sizeof(PyReg));
    return _PySlice_NewSteal(start, stop, step);
}

HANDLER(BUILD_SLICE)
{
    SAVE_IP();
    PyObject *slice = make_slice(&R(B), C);
    if (slice == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)slice);
    NEXT_RELOAD(0);
}

/* b[start:stop] for the usual sequences without making a slice object. NULL
   without exception: not this case. */
static PyObject *
plain_slice(PyObject *sequence, const PyReg *bounds)
{
    Py_ssize_t start = 0, stop = PY_SSIZE_T_MAX;
    return is_cut_plainly(Py_TYPE(sequence)) && plain_bound(bounds[0], &start)
           && plain_bound(bounds[1], &stop) ? plain_cut(sequence, start, stop) : NULL;
}

HANDLER(LOAD_SLICE)
{
    SAVE_IP();
    PyObject *container = reg_object(&R(B));
    if (container == NULL) {
        ERROR();
    }
    PyObject *value = plain_slice(container, &R(C));
    if (value != NULL) {
        clear_run(&R(C), 2);
    }
    else {
        PyObject *slice = NULL;
        if (_PyErr_Occurred(ts) || (slice = make_slice(&R(C), 2)) == NULL) {
            ERROR();
        }
        value = PyObject_GetItem(container, slice);
        Py_DECREF(slice);
        if (value == NULL) {
            ERROR();
        }
    }
    operand_done(f, B);
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(0);
}

/* 1 when it is done, 0 when the bounds need a slice object, -1 with an
   exception. */
static NEEDS_LOCALS int
store_list_slice(PyObject *list, const PyReg *bounds, PyObject *value)
{
    Py_ssize_t start = 0, stop = PY_SSIZE_T_MAX, n = Py_SIZE(list);
    if (!plain_bound(bounds[0], &start) || !plain_bound(bounds[1], &stop)) {
        return 0;
    }
    return PyList_SetSlice(list, clip_bound(start, n), clip_bound(stop, n), value) < 0 ? -1 : 1;
}

HANDLER(STORE_SLICE)
{
    SAVE_IP();
    PyObject *container = reg_object(&R(A));
    PyObject *value = container != NULL ? reg_object(&R(C)) : NULL;
    int stored = value != NULL && PyList_CheckExact(container)
                 ? store_list_slice(container, &R(B), value) : 0;
    if (stored != 0) {
        if (stored < 0) {
            ERROR();
        }
        clear_run(&R(B), 2);
        operand_done(f, C);
        operand_done(f, A);
        NEXT_RELOAD(0);
    }
    PyObject *slice = value != NULL ? make_slice(&R(B), 2) : NULL;
    if (slice == NULL) {
        ERROR();
    }
    int err = PyObject_SetItem(container, slice, value);
    Py_DECREF(slice);
    if (err < 0) {
        ERROR();
    }
    operand_done(f, C);
    operand_done(f, A);
    NEXT_RELOAD(0);
}

/* ------------------------------------------------- for machine code (vm_values.h) */

#ifdef VM_STEPS
PyReg
_PyVM_GetItem(PyReg container, PyReg key)
{
    PyReg value = 0;
    int64_t index;
    PyObject **at;
    if (IS_EXACT(container, PyDict_Type)) {
        at = peek_dict((PyDictObject *)REG_PTR(container), key);
        value = at != NULL ? (PyReg)Py_NewRef(*at) : 0;
    }
    else if (!REG_IS_INT(container) && reg_as_small(key, &index)) {
        PyObject *op = REG_PTR(container), *item = NULL;
        if (Py_IS_TYPE(op, &PyList_Type)) {
            item = item_at(((PyListObject *)op)->ob_item, Py_SIZE(op), index);
        }
        else if (Py_IS_TYPE(op, &PyTuple_Type)) {
            item = item_at(((PyTupleObject *)op)->ob_item, Py_SIZE(op), index);
        }
        value = item != NULL ? (PyReg)Py_NewRef(item) : element_at(op, index);
    }
    if (value == 0) {
        PyObject *op = reg_object(&container);
        PyObject *object = op != NULL ? reg_lend(&key) : NULL;
        value = object == NULL ? 0 : (PyReg)PyObject_GetItem(op, object);
    }
    reg_release(key);
    reg_release(container);
    return value;
}

static int
set_byte(PyReg container, PyReg key, PyReg value)
{
    int64_t index, byte;
    PyObject *op = REG_PTR(container);
    if (!reg_as_small(key, &index) || !reg_as_small(value, &byte)) {
        return 0;
    }
    index += index < 0 ? Py_SIZE(op) : 0;
    if ((uint64_t)byte > 255 || (uint64_t)index >= (uint64_t)Py_SIZE(op)) {
        return 0;
    }
    PyByteArray_AS_STRING(op)[index] = (char)byte;
    return 1;
}

int64_t
_PyVM_SetItem(PyReg container, PyReg key, PyReg value)
{
    int result = -1;
    if (IS_EXACT(container, PyByteArray_Type) && set_byte(container, key, value)) {
        result = 0;
    }
    else {
        PyObject *op = reg_object(&container);
        PyObject *object = op != NULL ? reg_lend(&key) : NULL;
        PyObject *item = object != NULL ? reg_lend(&value) : NULL;
        result = item == NULL ? -1 : PyObject_SetItem(op, object, item);
    }
    reg_release(value);
    reg_release(key);
    reg_release(container);
    return result;
}

int64_t
_PyVM_DeleteItem(PyReg container, PyReg key)
{
    PyObject *op = reg_object(&container);
    PyObject *object = op != NULL ? reg_object(&key) : NULL;
    int result = object == NULL ? -1 : PyObject_DelItem(op, object);
    reg_release(key);
    reg_release(container);
    return result;
}

PyObject *
_PyVM_MakeSlice(PyReg start, PyReg stop, PyReg step)
{
    PyReg run[3] = {start, stop, step};
    PyObject *slice = make_slice(run, step == 0 ? 2 : 3);
    clear_run(run, 3);          /* if there was no memory */
    return slice;
}

PyObject *
_PyVM_GetSlice(PyReg container, PyReg start, PyReg stop)
{
    PyReg bounds[2] = {start, stop};
    PyObject *op = reg_object(&container);
    PyObject *value = op == NULL ? NULL : plain_slice(op, bounds);
    if (value == NULL && op != NULL && !PyErr_Occurred()) {
        PyObject *slice = make_slice(bounds, 2);
        value = slice == NULL ? NULL : PyObject_GetItem(op, slice);
        Py_XDECREF(slice);
    }
    clear_run(bounds, 2);
    reg_release(container);
    return value;
}

int64_t
_PyVM_SetSlice(PyReg container, PyReg start, PyReg stop, PyReg value)
{
    PyReg bounds[2] = {start, stop};
    PyObject *op = reg_object(&container);
    PyObject *items = op != NULL ? reg_object(&value) : NULL;
    int stored = items != NULL && PyList_CheckExact(op) ? store_list_slice(op, bounds, items) : 0;
    int result = stored < 0 || items == NULL ? -1 : 0;
    if (stored == 0 && items != NULL) {
        PyObject *slice = make_slice(bounds, 2);
        result = slice == NULL ? -1 : PyObject_SetItem(op, slice, items);
        Py_XDECREF(slice);
    }
    clear_run(bounds, 2);
    reg_release(value);
    reg_release(container);
    return result;
}
#endif
