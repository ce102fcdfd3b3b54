/* types.UnionType: int | str. */
#include "Python.h"
#include <stddef.h>
#include "structmember.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/object.h"
#include "internal/union.h"

typedef struct {
    PyObject_HEAD
    PyObject *args;             /* tuple without duplicates */
    PyObject *parameters;       /* made on demand */
} unionobject;

#define UNION(op) ((unionobject *)(op))

PyObject *
_Py_union_args(PyObject *op)
{
    return UNION(op)->args;
}

/* ------------------------------------------------------------- construction */

static int
same_member(PyObject *a, PyObject *b)
{
    if (a == b) {
        return 1;
    }
    /* Each list[int] is a separate object, so compare by equality. */
    if (PyObject_TypeCheck(a, &Py_GenericAliasType)
        && PyObject_TypeCheck(b, &Py_GenericAliasType)) {
        return PyObject_RichCompareBool(a, b, Py_EQ);
    }
    return 0;
}

static Py_ssize_t
number_of_members(PyObject *op)
{
    return _PyUnion_Check(op) ? PyTuple_GET_SIZE(UNION(op)->args) : 1;
}

/* Adds a member, or those of a union, to the n that a tuple has, which has room for them. Returns
   how many it has then; -1 with an exception. */
static Py_ssize_t
add_members(PyObject *tuple, Py_ssize_t n, PyObject *member)
{
    if (member == Py_None) {
        member = (PyObject *)&_PyNone_Type;
    }
    if (_PyUnion_Check(member)) {
        PyObject *args = UNION(member)->args;
        for (Py_ssize_t i = 0; n >= 0 && i < PyTuple_GET_SIZE(args); i++) {
            n = add_members(tuple, n, PyTuple_GET_ITEM(args, i));
        }
        return n;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        int same = same_member(PyTuple_GET_ITEM(tuple, i), member);
        if (same != 0) {
            return same < 0 ? -1 : n;
        }
    }
    PyTuple_SET_ITEM(tuple, n, Py_NewRef(member));
    return n + 1;
}

static PyObject *
new_union(PyObject *args)
{
    unionobject *op = PyObject_GC_New(unionobject, &_PyUnion_Type);
    if (op == NULL) {
        return NULL;
    }
    op->args = Py_NewRef(args);
    op->parameters = NULL;
    _PyObject_GC_TRACK((PyObject *)op);
    return (PyObject *)op;
}

static int
may_be_member(PyObject *op)
{
    return op == Py_None || PyType_Check(op)
           || PyObject_TypeCheck(op, &Py_GenericAliasType)
           || _PyUnion_Check(op);
}

PyObject *
_Py_union_type_or(PyObject *a, PyObject *b)
{
    if (!may_be_member(a) || !may_be_member(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    Py_ssize_t most = number_of_members(a) + number_of_members(b);
    PyObject *args = PyTuple_New(most);
    if (args == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    Py_ssize_t n = add_members(args, 0, a);
    n = n < 0 ? -1 : add_members(args, n, b);
    if (n == 1) {
        result = Py_NewRef(PyTuple_GET_ITEM(args, 0));
    }
    else if (n > 1 && (n == most || _PyTuple_Resize(&args, n) == 0)) {
        result = new_union(args);
    }
    Py_XDECREF(args);
    return result;
}

/* ---------------------------------------------------------------- behaviour */

static PyObject *
union_repr(PyObject *self)
{
    PyObject *args = UNION(self)->args;
    _PyUnicodeWriter writer;
    _PyUnicodeWriter_Init(&writer);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++) {
        PyObject *arg = PyTuple_GET_ITEM(args, i);
        if (i > 0
            && _PyUnicodeWriter_WriteASCIIString(&writer, " | ", 3) < 0) {
            goto error;
        }
        int status = arg == (PyObject *)&_PyNone_Type
            ? _PyUnicodeWriter_WriteASCIIString(&writer, "None", 4)
            : _Py_typing_repr(&writer, arg);
        if (status < 0) {
            goto error;
        }
    }
    return _PyUnicodeWriter_Finish(&writer);
error:
    _PyUnicodeWriter_Dealloc(&writer);
    return NULL;
}

/* The order of the members makes no difference. */
static Py_hash_t
union_hash(PyObject *self)
{
    PyObject *set = PyFrozenSet_New(UNION(self)->args);
    if (set == NULL) {
        return -1;
    }
    Py_hash_t hash = PyObject_Hash(set);
    Py_DECREF(set);
    return hash;
}

static PyObject *
union_richcompare(PyObject *a, PyObject *b, int op)
{
    if ((op != Py_EQ && op != Py_NE) || !_PyUnion_Check(a)
        || !_PyUnion_Check(b)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *x = PySet_New(UNION(a)->args);
    PyObject *y = x == NULL ? NULL : PySet_New(UNION(b)->args);
    PyObject *result = y == NULL ? NULL : PyObject_RichCompare(x, y, op);
    Py_XDECREF(x);
    Py_XDECREF(y);
    return result;
}

static PyObject *
get_parameters(PyObject *self, void *Py_UNUSED(closure))
{
    unionobject *op = UNION(self);
    if (op->parameters == NULL) {
        op->parameters = _Py_make_parameters(op->args);
    }
    return Py_XNewRef(op->parameters);
}

static PyObject *
union_getitem(PyObject *self, PyObject *item)
{
    PyObject *parameters = get_parameters(self, NULL);
    if (parameters == NULL) {
        return NULL;
    }
    PyObject *args = _Py_subs_parameters(self, UNION(self)->args, parameters,
                                         item);
    Py_DECREF(parameters);
    if (args == NULL) {
        return NULL;
    }
    /* typing's objects implement | in their own way. */
    PyObject *result = NULL;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); i++) {
        PyObject *arg = PyTuple_GET_ITEM(args, i);
        if (i == 0) {
            result = Py_NewRef(arg);
            continue;
        }
        Py_SETREF(result, PyNumber_Or(result, arg));
        if (result == NULL) {
            break;
        }
    }
    Py_DECREF(args);
    return result;
}

static const char *const type_attributes[] = {"__module__", NULL};

/* The module of a union is "types". */
static PyObject *
union_getattro(PyObject *self, PyObject *name)
{
    if (PyUnicode_Check(name)) {
        for (const char *const *p = type_attributes; *p != NULL; p++) {
            if (_PyUnicode_EqualToASCIIString(name, *p)) {
                return PyObject_GetAttr((PyObject *)Py_TYPE(self), name);
            }
        }
    }
    return PyObject_GenericGetAttr(self, name);
}

static void
union_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_XDECREF(UNION(self)->args);
    Py_XDECREF(UNION(self)->parameters);
    PyObject_GC_Del(self);
}

static int
union_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(UNION(self)->args);
    Py_VISIT(UNION(self)->parameters);
    return 0;
}

static PyMemberDef union_members[] = {
    {"__args__", T_OBJECT, offsetof(unionobject, args), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}
};

static PyGetSetDef union_getsets[] = {
    {"__parameters__", get_parameters, NULL,
     "Type variables in the types.UnionType.", NULL},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyNumberMethods union_as_number = {
    .nb_or = _Py_union_type_or,
};

static PyMappingMethods union_as_mapping = {
    .mp_subscript = union_getitem,
};

PyTypeObject _PyUnion_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "types.UnionType",
    .tp_basicsize = sizeof(unionobject),
    .tp_dealloc = union_dealloc,
    .tp_repr = union_repr,
    .tp_as_number = &union_as_number,
    .tp_as_mapping = &union_as_mapping,
    .tp_hash = union_hash,
    .tp_getattro = union_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "One of several types (PEP 604): int | str.",
    .tp_traverse = union_traverse,
    .tp_richcompare = union_richcompare,
    .tp_members = union_members,
    .tp_getset = union_getsets,
};
