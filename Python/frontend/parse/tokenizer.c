/* Text to tokens.

   The tokenizer works on one line at a time: `line_end` is the end of the text that may
   be read before advance_line() has counted the line and, for interactive input, fetched
   it. Inside a line, the terminating '\n' (or the NUL after the text) stops every
   scanning loop, so the loops need not compare with `line_end`.

   There are two kinds of errors, as callers see in tracebacks. Those with a position in
   the current line are raised here (TOKEN_RAISED). The others are a status for which the
   parser makes the message, because it knows the token before. */

#include "internal/tokenizer.h"

#include <ctype.h>
#include <string.h>

#define TAB_WIDTH 8

enum { C_IDENT = 1, C_DIGIT = 2, C_HEX = 4 };

/* Bytes of multi-byte characters count as identifier letters here; check_identifier()
   examines them. */
static const unsigned char char_class[256] = {
    ['0' ... '9'] = C_IDENT | C_DIGIT | C_HEX,
    ['a' ... 'f'] = C_IDENT | C_HEX,
    ['g' ... 'z'] = C_IDENT,
    ['A' ... 'F'] = C_IDENT | C_HEX,
    ['G' ... 'Z'] = C_IDENT,
    ['_'] = C_IDENT,
    [128 ... 255] = C_IDENT,
};

#define IS_IDENT(c) (char_class[(unsigned char)(c)] & C_IDENT)
#define IS_DIGIT(c) (char_class[(unsigned char)(c)] & C_DIGIT)
#define IS_HEX(c) (char_class[(unsigned char)(c)] & C_HEX)

void
_PyTok_Init(Tokenizer *tok, const char *text, Py_ssize_t size, PyObject *filename)
{
    memset(tok, 0, sizeof(*tok));
    tok->text = tok->cur = tok->line_start = tok->line_end = tok->shown = text;
    tok->text_end = text + size;
    tok->at_line_start = 1;
    tok->report_warnings = 1;
    tok->filename = filename;
}

/* 1 if there is a next line, which becomes the current one. */
static int
advance_line(Tokenizer *tok)
{
    if (tok->status != TOKEN_OK) {
        return 0;
    }
    if (tok->line_end == tok->text_end) {
        int more = tok->read_line != NULL ? tok->read_line(tok) : 0;
        if (more <= 0) {
            tok->incomplete = 1;
            tok->status = more < 0 ? TOKEN_RAISED : TOKEN_EOF;
            tok->cur = tok->line_end;
            return 0;
        }
    }
    tok->cur = tok->line_end;
    tok->line_start = tok->cur;
    if (tok->token_start == NULL) {
        tok->shown = tok->cur;
    }
    const char *newline = memchr(tok->cur, '\n', tok->text_end - tok->cur);
    tok->line_end = newline != NULL ? newline + 1 : tok->text_end;
    tok->lineno++;
    return 1;
}

static inline int
next_char(Tokenizer *tok)
{
    if (tok->cur == tok->line_end && !advance_line(tok)) {
        return EOF;
    }
    return (unsigned char)*tok->cur++;
}

static inline void
back_up(Tokenizer *tok, int c)
{
    if (c != EOF) {
        tok->cur--;
    }
}

/* ------------------------------------------------------------------- errors */

/* Raises SyntaxError in the current line. Columns count characters from 1. -1 stands for
   "the current position" (start) and "as the start" (end). */
static TokenType
raise_message(Tokenizer *tok, PyObject *message, int column, int end_column)
{
    tok->status = TOKEN_RAISED;
    tok->incomplete = 0;
    if (message == NULL) {
        return TOK_ERROR;
    }
    PyObject *line = PyUnicode_DecodeUTF8(tok->line_start,
                                          tok->cur - tok->line_start, "replace");
    if (line == NULL) {
        Py_DECREF(message);
        return TOK_ERROR;
    }
    if (column == -1) {
        column = (int)PyUnicode_GET_LENGTH(line);
    }
    if (end_column == -1) {
        end_column = column;
    }
    Py_ssize_t length = tok->line_end - tok->line_start;
    if (length > 0 && tok->line_start[length - 1] == '\n') {
        length--;
    }
    if (length != tok->cur - tok->line_start) {
        Py_SETREF(line, PyUnicode_DecodeUTF8(tok->line_start, length, "replace"));
    }
    if (line != NULL) {
        PyObject *args = Py_BuildValue("(O(OiiOii))", message, tok->filename,
                                       tok->lineno, column, line, tok->lineno,
                                       end_column);
        if (args != NULL) {
            PyErr_SetObject(PyExc_SyntaxError, args);
            Py_DECREF(args);
        }
        Py_DECREF(line);
    }
    Py_DECREF(message);
    return TOK_ERROR;
}

static TokenType
raise_error(Tokenizer *tok, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    PyObject *message = PyUnicode_FromFormatV(format, args);
    va_end(args);
    return raise_message(tok, message, -1, -1);
}

static TokenType
stop(Tokenizer *tok, TokenizerStatus status)
{
    tok->status = status;
    return TOK_ERROR;
}

/* Returns 0, or -1 if the warning is an error. */
static int
warn_number_end(Tokenizer *tok, const char *kind)
{
    if (!tok->report_warnings) {
        return 0;
    }
    PyObject *message = PyUnicode_FromFormat("invalid %s literal", kind);
    if (message == NULL) {
        tok->status = TOKEN_RAISED;
        return -1;
    }
    int result = PyErr_WarnExplicitObject(PyExc_SyntaxWarning, message,
                                          tok->filename, tok->lineno, NULL, NULL);
    if (result < 0) {
        if (PyErr_ExceptionMatches(PyExc_SyntaxWarning)) {
            PyErr_Clear();
            raise_error(tok, "%U", message);
        }
        tok->status = TOKEN_RAISED;
    }
    Py_DECREF(message);
    return result < 0 ? -1 : 0;
}

/* -------------------------------------------------------------- identifiers */

/* Whether [token_start, cur), which holds bytes above 127, is an identifier. On error,
   cur is left after the first character that does not belong to one. */
static int
check_identifier(Tokenizer *tok)
{
    PyObject *text = PyUnicode_DecodeUTF8(tok->token_start,
                                          tok->cur - tok->token_start, NULL);
    if (text == NULL) {
        /* The parser makes the message for a UnicodeDecodeError. */
        tok->status = TOKEN_RAISED;
        return 0;
    }
    int valid = PyUnicode_IsIdentifier(text);
    if (valid == 1) {
        Py_DECREF(text);
        return 1;
    }
    Py_ssize_t bad = 0, length = PyUnicode_GET_LENGTH(text);
    for (; bad < length; bad++) {
        PyObject *prefix = PyUnicode_Substring(text, 0, bad + 1);
        int fine = prefix == NULL ? -1 : PyUnicode_IsIdentifier(prefix);
        Py_XDECREF(prefix);
        if (fine < 0) {
            Py_DECREF(text);
            tok->status = TOKEN_RAISED;
            return 0;
        }
        if (!fine) {
            break;
        }
    }
    Py_UCS4 c = PyUnicode_READ_CHAR(text, bad);
    Py_DECREF(text);
    const char *end = tok->token_start;
    for (Py_ssize_t i = 0; i <= bad; i++) {
        end++;
        while (((unsigned char)*end & 0xC0) == 0x80) {
            end++;
        }
    }
    tok->cur = end;
    if (Py_UNICODE_ISPRINTABLE(c)) {
        char hex[12];
        PyOS_snprintf(hex, sizeof(hex), "%04X", (unsigned)c);
        raise_error(tok, "invalid character '%c' (U+%s)", (int)c, hex);
    }
    else {
        char hex[12];
        PyOS_snprintf(hex, sizeof(hex), "%04X", (unsigned)c);
        raise_error(tok, "invalid non-printable character U+%s", hex);
    }
    return 0;
}

/* ------------------------------------------------------------------ numbers */

/* Whether the rest of a keyword follows, and no further letters. */
static int
text_follows(Tokenizer *tok, const char *rest)
{
    size_t n = strlen(rest);
    return strncmp(tok->cur, rest, n) == 0 && !IS_IDENT(tok->cur[n]);
}

/* A number must not run into a name. Keywords that may follow a number in an expression
   are still allowed, with a warning. `c` was just read. */
static int
check_number_end(Tokenizer *tok, int c, const char *kind)
{
    int keyword = (c == 'a' && text_follows(tok, "nd"))
        || (c == 'e' && text_follows(tok, "lse"))
        || (c == 'f' && text_follows(tok, "or"))
        || (c == 'i' && (*tok->cur == 'n' || *tok->cur == 'f' || *tok->cur == 's'))
        || (c == 'o' && text_follows(tok, "r"))
        || (c == 'n' && text_follows(tok, "ot"));
    if (keyword) {
        back_up(tok, c);
        if (warn_number_end(tok, kind) < 0) {
            return 0;
        }
        tok->cur++;
        return 1;
    }
    if (c != EOF && c < 128 && IS_IDENT(c)) {
        back_up(tok, c);
        raise_error(tok, "invalid %s literal", kind);
        return 0;
    }
    if (c >= 128) {
        /* For a letter of another script, the column is after its first byte. */
        back_up(tok, c);
        raise_error(tok, "invalid %s literal", kind);
        return 0;
    }
    return 1;
}

/* Digits with single underscores between them; the first is at cur. Returns the character
   after them, already read, or 0 after an error. */
static int
scan_decimal_digits(Tokenizer *tok)
{
    int c;
    for (;;) {
        do {
            c = next_char(tok);
        } while (c != EOF && IS_DIGIT(c));
        if (c != '_') {
            return c;
        }
        c = next_char(tok);
        if (c == EOF || !IS_DIGIT(c)) {
            back_up(tok, c);
            raise_error(tok, "invalid decimal literal");
            return 0;
        }
    }
}

/* After 0x, 0o or 0b. */
static TokenType
scan_radix(Tokenizer *tok, int radix, const char *kind)
{
    int c = next_char(tok);
    do {
        if (c == '_') {
            c = next_char(tok);
        }
        int value = c == EOF ? 99 : IS_DIGIT(c) ? c - '0' : IS_HEX(c) ? 10 : 99;
        if (radix == 16 ? value > 10 : value >= radix) {
            if (value < 10) {
                return raise_error(tok, "invalid digit '%c' in %s literal", c, kind);
            }
            back_up(tok, c);
            return raise_error(tok, "invalid %s literal", kind);
        }
        do {
            c = next_char(tok);
            value = c == EOF ? 99 : IS_DIGIT(c) ? c - '0' : IS_HEX(c) ? 10 : 99;
        } while (radix == 16 ? value <= 10 : value < radix);
    } while (c == '_');
    if (radix != 16 && c != EOF && IS_DIGIT(c)) {
        return raise_error(tok, "invalid digit '%c' in %s literal", c, kind);
    }
    if (!check_number_end(tok, c, kind)) {
        return TOK_ERROR;
    }
    back_up(tok, c);
    return TOK_NUMBER;
}

/* The part after the integer digits. `c` was just read. */
static TokenType
scan_fraction(Tokenizer *tok, int c)
{
    if (c == '.') {
        c = next_char(tok);
        if (c != EOF && IS_DIGIT(c)) {
            c = scan_decimal_digits(tok);
            if (c == 0) {
                return TOK_ERROR;
            }
        }
    }
    if (c == 'e' || c == 'E') {
        int e = c;
        c = next_char(tok);
        if (c == '+' || c == '-') {
            c = next_char(tok);
            if (c == EOF || !IS_DIGIT(c)) {
                back_up(tok, c);
                return raise_error(tok, "invalid decimal literal");
            }
        }
        else if (c == EOF || !IS_DIGIT(c)) {
            back_up(tok, c);
            if (!check_number_end(tok, e, "decimal")) {
                return TOK_ERROR;
            }
            back_up(tok, e);
            return TOK_NUMBER;
        }
        c = scan_decimal_digits(tok);
        if (c == 0) {
            return TOK_ERROR;
        }
    }
    if (c == 'j' || c == 'J') {
        c = next_char(tok);
        if (!check_number_end(tok, c, "imaginary")) {
            return TOK_ERROR;
        }
    }
    else if (!check_number_end(tok, c, "decimal")) {
        return TOK_ERROR;
    }
    back_up(tok, c);
    return TOK_NUMBER;
}

/* After a leading zero: a prefix, zeros only, or the start of a float. */
static TokenType
scan_zero(Tokenizer *tok)
{
    int c = next_char(tok);
    switch (c) {
    case 'x': case 'X':
        return scan_radix(tok, 16, "hexadecimal");
    case 'o': case 'O':
        return scan_radix(tok, 8, "octal");
    case 'b': case 'B':
        return scan_radix(tok, 2, "binary");
    }
    int nonzero = 0;
    for (;;) {
        if (c == '_') {
            c = next_char(tok);
            if (c == EOF || !IS_DIGIT(c)) {
                back_up(tok, c);
                return raise_error(tok, "invalid decimal literal");
            }
        }
        if (c != '0') {
            break;
        }
        c = next_char(tok);
    }
    const char *zeros_end = tok->cur;
    if (c != EOF && IS_DIGIT(c)) {
        nonzero = 1;
        c = scan_decimal_digits(tok);
        if (c == 0) {
            return TOK_ERROR;
        }
    }
    if (c == '.' || c == 'e' || c == 'E' || c == 'j' || c == 'J') {
        return scan_fraction(tok, c);
    }
    if (nonzero) {
        back_up(tok, c);
        int column = (int)(tok->token_start + 1 - tok->line_start);
        int end = (int)(zeros_end - tok->line_start);
        return raise_message(tok, PyUnicode_FromString(
            "leading zeros in decimal integer literals are not permitted; "
            "use an 0o prefix for octal integers"), column, end);
    }
    if (!check_number_end(tok, c, "decimal")) {
        return TOK_ERROR;
    }
    back_up(tok, c);
    return TOK_NUMBER;
}

static TokenType
scan_number(Tokenizer *tok, int c)
{
    if (c == '0') {
        return scan_zero(tok);
    }
    c = scan_decimal_digits(tok);
    if (c == 0) {
        return TOK_ERROR;
    }
    return scan_fraction(tok, c);
}

/* ------------------------------------------------------------------ strings */

/* After the opening quote. */
static TokenType
scan_string(Tokenizer *tok, int quote)
{
    tok->first_lineno = tok->lineno;
    tok->multiline_start = tok->line_start;
    int quotes = 1;
    if (*tok->cur == quote) {
        if (tok->cur[1] != quote) {
            tok->cur++;
            return TOK_STRING;          /* '' */
        }
        tok->cur += 2;
        quotes = 3;
    }
    int seen = 0;
    while (seen != quotes) {
        int c = next_char(tok);
        if (c == EOF || (quotes == 1 && c == '\n')) {
            if (tok->status == TOKEN_RAISED) {
                return TOK_ERROR;
            }
            /* The error is reported at the opening quote. */
            tok->cur = tok->token_start + 1;
            tok->line_start = tok->multiline_start;
            int last = tok->lineno;
            tok->lineno = tok->first_lineno;
            const char *newline = memchr(tok->line_start, '\n',
                                         tok->text_end - tok->line_start);
            tok->line_end = newline != NULL ? newline + 1 : tok->text_end;
            raise_error(tok, quotes == 3
                        ? "unterminated triple-quoted string literal"
                          " (detected at line %d)"
                        : "unterminated string literal (detected at line %d)", last);
            tok->incomplete = c == EOF;
            return TOK_ERROR;
        }
        if (c == quote) {
            seen++;
            continue;
        }
        seen = 0;
        if (c == '\\') {
            next_char(tok);
        }
    }
    return TOK_STRING;
}

/* Whether [start, start + n) and a quote begin a string. */
static int
is_string_prefix(const char *start, Py_ssize_t n)
{
    int b = 0, u = 0, r = 0, f = 0;
    if (n > 2) {
        return 0;
    }
    for (; n > 0; n--, start++) {
        switch (*start) {
        case 'b': case 'B': b++; break;
        case 'u': case 'U': u++; break;
        case 'r': case 'R': r++; break;
        case 'f': case 'F': f++; break;
        default: return 0;
        }
    }
    return b + u + f <= 1 && r <= 1 && !(u && r);
}

/* ---------------------------------------------------------------- operators */

static const unsigned char one_char[128] = {
    ['('] = TOK_LPAR, [')'] = TOK_RPAR, ['['] = TOK_LSQB, [']'] = TOK_RSQB,
    [':'] = TOK_COLON, [','] = TOK_COMMA, [';'] = TOK_SEMI, ['+'] = TOK_PLUS,
    ['-'] = TOK_MINUS, ['*'] = TOK_STAR, ['/'] = TOK_SLASH, ['|'] = TOK_VBAR,
    ['&'] = TOK_AMPER, ['<'] = TOK_LESS, ['>'] = TOK_GREATER, ['='] = TOK_EQUAL,
    ['.'] = TOK_DOT, ['%'] = TOK_PERCENT, ['{'] = TOK_LBRACE, ['}'] = TOK_RBRACE,
    ['~'] = TOK_TILDE, ['^'] = TOK_CIRCUMFLEX, ['@'] = TOK_AT,
};

/* The operator followed by '='. */
static const unsigned char with_equal[128] = {
    ['='] = TOK_EQEQUAL, ['!'] = TOK_NOTEQUAL, ['<'] = TOK_LESSEQUAL,
    ['>'] = TOK_GREATEREQUAL, ['+'] = TOK_PLUSEQUAL, ['-'] = TOK_MINEQUAL,
    ['*'] = TOK_STAREQUAL, ['/'] = TOK_SLASHEQUAL, ['%'] = TOK_PERCENTEQUAL,
    ['&'] = TOK_AMPEREQUAL, ['|'] = TOK_VBAREQUAL, ['^'] = TOK_CIRCUMFLEXEQUAL,
    ['@'] = TOK_ATEQUAL, [':'] = TOK_COLONEQUAL,
};

static TokenType
scan_operator(Tokenizer *tok, int c)
{
    int second = tok->cur < tok->line_end ? (unsigned char)*tok->cur : 0;
    if (second == '=' && c < 128 && with_equal[c] != 0) {
        tok->cur++;
        return with_equal[c];
    }
    if (second == c && (c == '*' || c == '/' || c == '<' || c == '>')) {
        static const unsigned char doubled[128][2] = {
            ['*'] = {TOK_DOUBLESTAR, TOK_DOUBLESTAREQUAL},
            ['/'] = {TOK_DOUBLESLASH, TOK_DOUBLESLASHEQUAL},
            ['<'] = {TOK_LEFTSHIFT, TOK_LEFTSHIFTEQUAL},
            ['>'] = {TOK_RIGHTSHIFT, TOK_RIGHTSHIFTEQUAL},
        };
        tok->cur++;
        if (tok->cur < tok->line_end && *tok->cur == '=') {
            tok->cur++;
            return doubled[c][1];
        }
        return doubled[c][0];
    }
    if (c == '<' && second == '>') {
        tok->cur++;
        return TOK_NOTEQUAL;
    }
    if (c == '-' && second == '>') {
        tok->cur++;
        return TOK_RARROW;
    }
    if (c == '.' && second == '.' && tok->cur[1] == '.') {
        tok->cur += 2;
        return TOK_ELLIPSIS;
    }
    return c < 128 && one_char[c] != 0 ? one_char[c] : TOK_OP;
}

static int
open_bracket(Tokenizer *tok, int c)
{
    if (tok->level >= MAX_BRACKETS) {
        raise_error(tok, "too many nested parentheses");
        return 0;
    }
    tok->brackets[tok->level] = (char)c;
    tok->bracket_lines[tok->level] = tok->lineno;
    tok->bracket_columns[tok->level] = (int)(tok->token_start - tok->line_start);
    tok->level++;
    return 1;
}

static int
close_bracket(Tokenizer *tok, int c)
{
    if (tok->level == 0) {
        raise_error(tok, "unmatched '%c'", c);
        return 0;
    }
    tok->level--;
    int opening = tok->brackets[tok->level];
    if ((opening == '(' && c == ')') || (opening == '[' && c == ']')
        || (opening == '{' && c == '}'))
    {
        return 1;
    }
    if (tok->bracket_lines[tok->level] != tok->lineno) {
        raise_error(tok, "closing parenthesis '%c' does not match opening "
                    "parenthesis '%c' on line %d",
                    c, opening, tok->bracket_lines[tok->level]);
    }
    else {
        raise_error(tok, "closing parenthesis '%c' does not match opening "
                    "parenthesis '%c'", c, opening);
    }
    return 0;
}

/* -------------------------------------------------------------------- lines */

/* After a backslash: requires a newline and at least one more character. */
static int
continue_line(Tokenizer *tok)
{
    int c = next_char(tok);
    if (c != '\n') {
        if (tok->status != TOKEN_RAISED) {
            tok->status = TOKEN_BAD_CONTINUATION;
            tok->incomplete = 0;
        }
        return 0;
    }
    c = next_char(tok);
    if (c == EOF) {
        if (tok->status == TOKEN_OK) {
            tok->status = TOKEN_EOF;
        }
        tok->cur = tok->line_end;
        return 0;
    }
    back_up(tok, c);
    return 1;
}

/* Measures the indentation of a new line, and records INDENT or DEDENTs unless the line
   is blank. Returns 1 if it is blank, 0 if not, -1 on error. */
static int
measure_indent(Tokenizer *tok)
{
    int column = 0, alt_column = 0, continued_column = 0, blank = 0, c;
    tok->at_line_start = 0;
    for (;;) {
        c = next_char(tok);
        if (c == ' ') {
            column++;
            alt_column++;
        }
        else if (c == '\t') {
            column = (column / TAB_WIDTH + 1) * TAB_WIDTH;
            alt_column++;
        }
        else if (c == '\f') {
            column = alt_column = 0;
        }
        else if (c == '\\') {
            continued_column = continued_column ? continued_column : column;
            if (!continue_line(tok)) {
                return -1;
            }
        }
        else {
            break;
        }
    }
    back_up(tok, c);
    if (c == '#' || c == '\n') {
        /* At a prompt, an empty line ends the statement, and a comment on the first line
           is a statement of its own. */
        if (column == 0 && c == '\n' && tok->interactive) {
            blank = 0;
        }
        else if (tok->interactive && tok->lineno == 1) {
            column = alt_column = 0;
            blank = 0;
        }
        else {
            blank = 1;
        }
    }
    if (blank || tok->level > 0) {
        return blank;
    }
    if (continued_column) {
        column = alt_column = continued_column;
    }
    int current = tok->indents[tok->indent_depth];
    int alt_current = tok->alt_indents[tok->indent_depth];
    if (column == current) {
        if (alt_column != alt_current) {
            tok->cur = tok->line_end;
            tok->status = TOKEN_TABS_AND_SPACES;
            return -1;
        }
    }
    else if (column > current) {
        if (tok->indent_depth + 1 >= MAX_INDENT) {
            tok->cur = tok->line_end;
            tok->status = TOKEN_TOO_DEEP;
            return -1;
        }
        if (alt_column <= alt_current) {
            tok->cur = tok->line_end;
            tok->status = TOKEN_TABS_AND_SPACES;
            return -1;
        }
        tok->pending_dedents = -1;
        tok->indent_depth++;
        tok->indents[tok->indent_depth] = column;
        tok->alt_indents[tok->indent_depth] = alt_column;
    }
    else {
        while (tok->indent_depth > 0 && column < tok->indents[tok->indent_depth]) {
            tok->pending_dedents++;
            tok->indent_depth--;
        }
        if (column != tok->indents[tok->indent_depth]) {
            tok->cur = tok->line_end;
            tok->status = TOKEN_BAD_DEDENT;
            return -1;
        }
        if (alt_column != tok->alt_indents[tok->indent_depth]) {
            tok->cur = tok->line_end;
            tok->status = TOKEN_TABS_AND_SPACES;
            return -1;
        }
    }
    return 0;
}

/* `# type: ...` in a comment from `start` to cur: returns where its text begins, or NULL. */
static const char *
type_comment_text(Tokenizer *tok, const char *start)
{
    static const char pattern[] = "# type: ";
    const char *p = start;
    for (const char *want = pattern; *want != '\0'; want++) {
        if (*want == ' ') {
            while (p < tok->cur && (*p == ' ' || *p == '\t')) {
                p++;
            }
        }
        else if (p < tok->cur && *p == *want) {
            p++;
        }
        else {
            return NULL;
        }
    }
    return p;
}

static TokenType
finish(Tokenizer *tok, Token *token, TokenType type, const char *start,
       const char *end)
{
    if (type == TOK_ERROR) {
        start = end = NULL;
    }
    int multiline = type == TOK_STRING && tok->first_lineno != tok->lineno;
    const char *line = multiline ? tok->multiline_start : tok->line_start;
    token->type = type;
    token->level = tok->level;
    token->start = start;
    token->length = start != NULL ? end - start : 0;
    token->lineno = type == TOK_STRING ? tok->first_lineno : tok->lineno;
    token->end_lineno = tok->lineno;
    token->col_offset = start != NULL && start >= line ? (int)(start - line) : -1;
    token->end_col_offset =
        end != NULL && end >= tok->line_start ? (int)(end - tok->line_start) : -1;
    return type;
}

TokenType
_PyTok_Next(Tokenizer *tok, Token *token)
{
    int c, blank;

next_line:
    tok->token_start = NULL;
    blank = 0;
    if (tok->at_line_start) {
        blank = measure_indent(tok);
        if (blank < 0) {
            return finish(tok, token, TOK_ERROR, NULL, NULL);
        }
    }
    if (tok->pending_dedents != 0) {
        if (tok->pending_dedents < 0) {
            tok->pending_dedents++;
            return finish(tok, token, TOK_INDENT, NULL, NULL);
        }
        tok->pending_dedents--;
        return finish(tok, token, TOK_DEDENT, NULL, NULL);
    }

again:
    tok->token_start = NULL;
    do {
        c = next_char(tok);
    } while (c == ' ' || c == '\t' || c == '\f');
    tok->token_start = c == EOF ? NULL : tok->cur - 1;

    if (c == '#') {
        const char *start = tok->cur - 1;
        const char *end = tok->line_end;
        if (end > start && end[-1] == '\n') {
            end--;
        }
        tok->cur = end;
        const char *text = tok->type_comments ? type_comment_text(tok, start) : NULL;
        if (text != NULL) {
            if (end - text >= 6 && memcmp(text, "ignore", 6) == 0
                && (end - text == 6
                    || !((unsigned char)text[6] >= 128 || isalnum((unsigned char)text[6]))))
            {
                finish(tok, token, TOK_TYPE_IGNORE, text + 6, end);
                if (blank) {
                    next_char(tok);
                    tok->at_line_start = 1;
                }
                return TOK_TYPE_IGNORE;
            }
            return finish(tok, token, TOK_TYPE_COMMENT, text, end);
        }
        c = next_char(tok);     /* a NEWLINE token begins where its comment does */
    }

    if (c == EOF) {
        if (tok->level > 0 || tok->status != TOKEN_EOF) {
            return finish(tok, token, TOK_ERROR, NULL, NULL);
        }
        return finish(tok, token, TOK_ENDMARKER, NULL, NULL);
    }

    if (IS_IDENT(c) && !IS_DIGIT(c)) {
        const char *p = tok->cur;
        int high = c >= 128;
        while (IS_IDENT(*p)) {
            high |= *p & 0x80;
            p++;
        }
        tok->cur = p;
        if ((*p == '"' || *p == '\'') && is_string_prefix(tok->token_start,
                                                          p - tok->token_start))
        {
            tok->cur++;
            TokenType type = scan_string(tok, *p);
            return finish(tok, token, type, tok->token_start, tok->cur);
        }
        if (high && !check_identifier(tok)) {
            return finish(tok, token, TOK_ERROR, NULL, NULL);
        }
        return finish(tok, token, TOK_NAME, tok->token_start, tok->cur);
    }

    if (c == '\n') {
        tok->at_line_start = 1;
        if (blank || tok->level > 0) {
            goto next_line;
        }
        return finish(tok, token, TOK_NEWLINE, tok->token_start, tok->cur - 1);
    }

    TokenType type;
    if (IS_DIGIT(c) || (c == '.' && IS_DIGIT(*tok->cur))) {
        type = c == '.' ? scan_fraction(tok, c) : scan_number(tok, c);
        return finish(tok, token, type, tok->token_start, tok->cur);
    }
    if (c == '"' || c == '\'') {
        type = scan_string(tok, c);
        return finish(tok, token, type, tok->token_start, tok->cur);
    }
    if (c == '\\') {
        if (!continue_line(tok)) {
            return finish(tok, token, TOK_ERROR, NULL, NULL);
        }
        goto again;
    }

    type = scan_operator(tok, c);
    int fine = 1;
    switch (type) {
    case TOK_LPAR: case TOK_LSQB: case TOK_LBRACE:
        fine = open_bracket(tok, c);
        break;
    case TOK_RPAR: case TOK_RSQB: case TOK_RBRACE:
        fine = close_bracket(tok, c);
        break;
    case TOK_OP:
        if (!Py_UNICODE_ISPRINTABLE(c)) {
            char hex[9];
            PyOS_snprintf(hex, sizeof(hex), "%04X", (unsigned)c);
            raise_error(tok, "invalid non-printable character U+%s", hex);
            fine = 0;
        }
        break;
    default:
        break;
    }
    return finish(tok, token, fine ? type : stop(tok, TOKEN_RAISED),
                  tok->token_start, tok->cur);
}
