/* Displays, comprehension elements, f-strings and unpacking. */
#include "vm.h"
#include "internal/dict.h"
#include "internal/gc.h"
#include "internal/list.h"
#include "internal/set.h"
#include "internal/tuple.h"
#include "internal/unicode.h"
#include "internal/vm_values.h"

/* ----------------------------------------------------------------- displays */

/* Is it no iterable? Then the exception says so. */
static void
complain_starred(PyThreadState *ts, PyObject *value)
{
    if (_PyErr_ExceptionMatches(ts, PyExc_TypeError)
        && Py_TYPE(value)->tp_iter == NULL && !PySequence_Check(value)) {
        _PyErr_Clear(ts);
        _PyErr_Format(ts, PyExc_TypeError, "Value after * must be an iterable, not %.200s",
                      Py_TYPE(value)->tp_name);
    }
}

#ifndef VM_STEPS
PyObject *
_PyVM_MakeTupleWithRest(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    PyReg *run = &f->regs[first];
    Py_ssize_t before = (Py_ssize_t)n - 1;
    if (box_run(run, (Py_ssize_t)n) < 0) {
        return NULL;
    }
    PyObject *iterable = REG_PTR(run[before]);
    if (!PyTuple_CheckExact(iterable)) {
        PyObject *rest = PySequence_Tuple(iterable);
        if (rest == NULL) {
            complain_starred(ts, iterable);
            return NULL;
        }
        run[before] = (PyReg)rest;
        Py_DECREF(iterable);
        iterable = rest;
    }
    Py_ssize_t after = PyTuple_GET_SIZE(iterable);
    PyTupleObject *tuple = _PyTuple_Alloc(before + after);
    if (tuple == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < before; i++) {
        tuple->ob_item[i] = REG_PTR(run[i]);
        run[i] = 0;
    }
    for (Py_ssize_t i = 0; i < after; i++) {
        tuple->ob_item[before + i] = Py_NewRef(PyTuple_GET_ITEM(iterable, i));
    }
    _PyObject_GC_TRACK((PyObject *)tuple);
    run[before] = 0;
    Py_DECREF(iterable);
    return (PyObject *)tuple;
}
#endif

HANDLER(BUILD_TUPLE_REST)
{
    SAVE_IP();
    PyObject *tuple = _PyVM_MakeTupleWithRest(f, ts, B, C);
    if (tuple == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)tuple);
    NEXT_RELOAD(0);
}

HANDLER(BUILD_TUPLE)
{
    SAVE_IP();
    Py_ssize_t n = C;
    PyReg *run = &R(B);
    PyObject *tuple = NULL;
    if (n == 0) {
        tuple = PyTuple_New(0);
    }
    else if (box_run(run, n) == 0) {
        tuple = (PyObject *)_PyTuple_Alloc(n);
    }
    if (tuple == NULL) {
        ERROR();
    }
    if (n > 0) {
        for (Py_ssize_t i = 0; i < n; i++) {
            PyTuple_SET_ITEM(tuple, i, REG_PTR(run[i]));
            run[i] = 0;
        }
        _PyObject_GC_TRACK(tuple);
    }
    WRITE(A, (PyReg)tuple);
    NEXT_RELOAD(0);
}

HANDLER(BUILD_LIST)
{
    SAVE_IP();
    Py_ssize_t n = C;
    PyReg *run = &R(B);
    if (box_run(run, n) < 0) {
        ERROR();
    }
    PyObject *list = n == 0 ? PyList_New(0)
        : _PyList_FromArraySteal((PyObject *const *)run, n);
    for (Py_ssize_t i = 0; i < n; i++) {
        run[i] = 0;
    }
    if (list == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)list);
    NEXT_RELOAD(0);
}

/* A set of the keys in a run of registers, which it empties. NULL with an exception: it is as it
   was. */
static inline PyObject *
set_of_run(PyReg *run, Py_ssize_t n)
{
    if (box_run(run, n) < 0) {
        return NULL;
    }
    PyObject *set = _PySet_FromArray((PyObject *const *)run, n);
    if (set != NULL) {
        clear_run(run, n);
    }
    return set;
}

HANDLER(BUILD_SET)
{
    SAVE_IP();
    PyObject *set = set_of_run(&R(B), C);
    if (set == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)set);
    NEXT_RELOAD(0);
}

HANDLER(BUILD_MAP)
{
    SAVE_IP();
    PyReg *run = &R(B);
    Py_ssize_t n = C;
    PyObject *dict = NULL;
    if (box_run(run, 2 * n) == 0) {
        PyObject *const *pairs = (PyObject *const *)run;
        dict = _PyDict_FromItems(pairs, 2, pairs + 1, 2, n);
    }
    if (dict == NULL) {
        ERROR();
    }
    clear_run(run, 2 * n);
    WRITE(A, (PyReg)dict);
    NEXT_RELOAD(0);
}

HANDLER(BUILD_CONST_KEY_MAP)
{
    SAVE_IP();
    PyReg *run = &R(B);
    Py_ssize_t n = C;
    PyObject *keys = code_const(f, CACHE(0)->arg);
    PyObject *dict = NULL;
    if (box_run(run, n) == 0) {
        dict = _PyDict_FromItems(((PyTupleObject *)keys)->ob_item, 1,
                                 (PyObject *const *)run, 1, n);
    }
    if (dict == NULL) {
        ERROR();
    }
    clear_run(run, n);
    WRITE(A, (PyReg)dict);
    NEXT_RELOAD(1);
}

HANDLER(BUILD_STRING)
{
    SAVE_IP();
    PyReg *run = &R(B);
    PyObject *empty = PyUnicode_New(0, 0);
    PyObject *text = empty == NULL ? NULL
        : _PyUnicode_JoinArray(empty, (PyObject **)run, C);
    Py_XDECREF(empty);
    if (text == NULL) {
        ERROR();
    }
    clear_run(run, C);
    WRITE(A, (PyReg)text);
    NEXT_RELOAD(0);
}

HANDLER(LIST_APPEND)
{
    SAVE_IP();
    PyObject *value = operand_take_object(f, B);
    if (value == NULL) {
        ERROR();
    }
    if (_PyList_AppendTakeRef((PyListObject *)REG_PTR(R(A)), value) < 0) {
        ERROR();
    }
    NEXT_RELOAD(0);
}

HANDLER(SET_ADD)
{
    SAVE_IP();
    PyObject *value = reg_object(&R(B));
    if (value == NULL || PySet_Add(REG_PTR(R(A)), value) < 0) {
        ERROR();
    }
    operand_done(f, B);
    NEXT_RELOAD(0);
}

HANDLER(MAP_ADD)
{
    SAVE_IP();
    PyObject *key = operand_take_object(f, B);
    PyObject *value = key != NULL ? operand_take_object(f, C) : NULL;
    if (value == NULL) {
        Py_XDECREF(key);
        ERROR();
    }
    if (_PyDict_SetItemSteal((PyDictObject *)REG_PTR(R(A)), key, value) < 0) {
        ERROR();
    }
    NEXT_RELOAD(0);
}

HANDLER(LIST_EXTEND)
{
    SAVE_IP();
    PyObject *iterable = reg_object(&R(B));
    if (iterable == NULL) {
        ERROR();
    }
    PyObject *none = _PyList_Extend((PyListObject *)REG_PTR(R(A)), iterable);
    if (none == NULL) {
        complain_starred(ts, iterable);
        ERROR();
    }
    Py_DECREF(none);
    operand_done(f, B);
    NEXT_RELOAD(0);
}

HANDLER(SET_UPDATE)
{
    SAVE_IP();
    PyObject *iterable = reg_object(&R(B));
    if (iterable == NULL || _PySet_Update(REG_PTR(R(A)), iterable) < 0) {
        ERROR();
    }
    operand_done(f, B);
    NEXT_RELOAD(0);
}

HANDLER(DICT_UPDATE)
{
    SAVE_IP();
    PyObject *mapping = reg_object(&R(B));
    if (mapping == NULL) {
        ERROR();
    }
    if (PyDict_Update(REG_PTR(R(A)), mapping) < 0) {
        if (_PyErr_ExceptionMatches(ts, PyExc_AttributeError)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "'%.200s' object is not a mapping",
                          Py_TYPE(mapping)->tp_name);
        }
        ERROR();
    }
    operand_done(f, B);
    NEXT_RELOAD(0);
}

/* Puts the callable's name into the error that merging keywords raised. */
static void
complain_keywords(PyThreadState *ts, PyObject *callable, PyObject *mapping)
{
    if (_PyErr_ExceptionMatches(ts, PyExc_AttributeError)) {
        _PyErr_Clear(ts);
        PyObject *name = _PyObject_FunctionStr(callable);
        if (name != NULL) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "%U argument after ** must be a mapping, not %.200s",
                          name, Py_TYPE(mapping)->tp_name);
            Py_DECREF(name);
        }
        return;
    }
    if (!_PyErr_ExceptionMatches(ts, PyExc_KeyError)) {
        return;
    }
    /* The merge itself raises KeyError with a tuple for its value. An exception object is what
       the mapping's methods raised; also, inside an except clause, what became of the tuple:
       python3.11 shows the KeyError there. */
    PyObject *type, *value, *traceback;
    _PyErr_Fetch(ts, &type, &value, &traceback);
    if (value == NULL || !PyTuple_Check(value) || PyTuple_GET_SIZE(value) != 1) {
        _PyErr_Restore(ts, type, value, traceback);
        return;
    }
    PyObject *name = _PyObject_FunctionStr(callable);
    if (name != NULL) {
        _PyErr_Format(ts, PyExc_TypeError,
                      "%U got multiple values for keyword argument '%S'",
                      name, PyTuple_GET_ITEM(value, 0));
        Py_DECREF(name);
    }
    Py_DECREF(type);
    Py_DECREF(value);
    Py_XDECREF(traceback);
}

HANDLER(DICT_MERGE)
{
    SAVE_IP();
    PyObject *mapping = reg_object(&R(B));
    if (mapping == NULL) {
        ERROR();
    }
    if (_PyDict_MergeEx(REG_PTR(R(A)), mapping, 2) < 0) {
        PyObject *callable = reg_object(&R(C));
        if (callable != NULL) {
            complain_keywords(ts, callable, mapping);
        }
        ERROR();
    }
    operand_done(f, B);
    NEXT_RELOAD(0);
}

HANDLER(KEYWORDS)
{
    if (IS_EXACT(R(B), PyDict_Type)) {
        PyReg shared = operand_take(f, B);
        WRITE(A, shared);
        NEXT(0);
    }
    SAVE_IP();
    PyObject *mapping = reg_object(&R(B));
    PyObject *dict = mapping == NULL ? NULL : PyDict_New();
    if (dict == NULL) {
        ERROR();
    }
    if (_PyDict_MergeEx(dict, mapping, 2) < 0) {
        Py_DECREF(dict);
        PyObject *callable = reg_object(&R(C));
        if (callable != NULL) {
            complain_keywords(ts, callable, mapping);
        }
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)dict);
    NEXT_RELOAD(0);
}

HANDLER(LIST_TO_TUPLE)
{
    SAVE_IP();
    PyObject *tuple = PyList_AsTuple(REG_PTR(R(B)));
    if (tuple == NULL) {
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)tuple);
    NEXT_RELOAD(0);
}

/* ---------------------------------------------------------------- f-strings */

HANDLER(CONVERT)
{
    SAVE_IP();
    PyObject *value = reg_object(&R(B));
    PyObject *text = NULL;
    if (value != NULL) {
        text = C == 1 ? PyObject_Str(value)
             : C == 2 ? PyObject_Repr(value) : PyObject_ASCII(value);
    }
    if (text == NULL) {
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)text);
    NEXT_RELOAD(0);
}

HANDLER(FORMAT)
{
    SAVE_IP();
    PyObject *text;
    if (IS_EXACT(R(B), PyUnicode_Type)) {
        text = REG_PTR(operand_take(f, B));
    }
    else {
        PyObject *value = reg_object(&R(B));
        text = value == NULL ? NULL
             : PyLong_CheckExact(value) ? PyObject_Str(value)
             : PyObject_Format(value, NULL);
        if (text == NULL) {
            ERROR();
        }
        operand_done(f, B);
    }
    WRITE(A, (PyReg)text);
    NEXT_RELOAD(0);
}

HANDLER(FORMAT_SPEC)
{
    SAVE_IP();
    PyObject *value = reg_object(&R(B));
    PyObject *spec = value != NULL ? reg_object(&R(C)) : NULL;
    PyObject *text = spec != NULL ? PyObject_Format(value, spec) : NULL;
    if (text == NULL) {
        ERROR();
    }
    operand_done(f, C);
    operand_done(f, B);
    WRITE(A, (PyReg)text);
    NEXT_RELOAD(0);
}

/* ---------------------------------------------------------------- unpacking */

/* Fills `out`, which is dead, with the items of an iterable: `before` items,
   and if `after` >= 0 a list and `after` more. 0, or -1 and out is dead again. */
static int
unpack_iterable(PyThreadState *ts, PyObject *iterable, PyReg *out,
                Py_ssize_t before, Py_ssize_t after)
{
    Py_ssize_t n = 0;
    PyObject *it = PyObject_GetIter(iterable);
    if (it == NULL) {
        if (_PyErr_ExceptionMatches(ts, PyExc_TypeError)
            && Py_TYPE(iterable)->tp_iter == NULL
            && !PySequence_Check(iterable)) {
            _PyErr_Format(ts, PyExc_TypeError,
                          "cannot unpack non-iterable %.200s object",
                          Py_TYPE(iterable)->tp_name);
        }
        return -1;
    }
    for (; n < before; n++) {
        PyObject *item = PyIter_Next(it);
        if (item == NULL) {
            if (!_PyErr_Occurred(ts)) {
                _PyErr_Format(ts, PyExc_ValueError, after < 0
                              ? "not enough values to unpack "
                                "(expected %zd, got %zd)"
                              : "not enough values to unpack "
                                "(expected at least %zd, got %zd)",
                              before + (after < 0 ? 0 : after), n);
            }
            goto failed;
        }
        out[n] = (PyReg)item;
    }
    if (after < 0) {
        PyObject *item = PyIter_Next(it);
        if (item != NULL) {
            Py_DECREF(item);
            _PyErr_Format(ts, PyExc_ValueError,
                          "too many values to unpack (expected %zd)", before);
        }
        if (_PyErr_Occurred(ts)) {
            goto failed;
        }
        Py_DECREF(it);
        return 0;
    }
    PyObject *rest = PySequence_List(it);
    if (rest == NULL) {
        goto failed;
    }
    out[n++] = (PyReg)rest;
    Py_ssize_t have = PyList_GET_SIZE(rest);
    if (have < after) {
        _PyErr_Format(ts, PyExc_ValueError,
                      "not enough values to unpack "
                      "(expected at least %zd, got %zd)",
                      before + after, before + have);
        goto failed;
    }
    for (Py_ssize_t i = 0; i < after; i++) {
        out[n++] = (PyReg)PyList_GET_ITEM(rest, have - after + i);
    }
    Py_SET_SIZE(rest, have - after);
    Py_DECREF(it);
    return 0;
failed:
    while (n > 0) {             /* the last first, as in CPython */
        reg_set(&out[--n], 0);
    }
    Py_DECREF(it);
    return -1;
}

SLOW(unpack_slow)
{
    SAVE_IP();
    PyObject *iterable = operand_take_object(f, B);
    if (iterable == NULL) {
        ERROR();
    }
    int err = unpack_iterable(ts, iterable, &R(A), C, -1);
    Py_DECREF(iterable);
    if (err < 0) {
        ERROR();
    }
    NEXT_RELOAD(1);
}

HANDLER(UNPACK_SEQUENCE)
{
    PyReg source = R(B);
    PyObject **items;
    if (IS_EXACT(source, PyTuple_Type)) {
        items = ((PyTupleObject *)REG_PTR(source))->ob_item;
    }
    else if (IS_EXACT(source, PyList_Type)) {
        items = ((PyListObject *)REG_PTR(source))->ob_item;
    }
    else {
        TAIL(unpack_slow);
    }
    if (unlikely(Py_SIZE(REG_PTR(source)) != C)) {
        TAIL(unpack_slow);
    }
    SAVE_IP();
    int temp = is_temp(f, B);
    if (temp) {
        R(B) = 0;
    }
    for (unsigned i = 0, n = C; i < n; i++) {
        R(A + i) = (PyReg)Py_NewRef(items[i]);
    }
    if (temp) {
        Py_DECREF(REG_PTR(source));
    }
    NEXT_RELOAD(1);
}

#define MAX_UNPACKED_LOCALS 8

/* The items are taken before the first variable is assigned: what the variable
   held may have been the only owner of the sequence. */
SLOW(unpack_locals)
{
    SAVE_IP();
    PyReg values[MAX_UNPACKED_LOCALS];
    PyReg source = R(B);
    unsigned first = A, n = C;
    PyObject **items = NULL;
    if (IS_EXACT(source, PyTuple_Type)) {
        items = ((PyTupleObject *)REG_PTR(source))->ob_item;
    }
    else if (IS_EXACT(source, PyList_Type)) {
        items = ((PyListObject *)REG_PTR(source))->ob_item;
    }
    PyObject *iterable = operand_take_object(f, B);
    if (iterable == NULL) {
        ERROR();
    }
    if (items != NULL && likely(Py_SIZE(iterable) == (Py_ssize_t)n)) {
        for (unsigned i = 0; i < n; i++) {
            values[i] = (PyReg)Py_NewRef(items[i]);
        }
    }
    else if (unpack_iterable(ts, iterable, values, n, -1) < 0) {
        Py_DECREF(iterable);
        ERROR();
    }
    Py_DECREF(iterable);
    for (unsigned i = 0; i < n; i++) {
        reg_set(&R(first + i), values[i]);
    }
    NEXT_RELOAD(1);
}

HANDLER(UNPACK_LOCALS)
{
    PyReg source = R(B);
    if (unlikely(C != 2) || unlikely(!IS_EXACT(source, PyTuple_Type))
        || unlikely(Py_SIZE(REG_PTR(source)) != 2)) {
        TAIL(unpack_locals);
    }
    PyObject *tuple = REG_PTR(source);
    PyReg first = (PyReg)Py_NewRef(PyTuple_GET_ITEM(tuple, 0));
    PyReg second = (PyReg)Py_NewRef(PyTuple_GET_ITEM(tuple, 1));
    if (is_temp(f, B)) {
        R(B) = 0;
        if (--tuple->ob_refcnt == 0) {
            SAVE_IP();
            _Py_Dealloc(tuple);
            RELOAD();
        }
    }
    WRITE(A, first);
    WRITE(A + 1, second);
    NEXT(1);
}

HANDLER(UNPACK_EX)
{
    SAVE_IP();
    PyObject *iterable = operand_take_object(f, B);
    if (iterable == NULL) {
        ERROR();
    }
    int err = unpack_iterable(ts, iterable, &R(A), C, CACHE(0)->arg);
    Py_DECREF(iterable);
    if (err < 0) {
        ERROR();
    }
    NEXT_RELOAD(1);
}

/* ------------------------------------------------- for machine code (vm_values.h) */

#ifdef VM_STEPS
PyObject *
_PyVM_MakeSet(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    (void)ts;
    return set_of_run(&f->regs[first], (Py_ssize_t)n);
}

PyObject *
_PyVM_MakeMap(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    (void)ts;
    PyReg *run = &f->regs[first];
    if (n == 0) {
        return PyDict_New();
    }
    if (box_run(run, 2 * (Py_ssize_t)n) < 0) {
        return NULL;
    }
    PyObject *const *pairs = (PyObject *const *)run;
    PyObject *dict = _PyDict_FromItems(pairs, 2, pairs + 1, 2, (Py_ssize_t)n);
    if (dict != NULL) {
        clear_run(run, 2 * (Py_ssize_t)n);
    }
    return dict;
}

PyObject *
_PyVM_MakeKeyMap(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    (void)ts;
    PyReg *run = &f->regs[first];
    PyObject *keys = code_const(f, ((const PyCacheWord *)(f->ip + 1))->arg);
    if (box_run(run, (Py_ssize_t)n) < 0) {
        return NULL;
    }
    PyObject *dict = _PyDict_FromItems(((PyTupleObject *)keys)->ob_item, 1,
                                       (PyObject *const *)run, 1, (Py_ssize_t)n);
    if (dict != NULL) {
        clear_run(run, (Py_ssize_t)n);
    }
    return dict;
}

PyObject *
_PyVM_Format(PyReg value)
{
    if (IS_EXACT(value, PyUnicode_Type)) {
        return REG_PTR(value);
    }
    PyObject *object = reg_object(&value);
    PyObject *text = object == NULL ? NULL
                   : PyLong_CheckExact(object) ? PyObject_Str(object)
                   : PyObject_Format(object, NULL);
    reg_release(value);
    return text;
}

PyObject *
_PyVM_FormatSpec(PyReg value, PyReg spec)
{
    PyObject *object = reg_object(&value);
    PyObject *how = object != NULL ? reg_object(&spec) : NULL;
    PyObject *text = how == NULL ? NULL : PyObject_Format(object, how);
    reg_release(spec);
    reg_release(value);
    return text;
}

PyObject *
_PyVM_Convert(PyReg value, uint64_t how)
{
    PyObject *object = reg_object(&value);
    PyObject *text = object == NULL ? NULL
                   : how == 1 ? PyObject_Str(object)
                   : how == 2 ? PyObject_Repr(object) : PyObject_ASCII(object);
    reg_release(value);
    return text;
}
#endif
