/* Slots that call Python methods. A class statement puts them in the slots of its type
   (slots.def says where).

   Special methods are looked up on the type, never on the instance. Functions are
   called without making a bound method. */
#include "private.h"
#include "internal/int.h"

/* ---------------------------------------------------------- lookup and call */

/* Binds a method that is not a plain function to self. Returns a new reference. */
static __attribute__((noinline)) PyObject *
bound_to(PyObject *method, PyObject *self, PyTypeObject *type)
{
    descrgetfunc get = Py_TYPE(method)->tp_descr_get;
    if (get == NULL) {
        return Py_NewRef(method);
    }
    Py_INCREF(method);
    PyObject *bound = get(method, self, (PyObject *)type);
    Py_DECREF(method);
    return bound;
}

static inline PyObject *
find_special(PyObject *self, PyObject *name, int *unbound)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject *method = _PyType_LookupInline(type, name);
    *unbound = method != NULL && has_flag(Py_TYPE(method), Py_TPFLAGS_METHOD_DESCRIPTOR);
    return *unbound ? Py_NewRef(method) : method != NULL ? bound_to(method, self, type) : NULL;
}

PyObject *
_PyObject_LookupSpecialMethod(PyObject *self, PyObject *name, int *unbound)
{
    return find_special(self, name, unbound);
}

PyObject *
_PyObject_LookupSpecial(PyObject *self, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject *method = _PyType_LookupInline(type, name);
    return method != NULL ? bound_to(method, self, type) : NULL;
}

PyObject *
_PyObject_LookupSpecialId(PyObject *self, _Py_Identifier *id)
{
    PyObject *name = _PyUnicode_FromId(id);     /* borrowed */
    return name == NULL ? NULL : _PyObject_LookupSpecial(self, name);
}

/* args[0] is self. Steals the reference to the method. */
static inline PyObject *
call_found(PyObject *method, int unbound, PyObject *const *args,
           Py_ssize_t nargs)
{
    PyThreadState *tstate = _PyThreadState_GET();
    PyObject *result;
    if (unbound && Py_IS_TYPE(method, &PyFunction_Type)
        && ((PyFunctionObject *)method)->vectorcall == _PyFunction_Vectorcall) {
        result = _PyFunction_Vectorcall(method, args, (size_t)nargs, NULL);
    }
    else if (unbound) {
        result = _PyObject_VectorcallTstate(tstate, method, args, nargs,
                                            NULL);
    }
    else {
        result = _PyObject_VectorcallTstate(
            tstate, method, args + 1,
            (nargs - 1) | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    }
    Py_DECREF(method);
    return result;
}

PyObject *
_PyObject_CallSpecialIfAny(PyObject *self, PyObject *name, PyObject *const *args,
                           Py_ssize_t nargs)
{
    int unbound;
    PyObject *method = find_special(self, name, &unbound);
    return method == NULL ? NULL : call_found(method, unbound, args, nargs);
}

PyObject *
_PyObject_CallSpecial(PyObject *self, PyObject *name, PyObject *const *args,
                      Py_ssize_t nargs)
{
    PyObject *result = _PyObject_CallSpecialIfAny(self, name, args, nargs);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_SetObject(PyExc_AttributeError, name);
    }
    return result;
}

static inline PyObject *
call0(PyObject *self, PyObject *name)
{
    PyObject *args[1] = {self};
    return _PyObject_CallSpecial(self, name, args, 1);
}

static inline PyObject *
call1(PyObject *self, PyObject *name, PyObject *arg)
{
    PyObject *args[2] = {self, arg};
    return _PyObject_CallSpecial(self, name, args, 2);
}

static inline PyObject *
call2(PyObject *self, PyObject *name, PyObject *a, PyObject *b)
{
    PyObject *args[3] = {self, a, b};
    return _PyObject_CallSpecial(self, name, args, 3);
}

/* Like call1(), but returns Py_NotImplemented if the method is missing. */
static PyObject *
maybe_call1(PyObject *self, PyObject *name, PyObject *arg)
{
    int unbound;
    PyObject *method = find_special(self, name, &unbound);
    if (method == NULL) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *args[2] = {self, arg};
    return call_found(method, unbound, args, 2);
}

static int
as_status(PyObject *result)
{
    if (result == NULL) {
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

/* ------------------------------------------------------------------ numbers */

/* Does the right operand's class define its own reflected method? */
static int
overrides_reflected(PyObject *left, PyObject *right, PyObject *name)
{
    PyObject *a, *b;
    if (_PyObject_LookupAttr((PyObject *)Py_TYPE(right), name, &b) < 0) {
        return -1;
    }
    if (b == NULL) {
        return 0;
    }
    if (_PyObject_LookupAttr((PyObject *)Py_TYPE(left), name, &a) < 0) {
        Py_DECREF(b);
        return -1;
    }
    if (a == NULL) {
        Py_DECREF(b);
        return 1;
    }
    int differ = PyObject_RichCompareBool(a, b, Py_NE);
    Py_DECREF(a);
    Py_DECREF(b);
    return differ;
}

static inline void *
number_slot(PyObject *op, size_t offset)
{
    PyNumberMethods *methods = Py_TYPE(op)->tp_as_number;
    return methods == NULL ? NULL : *(void **)((char *)methods + offset);
}

/* Called as the slot function `self_slot`, in the slot at `offset`, because at least
   one of the operands has it. */
static PyObject *
binary_slot(PyObject *left, PyObject *right, size_t offset, void *self_slot,
            PyObject *name, PyObject *reflected)
{
    int try_right = !Py_IS_TYPE(left, Py_TYPE(right))
                    && number_slot(right, offset) == self_slot;
    if (number_slot(left, offset) == self_slot) {
        PyObject *result;
        if (try_right && PyType_IsSubtype(Py_TYPE(right), Py_TYPE(left))) {
            int own = overrides_reflected(left, right, reflected);
            if (own < 0) {
                return NULL;
            }
            if (own) {
                result = maybe_call1(right, reflected, left);
                if (result != Py_NotImplemented) {
                    return result;
                }
                Py_DECREF(result);
                try_right = 0;
            }
        }
        result = maybe_call1(left, name, right);
        if (result != Py_NotImplemented || Py_IS_TYPE(right, Py_TYPE(left))) {
            return result;
        }
        Py_DECREF(result);
    }
    if (try_right) {
        return maybe_call1(right, reflected, left);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

#define BINARY(function, field, name, reflected)                        \
    PyObject *                                                          \
    function(PyObject *left, PyObject *right)                           \
    {                                                                   \
        return binary_slot(left, right,                                 \
                           offsetof(PyNumberMethods, field),            \
                           (void *)function, _Py_NAME(name),            \
                           _Py_NAME(reflected));                        \
    }

BINARY(slot_add, nb_add, dunder_add, dunder_radd)
BINARY(slot_subtract, nb_subtract, dunder_sub, dunder_rsub)
BINARY(slot_multiply, nb_multiply, dunder_mul, dunder_rmul)
BINARY(slot_remainder, nb_remainder, dunder_mod, dunder_rmod)
BINARY(slot_divmod, nb_divmod, dunder_divmod, dunder_rdivmod)
BINARY(slot_lshift, nb_lshift, dunder_lshift, dunder_rlshift)
BINARY(slot_rshift, nb_rshift, dunder_rshift, dunder_rrshift)
BINARY(slot_and, nb_and, dunder_and, dunder_rand)
BINARY(slot_xor, nb_xor, dunder_xor, dunder_rxor)
BINARY(slot_or, nb_or, dunder_or, dunder_ror)
BINARY(slot_floor_divide, nb_floor_divide, dunder_floordiv, dunder_rfloordiv)
BINARY(slot_true_divide, nb_true_divide, dunder_truediv, dunder_rtruediv)
BINARY(slot_matrix_multiply, nb_matrix_multiply, dunder_matmul,
       dunder_rmatmul)

static PyObject *
binary_power(PyObject *left, PyObject *right)
{
    return binary_slot(left, right, offsetof(PyNumberMethods, nb_power),
                       (void *)slot_power, _Py_NAME(dunder_pow),
                       _Py_NAME(dunder_rpow));
}

PyObject *
slot_power(PyObject *self, PyObject *other, PyObject *modulus)
{
    if (modulus == Py_None) {
        return binary_power(self, other);
    }
    /* There is no reflected form with a modulus. If the slot was found through another
       operand, the first one may lack __pow__. */
    if (number_slot(self, offsetof(PyNumberMethods, nb_power))
        == (void *)slot_power) {
        return call2(self, _Py_NAME(dunder_pow), other, modulus);
    }
    Py_RETURN_NOTIMPLEMENTED;
}

PyObject *
slot_inplace_power(PyObject *self, PyObject *other,
                   PyObject *Py_UNUSED(modulus))
{
    return call1(self, _Py_NAME(dunder_ipow), other);
}

#define CALL0(function, name)               \
    PyObject *                              \
    function(PyObject *self)                \
    {                                       \
        return call0(self, _Py_NAME(name)); \
    }

#define CALL1(function, name)                       \
    PyObject *                                      \
    function(PyObject *self, PyObject *arg)         \
    {                                               \
        return call1(self, _Py_NAME(name), arg);    \
    }

CALL0(slot_negative, dunder_neg)
CALL0(slot_positive, dunder_pos)
CALL0(slot_absolute, dunder_abs)
CALL0(slot_invert, dunder_invert)
CALL0(slot_int, dunder_int)
CALL0(slot_float, dunder_float)
CALL0(slot_index, dunder_index)

CALL1(slot_inplace_add, dunder_iadd)
CALL1(slot_inplace_subtract, dunder_isub)
CALL1(slot_inplace_multiply, dunder_imul)
CALL1(slot_inplace_remainder, dunder_imod)
CALL1(slot_inplace_lshift, dunder_ilshift)
CALL1(slot_inplace_rshift, dunder_irshift)
CALL1(slot_inplace_and, dunder_iand)
CALL1(slot_inplace_xor, dunder_ixor)
CALL1(slot_inplace_or, dunder_ior)
CALL1(slot_inplace_floor_divide, dunder_ifloordiv)
CALL1(slot_inplace_true_divide, dunder_itruediv)
CALL1(slot_inplace_matrix_multiply, dunder_imatmul)

int
slot_bool(PyObject *self)
{
    int unbound, uses_len = 0;
    PyObject *method = find_special(self, _Py_NAME(dunder_bool), &unbound);
    if (method == NULL) {
        if (PyErr_Occurred()) {
            return -1;
        }
        method = find_special(self, _Py_NAME(dunder_len), &unbound);
        if (method == NULL) {
            return PyErr_Occurred() ? -1 : 1;
        }
        uses_len = 1;
    }
    PyObject *args[1] = {self};
    PyObject *value = call_found(method, unbound, args, 1);
    if (value == NULL) {
        return -1;
    }
    int result = -1;
    if (uses_len) {
        result = PyObject_IsTrue(value);
    }
    else if (PyBool_Check(value)) {
        result = value == Py_True;
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "__bool__ should return bool, returned %s",
                     Py_TYPE(value)->tp_name);
    }
    Py_DECREF(value);
    return result;
}

/* --------------------------------------------------------------- containers */

Py_ssize_t
slot_length(PyObject *self)
{
    PyObject *value = call0(self, _Py_NAME(dunder_len));
    if (value == NULL) {
        return -1;
    }
    Py_ssize_t length = -1;
    if (PyLong_CheckExact(value) && _PyLong_CheckCompact(value)
        && _PyLong_CompactValue(value) >= 0) {
        length = (Py_ssize_t)_PyLong_CompactValue(value);
        Py_DECREF(value);
        return length;
    }
    Py_SETREF(value, PyNumber_Index(value));
    if (value == NULL) {
        return -1;
    }
    if (_PyLong_Sign(value) < 0) {
        PyErr_SetString(PyExc_ValueError, "__len__() should return >= 0");
    }
    else {
        length = PyNumber_AsSsize_t(value, PyExc_OverflowError);
    }
    Py_DECREF(value);
    return length;
}

CALL1(_PySlot_GetItem, dunder_getitem)

int
slot_ass_subscript(PyObject *self, PyObject *key, PyObject *value)
{
    return as_status(value == NULL
                     ? call1(self, _Py_NAME(dunder_delitem), key)
                     : call2(self, _Py_NAME(dunder_setitem), key, value));
}

PyObject *
slot_sq_item(PyObject *self, Py_ssize_t i)
{
    PyObject *index = PyLong_FromSsize_t(i);
    if (index == NULL) {
        return NULL;
    }
    PyObject *result = call1(self, _Py_NAME(dunder_getitem), index);
    Py_DECREF(index);
    return result;
}

int
slot_sq_ass_item(PyObject *self, Py_ssize_t i, PyObject *value)
{
    PyObject *index = PyLong_FromSsize_t(i);
    if (index == NULL) {
        return -1;
    }
    int status = slot_ass_subscript(self, index, value);
    Py_DECREF(index);
    return status;
}

int
slot_contains(PyObject *self, PyObject *value)
{
    int unbound;
    PyObject *method = find_special(self, _Py_NAME(dunder_contains), &unbound);
    if (method == NULL) {
        if (PyErr_Occurred()) {
            return -1;
        }
        return (int)_PySequence_IterSearch(self, value,
                                           PY_ITERSEARCH_CONTAINS);
    }
    if (method == Py_None) {
        Py_DECREF(method);
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not a container",
                     Py_TYPE(self)->tp_name);
        return -1;
    }
    PyObject *args[2] = {self, value};
    PyObject *answer = call_found(method, unbound, args, 2);
    if (answer == NULL) {
        return -1;
    }
    int result = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return result;
}

PyObject *
slot_iter(PyObject *self)
{
    int unbound;
    PyObject *method = find_special(self, _Py_NAME(dunder_iter), &unbound);
    if (method == Py_None) {
        Py_DECREF(method);
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not iterable",
                     Py_TYPE(self)->tp_name);
        return NULL;
    }
    if (method != NULL) {
        PyObject *args[1] = {self};
        return call_found(method, unbound, args, 1);
    }
    /* Also if binding failed: a proxy without a target is just not iterable. */
    PyErr_Clear();
    method = find_special(self, _Py_NAME(dunder_getitem), &unbound);
    if (method == NULL) {
        PyErr_Format(PyExc_TypeError, "'%.200s' object is not iterable",
                     Py_TYPE(self)->tp_name);
        return NULL;
    }
    Py_DECREF(method);
    return PySeqIter_New(self);
}

CALL0(_PySlot_IterNext, dunder_next)

/* --------------------------------------------- text, hash, comparison, call */

PyObject *
slot_repr(PyObject *self)
{
    int unbound;
    PyObject *method = find_special(self, _Py_NAME(dunder_repr), &unbound);
    if (method == NULL) {
        PyErr_Clear();      /* what binding raised, if it failed */
        return _PyObject_SelfRepr(self);
    }
    PyObject *args[1] = {self};
    return call_found(method, unbound, args, 1);
}

CALL0(slot_str, dunder_str)

/* What the slot wrapper of a class in C wraps, if that is what the method is: a class that has some
   methods of Python's inherits the others from there. NULL: it is another method, or refuses
   self. */
static inline void *
wrapped_slot(PyObject *method, int unbound, PyObject *self, wrapperfunc wrapper)
{
    PyWrapperDescrObject *descr = (PyWrapperDescrObject *)method;
    return unbound && Py_IS_TYPE(method, &PyWrapperDescr_Type)
           && descr->d_base->wrapper == wrapper
           && _PyType_IsSubtypeFast(Py_TYPE(self), descr->d_common.d_type)
           ? descr->d_wrapped : NULL;
}

Py_hash_t
slot_hash(PyObject *self)
{
    int unbound;
    PyObject *method = find_special(self, _Py_NAME(dunder_hash), &unbound);
    if (method == Py_None) {
        Py_CLEAR(method);
    }
    if (method == NULL) {
        PyErr_Clear();      /* what binding raised, if it failed */
        return PyObject_HashNotImplemented(self);
    }
    hashfunc wrapped = (hashfunc)wrapped_slot(method, unbound, self, wrap_hash);
    if (wrapped != NULL) {
        Py_hash_t own = -1;
        if (!Py_EnterRecursiveCall(" while calling a Python object")) {
            own = wrapped(self);
            Py_LeaveRecursiveCall();
        }
        Py_DECREF(method);
        return own;
    }
    PyObject *args[1] = {self};
    PyObject *value = call_found(method, unbound, args, 1);
    if (value == NULL) {
        return -1;
    }
    if (!PyLong_Check(value)) {
        Py_DECREF(value);
        PyErr_SetString(PyExc_TypeError,
                        "__hash__ method should return an integer");
        return -1;
    }
    /* A small value is its own hash; a large one is reduced as int.__hash__ does. */
    Py_hash_t hash = PyLong_AsSsize_t(value);
    if (hash == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        hash = PyLong_Type.tp_hash(value);
    }
    Py_DECREF(value);
    return hash == -1 ? -2 : hash;
}

PyObject *
slot_richcompare(PyObject *self, PyObject *other, int op)
{
    PyObject *const names[] = {
        _Py_NAME(dunder_lt), _Py_NAME(dunder_le), _Py_NAME(dunder_eq),
        _Py_NAME(dunder_ne), _Py_NAME(dunder_gt), _Py_NAME(dunder_ge),
    };
    int unbound;
    PyObject *method = find_special(self, names[op], &unbound);
    if (method == NULL) {
        /* Also if binding failed: the comparison then tries the other operand. */
        PyErr_Clear();
        Py_RETURN_NOTIMPLEMENTED;
    }
    static const wrapperfunc wrappers[] = {wrap_lt, wrap_le, wrap_eq, wrap_ne, wrap_gt, wrap_ge};
    richcmpfunc wrapped = (richcmpfunc)wrapped_slot(method, unbound, self, wrappers[op]);
    if (wrapped != NULL) {
        PyObject *result = NULL;
        if (!Py_EnterRecursiveCall(" while calling a Python object")) {
            result = wrapped(self, other, op);
            result = _PyCall_Checked(_PyThreadState_GET(), method, result);
            Py_LeaveRecursiveCall();
        }
        Py_DECREF(method);
        return result;
    }
    PyObject *args[2] = {self, other};
    return call_found(method, unbound, args, 2);
}

PyObject *
slot_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyThreadState *tstate = _PyThreadState_GET();
    int unbound;
    PyObject *method = find_special(self, _Py_NAME(dunder_call), &unbound);
    if (method == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetObject(PyExc_AttributeError, _Py_NAME(dunder_call));
        }
        return NULL;
    }
    PyObject *result = unbound
        ? _PyObject_Call_Prepend(tstate, method, self, args, kwargs)
        : _PyObject_Call(tstate, method, args, kwargs);
    Py_DECREF(method);
    return result;
}

/* --------------------------------------------------------------- attributes */

static PyObject *
call_getattribute(PyObject *self, PyObject *name)
{
    return call1(self, _Py_NAME(dunder_getattribute), name);
}

/* The C implementation of __getattribute__ that the type inherits, or NULL. */
static void *
builtin_getattribute(PyTypeObject *type)
{
    PyObject *attribute = _PyType_LookupInline(type, _Py_NAME(dunder_getattribute));
    return attribute == NULL ? (void *)PyObject_GenericGetAttr
           : Py_IS_TYPE(attribute, &PyWrapperDescr_Type)
           ? ((PyWrapperDescrObject *)attribute)->d_wrapped : NULL;
}

int
_PyType_SearchesAsUsual(PyTypeObject *type)
{
    return type->tp_getattro == PyObject_GenericGetAttr
           || (type->tp_getattro == _PySlot_GetAttrHook
               && builtin_getattribute(type) == (void *)PyObject_GenericGetAttr);
}

int
_PyType_SearchesAsClass(PyTypeObject *metatype)
{
    return metatype->tp_getattro == _PyType_GetAttr
           || (metatype->tp_getattro == _PySlot_GetAttrHook
               && builtin_getattribute(metatype) == (void *)_PyType_GetAttr);
}

PyObject *
_PySlot_CallGetAttrHook(PyObject *self, PyObject *name, PyObject *hook)
{
    if (!has_flag(Py_TYPE(hook), Py_TPFLAGS_METHOD_DESCRIPTOR)) {
        return call1(self, _Py_NAME(dunder_getattr), name);
    }
    PyObject *args[2] = {self, name};
    return PyObject_Vectorcall(hook, args, 2, NULL);
}

PyObject *
_PySlot_GetAttrHook(PyObject *self, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject *hook = _PyType_LookupInline(type, _Py_NAME(dunder_getattr));
    if (hook == NULL) {
        /* The hook is no longer needed. A change to the class sets the slot again. */
        type->tp_getattro = call_getattribute;
        return call_getattribute(self, name);
    }
    Py_INCREF(hook);
    void *usual = builtin_getattribute(type);
    PyObject *result;
    if (usual == (void *)PyObject_GenericGetAttr) {
        /* The usual case: a miss leads to __getattr__, so don't raise an exception for
           it. */
        result = _PyObject_GenericGetAttrWithDict(self, name, NULL, 1);
        if (result != NULL || PyErr_Occurred()) {
            goto done;
        }
    }
    else if (usual == (void *)_PyType_GetAttr && PyType_Check(self)) {
        result = _PyType_GetAttrOrNull((PyTypeObject *)self, name);
        if (result != NULL
            || (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_AttributeError))) {
            goto done;
        }
        PyErr_Clear();
    }
    else {
        result = call1(self, _Py_NAME(dunder_getattribute), name);
        if (result != NULL
            || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
            goto done;
        }
        PyErr_Clear();
    }
    result = _PySlot_CallGetAttrHook(self, name, hook);
done:
    Py_DECREF(hook);
    return result;
}

int
_PySlot_SetAttr(PyObject *self, PyObject *name, PyObject *value)
{
    return as_status(value == NULL
                     ? call1(self, _Py_NAME(dunder_delattr), name)
                     : call2(self, _Py_NAME(dunder_setattr), name, value));
}

PyObject *
slot_descr_get(PyObject *self, PyObject *obj, PyObject *type)
{
    PyTypeObject *tp = Py_TYPE(self);
    PyObject *method = _PyType_LookupInline(tp, _Py_NAME(dunder_get));
    if (method == NULL) {
        /* The class has lost its __get__ without an update of the slot. */
        if (tp->tp_descr_get == slot_descr_get) {
            tp->tp_descr_get = NULL;
        }
        return Py_NewRef(self);
    }
    PyObject *args[3] = {self, obj != NULL ? obj : Py_None,
                         type != NULL ? type : Py_None};
    /* __get__ itself is not bound: it is called as a plain function. */
    Py_INCREF(method);
    PyObject *result = PyObject_Vectorcall(method, args, 3, NULL);
    Py_DECREF(method);
    return result;
}

int
slot_descr_set(PyObject *self, PyObject *obj, PyObject *value)
{
    return as_status(value == NULL
                     ? call1(self, _Py_NAME(dunder_delete), obj)
                     : call2(self, _Py_NAME(dunder_set), obj, value));
}

/* --------------------------------------------------------------------- life */

int
_PySlot_Init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyThreadState *tstate = _PyThreadState_GET();
    int unbound;
    PyObject *method = find_special(self, _Py_NAME(dunder_init), &unbound);
    if (method == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetObject(PyExc_AttributeError, _Py_NAME(dunder_init));
        }
        return -1;
    }
    PyObject *result = unbound
        ? _PyObject_Call_Prepend(tstate, method, self, args, kwargs)
        : _PyObject_Call(tstate, method, args, kwargs);
    Py_DECREF(method);
    return _PyType_EndInit(result);
}

PyObject *
slot_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *method = PyObject_GetAttr((PyObject *)type,
                                        _Py_NAME(dunder_new));
    if (method == NULL) {
        return NULL;
    }
    PyObject *result = _PyObject_Call_Prepend(
        _PyThreadState_GET(), method, (PyObject *)type, args, kwargs);
    Py_DECREF(method);
    return result;
}

void
slot_finalize(PyObject *self)
{
    PyObject *type, *value, *traceback;
    int unbound;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *method = find_special(self, _Py_NAME(dunder_del), &unbound);
    if (method != NULL) {
        PyObject *args[1] = {self};
        Py_INCREF(method);
        PyObject *result = call_found(method, unbound, args, 1);
        if (result == NULL) {
            PyErr_WriteUnraisable(method);
        }
        else {
            Py_DECREF(result);
        }
        Py_DECREF(method);
    }
    PyErr_Restore(type, value, traceback);
}

/* --------------------------------------------------- asynchronous iteration */

static PyObject *
call_async(PyObject *self, PyObject *name)
{
    int unbound;
    PyObject *method = find_special(self, name, &unbound);
    if (method == NULL) {
        PyErr_Format(PyExc_AttributeError,
                     "object %.50s does not have %U method",
                     Py_TYPE(self)->tp_name, name);
        return NULL;
    }
    PyObject *args[1] = {self};
    return call_found(method, unbound, args, 1);
}

PyObject *
slot_await(PyObject *self)
{
    return call_async(self, _Py_NAME(dunder_await));
}

PyObject *
slot_aiter(PyObject *self)
{
    return call_async(self, _Py_NAME(dunder_aiter));
}

PyObject *
slot_anext(PyObject *self)
{
    return call_async(self, _Py_NAME(dunder_anext));
}
