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

HANDLER(MAKE_FUNCTION)
{
    SAVE_IP();
    PyObject *code = code_const(f, CACHE(0)->arg);
    PyFunctionObject *func = (PyFunctionObject *)PyFunction_New(
        code, frame_func(f)->func_globals);
    if (func == NULL) {
        ERROR();
    }
    PyReg *part = &R(B);
    if (C & MAKE_DEFAULTS) {
        func->func_defaults = REG_PTR(*part);
        *part++ = 0;
    }
    if (C & MAKE_KWDEFAULTS) {
        func->func_kwdefaults = REG_PTR(*part);
        *part++ = 0;
    }
    if (C & MAKE_ANNOTATIONS) {
        func->func_annotations = annotations_dict(REG_PTR(*part));
        clear_run(part++, 1);
        if (func->func_annotations == NULL) {
            Py_DECREF(func);
            ERROR();
        }
    }
    if (C & MAKE_CLOSURE) {
        func->func_closure = REG_PTR(*part);
        *part++ = 0;
    }
    WRITE(A, (PyReg)func);
    NEXT_RELOAD(1);
}
