/* Finds the outermost operation of an expression, for carets like ~~~^~~~.

   The text is known to be a whole expression (an instruction's source range), so no
   parser is needed: one scan over the tokens at bracket depth 0 finds the binary operator
   that binds loosest. Anything that is not plainly a chain of binary operators, or a
   subscript, has no anchors.

   Operands are delimited as in the AST: parentheses that only group are not part of the
   operand. So the carets begin and end exactly where CPython's do. */
#include "anchors.h"

typedef struct {
    const void *data;
    int kind;
} text;

static inline Py_UCS4
at(const text *t, Py_ssize_t i)
{
    return PyUnicode_READ(t->kind, t->data, i);
}

static inline int
is_space(Py_UCS4 c)
{
    return c == ' ' || c == '\t' || c == '\f';
}

static inline int
is_word(Py_UCS4 c)
{
    return c == '_' || c >= 128 || Py_UNICODE_ISALNUM(c);
}

static void
trim(const text *t, Py_ssize_t *start, Py_ssize_t *end)
{
    while (*start < *end && is_space(at(t, *start))) {
        ++*start;
    }
    while (*end > *start && is_space(at(t, *end - 1))) {
        --*end;
    }
}

/* The index after the string literal whose quote is at i, or -1. */
static Py_ssize_t
skip_string(const text *t, Py_ssize_t i, Py_ssize_t end)
{
    Py_UCS4 quote = at(t, i);
    int triple = i + 2 < end && at(t, i + 1) == quote && at(t, i + 2) == quote;
    i += triple ? 3 : 1;
    while (i < end) {
        Py_UCS4 c = at(t, i);
        if (c == '\\') {
            i += 2;
        }
        else if (c != quote) {
            i++;
        }
        else if (!triple) {
            return i + 1;
        }
        else if (i + 2 < end && at(t, i + 1) == quote
                 && at(t, i + 2) == quote) {
            return i + 3;
        }
        else {
            i++;
        }
    }
    return -1;
}

/* The index after the bracket that matches the one at i, or -1. */
static Py_ssize_t
skip_brackets(const text *t, Py_ssize_t i, Py_ssize_t end)
{
    int depth = 0;
    while (i < end) {
        Py_UCS4 c = at(t, i);
        if (c == '"' || c == '\'') {
            i = skip_string(t, i, end);
            if (i < 0) {
                return -1;
            }
            continue;
        }
        if (c == '(' || c == '[' || c == '{') {
            depth++;
        }
        else if (c == ')' || c == ']' || c == '}') {
            if (--depth == 0) {
                return i + 1;
            }
        }
        else if (c == '#') {
            return -1;
        }
        i++;
    }
    return -1;
}

static int
word_is(const text *t, Py_ssize_t start, Py_ssize_t end, const char *word)
{
    Py_ssize_t i = start;
    for (; *word != '\0' && i < end; word++, i++) {
        if (at(t, i) != (Py_UCS4)*word) {
            return 0;
        }
    }
    return *word == '\0' && i == end;
}

static int
is_keyword_operator(const text *t, Py_ssize_t start, Py_ssize_t end)
{
    static const char *const words[] = {
        "and", "or", "not", "in", "is", "if", "else", "lambda", "for", "async",
        "yield", "import", "from", "as", "del", "return", "raise", "assert",
        "with", "while", "global", "nonlocal", "pass", "class", "def",
    };
    for (size_t i = 0; i < Py_ARRAY_LENGTH(words); i++) {
        if (word_is(t, start, end, words[i])) {
            return 1;
        }
    }
    return 0;
}

/* The result of scanning one level. */
typedef struct {
    int precedence;             /* of the loosest operator; 0 if there is none */
    Py_ssize_t op;              /* its index */
    int op_length;
    int leading_unary;          /* the text begins with a unary operator */
    Py_ssize_t last_bracket;    /* index of the [ of a final [...], or -1 */
} scan_result;

/* The precedence of the binary operator that begins with character c, or 0. */
static int
operator_precedence(const text *t, Py_ssize_t i, Py_ssize_t end, int *length)
{
    Py_UCS4 c = at(t, i), next = i + 1 < end ? at(t, i + 1) : 0;
    *length = 1;
    switch (c) {
    case '|': return 1;
    case '^': return 2;
    case '&': return 3;
    case '<':
    case '>':
        *length = 2;
        return next == c ? 4 : 0;
    case '+':
    case '-': return 5;
    case '*':
        if (next == '*') {
            *length = 2;
            return 7;
        }
        return 6;
    case '/':
        *length = next == '/' ? 2 : 1;
        return 6;
    case '@':
    case '%': return 6;
    default: return 0;
    }
}

/* Returns 0 when the text is no chain of binary operators. */
static int
scan(const text *t, Py_ssize_t start, Py_ssize_t end, scan_result *r)
{
    int want_operand = 1;       /* at an operand's start: operators are unary */
    Py_ssize_t i = start;
    r->precedence = 0;
    r->op = -1;
    r->op_length = 0;
    r->leading_unary = 0;
    r->last_bracket = -1;
    while (i < end) {
        Py_UCS4 c = at(t, i);
        if (is_space(c)) {
            i++;
            continue;
        }
        r->last_bracket = -1;
        if (c == '"' || c == '\'') {
            i = skip_string(t, i, end);
            if (i < 0) {
                return 0;
            }
            want_operand = 0;
        }
        else if (c == '(' || c == '[' || c == '{') {
            if (!want_operand && c == '[') {
                r->last_bracket = i;
            }
            i = skip_brackets(t, i, end);
            if (i < 0) {
                return 0;
            }
            want_operand = 0;
        }
        else if (is_word(c)) {
            Py_ssize_t first = i;
            while (i < end && is_word(at(t, i))) {
                i++;
            }
            if (Py_UNICODE_ISDIGIT(c)) {
                /* 1.5e-3: the sign belongs to the number. */
                while (i < end && (is_word(at(t, i)) || at(t, i) == '.'
                       || ((at(t, i) == '+' || at(t, i) == '-')
                           && (at(t, i - 1) | 32) == 'e'
                           && at(t, first) != '0'))) {
                    i++;
                }
            }
            else if (is_keyword_operator(t, first, i)) {
                return 0;
            }
            else if (word_is(t, first, i, "await")) {
                r->leading_unary |= first == start;
                continue;
            }
            else if (i < end && (at(t, i) == '"' || at(t, i) == '\'')) {
                continue;       /* a string prefix */
            }
            want_operand = 0;
        }
        else if (c == '.') {
            i++;
        }
        else {
            if (want_operand && (c == '+' || c == '-' || c == '~')) {
                r->leading_unary |= i == start;
                i++;
                continue;
            }
            int length;
            int precedence = operator_precedence(t, i, end, &length);
            if (want_operand || precedence == 0
                || (i + length < end && at(t, i + length) == '=')) {
                return 0;
            }
            /* Equal operators group to the left, ** to the right. */
            if (r->precedence == 0 || precedence < r->precedence
                || (precedence == r->precedence && precedence != 7)) {
                r->precedence = precedence;
                r->op = i;
                r->op_length = length;
            }
            i += length;
            want_operand = 1;
        }
    }
    return !want_operand;
}

/* Whether the parentheses around the text belong to it, because it is a tuple or a
   generator expression. */
static int
needs_parentheses(const text *t, Py_ssize_t start, Py_ssize_t end)
{
    Py_ssize_t i = start;
    trim(t, &start, &end);
    if (start == end) {
        return 1;
    }
    while (i < end) {
        Py_UCS4 c = at(t, i);
        if (c == '"' || c == '\'') {
            i = skip_string(t, i, end);
        }
        else if (c == '(' || c == '[' || c == '{') {
            i = skip_brackets(t, i, end);
        }
        else if (c == ',') {
            return 1;
        }
        else if (is_word(c)) {
            Py_ssize_t first = i;
            while (i < end && is_word(at(t, i))) {
                i++;
            }
            if (word_is(t, first, i, "for")) {
                return 1;
            }
            if (word_is(t, first, i, "lambda")) {
                return 0;
            }
        }
        else {
            i++;
        }
        if (i < 0) {
            return 1;
        }
    }
    return 0;
}

/* Narrows the range to what the operand's AST node covers. */
static void
strip_groups(const text *t, Py_ssize_t *start, Py_ssize_t *end)
{
    trim(t, start, end);
    while (*end - *start >= 2 && at(t, *start) == '('
           && skip_brackets(t, *start, *end) == *end
           && !needs_parentheses(t, *start + 1, *end - 1)) {
        ++*start;
        --*end;
        trim(t, start, end);
    }
}

int
_Py_FindAnchors(PyObject *line, Py_ssize_t start, Py_ssize_t end,
                Py_ssize_t *left, Py_ssize_t *right)
{
    text t = {PyUnicode_DATA(line), PyUnicode_KIND(line)};
    scan_result r;
    strip_groups(&t, &start, &end);
    if (start >= end || !scan(&t, start, end, &r)) {
        return 0;
    }
    if (r.precedence == 0) {
        if (r.last_bracket < 0 || r.leading_unary) {
            return 0;
        }
        Py_ssize_t value_start = start, value_end = r.last_bracket;
        Py_ssize_t index_start = r.last_bracket + 1, index_end = end - 1;
        strip_groups(&t, &value_start, &value_end);
        strip_groups(&t, &index_start, &index_end);
        *left = value_end;
        *right = index_end + 1;
        return 1;
    }
    if (r.precedence == 7 && r.leading_unary) {
        return 0;               /* -a ** b is a unary operation */
    }
    Py_ssize_t a_start = start, a_end = r.op;
    Py_ssize_t b_start = r.op + r.op_length, b_end = end;
    strip_groups(&t, &a_start, &a_end);
    strip_groups(&t, &b_start, &b_end);
    Py_ssize_t i = a_end;
    while (i < b_start && is_space(at(&t, i))) {
        i++;
    }
    *left = i;
    *right = i + 1 < b_start && !is_space(at(&t, i + 1)) ? i + 2 : i + 1;
    return 1;
}
