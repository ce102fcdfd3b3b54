/* What machine code calls to make and fill tuples, lists, sets and dicts: displays.h. */
#include "displays.h"
#include "../vm/vm.h"
#include "internal/dict.h"
#include "internal/gc.h"
#include "internal/list.h"
#include "internal/tuple.h"

#undef A
#undef B
#undef C

PyObject *
_PyJit_MakeTuple(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    (void)ts;
    PyReg *run = &f->regs[first];
    if (box_run(run, (Py_ssize_t)n) < 0) {
        return NULL;
    }
    PyObject *tuple = (PyObject *)_PyTuple_Alloc((Py_ssize_t)n);
    if (tuple == NULL) {
        return NULL;
    }
    for (uint64_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(tuple, i, REG_PTR(run[i]));
        run[i] = 0;
    }
    _PyObject_GC_TRACK(tuple);
    return tuple;
}

PyObject *
_PyJit_MakeList(PyVMFrame *f, PyThreadState *ts, uint64_t first, uint64_t n)
{
    (void)ts;
    PyReg *run = &f->regs[first];
    if (n == 0) {
        return PyList_New(0);
    }
    if (box_run(run, (Py_ssize_t)n) < 0) {
        return NULL;
    }
    PyObject *list = _PyList_FromArraySteal((PyObject *const *)run, (Py_ssize_t)n);
    for (uint64_t i = 0; i < n; i++) {
        run[i] = 0;
    }
    return list;
}

int64_t
_PyJit_AddToList(PyVMFrame *f, PyThreadState *ts)
{
    (void)ts;
    const PyInstr *in = f->ip;
    PyObject *value = operand_take_object(f, in->b);
    return value == NULL ? -1
        : _PyList_AppendTakeRef((PyListObject *)REG_PTR(f->regs[in->a]), value);
}

int64_t
_PyJit_AddToSet(PyVMFrame *f, PyThreadState *ts)
{
    (void)ts;
    const PyInstr *in = f->ip;
    PyObject *value = reg_object(&f->regs[in->b]);
    if (value == NULL || PySet_Add(REG_PTR(f->regs[in->a]), value) < 0) {
        return -1;
    }
    operand_done(f, in->b);
    return 0;
}

int64_t
_PyJit_AddToDict(PyVMFrame *f, PyThreadState *ts)
{
    (void)ts;
    const PyInstr *in = f->ip;
    PyObject *key = operand_take_object(f, in->b);
    PyObject *value = key != NULL ? operand_take_object(f, in->c) : NULL;
    if (value == NULL) {
        Py_XDECREF(key);
        return -1;
    }
    return _PyDict_SetItemSteal((PyDictObject *)REG_PTR(f->regs[in->a]), key, value);
}
