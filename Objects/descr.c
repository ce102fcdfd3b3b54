/* Descriptors of C types: methods, class methods, members, getsets, and slot wrappers
   with their bound form, method-wrapper.

   All begin with PyDescrObject: the type they belong to, and their name. A descriptor
   applies only to instances of its type, because its C function relies on their layout. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/call.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/trashcan.h"
#include "internal/tuple.h"
#include "internal/method_call.h"

#define COMMON(op) ((PyDescrObject *)(op))

/* ------------------------------------------------------------------- common */

static void
descr_dealloc(PyObject *self)
{
    PyDescrObject *descr = COMMON(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(descr->d_type);
    Py_XDECREF(descr->d_name);
    Py_XDECREF(descr->d_qualname);
    PyObject_GC_Del(self);
}

static int
descr_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(COMMON(self)->d_type);
    return 0;
}

static PyObject *
descr_name(PyObject *self)
{
    PyObject *name = COMMON(self)->d_name;
    return name != NULL && PyUnicode_Check(name) ? name : NULL;
}

static PyObject *
descr_repr(PyObject *self, const char *kind)
{
    PyObject *name = descr_name(self);
    return PyUnicode_FromFormat("<%s '%V' of '%s' objects>", kind, name, "?",
                                COMMON(self)->d_type->tp_name);
}

static PyObject *
method_repr(PyObject *self)
{
    return descr_repr(self, "method");
}

static PyObject *
member_repr(PyObject *self)
{
    return descr_repr(self, "member");
}

static PyObject *
getset_repr(PyObject *self)
{
    return descr_repr(self, "attribute");
}

static PyObject *
wrapper_repr(PyObject *self)
{
    return descr_repr(self, "slot wrapper");
}

static int
check_instance(PyObject *self, PyObject *obj)
{
    PyDescrObject *descr = COMMON(self);
    if (PyObject_TypeCheck(obj, descr->d_type)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError,
                 "descriptor '%V' for '%.100s' objects "
                 "doesn't apply to a '%.100s' object", descr_name(self), "?",
                 descr->d_type->tp_name, Py_TYPE(obj)->tp_name);
    return -1;
}

/* "str.join": computed when it is first needed. */
static PyObject *
descr_get_qualname(PyObject *self, void *Py_UNUSED(closure))
{
    PyDescrObject *descr = COMMON(self);
    if (descr->d_qualname == NULL) {
        PyObject *name = descr_name(self);
        if (name == NULL) {
            PyErr_SetString(PyExc_TypeError,
                            "<descriptor>.__name__ is not a unicode object");
            return NULL;
        }
        PyObject *type_name = PyObject_GetAttr((PyObject *)descr->d_type,
                                               _Py_NAME(dunder_qualname));
        if (type_name == NULL) {
            return NULL;
        }
        if (!PyUnicode_Check(type_name)) {
            PyErr_SetString(PyExc_TypeError,
                            "<descriptor>.__objclass__.__qualname__ is not "
                            "a unicode object");
            Py_DECREF(type_name);
            return NULL;
        }
        descr->d_qualname = PyUnicode_FromFormat("%S.%S", type_name, name);
        Py_DECREF(type_name);
    }
    return Py_XNewRef(descr->d_qualname);
}

static PyObject *
descr_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *getattr = PyDict_GetItemString(PyEval_GetBuiltins(), "getattr");
    if (getattr == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "lost builtins.getattr");
        return NULL;
    }
    return Py_BuildValue("O(OO)", getattr, COMMON(self)->d_type,
                         COMMON(self)->d_name);
}

static PyMethodDef descr_methods[] = {
    {"__reduce__", descr_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef descr_members[] = {
    {"__objclass__", T_OBJECT, offsetof(PyDescrObject, d_type), READONLY,
     NULL},
    {"__name__", T_OBJECT, offsetof(PyDescrObject, d_name), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyDescrObject *
descr_new(PyTypeObject *kind, PyTypeObject *type, const char *name)
{
    PyDescrObject *descr = (PyDescrObject *)_PyObject_GC_New(kind);
    if (descr == NULL) {
        return NULL;
    }
    descr->d_type = (PyTypeObject *)Py_XNewRef(type);
    descr->d_name = PyUnicode_InternFromString(name);
    descr->d_qualname = NULL;
    /* What a static type has cannot be in a cycle: the type is not collected. A third of all
       objects after start-up are such descriptors. */
    if (type == NULL || PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE)) {
        _PyObject_GC_TRACK((PyObject *)descr);
    }
    if (descr->d_name == NULL) {
        Py_DECREF(descr);
        return NULL;
    }
    return descr;
}

int
PyDescr_IsData(PyObject *op)
{
    return Py_TYPE(op)->tp_descr_set != NULL;
}

/* ------------------------------------------------------------------ methods */

#define METHOD(op) (((PyMethodDescrObject *)(op))->d_method)

static PyObject *
method_get(PyObject *self, PyObject *obj, PyObject *type)
{
    if (obj == NULL) {
        return Py_NewRef(self);
    }
    if (check_instance(self, obj) < 0) {
        return NULL;
    }
    PyMethodDef *ml = METHOD(self);
    if (!(ml->ml_flags & METH_METHOD)) {
        return PyCMethod_New(ml, obj, NULL, NULL);
    }
    if (!PyType_Check(type)) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%V' needs a type, not '%s', as arg 2",
                     descr_name(self), "?", Py_TYPE(type)->tp_name);
        return NULL;
    }
    return PyCMethod_New(ml, obj, NULL, COMMON(self)->d_type);
}

/* Is there a first argument, and is it of the right type? */
static inline int
check_self(PyObject *func, PyObject *const *args, Py_ssize_t nargs)
{
    if (__builtin_expect(nargs < 1, 0)) {
        PyObject *name = _PyObject_FunctionStr(func);
        if (name != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "unbound method %U needs an argument", name);
            Py_DECREF(name);
        }
        return -1;
    }
    if (__builtin_expect(Py_IS_TYPE(args[0], COMMON(func)->d_type), 1)) {
        return 0;
    }
    return check_instance(func, args[0]);
}

#define ENTER_METHOD                                        \
    Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);          \
    if (check_self(func, args, nargs) < 0) {                \
        return NULL;                                        \
    }

static PyObject *
method_call_noargs(PyObject *func, PyObject *const *args, size_t nargsf,
                   PyObject *kwnames)
{
    ENTER_METHOD
    return invoke_noargs(func, METHOD(func), args[0], nargs - 1, kwnames);
}

static PyObject *
method_call_o(PyObject *func, PyObject *const *args, size_t nargsf,
              PyObject *kwnames)
{
    ENTER_METHOD
    return invoke_o(func, METHOD(func), args[0], args + 1, nargs - 1,
                    kwnames);
}

static PyObject *
method_call_fastcall(PyObject *func, PyObject *const *args, size_t nargsf,
                     PyObject *kwnames)
{
    ENTER_METHOD
    return invoke_fastcall(func, METHOD(func), args[0], args + 1, nargs - 1,
                           kwnames);
}

static PyObject *
method_call_fastcall_keywords(PyObject *func, PyObject *const *args,
                              size_t nargsf, PyObject *kwnames)
{
    ENTER_METHOD
    return invoke_fastcall_keywords(METHOD(func), args[0], args + 1,
                                    nargs - 1, kwnames);
}

static PyObject *
method_call_method(PyObject *func, PyObject *const *args, size_t nargsf,
                   PyObject *kwnames)
{
    ENTER_METHOD
    return invoke_method(METHOD(func), args[0], COMMON(func)->d_type,
                         args + 1, nargs - 1, kwnames);
}

static PyObject *
method_call_varargs(PyObject *func, PyObject *const *args, size_t nargsf,
                    PyObject *kwnames)
{
    ENTER_METHOD
    return _PyMethodCall_Varargs(func, METHOD(func), args[0], args + 1,
                                 nargs - 1, kwnames);
}

PyObject *
PyDescr_NewMethod(PyTypeObject *type, PyMethodDef *ml)
{
    vectorcallfunc vectorcall;
    switch (ml->ml_flags & METH_CALL_FLAGS) {
    case METH_VARARGS:
    case METH_VARARGS | METH_KEYWORDS:
        vectorcall = method_call_varargs;
        break;
    case METH_FASTCALL:
        vectorcall = method_call_fastcall;
        break;
    case METH_FASTCALL | METH_KEYWORDS:
        vectorcall = method_call_fastcall_keywords;
        break;
    case METH_NOARGS:
        vectorcall = method_call_noargs;
        break;
    case METH_O:
        vectorcall = method_call_o;
        break;
    case METH_METHOD | METH_FASTCALL | METH_KEYWORDS:
        vectorcall = method_call_method;
        break;
    default:
        PyErr_Format(PyExc_SystemError, "%s() method: bad call flags",
                     ml->ml_name);
        return NULL;
    }
    PyMethodDescrObject *descr = (PyMethodDescrObject *)descr_new(
        &PyMethodDescr_Type, type, ml->ml_name);
    if (descr != NULL) {
        descr->d_method = ml;
        descr->vectorcall = vectorcall;
    }
    return (PyObject *)descr;
}

static PyObject *
method_get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    return _PyType_GetDocFromInternalDoc(METHOD(self)->ml_name,
                                         METHOD(self)->ml_doc);
}

static PyObject *
method_get_text_signature(PyObject *self, void *Py_UNUSED(closure))
{
    return _PyType_GetTextSignatureFromInternalDoc(METHOD(self)->ml_name,
                                                   METHOD(self)->ml_doc);
}

static PyGetSetDef method_getsets[] = {
    {"__doc__", method_get_doc, NULL, NULL, NULL},
    {"__qualname__", descr_get_qualname, NULL, NULL, NULL},
    {"__text_signature__", method_get_text_signature, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyMethodDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "method_descriptor",
    .tp_basicsize = sizeof(PyMethodDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_vectorcall_offset = offsetof(PyMethodDescrObject, vectorcall),
    .tp_repr = method_repr,
    .tp_call = PyVectorcall_Call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_traverse = descr_traverse,
    .tp_methods = descr_methods,
    .tp_members = descr_members,
    .tp_getset = method_getsets,
    .tp_descr_get = method_get,
};

/* ------------------------------------------------------------ class methods */

/* Is it a class that the method is of? */
static int
check_class(PyObject *self, PyObject *type)
{
    if (!PyType_Check(type)) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%V' for type '%.100s' needs a type, "
                     "not a '%.100s' as arg 2", descr_name(self), "?",
                     COMMON(self)->d_type->tp_name, Py_TYPE(type)->tp_name);
        return -1;
    }
    if (!PyType_IsSubtype((PyTypeObject *)type, COMMON(self)->d_type)) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%V' requires a subtype of '%.100s' "
                     "but received '%.100s'", descr_name(self), "?",
                     COMMON(self)->d_type->tp_name,
                     ((PyTypeObject *)type)->tp_name);
        return -1;
    }
    return 0;
}

static PyObject *
classmethod_bind(PyObject *self, PyObject *type)
{
    if (check_class(self, type) < 0) {
        return NULL;
    }
    PyMethodDef *ml = METHOD(self);
    PyTypeObject *cls = ml->ml_flags & METH_METHOD ? COMMON(self)->d_type
                                                   : NULL;
    return PyCMethod_New(ml, type, NULL, cls);
}

static PyObject *
classmethod_get(PyObject *self, PyObject *obj, PyObject *type)
{
    if (type == NULL) {
        if (obj == NULL) {
            PyErr_Format(PyExc_TypeError,
                         "descriptor '%V' for type '%.100s' "
                         "needs either an object or a type",
                         descr_name(self), "?",
                         COMMON(self)->d_type->tp_name);
            return NULL;
        }
        type = (PyObject *)Py_TYPE(obj);
    }
    return classmethod_bind(self, type);
}

/* dict.__dict__['fromkeys'](dict, ...), and dict.fromkeys(...) by way of LOAD_METHOD. What does not
   fit is left to a bound method, whose name exceptions say. */
static PyObject *
classmethod_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf, PyObject *kwnames)
{
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    if (n < 1) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%V' of '%.100s' object needs an argument",
                     descr_name(self), "?", COMMON(self)->d_type->tp_name);
        return NULL;
    }
    PyObject *type = *args++;
    n--;
    if (check_class(self, type) < 0) {
        return NULL;
    }
    PyMethodDef *ml = METHOD(self);
    int how = ml->ml_flags & METH_CALL_FLAGS, has_names = has_keywords(kwnames);
    if (how == (METH_FASTCALL | METH_KEYWORDS)) {
        return invoke_fastcall_keywords(ml, type, args, n, kwnames);
    }
    if (how == METH_O && n == 1 && !has_names) {
        return invoke_o(self, ml, type, args, n, NULL);
    }
    if (how == METH_NOARGS && n == 0 && !has_names) {
        return invoke_noargs(self, ml, type, n, NULL);
    }
    if (how == METH_FASTCALL && !has_names) {
        return invoke_fastcall(self, ml, type, args, n, NULL);
    }
    if ((how == METH_VARARGS && !has_names) || how == (METH_VARARGS | METH_KEYWORDS)) {
        return _PyMethodCall_Varargs(self, ml, type, args, n, kwnames);
    }
    PyObject *bound = classmethod_bind(self, type);
    if (bound == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Vectorcall(bound, args, (size_t)n, kwnames);
    Py_DECREF(bound);
    return result;
}

PyObject *
PyDescr_NewClassMethod(PyTypeObject *type, PyMethodDef *ml)
{
    PyMethodDescrObject *descr = (PyMethodDescrObject *)descr_new(
        &PyClassMethodDescr_Type, type, ml->ml_name);
    if (descr != NULL) {
        descr->d_method = ml;
        descr->vectorcall = classmethod_vectorcall;
    }
    return (PyObject *)descr;
}

PyTypeObject PyClassMethodDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "classmethod_descriptor",
    .tp_basicsize = sizeof(PyMethodDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_vectorcall_offset = offsetof(PyMethodDescrObject, vectorcall),
    .tp_repr = method_repr,
    .tp_call = PyVectorcall_Call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_traverse = descr_traverse,
    .tp_members = descr_members,
    .tp_getset = method_getsets,
    .tp_descr_get = classmethod_get,
};

/* ------------------------------------------------------------------ members */

#define MEMBER(op) (((PyMemberDescrObject *)(op))->d_member)

static PyObject *
member_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    if (obj == NULL) {
        return Py_NewRef(self);
    }
    if (check_instance(self, obj) < 0) {
        return NULL;
    }
    PyMemberDef *def = MEMBER(self);
    if (def->type == T_OBJECT_EX && !(def->flags & PY_AUDIT_READ)) {
        PyObject *value = *(PyObject **)((char *)obj + def->offset);
        if (value != NULL) {
            return Py_NewRef(value);
        }
    }
    return PyMember_GetOne((char *)obj, def);
}

static int
member_set(PyObject *self, PyObject *obj, PyObject *value)
{
    if (check_instance(self, obj) < 0) {
        return -1;
    }
    return PyMember_SetOne((char *)obj, MEMBER(self), value);
}

PyObject *
PyDescr_NewMember(PyTypeObject *type, PyMemberDef *def)
{
    PyMemberDescrObject *descr = (PyMemberDescrObject *)descr_new(
        &PyMemberDescr_Type, type, def->name);
    if (descr != NULL) {
        descr->d_member = def;
    }
    return (PyObject *)descr;
}

static PyObject *
member_get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    const char *doc = MEMBER(self)->doc;
    if (doc == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(doc);
}

static PyGetSetDef member_getsets[] = {
    {"__doc__", member_get_doc, NULL, NULL, NULL},
    {"__qualname__", descr_get_qualname, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyMemberDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "member_descriptor",
    .tp_basicsize = sizeof(PyMemberDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_repr = member_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = descr_traverse,
    .tp_methods = descr_methods,
    .tp_members = descr_members,
    .tp_getset = member_getsets,
    .tp_descr_get = member_get,
    .tp_descr_set = member_set,
};

/* ------------------------------------------------------------------ getsets */

#define GETSET(op) (((PyGetSetDescrObject *)(op))->d_getset)

static PyObject *
getset_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    if (obj == NULL) {
        return Py_NewRef(self);
    }
    if (check_instance(self, obj) < 0) {
        return NULL;
    }
    PyGetSetDef *def = GETSET(self);
    if (def->get != NULL) {
        return def->get(obj, def->closure);
    }
    PyErr_Format(PyExc_AttributeError,
                 "attribute '%V' of '%.100s' objects is not readable",
                 descr_name(self), "?", COMMON(self)->d_type->tp_name);
    return NULL;
}

static int
getset_set(PyObject *self, PyObject *obj, PyObject *value)
{
    if (check_instance(self, obj) < 0) {
        return -1;
    }
    PyGetSetDef *def = GETSET(self);
    if (def->set != NULL) {
        return def->set(obj, value, def->closure);
    }
    PyErr_Format(PyExc_AttributeError,
                 "attribute '%V' of '%.100s' objects is not writable",
                 descr_name(self), "?", COMMON(self)->d_type->tp_name);
    return -1;
}

PyObject *
PyDescr_NewGetSet(PyTypeObject *type, PyGetSetDef *def)
{
    PyGetSetDescrObject *descr = (PyGetSetDescrObject *)descr_new(
        &PyGetSetDescr_Type, type, def->name);
    if (descr != NULL) {
        descr->d_getset = def;
    }
    return (PyObject *)descr;
}

static PyObject *
getset_get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    const char *doc = GETSET(self)->doc;
    if (doc == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_FromString(doc);
}

static PyGetSetDef getset_getsets[] = {
    {"__doc__", getset_get_doc, NULL, NULL, NULL},
    {"__qualname__", descr_get_qualname, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyGetSetDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "getset_descriptor",
    .tp_basicsize = sizeof(PyGetSetDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_repr = getset_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = descr_traverse,
    .tp_members = descr_members,
    .tp_getset = getset_getsets,
    .tp_descr_get = getset_get,
    .tp_descr_set = getset_set,
};

/* ------------------------------------------------------------ slot wrappers */

#define WRAPPER(op) ((PyWrapperDescrObject *)(op))

static PyObject *
wrapper_get(PyObject *self, PyObject *obj, PyObject *Py_UNUSED(type))
{
    if (obj == NULL) {
        return Py_NewRef(self);
    }
    if (check_instance(self, obj) < 0) {
        return NULL;
    }
    return PyWrapper_New(self, obj);
}

static PyObject *
wrapper_invoke(PyObject *descr, PyObject *self, PyObject *args,
               PyObject *kwargs)
{
    struct wrapperbase *base = WRAPPER(descr)->d_base;
    if (base->flags & PyWrapperFlag_KEYWORDS) {
        wrapperfunc_kwds func =
            (wrapperfunc_kwds)(void (*)(void))base->wrapper;
        return func(self, args, WRAPPER(descr)->d_wrapped, kwargs);
    }
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0) {
        PyErr_Format(PyExc_TypeError,
                     "wrapper %s() takes no keyword arguments", base->name);
        return NULL;
    }
    return base->wrapper(self, args, WRAPPER(descr)->d_wrapped);
}

PyObject *
_PyWrapperDescr_Call(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *kwargs)
{
    if (n < 1) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%V' of '%.100s' object needs an argument",
                     descr_name(self), "?", COMMON(self)->d_type->tp_name);
        return NULL;
    }
    if (!PyObject_TypeCheck(args[0], COMMON(self)->d_type)) {
        PyErr_Format(PyExc_TypeError,
                     "descriptor '%V' requires a '%.100s' object "
                     "but received a '%.100s'", descr_name(self), "?",
                     COMMON(self)->d_type->tp_name, Py_TYPE(args[0])->tp_name);
        return NULL;
    }
    PyObject *rest = _PyTuple_FromArray(args + 1, n - 1);
    if (rest == NULL) {
        return NULL;
    }
    PyObject *result = wrapper_invoke(self, args[0], rest, kwargs);
    Py_DECREF(rest);
    return result;
}

static PyObject *
wrapper_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return _PyWrapperDescr_Call(self, _PyTuple_ITEMS(args), PyTuple_GET_SIZE(args), kwargs);
}

PyObject *
PyDescr_NewWrapper(PyTypeObject *type, struct wrapperbase *base,
                   void *wrapped)
{
    PyWrapperDescrObject *descr = (PyWrapperDescrObject *)descr_new(
        &PyWrapperDescr_Type, type, base->name);
    if (descr != NULL) {
        descr->d_base = base;
        descr->d_wrapped = wrapped;
    }
    return (PyObject *)descr;
}

static PyObject *
wrapper_get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    struct wrapperbase *base = WRAPPER(self)->d_base;
    return _PyType_GetDocFromInternalDoc(base->name, base->doc);
}

static PyObject *
wrapper_get_text_signature(PyObject *self, void *Py_UNUSED(closure))
{
    struct wrapperbase *base = WRAPPER(self)->d_base;
    return _PyType_GetTextSignatureFromInternalDoc(base->name, base->doc);
}

static PyGetSetDef wrapper_getsets[] = {
    {"__doc__", wrapper_get_doc, NULL, NULL, NULL},
    {"__qualname__", descr_get_qualname, NULL, NULL, NULL},
    {"__text_signature__", wrapper_get_text_signature, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject PyWrapperDescr_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "wrapper_descriptor",
    .tp_basicsize = sizeof(PyWrapperDescrObject),
    .tp_dealloc = descr_dealloc,
    .tp_repr = wrapper_repr,
    .tp_call = wrapper_call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_traverse = descr_traverse,
    .tp_methods = descr_methods,
    .tp_members = descr_members,
    .tp_getset = wrapper_getsets,
    .tp_descr_get = wrapper_get,
};

/* ------------------------------------------------------ bound slot wrappers */

typedef struct {
    PyObject_HEAD
    PyWrapperDescrObject *descr;
    PyObject *self;
} bound_wrapper;

PyObject *
PyWrapper_New(PyObject *descr, PyObject *self)
{
    bound_wrapper *op = PyObject_GC_New(bound_wrapper, &_PyMethodWrapper_Type);
    if (op == NULL) {
        return NULL;
    }
    op->descr = (PyWrapperDescrObject *)Py_NewRef(descr);
    op->self = Py_NewRef(self);
    _PyObject_GC_TRACK((PyObject *)op);
    return (PyObject *)op;
}

static void
bound_dealloc(PyObject *self)
{
    bound_wrapper *op = (bound_wrapper *)self;
    PyObject_GC_UnTrack(self);
    Py_TRASHCAN_BEGIN(self, bound_dealloc);
    Py_XDECREF(op->descr);
    Py_XDECREF(op->self);
    PyObject_GC_Del(self);
    Py_TRASHCAN_END
}

static int
bound_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((bound_wrapper *)self)->descr);
    Py_VISIT(((bound_wrapper *)self)->self);
    return 0;
}

static PyObject *
bound_repr(PyObject *self)
{
    bound_wrapper *op = (bound_wrapper *)self;
    return PyUnicode_FromFormat("<method-wrapper '%s' of %s object at %p>",
                                op->descr->d_base->name,
                                Py_TYPE(op->self)->tp_name, op->self);
}

static PyObject *
bound_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    bound_wrapper *op = (bound_wrapper *)self;
    return wrapper_invoke((PyObject *)op->descr, op->self, args, kwargs);
}

static PyObject *
bound_richcompare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE)
        || !Py_IS_TYPE(a, &_PyMethodWrapper_Type)
        || !Py_IS_TYPE(b, &_PyMethodWrapper_Type)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int equal = ((bound_wrapper *)a)->descr == ((bound_wrapper *)b)->descr
                && ((bound_wrapper *)a)->self == ((bound_wrapper *)b)->self;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
bound_hash(PyObject *self)
{
    bound_wrapper *op = (bound_wrapper *)self;
    Py_hash_t hash = _Py_HashPointer(op->self) ^ _Py_HashPointer(op->descr);
    return hash == -1 ? -2 : hash;
}

static PyObject *
bound_objclass(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(PyDescr_TYPE(((bound_wrapper *)self)->descr));
}

static PyObject *
bound_name(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(((bound_wrapper *)self)->descr->d_base->name);
}

static PyObject *
bound_doc(PyObject *self, void *closure)
{
    return wrapper_get_doc((PyObject *)((bound_wrapper *)self)->descr,
                           closure);
}

static PyObject *
bound_text_signature(PyObject *self, void *closure)
{
    return wrapper_get_text_signature(
        (PyObject *)((bound_wrapper *)self)->descr, closure);
}

static PyObject *
bound_qualname(PyObject *self, void *closure)
{
    return descr_get_qualname((PyObject *)((bound_wrapper *)self)->descr,
                              closure);
}

static PyObject *
bound_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    bound_wrapper *op = (bound_wrapper *)self;
    PyObject *getattr = PyDict_GetItemString(PyEval_GetBuiltins(), "getattr");
    if (getattr == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "lost builtins.getattr");
        return NULL;
    }
    return Py_BuildValue("O(OO)", getattr, op->self,
                         PyDescr_NAME(op->descr));
}

static PyMethodDef bound_methods[] = {
    {"__reduce__", bound_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef bound_members[] = {
    {"__self__", T_OBJECT, offsetof(bound_wrapper, self), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef bound_getsets[] = {
    {"__objclass__", bound_objclass, NULL, NULL, NULL},
    {"__name__", bound_name, NULL, NULL, NULL},
    {"__qualname__", bound_qualname, NULL, NULL, NULL},
    {"__doc__", bound_doc, NULL, NULL, NULL},
    {"__text_signature__", bound_text_signature, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

PyTypeObject _PyMethodWrapper_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "method-wrapper",
    .tp_basicsize = sizeof(bound_wrapper),
    .tp_dealloc = bound_dealloc,
    .tp_repr = bound_repr,
    .tp_hash = bound_hash,
    .tp_call = bound_call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = bound_traverse,
    .tp_richcompare = bound_richcompare,
    .tp_methods = bound_methods,
    .tp_members = bound_members,
    .tp_getset = bound_getsets,
};
