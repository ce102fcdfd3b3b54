/* Calls of classes: those with a Python __init__, whose frame begins above the instance,
   and those that C calls with the window as its array of arguments. */
#include "call.h"
#include "internal/type.h"

/* A class with a Python __init__ that takes just these arguments. Cache: the
   type's version in `arg`, which CALL does not use otherwise, and the function,
   which lives as long as the type has that version. */
static void
specialize_class_call(const PyInstr *ip, PyTypeObject *type, Py_ssize_t nargs)
{
    PyObject *init = Py_IS_TYPE(type, &PyType_Type) ? _PyVM_PlainInit(type) : NULL;
    if (init == NULL) {
        return;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)init)->func_code);
    uint32_t version = _PyType_AssignVersion(type);
    if (version != 0 && code->simple_call && code->ob.co_argcount == nargs + 1) {
        CACHE(0)->arg = version;
        CACHE(1)->ptr = init;
        set_opcode(ip, OP_CALL__CLASS);
    }
}

/* Is it a class that has a tp_vectorcall, or a __new__ other than object's? */
static inline int
is_called_in_c(PyReg callable)
{
    PyTypeObject *type = (PyTypeObject *)REG_PTR(callable);
    return likely(!REG_IS_INT(callable)) && likely(Py_IS_TYPE(type, &PyType_Type))
           && likely(type != &PyType_Type)
           && likely(type->tp_vectorcall != NULL || type->tp_new != _PyObject_NewInstance);
}

#define CALL_TYPE(linkage, name, first, other) \
    linkage(name) \
    { \
        PyReg *window = (first), *args = window + FRAME_WORDS; \
        Py_ssize_t nargs = B; \
        if (unlikely(!is_called_in_c(*window))) { \
            TAIL(other); \
        } \
        SAVE_IP(); \
        PyTypeObject *type = (PyTypeObject *)REG_PTR(*window); \
        if (unlikely(box_run(args, nargs) < 0)) { \
            ERROR(); \
        } \
        vectorcallfunc call = type->tp_vectorcall; \
        size_t nargsf = (size_t)nargs | PY_VECTORCALL_ARGUMENTS_OFFSET; \
        PyObject *result = likely(call != NULL) \
            ? call((PyObject *)type, (PyObject **)args, nargsf, NULL) \
            : _PyObject_VectorcallSlow(ts, (PyObject *)type, (PyObject **)args, nargsf, NULL); \
        args[-1] = 0; \
        clear_run(args, nargs); \
        FINISH_SPECIAL(window, (PyObject *)type, result); \
    }

CALL_TYPE(HANDLER, CALL__TYPE_VECTOR, &R(A), _PyVM_CallMiss)
/* A class that LOAD_METHOD found, in a module as a rule. */
CALL_TYPE(SHARED_SLOW, _PyVM_CallClassAttr, &R(A) + 1, _PyVM_CallMethod)

SHARED_SLOW(_PyVM_CallClass)
{
    PyReg *window = &R(A);
    if (specialize_now(ip)) {
        if (*window == (PyReg)&PyType_Type && B == 1) {
            set_opcode(ip, OP_CALL__TYPE_1);
        }
        PyTypeObject *type = (PyTypeObject *)REG_PTR(*window);
        specialize_class_call(ip, type, B);
        if (ip->op == OP_CALL && is_called_in_c(*window)) {
            set_opcode(ip, OP_CALL__TYPE_VECTOR);
        }
    }
    TAIL(_PyVM_Call);
}

SLOW(call_class_miss)
{
    despecialize(ip);
    TAIL(_PyVM_Call);
}

HANDLER(CALL__CLASS)
{
    PyReg *window = &R(A);
    PyTypeObject *type = (PyTypeObject *)REG_PTR(*window);
    Py_ssize_t nargs = B;
    if (unlikely(REG_IS_INT(*window)) || unlikely(!Py_IS_TYPE(type, &PyType_Type))
        || unlikely(type->tp_version_tag != CACHE(0)->arg)) {
        TAIL(call_class_miss);
    }
    PyObject *init = CACHE(1)->ptr;
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)init)->func_code);
    if (unlikely(!code->simple_call)
        || unlikely(code->ob.co_argcount != (int)nargs + 1)
        || unlikely(!frame_fits(ts, window))
        || unlikely(ts->recursion_remaining <= 1)) {
        TAIL(call_class_miss);
    }
    SAVE_IP();
    Py_INCREF(init);
    PyObject *self = type->tp_alloc(type, 0);
    if (unlikely(self == NULL)) {
        Py_DECREF(init);
        ERROR();
    }
    ts->recursion_remaining -= 2;
    PyReg *args = window + 1 + FRAME_WORDS;
    for (Py_ssize_t i = nargs; i > 0; i--) {
        args[i] = args[i - 2];
    }
    Py_INCREF(self);
    args[0] = (PyReg)self;
    window[0] = (PyReg)self;
    window[1] = (PyReg)init;
    PyVMFrame *frame = (PyVMFrame *)(window + 1);
    frame_init(frame, code, f, C, RET_INIT);
    frame->flags = FRAME_COUNTS_TWICE;
    f = frame;
    TS_FRAME(ts) = f;
    Py_DECREF(type);
    ip = code->code;
    RELOAD();
    DISPATCH();
}
