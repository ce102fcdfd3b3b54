/* Contexts: their attributes and signals, the current context, localcontext(). */

#include "decimal_impl.h"
#include "internal/context.h"
#include "internal/module_state.h"
#include "internal/pystate.h"
#include "structmember.h"

const dctx _dec_exact = {
    .prec = MAX_PREC, .emax = MAX_EMAX, .emin = MIN_EMIN, .traps = 0,
    .round = ROUND_HALF_EVEN, .clamp = 0, .capitals = 1,
};

PyObject *_dec_round_names[ROUNDINGS];

/* The ContextVar of each interpreter: what one has cached is told by its thread's number, which
   another interpreter's thread may have as well. */
struct state {
    PyObject *current_var;
};

static void
clear_state(void *op)
{
    Py_CLEAR(((struct state *)op)->current_var);
}

/* Returns a borrowed reference. */
static PyObject *
need_current_var(void)
{
    struct state *state = _PyModuleState_Need(MODULE_STATE_DECIMAL, sizeof(struct state),
                                              clear_state);
    if (state != NULL && state->current_var == NULL) {
        state->current_var = PyContextVar_New("decimal_context", NULL);
    }
    return state == NULL ? NULL : state->current_var;
}

static Context *default_context, *basic_context, *extended_context;
static PyObject *signal_dict_type;

static const dctx default_settings = {
    .prec = 28, .emax = 999999, .emin = -999999,
    .traps = ANY_INVALID | DIVISION_BY_ZERO | OVERFLOWED,
    .round = ROUND_HALF_EVEN, .clamp = 0, .capitals = 1,
};

/* ------------------------------------------------------------------ signals */

static PyObject *
list_conditions(uint32_t status)
{
    PyObject *list = PyList_New(0);
    for (int i = -1; list != NULL && i < DEC_CONDITIONS; i++) {
        const struct dec_signal *s = i < 0 ? &_dec_signals[0] : &_dec_conditions[i];
        if ((status & s->condition) && PyList_Append(list, s->exception) < 0) {
            Py_CLEAR(list);
        }
    }
    for (int i = 1; list != NULL && i < DEC_SIGNALS; i++) {
        if ((status & _dec_signals[i].flags)
            && PyList_Append(list, _dec_signals[i].exception) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

int
_dec_signal_slow(Context *ctx, uint32_t status)
{
    ctx->c.status |= status;
    if ((status & (ctx->c.traps | NO_MEMORY)) == 0) {
        return 0;
    }
    if (status & NO_MEMORY) {
        PyErr_NoMemory();
        return -1;
    }
    uint32_t raised = status & ctx->c.traps;
    for (int i = 0; i < DEC_SIGNALS; i++) {
        if (raised & _dec_signals[i].flags) {
            PyObject *list = list_conditions(raised);
            if (list != NULL) {
                PyErr_SetObject(_dec_signals[i].exception, list);
                Py_DECREF(list);
            }
            return -1;
        }
    }
    return 0;
}

/* The flags that an exception class stands for, or 0 with KeyError. */
static uint32_t
flags_of_class(PyObject *op)
{
    for (int i = 0; i < DEC_SIGNALS; i++) {
        if (_dec_signals[i].exception == op) {
            return _dec_signals[i].flags;
        }
    }
    PyErr_SetString(PyExc_KeyError,
                    "valid values for signals are:\n"
                    "  [InvalidOperation, FloatOperation, DivisionByZero,\n"
                    "   Overflow, Underflow, Subnormal, Inexact, Rounded,\n"
                    "   Clamped]");
    return 0;
}

/* A mapping of the signals: what flags and traps of a context are. While the context lives, it
   looks at the context's bits; then it has its own. */
typedef struct {
    PyObject_HEAD
    uint32_t *flags;
    uint32_t own;
} SignalDict;

static PyTypeObject SignalDictMixin_Type;

#define FLAGS(op) (*((SignalDict *)(op))->flags)

static PyObject *
signals_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    SignalDict *self = (SignalDict *)type->tp_alloc(type, 0);
    if (self != NULL) {
        self->flags = &self->own;
    }
    return (PyObject *)self;
}

static int
signals_init(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    return 0;
}

static Py_ssize_t
signals_len(PyObject *Py_UNUSED(self))
{
    return DEC_SIGNALS;
}

static PyObject *
signals_getitem(PyObject *self, PyObject *key)
{
    uint32_t flags = flags_of_class(key);
    return flags == 0 ? NULL : PyBool_FromLong((FLAGS(self) & flags) != 0);
}

static int
signals_setitem(PyObject *self, PyObject *key, PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_ValueError, "signal keys cannot be deleted");
        return -1;
    }
    uint32_t flags = flags_of_class(key);
    if (flags == 0) {
        return -1;
    }
    int on = PyObject_IsTrue(value);
    if (on < 0) {
        return -1;
    }
    FLAGS(self) = on ? FLAGS(self) | flags : FLAGS(self) & ~flags;
    return 0;
}

static PyObject *
signals_iter(PyObject *Py_UNUSED(self))
{
    PyObject *tuple = PyTuple_New(DEC_SIGNALS);
    if (tuple == NULL) {
        return NULL;
    }
    for (int i = 0; i < DEC_SIGNALS; i++) {
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(_dec_signals[i].exception));
    }
    PyObject *iter = PyObject_GetIter(tuple);
    Py_DECREF(tuple);
    return iter;
}

static PyObject *
signals_repr(PyObject *self)
{
    PyObject *result = PyUnicode_FromString("{");
    for (int i = 0; result != NULL && i < DEC_SIGNALS; i++) {
        PyObject *more = PyUnicode_FromFormat(
            "%U%R:%s%s", result, _dec_signals[i].exception,
            FLAGS(self) & _dec_signals[i].flags ? "True" : "False",
            i == DEC_SIGNALS - 1 ? "}" : ", ");
        Py_SETREF(result, more);
    }
    return result;
}

static PyObject *
signals_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *dict = PyDict_New();
    for (int i = 0; dict != NULL && i < DEC_SIGNALS; i++) {
        PyObject *value = FLAGS(self) & _dec_signals[i].flags ? Py_True : Py_False;
        if (PyDict_SetItem(dict, _dec_signals[i].exception, value) < 0) {
            Py_CLEAR(dict);
        }
    }
    return dict;
}

/* The bits of a dict with all signals. 0 or -1. */
static int
flags_of_dict(PyObject *dict, uint32_t *flags)
{
    PyObject *key, *value;
    Py_ssize_t i = 0;
    uint32_t result = 0;
    if (PyDict_GET_SIZE(dict) != DEC_SIGNALS) {
        PyErr_SetString(PyExc_KeyError, "invalid signal dict");
        return -1;
    }
    while (PyDict_Next(dict, &i, &key, &value)) {
        uint32_t flag = flags_of_class(key);
        if (flag == 0) {
            return -1;
        }
        int on = PyObject_IsTrue(value);
        if (on < 0) {
            return -1;
        }
        if (on) {
            result |= flag;
        }
    }
    *flags = result;
    return 0;
}

static PyObject *
signals_richcompare(PyObject *a, PyObject *b, int op)
{
    uint32_t other;
    if (op != Py_EQ && op != Py_NE) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (PyObject_TypeCheck(b, &SignalDictMixin_Type)) {
        other = FLAGS(b);
    }
    else if (PyDict_Check(b)) {
        if (flags_of_dict(b, &other) < 0) {
            if (PyErr_ExceptionMatches(PyExc_KeyError)) {
                PyErr_Clear();
                Py_RETURN_NOTIMPLEMENTED;
            }
            return NULL;
        }
    }
    else {
        Py_RETURN_NOTIMPLEMENTED;
    }
    /* Conditions of InvalidOperation are one signal. */
    int same = 1;
    for (int i = 0; i < DEC_SIGNALS; i++) {
        uint32_t flags = _dec_signals[i].flags;
        same = same && ((FLAGS(a) & flags) != 0) == ((other & flags) != 0);
    }
    return PyBool_FromLong(same == (op == Py_EQ));
}

static PyMethodDef signals_methods[] = {
    {"copy", signals_copy, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyMappingMethods signals_as_mapping = {
    .mp_length = signals_len,
    .mp_subscript = signals_getitem,
    .mp_ass_subscript = signals_setitem,
};

static PyTypeObject SignalDictMixin_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "decimal.SignalDictMixin",
    .tp_basicsize = sizeof(SignalDict),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_repr = signals_repr,
    .tp_as_mapping = &signals_as_mapping,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_richcompare = signals_richcompare,
    .tp_iter = signals_iter,
    .tp_methods = signals_methods,
    .tp_init = signals_init,
    .tp_new = signals_new,
};

/* ----------------------------------------------------------------- contexts */

static Context *
new_context(PyTypeObject *type, const dctx *settings)
{
    Context *self = (Context *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->c = *settings;
    self->traps = PyObject_CallNoArgs(signal_dict_type);
    self->flags = self->traps == NULL ? NULL : PyObject_CallNoArgs(signal_dict_type);
    if (self->flags == NULL) {
        Py_DECREF(self);
        return NULL;
    }
    ((SignalDict *)self->traps)->flags = &self->c.traps;
    ((SignalDict *)self->flags)->flags = &self->c.status;
    return self;
}

static PyObject *
context_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwds))
{
    dctx settings = default_context != NULL ? default_context->c : default_settings;
    settings.status = 0;
    return (PyObject *)new_context(type, &settings);
}

static void
drop_signals(PyObject *op)
{
    if (op != NULL) {
        SignalDict *dict = (SignalDict *)op;
        dict->own = *dict->flags;
        dict->flags = &dict->own;
        Py_DECREF(op);
    }
}

static void
context_dealloc(PyObject *op)
{
    Context *self = (Context *)op;
    drop_signals(self->traps);
    drop_signals(self->flags);
    Py_TYPE(op)->tp_free(op);
}

PyObject *
_dec_context_copy(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    return (PyObject *)new_context(&_PyDecimal_ContextType, &((Context *)self)->c);
}

int
_dec_rounding_arg(PyObject *arg)
{
    if (PyUnicode_Check(arg)) {
        for (int i = 0; i < ROUNDINGS; i++) {
            if (arg == _dec_round_names[i]) {
                return i;
            }
        }
        for (int i = 0; i < ROUNDINGS; i++) {
            if (PyUnicode_Compare(arg, _dec_round_names[i]) == 0) {
                return i;
            }
        }
    }
    PyErr_SetString(PyExc_TypeError,
                    "valid values for rounding are:\n"
                    "  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n"
                    "   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n"
                    "   ROUND_05UP]");
    return -1;
}

/* What a numeric attribute may be. The closure of its getter and setter. */
struct setting {
    const char *message;
    int64_t least, most;
    enum { PREC, EMAX, EMIN, CAPITALS, CLAMP } which;
};

static struct setting settings[] = {
    {"valid range for prec is [1, MAX_PREC]", 1, MAX_PREC, PREC},
    {"valid range for Emax is [0, MAX_EMAX]", 0, MAX_EMAX, EMAX},
    {"valid range for Emin is [MIN_EMIN, 0]", MIN_EMIN, 0, EMIN},
    {"valid values for capitals are 0 or 1", 0, 1, CAPITALS},
    {"valid values for clamp are 0 or 1", 0, 1, CLAMP},
};

static PyObject *
get_setting(PyObject *self, void *closure)
{
    const dctx *c = &((Context *)self)->c;
    switch (((struct setting *)closure)->which) {
    case PREC: return PyLong_FromLongLong(c->prec);
    case EMAX: return PyLong_FromLongLong(c->emax);
    case EMIN: return PyLong_FromLongLong(c->emin);
    case CAPITALS: return PyLong_FromLong(c->capitals);
    default: return PyLong_FromLong(c->clamp);
    }
}

static int
set_setting(PyObject *self, PyObject *value, void *closure)
{
    const struct setting *s = closure;
    dctx *c = &((Context *)self)->c;
    Py_ssize_t v = PyLong_AsSsize_t(value);
    if (v == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (v < s->least || v > s->most) {
        PyErr_SetString(PyExc_ValueError, s->message);
        return -1;
    }
    switch (s->which) {
    case PREC: c->prec = v; break;
    case EMAX: c->emax = v; break;
    case EMIN: c->emin = v; break;
    case CAPITALS: c->capitals = (uint8_t)v; break;
    default: c->clamp = (uint8_t)v;
    }
    return 0;
}

static PyObject *
get_rounding(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_NewRef(_dec_round_names[((Context *)self)->c.round]);
}

static int
set_rounding(PyObject *self, PyObject *value, void *Py_UNUSED(closure))
{
    int rounding = _dec_rounding_arg(value);
    if (rounding < 0) {
        return -1;
    }
    ((Context *)self)->c.round = (uint8_t)rounding;
    return 0;
}

static PyGetSetDef context_getset[] = {
    {"prec", get_setting, set_setting, NULL, &settings[PREC]},
    {"Emax", get_setting, set_setting, NULL, &settings[EMAX]},
    {"Emin", get_setting, set_setting, NULL, &settings[EMIN]},
    {"rounding", get_rounding, set_rounding, NULL, NULL},
    {"capitals", get_setting, set_setting, NULL, &settings[CAPITALS]},
    {"clamp", get_setting, set_setting, NULL, &settings[CLAMP]},
    {NULL, NULL, NULL, NULL, NULL}
};

static PyObject *
context_getattro(PyObject *self, PyObject *name)
{
    if (PyUnicode_Check(name)) {
        if (_PyUnicode_EqualToASCIIString(name, "traps")) {
            return Py_NewRef(((Context *)self)->traps);
        }
        if (_PyUnicode_EqualToASCIIString(name, "flags")) {
            return Py_NewRef(((Context *)self)->flags);
        }
    }
    return PyObject_GenericGetAttr(self, name);
}

/* From another context's signals or a dict; with `lists`, from a list of them as well. */
static int
set_flags(uint32_t *flags, PyObject *value, int lists)
{
    if (lists && PyList_Check(value)) {
        uint32_t all = 0;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value); i++) {
            uint32_t flag = flags_of_class(PyList_GET_ITEM(value, i));
            if (flag == 0) {
                return -1;
            }
            all |= flag;
        }
        *flags = all;
        return 0;
    }
    if (PyObject_TypeCheck(value, &SignalDictMixin_Type)) {
        *flags = FLAGS(value);
        return 0;
    }
    if (!PyDict_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "argument must be a signal dict");
        return -1;
    }
    return flags_of_dict(value, flags);
}

static int
context_setattro(PyObject *self, PyObject *name, PyObject *value)
{
    if (value == NULL) {
        PyErr_SetString(PyExc_AttributeError, "context attributes cannot be deleted");
        return -1;
    }
    if (PyUnicode_Check(name)) {
        if (_PyUnicode_EqualToASCIIString(name, "traps")) {
            return set_flags(&((Context *)self)->c.traps, value, 0);
        }
        if (_PyUnicode_EqualToASCIIString(name, "flags")) {
            return set_flags(&((Context *)self)->c.status, value, 0);
        }
    }
    return PyObject_GenericSetAttr(self, name, value);
}

enum { ARG_PREC, ARG_ROUNDING, ARG_EMIN, ARG_EMAX, ARG_CAPITALS, ARG_CLAMP, ARG_FLAGS, ARG_TRAPS,
       SETTING_ARGS };

/* The arguments of Context() and localcontext(), of which those that are None are left out. */
static int
set_all(Context *self, PyObject **args)
{
    static const struct { int arg, which; } order[] = {
        {ARG_PREC, PREC}, {ARG_ROUNDING, -1}, {ARG_EMIN, EMIN}, {ARG_EMAX, EMAX},
        {ARG_CAPITALS, CAPITALS}, {ARG_CLAMP, CLAMP},
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(order); i++) {
        PyObject *value = args[order[i].arg];
        if (value != Py_None
            && (order[i].which < 0 ? set_rounding((PyObject *)self, value, NULL)
                : set_setting((PyObject *)self, value, &settings[order[i].which])) < 0) {
            return -1;
        }
    }
    if (args[ARG_TRAPS] != Py_None && set_flags(&self->c.traps, args[ARG_TRAPS], 1) < 0) {
        return -1;
    }
    if (args[ARG_FLAGS] != Py_None && set_flags(&self->c.status, args[ARG_FLAGS], 1) < 0) {
        return -1;
    }
    return 0;
}

static int
context_init(PyObject *self, PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"prec", "rounding", "Emin", "Emax", "capitals", "clamp", "flags",
                               "traps", NULL};
    PyObject *a[SETTING_ARGS] = {Py_None, Py_None, Py_None, Py_None, Py_None, Py_None, Py_None,
                                 Py_None};
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OOOOOOOO", keywords, &a[0], &a[1], &a[2],
                                     &a[3], &a[4], &a[5], &a[6], &a[7])) {
        return -1;
    }
    return set_all((Context *)self, a);
}

/* The names of the flags, as repr() lists them. */
static PyObject *
flag_names(uint32_t flags)
{
    static const struct { const char *name; uint32_t flags; } names[] = {
        {"Clamped", CLAMPED}, {"InvalidOperation", ANY_INVALID},
        {"DivisionByZero", DIVISION_BY_ZERO}, {"Inexact", INEXACT},
        {"FloatOperation", FLOAT_OPERATION}, {"Overflow", OVERFLOWED}, {"Rounded", ROUNDED},
        {"Subnormal", SUBNORMAL}, {"Underflow", UNDERFLOWED},
    };
    char text[200] = "";
    for (size_t i = 0; i < Py_ARRAY_LENGTH(names); i++) {
        if (flags & names[i].flags) {
            if (text[0] != '\0') {
                strcat(text, ", ");
            }
            strcat(text, names[i].name);
        }
    }
    return PyUnicode_FromString(text);
}

static PyObject *
context_repr(PyObject *self)
{
    const dctx *c = &((Context *)self)->c;
    PyObject *flags = flag_names(c->status), *traps = flag_names(c->traps), *result = NULL;
    if (flags != NULL && traps != NULL) {
        result = PyUnicode_FromFormat(
            "Context(prec=%zd, rounding=%U, Emin=%zd, Emax=%zd, capitals=%d, clamp=%d, "
            "flags=[%U], traps=[%U])", (Py_ssize_t)c->prec, _dec_round_names[c->round],
            (Py_ssize_t)c->emin, (Py_ssize_t)c->emax, c->capitals, c->clamp, flags, traps);
    }
    Py_XDECREF(flags);
    Py_XDECREF(traps);
    return result;
}

static PyObject *
signal_list(uint32_t flags)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < DEC_SIGNALS; i++) {
        if ((flags & _dec_signals[i].flags)
            && PyList_Append(list, _dec_signals[i].exception) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

PyObject *
_dec_context_reduce(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    const dctx *c = &((Context *)self)->c;
    PyObject *flags = signal_list(c->status), *traps = signal_list(c->traps);
    if (flags == NULL || traps == NULL) {
        Py_XDECREF(flags);
        Py_XDECREF(traps);
        return NULL;
    }
    return Py_BuildValue("O(nOnniiNN)", Py_TYPE(self), (Py_ssize_t)c->prec,
                         _dec_round_names[c->round], (Py_ssize_t)c->emin, (Py_ssize_t)c->emax,
                         c->capitals, c->clamp, flags, traps);
}

PyTypeObject _PyDecimal_ContextType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "decimal.Context",
    .tp_basicsize = sizeof(Context),
    .tp_dealloc = context_dealloc,
    .tp_repr = context_repr,
    .tp_getattro = context_getattro,
    .tp_setattro = context_setattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "Context(prec=None, rounding=None, Emin=None, Emax=None, capitals=None, "
        "clamp=None, flags=None, traps=None)\n--\n\n"
        "What governs arithmetic: precision and rounding, the limits of exponents, which signals\n"
        "raise exceptions (traps), and which have occurred (flags). What is not given is taken\n"
        "from DefaultContext; all flags are cleared.",
    .tp_methods = _dec_context_methods,
    .tp_getset = context_getset,
    .tp_init = context_init,
    .tp_new = context_new,
};

/* ---------------------------------------------------------- current context */

static Context *
find_current(void)
{
    PyObject *found, *var = need_current_var();
    if (var == NULL || PyContextVar_Get(var, NULL, &found) < 0) {
        return NULL;
    }
    if (found != NULL) {
        /* The context variable keeps it. */
        Py_DECREF(found);
        return (Context *)found;
    }
    dctx start = default_context->c;
    start.status = 0;
    Context *made = new_context(&_PyDecimal_ContextType, &start);
    if (made == NULL) {
        return NULL;
    }
    PyObject *token = PyContextVar_Set(var, (PyObject *)made);
    Py_DECREF(made);
    if (token == NULL) {
        return NULL;
    }
    Py_DECREF(token);
    return made;
}

Context *
_dec_current(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    struct state *state = tstate->interp->module_states[MODULE_STATE_DECIMAL];
    struct _pycontextvarobject *var = state == NULL
        ? NULL : (struct _pycontextvarobject *)state->current_var;
    if (__builtin_expect(var != NULL && var->var_cached != NULL
                         && var->var_cached_tsid == tstate->id
                         && var->var_cached_tsver == tstate->context_ver, 1)) {
        return (Context *)var->var_cached;
    }
    return find_current();
}

Context *
_dec_context_arg(PyObject *arg)
{
    if (arg == NULL || arg == Py_None) {
        return _dec_current();
    }
    if (!Context_Check(arg)) {
        PyErr_SetString(PyExc_TypeError, "optional argument must be a context");
        return NULL;
    }
    return (Context *)arg;
}

static PyObject *
decimal_getcontext(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return Py_XNewRef((PyObject *)_dec_current());
}

static PyObject *
decimal_setcontext(PyObject *Py_UNUSED(module), PyObject *arg)
{
    if (!Context_Check(arg)) {
        PyErr_SetString(PyExc_TypeError, "argument must be a context");
        return NULL;
    }
    Context *ctx = (Context *)arg;
    /* The templates stay as they are. */
    if (ctx == default_context || ctx == basic_context || ctx == extended_context) {
        ctx = new_context(&_PyDecimal_ContextType, &ctx->c);
        if (ctx == NULL) {
            return NULL;
        }
        ctx->c.status = 0;
    }
    else {
        Py_INCREF(ctx);
    }
    PyObject *var = need_current_var();
    PyObject *token = var == NULL ? NULL : PyContextVar_Set(var, (PyObject *)ctx);
    Py_DECREF(ctx);
    if (token == NULL) {
        return NULL;
    }
    Py_DECREF(token);
    Py_RETURN_NONE;
}

typedef struct {
    PyObject_HEAD
    PyObject *local, *outer;
} ContextManager;

static PyTypeObject ContextManager_Type;

static PyObject *
decimal_localcontext(PyObject *Py_UNUSED(module), PyObject *args, PyObject *kwds)
{
    static char *keywords[] = {"ctx", "prec", "rounding", "Emin", "Emax", "capitals", "clamp",
                               "flags", "traps", NULL};
    PyObject *ctx = Py_None;
    PyObject *a[SETTING_ARGS] = {Py_None, Py_None, Py_None, Py_None, Py_None, Py_None, Py_None,
                                 Py_None};
    if (!PyArg_ParseTupleAndKeywords(args, kwds, "|OOOOOOOOO", keywords, &ctx, &a[0], &a[1],
                                     &a[2], &a[3], &a[4], &a[5], &a[6], &a[7])) {
        return NULL;
    }
    PyObject *outer = Py_XNewRef((PyObject *)_dec_current());
    if (outer == NULL) {
        return NULL;
    }
    if (ctx == Py_None) {
        ctx = outer;
    }
    else if (!Context_Check(ctx)) {
        PyErr_SetString(PyExc_TypeError, "optional argument must be a context");
        Py_DECREF(outer);
        return NULL;
    }
    Context *local = new_context(&_PyDecimal_ContextType, &((Context *)ctx)->c);
    ContextManager *self = local == NULL || set_all(local, a) < 0
        ? NULL : PyObject_New(ContextManager, &ContextManager_Type);
    if (self == NULL) {
        Py_XDECREF(local);
        Py_DECREF(outer);
        return NULL;
    }
    self->local = (PyObject *)local;
    self->outer = outer;
    return (PyObject *)self;
}

static void
manager_dealloc(PyObject *op)
{
    Py_XDECREF(((ContextManager *)op)->local);
    Py_XDECREF(((ContextManager *)op)->outer);
    PyObject_Free(op);
}

static PyObject *
manager_enter(PyObject *self, PyObject *Py_UNUSED(ignored))
{
    PyObject *local = ((ContextManager *)self)->local;
    PyObject *none = decimal_setcontext(NULL, local);
    if (none == NULL) {
        return NULL;
    }
    Py_DECREF(none);
    return Py_NewRef(local);
}

static PyObject *
manager_exit(PyObject *self, PyObject *Py_UNUSED(args))
{
    return decimal_setcontext(NULL, ((ContextManager *)self)->outer);
}

static PyMethodDef manager_methods[] = {
    {"__enter__", manager_enter, METH_NOARGS, NULL},
    {"__exit__", manager_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}
};

static PyTypeObject ContextManager_Type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "decimal.ContextManager",
    .tp_basicsize = sizeof(ContextManager),
    .tp_dealloc = manager_dealloc,
    .tp_getattro = PyObject_GenericGetAttr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = manager_methods,
};

PyMethodDef _dec_module_methods[] = {
    {"getcontext", decimal_getcontext, METH_NOARGS,
     "getcontext($module, /)\n--\n\nReturn the context that governs arithmetic now."},
    {"setcontext", decimal_setcontext, METH_O,
     "setcontext($module, context, /)\n--\n\nMake it the context that governs arithmetic."},
    {"localcontext", (PyCFunction)(void (*)(void))decimal_localcontext,
     METH_VARARGS | METH_KEYWORDS,
     "localcontext($module, /, ctx=None, **kwargs)\n--\n\n"
     "Return a manager for the with statement: within, a copy of ctx, or of the current\n"
     "context, is the current one. Keywords are attributes of the copy."},
    {NULL, NULL, 0, NULL}
};

/* --------------------------------------------------------------- the module */

static PyObject *
make_signal_dict_type(void)
{
    PyObject *abc = PyImport_ImportModule("collections.abc");
    PyObject *mapping = abc == NULL ? NULL : PyObject_GetAttrString(abc, "MutableMapping");
    PyObject *type = mapping == NULL ? NULL
        : PyObject_CallFunction((PyObject *)Py_TYPE(mapping), "s(OO){}", "SignalDict",
                                &SignalDictMixin_Type, mapping);
    Py_XDECREF(abc);
    Py_XDECREF(mapping);
    return type;
}

int
_dec_init_contexts(PyObject *module)
{
    static const char *const names[] = {"ROUND_UP", "ROUND_DOWN", "ROUND_CEILING", "ROUND_FLOOR",
                                        "ROUND_HALF_UP", "ROUND_HALF_DOWN", "ROUND_HALF_EVEN",
                                        "ROUND_05UP"};
    if (PyType_Ready(&SignalDictMixin_Type) < 0 || PyType_Ready(&ContextManager_Type) < 0
        || PyType_Ready(&_PyDecimal_ContextType) < 0
        || PyModule_AddObjectRef(module, "Context", (PyObject *)&_PyDecimal_ContextType) < 0) {
        return -1;
    }
    for (int i = 0; i < ROUNDINGS; i++) {
        _dec_round_names[i] = PyUnicode_InternFromString(names[i]);
        if (_dec_round_names[i] == NULL
            || PyModule_AddObjectRef(module, names[i], _dec_round_names[i]) < 0) {
            return -1;
        }
    }
    dctx basic = default_settings, extended = default_settings;
    basic.prec = extended.prec = 9;
    basic.traps |= UNDERFLOWED | CLAMPED;
    basic.round = ROUND_HALF_UP;
    extended.traps = 0;
    if ((signal_dict_type = make_signal_dict_type()) == NULL
        || (default_context = new_context(&_PyDecimal_ContextType, &default_settings)) == NULL
        || (basic_context = new_context(&_PyDecimal_ContextType, &basic)) == NULL
        || (extended_context = new_context(&_PyDecimal_ContextType, &extended)) == NULL) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "DefaultContext", (PyObject *)default_context) < 0
        || PyModule_AddObjectRef(module, "BasicContext", (PyObject *)basic_context) < 0
        || PyModule_AddObjectRef(module, "ExtendedContext", (PyObject *)extended_context) < 0
        ? -1 : 0;
}
