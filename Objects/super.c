/* super: attribute access that starts after a given class in the MRO.

   There are three fields: the class, the object (NULL if unbound), and the object's
   class, whose MRO is searched. super() without arguments takes the class from the cell
   __class__ of the calling function, and the object from its first argument. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/gc.h"
#include "internal/super.h"
#include "internal/type.h"

/* --------------------------------------------------------- attribute access */

static int
is_interned(PyObject *name)
{
    return PyUnicode_CheckExact(name) && PyUnicode_CHECK_INTERNED(name);
}

/* Of a class: what becomes of it when it is asked for by way of an instance of `start`, or of that
   class itself. A new reference. */
static PyObject *
bind_found(PyObject *found, PyTypeObject *start, superobject *su)
{
    Py_INCREF(found);
    descrgetfunc get = Py_TYPE(found)->tp_descr_get;
    if (get != NULL) {
        /* What it calls may replace the object by super.__init__(). */
        PyObject *obj = Py_XNewRef(su->obj);
        /* If the object is the class itself, there is no instance to bind. */
        PyObject *self = obj == (PyObject *)start ? NULL : obj;
        Py_SETREF(found, get(found, self, (PyObject *)start));
        Py_XDECREF(obj);
    }
    return found;
}

/* The class whose own MRO is the rest of this one from i on, as always where each class has one
   base: what the method cache knows of it is the answer. NULL if there is none. */
static PyTypeObject *
class_with_rest(PyObject *mro, Py_ssize_t i)
{
    PyTypeObject *cls = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
    size_t n = (size_t)(PyTuple_GET_SIZE(mro) - i);
    return cls->tp_mro != NULL && (size_t)PyTuple_GET_SIZE(cls->tp_mro) == n
           && memcmp(&PyTuple_GET_ITEM(cls->tp_mro, 0), &PyTuple_GET_ITEM(mro, i),
                     n * sizeof(PyObject *)) == 0 ? cls : NULL;
}

/* Returns a new reference, or NULL without an exception if no class of start's MRO behind the super
   object's has it. Comparing keys may run code that calls super.__init__(). */
static PyObject *
find_behind(superobject *su, PyTypeObject *start, PyObject *name)
{
    PyObject *mro = start->tp_mro;
    if (mro == NULL) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(mro), i = 0;
    while (i + 1 < n && PyTuple_GET_ITEM(mro, i) != (PyObject *)su->type) {
        i++;
    }
    i++;
    if (i >= n) {
        return NULL;
    }
    PyTypeObject *rest = is_interned(name) ? class_with_rest(mro, i) : NULL;
    if (rest != NULL) {
        struct _PyType_CacheEntry *entry = _PyType_CacheSlot(rest->tp_version_tag, name);
        if (entry->name == name && entry->version == rest->tp_version_tag) {
            return entry->value != NULL ? bind_found(entry->value, start, su) : NULL;
        }
    }
    /* Comparing keys may run code that replaces the MRO, or raises. */
    Py_INCREF(mro);
    PyObject *found = NULL;
    for (; found == NULL && i < n; i++) {
        PyTypeObject *cls = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        found = PyDict_GetItemWithError(cls->tp_dict, name);
        if (found == NULL && PyErr_Occurred()) {
            Py_DECREF(mro);
            return NULL;
        }
    }
    Py_XINCREF(found);
    if (rest != NULL) {
        (void)_PyType_Lookup(rest, name);       /* the cache knows it from now on */
    }
    Py_DECREF(mro);
    PyObject *result = found != NULL ? bind_found(found, start, su) : NULL;
    Py_XDECREF(found);
    return result;
}

static PyObject *
super_getattro(PyObject *self, PyObject *name)
{
    superobject *su = (superobject *)self;
    /* __class__ is looked up in the super object itself, so that isinstance() sees its
       class. */
    int is_class = is_interned(name) ? name == _Py_NAME(dunder_class)
        : PyUnicode_Check(name) && _PyUnicode_EqualToASCIIString(name, "__class__");
    if (su->obj_type != NULL && !is_class) {
        Py_INCREF(su->obj_type);
        PyTypeObject *start = su->obj_type;
        PyObject *result = find_behind(su, start, name);
        Py_DECREF(start);
        if (result != NULL || PyErr_Occurred()) {
            return result;
        }
    }
    return PyObject_GenericGetAttr(self, name);
}

/* ------------------------------------------------------------------ binding */

/* The class whose MRO super(type, obj) searches. Returns a new reference, or NULL with
   TypeError. */
static PyTypeObject *
super_check(PyTypeObject *type, PyObject *obj)
{
    /* A class: super(C, cls). */
    if (PyType_Check(obj) && PyType_IsSubtype((PyTypeObject *)obj, type)) {
        return (PyTypeObject *)Py_NewRef(obj);
    }
    if (PyType_IsSubtype(Py_TYPE(obj), type)) {
        return (PyTypeObject *)Py_NewRef(Py_TYPE(obj));
    }
    /* A proxy that claims another class. */
    PyObject *claimed;
    if (_PyObject_LookupAttr(obj, _Py_NAME(dunder_class), &claimed) < 0) {
        return NULL;
    }
    if (claimed != NULL && PyType_Check(claimed)
        && (PyTypeObject *)claimed != Py_TYPE(obj)
        && PyType_IsSubtype((PyTypeObject *)claimed, type)) {
        return (PyTypeObject *)claimed;
    }
    Py_XDECREF(claimed);
    PyErr_SetString(PyExc_TypeError,
                    "super(type, obj): obj must be an instance or subtype "
                    "of type");
    return NULL;
}

static PyObject *
super_descr_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    superobject *su = (superobject *)self;
    if (obj == NULL || obj == Py_None || su->obj != NULL) {
        return Py_NewRef(self);
    }
    if (!Py_IS_TYPE(su, &PySuper_Type)) {
        /* An instance of a subclass is made by calling the subclass. */
        return PyObject_CallFunctionObjArgs((PyObject *)Py_TYPE(su),
                                            su->type, obj, NULL);
    }
    PyTypeObject *obj_type = super_check(su->type, obj);
    if (obj_type == NULL) {
        return NULL;
    }
    superobject *bound = (superobject *)PySuper_Type.tp_alloc(&PySuper_Type,
                                                              0);
    if (bound == NULL) {
        Py_DECREF(obj_type);
        return NULL;
    }
    bound->type = (PyTypeObject *)Py_NewRef(su->type);
    bound->obj = Py_NewRef(obj);
    bound->obj_type = obj_type;
    return (PyObject *)bound;
}

int (*_PySuper_FromFrame)(PyTypeObject **type, PyObject **obj);

static int
super_set(superobject *su, PyTypeObject *type, PyObject *obj)
{
    PyTypeObject *found = NULL;
    PyObject *from_frame = NULL;
    if (type == NULL) {
        if (_PySuper_FromFrame == NULL) {
            PyErr_SetString(PyExc_RuntimeError,
                            "super(): no current frame");
            return -1;
        }
        if (_PySuper_FromFrame(&type, &from_frame) < 0) {
            return -1;
        }
        obj = from_frame;
    }
    else {
        Py_INCREF(type);
        if (obj == Py_None) {
            obj = NULL;
        }
        Py_XINCREF(obj);
    }
    if (obj != NULL) {
        found = super_check(type, obj);
        if (found == NULL) {
            Py_DECREF(type);
            Py_DECREF(obj);
            return -1;
        }
    }
    Py_XSETREF(su->type, (PyTypeObject *)type);
    Py_XSETREF(su->obj, obj);
    Py_XSETREF(su->obj_type, found);
    return 0;
}

static int
super_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *type = NULL;
    PyObject *obj = NULL;
    if (!_PyArg_NoKeywords("super", kwargs)) {
        return -1;
    }
    if (!PyArg_ParseTuple(args, "|O!O:super", &PyType_Type, &type, &obj)) {
        return -1;
    }
    return super_set((superobject *)self, type, obj);
}

static PyObject *
super_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames)
{
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
    if (!_PyArg_NoKwnames("super", kwnames)
        || !_PyArg_CheckPositional("super()", nargs, 0, 2)) {
        return NULL;
    }
    if (nargs > 0 && !PyType_Check(args[0])) {
        PyErr_Format(PyExc_TypeError,
                     "super() argument 1 must be a type, not %.200s",
                     Py_TYPE(args[0])->tp_name);
        return NULL;
    }
    superobject *su = (superobject *)PySuper_Type.tp_alloc(
        (PyTypeObject *)self, 0);
    if (su == NULL) {
        return NULL;
    }
    if (super_set(su, nargs > 0 ? (PyTypeObject *)args[0] : NULL,
                  nargs > 1 ? args[1] : NULL) < 0) {
        Py_DECREF(su);
        return NULL;
    }
    return (PyObject *)su;
}

/* ----------------------------------------------------------------- the type */

static void
super_dealloc(PyObject *self)
{
    superobject *su = (superobject *)self;
    PyObject_GC_UnTrack(self);
    Py_XDECREF(su->obj);
    Py_XDECREF(su->type);
    Py_XDECREF(su->obj_type);
    Py_TYPE(self)->tp_free(self);
}

static int
super_traverse(PyObject *self, visitproc visit, void *arg)
{
    superobject *su = (superobject *)self;
    Py_VISIT(su->obj);
    Py_VISIT(su->type);
    Py_VISIT(su->obj_type);
    return 0;
}

static PyObject *
super_repr(PyObject *self)
{
    superobject *su = (superobject *)self;
    const char *name = su->type != NULL ? su->type->tp_name : "NULL";
    if (su->obj_type != NULL) {
        return PyUnicode_FromFormat("<super: <class '%s'>, <%s object>>",
                                    name, su->obj_type->tp_name);
    }
    return PyUnicode_FromFormat("<super: <class '%s'>, NULL>", name);
}

static PyMemberDef super_members[] = {
    {"__thisclass__", T_OBJECT, offsetof(superobject, type), READONLY,
     "the class invoking super()"},
    {"__self__", T_OBJECT, offsetof(superobject, obj), READONLY,
     "the instance invoking super(); may be None"},
    {"__self_class__", T_OBJECT, offsetof(superobject, obj_type), READONLY,
     "the type of the instance invoking super(); may be None"},
    {NULL, 0, 0, 0, NULL}
};

PyTypeObject PySuper_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "super",
    .tp_basicsize = sizeof(superobject),
    .tp_dealloc = super_dealloc,
    .tp_repr = super_repr,
    .tp_getattro = super_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_BASETYPE,
    .tp_doc = "super() -> super(__class__, <first argument>), in a method\n"
              "super(type, obj) -> access to obj's attributes behind type\n"
              "super(type, type2) -> the same for class attributes\n"
              "super(type) -> not bound: a descriptor\n\n"
              "Looks attributes up in the method resolution order of the "
              "object's class,\nbeginning behind the given type.",
    .tp_traverse = super_traverse,
    .tp_members = super_members,
    .tp_descr_get = super_descr_get,
    .tp_init = super_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = PyType_GenericNew,
    .tp_free = PyObject_GC_Del,
    .tp_vectorcall = super_vectorcall,
};
