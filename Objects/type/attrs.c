/* The attributes of a class object itself: __name__, __bases__, __doc__ and others, and
   the effects of setting them. */
#include "private.h"

/* -------------------------------------------------------------------- names */

static const char *
short_name(PyTypeObject *type)
{
    const char *dot = strrchr(type->tp_name, '.');
    return dot == NULL ? type->tp_name : dot + 1;
}

const char *
_PyType_Name(PyTypeObject *type)
{
    return short_name(type);
}

static PyObject *
get_name(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (type_is_heap(type)) {
        return Py_NewRef(((PyHeapTypeObject *)type)->ht_name);
    }
    return PyUnicode_FromString(short_name(type));
}

PyObject *
PyType_GetName(PyTypeObject *type)
{
    return get_name((PyObject *)type, NULL);
}

PyObject *
_PyType_QualifiedName(PyTypeObject *type)
{
    if (type_is_heap(type)) {
        return Py_NewRef(((PyHeapTypeObject *)type)->ht_qualname);
    }
    return PyUnicode_FromString(short_name(type));
}

PyObject *
PyType_GetQualName(PyTypeObject *type)
{
    return _PyType_QualifiedName(type);
}

static PyObject *
get_qualname(PyObject *self, void *Py_UNUSED(closure))
{
    return _PyType_QualifiedName((PyTypeObject *)self);
}

/* Returns 1 if the attribute of this type may be set (or deleted). */
static int
check_special_set(PyTypeObject *type, PyObject *value, const char *name)
{
    if (has_flag(type, Py_TPFLAGS_IMMUTABLETYPE)) {
        PyErr_Format(PyExc_TypeError,
                     "cannot set '%s' attribute of immutable type '%s'",
                     name, type->tp_name);
        return 0;
    }
    if (value == NULL) {
        PyErr_Format(PyExc_TypeError,
                     "cannot delete '%s' attribute of immutable type '%s'",
                     name, type->tp_name);
        return 0;
    }
    return PySys_Audit("object.__setattr__", "OsO", type, name, value) >= 0;
}

static int
set_name(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!check_special_set(type, value, "__name__")) {
        return -1;
    }
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "can only assign string to %s.__name__, not '%s'",
                     type->tp_name, Py_TYPE(value)->tp_name);
        return -1;
    }
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(value, &length);
    if (text == NULL) {
        return -1;
    }
    if (strlen(text) != (size_t)length) {
        PyErr_Format(PyExc_ValueError,
                     "type name must not contain null characters");
        return -1;
    }
    type->tp_name = text;       /* lives in ht_name */
    Py_INCREF(value);
    Py_SETREF(((PyHeapTypeObject *)type)->ht_name, value);
    return 0;
}

static int
set_qualname(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!check_special_set(type, value, "__qualname__")) {
        return -1;
    }
    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "can only assign string to %s.__qualname__, not '%s'",
                     type->tp_name, Py_TYPE(value)->tp_name);
        return -1;
    }
    Py_INCREF(value);
    Py_SETREF(((PyHeapTypeObject *)type)->ht_qualname, value);
    return 0;
}

/* --------------------------------------------------------------- __module__ */

PyObject *
_PyType_ModuleName(PyTypeObject *type)
{
    if (type_is_heap(type)) {
        PyObject *module = PyDict_GetItemWithError(type->tp_dict,
                                                   _Py_NAME(dunder_module));
        if (module == NULL && !PyErr_Occurred()) {
            PyErr_SetObject(PyExc_AttributeError, _Py_NAME(dunder_module));
        }
        return Py_XNewRef(module);
    }
    const char *dot = strrchr(type->tp_name, '.');
    if (dot == NULL) {
        return Py_NewRef(_Py_NAME(builtins));
    }
    PyObject *module = PyUnicode_FromStringAndSize(type->tp_name,
                                                   dot - type->tp_name);
    if (module != NULL) {
        PyUnicode_InternInPlace(&module);
    }
    return module;
}

static PyObject *
get_module(PyObject *self, void *Py_UNUSED(closure))
{
    return _PyType_ModuleName((PyTypeObject *)self);
}

static int
set_module(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!check_special_set(type, value, "__module__")) {
        return -1;
    }
    PyType_Modified(type);
    return PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_module), value);
}

/* ------------------------------------------------------ __abstractmethods__ */

/* `type` has this descriptor in its own dict, but type itself has no such attribute. */
static PyObject *
get_abstractmethods(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    PyObject *methods = NULL;
    if (type != &PyType_Type) {
        methods = PyDict_GetItemWithError(type->tp_dict,
                                          _Py_NAME(dunder_abstractmethods));
    }
    if (methods == NULL && !PyErr_Occurred()) {
        PyErr_SetObject(PyExc_AttributeError,
                        _Py_NAME(dunder_abstractmethods));
    }
    return Py_XNewRef(methods);
}

static int
set_abstractmethods(PyObject *self, PyObject *value,
                    void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    int abstract, status;
    if (value != NULL) {
        abstract = PyObject_IsTrue(value);
        if (abstract < 0) {
            return -1;
        }
        status = PyDict_SetItem(type->tp_dict,
                                _Py_NAME(dunder_abstractmethods), value);
    }
    else {
        abstract = 0;
        status = PyDict_DelItem(type->tp_dict,
                                _Py_NAME(dunder_abstractmethods));
        if (status < 0 && PyErr_ExceptionMatches(PyExc_KeyError)) {
            PyErr_SetObject(PyExc_AttributeError,
                            _Py_NAME(dunder_abstractmethods));
        }
    }
    if (status < 0) {
        return -1;
    }
    PyType_Modified(type);
    if (abstract) {
        type->tp_flags |= Py_TPFLAGS_IS_ABSTRACT;
    }
    else {
        type->tp_flags &= ~Py_TPFLAGS_IS_ABSTRACT;
    }
    return 0;
}

/* ---------------------------------------------------------------- __bases__ */

static PyObject *
get_bases(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(((PyTypeObject *)self)->tp_bases);
}

/* Recomputes the MRO of a type and of all its subclasses. `undo` collects (type, new
   MRO, old MRO), in case a later one fails. */
static int
update_mro_tree(PyTypeObject *type, PyObject *undo)
{
    PyObject *old;
    int changed = _PyMro_Update(type, &old);
    if (changed <= 0) {
        return changed;
    }
    PyObject *entry = old != NULL
        ? PyTuple_Pack(3, type, type->tp_mro, old)
        : PyTuple_Pack(2, type, type->tp_mro);
    int status = entry == NULL ? -1 : PyList_Append(undo, entry);
    Py_XDECREF(entry);
    if (status < 0) {
        Py_XSETREF(type->tp_mro, old);
        return -1;
    }
    Py_XDECREF(old);
    PyObject *subclasses = _PyType_GetSubclasses(type);
    if (subclasses == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(subclasses) && status >= 0;
         i++) {
        status = update_mro_tree(
            (PyTypeObject *)PyList_GET_ITEM(subclasses, i), undo);
    }
    Py_DECREF(subclasses);
    return status;
}

static void
undo_mro_tree(PyObject *undo)
{
    for (Py_ssize_t i = PyList_GET_SIZE(undo) - 1; i >= 0; i--) {
        PyObject *entry = PyList_GET_ITEM(undo, i);
        PyTypeObject *type = (PyTypeObject *)PyTuple_GET_ITEM(entry, 0);
        /* A reentrant change came later than ours, so it stays. */
        if (type->tp_mro == PyTuple_GET_ITEM(entry, 1)
            && PyTuple_GET_SIZE(entry) == 3) {
            Py_SETREF(type->tp_mro, Py_NewRef(PyTuple_GET_ITEM(entry, 2)));
            PyType_Modified(type);
        }
    }
}

static int
check_new_bases(PyTypeObject *type, PyObject *bases)
{
    if (!PyTuple_Check(bases)) {
        PyErr_Format(PyExc_TypeError,
                     "can only assign tuple to %s.__bases__, not %s",
                     type->tp_name, Py_TYPE(bases)->tp_name);
        return -1;
    }
    if (PyTuple_GET_SIZE(bases) == 0) {
        PyErr_Format(PyExc_TypeError,
                     "can only assign non-empty tuple to %s.__bases__, "
                     "not ()", type->tp_name);
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); i++) {
        PyObject *item = PyTuple_GET_ITEM(bases, i);
        if (!PyType_Check(item)) {
            PyErr_Format(PyExc_TypeError,
                         "%s.__bases__ must be tuple of classes, not '%s'",
                         type->tp_name, Py_TYPE(item)->tp_name);
            return -1;
        }
        PyTypeObject *base = (PyTypeObject *)item;
        int cycle = PyType_IsSubtype(base, type);
        for (PyTypeObject *b = base; !cycle && b != NULL; b = b->tp_base) {
            /* While a custom mro() runs, the MRO is not reliable. */
            cycle = b == type;
        }
        if (cycle) {
            PyErr_SetString(PyExc_TypeError,
                            "a __bases__ item causes an inheritance cycle");
            return -1;
        }
    }
    return 0;
}

static int
set_bases(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!check_special_set(type, value, "__bases__")
        || check_new_bases(type, value) < 0) {
        return -1;
    }
    PyTypeObject *new_base = _PyType_BestBase(value);
    if (new_base == NULL
        || !_PyType_SameLayout(type->tp_base, new_base, "__bases__")) {
        return -1;
    }
    PyObject *old_bases = type->tp_bases;
    PyTypeObject *old_base = type->tp_base;
    type->tp_bases = Py_NewRef(value);
    type->tp_base = (PyTypeObject *)Py_NewRef(new_base);

    PyObject *undo = PyList_New(0);
    if (undo == NULL || update_mro_tree(type, undo) < 0) {
        if (undo != NULL) {
            undo_mro_tree(undo);
            Py_DECREF(undo);
        }
        /* Not if a custom mro() has assigned other bases meanwhile. */
        if (type->tp_bases == value) {
            type->tp_bases = old_bases;
            type->tp_base = old_base;
            Py_DECREF(value);
            Py_DECREF(new_base);
        }
        else {
            Py_DECREF(old_bases);
            Py_DECREF(old_base);
        }
        return -1;
    }
    Py_DECREF(undo);
    int status = 0;
    if (type->tp_bases == value) {
        _PyType_RemoveAllSubclasses(type, old_bases);
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); i++) {
            PyObject *base = PyTuple_GET_ITEM(value, i);
            if (_PyType_AddSubclass((PyTypeObject *)base, type) < 0) {
                status = -1;
            }
        }
        _PyType_UpdateAllSlots(type);
    }
    Py_DECREF(old_bases);
    Py_DECREF(old_base);
    return status;
}

/* ------------------------------------ __dict__, __doc__, __text_signature__ */

static PyObject *
get_dict(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (type->tp_dict == NULL) {
        Py_RETURN_NONE;
    }
    return PyDictProxy_New(type->tp_dict);
}

#define SIGNATURE_END ")\n--\n\n"

/* Returns the text after "name" if a signature follows, else NULL. */
static const char *
find_signature(const char *name, const char *doc)
{
    if (doc == NULL) {
        return NULL;
    }
    const char *dot = strrchr(name, '.');
    if (dot != NULL) {
        name = dot + 1;
    }
    size_t length = strlen(name);
    if (strncmp(doc, name, length) != 0 || doc[length] != '(') {
        return NULL;
    }
    return doc + length;
}

/* The end of the signature: the text after SIGNATURE_END, or NULL. If a blank line
   comes before it, the parenthesis belongs to prose. */
static const char *
skip_signature(const char *doc)
{
    for (; *doc != '\0'; doc++) {
        if (strncmp(doc, SIGNATURE_END, strlen(SIGNATURE_END)) == 0) {
            return doc + strlen(SIGNATURE_END);
        }
        if (doc[0] == '\n' && doc[1] == '\n') {
            return NULL;
        }
    }
    return NULL;
}

const char *
_PyType_DocWithoutSignature(const char *name, const char *doc)
{
    const char *signature = find_signature(name, doc);
    if (signature != NULL) {
        const char *text = skip_signature(signature);
        if (text != NULL) {
            return text;
        }
    }
    return doc;
}

PyObject *
_PyType_GetDocFromInternalDoc(const char *name, const char *doc)
{
    const char *text = _PyType_DocWithoutSignature(name, doc);
    if (text == NULL || *text == '\0') {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(text);
}

PyObject *
_PyType_GetTextSignatureFromInternalDoc(const char *name, const char *doc)
{
    const char *start = find_signature(name, doc);
    const char *end = start == NULL ? NULL : skip_signature(start);
    if (end == NULL) {
        Py_RETURN_NONE;
    }
    /* Up to and including the closing parenthesis. */
    return PyUnicode_FromStringAndSize(
        start, end - start - (Py_ssize_t)strlen(SIGNATURE_END) + 1);
}

static PyObject *
get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!type_is_heap(type) && type->tp_doc != NULL) {
        return _PyType_GetDocFromInternalDoc(type->tp_name, type->tp_doc);
    }
    PyObject *doc = PyDict_GetItemWithError(type->tp_dict,
                                            _Py_NAME(dunder_doc));
    if (doc == NULL) {
        if (PyErr_Occurred()) {
            return NULL;
        }
        Py_RETURN_NONE;
    }
    descrgetfunc get = Py_TYPE(doc)->tp_descr_get;
    return get != NULL ? get(doc, NULL, self) : Py_NewRef(doc);
}

static int
set_doc(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!check_special_set(type, value, "__doc__")) {
        return -1;
    }
    PyType_Modified(type);
    return PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_doc), value);
}

static PyObject *
get_text_signature(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    return _PyType_GetTextSignatureFromInternalDoc(type->tp_name,
                                                   type->tp_doc);
}

/* ---------------------------------------------------------- __annotations__ */

static void
no_annotations(PyTypeObject *type)
{
    PyErr_Format(PyExc_AttributeError,
                 "type object '%s' has no attribute '__annotations__'",
                 type->tp_name);
}

static PyObject *
get_annotations(PyObject *self, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (!type_is_heap(type)) {
        no_annotations(type);
        return NULL;
    }
    PyObject *annotations = PyDict_GetItemWithError(
        type->tp_dict, _Py_NAME(dunder_annotations));
    if (annotations != NULL) {
        descrgetfunc get = Py_TYPE(annotations)->tp_descr_get;
        return get != NULL ? get(annotations, NULL, self)
                           : Py_NewRef(annotations);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    annotations = PyDict_New();
    if (annotations != NULL) {
        if (PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_annotations),
                           annotations) < 0) {
            Py_CLEAR(annotations);
        }
        PyType_Modified(type);
    }
    return annotations;
}

static int
set_annotations(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    PyTypeObject *type = (PyTypeObject *)self;
    if (has_flag(type, Py_TPFLAGS_IMMUTABLETYPE)) {
        PyErr_Format(PyExc_TypeError,
                     "cannot set '__annotations__' attribute of immutable "
                     "type '%s'", type->tp_name);
        return -1;
    }
    int status;
    if (value != NULL) {
        status = PyDict_SetItem(type->tp_dict, _Py_NAME(dunder_annotations),
                                value);
    }
    else {
        status = PyDict_DelItem(type->tp_dict, _Py_NAME(dunder_annotations));
        if (status < 0 && PyErr_ExceptionMatches(PyExc_KeyError)) {
            PyErr_SetString(PyExc_AttributeError, "__annotations__");
        }
    }
    if (status == 0) {
        PyType_Modified(type);
    }
    return status;
}

PyGetSetDef _PyType_GetSets[] = {
    {"__name__", get_name, set_name, NULL, NULL},
    {"__qualname__", get_qualname, set_qualname, NULL, NULL},
    {"__bases__", get_bases, set_bases, NULL, NULL},
    {"__module__", get_module, set_module, NULL, NULL},
    {"__abstractmethods__", get_abstractmethods, set_abstractmethods, NULL,
     NULL},
    {"__dict__", get_dict, NULL, NULL, NULL},
    {"__doc__", get_doc, set_doc, NULL, NULL},
    {"__text_signature__", get_text_signature, NULL, NULL, NULL},
    {"__annotations__", get_annotations, set_annotations, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};
