/* Operators that a class defines in Python: its method runs in a frame above the
   operator's, like the function of a call, and C does not recurse.

   The handlers of operators call _PyVM_Push… when their operands are not of the built-in
   types that they handle. It returns a frame if the slot of the operand's type is the one
   that calls Python methods, and the method is a plain function; otherwise C does the work
   as for any other type. The operands stay where they are until the method has returned.

   If the method's value always is the operator's, the frame is that of a usual call. If
   it may not be (it may be NotImplemented, or no bool), the frame is marked RET_METHOD,
   and _PyVM_MethodReturned (op_method.c) ends the instruction that the caller's ip is at. */
#include "enter.h"
#include "specialize.h"
#include "internal/abstract.h"
#include "internal/compare.h"
#include "internal/observe.h"
#include "internal/property.h"
#include "internal/type.h"
#include "internal/slot_prototypes.h"

/* The function if it is plain, or NULL. Returns a borrowed reference. */
static inline PyObject *
plain_function(PyObject *func, int nargs)
{
    if (func == NULL || !PyFunction_Check(func)) {
        return NULL;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    return code->simple_call && code->ob.co_argcount == nargs ? func : NULL;
}

/* The type's plain function of that name and number of parameters, or NULL. Returns a
   borrowed reference. */
static inline PyObject *
plain_method(PyTypeObject *type, PyObject *name, int nargs)
{
    return plain_function(_PyType_LookupInline(type, name), nargs);
}

/* Pushes a frame for the method with copies of the arguments. NULL without an exception:
   C has to do the work. */
static inline PyVMFrame *
push_method(PyThreadState *ts, PyVMFrame *f, PyObject *func, int nargs, const PyReg *args,
            int ret, unsigned flags)
{
    PyReg *window = &f->regs[f->code->nregs];
    if (unlikely(ts->interp->calls_hooked)) {
        return NULL;
    }
    if (unlikely(ts->recursion_remaining <= 1)) {
        _Py_ShareRecursion(ts);
        if (ts->recursion_remaining <= 1) {
            return NULL;
        }
    }
    if (unlikely(!frame_fits(ts, window))) {
        window = _PyVM_RoomAbove(ts, f, FRAME_WORDS);
        if (window == NULL) {
            _PyErr_Clear(ts);
            return NULL;
        }
    }
    ts->recursion_remaining -= flags & FRAME_COUNTS_TWICE ? 2 : 1;
    PyVMFrame *frame = (PyVMFrame *)window;
    frame->func = Py_NewRef(func);
    for (int i = 0; i < nargs; i++) {
        frame->regs[i] = reg_new_ref(args[i]);
    }
    frame_init(frame, _PyVMCode_CAST(((PyFunctionObject *)func)->func_code), f, 0, ret);
    frame->flags = (uint16_t)flags;
    return frame;
}

/* For a method whose value is that of the instruction, which has this many words. */
static inline PyVMFrame *
push_plain(PyThreadState *ts, PyVMFrame *f, PyObject *func, int nargs, const PyReg *args,
           int dest, unsigned words)
{
    PyVMFrame *frame = push_method(ts, f, func, nargs, args, RET_REG, 0);
    if (frame != NULL) {
        frame->dest = (uint16_t)dest;
        frame->skip = (uint16_t)words;
    }
    return frame;
}

/* --------------------------------------------------------------- comparison */

static PyObject *const *const compare_names[] = {
    [Py_LT] = &_Py_NAME(dunder_lt), [Py_LE] = &_Py_NAME(dunder_le),
    [Py_EQ] = &_Py_NAME(dunder_eq), [Py_NE] = &_Py_NAME(dunder_ne),
    [Py_GT] = &_Py_NAME(dunder_gt), [Py_GE] = &_Py_NAME(dunder_ge),
};

PyObject *
_PyVM_CompareMethod(PyTypeObject *type, PyTypeObject *other, int op)
{
    if (other != type && PyType_IsSubtype(other, type)) {
        return NULL;        /* goes first */
    }
    return plain_method(type, *compare_names[op], 2);
}

PyVMFrame *
_PyVM_PushCompare(PyThreadState *ts, PyVMFrame *f, PyReg left, PyReg right, int op)
{
    PyTypeObject *type = Py_TYPE(REG_PTR(left));
    PyObject *func = _PyVM_CompareMethod(type, REG_IS_INT(right) ? type : Py_TYPE(REG_PTR(right)),
                                         op);
    return func == NULL ? NULL
           : push_method(ts, f, func, 2, (PyReg[]){left, right}, RET_METHOD,
                         FRAME_COUNTS_TWICE);
}

/* --------------------------------------------------------------- arithmetic */

static const struct {
    size_t slot, inplace_slot;
    binaryfunc function, inplace_function;
    PyObject *const *name, *const *inplace_name;
} operators[] = {
#define OPERATOR(kind, field, dunder) \
    [kind] = {offsetof(PyNumberMethods, nb_##field), \
              offsetof(PyNumberMethods, nb_inplace_##field), \
              slot_##field, slot_inplace_##field, \
              &_Py_NAME(dunder_##dunder), &_Py_NAME(dunder_i##dunder)}
    OPERATOR(K_ADD, add, add),
    OPERATOR(K_SUB, subtract, sub),
    OPERATOR(K_MUL, multiply, mul),
    OPERATOR(K_TRUEDIV, true_divide, truediv),
    OPERATOR(K_FLOORDIV, floor_divide, floordiv),
    OPERATOR(K_MOD, remainder, mod),
    OPERATOR(K_MATMUL, matrix_multiply, matmul),
    OPERATOR(K_LSHIFT, lshift, lshift),
    OPERATOR(K_RSHIFT, rshift, rshift),
    OPERATOR(K_AND, and, and),
    OPERATOR(K_OR, or, or),
    OPERATOR(K_XOR, xor, xor),
#undef OPERATOR
};

static binaryfunc
number_slot(PyTypeObject *type, size_t offset)
{
    PyNumberMethods *methods = type->tp_as_number;
    return methods == NULL ? NULL : *(binaryfunc *)((char *)methods + offset);
}

/* May a + or * that both numbers decline be about sequences? */
static int
is_sequence(PyTypeObject *type)
{
    PySequenceMethods *methods = type->tp_as_sequence;
    return methods != NULL && (methods->sq_concat != NULL || methods->sq_repeat != NULL);
}

PyObject *
_PyVM_OperatorMethod(PyTypeObject *type, PyTypeObject *other, int kind, int in_place)
{
    if (kind == K_POW) {
        return NULL;
    }
    PyObject *name = *operators[kind].name;
    binaryfunc inplace = in_place ? number_slot(type, operators[kind].inplace_slot) : NULL;
    if (inplace != NULL) {
        if (inplace != operators[kind].inplace_function) {
            return NULL;
        }
        name = *operators[kind].inplace_name;
    }
    else if (number_slot(type, operators[kind].slot) != operators[kind].function) {
        return NULL;
    }
    /* The right operand must not come first, nor have a method in Python. */
    if ((type != other && (other->tp_flags & Py_TPFLAGS_HEAPTYPE))
        || ((kind == K_ADD || kind == K_MUL) && (is_sequence(type) || is_sequence(other)))) {
        return NULL;
    }
    return plain_method(type, name, 2);
}

PyVMFrame *
_PyVM_PushArithmetic(PyThreadState *ts, PyVMFrame *f, PyReg left, PyReg right, int kind,
                     int in_place)
{
    PyTypeObject *other = REG_IS_INT(right) ? &PyLong_Type : Py_TYPE(REG_PTR(right));
    PyObject *func = REG_IS_INT(left)
                     ? NULL : _PyVM_OperatorMethod(Py_TYPE(REG_PTR(left)), other, kind, in_place);
    return func == NULL ? NULL
           : push_method(ts, f, func, 2, (PyReg[]){left, right}, RET_METHOD, 0);
}

PyReg
_PyVM_AfterLeftDeclined(PyReg *left, PyReg *right, int kind, int in_place)
{
    PyObject *v = REG_PTR(*left), *w = reg_object(right);
    if (w == NULL) {
        return 0;
    }
    int was_inplace =
        in_place && number_slot(Py_TYPE(v), operators[kind].inplace_slot) != NULL;
    return (PyReg)_PyNumber_AfterLeft(v, w, operators[kind].slot, in_place, was_inplace);
}

PyObject *
_PyVM_UnaryMethod(PyTypeObject *type, int op)
{
    PyNumberMethods *slots = type->tp_as_number;
    PyObject *name = slots == NULL ? NULL
        : op == OP_NEG && slots->nb_negative == slot_negative ? _Py_NAME(dunder_neg)
        : op == OP_POS && slots->nb_positive == slot_positive ? _Py_NAME(dunder_pos)
        : op == OP_INVERT && slots->nb_invert == slot_invert ? _Py_NAME(dunder_invert)
        : NULL;
    return name != NULL ? plain_method(type, name, 1) : NULL;
}

PyVMFrame *
_PyVM_PushUnary(PyThreadState *ts, PyVMFrame *f, PyReg operand, int op, int dest)
{
    PyObject *func = REG_IS_INT(operand) ? NULL
                                         : _PyVM_UnaryMethod(Py_TYPE(REG_PTR(operand)), op);
    PyVMFrame *frame = func == NULL ? NULL : push_plain(ts, f, func, 1, &operand, dest, 1);
    if (frame != NULL) {
        operand_done(f, f->ip->b);      /* the frame has its own */
    }
    return frame;
}

/* ----------------------------------------------------- truth and membership */

PyObject *
_PyVM_TruthMethod(PyTypeObject *type)
{
    if (type->tp_as_number == NULL || type->tp_as_number->nb_bool != slot_bool) {
        return NULL;
    }
    return plain_method(type, _Py_NAME(dunder_bool), 1);
}

PyVMFrame *
_PyVM_PushTruth(PyThreadState *ts, PyVMFrame *f, PyReg operand)
{
    PyObject *func = REG_IS_INT(operand) ? NULL : _PyVM_TruthMethod(Py_TYPE(REG_PTR(operand)));
    return func == NULL ? NULL : push_method(ts, f, func, 1, &operand, RET_METHOD, 0);
}

PyObject *
_PyVM_ContainsMethod(PyTypeObject *type)
{
    return type->tp_as_sequence != NULL && type->tp_as_sequence->sq_contains == slot_contains
           ? plain_method(type, _Py_NAME(dunder_contains), 2) : NULL;
}

PyVMFrame *
_PyVM_PushContains(PyThreadState *ts, PyVMFrame *f, PyReg item, PyReg container)
{
    PyObject *func = REG_IS_INT(container) ? NULL
                     : _PyVM_ContainsMethod(Py_TYPE(REG_PTR(container)));
    return func == NULL ? NULL
           : push_method(ts, f, func, 2, (PyReg[]){container, item}, RET_METHOD, 0);
}

/* ------------------------------------------------- items, attributes, loops */

PyVMFrame *
_PyVM_PushGetItem(PyThreadState *ts, PyVMFrame *f, PyReg container, PyReg key, int dest,
                  unsigned words)
{
    PyObject *func = REG_IS_INT(container) ? NULL
                     : _PyVM_PlainGetItem(Py_TYPE(REG_PTR(container)));
    PyVMFrame *frame = func == NULL ? NULL
        : push_plain(ts, f, func, 2, (PyReg[]){container, key}, dest, words);
    if (frame != NULL) {
        operand_done(f, f->ip->b);
        if (_PyOpcode_Info[f->ip->op].base == OP_LOAD_SUBSCR) {
            operand_done(f, f->ip->c);
        }
    }
    return frame;
}

PyObject *
_PyVM_SetItemMethod(PyTypeObject *type)
{
    return type->tp_as_mapping != NULL
           && type->tp_as_mapping->mp_ass_subscript == slot_ass_subscript
           ? plain_method(type, _Py_NAME(dunder_setitem), 3) : NULL;
}

PyVMFrame *
_PyVM_PushSetItem(PyThreadState *ts, PyVMFrame *f, PyReg container, PyReg key, PyReg value)
{
    PyObject *func = REG_IS_INT(container) ? NULL
                     : _PyVM_SetItemMethod(Py_TYPE(REG_PTR(container)));
    return func == NULL ? NULL
           : push_method(ts, f, func, 3, (PyReg[]){container, key, value}, RET_METHOD, 0);
}

/* Pushes the frame of a function that gets LOAD_ATTR's value. The operand stays where it is
   until it returns, because an AttributeError names the object; if the value does not
   overwrite the operand, _PyVM_MethodReturned releases it. */
static PyVMFrame *
push_getter(PyThreadState *ts, PyVMFrame *f, PyObject *func, int nargs, const PyReg *args)
{
    unsigned dest = f->ip->a, operand = f->ip->b;
    int stays = is_temp(f, operand) && operand != dest;
    PyVMFrame *frame =
        push_method(ts, f, func, nargs, args, stays ? RET_METHOD : RET_REG, 0);
    if (frame != NULL) {
        frame->dest = (uint16_t)dest;
        frame->skip = 4;
    }
    return frame;
}

PyVMFrame *
_PyVM_PushGetter(PyThreadState *ts, PyVMFrame *f, PyObject *descr, PyReg owner)
{
    PyTypeObject *kind = Py_TYPE(descr);
    PyObject *func;
    if (kind == &PyProperty_Type) {
        func = plain_function(((propertyobject *)descr)->fget, 1);
        return func == NULL ? NULL : push_getter(ts, f, func, 1, &owner);
    }
    if (kind->tp_descr_get == slot_descr_get && kind->tp_descr_set != NULL) {
        func = plain_method(kind, _Py_NAME(dunder_get), 3);
        return func == NULL ? NULL
               : push_getter(ts, f, func, 3,
                             (PyReg[]){(PyReg)descr, owner, (PyReg)Py_TYPE(REG_PTR(owner))});
    }
    return NULL;
}

PyVMFrame *
_PyVM_PushGetAttrHook(PyThreadState *ts, PyVMFrame *f, PyObject *hook, PyReg owner,
                      PyObject *name)
{
    PyObject *func = plain_function(hook, 2);
    return func == NULL ? NULL
           : push_getter(ts, f, func, 2, (PyReg[]){owner, (PyReg)name});
}

PyVMFrame *
_PyVM_PushSetter(PyThreadState *ts, PyVMFrame *f, PyObject *descr, PyReg owner, PyReg value)
{
    PyTypeObject *kind = Py_TYPE(descr);
    PyObject *func;
    if (kind == &PyProperty_Type) {
        func = plain_function(((propertyobject *)descr)->fset, 2);
        return func == NULL ? NULL
               : push_method(ts, f, func, 2, (PyReg[]){owner, value}, RET_METHOD, 0);
    }
    if (kind->tp_descr_set == slot_descr_set) {
        func = plain_method(kind, _Py_NAME(dunder_set), 3);
        return func == NULL ? NULL
               : push_method(ts, f, func, 3, (PyReg[]){(PyReg)descr, owner, value},
                             RET_METHOD, 0);
    }
    return NULL;
}

PyVMFrame *
_PyVM_PushSetAttrHook(PyThreadState *ts, PyVMFrame *f, PyReg owner, PyObject *name,
                      PyReg value)
{
    PyObject *func = plain_method(Py_TYPE(REG_PTR(owner)), _Py_NAME(dunder_setattr), 3);
    return func == NULL ? NULL
           : push_method(ts, f, func, 3, (PyReg[]){owner, (PyReg)name, value}, RET_METHOD, 0);
}

/* The exception that has left a getter's frame may be an AttributeError without `name` and
   `obj`: adds them. */
void
_PyVM_GetterFailed(PyVMFrame *f)
{
    const PyInstr *ip = f->ip;
    if (_PyOpcode_Info[ip->op].base == OP_LOAD_ATTR) {
        _PyObject_AddAttributeErrorContext(REG_PTR(f->regs[ip->b]),
                                           code_name(f, CACHE(0)->arg));
    }
}

PyObject *
_PyVM_NextMethod(PyTypeObject *type)
{
    return type->tp_iternext == _PySlot_IterNext ? plain_method(type, _Py_NAME(dunder_next), 1)
                                                 : NULL;
}

PyObject *
_PyVM_CallMethodOf(PyTypeObject *type, int nargs)
{
    return type->tp_call == slot_call && !(type->tp_flags & Py_TPFLAGS_HAVE_VECTORCALL)
           ? plain_method(type, _Py_NAME(dunder_call), nargs + 1) : NULL;
}

/* FOR_ITER over an iterator with a Python __next__. The StopIteration that ends it
   ends the loop: _PyVM_EndOfLoop. */
PyVMFrame *
_PyVM_PushNext(PyThreadState *ts, PyVMFrame *f, PyObject *iterator, int dest)
{
    PyObject *func = _PyVM_NextMethod(Py_TYPE(iterator));
    return func == NULL ? NULL : push_plain(ts, f, func, 1, (PyReg[]){(PyReg)iterator}, dest, 3);
}

const PyInstr *
_PyVM_EndOfLoop(PyThreadState *ts, PyVMFrame *f)
{
    const PyInstr *ip = f->ip;
    if (_PyOpcode_Info[ip->op].base != OP_FOR_ITER
        || !_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
        return NULL;
    }
    if (ts->c_tracefunc != NULL) {
        _PyVM_observers.exception(ts, f);
        if (!_PyErr_ExceptionMatches(ts, PyExc_StopIteration)) {
            return NULL;        /* the tracer's own */
        }
    }
    _PyErr_Clear(ts);
    end_loop(f, ip->a);
    return ip + 3 + (int32_t)CACHE(0)->arg;
}
