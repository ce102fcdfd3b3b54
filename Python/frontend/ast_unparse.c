/* Expressions as text: `from __future__ import annotations` keeps annotations in this
   form. Brackets are written only where precedence requires them.

   Functions return 0, or -1 with an exception set. */

#include "internal/ast.h"
#include "internal/frontend.h"

#include <string.h>

/* How tightly an expression binds. */
enum {
    LEVEL_TUPLE, LEVEL_TEST, LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE,
    LEVEL_BIT_OR, LEVEL_BIT_XOR, LEVEL_BIT_AND, LEVEL_SHIFT, LEVEL_SUM, LEVEL_TERM,
    LEVEL_FACTOR, LEVEL_POWER, LEVEL_AWAIT, LEVEL_ATOM
};

typedef _PyUnicodeWriter Writer;

static int write_expr(Writer *w, AstNode *e, int level);

static int
text(Writer *w, const char *s)
{
    return _PyUnicodeWriter_WriteASCIIString(w, s, (Py_ssize_t)strlen(s));
}

static int
text_if(Writer *w, int condition, const char *s)
{
    return condition ? text(w, s) : 0;
}

#define TRY(call) do { if ((call) < 0) { return -1; } } while (0)

/* ---------------------------------------------------------------- constants */

/* Steals the text. */
static int
write_object(Writer *w, PyObject *object)
{
    if (object == NULL) {
        return -1;
    }
    int result = _PyUnicodeWriter_WriteStr(w, object);
    Py_DECREF(object);
    return result;
}

/* There is no literal for infinity, so a number too large for a float is used. */
static int
write_number(Writer *w, PyObject *value)
{
    PyObject *repr = PyObject_Repr(value);
    if (repr == NULL) {
        return -1;
    }
    PyObject *inf = PyUnicode_FromString("inf"), *huge = PyUnicode_FromString("1e309");
    PyObject *result = inf == NULL || huge == NULL ? NULL
        : PyUnicode_Replace(repr, inf, huge, -1);
    Py_XDECREF(inf);
    Py_XDECREF(huge);
    Py_DECREF(repr);
    return write_object(w, result);
}

static int
write_constant_value(Writer *w, PyObject *value)
{
    if (PyTuple_CheckExact(value)) {
        Py_ssize_t size = PyTuple_GET_SIZE(value);
        TRY(text(w, "("));
        for (Py_ssize_t i = 0; i < size; i++) {
            TRY(text_if(w, i > 0, ", "));
            TRY(write_constant_value(w, PyTuple_GET_ITEM(value, i)));
        }
        TRY(text_if(w, size == 1, ","));
        return text(w, ")");
    }
    if (value == Py_Ellipsis) {
        return text(w, "...");
    }
    if (PyFloat_CheckExact(value) || PyComplex_CheckExact(value)) {
        return write_number(w, value);
    }
    return write_object(w, PyObject_Repr(value));
}

static int
write_constant(Writer *w, Ast_Constant *e)
{
    TRY(text_if(w, e->kind != NULL, "u"));
    return write_constant_value(w, e->value);
}

/* ---------------------------------------------------------------- f-strings */

static int write_parts(Writer *w, AstSeq *values);

static int
write_field(Writer *w, Ast_FormattedValue *e)
{
    PyObject *inner;
    Writer field;
    _PyUnicodeWriter_Init(&field);
    if (write_expr(&field, e->value, LEVEL_TEST + 1) < 0) {
        _PyUnicodeWriter_Dealloc(&field);
        return -1;
    }
    inner = _PyUnicodeWriter_Finish(&field);
    if (inner == NULL) {
        return -1;
    }
    /* A space, so that two braces in a row (of a set or dict) are not read as an escape. */
    int brace = PyUnicode_GET_LENGTH(inner) > 0 && PyUnicode_READ_CHAR(inner, 0) == '{';
    if (text(w, brace ? "{ " : "{") < 0) {
        Py_DECREF(inner);
        return -1;
    }
    TRY(write_object(w, inner));
    if (e->conversion > 0) {
        char conversion[3] = {'!', (char)e->conversion, '\0'};
        TRY(text(w, conversion));
    }
    if (e->format_spec != NULL) {
        TRY(text(w, ":"));
        if (e->format_spec->kind == AST_JoinedStr) {
            TRY(write_parts(w, AST_AS(JoinedStr, e->format_spec)->values));
        }
        else {
            PyErr_SetString(PyExc_SystemError, "unexpected format spec");
            return -1;
        }
    }
    return text(w, "}");
}

/* Literal text, with its braces doubled. */
static int
write_literal(Writer *w, PyObject *literal)
{
    static const char *const doubled[2][2] = {{"{", "{{"}, {"}", "}}"}};
    PyObject *result = Py_NewRef(literal);
    for (int i = 0; i < 2 && result != NULL; i++) {
        PyObject *from = PyUnicode_FromString(doubled[i][0]);
        PyObject *to = PyUnicode_FromString(doubled[i][1]);
        Py_SETREF(result, from == NULL || to == NULL ? NULL
                  : PyUnicode_Replace(result, from, to, -1));
        Py_XDECREF(from);
        Py_XDECREF(to);
    }
    return write_object(w, result);
}

/* The text between the quotes. */
static int
write_parts(Writer *w, AstSeq *values)
{
    for (Py_ssize_t i = 0; i < values->size; i++) {
        AstNode *e = values->items[i];
        switch (e->kind) {
        case AST_Constant:
            TRY(write_literal(w, AST_AS(Constant, e)->value));
            break;
        case AST_JoinedStr:
            TRY(write_parts(w, AST_AS(JoinedStr, e)->values));
            break;
        case AST_FormattedValue:
            TRY(write_field(w, AST_AS(FormattedValue, e)));
            break;
        default:
            PyErr_SetString(PyExc_SystemError,
                            "unknown expression kind inside f-string");
            return -1;
        }
    }
    return 0;
}

static int
write_joined(Writer *w, AstSeq *values)
{
    Writer content;
    _PyUnicodeWriter_Init(&content);
    if (write_parts(&content, values) < 0) {
        _PyUnicodeWriter_Dealloc(&content);
        return -1;
    }
    PyObject *joined = _PyUnicodeWriter_Finish(&content);
    PyObject *repr = joined == NULL ? NULL : PyObject_Repr(joined);
    Py_XDECREF(joined);
    if (repr == NULL || text(w, "f") < 0) {
        Py_XDECREF(repr);
        return -1;
    }
    return write_object(w, repr);
}

/* ---------------------------------------------------------------- operators */

static int
write_bool_op(Writer *w, Ast_BoolOp *e, int level)
{
    int own = e->op == AST_And ? LEVEL_AND : LEVEL_OR;
    TRY(text_if(w, level > own, "("));
    for (Py_ssize_t i = 0; i < e->values->size; i++) {
        TRY(text_if(w, i > 0, e->op == AST_And ? " and " : " or "));
        TRY(write_expr(w, e->values->items[i], own + 1));
    }
    return text_if(w, level > own, ")");
}

static int
write_bin_op(Writer *w, Ast_BinOp *e, int level)
{
    static const struct {
        const char *text;
        int level;
    } operators[] = {
        [AST_Add] = {" + ", LEVEL_SUM}, [AST_Sub] = {" - ", LEVEL_SUM},
        [AST_Mult] = {" * ", LEVEL_TERM}, [AST_MatMult] = {" @ ", LEVEL_TERM},
        [AST_Div] = {" / ", LEVEL_TERM}, [AST_Mod] = {" % ", LEVEL_TERM},
        [AST_Pow] = {" ** ", LEVEL_POWER}, [AST_LShift] = {" << ", LEVEL_SHIFT},
        [AST_RShift] = {" >> ", LEVEL_SHIFT}, [AST_BitOr] = {" | ", LEVEL_BIT_OR},
        [AST_BitXor] = {" ^ ", LEVEL_BIT_XOR}, [AST_BitAnd] = {" & ", LEVEL_BIT_AND},
        [AST_FloorDiv] = {" // ", LEVEL_TERM},
    };
    int own = operators[e->op].level;
    int from_right = e->op == AST_Pow;
    TRY(text_if(w, level > own, "("));
    TRY(write_expr(w, e->left, own + from_right));
    TRY(text(w, operators[e->op].text));
    TRY(write_expr(w, e->right, own + !from_right));
    return text_if(w, level > own, ")");
}

static int
write_unary_op(Writer *w, Ast_UnaryOp *e, int level)
{
    static const char *const operators[] = {
        [AST_Invert] = "~", [AST_Not] = "not ", [AST_UAdd] = "+", [AST_USub] = "-"
    };
    int own = e->op == AST_Not ? LEVEL_NOT : LEVEL_FACTOR;
    TRY(text_if(w, level > own, "("));
    TRY(text(w, operators[e->op]));
    TRY(write_expr(w, e->operand, own));
    return text_if(w, level > own, ")");
}

static int
write_compare(Writer *w, Ast_Compare *e, int level)
{
    static const char *const operators[] = {
        [AST_Eq] = " == ", [AST_NotEq] = " != ", [AST_Lt] = " < ", [AST_LtE] = " <= ",
        [AST_Gt] = " > ", [AST_GtE] = " >= ", [AST_Is] = " is ",
        [AST_IsNot] = " is not ", [AST_In] = " in ", [AST_NotIn] = " not in "
    };
    TRY(text_if(w, level > LEVEL_COMPARE, "("));
    TRY(write_expr(w, e->left, LEVEL_COMPARE + 1));
    for (Py_ssize_t i = 0; i < e->comparators->size; i++) {
        TRY(text(w, operators[e->ops->items[i]]));
        TRY(write_expr(w, e->comparators->items[i], LEVEL_COMPARE + 1));
    }
    return text_if(w, level > LEVEL_COMPARE, ")");
}

/* ------------------------------------------------------------------- lambda */

static int
write_arg(Writer *w, AstNode *node)
{
    Ast_arg *arg = AST_AS(arg, node);
    TRY(_PyUnicodeWriter_WriteStr(w, arg->arg));
    if (arg->annotation != NULL) {
        TRY(text(w, ": "));
        TRY(write_expr(w, arg->annotation, LEVEL_TEST));
    }
    return 0;
}

static int
write_arguments(Writer *w, Ast_arguments *a)
{
    Py_ssize_t n_posonly = a->posonlyargs->size, n = n_posonly + a->args->size;
    int first = 1;
    for (Py_ssize_t i = 0; i < n; i++) {
        TRY(text_if(w, !first, ", "));
        first = 0;
        TRY(write_arg(w, i < n_posonly ? a->posonlyargs->items[i]
                      : a->args->items[i - n_posonly]));
        Py_ssize_t d = i - (n - a->defaults->size);
        if (d >= 0) {
            TRY(text(w, "="));
            TRY(write_expr(w, a->defaults->items[d], LEVEL_TEST));
        }
        TRY(text_if(w, i + 1 == n_posonly, ", /"));
    }
    if (a->vararg != NULL || a->kwonlyargs->size > 0) {
        TRY(text(w, first ? "*" : ", *"));
        first = 0;
        if (a->vararg != NULL) {
            TRY(write_arg(w, a->vararg));
        }
    }
    for (Py_ssize_t i = 0; i < a->kwonlyargs->size; i++) {
        TRY(text(w, ", "));
        TRY(write_arg(w, a->kwonlyargs->items[i]));
        if (a->kw_defaults->items[i] != NULL) {
            TRY(text(w, "="));
            TRY(write_expr(w, a->kw_defaults->items[i], LEVEL_TEST));
        }
    }
    if (a->kwarg != NULL) {
        TRY(text(w, first ? "**" : ", **"));
        TRY(write_arg(w, a->kwarg));
    }
    return 0;
}

static int
write_lambda(Writer *w, Ast_Lambda *e, int level)
{
    Ast_arguments *a = AST_AS(arguments, e->args);
    int any = a->posonlyargs->size + a->args->size + a->kwonlyargs->size > 0
        || a->vararg != NULL || a->kwarg != NULL;
    TRY(text_if(w, level > LEVEL_TEST, "("));
    TRY(text(w, any ? "lambda " : "lambda"));
    TRY(write_arguments(w, a));
    TRY(text(w, ": "));
    TRY(write_expr(w, e->body, LEVEL_TEST));
    return text_if(w, level > LEVEL_TEST, ")");
}

static int
write_if_exp(Writer *w, Ast_IfExp *e, int level)
{
    TRY(text_if(w, level > LEVEL_TEST, "("));
    TRY(write_expr(w, e->body, LEVEL_TEST + 1));
    TRY(text(w, " if "));
    TRY(write_expr(w, e->test, LEVEL_TEST + 1));
    TRY(text(w, " else "));
    TRY(write_expr(w, e->orelse, LEVEL_TEST));
    return text_if(w, level > LEVEL_TEST, ")");
}

/* ---------------------------------------------- displays and comprehensions */

static int
write_elements(Writer *w, AstSeq *elts)
{
    for (Py_ssize_t i = 0; i < elts->size; i++) {
        TRY(text_if(w, i > 0, ", "));
        TRY(write_expr(w, elts->items[i], LEVEL_TEST));
    }
    return 0;
}

static int
write_tuple(Writer *w, Ast_Tuple *e, int level)
{
    if (e->elts->size == 0) {
        return text(w, "()");
    }
    TRY(text_if(w, level > LEVEL_TUPLE, "("));
    TRY(write_elements(w, e->elts));
    TRY(text_if(w, e->elts->size == 1, ","));
    return text_if(w, level > LEVEL_TUPLE, ")");
}

static int
write_dict(Writer *w, Ast_Dict *e)
{
    TRY(text(w, "{"));
    for (Py_ssize_t i = 0; i < e->values->size; i++) {
        TRY(text_if(w, i > 0, ", "));
        if (e->keys->items[i] == NULL) {
            TRY(text(w, "**"));
            TRY(write_expr(w, e->values->items[i], LEVEL_BIT_OR));
        }
        else {
            TRY(write_expr(w, e->keys->items[i], LEVEL_TEST));
            TRY(text(w, ": "));
            TRY(write_expr(w, e->values->items[i], LEVEL_TEST));
        }
    }
    return text(w, "}");
}

static int
write_generators(Writer *w, AstSeq *generators)
{
    for (Py_ssize_t i = 0; i < generators->size; i++) {
        Ast_comprehension *c = AST_AS(comprehension, generators->items[i]);
        TRY(text(w, c->is_async ? " async for " : " for "));
        TRY(write_expr(w, c->target, LEVEL_TUPLE));
        TRY(text(w, " in "));
        TRY(write_expr(w, c->iter, LEVEL_TEST + 1));
        for (Py_ssize_t j = 0; j < c->ifs->size; j++) {
            TRY(text(w, " if "));
            TRY(write_expr(w, c->ifs->items[j], LEVEL_TEST + 1));
        }
    }
    return 0;
}

static int
write_comprehension(Writer *w, const char *open, AstNode *elt, AstNode *value,
                    AstSeq *generators, const char *close)
{
    TRY(text(w, open));
    TRY(write_expr(w, elt, LEVEL_TEST));
    if (value != NULL) {
        TRY(text(w, ": "));
        TRY(write_expr(w, value, LEVEL_TEST));
    }
    TRY(write_generators(w, generators));
    return text(w, close);
}

/* ---------------------------------------------------------------- primaries */

static int
write_call(Writer *w, Ast_Call *e)
{
    TRY(write_expr(w, e->func, LEVEL_ATOM));
    if (e->args->size == 1 && e->keywords->size == 0
        && e->args->items[0]->kind == AST_GeneratorExp)
    {
        return write_expr(w, e->args->items[0], LEVEL_TEST);    /* it has brackets of its own */
    }
    TRY(text(w, "("));
    TRY(write_elements(w, e->args));
    for (Py_ssize_t i = 0; i < e->keywords->size; i++) {
        Ast_keyword *keyword = AST_AS(keyword, e->keywords->items[i]);
        TRY(text_if(w, i > 0 || e->args->size > 0, ", "));
        if (keyword->arg == NULL) {
            TRY(text(w, "**"));
        }
        else {
            TRY(_PyUnicodeWriter_WriteStr(w, keyword->arg));
            TRY(text(w, "="));
        }
        TRY(write_expr(w, keyword->value, LEVEL_TEST));
    }
    return text(w, ")");
}

static int
write_attribute(Writer *w, Ast_Attribute *e)
{
    TRY(write_expr(w, e->value, LEVEL_ATOM));
    /* `1.real` would be read as a float. */
    int is_int = e->value->kind == AST_Constant
        && PyLong_CheckExact(AST_AS(Constant, e->value)->value);
    TRY(text(w, is_int ? " ." : "."));
    return _PyUnicodeWriter_WriteStr(w, e->attr);
}

static int
write_slice(Writer *w, Ast_Slice *e)
{
    if (e->lower != NULL) {
        TRY(write_expr(w, e->lower, LEVEL_TEST));
    }
    TRY(text(w, ":"));
    if (e->upper != NULL) {
        TRY(write_expr(w, e->upper, LEVEL_TEST));
    }
    if (e->step != NULL) {
        TRY(text(w, ":"));
        TRY(write_expr(w, e->step, LEVEL_TEST));
    }
    return 0;
}

static int
write_yield(Writer *w, const char *keyword, AstNode *value)
{
    TRY(text(w, "("));
    TRY(text(w, keyword));
    if (value != NULL) {
        TRY(text(w, " "));
        TRY(write_expr(w, value, LEVEL_TEST));
    }
    return text(w, ")");
}

/* Writes `prefix` and an expression, in brackets if the context binds tighter. */
static int
write_prefixed(Writer *w, const char *prefix, AstNode *e, int own, int inner, int level)
{
    TRY(text_if(w, level > own, "("));
    TRY(text(w, prefix));
    TRY(write_expr(w, e, inner));
    return text_if(w, level > own, ")");
}

static int
write_named_expr(Writer *w, Ast_NamedExpr *e, int level)
{
    TRY(text_if(w, level > LEVEL_TUPLE, "("));
    TRY(write_expr(w, e->target, LEVEL_ATOM));
    TRY(text(w, " := "));
    TRY(write_expr(w, e->value, LEVEL_ATOM));
    return text_if(w, level > LEVEL_TUPLE, ")");
}

static int
write_any(Writer *w, AstNode *e, int level)
{
#define AS(kind) AST_AS(kind, e)
    switch (e->kind) {
    case AST_BoolOp: return write_bool_op(w, AS(BoolOp), level);
    case AST_BinOp: return write_bin_op(w, AS(BinOp), level);
    case AST_UnaryOp: return write_unary_op(w, AS(UnaryOp), level);
    case AST_Lambda: return write_lambda(w, AS(Lambda), level);
    case AST_IfExp: return write_if_exp(w, AS(IfExp), level);
    case AST_Dict: return write_dict(w, AS(Dict));
    case AST_Set:
        TRY(text(w, "{"));
        TRY(write_elements(w, AS(Set)->elts));
        return text(w, "}");
    case AST_GeneratorExp:
        return write_comprehension(w, "(", AS(GeneratorExp)->elt, NULL,
                                   AS(GeneratorExp)->generators, ")");
    case AST_ListComp:
        return write_comprehension(w, "[", AS(ListComp)->elt, NULL,
                                   AS(ListComp)->generators, "]");
    case AST_SetComp:
        return write_comprehension(w, "{", AS(SetComp)->elt, NULL,
                                   AS(SetComp)->generators, "}");
    case AST_DictComp:
        return write_comprehension(w, "{", AS(DictComp)->key, AS(DictComp)->value,
                                   AS(DictComp)->generators, "}");
    case AST_Yield: return write_yield(w, "yield", AS(Yield)->value);
    case AST_YieldFrom: return write_yield(w, "yield from", AS(YieldFrom)->value);
    case AST_Await:
        return write_prefixed(w, "await ", AS(Await)->value, LEVEL_AWAIT, LEVEL_ATOM,
                              level);
    case AST_Compare: return write_compare(w, AS(Compare), level);
    case AST_Call: return write_call(w, AS(Call));
    case AST_Constant: return write_constant(w, AS(Constant));
    case AST_JoinedStr: return write_joined(w, AS(JoinedStr)->values);
    case AST_FormattedValue: {
        struct { Py_ssize_t size; AstNode *item; } one = {1, e};
        return write_joined(w, (AstSeq *)&one);
    }
    case AST_Attribute: return write_attribute(w, AS(Attribute));
    case AST_Starred:
        return write_prefixed(w, "*", AS(Starred)->value, LEVEL_ATOM, LEVEL_BIT_OR,
                              LEVEL_TUPLE);
    case AST_Name: return _PyUnicodeWriter_WriteStr(w, AS(Name)->id);
    case AST_List:
        TRY(text(w, "["));
        TRY(write_elements(w, AS(List)->elts));
        return text(w, "]");
    case AST_Tuple: return write_tuple(w, AS(Tuple), level);
    case AST_Slice: return write_slice(w, AS(Slice));
    case AST_Subscript:
        TRY(write_expr(w, AS(Subscript)->value, LEVEL_ATOM));
        TRY(text(w, "["));
        TRY(write_expr(w, AS(Subscript)->slice, LEVEL_TUPLE));
        return text(w, "]");
    case AST_NamedExpr: return write_named_expr(w, AS(NamedExpr), level);
    default:
        PyErr_SetString(PyExc_SystemError, "unknown expression kind");
        return -1;
    }
#undef AS
}

static int
write_expr(Writer *w, AstNode *e, int level)
{
    if (Py_EnterRecursiveCall(" during compilation")) {
        return -1;
    }
    int result = write_any(w, e, level);
    Py_LeaveRecursiveCall();
    return result;
}

PyObject *
_PyAst_Unparse(AstNode *e)
{
    Writer w;
    _PyUnicodeWriter_Init(&w);
    w.min_length = 256;
    w.overallocate = 1;
    if (write_expr(&w, e, LEVEL_TEST) < 0) {
        _PyUnicodeWriter_Dealloc(&w);
        return NULL;
    }
    return _PyUnicodeWriter_Finish(&w);
}
