/* Weak references and proxies.

   The references to an object form a doubly linked list; its head is at the object's
   tp_weaklistoffset. Invariants:
   - the plain reference without a callback, if there is one, comes first, and the
     plain proxy without a callback next: all callers that request one share it;
   - a reference is in its object's list exactly while wr_object is not None.

   When the object dies, all its references are cleared before the first callback runs.
   Callbacks run newest first. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/call.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/type.h"
#include "internal/weakref.h"

#define REF(op) ((PyWeakReference *)(op))
#define SUPPORTS(type) ((type)->tp_weaklistoffset > 0)

/* ----------------------------------------------------------------- the list */

static PyObject *ref_vectorcall(PyObject *self, PyObject *const *args,
                                size_t nargsf, PyObject *kwnames);

static void
unlink_ref(PyWeakReference *ref)
{
    if (ref->wr_object == Py_None) {
        return;
    }
    PyWeakReference **list = _PyWeakref_List(ref->wr_object);
    if (*list == ref) {
        *list = ref->wr_next;
    }
    if (ref->wr_prev != NULL) {
        ref->wr_prev->wr_next = ref->wr_next;
    }
    if (ref->wr_next != NULL) {
        ref->wr_next->wr_prev = ref->wr_prev;
    }
    ref->wr_prev = ref->wr_next = NULL;
    ref->wr_object = Py_None;
}

static void
clear_ref(PyWeakReference *ref)
{
    unlink_ref(ref);
    Py_CLEAR(ref->wr_callback);
}

/* For the collector: clears the reference but keeps the callback, which is called or
   dropped later. */
void
_PyWeakref_ClearRef(PyWeakReference *ref)
{
    PyObject *callback = ref->wr_callback;
    ref->wr_callback = NULL;
    clear_ref(ref);
    ref->wr_callback = callback;
}

/* Finds the shared reference and proxy: borrowed, or NULL. */
static void
find_basic(PyWeakReference *head, PyWeakReference **ref,
           PyWeakReference **proxy)
{
    *ref = *proxy = NULL;
    if (head == NULL || head->wr_callback != NULL) {
        return;
    }
    if (PyWeakref_CheckRefExact(head)) {
        *ref = head;
        head = head->wr_next;
    }
    if (head != NULL && head->wr_callback == NULL
        && PyWeakref_CheckProxy(head)) {
        *proxy = head;
    }
}

static void
insert_ref(PyWeakReference *ref, PyWeakReference *after,
           PyWeakReference **list)
{
    ref->wr_prev = after;
    ref->wr_next = after != NULL ? after->wr_next : *list;
    if (ref->wr_next != NULL) {
        ref->wr_next->wr_prev = ref;
    }
    if (after != NULL) {
        after->wr_next = ref;
    }
    else {
        *list = ref;
    }
}

static void
init_ref(PyWeakReference *ref, PyObject *op, PyObject *callback)
{
    ref->hash = -1;
    ref->wr_object = op;
    ref->wr_prev = ref->wr_next = NULL;
    ref->wr_callback = Py_XNewRef(callback);
    ref->vectorcall = ref_vectorcall;
}

static PyWeakReference *
make_ref(PyTypeObject *type, PyObject *op, PyObject *callback)
{
    PyWeakReference *ref = PyObject_GC_New(PyWeakReference, type);
    if (ref != NULL) {
        init_ref(ref, op, callback);
        _PyObject_GC_TRACK((PyObject *)ref);
    }
    return ref;
}

Py_ssize_t
_PyWeakref_GetWeakrefCount(PyWeakReference *head)
{
    Py_ssize_t count = 0;
    for (; head != NULL; head = head->wr_next) {
        count++;
    }
    return count;
}

static int
check_support(PyObject *op)
{
    if (SUPPORTS(Py_TYPE(op))) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "cannot create weak reference to '%s' object",
                 Py_TYPE(op)->tp_name);
    return -1;
}

/* ---------------------------------------------------------------------- ref */

/* Inserts a new reference that is not shared. */
static void
insert_other(PyWeakReference *ref, PyWeakReference **list)
{
    PyWeakReference *basic, *proxy;
    find_basic(*list, &basic, &proxy);
    insert_ref(ref, proxy != NULL ? proxy : basic, list);
}

PyObject *
PyWeakref_NewRef(PyObject *op, PyObject *callback)
{
    if (check_support(op) < 0) {
        return NULL;
    }
    if (callback == Py_None) {
        callback = NULL;
    }
    PyWeakReference **list = _PyWeakref_List(op);
    PyWeakReference *basic, *proxy;
    find_basic(*list, &basic, &proxy);
    if (callback == NULL && basic != NULL) {
        return Py_NewRef((PyObject *)basic);
    }
    /* The allocation may start a collection, and callbacks may make references to the
       same object. */
    PyWeakReference *ref = make_ref(&_PyWeakref_RefType, op, callback);
    if (ref == NULL) {
        return NULL;
    }
    if (callback != NULL) {
        insert_other(ref, list);
        return (PyObject *)ref;
    }
    find_basic(*list, &basic, &proxy);
    if (basic == NULL) {
        insert_ref(ref, NULL, list);
        return (PyObject *)ref;
    }
    ref->wr_object = Py_None;
    Py_DECREF(ref);
    return Py_NewRef((PyObject *)basic);
}

static PyObject *
ref_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *op, *callback = NULL;
    (void)kwargs;               /* a subclass's __init__ may want some */
    if (!PyArg_UnpackTuple(args, "__new__", 1, 2, &op, &callback)) {
        return NULL;
    }
    if (type == &_PyWeakref_RefType) {
        return PyWeakref_NewRef(op, callback);
    }
    if (check_support(op) < 0) {
        return NULL;
    }
    if (callback == Py_None) {
        callback = NULL;
    }
    PyWeakReference *ref = (PyWeakReference *)type->tp_alloc(type, 0);
    if (ref == NULL) {
        return NULL;
    }
    init_ref(ref, op, callback);
    /* An instance of a subclass is never shared, with or without a callback. */
    insert_other(ref, _PyWeakref_List(op));
    return (PyObject *)ref;
}

static int
ref_init(PyObject *Py_UNUSED(self), PyObject *args, PyObject *kwargs)
{
    PyObject *op, *callback = NULL;
    if (!_PyArg_NoKeywords("ref", kwargs)) {
        return -1;
    }
    return PyArg_UnpackTuple(args, "__init__", 1, 2, &op, &callback) ? 0 : -1;
}

static PyObject *
ref_vectorcall(PyObject *self, PyObject *const *Py_UNUSED(args),
               size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (!_PyArg_NoKwnames("weakref", kwnames)
        || !_PyArg_CheckPositional("weakref", nargs, 0, 0)) {
        return NULL;
    }
    return Py_NewRef(PyWeakref_GET_OBJECT(self));
}

static void
ref_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    clear_ref(REF(self));
    Py_TYPE(self)->tp_free(self);
}

static int
ref_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(REF(self)->wr_callback);
    return 0;
}

static int
ref_clear(PyObject *self)
{
    clear_ref(REF(self));
    return 0;
}

static Py_hash_t
ref_hash(PyObject *self)
{
    PyWeakReference *ref = REF(self);
    if (ref->hash != -1) {
        return ref->hash;
    }
    PyObject *op = PyWeakref_GET_OBJECT(self);
    if (op == Py_None) {
        PyErr_SetString(PyExc_TypeError, "weak object has gone away");
        return -1;
    }
    Py_INCREF(op);
    ref->hash = PyObject_Hash(op);
    Py_DECREF(op);
    return ref->hash;
}

static PyObject *
ref_repr(PyObject *self)
{
    PyObject *op = PyWeakref_GET_OBJECT(self);
    if (op == Py_None) {
        return PyUnicode_FromFormat("<weakref at %p; dead>", self);
    }
    Py_INCREF(op);
    PyObject *name, *result = NULL;
    if (_PyObject_LookupAttr(op, _Py_NAME(dunder_name), &name) >= 0) {
        if (name == NULL || !PyUnicode_Check(name)) {
            result = PyUnicode_FromFormat(
                "<weakref at %p; to '%s' at %p>", self, Py_TYPE(op)->tp_name,
                op);
        }
        else {
            result = PyUnicode_FromFormat(
                "<weakref at %p; to '%s' at %p (%U)>", self,
                Py_TYPE(op)->tp_name, op, name);
        }
        Py_XDECREF(name);
    }
    Py_DECREF(op);
    return result;
}

/* Live references compare like their objects, dead ones by identity. */
static PyObject *
ref_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyWeakref_Check(self)
        || !PyWeakref_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *a = PyWeakref_GET_OBJECT(self);
    PyObject *b = PyWeakref_GET_OBJECT(other);
    if (a == Py_None || b == Py_None) {
        return PyBool_FromLong((self == other) == (op == Py_EQ));
    }
    Py_INCREF(a);
    Py_INCREF(b);
    PyObject *result = PyObject_RichCompare(a, b, op);
    Py_DECREF(a);
    Py_DECREF(b);
    return result;
}

static PyMemberDef ref_members[] = {
    {"__callback__", T_OBJECT, offsetof(PyWeakReference, wr_callback),
     READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyMethodDef ref_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     "See PEP 585"},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _PyWeakref_RefType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "weakref.ReferenceType",
    .tp_basicsize = sizeof(PyWeakReference),
    .tp_dealloc = ref_dealloc,
    .tp_vectorcall_offset = offsetof(PyWeakReference, vectorcall),
    .tp_repr = ref_repr,
    .tp_hash = ref_hash,
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_BASETYPE,
    .tp_traverse = ref_traverse,
    .tp_clear = ref_clear,
    .tp_richcompare = ref_richcompare,
    .tp_methods = ref_methods,
    .tp_members = ref_members,
    .tp_init = ref_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = ref_new,
    .tp_free = PyObject_GC_Del,
};

PyObject *
PyWeakref_GetObject(PyObject *ref)
{
    if (ref == NULL || !PyWeakref_Check(ref)) {
        PyErr_BadInternalCall();
        return NULL;
    }
    return PyWeakref_GET_OBJECT(ref);
}

/* ------------------------------------------------------------------ proxies */

/* Returns a new reference to the object that an operand stands for. If it is a proxy
   for a dead object, returns NULL with ReferenceError. Other objects stand for
   themselves. */
static PyObject *
unwrap(PyObject *op)
{
    if (!PyWeakref_CheckProxy(op)) {
        return Py_NewRef(op);
    }
    PyObject *target = PyWeakref_GET_OBJECT(op);
    if (target == Py_None) {
        PyErr_SetString(PyExc_ReferenceError,
                        "weakly-referenced object no longer exists");
        return NULL;
    }
    return Py_NewRef(target);
}

#define PROXY_UNARY(name, function)                 \
    static PyObject *                               \
    name(PyObject *self)                            \
    {                                               \
        PyObject *op = unwrap(self);                \
        if (op == NULL) {                           \
            return NULL;                            \
        }                                           \
        PyObject *result = function(op);            \
        Py_DECREF(op);                              \
        return result;                              \
    }

static PyObject *
proxy_apply(PyObject *x, PyObject *y, binaryfunc function)
{
    PyObject *a = unwrap(x);
    PyObject *b = a == NULL ? NULL : unwrap(y);
    PyObject *result = b == NULL ? NULL : function(a, b);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

#define PROXY_BINARY(name, function)                \
    static PyObject *                               \
    name(PyObject *x, PyObject *y)                  \
    {                                               \
        return proxy_apply(x, y, function);         \
    }

/* pow() with a third argument. */
#define PROXY_TERNARY(name, function)                       \
    static PyObject *                                       \
    name(PyObject *x, PyObject *y, PyObject *z)             \
    {                                                       \
        PyObject *a = unwrap(x);                            \
        PyObject *b = a == NULL ? NULL : unwrap(y);         \
        PyObject *c = b == NULL ? NULL : unwrap(z);         \
        PyObject *result = c == NULL ? NULL                 \
                                     : function(a, b, c);   \
        Py_XDECREF(a);                                      \
        Py_XDECREF(b);                                      \
        Py_XDECREF(c);                                      \
        return result;                                      \
    }

PROXY_UNARY(proxy_str, PyObject_Str)
PROXY_UNARY(proxy_neg, PyNumber_Negative)
PROXY_UNARY(proxy_pos, PyNumber_Positive)
PROXY_UNARY(proxy_abs, PyNumber_Absolute)
PROXY_UNARY(proxy_invert, PyNumber_Invert)
PROXY_UNARY(proxy_int, PyNumber_Long)
PROXY_UNARY(proxy_float, PyNumber_Float)
PROXY_UNARY(proxy_index, PyNumber_Index)
PROXY_BINARY(proxy_getattr, PyObject_GetAttr)
PROXY_BINARY(proxy_add, PyNumber_Add)
PROXY_BINARY(proxy_sub, PyNumber_Subtract)
PROXY_BINARY(proxy_mul, PyNumber_Multiply)
PROXY_BINARY(proxy_mod, PyNumber_Remainder)
PROXY_BINARY(proxy_divmod, PyNumber_Divmod)
PROXY_BINARY(proxy_lshift, PyNumber_Lshift)
PROXY_BINARY(proxy_rshift, PyNumber_Rshift)
PROXY_BINARY(proxy_and, PyNumber_And)
PROXY_BINARY(proxy_xor, PyNumber_Xor)
PROXY_BINARY(proxy_or, PyNumber_Or)
PROXY_BINARY(proxy_floor_div, PyNumber_FloorDivide)
PROXY_BINARY(proxy_true_div, PyNumber_TrueDivide)
PROXY_BINARY(proxy_matmul, PyNumber_MatrixMultiply)
PROXY_BINARY(proxy_iadd, PyNumber_InPlaceAdd)
PROXY_BINARY(proxy_isub, PyNumber_InPlaceSubtract)
PROXY_BINARY(proxy_imul, PyNumber_InPlaceMultiply)
PROXY_BINARY(proxy_imod, PyNumber_InPlaceRemainder)
PROXY_BINARY(proxy_ilshift, PyNumber_InPlaceLshift)
PROXY_BINARY(proxy_irshift, PyNumber_InPlaceRshift)
PROXY_BINARY(proxy_iand, PyNumber_InPlaceAnd)
PROXY_BINARY(proxy_ixor, PyNumber_InPlaceXor)
PROXY_BINARY(proxy_ior, PyNumber_InPlaceOr)
PROXY_BINARY(proxy_ifloor_div, PyNumber_InPlaceFloorDivide)
PROXY_BINARY(proxy_itrue_div, PyNumber_InPlaceTrueDivide)
PROXY_BINARY(proxy_imatmul, PyNumber_InPlaceMatrixMultiply)
PROXY_BINARY(proxy_getitem, PyObject_GetItem)
PROXY_UNARY(proxy_iter, PyObject_GetIter)
PROXY_TERNARY(proxy_pow, PyNumber_Power)
PROXY_TERNARY(proxy_ipow, PyNumber_InPlacePower)

static PyObject *
proxy_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Call(op, args, kwargs);
    Py_DECREF(op);
    return result;
}

static PyObject *
proxy_repr(PyObject *self)
{
    PyObject *op = PyWeakref_GET_OBJECT(self);
    return PyUnicode_FromFormat("<weakproxy at %p to %s at %p>", self,
                                Py_TYPE(op)->tp_name, op);
}

static int
proxy_setattr(PyObject *self, PyObject *name, PyObject *value)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return -1;
    }
    int status = PyObject_SetAttr(op, name, value);
    Py_DECREF(op);
    return status;
}

static PyObject *
proxy_richcompare(PyObject *x, PyObject *y, int op)
{
    PyObject *a = unwrap(x);
    PyObject *b = a == NULL ? NULL : unwrap(y);
    PyObject *result = b == NULL ? NULL : PyObject_RichCompare(a, b, op);
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

static int
proxy_bool(PyObject *self)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return -1;
    }
    int result = PyObject_IsTrue(op);
    Py_DECREF(op);
    return result;
}

static int
proxy_contains(PyObject *self, PyObject *value)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return -1;
    }
    int result = PySequence_Contains(op, value);
    Py_DECREF(op);
    return result;
}

static Py_ssize_t
proxy_length(PyObject *self)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return -1;
    }
    Py_ssize_t result = PyObject_Size(op);
    Py_DECREF(op);
    return result;
}

static int
proxy_setitem(PyObject *self, PyObject *key, PyObject *value)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return -1;
    }
    int status = value == NULL ? PyObject_DelItem(op, key)
                               : PyObject_SetItem(op, key, value);
    Py_DECREF(op);
    return status;
}

static PyObject *
proxy_iternext(PyObject *self)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (PyIter_Check(op)) {
        result = PyIter_Next(op);
    }
    else {
        PyErr_Format(PyExc_TypeError,
                     "Weakref proxy referenced a non-iterator '%.200s' object",
                     Py_TYPE(op)->tp_name);
    }
    Py_DECREF(op);
    return result;
}

static PyObject *
proxy_call_method(PyObject *self, PyObject *name)
{
    PyObject *op = unwrap(self);
    if (op == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallMethodNoArgs(op, name);
    Py_DECREF(op);
    return result;
}

static PyObject *
proxy_bytes(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return proxy_call_method(self, _Py_NAME(dunder_bytes));
}

static PyObject *
proxy_reversed(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return proxy_call_method(self, _Py_NAME(dunder_reversed));
}

static void
proxy_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    clear_ref(REF(self));
    PyObject_GC_Del(self);
}

static PyMethodDef proxy_methods[] = {
    {"__bytes__", proxy_bytes, METH_NOARGS, NULL},
    {"__reversed__", proxy_reversed, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyNumberMethods proxy_as_number = {
    .nb_add = proxy_add,
    .nb_subtract = proxy_sub,
    .nb_multiply = proxy_mul,
    .nb_remainder = proxy_mod,
    .nb_divmod = proxy_divmod,
    .nb_power = proxy_pow,
    .nb_negative = proxy_neg,
    .nb_positive = proxy_pos,
    .nb_absolute = proxy_abs,
    .nb_bool = proxy_bool,
    .nb_invert = proxy_invert,
    .nb_lshift = proxy_lshift,
    .nb_rshift = proxy_rshift,
    .nb_and = proxy_and,
    .nb_xor = proxy_xor,
    .nb_or = proxy_or,
    .nb_int = proxy_int,
    .nb_float = proxy_float,
    .nb_inplace_add = proxy_iadd,
    .nb_inplace_subtract = proxy_isub,
    .nb_inplace_multiply = proxy_imul,
    .nb_inplace_remainder = proxy_imod,
    .nb_inplace_power = proxy_ipow,
    .nb_inplace_lshift = proxy_ilshift,
    .nb_inplace_rshift = proxy_irshift,
    .nb_inplace_and = proxy_iand,
    .nb_inplace_xor = proxy_ixor,
    .nb_inplace_or = proxy_ior,
    .nb_floor_divide = proxy_floor_div,
    .nb_true_divide = proxy_true_div,
    .nb_inplace_floor_divide = proxy_ifloor_div,
    .nb_inplace_true_divide = proxy_itrue_div,
    .nb_index = proxy_index,
    .nb_matrix_multiply = proxy_matmul,
    .nb_inplace_matrix_multiply = proxy_imatmul,
};

static PySequenceMethods proxy_as_sequence = {
    .sq_length = proxy_length,
    .sq_contains = proxy_contains,
};

static PyMappingMethods proxy_as_mapping = {
    .mp_length = proxy_length,
    .mp_subscript = proxy_getitem,
    .mp_ass_subscript = proxy_setitem,
};

#define PROXY_SLOTS                                                     \
    .tp_basicsize = sizeof(PyWeakReference),                            \
    .tp_dealloc = proxy_dealloc,                                        \
    .tp_repr = proxy_repr,                                              \
    .tp_as_number = &proxy_as_number,                                   \
    .tp_as_sequence = &proxy_as_sequence,                               \
    .tp_as_mapping = &proxy_as_mapping,                                 \
    .tp_hash = PyObject_HashNotImplemented,                             \
    .tp_str = proxy_str,                                                \
    .tp_getattro = proxy_getattr,                                       \
    .tp_setattro = proxy_setattr,                                       \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,                \
    .tp_traverse = ref_traverse,                                        \
    .tp_clear = ref_clear,                                              \
    .tp_richcompare = proxy_richcompare,                                \
    .tp_iter = proxy_iter,                                              \
    .tp_iternext = proxy_iternext

PyTypeObject _PyWeakref_ProxyType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "weakref.ProxyType",
    .tp_methods = proxy_methods,
    PROXY_SLOTS,
};

PyTypeObject _PyWeakref_CallableProxyType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "weakref.CallableProxyType",
    .tp_call = proxy_call,
    PROXY_SLOTS,
};

PyObject *
PyWeakref_NewProxy(PyObject *op, PyObject *callback)
{
    if (check_support(op) < 0) {
        return NULL;
    }
    if (callback == Py_None) {
        callback = NULL;
    }
    PyWeakReference **list = _PyWeakref_List(op);
    PyWeakReference *basic, *proxy;
    find_basic(*list, &basic, &proxy);
    if (callback == NULL && proxy != NULL) {
        return Py_NewRef((PyObject *)proxy);
    }
    PyTypeObject *type = PyCallable_Check(op) ? &_PyWeakref_CallableProxyType
                                              : &_PyWeakref_ProxyType;
    PyWeakReference *ref = make_ref(type, op, callback);
    if (ref == NULL) {
        return NULL;
    }
    find_basic(*list, &basic, &proxy);
    if (callback != NULL) {
        insert_ref(ref, proxy != NULL ? proxy : basic, list);
    }
    else if (proxy == NULL) {
        insert_ref(ref, basic, list);
    }
    else {
        ref->wr_object = Py_None;
        Py_DECREF(ref);
        return Py_NewRef((PyObject *)proxy);
    }
    return (PyObject *)ref;
}

/* ----------------------------------------------------- when the object dies */

/* Calls ref's callback with ref; errors are reported as unraisable. */
static void
handle_callback(PyWeakReference *ref, PyObject *callback)
{
    PyObject *result = PyObject_CallOneArg(callback, (PyObject *)ref);
    if (result == NULL) {
        PyErr_WriteUnraisable(callback);
    }
    else {
        Py_DECREF(result);
    }
}

/* More than one reference is left, some with callbacks: clear all of them, then call. */
static void
clear_many(PyWeakReference **list)
{
    Py_ssize_t count = _PyWeakref_GetWeakrefCount(*list);
    PyObject *pairs = PyTuple_New(count * 2);
    if (pairs == NULL) {
        PyErr_WriteUnraisable(NULL);
        while (*list != NULL) {
            clear_ref(*list);
        }
        return;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyWeakReference *ref = *list;
        PyObject *callback = ref->wr_callback;
        ref->wr_callback = NULL;
        unlink_ref(ref);
        if (Py_REFCNT(ref) > 0) {
            PyTuple_SET_ITEM(pairs, i * 2, Py_NewRef((PyObject *)ref));
            PyTuple_SET_ITEM(pairs, i * 2 + 1, callback);
        }
        else {
            /* The reference is being destroyed; the trashcan has postponed it. */
            Py_XDECREF(callback);
        }
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *callback = PyTuple_GET_ITEM(pairs, i * 2 + 1);
        if (callback != NULL) {
            handle_callback(REF(PyTuple_GET_ITEM(pairs, i * 2)),
                            callback);
        }
    }
    Py_DECREF(pairs);
}

void
PyObject_ClearWeakRefs(PyObject *op)
{
    if (op == NULL || !SUPPORTS(Py_TYPE(op)) || Py_REFCNT(op) != 0) {
        PyErr_BadInternalCall();
        return;
    }
    PyWeakReference **list = _PyWeakref_List(op);
    /* The shared ones have no callbacks. */
    if (*list != NULL && (*list)->wr_callback == NULL) {
        clear_ref(*list);
        if (*list != NULL && (*list)->wr_callback == NULL) {
            clear_ref(*list);
        }
    }
    if (*list == NULL) {
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyWeakReference *ref = *list;
    if (ref->wr_next == NULL) {
        PyObject *callback = ref->wr_callback;
        ref->wr_callback = NULL;
        unlink_ref(ref);
        if (callback != NULL) {
            if (Py_REFCNT(ref) > 0) {
                Py_INCREF(ref);
                handle_callback(ref, callback);
                Py_DECREF(ref);
            }
            Py_DECREF(callback);
        }
    }
    else {
        clear_many(list);
    }
    PyErr_Restore(type, value, traceback);
}
