/* Calls of functions and methods that are written in C.

   A specialised form remembers the definition (PyMethodDef) that it has met: an object with
   the same one is called in the same way. The general forms handle every calling convention without
   a class. */
#include "call.h"
#include "internal/abstract.h"
#include "internal/list.h"
#include "internal/method_call.h"
#include "internal/type.h"

/* As in python3.11, the call of a C function that takes no or one argument counts against
   the recursion limit; the call of one that takes an array does not. */
static inline PyObject *
counted_call(PyThreadState *ts, PyMethodDef *def, PyObject *self, PyObject *arg)
{
    if (unlikely(_Py_EnterRecursiveCallTstate(ts, " while calling a Python object"))) {
        return NULL;
    }
    PyObject *result = def->ml_meth(self, arg);
    _Py_LeaveRecursiveCallTstate(ts);
    return result;
}

/* Calls a C function directly, arguments boxed. 0: it takes others, or its class. */
static inline int
call_c(PyThreadState *ts, PyMethodDef *def, PyObject *self, PyObject **args,
              Py_ssize_t nargs, PyObject **result)
{
    switch (def->ml_flags & METH_CALL_FLAGS) {
    case METH_O:
        if (nargs == 1) {
            *result = counted_call(ts, def, self, args[0]);
            return 1;
        }
        return 0;
    case METH_NOARGS:
        if (nargs == 0) {
            *result = counted_call(ts, def, self, NULL);
            return 1;
        }
        return 0;
    case METH_FASTCALL:
        *result = ((_PyCFunctionFast)(void (*)(void))def->ml_meth)(self, args,
                                                                   nargs);
        return 1;
    case METH_FASTCALL | METH_KEYWORDS:
        *result = ((_PyCFunctionFastWithKeywords)(void (*)(void))def->ml_meth)(
            self, args, nargs, NULL);
        return 1;
    case METH_VARARGS:
    case METH_VARARGS | METH_KEYWORDS:
        *result = _PyMethodCall_Varargs(NULL, def, self, args, nargs, NULL);
        return 1;
    }
    return 0;
}

#define FINISH_C_CALL(window, nargs, callable, result) \
    do { \
        if (unlikely((result == NULL) == (ts->curexc_type == NULL))) { \
            result = _Py_CheckFunctionResult(ts, callable, result, NULL); \
        } \
        clear_run((window) + FRAME_WORDS, nargs); \
        *(window) = 0; \
        Py_DECREF(callable); \
        if (unlikely(result == NULL)) { \
            ERROR(); \
        } \
        FINISH_CALL(C, result); \
    } while (0)

/* A builtin function brings its own `self`. */
#define TRY_C_FUNCTION(window, nargs) \
    do { \
        PyObject *callable_ = REG_PTR(*(window)), *result_; \
        PyReg *args_ = (window) + FRAME_WORDS; \
        SAVE_IP(); \
        if (box_run(args_, nargs) == 0 \
            && call_c(ts, ((PyCFunctionObject *)callable_)->m_ml, \
                             PyCFunction_GET_SELF(callable_), \
                             (PyObject **)args_, nargs, &result_)) { \
            FINISH_C_CALL(window, nargs, callable_, result_); \
        } \
    } while (0)

SLOW(call_c_general)
{
    PyReg *window = &R(A);
    TRY_C_FUNCTION(window, B);
    TAIL(_PyVM_Call);
}

/* Chooses the form for a definition and remembers it. */
static void
specialize_c_function(const PyInstr *ip, PyMethodDef *def, Py_ssize_t nargs, int form_o,
                      int form_fast, int form_fastkw)
{
    int how = def->ml_flags & METH_CALL_FLAGS;
    CACHE(1)->ptr = def;
    if (how == METH_O && nargs == 1) {
        set_opcode(ip, form_o);
    }
    else if (how == METH_FASTCALL) {
        set_opcode(ip, form_fast);
    }
    else if (how == (METH_FASTCALL | METH_KEYWORDS)) {
        set_opcode(ip, form_fastkw);
    }
}

SHARED_SLOW(_PyVM_CallCAttr)
{
    PyReg *window = &R(A) + 1;
    if (specialize_now(ip)) {
        specialize_c_function(ip, ((PyCFunctionObject *)REG_PTR(*window))->m_ml, B,
                              OP_CALL_METHOD__ATTR_O, OP_CALL_METHOD__ATTR_FAST,
                              OP_CALL_METHOD__ATTR_FASTKW);
    }
    TRY_C_FUNCTION(window, B);
    TAIL(_PyVM_CallMethod);
}

/* A method of a builtin type, with its self as first argument. */
SLOW(call_c_method_general)
{
    PyReg *window = &R(A), *args = window + FRAME_WORDS;
    Py_ssize_t nargs = B;
    PyMethodDescrObject *descr = (PyMethodDescrObject *)REG_PTR(*window);
    PyObject *result;
    SAVE_IP();
    if (box_run(args, nargs + 1) == 0
        && _PyType_IsSubtypeFast(Py_TYPE(REG_PTR(args[0])),
                                 descr->d_common.d_type)
        && call_c(ts, descr->d_method, REG_PTR(args[0]),
                         (PyObject **)args + 1, nargs, &result)) {
        FINISH_C_CALL(window, nargs + 1, (PyObject *)descr, result);
    }
    TAIL(_PyVM_CallMethod);
}

/* Is it the builtin function of this name? */
static int
is_builtin(const PyCFunctionObject *func, const char *name)
{
    return strcmp(func->m_ml->ml_name, name) == 0 && _PyCFunction_IsOfBuiltins(func);
}

SHARED_SLOW(_PyVM_CallC)
{
    if (specialize_now(ip)) {
        PyCFunctionObject *func = (PyCFunctionObject *)REG_PTR(R(A));
        specialize_c_function(ip, func->m_ml, B,
                              is_builtin(func, "len") ? OP_CALL__LEN : OP_CALL__C_O,
                              B == 2 && is_builtin(func, "isinstance")
                              ? OP_CALL__ISINSTANCE : OP_CALL__C_FAST,
                              OP_CALL__C_FASTKW);
    }
    TAIL(call_c_general);
}

SHARED_SLOW(_PyVM_CallMiss)
{
    despecialize(ip);
    TAIL(op_CALL);
}

SLOW(call_method_miss)
{
    despecialize(ip);
    TAIL(op_CALL_METHOD);
}

#define IS_C_FUNCTION(reg) \
    (likely(!REG_IS_INT(reg)) \
     && likely(Py_IS_TYPE(REG_PTR(reg), &PyCFunction_Type)) \
     && likely(((PyCFunctionObject *)REG_PTR(reg))->m_ml == CACHE(1)->ptr))

#define IS_C_CALLEE(window) IS_C_FUNCTION(*(window))
/* Has LOAD_METHOD found a C function as an attribute? window[-1] is 0 then. */
#define IS_C_ATTR(window) (likely((window)[-1] == 0) && IS_C_FUNCTION(*(window)))

#define CALL_C_O(name, first, is_known, miss) \
    HANDLER(name) \
    { \
        PyReg *window = (first); \
        if (unlikely(!is_known(window))) { \
            TAIL(miss); \
        } \
        SAVE_IP(); \
        PyCFunctionObject *func = (PyCFunctionObject *)REG_PTR(*window); \
        PyMethodDef *def = CACHE(1)->ptr; \
        PyObject *arg = reg_object(window + FRAME_WORDS); \
        if (unlikely(arg == NULL)) { \
            ERROR(); \
        } \
        PyObject *result = counted_call(ts, def, PyCFunction_GET_SELF(func), arg); \
        window[FRAME_WORDS] = 0; \
        Py_DECREF(arg); \
        FINISH_SPECIAL(window, (PyObject *)func, result); \
    }

/* The second form is for functions that LOAD_METHOD found, in a module as a rule. */
CALL_C_O(CALL__C_O, &R(A), IS_C_CALLEE, _PyVM_CallMiss)
CALL_C_O(CALL_METHOD__ATTR_O, &R(A) + 1, IS_C_ATTR, call_method_miss)

/* len() of any other object: it does not count against the recursion limit. */
SLOW(call_len)
{
    PyReg *window = &R(A);
    SAVE_IP();
    PyObject *func = REG_PTR(*window), *op = REG_PTR(window[FRAME_WORDS]);
    PyObject *result = ((PyMethodDef *)CACHE(1)->ptr)->ml_meth(NULL, op);
    window[FRAME_WORDS] = 0;
    Py_DECREF(op);
    FINISH_SPECIAL(window, func, result);
}

HANDLER(CALL__LEN)
{
    PyReg *window = &R(A), arg = window[FRAME_WORDS];
    if (unlikely(!IS_C_FUNCTION(*window)) || unlikely(REG_IS_INT(arg))) {
        TAIL(_PyVM_CallMiss);
    }
    PyObject *op = REG_PTR(arg);
    PyTypeObject *type = Py_TYPE(op);
    Py_ssize_t size;
    if (type == &PyList_Type || type == &PyTuple_Type) {
        size = Py_SIZE(op);
    }
    else if (type == &PyUnicode_Type && PyUnicode_IS_READY(op)) {
        size = PyUnicode_GET_LENGTH(op);
    }
    else if (type == &PyDict_Type) {
        size = PyDict_GET_SIZE(op);
    }
    else {
        TAIL(call_len);
    }
    SAVE_IP();
    PyObject *func = REG_PTR(*window);
    window[FRAME_WORDS] = 0;
    *window = 0;
    Py_DECREF(op);
    Py_DECREF(func);
    WRITE(C, REG_FROM_INT((int64_t)size));
    NEXT_RELOAD(2);
}

/* isinstance() where types tell; all else is called. */
HANDLER(CALL__ISINSTANCE)
{
    PyReg *window = &R(A), value = window[FRAME_WORDS], cls = window[FRAME_WORDS + 1];
    if (unlikely(!IS_C_FUNCTION(*window))) {
        TAIL(_PyVM_CallMiss);
    }
    SAVE_IP();
    PyTypeObject *type = REG_IS_INT(value) ? &PyLong_Type : Py_TYPE(REG_PTR(value));
    int answer = REG_IS_INT(cls) || unlikely(ts->recursion_remaining <= 2)
                 ? -1 : _PyType_QuickIsInstance(type, REG_PTR(cls));
    if (unlikely(answer < 0)) {
        TAIL(call_c_general);
    }
    PyObject *func = REG_PTR(*window);
    window[FRAME_WORDS] = window[FRAME_WORDS + 1] = 0;
    *window = 0;
    reg_release(value);
    Py_DECREF(REG_PTR(cls));
    Py_DECREF(func);
    WRITE(C, REG_BOOL(answer));
    NEXT_RELOAD(2);
}

#define AS_FAST(def) ((_PyCFunctionFast)(void (*)(void))(def)->ml_meth)
#define AS_FASTKW(def) \
    ((_PyCFunctionFastWithKeywords)(void (*)(void))(def)->ml_meth)

#define CALL_C_ARRAY(name, first, is_known, miss, call) \
    HANDLER(name) \
    { \
        PyReg *window = (first), *args = window + FRAME_WORDS; \
        Py_ssize_t nargs = B; \
        if (unlikely(!is_known(window))) { \
            TAIL(miss); \
        } \
        SAVE_IP(); \
        PyCFunctionObject *func = (PyCFunctionObject *)REG_PTR(*window); \
        PyMethodDef *def = CACHE(1)->ptr; \
        PyObject *self = PyCFunction_GET_SELF(func); \
        PyObject **values = (PyObject **)args; \
        if (unlikely(box_run(args, nargs) < 0)) { \
            ERROR(); \
        } \
        PyObject *result = call; \
        clear_run(args, nargs); \
        FINISH_SPECIAL(window, (PyObject *)func, result); \
    }

CALL_C_ARRAY(CALL__C_FAST, &R(A), IS_C_CALLEE, _PyVM_CallMiss,
             AS_FAST(def)(self, values, nargs))
CALL_C_ARRAY(CALL__C_FASTKW, &R(A), IS_C_CALLEE, _PyVM_CallMiss,
             AS_FASTKW(def)(self, values, nargs, NULL))
CALL_C_ARRAY(CALL_METHOD__ATTR_FAST, &R(A) + 1, IS_C_ATTR, call_method_miss,
             AS_FAST(def)(self, values, nargs))
CALL_C_ARRAY(CALL_METHOD__ATTR_FASTKW, &R(A) + 1, IS_C_ATTR, call_method_miss,
             AS_FASTKW(def)(self, values, nargs, NULL))

HANDLER(CALL__TYPE_1)
{
    PyReg *window = &R(A);
    if (unlikely(*window != (PyReg)&PyType_Type)) {
        TAIL(_PyVM_CallMiss);
    }
    SAVE_IP();
    PyReg arg = window[FRAME_WORDS];
    PyTypeObject *type = REG_IS_INT(arg) ? &PyLong_Type : Py_TYPE(REG_PTR(arg));
    Py_INCREF(type);
    window[FRAME_WORDS] = 0;
    *window = 0;
    reg_release(arg);
    Py_DECREF(&PyType_Type);
    WRITE(C, (PyReg)type);
    NEXT_RELOAD(2);
}

SHARED_SLOW(_PyVM_CallCMethod)
{
    if (specialize_now(ip)) {
        PyMethodDescrObject *descr = (PyMethodDescrObject *)REG_PTR(R(A));
        int how = descr->d_method->ml_flags & METH_CALL_FLAGS;
        CACHE(1)->ptr = descr->d_method;
        if (how == METH_O && B == 1) {
            int is_append = descr->d_common.d_type == &PyList_Type
                && strcmp(descr->d_method->ml_name, "append") == 0;
            set_opcode(ip, is_append ? OP_CALL_METHOD__LIST_APPEND
                                     : OP_CALL_METHOD__C_O);
        }
        else if (how == METH_NOARGS && B == 0) {
            set_opcode(ip, OP_CALL_METHOD__C_NOARGS);
        }
        else if (how == METH_FASTCALL) {
            set_opcode(ip, OP_CALL_METHOD__C_FAST);
        }
        else if (how == (METH_FASTCALL | METH_KEYWORDS)) {
            set_opcode(ip, OP_CALL_METHOD__C_FASTKW);
        }
    }
    TAIL(call_c_method_general);
}

/* Is the callable the remembered method, and self an object (no tag) of its type? */
#define IS_C_METHOD(window) \
    (likely(*(window) != 0) \
     && likely(Py_IS_TYPE(REG_PTR(*(window)), &PyMethodDescr_Type)) \
     && likely(((PyMethodDescrObject *)REG_PTR(*(window)))->d_method \
               == CACHE(1)->ptr) \
     && likely(!REG_IS_INT((window)[FRAME_WORDS])) \
     && likely(_PyType_IsSubtypeFast( \
            Py_TYPE(REG_PTR((window)[FRAME_WORDS])), \
            ((PyMethodDescrObject *)REG_PTR(*(window)))->d_common.d_type)))

HANDLER(CALL_METHOD__C_O)
{
    PyReg *window = &R(A);
    if (unlikely(!IS_C_METHOD(window))) {
        TAIL(call_method_miss);
    }
    SAVE_IP();
    PyObject *descr = REG_PTR(*window);
    PyObject *self = REG_PTR(window[FRAME_WORDS]);
    PyObject *arg = reg_object(window + FRAME_WORDS + 1);
    if (unlikely(arg == NULL)) {
        ERROR();
    }
    PyObject *result = counted_call(ts, CACHE(1)->ptr, self, arg);
    window[FRAME_WORDS] = 0;
    window[FRAME_WORDS + 1] = 0;
    Py_DECREF(arg);
    Py_DECREF(self);
    FINISH_SPECIAL(window, descr, result);
}

HANDLER(CALL_METHOD__C_NOARGS)
{
    PyReg *window = &R(A);
    if (unlikely(!IS_C_METHOD(window))) {
        TAIL(call_method_miss);
    }
    SAVE_IP();
    PyObject *descr = REG_PTR(*window);
    PyObject *self = REG_PTR(window[FRAME_WORDS]);
    PyObject *result = counted_call(ts, CACHE(1)->ptr, self, NULL);
    window[FRAME_WORDS] = 0;
    Py_DECREF(self);
    FINISH_SPECIAL(window, descr, result);
}

#define CALL_C_METHOD_ARRAY(name, call) \
    HANDLER(name) \
    { \
        PyReg *window = &R(A), *args = window + FRAME_WORDS; \
        Py_ssize_t nargs = B; \
        if (unlikely(!IS_C_METHOD(window))) { \
            TAIL(call_method_miss); \
        } \
        SAVE_IP(); \
        PyObject *descr = REG_PTR(*window); \
        PyMethodDef *def = CACHE(1)->ptr; \
        PyObject *self = REG_PTR(args[0]); \
        PyObject **values = (PyObject **)args + 1; \
        if (unlikely(box_run(args + 1, nargs) < 0)) { \
            ERROR(); \
        } \
        PyObject *result = call; \
        clear_run(args, nargs + 1); \
        FINISH_SPECIAL(window, descr, result); \
    }

CALL_C_METHOD_ARRAY(CALL_METHOD__C_FAST, AS_FAST(def)(self, values, nargs))
CALL_C_METHOD_ARRAY(CALL_METHOD__C_FASTKW,
                    AS_FASTKW(def)(self, values, nargs, NULL))

HANDLER(CALL_METHOD__LIST_APPEND)
{
    PyReg *window = &R(A);
    if (unlikely(!IS_C_METHOD(window))) {
        TAIL(call_method_miss);
    }
    SAVE_IP();
    PyObject *descr = REG_PTR(*window);
    PyObject *list = REG_PTR(window[FRAME_WORDS]);
    PyObject *item = reg_object(window + FRAME_WORDS + 1);
    if (unlikely(item == NULL)) {
        ERROR();
    }
    window[FRAME_WORDS + 1] = 0;
    if (unlikely(_PyList_AppendTakeRef((PyListObject *)list, item) < 0)) {
        ERROR();
    }
    window[FRAME_WORDS] = 0;
    *window = 0;
    Py_DECREF(list);
    Py_DECREF(descr);
    WRITE(C, REG_NONE);
    NEXT_RELOAD(2);
}
