/* The exceptions with a few fields of their own: StopIteration, SystemExit,
   ImportError, NameError, AttributeError, KeyError, SyntaxError, MemoryError. */
#include "private.h"

#define NO_MORE {NULL, 0, 0, 0, NULL}

/* The value made from args: the item if there is one, the tuple if there are several. */
static PyObject *
args_as_value(PyObject *args)
{
    return Py_NewRef(PyTuple_GET_SIZE(args) == 1 ? PyTuple_GET_ITEM(args, 0)
                                                 : args);
}

/* BaseException's init for a type that takes keywords of its own. */
static int
init_args(PyObject *op, PyObject *args)
{
    return _PyExc_BaseException_init(op, args, NULL);
}

/* Parses keyword-only arguments. */
static int
parse_keywords(PyObject *kwds, const char *format, char **names,
               PyObject **first, PyObject **second)
{
    if (kwds == NULL || PyDict_GET_SIZE(kwds) == 0) {
        return 0;
    }
    PyObject *empty = PyTuple_New(0);
    if (empty == NULL) {
        return -1;
    }
    int ok = PyArg_ParseTupleAndKeywords(empty, kwds, format, names,
                                         first, second);
    Py_DECREF(empty);
    return ok ? 0 : -1;
}

static void
set_field(PyObject **field, PyObject *value)
{
    Py_XINCREF(value);
    Py_XSETREF(*field, value);
}

/* ------------------------------------------------------------ StopIteration */

DECLARE_FAMILY(StopIteration)

#define FIELDS(do) do(value)
DEFINE_FAMILY_GC(StopIteration, PyStopIterationObject, FIELDS)
#undef FIELDS

int
_PyExc_StopIteration_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    if (_PyExc_BaseException_init(op, args, kwds) < 0) {
        return -1;
    }
    set_field(&((PyStopIterationObject *)op)->value,
              PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0)
                                         : Py_None);
    return 0;
}

static PyMemberDef stopiteration_members[] = {
    {"value", T_OBJECT, offsetof(PyStopIterationObject, value), 0,
     PyDoc_STR("generator return value")},
    NO_MORE,
};

PyTypeObject _PyExc_StopIteration = {
    EXC_TYPE(StopIteration, &_PyExc_Exception, PyStopIterationObject,
             StopIteration, "An iterator has no more values."),
    .tp_members = stopiteration_members,
};

/* --------------------------------------------------------------- SystemExit */

DECLARE_FAMILY(SystemExit)

#define FIELDS(do) do(code)
DEFINE_FAMILY_GC(SystemExit, PySystemExitObject, FIELDS)
#undef FIELDS

int
_PyExc_SystemExit_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    if (_PyExc_BaseException_init(op, args, kwds) < 0) {
        return -1;
    }
    if (PyTuple_GET_SIZE(args) > 0) {
        PyObject *code = args_as_value(args);
        Py_XSETREF(((PySystemExitObject *)op)->code, code);
    }
    return 0;
}

static PyMemberDef systemexit_members[] = {
    {"code", T_OBJECT, offsetof(PySystemExitObject, code), 0,
     PyDoc_STR("exception code")},
    NO_MORE,
};

PyTypeObject _PyExc_SystemExit = {
    EXC_TYPE(SystemExit, &_PyExc_BaseException, PySystemExitObject, SystemExit,
             "The interpreter is asked to exit."),
    .tp_members = systemexit_members,
};

/* -------------------------------------------------------------- ImportError */

#define FIELDS(do) do(msg) do(name) do(path)
DEFINE_FAMILY_GC(ImportError, PyImportErrorObject, FIELDS)
#undef FIELDS

int
_PyExc_ImportError_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"name", "path", NULL};
    PyImportErrorObject *self = (PyImportErrorObject *)op;
    PyObject *name = NULL, *path = NULL;
    if (init_args(op, args) < 0
        || parse_keywords(kwds, "|$OO:ImportError", names, &name, &path) < 0) {
        return -1;
    }
    set_field(&self->name, name);
    set_field(&self->path, path);
    set_field(&self->msg, PyTuple_GET_SIZE(args) == 1
                              ? PyTuple_GET_ITEM(args, 0) : NULL);
    return 0;
}

static PyObject *
importerror_str(PyObject *op)
{
    PyObject *msg = ((PyImportErrorObject *)op)->msg;
    return msg != NULL && PyUnicode_CheckExact(msg)
        ? Py_NewRef(msg) : _PyExc_BaseException_str(op);
}

/* Returns a new reference to the dict that __setstate__ needs, or to Py_None. */
static PyObject *
importerror_state(PyImportErrorObject *self)
{
    if (self->name == NULL && self->path == NULL) {
        return Py_NewRef(self->dict != NULL ? self->dict : Py_None);
    }
    PyObject *state = self->dict != NULL ? PyDict_Copy(self->dict)
                                         : PyDict_New();
    if (state == NULL) {
        return NULL;
    }
    if ((self->name != NULL
         && PyDict_SetItemString(state, "name", self->name) < 0)
        || (self->path != NULL
            && PyDict_SetItemString(state, "path", self->path) < 0)) {
        Py_DECREF(state);
        return NULL;
    }
    return state;
}

static PyObject *
importerror_reduce(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    PyObject *state = importerror_state((PyImportErrorObject *)op);
    if (state == NULL) {
        return NULL;
    }
    PyObject *args = _PyExc_BASE(op)->args;
    PyObject *result = state == Py_None
        ? PyTuple_Pack(2, Py_TYPE(op), args)
        : PyTuple_Pack(3, Py_TYPE(op), args, state);
    Py_DECREF(state);
    return result;
}

static PyMemberDef importerror_members[] = {
    {"msg", T_OBJECT, offsetof(PyImportErrorObject, msg), 0,
     PyDoc_STR("exception message")},
    {"name", T_OBJECT, offsetof(PyImportErrorObject, name), 0,
     PyDoc_STR("module name")},
    {"path", T_OBJECT, offsetof(PyImportErrorObject, path), 0,
     PyDoc_STR("module path")},
    NO_MORE,
};

static PyMethodDef importerror_methods[] = {
    {"__reduce__", importerror_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject _PyExc_ImportError = {
    EXC_TYPE(ImportError, &_PyExc_Exception, PyImportErrorObject, ImportError,
             "A module, or a name in it, cannot be imported."),
    .tp_str = importerror_str,
    .tp_members = importerror_members,
    .tp_methods = importerror_methods,
};

/* ------------------------------------------------ NameError, AttributeError */

#define FIELDS(do) do(name)
DEFINE_FAMILY_GC(NameError, PyNameErrorObject, FIELDS)
#undef FIELDS

int
_PyExc_NameError_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"name", NULL};
    PyObject *name = NULL;
    if (init_args(op, args) < 0
        || parse_keywords(kwds, "|$O:NameError", names, &name, NULL) < 0) {
        return -1;
    }
    set_field(&((PyNameErrorObject *)op)->name, name);
    return 0;
}

static PyMemberDef nameerror_members[] = {
    {"name", T_OBJECT, offsetof(PyNameErrorObject, name), 0,
     PyDoc_STR("name")},
    NO_MORE,
};

PyTypeObject _PyExc_NameError = {
    EXC_TYPE(NameError, &_PyExc_Exception, PyNameErrorObject, NameError,
             "There is no variable of that name."),
    .tp_str = _PyExc_BaseException_str,
    .tp_members = nameerror_members,
};

DECLARE_FAMILY(AttributeError)

#define FIELDS(do) do(obj) do(name)
DEFINE_FAMILY_GC(AttributeError, PyAttributeErrorObject, FIELDS)
#undef FIELDS

int
_PyExc_AttributeError_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    static char *names[] = {"name", "obj", NULL};
    PyAttributeErrorObject *self = (PyAttributeErrorObject *)op;
    PyObject *name = NULL, *obj = NULL;
    if (init_args(op, args) < 0
        || parse_keywords(kwds, "|$OO:AttributeError", names,
                          &name, &obj) < 0) {
        return -1;
    }
    set_field(&self->name, name);
    set_field(&self->obj, obj);
    return 0;
}

static PyMemberDef attributeerror_members[] = {
    {"name", T_OBJECT, offsetof(PyAttributeErrorObject, name), 0,
     PyDoc_STR("attribute name")},
    {"obj", T_OBJECT, offsetof(PyAttributeErrorObject, obj), 0,
     PyDoc_STR("object")},
    NO_MORE,
};

/* Keywords are for tp_init. */
static PyObject *
attributeerror_vectorcall(PyObject *callable, PyObject *const *args, size_t nargsf,
                          PyObject *kwnames)
{
    if (kwnames != NULL && PyTuple_GET_SIZE(kwnames) != 0) {
        return _PyObject_MakeTpCall(PyThreadState_Get(), callable, args,
                                    PyVectorcall_NARGS(nargsf), kwnames);
    }
    return _PyExc_BaseException_vectorcall(callable, args, nargsf, NULL);
}

PyTypeObject _PyExc_AttributeError = {
    EXC_TYPE(AttributeError, &_PyExc_Exception, PyAttributeErrorObject,
             AttributeError, "An object has no such attribute."),
    .tp_str = _PyExc_BaseException_str,
    .tp_members = attributeerror_members,
    .tp_vectorcall = attributeerror_vectorcall,
};

/* ----------------------------------------------------------------- KeyError */

/* A key is shown as repr(), so that '' is not an empty message. */
static PyObject *
keyerror_str(PyObject *op)
{
    PyObject *args = Py_XNewRef(_PyExc_BASE(op)->args);
    PyObject *result = args != NULL && PyTuple_GET_SIZE(args) == 1
        ? PyObject_Repr(PyTuple_GET_ITEM(args, 0))
        : _PyExc_BaseException_str(op);
    Py_XDECREF(args);
    return result;
}

PyTypeObject _PyExc_KeyError = {
    EXC_TYPE(KeyError, &_PyExc_LookupError, PyBaseExceptionObject,
             BaseException, "A mapping has no such key."),
    .tp_str = keyerror_str,
    .tp_vectorcall = _PyExc_BaseException_vectorcall,
};

/* -------------------------------------------------------------- SyntaxError */

#define FIELDS(do) do(msg) do(filename) do(lineno) do(offset) \
    do(end_lineno) do(end_offset) do(text) do(print_file_and_line)
DEFINE_FAMILY_GC(SyntaxError, PySyntaxErrorObject, FIELDS)
#undef FIELDS

/* The second argument: (filename, lineno, offset, text[, end_lineno,
   end_offset]). */
static int
syntaxerror_set_place(PySyntaxErrorObject *self, PyObject *place)
{
    PyObject *fields[6] = {NULL};
    PyObject *info = PySequence_Tuple(place);
    if (info == NULL) {
        return -1;
    }
    if (!PyArg_ParseTuple(info, "OOOO|OO", &fields[0], &fields[1], &fields[2],
                          &fields[3], &fields[4], &fields[5])) {
        Py_DECREF(info);
        return -1;
    }
    set_field(&self->filename, fields[0]);
    set_field(&self->lineno, fields[1]);
    set_field(&self->offset, fields[2]);
    set_field(&self->text, fields[3]);
    set_field(&self->end_lineno, fields[4]);
    set_field(&self->end_offset, fields[5]);
    Py_DECREF(info);
    if (self->end_lineno != NULL && self->end_offset == NULL) {
        PyErr_SetString(PyExc_TypeError,
                        "end_offset must be provided when end_lineno is "
                        "provided");
        return -1;
    }
    return 0;
}

int
_PyExc_SyntaxError_init(PyObject *op, PyObject *args, PyObject *kwds)
{
    PySyntaxErrorObject *self = (PySyntaxErrorObject *)op;
    if (_PyExc_BaseException_init(op, args, kwds) < 0) {
        return -1;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n >= 1) {
        set_field(&self->msg, PyTuple_GET_ITEM(args, 0));
    }
    return n == 2 ? syntaxerror_set_place(self, PyTuple_GET_ITEM(args, 1)) : 0;
}

/* Returns the last part of a path as a new reference. */
static PyObject *
basename_of(PyObject *path)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(path);
    Py_ssize_t slash = PyUnicode_FindChar(path, '/', 0, n, -1);
    if (slash == -2) {
        return NULL;
    }
    return slash >= 0 ? PyUnicode_Substring(path, slash + 1, n)
                      : Py_NewRef(path);
}

static PyObject *
syntaxerror_str(PyObject *op)
{
    PySyntaxErrorObject *self = (PySyntaxErrorObject *)op;
    PyObject *filename = NULL, *result;
    if (self->filename != NULL && PyUnicode_Check(self->filename)) {
        filename = basename_of(self->filename);
        if (filename == NULL) {
            return NULL;
        }
    }
    /* Showing it may change the field. */
    PyObject *msg = Py_NewRef(self->msg != NULL ? self->msg : Py_None);
    int has_line = self->lineno != NULL && PyLong_CheckExact(self->lineno);
    int overflow;
    long line = has_line ? PyLong_AsLongAndOverflow(self->lineno, &overflow)
                         : 0;
    if (filename != NULL && has_line) {
        result = PyUnicode_FromFormat("%S (%U, line %ld)", msg, filename, line);
    }
    else if (filename != NULL) {
        result = PyUnicode_FromFormat("%S (%U)", msg, filename);
    }
    else if (has_line) {
        result = PyUnicode_FromFormat("%S (line %ld)", msg, line);
    }
    else {
        result = PyObject_Str(msg);
    }
    Py_DECREF(msg);
    Py_XDECREF(filename);
    return result;
}

#define MEMBER(name, doc) \
    {#name, T_OBJECT, offsetof(PySyntaxErrorObject, name), 0, PyDoc_STR(doc)}

static PyMemberDef syntaxerror_members[] = {
    MEMBER(msg, "exception msg"),
    MEMBER(filename, "exception filename"),
    MEMBER(lineno, "exception lineno"),
    MEMBER(offset, "exception offset"),
    MEMBER(text, "exception text"),
    MEMBER(end_lineno, "exception end lineno"),
    MEMBER(end_offset, "exception end offset"),
    MEMBER(print_file_and_line, "exception print_file_and_line"),
    NO_MORE,
};

PyTypeObject _PyExc_SyntaxError = {
    EXC_TYPE(SyntaxError, &_PyExc_Exception, PySyntaxErrorObject, SyntaxError,
             "The source text is not a valid program."),
    .tp_str = syntaxerror_str,
    .tp_members = syntaxerror_members,
};

/* -------------------------------------------------------------- MemoryError */

/* Spare instances, linked through their `dict`, so that MemoryError can be raised
   without allocating memory. The one that was taken last is alive while none is left. */
#define MAX_SPARE 16
static PyBaseExceptionObject *spare, *taken_last;
static int n_spare;

/* Who needs an instance now, and gets no memory for one, shares the one that was taken last. */
static PyObject *
new_or_shared(PyObject *args, PyObject *kwds)
{
    PyObject *self = _PyExc_BaseException_new(&_PyExc_MemoryError, args, kwds);
    if (self == NULL && taken_last != NULL) {
        PyErr_Clear();
        self = Py_NewRef((PyObject *)taken_last);
    }
    return self;
}

static PyObject *
memoryerror_new(PyTypeObject *type, PyObject *args, PyObject *kwds)
{
    if (type != &_PyExc_MemoryError) {
        return _PyExc_BaseException_new(type, args, kwds);
    }
    if (spare == NULL) {
        return new_or_shared(args, kwds);
    }
    PyObject *empty = PyTuple_New(0);
    if (empty == NULL) {
        return NULL;
    }
    PyBaseExceptionObject *self = taken_last = spare;
    spare = (PyBaseExceptionObject *)self->dict;
    n_spare--;
    self->dict = NULL;
    self->args = empty;
    self->suppress_context = 0;
    _Py_NewReference((PyObject *)self);
    _PyObject_GC_TRACK((PyObject *)self);
    return (PyObject *)self;
}

/* Makes the instance a spare one before what it refers to is let go: this may run any code, which
   is to find a spare one then. */
static void
keep_as_spare(PyBaseExceptionObject *self)
{
    PyBaseExceptionObject before = *self;
    self->args = self->notes = self->traceback = self->cause = self->context = NULL;
    self->dict = (PyObject *)spare;
    spare = self;
    n_spare++;
    (void)_PyExc_BaseException_clear((PyObject *)&before);
}

static void
memoryerror_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (n_spare < MAX_SPARE && Py_IS_TYPE(op, &_PyExc_MemoryError)) {
        keep_as_spare(_PyExc_BASE(op));
        return;
    }
    (void)_PyExc_BaseException_clear(op);
    Py_TYPE(op)->tp_free(op);
}

int
_PyExc_InitMemoryErrors(void)
{
    PyObject *made[MAX_SPARE];
    int n = 0;
    PyObject *empty = PyTuple_New(0);
    while (empty != NULL && n < MAX_SPARE) {
        made[n] = _PyExc_BaseException_new(&_PyExc_MemoryError, empty, NULL);
        if (made[n] == NULL) {
            break;
        }
        n++;
    }
    Py_XDECREF(empty);
    int ok = n == MAX_SPARE;
    while (n > 0) {
        Py_DECREF(made[--n]);
    }
    return ok ? 0 : -1;
}

PyTypeObject _PyExc_MemoryError = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "MemoryError",
    .tp_basicsize = sizeof(PyBaseExceptionObject),
    .tp_dealloc = memoryerror_dealloc,
    .tp_flags = EXC_FLAGS,
    .tp_doc = PyDoc_STR("There is not enough memory."),
    .tp_traverse = _PyExc_BaseException_traverse,
    .tp_clear = _PyExc_BaseException_clear,
    .tp_base = &_PyExc_Exception,
    .tp_dictoffset = offsetof(PyBaseExceptionObject, dict),
    .tp_init = _PyExc_BaseException_init,
    .tp_new = memoryerror_new,
};
