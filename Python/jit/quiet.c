/* Built-in functions and methods as machine code calls them: quiet.h. */
#include "quiet.h"
#include "ccalls.h"
#include "displays.h"
#include "slices.h"
#include "texts.h"
#include "items.h"
#include "../vm/call.h"
#include "../vm/vm.h"
#include "internal/abstract.h"
#include "internal/call.h"
#include "internal/callable_wrapper.h"
#include "internal/compare.h"
#include "internal/list.h"
#include "internal/type.h"

#undef A
#undef B
#undef C

/* ------------------------------------------------------------------ functions */

/* An exact class of the object's, or one in a tuple of classes: 1, 0, -1. Classes whose own
   class is not `type` may have an __instancecheck__. */
static int
is_instance(PyReg value, PyObject *cls)
{
    PyTypeObject *type = REG_IS_INT(value) ? &PyLong_Type : Py_TYPE(REG_PTR(value));
    if (Py_IS_TYPE(cls, &PyTuple_Type)) {
        if (_PyThreadState_GET()->recursion_remaining <= 0) {
            return -1;          /* a tuple counts as a call */
        }
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(cls); i++) {
            PyObject *item = PyTuple_GET_ITEM(cls, i);
            int found = Py_IS_TYPE(item, &PyTuple_Type) ? -1 : is_instance(value, item);
            if (found != 0) {
                return found;
            }
        }
        return 0;
    }
    if ((PyObject *)type == cls) {
        return 1;
    }
    if (!Py_IS_TYPE(cls, &PyType_Type)) {
        return -1;
    }
    if (PyType_IsSubtype(type, (PyTypeObject *)cls)) {
        return 1;
    }
    /* The object may say that it is of another class. */
    static PyObject *plain;
    if (plain == NULL) {
        plain = _PyType_LookupInline(&PyBaseObject_Type, _Py_NAME(dunder_class));
    }
    return type->tp_getattro == PyObject_GenericGetAttr
           && (_PyAttr_Known(type, _Py_NAME(dunder_class)) != NULL
               || _PyJit_IsSearchedQuietly(type))
           && _PyType_LookupInline(type, _Py_NAME(dunder_class)) == plain ? 0 : -1;
}

static PyReg
quiet_isinstance(PyReg value, PyReg cls)
{
    int answer = value == 0 || cls == 0 || REG_IS_INT(cls) ? -1 : is_instance(value, REG_PTR(cls));
    return answer < 0 ? 0 : REG_BOOL(answer);
}

static PyReg
quiet_ord(PyReg value)
{
    if (!REG_IS_PTR(value) || !PyUnicode_CheckExact(REG_PTR(value))
        || PyUnicode_GET_LENGTH(REG_PTR(value)) != 1) {
        return 0;
    }
    return REG_FROM_INT((int64_t)PyUnicode_READ_CHAR(REG_PTR(value), 0));
}

static PyReg
quiet_chr(PyReg value)
{
    int64_t number;
    if (value == 0 || !reg_as_small(value, &number) || (uint64_t)number > 0xff) {
        return 0;
    }
    return (PyReg)PyUnicode_FromOrdinal((int)number);
}

static PyReg
quiet_abs(PyReg value)
{
    int64_t number;
    if (value == 0 || !reg_as_small(value, &number) || number == INT64_MIN >> 1) {
        return 0;
    }
    return REG_FROM_INT(number < 0 ? -number : number);
}

/* The lesser or the greater of two numbers of the same kind; of equal ones the first. */
static PyReg
choose(PyReg x, PyReg y, int op)
{
    int64_t left, right;
    if (x != 0 && y != 0 && reg_as_small(x, &left) && reg_as_small(y, &right)) {
        return reg_new_ref(_Py_OrderSatisfies((right > left) - (right < left), op) ? y : x);
    }
    if (!REG_IS_PTR(x) || !REG_IS_PTR(y) || !Py_IS_TYPE(REG_PTR(x), &PyFloat_Type)
        || !Py_IS_TYPE(REG_PTR(y), &PyFloat_Type)) {
        return 0;
    }
    return reg_new_ref(_PyObject_QuickCompare(REG_PTR(y), REG_PTR(x), op) ? y : x);
}

static PyReg
quiet_min(PyReg x, PyReg y)
{
    return choose(x, y, Py_LT);
}

static PyReg
quiet_max(PyReg x, PyReg y)
{
    return choose(x, y, Py_GT);
}

static PyReg
quiet_hash(PyReg value)
{
    if (value == 0) {
        return 0;
    }
    PyObject *object = REG_IS_INT(value) ? _PyLong_FromInt64(REG_INT(value)) : REG_PTR(value);
    if (object == NULL) {
        PyErr_Clear();
        return 0;
    }
    PyTypeObject *type = Py_TYPE(object);
    int is_plain = type == &PyLong_Type || type == &PyUnicode_Type || type == &PyFloat_Type;
    int64_t hash = is_plain ? PyObject_Hash(object) : -1;
    if (REG_IS_INT(value)) {
        Py_DECREF(object);
    }
    PyReg result = hash == -1 ? 0 : reg_from_int64(hash);
    if (result == 0 && is_plain) {
        PyErr_Clear();
    }
    return result;
}

static PyReg
quiet_callable(PyReg value)
{
    return value == 0 ? 0 : REG_BOOL(!REG_IS_INT(value) && PyCallable_Check(REG_PTR(value)));
}

typedef struct {
    const char *name;
    unsigned nargs;
    const void *function;
    PyTypeObject *cls;
} Quiet;

static const void *
find(const Quiet *table, size_t n, const char *name, unsigned nargs, PyTypeObject **cls)
{
    for (size_t i = 0; i < n; i++) {
        if (table[i].nargs == nargs && strcmp(table[i].name, name) == 0) {
            *cls = table[i].cls;
            return table[i].function;
        }
    }
    return NULL;
}

const void *
_PyJit_QuietFunction(PyCFunctionObject *func, unsigned nargs, PyTypeObject **cls)
{
    static const Quiet table[] = {
        {"isinstance", 2, (const void *)quiet_isinstance, &PyBool_Type},
        {"ord", 1, (const void *)quiet_ord, &PyLong_Type},
        {"chr", 1, (const void *)quiet_chr, &PyUnicode_Type},
        {"hash", 1, (const void *)quiet_hash, NULL},
        {"callable", 1, (const void *)quiet_callable, &PyBool_Type},
        {"abs", 1, (const void *)quiet_abs, NULL},
        {"min", 2, (const void *)quiet_min, NULL},
        {"max", 2, (const void *)quiet_max, NULL},
    };
    return _PyCFunction_IsOfBuiltins(func)
           ? find(table, Py_ARRAY_LENGTH(table), func->m_ml->ml_name, nargs, cls) : NULL;
}

/* -------------------------------------------------------------------- classes */

static PyReg
quiet_str(PyReg value)
{
    if (value == 0) {
        return 0;
    }
    if (!REG_IS_INT(value)) {
        PyObject *object = REG_PTR(value);
        PyTypeObject *type = Py_TYPE(object);
        if (type == &PyUnicode_Type) {
            return reg_new_ref(value);
        }
        PyObject *text = type == &PyLong_Type || type == &PyFloat_Type ? type->tp_repr(object)
                                                                       : NULL;
        if (text == NULL) {
            PyErr_Clear();
        }
        return (PyReg)text;
    }
    PyObject *number = _PyLong_FromInt64(REG_INT(value));
    PyObject *text = number == NULL ? NULL : PyLong_Type.tp_repr(number);
    Py_XDECREF(number);
    if (text == NULL) {
        PyErr_Clear();
    }
    return (PyReg)text;
}

/* Ints that are not small are made by the handler. */
static PyReg
quiet_int(PyReg value)
{
    int64_t number;
    if (value == 0) {
        return 0;
    }
    if (reg_as_small(value, &number)) {
        return REG_FROM_INT(number);
    }
    PyObject *object = REG_PTR(value);
    if (PyFloat_CheckExact(object)) {
        double real = PyFloat_AS_DOUBLE(object);
        return real > -4e18 && real < 4e18 ? REG_FROM_INT((int64_t)real) : 0;
    }
    if (!PyUnicode_CheckExact(object)) {
        return 0;
    }
    PyReg result = (PyReg)PyLong_FromUnicodeObject(object, 10);
    if (result == 0) {
        PyErr_Clear();
        return 0;
    }
    int is_small = reg_as_small(result, &number);
    Py_DECREF(REG_PTR(result));
    return is_small ? REG_FROM_INT(number) : 0;
}

static PyReg
quiet_float(PyReg value)
{
    int64_t number;
    if (value == 0) {
        return 0;
    }
    if (reg_as_small(value, &number)) {
        PyObject *real = PyFloat_FromDouble((double)number);
        if (real == NULL) {
            PyErr_Clear();
        }
        return (PyReg)real;
    }
    if (PyFloat_CheckExact(REG_PTR(value))) {
        return reg_new_ref(value);
    }
    PyObject *real = PyUnicode_CheckExact(REG_PTR(value)) ? PyFloat_FromString(REG_PTR(value))
                                                          : NULL;
    if (real == NULL) {
        PyErr_Clear();
    }
    return (PyReg)real;
}

static PyReg
quiet_bool(PyReg value)
{
    int64_t truth = _PyJit_Truth(value);
    return truth < 0 ? 0 : REG_BOOL(truth);
}

PyReg
_PyJit_TypeOf(PyReg value)
{
    return value == 0 ? 0
         : REG_IS_INT(value) ? (PyReg)Py_NewRef((PyObject *)&PyLong_Type)
                             : (PyReg)Py_NewRef((PyObject *)Py_TYPE(REG_PTR(value)));
}

const void *
_PyJit_QuietType(PyTypeObject *type, PyTypeObject **cls)
{
    *cls = type;
    return type == &PyUnicode_Type ? (const void *)quiet_str
         : type == &PyLong_Type ? (const void *)quiet_int
         : type == &PyFloat_Type ? (const void *)quiet_float
         : type == &PyBool_Type ? (const void *)quiet_bool : NULL;
}

/* -------------------------------------------------------------------- methods */

static PyMethodDef *list_pop;

static PyReg
quiet_pop(PyReg self)
{
    PyListObject *list = (PyListObject *)REG_PTR(self);
    Py_ssize_t n = Py_SIZE(list);
    if (n == 0) {
        return 0;
    }
    if (n - 1 < list->allocated >> 1) {
        /* Room is given back. */
        PyObject *last = ((_PyCFunctionFast)(void (*)(void))list_pop->ml_meth)(
            REG_PTR(self), NULL, 0);
        if (last == NULL) {
            PyErr_Clear();
        }
        return (PyReg)last;
    }
    PyObject *item = list->ob_item[n - 1];
    Py_SET_SIZE(list, n - 1);
    return (PyReg)item;
}

const void *
_PyJit_QuietMethod(PyMethodDescrObject *method, unsigned nargs, PyTypeObject **cls)
{
    static const Quiet of_list[] = {
        {"pop", 1, (const void *)quiet_pop, NULL},
    };
    static const Quiet copy_of_list[] = {
        {"copy", 1, (const void *)_PyJit_CopyList, &PyList_Type},
    };
    static const Quiet of_dict[] = {
        {"get", 2, (const void *)_PyJit_DictGetOrNone, NULL},
        {"get", 3, (const void *)_PyJit_DictGet, NULL},
        {"copy", 1, (const void *)_PyJit_CopyDict, &PyDict_Type},
    };
    static const Quiet of_set[] = {
        {"add", 2, (const void *)_PyJit_SetAdd, NULL},
        {"copy", 1, (const void *)_PyJit_CopySet, &PySet_Type},
        {"discard", 2, (const void *)_PyJit_SetDiscard, NULL},
        {"remove", 2, (const void *)_PyJit_SetRemove, NULL},
    };
    PyTypeObject *type = method->d_common.d_type;
    const char *name = method->d_method->ml_name;
    *cls = NULL;
    if (type == &PySet_Type) {
        return find(of_set, Py_ARRAY_LENGTH(of_set), name, nargs, cls);
    }
    if (type == &PyList_Type && strcmp(name, "copy") == 0) {
        return find(copy_of_list, Py_ARRAY_LENGTH(copy_of_list), name, nargs, cls);
    }
    if (type == &PyList_Type && strcmp(name, "pop") == 0
        && (method->d_method->ml_flags & METH_CALL_FLAGS) == METH_FASTCALL) {
        list_pop = method->d_method;
    }
    if (type == &PyList_Type && list_pop == method->d_method) {
        return find(of_list, Py_ARRAY_LENGTH(of_list), name, nargs, cls);
    }
    return type == &PyDict_Type ? find(of_dict, Py_ARRAY_LENGTH(of_dict), name, nargs, cls) : NULL;
}

int
_PyJit_OnlyMakes(const void *function)
{
    static const void *const these[] = {
        (const void *)_PyJit_StrMethod, (const void *)quiet_str, (const void *)quiet_float,
        (const void *)quiet_int, (const void *)quiet_bool, (const void *)quiet_chr,
        (const void *)quiet_min, (const void *)quiet_max, (const void *)quiet_abs,
        (const void *)quiet_hash, (const void *)_PyJit_TypeOf, (const void *)_PyJit_DictItem,
        (const void *)_PyJit_DictItemFound, (const void *)_PyJit_DictGet,
        (const void *)_PyJit_DictGetOrNone,
        (const void *)_PyJit_Element, (const void *)_PyJit_PlainItem,
        (const void *)_PyJit_PlainText, (const void *)_PyJit_PlainRepr,
        (const void *)_PyJit_FormattedText, (const void *)_PyJit_Slice,
        (const void *)_PyJit_NewList, (const void *)_PyJit_NewSet, (const void *)_PyJit_NewDict,
        (const void *)_PyJit_FillList, (const void *)_PyJit_FillListTakeRef,
        (const void *)_PyJit_FillSet, (const void *)_PyJit_FillDict,
        (const void *)_PyJit_CountUp, (const void *)_PyJit_CountUpOf, (const void *)_PyJit_CopyList,
        (const void *)_PyJit_CopySet, (const void *)_PyJit_CopyDict,
        (const void *)_PyJit_TupleOfList, (const void *)_PyJit_SetOfList,
        (const void *)_PyJit_JoinList, (const void *)_PyJit_OneTuple, (const void *)_PyJit_Pair,
        (const void *)_PyJit_Triple, (const void *)_PyJit_IntOfWord,
        (const void *)_PyVM_ArithOfInts, (const void *)_PyJit_DictItemOf,
        (const void *)_PyJit_DictGetOf,
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(these); i++) {
        if (these[i] == function) {
            return 1;
        }
    }
    return 0;
}

int
_PyJit_IsQuietStrMethod(PyMethodDescrObject *method, unsigned nargs)
{
    static const char *const names[] = {
        "startswith", "endswith", "find", "rfind", "count", "lower", "upper", "strip", "lstrip",
        "rstrip", "replace", "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower",
        "isdecimal", "isidentifier", "join", "zfill", "ljust", "rjust", "title", "capitalize",
        "removeprefix", "removesuffix",
    };
    if (method->d_common.d_type != &PyUnicode_Type || nargs < 1 || nargs > 3) {
        return 0;
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        if (strcmp(names[i], method->d_method->ml_name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* What a method of str can take without asking it for anything. */
static int
is_plain_argument(PyReg value)
{
    if (value == 0 || REG_IS_INT(value)) {
        return 1;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(value));
    return type == &PyUnicode_Type || type == &PyList_Type || type == &PyTuple_Type
           || value == REG_NONE;
}

PyReg
_PyJit_StrMethod(PyMethodDef *def, PyReg self, PyReg x, PyReg y)
{
    if (!is_plain_argument(x) || !is_plain_argument(y)) {
        return 0;
    }
    PyObject *args[2] = {REG_PTR(x), REG_PTR(y)}, *result = NULL;
    Py_ssize_t nargs = (x != 0) + (y != 0);
    if (REG_IS_INT(x) && (args[0] = _PyLong_FromInt64(REG_INT(x))) == NULL) {
        x = y = 0;
        goto done;
    }
    if (REG_IS_INT(y) && (args[1] = _PyLong_FromInt64(REG_INT(y))) == NULL) {
        y = 0;
        goto done;
    }
    switch (def->ml_flags & METH_CALL_FLAGS) {
    case METH_NOARGS:
        result = nargs == 0 ? def->ml_meth(REG_PTR(self), NULL) : NULL;
        break;
    case METH_O:
        result = nargs == 1 ? def->ml_meth(REG_PTR(self), args[0]) : NULL;
        break;
    case METH_FASTCALL:
        result = ((_PyCFunctionFast)(void (*)(void))def->ml_meth)(REG_PTR(self), args, nargs);
        break;
    case METH_FASTCALL | METH_KEYWORDS:
        result = ((_PyCFunctionFastWithKeywords)(void (*)(void))def->ml_meth)(
            REG_PTR(self), args, nargs, NULL);
        break;
    }
done:
    if (REG_IS_INT(x)) {
        Py_DECREF(args[0]);
    }
    if (REG_IS_INT(y)) {
        Py_DECREF(args[1]);
    }
    if (result == NULL) {
        PyErr_Clear();
    }
    return (PyReg)result;
}

/* What str(), int() and float() know how to convert, texts that are no numbers among it. */
static int
is_converted(PyReg value)
{
    if (value == 0 || REG_IS_INT(value)) {
        return 1;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(value));
    return type == &PyUnicode_Type || type == &PyFloat_Type || type == &PyLong_Type;
}

int
_PyJit_RefusesArguments(PyObject *callee, const PyReg *args, unsigned nargs)
{
    if (nargs == 1 && callee == (PyObject *)&PyBool_Type) {
        return _PyJit_Truth(args[0]) < 0;
    }
    if (nargs == 1 && (callee == (PyObject *)&PyUnicode_Type || callee == (PyObject *)&PyLong_Type
                       || callee == (PyObject *)&PyFloat_Type)) {
        return !is_converted(args[0]);
    }
    if (!Py_IS_TYPE(callee, &PyMethodDescr_Type)
        || ((PyMethodDescrObject *)callee)->d_common.d_type != &PyUnicode_Type) {
        return 0;
    }
    int refuses = 0;
    for (unsigned i = 0; i < nargs; i++) {
        refuses |= !is_plain_argument(args[i]);
    }
    return refuses;
}

/* ------------------------------------------------------------------ attributes */

int
_PyJit_IsSearchedQuietly(PyTypeObject *type)
{
    PyObject *mro = type->tp_mro;
    int plain = mro != NULL;
    for (Py_ssize_t i = 0; plain && i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *dict = ((PyTypeObject *)PyTuple_GET_ITEM(mro, i))->tp_dict;
        plain = dict != NULL && ((PyDictObject *)dict)->ma_keys->kind == DICT_KEYS_UNICODE;
    }
    return plain;
}

PyTypeObject *
_PyJit_TypeOfVersion(uint32_t version)
{
    PyTypeObject *type = _PyType_OfVersion(version);
    return type != NULL && _PyJit_IsSearchedQuietly(type) ? type : NULL;
}

_PyAttrPlace
_PyJit_PlaceInInstances(PyTypeObject *type, PyObject *name)
{
    return _PyJit_IsSearchedQuietly(type) ? _PyAttr_InInstances(type, name)
                                          : (_PyAttrPlace){.kind = PLACE_UNKNOWN};
}

_PyAttrPlace
_PyJit_PlaceOfClass(PyTypeObject *type, PyObject *name)
{
    return _PyJit_IsSearchedQuietly(type) && _PyJit_IsSearchedQuietly(Py_TYPE(type))
           ? _PyAttr_OfClass(type, name) : (_PyAttrPlace){.kind = PLACE_UNKNOWN};
}

PyObject *
_PyJit_PlainInit(PyTypeObject *type)
{
    return _PyJit_IsSearchedQuietly(type) ? _PyVM_PlainInit(type) : NULL;
}

/* Asks for an attribute's place, which the method cache has no more. 0: that would change
   nothing. */
static __attribute__((noinline)) int
place_again(PyObject *owner, PyObject *name)
{
    struct _PyType_CacheEntry *entry = _PyAttr_Known(Py_TYPE(owner), name);
    if ((entry != NULL && entry->place != PLACE_UNKNOWN)
        || !_PyJit_IsSearchedQuietly(Py_TYPE(owner))) {
        return 0;
    }
    (void)_PyAttr_LookUp(owner, name);
    return 1;
}

static __attribute__((noinline)) PyObject *
attribute_of_class(PyTypeObject *type, PyObject *name)
{
    if (!_PyJit_IsSearchedQuietly(Py_TYPE(type))) {
        return NULL;
    }
    PyObject *value = _PyAttr_KnownOfClass(type, name);
    if (value == NULL && _PyJit_IsSearchedQuietly(type)) {
        (void)_PyType_LookupInline(type, name);
        (void)_PyType_LookupInline(Py_TYPE(type), name);
        value = _PyAttr_KnownOfClass(type, name);
    }
    return value != NULL && !_PyCallableWrapper_Check(value) ? value : NULL;
}

PyObject *
_PyJit_Attr(PyObject *owner, PyObject *name)
{
    PyObject *value = _PyAttr_PlacedValue(owner, name);
    if (likely(value != NULL)) {
        return value;
    }
    if (PyType_Check(owner)) {
        return attribute_of_class((PyTypeObject *)owner, name);
    }
    return place_again(owner, name) ? _PyAttr_PlacedValue(owner, name) : NULL;
}

static PyObject *
placed_method(PyObject *owner, PyObject *name)
{
    struct _PyType_CacheEntry *entry = _PyAttr_Known(Py_TYPE(owner), name);
    return entry != NULL && PLACE_KIND(entry->place) == PLACE_OF_TYPE
           && PyType_HasFeature(Py_TYPE(entry->value), Py_TPFLAGS_METHOD_DESCRIPTOR)
           && _PyAttr_IsNotHidden(owner, PLACE_NUMBER(entry->place), name) ? entry->value : NULL;
}

PyObject *
_PyJit_Method(PyObject *owner, PyObject *name)
{
    PyObject *method = placed_method(owner, name);
    return likely(method != NULL) || !place_again(owner, name)
           ? method : placed_method(owner, name);
}

uintptr_t
_PyJit_LacksOwn(PyObject *owner, PyObject *name)
{
    return (uintptr_t)_PyAttr_OwnDictLacks(owner, name);
}

/* Where the value is in the dictionary of the owner's attributes; NULL: it is not there. */
static PyObject **
own_entry(PyObject *owner, PyObject *name)
{
    PyDictObject *dict = (PyDictObject *)_PyAttr_OwnDict(owner);
    if (dict == NULL || !PyDict_CheckExact(dict) || dict->ma_keys->kind != DICT_KEYS_UNICODE) {
        return NULL;
    }
    PyObject **at = _PyDict_PeekStr(dict, name);
    Py_ssize_t pos = at != NULL ? 0 : _PyDict_IndexOfStr(dict, name);
    return at != NULL || pos < 0 ? at : _PyDictKeys_ValueSlot(dict->ma_keys, pos);
}

/* A slot, an inline value, or an entry of a dictionary. */
static int
is_stored_plainly(PyObject *owner, PyObject *name)
{
    struct _PyType_CacheEntry *entry = _PyAttr_Known(Py_TYPE(owner), name);
    if (entry == NULL || Py_TYPE(owner)->tp_setattro != PyObject_GenericSetAttr) {
        return 0;
    }
    int kind = PLACE_KIND(entry->place);
    return kind == PLACE_MEMBER
           || (kind == PLACE_INLINE
               && PLACE_NUMBER(entry->place) < _PyInstance_Header(owner)->capacity)
           || ((kind == PLACE_INLINE || kind == PLACE_DICT)
               && own_entry(owner, name) != NULL);
}

int64_t
_PyJit_MayStore(PyObject *owner, PyObject *name)
{
    return is_stored_plainly(owner, name)
           || (place_again(owner, name) && is_stored_plainly(owner, name));
}

PyObject *
_PyJit_StoreAttr(PyObject *owner, PyObject *name, PyObject *value)
{
    unsigned int place = _PyAttr_Known(Py_TYPE(owner), name)->place;
    Py_ssize_t number = PLACE_NUMBER(place);
    PyObject **slot;
    if (PLACE_KIND(place) == PLACE_MEMBER) {
        slot = (PyObject **)((char *)owner + number);
    }
    else if (PLACE_KIND(place) == PLACE_INLINE
             && number < _PyInstance_Header(owner)->capacity) {
        slot = &_PyInstance_Values(owner)[number];
        if (*slot == NULL) {
            (void)_PyInstance_StoreNewSlow(owner, number, value);
            return NULL;
        }
    }
    else {
        slot = own_entry(owner, name);
        PyObject *old = Py_NewRef(*slot);
        _PyDict_ReplaceAt((PyDictObject *)_PyAttr_OwnDict(owner), slot, value);
        return old;
    }
    PyObject *old = *slot;
    *slot = value;
    return old;
}

/* -------------------------------------------------------- truth and comparison */

int64_t
_PyJit_Truth(PyReg value)
{
    if (value == 0) {
        return -1;
    }
    int truth = reg_known_truth(value);
    if (truth >= 0) {
        return truth;
    }
    PyTypeObject *type = Py_TYPE(REG_PTR(value));
    if (type == &PyFloat_Type) {
        return PyFloat_AS_DOUBLE(REG_PTR(value)) != 0.0;
    }
    if (PyAnySet_CheckExact(REG_PTR(value))) {
        return PySet_GET_SIZE(REG_PTR(value)) != 0;
    }
    return (type->tp_as_number == NULL || type->tp_as_number->nb_bool == NULL)
           && (type->tp_as_mapping == NULL || type->tp_as_mapping->mp_length == NULL)
           && (type->tp_as_sequence == NULL || type->tp_as_sequence->sq_length == NULL) ? 1 : -1;
}

int64_t
_PyJit_Compare(PyReg x, PyReg y, int op)
{
    if (x == 0 || y == 0 || (REG_IS_INT(x) && REG_IS_INT(y))) {
        return -1;
    }
    if (!REG_IS_INT(x) && !REG_IS_INT(y)) {
        return IS_EXACT(x, PyTuple_Type) && IS_EXACT(y, PyTuple_Type)
               ? -1 : _PyObject_QuickCompare(REG_PTR(x), REG_PTR(y), op);
    }
    PyObject *other = REG_PTR(REG_IS_INT(x) ? y : x);
    if (PyLong_Check(other)) {
        int64_t n = REG_IS_INT(x) ? REG_INT(x) : REG_INT(y), m;
        if (Py_TYPE(other)->tp_richcompare != PyLong_Type.tp_richcompare
            || !_PyLong_AsInt64Exact(other, &m)) {
            return -1;
        }
        return _Py_OrderSatisfies(REG_IS_INT(x) ? (n > m) - (n < m) : (m > n) - (m < n), op);
    }
    /* To what is no number all ints are the same. */
    return PyFloat_Check(other) ? -1 : _PyObject_CompareKinds(_PyLong_BorrowSmall(0), other, op);
}

int
_PyJit_ListRoom(PyListObject *list)
{
    Py_ssize_t n = Py_SIZE(list);
    if (_PyList_AppendGrow(list, Py_NewRef(Py_None)) < 0) {
        PyErr_Clear();
        return 0;
    }
    Py_SET_SIZE(list, n);
    Py_DECREF(Py_None);
    return 1;
}

PyObject *
_PyJit_NewInt(int64_t value)
{
    PyObject *object = _PyLong_FromInt64(value);
    if (object == NULL) {
        PyErr_Clear();
    }
    return object;
}

PyObject *
_PyJit_NewFloat(double value)
{
    PyObject *object = PyFloat_FromDouble(value);
    if (object == NULL) {
        PyErr_Clear();
    }
    return object;
}

PyObject *
_PyJit_ComplexOf(double re, double im)
{
    PyObject *value = PyComplex_FromDoubles(re, im);
    if (value == NULL) {
        PyErr_Clear();
    }
    return value;
}

PyObject *
_PyJit_ComplexAgain(double re, double im, PyObject *old)
{
    if (Py_REFCNT(old) != 1) {
        return _PyJit_ComplexOf(re, im);
    }
    ((PyComplexObject *)old)->cval = (Py_complex){re, im};
    return Py_NewRef(old);
}

PyReg
_PyJit_IntOfWord(uint64_t word)
{
    if (word >> 62 == 0) {
        return REG_FROM_INT(word);
    }
    PyObject *object = PyLong_FromUnsignedLongLong(word);
    if (object == NULL) {
        PyErr_Clear();
    }
    return (PyReg)object;
}
