/* The eval hook: every Python-to-Python call, generator resumption and call from
   C passes through it once, and evaluation is otherwise the same. */
#include "suite.h"
#include "internal/frame.h"
#include "internal/pystate.h"
#include <stdlib.h>

static int entries;

static PyObject *
counting_hook(PyThreadState *ts, struct _PyInterpreterFrame *frame, int throwflag)
{
    entries++;
    return _PyEval_EvalFrameDefault(ts, frame, throwflag);
}

/* Answers for every frame without running it. */
static PyObject *
answering_hook(PyThreadState *ts, struct _PyInterpreterFrame *frame, int throwflag)
{
    (void)ts;
    (void)frame;
    (void)throwflag;
    return PyLong_FromLong(42);
}

static PyObject *globals;

/* Runs statements; then evaluates an expression to a long. */
static long
evaluate(const char *statements, const char *expression)
{
    PyObject *r = PyRun_String(statements, Py_file_input, globals, globals);
    if (r == NULL) {
        PyErr_Print();
    }
    ck_assert_ptr_nonnull(r);
    Py_DECREF(r);
    r = PyRun_String(expression, Py_eval_input, globals, globals);
    if (r == NULL) {
        PyErr_Print();
    }
    ck_assert_ptr_nonnull(r);
    long value = PyLong_AsLong(r);
    Py_DECREF(r);
    return value;
}

static void
set_hook(_PyFrameEvalFunction hook)
{
    _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), hook);
}

static void
start(void)
{
    Py_Initialize();
    globals = PyDict_New();
    PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
    entries = 0;
}

static void
stop(void)
{
    set_hook(NULL);
    Py_CLEAR(globals);
}

/* How often the hook is entered for an expression (one for the expression's own
   code included). */
static int
entries_for(const char *statements, const char *expression, long expected)
{
    /* Once without, so that the code is specialised before. */
    ck_assert_int_eq(evaluate(statements, expression), expected);
    ck_assert_int_eq(evaluate("", expression), expected);
    ck_assert_int_eq(evaluate("", expression), expected);
    PyObject *code = Py_CompileString(expression, "<test>", Py_eval_input);
    set_hook(counting_hook);
    entries = 0;
    PyObject *r = PyEval_EvalCode(code, globals, globals);
    int n = entries;
    set_hook(NULL);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(PyLong_AsLong(r), expected);
    Py_DECREF(r);
    Py_DECREF(code);
    return n;
}

START_TEST(test_default_hook_is_the_default_function)
{
    PyInterpreterState *interp = PyInterpreterState_Get();
    ck_assert_ptr_eq(_PyInterpreterState_GetEvalFrameFunc(interp),
                     _PyEval_EvalFrameDefault);
    set_hook(counting_hook);
    ck_assert_ptr_eq(_PyInterpreterState_GetEvalFrameFunc(interp), counting_hook);
    set_hook(_PyEval_EvalFrameDefault);
    ck_assert_ptr_eq(_PyInterpreterState_GetEvalFrameFunc(interp),
                     _PyEval_EvalFrameDefault);
}
END_TEST

START_TEST(test_python_calls_enter_the_hook_once_each)
{
    ck_assert_int_eq(entries_for("def f(n): return n if n < 1 else f(n - 1) + 1\n",
                                 "f(9)", 9), 11);
}
END_TEST

START_TEST(test_keyword_and_star_calls_enter_the_hook)
{
    ck_assert_int_eq(entries_for("def g(a, *b, c=1): return a + c + len(b)\n"
                                 "def f(): return g(1, c=2) + g(*(1, 2)) "
                                 "+ g(**{'a': 5})\n", "f()", 12), 5);
}
END_TEST

START_TEST(test_methods_properties_and_init_enter_the_hook)
{
    ck_assert_int_eq(entries_for("class C:\n"
                                 "  def __init__(self): self.x = 1\n"
                                 "  def m(self): return self.x\n"
                                 "  @property\n"
                                 "  def p(self): return 2\n"
                                 "  def __getitem__(self, i): return i\n"
                                 "def f():\n"
                                 "  c = C()\n"
                                 "  return c.m() + c.p + c[3]\n", "f()", 6), 6);
}
END_TEST

START_TEST(test_generator_resumptions_enter_the_hook)
{
    /* the expression, f, creation of g, and four resumptions of it */
    ck_assert_int_eq(entries_for("def g():\n"
                                 "  for i in range(3): yield i\n"
                                 "def f():\n"
                                 "  t = 0\n"
                                 "  for i in g(): t += i\n"
                                 "  return t\n", "f()", 3), 7);
}
END_TEST

START_TEST(test_delegation_enters_the_hook)
{
    /* as above, with h around g: two frames for each resumption */
    ck_assert_int_eq(entries_for("def g():\n"
                                 "  for i in range(3): yield i\n"
                                 "def h(): yield from g()\n"
                                 "def f():\n"
                                 "  t = 0\n"
                                 "  for i in h(): t += i\n"
                                 "  return t\n", "f()", 3), 2 + 1 + 1 + 2 * 4);
}
END_TEST

START_TEST(test_hook_may_answer_instead_of_running)
{
    evaluate("def f(): raise ValueError\n"
             "def g():\n"
             "  yield 1\n"
             "it = g()\n", "0");
    PyObject *f = PyDict_GetItemString(globals, "f");
    PyObject *it = PyDict_GetItemString(globals, "it");
    set_hook(answering_hook);
    PyObject *r = PyObject_CallNoArgs(f);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(PyLong_AsLong(r), 42);
    Py_DECREF(r);
    r = PyIter_Next(it);
    set_hook(NULL);
    Py_XDECREF(r);
    PyErr_Clear();
    ck_assert_int_eq(evaluate("def k(x): return x\n", "k(5)"), 5);
}
END_TEST

START_TEST(test_exceptions_pass_through_the_hook)
{
    ck_assert_int_eq(entries_for("def f(): raise KeyError(1)\n"
                                 "def g():\n"
                                 "  try: f()\n"
                                 "  except KeyError as e: return e.args[0]\n",
                                 "g()", 1), 3);
}
END_TEST

/* With frames shown to perf, whose hook it is then. */

static _PyFrameEvalFunction replaced;

static PyObject *
hook_in_front(PyThreadState *ts, struct _PyInterpreterFrame *frame, int throwflag)
{
    entries++;
    return replaced(ts, frame, throwflag);
}

static void
replace_hook(_PyFrameEvalFunction hook)
{
    replaced = _PyInterpreterState_GetEvalFrameFunc(PyInterpreterState_Get());
    set_hook(hook);
}

static const char show[] = "import sys\nsys.activate_stack_trampoline('perf', lines=LINES)\n";
static const char hide[] = "import os\nsys.deactivate_stack_trampoline()\n"
                           "os.unlink(f'/tmp/perf-{os.getpid()}.map')\n";
static const char active[] = "sys.is_stack_trampoline_active()";

static void
start_showing(int lines)
{
    PyDict_SetItemString(globals, "LINES", lines ? Py_True : Py_False);
    ck_assert_int_eq(evaluate(show, active), 1);
}

START_TEST(test_hook_in_front_of_perfs_is_entered_once)
{
    start_showing(_i);
    evaluate("def f(): return g()\n"
             "def g(): return 7\n", "0");
    PyObject *f = PyDict_GetItemString(globals, "f");
    replace_hook(hook_in_front);
    for (int is_known = 0; is_known <= 1; is_known++) {
        entries = 0;
        Py_XDECREF(PyObject_CallNoArgs(f));
        ck_assert_int_eq(entries, 2);
    }
    ck_assert_int_eq(evaluate("", active), 0);
    set_hook(replaced);
    ck_assert_int_eq(evaluate("", active), 1);
    evaluate(hide, "0");
}
END_TEST

START_TEST(test_hook_outlives_deactivation)
{
    start_showing(_i);
    replace_hook(hook_in_front);
    evaluate(hide, "0");
    ck_assert_ptr_eq(_PyInterpreterState_GetEvalFrameFunc(PyInterpreterState_Get()),
                     hook_in_front);
    entries = 0;
    evaluate("def f(n): return n if n < 1 else f(n - 1)\n", "f(5)");
    ck_assert_int_eq(entries, 8);
    set_hook(replaced);
    ck_assert_int_eq(evaluate("", active), 0);
    evaluate(show, "0");
    ck_assert_int_eq(evaluate("", active), 1);
    evaluate(hide, "0");
}
END_TEST

START_TEST(test_default_hook_ends_showing)
{
    start_showing(_i);
    set_hook(_PyEval_EvalFrameDefault);
    ck_assert_int_eq(evaluate("", active), 0);
    /* It can be had again without being switched off. */
    ck_assert_int_eq(evaluate(show, active), 1);
    ck_assert_ptr_ne(_PyInterpreterState_GetEvalFrameFunc(PyInterpreterState_Get()),
                     _PyEval_EvalFrameDefault);
    evaluate(hide, "0");
}
END_TEST

/* How many records of frames the thread has, in all blocks. */
static PyObject *
count_records(PyObject *self, PyObject *ignored)
{
    (void)self;
    (void)ignored;
    long n = 0;
    _PyFrameRecords *block = &_PyThreadState_IMPL(_PyThreadState_GET())->records;
    for (; block != NULL && block->outer != NULL; block = block->outer) {
        char *fp = *block->slot;
        while (_PyFrameRecord_OF(fp)->frame != NULL) {
            fp = _PyFrameRecord_OF(fp)->caller;
            n++;
        }
    }
    return PyLong_FromLong(n);
}

static PyMethodDef count_records_def = {"records", count_records, METH_NOARGS, NULL};

/* f() calls g(), which calls records(): the frames are those of the expression, f and g. */
static void
check_shown(int hooks, int shown)
{
    PyObject *records = PyCFunction_New(&count_records_def, NULL);
    PyDict_SetItemString(globals, "records", records);
    Py_DECREF(records);
    evaluate("def f(): return g()\n"
             "def g(): return records()\n", "0");
    for (int is_known = 0; is_known <= 1; is_known++) {
        entries = 0;
        long seen = evaluate("", "f()");
        /* Those of no statements, the expression, f and g. */
        ck_assert_int_eq(entries, 4 * hooks);
        long expected = shown ? 3 : 0;
        ck_assert_int_eq(seen, expected);
    }
}

static PyObject *
second_hook(PyThreadState *ts, struct _PyInterpreterFrame *frame, int throwflag)
{
    entries++;
    return counting_hook(ts, frame, throwflag);
}

START_TEST(test_perf_behind_a_hook)
{
    set_hook(counting_hook);
    start_showing(_i);
    ck_assert_ptr_eq(_PyInterpreterState_GetEvalFrameFunc(PyInterpreterState_Get()),
                     counting_hook);
    check_shown(1, 1);
    evaluate(hide, "0");
    ck_assert_int_eq(evaluate("", active), 0);
    check_shown(1, 0);
    /* Again, and the hook is the first to go. */
    start_showing(_i);
    set_hook(_PyEval_EvalFrameDefault);
    ck_assert_int_eq(evaluate("", active), 1);
    check_shown(0, 1);
    set_hook(counting_hook);
    ck_assert_int_eq(evaluate("", active), 0);
    check_shown(1, 0);          /* it does not call the hook that it has replaced */
    start_showing(_i);          /* but may be followed */
    check_shown(1, 1);
    set_hook(second_hook);      /* which goes on to the first */
    check_shown(2, 1);
    set_hook(counting_hook);
    check_shown(1, 1);
    evaluate(hide, "0");
    check_shown(1, 0);
    set_hook(NULL);
    check_shown(0, 0);
}
END_TEST

START_TEST(test_perf_behind_a_hook_that_calls_it_too)
{
    start_showing(_i);
    replace_hook(hook_in_front);
    check_shown(1, 1);
    start_showing(_i);
    check_shown(1, 1);
    evaluate(hide, "0");
    check_shown(1, 0);
    start_showing(_i);
    check_shown(1, 1);
    set_hook(replaced);
    ck_assert_int_eq(evaluate("", active), 1);
    check_shown(0, 1);
    evaluate(hide, "0");
    check_shown(0, 0);
}
END_TEST

C_TESTS(eval_hook, .start = CTests_StartNothing)
{
    tcase_add_unchecked_fixture(tests, start, stop);
    tcase_add_test(tests, test_default_hook_is_the_default_function);
    tcase_add_test(tests, test_python_calls_enter_the_hook_once_each);
    tcase_add_test(tests, test_keyword_and_star_calls_enter_the_hook);
    tcase_add_test(tests, test_methods_properties_and_init_enter_the_hook);
    tcase_add_test(tests, test_generator_resumptions_enter_the_hook);
    tcase_add_test(tests, test_delegation_enters_the_hook);
    tcase_add_test(tests, test_hook_may_answer_instead_of_running);
    tcase_add_test(tests, test_exceptions_pass_through_the_hook);
    tcase_add_loop_test(tests, test_hook_in_front_of_perfs_is_entered_once, 0, 2);
    tcase_add_loop_test(tests, test_hook_outlives_deactivation, 0, 2);
    tcase_add_loop_test(tests, test_default_hook_ends_showing, 0, 2);
    tcase_add_loop_test(tests, test_perf_behind_a_hook, 0, 2);
    tcase_add_loop_test(tests, test_perf_behind_a_hook_that_calls_it_too, 0, 2);
}
