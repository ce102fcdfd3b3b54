/* `from __future__ import ...` at the head of a module. */
#include "internal/symtable.h"

#define AS(kind_, node) ((Ast_##kind_ *)(node))

static const struct {
    const char *name;
    int flag;
} features_known[] = {
    {"nested_scopes", 0}, {"generators", 0}, {"division", 0},
    {"absolute_import", 0}, {"with_statement", 0}, {"print_function", 0},
    {"unicode_literals", 0}, {"generator_stop", 0},
    {"barry_as_FLUFL", CO_FUTURE_BARRY_AS_BDFL},
    {"annotations", CO_FUTURE_ANNOTATIONS},
};

static int
future_error(PyObject *filename, AstNode *s)
{
    PyErr_SyntaxLocationObject(filename, s->pos.lineno, s->pos.col_offset + 1);
    return -1;
}

static int
add_feature(AstNode *s, PyObject *name, PyObject *filename, int *features)
{
    for (size_t i = 0; i < Py_ARRAY_LENGTH(features_known); i++) {
        if (PyUnicode_CompareWithASCIIString(name, features_known[i].name) == 0) {
            *features |= features_known[i].flag;
            return 0;
        }
    }
    if (PyUnicode_CompareWithASCIIString(name, "braces") == 0) {
        PyErr_SetString(PyExc_SyntaxError, "not a chance");
    }
    else {
        PyErr_Format(PyExc_SyntaxError,
                     "future feature %.100U is not defined", name);
    }
    return future_error(filename, s);
}

static int
is_future_import(AstNode *s)
{
    if (s->kind != AST_ImportFrom) {
        return 0;
    }
    Ast_ImportFrom *from = AS(ImportFrom, s);
    return from->module != NULL && from->level == 0
           && PyUnicode_CompareWithASCIIString(from->module, "__future__") == 0;
}

static int
is_text(AstNode *s)
{
    return s->kind == AST_Expr && AS(Expr, s)->value->kind == AST_Constant
           && PyUnicode_CheckExact(AS(Constant, AS(Expr, s)->value)->value);
}

int
_PyFuture_Features(AstNode *mod, PyObject *filename, int *features, int *lineno)
{
    AstSeq *body;
    if (mod->kind == AST_Module) {
        body = AS(Module, mod)->body;
    }
    else if (mod->kind == AST_Interactive) {
        body = AS(Interactive, mod)->body;
    }
    else {
        return 0;
    }
    int done = 0, prev_line = 0;
    for (Py_ssize_t i = 0; i < body->size; i++) {
        AstNode *s = body->items[i];
        /* the statements after it on the same line are still examined */
        if (done && s->pos.lineno > prev_line) {
            return 0;
        }
        prev_line = s->pos.lineno;
        if (!is_future_import(s)) {
            done |= i > 0 || !is_text(s);
            continue;
        }
        if (done) {
            PyErr_SetString(PyExc_SyntaxError, "from __future__ imports must "
                            "occur at the beginning of the file");
            PyErr_SyntaxLocationObject(filename, s->pos.lineno,
                                       s->pos.col_offset);
            return -1;
        }
        AstSeq *names = AS(ImportFrom, s)->names;
        for (Py_ssize_t k = 0; k < names->size; k++) {
            PyObject *name = AS(alias, names->items[k])->name;
            if (add_feature(s, name, filename, features) < 0) {
                return -1;
            }
        }
        *lineno = s->pos.lineno;
    }
    return 0;
}
