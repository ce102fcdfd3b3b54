/* Expressions, from `a, *b` down to atoms.

   Binary operators are parsed by precedence climbing. Every level that the second pass
   may reach in more than one way remembers its result (see parser.h). */

#include "parser.h"

/* Runs parse(p), through the memo once it is in use. */
static inline AstNode *
remembered(Parser *p, MemoRule rule, AstNode *(*parse)(Parser *))
{
    void *result;
    int first = p->pos;
    if (p->remembering && _PyParse_GetMemo(p, rule, &result)) {
        return result;
    }
    result = parse(p);
    return p->remembering ? _PyParse_SetMemo(p, rule, first, result) : result;
}

/* ------------------------------------------------------------------ targets */

int
_PyParse_SetContext(AstNode *e, AstKind ctx)
{
    switch (e->kind) {
    case AST_Name:
        AST_AS(Name, e)->ctx = ctx;
        return 1;
    case AST_Attribute:
        AST_AS(Attribute, e)->ctx = ctx;
        return 1;
    case AST_Subscript:
        AST_AS(Subscript, e)->ctx = ctx;
        return 1;
    case AST_Starred:
        AST_AS(Starred, e)->ctx = ctx;
        return ctx != AST_Del && _PyParse_SetContext(AST_AS(Starred, e)->value, ctx);
    case AST_Tuple:
    case AST_List: {
        Ast_Tuple *tuple = (Ast_Tuple *)e;      /* List has the same fields */
        tuple->ctx = ctx;
        for (Py_ssize_t i = 0; i < tuple->elts->size; i++) {
            if (!_PyParse_SetContext(tuple->elts->items[i], ctx)) {
                return 0;
            }
        }
        return 1;
    }
    default:
        return 0;
    }
}

/* One target, with or without '*', in Store context. */
AstNode *
_PyParse_StarTarget(Parser *p)
{
    int first = p->pos;
    AstNode *e;
    if (accept(p, TOK_STAR)) {
        if (peek(p) == TOK_STAR || (e = _PyParse_Primary(p)) == NULL) {
            return NULL;
        }
        e = NEW(Starred, span(p, first), e, AST_Store);
    }
    else {
        e = _PyParse_Primary(p);
    }
    if (e == NULL || !_PyParse_SetContext(e, AST_Store)) {
        return NULL;
    }
    return e;
}

/* ------------------------------------------------- sequences of expressions */

/* More of `e, ...` after the first element, with `element`; a Tuple. */
static AstNode *
finish_tuple_in(Parser *p, int first, AstNode *e, AstNode *(*element)(Parser *), int context)
{
    Py_ssize_t base = p->n_scratch;
    if (!_PyParse_Push(p, e)) {
        return NULL;
    }
    while (accept(p, TOK_COMMA)) {
        int after_comma = p->pos;
        e = element(p);
        if (e == NULL) {
            if (p->failed) {
                return NULL;
            }
            p->pos = after_comma;
            break;
        }
        if (!_PyParse_Push(p, e)) {
            return NULL;
        }
    }
    AstSeq *elts = _PyParse_PopSeq(p, base);
    return elts == NULL ? NULL : NEW(Tuple, span(p, first), elts, context);
}

static AstNode *
finish_tuple(Parser *p, int first, AstNode *e, AstNode *(*element)(Parser *))
{
    return finish_tuple_in(p, first, e, element, AST_Load);
}

/* One element, or a tuple of those between commas. */
static inline AstNode *
one_or_tuple(Parser *p, AstNode *(*element)(Parser *), int context)
{
    int first = p->pos;
    AstNode *e = element(p);
    if (e == NULL || peek(p) != TOK_COMMA) {
        return p->failed ? NULL : e;
    }
    return finish_tuple_in(p, first, e, element, context);
}

AstNode *
_PyParse_StarTargets(Parser *p)
{
    return one_or_tuple(p, _PyParse_StarTarget, AST_Store);
}

static AstNode *
star_expression(Parser *p)
{
    int first = p->pos;
    if (!accept(p, TOK_STAR)) {
        return _PyParse_Expression(p);
    }
    AstNode *e = _PyParse_BitwiseOr(p);
    return e == NULL ? NULL : NEW(Starred, span(p, first), e, AST_Load);
}

AstNode *
_PyParse_StarExpression(Parser *p)
{
    return remembered(p, MEMO_STAR_EXPRESSION, star_expression);
}

static AstNode *
star_expressions(Parser *p)
{
    return one_or_tuple(p, _PyParse_StarExpression, AST_Load);
}

AstNode *
_PyParse_StarExpressions(Parser *p)
{
    return remembered(p, MEMO_STAR_EXPRESSIONS, star_expressions);
}

AstNode *
_PyParse_Expressions(Parser *p)
{
    return one_or_tuple(p, _PyParse_Expression, AST_Load);
}

AstNode *
_PyParse_StarNamedExpression(Parser *p)
{
    int first = p->pos;
    if (!accept(p, TOK_STAR)) {
        return _PyParse_NamedExpression(p);
    }
    AstNode *e = _PyParse_BitwiseOr(p);
    return e == NULL ? NULL : NEW(Starred, span(p, first), e, AST_Load);
}

AstSeq *
_PyParse_StarNamedExpressions(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    do {
        int first = p->pos;
        AstNode *e = _PyParse_StarNamedExpression(p);
        if (e == NULL) {
            if (p->failed) {
                return NULL;
            }
            p->pos = first;
            break;
        }
        if (!_PyParse_Push(p, e)) {
            return NULL;
        }
    } while (accept(p, TOK_COMMA));
    return _PyParse_PopSeq(p, base);
}

AstNode *
_PyParse_Yield(Parser *p)
{
    int first = p->pos;
    if (!accept(p, KW_YIELD)) {
        return NULL;
    }
    AstNode *e;
    if (accept(p, KW_FROM)) {
        e = _PyParse_Expression(p);
        return e == NULL ? NULL : NEW(YieldFrom, span(p, first), e);
    }
    int after = p->pos;
    e = _PyParse_StarExpressions(p);
    if (p->failed) {
        return NULL;
    }
    if (e == NULL) {
        p->pos = after;
    }
    return NEW(Yield, span(p, first), e);
}

/* --------------------------- name := value, conditional expressions, lambda */

/* `name := value`, or NULL with pos unchanged if there is none. *cut is set if it began
   like one. */
static AstNode *
assignment_expression(Parser *p, int *cut)
{
    int first = p->pos;
    *cut = 0;
    if (peek(p) != TOK_NAME || peek_second(p) != TOK_COLONEQUAL) {
        return NULL;
    }
    *cut = 1;
    if (!_PyParse_CheckVersion(p, 8, "Assignment expressions are")) {
        return NULL;
    }
    PyObject *id = _PyParse_Name(p, &p->tokens[first]);
    if (id == NULL) {
        return NULL;
    }
    p->pos++;
    AstNode *target = NEW(Name, span(p, first), id, AST_Store);
    p->pos++;
    AstNode *value = target == NULL ? NULL : _PyParse_Expression(p);
    return value == NULL ? NULL : NEW(NamedExpr, span(p, first), target, value);
}

static AstNode *
named_expression(Parser *p)
{
    int cut;
    AstNode *e = assignment_expression(p, &cut);
    if (cut || p->failed) {
        return e;
    }
    if (diagnosing(p) && !_PyDiag_NamedExpression(p)) {
        return NULL;
    }
    e = _PyParse_Expression(p);
    if (e == NULL || peek(p) == TOK_COLONEQUAL || p->failed) {
        return NULL;
    }
    return e;
}

AstNode *
_PyParse_NamedExpression(Parser *p)
{
    return remembered(p, MEMO_NAMED_EXPRESSION, named_expression);
}

static AstNode *
lambda(Parser *p)
{
    int first = p->pos;
    p->pos++;
    AstNode *args = _PyParse_Parameters(p, 1);
    if (args == NULL || !accept(p, TOK_COLON)) {
        return NULL;
    }
    AstNode *body = _PyParse_Expression(p);
    return body == NULL ? NULL : NEW(Lambda, span(p, first), args, body);
}

static AstNode *
expression(Parser *p)
{
    int first = p->pos;
    if (peek(p) == KW_LAMBDA) {
        if (!_PyParse_Enter(p, 1)) {
            return NULL;
        }
        AstNode *e = remembered(p, MEMO_LAMBDA, lambda);
        p->depth--;
        return e;
    }
    AstNode *body = _PyParse_Disjunction(p);
    if (body == NULL || peek(p) != KW_IF) {
        return p->failed ? NULL : body;
    }
    int end = p->pos;
    p->pos++;
    AstNode *test = _PyParse_Disjunction(p);
    AstNode *orelse = NULL;
    if (test != NULL && accept(p, KW_ELSE)) {
        orelse = _PyParse_Expression(p);
    }
    if (p->failed) {
        return NULL;
    }
    if (orelse == NULL) {
        /* Inside a comprehension the `if` belongs to the comprehension. */
        p->pos = end;
        return body;
    }
    return NEW(IfExp, span(p, first), test, body, orelse);
}

static AstNode *
expression_diagnosed(Parser *p)
{
    if (!p->without_diagnosis && !_PyDiag_Expression(p)) {
        return NULL;
    }
    return expression(p);
}

AstNode *
_PyParse_Expression(Parser *p)
{
    if (!_PyParse_Enter(p, 1)) {
        return NULL;
    }
    AstNode *e = remembered(p, MEMO_EXPRESSION,
                            p->diagnosing ? expression_diagnosed : expression);
    p->depth--;
    return e;
}

AstNode *
_PyParse_PlainExpression(Parser *p)
{
    return expression(p);
}

/* ---------------------------------------- boolean operators and comparisons */

/* operand (keyword operand)* */
static inline AstNode *
bool_op(Parser *p, TokenType keyword, AstKind op, AstNode *(*operand)(Parser *))
{
    int first = p->pos;
    AstNode *e = operand(p);
    if (e == NULL || peek(p) != keyword) {
        return p->failed ? NULL : e;
    }
    Py_ssize_t base = p->n_scratch;
    if (!_PyParse_Push(p, e)) {
        return NULL;
    }
    int end = p->pos;
    while (accept(p, keyword)) {
        AstNode *next = operand(p);
        if (next == NULL) {
            if (p->failed) {
                return NULL;
            }
            p->pos = end;
            break;
        }
        if (!_PyParse_Push(p, next)) {
            return NULL;
        }
        end = p->pos;
    }
    if (p->n_scratch - base == 1) {
        p->n_scratch = base;
        return e;
    }
    AstSeq *values = _PyParse_PopSeq(p, base);
    return values == NULL ? NULL : NEW(BoolOp, span(p, first), op, values);
}

/* The comparison operator at pos, which is skipped. AST_none if there is none. */
static AstKind
comparison_operator(Parser *p)
{
    switch (peek(p)) {
    case TOK_EQEQUAL: p->pos++; return AST_Eq;
    case TOK_LESS: p->pos++; return AST_Lt;
    case TOK_GREATER: p->pos++; return AST_Gt;
    case TOK_LESSEQUAL: p->pos++; return AST_LtE;
    case TOK_GREATEREQUAL: p->pos++; return AST_GtE;
    case KW_IN: p->pos++; return AST_In;
    case TOK_NOTEQUAL: {
        const Token *token = &p->tokens[p->pos];
        int old_style = token->start[0] == '<';
        if (p->flags & CO_FUTURE_BARRY_AS_BDFL) {
            if (!old_style) {
                _PyParse_Raise(p, PyExc_SyntaxError,
                               "with Barry as BDFL, use '<>' instead of '!='");
                return AST_none;
            }
        }
        else if (old_style) {
            return AST_none;
        }
        p->pos++;
        return AST_NotEq;
    }
    case KW_IS:
        p->pos++;
        return accept(p, KW_NOT) ? AST_IsNot : AST_Is;
    case KW_NOT:
        p->pos++;
        if (accept(p, KW_IN)) {
            return AST_NotIn;
        }
        p->pos--;
        return AST_none;
    default:
        return AST_none;
    }
}

static AstNode *
comparison(Parser *p)
{
    int first = p->pos;
    AstNode *left = _PyParse_BitwiseOr(p);
    if (left == NULL) {
        return NULL;
    }
    int end = p->pos;
    AstKind op = comparison_operator(p);
    if (op == AST_none) {
        return p->failed ? NULL : left;
    }
    Py_ssize_t base = p->n_scratch;
    while (op != AST_none) {
        AstNode *operand = _PyParse_BitwiseOr(p);
        if (operand == NULL) {
            break;
        }
        if (!_PyParse_Push(p, operand) || !_PyParse_Push(p, (void *)(uintptr_t)op)) {
            return NULL;
        }
        end = p->pos;
        op = comparison_operator(p);
    }
    if (p->failed) {
        return NULL;
    }
    p->pos = end;
    Py_ssize_t n = (p->n_scratch - base) / 2;
    p->n_scratch = base;
    if (n == 0) {
        return left;
    }
    AstSeq *operands = _PyAst_NewSeq(p->arena, n);
    AstOpSeq *ops = _PyAst_NewOpSeq(p->arena, n);
    if (operands == NULL || ops == NULL) {
        return _PyParse_NoMemory(p);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        operands->items[i] = p->scratch[base + 2 * i];
        ops->items[i] = (AstKind)(uintptr_t)p->scratch[base + 2 * i + 1];
    }
    return NEW(Compare, span(p, first), left, ops, operands);
}

static AstNode *
inversion(Parser *p)
{
    if (peek(p) != KW_NOT) {
        return remembered(p, MEMO_COMPARISON, comparison);
    }
    int first = p->pos++;
    if (!_PyParse_Enter(p, 1)) {
        return NULL;
    }
    AstNode *e = remembered(p, MEMO_INVERSION, inversion);
    p->depth--;
    return e == NULL ? NULL : NEW(UnaryOp, span(p, first), AST_Not, e);
}

static AstNode *
inversion_remembered(Parser *p)
{
    return remembered(p, MEMO_INVERSION, inversion);
}

static AstNode *
conjunction(Parser *p)
{
    return bool_op(p, KW_AND, AST_And, inversion_remembered);
}

static AstNode *
conjunction_remembered(Parser *p)
{
    return remembered(p, MEMO_CONJUNCTION, conjunction);
}

static AstNode *
disjunction(Parser *p)
{
    return bool_op(p, KW_OR, AST_Or, conjunction_remembered);
}

AstNode *
_PyParse_Disjunction(Parser *p)
{
    return remembered(p, MEMO_DISJUNCTION, disjunction);
}

/* --------------------------------------------------------------- arithmetic */

static const struct {
    unsigned char precedence;
    unsigned char op;
} binary_operators[TOK_TYPE_COUNT] = {
    [TOK_VBAR] = {1, AST_BitOr}, [TOK_CIRCUMFLEX] = {2, AST_BitXor},
    [TOK_AMPER] = {3, AST_BitAnd}, [TOK_LEFTSHIFT] = {4, AST_LShift},
    [TOK_RIGHTSHIFT] = {4, AST_RShift}, [TOK_PLUS] = {5, AST_Add},
    [TOK_MINUS] = {5, AST_Sub}, [TOK_STAR] = {6, AST_Mult}, [TOK_SLASH] = {6, AST_Div},
    [TOK_DOUBLESLASH] = {6, AST_FloorDiv}, [TOK_PERCENT] = {6, AST_Mod},
    [TOK_AT] = {6, AST_MatMult},
};

static AstNode *await_primary(Parser *p);

static AstNode *
factor(Parser *p)
{
    AstKind op;
    int first = p->pos;
    switch (peek(p)) {
    case TOK_PLUS: op = AST_UAdd; break;
    case TOK_MINUS: op = AST_USub; break;
    case TOK_TILDE: op = AST_Invert; break;
    case TOK_ERROR: return NULL;
    default: {
        AstNode *e = await_primary(p);
        if (e == NULL || peek(p) != TOK_DOUBLESTAR) {
            return p->failed ? NULL : e;
        }
        int end = p->pos++;
        if (!_PyParse_Enter(p, 2)) {
            return NULL;
        }
        AstNode *exponent = remembered(p, MEMO_FACTOR, factor);
        p->depth -= 2;
        if (exponent == NULL) {
            p->pos = end;
            return p->failed ? NULL : e;
        }
        return NEW(BinOp, span(p, first), e, AST_Pow, exponent);
    }
    }
    p->pos++;
    if (!_PyParse_Enter(p, 1)) {
        return NULL;
    }
    AstNode *e = remembered(p, MEMO_FACTOR, factor);
    p->depth--;
    return e == NULL ? NULL : NEW(UnaryOp, span(p, first), op, e);
}

static AstNode *
binary(Parser *p, int precedence)
{
    int first = p->pos;
    AstNode *left = remembered(p, MEMO_FACTOR, factor);
    if (left == NULL) {
        return NULL;
    }
    for (;;) {
        TokenType type = peek(p);
        int found = binary_operators[type].precedence;
        if (found < precedence || found == 0) {
            return p->failed ? NULL : left;
        }
        int end = p->pos++;
        AstNode *right = binary(p, found + 1);
        if (right == NULL) {
            p->pos = end;
            return p->failed ? NULL : left;
        }
        AstKind op = binary_operators[type].op;
        if (op == AST_MatMult
            && !_PyParse_CheckVersion(p, 5, "The '@' operator is"))
        {
            return NULL;
        }
        left = NEW(BinOp, span(p, first), left, op, right);
        if (left == NULL) {
            return NULL;
        }
    }
}

static AstNode *
bitwise_or(Parser *p)
{
    return binary(p, 1);
}

AstNode *
_PyParse_BitwiseOr(Parser *p)
{
    return remembered(p, MEMO_BITWISE_OR, bitwise_or);
}

static AstNode *
await_primary(Parser *p)
{
    int first = p->pos;
    if (!accept(p, TOK_AWAIT)) {
        return _PyParse_Primary(p);
    }
    AstNode *e = _PyParse_Primary(p);
    if (e == NULL || !_PyParse_CheckVersion(p, 5, "Await expressions are")) {
        return NULL;
    }
    return NEW(Await, span(p, first), e);
}

/* ---------------------------------------------------------------- primaries */

static AstNode *
slice(Parser *p)
{
    int first = p->pos;
    AstNode *lower = NULL, *upper = NULL, *step = NULL;
    if (peek(p) != TOK_COLON) {
        if (peek(p) == TOK_NAME && peek_second(p) == TOK_COLONEQUAL) {
            return _PyParse_NamedExpression(p);
        }
        lower = _PyParse_Expression(p);
        if (p->failed) {
            return NULL;
        }
        if (lower == NULL || peek(p) != TOK_COLON) {
            if (diagnosing(p)) {
                p->pos = first;
                return _PyParse_NamedExpression(p);
            }
            return lower == NULL || peek(p) == TOK_COLONEQUAL ? NULL : lower;
        }
    }
    p->pos++;
    for (int i = 0; i < 2; i++) {
        int here = p->pos;
        AstNode *e = NULL;
        TokenType type = peek(p);
        if (type != TOK_RSQB && type != TOK_COMMA && type != TOK_COLON) {
            e = _PyParse_Expression(p);
            if (e == NULL) {
                if (p->failed) {
                    return NULL;
                }
                p->pos = here;
            }
        }
        if (i == 0) {
            upper = e;
            if (!accept(p, TOK_COLON)) {
                break;
            }
        }
        else {
            step = e;
        }
    }
    return p->failed ? NULL : NEW(Slice, span(p, first), lower, upper, step);
}

static AstNode *
slice_or_starred(Parser *p)
{
    int first = p->pos;
    if (!accept(p, TOK_STAR)) {
        return slice(p);
    }
    AstNode *e = _PyParse_Expression(p);
    return e == NULL ? NULL : NEW(Starred, span(p, first), e, AST_Load);
}

static AstNode *
slices(Parser *p)
{
    int first = p->pos;
    AstNode *e = slice_or_starred(p);
    if (e == NULL || (peek(p) != TOK_COMMA && e->kind != AST_Starred)) {
        return p->failed ? NULL : e;
    }
    return finish_tuple(p, first, e, slice_or_starred);
}

static AstNode *
keyword_argument(Parser *p, PyObject *name)
{
    int first = p->pos;
    p->pos += 2;
    AstNode *value = _PyParse_Expression(p);
    return value == NULL ? NULL : NEW(keyword, span(p, first), name, value);
}

/* One argument of a call. `stage` says what came before: 0 only positional arguments, 1
   keywords, 2 `**`. Returns a keyword or an expression. */
static AstNode *
argument(Parser *p, int stage)
{
    int first = p->pos;
    TokenType type = peek(p);
    AstNode *e;
    if (type == TOK_STAR) {
        if (stage == 2) {
            return NULL;
        }
        p->pos++;
        e = _PyParse_Expression(p);
        return e == NULL ? NULL : NEW(Starred, span(p, first), e, AST_Load);
    }
    if (type == TOK_DOUBLESTAR) {
        p->pos++;
        e = _PyParse_Expression(p);
        return e == NULL ? NULL : NEW(keyword, span(p, first), NULL, e);
    }
    if (type == TOK_NAME && peek_second(p) == TOK_EQUAL) {
        if (diagnosing(p) && !_PyDiag_KeywordArgument(p)) {
            return NULL;
        }
        PyObject *name = _PyParse_Name(p, &p->tokens[first]);
        return name == NULL ? NULL : keyword_argument(p, name);
    }
    if (stage == 0) {
        int cut;
        e = assignment_expression(p, &cut);
        if (!cut && !p->failed) {
            e = _PyParse_Expression(p);
            if (e != NULL && peek(p) == TOK_COLONEQUAL) {
                e = NULL;
            }
        }
        if (p->failed) {
            return NULL;
        }
        if (e != NULL && peek(p) != TOK_EQUAL) {
            return e;
        }
        p->pos = first;
    }
    if (diagnosing(p) && type != TOK_RPAR) {
        _PyDiag_KeywordArgument(p);
    }
    return NULL;
}

AstNode *
_PyParse_Args(Parser *p)
{
    int first = p->pos, stage = 0, end = p->pos;
    Py_ssize_t base = p->n_scratch, n_keywords = 0;
    do {
        AstNode *e = argument(p, stage);
        if (e == NULL) {
            break;
        }
        if (e->kind == AST_keyword) {
            n_keywords++;
            stage = AST_AS(keyword, e)->arg == NULL ? 2 : Py_MAX(stage, 1);
        }
        if (!_PyParse_Push(p, e)) {
            return NULL;
        }
        end = p->pos;
    } while (accept(p, TOK_COMMA));
    if (p->failed) {
        return NULL;
    }
    p->pos = end;
    Py_ssize_t n = p->n_scratch - base;
    p->n_scratch = base;
    if (n == 0) {
        return NULL;
    }
    AstSeq *args = _PyAst_NewSeq(p->arena, n - n_keywords);
    AstSeq *keywords = _PyAst_NewSeq(p->arena, n_keywords);
    if (args == NULL || keywords == NULL) {
        return _PyParse_NoMemory(p);
    }
    Py_ssize_t a = 0, k = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        AstNode *e = p->scratch[base + i];
        if (e->kind == AST_keyword) {
            keywords->items[k++] = e;
        }
        else {
            args->items[a++] = e;
        }
    }
    return NEW(Call, span(p, first), NULL, args, keywords);
}

static AstNode *genexp_in_parens(Parser *p);

/* The arguments and ')', after `func` and '('. */
static AstNode *
call(Parser *p, int first, AstNode *func)
{
    int open = p->pos;
    if (diagnosing(p)) {
        AstNode *genexp = genexp_in_parens(p);
        if (p->failed) {
            return NULL;
        }
        if (genexp != NULL) {
            AstSeq *args = _PyParse_SeqOfOne(p, genexp);
            return args == NULL ? NULL
                : NEW(Call, span(p, first), func, args, &_PyAst_EmptySeq);
        }
        p->pos = open;
    }
    p->pos++;
    if (accept(p, TOK_RPAR)) {
        return NEW(Call, span(p, first), func, &_PyAst_EmptySeq, &_PyAst_EmptySeq);
    }
    int start = p->pos;
    AstNode *args = _PyParse_Args(p);
    if (p->failed) {
        return NULL;
    }
    if (args != NULL) {
        Ast_Call *result = AST_AS(Call, args);
        TokenType type = peek(p);
        if (type == KW_FOR || type == TOK_ASYNC) {
            if (result->args->size == 1 && result->keywords->size == 0
                && result->args->items[0]->kind != AST_Starred)
            {
                AstSeq *clauses = _PyParse_ForIfClauses(p);
                if (clauses != NULL && accept(p, TOK_RPAR)) {
                    AstNode *e = NEW(GeneratorExp, span(p, open),
                                     result->args->items[0], clauses);
                    if (e == NULL) {
                        return NULL;
                    }
                    result->args->items[0] = e;
                    result->func = func;
                    args->pos = span(p, first);
                    return args;
                }
            }
        }
        else {
            accept(p, TOK_COMMA);
            if (accept(p, TOK_RPAR)) {
                result->func = func;
                args->pos = span(p, first);
                return args;
            }
        }
    }
    if (diagnosing(p) && !p->failed) {
        p->pos = start;
        _PyDiag_Arguments(p);
    }
    return NULL;
}

static AstNode *
primary(Parser *p)
{
    int first = p->pos;
    AstNode *e = remembered(p, MEMO_ATOM, _PyParse_Atom);
    while (e != NULL) {
        int end = p->pos;
        AstNode *whole = NULL;
        switch (peek(p)) {
        case TOK_DOT:
            p->pos++;
            if (peek(p) == TOK_NAME) {
                PyObject *attr = _PyParse_Name(p, &p->tokens[p->pos]);
                p->pos++;
                whole = attr == NULL ? NULL
                    : NEW(Attribute, span(p, first), e, attr, AST_Load);
            }
            break;
        case TOK_LPAR:
            whole = call(p, first, e);
            break;
        case TOK_LSQB: {
            p->pos++;
            AstNode *index = slices(p);
            if (index != NULL && accept(p, TOK_RSQB)) {
                whole = NEW(Subscript, span(p, first), e, index, AST_Load);
            }
            break;
        }
        default:
            return p->failed ? NULL : e;
        }
        if (whole == NULL) {
            p->pos = end;
            return p->failed ? NULL : e;
        }
        e = whole;
    }
    return NULL;
}

AstNode *
_PyParse_Primary(Parser *p)
{
    return remembered(p, MEMO_PRIMARY, primary);
}

/* ----------------------------------------------------------- comprehensions */

/* NULL without `failed` also if the clause is wrong after `in`. */
static AstNode *
for_if_clause(Parser *p)
{
    int first = p->pos;
    int is_async = accept(p, TOK_ASYNC);
    AstNode *target = NULL;
    if (accept(p, KW_FOR)) {
        target = _PyParse_StarTargets(p);
    }
    if (target == NULL || !accept(p, KW_IN)) {
        if (diagnosing(p) && !p->failed) {
            p->pos = first;
            _PyDiag_ForTarget(p);
        }
        return NULL;
    }
    AstNode *iter = _PyParse_Disjunction(p);
    if (iter == NULL) {
        return NULL;
    }
    Py_ssize_t base = p->n_scratch;
    int end = p->pos;
    while (accept(p, KW_IF)) {
        AstNode *test = _PyParse_Disjunction(p);
        if (test == NULL) {
            if (p->failed) {
                return NULL;
            }
            p->pos = end;
            break;
        }
        if (!_PyParse_Push(p, test)) {
            return NULL;
        }
        end = p->pos;
    }
    AstSeq *ifs = p->failed ? NULL : _PyParse_PopSeq(p, base);
    if (ifs == NULL
        || (is_async && !_PyParse_CheckVersion(p, 6, "Async comprehensions are")))
    {
        return NULL;
    }
    return NEW(comprehension, span(p, first), target, iter, ifs, is_async);
}

AstSeq *
_PyParse_ForIfClauses(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    while (peek(p) == KW_FOR || peek(p) == TOK_ASYNC) {
        int first = p->pos;
        AstNode *clause = for_if_clause(p);
        if (clause == NULL) {
            if (p->failed || p->n_scratch == base) {
                p->n_scratch = base;
                return NULL;
            }
            p->pos = first;
            break;
        }
        if (!_PyParse_Push(p, clause)) {
            return NULL;
        }
    }
    if (p->failed || p->n_scratch == base) {
        return NULL;
    }
    return _PyParse_PopSeq(p, base);
}

/* '(' element clauses ')' */
static AstNode *
genexp_in_parens(Parser *p)
{
    int first = p->pos, cut;
    if (!accept(p, TOK_LPAR)) {
        return NULL;
    }
    AstNode *e = assignment_expression(p, &cut);
    if (!cut && !p->failed) {
        e = _PyParse_Expression(p);
        if (e != NULL && peek(p) == TOK_COLONEQUAL) {
            e = NULL;
        }
    }
    AstSeq *clauses = e == NULL ? NULL : _PyParse_ForIfClauses(p);
    if (clauses != NULL && accept(p, TOK_RPAR)) {
        return NEW(GeneratorExp, span(p, first), e, clauses);
    }
    if (diagnosing(p) && !p->failed) {
        p->pos = first;
        _PyDiag_Comprehension(p);
    }
    return NULL;
}

/* ---------------------------------------------------------- bracketed atoms */

static AstNode *
finish_comprehension(Parser *p, int first, AstNode *e, TokenType close)
{
    AstSeq *clauses = _PyParse_ForIfClauses(p);
    if (clauses == NULL || !accept(p, close)) {
        return NULL;
    }
    AstPos pos = span(p, first);
    switch (close) {
    case TOK_RPAR: return NEW(GeneratorExp, pos, e, clauses);
    case TOK_RSQB: return NEW(ListComp, pos, e, clauses);
    default: return NEW(SetComp, pos, e, clauses);
    }
}

static inline int
at_comprehension(Parser *p)
{
    TokenType type = peek(p);
    return type == KW_FOR || type == TOK_ASYNC;
}

/* Tuple, group or generator expression. */
static AstNode *
parenthesized(Parser *p)
{
    int first = p->pos++;
    TokenType type = peek(p);
    AstNode *e = NULL;
    if (accept(p, TOK_RPAR)) {
        return NEW(Tuple, span(p, first), &_PyAst_EmptySeq, AST_Load);
    }
    if (type == KW_YIELD) {
        e = _PyParse_Yield(p);
        return e != NULL && accept(p, TOK_RPAR) ? e : NULL;
    }
    e = _PyParse_StarNamedExpression(p);
    if (e == NULL) {
        return NULL;
    }
    if (peek(p) == TOK_COMMA) {
        e = finish_tuple(p, first, e, _PyParse_StarNamedExpression);
        if (e == NULL || !accept(p, TOK_RPAR)) {
            return NULL;
        }
        e->pos = span(p, first);
        return e;
    }
    if (e->kind == AST_Starred) {
        return NULL;
    }
    if (at_comprehension(p)) {
        return finish_comprehension(p, first, e, TOK_RPAR);
    }
    return accept(p, TOK_RPAR) ? e : NULL;
}

/* `key: value` or `**mapping` (key is NULL). Returns 0 if there is neither. */
static int
dict_pair(Parser *p, AstNode **key, AstNode **value)
{
    *key = NULL;
    if (accept(p, TOK_DOUBLESTAR)) {
        *value = _PyParse_BitwiseOr(p);
        return *value != NULL;
    }
    *key = _PyParse_Expression(p);
    if (*key == NULL || !accept(p, TOK_COLON)) {
        return 0;
    }
    *value = _PyParse_Expression(p);
    return *value != NULL;
}

static AstNode *
finish_dict(Parser *p, int first, AstNode *key, AstNode *value)
{
    if (at_comprehension(p)) {
        if (key == NULL) {
            return NULL;
        }
        AstSeq *clauses = _PyParse_ForIfClauses(p);
        return clauses != NULL && accept(p, TOK_RBRACE)
            ? NEW(DictComp, span(p, first), key, value, clauses) : NULL;
    }
    Py_ssize_t base = p->n_scratch;
    if (!_PyParse_Push(p, key) || !_PyParse_Push(p, value)) {
        return NULL;
    }
    while (accept(p, TOK_COMMA)) {
        if (peek(p) == TOK_RBRACE) {
            break;
        }
        if (!dict_pair(p, &key, &value)) {
            p->n_scratch = base;
            return NULL;
        }
        if (!_PyParse_Push(p, key) || !_PyParse_Push(p, value)) {
            return NULL;
        }
    }
    Py_ssize_t n = (p->n_scratch - base) / 2;
    p->n_scratch = base;
    if (!accept(p, TOK_RBRACE)) {
        return NULL;
    }
    AstSeq *keys = _PyAst_NewSeq(p->arena, n);
    AstSeq *values = _PyAst_NewSeq(p->arena, n);
    if (keys == NULL || values == NULL) {
        return _PyParse_NoMemory(p);
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        keys->items[i] = p->scratch[base + 2 * i];
        values->items[i] = p->scratch[base + 2 * i + 1];
    }
    return NEW(Dict, span(p, first), keys, values);
}

static AstNode *
set_or_comprehension(Parser *p, int first, AstNode *e)
{
    if (at_comprehension(p)) {
        return e->kind == AST_Starred ? NULL
            : finish_comprehension(p, first, e, TOK_RBRACE);
    }
    AstNode *tuple = finish_tuple(p, first, e, _PyParse_StarNamedExpression);
    if (tuple == NULL || !accept(p, TOK_RBRACE)) {
        return NULL;
    }
    return NEW(Set, span(p, first), AST_AS(Tuple, tuple)->elts);
}

static AstNode *
dict_or_set(Parser *p)
{
    int first = p->pos++;
    AstNode *key, *value;
    if (accept(p, TOK_RBRACE)) {
        return NEW(Dict, span(p, first), &_PyAst_EmptySeq, &_PyAst_EmptySeq);
    }
    TokenType type = peek(p);
    if (type == TOK_DOUBLESTAR) {
        return dict_pair(p, &key, &value) ? finish_dict(p, first, key, value) : NULL;
    }
    if (type == TOK_STAR || (type == TOK_NAME && peek_second(p) == TOK_COLONEQUAL)) {
        AstNode *e = _PyParse_StarNamedExpression(p);
        return e == NULL ? NULL : set_or_comprehension(p, first, e);
    }
    key = _PyParse_Expression(p);
    if (key == NULL) {
        return NULL;
    }
    if (accept(p, TOK_COLON)) {
        value = _PyParse_Expression(p);
        return value == NULL ? NULL : finish_dict(p, first, key, value);
    }
    return p->failed ? NULL : set_or_comprehension(p, first, key);
}

static AstNode *
braced(Parser *p)
{
    int first = p->pos;
    AstNode *e = dict_or_set(p);
    if (e == NULL && !p->failed) {
        p->remembering = 1;
        p->pos = first;
        _PyDiag_DictPairs(p);
    }
    return e;
}

static AstNode *
list_display(Parser *p)
{
    int first = p->pos++;
    if (accept(p, TOK_RSQB)) {
        return NEW(List, span(p, first), &_PyAst_EmptySeq, AST_Load);
    }
    AstNode *e = _PyParse_StarNamedExpression(p);
    if (e == NULL) {
        return NULL;
    }
    if (at_comprehension(p)) {
        return e->kind == AST_Starred ? NULL
            : finish_comprehension(p, first, e, TOK_RSQB);
    }
    AstNode *tuple = finish_tuple(p, first, e, _PyParse_StarNamedExpression);
    if (tuple == NULL || !accept(p, TOK_RSQB)) {
        return NULL;
    }
    return NEW(List, span(p, first), AST_AS(Tuple, tuple)->elts, AST_Load);
}

/* The second pass tries the possible meanings of a bracket one by one. */
static AstNode *
bracketed_diagnosed(Parser *p, TokenType type)
{
    int first = p->pos;
    AstNode *e;
    if (type == TOK_LPAR) {
        e = parenthesized(p);
        if (e == NULL && !p->failed) {
            p->pos = first;
            if (_PyDiag_Group(p)) {
                p->pos = first;
                e = genexp_in_parens(p);
            }
        }
        return e;
    }
    if (type == TOK_LSQB) {
        e = list_display(p);
        if (e == NULL && !p->failed) {
            p->pos = first;
            _PyDiag_Comprehension(p);
        }
        return e;
    }
    e = braced(p);
    if (e == NULL && !p->failed) {
        p->pos = first + 1;
        AstNode *element = _PyParse_StarNamedExpression(p);
        if (p->failed) {
            return NULL;
        }
        if (element != NULL && at_comprehension(p)) {
            _PyParse_ForIfClauses(p);
            if (p->failed) {
                return NULL;
            }
        }
        p->pos = first;
        if (_PyDiag_Comprehension(p)) {
            p->pos = first;
            _PyDiag_DictComprehension(p);
        }
    }
    return e;
}

/* -------------------------------------------------------------------- atoms */

static AstNode *
constant(Parser *p, PyObject *value)
{
    p->pos++;
    return NEW(Constant, token_pos(last_token(p)), value, NULL);
}

AstNode *
_PyParse_Atom(Parser *p)
{
    TokenType type = peek(p);
    switch (type) {
    case TOK_NAME: {
        Token *token = &p->tokens[p->pos++];
        PyObject *id = _PyParse_Name(p, token);
        return id == NULL ? NULL : NEW(Name, token_pos(token), id, AST_Load);
    }
    case TOK_NUMBER:
        p->pos++;
        return _PyParse_Number(p, last_token(p));
    case TOK_STRING:
        return remembered(p, MEMO_STRINGS, _PyParse_Strings);
    case KW_NONE:
        return constant(p, Py_None);
    case KW_TRUE:
        return constant(p, Py_True);
    case KW_FALSE:
        return constant(p, Py_False);
    case TOK_ELLIPSIS:
        return constant(p, Py_Ellipsis);
    case TOK_LPAR:
    case TOK_LSQB:
    case TOK_LBRACE: {
        if (!_PyParse_Enter(p, 3)) {
            return NULL;
        }
        Py_ssize_t base = p->n_scratch;
        AstNode *e = diagnosing(p) ? bracketed_diagnosed(p, type)
            : type == TOK_LPAR ? parenthesized(p)
            : type == TOK_LSQB ? list_display(p) : braced(p);
        p->n_scratch = base;
        p->depth -= 3;
        return e;
    }
    default:
        return NULL;
    }
}
