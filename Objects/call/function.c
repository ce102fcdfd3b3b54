/* Functions. Frames point at the code that they run and rely on the function to keep it alive. So
   a function whose __code__ is replaced keeps the old one. */
#include "Python.h"
#include "structmember.h"
#include "internal/call.h"
#include "internal/code.h"
#include "internal/gc.h"
#include "internal/names.h"
#include "internal/frame.h"
#include "internal/pystate.h"

/* 3.11's struct plus one field at the end. */
typedef struct {
    PyFunctionObject ob;
    PyObject *old_codes;        /* a list, or NULL */
} Function;

#define OLD_CODES(op) (((Function *)(op))->old_codes)

int
_PyFunction_HasOldCodes(PyFunctionObject *func)
{
    return OLD_CODES(func) != NULL;
}

/* ----------------------------------------------------------------- creation */

PyFunctionObject *
_PyFunction_FromConstructor(PyFrameConstructor *con)
{
    Function *self = PyObject_GC_New(Function, &PyFunction_Type);
    if (self == NULL) {
        return NULL;
    }
    PyFunctionObject *op = &self->ob;
    op->func_globals = Py_NewRef(con->fc_globals);
    op->func_builtins = Py_NewRef(con->fc_builtins);
    op->func_name = Py_NewRef(con->fc_name);
    op->func_qualname = Py_NewRef(con->fc_qualname);
    op->func_code = Py_NewRef(con->fc_code);
    op->func_defaults = Py_XNewRef(con->fc_defaults);
    op->func_kwdefaults = Py_XNewRef(con->fc_kwdefaults);
    op->func_closure = Py_XNewRef(con->fc_closure);
    op->func_doc = Py_NewRef(Py_None);
    op->func_dict = NULL;
    op->func_weakreflist = NULL;
    op->func_module = NULL;
    op->func_annotations = NULL;
    op->vectorcall = _PyFunction_Vectorcall;
    op->func_version = 0;
    self->old_codes = NULL;
    _PyObject_GC_TRACK((PyObject *)op);
    return op;
}

/* What functions find in their globals when they are made. A version names one state of one dict,
   for ever, so what the last function found may be found again. */
static struct {
    uint64_t version;
    PyObject *builtins, *module;        /* borrowed; module: NULL if there is none */
} last_found;

/* Stores borrowed references. 1, or 0 with an exception. */
static int
look_up_globals(PyObject *globals, PyObject **builtins, PyObject **module)
{
    PyDictObject *dict = (PyDictObject *)globals;
    if (PyDict_CheckExact(globals) && dict->ma_version_tag == last_found.version) {
        *builtins = last_found.builtins;
        *module = last_found.module;
        return 1;
    }
    *builtins = _PyEval_BuiltinsFromGlobals(_PyThreadState_GET(), globals);
    if (*builtins == NULL) {
        return 0;
    }
    *module = PyDict_GetItemWithError(globals, _Py_NAME(dunder_name));
    if (*module == NULL && PyErr_Occurred()) {
        return 0;
    }
    /* Where there is no __builtins__, the running frame says. */
    if (PyDict_CheckExact(globals)
        && PyDict_GetItemWithError(globals, _Py_NAME(dunder_builtins)) != NULL) {
        last_found.version = dict->ma_version_tag;
        last_found.builtins = *builtins;
        last_found.module = *module;
    }
    return 1;
}

PyObject *
PyFunction_NewWithQualName(PyObject *code_obj, PyObject *globals,
                           PyObject *qualname)
{
    PyCodeObject *code = (PyCodeObject *)code_obj;
    PyObject *builtins, *module;
    if (!look_up_globals(globals, &builtins, &module)) {
        return NULL;
    }
    PyFrameConstructor con = {
        .fc_globals = globals,
        .fc_builtins = builtins,
        .fc_name = code->co_name,
        .fc_qualname = qualname != NULL ? qualname : code->co_qualname,
        .fc_code = code_obj,
    };
    PyFunctionObject *op = _PyFunction_FromConstructor(&con);
    if (op == NULL) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(code->co_consts) > 0
        && PyUnicode_Check(PyTuple_GET_ITEM(code->co_consts, 0))) {
        Py_SETREF(op->func_doc,
                  Py_NewRef(PyTuple_GET_ITEM(code->co_consts, 0)));
    }
    op->func_module = Py_XNewRef(module);
    return (PyObject *)op;
}

PyObject *
PyFunction_New(PyObject *code, PyObject *globals)
{
    return PyFunction_NewWithQualName(code, globals, NULL);
}

/* -------------------------------------------------------------- C accessors */

static int
is_function(PyObject *op)
{
    if (PyFunction_Check(op)) {
        return 1;
    }
    PyErr_BadInternalCall();
    return 0;
}

#define GETTER(name, field) \
    PyObject * \
    PyFunction_Get##name(PyObject *op) \
    { \
        return is_function(op) ? ((PyFunctionObject *)op)->field : NULL; \
    }

GETTER(Code, func_code)
GETTER(Globals, func_globals)
GETTER(Module, func_module)
GETTER(Defaults, func_defaults)
GETTER(KwDefaults, func_kwdefaults)
GETTER(Closure, func_closure)

static int
set_optional(PyObject *op, PyObject **slot, PyObject *value, int is_right_type,
             const char *complaint)
{
    if (value == Py_None) {
        value = NULL;
    }
    else if (value == NULL || !is_right_type) {
        PyErr_SetString(PyExc_SystemError, complaint);
        return -1;
    }
    ((PyFunctionObject *)op)->func_version = 0;
    Py_XSETREF(*slot, Py_XNewRef(value));
    return 0;
}

int
PyFunction_SetDefaults(PyObject *op, PyObject *defaults)
{
    return is_function(op)
        ? set_optional(op, &((PyFunctionObject *)op)->func_defaults, defaults,
                       defaults && PyTuple_Check(defaults),
                       "non-tuple default args") : -1;
}

int
PyFunction_SetKwDefaults(PyObject *op, PyObject *defaults)
{
    return is_function(op)
        ? set_optional(op, &((PyFunctionObject *)op)->func_kwdefaults, defaults,
                       defaults && PyDict_Check(defaults),
                       "non-dict keyword only default args") : -1;
}

int
PyFunction_SetClosure(PyObject *op, PyObject *closure)
{
    if (!is_function(op)) {
        return -1;
    }
    if (closure != NULL && closure != Py_None && !PyTuple_Check(closure)) {
        PyErr_Format(PyExc_SystemError, "expected tuple for closure, got '%.100s'",
                     Py_TYPE(closure)->tp_name);
        return -1;
    }
    return set_optional(op, &((PyFunctionObject *)op)->func_closure, closure, 1,
                        "expected tuple for closure, got 'NULL'");
}

int
PyFunction_SetAnnotations(PyObject *op, PyObject *annotations)
{
    return is_function(op)
        ? set_optional(op, &((PyFunctionObject *)op)->func_annotations,
                       annotations, annotations && PyDict_Check(annotations),
                       "non-dict annotations") : -1;
}

/* The compiler may store annotations as a flat tuple of names and values; the dict is
   made when it is first needed. */
static PyObject *
get_annotations(PyFunctionObject *op)
{
    PyObject *flat = op->func_annotations;
    if (flat == NULL || !PyTuple_CheckExact(flat)) {
        return flat;
    }
    PyObject *dict = PyDict_New();
    if (dict == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i + 1 < PyTuple_GET_SIZE(flat); i += 2) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(flat, i),
                           PyTuple_GET_ITEM(flat, i + 1)) < 0) {
            Py_DECREF(dict);
            return NULL;
        }
    }
    Py_SETREF(op->func_annotations, dict);
    return dict;
}

PyObject *
PyFunction_GetAnnotations(PyObject *op)
{
    return is_function(op) ? get_annotations((PyFunctionObject *)op) : NULL;
}

/* --------------------------------------------------------------- attributes */

static PyObject *
func_get_code(PyFunctionObject *op, void *Py_UNUSED(closure))
{
    if (PySys_Audit("object.__getattr__", "Os", op, "__code__") < 0) {
        return NULL;
    }
    return Py_NewRef(op->func_code);
}

static int
func_set_code(PyFunctionObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL || !PyCode_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__code__ must be set to a code object");
        return -1;
    }
    if (PySys_Audit("object.__setattr__", "OsO", op, "__code__", value) < 0) {
        return -1;
    }
    Py_ssize_t needs = ((PyCodeObject *)value)->co_nfreevars;
    Py_ssize_t has = op->func_closure ? PyTuple_GET_SIZE(op->func_closure) : 0;
    if (needs != has) {
        PyErr_Format(PyExc_ValueError,
                     "%U() requires a code object with %zd free vars, not %zd",
                     op->func_name, has, needs);
        return -1;
    }
    if (value == op->func_code) {
        return 0;
    }
    if (OLD_CODES(op) == NULL && (OLD_CODES(op) = PyList_New(0)) == NULL) {
        return -1;
    }
    if (PyList_Append(OLD_CODES(op), op->func_code) < 0) {
        return -1;
    }
    op->func_version = 0;
    Py_SETREF(op->func_code, Py_NewRef(value));
    return 0;
}

static PyObject *
func_get_name(PyFunctionObject *op, void *Py_UNUSED(closure))
{
    return Py_NewRef(op->func_name);
}

static int
func_set_name(PyFunctionObject *op, PyObject *value, void *Py_UNUSED(closure))
{
    if (value == NULL || !PyUnicode_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__name__ must be set to a string object");
        return -1;
    }
    Py_SETREF(op->func_name, Py_NewRef(value));
    return 0;
}

static PyObject *
func_get_qualname(PyFunctionObject *op, void *Py_UNUSED(closure))
{
    return Py_NewRef(op->func_qualname);
}

static int
func_set_qualname(PyFunctionObject *op, PyObject *value,
                  void *Py_UNUSED(closure))
{
    if (value == NULL || !PyUnicode_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__qualname__ must be set to a string object");
        return -1;
    }
    Py_SETREF(op->func_qualname, Py_NewRef(value));
    return 0;
}

static PyObject *
func_get_defaults(PyFunctionObject *op, void *Py_UNUSED(closure))
{
    if (PySys_Audit("object.__getattr__", "Os", op, "__defaults__") < 0) {
        return NULL;
    }
    return Py_NewRef(op->func_defaults ? op->func_defaults : Py_None);
}

static int
func_set_defaults(PyFunctionObject *op, PyObject *value,
                  void *Py_UNUSED(closure))
{
    if (value == Py_None) {
        value = NULL;
    }
    if (value != NULL && !PyTuple_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__defaults__ must be set to a tuple object");
        return -1;
    }
    int err = value != NULL
        ? PySys_Audit("object.__setattr__", "OsO", op, "__defaults__", value)
        : PySys_Audit("object.__delattr__", "Os", op, "__defaults__");
    if (err < 0) {
        return -1;
    }
    op->func_version = 0;
    Py_XSETREF(op->func_defaults, Py_XNewRef(value));
    return 0;
}

static PyObject *
func_get_kwdefaults(PyFunctionObject *op, void *Py_UNUSED(closure))
{
    if (PySys_Audit("object.__getattr__", "Os", op, "__kwdefaults__") < 0) {
        return NULL;
    }
    return Py_NewRef(op->func_kwdefaults ? op->func_kwdefaults : Py_None);
}

static int
func_set_kwdefaults(PyFunctionObject *op, PyObject *value,
                    void *Py_UNUSED(closure))
{
    if (value == Py_None) {
        value = NULL;
    }
    if (value != NULL && !PyDict_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__kwdefaults__ must be set to a dict object");
        return -1;
    }
    int err = value != NULL
        ? PySys_Audit("object.__setattr__", "OsO", op, "__kwdefaults__", value)
        : PySys_Audit("object.__delattr__", "Os", op, "__kwdefaults__");
    if (err < 0) {
        return -1;
    }
    op->func_version = 0;
    Py_XSETREF(op->func_kwdefaults, Py_XNewRef(value));
    return 0;
}

static PyObject *
func_get_annotations(PyFunctionObject *op, void *Py_UNUSED(closure))
{
    if (op->func_annotations == NULL
        && (op->func_annotations = PyDict_New()) == NULL) {
        return NULL;
    }
    return Py_XNewRef(get_annotations(op));
}

static int
func_set_annotations(PyFunctionObject *op, PyObject *value,
                     void *Py_UNUSED(closure))
{
    if (value == Py_None) {
        value = NULL;
    }
    if (value != NULL && !PyDict_Check(value)) {
        PyErr_SetString(PyExc_TypeError,
                        "__annotations__ must be set to a dict object");
        return -1;
    }
    op->func_version = 0;
    Py_XSETREF(op->func_annotations, Py_XNewRef(value));
    return 0;
}

static PyGetSetDef func_getset[] = {
    {"__code__", (getter)func_get_code, (setter)func_set_code, NULL, NULL},
    {"__defaults__", (getter)func_get_defaults, (setter)func_set_defaults, NULL,
     NULL},
    {"__kwdefaults__", (getter)func_get_kwdefaults, (setter)func_set_kwdefaults,
     NULL, NULL},
    {"__annotations__", (getter)func_get_annotations,
     (setter)func_set_annotations, NULL, NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {"__name__", (getter)func_get_name, (setter)func_set_name, NULL, NULL},
    {"__qualname__", (getter)func_get_qualname, (setter)func_set_qualname, NULL,
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

#define FIELD(name) offsetof(PyFunctionObject, name)
static PyMemberDef func_members[] = {
    {"__closure__", T_OBJECT, FIELD(func_closure), READONLY, NULL},
    {"__doc__", T_OBJECT, FIELD(func_doc), 0, NULL},
    {"__globals__", T_OBJECT, FIELD(func_globals), READONLY, NULL},
    {"__module__", T_OBJECT, FIELD(func_module), 0, NULL},
    {"__builtins__", T_OBJECT, FIELD(func_builtins), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

/* -------------------------------------------------------------------- slots */

static int
check_closure(PyObject *name, PyObject *code, PyObject *closure)
{
    Py_ssize_t needs = ((PyCodeObject *)code)->co_nfreevars;
    if (!PyTuple_Check(closure)) {
        if (needs > 0 && closure == Py_None) {
            PyErr_SetString(PyExc_TypeError, "arg 5 (closure) must be tuple");
            return -1;
        }
        if (closure != Py_None) {
            PyErr_SetString(PyExc_TypeError,
                            "arg 5 (closure) must be None or tuple");
            return -1;
        }
    }
    Py_ssize_t has = closure == Py_None ? 0 : PyTuple_GET_SIZE(closure);
    if (needs != has) {
        PyErr_Format(PyExc_ValueError,
                     "%U requires closure of length %zd, not %zd", name, needs,
                     has);
        return -1;
    }
    for (Py_ssize_t i = 0; i < has; i++) {
        PyObject *cell = PyTuple_GET_ITEM(closure, i);
        if (!PyCell_Check(cell)) {
            PyErr_Format(PyExc_TypeError,
                         "arg 5 (closure) expected cell, found %s",
                         Py_TYPE(cell)->tp_name);
            return -1;
        }
    }
    return 0;
}

static PyObject *
func_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"code", "globals", "name", "argdefs", "closure",
                               NULL};
    PyObject *code, *globals;
    PyObject *name = Py_None, *defaults = Py_None, *closure = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OOO:function", keywords, &code,
                                     &globals, &name, &defaults, &closure)) {
        return NULL;
    }
    if (!PyCode_Check(code)) {
        _PyArg_BadArgument("function", "argument 'code'", "code", code);
        return NULL;
    }
    if (!PyDict_Check(globals)) {
        _PyArg_BadArgument("function", "argument 'globals'", "dict", globals);
        return NULL;
    }
    if (name != Py_None && !PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError,
                        "arg 3 (name) must be None or string");
        return NULL;
    }
    if (defaults != Py_None && !PyTuple_Check(defaults)) {
        PyErr_SetString(PyExc_TypeError,
                        "arg 4 (defaults) must be None or tuple");
        return NULL;
    }
    if (check_closure(((PyCodeObject *)code)->co_name, code, closure) < 0
        || PySys_Audit("function.__new__", "O", code) < 0) {
        return NULL;
    }
    PyFunctionObject *op = (PyFunctionObject *)PyFunction_New(code, globals);
    if (op == NULL) {
        return NULL;
    }
    if (name != Py_None) {
        Py_SETREF(op->func_name, Py_NewRef(name));
    }
    if (defaults != Py_None) {
        op->func_defaults = Py_NewRef(defaults);
    }
    if (closure != Py_None) {
        op->func_closure = Py_NewRef(closure);
    }
    return (PyObject *)op;
}

static int
func_clear(PyFunctionObject *op)
{
    op->func_version = 0;
    Py_CLEAR(op->func_globals);
    Py_CLEAR(op->func_builtins);
    Py_CLEAR(op->func_module);
    Py_CLEAR(op->func_defaults);
    Py_CLEAR(op->func_kwdefaults);
    Py_CLEAR(op->func_doc);
    Py_CLEAR(op->func_dict);
    Py_CLEAR(op->func_closure);
    Py_CLEAR(op->func_annotations);
    /* The code is kept, as a frame may be running it. The names become empty strings,
       not NULL, so that the function can still be printed. */
    Py_SETREF(op->func_name, PyUnicode_New(0, 0));
    Py_SETREF(op->func_qualname, PyUnicode_New(0, 0));
    return 0;
}

static void
func_dealloc(PyFunctionObject *op)
{
    _PyObject_GC_UNTRACK((PyObject *)op);
    if (op->func_weakreflist != NULL) {
        PyObject_ClearWeakRefs((PyObject *)op);
    }
    /* In the order of func_clear(), of which nobody sees what is left. */
    Py_XDECREF(op->func_globals);
    Py_XDECREF(op->func_builtins);
    Py_XDECREF(op->func_module);
    Py_XDECREF(op->func_defaults);
    Py_XDECREF(op->func_kwdefaults);
    Py_XDECREF(op->func_doc);
    Py_XDECREF(op->func_dict);
    Py_XDECREF(op->func_closure);
    Py_XDECREF(op->func_annotations);
    Py_DECREF(op->func_name);
    Py_DECREF(op->func_qualname);
    Py_DECREF(op->func_code);
    Py_XDECREF(OLD_CODES(op));
    PyObject_GC_Del(op);
}

static int
func_traverse(PyFunctionObject *op, visitproc visit, void *arg)
{
    Py_VISIT(op->func_code);
    Py_VISIT(op->func_globals);
    Py_VISIT(op->func_builtins);
    Py_VISIT(op->func_module);
    Py_VISIT(op->func_defaults);
    Py_VISIT(op->func_kwdefaults);
    Py_VISIT(op->func_doc);
    Py_VISIT(op->func_name);
    Py_VISIT(op->func_dict);
    Py_VISIT(op->func_closure);
    Py_VISIT(op->func_annotations);
    Py_VISIT(op->func_qualname);
    Py_VISIT(OLD_CODES(op));
    return 0;
}

static PyObject *
func_repr(PyFunctionObject *op)
{
    return PyUnicode_FromFormat("<function %U at %p>", op->func_qualname, op);
}

static PyObject *
func_descr_get(PyObject *func, PyObject *obj, PyObject *Py_UNUSED(type))
{
    if (obj == NULL || obj == Py_None) {
        return Py_NewRef(func);
    }
    return PyMethod_New(func, obj);
}

PyDoc_STRVAR(func_doc,
"function(code, globals, name=None, argdefs=None, closure=None)\n--\n\n"
"Create a function object.\n\n"
"  code     the code that it runs\n"
"  globals  the dictionary of its global names\n"
"  name     its __name__, if not the code's\n"
"  argdefs  a tuple of default values for its last parameters\n"
"  closure  a tuple of cells, one for each free variable");

PyTypeObject PyFunction_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "function",
    .tp_basicsize = sizeof(Function),
    .tp_dealloc = (destructor)func_dealloc,
    .tp_vectorcall_offset = offsetof(PyFunctionObject, vectorcall),
    .tp_repr = (reprfunc)func_repr,
    .tp_call = PyVectorcall_Call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC
                | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_doc = func_doc,
    .tp_traverse = (traverseproc)func_traverse,
    .tp_clear = (inquiry)func_clear,
    .tp_weaklistoffset = offsetof(PyFunctionObject, func_weakreflist),
    .tp_members = func_members,
    .tp_getset = func_getset,
    .tp_descr_get = func_descr_get,
    .tp_dictoffset = offsetof(PyFunctionObject, func_dict),
    .tp_new = func_new,
};
