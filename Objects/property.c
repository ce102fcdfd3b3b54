/* property: attributes computed by functions. */
#include "Python.h"
#include "internal/method_table.h"
#include "internal/property.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"


/* ------------------------------------------------------------------- access */

/* "property 'x' of 'P' object has no setter" */
static void
raise_missing(propertyobject *prop, PyObject *obj, const char *what)
{
    PyObject *qualname = PyObject_GetAttr((PyObject *)Py_TYPE(obj),
                                          _Py_NAME(dunder_qualname));
    if (qualname == NULL) {
        return;
    }
    if (prop->name != NULL) {
        PyErr_Format(PyExc_AttributeError,
                     "property %R of %R object has no %s", prop->name,
                     qualname, what);
    }
    else {
        PyErr_Format(PyExc_AttributeError,
                     "property of %R object has no %s", qualname, what);
    }
    Py_DECREF(qualname);
}

static PyObject *
property_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    propertyobject *prop = (propertyobject *)self;
    if (obj == NULL || obj == Py_None) {
        return Py_NewRef(self);
    }
    if (prop->fget == NULL) {
        raise_missing(prop, obj, "getter");
        return NULL;
    }
    return PyObject_CallOneArg(prop->fget, obj);
}

static int
property_set(PyObject *self, PyObject *obj, PyObject *value)
{
    propertyobject *prop = (propertyobject *)self;
    PyObject *func = value == NULL ? prop->fdel : prop->fset;
    if (func == NULL) {
        if (obj != NULL) {
            raise_missing(prop, obj, value == NULL ? "deleter" : "setter");
        }
        return -1;
    }
    PyObject *args[3] = {NULL, obj, value};
    size_t nargs = value == NULL ? 1 : 2;
    PyObject *result = PyObject_Vectorcall(
        func, args + 1, nargs | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
    if (result == NULL) {
        return -1;
    }
    Py_DECREF(result);
    return 0;
}

/* --------------------------------------------------------------- decorators */

/* A copy of the property self with those functions replaced that are not NULL. */
static PyObject *
copy_with(PyObject *self, PyObject *get, PyObject *set, PyObject *del)
{
    propertyobject *prop = (propertyobject *)self;
    get = get != NULL && get != Py_None ? get
          : prop->fget != NULL ? prop->fget : Py_None;
    set = set != NULL && set != Py_None ? set
          : prop->fset != NULL ? prop->fset : Py_None;
    del = del != NULL && del != Py_None ? del
          : prop->fdel != NULL ? prop->fdel : Py_None;
    PyObject *doc;
    if (prop->doc_from_getter && get != Py_None) {
        doc = Py_None;          /* the new getter gives the docstring again */
    }
    else {
        doc = prop->doc != NULL ? prop->doc : Py_None;
    }
    PyObject *args[4] = {get, set, del, doc};
    PyObject *copy = PyObject_Vectorcall((PyObject *)Py_TYPE(self), args, 4,
                                         NULL);
    if (copy != NULL && PyObject_TypeCheck(copy, &PyProperty_Type)) {
        Py_XINCREF(prop->name);
        Py_XSETREF(((propertyobject *)copy)->name, prop->name);
    }
    return copy;
}

static PyObject *
property_getter(PyObject *self, PyObject *func)
{
    return copy_with(self, func, NULL, NULL);
}

static PyObject *
property_setter(PyObject *self, PyObject *func)
{
    return copy_with(self, NULL, func, NULL);
}

static PyObject *
property_deleter(PyObject *self, PyObject *func)
{
    return copy_with(self, NULL, NULL, func);
}

static PyObject *
property_set_name(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs != 2) {
        PyErr_Format(PyExc_TypeError,
                     "__set_name__() takes 2 positional arguments "
                     "but %zd were given", nargs);
        return NULL;
    }
    propertyobject *prop = (propertyobject *)self;
    Py_INCREF(args[1]);
    Py_XSETREF(prop->name, args[1]);
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------- construction */

/* The getter's docstring, if the property has none of its own. The caller holds the getter, since
   the property may be given another one meanwhile. An instance of a
   subclass stores it in its dictionary, because the subclass has a __doc__ of its own,
   which would hide the field. */
static int
set_doc_from_getter(propertyobject *prop, PyObject *getter)
{
    PyObject *doc;
    int found = _PyObject_LookupAttr(getter, _Py_NAME(dunder_doc), &doc);
    if (found <= 0) {
        return found;
    }
    if (doc == Py_None) {
        Py_CLEAR(doc);
    }
    if (Py_IS_TYPE(prop, &PyProperty_Type)) {
        Py_XSETREF(prop->doc, doc);
    }
    else {
        int status = PyObject_SetAttr((PyObject *)prop, _Py_NAME(dunder_doc),
                                      doc != NULL ? doc : Py_None);
        Py_XDECREF(doc);
        if (status < 0) {
            return -1;
        }
    }
    prop->doc_from_getter = 1;
    return 0;
}

static int
property_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"fget", "fset", "fdel", "doc", NULL};
    PyObject *get = NULL, *set = NULL, *del = NULL, *doc = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOOO:property", names,
                                     &get, &set, &del, &doc)) {
        return -1;
    }
    propertyobject *prop = (propertyobject *)self;
    get = get == Py_None ? NULL : get;
    set = set == Py_None ? NULL : set;
    del = del == Py_None ? NULL : del;
    Py_XSETREF(prop->fget, Py_XNewRef(get));
    Py_XSETREF(prop->fset, Py_XNewRef(set));
    Py_XSETREF(prop->fdel, Py_XNewRef(del));
    Py_XSETREF(prop->doc, Py_XNewRef(doc));
    Py_CLEAR(prop->name);
    prop->doc_from_getter = 0;
    if ((doc == NULL || doc == Py_None) && get != NULL) {
        return set_doc_from_getter(prop, get);
    }
    return 0;
}

/* ----------------------------------------------------------------- the type */

static void
property_dealloc(PyObject *self)
{
    propertyobject *prop = (propertyobject *)self;
    PyObject_GC_UnTrack(self);
    Py_XDECREF(prop->fget);
    Py_XDECREF(prop->fset);
    Py_XDECREF(prop->fdel);
    Py_XDECREF(prop->doc);
    Py_XDECREF(prop->name);
    Py_TYPE(self)->tp_free(self);
}

static int
property_traverse(PyObject *self, visitproc visit, void *arg)
{
    propertyobject *prop = (propertyobject *)self;
    Py_VISIT(prop->fget);
    Py_VISIT(prop->fset);
    Py_VISIT(prop->fdel);
    Py_VISIT(prop->doc);
    Py_VISIT(prop->name);
    return 0;
}

static int
property_clear(PyObject *self)
{
    Py_CLEAR(((propertyobject *)self)->doc);
    return 0;
}

static PyObject *
get_isabstractmethod(PyObject *self, void *Py_UNUSED(closure))
{
    propertyobject *prop = (propertyobject *)self;
    PyObject *const funcs[] = {prop->fget, prop->fset, prop->fdel};
    for (int i = 0; i < 3; i++) {
        int abstract = _PyObject_IsAbstract(funcs[i]);
        if (abstract != 0) {
            return abstract < 0 ? NULL : Py_NewRef(Py_True);
        }
    }
    Py_RETURN_FALSE;
}

static PyMethodDef property_methods[] = {
    {"getter", property_getter, METH_O,
     "Descriptor to obtain a copy of the property with a different getter."},
    {"setter", property_setter, METH_O,
     "Descriptor to obtain a copy of the property with a different setter."},
    {"deleter", property_deleter, METH_O,
     "Descriptor to obtain a copy of the property with a different "
     "deleter."},
    {"__set_name__", FAST_FOR_TUPLE(property_set_name), "Method to set name of a property."},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef property_members[] = {
    {"fget", T_OBJECT, offsetof(propertyobject, fget), READONLY, NULL},
    {"fset", T_OBJECT, offsetof(propertyobject, fset), READONLY, NULL},
    {"fdel", T_OBJECT, offsetof(propertyobject, fdel), READONLY, NULL},
    {"__doc__", T_OBJECT, offsetof(propertyobject, doc), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef property_getsets[] = {
    {"__isabstractmethod__", get_isabstractmethod, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyProperty_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "property",
    .tp_basicsize = sizeof(propertyobject),
    .tp_dealloc = property_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_BASETYPE,
    .tp_doc = "property(fget=None, fset=None, fdel=None, doc=None)\n--\n\n"
              "An attribute that functions compute, which are fget(obj), "
              "fset(obj, value) and fdel(obj).\n"
              "As a decorator it takes the getter; .setter and .deleter add "
              "the others.",
    .tp_traverse = property_traverse,
    .tp_clear = property_clear,
    .tp_methods = property_methods,
    .tp_members = property_members,
    .tp_getset = property_getsets,
    .tp_descr_get = property_get,
    .tp_descr_set = property_set,
    .tp_init = property_init,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = PyType_GenericNew,
    .tp_free = PyObject_GC_Del,
};
