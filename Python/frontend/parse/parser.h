/* Tokens to syntax tree: shared by the files of the parser.

   The parser is a hand-written recursive descent over a growing array of tokens. A
   function that parses something returns it, with `pos` after it, or NULL. NULL means
   either that nothing of the kind is found here (`failed` is 0), or that an exception is
   set (`failed` is 1), in which case all callers return at once.

   The first pass decides by looking at the next token, hardly ever backs up, and knows
   nothing about error messages. If it fails, a second pass starts again with `diagnosing`
   set: the same functions then also try common mistakes (diagnose.c) and raise the
   precise message. They may parse the same tokens again and again, so their results are
   remembered (memo). If the second pass finds nothing either, the error is "invalid
   syntax" at the last token that the first pass looked at. For that token to be the
   expected one, no function may look ahead further than it has to. */
#ifndef SB_FRONTEND_PARSER_H
#define SB_FRONTEND_PARSER_H

#include "Python.h"
#include "internal/ast.h"
#include "internal/frontend.h"
#include "internal/tokenizer.h"

#define START_FSTRING 800           /* `start` of a replacement field's parser */
/* How many of its 6,000 levels python3.11's parser can use for nesting: the rules of one
   atom take the rest. */
#define MAX_PARSE_DEPTH 5976

typedef enum {
    MEMO_EXPRESSION, MEMO_DISJUNCTION, MEMO_CONJUNCTION, MEMO_INVERSION,
    MEMO_COMPARISON, MEMO_BITWISE_OR, MEMO_FACTOR, MEMO_AWAIT_PRIMARY,
    MEMO_PRIMARY, MEMO_ATOM,
    MEMO_STAR_EXPRESSION, MEMO_STAR_EXPRESSIONS, MEMO_NAMED_EXPRESSION,
    MEMO_INVALID_NAMED, MEMO_LAMBDA, MEMO_ARGS, MEMO_TARGETS, MEMO_BLOCK,
    MEMO_SIMPLE_STATEMENT, MEMO_STRINGS, MEMO_COUNT
} MemoRule;

typedef struct Memo {
    struct Memo *next;
    MemoRule rule;
    int end;
    void *result;
} Memo;

typedef struct {
    const char *text;
    Py_ssize_t length;
    Py_hash_t hash;
    PyObject *name;
} NameEntry;

typedef struct Parser {
    Tokenizer tok;
    Token *tokens;
    int n_tokens;
    int tokens_capacity;
    int pos;
    int restart;                /* where the second pass begins */
    AstArena *arena;
    PyObject *filename;         /* borrowed */
    const char *encoding;       /* of the file, or NULL for UTF-8; borrowed */
    int start;
    int flags;                  /* PyCF_* */
    int feature_version;
    int async_indent;           /* before 3.7: of the `async def` around, or -1 */
    int async_body;             /* the line of that `async def` has ended */
    int remembering;            /* use the memo: on once something went wrong */
    int diagnosing;
    int without_diagnosis;      /* nesting: inside, only plain syntax is tried */
    int failed;
    int parsing_started;        /* input has given a token (Py_single_input) */
    int depth;
    int count_characters;       /* error columns count characters, not bytes */
    int starting_lineno;        /* in a replacement field: where it stands */
    int starting_col_offset;
    void **scratch;             /* items of sequences under construction */
    Py_ssize_t n_scratch;
    Py_ssize_t scratch_capacity;
    NameEntry *names;           /* identifiers seen, open addressing */
    Py_ssize_t names_mask;
    Py_ssize_t n_names;
    PyObject *normalize;        /* unicodedata.normalize */
    AstNode **type_ignores;
    int n_type_ignores;
    int type_ignores_capacity;
    Memo **memos;               /* by token index */
    int memos_capacity;
} Parser;

/* -------------------------------------------------------- tokens (parser.c) */

/* Fetches one more token. Returns its type, or TOK_ERROR with `failed` set. */
TokenType _PyParse_Fill(Parser *p);

static inline TokenType
peek(Parser *p)
{
    return p->pos < p->n_tokens ? p->tokens[p->pos].type : _PyParse_Fill(p);
}

/* The token after the next. */
static inline TokenType
peek_second(Parser *p)
{
    if (peek(p) == TOK_ERROR) {
        return TOK_ERROR;
    }
    return p->pos + 1 < p->n_tokens ? p->tokens[p->pos + 1].type : _PyParse_Fill(p);
}

static inline int
accept(Parser *p, TokenType type)
{
    if (peek(p) == type) {
        p->pos++;
        return 1;
    }
    return 0;
}

static inline Token *
last_token(Parser *p)
{
    return &p->tokens[p->pos - 1];
}

/* From token `first` to the last one consumed. */
static inline AstPos
span(Parser *p, int first)
{
    Token *a = &p->tokens[first];
    Token *b = &p->tokens[p->pos - 1];
    while (b > a && (b->type == TOK_NEWLINE || b->type == TOK_INDENT
                     || b->type == TOK_DEDENT || b->type == TOK_ENDMARKER))
    {
        b--;
    }
    return (AstPos){a->lineno, a->col_offset, b->end_lineno, b->end_col_offset};
}

static inline AstPos
token_pos(const Token *token)
{
    return (AstPos){token->lineno, token->col_offset, token->end_lineno,
                    token->end_col_offset};
}

/* Whether the next token is this soft keyword. */
int _PyParse_PeekWord(Parser *p, const char *word);

/* The identifier of a NAME token. Returns a borrowed reference, or NULL with `failed`
   set. */
PyObject *_PyParse_Name(Parser *p, const Token *token);
PyObject *_PyParse_Intern(Parser *p, const char *text, Py_ssize_t length);

/* Gives the object to the arena. Returns NULL (with `failed` set) if it is NULL. */
PyObject *_PyParse_Keep(Parser *p, PyObject *object);

void *_PyParse_NoMemory(Parser *p);

/* To collect nodes: save p->n_scratch, push nodes, then pop all of them. */
int _PyParse_Push(Parser *p, void *item);
AstSeq *_PyParse_PopSeq(Parser *p, Py_ssize_t base);
AstSeq *_PyParse_SeqOfOne(Parser *p, AstNode *node);

/* Returns 0, with `failed` set, if the C stack or the grammar is nested too deeply. */
int _PyParse_Enter(Parser *p, int levels);

/* Returns 0, with SyntaxError, if the requested feature_version is older. */
int _PyParse_CheckVersion(Parser *p, int minor, const char *what);

/* A constructor that returns NULL is a MemoryError. */
static inline AstNode *
made(Parser *p, AstNode *node)
{
    return node != NULL ? node : _PyParse_NoMemory(p);
}

#define NEW(kind, ...) made(p, AstNew_##kind(p->arena, __VA_ARGS__))

/* In the second pass, except where only plain syntax is tried. */
static inline int
diagnosing(Parser *p)
{
    return p->diagnosing && !p->without_diagnosis;
}

int _PyParse_GetMemo(Parser *p, MemoRule rule, void **result);
void *_PyParse_SetMemo(Parser *p, MemoRule rule, int first, void *result);

void _PyParse_Init(Parser *p, const char *text, Py_ssize_t size, PyObject *filename,
                   int start, int flags, int feature_version, AstArena *arena);
void _PyParse_Clear(Parser *p);

/* Both passes. */
AstNode *_PyParse_Run(Parser *p);

/* ------------------- errors (error.c): each returns NULL, with `failed` set */

/* Columns as in AstPos; an end column of -1 is unknown. */
void *_PyParse_RaiseAt(Parser *p, PyObject *type, AstPos pos, const char *format, ...);
/* At the last token fetched. */
void *_PyParse_Raise(Parser *p, PyObject *type, const char *format, ...);
/* Raises the exception for a tokenizer error. */
void *_PyParse_RaiseTokenizerError(Parser *p);
/* Turns the UnicodeError or ValueError of a decoder into a SyntaxError. */
void _PyParse_RaiseDecodingError(Parser *p);
/* After a failed second pass. */
void _PyParse_SetSyntaxError(Parser *p, int last);
const char *_PyParse_ExprName(AstNode *e);

/* ----------------------------------------------------- expressions (expr.c) */

AstNode *_PyParse_StarExpressions(Parser *p);
AstNode *_PyParse_StarExpression(Parser *p);
AstNode *_PyParse_StarNamedExpression(Parser *p);
AstNode *_PyParse_NamedExpression(Parser *p);
AstNode *_PyParse_Expression(Parser *p);
/* Without the attempts that the second pass makes first. */
AstNode *_PyParse_PlainExpression(Parser *p);
AstNode *_PyParse_Expressions(Parser *p);
AstNode *_PyParse_Disjunction(Parser *p);
AstNode *_PyParse_BitwiseOr(Parser *p);
AstNode *_PyParse_Primary(Parser *p);
AstNode *_PyParse_Yield(Parser *p);
AstNode *_PyParse_Atom(Parser *p);
/* elements ',' ... as a sequence in scratch; see StarNamedExpression */
AstSeq *_PyParse_StarNamedExpressions(Parser *p);
AstSeq *_PyParse_ForIfClauses(Parser *p);
/* A Call without func (NULL) that holds the longest run of arguments. */
AstNode *_PyParse_Args(Parser *p);

typedef enum { TARGET_STAR, TARGET_DEL, TARGET_FOR } TargetKind;
/* Turns e into a target. Returns 0 if it can't be one. */
int _PyParse_SetContext(AstNode *e, AstKind ctx);
/* star_targets: targets before `in` or `=`. */
AstNode *_PyParse_StarTargets(Parser *p);
AstNode *_PyParse_StarTarget(Parser *p);

/* Parameters up to ')' or, for a lambda, ':' (params.c). */
AstNode *_PyParse_Parameters(Parser *p, int lambda);

/* ---------------------------- literals (number_literal.c, string_literal.c) */

AstNode *_PyParse_Number(Parser *p, const Token *token);
/* Adjacent STRING tokens, at least one. */
AstNode *_PyParse_Strings(Parser *p);

/* ----------------------------- statements (stmt.c) and patterns (pattern.c) */

AstNode *_PyParse_Mod(Parser *p);
AstSeq *_PyParse_Block(Parser *p);
/* The match statement at `pos`, or NULL if `match` is an ordinary name here. */
AstNode *_PyParse_Match(Parser *p);

/* --------------------------------------------- common mistakes (diagnose.c) */

int _PyDiag_Expression(Parser *p);          /* Returns 0 if an error was raised. */
int _PyDiag_NamedExpression(Parser *p);
int _PyDiag_Assignment(Parser *p);
int _PyDiag_Comprehension(Parser *p);
int _PyDiag_DictComprehension(Parser *p);
int _PyDiag_DictPairs(Parser *p);
int _PyDiag_Group(Parser *p);
int _PyDiag_Arguments(Parser *p);
int _PyDiag_KeywordArgument(Parser *p);
int _PyDiag_Parameters(Parser *p, int lambda);
int _PyDiag_Target(Parser *p, AstNode *e, TargetKind kind);
int _PyDiag_WithItem(Parser *p);
int _PyDiag_ForTarget(Parser *p);

#endif
