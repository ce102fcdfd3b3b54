/* Precise messages for common mistakes.

   These functions are called in the second pass only, at the places where a correct
   construct might begin. Each looks at the tokens at `pos` and returns 0 if it raised an
   exception (then `failed` is set), else 1, with `pos` anywhere. */

#include "parser.h"

#include <string.h>

static const char forgot_comma[] = "invalid syntax. Perhaps you forgot a comma?";
static const char meant_comparison[] =
    "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";

static int
raise_range(Parser *p, AstPos from, AstPos to, const char *message)
{
    from.end_lineno = to.end_lineno;
    from.end_col_offset = to.end_col_offset;
    _PyParse_RaiseAt(p, PyExc_SyntaxError, from, "%s", message);
    return 0;
}

static int
raise_at(Parser *p, AstPos pos, const char *message)
{
    _PyParse_RaiseAt(p, PyExc_SyntaxError, pos, "%s", message);
    return 0;
}

static AstPos
pos_of_token(Parser *p, int index)
{
    return token_pos(&p->tokens[index]);
}

static int
is_word(AstNode *e, const char *a, const char *b)
{
    if (e->kind != AST_Name) {
        return 0;
    }
    PyObject *id = AST_AS(Name, e)->id;
    return PyUnicode_CompareWithASCIIString(id, a) == 0
        || PyUnicode_CompareWithASCIIString(id, b) == 0;
}

/* -------------------------------------------------------------- expressions */

static AstNode *
plain_expression(Parser *p)
{
    p->without_diagnosis++;
    AstNode *e = _PyParse_PlainExpression(p);
    p->without_diagnosis--;
    return e;
}

/* Like CPython, this takes a prefix of a soft keyword for the keyword: after `c` or `mat`
   no missing comma is reported either. */
static int
at_soft_keyword(Parser *p)
{
    static const char *const words[] = {"_", "case", "match"};
    if (peek(p) != TOK_NAME) {
        return 0;
    }
    const Token *token = &p->tokens[p->pos];
    for (size_t i = 0; i < Py_ARRAY_LENGTH(words); i++) {
        if (strncmp(token->start, words[i], token->length) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Two expressions in a row: inside brackets, a comma is missing. Also `if` without
   `else`, and `print x`. */
int
_PyDiag_Expression(Parser *p)
{
    int first = p->pos;
    AstNode *a = NULL;
    if (!(peek(p) == TOK_NAME && peek_second(p) == TOK_STRING) && !at_soft_keyword(p)) {
        a = _PyParse_Disjunction(p);
        if (p->failed) {
            return 0;
        }
        int end = p->pos;
        if (a != NULL) {
            AstNode *b = plain_expression(p);
            if (b != NULL && !p->failed && !is_word(a, "print", "exec")
                && last_token(p)->level != 0)
            {
                return raise_range(p, a->pos, b->pos, forgot_comma);
            }
            if (p->failed) {
                return 0;
            }
        }
        p->pos = end;
    }
    if (a == NULL && !p->failed) {
        p->pos = first;
        a = _PyParse_Disjunction(p);
    }
    if (a != NULL && accept(p, KW_IF)) {
        AstNode *b = _PyParse_Disjunction(p);
        if (b != NULL && peek(p) != KW_ELSE && peek(p) != TOK_COLON && !p->failed) {
            return raise_range(p, a->pos, b->pos,
                               "expected 'else' after 'if' expression");
        }
    }
    if (p->failed) {
        return 0;
    }
    p->pos = first;
    if (peek(p) == TOK_NAME && peek_second(p) != TOK_LPAR && !p->failed) {
        /* Parsed after any name: errors further right are reported first. */
        AstPos from = pos_of_token(p, first);
        PyObject *name = _PyParse_Name(p, &p->tokens[first]);
        int legacy = _PyParse_PeekWord(p, "print") || _PyParse_PeekWord(p, "exec");
        p->pos++;
        AstNode *b = name == NULL ? NULL : _PyParse_StarExpressions(p);
        if (b != NULL && legacy) {
            from.end_lineno = b->pos.end_lineno;
            from.end_col_offset = b->pos.end_col_offset;
            _PyParse_RaiseAt(p, PyExc_SyntaxError, from, "Missing parentheses in call "
                             "to '%U'. Did you mean %U(...)?", name, name);
        }
    }
    if (p->failed) {
        return 0;
    }
    p->pos = first;
    return !p->failed;
}

/* `=` where only `==` or `:=` makes sense. */
int
_PyDiag_NamedExpression(Parser *p)
{
    void *known;
    int first = p->pos;
    if (_PyParse_GetMemo(p, MEMO_INVALID_NAMED, &known)) {
        p->pos = first;
        return !p->failed;
    }
    AstNode *a = _PyParse_Expression(p);
    if (a != NULL && accept(p, TOK_COLONEQUAL)) {
        if (_PyParse_Expression(p) != NULL) {
            _PyParse_RaiseAt(p, PyExc_SyntaxError, a->pos, "cannot use assignment "
                             "expressions with %s", _PyParse_ExprName(a));
        }
    }
    if (p->failed) {
        return 0;
    }
    p->pos = first;
    if (peek(p) == TOK_NAME && peek_second(p) == TOK_EQUAL) {
        p->pos += 2;
        AstNode *b = _PyParse_BitwiseOr(p);
        TokenType type = p->failed ? TOK_ERROR : peek(p);
        if (b != NULL && type != TOK_EQUAL && type != TOK_COLONEQUAL && !p->failed) {
            return raise_range(p, pos_of_token(p, first), b->pos, meant_comparison);
        }
    }
    p->pos = first;
    TokenType type = p->failed ? TOK_ERROR : peek(p);
    int excluded = type == KW_TRUE || type == KW_NONE || type == KW_FALSE;
    if (!excluded && (type == TOK_LPAR || type == TOK_LSQB)) {
        AstNode *bracket = _PyParse_Atom(p);
        excluded = bracket != NULL
            && (bracket->kind == AST_List || bracket->kind == AST_GeneratorExp
                || bracket->kind == AST_Tuple)
            && bracket->pos.col_offset == p->tokens[first].col_offset
            && bracket->pos.lineno == p->tokens[first].lineno;
        p->pos = first;
    }
    if (!excluded && !p->failed) {
        a = _PyParse_BitwiseOr(p);
        if (a != NULL && accept(p, TOK_EQUAL) && _PyParse_BitwiseOr(p) != NULL) {
            type = peek(p);
            if (type != TOK_EQUAL && type != TOK_COLONEQUAL && !p->failed) {
                _PyParse_RaiseAt(p, PyExc_SyntaxError, a->pos, "cannot assign to %s "
                                 "here. Maybe you meant '==' instead of '='?",
                                 _PyParse_ExprName(a));
            }
        }
    }
    p->pos = first;
    if (p->failed) {
        return 0;
    }
    _PyParse_SetMemo(p, MEMO_INVALID_NAMED, first, NULL);
    return !p->failed;
}

/* ------------------------------------------------------------------ targets */

/* The part of e that can't be assigned to (or deleted), or NULL. */
static AstNode *
invalid_target(AstNode *e, TargetKind kind)
{
    switch (e->kind) {
    case AST_List:
    case AST_Tuple: {
        AstSeq *elts = ((Ast_Tuple *)e)->elts;
        for (Py_ssize_t i = 0; i < elts->size; i++) {
            AstNode *wrong = invalid_target(elts->items[i], kind);
            if (wrong != NULL) {
                return wrong;
            }
        }
        return NULL;
    }
    case AST_Starred:
        return kind == TARGET_DEL ? e
            : invalid_target(AST_AS(Starred, e)->value, kind);
    case AST_Compare:
        /* `for a in b` without its colon reads as a comparison. */
        if (kind == TARGET_FOR) {
            return AST_AS(Compare, e)->ops->items[0] == AST_In
                ? invalid_target(AST_AS(Compare, e)->left, kind) : NULL;
        }
        return e;
    case AST_Name:
    case AST_Subscript:
    case AST_Attribute:
        return NULL;
    default:
        return e;
    }
}

int
_PyDiag_Target(Parser *p, AstNode *e, TargetKind kind)
{
    AstNode *wrong = invalid_target(e, kind);
    if (wrong == NULL) {
        return 1;
    }
    _PyParse_RaiseAt(p, PyExc_SyntaxError, wrong->pos,
                     kind == TARGET_DEL ? "cannot delete %s" : "cannot assign to %s",
                     _PyParse_ExprName(wrong));
    return 0;
}

int
_PyDiag_ForTarget(Parser *p)
{
    accept(p, TOK_ASYNC);
    if (accept(p, KW_FOR)) {
        AstNode *e = _PyParse_StarExpressions(p);
        if (e != NULL) {
            return _PyDiag_Target(p, e, TARGET_FOR);
        }
    }
    return !p->failed;
}

int
_PyDiag_WithItem(Parser *p)
{
    if (_PyParse_Expression(p) != NULL && accept(p, KW_AS)) {
        AstNode *e = _PyParse_Expression(p);
        if (e != NULL) {
            TokenType type = peek(p);
            if (type == TOK_COMMA || type == TOK_RPAR || type == TOK_COLON) {
                return _PyDiag_Target(p, e, TARGET_STAR);
            }
        }
    }
    return !p->failed;
}

static int
is_augmented(TokenType type)
{
    return (type >= TOK_PLUSEQUAL && type <= TOK_DOUBLESTAREQUAL)
        || type == TOK_DOUBLESLASHEQUAL || type == TOK_ATEQUAL;
}

/* Skips every `target =` at this point. */
static void
skip_targets(Parser *p)
{
    for (;;) {
        int first = p->pos;
        if (_PyParse_StarTargets(p) == NULL || !accept(p, TOK_EQUAL)) {
            p->pos = first;
            return;
        }
    }
}

/* `: annotation` after something that can't be annotated. */
static int
diagnose_annotation(Parser *p)
{
    int first = p->pos;
    TokenType type = peek(p);
    if (type == TOK_LPAR || type == TOK_LSQB) {
        AstNode *e = _PyParse_Atom(p);
        if (e != NULL && (e->kind == AST_List || e->kind == AST_Tuple)
            && accept(p, TOK_COLON) && _PyParse_Expression(p) != NULL)
        {
            _PyParse_RaiseAt(p, PyExc_SyntaxError, e->pos, "only single target (not %s)"
                             " can be annotated", _PyParse_ExprName(e));
        }
    }
    if (p->failed) {
        return 0;
    }
    p->pos = first;
    AstNode *a = _PyParse_StarNamedExpression(p);
    if (a != NULL && accept(p, TOK_COMMA)) {
        AstPos pos = a->pos;
        int before;
        do {
            before = p->pos;
            _PyParse_StarNamedExpressions(p);
        } while (p->pos != before && !p->failed);
        if (!p->failed && accept(p, TOK_COLON) && _PyParse_Expression(p) != NULL) {
            return raise_at(p, pos, "only single target (not tuple) can be annotated");
        }
    }
    if (p->failed) {
        return 0;
    }
    p->pos = first;
    a = _PyParse_Expression(p);
    if (a != NULL && accept(p, TOK_COLON) && _PyParse_Expression(p) != NULL) {
        return raise_at(p, a->pos, "illegal target for annotation");
    }
    return !p->failed;
}

int
_PyDiag_Assignment(Parser *p)
{
    int first = p->pos;
    if (!diagnose_annotation(p)) {
        return 0;
    }
    p->pos = first;
    skip_targets(p);
    if (p->failed) {
        return 0;
    }
    int after_targets = p->pos;
    AstNode *a = _PyParse_StarExpressions(p);
    if (a != NULL && accept(p, TOK_EQUAL) && !_PyDiag_Target(p, a, TARGET_STAR)) {
        return 0;
    }
    if (p->failed) {
        return 0;
    }
    p->pos = after_targets;
    if (peek(p) == KW_YIELD) {
        a = _PyParse_Yield(p);
        if (a != NULL && accept(p, TOK_EQUAL)) {
            return raise_at(p, a->pos, "assignment to yield expression not possible");
        }
    }
    if (p->failed) {
        return 0;
    }
    p->pos = first;
    a = _PyParse_StarExpressions(p);
    if (a != NULL && is_augmented(peek(p))) {
        p->pos++;
        if (peek(p) == KW_YIELD ? _PyParse_Yield(p) != NULL
            : _PyParse_StarExpressions(p) != NULL)
        {
            _PyParse_RaiseAt(p, PyExc_SyntaxError, a->pos, "'%s' is an illegal "
                             "expression for augmented assignment",
                             _PyParse_ExprName(a));
        }
    }
    return !p->failed;
}

/* ----------------------------------------------------------------- brackets */

/* At '(' : a starred expression alone. */
int
_PyDiag_Group(Parser *p)
{
    p->pos++;
    int first = p->pos;
    if (accept(p, TOK_STAR)) {
        if (_PyParse_Expression(p) != NULL) {
            AstPos pos = span(p, first);
            if (accept(p, TOK_RPAR)) {
                return raise_at(p, pos, "cannot use starred expression here");
            }
        }
    }
    else if (accept(p, TOK_DOUBLESTAR)) {
        if (_PyParse_Expression(p) != NULL && accept(p, TOK_RPAR)) {
            return raise_at(p, pos_of_token(p, first),
                            "cannot use double starred expression here");
        }
    }
    return !p->failed;
}

/* At an opening bracket. */
int
_PyDiag_Comprehension(Parser *p)
{
    int first = p->pos;
    TokenType open = peek(p);
    p->pos++;
    int element = p->pos;
    if (accept(p, TOK_STAR)) {
        if (_PyParse_Expression(p) != NULL) {
            AstPos pos = span(p, element);
            if (_PyParse_ForIfClauses(p) != NULL) {
                return raise_at(p, pos, "iterable unpacking cannot be used in "
                                "comprehension");
            }
        }
        if (p->failed) {
            return 0;
        }
    }
    if (open == TOK_LPAR) {
        return 1;
    }
    static const char message[] =
        "did you forget parentheses around the comprehension target?";
    p->pos = first + 1;
    AstNode *a = _PyParse_StarNamedExpression(p);
    if (a == NULL || !accept(p, TOK_COMMA)) {
        return !p->failed;
    }
    AstPos comma = pos_of_token(p, p->pos - 1);
    int after_comma = p->pos;
    AstSeq *rest = _PyParse_StarNamedExpressions(p);
    if (rest != NULL && rest->size > 0 && _PyParse_ForIfClauses(p) != NULL) {
        return raise_range(p, a->pos, rest->items[rest->size - 1]->pos, message);
    }
    if (p->failed) {
        return 0;
    }
    p->pos = after_comma;
    if (_PyParse_ForIfClauses(p) != NULL) {
        return raise_range(p, a->pos, comma, message);
    }
    return !p->failed;
}

/* At '{'. */
int
_PyDiag_DictComprehension(Parser *p)
{
    int stars = ++p->pos;
    if (accept(p, TOK_DOUBLESTAR) && _PyParse_BitwiseOr(p) != NULL
        && _PyParse_ForIfClauses(p) != NULL && accept(p, TOK_RBRACE))
    {
        return raise_at(p, pos_of_token(p, stars),
                        "dict unpacking cannot be used in dict comprehension");
    }
    return !p->failed;
}

/* `key: *value`, or `key:` without a value. `after_pairs`: pairs came before, so that a
   key alone is also wrong. */
static int
diagnose_pair(Parser *p, int after_pairs)
{
    AstNode *key = _PyParse_Expression(p);
    if (key == NULL) {
        return !p->failed;
    }
    if (!accept(p, TOK_COLON)) {
        if (after_pairs && !p->failed) {
            AstPos pos = {key->pos.lineno, key->pos.end_col_offset - 1,
                          key->pos.end_lineno, -1};
            return raise_at(p, pos, "':' expected after dictionary key");
        }
        return !p->failed;
    }
    int colon = p->pos - 1, star = p->pos;
    if (accept(p, TOK_STAR)) {
        if (_PyParse_BitwiseOr(p) != NULL) {
            AstPos pos = pos_of_token(p, star);
            Token *last = last_token(p);
            pos.end_lineno = last->end_lineno;
            pos.end_col_offset = last->end_col_offset;
            return raise_at(p, pos, "cannot use a starred expression in a dictionary "
                            "value");
        }
    }
    else if (peek(p) == TOK_RBRACE || peek(p) == TOK_COMMA) {
        return raise_at(p, pos_of_token(p, colon),
                        "expression expected after dictionary key and ':'");
    }
    return !p->failed;
}

/* At '{'. Unlike the others, this one already runs in the first pass, so its errors come
   before those that the second pass would find inside a key. */
int
_PyDiag_DictPairs(Parser *p)
{
    int first = ++p->pos;
    int n_pairs = 0;
    for (;;) {
        int pair = p->pos, good = 0;
        if (accept(p, TOK_DOUBLESTAR)) {
            good = _PyParse_BitwiseOr(p) != NULL;
        }
        else {
            good = _PyParse_Expression(p) != NULL && accept(p, TOK_COLON)
                && _PyParse_Expression(p) != NULL;
        }
        if (p->failed) {
            return 0;
        }
        if (!good) {
            p->pos = pair;
            break;
        }
        n_pairs++;
        if (!accept(p, TOK_COMMA)) {
            return !p->failed;
        }
    }
    if (n_pairs > 0) {
        return diagnose_pair(p, 1);
    }
    p->pos = first;
    return diagnose_pair(p, 0);
}

/* ---------------------------------------------------------------- arguments */

/* The last of the comprehension's clauses ends at the token before pos. */
static AstPos
end_of_clauses(Parser *p, AstSeq *clauses)
{
    Ast_comprehension *last = AST_AS(comprehension, clauses->items[clauses->size - 1]);
    return last->ifs->size > 0 ? last->ifs->items[last->ifs->size - 1]->pos
        : (p->failed ? (AstPos){0, 0, 0, 0} : last->iter->pos);
}

/* Where `name=value` is expected. */
int
_PyDiag_KeywordArgument(Parser *p)
{
    int first = p->pos;
    TokenType type = peek(p);
    if (type == KW_TRUE || type == KW_FALSE || type == KW_NONE) {
        if (peek_second(p) == TOK_EQUAL) {
            AstPos from = pos_of_token(p, first);
            AstPos to = pos_of_token(p, first + 1);
            from.end_lineno = to.end_lineno;
            from.end_col_offset = to.end_col_offset;
            _PyParse_RaiseAt(p, PyExc_SyntaxError, from, "cannot assign to %s",
                             type == KW_TRUE ? "True" : type == KW_FALSE ? "False"
                             : "None");
            return 0;
        }
    }
    if (type == TOK_NAME && peek_second(p) == TOK_EQUAL) {
        p->pos += 2;
        if (_PyParse_Expression(p) != NULL && _PyParse_ForIfClauses(p) != NULL) {
            return raise_range(p, pos_of_token(p, first), pos_of_token(p, first + 1),
                               meant_comparison);
        }
        p->pos = first;
        return !p->failed;
    }
    if (type == TOK_STAR || type == TOK_DOUBLESTAR) {
        return 1;
    }
    AstNode *a = _PyParse_Expression(p);
    if (a != NULL && peek(p) == TOK_EQUAL && !p->failed) {
        return raise_range(p, a->pos, pos_of_token(p, p->pos), "expression cannot "
                           "contain assignment, perhaps you meant \"==\"?");
    }
    p->pos = first;
    return !p->failed;
}

static int
at_clauses(Parser *p)
{
    return peek(p) == KW_FOR || peek(p) == TOK_ASYNC;
}

/* After '(' of a call. */
int
_PyDiag_Arguments(Parser *p)
{
    static const char not_bracketed[] = "Generator expression must be parenthesized";
    int first = p->pos;
    AstNode *args = _PyParse_Args(p), *e;
    AstSeq *clauses;
    int after_args = p->pos;
    if (p->failed) {
        return 0;
    }
    if (args != NULL && accept(p, TOK_COMMA) && peek(p) == TOK_STAR) {
        return raise_at(p, args->pos, "iterable argument unpacking follows keyword "
                        "argument unpacking");
    }
    p->pos = first;
    e = _PyParse_Expression(p);
    if (e != NULL && at_clauses(p) && (clauses = _PyParse_ForIfClauses(p)) != NULL
        && accept(p, TOK_COMMA))
    {
        AstPos end = end_of_clauses(p, clauses);
        int here = p->pos;
        AstNode *more = _PyParse_Args(p);
        if (more == NULL && !p->failed) {
            p->pos = here;
            more = _PyParse_Expression(p);
            if (more != NULL && _PyParse_ForIfClauses(p) == NULL) {
                more = NULL;
            }
        }
        if (p->failed) {
            return 0;
        }
        (void)more;
        return raise_range(p, e->pos, end, not_bracketed);
    }
    if (p->failed) {
        return 0;
    }
    p->pos = first;
    if (peek(p) == TOK_NAME && peek_second(p) == TOK_EQUAL) {
        p->pos += 2;
        if (_PyParse_Expression(p) != NULL && _PyParse_ForIfClauses(p) != NULL) {
            return raise_range(p, pos_of_token(p, first), pos_of_token(p, first + 1),
                               meant_comparison);
        }
    }
    if (p->failed || args == NULL) {
        return !p->failed;
    }
    p->pos = after_args;
    AstSeq *positional = AST_AS(Call, args)->args, *keywords = AST_AS(Call, args)->keywords;
    if (at_clauses(p) && (clauses = _PyParse_ForIfClauses(p)) != NULL) {
        if (positional->size > 1) {
            AstPos end = end_of_clauses(p, clauses);
            return raise_range(p, positional->items[positional->size - 1]->pos, end,
                               not_bracketed);
        }
    }
    if (p->failed) {
        return 0;
    }
    p->pos = after_args;
    if (!accept(p, TOK_COMMA)) {
        return !p->failed;
    }
    int after_comma = p->pos;
    e = _PyParse_Expression(p);
    if (e != NULL && at_clauses(p) && (clauses = _PyParse_ForIfClauses(p)) != NULL) {
        return raise_range(p, e->pos, end_of_clauses(p, clauses), not_bracketed);
    }
    if (p->failed) {
        return 0;
    }
    p->pos = after_comma;
    if (_PyParse_Args(p) != NULL) {
        int unpacking = 0;
        for (Py_ssize_t i = 0; i < keywords->size; i++) {
            unpacking |= AST_AS(keyword, keywords->items[i])->arg == NULL;
        }
        _PyParse_Raise(p, PyExc_SyntaxError, unpacking
                       ? "positional argument follows keyword argument unpacking"
                       : "positional argument follows keyword argument");
    }
    return !p->failed;
}

/* --------------------------------------------------------------- parameters */

typedef struct {
    int lambda;
    int seen_any, seen_default, seen_slash, seen_star;
    int default_ahead_of_slash, default_behind_slash;
} ParameterScan;

static int
parameter_end(Parser *p, int lambda)
{
    return peek(p) == (lambda ? TOK_COLON : TOK_RPAR);
}

/* NAME [':' annotation]. Returns 1 if it is found, or STARRED if the annotation begins
   with a star, which is only allowed with star_ok. What follows the colon may be wrong:
   then this is a name, and stands ahead of the colon. */
enum { STARRED = 2 };

static int
skip_parameter(Parser *p, int lambda, int star_ok)
{
    if (!accept(p, TOK_NAME)) {
        return 0;
    }
    int after_name = p->pos;
    if (!lambda && accept(p, TOK_COLON)) {
        int starred = star_ok && peek(p) == TOK_STAR;
        if ((starred ? _PyParse_StarExpression(p) : _PyParse_Expression(p)) != NULL) {
            return starred ? STARRED : 1;
        }
        p->pos = after_name;
    }
    return !p->failed;
}

/* At '('. */
static int
diagnose_bracketed_parameters(Parser *p, int lambda)
{
    int first = p->pos++;
    int n = 0;
    while (skip_parameter(p, lambda, 0)) {
        n++;
        if (!accept(p, TOK_COMMA)) {
            break;
        }
    }
    if (n > 0 && accept(p, TOK_RPAR)) {
        return raise_at(p, span(p, first), lambda
                        ? "Lambda expression parameters cannot be parenthesized"
                        : "Function parameters cannot be parenthesized");
    }
    return !p->failed;
}

static int
raise_bare_star(Parser *p, int star, int lambda)
{
    static const char message[] = "named arguments must follow bare *";
    if (lambda) {
        _PyParse_Raise(p, PyExc_SyntaxError, message);
        return 0;
    }
    return raise_at(p, pos_of_token(p, star), message);
}

static int
diagnose_star(Parser *p, ParameterScan *scan)
{
    int star = p->pos++;
    TokenType type = peek(p);
    if (scan->seen_star) {
        int whole = type == TOK_COMMA
            || (type == TOK_NAME && skip_parameter(p, scan->lambda, 0)
                && (peek(p) == TOK_COMMA || parameter_end(p, scan->lambda)));
        if (whole) {
            return raise_at(p, pos_of_token(p, star),
                            "* argument may appear only once");
        }
        p->pos = star;
        return !p->failed;
    }
    scan->seen_star = 1;
    if (parameter_end(p, scan->lambda)) {
        return raise_bare_star(p, star, scan->lambda);
    }
    if (type == TOK_COMMA) {
        TokenType second = peek_second(p);
        if (second == (scan->lambda ? TOK_COLON : TOK_RPAR) || second == TOK_DOUBLESTAR) {
            return raise_bare_star(p, star, scan->lambda);
        }
        if (second == TOK_TYPE_COMMENT) {
            _PyParse_Raise(p, PyExc_SyntaxError, "bare * has associated type comment");
            return 0;
        }
        return !p->failed;
    }
    int found = skip_parameter(p, scan->lambda, 1);
    if (found == 1 && peek(p) == TOK_EQUAL) {
        return raise_at(p, pos_of_token(p, p->pos),
                        "var-positional argument cannot have default value");
    }
    scan->seen_star = found != STARRED;
    return !p->failed;
}

static int
diagnose_double_star(Parser *p, ParameterScan *scan)
{
    p->pos++;
    if (!skip_parameter(p, scan->lambda, 0)) {
        return !p->failed;
    }
    if (peek(p) == TOK_EQUAL) {
        return raise_at(p, pos_of_token(p, p->pos),
                        "var-keyword argument cannot have default value");
    }
    if (accept(p, TOK_COMMA)) {
        int next = p->pos;
        TokenType type = peek(p);
        if (type == TOK_STAR || type == TOK_DOUBLESTAR || type == TOK_SLASH) {
            return raise_at(p, pos_of_token(p, next),
                            "arguments cannot follow var-keyword argument");
        }
        if (type == TOK_NAME && skip_parameter(p, scan->lambda, 0)) {
            return raise_at(p, span(p, next),
                            "arguments cannot follow var-keyword argument");
        }
    }
    return !p->failed;
}

static int
diagnose_slash(Parser *p, ParameterScan *scan)
{
    int slash = p->pos;
    if (scan->seen_star) {
        return raise_at(p, pos_of_token(p, slash), "/ must be ahead of *");
    }
    if (!scan->seen_any) {
        return peek_second(p) == TOK_COMMA
            ? raise_at(p, pos_of_token(p, slash),
                       "at least one argument must precede /") : !p->failed;
    }
    if (scan->seen_slash) {
        return raise_at(p, pos_of_token(p, slash), "/ may appear only once");
    }
    scan->seen_slash = 1;
    scan->default_ahead_of_slash = scan->seen_default;
    p->pos++;
    if (peek(p) == TOK_STAR) {
        return raise_at(p, pos_of_token(p, p->pos), "expected comma between / and *");
    }
    return !p->failed;
}

/* As CPython's grammar sees it: a slash is only passed with defaults ahead of it and none behind. */
static int
default_came_before(const ParameterScan *scan)
{
    return scan->seen_default && !scan->seen_star
           && (!scan->seen_slash
               || (scan->default_ahead_of_slash && !scan->default_behind_slash));
}

static int
diagnose_parameter(Parser *p, ParameterScan *scan)
{
    int first = p->pos;
    if (!skip_parameter(p, scan->lambda, 0)) {
        p->pos = first;
        return !p->failed;
    }
    AstPos pos = span(p, first);
    if (accept(p, TOK_EQUAL)) {
        int equal = p->pos - 1;
        scan->seen_default = 1;
        scan->default_behind_slash = scan->seen_slash;
        /* The same for a lambda, whose parameter list ends with a colon. */
        if (peek(p) == TOK_COMMA || peek(p) == TOK_RPAR) {
            return raise_at(p, pos_of_token(p, equal),
                            "expected default value expression");
        }
        _PyParse_Expression(p);
    }
    else if (default_came_before(scan)
             && (peek(p) == TOK_COMMA || parameter_end(p, scan->lambda)))
    {
        if (peek(p) == TOK_COMMA) {
            peek_second(p);
        }
        if (p->failed) {
            return 0;
        }
        return raise_at(p, pos, "non-default argument follows default argument");
    }
    scan->seen_any = 1;
    return !p->failed;
}

int
_PyDiag_Parameters(Parser *p, int lambda)
{
    ParameterScan scan = {.lambda = lambda};
    while (!parameter_end(p, lambda) && !p->failed) {
        int first = p->pos, fine;
        switch (peek(p)) {
        case TOK_SLASH: fine = diagnose_slash(p, &scan); break;
        case TOK_STAR: fine = diagnose_star(p, &scan); break;
        case TOK_DOUBLESTAR: return diagnose_double_star(p, &scan);
        case TOK_LPAR:
            return scan.seen_default || scan.seen_star || scan.seen_slash ? 1
                : diagnose_bracketed_parameters(p, lambda);
        default: fine = diagnose_parameter(p, &scan); break;
        }
        if (!fine) {
            return 0;
        }
        if (p->pos == first || !accept(p, TOK_COMMA)) {
            break;
        }
        if (p->tok.type_comments) {
            accept(p, TOK_TYPE_COMMENT);
        }
    }
    return !p->failed;
}
