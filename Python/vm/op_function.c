/* def and lambda: making functions. */
#include "vm.h"

/* {name: value…} of a flat tuple of names and values. Returns a new reference. */
static PyObject *
annotations_dict(PyObject *flat)
{
    if (PyDict_CheckExact(flat)) {
        return Py_NewRef(flat);
    }
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i + 1 < PyTuple_GET_SIZE(flat); i += 2) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(flat, i),
                           PyTuple_GET_ITEM(flat, i + 1)) < 0) {
            Py_DECREF(dict);
            return NULL;
        }
    }
    return dict;
}

/* The function that the instruction at f->ip makes, from a code object and the registers from
   `part` on, which it empties. flags: MAKE_…. Returns a new reference. */
static NEEDS_LOCALS PyObject *
make_function(PyVMFrame *f, PyObject *code, PyReg *part, unsigned flags)
{
    PyFunctionObject *func = (PyFunctionObject *)PyFunction_New(
        code, frame_func(f)->func_globals);
    if (func == NULL) {
        return NULL;
    }
    if (flags & MAKE_DEFAULTS) {
        func->func_defaults = REG_PTR(*part);
        *part++ = 0;
    }
    if (flags & MAKE_KWDEFAULTS) {
        func->func_kwdefaults = REG_PTR(*part);
        *part++ = 0;
    }
    if (flags & MAKE_ANNOTATIONS) {
        func->func_annotations = annotations_dict(REG_PTR(*part));
        clear_run(part++, 1);
        if (func->func_annotations == NULL) {
            Py_DECREF(func);
            return NULL;
        }
    }
    if (flags & MAKE_CLOSURE) {
        func->func_closure = REG_PTR(*part);
        *part++ = 0;
    }
    return (PyObject *)func;
}

HANDLER(MAKE_FUNCTION)
{
    SAVE_IP();
    PyObject *func = make_function(f, code_const(f, CACHE(0)->arg), &R(B), C);
    if (func == NULL) {
        ERROR();
    }
    WRITE(A, (PyReg)func);
    NEXT_RELOAD(1);
}

/* For machine code (vm_values.h). */
#ifdef VM_STEPS
#  include "internal/vm_values.h"

PyObject *
_PyVM_MakeFunction(PyVMFrame *f, PyThreadState *ts)
{
    const PyInstr *in = f->ip;
    (void)ts;
    return make_function(f, code_const(f, ((const PyCacheWord *)(in + 1))->arg),
                         &f->regs[in->b], in->c);
}
#endif
