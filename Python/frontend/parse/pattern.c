/* The match statement and its patterns. `match`, `case` and `_` are ordinary
   names everywhere else. */

#include "parser.h"

#include <string.h>

static AstNode *as_or_or_pattern(Parser *p);

static int
token_is(const Token *token, const char *word)
{
    return token->type == TOK_NAME && strncmp(token->start, word, token->length) == 0
        && word[token->length] == '\0';
}

/* ----------------------------------------------------------------- literals */

/* ['-'] NUMBER */
static AstNode *
signed_number(Parser *p)
{
    int first = p->pos, minus = accept(p, TOK_MINUS);
    if (!accept(p, TOK_NUMBER)) {
        return NULL;
    }
    AstNode *e = _PyParse_Number(p, last_token(p));
    if (e == NULL || !minus) {
        return e;
    }
    return NEW(UnaryOp, span(p, first), AST_USub, e);
}

static int
is_complex(AstNode *e)
{
    if (e->kind == AST_UnaryOp) {
        e = AST_AS(UnaryOp, e)->operand;
    }
    return PyComplex_CheckExact(AST_AS(Constant, e)->value);
}

/* A number, or real +- imaginary. */
static AstNode *
number_literal(Parser *p)
{
    int first = p->pos;
    AstNode *real = signed_number(p);
    if (real == NULL) {
        return NULL;
    }
    TokenType type = peek(p);
    if (type != TOK_PLUS && type != TOK_MINUS) {
        return p->failed ? NULL : real;
    }
    int end = p->pos++;
    if (!accept(p, TOK_NUMBER)) {
        p->pos = end;
        return p->failed ? NULL : real;
    }
    Token token = *last_token(p);
    AstNode *imaginary = _PyParse_Number(p, &token);
    if (imaginary == NULL) {
        return NULL;
    }
    if (is_complex(real)) {
        return _PyParse_RaiseAt(p, PyExc_SyntaxError, real->pos,
                                "real number required in complex literal");
    }
    if (!is_complex(imaginary)) {
        return _PyParse_RaiseAt(p, PyExc_SyntaxError, imaginary->pos,
                                "imaginary number required in complex literal");
    }
    return NEW(BinOp, span(p, first), real, type == TOK_PLUS ? AST_Add : AST_Sub,
               imaginary);
}

/* NAME ('.' NAME)* as an expression. */
static AstNode *
name_or_attribute(Parser *p)
{
    int first = p->pos;
    if (peek(p) != TOK_NAME) {
        return NULL;
    }
    PyObject *name = _PyParse_Name(p, &p->tokens[p->pos++]);
    AstNode *e = name == NULL ? NULL : NEW(Name, span(p, first), name, AST_Load);
    while (e != NULL && peek(p) == TOK_DOT) {
        int end = p->pos++;
        if (peek(p) != TOK_NAME) {
            p->pos = end;
            break;
        }
        PyObject *attr = _PyParse_Name(p, &p->tokens[p->pos++]);
        e = attr == NULL ? NULL : NEW(Attribute, span(p, first), e, attr, AST_Load);
    }
    return p->failed ? NULL : e;
}

static AstNode *
literal_expression(Parser *p)
{
    PyObject *value;
    switch (peek(p)) {
    case TOK_NUMBER: case TOK_MINUS: return number_literal(p);
    case TOK_STRING: return _PyParse_Strings(p);
    case KW_NONE: value = Py_None; break;
    case KW_TRUE: value = Py_True; break;
    case KW_FALSE: value = Py_False; break;
    default: return NULL;
    }
    p->pos++;
    return NEW(Constant, token_pos(last_token(p)), value, NULL);
}

/* ---------------------------------------------------------------- sequences */

/* The name that a capture binds: NULL for `_`. Returns 0 if there is no name. */
static int
capture_name(Parser *p, PyObject **name)
{
    *name = NULL;
    if (peek(p) != TOK_NAME) {
        return 0;
    }
    Token *token = &p->tokens[p->pos++];
    if (!token_is(token, "_")) {
        *name = _PyParse_Name(p, token);
    }
    return !p->failed;
}

static AstNode *
maybe_star_pattern(Parser *p)
{
    int first = p->pos;
    PyObject *name;
    if (!accept(p, TOK_STAR)) {
        return as_or_or_pattern(p);
    }
    return capture_name(p, &name) ? NEW(MatchStar, span(p, first), name) : NULL;
}

/* More patterns after the first, each after a comma. pos is left after the last pattern
   or the trailing comma. */
static AstSeq *
more_patterns(Parser *p, AstNode *first_pattern)
{
    Py_ssize_t base = p->n_scratch;
    if (!_PyParse_Push(p, first_pattern)) {
        return NULL;
    }
    while (accept(p, TOK_COMMA)) {
        int end = p->pos;
        AstNode *pattern = maybe_star_pattern(p);
        if (pattern == NULL) {
            p->pos = end;
            break;
        }
        if (!_PyParse_Push(p, pattern)) {
            return NULL;
        }
    }
    return p->failed ? NULL : _PyParse_PopSeq(p, base);
}

static AstNode *
sequence_or_group(Parser *p, TokenType close)
{
    int first = p->pos++;
    if (accept(p, close)) {
        return NEW(MatchSequence, span(p, first), &_PyAst_EmptySeq);
    }
    AstNode *pattern = maybe_star_pattern(p);
    if (pattern == NULL) {
        return NULL;
    }
    if (close == TOK_RPAR && pattern->kind != AST_MatchStar && accept(p, close)) {
        return pattern;
    }
    if (close == TOK_RPAR && peek(p) != TOK_COMMA) {
        return NULL;
    }
    AstSeq *patterns = more_patterns(p, pattern);
    if (patterns == NULL || !accept(p, close)) {
        return NULL;
    }
    return NEW(MatchSequence, span(p, first), patterns);
}

/* ----------------------------------------------------- mappings and classes */

static AstNode *
mapping_pattern(Parser *p)
{
    int first = p->pos++;
    Py_ssize_t base = p->n_scratch;
    PyObject *rest = NULL;
    while (peek(p) != TOK_RBRACE) {
        if (accept(p, TOK_DOUBLESTAR)) {
            if (!capture_name(p, &rest) || rest == NULL) {
                return NULL;
            }
            accept(p, TOK_COMMA);
            break;
        }
        AstNode *key = peek(p) == TOK_NAME ? name_or_attribute(p)
            : literal_expression(p);
        if (key == NULL || key->kind == AST_Name || !accept(p, TOK_COLON)) {
            return NULL;
        }
        AstNode *pattern = as_or_or_pattern(p);
        if (pattern == NULL || !_PyParse_Push(p, key) || !_PyParse_Push(p, pattern)) {
            return NULL;
        }
        if (!accept(p, TOK_COMMA)) {
            break;
        }
    }
    if (!accept(p, TOK_RBRACE)) {
        return NULL;
    }
    Py_ssize_t n = (p->n_scratch - base) / 2;
    p->n_scratch = base;
    AstSeq *keys = _PyAst_NewSeq(p->arena, n);
    AstSeq *patterns = _PyAst_NewSeq(p->arena, n);
    if (keys == NULL || patterns == NULL) {
        return _PyParse_NoMemory(p);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        keys->items[i] = p->scratch[base + 2 * i];
        patterns->items[i] = p->scratch[base + 2 * i + 1];
    }
    return NEW(MatchMapping, span(p, first), keys, patterns, rest);
}

/* After the class name, at '('. */
static AstNode *
class_pattern(Parser *p, int first, AstNode *cls)
{
    p->pos++;
    /* Pairs (name or NULL, pattern). */
    Py_ssize_t base = p->n_scratch, n_keywords = 0;
    AstNode *wrong_first = NULL, *wrong_last = NULL;
    while (peek(p) != TOK_RPAR) {
        PyObject *name = NULL;
        if (peek(p) == TOK_NAME && peek_second(p) == TOK_EQUAL) {
            name = _PyParse_Name(p, &p->tokens[p->pos]);
            p->pos += 2;
            n_keywords++;
        }
        AstNode *pattern = p->failed ? NULL : as_or_or_pattern(p);
        if (pattern == NULL) {
            return NULL;
        }
        if (name == NULL && n_keywords > 0) {
            wrong_first = wrong_first != NULL ? wrong_first : pattern;
            wrong_last = pattern;
        }
        else if (wrong_first != NULL) {
            break;
        }
        if (!_PyParse_Push(p, name) || !_PyParse_Push(p, pattern)) {
            return NULL;
        }
        if (!accept(p, TOK_COMMA)) {
            break;
        }
        if (wrong_first != NULL && !p->diagnosing) {
            return NULL;
        }
    }
    if (wrong_first != NULL) {
        if (diagnosing(p)) {
            AstPos pos = wrong_first->pos;
            pos.end_lineno = wrong_last->pos.end_lineno;
            pos.end_col_offset = wrong_last->pos.end_col_offset;
            _PyParse_RaiseAt(p, PyExc_SyntaxError, pos,
                             "positional patterns follow keyword patterns");
        }
        return NULL;
    }
    if (!accept(p, TOK_RPAR)) {
        return NULL;
    }
    Py_ssize_t n = (p->n_scratch - base) / 2, n_plain = n - n_keywords;
    p->n_scratch = base;
    AstSeq *patterns = _PyAst_NewSeq(p->arena, n_plain);
    AstNameSeq *names = _PyAst_NewNameSeq(p->arena, n_keywords);
    AstSeq *kwd_patterns = _PyAst_NewSeq(p->arena, n_keywords);
    if (patterns == NULL || names == NULL || kwd_patterns == NULL) {
        return _PyParse_NoMemory(p);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i < n_plain) {
            patterns->items[i] = p->scratch[base + 2 * i + 1];
        }
        else {
            names->items[i - n_plain] = p->scratch[base + 2 * i];
            kwd_patterns->items[i - n_plain] = p->scratch[base + 2 * i + 1];
        }
    }
    return NEW(MatchClass, span(p, first), cls, patterns, names, kwd_patterns);
}

/* -------------------------------------------------------------- any pattern */

/* Capture, wildcard, value or class pattern. */
static AstNode *
name_pattern(Parser *p)
{
    int first = p->pos;
    AstNode *e = name_or_attribute(p);
    if (e == NULL) {
        return NULL;
    }
    if (peek(p) == TOK_LPAR) {
        return class_pattern(p, first, e);
    }
    if (p->failed) {
        return NULL;
    }
    if (e->kind == AST_Attribute) {
        return NEW(MatchValue, span(p, first), e);
    }
    if (peek(p) == TOK_EQUAL) {
        return NULL;
    }
    PyObject *name = token_is(&p->tokens[first], "_") ? NULL : AST_AS(Name, e)->id;
    return NEW(MatchAs, span(p, first), NULL, name);
}

static AstNode *
closed_pattern(Parser *p)
{
    int first = p->pos;
    if (!_PyParse_Enter(p, 3)) {
        return NULL;
    }
    AstNode *e, *pattern = NULL;
    Py_ssize_t base = p->n_scratch;
    switch (peek(p)) {
    case KW_NONE: case KW_TRUE: case KW_FALSE:
        e = literal_expression(p);
        pattern = e == NULL ? NULL
            : NEW(MatchSingleton, span(p, first), AST_AS(Constant, e)->value);
        break;
    case TOK_NUMBER: case TOK_MINUS: case TOK_STRING:
        e = literal_expression(p);
        pattern = e == NULL ? NULL : NEW(MatchValue, span(p, first), e);
        break;
    case TOK_NAME: pattern = name_pattern(p); break;
    case TOK_LPAR: pattern = sequence_or_group(p, TOK_RPAR); break;
    case TOK_LSQB: pattern = sequence_or_group(p, TOK_RSQB); break;
    case TOK_LBRACE: pattern = mapping_pattern(p); break;
    default: break;
    }
    p->n_scratch = base;
    p->depth -= 3;
    return pattern;
}

static AstNode *
or_pattern(Parser *p)
{
    int first = p->pos;
    AstNode *pattern = closed_pattern(p);
    if (pattern == NULL || peek(p) != TOK_VBAR) {
        return p->failed ? NULL : pattern;
    }
    Py_ssize_t base = p->n_scratch;
    if (!_PyParse_Push(p, pattern)) {
        return NULL;
    }
    while (accept(p, TOK_VBAR)) {
        pattern = closed_pattern(p);
        if (pattern == NULL || !_PyParse_Push(p, pattern)) {
            return NULL;
        }
    }
    AstSeq *patterns = p->failed ? NULL : _PyParse_PopSeq(p, base);
    return patterns == NULL ? NULL : NEW(MatchOr, span(p, first), patterns);
}

static AstNode *
as_or_or_pattern(Parser *p)
{
    int first = p->pos;
    AstNode *pattern = or_pattern(p);
    if (pattern == NULL || !accept(p, KW_AS)) {
        return p->failed ? NULL : pattern;
    }
    if (peek(p) == TOK_NAME) {
        Token token = p->tokens[p->pos];
        if (token_is(&token, "_")) {
            if (diagnosing(p)) {
                _PyParse_RaiseAt(p, PyExc_SyntaxError, token_pos(&token),
                                 "cannot use '_' as a target");
            }
            return NULL;
        }
        PyObject *name = _PyParse_Name(p, &token);
        p->pos++;
        TokenType type = peek(p);
        if (name == NULL || type == TOK_DOT || type == TOK_LPAR || type == TOK_EQUAL) {
            return NULL;
        }
        return NEW(MatchAs, span(p, first), pattern, name);
    }
    if (diagnosing(p) && !p->failed) {
        AstNode *e = _PyParse_Expression(p);
        if (e != NULL) {
            _PyParse_RaiseAt(p, PyExc_SyntaxError, e->pos, "invalid pattern target");
        }
    }
    return NULL;
}

/* After `case`: a pattern, or several without brackets. */
static AstNode *
case_patterns(Parser *p)
{
    int first = p->pos;
    AstNode *pattern = maybe_star_pattern(p);
    if (pattern == NULL || (peek(p) != TOK_COMMA && pattern->kind != AST_MatchStar)) {
        return p->failed ? NULL : pattern;
    }
    if (peek(p) != TOK_COMMA) {
        return NULL;
    }
    AstSeq *patterns = more_patterns(p, pattern);
    return patterns == NULL ? NULL : NEW(MatchSequence, span(p, first), patterns);
}

/* ------------------------------------------------------------ the statement */

static AstSeq *
indented(Parser *p, int first, const char *what)
{
    if (diagnosing(p) && peek(p) == TOK_NEWLINE && peek_second(p) != TOK_INDENT
        && !p->failed)
    {
        return _PyParse_Raise(p, PyExc_IndentationError,
                              "expected an indented block after %s on line %d",
                              what, p->tokens[first].lineno);
    }
    return p->failed ? NULL : _PyParse_Block(p);
}

static AstNode *
case_block(Parser *p)
{
    int first = p->pos;
    if (!_PyParse_PeekWord(p, "case")) {
        return NULL;
    }
    p->pos++;
    AstNode *pattern = case_patterns(p), *guard = NULL;
    if (pattern == NULL) {
        return NULL;
    }
    if (accept(p, KW_IF) && (guard = _PyParse_NamedExpression(p)) == NULL) {
        return NULL;
    }
    if (!accept(p, TOK_COLON)) {
        if (diagnosing(p) && peek(p) == TOK_NEWLINE) {
            _PyParse_Raise(p, PyExc_SyntaxError, "expected ':'");
        }
        return NULL;
    }
    AstSeq *body = indented(p, first, "'case' statement");
    return body == NULL ? NULL
        : NEW(match_case, ((AstPos){0, 0, 0, 0}), pattern, guard, body);
}

static AstNode *
subject(Parser *p)
{
    int first = p->pos;
    AstNode *e = _PyParse_StarNamedExpression(p);
    if (e == NULL || (peek(p) != TOK_COMMA && e->kind != AST_Starred)) {
        return p->failed ? NULL : e;
    }
    if (!accept(p, TOK_COMMA)) {
        return NULL;
    }
    Py_ssize_t base = p->n_scratch;
    if (!_PyParse_Push(p, e)) {
        return NULL;
    }
    AstSeq *rest = _PyParse_StarNamedExpressions(p);
    if (rest == NULL) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < rest->size; i++) {
        if (!_PyParse_Push(p, rest->items[i])) {
            return NULL;
        }
    }
    AstSeq *elts = _PyParse_PopSeq(p, base);
    return elts == NULL ? NULL : NEW(Tuple, span(p, first), elts, AST_Load);
}

AstNode *
_PyParse_Match(Parser *p)
{
    int first = p->pos++;
    Py_ssize_t base = p->n_scratch;
    AstNode *value = subject(p);
    if (value == NULL) {
        return NULL;
    }
    if (!accept(p, TOK_COLON)) {
        if (diagnosing(p) && peek(p) == TOK_NEWLINE
            && _PyParse_CheckVersion(p, 10, "Pattern matching is"))
        {
            _PyParse_Raise(p, PyExc_SyntaxError, "expected ':'");
        }
        return NULL;
    }
    if (!accept(p, TOK_NEWLINE)) {
        return NULL;
    }
    if (!accept(p, TOK_INDENT)) {
        if (diagnosing(p) && !p->failed) {
            _PyParse_Raise(p, PyExc_IndentationError, "expected an indented block "
                           "after 'match' statement on line %d",
                           p->tokens[first].lineno);
        }
        return NULL;
    }
    do {
        AstNode *block = case_block(p);
        if (block == NULL || !_PyParse_Push(p, block)) {
            return NULL;
        }
    } while (peek(p) != TOK_DEDENT && !p->failed);
    if (p->failed || p->n_scratch == base || !accept(p, TOK_DEDENT)) {
        p->n_scratch = base;
        return NULL;
    }
    AstSeq *cases = _PyParse_PopSeq(p, base);
    if (cases == NULL || !_PyParse_CheckVersion(p, 10, "Pattern matching is")) {
        return NULL;
    }
    return NEW(Match, span(p, first), value, cases);
}
