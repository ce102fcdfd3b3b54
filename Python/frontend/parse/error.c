/* Syntax errors: their position, and the source text that they show. */

#include "parser.h"

#include <string.h>

static PyObject *
decode(const char *start, const char *end)
{
    return PyUnicode_DecodeUTF8(start, end - start, "replace");
}

/* The text to show for a line. The file's own line is preferred, as that is what users
   see. Otherwise it is the tokenizer's text, which is more than a line if a token or a
   continuation extends over several. */
static PyObject *
error_line(Parser *p, int lineno)
{
    Tokenizer *tok = &p->tok;
    if (p->start == Py_file_input && !tok->interactive) {
        PyObject *line = _PyErr_ProgramDecodedTextObject(p->filename, lineno,
                                                         p->encoding);
        if (line != NULL) {
            return line;
        }
        PyErr_Clear();
    }
    if (tok->lineno <= lineno && tok->line_end > tok->shown) {
        return decode(tok->shown, tok->line_end);
    }
    const char *line = tok->text;
    int skip = p->starting_lineno ? lineno - p->starting_lineno : lineno - 1;
    for (; skip > 0; skip--) {
        const char *newline = memchr(line, '\n', tok->text_end - line);
        if (newline == NULL || newline + 1 > tok->text_end) {
            break;
        }
        line = newline + 1;
    }
    const char *newline = memchr(line, '\n', tok->text_end - line);
    return decode(line, newline != NULL ? newline : tok->text_end);
}

/* Converts a one-based byte column to a one-based character column. */
static Py_ssize_t
character_column(PyObject *line, Py_ssize_t column)
{
    Py_ssize_t size;
    const char *text = PyUnicode_AsUTF8AndSize(line, &size);
    if (text == NULL) {
        return -1;
    }
    column = Py_MAX(0, Py_MIN(column, size + 1));
    PyObject *prefix = PyUnicode_DecodeUTF8(text, column, "replace");
    if (prefix == NULL) {
        return -1;
    }
    column = PyUnicode_GET_LENGTH(prefix);
    Py_DECREF(prefix);
    return column;
}

/* Columns are one-based here. */
static void
raise_error(Parser *p, PyObject *type, int lineno, Py_ssize_t column,
            int end_lineno, Py_ssize_t end_column, const char *format, va_list va)
{
    if (p->failed && PyErr_Occurred()) {
        return;
    }
    p->failed = 1;
    if (p->tok.lineno <= lineno && p->tok.line_end > p->tok.shown
        && p->tok.status == TOKEN_RAISED && PyErr_Occurred())
    {
        return;
    }
    PyObject *message = PyUnicode_FromFormatV(format, va);
    if (message != NULL && p->start == START_FSTRING) {
        Py_SETREF(message, PyUnicode_FromFormat("f-string: %U", message));
    }
    if (message == NULL) {
        return;
    }
    PyObject *line = error_line(p, lineno);
    if (line == NULL) {
        Py_DECREF(message);
        return;
    }
    if (p->start == START_FSTRING) {
        column -= p->starting_col_offset;
        end_column -= p->starting_col_offset;
    }
    if (p->count_characters) {
        column = character_column(line, column);
        if (end_column > 0) {
            end_column = character_column(line, end_column);
        }
    }
    PyObject *args = Py_BuildValue("(N(OinNin))", message, p->filename, lineno,
                                   column, line, end_lineno, end_column);
    if (args != NULL) {
        PyErr_SetObject(type, args);
        Py_DECREF(args);
    }
}

void *
_PyParse_RaiseAt(Parser *p, PyObject *type, AstPos pos, const char *format, ...)
{
    va_list va;
    va_start(va, format);
    raise_error(p, type, pos.lineno, (Py_ssize_t)pos.col_offset + 1,
                pos.end_lineno, (Py_ssize_t)pos.end_col_offset + 1, format, va);
    va_end(va);
    return NULL;
}

void *
_PyParse_Raise(Parser *p, PyObject *type, const char *format, ...)
{
    va_list va;
    va_start(va, format);
    if (p->n_tokens == 0) {
        raise_error(p, type, 0, 0, 0, -1, format, va);
        va_end(va);
        return NULL;
    }
    Token *token = &p->tokens[p->n_tokens - 1];
    Py_ssize_t column, end_column = -1;
    if (token->col_offset == -1) {
        int drained = p->tok.from_file && token->type != TOK_ERROR
            && p->tok.cur == p->tok.text_end;
        column = drained || p->tok.cur == p->tok.shown ? 0 : p->tok.cur - p->tok.line_start;
    }
    else {
        column = token->col_offset + 1;
    }
    if (token->end_col_offset != -1) {
        end_column = token->end_col_offset + 1;
    }
    raise_error(p, type, token->lineno, column, token->end_lineno, end_column,
                format, va);
    va_end(va);
    return NULL;
}

/* Turns an exception of a decoder into a SyntaxError. */
void
_PyParse_RaiseDecodingError(Parser *p)
{
    if (p->failed) {
        return;
    }
    const char *what = PyErr_ExceptionMatches(PyExc_UnicodeError) ? "unicode error"
        : PyErr_ExceptionMatches(PyExc_ValueError) ? "value error" : NULL;
    if (what != NULL) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyErr_NormalizeException(&type, &value, &traceback);
        PyObject *text = value == NULL ? NULL : PyObject_Str(value);
        if (text != NULL) {
            _PyParse_Raise(p, PyExc_SyntaxError, "(%s) %U", what, text);
            Py_DECREF(text);
        }
        else {
            PyErr_Clear();
            _PyParse_Raise(p, PyExc_SyntaxError, "(%s) unknown error", what);
        }
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    p->failed = 1;
}

static void *
raise_unclosed(Parser *p)
{
    int level = p->tok.level - 1;
    AstPos pos = {p->tok.bracket_lines[level], p->tok.bracket_columns[level],
                  p->tok.bracket_lines[level], -1};
    return _PyParse_RaiseAt(p, PyExc_SyntaxError, pos, "'%c' was never closed",
                            p->tok.brackets[level]);
}

void *
_PyParse_RaiseTokenizerError(Parser *p)
{
    Tokenizer *tok = &p->tok;
    AstPos pos = {tok->lineno, 0, tok->lineno, -1};
    if (PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
            _PyParse_RaiseDecodingError(p);
        }
        p->failed = 1;
        return NULL;
    }
    switch (tok->status) {
    case TOKEN_EOF:
        if (tok->level > 0) {
            return raise_unclosed(p);
        }
        return _PyParse_Raise(p, PyExc_SyntaxError, "unexpected EOF while parsing");
    case TOKEN_BAD_DEDENT:
        return _PyParse_Raise(p, PyExc_IndentationError, "unindent does not match "
                              "any outer indentation level");
    case TOKEN_TABS_AND_SPACES:
        return _PyParse_RaiseAt(p, PyExc_TabError, pos, "inconsistent use of tabs "
                                "and spaces in indentation");
    case TOKEN_TOO_DEEP:
        return _PyParse_RaiseAt(p, PyExc_IndentationError, pos,
                                "too many levels of indentation");
    case TOKEN_BAD_CONTINUATION:
        pos.col_offset = (int)(tok->cur - tok->shown) - 1;
        return _PyParse_RaiseAt(p, PyExc_SyntaxError, pos, "unexpected character "
                                "after line continuation character");
    default:
        return _PyParse_RaiseAt(p, PyExc_SyntaxError, pos, "unknown parsing error");
    }
}

/* An error that the tokenizer finds further on, or a bracket that was opened before the
   error and not closed, is reported instead: it says more than the parser's error. */
static void
prefer_tokenizer_error(Parser *p)
{
    PyObject *type, *value, *traceback;
    if (p->tok.interactive) {
        return;                 /* no further text has been typed yet */
    }
    PyErr_Fetch(&type, &value, &traceback);
    int error_line = p->tokens[p->n_tokens - 1].lineno;
    Token token;
    TokenType t;
    do {
        t = _PyTok_Next(&p->tok, &token);
    } while (t != TOK_ERROR && t != TOK_ENDMARKER);
    if (t == TOK_ERROR && !PyErr_Occurred() && p->tok.level > 0
        && error_line > p->tok.bracket_lines[p->tok.level - 1])
    {
        raise_unclosed(p);
    }
    if (PyErr_Occurred()) {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    else {
        PyErr_Restore(type, value, traceback);
    }
}

void
_PyParse_SetSyntaxError(Parser *p, int last)
{
    if (PyErr_Occurred()) {
        if ((p->tok.status == TOKEN_OK || (p->tok.status == TOKEN_EOF && p->tok.level == 0))
            && PyErr_ExceptionMatches(PyExc_SyntaxError))
        {
            prefer_tokenizer_error(p);
        }
        return;
    }
    if (p->n_tokens == 0) {
        _PyParse_Raise(p, PyExc_SyntaxError, "error at start before reading any input");
        return;
    }
    Token token = p->tokens[last];
    if (token.type == TOK_INDENT || token.type == TOK_DEDENT) {
        _PyParse_Raise(p, PyExc_IndentationError, token.type == TOK_INDENT
                       ? "unexpected indent" : "unexpected unindent");
        return;
    }
    _PyParse_RaiseAt(p, PyExc_SyntaxError, token_pos(&token), "invalid syntax");
    prefer_tokenizer_error(p);
}

const char *
_PyParse_ExprName(AstNode *e)
{
    switch (e->kind) {
    case AST_Attribute: return "attribute";
    case AST_Subscript: return "subscript";
    case AST_Starred: return "starred";
    case AST_Name: return "name";
    case AST_List: return "list";
    case AST_Tuple: return "tuple";
    case AST_Lambda: return "lambda";
    case AST_Call: return "function call";
    case AST_BoolOp: case AST_BinOp: case AST_UnaryOp: return "expression";
    case AST_GeneratorExp: return "generator expression";
    case AST_Yield: case AST_YieldFrom: return "yield expression";
    case AST_Await: return "await expression";
    case AST_ListComp: return "list comprehension";
    case AST_SetComp: return "set comprehension";
    case AST_DictComp: return "dict comprehension";
    case AST_Dict: return "dict literal";
    case AST_Set: return "set display";
    case AST_JoinedStr: case AST_FormattedValue: return "f-string expression";
    case AST_Compare: return "comparison";
    case AST_IfExp: return "conditional expression";
    case AST_NamedExpr: return "named expression";
    case AST_Constant: {
        PyObject *value = AST_AS(Constant, e)->value;
        return value == Py_None ? "None" : value == Py_False ? "False"
            : value == Py_True ? "True" : value == Py_Ellipsis ? "ellipsis" : "literal";
    }
    default: return "expression";
    }
}
