/* Choosing specialised forms (see specialize.h).

   Caches of attributes and globals, three words:
     [0] the compiler's operand and the counter
     [1] version, version2: the guards
     [2] a position, an offset or a pointer, valid while the guards hold */
#include "specialize.h"
#include "structmember.h"
#include "internal/dict.h"
#include "internal/instance_attrs.h"
#include "internal/property.h"
#include "internal/super.h"
#include "internal/type.h"
#include "internal/slot_prototypes.h"

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
    uint32_t version = _PyDictKeys_GetVersion(globals);
    if (version == 0) {
        return;
    }
    Py_ssize_t at = _PyDict_IndexOfStr(globals, name);
    int by_name = ip->op == OP_LOAD_NAME;
    if (at >= 0) {
        install(ip, by_name ? OP_LOAD_NAME__MODULE : OP_LOAD_GLOBAL__MODULE,
                version, 0, (uint64_t)at);
        return;
    }
    uint32_t version2 = _PyDictKeys_GetVersion(builtins);
    at = _PyDict_IndexOfStr(builtins, name);
    if (version2 != 0 && at >= 0) {
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
    uint32_t version = at < 0 ? 0 : _PyDictKeys_GetVersion(globals);
    if (version != 0) {
        install(ip, ip->op == OP_STORE_NAME ? OP_STORE_NAME__MODULE
                                            : OP_STORE_GLOBAL__MODULE,
                version, 0, (uint64_t)at);
    }
}

/* --------------------------------------------------------------- attributes */

static int
has_own_attributes(PyTypeObject *type)
{
    return type->tp_dictoffset != 0 || (type->tp_flags & Py_TPFLAGS_MANAGED_DICT);
}

/* May the type of an attribute become, or cease to be, a descriptor? No version
   number covers that, so such attributes are not specialised. */
static int
may_change_kind(PyObject *attr)
{
    PyTypeObject *type = Py_TYPE(attr);
    return (type->tp_flags & Py_TPFLAGS_HEAPTYPE)
           && !(type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE);
}

/* Can no instance have an attribute of this name of its own, as long as its dictionary
   lacks it, or it keeps its values inline and no name is added to the shared keys? Stores
   the guard for PLACE_OF_TYPE in *guard. */
static int
never_shadowed(PyObject *owner, PyTypeObject *type, PyObject *name,
               uint32_t *guard)
{
    if (!has_own_attributes(type)) {
        *guard = NO_OWN_ATTRIBUTES;
        return 1;
    }
    if (!(type->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        *guard = OWN_DICT;
        return type->tp_dictoffset > 0 && own_dict_lacks(owner, name);
    }
    if (_PyInstance_KeyIndex(type, name) >= 0) {
        return 0;
    }
    /* This includes types whose instances have had no attribute yet. */
    _PySharedKeys *shared = _PyInstance_NeedKeys(type);
    if (shared == NULL) {
        return 0;
    }
    *guard = shared->count;
    return 1;
}

/* The offset of a member of __slots__, or 0. */
static Py_ssize_t
slot_offset(PyTypeObject *type, PyObject *descr)
{
    if (!Py_IS_TYPE(descr, &PyMemberDescr_Type)) {
        return 0;
    }
    PyMemberDescrObject *member = (PyMemberDescrObject *)descr;
    if (member->d_member->type != T_OBJECT_EX
        || (member->d_member->flags & READONLY)
        || !PyType_IsSubtype(type, member->d_common.d_type)) {
        return 0;
    }
    return member->d_member->offset;
}

/* Where instances of the type have the attribute; `descr` is what the type itself has. */
static unsigned int
place_of(PyObject *owner, PyObject *name, PyObject *descr)
{
    PyTypeObject *type = Py_TYPE(owner);
    uint32_t guard;
    if (!_PyType_SearchesAsUsual(type) || (descr != NULL && may_change_kind(descr))) {
        return PLACE_SEARCH;
    }
    PyTypeObject *kind = descr != NULL ? Py_TYPE(descr) : NULL;
    if (descr != NULL && kind->tp_descr_set != NULL) {
        Py_ssize_t offset = slot_offset(type, descr);
        return offset > 0 ? PLACE(PLACE_MEMBER, offset)
               : name == _Py_NAME(dunder_class)
                 && descr == _PyType_LookupInline(&PyBaseObject_Type, name)
               ? PLACE_CLASS
               : kind->tp_descr_get != NULL && kind->tp_descr_get != slot_descr_get
                 && kind != &PyProperty_Type
               ? PLACE_GETTER : PLACE_SEARCH;
    }
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        Py_ssize_t at = _PyInstance_KeyIndex(type, name);
        if (at >= 0) {
            return PLACE(PLACE_INLINE, at);
        }
    }
    if (descr == NULL) {
        return has_own_attributes(type) ? PLACE_DICT : PLACE_UNKNOWN;
    }
    return never_shadowed(owner, type, name, &guard) ? PLACE(PLACE_OF_TYPE, guard)
                                                     : PLACE_UNKNOWN;
}

PyObject *
_PyVM_LookUpAttr(PyObject *owner, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(owner);
    PyObject *descr = _PyType_LookupInline(type, name);
    struct _PyType_CacheEntry *entry = _PyType_CacheSlot(type->tp_version_tag, name);
    if (entry->name == name && entry->version == type->tp_version_tag
        && (entry->place == PLACE_UNKNOWN || entry->place == PLACE_DICT)) {
        unsigned int place = place_of(owner, name, descr);
        /* Another type's entry may have replaced it meanwhile. */
        if (entry->name == name && entry->version == type->tp_version_tag) {
            entry->place = place;
        }
    }
    return descr;
}

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

/* An attribute in a module's dict. */
static void
specialize_module(const PyInstr *ip, int op, PyObject *module, PyObject *name)
{
    PyObject *dict = PyModule_GetDict(module);
    if (dict == NULL || !PyDict_CheckExact(dict)
        || ((PyDictObject *)dict)->ma_keys->kind != DICT_KEYS_UNICODE
        || _PyType_Lookup(&PyModule_Type, name) != NULL) {
        return;
    }
    Py_ssize_t at = _PyDict_IndexOfStr((PyDictObject *)dict, name);
    uint32_t version = _PyDictKeys_GetVersion((PyDictObject *)dict);
    if (at >= 0 && version != 0) {
        install(ip, op, version, 0, (uint64_t)at);
    }
}

/* An attribute of a class that is not changed when it is read from the class. */
static void
specialize_class(const PyInstr *ip, int op, PyTypeObject *type, PyObject *name)
{
    PyTypeObject *metatype = Py_TYPE(type);
    if (metatype->tp_getattro != _PyType_GetAttr) {
        return;
    }
    PyObject *meta_attr = _PyType_Lookup(metatype, name);
    PyObject *value = _PyType_Lookup(type, name);
    if (value == NULL
        || (meta_attr != NULL && (Py_TYPE(meta_attr)->tp_descr_set != NULL
                                  || may_change_kind(meta_attr)))
        || may_change_kind(value)
        || (Py_TYPE(value)->tp_descr_get != NULL && !PyFunction_Check(value))) {
        return;
    }
    uint32_t version = _PyType_AssignVersion(type);
    uint32_t version2 = _PyType_AssignVersion(metatype);
    if (version != 0 && version2 != 0) {
        install(ip, op, version, version2, (uint64_t)value);
    }
}

void
_PyVM_SpecializeLoadAttr(PyVMFrame *f, const PyInstr *ip, PyObject *owner)
{
    PyObject *name = name_of(f, ip);
    PyTypeObject *type = Py_TYPE(owner);
    if (PyModule_CheckExact(owner)) {
        specialize_module(ip, OP_LOAD_ATTR__MODULE, owner, name);
        return;
    }
    if (PyType_Check(owner)) {
        specialize_class(ip, OP_LOAD_ATTR__CLASS, (PyTypeObject *)owner, name);
        return;
    }
    PyObject *descr = _PyType_Lookup(type, name);
    uint32_t version = _PyType_AssignVersion(type);
    if (version == 0) {
        return;
    }
    unsigned int place = place_of(owner, name, descr), number = PLACE_NUMBER(place);
    switch (PLACE_KIND(place)) {
    case PLACE_INLINE:
        if (_PyInstance_InlineValue(owner, number) != NULL) {
            install(ip, OP_LOAD_ATTR__INLINE, version, 0, number);
        }
        break;
    case PLACE_MEMBER:
        install(ip, OP_LOAD_ATTR__MEMBER, version, 0, number);
        break;
    case PLACE_CLASS:
        install(ip, OP_LOAD_ATTR__MEMBER, version, 0, offsetof(PyObject, ob_type));
        break;
    case PLACE_GETTER:
        install(ip, OP_LOAD_ATTR__GETTER, version, 0, (uint64_t)descr);
        break;
    case PLACE_OF_TYPE:
        if (Py_TYPE(descr)->tp_descr_get == NULL) {
            install(ip, OP_LOAD_ATTR__OF_TYPE, version, number, (uint64_t)descr);
        }
        break;
    default:
        if (type->tp_getattro == PyObject_GenericGetAttr && descr != NULL
            && has_plain_getter(descr)) {
            install(ip, OP_LOAD_ATTR__PROPERTY, version, 0, (uint64_t)descr);
        }
    }
}

void
_PyVM_SpecializeStoreAttr(PyVMFrame *f, const PyInstr *ip, PyObject *owner)
{
    PyObject *name = name_of(f, ip);
    PyTypeObject *type = Py_TYPE(owner);
    if (type->tp_setattro != PyObject_GenericSetAttr) {
        return;
    }
    PyObject *descr = _PyType_Lookup(type, name);
    uint32_t version = _PyType_AssignVersion(type);
    if (version == 0) {
        return;
    }
    unsigned int place = place_of(owner, name, descr), number = PLACE_NUMBER(place);
    if (PLACE_KIND(place) == PLACE_MEMBER) {
        install(ip, OP_STORE_ATTR__MEMBER, version, 0, number);
    }
    else if (PLACE_KIND(place) == PLACE_INLINE
             && number < _PyInstance_Header(owner)->capacity) {
        install(ip, OP_STORE_ATTR__INLINE, version, 0, number);
    }
}

/* super().method: the first class after su->type in the MRO that has the name
   decides, and a change in any of them changes the version of su->obj_type. */
static void
specialize_super(const PyInstr *ip, superobject *su, PyObject *name)
{
    if (su->obj_type == NULL || su->obj == (PyObject *)su->obj_type
        || su->obj_type->tp_mro == NULL
        || PyUnicode_CompareWithASCIIString(name, "__class__") == 0) {
        return;
    }
    PyObject *mro = su->obj_type->tp_mro, *found = NULL;
    Py_ssize_t i = 0, n = PyTuple_GET_SIZE(mro);
    while (i < n && PyTuple_GET_ITEM(mro, i) != (PyObject *)su->type) {
        i++;
    }
    for (i++; i < n && found == NULL; i++) {
        PyTypeObject *cls = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        found = PyDict_GetItemWithError(cls->tp_dict, name);
    }
    if (found == NULL) {
        PyErr_Clear();
        return;
    }
    uint32_t version = _PyType_AssignVersion(su->obj_type);
    uint32_t version2 = _PyType_AssignVersion(su->type);
    if (version != 0 && version2 != 0
        && PyType_HasFeature(Py_TYPE(found), Py_TPFLAGS_METHOD_DESCRIPTOR)) {
        install(ip, OP_LOAD_METHOD__SUPER, version, version2, (uint64_t)found);
    }
}

void
_PyVM_SpecializeLoadMethod(PyVMFrame *f, const PyInstr *ip, PyObject *owner)
{
    PyObject *name = name_of(f, ip);
    PyTypeObject *type = Py_TYPE(owner);
    if (PyModule_CheckExact(owner)) {
        specialize_module(ip, OP_LOAD_METHOD__MODULE, owner, name);
        return;
    }
    if (PyType_Check(owner)) {
        specialize_class(ip, OP_LOAD_METHOD__CLASS, (PyTypeObject *)owner, name);
        return;
    }
    if (Py_IS_TYPE(owner, &PySuper_Type)) {
        specialize_super(ip, (superobject *)owner, name);
        return;
    }
    PyObject *descr = _PyType_Lookup(type, name);
    uint32_t version = _PyType_AssignVersion(type);
    if (version == 0 || descr == NULL
        || !PyType_HasFeature(Py_TYPE(descr), Py_TPFLAGS_METHOD_DESCRIPTOR)) {
        return;
    }
    unsigned int place = place_of(owner, name, descr), guard = PLACE_NUMBER(place);
    if (PLACE_KIND(place) == PLACE_OF_TYPE) {
        install(ip, guard == NO_OWN_ATTRIBUTES ? OP_LOAD_METHOD__NO_DICT
                                               : OP_LOAD_METHOD__INLINE,
                version, guard, (uint64_t)descr);
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
