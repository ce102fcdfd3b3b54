/* Variables: which instruction reads, writes or deletes a name. */
#include "codegen.h"

/* How the unit that is being compiled accesses a name. */
typedef enum { IN_REGISTER, IN_CELL, IN_CLOSURE, IN_GLOBALS, IN_MAPPING } Place;

static int
local_slot(Unit *u, Symbol *s)
{
    if (s->slot < 0) {
        s->slot = u->assigned_locals++;
        u->varnames[s->slot] = s->name;
    }
    return s->slot;
}

/* *slot: register, register of the cell, or closure index. */
static Place
place_of(Unit *u, PyObject *key, int *slot)
{
    int function = u->scope->kind == FUNCTION_SCOPE;
    Symbol *s = _PyScope_Find(u->scope, key);
    *slot = -1;
    if (s == NULL) {
        return function ? IN_GLOBALS : IN_MAPPING;
    }
    switch (s->where) {
    case SCOPE_LOCAL:
        if (!function) {
            return IN_MAPPING;
        }
        *slot = local_slot(u, s);
        return IN_REGISTER;
    case SCOPE_CELL:
        *slot = s->slot;
        return IN_CELL;
    case SCOPE_FREE:
        *slot = s->slot;
        return IN_CLOSURE;
    case SCOPE_GLOBAL_EXPLICIT:
        return IN_GLOBALS;
    default:
        return function ? IN_GLOBALS : IN_MAPPING;
    }
}

static int
is_debug(PyObject *name)
{
    return PyUnicode_GET_LENGTH(name) == 9
           && PyUnicode_CompareWithASCIIString(name, "__debug__") == 0;
}

int
_PyGen_Forbidden(Gen *g, PyObject *name, AstKind ctx)
{
    if (ctx == AST_Load || !is_debug(name)) {
        return 0;
    }
    _PyGen_Error(g, ctx == AST_Store ? "cannot assign to __debug__"
                                     : "cannot delete __debug__");
    return 1;
}

int
_PyGen_LocalReg(Gen *g, PyObject *name)
{
    return _PyGen_LocalRegFor(g, name, NULL);
}

static void mention(Gen *, AstNode *);

static void
mention_one(Gen *g, AstNode *e)
{
    if (e != NULL) {
        mention(g, e);
    }
}

static void
mention_all(Gen *g, AstSeq *seq)
{
    for (Py_ssize_t i = 0; i < seq->size; i++) {
        mention_one(g, seq->items[i]);
    }
}

/* Gives the variables of an expression their registers in the order in which the code mentions them.
   What is in a scope of its own does not count. */
static void
mention(Gen *g, AstNode *e)
{
    switch (e->kind) {
    case AST_Name:
        (void)_PyGen_LocalReg(g, AS(Name, e)->id);
        return;
    case AST_NamedExpr:
        mention(g, AS(NamedExpr, e)->value);
        mention(g, AS(NamedExpr, e)->target);
        return;
    case AST_Lambda:
        mention_all(g, AS(arguments, AS(Lambda, e)->args)->defaults);
        mention_all(g, AS(arguments, AS(Lambda, e)->args)->kw_defaults);
        return;
    case AST_Dict:
        for (Py_ssize_t i = 0; i < AS(Dict, e)->values->size; i++) {
            mention_one(g, AS(Dict, e)->keys->items[i]);
            mention_one(g, AS(Dict, e)->values->items[i]);
        }
        return;
    case AST_ListComp: case AST_SetComp: case AST_GeneratorExp:
        mention(g, AS(comprehension, AS(ListComp, e)->generators->items[0])->iter);
        return;
    case AST_DictComp:
        mention(g, AS(comprehension, AS(DictComp, e)->generators->items[0])->iter);
        return;
    default:
        break;
    }
    /* Of all others, the fields are in order. */
    for (const AstField *f = _PyAst_Kinds[e->kind].fields(); f->name != NULL; f++) {
        void *part = *(void **)((char *)e + f->offset);
        if (f->type != AST_TYPE_expr && f->type != AST_TYPE_keyword) {
            continue;
        }
        if (f->cardinality == AST_CARD_SEQ) {
            mention_all(g, part);
        }
        else {
            mention_one(g, part);
        }
    }
}

int
_PyGen_LocalRegFor(Gen *g, PyObject *name, AstNode *value)
{
    int slot;
    if (is_debug(name)) {
        return -1;      /* no variable: _PyGen_StoreName() refuses it */
    }
    PyObject *key = _PyGen_Mangle(g, name);
    if (key == NULL) {
        PyErr_Clear();
        return -1;
    }
    if (value != NULL) {
        Symbol *s = _PyScope_Find(g->u->scope, key);
        if (s != NULL && s->where == SCOPE_LOCAL && s->slot < 0) {
            mention(g, value);
        }
    }
    return place_of(g->u, key, &slot) == IN_REGISTER ? slot : -1;
}

int
_PyGen_LoadName(Gen *g, PyObject *name, int dest)
{
    int slot, index;
    PyObject *key = _PyGen_Mangle(g, name);
    if (key == NULL) {
        return -1;
    }
    Place place = place_of(g->u, key, &slot);
    if (place == IN_REGISTER) {
        EMIT(CHECK_BOUND, slot, 0, 0);
        if (dest == ANY) {
            return slot;
        }
        int reg = _PyGen_Result(g, dest, g->u->top);
        TRY(reg);
        EMIT(MOVE, reg, slot, 0);
        return reg;
    }
    int reg = _PyGen_Result(g, dest, g->u->top);
    TRY(reg);
    switch (place) {
    case IN_CELL:
        EMIT(LOAD_DEREF, reg, slot, 0);
        break;
    case IN_CLOSURE:
        if (g->u->kind == UNIT_CLASS) {
            EMIT(LOAD_CLASSDEREF, reg, slot, 0);
        }
        else {
            EMIT(LOAD_FREE, reg, slot, 0);
        }
        break;
    case IN_GLOBALS:
        TRY(index = _PyGen_NameIndex(g, key));
        EMIT_ARG(LOAD_GLOBAL, reg, 0, 0, index);
        break;
    default:
        TRY(index = _PyGen_NameIndex(g, key));
        EMIT_ARG(LOAD_NAME, reg, 0, 0, index);
        break;
    }
    return reg;
}

int
_PyGen_StoreName(Gen *g, PyObject *name, int reg)
{
    int slot, index;
    if (_PyGen_Forbidden(g, name, AST_Store)) {
        return -1;
    }
    PyObject *key = _PyGen_Mangle(g, name);
    if (key == NULL) {
        return -1;
    }
    switch (place_of(g->u, key, &slot)) {
    case IN_REGISTER:
        if (reg != slot) {
            EMIT(MOVE, slot, reg, 0);
        }
        return 0;
    case IN_CELL:
        EMIT(STORE_DEREF, slot, reg, 0);
        return 0;
    case IN_CLOSURE:
        EMIT(STORE_FREE, reg, slot, 0);
        return 0;
    case IN_GLOBALS:
        TRY(index = _PyGen_NameIndex(g, key));
        EMIT_ARG(STORE_GLOBAL, reg, 0, 0, index);
        return 0;
    default:
        TRY(index = _PyGen_NameIndex(g, key));
        EMIT_ARG(STORE_NAME, reg, 0, 0, index);
        return 0;
    }
}

int
_PyGen_DeleteName(Gen *g, PyObject *name)
{
    int slot, index;
    if (_PyGen_Forbidden(g, name, AST_Del)) {
        return -1;
    }
    PyObject *key = _PyGen_Mangle(g, name);
    if (key == NULL) {
        return -1;
    }
    switch (place_of(g->u, key, &slot)) {
    case IN_REGISTER:
        EMIT(DELETE_LOCAL, slot, 0, 0);
        return 0;
    case IN_CELL:
        EMIT(DELETE_DEREF, slot, 0, 0);
        return 0;
    case IN_CLOSURE:
        EMIT(DELETE_FREE, 0, slot, 0);
        return 0;
    case IN_GLOBALS:
        TRY(index = _PyGen_NameIndex(g, key));
        EMIT_ARG(DELETE_GLOBAL, 0, 0, 0, index);
        return 0;
    default:
        TRY(index = _PyGen_NameIndex(g, key));
        EMIT_ARG(DELETE_NAME, 0, 0, 0, index);
        return 0;
    }
}

int
_PyGen_UnbindName(Gen *g, PyObject *name)
{
    int reg = _PyGen_LocalReg(g, name);
    if (reg >= 0) {
        EMIT(CLEAR_LOCAL, reg, 0, 0);
        return 0;
    }
    int base = g->u->top;
    int none = _PyGen_Alloc(g);
    TRY(none);
    TRY(_PyGen_ConstInto(g, Py_None, none));
    TRY(_PyGen_StoreName(g, name, none));
    _PyGen_SetTop(g, base);
    return _PyGen_DeleteName(g, name);
}

int
_PyGen_PushClosure(Gen *g, PyCodeObject *code)
{
    PyObject *names = code->co_localsplusnames;
    int n = code->co_nfreevars;
    if (n == 0) {
        return 0;
    }
    int base = g->u->top;
    Py_ssize_t first = PyTuple_GET_SIZE(names) - n;
    for (int i = 0; i < n; i++) {
        int reg = _PyGen_Alloc(g);
        TRY(reg);
        PyObject *name = PyTuple_GET_ITEM(names, first + i);
        int slot = -1;
        Symbol *s = _PyScope_Find(g->u->scope, name);
        if (g->u->kind == UNIT_CLASS && g->u->scope->needs_class_closure
            && PyUnicode_CompareWithASCIIString(name, "__class__") == 0) {
            EMIT(MOVE, reg, g->u->nlocals, 0);
            continue;
        }
        if (s != NULL && s->where == SCOPE_CELL) {
            EMIT(MOVE, reg, s->slot, 0);
            continue;
        }
        for (int k = 0; k < g->u->nfrees; k++) {
            if (g->u->freenames[k] == name) {
                slot = k;
            }
        }
        if (slot < 0) {
            PyErr_Format(PyExc_SystemError,
                         "no cell for free variable %R of %R", name,
                         code->co_name);
            return -1;
        }
        EMIT(LOAD_FREE_CELL, reg, slot, 0);
    }
    _PyGen_SetTop(g, base);
    int tuple = _PyGen_Alloc(g);
    TRY(tuple);
    EMIT(BUILD_TUPLE, tuple, base, n);
    return 1;
}
