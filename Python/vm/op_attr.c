/* Attributes and methods. */
#include "vm.h"
#include "internal/type.h"

HANDLER(LOAD_ATTR)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(B));
    PyObject *value = NULL;
    if (owner != NULL) {
        value = PyObject_GetAttr(owner, code_name(f, CACHE(0)->arg));
    }
    if (value == NULL) {
        ERROR();
    }
    operand_done(f, B);
    WRITE(A, (PyReg)value);
    NEXT_RELOAD(3);
}

HANDLER(STORE_ATTR)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(A));
    PyObject *value = owner != NULL ? reg_object(&R(B)) : NULL;
    if (value == NULL
        || PyObject_SetAttr(owner, code_name(f, CACHE(0)->arg), value) < 0) {
        ERROR();
    }
    operand_done(f, B);
    operand_done(f, A);
    NEXT_RELOAD(3);
}

HANDLER(DELETE_ATTR)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(A));
    if (owner == NULL
        || PyObject_SetAttr(owner, code_name(f, UBC), NULL) < 0) {
        ERROR();
    }
    operand_done(f, A);
    NEXT_RELOAD(0);
}

HANDLER(LOAD_METHOD)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(B));
    if (owner == NULL) {
        ERROR();
    }
    PyObject *method = NULL;
    int unbound = _PyObject_GetMethod(owner, code_name(f, CACHE(0)->arg),
                                      &method);
    if (method == NULL) {
        ERROR();
    }
    if (unbound) {
        PyReg self = operand_take(f, B);
        R(A) = (PyReg)method;
        R(A + FRAME_WORDS) = self;
    }
    else {
        operand_done(f, B);
        R(A) = 0;
        R(A + 1) = (PyReg)method;
    }
    NEXT_RELOAD(3);
}
