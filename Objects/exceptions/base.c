/* BaseException: the fields that every exception has, and the PyException_* functions
   on them.

   Invariant: args is a tuple; it is NULL only while an instance is being cleared.
   traceback, context and cause are NULL or values that their setters allow. Notes are
   in the instance's dict as __notes__. The struct's `notes` field exists only for its
   layout and is not used. */
#include "private.h"
#include "internal/pystate.h"
#include "internal/spare.h"
#include "internal/trashcan.h"

/* Dead instances, whose fields are all NULL. They are of static types without fields of their
   own, which have the same layout, so any of these types can reuse them. */
static _PySpareObjects spare = _PySpareObjects_INIT(32);

static inline int
is_plain(PyTypeObject *type)
{
    return type->tp_basicsize == sizeof(PyBaseExceptionObject)
        && !(type->tp_flags & Py_TPFLAGS_HEAPTYPE);
}

/* All fields NULL. */
static PyBaseExceptionObject *
allocate(PyTypeObject *type)
{
    PyBaseExceptionObject *self = NULL;
    if (is_plain(type)) {
        self = (PyBaseExceptionObject *)_PySpare_Take(&spare, type);
    }
    if (self == NULL) {
        return (PyBaseExceptionObject *)type->tp_alloc(type, 0);
    }
    self->suppress_context = 0;
    _PyObject_GC_TRACK((PyObject *)self);
    return self;
}

PyObject *
_PyExc_BaseException_new(PyTypeObject *type, PyObject *args,
                         PyObject *Py_UNUSED(kwds))
{
    PyBaseExceptionObject *self = allocate(type);
    if (self == NULL) {
        return NULL;
    }
    /* tp_alloc gives zeroed memory: every other field is NULL. */
    if (args != NULL) {
        self->args = Py_NewRef(args);
    }
    else {
        self->args = PyTuple_New(0);
        if (self->args == NULL) {
            Py_DECREF(self);
            return NULL;
        }
    }
    return (PyObject *)self;
}

/* Calls of the plain types, without making a tuple and a dict or calling slots. */
PyObject *
_PyExc_BaseException_vectorcall(PyObject *callable, PyObject *const *args,
                                size_t nargsf, PyObject *kwnames)
{
    PyTypeObject *type = (PyTypeObject *)callable;
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0) {
        PyErr_Format(PyExc_TypeError, "%.200s() takes no keyword arguments",
                     type->tp_name);
        return NULL;
    }
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    PyObject *tuple = PyTuple_New(n);
    if (tuple == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(args[i]));
    }
    PyBaseExceptionObject *self = allocate(type);
    if (self == NULL) {
        Py_DECREF(tuple);
        return NULL;
    }
    self->args = tuple;
    return (PyObject *)self;
}

int
_PyExc_BaseException_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PyBaseExceptionObject *self = (PyBaseExceptionObject *)op;
    if (kwds != NULL && PyDict_GET_SIZE(kwds) != 0) {
        PyErr_Format(PyExc_TypeError, "%.200s() takes no keyword arguments",
                     Py_TYPE(op)->tp_name);
        return -1;
    }
    Py_INCREF(args);
    Py_XSETREF(self->args, args);
    return 0;
}

int
_PyExc_BaseException_clear(PyObject *op)
{
    PyBaseExceptionObject *self = (PyBaseExceptionObject *)op;
    Py_CLEAR(self->dict);
    Py_CLEAR(self->args);
    Py_CLEAR(self->notes);
    Py_CLEAR(self->traceback);
    Py_CLEAR(self->cause);
    Py_CLEAR(self->context);
    return 0;
}

int
_PyExc_BaseException_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyBaseExceptionObject *self = (PyBaseExceptionObject *)op;
    Py_VISIT(self->dict);
    Py_VISIT(self->args);
    Py_VISIT(self->notes);
    Py_VISIT(self->traceback);
    Py_VISIT(self->cause);
    Py_VISIT(self->context);
    return 0;
}

void
_PyExc_BaseException_dealloc(PyObject *op)
{
    if (_PyObject_GC_IS_TRACKED(op)) {
        _PyObject_GC_UNTRACK(op);
    }
    /* A chain of contexts may be long. */
    PyThreadState *tstate = NULL;
    if (Py_TYPE(op)->tp_dealloc == _PyExc_BaseException_dealloc) {
        tstate = _PyThreadState_GET();
        if (!_PyTrash_Enter(tstate, op)) {
            return;
        }
    }
    (void)_PyExc_BaseException_clear(op);
    if (!is_plain(Py_TYPE(op)) || Py_TYPE(op)->tp_free != PyObject_GC_Del
        || !_PySpare_Keep(&spare, op)) {
        Py_TYPE(op)->tp_free(op);
    }
    if (tstate != NULL) {
        _PyTrash_Leave(tstate);
    }
}

/* Showing an argument may replace the arguments: they are held meanwhile, here and below. */
PyObject *
_PyExc_BaseException_str(PyObject *op)
{
    PyObject *args = _PyExc_BASE(op)->args;
    if (args == NULL || PyTuple_GET_SIZE(args) == 0) {
        return PyUnicode_New(0, 0);
    }
    Py_INCREF(args);
    PyObject *result = PyObject_Str(PyTuple_GET_SIZE(args) == 1 ? PyTuple_GET_ITEM(args, 0) : args);
    Py_DECREF(args);
    return result;
}

static PyObject *
base_repr(PyObject *op)
{
    const char *name = _PyType_Name(Py_TYPE(op));
    PyObject *args = _PyExc_BASE(op)->args;
    if (args == NULL) {
        return PyUnicode_FromFormat("%s()", name);
    }
    Py_INCREF(args);
    PyObject *result = PyTuple_GET_SIZE(args) == 1
        ? PyUnicode_FromFormat("%s(%R)", name, PyTuple_GET_ITEM(args, 0))
        : PyUnicode_FromFormat("%s%R", name, args);
    Py_DECREF(args);
    return result;
}

/* ------------------------------------------------------------------ methods */

static PyObject *
base_reduce(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    PyBaseExceptionObject *self = _PyExc_BASE(op);
    if (self->args != NULL && self->dict != NULL) {
        return PyTuple_Pack(3, Py_TYPE(op), self->args, self->dict);
    }
    return PyTuple_Pack(2, Py_TYPE(op), self->args);
}

static PyObject *
base_setstate(PyObject *op, PyObject *state)
{
    if (state == Py_None) {
        Py_RETURN_NONE;
    }
    if (!PyDict_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "state is not a dictionary");
        return NULL;
    }
    PyObject *key, *value;
    Py_ssize_t i = 0;
    while (PyDict_Next(state, &i, &key, &value)) {
        Py_INCREF(key);
        Py_INCREF(value);
        int failed = PyObject_SetAttr(op, key, value);
        Py_DECREF(value);
        Py_DECREF(key);
        if (failed < 0) {
            return NULL;
        }
    }
    Py_RETURN_NONE;
}

static PyObject *
base_with_traceback(PyObject *op, PyObject *traceback)
{
    return PyException_SetTraceback(op, traceback) < 0 ? NULL : Py_NewRef(op);
}

PyDoc_STRVAR(with_traceback_doc,
"Exception.with_traceback(tb) --\n"
"    set self.__traceback__ to tb, and return self.");

static PyObject *
base_add_note(PyObject *op, PyObject *note)
{
    if (!PyUnicode_Check(note)) {
        PyErr_Format(PyExc_TypeError, "note must be a str, not '%s'",
                     Py_TYPE(note)->tp_name);
        return NULL;
    }
    PyObject *notes;
    if (_PyObject_LookupAttr(op, _Py_NAME(dunder_notes), &notes) < 0) {
        return NULL;
    }
    if (notes == NULL) {
        notes = PyList_New(0);
        if (notes == NULL
            || PyObject_SetAttr(op, _Py_NAME(dunder_notes), notes) < 0) {
            Py_XDECREF(notes);
            return NULL;
        }
    }
    else if (!PyList_Check(notes)) {
        Py_DECREF(notes);
        PyErr_SetString(PyExc_TypeError,
                        "Cannot add note: __notes__ is not a list");
        return NULL;
    }
    int failed = PyList_Append(notes, note);
    Py_DECREF(notes);
    if (failed < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

PyDoc_STRVAR(add_note_doc,
"Exception.add_note(note) --\n    attach a text to the exception.");

static PyMethodDef base_methods[] = {
    {"__reduce__", base_reduce, METH_NOARGS, NULL},
    {"__setstate__", base_setstate, METH_O, NULL},
    {"with_traceback", base_with_traceback, METH_O, with_traceback_doc},
    {"add_note", base_add_note, METH_O, add_note_doc},
    {NULL, NULL, 0, NULL},
};

/* --------------------------------------------------------------- attributes */

static PyObject *
or_none(PyObject *value)
{
    return Py_NewRef(value != NULL ? value : Py_None);
}

static PyObject *
get_args(PyObject *op, void *Py_UNUSED(closure))
{
    return or_none(_PyExc_BASE(op)->args);
}

static int
set_args(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "args may not be deleted");
        return -1;
    }
    PyObject *args = PySequence_Tuple(value);
    if (args == NULL) {
        return -1;
    }
    Py_XSETREF(_PyExc_BASE(op)->args, args);
    return 0;
}

static PyObject *
get_traceback(PyObject *op, void *Py_UNUSED(closure))
{
    return or_none(_PyExc_BASE(op)->traceback);
}

static int
set_traceback(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "__traceback__ may not be deleted");
        return -1;
    }
    if (value != Py_None && !PyTraceBack_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__traceback__ must be a traceback or None");
        return -1;
    }
    Py_INCREF(value);
    Py_XSETREF(_PyExc_BASE(op)->traceback, value);
    return 0;
}

static PyObject *
get_context(PyObject *op, void *Py_UNUSED(closure))
{
    return or_none(_PyExc_BASE(op)->context);
}

static PyObject *
get_cause(PyObject *op, void *Py_UNUSED(closure))
{
    return or_none(_PyExc_BASE(op)->cause);
}

/* Stores a new reference in *result (NULL for None). Returns -1 with an exception. */
static int
check_link(PyObject *value, const char *attribute, const char *what,
           PyObject **result)
{
    *result = NULL;
    if (value == NULL) {
        PyErr_Format(PyExc_TypeError, "%s may not be deleted", attribute);
        return -1;
    }
    if (value == Py_None) {
        return 0;
    }
    if (!PyExceptionInstance_Check(value)) {
        PyErr_Format(PyExc_TypeError,
                     "exception %s must be None or derive from BaseException",
                     what);
        return -1;
    }
    *result = Py_NewRef(value);
    return 0;
}

static int
set_context(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    PyObject *context;
    if (check_link(value, "__context__", "context", &context) < 0) {
        return -1;
    }
    PyException_SetContext(op, context);
    return 0;
}

static int
set_cause(PyObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    PyObject *cause;
    if (check_link(value, "__cause__", "cause", &cause) < 0) {
        return -1;
    }
    PyException_SetCause(op, cause);
    return 0;
}

static PyGetSetDef base_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"args", get_args, set_args, NULL, NULL},
    {"__traceback__", get_traceback, set_traceback, NULL, NULL},
    {"__context__", get_context, set_context,
     PyDoc_STR("exception context"), NULL},
    {"__cause__", get_cause, set_cause, PyDoc_STR("exception cause"), NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef base_members[] = {
    {"__suppress_context__", T_BOOL,
     offsetof(PyBaseExceptionObject, suppress_context), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject _PyExc_BaseException = {
    EXC_TYPE(BaseException, NULL, PyBaseExceptionObject, BaseException,
             "The root of all exceptions."),
    .tp_repr = base_repr,
    .tp_str = _PyExc_BaseException_str,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_setattro = PyObject_GenericSetAttr,
    .tp_methods = base_methods,
    .tp_members = base_members,
    .tp_getset = base_getset,
    .tp_new = _PyExc_BaseException_new,
    .tp_vectorcall = _PyExc_BaseException_vectorcall,
};


/* ---------------------------------------------------------------- the C API */

PyObject *
PyException_GetTraceback(PyObject *op)
{
    return Py_XNewRef(_PyExc_BASE(op)->traceback);
}

int
PyException_SetTraceback(PyObject *op, PyObject *traceback)
{
    return set_traceback(op, traceback, NULL);
}

PyObject *
PyException_GetCause(PyObject *op)
{
    return Py_XNewRef(_PyExc_BASE(op)->cause);
}

void
PyException_SetCause(PyObject *op, PyObject *cause)
{
    _PyExc_BASE(op)->suppress_context = 1;
    Py_XSETREF(_PyExc_BASE(op)->cause, cause);
}

PyObject *
PyException_GetContext(PyObject *op)
{
    return Py_XNewRef(_PyExc_BASE(op)->context);
}

void
PyException_SetContext(PyObject *op, PyObject *context)
{
    Py_XSETREF(_PyExc_BASE(op)->context, context);
}

const char *
PyExceptionClass_Name(PyObject *type)
{
    return ((PyTypeObject *)type)->tp_name;
}
