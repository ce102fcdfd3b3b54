/* How the compiler is asked for: -X jit, PYTHON_JIT, SPRINGBOARD_JIT. */
#include "suite.h"
#include "internal/jit.h"
#include <stdlib.h>
#include <wchar.h>

/* The mode that a Python has which is started so; NULL: not given. */
static int
mode(const char *for_tests, const char *variable, const wchar_t *option, int use_environment)
{
    unsetenv("SPRINGBOARD_JIT");
    unsetenv("PYTHON_JIT");
    if (for_tests != NULL) {
        setenv("SPRINGBOARD_JIT", for_tests, 1);
    }
    if (variable != NULL) {
        setenv("PYTHON_JIT", variable, 1);
    }
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.use_environment = use_environment;
    if (option != NULL) {
        PyWideStringList_Append(&config.xoptions, option);
    }
    PyStatus status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    ck_assert(!PyStatus_Exception(status));
    int now = _PyJit_Enabled;
    Py_Finalize();
    return now;
}

START_TEST(test_the_variable_for_tests)
{
    int usual = mode(NULL, NULL, NULL, 1);
    ck_assert_int_eq(mode("off", NULL, NULL, 1), JIT_OFF);
    ck_assert_int_eq(mode("on", NULL, NULL, 1), JIT_ON);
    ck_assert_int_eq(_PyJit_Warmth.calls, JIT_SOON_CALLS);
    ck_assert_int_eq(mode("eager", NULL, NULL, 1), JIT_EAGER);
    ck_assert_int_eq(_PyJit_Warmth.calls, 1);
    ck_assert_int_eq(mode("steps", NULL, NULL, 1), JIT_STEPS);
    ck_assert_int_eq(mode("stress:77", NULL, NULL, 1), JIT_STRESS);
    ck_assert_uint_eq(_PyJit_Seed, 77);
    ck_assert_int_eq(mode("what", NULL, NULL, 1), usual);
    ck_assert_int_eq(mode("", NULL, NULL, 1), usual);
}
END_TEST

START_TEST(test_the_option_and_the_variable)
{
    int usual = mode(NULL, NULL, NULL, 1);
    ck_assert_int_eq(mode(NULL, "1", NULL, 1), JIT_ON);
    ck_assert_int_eq(mode(NULL, "0", NULL, 1), JIT_OFF);
    ck_assert_int_eq(mode(NULL, "1", NULL, 0), usual);
    ck_assert_int_eq(mode(NULL, NULL, L"jit", 1), JIT_ON);
    ck_assert_int_eq(mode(NULL, "0", L"jit=1", 1), JIT_ON);
    ck_assert_int_eq(mode(NULL, "1", L"jit=0", 1), JIT_OFF);
    ck_assert_int_eq(mode("eager", NULL, L"jit=0", 1), JIT_OFF);
    ck_assert_int_eq(mode("eager", NULL, L"jit=1", 1), JIT_EAGER);
}
END_TEST

C_TESTS(jit_mode, .start = CTests_StartNothing)
{
    tcase_add_test(tests, test_the_variable_for_tests);
    tcase_add_test(tests, test_the_option_and_the_variable);
}
