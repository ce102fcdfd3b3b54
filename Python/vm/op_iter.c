/* Iteration. */
#include "enter.h"
#include "specialize.h"
#include "internal/list.h"
#include "internal/observe.h"
#include "internal/range.h"
#include "internal/tuple.h"
#include "internal/type.h"

HANDLER(GET_ITER)
{
    SAVE_IP();
    PyObject *iterable = reg_object(&R(B));
    PyObject *iterator = iterable != NULL ? PyObject_GetIter(iterable) : NULL;
    if (iterator == NULL) {
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)iterator);
    NEXT_RELOAD(0);
}

SLOW(for_end)
{
    SAVE_IP();
    int32_t distance = (int32_t)CACHE(0)->arg;
    end_loop(f, A);
    RELOAD();
    JUMP_BY(2, distance);
}

SLOW(for_generator)
{
    SAVE_IP();
    PyGenObject *gen = (PyGenObject *)REG_PTR(R(A));
    if (enter_generator(ts, gen, REG_NONE, f, RET_FOR, B) < 0) {
        ERROR();
    }
    f = FRAME_OF_GEN(gen);
    TS_FRAME(ts) = f;
    ip = f->ip + 1;
    RELOAD();
    DISPATCH();
}

/* The iterator's type chooses the form, at the first execution and whenever the type
   changes: that only costs a store. */
static inline int
form_for(PyObject *iterator)
{
    PyTypeObject *type = Py_TYPE(iterator);
    return type == &PyRangeIter_Type ? OP_FOR_ITER__RANGE
         : type == &PyListIter_Type ? OP_FOR_ITER__LIST
         : type == &PyTupleIter_Type ? OP_FOR_ITER__TUPLE
         : type == &PyGen_Type ? OP_FOR_ITER__GENERATOR
         : type->tp_iternext != _PySlot_IterNext ? OP_FOR_ITER__C : OP_FOR_ITER;
}

/* An iterator gave no item. */
SLOW(for_exhausted)
{
    if (_PyErr_Occurred(ts)) {
        if (!_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
            ERROR();
        }
        if (ts->c_tracefunc != NULL) {
            _PyVM_observers.exception(ts, f);
        }
        _PyErr_Clear(ts);
    }
    TAIL(for_end);
}

SHARED_SLOW(op_FOR_ITER)
{
    SAVE_IP();
    PyObject *iterator = REG_PTR(R(A));
    int form = form_for(iterator);
    if (ip->op != form) {
        set_opcode(ip, form);
    }
    if (form == OP_FOR_ITER__C) {
        CACHE(1)->ptr = (void *)Py_TYPE(iterator)->tp_iternext;
    }
    TRY_METHOD(_PyVM_PushNext(ts, f, iterator, B));
    PyObject *item = Py_TYPE(iterator)->tp_iternext(iterator);
    if (unlikely(item == NULL)) {
        TAIL(for_exhausted);
    }
    WRITE(B, (PyReg)item);
    NEXT_RELOAD(2);
}

/* Only frame, ip and ts are needed after the call. */
HANDLER(FOR_ITER__C)
{
    PyObject *iterator = REG_PTR(R(A));
    iternextfunc next = Py_TYPE(iterator)->tp_iternext;
    if (unlikely((void *)next != CACHE(1)->ptr)) {
        TAIL(op_FOR_ITER);
    }
    SAVE_IP();
    PyObject *item = next(iterator);
    word = ip->word;
    if (unlikely(item == NULL)) {
        TAIL(for_exhausted);
    }
    WRITE(B, (PyReg)item);
    NEXT_RELOAD(2);
}

HANDLER(FOR_ITER__RANGE)
{
    _PyRangeIterObject *it = (_PyRangeIterObject *)REG_PTR(R(A));
    if (unlikely(!Py_IS_TYPE(it, &PyRangeIter_Type))) {
        TAIL(op_FOR_ITER);
    }
    if (it->left <= 0) {
        TAIL(for_end);
    }
    int64_t value = it->next;
    PyReg reg = REG_FROM_INT(value);
    if (unlikely(REG_INT(reg) != value)) {
        TAIL(op_FOR_ITER);
    }
    it->next = (int64_t)((uint64_t)value + (uint64_t)it->step);
    it->left--;
    it->done++;
    WRITE(B, reg);
    NEXT(2);
}

HANDLER(FOR_ITER__LIST)
{
    _PyIndexIter *it = (_PyIndexIter *)REG_PTR(R(A));
    if (unlikely(!Py_IS_TYPE(it, &PyListIter_Type))) {
        TAIL(op_FOR_ITER);
    }
    PyObject *list = it->sequence;
    if (likely(list != NULL) && likely(it->index < Py_SIZE(list))) {
        PyObject *item = _PyList_ITEMS(list)[it->index++];
        Py_INCREF(item);
        WRITE(B, (PyReg)item);
        NEXT(2);
    }
    TAIL(op_FOR_ITER);
}

HANDLER(FOR_ITER__TUPLE)
{
    _PyIndexIter *it = (_PyIndexIter *)REG_PTR(R(A));
    if (unlikely(!Py_IS_TYPE(it, &PyTupleIter_Type))) {
        TAIL(op_FOR_ITER);
    }
    PyObject *tuple = it->sequence;
    if (likely(tuple != NULL) && likely(it->index < Py_SIZE(tuple))) {
        PyObject *item = _PyTuple_ITEMS(tuple)[it->index++];
        Py_INCREF(item);
        WRITE(B, (PyReg)item);
        NEXT(2);
    }
    TAIL(op_FOR_ITER);
}

HANDLER(FOR_ITER__GENERATOR)
{
    PyGenObject *gen = (PyGenObject *)REG_PTR(R(A));
    if (likely(Py_IS_TYPE(gen, &PyGen_Type))
        && likely(gen->gi_frame_state < GEN_EXECUTING)) {
        TAIL(for_generator);
    }
    TAIL(op_FOR_ITER);
}
