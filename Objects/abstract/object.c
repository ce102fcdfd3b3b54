/* Protocols that any object may support: length, subscription, format, instance and
   subclass tests. */
#include "Python.h"
#include "internal/call.h"
#include "internal/abstract.h"
#include "internal/gcstate.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/pystate.h"
#include "internal/type.h"
#include "internal/unicode.h"
#include "internal/union.h"

PyObject *
_Py_NullError(void)
{
    if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_SystemError,
                        "null argument to internal routine");
    }
    return NULL;
}

PyObject *
PyObject_Type(PyObject *op)
{
    if (op == NULL) {
        return _Py_NullError();
    }
    return Py_NewRef(Py_TYPE(op));
}

/* ------------------------------------------------------------------- length */

Py_ssize_t
PyObject_Size(PyObject *op)
{
    if (op == NULL) {
        _Py_NullError();
        return -1;
    }
    PySequenceMethods *methods = Py_TYPE(op)->tp_as_sequence;
    if (methods != NULL && methods->sq_length != NULL) {
        return methods->sq_length(op);
    }
    return PyMapping_Size(op);
}

#undef PyObject_Length
Py_ssize_t
PyObject_Length(PyObject *op)
{
    return PyObject_Size(op);
}

int
_PyObject_HasLen(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    return (type->tp_as_sequence && type->tp_as_sequence->sq_length)
           || (type->tp_as_mapping && type->tp_as_mapping->mp_length);
}

Py_ssize_t
PyObject_LengthHint(PyObject *op, Py_ssize_t fallback)
{
    if (_PyObject_HasLen(op)) {
        Py_ssize_t size = PyObject_Size(op);
        if (size >= 0) {
            return size;
        }
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        PyErr_Clear();
    }
    PyObject *hint =
        _PyObject_CallSpecialIfAny(op, _Py_NAME(dunder_length_hint), &op, 1);
    if (hint == NULL) {
        if (!PyErr_Occurred()) {
            return fallback;
        }
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        PyErr_Clear();
        return fallback;
    }
    if (hint == Py_NotImplemented) {
        Py_DECREF(hint);
        return fallback;
    }
    if (!PyLong_Check(hint)) {
        PyErr_Format(PyExc_TypeError,
                     "__length_hint__ must be an integer, not %.100s",
                     Py_TYPE(hint)->tp_name);
        Py_DECREF(hint);
        return -1;
    }
    Py_ssize_t size = PyLong_AsSsize_t(hint);
    Py_DECREF(hint);
    if (size < 0 && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_ValueError,
                        "__length_hint__() should return >= 0");
        return -1;
    }
    return size;
}

/* ------------------------------------------------------------- subscription */

static PyObject *
subscript_type(PyObject *type, PyObject *key)
{
    if (type == (PyObject *)&PyType_Type) {
        return Py_GenericAlias(type, key);
    }
    PyObject *method;
    if (_PyObject_LookupAttr(type, _Py_NAME(dunder_class_getitem),
                             &method) < 0) {
        return NULL;
    }
    if (method != NULL && method != Py_None) {
        PyObject *result = PyObject_CallOneArg(method, key);
        Py_DECREF(method);
        return result;
    }
    Py_XDECREF(method);
    PyErr_Format(PyExc_TypeError, "type '%.200s' is not subscriptable",
                 ((PyTypeObject *)type)->tp_name);
    return NULL;
}

PyObject *
PyObject_GetItem(PyObject *op, PyObject *key)
{
    if (op == NULL || key == NULL) {
        return _Py_NullError();
    }
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_as_mapping != NULL
        && type->tp_as_mapping->mp_subscript != NULL) {
        return type->tp_as_mapping->mp_subscript(op, key);
    }
    if (type->tp_as_sequence != NULL
        && type->tp_as_sequence->sq_item != NULL) {
        if (PyIndex_Check(key)) {
            Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
            if (i == -1 && PyErr_Occurred()) {
                return NULL;
            }
            return PySequence_GetItem(op, i);
        }
        PyErr_Format(PyExc_TypeError,
                     "sequence index must be integer, not '%.200s'",
                     Py_TYPE(key)->tp_name);
        return NULL;
    }
    if (PyType_Check(op)) {
        return subscript_type(op, key);
    }
    PyErr_Format(PyExc_TypeError, "'%.200s' object is not subscriptable",
                 type->tp_name);
    return NULL;
}

static int
store_item(PyObject *op, PyObject *key, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_as_mapping != NULL
        && type->tp_as_mapping->mp_ass_subscript != NULL) {
        return type->tp_as_mapping->mp_ass_subscript(op, key, value);
    }
    if (type->tp_as_sequence != NULL) {
        if (PyIndex_Check(key)) {
            Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);
            if (i == -1 && PyErr_Occurred()) {
                return -1;
            }
            return value != NULL ? PySequence_SetItem(op, i, value)
                                 : PySequence_DelItem(op, i);
        }
        if (type->tp_as_sequence->sq_ass_item != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "sequence index must be integer, not '%.200s'",
                         Py_TYPE(key)->tp_name);
            return -1;
        }
    }
    PyErr_Format(PyExc_TypeError,
                 value != NULL
                 ? "'%.200s' object does not support item assignment"
                 : "'%.200s' object does not support item deletion",
                 type->tp_name);
    return -1;
}

int
PyObject_SetItem(PyObject *op, PyObject *key, PyObject *value)
{
    if (op == NULL || key == NULL || value == NULL) {
        _Py_NullError();
        return -1;
    }
    return store_item(op, key, value);
}

int
PyObject_DelItem(PyObject *op, PyObject *key)
{
    if (op == NULL || key == NULL) {
        _Py_NullError();
        return -1;
    }
    return store_item(op, key, NULL);
}

int
PyObject_DelItemString(PyObject *op, const char *text)
{
    if (op == NULL || text == NULL) {
        _Py_NullError();
        return -1;
    }
    PyObject *key = PyUnicode_FromString(text);
    if (key == NULL) {
        return -1;
    }
    int status = PyObject_DelItem(op, key);
    Py_DECREF(key);
    return status;
}

/* ----------------------------------------------------------------- format() */

PyObject *
PyObject_Format(PyObject *op, PyObject *spec)
{
    if (spec != NULL && !PyUnicode_Check(spec)) {
        PyErr_Format(PyExc_SystemError,
                     "Format specifier must be a string, not %.200s",
                     Py_TYPE(spec)->tp_name);
        return NULL;
    }
    if (spec == NULL || PyUnicode_GET_LENGTH(spec) == 0) {
        if (PyUnicode_CheckExact(op)) {
            return Py_NewRef(op);
        }
        if (PyLong_CheckExact(op)) {
            return PyObject_Str(op);
        }
    }
    else if (PyUnicode_READY(spec) == 0) {
        PyObject *quick = _PyUnicode_QuickFormat(op, spec);
        if (quick != NULL || PyErr_Occurred()) {
            return quick;
        }
    }
    PyObject *empty = NULL;
    if (spec == NULL) {
        spec = empty = PyUnicode_New(0, 0);
        if (empty == NULL) {
            return NULL;
        }
    }
    PyObject *result = _PyObject_CallSpecialIfAny(op, _Py_NAME(dunder_format),
                                        (PyObject *[]){op, spec}, 2);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "Type %.100s doesn't define __format__",
                     Py_TYPE(op)->tp_name);
    }
    else if (result != NULL && !PyUnicode_Check(result)) {
        PyErr_Format(PyExc_TypeError,
                     "__format__ must return a str, not %.200s",
                     Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    Py_XDECREF(empty);
    return result;
}

/* ----------------------------------------------- isinstance(), issubclass() */

/* __bases__ of an object that behaves like a class. Returns a new reference to a tuple,
   or NULL with or without an exception. */
static PyObject *
abstract_bases(PyObject *cls)
{
    PyObject *bases;
    (void)_PyObject_LookupAttr(cls, _Py_NAME(dunder_bases), &bases);
    if (bases != NULL && !PyTuple_Check(bases)) {
        Py_CLEAR(bases);
    }
    return bases;
}

static int
abstract_issubclass(PyObject *derived, PyObject *cls)
{
    int result = 0;
    PyObject *bases = NULL;

    Py_INCREF(derived);
    for (;;) {
        if (derived == cls) {
            result = 1;
            break;
        }
        Py_XSETREF(bases, abstract_bases(derived));
        if (bases == NULL) {
            result = PyErr_Occurred() ? -1 : 0;
            break;
        }
        Py_ssize_t n = PyTuple_GET_SIZE(bases);
        if (n == 1) {
            /* Loop instead of recursing while the hierarchy doesn't branch. */
            Py_SETREF(derived, Py_NewRef(PyTuple_GET_ITEM(bases, 0)));
            continue;
        }
        if (n > 0 && Py_EnterRecursiveCall(" in __issubclass__")) {
            result = -1;
            break;
        }
        for (Py_ssize_t i = 0; i < n && result == 0; i++) {
            result = abstract_issubclass(PyTuple_GET_ITEM(bases, i), cls);
        }
        if (n > 0) {
            Py_LeaveRecursiveCall();
        }
        break;
    }
    Py_XDECREF(bases);
    Py_DECREF(derived);
    return result;
}

static int
check_class(PyObject *cls, const char *message)
{
    PyObject *bases = abstract_bases(cls);
    if (bases == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_TypeError, message);
        }
        return 0;
    }
    Py_DECREF(bases);
    return 1;
}

/* Is __class__ of an object of the type certainly that? True for all but proxies and mocks: generic
   access finds object's own descriptor. */
static inline int
class_is_type(PyTypeObject *type)
{
    static PyObject *usual;             /* lives in an immortal dict */
    if (type->tp_getattro != PyObject_GenericGetAttr) {
        return 0;
    }
    if (usual == NULL) {
        usual = PyDict_GetItemWithError(PyBaseObject_Type.tp_dict,
                                        _Py_NAME(dunder_class));
    }
    return _PyType_LookupInline(type, _Py_NAME(dunder_class)) == usual;
}

int
_PyObject_RealIsInstance(PyObject *inst, PyObject *cls)
{
    PyObject *claimed;
    int result;

    if (PyType_Check(cls)) {
        if (PyObject_TypeCheck(inst, (PyTypeObject *)cls)) {
            return 1;
        }
        if (class_is_type(Py_TYPE(inst))) {
            return 0;
        }
        /* Proxies and mocks give in __class__ the class that they stand for. */
        result = _PyObject_LookupAttr(inst, _Py_NAME(dunder_class), &claimed);
        if (claimed != NULL) {
            result = 0;
            if (claimed != (PyObject *)Py_TYPE(inst)
                && PyType_Check(claimed)) {
                result = PyType_IsSubtype((PyTypeObject *)claimed,
                                          (PyTypeObject *)cls);
            }
            Py_DECREF(claimed);
        }
        return result;
    }
    if (!check_class(cls, "isinstance() arg 2 must be a type, a tuple of "
                          "types, or a union")) {
        return -1;
    }
    result = _PyObject_LookupAttr(inst, _Py_NAME(dunder_class), &claimed);
    if (claimed != NULL) {
        result = abstract_issubclass(claimed, cls);
        Py_DECREF(claimed);
    }
    return result;
}

int
_PyObject_RealIsSubclass(PyObject *derived, PyObject *cls)
{
    if (PyType_Check(cls) && PyType_Check(derived)) {
        return _PyType_IsSubtypeFast((PyTypeObject *)derived,
                                     (PyTypeObject *)cls);
    }
    if (!check_class(derived, "issubclass() arg 1 must be a class")) {
        return -1;
    }
    if (!check_class(cls, "issubclass() arg 2 must be a class, a tuple of "
                          "classes, or a union")) {
        return -1;
    }
    return abstract_issubclass(derived, cls);
}

typedef int (*class_test)(PyObject *op, PyObject *cls);

/* Does the test hold for any class in a tuple? */
static int
any_class(PyObject *op, PyObject *classes, class_test test, const char *where)
{
    if (Py_EnterRecursiveCall(where)) {
        return -1;
    }
    int result = 0;
    Py_ssize_t n = PyTuple_GET_SIZE(classes);
    for (Py_ssize_t i = 0; i < n && result == 0; i++) {
        result = test(op, PyTuple_GET_ITEM(classes, i));
    }
    Py_LeaveRecursiveCall();
    return result;
}

/* The method of `type` itself, which most metaclasses inherit. Returns a borrowed reference. */
static inline PyObject *
usual_hook(PyObject **usual, PyObject *name)
{
    if (*usual == NULL) {
        *usual = PyDict_GetItemWithError(PyType_Type.tp_dict, name);
    }
    return *usual;
}

/* Calls cls's hook (__instancecheck__, __subclasscheck__). Returns -2 if it has none. That of
   `type`, which is `usual`, is not called: `real` does its work. */
static int
ask_hook(PyObject *op, PyObject *cls, PyObject *name, const char *where, PyObject *usual,
         class_test real)
{
    int unbound, result;
    PyObject *hook = _PyObject_LookupSpecialMethod(cls, name, &unbound);
    if (hook == NULL) {
        return PyErr_Occurred() ? -1 : -2;
    }
    PyThreadState *tstate = _PyThreadState_GET();
    if (_Py_EnterRecursiveCallTstate(tstate, where)) {
        Py_DECREF(hook);
        return -1;
    }
    if (hook == usual && unbound && PyType_Check(cls)) {
        result = -1;
        if (!_Py_EnterRecursiveCallTstate(tstate, " while calling a Python object")) {
            result = real(op, cls);
            _Py_LeaveRecursiveCallTstate(tstate);
        }
    }
    else {
        PyObject *args[3] = {NULL, cls, op};
        PyObject *answer = unbound ? _PyObject_VectorcallTstate(tstate, hook, args + 1, 2, NULL)
            : _PyObject_VectorcallTstate(tstate, hook, args + 2,
                                         1 | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
        result = answer == NULL ? -1 : PyObject_IsTrue(answer);
        Py_XDECREF(answer);
    }
    _Py_LeaveRecursiveCallTstate(tstate);
    Py_DECREF(hook);
    return result;
}

static inline PyObject *
usual_instancecheck(void)
{
    static PyObject *usual;             /* lives in an immortal dict */
    return usual_hook(&usual, _Py_NAME(dunder_instancecheck));
}

int
_PyType_QuickIsInstance(PyTypeObject *type, PyObject *cls)
{
    if (type == (PyTypeObject *)cls) {
        return 1;
    }
    if (PyTuple_CheckExact(cls)) {
        Py_ssize_t n = PyTuple_GET_SIZE(cls);
        int result = 0;
        for (Py_ssize_t i = 0; i < n && result == 0; i++) {
            PyObject *item = PyTuple_GET_ITEM(cls, i);
            result = PyTuple_Check(item) ? -1 : _PyType_QuickIsInstance(type, item);
        }
        return result;
    }
    PyTypeObject *meta = Py_TYPE(cls);
    if (meta != &PyType_Type
        && (!PyType_Check(cls)
            || _PyType_LookupInline(meta, _Py_NAME(dunder_instancecheck))
               != usual_instancecheck())) {
        return -1;
    }
    return PyType_IsSubtype(type, (PyTypeObject *)cls) ? 1 : class_is_type(type) ? 0 : -1;
}

int
PyObject_IsInstance(PyObject *inst, PyObject *cls)
{
    if (Py_IS_TYPE(inst, (PyTypeObject *)cls)) {
        return 1;
    }
    if (PyType_CheckExact(cls)) {
        return _PyObject_RealIsInstance(inst, cls);
    }
    if (_PyUnion_Check(cls)) {
        cls = _Py_union_args(cls);
    }
    if (PyTuple_Check(cls)) {
        return any_class(inst, cls, PyObject_IsInstance, " in __instancecheck__");
    }
    int result = ask_hook(inst, cls, _Py_NAME(dunder_instancecheck), " in __instancecheck__",
                          usual_instancecheck(), _PyObject_RealIsInstance);
    return result == -2 ? _PyObject_RealIsInstance(inst, cls) : result;
}

int
PyObject_IsSubclass(PyObject *derived, PyObject *cls)
{
    if (PyType_CheckExact(cls)) {
        return derived == cls ? 1 : _PyObject_RealIsSubclass(derived, cls);
    }
    if (_PyUnion_Check(cls)) {
        cls = _Py_union_args(cls);
    }
    if (PyTuple_Check(cls)) {
        return any_class(derived, cls, PyObject_IsSubclass, " in __subclasscheck__");
    }
    static PyObject *usual;             /* lives in an immortal dict */
    int result = ask_hook(derived, cls, _Py_NAME(dunder_subclasscheck), " in __subclasscheck__",
                          usual_hook(&usual, _Py_NAME(dunder_subclasscheck)),
                          _PyObject_RealIsSubclass);
    return result == -2 ? _PyObject_RealIsSubclass(derived, cls) : result;
}

size_t
_PySys_GetSizeOf(PyObject *op)
{
    if (PyType_Ready(Py_TYPE(op)) < 0) {
        return (size_t)-1;
    }
    PyObject *method = _PyObject_LookupSpecial(op, _Py_NAME(dunder_sizeof));
    if (method == NULL) {
        if (!PyErr_Occurred()) {
            PyErr_Format(PyExc_TypeError, "Type %.100s doesn't define __sizeof__",
                         Py_TYPE(op)->tp_name);
        }
        return (size_t)-1;
    }
    PyObject *number = PyObject_CallNoArgs(method);
    Py_DECREF(method);
    if (number == NULL) {
        return (size_t)-1;
    }
    Py_ssize_t size = PyLong_AsSsize_t(number);
    Py_DECREF(number);
    if (size == -1 && PyErr_Occurred()) {
        return (size_t)-1;
    }
    if (size < 0) {
        PyErr_SetString(PyExc_ValueError, "__sizeof__() should return >= 0");
        return (size_t)-1;
    }
    size_t header = 0;
    if (_PyObject_IS_GC(op)) {
        header += sizeof(PyGC_Head);
    }
    if (PyType_HasFeature(Py_TYPE(op), Py_TPFLAGS_MANAGED_DICT)) {
        header += 2 * sizeof(PyObject *);
    }
    return (size_t)size + header;
}
