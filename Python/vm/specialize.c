/* Choosing specialised forms (see specialize.h). Where an attribute is, attr_place.c says.

   Caches of attributes and globals, three words:
     [0] the compiler's operand and the counter
     [1] version, version2: the guards
     [2] a position, an offset or a pointer, valid while the guards hold */
#include "specialize.h"
#include "internal/attr_place.h"
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/property.h"
#include "internal/type.h"

static void
install(const PyInstr *ip, int op, uint32_t version, uint32_t version2,
        uint64_t what)
{
    PyCacheWord *cache = (PyCacheWord *)(ip + 1);
    cache[1].version = version;
    cache[1].version2 = version2;
    cache[2].word = what;
    set_opcode(ip, op);
}

static PyObject *
name_of(PyVMFrame *f, const PyInstr *ip)
{
    return code_name(f, ((const PyCacheWord *)(ip + 1))->arg);
}

/* ------------------------------------------------------------------ globals */

/* A script goes on defining names while its functions run. New names keep the version of the keys,
   but a larger table has another one, and machine code that expects the old one is left. */
enum { NAMES_TO_COME = 10 };

void
_PyVM_SpecializeGlobal(PyVMFrame *f, const PyInstr *ip)
{
    PyFunctionObject *func = frame_func(f);
    PyObject *name = name_of(f, ip);
    if (!PyDict_CheckExact(func->func_globals)
        || !PyDict_CheckExact(func->func_builtins)) {
        return;
    }
    PyDictObject *globals = (PyDictObject *)func->func_globals;
    PyDictObject *builtins = (PyDictObject *)func->func_builtins;
    if (globals->ma_keys->kind != DICT_KEYS_UNICODE
        || builtins->ma_keys->kind != DICT_KEYS_UNICODE) {
        return;
    }
    if (globals->ma_keys->version == 0) {
        _PyDict_ReserveInPlace(globals, NAMES_TO_COME);
    }
    Py_ssize_t at = _PyDict_IndexOfStr(globals, name);
    uint32_t version = at < 0 ? _PyDictKeys_GetVersion(globals)
                              : _PyDictKeys_VersionFor(globals, at);
    if (version == 0) {
        return;
    }
    int by_name = ip->op == OP_LOAD_NAME;
    if (at >= 0) {
        install(ip, by_name ? OP_LOAD_NAME__MODULE : OP_LOAD_GLOBAL__MODULE,
                version, 0, (uint64_t)at);
        return;
    }
    at = _PyDict_IndexOfStr(builtins, name);
    uint32_t version2 = at < 0 ? 0 : _PyDictKeys_VersionFor(builtins, at);
    if (version2 != 0) {
        _PyDict_NoteMissing(name);      /* from globals */
        install(ip, by_name ? OP_LOAD_NAME__BUILTIN : OP_LOAD_GLOBAL__BUILTIN,
                version, version2, (uint64_t)at);
    }
}

/* STORE_GLOBAL, and STORE_NAME where locals are the globals. */
void
_PyVM_SpecializeStoreGlobal(PyVMFrame *f, const PyInstr *ip)
{
    PyDictObject *globals = (PyDictObject *)frame_func(f)->func_globals;
    if (!PyDict_CheckExact(globals)
        || globals->ma_keys->kind != DICT_KEYS_UNICODE) {
        return;
    }
    Py_ssize_t at = _PyDict_IndexOfStr(globals, name_of(f, ip));
    uint32_t version = at < 0 ? 0 : _PyDictKeys_VersionFor(globals, at);
    if (version != 0) {
        install(ip, ip->op == OP_STORE_NAME ? OP_STORE_NAME__MODULE
                                            : OP_STORE_GLOBAL__MODULE,
                version, 0, (uint64_t)at);
    }
}

/* --------------------------------------------------------------- attributes */

/* Is it a property with a Python getter that takes just the instance? */
static int
has_plain_getter(PyObject *descr)
{
    if (!Py_IS_TYPE(descr, &PyProperty_Type)) {
        return 0;
    }
    PyObject *getter = ((propertyobject *)descr)->fget;
    if (getter == NULL || !PyFunction_Check(getter)) {
        return 0;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)getter)->func_code);
    return code->simple_call && code->ob.co_argcount == 1;
}

/* Puts the place's guards and number, or its value, in the cache. */
static void
install_number(const PyInstr *ip, int op, _PyAttrPlace place)
{
    install(ip, op, place.version, place.version2, place.number);
}

static void
install_value(const PyInstr *ip, int op, _PyAttrPlace place)
{
    install(ip, op, place.version, place.version2, (uint64_t)place.value);
}

/* The guard of an attribute that is the type's, besides the version: nothing hides it. */
static void
install_of_type(const PyInstr *ip, int op, _PyAttrPlace place)
{
    install(ip, op, place.version, (uint32_t)place.number, (uint64_t)place.value);
}

void
_PyVM_SpecializeLoadAttr(PyVMFrame *f, const PyInstr *ip, PyObject *owner)
{
    _PyAttrPlace place = _PyAttr_Find(owner, name_of(f, ip));
    switch (place.kind) {
    case PLACE_INLINE:
        if (_PyInstance_InlineValue(owner, (Py_ssize_t)place.number) != NULL) {
            install_number(ip, OP_LOAD_ATTR__INLINE, place);
        }
        break;
    case PLACE_MEMBER:
        install_number(ip, OP_LOAD_ATTR__MEMBER, place);
        break;
    case PLACE_CLASS:
        install(ip, OP_LOAD_ATTR__MEMBER, place.version, 0, offsetof(PyObject, ob_type));
        break;
    case PLACE_GETTER:
        install_value(ip, OP_LOAD_ATTR__GETTER, place);
        break;
    case PLACE_PROPERTY:
        /* Not with __getattr__, which would be called if the getter raises AttributeError. */
        if (Py_TYPE(owner)->tp_getattro == PyObject_GenericGetAttr
            && has_plain_getter(place.value)) {
            install_value(ip, OP_LOAD_ATTR__PROPERTY, place);
        }
        break;
    case PLACE_OF_TYPE:
        if (Py_TYPE(place.value)->tp_descr_get == NULL) {
            install_of_type(ip, OP_LOAD_ATTR__OF_TYPE, place);
        }
        break;
    case PLACE_MODULE:
        install_number(ip, OP_LOAD_ATTR__MODULE, place);
        break;
    case PLACE_OF_CLASS:
        install_value(ip, OP_LOAD_ATTR__CLASS, place);
        break;
    default:
        break;
    }
}

void
_PyVM_SpecializeStoreAttr(PyVMFrame *f, const PyInstr *ip, PyObject *owner)
{
    if (Py_TYPE(owner)->tp_setattro != PyObject_GenericSetAttr) {
        return;
    }
    _PyAttrPlace place = _PyAttr_Find(owner, name_of(f, ip));
    if (place.kind == PLACE_MEMBER) {
        install_number(ip, OP_STORE_ATTR__MEMBER, place);
    }
    else if (place.kind == PLACE_INLINE
             && place.number < _PyInstance_Header(owner)->capacity) {
        install_number(ip, OP_STORE_ATTR__INLINE, place);
    }
}

static int
is_method(PyObject *attr)
{
    return PyType_HasFeature(Py_TYPE(attr), Py_TPFLAGS_METHOD_DESCRIPTOR);
}

void
_PyVM_SpecializeLoadMethod(PyVMFrame *f, const PyInstr *ip, PyObject *owner)
{
    _PyAttrPlace place = _PyAttr_Find(owner, name_of(f, ip));
    switch (place.kind) {
    case PLACE_OF_TYPE:
        if (is_method(place.value)) {
            install_of_type(ip, place.number == NO_OWN_ATTRIBUTES ? OP_LOAD_METHOD__NO_DICT
                                                                  : OP_LOAD_METHOD__INLINE,
                            place);
        }
        break;
    case PLACE_MODULE:
        install_number(ip, OP_LOAD_METHOD__MODULE, place);
        break;
    case PLACE_OF_CLASS:
        install_value(ip, OP_LOAD_METHOD__CLASS, place);
        break;
    case PLACE_OF_SUPER:
        if (is_method(place.value)) {
            install_value(ip, OP_LOAD_METHOD__SUPER, place);
        }
        break;
    default:
        break;
    }
}

/* --------------------------------------------------------------- subscripts */

/* The Python __getitem__ of a class, or NULL. Returns a borrowed reference. */
PyObject *
_PyVM_PlainGetItem(PyTypeObject *type)
{
    if (type->tp_as_mapping == NULL
        || type->tp_as_mapping->mp_subscript != _PySlot_GetItem) {
        return NULL;
    }
    PyObject *func = _PyType_LookupInline(type, _Py_NAME(dunder_getitem));
    if (func == NULL || !PyFunction_Check(func)) {
        return NULL;
    }
    PyVMCode *code = _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
    return code->simple_call && code->ob.co_argcount == 2 ? func : NULL;
}
