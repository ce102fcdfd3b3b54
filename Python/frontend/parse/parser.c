/* The parser's tokens, names and memory, and its two passes. */

#include "parser.h"
#include "internal/pystate.h"
#include "internal/memory.h"

#include <stdlib.h>
#include <string.h>

void
_PyParse_Init(Parser *p, const char *text, Py_ssize_t size, PyObject *filename,
              int start, int flags, int feature_version, AstArena *arena)
{
    memset(p, 0, sizeof(*p));
    _PyTok_Init(&p->tok, text, size, filename);
    p->tok.type_comments = (flags & PyCF_TYPE_COMMENTS) != 0;
    p->arena = arena;
    p->filename = filename;
    p->start = start;
    p->flags = flags;
    p->feature_version = feature_version;
    p->async_indent = -1;
    p->count_characters = 1;
}

void
_PyParse_Clear(Parser *p)
{
    PyMem_Free(p->tokens);
    PyMem_Free(p->scratch);
    PyMem_Free(p->names);
    PyMem_Free(p->type_ignores);
    PyMem_Free(p->memos);
    Py_XDECREF(p->normalize);
}

void *
_PyParse_NoMemory(Parser *p)
{
    if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    p->failed = 1;
    return NULL;
}

int
_PyParse_Enter(Parser *p, int levels)
{
    p->depth += levels;
    if (p->depth > MAX_PARSE_DEPTH || _Py_CStackIsShort(_PyThreadState_GET())) {
        _PyParse_NoMemory(p);
        return 0;
    }
    return 1;
}

int
_PyParse_CheckVersion(Parser *p, int minor, const char *what)
{
    if (p->feature_version < minor) {
        _PyParse_Raise(p, PyExc_SyntaxError,
                       "%s only supported in Python 3.%i and greater", what, minor);
        return 0;
    }
    return 1;
}

/* ------------------------------------------------------------------- tokens */

static const struct {
    const char *text;
    unsigned char type;
} keywords[] = {
    /* Sorted; first_keyword has the index of the first keyword with each letter. */
    {"False", KW_FALSE}, {"None", KW_NONE}, {"True", KW_TRUE}, {"and", KW_AND},
    {"as", KW_AS}, {"assert", KW_ASSERT}, {"async", TOK_ASYNC}, {"await", TOK_AWAIT},
    {"break", KW_BREAK}, {"class", KW_CLASS}, {"continue", KW_CONTINUE},
    {"def", KW_DEF}, {"del", KW_DEL}, {"elif", KW_ELIF}, {"else", KW_ELSE},
    {"except", KW_EXCEPT}, {"finally", KW_FINALLY}, {"for", KW_FOR},
    {"from", KW_FROM}, {"global", KW_GLOBAL}, {"if", KW_IF}, {"import", KW_IMPORT},
    {"in", KW_IN}, {"is", KW_IS}, {"lambda", KW_LAMBDA}, {"nonlocal", KW_NONLOCAL},
    {"not", KW_NOT}, {"or", KW_OR}, {"pass", KW_PASS}, {"raise", KW_RAISE},
    {"return", KW_RETURN}, {"try", KW_TRY}, {"while", KW_WHILE}, {"with", KW_WITH},
    {"yield", KW_YIELD},
};

static const unsigned char first_keyword[128] = {
    ['F'] = 1, ['N'] = 2, ['T'] = 3, ['a'] = 4, ['b'] = 9, ['c'] = 10, ['d'] = 12,
    ['e'] = 14, ['f'] = 17, ['g'] = 20, ['i'] = 21, ['l'] = 25, ['n'] = 26,
    ['o'] = 28, ['p'] = 29, ['r'] = 30, ['t'] = 32, ['w'] = 33, ['y'] = 35,
};

static TokenType
name_or_keyword(const char *text, Py_ssize_t length)
{
    unsigned char c = (unsigned char)text[0];
    if (length < 2 || length > 8 || c >= 128 || first_keyword[c] == 0) {
        return TOK_NAME;
    }
    for (size_t i = first_keyword[c] - 1;
         i < Py_ARRAY_LENGTH(keywords) && keywords[i].text[0] == (char)c; i++)
    {
        if (strncmp(keywords[i].text, text, length) == 0
            && keywords[i].text[length] == '\0')
        {
            return keywords[i].type;
        }
    }
    return TOK_NAME;
}

/* Before Python 3.7, `async` and `await` were names, except for `async def` and inside
   such a function, which ends at a line that is indented no deeper than its `async`. */
static TokenType
old_async_or_await(Parser *p, TokenType type)
{
    if (p->async_indent >= 0 && p->async_body && p->tok.level == 0
        && type != TOK_NEWLINE && type != TOK_TYPE_COMMENT
        && p->tok.indent_depth <= p->async_indent)
    {
        p->async_indent = -1;
    }
    p->async_body |= type == TOK_NEWLINE;
    if (p->async_indent >= 0 || (type != TOK_ASYNC && type != TOK_AWAIT)) {
        return type;
    }
    Tokenizer ahead = p->tok;
    Token next;
    if (type == TOK_ASYNC && _PyTok_Next(&ahead, &next) == TOK_NAME
        && next.length == 3 && memcmp(next.start, "def", 3) == 0)
    {
        p->async_indent = p->tok.indent_depth;
        p->async_body = 0;
        return TOK_ASYNC;
    }
    PyErr_Clear();              /* reported when that token is read again */
    return TOK_NAME;
}

static int
add_type_ignore(Parser *p, const Token *token)
{
    if (p->n_type_ignores == p->type_ignores_capacity) {
        int capacity = p->type_ignores_capacity ? p->type_ignores_capacity * 2 : 8;
        AstNode **items = _PyMem_RESIZED(p->type_ignores, AstNode *, capacity);
        if (items == NULL) {
            _PyParse_NoMemory(p);
            return 0;
        }
        p->type_ignores = items;
        p->type_ignores_capacity = capacity;
    }
    PyObject *tag = _PyParse_Keep(p, PyUnicode_DecodeUTF8(token->start, token->length,
                                                          NULL));
    if (tag == NULL) {
        return 0;
    }
    AstNode *node = made(p, AstNew_TypeIgnore(p->arena, (AstPos){0, 0, 0, 0},
                                              token->lineno, tag));
    p->type_ignores[p->n_type_ignores++] = node;
    return node != NULL;
}

TokenType
_PyParse_Fill(Parser *p)
{
    if (p->failed) {
        return TOK_ERROR;
    }
    if (p->n_tokens == p->tokens_capacity) {
        int capacity = p->tokens_capacity ? p->tokens_capacity * 2 : 64;
        Token *tokens = _PyMem_RESIZED(p->tokens, Token, capacity);
        if (tokens == NULL) {
            _PyParse_NoMemory(p);
            return TOK_ERROR;
        }
        p->tokens = tokens;
        p->tokens_capacity = capacity;
    }
    Token *token = &p->tokens[p->n_tokens];
    TokenType type = _PyTok_Next(&p->tok, token);
    while (type == TOK_TYPE_IGNORE) {
        if (!add_type_ignore(p, token)) {
            return TOK_ERROR;
        }
        type = _PyTok_Next(&p->tok, token);
    }
    if (type == TOK_ERROR) {
        p->n_tokens++;          /* errors point at the token that could not be read */
        _PyParse_RaiseTokenizerError(p);
        p->failed = 1;
        return TOK_ERROR;
    }
    if (type == TOK_NAME) {
        token->type = type = name_or_keyword(token->start, token->length);
    }
    if (p->feature_version < 7) {
        token->type = type = old_async_or_await(p, type);
    }
    if (type == TOK_ENDMARKER && p->start == Py_single_input && p->parsing_started) {
        token->type = type = TOK_NEWLINE;
        p->parsing_started = 0;
        if (p->tok.indent_depth > 0 && !(p->flags & PyCF_DONT_IMPLY_DEDENT)) {
            p->tok.pending_dedents = p->tok.indent_depth;
            p->tok.indent_depth = 0;
        }
        p->n_tokens++;
        return type;
    }
    p->parsing_started = 1;
    if (p->starting_lineno != 0) {
        /* A replacement field: its first line is part of a longer one. As in CPython, a
           string over several lines counts as being on its last line. */
        if (token->end_lineno == p->starting_lineno && token->col_offset >= 0) {
            token->col_offset += p->starting_col_offset;
            token->end_col_offset += p->starting_col_offset;
        }
    }
    p->n_tokens++;
    return type;
}

int
_PyParse_PeekWord(Parser *p, const char *word)
{
    if (peek(p) != TOK_NAME) {
        return 0;
    }
    const Token *token = &p->tokens[p->pos];
    return strncmp(token->start, word, token->length) == 0
        && word[token->length] == '\0';
}

/* -------------------------------------------------------------------- names */

static Py_hash_t
hash_text(const char *text, Py_ssize_t length)
{
    size_t hash = (size_t)length * 0x9E3779B97F4A7C15u;
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
        text += 8;
        length -= 8;
    }
    uint64_t word = 0;
    memcpy(&word, text, length);
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return (Py_hash_t)(hash ^ (hash >> 32));
}

/* Identifiers are compared in normal form NFKC. */
static PyObject *
normalized(Parser *p, PyObject *name)
{
    if (p->normalize == NULL) {
        PyObject *module = PyImport_ImportModule("unicodedata");
        if (module == NULL) {
            Py_DECREF(name);
            return NULL;
        }
        p->normalize = PyObject_GetAttrString(module, "normalize");
        Py_DECREF(module);
        if (p->normalize == NULL) {
            Py_DECREF(name);
            return NULL;
        }
    }
    PyObject *result = PyObject_CallFunction(p->normalize, "sN", "NFKC", name);
    if (result != NULL && !PyUnicode_Check(result)) {
        PyErr_Format(PyExc_TypeError, "unicodedata.normalize() must return a string, "
                     "not %.200s", Py_TYPE(result)->tp_name);
        Py_CLEAR(result);
    }
    return result;
}

static PyObject *
new_name(Parser *p, const char *text, Py_ssize_t length)
{
    PyObject *name = PyUnicode_DecodeUTF8(text, length, NULL);
    if (name != NULL && !PyUnicode_IS_ASCII(name)) {
        /* The tokenizer may be ahead, with an exception set for a later token. */
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        name = normalized(p, name);
        if (name != NULL) {
            PyErr_Restore(type, value, traceback);
        }
        else {
            Py_XDECREF(type);
            Py_XDECREF(value);
            Py_XDECREF(traceback);
        }
    }
    if (name != NULL) {
        PyUnicode_InternInPlace(&name);
    }
    return _PyParse_Keep(p, name);
}

static int
grow_names(Parser *p)
{
    Py_ssize_t capacity = p->names != NULL ? (p->names_mask + 1) * 2 : 64;
    NameEntry *names = PyMem_Calloc(capacity, sizeof(NameEntry));
    if (names == NULL) {
        _PyParse_NoMemory(p);
        return 0;
    }
    if (p->names != NULL) {
        for (Py_ssize_t i = 0; i <= p->names_mask; i++) {
            if (p->names[i].name != NULL) {
                Py_ssize_t j = p->names[i].hash & (capacity - 1);
                while (names[j].name != NULL) {
                    j = (j + 1) & (capacity - 1);
                }
                names[j] = p->names[i];
            }
        }
        PyMem_Free(p->names);
    }
    p->names = names;
    p->names_mask = capacity - 1;
    return 1;
}

PyObject *
_PyParse_Intern(Parser *p, const char *text, Py_ssize_t length)
{
    if (p->n_names * 2 >= p->names_mask && !grow_names(p)) {
        return NULL;
    }
    Py_hash_t hash = hash_text(text, length);
    Py_ssize_t i = hash & p->names_mask;
    while (p->names[i].name != NULL) {
        NameEntry *entry = &p->names[i];
        if (entry->hash == hash && entry->length == length
            && memcmp(entry->text, text, length) == 0)
        {
            return entry->name;
        }
        i = (i + 1) & p->names_mask;
    }
    PyObject *name = new_name(p, text, length);
    if (name != NULL) {
        p->names[i] = (NameEntry){text, length, hash, name};
        p->n_names++;
    }
    return name;
}

PyObject *
_PyParse_Name(Parser *p, const Token *token)
{
    return _PyParse_Intern(p, token->start, token->length);
}

PyObject *
_PyParse_Keep(Parser *p, PyObject *object)
{
    if (object == NULL || _PyAstArena_Steal(p->arena, object) < 0) {
        p->failed = 1;
        return NULL;
    }
    return object;
}

/* ---------------------------------------------------------------- sequences */

int
_PyParse_Push(Parser *p, void *item)
{
    if (p->n_scratch == p->scratch_capacity) {
        Py_ssize_t capacity = p->scratch_capacity ? p->scratch_capacity * 2 : 256;
        void **scratch = _PyMem_RESIZED(p->scratch, void *, capacity);
        if (scratch == NULL) {
            _PyParse_NoMemory(p);
            return 0;
        }
        p->scratch = scratch;
        p->scratch_capacity = capacity;
    }
    p->scratch[p->n_scratch++] = item;
    return 1;
}

AstSeq *
_PyParse_PopSeq(Parser *p, Py_ssize_t base)
{
    Py_ssize_t size = p->n_scratch - base;
    AstSeq *seq = _PyAst_NewSeq(p->arena, size);
    p->n_scratch = base;
    if (seq == NULL) {
        return _PyParse_NoMemory(p);
    }
    if (size > 0) {
        memcpy(seq->items, p->scratch + base, size * sizeof(AstNode *));
    }
    return seq;
}

AstSeq *
_PyParse_SeqOfOne(Parser *p, AstNode *node)
{
    AstSeq *seq = _PyAst_NewSeq(p->arena, 1);
    if (seq == NULL) {
        return _PyParse_NoMemory(p);
    }
    seq->items[0] = node;
    return seq;
}

/* ----------------------------------------------------------------- the memo */

int
_PyParse_GetMemo(Parser *p, MemoRule rule, void **result)
{
    if (p->failed) {
        *result = NULL;
        return 1;
    }
    if (p->pos >= p->memos_capacity) {
        return 0;
    }
    for (Memo *memo = p->memos[p->pos]; memo != NULL; memo = memo->next) {
        if (memo->rule == rule) {
            *result = memo->result;
            p->pos = memo->end;
            return 1;
        }
    }
    return 0;
}

void *
_PyParse_SetMemo(Parser *p, MemoRule rule, int first, void *result)
{
    if (p->failed) {
        return NULL;
    }
    if (first >= p->memos_capacity) {
        int capacity = Py_MAX(first + 1, p->tokens_capacity);
        Memo **memos = _PyMem_RESIZED(p->memos, Memo *, capacity);
        if (memos == NULL) {
            return _PyParse_NoMemory(p);
        }
        memset(memos + p->memos_capacity, 0,
               (capacity - p->memos_capacity) * sizeof(Memo *));
        p->memos = memos;
        p->memos_capacity = capacity;
    }
    Memo *memo = _PyAstArena_Alloc(p->arena, sizeof(Memo));
    if (memo == NULL) {
        return _PyParse_NoMemory(p);
    }
    if (result == NULL) {
        p->pos = first;
    }
    *memo = (Memo){p->memos[first], rule, p->pos, result};
    p->memos[first] = memo;
    return result;
}

/* ------------------------------------------------------------------- passes */

/* Whether the program is only incomplete: a name, number or operator at the very end of
   the text might continue. */
static int
at_end_of_source(Parser *p)
{
    const Tokenizer *tok = &p->tok;
    if (tok->incomplete || tok->status != TOKEN_OK || tok->cur != tok->text_end) {
        return tok->incomplete;
    }
    return tok->cur > tok->text && tok->cur[-1] != '\n' && p->n_tokens > 0
        && p->tokens[p->n_tokens - 1].type != TOK_STRING;
}

/* Only blank lines and comments may follow an interactive statement. */
static int
more_follows(Parser *p)
{
    const char *c = p->tok.cur;
    for (;;) {
        while (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\f') {
            c++;
        }
        if (*c == '\0') {
            return 0;
        }
        if (*c != '#') {
            return 1;
        }
        while (*c != '\0' && *c != '\n') {
            c++;
        }
    }
}

AstNode *
_PyParse_Run(Parser *p)
{
    AstNode *result = _PyParse_Mod(p);
    if (result != NULL && !p->failed) {
        if (p->start == Py_single_input && !p->tok.interactive && more_follows(p)) {
            return _PyParse_Raise(p, PyExc_SyntaxError, "multiple statements found while "
                                  "compiling a single statement");
        }
        return result;
    }
    if ((p->flags & PyCF_ALLOW_INCOMPLETE_INPUT) && at_end_of_source(p)) {
        PyErr_Clear();
        p->failed = 0;
        return _PyParse_Raise(p, PyExc_SyntaxError, "incomplete input");
    }
    if (PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_SyntaxError)) {
            _PyParse_SetSyntaxError(p, p->n_tokens - 1);
        }
        return NULL;
    }
    int last = p->n_tokens - 1;
    p->diagnosing = p->remembering = 1;
    if (p->memos_capacity > 0) {
        memset(p->memos, 0, p->memos_capacity * sizeof(Memo *));
    }
    p->pos = p->restart;
    p->depth = 0;
    p->n_scratch = 0;
    p->tok.report_warnings = 0;
    _PyParse_Mod(p);
    _PyParse_SetSyntaxError(p, last);
    return NULL;
}
