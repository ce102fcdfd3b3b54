/* What the switches report on a machine for which there is no template of a landing: the
   sources that depend on it are compiled as for such a machine, beside the program's own. */
#define SB_NO_LANDINGS
#define _PyPerf there_PyPerf
#define _PyPerf_Backends there_Backends
#define _PyPerf_BackendCount there_BackendCount
#define _PyPerf_PersistAfterFork there_PersistAfterFork
#define _PyPerf_ModeOf there_ModeOf
#define _PyPerf_Activate there_Activate
#define _PyPerf_IsClaimed there_IsClaimed
#define _PyPerf_RefusedBy there_RefusedBy
#define _PyPerf_Deactivate there_Deactivate
#define _PyPerf_PublishCode there_PublishCode
#define _PyPerf_AfterForkChild there_AfterForkChild
#define _PyPerf_Start there_Start
#define _PyPerf_Fini there_Fini
#define PyUnstable_PerfTrampoline_CompileCode there_CompileCode
#define PyUnstable_PerfTrampoline_SetPersistAfterFork there_SetPersistAfterFork
#define _PySys_activate_stack_trampoline there_activate
#define _PySys_deactivate_stack_trampoline there_deactivate
#define _PySys_is_stack_trampoline_active there_is_active
#include "Python/observe/perf/activation.c"
#include "Python/observe/perf/switches.c"
#include "suite.h"
#include <stdlib.h>
#include <unistd.h>

static void
refuses(const char *backend)
{
    PyObject *name = PyUnicode_FromString(backend);
    ck_assert_ptr_null(there_activate(NULL, &name, 1, NULL));
    ck_assert(PyErr_ExceptionMatches(PyExc_ValueError));
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *text = PyObject_Str(value);
    ck_assert_str_eq(PyUnicode_AsUTF8(text), "perf trampoline not available");
    Py_DECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    Py_DECREF(name);
}

START_TEST(test_functions_of_sys)
{
    static const char *const backends[] = {"perf", "perf_jit", "perf_gdb", "nosuch"};
    for (size_t i = 0; i < Py_ARRAY_LENGTH(backends); i++) {
        refuses(backends[i]);
    }
    ck_assert_ptr_eq(there_is_active(NULL, NULL), Py_False);
    ck_assert_ptr_eq(there_deactivate(NULL, NULL), Py_None);
}
END_TEST

START_TEST(test_code_is_compiled_to_nothing)
{
    PyObject *code = Py_CompileString("1", "<test>", Py_eval_input);
    ck_assert_int_eq(there_CompileCode((PyCodeObject *)code), 0);
    Py_DECREF(code);
}
END_TEST

/* With -X perf_jit the program runs, and says why it is not shown. */
START_TEST(test_option_is_one_warning)
{
    PyThreadState *ts = PyThreadState_Get();
    PyWideStringList *options = &ts->interp->config.xoptions;
    char text[200] = "", path[] = "/tmp/sb-test-XXXXXX";
    ck_assert(!PyStatus_Exception(PyWideStringList_Append(options, L"perf_jit")));
    int file = mkstemp(path), saved = dup(2);
    dup2(file, 2);
    there_Start(ts);
    dup2(saved, 2);
    ck_assert_int_ge(pread(file, text, sizeof(text) - 1, 0), 0);
    close(saved);
    close(file);
    unlink(path);
    ck_assert_str_eq(text, "perf trampoline not available: no Python functions are shown\n");
}
END_TEST

C_TESTS(no_landings)
{
    tcase_add_test(tests, test_functions_of_sys);
    tcase_add_test(tests, test_code_is_compiled_to_nothing);
    tcase_add_test(tests, test_option_is_one_warning);
}
