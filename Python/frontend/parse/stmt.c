/* Statements, blocks and whole inputs.

   Where a colon or an indented block is missing, both passes stop at the same place, so
   the messages for those are raised here rather than in diagnose.c. */

#include "parser.h"

#include <string.h>

static int push_statement(Parser *p);
static int simple_statements(Parser *p);
static AstSeq *statements(Parser *p);

/* --------------------------------------------- parts of compound statements */

/* ':' is required here, whatever comes next. */
static int
force_colon(Parser *p)
{
    if (accept(p, TOK_COLON)) {
        return 1;
    }
    if (!p->failed) {
        _PyParse_RaiseAt(p, PyExc_SyntaxError, token_pos(&p->tokens[p->pos]),
                         "expected ':'");
    }
    return 0;
}

/* ':'. A header that ends without it is reported in the second pass. */
static int
colon(Parser *p)
{
    if (accept(p, TOK_COLON)) {
        return 1;
    }
    if (diagnosing(p) && peek(p) == TOK_NEWLINE) {
        _PyParse_Raise(p, PyExc_SyntaxError, "expected ':'");
    }
    return 0;
}

AstSeq *
_PyParse_Block(Parser *p)
{
    if (!accept(p, TOK_NEWLINE)) {
        Py_ssize_t base = p->n_scratch;
        if (p->failed || !push_statement(p)) {
            return NULL;
        }
        return _PyParse_PopSeq(p, base);
    }
    if (!accept(p, TOK_INDENT)) {
        if (diagnosing(p)) {
            _PyParse_Raise(p, PyExc_IndentationError, "expected an indented block");
        }
        return NULL;
    }
    AstSeq *body = statements(p);
    return body != NULL && accept(p, TOK_DEDENT) ? body : NULL;
}

/* The block of the statement whose keyword is token `first`. */
static AstSeq *
block_of(Parser *p, int first, const char *what)
{
    if (peek(p) != TOK_NEWLINE) {
        Py_ssize_t base = p->n_scratch;
        if (p->failed || !simple_statements(p)) {
            return NULL;
        }
        return _PyParse_PopSeq(p, base);
    }
    if (diagnosing(p) && peek_second(p) != TOK_INDENT && !p->failed) {
        return _PyParse_Raise(p, PyExc_IndentationError,
                              "expected an indented block after %s on line %d",
                              what, p->tokens[first].lineno);
    }
    return _PyParse_Block(p);
}

/* The text of a type comment at pos, or NULL. */
static PyObject *
type_comment(Parser *p)
{
    if (!p->tok.type_comments || peek(p) != TOK_TYPE_COMMENT) {
        return NULL;
    }
    Token *token = &p->tokens[p->pos++];
    return _PyParse_Keep(p, PyUnicode_DecodeUTF8(token->start, token->length, NULL));
}

/* -------------------------------------------------------------- assignments */

static AstKind
augmented_operator(TokenType type)
{
    switch (type) {
    case TOK_PLUSEQUAL: return AST_Add;
    case TOK_MINEQUAL: return AST_Sub;
    case TOK_STAREQUAL: return AST_Mult;
    case TOK_ATEQUAL: return AST_MatMult;
    case TOK_SLASHEQUAL: return AST_Div;
    case TOK_PERCENTEQUAL: return AST_Mod;
    case TOK_AMPEREQUAL: return AST_BitAnd;
    case TOK_VBAREQUAL: return AST_BitOr;
    case TOK_CIRCUMFLEXEQUAL: return AST_BitXor;
    case TOK_LEFTSHIFTEQUAL: return AST_LShift;
    case TOK_RIGHTSHIFTEQUAL: return AST_RShift;
    case TOK_DOUBLESTAREQUAL: return AST_Pow;
    case TOK_DOUBLESLASHEQUAL: return AST_FloorDiv;
    default: return AST_none;
    }
}

static AstNode *
yield_or_star_expressions(Parser *p)
{
    return peek(p) == KW_YIELD ? _PyParse_Yield(p) : _PyParse_StarExpressions(p);
}

/* After `target`, at ':'. */
static AstNode *
annotated_assignment(Parser *p, int first, AstNode *target, int simple)
{
    p->pos++;
    _PyParse_SetContext(target, AST_Store);
    AstNode *annotation = _PyParse_Expression(p), *value = NULL;
    if (annotation == NULL) {
        return NULL;
    }
    int end = p->pos;
    if (accept(p, TOK_EQUAL)) {
        value = yield_or_star_expressions(p);
        if (value == NULL) {
            if (p->failed) {
                return NULL;
            }
            p->pos = end;
        }
    }
    if (p->failed || !_PyParse_CheckVersion(p, 6, "Variable annotation syntax is")) {
        return NULL;
    }
    return NEW(AnnAssign, span(p, first), target, annotation, value, simple);
}

/* After the first target, at '='. */
static AstNode *
assignment(Parser *p, int first, AstNode *e)
{
    Py_ssize_t base = p->n_scratch;
    while (accept(p, TOK_EQUAL)) {
        if (!_PyParse_SetContext(e, AST_Store) || !_PyParse_Push(p, e)) {
            return NULL;
        }
        e = yield_or_star_expressions(p);
        if (e == NULL) {
            return NULL;
        }
    }
    AstSeq *targets = _PyParse_PopSeq(p, base);
    PyObject *comment = type_comment(p);
    return targets == NULL || p->failed ? NULL
        : NEW(Assign, span(p, first), targets, e, comment);
}

static int
is_single_target(AstNode *e)
{
    return e->kind == AST_Name || e->kind == AST_Attribute || e->kind == AST_Subscript;
}

/* At ':' behind `target`. In (a)[0]: int the grammar takes (a) for the target, and never looks
   further. */
static int
may_be_annotated(Parser *p, int first, AstNode *target)
{
    if (!is_single_target(target)) {
        return 0;
    }
    if (p->tokens[first].type != TOK_LPAR) {
        return 1;
    }
    int colon = p->pos;
    p->pos = first + 1;
    AstNode *inner = _PyParse_Expression(p);
    int is_other = inner != NULL && is_single_target(inner) && accept(p, TOK_RPAR)
                   && p->pos != colon;
    p->pos = colon;
    return !p->failed && !is_other;
}

/* An assignment of any kind, or an expression. */
static AstNode *
expression_statement(Parser *p)
{
    int first = p->pos;
    AstNode *e;
    if (peek(p) == TOK_NAME && peek_second(p) == TOK_COLON) {
        e = _PyParse_Atom(p);
        return e == NULL ? NULL : annotated_assignment(p, first, e, 1);
    }
    e = yield_or_star_expressions(p);
    if (e == NULL) {
        return NULL;
    }
    TokenType type = peek(p);
    if (type == TOK_NEWLINE || type == TOK_SEMI) {
        return NEW(Expr, span(p, first), e);
    }
    if (type == TOK_EQUAL) {
        return assignment(p, first, e);
    }
    if (type == TOK_COLON) {
        return may_be_annotated(p, first, e) ? annotated_assignment(p, first, e, 0) : NULL;
    }
    AstKind op = augmented_operator(type);
    if (op == AST_none) {
        return p->failed ? NULL : NEW(Expr, span(p, first), e);
    }
    if (!is_single_target(e)) {
        return NULL;
    }
    p->pos++;
    _PyParse_SetContext(e, AST_Store);
    AstNode *value = yield_or_star_expressions(p);
    return value == NULL ? NULL : NEW(AugAssign, span(p, first), e, op, value);
}

/* The second pass: tries the possible mistakes in the order that decides the message. */
static AstNode *
expression_statement_diagnosed(Parser *p)
{
    int first = p->pos;
    AstNode *e = expression_statement(p);
    if (p->failed || (e != NULL && e->kind != AST_Expr)) {
        return p->failed ? NULL : e;
    }
    p->pos = first;
    if (!_PyDiag_Assignment(p)) {
        return NULL;
    }
    p->pos = first;
    e = yield_or_star_expressions(p);
    return e == NULL ? NULL : NEW(Expr, span(p, first), e);
}

/* -------------------------------------------------------- simple statements */

static AstNode *
dotted_name_alias(Parser *p)
{
    int first = p->pos;
    PyObject *name = NULL, *asname = NULL;
    if (peek(p) != TOK_NAME) {
        return NULL;
    }
    name = _PyParse_Name(p, &p->tokens[p->pos++]);
    while (name != NULL && accept(p, TOK_DOT)) {
        if (peek(p) != TOK_NAME) {
            return NULL;
        }
        PyObject *part = _PyParse_Name(p, &p->tokens[p->pos++]);
        if (part == NULL) {
            return NULL;
        }
        PyObject *whole = PyUnicode_FromFormat("%U.%U", name, part);
        if (whole != NULL) {
            PyUnicode_InternInPlace(&whole);
        }
        name = _PyParse_Keep(p, whole);
    }
    if (name == NULL) {
        return NULL;
    }
    if (accept(p, KW_AS)) {
        if (peek(p) != TOK_NAME) {
            return NULL;
        }
        asname = _PyParse_Name(p, &p->tokens[p->pos++]);
    }
    return p->failed ? NULL : NEW(alias, span(p, first), name, asname);
}

static AstNode *
import_statement(Parser *p)
{
    int first = p->pos++;
    Py_ssize_t base = p->n_scratch;
    do {
        AstNode *alias = dotted_name_alias(p);
        if (alias == NULL || !_PyParse_Push(p, alias)) {
            return NULL;
        }
    } while (accept(p, TOK_COMMA));
    AstSeq *names = p->failed ? NULL : _PyParse_PopSeq(p, base);
    return names == NULL ? NULL : NEW(Import, span(p, first), names);
}

static AstNode *
imported_name(Parser *p)
{
    int first = p->pos;
    PyObject *name, *asname = NULL;
    if (peek(p) != TOK_NAME) {
        return NULL;
    }
    name = _PyParse_Name(p, &p->tokens[p->pos++]);
    if (name != NULL && accept(p, KW_AS)) {
        if (peek(p) != TOK_NAME) {
            return NULL;
        }
        asname = _PyParse_Name(p, &p->tokens[p->pos++]);
    }
    return p->failed ? NULL : NEW(alias, span(p, first), name, asname);
}

static AstSeq *
imported_names(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    AstNode *alias;
    if (peek(p) == TOK_STAR) {
        PyObject *star = _PyParse_Keep(p, PyUnicode_InternFromString("*"));
        p->pos++;
        alias = star == NULL ? NULL : NEW(alias, token_pos(last_token(p)), star, NULL);
        return alias == NULL ? NULL : _PyParse_SeqOfOne(p, alias);
    }
    int bracket = accept(p, TOK_LPAR), trailing = 0;
    do {
        if (bracket && trailing && peek(p) == TOK_RPAR) {
            break;
        }
        alias = imported_name(p);
        if (alias == NULL) {
            if (trailing && !bracket && diagnosing(p) && peek(p) == TOK_NEWLINE) {
                _PyParse_Raise(p, PyExc_SyntaxError, "trailing comma not allowed "
                               "without surrounding parentheses");
            }
            return NULL;
        }
        if (!_PyParse_Push(p, alias)) {
            return NULL;
        }
        trailing = 1;
    } while (accept(p, TOK_COMMA));
    if (p->failed || (bracket && !accept(p, TOK_RPAR))) {
        return NULL;
    }
    return _PyParse_PopSeq(p, base);
}

static AstNode *
from_statement(Parser *p)
{
    int first = p->pos++, level = 0;
    PyObject *module = NULL;
    for (;;) {
        if (accept(p, TOK_DOT)) {
            level++;
        }
        else if (accept(p, TOK_ELLIPSIS)) {
            level += 3;
        }
        else {
            break;
        }
    }
    if (level == 0 || peek(p) != KW_IMPORT) {
        if (peek(p) != TOK_NAME) {
            return NULL;
        }
        module = _PyParse_Name(p, &p->tokens[p->pos++]);
        while (module != NULL && accept(p, TOK_DOT)) {
            if (peek(p) != TOK_NAME) {
                return NULL;
            }
            PyObject *part = _PyParse_Name(p, &p->tokens[p->pos++]);
            PyObject *whole = part == NULL ? NULL
                : PyUnicode_FromFormat("%U.%U", module, part);
            if (whole != NULL) {
                PyUnicode_InternInPlace(&whole);
            }
            module = _PyParse_Keep(p, whole);
        }
    }
    if (p->failed || !accept(p, KW_IMPORT)) {
        return NULL;
    }
    AstSeq *names = imported_names(p);
    return names == NULL ? NULL
        : NEW(ImportFrom, span(p, first), module, names, level);
}

static AstNode *
raise_statement(Parser *p)
{
    int first = p->pos++;
    AstNode *exc = NULL, *cause = NULL;
    TokenType type = peek(p);
    if (type != TOK_NEWLINE && type != TOK_SEMI) {
        exc = _PyParse_Expression(p);
        if (exc == NULL) {
            return NULL;
        }
        if (accept(p, KW_FROM) && (cause = _PyParse_Expression(p)) == NULL) {
            return NULL;
        }
    }
    return p->failed ? NULL : NEW(Raise, span(p, first), exc, cause);
}

static AstNode *
del_statement(Parser *p)
{
    int first = p->pos++;
    Py_ssize_t base = p->n_scratch;
    int fine = 1;
    do {
        TokenType type = peek(p);
        if ((type == TOK_NEWLINE || type == TOK_SEMI) && p->n_scratch > base) {
            break;
        }
        AstNode *e = _PyParse_Primary(p);
        if (p->failed) {
            return NULL;
        }
        if (e == NULL || !_PyParse_SetContext(e, AST_Del)) {
            fine = 0;
            break;
        }
        if (!_PyParse_Push(p, e)) {
            return NULL;
        }
    } while (accept(p, TOK_COMMA));
    TokenType type = peek(p);
    if (fine && (type == TOK_NEWLINE || type == TOK_SEMI)) {
        AstSeq *targets = _PyParse_PopSeq(p, base);
        return targets == NULL ? NULL : NEW(Delete, span(p, first), targets);
    }
    if (diagnosing(p) && !p->failed) {
        p->pos = first + 1;
        AstNode *e = _PyParse_StarExpressions(p);
        if (e != NULL) {
            _PyDiag_Target(p, e, TARGET_DEL);
        }
    }
    return NULL;
}

static AstNode *
names_statement(Parser *p, TokenType keyword)
{
    int first = p->pos++;
    Py_ssize_t base = p->n_scratch;
    do {
        if (peek(p) != TOK_NAME) {
            return NULL;
        }
        PyObject *name = _PyParse_Name(p, &p->tokens[p->pos++]);
        if (name == NULL || !_PyParse_Push(p, name)) {
            return NULL;
        }
    } while (accept(p, TOK_COMMA));
    Py_ssize_t n = p->n_scratch - base;
    AstNameSeq *names = _PyAst_NewNameSeq(p->arena, n);
    p->n_scratch = base;
    if (names == NULL) {
        return _PyParse_NoMemory(p);
    }
    memcpy(names->items, p->scratch + base, n * sizeof(PyObject *));
    return keyword == KW_GLOBAL ? NEW(Global, span(p, first), names)
        : NEW(Nonlocal, span(p, first), names);
}

static AstNode *
return_statement(Parser *p)
{
    int first = p->pos++;
    AstNode *value = NULL;
    TokenType type = peek(p);
    if (type != TOK_NEWLINE && type != TOK_SEMI) {
        value = _PyParse_StarExpressions(p);
        if (value == NULL) {
            return NULL;
        }
    }
    return p->failed ? NULL : NEW(Return, span(p, first), value);
}

static AstNode *
assert_statement(Parser *p)
{
    int first = p->pos++;
    AstNode *msg = NULL;
    AstNode *test = _PyParse_Expression(p);
    if (test == NULL || (accept(p, TOK_COMMA) && (msg = _PyParse_Expression(p)) == NULL)) {
        return NULL;
    }
    return p->failed ? NULL : NEW(Assert, span(p, first), test, msg);
}

static AstNode *
simple_statement(Parser *p)
{
    TokenType type = peek(p);
    switch (type) {
    case KW_RETURN: return return_statement(p);
    case KW_IMPORT: return import_statement(p);
    case KW_FROM: return from_statement(p);
    case KW_RAISE: return raise_statement(p);
    case KW_DEL: return del_statement(p);
    case KW_ASSERT: return assert_statement(p);
    case KW_GLOBAL:
    case KW_NONLOCAL: return names_statement(p, type);
    case KW_PASS:
        p->pos++;
        return NEW(Pass, token_pos(last_token(p)));
    case KW_BREAK:
        p->pos++;
        return NEW(Break, token_pos(last_token(p)));
    case KW_CONTINUE:
        p->pos++;
        return NEW(Continue, token_pos(last_token(p)));
    default:
        return diagnosing(p) ? expression_statement_diagnosed(p)
            : expression_statement(p);
    }
}

static int
simple_statements(Parser *p)
{
    do {
        AstNode *statement = simple_statement(p);
        if (statement == NULL || !_PyParse_Push(p, statement)) {
            return 0;
        }
        if (!accept(p, TOK_SEMI)) {
            break;
        }
    } while (peek(p) != TOK_NEWLINE);
    return accept(p, TOK_NEWLINE);
}

/* ----------------------------------------------------------- if, while, for */

/* `else: block`, or the empty sequence. NULL on error. */
static AstSeq *
else_block(Parser *p)
{
    int first = p->pos;
    if (!accept(p, KW_ELSE)) {
        return p->failed ? NULL : &_PyAst_EmptySeq;
    }
    return force_colon(p) ? block_of(p, first, "'else' statement") : NULL;
}

/* A chain of elif is built from its end, in a loop, for there may be thousands. It counts
   as the nested tree that it is. */
static AstNode *
if_chain(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    const char *what = "'if' statement";
    while (1) {
        int keyword = p->pos++;
        if (!_PyParse_Enter(p, 1)) {
            return NULL;
        }
        AstNode *test = _PyParse_NamedExpression(p);
        if (test == NULL || !colon(p)) {
            return NULL;
        }
        AstSeq *body = block_of(p, keyword, what);
        if (body == NULL || !_PyParse_Push(p, test) || !_PyParse_Push(p, body)
            || !_PyParse_Push(p, (void *)(uintptr_t)keyword))
        {
            return NULL;
        }
        if (peek(p) != KW_ELIF) {
            break;
        }
        what = "'elif' statement";
    }
    AstSeq *orelse = else_block(p);
    AstNode *node = NULL;
    while (orelse != NULL) {
        p->n_scratch -= 3;
        void **item = p->scratch + p->n_scratch;
        node = NEW(If, span(p, (int)(uintptr_t)item[2]), item[0], item[1], orelse);
        if (node == NULL || p->n_scratch == base) {
            return node;
        }
        orelse = _PyParse_SeqOfOne(p, node);
    }
    return NULL;
}

static AstNode *
if_statement(Parser *p)
{
    int depth = p->depth;
    AstNode *node = if_chain(p);
    p->depth = depth;
    return node;
}

static AstNode *
while_statement(Parser *p)
{
    int first = p->pos++;
    AstNode *test = _PyParse_NamedExpression(p);
    if (test == NULL || !colon(p)) {
        return NULL;
    }
    AstSeq *body = block_of(p, first, "'while' statement");
    AstSeq *orelse = body == NULL ? NULL : else_block(p);
    return orelse == NULL ? NULL : NEW(While, span(p, first), test, body, orelse);
}

static AstNode *
for_statement(Parser *p, int first)
{
    int is_async = p->pos != first, keyword = p->pos++;
    AstNode *target = _PyParse_StarTargets(p);
    if (target == NULL || !accept(p, KW_IN)) {
        if (diagnosing(p) && !p->failed) {
            p->pos = first;
            _PyDiag_ForTarget(p);
        }
        return NULL;
    }
    AstNode *iter = _PyParse_StarExpressions(p);
    if (iter == NULL || !colon(p)) {
        return NULL;
    }
    PyObject *comment = type_comment(p);
    AstSeq *body = p->failed ? NULL : block_of(p, keyword, "'for' statement");
    AstSeq *orelse = body == NULL ? NULL : else_block(p);
    if (orelse == NULL) {
        return NULL;
    }
    if (is_async) {
        return _PyParse_CheckVersion(p, 5, "Async for loops are")
            ? NEW(AsyncFor, span(p, first), target, iter, body, orelse, comment) : NULL;
    }
    return NEW(For, span(p, first), target, iter, body, orelse, comment);
}

/* --------------------------------------------------------------------- with */

static AstNode *
with_item(Parser *p)
{
    AstPos none = {0, 0, 0, 0};
    int first = p->pos;
    AstNode *e = _PyParse_Expression(p);
    if (e == NULL) {
        return NULL;
    }
    int end = p->pos;
    if (!accept(p, KW_AS)) {
        return p->failed ? NULL : NEW(withitem, none, e, NULL);
    }
    AstNode *target = _PyParse_StarTarget(p);
    if (target != NULL) {
        TokenType type = peek(p);
        if (type == TOK_COMMA || type == TOK_RPAR || type == TOK_COLON) {
            return NEW(withitem, none, e, target);
        }
    }
    if (p->failed) {
        return NULL;
    }
    if (diagnosing(p)) {
        p->pos = first;
        if (!_PyDiag_WithItem(p)) {
            return NULL;
        }
    }
    p->pos = end;
    return NEW(withitem, none, e, NULL);
}

/* Items up to the last one. The trailing comma inside a bracket is consumed. */
static AstSeq *
with_items(Parser *p, int bracket)
{
    Py_ssize_t base = p->n_scratch;
    do {
        int first = p->pos;
        AstNode *item = with_item(p);
        if (item == NULL) {
            if (!p->failed && bracket && p->n_scratch > base) {
                p->pos = first;
                break;
            }
            p->n_scratch = base;
            return NULL;
        }
        if (!_PyParse_Push(p, item)) {
            return NULL;
        }
    } while (accept(p, TOK_COMMA));
    return _PyParse_PopSeq(p, base);
}

/* A `with` header without its ':'. It is reported as missing if the line ends here. */
static int
diagnose_with(Parser *p, int first)
{
    for (int bracket = 1; bracket >= 0; bracket--) {
        p->pos = first + 1;
        if (bracket && !accept(p, TOK_LPAR)) {
            continue;
        }
        AstNode *e;
        do {
            e = _PyParse_Expression(p);
            if (e == NULL) {
                break;
            }
            int end = p->pos;
            if (accept(p, KW_AS) && _PyParse_StarTarget(p) == NULL && !p->failed) {
                p->pos = end;
            }
        } while (accept(p, TOK_COMMA) && !(bracket && peek(p) == TOK_RPAR));
        if (p->failed) {
            return 0;
        }
        if (e != NULL && (!bracket || accept(p, TOK_RPAR)) && peek(p) == TOK_NEWLINE) {
            _PyParse_Raise(p, PyExc_SyntaxError, "expected ':'");
            return 0;
        }
    }
    return 1;
}

static AstNode *
with_statement(Parser *p, int first)
{
    int is_async = p->pos != first, keyword = p->pos++;
    AstSeq *items = NULL;
    PyObject *comment = NULL;
    int bracket = 0;
    if (accept(p, TOK_LPAR)) {
        Py_ssize_t base = p->n_scratch;
        items = with_items(p, 1);
        if (items != NULL && (!accept(p, TOK_RPAR) || !accept(p, TOK_COLON))) {
            items = NULL;
        }
        if (p->failed) {
            return NULL;
        }
        bracket = items != NULL;
        p->n_scratch = base;
    }
    if (items == NULL) {
        p->pos = keyword + 1;
        items = with_items(p, 0);
        if (p->failed) {
            return NULL;
        }
        if (items == NULL || !accept(p, TOK_COLON)) {
            if (diagnosing(p)) {
                diagnose_with(p, keyword);
            }
            return NULL;
        }
    }
    if (bracket && !_PyParse_CheckVersion(p, 9, "Parenthesized context managers are")) {
        return NULL;
    }
    if (!bracket) {
        comment = type_comment(p);
    }
    AstSeq *body = p->failed ? NULL : block_of(p, keyword, "'with' statement");
    if (body == NULL) {
        return NULL;
    }
    if (is_async) {
        return _PyParse_CheckVersion(p, 5, "Async with statements are")
            ? NEW(AsyncWith, span(p, first), items, body, comment) : NULL;
    }
    return NEW(With, span(p, first), items, body, comment);
}

/* ---------------------------------------------------------------------- try */

static void
skip_as_name(Parser *p)
{
    int end = p->pos;
    if (accept(p, KW_AS) && !accept(p, TOK_NAME)) {
        p->pos = end;
    }
}

/* Finds out why the `except` clause at `first` is wrong. */
static void
diagnose_except(Parser *p, int first)
{
    p->pos = first + 1;
    int star = accept(p, TOK_STAR);
    if (peek(p) == TOK_NEWLINE || peek(p) == TOK_COLON) {
        if (star) {
            _PyParse_Raise(p, PyExc_SyntaxError,
                           "expected one or more exception types");
        }
        else if (peek(p) == TOK_NEWLINE) {
            _PyParse_Raise(p, PyExc_SyntaxError, "expected ':'");
        }
        return;
    }
    int start = p->pos;
    AstNode *e = _PyParse_Expression(p);
    if (e == NULL) {
        return;
    }
    if (accept(p, TOK_COMMA)) {
        if (_PyParse_Expressions(p) == NULL) {
            return;
        }
        skip_as_name(p);
        if (peek(p) == TOK_COLON) {
            _PyParse_RaiseAt(p, PyExc_SyntaxError, span(p, start),
                             "multiple exception types must be parenthesized");
        }
        return;
    }
    skip_as_name(p);
    if (peek(p) == TOK_NEWLINE) {
        _PyParse_Raise(p, PyExc_SyntaxError, "expected ':'");
    }
}

/* The clause at pos has a star and those before it have none, or the other way round. */
static void
diagnose_mixed_except(Parser *p)
{
    int first = p->pos++;
    int star = accept(p, TOK_STAR), end = p->pos;
    if (star || peek(p) != TOK_COLON) {
        if (_PyParse_Expression(p) == NULL) {
            if (!p->failed) {
                diagnose_except(p, first);
            }
            return;
        }
        skip_as_name(p);
    }
    if (peek(p) == TOK_COLON) {
        p->pos = end;
        _PyParse_RaiseAt(p, PyExc_SyntaxError, span(p, first), "cannot have both "
                         "'except' and 'except*' on the same 'try'");
    }
}

/* One handler; *star says whether it is `except*`. */
static AstNode *
except_clause(Parser *p, int *star)
{
    int first = p->pos++;
    AstNode *type = NULL;
    PyObject *name = NULL;
    *star = accept(p, TOK_STAR);
    if (*star || peek(p) != TOK_COLON) {
        type = _PyParse_Expression(p);
        if (type != NULL && accept(p, KW_AS)) {
            if (peek(p) == TOK_NAME) {
                name = _PyParse_Name(p, &p->tokens[p->pos++]);
            }
            else {
                type = NULL;
            }
        }
        if (p->failed) {
            return NULL;
        }
    }
    if ((type == NULL && (*star || p->pos != first + 1)) || !accept(p, TOK_COLON)) {
        if (diagnosing(p) && !p->failed) {
            diagnose_except(p, first);
        }
        return NULL;
    }
    AstSeq *body = block_of(p, first, *star ? "'except*' statement"
                            : "'except' statement");
    return body == NULL ? NULL : NEW(ExceptHandler, span(p, first), type, name, body);
}

static AstNode *
try_statement(Parser *p)
{
    int first = p->pos++;
    if (!force_colon(p)) {
        return NULL;
    }
    AstSeq *body = block_of(p, first, "'try' statement");
    if (body == NULL) {
        return NULL;
    }
    TokenType type = peek(p);
    if (type != KW_EXCEPT && type != KW_FINALLY) {
        if (diagnosing(p) && !p->failed) {
            _PyParse_Raise(p, PyExc_SyntaxError, "expected 'except' or 'finally' block");
        }
        return NULL;
    }
    Py_ssize_t base = p->n_scratch;
    int star = 0;
    while (peek(p) == KW_EXCEPT) {
        int is_star = peek_second(p) == TOK_STAR;
        if (p->n_scratch == base) {
            star = is_star;
        }
        else if (star != is_star) {
            if (diagnosing(p)) {
                diagnose_mixed_except(p);
            }
            return NULL;
        }
        AstNode *handler = except_clause(p, &is_star);
        if (handler == NULL) {
            return NULL;
        }
        if (!_PyParse_Push(p, handler)) {
            return NULL;
        }
    }
    AstSeq *handlers = p->failed ? NULL : _PyParse_PopSeq(p, base);
    AstSeq *orelse = handlers == NULL ? NULL
        : handlers->size > 0 ? else_block(p) : &_PyAst_EmptySeq;
    if (orelse == NULL) {
        return NULL;
    }
    AstSeq *finalbody = &_PyAst_EmptySeq;
    int keyword = p->pos;
    if (accept(p, KW_FINALLY)) {
        finalbody = force_colon(p) ? block_of(p, keyword, "'finally' statement") : NULL;
    }
    if (finalbody == NULL || p->failed) {
        return NULL;
    }
    if (star) {
        return _PyParse_CheckVersion(p, 11, "Exception groups are")
            ? NEW(TryStar, span(p, first), body, handlers, orelse, finalbody) : NULL;
    }
    return NEW(Try, span(p, first), body, handlers, orelse, finalbody);
}

/* ------------------------------------------------------------ def and class */

/* A function's type comment, after its colon or alone on the next line. */
static PyObject *
function_type_comment(Parser *p)
{
    if (!p->tok.type_comments) {
        return NULL;
    }
    if (peek(p) == TOK_NEWLINE && peek_second(p) == TOK_TYPE_COMMENT) {
        int newline = p->pos++;
        PyObject *comment = type_comment(p);
        if (comment != NULL && peek(p) == TOK_NEWLINE && peek_second(p) == TOK_INDENT) {
            return comment;
        }
        p->pos = newline;
        return NULL;
    }
    PyObject *comment = type_comment(p);
    if (comment != NULL && diagnosing(p) && peek(p) == TOK_NEWLINE
        && peek_second(p) == TOK_TYPE_COMMENT)
    {
        int end = p->pos;
        p->pos += 2;
        if (accept(p, TOK_NEWLINE) && peek(p) == TOK_INDENT) {
            return _PyParse_Raise(p, PyExc_SyntaxError,
                                  "Cannot have two type comments on def");
        }
        p->pos = end;
    }
    return comment;
}

static AstNode *
def_statement(Parser *p, int first, AstSeq *decorators)
{
    int is_async = p->pos != first, keyword = p->pos++;
    if (peek(p) != TOK_NAME) {
        return NULL;
    }
    PyObject *name = _PyParse_Name(p, &p->tokens[p->pos++]);
    if (name == NULL) {
        return NULL;
    }
    if (!accept(p, TOK_LPAR)) {
        if (!p->failed) {
            _PyParse_RaiseAt(p, PyExc_SyntaxError, token_pos(&p->tokens[p->pos]),
                             "expected '('");
        }
        return NULL;
    }
    AstNode *args = _PyParse_Parameters(p, 0), *returns = NULL;
    if (args == NULL || !accept(p, TOK_RPAR)) {
        return NULL;
    }
    int arrow = p->pos;
    if (accept(p, TOK_RARROW) && (returns = _PyParse_Expression(p)) == NULL) {
        p->pos = arrow;
    }
    if (!force_colon(p)) {
        return NULL;
    }
    PyObject *comment = function_type_comment(p);
    AstSeq *body = p->failed ? NULL : block_of(p, keyword, "function definition");
    if (body == NULL) {
        return NULL;
    }
    if (is_async) {
        return _PyParse_CheckVersion(p, 5, "Async functions are")
            ? NEW(AsyncFunctionDef, span(p, first), name, args, body, decorators,
                  returns, comment) : NULL;
    }
    return NEW(FunctionDef, span(p, first), name, args, body, decorators, returns,
               comment);
}

static AstNode *
class_statement(Parser *p, AstSeq *decorators)
{
    int first = p->pos++;
    if (peek(p) != TOK_NAME) {
        return NULL;
    }
    PyObject *name = _PyParse_Name(p, &p->tokens[p->pos++]);
    AstSeq *bases = &_PyAst_EmptySeq, *keywords = &_PyAst_EmptySeq;
    if (name == NULL) {
        return NULL;
    }
    if (accept(p, TOK_LPAR) && !accept(p, TOK_RPAR)) {
        int start = p->pos;
        AstNode *args = _PyParse_Args(p);
        if (args != NULL) {
            accept(p, TOK_COMMA);
        }
        if (args == NULL || !accept(p, TOK_RPAR)) {
            if (diagnosing(p) && !p->failed) {
                p->pos = start;
                _PyDiag_Arguments(p);
            }
            return NULL;
        }
        bases = AST_AS(Call, args)->args;
        keywords = AST_AS(Call, args)->keywords;
    }
    if (!colon(p)) {
        return NULL;
    }
    AstSeq *body = block_of(p, first, "class definition");
    return body == NULL ? NULL
        : NEW(ClassDef, span(p, first), name, bases, keywords, body, decorators);
}

/* async def, async for, async with. */
static AstNode *
async_statement(Parser *p, AstSeq *decorators)
{
    int first = p->pos++;
    switch (peek(p)) {
    case KW_DEF: return def_statement(p, first, decorators);
    case KW_FOR: return decorators->size ? NULL : for_statement(p, first);
    case KW_WITH: return decorators->size ? NULL : with_statement(p, first);
    default: return NULL;
    }
}

static int
is_simple_decorator(AstNode *e)
{
    if (e->kind == AST_Call) {
        e = AST_AS(Call, e)->func;
    }
    while (e->kind == AST_Attribute) {
        e = AST_AS(Attribute, e)->value;
    }
    return e->kind == AST_Name;
}

static AstNode *
decorated(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    while (accept(p, TOK_AT)) {
        AstNode *e = _PyParse_NamedExpression(p);
        if (e == NULL || !accept(p, TOK_NEWLINE)) {
            return NULL;
        }
        if (!is_simple_decorator(e)
            && !_PyParse_CheckVersion(p, 9, "Relaxed decorator syntax is"))
        {
            return NULL;
        }
        if (!_PyParse_Push(p, e)) {
            return NULL;
        }
    }
    AstSeq *decorators = p->failed ? NULL : _PyParse_PopSeq(p, base);
    if (decorators == NULL) {
        return NULL;
    }
    switch (peek(p)) {
    case KW_DEF: return def_statement(p, p->pos, decorators);
    case KW_CLASS: return class_statement(p, decorators);
    case TOK_ASYNC: return async_statement(p, decorators);
    default: return NULL;
    }
}

/* ------------------------------------------------------------ any statement */

/* The compound statement at pos. If it is NULL, *is_compound tells whether there is a
   wrong one or none. */
static AstNode *
compound_statement(Parser *p, int *is_compound)
{
    *is_compound = 1;
    switch (peek(p)) {
    case KW_DEF: return def_statement(p, p->pos, &_PyAst_EmptySeq);
    case KW_IF: return if_statement(p);
    case KW_CLASS: return class_statement(p, &_PyAst_EmptySeq);
    case TOK_AT: return decorated(p);
    case KW_WITH: return with_statement(p, p->pos);
    case KW_FOR: return for_statement(p, p->pos);
    case KW_TRY: return try_statement(p);
    case KW_WHILE: return while_statement(p);
    case TOK_ASYNC: return async_statement(p, &_PyAst_EmptySeq);
    case TOK_NAME:
        if (_PyParse_PeekWord(p, "match")) {
            int first = p->pos;
            AstNode *match = _PyParse_Match(p);
            if (match != NULL) {
                return match;
            }
            p->pos = first;
        }
        break;
    default:
        break;
    }
    *is_compound = 0;
    return NULL;
}

/* Pushes the statements of one line, or one compound statement. */
static int
push_statement(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    int is_compound;
    AstNode *node = compound_statement(p, &is_compound);
    if (p->failed) {
        return 0;
    }
    if (node != NULL) {
        p->n_scratch = base;
        return _PyParse_Push(p, node);
    }
    if (is_compound) {
        p->n_scratch = base;
        return 0;
    }
    return simple_statements(p);
}

static int
at_block_end(Parser *p)
{
    TokenType type = peek(p);
    return type == TOK_DEDENT || type == TOK_ENDMARKER || type == TOK_ERROR;
}

/* Statements up to a token that can't begin one. */
static AstSeq *
statements(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    do {
        if (!push_statement(p)) {
            return NULL;
        }
    } while (!at_block_end(p));
    return p->failed ? NULL : _PyParse_PopSeq(p, base);
}

/* ------------------------------------------------------------- whole inputs */

/* Tokens of finished top-level statements are forgotten, except for the last one, so that
   a long file needs little memory. */
static void
forget_tokens(Parser *p)
{
    if (p->pos == p->n_tokens && p->n_tokens > 512 && !p->remembering) {
        p->tokens[0] = p->tokens[p->n_tokens - 1];
        p->n_tokens = p->pos = p->restart = 1;
    }
}

static AstNode *
file_input(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    while (peek(p) != TOK_ENDMARKER) {
        if (!push_statement(p)) {
            return NULL;
        }
        forget_tokens(p);
    }
    AstSeq *body = p->failed ? NULL : _PyParse_PopSeq(p, base);
    AstSeq *ignores = body == NULL ? NULL : _PyAst_NewSeq(p->arena, p->n_type_ignores);
    if (ignores == NULL) {
        return p->failed || body == NULL ? NULL : _PyParse_NoMemory(p);
    }
    if (p->n_type_ignores > 0) {
        memcpy(ignores->items, p->type_ignores, p->n_type_ignores * sizeof(AstNode *));
    }
    return NEW(Module, ((AstPos){0, 0, 0, 0}), body, ignores);
}

static AstNode *
interactive_input(Parser *p)
{
    AstPos none = {0, 0, 0, 0};
    Py_ssize_t base = p->n_scratch;
    int is_compound, first = p->pos;
    AstNode *node = compound_statement(p, &is_compound);
    AstSeq *body = NULL;
    if (p->failed) {
        return NULL;
    }
    if (is_compound) {
        p->n_scratch = base;
        if (node == NULL || !accept(p, TOK_NEWLINE)) {
            return NULL;
        }
        body = _PyParse_SeqOfOne(p, node);
    }
    else if (accept(p, TOK_NEWLINE)) {
        node = NEW(Pass, token_pos(&p->tokens[first]));
        body = node == NULL ? NULL : _PyParse_SeqOfOne(p, node);
    }
    else if (peek(p) != TOK_ENDMARKER && simple_statements(p)) {
        body = _PyParse_PopSeq(p, base);
    }
    if (body == NULL || p->failed) {
        return NULL;
    }
    return NEW(Interactive, none, body);
}

static int
end_of_input(Parser *p)
{
    while (accept(p, TOK_NEWLINE)) {
    }
    return accept(p, TOK_ENDMARKER);
}

static AstNode *
eval_input(Parser *p)
{
    AstNode *e = _PyParse_Expressions(p);
    if (e == NULL || !end_of_input(p)) {
        return NULL;
    }
    return NEW(Expression, ((AstPos){0, 0, 0, 0}), e);
}

/* `(int, *str, **Any) -> float` */
static AstNode *
function_type_input(Parser *p)
{
    Py_ssize_t base = p->n_scratch;
    if (!accept(p, TOK_LPAR)) {
        return NULL;
    }
    int stars = 0;
    while (peek(p) != TOK_RPAR) {
        TokenType type = peek(p);
        int seen = type == TOK_STAR ? 1 : type == TOK_DOUBLESTAR ? 2 : 0;
        if (stars >= seen && stars > 0) {
            return NULL;
        }
        stars = seen;
        p->pos += seen > 0;
        AstNode *e = _PyParse_Expression(p);
        if (e == NULL || !_PyParse_Push(p, e)) {
            return NULL;
        }
        if (stars == 2 || !accept(p, TOK_COMMA)) {
            break;
        }
        if (peek(p) == TOK_RPAR) {
            return NULL;
        }
    }
    AstSeq *argtypes = p->failed ? NULL : _PyParse_PopSeq(p, base);
    if (argtypes == NULL || !accept(p, TOK_RPAR) || !accept(p, TOK_RARROW)) {
        return NULL;
    }
    AstNode *returns = _PyParse_Expression(p);
    if (returns == NULL || !end_of_input(p)) {
        return NULL;
    }
    return NEW(FunctionType, ((AstPos){0, 0, 0, 0}), argtypes, returns);
}

AstNode *
_PyParse_Mod(Parser *p)
{
    switch (p->start) {
    case Py_single_input: return interactive_input(p);
    case Py_eval_input: return eval_input(p);
    case Py_func_type_input: return function_type_input(p);
    case START_FSTRING: return _PyParse_StarExpressions(p);
    default: return file_input(p);
    }
}
