/* Where is an attribute? internal/attr_place.h tells who asks, and what the answers mean. */
#include "private.h"
#include "internal/attr_place.h"
#include "internal/callable_wrapper.h"
#include "internal/property.h"
#include "internal/slot_prototypes.h"
#include "internal/super.h"

static const _PyAttrPlace nowhere = {.kind = PLACE_UNKNOWN};

/* Of what has just been looked up: may it be kept as long as the type has its version? */
static int
may_be_kept(PyTypeObject *type, PyObject *name)
{
    return _PyAttr_Known(type, name) != NULL;
}

/* ---------------------------------------------------------------- instances */

static int
has_own_attributes(PyTypeObject *type)
{
    return type->tp_dictoffset != 0 || has_flag(type, Py_TPFLAGS_MANAGED_DICT);
}

/* Can no instance have an attribute of this name of its own, as long as its dictionary
   lacks it, or it keeps its values inline? Stores the number for PLACE_OF_TYPE in *number.
   owner: NULL for any. */
static int
never_hidden(PyTypeObject *type, PyObject *owner, PyObject *name, uint32_t *number)
{
    if (!has_own_attributes(type)) {
        *number = NO_OWN_ATTRIBUTES;
        return 1;
    }
    if (!has_flag(type, Py_TPFLAGS_MANAGED_DICT)) {
        *number = OWN_DICT;
        return owner == NULL || _PyAttr_OwnDictLacks(owner, name);
    }
    *number = HIDDEN_BY_MOVED;
    return _PyInstance_KeyIndex(type, name) < 0;
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

/* A data descriptor of the type comes before anything that the instance has. */
static unsigned int
place_by_data_descriptor(PyTypeObject *type, PyObject *name, PyObject *descr)
{
    PyTypeObject *kind = Py_TYPE(descr);
    Py_ssize_t offset = slot_offset(type, descr);
    if (offset > 0) {
        return PLACE(PLACE_MEMBER, offset);
    }
    if (name == _Py_NAME(dunder_class)
        && descr == _PyType_LookupInline(&PyBaseObject_Type, name)) {
        return PLACE_CLASS;
    }
    if (kind == &PyProperty_Type) {
        return PLACE_PROPERTY;
    }
    return kind->tp_descr_get != NULL && kind->tp_descr_get != slot_descr_get
           && !_PyAttr_MayGoOn(type, descr) ? PLACE_GETTER : PLACE_SEARCH;
}

/* Where instances of the type have the attribute; `descr` is what the type has. owner: one of
   them, or NULL. */
static unsigned int
place_in_instances(PyTypeObject *type, PyObject *owner, PyObject *name, PyObject *descr)
{
    int is_data = descr != NULL && Py_TYPE(descr)->tp_descr_set != NULL;
    if (!_PyType_SearchesAsUsual(type)
        && (!is_data || !_PyType_SearchesAsClass(type))) {
        return PLACE_SEARCH;
    }
    if (is_data) {
        return place_by_data_descriptor(type, name, descr);
    }
    if (has_flag(type, Py_TPFLAGS_MANAGED_DICT)) {
        Py_ssize_t index = _PyInstance_KeyIndex(type, name);
        if (index >= 0) {
            return PLACE(PLACE_INLINE, index);
        }
    }
    if (descr == NULL) {
        return has_own_attributes(type) ? PLACE_DICT : PLACE_UNKNOWN;
    }
    uint32_t number;
    return never_hidden(type, owner, name, &number) ? PLACE(PLACE_OF_TYPE, number) : PLACE_UNKNOWN;
}

PyObject *
_PyAttr_LookUp(PyObject *owner, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(owner);
    PyObject *descr = _PyType_LookupInline(type, name);
    struct _PyType_CacheEntry *entry = _PyType_CacheSlot(type->tp_version_tag, name);
    if (entry->name == name && entry->version == type->tp_version_tag
        && (entry->place == PLACE_UNKNOWN || entry->place == PLACE_DICT)) {
        unsigned int place = place_in_instances(type, NULL, name, descr);
        /* Another type's entry may have replaced it meanwhile. */
        if (entry->name == name && entry->version == type->tp_version_tag) {
            entry->place = place;
        }
    }
    return descr;
}

PyObject *
_PyAttr_OwnDictValue(PyObject *owner, PyObject *name)
{
    PyDictObject *dict = (PyDictObject *)_PyAttr_OwnDict(owner);
    if (dict == NULL || !PyDict_CheckExact(dict)) {
        return NULL;
    }
    PyObject **at = _PyDict_PeekStr(dict, name);
    if (__builtin_expect(at != NULL, 1)) {
        return *at;
    }
    Py_ssize_t pos = _PyDict_IndexOfStr(dict, name);
    return pos >= 0 ? *_PyDictKeys_ValueSlot(dict->ma_keys, pos) : NULL;
}

/* ------------------------------------------- modules, classes, super objects */

static _PyAttrPlace
find_in_module(PyObject *module, PyObject *name)
{
    PyDictObject *dict = (PyDictObject *)PyModule_GetDict(module);
    if (dict == NULL || !PyDict_CheckExact(dict) || dict->ma_keys->kind != DICT_KEYS_UNICODE
        || _PyType_Lookup(&PyModule_Type, name) != NULL) {
        return nowhere;
    }
    Py_ssize_t at = _PyDict_IndexOfStr(dict, name);
    uint32_t version = at < 0 ? 0 : _PyDictKeys_VersionFor(dict, at);
    if (version == 0) {
        return nowhere;
    }
    return (_PyAttrPlace){.kind = PLACE_MODULE, .version = version, .number = (uint64_t)at};
}

/* What is an attribute of a class when it is read from the class? `value` is what the class has
   under the name, meta_attr what its metatype has. */
static enum _PyAttr_PlaceKind
kind_in_class(PyObject *value, PyObject *meta_attr)
{
    if (value == NULL || (meta_attr != NULL && Py_TYPE(meta_attr)->tp_descr_set != NULL)) {
        return PLACE_UNKNOWN;
    }
    return Py_TYPE(value)->tp_descr_get == NULL || PyFunction_Check(value) ? PLACE_OF_CLASS
           : _PyCallableWrapper_Check(value) ? PLACE_WRAPPED : PLACE_UNKNOWN;
}

_PyAttrPlace
_PyAttr_OfClass(PyTypeObject *type, PyObject *name)
{
    PyTypeObject *metatype = Py_TYPE(type);
    if (!_PyType_SearchesAsClass(metatype)) {
        return nowhere;
    }
    PyObject *meta_attr = _PyType_Lookup(metatype, name);
    PyObject *value = _PyType_Lookup(type, name);
    enum _PyAttr_PlaceKind kind = kind_in_class(value, meta_attr);
    if (kind == PLACE_UNKNOWN || !may_be_kept(type, name)) {
        return nowhere;
    }
    uint32_t version = _PyType_AssignVersion(type);
    uint32_t version2 = _PyType_AssignVersion(metatype);
    if (version == 0 || version2 == 0) {
        return nowhere;
    }
    return (_PyAttrPlace){.kind = kind, .version = version, .version2 = version2,
                          .value = value};
}

PyObject *
_PyAttr_KnownOfClass(PyTypeObject *type, PyObject *name)
{
    if (!_PyType_SearchesAsClass(Py_TYPE(type))) {
        return NULL;            /* asked first: it may replace entries */
    }
    struct _PyType_CacheEntry *own = _PyAttr_Known(type, name);
    struct _PyType_CacheEntry *meta = _PyAttr_Known(Py_TYPE(type), name);
    return own != NULL && meta != NULL
           && kind_in_class(own->value, meta->value) != PLACE_UNKNOWN ? own->value : NULL;
}

PyObject *
_PyAttr_KnownWrapper(PyObject *owner, PyObject *name)
{
    PyObject *value = NULL;
    if (PyType_Check(owner)) {
        value = _PyAttr_KnownOfClass((PyTypeObject *)owner, name);
    }
    else {
        struct _PyType_CacheEntry *entry = _PyAttr_Known(Py_TYPE(owner), name);
        if (entry != NULL && PLACE_KIND(entry->place) == PLACE_OF_TYPE
            && _PyAttr_IsNotHidden(owner, PLACE_NUMBER(entry->place), name)) {
            value = entry->value;
        }
    }
    return value != NULL && _PyCallableWrapper_Check(value) ? value : NULL;
}

PyObject *
_PyAttr_KnownClassMethod(PyObject *owner, PyObject *name)
{
    if (!PyType_Check(owner) || !_PyType_SearchesAsClass(Py_TYPE(owner))) {
        return NULL;
    }
    struct _PyType_CacheEntry *own = _PyAttr_Known((PyTypeObject *)owner, name);
    struct _PyType_CacheEntry *meta = _PyAttr_Known(Py_TYPE(owner), name);
    return own != NULL && own->value != NULL && Py_IS_TYPE(own->value, &PyClassMethodDescr_Type)
           && meta != NULL && meta->value == NULL ? own->value : NULL;
}

/* The first class after su->type in the MRO that has the name decides, and a change in any
   of them changes the version of su->obj_type. */
static _PyAttrPlace
find_by_super(superobject *su, PyObject *name)
{
    if (su->obj_type == NULL || su->obj == (PyObject *)su->obj_type
        || su->obj_type->tp_mro == NULL
        || PyUnicode_CompareWithASCIIString(name, "__class__") == 0) {
        return nowhere;
    }
    PyObject *mro = su->obj_type->tp_mro, *found = NULL;
    PyTypeObject *cls = NULL;
    Py_ssize_t i = 0, n = PyTuple_GET_SIZE(mro);
    while (i < n && PyTuple_GET_ITEM(mro, i) != (PyObject *)su->type) {
        i++;
    }
    for (i++; i < n && found == NULL; i++) {
        cls = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        found = PyDict_GetItemWithError(cls->tp_dict, name);
    }
    if (found == NULL) {
        PyErr_Clear();
        return nowhere;
    }
    uint32_t version = _PyType_AssignVersion(su->obj_type);
    uint32_t version2 = _PyType_AssignVersion(su->type);
    if (version == 0 || version2 == 0 || _PyType_IsChanging(cls, name)) {
        return nowhere;
    }
    return (_PyAttrPlace){.kind = PLACE_OF_SUPER, .version = version, .version2 = version2,
                          .value = found};
}

static _PyAttrPlace
find_in_instances(PyTypeObject *type, PyObject *owner, PyObject *name)
{
    PyObject *descr = _PyType_Lookup(type, name);
    uint32_t version = _PyType_AssignVersion(type);
    if (version == 0 || (descr != NULL && !may_be_kept(type, name))) {
        return nowhere;
    }
    unsigned int place = place_in_instances(type, owner, name, descr);
    return (_PyAttrPlace){.kind = PLACE_KIND(place), .version = version,
                          .number = PLACE_NUMBER(place), .value = descr};
}

_PyAttrPlace
_PyAttr_InInstances(PyTypeObject *type, PyObject *name)
{
    return find_in_instances(type, NULL, name);
}

_PyAttrPlace
_PyAttr_Find(PyObject *owner, PyObject *name)
{
    if (PyModule_CheckExact(owner)) {
        return find_in_module(owner, name);
    }
    if (PyType_Check(owner)) {
        _PyAttrPlace place = _PyAttr_OfClass((PyTypeObject *)owner, name);
        return place.kind != PLACE_UNKNOWN ? place : find_in_instances(Py_TYPE(owner), owner, name);
    }
    if (Py_IS_TYPE(owner, &PySuper_Type)) {
        return find_by_super((superobject *)owner, name);
    }
    return find_in_instances(Py_TYPE(owner), owner, name);
}
