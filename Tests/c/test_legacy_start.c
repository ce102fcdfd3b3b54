/* What an embedder can set before Py_Initialize with the functions that are older than
   PyConfig. */
#include "suite.h"


#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static const char *
result_of(const char *expression)
{
    static char text[256];
    PyObject *globals = PyModule_GetDict(PyImport_AddModule("__main__"));
    PyObject *value = PyRun_String(expression, Py_eval_input, globals, globals);
    PyObject *repr = value == NULL ? NULL : PyObject_Repr(value);
    if (repr == NULL) {
        PyErr_Print();
        return "an exception";
    }
    snprintf(text, sizeof(text), "%s", PyUnicode_AsUTF8(repr));
    Py_DECREF(repr);
    Py_DECREF(value);
    return text;
}

START_TEST(test_names_and_options_given_early_are_in_sys)
{
    ck_assert_str_eq(result_of("__import__('sys').warnoptions"),
                     "['error::UserWarning']");
    ck_assert_str_eq(result_of("sorted(__import__('sys')._xoptions.items())"),
                     "[('spam', True), ('tea', 'green')]");
    ck_assert(PySys_HasWarnOptions());
    ck_assert(wcscmp(Py_GetProgramName(), L"embedder") == 0);
}
END_TEST

START_TEST(test_options_given_late_are_added)
{
    PySys_AddWarnOption(L"ignore");
    ck_assert_str_eq(result_of("__import__('sys').warnoptions[1:]"), "['ignore']");
    PySys_AddXOption(L"tea=black=hot");
    ck_assert_str_eq(result_of("__import__('sys')._xoptions['tea']"), "'black=hot'");
    PySys_ResetWarnOptions();
    ck_assert(!PySys_HasWarnOptions());
}
END_TEST

START_TEST(test_argv_leads_the_path)
{
    wchar_t *argv[] = {L"/usr/bin/env", L"x"};
    PySys_SetArgvEx(2, argv, 1);
    ck_assert_str_eq(result_of("__import__('sys').argv"), "['/usr/bin/env', 'x']");
    ck_assert_str_eq(result_of("__import__('sys').path[0]"), "'/usr/bin'");
    PySys_SetArgvEx(1, argv, 0);
    ck_assert_str_eq(result_of("__import__('sys').path[0]"), "'/usr/bin'");
    PySys_SetArgvEx(0, NULL, 1);
    ck_assert_str_eq(result_of("__import__('sys').argv, __import__('sys').path[0]"),
                     "([''], '')");
    PySys_SetPath(L"/a:/b");
    ck_assert_str_eq(result_of("__import__('sys').path"), "['/a', '/b']");
}
END_TEST

static void
start(void)
{
    PySys_AddWarnOption(L"ignore");
    PySys_ResetWarnOptions();
    PySys_AddWarnOption(L"error::UserWarning");
    PySys_AddXOption(L"spam");
    PySys_AddXOption(L"tea=green");
    Py_SetProgramName(L"embedder");
    Py_InitializeEx(0);
}

C_TESTS(legacy_start, .start = start)
{
    tcase_add_test(tests, test_names_and_options_given_early_are_in_sys);
    tcase_add_test(tests, test_options_given_late_are_added);
    tcase_add_test(tests, test_argv_leads_the_path);
}
