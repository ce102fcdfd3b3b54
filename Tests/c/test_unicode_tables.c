/* The tables of character types against the Unicode database that they are made from,
   read here without the generator's help. Python 3.11 has Unicode 14.0: characters that
   are newer do not exist. */
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "/usr/share/unicode/"
#define CODE_POINTS 0x110000

typedef struct {
    char category[3];
    int decimal, digit, numeric;        /* digit: -1 for none */
    Py_UCS4 upper, lower, title;        /* 0: itself */
    int known;                          /* in Unicode 14.0 */
    int special;                        /* SpecialCasing.txt has longer mappings */
} Entry;

static Entry *entries;

/* The fields of a line, split at ';'. */
static int
split(char *line, char **field, int most)
{
    int n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *p = line; n < most; p++) {
        field[n++] = p;
        p = strchr(p, ';');
        if (p == NULL) {
            break;
        }
        *p = '\0';
    }
    return n;
}

static Py_UCS4
code(const char *text)
{
    return (Py_UCS4)strtoul(text, NULL, 16);
}

static FILE *
open_file(const char *name)
{
    char path[200];
    snprintf(path, sizeof(path), FOLDER "%s", name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "no %s", path);
    return file;
}

/* "first..last; version" */
static void
read_ages(void)
{
    FILE *file = open_file("DerivedAge.txt");
    char line[1000];
    while (fgets(line, sizeof(line), file) != NULL) {
        char *field[2], *end;
        if (line[0] == '#' || split(line, field, 2) < 2 || strtod(field[1], NULL) > 14.0) {
            continue;
        }
        Py_UCS4 first = (Py_UCS4)strtoul(field[0], &end, 16);
        Py_UCS4 last = *end == '.' ? code(end + 2) : first;
        for (Py_UCS4 c = first; c <= last; c++) {
            entries[c].known = 1;
        }
    }
    fclose(file);
}

static void
read_special_casing(void)
{
    FILE *file = open_file("SpecialCasing.txt");
    char line[1000];
    while (fgets(line, sizeof(line), file) != NULL) {
        if (line[0] != '#' && line[0] != '\n') {
            entries[code(line)].special = 1;
        }
    }
    fclose(file);
}

static void
read_database(void)
{
    FILE *file = open_file("UnicodeData.txt");
    entries = calloc(CODE_POINTS, sizeof(*entries));
    for (int i = 0; i < CODE_POINTS; i++) {
        strcpy(entries[i].category, "Cn");
        entries[i].decimal = entries[i].digit = -1;
    }
    read_ages();
    read_special_casing();
    char line[1000];
    Py_UCS4 first = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        char *field[15];
        ck_assert_int_eq(split(line, field, 15), 15);
        Py_UCS4 c = code(field[0]);
        Entry e = {.decimal = -1, .digit = -1};
        memcpy(e.category, field[2], 2);
        if (*field[6]) {
            e.decimal = atoi(field[6]);
        }
        if (*field[7]) {
            e.digit = atoi(field[7]);
        }
        e.numeric = *field[8] != '\0';
        e.upper = code(field[12]);
        e.lower = code(field[13]);
        e.title = code(field[14]);
        if (strstr(field[1], ", First>") != NULL) {
            first = c;
        }
        int range = strstr(field[1], ", Last>") != NULL;
        for (Py_UCS4 k = range ? first : c; k <= c; k++) {
            if (entries[k].known) {
                e.known = 1;
                e.special = entries[k].special;
                entries[k] = e;
            }
        }
    }
    fclose(file);
}

static int
is_one_of(const char *category, const char *several)
{
    return strstr(several, category) != NULL;
}

/* ck_assert_msg notes each of a million successes. */
#define EXPECT(condition, ...) \
    do { \
        if (!(condition)) { \
            ck_abort_msg(__VA_ARGS__); \
        } \
    } while (0)

START_TEST(test_categories_decide_what_is_printable_and_alphabetic)
{
    for (Py_UCS4 c = 0; c < CODE_POINTS; c++) {
        const char *category = entries[c].category;
        int alpha = is_one_of(category, "Lm Lt Lu Ll Lo");
        int printable = c == ' '
            || !is_one_of(category, "Cc Cf Cs Co Cn Zl Zp Zs");
        EXPECT(!Py_UNICODE_ISALPHA(c) == !alpha, "U+%04X is %s", c, category);
        EXPECT(!Py_UNICODE_ISPRINTABLE(c) == !printable, "U+%04X is %s", c, category);
        EXPECT(!Py_UNICODE_ISTITLE(c) == !!strcmp(category, "Lt"), "U+%04X is %s",
                      c, category);
    }
}
END_TEST

START_TEST(test_digits_have_the_values_of_the_database)
{
    for (Py_UCS4 c = 0; c < CODE_POINTS; c++) {
        const Entry *e = &entries[c];
        EXPECT(Py_UNICODE_TODECIMAL(c) == e->decimal, "U+%04X: %d", c,
                      Py_UNICODE_TODECIMAL(c));
        EXPECT(Py_UNICODE_TODIGIT(c) == e->digit, "U+%04X: %d", c,
                      Py_UNICODE_TODIGIT(c));
        if (e->numeric) {
            EXPECT(Py_UNICODE_ISNUMERIC(c), "U+%04X", c);
        }
    }
}
END_TEST

static Py_UCS4
or_itself(Py_UCS4 mapped, Py_UCS4 c)
{
    return mapped ? mapped : c;
}

START_TEST(test_simple_case_mappings_are_those_of_the_database)
{
    for (Py_UCS4 c = 0; c < CODE_POINTS; c++) {
        const Entry *e = &entries[c];
        if (e->special) {
            continue;
        }
        Py_UCS4 upper = or_itself(e->upper, c);
        EXPECT(Py_UNICODE_TOUPPER(c) == upper, "U+%04X: U+%04X", c, Py_UNICODE_TOUPPER(c));
        EXPECT(Py_UNICODE_TOLOWER(c) == or_itself(e->lower, c), "U+%04X: U+%04X", c,
                      Py_UNICODE_TOLOWER(c));
        /* Without a title case of its own, the upper case is it. */
        Py_UCS4 title[3];
        _PyUnicode_ToTitleFull(c, title);
        EXPECT(title[0] == (e->title ? e->title : upper), "U+%04X: U+%04X", c, title[0]);
    }
}
END_TEST

START_TEST(test_folding_is_that_of_the_case_folding_file)
{
    FILE *file = open_file("CaseFolding.txt");
    char line[1000];
    int seen = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        char *field[4];
        if (line[0] == '#' || split(line, field, 4) < 3) {
            continue;
        }
        char status = field[1][1];
        if (status != 'C' && status != 'F') {
            continue;
        }
        Py_UCS4 given = code(field[0]);
        if (!entries[given].known) {
            continue;
        }
        PyObject *text = PyUnicode_FromOrdinal((int)given);
        PyObject *folded = PyObject_CallMethod(text, "casefold", NULL);
        Py_ssize_t i = 0;
        for (char *p = field[2]; *p; i++) {
            char *end;
            Py_UCS4 c = (Py_UCS4)strtoul(p, &end, 16);
            EXPECT(i < PyUnicode_GET_LENGTH(folded) && PyUnicode_READ_CHAR(folded, i) == c,
                          "U+%04X, character %zd", given, i);
            p = end + strspn(end, " ");
        }
        EXPECT(i == PyUnicode_GET_LENGTH(folded), "U+%04X", given);
        Py_DECREF(text);
        Py_DECREF(folded);
        seen++;
    }
    fclose(file);
    ck_assert_int_gt(seen, 1000);
}
END_TEST

C_TESTS(unicode_tables)
{
    tcase_add_unchecked_fixture(tests, read_database, NULL);
    tcase_add_test(tests, test_categories_decide_what_is_printable_and_alphabetic);
    tcase_add_test(tests, test_digits_have_the_values_of_the_database);
    tcase_add_test(tests, test_simple_case_mappings_are_those_of_the_database);
    tcase_add_test(tests, test_folding_is_that_of_the_case_folding_file);
}
