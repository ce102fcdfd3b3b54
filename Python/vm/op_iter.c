/* Iteration. */
#include "vm.h"

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

/* The end of a loop: the iterator dies. */
SLOW(for_end)
{
    SAVE_IP();
    int32_t distance = (int32_t)CACHE(0)->arg;
    reg_set(&R(A), 0);
    RELOAD();
    JUMP_BY(2, distance);
}

SLOW(for_generator)
{
    SAVE_IP();
    PyGenObject *gen = (PyGenObject *)REG_PTR(R(A));
    if (_PyGen_Enter(ts, gen, REG_NONE, f, RET_FOR, B) < 0) {
        ERROR();
    }
    f = FRAME_OF_GEN(gen);
    TS_IMPL(ts)->vm_frame = f;
    ip = f->ip + 1;
    RELOAD();
    DISPATCH();
}

HANDLER(FOR_ITER)
{
    PyObject *iterator = REG_PTR(R(A));
    if (Py_IS_TYPE(iterator, &PyGen_Type)
        && ((PyGenObject *)iterator)->gi_frame_state < GEN_EXECUTING
        && ts->interp->eval_frame == NULL) {
        TAIL(for_generator);
    }
    SAVE_IP();
    PyObject *item = Py_TYPE(iterator)->tp_iternext(iterator);
    if (unlikely(item == NULL)) {
        if (_PyErr_Occurred(ts)) {
            if (!_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
                ERROR();
            }
            _PyErr_Clear(ts);
        }
        TAIL(for_end);
    }
    WRITE(B, (PyReg)item);
    NEXT_RELOAD(2);
}
