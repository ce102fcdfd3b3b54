/* types.GenericAlias: list[int], and the substitution of type variables.

   An alias behaves like its origin: calls and most attributes are forwarded to it. A
   starred alias stands for "*tuple[int, str]" in a list of types. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/call.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/union.h"

typedef struct {
    PyObject_HEAD
    PyObject *origin;
    PyObject *args;             /* tuple */
    PyObject *parameters;       /* tuple of type variables, made on demand */
    PyObject *weakreflist;
    char starred;
    vectorcallfunc vectorcall;
} aliasobject;

#define ALIAS(op) ((aliasobject *)(op))
#define IS_ALIAS(op) PyObject_TypeCheck(op, &Py_GenericAliasType)

/* --------------------------------------------------------------------- text */

/* Returns "module.qualname" if the object has both, otherwise its repr, as a new
   reference. */
static PyObject *
type_text(PyObject *type)
{
    PyObject *origin = NULL, *args = NULL, *qualname = NULL, *module = NULL;
    PyObject *result = NULL;

    if (type == Py_Ellipsis) {
        return PyUnicode_FromString("...");
    }
    if (_PyObject_LookupAttr(type, _Py_NAME(dunder_origin), &origin) < 0
        || (origin != NULL
            && _PyObject_LookupAttr(type, _Py_NAME(dunder_args),
                                    &args) < 0)) {
        goto done;
    }
    if (origin != NULL && args != NULL) {
        result = PyObject_Repr(type);
        goto done;
    }
    if (_PyObject_LookupAttr(type, _Py_NAME(dunder_qualname),
                             &qualname) < 0
        || (qualname != NULL
            && _PyObject_LookupAttr(type, _Py_NAME(dunder_module),
                                    &module) < 0)) {
        goto done;
    }
    if (qualname == NULL || module == NULL || module == Py_None) {
        result = PyObject_Repr(type);
    }
    else if (PyUnicode_Check(module)
             && _PyUnicode_EqualToASCIIString(module, "builtins")) {
        result = PyObject_Str(qualname);
    }
    else {
        result = PyUnicode_FromFormat("%S.%S", module, qualname);
    }
done:
    Py_XDECREF(origin);
    Py_XDECREF(args);
    Py_XDECREF(qualname);
    Py_XDECREF(module);
    return result;
}

int
_Py_typing_repr(_PyUnicodeWriter *writer, PyObject *type)
{
    PyObject *text = type_text(type);
    if (text == NULL) {
        return -1;
    }
    int status = _PyUnicodeWriter_WriteStr(writer, text);
    Py_DECREF(text);
    return status;
}

static int
write_args(_PyUnicodeWriter *writer, PyObject *args)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n == 0) {
        /* tuple[()] */
        return _PyUnicodeWriter_WriteASCIIString(writer, "()", 2);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i > 0
            && _PyUnicodeWriter_WriteASCIIString(writer, ", ", 2) < 0) {
            return -1;
        }
        if (_Py_typing_repr(writer, PyTuple_GET_ITEM(args, i)) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyObject *
alias_repr(PyObject *self)
{
    aliasobject *alias = ALIAS(self);
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    if ((alias->starred
         && _PyUnicodeWriter_WriteASCIIString(&writer, "*", 1) < 0)
        || _Py_typing_repr(&writer, alias->origin) < 0
        || _PyUnicodeWriter_WriteASCIIString(&writer, "[", 1) < 0
        || write_args(&writer, alias->args) < 0
        || _PyUnicodeWriter_WriteASCIIString(&writer, "]", 1) < 0) {
        _PyUnicodeWriter_Dealloc(&writer);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&writer);
}

/* ----------------------------------------------------------- type variables */

static Py_ssize_t
index_in_tuple(PyObject *tuple, PyObject *item)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        if (PyTuple_GET_ITEM(tuple, i) == item) {
            return i;
        }
    }
    return -1;
}

static int
add_once(PyObject *list, PyObject *item)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        if (PyList_GET_ITEM(list, i) == item) {
            return 0;
        }
    }
    return PyList_Append(list, item);
}

PyObject *
_Py_make_parameters(PyObject *args)
{
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++) {
        PyObject *arg = PyTuple_GET_ITEM(args, i);
        PyObject *subst, *inner;
        /* A class's __parameters__ would be a descriptor, so classes are skipped. */
        if (PyType_Check(arg)) {
            continue;
        }
        if (_PyObject_LookupAttr(arg, _Py_NAME(dunder_typing_subst),
                                 &subst) < 0) {
            goto error;
        }
        if (subst != NULL) {
            Py_DECREF(subst);
            if (add_once(list, arg) < 0) {
                goto error;
            }
            continue;
        }
        if (_PyObject_LookupAttr(arg, _Py_NAME(dunder_parameters),
                                 &inner) < 0) {
            goto error;
        }
        if (inner != NULL && PyTuple_Check(inner)) {
            for (Py_ssize_t j = 0; j < PyTuple_GET_SIZE(inner); j++) {
                if (add_once(list, PyTuple_GET_ITEM(inner, j)) < 0) {
                    Py_DECREF(inner);
                    goto error;
                }
            }
        }
        Py_XDECREF(inner);
    }
    PyObject *result = PyList_AsTuple(list);
    Py_DECREF(list);
    return result;
error:
    Py_DECREF(list);
    return NULL;
}

/* A TypeVarTuple is replaced by several arguments. */
static int
extend_or_append(PyObject *list, PyObject *parameter, PyObject *value)
{
    if (Py_TYPE(parameter)->tp_iter != NULL && PyTuple_Check(value)) {
        Py_ssize_t end = PyList_GET_SIZE(list);
        return PyList_SetSlice(list, end, end, value);
    }
    return PyList_Append(list, value);
}

/* dict[T, list[U]]: the substitution inside list[U]. Returns a new reference. */
static PyObject *
substitute_inside(PyObject *op, PyObject *parameters, PyObject *values)
{
    PyObject *inner;
    if (_PyObject_LookupAttr(op, _Py_NAME(dunder_parameters), &inner) < 0) {
        return NULL;
    }
    if (inner == NULL || !PyTuple_Check(inner)
        || PyTuple_GET_SIZE(inner) == 0) {
        Py_XDECREF(inner);
        return Py_NewRef(op);
    }
    PyObject *list = PyList_New(0), *result = NULL;
    for (Py_ssize_t i = 0; list != NULL && i < PyTuple_GET_SIZE(inner); i++) {
        PyObject *parameter = PyTuple_GET_ITEM(inner, i);
        Py_ssize_t at = index_in_tuple(parameters, parameter);
        int status = at >= 0
            ? extend_or_append(list, parameter, PyTuple_GET_ITEM(values, at))
            : PyList_Append(list, parameter);
        if (status < 0) {
            Py_CLEAR(list);
        }
    }
    Py_DECREF(inner);
    if (list != NULL) {
        PyObject *key = PyList_AsTuple(list);
        Py_DECREF(list);
        if (key != NULL) {
            result = PyObject_GetItem(op, key);
            Py_DECREF(key);
        }
    }
    return result;
}

static int
is_unpacked_typevartuple(PyObject *arg)
{
    PyObject *flag;
    if (PyType_Check(arg)) {
        return 0;
    }
    int found = _PyObject_LookupAttr(
        arg, _Py_NAME(dunder_typing_is_unpacked_typevartuple), &flag);
    if (found > 0) {
        found = PyObject_IsTrue(flag);
        Py_DECREF(flag);
    }
    return found;
}

/* X[*tuple[int, str]] means X[int, str]; a tuple of unknown length stays as it is. */
static PyObject *
unpack_starred(PyObject *item)
{
    PyObject *list = PyList_New(0);
    if (list == NULL) {
        return NULL;
    }
    int is_tuple = PyTuple_Check(item);
    Py_ssize_t n = is_tuple ? PyTuple_GET_SIZE(item) : 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *arg = is_tuple ? PyTuple_GET_ITEM(item, i) : item;
        PyObject *inner = NULL;
        if (!PyType_Check(arg)
            && _PyObject_LookupAttr(
                   arg, _Py_NAME(dunder_typing_unpacked_tuple_args),
                   &inner) < 0) {
            goto error;
        }
        int status;
        if (inner != NULL && PyTuple_Check(inner)) {
            Py_ssize_t m = PyTuple_GET_SIZE(inner);
            if (m > 0 && PyTuple_GET_ITEM(inner, m - 1) == Py_Ellipsis) {
                status = PyList_Append(list, arg);
            }
            else {
                Py_ssize_t end = PyList_GET_SIZE(list);
                status = PyList_SetSlice(list, end, end, inner);
            }
        }
        else {
            status = PyList_Append(list, arg);
        }
        Py_XDECREF(inner);
        if (status < 0) {
            goto error;
        }
    }
    PyObject *result = PyList_AsTuple(list);
    Py_DECREF(list);
    return result;
error:
    Py_DECREF(list);
    return NULL;
}

/* Calls each parameter's __typing_prepare_subst__ on the arguments (ParamSpec,
   TypeVarTuple). Steals values. Returns a new tuple. */
static PyObject *
prepare_values(PyObject *self, PyObject *parameters, PyObject *values)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parameters); i++) {
        PyObject *prepare;
        if (_PyObject_LookupAttr(PyTuple_GET_ITEM(parameters, i),
                                 _Py_NAME(dunder_typing_prepare_subst),
                                 &prepare) < 0) {
            Py_DECREF(values);
            return NULL;
        }
        if (prepare == NULL) {
            continue;
        }
        if (prepare != Py_None) {
            PyObject *tuple = PyTuple_Check(values)
                              ? Py_NewRef(values) : PyTuple_Pack(1, values);
            PyObject *prepared = NULL;
            if (tuple != NULL) {
                prepared = PyObject_CallFunctionObjArgs(prepare, self, tuple,
                                                        NULL);
                Py_DECREF(tuple);
            }
            Py_SETREF(values, prepared);
        }
        Py_DECREF(prepare);
        if (values == NULL) {
            return NULL;
        }
    }
    if (!PyTuple_Check(values)) {
        Py_SETREF(values, PyTuple_Pack(1, values));
    }
    return values;
}

/* Substitutes in one argument of the alias. Returns a new reference. */
static PyObject *
substitute_one(PyObject *arg, PyObject *parameters, PyObject *values)
{
    if (PyType_Check(arg)) {
        return Py_NewRef(arg);
    }
    PyObject *subst;
    if (_PyObject_LookupAttr(arg, _Py_NAME(dunder_typing_subst),
                             &subst) < 0) {
        return NULL;
    }
    if (subst == NULL) {
        return substitute_inside(arg, parameters, values);
    }
    Py_ssize_t i = index_in_tuple(parameters, arg);
    PyObject *result = PyObject_CallOneArg(subst,
                                           PyTuple_GET_ITEM(values, i));
    Py_DECREF(subst);
    return result;
}

PyObject *
_Py_subs_parameters(PyObject *self, PyObject *args, PyObject *parameters,
                    PyObject *item)
{
    Py_ssize_t count = PyTuple_GET_SIZE(parameters);
    if (count == 0) {
        return PyErr_Format(PyExc_TypeError, "%R is not a generic class",
                            self);
    }
    PyObject *values = unpack_starred(item);
    if (values != NULL) {
        values = prepare_values(self, parameters, values);
    }
    if (values == NULL) {
        return NULL;
    }
    Py_ssize_t given = PyTuple_GET_SIZE(values);
    if (given != count) {
        Py_DECREF(values);
        return PyErr_Format(PyExc_TypeError,
                            "Too %s arguments for %R; actual %zd, "
                            "expected %zd", given > count ? "many" : "few",
                            self, given, count);
    }
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = 0; list != NULL && i < PyTuple_GET_SIZE(args); i++) {
        PyObject *arg = PyTuple_GET_ITEM(args, i);
        int unpack = is_unpacked_typevartuple(arg);
        PyObject *value = unpack < 0 ? NULL
                          : substitute_one(arg, parameters, values);
        int status = -1;
        if (value != NULL) {
            if (unpack && PyTuple_Check(value)) {
                Py_ssize_t end = PyList_GET_SIZE(list);
                status = PyList_SetSlice(list, end, end, value);
            }
            else {
                status = PyList_Append(list, value);
            }
            Py_DECREF(value);
        }
        if (status < 0) {
            Py_CLEAR(list);
        }
    }
    Py_DECREF(values);
    if (list == NULL) {
        return NULL;
    }
    PyObject *result = PyList_AsTuple(list);
    Py_DECREF(list);
    return result;
}

/* ------------------------------------------------------------- construction */

static PyObject *
alias_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames);

static int
set_up(aliasobject *alias, PyObject *origin, PyObject *args)
{
    if (PyTuple_Check(args)) {
        Py_INCREF(args);
    }
    else {
        args = PyTuple_Pack(1, args);
        if (args == NULL) {
            return -1;
        }
    }
    alias->origin = Py_NewRef(origin);
    alias->args = args;
    alias->parameters = NULL;
    alias->weakreflist = NULL;
    alias->starred = 0;
    alias->vectorcall = PyVectorcall_Function(origin) != NULL
                        ? alias_vectorcall : NULL;
    return 0;
}

static PyObject *
new_alias(PyTypeObject *type, PyObject *origin, PyObject *args)
{
    aliasobject *alias = (aliasobject *)type->tp_alloc(type, 0);
    if (alias != NULL && set_up(alias, origin, args) < 0) {
        Py_CLEAR(alias);
    }
    return (PyObject *)alias;
}

PyObject *
Py_GenericAlias(PyObject *origin, PyObject *args)
{
    return new_alias(&Py_GenericAliasType, origin, args);
}

static PyObject *
alias_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (!_PyArg_NoKeywords("GenericAlias", kwargs)
        || !_PyArg_CheckPositional("GenericAlias", PyTuple_GET_SIZE(args), 2,
                                   2)) {
        return NULL;
    }
    return new_alias(type, PyTuple_GET_ITEM(args, 0),
                     PyTuple_GET_ITEM(args, 1));
}

static void
alias_dealloc(PyObject *self)
{
    aliasobject *alias = ALIAS(self);
    PyObject_GC_UnTrack(self);
    if (alias->weakreflist != NULL) {
        PyObject_ClearWeakRefs(self);
    }
    Py_XDECREF(alias->origin);
    Py_XDECREF(alias->args);
    Py_XDECREF(alias->parameters);
    Py_TYPE(self)->tp_free(self);
}

static int
alias_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(ALIAS(self)->origin);
    Py_VISIT(ALIAS(self)->args);
    Py_VISIT(ALIAS(self)->parameters);
    return 0;
}

/* ---------------------------------------------------------------- behaviour */

/* Borrowed, or NULL with an exception. */
static PyObject *
parameters_of(aliasobject *alias)
{
    if (alias->parameters == NULL) {
        alias->parameters = _Py_make_parameters(alias->args);
    }
    return alias->parameters;
}

static PyObject *
alias_getitem(PyObject *self, PyObject *item)
{
    aliasobject *alias = ALIAS(self);
    if (parameters_of(alias) == NULL) {
        return NULL;
    }
    PyObject *args = _Py_subs_parameters(self, alias->args,
                                         alias->parameters, item);
    if (args == NULL) {
        return NULL;
    }
    PyObject *result = Py_GenericAlias(alias->origin, args);
    Py_DECREF(args);
    if (result != NULL) {
        ALIAS(result)->starred = alias->starred;
    }
    return result;
}

static Py_hash_t
alias_hash(PyObject *self)
{
    Py_hash_t origin = PyObject_Hash(ALIAS(self)->origin);
    if (origin == -1) {
        return -1;
    }
    Py_hash_t args = PyObject_Hash(ALIAS(self)->args);
    if (args == -1) {
        return -1;
    }
    Py_hash_t hash = origin ^ args;
    return hash == -1 ? -2 : hash;
}

static PyObject *
alias_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!IS_ALIAS(a) || !IS_ALIAS(b) || (op != Py_EQ && op != Py_NE)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int equal = ALIAS(a)->starred == ALIAS(b)->starred;
    if (equal) {
        equal = PyObject_RichCompareBool(ALIAS(a)->origin, ALIAS(b)->origin,
                                         Py_EQ);
    }
    if (equal > 0) {
        equal = PyObject_RichCompareBool(ALIAS(a)->args, ALIAS(b)->args,
                                         Py_EQ);
    }
    return equal < 0 ? NULL : PyBool_FromLong(equal == (op == Py_EQ));
}

/* The new instance gets __orig_class__, if it accepts the attribute. */
static PyObject *
set_orig_class(PyObject *op, PyObject *self)
{
    if (op != NULL
        && PyObject_SetAttr(op, _Py_NAME(dunder_orig_class), self) < 0) {
        if (!PyErr_ExceptionMatches(PyExc_AttributeError)
            && !PyErr_ExceptionMatches(PyExc_TypeError)) {
            Py_DECREF(op);
            return NULL;
        }
        PyErr_Clear();
    }
    return op;
}

static PyObject *
alias_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return set_orig_class(PyObject_Call(ALIAS(self)->origin, args, kwargs),
                          self);
}

static PyObject *
alias_vectorcall(PyObject *self, PyObject *const *args, size_t nargsf,
                 PyObject *kwnames)
{
    return set_orig_class(PyObject_Vectorcall(ALIAS(self)->origin, args,
                                              nargsf, kwnames), self);
}

/* The attributes of the alias itself. All others are forwarded to the origin. */
static const char *const own_attributes[] = {
    "__class__",
    "__origin__",
    "__args__",
    "__unpacked__",
    "__parameters__",
    "__typing_unpacked_tuple_args__",
    "__mro_entries__",
    "__reduce_ex__",
    "__reduce__",
    "__copy__",
    "__deepcopy__",
    NULL,
};

static PyObject *
alias_getattro(PyObject *self, PyObject *name)
{
    if (PyUnicode_Check(name)) {
        for (const char *const *p = own_attributes; *p != NULL; p++) {
            if (_PyUnicode_EqualToASCIIString(name, *p)) {
                return PyObject_GenericGetAttr(self, name);
            }
        }
        return PyObject_GetAttr(ALIAS(self)->origin, name);
    }
    return PyObject_GenericGetAttr(self, name);
}

static PyObject *
alias_mro_entries(PyObject *self, PyObject *Py_UNUSED(bases))
{
    return PyTuple_Pack(1, ALIAS(self)->origin);
}

static PyObject *
alias_instancecheck(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(op))
{
    PyErr_SetString(PyExc_TypeError,
                    "isinstance() argument 2 cannot be a parameterized "
                    "generic");
    return NULL;
}

static PyObject *
alias_subclasscheck(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(op))
{
    PyErr_SetString(PyExc_TypeError,
                    "issubclass() argument 2 cannot be a parameterized "
                    "generic");
    return NULL;
}

static PyObject *
builtin(const char *name)
{
    PyObject *value = PyDict_GetItemString(PyEval_GetBuiltins(), name);
    if (value == NULL && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_AttributeError, name);
    }
    return Py_XNewRef(value);
}

static PyObject *
alias_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    aliasobject *alias = ALIAS(self);
    if (!alias->starred) {
        return Py_BuildValue("O(OO)", Py_TYPE(self), alias->origin,
                             alias->args);
    }
    /* next(iter(plain)) */
    PyObject *plain = Py_GenericAlias(alias->origin, alias->args);
    if (plain == NULL) {
        return NULL;
    }
    PyObject *iterator = PyObject_GetIter(plain);
    Py_DECREF(plain);
    PyObject *next = iterator == NULL ? NULL : builtin("next");
    if (next == NULL) {
        Py_XDECREF(iterator);
        return NULL;
    }
    return Py_BuildValue("N(N)", next, iterator);
}

static PyObject *
alias_dir(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *names = PyObject_Dir(ALIAS(self)->origin);
    if (names == NULL) {
        return NULL;
    }
    for (const char *const *p = own_attributes; *p != NULL; p++) {
        PyObject *name = PyUnicode_FromString(*p);
        int known = name == NULL ? -1 : PySequence_Contains(names, name);
        if (known == 0) {
            known = PyList_Append(names, name);
        }
        Py_XDECREF(name);
        if (known < 0) {
            Py_DECREF(names);
            return NULL;
        }
    }
    return names;
}

static PyObject *
get_parameters(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_XNewRef(parameters_of(ALIAS(self)));
}

static PyObject *
get_unpacked_tuple_args(PyObject *self, void *Py_UNUSED(closure))
{
    aliasobject *alias = ALIAS(self);
    if (alias->starred && alias->origin == (PyObject *)&PyTuple_Type) {
        return Py_NewRef(alias->args);
    }
    Py_RETURN_NONE;
}

/* -------------------------------------------------------- iteration: *alias */

typedef struct {
    PyObject_HEAD
    PyObject *alias;            /* NULL after the only step */
} aliasiterobject;

extern PyTypeObject _Py_GenericAliasIterType;

#define ITER(op) ((aliasiterobject *)(op))

static PyObject *
alias_iter(PyObject *self)
{
    aliasiterobject *it = PyObject_GC_New(aliasiterobject,
                                          &_Py_GenericAliasIterType);
    if (it == NULL) {
        return NULL;
    }
    it->alias = Py_NewRef(self);
    _PyObject_GC_TRACK((PyObject *)it);
    return (PyObject *)it;
}

static PyObject *
iter_next(PyObject *self)
{
    PyObject *alias = ITER(self)->alias;
    if (alias == NULL) {
        return NULL;
    }
    PyObject *starred = Py_GenericAlias(ALIAS(alias)->origin,
                                        ALIAS(alias)->args);
    if (starred == NULL) {
        return NULL;
    }
    ALIAS(starred)->starred = 1;
    Py_CLEAR(ITER(self)->alias);
    return starred;
}

static void
iter_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(ITER(self)->alias);
    PyObject_GC_Del(self);
}

static int
iter_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(ITER(self)->alias);
    return 0;
}

static int
iter_clear(PyObject *self)
{
    Py_CLEAR(ITER(self)->alias);
    return 0;
}

static PyObject *
iter_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *iter = builtin("iter");
    if (iter == NULL) {
        return NULL;
    }
    PyObject *alias = ITER(self)->alias;
    return alias != NULL ? Py_BuildValue("N(O)", iter, alias)
                         : Py_BuildValue("N(())", iter);
}

static PyMethodDef iter_methods[] = {
    {"__reduce__", iter_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

PyTypeObject _Py_GenericAliasIterType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "generic_alias_iterator",
    .tp_basicsize = sizeof(aliasiterobject),
    .tp_dealloc = iter_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = iter_traverse,
    .tp_clear = iter_clear,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = iter_next,
    .tp_methods = iter_methods,
};

/* ----------------------------------------------------------------- the type */

static PyMethodDef alias_methods[] = {
    {"__mro_entries__", alias_mro_entries, METH_O, NULL},
    {"__instancecheck__", alias_instancecheck, METH_O, NULL},
    {"__subclasscheck__", alias_subclasscheck, METH_O, NULL},
    {"__reduce__", alias_reduce, METH_NOARGS, NULL},
    {"__dir__", alias_dir, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMemberDef alias_members[] = {
    {"__origin__", T_OBJECT, offsetof(aliasobject, origin), READONLY, NULL},
    {"__args__", T_OBJECT, offsetof(aliasobject, args), READONLY, NULL},
    {"__unpacked__", T_BOOL, offsetof(aliasobject, starred), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef alias_getsets[] = {
    {"__parameters__", get_parameters, NULL,
     "Type variables in the GenericAlias.", NULL},
    {"__typing_unpacked_tuple_args__", get_unpacked_tuple_args, NULL, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyMappingMethods alias_as_mapping = {
    .mp_subscript = alias_getitem,
};

static PyNumberMethods alias_as_number = {
    .nb_or = _Py_union_type_or,
};

PyTypeObject Py_GenericAliasType = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "types.GenericAlias",
    .tp_basicsize = sizeof(aliasobject),
    .tp_dealloc = alias_dealloc,
    .tp_vectorcall_offset = offsetof(aliasobject, vectorcall),
    .tp_repr = alias_repr,
    .tp_as_number = &alias_as_number,
    .tp_as_mapping = &alias_as_mapping,
    .tp_hash = alias_hash,
    .tp_call = alias_call,
    .tp_getattro = alias_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_doc = "A generic class with its arguments (PEP 585): list[int].",
    .tp_traverse = alias_traverse,
    .tp_richcompare = alias_richcompare,
    .tp_weaklistoffset = offsetof(aliasobject, weakreflist),
    .tp_iter = alias_iter,
    .tp_methods = alias_methods,
    .tp_members = alias_members,
    .tp_getset = alias_getsets,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = alias_new,
    .tp_free = PyObject_GC_Del,
};
