/* The tokenizer: kinds, positions, indentation, and what ends a text badly. */
#include "suite.h"
#include "internal/tokenizer.h"

#include <stdlib.h>
#include <string.h>

/* All tokens of a text as "TYPE@line:col-line:col…", types as numbers; an error
   ends it as "!status". */
static char *
tokens_of(const char *text)
{
    static char out[8000];
    size_t n = 0;
    Tokenizer tok;
    PyObject *filename = PyUnicode_FromString("<test>");
    _PyTok_Init(&tok, text, (Py_ssize_t)strlen(text), filename);
    out[0] = '\0';
    for (int guard = 0; guard < 1000; guard++) {
        Token token;
        TokenType type = _PyTok_Next(&tok, &token);
        if (type == TOK_ERROR) {
            snprintf(out + n, sizeof(out) - n, "!%d", tok.status);
            break;
        }
        n += (size_t)snprintf(out + n, sizeof(out) - n, "%d@%d:%d-%d:%d ", type, token.lineno,
                              token.col_offset, token.end_lineno, token.end_col_offset);
        if (type == TOK_ENDMARKER) {
            break;
        }
    }
    PyErr_Clear();
    Py_DECREF(filename);
    return out;
}

/* Only the types of the tokens, -1 - status for an error; the length. Source text
   reaches the tokenizer with a newline at its end. */
static int
types_of(const char *without_newline, int *types, int most)
{
    Tokenizer tok;
    PyObject *filename = PyUnicode_FromString("<test>");
    size_t size = strlen(without_newline);
    char *text = malloc(size + 2);
    memcpy(text, without_newline, size);
    if (size > 0 && text[size - 1] != '\n') {
        text[size++] = '\n';
    }
    text[size] = '\0';
    _PyTok_Init(&tok, text, (Py_ssize_t)size, filename);
    int n = 0;
    while (n < most) {
        Token token;
        TokenType type = _PyTok_Next(&tok, &token);
        types[n++] = type == TOK_ERROR ? -1 - (int)tok.status : (int)type;
        if (type == TOK_ERROR || type == TOK_ENDMARKER) {
            break;
        }
    }
    PyErr_Clear();
    Py_DECREF(filename);
    free(text);
    return n;
}

#define EXPECT(text, ...) \
    do { \
        int got_[64], want_[] = {__VA_ARGS__}; \
        int n_ = types_of(text, got_, 64), m_ = (int)(sizeof(want_) / sizeof(int)); \
        ck_assert_msg(n_ == m_ && memcmp(got_, want_, sizeof(want_)) == 0, \
                      "%s gives %s", text, tokens_of(text)); \
    } while (0)

START_TEST(test_the_longest_operator_wins)
{
    EXPECT("a**=b", TOK_NAME, TOK_DOUBLESTAREQUAL, TOK_NAME, TOK_NEWLINE, TOK_ENDMARKER);
    EXPECT("a>>=b>=c", TOK_NAME, TOK_RIGHTSHIFTEQUAL, TOK_NAME, TOK_GREATEREQUAL, TOK_NAME,
           TOK_NEWLINE, TOK_ENDMARKER);
    EXPECT("x:=1", TOK_NAME, TOK_COLONEQUAL, TOK_NUMBER, TOK_NEWLINE, TOK_ENDMARKER);
    EXPECT("a...b", TOK_NAME, TOK_ELLIPSIS, TOK_NAME, TOK_NEWLINE, TOK_ENDMARKER);
    EXPECT("a..b", TOK_NAME, TOK_DOT, TOK_DOT, TOK_NAME, TOK_NEWLINE, TOK_ENDMARKER);
    EXPECT("a->b//=c", TOK_NAME, TOK_RARROW, TOK_NAME, TOK_DOUBLESLASHEQUAL, TOK_NAME,
           TOK_NEWLINE, TOK_ENDMARKER);
}
END_TEST

START_TEST(test_numbers_and_strings_in_all_their_forms)
{
    static const char *const numbers[] = {"0", "1_000", "0x_fF", "0o17", "0b1_0", "1.", ".5", "1e5", "1.5E-3j",
                                          "00", "1_0.0_1"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(numbers); i++) {
        EXPECT(numbers[i], TOK_NUMBER, TOK_NEWLINE, TOK_ENDMARKER);
    }
    static const char *const bad[] = {"0x", "1__0", "1_", "0b2", "0o8", "1e", "012"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(bad); i++) {
        int types[8];
        int n = types_of(bad[i], types, 8);
        ck_assert_msg(types[n - 1] < 0 || types[0] == TOK_NUMBER, "%s", bad[i]);
        ck_assert_msg(types[n - 1] < 0 || i >= 5, "%s gives %s", bad[i], tokens_of(bad[i]));
    }
    static const char *const strings[] = {"''", "\"a'b\"", "rb'x'", "Rb\"x\"", "f'{x}'", "'a\\'b'",
                                          "'''a\n'b''c'''", "u'x'", "'a\\\nb'"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(strings); i++) {
        EXPECT(strings[i], TOK_STRING, TOK_NEWLINE, TOK_ENDMARKER);
    }
    EXPECT("bu'x'", TOK_NAME, TOK_STRING, TOK_NEWLINE, TOK_ENDMARKER);
}
END_TEST

START_TEST(test_indentation_opens_and_closes_blocks)
{
    EXPECT("if x:\n  y\nz\n", TOK_NAME, TOK_NAME, TOK_COLON, TOK_NEWLINE, TOK_INDENT, TOK_NAME, TOK_NEWLINE,
           TOK_DEDENT, TOK_NAME, TOK_NEWLINE, TOK_ENDMARKER);
    /* Comments and blank lines say nothing about it. */
    EXPECT("a:\n  b\n # c\n\n  d", TOK_NAME, TOK_COLON, TOK_NEWLINE, TOK_INDENT, TOK_NAME, TOK_NEWLINE,
           TOK_NAME, TOK_NEWLINE, TOK_DEDENT, TOK_ENDMARKER);
    /* Brackets and backslashes join lines. */
    EXPECT("(a\n    ,\n)", TOK_LPAR, TOK_NAME, TOK_COMMA, TOK_RPAR, TOK_NEWLINE, TOK_ENDMARKER);
    EXPECT("a + \\\n    b", TOK_NAME, TOK_PLUS, TOK_NAME, TOK_NEWLINE, TOK_ENDMARKER);
    EXPECT("a:\n    b\n  c", TOK_NAME, TOK_COLON, TOK_NEWLINE, TOK_INDENT, TOK_NAME, TOK_NEWLINE,
           -1 - TOKEN_BAD_DEDENT);
    EXPECT("a:\n        b\n\tc", TOK_NAME, TOK_COLON, TOK_NEWLINE, TOK_INDENT, TOK_NAME, TOK_NEWLINE,
           -1 - TOKEN_TABS_AND_SPACES);
}
END_TEST

START_TEST(test_positions_are_those_of_the_text)
{
    ck_assert_str_eq(tokens_of("ab = '''x\ny'''\n"),
                     "1@1:0-1:2 22@1:3-1:4 3@1:5-2:4 4@2:4-2:4 0@2:-1-2:-1 ");
    /* Columns count bytes. */
    ck_assert_str_eq(tokens_of("\xc3\xa9+1\n"),
                     "1@1:0-1:2 14@1:2-1:3 2@1:3-1:4 4@1:4-1:4 0@1:-1-1:-1 ");
}
END_TEST

START_TEST(test_too_much_nesting_is_an_error_not_a_crash)
{
    char deep[3 * MAX_BRACKETS];
    memset(deep, '(', sizeof(deep));
    deep[sizeof(deep) - 1] = '\0';
    int types[2 * MAX_BRACKETS];
    int n = types_of(deep, types, 2 * MAX_BRACKETS);
    ck_assert_int_le(n, MAX_BRACKETS + 1);
    ck_assert_int_lt(types[n - 1], 0);

    char *blocks = malloc((MAX_INDENT + 5) * (MAX_INDENT + 10));
    char *p = blocks;
    for (int i = 0; i < MAX_INDENT + 5; i++) {
        memset(p, ' ', (size_t)i);
        p += i;
        memcpy(p, "a:\n", 3);
        p += 3;
    }
    *p = '\0';
    int many[8 * MAX_INDENT];
    n = types_of(blocks, many, 8 * MAX_INDENT);
    ck_assert_int_eq(many[n - 1], -1 - TOKEN_TOO_DEEP);
    free(blocks);
}
END_TEST

START_TEST(test_texts_that_end_too_early)
{
    EXPECT("", TOK_ENDMARKER);
    EXPECT("(", TOK_LPAR, -1 - TOKEN_EOF);
    int types[8], n = types_of("'''abc", types, 8);
    ck_assert_int_lt(types[n - 1], 0);
    n = types_of("'abc", types, 8);
    ck_assert_int_lt(types[n - 1], 0);
    n = types_of("a \\", types, 8);
    ck_assert_int_lt(types[n - 1], 0);
    n = types_of("a \\ b", types, 8);
    ck_assert_int_eq(types[n - 1], -1 - TOKEN_BAD_CONTINUATION);
    n = types_of("(]", types, 8);
    ck_assert_int_lt(types[n - 1], 0);
}
END_TEST

C_TESTS(tokenizer)
{
    tcase_add_test(tests, test_the_longest_operator_wins);
    tcase_add_test(tests, test_numbers_and_strings_in_all_their_forms);
    tcase_add_test(tests, test_indentation_opens_and_closes_blocks);
    tcase_add_test(tests, test_positions_are_those_of_the_text);
    tcase_add_test(tests, test_too_much_nesting_is_an_error_not_a_crash);
    tcase_add_test(tests, test_texts_that_end_too_early);
}
