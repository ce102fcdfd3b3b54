/* Walks a syntax tree and records which names each scope binds and uses. See symtable.h
   for the data, and symtable_resolve.c for how it is used. */
#include "internal/symtable.h"
#include "internal/compile.h"
#include "internal/unicode.h"
#include "internal/names.h"

#include <stdarg.h>
#include <string.h>

#define AS(kind_, node) ((Ast_##kind_ *)(node))

static int visit_expr(Symtable *, AstNode *);
static int visit_stmt(Symtable *, AstNode *);
static int visit_pattern(Symtable *, AstNode *);

/* ------------------------------------------------------------ errors, names */

int
_PyFrontend_SyntaxError(PyObject *filename, const AstPos *pos,
                        const char *format, ...)
{
    va_list vargs;
    va_start(vargs, format);
    PyErr_FormatV(PyExc_SyntaxError, format, vargs);
    va_end(vargs);
    PyErr_RangedSyntaxLocationObject(filename, pos->lineno,
                                     pos->col_offset + 1, pos->end_lineno,
                                     pos->end_col_offset + 1);
    return -1;
}

int
_PyFrontend_DepthLimit(void)
{
    PyThreadState *tstate = _PyThreadState_GET();
    int left = tstate->recursion_limit - _PyThreadState_RecursionDepth(tstate);
    return left > INT_MAX / 3 ? INT_MAX : left * 3;
}

int
_PyFrontend_TooDeep(const char *what)
{
    PyErr_Format(PyExc_RecursionError, "maximum recursion depth exceeded during %s", what);
    return -1;
}

PyObject *
_PyFrontend_Name(AstArena *arena, PyObject *private_name, PyObject *name)
{
    int plain = private_name == NULL || PyUnicode_GET_LENGTH(name) < 3
                || PyUnicode_READ_CHAR(name, 0) != '_'
                || PyUnicode_READ_CHAR(name, 1) != '_';
    if (plain && PyUnicode_CHECK_INTERNED(name)) {
        return name;
    }
    PyObject *own;
    if (PyUnicode_CheckExact(name)) {
        own = _Py_Mangle(private_name, name);
    }
    else {
        PyObject *exact = PyUnicode_FromObject(name);
        if (exact == NULL) {
            return NULL;
        }
        own = _Py_Mangle(private_name, exact);
        Py_DECREF(exact);
    }
    if (own == NULL) {
        return NULL;
    }
    PyUnicode_InternInPlace(&own);
    if (own == name) {
        Py_DECREF(own);
        return name;
    }
    if (_PyAstArena_Steal(arena, own) < 0) {
        return NULL;
    }
    return own;
}

/* ------------------------------------------------------------------- scopes */

static inline size_t
address_hash(const void *p)
{
    uintptr_t x = (uintptr_t)p >> 4;
    return (size_t)(x ^ (x >> 9));
}

/* Makes room for one more item in an array in the arena. */
static void *
room_for_one(AstArena *arena, void *array, int n, int *cap, size_t size)
{
    if (n < *cap) {
        return array;
    }
    int bigger = *cap ? *cap * 2 : 4;
    void *mem = _PyAstArena_Alloc(arena, (size_t)bigger * size);
    if (mem != NULL) {
        if (n) {
            memcpy(mem, array, (size_t)n * size);
        }
        *cap = bigger;
    }
    return mem;
}

Symbol *
_PyScope_Find(Scope *scope, PyObject *name)
{
    if (scope->table == NULL) {
        for (int i = 0; i < scope->nsymbols; i++) {
            if (scope->symbols[i].name == name) {
                return &scope->symbols[i];
            }
        }
        return NULL;
    }
    size_t i = address_hash(name);
    for (;; i++) {
        int32_t index = scope->table[i & (size_t)scope->table_mask];
        if (index == 0) {
            return NULL;
        }
        if (scope->symbols[index - 1].name == name) {
            return &scope->symbols[index - 1];
        }
    }
}

static void
index_symbol(Scope *scope, int index)
{
    size_t i = address_hash(scope->symbols[index].name);
    while (scope->table[i & (size_t)scope->table_mask]) {
        i++;
    }
    scope->table[i & (size_t)scope->table_mask] = index + 1;
}

static int
rebuild_index(Symtable *st, Scope *scope, int size)
{
    size_t bytes = (size_t)size * sizeof(int32_t);
    int32_t *table = _PyAstArena_Alloc(st->arena, bytes);
    if (table == NULL) {
        return -1;
    }
    memset(table, 0, bytes);
    scope->table = table;
    scope->table_mask = size - 1;
    for (int i = 0; i < scope->nsymbols; i++) {
        index_symbol(scope, i);
    }
    return 0;
}

Symbol *
_PyScope_Add(Symtable *st, Scope *scope, PyObject *name)
{
    Symbol *found = _PyScope_Find(scope, name);
    if (found != NULL) {
        return found;
    }
    Symbol *symbols = room_for_one(st->arena, scope->symbols, scope->nsymbols,
                                   &scope->capsymbols, sizeof(Symbol));
    if (symbols == NULL) {
        return NULL;
    }
    scope->symbols = symbols;
    int index = scope->nsymbols++;
    symbols[index] = (Symbol){.name = name, .slot = -1};
    if (scope->table != NULL && scope->nsymbols * 2 <= scope->table_mask) {
        index_symbol(scope, index);
    }
    else if (scope->nsymbols > 8) {
        int size = scope->table ? (scope->table_mask + 1) * 2 : 32;
        if (rebuild_index(st, scope, size) < 0) {
            return NULL;
        }
    }
    return &symbols[index];
}

Scope *
_PySymtable_Find(Symtable *st, const void *node)
{
    for (size_t i = address_hash(node);; i++) {
        Scope *scope = st->by_node[i & (size_t)st->node_mask];
        if (scope == NULL || scope->node == node) {
            return scope;
        }
    }
}

static int
register_scope(Symtable *st, Scope *scope)
{
    if (st->by_node == NULL || st->nscopes * 2 > st->node_mask) {
        int size = st->by_node ? (st->node_mask + 1) * 2 : 64;
        Scope **table = PyMem_Calloc((size_t)size, sizeof(Scope *));
        if (table == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        for (int k = 0; st->by_node && k <= st->node_mask; k++) {
            if (st->by_node[k] != NULL) {
                size_t i = address_hash(st->by_node[k]->node);
                while (table[i & (size_t)(size - 1)]) {
                    i++;
                }
                table[i & (size_t)(size - 1)] = st->by_node[k];
            }
        }
        PyMem_Free(st->by_node);
        st->by_node = table;
        st->node_mask = size - 1;
    }
    size_t i = address_hash(scope->node);
    while (st->by_node[i & (size_t)st->node_mask]) {
        i++;
    }
    st->by_node[i & (size_t)st->node_mask] = scope;
    st->nscopes++;
    return 0;
}

static Scope *
enter_scope(Symtable *st, PyObject *name, ScopeKind kind, const void *node,
            const AstPos *pos)
{
    Scope *scope = _PyAstArena_Alloc(st->arena, sizeof(Scope));
    if (scope == NULL) {
        return NULL;
    }
    memset(scope, 0, sizeof(*scope));
    scope->kind = kind;
    scope->node = node;
    scope->name = name;
    scope->pos = *pos;
    scope->parent = st->cur;
    Scope *up = st->cur;
    if (up != NULL) {
        scope->nested = up->nested || up->kind == FUNCTION_SCOPE;
        scope->comp_iter_expr = up->comp_iter_expr;
    }
    if (kind != ANNOTATION_SCOPE) {
        if (up != NULL) {
            Scope **children = room_for_one(st->arena, up->children,
                                            up->nchildren, &up->capchildren,
                                            sizeof(Scope *));
            if (children == NULL) {
                return NULL;
            }
            up->children = children;
            children[up->nchildren++] = scope;
        }
        if (register_scope(st, scope) < 0) {
            return NULL;
        }
    }
    st->cur = scope;
    return scope;
}

static void
leave_scope(Symtable *st)
{
    st->cur = st->cur->parent;
}

static PyObject *
mangled(Symtable *st, PyObject *name)
{
    return _PyFrontend_Name(st->arena, st->private_name, name);
}

static uint32_t
flags_of(Symtable *st, Scope *scope, PyObject *name)
{
    PyObject *key = mangled(st, name);
    Symbol *symbol = key ? _PyScope_Find(scope, key) : NULL;
    return symbol ? symbol->flags : 0;
}

static int
add_def_in(Symtable *st, Scope *scope, PyObject *name, uint32_t flag,
           const AstPos *pos)
{
    PyObject *key = mangled(st, name);
    if (key == NULL) {
        return -1;
    }
    Symbol *symbol = _PyScope_Add(st, scope, key);
    if (symbol == NULL) {
        return -1;
    }
    if ((flag & DEF_PARAM) && (symbol->flags & DEF_PARAM)) {
        return _PyFrontend_SyntaxError(
            st->filename, pos,
            "duplicate argument '%U' in function definition", name);
    }
    symbol->flags |= flag;
    symbol->mentioned |= flag != (DEF_ANNOT | DEF_LOCAL);
    if (scope->comp_iter_target) {
        if (symbol->flags & (DEF_GLOBAL | DEF_NONLOCAL)) {
            return _PyFrontend_SyntaxError(
                st->filename, pos,
                "comprehension inner loop cannot rebind assignment "
                "expression target '%U'", name);
        }
        symbol->flags |= DEF_COMP_ITER;
    }
    if (flag & DEF_PARAM) {
        PyObject **params = room_for_one(st->arena, scope->params,
                                         scope->nparams, &scope->capparams,
                                         sizeof(PyObject *));
        if (params == NULL) {
            return -1;
        }
        scope->params = params;
        params[scope->nparams++] = key;
    }
    else if ((flag & DEF_GLOBAL) && scope != st->top) {
        Symbol *global = _PyScope_Add(st, st->top, key);
        if (global == NULL) {
            return -1;
        }
        global->flags |= flag;
    }
    return 0;
}

static int
add_def(Symtable *st, PyObject *name, uint32_t flag, const AstPos *pos)
{
    return add_def_in(st, st->cur, name, flag, pos);
}

static int
add_directive(Symtable *st, PyObject *name, const AstPos *pos)
{
    Scope *scope = st->cur;
    PyObject *key = mangled(st, name);
    void *array = key == NULL ? NULL
        : room_for_one(st->arena, scope->directives, scope->ndirectives,
                       &scope->capdirectives, sizeof(*scope->directives));
    if (array == NULL) {
        return -1;
    }
    scope->directives = array;
    scope->directives[scope->ndirectives].name = key;
    scope->directives[scope->ndirectives++].pos = *pos;
    return 0;
}

/* -------------------------------------------------------------- expressions */

#define VISIT(what, node) \
    do { \
        if (visit_##what(st, (node)) < 0) { \
            return -1; \
        } \
    } while (0)
#define VISIT_OPT(what, node) \
    do { \
        if ((node) != NULL) { \
            VISIT(what, node); \
        } \
    } while (0)
#define VISIT_SEQ(what, seq) \
    do { \
        for (Py_ssize_t i_ = 0; i_ < (seq)->size; i_++) { \
            VISIT_OPT(what, (seq)->items[i_]); \
        } \
    } while (0)

static int
not_in_annotation(Symtable *st, const char *what, AstNode *e)
{
    if (st->cur->kind != ANNOTATION_SCOPE) {
        return 0;
    }
    return _PyFrontend_SyntaxError(
        st->filename, &e->pos, "'%s' can not be used within an annotation", what);
}

/* The target of an assignment expression inside a comprehension belongs to the scope
   around all the comprehensions. */
static int
bind_outside_comprehensions(Symtable *st, AstNode *target)
{
    PyObject *name = AS(Name, target)->id;
    for (Scope *scope = st->cur; scope != NULL; scope = scope->parent) {
        uint32_t flags = flags_of(st, scope, name);
        if (scope->comprehension != NOT_COMPREHENSION) {
            if ((flags & DEF_COMP_ITER) && (flags & (DEF_LOCAL | DEF_GLOBAL))) {
                return _PyFrontend_SyntaxError(
                    st->filename, &target->pos,
                    "assignment expression cannot rebind comprehension "
                    "iteration variable '%U'", name);
            }
            continue;
        }
        uint32_t how;
        switch (scope->kind) {
        case FUNCTION_SCOPE:
            how = flags & DEF_GLOBAL ? DEF_GLOBAL : DEF_NONLOCAL;
            if (add_def(st, name, how, &target->pos) < 0
                || add_directive(st, name, &target->pos) < 0) {
                return -1;
            }
            return add_def_in(st, scope, name, DEF_LOCAL, &target->pos);
        case MODULE_SCOPE:
            if (add_def(st, name, DEF_GLOBAL, &target->pos) < 0
                || add_directive(st, name, &target->pos) < 0) {
                return -1;
            }
            return add_def_in(st, scope, name, DEF_GLOBAL, &target->pos);
        case CLASS_SCOPE:
            return _PyFrontend_SyntaxError(
                st->filename, &target->pos,
                "assignment expression within a comprehension cannot be used "
                "in a class body");
        case ANNOTATION_SCOPE:
            break;
        }
    }
    return 0;
}

static int
visit_named_expr(Symtable *st, AstNode *e)
{
    Ast_NamedExpr *named = AS(NamedExpr, e);
    if (st->cur->comp_iter_expr > 0) {
        return _PyFrontend_SyntaxError(
            st->filename, &e->pos,
            "assignment expression cannot be used in a comprehension iterable "
            "expression");
    }
    if (st->cur->comprehension != NOT_COMPREHENSION
        && bind_outside_comprehensions(st, named->target) < 0) {
        return -1;
    }
    st->cur->has_walrus = 1;
    VISIT(expr, named->value);
    VISIT(expr, named->target);
    return 0;
}

static int
visit_comp_target(Symtable *st, AstNode *target)
{
    st->cur->comp_iter_target = 1;
    int rc = visit_expr(st, target);
    st->cur->comp_iter_target = 0;
    return rc;
}

static int
visit_comp_iter(Symtable *st, AstNode *iter)
{
    st->cur->comp_iter_expr++;
    int rc = visit_expr(st, iter);
    st->cur->comp_iter_expr--;
    return rc;
}

static int
visit_comprehension(Symtable *st, AstNode *e, ComprehensionKind kind,
                    AstSeq *generators, AstNode *elt, AstNode *value)
{
    PyObject *name = kind == LIST_COMPREHENSION ? _Py_NAME(scope_listcomp)
                     : kind == SET_COMPREHENSION ? _Py_NAME(scope_setcomp)
                     : kind == DICT_COMPREHENSION ? _Py_NAME(scope_dictcomp)
                     : _Py_NAME(scope_genexpr);
    Ast_comprehension *first = AS(comprehension, generators->items[0]);
    if (visit_comp_iter(st, first->iter) < 0) {
        return -1;
    }
    Scope *scope = enter_scope(st, name, FUNCTION_SCOPE, e, &e->pos);
    if (scope == NULL) {
        return -1;
    }
    scope->comprehension = kind;
    scope->coroutine = first->is_async;
    if (add_def(st, _Py_NAME(dot_zero), DEF_PARAM, &e->pos) < 0
        || visit_comp_target(st, first->target) < 0) {
        return -1;
    }
    VISIT_SEQ(expr, first->ifs);
    for (Py_ssize_t i = 1; i < generators->size; i++) {
        Ast_comprehension *gen = AS(comprehension, generators->items[i]);
        if (visit_comp_target(st, gen->target) < 0
            || visit_comp_iter(st, gen->iter) < 0) {
            return -1;
        }
        VISIT_SEQ(expr, gen->ifs);
        if (gen->is_async) {
            scope->coroutine = 1;
        }
    }
    VISIT_OPT(expr, value);
    VISIT(expr, elt);
    scope->generator = kind == GENERATOR_EXPRESSION;
    int is_async = scope->coroutine && !scope->generator;
    leave_scope(st);
    if (is_async) {
        st->cur->coroutine = 1;
    }
    return 0;
}

static int
visit_yield(Symtable *st, AstNode *e, AstNode *value)
{
    static const char *const messages[] = {
        [LIST_COMPREHENSION] = "'yield' inside list comprehension",
        [SET_COMPREHENSION] = "'yield' inside set comprehension",
        [DICT_COMPREHENSION] = "'yield' inside dict comprehension",
        [GENERATOR_EXPRESSION] = "'yield' inside generator expression",
    };
    if (not_in_annotation(st, "yield expression", e) < 0) {
        return -1;
    }
    VISIT_OPT(expr, value);
    st->cur->generator = 1;
    if (st->cur->comprehension != NOT_COMPREHENSION) {
        return _PyFrontend_SyntaxError(st->filename, &e->pos, "%s",
                                       messages[st->cur->comprehension]);
    }
    return 0;
}

static int
visit_name(Symtable *st, AstNode *e)
{
    Ast_Name *name = AS(Name, e);
    uint32_t flag = name->ctx == AST_Load ? USE : DEF_LOCAL;
    if (add_def(st, name->id, flag, &e->pos) < 0) {
        return -1;
    }
    if (name->ctx == AST_Load && st->cur->kind == FUNCTION_SCOPE
        && PyUnicode_GET_LENGTH(name->id) == 5
        && PyUnicode_CompareWithASCIIString(name->id, "super") == 0) {
        return add_def(st, _Py_NAME(dunder_class), USE, &e->pos);
    }
    return 0;
}

static int visit_arguments_outside(Symtable *, Ast_arguments *);
static int visit_params(Symtable *, Ast_arguments *);

static int
visit_lambda(Symtable *st, AstNode *e)
{
    Ast_Lambda *lambda = AS(Lambda, e);
    Ast_arguments *args = AS(arguments, lambda->args);
    if (visit_arguments_outside(st, args) < 0) {
        return -1;
    }
    if (enter_scope(st, _Py_NAME(scope_lambda), FUNCTION_SCOPE, e,
                    &e->pos) == NULL
        || visit_params(st, args) < 0) {
        return -1;
    }
    VISIT(expr, lambda->body);
    leave_scope(st);
    return 0;
}

static int
visit_keywords(Symtable *st, AstSeq *keywords)
{
    for (Py_ssize_t i = 0; i < keywords->size; i++) {
        VISIT(expr, AS(keyword, keywords->items[i])->value);
    }
    return 0;
}

static int
visit_expr_kind(Symtable *st, AstNode *e)
{
    switch (e->kind) {
    case AST_BoolOp:
        VISIT_SEQ(expr, AS(BoolOp, e)->values);
        return 0;
    case AST_NamedExpr:
        if (not_in_annotation(st, "named expression", e) < 0) {
            return -1;
        }
        return visit_named_expr(st, e);
    case AST_BinOp:
        VISIT(expr, AS(BinOp, e)->left);
        VISIT(expr, AS(BinOp, e)->right);
        return 0;
    case AST_UnaryOp:
        return visit_expr(st, AS(UnaryOp, e)->operand);
    case AST_Lambda:
        return visit_lambda(st, e);
    case AST_IfExp:
        VISIT(expr, AS(IfExp, e)->test);
        VISIT(expr, AS(IfExp, e)->body);
        VISIT(expr, AS(IfExp, e)->orelse);
        return 0;
    case AST_Dict:
        VISIT_SEQ(expr, AS(Dict, e)->keys);
        VISIT_SEQ(expr, AS(Dict, e)->values);
        return 0;
    case AST_Set:
        VISIT_SEQ(expr, AS(Set, e)->elts);
        return 0;
    case AST_ListComp:
        return visit_comprehension(st, e, LIST_COMPREHENSION,
                                   AS(ListComp, e)->generators,
                                   AS(ListComp, e)->elt, NULL);
    case AST_SetComp:
        return visit_comprehension(st, e, SET_COMPREHENSION,
                                   AS(SetComp, e)->generators,
                                   AS(SetComp, e)->elt, NULL);
    case AST_DictComp:
        return visit_comprehension(st, e, DICT_COMPREHENSION,
                                   AS(DictComp, e)->generators,
                                   AS(DictComp, e)->key, AS(DictComp, e)->value);
    case AST_GeneratorExp:
        return visit_comprehension(st, e, GENERATOR_EXPRESSION,
                                   AS(GeneratorExp, e)->generators,
                                   AS(GeneratorExp, e)->elt, NULL);
    case AST_Await:
        if (not_in_annotation(st, "await expression", e) < 0) {
            return -1;
        }
        VISIT(expr, AS(Await, e)->value);
        st->cur->coroutine = 1;
        return 0;
    case AST_Yield:
        return visit_yield(st, e, AS(Yield, e)->value);
    case AST_YieldFrom:
        return visit_yield(st, e, AS(YieldFrom, e)->value);
    case AST_Compare:
        VISIT(expr, AS(Compare, e)->left);
        VISIT_SEQ(expr, AS(Compare, e)->comparators);
        return 0;
    case AST_Call:
        VISIT(expr, AS(Call, e)->func);
        VISIT_SEQ(expr, AS(Call, e)->args);
        return visit_keywords(st, AS(Call, e)->keywords);
    case AST_FormattedValue:
        VISIT(expr, AS(FormattedValue, e)->value);
        VISIT_OPT(expr, AS(FormattedValue, e)->format_spec);
        return 0;
    case AST_JoinedStr:
        VISIT_SEQ(expr, AS(JoinedStr, e)->values);
        return 0;
    case AST_Constant:
        return 0;
    case AST_Attribute:
        return visit_expr(st, AS(Attribute, e)->value);
    case AST_Subscript:
        VISIT(expr, AS(Subscript, e)->value);
        return visit_expr(st, AS(Subscript, e)->slice);
    case AST_Starred:
        return visit_expr(st, AS(Starred, e)->value);
    case AST_Slice:
        VISIT_OPT(expr, AS(Slice, e)->lower);
        VISIT_OPT(expr, AS(Slice, e)->upper);
        VISIT_OPT(expr, AS(Slice, e)->step);
        return 0;
    case AST_Name:
        return visit_name(st, e);
    case AST_List:
        VISIT_SEQ(expr, AS(List, e)->elts);
        return 0;
    case AST_Tuple:
        VISIT_SEQ(expr, AS(Tuple, e)->elts);
        return 0;
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected expression");
        return -1;
    }
}

static int
visit_expr(Symtable *st, AstNode *e)
{
    if (_PyFrontend_Deeper(&st->depth, st->limit) < 0) {
        return -1;
    }
    int rc = visit_expr_kind(st, e);
    st->depth--;
    return rc;
}

/* ----------------------------------------------- parameters and annotations */

/* Defaults belong to the scope around a function. */
static int
visit_arguments_outside(Symtable *st, Ast_arguments *args)
{
    VISIT_SEQ(expr, args->defaults);
    VISIT_SEQ(expr, args->kw_defaults);
    return 0;
}

static int
visit_annotation(Symtable *st, AstNode *annotation)
{
    if (!st->future_annotations) {
        return visit_expr(st, annotation);
    }
    if (enter_scope(st, _Py_NAME(scope_annotation), ANNOTATION_SCOPE,
                    annotation, &annotation->pos) == NULL) {
        return -1;
    }
    VISIT(expr, annotation);
    leave_scope(st);
    return 0;
}

static int
visit_arg_annotation(Symtable *st, AstNode *arg)
{
    VISIT_OPT(annotation, AS(arg, arg)->annotation);
    return 0;
}

static int
visit_annotations(Symtable *st, Ast_arguments *args, AstNode *returns)
{
    VISIT_SEQ(arg_annotation, args->posonlyargs);
    VISIT_SEQ(arg_annotation, args->args);
    VISIT_OPT(arg_annotation, args->vararg);
    VISIT_OPT(arg_annotation, args->kwarg);
    VISIT_SEQ(arg_annotation, args->kwonlyargs);
    VISIT_OPT(annotation, returns);
    return 0;
}

static int
visit_param(Symtable *st, AstNode *arg)
{
    return add_def(st, AS(arg, arg)->arg, DEF_PARAM, &arg->pos);
}

static int
visit_params(Symtable *st, Ast_arguments *args)
{
    VISIT_SEQ(param, args->posonlyargs);
    VISIT_SEQ(param, args->args);
    VISIT_SEQ(param, args->kwonlyargs);
    if (args->vararg != NULL) {
        VISIT(param, args->vararg);
        st->cur->varargs = 1;
    }
    if (args->kwarg != NULL) {
        VISIT(param, args->kwarg);
        st->cur->varkeywords = 1;
    }
    return 0;
}

/* --------------------------------------------------------------- statements */

static int
visit_function(Symtable *st, AstNode *s)
{
    Ast_FunctionDef *def = AS(FunctionDef, s);
    Ast_arguments *args = AS(arguments, def->args);
    if (add_def(st, def->name, DEF_LOCAL, &s->pos) < 0
        || visit_arguments_outside(st, args) < 0
        || visit_annotations(st, args, def->returns) < 0) {
        return -1;
    }
    VISIT_SEQ(expr, def->decorator_list);
    Scope *scope = enter_scope(st, def->name, FUNCTION_SCOPE, s, &s->pos);
    if (scope == NULL || visit_params(st, args) < 0) {
        return -1;
    }
    if (s->kind == AST_AsyncFunctionDef) {
        scope->coroutine = 1;
    }
    VISIT_SEQ(stmt, def->body);
    leave_scope(st);
    return 0;
}

static int
visit_class(Symtable *st, AstNode *s)
{
    Ast_ClassDef *def = AS(ClassDef, s);
    if (add_def(st, def->name, DEF_LOCAL, &s->pos) < 0) {
        return -1;
    }
    VISIT_SEQ(expr, def->bases);
    if (visit_keywords(st, def->keywords) < 0) {
        return -1;
    }
    VISIT_SEQ(expr, def->decorator_list);
    if (enter_scope(st, def->name, CLASS_SCOPE, s, &s->pos) == NULL) {
        return -1;
    }
    PyObject *outer = st->private_name;
    st->private_name = def->name;
    VISIT_SEQ(stmt, def->body);
    st->private_name = outer;
    leave_scope(st);
    return 0;
}

static int
visit_ann_assign(Symtable *st, AstNode *s)
{
    Ast_AnnAssign *assign = AS(AnnAssign, s);
    if (assign->target->kind == AST_Name) {
        PyObject *name = AS(Name, assign->target)->id;
        uint32_t flags = flags_of(st, st->cur, name);
        if ((flags & (DEF_GLOBAL | DEF_NONLOCAL)) && st->cur != st->top
            && assign->simple) {
            return _PyFrontend_SyntaxError(
                st->filename, &s->pos, "annotated name '%U' can't be %s", name,
                flags & DEF_GLOBAL ? "global" : "nonlocal");
        }
        if (assign->simple) {
            if (add_def(st, name, DEF_ANNOT | DEF_LOCAL,
                        &assign->target->pos) < 0) {
                return -1;
            }
        }
        if (assign->value
            && add_def(st, name, DEF_LOCAL, &assign->target->pos) < 0) {
            return -1;
        }
    }
    else {
        VISIT(expr, assign->target);
    }
    VISIT(annotation, assign->annotation);
    VISIT_OPT(expr, assign->value);
    return 0;
}

static int
visit_directive(Symtable *st, AstNode *s, AstNameSeq *names, uint32_t flag)
{
    const char *what = flag == DEF_GLOBAL ? "global" : "nonlocal";
    for (Py_ssize_t i = 0; i < names->size; i++) {
        PyObject *name = names->items[i];
        uint32_t flags = flags_of(st, st->cur, name);
        const char *message = NULL;
        if (flags & DEF_PARAM) {
            message = "name '%U' is parameter and %s";
        }
        else if (flags & USE) {
            message = "name '%U' is used prior to %s declaration";
        }
        else if (flags & DEF_ANNOT) {
            message = "annotated name '%U' can't be %s";
        }
        else if (flags & DEF_LOCAL) {
            message = "name '%U' is assigned to before %s declaration";
        }
        if (message != NULL) {
            return _PyFrontend_SyntaxError(st->filename, &s->pos, message,
                                           name, what);
        }
        if (add_def(st, name, flag, &s->pos) < 0
            || add_directive(st, name, &s->pos) < 0) {
            return -1;
        }
    }
    return 0;
}

static int
visit_alias(Symtable *st, AstNode *node)
{
    Ast_alias *alias = AS(alias, node);
    PyObject *name = alias->asname ? alias->asname : alias->name;
    Py_ssize_t n = PyUnicode_GET_LENGTH(name);
    if (alias->asname == NULL && n == 1
        && PyUnicode_READ_CHAR(name, 0) == '*') {
        if (st->cur->kind != MODULE_SCOPE) {
            return _PyFrontend_SyntaxError(
                st->filename, &node->pos,
                "import * only allowed at module level");
        }
        return 0;
    }
    Py_ssize_t dot = alias->asname ? -1 : PyUnicode_FindChar(name, '.', 0, n, 1);
    if (dot < 0) {
        return add_def(st, name, DEF_IMPORT, &node->pos);
    }
    PyObject *head = PyUnicode_Substring(name, 0, dot);
    if (head == NULL || _PyAstArena_Steal(st->arena, head) < 0) {
        return -1;
    }
    return add_def(st, head, DEF_IMPORT, &node->pos);
}

static int
visit_withitem(Symtable *st, AstNode *node)
{
    VISIT(expr, AS(withitem, node)->context_expr);
    VISIT_OPT(expr, AS(withitem, node)->optional_vars);
    return 0;
}

static int
visit_handler(Symtable *st, AstNode *node)
{
    Ast_ExceptHandler *handler = AS(ExceptHandler, node);
    VISIT_OPT(expr, handler->type);
    if (handler->name != NULL
        && add_def(st, handler->name, DEF_LOCAL, &node->pos) < 0) {
        return -1;
    }
    VISIT_SEQ(stmt, handler->body);
    return 0;
}

static int
visit_case(Symtable *st, AstNode *node)
{
    VISIT(pattern, AS(match_case, node)->pattern);
    VISIT_OPT(expr, AS(match_case, node)->guard);
    VISIT_SEQ(stmt, AS(match_case, node)->body);
    return 0;
}

static int
visit_pattern_kind(Symtable *st, AstNode *p)
{
    switch (p->kind) {
    case AST_MatchValue:
        return visit_expr(st, AS(MatchValue, p)->value);
    case AST_MatchSingleton:
        return 0;
    case AST_MatchSequence:
        VISIT_SEQ(pattern, AS(MatchSequence, p)->patterns);
        return 0;
    case AST_MatchStar:
        if (AS(MatchStar, p)->name) {
            return add_def(st, AS(MatchStar, p)->name, DEF_LOCAL, &p->pos);
        }
        return 0;
    case AST_MatchMapping:
        VISIT_SEQ(expr, AS(MatchMapping, p)->keys);
        VISIT_SEQ(pattern, AS(MatchMapping, p)->patterns);
        if (AS(MatchMapping, p)->rest) {
            return add_def(st, AS(MatchMapping, p)->rest, DEF_LOCAL, &p->pos);
        }
        return 0;
    case AST_MatchClass:
        VISIT(expr, AS(MatchClass, p)->cls);
        VISIT_SEQ(pattern, AS(MatchClass, p)->patterns);
        VISIT_SEQ(pattern, AS(MatchClass, p)->kwd_patterns);
        return 0;
    case AST_MatchAs:
        VISIT_OPT(pattern, AS(MatchAs, p)->pattern);
        if (AS(MatchAs, p)->name) {
            return add_def(st, AS(MatchAs, p)->name, DEF_LOCAL, &p->pos);
        }
        return 0;
    case AST_MatchOr:
        VISIT_SEQ(pattern, AS(MatchOr, p)->patterns);
        return 0;
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected pattern");
        return -1;
    }
}

static int
visit_pattern(Symtable *st, AstNode *p)
{
    if (_PyFrontend_Deeper(&st->depth, st->limit) < 0) {
        return -1;
    }
    int rc = visit_pattern_kind(st, p);
    st->depth--;
    return rc;
}

static int
visit_loop(Symtable *st, AstNode *s)
{
    Ast_For *loop = AS(For, s);
    VISIT(expr, loop->target);
    VISIT(expr, loop->iter);
    VISIT_SEQ(stmt, loop->body);
    VISIT_SEQ(stmt, loop->orelse);
    return 0;
}

/* `async for` and `async with` outside functions: where the flags allow them, the module
   runs as a coroutine. */
static void
top_level_await(Symtable *st)
{
    if (st->cur->kind == MODULE_SCOPE) {
        st->cur->coroutine = 1;
    }
}

static int
visit_stmt_kind(Symtable *st, AstNode *s)
{
    switch (s->kind) {
    case AST_FunctionDef:
    case AST_AsyncFunctionDef:
        return visit_function(st, s);
    case AST_ClassDef:
        return visit_class(st, s);
    case AST_Return:
        if (AS(Return, s)->value) {
            st->cur->returns_value = 1;
            return visit_expr(st, AS(Return, s)->value);
        }
        return 0;
    case AST_Delete:
        VISIT_SEQ(expr, AS(Delete, s)->targets);
        return 0;
    case AST_Assign:
        VISIT_SEQ(expr, AS(Assign, s)->targets);
        return visit_expr(st, AS(Assign, s)->value);
    case AST_AugAssign:
        VISIT(expr, AS(AugAssign, s)->target);
        return visit_expr(st, AS(AugAssign, s)->value);
    case AST_AnnAssign:
        return visit_ann_assign(st, s);
    case AST_AsyncFor:
        top_level_await(st);
        return visit_loop(st, s);
    case AST_For:
        return visit_loop(st, s);
    case AST_While:
    case AST_If:
        VISIT(expr, AS(If, s)->test);
        VISIT_SEQ(stmt, AS(If, s)->body);
        VISIT_SEQ(stmt, AS(If, s)->orelse);
        return 0;
    case AST_AsyncWith:
        top_level_await(st);
        /* fall through */
    case AST_With:
        VISIT_SEQ(withitem, AS(With, s)->items);
        VISIT_SEQ(stmt, AS(With, s)->body);
        return 0;
    case AST_Match:
        VISIT(expr, AS(Match, s)->subject);
        VISIT_SEQ(case, AS(Match, s)->cases);
        return 0;
    case AST_Raise:
        VISIT_OPT(expr, AS(Raise, s)->exc);
        VISIT_OPT(expr, AS(Raise, s)->cause);
        return 0;
    case AST_Try:
    case AST_TryStar:
        VISIT_SEQ(stmt, AS(Try, s)->body);
        VISIT_SEQ(stmt, AS(Try, s)->orelse);
        VISIT_SEQ(handler, AS(Try, s)->handlers);
        VISIT_SEQ(stmt, AS(Try, s)->finalbody);
        return 0;
    case AST_Assert:
        VISIT(expr, AS(Assert, s)->test);
        VISIT_OPT(expr, AS(Assert, s)->msg);
        return 0;
    case AST_Import:
        VISIT_SEQ(alias, AS(Import, s)->names);
        return 0;
    case AST_ImportFrom:
        VISIT_SEQ(alias, AS(ImportFrom, s)->names);
        return 0;
    case AST_Global:
        return visit_directive(st, s, AS(Global, s)->names, DEF_GLOBAL);
    case AST_Nonlocal:
        return visit_directive(st, s, AS(Nonlocal, s)->names, DEF_NONLOCAL);
    case AST_Expr:
        return visit_expr(st, AS(Expr, s)->value);
    case AST_Pass:
    case AST_Break:
    case AST_Continue:
        return 0;
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected statement");
        return -1;
    }
}

static int
visit_stmt(Symtable *st, AstNode *s)
{
    if (_PyFrontend_Deeper(&st->depth, st->limit) < 0) {
        return -1;
    }
    int rc = visit_stmt_kind(st, s);
    st->depth--;
    return rc;
}

static int
visit_mod(Symtable *st, AstNode *mod)
{
    switch (mod->kind) {
    case AST_Module:
        VISIT_SEQ(stmt, AS(Module, mod)->body);
        return 0;
    case AST_Interactive:
        VISIT_SEQ(stmt, AS(Interactive, mod)->body);
        return 0;
    case AST_Expression:
        return visit_expr(st, AS(Expression, mod)->body);
    default:
        PyErr_SetString(PyExc_RuntimeError,
                        "this compiler does not handle FunctionTypes");
        return -1;
    }
}

int
_PySymtable_Build(Symtable *st, AstNode *mod, PyObject *filename,
                  int future_features, AstArena *arena)
{
    memset(st, 0, sizeof(*st));
    st->filename = filename;
    st->arena = arena;
    st->future_annotations = (future_features & CO_FUTURE_ANNOTATIONS) != 0;
    st->limit = _PyFrontend_DepthLimit();
    AstPos nowhere = {0, 0, 0, 0};
    st->top = enter_scope(st, _Py_NAME(scope_top), MODULE_SCOPE, mod, &nowhere);
    if (st->top == NULL
        || visit_mod(st, mod) < 0
        || _PySymtable_Resolve(st) < 0) {
        _PySymtable_Free(st);
        return -1;
    }
    return 0;
}

void
_PySymtable_Free(Symtable *st)
{
    PyMem_Free(st->by_node);
    st->by_node = NULL;
}
