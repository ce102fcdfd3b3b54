/* Generic attribute access: the search, for which the VM has shorter ways
   (internal/attr_place.h).

   The order of the search: a data descriptor of the type, then the instance's own
   attributes, then a non-data descriptor or class variable. An instance's own
   attributes are inline values (Objects/instance_attrs.c) for types with a managed
   dict; otherwise they are in the dict at tp_dictoffset. */
#include "Python.h"
#include "internal/attr_place.h"
#include "internal/instance_attrs.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/pystate.h"
#include "internal/type.h"

static int
check_name(PyObject *name)
{
    if (PyUnicode_Check(name)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "attribute name must be string, not '%.200s'",
                 Py_TYPE(name)->tp_name);
    return -1;
}

/* ----------------------------------------------------------- AttributeError */

void
_PyObject_AddAttributeErrorContext(PyObject *op, PyObject *name)
{
    PyObject *current = _PyThreadState_GET()->curexc_value;
    if (current != NULL && Py_IS_TYPE(current, (PyTypeObject *)PyExc_AttributeError)
        && ((PyAttributeErrorObject *)current)->name != NULL) {
        return;                 /* it has its context */
    }
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (PyErr_GivenExceptionMatches(value, PyExc_AttributeError)) {
        PyAttributeErrorObject *error = (PyAttributeErrorObject *)value;
        if (error->name == NULL && error->obj == NULL) {
            error->name = Py_NewRef(name);
            error->obj = Py_NewRef(op);
        }
    }
    PyErr_Restore(type, value, traceback);
}

/* 3.11's text. Programs ask for attributes that may be missing all the time, so the usual one is
   put together without a format. */
static PyObject *
no_attribute_text(const char *type_name, PyObject *name)
{
    static const char middle[] = "' object has no attribute '";
    const size_t middle_size = sizeof(middle) - 1;
    size_t n = strnlen(type_name, 50), length = (size_t)PyUnicode_GET_LENGTH(name), i = 0;
    while (i < n && (signed char)type_name[i] > 0) {
        i++;
    }
    if (i < n || !PyUnicode_IS_READY(name) || !PyUnicode_IS_ASCII(name)) {
        return PyUnicode_FromFormat("'%.50s' object has no attribute '%U'", type_name, name);
    }
    PyObject *text = PyUnicode_New((Py_ssize_t)(1 + n + middle_size + length + 1), 127);
    if (text != NULL) {
        char *to = (char *)PyUnicode_1BYTE_DATA(text);
        *to++ = '\'';
        to = (char *)memcpy(to, type_name, n) + n;
        to = (char *)memcpy(to, middle, middle_size) + middle_size;
        to = (char *)memcpy(to, PyUnicode_1BYTE_DATA(name), length) + length;
        *to = '\'';
    }
    return text;
}

/* Sets AttributeError(name, obj). */
static void
set_attribute_error(PyObject *op, PyObject *name)
{
    PyObject *text = no_attribute_text(Py_TYPE(op)->tp_name, name);
    PyObject *error = text == NULL ? NULL : PyObject_CallOneArg(PyExc_AttributeError, text);
    if (error != NULL) {
        ((PyAttributeErrorObject *)error)->name = Py_NewRef(name);
        ((PyAttributeErrorObject *)error)->obj = Py_NewRef(op);
        PyErr_SetObject(PyExc_AttributeError, error);
        Py_DECREF(error);
    }
    Py_XDECREF(text);
}

static int
suppress_attribute_error(void)
{
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) {
        return 0;
    }
    PyErr_Clear();
    return 1;
}

/* ------------------------------------- where an instance's dictionary lives */

/* The address of the dict pointer inside the object. NULL if the type has none or has a
   managed dict. */
static inline PyObject **
plain_dict_pointer(PyObject *op, PyTypeObject *type)
{
    Py_ssize_t offset = type->tp_dictoffset;
    if (offset == 0) {
        return NULL;
    }
    if (offset < 0) {
        /* Counted from the end of a variable-sized object. */
        Py_ssize_t items = Py_SIZE(op);
        if (items < 0) {
            items = -items;
        }
        offset += (Py_ssize_t)_PyObject_VAR_SIZE(type, items);
    }
    return (PyObject **)((char *)op + offset);
}

PyObject **
_PyObject_GetDictPtr(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    if (!(type->tp_flags & Py_TPFLAGS_MANAGED_DICT)) {
        return plain_dict_pointer(op, type);
    }
    PyObject *dict = _PyInstance_GetDict(op);
    if (dict == NULL) {
        PyErr_Clear();
        return NULL;
    }
    Py_DECREF(dict);
    return _PyInstance_DictSlot(op);
}

PyObject *
_PyObject_GetDict(PyObject *op)
{
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        return _PyInstance_GetDict(op);
    }
    PyObject **slot = plain_dict_pointer(op, type);
    if (slot == NULL) {
        PyErr_SetString(PyExc_AttributeError,
                        "This object has no __dict__");
        return NULL;
    }
    if (*slot == NULL) {
        *slot = PyDict_New();
    }
    return Py_XNewRef(*slot);
}

PyObject *
PyObject_GenericGetDict(PyObject *op, void *Py_UNUSED(context))
{
    return _PyObject_GetDict(op);
}

int
PyObject_GenericSetDict(PyObject *op, PyObject *value,
                        void *Py_UNUSED(context))
{
    PyTypeObject *type = Py_TYPE(op);
    int managed = (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) != 0;
    PyObject **slot = managed ? NULL : plain_dict_pointer(op, type);
    if (!managed && slot == NULL) {
        PyErr_SetString(PyExc_AttributeError, "This object has no __dict__");
        return -1;
    }
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "cannot delete __dict__");
        return -1;
    }
    if (!PyDict_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "__dict__ must be set to a dictionary, "
                     "not a '%.200s'", Py_TYPE(value)->tp_name);
        return -1;
    }
    if (managed) {
        return _PyInstance_SetDict(op, value);
    }
    Py_INCREF(value);
    Py_XSETREF(*slot, value);
    return 0;
}

/* ---------------------------------------------------------- generic getattr */

/* Returns a new reference, or NULL without an exception if the instance has no such
   attribute of its own. */
static inline PyObject *
own_attribute(PyObject *op, PyTypeObject *type, PyObject *name)
{
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        return _PyInstance_GetAttr(op, name);
    }
    PyObject **slot = plain_dict_pointer(op, type);
    if (slot == NULL || *slot == NULL) {
        return NULL;
    }
    PyObject *dict = Py_NewRef(*slot);
    PyObject *result = Py_XNewRef(PyDict_GetItemWithError(dict, name));
    Py_DECREF(dict);
    return result;
}

/* The part of the search after the type's: `descr` (borrowed) is what was found in the
   type. */
static inline PyObject *
get_found(PyObject *op, PyObject *name, PyObject *descr, PyObject *dict, int suppress)
{
    PyTypeObject *type = Py_TYPE(op);
    PyObject *result = NULL;
    descrgetfunc get = NULL;
    if (descr != NULL) {
        Py_INCREF(descr);
        get = Py_TYPE(descr)->tp_descr_get;
        if (get != NULL && Py_TYPE(descr)->tp_descr_set != NULL) {
            result = get(descr, op, (PyObject *)type);
            if (result == NULL && suppress) {
                suppress_attribute_error();
            }
            goto done;
        }
    }
    if (dict == NULL) {
        result = own_attribute(op, type, name);
    }
    else {
        Py_INCREF(dict);
        result = Py_XNewRef(PyDict_GetItemWithError(dict, name));
        Py_DECREF(dict);
    }
    if (result != NULL) {
        goto done;
    }
    /* An exception is possible here only if the name is not an exact str. */
    if (__builtin_expect(!PyUnicode_CheckExact(name), 0)
        && PyErr_Occurred()) {
        if (suppress) {
            suppress_attribute_error();
        }
        goto done;
    }
    if (get != NULL) {
        result = get(descr, op, (PyObject *)type);
        if (result == NULL && suppress) {
            suppress_attribute_error();
        }
    }
    else if (descr != NULL) {
        result = descr;
        descr = NULL;
    }
    else if (!suppress) {
        set_attribute_error(op, name);
    }
done:
    Py_XDECREF(descr);
    return result;
}

/* A name may be of a subclass of str. The dictionaries of types need exact strs with
   the usual hash; PyDict takes care of that. */
PyObject *
_PyObject_GenericGetAttrWithDict(PyObject *op, PyObject *name, PyObject *dict,
                                 int suppress)
{
    PyTypeObject *type = Py_TYPE(op);
    if (!PyUnicode_CheckExact(name) && check_name(name) < 0) {
        return NULL;
    }
    if (__builtin_expect(type->tp_dict == NULL, 0)
        && PyType_Ready(type) < 0) {
        return NULL;
    }
    Py_INCREF(name);
    PyObject *result = get_found(op, name, _PyType_LookupInline(type, name), dict, suppress);
    Py_DECREF(name);
    return result;
}

PyObject *
_PyObject_GetAttrFound(PyObject *op, PyObject *name, PyObject *descr)
{
    PyObject *result = get_found(op, name, descr, NULL, 0);
    if (result == NULL) {
        _PyObject_AddAttributeErrorContext(op, name);
    }
    return result;
}

PyObject *
PyObject_GenericGetAttr(PyObject *op, PyObject *name)
{
    return _PyObject_GenericGetAttrWithDict(op, name, NULL, 0);
}

/* ---------------------------------------------------------- generic setattr */

static int
no_such_attribute(PyObject *op, PyObject *name)
{
    if (PyType_Check(op)) {
        PyErr_Format(PyExc_AttributeError,
                     "type object '%.50s' has no attribute '%U'",
                     ((PyTypeObject *)op)->tp_name, name);
    }
    else {
        PyErr_Format(PyExc_AttributeError,
                     "'%.100s' object has no attribute '%U'",
                     Py_TYPE(op)->tp_name, name);
    }
    return -1;
}

static int
store_in_dict(PyObject *op, PyObject *dict, PyObject *name, PyObject *value)
{
    int status;
    Py_INCREF(dict);
    if (value != NULL) {
        status = PyDict_SetItem(dict, name, value);
    }
    else {
        status = PyDict_DelItem(dict, name);
        if (status < 0 && PyErr_ExceptionMatches(PyExc_KeyError)) {
            PyErr_Clear();
            status = no_such_attribute(op, name);
        }
    }
    Py_DECREF(dict);
    return status;
}

/* Sets one of the instance's own attributes. `descr` is what was found in the type; it
   is not a data descriptor. */
static int
set_own_attribute(PyObject *op, PyObject *name, PyObject *value, PyObject *descr)
{
    PyTypeObject *type = Py_TYPE(op);
    if (type->tp_flags & Py_TPFLAGS_MANAGED_DICT) {
        int status = _PyInstance_StoreAttr(op, name, value);
        return status > 0 ? no_such_attribute(op, name) : status;
    }
    PyObject **slot = plain_dict_pointer(op, type);
    if (slot == NULL) {
        if (descr == NULL) {
            return no_such_attribute(op, name);
        }
        PyErr_Format(PyExc_AttributeError,
                     "'%.50s' object attribute '%U' is read-only",
                     type->tp_name, name);
        return -1;
    }
    if (*slot == NULL) {
        /* For a deletion too: __reduce__() of an exception tells an empty one from none. */
        *slot = PyDict_New();
        if (*slot == NULL) {
            return -1;
        }
    }
    return store_in_dict(op, *slot, name, value);
}

/* The part of the search after the type's: `descr` (borrowed) is what was found in the
   type. */
static inline int
set_found(PyObject *op, PyObject *name, PyObject *value, PyObject *descr, PyObject *dict)
{
    descrsetfunc set = descr != NULL ? Py_TYPE(descr)->tp_descr_set : NULL;
    if (set != NULL) {
        Py_INCREF(descr);
        int status = set(descr, op, value);
        Py_DECREF(descr);
        return status;
    }
    return dict != NULL ? store_in_dict(op, dict, name, value)
                        : set_own_attribute(op, name, value, descr);
}

int
_PyObject_GenericSetAttrWithDict(PyObject *op, PyObject *name,
                                 PyObject *value, PyObject *dict)
{
    PyTypeObject *type = Py_TYPE(op);
    if (!PyUnicode_CheckExact(name) && check_name(name) < 0) {
        return -1;
    }
    if (type->tp_dict == NULL && PyType_Ready(type) < 0) {
        return -1;
    }
    Py_INCREF(name);
    int status = set_found(op, name, value, _PyType_LookupInline(type, name), dict);
    Py_DECREF(name);
    return status;
}

int
_PyObject_SetAttrFound(PyObject *op, PyObject *name, PyObject *value, PyObject *descr)
{
    return set_found(op, name, value, descr, NULL);
}

int
PyObject_GenericSetAttr(PyObject *op, PyObject *name, PyObject *value)
{
    return _PyObject_GenericSetAttrWithDict(op, name, value, NULL);
}

/* ---------------------------------------------------------------------- get */

/* What the method cache says of an attribute of an object with generic access: 1 with *value, a
   new reference, or NULL with the exception of a descriptor; 0: the object certainly lacks it;
   -1: it has to be searched for. */
static inline int
known_attribute(PyObject *op, PyTypeObject *type, PyObject *name, PyObject **value)
{
    if (!PyUnicode_CHECK_INTERNED(name)) {
        return -1;
    }
    struct _PyType_CacheEntry *entry = _PyAttr_Known(type, name);
    if (entry == NULL) {
        return -1;
    }
    if (entry->value == NULL && type->tp_dictoffset == 0) {
        return 0;               /* neither the type has it, nor can instances */
    }
    int kind = PLACE_KIND(entry->place);
    if (kind == PLACE_UNKNOWN || kind == PLACE_DICT) {
        (void)_PyAttr_LookUp(op, name);         /* the shared keys may have it by now */
        if ((entry = _PyAttr_Known(type, name)) == NULL) {
            return -1;
        }
        kind = PLACE_KIND(entry->place);
    }
    if (kind == PLACE_UNKNOWN || kind == PLACE_SEARCH || kind == PLACE_PROPERTY) {
        return -1;
    }
    if (_PyAttr_OnlyDescriptorGets(op, entry)) {
        PyObject *descr = Py_NewRef(entry->value);
        *value = Py_TYPE(descr)->tp_descr_get(descr, op, (PyObject *)type);
        Py_DECREF(descr);
        return 1;
    }
    *value = Py_XNewRef(_PyAttr_PlacedValue(op, name));
    if (*value != NULL) {
        return 1;
    }
    return (kind == PLACE_DICT || (kind == PLACE_INLINE && entry->value == NULL))
           && _PyAttr_OwnDictLacks(op, name) ? 0 : -1;
}

PyObject *
PyObject_GetAttr(PyObject *op, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(op);
    PyObject *result;

    if (!PyUnicode_Check(name)) {
        check_name(name);
        return NULL;
    }
    int known = type->tp_getattro == PyObject_GenericGetAttr
                ? known_attribute(op, type, name, &result) : -1;
    if (known == 0) {
        set_attribute_error(op, name);
        return NULL;
    }
    if (known > 0) {
        if (result == NULL) {
            _PyObject_AddAttributeErrorContext(op, name);
        }
        return result;
    }
    if (type->tp_getattro != NULL) {
        result = type->tp_getattro(op, name);
    }
    else if (type->tp_getattr != NULL) {
        const char *text = PyUnicode_AsUTF8(name);
        if (text == NULL) {
            return NULL;
        }
        result = type->tp_getattr(op, (char *)text);
    }
    else {
        set_attribute_error(op, name);
        return NULL;
    }
    if (result == NULL) {
        _PyObject_AddAttributeErrorContext(op, name);
    }
    return result;
}

int
_PyObject_LookupAttr(PyObject *op, PyObject *name, PyObject **result)
{
    PyTypeObject *type = Py_TYPE(op);

    if (!PyUnicode_Check(name)) {
        *result = NULL;
        return check_name(name);
    }
    if (type->tp_getattro == PyObject_GenericGetAttr) {
        int known = known_attribute(op, type, name, result);
        if (known == 0) {
            *result = NULL;
            return 0;
        }
        if (known < 0) {
            *result = _PyObject_GenericGetAttrWithDict(op, name, NULL, 1);
            return *result != NULL ? 1 : PyErr_Occurred() ? -1 : 0;
        }
        return *result != NULL ? 1 : suppress_attribute_error() ? 0 : -1;
    }
    if (type->tp_getattro == _PyType_GetAttr) {
        *result = _PyType_GetAttrOrNull((PyTypeObject *)op, name);
        if (*result == NULL && !PyErr_Occurred()) {
            return 0;
        }
    }
    else if (type->tp_getattro != NULL) {
        *result = type->tp_getattro(op, name);
    }
    else if (type->tp_getattr != NULL) {
        const char *text = PyUnicode_AsUTF8(name);
        *result = text == NULL ? NULL : type->tp_getattr(op, (char *)text);
    }
    else {
        *result = NULL;
        return 0;
    }
    if (*result != NULL) {
        return 1;
    }
    return suppress_attribute_error() ? 0 : -1;
}

int
PyObject_HasAttr(PyObject *op, PyObject *name)
{
    PyObject *value;
    int found = _PyObject_LookupAttr(op, name, &value);
    if (found < 0) {
        PyErr_Clear();
        return 0;
    }
    Py_XDECREF(value);
    return found;
}

int
_PyObject_GetMethod(PyObject *op, PyObject *name, PyObject **method)
{
    PyTypeObject *type = Py_TYPE(op);

    if (type->tp_getattro != PyObject_GenericGetAttr
        || !PyUnicode_CheckExact(name)) {
        *method = PyObject_GetAttr(op, name);
        return 0;
    }
    if (type->tp_dict == NULL && PyType_Ready(type) < 0) {
        *method = NULL;
        return 0;
    }
    descrgetfunc get = NULL;
    int unbound = 0;
    PyObject *descr = Py_XNewRef(_PyType_LookupInline(type, name));
    if (descr != NULL) {
        PyTypeObject *kind = Py_TYPE(descr);
        if (kind->tp_flags & Py_TPFLAGS_METHOD_DESCRIPTOR) {
            unbound = 1;
        }
        else {
            get = kind->tp_descr_get;
            if (get != NULL && kind->tp_descr_set != NULL) {
                *method = get(descr, op, (PyObject *)type);
                Py_DECREF(descr);
                goto check;
            }
        }
    }
    PyObject *own = own_attribute(op, type, name);
    if (own != NULL) {
        Py_XDECREF(descr);
        *method = own;
        return 0;
    }
    if (unbound) {
        *method = descr;
        return 1;
    }
    if (get != NULL) {
        *method = get(descr, op, (PyObject *)type);
        Py_DECREF(descr);
        goto check;
    }
    *method = descr;
    if (descr == NULL) {
        set_attribute_error(op, name);
    }
    return 0;
check:
    if (*method == NULL) {
        _PyObject_AddAttributeErrorContext(op, name);
    }
    return 0;
}

/* ---------------------------------------------------------------------- set */

static int
refuse_store(PyObject *op, PyObject *name, int deleting)
{
    PyTypeObject *type = Py_TYPE(op);
    int readable = type->tp_getattr != NULL || type->tp_getattro != NULL;
    PyErr_Format(PyExc_TypeError,
                 readable ? "'%.100s' object has only read-only attributes "
                            "(%s .%U)"
                          : "'%.100s' object has no attributes (%s .%U)",
                 type->tp_name, deleting ? "del" : "assign to", name);
    return -1;
}

int
PyObject_SetAttr(PyObject *op, PyObject *name, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(op);

    if (!PyUnicode_Check(name)) {
        return check_name(name);
    }
    Py_INCREF(name);
    PyUnicode_InternInPlace(&name);
    int status;
    if (type->tp_setattro != NULL) {
        status = type->tp_setattro(op, name, value);
    }
    else if (type->tp_setattr != NULL) {
        const char *text = PyUnicode_AsUTF8(name);
        status = text == NULL ? -1 : type->tp_setattr(op, (char *)text, value);
    }
    else {
        status = refuse_store(op, name, value == NULL);
    }
    Py_DECREF(name);
    return status;
}

/* --------------------------------- names as C strings and as _Py_Identifier */

PyObject *
PyObject_GetAttrString(PyObject *op, const char *text)
{
    if (Py_TYPE(op)->tp_getattr != NULL) {
        return Py_TYPE(op)->tp_getattr(op, (char *)text);
    }
    PyObject *name = PyUnicode_FromString(text);
    if (name == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_GetAttr(op, name);
    Py_DECREF(name);
    return result;
}

int
PyObject_SetAttrString(PyObject *op, const char *text, PyObject *value)
{
    if (Py_TYPE(op)->tp_setattr != NULL) {
        return Py_TYPE(op)->tp_setattr(op, (char *)text, value);
    }
    PyObject *name = PyUnicode_InternFromString(text);
    if (name == NULL) {
        return -1;
    }
    int status = PyObject_SetAttr(op, name, value);
    Py_DECREF(name);
    return status;
}

int
PyObject_HasAttrString(PyObject *op, const char *text)
{
    PyObject *value = PyObject_GetAttrString(op, text);
    if (value == NULL) {
        PyErr_Clear();
        return 0;
    }
    Py_DECREF(value);
    return 1;
}

PyObject *
_PyObject_GetAttrId(PyObject *op, _Py_Identifier *id)
{
    PyObject *name = _PyUnicode_FromId(id);     /* borrowed */
    return name == NULL ? NULL : PyObject_GetAttr(op, name);
}

int
_PyObject_SetAttrId(PyObject *op, _Py_Identifier *id, PyObject *value)
{
    PyObject *name = _PyUnicode_FromId(id);
    return name == NULL ? -1 : PyObject_SetAttr(op, name, value);
}

int
_PyObject_LookupAttrId(PyObject *op, _Py_Identifier *id, PyObject **result)
{
    PyObject *name = _PyUnicode_FromId(id);
    if (name == NULL) {
        *result = NULL;
        return -1;
    }
    return _PyObject_LookupAttr(op, name, result);
}

/* --------------------------------------------- special attributes and slots */

int
_PyObject_IsAbstract(PyObject *op)
{
    if (op == NULL) {
        return 0;
    }
    /* A property asks its functions, and may be one of them. */
    if (Py_EnterRecursiveCall(" while asking for __isabstractmethod__")) {
        return -1;
    }
    PyObject *flag;
    int found = _PyObject_LookupAttr(op, _Py_NAME(dunder_isabstractmethod),
                                     &flag);
    Py_LeaveRecursiveCall();
    if (found > 0) {
        found = PyObject_IsTrue(flag);
        Py_DECREF(flag);
    }
    return found;
}

PyObject *
PyObject_SelfIter(PyObject *op)
{
    return Py_NewRef(op);
}

/* tp_iternext of a type with `__next__ = None`. */
PyObject *
_PyObject_NextNotImplemented(PyObject *op)
{
    PyErr_Format(PyExc_TypeError, "'%.200s' object is not iterable",
                 Py_TYPE(op)->tp_name);
    return NULL;
}
