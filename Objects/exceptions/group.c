/* BaseExceptionGroup and ExceptionGroup, and what `except*` needs of them.

   A group owns a message and a non-empty tuple of exceptions, some of which may
   be groups: a tree. split() and subgroup() take the tree apart by a condition;
   the parts are new groups, made by derive(), with the original's traceback,
   cause, context and notes. */
#include "private.h"
#include "internal/pystate.h"
#include "internal/errors.h"

static PyObject *exception_group_type;  /* ExceptionGroup */

static inline PyBaseExceptionGroupObject *
as_group(PyObject *op)
{
    return (PyBaseExceptionGroupObject *)op;
}

static int
is_group(PyObject *op)
{
    return PyObject_TypeCheck(op, &_PyExc_BaseExceptionGroup);
}

DECLARE_FAMILY(BaseExceptionGroup)

#define FIELDS(do) do(msg) do(excs)
DEFINE_FAMILY_GC(BaseExceptionGroup, PyBaseExceptionGroupObject, FIELDS)
#undef FIELDS

int
_PyExc_BaseExceptionGroup_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    return _PyExc_BaseException_init(op, args, kwds);
}

/* Checks the second argument and returns its members as a tuple. *only_exceptions tells
   whether every member is an Exception. */
static PyObject *
checked_members(PyObject *sequence, int *only_exceptions)
{
    if (!PySequence_Check(sequence)) {
        PyErr_SetString(PyExc_TypeError,
                        "second argument (exceptions) must be a sequence");
        return NULL;
    }
    PyObject *excs = PySequence_Tuple(sequence);
    if (excs == NULL) {
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(excs);
    if (n == 0) {
        PyErr_SetString(PyExc_ValueError, "second argument (exceptions) must "
                                          "be a non-empty sequence");
        goto fail;
    }
    *only_exceptions = 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *exc = PyTuple_GET_ITEM(excs, i);
        if (!PyExceptionInstance_Check(exc)) {
            PyErr_Format(PyExc_ValueError, "Item %zd of second argument "
                         "(exceptions) is not an exception", i);
            goto fail;
        }
        int is_exception = PyObject_IsInstance(exc, PyExc_Exception);
        if (is_exception < 0) {
            goto fail;
        }
        *only_exceptions &= is_exception;
    }
    return excs;

fail:
    Py_DECREF(excs);
    return NULL;
}

/* The class to make: BaseExceptionGroup(…) of Exceptions makes an ExceptionGroup. A
   class that is an Exception accepts no other members. */
static PyTypeObject *
class_for_members(PyTypeObject *type, int only_exceptions)
{
    PyTypeObject *narrow = (PyTypeObject *)exception_group_type;
    if (type == &_PyExc_BaseExceptionGroup) {
        return only_exceptions ? narrow : type;
    }
    if (only_exceptions) {
        return type;
    }
    if (type == narrow) {
        PyErr_SetString(PyExc_TypeError,
                        "Cannot nest BaseExceptions in an ExceptionGroup");
        return NULL;
    }
    int is_exception = PyObject_IsSubclass((PyObject *)type, PyExc_Exception);
    if (is_exception < 0) {
        return NULL;
    }
    if (is_exception) {
        PyErr_Format(PyExc_TypeError, "Cannot nest BaseExceptions in '%.200s'",
                     type->tp_name);
        return NULL;
    }
    return type;
}

static PyObject *
group_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    PyObject *message, *sequence;
    int only_exceptions;
    if (!PyArg_ParseTuple(args, "UO:BaseExceptionGroup.__new__",
                          &message, &sequence)) {
        return NULL;
    }
    PyObject *excs = checked_members(sequence, &only_exceptions);
    if (excs == NULL) {
        return NULL;
    }
    type = class_for_members(type, only_exceptions);
    PyObject *self = type == NULL ? NULL
        : _PyExc_BaseException_new(type, args, kwds);
    if (self == NULL) {
        Py_DECREF(excs);
        return NULL;
    }
    as_group(self)->msg = Py_NewRef(message);
    as_group(self)->excs = excs;
    return self;
}

static PyObject *
create_group(const char *msg, PyObject *excs)
{
    PyObject *message = PyUnicode_FromString(msg);
    if (message == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_CallFunctionObjArgs(PyExc_BaseExceptionGroup,
                                                    message, excs, NULL);
    Py_DECREF(message);
    return result;
}

static PyObject *
group_str(PyObject *op)
{
    Py_ssize_t n = PyTuple_GET_SIZE(as_group(op)->excs);
    return PyUnicode_FromFormat("%S (%zd sub-exception%s)", as_group(op)->msg,
                                n, n == 1 ? "" : "s");
}

static PyObject *
group_derive(PyObject *op, PyObject *args)
{
    PyObject *excs;
    if (!PyArg_ParseTuple(args, "O", &excs)) {
        return NULL;
    }
    PyObject *made = PyObject_CallFunctionObjArgs(
        PyExc_BaseExceptionGroup, as_group(op)->msg, excs, NULL);
    return made;
}

static int
copy_notes(PyObject *from, PyObject *to)
{
    PyObject *notes;
    if (_PyObject_LookupAttr(from, _Py_NAME(dunder_notes), &notes) < 0) {
        return -1;
    }
    int failed = 0;
    /* Notes that are not a sequence are silently dropped. */
    if (notes != NULL && PySequence_Check(notes)) {
        PyObject *copy = PySequence_List(notes);
        failed = copy == NULL
            || PyObject_SetAttr(to, _Py_NAME(dunder_notes), copy) < 0;
        Py_XDECREF(copy);
    }
    Py_XDECREF(notes);
    return failed ? -1 : 0;
}

/* Makes a group like `original` with other members. *result is a new reference, NULL if
   there are no members. */
static int
derive_like(PyObject *original, PyObject *excs, PyObject **result)
{
    *result = NULL;
    if (PyList_GET_SIZE(excs) == 0) {
        return 0;
    }
    PyObject *made = PyObject_CallMethod(original, "derive", "(O)", excs);
    if (made == NULL) {
        return -1;
    }
    if (!is_group(made)) {
        PyErr_SetString(PyExc_TypeError, "derive must return an instance of "
                                         "BaseExceptionGroup");
        Py_DECREF(made);
        return -1;
    }
    PyObject *traceback = PyException_GetTraceback(original);
    int failed = traceback != NULL
        && PyException_SetTraceback(made, traceback) < 0;
    Py_XDECREF(traceback);
    if (failed) {
        Py_DECREF(made);
        return -1;
    }
    PyException_SetContext(made, PyException_GetContext(original));
    PyException_SetCause(made, PyException_GetCause(original));
    if (copy_notes(original, made) < 0) {
        Py_DECREF(made);
        return -1;
    }
    *result = made;
    return 0;
}

/* --------------------------------------------------------------- conditions */

typedef enum {
    BY_TYPE,        /* a class or a tuple of them */
    BY_PREDICATE,   /* a callable */
    BY_IDENTITY,    /* a set of id()s of leaves */
} condition_kind;

static int
get_condition_kind(PyObject *value, condition_kind *kind)
{
    int classes = PyExceptionClass_Check(value);
    if (!classes && PyTuple_CheckExact(value)) {
        classes = 1;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(value); i++) {
            classes &= PyExceptionClass_Check(PyTuple_GET_ITEM(value, i));
        }
    }
    if (classes) {
        *kind = BY_TYPE;
        return 0;
    }
    if (PyFunction_Check(value)) {
        *kind = BY_PREDICATE;
        return 0;
    }
    PyErr_SetString(PyExc_TypeError, "expected a function, exception type or "
                                     "tuple of exception types");
    return -1;
}

static int
satisfies(PyObject *exc, condition_kind kind, PyObject *value)
{
    switch (kind) {
    case BY_TYPE:
        return PyErr_GivenExceptionMatches(exc, value);
    case BY_PREDICATE: {
        PyObject *answer = PyObject_CallOneArg(value, exc);
        if (answer == NULL) {
            return -1;
        }
        int truth = PyObject_IsTrue(answer);
        Py_DECREF(answer);
        return truth;
    }
    default: {
        if (is_group(exc)) {
            return 0;
        }
        PyObject *id = PyLong_FromVoidPtr(exc);
        if (id == NULL) {
            return -1;
        }
        int found = PySet_Contains(value, id);
        Py_DECREF(id);
        return found;
    }
    }
}

/* The two parts of a tree: new references, NULL for an empty part. */
typedef struct {
    PyObject *match;
    PyObject *rest;
} parts;

static int split_tree(PyObject *exc, condition_kind kind, PyObject *value,
                      int want_rest, parts *result);

static int
split_members(PyObject *group, condition_kind kind, PyObject *value,
              int want_rest, parts *result)
{
    PyObject *match = PyList_New(0);
    PyObject *rest = want_rest ? PyList_New(0) : NULL;
    int status = -1;
    if (match == NULL || (want_rest && rest == NULL)) {
        goto done;
    }
    PyObject *excs = as_group(group)->excs;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(excs); i++) {
        parts member;
        if (split_tree(PyTuple_GET_ITEM(excs, i), kind, value, want_rest,
                       &member) < 0) {
            goto done;
        }
        int failed = (member.match != NULL
                      && PyList_Append(match, member.match) < 0)
            || (member.rest != NULL && PyList_Append(rest, member.rest) < 0);
        Py_XDECREF(member.match);
        Py_XDECREF(member.rest);
        if (failed) {
            goto done;
        }
    }
    if (derive_like(group, match, &result->match) < 0) {
        goto done;
    }
    if (want_rest && derive_like(group, rest, &result->rest) < 0) {
        Py_CLEAR(result->match);
        goto done;
    }
    status = 0;

done:
    Py_XDECREF(match);
    Py_XDECREF(rest);
    return status;
}

static int
split_tree(PyObject *exc, condition_kind kind, PyObject *value,
           int want_rest, parts *result)
{
    result->match = result->rest = NULL;
    int holds = satisfies(exc, kind, value);
    if (holds < 0) {
        return -1;
    }
    if (holds) {
        result->match = Py_NewRef(exc);
        return 0;
    }
    if (!is_group(exc)) {
        result->rest = want_rest ? Py_NewRef(exc) : NULL;
        return 0;
    }
    if (_Py_EnterRecursiveCall(" in exceptiongroup_split_recursive")) {
        return -1;
    }
    int status = split_members(exc, kind, value, want_rest, result);
    _Py_LeaveRecursiveCall();
    return status;
}

static PyObject *
none_if_null(PyObject *op)
{
    return op != NULL ? op : Py_NewRef(Py_None);
}

static PyObject *
group_split(PyObject *op, PyObject *args)
{
    PyObject *value;
    condition_kind kind;
    parts result;
    if (!PyArg_UnpackTuple(args, "split", 1, 1, &value)
        || get_condition_kind(value, &kind) < 0
        || split_tree(op, kind, value, 1, &result) < 0) {
        return NULL;
    }
    PyObject *match = none_if_null(result.match);
    PyObject *rest = none_if_null(result.rest);
    PyObject *pair = PyTuple_Pack(2, match, rest);
    Py_DECREF(match);
    Py_DECREF(rest);
    return pair;
}

static PyObject *
group_subgroup(PyObject *op, PyObject *args)
{
    PyObject *value;
    condition_kind kind;
    parts result;
    if (!PyArg_UnpackTuple(args, "subgroup", 1, 1, &value)
        || get_condition_kind(value, &kind) < 0
        || split_tree(op, kind, value, 0, &result) < 0) {
        return NULL;
    }
    return none_if_null(result.match);
}

/* ------------------------------------------------------------------ except* */

int
_PyErr_CheckExceptionGroupMatch(PyObject *exc, PyObject *match_type,
                                PyObject **match, PyObject **rest)
{
    if (exc == Py_None) {
        *match = Py_NewRef(Py_None);
        *rest = Py_NewRef(Py_None);
        return 0;
    }
    if (PyErr_GivenExceptionMatches(exc, match_type)) {
        if (is_group(exc)) {
            *match = Py_NewRef(exc);
        }
        else {
            /* A naked exception that is caught by except* is wrapped. */
            PyObject *members = PyTuple_Pack(1, exc);
            if (members == NULL) {
                return -1;
            }
            *match = create_group("", members);
            Py_DECREF(members);
            if (*match == NULL) {
                return -1;
            }
        }
        *rest = Py_NewRef(Py_None);
        return 0;
    }
    if (is_group(exc)) {
        PyObject *pair = PyObject_CallMethod(exc, "split", "(O)", match_type);
        if (pair == NULL) {
            return -1;
        }
        if (!PyTuple_CheckExact(pair) || PyTuple_GET_SIZE(pair) != 2) {
            PyErr_Format(PyExc_TypeError,
                         "%.200s.split must return a 2-tuple",
                         Py_TYPE(exc)->tp_name);
            Py_DECREF(pair);
            return -1;
        }
        for (int i = 0; i < 2; i++) {
            PyObject *part = PyTuple_GET_ITEM(pair, i);
            if (part != Py_None && !PyExceptionInstance_Check(part)) {
                PyErr_Format(PyExc_TypeError,
                             "%.200s.split must return exceptions or None, not %.200s",
                             Py_TYPE(exc)->tp_name, Py_TYPE(part)->tp_name);
                Py_DECREF(pair);
                return -1;
            }
        }
        *match = Py_NewRef(PyTuple_GET_ITEM(pair, 0));
        *rest = Py_NewRef(PyTuple_GET_ITEM(pair, 1));
        Py_DECREF(pair);
        return 0;
    }
    *match = Py_NewRef(Py_None);
    *rest = Py_NewRef(exc);
    return 0;
}

static int
collect_leaves(PyObject *exc, PyObject *ids)
{
    if (exc == Py_None) {
        return 0;
    }
    if (!is_group(exc)) {
        PyObject *id = PyLong_FromVoidPtr(exc);
        int failed = id == NULL || PySet_Add(ids, id) < 0;
        Py_XDECREF(id);
        return failed ? -1 : 0;
    }
    if (_Py_EnterRecursiveCall(" in collect_exception_group_leaf_ids")) {
        return -1;
    }
    PyObject *excs = as_group(exc)->excs;
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < PyTuple_GET_SIZE(excs); i++) {
        status = collect_leaves(PyTuple_GET_ITEM(excs, i), ids);
    }
    _Py_LeaveRecursiveCall();
    return status;
}

/* The part of `group` whose leaves occur in the list `kept`. *result is a new
   reference, or NULL if there is none. */
static int
project(PyObject *group, PyObject *kept, PyObject **result)
{
    PyObject *ids = PySet_New(NULL);
    if (ids == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(kept); i++) {
        if (collect_leaves(PyList_GET_ITEM(kept, i), ids) < 0) {
            Py_DECREF(ids);
            return -1;
        }
    }
    parts split;
    int status = split_tree(group, BY_IDENTITY, ids, 0, &split);
    Py_DECREF(ids);
    *result = status < 0 ? NULL : split.match;
    return status;
}

/* Is `a` a part of the original group, rather than something that a handler raised?
   Parts have the original's traceback, cause and context. Notes are not compared: if a
   handler adds a note to its part and raises the part again, python3.11 restores the
   original group without the note. */
static int
same_origin(PyObject *a, PyObject *b)
{
    PyBaseExceptionObject *x = _PyExc_BASE(a), *y = _PyExc_BASE(b);
    return x->traceback == y->traceback && x->cause == y->cause
        && x->context == y->context;
}

PyObject *
_PyExc_PrepReraiseStar(PyObject *orig, PyObject *excs)
{
    Py_ssize_t n = PyList_GET_SIZE(excs);
    if (n == 0) {
        return Py_NewRef(Py_None);
    }
    if (!is_group(orig)) {
        /* A naked exception was either passed on or replaced, so there is exactly one. */
        return Py_NewRef(PyList_GET_ITEM(excs, 0));
    }
    PyObject *raised = PyList_New(0);
    PyObject *reraised = PyList_New(0);
    PyObject *projection = NULL;
    PyObject *result = NULL;
    if (raised == NULL || reraised == NULL) {
        goto done;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *exc = PyList_GET_ITEM(excs, i);
        if (exc == Py_None) {
            continue;
        }
        int part = is_group(exc) && same_origin(exc, orig);
        if (PyList_Append(part ? reraised : raised, exc) < 0) {
            goto done;
        }
    }
    if (project(orig, reraised, &projection) < 0) {
        goto done;
    }
    if (PyList_GET_SIZE(raised) == 0) {
        result = none_if_null(projection);
        projection = NULL;
        goto done;
    }
    if (projection != NULL && PyList_Append(raised, projection) < 0) {
        goto done;
    }
    result = create_group("", raised);

done:
    Py_XDECREF(raised);
    Py_XDECREF(reraised);
    Py_XDECREF(projection);
    return result;
}

/* ---------------------------------------------------------------- the types */

static PyMemberDef group_members[] = {
    {"message", T_OBJECT, offsetof(PyBaseExceptionGroupObject, msg), READONLY,
     PyDoc_STR("exception message")},
    {"exceptions", T_OBJECT, offsetof(PyBaseExceptionGroupObject, excs),
     READONLY, PyDoc_STR("nested exceptions")},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef group_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     PyDoc_STR("See PEP 585")},
    {"derive", group_derive, METH_VARARGS, NULL},
    {"split", group_split, METH_VARARGS, NULL},
    {"subgroup", group_subgroup, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject _PyExc_BaseExceptionGroup = {
    EXC_TYPE(BaseExceptionGroup, &_PyExc_BaseException,
             PyBaseExceptionGroupObject, BaseExceptionGroup,
             "Several exceptions that were raised together."),
    .tp_str = group_str,
    .tp_members = group_members,
    .tp_methods = group_methods,
    .tp_new = group_new,
};

/* ExceptionGroup has two bases, so it is made as a class statement would make it. */
int
_PyExc_InitGroup(void)
{
    if (exception_group_type == NULL) {
        exception_group_type = PyObject_CallFunction(
            (PyObject *)&PyType_Type, "s(OO){ss}", "ExceptionGroup",
            PyExc_BaseExceptionGroup, PyExc_Exception,
            "__module__", "builtins");
    }
    return exception_group_type == NULL ? -1 : 0;
}

PyObject *
_PyExc_ExceptionGroupType(void)
{
    return exception_group_type;
}
