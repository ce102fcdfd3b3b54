/* Float text against the C library, which rounds correctly both ways. */
#include "suite.h"

#include <stdint.h>
#include <stdlib.h>

static double
random_double(void)
{
    uint64_t bits = ((uint64_t)rand() << 62) ^ ((uint64_t)rand() << 31) ^ (uint64_t)rand();
    double x;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

START_TEST(test_repr_is_the_shortest_text_that_reads_back)
{
    for (int i = 0; i < 100000; i++) {
        double x = random_double();
        if (x != x || x - x != 0) {
            continue;
        }
        char *text = PyOS_double_to_string(x, 'r', 0, 0, NULL), shorter[64];
        ck_assert_ptr_nonnull(text);
        ck_assert_msg(strtod(text, NULL) == x, "%s does not read back as %a", text, x);
        int digits = 0;
        for (const char *p = text; *p && *p != 'e'; p++) {
            digits += *p >= '0' && *p <= '9';
        }
        if (strchr(text, '.') != NULL && digits > 1 && strchr(text, 'e') != NULL) {
            snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, x);
            ck_assert_msg(strtod(shorter, NULL) != x, "%s is not the shortest: %s", text, shorter);
        }
        PyMem_Free(text);
    }
}
END_TEST

START_TEST(test_reading_rounds_correctly)
{
    char text[64];
    for (int i = 0; i < 100000; i++) {
        double x = random_double();
        if (x != x || x - x != 0) {
            continue;
        }
        snprintf(text, sizeof(text), "%.*e", 5 + rand() % 25, x);
        double ours = PyOS_string_to_double(text, NULL, NULL);
        ck_assert_msg(!PyErr_Occurred(), "%s is refused", text);
        ck_assert_msg(ours == strtod(text, NULL), "%s read as %a", text, ours);
    }
}
END_TEST

C_TESTS(float_text)
{
    tcase_add_test(tests, test_repr_is_the_shortest_text_that_reads_back);
    tcase_add_test(tests, test_reading_rounds_correctly);
}
