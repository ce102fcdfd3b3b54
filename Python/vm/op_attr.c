/* Attributes and methods. */
#include "vm.h"
#include "specialize.h"
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/property.h"
#include "internal/super.h"
#include "internal/type.h"

/* ----------------------------------------------------------------- general */

SLOW(load_attr)
{
    SAVE_IP();
    TRY_METHOD(_PyVM_PushGetAttr(ts, f, R(B), code_name(f, CACHE(0)->arg), A));
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

HANDLER(LOAD_ATTR)
{
    if (specialize_now(ip) && !REG_IS_INT(R(B))) {
        _PyVM_SpecializeLoadAttr(f, ip, REG_PTR(R(B)));
    }
    TAIL(load_attr);
}

SLOW(store_attr)
{
    SAVE_IP();
    TRY_METHOD(_PyVM_PushSetAttr(ts, f, R(A), code_name(f, CACHE(0)->arg), R(B)));
    PyObject *owner = reg_object(&R(A));
    PyObject *value = owner != NULL ? reg_lend(&R(B)) : NULL;
    if (value == NULL
        || PyObject_SetAttr(owner, code_name(f, CACHE(0)->arg), value) < 0) {
        ERROR();
    }
    operand_done(f, B);
    operand_done(f, A);
    NEXT_RELOAD(3);
}

HANDLER(STORE_ATTR)
{
    if (specialize_now(ip) && !REG_IS_INT(R(A))) {
        _PyVM_SpecializeStoreAttr(f, ip, REG_PTR(R(A)));
    }
    TAIL(store_attr);
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

typedef struct {
    PyObject *method;           /* NULL with an exception */
    intptr_t unbound;
} FoundMethod;

static NEEDS_LOCALS FoundMethod
find_method(PyObject *owner, PyObject *name)
{
    PyObject *method = NULL;
    int unbound = _PyObject_GetMethod(owner, name, &method);
    return (FoundMethod){method, unbound};
}

SLOW(load_method)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(B));
    if (owner == NULL) {
        ERROR();
    }
    FoundMethod found = find_method(owner, code_name(f, CACHE(0)->arg));
    PyObject *method = found.method;
    if (method == NULL) {
        ERROR();
    }
    if (found.unbound) {
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

HANDLER(LOAD_METHOD)
{
    if (specialize_now(ip) && !REG_IS_INT(R(B))) {
        _PyVM_SpecializeLoadMethod(f, ip, REG_PTR(R(B)));
    }
    TAIL(load_method);
}

/* ------------------------------------------------------------- specialised */

SLOW(load_attr_miss)
{
    despecialize(ip);
    TAIL(load_attr);
}

SLOW(store_attr_miss)
{
    despecialize(ip);
    TAIL(store_attr);
}

SLOW(load_method_miss)
{
    despecialize(ip);
    TAIL(load_method);
}

/* The owner is an object whose type still has the version. */
#define TYPE_MATCHES(reg) \
    (likely(!REG_IS_INT(reg)) \
     && likely(Py_TYPE(REG_PTR(reg))->tp_version_tag == CACHE(1)->version))

/* Nothing in the instance can hide an attribute of its class. */
#define NOT_SHADOWED(owner) \
    (likely(_PyInstance_Header(owner)->capacity != 0) \
     && likely(_PyInstance_SharedKeys(Py_TYPE(owner))->count \
               == CACHE(1)->version2))

#define FINISH_LOAD_ATTR(value) \
    do { \
        Py_INCREF(value); \
        if (is_temp(f, B)) { \
            PyObject *owner_ = REG_PTR(R(B)); \
            R(B) = 0; \
            if (--owner_->ob_refcnt == 0) { \
                SAVE_IP(); \
                _Py_Dealloc(owner_); \
                RELOAD(); \
            } \
        } \
        WRITE(A, (PyReg)(value)); \
        NEXT(3); \
    } while (0)

HANDLER(LOAD_ATTR__INLINE)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg)) {
        PyObject *value = _PyInstance_InlineValue(REG_PTR(reg),
                                                  (Py_ssize_t)CACHE(2)->word);
        if (likely(value != NULL)) {
            FINISH_LOAD_ATTR(value);
        }
    }
    TAIL(load_attr_miss);
}

HANDLER(LOAD_ATTR__MEMBER)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg)) {
        PyObject *value = *(PyObject **)((char *)REG_PTR(reg) + CACHE(2)->word);
        if (likely(value != NULL)) {
            FINISH_LOAD_ATTR(value);
        }
    }
    TAIL(load_attr_miss);
}

/* The getter's frame lies above everything of the running one. */
HANDLER(LOAD_ATTR__PROPERTY)
{
    PyReg reg = R(B);
    if (!TYPE_MATCHES(reg)) {
        TAIL(load_attr_miss);
    }
    PyObject *getter = ((propertyobject *)CACHE(2)->ptr)->fget;
    PyReg *window = &R(f->code->nregs);
    if (unlikely(getter == NULL) || unlikely(!PyFunction_Check(getter))) {
        TAIL(load_attr_miss);
    }
    if (unlikely(!frame_fits(ts, window))
        || unlikely(ts->recursion_remaining <= 0)) {
        TAIL(load_attr);
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)getter)->func_code);
    if (unlikely(!code->simple_call) || unlikely(code->ob.co_argcount != 1)) {
        TAIL(load_attr_miss);
    }
    SAVE_IP();
    ts->recursion_remaining--;
    PyVMFrame *frame = (PyVMFrame *)window;
    frame->func = Py_NewRef(getter);
    frame->regs[0] = operand_take(f, B);
    frame_init(frame, code, f, A, RET_REG);
    frame->skip = 4;
    f = frame;
    TS_FRAME(ts) = f;
    ip = code->code;
    DISPATCH();
}

HANDLER(LOAD_ATTR__OF_TYPE)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg)
        && (CACHE(1)->version2 == UINT32_MAX || NOT_SHADOWED(REG_PTR(reg)))) {
        PyObject *value = CACHE(2)->ptr;
        FINISH_LOAD_ATTR(value);
    }
    TAIL(load_attr_miss);
}

static inline PyDictObject *
module_dict(PyObject *module)
{
    return *(PyDictObject **)((PyObject *)module + 1);
}

#define MODULE_VALUE(reg) \
    (likely(!REG_IS_INT(reg)) \
     && likely(Py_IS_TYPE(REG_PTR(reg), &PyModule_Type)) \
     ? _PyDict_CachedValue(module_dict(REG_PTR(reg)), CACHE(1)->version, \
                           (Py_ssize_t)CACHE(2)->word) : NULL)

HANDLER(LOAD_ATTR__MODULE)
{
    PyReg reg = R(B);
    PyObject *value = MODULE_VALUE(reg);
    if (likely(value != NULL)) {
        FINISH_LOAD_ATTR(value);
    }
    TAIL(load_attr_miss);
}

#define CLASS_MATCHES(reg) \
    (likely(!REG_IS_INT(reg)) \
     && likely(Py_TYPE(REG_PTR(reg))->tp_version_tag == CACHE(1)->version2) \
     && likely(((PyTypeObject *)REG_PTR(reg))->tp_version_tag \
               == CACHE(1)->version))

HANDLER(LOAD_ATTR__CLASS)
{
    PyReg reg = R(B);
    if (CLASS_MATCHES(reg)) {
        PyObject *value = CACHE(2)->ptr;
        FINISH_LOAD_ATTR(value);
    }
    TAIL(load_attr_miss);
}

HANDLER(STORE_ATTR__INLINE)
{
    PyReg reg = R(A);
    if (TYPE_MATCHES(reg)) {
        Py_ssize_t at = (Py_ssize_t)CACHE(2)->word;
        PyObject *owner = REG_PTR(reg);
        if (likely(at < _PyInstance_Header(owner)->capacity)) {
            SAVE_IP();
            PyObject *value = operand_take_object(f, B);
            if (unlikely(value == NULL)) {
                ERROR();
            }
            _PyInstance_StoreInline(owner, at, value);
            operand_done(f, A);
            NEXT_RELOAD(3);
        }
    }
    TAIL(store_attr_miss);
}

HANDLER(STORE_ATTR__MEMBER)
{
    PyReg reg = R(A);
    if (TYPE_MATCHES(reg)) {
        SAVE_IP();
        PyObject *value = operand_take_object(f, B);
        if (unlikely(value == NULL)) {
            ERROR();
        }
        PyObject **slot =
            (PyObject **)((char *)REG_PTR(reg) + CACHE(2)->word);
        PyObject *old = *slot;
        *slot = value;
        Py_XDECREF(old);
        operand_done(f, A);
        NEXT_RELOAD(3);
    }
    TAIL(store_attr_miss);
}

#define FINISH_LOAD_METHOD() \
    do { \
        PyObject *method_ = CACHE(2)->ptr; \
        Py_INCREF(method_); \
        PyReg self_ = operand_take(f, B); \
        R(A) = (PyReg)method_; \
        R(A + FRAME_WORDS) = self_; \
        NEXT(3); \
    } while (0)

HANDLER(LOAD_METHOD__INLINE)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg) && NOT_SHADOWED(REG_PTR(reg))) {
        FINISH_LOAD_METHOD();
    }
    TAIL(load_method_miss);
}

HANDLER(LOAD_METHOD__NO_DICT)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg)) {
        FINISH_LOAD_METHOD();
    }
    TAIL(load_method_miss);
}

/* The super object was made for this call and dies here: the method takes its
   `obj` instead. */
HANDLER(LOAD_METHOD__SUPER)
{
    PyReg reg = R(B);
    superobject *su = (superobject *)REG_PTR(reg);
    if (unlikely(REG_IS_INT(reg)) || unlikely(!Py_IS_TYPE(su, &PySuper_Type))
        || unlikely(su->obj_type == NULL)
        || unlikely(su->obj_type->tp_version_tag != CACHE(1)->version)
        || unlikely(su->type->tp_version_tag != CACHE(1)->version2)
        || unlikely(su->obj == (PyObject *)su->obj_type)) {
        TAIL(load_method_miss);
    }
    SAVE_IP();
    PyObject *method = CACHE(2)->ptr;
    Py_INCREF(method);
    Py_INCREF(su->obj);
    PyReg self = (PyReg)su->obj;
    operand_done(f, B);
    R(A) = (PyReg)method;
    R(A + FRAME_WORDS) = self;
    NEXT_RELOAD(3);
}

#define FINISH_LOAD_FUNCTION(value) \
    do { \
        Py_INCREF(value); \
        if (is_temp(f, B)) { \
            PyObject *owner_ = REG_PTR(R(B)); \
            R(B) = 0; \
            if (--owner_->ob_refcnt == 0) { \
                SAVE_IP(); \
                _Py_Dealloc(owner_); \
                RELOAD(); \
            } \
        } \
        R(A) = 0; \
        R(A + 1) = (PyReg)(value); \
        NEXT(3); \
    } while (0)

HANDLER(LOAD_METHOD__MODULE)
{
    PyReg reg = R(B);
    PyObject *value = MODULE_VALUE(reg);
    if (likely(value != NULL)) {
        FINISH_LOAD_FUNCTION(value);
    }
    TAIL(load_method_miss);
}

HANDLER(LOAD_METHOD__CLASS)
{
    PyReg reg = R(B);
    if (CLASS_MATCHES(reg)) {
        PyObject *value = CACHE(2)->ptr;
        FINISH_LOAD_FUNCTION(value);
    }
    TAIL(load_method_miss);
}
