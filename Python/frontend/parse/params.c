/* Parameters of functions and lambdas. */

#include "parser.h"

/* The parameters collected so far. */
typedef struct {
    AstSeq *posonly;
    AstNode *vararg;
    AstNode *kwarg;
    Py_ssize_t base;            /* in scratch: (arg, default) pairs */
    Py_ssize_t n_positional;    /* pairs before '*', without posonly */
    Py_ssize_t n_posonly;
    int seen_star;
    int seen_default;
} Parameters;

static AstNode *
parameter(Parser *p, int lambda, int star_annotation)
{
    int first = p->pos;
    if (peek(p) != TOK_NAME) {
        return NULL;
    }
    PyObject *name = _PyParse_Name(p, &p->tokens[p->pos]);
    p->pos++;
    AstNode *annotation = NULL;
    if (name == NULL) {
        return NULL;
    }
    if (!lambda && accept(p, TOK_COLON)) {
        annotation = star_annotation ? _PyParse_StarExpression(p)
            : _PyParse_Expression(p);
        if (annotation == NULL) {
            return NULL;
        }
    }
    return p->failed ? NULL : NEW(arg, span(p, first), name, annotation, NULL);
}

/* `# type:` after a parameter and its comma. */
static void
parameter_type_comment(Parser *p, AstNode *arg)
{
    if (p->tok.type_comments && peek(p) == TOK_TYPE_COMMENT) {
        Token *token = &p->tokens[p->pos++];
        AST_AS(arg, arg)->type_comment =
            _PyParse_Keep(p, PyUnicode_DecodeUTF8(token->start, token->length, NULL));
    }
}

static AstNode *
finish_parameters(Parser *p, Parameters *all)
{
    AstNode **pairs = p->scratch ? (AstNode **)p->scratch + all->base : NULL;
    Py_ssize_t n = (p->n_scratch - all->base) / 2;
    Py_ssize_t n_positional = all->seen_star ? all->n_positional : n;
    Py_ssize_t n_kwonly = n - n_positional, n_defaults = 0;
    p->n_scratch = all->base;
    for (Py_ssize_t i = 0; i < n_positional; i++) {
        n_defaults += pairs[2 * i + 1] != NULL;
    }
    AstSeq *posonly = _PyAst_NewSeq(p->arena, all->n_posonly);
    AstSeq *args = _PyAst_NewSeq(p->arena, n_positional - all->n_posonly);
    AstSeq *kwonly = _PyAst_NewSeq(p->arena, n_kwonly);
    AstSeq *kw_defaults = _PyAst_NewSeq(p->arena, n_kwonly);
    AstSeq *defaults = _PyAst_NewSeq(p->arena, n_defaults);
    if (!posonly || !args || !kwonly || !kw_defaults || !defaults) {
        return _PyParse_NoMemory(p);
    }
    Py_ssize_t d = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        AstNode *arg = pairs[2 * i], *value = pairs[2 * i + 1];
        if (i >= n_positional) {
            kwonly->items[i - n_positional] = arg;
            kw_defaults->items[i - n_positional] = value;
            continue;
        }
        if (i < all->n_posonly) {
            posonly->items[i] = arg;
        }
        else {
            args->items[i - all->n_posonly] = arg;
        }
        if (value != NULL) {
            defaults->items[d++] = value;
        }
    }
    AstPos pos = {0, 0, 0, 0};
    return NEW(arguments, pos, posonly, args, all->vararg, kwonly, kw_defaults,
               all->kwarg, defaults);
}

/* `*`, `*args` or `**kwargs`. Returns 0 if it is wrong. */
static int
star_parameter(Parser *p, Parameters *all, int lambda)
{
    if (accept(p, TOK_DOUBLESTAR)) {
        all->kwarg = parameter(p, lambda, 0);
        return all->kwarg != NULL;
    }
    p->pos++;
    if (all->seen_star) {
        return 0;
    }
    all->seen_star = 1;
    all->n_positional = (p->n_scratch - all->base) / 2;
    if (peek(p) == TOK_COMMA) {
        /* A bare star needs a name after it. */
        return peek_second(p) == TOK_NAME;
    }
    all->vararg = parameter(p, lambda, 1);
    return all->vararg != NULL;
}

static AstNode *
parameters(Parser *p, int lambda)
{
    Parameters all = {.base = p->n_scratch};
    int slash = 0;
    TokenType close = lambda ? TOK_COLON : TOK_RPAR;
    while (peek(p) != close) {
        AstNode *arg = NULL, *value = NULL;
        TokenType type = peek(p);
        if (type == TOK_STAR || type == TOK_DOUBLESTAR) {
            if (!star_parameter(p, &all, lambda)) {
                return NULL;
            }
            arg = all.kwarg != NULL ? all.kwarg : all.vararg;
        }
        else if (type == TOK_SLASH) {
            Py_ssize_t n = (p->n_scratch - all.base) / 2;
            if (slash || all.seen_star || n == 0) {
                return NULL;
            }
            p->pos++;
            slash = 1;
            all.n_posonly = n;
            if (!_PyParse_CheckVersion(p, 8, "Positional-only parameters are")) {
                return NULL;
            }
        }
        else {
            arg = parameter(p, lambda, 0);
            if (arg == NULL) {
                return NULL;
            }
            if (accept(p, TOK_EQUAL)) {
                /* python3.11's parser passes through 6 rules here; they count as nesting. */
                if (!_PyParse_Enter(p, 6)) {
                    return NULL;
                }
                value = _PyParse_Expression(p);
                p->depth -= 6;
                if (value == NULL) {
                    return NULL;
                }
                all.seen_default = 1;
            }
            else if (all.seen_default && !all.seen_star) {
                peek(p);
                return NULL;
            }
            if (!_PyParse_Push(p, arg) || !_PyParse_Push(p, value)) {
                return NULL;
            }
        }
        int comma = accept(p, TOK_COMMA);
        if (arg != NULL && !lambda) {
            parameter_type_comment(p, arg);
        }
        if (p->failed) {
            return NULL;
        }
        if (!comma || all.kwarg != NULL) {
            break;
        }
    }
    if (p->failed || peek(p) != close) {
        return NULL;
    }
    return finish_parameters(p, &all);
}

AstNode *
_PyParse_Parameters(Parser *p, int lambda)
{
    Py_ssize_t base = p->n_scratch;
    int first = p->pos;
    if (diagnosing(p) && !_PyDiag_Parameters(p, lambda)) {
        return NULL;
    }
    p->pos = first;
    AstNode *result = parameters(p, lambda);
    p->n_scratch = base;
    return result;
}
