/* Statements, except those that branch. */
#include "codegen.h"
#include "internal/frontend.h"
#include "internal/names.h"

#include <string.h>

/* Evaluates an expression for its effects. */
static int
discard(Gen *g, AstNode *e)
{
    int base = g->u->top;
    int r = _PyGen_Expr(g, e, ANY);
    TRY(r);
    if (gen_is_var(g, r)) {
        EMIT(NOP, 0, 0, 0);
    }
    else {
        EMIT(DROP, r, 0, 0);
    }
    _PyGen_SetTop(g, base);
    return 0;
}

static int
stmt_expr(Gen *g, AstNode *s)
{
    AstNode *value = AS(Expr, s)->value;
    if (g->interactive && g->nesting <= 1) {
        int base = g->u->top;
        int r = _PyGen_Expr(g, value, ANY);
        TRY(r);
        EMIT(PRINT_EXPR, r, 0, 0);
        _PyGen_SetTop(g, base);
        return 0;
    }
    if (value->kind == AST_Constant) {
        EMIT(NOP, 0, 0, 0);
        return 0;
    }
    int base = g->u->top;
    int r = _PyGen_Expr(g, value, ANY);
    TRY(r);
    if (gen_is_var(g, r)) {
        gen_set_loc(g, value);
        EMIT(NOP, 0, 0, 0);
    }
    gen_no_loc(g);
    if (!gen_is_var(g, r)) {
        EMIT(DROP, r, 0, 0);
    }
    _PyGen_SetTop(g, base);
    return 0;
}

/* --------------------------------------------------------------- assignment */

static int
has_starred(AstSeq *elts)
{
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        if (elts->items[i]->kind == AST_Starred) {
            return 1;
        }
    }
    return 0;
}

/* Whether the targets are different plain local variables: then the order of the
   assignments can't be observed. */
static int
are_distinct_locals(Gen *g, AstSeq *targets)
{
    for (Py_ssize_t i = 0; i < targets->size; i++) {
        AstNode *target = targets->items[i];
        if (target->kind != AST_Name
            || _PyGen_LocalReg(g, AS(Name, target)->id) < 0) {
            return 0;
        }
        for (Py_ssize_t j = 0; j < i; j++) {
            if (AS(Name, targets->items[j])->id == AS(Name, target)->id) {
                return 0;
            }
        }
    }
    return 1;
}

/* a, b = x, y without a tuple. Constants are loaded when they are assigned, and the last
   value may be written directly to its variable. */
static int
assign_in_parallel(Gen *g, AstNode *target, AstNode *value, AstSeq *values)
{
    AstSeq *targets = AS(Tuple, target)->elts;
    int base = g->u->top;
    Py_ssize_t n = values->size, direct = -1;
    if (!g->u->scope->has_walrus && are_distinct_locals(g, targets)) {
        direct = n - 1;
        g->behind = gen_loc_of(value);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i == direct) {
            AstNode *last = targets->items[i];
            TRY(_PyGen_Expr(g, values->items[i],
                            _PyGen_LocalReg(g, AS(Name, last)->id)));
        }
        else if (values->items[i]->kind == AST_Constant) {
            TRY(_PyGen_ShowLine(g, values->items[i]));
            TRY(_PyGen_Alloc(g));
        }
        else {
            TRY(_PyGen_Push(g, values->items[i]));
        }
    }
    TRY(_PyGen_ShowLine(g, value));     /* where python3.11 makes the tuple */
    TRY(_PyGen_ShowLine(g, target));    /* and unpacks it */
    int top = g->u->top;
    SrcLoc loc = g->u->loc;
    for (Py_ssize_t i = 0; i < n; i++) {
        int reg = base + (int)i;
        AstNode *one = targets->items[i];
        if (i == direct) {
            TRY(_PyGen_ShowLine(g, one));
            continue;
        }
        if (values->items[i]->kind == AST_Constant) {
            int var = one->kind == AST_Name ? _PyGen_LocalReg(g, AS(Name, one)->id) : -1;
            gen_set_loc(g, one);
            PyObject *constant = AS(Constant, values->items[i])->value;
            TRY(reg = var >= 0 ? var : _PyGen_Alloc(g));
            TRY(_PyGen_ConstInto(g, constant, reg));
            g->u->loc = loc;
        }
        TRY(_PyGen_Store(g, one, reg));
        _PyGen_SetTop(g, top);
    }
    _PyGen_SetTop(g, base);
    return 0;
}

/* The items of a constant tuple as constants, or NULL without an exception. */
static AstSeq *
constant_items(Gen *g, AstNode *value)
{
    PyObject *tuple = AS(Constant, value)->value;
    if (!PyTuple_CheckExact(tuple)) {
        return NULL;
    }
    AstSeq *items = _PyAst_NewSeq(g->arena, PyTuple_GET_SIZE(tuple));
    for (Py_ssize_t i = 0; items != NULL && i < items->size; i++) {
        items->items[i] = AstNew_Constant(g->arena, value->pos,
                                          PyTuple_GET_ITEM(tuple, i), NULL);
        if (items->items[i] == NULL) {
            return NULL;
        }
    }
    return items;
}

/* The sequence that `target = value` can assign item by item, or NULL. */
static AstSeq *
parallel_values(Gen *g, AstNode *target, AstNode *value)
{
    if (target->kind != AST_Tuple && target->kind != AST_List) {
        return NULL;
    }
    AstSeq *values = NULL;
    if (value->kind == AST_Tuple || value->kind == AST_List) {
        values = AS(Tuple, value)->elts;
    }
    else if (value->kind == AST_Constant) {
        values = constant_items(g, value);
    }
    AstSeq *targets = AS(Tuple, target)->elts;
    if (values == NULL || values->size != targets->size || values->size == 0
        || values->size > 250 || has_starred(values) || has_starred(targets)) {
        return NULL;
    }
    return values;
}

static int
assign_one(Gen *g, AstNode *target, AstNode *value)
{
    int base = g->u->top;
    if (target->kind == AST_Name) {
        PyObject *name = AS(Name, target)->id;
        int var = _PyGen_LocalRegFor(g, name, value);
        if (var >= 0) {
            TRY(_PyGen_ExprInto(g, value, var, target));
            _PyGen_SetTop(g, base);
            return 0;
        }
    }
    AstSeq *values = parallel_values(g, target, value);
    if (values != NULL) {
        return assign_in_parallel(g, target, value, values);
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    int walrus = g->u->scope->has_walrus && _PyGen_ContainsWalrus(g, target);
    int r = _PyGen_Expr(g, value, walrus ? PUSH : ANY);
    TRY(r);
    TRY(_PyGen_Store(g, target, r));
    _PyGen_SetTop(g, base);
    return 0;
}

static int
stmt_assign(Gen *g, AstNode *s)
{
    AstSeq *targets = AS(Assign, s)->targets;
    AstNode *value = AS(Assign, s)->value;
    if (targets->size == 1) {
        return assign_one(g, targets->items[0], value);
    }
    int base = g->u->top;
    TRY(_PyGen_Push(g, value));
    for (Py_ssize_t i = 0; i < targets->size; i++) {
        int r = base;
        if (i + 1 < targets->size) {
            r = _PyGen_Alloc(g);
            TRY(r);
            EMIT(COPY, r, base, 0);
        }
        TRY(_PyGen_Store(g, targets->items[i], r));
        _PyGen_SetTop(g, base + 1);
    }
    _PyGen_SetTop(g, base);
    return 0;
}

static int
check_ann_slice(Gen *g, AstNode *e)
{
    /* An annotated subscript without a value: its parts are evaluated all the same. */
    switch (e->kind) {
    case AST_Slice:
        if (AS(Slice, e)->lower != NULL) {
            TRY(discard(g, AS(Slice, e)->lower));
        }
        if (AS(Slice, e)->upper != NULL) {
            TRY(discard(g, AS(Slice, e)->upper));
        }
        if (AS(Slice, e)->step != NULL) {
            TRY(discard(g, AS(Slice, e)->step));
        }
        return 0;
    case AST_Tuple:
        for (Py_ssize_t i = 0; i < AS(Tuple, e)->elts->size; i++) {
            TRY(check_ann_slice(g, AS(Tuple, e)->elts->items[i]));
        }
        return 0;
    default:
        return discard(g, e);
    }
}

static int
store_annotation(Gen *g, PyObject *name, AstNode *annotation)
{
    int base = g->u->top;
    int value = _PyGen_Annotation(g, annotation);
    TRY(value);
    PyObject *key = _PyGen_Mangle(g, name);
    if (key == NULL) {
        return -1;
    }
    int dict = _PyGen_LoadName(g, _Py_NAME(dunder_annotations), PUSH);
    TRY(dict);
    int index = _PyGen_PushConst(g, key);
    TRY(index);
    EMIT(STORE_SUBSCR, dict, index, value);
    _PyGen_SetTop(g, base);
    return 0;
}

static int
stmt_ann_assign(Gen *g, AstNode *s)
{
    Ast_AnnAssign *assign = AS(AnnAssign, s);
    AstNode *target = assign->target;
    int in_body = g->u->kind == UNIT_MODULE || g->u->kind == UNIT_CLASS;
    if (assign->value != NULL) {
        TRY(assign_one(g, target, assign->value));
    }
    switch (target->kind) {
    case AST_Name:
        if (_PyGen_Forbidden(g, AS(Name, target)->id, AST_Store)) {
            return -1;
        }
        if (assign->simple && in_body) {
            TRY(store_annotation(g, AS(Name, target)->id, assign->annotation));
        }
        break;
    case AST_Attribute:
        if (_PyGen_Forbidden(g, AS(Attribute, target)->attr, AST_Store)) {
            return -1;
        }
        if (assign->value == NULL) {
            TRY(discard(g, AS(Attribute, target)->value));
        }
        break;
    case AST_Subscript:
        if (assign->value == NULL) {
            TRY(discard(g, AS(Subscript, target)->value));
            TRY(check_ann_slice(g, AS(Subscript, target)->slice));
        }
        break;
    default:
        PyErr_Format(PyExc_SystemError,
                     "invalid node type (%d) for annotated assignment",
                     target->kind);
        return -1;
    }
    if (!assign->simple && in_body && !(g->flags & CO_FUTURE_ANNOTATIONS)) {
        TRY(discard(g, assign->annotation));
    }
    return 0;
}

/* ------------------------------------------------------------ raise, assert */

static int
stmt_raise(Gen *g, AstNode *s)
{
    Ast_Raise *raise = AS(Raise, s);
    int base = g->u->top, exc = 0, cause = 0, n = 0;
    if (raise->exc != NULL) {
        n = 1;
        TRY(exc = _PyGen_Operand(g, raise->exc, raise->cause));
        if (raise->cause != NULL) {
            n = 2;
            TRY(cause = _PyGen_Expr(g, raise->cause, ANY));
        }
    }
    EMIT(RAISE, exc, cause, n);
    _PyGen_SetTop(g, base);
    return 0;
}

static int
stmt_assert(Gen *g, AstNode *s)
{
    Ast_Assert *assert_ = AS(Assert, s);
    AstNode *test = assert_->test;
    int always_true = test->kind == AST_Tuple && AS(Tuple, test)->elts->size > 0;
    if (test->kind == AST_Constant) {
        PyObject *value = AS(Constant, test)->value;
        always_true = PyTuple_Check(value) && PyTuple_GET_SIZE(value) > 0;
    }
    if (always_true) {
        TRY(_PyGen_Warn(g, "assertion is always true, "
                           "perhaps remove parentheses?"));
    }
    if (g->optimize) {
        return 0;
    }
    int base = g->u->top;
    NEW_LABEL(end);
    TRY(_PyGen_JumpIf(g, test, end, 1));
    int exc = _PyGen_Alloc(g);
    TRY(exc);
    EMIT(LOAD_ASSERTION_ERROR, exc, 0, 0);
    if (assert_->msg != NULL) {
        TRY(_PyGen_Reserve(g, FRAME_WORDS - 1));
        TRY(_PyGen_Push(g, assert_->msg));
        EMIT(CALL, exc, 1, exc);
    }
    EMIT(RAISE, exc, 0, 1);
    _PyGen_Bind(g, end);
    _PyGen_SetTop(g, base);
    return 0;
}

/* ------------------------------------------------------------------- import */

/* Pushes the module. `fromlist` is borrowed. */
static int
import_name(Gen *g, PyObject *name, int level, PyObject *fromlist)
{
    int base = g->u->top;
    PyObject *number = PyLong_FromLong(level);
    if (number == NULL) {
        return -1;
    }
    int r = _PyGen_PushConst(g, number);
    Py_DECREF(number);
    TRY(r);
    TRY(_PyGen_PushConst(g, fromlist));
    int index = _PyGen_NameIndex(g, name);
    TRY(index);
    _PyGen_SetTop(g, base);
    int module = _PyGen_Alloc(g);
    TRY(module);
    EMIT_ARG(IMPORT_NAME, module, base, 0, index);
    return module;
}

static PyObject *
own_part(Gen *g, PyObject *name, Py_ssize_t from, Py_ssize_t to)
{
    PyObject *part = PyUnicode_Substring(name, from, to);
    if (part == NULL || _PyAstArena_Steal(g->arena, part) < 0) {
        return NULL;
    }
    return part;
}

/* import a.b.c as d: the attributes b and c, one after the other. */
static int
import_as(Gen *g, Ast_alias *alias, int module)
{
    Py_ssize_t n = PyUnicode_GET_LENGTH(alias->name);
    Py_ssize_t dot = PyUnicode_FindChar(alias->name, '.', 0, n, 1);
    while (dot >= 0) {
        Py_ssize_t from = dot + 1;
        dot = PyUnicode_FindChar(alias->name, '.', from, n, 1);
        PyObject *attr = own_part(g, alias->name, from, dot >= 0 ? dot : n);
        int index = attr != NULL ? _PyGen_NameIndex(g, attr) : -1;
        TRY(index);
        int next = module + 1;
        _PyGen_SetTop(g, next);
        TRY(_PyGen_Alloc(g));
        EMIT_ARG(IMPORT_FROM, next, module, 0, index);
        EMIT(DROP, module, 0, 0);
        EMIT(MOVE, module, next, 0);
    }
    return _PyGen_StoreName(g, alias->asname, module);
}

static int
stmt_import(Gen *g, AstNode *s)
{
    AstSeq *names = AS(Import, s)->names;
    int base = g->u->top;
    for (Py_ssize_t i = 0; i < names->size; i++) {
        Ast_alias *alias = AS(alias, names->items[i]);
        int module = import_name(g, alias->name, 0, Py_None);
        TRY(module);
        if (alias->asname != NULL) {
            TRY(import_as(g, alias, module));
        }
        else {
            Py_ssize_t n = PyUnicode_GET_LENGTH(alias->name);
            Py_ssize_t dot = PyUnicode_FindChar(alias->name, '.', 0, n, 1);
            PyObject *head = dot < 0 ? alias->name
                                     : own_part(g, alias->name, 0, dot);
            if (head == NULL) {
                return -1;
            }
            TRY(_PyGen_StoreName(g, head, module));
        }
        _PyGen_SetTop(g, base);
    }
    return 0;
}

static int
stmt_import_from(Gen *g, AstNode *s)
{
    Ast_ImportFrom *from = AS(ImportFrom, s);
    if (from->module != NULL && s->pos.lineno > g->future_lineno
        && PyUnicode_CompareWithASCIIString(from->module, "__future__") == 0) {
        return _PyGen_Error(g, "from __future__ imports must occur at the "
                               "beginning of the file");
    }
    PyObject *fromlist = PyTuple_New(from->names->size);
    if (fromlist == NULL) {
        return -1;
    }
    for (Py_ssize_t i = 0; i < from->names->size; i++) {
        PyObject *name = AS(alias, from->names->items[i])->name;
        PyTuple_SET_ITEM(fromlist, i, Py_NewRef(name));
    }
    PyObject *module_name = from->module ? from->module : _Py_NAME(no_text);
    int base = g->u->top;
    int module = import_name(g, module_name, from->level, fromlist);
    Py_DECREF(fromlist);
    TRY(module);
    for (Py_ssize_t i = 0; i < from->names->size; i++) {
        Ast_alias *alias = AS(alias, from->names->items[i]);
        if (i == 0 && PyUnicode_GET_LENGTH(alias->name) == 1
            && PyUnicode_READ_CHAR(alias->name, 0) == '*') {
            EMIT(IMPORT_STAR, module, 0, 0);
            _PyGen_SetTop(g, base);
            return 0;
        }
        int index = _PyGen_NameIndex(g, alias->name);
        TRY(index);
        int item = _PyGen_Alloc(g);
        TRY(item);
        EMIT_ARG(IMPORT_FROM, item, module, 0, index);
        TRY(_PyGen_StoreName(g, alias->asname ? alias->asname : alias->name,
                             item));
        _PyGen_SetTop(g, module + 1);
    }
    EMIT(DROP, module, 0, 0);
    _PyGen_SetTop(g, base);
    return 0;
}

/* --------------------------------------------------------------- the switch */

static int
stmt_delete(Gen *g, AstNode *s)
{
    AstSeq *targets = AS(Delete, s)->targets;
    for (Py_ssize_t i = 0; i < targets->size; i++) {
        TRY(_PyGen_Delete(g, targets->items[i]));
    }
    return 0;
}

static int
stmt_kind(Gen *g, AstNode *s)
{
    switch (s->kind) {
    case AST_FunctionDef: return _PyGen_Function(g, s, 0);
    case AST_AsyncFunctionDef: return _PyGen_Function(g, s, 1);
    case AST_ClassDef: return _PyGen_Class(g, s);
    case AST_Return: return _PyGen_Return(g, s);
    case AST_Delete: return stmt_delete(g, s);
    case AST_Assign: return stmt_assign(g, s);
    case AST_AugAssign: return _PyGen_AugAssign(g, s);
    case AST_AnnAssign: return stmt_ann_assign(g, s);
    case AST_For: return _PyGen_For(g, s);
    case AST_AsyncFor: return _PyGen_AsyncFor(g, s);
    case AST_While: return _PyGen_While(g, s);
    case AST_If: return _PyGen_If(g, s);
    case AST_With: return _PyGen_With(g, s, 0);
    case AST_AsyncWith: return _PyGen_With(g, s, 1);
    case AST_Match: return _PyGen_Match(g, s);
    case AST_Raise: return stmt_raise(g, s);
    case AST_Try:
    case AST_TryStar: return _PyGen_Try(g, s);
    case AST_Assert: return stmt_assert(g, s);
    case AST_Import: return stmt_import(g, s);
    case AST_ImportFrom: return stmt_import_from(g, s);
    case AST_Global:
    case AST_Nonlocal: return 0;
    case AST_Expr: return stmt_expr(g, s);
    case AST_Pass:
        EMIT(NOP, 0, 0, 0);
        return 0;
    case AST_Break: return _PyGen_BreakOrContinue(g, 1);
    case AST_Continue: return _PyGen_BreakOrContinue(g, 0);
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected statement");
        return -1;
    }
}

int
_PyGen_Stmt(Gen *g, AstNode *s)
{
    if (_PyFrontend_Deeper(&g->depth, g->limit) < 0) {
        return -1;
    }
    gen_set_loc(g, s);
    TRY(stmt_kind(g, s));
    g->depth--;
    return 0;
}

int
_PyGen_Body(Gen *g, AstSeq *body)
{
    for (Py_ssize_t i = 0; i < body->size; i++) {
        TRY(_PyGen_Stmt(g, body->items[i]));
    }
    return 0;
}

/* -------------------------------------------- bodies of modules and classes */

static int has_annotations(AstSeq *body);

static int
stmt_has_annotations(AstNode *s)
{
    switch (s->kind) {
    case AST_AnnAssign:
        return 1;
    case AST_For:
    case AST_AsyncFor:
        return has_annotations(AS(For, s)->body)
               || has_annotations(AS(For, s)->orelse);
    case AST_While:
    case AST_If:
        return has_annotations(AS(If, s)->body)
               || has_annotations(AS(If, s)->orelse);
    case AST_With:
    case AST_AsyncWith:
        return has_annotations(AS(With, s)->body);
    case AST_Try:
    case AST_TryStar:
        for (Py_ssize_t i = 0; i < AS(Try, s)->handlers->size; i++) {
            AstNode *handler = AS(Try, s)->handlers->items[i];
            if (has_annotations(AS(ExceptHandler, handler)->body)) {
                return 1;
            }
        }
        return has_annotations(AS(Try, s)->body)
               || has_annotations(AS(Try, s)->finalbody)
               || has_annotations(AS(Try, s)->orelse);
    default:
        return 0;
    }
}

static int
has_annotations(AstSeq *body)
{
    for (Py_ssize_t i = 0; i < body->size; i++) {
        if (stmt_has_annotations(body->items[i])) {
            return 1;
        }
    }
    return 0;
}

int
_PyGen_ModuleBody(Gen *g, AstSeq *body)
{
    Py_ssize_t i = 0;
    if (g->u->kind == UNIT_MODULE && body->size) {
        gen_set_loc(g, body->items[0]);
    }
    if (has_annotations(body)) {
        EMIT(SETUP_ANNOTATIONS, 0, 0, 0);
    }
    int takes_doc = g->u->kind == UNIT_CLASS || !g->interactive;
    if (body->size && g->optimize < 2 && takes_doc) {
        PyObject *doc = _PyAst_GetDocString(body);
        if (doc != NULL) {
            int base = g->u->top;
            gen_set_loc(g, AS(Expr, body->items[0])->value);
            int r = _PyGen_PushConst(g, doc);
            Py_DECREF(doc);
            TRY(r);
            gen_no_loc(g);
            TRY(_PyGen_StoreName(g, _Py_NAME(dunder_doc), r));
            _PyGen_SetTop(g, base);
            i = 1;
        }
        else if (PyErr_Occurred()) {
            return -1;
        }
    }
    for (; i < body->size; i++) {
        TRY(_PyGen_Stmt(g, body->items[i]));
    }
    return 0;
}
