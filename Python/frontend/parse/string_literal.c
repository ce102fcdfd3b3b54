/* String literals: prefixes, escapes, concatenation and replacement fields.

   An f-string is a string token like any other. Here its text is cut into literal parts
   and fields. Each field's expression is parsed by a parser of its own over the text
   "(expression)", whose positions are those of the field in the source. */

#include "parser.h"

#include "internal/bytes.h"

#include <string.h>

/* The parts of one STRING token. */
typedef struct {
    const Token *token;
    const char *text;           /* between the quotes */
    const char *end;
    int is_bytes, is_raw, is_format;
} Literal;

/* The value being built: finished parts are in the parser's scratch, and text that is not
   a part yet is pending. */
typedef struct {
    AstPos pos;                 /* of all the strings; fields have this position */
    PyObject *kind;
    PyObject *text;             /* owned; NULL for none */
} Joined;

static void
split_literal(const Token *token, Literal *literal)
{
    const char *s = token->start;
    *literal = (Literal){.token = token};
    for (; *s != '"' && *s != '\''; s++) {
        switch (*s) {
        case 'b': case 'B': literal->is_bytes = 1; break;
        case 'r': case 'R': literal->is_raw = 1; break;
        case 'f': case 'F': literal->is_format = 1; break;
        }
    }
    const char *end = token->start + token->length;
    int quotes = end - s >= 6 && s[1] == s[0] && s[2] == s[0] ? 3 : 1;
    literal->text = s + quotes;
    literal->end = end - quotes;
}

/* ------------------------------------------------------------------ escapes */

/* Warns of an escape. `escape` is the text after the backslash: three octal digits, or
   text of which only the first byte is shown. Returns 0 if the warning became an error. */
static int
warn_escape(Parser *p, const Literal *literal, const char *escape)
{
    if (p->diagnosing) {
        return 1;
    }
    int lineno = literal->token->lineno;
    PyObject *message = escape[0] >= '4' && escape[0] <= '7'
        ? PyUnicode_FromFormat("invalid octal escape sequence '\\%.3s'", escape)
        : PyUnicode_FromFormat("invalid escape sequence '\\%c'",
                               (unsigned char)escape[0]);
    if (message == NULL) {
        p->failed = 1;
        return 0;
    }
    int result = PyErr_WarnExplicitObject(PyExc_DeprecationWarning, message,
                                          p->filename, lineno, NULL, NULL);
    if (result < 0) {
        if (PyErr_ExceptionMatches(PyExc_DeprecationWarning)) {
            PyErr_Clear();
            _PyParse_RaiseAt(p, PyExc_SyntaxError, token_pos(literal->token),
                             "%U", message);
        }
        p->failed = 1;
    }
    Py_DECREF(message);
    return result == 0;
}

static char *
put_utf8(char *out, Py_UCS4 c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    }
    else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    else if (c < 0x10000) {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

/* A malformed escape: the codec raises the message. It counts positions in ASCII text, in
   which other characters are written as escapes. */
static void
raise_codec_error(Parser *p, const char *s, const char *end)
{
    char *ascii = PyMem_Malloc((end - s) * 10 + 1), *out = ascii;
    if (ascii == NULL) {
        _PyParse_NoMemory(p);
        return;
    }
    while (s < end) {
        if ((unsigned char)*s < 0x80) {
            char c = *s++;
            *out++ = c;
            if (c == '\\') {
                if (s < end && (unsigned char)*s < 0x80) {
                    *out++ = *s++;
                }
                else {
                    memcpy(out, "u005c", 5);
                    out += 5;
                }
            }
            continue;
        }
        const char *next = s + 1;
        while (next < end && ((unsigned char)*next & 0xC0) == 0x80) {
            next++;
        }
        PyObject *c = PyUnicode_DecodeUTF8(s, next - s, "replace");
        if (c == NULL) {
            break;
        }
        out += PyOS_snprintf(out, 11, "\\U%08x", (unsigned)PyUnicode_READ_CHAR(c, 0));
        Py_DECREF(c);
        s = next;
    }
    PyObject *unexpected = PyErr_Occurred() ? NULL
        : PyUnicode_DecodeUnicodeEscape(ascii, out - ascii, NULL);
    PyMem_Free(ascii);
    if (unexpected != NULL) {
        Py_DECREF(unexpected);
        PyErr_SetString(PyExc_SystemError, "malformed escape not found");
    }
}

/* The hexadecimal value of `n` digits at s, or -1. */
static long
hex_value(const char *s, const char *end, int n)
{
    long value = 0;
    if (end - s < n) {
        return -1;
    }
    for (; n > 0; n--, s++) {
        const unsigned char digit = _PyLong_DigitValue[(unsigned char)*s];
        if (digit >= 16) {
            return -1;
        }
        value = value << 4 | digit;
    }
    return value;
}

/* The value of one escape, after its backslash. */
typedef struct {
    const char *next;
    long value;                 /* -1: malformed, -2: not an escape, -3: nothing */
} Escape;

/* Escapes that str and bytes share. */
static Escape
simple_escape(const char *s, const char *end)
{
    char c = *s++;
    switch (c) {
    case '\n': return (Escape){s, -3};
    case '\\': case '\'': case '"': return (Escape){s, c};
    case 'b': return (Escape){s, '\b'};
    case 'f': return (Escape){s, '\f'};
    case 't': return (Escape){s, '\t'};
    case 'n': return (Escape){s, '\n'};
    case 'r': return (Escape){s, '\r'};
    case 'v': return (Escape){s, '\v'};
    case 'a': return (Escape){s, '\a'};
    case 'x': {
        long value = hex_value(s, end, 2);
        return (Escape){s + 2, value};
    }
    case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': {
        long value = c - '0';
        for (int i = 0; i < 2 && s < end && *s >= '0' && *s <= '7'; i++) {
            value = value * 8 + (*s++ - '0');
        }
        return (Escape){s, value};
    }
    default:
        return (Escape){s, -2};
    }
}

/* Octal escapes above \377 work, but cause a warning. */
static int
is_wide_octal(const char *s, long value)
{
    return value > 0377 && s[0] >= '4' && s[0] <= '7';
}

static PyObject *
decode_bytes(Parser *p, const Literal *literal)
{
    const char *s = literal->text, *end = literal->end;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, end - s);
    if (bytes == NULL) {
        p->failed = 1;
        return NULL;
    }
    char *start = PyBytes_AS_STRING(bytes), *out = start;
    const char *invalid = NULL;
    while (s < end) {
        if (*s != '\\' || literal->is_raw) {
            *out++ = *s++;
            continue;
        }
        Escape escape = simple_escape(s + 1, end);
        if (escape.value == -1) {
            PyErr_Format(PyExc_ValueError, "invalid \\x escape at position %zd",
                         s - literal->text);
            Py_DECREF(bytes);
            return NULL;
        }
        if (escape.value == -2) {
            invalid = invalid == NULL ? s + 1 : invalid;
            *out++ = '\\';
            s++;
            continue;
        }
        if (escape.value >= 0) {
            if (is_wide_octal(s + 1, escape.value) && invalid == NULL) {
                invalid = s + 1;
            }
            *out++ = (char)escape.value;
        }
        s = escape.next;
    }
    if (_PyBytes_Resize(&bytes, out - start) < 0) {
        p->failed = 1;
        return NULL;
    }
    if (invalid != NULL && !warn_escape(p, literal, invalid)) {
        Py_DECREF(bytes);
        return NULL;
    }
    return bytes;
}

/* \u, \U and \N. */
static Escape
unicode_escape(const char *s, const char *end)
{
    char c = *s;
    if (c == 'u') {
        return (Escape){s + 5, hex_value(s + 1, end, 4)};
    }
    if (c == 'U') {
        long value = hex_value(s + 1, end, 8);
        return (Escape){s + 9, value > 0x10FFFF ? -1 : value};
    }
    if (c == 'N') {
        const char *close = memchr(s, '}', end - s);
        if (close == NULL || s[1] != '{' || close == s + 2) {
            return (Escape){s, -1};
        }
        PyObject *one = PyUnicode_DecodeUnicodeEscape(s - 1, close - s + 2, NULL);
        if (one == NULL || PyUnicode_GET_LENGTH(one) != 1) {
            Py_XDECREF(one);
            return (Escape){s, -1};
        }
        long value = (long)PyUnicode_READ_CHAR(one, 0);
        Py_DECREF(one);
        return (Escape){close + 1, value};
    }
    return simple_escape(s, end);
}

/* The value of the text [s, end) of a literal. Returns a new reference. */
static PyObject *
decode_text(Parser *p, const Literal *literal, const char *s, const char *end)
{
    if (literal->is_raw || memchr(s, '\\', end - s) == NULL) {
        return PyUnicode_DecodeUTF8(s, end - s, NULL);
    }
    const char *start = s;
    char *buffer = PyMem_Malloc(end - s + 1), *out = buffer;
    if (buffer == NULL) {
        return _PyParse_NoMemory(p);
    }
    const char *invalid = NULL;
    while (s < end) {
        if (*s != '\\') {
            *out++ = *s++;
            continue;
        }
        if (s + 1 == end) {
            *out++ = *s++;
            invalid = invalid == NULL ? "{" : invalid;
            continue;
        }
        Escape escape = unicode_escape(s + 1, end);
        if (escape.value == -1) {
            PyMem_Free(buffer);
            if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) {
                PyErr_Clear();
                raise_codec_error(p, start, end);
            }
            return NULL;
        }
        if (escape.value == -2) {
            invalid = invalid == NULL ? s + 1 : invalid;
            *out++ = '\\';
            s++;
            continue;
        }
        if (escape.value >= 0) {
            if (is_wide_octal(s + 1, escape.value) && invalid == NULL) {
                invalid = s + 1;
            }
            out = put_utf8(out, (Py_UCS4)escape.value);
        }
        s = escape.next;
    }
    PyObject *text = PyUnicode_DecodeUTF8(buffer, out - buffer, "surrogatepass");
    PyMem_Free(buffer);
    if (text != NULL && invalid != NULL && !warn_escape(p, literal, invalid)) {
        Py_CLEAR(text);
    }
    return text;
}

/* ------------------------------------------------------------------ joining */

/* Appends text to the pending text. Steals it. */
static int
add_text(Parser *p, Joined *joined, PyObject *text)
{
    if (text == NULL) {
        _PyParse_RaiseDecodingError(p);
        return 0;
    }
    if (joined->text == NULL) {
        joined->text = text;
        return 1;
    }
    if (PyUnicode_GET_LENGTH(text) == 0) {
        Py_DECREF(text);
        return 1;
    }
    PyUnicode_AppendAndDel(&joined->text, text);
    if (joined->text == NULL) {
        p->failed = 1;
        return 0;
    }
    return 1;
}

/* Pending text becomes a Constant. */
static int
flush_text(Parser *p, Joined *joined, AstPos pos)
{
    PyObject *text = joined->text;
    joined->text = NULL;
    if (text == NULL) {
        return 1;
    }
    if (PyUnicode_GET_LENGTH(text) == 0) {
        Py_DECREF(text);
        return 1;
    }
    if (_PyParse_Keep(p, text) == NULL) {
        return 0;
    }
    AstNode *node = NEW(Constant, pos, text, joined->kind);
    return node != NULL && _PyParse_Push(p, node);
}

/* ------------------------------------------------------- replacement fields */

static void *
raise(Parser *p, const char *message)
{
    return _PyParse_Raise(p, PyExc_SyntaxError, "%s", message);
}

/* Finds the position of the field that opens at `brace`. */
static void
field_position(const Literal *literal, const char *brace, int *lineno, int *column)
{
    const char *start = literal->token->start;
    *lineno = literal->token->lineno;
    const char *line = NULL;
    for (const char *c = start; c < brace; c++) {
        if (*c == '\n') {
            ++*lineno;
            line = c + 1;
        }
    }
    *column = line != NULL ? (int)(brace - line)
        : literal->token->col_offset + (int)(brace - start);
    const char *c = brace + 1;
    while (*c == ' ' || *c == '\t' || *c == '\f') {
        c++;
    }
    if (*c == '\n' || *c == '}') {
        *column = 0;
    }
}

/* Parses [start, end), the text of an expression after `brace`. */
static AstNode *
field_expression(Parser *p, const Literal *literal, const char *start, const char *end)
{
    const char *c = start;
    while (c < end && (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\f' || *c == '\r')) {
        c++;
    }
    if (c == end) {
        if (*end == '!' || *end == ':' || *end == '=') {
            return _PyParse_Raise(p, PyExc_SyntaxError,
                                  "f-string: expression required before '%c'", *end);
        }
        return raise(p, "f-string: empty expression not allowed");
    }
    Py_ssize_t size = end - start;
    char *text = _PyAstArena_Alloc(p->arena, size + 4);
    if (text == NULL || !_PyParse_Enter(p, 30)) {
        return _PyParse_NoMemory(p);
    }
    text[0] = '(';
    memcpy(text + 1, start, size);
    text[size + 1] = ')';
    text[size + 2] = '\n';
    text[size + 3] = '\0';

    Parser inner;
    _PyParse_Init(&inner, text, size + 3, p->filename, START_FSTRING, p->flags,
                  p->feature_version, p->arena);
    field_position(literal, start - 1, &inner.starting_lineno,
                   &inner.starting_col_offset);
    inner.tok.lineno = inner.starting_lineno - 1;
    inner.count_characters = 0;
    inner.depth = p->depth;
    inner.names = p->names;
    inner.names_mask = p->names_mask;
    inner.n_names = p->n_names;
    inner.normalize = p->normalize;
    AstNode *e = _PyParse_Run(&inner);
    p->names = inner.names;
    p->names_mask = inner.names_mask;
    p->n_names = inner.n_names;
    p->normalize = inner.normalize;
    inner.names = NULL;
    inner.normalize = NULL;
    _PyParse_Clear(&inner);
    p->depth -= 30;
    if (e == NULL) {
        p->failed = 1;
    }
    return e;
}

/* Moves *s from after '{' to the character that ends the expression: one of '!', ':', '='
   or '}' outside of brackets and strings. */
static int
skip_expression(Parser *p, const char **s, const char *end)
{
    char quote = 0, brackets[MAX_BRACKETS];
    int quotes = 0, depth = 0;
    for (; *s < end; ++*s) {
        char c = **s;
        if (c == '\\') {
            return raise(p, "f-string expression part cannot include a backslash"), 0;
        }
        if (quote) {
            if (c == quote) {
                if (quotes == 3) {
                    if (*s + 2 < end && (*s)[1] == c && (*s)[2] == c) {
                        *s += 2;
                        quote = 0;
                    }
                }
                else {
                    quote = 0;
                }
            }
            continue;
        }
        switch (c) {
        case '\'':
        case '"':
            quote = c;
            quotes = *s + 2 < end && (*s)[1] == c && (*s)[2] == c ? 3 : 1;
            *s += quotes - 1;
            continue;
        case '[': case '{': case '(':
            if (depth >= MAX_BRACKETS) {
                return raise(p, "f-string: too many nested parenthesis"), 0;
            }
            brackets[depth++] = c;
            continue;
        case '#':
            return raise(p, "f-string expression part cannot include '#'"), 0;
        case '!': case ':': case '}': case '=': case '<': case '>':
            if (depth > 0) {
                break;
            }
            if (*s + 1 < end && (*s)[1] == '=' && c != ':' && c != '}') {
                ++*s;
                continue;
            }
            if (c == '<' || c == '>') {
                continue;
            }
            goto done;
        }
        if (c == ']' || c == '}' || c == ')') {
            if (depth == 0) {
                _PyParse_Raise(p, PyExc_SyntaxError, "f-string: unmatched '%c'", c);
                return 0;
            }
            char opening = brackets[--depth];
            if (!((opening == '(' && c == ')') || (opening == '[' && c == ']')
                  || (opening == '{' && c == '}')))
            {
                _PyParse_Raise(p, PyExc_SyntaxError, "f-string: closing parenthesis "
                               "'%c' does not match opening parenthesis '%c'",
                               c, opening);
                return 0;
            }
        }
    }
done:
    if (quote) {
        return raise(p, "f-string: unterminated string"), 0;
    }
    if (depth > 0) {
        _PyParse_Raise(p, PyExc_SyntaxError, "f-string: unmatched '%c'",
                       brackets[depth - 1]);
        return 0;
    }
    if (*s >= end) {
        return raise(p, "f-string: expecting '}'"), 0;
    }
    return 1;
}

static int parse_parts(Parser *p, const Literal *literal, const char **s,
                       int level, Joined *joined);

/* Parses the field whose '{' is at *s. Its parts are added to joined. */
static int
parse_field(Parser *p, const Literal *literal, const char **s, int level, Joined *joined)
{
    const char *end = literal->end, *start = ++*s;
    if (level >= 2) {
        return raise(p, "f-string: expressions nested too deeply"), 0;
    }
    if (!skip_expression(p, s, end)) {
        return 0;
    }
    AstNode *value = field_expression(p, literal, start, *s), *spec = NULL;
    if (value == NULL) {
        return 0;
    }
    int conversion = -1, debug = 0;
    if (**s == '=') {
        if (!_PyParse_CheckVersion(p, 8, "f-string: self documenting expressions are")) {
            return 0;
        }
        debug = 1;
        ++*s;
        while (*s < end && strchr(" \t\n\f\r\v", **s) != NULL) {
            ++*s;
        }
        if (*s >= end) {
            return raise(p, "f-string: expecting '}'"), 0;
        }
        if (!add_text(p, joined, PyUnicode_DecodeUTF8(start, *s - start, NULL))) {
            return 0;
        }
    }
    if (**s == '!') {
        ++*s;
        if (*s >= end) {
            return raise(p, "f-string: expecting '}'"), 0;
        }
        conversion = (unsigned char)*(*s)++;
        if (conversion != 's' && conversion != 'r' && conversion != 'a') {
            return raise(p, "f-string: invalid conversion character: "
                         "expected 's', 'r', or 'a'"), 0;
        }
    }
    if (*s >= end) {
        return raise(p, "f-string: expecting '}'"), 0;
    }
    if (**s == ':') {
        ++*s;
        if (*s >= end) {
            return raise(p, "f-string: expecting '}'"), 0;
        }
        /* A spec and its last text have the position of their own string only. */
        AstPos own = token_pos(literal->token);
        Joined inner = {joined->pos, joined->kind, NULL};
        Py_ssize_t base = p->n_scratch;
        if (!parse_parts(p, literal, s, level + 1, &inner) || !flush_text(p, &inner, own)) {
            Py_XDECREF(inner.text);
            return 0;
        }
        AstSeq *parts = _PyParse_PopSeq(p, base);
        spec = parts == NULL ? NULL : NEW(JoinedStr, own, parts);
        if (spec == NULL) {
            return 0;
        }
    }
    if (*s >= end || **s != '}') {
        return raise(p, "f-string: expecting '}'"), 0;
    }
    ++*s;
    if (debug && spec == NULL && conversion == -1) {
        conversion = 'r';
    }
    AstNode *field = NEW(FormattedValue, joined->pos, value, conversion, spec);
    return field != NULL && flush_text(p, joined, joined->pos) && _PyParse_Push(p, field);
}

/* Literal text up to a field, or the end. A doubled brace counts as one. */
static int
parse_literal_text(Parser *p, const Literal *literal, const char **s, int level,
                   Joined *joined)
{
    const char *start = *s, *end = literal->end;
    while (*s < end) {
        char c = *(*s)++;
        if (!literal->is_raw && c == '\\' && *s < end) {
            c = *(*s)++;
            if (c == 'N') {
                if (*s < end && *(*s)++ == '{') {
                    while (*s < end && *(*s)++ != '}') {
                    }
                }
                continue;
            }
            if (c == '{' && !warn_escape(p, literal, "{")) {
                return 0;
            }
        }
        if (c != '{' && c != '}') {
            continue;
        }
        if (level == 0) {
            if (*s < end && **s == c) {
                int fine = add_text(p, joined, decode_text(p, literal, start, *s));
                start = ++*s;
                if (!fine) {
                    return 0;
                }
                continue;
            }
            if (c == '}') {
                return raise(p, "f-string: single '}' is not allowed"), 0;
            }
        }
        --*s;
        break;
    }
    return *s == start || add_text(p, joined, decode_text(p, literal, start, *s));
}

static int
parse_parts(Parser *p, const Literal *literal, const char **s, int level, Joined *joined)
{
    for (;;) {
        if (!parse_literal_text(p, literal, s, level, joined)) {
            return 0;
        }
        if (*s >= literal->end || **s == '}') {
            break;
        }
        if (!parse_field(p, literal, s, level, joined)) {
            return 0;
        }
    }
    if (level > 0 && (*s >= literal->end || **s != '}')) {
        return raise(p, "f-string: expecting '}'"), 0;
    }
    return 1;
}

/* -------------------------------------------------------------------- entry */

static AstNode *
bytes_literal(Parser *p, int first, int n, AstPos pos)
{
    PyObject *all = NULL;
    for (int i = 0; i < n; i++) {
        Literal literal;
        Token token = p->tokens[first + i];
        split_literal(&token, &literal);
        for (const char *c = literal.text; c < literal.end; c++) {
            if ((unsigned char)*c >= 0x80) {
                Py_XDECREF(all);
                return raise(p, "bytes can only contain ASCII literal characters");
            }
        }
        PyObject *part = decode_bytes(p, &literal);
        if (part == NULL) {
            Py_XDECREF(all);
            _PyParse_RaiseDecodingError(p);
            return NULL;
        }
        if (all == NULL) {
            all = part;
        }
        else {
            PyBytes_ConcatAndDel(&all, part);
            if (all == NULL) {
                p->failed = 1;
                return NULL;
            }
        }
    }
    return _PyParse_Keep(p, all) == NULL ? NULL : NEW(Constant, pos, all, NULL);
}

/* n literals of str, of which n_format are f-strings. */
static AstNode *
text_literal(Parser *p, int first, int n, int n_format, AstPos pos)
{
    Joined joined = {.pos = pos};
    if (p->tokens[first].start[0] == 'u') {
        joined.kind = _PyParse_Intern(p, "u", 1);
        if (joined.kind == NULL) {
            return NULL;
        }
    }
    Py_ssize_t base = p->n_scratch;
    for (int i = 0; i < n; i++) {
        Literal literal;
        Token token = p->tokens[first + i];
        split_literal(&token, &literal);
        const char *s = literal.text;
        int fine = literal.is_format ? parse_parts(p, &literal, &s, 0, &joined)
            : add_text(p, &joined, decode_text(p, &literal, literal.text, literal.end));
        if (!fine || p->failed) {
            Py_XDECREF(joined.text);
            return NULL;
        }
    }
    if (n_format == 0) {
        return _PyParse_Keep(p, joined.text) == NULL ? NULL
            : NEW(Constant, pos, joined.text, joined.kind);
    }
    if (!flush_text(p, &joined, pos)) {
        return NULL;
    }
    AstSeq *values = _PyParse_PopSeq(p, base);
    return values == NULL ? NULL : NEW(JoinedStr, pos, values);
}

/* n literals of one kind. */
static AstNode *
like_literals(Parser *p, int first, int n, AstPos pos)
{
    Literal literal;
    int n_format = 0, is_bytes = 0;
    for (int i = 0; i < n; i++) {
        split_literal(&p->tokens[first + i], &literal);
        n_format += literal.is_format;
        is_bytes = literal.is_bytes;
    }
    return is_bytes ? bytes_literal(p, first, n, pos)
                    : text_literal(p, first, n, n_format, pos);
}

AstNode *
_PyParse_Strings(Parser *p)
{
    int first = p->pos, n_format = 0, n_like = 0, is_bytes = 0;
    Literal literal;
    while (accept(p, TOK_STRING)) {
        split_literal(last_token(p), &literal);
        n_format += literal.is_format;
        if (p->pos == first + 1) {
            is_bytes = literal.is_bytes;
        }
        /* The literals before the first one of the other kind. */
        n_like += n_like == p->pos - first - 1 && literal.is_bytes == is_bytes;
    }
    int n = p->pos - first;
    if (p->failed) {
        return NULL;
    }
    AstPos pos = span(p, first);
    if (n_like == n) {
        if (n_format > 0 && !_PyParse_CheckVersion(p, 6, "Format strings are")) {
            return NULL;
        }
        return like_literals(p, first, n, pos);
    }
    /* Errors in the literals up to this one are reported first. If this one is an
       f-string, it is not parsed: the mixture is reported instead. */
    split_literal(&p->tokens[first + n_like], &literal);
    if (like_literals(p, first, n_like, pos) == NULL
        || (!literal.is_format && like_literals(p, first + n_like, 1, pos) == NULL))
    {
        return NULL;
    }
    return raise(p, "cannot mix bytes and nonbytes literals");
}
