/* Attributes and methods.

   Read from the end, where the way of an attribute begins (internal/attr_place.h tells it
   whole): a specialised form, whose cache knows the place; the general form, for which the
   method cache of types may know it, so that an instruction that meets several classes needs
   no search either; and the search (SLOW(load_attr_search) and its kin). */
#include "vm.h"
#include "endings.h"
#include "specialize.h"
#include "internal/attr_place.h"
#include "internal/callable_wrapper.h"
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/property.h"
#include "internal/super.h"
#include "internal/type.h"
#ifdef VM_STEPS
#  include "internal/vm_values.h"
#endif

/* --------------------------------------------------------- ends of handlers */

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

#define FINISH_LOAD_METHOD(method) \
    do { \
        PyObject *method_ = (method); \
        Py_INCREF(method_); \
        PyReg self_ = operand_take(f, B); \
        R(A) = (PyReg)method_; \
        R(A + FRAME_WORDS) = self_; \
        NEXT(3); \
    } while (0)

/* Stores operand B in the owner's inline value or slot. */
#define FINISH_STORE_INLINE(owner, index) \
    do { \
        SAVE_IP(); \
        PyObject *value_ = operand_take_object(f, B); \
        if (unlikely(value_ == NULL)) { \
            ERROR(); \
        } \
        _PyInstance_StoreInline(owner, index, value_); \
        operand_done(f, A); \
        NEXT_RELOAD(3); \
    } while (0)

#define FINISH_STORE_MEMBER(owner, offset) \
    do { \
        SAVE_IP(); \
        PyObject *value_ = operand_take_object(f, B); \
        if (unlikely(value_ == NULL)) { \
            ERROR(); \
        } \
        PyObject **slot_ = (PyObject **)((char *)(owner) + (offset)); \
        PyObject *old_ = *slot_; \
        *slot_ = value_; \
        Py_XDECREF(old_); \
        operand_done(f, A); \
        NEXT_RELOAD(3); \
    } while (0)

/* ------------------------------------------------------------------ general */

/* A class with __getattr__, which is called for attributes that are not found. */
SLOW(load_attr_hooked)
{
    PyObject *owner = REG_PTR(R(B)), *name = code_name(f, CACHE(0)->arg);
    PyTypeObject *type = Py_TYPE(owner);
    PyObject *hook = _PyType_LookupInline(type, _Py_NAME(dunder_getattr)), *value;
    if (hook == NULL || !_PyType_SearchesAsUsual(type)) {
        value = PyObject_GetAttr(owner, name);
    }
    else {
        (void)_PyAttr_LookUp(owner, name);
        Py_INCREF(hook);
        value = _PyObject_GenericGetAttrWithDict(owner, name, NULL, 1);
        if (value == NULL && !_PyErr_Occurred(ts)) {
            PyVMFrame *frame = _PyVM_PushGetAttrHook(ts, f, hook, R(B), name);
            if (frame != NULL) {
                Py_DECREF(hook);
                ENTER_FRAME(frame);
            }
            value = _PySlot_CallGetAttrHook(owner, name, hook);
        }
        Py_DECREF(hook);
        if (value == NULL) {
            _PyObject_AddAttributeErrorContext(owner, name);
        }
    }
    if (value == NULL) {
        ERROR();
    }
    FINISH_GET_ATTR((PyReg)value);
}

SLOW(load_attr_search)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(B)), *name = code_name(f, CACHE(0)->arg), *value;
    if (unlikely(owner == NULL)) {
        ERROR();
    }
    PyTypeObject *type = Py_TYPE(owner);
    if (type->tp_getattro == _PySlot_GetAttrHook) {
        TAIL(load_attr_hooked);
    }
    if (type->tp_getattro == PyObject_GenericGetAttr) {
        PyObject *descr = _PyAttr_LookUp(owner, name);
        if (descr != NULL) {
            TRY_METHOD(_PyVM_PushGetter(ts, f, descr, R(B)));
        }
        value = _PyObject_GetAttrFound(owner, name, descr);
    }
    else {
        value = PyObject_GetAttr(owner, name);
    }
    if (value == NULL) {
        ERROR();
    }
    FINISH_GET_ATTR((PyReg)value);
}

/* What a descriptor of the owner's type gets for it. Returns a new reference, or NULL. */
static inline PyObject *
get_by(PyObject *descr, PyObject *owner)
{
    Py_INCREF(descr);
    PyObject *value =
        Py_TYPE(descr)->tp_descr_get(descr, owner, (PyObject *)Py_TYPE(owner));
    Py_DECREF(descr);
    return value;
}

#define FINISH_GET(descr, owner) \
    do { \
        SAVE_IP(); \
        PyObject *value_ = get_by(descr, owner); \
        if (unlikely(value_ == NULL)) { \
            TAIL(getter_failed); \
        } \
        word = ip->word; \
        operand_done(f, B); \
        WRITE(A, (PyReg)value_); \
        NEXT_RELOAD(3); \
    } while (0)

SLOW(getter_failed)
{
    _PyVM_GetterFailed(f);
    ERROR();
}

SLOW(load_attr_by_descriptor)
{
    PyReg reg = R(B);
    if (!REG_IS_INT(reg)) {
        PyObject *owner = REG_PTR(reg);
        struct _PyType_CacheEntry *entry =
            _PyAttr_Known(Py_TYPE(owner), code_name(f, CACHE(0)->arg));
        if (entry != NULL && _PyAttr_OnlyDescriptorGets(owner, entry)) {
            FINISH_GET(entry->value, owner);
        }
    }
    TAIL(load_attr_search);
}

SLOW(load_attr)
{
    PyReg reg = R(B);
    if (likely(!REG_IS_INT(reg))) {
        PyObject *value = _PyAttr_PlacedValue(REG_PTR(reg), code_name(f, CACHE(0)->arg));
        if (likely(value != NULL)) {
            FINISH_LOAD_ATTR(value);
        }
    }
    TAIL(load_attr_by_descriptor);
}

HANDLER(LOAD_ATTR)
{
    if (specialize_now(ip) && !REG_IS_INT(R(B))) {
        _PyVM_SpecializeLoadAttr(f, ip, REG_PTR(R(B)));
    }
    TAIL(load_attr);
}

SLOW(store_attr_search)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(A)), *name = code_name(f, CACHE(0)->arg);
    if (unlikely(owner == NULL)) {
        ERROR();
    }
    PyTypeObject *type = Py_TYPE(owner);
    int is_generic = type->tp_setattro == PyObject_GenericSetAttr;
    PyObject *descr = NULL;
    if (is_generic) {
        descr = _PyAttr_LookUp(owner, name);
        if (descr != NULL) {
            TRY_METHOD(_PyVM_PushSetter(ts, f, descr, R(A), R(B)));
        }
    }
    else if (type->tp_setattro == _PySlot_SetAttr) {
        TRY_METHOD(_PyVM_PushSetAttrHook(ts, f, R(A), name, R(B)));
    }
    PyObject *value = reg_lend(&R(B));
    if (value == NULL
        || (is_generic ? _PyObject_SetAttrFound(owner, name, value, descr)
                       : PyObject_SetAttr(owner, name, value)) < 0) {
        ERROR();
    }
    FINISH_SET_ATTR();
}

/* Stores where the generic search would, if nothing in the type intervenes. */
SLOW(store_attr_in_dict)
{
    PyObject *dict = _PyAttr_OwnDict(REG_PTR(R(A)));
    if (dict == NULL || !PyDict_CheckExact(dict)) {
        TAIL(store_attr_search);
    }
    SAVE_IP();
    PyObject *value = reg_lend(&R(B));
    if (value == NULL) {
        ERROR();
    }
    Py_INCREF(dict);
    int err = PyDict_SetItem(dict, code_name(f, CACHE(0)->arg), value);
    Py_DECREF(dict);
    if (err < 0) {
        ERROR();
    }
    FINISH_SET_ATTR();
}

SLOW(store_attr)
{
    PyReg reg = R(A);
    if (likely(!REG_IS_INT(reg))) {
        PyObject *owner = REG_PTR(reg);
        struct _PyType_CacheEntry *entry =
            _PyAttr_Known(Py_TYPE(owner), code_name(f, CACHE(0)->arg));
        if (likely(entry != NULL)
            && likely(Py_TYPE(owner)->tp_setattro == PyObject_GenericSetAttr)) {
            Py_ssize_t number = PLACE_NUMBER(entry->place);
            int kind = PLACE_KIND(entry->place);
            if (kind == PLACE_INLINE && number < _PyInstance_Header(owner)->capacity) {
                FINISH_STORE_INLINE(owner, number);
            }
            if (kind == PLACE_MEMBER) {
                FINISH_STORE_MEMBER(owner, number);
            }
            if (kind == PLACE_INLINE || kind == PLACE_DICT) {
                TAIL(store_attr_in_dict);
            }
        }
    }
    TAIL(store_attr_search);
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
    (void)_PyAttr_LookUp(owner, name);
    int unbound = _PyObject_GetMethod(owner, name, &method);
    return (FoundMethod){method, unbound};
}

/* A function that is wrapped as a static or class method: nothing is bound. */
SLOW(load_method_wrapped)
{
    PyObject *owner = REG_PTR(R(B)), *name = code_name(f, CACHE(0)->arg);
    PyObject *wrapper = _PyAttr_KnownWrapper(owner, name);
    PyObject *callable = ((_PyCallableWrapper *)wrapper)->callable;
    SAVE_IP();
    Py_INCREF(callable);
    if (Py_IS_TYPE(wrapper, &PyStaticMethod_Type)) {
        operand_done(f, B);
        R(A) = 0;
        R(A + 1) = (PyReg)callable;
        NEXT_RELOAD(3);
    }
    PyObject *self = PyType_Check(owner) ? owner : (PyObject *)Py_TYPE(owner);
    Py_INCREF(self);
    operand_done(f, B);
    R(A) = (PyReg)callable;
    R(A + FRAME_WORDS) = (PyReg)self;
    NEXT_RELOAD(3);
}

/* A staticmethod or classmethod of a Python function, or NULL. */
static PyObject *
wrapped_function(PyObject *owner, PyObject *name)
{
    PyObject *wrapper = _PyAttr_KnownWrapper(owner, name);
    PyObject *callable = wrapper == NULL ? NULL : ((_PyCallableWrapper *)wrapper)->callable;
    return callable != NULL && PyFunction_Check(callable) ? callable : NULL;
}

SLOW(load_method_search)
{
    SAVE_IP();
    PyObject *owner = reg_object(&R(B));
    if (owner == NULL) {
        ERROR();
    }
    PyObject *name = code_name(f, CACHE(0)->arg);
    if (wrapped_function(owner, name) != NULL) {
        TAIL(load_method_wrapped);
    }
    PyObject *class_method = _PyAttr_KnownClassMethod(owner, name);
    /* Profilers are shown a bound method. */
    if (class_method != NULL && ts->c_profilefunc == NULL) {
        PyReg cls = operand_take(f, B);
        R(A) = (PyReg)Py_NewRef(class_method);
        R(A + FRAME_WORDS) = cls;
        NEXT_RELOAD(3);
    }
    struct _PyType_CacheEntry *entry = _PyAttr_Known(Py_TYPE(owner), name);
    FoundMethod found = entry != NULL && _PyAttr_OnlyDescriptorGets(owner, entry)
                        && !PyType_HasFeature(Py_TYPE(entry->value),
                                              Py_TPFLAGS_METHOD_DESCRIPTOR)
                        ? (FoundMethod){get_by(entry->value, owner), 0}
                        : find_method(owner, name);
    PyObject *method = found.method;
    if (method == NULL) {
        _PyObject_AddAttributeErrorContext(owner, name);
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

SLOW(load_method)
{
    (void)reg_object(&R(B));            /* an int has methods, too */
    PyReg reg = R(B);
    if (likely(!REG_IS_INT(reg))) {
        PyObject *owner = REG_PTR(reg);
        struct _PyType_CacheEntry *entry =
            _PyAttr_Known(Py_TYPE(owner), code_name(f, CACHE(0)->arg));
        if (likely(entry != NULL) && PLACE_KIND(entry->place) == PLACE_OF_TYPE
            && likely(PyType_HasFeature(Py_TYPE(entry->value), Py_TPFLAGS_METHOD_DESCRIPTOR))
            && _PyAttr_IsNotHidden(owner, PLACE_NUMBER(entry->place), entry->name)) {
            FINISH_LOAD_METHOD(entry->value);
        }
        PyObject *value = _PyAttr_PlacedValue(owner, code_name(f, CACHE(0)->arg));
        if (value != NULL) {
            Py_INCREF(value);
            SAVE_IP();
            operand_done(f, B);
            R(A) = 0;
            R(A + 1) = (PyReg)value;
            NEXT_RELOAD(3);
        }
    }
    TAIL(load_method_search);
}

HANDLER(LOAD_METHOD)
{
    if (specialize_now(ip) && !REG_IS_INT(R(B))) {
        _PyVM_SpecializeLoadMethod(f, ip, REG_PTR(R(B)));
    }
    TAIL(load_method);
}

/* -------------------------------------------------------------- specialised */

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

/* Is the owner an object whose type still has the version? */
#define TYPE_MATCHES(reg) \
    (likely(!REG_IS_INT(reg)) \
     && likely(Py_TYPE(REG_PTR(reg))->tp_version_tag == CACHE(1)->version))

HANDLER(LOAD_ATTR__INLINE)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg)) {
        PyObject *value = _PyInstance_InlineValue(REG_PTR(reg),
                                                  (Py_ssize_t)CACHE(2)->word);
        if (likely(value != NULL)) {
            FINISH_LOAD_ATTR(value);
        }
        TAIL(load_attr);        /* other instances may have it inline */
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

HANDLER(LOAD_ATTR__GETTER)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg)) {
        FINISH_GET((PyObject *)CACHE(2)->ptr, REG_PTR(reg));
    }
    TAIL(load_attr_miss);
}

/* The getter's frame lies above the whole running frame; about the operand, see
   push_getter() in method_frames.c. */
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
    frame->regs[0] = reg_new_ref(reg);
    frame_init(frame, code, f, A, is_temp(f, B) && A != B ? RET_METHOD : RET_REG);
    frame->skip = 4;
    f = frame;
    TS_FRAME(ts) = f;
    ip = code->code;
    DISPATCH();
}

HANDLER(LOAD_ATTR__OF_TYPE)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg) && _PyAttr_IsNotHidden(REG_PTR(reg), CACHE(1)->version2,
                                                 code_name(f, CACHE(0)->arg))) {
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

SLOW(store_attr_inline)
{
    PyObject *owner = REG_PTR(R(A));
    FINISH_STORE_INLINE(owner, (Py_ssize_t)CACHE(2)->word);
}

/* Where nothing can die, and no int has to be boxed, nothing is called. */
HANDLER(STORE_ATTR__INLINE)
{
    PyReg reg = R(A);
    if (TYPE_MATCHES(reg)) {
        Py_ssize_t at = (Py_ssize_t)CACHE(2)->word;
        PyObject *owner = REG_PTR(reg);
        if (likely(at < _PyInstance_Header(owner)->capacity)) {
            PyReg value = R(B);
            PyObject **slot = _PyInstance_Values(owner) + at, *old = *slot;
            int drops = is_temp(f, A);
            if (unlikely(!REG_IS_PTR(value)) || unlikely(drops && owner->ob_refcnt == 1)
                || (old != NULL && (old->ob_refcnt == 1 || old == owner))) {
                TAIL(store_attr_inline);
            }
            if (drops) {
                owner->ob_refcnt--;
                R(A) = 0;
            }
            if (is_temp(f, B)) {
                R(B) = 0;
            }
            else {
                Py_INCREF(REG_PTR(value));
            }
            *slot = REG_PTR(value);
            if (old != NULL) {
                old->ob_refcnt--;
            }
            else {
                _PyInstance_NoteNew(owner, at);
            }
            NEXT(3);
        }
    }
    TAIL(store_attr_miss);
}

HANDLER(STORE_ATTR__MEMBER)
{
    PyReg reg = R(A);
    if (TYPE_MATCHES(reg)) {
        FINISH_STORE_MEMBER(REG_PTR(reg), CACHE(2)->word);
    }
    TAIL(store_attr_miss);
}

HANDLER(LOAD_METHOD__INLINE)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg) && _PyAttr_IsNotHidden(REG_PTR(reg), CACHE(1)->version2,
                                                 code_name(f, CACHE(0)->arg))) {
        FINISH_LOAD_METHOD(CACHE(2)->ptr);
    }
    TAIL(load_method_miss);
}

HANDLER(LOAD_METHOD__NO_DICT)
{
    PyReg reg = R(B);
    if (TYPE_MATCHES(reg)) {
        FINISH_LOAD_METHOD(CACHE(2)->ptr);
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

#ifdef VM_STEPS
int64_t
_PyVM_DeleteAttr(PyReg owner, PyObject *name)
{
    PyObject *op = reg_object(&owner);
    int result = op == NULL ? -1 : PyObject_SetAttr(op, name, NULL);
    reg_release(owner);
    return result;
}
#endif
