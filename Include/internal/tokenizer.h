/* The tokenizer: UTF-8 text in, one token at a time out. */
#ifndef SB_FRONTEND_TOKENIZER_H
#define SB_FRONTEND_TOKENIZER_H

#include "Python.h"

/* The numbers up to TOK_ERROR are those of the standard library's token.py. */
typedef enum {
    TOK_ENDMARKER, TOK_NAME, TOK_NUMBER, TOK_STRING, TOK_NEWLINE, TOK_INDENT,
    TOK_DEDENT, TOK_LPAR, TOK_RPAR, TOK_LSQB, TOK_RSQB, TOK_COLON, TOK_COMMA,
    TOK_SEMI, TOK_PLUS, TOK_MINUS, TOK_STAR, TOK_SLASH, TOK_VBAR, TOK_AMPER,
    TOK_LESS, TOK_GREATER, TOK_EQUAL, TOK_DOT, TOK_PERCENT, TOK_LBRACE,
    TOK_RBRACE, TOK_EQEQUAL, TOK_NOTEQUAL, TOK_LESSEQUAL, TOK_GREATEREQUAL,
    TOK_TILDE, TOK_CIRCUMFLEX, TOK_LEFTSHIFT, TOK_RIGHTSHIFT, TOK_DOUBLESTAR,
    TOK_PLUSEQUAL, TOK_MINEQUAL, TOK_STAREQUAL, TOK_SLASHEQUAL,
    TOK_PERCENTEQUAL, TOK_AMPEREQUAL, TOK_VBAREQUAL, TOK_CIRCUMFLEXEQUAL,
    TOK_LEFTSHIFTEQUAL, TOK_RIGHTSHIFTEQUAL, TOK_DOUBLESTAREQUAL,
    TOK_DOUBLESLASH, TOK_DOUBLESLASHEQUAL, TOK_AT, TOK_ATEQUAL, TOK_RARROW,
    TOK_ELLIPSIS, TOK_COLONEQUAL, TOK_OP, TOK_AWAIT, TOK_ASYNC,
    TOK_TYPE_IGNORE, TOK_TYPE_COMMENT, TOK_SOFT_KEYWORD, TOK_ERROR,
    /* Keywords: names to the tokenizer, told apart by the parser. */
    KW_FALSE, KW_NONE, KW_TRUE, KW_AND, KW_AS, KW_ASSERT, KW_BREAK, KW_CLASS,
    KW_CONTINUE, KW_DEF, KW_DEL, KW_ELIF, KW_ELSE, KW_EXCEPT, KW_FINALLY,
    KW_FOR, KW_FROM, KW_GLOBAL, KW_IF, KW_IMPORT, KW_IN, KW_IS, KW_LAMBDA,
    KW_NONLOCAL, KW_NOT, KW_OR, KW_PASS, KW_RAISE, KW_RETURN, KW_TRY, KW_WHILE,
    KW_WITH, KW_YIELD,
    TOK_TYPE_COUNT
} TokenType;

/* Why there is no next token. */
typedef enum {
    TOKEN_OK,
    TOKEN_EOF,              /* end of input (an error inside brackets) */
    TOKEN_RAISED,           /* an exception is set */
    TOKEN_BAD_DEDENT,
    TOKEN_TABS_AND_SPACES,
    TOKEN_TOO_DEEP,
    TOKEN_BAD_CONTINUATION
} TokenizerStatus;

#define MAX_INDENT 100
#define MAX_BRACKETS 200

typedef struct {
    TokenType type;
    int level;              /* brackets open after this token */
    int lineno;
    int col_offset;         /* -1: takes no room (INDENT, DEDENT, ENDMARKER) */
    int end_lineno;
    int end_col_offset;
    const char *start;
    Py_ssize_t length;
} Token;

/* Invariants: `text` ends with a NUL at `text_end`. The current line is
   [line_start, line_end), '\n' included; cur is inside it or at its end.
   `shown` is where the text of an error report begins: the current line, or the
   first line of a token or continuation that goes over several lines. */
typedef struct Tokenizer {
    const char *text;
    const char *text_end;
    const char *cur;
    const char *line_start;
    const char *line_end;
    const char *shown;
    const char *token_start;        /* NULL between tokens */
    const char *multiline_start;    /* line of the opening quotes */
    int lineno;
    int first_lineno;               /* line of the opening quotes */
    TokenizerStatus status;
    int incomplete;                 /* the input ended where more was needed */
    int at_line_start;
    int pending_dedents;            /* negative: one INDENT */
    int indent_depth;
    int indents[MAX_INDENT];
    int alt_indents[MAX_INDENT];    /* with tabs as one column */
    int level;
    char brackets[MAX_BRACKETS];
    int bracket_lines[MAX_BRACKETS];
    int bracket_columns[MAX_BRACKETS];
    int type_comments;
    int report_warnings;
    int interactive;
    int from_file;                  /* python3.11 shows no column at the end of a file */
    PyObject *filename;             /* borrowed */
    /* Appends a line to the text, which may move; 1, 0 at the end of input, -1
       with an exception set. NULL when all of the text is there. */
    int (*read_line)(struct Tokenizer *);
    void *reader;
} Tokenizer;

/* Starts at the beginning of [text, text + size), where text[size] == 0. */
void _PyTok_Init(Tokenizer *tok, const char *text, Py_ssize_t size,
                 PyObject *filename);

/* Stores the next token and returns its type. On TOK_ERROR tok->status says
   why. */
TokenType _PyTok_Next(Tokenizer *tok, Token *token);

#endif
