/* contextvars: Context, ContextVar and Token.

   A thread's current context is tstate->context (NULL until it is needed). A context
   holds a persistent map, so copying a context copies one pointer.

   A variable caches the value it returned last, with the thread's id and context
   version. tstate->context_ver changes whenever the thread switches to another context
   or set() replaces its map. */
#include "Python.h"
#include "structmember.h"
#include "internal/context.h"
#include "internal/errors.h"
#include "internal/gcstate.h"
#include "internal/method_table.h"
#include "internal/pystate.h"

#include <stddef.h>

static PyObject *token_missing;

/* ----------------------------------------------------------------- contexts */

/* vars: borrowed, or NULL for none. */
static PyContext *
new_context(_PyHamt *vars)
{
    PyContext *ctx = PyObject_GC_New(PyContext, &PyContext_Type);
    if (ctx == NULL) {
        return NULL;
    }
    ctx->ctx_prev = NULL;
    ctx->ctx_weakreflist = NULL;
    ctx->ctx_entered = 0;
    ctx->ctx_vars = vars == NULL ? _PyHamt_New()
        : (_PyHamt *)Py_NewRef((PyObject *)vars);
    _PyObject_GC_TRACK((PyObject *)ctx);
    if (ctx->ctx_vars == NULL) {
        Py_CLEAR(ctx);
    }
    return ctx;
}

static int
check_context(PyObject *op)
{
    if (PyContext_CheckExact(op)) {
        return 0;
    }
    PyErr_SetString(PyExc_TypeError, "an instance of Context was expected");
    return -1;
}

static int
check_var(PyObject *op)
{
    if (PyContextVar_CheckExact(op)) {
        return 0;
    }
    PyErr_SetString(PyExc_TypeError, "an instance of ContextVar was expected");
    return -1;
}

/* Returns the current context, made if necessary. Borrowed. */
static PyContext *
current_context(PyThreadState *tstate)
{
    if (tstate->context == NULL) {
        tstate->context = (PyObject *)new_context(NULL);
    }
    return (PyContext *)tstate->context;
}

PyObject *
PyContext_New(void)
{
    return (PyObject *)new_context(NULL);
}

PyObject *
PyContext_Copy(PyObject *op)
{
    return check_context(op) < 0 ? NULL
        : (PyObject *)new_context(((PyContext *)op)->ctx_vars);
}

PyObject *
PyContext_CopyCurrent(void)
{
    PyContext *ctx = current_context(_PyThreadState_GET());
    return ctx == NULL ? NULL : (PyObject *)new_context(ctx->ctx_vars);
}

static int
enter(PyThreadState *tstate, PyContext *ctx)
{
    if (ctx->ctx_entered) {
        _PyErr_Format(tstate, PyExc_RuntimeError,
                      "cannot enter context: %R is already entered", ctx);
        return -1;
    }
    ctx->ctx_prev = (PyContext *)tstate->context;
    ctx->ctx_entered = 1;
    tstate->context = Py_NewRef((PyObject *)ctx);
    tstate->context_ver++;
    return 0;
}

int
PyContext_Enter(PyObject *op)
{
    return check_context(op) < 0 ? -1
        : enter(_PyThreadState_GET(), (PyContext *)op);
}

static int
leave(PyThreadState *tstate, PyContext *ctx)
{
    if (!ctx->ctx_entered) {
        _PyErr_Format(tstate, PyExc_RuntimeError,
                      "cannot exit context: %R has not been entered", ctx);
        return -1;
    }
    if (tstate->context != (PyObject *)ctx) {
        _PyErr_SetString(tstate, PyExc_RuntimeError,
                         "cannot exit context: thread state references "
                         "a different context object");
        return -1;
    }
    tstate->context = (PyObject *)ctx->ctx_prev;
    ctx->ctx_prev = NULL;
    ctx->ctx_entered = 0;
    tstate->context_ver++;
    Py_DECREF(ctx);
    return 0;
}

int
PyContext_Exit(PyObject *op)
{
    return check_context(op) < 0 ? -1
        : leave(_PyThreadState_GET(), (PyContext *)op);
}

/* ---------------------------------------------------------------- variables */

static int
set_value(PyContextVar *var, PyObject *value)
{
    PyThreadState *tstate = _PyThreadState_GET();
    var->var_cached = NULL;
    PyContext *ctx = current_context(tstate);
    _PyHamt *vars = ctx == NULL ? NULL
        : _PyHamt_Assoc(ctx->ctx_vars, (PyObject *)var, value);
    if (vars == NULL) {
        return -1;
    }
    Py_SETREF(ctx->ctx_vars, vars);
    var->var_cached = value;
    var->var_cached_tsid = tstate->id;
    var->var_cached_tsver = tstate->context_ver;
    return 0;
}

static int
delete_value(PyContextVar *var)
{
    var->var_cached = NULL;
    PyContext *ctx = current_context(_PyThreadState_GET());
    if (ctx == NULL) {
        return -1;
    }
    PyObject *old;
    int found = _PyHamt_Find(ctx->ctx_vars, (PyObject *)var, &old);
    if (found <= 0) {
        if (found == 0) {
            PyErr_SetObject(PyExc_LookupError, (PyObject *)var);
        }
        return -1;
    }
    _PyHamt *vars = _PyHamt_Without(ctx->ctx_vars, (PyObject *)var);
    if (vars == NULL) {
        return -1;
    }
    Py_SETREF(ctx->ctx_vars, vars);
    return 0;
}

/* Uses the address: variables are equal only if they are identical. */
static Py_hash_t
make_hash(PyObject *var, PyObject *name)
{
    Py_hash_t h = PyObject_Hash(name);
    if (h == -1) {
        return -1;
    }
    h ^= _Py_HashPointer(var);
    return h == -1 ? -2 : h;
}

static PyContextVar *
new_var(PyObject *name, PyObject *default_value)
{
    if (!PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError,
                        "context variable name must be a str");
        return NULL;
    }
    PyContextVar *var = PyObject_GC_New(PyContextVar, &PyContextVar_Type);
    if (var == NULL) {
        return NULL;
    }
    var->var_name = Py_NewRef(name);
    var->var_default = Py_XNewRef(default_value);
    var->var_cached = NULL;
    var->var_cached_tsid = 0;
    var->var_cached_tsver = 0;
    var->var_hash = make_hash((PyObject *)var, name);
    if (var->var_hash == -1) {
        Py_DECREF(var);
        return NULL;
    }
    /* No tracking if neither the name nor the default can be part of a cycle. */
    if (PyObject_IS_GC(name)
        || (default_value != NULL && PyObject_IS_GC(default_value))) {
        _PyObject_GC_TRACK((PyObject *)var);
    }
    return var;
}

PyObject *
PyContextVar_New(const char *name, PyObject *default_value)
{
    PyObject *text = PyUnicode_FromString(name);
    if (text == NULL) {
        return NULL;
    }
    PyContextVar *var = new_var(text, default_value);
    Py_DECREF(text);
    return (PyObject *)var;
}

int
PyContextVar_Get(PyObject *op, PyObject *default_value, PyObject **value)
{
    *value = NULL;
    if (check_var(op) < 0) {
        return -1;
    }
    PyContextVar *var = (PyContextVar *)op;
    PyThreadState *tstate = _PyThreadState_GET();
    if (tstate->context != NULL) {
        if (var->var_cached != NULL && var->var_cached_tsid == tstate->id
            && var->var_cached_tsver == tstate->context_ver) {
            *value = Py_NewRef(var->var_cached);
            return 0;
        }
        PyObject *found_value;
        int found = _PyHamt_Find(((PyContext *)tstate->context)->ctx_vars, op,
                                 &found_value);
        if (found < 0) {
            return -1;
        }
        if (found) {
            var->var_cached = found_value;
            var->var_cached_tsid = tstate->id;
            var->var_cached_tsver = tstate->context_ver;
            *value = Py_NewRef(found_value);
            return 0;
        }
    }
    *value = Py_XNewRef(default_value != NULL ? default_value
                                              : var->var_default);
    return 0;
}

static PyObject *
new_token(PyContext *ctx, PyContextVar *var, PyObject *old_value)
{
    PyContextToken *token = PyObject_GC_New(PyContextToken,
                                            &PyContextToken_Type);
    if (token == NULL) {
        return NULL;
    }
    token->tok_ctx = (PyContext *)Py_NewRef((PyObject *)ctx);
    token->tok_var = (PyContextVar *)Py_NewRef((PyObject *)var);
    token->tok_oldval = Py_XNewRef(old_value);
    token->tok_used = 0;
    _PyObject_GC_TRACK((PyObject *)token);
    return (PyObject *)token;
}

PyObject *
PyContextVar_Set(PyObject *op, PyObject *value)
{
    if (check_var(op) < 0) {
        return NULL;
    }
    PyContextVar *var = (PyContextVar *)op;
    PyContext *ctx = current_context(_PyThreadState_GET());
    if (ctx == NULL) {
        return NULL;
    }
    PyObject *old = NULL;
    if (_PyHamt_Find(ctx->ctx_vars, op, &old) < 0) {
        return NULL;
    }
    PyObject *token = new_token(ctx, var, old);
    if (token != NULL && set_value(var, value) < 0) {
        Py_CLEAR(token);
    }
    return token;
}

int
PyContextVar_Reset(PyObject *op, PyObject *token_object)
{
    if (check_var(op) < 0) {
        return -1;
    }
    PyContextVar *var = (PyContextVar *)op;
    PyContextToken *token = (PyContextToken *)token_object;
    if (token->tok_used) {
        PyErr_Format(PyExc_RuntimeError, "%R has already been used once",
                     token);
        return -1;
    }
    if (token->tok_var != var) {
        PyErr_Format(PyExc_ValueError,
                     "%R was created by a different ContextVar", token);
        return -1;
    }
    PyContext *ctx = current_context(_PyThreadState_GET());
    if (ctx == NULL) {
        return -1;
    }
    if (ctx != token->tok_ctx) {
        PyErr_Format(PyExc_ValueError,
                     "%R was created in a different Context", token);
        return -1;
    }
    token->tok_used = 1;
    return token->tok_oldval == NULL ? delete_value(var)
                                     : set_value(var, token->tok_oldval);
}

PyObject *
_PyContext_NewHamtForTests(void)
{
    return (PyObject *)_PyHamt_New();
}

/* ------------------------------------------------------------------ Context */

static PyObject *
context_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    if (PyTuple_GET_SIZE(args) != 0
        || (kwds != NULL && PyDict_GET_SIZE(kwds) != 0)) {
        PyErr_SetString(PyExc_TypeError,
                        "Context() does not accept any arguments");
        return NULL;
    }
    return PyContext_New();
}

static int
context_clear(PyObject *op)
{
    Py_CLEAR(((PyContext *)op)->ctx_prev);
    Py_CLEAR(((PyContext *)op)->ctx_vars);
    return 0;
}

static int
context_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT((PyObject *)((PyContext *)op)->ctx_prev);
    Py_VISIT((PyObject *)((PyContext *)op)->ctx_vars);
    return 0;
}

static void
context_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    if (((PyContext *)op)->ctx_weakreflist != NULL) {
        PyObject_ClearWeakRefs(op);
    }
    (void)context_clear(op);
    Py_TYPE(op)->tp_free(op);
}

static PyObject *
context_richcompare(PyObject *a, PyObject *b, int op)
{
    if (!PyContext_CheckExact(a) || !PyContext_CheckExact(b)
        || (op != Py_EQ && op != Py_NE)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    int same = _PyHamt_Eq(((PyContext *)a)->ctx_vars,
                          ((PyContext *)b)->ctx_vars);
    return same < 0 ? NULL : PyBool_FromLong(op == Py_EQ ? same : !same);
}

static int
check_key(PyObject *key)
{
    if (PyContextVar_CheckExact(key)) {
        return 0;
    }
    PyErr_Format(PyExc_TypeError, "a ContextVar key was expected, got %R",
                 key);
    return -1;
}

static int
context_find(PyObject *op, PyObject *key, PyObject **value)
{
    return check_key(key) < 0 ? -1
        : _PyHamt_Find(((PyContext *)op)->ctx_vars, key, value);
}

static Py_ssize_t
context_length(PyObject *op)
{
    return ((PyContext *)op)->ctx_vars->count;
}

static PyObject *
context_subscript(PyObject *op, PyObject *key)
{
    PyObject *value;
    int found = context_find(op, key, &value);
    if (found == 0) {
        PyErr_SetObject(PyExc_KeyError, key);
    }
    return found > 0 ? Py_NewRef(value) : NULL;
}

static int
context_contains(PyObject *op, PyObject *key)
{
    PyObject *value;
    return context_find(op, key, &value);
}

static PyObject *
context_iter(PyObject *op)
{
    return _PyHamt_NewIter(((PyContext *)op)->ctx_vars, &_PyHamtKeys_Type);
}

PyDoc_STRVAR(context_get_doc,
"get($self, key, default=None, /)\n--\n\n"
"Return the value of a variable, or default if it has none here.");

static PyObject *
context_get(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    if (!_PyArg_CheckPositional("get", nargs, 1, 2)) {
        return NULL;
    }
    PyObject *value;
    int found = context_find(op, args[0], &value);
    if (found < 0) {
        return NULL;
    }
    return Py_NewRef(found ? value : nargs > 1 ? args[1] : Py_None);
}

PyDoc_STRVAR(context_items_doc,
"items($self, /)\n--\n\nReturn the variables with their values.");

static PyObject *
context_items(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyHamt_NewIter(((PyContext *)op)->ctx_vars, &_PyHamtItems_Type);
}

PyDoc_STRVAR(context_keys_doc,
"keys($self, /)\n--\n\nReturn the variables that have a value.");

static PyObject *
context_keys(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyHamt_NewIter(((PyContext *)op)->ctx_vars, &_PyHamtKeys_Type);
}

PyDoc_STRVAR(context_values_doc,
"values($self, /)\n--\n\nReturn the values of the variables.");

static PyObject *
context_values(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return _PyHamt_NewIter(((PyContext *)op)->ctx_vars, &_PyHamtValues_Type);
}

PyDoc_STRVAR(context_copy_doc,
"copy($self, /)\n--\n\nReturn another context with the same values.");

static PyObject *
context_copy(PyObject *op, PyObject *Py_UNUSED(ignored))
{
    return (PyObject *)new_context(((PyContext *)op)->ctx_vars);
}

static PyObject *
context_run(PyObject *op, PyObject *const *args, Py_ssize_t nargs,
            PyObject *kwnames)
{
    PyThreadState *tstate = _PyThreadState_GET();
    if (nargs < 1) {
        _PyErr_SetString(tstate, PyExc_TypeError,
                         "run() missing 1 required positional argument");
        return NULL;
    }
    if (enter(tstate, (PyContext *)op) < 0) {
        return NULL;
    }
    PyObject *result = PyObject_Vectorcall(args[0], args + 1,
                                           (size_t)nargs - 1, kwnames);
    if (leave(tstate, (PyContext *)op) < 0) {
        Py_CLEAR(result);
    }
    return result;
}

static PyMethodDef context_methods[] = {
    {"get", FAST(context_get), context_get_doc},
    {"items", context_items, METH_NOARGS, context_items_doc},
    {"keys", context_keys, METH_NOARGS, context_keys_doc},
    {"values", context_values, METH_NOARGS, context_values_doc},
    {"copy", context_copy, METH_NOARGS, context_copy_doc},
    {"run", FAST_KEYWORDS(context_run),
     NULL},
    {NULL, NULL, 0, NULL},
};

static PySequenceMethods context_as_sequence = {
    .sq_contains = context_contains,
};

static PyMappingMethods context_as_mapping = {
    .mp_length = context_length,
    .mp_subscript = context_subscript,
};

PyTypeObject PyContext_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_contextvars.Context",
    .tp_basicsize = sizeof(PyContext),
    .tp_dealloc = context_dealloc,
    .tp_as_sequence = &context_as_sequence,
    .tp_as_mapping = &context_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = context_traverse,
    .tp_clear = context_clear,
    .tp_richcompare = context_richcompare,
    .tp_weaklistoffset = offsetof(PyContext, ctx_weakreflist),
    .tp_iter = context_iter,
    .tp_methods = context_methods,
    .tp_alloc = PyType_GenericAlloc,
    .tp_new = context_new,
    .tp_free = PyObject_GC_Del,
};

/* --------------------------------------------------------------- ContextVar */

static PyObject *
var_new(PyTypeObject *Py_UNUSED(type), PyObject *args, PyObject *kwds)
{
    static char *names[] = {"", "default", NULL};
    PyObject *name, *default_value = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "O|$O:ContextVar", names,
                                     &name, &default_value)) {
        return NULL;
    }
    return (PyObject *)new_var(name, default_value);
}

static int
var_clear(PyObject *op)
{
    PyContextVar *var = (PyContextVar *)op;
    Py_CLEAR(var->var_name);
    Py_CLEAR(var->var_default);
    var->var_cached = NULL;
    return 0;
}

static int
var_traverse(PyObject *op, visitproc visit, void *arg)
{
    Py_VISIT(((PyContextVar *)op)->var_name);
    Py_VISIT(((PyContextVar *)op)->var_default);
    return 0;
}

static void
var_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    (void)var_clear(op);
    Py_TYPE(op)->tp_free(op);
}

static Py_hash_t
var_hash(PyObject *op)
{
    return ((PyContextVar *)op)->var_hash;
}

static PyObject *
var_repr(PyObject *op)
{
    PyContextVar *var = (PyContextVar *)op;
    if (var->var_default != NULL) {
        return PyUnicode_FromFormat("<ContextVar name=%R default=%R at %p>",
                                    var->var_name, var->var_default, op);
    }
    return PyUnicode_FromFormat("<ContextVar name=%R at %p>", var->var_name,
                                op);
}

PyDoc_STRVAR(var_get_doc,
"get($self, default=<unrepresentable>, /)\n--\n\n"
"Return the value in the current context.\n\n"
"If it has none, return default, or else the variable's own default, or else\n"
"raise LookupError.");

static PyObject *
var_get(PyObject *op, PyObject *const *args, Py_ssize_t nargs)
{
    PyObject *value;
    if (!_PyArg_CheckPositional("get", nargs, 0, 1)
        || PyContextVar_Get(op, nargs > 0 ? args[0] : NULL, &value) < 0) {
        return NULL;
    }
    if (value == NULL) {
        PyErr_SetObject(PyExc_LookupError, op);
    }
    return value;
}

PyDoc_STRVAR(var_set_doc,
"set($self, value, /)\n--\n\n"
"Give the variable a value in the current context.\n\n"
"Returns a token with which reset() restores what was before.");

PyDoc_STRVAR(var_reset_doc,
"reset($self, token, /)\n--\n\nUndo the set() that returned token.");

static PyObject *
var_reset(PyObject *op, PyObject *token)
{
    if (!PyContextToken_CheckExact(token)) {
        return PyErr_Format(PyExc_TypeError,
                            "expected an instance of Token, got %R", token);
    }
    if (PyContextVar_Reset(op, token) < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef var_methods[] = {
    {"get", FAST(var_get), var_get_doc},
    {"set", PyContextVar_Set, METH_O, var_set_doc},
    {"reset", var_reset, METH_O, var_reset_doc},
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     PyDoc_STR("See PEP 585")},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef var_members[] = {
    {"name", T_OBJECT, offsetof(PyContextVar, var_name), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject PyContextVar_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_contextvars.ContextVar",
    .tp_basicsize = sizeof(PyContextVar),
    .tp_dealloc = var_dealloc,
    .tp_repr = var_repr,
    .tp_hash = var_hash,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = var_traverse,
    .tp_clear = var_clear,
    .tp_methods = var_methods,
    .tp_members = var_members,
    .tp_new = var_new,
    .tp_free = PyObject_GC_Del,
};

/* -------------------------------------------------------------------- Token */

static PyObject *
token_new(PyTypeObject *Py_UNUSED(type), PyObject *Py_UNUSED(args),
          PyObject *Py_UNUSED(kwds))
{
    PyErr_SetString(PyExc_RuntimeError,
                    "Tokens can only be created by ContextVars");
    return NULL;
}

static int
token_clear(PyObject *op)
{
    PyContextToken *token = (PyContextToken *)op;
    Py_CLEAR(token->tok_ctx);
    Py_CLEAR(token->tok_var);
    Py_CLEAR(token->tok_oldval);
    return 0;
}

static int
token_traverse(PyObject *op, visitproc visit, void *arg)
{
    PyContextToken *token = (PyContextToken *)op;
    Py_VISIT((PyObject *)token->tok_ctx);
    Py_VISIT((PyObject *)token->tok_var);
    Py_VISIT(token->tok_oldval);
    return 0;
}

static void
token_dealloc(PyObject *op)
{
    PyObject_GC_UnTrack(op);
    (void)token_clear(op);
    Py_TYPE(op)->tp_free(op);
}

static PyObject *
token_repr(PyObject *op)
{
    PyContextToken *token = (PyContextToken *)op;
    return PyUnicode_FromFormat("<Token%s var=%R at %p>",
                                token->tok_used ? " used" : "",
                                token->tok_var, op);
}

static PyObject *
token_get_var(PyObject *op, void *Py_UNUSED(closure))
{
    return Py_NewRef((PyObject *)((PyContextToken *)op)->tok_var);
}

static PyObject *
token_get_old_value(PyObject *op, void *Py_UNUSED(closure))
{
    PyObject *old = ((PyContextToken *)op)->tok_oldval;
    return Py_NewRef(old != NULL ? old : token_missing);
}

static PyGetSetDef token_getset[] = {
    {"var", token_get_var, NULL, NULL, NULL},
    {"old_value", token_get_old_value, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef token_methods[] = {
    {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
     PyDoc_STR("See PEP 585")},
    {NULL, NULL, 0, NULL},
};

PyTypeObject PyContextToken_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "_contextvars.Token",
    .tp_basicsize = sizeof(PyContextToken),
    .tp_dealloc = token_dealloc,
    .tp_repr = token_repr,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = token_traverse,
    .tp_clear = token_clear,
    .tp_methods = token_methods,
    .tp_getset = token_getset,
    .tp_new = token_new,
    .tp_free = PyObject_GC_Del,
};

/* ------------------------------------------------------------ Token.MISSING */

static PyObject *
missing_repr(PyObject *Py_UNUSED(op))
{
    return PyUnicode_FromString("<Token.MISSING>");
}

PyTypeObject _PyContextTokenMissing_Type = {
    PyVarObject_HEAD_INIT(&PyType_Type, 0)
    .tp_name = "Token.MISSING",
    .tp_basicsize = sizeof(PyObject),
    .tp_repr = missing_repr,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

int
_PyContext_Init(void)
{
    if (token_missing != NULL) {
        return 0;
    }
    token_missing = PyObject_New(PyObject, &_PyContextTokenMissing_Type);
    if (token_missing == NULL) {
        return -1;
    }
    if (PyDict_SetItemString(PyContextToken_Type.tp_dict, "MISSING",
                             token_missing) < 0) {
        return -1;
    }
    PyType_Modified(&PyContextToken_Type);
    return 0;
}
