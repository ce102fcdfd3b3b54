/* Checks trees that were made by hand for things that the parser never builds and the
   compiler does not expect. Each function returns 1 if all is well, or 0 with an
   exception set. */

#include "internal/ast.h"
#include "internal/frontend.h"

#include <string.h>

static int validate_expr(AstNode *e, AstKind ctx);
static int validate_pattern(AstNode *pattern, int star_ok);
static int validate_body(AstSeq *body, const char *owner);

static int
error(const char *message)
{
    PyErr_SetString(PyExc_ValueError, message);
    return 0;
}

static int
validate_positions(const AstPos *pos)
{
    if (pos->lineno > pos->end_lineno) {
        PyErr_Format(PyExc_ValueError, "AST node line range (%d, %d) is not valid",
                     pos->lineno, pos->end_lineno);
        return 0;
    }
    if ((pos->lineno < 0 && pos->end_lineno != pos->lineno)
        || (pos->col_offset < 0 && pos->col_offset != pos->end_col_offset))
    {
        PyErr_Format(PyExc_ValueError, "AST node column range (%d, %d) for line range "
                     "(%d, %d) is not valid", pos->col_offset, pos->end_col_offset,
                     pos->lineno, pos->end_lineno);
        return 0;
    }
    if (pos->lineno == pos->end_lineno && pos->col_offset > pos->end_col_offset) {
        PyErr_Format(PyExc_ValueError, "line %d, column %d-%d is not a valid range",
                     pos->lineno, pos->col_offset, pos->end_col_offset);
        return 0;
    }
    return 1;
}

static int
validate_name(PyObject *name)
{
    static const char *const constants[] = {"None", "True", "False"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(constants); i++) {
        if (PyUnicode_CompareWithASCIIString(name, constants[i]) == 0) {
            PyErr_Format(PyExc_ValueError, "identifier field can't represent '%s' "
                         "constant", constants[i]);
            return 0;
        }
    }
    return 1;
}

static int
validate_nonempty(Py_ssize_t size, const char *what, const char *owner)
{
    if (size > 0) {
        return 1;
    }
    PyErr_Format(PyExc_ValueError, "empty %s on %s", what, owner);
    return 0;
}

static int
validate_exprs(AstSeq *exprs, AstKind ctx, int null_ok)
{
    for (Py_ssize_t i = 0; i < exprs->size; i++) {
        AstNode *e = exprs->items[i];
        if (e == NULL) {
            if (!null_ok) {
                return error("None disallowed in expression list");
            }
        }
        else if (!validate_expr(e, ctx)) {
            return 0;
        }
    }
    return 1;
}

static int
validate_optional(AstNode *e)
{
    return e == NULL || validate_expr(e, AST_Load);
}

/* ----------------------------------------------------- parts of expressions */

static int
validate_comprehensions(AstSeq *generators)
{
    if (generators->size == 0) {
        return error("comprehension with no generators");
    }
    for (Py_ssize_t i = 0; i < generators->size; i++) {
        Ast_comprehension *c = AST_AS(comprehension, generators->items[i]);
        if (!validate_expr(c->target, AST_Store) || !validate_expr(c->iter, AST_Load)
            || !validate_exprs(c->ifs, AST_Load, 0))
        {
            return 0;
        }
    }
    return 1;
}

static int
validate_keywords(AstSeq *keywords)
{
    for (Py_ssize_t i = 0; i < keywords->size; i++) {
        if (!validate_expr(AST_AS(keyword, keywords->items[i])->value, AST_Load)) {
            return 0;
        }
    }
    return 1;
}

static int
validate_arg(AstNode *node)
{
    if (node == NULL) {
        return 1;
    }
    return validate_positions(&node->pos)
        && validate_optional(AST_AS(arg, node)->annotation);
}

static int
validate_args(AstSeq *args)
{
    for (Py_ssize_t i = 0; i < args->size; i++) {
        if (!validate_arg(args->items[i])) {
            return 0;
        }
    }
    return 1;
}

static int
validate_arguments(AstNode *node)
{
    Ast_arguments *a = AST_AS(arguments, node);
    if (!validate_args(a->posonlyargs) || !validate_args(a->args)
        || !validate_arg(a->vararg) || !validate_args(a->kwonlyargs)
        || !validate_arg(a->kwarg))
    {
        return 0;
    }
    if (a->defaults->size > a->posonlyargs->size + a->args->size) {
        return error("more positional defaults than args on arguments");
    }
    if (a->kw_defaults->size != a->kwonlyargs->size) {
        return error("length of kwonlyargs is not the same as kw_defaults on arguments");
    }
    return validate_exprs(a->defaults, AST_Load, 0)
        && validate_exprs(a->kw_defaults, AST_Load, 1);
}

/* Whether the compiler may put this object into a code object. */
static int
validate_constant(PyObject *value)
{
    if (value == Py_None || value == Py_Ellipsis || PyLong_CheckExact(value)
        || PyFloat_CheckExact(value) || PyComplex_CheckExact(value)
        || PyBool_Check(value) || PyUnicode_CheckExact(value)
        || PyBytes_CheckExact(value))
    {
        return 1;
    }
    if (!PyTuple_CheckExact(value) && !PyFrozenSet_CheckExact(value)) {
        PyErr_Format(PyExc_TypeError, "got an invalid type in Constant: %s",
                     Py_TYPE(value)->tp_name);
        return 0;
    }
    PyObject *iterator = PyObject_GetIter(value), *item;
    if (iterator == NULL || Py_EnterRecursiveCall(" during compilation")) {
        Py_XDECREF(iterator);
        return 0;
    }
    int fine = 1;
    while (fine && (item = PyIter_Next(iterator)) != NULL) {
        fine = validate_constant(item);
        Py_DECREF(item);
    }
    Py_LeaveRecursiveCall();
    Py_DECREF(iterator);
    return fine && !PyErr_Occurred();
}

static int
validate_compare(Ast_Compare *e)
{
    if (e->comparators->size == 0) {
        return error("Compare has no comparators");
    }
    if (e->comparators->size != e->ops->size) {
        return error("Compare has a different number of comparators and operands");
    }
    return validate_exprs(e->comparators, AST_Load, 0)
        && validate_expr(e->left, AST_Load);
}

static int
validate_dict(Ast_Dict *e)
{
    if (e->keys->size != e->values->size) {
        return error("Dict doesn't have the same number of keys as values");
    }
    return validate_exprs(e->keys, AST_Load, 1) && validate_exprs(e->values, AST_Load, 0);
}

/* -------------------------------------------------------------- expressions */

/* Checks an expression whose context must be `ctx`. */
static int
validate_context(AstNode *e, AstKind ctx)
{
    AstKind actual;
    switch (e->kind) {
    case AST_Attribute: actual = AST_AS(Attribute, e)->ctx; break;
    case AST_Subscript: actual = AST_AS(Subscript, e)->ctx; break;
    case AST_Starred: actual = AST_AS(Starred, e)->ctx; break;
    case AST_Name:
        if (!validate_name(AST_AS(Name, e)->id)) {
            return 0;
        }
        actual = AST_AS(Name, e)->ctx;
        break;
    case AST_List: actual = AST_AS(List, e)->ctx; break;
    case AST_Tuple: actual = AST_AS(Tuple, e)->ctx; break;
    default:
        if (ctx != AST_Load) {
            PyErr_Format(PyExc_ValueError, "expression which can't be assigned to in %s "
                         "context", _PyAst_Kinds[ctx].name);
            return 0;
        }
        return 1;
    }
    if (actual != ctx) {
        PyErr_Format(PyExc_ValueError, "expression must have %s context but has %s "
                     "instead", _PyAst_Kinds[ctx].name, _PyAst_Kinds[actual].name);
        return 0;
    }
    return 1;
}

static int
validate_expr_fields(AstNode *e, AstKind ctx)
{
#define AS(kind) AST_AS(kind, e)
    switch (e->kind) {
    case AST_BoolOp:
        if (AS(BoolOp)->values->size < 2) {
            return error("BoolOp with less than 2 values");
        }
        return validate_exprs(AS(BoolOp)->values, AST_Load, 0);
    case AST_BinOp:
        return validate_expr(AS(BinOp)->left, AST_Load)
            && validate_expr(AS(BinOp)->right, AST_Load);
    case AST_UnaryOp: return validate_expr(AS(UnaryOp)->operand, AST_Load);
    case AST_Lambda:
        return validate_arguments(AS(Lambda)->args)
            && validate_expr(AS(Lambda)->body, AST_Load);
    case AST_IfExp:
        return validate_expr(AS(IfExp)->test, AST_Load)
            && validate_expr(AS(IfExp)->body, AST_Load)
            && validate_expr(AS(IfExp)->orelse, AST_Load);
    case AST_Dict: return validate_dict(AS(Dict));
    case AST_Set: return validate_exprs(AS(Set)->elts, AST_Load, 0);
    case AST_ListComp:
    case AST_SetComp:
    case AST_GeneratorExp: {
        Ast_ListComp *comp = (Ast_ListComp *)e;     /* all three alike */
        return validate_comprehensions(comp->generators)
            && validate_expr(comp->elt, AST_Load);
    }
    case AST_DictComp:
        return validate_comprehensions(AS(DictComp)->generators)
            && validate_expr(AS(DictComp)->key, AST_Load)
            && validate_expr(AS(DictComp)->value, AST_Load);
    case AST_Yield: return validate_optional(AS(Yield)->value);
    case AST_YieldFrom: return validate_expr(AS(YieldFrom)->value, AST_Load);
    case AST_Await: return validate_expr(AS(Await)->value, AST_Load);
    case AST_Compare: return validate_compare(AS(Compare));
    case AST_Call:
        return validate_expr(AS(Call)->func, AST_Load)
            && validate_exprs(AS(Call)->args, AST_Load, 0)
            && validate_keywords(AS(Call)->keywords);
    case AST_Constant: return validate_constant(AS(Constant)->value);
    case AST_JoinedStr: return validate_exprs(AS(JoinedStr)->values, AST_Load, 0);
    case AST_FormattedValue:
        return validate_expr(AS(FormattedValue)->value, AST_Load)
            && validate_optional(AS(FormattedValue)->format_spec);
    case AST_Attribute: return validate_expr(AS(Attribute)->value, AST_Load);
    case AST_Subscript:
        return validate_expr(AS(Subscript)->slice, AST_Load)
            && validate_expr(AS(Subscript)->value, AST_Load);
    case AST_Starred: return validate_expr(AS(Starred)->value, ctx);
    case AST_Slice:
        return validate_optional(AS(Slice)->lower) && validate_optional(AS(Slice)->upper)
            && validate_optional(AS(Slice)->step);
    case AST_List: return validate_exprs(AS(List)->elts, ctx, 0);
    case AST_Tuple: return validate_exprs(AS(Tuple)->elts, ctx, 0);
    case AST_NamedExpr: return validate_expr(AS(NamedExpr)->value, AST_Load);
    case AST_Name: return 1;
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected expression");
        return 0;
    }
}

static int
validate_expr(AstNode *e, AstKind ctx)
{
    if (!validate_positions(&e->pos) || Py_EnterRecursiveCall(" during compilation")) {
        return 0;
    }
    int fine = validate_context(e, ctx) && validate_expr_fields(e, ctx);
    Py_LeaveRecursiveCall();
    return fine;
}

/* ----------------------------------------------------------------- patterns */

static int
is_number(AstNode *e, int complex_wanted)
{
    if (e->kind != AST_Constant) {
        return 0;
    }
    PyObject *value = AST_AS(Constant, e)->value;
    return complex_wanted ? PyComplex_CheckExact(value)
        : PyLong_CheckExact(value) || PyFloat_CheckExact(value);
}

/* -1, 1+2j, -1-2j */
static int
is_signed_or_complex(AstNode *e)
{
    if (e->kind == AST_UnaryOp) {
        Ast_UnaryOp *unary = AST_AS(UnaryOp, e);
        return unary->op == AST_USub
            && (is_number(unary->operand, 0) || is_number(unary->operand, 1));
    }
    if (e->kind != AST_BinOp) {
        return 0;
    }
    Ast_BinOp *binary = AST_AS(BinOp, e);
    AstNode *left = binary->left;
    if (left->kind == AST_UnaryOp && AST_AS(UnaryOp, left)->op == AST_USub) {
        left = AST_AS(UnaryOp, left)->operand;
    }
    return (binary->op == AST_Add || binary->op == AST_Sub) && is_number(left, 0)
        && is_number(binary->right, 1);
}

static int
validate_match_value(AstNode *e)
{
    if (!validate_expr(e, AST_Load)) {
        return 0;
    }
    switch (e->kind) {
    case AST_Constant: {
        PyObject *value = AST_AS(Constant, e)->value;
        if (PyLong_CheckExact(value) || PyFloat_CheckExact(value)
            || PyBytes_CheckExact(value) || PyComplex_CheckExact(value)
            || PyUnicode_CheckExact(value))
        {
            return 1;
        }
        return error("unexpected constant inside of a literal pattern");
    }
    case AST_Attribute:
    case AST_JoinedStr:
        return 1;
    case AST_UnaryOp:
        if (is_signed_or_complex(e)) {
            return 1;
        }
        break;
    case AST_BinOp:
        if (is_signed_or_complex(e)) {
            return 1;
        }
        break;
    default:
        break;
    }
    return error("patterns may only match literals and attribute lookups");
}

static int
validate_capture(PyObject *name)
{
    if (PyUnicode_CompareWithASCIIString(name, "_") == 0) {
        return error("can't capture name '_' in patterns");
    }
    return validate_name(name);
}

static int
validate_patterns(AstSeq *patterns, int star_ok)
{
    for (Py_ssize_t i = 0; i < patterns->size; i++) {
        if (!validate_pattern(patterns->items[i], star_ok)) {
            return 0;
        }
    }
    return 1;
}

static int
validate_match_mapping(Ast_MatchMapping *p)
{
    if (p->keys->size != p->patterns->size) {
        return error("MatchMapping doesn't have the same number of keys as patterns");
    }
    if (p->rest != NULL && !validate_capture(p->rest)) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < p->keys->size; i++) {
        AstNode *key = p->keys->items[i];
        if (key->kind == AST_Constant) {
            PyObject *value = AST_AS(Constant, key)->value;
            if (value == Py_None || value == Py_True || value == Py_False) {
                continue;
            }
        }
        if (!validate_match_value(key)) {
            return 0;
        }
    }
    return validate_patterns(p->patterns, 0);
}

static int
validate_match_class(Ast_MatchClass *p)
{
    if (p->kwd_attrs->size != p->kwd_patterns->size) {
        return error("MatchClass doesn't have the same number of keyword attributes as "
                     "patterns");
    }
    if (!validate_expr(p->cls, AST_Load)) {
        return 0;
    }
    AstNode *cls = p->cls;
    while (cls->kind == AST_Attribute) {
        cls = AST_AS(Attribute, cls)->value;
    }
    if (cls->kind != AST_Name) {
        return error("MatchClass cls field can only contain Name or Attribute nodes.");
    }
    for (Py_ssize_t i = 0; i < p->kwd_attrs->size; i++) {
        if (!validate_name(p->kwd_attrs->items[i])) {
            return 0;
        }
    }
    return validate_patterns(p->patterns, 0) && validate_patterns(p->kwd_patterns, 0);
}

static int
validate_match_as(Ast_MatchAs *p)
{
    if (p->name != NULL && !validate_capture(p->name)) {
        return 0;
    }
    if (p->pattern == NULL) {
        return 1;
    }
    if (p->name == NULL) {
        return error("MatchAs must specify a target name if a pattern is given");
    }
    return validate_pattern(p->pattern, 0);
}

static int
validate_pattern_fields(AstNode *node, int star_ok)
{
    switch (node->kind) {
    case AST_MatchValue: return validate_match_value(AST_AS(MatchValue, node)->value);
    case AST_MatchSingleton: {
        PyObject *value = AST_AS(MatchSingleton, node)->value;
        if (value == Py_None || value == Py_True || value == Py_False) {
            return 1;
        }
        return error("MatchSingleton can only contain True, False and None");
    }
    case AST_MatchSequence:
        return validate_patterns(AST_AS(MatchSequence, node)->patterns, 1);
    case AST_MatchMapping: return validate_match_mapping(AST_AS(MatchMapping, node));
    case AST_MatchClass: return validate_match_class(AST_AS(MatchClass, node));
    case AST_MatchStar: {
        if (!star_ok) {
            return error("can't use MatchStar here");
        }
        PyObject *name = AST_AS(MatchStar, node)->name;
        return name == NULL || validate_capture(name);
    }
    case AST_MatchAs: return validate_match_as(AST_AS(MatchAs, node));
    case AST_MatchOr:
        if (AST_AS(MatchOr, node)->patterns->size < 2) {
            return error("MatchOr requires at least 2 patterns");
        }
        return validate_patterns(AST_AS(MatchOr, node)->patterns, 0);
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected pattern");
        return 0;
    }
}

static int
validate_pattern(AstNode *node, int star_ok)
{
    if (node == NULL) {
        return error("None disallowed in pattern list");
    }
    if (!validate_positions(&node->pos) || Py_EnterRecursiveCall(" during compilation")) {
        return 0;
    }
    int fine = validate_pattern_fields(node, star_ok);
    Py_LeaveRecursiveCall();
    return fine;
}

/* --------------------------------------------------------------- statements */

static int
validate_targets(AstSeq *targets, AstKind ctx, const char *owner)
{
    return validate_nonempty(targets->size, "targets", owner)
        && validate_exprs(targets, ctx, 0);
}

static int
validate_stmts(AstSeq *stmts);

static int
validate_body(AstSeq *body, const char *owner)
{
    return validate_nonempty(body->size, "body", owner) && validate_stmts(body);
}

static int
validate_function(Ast_FunctionDef *def, const char *owner)
{
    return validate_body(def->body, owner) && validate_arguments(def->args)
        && validate_exprs(def->decorator_list, AST_Load, 0)
        && validate_optional(def->returns);
}

static int
validate_with(Ast_With *with, const char *owner)
{
    if (!validate_nonempty(with->items->size, "items", owner)) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < with->items->size; i++) {
        Ast_withitem *item = AST_AS(withitem, with->items->items[i]);
        if (!validate_expr(item->context_expr, AST_Load)
            || (item->optional_vars && !validate_expr(item->optional_vars, AST_Store)))
        {
            return 0;
        }
    }
    return validate_body(with->body, owner);
}

static int
validate_try(Ast_Try *node, const char *owner)
{
    if (!validate_body(node->body, owner)) {
        return 0;
    }
    if (node->handlers->size == 0 && node->finalbody->size == 0) {
        PyErr_Format(PyExc_ValueError, "%s has neither except handlers nor finalbody", owner);
        return 0;
    }
    if (node->handlers->size == 0 && node->orelse->size > 0) {
        PyErr_Format(PyExc_ValueError, "%s has orelse but no except handlers", owner);
        return 0;
    }
    for (Py_ssize_t i = 0; i < node->handlers->size; i++) {
        AstNode *handler = node->handlers->items[i];
        if (!validate_positions(&handler->pos)
            || !validate_optional(AST_AS(ExceptHandler, handler)->type)
            || !validate_body(AST_AS(ExceptHandler, handler)->body, "ExceptHandler"))
        {
            return 0;
        }
    }
    return validate_stmts(node->finalbody) && validate_stmts(node->orelse);
}

static int
validate_match(Ast_Match *node)
{
    if (!validate_expr(node->subject, AST_Load)
        || !validate_nonempty(node->cases->size, "cases", "Match"))
    {
        return 0;
    }
    for (Py_ssize_t i = 0; i < node->cases->size; i++) {
        Ast_match_case *one = AST_AS(match_case, node->cases->items[i]);
        if (!validate_pattern(one->pattern, 0) || !validate_optional(one->guard)
            || !validate_body(one->body, "match_case"))
        {
            return 0;
        }
    }
    return 1;
}

static int
validate_ann_assign(Ast_AnnAssign *node)
{
    if (node->target->kind != AST_Name && node->simple) {
        PyErr_SetString(PyExc_TypeError, "AnnAssign with simple non-Name target");
        return 0;
    }
    return validate_expr(node->target, AST_Store) && validate_optional(node->value)
        && validate_expr(node->annotation, AST_Load);
}

static int
validate_stmt_fields(AstNode *s)
{
#undef AS
#define AS(kind) AST_AS(kind, s)
    const char *name = _PyAst_Kinds[s->kind].name;
    switch (s->kind) {
    case AST_FunctionDef:
    case AST_AsyncFunctionDef: return validate_function((Ast_FunctionDef *)s, name);
    case AST_ClassDef:
        return validate_body(AS(ClassDef)->body, name)
            && validate_exprs(AS(ClassDef)->bases, AST_Load, 0)
            && validate_keywords(AS(ClassDef)->keywords)
            && validate_exprs(AS(ClassDef)->decorator_list, AST_Load, 0);
    case AST_Return: return validate_optional(AS(Return)->value);
    case AST_Delete: return validate_targets(AS(Delete)->targets, AST_Del, name);
    case AST_Assign:
        return validate_targets(AS(Assign)->targets, AST_Store, name)
            && validate_expr(AS(Assign)->value, AST_Load);
    case AST_AugAssign:
        return validate_expr(AS(AugAssign)->target, AST_Store)
            && validate_expr(AS(AugAssign)->value, AST_Load);
    case AST_AnnAssign: return validate_ann_assign(AS(AnnAssign));
    case AST_For:
    case AST_AsyncFor: {
        Ast_For *loop = (Ast_For *)s;
        return validate_expr(loop->target, AST_Store)
            && validate_expr(loop->iter, AST_Load) && validate_body(loop->body, name)
            && validate_stmts(loop->orelse);
    }
    case AST_While:
    case AST_If: {
        Ast_While *loop = (Ast_While *)s;
        return validate_expr(loop->test, AST_Load) && validate_body(loop->body, name)
            && validate_stmts(loop->orelse);
    }
    case AST_With:
    case AST_AsyncWith: return validate_with((Ast_With *)s, name);
    case AST_Match: return validate_match(AS(Match));
    case AST_Raise:
        if (AS(Raise)->exc != NULL) {
            return validate_expr(AS(Raise)->exc, AST_Load)
                && validate_optional(AS(Raise)->cause);
        }
        return AS(Raise)->cause == NULL ? 1
            : error("Raise with cause but no exception");
    case AST_Try:
    case AST_TryStar: return validate_try((Ast_Try *)s, name);
    case AST_Assert:
        return validate_expr(AS(Assert)->test, AST_Load)
            && validate_optional(AS(Assert)->msg);
    case AST_Import: return validate_nonempty(AS(Import)->names->size, "names", name);
    case AST_ImportFrom:
        if (AS(ImportFrom)->level < 0) {
            return error("Negative ImportFrom level");
        }
        return validate_nonempty(AS(ImportFrom)->names->size, "names", name);
    case AST_Global: return validate_nonempty(AS(Global)->names->size, "names", name);
    case AST_Nonlocal:
        return validate_nonempty(AS(Nonlocal)->names->size, "names", name);
    case AST_Expr: return validate_expr(AS(Expr)->value, AST_Load);
    case AST_Pass:
    case AST_Break:
    case AST_Continue: return 1;
    default:
        PyErr_SetString(PyExc_SystemError, "unexpected statement");
        return 0;
    }
#undef AS
}

static int
validate_stmts(AstSeq *stmts)
{
    for (Py_ssize_t i = 0; i < stmts->size; i++) {
        AstNode *s = stmts->items[i];
        if (s == NULL) {
            return error("None disallowed in statement list");
        }
        if (!validate_positions(&s->pos) || Py_EnterRecursiveCall(" during compilation")) {
            return 0;
        }
        int fine = validate_stmt_fields(s);
        Py_LeaveRecursiveCall();
        if (!fine) {
            return 0;
        }
    }
    return 1;
}

int
_PyAst_Validate(AstNode *mod)
{
    switch (mod->kind) {
    case AST_Module: return validate_stmts(AST_AS(Module, mod)->body);
    case AST_Interactive: return validate_stmts(AST_AS(Interactive, mod)->body);
    case AST_Expression: return validate_expr(AST_AS(Expression, mod)->body, AST_Load);
    default:
        PyErr_SetString(PyExc_SystemError, "impossible module node");
        return 0;
    }
}

PyObject *
_PyAst_GetDocString(AstSeq *body)
{
    if (body->size == 0 || body->items[0]->kind != AST_Expr) {
        return NULL;
    }
    AstNode *e = AST_AS(Expr, body->items[0])->value;
    if (e->kind != AST_Constant || !PyUnicode_CheckExact(AST_AS(Constant, e)->value)) {
        return NULL;
    }
    return Py_NewRef(AST_AS(Constant, e)->value);
}
