/* Functions and bound methods written in C: builtin_function_or_method. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/trashcan.h"
#include "internal/method_call.h"
#include "internal/tuple.h"

/* ------------------------------------------- shared with method descriptors */

PyObject *
_PyMethodCall_Error(PyObject *callable, const char *format, ...)
{
    PyObject *name = _PyObject_FunctionStr(callable);
    if (name == NULL) {
        return NULL;
    }
    va_list va;
    va_start(va, format);
    Py_ssize_t nargs = strstr(format, "%zd") != NULL
                       ? va_arg(va, Py_ssize_t) : 0;
    va_end(va);
    PyErr_Format(PyExc_TypeError, format, name, nargs);
    Py_DECREF(name);
    return NULL;
}

PyObject *
_PyMethodCall_RefuseKeywords(PyObject *callable, PyMethodDef *ml)
{
    if (ml->ml_flags & METH_FOR_TUPLE && PyCFunction_Check(callable)) {
        PyErr_Format(PyExc_TypeError, "%.200s() takes no keyword arguments", ml->ml_name);
        return NULL;
    }
    return _PyMethodCall_Error(callable, "%U takes no keyword arguments");
}

int
_PyMethodCall_CheckNothing(PyObject *callable, PyMethodDef *ml, Py_ssize_t nargs,
                           PyObject *kwnames)
{
    if (ml->ml_flags & METH_FOR_CLASS) {
        if (nargs == 0) {
            return 0;
        }
        PyErr_Format(PyExc_TypeError, "%.200s() takes no arguments", ml->ml_name);
    }
    else if (has_keywords(kwnames)) {
        _PyMethodCall_RefuseKeywords(callable, ml);
    }
    else {
        _PyMethodCall_Error(callable, "%U takes no arguments (%zd given)", nargs);
    }
    return -1;
}

PyObject *
_PyMethodCall_Varargs(PyObject *callable, PyMethodDef *ml, PyObject *self,
                      PyObject *const *args, Py_ssize_t nargs,
                      PyObject *kwnames)
{
    int keywords = has_keywords(kwnames);
    if (keywords && !(ml->ml_flags & METH_KEYWORDS)) {
        return _PyMethodCall_RefuseKeywords(callable, ml);
    }
    PyObject *tuple = _PyTuple_FromArray(args, nargs);
    if (tuple == NULL) {
        return NULL;
    }
    PyObject *kwargs = NULL;
    if (keywords) {
        kwargs = _PyStack_AsDict(args + nargs, kwnames);
        if (kwargs == NULL) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    PyObject *result = NULL;
    PyThreadState *tstate = _PyThreadState_GET();
    if (!_Py_EnterRecursiveCallTstate(tstate, " while calling a Python object")) {
        result = ml->ml_flags & METH_KEYWORDS
            ? FUNC(ml, PyCFunctionWithKeywords)(self, tuple, kwargs)
            : ml->ml_meth(self, tuple);
        _Py_LeaveRecursiveCallTstate(tstate);
    }
    Py_DECREF(tuple);
    Py_XDECREF(kwargs);
    return result;
}

/* -------------------------------------------------------------------- calls */

#define ML(op) (((PyCFunctionObject *)(op))->m_ml)
#define SELF(op) PyCFunction_GET_SELF(op)

static PyObject *
call_noargs(PyObject *func, PyObject *const *Py_UNUSED(args), size_t nargsf,
            PyObject *kwnames)
{
    return invoke_noargs(func, ML(func), SELF(func),
                         PyVectorcall_NARGS(nargsf), kwnames);
}

static PyObject *
call_o(PyObject *func, PyObject *const *args, size_t nargsf,
       PyObject *kwnames)
{
    return invoke_o(func, ML(func), SELF(func), args,
                    PyVectorcall_NARGS(nargsf), kwnames);
}

static PyObject *
call_fastcall(PyObject *func, PyObject *const *args, size_t nargsf,
              PyObject *kwnames)
{
    return invoke_fastcall(func, ML(func), SELF(func), args,
                           PyVectorcall_NARGS(nargsf), kwnames);
}

static PyObject *
call_fastcall_keywords(PyObject *func, PyObject *const *args, size_t nargsf,
                       PyObject *kwnames)
{
    return invoke_fastcall_keywords(ML(func), SELF(func), args,
                                    PyVectorcall_NARGS(nargsf), kwnames);
}

static PyObject *
call_method(PyObject *func, PyObject *const *args, size_t nargsf,
            PyObject *kwnames)
{
    return invoke_method(ML(func), SELF(func), PyCFunction_GET_CLASS(func),
                         args, PyVectorcall_NARGS(nargsf), kwnames);
}

/* METH_VARARGS functions have no vectorcall. They get the caller's tuple and dict, even
   the empty dict of f(**{}). */
static PyObject *
cfunction_call(PyObject *func, PyObject *args, PyObject *kwargs)
{
    PyMethodDef *ml = ML(func);
    if (!(ml->ml_flags & METH_VARARGS)) {
        return PyVectorcall_Call(func, args, kwargs);
    }
    if (ml->ml_flags & METH_KEYWORDS) {
        return FUNC(ml, PyCFunctionWithKeywords)(SELF(func), args, kwargs);
    }
    if (kwargs != NULL && PyDict_GET_SIZE(kwargs) != 0) {
        PyErr_Format(PyExc_TypeError, "%.200s() takes no keyword arguments",
                     ml->ml_name);
        return NULL;
    }
    return ml->ml_meth(SELF(func), args);
}

/* ------------------------------------------------------------- construction */

PyObject *
PyCMethod_New(PyMethodDef *ml, PyObject *self, PyObject *module,
              PyTypeObject *cls)
{
    vectorcallfunc vectorcall;
    switch (ml->ml_flags & METH_CALL_FLAGS) {
    case METH_VARARGS:
    case METH_VARARGS | METH_KEYWORDS:
        vectorcall = NULL;
        break;
    case METH_FASTCALL:
        vectorcall = call_fastcall;
        break;
    case METH_FASTCALL | METH_KEYWORDS:
        vectorcall = call_fastcall_keywords;
        break;
    case METH_NOARGS:
        vectorcall = call_noargs;
        break;
    case METH_O:
        vectorcall = call_o;
        break;
    case METH_METHOD | METH_FASTCALL | METH_KEYWORDS:
        vectorcall = call_method;
        break;
    default:
        PyErr_Format(PyExc_SystemError, "%s() method: bad call flags",
                     ml->ml_name);
        return NULL;
    }
    PyCFunctionObject *op;
    if (ml->ml_flags & METH_METHOD) {
        if (cls == NULL) {
            PyErr_SetString(PyExc_SystemError,
                            "attempting to create PyCMethod with a "
                            "METH_METHOD flag but no class");
            return NULL;
        }
        PyCMethodObject *method = PyObject_GC_New(PyCMethodObject,
                                                  &PyCMethod_Type);
        if (method == NULL) {
            return NULL;
        }
        method->mm_class = (PyTypeObject *)Py_NewRef(cls);
        op = &method->func;
    }
    else {
        if (cls != NULL) {
            PyErr_SetString(PyExc_SystemError,
                            "attempting to create PyCFunction with class "
                            "but no METH_METHOD flag");
            return NULL;
        }
        op = PyObject_GC_New(PyCFunctionObject, &PyCFunction_Type);
        if (op == NULL) {
            return NULL;
        }
    }
    op->m_weakreflist = NULL;
    op->m_ml = ml;
    op->m_self = Py_XNewRef(self);
    op->m_module = Py_XNewRef(module);
    op->vectorcall = vectorcall;
    _PyObject_GC_TRACK((PyObject *)op);
    return (PyObject *)op;
}

#undef PyCFunction_New
#undef PyCFunction_NewEx

PyObject *
PyCFunction_New(PyMethodDef *ml, PyObject *self)
{
    return PyCMethod_New(ml, self, NULL, NULL);
}

PyObject *
PyCFunction_NewEx(PyMethodDef *ml, PyObject *self, PyObject *module)
{
    return PyCMethod_New(ml, self, module, NULL);
}

static int
check_cfunction(PyObject *op)
{
    if (!PyCFunction_Check(op)) {
        PyErr_BadInternalCall();
        return 0;
    }
    return 1;
}

PyCFunction
PyCFunction_GetFunction(PyObject *op)
{
    return check_cfunction(op) ? PyCFunction_GET_FUNCTION(op) : NULL;
}

PyObject *
PyCFunction_GetSelf(PyObject *op)
{
    return check_cfunction(op) ? PyCFunction_GET_SELF(op) : NULL;
}

int
PyCFunction_GetFlags(PyObject *op)
{
    return check_cfunction(op) ? PyCFunction_GET_FLAGS(op) : -1;
}

/* ----------------------------------------------------------------- the type */

static void
cfunction_dealloc(PyObject *self)
{
    PyCFunctionObject *op = (PyCFunctionObject *)self;
    PyObject_GC_UnTrack(self);
    /* Deeply nested bound methods exist: f = f.__call__ in a loop. */
    Py_TRASHCAN_BEGIN(self, cfunction_dealloc);
    if (op->m_weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    /* Clear the class first: PyCFunction_GET_CLASS reads m_ml. */
    Py_XDECREF(PyCFunction_GET_CLASS(self));
    Py_XDECREF(op->m_self);
    Py_XDECREF(op->m_module);
    PyObject_GC_Del(self);
    Py_TRASHCAN_END
}

static int
cfunction_traverse(PyObject *self, visitproc visit, void *arg)
{
    PyCFunctionObject *op = (PyCFunctionObject *)self;
    Py_VISIT(PyCFunction_GET_CLASS(self));
    Py_VISIT(op->m_self);
    Py_VISIT(op->m_module);
    return 0;
}

static PyObject *
cfunction_repr(PyObject *self)
{
    PyCFunctionObject *op = (PyCFunctionObject *)self;
    if (op->m_self == NULL || PyModule_Check(op->m_self)) {
        return PyUnicode_FromFormat("<built-in function %s>",
                                    op->m_ml->ml_name);
    }
    return PyUnicode_FromFormat("<built-in method %s of %s object at %p>",
                                op->m_ml->ml_name,
                                Py_TYPE(op->m_self)->tp_name, op->m_self);
}

static PyObject *
cfunction_richcompare(PyObject *self, PyObject *other, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !PyCFunction_Check(self)
        || !PyCFunction_Check(other)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyCFunctionObject *a = (PyCFunctionObject *)self;
    PyCFunctionObject *b = (PyCFunctionObject *)other;
    int equal = a->m_self == b->m_self
                && a->m_ml->ml_meth == b->m_ml->ml_meth;
    return PyBool_FromLong(equal == (op == Py_EQ));
}

static Py_hash_t
cfunction_hash(PyObject *self)
{
    PyCFunctionObject *op = (PyCFunctionObject *)self;
    Py_hash_t hash = _Py_HashPointer(op->m_self)
                     ^ _Py_HashPointer((void *)op->m_ml->ml_meth);
    return hash == -1 ? -2 : hash;
}

static PyObject *
get_doc(PyObject *self, void *Py_UNUSED(closure))
{
    PyMethodDef *ml = ML(self);
    return _PyType_GetDocFromInternalDoc(ml->ml_name, ml->ml_doc);
}

static PyObject *
get_text_signature(PyObject *self, void *Py_UNUSED(closure))
{
    PyMethodDef *ml = ML(self);
    return _PyType_GetTextSignatureFromInternalDoc(ml->ml_name, ml->ml_doc);
}

static PyObject *
get_name(PyObject *self, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(ML(self)->ml_name);
}

/* "list.append" for methods, "len" for functions of modules. */
static PyObject *
get_qualname(PyObject *self, void *Py_UNUSED(closure))
{
    PyCFunctionObject *op = (PyCFunctionObject *)self;
    if (op->m_self == NULL || PyModule_Check(op->m_self)) {
        return PyUnicode_FromString(op->m_ml->ml_name);
    }
    PyObject *type = PyType_Check(op->m_self)
                     ? op->m_self : (PyObject *)Py_TYPE(op->m_self);
    PyObject *qualname = PyObject_GetAttr(type, _Py_NAME(dunder_qualname));
    if (qualname == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    if (!PyUnicode_Check(qualname)) {
        PyErr_SetString(PyExc_TypeError,
                        "<method>.__class__.__qualname__ is not a unicode "
                        "object");
    }
    else {
        result = PyUnicode_FromFormat("%S.%s", qualname, op->m_ml->ml_name);
    }
    Py_DECREF(qualname);
    return result;
}

static PyObject *
get_self(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *bound = PyCFunction_GET_SELF(self);
    return Py_NewRef(bound != NULL ? bound : Py_None);
}

static PyObject *
cfunction_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyCFunctionObject *op = (PyCFunctionObject *)self;
    if (op->m_self == NULL || PyModule_Check(op->m_self)) {
        return PyUnicode_FromString(op->m_ml->ml_name);
    }
    PyObject *getattr = PyDict_GetItemString(PyEval_GetBuiltins(), "getattr");
    if (getattr == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "lost builtins.getattr");
        return NULL;
    }
    return Py_BuildValue("O(Os)", getattr, op->m_self, op->m_ml->ml_name);
}

static PyGetSetDef cfunction_getsets[] = {
    {"__doc__", get_doc, NULL, NULL, NULL},
    {"__name__", get_name, NULL, NULL, NULL},
    {"__qualname__", get_qualname, NULL, NULL, NULL},
    {"__self__", get_self, NULL, NULL, NULL},
    {"__text_signature__", get_text_signature, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMemberDef cfunction_members[] = {
    {"__module__", T_OBJECT, offsetof(PyCFunctionObject, m_module), 0, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyMethodDef cfunction_methods[] = {
    {"__reduce__", cfunction_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

int
_PyCFunction_IsOfBuiltins(const PyCFunctionObject *func)
{
    PyObject *module = func->m_self;
    return module != NULL && PyModule_Check(module)
           && PyModule_GetDict(module) == _PyInterpreterState_GET()->builtins;
}

PyTypeObject PyCFunction_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "builtin_function_or_method",
    .tp_basicsize = sizeof(PyCFunctionObject),
    .tp_dealloc = cfunction_dealloc,
    .tp_vectorcall_offset = offsetof(PyCFunctionObject, vectorcall),
    .tp_repr = cfunction_repr,
    .tp_hash = cfunction_hash,
    .tp_call = cfunction_call,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_traverse = cfunction_traverse,
    .tp_richcompare = cfunction_richcompare,
    .tp_weaklistoffset = offsetof(PyCFunctionObject, m_weakreflist),
    .tp_methods = cfunction_methods,
    .tp_members = cfunction_members,
    .tp_getset = cfunction_getsets,
};

PyTypeObject PyCMethod_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "builtin_method",
    .tp_basicsize = sizeof(PyCMethodObject),
    .tp_base = &PyCFunction_Type,
};
