/* The _symtable module: the compiler's scopes as Python objects, for the
   standard library's symtable.py. */
#include "Python.h"
#include "structmember.h"
#include "internal/compile.h"
#include "internal/frontend.h"
#include "internal/method_table.h"
#include "internal/module_init.h"
#include "internal/symtable.h"

typedef struct {
    PyObject_HEAD
    PyObject *id, *name, *symbols, *varnames, *children;
    int type, lineno, nested;
} Entry;

static void
entry_dealloc(PyObject *self)
{
    Entry *entry = (Entry *)self;
    Py_XDECREF(entry->id);
    Py_XDECREF(entry->name);
    Py_XDECREF(entry->symbols);
    Py_XDECREF(entry->varnames);
    Py_XDECREF(entry->children);
    PyObject_Free(self);
}

static PyObject *
entry_repr(PyObject *self)
{
    Entry *entry = (Entry *)self;
    return PyUnicode_FromFormat("<symtable entry %U(%R), line %d>", entry->name,
                                entry->id, entry->lineno);
}

static PyMemberDef entry_members[] = {
    {"id", T_OBJECT, offsetof(Entry, id), READONLY, NULL},
    {"name", T_OBJECT, offsetof(Entry, name), READONLY, NULL},
    {"symbols", T_OBJECT, offsetof(Entry, symbols), READONLY, NULL},
    {"varnames", T_OBJECT, offsetof(Entry, varnames), READONLY, NULL},
    {"children", T_OBJECT, offsetof(Entry, children), READONLY, NULL},
    {"nested", T_INT, offsetof(Entry, nested), READONLY, NULL},
    {"type", T_INT, offsetof(Entry, type), READONLY, NULL},
    {"lineno", T_INT, offsetof(Entry, lineno), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PySTEntry_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "symtable entry",
    .tp_basicsize = sizeof(Entry),
    .tp_dealloc = entry_dealloc,
    .tp_repr = entry_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_members = entry_members,
};

static PyObject *
symbols_of(Scope *scope)
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict != NULL && i < scope->nsymbols; i++) {
        Symbol *s = &scope->symbols[i];
        PyObject *flags = PyLong_FromLong(
            (long)(s->flags | (uint32_t)s->where << SCOPE_OFFSET));
        if (flags == NULL || PyDict_SetItem(dict, s->name, flags) < 0) {
            Py_CLEAR(dict);
        }
        Py_XDECREF(flags);
    }
    return dict;
}

static PyObject *
params_of(Scope *scope)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < scope->nparams; i++) {
        if (PyList_Append(list, scope->params[i]) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *
entry_of(Scope *scope)
{
    Entry *entry = PyObject_New(Entry, &PySTEntry_Type);
    if (entry == NULL) {
        return NULL;
    }
    entry->id = PyLong_FromVoidPtr(scope);
    entry->name = Py_NewRef(scope->name);
    entry->symbols = symbols_of(scope);
    entry->varnames = params_of(scope);
    entry->children = PyList_New(0);
    entry->type = (int)scope->kind;
    entry->lineno = scope->pos.lineno;
    entry->nested = scope->nested;
    if (entry->id == NULL || entry->symbols == NULL || entry->varnames == NULL
        || entry->children == NULL) {
        Py_DECREF(entry);
        return NULL;
    }
    for (int i = 0; i < scope->nchildren; i++) {
        PyObject *child = entry_of(scope->children[i]);
        if (child == NULL || PyList_Append(entry->children, child) < 0) {
            Py_XDECREF(child);
            Py_DECREF(entry);
            return NULL;
        }
        Py_DECREF(child);
    }
    return (PyObject *)entry;
}

static int
start_of(const char *mode)
{
    if (strcmp(mode, "exec") == 0) {
        return Py_file_input;
    }
    if (strcmp(mode, "eval") == 0) {
        return Py_eval_input;
    }
    if (strcmp(mode, "single") == 0) {
        return Py_single_input;
    }
    PyErr_SetString(PyExc_ValueError, "symtable() arg 3 must be 'exec' or "
                                      "'eval' or 'single'");
    return -1;
}

static PyObject *
build(const char *text, PyObject *filename, int start,
      PyCompilerFlags *flags)
{
    AstArena *arena = _PyAstArena_New();
    if (arena == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    int features = 0, lineno = -1;
    Symtable st;
    AstNode *mod = _PyAst_ParseString(text, filename, start, flags, arena);
    if (mod != NULL
        && _PyFuture_Features(mod, filename, &features, &lineno) == 0
        && _PySymtable_Build(&st, mod, filename, features, arena) == 0) {
        result = entry_of(st.top);
        _PySymtable_Free(&st);
    }
    _PyAstArena_Free(arena);
    return result;
}

static PyObject *
symtable_symtable(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t nargs)
{
    PyCompilerFlags flags = {.cf_flags = PyCF_SOURCE_IS_UTF8,
                             .cf_feature_version = PY_MINOR_VERSION};
    if (nargs != 3) {
        PyErr_Format(PyExc_TypeError, "symtable expected 3 arguments, got %zd",
                     nargs);
        return NULL;
    }
    PyObject *filename;
    if (!PyUnicode_FSDecoder(args[1], &filename)) {
        return NULL;
    }
    PyObject *source = args[0], *bytes = NULL, *result = NULL;
    if (PyUnicode_Check(source)) {
        flags.cf_flags |= PyCF_IGNORE_COOKIE;
        bytes = PyUnicode_AsUTF8String(source);
    }
    else if (PyObject_CheckBuffer(source)) {
        bytes = PyBytes_FromObject(source);
    }
    else {
        PyErr_SetString(PyExc_TypeError,
                        "symtable() arg 1 must be a string or bytes object");
    }
    const char *mode = NULL;
    if (bytes != NULL && !PyUnicode_Check(args[2])) {
        PyErr_Format(PyExc_TypeError,
                     "symtable() argument 3 must be str, not %.50s",
                     Py_TYPE(args[2])->tp_name);
    }
    else if (bytes != NULL) {
        mode = PyUnicode_AsUTF8(args[2]);
    }
    char *text;
    Py_ssize_t size;
    if (mode != NULL && PyBytes_AsStringAndSize(bytes, &text, &size) == 0) {
        int start = start_of(mode);
        if ((size_t)size != strlen(text)) {
            PyErr_SetString(PyExc_ValueError,
                            "source code string cannot contain null bytes");
        }
        else if (start >= 0) {
            result = build(text, filename, start, &flags);
        }
    }
    Py_XDECREF(bytes);
    Py_DECREF(filename);
    return result;
}

static PyMethodDef symtable_methods[] = {
    {"symtable", FAST(symtable_symtable),
     PyDoc_STR("symtable($module, source, filename, startstr, /)\n--\n\n"
               "The scopes of a piece of source.")},
    {NULL, NULL, 0, NULL},
};

static int
symtable_exec(PyObject *module)
{
    static const struct { const char *name; int value; } numbers[] = {
        {"USE", USE}, {"DEF_GLOBAL", DEF_GLOBAL},
        {"DEF_NONLOCAL", DEF_NONLOCAL}, {"DEF_LOCAL", DEF_LOCAL},
        {"DEF_PARAM", DEF_PARAM}, {"DEF_FREE", DEF_FREE},
        {"DEF_FREE_CLASS", DEF_FREE_CLASS}, {"DEF_IMPORT", DEF_IMPORT},
        {"DEF_BOUND", DEF_BOUND}, {"DEF_ANNOT", DEF_ANNOT},
        {"TYPE_FUNCTION", FUNCTION_SCOPE}, {"TYPE_CLASS", CLASS_SCOPE},
        {"TYPE_MODULE", MODULE_SCOPE}, {"LOCAL", SCOPE_LOCAL},
        {"GLOBAL_EXPLICIT", SCOPE_GLOBAL_EXPLICIT},
        {"GLOBAL_IMPLICIT", SCOPE_GLOBAL_IMPLICIT}, {"FREE", SCOPE_FREE},
        {"CELL", SCOPE_CELL}, {"SCOPE_OFF", SCOPE_OFFSET},
        {"SCOPE_MASK", SCOPE_MASK},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(numbers); i++) {
        if (PyModule_AddIntConstant(module, numbers[i].name,
                                    numbers[i].value) < 0) {
            return -1;
        }
    }
    return 0;
}

static PyModuleDef_Slot symtable_slots[] = {
    {Py_mod_exec, symtable_exec},
    {0, NULL},
};

static struct PyModuleDef symtable_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_symtable",
    .m_methods = symtable_methods,
    .m_slots = symtable_slots,
};

MODULE_INIT(_symtable)
{
    return PyModuleDef_Init(&symtable_module);
}
